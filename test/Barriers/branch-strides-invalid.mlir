// Loops of branches that look as if they counted (branch-strides.mlir), where
// threads are in iterations of their own all the same.
// RUN: memspace-opt %s -split-input-file -memspace-verify-barriers=chip=gfx942 -verify-diagnostics

// How often an iteration asks whether to go on depends on the thread.

func.func @asked_again() attributes {
    gpu.kernel, gpu.known_block_size = array<i32: 128, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %c512 = arith.constant 512 : index
  %tid = gpu.thread_id x
  cf.br ^head(%tid : index)
^head(%i: index):
  cf.br ^ask(%c0 : index)
^ask(%j: index):
  // expected-note @below {{where the condition comes from}}
  %more = arith.cmpi slt, %i, %c512 : index
  // expected-note @below {{the condition here may differ between threads}}
  cf.cond_br %more, ^body, ^exit
^body:
  // expected-error @below {{barrier that perhaps only some threads of the workgroup reach}}
  gpu.barrier
  %nextJ = arith.addi %j, %c64 : index
  %again = arith.cmpi slt, %nextJ, %tid : index
  cf.cond_br %again, ^ask(%nextJ : index), ^latch
^latch:
  %next = arith.addi %i, %c128 : index
  cf.br ^head(%next : index)
^exit:
  return
}

// -----

// Some threads begin the loop again while others go on with it.

func.func @begun_again() attributes {
    gpu.kernel, gpu.known_block_size = array<i32: 128, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %c512 = arith.constant 512 : index
  %tid = gpu.thread_id x
  cf.br ^begin(%c0 : index)
^begin(%round: index):
  cf.br ^head(%tid : index)
^head(%i: index):
  // expected-note @below {{where the condition comes from}}
  %more = arith.cmpi slt, %i, %c512 : index
  // expected-note @below {{the condition here may differ between threads}}
  cf.cond_br %more, ^body, ^exit
^body:
  // expected-error @below {{barrier that perhaps only some threads of the workgroup reach}}
  gpu.barrier
  %nextRound = arith.addi %round, %c1 : index
  %isLow = arith.cmpi slt, %tid, %c64 : index
  %isFirst = arith.cmpi eq, %round, %c0 : index
  %again = arith.andi %isLow, %isFirst : i1
  cf.cond_br %again, ^begin(%nextRound : index), ^latch
^latch:
  %next = arith.addi %i, %c128 : index
  cf.br ^head(%next : index)
^exit:
  return
}
