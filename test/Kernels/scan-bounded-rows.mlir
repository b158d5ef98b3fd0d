// RUN: %python %S/run.py %s
// As many rows as the kernel is told, of a length that it is told: a row at a time.
// EXPECT workgroup_bytes<=64 barriers<=3
// DIM 70
// TOLERANCE 1e-4
// RESULT a1 = np.cumsum(a0.astype(np.float64), axis=1).astype(np.float32)
func.func @scan_bounded_rows(%x: memref<?x?xf32>, %y: memref<?x?xf32>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c200 = arith.constant 200 : index
  %m = memref.dim %x, %c0 : memref<?x?xf32>
  %d = memref.dim %x, %c1 : memref<?x?xf32>
  %n = arith.minsi %d, %c200 : index
  %t = bufferization.to_tensor %x restrict : memref<?x?xf32> to tensor<?x?xf32>
  %o = bufferization.to_tensor %y restrict writable : memref<?x?xf32> to tensor<?x?xf32>
  %a = tensor.extract_slice %t[0, 0] [%m, %n] [1, 1] : tensor<?x?xf32> to tensor<?x?xf32>
  %b = tensor.extract_slice %o[0, 0] [%m, %n] [1, 1] : tensor<?x?xf32> to tensor<?x?xf32>
  %s = memspace.scan dimension(1) ins(%a : tensor<?x?xf32>) outs(%b : tensor<?x?xf32>) {
  ^bb0(%u: f32, %v: f32):
    %w = arith.addf %u, %v : f32
    memspace.yield %w : f32
  } -> tensor<?x?xf32>
  %i = tensor.insert_slice %s into %o[0, 0] [%m, %n] [1, 1] : tensor<?x?xf32> into tensor<?x?xf32>
  bufferization.materialize_in_destination %i in restrict writable %y : (tensor<?x?xf32>, memref<?x?xf32>) -> ()
  return
}
