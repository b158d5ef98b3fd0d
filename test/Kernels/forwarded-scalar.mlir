// RUN: %python %S/run.py %s
// A scalar inserted at a dynamic index must not be forwarded to reads at other
// indices (found by fuzzing).
// EXPECT workgroup_bytes<=1024
// RESULT a5 = np.array([[7 if i == (b + 124) % 128 else 2 for i in range(128)] for b in range(3)], np.int32)
func.func @k(%m_x0: memref<3x128xi32>, %m_x1: memref<3x128xi32>, %m_x2: memref<3x8x16xi32>, %m_flags: memref<8xi32>, %m_idx: memref<128xi32>, %m_y0: memref<3x128xi32>)
    attributes {gpu.known_block_size = array<i32: 16, 4, 1>, gpu.known_grid_size = array<i32: 3, 1, 1>} {
  %x0 = bufferization.to_tensor %m_x0 restrict : memref<3x128xi32> to tensor<3x128xi32>
  %x1 = bufferization.to_tensor %m_x1 restrict : memref<3x128xi32> to tensor<3x128xi32>
  %x2 = bufferization.to_tensor %m_x2 restrict : memref<3x8x16xi32> to tensor<3x8x16xi32>
  %y0 = tensor.empty() : tensor<3x128xi32>
  %c0_index = arith.constant 0 : index
  %c124_index = arith.constant 124 : index
  %c128_index = arith.constant 128 : index
  %c2_i32 = arith.constant 2 : i32
  %c7_i32 = arith.constant 7 : i32
  %v4 = scf.forall (%b1) in (3) shared_outs(%o2 = %y0) -> (tensor<3x128xi32>) {
    %v3 = tensor.extract_slice %o2[%b1, 0] [1, 128] [1, 1] : tensor<3x128xi32> to tensor<128xi32>
    %v5 = tensor.extract_slice %x0[%b1, 0] [1, 128] [1, 1] : tensor<3x128xi32> to tensor<128xi32>
    %v6 = tensor.extract_slice %x1[%b1, 0] [1, 128] [1, 1] : tensor<3x128xi32> to tensor<128xi32>
    %v7 = tensor.extract_slice %x2[%b1, 0, 0] [1, 8, 16] [1, 1, 1] : tensor<3x8x16xi32> to tensor<8x16xi32>
    %v8 = bufferization.alloc_tensor() : tensor<128xi32>
    %v11 = scf.forall (%i9) in (128) shared_outs(%o10 = %v8) -> (tensor<128xi32>) {
      %a_1 = affine.apply affine_map<(d0, d1) -> ((((d0 + 72) + d1) mod 128))>(%i9, %b1)
      %s_2 = tensor.extract_slice %o10[%a_1] [1] [1] : tensor<128xi32> to tensor<1xi32>
      %s_3 = tensor.insert %c2_i32 into %s_2[%c0_index] : tensor<1xi32>
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %s_3 into %o10[%a_1] [1] [1] : tensor<1xi32> into tensor<128xi32>
      }
    } {mapping = [#gpu.thread<x>]}
    %a_4 = arith.addi %b1, %c124_index : index
    %a_5 = arith.remui %a_4, %c128_index : index
    %v12 = tensor.insert %c7_i32 into %v11[%a_5] : tensor<128xi32>
    %s_6 = tensor.extract_slice %v12[%c0_index] [128] [1] : tensor<128xi32> to tensor<128xi32>
    %v13 = tensor.insert_slice %s_6 into %v11[%c0_index] [128] [1] : tensor<128xi32> into tensor<128xi32>
    %v24 = scf.forall (%i22) in (128) shared_outs(%o23 = %v3) -> (tensor<128xi32>) {
      %s_7 = tensor.extract_slice %o23[%i22] [1] [1] : tensor<128xi32> to tensor<1xi32>
      %v_8 = tensor.extract %v13[%i22] : tensor<128xi32>
      %s_9 = tensor.insert %v_8 into %s_7[%c0_index] : tensor<1xi32>
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %s_9 into %o23[%i22] [1] [1] : tensor<1xi32> into tensor<128xi32>
      }
    } {mapping = [#gpu.thread<y>]}
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %v24 into %o2[%b1, 0] [1, 128] [1, 1] : tensor<128xi32> into tensor<3x128xi32>
    }
  } {mapping = [#gpu.block<x>]}
  bufferization.materialize_in_destination %v4 in restrict writable %m_y0 : (tensor<3x128xi32>, memref<3x128xi32>) -> ()
  return
}
