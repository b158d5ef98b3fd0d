// RUN: %python %S/run.py %s
// A partial tile goes through a loop and a branch, and keeps its bound: what is
// copied of it has one.
// EXPECT workgroup_bytes<=512 executed<=10
// DIM 50
// GRID (2, 1, 1)
// INPUT a2 = np.array([1], np.int8).astype(bool)
// RESULT a1 = np.concatenate([(lambda f, t: f(f(f(t))))(lambda t: t + t[::-1], a0[b * 32:(b + 1) * 32]) for b in range(2)])
func.func @bounded_through_loop(%x: memref<?xi32>, %out: memref<?xi32>, %c: memref<1xi1>)
    attributes {gpu.known_block_size = array<i32: 32, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %xt = bufferization.to_tensor %x restrict : memref<?xi32> to tensor<?xi32>
  %ct = bufferization.to_tensor %c restrict : memref<1xi1> to tensor<1xi1>
  %again = tensor.extract %ct[%c0] : tensor<1xi1>
  %n = tensor.dim %xt, %c0 : tensor<?xi32>
  %blocks = affine.apply affine_map<(d0) -> (d0 ceildiv 32)>(%n)
  %all = tensor.empty(%n) : tensor<?xi32>
  %r = scf.forall (%b) in (%blocks) shared_outs(%o = %all) -> (tensor<?xi32>) {
    %first = affine.apply affine_map<(d0) -> (d0 * 32)>(%b)
    %size = affine.min affine_map<(d0)[s0] -> (32, s0 - d0 * 32)>(%b)[%n]
    %part = tensor.extract_slice %xt[%first] [%size] [1] : tensor<?xi32> to tensor<?xi32>
    %e = tensor.empty(%size) : tensor<?xi32>
    %t = linalg.copy ins(%part : tensor<?xi32>) outs(%e : tensor<?xi32>) -> tensor<?xi32>
    %l = scf.for %k = %c0 to %c2 step %c1 iter_args(%a = %t) -> (tensor<?xi32>) {
      %u = scf.forall (%i) in (%size) shared_outs(%p = %a) -> (tensor<?xi32>) {
        %j = affine.apply affine_map<(d0)[s0] -> (s0 - 1 - d0)>(%i)[%size]
        %v = tensor.extract %a[%j] : tensor<?xi32>
        %w = tensor.extract %a[%i] : tensor<?xi32>
        %s = arith.addi %v, %w : i32
        %d = tensor.extract_slice %p[%i] [1] [1] : tensor<?xi32> to tensor<1xi32>
        %f = linalg.fill ins(%s : i32) outs(%d : tensor<1xi32>) -> tensor<1xi32>
        scf.forall.in_parallel {
          tensor.parallel_insert_slice %f into %p[%i] [1] [1] : tensor<1xi32> into tensor<?xi32>
        }
      } {mapping = [#gpu.thread<x>]}
      scf.yield %u : tensor<?xi32>
    }
    %m = scf.if %again -> (tensor<?xi32>) {
      %u = scf.forall (%i) in (%size) shared_outs(%p = %l) -> (tensor<?xi32>) {
        %j = affine.apply affine_map<(d0)[s0] -> (s0 - 1 - d0)>(%i)[%size]
        %v = tensor.extract %l[%j] : tensor<?xi32>
        %w = tensor.extract %l[%i] : tensor<?xi32>
        %s = arith.addi %v, %w : i32
        %d = tensor.extract_slice %p[%i] [1] [1] : tensor<?xi32> to tensor<1xi32>
        %f = linalg.fill ins(%s : i32) outs(%d : tensor<1xi32>) -> tensor<1xi32>
        scf.forall.in_parallel {
          tensor.parallel_insert_slice %f into %p[%i] [1] [1] : tensor<1xi32> into tensor<?xi32>
        }
      } {mapping = [#gpu.thread<x>]}
      scf.yield %u : tensor<?xi32>
    } else {
      scf.yield %l : tensor<?xi32>
    }
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %m into %o[%first] [%size] [1] : tensor<?xi32> into tensor<?xi32>
    }
  } {mapping = [#gpu.block<x>]}
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<?xi32>, memref<?xi32>) -> ()
  return
}
