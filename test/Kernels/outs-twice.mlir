// RUN: %python %S/run.py %s
// One tensor is the destination of both results of a linalg.generic.
// EXPECT workgroup_bytes=0 barriers<=2
// SEQUENTIAL no: One-Shot leaves both results in one buffer
// RESULT a1 = a0 + 1
// RESULT a2 = a0 * 2
func.func @outs_twice(%x: memref<128xi32>, %more: memref<128xi32>, %twice: memref<128xi32>)
    attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
  %i1 = arith.constant 1 : i32
  %xt = bufferization.to_tensor %x restrict : memref<128xi32> to tensor<128xi32>
  %mt = bufferization.to_tensor %more restrict writable : memref<128xi32> to tensor<128xi32>
  %r:2 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%xt : tensor<128xi32>) outs(%mt, %mt : tensor<128xi32>, tensor<128xi32>) {
  ^bb0(%v: i32, %a: i32, %b: i32):
    %more_ = arith.addi %v, %i1 : i32
    %twice_ = arith.addi %v, %v : i32
    linalg.yield %more_, %twice_ : i32, i32
  } -> (tensor<128xi32>, tensor<128xi32>)
  bufferization.materialize_in_destination %r#0 in restrict writable %more : (tensor<128xi32>, memref<128xi32>) -> ()
  bufferization.materialize_in_destination %r#1 in restrict writable %twice : (tensor<128xi32>, memref<128xi32>) -> ()
  return
}
