// RUN: env MEMSPACE_OPT=%build_root/tools/memspace-test-opt/memspace-test-opt %python %S/../Kernels/run.py %s
// The operands are sorted in place, but they are the caller's and read-only. Keys that
// repeat, no power of two, two rows; a payload that only one row in two tells apart.
// EXPECT workgroup_bytes<=4096
// SEQUENTIAL no: upstream does not bufferize the dialect
// INPUT a0 = np.random.default_rng(3).integers(-5, 5, (2, 100)) * 128 + np.arange(100)
// RESULT a2 = np.sort(a0, axis=1)
// RESULT a3 = np.take_along_axis(a1, np.argsort(a0, axis=1), 1)
func.func @sort_input_kept(%key: memref<2x100xi32>, %pay: memref<2x100xf32>,
                           %out: memref<2x100xi32>, %perm: memref<2x100xf32>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %kt = bufferization.to_tensor %key restrict : memref<2x100xi32> to tensor<2x100xi32>
  %pt = bufferization.to_tensor %pay restrict : memref<2x100xf32> to tensor<2x100xf32>
  %s:2 = ext.sort dimension(1) outs(%kt, %pt : tensor<2x100xi32>, tensor<2x100xf32>) {
  ^bb0(%a: i32, %b: i32, %x: f32, %y: f32):
    %before = arith.cmpi slt, %a, %b : i32
    ext.yield %before : i1
  } -> tensor<2x100xi32>, tensor<2x100xf32>
  bufferization.materialize_in_destination %s#0 in restrict writable %out : (tensor<2x100xi32>, memref<2x100xi32>) -> ()
  bufferization.materialize_in_destination %s#1 in restrict writable %perm : (tensor<2x100xf32>, memref<2x100xf32>) -> ()
  return
}
