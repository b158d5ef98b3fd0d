// RUN: %python %S/run.py %s
// Padding a row inside a thread.
// EXPECT workgroup_bytes=0 barriers=0
// RESULT a1 = a0[:, 3]
func.func @pad_in_thread(%x: memref<32x5xf32>, %out: memref<32xf32>)
    attributes {gpu.known_block_size = array<i32: 32, 1, 1>} {
  %xt = bufferization.to_tensor %x restrict : memref<32x5xf32> to tensor<32x5xf32>
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %of = arith.constant 1.0 : f32
  %oe = tensor.empty() : tensor<32xf32>
  %r = scf.forall (%i) in (32) shared_outs(%o = %oe) -> (tensor<32xf32>) {
    %row = tensor.extract_slice %xt[%i, 0] [1, 5] [1, 1] : tensor<32x5xf32> to tensor<5xf32>
    %pad = tensor.pad %row low[1] high[2] {
      ^bb0(%p: index):
      tensor.yield %of : f32
    } : tensor<5xf32> to tensor<8xf32>
    %e = tensor.extract %pad[%c0] : tensor<8xf32>
    %g = tensor.extract %pad[%c4] : tensor<8xf32>
    %v = arith.mulf %e, %g : f32
    %se_ = tensor.from_elements %v : tensor<1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %se_ into %o[%i] [1] [1] : tensor<1xf32> into tensor<32xf32>
    }
  } {mapping = [#gpu.thread<x>]}
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<32xf32>, memref<32xf32>) -> ()

  return
}
