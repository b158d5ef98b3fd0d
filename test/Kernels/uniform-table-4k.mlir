// RUN: %python %S/run.py %s
// A uniform sine table of 4096 bytes, read at data-dependent places.
// EXPECT workgroup_bytes<=4096 barriers<=1
// INPUT a0 = np.random.default_rng(3).integers(0, 1024, 64)
// RESULT a1 = np.sin(a0 * np.float32(0.01))
#id = affine_map<(d0) -> (d0)>
#red = affine_map<(d0) -> ()>
func.func @uniform_table_4k(%idx: memref<64xi32>, %out: memref<64xf32>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %idxt = bufferization.to_tensor %idx restrict : memref<64xi32> to tensor<64xi32>
  %te = tensor.empty() : tensor<1024xf32>
  %sc = arith.constant 0.01 : f32
  %t = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel"]} outs(%te : tensor<1024xf32>) {
    ^bb0(%u: f32):
    %k = linalg.index 0 : index
    %ki = arith.index_cast %k : index to i32
    %kf = arith.sitofp %ki : i32 to f32
    %kg = arith.mulf %kf, %sc : f32
    %s = math.sin %kg : f32
    linalg.yield %s : f32
  } -> tensor<1024xf32>
  %oe = tensor.empty() : tensor<64xf32>
  %r = scf.forall (%i) in (64) shared_outs(%o = %oe) -> (tensor<64xf32>) {
    %j32 = tensor.extract %idxt[%i] : tensor<64xi32>
    %j = arith.index_cast %j32 : i32 to index
    %v = tensor.extract %t[%j] : tensor<1024xf32>
    %se_ = tensor.from_elements %v : tensor<1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %se_ into %o[%i] [1] [1] : tensor<1xf32> into tensor<64xf32>
    }
  } {mapping = [#gpu.thread<x>]}
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<64xf32>, memref<64xf32>) -> ()

  return
}
