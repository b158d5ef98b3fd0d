// RUN: not memspace-opt %s -memspace-kernel-pipeline=chip=gfx942 -o /dev/null 2>&1 | FileCheck %s
// A while loop whose condition turns three carried tensors around inside of others: the
// copies that it needs make others needed. That ends soon, with an error.
// CHECK: error: the loop-carried tensors of kernel 'kernel' do not come to rest in buffers of their own; copy what a loop yields (linalg.copy) into a tensor of its own
func.func @kernel(%arg0: memref<64xi16>, %arg1: memref<16xi32>, %arg2: memref<64xi16>, %arg3: memref<64xi16>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %0 = bufferization.to_tensor %arg2 restrict writable : memref<64xi16> to tensor<64xi16>
  %1 = tensor.empty() : tensor<64xi16>
  %2:2 = scf.forall (%arg4) in (1) shared_outs(%arg5 = %0, %arg6 = %1) -> (tensor<64xi16>, tensor<64xi16>) {
    %3 = affine.apply affine_map<(d0) -> (d0 * 64)>(%arg4)
    %extracted_slice = tensor.extract_slice %arg5[%3] [64] [1] : tensor<64xi16> to tensor<64xi16>
    %c16 = arith.constant 16 : index
    %4 = tensor.empty() : tensor<64xi16>
    %5 = scf.forall (%arg7) in (16) shared_outs(%arg8 = %4) -> (tensor<64xi16>) {
      %extracted_slice_0 = tensor.extract_slice %extracted_slice[%arg7] [4] [1] : tensor<64xi16> to tensor<4xi16>
      %c1 = arith.constant 1 : index
      %6 = arith.subi %c16, %c1 : index
      %7 = arith.subi %6, %arg7 : index
      %8 = affine.apply affine_map<(d0) -> (d0 * 4)>(%7)
      %c3 = arith.constant 3 : index
      %c0 = arith.constant 0 : index
      %c1_1 = arith.constant 1 : index
      %9:4 = scf.while (%arg9 = %extracted_slice_0, %arg10 = %extracted_slice_0, %arg11 = %extracted_slice_0, %arg12 = %c0) : (tensor<4xi16>, tensor<4xi16>, tensor<4xi16>, index) -> (tensor<4xi16>, tensor<4xi16>, tensor<4xi16>, index) {
        %10 = arith.cmpi ult, %arg12, %c3 : index
        scf.condition(%10) %arg11, %arg10, %arg9, %arg12 : tensor<4xi16>, tensor<4xi16>, tensor<4xi16>, index
      } do {
      ^bb0(%arg9: tensor<4xi16>, %arg10: tensor<4xi16>, %arg11: tensor<4xi16>, %arg12: index):
        %c0_2 = arith.constant 0 : index
        %10 = arith.cmpi eq, %arg4, %c0_2 : index
        %11:3 = scf.if %10 -> (tensor<4xi16>, tensor<4xi16>, tensor<4xi16>) {
          %c4 = arith.constant 4 : index
          %c0_3 = arith.constant 0 : index
          %c1_4 = arith.constant 1 : index
          %13:4 = scf.while (%arg13 = %arg9, %arg14 = %arg10, %arg15 = %arg11, %arg16 = %c0_3) : (tensor<4xi16>, tensor<4xi16>, tensor<4xi16>, index) -> (tensor<4xi16>, tensor<4xi16>, tensor<4xi16>, index) {
            %15 = arith.cmpi ult, %arg16, %c4 : index
            scf.condition(%15) %arg13, %arg14, %arg15, %arg16 : tensor<4xi16>, tensor<4xi16>, tensor<4xi16>, index
          } do {
          ^bb0(%arg13: tensor<4xi16>, %arg14: tensor<4xi16>, %arg15: tensor<4xi16>, %arg16: index):
            %c1_5 = arith.constant 1 : index
            %c0_6 = arith.constant 0 : index
            %c1_7 = arith.constant 1 : index
            %15:3 = scf.for %arg17 = %c0_6 to %c1_5 step %c1_7 iter_args(%arg18 = %arg13, %arg19 = %arg14, %arg20 = %arg15) -> (tensor<4xi16>, tensor<4xi16>, tensor<4xi16>) {
              scf.yield %arg18, %arg20, %arg18 : tensor<4xi16>, tensor<4xi16>, tensor<4xi16>
            }
            %16 = arith.addi %arg16, %c1_4 : index
            scf.yield %15#0, %15#2, %15#1, %16 : tensor<4xi16>, tensor<4xi16>, tensor<4xi16>, index
          }
          %14 = linalg.copy ins(%13#2 : tensor<4xi16>) outs(%13#2 : tensor<4xi16>) -> tensor<4xi16>
          scf.yield %13#0, %14, %13#2 : tensor<4xi16>, tensor<4xi16>, tensor<4xi16>
        } else {
          scf.yield %arg9, %arg10, %arg11 : tensor<4xi16>, tensor<4xi16>, tensor<4xi16>
        }
        %12 = arith.addi %arg12, %c1_1 : index
        scf.yield %11#1, %11#2, %11#0, %12 : tensor<4xi16>, tensor<4xi16>, tensor<4xi16>, index
      }
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %9#2 into %arg8[%8] [4] [1] : tensor<4xi16> into tensor<64xi16>
      }
    } {mapping = [#gpu.thread<x>]}
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %5 into %arg6[%3] [64] [1] : tensor<64xi16> into tensor<64xi16>
    }
  } {mapping = [#gpu.block<x>]}
  bufferization.materialize_in_destination %2#0 in restrict writable %arg2 : (tensor<64xi16>, memref<64xi16>) -> ()
  bufferization.materialize_in_destination %2#1 in restrict writable %arg3 : (tensor<64xi16>, memref<64xi16>) -> ()
  return
}
