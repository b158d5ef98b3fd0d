// RUN: %python %S/run.py %s
// A block forall inside a grid-scope loop, in place update.
// EXPECT workgroup_bytes=0 barriers=0 or refused "grid|block|loop"
// RESULT a1 = a1 + a0[:3].sum(0)
func.func @block_forall_in_for(%x: memref<4x64xi32>, %out: memref<4x64xi32>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>, gpu.known_grid_size = array<i32: 4, 1, 1>} {
  %xt = bufferization.to_tensor %x restrict : memref<4x64xi32> to tensor<4x64xi32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c63 = arith.constant 63 : index
  %five = arith.constant 5 : i32
  %ot = bufferization.to_tensor %out restrict writable : memref<4x64xi32> to tensor<4x64xi32>
  %f = scf.for %k = %c0 to %c3 step %c1 iter_args(%acc = %ot) -> (tensor<4x64xi32>) {
    %r = scf.forall (%b) in (4) shared_outs(%ob = %acc) -> (tensor<4x64xi32>) {
      %dst = tensor.extract_slice %ob[%b, 0] [1, 64] [1, 1] : tensor<4x64xi32> to tensor<64xi32>
      %u = scf.forall (%i) in (64) shared_outs(%o = %dst) -> (tensor<64xi32>) {
        %q = tensor.extract %o[%i] : tensor<64xi32>
        %w = tensor.extract %xt[%k, %i] : tensor<4x64xi32>
        %v = arith.addi %q, %w : i32
        %se_ = tensor.from_elements %v : tensor<1xi32>
        scf.forall.in_parallel {
          tensor.parallel_insert_slice %se_ into %o[%i] [1] [1] : tensor<1xi32> into tensor<64xi32>
        }
      } {mapping = [#gpu.thread<x>]}

      scf.forall.in_parallel {
        tensor.parallel_insert_slice %u into %ob[%b, 0] [1, 64] [1, 1] : tensor<64xi32> into tensor<4x64xi32>
      }
    } {mapping = [#gpu.block<x>]}
    scf.yield %r : tensor<4x64xi32>
  }
  bufferization.materialize_in_destination %f in restrict writable %out : (tensor<4x64xi32>, memref<4x64xi32>) -> ()

  return
}
