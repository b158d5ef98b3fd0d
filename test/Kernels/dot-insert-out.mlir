// RUN: %python %S/run.py %s
// A uniform sum of a shared tile is inserted into the output.
// EXPECT workgroup_bytes=256 barriers=1
// TOLERANCE 1e-4
// RESULT a1 = np.array([(a0 * a0).sum()])
func.func @dot_insert_out(%x: memref<64xf32>, %out: memref<1xf32>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %xt = bufferization.to_tensor %x restrict : memref<64xf32> to tensor<64xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zf = arith.constant 0.0 : f32
  %te = tensor.empty() : tensor<64xf32>
  %t = scf.forall (%i) in (64) shared_outs(%o = %te) -> (tensor<64xf32>) {
    %a = tensor.extract %xt[%i] : tensor<64xf32>
    %v = arith.mulf %a, %a : f32
    %se_ = tensor.from_elements %v : tensor<1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %se_ into %o[%i] [1] [1] : tensor<1xf32> into tensor<64xf32>
    }
  } {mapping = [#gpu.thread<x>]}
  %c64 = arith.constant 64 : index
  %s = scf.for %k = %c0 to %c64 step %c1 iter_args(%a = %zf) -> (f32) {
    %b = tensor.extract %t[%k] : tensor<64xf32>
    %n = arith.addf %a, %b : f32
    scf.yield %n : f32
  }
  %oe = tensor.empty() : tensor<1xf32>
  %o1 = tensor.insert %s into %oe[%c0] : tensor<1xf32>
  bufferization.materialize_in_destination %o1 in restrict writable %out : (tensor<1xf32>, memref<1xf32>) -> ()

  return
}
