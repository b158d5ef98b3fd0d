// RUN: %python %S/run.py %s
// Case S14: a parallel op that nobody distributed updates a shared tile in
// place. It adopts the threads that own the elements: no barrier of its own.
// EXPECT workgroup_bytes=144 barriers<=2
// RESULT a1 = (a0 + a0)[::-1] * np.float16(0.5)
#id = affine_map<(d0) -> (d0)>
func.func @uniform_parallel_update(%x: memref<72xf16>, %out: memref<72xf16>)
    attributes {gpu.known_block_size = array<i32: 72, 1, 1>} {
  %xt = bufferization.to_tensor %x restrict : memref<72xf16> to tensor<72xf16>
  %c71 = arith.constant 71 : index
  %half = arith.constant 0.5 : f16
  %te = tensor.empty() : tensor<72xf16>
  %t = scf.forall (%i) in (72) shared_outs(%o = %te) -> (tensor<72xf16>) {
    %v = tensor.extract %xt[%i] : tensor<72xf16>
    %w = arith.addf %v, %v : f16
    %s = tensor.from_elements %w : tensor<1xf16>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %s into %o[%i] [1] [1] : tensor<1xf16> into tensor<72xf16>
    }
  } {mapping = [#gpu.thread<x>]}
  %u = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel"]} outs(%t : tensor<72xf16>) {
  ^bb0(%a: f16):
    %v = arith.mulf %a, %half : f16
    linalg.yield %v : f16
  } -> tensor<72xf16>
  %oe = tensor.empty() : tensor<72xf16>
  %r = scf.forall (%i) in (72) shared_outs(%o = %oe) -> (tensor<72xf16>) {
    %j = arith.subi %c71, %i : index
    %v = tensor.extract %u[%j] : tensor<72xf16>
    %s = tensor.from_elements %v : tensor<1xf16>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %s into %o[%i] [1] [1] : tensor<1xf16> into tensor<72xf16>
    }
  } {mapping = [#gpu.thread<x>]}
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<72xf16>, memref<72xf16>) -> ()
  return
}
