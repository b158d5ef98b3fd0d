// RUN: %python %S/run.py %s
// A row without a bound, scanned into a new tensor that goes to an argument: in parts,
// which are written where they belong.
// EXPECT gfx942: workgroup_bytes<=8208 barriers<=50
// EXPECT sm_90: workgroup_bytes<=8224 barriers<=50
// DIM 3000
// RESULT a1 = np.cumsum(a0)
func.func @scan_parts_new_tensor(%x: memref<?xi32>, %y: memref<?xi32>)
    attributes {gpu.known_block_size = array<i32: 256, 1, 1>} {
  %c0 = arith.constant 0 : index
  %t = bufferization.to_tensor %x restrict : memref<?xi32> to tensor<?xi32>
  %n = tensor.dim %t, %c0 : tensor<?xi32>
  %o = tensor.empty(%n) : tensor<?xi32>
  %s = memspace.scan dimension(0) ins(%t : tensor<?xi32>) outs(%o : tensor<?xi32>) {
  ^bb0(%a: i32, %b: i32):
    %sum = arith.addi %a, %b : i32
    memspace.yield %sum : i32
  } -> tensor<?xi32>
  bufferization.materialize_in_destination %s in restrict writable %y : (tensor<?xi32>, memref<?xi32>) -> ()
  return
}
