// A limit above what the chip has answers what would be, without assembly.
// RUN: memspace-opt %s -memspace-kernel-pipeline="chip=gfx942 workgroup-limit=1000000000" | FileCheck %s
// RUN: not memspace-opt %s -memspace-rocdl-pipeline="chip=gfx942 workgroup-limit=1000000000" 2>&1 | FileCheck %s --check-prefix=AMD
// RUN: not memspace-opt %s -memspace-nvvm-pipeline="chip=sm_90 workgroup-limit=1000000000" 2>&1 | FileCheck %s --check-prefix=NVIDIA
// RUN: not memspace-opt %s -memspace-kernel-pipeline="chip=gfx942" 2>&1 | FileCheck %s --check-prefix=BUDGET
// CHECK: memspace.workgroup_bytes = 262144
// AMD: error: kernel 'mirror' takes 262144 bytes of workgroup memory, and a workgroup has 65536 on gfx942; leave out 'workgroup-limit', and memspace-check-budget says what would fit
// NVIDIA: error: kernel 'mirror' takes 262144 bytes of workgroup memory, and a workgroup has 232448 on sm_90
// BUDGET: error: {{.*}}262144
func.func @mirror(%x: memref<65536xf32>, %y: memref<65536xf32>) attributes {gpu.known_block_size = array<i32: 256, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c256 = arith.constant 256 : index
  %n = arith.constant 65536 : index
  %last = arith.constant 65535 : index
  %t = gpu.thread_id x
  %a = memref.alloc() : memref<65536xf32, #gpu.address_space<workgroup>>
  scf.for %i = %c0 to %n step %c256 {
    %k = arith.addi %i, %t : index
    %v = memref.load %x[%k] : memref<65536xf32>
    memref.store %v, %a[%k] : memref<65536xf32, #gpu.address_space<workgroup>>
  }
  scf.for %i = %c0 to %n step %c256 {
    %k = arith.addi %i, %t : index
    %m = arith.subi %last, %k : index
    %v = memref.load %a[%m] : memref<65536xf32, #gpu.address_space<workgroup>>
    memref.store %v, %y[%k] : memref<65536xf32>
  }
  return
}
