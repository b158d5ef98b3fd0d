// RUN: split-file %s %t
// RUN: %python -c "import numpy as np; r = np.random.default_rng(1); a = r.integers(-4, 4, (32, 64)); b = r.integers(-4, 4, (64, 32)); np.save('%t/a.npy', a.astype(np.float16)); np.save('%t/b.npy', b.astype(np.float16)); np.save('%t/c.npy', (a @ b).astype(np.float32)); np.save('%t/i.npy', a.astype(np.int8)); np.save('%t/j.npy', b.astype(np.int8))"
// RUN: memspace-runner %t/subgroup-mma.mlir --block=128 --arg=0:npy:%t/a.npy --arg=1:npy:%t/b.npy --out=2:%t/c1.npy 2>&1 | FileCheck %s --check-prefix=CLEAN
// RUN: %compare %t/c1.npy "np.load('%t/c.npy').ravel()"
// RUN: memspace-runner %t/subgroup-mma.mlir --block=256 --subgroup-size=64 --arg=0:npy:%t/a.npy --arg=1:npy:%t/b.npy --out=2:%t/c2.npy 2>&1 | FileCheck %s --check-prefix=CLEAN
// RUN: %compare %t/c2.npy "np.load('%t/c.npy').ravel()"
// RUN: %broken raw %t/subgroup-mma.mlir %t/subgroup-mma-raw.mlir
// RUN: not memspace-runner %t/subgroup-mma-raw.mlir --block=128 --arg=0:npy:%t/a.npy --arg=1:npy:%t/b.npy 2>&1 | FileCheck %t/subgroup-mma.mlir --check-prefix=RAW
// RUN: %broken war %t/subgroup-mma.mlir %t/subgroup-mma-war.mlir
// RUN: not memspace-runner %t/subgroup-mma-war.mlir --block=128 --arg=0:npy:%t/a.npy --arg=1:npy:%t/b.npy 2>&1 | FileCheck %t/subgroup-mma.mlir --check-prefix=WAR
// RUN: memspace-runner %t/elementwise.mlir --subgroup-size=32 --arg=0:npy:%t/i.npy --out=1:%t/e1.npy --out=2:%t/e2.npy 2>&1 | FileCheck %s --check-prefix=CLEAN
// RUN: %compare %t/e1.npy "((3 - np.load('%t/i.npy')[:16, :16].astype(int)) * 2).T.ravel()"
// RUN: %compare %t/e2.npy "np.maximum(np.load('%t/i.npy')[:16, :16].astype(int) / 2, 1).ravel()"
// RUN: memspace-runner %t/signs.mlir --arg=0:npy:%t/i.npy --arg=1:npy:%t/j.npy --out=2:%t/s2.npy 2>&1 | FileCheck %s --check-prefix=CLEAN
// RUN: %compare %t/s2.npy "((np.load('%t/i.npy')[:16, :16].astype(int) & 255) @ np.load('%t/j.npy')[:16, :16].astype(int)).ravel()"
// RUN: memspace-runner %t/vectors.mlir --arg=0:npy:%t/a.npy --out=1:%t/v1.npy 2>&1 | FileCheck %s --check-prefix=CLEAN
// RUN: %compare %t/v1.npy "np.where(i %% 64 < 16, np.load('%t/a.npy').ravel()[:1024] * 0 + np.pad(np.load('%t/a.npy')[8:24, 16:32], ((0, 0), (0, 48))).ravel(), 0)"
// RUN: memspace-runner %t/ldmatrix.mlir --arg=0:npy:%t/a.npy --arg=1:npy:%t/b.npy --out=2:%t/l2.npy 2>&1 | FileCheck %s --check-prefix=CLEAN
// RUN: %compare %t/l2.npy "(np.load('%t/a.npy')[:16, :16].astype(np.float32) @ np.load('%t/b.npy')[:16, :8].astype(np.float32)).ravel()"
// RUN: %broken barrier %t/ldmatrix.mlir %t/ldmatrix-barrier.mlir
// RUN: not memspace-runner %t/ldmatrix-barrier.mlir --arg=0:npy:%t/a.npy --arg=1:npy:%t/b.npy 2>&1 | FileCheck %t/ldmatrix.mlir --check-prefix=BARRIER
// RUN: %broken shifted %t/ldmatrix.mlir %t/ldmatrix-shifted.mlir
// RUN: not memspace-runner %t/ldmatrix-shifted.mlir --arg=0:npy:%t/a.npy --arg=1:npy:%t/b.npy 2>&1 | FileCheck %t/ldmatrix.mlir --check-prefix=SHIFTED
// RUN: %broken outside %t/ldmatrix.mlir %t/ldmatrix-outside.mlir
// RUN: not memspace-runner %t/ldmatrix-outside.mlir --arg=0:npy:%t/a.npy --arg=1:npy:%t/b.npy 2>&1 | FileCheck %t/ldmatrix.mlir --check-prefix=OUTSIDE
// RUN: memspace-runner %t/bytes.mlir --arg=0:npy:%t/i.npy --out=1:%t/b1.npy 2>&1 | FileCheck %s --check-prefix=CLEAN
// RUN: %compare %t/b1.npy "np.load('%t/i.npy')[:8, :16].ravel()"
// RUN: memspace-runner %t/mfma.mlir --chip=gfx942 --arg=0:npy:%t/a.npy --arg=1:npy:%t/b.npy --out=2:%t/m2.npy 2>&1 | FileCheck %s --check-prefix=CLEAN
// RUN: %compare %t/m2.npy "(np.load('%t/a.npy')[:16, :16].astype(np.float32) @ np.load('%t/b.npy')[:16, :16].astype(np.float32)).ravel()"
// RUN: memspace-runner %t/packed.mlir --chip=gfx942 --arg=0:npy:%t/i.npy --out=1:%t/p1.npy 2>&1 | FileCheck %s --check-prefix=CLEAN
// RUN: %compare %t/p1.npy "(np.load('%t/i.npy')[:16, :32].astype(int) @ np.load('%t/i.npy')[:16, :32].astype(int).T).ravel()"
// RUN: memspace-runner %t/store.mlir 2>&1 | FileCheck %s --check-prefix=CLEAN
// RUN: %broken own %t/store.mlir %t/store-own.mlir
// RUN: not memspace-runner %t/store-own.mlir 2>&1 | FileCheck %t/store.mlir --check-prefix=OWN
// RUN: %broken other %t/store.mlir %t/store-other.mlir
// RUN: not memspace-runner %t/store-other.mlir 2>&1 | FileCheck %t/store.mlir --check-prefix=OTHER
// RUN: memspace-runner %t/divergent.mlir --arg=0:fill:1 2>&1 | FileCheck %s --check-prefix=CLEAN
// RUN: %broken bad %t/divergent.mlir %t/divergent-bad.mlir
// RUN: not memspace-runner %t/divergent-bad.mlir --arg=0:fill:1 2>&1 | FileCheck %t/divergent.mlir
// RUN: memspace-runner %t/bounds.mlir --arg=0:fill:1 2>&1 | FileCheck %s --check-prefix=CLEAN
// RUN: %broken index %t/bounds.mlir %t/bounds-index.mlir
// RUN: not memspace-runner %t/bounds-index.mlir --arg=0:fill:1 2>&1 | FileCheck %t/bounds.mlir --check-prefix=INDEX
// RUN: %broken lead %t/bounds.mlir %t/bounds-lead.mlir
// RUN: not memspace-runner %t/bounds-lead.mlir --arg=0:fill:1 2>&1 | FileCheck %t/bounds.mlir --check-prefix=LEAD
// RUN: %broken row %t/bounds.mlir %t/bounds-row.mlir
// RUN: not memspace-runner %t/bounds-row.mlir --arg=0:fill:1 2>&1 | FileCheck %t/bounds.mlir --check-prefix=ROW
// RUN: not memspace-runner %t/bounds.mlir 2>&1 | FileCheck %t/bounds.mlir --check-prefix=UNINIT
// RUN: memspace-runner %t/poison.mlir 2>&1 | FileCheck %s --check-prefix=CLEAN
// RUN: memspace-runner %t/layout.mlir --arg=0:iota --out=1:%t/layout-1.npy 2>&1 | FileCheck %t/layout.mlir

// CLEAN-NOT: {{error|warning}}:
// CLEAN: {{^}}races: 0, divergent barriers: 0, out of bounds: 0, uninitialized reads: 0{{$}}

// Ops on the matrices of a subgroup. matrix-ops.test has the layouts of all shapes.

//--- subgroup-mma.mlir
// Each of four subgroups computes a quarter of C. Tiles of 16 columns of A and 16 rows
// of B are staged in workgroup memory.
// RAW: error: data race in workgroup memory
// RAW: {{^}}races: {{[1-9][0-9]*}}, divergent barriers: 0, out of bounds: 0
// WAR: error: data race in workgroup memory
// WAR: {{^}}races: {{[1-9][0-9]*}}, divergent barriers: 0, out of bounds: 0
#wg = #gpu.address_space<workgroup>
gpu.module @m {
  gpu.func @k(%a: memref<32x64xf16>, %b: memref<64x32xf16>, %c: memref<32x32xf32>) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c16 = arith.constant 16 : index
    %c32 = arith.constant 32 : index
    %c64 = arith.constant 64 : index
    %c512 = arith.constant 512 : index
    %zero = arith.constant 0.0 : f32
    %t = gpu.thread_id x
    %threads = gpu.block_dim x
    %s = gpu.subgroup_id : index
    %sy = arith.divui %s, %c2 : index
    %sx = arith.remui %s, %c2 : index
    %row = arith.muli %sy, %c16 : index
    %column = arith.muli %sx, %c16 : index
    %as = memref.alloc() : memref<32x16xf16, #wg>
    %bs = memref.alloc() : memref<16x32xf16, #wg>
    %none = gpu.subgroup_mma_constant_matrix %zero : !gpu.mma_matrix<16x16xf32, "COp">
    %sum = scf.for %k = %c0 to %c64 step %c16 iter_args(%acc = %none) -> (!gpu.mma_matrix<16x16xf32, "COp">) {
      scf.for %e = %t to %c512 step %threads {
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
      gpu.barrier // not raw
      %am = gpu.subgroup_mma_load_matrix %as[%row, %c0] {leadDimension = 16 : index} : memref<32x16xf16, #wg> -> !gpu.mma_matrix<16x16xf16, "AOp">
      %bm = gpu.subgroup_mma_load_matrix %bs[%c0, %column] {leadDimension = 32 : index} : memref<16x32xf16, #wg> -> !gpu.mma_matrix<16x16xf16, "BOp">
      %next = gpu.subgroup_mma_compute %am, %bm, %acc : !gpu.mma_matrix<16x16xf16, "AOp">, !gpu.mma_matrix<16x16xf16, "BOp"> -> !gpu.mma_matrix<16x16xf32, "COp">
      gpu.barrier // not war
      scf.yield %next : !gpu.mma_matrix<16x16xf32, "COp">
    }
    gpu.subgroup_mma_store_matrix %sum, %c[%row, %column] {leadDimension = 32 : index} : !gpu.mma_matrix<16x16xf32, "COp">, memref<32x32xf32>
    gpu.return
  }
}

//--- elementwise.mlir
// (3 - x) * 2, stored transposed; max(x / 2, 1) through single elements of the threads.
func.func @k(%x: memref<32x64xi8>, %y: memref<16x16xi32>, %z: memref<16x16xf32>) attributes {gpu.known_block_size = array<i32: 32, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c3i = arith.constant 3 : i32
  %c2i = arith.constant 2 : i32
  %one = arith.constant 1.0 : f32
  %half = arith.constant 0.5 : f32
  %zero = arith.constant 0 : i32
  %w = memref.alloc() : memref<16x16xi32, #gpu.address_space<workgroup>>
  %f = memref.alloc() : memref<16x16xf32, #gpu.address_space<workgroup>>
  %t = gpu.thread_id x
  %c16 = arith.constant 16 : index
  %c256 = arith.constant 256 : index
  %c32 = arith.constant 32 : index
  scf.for %e = %t to %c256 step %c32 {
    %r = arith.divui %e, %c16 : index
    %c = arith.remui %e, %c16 : index
    %v8 = memref.load %x[%r, %c] : memref<32x64xi8>
    %v = arith.extsi %v8 : i8 to i32
    memref.store %v, %w[%r, %c] : memref<16x16xi32, #gpu.address_space<workgroup>>
    %vf = arith.sitofp %v : i32 to f32
    memref.store %vf, %f[%r, %c] : memref<16x16xf32, #gpu.address_space<workgroup>>
  }
  gpu.barrier
  %m = gpu.subgroup_mma_load_matrix %w[%c0, %c0] {leadDimension = 16 : index} : memref<16x16xi32, #gpu.address_space<workgroup>> -> !gpu.mma_matrix<16x16xi32, "COp">
  %three = gpu.subgroup_mma_constant_matrix %c3i : !gpu.mma_matrix<16x16xi32, "COp">
  %two = gpu.subgroup_mma_constant_matrix %c2i : !gpu.mma_matrix<16x16xi32, "COp">
  %d = gpu.subgroup_mma_elementwise subi %three, %m : (!gpu.mma_matrix<16x16xi32, "COp">, !gpu.mma_matrix<16x16xi32, "COp">) -> !gpu.mma_matrix<16x16xi32, "COp">
  %p = gpu.subgroup_mma_elementwise muli %d, %two : (!gpu.mma_matrix<16x16xi32, "COp">, !gpu.mma_matrix<16x16xi32, "COp">) -> !gpu.mma_matrix<16x16xi32, "COp">
  %n = gpu.subgroup_mma_elementwise negates %p : (!gpu.mma_matrix<16x16xi32, "COp">) -> !gpu.mma_matrix<16x16xi32, "COp">
  %q = gpu.subgroup_mma_elementwise negates %n : (!gpu.mma_matrix<16x16xi32, "COp">) -> !gpu.mma_matrix<16x16xi32, "COp">
  gpu.subgroup_mma_store_matrix %q, %y[%c0, %c0] {leadDimension = 16 : index, transpose} : !gpu.mma_matrix<16x16xi32, "COp">, memref<16x16xi32>

  %g = gpu.subgroup_mma_load_matrix %f[%c0, %c0] {leadDimension = 16 : index} : memref<16x16xf32, #gpu.address_space<workgroup>> -> !gpu.mma_matrix<16x16xf32, "COp">
  %halves = scf.for %i = %c0 to %c8 step %c1 iter_args(%acc = %g) -> (!gpu.mma_matrix<16x16xf32, "COp">) {
    %v = gpu.subgroup_mma_extract_thread_local %g[%i] : !gpu.mma_matrix<16x16xf32, "COp"> -> f32
    %h = arith.mulf %v, %half : f32
    %next = gpu.subgroup_mma_insert_thread_local %h, %acc[%i] : f32, !gpu.mma_matrix<16x16xf32, "COp"> -> !gpu.mma_matrix<16x16xf32, "COp">
    scf.yield %next : !gpu.mma_matrix<16x16xf32, "COp">
  }
  %ones = gpu.subgroup_mma_constant_matrix %one : !gpu.mma_matrix<16x16xf32, "COp">
  %max = gpu.subgroup_mma_elementwise maxf %halves, %ones : (!gpu.mma_matrix<16x16xf32, "COp">, !gpu.mma_matrix<16x16xf32, "COp">) -> !gpu.mma_matrix<16x16xf32, "COp">
  gpu.subgroup_mma_store_matrix %max, %z[%c0, %c0] {leadDimension = 16 : index} : !gpu.mma_matrix<16x16xf32, "COp">, memref<16x16xf32>
  return
}

//--- signs.mlir
// A unsigned, B signed.
func.func @k(%x: memref<32x64xi8>, %y: memref<64x32xi8>, %z: memref<16x16xi32>) attributes {gpu.known_block_size = array<i32: 32, 1, 1>} {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0 : i32
  %a = gpu.subgroup_mma_load_matrix %x[%c0, %c0] {leadDimension = 64 : index} : memref<32x64xi8> -> !gpu.mma_matrix<16x16xui8, "AOp">
  %b = gpu.subgroup_mma_load_matrix %y[%c0, %c0] {leadDimension = 32 : index} : memref<64x32xi8> -> !gpu.mma_matrix<16x16xsi8, "BOp">
  %c = gpu.subgroup_mma_constant_matrix %zero : !gpu.mma_matrix<16x16xi32, "COp">
  %d = gpu.subgroup_mma_compute %a, %b, %c : !gpu.mma_matrix<16x16xui8, "AOp">, !gpu.mma_matrix<16x16xsi8, "BOp"> -> !gpu.mma_matrix<16x16xi32, "COp">
  gpu.subgroup_mma_store_matrix %d, %z[%c0, %c0] {leadDimension = 16 : index} : !gpu.mma_matrix<16x16xi32, "COp">, memref<16x16xi32>
  return
}

//--- vectors.mlir
// The target has vectors of four elements: indices count these, the leading dimension
// elements.
func.func @k(%x: memref<32x64xf16>, %y: memref<16x64xf16>) attributes {gpu.known_block_size = array<i32: 32, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %c16 = arith.constant 16 : index
  %c32 = arith.constant 32 : index
  %c256 = arith.constant 256 : index
  %zeros = arith.constant dense<0.0> : vector<4xf16>
  %t = gpu.thread_id x
  %v = memref.alloc() : memref<16x16xvector<4xf16>, #gpu.address_space<workgroup>>
  scf.for %e = %t to %c256 step %c32 {
    %r = arith.divui %e, %c16 : index
    %c = arith.remui %e, %c16 : index
    memref.store %zeros, %v[%r, %c] : memref<16x16xvector<4xf16>, #gpu.address_space<workgroup>>
  }
  gpu.barrier
  %a = gpu.subgroup_mma_load_matrix %x[%c8, %c16] {leadDimension = 64 : index} : memref<32x64xf16> -> !gpu.mma_matrix<16x16xf16, "COp">
  gpu.subgroup_mma_store_matrix %a, %v[%c0, %c2] {leadDimension = 64 : index} : !gpu.mma_matrix<16x16xf16, "COp">, memref<16x16xvector<4xf16>, #gpu.address_space<workgroup>>
  gpu.barrier
  scf.for %e = %t to %c256 step %c32 {
    %r = arith.divui %e, %c16 : index
    %c = arith.remui %e, %c16 : index
    %n = arith.addi %c, %c2 : index
    %from = arith.remui %n, %c16 : index
    %w = memref.load %v[%r, %from] : memref<16x16xvector<4xf16>, #gpu.address_space<workgroup>>
    %to = arith.muli %c, %c4 : index
    vector.store %w, %y[%r, %to] : memref<16x64xf16>, vector<4xf16>
  }
  return
}

//--- ldmatrix.mlir
// Four tiles of A; two of B, which is stored by rows and so read transposed. Lanes 0 to
// 15 address the rows 0 to 15 of the first 8 columns, lanes 16 to 31 those of the others.
// BARRIER: error: data race in workgroup memory: thread {{.*}} reads {{.*}}, which {{.*}} writes, with no barrier between
// SHIFTED: .mlir:[[#@LINE+38]]:{{[0-9]+}}: error: out of bounds: thread (1, 0, 0) reads a row of 16 bytes at byte 34, which is no multiple of 16
// OUTSIDE: .mlir:[[#@LINE+38]]:{{[0-9]+}}: error: out of bounds: thread (15, 0, 0) uses index 16 of dimension 0, whose size is 16
// OUTSIDE-NOT: error:
// OUTSIDE: {{^}}races: 0, divergent barriers: 0, out of bounds: 1, uninitialized reads: 0{{$}}
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
  %as = memref.alloc() : memref<16x16xf16, #wg> // not shifted
  //shifted: %as = memref.alloc() : memref<16x17xf16, #wg>
  %bs = memref.alloc() : memref<16x8xf16, #wg>
  scf.for %e = %t to %c256 step %c32 {
    %r = arith.divui %e, %c16 : index
    %k = arith.remui %e, %c16 : index
    %v = memref.load %a[%r, %k] : memref<32x64xf16>
    memref.store %v, %as[%r, %k] : memref<16x16xf16, #wg> // not shifted
    //shifted: memref.store %v, %as[%r, %k] : memref<16x17xf16, #wg>
    %low = arith.cmpi ult, %k, %c8 : index
    scf.if %low {
      %w = memref.load %b[%r, %k] : memref<64x32xf16>
      memref.store %w, %bs[%r, %k] : memref<16x8xf16, #wg>
    }
  }
  gpu.barrier // not barrier
  %row = arith.remui %t, %c16 : index
  %half = arith.divui %t, %c16 : index
  %column = arith.muli %half, %c8 : index
  %brow = arith.addi %row, %c0 : index // not outside
  //outside: %brow = arith.addi %row, %c1 : index
  %am = nvgpu.ldmatrix %as[%row, %column] {numTiles = 4 : i32, transpose = false} : memref<16x16xf16, #wg> -> vector<4x2xf16> // not shifted
  //shifted: %am = nvgpu.ldmatrix %as[%row, %column] {numTiles = 4 : i32, transpose = false} : memref<16x17xf16, #wg> -> vector<4x2xf16>
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

//--- bytes.mlir
// Elements of 8 bits: a tile is 8 rows of 16 of them, four to a lane. The addresses of
// lanes 8 to 31 are not used.
#wg = #gpu.address_space<workgroup>
func.func @k(%x: memref<32x64xi8>, %y: memref<8x16xi8>) attributes {gpu.known_block_size = array<i32: 32, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %t = gpu.thread_id x
  %w = memref.alloc() : memref<8x16xi8, #wg>
  %r = arith.divui %t, %c4 : index
  %q = arith.remui %t, %c4 : index
  %c = arith.muli %q, %c4 : index
  %v = vector.load %x[%r, %c] : memref<32x64xi8>, vector<4xi8>
  vector.store %v, %w[%r, %c] : memref<8x16xi8, #wg>, vector<4xi8>
  gpu.barrier
  %m = nvgpu.ldmatrix %w[%t, %c0] {numTiles = 1 : i32, transpose = false} : memref<8x16xi8, #wg> -> vector<1x4xi8>
  %e = vector.extract %m[0] : vector<4xi8> from vector<1x4xi8>
  vector.store %e, %y[%r, %c] : memref<8x16xi8>, vector<4xi8>
  return
}

//--- mfma.mlir
// Lane l holds A[l mod 16, 4 (l / 16) + v], B[4 (l / 16) + v, l mod 16] and
// C[4 (l / 16) + v, l mod 16].
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

//--- packed.mlir
// Eight bytes in one integer: A times its transpose.
func.func @k(%a: memref<32x64xi8>, %c: memref<16x16xi32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %c16 = arith.constant 16 : index
  %zero = arith.constant dense<0> : vector<4xi32>
  %t = gpu.thread_id x
  %low = arith.remui %t, %c16 : index
  %high = arith.divui %t, %c16 : index
  %k = arith.muli %high, %c8 : index
  %n = arith.muli %high, %c4 : index
  %v = vector.load %a[%low, %k] : memref<32x64xi8>, vector<8xi8>
  %w = vector.bitcast %v : vector<8xi8> to vector<1xi64>
  %x = vector.extract %w[0] : i64 from vector<1xi64>
  %d = amdgpu.mfma 16x16x32 %x * %x + %zero blgp = none : i64, i64, vector<4xi32>
  // The product is symmetric.
  vector.store %d, %c[%low, %n] : memref<16x16xi32>, vector<4xi32>
  return
}

//--- store.mlir
// A subgroup stores a matrix together: whoever of its lanes reads an element needs a
// barrier, whichever lane stores it.
// OWN: error: data race in workgroup memory: thread {{.*}} writes {{.*}}, which thread {{.*}} reads, with no barrier between
// OWN: {{^}}races: 1, divergent barriers: 0, out of bounds: 0
// OTHER: error: data race in workgroup memory: thread {{.*}} writes {{.*}}, which thread {{.*}} writes, with no barrier between; both write the same value
// OTHER: {{^}}races: 2, divergent barriers: 0, out of bounds: 0
#wg = #gpu.address_space<workgroup>
func.func @k(%y: memref<8x8xf32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %c32 = arith.constant 32 : index
  %one = arith.constant 1.0 : f32
  %t = gpu.thread_id x
  %w = memref.alloc() : memref<16x8xf32, #wg>
  %s = gpu.subgroup_id : index
  %row = arith.muli %s, %c8 : index // not other
  //other: %row = arith.muli %s, %c0 : index
  %m = gpu.subgroup_mma_constant_matrix %one : !gpu.mma_matrix<8x8xf32, "COp">
  gpu.subgroup_mma_store_matrix %m, %w[%row, %c0] {leadDimension = 8 : index} : !gpu.mma_matrix<8x8xf32, "COp">, memref<16x8xf32, #wg>
  memspace.subgroup_barrier // not own
  %low = arith.cmpi ult, %t, %c32 : index
  scf.if %low {
    // Element number t and t + 32: as the first order of threads stores them.
    %r = arith.divui %t, %c8 : index
    %c = arith.remui %t, %c8 : index
    %v = memref.load %w[%r, %c] : memref<16x8xf32, #wg>
    memref.store %v, %y[%r, %c] : memref<8x8xf32>
  }
  return
}

//--- divergent.mlir
// CHECK: .mlir:[[#@LINE+12]]:{{[0-9]+}}: error: divergent subgroup op: thread (0, 0, 0) waits here, but thread (16, 0, 0) has returned
// CHECK: {{^}}races: 0, divergent barriers: 1, out of bounds: 0, uninitialized reads: 0{{$}}
func.func @k(%x: memref<1xf32>) attributes {gpu.known_block_size = array<i32: 32, 1, 1>} {
  %c16 = arith.constant 16 : index
  %c0 = arith.constant 0 : index
  %a = arith.constant dense<1.0> : vector<2x1xf64>
  %b = arith.constant dense<1.0> : vector<1x1xf64>
  %c = arith.constant dense<1.0> : vector<2x2xf64>
  %t = gpu.thread_id x
  %low = arith.cmpi uge, %t, %c0 : index // not bad
  //bad: %low = arith.cmpi ult, %t, %c16 : index
  scf.if %low {
    %d = nvgpu.mma.sync(%a, %b, %c) {mmaShape = [16, 8, 4]} : (vector<2x1xf64>, vector<1x1xf64>, vector<2x2xf64>) -> vector<2x2xf64>
  }
  return
}

//--- bounds.mlir
// The box of a matrix must be in the memref where its rows are those of the memref, else
// its bytes in the buffer. A load uses what it loads.
// INDEX: .mlir:[[#@LINE+13]]:{{[0-9]+}}: error: out of bounds: thread (0, 0, 0) uses index 16 of dimension 1, whose size is 16
// INDEX-NOT: error:
// INDEX: {{^}}races: 0, divergent barriers: 0, out of bounds: 1, uninitialized reads: 0{{$}}
// LEAD: .mlir:[[#@LINE+11]]:{{[0-9]+}}: error: out of bounds: thread {{.*}} reads bytes {{.*}} of a buffer of 1024 bytes
// LEAD: {{^}}races: 0, divergent barriers: 0, out of bounds: 1, uninitialized reads: 0{{$}}
// ROW: .mlir:[[#@LINE+12]]:{{[0-9]+}}: error: out of bounds: thread (0, 0, 0) uses index 1152921504606846976 of dimension 0, whose size is 256
// UNINIT: .mlir:[[#@LINE+7]]:{{[0-9]+}}: error: uninitialized read: thread (0, 0, 0) reads byte 544, which nobody has written
func.func @k(%x: memref<16x16xf32>, %y: memref<16x16xf32>) attributes {gpu.known_block_size = array<i32: 32, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %at = arith.addi %c8, %c0 : index // not index
  //index: %at = arith.addi %c8, %c1 : index
  %a = gpu.subgroup_mma_load_matrix %x[%c8, %at] {leadDimension = 16 : index} : memref<16x16xf32> -> !gpu.mma_matrix<8x8xf32, "COp"> // not lead row
  //lead: %a = gpu.subgroup_mma_load_matrix %x[%c8, %at] {leadDimension = 17 : index} : memref<16x16xf32> -> !gpu.mma_matrix<8x8xf32, "COp">
  //row: %far = arith.constant 1152921504606846976 : index
  //row: %flat = memref.collapse_shape %x [[0, 1]] : memref<16x16xf32> into memref<256xf32>
  //row: %a = gpu.subgroup_mma_load_matrix %flat[%far] {leadDimension = 16 : index} : memref<256xf32> -> !gpu.mma_matrix<8x8xf32, "COp">
  gpu.subgroup_mma_store_matrix %a, %y[%c0, %c0] {leadDimension = 16 : index} : !gpu.mma_matrix<8x8xf32, "COp">, memref<16x16xf32>
  return
}

//--- layout.mlir
// Which element a thread holds is the target's own: the orders of threads differ in it.
// CHECK: argument 1 depends on the order of the threads
func.func @k(%x: memref<8x8xf32>, %y: memref<32xf32>) attributes {gpu.known_block_size = array<i32: 32, 1, 1>} {
  %c0 = arith.constant 0 : index
  %t = gpu.thread_id x
  %m = gpu.subgroup_mma_load_matrix %x[%c0, %c0] {leadDimension = 8 : index} : memref<8x8xf32> -> !gpu.mma_matrix<8x8xf32, "COp">
  %v = gpu.subgroup_mma_extract_thread_local %m[%c0] : !gpu.mma_matrix<8x8xf32, "COp"> -> f32
  memref.store %v, %y[%t] : memref<32xf32>
  return
}

//--- poison.mlir
// A matrix that no op makes or uses.
func.func @f(%m: !gpu.mma_matrix<4x4xsi8, "AOp">) {
  return
}
func.func @k(%x: memref<1xf32>) attributes {gpu.known_block_size = array<i32: 32, 1, 1>} {
  %m = ub.poison : !gpu.mma_matrix<4x4xsi8, "AOp">
  func.call @f(%m) : (!gpu.mma_matrix<4x4xsi8, "AOp">) -> ()
  return
}
