// RUN: %python %S/run.py %s
// Rows whose number is not known: a loop takes one after the other.
// EXPECT gfx942: workgroup_bytes=0 barriers=0 subgroup_barriers=0
// EXPECT sm_90: workgroup_bytes=512 barriers<=4
// DIM 5
// RESULT a1 = np.sort(a0, axis=1)
func.func @sort_dynamic_rows(%x: memref<?x100xf32>, %y: memref<?x100xf32>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %t = bufferization.to_tensor %x restrict : memref<?x100xf32> to tensor<?x100xf32>
  %o = bufferization.to_tensor %y restrict writable : memref<?x100xf32> to tensor<?x100xf32>
  %r = memspace.sort dimension(1) ins(%t : tensor<?x100xf32>) outs(%o : tensor<?x100xf32>) {
  ^bb0(%a: f32, %b: f32):
    %first = arith.cmpf olt, %a, %b : f32
    memspace.yield %first : i1
  } -> tensor<?x100xf32>
  bufferization.materialize_in_destination %r in restrict writable %y : (tensor<?x100xf32>, memref<?x100xf32>) -> ()
  return
}
