// A loop that one thread executes as a whole, with another in it of which there
// would be something to guard, too: there is one guard, around both.
// RUN: memspace-opt %s -memspace-kernel-pipeline=chip=gfx942 | FileCheck %s

// CHECK-LABEL: func.func @nested_while
// CHECK: scf.if
// CHECK-NEXT: scf.for
// CHECK-NOT: scf.if
// CHECK: scf.while
// CHECK-NOT: scf.if
// CHECK: return
func.func @nested_while(%in: memref<4xf32>, %n: index, %out: memref<4xf32>) attributes {
    gpu.kernel, gpu.known_block_size = array<i32: 4, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %zero = arith.constant 0.0 : f32
  %x = bufferization.to_tensor %in restrict : memref<4xf32> to tensor<4xf32>
  %e = tensor.empty() : tensor<4xf32>
  %shared = scf.forall (%t) in (4) shared_outs(%o = %e) -> (tensor<4xf32>) {
    %s = tensor.extract_slice %x[%t] [1] [1] : tensor<4xf32> to tensor<1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %s into %o[%t] [1] [1] : tensor<1xf32> into tensor<4xf32>
    }
  } {mapping = [#gpu.thread<x>]}
  %r = scf.for %i = %c0 to %c3 step %c1 iter_args(%a = %shared) -> (tensor<4xf32>) {
    %b = tensor.insert %zero into %a[%i] : tensor<4xf32>
    %w:2 = scf.while (%k = %c0, %c = %b) : (index, tensor<4xf32>) -> (index, tensor<4xf32>) {
      %more = arith.cmpi ult, %k, %n : index
      scf.condition(%more) %k, %c : index, tensor<4xf32>
    } do {
    ^bb0(%k: index, %c: tensor<4xf32>):
      %d = tensor.insert %zero into %c[%c2] : tensor<4xf32>
      %next = arith.addi %k, %c1 : index
      scf.yield %next, %d : index, tensor<4xf32>
    }
    scf.yield %w#1 : tensor<4xf32>
  }
  %y = bufferization.to_tensor %out restrict writable : memref<4xf32> to tensor<4xf32>
  %z = scf.forall (%t) in (4) shared_outs(%o = %y) -> (tensor<4xf32>) {
    %back = arith.subi %c3, %t : index
    %s = tensor.extract_slice %r[%back] [1] [1] : tensor<4xf32> to tensor<1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %s into %o[%t] [1] [1] : tensor<1xf32> into tensor<4xf32>
    }
  } {mapping = [#gpu.thread<x>]}
  bufferization.materialize_in_destination %z in restrict writable %out : (tensor<4xf32>, memref<4xf32>) -> ()
  return
}
