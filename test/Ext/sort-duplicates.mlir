// RUN: env MEMSPACE_OPT=%build_root/tools/memspace-test-opt/memspace-test-opt %python %S/../Kernels/run.py %s
// Many keys are equal; the comparator's constant stands outside of it, and it is an order
// all the same: 111 chunks of 7 elements are merged.
// EXPECT workgroup_bytes<=6240 barriers=3 executed=7
// SEQUENTIAL no: upstream does not bufferize the dialect
// INPUT a0 = np.random.default_rng(4).integers(0, 7, 777)
// RESULT a1 = np.concatenate([np.sort(a0[a0 >= 3]), np.sort(a0[a0 < 3])])
func.func @sort_duplicates(%in: memref<777xi32>, %out: memref<777xi32>)
    attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
  %c3 = arith.constant 3 : i32
  %t = bufferization.to_tensor %in restrict : memref<777xi32> to tensor<777xi32>
  %s = ext.sort dimension(0) outs(%t : tensor<777xi32>) {
  ^bb0(%a: i32, %b: i32):
    %x = arith.subi %a, %c3 : i32
    %y = arith.subi %b, %c3 : i32
    %before = arith.cmpi ult, %x, %y : i32
    ext.yield %before : i1
  } -> tensor<777xi32>
  bufferization.materialize_in_destination %s in restrict writable %out : (tensor<777xi32>, memref<777xi32>) -> ()
  return
}
