// One step of a sorting network, whose distance is an argument: the thread with the lower
// number exchanges the two, so that no two threads touch what a third does. Each distance that
// stays in the buffer is tried.
// RUN: memspace-opt %s -memspace-insert-barriers=chip=gfx942 -o %t.scf.mlir
// RUN: memspace-opt %t.scf.mlir -memspace-verify-barriers=chip=gfx942 -o /dev/null
// RUN: memspace-opt %s -convert-scf-to-cf -memspace-insert-barriers=chip=gfx942 -o %t.cf.mlir
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
// TWO: executed barriers: 2, subgroup barriers: 0,
// TWO: races: 0,

!S = memref<128xi32, #gpu.address_space<workgroup>>
!G = memref<2048xi32>

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
