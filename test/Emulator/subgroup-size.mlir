// Neighbours exchange within a subgroup of 64 threads. With subgroups of 32,
// thread 31 reads what thread 32 of another subgroup wrote.
// RUN: memspace-runner %s --chip=gfx942 --arg=0:iota --out=1:%t.npy --verbose | FileCheck %s
// RUN: %python -c "import numpy as np; assert (np.load(r'%t.npy') == np.roll(np.arange(128).reshape(2, 64), -1, 1)).all()"
// RUN: not memspace-runner %s --chip=sm_90 --arg=0:iota 2>&1 | FileCheck %s --check-prefix=NARROW
// CHECK: executed barriers: 0, subgroup barriers: 1,
// CHECK: races: 0,
// NARROW: error: data race in workgroup memory: thread (31, 0, 0) reads byte 64, which thread (32, 0, 0) writes
// NARROW: races: 1,

func.func @rotate(%x: memref<2x64xi16>, %out: memref<2x64xi16>)
    attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %tile = memref.alloc() : memref<2x64xi16, 3>
  %t = gpu.thread_id x
  %w = arith.divui %t, %c64 : index
  %l = arith.remui %t, %c64 : index
  %v = memref.load %x[%w, %l] : memref<2x64xi16>
  memref.store %v, %tile[%w, %l] : memref<2x64xi16, 3>
  memspace.subgroup_barrier
  %l1 = arith.addi %l, %c1 : index
  %n = arith.remui %l1, %c64 : index
  %y = memref.load %tile[%w, %n] : memref<2x64xi16, 3>
  memref.store %y, %out[%w, %l] : memref<2x64xi16>
  return
}
