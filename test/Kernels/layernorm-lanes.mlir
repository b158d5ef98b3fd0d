// RUN: %python %S/run.py %s
// Layer normalization whose sums the lanes share.
// EXPECT workgroup_bytes<=512 barriers<=2
// OPTIONS reassociate=true contract=true
// TOLERANCE 1e-4
// RESULT a3 = (a0 - a0.mean(1, keepdims=True)) / np.sqrt(a0.var(1, keepdims=True) + 1e-5) * a1 + a2
#id = affine_map<(d0) -> (d0)>
#red = affine_map<(d0) -> ()>
#m8 = affine_map<(d0) -> (d0 * 8)>
func.func @layernorm_lanes(%x: memref<4x512xf32>, %g: memref<512xf32>, %bb: memref<512xf32>, %out: memref<4x512xf32>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>, gpu.known_grid_size = array<i32: 4, 1, 1>} {
  %xt = bufferization.to_tensor %x restrict : memref<4x512xf32> to tensor<4x512xf32>
  %gt = bufferization.to_tensor %g restrict : memref<512xf32> to tensor<512xf32>
  %bbt = bufferization.to_tensor %bb restrict : memref<512xf32> to tensor<512xf32>
  %zf = arith.constant 0.0 : f32
  %n = arith.constant 512.0 : f32
  %eps = arith.constant 1.0e-5 : f32
  %oe = tensor.empty() : tensor<4x512xf32>
  %r = scf.forall (%b) in (4) shared_outs(%ob = %oe) -> (tensor<4x512xf32>) {
    %row = tensor.extract_slice %xt[%b, 0] [1, 512] [1, 1] : tensor<4x512xf32> to tensor<512xf32>
    %pe = tensor.empty() : tensor<64xf32>
    %ps = scf.forall (%i) in (64) shared_outs(%o = %pe) -> (tensor<64xf32>) {
      %k = affine.apply #m8(%i)
      %xs = tensor.extract_slice %row[%k] [8] [1] : tensor<512xf32> to tensor<8xf32>
      %d = tensor.extract_slice %o[%i] [1] [1] : tensor<64xf32> to tensor<f32>
      %d0 = linalg.fill ins(%zf : f32) outs(%d : tensor<f32>) -> tensor<f32>
      %s = linalg.generic {indexing_maps = [#id, #red], iterator_types = ["reduction"]} ins(%xs : tensor<8xf32>) outs(%d0 : tensor<f32>) {
        ^bb0(%a_: f32, %b_: f32):

        %r_ = arith.addf %a_, %b_ : f32
        linalg.yield %r_ : f32
      } -> tensor<f32>

      scf.forall.in_parallel {
        tensor.parallel_insert_slice %s into %o[%i] [1] [1] : tensor<f32> into tensor<64xf32>
      }
    } {mapping = [#gpu.thread<x>]}
    %qe = tensor.empty() : tensor<64xf32>
    %qs = scf.forall (%i) in (64) shared_outs(%o = %qe) -> (tensor<64xf32>) {
      %k = affine.apply #m8(%i)
      %xs = tensor.extract_slice %row[%k] [8] [1] : tensor<512xf32> to tensor<8xf32>
      %d = tensor.extract_slice %o[%i] [1] [1] : tensor<64xf32> to tensor<f32>
      %d0 = linalg.fill ins(%zf : f32) outs(%d : tensor<f32>) -> tensor<f32>
      %s = linalg.generic {indexing_maps = [#id, #red], iterator_types = ["reduction"]} ins(%xs : tensor<8xf32>) outs(%d0 : tensor<f32>) {
        ^bb0(%a_: f32, %b_: f32):
        %p_ = arith.mulf %a_, %a_ : f32
        %r_ = arith.addf %p_, %b_ : f32
        linalg.yield %r_ : f32
      } -> tensor<f32>

      scf.forall.in_parallel {
        tensor.parallel_insert_slice %s into %o[%i] [1] [1] : tensor<f32> into tensor<64xf32>
      }
    } {mapping = [#gpu.thread<x>]}
    %sue = tensor.empty() : tensor<f32>
    %su0 = linalg.fill ins(%zf : f32) outs(%sue : tensor<f32>) -> tensor<f32>
    %su1 = linalg.generic {indexing_maps = [#id, #red], iterator_types = ["reduction"]} ins(%ps : tensor<64xf32>) outs(%su0 : tensor<f32>) {
      ^bb0(%a_: f32, %b_: f32):

      %r_ = arith.addf %a_, %b_ : f32
      linalg.yield %r_ : f32
    } -> tensor<f32>
    %su = tensor.extract %su1[] : tensor<f32>
    %sqe = tensor.empty() : tensor<f32>
    %sq0 = linalg.fill ins(%zf : f32) outs(%sqe : tensor<f32>) -> tensor<f32>
    %sq1 = linalg.generic {indexing_maps = [#id, #red], iterator_types = ["reduction"]} ins(%qs : tensor<64xf32>) outs(%sq0 : tensor<f32>) {
      ^bb0(%a_: f32, %b_: f32):

      %r_ = arith.addf %a_, %b_ : f32
      linalg.yield %r_ : f32
    } -> tensor<f32>
    %sq = tensor.extract %sq1[] : tensor<f32>
    %mean = arith.divf %su, %n : f32
    %ex2 = arith.divf %sq, %n : f32
    %mm = arith.mulf %mean, %mean : f32
    %var = arith.subf %ex2, %mm : f32
    %ve = arith.addf %var, %eps : f32
    %inv = math.rsqrt %ve : f32
    %orow = tensor.extract_slice %ob[%b, 0] [1, 512] [1, 1] : tensor<4x512xf32> to tensor<512xf32>
    %y = scf.forall (%i) in (64) shared_outs(%o = %orow) -> (tensor<512xf32>) {
      %k = affine.apply #m8(%i)
      %xs = tensor.extract_slice %row[%k] [8] [1] : tensor<512xf32> to tensor<8xf32>
      %gs = tensor.extract_slice %gt[%k] [8] [1] : tensor<512xf32> to tensor<8xf32>
      %bs = tensor.extract_slice %bbt[%k] [8] [1] : tensor<512xf32> to tensor<8xf32>
      %d = tensor.extract_slice %o[%k] [8] [1] : tensor<512xf32> to tensor<8xf32>
      %s = linalg.generic {indexing_maps = [#id, #id, #id, #id], iterator_types = ["parallel"]} ins(%xs, %gs, %bs : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) outs(%d : tensor<8xf32>) {
        ^bb0(%a: f32, %g0: f32, %b0: f32, %u: f32):
        %0 = arith.subf %a, %mean : f32
        %1 = arith.mulf %0, %inv : f32
        %2 = arith.mulf %1, %g0 : f32
        %3 = arith.addf %2, %b0 : f32
        linalg.yield %3 : f32
      } -> tensor<8xf32>
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %s into %o[%k] [8] [1] : tensor<8xf32> into tensor<512xf32>
      }
    } {mapping = [#gpu.thread<x>]}

    scf.forall.in_parallel {
      tensor.parallel_insert_slice %y into %ob[%b, 0] [1, 512] [1, 1] : tensor<512xf32> into tensor<4x512xf32>
    }
  } {mapping = [#gpu.block<x>]}
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<4x512xf32>, memref<4x512xf32>) -> ()

  return
}
