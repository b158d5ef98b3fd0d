// RUN: %python %S/run.py %s
// What a payload computes for itself is not without users because nothing
// outside uses it.
// EXPECT workgroup_bytes=0 barriers=0
// RESULT a1 = a0 + 7
func.func @tensor_in_payload(%x: memref<4xi32>, %o: memref<4xi32>) attributes {gpu.known_block_size = array<i32: 4, 1, 1>} {
  %xt = bufferization.to_tensor %x restrict : memref<4xi32> to tensor<4xi32>
  %c0 = arith.constant 0 : index
  %c7 = arith.constant 7 : i32
  %e = tensor.empty() : tensor<4xi32>
  %b = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%xt : tensor<4xi32>) outs(%e : tensor<4xi32>) {
  ^bb0(%in: i32, %out: i32):
    %e1 = tensor.empty() : tensor<2xi32>
    %n = linalg.fill ins(%c7 : i32) outs(%e1 : tensor<2xi32>) -> tensor<2xi32>
    %v = tensor.extract %n[%c0] : tensor<2xi32>
    %s = arith.addi %v, %in : i32
    linalg.yield %s : i32
  } -> tensor<4xi32>
  bufferization.materialize_in_destination %b in restrict writable %o : (tensor<4xi32>, memref<4xi32>) -> ()
  return
}
