// Dynamic extents and scalars. test/GPU/Inputs/fake_cuda.c has it in C.
// EXPECT barriers<=1
// INPUT a0 = np.arange(300) - 7.5
// INPUT a1 = 2.5
// INPUT a2 = -3
// INPUT a3 = np.zeros(300)
// RESULT a3 = a0[::-1] * 2.5 - 3
// GRID 3
func.func @scaled_reverse(%x: memref<?xf32>, %scale: f32, %shift: i16, %out: memref<?xf32>)
    attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %xt = bufferization.to_tensor %x restrict : memref<?xf32> to tensor<?xf32>
  %n = memref.dim %x, %c0 : memref<?xf32>
  %last = arith.subi %n, %c1 : index
  %s = arith.sitofp %shift : i16 to f32
  %blocks = affine.apply affine_map<()[s0] -> (s0 ceildiv 128)>()[%n]
  %oe = tensor.empty(%n) : tensor<?xf32>
  %r = scf.forall (%b) in (%blocks) shared_outs(%o = %oe) -> (tensor<?xf32>) {
    %first = affine.apply affine_map<(d0) -> (d0 * 128)>(%b)
    %size = affine.min affine_map<(d0)[s0] -> (128, s0 - d0 * 128)>(%b)[%n]
    %tile = tensor.extract_slice %o[%first] [%size] [1] : tensor<?xf32> to tensor<?xf32>
    %done = scf.forall (%i) in (%size) shared_outs(%t = %tile) -> (tensor<?xf32>) {
      %k = arith.addi %first, %i : index
      %j = arith.subi %last, %k : index
      %v = tensor.extract %xt[%j] : tensor<?xf32>
      %w = arith.mulf %v, %scale : f32
      %u = arith.addf %w, %s : f32
      %e = tensor.from_elements %u : tensor<1xf32>
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %e into %t[%i] [1] [1] : tensor<1xf32> into tensor<?xf32>
      }
    } {mapping = [#gpu.thread<x>]}
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %done into %o[%first] [%size] [1] : tensor<?xf32> into tensor<?xf32>
    }
  } {mapping = [#gpu.block<x>]}
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<?xf32>, memref<?xf32>) -> ()
  return
}
