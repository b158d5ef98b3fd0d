// What converted-loops.mlir accepts, but for one thing that makes it a race, is
// refused as loops and as blocks.
// RUN: not memspace-opt %s -memspace-verify-barriers=chip=sm_90 -o /dev/null 2>&1 | FileCheck %s
// RUN: not memspace-opt %s -convert-scf-to-cf -memspace-verify-barriers=chip=sm_90 -o /dev/null 2>&1 | FileCheck %s

// The emulator sees the races that were verified once.
// RUN: not memspace-runner %s --chip=sm_90 --kernel=peeled --arg=0:fill:1 --orders=3 --verbose 2>&1 | FileCheck %s --check-prefix=RACE
// RUN: not memspace-runner %s --chip=sm_90 --kernel=peeled_front --arg=0:fill:1 --orders=3 --verbose 2>&1 | FileCheck %s --check-prefix=RACE
// RUN: not memspace-runner %s --chip=sm_90 --kernel=peeled_behind_while --arg=0:fill:1 --orders=3 --verbose 2>&1 | FileCheck %s --check-prefix=RACE
// RUN: not memspace-runner %s --chip=sm_90 --kernel=two_cases --arg=0:fill:1 --orders=3 --verbose 2>&1 | FileCheck %s --check-prefix=RACE
// RACE: races: 1,

#wg = #gpu.address_space<workgroup>

// The promise is of one execution of the forall, and here each iteration of a
// loop around has one.
func.func @promised_in_one_execution(%v: i32, %n: index) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %tid = gpu.thread_id x upper_bound 64
  %tile = memref.alloc() : memref<4096xi32, #wg>
  %square = arith.muli %tid, %tid : index
  scf.for %i = %c0 to %n step %c1 {
    %place = arith.xori %square, %i : index
    // CHECK: :[[#@LINE+1]]:5: error: possible data race (WAW, loop-carried
    memref.store %v, %tile[%place] {memspace.disjoint = array<i64: 0>} : memref<4096xi32, #wg>
  }
  return
}

// From the second iteration on both are one tile.
func.func @same_after_one(%v: f32) attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %c16 = arith.constant 16 : index
  %c512 = arith.constant 512 : index
  %tid = gpu.thread_id x upper_bound 128
  %begin = affine.apply affine_map<()[s0] -> ((s0 floordiv 32) * 128)>()[%tid]
  %lane = affine.apply affine_map<()[s0] -> (s0 mod 32)>()[%tid]
  %bytes = memref.alloc() : memref<1024xi8, #wg>
  %left = memref.view %bytes[%c0][] : memref<1024xi8, #wg> to memref<512xi8, #wg>
  %a = memref.view %left[%begin][] : memref<512xi8, #wg> to memref<32xf32, #wg>
  %right = memref.view %bytes[%c512][] : memref<1024xi8, #wg> to memref<512xi8, #wg>
  %b = memref.view %right[%begin][] : memref<512xi8, #wg> to memref<32xf32, #wg>
  memref.store %v, %a[%lane] : memref<32xf32, #wg>
  %r:2 = scf.for %i = %c0 to %c5 step %c1 iter_args(%x = %a, %y = %b) -> (memref<32xf32, #wg>, memref<32xf32, #wg>) {
    %distance = arith.shrui %c16, %i : index
    %other = arith.xori %lane, %distance : index
    memspace.subgroup_barrier
    // CHECK: :[[#@LINE+1]]:10: error: possible data race (WAR, inside a subgroup)
    %q = memref.load %x[%other] : memref<32xf32, #wg>
    memref.store %q, %y[%lane] : memref<32xf32, #wg>
    scf.yield %y, %y : memref<32xf32, #wg>, memref<32xf32, #wg>
  }
  return
}

// What one iteration has stored the next one reads.
func.func @next_iteration(%v: f32) attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %c16 = arith.constant 16 : index
  %c512 = arith.constant 512 : index
  %tid = gpu.thread_id x upper_bound 128
  %begin = affine.apply affine_map<()[s0] -> ((s0 floordiv 32) * 128)>()[%tid]
  %lane = affine.apply affine_map<()[s0] -> (s0 mod 32)>()[%tid]
  %bytes = memref.alloc() : memref<1024xi8, #wg>
  %left = memref.view %bytes[%c0][] : memref<1024xi8, #wg> to memref<512xi8, #wg>
  %a = memref.view %left[%begin][] : memref<512xi8, #wg> to memref<32xf32, #wg>
  %right = memref.view %bytes[%c512][] : memref<1024xi8, #wg> to memref<512xi8, #wg>
  %b = memref.view %right[%begin][] : memref<512xi8, #wg> to memref<32xf32, #wg>
  memref.store %v, %a[%lane] : memref<32xf32, #wg>
  memspace.subgroup_barrier
  %r:2 = scf.for %i = %c0 to %c5 step %c1 iter_args(%x = %a, %y = %b) -> (memref<32xf32, #wg>, memref<32xf32, #wg>) {
    %distance = arith.shrui %c16, %i : index
    %other = arith.xori %lane, %distance : index
    %q = memref.load %x[%other] : memref<32xf32, #wg>
    // CHECK: :[[#@LINE+1]]:5: error: possible data race (RAW, loop-carried, inside a subgroup)
    memref.store %q, %y[%lane] : memref<32xf32, #wg>
    scf.yield %y, %x : memref<32xf32, #wg>, memref<32xf32, #wg>
  }
  return
}

// Threads come to the loop from both sides, each with a place of its own.
func.func @from_both_sides(%v: i32) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c32 = arith.constant 32 : index
  %tid = gpu.thread_id x upper_bound 64
  %tile = memref.alloc() : memref<66xi32, #wg>
  %low = arith.cmpi slt, %tid, %c32 : index
  %begin = scf.if %low -> (index) {
    scf.yield %c0 : index
  } else {
    scf.yield %c2 : index
  }
  scf.for %i = %c0 to %c2 step %c1 {
    %far = arith.addi %begin, %i : index
    %place = arith.addi %tid, %far : index
    // CHECK: :[[#@LINE+1]]:5: error: {{(possible )?}}data race (WAW
    memref.store %v, %tile[%place] : memref<66xi32, #wg>
  }
  return
}

// The last iteration of a loop around the forall has been peeled: its copy is
// another execution, of which the promise says nothing.
func.func @peeled(%v: i32) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c6 = arith.constant 6 : index
  %tid = gpu.thread_id x upper_bound 64
  %tile = memref.alloc() : memref<64xi32, #wg>
  scf.for %k = %c0 to %c6 step %c2 {
    %place = affine.apply affine_map<(d0)[s0] -> ((s0 + d0) mod 64)>(%k)[%tid]
    gpu.barrier
    // CHECK: :[[#@LINE+1]]:5: error: {{(possible )?}}data race (WAW
    memref.store %v, %tile[%place] {memspace.disjoint = array<i64: 4>} : memref<64xi32, #wg>
  }
  %last = affine.apply affine_map<()[s0] -> ((s0 + 6) mod 64)>()[%tid]
  memref.store %v, %tile[%last] {memspace.disjoint = array<i64: 4>} : memref<64xi32, #wg>
  return
}

// The same of the first iteration, from which one comes to the loop without
// going back.
func.func @peeled_front(%v: i32) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %tid = gpu.thread_id x upper_bound 64
  %tile = memref.alloc() : memref<64xi32, #wg>
  // CHECK: :[[#@LINE+1]]:3: error: {{(possible )?}}data race (WAW
  memref.store %v, %tile[%tid] {memspace.disjoint = array<i64: 4>} : memref<64xi32, #wg>
  scf.for %k = %c1 to %c4 step %c1 {
    %place = affine.apply affine_map<(d0)[s0] -> ((s0 + d0) mod 64)>(%k)[%tid]
    memref.store %v, %tile[%place] {memspace.disjoint = array<i64: 4>} : memref<64xi32, #wg>
    gpu.barrier
  }
  return
}

// And of the last one of a loop that ends where its body ends.
func.func @peeled_behind_while(%v: i32) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %tid = gpu.thread_id x upper_bound 64
  %tile = memref.alloc() : memref<64xi32, #wg>
  %r = scf.while (%k = %c0) : (index) -> index {
    %place = affine.apply affine_map<(d0)[s0] -> ((s0 + d0) mod 64)>(%k)[%tid]
    gpu.barrier
    // CHECK: :[[#@LINE+1]]:5: error: {{(possible )?}}data race (WAW
    memref.store %v, %tile[%place] {memspace.disjoint = array<i64: 4>} : memref<64xi32, #wg>
    %k1 = arith.addi %k, %c1 : index
    %more = arith.cmpi slt, %k1, %c3 : index
    scf.condition(%more) %k1 : index
  } do {
  ^bb0(%k1: index):
    scf.yield %k1 : index
  }
  %last = affine.apply affine_map<()[s0] -> ((s0 + 3) mod 64)>()[%tid]
  memref.store %v, %tile[%last] {memspace.disjoint = array<i64: 4>} : memref<64xi32, #wg>
  return
}

// One block, to which threads come from two cases.
func.func @two_cases(%v: i32) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %tid = gpu.thread_id x upper_bound 64
  %tile = memref.alloc() : memref<65xi32, #wg>
  %kind = arith.remui %tid, %c3 : index
  %flag = arith.index_cast %kind : index to i32
  cf.switch %flag : i32, [
    default: ^other,
    0: ^store(%c1 : index),
    1: ^store(%c0 : index)
  ]
^store(%by: index):
  %place = arith.addi %tid, %by : index
  // CHECK: :[[#@LINE+1]]:3: error: {{(possible )?}}data race (WAW
  memref.store %v, %tile[%place] : memref<65xi32, #wg>
  cf.br ^end
^other:
  cf.br ^end
^end:
  return
}
