// RUN: %python %S/run.py %s
// Four elements per thread written as a slice, read one by one in a loop by the same thread: private (0 bytes) is best.
// EXPECT workgroup_bytes<=1024 barriers=0
// TOLERANCE 1e-4
// RESULT a1 = np.exp(a0).reshape(64, 4).sum(1)
func.func @aligned_loop_read(%x: memref<256xf32>, %out: memref<64xf32>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %xt = bufferization.to_tensor %x restrict : memref<256xf32> to tensor<256xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %zf = arith.constant 0.0 : f32
  %te = tensor.empty() : tensor<256xf32>
  %t = scf.forall (%i) in (64) shared_outs(%o = %te) -> (tensor<256xf32>) {
    %k = affine.apply affine_map<(d0) -> (d0 * 4)>(%i)
    %s = tensor.extract_slice %xt[%k] [4] [1] : tensor<256xf32> to tensor<4xf32>
    %d = tensor.extract_slice %o[%k] [4] [1] : tensor<256xf32> to tensor<4xf32>
    %q = linalg.exp ins(%s : tensor<4xf32>) outs(%d : tensor<4xf32>) -> tensor<4xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %q into %o[%k] [4] [1] : tensor<4xf32> into tensor<256xf32>
    }
  } {mapping = [#gpu.thread<x>]}
  %oe = tensor.empty() : tensor<64xf32>
  %r = scf.forall (%i) in (64) shared_outs(%o = %oe) -> (tensor<64xf32>) {
    %i4 = arith.muli %i, %c4 : index
    %v = scf.for %k = %c0 to %c4 step %c1 iter_args(%a = %zf) -> (f32) {
      %p = arith.addi %i4, %k : index
      %q = tensor.extract %t[%p] : tensor<256xf32>
      %n = arith.addf %a, %q : f32
      scf.yield %n : f32
    }
    %se_ = tensor.from_elements %v : tensor<1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %se_ into %o[%i] [1] [1] : tensor<1xf32> into tensor<64xf32>
    }
  } {mapping = [#gpu.thread<x>]}
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<64xf32>, memref<64xf32>) -> ()

  return
}
