// RUN: memspace-opt %s -split-input-file -memspace-materialize-encodings -verify-diagnostics | FileCheck %s

// A layout that is the same everywhere needs no target.

#t = #memspace.tiled_layout<inner_dims_pos = [0], inner_tiles = [16], outer_dims_perm = [1, 0]>
// CHECK-LABEL: func @any
// CHECK-SAME: -> tensor<8x32xf32>
func.func @any(%a: tensor<32x8xf32>) -> tensor<32x8xf32, #t> {
  %e = tensor.empty() : tensor<32x8xf32, #t>
  %b = memspace.encode ins(%a : tensor<32x8xf32>) outs(%e : tensor<32x8xf32, #t>)
  return %b : tensor<32x8xf32, #t>
}

// -----

// The IR names it: the op, the function, or the device of the module.

#lhs = #memspace.matmul_operand<lhs, types = [f16, f16, f32], sizes = [64, 64, 64]>
module attributes {dlti.target_system_spec = #dlti.target_system_spec<"GPU" = #dlti.target_device_spec<"chip" = "gfx950">>} {
  // CHECK-LABEL: func @device
  // CHECK-SAME: -> (tensor<4x2x16x32xf16>, tensor<4x4x16x16xf16>, tensor<64x64xf16>)
  func.func @device(%a: tensor<64x64xf16>) -> (tensor<64x64xf16, #lhs>, tensor<64x64xf16, #lhs>, tensor<64x64xf16, #lhs> {memspace.target = #rocdl.target<chip = "gfx1030">}) {
    %e = tensor.empty() : tensor<64x64xf16, #lhs>
    %f = tensor.empty() : tensor<64x64xf16, #lhs>
    %g = tensor.empty() : tensor<64x64xf16, #lhs>
    %b = memspace.encode ins(%a : tensor<64x64xf16>) outs(%e : tensor<64x64xf16, #lhs>)
    %c = memspace.encode ins(%a : tensor<64x64xf16>) outs(%f : tensor<64x64xf16, #lhs>) {memspace.target = #nvvm.target<chip = "sm_90">}
    %d = memspace.encode ins(%a : tensor<64x64xf16>) outs(%g : tensor<64x64xf16, #lhs>) {memspace.target = #rocdl.target<chip = "gfx1030">}
    return %b, %c, %d : tensor<64x64xf16, #lhs>, tensor<64x64xf16, #lhs>, tensor<64x64xf16, #lhs>
  }
}

// -----

// An empty tensor, constant or fill that CSE made one lives where it is used.

#lhs = #memspace.matmul_operand<lhs, types = [f16, f16, f32], sizes = [64, 64, 64]>
// CHECK-LABEL: func @shared
// CHECK-SAME: -> (tensor<4x4x16x16xf16>, tensor<64x64xf16>)
// CHECK: linalg.pack
// CHECK: arith.addf {{.*}} : tensor<4x4x16x16xf16>
// CHECK: arith.addf {{.*}} : tensor<64x64xf16>
func.func @shared(%a: tensor<64x64xf16>) -> (tensor<64x64xf16, #lhs> {memspace.target = #rocdl.target<chip = "gfx942">}, tensor<64x64xf16, #lhs> {memspace.target = #rocdl.target<chip = "gfx1030">}) {
  %one = arith.constant dense<1.0> : tensor<64x64xf16, #lhs>
  %e = tensor.empty() : tensor<64x64xf16, #lhs>
  %b = memspace.encode ins(%a : tensor<64x64xf16>) outs(%e : tensor<64x64xf16, #lhs>) {memspace.target = #rocdl.target<chip = "gfx942">}
  %c = memspace.encode ins(%a : tensor<64x64xf16>) outs(%e : tensor<64x64xf16, #lhs>) {memspace.target = #rocdl.target<chip = "gfx1030">}
  %d = arith.addf %b, %one {memspace.target = #rocdl.target<chip = "gfx942">} : tensor<64x64xf16, #lhs>
  %f = arith.addf %c, %one {memspace.target = #rocdl.target<chip = "gfx1030">} : tensor<64x64xf16, #lhs>
  return %d, %f : tensor<64x64xf16, #lhs>, tensor<64x64xf16, #lhs>
}

// CHECK-LABEL: func @shared_fill
// CHECK-DAG: linalg.fill {{.*}} -> tensor<64x64xf16>
// CHECK-DAG: linalg.fill {{.*}} -> tensor<4x4x16x16xf16>
// CHECK: return
func.func @shared_fill(%a: tensor<64x64xf16>, %z: f16) -> (tensor<64x64xf16, #lhs> {memspace.target = #rocdl.target<chip = "gfx942">}, tensor<64x64xf16, #lhs> {memspace.target = #rocdl.target<chip = "gfx1030">}) {
  %e = tensor.empty() : tensor<64x64xf16, #lhs>
  %f = linalg.fill ins(%z : f16) outs(%e : tensor<64x64xf16, #lhs>) -> tensor<64x64xf16, #lhs>
  %b = memspace.encode ins(%a : tensor<64x64xf16>) outs(%e : tensor<64x64xf16, #lhs>) {memspace.target = #rocdl.target<chip = "gfx942">}
  %c = memspace.encode ins(%a : tensor<64x64xf16>) outs(%e : tensor<64x64xf16, #lhs>) {memspace.target = #rocdl.target<chip = "gfx1030">}
  %d = linalg.add ins(%b, %b : tensor<64x64xf16, #lhs>, tensor<64x64xf16, #lhs>) outs(%f : tensor<64x64xf16, #lhs>) -> tensor<64x64xf16, #lhs>
  %g = linalg.add ins(%c, %c : tensor<64x64xf16, #lhs>, tensor<64x64xf16, #lhs>) outs(%f : tensor<64x64xf16, #lhs>) -> tensor<64x64xf16, #lhs>
  return %d, %g : tensor<64x64xf16, #lhs>, tensor<64x64xf16, #lhs>
}

// -----

// Two devices of one host: what is between them stays, what is on one goes. Two
// with one layout need nothing.

#lhs = #memspace.matmul_operand<lhs, types = [f16, f16, f32], sizes = [64, 64, 64]>
// CHECK-LABEL: func private @on_amd
// CHECK-SAME: (%{{.*}}: tensor<4x4x16x16xf16>) -> tensor<4x4x16x16xf16>
func.func private @on_amd(%a: tensor<64x64xf16, #lhs>) -> tensor<64x64xf16, #lhs>
    attributes {memspace.target = #rocdl.target<chip = "gfx942">, gpu.known_block_size = array<i32: 64, 1, 1>} {
  %b = arith.addf %a, %a : tensor<64x64xf16, #lhs>
  return %b : tensor<64x64xf16, #lhs>
}
// CHECK-LABEL: func private @on_gfx950
// CHECK-SAME: (%{{.*}}: tensor<4x2x16x32xf16>) -> tensor<4x2x16x32xf16>
func.func private @on_gfx950(%a: tensor<64x64xf16, #lhs>) -> tensor<64x64xf16, #lhs>
    attributes {memspace.target = #rocdl.target<chip = "gfx950">, gpu.known_block_size = array<i32: 64, 1, 1>} {
  %b = arith.addf %a, %a : tensor<64x64xf16, #lhs>
  return %b : tensor<64x64xf16, #lhs>
}
// CHECK-LABEL: func private @on_nvidia
// CHECK-SAME: (%{{.*}}: tensor<4x4x16x16xf16>) -> tensor<4x4x16x16xf16>
func.func private @on_nvidia(%a: tensor<64x64xf16, #lhs>) -> tensor<64x64xf16, #lhs>
    attributes {memspace.target = #nvvm.target<chip = "sm_90">, gpu.known_block_size = array<i32: 64, 1, 1>} {
  %b = arith.addf %a, %a : tensor<64x64xf16, #lhs>
  return %b : tensor<64x64xf16, #lhs>
}
// CHECK-LABEL: func @host
// CHECK: linalg.pack
// CHECK: %[[A:.*]] = call @on_amd
// CHECK: %[[G:.*]] = linalg.generic
// CHECK-SAME: memspace.copy = "layout change from {{.*}} on 'gfx942' to {{.*}} on 'gfx950'"
// CHECK: call @on_gfx950
// CHECK-NOT: linalg
// CHECK: call @on_nvidia(%[[A]])
func.func @host(%a: tensor<64x64xf16>) -> (tensor<64x64xf16>, tensor<64x64xf16>) {
  %e = tensor.empty() : tensor<64x64xf16, #lhs>
  %p = tensor.empty() : tensor<64x64xf16>
  %b = memspace.encode ins(%a : tensor<64x64xf16>) outs(%e : tensor<64x64xf16, #lhs>) {memspace.target = #rocdl.target<chip = "gfx942">}
  %c = call @on_amd(%b) : (tensor<64x64xf16, #lhs>) -> tensor<64x64xf16, #lhs>
  %f = tensor.empty() : tensor<64x64xf16, #lhs>
  %d = memspace.encode ins(%c : tensor<64x64xf16, #lhs>) outs(%f : tensor<64x64xf16, #lhs>) {memspace.target = #rocdl.target<chip = "gfx950">}
  %g = call @on_gfx950(%d) : (tensor<64x64xf16, #lhs>) -> tensor<64x64xf16, #lhs>
  %h = tensor.empty() : tensor<64x64xf16, #lhs>
  %i = memspace.encode ins(%c : tensor<64x64xf16, #lhs>) outs(%h : tensor<64x64xf16, #lhs>) {memspace.target = #nvvm.target<chip = "sm_90">}
  %j = call @on_nvidia(%i) : (tensor<64x64xf16, #lhs>) -> tensor<64x64xf16, #lhs>
  %k = memspace.encode ins(%g : tensor<64x64xf16, #lhs>) outs(%p : tensor<64x64xf16>)
  %l = memspace.encode ins(%j : tensor<64x64xf16, #lhs>) outs(%p : tensor<64x64xf16>)
  return %k, %l : tensor<64x64xf16>, tensor<64x64xf16>
}

// -----

// A tensor that goes from one device to another one without an encode.

#lhs = #memspace.matmul_operand<lhs, types = [f16, f16, f32], sizes = [64, 64, 64]>
// expected-note@+1 {{it is named here}}
func.func private @here(%a: tensor<64x64xf16, #lhs>) -> tensor<64x64xf16, #lhs> attributes {memspace.target = #rocdl.target<chip = "gfx942">} {
  return %a : tensor<64x64xf16, #lhs>
}
// expected-error@+1 {{has a tensor of type 'tensor<64x64xf16, #memspace.matmul_operand<lhs, types = [f16, f16, f32], sizes = [64, 64, 64]>>' that lives on 'gfx950' here and on 'gfx942' elsewhere; put a memspace.encode in between, with 'memspace.target'}}
func.func private @there(%a: tensor<64x64xf16, #lhs>) attributes {memspace.target = #rocdl.target<chip = "gfx950">} {
  return
}
func.func @from_here_to_there(%a: tensor<64x64xf16, #lhs>) {
  %b = call @here(%a) : (tensor<64x64xf16, #lhs>) -> tensor<64x64xf16, #lhs>
  call @there(%b) : (tensor<64x64xf16, #lhs>) -> ()
  return
}

// -----

#lhs = #memspace.matmul_operand<lhs, types = [f16, f16, f32], sizes = [64, 64, 64]>
// expected-error@+1 {{kernel 'unknown' has no target}}
func.func @unknown(%a: tensor<64x64xf16, #lhs>) {
  return
}

// -----

// What a function says of its arguments and results is what callers see; once
// the types say it, it goes. An op that says the same may come or go.

#lhs = #memspace.matmul_operand<lhs, types = [f16, f16, f32], sizes = [64, 64, 64]>
module attributes {memspace.target = #rocdl.target<chip = "gfx1030">} {
  // CHECK-LABEL: func @stated
  // CHECK-SAME: (%{{.*}}: tensor<4x4x16x16xf16>, %{{.*}}: tensor<64x64xf16>, %{{.*}}: memref<4x4x16x16xf16>)
  // CHECK-SAME: -> tensor<4x4x16x16xf16> {
  func.func @stated(%a: tensor<64x64xf16, #lhs> {memspace.target = #rocdl.target<chip = "gfx942">}, %b: tensor<64x64xf16, #lhs>,
                    %m: memref<64x64xf16> {memspace.target = #rocdl.target<chip = "gfx942">})
      -> (tensor<64x64xf16, #lhs> {memspace.target = #rocdl.target<chip = "gfx942">}) {
    %unused = arith.negf %a {memspace.target = #rocdl.target<chip = "gfx942">} : tensor<64x64xf16, #lhs>
    bufferization.materialize_in_destination %a in restrict writable %m : (tensor<64x64xf16, #lhs>, memref<64x64xf16>) -> ()
    return %a : tensor<64x64xf16, #lhs>
  }
  // CHECK-LABEL: func private @declared(tensor<4x4x16x16xf16>)
  func.func private @declared(tensor<64x64xf16, #lhs> {memspace.target = #rocdl.target<chip = "gfx942">})
  // CHECK: func @caller(%{{.*}}: tensor<4x4x16x16xf16>)
  func.func @caller(%a: tensor<64x64xf16, #lhs> {memspace.target = #rocdl.target<chip = "gfx942">}) {
    call @declared(%a) : (tensor<64x64xf16, #lhs>) -> ()
    return
  }
  // The layout is one on both.
  // CHECK: func @same(%{{.*}}: tensor<64x64xf16>)
  func.func @same(%a: tensor<64x64xf16, #lhs>) {
    %b = arith.negf %a {memspace.target = #rocdl.target<chip = "gfx906">} : tensor<64x64xf16, #lhs>
    return
  }
}

// -----

// An op inside, which a cleaning-up may take away, is not the place to say it.

#lhs = #memspace.matmul_operand<lhs, types = [f16, f16, f32], sizes = [64, 64, 64]>
module attributes {memspace.target = #rocdl.target<chip = "gfx1030">} {
  // expected-error@+1 {{argument 0 has a tensor of type 'tensor<64x64xf16, #memspace.matmul_operand<lhs, types = [f16, f16, f32], sizes = [64, 64, 64]>>', which lives on 'gfx942' inside, but for callers it is one of 'gfx1030'; give it the attribute 'memspace.target' there}}
  func.func @not_stated(%a: tensor<64x64xf16, #lhs>) {
    // expected-note@+1 {{the target is named here}}
    %unused = arith.negf %a {memspace.target = #rocdl.target<chip = "gfx942">} : tensor<64x64xf16, #lhs>
    return
  }
}

// -----

// Nor is a function that the tensor is passed to.

#lhs = #memspace.matmul_operand<lhs, types = [f16, f16, f32], sizes = [64, 64, 64]>
// expected-note@+1 {{the target is named here}}
func.func private @on_amd(%a: tensor<64x64xf16, #lhs>) -> tensor<64x64xf16, #lhs> attributes {memspace.target = #rocdl.target<chip = "gfx942">} {
  return %a : tensor<64x64xf16, #lhs>
}
// expected-error@+1 {{result 0 has a tensor of type 'tensor<64x64xf16, #memspace.matmul_operand<lhs, types = [f16, f16, f32], sizes = [64, 64, 64]>>', which lives on 'gfx942' inside, but nothing says so to callers; give it the attribute 'memspace.target' there}}
func.func @host(%v: f16) -> tensor<64x64xf16, #lhs> {
  %e = tensor.empty() : tensor<64x64xf16, #lhs>
  %f = linalg.fill ins(%v : f16) outs(%e : tensor<64x64xf16, #lhs>) -> tensor<64x64xf16, #lhs>
  %r = call @on_amd(%f) : (tensor<64x64xf16, #lhs>) -> tensor<64x64xf16, #lhs>
  return %r : tensor<64x64xf16, #lhs>
}

// -----

// Memory, too, is what its function says, if that is the function's own target.

#lhs = #memspace.matmul_operand<lhs, types = [f16, f16, f32], sizes = [64, 64, 64]>
// expected-note@+1 {{the target is named here}}
func.func private @on_amd(%m: memref<64x64xf16>, %v: f16) attributes {memspace.target = #rocdl.target<chip = "gfx942">} {
  %e = tensor.empty() : tensor<64x64xf16, #lhs>
  %f = linalg.fill ins(%v : f16) outs(%e : tensor<64x64xf16, #lhs>) -> tensor<64x64xf16, #lhs>
  bufferization.materialize_in_destination %f in restrict writable %m : (tensor<64x64xf16, #lhs>, memref<64x64xf16>) -> ()
  return
}
// expected-error@+1 {{argument 0 has a tensor of type 'tensor<64x64xf16, #memspace.matmul_operand<lhs, types = [f16, f16, f32], sizes = [64, 64, 64]>>', which lives on 'gfx942' inside, but for callers it is one of 'gfx1030'}}
func.func @elsewhere(%m: memref<64x64xf16>, %v: f16) attributes {memspace.target = #rocdl.target<chip = "gfx1030">} {
  call @on_amd(%m, %v) : (memref<64x64xf16>, f16) -> ()
  return
}

// -----

// Of what is around it as well.

#lhs = #memspace.matmul_operand<lhs, types = [f16, f16, f32], sizes = [64, 64, 64]>
module attributes {memspace.target = #rocdl.target<chip = "gfx1030">} {
  // expected-error@+1 {{argument 0 has a tensor of type 'tensor<64x64xf16, #memspace.matmul_operand<lhs, types = [f16, f16, f32], sizes = [64, 64, 64]>>', which lives on 'gfx942' inside, but for callers it is one of 'gfx1030'}}
  func.func @memory(%m: memref<64x64xf16>, %v: f16) {
    // expected-note@+1 {{the target is named here}}
    %e = tensor.empty() {memspace.target = #rocdl.target<chip = "gfx942">} : tensor<64x64xf16, #lhs>
    %f = linalg.fill ins(%v : f16) outs(%e : tensor<64x64xf16, #lhs>) -> tensor<64x64xf16, #lhs>
    bufferization.materialize_in_destination %f in restrict writable %m : (tensor<64x64xf16, #lhs>, memref<64x64xf16>) -> ()
    return
  }
}

// -----

// Who has the body of a declaration in a 'gpu.module' is not known either.

#lhs = #memspace.matmul_operand<lhs, types = [f16, f16, f32], sizes = [64, 64, 64]>
module attributes {memspace.target = #rocdl.target<chip = "gfx1030">} {
  gpu.module @kernels {
    // expected-error@+1 {{argument 0 has a tensor of type}}
    func.func private @declared(tensor<64x64xf16, #lhs>)
    func.func private @caller(%v: f16) {
      // expected-note@+1 {{the target is named here}}
      %e = tensor.empty() {memspace.target = #rocdl.target<chip = "gfx942">} : tensor<64x64xf16, #lhs>
      func.call @declared(%e) : (tensor<64x64xf16, #lhs>) -> ()
      return
    }
  }
}

// -----

// A module of several targets is one program for all.

#lhs = #memspace.matmul_operand<lhs, types = [f16, f16, f32], sizes = [64, 64, 64]>
// CHECK: gpu.module @one_layout
gpu.module @one_layout [#rocdl.target<chip = "gfx942">, #nvvm.target<chip = "sm_90">] {
  // CHECK: gpu.func @kernel(%{{.*}}: memref<4x4x16x16xf16>)
  gpu.func @kernel(%m: memref<64x64xf16>) kernel {
    %a = bufferization.to_tensor %m restrict writable : memref<64x64xf16> to tensor<64x64xf16, #lhs>
    %b = arith.negf %a : tensor<64x64xf16, #lhs>
    bufferization.materialize_in_destination %b in writable %m : (tensor<64x64xf16, #lhs>, memref<64x64xf16>) -> ()
    gpu.return
  }
}

// -----

#lhs = #memspace.matmul_operand<lhs, types = [f16, f16, f32], sizes = [64, 64, 64]>
gpu.module @two_layouts [#rocdl.target<chip = "gfx942">, #rocdl.target<chip = "gfx950">] {
  gpu.func @kernel(%m: memref<64x64xf16>) kernel {
    // expected-error@+1 {{has a tensor of type 'tensor<64x64xf16, #memspace.matmul_operand<lhs, types = [f16, f16, f32], sizes = [64, 64, 64]>>' that is laid out on 'gfx942' in another way than on 'gfx950', and its 'gpu.module' is for both; make one for each}}
    %a = bufferization.to_tensor %m restrict writable : memref<64x64xf16> to tensor<64x64xf16, #lhs>
    %b = arith.negf %a : tensor<64x64xf16, #lhs>
    bufferization.materialize_in_destination %b in writable %m : (tensor<64x64xf16, #lhs>, memref<64x64xf16>) -> ()
    gpu.return
  }
}

// -----

// Rows are the same on all targets; what is no target is one nowhere.

#t = #memspace.tiled_layout<inner_dims_pos = [0], inner_tiles = [16], outer_dims_perm = [1, 0]>
func.func @rows(%a: tensor<32x8xf32, #t>, %e: tensor<32x8xf32>) -> tensor<32x8xf32> {
  // expected-error@+1 {{attribute 'memspace.target' must be '#rocdl.target<…>' or '#nvvm.target<…>'; got "gfx942"}}
  %b = memspace.encode ins(%a : tensor<32x8xf32, #t>) outs(%e : tensor<32x8xf32>) {memspace.target = "gfx942"}
  return %b : tensor<32x8xf32>
}

// -----

// What a function says of an argument, result or op comes before what it says
// of itself.

#lhs = #memspace.matmul_operand<lhs, types = [f16, f16, f32], sizes = [64, 64, 64]>
// CHECK-LABEL: func @on_two
// CHECK-SAME: (%{{.*}}: tensor<4x4x16x16xf16>, %{{.*}}: tensor<64x64xf16>)
// CHECK-SAME: -> tensor<64x64xf16>
// CHECK: linalg.unpack
func.func @on_two(%a: tensor<64x64xf16, #lhs> {memspace.target = #rocdl.target<chip = "gfx942">}, %b: tensor<64x64xf16, #lhs>) -> tensor<64x64xf16, #lhs>
    attributes {memspace.target = #rocdl.target<chip = "gfx1030">} {
  %c = arith.negf %a {memspace.target = #rocdl.target<chip = "gfx942">} : tensor<64x64xf16, #lhs>
  %e = tensor.empty() : tensor<64x64xf16, #lhs>
  %d = memspace.encode ins(%c : tensor<64x64xf16, #lhs>) outs(%e : tensor<64x64xf16, #lhs>)
  %s = arith.addf %d, %b : tensor<64x64xf16, #lhs>
  return %s : tensor<64x64xf16, #lhs>
}

// -----

// An op that says so inside still does not say it to callers.

#lhs = #memspace.matmul_operand<lhs, types = [f16, f16, f32], sizes = [64, 64, 64]>
// expected-error@+1 {{argument 0 has a tensor of type 'tensor<64x64xf16, #memspace.matmul_operand<lhs, types = [f16, f16, f32], sizes = [64, 64, 64]>>', which lives on 'gfx942' inside, but for callers it is one of 'gfx1030'}}
func.func @only_inside(%a: tensor<64x64xf16, #lhs>) attributes {memspace.target = #rocdl.target<chip = "gfx1030">} {
  // expected-note@+1 {{the target is named here}}
  %c = arith.negf %a {memspace.target = #rocdl.target<chip = "gfx942">} : tensor<64x64xf16, #lhs>
  return
}

// -----

// Shared by CSE, and told apart by callees.

#lhs = #memspace.matmul_operand<lhs, types = [f16, f16, f32], sizes = [64, 64, 64]>
// CHECK-LABEL: func private @on_amd(tensor<4x4x16x16xf16>)
func.func private @on_amd(tensor<64x64xf16, #lhs> {memspace.target = #rocdl.target<chip = "gfx942">})
// CHECK-LABEL: func private @on_rows(tensor<64x64xf16>)
func.func private @on_rows(tensor<64x64xf16, #lhs> {memspace.target = #rocdl.target<chip = "gfx1030">})
// CHECK-LABEL: func @shared_by_calls
// CHECK: %[[A:.*]] = tensor.empty() : tensor<4x4x16x16xf16>
// CHECK: call @on_amd(%[[A]])
// CHECK: %[[B:.*]] = tensor.empty() : tensor<64x64xf16>
// CHECK: call @on_rows(%[[B]])
func.func @shared_by_calls() {
  %e = tensor.empty() : tensor<64x64xf16, #lhs>
  call @on_amd(%e) : (tensor<64x64xf16, #lhs>) -> ()
  call @on_rows(%e) : (tensor<64x64xf16, #lhs>) -> ()
  return
}

// -----

// A cast of memory is that memory.

#lhs = #memspace.matmul_operand<lhs, types = [f16, f16, f32], sizes = [64, 64, 64]>
module attributes {memspace.target = #rocdl.target<chip = "gfx1030">} {
  func.func @cast(%m: memref<64x64xf16> {memspace.target = #rocdl.target<chip = "gfx942">}) -> f16 {
    %c0 = arith.constant 0 : index
    %u = memref.cast %m : memref<64x64xf16> to memref<*xf16>
    // expected-error@+1 {{has memory that holds a tensor of type 'tensor<64x64xf16, #memspace.matmul_operand<lhs, types = [f16, f16, f32], sizes = [64, 64, 64]>>', which is not row-major on 'gfx942', but does not take it for that}}
    %v = memref.cast %u : memref<*xf16> to memref<64x64xf16>
    // expected-note@+1 {{it is said here}}
    %t = bufferization.to_tensor %v restrict : memref<64x64xf16> to tensor<64x64xf16, #lhs>
    %x = tensor.extract %t[%c0, %c0] : tensor<64x64xf16, #lhs>
    return %x : f16
  }
}

// -----

// And a part of memory is a part of what it holds.

#lhs = #memspace.matmul_operand<lhs, types = [f16, f16, f32], sizes = [64, 64, 64]>
module attributes {memspace.target = #rocdl.target<chip = "gfx1030">} {
  func.func @part(%m: memref<128x64xf16> {memspace.target = #rocdl.target<chip = "gfx942">}) -> f16 {
    %c0 = arith.constant 0 : index
    // expected-error@+1 {{has memory that holds a tensor of type}}
    %v = memref.subview %m[0, 0] [64, 64] [1, 1] : memref<128x64xf16> to memref<64x64xf16, strided<[64, 1]>>
    // expected-note@+1 {{it is said here}}
    %t = bufferization.to_tensor %v restrict : memref<64x64xf16, strided<[64, 1]>> to tensor<64x64xf16, #lhs>
    %x = tensor.extract %t[%c0, %c0] : tensor<64x64xf16, #lhs>
    return %x : f16
  }
}

// -----

// An op that names a target does so for all that it makes.

#lhs = #memspace.matmul_operand<lhs, types = [f16, f16, f32], sizes = [128, 256, 64]>
// CHECK-LABEL: func @two_results(
func.func @two_results(%v: f16, %c: i1) -> (f16, f16) attributes {memspace.target = #rocdl.target<chip = "gfx1030">} {
  %c0 = arith.constant 0 : index
  // CHECK: scf.if %{{.*}} -> (tensor<8x4x16x16xf16>, tensor<8x4x16x16xf16>)
  %a:2 = scf.if %c -> (tensor<128x64xf16, #lhs>, tensor<128x64xf16, #lhs>) {
    %e0 = tensor.empty() : tensor<128x64xf16, #lhs>
    %f = linalg.fill ins(%v : f16) outs(%e0 : tensor<128x64xf16, #lhs>) -> tensor<128x64xf16, #lhs>
    %e1 = tensor.empty() : tensor<128x64xf16, #lhs>
    %g = linalg.fill ins(%v : f16) outs(%e1 : tensor<128x64xf16, #lhs>) -> tensor<128x64xf16, #lhs>
    scf.yield %f, %g : tensor<128x64xf16, #lhs>, tensor<128x64xf16, #lhs>
  } else {
    %e0 = tensor.empty() : tensor<128x64xf16, #lhs>
    %e1 = tensor.empty() : tensor<128x64xf16, #lhs>
    scf.yield %e0, %e1 : tensor<128x64xf16, #lhs>, tensor<128x64xf16, #lhs>
  } {memspace.target = #rocdl.target<chip = "gfx942">}
  %n0 = arith.negf %a#0 : tensor<128x64xf16, #lhs>
  %n1 = arith.negf %a#1 : tensor<128x64xf16, #lhs>
  %p = tensor.empty() : tensor<128x64xf16>
  %q = tensor.empty() : tensor<128x64xf16>
  %t = memspace.encode ins(%n0 : tensor<128x64xf16, #lhs>) outs(%p : tensor<128x64xf16>)
  %u = memspace.encode ins(%n1 : tensor<128x64xf16, #lhs>) outs(%q : tensor<128x64xf16>)
  %x = tensor.extract %t[%c0, %c0] : tensor<128x64xf16>
  %y = tensor.extract %u[%c0, %c0] : tensor<128x64xf16>
  return %x, %y : f16, f16
}

// -----

// A device of a gpu.module is a target of its kernels.

#lhs = #memspace.matmul_operand<lhs, types = [f16, f16, f32], sizes = [64, 64, 64]>
module attributes {gpu.container_module} {
gpu.module @k attributes {dlti.target_system_spec = #dlti.target_system_spec<"GPU" = #dlti.target_device_spec<"chip" = "gfx1030">>} {
  // expected-note@+1 {{it is named here}}
  gpu.func @kernel(%m: memref<64x64xf16>) kernel {
    %a = bufferization.to_tensor %m restrict writable : memref<64x64xf16> to tensor<64x64xf16, #lhs>
    %b = arith.negf %a : tensor<64x64xf16, #lhs>
    bufferization.materialize_in_destination %b in writable %m : (tensor<64x64xf16, #lhs>, memref<64x64xf16>) -> ()
    gpu.return
  }
}
func.func @host(%a: tensor<64x64xf16>, %m: memref<64x64xf16>) attributes {memspace.target = #rocdl.target<chip = "gfx942">} {
  %c1 = arith.constant 1 : index
  // expected-error@+1 {{that lives on 'gfx942' here and on 'gfx1030' elsewhere}}
  %e = tensor.empty() : tensor<64x64xf16, #lhs>
  %t = memspace.encode ins(%a : tensor<64x64xf16>) outs(%e : tensor<64x64xf16, #lhs>)
  bufferization.materialize_in_destination %t in restrict writable %m : (tensor<64x64xf16, #lhs>, memref<64x64xf16>) -> ()
  gpu.launch_func @k::@kernel blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%m : memref<64x64xf16>)
  return
}
}

// -----

// What a callee says comes before what the caller says of itself.

#lhs = #memspace.matmul_operand<lhs, types = [f16, f16, f32], sizes = [64, 64, 64]>
func.func private @ext(tensor<64x64xf16, #lhs> {memspace.target = #rocdl.target<chip = "gfx942">}) -> (tensor<64x64xf16, #lhs> {memspace.target = #rocdl.target<chip = "gfx942">})
// CHECK-LABEL: func @host(
// CHECK: linalg.pack
// CHECK: call @ext({{.*}}) : (tensor<4x4x16x16xf16>) -> tensor<4x4x16x16xf16>
// CHECK: linalg.unpack
func.func @host(%a: tensor<64x64xf16>) -> tensor<64x64xf16> attributes {memspace.target = #rocdl.target<chip = "gfx1030">} {
  %e = tensor.empty() : tensor<64x64xf16, #lhs>
  %b = memspace.encode ins(%a : tensor<64x64xf16>) outs(%e : tensor<64x64xf16, #lhs>) {memspace.target = #rocdl.target<chip = "gfx942">}
  %c = call @ext(%b) : (tensor<64x64xf16, #lhs>) -> tensor<64x64xf16, #lhs>
  %p = tensor.empty() : tensor<64x64xf16>
  %d = memspace.encode ins(%c : tensor<64x64xf16, #lhs>) outs(%p : tensor<64x64xf16>)
  return %d : tensor<64x64xf16>
}
