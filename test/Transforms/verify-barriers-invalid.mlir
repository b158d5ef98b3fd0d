// RUN: memspace-opt %s -memspace-verify-barriers=subgroup-size=32 -split-input-file -verify-diagnostics -allow-unregistered-dialect

// The situations H1, H2, … of verify-barriers.mlir with a barrier missing or in
// the wrong place.

#wg = #gpu.address_space<workgroup>

// H1.
func.func @raw(%v: f32) attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
  %t = gpu.thread_id x
  %n = affine.apply affine_map<(d0) -> ((d0 + 1) mod 128)>(%t)
  %a = memref.alloc() : memref<128xf32, #wg>
  // expected-error @below {{data race (RAW) with 'memref.load': no barrier orders the two on some path; insert 'gpu.barrier' between them}}
  memref.store %v, %a[%t] : memref<128xf32, #wg>
  // expected-error @below {{data race (WAR) with 'memref.store': no barrier orders}}
  // expected-note @below {{the other access; thread (32, 0, 0) and thread (31, 0, 0) touch byte 128 of %alloc}}
  %0 = memref.load %a[%n] : memref<128xf32, #wg>
  // expected-note @below {{the other access}}
  memref.store %0, %a[%t] : memref<128xf32, #wg>
  return
}

// -----

#wg = #gpu.address_space<workgroup>

// H2: one element for two threads, by one op.
func.func @pairs(%v: f32) attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
  %t = gpu.thread_id x
  %p = affine.apply affine_map<(d0) -> (d0 floordiv 2)>(%t)
  %a = memref.alloc() : memref<128xf32, #wg>
  // expected-error @below {{data race (WAW, inside a subgroup) of threads that execute this 'memref.store' at once, which no barrier orders; give each thread elements of its own, let one thread execute it, or make it atomic}}
  // expected-note @below {{thread (1, 0, 0) and thread (0, 0, 0) touch byte 0 of %alloc}}
  memref.store %v, %a[%p] : memref<128xf32, #wg>
  return
}

// -----

#wg = #gpu.address_space<workgroup>

// H3: an offset that nobody knows.
func.func @unknown_offset(%v: f32, %i: index) attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
  %t = gpu.thread_id x
  %c3 = arith.constant 3 : index
  %a = memref.alloc() : memref<256xf32, #wg>
  %any = memref.subview %a[%i] [128] [1] : memref<256xf32, #wg> to memref<128xf32, strided<[1], offset: ?>, #wg>
  // expected-error @below {{data race (RAW) with 'memref.load'}}
  memref.store %v, %a[%t] : memref<256xf32, #wg>
  // expected-note @below {{the other access}}
  %0 = memref.load %any[%c3] : memref<128xf32, strided<[1], offset: ?>, #wg>
  return
}

// -----

#wg = #gpu.address_space<workgroup>

// H4: slots of two moduli.
func.func @moduli(%v: f32, %n: index) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %t = gpu.thread_id x
  %r = affine.apply affine_map<(d0) -> (63 - d0)>(%t)
  %a = memref.alloc() : memref<4x64xf32, #wg>
  scf.for %i = %c0 to %n step %c1 {
    %read = affine.apply affine_map<(d0) -> (d0 mod 3)>(%i)
    %write = affine.apply affine_map<(d0) -> ((d0 + 2) mod 4)>(%i)
    // expected-error @below {{data race (WAR) with 'memref.store'}}
    %0 = memref.load %a[%read, %r] : memref<4x64xf32, #wg>
    // expected-note @below {{the other access}}
    memref.store %v, %a[%write, %t] : memref<4x64xf32, #wg>
    gpu.barrier
  }
  return
}

// -----

#wg = #gpu.address_space<workgroup>

// H5: without the barrier at the back edge.
func.func @tile(%v: f32, %n: index) attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %t = gpu.thread_id x
  %r = affine.apply affine_map<(d0) -> (127 - d0)>(%t)
  %a = memref.alloc() : memref<128xf32, #wg>
  // expected-note @below {{in another iteration of this loop}}
  scf.for %k = %c0 to %n step %c1 {
    // expected-note @below {{the other access}}
    memref.store %v, %a[%t] : memref<128xf32, #wg>
    gpu.barrier
    // expected-error @below {{data race (WAR, loop-carried) with 'memref.store'}}
    %0 = memref.load %a[%r] : memref<128xf32, #wg>
  }
  return
}

// -----

#wg = #gpu.address_space<workgroup>

// H6, H7: a branch may be skipped; the other one does not count.
func.func @branches(%flag: i1, %v: f32) attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
  %t = gpu.thread_id x
  %r = affine.apply affine_map<(d0) -> (127 - d0)>(%t)
  %a = memref.alloc() : memref<128xf32, #wg>
  // expected-error @below {{data race (RAW) with 'memref.load'}}
  memref.store %v, %a[%t] : memref<128xf32, #wg>
  scf.if %flag {
    gpu.barrier
  }
  // expected-note @below {{the other access}}
  %0 = memref.load %a[%r] : memref<128xf32, #wg>
  return
}

// -----

#wg = #gpu.address_space<workgroup>

// H8: a barrier before a loop that exchanges two tiles is not enough.
func.func @swap(%n: index) attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %t = gpu.thread_id x
  %r = affine.apply affine_map<(d0) -> (127 - d0)>(%t)
  %a = memref.alloc() : memref<128xf32, #wg>
  %b = memref.alloc() : memref<128xf32, #wg>
  gpu.barrier
  // expected-note @below {{in another iteration of this loop}}
  scf.for %k = %c0 to %n step %c1 iter_args(%cur = %a, %nxt = %b)
      -> (memref<128xf32, #wg>, memref<128xf32, #wg>) {
    // expected-error @below {{data race (WAR, loop-carried) with 'memref.store'}}
    // expected-note @below {{the other access}}
    %0 = memref.load %cur[%r] : memref<128xf32, #wg>
    // expected-error @below {{data race (RAW, loop-carried) with 'memref.load'}}
    // expected-note @below {{the other access}}
    memref.store %0, %nxt[%t] : memref<128xf32, #wg>
    scf.yield %nxt, %cur : memref<128xf32, #wg>, memref<128xf32, #wg>
  }
  return
}

// -----

#wg = #gpu.address_space<workgroup>

// H9, H15: the bytes of an f32 under another type.
func.func @arena(%b: i8) attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
  %t = gpu.thread_id x
  %c0 = arith.constant 0 : index
  %arena = memref.alloc() {memspace.arena} : memref<512xi8, #wg>
  %f = memref.view %arena[%c0][] : memref<512xi8, #wg> to memref<128xf32, #wg>
  %h = memref.view %arena[%c0][] : memref<512xi8, #wg> to memref<128xi8, #wg>
  // expected-error @below {{data race (WAR) with 'memref.store'}}
  %0 = memref.load %f[%t] : memref<128xf32, #wg>
  // expected-note @below {{the other access}}
  memref.store %b, %h[%t] : memref<128xi8, #wg>
  return
}

// -----

#wg = #gpu.address_space<workgroup>

// H11.
func.func @aliases(%flag: i1, %v: f32) attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
  %t = gpu.thread_id x
  %c3 = arith.constant 3 : index
  %r = affine.apply affine_map<(d0) -> (127 - d0)>(%t)
  %a = memref.alloc() : memref<128xf32, #wg>
  %b = memref.alloc() : memref<128xf32, #wg>
  %s = arith.select %flag, %a, %b : memref<128xf32, #wg>
  %i = scf.if %flag -> memref<128xf32, #wg> {
    scf.yield %a : memref<128xf32, #wg>
  } else {
    scf.yield %b : memref<128xf32, #wg>
  }
  %c = memref.reinterpret_cast %a to offset: [0], sizes: [64], strides: [2] : memref<128xf32, #wg> to memref<64xf32, strided<[2]>, #wg>
  %m = memref.memory_space_cast %a : memref<128xf32, #wg> to memref<128xf32>
  %l = memref.assume_alignment %a, 16 : memref<128xf32, #wg>
  %base, %offset, %size, %stride = memref.extract_strided_metadata %a : memref<128xf32, #wg> -> memref<f32, #wg>, index, index, index
  %w = memref.reinterpret_cast %base to offset: [0], sizes: [128], strides: [1] : memref<f32, #wg> to memref<128xf32, strided<[1]>, #wg>
  // expected-error @below {{data race (RAW) with 'memref.load'}}
  memref.store %v, %a[%t] : memref<128xf32, #wg>
  // expected-note @below {{the other access}}
  %0 = memref.load %s[%r] : memref<128xf32, #wg>
  // expected-note @below {{the other access}}
  %1 = memref.load %i[%r] : memref<128xf32, #wg>
  // expected-note @below {{the other access}}
  %2 = memref.load %c[%c3] : memref<64xf32, strided<[2]>, #wg>
  // expected-note @below {{the other access}}
  %3 = memref.load %m[%r] : memref<128xf32>
  // expected-note @below {{the other access}}
  %4 = memref.load %l[%r] : memref<128xf32, #wg>
  // expected-note @below {{the other access}}
  %5 = memref.load %w[%r] : memref<128xf32, strided<[1]>, #wg>
  return
}

// -----

// H12: a barrier that only some threads reach.
func.func @divergent() attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
  %t = gpu.thread_id x
  %c8 = arith.constant 8 : index
  // expected-note @below {{where the condition comes from}}
  %in = arith.cmpi slt, %t, %c8 : index
  // expected-note @below {{the condition here differs between threads}}
  scf.if %in {
    // expected-error @below {{barrier that only some threads of the workgroup reach; move it out of the divergent region}}
    gpu.barrier
  }
  return
}

// -----

// H12 between blocks, and after some threads have returned.
func.func @returned() attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
  %t = gpu.thread_id x
  %c8 = arith.constant 8 : index
  // expected-note @below {{where the condition comes from}}
  %in = arith.cmpi slt, %t, %c8 : index
  // expected-note @below {{the condition here may differ between threads}}
  cf.cond_br %in, ^done, ^on
^on:
  // expected-error @below {{barrier that perhaps only some threads of the workgroup reach}}
  gpu.barrier
  cf.br ^done
^done:
  return
}

// -----

// H12: lanes that are not all there, and a barrier of a subgroup.
func.func @lanes() attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
  %t = gpu.thread_id x
  %c8 = arith.constant 8 : index
  // expected-note @below {{where the condition comes from}}
  %in = arith.cmpi slt, %t, %c8 : index
  // expected-note @below {{the condition here differs between threads}}
  scf.if %in {
    // expected-error @below {{barrier that only some threads of the subgroup reach}}
    memspace.subgroup_barrier
  }
  return
}

// -----

// H12: nor do lanes exchange values with those that are not there.
func.func @shuffle(%v: f32) attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
  %t = gpu.thread_id x
  %c8 = arith.constant 8 : index
  %one = arith.constant 1 : i32
  %width = arith.constant 32 : i32
  // expected-note @below {{where the condition comes from}}
  %in = arith.cmpi slt, %t, %c8 : index
  // expected-note @below {{the condition here differs between threads}}
  scf.if %in {
    // expected-error @below {{'gpu.shuffle' that only some threads of the subgroup reach}}
    %r, %valid = gpu.shuffle xor %v, %one, %width : f32
  }
  return
}

// -----

#wg = #gpu.address_space<workgroup>

// Threads of the two branches meet; so do those in one guard.
func.func @guarded(%v: f32) attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
  %t = gpu.thread_id x
  %c64 = arith.constant 64 : index
  %r = affine.apply affine_map<(d0) -> (127 - d0)>(%t)
  %q = affine.apply affine_map<(d0) -> (63 - d0)>(%t)
  %a = memref.alloc() : memref<128xf32, #wg>
  %in = arith.cmpi slt, %t, %c64 : index
  // expected-note @below {{threads part here}}
  scf.if %in {
    // expected-error @below {{data race (RAW) with 'memref.load': both are in a region that not all threads enter, where no barrier can stand; split the region between the two}}
    memref.store %v, %a[%t] : memref<128xf32, #wg>
    // expected-note @below {{the other access}}
    %0 = memref.load %a[%q] : memref<128xf32, #wg>
  } else {
    // expected-note @below {{the other access}}
    %0 = memref.load %a[%r] : memref<128xf32, #wg>
  }
  return
}

// -----

#wg = #gpu.address_space<workgroup>

// H13: an atomic and a plain access.
func.func @atomics(%v: f32, %i: index) attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
  %t = gpu.thread_id x
  %a = memref.alloc() : memref<128xf32, #wg>
  // expected-error @below {{data race (RAW) with 'memref.load'}}
  %0 = memref.atomic_rmw addf %v, %a[%i] : (f32, memref<128xf32, #wg>) -> f32
  // expected-note @below {{the other access}}
  %2 = memref.load %a[%t] : memref<128xf32, #wg>
  return
}

// -----

#wg = #gpu.address_space<workgroup>

// H14: a subgroup barrier does not order subgroups, and threads of one subgroup
// need one.
func.func @subgroup(%v: f32) attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
  %t = gpu.thread_id x
  %r = affine.apply affine_map<(d0) -> (127 - d0)>(%t)
  %n = affine.apply affine_map<(d0) -> ((d0 floordiv 32) * 32 + (d0 + 1) mod 32)>(%t)
  %a = memref.alloc() : memref<128xf32, #wg>
  %b = memref.alloc() : memref<128xf32, #wg>
  // expected-error @below {{data race (RAW) with 'memref.load'}}
  memref.store %v, %a[%t] : memref<128xf32, #wg>
  memspace.subgroup_barrier
  // expected-note @below {{the other access}}
  %0 = memref.load %a[%r] : memref<128xf32, #wg>
  // expected-error @below {{data race (RAW, inside a subgroup) with 'memref.load': no barrier orders the two on some path; insert 'memspace.subgroup_barrier' between them}}
  memref.store %v, %b[%t] : memref<128xf32, #wg>
  // expected-note @below {{the other access}}
  %1 = memref.load %b[%n] : memref<128xf32, #wg>
  return
}

// -----

#wg = #gpu.address_space<workgroup>

// H16: a barrier before the wait orders nothing; a thread may not touch its own
// copy either; and a wait that leaves the group in flight is none.
func.func @async(%x: memref<128xf32>) attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
  %t = gpu.thread_id x
  %r = affine.apply affine_map<(d0) -> (127 - d0)>(%t)
  %a = memref.alloc() : memref<128xf32, #wg>
  %b = memref.alloc() : memref<128xf32, #wg>
  // expected-error @below {{data race (RAW) with 'memref.load'}}
  %c = nvgpu.device_async_copy %x[%t], %a[%t], 1 {memspace.disjoint = array<i64: 0>} : memref<128xf32> to memref<128xf32, #wg>
  %g = nvgpu.device_async_create_group %c
  gpu.barrier
  nvgpu.device_async_wait %g
  // expected-note @below {{the other access}}
  %0 = memref.load %a[%r] : memref<128xf32, #wg>
  // expected-error @below {{data race (RAW) with 'memref.load': the copy begun here may still be in flight; wait for its group on every path between the two}}
  %d = nvgpu.device_async_copy %x[%t], %b[%t], 1 {memspace.disjoint = array<i64: 0>} : memref<128xf32> to memref<128xf32, #wg>
  %h = nvgpu.device_async_create_group %d
  nvgpu.device_async_wait %h {numGroups = 1 : i32}
  gpu.barrier
  // expected-note @below {{the other access}}
  %1 = memref.load %b[%t] : memref<128xf32, #wg>
  return
}

// -----

#wg = #gpu.address_space<workgroup>

// H18: WAW. H20: global memory, which an `lds_barrier` does not order.
func.func @global(%x: memref<128xf32>, %v: f32) attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
  %t = gpu.thread_id x
  %r = affine.apply affine_map<(d0) -> (127 - d0)>(%t)
  %a = memref.alloc() : memref<128xf32, #wg>
  // expected-error @below {{data race (WAW) with 'memref.store'}}
  memref.store %v, %a[%t] : memref<128xf32, #wg>
  // expected-note @below {{the other access}}
  memref.store %v, %a[%r] : memref<128xf32, #wg>
  // expected-error @below {{data race (RAW) with 'memref.load'}}
  memref.store %v, %x[%t] : memref<128xf32>
  amdgpu.lds_barrier
  // expected-note @below {{the other access}}
  %2 = memref.load %x[%r] : memref<128xf32>
  return
}

// -----

#wg = #gpu.address_space<workgroup>

// H19: from the condition of a while to its body.
func.func @while(%v: i32) attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c9 = arith.constant 9 : index
  %t = gpu.thread_id x
  %r = affine.apply affine_map<(d0) -> (127 - d0)>(%t)
  %a = memref.alloc() : memref<128xi32, #wg>
  %0 = scf.while (%i = %c0) : (index) -> index {
    gpu.barrier
    // expected-error @below {{data race (WAR) with 'memref.store'}}
    %w = memref.load %a[%r] : memref<128xi32, #wg>
    %more = arith.cmpi slt, %i, %c9 : index
    scf.condition(%more) %i : index
  } do {
  ^bb0(%i: index):
    // expected-note @below {{the other access}}
    memref.store %v, %a[%t] : memref<128xi32, #wg>
    %j = arith.addi %i, %c1 : index
    scf.yield %j : index
  }
  return
}

// -----

#wg = #gpu.address_space<workgroup>

// A scatter without a promise is not proved; nor is a call.
func.func private @anything(index)
func.func @unproved(%idx: memref<128xindex>, %v: f32) attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
  %t = gpu.thread_id x
  %a = memref.alloc() : memref<128xf32, #wg>
  %j = memref.load %idx[%t] : memref<128xindex>
  // expected-error @below {{data race (WAW) of threads that execute this 'memref.store' at once}}
  // expected-note @below {{with %0 = 0 and thread}}
  memref.store %v, %a[%j] : memref<128xf32, #wg>
  gpu.barrier
  // expected-error @below {{of threads that execute this 'func.call' at once}}
  // expected-note @below {{touch the same place}}
  func.call @anything(%t) : (index) -> ()
  return
}

// -----

// Nothing is known of a foreign op with regions.
func.func @foreign() attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
  // expected-error @below {{nothing is known of when 'foreign.op' runs its regions and what it accesses; lower it before barriers are verified}}
  "foreign.op"() ({
    llvm.unreachable
  }) : () -> ()
  return
}

// -----

#wg = #gpu.address_space<workgroup>

// Blocks: the back edge, and two branches at once.
// expected-note @below {{in another iteration of this loop}}
func.func @blocks(%v: f32, %n: index) attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %t = gpu.thread_id x
  %r = affine.apply affine_map<(d0) -> (127 - d0)>(%t)
  %a = memref.alloc() : memref<128xf32, #wg>
  cf.br ^head(%c0 : index)
^head(%i: index):
  %more = arith.cmpi slt, %i, %n : index
  cf.cond_br %more, ^body, ^exit
^body:
  // expected-note @below {{the other access}}
  memref.store %v, %a[%t] : memref<128xf32, #wg>
  gpu.barrier
  // expected-error @below {{data race (WAR, loop-carried) with 'memref.store'}}
  %0 = memref.load %a[%r] : memref<128xf32, #wg>
  %j = arith.addi %i, %c1 : index
  cf.br ^head(%j : index)
^exit:
  gpu.barrier
  %low = arith.cmpi slt, %t, %c64 : index
  // expected-note @below {{threads part here}}
  cf.cond_br %low, ^then, ^else
^then:
  // expected-error @below {{data race (RAW) with 'memref.load': both are in a region that not all threads enter}}
  memref.store %v, %a[%t] : memref<128xf32, #wg>
  cf.br ^join
^else:
  // expected-note @below {{the other access}}
  %1 = memref.load %a[%r] : memref<128xf32, #wg>
  cf.br ^join
^join:
  return
}

// -----

// H20: threads of different workgroups, which no barrier orders; below, each
// workgroup has elements of its own.
func.func @workgroups(%x: memref<128xf32>, %y: memref<512xf32>, %v: f32) attributes {gpu.known_block_size = array<i32: 128, 1, 1>, gpu.known_grid_size = array<i32: 4, 1, 1>} {
  %t = gpu.thread_id x
  %b = gpu.block_id x
  %i = affine.apply affine_map<(d0, d1) -> (d0 + d1 * 128)>(%t, %b)
  // expected-error @below {{data race (WAW) of threads that execute this 'memref.store' in another workgroup, which no barrier orders; give each workgroup elements of its own, or use atomics or two kernels}}
  // expected-note @below {{touch byte 0 of %arg0}}
  memref.store %v, %x[%t] : memref<128xf32>
  memref.store %v, %y[%i] : memref<512xf32>
  return
}

// -----

#wg = #gpu.address_space<workgroup>

// H5, H4: what is written is read in the next iteration, and written again when
// the slot has its turn two iterations after it was read.
func.func @slots(%x: memref<64xf32>, %n: index) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %t = gpu.thread_id x
  %r = affine.apply affine_map<(d0) -> (63 - d0)>(%t)
  %a = memref.alloc() : memref<3x64xf32, #wg>
  // expected-note @below {{in another iteration of this loop}}
  scf.for %i = %c0 to %n step %c1 {
    %read = affine.apply affine_map<(d0) -> (d0 mod 3)>(%i)
    %write = affine.apply affine_map<(d0) -> ((d0 + 1) mod 3)>(%i)
    // expected-error @below {{data race (WAR, loop-carried) with 'memref.store'}}
    // expected-note @below {{the other access}}
    %0 = memref.load %a[%read, %r] : memref<3x64xf32, #wg>
    %v = memref.load %x[%t] : memref<64xf32>
    // expected-note @below {{the other access; thread (63, 0, 0)}}
    // expected-error @below {{data race (RAW, loop-carried) with 'memref.load'}}
    memref.store %v, %a[%write, %t] : memref<3x64xf32, #wg>
  }
  return
}

// -----

#wg = #gpu.address_space<workgroup>

// H16: nobody waits for the copy straight into the LDS.
func.func @gather(%x: memref<128xf32>) attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
  %c0 = arith.constant 0 : index
  %t = gpu.thread_id x
  %a = memref.alloc() : memref<128xf32, #wg>
  // expected-error @below {{the copy begun here may still be in flight}}
  // expected-error @below {{data race (WAW) of threads that execute this 'amdgpu.gather_to_lds'}}
  // expected-note @below {{touch}}
  amdgpu.gather_to_lds %x[%t], %a[%c0] : f32, memref<128xf32>, memref<128xf32, #wg>
  gpu.barrier
  // expected-note @below {{the other access}}
  %0 = memref.load %a[%t] : memref<128xf32, #wg>
  return
}

// -----

#wg = #gpu.address_space<workgroup>

// H5: a barrier that is skipped in another iteration; and one in an inner loop,
// whose first iteration comes again.
func.func @guarded(%v: f32, %n: index) attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %t = gpu.thread_id x
  %r = affine.apply affine_map<(d0) -> (127 - d0)>(%t)
  %a = memref.alloc() : memref<128xf32, #wg>
  %b = memref.alloc() : memref<128xf32, #wg>
  // expected-note @below {{in another iteration of this loop}}
  scf.for %k = %c0 to %n step %c1 {
    %later = arith.cmpi ne, %k, %c1 : index
    scf.if %later {
      gpu.barrier
    }
    // expected-note @below {{the other access}}
    memref.store %v, %a[%t] : memref<128xf32, #wg>
    gpu.barrier
    // expected-error @below {{data race (WAR, loop-carried) with 'memref.store'}}
    %0 = memref.load %a[%r] : memref<128xf32, #wg>
  }
  // expected-note @below {{in another iteration of this loop}}
  scf.for %i = %c0 to %n step %c1 {
    scf.for %k = %c0 to %n step %c1 {
      %later = arith.cmpi ne, %k, %c0 : index
      scf.if %later {
        gpu.barrier
      }
      // expected-note @below {{the other access}}
      memref.store %v, %b[%t] : memref<128xf32, #wg>
      gpu.barrier
      // expected-error @below {{data race (WAR, loop-carried) with 'memref.store'}}
      %0 = memref.load %b[%r] : memref<128xf32, #wg>
    }
  }
  return
}

// -----

#wg = #gpu.address_space<workgroup>

// Ids that other dialects give, and what is exchanged between lanes, differ
// between threads.
func.func @guard(%out: memref<256xf32>) attributes {gpu.known_block_size = array<i32: 64,1,1>} {
  %f1 = arith.constant 1.0 : f32
  %i8 = arith.constant 8 : i32
  %t = gpu.thread_id x
  %ti = nvvm.read.ptx.sreg.tid.x : i32
  // expected-note @below {{where the condition comes from}}
  %p = arith.cmpi ult, %ti, %i8 : i32
  // expected-note @below {{the condition here may differ between threads}}
  scf.if %p {
    // expected-error @below {{barrier that perhaps only some threads of the workgroup reach}}
    gpu.barrier
    memref.store %f1, %out[%t] : memref<256xf32>
  }
  return
}

func.func @valid(%out: memref<256xf32>) attributes {gpu.known_block_size = array<i32: 64,1,1>} {
  %f1 = arith.constant 1.0 : f32
  %i1 = arith.constant 1 : i32
  %i32 = arith.constant 32 : i32
  %t = gpu.thread_id x
  // expected-note @below {{where the condition comes from}}
  %v, %ok = gpu.shuffle up %f1, %i1, %i32 : f32
  // expected-note @below {{the condition here may differ between threads}}
  scf.if %ok {
    // expected-error @below {{barrier that perhaps only some threads of the workgroup reach}}
    gpu.barrier
    memref.store %f1, %out[%t] : memref<256xf32>
  }
  return
}

func.func @cluster(%out: memref<256xf32>) attributes {gpu.known_block_size = array<i32: 64,1,1>} {
  %f1 = arith.constant 1.0 : f32
  %i64 = arith.constant 64 : i32
  %t = gpu.thread_id x
  %ti = arith.index_cast %t : index to i32
  %v = gpu.subgroup_reduce add %ti cluster(size = 8) : (i32) -> i32
  // expected-note @below {{where the condition comes from}}
  %p = arith.cmpi ult, %v, %i64 : i32
  // expected-note @below {{the condition here may differ between threads}}
  scf.if %p {
    // expected-error @below {{barrier that perhaps only some threads of the subgroup reach}}
    memspace.subgroup_barrier
    memref.store %f1, %out[%t] : memref<256xf32>
  }
  return
}

// -----

#wg = #gpu.address_space<workgroup>

// Private memory that is written through a view, or through one of two.
func.func @store_view(%out: memref<256xf32>) attributes {gpu.known_block_size = array<i32: 64,1,1>} {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %f1 = arith.constant 1.0 : f32
  %t = gpu.thread_id x
  %al = memref.alloca() : memref<4xindex>
  %s = memref.cast %al : memref<4xindex> to memref<?xindex>
  memref.store %t, %s[%c0] : memref<?xindex>
  %u = memref.load %al[%c0] : memref<4xindex>
  // expected-note @below {{where the condition comes from}}
  %p = arith.cmpi ult, %u, %c8 : index
  // expected-note @below {{the condition here may differ between threads}}
  scf.if %p {
    // expected-error @below {{barrier that perhaps only some threads of the workgroup reach}}
    gpu.barrier
    memref.store %f1, %out[%t] : memref<256xf32>
  }
  return
}

func.func @if_result(%q: i32, %out: memref<256xf32>) attributes {gpu.known_block_size = array<i32: 64,1,1>} {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %i0 = arith.constant 0 : i32
  %f1 = arith.constant 1.0 : f32
  %t = gpu.thread_id x
  %al = memref.alloca() : memref<4xindex>
  %bl = memref.alloca() : memref<4xindex>
  memref.store %c0, %al[%c0] : memref<4xindex>
  memref.store %c0, %bl[%c0] : memref<4xindex>
  %pp = arith.cmpi eq, %q, %i0 : i32
  %s = scf.if %pp -> memref<4xindex> {
    scf.yield %al : memref<4xindex>
  } else {
    scf.yield %bl : memref<4xindex>
  }
  memref.store %t, %s[%c0] : memref<4xindex>
  %ua = memref.load %al[%c0] : memref<4xindex>
  %ub = memref.load %bl[%c0] : memref<4xindex>
  %u = arith.addi %ua, %ub : index
  // expected-note @below {{where the condition comes from}}
  %p = arith.cmpi ult, %u, %c8 : index
  // expected-note @below {{the condition here may differ between threads}}
  scf.if %p {
    // expected-error @below {{barrier that perhaps only some threads of the workgroup reach}}
    gpu.barrier
    memref.store %f1, %out[%t] : memref<256xf32>
  }
  return
}

// -----

#wg = #gpu.address_space<workgroup>

// Views whose elements overlap, as the windows of a convolution.
func.func @window(%x: memref<256xf32>, %out: memref<256xf32>) attributes {gpu.known_block_size = array<i32: 64,1,1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %f1 = arith.constant 1.0 : f32
  %t = gpu.thread_id x
  %a = memref.alloc() : memref<65xf32, #wg>
  %r = memref.reinterpret_cast %a to offset: [0], sizes: [64, 2], strides: [1, 1] : memref<65xf32, #wg> to memref<64x2xf32, strided<[1, 1]>, #wg>
  // expected-error @below {{data race (RAW) with 'memref.load'}}
  memref.store %f1, %r[%t, %c0] : memref<64x2xf32, strided<[1, 1]>, #wg>
  // expected-note @below {{the other access}}
  %v = memref.load %r[%t, %c1] : memref<64x2xf32, strided<[1, 1]>, #wg>
  memref.store %v, %out[%t] : memref<256xf32>
  return
}

func.func @broadcast(%x: memref<256xf32>) attributes {gpu.known_block_size = array<i32: 64,1,1>} {
  %c0 = arith.constant 0 : index
  %t = gpu.thread_id x
  %v = memref.load %x[%t] : memref<256xf32>
  %a = memref.alloc() : memref<65xf32, #wg>
  %r = memref.reinterpret_cast %a to offset: [0], sizes: [64, 2], strides: [0, 1] : memref<65xf32, #wg> to memref<64x2xf32, strided<[0, 1]>, #wg>
  // expected-error @below {{data race (WAW) of threads that execute this 'memref.store' at once}}
  // expected-note @below {{touch byte 0 of %alloc}}
  memref.store %v, %r[%t, %c0] : memref<64x2xf32, strided<[0, 1]>, #wg>
  return
}

// -----

#wg = #gpu.address_space<workgroup>

// Dynamic workgroup memory is one, however often it is asked for.
func.func @same_bytes(%out: memref<256xf32>) attributes {gpu.known_block_size = array<i32: 64,1,1>} {
  %c0 = arith.constant 0 : index
  %c63 = arith.constant 63 : index
  %f1 = arith.constant 1.0 : f32
  %t = gpu.thread_id x
  %m = arith.subi %c63, %t : index
  %A = gpu.dynamic_shared_memory : memref<?xi8, #wg>
  %B = gpu.dynamic_shared_memory : memref<?xi8, #wg>
  %fa = memref.view %A[%c0][] : memref<?xi8, #wg> to memref<64xf32, #wg>
  %fb = memref.view %B[%c0][] : memref<?xi8, #wg> to memref<64xf32, #wg>
  // expected-error @below {{data race (RAW) with 'memref.load'}}
  memref.store %f1, %fa[%t] : memref<64xf32, #wg>
  // expected-note @below {{the other access}}
  %v = memref.load %fb[%m] : memref<64xf32, #wg>
  memref.store %v, %out[%t] : memref<256xf32>
  return
}

// -----

#wg = #gpu.address_space<workgroup>

// H16: the last slot of the loop before its wait.
func.func @too_early(%x: memref<16x64xf32>, %out: memref<256xf32>) attributes {gpu.known_block_size = array<i32: 64,1,1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c6 = arith.constant 6 : index
  %c63 = arith.constant 63 : index
  %f0 = arith.constant 0.0 : f32
  %t = gpu.thread_id x
  %m = arith.subi %c63, %t : index
  %a = memref.alloc() : memref<3x64xf32, #wg>
  %tk0 = nvgpu.device_async_copy %x[%c0, %t], %a[%c0, %t], 1 : memref<16x64xf32> to memref<3x64xf32, #wg>
  %g0 = nvgpu.device_async_create_group %tk0
  %tk1 = nvgpu.device_async_copy %x[%c1, %t], %a[%c1, %t], 1 : memref<16x64xf32> to memref<3x64xf32, #wg>
  %g1 = nvgpu.device_async_create_group %tk1
  %r = scf.for %k = %c0 to %c6 step %c1 iter_args(%acc = %f0) -> f32 {
    nvgpu.device_async_wait %g0 {numGroups = 1 : i32}
    gpu.barrier
    %k1 = arith.addi %k, %c2 : index
    %s1 = arith.remui %k1, %c3 : index
    %s = arith.remui %k, %c3 : index
    // expected-error @below {{the copy begun here may still be in flight}}
    %tk = nvgpu.device_async_copy %x[%k1, %t], %a[%s1, %t], 1 : memref<16x64xf32> to memref<3x64xf32, #wg>
    %g = nvgpu.device_async_create_group %tk
    %v = memref.load %a[%s, %m] : memref<3x64xf32, #wg>
    %ac = arith.addf %acc, %v : f32
    scf.yield %ac : f32
  }
  nvgpu.device_async_wait %g0 {numGroups = 1 : i32}
  gpu.barrier
  // expected-note @below {{the other access}}
  %v6 = memref.load %a[%c1, %m] : memref<3x64xf32, #wg>
  nvgpu.device_async_wait %g0 {numGroups = 0 : i32}
  gpu.barrier
  %v7 = memref.load %a[%c1, %m] : memref<3x64xf32, #wg>
  %r6 = arith.addf %r, %v6 : f32
  %r7 = arith.addf %r6, %v7 : f32
  memref.store %r7, %out[%t] : memref<256xf32>
  return
}
