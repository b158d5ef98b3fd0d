// RUN: %python %S/run.py %s
// Case S13: an explicit space that contradicts the analysis (other threads read
// the tile) is an error that gives both sides.
// EXPECT refused "private.*workgroup|workgroup.*private"
// SEQUENTIAL no: stock MLIR mixes the spaces
// RESULT a1 = (a0 + a0)[::-1]
func.func @contradicting_space(%x: memref<96xi16>, %out: memref<96xi16>)
    attributes {gpu.known_block_size = array<i32: 96, 1, 1>} {
  %xt = bufferization.to_tensor %x restrict : memref<96xi16> to tensor<96xi16>
  %c95 = arith.constant 95 : index
  %te = bufferization.alloc_tensor() {memory_space = #gpu.address_space<private>} : tensor<96xi16>
  %t = scf.forall (%i) in (96) shared_outs(%o = %te) -> (tensor<96xi16>) {
    %v = tensor.extract %xt[%i] : tensor<96xi16>
    %w = arith.addi %v, %v : i16
    %s = tensor.from_elements %w : tensor<1xi16>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %s into %o[%i] [1] [1] : tensor<1xi16> into tensor<96xi16>
    }
  } {mapping = [#gpu.thread<x>]}
  %oe = tensor.empty() : tensor<96xi16>
  %r = scf.forall (%i) in (96) shared_outs(%o = %oe) -> (tensor<96xi16>) {
    %j = arith.subi %c95, %i : index
    %v = tensor.extract %t[%j] : tensor<96xi16>
    %s = tensor.from_elements %v : tensor<1xi16>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %s into %o[%i] [1] [1] : tensor<1xi16> into tensor<96xi16>
    }
  } {mapping = [#gpu.thread<x>]}
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<96xi16>, memref<96xi16>) -> ()
  return
}
