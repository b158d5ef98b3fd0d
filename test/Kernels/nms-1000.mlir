// RUN: %python %S/run.py %s
// Non-maximum suppression of 1000 boxes: by decreasing score, a box goes that covers
// too much of one before it that stays. The scores are read where they are.
// EXPECT workgroup_bytes<=24576 barriers<=20
// INPUT a0 = np.random.default_rng(11).uniform(0, 40, (1000, 4)).astype(np.float32) + np.array([0, 0, 2, 2], dtype=np.float32)
// INPUT a1 = np.random.default_rng(12).integers(0, 500, 1000).astype(np.float32)
// RESULT a2 = np.argsort(-a1, kind='stable')
// RESULT a3 = (lambda b: [keep := np.ones(1000, dtype=np.int32), [keep.__setitem__(slice(i + 1, None), keep[i + 1:] & ~(2 * np.clip(np.minimum(b[i, 2], b[i + 1:, 2]) - np.maximum(b[i, 0], b[i + 1:, 0]), 0, None) * np.clip(np.minimum(b[i, 3], b[i + 1:, 3]) - np.maximum(b[i, 1], b[i + 1:, 1]), 0, None) > (b[i, 2] - b[i, 0]) * (b[i, 3] - b[i, 1]))) for i in range(1000) if keep[i]], keep][2])(a0[np.argsort(-a1, kind='stable')])
func.func @nms_1000(%boxes: memref<1000x4xf32>, %scores: memref<1000xf32>, %order: memref<1000xi32>, %keep: memref<1000xi32>)
    attributes {gpu.known_block_size = array<i32: 256, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %cn = arith.constant 1000 : index
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %zerof = arith.constant 0.0 : f32
  %two = arith.constant 2.0 : f32
  %bt = bufferization.to_tensor %boxes restrict : memref<1000x4xf32> to tensor<1000x4xf32>
  %s = bufferization.to_tensor %scores restrict : memref<1000xf32> to tensor<1000xf32>
  %e = tensor.empty() : tensor<1000xi32>
  %idx = memspace.sort_indices dimension(0) stable ins(%s : tensor<1000xf32>) outs(%e : tensor<1000xi32>) {
  ^bb0(%a: f32, %b: f32):
    %first = arith.cmpf ogt, %a, %b : f32
    memspace.yield %first : i1
  } -> tensor<1000xi32>
  // The boxes in their order.
  %be = tensor.empty() : tensor<1000x4xf32>
  %sorted = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%idx : tensor<1000xi32>) outs(%be : tensor<1000x4xf32>) {
  ^bb0(%at: i32, %out: f32):
    %row = arith.index_cast %at : i32 to index
    %j = linalg.index 1 : index
    %v = tensor.extract %bt[%row, %j] : tensor<1000x4xf32>
    linalg.yield %v : f32
  } -> tensor<1000x4xf32>
  %ke = tensor.empty() : tensor<1000xi32>
  %all = linalg.fill ins(%one : i32) outs(%ke : tensor<1000xi32>) -> tensor<1000xi32>
  %kept = scf.for %i = %c0 to %cn step %c1 iter_args(%k = %all) -> (tensor<1000xi32>) {
    %own = tensor.extract_slice %sorted[%i, 0] [1, 4] [1, 1] : tensor<1000x4xf32> to tensor<4xf32>
    %stays = tensor.extract %k[%i] : tensor<1000xi32>
    %next = linalg.generic {indexing_maps = [affine_map<(j) -> (j)>], iterator_types = ["parallel"]} outs(%k : tensor<1000xi32>) {
    ^bb0(%old: i32):
      %j = linalg.index 0 : index
      %c2 = arith.constant 2 : index
      %c3 = arith.constant 3 : index
      %x0 = tensor.extract %own[%c0] : tensor<4xf32>
      %y0 = tensor.extract %own[%c1] : tensor<4xf32>
      %x1 = tensor.extract %own[%c2] : tensor<4xf32>
      %y1 = tensor.extract %own[%c3] : tensor<4xf32>
      %u0 = tensor.extract %sorted[%j, %c0] : tensor<1000x4xf32>
      %v0 = tensor.extract %sorted[%j, %c1] : tensor<1000x4xf32>
      %u1 = tensor.extract %sorted[%j, %c2] : tensor<1000x4xf32>
      %v1 = tensor.extract %sorted[%j, %c3] : tensor<1000x4xf32>
      %l = arith.maximumf %x0, %u0 : f32
      %r = arith.minimumf %x1, %u1 : f32
      %bo = arith.maximumf %y0, %v0 : f32
      %to = arith.minimumf %y1, %v1 : f32
      %w0 = arith.subf %r, %l : f32
      %w = arith.maximumf %w0, %zerof : f32
      %h0 = arith.subf %to, %bo : f32
      %h = arith.maximumf %h0, %zerof : f32
      %w2 = arith.mulf %two, %w : f32
      %both = arith.mulf %w2, %h : f32
      %ww = arith.subf %x1, %x0 : f32
      %hh = arith.subf %y1, %y0 : f32
      %area = arith.mulf %ww, %hh : f32
      %covers = arith.cmpf ogt, %both, %area : f32
      %later = arith.cmpi sgt, %j, %i : index
      %isKept = arith.cmpi eq, %stays, %one : i32
      %a = arith.andi %covers, %later : i1
      %goes = arith.andi %a, %isKept : i1
      %new = arith.select %goes, %zero, %old : i32
      linalg.yield %new : i32
    } -> tensor<1000xi32>
    scf.yield %next : tensor<1000xi32>
  }
  bufferization.materialize_in_destination %idx in restrict writable %order : (tensor<1000xi32>, memref<1000xi32>) -> ()
  bufferization.materialize_in_destination %kept in restrict writable %keep : (tensor<1000xi32>, memref<1000xi32>) -> ()
  return
}
