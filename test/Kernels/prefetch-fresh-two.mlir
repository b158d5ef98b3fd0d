// RUN: %python %S/run.py %s
// Two fresh tiles are loaded in each iteration while the carried ones are read.
// EXPECT workgroup_bytes=1024 barriers<=3
// RESULT a2 = (a0[:4, ::-1] * a1[:4, ::-1]).sum(0)
func.func @prefetch_fresh_two(%ina: memref<5x64xi32>, %inb: memref<5x64xi32>, %out: memref<64xi32>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %inat = bufferization.to_tensor %ina restrict : memref<5x64xi32> to tensor<5x64xi32>
  %inbt = bufferization.to_tensor %inb restrict : memref<5x64xi32> to tensor<5x64xi32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %zi = arith.constant 0 : i32
  %c63 = arith.constant 63 : index
  %c64 = arith.constant 64 : index
  %ae = tensor.empty() : tensor<64xi32>
  %a0 = linalg.fill ins(%zi : i32) outs(%ae : tensor<64xi32>) -> tensor<64xi32>
  %a0e = tensor.empty() : tensor<64xi32>
  %a0_ = scf.forall (%i) in (64) shared_outs(%o = %a0e) -> (tensor<64xi32>) {
    %v = tensor.extract %inat[%c0, %i] : tensor<5x64xi32>
    %se_ = tensor.from_elements %v : tensor<1xi32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %se_ into %o[%i] [1] [1] : tensor<1xi32> into tensor<64xi32>
    }
  } {mapping = [#gpu.thread<x>]}
  %b0e = tensor.empty() : tensor<64xi32>
  %b0_ = scf.forall (%i) in (64) shared_outs(%o = %b0e) -> (tensor<64xi32>) {
    %v = tensor.extract %inbt[%c0, %i] : tensor<5x64xi32>
    %se_ = tensor.from_elements %v : tensor<1xi32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %se_ into %o[%i] [1] [1] : tensor<1xi32> into tensor<64xi32>
    }
  } {mapping = [#gpu.thread<x>]}
  %f:3 = scf.for %k = %c0 to %c4 step %c1 iter_args(%ca = %a0_, %cb = %b0_, %ac = %a0) -> (tensor<64xi32>, tensor<64xi32>, tensor<64xi32>) {
    %kn = arith.addi %k, %c1 : index
    %na = tensor.empty() : tensor<64xi32>
    %la = scf.forall (%i) in (64) shared_outs(%o = %na) -> (tensor<64xi32>) {
      %v = tensor.extract %inat[%kn, %i] : tensor<5x64xi32>
      %se_ = tensor.from_elements %v : tensor<1xi32>
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %se_ into %o[%i] [1] [1] : tensor<1xi32> into tensor<64xi32>
      }
    } {mapping = [#gpu.thread<x>]}
    %nb = tensor.empty() : tensor<64xi32>
    %lb = scf.forall (%i) in (64) shared_outs(%o = %nb) -> (tensor<64xi32>) {
      %v = tensor.extract %inbt[%kn, %i] : tensor<5x64xi32>
      %se_ = tensor.from_elements %v : tensor<1xi32>
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %se_ into %o[%i] [1] [1] : tensor<1xi32> into tensor<64xi32>
      }
    } {mapping = [#gpu.thread<x>]}
    %ac1 = scf.forall (%i) in (64) shared_outs(%o = %ac) -> (tensor<64xi32>) {
      %j = arith.subi %c63, %i : index
      %w = tensor.extract %ca[%j] : tensor<64xi32>
      %w2 = tensor.extract %cb[%j] : tensor<64xi32>
      %m = arith.muli %w, %w2 : i32
      %u = tensor.extract %o[%i] : tensor<64xi32>
      %v = arith.addi %u, %m : i32
      %se_ = tensor.from_elements %v : tensor<1xi32>
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %se_ into %o[%i] [1] [1] : tensor<1xi32> into tensor<64xi32>
      }
    } {mapping = [#gpu.thread<x>]}
    scf.yield %la, %lb, %ac1 : tensor<64xi32>, tensor<64xi32>, tensor<64xi32>
  }
  bufferization.materialize_in_destination %f#2 in restrict writable %out : (tensor<64xi32>, memref<64xi32>) -> ()

  return
}
