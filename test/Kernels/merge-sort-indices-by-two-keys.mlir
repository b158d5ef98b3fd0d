// RUN: %python %S/run.py %s
// Only positions are merged; both keys, of which the second one decides where the first
// ones are equal, are looked up in global memory. The last round has a tile, too: nothing is
// stored before all keys are read. Each thread stores what it has merged.
// EXPECT workgroup_bytes=8000 private_bytes=0 barriers=2 executed=8
// INPUT a0 = np.random.default_rng(6).integers(-4, 4, 1000).astype(np.int16)
// INPUT a1 = np.random.default_rng(7).integers(-5, 5, 1000)
// RESULT a2 = np.lexsort((-a1, a0))
// OPTIONS may-hazards=error
func.func @merge_sort_indices_by_two_keys(%x: memref<1000xi16>, %y: memref<1000xi64>, %i: memref<1000xi32>)
    attributes {gpu.known_block_size = array<i32: 256, 1, 1>} {
  %tx = bufferization.to_tensor %x restrict : memref<1000xi16> to tensor<1000xi16>
  %ty = bufferization.to_tensor %y restrict : memref<1000xi64> to tensor<1000xi64>
  %e = tensor.empty() : tensor<1000xi32>
  %r = memspace.sort_indices dimension(0) stable ins(%tx, %ty : tensor<1000xi16>, tensor<1000xi64>) outs(%e : tensor<1000xi32>) {
  ^bb0(%a: i16, %b: i16, %c: i64, %d: i64):
    %less = arith.cmpi slt, %a, %b : i16
    %same = arith.cmpi eq, %a, %b : i16
    %second = arith.cmpi sgt, %c, %d : i64
    %and = arith.andi %same, %second : i1
    %first = arith.ori %less, %and : i1
    memspace.yield %first : i1
  } -> tensor<1000xi32>
  bufferization.materialize_in_destination %r in restrict writable %i : (tensor<1000xi32>, memref<1000xi32>) -> ()
  return
}
