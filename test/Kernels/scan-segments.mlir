// RUN: %python %S/run.py %s
// Sums that begin anew where a flag is set, from the end of the row.
// EXPECT gfx942: workgroup_bytes<=4096 barriers=1 executed=1
// EXPECT sm_90: workgroup_bytes<=4096 barriers=1 executed=1
// INPUT a1 = (np.random.default_rng(4).integers(0, 20, 600) == 0).astype(np.int32)
// RESULT a2 = (lambda sums: np.array([sums.append(int(x) + (0 if f else sums[-1])) or sums[-1] for x, f in zip(a0[::-1], a1[::-1])])[::-1])([0])
func.func @scan_segments(%in: memref<600xi32>, %flag: memref<600xi32>, %out: memref<600xi32>)
    attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
  %x = bufferization.to_tensor %in restrict : memref<600xi32> to tensor<600xi32>
  %f = bufferization.to_tensor %flag restrict : memref<600xi32> to tensor<600xi32>
  %xe = tensor.empty() : tensor<600xi32>
  %fe = tensor.empty() : tensor<600xi32>
  %s:2 = memspace.scan dimension(0) reverse
      ins(%x, %f : tensor<600xi32>, tensor<600xi32>)
      outs(%xe, %fe : tensor<600xi32>, tensor<600xi32>) {
  ^bb0(%x0: i32, %f0: i32, %x1: i32, %f1: i32):
    %c0_0 = arith.constant 0 : i32
    %anew = arith.cmpi ne, %f1, %c0_0 : i32
    %sum = arith.addi %x0, %x1 : i32
    %xs = arith.select %anew, %x1, %sum : i32
    %fs = arith.ori %f0, %f1 : i32
    memspace.yield %xs, %fs : i32, i32
  } -> tensor<600xi32>, tensor<600xi32>
  bufferization.materialize_in_destination %s#0 in restrict writable %out : (tensor<600xi32>, memref<600xi32>) -> ()
  return
}
