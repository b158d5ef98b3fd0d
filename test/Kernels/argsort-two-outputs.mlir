// RUN: %python %S/run.py %s
// Uniform argsort of 6 values with two outputs.
// EXPECT workgroup_bytes<=48 barriers<=2
// RESULT a1 = np.sort(a0)[::-1]
// RESULT a2 = np.argsort(-a0, kind='stable')
#id = affine_map<(d0) -> (d0)>
#red = affine_map<(d0) -> ()>
func.func @argsort_two_outputs(%sc: memref<6xf32>, %out: memref<6xf32>, %out2: memref<6xi32>)
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
  bufferization.materialize_in_destination %sorted#0 in restrict writable %out : (tensor<6xf32>, memref<6xf32>) -> ()
  bufferization.materialize_in_destination %sorted#1 in restrict writable %out2 : (tensor<6xi32>, memref<6xi32>) -> ()

  return
}
