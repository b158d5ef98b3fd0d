// RUN: %python %S/run.py %s
// The foralls stand in one branch of a uniform condition on data: a barrier
// there is right, all threads take the same branch.
// EXPECT workgroup_bytes=68 barriers<=2
// INPUT a1 = [3]
// RESULT a2 = np.roll(a0, 4) if a1[0] > 2 else a0
func.func @staged_in_branch(%x: memref<68xi8>, %flag: memref<1xi64>, %out: memref<68xi8>)
    attributes {gpu.known_block_size = array<i32: 68, 1, 1>} {
  %xt = bufferization.to_tensor %x restrict : memref<68xi8> to tensor<68xi8>
  %ft = bufferization.to_tensor %flag restrict : memref<1xi64> to tensor<1xi64>
  %ot = bufferization.to_tensor %out restrict writable : memref<68xi8> to tensor<68xi8>
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %c68 = arith.constant 68 : index
  %two = arith.constant 2 : i64
  %f = tensor.extract %ft[%c0] : tensor<1xi64>
  %cond = arith.cmpi sgt, %f, %two : i64
  %r = scf.if %cond -> (tensor<68xi8>) {
    %te = tensor.empty() : tensor<68xi8>
    %t = scf.forall (%i) in (68) shared_outs(%o = %te) -> (tensor<68xi8>) {
      %v = tensor.extract %xt[%i] : tensor<68xi8>
      %d = tensor.extract_slice %o[%i] [1] [1] : tensor<68xi8> to tensor<1xi8>
      %s = tensor.insert %v into %d[%c0] : tensor<1xi8>
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %s into %o[%i] [1] [1] : tensor<1xi8> into tensor<68xi8>
      }
    } {mapping = [#gpu.thread<x>]}
    %a = scf.forall (%i) in (68) shared_outs(%o = %ot) -> (tensor<68xi8>) {
      %p = arith.addi %i, %c64 : index
      %j = arith.remui %p, %c68 : index
      %v = tensor.extract %t[%j] : tensor<68xi8>
      %d = tensor.extract_slice %o[%i] [1] [1] : tensor<68xi8> to tensor<1xi8>
      %s = tensor.insert %v into %d[%c0] : tensor<1xi8>
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %s into %o[%i] [1] [1] : tensor<1xi8> into tensor<68xi8>
      }
    } {mapping = [#gpu.thread<x>]}
    scf.yield %a : tensor<68xi8>
  } else {
    %b = scf.forall (%i) in (68) shared_outs(%o = %ot) -> (tensor<68xi8>) {
      %v = tensor.extract %xt[%i] : tensor<68xi8>
      %d = tensor.extract_slice %o[%i] [1] [1] : tensor<68xi8> to tensor<1xi8>
      %s = tensor.insert %v into %d[%c0] : tensor<1xi8>
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %s into %o[%i] [1] [1] : tensor<1xi8> into tensor<68xi8>
      }
    } {mapping = [#gpu.thread<x>]}
    scf.yield %b : tensor<68xi8>
  }
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<68xi8>, memref<68xi8>) -> ()
  return
}
