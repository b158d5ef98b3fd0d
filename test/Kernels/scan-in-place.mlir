// RUN: %python %S/run.py %s
// Hillis-Steele scan, the old tile is read while the new one is written: a copy or a second tile.
// EXPECT workgroup_bytes<=512 barriers<=3
// RESULT a1 = np.cumsum(a0, dtype=np.int32)[::-1]
func.func @scan_in_place(%x: memref<64xi32>, %out: memref<64xi32>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %xt = bufferization.to_tensor %x restrict : memref<64xi32> to tensor<64xi32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c6 = arith.constant 6 : index
  %te = tensor.empty() : tensor<64xi32>
  %t = scf.forall (%i) in (64) shared_outs(%o = %te) -> (tensor<64xi32>) {
    %v = tensor.extract %xt[%i] : tensor<64xi32>
    %se_ = tensor.from_elements %v : tensor<1xi32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %se_ into %o[%i] [1] [1] : tensor<1xi32> into tensor<64xi32>
    }
  } {mapping = [#gpu.thread<x>]}
  %f = scf.for %k = %c0 to %c6 step %c1 iter_args(%cur = %t) -> (tensor<64xi32>) {
    %d = arith.shli %c1, %k : index
    %n1 = scf.forall (%i) in (64) shared_outs(%o = %cur) -> (tensor<64xi32>) {
      %own = tensor.extract %cur[%i] : tensor<64xi32>
      %ge = arith.cmpi uge, %i, %d : index
      %v = scf.if %ge -> (i32) {
        %j = arith.subi %i, %d : index
        %w = tensor.extract %cur[%j] : tensor<64xi32>
        %s = arith.addi %own, %w : i32
        scf.yield %s : i32
      } else {
        scf.yield %own : i32
      }
      %se_ = tensor.from_elements %v : tensor<1xi32>
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %se_ into %o[%i] [1] [1] : tensor<1xi32> into tensor<64xi32>
      }
    } {mapping = [#gpu.thread<x>]}
    scf.yield %n1 : tensor<64xi32>
  }
  %oe = tensor.empty() : tensor<64xi32>
  %c63 = arith.constant 63 : index
  %r = scf.forall (%i) in (64) shared_outs(%o = %oe) -> (tensor<64xi32>) {
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
