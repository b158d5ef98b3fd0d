// RUN: %python %S/run.py %s
// Two tiles are all the workgroup memory of gfx942. They are more than sm_90 has without an
// opt-in, which one tile does not need: there the network sorts.
// EXPECT gfx942: workgroup_bytes=65536 private_bytes=0 barriers=3 executed=9
// EXPECT sm_90: workgroup_bytes=32768 executed=37
// RESULT a1 = np.sort(a0)
// OPTIONS may-hazards=error
func.func @merge_sort_most(%in: memref<8192xi32>, %out: memref<8192xi32>)
    attributes {gpu.known_block_size = array<i32: 256, 1, 1>} {
  %x = bufferization.to_tensor %in restrict : memref<8192xi32> to tensor<8192xi32>
  %e = tensor.empty() : tensor<8192xi32>
  %s = memspace.sort dimension(0) ins(%x : tensor<8192xi32>) outs(%e : tensor<8192xi32>) {
  ^bb0(%a: i32, %b: i32):
    %first = arith.cmpi slt, %a, %b : i32
    memspace.yield %first : i1
  } -> tensor<8192xi32>
  bufferization.materialize_in_destination %s in restrict writable %out : (tensor<8192xi32>, memref<8192xi32>) -> ()
  return
}
