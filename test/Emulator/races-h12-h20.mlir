// RUN: split-file %s %t
// RUN: memspace-runner %t/h12-uniform.mlir --arg=0:iota --arg=2:fill:1 --out=1:%t/h12-uniform-1.npy 2>&1 | FileCheck %s --check-prefix=CLEAN
// RUN: %compare %t/h12-uniform-1.npy "np.roll(i, -1)"
// RUN: %broken bad %t/h12-uniform.mlir %t/h12-uniform-bad.mlir
// RUN: not memspace-runner %t/h12-uniform-bad.mlir --arg=0:iota --arg=2:fill:1 2>&1 | FileCheck %t/h12-uniform.mlir
// RUN: memspace-runner %t/h13-atomic.mlir --arg=0:iota --arg=1:fill:0 --out=1:%t/h13-atomic-1.npy 2>&1 | FileCheck %s --check-prefix=CLEAN
// RUN: %compare %t/h13-atomic-1.npy "np.where(i == 0, 2016, 0)"
// RUN: %broken bad %t/h13-atomic.mlir %t/h13-atomic-bad.mlir
// RUN: not memspace-runner %t/h13-atomic-bad.mlir --arg=0:iota --arg=1:fill:0 2>&1 | FileCheck %t/h13-atomic.mlir
// RUN: memspace-runner %t/h14-subgroup.mlir --arg=0:iota --out=1:%t/h14-subgroup-1.npy 2>&1 | FileCheck %s --check-prefix=CLEAN
// RUN: %compare %t/h14-subgroup-1.npy "i ^ 1"
// RUN: %broken bar %t/h14-subgroup.mlir %t/h14-subgroup-bar.mlir
// RUN: memspace-runner %t/h14-subgroup-bar.mlir --arg=0:iota --out=1:%t/h14-subgroup-1.npy 2>&1 | FileCheck %s --check-prefix=CLEAN
// RUN: %compare %t/h14-subgroup-1.npy "i ^ 1"
// RUN: %broken none %t/h14-subgroup.mlir %t/h14-subgroup-none.mlir
// RUN: not memspace-runner %t/h14-subgroup-none.mlir --arg=0:iota 2>&1 | FileCheck %t/h14-subgroup.mlir --check-prefix=NONE
// RUN: %broken far %t/h14-subgroup.mlir %t/h14-subgroup-far.mlir
// RUN: not memspace-runner %t/h14-subgroup-far.mlir --arg=0:iota 2>&1 | FileCheck %t/h14-subgroup.mlir --check-prefix=FAR
// RUN: memspace-runner %t/h15-bytes.mlir --arg=0:iota --out=1:%t/h15-bytes-1.npy 2>&1 | FileCheck %s --check-prefix=CLEAN
// RUN: %compare %t/h15-bytes-1.npy "np.roll(np.arange(64, dtype=np.float32).view(np.int8), -5)"
// RUN: %broken bad %t/h15-bytes.mlir %t/h15-bytes-bad.mlir
// RUN: not memspace-runner %t/h15-bytes-bad.mlir --arg=0:iota 2>&1 | FileCheck %t/h15-bytes.mlir
// RUN: memspace-runner %t/h17-pingpong.mlir --arg=0:iota --out=1:%t/h17-pingpong-1.npy 2>&1 | FileCheck %s --check-prefix=CLEAN
// RUN: %compare %t/h17-pingpong-1.npy "np.roll(i, -2)"
// RUN: %broken bad %t/h17-pingpong.mlir %t/h17-pingpong-bad.mlir
// RUN: not memspace-runner %t/h17-pingpong-bad.mlir --arg=0:iota 2>&1 | FileCheck %t/h17-pingpong.mlir
// RUN: memspace-runner %t/h18-waw.mlir --arg=0:iota --out=1:%t/h18-waw-1.npy 2>&1 | FileCheck %s --check-prefix=CLEAN
// RUN: %compare %t/h18-waw-1.npy "np.where(i < 32, i + 32, i)"
// RUN: %broken bad %t/h18-waw.mlir %t/h18-waw-bad.mlir
// RUN: not memspace-runner %t/h18-waw-bad.mlir --arg=0:iota 2>&1 | FileCheck %t/h18-waw.mlir
// RUN: memspace-runner %t/h18-same-op.mlir --arg=0:iota --out=1:%t/h18-same-op-1.npy 2>&1 | FileCheck %s --check-prefix=CLEAN
// RUN: %compare %t/h18-same-op-1.npy "0"
// RUN: %broken bad %t/h18-same-op.mlir %t/h18-same-op-bad.mlir
// RUN: not memspace-runner %t/h18-same-op-bad.mlir --arg=0:iota 2>&1 | FileCheck %t/h18-same-op.mlir
// RUN: %broken same %t/h18-same-op.mlir %t/h18-same-op-same.mlir
// RUN: not memspace-runner %t/h18-same-op-same.mlir --arg=0:iota 2>&1 | FileCheck %t/h18-same-op.mlir --check-prefix=SAME
// RUN: memspace-runner %t/h19-while.mlir --arg=0:iota --out=1:%t/h19-while-1.npy 2>&1 | FileCheck %s --check-prefix=CLEAN
// RUN: %compare %t/h19-while-1.npy "np.roll(i, -3)"
// RUN: %broken down %t/h19-while.mlir %t/h19-while-down.mlir
// RUN: not memspace-runner %t/h19-while-down.mlir --arg=0:iota 2>&1 | FileCheck %t/h19-while.mlir --check-prefix=DOWN
// RUN: %broken up %t/h19-while.mlir %t/h19-while-up.mlir
// RUN: not memspace-runner %t/h19-while-up.mlir --arg=0:iota 2>&1 | FileCheck %t/h19-while.mlir --check-prefix=UP
// RUN: memspace-runner %t/h20-global.mlir --arg=0:iota --out=1:%t/h20-global-1.npy 2>&1 | FileCheck %s --check-prefix=CLEAN
// RUN: %compare %t/h20-global-1.npy "np.roll(i, -1)"
// RUN: %broken bad %t/h20-global.mlir %t/h20-global-bad.mlir
// RUN: not memspace-runner %t/h20-global-bad.mlir --arg=0:iota 2>&1 | FileCheck %t/h20-global.mlir

// CLEAN-NOT: {{error|warning}}:
// CLEAN: {{^}}races: 0, divergent barriers: 0, out of bounds: 0, uninitialized reads: 0{{$}}

// Races, cases H13 to H20 (H12, barriers under a condition, is in
// divergent.mlir; more of H13 in atomics.mlir, of H14 in subgroup.mlir, of H16 in
// async.mlir, of H20 in workgroups.mlir).

//--- h12-uniform.mlir
// H12: a barrier under a condition that is uniform in the workgroup, here a
// loaded value, is as good as any other.
// CHECK: .mlir:[[#@LINE+17]]:{{[0-9]+}}: error: data race in workgroup memory: thread (1, 0, 0) writes byte 4, which thread (0, 0, 0) reads, with no barrier between
// CHECK: .mlir:[[#@LINE+25]]:{{[0-9]+}}: note: the other access is here
// CHECK: .mlir:[[#@LINE+11]]:{{[0-9]+}}: note: the buffer is made here
// CHECK: {{^}}races: 1, divergent barriers: 0, out of bounds: 0, uninitialized reads: 0{{$}}
#wg = #gpu.address_space<workgroup>
func.func @h12(%x: memref<64xf32>, %y: memref<64xf32>, %flags: memref<2xi32>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1 : i32
  %t = gpu.thread_id x
  %w = memref.alloc() : memref<64xf32, #wg>
  memref.store %zero, %w[%t] : memref<64xf32, #wg>
  gpu.barrier
  %v = memref.load %x[%t] : memref<64xf32>
  memref.store %v, %w[%t] : memref<64xf32, #wg>
  %flag = memref.load %flags[%c0] : memref<2xi32>
  %cond = arith.cmpi eq, %flag, %one : i32 // not bad
  //bad: %cond = arith.cmpi ne, %flag, %one : i32
  scf.if %cond {
    gpu.barrier
  }
  %t1 = arith.addi %t, %c1 : index
  %n = arith.remui %t1, %c64 : index
  %r = memref.load %w[%n] : memref<64xf32, #wg>
  memref.store %r, %y[%t] : memref<64xf32>
  return
}

//--- h13-atomic.mlir
// H13: atomics do not race with each other, but a plain load needs a barrier
// after them.
// CHECK: .mlir:[[#@LINE+17]]:{{[0-9]+}}: error: data race in workgroup memory: thread (1, 0, 0) atomically writes byte 0, which thread (0, 0, 0) reads, with no barrier between
// CHECK: .mlir:[[#@LINE+19]]:{{[0-9]+}}: note: the other access is here
// CHECK: .mlir:[[#@LINE+9]]:{{[0-9]+}}: note: the buffer is made here
// CHECK: {{^}}races: 1, divergent barriers: 0, out of bounds: 0, uninitialized reads: 0{{$}}
#wg = #gpu.address_space<workgroup>
func.func @h13(%x: memref<64xi32>, %y: memref<64xi32>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
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
  gpu.barrier // not bad
  scf.if %first {
    %r = memref.load %w[%c0] : memref<1xi32, #wg>
    memref.store %r, %y[%c0] : memref<64xi32>
  }
  return
}

//--- h14-subgroup.mlir
// H14: what stays in a subgroup needs only a subgroup barrier. It does not
// order threads of different subgroups.
// NONE: .mlir:[[#@LINE+18]]:{{[0-9]+}}: error: data race in workgroup memory: thread (1, 0, 0) writes byte 4, which thread (0, 0, 0) reads, with no barrier between
// NONE: .mlir:[[#@LINE+21]]:{{[0-9]+}}: note: the other access is here
// NONE: .mlir:[[#@LINE+12]]:{{[0-9]+}}: note: the buffer is made here
// NONE: {{^}}races: 1, divergent barriers: 0, out of bounds: 0, uninitialized reads: 0{{$}}
// FAR: .mlir:{{[0-9]+}}:{{[0-9]+}}: error: data race in workgroup memory: thread ({{[0-9]+}}, 0, 0) {{reads|writes}} byte {{[0-9]+}}, which thread ({{[0-9]+}}, 0, 0) {{reads|writes}}, with no barrier between
// FAR: {{^}}races: 1, divergent barriers: 0, out of bounds: 0, uninitialized reads: 0{{$}}
#wg = #gpu.address_space<workgroup>
func.func @h14(%x: memref<64xi32>, %y: memref<64xi32>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %zero = arith.constant 0 : i32
  %c1 = arith.constant 1 : index // not far
  //far: %c1 = arith.constant 32 : index
  %t = gpu.thread_id x
  %n = arith.xori %t, %c1 : index
  %w = memref.alloc() : memref<64xi32, #wg>
  memref.store %zero, %w[%t] : memref<64xi32, #wg>
  gpu.barrier
  %v = memref.load %x[%t] : memref<64xi32>
  memref.store %v, %w[%t] : memref<64xi32, #wg>
  memspace.subgroup_barrier // not none bar
  //bar: %all = arith.constant -1 : i32
  //bar: nvvm.bar.warp.sync %all : i32
  %r = memref.load %w[%n] : memref<64xi32, #wg>
  memref.store %r, %y[%t] : memref<64xi32>
  return
}

//--- h15-bytes.mlir
// H15: an f32 and an i8 view of the same bytes. Thread 0 loads byte 5, of the
// element of thread 1. Seen through either.
// CHECK: .mlir:[[#@LINE+29]]:{{[0-9]+}}: error: data race in workgroup memory: thread (62, 0, 0) reads byte 0, which thread (0, 0, 0) writes, with no barrier between
// CHECK: .mlir:[[#@LINE+21]]:{{[0-9]+}}: note: the other access is here
// CHECK: .mlir:[[#@LINE+15]]:{{[0-9]+}}: note: the buffer is made here
// CHECK: .mlir:[[#@LINE+19]]:{{[0-9]+}}: error: data race in workgroup memory: thread (1, 0, 0) writes byte 5, which thread (0, 0, 0) reads, with no barrier between
// CHECK: .mlir:[[#@LINE+25]]:{{[0-9]+}}: note: the other access is here
// CHECK: .mlir:[[#@LINE+13]]:{{[0-9]+}}: note: the buffer is made here
// CHECK: {{^}}races: 2, divergent barriers: 0, out of bounds: 0, uninitialized reads: 0{{$}}
#wg = #gpu.address_space<workgroup>
func.func @h15(%x: memref<64xf32>, %y: memref<256xi8>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %c4 = arith.constant 4 : index
  %c256 = arith.constant 256 : index
  %zero = arith.constant 0.0 : f32
  %t = gpu.thread_id x
  %raw = memref.alloc() : memref<256xi8, #wg>
  %f = memref.view %raw[%c0][] : memref<256xi8, #wg> to memref<64xf32, #wg>
  memref.store %zero, %f[%t] : memref<64xf32, #wg>
  gpu.barrier
  %v = memref.load %x[%t] : memref<64xf32>
  memref.store %v, %f[%t] : memref<64xf32, #wg>
  gpu.barrier // not bad
  %t4 = arith.muli %t, %c4 : index
  scf.for %k = %c0 to %c4 step %c1 {
    %o = arith.addi %t4, %k : index
    %p = arith.addi %o, %c5 : index
    %n = arith.remui %p, %c256 : index
    %r = memref.load %raw[%n] : memref<256xi8, #wg>
    memref.store %r, %y[%o] : memref<256xi8>
  }
  return
}

//--- h17-pingpong.mlir
// H17: barriers of a ping-pong schedule: the marked one has nothing to order
// (it may stay or go), the other one is needed.
// CHECK: .mlir:[[#@LINE+18]]:{{[0-9]+}}: error: data race in workgroup memory: thread (1, 0, 0) writes byte 4, which thread (0, 0, 0) reads, with no barrier between
// CHECK: .mlir:[[#@LINE+19]]:{{[0-9]+}}: note: the other access is here
// CHECK: .mlir:[[#@LINE+11]]:{{[0-9]+}}: note: the buffer is made here
// CHECK: {{^}}races: 1, divergent barriers: 0, out of bounds: 0, uninitialized reads: 0{{$}}
#wg = #gpu.address_space<workgroup>
func.func @h17(%x: memref<64xi32>, %y: memref<64xi32>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %zero = arith.constant 0 : i32
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %t = gpu.thread_id x
  %t1 = arith.addi %t, %c1 : index
  %n = arith.remui %t1, %c64 : index
  %ping = memref.alloc() : memref<64xi32, #wg>
  %pong = memref.alloc() : memref<64xi32, #wg>
  memref.store %zero, %ping[%t] : memref<64xi32, #wg>
  gpu.barrier
  %v = memref.load %x[%t] : memref<64xi32>
  memref.store %v, %ping[%t] : memref<64xi32, #wg>
  gpu.barrier // not bad
  %r = memref.load %ping[%n] : memref<64xi32, #wg>
  gpu.barrier {memspace.keep}
  memref.store %r, %pong[%t] : memref<64xi32, #wg>
  gpu.barrier
  %s = memref.load %pong[%n] : memref<64xi32, #wg>
  memref.store %s, %y[%t] : memref<64xi32>
  return
}

//--- h18-waw.mlir
// H18: two writes of one element by different threads, without any read between.
// CHECK: .mlir:[[#@LINE+16]]:{{[0-9]+}}: error: data race in workgroup memory: thread (32, 0, 0) writes byte 0, which thread (0, 0, 0) writes, with no barrier between; the values differ
// CHECK: .mlir:[[#@LINE+10]]:{{[0-9]+}}: note: the other access is here
// CHECK: .mlir:[[#@LINE+7]]:{{[0-9]+}}: note: the buffer is made here
// CHECK: {{^}}races: 1, divergent barriers: 0, out of bounds: 0, uninitialized reads: 0{{$}}
#wg = #gpu.address_space<workgroup>
func.func @h18(%x: memref<64xi32>, %y: memref<64xi32>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %c32 = arith.constant 32 : index
  %t = gpu.thread_id x
  %w = memref.alloc() : memref<64xi32, #wg>
  %v = memref.load %x[%t] : memref<64xi32>
  memref.store %v, %w[%t] : memref<64xi32, #wg>
  gpu.barrier // not bad
  %high = arith.cmpi uge, %t, %c32 : index
  scf.if %high {
    %m = arith.subi %t, %c32 : index
    memref.store %v, %w[%m] : memref<64xi32, #wg>
  }
  gpu.barrier
  %r = memref.load %w[%t] : memref<64xi32, #wg>
  memref.store %r, %y[%t] : memref<64xi32>
  return
}

//--- h18-same-op.mlir
// H18: one store by all threads to one element: a race of the op with itself,
// which no barrier cures, also when all store the same value.
// CHECK: .mlir:[[#@LINE+21]]:{{[0-9]+}}: error: data race in workgroup memory: thread (1, 0, 0) writes byte 0, which thread (0, 0, 0) writes, with no barrier between; the values differ
// CHECK: .mlir:[[#@LINE+20]]:{{[0-9]+}}: note: the other access is here
// CHECK: .mlir:[[#@LINE+15]]:{{[0-9]+}}: note: the buffer is made here
// CHECK: {{^}}races: 1, divergent barriers: 0, out of bounds: 0, uninitialized reads: 0{{$}}
// SAME: .mlir:[[#@LINE+17]]:{{[0-9]+}}: error: data race in workgroup memory: thread (1, 0, 0) writes byte 0, which thread (0, 0, 0) writes, with no barrier between; both write the same value
// SAME: .mlir:[[#@LINE+16]]:{{[0-9]+}}: note: the other access is here
// SAME: .mlir:[[#@LINE+11]]:{{[0-9]+}}: note: the buffer is made here
// SAME: {{^}}races: 1, divergent barriers: 0, out of bounds: 0, uninitialized reads: 0{{$}}
#wg = #gpu.address_space<workgroup>
func.func @h18(%x: memref<64xi32>, %y: memref<64xi32>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %c0 = arith.constant 0 : index
  %seven = arith.constant 7 : i32
  %t = gpu.thread_id x
  %first = arith.cmpi eq, %t, %c0 : index // not bad same
  //bad: %first = arith.cmpi uge, %t, %c0 : index
  //same: %first = arith.cmpi uge, %t, %c0 : index
  %w = memref.alloc() : memref<1xi32, #wg>
  %v = memref.load %x[%t] : memref<64xi32> // not same
  //same: %v = arith.addi %seven, %seven : i32
  scf.if %first {
    memref.store %v, %w[%c0] : memref<1xi32, #wg>
  }
  gpu.barrier
  %r = memref.load %w[%c0] : memref<1xi32, #wg>
  memref.store %r, %y[%t] : memref<64xi32>
  return
}

//--- h19-while.mlir
// H19: scf.while: what the before region of one iteration loads and the after
// region stores needs a barrier between, and another one on the way back.
// DOWN: .mlir:[[#@LINE+29]]:{{[0-9]+}}: error: data race in workgroup memory: thread (1, 0, 0) writes byte 4, which thread (0, 0, 0) reads, with no barrier between
// DOWN: .mlir:[[#@LINE+22]]:{{[0-9]+}}: note: the other access is here
// DOWN: .mlir:[[#@LINE+16]]:{{[0-9]+}}: note: the buffer is made here
// DOWN: {{^}}races: 1, divergent barriers: 0, out of bounds: 0, uninitialized reads: 0{{$}}
// UP: .mlir:[[#@LINE+25]]:{{[0-9]+}}: error: data race in workgroup memory: thread (1, 0, 0) writes byte 4, which thread (0, 0, 0) reads, with no barrier between
// UP: .mlir:[[#@LINE+18]]:{{[0-9]+}}: note: the other access is here
// UP: .mlir:[[#@LINE+12]]:{{[0-9]+}}: note: the buffer is made here
// UP: {{^}}races: 1, divergent barriers: 0, out of bounds: 0, uninitialized reads: 0{{$}}
#wg = #gpu.address_space<workgroup>
func.func @h19(%x: memref<64xi32>, %y: memref<64xi32>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %c1 = arith.constant 1 : index
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c64 = arith.constant 64 : index
  %t = gpu.thread_id x
  %t1 = arith.addi %t, %c1 : index
  %n = arith.remui %t1, %c64 : index
  %w = memref.alloc() : memref<64xi32, #wg>
  %v = memref.load %x[%t] : memref<64xi32>
  memref.store %v, %w[%t] : memref<64xi32, #wg>
  gpu.barrier
  %e:2 = scf.while (%i = %c0) : (index) -> (index, i32) {
    %r = memref.load %w[%n] : memref<64xi32, #wg>
    %more = arith.cmpi ult, %i, %c2 : index
    scf.condition(%more) %i, %r : index, i32
  } do {
  ^bb0(%i: index, %r: i32):
    gpu.barrier // not down
    memref.store %r, %w[%t] : memref<64xi32, #wg>
    gpu.barrier // not up
    %j = arith.addi %i, %c1 : index
    scf.yield %j : index
  }
  memref.store %e#1, %y[%t] : memref<64xi32>
  return
}

//--- h20-global.mlir
// H20: global memory, written by one thread and read by another one of the same
// workgroup. The workgroup buffer and the arguments are different memory.
// CHECK: .mlir:[[#@LINE+16]]:{{[0-9]+}}: error: data race in global memory: thread (1, 0, 0) writes byte 4, which thread (0, 0, 0) reads, with no barrier between
// CHECK: .mlir:[[#@LINE+17]]:{{[0-9]+}}: note: the other access is here
// CHECK: {{^}}races: 1, divergent barriers: 0, out of bounds: 0, uninitialized reads: 0{{$}}
#wg = #gpu.address_space<workgroup>
func.func @h20(%x: memref<64xi32>, %y: memref<64xi32>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %t = gpu.thread_id x
  %t1 = arith.addi %t, %c1 : index
  %n = arith.remui %t1, %c64 : index
  %w = memref.alloc() : memref<64xi32, #wg>
  %zero = arith.constant 0 : i32
  memref.store %zero, %y[%t] : memref<64xi32>
  gpu.barrier
  %v = memref.load %x[%t] : memref<64xi32>
  memref.store %v, %y[%t] : memref<64xi32>
  gpu.barrier // not bad
  %r = memref.load %y[%n] : memref<64xi32>
  memref.store %r, %w[%t] : memref<64xi32, #wg>
  gpu.barrier
  %s = memref.load %w[%t] : memref<64xi32, #wg>
  memref.store %s, %y[%t] : memref<64xi32>
  return
}
