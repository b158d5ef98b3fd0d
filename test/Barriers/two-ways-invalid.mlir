// As two-ways.mlir, where two threads come with numbers that make one place.
// RUN: not memspace-opt %s -memspace-verify-barriers=chip=gfx942 -o /dev/null 2>&1 | FileCheck %s
// RUN: not memspace-runner %s --chip=gfx942 --kernel=by_halves --arg=0:fill:1 --orders=2 --verbose 2>&1 | FileCheck %s --check-prefix=RACE
// RUN: not memspace-runner %s --chip=gfx942 --kernel=around --arg=0:fill:1 --orders=2 --verbose 2>&1 | FileCheck %s --check-prefix=RACE
// RACE: races: {{[1-9]}}

!S = memref<1024xf32, #gpu.address_space<workgroup>>

func.func @by_halves(%c: i1) attributes {gpu.known_block_size = array<i32: 128, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %v = arith.constant 1.0 : f32
  %x = gpu.thread_id x
  %s = memref.alloc() : !S
  %low = arith.cmpi slt, %x, %c64 : index
  cf.cond_br %low, ^in_low, ^both(%c0 : index)
^in_low:
  cf.cond_br %c, ^both(%c1 : index), ^behind
^both(%by: index):
  %p = arith.addi %x, %by : index
  %w = arith.sitofp %low : i1 to f32
  // CHECK: :[[#@LINE+1]]:3: error: possible data race (WAW) of threads that execute this
  memref.store %w, %s[%p] : !S
  cf.br ^behind
^behind:
  return
}

// Each thread may come by both ways.
func.func @around(%c: i1) attributes {gpu.known_block_size = array<i32: 128, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %true = arith.constant true
  %x = gpu.thread_id x
  %s = memref.alloc() : !S
  %low = arith.cmpi slt, %x, %c64 : index
  cf.cond_br %low, ^both(%c1, %true : index, i1), ^both(%c0, %true : index, i1)
^both(%by: index, %goes: i1):
  %p = arith.addi %x, %by : index
  %w = arith.sitofp %low : i1 to f32
  // CHECK: :[[#@LINE+1]]:3: error: possible data race (WAW) of threads that execute this
  memref.store %w, %s[%p] : !S
  %false = arith.constant false
  cf.cond_br %goes, ^both(%c0, %false : index, i1), ^behind
^behind:
  return
}
