// As two-ways.mlir, where two threads come with numbers that make one place.
// RUN: not memspace-opt %s -memspace-verify-barriers=chip=gfx942 -o /dev/null 2>&1 | FileCheck %s
// RUN: not memspace-runner %s --chip=gfx942 --kernel=by_halves --arg=0:fill:1 --orders=2 --verbose 2>&1 | FileCheck %s --check-prefix=RACE
// RUN: not memspace-runner %s --chip=gfx942 --kernel=around --arg=0:fill:1 --orders=2 --verbose 2>&1 | FileCheck %s --check-prefix=RACE
// RUN: not memspace-runner %s --chip=gfx942 --kernel=irr --arg=0:fill:0 --arg=1:fill:1 --orders=2 --verbose 2>&1 | FileCheck %s --check-prefix=RACE
// RACE: races: {{[1-9]}}

!S = memref<1024xf32, #gpu.address_space<workgroup>>
!I = memref<128xi32, #gpu.address_space<workgroup>>
!G = memref<2048xi32>

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

// Two blocks that lead to each other and are both entered: by now the number that
// decided the way is another one.
func.func @irr(%out: !G, %c: i1) attributes {gpu.known_block_size = array<i32: 128, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c6 = arith.constant 6 : index
  %c127 = arith.constant 127 : index
  %true = arith.constant true
  %v = arith.constant 1 : i32
  %x = gpu.thread_id x
  %rv = arith.subi %c127, %x : index
  %s = memref.alloc() : !I
  cf.cond_br %true, ^a(%c0, %x : index, index), ^b(%c6 : index)
^a(%i: index, %p: index):
  %late = arith.cmpi uge, %i, %c3 : index
  cf.cond_br %late, ^acc, ^next
^acc:
  // CHECK: :[[#@LINE+1]]:{{[0-9]+}}: error: possible data race
  %w = memref.load %s[%p] : !I
  memref.store %v, %s[%x] : !I
  cf.br ^next
^next:
  %more = arith.cmpi ult, %i, %c6 : index
  cf.cond_br %more, ^b(%i : index), ^exit
^b(%j: index):
  %is = arith.cmpi eq, %j, %c2 : index
  %j1 = arith.addi %j, %c1 : index
  cf.cond_br %is, ^a(%j1, %rv : index, index), ^a(%j1, %x : index, index)
^exit:
  return
}
