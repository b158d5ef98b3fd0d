// RUN: split-file %s %t
// RUN: memspace-runner %t/h01-raw.mlir --arg=0:iota --out=1:%t/h01-raw-1.npy 2>&1 | FileCheck %s --check-prefix=CLEAN
// RUN: %compare %t/h01-raw-1.npy "np.roll(i, -1)"
// RUN: %broken bad %t/h01-raw.mlir %t/h01-raw-bad.mlir
// RUN: not memspace-runner %t/h01-raw-bad.mlir --arg=0:iota 2>&1 | FileCheck %t/h01-raw.mlir
// RUN: memspace-runner %t/h01-war.mlir --arg=0:iota --out=1:%t/h01-war-1.npy --out=2:%t/h01-war-2.npy 2>&1 | FileCheck %s --check-prefix=CLEAN
// RUN: %compare %t/h01-war-1.npy "np.roll(i, -1)"
// RUN: %compare %t/h01-war-2.npy "2 * np.roll(i, 1)"
// RUN: %broken bad %t/h01-war.mlir %t/h01-war-bad.mlir
// RUN: not memspace-runner %t/h01-war-bad.mlir --arg=0:iota 2>&1 | FileCheck %t/h01-war.mlir
// RUN: memspace-runner %t/h02-own.mlir --arg=0:iota --out=1:%t/h02-own-1.npy 2>&1 | FileCheck %s --check-prefix=CLEAN
// RUN: %compare %t/h02-own-1.npy "i"
// RUN: %broken bad %t/h02-own.mlir %t/h02-own-bad.mlir
// RUN: not memspace-runner %t/h02-own-bad.mlir --arg=0:iota 2>&1 | FileCheck %t/h02-own.mlir
// RUN: memspace-runner %t/h03-subviews.mlir --arg=0:iota --out=1:%t/h03-subviews-1.npy 2>&1 | FileCheck %s --check-prefix=CLEAN
// RUN: %compare %t/h03-subviews-1.npy "np.where(i < 32, 63 - i, 0)"
// RUN: %broken bad %t/h03-subviews.mlir %t/h03-subviews-bad.mlir
// RUN: not memspace-runner %t/h03-subviews-bad.mlir --arg=0:iota 2>&1 | FileCheck %t/h03-subviews.mlir
// RUN: memspace-runner %t/h03-unknown.mlir --arg=0:iota --arg=2:fill:32 --out=1:%t/h03-unknown-1.npy 2>&1 | FileCheck %s --check-prefix=CLEAN
// RUN: %compare %t/h03-unknown-1.npy "0"
// RUN: not memspace-runner %t/h03-unknown.mlir --arg=0:iota --arg=2:fill:0 2>&1 | FileCheck %t/h03-unknown.mlir
// RUN: memspace-runner %t/h04-slots.mlir --arg=0:iota --arg=2:fill:3 --out=1:%t/h04-slots-1.npy 2>&1 | FileCheck %s --check-prefix=CLEAN
// RUN: %compare %t/h04-slots-1.npy "np.concatenate([np.roll(i[64*k:64*k+64], -1) for k in range(8)])"
// RUN: %broken bad %t/h04-slots.mlir %t/h04-slots-bad.mlir
// RUN: not memspace-runner %t/h04-slots-bad.mlir --arg=0:iota --arg=2:fill:3 2>&1 | FileCheck %t/h04-slots.mlir
// RUN: %broken sync %t/h04-slots.mlir %t/h04-slots-sync.mlir
// RUN: not memspace-runner %t/h04-slots-sync.mlir --arg=0:iota --arg=2:fill:3 2>&1 | FileCheck %t/h04-slots.mlir --check-prefix=SYNC
// RUN: not memspace-runner %t/h04-slots.mlir --arg=0:iota --arg=2:fill:2 2>&1 | FileCheck %t/h04-slots.mlir --check-prefix=MODULUS
// RUN: memspace-runner %t/h05-single.mlir --arg=0:iota --out=1:%t/h05-single-1.npy 2>&1 | FileCheck %s --check-prefix=CLEAN
// RUN: %compare %t/h05-single-1.npy "sum((np.roll(i[:64] + 64*k, -1) for k in range(4)))"
// RUN: %broken raw %t/h05-single.mlir %t/h05-single-raw.mlir
// RUN: not memspace-runner %t/h05-single-raw.mlir --arg=0:iota 2>&1 | FileCheck %t/h05-single.mlir --check-prefix=RAW
// RUN: %broken war %t/h05-single.mlir %t/h05-single-war.mlir
// RUN: not memspace-runner %t/h05-single-war.mlir --arg=0:iota 2>&1 | FileCheck %t/h05-single.mlir --check-prefix=WAR
// RUN: memspace-runner %t/h05-double.mlir --arg=0:iota --out=1:%t/h05-double-1.npy 2>&1 | FileCheck %s --check-prefix=CLEAN
// RUN: %compare %t/h05-double-1.npy "sum((np.roll(i[:64] + 64*k, -1) for k in range(4)))"
// RUN: %broken bad %t/h05-double.mlir %t/h05-double-bad.mlir
// RUN: not memspace-runner %t/h05-double-bad.mlir --arg=0:iota 2>&1 | FileCheck %t/h05-double.mlir
// RUN: memspace-runner %t/h06-then-only.mlir --arg=0:iota --arg=2:fill:1 --out=1:%t/h06-then-only-1.npy 2>&1 | FileCheck %s --check-prefix=CLEAN
// RUN: %compare %t/h06-then-only-1.npy "np.roll(i, -1)"
// RUN: not memspace-runner %t/h06-then-only.mlir --arg=0:iota --arg=2:fill:0 2>&1 | FileCheck %t/h06-then-only.mlir
// RUN: %broken both %t/h06-then-only.mlir %t/h06-then-only-both.mlir
// RUN: memspace-runner %t/h06-then-only-both.mlir --arg=0:iota --arg=2:fill:0 --out=1:%t/h06-then-only-1.npy 2>&1 | FileCheck %s --check-prefix=CLEAN
// RUN: %compare %t/h06-then-only-1.npy "np.roll(i, -1)"
// RUN: memspace-runner %t/h07-skipped.mlir --arg=0:iota --arg=2:fill:0 --out=1:%t/h07-skipped-1.npy 2>&1 | FileCheck %s --check-prefix=CLEAN
// RUN: %compare %t/h07-skipped-1.npy "np.roll(i, -1)"
// RUN: %broken bad %t/h07-skipped.mlir %t/h07-skipped-bad.mlir
// RUN: not memspace-runner %t/h07-skipped-bad.mlir --arg=0:iota --arg=2:fill:0 2>&1 | FileCheck %t/h07-skipped.mlir
// RUN: %broken bad %t/h07-skipped.mlir %t/h07-skipped-bad.mlir
// RUN: memspace-runner %t/h07-skipped-bad.mlir --arg=0:iota --arg=2:fill:1 --out=1:%t/h07-skipped-1.npy 2>&1 | FileCheck %s --check-prefix=CLEAN
// RUN: %compare %t/h07-skipped-1.npy "np.roll(2 * i, -1)"
// RUN: memspace-runner %t/h08-swap.mlir --arg=0:iota --out=1:%t/h08-swap-1.npy 2>&1 | FileCheck %s --check-prefix=CLEAN
// RUN: %compare %t/h08-swap-1.npy "np.roll(i, -4)"
// RUN: %broken bad %t/h08-swap.mlir %t/h08-swap-bad.mlir
// RUN: not memspace-runner %t/h08-swap-bad.mlir --arg=0:iota 2>&1 | FileCheck %t/h08-swap.mlir
// RUN: memspace-runner %t/h09-reuse.mlir --arg=0:iota --out=1:%t/h09-reuse-1.npy 2>&1 | FileCheck %s --check-prefix=CLEAN
// RUN: %compare %t/h09-reuse-1.npy "np.roll(i, -1) + np.roll(i, 1)"
// RUN: %broken bad %t/h09-reuse.mlir %t/h09-reuse-bad.mlir
// RUN: not memspace-runner %t/h09-reuse-bad.mlir --arg=0:iota 2>&1 | FileCheck %t/h09-reuse.mlir
// RUN: memspace-runner %t/h10-repeated.mlir --arg=0:iota --out=1:%t/h10-repeated-1.npy 2>&1 | FileCheck %s --check-prefix=CLEAN
// RUN: %compare %t/h10-repeated-1.npy "np.roll(i, -1) + np.roll(i, -2)"
// RUN: %broken first %t/h10-repeated.mlir %t/h10-repeated-first.mlir
// RUN: memspace-runner %t/h10-repeated-first.mlir --arg=0:iota --out=1:%t/h10-repeated-1.npy 2>&1 | FileCheck %s --check-prefix=CLEAN
// RUN: %compare %t/h10-repeated-1.npy "np.roll(i, -1) + np.roll(i, -2)"
// RUN: %broken second %t/h10-repeated.mlir %t/h10-repeated-second.mlir
// RUN: memspace-runner %t/h10-repeated-second.mlir --arg=0:iota --out=1:%t/h10-repeated-1.npy 2>&1 | FileCheck %s --check-prefix=CLEAN
// RUN: %compare %t/h10-repeated-1.npy "np.roll(i, -1) + np.roll(i, -2)"
// RUN: %broken both %t/h10-repeated.mlir %t/h10-repeated-both.mlir
// RUN: not memspace-runner %t/h10-repeated-both.mlir --arg=0:iota 2>&1 | FileCheck %t/h10-repeated.mlir --check-prefix=BOTH

// CLEAN-NOT: {{error|warning}}:
// CLEAN: {{^}}races: 0, divergent barriers: 0, out of bounds: 0, uninitialized reads: 0{{$}}

// Races by a missing barrier, cases H1 to H10 of the field. Each kernel is right
// as written; %broken leaves out the lines that end in "not TAG", and then the
// race must be reported at the two ops that race, and nothing else.

//--- h01-raw.mlir
// H1: own element stored, the neighbour's loaded. In the forward order thread 1
// stores what thread 0 has loaded.
// CHECK: .mlir:[[#@LINE+15]]:{{[0-9]+}}: error: data race in workgroup memory: thread (1, 0, 0) writes byte 4, which thread (0, 0, 0) reads, with no barrier between
// CHECK: .mlir:[[#@LINE+18]]:{{[0-9]+}}: note: the other access is here
// CHECK: .mlir:[[#@LINE+9]]:{{[0-9]+}}: note: the buffer is made here
// CHECK: {{^}}races: 1, divergent barriers: 0, out of bounds: 0, uninitialized reads: 0{{$}}
#wg = #gpu.address_space<workgroup>
func.func @h01(%x: memref<64xf32>, %y: memref<64xf32>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant 0.0 : f32
  %t = gpu.thread_id x
  %w = memref.alloc() : memref<64xf32, #wg>
  memref.store %zero, %w[%t] : memref<64xf32, #wg>
  gpu.barrier
  %v = memref.load %x[%t] : memref<64xf32>
  memref.store %v, %w[%t] : memref<64xf32, #wg>
  gpu.barrier // not bad
  %t1 = arith.addi %t, %c1 : index
  %n = arith.remui %t1, %c64 : index
  %r = memref.load %w[%n] : memref<64xf32, #wg>
  memref.store %r, %y[%t] : memref<64xf32>
  return
}

//--- h01-war.mlir
// H1: … then stored again, which overwrites what the neighbour loads.
// CHECK: .mlir:[[#@LINE+21]]:{{[0-9]+}}: error: data race in workgroup memory: thread (1, 0, 0) writes byte 4, which thread (0, 0, 0) reads, with no barrier between
// CHECK: .mlir:[[#@LINE+16]]:{{[0-9]+}}: note: the other access is here
// CHECK: .mlir:[[#@LINE+9]]:{{[0-9]+}}: note: the buffer is made here
// CHECK: {{^}}races: 1, divergent barriers: 0, out of bounds: 0, uninitialized reads: 0{{$}}
#wg = #gpu.address_space<workgroup>
func.func @h01(%x: memref<64xf32>, %y: memref<64xf32>, %z: memref<64xf32>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %c1 = arith.constant 1 : index
  %c63 = arith.constant 63 : index
  %c64 = arith.constant 64 : index
  %t = gpu.thread_id x
  %w = memref.alloc() : memref<64xf32, #wg>
  %v = memref.load %x[%t] : memref<64xf32>
  memref.store %v, %w[%t] : memref<64xf32, #wg>
  gpu.barrier
  %t1 = arith.addi %t, %c1 : index
  %n = arith.remui %t1, %c64 : index
  %r = memref.load %w[%n] : memref<64xf32, #wg>
  memref.store %r, %y[%t] : memref<64xf32>
  gpu.barrier // not bad
  %v2 = arith.addf %v, %v : f32
  memref.store %v2, %w[%t] : memref<64xf32, #wg>
  gpu.barrier
  %t63 = arith.addi %t, %c63 : index
  %p = arith.remui %t63, %c64 : index
  %s = memref.load %w[%p] : memref<64xf32, #wg>
  memref.store %s, %z[%t] : memref<64xf32>
  return
}

//--- h02-own.mlir
// H2: own element stored and loaded: no barrier needed. Broken: two threads
// share an element.
// CHECK: .mlir:[[#@LINE+16]]:{{[0-9]+}}: error: data race in workgroup memory: thread (1, 0, 0) writes byte 0, which thread (0, 0, 0) {{writes|reads}}, with no barrier between
// CHECK: {{^}}races: {{[1-9][0-9]*}}, divergent barriers: 0, out of bounds: 0, uninitialized reads: 0{{$}}
#wg = #gpu.address_space<workgroup>
func.func @h02(%x: memref<64xf32>, %y: memref<64xf32>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %c2 = arith.constant 2 : index
  %t = gpu.thread_id x
  %w = memref.alloc() : memref<64xf32, #wg>
  %e = arith.muli %t, %c2 : index // not bad
  //bad: %e = arith.divui %t, %c2 : index
  %c64 = arith.constant 64 : index
  %m = arith.remui %e, %c64 : index // not bad
  %h = arith.divui %e, %c64 : index // not bad
  %own = arith.addi %m, %h : index // not bad
  //bad: %own = arith.addi %e, %e : index
  %v = memref.load %x[%t] : memref<64xf32>
  memref.store %v, %w[%own] : memref<64xf32, #wg>
  %r = memref.load %w[%own] : memref<64xf32, #wg>
  memref.store %r, %y[%t] : memref<64xf32>
  return
}

//--- h03-subviews.mlir
// H3: two disjoint constant subviews of one buffer need no barrier between.
// Broken: they overlap in elements 16 to 31.
// CHECK: .mlir:[[#@LINE+22]]:{{[0-9]+}}: error: data race in workgroup memory: thread (8, 0, 0) reads byte 92, which thread (7, 0, 0) writes, with no barrier between
// CHECK: .mlir:[[#@LINE+25]]:{{[0-9]+}}: note: the other access is here
// CHECK: .mlir:[[#@LINE+10]]:{{[0-9]+}}: note: the buffer is made here
// CHECK: {{^}}races: 1, divergent barriers: 0, out of bounds: 0, uninitialized reads: 0{{$}}
#wg = #gpu.address_space<workgroup>
func.func @h03(%x: memref<64xf32>, %y: memref<64xf32>)
    attributes {gpu.known_block_size = array<i32: 32, 1, 1>} {
  %c31 = arith.constant 31 : index
  %c63 = arith.constant 63 : index
  %zero = arith.constant 0.0 : f32
  %c32 = arith.constant 32 : index
  %t = gpu.thread_id x
  %w = memref.alloc() : memref<64xf32, #wg>
  %u = arith.addi %t, %c32 : index
  memref.store %zero, %w[%t] : memref<64xf32, #wg>
  memref.store %zero, %w[%u] : memref<64xf32, #wg>
  gpu.barrier
  %a = memref.subview %w[0] [32] [1] : memref<64xf32, #wg> to memref<32xf32, strided<[1]>, #wg>
  %b = memref.subview %w[32] [32] [1] : memref<64xf32, #wg> to memref<32xf32, strided<[1], offset: 32>, #wg> // not bad
  //bad: %b = memref.subview %w[16] [32] [1] : memref<64xf32, #wg> to memref<32xf32, strided<[1], offset: 16>, #wg>
  %m = arith.subi %c31, %t : index
  %p = arith.subi %c63, %t : index
  %r = memref.load %a[%m] : memref<32xf32, strided<[1]>, #wg>
  memref.store %r, %y[%p] : memref<64xf32>
  %v = memref.load %x[%u] : memref<64xf32>
  memref.store %v, %b[%t] : memref<32xf32, strided<[1], offset: 32>, #wg> // not bad
  //bad: memref.store %v, %b[%t] : memref<32xf32, strided<[1], offset: 16>, #wg>
  gpu.barrier
  %s = memref.load %w[%p] : memref<64xf32, #wg>
  memref.store %s, %y[%t] : memref<64xf32>
  return
}

//--- h03-unknown.mlir
// H3: an unknown offset: what counts are the bytes of this run. 32 is disjoint,
// 0 is not.
// CHECK: .mlir:[[#@LINE+18]]:{{[0-9]+}}: error: data race in workgroup memory: thread (16, 0, 0) reads byte 60, which thread (15, 0, 0) writes, with no barrier between
// CHECK: .mlir:[[#@LINE+20]]:{{[0-9]+}}: note: the other access is here
// CHECK: .mlir:[[#@LINE+9]]:{{[0-9]+}}: note: the buffer is made here
// CHECK: {{^}}races: 1, divergent barriers: 0, out of bounds: 0, uninitialized reads: 0{{$}}
#wg = #gpu.address_space<workgroup>
func.func @h03(%x: memref<64xf32>, %y: memref<32xf32>, %o: index)
    attributes {gpu.known_block_size = array<i32: 32, 1, 1>} {
  %c31 = arith.constant 31 : index
  %c32 = arith.constant 32 : index
  %zero = arith.constant 0.0 : f32
  %t = gpu.thread_id x
  %w = memref.alloc() : memref<64xf32, #wg>
  %u = arith.addi %t, %c32 : index
  memref.store %zero, %w[%t] : memref<64xf32, #wg>
  memref.store %zero, %w[%u] : memref<64xf32, #wg>
  gpu.barrier
  %b = memref.subview %w[%o] [32] [1] : memref<64xf32, #wg> to memref<32xf32, strided<[1], offset: ?>, #wg>
  %m = arith.subi %c31, %t : index
  %r = memref.load %w[%m] : memref<64xf32, #wg>
  memref.store %r, %y[%t] : memref<32xf32>
  %v = memref.load %x[%t] : memref<64xf32>
  memref.store %v, %b[%t] : memref<32xf32, strided<[1], offset: ?>, #wg>
  return
}

//--- h04-slots.mlir
// H4: of a triple buffer, slot i mod 3 is read and slot (i + 2) mod 3 written:
// one barrier for each iteration is enough. Broken: the same slot (base i
// instead of i + 2), no barrier, or a modulus (known only here) of 2. Broken, slot 2 is
// read before anyone has written it.
// CHECK: .mlir:[[#@LINE+38]]:{{[0-9]+}}: error: data race in workgroup memory: thread (1, 0, 0) writes byte 4, which thread (0, 0, 0) reads, with no barrier between
// CHECK: .mlir:[[#@LINE+31]]:{{[0-9]+}}: note: the other access is here
// CHECK: .mlir:[[#@LINE+22]]:{{[0-9]+}}: note: the buffer is made here
// CHECK: .mlir:[[#@LINE+29]]:{{[0-9]+}}: error: uninitialized read: thread ({{[0-9]+}}, 0, 0) reads byte {{[0-9]+}}, which nobody has written
// CHECK: {{^}}races: 1, divergent barriers: 0, out of bounds: 0, uninitialized reads: 1{{$}}
// SYNC: .mlir:[[#@LINE+33]]:{{[0-9]+}}: error: data race in workgroup memory: thread (1, 0, 0) writes byte {{[0-9]+}}, which thread (0, 0, 0) reads, with no barrier between
// SYNC: .mlir:[[#@LINE+26]]:{{[0-9]+}}: note: the other access is here
// SYNC: .mlir:[[#@LINE+17]]:{{[0-9]+}}: note: the buffer is made here
// SYNC: {{^}}races: 1, divergent barriers: 0, out of bounds: 0, uninitialized reads: 1{{$}}
// MODULUS: .mlir:[[#@LINE+29]]:{{[0-9]+}}: error: data race in workgroup memory: thread (1, 0, 0) writes byte 4, which thread (0, 0, 0) reads, with no barrier between
// MODULUS: .mlir:[[#@LINE+22]]:{{[0-9]+}}: note: the other access is here
// MODULUS: .mlir:[[#@LINE+13]]:{{[0-9]+}}: note: the buffer is made here
// MODULUS: {{^}}races: 1, divergent barriers: 0, out of bounds: 0, uninitialized reads: 0{{$}}
#wg = #gpu.address_space<workgroup>
func.func @h04(%x: memref<10x64xf32>, %y: memref<8x64xf32>, %modulus: index)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c8 = arith.constant 8 : index
  %c64 = arith.constant 64 : index
  %t = gpu.thread_id x
  %t1 = arith.addi %t, %c1 : index
  %n = arith.remui %t1, %c64 : index
  %w = memref.alloc() : memref<3x64xf32, #wg>
  %v0 = memref.load %x[%c0, %t] : memref<10x64xf32>
  memref.store %v0, %w[%c0, %t] : memref<3x64xf32, #wg>
  %v1 = memref.load %x[%c1, %t] : memref<10x64xf32>
  memref.store %v1, %w[%c1, %t] : memref<3x64xf32, #wg>
  gpu.barrier
  scf.for %i = %c0 to %c8 step %c1 {
    %slot = arith.remui %i, %modulus : index
    %r = memref.load %w[%slot, %n] : memref<3x64xf32, #wg>
    memref.store %r, %y[%i, %t] : memref<8x64xf32>
    %i2 = arith.addi %i, %c2 : index
    %ahead = arith.remui %i2, %modulus : index // not bad
    //bad: %ahead = arith.remui %i, %modulus : index
    %v = memref.load %x[%i2, %t] : memref<10x64xf32>
    memref.store %v, %w[%ahead, %t] : memref<3x64xf32, #wg>
    gpu.barrier // not sync
  }
  return
}

//--- h05-single.mlir
// H5: a loop over K writes a tile and reads it: two barriers per iteration, RAW
// within it and WAR across the back edge.
// RAW: .mlir:[[#@LINE+24]]:{{[0-9]+}}: error: data race in workgroup memory: thread (1, 0, 0) writes byte 4, which thread (0, 0, 0) reads, with no barrier between
// RAW: .mlir:[[#@LINE+25]]:{{[0-9]+}}: note: the other access is here
// RAW: .mlir:[[#@LINE+17]]:{{[0-9]+}}: note: the buffer is made here
// RAW: {{^}}races: 1, divergent barriers: 0, out of bounds: 0, uninitialized reads: 0{{$}}
// WAR: .mlir:[[#@LINE+20]]:{{[0-9]+}}: error: data race in workgroup memory: thread (1, 0, 0) writes byte 4, which thread (0, 0, 0) reads, with no barrier between
// WAR: .mlir:[[#@LINE+21]]:{{[0-9]+}}: note: the other access is here
// WAR: .mlir:[[#@LINE+13]]:{{[0-9]+}}: note: the buffer is made here
// WAR: {{^}}races: 1, divergent barriers: 0, out of bounds: 0, uninitialized reads: 0{{$}}
#wg = #gpu.address_space<workgroup>
func.func @h05(%x: memref<4x64xf32>, %y: memref<64xf32>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant 0.0 : f32
  %t = gpu.thread_id x
  %t1 = arith.addi %t, %c1 : index
  %n = arith.remui %t1, %c64 : index
  %w = memref.alloc() : memref<64xf32, #wg>
  memref.store %zero, %w[%t] : memref<64xf32, #wg>
  gpu.barrier
  %acc = scf.for %k = %c0 to %c4 step %c1 iter_args(%a = %zero) -> f32 {
    %v = memref.load %x[%k, %t] : memref<4x64xf32>
    memref.store %v, %w[%t] : memref<64xf32, #wg>
    gpu.barrier // not raw
    %r = memref.load %w[%n] : memref<64xf32, #wg>
    %s = arith.addf %a, %r : f32
    gpu.barrier // not war
    scf.yield %s : f32
  }
  memref.store %acc, %y[%t] : memref<64xf32>
  return
}

//--- h05-double.mlir
// H5: with two tiles in turn one barrier per iteration is enough.
// CHECK: .mlir:[[#@LINE+21]]:{{[0-9]+}}: error: data race in workgroup memory: thread (1, 0, 0) writes byte 4, which thread (0, 0, 0) reads, with no barrier between
// CHECK: {{^}}races: 1, divergent barriers: 0, out of bounds: 0, uninitialized reads: 0{{$}}
#wg = #gpu.address_space<workgroup>
func.func @h05(%x: memref<4x64xf32>, %y: memref<64xf32>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant 0.0 : f32
  %t = gpu.thread_id x
  %t1 = arith.addi %t, %c1 : index
  %n = arith.remui %t1, %c64 : index
  %w = memref.alloc() : memref<2x64xf32, #wg>
  memref.store %zero, %w[%c0, %t] : memref<2x64xf32, #wg>
  memref.store %zero, %w[%c1, %t] : memref<2x64xf32, #wg>
  gpu.barrier
  %acc = scf.for %k = %c0 to %c4 step %c1 iter_args(%a = %zero) -> f32 {
    %slot = arith.remui %k, %c2 : index
    %v = memref.load %x[%k, %t] : memref<4x64xf32>
    memref.store %v, %w[%slot, %t] : memref<2x64xf32, #wg>
    gpu.barrier // not bad
    %r = memref.load %w[%slot, %n] : memref<2x64xf32, #wg>
    %s = arith.addf %a, %r : f32
    scf.yield %s : f32
  }
  memref.store %acc, %y[%t] : memref<64xf32>
  return
}

//--- h06-then-only.mlir
// H6: a barrier in the then-branch only (a uniform condition) does not order the
// path that falls through. With one in both branches there is no race.
// CHECK: .mlir:[[#@LINE+15]]:{{[0-9]+}}: error: data race in workgroup memory: thread (1, 0, 0) writes byte 4, which thread (0, 0, 0) reads, with no barrier between
// CHECK: .mlir:[[#@LINE+22]]:{{[0-9]+}}: note: the other access is here
// CHECK: .mlir:[[#@LINE+9]]:{{[0-9]+}}: note: the buffer is made here
// CHECK: {{^}}races: 1, divergent barriers: 0, out of bounds: 0, uninitialized reads: 0{{$}}
#wg = #gpu.address_space<workgroup>
func.func @h06(%x: memref<64xf32>, %y: memref<64xf32>, %cond: i1)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant 0.0 : f32
  %t = gpu.thread_id x
  %w = memref.alloc() : memref<64xf32, #wg>
  memref.store %zero, %w[%t] : memref<64xf32, #wg>
  gpu.barrier
  %v = memref.load %x[%t] : memref<64xf32>
  memref.store %v, %w[%t] : memref<64xf32, #wg>
  scf.if %cond {
    gpu.barrier
  } else {
    //both: gpu.barrier
  }
  %t1 = arith.addi %t, %c1 : index
  %n = arith.remui %t1, %c64 : index
  %r = memref.load %w[%n] : memref<64xf32, #wg>
  memref.store %r, %y[%t] : memref<64xf32>
  return
}

//--- h07-skipped.mlir
// H7: an `if` without `else` may be skipped, and its barrier with it. Without
// the barrier before it, the right result with condition 1 says nothing about
// condition 0.
// CHECK: .mlir:[[#@LINE+15]]:{{[0-9]+}}: error: data race in workgroup memory: thread (1, 0, 0) writes byte 4, which thread (0, 0, 0) reads, with no barrier between
// CHECK: .mlir:[[#@LINE+23]]:{{[0-9]+}}: note: the other access is here
// CHECK: .mlir:[[#@LINE+9]]:{{[0-9]+}}: note: the buffer is made here
// CHECK: {{^}}races: 1, divergent barriers: 0, out of bounds: 0, uninitialized reads: 0{{$}}
#wg = #gpu.address_space<workgroup>
func.func @h07(%x: memref<64xf32>, %y: memref<64xf32>, %cond: i1)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant 0.0 : f32
  %t = gpu.thread_id x
  %w = memref.alloc() : memref<64xf32, #wg>
  memref.store %zero, %w[%t] : memref<64xf32, #wg>
  gpu.barrier
  %v = memref.load %x[%t] : memref<64xf32>
  memref.store %v, %w[%t] : memref<64xf32, #wg>
  gpu.barrier // not bad
  scf.if %cond {
    %v2 = arith.addf %v, %v : f32
    memref.store %v2, %w[%t] : memref<64xf32, #wg>
    gpu.barrier
  }
  %t1 = arith.addi %t, %c1 : index
  %n = arith.remui %t1, %c64 : index
  %r = memref.load %w[%n] : memref<64xf32, #wg>
  memref.store %r, %y[%t] : memref<64xf32>
  return
}

//--- h08-swap.mlir
// H8: a loop that swaps two aliases. The barrier before the loop does not order
// what one iteration stores and the next one loads.
// CHECK: .mlir:[[#@LINE+25]]:{{[0-9]+}}: error: data race in workgroup memory: thread (1, 0, 0) writes byte 4, which thread (0, 0, 0) reads, with no barrier between
// CHECK: .mlir:[[#@LINE+23]]:{{[0-9]+}}: note: the other access is here
// CHECK: .mlir:[[#@LINE+15]]:{{[0-9]+}}: note: the buffer is made here
// CHECK: .mlir:[[#@LINE+22]]:{{[0-9]+}}: error: data race in workgroup memory: thread (1, 0, 0) writes byte 4, which thread (0, 0, 0) reads, with no barrier between
// CHECK: .mlir:[[#@LINE+20]]:{{[0-9]+}}: note: the other access is here
// CHECK: .mlir:[[#@LINE+13]]:{{[0-9]+}}: note: the buffer is made here
// CHECK: {{^}}races: 2, divergent barriers: 0, out of bounds: 0, uninitialized reads: 0{{$}}
#wg = #gpu.address_space<workgroup>
func.func @h08(%x: memref<64xf32>, %y: memref<64xf32>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c64 = arith.constant 64 : index
  %t = gpu.thread_id x
  %t1 = arith.addi %t, %c1 : index
  %n = arith.remui %t1, %c64 : index
  %a = memref.alloc() : memref<64xf32, #wg>
  %b = memref.alloc() : memref<64xf32, #wg>
  %v = memref.load %x[%t] : memref<64xf32>
  memref.store %v, %a[%t] : memref<64xf32, #wg>
  memref.store %v, %b[%t] : memref<64xf32, #wg>
  gpu.barrier
  %e:2 = scf.for %i = %c0 to %c4 step %c1 iter_args(%p = %a, %q = %b) -> (memref<64xf32, #wg>, memref<64xf32, #wg>) {
    %r = memref.load %p[%n] : memref<64xf32, #wg>
    memref.store %r, %q[%t] : memref<64xf32, #wg>
    gpu.barrier // not bad
    scf.yield %q, %p : memref<64xf32, #wg>, memref<64xf32, #wg>
  }
  %s = memref.load %e#0[%t] : memref<64xf32, #wg>
  memref.store %s, %y[%t] : memref<64xf32>
  return
}

//--- h09-reuse.mlir
// H9: packing lays a new buffer over an old one: the last load of the old one
// and the first store of the new one meet in the arena.
// Each is reported in the view that it goes through. Threads that come late find
// the new buffer's bytes in the old one.
// CHECK: .mlir:[[#@LINE+26]]:{{[0-9]+}}: error: data race in workgroup memory: thread (63, 0, 0) reads byte 0, which thread (0, 0, 0) writes, with no barrier between
// CHECK: .mlir:[[#@LINE+28]]:{{[0-9]+}}: note: the other access is here
// CHECK: .mlir:[[#@LINE+20]]:{{[0-9]+}}: note: the buffer is made here
// CHECK: .mlir:[[#@LINE+26]]:{{[0-9]+}}: error: data race in workgroup memory: thread (1, 0, 0) writes byte 4, which thread (0, 0, 0) reads, with no barrier between
// CHECK: .mlir:[[#@LINE+22]]:{{[0-9]+}}: note: the other access is here
// CHECK: .mlir:[[#@LINE+23]]:{{[0-9]+}}: note: the buffer is made here
// CHECK: .mlir:[[#@LINE+20]]:{{[0-9]+}}: error: uninitialized read: thread (63, 0, 0) reads byte 0, which was last written through another view
// CHECK: .mlir:[[#@LINE+15]]:{{[0-9]+}}: note: the buffer is made here
// CHECK: {{^}}races: 2, divergent barriers: 0, out of bounds: 0, uninitialized reads: 1{{$}}
#wg = #gpu.address_space<workgroup>
func.func @h09(%x: memref<64xf32>, %y: memref<64xf32>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c63 = arith.constant 63 : index
  %c64 = arith.constant 64 : index
  %t = gpu.thread_id x
  %t1 = arith.addi %t, %c1 : index
  %n = arith.remui %t1, %c64 : index
  %t63 = arith.addi %t, %c63 : index
  %p = arith.remui %t63, %c64 : index
  %arena = memref.alloc() {memspace.arena} : memref<256xi8, #wg>
  %a = memref.view %arena[%c0][] : memref<256xi8, #wg> to memref<64xf32, #wg>
  %v = memref.load %x[%t] : memref<64xf32>
  memref.store %v, %a[%t] : memref<64xf32, #wg>
  gpu.barrier
  %r = memref.load %a[%n] : memref<64xf32, #wg>
  gpu.barrier // not bad
  %b = memref.view %arena[%c0][] : memref<256xi8, #wg> to memref<64xf32, #wg>
  memref.store %v, %b[%t] : memref<64xf32, #wg>
  gpu.barrier
  %s = memref.load %b[%p] : memref<64xf32, #wg>
  %sum = arith.addf %r, %s : f32
  memref.store %sum, %y[%t] : memref<64xf32>
  return
}

//--- h10-repeated.mlir
// H10: of two barriers in a row one is enough, and none is needed between two
// loads. Without both of the first there is a race with the load before the
// third.
// BOTH: .mlir:[[#@LINE+20]]:{{[0-9]+}}: error: data race in workgroup memory: thread (1, 0, 0) writes byte 4, which thread (0, 0, 0) reads, with no barrier between
// BOTH: .mlir:[[#@LINE+22]]:{{[0-9]+}}: note: the other access is here
// BOTH: .mlir:[[#@LINE+14]]:{{[0-9]+}}: note: the buffer is made here
// BOTH: {{^}}races: 1, divergent barriers: 0, out of bounds: 0, uninitialized reads: 0{{$}}
#wg = #gpu.address_space<workgroup>
func.func @h10(%x: memref<64xf32>, %y: memref<64xf32>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant 0.0 : f32
  %t = gpu.thread_id x
  %t1 = arith.addi %t, %c1 : index
  %n = arith.remui %t1, %c64 : index
  %t2 = arith.addi %t, %c2 : index
  %m = arith.remui %t2, %c64 : index
  %w = memref.alloc() : memref<64xf32, #wg>
  memref.store %zero, %w[%t] : memref<64xf32, #wg>
  gpu.barrier
  %v = memref.load %x[%t] : memref<64xf32>
  memref.store %v, %w[%t] : memref<64xf32, #wg>
  gpu.barrier // not first both
  gpu.barrier // not second both
  %r = memref.load %w[%n] : memref<64xf32, #wg>
  gpu.barrier
  %s = memref.load %w[%m] : memref<64xf32, #wg>
  %sum = arith.addf %r, %s : f32
  memref.store %sum, %y[%t] : memref<64xf32>
  return
}
