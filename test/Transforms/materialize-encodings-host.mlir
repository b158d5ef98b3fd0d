// RUN: memspace-opt %s -split-input-file -memspace-materialize-encodings=chip=gfx1030 | FileCheck %s

// On gfx1030 the encoding is the row-major layout: kernels that only set or
// unset it are gone, with their calls.

#lhs = #memspace.matmul_operand<lhs, types = [f32, f32, f32], sizes = [16, 16, 16]>
// CHECK-LABEL: module
// CHECK-NOT: @set
// CHECK-NOT: @unset
// CHECK-LABEL: func @tensors
// CHECK-SAME: (%[[A:.*]]: tensor<16x16xf32>)
// CHECK-NEXT: %[[R:.*]] = call @work(%[[A]]) : (tensor<16x16xf32>) -> tensor<16x16xf32>
// CHECK-NEXT: return %[[R]]
func.func private @set(%a: tensor<16x16xf32>) -> tensor<16x16xf32, #lhs> attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %e = tensor.empty() : tensor<16x16xf32, #lhs>
  %b = memspace.encode ins(%a : tensor<16x16xf32>) outs(%e : tensor<16x16xf32, #lhs>)
  return %b : tensor<16x16xf32, #lhs>
}
func.func private @unset(%a: tensor<16x16xf32, #lhs>) -> tensor<16x16xf32> attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %e = tensor.empty() : tensor<16x16xf32>
  %b = memspace.encode ins(%a : tensor<16x16xf32, #lhs>) outs(%e : tensor<16x16xf32>)
  return %b : tensor<16x16xf32>
}
func.func private @work(%a: tensor<16x16xf32, #lhs>) -> tensor<16x16xf32, #lhs> attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %b = arith.addf %a, %a : tensor<16x16xf32, #lhs>
  return %b : tensor<16x16xf32, #lhs>
}
func.func @tensors(%a: tensor<16x16xf32>) -> tensor<16x16xf32> {
  %b = call @set(%a) : (tensor<16x16xf32>) -> tensor<16x16xf32, #lhs>
  %c = call @work(%b) : (tensor<16x16xf32, #lhs>) -> tensor<16x16xf32, #lhs>
  %d = call @unset(%c) : (tensor<16x16xf32, #lhs>) -> tensor<16x16xf32>
  return %d : tensor<16x16xf32>
}

// -----

// Two results of one final layout are one: the producer makes it once.

#a = #memspace.tiled_layout<inner_dims_pos = [0], inner_tiles = [4], outer_dims_perm = [1, 0]>
#b = #memspace.tiled_layout<outer_dims_perm = [1, 0]>
// CHECK-LABEL: func private @produce
// CHECK-SAME: (%{{.*}}: tensor<16x16xf32>) -> tensor<16x16xf32>
// CHECK: %[[P:.*]] = linalg.generic
// CHECK-SAME: memspace.copy
// CHECK-NOT: linalg.generic
// CHECK: return %[[P]]
// CHECK-LABEL: func @twice
// CHECK: %[[R:.*]] = call @produce
// CHECK: return %[[R]], %[[R]]
func.func private @produce(%x: tensor<16x16xf32>) -> (tensor<16x16xf32, #a>, tensor<16x16xf32, #b>) {
  %y = arith.addf %x, %x : tensor<16x16xf32>
  %e = tensor.empty() : tensor<16x16xf32, #a>
  %f = tensor.empty() : tensor<16x16xf32, #b>
  %p = memspace.encode ins(%y : tensor<16x16xf32>) outs(%e : tensor<16x16xf32, #a>)
  %q = memspace.encode ins(%y : tensor<16x16xf32>) outs(%f : tensor<16x16xf32, #b>)
  return %p, %q : tensor<16x16xf32, #a>, tensor<16x16xf32, #b>
}
func.func @twice(%x: tensor<16x16xf32>) -> (tensor<16x16xf32, #a>, tensor<16x16xf32, #b>) {
  %p, %q = call @produce(%x) : (tensor<16x16xf32>) -> (tensor<16x16xf32, #a>, tensor<16x16xf32, #b>)
  return %p, %q : tensor<16x16xf32, #a>, tensor<16x16xf32, #b>
}

// -----

// A public function keeps its results.

#lhs = #memspace.matmul_operand<lhs, types = [f32, f32, f32], sizes = [16, 16, 16]>
// CHECK-LABEL: func @public_set
// CHECK-SAME: -> tensor<16x16xf32>
// CHECK-LABEL: func @calls_public
// CHECK: call @public_set
func.func @public_set(%a: tensor<16x16xf32>) -> tensor<16x16xf32, #lhs> {
  %e = tensor.empty() : tensor<16x16xf32, #lhs>
  %b = memspace.encode ins(%a : tensor<16x16xf32>) outs(%e : tensor<16x16xf32, #lhs>)
  return %b : tensor<16x16xf32, #lhs>
}
func.func @calls_public(%a: tensor<16x16xf32>) -> tensor<16x16xf32, #lhs> {
  %b = call @public_set(%a) : (tensor<16x16xf32>) -> tensor<16x16xf32, #lhs>
  return %b : tensor<16x16xf32, #lhs>
}

// -----

// On memory the kernel goes with its launch and its buffer.

#lhs = #memspace.matmul_operand<lhs, types = [f32, f32, f32], sizes = [16, 16, 16]>
module attributes {gpu.container_module} {
  // CHECK-NOT: @set
  // CHECK-LABEL: gpu.func @use
  gpu.module @kernels {
    gpu.func @set(%a: memref<16x16xf32>, %b: memref<16x16xf32>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
      %x = bufferization.to_tensor %a restrict : memref<16x16xf32> to tensor<16x16xf32>
      %e = tensor.empty() : tensor<16x16xf32, #lhs>
      %y = memspace.encode ins(%x : tensor<16x16xf32>) outs(%e : tensor<16x16xf32, #lhs>)
      bufferization.materialize_in_destination %y in restrict writable %b : (tensor<16x16xf32, #lhs>, memref<16x16xf32>) -> ()
      gpu.return
    }
    gpu.func @use(%b: memref<16x16xf32>, %c: memref<16x16xf32>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
      %x = bufferization.to_tensor %b restrict : memref<16x16xf32> to tensor<16x16xf32, #lhs>
      %y = arith.addf %x, %x : tensor<16x16xf32, #lhs>
      bufferization.materialize_in_destination %y in restrict writable %c : (tensor<16x16xf32, #lhs>, memref<16x16xf32>) -> ()
      gpu.return
    }
  }
  // CHECK-LABEL: func @argument
  // CHECK-SAME: (%[[A:.*]]: memref<16x16xf32>
  // CHECK: %[[C:.*]] = memref.alloc
  // CHECK-NOT: memref.alloc
  // CHECK: gpu.launch_func @kernels::@use
  // CHECK-SAME: args(%[[A]] : memref<16x16xf32>, %[[C]] : memref<16x16xf32>)
  // CHECK-NEXT: memref.dealloc %[[C]]
  // CHECK-NEXT: return
  func.func @argument(%a: memref<16x16xf32>) {
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %b = memref.alloc() : memref<16x16xf32>
    %c = memref.alloc() : memref<16x16xf32>
    gpu.launch_func @kernels::@set blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1) args(%a : memref<16x16xf32>, %b : memref<16x16xf32>)
    gpu.launch_func @kernels::@use blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1) args(%b : memref<16x16xf32>, %c : memref<16x16xf32>)
    memref.dealloc %b : memref<16x16xf32>
    memref.dealloc %c : memref<16x16xf32>
    return
  }
}

// -----

// An allocation that was freed early is freed behind its last use.

#lhs = #memspace.matmul_operand<lhs, types = [f32, f32, f32], sizes = [16, 16, 16]>
func.func private @set(%a: memref<16x16xf32>, %b: memref<16x16xf32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %x = bufferization.to_tensor %a restrict : memref<16x16xf32> to tensor<16x16xf32>
  %e = tensor.empty() : tensor<16x16xf32, #lhs>
  %y = memspace.encode ins(%x : tensor<16x16xf32>) outs(%e : tensor<16x16xf32, #lhs>)
  bufferization.materialize_in_destination %y in restrict writable %b : (tensor<16x16xf32, #lhs>, memref<16x16xf32>) -> ()
  return
}
// CHECK-LABEL: func @early_free
// CHECK: %[[A:.*]] = memref.alloc
// CHECK-NOT: call @set
// CHECK: memref.store %{{.*}}, %[[A]]
// CHECK-NEXT: %[[X:.*]] = memref.load %[[A]]
// CHECK-NEXT: memref.dealloc %[[A]]
// CHECK-NEXT: return %[[X]]
func.func @early_free(%v: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<16x16xf32>
  %b = memref.alloc() : memref<16x16xf32>
  memref.store %v, %a[%c0, %c0] : memref<16x16xf32>
  call @set(%a, %b) : (memref<16x16xf32>, memref<16x16xf32>) -> ()
  memref.dealloc %a : memref<16x16xf32>
  %x = memref.load %b[%c0, %c0] : memref<16x16xf32>
  memref.dealloc %b : memref<16x16xf32>
  return %x : f32
}

// Both in a loop: each iteration has a buffer of its own.

// CHECK-LABEL: func @loop
// CHECK-NOT: call @set
// CHECK-NOT: memref.alloc
// CHECK: return
func.func @loop(%a: memref<16x16xf32>, %n: index) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0.0 : f32
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%s = %z) -> f32 {
    %b = memref.alloc() : memref<16x16xf32>
    func.call @set(%a, %b) : (memref<16x16xf32>, memref<16x16xf32>) -> ()
    %x = memref.load %b[%c0, %c0] : memref<16x16xf32>
    memref.dealloc %b : memref<16x16xf32>
    %t = arith.addf %s, %x : f32
    scf.yield %t : f32
  }
  return %r : f32
}

// The copy may be changed once nobody needs what it was made of.

// CHECK-LABEL: func @changed_copy
// CHECK-NOT: call @set
// CHECK: return
func.func @changed_copy(%v: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<16x16xf32>
  %b = memref.alloc() : memref<16x16xf32>
  memref.store %v, %a[%c0, %c0] : memref<16x16xf32>
  call @set(%a, %b) : (memref<16x16xf32>, memref<16x16xf32>) -> ()
  %y = memref.load %a[%c0, %c0] : memref<16x16xf32>
  memref.store %y, %b[%c0, %c0] : memref<16x16xf32>
  %x = memref.load %b[%c0, %c0] : memref<16x16xf32>
  memref.dealloc %a : memref<16x16xf32>
  memref.dealloc %b : memref<16x16xf32>
  return %x : f32
}

// -----

// Traps: one buffer would be seen.

#lhs = #memspace.matmul_operand<lhs, types = [f32, f32, f32], sizes = [16, 16, 16]>
func.func private @set(%a: memref<16x16xf32>, %b: memref<16x16xf32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %x = bufferization.to_tensor %a restrict : memref<16x16xf32> to tensor<16x16xf32>
  %e = tensor.empty() : tensor<16x16xf32, #lhs>
  %y = memspace.encode ins(%x : tensor<16x16xf32>) outs(%e : tensor<16x16xf32, #lhs>)
  bufferization.materialize_in_destination %y in restrict writable %b : (tensor<16x16xf32, #lhs>, memref<16x16xf32>) -> ()
  return
}
func.func private @unknown(memref<16x16xf32>)

// The source is written while the copy is needed.
// CHECK-LABEL: func @source_written
// CHECK: call @set
func.func @source_written(%v: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<16x16xf32>
  %b = memref.alloc() : memref<16x16xf32>
  memref.store %v, %a[%c0, %c0] : memref<16x16xf32>
  call @set(%a, %b) : (memref<16x16xf32>, memref<16x16xf32>) -> ()
  memref.store %v, %a[%c0, %c0] : memref<16x16xf32>
  %x = memref.load %b[%c0, %c0] : memref<16x16xf32>
  memref.dealloc %a : memref<16x16xf32>
  memref.dealloc %b : memref<16x16xf32>
  return %x : f32
}

// The copy is written while the source is needed.
// CHECK-LABEL: func @copy_written
// CHECK: call @set
func.func @copy_written(%v: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<16x16xf32>
  %b = memref.alloc() : memref<16x16xf32>
  memref.store %v, %a[%c0, %c0] : memref<16x16xf32>
  call @set(%a, %b) : (memref<16x16xf32>, memref<16x16xf32>) -> ()
  memref.store %v, %b[%c0, %c0] : memref<16x16xf32>
  %x = memref.load %a[%c0, %c0] : memref<16x16xf32>
  memref.dealloc %a : memref<16x16xf32>
  memref.dealloc %b : memref<16x16xf32>
  return %x : f32
}

// The caller would see what is written to the copy.
// CHECK-LABEL: func @argument_written
// CHECK: call @set
func.func @argument_written(%a: memref<16x16xf32>, %v: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %b = memref.alloc() : memref<16x16xf32>
  call @set(%a, %b) : (memref<16x16xf32>, memref<16x16xf32>) -> ()
  memref.store %v, %b[%c0, %c0] : memref<16x16xf32>
  %x = memref.load %b[%c0, %c0] : memref<16x16xf32>
  memref.dealloc %b : memref<16x16xf32>
  return %x : f32
}

// Another argument may be the same memory.
// CHECK-LABEL: func @alias
// CHECK: call @set
func.func @alias(%a: memref<16x16xf32>, %o: memref<16x16xf32>, %v: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %b = memref.alloc() : memref<16x16xf32>
  call @set(%a, %b) : (memref<16x16xf32>, memref<16x16xf32>) -> ()
  memref.store %v, %o[%c0, %c0] : memref<16x16xf32>
  %x = memref.load %b[%c0, %c0] : memref<16x16xf32>
  memref.dealloc %b : memref<16x16xf32>
  return %x : f32
}

// An output of the caller has to be written.
// CHECK-LABEL: func @output
// CHECK: call @set
func.func @output(%a: memref<16x16xf32>, %o: memref<16x16xf32>) {
  call @set(%a, %o) : (memref<16x16xf32>, memref<16x16xf32>) -> ()
  return
}

// The copy is known elsewhere: it is returned, passed on, or viewed.
// CHECK-LABEL: func @returned
// CHECK: call @set
func.func @returned(%a: memref<16x16xf32>) -> memref<16x16xf32> {
  %b = memref.alloc() : memref<16x16xf32>
  call @set(%a, %b) : (memref<16x16xf32>, memref<16x16xf32>) -> ()
  return %b : memref<16x16xf32>
}
// CHECK-LABEL: func @passed_on
// CHECK: call @set
func.func @passed_on(%a: memref<16x16xf32>) {
  %b = memref.alloc() : memref<16x16xf32>
  call @set(%a, %b) : (memref<16x16xf32>, memref<16x16xf32>) -> ()
  call @unknown(%b) : (memref<16x16xf32>) -> ()
  return
}
// CHECK-LABEL: func @viewed
// CHECK: call @set
func.func @viewed(%a: memref<16x16xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %b = memref.alloc() : memref<16x16xf32>
  call @set(%a, %b) : (memref<16x16xf32>, memref<16x16xf32>) -> ()
  %v = memref.subview %b[0, 0] [4, 4] [1, 1] : memref<16x16xf32> to memref<4x4xf32, strided<[16, 1]>>
  %x = memref.load %v[%c0, %c0] : memref<4x4xf32, strided<[16, 1]>>
  return %x : f32
}

// It is needed before the copy, of another iteration.
// CHECK-LABEL: func @carried
// CHECK: call @set
func.func @carried(%a: memref<16x16xf32>, %n: index) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0.0 : f32
  %b = memref.alloc() : memref<16x16xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%s = %z) -> f32 {
    %x = memref.load %b[%c0, %c0] : memref<16x16xf32>
    func.call @set(%a, %b) : (memref<16x16xf32>, memref<16x16xf32>) -> ()
    %t = arith.addf %s, %x : f32
    scf.yield %t : f32
  }
  memref.dealloc %b : memref<16x16xf32>
  return %r : f32
}

// The same by kernels: they write the source, or the copy.
func.func private @clear(%o: memref<16x16xf32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %z = arith.constant dense<0.0> : tensor<16x16xf32>
  bufferization.materialize_in_destination %z in restrict writable %o : (tensor<16x16xf32>, memref<16x16xf32>) -> ()
  return
}
func.func private @first(%a: memref<16x16xf32>) -> f32 attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %c0 = arith.constant 0 : index
  %t = bufferization.to_tensor %a restrict : memref<16x16xf32> to tensor<16x16xf32>
  %x = tensor.extract %t[%c0, %c0] : tensor<16x16xf32>
  return %x : f32
}
// CHECK-LABEL: func @source_cleared
// CHECK: call @set
func.func @source_cleared() -> f32 {
  %a = memref.alloc() : memref<16x16xf32>
  %b = memref.alloc() : memref<16x16xf32>
  call @set(%a, %b) : (memref<16x16xf32>, memref<16x16xf32>) -> ()
  call @clear(%a) : (memref<16x16xf32>) -> ()
  %x = call @first(%b) : (memref<16x16xf32>) -> f32
  return %x : f32
}
// CHECK-LABEL: func @copy_cleared
// CHECK: call @set
func.func @copy_cleared() -> f32 {
  %a = memref.alloc() : memref<16x16xf32>
  %b = memref.alloc() : memref<16x16xf32>
  call @set(%a, %b) : (memref<16x16xf32>, memref<16x16xf32>) -> ()
  call @clear(%b) : (memref<16x16xf32>) -> ()
  %x = call @first(%a) : (memref<16x16xf32>) -> f32
  return %x : f32
}
// CHECK-LABEL: func @output_cleared
// CHECK: call @set
func.func @output_cleared(%a: memref<16x16xf32>, %o: memref<16x16xf32>) -> f32 {
  %b = memref.alloc() : memref<16x16xf32>
  call @set(%a, %b) : (memref<16x16xf32>, memref<16x16xf32>) -> ()
  call @clear(%o) : (memref<16x16xf32>) -> ()
  %x = call @first(%b) : (memref<16x16xf32>) -> f32
  return %x : f32
}
// Nobody writes anything: one is enough.
// CHECK-LABEL: func @both_read
// CHECK-NOT: call @set
// CHECK: return
func.func @both_read(%a: memref<16x16xf32>) -> (f32, f32) {
  %b = memref.alloc() : memref<16x16xf32>
  call @set(%a, %b) : (memref<16x16xf32>, memref<16x16xf32>) -> ()
  %x = call @first(%b) : (memref<16x16xf32>) -> f32
  %y = call @first(%a) : (memref<16x16xf32>) -> f32
  return %x, %y : f32, f32
}

// A function gives it back under another name.
func.func private @same(%a: memref<16x16xf32>) -> memref<16x16xf32> {
  return %a : memref<16x16xf32>
}
// CHECK-LABEL: func @given_back
// CHECK: call @set
func.func @given_back(%v: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<16x16xf32>
  %b = memref.alloc() : memref<16x16xf32>
  call @set(%a, %b) : (memref<16x16xf32>, memref<16x16xf32>) -> ()
  %c = call @same(%a) : (memref<16x16xf32>) -> memref<16x16xf32>
  memref.store %v, %c[%c0, %c0] : memref<16x16xf32>
  %x = memref.load %b[%c0, %c0] : memref<16x16xf32>
  return %x : f32
}

// It is used in another block, where the source is written, too.
// CHECK-LABEL: func @other_block
// CHECK: call @set
func.func @other_block(%v: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<16x16xf32>
  %b = memref.alloc() : memref<16x16xf32>
  memref.store %v, %a[%c0, %c0] : memref<16x16xf32>
  call @set(%a, %b) : (memref<16x16xf32>, memref<16x16xf32>) -> ()
  cf.br ^next
^next:
  memref.store %v, %a[%c0, %c0] : memref<16x16xf32>
  %x = memref.load %b[%c0, %c0] : memref<16x16xf32>
  return %x : f32
}

// More is promised of its address.
// CHECK-LABEL: func @aligned
// CHECK: call @set
func.func @aligned(%a: memref<16x16xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %b = memref.alloc() {alignment = 256 : i64} : memref<16x16xf32>
  call @set(%a, %b) : (memref<16x16xf32>, memref<16x16xf32>) -> ()
  %x = memref.load %b[%c0, %c0] : memref<16x16xf32>
  memref.dealloc %b : memref<16x16xf32>
  return %x : f32
}

// A tensor of the copy is read after the source is written.
// CHECK-LABEL: func @late_tensor
// CHECK: call @set
func.func @late_tensor(%v: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<16x16xf32>
  %b = memref.alloc() : memref<16x16xf32>
  call @set(%a, %b) : (memref<16x16xf32>, memref<16x16xf32>) -> ()
  %t = bufferization.to_tensor %b restrict : memref<16x16xf32> to tensor<16x16xf32>
  memref.store %v, %a[%c0, %c0] : memref<16x16xf32>
  %x = tensor.extract %t[%c0, %c0] : tensor<16x16xf32>
  return %x : f32
}

// A callee frees the copy: the source would be freed twice.
func.func private @free(%a: memref<16x16xf32>) {
  memref.dealloc %a : memref<16x16xf32>
  return
}
// CHECK-LABEL: func @freed_by_callee
// CHECK: call @set
func.func @freed_by_callee() {
  %a = memref.alloc() : memref<16x16xf32>
  %b = memref.alloc() : memref<16x16xf32>
  call @set(%a, %b) : (memref<16x16xf32>, memref<16x16xf32>) -> ()
  call @free(%b) : (memref<16x16xf32>) -> ()
  memref.dealloc %a : memref<16x16xf32>
  return
}

// What is in an asynchronous op happens later, here or in a callee.
// CHECK-LABEL: func @async_region
// CHECK: call @set
func.func @async_region(%v: f32, %o: memref<f32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<16x16xf32>
  %b = memref.alloc() : memref<16x16xf32>
  call @set(%a, %b) : (memref<16x16xf32>, memref<16x16xf32>) -> ()
  %t = gpu.launch async blocks(%bx, %by, %bz) in (%g0 = %c1, %g1 = %c1, %g2 = %c1) threads(%tx, %ty, %tz) in (%h0 = %c1, %h1 = %c1, %h2 = %c1) {
    %x = memref.load %b[%c0, %c0] : memref<16x16xf32>
    memref.store %x, %o[] : memref<f32>
    gpu.terminator
  }
  memref.store %v, %a[%c0, %c0] : memref<16x16xf32>
  gpu.wait [%t]
  return
}
func.func private @begins(%b: memref<16x16xf32>, %o: memref<f32>) {
  %c0 = arith.constant 0 : index
  %t = async.execute {
    %x = memref.load %b[%c0, %c0] : memref<16x16xf32>
    memref.store %x, %o[] : memref<f32>
    async.yield
  }
  return
}
// CHECK-LABEL: func @async_callee
// CHECK: call @set
func.func @async_callee(%v: f32, %o: memref<f32>) {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<16x16xf32>
  %b = memref.alloc() : memref<16x16xf32>
  call @set(%a, %b) : (memref<16x16xf32>, memref<16x16xf32>) -> ()
  call @begins(%b, %o) : (memref<16x16xf32>, memref<f32>) -> ()
  memref.store %v, %a[%c0, %c0] : memref<16x16xf32>
  return
}

// Its address is known elsewhere, as a number.
func.func private @by_address(index)
// CHECK-LABEL: func @address
// CHECK: call @set
func.func @address(%v: f32) {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<16x16xf32>
  %b = memref.alloc() : memref<16x16xf32>
  call @set(%a, %b) : (memref<16x16xf32>, memref<16x16xf32>) -> ()
  %p = memref.extract_aligned_pointer_as_index %b : memref<16x16xf32> -> index
  memref.store %v, %a[%c0, %c0] : memref<16x16xf32>
  call @by_address(%p) : (index) -> ()
  return
}
// Its extents are no access.
// CHECK-LABEL: func @extent
// CHECK-NOT: call @set
// CHECK: return
func.func @extent(%v: f32) -> index {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<16x16xf32>
  %b = memref.alloc() : memref<16x16xf32>
  call @set(%a, %b) : (memref<16x16xf32>, memref<16x16xf32>) -> ()
  memref.store %v, %b[%c0, %c0] : memref<16x16xf32>
  %d = memref.dim %b, %c0 : memref<16x16xf32>
  return %d : index
}

// -----

// A kernel that stores one tensor in two layouts that are one.

#a = #memspace.tiled_layout<inner_dims_pos = [0], inner_tiles = [4], outer_dims_perm = [1, 0]>
#b = #memspace.tiled_layout<outer_dims_perm = [1, 0]>
// CHECK-LABEL: func private @produce
// CHECK-SAME: (%{{.*}}: memref<16x16xf32>, %[[P:.*]]: memref<16x16xf32>)
// CHECK: materialize_in_destination {{.*}} %[[P]]
// CHECK-NOT: materialize_in_destination
// CHECK-LABEL: func @two_outputs
// CHECK: %[[M:.*]] = memref.alloc
// CHECK-NOT: memref.alloc
// CHECK: call @produce(%{{.*}}, %[[M]])
// CHECK-NEXT: %{{.*}} = call @sum(%[[M]], %[[M]])
// CHECK-NEXT: memref.dealloc %[[M]]
// CHECK-NEXT: return
func.func private @produce(%x: memref<16x16xf32>, %p: memref<16x16xf32>, %q: memref<16x16xf32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %t = bufferization.to_tensor %x restrict : memref<16x16xf32> to tensor<16x16xf32>
  %y = arith.addf %t, %t : tensor<16x16xf32>
  %e = tensor.empty() : tensor<16x16xf32, #a>
  %f = tensor.empty() : tensor<16x16xf32, #b>
  %u = memspace.encode ins(%y : tensor<16x16xf32>) outs(%e : tensor<16x16xf32, #a>)
  %v = memspace.encode ins(%y : tensor<16x16xf32>) outs(%f : tensor<16x16xf32, #b>)
  bufferization.materialize_in_destination %u in restrict writable %p : (tensor<16x16xf32, #a>, memref<16x16xf32>) -> ()
  bufferization.materialize_in_destination %v in restrict writable %q : (tensor<16x16xf32, #b>, memref<16x16xf32>) -> ()
  return
}
func.func private @sum(%p: memref<16x16xf32>, %q: memref<16x16xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %t = bufferization.to_tensor %p restrict : memref<16x16xf32> to tensor<16x16xf32, #a>
  %u = bufferization.to_tensor %q restrict : memref<16x16xf32> to tensor<16x16xf32, #b>
  %v = arith.addf %t, %t : tensor<16x16xf32, #a>
  %w = arith.addf %u, %u : tensor<16x16xf32, #b>
  %e = tensor.empty() : tensor<16x16xf32>
  %y = memspace.encode ins(%v : tensor<16x16xf32, #a>) outs(%e : tensor<16x16xf32>)
  %z = memspace.encode ins(%w : tensor<16x16xf32, #b>) outs(%e : tensor<16x16xf32>)
  %s = arith.addf %y, %z : tensor<16x16xf32>
  %x = tensor.extract %s[%c0, %c0] : tensor<16x16xf32>
  return %x : f32
}
func.func @two_outputs(%x: memref<16x16xf32>) -> f32 {
  %p = memref.alloc() : memref<16x16xf32>
  %q = memref.alloc() : memref<16x16xf32>
  call @produce(%x, %p, %q) : (memref<16x16xf32>, memref<16x16xf32>, memref<16x16xf32>) -> ()
  %r = call @sum(%p, %q) : (memref<16x16xf32>, memref<16x16xf32>) -> f32
  memref.dealloc %p : memref<16x16xf32>
  memref.dealloc %q : memref<16x16xf32>
  return %r : f32
}

// -----

// What else the kernel writes may be the memory that would be kept.

#a = #memspace.tiled_layout<inner_dims_pos = [0], inner_tiles = [4], outer_dims_perm = [1, 0]>
#b = #memspace.tiled_layout<outer_dims_perm = [1, 0]>
// CHECK-LABEL: func private @three
// CHECK-COUNT-3: materialize_in_destination
// CHECK-LABEL: func @overwritten
// CHECK-COUNT-2: memref.alloc
func.func private @three(%x: memref<16x16xf32>, %p: memref<16x16xf32>, %q: memref<16x16xf32>, %r: memref<16x16xf32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %t = bufferization.to_tensor %x restrict : memref<16x16xf32> to tensor<16x16xf32>
  %y = arith.addf %t, %t : tensor<16x16xf32>
  %z = arith.addf %y, %t : tensor<16x16xf32>
  %e = tensor.empty() : tensor<16x16xf32, #a>
  %f = tensor.empty() : tensor<16x16xf32, #b>
  %u = memspace.encode ins(%y : tensor<16x16xf32>) outs(%e : tensor<16x16xf32, #a>)
  %v = memspace.encode ins(%y : tensor<16x16xf32>) outs(%f : tensor<16x16xf32, #b>)
  %w = memspace.encode ins(%z : tensor<16x16xf32>) outs(%f : tensor<16x16xf32, #b>)
  bufferization.materialize_in_destination %u in writable %p : (tensor<16x16xf32, #a>, memref<16x16xf32>) -> ()
  bufferization.materialize_in_destination %v in writable %q : (tensor<16x16xf32, #b>, memref<16x16xf32>) -> ()
  bufferization.materialize_in_destination %w in writable %r : (tensor<16x16xf32, #b>, memref<16x16xf32>) -> ()
  return
}
func.func private @sum(%p: memref<16x16xf32>, %q: memref<16x16xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %t = bufferization.to_tensor %p restrict : memref<16x16xf32> to tensor<16x16xf32, #a>
  %u = bufferization.to_tensor %q restrict : memref<16x16xf32> to tensor<16x16xf32, #b>
  %x = tensor.extract %t[%c0, %c0] : tensor<16x16xf32, #a>
  %y = tensor.extract %u[%c0, %c0] : tensor<16x16xf32, #b>
  %s = arith.addf %x, %y : f32
  return %s : f32
}
func.func @overwritten(%x: memref<16x16xf32>) -> f32 {
  %p = memref.alloc() : memref<16x16xf32>
  %q = memref.alloc() : memref<16x16xf32>
  call @three(%x, %p, %q, %p) : (memref<16x16xf32>, memref<16x16xf32>, memref<16x16xf32>, memref<16x16xf32>) -> ()
  %r = call @sum(%p, %q) : (memref<16x16xf32>, memref<16x16xf32>) -> f32
  return %r : f32
}

// -----

// What it reads between the stores may be the memory that would be dropped. (The
// other one is aligned: it cannot be dropped for this one.)

#a = #memspace.tiled_layout<inner_dims_pos = [0], inner_tiles = [4], outer_dims_perm = [1, 0]>
#b = #memspace.tiled_layout<outer_dims_perm = [1, 0]>
// CHECK-LABEL: func private @reads_back
// CHECK-COUNT-3: materialize_in_destination
// CHECK-LABEL: func @read_back
// CHECK-COUNT-3: memref.alloc
func.func private @reads_back(%x: memref<16x16xf32>, %q: memref<16x16xf32>, %r: memref<16x16xf32>, %o: memref<16x16xf32>, %p: memref<16x16xf32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %t = bufferization.to_tensor %x : memref<16x16xf32> to tensor<16x16xf32>
  %e = tensor.empty() : tensor<16x16xf32, #a>
  %f = tensor.empty() : tensor<16x16xf32, #b>
  %u = memspace.encode ins(%t : tensor<16x16xf32>) outs(%e : tensor<16x16xf32, #a>)
  %v = memspace.encode ins(%t : tensor<16x16xf32>) outs(%f : tensor<16x16xf32, #b>)
  bufferization.materialize_in_destination %v in writable %q : (tensor<16x16xf32, #b>, memref<16x16xf32>) -> ()
  %w = bufferization.to_tensor %r : memref<16x16xf32> to tensor<16x16xf32, #b>
  bufferization.materialize_in_destination %w in writable %o : (tensor<16x16xf32, #b>, memref<16x16xf32>) -> ()
  bufferization.materialize_in_destination %u in writable %p : (tensor<16x16xf32, #a>, memref<16x16xf32>) -> ()
  return
}
func.func private @sum(%p: memref<16x16xf32>, %q: memref<16x16xf32>, %o: memref<16x16xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %t = bufferization.to_tensor %p restrict : memref<16x16xf32> to tensor<16x16xf32, #a>
  %u = bufferization.to_tensor %q restrict : memref<16x16xf32> to tensor<16x16xf32, #b>
  %w = bufferization.to_tensor %o restrict : memref<16x16xf32> to tensor<16x16xf32, #b>
  %x = tensor.extract %t[%c0, %c0] : tensor<16x16xf32, #a>
  %y = tensor.extract %u[%c0, %c0] : tensor<16x16xf32, #b>
  %z = tensor.extract %w[%c0, %c0] : tensor<16x16xf32, #b>
  %s = arith.addf %x, %y : f32
  %r = arith.addf %s, %z : f32
  return %r : f32
}
func.func @read_back(%x: memref<16x16xf32>) -> f32 {
  %p = memref.alloc() {alignment = 64 : i64} : memref<16x16xf32>
  %q = memref.alloc() : memref<16x16xf32>
  %o = memref.alloc() : memref<16x16xf32>
  call @reads_back(%x, %q, %q, %o, %p) : (memref<16x16xf32>, memref<16x16xf32>, memref<16x16xf32>, memref<16x16xf32>, memref<16x16xf32>) -> ()
  %r = call @sum(%p, %q, %o) : (memref<16x16xf32>, memref<16x16xf32>, memref<16x16xf32>) -> f32
  return %r : f32
}

// -----

// More traps: the source is a block's argument, which is other memory by
// another name; the copy is used on a stream, or in a task.

#lhs = #memspace.matmul_operand<lhs, types = [f32, f32, f32], sizes = [16, 16, 16]>
module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @set(%a: memref<16x16xf32>, %b: memref<16x16xf32>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
      %x = bufferization.to_tensor %a restrict : memref<16x16xf32> to tensor<16x16xf32>
      %e = tensor.empty() : tensor<16x16xf32, #lhs>
      %y = memspace.encode ins(%x : tensor<16x16xf32>) outs(%e : tensor<16x16xf32, #lhs>)
      bufferization.materialize_in_destination %y in restrict writable %b : (tensor<16x16xf32, #lhs>, memref<16x16xf32>) -> ()
      gpu.return
    }
    gpu.func @use(%b: memref<16x16xf32>, %c: memref<16x16xf32>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
      %x = bufferization.to_tensor %b restrict : memref<16x16xf32> to tensor<16x16xf32, #lhs>
      %y = arith.addf %x, %x : tensor<16x16xf32, #lhs>
      bufferization.materialize_in_destination %y in restrict writable %c : (tensor<16x16xf32, #lhs>, memref<16x16xf32>) -> ()
      gpu.return
    }
    // Its own memory is no argument of the launch.
    gpu.func @own(%b: memref<16x16xf32>) workgroup(%w: memref<16x16xf32, #gpu.address_space<workgroup>>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
      %c0 = arith.constant 0 : index
      %x = memref.load %b[%c0, %c0] : memref<16x16xf32>
      memref.store %x, %w[%c0, %c0] : memref<16x16xf32, #gpu.address_space<workgroup>>
      gpu.return
    }
  }
  // CHECK-LABEL: func.func @block_argument
  // CHECK: gpu.launch_func @kernels::@set
  func.func @block_argument(%v: f32) -> f32 {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %m = memref.alloc() : memref<16x16xf32>
    cf.br ^bb1(%m : memref<16x16xf32>)
  ^bb1(%a: memref<16x16xf32>):
    %b = memref.alloc() : memref<16x16xf32>
    gpu.launch_func @kernels::@set blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1) args(%a : memref<16x16xf32>, %b : memref<16x16xf32>)
    memref.store %v, %m[%c0, %c0] : memref<16x16xf32>
    %x = memref.load %b[%c0, %c0] : memref<16x16xf32>
    memref.dealloc %b : memref<16x16xf32>
    return %x : f32
  }
  // CHECK-LABEL: func.func @stream
  // CHECK: gpu.launch_func @kernels::@set
  // CHECK: gpu.launch_func <%{{.*}} : !llvm.ptr> @kernels::@use
  func.func @stream(%v: f32, %s: !llvm.ptr, %o : memref<16x16xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %a = memref.alloc() : memref<16x16xf32>
    %b = memref.alloc() : memref<16x16xf32>
    memref.store %v, %a[%c0, %c0] : memref<16x16xf32>
    gpu.launch_func @kernels::@set blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1) args(%a : memref<16x16xf32>, %b : memref<16x16xf32>)
    gpu.launch_func <%s : !llvm.ptr> @kernels::@use blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1) args(%b : memref<16x16xf32>, %o : memref<16x16xf32>)
    memref.store %v, %a[%c0, %c0] : memref<16x16xf32>
    return
  }
  // CHECK-LABEL: func.func @task
  // CHECK: gpu.launch_func @kernels::@set
  func.func @task(%v: f32, %o: memref<1xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %m = memref.alloc() : memref<16x16xf32>
    %b = memref.alloc() : memref<16x16xf32>
    memref.store %v, %m[%c0, %c0] : memref<16x16xf32>
    gpu.launch_func @kernels::@set blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1) args(%m : memref<16x16xf32>, %b : memref<16x16xf32>)
    omp.task {
      %x = memref.load %b[%c0, %c0] : memref<16x16xf32>
      memref.store %x, %o[%c0] : memref<1xf32>
      omp.terminator
    }
    memref.store %v, %m[%c0, %c0] : memref<16x16xf32>
    omp.taskwait
    return
  }
  // CHECK-LABEL: func.func @own_memory
  // CHECK-NOT: @set
  // CHECK: gpu.launch_func @kernels::@own
  // CHECK: gpu.launch_func @kernels::@own
  // CHECK: return
  func.func @own_memory(%m: memref<16x16xf32>) {
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %b = memref.alloc() : memref<16x16xf32>
    gpu.launch_func @kernels::@set blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1) args(%m : memref<16x16xf32>, %b : memref<16x16xf32>)
    gpu.launch_func @kernels::@own blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1) args(%b : memref<16x16xf32>)
    gpu.launch_func @kernels::@own blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1) args(%m : memref<16x16xf32>)
    memref.dealloc %b : memref<16x16xf32>
    return
  }
  // What affine.if does is done where it stands.
  // CHECK-LABEL: func.func @under_affine
  // CHECK-NOT: @set
  // CHECK: affine.if
  // CHECK-NEXT: gpu.launch_func @kernels::@use
  // CHECK: return
  func.func @under_affine(%m: memref<16x16xf32>, %n: index) {
    %o = memref.alloc() : memref<16x16xf32>
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %b = memref.alloc() : memref<16x16xf32>
    gpu.launch_func @kernels::@set blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1) args(%m : memref<16x16xf32>, %b : memref<16x16xf32>)
    affine.if affine_set<(d0) : (d0 >= 4)>(%n) {
      gpu.launch_func @kernels::@use blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1) args(%b : memref<16x16xf32>, %o : memref<16x16xf32>)
    }
    memref.dealloc %b : memref<16x16xf32>
    return
  }
}
