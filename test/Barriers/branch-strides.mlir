// Loops made of branches, and scf.while, from the id of the thread in steps of
// the number of threads: all threads have as many iterations if the steps fill
// the range, and a barrier may stand there, as in scf.for
// (own-lower-bounds.mlir).
// RUN: memspace-opt %s -split-input-file -memspace-insert-barriers=chip=gfx942 -o %t
// RUN: FileCheck %s --input-file=%t
// RUN: memspace-opt %t -split-input-file -memspace-verify-barriers=chip=gfx942 -o /dev/null
// RUN: memspace-opt %t -split-input-file -convert-scf-to-cf \
// RUN:   -memspace-verify-barriers=chip=gfx942 -o /dev/null
// RUN: memspace-opt %s -split-input-file -convert-scf-to-cf \
// RUN:   -memspace-insert-barriers=chip=gfx942 -memspace-verify-barriers=chip=gfx942 -o /dev/null
// RUN: not memspace-opt %s -split-input-file -memspace-verify-barriers=chip=gfx942 \
// RUN:   -o /dev/null 2>&1 | FileCheck %s --check-prefix=RACE

!shared = memref<128xf32, #gpu.address_space<workgroup>>

// CHECK-LABEL: func.func @blocks
// CHECK: cf.cond_br
// CHECK: gpu.barrier
// CHECK: memref.store %{{.*}} #gpu.address_space<workgroup>>
// CHECK: gpu.barrier
// CHECK: memref.load %{{.*}} #gpu.address_space<workgroup>>
// CHECK-NOT: gpu.barrier
func.func @blocks(%in: memref<?xf32>, %out: memref<?xf32>, %blocks: index) attributes {
    gpu.kernel, gpu.known_block_size = array<i32: 128, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %c127 = arith.constant 127 : index
  %c128 = arith.constant 128 : index
  %tid = gpu.thread_id x
  %rev = arith.subi %c127, %tid : index
  %end = arith.muli %blocks, %c128 : index
  %a = memref.alloc() : !shared
  cf.br ^head(%tid : index)
^head(%i: index):
  %more = arith.cmpi slt, %i, %end : index
  cf.cond_br %more, ^body, ^exit
^body:
  %v = memref.load %in[%i] : memref<?xf32>
  // RACE: [[#@LINE+1]]:3: error: {{.*}}data race (RAW
  memref.store %v, %a[%tid] : !shared
  // RACE: [[#@LINE+1]]:8: error: {{.*}}data race (WAR, loop-carried)
  %w = memref.load %a[%rev] : !shared
  memref.store %w, %out[%i] : memref<?xf32>
  %next = arith.addi %i, %c128 : index
  cf.br ^head(%next : index)
^exit:
  return
}

// -----

!shared = memref<128xf32, #gpu.address_space<workgroup>>

// CHECK-LABEL: func.func @while
// CHECK: scf.while
// CHECK: gpu.barrier
// CHECK: memref.store %{{.*}} #gpu.address_space<workgroup>>
// CHECK: gpu.barrier
// CHECK: memref.load %{{.*}} #gpu.address_space<workgroup>>
// CHECK-NOT: gpu.barrier
func.func @while(%in: memref<?xf32>, %out: memref<?xf32>, %blocks: index) attributes {
    gpu.kernel, gpu.known_block_size = array<i32: 128, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %c127 = arith.constant 127 : index
  %c128 = arith.constant 128 : index
  %tid = gpu.thread_id x
  %rev = arith.subi %c127, %tid : index
  %end = arith.muli %blocks, %c128 : index
  %a = memref.alloc() : !shared
  scf.while (%i = %tid) : (index) -> (index) {
    %more = arith.cmpi slt, %i, %end : index
    scf.condition(%more) %i : index
  } do {
  ^bb0(%i: index):
    %v = memref.load %in[%i] : memref<?xf32>
    memref.store %v, %a[%tid] : !shared
    %w = memref.load %a[%rev] : !shared
    memref.store %w, %out[%i] : memref<?xf32>
    %next = arith.addi %i, %c128 : index
    scf.yield %next : index
  }
  return
}

// -----

// The comparison comes behind the first iteration.

!shared = memref<128xf32, #gpu.address_space<workgroup>>

// CHECK-LABEL: func.func @do_while
// CHECK: scf.while
// CHECK: memref.store %{{.*}} #gpu.address_space<workgroup>>
// CHECK: gpu.barrier
// CHECK: memref.load %{{.*}} #gpu.address_space<workgroup>>
// CHECK: do
// CHECK: gpu.barrier
// CHECK: scf.yield
// CHECK-NOT: gpu.barrier
func.func @do_while(%in: memref<?xf32>, %out: memref<?xf32>, %blocks: index) attributes {
    gpu.kernel, gpu.known_block_size = array<i32: 128, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %c127 = arith.constant 127 : index
  %c128 = arith.constant 128 : index
  %tid = gpu.thread_id x
  %rev = arith.subi %c127, %tid : index
  %end = arith.muli %blocks, %c128 : index
  %a = memref.alloc() : !shared
  scf.while (%i = %tid) : (index) -> (index) {
    %v = memref.load %in[%i] : memref<?xf32>
    memref.store %v, %a[%tid] : !shared
    %w = memref.load %a[%rev] : !shared
    memref.store %w, %out[%i] : memref<?xf32>
    %next = arith.addi %i, %c128 : index
    %more = arith.cmpi slt, %next, %end : index
    scf.condition(%more) %next : index
  } do {
  ^bb0(%i: index):
    scf.yield %i : index
  }
  return
}

// -----

// A switch says which number it is: the branches of two numbers are not taken
// in one iteration, and that of a third in none.

!shared = memref<128xf32, #gpu.address_space<workgroup>>

// CHECK-LABEL: func.func @numbers
// CHECK: cf.switch
// CHECK-NOT: gpu.barrier
// CHECK: return
func.func @numbers(%out: memref<128xf32>) attributes {
    gpu.kernel, gpu.known_block_size = array<i32: 128, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c127 = arith.constant 127 : index
  %zero = arith.constant 0.0 : f32
  %tid = gpu.thread_id x
  %rev = arith.subi %c127, %tid : index
  %a = memref.alloc() : !shared
  memref.store %zero, %a[%tid] : !shared
  cf.br ^head(%c0 : index)
^head(%i: index):
  %more = arith.cmpi slt, %i, %c2 : index
  cf.cond_br %more, ^body, ^exit
^body:
  %flag = arith.index_cast %i : index to i32
  cf.switch %flag : i32, [
    default: ^latch,
    0: ^own,
    6: ^others
  ]
^own:
  %v = memref.load %a[%tid] : !shared
  memref.store %v, %out[%tid] : memref<128xf32>
  cf.br ^latch
^others:
  memref.store %zero, %a[%rev] : !shared
  cf.br ^latch
^latch:
  %next = arith.addi %i, %c1 : index
  cf.br ^head(%next : index)
^exit:
  return
}
