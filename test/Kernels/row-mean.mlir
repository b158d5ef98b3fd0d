// RUN: %python %S/run.py %s
// out = x - mean(x) for each row: partial sums by 56 threads, the mean by
// uniform code in each thread. The partial sums are shared (224 bytes).
// EXPECT workgroup_bytes=224 barriers<=1
// TOLERANCE 1e-4
// RESULT a1 = a0 - a0.mean(1, keepdims=True)
#id = affine_map<(d0) -> (d0)>
#red = affine_map<(d0) -> ()>
#m6 = affine_map<(d0) -> (d0 * 6)>
func.func @row_mean(%x: memref<3x336xf32>, %out: memref<3x336xf32>)
    attributes {gpu.known_block_size = array<i32: 56, 1, 1>, gpu.known_grid_size = array<i32: 3, 1, 1>} {
  %xt = bufferization.to_tensor %x restrict : memref<3x336xf32> to tensor<3x336xf32>
  %zero = arith.constant 0.0 : f32
  %n = arith.constant 336.0 : f32
  %oe = tensor.empty() : tensor<3x336xf32>
  %r = scf.forall (%b) in (3) shared_outs(%ob = %oe) -> (tensor<3x336xf32>) {
    %row = tensor.extract_slice %xt[%b, 0] [1, 336] [1, 1] : tensor<3x336xf32> to tensor<336xf32>
    %pe = tensor.empty() : tensor<56xf32>
    %ps = scf.forall (%i) in (56) shared_outs(%o = %pe) -> (tensor<56xf32>) {
      %k = affine.apply #m6(%i)
      %xs = tensor.extract_slice %row[%k] [6] [1] : tensor<336xf32> to tensor<6xf32>
      %d = tensor.extract_slice %o[%i] [1] [1] : tensor<56xf32> to tensor<f32>
      %d0 = linalg.fill ins(%zero : f32) outs(%d : tensor<f32>) -> tensor<f32>
      %s = linalg.generic {indexing_maps = [#id, #red], iterator_types = ["reduction"]} ins(%xs : tensor<6xf32>) outs(%d0 : tensor<f32>) {
      ^bb0(%a: f32, %c: f32):
        %0 = arith.addf %a, %c : f32
        linalg.yield %0 : f32
      } -> tensor<f32>
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %s into %o[%i] [1] [1] : tensor<f32> into tensor<56xf32>
      }
    } {mapping = [#gpu.thread<x>]}
    %se = tensor.empty() : tensor<f32>
    %s0 = linalg.fill ins(%zero : f32) outs(%se : tensor<f32>) -> tensor<f32>
    %sum = linalg.generic {indexing_maps = [#id, #red], iterator_types = ["reduction"]} ins(%ps : tensor<56xf32>) outs(%s0 : tensor<f32>) {
    ^bb0(%a: f32, %c: f32):
      %0 = arith.addf %a, %c : f32
      linalg.yield %0 : f32
    } -> tensor<f32>
    %total = tensor.extract %sum[] : tensor<f32>
    %mean = arith.divf %total, %n : f32
    %orow = tensor.extract_slice %ob[%b, 0] [1, 336] [1, 1] : tensor<3x336xf32> to tensor<336xf32>
    %y = scf.forall (%i) in (56) shared_outs(%o = %orow) -> (tensor<336xf32>) {
      %k = affine.apply #m6(%i)
      %xs = tensor.extract_slice %row[%k] [6] [1] : tensor<336xf32> to tensor<6xf32>
      %d = tensor.extract_slice %o[%k] [6] [1] : tensor<336xf32> to tensor<6xf32>
      %s = linalg.map ins(%xs : tensor<6xf32>) outs(%d : tensor<6xf32>)
        (%a: f32, %init: f32) {
          %0 = arith.subf %a, %mean : f32
          linalg.yield %0 : f32
        }
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %s into %o[%k] [6] [1] : tensor<6xf32> into tensor<336xf32>
      }
    } {mapping = [#gpu.thread<x>]}
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %y into %ob[%b, 0] [1, 336] [1, 1] : tensor<336xf32> into tensor<3x336xf32>
    }
  } {mapping = [#gpu.block<x>]}
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<3x336xf32>, memref<3x336xf32>) -> ()
  return
}
