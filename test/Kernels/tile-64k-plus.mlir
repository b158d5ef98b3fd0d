// RUN: %python %S/run.py %s
// A tile of 64 KiB and 256 bytes.
// EXPECT gfx942: refused "65792|65536|bytes"
// EXPECT sm_90: workgroup_bytes=65792 barriers=1 or refused "bytes|limit"
// RESULT a1 = -a0.reshape(64, -1)[::-1].ravel()
func.func @tile_64k_plus(%x: memref<16448xf32>, %out: memref<16448xf32>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %xt = bufferization.to_tensor %x restrict : memref<16448xf32> to tensor<16448xf32>
  %c63 = arith.constant 63 : index
  %te = tensor.empty() : tensor<16448xf32>
  %t = scf.forall (%i) in (64) shared_outs(%o = %te) -> (tensor<16448xf32>) {
    %k = affine.apply affine_map<(d0) -> (d0 * 257)>(%i)
    %s = tensor.extract_slice %xt[%k] [257] [1] : tensor<16448xf32> to tensor<257xf32>
    %d = tensor.extract_slice %o[%k] [257] [1] : tensor<16448xf32> to tensor<257xf32>
    %q = linalg.negf ins(%s : tensor<257xf32>) outs(%d : tensor<257xf32>) -> tensor<257xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %q into %o[%k] [257] [1] : tensor<257xf32> into tensor<16448xf32>
    }
  } {mapping = [#gpu.thread<x>]}
  %oe = tensor.empty() : tensor<16448xf32>
  %r = scf.forall (%i) in (64) shared_outs(%o = %oe) -> (tensor<16448xf32>) {
    %j = arith.subi %c63, %i : index
    %k = affine.apply affine_map<(d0) -> (d0 * 257)>(%j)
    %k2 = affine.apply affine_map<(d0) -> (d0 * 257)>(%i)
    %s = tensor.extract_slice %t[%k] [257] [1] : tensor<16448xf32> to tensor<257xf32>
    %d = tensor.extract_slice %o[%k2] [257] [1] : tensor<16448xf32> to tensor<257xf32>
    %q = linalg.copy ins(%s : tensor<257xf32>) outs(%d : tensor<257xf32>) -> tensor<257xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %q into %o[%k2] [257] [1] : tensor<257xf32> into tensor<16448xf32>
    }
  } {mapping = [#gpu.thread<x>]}
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<16448xf32>, memref<16448xf32>) -> ()

  return
}
