// RUN: %python %S/run.py %s
// The second output is unused, and the op cannot do without it: it is computed from
// its init, which stays.
// EXPECT workgroup_bytes=0 barriers=0
// RESULT a1 = a0.sum(axis=1)
func.func @reduce_unused_output(%a: memref<4x4xi32>, %o: memref<4xi32>) attributes {gpu.known_block_size = array<i32: 4, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %x = bufferization.to_tensor %a restrict : memref<4x4xi32> to tensor<4x4xi32>
  %z = arith.constant 0 : i32
  %e = tensor.empty() : tensor<4xi32>
  %f = linalg.fill ins(%z : i32) outs(%e : tensor<4xi32>) -> tensor<4xi32>
  %e2 = tensor.empty() : tensor<4xi32>
  %f2 = linalg.fill ins(%z : i32) outs(%e2 : tensor<4xi32>) -> tensor<4xi32>
  %r:2 = linalg.reduce ins(%x, %x : tensor<4x4xi32>, tensor<4x4xi32>) outs(%f, %f2 : tensor<4xi32>, tensor<4xi32>) dimensions = [1]
    (%in: i32, %in2: i32, %s: i32, %m: i32) {
      %p = arith.addi %in, %s : i32
      %q = arith.maxsi %in2, %m : i32
      linalg.yield %p, %q : i32, i32
    }
  bufferization.materialize_in_destination %r#0 in restrict writable %o : (tensor<4xi32>, memref<4xi32>) -> ()
  return
}
