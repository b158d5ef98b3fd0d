// RUN: %python %S/run.py %s
// A tile of exactly 64 KiB.
// EXPECT workgroup_bytes=65536 barriers=1
// RESULT a1 = -a0.reshape(64, -1)[::-1].ravel()
func.func @tile_64k(%x: memref<16384xf32>, %out: memref<16384xf32>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %xt = bufferization.to_tensor %x restrict : memref<16384xf32> to tensor<16384xf32>
  %c63 = arith.constant 63 : index
  %te = tensor.empty() : tensor<16384xf32>
  %t = scf.forall (%i) in (64) shared_outs(%o = %te) -> (tensor<16384xf32>) {
    %k = affine.apply affine_map<(d0) -> (d0 * 256)>(%i)
    %s = tensor.extract_slice %xt[%k] [256] [1] : tensor<16384xf32> to tensor<256xf32>
    %d = tensor.extract_slice %o[%k] [256] [1] : tensor<16384xf32> to tensor<256xf32>
    %q = linalg.negf ins(%s : tensor<256xf32>) outs(%d : tensor<256xf32>) -> tensor<256xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %q into %o[%k] [256] [1] : tensor<256xf32> into tensor<16384xf32>
    }
  } {mapping = [#gpu.thread<x>]}
  %oe = tensor.empty() : tensor<16384xf32>
  %r = scf.forall (%i) in (64) shared_outs(%o = %oe) -> (tensor<16384xf32>) {
    %j = arith.subi %c63, %i : index
    %k = affine.apply affine_map<(d0) -> (d0 * 256)>(%j)
    %k2 = affine.apply affine_map<(d0) -> (d0 * 256)>(%i)
    %s = tensor.extract_slice %t[%k] [256] [1] : tensor<16384xf32> to tensor<256xf32>
    %d = tensor.extract_slice %o[%k2] [256] [1] : tensor<16384xf32> to tensor<256xf32>
    %q = linalg.copy ins(%s : tensor<256xf32>) outs(%d : tensor<256xf32>) -> tensor<256xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %q into %o[%k2] [256] [1] : tensor<256xf32> into tensor<16384xf32>
    }
  } {mapping = [#gpu.thread<x>]}
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<16384xf32>, memref<16384xf32>) -> ()

  return
}
