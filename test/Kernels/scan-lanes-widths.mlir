// RUN: %python %S/run.py %s
// Lanes pass each other totals of 8 to 64 bits; three operands, of which the first is
// scanned in place. 4 elements for each lane, but for the last ones.
// EXPECT workgroup_bytes=0 barriers=0 subgroup_barriers=0 executed=0
// INPUT a0 = np.random.default_rng(1).integers(-2**40, 2**40, 101)
// INPUT a1 = np.random.default_rng(2).integers(-100, 100, 101).astype(np.int8)
// INPUT a2 = np.random.default_rng(3).permutation(101).astype(np.float16)
// RESULT a0 = np.cumsum(a0)
// RESULT a3 = np.bitwise_xor.accumulate(a1)
// RESULT a4 = np.maximum.accumulate(a2)
func.func @scan_widths(%long: memref<101xi64>, %byte: memref<101xi8>, %half: memref<101xf16>,
                       %o1: memref<101xi8>, %o2: memref<101xf16>)
    attributes {gpu.known_block_size = array<i32: 32, 1, 1>} {
  %a = bufferization.to_tensor %long restrict writable : memref<101xi64> to tensor<101xi64>
  %b = bufferization.to_tensor %byte restrict : memref<101xi8> to tensor<101xi8>
  %c = bufferization.to_tensor %half restrict : memref<101xf16> to tensor<101xf16>
  %be = tensor.empty() : tensor<101xi8>
  %ce = tensor.empty() : tensor<101xf16>
  %s:3 = memspace.scan dimension(0) ins(%a, %b, %c : tensor<101xi64>, tensor<101xi8>, tensor<101xf16>)
      outs(%a, %be, %ce : tensor<101xi64>, tensor<101xi8>, tensor<101xf16>) {
  ^bb0(%a0: i64, %b0: i8, %c0: f16, %a1: i64, %b1: i8, %c1: f16):
    %x = arith.addi %a0, %a1 : i64
    %y = arith.xori %b0, %b1 : i8
    %z = arith.maximumf %c0, %c1 : f16
    memspace.yield %x, %y, %z : i64, i8, f16
  } -> tensor<101xi64>, tensor<101xi8>, tensor<101xf16>
  bufferization.materialize_in_destination %s#0 in restrict writable %long : (tensor<101xi64>, memref<101xi64>) -> ()
  bufferization.materialize_in_destination %s#1 in restrict writable %o1 : (tensor<101xi8>, memref<101xi8>) -> ()
  bufferization.materialize_in_destination %s#2 in restrict writable %o2 : (tensor<101xf16>, memref<101xf16>) -> ()
  return
}
