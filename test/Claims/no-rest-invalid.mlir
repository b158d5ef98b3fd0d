// RUN: not memspace-test-opt %s -memspace-kernel-pipeline=chip=gfx942 -o /dev/null 2>&1 | FileCheck %s
// Copies that conflicts need, each of which makes another one needed.
// CHECK: error: kernel 'kernel' does not come to rest: each copy that a tensor needs, which is updated and read later, makes another one needed; copy what is both updated and read later by a linalg.copy into a tensor of its own
func.func @kernel(%arg0: memref<412xf32>, %arg1: memref<412xi8>, %arg2: memref<412xf32>, %arg3: memref<16xi32>, %arg4: index, %arg5: i32, %arg6: memref<412xf32>) attributes {gpu.known_block_size = array<i32: 8, 16, 1>, gpu.known_grid_size = array<i32: 4, 1, 1>} {
  %cst = arith.constant 2.500000e-01 : f32
  %c15_i32 = arith.constant 15 : i32
  %c1 = arith.constant 1 : index
  %c0 = arith.constant 0 : index
  %c3 = arith.constant 3 : index
  %0 = lie.load_binding %arg0 : memref<412xf32> -> tensor<412xf32>
  %1 = tensor.empty() : tensor<412xf32>
  %2 = scf.forall (%arg7) in (4) shared_outs(%arg8 = %1) -> (tensor<412xf32>) {
    %3 = affine.apply affine_map<(d0) -> (d0 * 128)>(%arg7)
    %4 = affine.min affine_map<(d0) -> (d0 * -128 + 412, 128)>(%arg7)
    %extracted_slice = tensor.extract_slice %0[%3] [%4] [1] : tensor<412xf32> to tensor<?xf32>
    %extracted_slice_0 = tensor.extract_slice %arg8[%3] [%4] [1] : tensor<412xf32> to tensor<?xf32>
    %5:2 = scf.while (%arg9 = %c0) : (index) -> (tensor<?xf32>, index) {
      %9 = tensor.empty(%4) : tensor<?xf32>
      %10 = scf.forall (%arg10) in (%4) shared_outs(%arg11 = %9) -> (tensor<?xf32>) {
        %extracted_slice_1 = tensor.extract_slice %arg11[%arg10] [1] [1] : tensor<?xf32> to tensor<1xf32>
        %12 = arith.index_cast %arg10 : index to i32
        %13 = arith.andi %12, %c15_i32 : i32
        %14 = arith.sitofp %13 : i32 to f32
        %15 = arith.subf %14, %cst : f32
        %inserted = tensor.insert %15 into %extracted_slice_1[%c0] : tensor<1xf32>
        scf.forall.in_parallel {
          tensor.parallel_insert_slice %inserted into %arg11[%arg10] [1] [1] : tensor<1xf32> into tensor<?xf32>
        }
      } {mapping = [#gpu.thread<x>]}
      %11 = arith.cmpi ult, %arg9, %c3 : index
      scf.condition(%11) %10, %arg9 : tensor<?xf32>, index
    } do {
    ^bb0(%arg9: tensor<?xf32>, %arg10: index):
      %9 = arith.addi %arg10, %c1 : index
      scf.yield %9 : index
    }
    %6 = tensor.empty(%4) : tensor<?xf32>
    %7 = scf.forall (%arg9) in (%4) shared_outs(%arg10 = %6) -> (tensor<?xf32>) {
      %extracted = tensor.extract %5#0[%arg9] : tensor<?xf32>
      %9 = arith.remui %arg9, %4 : index
      %extracted_1 = tensor.extract %extracted_slice[%9] : tensor<?xf32>
      %10 = arith.index_cast %arg4 : index to i32
      %11 = arith.andi %10, %c15_i32 : i32
      %12 = arith.sitofp %11 : i32 to f32
      %13 = arith.addf %12, %extracted : f32
      %14 = arith.addf %extracted_1, %13 : f32
      %from_elements = tensor.from_elements %14 : tensor<1xf32>
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %from_elements into %arg10[%arg9] [1] [1] : tensor<1xf32> into tensor<?xf32>
      }
    } {mapping = [#gpu.thread<linear_dim_0>]}
    %8 = scf.forall (%arg9) in (%4) shared_outs(%arg10 = %extracted_slice_0) -> (tensor<?xf32>) {
      %extracted_slice_1 = tensor.extract_slice %7[%arg9] [1] [1] : tensor<?xf32> to tensor<1xf32>
      %9 = arith.remui %arg9, %4 : index
      %extracted_slice_2 = tensor.extract_slice %arg10[%9] [1] [1] : tensor<?xf32> to tensor<1xf32>
      %10 = arith.subi %4, %c1 : index
      %11 = arith.subi %10, %9 : index
      %extracted = tensor.extract %extracted_slice[%11] : tensor<?xf32>
      %extracted_3 = tensor.extract %extracted_slice_1[%c0] : tensor<1xf32>
      %12 = arith.subf %extracted_3, %extracted : f32
      %inserted = tensor.insert %12 into %extracted_slice_2[%c0] : tensor<1xf32>
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %inserted into %arg10[%9] [1] [1] : tensor<1xf32> into tensor<?xf32>
      }
    } {mapping = [#gpu.thread<linear_dim_0>]}
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %8 into %arg8[%3] [%4] [1] : tensor<?xf32> into tensor<412xf32>
    }
  } {mapping = [#gpu.block<x>]}
  bufferization.materialize_in_destination %2 in restrict writable %arg6 : (tensor<412xf32>, memref<412xf32>) -> ()
  return
}
func.func @kernel1(%arg0: memref<144xi64>, %arg1: memref<144xi64>, %arg2: memref<144xi64>, %arg3: memref<16xi32>, %arg4: i32, %arg5: memref<144xi64>, %arg6: memref<144xi64>) attributes {gpu.known_block_size = array<i32: 128, 1, 1>, gpu.known_grid_size = array<i32: 3, 1, 1>} {
  return
}
