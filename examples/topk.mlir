// The places of the 10 largest elements of each row of X (64x1000, f32).
//
// A workgroup of 256 threads makes one row. The values themselves are asked for, and
// nobody reads them: neither memory nor a copy is left of them. How the threads share
// the op is not said here; memspace-distribute-structured-ops decides it.

func.func @topk(%X: memref<64x1000xf32>, %I: memref<64x10xi32>)
    attributes {gpu.known_block_size = array<i32: 256, 1, 1>} {
  %x = bufferization.to_tensor %X restrict : memref<64x1000xf32> to tensor<64x1000xf32>
  %i = bufferization.to_tensor %I restrict writable : memref<64x10xi32> to tensor<64x10xi32>
  %places = scf.forall (%row) in (64) shared_outs(%o = %i) -> (tensor<64x10xi32>) {
    %in = tensor.extract_slice %x[%row, 0] [1, 1000] [1, 1] : tensor<64x1000xf32> to tensor<1000xf32>
    %out = tensor.extract_slice %o[%row, 0] [1, 10] [1, 1] : tensor<64x10xi32> to tensor<10xi32>
    %unread = tensor.empty() : tensor<10xf32>
    %largest:2 = memspace.topk dimension(0) ins(%in : tensor<1000xf32>)
        values(%unread : tensor<10xf32>) indices(%out : tensor<10xi32>) {
    ^bb0(%left: f32, %right: f32):
      %first = arith.cmpf ogt, %left, %right : f32
      memspace.yield %first : i1
    } -> tensor<10xf32>, tensor<10xi32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %largest#1 into %o[%row, 0] [1, 10] [1, 1]
          : tensor<10xi32> into tensor<64x10xi32>
    }
  } {mapping = [#gpu.block<x>]}
  bufferization.materialize_in_destination %places in restrict writable %I
      : (tensor<64x10xi32>, memref<64x10xi32>) -> ()
  return
}
