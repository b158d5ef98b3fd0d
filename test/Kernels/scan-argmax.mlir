// RUN: %python %S/run.py %s
// The greatest element so far and where it is first: 1000 keys with many equal ones.
// EXPECT gfx942: workgroup_bytes=32 barriers=1 subgroup_barriers=0 executed=1
// EXPECT sm_90: workgroup_bytes=64 barriers=1 subgroup_barriers=0 executed=1
// INPUT a0 = np.random.default_rng(3).integers(0, 400, 1000).astype(np.float32)
// INPUT a1 = np.arange(1000)
// RESULT a2 = np.maximum.accumulate(a0)
// RESULT a3 = np.array([np.argmax(a0[:n + 1]) for n in range(1000)])
func.func @scan_argmax(%in: memref<1000xf32>, %at: memref<1000xi32>, %out: memref<1000xf32>, %where: memref<1000xi32>)
    attributes {gpu.known_block_size = array<i32: 256, 1, 1>} {
  %x = bufferization.to_tensor %in restrict : memref<1000xf32> to tensor<1000xf32>
  %i = bufferization.to_tensor %at restrict : memref<1000xi32> to tensor<1000xi32>
  %xe = tensor.empty() : tensor<1000xf32>
  %ie = tensor.empty() : tensor<1000xi32>
  %s:2 = memspace.scan dimension(0)
      ins(%x, %i : tensor<1000xf32>, tensor<1000xi32>)
      outs(%xe, %ie : tensor<1000xf32>, tensor<1000xi32>) {
  ^bb0(%x0: f32, %i0: i32, %x1: f32, %i1: i32):
    %later = arith.cmpf ogt, %x1, %x0 : f32
    %xm = arith.select %later, %x1, %x0 : f32
    %im = arith.select %later, %i1, %i0 : i32
    memspace.yield %xm, %im : f32, i32
  } -> tensor<1000xf32>, tensor<1000xi32>
  bufferization.materialize_in_destination %s#0 in restrict writable %out : (tensor<1000xf32>, memref<1000xf32>) -> ()
  bufferization.materialize_in_destination %s#1 in restrict writable %where : (tensor<1000xi32>, memref<1000xi32>) -> ()
  return
}
