// RUN: %python %S/run.py %s
// Of three operands the first is sorted into itself, and one is an input twice, whose
// second output is itself. How many rows there are is not known.
// EXPECT gfx942: workgroup_bytes=0 private_bytes=0 barriers=0
// EXPECT sm_90: workgroup_bytes=2048
// DIM 5
// INPUT a1 = np.arange(5 * 100).reshape(5, 100)
// RESULT a0 = np.sort(a0, axis=1)
// RESULT a1 = np.argsort(a0, axis=1, kind='stable') + 100 * np.arange(5)[:, None]
// RESULT a2 = np.argsort(a0, axis=1, kind='stable') + 100 * np.arange(5)[:, None]
func.func @sort_crossed_in_place(%x: memref<?x100xf32>, %p: memref<?x100xi32>, %q: memref<?x100xi32>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %t = bufferization.to_tensor %x restrict writable : memref<?x100xf32> to tensor<?x100xf32>
  %u = bufferization.to_tensor %p restrict writable : memref<?x100xi32> to tensor<?x100xi32>
  %v = bufferization.to_tensor %q restrict writable : memref<?x100xi32> to tensor<?x100xi32>
  %r:3 = memspace.sort dimension(1) stable ins(%t, %u, %u : tensor<?x100xf32>, tensor<?x100xi32>, tensor<?x100xi32>) outs(%t, %v, %u : tensor<?x100xf32>, tensor<?x100xi32>, tensor<?x100xi32>) {
  ^bb0(%a: f32, %b: f32, %c: i32, %d: i32, %e: i32, %f: i32):
    %first = arith.cmpf olt, %a, %b : f32
    memspace.yield %first : i1
  } -> tensor<?x100xf32>, tensor<?x100xi32>, tensor<?x100xi32>
  bufferization.materialize_in_destination %r#0 in restrict writable %x : (tensor<?x100xf32>, memref<?x100xf32>) -> ()
  bufferization.materialize_in_destination %r#1 in restrict writable %q : (tensor<?x100xi32>, memref<?x100xi32>) -> ()
  bufferization.materialize_in_destination %r#2 in restrict writable %p : (tensor<?x100xi32>, memref<?x100xi32>) -> ()
  return
}
