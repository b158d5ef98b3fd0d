// RUN: %python %S/run.py %s
// A uniform branch on an element of the shared tile, which the branch then updates.
// EXPECT workgroup_bytes=256 barriers<=4
// RESULT a1 = (lambda f: f(f, a0, 0)[::-1])(lambda f, a, k: a if k == 4 else f(f, a + a[k] if a[k] > 1 else a, k + 1))
func.func @data_dependent_branch(%x: memref<64xi32>, %out: memref<64xi32>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %xt = bufferization.to_tensor %x restrict : memref<64xi32> to tensor<64xi32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %oi = arith.constant 1 : i32
  %c63 = arith.constant 63 : index
  %c64 = arith.constant 64 : index
  %te = tensor.empty() : tensor<64xi32>
  %t = scf.forall (%i) in (64) shared_outs(%o = %te) -> (tensor<64xi32>) {
    %v = tensor.extract %xt[%i] : tensor<64xi32>
    %se_ = tensor.from_elements %v : tensor<1xi32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %se_ into %o[%i] [1] [1] : tensor<1xi32> into tensor<64xi32>
    }
  } {mapping = [#gpu.thread<x>]}
  %f = scf.for %k = %c0 to %c4 step %c1 iter_args(%a = %t) -> (tensor<64xi32>) {
    %h = tensor.extract %a[%k] : tensor<64xi32>
    %cnd = arith.cmpi sgt, %h, %oi : i32
    %n = scf.if %cnd -> (tensor<64xi32>) {
      %u = scf.forall (%i) in (64) shared_outs(%o = %a) -> (tensor<64xi32>) {
        %w = tensor.extract %o[%i] : tensor<64xi32>
        %v = arith.addi %w, %h : i32
        %se_ = tensor.from_elements %v : tensor<1xi32>
        scf.forall.in_parallel {
          tensor.parallel_insert_slice %se_ into %o[%i] [1] [1] : tensor<1xi32> into tensor<64xi32>
        }
      } {mapping = [#gpu.thread<x>]}
      scf.yield %u : tensor<64xi32>
    } else {
      scf.yield %a : tensor<64xi32>
    }
    scf.yield %n : tensor<64xi32>
  }
  %oer = tensor.empty() : tensor<64xi32>
  %r = scf.forall (%i) in (64) shared_outs(%o = %oer) -> (tensor<64xi32>) {
    %j = arith.subi %c63, %i : index
    %v = tensor.extract %f[%j] : tensor<64xi32>
    %se_ = tensor.from_elements %v : tensor<1xi32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %se_ into %o[%i] [1] [1] : tensor<1xi32> into tensor<64xi32>
    }
  } {mapping = [#gpu.thread<x>]}
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<64xi32>, memref<64xi32>) -> ()

  return
}
