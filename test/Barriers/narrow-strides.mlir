// A tree whose stride is an argument, in numbers of 32 bits as C has them: what is too large
// for them is negative, and no place. In structured form and in blocks (it took two barriers an
// iteration, and was refused in blocks).
// RUN: memspace-opt %s -memspace-insert-barriers=chip=gfx942 -o %t.scf.mlir
// RUN: memspace-opt %t.scf.mlir -memspace-verify-barriers=chip=gfx942 -o /dev/null
// RUN: memspace-opt %s -convert-scf-to-cf -memspace-insert-barriers=chip=gfx942 -o %t.cf.mlir
// RUN: memspace-opt %t.cf.mlir -memspace-verify-barriers=chip=gfx942 -o /dev/null
// RUN: FileCheck %s < %t.scf.mlir
// RUN: memspace-runner %t.scf.mlir --chip=gfx942 --arg=0:iota --arg=1:fill:64 --out=0:%t.scf.npy --verbose --orders=4 2>&1 | FileCheck %s --check-prefix=EXECUTED
// RUN: memspace-runner %t.cf.mlir --chip=gfx942 --arg=0:iota --arg=1:fill:64 --out=0:%t.cf.npy --verbose --orders=4 2>&1 | FileCheck %s --check-prefix=EXECUTED
// RUN: %python -c "import numpy; assert numpy.load('%t.scf.npy')[0] == numpy.load('%t.cf.npy')[0] == 128 * 127 / 2"
// EXECUTED: executed barriers: 7,
// EXECUTED: races: 0

// CHECK-LABEL: func.func @tree
// CHECK-COUNT-1: gpu.barrier
// CHECK-NOT: gpu.barrier
// CHECK: return
func.func @tree(%x: memref<128xf32>, %first: i32) attributes {
    gpu.known_block_size = array<i32: 128, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %tid = gpu.thread_id x
  %t = arith.index_cast %tid : index to i32
  %s = memref.alloc() : memref<128xf32, #gpu.address_space<workgroup>>
  %v = memref.load %x[%tid] : memref<128xf32>
  memref.store %v, %s[%tid] : memref<128xf32, #gpu.address_space<workgroup>>
  %end = scf.while (%stride = %first) : (i32) -> i32 {
    %goesOn = arith.cmpi sgt, %stride, %zero : i32
    scf.condition(%goesOn) %stride : i32
  } do {
  ^bb0(%stride: i32):
    %adds = arith.cmpi slt, %t, %stride : i32
    scf.if %adds {
      %other = arith.addi %t, %stride : i32
      %i = arith.index_cast %t : i32 to index
      %j = arith.index_cast %other : i32 to index
      %a = memref.load %s[%i] : memref<128xf32, #gpu.address_space<workgroup>>
      %b = memref.load %s[%j] : memref<128xf32, #gpu.address_space<workgroup>>
      %sum = arith.addf %a, %b : f32
      memref.store %sum, %s[%i] : memref<128xf32, #gpu.address_space<workgroup>>
    }
    %next = arith.shrsi %stride, %one : i32
    scf.yield %next : i32
  }
  %isFirst = arith.cmpi eq, %t, %zero : i32
  scf.if %isFirst {
    %i = arith.index_cast %t : i32 to index
    %sum = memref.load %s[%i] : memref<128xf32, #gpu.address_space<workgroup>>
    memref.store %sum, %x[%i] : memref<128xf32>
  }
  return
}
