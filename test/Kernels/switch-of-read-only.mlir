// RUN: %python %S/run.py %s
// What a switch chooses is memory that the kernel may not write, and is updated.
// EXPECT workgroup_bytes<=256 barriers<=2
// SEQUENTIAL no: One-Shot updates the argument
// RESULT a1 = np.full(64, a0[3])
func.func @switch_of_read_only(%x: memref<64xi32>, %out: memref<64xi32>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c3 = arith.constant 3 : index
  %xt = bufferization.to_tensor %x restrict : memref<64xi32> to tensor<64xi32>
  %k32 = tensor.extract %xt[%c0] : tensor<64xi32>
  %k = arith.index_cast %k32 : i32 to index
  %s = scf.index_switch %k -> tensor<64xi32>
  case 0 {
    scf.yield %xt : tensor<64xi32>
  }
  default {
    scf.yield %xt : tensor<64xi32>
  }
  %r = scf.forall (%i) in (64) shared_outs(%o = %s) -> (tensor<64xi32>) {
    %v = tensor.extract %xt[%c3] : tensor<64xi32>
    %own = tensor.extract_slice %o[%i] [1] [1] : tensor<64xi32> to tensor<1xi32>
    %n = tensor.insert %v into %own[%c0] : tensor<1xi32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %n into %o[%i] [1] [1] : tensor<1xi32> into tensor<64xi32>
    }
  } {mapping = [#gpu.thread<x>]}
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<64xi32>, memref<64xi32>) -> ()
  return
}
