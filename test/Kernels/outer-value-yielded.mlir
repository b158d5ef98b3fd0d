// RUN: %python %S/run.py %s
// A loop yields a tile from outside of it: the copy into the carried buffer is
// spread over the threads, although both tiles may be chosen by a select (found
// by fuzzing).
// EXPECT workgroup_bytes<=800
// RESULT a5 = np.concatenate([np.full((5, 16), 2, np.int32), a5[5:]])
func.func @k(%m_x0: memref<100xi32>, %m_x1: memref<100xi32>, %m_x2: memref<16x16xi32>, %m_flags: memref<8xi32>, %m_idx: memref<128xi32>, %m_y0: memref<16x16xi32>)
    attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
  %y0 = bufferization.to_tensor %m_y0 restrict writable : memref<16x16xi32> to tensor<16x16xi32>
  %c0_index = arith.constant 0 : index
  %c100_index = arith.constant 100 : index
  %c1_i32 = arith.constant 1 : i32
  %c1_index = arith.constant 1 : index
  %c2_i32 = arith.constant 2 : i32
  %c2_index = arith.constant 2 : index
  %c5_index = arith.constant 5 : index
  %c81_index = arith.constant 81 : index
  %v1 = tensor.empty() : tensor<100xi32>
  %v4 = scf.forall (%i2) in (100) shared_outs(%o3 = %v1) -> (tensor<100xi32>) {
    %s_1 = tensor.extract_slice %o3[%i2] [1] [1] : tensor<100xi32> to tensor<1xi32>
    %s_2 = tensor.insert %c2_i32 into %s_1[%c0_index] : tensor<1xi32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %s_2 into %o3[%i2] [1] [1] : tensor<1xi32> into tensor<100xi32>
    }
  } {mapping = [#gpu.thread<x>]}
  %v21 = scf.for %t5 = %c0_index to %c2_index step %c1_index iter_args(%v6 = %v4) -> (tensor<100xi32>) {
    scf.yield %v4 : tensor<100xi32>
  }
  %f_4 = tensor.extract %v4[%c81_index] : tensor<100xi32>
  %c_3 = arith.cmpi sgt, %f_4, %c1_i32 : i32
  %v23 = arith.select %c_3, %v21, %v4 : tensor<100xi32>
  %v32 = scf.forall (%i29, %j30) in (5, 16) shared_outs(%o31 = %y0) -> (tensor<16x16xi32>) {
    %s_5 = tensor.extract_slice %o31[%i29, %j30] [1, 1] [1, 1] : tensor<16x16xi32> to tensor<1xi32>
    %a_6 = arith.muli %j30, %c5_index : index
    %a_7 = arith.remui %a_6, %c100_index : index
    %v_8 = tensor.extract %v23[%a_7] : tensor<100xi32>
    %s_9 = tensor.insert %v_8 into %s_5[%c0_index] : tensor<1xi32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %s_9 into %o31[%i29, %j30] [1, 1] [1, 1] : tensor<1xi32> into tensor<16x16xi32>
    }
  } {mapping = [#gpu.thread<x>, #gpu.thread<y>]}
  bufferization.materialize_in_destination %v32 in restrict writable %m_y0 : (tensor<16x16xi32>, memref<16x16xi32>) -> ()
  return
}
