// RUN: memspace-opt %s -split-input-file -memspace-normalize-kernels=chip=gfx942 | FileCheck %s
// What an inner loop mixed and an outer one hands on comes to rest.
// CHECK-LABEL: func.func @in_while
// CHECK: memspace.carried
// CHECK-LABEL: func.func @in_switch
// CHECK: memspace.carried
func.func @in_while(%arg0: memref<192xf64>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>, gpu.known_grid_size = array<i32: 3, 1, 1>} {
  %0 = bufferization.to_tensor %arg0 restrict writable : memref<192xf64> to tensor<192xf64>
  %1 = scf.forall (%arg1) in (3) shared_outs(%arg2 = %0) -> (tensor<192xf64>) {
    %2 = affine.apply affine_map<(d0) -> (d0 * 64)>(%arg1)
    %3 = tensor.empty() : tensor<64xf64>
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %4:2 = scf.for %arg3 = %c0 to %c2 step %c1 iter_args(%arg4 = %3, %arg5 = %3) -> (tensor<64xf64>, tensor<64xf64>) {
      %c0_0 = arith.constant 0 : index
      %5:3 = scf.while (%arg6 = %arg4, %arg7 = %arg5, %arg8 = %c0_0) : (tensor<64xf64>, tensor<64xf64>, index) -> (tensor<64xf64>, tensor<64xf64>, index) {
        %false = arith.constant false
        scf.condition(%false) %arg6, %arg7, %arg8 : tensor<64xf64>, tensor<64xf64>, index
      } do {
      ^bb0(%arg6: tensor<64xf64>, %arg7: tensor<64xf64>, %arg8: index):
        %c0_1 = arith.constant 0 : index
        %c0_2 = arith.constant 0 : index
        %c1_3 = arith.constant 1 : index
        %6:2 = scf.for %arg9 = %c0_2 to %c0_1 step %c1_3 iter_args(%arg10 = %arg6, %arg11 = %arg7) -> (tensor<64xf64>, tensor<64xf64>) {
          %false = arith.constant false
          %7:2 = scf.if %false -> (tensor<64xf64>, tensor<64xf64>) {
            scf.yield %arg11, %arg11 : tensor<64xf64>, tensor<64xf64>
          } else {
            scf.yield %arg10, %arg11 : tensor<64xf64>, tensor<64xf64>
          }
          scf.yield %arg10, %7#0 : tensor<64xf64>, tensor<64xf64>
        }
        scf.yield %6#1, %arg6, %arg8 : tensor<64xf64>, tensor<64xf64>, index
      }
      scf.yield %arg4, %5#1 : tensor<64xf64>, tensor<64xf64>
    }
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %4#1 into %arg2[%2] [64] [1] : tensor<64xf64> into tensor<192xf64>
    }
  } {mapping = [#gpu.block<linear_dim_0>]}
  bufferization.materialize_in_destination %1 in restrict writable %arg0 : (tensor<192xf64>, memref<192xf64>) -> ()
  return
}

// -----

func.func @in_switch(%arg0: memref<128xbf16>, %arg1: memref<16xi32>, %arg2: i32, %arg3: index, %arg4: memref<128xbf16>) attributes {gpu.known_block_size = array<i32: 16, 4, 1>} {
  %0 = bufferization.to_tensor %arg0 restrict : memref<128xbf16> to tensor<128xbf16>
  %1 = tensor.empty() : tensor<128xbf16>
  %2 = scf.forall (%arg5) in (1) shared_outs(%arg6 = %1) -> (tensor<128xbf16>) {
    %c64 = arith.constant 64 : index
    %3:2 = scf.forall (%arg7, %arg8) in (4, 16) shared_outs(%arg9 = %0, %arg10 = %0) -> (tensor<128xbf16>, tensor<128xbf16>) {
      %4 = affine.apply affine_map<(d0, d1) -> (d0 * 16 + d1)>(%arg7, %arg8)
      %5 = affine.apply affine_map<(d0) -> (d0 mod 64)>(%4)
      %extracted_slice = tensor.extract_slice %0[%5] [2] [1] : tensor<128xbf16> to tensor<2xbf16>
      %extracted_slice_0 = tensor.extract_slice %0[%4] [2] [1] : tensor<128xbf16> to tensor<2xbf16>
      %c1 = arith.constant 1 : index
      %6 = arith.subi %c64, %c1 : index
      %7 = arith.subi %6, %4 : index
      %8 = affine.apply affine_map<(d0) -> (d0 * 2)>(%7)
      %extracted_slice_1 = tensor.extract_slice %arg9[%8] [2] [1] : tensor<128xbf16> to tensor<2xbf16>
      %9 = affine.apply affine_map<(d0) -> (d0 * 2)>(%4)
      %extracted_slice_2 = tensor.extract_slice %arg10[%9] [2] [1] : tensor<128xbf16> to tensor<2xbf16>
      %c0 = arith.constant 0 : index
      %c0_3 = arith.constant 0 : index
      %c1_4 = arith.constant 1 : index
      %10:2 = scf.for %arg11 = %c0_3 to %c0 step %c1_4 iter_args(%arg12 = %extracted_slice_2, %arg13 = %extracted_slice_0) -> (tensor<2xbf16>, tensor<2xbf16>) {
        %c0_5 = arith.constant 0 : index
        %c0_6 = arith.constant 0 : index
        %c1_7 = arith.constant 1 : index
        %c1_8 = arith.constant 1 : index
        %11:4 = scf.for %arg14 = %c0_6 to %c0_5 step %c1_7 iter_args(%arg15 = %extracted_slice_2, %arg16 = %arg13, %arg17 = %extracted_slice_1, %arg18 = %c1_8) -> (tensor<2xbf16>, tensor<2xbf16>, tensor<2xbf16>, index) {
          %13 = tensor.empty() : tensor<2xbf16>
          %14 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%arg15, %arg16, %arg17 : tensor<2xbf16>, tensor<2xbf16>, tensor<2xbf16>) outs(%13 : tensor<2xbf16>) {
          ^bb0(%in: bf16, %in_10: bf16, %in_11: bf16, %out: bf16):
            %15 = arith.addf %in, %in_10 : bf16
            linalg.yield %15 : bf16
          } -> tensor<2xbf16>
          scf.yield %14, %arg17, %arg15, %arg18 : tensor<2xbf16>, tensor<2xbf16>, tensor<2xbf16>, index
        }
        %c0_9 = arith.constant 0 : index
        %12:2 = scf.index_switch %c0_9 -> tensor<2xbf16>, tensor<2xbf16> 
        case 0 {
          scf.yield %11#0, %extracted_slice : tensor<2xbf16>, tensor<2xbf16>
        }
        case 1 {
          scf.yield %11#0, %extracted_slice : tensor<2xbf16>, tensor<2xbf16>
        }
        default {
          scf.yield %extracted_slice_1, %11#0 : tensor<2xbf16>, tensor<2xbf16>
        }
        scf.yield %arg12, %12#0 : tensor<2xbf16>, tensor<2xbf16>
      }
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %10#1 into %arg10[%9] [2] [1] : tensor<2xbf16> into tensor<128xbf16>
      }
    } {mapping = [#gpu.thread<linear_dim_1>, #gpu.thread<linear_dim_0>]}
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %3#1 into %arg6[%arg5] [128] [1] : tensor<128xbf16> into tensor<128xbf16>
    }
  } {mapping = [#gpu.block<x>]}
  bufferization.materialize_in_destination %2 in restrict writable %arg4 : (tensor<128xbf16>, memref<128xbf16>) -> ()
  return
}
