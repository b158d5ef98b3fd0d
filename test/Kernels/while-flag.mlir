// RUN: %python %S/run.py %s
// As while-converge; thread 0 alone computes the flag, all threads read it.
// EXPECT workgroup_bytes<=260 barriers<=3
// RESULT a1 = (lambda f: f(f, a0))(lambda f, a: f(f, a * np.float32(0.5)) if np.abs(a).max() > 0.01 else a)
#id = affine_map<(d0) -> (d0)>
#red = affine_map<(d0) -> ()>
func.func @while_flag(%x: memref<64xf32>, %out: memref<64xf32>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %xt = bufferization.to_tensor %x restrict : memref<64xf32> to tensor<64xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zf = arith.constant 0.0 : f32
  %zi = arith.constant 0 : i32
  %c64 = arith.constant 64 : index
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
    %fe = tensor.empty() : tensor<1xi32>
    %fl = scf.forall (%i) in (1) shared_outs(%o = %fe) -> (tensor<1xi32>) {
      %w = scf.for %k = %c0 to %c64 step %c1 iter_args(%s = %zf) -> (f32) {
        %q = tensor.extract %a[%k] : tensor<64xf32>
        %qa = math.absf %q : f32
        %qm = arith.maximumf %qa, %s : f32
        scf.yield %qm : f32
      }
      %cc = arith.cmpf ogt, %w, %tol : f32
      %v = arith.extui %cc : i1 to i32
      %se_ = tensor.from_elements %v : tensor<1xi32>
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %se_ into %o[%i] [1] [1] : tensor<1xi32> into tensor<1xi32>
      }
    } {mapping = [#gpu.thread<x>]}
    %m = tensor.extract %fl[%c0] : tensor<1xi32>
    %go = arith.cmpi ne, %m, %zi : i32
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
