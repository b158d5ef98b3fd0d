// RUN: %python %S/run.py %s
// Lanes pass each other elements of 1 to 64 bits, by shuffles of 32 bits. The 50
// elements do not fill their places: 2 for each of the 32 lanes.
// EXPECT workgroup_bytes=0 barriers=0 subgroup_barriers=0 executed=0
// INPUT a0 = np.random.default_rng(1).permutation(50).astype(np.float16) - 20
// INPUT a1 = np.random.default_rng(2).integers(-2**62, 2**62, 50)
// INPUT a2 = np.random.default_rng(3).integers(-128, 128, 50).astype(np.int8)
// INPUT a3 = np.random.default_rng(4).integers(0, 2, 50).astype(bool)
// INPUT a4 = np.random.default_rng(5).permutation(50).astype(np.float64) / 7
// INPUT a5 = np.random.default_rng(6).integers(-2**15, 2**15, 50).astype(np.int16)
// RESULT a0 = np.sort(a0)
// RESULT a1 = a1[np.argsort(a0)]
// RESULT a2 = a2[np.argsort(a0)]
// RESULT a3 = a3[np.argsort(a0)]
// RESULT a4 = np.sort(a4)[::-1]
// RESULT a5 = a5[np.argsort(-a4)]
func.func @sort_widths(%half: memref<50xf16>, %long: memref<50xi64>, %byte: memref<50xi8>, %bit: memref<50xi1>,
                       %double: memref<50xf64>, %short: memref<50xi16>)
    attributes {gpu.known_block_size = array<i32: 32, 1, 1>} {
  %a = bufferization.to_tensor %half restrict writable : memref<50xf16> to tensor<50xf16>
  %b = bufferization.to_tensor %long restrict writable : memref<50xi64> to tensor<50xi64>
  %c = bufferization.to_tensor %byte restrict writable : memref<50xi8> to tensor<50xi8>
  %d = bufferization.to_tensor %bit restrict writable : memref<50xi1> to tensor<50xi1>
  %e = bufferization.to_tensor %double restrict writable : memref<50xf64> to tensor<50xf64>
  %f = bufferization.to_tensor %short restrict writable : memref<50xi16> to tensor<50xi16>
  %s:4 = memspace.sort dimension(0)
      ins(%a, %b, %c, %d : tensor<50xf16>, tensor<50xi64>, tensor<50xi8>, tensor<50xi1>)
      outs(%a, %b, %c, %d : tensor<50xf16>, tensor<50xi64>, tensor<50xi8>, tensor<50xi1>) {
  ^bb0(%x: f16, %y: f16, %i: i64, %j: i64, %k: i8, %l: i8, %m: i1, %n: i1):
    %before = arith.cmpf olt, %x, %y : f16
    memspace.yield %before : i1
  } -> tensor<50xf16>, tensor<50xi64>, tensor<50xi8>, tensor<50xi1>
  %r:2 = memspace.sort dimension(0) ins(%e, %f : tensor<50xf64>, tensor<50xi16>) outs(%e, %f : tensor<50xf64>, tensor<50xi16>) {
  ^bb0(%x: f64, %y: f64, %i: i16, %j: i16):
    %before = arith.cmpf ogt, %x, %y : f64
    memspace.yield %before : i1
  } -> tensor<50xf64>, tensor<50xi16>
  bufferization.materialize_in_destination %s#0 in restrict writable %half : (tensor<50xf16>, memref<50xf16>) -> ()
  bufferization.materialize_in_destination %s#1 in restrict writable %long : (tensor<50xi64>, memref<50xi64>) -> ()
  bufferization.materialize_in_destination %s#2 in restrict writable %byte : (tensor<50xi8>, memref<50xi8>) -> ()
  bufferization.materialize_in_destination %s#3 in restrict writable %bit : (tensor<50xi1>, memref<50xi1>) -> ()
  bufferization.materialize_in_destination %r#0 in restrict writable %double : (tensor<50xf64>, memref<50xf64>) -> ()
  bufferization.materialize_in_destination %r#1 in restrict writable %short : (tensor<50xi16>, memref<50xi16>) -> ()
  return
}
