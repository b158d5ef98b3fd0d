// RUN: %python %S/run.py %s
// A condition that passes on the old tensor besides the new one: what is copied
// into the buffer that the loop carries must not overwrite it.
// EXPECT barriers<=2
// RESULT a2 = a0 - 3 * a1
// RESULT a3 = a0 - 2 * a1
func.func @while_passes_more(%x: memref<32xi32>, %y: memref<32xi32>, %out: memref<32xi32>, %out2: memref<32xi32>)
    attributes {gpu.known_block_size = array<i32: 32, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %xt = bufferization.to_tensor %x restrict : memref<32xi32> to tensor<32xi32>
  %yt = bufferization.to_tensor %y restrict : memref<32xi32> to tensor<32xi32>
  %e = tensor.empty() : tensor<32xi32>
  %r:3 = scf.while (%a = %xt, %j = %c0) : (tensor<32xi32>, index) -> (tensor<32xi32>, index, tensor<32xi32>) {
    %next = linalg.sub ins(%a, %yt : tensor<32xi32>, tensor<32xi32>) outs(%e : tensor<32xi32>) -> tensor<32xi32>
    %on = arith.cmpi ult, %j, %c2 : index
    scf.condition(%on) %next, %j, %a : tensor<32xi32>, index, tensor<32xi32>
  } do {
  ^bb0(%a: tensor<32xi32>, %j: index, %old: tensor<32xi32>):
    %n = arith.addi %j, %c1 : index
    scf.yield %a, %n : tensor<32xi32>, index
  }
  bufferization.materialize_in_destination %r#0 in restrict writable %out : (tensor<32xi32>, memref<32xi32>) -> ()
  bufferization.materialize_in_destination %r#2 in restrict writable %out2 : (tensor<32xi32>, memref<32xi32>) -> ()
  return
}
