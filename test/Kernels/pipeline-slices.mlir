// RUN: %python %S/run.py %s
// As pipeline-drained, the tile is read through a slice.
// EXPECT workgroup_bytes=512 barriers<=3
// RESULT a1 = a0[:, ::-1].sum(0)
func.func @pipeline_slices(%x: memref<5x64xi32>, %out: memref<64xi32>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %xt = bufferization.to_tensor %x restrict : memref<5x64xi32> to tensor<5x64xi32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %zi = arith.constant 0 : i32
  %c63 = arith.constant 63 : index
  %c64 = arith.constant 64 : index
  %ae = tensor.empty() : tensor<64xi32>
  %a0 = linalg.fill ins(%zi : i32) outs(%ae : tensor<64xi32>) -> tensor<64xi32>
  %x0e = tensor.empty() : tensor<64xi32>
  %y0e = tensor.empty() : tensor<64xi32>
  %x0 = scf.forall (%i) in (64) shared_outs(%o = %x0e) -> (tensor<64xi32>) {
    %v = tensor.extract %xt[%c0, %i] : tensor<5x64xi32>
    %se_ = tensor.from_elements %v : tensor<1xi32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %se_ into %o[%i] [1] [1] : tensor<1xi32> into tensor<64xi32>
    }
  } {mapping = [#gpu.thread<x>]}
  %f:3 = scf.for %k = %c0 to %c4 step %c1 iter_args(%cur = %x0, %nx = %y0e, %ac = %a0) -> (tensor<64xi32>, tensor<64xi32>, tensor<64xi32>) {
    %kn = arith.addi %k, %c1 : index
    %l = scf.forall (%i) in (64) shared_outs(%o = %nx) -> (tensor<64xi32>) {
      %v = tensor.extract %xt[%kn, %i] : tensor<5x64xi32>
      %se_ = tensor.from_elements %v : tensor<1xi32>
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %se_ into %o[%i] [1] [1] : tensor<1xi32> into tensor<64xi32>
      }
    } {mapping = [#gpu.thread<x>]}
    %ac1 = scf.forall (%i) in (64) shared_outs(%o = %ac) -> (tensor<64xi32>) {
      %j = arith.subi %c63, %i : index
      %ws = tensor.extract_slice %cur[%j] [1] [1] : tensor<64xi32> to tensor<1xi32>
      %w = tensor.extract %ws[%c0] : tensor<1xi32>
      %u = tensor.extract %o[%i] : tensor<64xi32>
      %v = arith.addi %u, %w : i32
      %se_ = tensor.from_elements %v : tensor<1xi32>
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %se_ into %o[%i] [1] [1] : tensor<1xi32> into tensor<64xi32>
      }
    } {mapping = [#gpu.thread<x>]}
    scf.yield %l, %cur, %ac1 : tensor<64xi32>, tensor<64xi32>, tensor<64xi32>
  }
  %acF = scf.forall (%i) in (64) shared_outs(%o = %f#2) -> (tensor<64xi32>) {
    %j = arith.subi %c63, %i : index
    %w = tensor.extract %f#0[%j] : tensor<64xi32>
    %u = tensor.extract %o[%i] : tensor<64xi32>
    %v = arith.addi %u, %w : i32
    %se_ = tensor.from_elements %v : tensor<1xi32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %se_ into %o[%i] [1] [1] : tensor<1xi32> into tensor<64xi32>
    }
  } {mapping = [#gpu.thread<x>]}
  bufferization.materialize_in_destination %acF in restrict writable %out : (tensor<64xi32>, memref<64xi32>) -> ()

  return
}
