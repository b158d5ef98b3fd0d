// RUN: %python %S/run.py %s
// Halve a tile until its maximum is small: every thread reads the whole tile in the condition.
// EXPECT workgroup_bytes<=256 barriers<=2
// RESULT a1 = (lambda f: f(f, a0))(lambda f, a: f(f, a * np.float32(0.5)) if np.abs(a).max() > 0.01 else a)
#id = affine_map<(d0) -> (d0)>
#red = affine_map<(d0) -> ()>
func.func @while_converge(%x: memref<64xf32>, %out: memref<64xf32>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %xt = bufferization.to_tensor %x restrict : memref<64xf32> to tensor<64xf32>
  %zf = arith.constant 0.0 : f32
  %c63 = arith.constant 63 : index
  %tol = arith.constant 0.01 : f32
  %half = arith.constant 0.5 : f32
  %e0 = tensor.empty() : tensor<64xf32>
  %t0 = scf.forall (%i) in (64) shared_outs(%o = %e0) -> (tensor<64xf32>) {
    %v = tensor.extract %xt[%i] : tensor<64xf32>
    %se_ = tensor.from_elements %v : tensor<1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %se_ into %o[%i] [1] [1] : tensor<1xf32> into tensor<64xf32>
    }
  } {mapping = [#gpu.thread<x>]}
  %f = scf.while (%a = %t0) : (tensor<64xf32>) -> tensor<64xf32> {
    %me = tensor.empty() : tensor<f32>
    %m0 = linalg.fill ins(%zf : f32) outs(%me : tensor<f32>) -> tensor<f32>
    %m1 = linalg.generic {indexing_maps = [#id, #red], iterator_types = ["reduction"]} ins(%a : tensor<64xf32>) outs(%m0 : tensor<f32>) {
      ^bb0(%x0: f32, %y0: f32):
      %z0 = math.absf %x0 : f32
      %w0 = arith.maximumf %z0, %y0 : f32
      linalg.yield %w0 : f32
    } -> tensor<f32>
    %m = tensor.extract %m1[] : tensor<f32>
    %go = arith.cmpf ogt, %m, %tol : f32
    scf.condition(%go) %a : tensor<64xf32>
  } do {
    ^bb0(%a: tensor<64xf32>):
    %n = scf.forall (%i) in (64) shared_outs(%o = %a) -> (tensor<64xf32>) {
      %u = tensor.extract %o[%i] : tensor<64xf32>
      %v = arith.mulf %u, %half : f32
      %se_ = tensor.from_elements %v : tensor<1xf32>
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %se_ into %o[%i] [1] [1] : tensor<1xf32> into tensor<64xf32>
      }
    } {mapping = [#gpu.thread<x>]}
    scf.yield %n : tensor<64xf32>
  }
  bufferization.materialize_in_destination %f in restrict writable %out : (tensor<64xf32>, memref<64xf32>) -> ()

  return
}
