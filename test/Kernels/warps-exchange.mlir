// RUN: %python %S/run.py %s
// Each warp lets two tiles of its own change places, and chooses one of them in
// the end: what it waits for are its lanes.
// EXPECT barriers=0 subgroup_barriers<=4 executed=0
// INPUT a2 = np.array([1], np.int8).astype(bool)
// RESULT a1 = __import__("functools").reduce(lambda s, _: (s[0] + np.roll(s[0], -1, 1), s[0]), range(3), (a0, a0))[0][:, ::-1]
func.func @warps_exchange(%x: memref<4x32xi32>, %out: memref<4x32xi32>, %c: memref<1xi1>)
    attributes {gpu.known_block_size = array<i32: 256, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %xt = bufferization.to_tensor %x restrict : memref<4x32xi32> to tensor<4x32xi32>
  %ct = bufferization.to_tensor %c restrict : memref<1xi1> to tensor<1xi1>
  %first = tensor.extract %ct[%c0] : tensor<1xi1>
  %e = tensor.empty() : tensor<4x32xi32>
  %r = scf.forall (%w) in (4) shared_outs(%o = %e) -> (tensor<4x32xi32>) {
    %e0 = tensor.empty() : tensor<32xi32>
    %t = scf.forall (%l) in (32) shared_outs(%p = %e0) -> (tensor<32xi32>) {
      %s = tensor.extract_slice %xt[%w, %l] [1, 1] [1, 1] : tensor<4x32xi32> to tensor<1xi32>
      %d = tensor.extract_slice %p[%l] [1] [1] : tensor<32xi32> to tensor<1xi32>
      %v = linalg.copy ins(%s : tensor<1xi32>) outs(%d : tensor<1xi32>) -> tensor<1xi32>
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %v into %p[%l] [1] [1] : tensor<1xi32> into tensor<32xi32>
      }
    } {mapping = [#gpu.lane<linear_dim_0>]}
    %e1 = tensor.empty() : tensor<32xi32>
    %u:2 = scf.for %k = %c0 to %c3 step %c1 iter_args(%a = %t, %b = %e1) -> (tensor<32xi32>, tensor<32xi32>) {
      %n = scf.forall (%l) in (32) shared_outs(%p = %b) -> (tensor<32xi32>) {
        %q = affine.apply affine_map<(d0) -> ((d0 + 1) mod 32)>(%l)
        %f = tensor.extract %a[%q] : tensor<32xi32>
        %g = tensor.extract %a[%l] : tensor<32xi32>
        %h = arith.addi %f, %g : i32
        %d = tensor.extract_slice %p[%l] [1] [1] : tensor<32xi32> to tensor<1xi32>
        %v = linalg.fill ins(%h : i32) outs(%d : tensor<1xi32>) -> tensor<1xi32>
        scf.forall.in_parallel {
          tensor.parallel_insert_slice %v into %p[%l] [1] [1] : tensor<1xi32> into tensor<32xi32>
        }
      } {mapping = [#gpu.lane<linear_dim_0>]}
      scf.yield %n, %a : tensor<32xi32>, tensor<32xi32>
    }
    %chosen = arith.select %first, %u#0, %u#1 : tensor<32xi32>
    %dest = tensor.extract_slice %o[%w, 0] [1, 32] [1, 1] : tensor<4x32xi32> to tensor<32xi32>
    %m = scf.forall (%l) in (32) shared_outs(%p = %dest) -> (tensor<32xi32>) {
      %q = affine.apply affine_map<(d0) -> (31 - d0)>(%l)
      %s = tensor.extract_slice %chosen[%q] [1] [1] : tensor<32xi32> to tensor<1xi32>
      %d = tensor.extract_slice %p[%l] [1] [1] : tensor<32xi32> to tensor<1xi32>
      %v = linalg.copy ins(%s : tensor<1xi32>) outs(%d : tensor<1xi32>) -> tensor<1xi32>
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %v into %p[%l] [1] [1] : tensor<1xi32> into tensor<32xi32>
      }
    } {mapping = [#gpu.lane<linear_dim_0>]}
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %m into %o[%w, 0] [1, 32] [1, 1] : tensor<32xi32> into tensor<4x32xi32>
    }
  } {mapping = [#gpu.warp<linear_dim_0>]}
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<4x32xi32>, memref<4x32xi32>) -> ()
  return
}
