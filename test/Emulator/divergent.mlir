// RUN: split-file %s %t
// RUN: memspace-runner %t/then-only.mlir 2>&1 | FileCheck %s --check-prefix=CLEAN
// RUN: %broken bad %t/then-only.mlir %t/then-only-bad.mlir
// RUN: not memspace-runner %t/then-only-bad.mlir 2>&1 | FileCheck %t/then-only.mlir
// RUN: memspace-runner %t/then-else.mlir 2>&1 | FileCheck %s --check-prefix=CLEAN
// RUN: %broken bad %t/then-else.mlir %t/then-else-bad.mlir
// RUN: not memspace-runner %t/then-else-bad.mlir 2>&1 | FileCheck %t/then-else.mlir
// RUN: memspace-runner %t/barrier-after.mlir 2>&1 | FileCheck %s --check-prefix=CLEAN
// RUN: %broken bad %t/barrier-after.mlir %t/barrier-after-bad.mlir
// RUN: not memspace-runner %t/barrier-after-bad.mlir 2>&1 | FileCheck %t/barrier-after.mlir
// RUN: memspace-runner %t/loaded-condition.mlir --arg=0:fill:1 2>&1 | FileCheck %s --check-prefix=CLEAN
// RUN: not memspace-runner %t/loaded-condition.mlir --arg=0:iota 2>&1 | FileCheck %t/loaded-condition.mlir
// RUN: memspace-runner %t/trip-count.mlir 2>&1 | FileCheck %s --check-prefix=CLEAN
// RUN: %broken bad %t/trip-count.mlir %t/trip-count-bad.mlir
// RUN: not memspace-runner %t/trip-count-bad.mlir 2>&1 | FileCheck %t/trip-count.mlir
// RUN: memspace-runner %t/lower-bound.mlir 2>&1 | FileCheck %s --check-prefix=CLEAN
// RUN: memspace-runner %t/skipped-iteration.mlir 2>&1 | FileCheck %s --check-prefix=CLEAN
// RUN: %broken bad %t/skipped-iteration.mlir %t/skipped-iteration-bad.mlir
// RUN: not memspace-runner %t/skipped-iteration-bad.mlir 2>&1 | FileCheck %t/skipped-iteration.mlir
// RUN: memspace-runner %t/nested-loops.mlir 2>&1 | FileCheck %s --check-prefix=CLEAN
// RUN: %broken bad %t/nested-loops.mlir %t/nested-loops-bad.mlir
// RUN: not memspace-runner %t/nested-loops-bad.mlir 2>&1 | FileCheck %t/nested-loops.mlir
// RUN: memspace-runner %t/early-return.mlir 2>&1 | FileCheck %s --check-prefix=CLEAN
// RUN: %broken bad %t/early-return.mlir %t/early-return-bad.mlir
// RUN: not memspace-runner %t/early-return-bad.mlir 2>&1 | FileCheck %t/early-return.mlir
// RUN: memspace-runner %t/cf-loop.mlir 2>&1 | FileCheck %s --check-prefix=CLEAN
// RUN: %broken bad %t/cf-loop.mlir %t/cf-loop-bad.mlir
// RUN: not memspace-runner %t/cf-loop-bad.mlir 2>&1 | FileCheck %t/cf-loop.mlir
// RUN: memspace-runner %t/while.mlir --arg=0:fill:3 2>&1 | FileCheck %s --check-prefix=CLEAN
// RUN: not memspace-runner %t/while.mlir --arg=0:iota 2>&1 | FileCheck %t/while.mlir
// RUN: memspace-runner %t/index-switch.mlir --arg=0:fill:1 2>&1 | FileCheck %s --check-prefix=CLEAN
// RUN: not memspace-runner %t/index-switch.mlir --arg=0:iota 2>&1 | FileCheck %t/index-switch.mlir
// RUN: memspace-runner %t/shuffle-half.mlir --arg=0:iota 2>&1 | FileCheck %s --check-prefix=CLEAN
// RUN: %broken bad %t/shuffle-half.mlir %t/shuffle-half-bad.mlir
// RUN: not memspace-runner %t/shuffle-half-bad.mlir --arg=0:iota 2>&1 | FileCheck %t/shuffle-half.mlir
// RUN: memspace-runner %t/subgroup-barrier-half.mlir 2>&1 | FileCheck %s --check-prefix=CLEAN
// RUN: %broken bad %t/subgroup-barrier-half.mlir %t/subgroup-barrier-half-bad.mlir
// RUN: not memspace-runner %t/subgroup-barrier-half-bad.mlir 2>&1 | FileCheck %t/subgroup-barrier-half.mlir
// RUN: memspace-runner %t/subgroup-against-workgroup.mlir 2>&1 | FileCheck %s --check-prefix=CLEAN
// RUN: %broken bad %t/subgroup-against-workgroup.mlir %t/subgroup-against-workgroup-bad.mlir
// RUN: not memspace-runner %t/subgroup-against-workgroup-bad.mlir 2>&1 | FileCheck %t/subgroup-against-workgroup.mlir
// RUN: not memspace-runner %t/whole-subgroup-only.mlir 2>&1 | FileCheck %t/whole-subgroup-only.mlir
// RUN: not memspace-runner %t/one-workgroup.mlir --grid=3 2>&1 | FileCheck %t/one-workgroup.mlir
// RUN: memspace-runner %t/one-workgroup.mlir --grid=1 2>&1 | FileCheck %s --check-prefix=CLEAN
// RUN: not memspace-runner %t/gpu-func.mlir 2>&1 | FileCheck %t/gpu-func.mlir
// RUN: %broken good %t/gpu-func.mlir %t/gpu-func-good.mlir
// RUN: memspace-runner %t/gpu-func-good.mlir 2>&1 | FileCheck %s --check-prefix=CLEAN

// CLEAN-NOT: {{error|warning}}:
// CLEAN: {{^}}races: 0, divergent barriers: 0, out of bounds: 0, uninitialized reads: 0{{$}}

// Barriers and subgroup ops that not all threads reach, case H12. Each kernel is
// right as written; its broken twin makes the condition depend on the thread.

//--- then-only.mlir
// The else path goes to the end of the kernel.
// CHECK: .mlir:[[#@LINE+9]]:{{[0-9]+}}: error: divergent barrier: thread (0, 0, 0) waits here, but thread (16, 0, 0) has returned
// CHECK: {{^}}races: 0, divergent barriers: 1, out of bounds: 0, uninitialized reads: 0{{$}}
func.func @k() attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %c16 = arith.constant 16 : index
  %t = gpu.thread_id x
  %b = gpu.block_dim x
  %cond = arith.cmpi uge, %b, %c16 : index // not bad
  //bad: %cond = arith.cmpi ult, %t, %c16 : index
  scf.if %cond {
    gpu.barrier
  }
  return
}

//--- then-else.mlir
// Two barriers, one in each branch, are not one.
// CHECK: .mlir:[[#@LINE+10]]:{{[0-9]+}}: error: divergent barrier: thread (0, 0, 0) waits here, but thread (16, 0, 0) waits at another barrier
// CHECK: .mlir:[[#@LINE+11]]:{{[0-9]+}}: note:
// CHECK: {{^}}races: 0, divergent barriers: 1, out of bounds: 0, uninitialized reads: 0{{$}}
func.func @k() attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %c16 = arith.constant 16 : index
  %t = gpu.thread_id x
  %b = gpu.block_dim x
  %cond = arith.cmpi uge, %b, %c16 : index // not bad
  //bad: %cond = arith.cmpi ult, %t, %c16 : index
  scf.if %cond {
    gpu.barrier
  } else {
    gpu.barrier
  }
  return
}

//--- barrier-after.mlir
// The threads that skip the first barrier wait at the second.
// CHECK: .mlir:[[#@LINE+10]]:{{[0-9]+}}: error: divergent barrier: thread (0, 0, 0) waits here, but thread (16, 0, 0) waits at another barrier
// CHECK: .mlir:[[#@LINE+11]]:{{[0-9]+}}: note:
// CHECK: {{^}}races: 0, divergent barriers: 1, out of bounds: 0, uninitialized reads: 0{{$}}
func.func @k() attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %c16 = arith.constant 16 : index
  %t = gpu.thread_id x
  %b = gpu.block_dim x
  %cond = arith.cmpi uge, %b, %c16 : index // not bad
  //bad: %cond = arith.cmpi ult, %t, %c16 : index
  scf.if %cond {
    gpu.barrier
  }
  gpu.barrier
  return
}

//--- loaded-condition.mlir
// Nothing in the text says that the loaded value differs between threads.
// CHECK: .mlir:[[#@LINE+8]]:{{[0-9]+}}: error: divergent barrier: thread ({{[0-9]+}}, 0, 0) waits here, but thread ({{[0-9]+}}, 0, 0) has returned
// CHECK: {{^}}races: 0, divergent barriers: 1, out of bounds: 0, uninitialized reads: 0{{$}}
func.func @k(%x: memref<64xi32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %one = arith.constant 1 : i32
  %t = gpu.thread_id x
  %v = memref.load %x[%t] : memref<64xi32>
  %cond = arith.cmpi eq, %v, %one : i32
  scf.if %cond {
    gpu.barrier
  }
  return
}

//--- trip-count.mlir
// A loop whose trip count depends on the thread: 4 for thread 0, 5 for the rest.
// CHECK: .mlir:[[#@LINE+11]]:{{[0-9]+}}: error: divergent barrier: thread (1, 0, 0) waits here, but thread (0, 0, 0) has returned
// CHECK: {{^}}races: 0, divergent barriers: 1, out of bounds: 0, uninitialized reads: 0{{$}}
func.func @k() attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %t = gpu.thread_id x
  %more = arith.minui %t, %c1 : index
  %n = arith.addi %c4, %c1 : index // not bad
  //bad: %n = arith.addi %c4, %more : index
  scf.for %i = %c0 to %n step %c1 {
    gpu.barrier
  }
  return
}

//--- lower-bound.mlir
// As many iterations, counted 0 to 3 by one thread and 1 to 4 by others: every
// barrier is met by all threads, in their first, second... iteration.
func.func @k() attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %t = gpu.thread_id x
  %low = arith.minui %t, %c1 : index
  %high = arith.addi %low, %c4 : index
  scf.for %i = %low to %high step %c1 {
    gpu.barrier
  }
  return
}

//--- skipped-iteration.mlir
// Thread 0 skips the barrier of iteration 1: the others wait there, it waits in
// iteration 2.
// CHECK: .mlir:[[#@LINE+13]]:{{[0-9]+}}: error: divergent barrier: thread ({{[0-9]+}}, 0, 0) waits here, but thread ({{[0-9]+}}, 0, 0) waits in another iteration of a loop
// CHECK: {{^}}races: 0, divergent barriers: 1, out of bounds: 0, uninitialized reads: 0{{$}}
func.func @k() attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %t = gpu.thread_id x
  scf.for %i = %c0 to %c4 step %c1 {
    %i1 = arith.cmpi ne, %i, %c1 : index
    %t0 = arith.cmpi ne, %t, %c0 : index
    %cond = arith.ori %i1, %i1 : i1 // not bad
    //bad: %cond = arith.ori %i1, %t0 : i1
    scf.if %cond {
      gpu.barrier
    }
  }
  return
}

//--- nested-loops.mlir
// Each thread comes to the barrier twice, but threads below 16 in two
// iterations of the outer loop and the others in two of the inner one.
// CHECK: .mlir:[[#@LINE+15]]:{{[0-9]+}}: error: divergent barrier: thread ({{[0-9]+}}, 0, 0) waits here, but thread ({{[0-9]+}}, 0, 0) waits in another iteration of a loop
// CHECK: {{^}}races: 0, divergent barriers: 1, out of bounds: 0, uninitialized reads: 0{{$}}
func.func @k() attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c16 = arith.constant 16 : index
  %t = gpu.thread_id x
  %low = arith.cmpi ult, %t, %c16 : index
  %outer = arith.select %low, %c2, %c2 : index // not bad
  %inner = arith.select %low, %c1, %c1 : index // not bad
  //bad: %outer = arith.select %low, %c2, %c1 : index
  //bad: %inner = arith.select %low, %c1, %c2 : index
  scf.for %i = %c0 to %outer step %c1 {
    scf.for %j = %c0 to %inner step %c1 {
      gpu.barrier
    }
  }
  return
}

//--- early-return.mlir
// A guard at the start, as cf branches: the threads beyond return.
// CHECK: .mlir:[[#@LINE+10]]:{{[0-9]+}}: error: divergent barrier: thread (0, 0, 0) waits here, but thread (60, 0, 0) has returned
// CHECK: {{^}}races: 0, divergent barriers: 1, out of bounds: 0, uninitialized reads: 0{{$}}
func.func @k() attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %c60 = arith.constant 60 : index
  %c64 = arith.constant 64 : index
  %t = gpu.thread_id x
  %beyond = arith.cmpi uge, %t, %c64 : index // not bad
  //bad: %beyond = arith.cmpi uge, %t, %c60 : index
  cf.cond_br %beyond, ^exit, ^work
^work:
  gpu.barrier
  cf.br ^exit
^exit:
  return
}

//--- cf-loop.mlir
// A loop of cf branches, left one iteration earlier by thread 63.
// CHECK: .mlir:[[#@LINE+16]]:{{[0-9]+}}: error: divergent barrier: thread (0, 0, 0) waits here, but thread (63, 0, 0) has returned
// CHECK: {{^}}races: 0, divergent barriers: 1, out of bounds: 0, uninitialized reads: 0{{$}}
func.func @k() attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c63 = arith.constant 63 : index
  %t = gpu.thread_id x
  %last = arith.divui %t, %c63 : index
  %n = arith.addi %c3, %c0 : index // not bad
  //bad: %n = arith.subi %c3, %last : index
  cf.br ^head(%c0 : index)
^head(%i: index):
  %more = arith.cmpi ult, %i, %n : index
  cf.cond_br %more, ^body, ^exit
^body:
  gpu.barrier
  %j = arith.addi %i, %c1 : index
  cf.br ^head(%j : index)
^exit:
  return
}

//--- while.mlir
// scf.while as long as each thread's own number says.
// CHECK: .mlir:[[#@LINE+12]]:{{[0-9]+}}: error: divergent barrier: thread ({{[0-9]+}}, 0, 0) waits here, but thread (0, 0, 0) has returned
// CHECK: {{^}}races: 0, divergent barriers: 1, out of bounds: 0, uninitialized reads: 0{{$}}
func.func @k(%x: memref<64xindex>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %t = gpu.thread_id x
  %n = memref.load %x[%t] : memref<64xindex>
  %e = scf.while (%i = %n) : (index) -> index {
    %more = arith.cmpi ugt, %i, %c0 : index
    scf.condition(%more) %i : index
  } do {
  ^bb0(%i: index):
    gpu.barrier
    %j = arith.subi %i, %c1 : index
    scf.yield %j : index
  }
  return
}

//--- index-switch.mlir
// CHECK: .mlir:[[#@LINE+7]]:{{[0-9]+}}: error: divergent barrier: thread ({{[0-9]+}}, 0, 0) waits here, but thread ({{[0-9]+}}, 0, 0) {{waits at another barrier|has returned}}
// CHECK: {{^}}races: 0, divergent barriers: 1, out of bounds: 0, uninitialized reads: 0{{$}}
func.func @k(%x: memref<2xindex>) attributes {gpu.known_block_size = array<i32: 2, 1, 1>} {
  %t = gpu.thread_id x
  %n = memref.load %x[%t] : memref<2xindex>
  scf.index_switch %n
  case 1 {
    gpu.barrier
    scf.yield
  }
  default {
  }
  return
}

//--- shuffle-half.mlir
// Half of the lanes shuffle over the whole width.
// CHECK: .mlir:[[#@LINE+12]]:{{[0-9]+}}: error: divergent subgroup op: thread (0, 0, 0) waits here, but thread (16, 0, 0) has returned
// CHECK: {{^}}races: 0, divergent barriers: 1, out of bounds: 0, uninitialized reads: 0{{$}}
func.func @k(%x: memref<32xi32>) attributes {gpu.known_block_size = array<i32: 32, 1, 1>} {
  %one = arith.constant 1 : i32
  %width = arith.constant 32 : i32
  %c16 = arith.constant 16 : index
  %b = gpu.block_dim x
  %t = gpu.thread_id x
  %v = memref.load %x[%t] : memref<32xi32>
  %cond = arith.cmpi ult, %c16, %b : index // not bad
  //bad: %cond = arith.cmpi ult, %t, %c16 : index
  scf.if %cond {
    %s, %ok = gpu.shuffle xor %v, %one, %width : i32
    memref.store %s, %x[%t] : memref<32xi32>
  }
  return
}

//--- subgroup-barrier-half.mlir
// CHECK: .mlir:[[#@LINE+9]]:{{[0-9]+}}: error: divergent subgroup op: thread (0, 0, 0) waits here, but thread (16, 0, 0) has returned
// CHECK: {{^}}races: 0, divergent barriers: 1, out of bounds: 0, uninitialized reads: 0{{$}}
func.func @k() attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %c16 = arith.constant 16 : index
  %c32 = arith.constant 32 : index
  %t = gpu.thread_id x
  %cond = arith.cmpi ult, %t, %c32 : index // not bad
  //bad: %cond = arith.cmpi ult, %t, %c16 : index
  scf.if %cond {
    memspace.subgroup_barrier
  }
  return
}

//--- subgroup-against-workgroup.mlir
// Half of a subgroup waits at a subgroup barrier, the other half at the barrier
// of the workgroup.
// CHECK: error: divergent {{subgroup op|barrier}}: thread ({{[0-9]+}}, 0, 0) waits here, but thread ({{[0-9]+}}, 0, 0) waits at {{a subgroup op|another barrier|a barrier}}
// CHECK: {{^}}races: 0, divergent barriers: {{[1-9][0-9]*}}, out of bounds: 0, uninitialized reads: 0{{$}}
func.func @k() attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %c16 = arith.constant 16 : index
  %c32 = arith.constant 32 : index
  %t = gpu.thread_id x
  %cond = arith.cmpi ult, %t, %c32 : index // not bad
  //bad: %cond = arith.cmpi ult, %t, %c16 : index
  scf.if %cond {
    memspace.subgroup_barrier
  }
  gpu.barrier
  return
}

//--- whole-subgroup-only.mlir
// A barrier of the workgroup that only one of two subgroups reaches.
// CHECK: .mlir:[[#@LINE+7]]:{{[0-9]+}}: error: divergent barrier: thread (0, 0, 0) waits here, but thread (32, 0, 0) has returned
// CHECK: {{^}}races: 0, divergent barriers: 1, out of bounds: 0, uninitialized reads: 0{{$}}
func.func @k() attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %c1 = arith.constant 1 : index
  %s = gpu.subgroup_id : index
  %first = arith.cmpi ult, %s, %c1 : index
  scf.if %first {
    gpu.barrier
  }
  return
}

//--- one-workgroup.mlir
// The condition depends on the thread in workgroup 2 only.
// CHECK: .mlir:[[#@LINE+10]]:{{[0-9]+}}: error: divergent barrier: thread (1, 0, 0) waits here, but thread (0, 0, 0) has returned
// CHECK: {{^}}races: 0, divergent barriers: 1, out of bounds: 0, uninitialized reads: 0{{$}}
func.func @k() attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %c2 = arith.constant 2 : index
  %t = gpu.thread_id x
  %b = gpu.block_id x
  %p = arith.muli %t, %b : index
  %q = arith.addi %p, %c2 : index
  %cond = arith.cmpi ne, %q, %b : index
  scf.if %cond {
    gpu.barrier
  }
  return
}

//--- gpu-func.mlir
// In a gpu.func, with a 2-D workgroup.
// CHECK: .mlir:[[#@LINE+10]]:{{[0-9]+}}: error: divergent barrier: thread (0, 0, 0) waits here, but thread (0, 1, 0) has returned
// CHECK: {{^}}races: 0, divergent barriers: 1, out of bounds: 0, uninitialized reads: 0{{$}}
gpu.module @m {
  gpu.func @k() kernel attributes {known_block_size = array<i32: 8, 4, 1>} {
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %y = gpu.thread_id y
    %cond = arith.cmpi ult, %y, %c1 : index // not good
    //good: %cond = arith.cmpi ult, %y, %c4 : index
    scf.if %cond {
      gpu.barrier
    }
    gpu.return
  }
}
