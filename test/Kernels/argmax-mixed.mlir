// RUN: %python %S/run.py %s
// Two-result argmax: the maxima stay with their thread, the indices are shared.
// EXPECT workgroup_bytes=256 barriers=1
// RESULT a1 = a0.max(1) + a0.argmax(1)[::-1]
#id = affine_map<(d0) -> (d0)>
#red = affine_map<(d0) -> ()>
func.func @argmax_mixed(%x: memref<64x8xf32>, %out: memref<64xf32>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %xt = bufferization.to_tensor %x restrict : memref<64x8xf32> to tensor<64x8xf32>
  %zi = arith.constant 0 : i32
  %c63 = arith.constant 63 : index
  %c64 = arith.constant 64 : index
  %te = tensor.empty() : tensor<64xf32>
  %ne = tensor.empty() : tensor<64xi32>
  %ninf = arith.constant 0xFF800000 : f32
  %xx = tensor.extract_slice %xt[0, 0] [64, 8] [1, 1] : tensor<64x8xf32> to tensor<64x8xf32>
  %m:2 = scf.forall (%i) in (64) shared_outs(%o = %te, %p = %ne) -> (tensor<64xf32>, tensor<64xi32>) {
    %row = tensor.extract_slice %xx[%i, 0] [1, 8] [1, 1] : tensor<64x8xf32> to tensor<8xf32>
    %d1 = tensor.extract_slice %o[%i] [1] [1] : tensor<64xf32> to tensor<f32>
    %d2 = tensor.extract_slice %p[%i] [1] [1] : tensor<64xi32> to tensor<i32>
    %f1 = linalg.fill ins(%ninf : f32) outs(%d1 : tensor<f32>) -> tensor<f32>
    %f2 = linalg.fill ins(%zi : i32) outs(%d2 : tensor<i32>) -> tensor<i32>
    %am:2 = linalg.generic {indexing_maps = [#id, #red, #red], iterator_types = ["reduction"]} ins(%row : tensor<8xf32>) outs(%f1, %f2 : tensor<f32>, tensor<i32>) {
      ^bb0(%a: f32, %u: f32, %w: i32):
      %k = linalg.index 0 : index
      %ki = arith.index_cast %k : index to i32
      %g = arith.cmpf ogt, %a, %u : f32
      %s1 = arith.select %g, %a, %u : f32
      %s2 = arith.select %g, %ki, %w : i32
      linalg.yield %s1, %s2 : f32, i32
    } -> (tensor<f32>, tensor<i32>)
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %am#0 into %o[%i] [1] [1] : tensor<f32> into tensor<64xf32>
      tensor.parallel_insert_slice %am#1 into %p[%i] [1] [1] : tensor<i32> into tensor<64xi32>
    }
  } {mapping = [#gpu.thread<x>]}
  %oe = tensor.empty() : tensor<64xf32>
  %r = scf.forall (%i) in (64) shared_outs(%o = %oe) -> (tensor<64xf32>) {
    %j = arith.subi %c63, %i : index
    %q = tensor.extract %m#1[%j] : tensor<64xi32>
    %qf = arith.sitofp %q : i32 to f32
    %mx = tensor.extract %m#0[%i] : tensor<64xf32>
    %v = arith.addf %mx, %qf : f32
    %se_ = tensor.from_elements %v : tensor<1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %se_ into %o[%i] [1] [1] : tensor<1xf32> into tensor<64xf32>
    }
  } {mapping = [#gpu.thread<x>]}
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<64xf32>, memref<64xf32>) -> ()

  return
}
