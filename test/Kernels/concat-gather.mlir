// RUN: %python %S/run.py %s
// Case B1 and grid scope: an index tensor is put together before the block
// forall; each thread needs two numbers of it. Nothing is staged in workgroup
// memory, or the kernel is refused.
// EXPECT workgroup_bytes=0 private_bytes<=8 barriers=0 or refused "grid|workgroup"
// INPUT a0 = np.arange(240) % 9
// INPUT a1 = np.arange(240) // 40
// RESULT a3 = a2[a0, a1]
#m80 = affine_map<(d0) -> (d0 * 80)>
#g = affine_map<(d0, d1) -> (d0 * 80 + d1)>
func.func @concat_gather(%a: memref<240xi32>, %b: memref<240xi32>, %vol: memref<9x6xf16>, %out: memref<240xf16>)
    attributes {gpu.known_block_size = array<i32: 80, 1, 1>, gpu.known_grid_size = array<i32: 3, 1, 1>} {
  %at = bufferization.to_tensor %a restrict : memref<240xi32> to tensor<240xi32>
  %bt = bufferization.to_tensor %b restrict : memref<240xi32> to tensor<240xi32>
  %vt = bufferization.to_tensor %vol restrict : memref<9x6xf16> to tensor<9x6xf16>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %ce = tensor.empty() : tensor<240x2xi32>
  %i0 = tensor.insert_slice %at into %ce[0, 0] [240, 1] [1, 1] : tensor<240xi32> into tensor<240x2xi32>
  %i1 = tensor.insert_slice %bt into %i0[0, 1] [240, 1] [1, 1] : tensor<240xi32> into tensor<240x2xi32>
  %oe = tensor.empty() : tensor<240xf16>
  %r = scf.forall (%blk) in (3) shared_outs(%ob = %oe) -> (tensor<240xf16>) {
    %base = affine.apply #m80(%blk)
    %dst = tensor.extract_slice %ob[%base] [80] [1] : tensor<240xf16> to tensor<80xf16>
    %u = scf.forall (%i) in (80) shared_outs(%o = %dst) -> (tensor<80xf16>) {
      %p = affine.apply #g(%blk, %i)
      %row = tensor.extract_slice %i1[%p, 0] [1, 2] [1, 1] : tensor<240x2xi32> to tensor<2xi32>
      %x32 = tensor.extract %row[%c0] : tensor<2xi32>
      %y32 = tensor.extract %row[%c1] : tensor<2xi32>
      %x = arith.index_cast %x32 : i32 to index
      %y = arith.index_cast %y32 : i32 to index
      %v = tensor.extract %vt[%x, %y] : tensor<9x6xf16>
      %s = tensor.from_elements %v : tensor<1xf16>
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %s into %o[%i] [1] [1] : tensor<1xf16> into tensor<80xf16>
      }
    } {mapping = [#gpu.thread<x>]}
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %u into %ob[%base] [80] [1] : tensor<80xf16> into tensor<240xf16>
    }
  } {mapping = [#gpu.block<x>]}
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<240xf16>, memref<240xf16>) -> ()
  return
}
