// RUN: %python %S/run.py %s
// A slice of a tile at an offset that is data.
// EXPECT workgroup_bytes=256 barriers=1
// RESULT a2 = a0[a1[0]:a1[0] + 32][::-1]
func.func @slice_at_data_offset(%x: memref<64xi32>, %fl: memref<1xi32>, %out: memref<32xi32>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %xt = bufferization.to_tensor %x restrict : memref<64xi32> to tensor<64xi32>
  %flt = bufferization.to_tensor %fl restrict : memref<1xi32> to tensor<1xi32>
  %c0 = arith.constant 0 : index
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
  %n32 = tensor.extract %flt[%c0] : tensor<1xi32>
  %n = arith.index_cast %n32 : i32 to index
  %sl = tensor.extract_slice %t[%n] [32] [1] : tensor<64xi32> to tensor<32xi32>
  %c31 = arith.constant 31 : index
  %oe = tensor.empty() : tensor<32xi32>
  %r = scf.forall (%i) in (32) shared_outs(%o = %oe) -> (tensor<32xi32>) {
    %j = arith.subi %c31, %i : index
    %v = tensor.extract %sl[%j] : tensor<32xi32>
    %se_ = tensor.from_elements %v : tensor<1xi32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %se_ into %o[%i] [1] [1] : tensor<1xi32> into tensor<32xi32>
    }
  } {mapping = [#gpu.thread<x>]}
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<32xi32>, memref<32xi32>) -> ()

  return
}
