// RUN: %python %S/run.py %s
// One tensor without contents is the destination of everything and begins two slots
// of a loop, as after CSE; upstream gives both slots one buffer.
// EXPECT workgroup_bytes<=1024 barriers<=2
// RESULT a2 = (a0[:4, ::-1] * a1[:4, ::-1]).sum(0)
// SEQUENTIAL no: One-Shot gives two slots of the loop the same buffer
func.func @carried_empty_twice(%in0: memref<5x64xi32>, %in1: memref<5x64xi32>, %out: memref<64xi32>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %in0t = bufferization.to_tensor %in0 restrict : memref<5x64xi32> to tensor<5x64xi32>
  %in1t = bufferization.to_tensor %in1 restrict : memref<5x64xi32> to tensor<5x64xi32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %zi = arith.constant 0 : i32
  %c63 = arith.constant 63 : index
  %c64 = arith.constant 64 : index
  %x0e = tensor.empty() : tensor<64xi32>
  %a0 = linalg.fill ins(%zi : i32) outs(%x0e : tensor<64xi32>) -> tensor<64xi32>
  %x0 = scf.forall (%i) in (64) shared_outs(%o = %x0e) -> (tensor<64xi32>) {
    %v = tensor.extract %in0t[%c0, %i] : tensor<5x64xi32>
    %se_ = tensor.from_elements %v : tensor<1xi32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %se_ into %o[%i] [1] [1] : tensor<1xi32> into tensor<64xi32>
    }
  } {mapping = [#gpu.thread<x>]}
  %x1 = scf.forall (%i) in (64) shared_outs(%o = %x0e) -> (tensor<64xi32>) {
    %v = tensor.extract %in1t[%c0, %i] : tensor<5x64xi32>
    %se_ = tensor.from_elements %v : tensor<1xi32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %se_ into %o[%i] [1] [1] : tensor<1xi32> into tensor<64xi32>
    }
  } {mapping = [#gpu.thread<x>]}
  %f:5 = scf.for %k = %c0 to %c4 step %c1 iter_args(%c0_ = %x0, %c1_ = %x1, %n0 = %x0e, %n1 = %x0e, %ac = %a0) -> (tensor<64xi32>, tensor<64xi32>, tensor<64xi32>, tensor<64xi32>, tensor<64xi32>) {
    %kn = arith.addi %k, %c1 : index
    %l0 = scf.forall (%i) in (64) shared_outs(%o = %n0) -> (tensor<64xi32>) {
      %v = tensor.extract %in0t[%kn, %i] : tensor<5x64xi32>
      %se_ = tensor.from_elements %v : tensor<1xi32>
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %se_ into %o[%i] [1] [1] : tensor<1xi32> into tensor<64xi32>
      }
    } {mapping = [#gpu.thread<x>]}
    %l1 = scf.forall (%i) in (64) shared_outs(%o = %n1) -> (tensor<64xi32>) {
      %v = tensor.extract %in1t[%kn, %i] : tensor<5x64xi32>
      %se_ = tensor.from_elements %v : tensor<1xi32>
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %se_ into %o[%i] [1] [1] : tensor<1xi32> into tensor<64xi32>
      }
    } {mapping = [#gpu.thread<x>]}
    %ac1 = scf.forall (%i) in (64) shared_outs(%o = %ac) -> (tensor<64xi32>) {
      %j = arith.subi %c63, %i : index
      %w0 = tensor.extract %c0_[%j] : tensor<64xi32>
      %w1 = tensor.extract %c1_[%j] : tensor<64xi32>
      %u = tensor.extract %o[%i] : tensor<64xi32>
      %m0 = arith.muli %w0, %w1 : i32
      %v = arith.addi %u, %m0 : i32
      %se_ = tensor.from_elements %v : tensor<1xi32>
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %se_ into %o[%i] [1] [1] : tensor<1xi32> into tensor<64xi32>
      }
    } {mapping = [#gpu.thread<x>]}
    scf.yield %l0, %l1, %c0_, %c1_, %ac1 : tensor<64xi32>, tensor<64xi32>, tensor<64xi32>, tensor<64xi32>, tensor<64xi32>
  }
  bufferization.materialize_in_destination %f#4 in restrict writable %out : (tensor<64xi32>, memref<64xi32>) -> ()

  return
}
