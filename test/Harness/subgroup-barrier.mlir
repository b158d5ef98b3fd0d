// Neighbours exchange within a subgroup of 64 threads. With subgroups of 32,
// thread 31 reads what thread 32 of another subgroup wrote.
// RUN: %python %src_root/utils/run_kernel.py %s --chip gfx942 --expect 'a1 = np.roll(a0, -1, 1)' | FileCheck %s
// RUN: not %python %src_root/utils/run_kernel.py %s --chip sm_90 | FileCheck %s --check-prefix=NARROW
// CHECK: forward: ok, races 0, barriers 0, subgroup barriers 2
// CHECK: reverse: ok, races 0
// CHECK: shuffle:1: ok, races 0
// NARROW: forward: FAILED, races {{[12]}},
// NARROW: race on byte {{.*}} of workgroup allocation 0

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
