// What is not a legal program is not judged, and that is no success.
// RUN: not memspace-fuzz %s --chip=sm_90 | FileCheck %s
// CHECK: kernel: not judged: reads out of range
// CHECK: not judged: 1
// CHECK: kernels: 1, ok: 0, refused: 0, differences: 0, reports: 0, crashes: 0

// RUN: echo 'func.func @kernel(' | not memspace-fuzz - | FileCheck %s --check-prefix=PARSE
// PARSE: kernel: not judged: not a valid module:
func.func @kernel(%in: memref<4xf32>, %out: memref<4xf32>)
    attributes {gpu.known_block_size = array<i32: 4, 1, 1>} {
  %x = bufferization.to_tensor %in restrict : memref<4xf32> to tensor<4xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %e = tensor.empty() : tensor<4xf32>
  %r = scf.forall (%i) in (4) shared_outs(%o = %e) -> (tensor<4xf32>) {
    %next = arith.addi %i, %c1 : index
    %v = tensor.extract %x[%next] : tensor<4xf32>
    %d = tensor.extract_slice %o[%i] [1] [1] : tensor<4xf32> to tensor<1xf32>
    %s = tensor.insert %v into %d[%c0] : tensor<1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %s into %o[%i] [1] [1] : tensor<1xf32> into tensor<4xf32>
    }
  } {mapping = [#gpu.thread<x>]}
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<4xf32>, memref<4xf32>) -> ()
  return
}
