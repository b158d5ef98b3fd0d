// RUN: %python %S/run.py %s
// Both foralls give row i to thread i: private, one row each. The scale is
// applied in place, so nothing else is allocated.
// EXPECT workgroup_bytes=0 private_bytes<=48 barriers=0
// RESULT a1 = a0 * a0 * 3 - a0
func.func @aligned_rows(%x: memref<48x6xf64>, %out: memref<48x6xf64>)
    attributes {gpu.known_block_size = array<i32: 48, 1, 1>} {
  %xt = bufferization.to_tensor %x restrict : memref<48x6xf64> to tensor<48x6xf64>
  %three = arith.constant 3.0 : f64
  %te = tensor.empty() : tensor<48x6xf64>
  %t = scf.forall (%i) in (48) shared_outs(%o = %te) -> (tensor<48x6xf64>) {
    %a = tensor.extract_slice %xt[%i, 0] [1, 6] [1, 1] : tensor<48x6xf64> to tensor<6xf64>
    %d = tensor.extract_slice %o[%i, 0] [1, 6] [1, 1] : tensor<48x6xf64> to tensor<6xf64>
    %s = linalg.mul ins(%a, %a : tensor<6xf64>, tensor<6xf64>) outs(%d : tensor<6xf64>) -> tensor<6xf64>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %s into %o[%i, 0] [1, 6] [1, 1] : tensor<6xf64> into tensor<48x6xf64>
    }
  } {mapping = [#gpu.thread<x>]}
  %oe = tensor.empty() : tensor<48x6xf64>
  %r = scf.forall (%i) in (48) shared_outs(%o = %oe) -> (tensor<48x6xf64>) {
    %a = tensor.extract_slice %xt[%i, 0] [1, 6] [1, 1] : tensor<48x6xf64> to tensor<6xf64>
    %b = tensor.extract_slice %t[%i, 0] [1, 6] [1, 1] : tensor<48x6xf64> to tensor<6xf64>
    %d = tensor.extract_slice %o[%i, 0] [1, 6] [1, 1] : tensor<48x6xf64> to tensor<6xf64>
    %s = linalg.map ins(%a, %b : tensor<6xf64>, tensor<6xf64>) outs(%d : tensor<6xf64>)
      (%av: f64, %bv: f64, %init: f64) {
        %m = arith.mulf %bv, %three : f64
        %v = arith.subf %m, %av : f64
        linalg.yield %v : f64
      }
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %s into %o[%i, 0] [1, 6] [1, 1] : tensor<6xf64> into tensor<48x6xf64>
    }
  } {mapping = [#gpu.thread<x>]}
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<48x6xf64>, memref<48x6xf64>) -> ()
  return
}
