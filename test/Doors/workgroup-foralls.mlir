// RUN: memspace-test-opt %s -memspace-insert-barriers=subgroup-size=32 -split-input-file | FileCheck %s --check-prefix=INSERT
// RUN: memspace-test-opt %s -memspace-insert-barriers=subgroup-size=32 -memspace-verify-barriers=subgroup-size=32 -split-input-file -o /dev/null
// RUN: memspace-test-opt %s -memspace-eliminate-barriers=subgroup-size=32 -split-input-file | FileCheck %s --check-prefix=ELIMINATE
// RUN: memspace-test-opt %s -memspace-pack-workgroup-memory=subgroup-size=32 -memspace-insert-barriers=subgroup-size=32 -memspace-verify-barriers=subgroup-size=32 -memspace-check-budget=chip=gfx942 -split-input-file | FileCheck %s --check-prefix=PACK

// A forall of workgroups that stays on memrefs, by a mapping of another dialect: all
// threads of a workgroup run its iteration together.

// One iteration a workgroup: a barrier inside, and none at the end of it. Of the two
// that are there one goes.

// INSERT-LABEL: @once
// INSERT: scf.forall
// INSERT: memref.store
// INSERT-NEXT: gpu.barrier{{.*}}
// INSERT-NEXT: gpu.barrier{{.*}}
// INSERT-NEXT: memref.load
// INSERT-NOT: gpu.barrier
// ELIMINATE-LABEL: @once
// ELIMINATE: memref.store
// ELIMINATE-NEXT: gpu.barrier{{.*}}
// ELIMINATE-NEXT: memref.load
// ELIMINATE-NOT: gpu.barrier
// PACK-LABEL: @once
// PACK-SAME: memspace.workgroup_bytes = 512
// PACK: memref.alloc() {{.*}}memspace.arena
// PACK: scf.forall
// PACK: memref.view
#wg = #gpu.address_space<workgroup>
func.func @once(%x: memref<512xf32>, %y: memref<512xf32>) attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
  %c127 = arith.constant 127 : index
  %t = gpu.thread_id x
  %r = arith.subi %c127, %t : index
  scf.forall (%b) = (0) to (512) step (128) {
    %m = memref.alloc() : memref<128xf32, #wg>
    %i = arith.addi %b, %t : index
    %v = memref.load %x[%i] : memref<512xf32>
    memref.store %v, %m[%t] : memref<128xf32, #wg>
    gpu.barrier
    gpu.barrier
    %w = memref.load %m[%r] : memref<128xf32, #wg>
    memref.store %w, %y[%i] : memref<512xf32>
  } {mapping = [#door.group<0>]}
  return
}

// -----

// The same where the grid is known, and large enough.

// INSERT-LABEL: @once_on_grid
// INSERT: memref.store
// INSERT-NEXT: gpu.barrier{{.*}}
// INSERT-NEXT: memref.load
// INSERT-NOT: gpu.barrier
// ELIMINATE-LABEL: @once_on_grid
// PACK-LABEL: @once_on_grid
#wg = #gpu.address_space<workgroup>
func.func @once_on_grid(%x: memref<512xf32>, %y: memref<512xf32>) attributes {gpu.known_block_size = array<i32: 128, 1, 1>, gpu.known_grid_size = array<i32: 4, 1, 1>} {
  %c127 = arith.constant 127 : index
  %t = gpu.thread_id x
  %r = arith.subi %c127, %t : index
  %m = memref.alloc() : memref<128xf32, #wg>
  scf.forall (%b) = (0) to (512) step (128) {
    %i = arith.addi %b, %t : index
    %v = memref.load %x[%i] : memref<512xf32>
    memref.store %v, %m[%t] : memref<128xf32, #wg>
    %w = memref.load %m[%r] : memref<128xf32, #wg>
    memref.store %w, %y[%i] : memref<512xf32>
  } {mapping = [#gpu.block<x>]}
  return
}

// -----

// Two workgroups have four iterations, one after the other: what one has read the next
// overwrites.

// INSERT-LABEL: @twice
// INSERT: scf.forall
// INSERT: gpu.barrier{{.*}}
// INSERT: memref.store
// INSERT-NEXT: gpu.barrier{{.*}}
// INSERT-NEXT: memref.load
// ELIMINATE-LABEL: @twice
// PACK-LABEL: @twice
#wg = #gpu.address_space<workgroup>
func.func @twice(%x: memref<512xf32>, %y: memref<512xf32>) attributes {gpu.known_block_size = array<i32: 128, 1, 1>, gpu.known_grid_size = array<i32: 2, 1, 1>} {
  %c127 = arith.constant 127 : index
  %t = gpu.thread_id x
  %r = arith.subi %c127, %t : index
  %m = memref.alloc() : memref<128xf32, #wg>
  scf.forall (%b) = (0) to (512) step (128) {
    %i = arith.addi %b, %t : index
    %v = memref.load %x[%i] : memref<512xf32>
    memref.store %v, %m[%t] : memref<128xf32, #wg>
    %w = memref.load %m[%r] : memref<128xf32, #wg>
    memref.store %w, %y[%i] : memref<512xf32>
  } {mapping = [#gpu.block<x>]}
  return
}

// -----

// A table that every iteration reads is live to the end of the last: what an iteration
// writes behind its read lies elsewhere. Alone in its workgroup, both are in one place.

// INSERT-LABEL: @table
// ELIMINATE-LABEL: @table
// PACK-LABEL: @table
// PACK-SAME: memspace.workgroup_bytes = 1024
#wg = #gpu.address_space<workgroup>
func.func @table(%x: memref<512xf32>, %y: memref<512xf32>) attributes {gpu.known_block_size = array<i32: 128, 1, 1>, gpu.known_grid_size = array<i32: 2, 1, 1>} {
  %c127 = arith.constant 127 : index
  %t = gpu.thread_id x
  %r = arith.subi %c127, %t : index
  %m = memref.alloc() : memref<128xf32, #wg>
  %n = memref.alloc() : memref<128xf32, #wg>
  %v = memref.load %x[%t] : memref<512xf32>
  memref.store %v, %m[%t] : memref<128xf32, #wg>
  scf.forall (%b) = (0) to (512) step (128) {
    %i = arith.addi %b, %t : index
    %w = memref.load %m[%r] : memref<128xf32, #wg>
    memref.store %w, %n[%t] : memref<128xf32, #wg>
    %u = memref.load %n[%r] : memref<128xf32, #wg>
    memref.store %u, %y[%i] : memref<512xf32>
  } {mapping = [#gpu.block<x>]}
  return
}

// INSERT-LABEL: @table_once
// ELIMINATE-LABEL: @table_once
// PACK-LABEL: @table_once
// PACK-SAME: memspace.peak_live_bytes = 512
func.func @table_once(%x: memref<512xf32>, %y: memref<512xf32>) attributes {gpu.known_block_size = array<i32: 128, 1, 1>, gpu.known_grid_size = array<i32: 4, 1, 1>} {
  %c127 = arith.constant 127 : index
  %t = gpu.thread_id x
  %r = arith.subi %c127, %t : index
  %m = memref.alloc() : memref<128xf32, #wg>
  %n = memref.alloc() : memref<128xf32, #wg>
  %v = memref.load %x[%t] : memref<512xf32>
  memref.store %v, %m[%t] : memref<128xf32, #wg>
  scf.forall (%b) = (0) to (512) step (128) {
    %i = arith.addi %b, %t : index
    %w = memref.load %m[%r] : memref<128xf32, #wg>
    memref.store %w, %n[%t] : memref<128xf32, #wg>
    %u = memref.load %n[%r] : memref<128xf32, #wg>
    memref.store %u, %y[%i] : memref<512xf32>
  } {mapping = [#gpu.block<x>]}
  return
}

// -----

// A workgroup beyond the iterations runs none of them: no barrier in there is on every
// way from what is before to what is behind it.

// INSERT-LABEL: @perhaps_none
// INSERT: scf.forall
// INSERT: gpu.barrier {test.inside}
// INSERT: }
// INSERT: gpu.barrier{{.*}}
// INSERT-NEXT: memref.load
// ELIMINATE-LABEL: @perhaps_none
// PACK-LABEL: @perhaps_none
#wg = #gpu.address_space<workgroup>
func.func @perhaps_none(%y: memref<512xf32>, %f: f32) attributes {gpu.known_block_size = array<i32: 128, 1, 1>, gpu.known_grid_size = array<i32: 4, 1, 1>} {
  %c127 = arith.constant 127 : index
  %t = gpu.thread_id x
  %r = arith.subi %c127, %t : index
  %m = memref.alloc() : memref<128xf32, #wg>
  memref.store %f, %m[%t] : memref<128xf32, #wg>
  scf.forall (%b) in (3) {
    gpu.barrier {test.inside}
  } {mapping = [#gpu.block<x>]}
  %u = memref.load %m[%r] : memref<128xf32, #wg>
  %c0 = arith.constant 0 : index
  %id = gpu.block_id x
  %c128 = arith.constant 128 : index
  %first = arith.muli %id, %c128 : index
  %i = arith.addi %first, %t : index
  memref.store %u, %y[%i] : memref<512xf32>
  return
}

// -----

// What the iteration writes is live behind the forall: the store stays, and the other
// buffer lies elsewhere. (The end of the body led nowhere.)

// INSERT-LABEL: @to_the_next
// ELIMINATE-LABEL: @to_the_next
// PACK-LABEL: @to_the_next
// PACK-SAME: memspace.workgroup_bytes = 1024
// PACK: scf.forall
// PACK: memref.store
// PACK: }
// PACK: memref.store
// PACK: gpu.barrier
#wg = #gpu.address_space<workgroup>
func.func @to_the_next(%x: memref<512xf32>, %y: memref<512xf32>, %z: memref<512xf32>) attributes {gpu.known_block_size = array<i32: 128, 1, 1>, gpu.known_grid_size = array<i32: 4, 1, 1>} {
  %c127 = arith.constant 127 : index
  %t = gpu.thread_id x
  %r = arith.subi %c127, %t : index
  %m = memref.alloc() : memref<128xf32, #wg>
  %n = memref.alloc() : memref<128xf32, #wg>
  %f = memref.load %x[%t] : memref<512xf32>
  scf.forall (%b) = (0) to (512) step (128) {
    %i = arith.addi %b, %t : index
    %v = memref.load %x[%i] : memref<512xf32>
    memref.store %v, %m[%t] : memref<128xf32, #wg>
  } {mapping = [#gpu.block<x>]}
  memref.store %f, %n[%t] : memref<128xf32, #wg>
  scf.forall (%b) = (0) to (512) step (128) {
    %i = arith.addi %b, %t : index
    %v = memref.load %m[%r] : memref<128xf32, #wg>
    %w = memref.load %n[%r] : memref<128xf32, #wg>
    %s = arith.addf %v, %w : f32
    memref.store %s, %y[%i] : memref<512xf32>
  } {mapping = [#gpu.block<x>]}
  return
}
