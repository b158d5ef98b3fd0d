// One step of a sorting network, whose distance is an argument: the thread with the lower
// number exchanges the two, so that no two threads touch what a third does. Each distance that
// stays in the buffer is tried.
// RUN: memspace-opt %s -memspace-insert-barriers=chip=gfx942 -o %t.scf.mlir
// RUN: FileCheck %s < %t.scf.mlir
// RUN: memspace-opt %t.scf.mlir -memspace-verify-barriers=chip=gfx942 -o /dev/null
// RUN: memspace-opt %s -convert-scf-to-cf -memspace-insert-barriers=chip=gfx942 -o %t.cf.mlir
// RUN: FileCheck %s --check-prefix=BLOCKS < %t.cf.mlir
// RUN: memspace-opt %t.cf.mlir -memspace-verify-barriers=chip=gfx942 -o /dev/null
// RUN: memspace-runner %t.scf.mlir --chip=gfx942 --kernel=step --arg=0:random:1 --arg=2:fill:1 --orders=2 --verbose 2>&1 | FileCheck %s --check-prefix=TWO
// RUN: memspace-runner %t.cf.mlir --chip=gfx942 --kernel=step --arg=0:random:1 --arg=2:fill:1 --orders=2 --verbose 2>&1 | FileCheck %s --check-prefix=TWO
// RUN: memspace-runner %t.scf.mlir --chip=gfx942 --kernel=step --arg=0:random:1 --arg=2:fill:3 --orders=2 --verbose 2>&1 | FileCheck %s --check-prefix=TWO
// RUN: memspace-runner %t.cf.mlir --chip=gfx942 --kernel=step --arg=0:random:1 --arg=2:fill:3 --orders=2 --verbose 2>&1 | FileCheck %s --check-prefix=TWO
// RUN: memspace-runner %t.scf.mlir --chip=gfx942 --kernel=step --arg=0:random:1 --arg=2:fill:64 --orders=2 --verbose 2>&1 | FileCheck %s --check-prefix=TWO
// RUN: memspace-runner %t.cf.mlir --chip=gfx942 --kernel=step --arg=0:random:1 --arg=2:fill:64 --orders=2 --verbose 2>&1 | FileCheck %s --check-prefix=TWO
// RUN: memspace-runner %t.scf.mlir --chip=gfx942 --kernel=step --arg=0:random:1 --arg=2:fill:100 --orders=2 --verbose 2>&1 | FileCheck %s --check-prefix=TWO
// RUN: memspace-runner %t.cf.mlir --chip=gfx942 --kernel=step --arg=0:random:1 --arg=2:fill:100 --orders=2 --verbose 2>&1 | FileCheck %s --check-prefix=TWO
// RUN: memspace-runner %t.scf.mlir --chip=gfx942 --kernel=of_few_bits --arg=0:random:1 --arg=2:fill:1 --orders=2 --verbose 2>&1 | FileCheck %s --check-prefix=TWO
// RUN: memspace-runner %t.cf.mlir --chip=gfx942 --kernel=of_few_bits --arg=0:random:1 --arg=2:fill:1 --orders=2 --verbose 2>&1 | FileCheck %s --check-prefix=TWO
// RUN: memspace-runner %t.scf.mlir --chip=gfx942 --kernel=of_few_bits --arg=0:random:1 --arg=2:fill:3 --orders=2 --verbose 2>&1 | FileCheck %s --check-prefix=TWO
// RUN: memspace-runner %t.cf.mlir --chip=gfx942 --kernel=of_few_bits --arg=0:random:1 --arg=2:fill:3 --orders=2 --verbose 2>&1 | FileCheck %s --check-prefix=TWO
// RUN: memspace-runner %t.scf.mlir --chip=gfx942 --kernel=of_few_bits --arg=0:random:1 --arg=2:fill:64 --orders=2 --verbose 2>&1 | FileCheck %s --check-prefix=TWO
// RUN: memspace-runner %t.cf.mlir --chip=gfx942 --kernel=of_few_bits --arg=0:random:1 --arg=2:fill:64 --orders=2 --verbose 2>&1 | FileCheck %s --check-prefix=TWO
// RUN: memspace-runner %t.scf.mlir --chip=gfx942 --kernel=of_few_bits --arg=0:random:1 --arg=2:fill:100 --orders=2 --verbose 2>&1 | FileCheck %s --check-prefix=TWO
// RUN: memspace-runner %t.cf.mlir --chip=gfx942 --kernel=of_few_bits --arg=0:random:1 --arg=2:fill:100 --orders=2 --verbose 2>&1 | FileCheck %s --check-prefix=TWO
// RUN: memspace-runner %t.scf.mlir --chip=gfx942 --kernel=negative --arg=0:fill:0 --arg=1:fill:-128 --orders=2 --verbose 2>&1 | FileCheck %s --check-prefix=CLEAN
// RUN: memspace-runner %t.scf.mlir --chip=gfx942 --kernel=negative_index --arg=0:fill:0 --arg=1:fill:-128 --orders=2 --verbose 2>&1 | FileCheck %s --check-prefix=CLEAN
// RUN: memspace-runner %t.cf.mlir --chip=gfx942 --kernel=negative --arg=0:fill:0 --arg=1:fill:-128 --orders=2 --verbose 2>&1 | FileCheck %s --check-prefix=CLEAN
// RUN: memspace-runner %t.cf.mlir --chip=gfx942 --kernel=negative_index --arg=0:fill:0 --arg=1:fill:-128 --orders=2 --verbose 2>&1 | FileCheck %s --check-prefix=CLEAN
// CLEAN: races: 0,
// TWO: executed barriers: 2, subgroup barriers: 0,
// TWO: races: 0,

!S = memref<128xi32, #gpu.address_space<workgroup>>
!G = memref<2048xi32>
!L = memref<256xi32, #gpu.address_space<workgroup>>

// Before the exchange and behind it; none in it.
// CHECK-LABEL: @step(
// CHECK: gpu.barrier
// CHECK: scf.if
// CHECK-NOT: barrier
// CHECK: gpu.barrier
// CHECK-NOT: barrier
// CHECK: return
// BLOCKS-LABEL: @step(
// BLOCKS-COUNT-2: gpu.barrier
// BLOCKS-NOT: barrier
// BLOCKS: return
func.func @step(%in: !G, %out: !G, %j: index) attributes {gpu.known_block_size = array<i32: 128, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %x = gpu.thread_id x
  %s = memref.alloc() : !S
  %v = memref.load %in[%x] : !G
  memref.store %v, %s[%x] : !S
  %p = arith.xori %x, %j : index
  %g = arith.cmpi ugt, %p, %x : index
  scf.if %g {
    %a = memref.load %s[%x] : !S
    %b = memref.load %s[%p] : !S
    memref.store %b, %s[%x] : !S
    memref.store %a, %s[%p] : !S
  }
  %w = memref.load %s[%x] : !S
  memref.store %w, %out[%x] : !G
  return
}

// Before the exchange and behind it; none in it.
// CHECK-LABEL: @of_few_bits(
// CHECK: gpu.barrier
// CHECK: scf.if
// CHECK-NOT: barrier
// CHECK: gpu.barrier
// CHECK-NOT: barrier
// CHECK: return
// BLOCKS-LABEL: @of_few_bits(
// BLOCKS-COUNT-2: gpu.barrier
// BLOCKS-NOT: barrier
// BLOCKS: return
func.func @of_few_bits(%in: !G, %out: !G, %j: i32) attributes {gpu.known_block_size = array<i32: 128, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %x = gpu.thread_id x
  %s = memref.alloc() : !S
  %v = memref.load %in[%x] : !G
  memref.store %v, %s[%x] : !S
  %x32 = arith.index_cast %x : index to i32
  %p32 = arith.xori %j, %x32 : i32
  %g = arith.cmpi sgt, %p32, %x32 : i32
  %p = arith.index_cast %p32 : i32 to index
  scf.if %g {
    %a = memref.load %s[%x] : !S
    %b = memref.load %s[%p] : !S
    memref.store %b, %s[%x] : !S
    memref.store %a, %s[%p] : !S
  }
  %w = memref.load %s[%x] : !S
  memref.store %w, %out[%x] : !G
  return
}

// A distance of 8 bits may be negative, and is inside of the buffer without its sign.
func.func @negative(%out: !G, %j: i8) attributes {gpu.known_block_size = array<i32: 128, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %v = arith.constant 1 : i32
  %k0 = arith.constant 0 : i8
  %c255 = arith.constant 255 : index
  %x = gpu.thread_id x
  %r = arith.subi %c255, %x : index
  %s = memref.alloc() : !L
  %x8 = arith.index_cast %x : index to i8
  %p8 = arith.xori %x8, %j : i8
  %p = arith.index_castui %p8 : i8 to index
  memref.store %v, %s[%p] : !L
  %neg = arith.cmpi slt, %j, %k0 : i8
  scf.if %neg {
    %w = memref.load %s[%r] : !L
    memref.store %w, %out[%x] : !G
  }
  return
}

func.func @negative_index(%out: !G, %j: i8) attributes {gpu.known_block_size = array<i32: 128, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %v = arith.constant 1 : i32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c255 = arith.constant 255 : index
  %x = gpu.thread_id x
  %r = arith.subi %c255, %x : index
  %s = memref.alloc() : !L
  %x8 = arith.index_cast %x : index to i8
  %p8 = arith.xori %x8, %j : i8
  %p = arith.index_castui %p8 : i8 to index
  memref.store %v, %s[%p] : !L
  %js = arith.index_cast %j : i8 to index
  %neg = arith.cmpi slt, %js, %c0 : index
  scf.if %neg {
    %w = memref.load %s[%r] : !L
    memref.store %w, %out[%x] : !G
  }
  return
}
