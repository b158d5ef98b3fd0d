// Y = softmax of each row of X (64x1024, f32), written on tensors.
//
// A workgroup of 128 threads makes one row. Thread t owns the eight elements
// from 8 t on: it takes their maximum, exponentiates and sums them, and divides
// them at the end. Between these steps every thread needs the maximum and the
// sum of the whole row. docs/tutorial.md follows this kernel through every
// pass.

#by8 = affine_map<(t) -> (t * 8)>
#element = affine_map<(i) -> (i)>
#scalar = affine_map<(i) -> ()>

func.func @softmax(%X: memref<64x1024xf32>, %Y: memref<64x1024xf32>)
    attributes {gpu.known_block_size = array<i32: 128, 1, 1>, gpu.known_grid_size = array<i32: 64, 1, 1>} {
  %lowest = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0.0 : f32
  %x = bufferization.to_tensor %X restrict : memref<64x1024xf32> to tensor<64x1024xf32>
  %result = tensor.empty() : tensor<64x1024xf32>
  %y = scf.forall (%r) in (64) shared_outs(%rows = %result) -> (tensor<64x1024xf32>) {
    %row = tensor.extract_slice %x[%r, 0] [1, 1024] [1, 1] : tensor<64x1024xf32> to tensor<1024xf32>

    // The maximum of each thread's elements, then of all of them.
    %maxima_empty = tensor.empty() : tensor<128xf32>
    %maxima = scf.forall (%t) in (128) shared_outs(%all = %maxima_empty) -> (tensor<128xf32>) {
      %first = affine.apply #by8(%t)
      %own = tensor.extract_slice %row[%first] [8] [1] : tensor<1024xf32> to tensor<8xf32>
      %max_empty = tensor.empty() : tensor<f32>
      %max_init = linalg.fill ins(%lowest : f32) outs(%max_empty : tensor<f32>) -> tensor<f32>
      %max = linalg.reduce { arith.maximumf } ins(%own : tensor<8xf32>) outs(%max_init : tensor<f32>) dimensions = [0]
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %max into %all[%t] [1] [1] : tensor<f32> into tensor<128xf32>
      }
    } {mapping = [#gpu.thread<x>]}
    %maximum_empty = tensor.empty() : tensor<f32>
    %maximum_init = linalg.fill ins(%lowest : f32) outs(%maximum_empty : tensor<f32>) -> tensor<f32>
    %maximum = linalg.reduce { arith.maximumf } ins(%maxima : tensor<128xf32>) outs(%maximum_init : tensor<f32>) dimensions = [0]

    // The exponentials of the row.
    %exps_empty = tensor.empty() : tensor<1024xf32>
    %exps = scf.forall (%t) in (128) shared_outs(%all = %exps_empty) -> (tensor<1024xf32>) {
      %first = affine.apply #by8(%t)
      %own = tensor.extract_slice %row[%first] [8] [1] : tensor<1024xf32> to tensor<8xf32>
      %to = tensor.extract_slice %all[%first] [8] [1] : tensor<1024xf32> to tensor<8xf32>
      %exp = linalg.generic {indexing_maps = [#element, #scalar, #element], iterator_types = ["parallel"]}
          ins(%own, %maximum : tensor<8xf32>, tensor<f32>) outs(%to : tensor<8xf32>) {
      ^bb0(%value: f32, %max: f32, %old: f32):
        %shifted = arith.subf %value, %max : f32
        %e = math.exp %shifted : f32
        linalg.yield %e : f32
      } -> tensor<8xf32>
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %exp into %all[%first] [8] [1] : tensor<8xf32> into tensor<1024xf32>
      }
    } {mapping = [#gpu.thread<x>]}

    // The sum of each thread's exponentials, then of all of them.
    %sums_empty = tensor.empty() : tensor<128xf32>
    %sums = scf.forall (%t) in (128) shared_outs(%all = %sums_empty) -> (tensor<128xf32>) {
      %first = affine.apply #by8(%t)
      %own = tensor.extract_slice %exps[%first] [8] [1] : tensor<1024xf32> to tensor<8xf32>
      %sum_empty = tensor.empty() : tensor<f32>
      %sum_init = linalg.fill ins(%zero : f32) outs(%sum_empty : tensor<f32>) -> tensor<f32>
      %sum = linalg.reduce { arith.addf } ins(%own : tensor<8xf32>) outs(%sum_init : tensor<f32>) dimensions = [0]
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %sum into %all[%t] [1] [1] : tensor<f32> into tensor<128xf32>
      }
    } {mapping = [#gpu.thread<x>]}
    %total_empty = tensor.empty() : tensor<f32>
    %total_init = linalg.fill ins(%zero : f32) outs(%total_empty : tensor<f32>) -> tensor<f32>
    %total = linalg.reduce { arith.addf } ins(%sums : tensor<128xf32>) outs(%total_init : tensor<f32>) dimensions = [0]

    // The quotients, each by the thread that has the exponential.
    %quotients_empty = tensor.empty() : tensor<1024xf32>
    %quotients = scf.forall (%t) in (128) shared_outs(%all = %quotients_empty) -> (tensor<1024xf32>) {
      %first = affine.apply #by8(%t)
      %own = tensor.extract_slice %exps[%first] [8] [1] : tensor<1024xf32> to tensor<8xf32>
      %to = tensor.extract_slice %all[%first] [8] [1] : tensor<1024xf32> to tensor<8xf32>
      %quotient = linalg.generic {indexing_maps = [#element, #scalar, #element], iterator_types = ["parallel"]}
          ins(%own, %total : tensor<8xf32>, tensor<f32>) outs(%to : tensor<8xf32>) {
      ^bb0(%e: f32, %sum: f32, %old: f32):
        %q = arith.divf %e, %sum : f32
        linalg.yield %q : f32
      } -> tensor<8xf32>
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %quotient into %all[%first] [8] [1] : tensor<8xf32> into tensor<1024xf32>
      }
    } {mapping = [#gpu.thread<x>]}
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %quotients into %rows[%r, 0] [1, 1024] [1, 1] : tensor<1024xf32> into tensor<64x1024xf32>
    }
  } {mapping = [#gpu.block<x>]}
  bufferization.materialize_in_destination %y in restrict writable %Y : (tensor<64x1024xf32>, memref<64x1024xf32>) -> ()
  return
}
