// RUN: %python %S/run.py %s
// Each iteration scans its slice of a carried tensor, which is no accumulator: threads
// write it where it ends.
// EXPECT workgroup_bytes=0 private_bytes=0 barriers=0 subgroup_barriers=0
// RESULT a1 = np.cumsum(a0, axis=2)
func.func @scan_in_loop(%x: memref<4x200x127xi32>, %y: memref<4x200x127xi32>)
    attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %t = bufferization.to_tensor %x restrict : memref<4x200x127xi32> to tensor<4x200x127xi32>
  %e = tensor.empty() : tensor<4x200x127xi32>
  %r = scf.for %i = %c0 to %c4 step %c1 iter_args(%acc = %e) -> (tensor<4x200x127xi32>) {
    %in = tensor.extract_slice %t[%i, 0, 0] [1, 200, 127] [1, 1, 1] : tensor<4x200x127xi32> to tensor<1x200x127xi32>
    %out = tensor.extract_slice %acc[%i, 0, 0] [1, 200, 127] [1, 1, 1] : tensor<4x200x127xi32> to tensor<1x200x127xi32>
    %s = memspace.scan dimension(2) ins(%in : tensor<1x200x127xi32>) outs(%out : tensor<1x200x127xi32>) {
    ^bb0(%a: i32, %b: i32):
      %sum = arith.addi %a, %b : i32
      memspace.yield %sum : i32
    } -> tensor<1x200x127xi32>
    %n = tensor.insert_slice %s into %acc[%i, 0, 0] [1, 200, 127] [1, 1, 1] : tensor<1x200x127xi32> into tensor<4x200x127xi32>
    scf.yield %n : tensor<4x200x127xi32>
  }
  bufferization.materialize_in_destination %r in restrict writable %y : (tensor<4x200x127xi32>, memref<4x200x127xi32>) -> ()
  return
}
