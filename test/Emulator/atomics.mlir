// RUN: split-file %s %t
// RUN: memspace-runner %t/atomic-atomic.mlir --arg=0:iota --out=1:%t/atomic-atomic-1.npy 2>&1 | FileCheck %s --check-prefix=CLEAN
// RUN: %compare %t/atomic-atomic-1.npy "np.where(i == 0, 2016, 0)"
// RUN: memspace-runner %t/init-race.mlir --arg=0:iota 2>&1 | FileCheck %s --check-prefix=CLEAN
// RUN: %broken bad %t/init-race.mlir %t/init-race-bad.mlir
// RUN: not memspace-runner %t/init-race-bad.mlir --arg=0:iota 2>&1 | FileCheck %t/init-race.mlir
// RUN: memspace-runner %t/plain-store.mlir --arg=0:fill:0 2>&1 | FileCheck %s --check-prefix=CLEAN
// RUN: %broken bad %t/plain-store.mlir %t/plain-store-bad.mlir
// RUN: not memspace-runner %t/plain-store-bad.mlir --arg=0:fill:0 2>&1 | FileCheck %t/plain-store.mlir
// RUN: memspace-runner %t/exchange.mlir --arg=0:fill:0 2>&1 | FileCheck %s --check-prefix=CLEAN
// RUN: %broken bad %t/exchange.mlir %t/exchange-bad.mlir
// RUN: not memspace-runner %t/exchange-bad.mlir --arg=0:fill:0 2>&1 | FileCheck %t/exchange.mlir
// RUN: memspace-runner %t/generic.mlir --arg=0:iota --arg=1:fill:1 --out=1:%t/generic-1.npy 2>&1 | FileCheck %s --check-prefix=CLEAN
// RUN: %compare %t/generic-1.npy "64"
// RUN: %broken bad %t/generic.mlir %t/generic-bad.mlir
// RUN: not memspace-runner %t/generic-bad.mlir --arg=0:iota --arg=1:fill:1 2>&1 | FileCheck %t/generic.mlir
// RUN: memspace-runner %t/overwrite.mlir --arg=0:fill:0 --out=0:%t/overwrite-0.npy 2>&1 | FileCheck %s --check-prefix=CLEAN
// RUN: %compare %t/overwrite-0.npy "6"
// RUN: memspace-runner %t/float-and-widths.mlir --arg=0:fill:0 --arg=1:fill:0 --arg=2:fill:0 --out=0:%t/float-and-widths-0.npy --out=1:%t/float-and-widths-1.npy --out=2:%t/float-and-widths-2.npy 2>&1 | FileCheck %s --check-prefix=CLEAN
// RUN: %compare %t/float-and-widths-0.npy "32"
// RUN: %compare %t/float-and-widths-1.npy "63"
// RUN: %compare %t/float-and-widths-2.npy "63"
// RUN: memspace-runner %t/histogram.mlir --arg=0:iota --arg=1:fill:0 --out=1:%t/histogram-1.npy 2>&1 | FileCheck %s --check-prefix=CLEAN
// RUN: %compare %t/histogram-1.npy "16"
// RUN: %broken bad %t/histogram.mlir %t/histogram-bad.mlir
// RUN: not memspace-runner %t/histogram-bad.mlir --arg=0:iota --arg=1:fill:0 2>&1 | FileCheck %t/histogram.mlir

// CLEAN-NOT: {{error|warning}}:
// CLEAN: {{^}}races: 0, divergent barriers: 0, out of bounds: 0, uninitialized reads: 0{{$}}

// Atomics, case H13: they do not race with each other; with plain accesses they do.

//--- atomic-atomic.mlir
// A sum by atomics, no barrier between them.
#wg = #gpu.address_space<workgroup>
func.func @k(%x: memref<64xi32>, %y: memref<1xi32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0 : i32
  %t = gpu.thread_id x
  %first = arith.cmpi eq, %t, %c0 : index
  %w = memref.alloc() : memref<1xi32, #wg>
  scf.if %first {
    memref.store %zero, %w[%c0] : memref<1xi32, #wg>
  }
  gpu.barrier
  %v = memref.load %x[%t] : memref<64xi32>
  %old = memref.atomic_rmw addi %v, %w[%c0] : (i32, memref<1xi32, #wg>) -> i32
  gpu.barrier
  scf.if %first {
    %r = memref.load %w[%c0] : memref<1xi32, #wg>
    memref.store %r, %y[%c0] : memref<1xi32>
  }
  return
}

//--- init-race.mlir
// The zero is stored by a plain store: it must be ordered before the atomics.
// CHECK: .mlir:[[#@LINE+16]]:{{[0-9]+}}: error: data race in workgroup memory: thread (1, 0, 0) atomically writes byte 0, which thread (0, 0, 0) writes, with no barrier between{{.*}}
// CHECK: .mlir:[[#@LINE+11]]:{{[0-9]+}}: note: the other access is here
// CHECK: .mlir:[[#@LINE+8]]:{{[0-9]+}}: note: the buffer is made here
// CHECK: {{^}}races: 1, divergent barriers: 0, out of bounds: 0, uninitialized reads: {{[1-9][0-9]*}}{{$}}
#wg = #gpu.address_space<workgroup>
func.func @k(%x: memref<64xi32>, %y: memref<1xi32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0 : i32
  %t = gpu.thread_id x
  %first = arith.cmpi eq, %t, %c0 : index
  %w = memref.alloc() : memref<1xi32, #wg>
  scf.if %first {
    memref.store %zero, %w[%c0] : memref<1xi32, #wg>
  }
  gpu.barrier // not bad
  %v = memref.load %x[%t] : memref<64xi32>
  %old = memref.atomic_rmw addi %v, %w[%c0] : (i32, memref<1xi32, #wg>) -> i32
  return
}

//--- plain-store.mlir
// One thread resets the counter while others count.
// CHECK: error: data race in global memory: thread ({{[0-9]+}}, 0, 0) {{writes|atomically writes}} byte 0, which thread ({{[0-9]+}}, 0, 0) {{writes|atomically writes}}, with no barrier between
// CHECK: {{^}}races: 1, divergent barriers: 0, out of bounds: 0, uninitialized reads: 0{{$}}
func.func @k(%x: memref<1xi32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1 : i32
  %zero = arith.constant 0 : i32
  %t = gpu.thread_id x
  %first = arith.cmpi eq, %t, %c0 : index
  %old = memref.atomic_rmw addi %one, %x[%c0] : (i32, memref<1xi32>) -> i32
  gpu.barrier // not bad
  scf.if %first {
    memref.store %zero, %x[%c0] : memref<1xi32>
  }
  return
}

//--- exchange.mlir
// Stored by an atomic exchange it is no race.
// CHECK: error: data race in global memory
// CHECK: {{^}}races: 1, divergent barriers: 0, out of bounds: 0, uninitialized reads: 0{{$}}
func.func @k(%x: memref<1xi32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1 : i32
  %zero = arith.constant 0 : i32
  %t = gpu.thread_id x
  %first = arith.cmpi eq, %t, %c0 : index
  %old = memref.atomic_rmw addi %one, %x[%c0] : (i32, memref<1xi32>) -> i32
  scf.if %first {
    %was = memref.atomic_rmw assign %zero, %x[%c0] : (i32, memref<1xi32>) -> i32 // not bad
    //bad: memref.store %zero, %x[%c0] : memref<1xi32>
  }
  return
}

//--- generic.mlir
// generic_atomic_rmw: a compare-and-swap loop.
// CHECK: error: data race in global memory
// CHECK: {{^}}races: {{[1-9][0-9]*}}, divergent barriers: 0, out of bounds: 0, uninitialized reads: 0{{$}}
func.func @k(%x: memref<64xi32>, %y: memref<1xi32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1 : i32
  %t = gpu.thread_id x
  %v = memref.load %x[%t] : memref<64xi32>
  %n = arith.addi %v, %one : i32
  %old = memref.generic_atomic_rmw %y[%c0] : memref<1xi32> { // not bad
  ^bb0(%current: i32): // not bad
    %m = arith.maxsi %current, %n : i32 // not bad
    memref.atomic_yield %m : i32 // not bad
  } // not bad
  //bad: %current = memref.load %y[%c0] : memref<1xi32>
  //bad: %m = arith.maxsi %current, %n : i32
  //bad: memref.store %m, %y[%c0] : memref<1xi32>
  return
}

//--- overwrite.mlir
// An update that is not computed in the region, once it is folded.
func.func @k(%x: memref<1xi32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %c0 = arith.constant 0 : index
  %three = arith.constant 3 : i32
  memref.generic_atomic_rmw %x[%c0] : memref<1xi32> {
  ^bb0(%old: i32):
    %six = arith.addi %three, %three : i32
    memref.atomic_yield %six : i32
  }
  return
}

//--- float-and-widths.mlir
// Other types and operations.
func.func @k(%f: memref<1xf32>, %l: memref<1xi64>, %u: memref<1xi32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %c0 = arith.constant 0 : index
  %half = arith.constant 0.5 : f32
  %t = gpu.thread_id x
  %i = arith.index_cast %t : index to i64
  %j = arith.index_cast %t : index to i32
  %a = memref.atomic_rmw addf %half, %f[%c0] : (f32, memref<1xf32>) -> f32
  %b = memref.atomic_rmw maxs %i, %l[%c0] : (i64, memref<1xi64>) -> i64
  %c = memref.atomic_rmw ori %j, %u[%c0] : (i32, memref<1xi32>) -> i32
  return
}

//--- histogram.mlir
// A histogram in workgroup memory, flushed by atomics.
// CHECK: error: data race in workgroup memory
// CHECK: {{^}}races: 1, divergent barriers: 0, out of bounds: 0, uninitialized reads: 0{{$}}
#wg = #gpu.address_space<workgroup>
func.func @k(%x: memref<64xi32>, %y: memref<4xi32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %c4 = arith.constant 4 : index
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %three = arith.constant 3 : i32
  %t = gpu.thread_id x
  %w = memref.alloc() : memref<4xi32, #wg>
  %low = arith.cmpi ult, %t, %c4 : index
  scf.if %low {
    memref.store %zero, %w[%t] : memref<4xi32, #wg>
  }
  gpu.barrier
  %v = memref.load %x[%t] : memref<64xi32>
  %bin = arith.andi %v, %three : i32
  %b = arith.index_cast %bin : i32 to index
  %old = memref.atomic_rmw addi %one, %w[%b] : (i32, memref<4xi32, #wg>) -> i32
  gpu.barrier // not bad
  scf.if %low {
    %n = memref.load %w[%t] : memref<4xi32, #wg>
    %was = memref.atomic_rmw addi %n, %y[%t] : (i32, memref<4xi32>) -> i32
  }
  return
}
