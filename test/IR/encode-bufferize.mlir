// One-Shot Bufferize and encodes: what keeps the layout is no buffer of its
// own, what changes it is refused before anything is changed. Case E1.

// RUN: memspace-opt %s --one-shot-bufferize | FileCheck %s

#lhs = #memspace.matmul_operand<lhs, types = [f16, f16, f32], sizes = [128, 256, 64]>
// What #lhs is on gfx942.
#tiles = #memspace.tiled_layout<inner_dims_pos = [0, 1], inner_tiles = [16, 16]>

// CHECK-LABEL: func.func @one_target
// CHECK: %[[alloc:.*]] = memref.alloc()
// CHECK-NOT: memref.alloc
// CHECK: linalg.fill {{.*}} outs(%[[alloc]] :
// CHECK-NOT: memref.copy
// CHECK: memref.load %[[alloc]]
func.func @one_target(%v: f16) -> f16 attributes {memspace.target = #rocdl.target<chip = "gfx942">} {
  %c0 = arith.constant 0 : index
  %e0 = tensor.empty() : tensor<128x64xf16, #lhs>
  %a = linalg.fill {memspace.target = #rocdl.target<chip = "gfx942">}
      ins(%v : f16) outs(%e0 : tensor<128x64xf16, #lhs>) -> tensor<128x64xf16, #lhs>
  %e = tensor.empty() : tensor<128x64xf16, #lhs>
  %t = memspace.encode ins(%a : tensor<128x64xf16, #lhs>) outs(%e : tensor<128x64xf16, #lhs>)
  %x = tensor.extract %t[%c0, %c0] : tensor<128x64xf16, #lhs>
  return %x : f16
}

// One layout on two targets.
// CHECK-LABEL: func.func @two_targets
// CHECK: memref.alloc()
// CHECK-NOT: memref.alloc
// CHECK: return
func.func @two_targets(%v: f16) -> f16 attributes {memspace.target = #rocdl.target<chip = "gfx942">} {
  %c0 = arith.constant 0 : index
  %e0 = tensor.empty() {memspace.target = #nvvm.target<chip = "sm_90">} : tensor<128x64xf16, #lhs>
  %a = linalg.fill ins(%v : f16) outs(%e0 : tensor<128x64xf16, #lhs>) -> tensor<128x64xf16, #lhs>
  %e = tensor.empty() : tensor<128x64xf16, #lhs>
  %t = memspace.encode ins(%a : tensor<128x64xf16, #lhs>) outs(%e : tensor<128x64xf16, #lhs>)
  %x = tensor.extract %t[%c0, %c0] : tensor<128x64xf16, #lhs>
  return %x : f16
}

// What is named behind the next encode is no matter of the first one.
// CHECK-LABEL: func.func @behind_the_door
// CHECK: memref.alloc()
// CHECK-NOT: memref.alloc
// CHECK: return
func.func @behind_the_door(%v: f16) -> f16 attributes {memspace.target = #rocdl.target<chip = "gfx942">} {
  %c0 = arith.constant 0 : index
  %e0 = tensor.empty() : tensor<128x64xf16, #tiles>
  %a = linalg.fill ins(%v : f16) outs(%e0 : tensor<128x64xf16, #tiles>) -> tensor<128x64xf16, #tiles>
  %e = tensor.empty() : tensor<128x64xf16, #lhs>
  %t = memspace.encode ins(%a : tensor<128x64xf16, #tiles>) outs(%e : tensor<128x64xf16, #lhs>)
  %e1 = tensor.empty() {memspace.target = #rocdl.target<chip = "gfx1030">} : tensor<128x64xf16, #tiles>
  %u = memspace.encode ins(%t : tensor<128x64xf16, #lhs>) outs(%e1 : tensor<128x64xf16, #tiles>)
      {memspace.target = #rocdl.target<chip = "gfx1030">}
  %x = tensor.extract %u[%c0, %c0] : tensor<128x64xf16, #tiles>
  return %x : f16
}

// The source's target is known while the source is a tensor.
// CHECK-LABEL: func.func @elsewhere
// CHECK: %[[alloc:.*]] = memref.alloc()
// CHECK-NOT: memref.alloc
// CHECK: memref.load %[[alloc]]
func.func @elsewhere(%v: f16) -> f16 attributes {memspace.target = #rocdl.target<chip = "gfx1030">} {
  %c0 = arith.constant 0 : index
  %e0 = tensor.empty() {memspace.target = #rocdl.target<chip = "gfx942">} : tensor<128x64xf16, #lhs>
  %a = linalg.fill {memspace.target = #rocdl.target<chip = "gfx942">}
      ins(%v : f16) outs(%e0 : tensor<128x64xf16, #lhs>) -> tensor<128x64xf16, #lhs>
  %e = tensor.empty() {memspace.target = #rocdl.target<chip = "gfx942">} : tensor<128x64xf16, #lhs>
  %t = memspace.encode ins(%a : tensor<128x64xf16, #lhs>) outs(%e : tensor<128x64xf16, #lhs>)
      {memspace.target = #rocdl.target<chip = "gfx942">}
  %x = tensor.extract %t[%c0, %c0] : tensor<128x64xf16, #lhs>
  return %x : f16
}

// A function for another target that the tensor does not come to is no matter.
func.func private @not_called(tensor<128x64xf16, #lhs> {memspace.target = #rocdl.target<chip = "gfx942">})
func.func private @called(memref<128x64xf16>) attributes {memspace.target = #rocdl.target<chip = "gfx1030">}
// CHECK-LABEL: func.func @calls
// CHECK: %[[alloc:.*]] = memref.alloc()
// CHECK-NOT: memref.alloc
// CHECK: call @called
func.func @calls(%v: f16, %m: memref<128x64xf16>) attributes {memspace.target = #rocdl.target<chip = "gfx1030">} {
  %e0 = tensor.empty() : tensor<128x64xf16>
  %a = linalg.fill ins(%v : f16) outs(%e0 : tensor<128x64xf16>) -> tensor<128x64xf16>
  %e = tensor.empty() : tensor<128x64xf16, #lhs>
  %t = memspace.encode ins(%a : tensor<128x64xf16>) outs(%e : tensor<128x64xf16, #lhs>)
  bufferization.materialize_in_destination %t in restrict writable %m : (tensor<128x64xf16, #lhs>, memref<128x64xf16>) -> ()
  call @called(%m) : (memref<128x64xf16>) -> ()
  return
}

// Copies that bufferization makes do not say on which target they are.
// CHECK-LABEL: func.func @one_behind_the_other
// CHECK-COUNT-2: memref.alloc()
// CHECK-NOT: memspace.encode
// CHECK: return
func.func @one_behind_the_other(%v: f16) -> (f16, f16) attributes {memspace.target = #rocdl.target<chip = "gfx1030">} {
  %c0 = arith.constant 0 : index
  %z = arith.constant 0.0 : f16
  %e0 = tensor.empty() {memspace.target = #rocdl.target<chip = "gfx942">} : tensor<128x64xf16, #lhs>
  %a = linalg.fill {memspace.target = #rocdl.target<chip = "gfx942">}
      ins(%v : f16) outs(%e0 : tensor<128x64xf16, #lhs>) -> tensor<128x64xf16, #lhs>
  %e = tensor.empty() {memspace.target = #rocdl.target<chip = "gfx942">} : tensor<128x64xf16, #lhs>
  %t = memspace.encode ins(%a : tensor<128x64xf16, #lhs>) outs(%e : tensor<128x64xf16, #lhs>)
      {memspace.target = #rocdl.target<chip = "gfx942">}
  %e1 = tensor.empty() {memspace.target = #rocdl.target<chip = "gfx942">} : tensor<128x64xf16, #lhs>
  %u = memspace.encode ins(%t : tensor<128x64xf16, #lhs>) outs(%e1 : tensor<128x64xf16, #lhs>)
      {memspace.target = #rocdl.target<chip = "gfx942">}
  %w = tensor.insert %z into %u[%c0, %c0] {memspace.target = #rocdl.target<chip = "gfx942">} : tensor<128x64xf16, #lhs>
  %x = tensor.extract %w[%c0, %c0] : tensor<128x64xf16, #lhs>
  %y = tensor.extract %a[%c0, %c0] : tensor<128x64xf16, #lhs>
  return %x, %y : f16, f16
}

// A function of which all is seen needs no target.
// CHECK-LABEL: func.func @calls_what_is_seen
// CHECK-COUNT-1: memref.alloc()
// CHECK-NOT: memref.alloc
// CHECK: return
func.func private @user(%m: memref<128x64xf16>, %v : f16) {
  %c0 = arith.constant 0 : index
  memref.store %v, %m[%c0, %c0] : memref<128x64xf16>
  return
}
func.func @calls_what_is_seen(%v: f16, %m: memref<128x64xf16>) attributes {memspace.target = #rocdl.target<chip = "gfx1030">} {
  %e0 = tensor.empty() : tensor<128x64xf16>
  %a = linalg.fill ins(%v : f16) outs(%e0 : tensor<128x64xf16>) -> tensor<128x64xf16>
  %e = tensor.empty() : tensor<128x64xf16, #lhs>
  %t = memspace.encode ins(%a : tensor<128x64xf16>) outs(%e : tensor<128x64xf16, #lhs>)
  bufferization.materialize_in_destination %t in restrict writable %m : (tensor<128x64xf16, #lhs>, memref<128x64xf16>) -> ()
  call @user(%m, %v) : (memref<128x64xf16>, f16) -> ()
  return
}
