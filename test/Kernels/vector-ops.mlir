// RUN: %python %S/run.py %s
// Vector ops above one dimension, masked, strided and beyond the end of a row.
// EXPECT barriers=0 workgroup_bytes=0
// SEQUENTIAL no: code of threads
// INPUT a2 = 5
// RESULT a4 = np.where(np.arange(8) < 5, a0, 0) + np.concatenate([a0[:, 5:], np.zeros((64, 5))], 1)
// RESULT a5 = np.concatenate([a5[:, :26], a1[:, :4]], 1)
// RESULT a6 = [(lambda b, c: (b @ c + b).sum() + max(b[0].max(), 0))(m.T, np.cumsum(m.T, 1)) for m in a3]
// RESULT a8 = a7 * a3.sum(1)
#rows = affine_map<(d0, d1) -> (d0, d1)>
#cols = affine_map<(d0, d1) -> (d1, d0)>
#bcast = affine_map<(d0, d1) -> (0, d1)>
func.func @vectors(%A: memref<64x8xf32>, %S: memref<64x16xf32, strided<[32, 2]>>, %n: index, %B: memref<64x4x4xf32>, %Y: memref<64x8xf32>, %Z: memref<64x30xf32>, %W: memref<64xf32>, %V: memref<64xvector<4xf32>>, %U: memref<64xvector<4xf32>>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c5 = arith.constant 5 : index
  %c26 = arith.constant 26 : index
  %zero = arith.constant 0.0 : f32
  %t = gpu.thread_id x
  // Masked by a count; out of range at the end of a row.
  %mask = vector.create_mask %n : vector<8xi1>
  %a = vector.transfer_read %A[%t, %c0], %zero, %mask {in_bounds = [true]} : memref<64x8xf32>, vector<8xf32>
  %over = vector.transfer_read %A[%t, %c5], %zero : memref<64x8xf32>, vector<8xf32>
  %sum = arith.addf %a, %over : vector<8xf32>
  vector.transfer_write %sum, %Y[%t, %c0] {in_bounds = [true]} : vector<8xf32>, memref<64x8xf32>
  // Strided, and written beyond the end.
  %s = vector.transfer_read %S[%t, %c0], %zero {in_bounds = [true]} : memref<64x16xf32, strided<[32, 2]>>, vector<8xf32>
  vector.transfer_write %s, %Z[%t, %c26] : vector<8xf32>, memref<64x30xf32>
  // Two dimensions, transposed, reduced.
  %b = vector.transfer_read %B[%t, %c0, %c0], %zero {in_bounds = [true, true], permutation_map = affine_map<(d0, d1, d2) -> (d2, d1)>} : memref<64x4x4xf32>, vector<4x4xf32>
  %id = arith.constant dense<0.0> : vector<4xf32>
  %r = vector.multi_reduction <maximumf>, %b, %id [1] : vector<4x4xf32> to vector<4xf32>
  %incl, %last = vector.scan <add>, %b, %id {inclusive = true, reduction_dim = 1 : i64} : vector<4x4xf32>, vector<4xf32>
  %m = vector.contract {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %b, %incl, %b : vector<4x4xf32>, vector<4x4xf32> into vector<4x4xf32>
  %f = vector.shape_cast %m : vector<4x4xf32> to vector<16xf32>
  %total = vector.reduction <add>, %f : vector<16xf32> into f32
  %first = vector.extract %r[0] : f32 from vector<4xf32>
  %both = arith.addf %total, %first : f32
  memref.store %both, %W[%t] : memref<64xf32>
  %v = memref.load %V[%t] : memref<64xvector<4xf32>>
  %vv = arith.mulf %v, %last : vector<4xf32>
  memref.store %vv, %U[%t] : memref<64xvector<4xf32>>
  return
}
