// Integers of 64 bits wrap as narrower ones do: a guard on what is computed in them may hold
// where it could not in numbers without end. One that is promised not to wrap (`nsw`) is such a
// number, as an index is, which otherwise would be no place (docs/verification.md).
// RUN: memspace-opt %s -memspace-insert-barriers=chip=gfx942 -o %t.mlir
// RUN: FileCheck %s --input-file=%t.mlir
// RUN: memspace-opt %t.mlir -memspace-verify-barriers=chip=gfx942 -o /dev/null
// The emulator computes them as a machine does.
// RUN: not memspace-runner %s --chip=gfx942 --kernel=product --arg=0:fill:-6148914691236517205 --arg=1:iota 2>&1 | FileCheck %s --check-prefix=RACE
// RUN: memspace-runner %t.mlir --chip=gfx942 --kernel=product --arg=0:fill:-6148914691236517205 --arg=1:iota | FileCheck %s --check-prefix=CLEAN
// RUN: not memspace-runner %s --chip=gfx942 --kernel=next --arg=0:fill:9223372036854775807 --arg=1:iota 2>&1 | FileCheck %s --check-prefix=RACE
// RUN: memspace-runner %t.mlir --chip=gfx942 --kernel=next --arg=0:fill:9223372036854775807 --arg=1:iota | FileCheck %s --check-prefix=CLEAN
// RACE: races: {{[1-9]}}
// CLEAN: races: 0, divergent barriers: 0, out of bounds: 0, uninitialized reads: 0

!shared = memref<128xf32, #gpu.address_space<workgroup>>

// For n = -6148914691236517205 the product is 1.
// CHECK-LABEL: func.func @product
// CHECK: gpu.barrier
func.func @product(%n: i64, %in: memref<128xf32>) attributes {
    gpu.known_block_size = array<i32: 128, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %c1 = arith.constant 1 : i64
  %c3 = arith.constant 3 : i64
  %c127 = arith.constant 127 : index
  %tid = gpu.thread_id x
  %other = arith.subi %c127, %tid : index
  %a = memref.alloc() : !shared
  %x = memref.load %in[%tid] : memref<128xf32>
  %f = arith.muli %n, %c3 : i64
  %c = arith.cmpi eq, %f, %c1 : i64
  scf.if %c {
    memref.store %x, %a[%tid] : !shared
    %w = memref.load %a[%other] : !shared
    memref.store %w, %in[%tid] : memref<128xf32>
  }
  return
}

// CHECK-LABEL: func.func @switch
// CHECK: gpu.barrier
func.func @switch(%n: i64, %in: memref<128xf32>) attributes {
    gpu.known_block_size = array<i32: 128, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %c3 = arith.constant 3 : i64
  %c127 = arith.constant 127 : index
  %tid = gpu.thread_id x
  %other = arith.subi %c127, %tid : index
  %a = memref.alloc() : !shared
  %x = memref.load %in[%tid] : memref<128xf32>
  %f = arith.muli %n, %c3 : i64
  cf.switch %f : i64, [
    default: ^end,
    1: ^then
  ]
^then:
  memref.store %x, %a[%tid] : !shared
  %w = memref.load %a[%other] : !shared
  memref.store %w, %in[%tid] : memref<128xf32>
  cf.br ^end
^end:
  return
}

// For the largest n the next one is less.
// CHECK-LABEL: func.func @next
// CHECK: gpu.barrier
func.func @next(%n: i64, %in: memref<128xf32>) attributes {
    gpu.known_block_size = array<i32: 128, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %c1 = arith.constant 1 : i64
  %c127 = arith.constant 127 : index
  %tid = gpu.thread_id x
  %other = arith.subi %c127, %tid : index
  %a = memref.alloc() : !shared
  %x = memref.load %in[%tid] : memref<128xf32>
  %f = arith.addi %n, %c1 : i64
  %c = arith.cmpi sle, %f, %n : i64
  scf.if %c {
    memref.store %x, %a[%tid] : !shared
    %w = memref.load %a[%other] : !shared
    memref.store %w, %in[%tid] : memref<128xf32>
  }
  return
}

// CHECK-LABEL: func.func @next_without_wrapping
// CHECK-NOT: gpu.barrier
// CHECK: return
func.func @next_without_wrapping(%n: i32, %in: memref<128xf32>) attributes {
    gpu.known_block_size = array<i32: 128, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %c1 = arith.constant 1 : i32
  %c127 = arith.constant 127 : index
  %tid = gpu.thread_id x
  %other = arith.subi %c127, %tid : index
  %a = memref.alloc() : !shared
  %x = memref.load %in[%tid] : memref<128xf32>
  %f = arith.addi %n, %c1 overflow<nsw> : i32
  %c = arith.cmpi sle, %f, %n : i32
  scf.if %c {
    memref.store %x, %a[%tid] : !shared
    %w = memref.load %a[%other] : !shared
    memref.store %w, %in[%tid] : memref<128xf32>
  }
  return
}
