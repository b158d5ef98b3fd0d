// RUN: %python %S/run.py %s
// Two pairs of swapping tiles of different types.
// EXPECT workgroup_bytes=768 barriers<=2
// RESULT a1 = (a0[:4] * np.tile(a0[:4, :32], (1, 2)))[:, ::-1].sum(0)
func.func @db_two_types(%x: memref<5x64xi32>, %out: memref<64xi32>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %xt = bufferization.to_tensor %x restrict : memref<5x64xi32> to tensor<5x64xi32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %zi = arith.constant 0 : i32
  %c63 = arith.constant 63 : index
  %c64 = arith.constant 64 : index
  %c15 = arith.constant 15 : index
  %c4_ = arith.constant 4 : index
  %ae = tensor.empty() : tensor<64xi32>
  %a0 = linalg.fill ins(%zi : i32) outs(%ae : tensor<64xi32>) -> tensor<64xi32>
  %pe = tensor.empty() : tensor<64xi32>
  %qe = tensor.empty() : tensor<64xi32>
  %re = tensor.empty() : tensor<32xi32>
  %se = tensor.empty() : tensor<32xi32>
  %c31 = arith.constant 31 : index
  %c32 = arith.constant 32 : index
  %p0 = scf.forall (%i) in (64) shared_outs(%o = %pe) -> (tensor<64xi32>) {
    %v = tensor.extract %xt[%c0, %i] : tensor<5x64xi32>
    %se_ = tensor.from_elements %v : tensor<1xi32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %se_ into %o[%i] [1] [1] : tensor<1xi32> into tensor<64xi32>
    }
  } {mapping = [#gpu.thread<x>]}
  %r0 = scf.forall (%i) in (32) shared_outs(%o = %re) -> (tensor<32xi32>) {
    %v = tensor.extract %xt[%c0, %i] : tensor<5x64xi32>
    %se_ = tensor.from_elements %v : tensor<1xi32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %se_ into %o[%i] [1] [1] : tensor<1xi32> into tensor<32xi32>
    }
  } {mapping = [#gpu.thread<x>]}
  %f:5 = scf.for %k = %c0 to %c4 step %c1 iter_args(%ca = %p0, %cb = %r0, %na = %qe, %nb = %se, %ac = %a0) -> (tensor<64xi32>, tensor<32xi32>, tensor<64xi32>, tensor<32xi32>, tensor<64xi32>) {
    %kn = arith.addi %k, %c1 : index
    %la = scf.forall (%i) in (64) shared_outs(%o = %na) -> (tensor<64xi32>) {
      %v = tensor.extract %xt[%kn, %i] : tensor<5x64xi32>
      %se_ = tensor.from_elements %v : tensor<1xi32>
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %se_ into %o[%i] [1] [1] : tensor<1xi32> into tensor<64xi32>
      }
    } {mapping = [#gpu.thread<x>]}
    %lb = scf.forall (%i) in (32) shared_outs(%o = %nb) -> (tensor<32xi32>) {
      %v = tensor.extract %xt[%kn, %i] : tensor<5x64xi32>
      %se_ = tensor.from_elements %v : tensor<1xi32>
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %se_ into %o[%i] [1] [1] : tensor<1xi32> into tensor<32xi32>
      }
    } {mapping = [#gpu.thread<x>]}
    %m = scf.forall (%i) in (64) shared_outs(%o = %ac) -> (tensor<64xi32>) {
      %j = arith.subi %c63, %i : index
      %w = tensor.extract %ca[%j] : tensor<64xi32>
      %h = arith.remui %j, %c32 : index
      %w2 = tensor.extract %cb[%h] : tensor<32xi32>
      %pp = arith.muli %w, %w2 : i32
      %u = tensor.extract %o[%i] : tensor<64xi32>
      %v = arith.addi %u, %pp : i32
      %se_ = tensor.from_elements %v : tensor<1xi32>
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %se_ into %o[%i] [1] [1] : tensor<1xi32> into tensor<64xi32>
      }
    } {mapping = [#gpu.thread<x>]}
    scf.yield %la, %lb, %ca, %cb, %m : tensor<64xi32>, tensor<32xi32>, tensor<64xi32>, tensor<32xi32>, tensor<64xi32>
  }
  bufferization.materialize_in_destination %f#4 in restrict writable %out : (tensor<64xi32>, memref<64xi32>) -> ()

  return
}
