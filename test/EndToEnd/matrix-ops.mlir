// Matrix ops from memrefs to assembly: barriers, the emulator as their judge, and the
// instructions of both vendors.
// RUN: split-file %s %t
// RUN: %python -c "import numpy as np; r = np.random.default_rng(1); a = r.integers(-4, 4, (32, 64)); b = r.integers(-4, 4, (64, 32)); np.save('%t/a.npy', a.astype(np.float16)); np.save('%t/b.npy', b.astype(np.float16))"
// RUN: not memspace-opt %t/tiled.mlir -memspace-verify-barriers=chip=sm_80 2>&1 | FileCheck %t/tiled.mlir --check-prefix=BARE
// RUN: memspace-opt %t/tiled.mlir -memspace-insert-barriers=chip=sm_80 -memspace-verify-barriers=chip=sm_80 -o %t/tiled-barriers.mlir
// RUN: FileCheck %t/tiled.mlir --input-file=%t/tiled-barriers.mlir --implicit-check-not=barrier
// RUN: memspace-runner %t/tiled-barriers.mlir --chip=sm_80 --arg=0:npy:%t/a.npy --arg=1:npy:%t/b.npy --out=2:%t/c.npy
// RUN: %python -c "import numpy as np; assert (np.load('%t/c.npy') == np.load('%t/a.npy').astype(np.float32) @ np.load('%t/b.npy').astype(np.float32)).all()"
// RUN: memspace-opt %t/tiled-barriers.mlir -memspace-pack-workgroup-memory -memspace-check-budget=chip=sm_80 -memspace-nvvm-backend-pipeline=chip=sm_80 | %python %src_root/utils/asm_workgroup_bytes.py --asm | FileCheck %t/tiled.mlir --check-prefix=PTX
// RUN: not memspace-opt %t/tiled-barriers.mlir -memspace-pack-workgroup-memory -memspace-check-budget=chip=gfx942 -memspace-rocdl-backend-pipeline 2>&1 | FileCheck %t/tiled.mlir --check-prefix=AMD
// RUN: memspace-opt %t/epilogue.mlir -memspace-insert-barriers=chip=sm_80 -memspace-verify-barriers=chip=sm_80 -o %t/epilogue-barriers.mlir
// RUN: FileCheck %t/epilogue.mlir --input-file=%t/epilogue-barriers.mlir --implicit-check-not=gpu.barrier
// RUN: memspace-runner %t/epilogue-barriers.mlir --chip=sm_80
// RUN: not memspace-runner %t/epilogue.mlir --chip=sm_80
// RUN: not memspace-opt %t/overlapping.mlir -memspace-verify-barriers=chip=sm_80 2>&1 | FileCheck %t/overlapping.mlir
// RUN: memspace-opt %t/ldmatrix.mlir -memspace-insert-barriers=chip=sm_80 -memspace-verify-barriers=chip=sm_80 -o %t/ldmatrix-barriers.mlir
// RUN: FileCheck %t/ldmatrix.mlir --input-file=%t/ldmatrix-barriers.mlir --implicit-check-not=barrier
// RUN: memspace-runner %t/ldmatrix-barriers.mlir --chip=sm_80 --arg=0:npy:%t/a.npy --arg=1:npy:%t/b.npy
// RUN: memspace-opt %t/ldmatrix-barriers.mlir -memspace-pack-workgroup-memory -memspace-check-budget=chip=sm_80 -memspace-nvvm-backend-pipeline=chip=sm_80 | %python %src_root/utils/asm_workgroup_bytes.py --asm | FileCheck %t/ldmatrix.mlir --check-prefix=PTX
// RUN: memspace-opt %t/mfma.mlir -memspace-check-budget=chip=gfx942 -memspace-rocdl-backend-pipeline | %python %src_root/utils/asm_workgroup_bytes.py --asm | FileCheck %t/mfma.mlir
// RUN: memspace-opt %t/wmma.mlir -memspace-check-budget=chip=gfx1100 -memspace-rocdl-backend-pipeline=chip=gfx1100 | %python %src_root/utils/asm_workgroup_bytes.py --asm | FileCheck %t/wmma.mlir

//--- tiled.mlir
// One barrier before the tiles are read and one before they are written again.
// CHECK: scf.for
// CHECK-NEXT: gpu.barrier {memspace.hazard = "WAR
// CHECK: scf.for
// CHECK: gpu.barrier {memspace.hazard = "RAW
// CHECK-NEXT: = gpu.subgroup_mma_load_matrix
// CHECK: gpu.subgroup_mma_store_matrix %
// BARE: error: {{.*}}data race (RAW
// PTX: bar.sync
// PTX: wmma.load.a.sync.aligned.row.m16n16k16.shared.f16
// PTX: wmma.mma.sync.aligned.row.row.m16n16k16.f32.f32
// PTX: wmma.store.d.sync.aligned.row.m16n16k16.f32
// AMD: error: 'gpu.subgroup_mma_constant_matrix' on a matrix of a subgroup has no lowering to the AMDGPU backend; use amdgpu.mfma or amdgpu.wmma
#wg = #gpu.address_space<workgroup>
func.func @k(%a: memref<32x64xf16>, %b: memref<64x32xf16>, %c: memref<32x32xf32>) attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c16 = arith.constant 16 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %c512 = arith.constant 512 : index
  %zero = arith.constant 0.0 : f32
  %t = gpu.thread_id x
  %s = arith.divui %t, %c32 : index
  %sy = arith.divui %s, %c2 : index
  %sx = arith.remui %s, %c2 : index
  %row = arith.muli %sy, %c16 : index
  %column = arith.muli %sx, %c16 : index
  %as = memref.alloc() : memref<32x16xf16, #wg>
  %bs = memref.alloc() : memref<16x32xf16, #wg>
  %none = gpu.subgroup_mma_constant_matrix %zero : !gpu.mma_matrix<16x16xf32, "COp">
  %sum = scf.for %k = %c0 to %c64 step %c16 iter_args(%acc = %none) -> (!gpu.mma_matrix<16x16xf32, "COp">) {
    scf.for %e = %t to %c512 step %c128 {
      %ar = arith.divui %e, %c16 : index
      %ac = arith.remui %e, %c16 : index
      %ak = arith.addi %k, %ac : index
      %av = memref.load %a[%ar, %ak] : memref<32x64xf16>
      memref.store %av, %as[%ar, %ac] : memref<32x16xf16, #wg>
      %br = arith.divui %e, %c32 : index
      %bc = arith.remui %e, %c32 : index
      %bk = arith.addi %k, %br : index
      %bv = memref.load %b[%bk, %bc] : memref<64x32xf16>
      memref.store %bv, %bs[%br, %bc] : memref<16x32xf16, #wg>
    }
    %am = gpu.subgroup_mma_load_matrix %as[%row, %c0] {leadDimension = 16 : index} : memref<32x16xf16, #wg> -> !gpu.mma_matrix<16x16xf16, "AOp">
    %bm = gpu.subgroup_mma_load_matrix %bs[%c0, %column] {leadDimension = 32 : index} : memref<16x32xf16, #wg> -> !gpu.mma_matrix<16x16xf16, "BOp">
    %next = gpu.subgroup_mma_compute %am, %bm, %acc : !gpu.mma_matrix<16x16xf16, "AOp">, !gpu.mma_matrix<16x16xf16, "BOp"> -> !gpu.mma_matrix<16x16xf32, "COp">
    scf.yield %next : !gpu.mma_matrix<16x16xf32, "COp">
  }
  gpu.subgroup_mma_store_matrix %sum, %c[%row, %column] {leadDimension = 32 : index} : !gpu.mma_matrix<16x16xf32, "COp">, memref<32x32xf32>
  return
}

//--- epilogue.mlir
// Each subgroup stores a matrix that its own lanes read.
// CHECK: gpu.subgroup_mma_store_matrix %
// CHECK: memspace.subgroup_barrier
// CHECK: = vector.load
#wg = #gpu.address_space<workgroup>
func.func @k(%c: memref<64x16xf32>) attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c8 = arith.constant 8 : index
  %c16 = arith.constant 16 : index
  %c32 = arith.constant 32 : index
  %one = arith.constant 1.0 : f32
  %t = gpu.thread_id x
  %s = arith.divui %t, %c32 : index
  %lane = arith.remui %t, %c32 : index
  %first = arith.muli %s, %c16 : index
  %w = memref.alloc() : memref<64x16xf32, #wg>
  %m = gpu.subgroup_mma_constant_matrix %one : !gpu.mma_matrix<16x16xf32, "COp">
  gpu.subgroup_mma_store_matrix %m, %w[%first, %c0] {leadDimension = 16 : index} : !gpu.mma_matrix<16x16xf32, "COp">, memref<64x16xf32, #wg>
  %r = arith.divui %lane, %c2 : index
  %h = arith.remui %lane, %c2 : index
  %row = arith.addi %first, %r : index
  %column = arith.muli %h, %c8 : index
  %v = vector.load %w[%row, %column] : memref<64x16xf32, #wg>, vector<8xf32>
  vector.store %v, %c[%row, %column] : memref<64x16xf32>, vector<8xf32>
  return
}

//--- overlapping.mlir
// The matrices of two subgroups share rows.
// CHECK: error: possible data race (WAW) of threads that execute this 'gpu.subgroup_mma_store_matrix' at once
#wg = #gpu.address_space<workgroup>
func.func @k() attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %c32 = arith.constant 32 : index
  %one = arith.constant 1.0 : f32
  %t = gpu.thread_id x
  %s = arith.divui %t, %c32 : index
  %first = arith.muli %s, %c8 : index
  %w = memref.alloc() : memref<64x16xf32, #wg>
  %m = gpu.subgroup_mma_constant_matrix %one : !gpu.mma_matrix<16x16xf32, "COp">
  gpu.subgroup_mma_store_matrix %m, %w[%first, %c0] {leadDimension = 16 : index} : !gpu.mma_matrix<16x16xf32, "COp">, memref<64x16xf32, #wg>
  return
}

//--- ldmatrix.mlir
// CHECK: gpu.barrier
// CHECK-NEXT: = nvgpu.ldmatrix
// PTX: bar.sync
// PTX: ldmatrix.sync.aligned.m8n8.x4.shared.b16
// PTX: ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16
// PTX: mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32
#wg = #gpu.address_space<workgroup>
func.func @k(%a: memref<32x64xf16>, %b: memref<64x32xf16>, %c: memref<16x8xf32>) attributes {gpu.known_block_size = array<i32: 32, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %c16 = arith.constant 16 : index
  %c32 = arith.constant 32 : index
  %c256 = arith.constant 256 : index
  %zero = arith.constant dense<0.0> : vector<2x2xf32>
  %t = gpu.thread_id x
  %as = memref.alloc() : memref<16x16xf16, #wg>
  %bs = memref.alloc() : memref<16x8xf16, #wg>
  scf.for %e = %t to %c256 step %c32 {
    %r = arith.divui %e, %c16 : index
    %k = arith.remui %e, %c16 : index
    %v = memref.load %a[%r, %k] : memref<32x64xf16>
    memref.store %v, %as[%r, %k] : memref<16x16xf16, #wg>
    %low = arith.cmpi ult, %k, %c8 : index
    scf.if %low {
      %w = memref.load %b[%r, %k] : memref<64x32xf16>
      memref.store %w, %bs[%r, %k] : memref<16x8xf16, #wg>
    }
  }
  %row = arith.remui %t, %c16 : index
  %half = arith.divui %t, %c16 : index
  %column = arith.muli %half, %c8 : index
  %brow = arith.addi %row, %c0 : index
  %am = nvgpu.ldmatrix %as[%row, %column] {numTiles = 4 : i32, transpose = false} : memref<16x16xf16, #wg> -> vector<4x2xf16>
  %bm = nvgpu.ldmatrix %bs[%brow, %c0] {numTiles = 2 : i32, transpose = true} : memref<16x8xf16, #wg> -> vector<2x2xf16>
  %d = nvgpu.mma.sync(%am, %bm, %zero) {mmaShape = [16, 8, 16]} : (vector<4x2xf16>, vector<2x2xf16>, vector<2x2xf32>) -> vector<2x2xf32>
  %group = arith.divui %t, %c4 : index
  %in = arith.remui %t, %c4 : index
  %n = arith.muli %in, %c2 : index
  %below = arith.addi %group, %c8 : index
  %d0 = vector.extract %d[0] : vector<2xf32> from vector<2x2xf32>
  %d1 = vector.extract %d[1] : vector<2xf32> from vector<2x2xf32>
  vector.store %d0, %c[%group, %n] : memref<16x8xf32>, vector<2xf32>
  vector.store %d1, %c[%below, %n] : memref<16x8xf32>, vector<2xf32>
  return
}

//--- mfma.mlir
// CHECK: v_mfma_f32_16x16x16_f16
func.func @k(%a: memref<32x64xf16>, %b: memref<64x32xf16>, %c: memref<16x16xf32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c16 = arith.constant 16 : index
  %zero = arith.constant dense<0.0> : vector<4xf32>
  %t = gpu.thread_id x
  %low = arith.remui %t, %c16 : index
  %high = arith.divui %t, %c16 : index
  %k0 = arith.muli %high, %c4 : index
  %k1 = arith.addi %k0, %c1 : index
  %k2 = arith.addi %k0, %c2 : index
  %k3 = arith.addi %k0, %c3 : index
  %av = vector.load %a[%low, %k0] : memref<32x64xf16>, vector<4xf16>
  %b0 = memref.load %b[%k0, %low] : memref<64x32xf16>
  %b1 = memref.load %b[%k1, %low] : memref<64x32xf16>
  %b2 = memref.load %b[%k2, %low] : memref<64x32xf16>
  %b3 = memref.load %b[%k3, %low] : memref<64x32xf16>
  %bv = vector.from_elements %b0, %b1, %b2, %b3 : vector<4xf16>
  %d = amdgpu.mfma 16x16x16 %av * %bv + %zero blgp = none : vector<4xf16>, vector<4xf16>, vector<4xf32>
  %d0 = vector.extract %d[0] : f32 from vector<4xf32>
  %d1 = vector.extract %d[1] : f32 from vector<4xf32>
  %d2 = vector.extract %d[2] : f32 from vector<4xf32>
  %d3 = vector.extract %d[3] : f32 from vector<4xf32>
  memref.store %d0, %c[%k0, %low] : memref<16x16xf32>
  memref.store %d1, %c[%k1, %low] : memref<16x16xf32>
  memref.store %d2, %c[%k2, %low] : memref<16x16xf32>
  memref.store %d3, %c[%k3, %low] : memref<16x16xf32>
  return
}

//--- wmma.mlir
// CHECK: v_wmma_f32_16x16x16_f16
func.func @k(%a: memref<32x16xf16>, %c: memref<32x8xf32>) attributes {gpu.known_block_size = array<i32: 32, 1, 1>} {
  %c0 = arith.constant 0 : index
  %zero = arith.constant dense<0.0> : vector<8xf32>
  %t = gpu.thread_id x
  %v = vector.load %a[%t, %c0] : memref<32x16xf16>, vector<16xf16>
  %d = amdgpu.wmma 16x16x16 %v * %v + %zero : vector<16xf16>, vector<16xf16>, vector<8xf32>
  vector.store %d, %c[%t, %c0] : memref<32x8xf32>, vector<8xf32>
  return
}
