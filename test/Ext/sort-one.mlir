// RUN: env MEMSPACE_OPT=%build_root/tools/memspace-test-opt/memspace-test-opt %python %S/../Kernels/run.py %s
// A row of one element.
// EXPECT workgroup_bytes<=16
// SEQUENTIAL no: upstream does not bufferize the dialect
// RESULT a1 = a0
func.func @sort_one(%in: memref<1xf32>, %out: memref<1xf32>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %t = bufferization.to_tensor %in restrict : memref<1xf32> to tensor<1xf32>
  %s = ext.sort dimension(0) outs(%t : tensor<1xf32>) {
  ^bb0(%a: f32, %b: f32):
    %before = arith.cmpf olt, %a, %b : f32
    ext.yield %before : i1
  } -> tensor<1xf32>
  bufferization.materialize_in_destination %s in restrict writable %out : (tensor<1xf32>, memref<1xf32>) -> ()
  return
}
