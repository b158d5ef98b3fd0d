// RUN: %python %S/run.py %s
// Blocks mapped block<z>,block<x>, threads mapped thread<x>.
// EXPECT workgroup_bytes=256 barriers=1
// RESULT a1 = a0[:, :, ::-1]
func.func @blocks_z_x(%x: memref<2x3x64xi32>, %out: memref<2x3x64xi32>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>, gpu.known_grid_size = array<i32: 3, 1, 2>} {
  %xt = bufferization.to_tensor %x restrict : memref<2x3x64xi32> to tensor<2x3x64xi32>
  %c63 = arith.constant 63 : index
  %oe = tensor.empty() : tensor<2x3x64xi32>
  %r = scf.forall (%p, %q) in (2, 3) shared_outs(%ob = %oe) -> (tensor<2x3x64xi32>) {
    %te = tensor.empty() : tensor<64xi32>
    %t = scf.forall (%i) in (64) shared_outs(%o = %te) -> (tensor<64xi32>) {
      %v = tensor.extract %xt[%p, %q, %i] : tensor<2x3x64xi32>
      %se_ = tensor.from_elements %v : tensor<1xi32>
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %se_ into %o[%i] [1] [1] : tensor<1xi32> into tensor<64xi32>
      }
    } {mapping = [#gpu.thread<x>]}
    %dst = tensor.extract_slice %ob[%p, %q, 0] [1, 1, 64] [1, 1, 1] : tensor<2x3x64xi32> to tensor<64xi32>
    %u = scf.forall (%i) in (64) shared_outs(%o = %dst) -> (tensor<64xi32>) {
      %j = arith.subi %c63, %i : index
      %v = tensor.extract %t[%j] : tensor<64xi32>
      %se_ = tensor.from_elements %v : tensor<1xi32>
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %se_ into %o[%i] [1] [1] : tensor<1xi32> into tensor<64xi32>
      }
    } {mapping = [#gpu.thread<x>]}

    scf.forall.in_parallel {
      tensor.parallel_insert_slice %u into %ob[%p, %q, 0] [1, 1, 64] [1, 1, 1] : tensor<64xi32> into tensor<2x3x64xi32>
    }
  } {mapping = [#gpu.block<z>, #gpu.block<x>]}
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<2x3x64xi32>, memref<2x3x64xi32>) -> ()

  return
}
