// RUN: %python %S/run.py %s
// Maps x -> a * x + b, one after the other: the combiner is not commutative. Only
// the b of each composition is used, but that needs the a.
// EXPECT gfx942: workgroup_bytes=24 barriers=1 subgroup_barriers=0 executed=1
// EXPECT sm_90: workgroup_bytes=32 barriers=1 subgroup_barriers=0 executed=1
// INPUT a0 = np.random.default_rng(1).integers(-3, 4, 1000).astype(np.int32)
// INPUT a1 = np.random.default_rng(2).integers(-9, 9, 1000).astype(np.int32)
// RESULT a2 = (lambda maps: np.array([maps.append((maps[-1][0] * a & 0xffffffff, a * maps[-1][1] + b & 0xffffffff)) or maps[-1][1] for a, b in zip(a0.tolist(), a1.tolist())], np.uint32).view(np.int32))([(1, 5)])
func.func @scan_affine_maps(%a: memref<1000xi32>, %b: memref<1000xi32>, %out: memref<1000xi32>)
    attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
  %c1 = arith.constant 1 : i32
  %c5 = arith.constant 5 : i32
  %at = bufferization.to_tensor %a restrict : memref<1000xi32> to tensor<1000xi32>
  %bt = bufferization.to_tensor %b restrict : memref<1000xi32> to tensor<1000xi32>
  %ae = tensor.empty() : tensor<1000xi32>
  %be = tensor.empty() : tensor<1000xi32>
  %s:2 = memspace.scan dimension(0)
      ins(%at, %bt : tensor<1000xi32>, tensor<1000xi32>)
      initial(%c1, %c5 : i32, i32)
      outs(%ae, %be : tensor<1000xi32>, tensor<1000xi32>) {
  ^bb0(%a0: i32, %b0: i32, %a1: i32, %b1: i32):
    %f = arith.muli %a0, %a1 : i32
    %m = arith.muli %a1, %b0 : i32
    %g = arith.addi %m, %b1 : i32
    memspace.yield %f, %g : i32, i32
  } -> tensor<1000xi32>, tensor<1000xi32>
  bufferization.materialize_in_destination %s#1 in restrict writable %out : (tensor<1000xi32>, memref<1000xi32>) -> ()
  return
}
