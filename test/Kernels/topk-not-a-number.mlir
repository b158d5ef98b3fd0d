// RUN: %python %S/run.py %s
// A comparator that is no strict weak order: nothing comes before a NaN. Which
// elements are taken is not said, but they are different ones.
// EXPECT workgroup_bytes=36 barriers=1 subgroup_barriers=0
// INPUT a0 = np.where(np.arange(100) % 3 == 0, np.nan, np.arange(100)).astype(np.float32)
// RESULT a1 = np.ones(1, dtype=np.int32)
// SEQUENTIAL no: which elements are taken is not said
func.func @topk_not_a_number(%x: memref<100xf32>, %ok: memref<1xi32>)
    attributes {gpu.known_block_size = array<i32: 32, 1, 1>} {
  %c0 = arith.constant 0 : index
  %t = bufferization.to_tensor %x restrict : memref<100xf32> to tensor<100xf32>
  %ie = tensor.empty() : tensor<9xi32>
  %r = memspace.topk dimension(0) ins(%t : tensor<100xf32>) indices(%ie : tensor<9xi32>) {
  ^bb0(%a: f32, %b: f32):
    %first = arith.cmpf ogt, %a, %b : f32
    memspace.yield %first : i1
  } -> tensor<9xi32>
  // 1 where all pairs of indices differ and are those of elements.
  %one = arith.constant 1 : i32
  %e = tensor.empty() : tensor<1xi32>
  %init = linalg.fill ins(%one : i32) outs(%e : tensor<1xi32>) -> tensor<1xi32>
  %all = linalg.generic {indexing_maps = [affine_map<(z, i, j) -> (i)>, affine_map<(z, i, j) -> (j)>, affine_map<(z, i, j) -> (z)>],
      iterator_types = ["parallel", "reduction", "reduction"]}
      ins(%r, %r : tensor<9xi32>, tensor<9xi32>) outs(%init : tensor<1xi32>) {
  ^bb0(%a: i32, %b: i32, %acc: i32):
    %i = linalg.index 1 : index
    %j = linalg.index 2 : index
    %same = arith.cmpi eq, %i, %j : index
    %differ = arith.cmpi ne, %a, %b : i32
    %hundred = arith.constant 100 : i32
    %inside = arith.cmpi ult, %a, %hundred : i32
    %fine = arith.ori %same, %differ : i1
    %both = arith.andi %fine, %inside : i1
    %bit = arith.extui %both : i1 to i32
    %next = arith.andi %acc, %bit : i32
    linalg.yield %next : i32
  } -> tensor<1xi32>
  bufferization.materialize_in_destination %all in restrict writable %ok : (tensor<1xi32>, memref<1xi32>) -> ()
  return
}
