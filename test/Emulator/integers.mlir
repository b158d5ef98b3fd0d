// RUN: rm -rf %t && split-file %s %t
// RUN: %python %S/Inputs/write_npy.py %t
// RUN: memspace-runner %t/widths.mlir --arg=0:npy:%t/i8-signed.npy --out=1:%t/i1.npy --out=2:%t/i2.npy --out=3:%t/i3.npy --out=4:%t/i4.npy --out=5:%t/i7.npy --out=6:%t/i9.npy --out=7:%t/i24.npy --out=8:%t/i33.npy 2>&1 | FileCheck %s --check-prefix=CLEAN
// RUN: %compare %t/i1.npy "(i - 128) & 1"
// RUN: %compare %t/i2.npy "((i - 128 + 2) & 3) - 2"
// RUN: %compare %t/i3.npy "((i - 128 + 4) & 7) - 4"
// RUN: %compare %t/i4.npy "((i - 128 + 8) & 15) - 8"
// RUN: %compare %t/i7.npy "((i - 128 + 64) & 127) - 64"
// RUN: %compare %t/i9.npy "i - 128"
// RUN: %compare %t/i24.npy "i - 128"
// RUN: %compare %t/i33.npy "i - 128"
// RUN: memspace-runner %t/kinds.mlir --arg=0:iota --arg=1:iota --out=0:%t/ui4.npy --out=1:%t/si4.npy 2>&1 | FileCheck %s --check-prefix=CLEAN
// RUN: %compare %t/ui4.npy "i % 16"
// RUN: %compare %t/si4.npy "(i + 8) % 16 - 8"
// RUN: memspace-runner %t/in.mlir --arg=0:npy:%t/i4-signed.npy --arg=1:npy:%t/i4-unsigned.npy --arg=2:npy:%t/bool.npy --arg=3:fill:-3 --arg=4:iota --arg=5:npy:%t/i16-signed.npy --out=6:%t/signed.npy --out=7:%t/unsigned.npy 2>&1 | FileCheck %s --check-prefix=CLEAN
// RUN: %compare %t/signed.npy "np.concatenate([i[:16] - 8, (i[:16] + 8) % 16 - 8, -(i[:16] % 2), np.full(1, -3), (i[:16] + 8) % 16 - 8, 16 * (i[:16] - 8)])"
// RUN: %compare %t/unsigned.npy "np.concatenate([(i[:16] - 8) % 16, i[:16], i[:16] % 2, np.full(1, 13), i[:16], 16 * (i[:16] - 8) % 512])"
// RUN: memspace-runner %t/through.mlir --arg=0:npy:%t/i4-unsigned.npy --out=0:%t/through.npy 2>&1 | FileCheck %s --check-prefix=CLEAN
// RUN: %compare %t/through.npy "(i + 8) % 16 - 8"
// RUN: %status 2 memspace-runner %t/through.mlir --arg=0:npy:%t/i4-wide.npy 2>&1 | FileCheck %t/through.mlir
// RUN: %status 2 memspace-runner %t/packed.mlir --arg=0:fill:1 --out=0:%t/packed.npy 2>&1 | FileCheck %t/packed.mlir
// RUN: memspace-runner %t/packed.mlir --arg=0:fill:1 --out=1:%t/bits.npy 2>&1 | FileCheck %s --check-prefix=CLEAN
// RUN: %compare %t/bits.npy "1"

// CLEAN-NOT: {{error|warning}}:
// CLEAN: {{^}}races: 0, divergent barriers: 0, out of bounds: 0, uninitialized reads: 0{{$}}

// Integers of widths that no CPU and no NumPy has: in files they are those of
// the next wider type, by their sign; i1 is 0 or 1.

//--- widths.mlir
func.func @k(%x: memref<256xi8>, %i1: memref<256xi1>, %i2: memref<256xi2>, %i3: memref<256xi3>, %i4: memref<256xi4>, %i7: memref<256xi7>, %i9: memref<256xi9>, %i24: memref<256xi24>, %i33: memref<256xi33>) attributes {gpu.known_block_size = array<i32: 256, 1, 1>} {
  %t = gpu.thread_id x
  %v = memref.load %x[%t] : memref<256xi8>
  %v1 = arith.trunci %v : i8 to i1
  memref.store %v1, %i1[%t] : memref<256xi1>
  %v2 = arith.trunci %v : i8 to i2
  memref.store %v2, %i2[%t] : memref<256xi2>
  %v3 = arith.trunci %v : i8 to i3
  memref.store %v3, %i3[%t] : memref<256xi3>
  %v4 = arith.trunci %v : i8 to i4
  memref.store %v4, %i4[%t] : memref<256xi4>
  %v7 = arith.trunci %v : i8 to i7
  memref.store %v7, %i7[%t] : memref<256xi7>
  %v9 = arith.extsi %v : i8 to i9
  memref.store %v9, %i9[%t] : memref<256xi9>
  %v24 = arith.extsi %v : i8 to i24
  memref.store %v24, %i24[%t] : memref<256xi24>
  %v33 = arith.extsi %v : i8 to i33
  memref.store %v33, %i33[%t] : memref<256xi33>
  return
}

//--- kinds.mlir
func.func @k(%u: memref<32xui4>, %s: memref<32xsi4>) attributes {gpu.known_block_size = array<i32: 32, 1, 1>} {
  %t = gpu.thread_id x
  %v = memref.load %u[%t] : memref<32xui4>
  memref.store %v, %u[%t] : memref<32xui4>
  %w = memref.load %s[%t] : memref<32xsi4>
  memref.store %w, %s[%t] : memref<32xsi4>
  return
}

//--- in.mlir
func.func @k(%s: memref<16xi4>, %u: memref<16xi4>, %b: memref<16xi1>, %f: memref<1xi4>, %c: memref<16xi4>, %n: memref<16xi9>, %signed: memref<81xi32>, %unsigned: memref<81xi32>) attributes {gpu.known_block_size = array<i32: 16, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %c32 = arith.constant 32 : index
  %c48 = arith.constant 48 : index
  %c49 = arith.constant 49 : index
  %c65 = arith.constant 65 : index
  %t = gpu.thread_id x
  %t16 = arith.addi %t, %c16 : index
  %t32 = arith.addi %t, %c32 : index
  %t49 = arith.addi %t, %c49 : index
  %t65 = arith.addi %t, %c65 : index
  %v0 = memref.load %s[%t] : memref<16xi4>
  %s0 = arith.extsi %v0 : i4 to i32
  memref.store %s0, %signed[%t] : memref<81xi32>
  %u0 = arith.extui %v0 : i4 to i32
  memref.store %u0, %unsigned[%t] : memref<81xi32>
  %v1 = memref.load %u[%t] : memref<16xi4>
  %s1 = arith.extsi %v1 : i4 to i32
  memref.store %s1, %signed[%t16] : memref<81xi32>
  %u1 = arith.extui %v1 : i4 to i32
  memref.store %u1, %unsigned[%t16] : memref<81xi32>
  %v2 = memref.load %b[%t] : memref<16xi1>
  %s2 = arith.extsi %v2 : i1 to i32
  memref.store %s2, %signed[%t32] : memref<81xi32>
  %u2 = arith.extui %v2 : i1 to i32
  memref.store %u2, %unsigned[%t32] : memref<81xi32>
  %first = arith.cmpi eq, %t, %c0 : index
  scf.if %first {
    %v3 = memref.load %f[%t] : memref<1xi4>
    %s3 = arith.extsi %v3 : i4 to i32
    memref.store %s3, %signed[%c48] : memref<81xi32>
    %u3 = arith.extui %v3 : i4 to i32
    memref.store %u3, %unsigned[%c48] : memref<81xi32>
  }
  %v4 = memref.load %c[%t] : memref<16xi4>
  %s4 = arith.extsi %v4 : i4 to i32
  memref.store %s4, %signed[%t49] : memref<81xi32>
  %u4 = arith.extui %v4 : i4 to i32
  memref.store %u4, %unsigned[%t49] : memref<81xi32>
  %v5 = memref.load %n[%t] : memref<16xi9>
  %s5 = arith.extsi %v5 : i9 to i32
  memref.store %s5, %signed[%t65] : memref<81xi32>
  %u5 = arith.extui %v5 : i9 to i32
  memref.store %u5, %unsigned[%t65] : memref<81xi32>
  return
}

//--- through.mlir
// An argument that the kernel does not touch comes out by its sign, too.
// CHECK: error: --arg=0:npy:{{.*}}i4-wide.npy': element 2 (row-major) does not fit i4{{$}}
// CHECK-NOT: races:
func.func @k(%x: memref<16xi4>) attributes {gpu.known_block_size = array<i32: 1, 1, 1>} {
  return
}

//--- packed.mlir
// Elements that are vectors of such integers are packed bits.
// CHECK: error: {{.*}}packed.npy': elements of type vector<12xi1> have no .npy form; use a memref of scalars{{$}}
func.func @k(%x: memref<4xvector<12xi1>>, %y: memref<48xi1>) attributes {gpu.known_block_size = array<i32: 4, 1, 1>} {
  %c12 = arith.constant 12 : index
  %t = gpu.thread_id x
  %v = memref.load %x[%t] : memref<4xvector<12xi1>>
  %i = arith.muli %t, %c12 : index
  vector.store %v, %y[%i] : memref<48xi1>, vector<12xi1>
  return
}
