// Loops of stages that nobody knows the number of, in which the race comes late:
// what only some threads cannot do, or only if something holds, ends nothing.
// RUN: not memspace-opt %s -memspace-verify-barriers=chip=gfx942 -o /dev/null 2>&1 | FileCheck %s
// RUN: not memspace-opt %s -convert-scf-to-cf -memspace-verify-barriers=chip=gfx942 -o /dev/null 2>&1 | FileCheck %s

// The emulator sees it where the input is one of those.
// RUN: not memspace-runner %s --chip=gfx942 --kernel=some_threads --arg=0:fill:7 --orders=2 --verbose 2>&1 | FileCheck %s --check-prefix=RACE
// RUN: not memspace-runner %s --chip=gfx942 --kernel=if_asked --arg=0:fill:9 --arg=1:fill:0 --orders=2 --verbose 2>&1 | FileCheck %s --check-prefix=RACE
// RUN: not memspace-runner %s --chip=gfx942 --kernel=after_many --arg=0:fill:90 --orders=2 --verbose 2>&1 | FileCheck %s --check-prefix=RACE
// RUN: not memspace-runner %s --chip=gfx942 --kernel=not_asked --arg=0:fill:70 --orders=2 --verbose 2>&1 | FileCheck %s --check-prefix=RACE
// RUN: not memspace-runner %s --chip=gfx942 --kernel=of_more --arg=0:fill:9 --orders=2 --verbose 2>&1 | FileCheck %s --check-prefix=RACE
// RACE: races: 1,

!S = memref<128xi32, #gpu.address_space<workgroup>>
!G = memref<2048xi32>

// Half of the threads could not go on in stage 6, had they come there.
func.func @some_threads(%n: index) attributes {gpu.known_block_size = array<i32: 128, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %c127 = arith.constant 127 : index
  %v = arith.constant 1 : i32
  %x = gpu.thread_id x
  %s = memref.alloc() : !S
  %t = memref.alloc() : !S
  scf.for %i = %c0 to %n step %c1 {
    %h = arith.shli %c1, %i : index
    %p = arith.addi %x, %h : index
    %fits = arith.cmpi ult, %p, %c127 : index
    scf.if %fits {
      memref.store %v, %t[%p] : !S
    }
    gpu.barrier
    %late = arith.cmpi ugt, %i, %c5 : index
    %by = arith.extui %late : i1 to i32
    %step = arith.index_cast %by : i32 to index
    %q = arith.xori %x, %step : index
    // CHECK: :[[#@LINE+1]]:10: error: possible data race
    %w = memref.load %s[%q] : !S
    memref.store %w, %s[%x] : !S
    gpu.barrier
  }
  return
}

// Only where %asked holds does stage 7 end the loop.
func.func @if_asked(%n: index, %asked: i1) attributes {gpu.known_block_size = array<i32: 128, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c7 = arith.constant 7 : index
  %v = arith.constant 1 : i32
  %x = gpu.thread_id x
  %s = memref.alloc() : !S
  %t = memref.alloc() : !S
  scf.for %i = %c0 to %n step %c1 {
    %h = arith.shli %c1, %i : index
    %p = arith.xori %x, %h : index
    scf.if %asked {
      memref.store %v, %t[%p] : !S
    }
    gpu.barrier
    %late = arith.cmpi ugt, %i, %c7 : index
    %by = arith.extui %late : i1 to i32
    %step = arith.index_cast %by : i32 to index
    %q = arith.xori %x, %step : index
    // CHECK: :[[#@LINE+1]]:10: error: possible data race
    %w = memref.load %s[%q] : !S
    memref.store %w, %s[%x] : !S
    gpu.barrier
  }
  return
}

// Nothing ends it in all the stages that are followed.
func.func @after_many(%n: index) attributes {gpu.known_block_size = array<i32: 128, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c7 = arith.constant 7 : index
  %c80 = arith.constant 80 : index
  %x = gpu.thread_id x
  %s = memref.alloc() : !S
  scf.for %i = %c0 to %n step %c1 {
    %few = arith.andi %i, %c7 : index
    %h = arith.shrui %c7, %few : index
    %late = arith.cmpi ugt, %i, %c80 : index
    %none = arith.constant 0 : index
    %step = arith.select %late, %h, %none : index
    %q = arith.xori %x, %step : index
    // CHECK: :[[#@LINE+1]]:10: error: possible data race
    %w = memref.load %s[%q] : !S
    memref.store %w, %s[%x] : !S
    gpu.barrier
  }
  return
}

// What is not chosen may be shifted too far.
func.func @not_asked(%n: index) attributes {gpu.known_block_size = array<i32: 128, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c7 = arith.constant 7 : index
  %c66 = arith.constant 66 : index
  %x = gpu.thread_id x
  %s = memref.alloc() : !S
  scf.for %i = %c0 to %n step %c1 {
    %h = arith.shrui %c7, %i : index
    %low = arith.cmpi ult, %i, %c7 : index
    %late = arith.cmpi ugt, %i, %c66 : index
    %one = arith.select %late, %c1, %c0 : index
    %part = arith.muli %h, %c0 : index
    %step = arith.select %low, %part, %one : index
    %q = arith.xori %x, %step : index
    // CHECK: :[[#@LINE+1]]:10: error: possible data race
    %w = memref.load %s[%q] : !S
    memref.store %w, %s[%x] : !S
    gpu.barrier
  }
  return
}

// A view is of a larger buffer, whose end is farther.
func.func @of_more(%n: index) attributes {gpu.known_block_size = array<i32: 128, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c7 = arith.constant 7 : index
  %v = arith.constant 1 : i32
  %x = gpu.thread_id x
  %s = memref.alloc() : !S
  %large = memref.alloc() : memref<2048xi32, #gpu.address_space<workgroup>>
  scf.for %i = %c0 to %n step %c1 {
    %h = arith.shli %c1, %i : index
    %p = arith.xori %x, %h : index
    memref.store %v, %large[%p] : memref<2048xi32, #gpu.address_space<workgroup>>
    gpu.barrier
    %late = arith.cmpi ugt, %i, %c7 : index
    %step = arith.select %late, %c1, %c0 : index
    %q = arith.xori %x, %step : index
    // CHECK: :[[#@LINE+1]]:10: error: possible data race
    %w = memref.load %s[%q] : !S
    memref.store %w, %s[%x] : !S
    gpu.barrier
  }
  return
}

// One barrier less than endless-stages.mlir has: of the stages of @transform.
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
    // CHECK: :[[#@LINE+1]]:12: error: possible data race
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
