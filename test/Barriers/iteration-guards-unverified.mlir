// The verifier does not follow the guards of this kernel (a random one), so it
// gets none.
// RUN: memspace-opt %s -memspace-insert-barriers="chip=sm_90 iteration-guards" -o %t
// RUN: memspace-opt %t -memspace-verify-barriers=chip=sm_90 -o /dev/null
// RUN: memspace-opt %s -memspace-insert-barriers=chip=sm_90 | diff - %t

#wg = #gpu.address_space<workgroup>
memref.global "private" @global0 : memref<32xf32, #wg> = uninitialized
func.func @kernel(%flag0: i1, %flag1: i1, %n: index, %m: i32, %in_f32: memref<64xf32>, %out_f32: memref<32xf32>, %in_i32: memref<64xi32>, %out_i32: memref<32xi32>, %in_f16: memref<64xf16>, %out_f16: memref<32xf16>, %in_i8: memref<64xi8>, %out_i8: memref<32xi8>)
    attributes {gpu.known_block_size = array<i32: 32, 1, 1>} {
  %v0 = gpu.thread_id x
  %trips_mask = arith.constant 3 : index
  %trips = arith.andi %n, %trips_mask : index
  %m_index = arith.index_cast %m : i32 to index
  %v1 = memref.get_global @global0 : memref<32xf32, #wg>
  %v2 = memref.alloc() : memref<16xf32, #wg>
  %v3 = memref.alloc() : memref<32xf32, #wg>
  %v4 = memref.alloc() : memref<4x8xi8, #wg>
  %v5 = memref.alloc() : memref<32xf32, #wg>
  %v6 = memref.alloc() : memref<32xi32, #wg>
  %v7 = memref.alloc() : memref<4x8xf32, #wg>
  %v8 = scf.if %flag0 -> (memref<32xf32, #wg>) {
    %v9 = memref.alloc() : memref<32xf32, #wg>
    %v10 = arith.constant 13 : index
    %v11 = arith.addi %v0, %v10 : index
    %v12 = memref.load %in_f32[%v11] : memref<64xf32>
    memref.store %v12, %v9[%v0] : memref<32xf32, #wg>
    scf.yield %v9 : memref<32xf32, #wg>
  } else {
    %v13 = memref.alloc() : memref<32xf32, #wg>
    %v14 = arith.constant 33 : index
    %v15 = arith.remui %m_index, %v14 : index
    %v16 = arith.addi %v0, %v15 : index
    %v17 = memref.load %in_f32[%v16] : memref<64xf32>
    %v18 = memref.reinterpret_cast %v13 to offset: [0], sizes: [32], strides: [1] : memref<32xf32, #wg> to memref<32xf32, strided<[1]>, #wg>
    memref.store %v17, %v18[%v0] : memref<32xf32, strided<[1]>, #wg>
    scf.yield %v13 : memref<32xf32, #wg>
  }
  %v19 = arith.muli %trips, %m_index : index
  %v20 = arith.constant 2 : index
  %v21 = arith.cmpi ne, %v19, %v20 : index
  %v22 = scf.if %v21 -> (memref<32xf32, #wg>) {
    scf.yield %v1 : memref<32xf32, #wg>
  } else {
    scf.yield %v3 : memref<32xf32, #wg>
  }
  %v23 = arith.constant 32 : index
  %v24 = arith.muli %trips, %v23 : index
  %v29 = arith.constant 4 : index
  %v26:1 = scf.for %v25 = %v0 to %v24 step %v23 iter_args(%v28 = %v29) -> (index) {
    %v30 = arith.divui %v25, %v23 : index
    %v31 = arith.constant 0 : index
    %v32 = arith.cmpi ne, %v30, %v31 : index
    scf.if %v32 {
      %v33 = arith.constant 15 : index
      %v34 = arith.xori %v0, %v33 : index
      %v35 = memref.collapse_shape %v4 [[0, 1]] : memref<4x8xi8, #wg> into memref<32xi8, #wg>
      %v36 = memref.load %v35[%v34] : memref<32xi8, #wg>
    }
    %v37 = arith.constant 24 : index
    %v38 = arith.xori %v0, %v37 : index
    %v39 = arith.constant 1 : index
    %v40 = arith.addi %v0, %v39 : index
    %v41 = memref.load %in_f32[%v40] : memref<64xf32>
    %v42 = memref.cast %v8 : memref<32xf32, #wg> to memref<?xf32, #wg>
    memref.store %v41, %v42[%v38] : memref<?xf32, #wg>
    %v43 = arith.constant 0 : index
    %v44 = arith.addi %v0, %v43 : index
    %v45 = memref.load %in_i8[%v44] : memref<64xi8>
    %v46 = affine.apply affine_map<(d0) -> (d0 floordiv 8)>(%v0)
    %v47 = affine.apply affine_map<(d0) -> (d0 mod 8)>(%v0)
    memref.store %v45, %v4[%v46, %v47] : memref<4x8xi8, #wg>
    %v48 = arith.constant 1 : index
    %v49 = arith.constant 5 : index
    %v50 = arith.addi %v28, %v48 : index
    %v51 = arith.remui %v50, %v49 : index
    scf.yield %v51 : index
  }
  %v52 = arith.constant 16 : index
  %v53 = arith.cmpi ult, %v0, %v52 : index
  scf.if %v53 {
    %v54 = arith.constant 1 : index
    %v55 = arith.addi %v0, %v54 : index
    %v56 = memref.load %in_f32[%v55] : memref<64xf32>
    %v57 = vector.broadcast %v56 : f32 to vector<2xf32>
    %v58 = arith.constant 2 : index
    %v59 = arith.muli %v0, %v58 : index
    vector.store %v57, %v1[%v59] : memref<32xf32, #wg>, vector<2xf32>
  }
  %v60 = arith.constant 0 : index
  %v61 = arith.cmpi eq, %v0, %v60 : index
  scf.if %v61 {
    memref.copy %v8, %v22 : memref<32xf32, #wg> to memref<32xf32, #wg>
  }
  %v62 = affine.apply affine_map<(d0) -> (d0 mod 32)>(%v0)
  %v63 = memref.load %v1[%v62] : memref<32xf32, #wg>
  %v64 = memref.load %out_f32[%v0] : memref<32xf32>
  %v65 = arith.subf %v64, %v63 : f32
  %v66 = arith.constant 0.5 : f32
  %v67 = arith.mulf %v65, %v66 : f32
  memref.store %v67, %out_f32[%v0] : memref<32xf32>
  %v68 = arith.constant 21 : index
  %v69 = arith.remui %v26#0, %v68 : index
  %v70 = arith.constant 1 : index
  %v71 = arith.remui %v69, %v70 : index
  %v72 = arith.addi %v0, %v71 : index
  %v73 = memref.load %v8[%v72] : memref<32xf32, #wg>
  return
}
