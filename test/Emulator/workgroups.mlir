// RUN: split-file %s %t
// RUN: memspace-runner %t/write-write.mlir --grid=4 --arg=0:iota 2>&1 | FileCheck %s --check-prefix=CLEAN
// RUN: %broken bad %t/write-write.mlir %t/write-write-bad.mlir
// RUN: not memspace-runner %t/write-write-bad.mlir --grid=4 --arg=0:iota 2>&1 | FileCheck %t/write-write.mlir
// RUN: %broken same %t/write-write.mlir %t/write-write-same.mlir
// RUN: not memspace-runner %t/write-write-same.mlir --grid=4 --arg=0:iota 2>&1 | FileCheck %t/write-write.mlir --check-prefix=SAME
// RUN: memspace-runner %t/write-read.mlir --grid=4 --arg=0:iota --out=1:%t/write-read-1.npy 2>&1 | FileCheck %s --check-prefix=CLEAN
// RUN: %compare %t/write-read-1.npy "i + 1"
// RUN: %broken bad %t/write-read.mlir %t/write-read-bad.mlir
// RUN: not memspace-runner %t/write-read-bad.mlir --grid=4 --arg=0:iota 2>&1 | FileCheck %t/write-read.mlir
// RUN: memspace-runner %t/flag.mlir --grid=2 --arg=0:fill:0 --out=0:%t/flag-0.npy 2>&1 | FileCheck %s --check-prefix=CLEAN
// RUN: %compare %t/flag-0.npy "2"
// RUN: %broken bad %t/flag.mlir %t/flag-bad.mlir
// RUN: not memspace-runner %t/flag-bad.mlir --grid=2 --arg=0:fill:0 2>&1 | FileCheck %t/flag.mlir
// RUN: memspace-runner %t/atomic-plain.mlir --grid=2 --arg=0:fill:0 2>&1 | FileCheck %s --check-prefix=CLEAN
// RUN: %broken bad %t/atomic-plain.mlir %t/atomic-plain-bad.mlir
// RUN: not memspace-runner %t/atomic-plain-bad.mlir --grid=2 --arg=0:fill:0 2>&1 | FileCheck %t/atomic-plain.mlir
// RUN: memspace-runner %t/workgroup-memory.mlir --grid=4 --arg=0:iota --out=1:%t/workgroup-memory-1.npy 2>&1 | FileCheck %s --check-prefix=CLEAN
// RUN: %compare %t/workgroup-memory-1.npy "i"
// RUN: memspace-runner %t/os-threads.mlir --grid=16 --threads=4 --arg=0:fill:0 --out=0:%t/os-threads-0.npy 2>&1 | FileCheck %s --check-prefix=CLEAN
// RUN: %compare %t/os-threads-0.npy "16"
// RUN: %broken bad %t/os-threads.mlir %t/os-threads-bad.mlir
// RUN: not memspace-runner %t/os-threads-bad.mlir --grid=16 --threads=4 --arg=0:fill:0 2>&1 | FileCheck %t/os-threads.mlir
// RUN: memspace-runner %t/grid-2d.mlir --grid=2,2 --arg=0:iota 2>&1 | FileCheck %s --check-prefix=CLEAN
// RUN: %broken bad %t/grid-2d.mlir %t/grid-2d-bad.mlir
// RUN: not memspace-runner %t/grid-2d-bad.mlir --grid=2,2 --arg=0:iota 2>&1 | FileCheck %t/grid-2d.mlir

// CLEAN-NOT: {{error|warning}}:
// CLEAN: {{^}}races: 0, divergent barriers: 0, out of bounds: 0, uninitialized reads: 0{{$}}

// Conflicts between workgroups, case H20: no barrier orders them.

//--- write-write.mlir
// All workgroups write the same elements.
// CHECK: .mlir:[[#@LINE+17]]:{{[0-9]+}}: error: conflict between workgroups in global memory: workgroup (1, 0, 0) writes byte 0, which workgroup (0, 0, 0) writes; no barrier orders workgroups{{.*}}; the values differ
// CHECK: .mlir:[[#@LINE+16]]:{{[0-9]+}}: note: the other access is here
// CHECK: {{^}}races: 1, divergent barriers: 0, out of bounds: 0, uninitialized reads: 0{{$}}
// SAME: .mlir:[[#@LINE+14]]:{{[0-9]+}}: error: conflict between workgroups in global memory: workgroup (1, 0, 0) writes byte 0, which workgroup (0, 0, 0) writes; no barrier orders workgroups{{.*}}; both write the same value
// SAME: .mlir:[[#@LINE+13]]:{{[0-9]+}}: note: the other access is here
// SAME: {{^}}races: 1, divergent barriers: 0, out of bounds: 0, uninitialized reads: 0{{$}}
func.func @k(%x: memref<256xi32>, %y: memref<256xi32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %c64 = arith.constant 64 : index
  %t = gpu.thread_id x
  %b = gpu.block_id x
  %o = arith.muli %b, %c64 : index
  %g = arith.addi %o, %t : index
  %v = memref.load %x[%g] : memref<256xi32> // not same
  //same: %v = memref.load %x[%t] : memref<256xi32>
  %d = arith.addi %o, %t : index // not bad same
  //bad: %d = arith.minui %g, %t : index
  //same: %d = arith.minui %g, %t : index
  memref.store %v, %y[%d] : memref<256xi32>
  return
}

//--- write-read.mlir
// The halo of the next workgroup is read in place while that one writes it. The
// barrier does not help.
// CHECK: error: conflict between workgroups in global memory: workgroup ({{[0-9]}}, 0, 0) {{reads|writes}} byte {{[0-9]+}}, which workgroup ({{[0-9]}}, 0, 0) {{reads|writes}}; no barrier orders workgroups
// CHECK: {{^}}races: 1, divergent barriers: 0, out of bounds: 0, uninitialized reads: 0{{$}}
func.func @k(%x: memref<257xi32>, %y: memref<256xi32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %t = gpu.thread_id x
  %b = gpu.block_id x
  %o = arith.muli %b, %c64 : index
  %g = arith.addi %o, %t : index
  %n = arith.addi %g, %c1 : index
  %v = memref.load %x[%n] : memref<257xi32>
  gpu.barrier
  memref.store %v, %y[%g] : memref<256xi32> // not bad
  //bad: memref.store %v, %x[%g] : memref<257xi32>
  return
}

//--- flag.mlir
// A counter of workgroups must be atomic.
// CHECK: error: conflict between workgroups in global memory: workgroup (1, 0, 0)
// CHECK: {{^}}races: {{[1-9][0-9]*}}, divergent barriers: 0, out of bounds: 0, uninitialized reads: 0{{$}}
func.func @k(%x: memref<1xi32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1 : i32
  %t = gpu.thread_id x
  %first = arith.cmpi eq, %t, %c0 : index
  scf.if %first {
    %old = memref.atomic_rmw addi %one, %x[%c0] : (i32, memref<1xi32>) -> i32 // not bad
    //bad: %old = memref.load %x[%c0] : memref<1xi32>
    //bad: %new = arith.addi %old, %one : i32
    //bad: memref.store %new, %x[%c0] : memref<1xi32>
  }
  return
}

//--- atomic-plain.mlir
// Atomics of one workgroup against the plain load of another.
// CHECK: error: conflict between workgroups in global memory: workgroup (1, 0, 0)
// CHECK: {{^}}races: 1, divergent barriers: 0, out of bounds: 0, uninitialized reads: 0{{$}}
func.func @k(%x: memref<2xi32>, %y: memref<2xi32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1 : i32
  %t = gpu.thread_id x
  %b = gpu.block_id x
  %e = arith.muli %b, %c1 : index // not bad
  //bad: %e = arith.muli %b, %c0 : index
  %first = arith.cmpi eq, %t, %c0 : index
  %old = memref.atomic_rmw addi %one, %x[%e] : (i32, memref<2xi32>) -> i32
  gpu.barrier
  scf.if %first {
    %v = memref.load %x[%b] : memref<2xi32> // not bad
    //bad: %v = memref.load %x[%c0] : memref<2xi32>
    memref.store %v, %y[%b] : memref<2xi32>
  }
  return
}

//--- workgroup-memory.mlir
// Each workgroup has its own workgroup memory: nothing conflicts, whatever the
// order and the number of OS threads.
#wg = #gpu.address_space<workgroup>
func.func @k(%x: memref<256xi32>, %y: memref<256xi32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %c63 = arith.constant 63 : index
  %c64 = arith.constant 64 : index
  %t = gpu.thread_id x
  %b = gpu.block_id x
  %o = arith.muli %b, %c64 : index
  %g = arith.addi %o, %t : index
  %w = memref.alloc() : memref<64xi32, #wg>
  %v = memref.load %x[%g] : memref<256xi32>
  %m = arith.subi %c63, %t : index
  memref.store %v, %w[%m] : memref<64xi32, #wg>
  gpu.barrier
  %r = memref.load %w[%m] : memref<64xi32, #wg>
  memref.store %r, %y[%g] : memref<256xi32>
  return
}

//--- os-threads.mlir
// The same with the workgroups on four OS threads.
// CHECK: error: conflict between workgroups in global memory
// CHECK: {{^}}races: {{[1-9][0-9]*}}, divergent barriers: 0, out of bounds: 0, uninitialized reads: 0{{$}}
func.func @k(%x: memref<64xi32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %one = arith.constant 1 : i32
  %t = gpu.thread_id x
  %old = memref.atomic_rmw addi %one, %x[%t] : (i32, memref<64xi32>) -> i32 // not bad
  //bad: %old = memref.load %x[%t] : memref<64xi32>
  //bad: %new = arith.addi %old, %one : i32
  //bad: memref.store %new, %x[%t] : memref<64xi32>
  return
}

//--- grid-2d.mlir
// Workgroups that differ in y only.
// CHECK: .mlir:[[#@LINE+10]]:{{[0-9]+}}: error: conflict between workgroups in global memory: workgroup (0, 1, 0) writes byte 0, which workgroup (0, 0, 0) writes
// CHECK: {{^}}races: 1, divergent barriers: 0, out of bounds: 0, uninitialized reads: 0{{$}}
func.func @k(%x: memref<4xi32>, %y: memref<4xi32>) attributes {gpu.known_block_size = array<i32: 1, 1, 1>} {
  %c2 = arith.constant 2 : index // not bad
  //bad: %c2 = arith.constant 0 : index
  %bx = gpu.block_id x
  %by = gpu.block_id y
  %r = arith.muli %by, %c2 : index
  %g = arith.addi %r, %bx : index
  %v = memref.load %x[%g] : memref<4xi32>
  memref.store %v, %y[%g] : memref<4xi32>
  return
}
