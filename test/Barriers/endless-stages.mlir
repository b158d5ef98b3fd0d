// Stages of which nobody knows the number: the distance is 2^stage, and once no
// thread can touch anything at that distance the loop does not go on. Executed until
// then, as loops and as blocks.
// RUN: memspace-opt %s -memspace-insert-barriers=chip=gfx942 -o %t.scf.mlir
// RUN: memspace-opt %t.scf.mlir -memspace-verify-barriers=chip=gfx942 -o /dev/null
// RUN: memspace-opt %s -convert-scf-to-cf -memspace-insert-barriers=chip=gfx942 -o %t.cf.mlir
// RUN: memspace-opt %t.cf.mlir -memspace-verify-barriers=chip=gfx942 -o /dev/null
// RUN: memspace-opt %t.scf.mlir -convert-scf-to-cf -memspace-verify-barriers=chip=gfx942 -o /dev/null
// RUN: memspace-runner %t.scf.mlir --chip=gfx942 --kernel=sort_by_log --arg=0:random:1 --arg=2:fill:7 --orders=2 --verbose 2>&1 | FileCheck %s --check-prefix=SORT
// RUN: memspace-runner %t.cf.mlir --chip=gfx942 --kernel=sort_by_log --arg=0:random:1 --arg=2:fill:7 --orders=2 --verbose 2>&1 | FileCheck %s --check-prefix=SORT
// RUN: memspace-runner %t.scf.mlir --chip=gfx942 --kernel=sort_by_log --arg=0:random:1 --arg=2:fill:3 --orders=2 --verbose 2>&1 | FileCheck %s --check-prefix=CLEAN
// RUN: memspace-runner %t.cf.mlir --chip=gfx942 --kernel=sort_by_log --arg=0:random:1 --arg=2:fill:3 --orders=2 --verbose 2>&1 | FileCheck %s --check-prefix=CLEAN
// RUN: memspace-runner %t.scf.mlir --chip=gfx942 --kernel=sort_by_size --arg=0:random:1 --arg=2:fill:128 --orders=2 --verbose 2>&1 | FileCheck %s --check-prefix=SORT
// RUN: memspace-runner %t.cf.mlir --chip=gfx942 --kernel=sort_by_size --arg=0:random:1 --arg=2:fill:128 --orders=2 --verbose 2>&1 | FileCheck %s --check-prefix=SORT
// RUN: memspace-runner %t.scf.mlir --chip=gfx942 --kernel=sort_by_size --arg=0:random:1 --arg=2:fill:0 --orders=2 --verbose 2>&1 | FileCheck %s --check-prefix=CLEAN
// RUN: memspace-runner %t.cf.mlir --chip=gfx942 --kernel=sort_by_size --arg=0:random:1 --arg=2:fill:0 --orders=2 --verbose 2>&1 | FileCheck %s --check-prefix=CLEAN
// RUN: memspace-runner %t.scf.mlir --chip=gfx942 --kernel=transform --arg=0:random:1 --arg=2:fill:7 --orders=2 --verbose 2>&1 | FileCheck %s --check-prefix=STAGES
// RUN: memspace-runner %t.cf.mlir --chip=gfx942 --kernel=transform --arg=0:random:1 --arg=2:fill:7 --orders=2 --verbose 2>&1 | FileCheck %s --check-prefix=STAGES
// RUN: memspace-runner %t.scf.mlir --chip=gfx942 --kernel=transform --arg=0:random:1 --arg=2:fill:2 --orders=2 --verbose 2>&1 | FileCheck %s --check-prefix=CLEAN
// RUN: memspace-runner %t.cf.mlir --chip=gfx942 --kernel=transform --arg=0:random:1 --arg=2:fill:2 --orders=2 --verbose 2>&1 | FileCheck %s --check-prefix=CLEAN
// RUN: memspace-runner %t.scf.mlir --chip=gfx942 --kernel=reduce --arg=0:random:1 --arg=2:fill:7 --orders=2 --verbose 2>&1 | FileCheck %s --check-prefix=TREE
// RUN: memspace-runner %t.cf.mlir --chip=gfx942 --kernel=reduce --arg=0:random:1 --arg=2:fill:7 --orders=2 --verbose 2>&1 | FileCheck %s --check-prefix=TREE
// RUN: memspace-runner %t.scf.mlir --chip=gfx942 --kernel=reduce --arg=0:random:1 --arg=2:fill:20 --orders=2 --verbose 2>&1 | FileCheck %s --check-prefix=CLEAN
// RUN: memspace-runner %t.cf.mlir --chip=gfx942 --kernel=reduce --arg=0:random:1 --arg=2:fill:20 --orders=2 --verbose 2>&1 | FileCheck %s --check-prefix=CLEAN
// SORT: executed barriers: 28, subgroup barriers: 1,
// SORT: races: 0, divergent barriers: 0, out of bounds: 0
// TREE: executed barriers: 2, subgroup barriers: 7,
// TREE: races: 0,
// STAGES: executed barriers: 8, subgroup barriers: 0,
// STAGES: races: 0, divergent barriers: 0, out of bounds: 0
// CLEAN: races: 0, divergent barriers: 0, out of bounds: 0

!S = memref<128xi32, #gpu.address_space<workgroup>>
!G = memref<2048xi32>

// Bitonic sort, as a sequence of doubled sizes and halved distances.
func.func @sort_by_log(%inp: !G, %out: !G, %n: index) attributes {gpu.known_block_size = array<i32: 128, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %c1 = arith.constant 1 : index
  %c0 = arith.constant 0 : index
  %tx = gpu.thread_id x
  %v1 = memref.alloc() : !S
  %v2 = memref.load %inp[%tx] : !G
  memref.store %v2, %v1[%tx] : !S
  %v3 = arith.addi %n, %c1 : index
  scf.for %v4 = %c1 to %v3 step %c1 {
    %v5 = arith.shli %c1, %v4 : index
    scf.for %v6 = %c0 to %v4 step %c1 {
      %v7 = arith.subi %v4, %v6 : index
      %v8 = arith.subi %v7, %c1 : index
      %v9 = arith.shli %c1, %v8 : index
      %v10 = arith.xori %tx, %v9 : index
      %v11 = arith.cmpi ugt, %v10, %tx : index
      scf.if %v11 {
        %v12 = memref.load %v1[%tx] : !S
        %v13 = memref.load %v1[%v10] : !S
        %v14 = arith.andi %tx, %v5 : index
        %v15 = arith.cmpi eq, %v14, %c0 : index
        %v16 = arith.minui %v12, %v13 : i32
        %v17 = arith.maxui %v12, %v13 : i32
        %v18 = arith.select %v15, %v16, %v17 : i32
        memref.store %v18, %v1[%tx] : !S
        %v19 = arith.maxui %v12, %v13 : i32
        %v20 = arith.minui %v12, %v13 : i32
        %v21 = arith.select %v15, %v19, %v20 : i32
        memref.store %v21, %v1[%v10] : !S
      }
    }
  }
  %v22 = memref.load %v1[%tx] : !S
  memref.store %v22, %out[%tx] : !G
  return
}

func.func @sort_by_size(%inp: !G, %out: !G, %n: index) attributes {gpu.known_block_size = array<i32: 128, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %c2 = arith.constant 2 : index
  %c1 = arith.constant 1 : index
  %c0 = arith.constant 0 : index
  %tx = gpu.thread_id x
  %v1 = memref.alloc() : !S
  %v2 = memref.load %inp[%tx] : !G
  memref.store %v2, %v1[%tx] : !S
  %v5 = scf.while (%v3 = %c2) : (index) -> (index) {
    %v6 = arith.cmpi ule, %v3, %n : index
    scf.condition(%v6) %v3 : index
  } do {
  ^bb0(%v4: index):
    %v7 = arith.shrui %v4, %c1 : index
    %v10 = scf.while (%v8 = %v7) : (index) -> (index) {
      %v11 = arith.cmpi ugt, %v8, %c0 : index
      scf.condition(%v11) %v8 : index
    } do {
    ^bb0(%v9: index):
      %v12 = arith.xori %tx, %v9 : index
      %v13 = arith.cmpi ugt, %v12, %tx : index
      scf.if %v13 {
        %v14 = memref.load %v1[%tx] : !S
        %v15 = memref.load %v1[%v12] : !S
        %v16 = arith.andi %tx, %v4 : index
        %v17 = arith.cmpi eq, %v16, %c0 : index
        %v18 = arith.minui %v14, %v15 : i32
        %v19 = arith.maxui %v14, %v15 : i32
        %v20 = arith.select %v17, %v18, %v19 : i32
        memref.store %v20, %v1[%tx] : !S
        %v21 = arith.maxui %v14, %v15 : i32
        %v22 = arith.minui %v14, %v15 : i32
        %v23 = arith.select %v17, %v21, %v22 : i32
        memref.store %v23, %v1[%v12] : !S
      }
      %v24 = arith.shrui %v9, %c1 : index
      scf.yield %v24 : index
    }
    %v25 = arith.shli %v4, %c1 : index
    scf.yield %v25 : index
  }
  %v26 = memref.load %v1[%tx] : !S
  memref.store %v26, %out[%tx] : !G
  return
}

// FFT in place.
func.func @transform(%inp: !G, %out: !G, %n: index) attributes {gpu.known_block_size = array<i32: 64, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %c64 = arith.constant 64 : index
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %tx = gpu.thread_id x
  %v1 = memref.alloc() : !S
  %v2 = memref.load %inp[%tx] : !G
  memref.store %v2, %v1[%tx] : !S
  %v3 = arith.addi %tx, %c64 : index
  %v4 = memref.load %inp[%v3] : !G
  %v5 = arith.addi %tx, %c64 : index
  memref.store %v4, %v1[%v5] : !S
  scf.for %v6 = %c0 to %n step %c1 {
    %v7 = arith.shli %c1, %v6 : index
    %v8 = arith.subi %v7, %c1 : index
    %v9 = arith.andi %tx, %v8 : index
    %v10 = arith.shrui %tx, %v6 : index
    %v11 = arith.addi %v6, %c1 : index
    %v12 = arith.shli %v10, %v11 : index
    %v13 = arith.addi %v12, %v9 : index
    %v14 = memref.load %v1[%v13] : !S
    %v15 = arith.addi %v13, %v7 : index
    %v16 = memref.load %v1[%v15] : !S
    %v17 = arith.addi %v14, %v16 : i32
    memref.store %v17, %v1[%v13] : !S
    %v18 = arith.subi %v14, %v16 : i32
    %v19 = arith.addi %v13, %v7 : index
    memref.store %v18, %v1[%v19] : !S
  }
  %v20 = memref.load %v1[%tx] : !S
  memref.store %v20, %out[%tx] : !G
  %v21 = arith.addi %tx, %c64 : index
  %v22 = memref.load %v1[%v21] : !S
  %v23 = arith.addi %tx, %c64 : index
  memref.store %v22, %out[%v23] : !G
  return
}

// What is shifted out is nothing: from the eighth stage on no thread comes to
// the places, and from the 65th on nobody may ask.
func.func @reduce(%in: !G, %out: !G, %n: index) attributes {gpu.known_block_size = array<i32: 128, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %x = gpu.thread_id x
  %s = memref.alloc() : !S
  %v = memref.load %in[%x] : !G
  memref.store %v, %s[%x] : !S
  scf.for %i = %c0 to %n step %c1 {
    %h = arith.shrui %c64, %i : index
    %enters = arith.cmpi ult, %x, %h : index
    scf.if %enters {
      %p = arith.addi %x, %h : index
      %a = memref.load %s[%x] : !S
      %b = memref.load %s[%p] : !S
      %sum = arith.addi %a, %b : i32
      memref.store %sum, %s[%x] : !S
    }
  }
  %r = memref.load %s[%c0] : !S
  memref.store %r, %out[%x] : !G
  return
}
