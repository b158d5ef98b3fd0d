// RUN: %python %S/run.py %s
// Case S6: one branch yields a workgroup tile, the other an argument. They need
// one common space: the argument is copied, by all threads.
// EXPECT workgroup_bytes<=480 barriers<=2
// INPUT a1 = [1]
// RESULT a2 = (a0 + a0)[::-1]
func.func @branch_spaces(%x: memref<60xf32>, %flag: memref<1xi32>, %out: memref<60xf32>)
    attributes {gpu.known_block_size = array<i32: 60, 1, 1>} {
  %xt = bufferization.to_tensor %x restrict : memref<60xf32> to tensor<60xf32>
  %ft = bufferization.to_tensor %flag restrict : memref<1xi32> to tensor<1xi32>
  %c0 = arith.constant 0 : index
  %c59 = arith.constant 59 : index
  %z = arith.constant 0 : i32
  %f = tensor.extract %ft[%c0] : tensor<1xi32>
  %cond = arith.cmpi ne, %f, %z : i32
  %te = bufferization.alloc_tensor() : tensor<60xf32>
  %t = scf.forall (%i) in (60) shared_outs(%o = %te) -> (tensor<60xf32>) {
    %v = tensor.extract %xt[%i] : tensor<60xf32>
    %w = arith.addf %v, %v : f32
    %d = tensor.extract_slice %o[%i] [1] [1] : tensor<60xf32> to tensor<1xf32>
    %s = tensor.insert %w into %d[%c0] : tensor<1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %s into %o[%i] [1] [1] : tensor<1xf32> into tensor<60xf32>
    }
  } {mapping = [#gpu.thread<x>]}
  %sel = scf.if %cond -> (tensor<60xf32>) {
    scf.yield %t : tensor<60xf32>
  } else {
    scf.yield %xt : tensor<60xf32>
  }
  %oe = tensor.empty() : tensor<60xf32>
  %r = scf.forall (%i) in (60) shared_outs(%o = %oe) -> (tensor<60xf32>) {
    %j = arith.subi %c59, %i : index
    %v = tensor.extract %sel[%j] : tensor<60xf32>
    %s = tensor.from_elements %v : tensor<1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %s into %o[%i] [1] [1] : tensor<1xf32> into tensor<60xf32>
    }
  } {mapping = [#gpu.thread<x>]}
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<60xf32>, memref<60xf32>) -> ()
  return
}
