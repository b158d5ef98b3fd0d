// RUN: %python %S/run.py %s
// Each output is named after the other input: nothing is read that is overwritten.
// EXPECT gfx942: workgroup_bytes=0 barriers=0 subgroup_barriers=0 executed=0
// EXPECT sm_90: workgroup_bytes=24 barriers=1 subgroup_barriers=0 executed=1
// SEQUENTIAL no: eliminate-empty-tensors puts the sums into the outputs, which are written before all of them are read
// RESULT a2 = np.cumsum(2 * a0)
// RESULT a3 = np.maximum.accumulate(2 * a1)
func.func @scan_crossed(%a: memref<300xi32>, %b: memref<300xi32>, %out: memref<300xi32>, %more: memref<300xi32>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %at = bufferization.to_tensor %a restrict : memref<300xi32> to tensor<300xi32>
  %bt = bufferization.to_tensor %b restrict : memref<300xi32> to tensor<300xi32>
  %e = tensor.empty() : tensor<300xi32>
  %a2 = linalg.add ins(%at, %at : tensor<300xi32>, tensor<300xi32>) outs(%e : tensor<300xi32>) -> tensor<300xi32>
  %b2 = linalg.add ins(%bt, %bt : tensor<300xi32>, tensor<300xi32>) outs(%e : tensor<300xi32>) -> tensor<300xi32>
  %s:2 = memspace.scan dimension(0)
      ins(%a2, %b2 : tensor<300xi32>, tensor<300xi32>)
      outs(%b2, %a2 : tensor<300xi32>, tensor<300xi32>) {
  ^bb0(%x0: i32, %y0: i32, %x1: i32, %y1: i32):
    %x = arith.addi %x0, %x1 : i32
    %y = arith.maxsi %y0, %y1 : i32
    memspace.yield %x, %y : i32, i32
  } -> tensor<300xi32>, tensor<300xi32>
  bufferization.materialize_in_destination %s#0 in restrict writable %out : (tensor<300xi32>, memref<300xi32>) -> ()
  bufferization.materialize_in_destination %s#1 in restrict writable %more : (tensor<300xi32>, memref<300xi32>) -> ()
  return
}
