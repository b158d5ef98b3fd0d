// RUN: %python %S/run.py %s
// Each row of the output adds the mirrored previous row, in place in global memory.
// EXPECT workgroup_bytes<=2048 barriers<=3
// RESULT a0 = (lambda a: [a.__setitem__(k, a[k] + a[k-1][::-1]) for k in range(1, 8)] and a)(a0.copy())
func.func @rows_in_global(%out: memref<8x64xi32>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %c1 = arith.constant 1 : index
  %c63 = arith.constant 63 : index
  %c64 = arith.constant 64 : index
  %c8 = arith.constant 8 : index
  %ot = bufferization.to_tensor %out restrict writable : memref<8x64xi32> to tensor<8x64xi32>
  %f = scf.for %k = %c1 to %c8 step %c1 iter_args(%a = %ot) -> (tensor<8x64xi32>) {
    %km = arith.subi %k, %c1 : index
    %prev = tensor.extract_slice %a[%km, 0] [1, 64] [1, 1] : tensor<8x64xi32> to tensor<64xi32>
    %cur = tensor.extract_slice %a[%k, 0] [1, 64] [1, 1] : tensor<8x64xi32> to tensor<64xi32>
    %n = scf.forall (%i) in (64) shared_outs(%o = %cur) -> (tensor<64xi32>) {
      %j = arith.subi %c63, %i : index
      %p = tensor.extract %prev[%j] : tensor<64xi32>
      %q = tensor.extract %o[%i] : tensor<64xi32>
      %v = arith.addi %p, %q : i32
      %se_ = tensor.from_elements %v : tensor<1xi32>
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %se_ into %o[%i] [1] [1] : tensor<1xi32> into tensor<64xi32>
      }
    } {mapping = [#gpu.thread<x>]}
    %a2 = tensor.insert_slice %n into %a[%k, 0] [1, 64] [1, 1] : tensor<64xi32> into tensor<8x64xi32>
    scf.yield %a2 : tensor<8x64xi32>
  }
  bufferization.materialize_in_destination %f in restrict writable %out : (tensor<8x64xi32>, memref<8x64xi32>) -> ()

  return
}
