// What a branch says holds in a loop that begins where the branch leads, as `-canonicalize`
// leaves it; and a comparison of constants that nobody folded decides.
// RUN: memspace-opt %s -memspace-insert-barriers=chip=gfx942 -o %t.mlir
// RUN: FileCheck %s --input-file=%t.mlir
// RUN: memspace-opt %t.mlir -memspace-verify-barriers=chip=gfx942 -o /dev/null
// RUN: memspace-opt %t.mlir -convert-scf-to-cf -memspace-verify-barriers=chip=gfx942 -o /dev/null
// RUN: memspace-opt %t.mlir -convert-scf-to-cf -canonicalize -cse -memspace-verify-barriers=chip=gfx942 -o /dev/null
// RUN: memspace-opt %s -convert-scf-to-cf -canonicalize -cse -memspace-insert-barriers=chip=gfx942 | FileCheck %s --check-prefix=BLOCKS

!shared = memref<128xf32, #gpu.address_space<workgroup>>

// A remainder by two is never five.
// CHECK-LABEL: func.func @never
// CHECK-NOT: gpu.barrier
// CHECK: return
// BLOCKS-LABEL: func.func @never
// BLOCKS-NOT: gpu.barrier
// BLOCKS: return
func.func @never(%flags: memref<4xi32>, %in: memref<128xf32>) attributes {
    gpu.known_block_size = array<i32: 128, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c5 = arith.constant 5 : index
  %c127 = arith.constant 127 : index
  %tid = gpu.thread_id x
  %other = arith.subi %c127, %tid : index
  %a = memref.alloc() : !shared
  %x = memref.load %in[%tid] : memref<128xf32>
  %m = memref.load %flags[%c0] : memref<4xi32>
  %mx = arith.index_cast %m : i32 to index
  %f = arith.remui %mx, %c2 : index
  %c = arith.cmpi eq, %f, %c5 : index
  scf.if %c {
    scf.for %i = %c0 to %c2 step %c1 {
      memref.store %x, %a[%tid] : !shared
      %w = memref.load %a[%other] : !shared
      memref.store %w, %in[%tid] : memref<128xf32>
    }
  }
  return
}

// Half of the threads, in a loop each of whose iterations touches what is theirs.
// CHECK-LABEL: func.func @half
// CHECK-NOT: gpu.barrier
// CHECK: return
// BLOCKS-LABEL: func.func @half
// BLOCKS-NOT: gpu.barrier
// BLOCKS: return
func.func @half(%n: index, %in: memref<128xf32>) attributes {
    gpu.known_block_size = array<i32: 128, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %tid = gpu.thread_id x
  %a = memref.alloc() : !shared
  %x = memref.load %in[%tid] : memref<128xf32>
  %half = arith.remui %tid, %c64 : index
  %c = arith.cmpi ult, %tid, %c64 : index
  scf.if %c {
    scf.for %i = %c0 to %n step %c1 {
      memref.store %x, %a[%half] : !shared
      %w = memref.load %a[%half] : !shared
      memref.store %w, %in[%tid] : memref<128xf32>
    }
  }
  return
}

// CHECK-LABEL: func.func @constants
// CHECK: memref.store
// CHECK: gpu.barrier
// CHECK: memref.load
// CHECK: scf.if
// CHECK: memref.store
// CHECK: gpu.barrier
// CHECK: memref.load
// CHECK-NOT: gpu.barrier
// CHECK: return
func.func @constants(%in: memref<128xf32>) attributes {
    gpu.known_block_size = array<i32: 128, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c6 = arith.constant 6 : index
  %c127 = arith.constant 127 : index
  %tid = gpu.thread_id x
  %other = arith.subi %c127, %tid : index
  %a = memref.alloc() : !shared
  %b = memref.alloc() : !shared
  %x = memref.load %in[%tid] : memref<128xf32>
  scf.for %i = %c0 to %c6 step %c1 {
    memref.store %x, %b[%tid] : !shared
    %w = memref.load %b[%other] : !shared
    %c = arith.cmpi ult, %c0, %c1 : index
    scf.if %c {
      memref.store %w, %a[%tid] : !shared
      %y = memref.load %a[%other] : !shared
    }
  }
  return
}
