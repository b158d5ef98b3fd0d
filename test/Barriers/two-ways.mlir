// A block that threads reach by two ways with different numbers: which thread comes by
// which is known where they have parted by what each of them knows, as of the result of
// an `scf.if`.
// RUN: memspace-opt %s -memspace-insert-barriers=chip=gfx942 -o %t.mlir
// RUN: FileCheck %s < %t.mlir
// RUN: memspace-opt %t.mlir -memspace-verify-barriers=chip=gfx942 -o /dev/null
// RUN: memspace-runner %t.mlir --chip=gfx942 --kernel=by_halves --arg=0:fill:1 --orders=2 --verbose 2>&1 | FileCheck %s --check-prefix=CLEAN
// RUN: memspace-runner %t.mlir --chip=gfx942 --kernel=by_halves --arg=0:fill:0 --orders=2 --verbose 2>&1 | FileCheck %s --check-prefix=CLEAN
// RUN: memspace-runner %t.mlir --chip=gfx942 --kernel=by_cases --orders=2 --verbose 2>&1 | FileCheck %s --check-prefix=CLEAN
// CLEAN: races: 0,

!S = memref<1024xf32, #gpu.address_space<workgroup>>
!I = memref<128xi32, #gpu.address_space<workgroup>>
!G = memref<2048xi32>

// CHECK-LABEL: @by_halves(
// CHECK-NOT: barrier
func.func @by_halves(%c: i1) attributes {gpu.known_block_size = array<i32: 128, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %v = arith.constant 1.0 : f32
  %x = gpu.thread_id x
  %s = memref.alloc() : !S
  %low = arith.cmpi slt, %x, %c64 : index
  cf.cond_br %low, ^in_low, ^both(%c1 : index)
^in_low:
  cf.cond_br %c, ^both(%c0 : index), ^behind
^both(%by: index):
  %p = arith.addi %x, %by : index
  memref.store %v, %s[%p] : !S
  cf.br ^behind
^behind:
  return
}

// CHECK-LABEL: @by_cases(
// CHECK: gpu.barrier
// CHECK: cf.switch
// CHECK-NOT: barrier
func.func @by_cases() attributes {gpu.known_block_size = array<i32: 128, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %c2 = arith.constant 2 : index
  %c64 = arith.constant 64 : index
  %c127 = arith.constant 127 : index
  %c256 = arith.constant 256 : index
  %v = arith.constant 1.0 : f32
  %x = gpu.thread_id x
  %s = memref.alloc() : !S
  memref.store %v, %s[%x] : !S
  %rest = arith.remui %x, %c2 : index
  %case = arith.index_cast %rest : index to i32
  %mirror = arith.subi %c127, %x : index
  %far = arith.addi %x, %c256 : index
  %own = memref.load %s[%mirror] : !S
  cf.switch %case : i32, [
    default: ^both(%c64 : index),
    0: ^both(%c256 : index)
  ]
^both(%by: index):
  %p = arith.addi %x, %by : index
  %q = arith.addi %p, %by : index
  memref.store %own, %s[%q] : !S
  %again = memref.load %s[%q] : !S
  memref.store %again, %s[%q] : !S
  return
}

// No thread comes by ^other, so that nobody has to know what it passes.
// CHECK-LABEL: @by_none(
// CHECK-NOT: barrier
func.func @by_none(%out: !G, %m: index) attributes {gpu.known_block_size = array<i32: 128, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c127 = arith.constant 127 : index
  %c128 = arith.constant 128 : index
  %c3 = arith.constant 3 : index
  %c1 = arith.constant 1 : index
  %v = arith.constant 1 : i32
  %x = gpu.thread_id x
  %s = memref.alloc() : !I
  %lo = arith.cmpi ult, %x, %c128 : index
  %u = arith.muli %x, %m : index
  memref.store %v, %s[%x] : !I
  cf.cond_br %lo, ^meet(%x : index), ^other
^other:
  cf.br ^meet(%u : index)
^meet(%p: index):
  cf.br ^head(%c0 : index)
^head(%i: index):
  %go = arith.cmpi slt, %i, %c3 : index
  cf.cond_br %go, ^body, ^exit
^body:
  %w = memref.load %s[%p] : !I
  memref.store %w, %out[%x] : !G
  %i1 = arith.addi %i, %c1 : index
  cf.br ^head(%i1 : index)
^exit:
  return
}
