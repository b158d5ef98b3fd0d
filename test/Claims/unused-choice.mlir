// RUN: memspace-fuzz %s | FileCheck %s
// CHECK: kernels: 1, ok: 1,
// What only an unused result of a choice needs is not computed, from nothing.
func.func @kernel(%arg0: memref<64xf32>, %arg1: memref<64xi32>, %arg2: index, %arg3: memref<64xi32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %0 = bufferization.to_tensor %arg0 restrict : memref<64xf32> to tensor<64xf32>
  %1 = bufferization.to_tensor %arg1 restrict : memref<64xi32> to tensor<64xi32>
  %2 = tensor.empty() : tensor<64xf32>
  %3 = scf.forall (%arg4) in (16) shared_outs(%arg5 = %2) -> (tensor<64xf32>) {
    %extracted_slice = tensor.extract_slice %0[%arg4] [4] [1] : tensor<64xf32> to tensor<4xf32>
    %6 = affine.apply affine_map<(d0) -> (d0 * 4)>(%arg4)
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %extracted_slice into %arg5[%6] [4] [1] : tensor<4xf32> into tensor<64xf32>
    }
  } {mapping = [#gpu.thread<x>]}
  %4 = lie.update %3, %3 : tensor<64xf32>, tensor<64xf32> -> tensor<64xf32>
  %5:2 = scf.index_switch %arg2 -> tensor<64xf32>, tensor<64xi32> 
  case 0 {
    scf.yield %4, %1 : tensor<64xf32>, tensor<64xi32>
  }
  case 1 {
    scf.yield %4, %1 : tensor<64xf32>, tensor<64xi32>
  }
  default {
    scf.yield %4, %1 : tensor<64xf32>, tensor<64xi32>
  }
  bufferization.materialize_in_destination %5#1 in restrict writable %arg3 : (tensor<64xi32>, memref<64xi32>) -> ()
  return
}
