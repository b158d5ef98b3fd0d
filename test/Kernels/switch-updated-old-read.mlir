// RUN: %python %S/run.py %s
// What a switch chooses is updated, and what it chose from is read afterwards.
// EXPECT workgroup_bytes<=768 barriers<=4
// SEQUENTIAL no: One-Shot updates what is chosen from
// INPUT a0 = np.arange(64) + 1
// RESULT a1 = (a0 * a0)[::-1] + 1 - 100 * a0[::-1] + (a0 * a0)[::-1]
func.func @switch_updated_old_read(%x: memref<64xi32>, %out: memref<64xi32>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %c0 = arith.constant 0 : index
  %i1 = arith.constant 1 : i32
  %i100 = arith.constant 100 : i32
  %c63 = arith.constant 63 : index
  %xt = bufferization.to_tensor %x restrict : memref<64xi32> to tensor<64xi32>
  %ae = tensor.empty() : tensor<64xi32>
  %be = tensor.empty() : tensor<64xi32>
  %t:2 = scf.forall (%i) in (64) shared_outs(%p = %ae, %q = %be) -> (tensor<64xi32>, tensor<64xi32>) {
    %v = tensor.extract %xt[%i] : tensor<64xi32>
    %w = arith.muli %v, %v : i32
    %vs = tensor.from_elements %v : tensor<1xi32>
    %ws = tensor.from_elements %w : tensor<1xi32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %vs into %p[%i] [1] [1] : tensor<1xi32> into tensor<64xi32>
      tensor.parallel_insert_slice %ws into %q[%i] [1] [1] : tensor<1xi32> into tensor<64xi32>
    }
  } {mapping = [#gpu.thread<x>]}
  %k32 = tensor.extract %xt[%c0] : tensor<64xi32>
  %k = arith.index_cast %k32 : i32 to index
  %s = scf.index_switch %k -> tensor<64xi32>
  case 1 {
    scf.yield %t#1 : tensor<64xi32>
  }
  default {
    scf.yield %t#0 : tensor<64xi32>
  }
  %u = scf.forall (%i) in (64) shared_outs(%o = %s) -> (tensor<64xi32>) {
    %v = tensor.extract %o[%i] : tensor<64xi32>
    %n = arith.addi %v, %i1 : i32
    %ns = tensor.from_elements %n : tensor<1xi32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %ns into %o[%i] [1] [1] : tensor<1xi32> into tensor<64xi32>
    }
  } {mapping = [#gpu.thread<x>]}
  %oe = tensor.empty() : tensor<64xi32>
  %r = scf.forall (%i) in (64) shared_outs(%o = %oe) -> (tensor<64xi32>) {
    %j = arith.subi %c63, %i : index
    %a = tensor.extract %t#0[%j] : tensor<64xi32>
    %b = tensor.extract %t#1[%j] : tensor<64xi32>
    %v = tensor.extract %u[%j] : tensor<64xi32>
    %m = arith.muli %a, %i100 : i32
    %d = arith.subi %v, %m : i32
    %y = arith.addi %d, %b : i32
    %ys = tensor.from_elements %y : tensor<1xi32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %ys into %o[%i] [1] [1] : tensor<1xi32> into tensor<64xi32>
    }
  } {mapping = [#gpu.thread<x>]}
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<64xi32>, memref<64xi32>) -> ()
  return
}
