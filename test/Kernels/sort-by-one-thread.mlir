// RUN: %python %S/run.py %s
// A thread that is alone: nothing is looked for between its 32,000 steps.
// EXPECT barriers=0 subgroup_barriers=0
// INPUT a1 = np.random.default_rng(5).integers(0, 100, (3, 256, 5))
// RESULT a0 = np.take_along_axis(a0, np.argsort(a1, axis=1, kind="stable"), axis=1)
// RESULT a1 = np.sort(a1, axis=1)
func.func @sort_by_one_thread(%a0: memref<3x256x5xf32>, %a1: memref<3x256x5xi32>) attributes {gpu.known_block_size = array<i32: 1, 1, 1>} {
  %t0 = bufferization.to_tensor %a0 restrict writable : memref<3x256x5xf32> to tensor<3x256x5xf32>
  %t1 = bufferization.to_tensor %a1 restrict writable : memref<3x256x5xi32> to tensor<3x256x5xi32>
    %x:2 = memspace.sort dimension(1) stable ins(%t0, %t1 : tensor<3x256x5xf32>, tensor<3x256x5xi32>) outs(%t0, %t1 : tensor<3x256x5xf32>, tensor<3x256x5xi32>) {
    ^bb0(%xl0: f32, %xm0: f32, %xl1: i32, %xm1: i32):
      %c = arith.cmpi ult, %xl1, %xm1 : i32
      memspace.yield %c : i1
    } -> tensor<3x256x5xf32>, tensor<3x256x5xi32>
  bufferization.materialize_in_destination %x#0 in restrict writable %a0 : (tensor<3x256x5xf32>, memref<3x256x5xf32>) -> ()
  bufferization.materialize_in_destination %x#1 in restrict writable %a1 : (tensor<3x256x5xi32>, memref<3x256x5xi32>) -> ()
  return
}
