// RUN: %python %S/run.py %s
// Case S5: the destination reaches the forall through iter_args only, and its
// last value is read by other threads. Inside the loop each thread updates its
// own element: one barrier, after the loop.
// EXPECT workgroup_bytes=320 barriers<=2
// RESULT a1 = np.roll(a0.sum(0, dtype=np.float32), -7)
func.func @carried_destination(%x: memref<4x80xf32>, %out: memref<80xf32>)
    attributes {gpu.known_block_size = array<i32: 80, 1, 1>} {
  %xt = bufferization.to_tensor %x restrict : memref<4x80xf32> to tensor<4x80xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c7 = arith.constant 7 : index
  %c80 = arith.constant 80 : index
  %zero = arith.constant 0.0 : f32
  %te = tensor.empty() : tensor<80xf32>
  %t0 = scf.forall (%i) in (80) shared_outs(%o = %te) -> (tensor<80xf32>) {
    %s = tensor.from_elements %zero : tensor<1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %s into %o[%i] [1] [1] : tensor<1xf32> into tensor<80xf32>
    }
  } {mapping = [#gpu.thread<x>]}
  %t = scf.for %k = %c0 to %c4 step %c1 iter_args(%acc = %t0) -> (tensor<80xf32>) {
    %u = scf.forall (%i) in (80) shared_outs(%o = %acc) -> (tensor<80xf32>) {
      %v = tensor.extract %xt[%k, %i] : tensor<4x80xf32>
      %d = tensor.extract_slice %o[%i] [1] [1] : tensor<80xf32> to tensor<1xf32>
      %a = tensor.extract %d[%c0] : tensor<1xf32>
      %w = arith.addf %a, %v : f32
      %s = tensor.insert %w into %d[%c0] : tensor<1xf32>
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %s into %o[%i] [1] [1] : tensor<1xf32> into tensor<80xf32>
      }
    } {mapping = [#gpu.thread<x>]}
    scf.yield %u : tensor<80xf32>
  }
  %oe = tensor.empty() : tensor<80xf32>
  %r = scf.forall (%i) in (80) shared_outs(%o = %oe) -> (tensor<80xf32>) {
    %i7 = arith.addi %i, %c7 : index
    %j = arith.remui %i7, %c80 : index
    %v = tensor.extract %t[%j] : tensor<80xf32>
    %s = tensor.from_elements %v : tensor<1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %s into %o[%i] [1] [1] : tensor<1xf32> into tensor<80xf32>
    }
  } {mapping = [#gpu.thread<x>]}
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<80xf32>, memref<80xf32>) -> ()
  return
}
