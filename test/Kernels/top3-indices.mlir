// RUN: %python %S/run.py %s
// Uniform top-3 of 6 values: only the indices are used, a slice of them is written.
// EXPECT workgroup_bytes<=48 barriers<=2
// RESULT a1 = np.argsort(-a0, kind='stable')[:3]
#id = affine_map<(d0) -> (d0)>
#red = affine_map<(d0) -> ()>
func.func @top3_indices(%sc: memref<6xf32>, %out: memref<3xi32>)
    attributes {gpu.known_block_size = array<i32: 32, 1, 1>} {
  %sct = bufferization.to_tensor %sc restrict : memref<6xf32> to tensor<6xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %ve = tensor.empty() : tensor<6xf32>
  %v0 = linalg.copy ins(%sct : tensor<6xf32>) outs(%ve : tensor<6xf32>) -> tensor<6xf32>
  %ie = tensor.empty() : tensor<6xi32>
  %i0 = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel"]} outs(%ie : tensor<6xi32>) {
    ^bb0(%a: i32):
    %k = linalg.index 0 : index
    %ki = arith.index_cast %k : index to i32
    linalg.yield %ki : i32
  } -> tensor<6xi32>
  %sorted:2 = scf.for %p = %c0 to %c5 step %c1 iter_args(%v = %v0, %n = %i0) -> (tensor<6xf32>, tensor<6xi32>) {
    %pass:2 = scf.for %k = %c0 to %c5 step %c1 iter_args(%w = %v, %m = %n) -> (tensor<6xf32>, tensor<6xi32>) {
      %k1 = arith.addi %k, %c1 : index
      %a = tensor.extract %w[%k] : tensor<6xf32>
      %b = tensor.extract %w[%k1] : tensor<6xf32>
      %ia = tensor.extract %m[%k] : tensor<6xi32>
      %ib = tensor.extract %m[%k1] : tensor<6xi32>
      %swap = arith.cmpf olt, %a, %b : f32
      %lo = arith.select %swap, %b, %a : f32
      %hi = arith.select %swap, %a, %b : f32
      %il = arith.select %swap, %ib, %ia : i32
      %ih = arith.select %swap, %ia, %ib : i32
      %w1 = tensor.insert %lo into %w[%k] : tensor<6xf32>
      %w2 = tensor.insert %hi into %w1[%k1] : tensor<6xf32>
      %m1 = tensor.insert %il into %m[%k] : tensor<6xi32>
      %m2 = tensor.insert %ih into %m1[%k1] : tensor<6xi32>
      scf.yield %w2, %m2 : tensor<6xf32>, tensor<6xi32>
    }
    scf.yield %pass#0, %pass#1 : tensor<6xf32>, tensor<6xi32>
  }
  %k3 = tensor.extract_slice %sorted#1[0] [3] [1] : tensor<6xi32> to tensor<3xi32>
  bufferization.materialize_in_destination %k3 in restrict writable %out : (tensor<3xi32>, memref<3xi32>) -> ()

  return
}
