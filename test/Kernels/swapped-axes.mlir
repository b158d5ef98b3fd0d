// RUN: %python %S/run.py %s
// The same subscripts under swapped mappings are different threads.
// EXPECT workgroup_bytes=576 barriers<=1
// RESULT a1 = a0 * 5 + 1
func.func @swapped_axes(%x: memref<12x12xi32>, %out: memref<12x12xi32>)
    attributes {gpu.known_block_size = array<i32: 12, 12, 1>} {
  %xt = bufferization.to_tensor %x restrict : memref<12x12xi32> to tensor<12x12xi32>
  %c0 = arith.constant 0 : index
  %one = arith.constant 1 : i32
  %five = arith.constant 5 : i32
  %te = tensor.empty() : tensor<12x12xi32>
  %t = scf.forall (%i, %j) in (12, 12) shared_outs(%o = %te) -> (tensor<12x12xi32>) {
    %v = tensor.extract %xt[%i, %j] : tensor<12x12xi32>
    %w = arith.muli %v, %five : i32
    %d = tensor.extract_slice %o[%i, %j] [1, 1] [1, 1] : tensor<12x12xi32> to tensor<1xi32>
    %s = tensor.insert %w into %d[%c0] : tensor<1xi32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %s into %o[%i, %j] [1, 1] [1, 1] : tensor<1xi32> into tensor<12x12xi32>
    }
  } {mapping = [#gpu.thread<x>, #gpu.thread<y>]}
  %oe = tensor.empty() : tensor<12x12xi32>
  %r = scf.forall (%i, %j) in (12, 12) shared_outs(%o = %oe) -> (tensor<12x12xi32>) {
    %v = tensor.extract %t[%i, %j] : tensor<12x12xi32>
    %w = arith.addi %v, %one : i32
    %s = tensor.from_elements %w : tensor<1x1xi32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %s into %o[%i, %j] [1, 1] [1, 1] : tensor<1x1xi32> into tensor<12x12xi32>
    }
  } {mapping = [#gpu.thread<y>, #gpu.thread<x>]}
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<12x12xi32>, memref<12x12xi32>) -> ()
  return
}
