// Numbers without a sign, of 32 bits, as CUDA's kernels have them: comparisons, minima, casts and
// loops of numbers that may be negative with one. In structured form and in blocks.
// RUN: memspace-opt %s -memspace-insert-barriers=chip=gfx942 -o %t.scf.mlir
// RUN: memspace-opt %t.scf.mlir -memspace-verify-barriers=chip=gfx942 -o /dev/null
// RUN: memspace-opt %s -convert-scf-to-cf -memspace-insert-barriers=chip=gfx942 -o %t.cf.mlir
// RUN: memspace-opt %t.cf.mlir -memspace-verify-barriers=chip=gfx942 -o /dev/null
// RUN: FileCheck %s < %t.scf.mlir
// RUN: memspace-runner %t.scf.mlir --kernel=rows --chip=gfx942 --arg=0:iota --verbose 2>&1 | FileCheck %s --check-prefix=ROWS
// RUN: memspace-runner %t.cf.mlir --kernel=rows --chip=gfx942 --arg=0:iota --verbose 2>&1 | FileCheck %s --check-prefix=ROWS
// ROWS: executed barriers: 0, subgroup barriers: 8,
// ROWS: races: 0
// RUN: memspace-runner %t.scf.mlir --kernel=solve --chip=gfx942 --arg=0:fill:1 --arg=2:fill:9 --verbose 2>&1 | FileCheck %s --check-prefix=SOLVE
// RUN: memspace-runner %t.cf.mlir --kernel=solve --chip=gfx942 --arg=0:fill:1 --arg=2:fill:9 --verbose 2>&1 | FileCheck %s --check-prefix=SOLVE
// SOLVE: executed barriers: 9,
// SOLVE: races: 0

// A row of threads is part of a subgroup: one before the loop that reads, and one behind it.
// CHECK-LABEL: func.func @rows
// CHECK-COUNT-2: memspace.subgroup_barrier
// CHECK-NOT: barrier
// CHECK: return
func.func @rows(%a1: memref<32x128xf32>, %o2: memref<32x128xf32>) attributes {gpu.known_block_size = array<i32: 16, 8, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %tid3_ix = gpu.thread_id x
  %tid3 = arith.index_castui %tid3_ix : index to i32
  %tidy4_ix = gpu.thread_id y
  %tidy4 = arith.index_castui %tidy4_ix : index to i32
  %s5 = memref.alloc() : memref<8x160xf32, #gpu.address_space<workgroup>>
  %c6 = arith.constant 0 : i32
  %c7 = arith.constant 4 : i32
  %c8 = arith.constant 1 : i32
  %c10 = arith.constant 8 : i32
  %c14 = arith.constant 16 : i32
  %c21 = arith.constant 0.00000000e+00 : f32
  %c22 = arith.constant 144 : i32
  %c25 = arith.constant 17 : i32
  scf.for unsigned %i9 = %c6 to %c7 step %c8 : i32 {
    scf.for unsigned %i11 = %c6 to %c10 step %c8 : i32 {
      %v12 = arith.muli %i9, %c10 : i32
      %v13 = arith.addi %v12, %tidy4 : i32
      %v15 = arith.muli %i11, %c14 : i32
      %v16 = arith.addi %v15, %tid3 : i32
      %ixc1 = arith.index_castui %v13 : i32 to index
      %ixc2 = arith.index_castui %v16 : i32 to index
      %v17 = memref.load %a1[%ixc1, %ixc2] : memref<32x128xf32>
      %v18 = arith.addi %i11, %c8 : i32
      %v19 = arith.muli %v18, %c14 : i32
      %v20 = arith.addi %tid3, %v19 : i32
      %ixc3 = arith.index_castui %tidy4 : i32 to index
      %ixc4 = arith.index_castui %v20 : i32 to index
      memref.store %v17, %s5[%ixc3, %ixc4] : memref<8x160xf32, #gpu.address_space<workgroup>>
    }
    %ixc5 = arith.index_castui %tidy4 : i32 to index
    %ixc6 = arith.index_castui %tid3 : i32 to index
    memref.store %c21, %s5[%ixc5, %ixc6] : memref<8x160xf32, #gpu.address_space<workgroup>>
    %v23 = arith.addi %tid3, %c22 : i32
    %ixc7 = arith.index_castui %tidy4 : i32 to index
    %ixc8 = arith.index_castui %v23 : i32 to index
    memref.store %c21, %s5[%ixc7, %ixc8] : memref<8x160xf32, #gpu.address_space<workgroup>>
    scf.for unsigned %i24 = %c6 to %c10 step %c8 : i32 {
      %r35 = scf.for unsigned %i26 = %c6 to %c25 step %c8 iter_args(%a27 = %c21) -> (f32) : i32 {
        %v28 = arith.addi %i24, %c8 : i32
        %v29 = arith.muli %v28, %c14 : i32
        %v30 = arith.addi %tid3, %v29 : i32
        %v31 = arith.addi %v30, %i26 : i32
        %v32 = arith.subi %v31, %c10 : i32
        %ixc9 = arith.index_castui %tidy4 : i32 to index
        %ixc10 = arith.index_castui %v32 : i32 to index
        %v33 = memref.load %s5[%ixc9, %ixc10] : memref<8x160xf32, #gpu.address_space<workgroup>>
        %v34 = arith.addf %a27, %v33 : f32
        scf.yield %v34 : f32
      }
      %v36 = arith.muli %i9, %c10 : i32
      %v37 = arith.addi %v36, %tidy4 : i32
      %v38 = arith.muli %i24, %c14 : i32
      %v39 = arith.addi %v38, %tid3 : i32
      %ixc11 = arith.index_castui %v37 : i32 to index
      %ixc12 = arith.index_castui %v39 : i32 to index
      memref.store %r35, %o2[%ixc11, %ixc12] : memref<32x128xf32>
    }
  }
  return
}

// One between the row that is subtracted and the next.
// CHECK-LABEL: func.func @solve
// CHECK-COUNT-1: gpu.barrier
// CHECK-NOT: gpu.barrier
// CHECK: return
func.func @solve(%a1: memref<8x96xi32>, %o2: memref<96xi32>, %n3: i32) attributes {gpu.known_block_size = array<i32: 16, 6, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %tid4_ix = gpu.thread_id x
  %tid4 = arith.index_castui %tid4_ix : index to i32
  %tidy5_ix = gpu.thread_id y
  %tidy5 = arith.index_castui %tidy5_ix : index to i32
  %s9 = memref.alloc() : memref<96xi32, #gpu.address_space<workgroup>>
  %c6 = arith.constant 16 : i32
  %c10 = arith.constant 0 : i32
  %c11 = arith.constant 0 : i32
  %c17 = arith.constant 8 : i32
  %c22 = arith.constant 1 : i32
  %c25 = arith.constant true
  %v7 = arith.muli %tidy5, %c6 : i32
  %v8 = arith.addi %v7, %tid4 : i32
  %ixc1 = arith.index_castui %c11 : i32 to index
  %ixc2 = arith.index_castui %v8 : i32 to index
  %v12 = memref.load %a1[%ixc1, %ixc2] : memref<8x96xi32>
  %ixc3 = arith.index_castui %v8 : i32 to index
  memref.store %v12, %s9[%ixc3] : memref<96xi32, #gpu.address_space<workgroup>>
  %r29 = scf.while (%a13 = %c11) : (i32) -> (i32) {
    %v14 = arith.cmpi ugt, %v8, %a13 : i32
    scf.if %v14 {
      %ixc4 = arith.index_castui %v8 : i32 to index
      %v15 = memref.load %s9[%ixc4] : memref<96xi32, #gpu.address_space<workgroup>>
      %ixc5 = arith.index_castui %a13 : i32 to index
      %v16 = memref.load %s9[%ixc5] : memref<96xi32, #gpu.address_space<workgroup>>
      %v18 = arith.remui %a13, %c17 : i32
      %ixc6 = arith.index_castui %v18 : i32 to index
      %ixc7 = arith.index_castui %v8 : i32 to index
      %v19 = memref.load %a1[%ixc6, %ixc7] : memref<8x96xi32>
      %v20 = arith.muli %v16, %v19 : i32
      %v21 = arith.subi %v15, %v20 : i32
      %ixc8 = arith.index_castui %v8 : i32 to index
      memref.store %v21, %s9[%ixc8] : memref<96xi32, #gpu.address_space<workgroup>>
    }
    %v23 = arith.addi %a13, %c22 : i32
    %v24 = arith.cmpi ult, %v23, %n3 : i32
    %v26 = arith.xori %v24, %c25 : i1
    %v27 = arith.xori %v26, %c25 : i1
    scf.condition(%v27) %v23 : i32
  } do {
  ^bb0(%b28: i32):
    scf.yield %b28 : i32
  }
  %ixc9 = arith.index_castui %v8 : i32 to index
  %v30 = memref.load %s9[%ixc9] : memref<96xi32, #gpu.address_space<workgroup>>
  %v31 = arith.addi %c10, %v30 : i32
  %ixc10 = arith.index_castui %v8 : i32 to index
  memref.store %v31, %o2[%ixc10] : memref<96xi32>
  return
}
