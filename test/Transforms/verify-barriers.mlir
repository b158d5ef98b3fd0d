// RUN: memspace-opt %s -memspace-verify-barriers=subgroup-size=32 -split-input-file -o %t.mlir
// RUN: memspace-opt %s -split-input-file | diff - %t.mlir

// Kernels with the right barriers pass, unchanged. The numbers H1, H2, … are
// the situations of the hazard tests; verify-barriers-invalid.mlir has them
// without their barriers.

#wg = #gpu.address_space<workgroup>

// H1: RAW and WAR with the neighbour's element. H2: own elements. H10: more
// barriers than needed.
func.func @neighbour(%v: f32, %out: memref<128xf32>)
    attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
  %t = gpu.thread_id x
  %n = affine.apply affine_map<(d0) -> ((d0 + 1) mod 128)>(%t)
  %a = memref.alloc() : memref<128xf32, #wg>
  memref.store %v, %a[%t] : memref<128xf32, #wg>
  %own = memref.load %a[%t] : memref<128xf32, #wg>
  memref.store %own, %a[%t] : memref<128xf32, #wg>
  gpu.barrier
  %0 = memref.load %a[%n] : memref<128xf32, #wg>
  gpu.barrier
  gpu.barrier
  memref.store %0, %a[%t] : memref<128xf32, #wg>
  memref.store %0, %out[%t] : memref<128xf32>
  return
}

// -----

#wg = #gpu.address_space<workgroup>

// H3: disjoint subviews need none.
func.func @subviews(%v: f32) attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
  %t = gpu.thread_id x
  %c3 = arith.constant 3 : index
  %a = memref.alloc() : memref<256xf32, #wg>
  %lo = memref.subview %a[0] [128] [1] : memref<256xf32, #wg> to memref<128xf32, strided<[1]>, #wg>
  %hi = memref.subview %a[128] [128] [1] : memref<256xf32, #wg> to memref<128xf32, strided<[1], offset: 128>, #wg>
  memref.store %v, %lo[%t] : memref<128xf32, strided<[1]>, #wg>
  %0 = memref.load %hi[%c3] : memref<128xf32, strided<[1], offset: 128>, #wg>
  return
}

// -----

#wg = #gpu.address_space<workgroup>

// H4: of a triple buffer, slot i mod 3 is read and slot (i + 2) mod 3 written
// in one iteration; a barrier is between the iterations.
func.func @slots(%x: memref<10x64xf32>, %n: index) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %t = gpu.thread_id x
  %r = affine.apply affine_map<(d0) -> (63 - d0)>(%t)
  %a = memref.alloc() : memref<3x64xf32, #wg>
  scf.for %i = %c0 to %n step %c1 {
    %read = affine.apply affine_map<(d0) -> (d0 mod 3)>(%i)
    %write = affine.apply affine_map<(d0) -> ((d0 + 2) mod 3)>(%i)
    %0 = memref.load %a[%read, %r] : memref<3x64xf32, #wg>
    %v = memref.load %x[%c0, %t] : memref<10x64xf32>
    memref.store %v, %a[%write, %t] : memref<3x64xf32, #wg>
    gpu.barrier
  }
  return
}

// -----

#wg = #gpu.address_space<workgroup>

// H5: one tile, two barriers; H8: two tiles that are exchanged, one barrier.
func.func @tiles(%x: memref<128xf32>, %n: index, %out: memref<128xf32>)
    attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %t = gpu.thread_id x
  %r = affine.apply affine_map<(d0) -> (127 - d0)>(%t)
  %a = memref.alloc() : memref<128xf32, #wg>
  %b = memref.alloc() : memref<128xf32, #wg>
  scf.for %k = %c0 to %n step %c1 {
    %v = memref.load %x[%t] : memref<128xf32>
    gpu.barrier
    memref.store %v, %a[%t] : memref<128xf32, #wg>
    gpu.barrier
    %0 = memref.load %a[%r] : memref<128xf32, #wg>
    memref.store %0, %out[%t] : memref<128xf32>
  }
  gpu.barrier
  %v = memref.load %x[%t] : memref<128xf32>
  memref.store %v, %a[%t] : memref<128xf32, #wg>
  scf.for %k = %c0 to %n step %c1 iter_args(%cur = %a, %nxt = %b)
      -> (memref<128xf32, #wg>, memref<128xf32, #wg>) {
    gpu.barrier
    %0 = memref.load %cur[%r] : memref<128xf32, #wg>
    memref.store %0, %nxt[%t] : memref<128xf32, #wg>
    scf.yield %nxt, %cur : memref<128xf32, #wg>, memref<128xf32, #wg>
  }
  return
}

// -----

#wg = #gpu.address_space<workgroup>

// H6, H7: a barrier in both branches orders what is before and behind them.
func.func @branches(%flag: i1, %v: f32) attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
  %t = gpu.thread_id x
  %r = affine.apply affine_map<(d0) -> (127 - d0)>(%t)
  %a = memref.alloc() : memref<128xf32, #wg>
  memref.store %v, %a[%t] : memref<128xf32, #wg>
  scf.if %flag {
    gpu.barrier
  } else {
    gpu.barrier
  }
  %0 = memref.load %a[%r] : memref<128xf32, #wg>
  return
}

// -----

#wg = #gpu.address_space<workgroup>

// H9, H15: reuse of the bytes of an arena, with another type.
func.func @arena(%v: f32, %b: i8) attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
  %t = gpu.thread_id x
  %c0 = arith.constant 0 : index
  %c512 = arith.constant 512 : index
  %arena = memref.alloc() {memspace.arena} : memref<640xi8, #wg>
  %f = memref.view %arena[%c0][] : memref<640xi8, #wg> to memref<128xf32, #wg>
  %g = memref.view %arena[%c512][] : memref<640xi8, #wg> to memref<128xi8, #wg>
  %h = memref.view %arena[%c0][] : memref<640xi8, #wg> to memref<128xi8, #wg>
  memref.store %v, %f[%t] : memref<128xf32, #wg>
  memref.store %b, %g[%t] : memref<128xi8, #wg>
  %0 = memref.load %f[%t] : memref<128xf32, #wg>
  gpu.barrier
  memref.store %b, %h[%t] : memref<128xi8, #wg>
  return
}

// -----

#wg = #gpu.address_space<workgroup>

// H11: what stock MLIR removes is needed; here it all stands.
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
  memref.store %v, %a[%t] : memref<128xf32, #wg>
  gpu.barrier
  %0 = memref.load %s[%r] : memref<128xf32, #wg>
  %1 = memref.load %i[%r] : memref<128xf32, #wg>
  %2 = memref.load %c[%c3] : memref<64xf32, strided<[2]>, #wg>
  gpu.barrier
  memref.store %v, %m[%t] : memref<128xf32>
  gpu.barrier
  %3 = memref.load %a[%r] : memref<128xf32, #wg>
  return
}

// -----

#wg = #gpu.address_space<workgroup>

// H12: under a condition that is uniform in the workgroup, one that is loaded
// from shared memory among them, a barrier may stand.
func.func @uniform(%flags: memref<128xi1>, %v: f32) attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %t = gpu.thread_id x
  %r = affine.apply affine_map<(d0) -> (127 - d0)>(%t)
  %a = memref.alloc() : memref<128xf32, #wg>
  %s = memref.alloc() : memref<128xi1, #wg>
  %f = memref.load %flags[%t] : memref<128xi1>
  memref.store %f, %s[%t] : memref<128xi1, #wg>
  gpu.barrier
  %u = memref.load %s[%c1] : memref<128xi1, #wg>
  scf.if %u {
    memref.store %v, %a[%t] : memref<128xf32, #wg>
    gpu.barrier
    %0 = memref.load %a[%r] : memref<128xf32, #wg>
  }
  return
}

// -----

#wg = #gpu.address_space<workgroup>

// H13: atomics need no order among themselves.
func.func @atomics(%v: f32, %i: index) attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
  %t = gpu.thread_id x
  %a = memref.alloc() : memref<128xf32, #wg>
  %0 = memref.atomic_rmw addf %v, %a[%i] : (f32, memref<128xf32, #wg>) -> f32
  %1 = memref.atomic_rmw addf %v, %a[%t] : (f32, memref<128xf32, #wg>) -> f32
  gpu.barrier
  %2 = memref.load %a[%i] : memref<128xf32, #wg>
  return
}

// -----

#wg = #gpu.address_space<workgroup>

// H14: what stays in a subgroup, also where only some subgroups come.
func.func @subgroup(%v: f32) attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
  %t = gpu.thread_id x
  %c2 = arith.constant 2 : index
  %w = affine.apply affine_map<(d0) -> (d0 floordiv 32)>(%t)
  %l = affine.apply affine_map<(d0) -> (d0 mod 32)>(%t)
  %n = affine.apply affine_map<(d0) -> ((d0 + 1) mod 32)>(%l)
  %a = memref.alloc() : memref<4x32xf32, #wg>
  %in = arith.cmpi slt, %w, %c2 : index
  scf.if %in {
    memref.store %v, %a[%w, %l] : memref<4x32xf32, #wg>
    memspace.subgroup_barrier
    %0 = memref.load %a[%w, %n] : memref<4x32xf32, #wg>
  }
  return
}

// -----

#wg = #gpu.address_space<workgroup>

// H16: a copy is complete at its wait, the barrier is behind it. The wait for
// all but one group leaves the newest copy alone.
func.func @async(%x: memref<128xf32>) attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
  %t = gpu.thread_id x
  %r = affine.apply affine_map<(d0) -> (127 - d0)>(%t)
  %a = memref.alloc() : memref<128xf32, #wg>
  %b = memref.alloc() : memref<128xf32, #wg>
  %c = nvgpu.device_async_copy %x[%t], %a[%t], 1 {memspace.disjoint = array<i64: 0>} : memref<128xf32> to memref<128xf32, #wg>
  %g = nvgpu.device_async_create_group %c
  %d = nvgpu.device_async_copy %x[%t], %b[%t], 1 {memspace.disjoint = array<i64: 0>} : memref<128xf32> to memref<128xf32, #wg>
  %h = nvgpu.device_async_create_group %d
  nvgpu.device_async_wait %g {numGroups = 1 : i32}
  gpu.barrier
  %0 = memref.load %a[%r] : memref<128xf32, #wg>
  nvgpu.device_async_wait %h
  gpu.barrier
  %1 = memref.load %b[%r] : memref<128xf32, #wg>
  return
}

// -----

#wg = #gpu.address_space<workgroup>

// H17: a barrier that looks redundant is no fault. H18: WAW. H20: global memory
// in one workgroup; an argument is not the workgroup buffer; an `lds_barrier`
// orders workgroup memory.
func.func @global(%x: memref<128xf32>, %y: memref<128xf32>, %v: f32) attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
  %t = gpu.thread_id x
  %r = affine.apply affine_map<(d0) -> (127 - d0)>(%t)
  %a = memref.alloc() : memref<128xf32, #wg>
  gpu.barrier {memspace.keep}
  memref.store %v, %x[%t] : memref<128xf32>
  memref.store %v, %a[%t] : memref<128xf32, #wg>
  %1 = memref.load %y[%r] : memref<128xf32>
  amdgpu.lds_barrier
  memref.store %v, %a[%r] : memref<128xf32, #wg>
  gpu.barrier
  %2 = memref.load %x[%r] : memref<128xf32>
  return
}

// -----

#wg = #gpu.address_space<workgroup>

// H19: between the regions of a while, and across its iterations.
func.func @while(%x: memref<128xi32>) attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c9 = arith.constant 9 : index
  %t = gpu.thread_id x
  %r = affine.apply affine_map<(d0) -> (127 - d0)>(%t)
  %v = memref.load %x[%t] : memref<128xi32>
  %a = memref.alloc() : memref<128xi32, #wg>
  %0:2 = scf.while (%i = %c0) : (index) -> (index, i32) {
    gpu.barrier
    %w = memref.load %a[%r] : memref<128xi32, #wg>
    %more = arith.cmpi slt, %i, %c9 : index
    scf.condition(%more) %i, %w : index, i32
  } do {
  ^bb0(%i: index, %w: i32):
    nvvm.barrier0
    memref.store %w, %a[%t] : memref<128xi32, #wg>
    %j = arith.addi %i, %c1 : index
    scf.yield %j : index
  }
  return
}

// -----

#wg = #gpu.address_space<workgroup>

// A promise holds for a scatter by data.
func.func @promise(%idx: memref<256xindex>, %v: f32) attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %t = gpu.thread_id x
  %a = memref.alloc() : memref<256xf32, #wg>
  scf.for %w = %c0 to %c2 step %c1 {
    %i = affine.apply affine_map<(d0, d1) -> (d0 * 128 + d1)>(%w, %t)
    %j = memref.load %idx[%i] : memref<256xindex>
    memref.store %v, %a[%j] {memspace.disjoint = array<i64: 3>} : memref<256xf32, #wg>
  } {memspace.forall_loop = 3 : i64}
  return
}

// -----

#wg = #gpu.address_space<workgroup>

// Blocks: a loop with both barriers; then a branch that only some threads take,
// with the barrier where they come together again.
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
  memref.store %v, %a[%t] : memref<128xf32, #wg>
  gpu.barrier
  %0 = memref.load %a[%r] : memref<128xf32, #wg>
  gpu.barrier
  %j = arith.addi %i, %c1 : index
  cf.br ^head(%j : index)
^exit:
  %low = arith.cmpi slt, %t, %c64 : index
  cf.cond_br %low, ^then, ^join
^then:
  memref.store %v, %a[%t] : memref<128xf32, #wg>
  cf.br ^join
^join:
  gpu.barrier
  %1 = memref.load %a[%r] : memref<128xf32, #wg>
  return
}

// -----

#wg = #gpu.address_space<workgroup>

// H5, H4: a slot is written in one iteration and read in it; the next iteration
// writes another slot, and before the one after it there is a barrier.
func.func @double_buffer(%x: memref<64xf32>, %n: index) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %t = gpu.thread_id x
  %r = affine.apply affine_map<(d0) -> (63 - d0)>(%t)
  %a = memref.alloc() : memref<2x64xf32, #wg>
  scf.for %i = %c0 to %n step %c1 {
    %slot = affine.apply affine_map<(d0) -> (d0 mod 2)>(%i)
    %v = memref.load %x[%t] : memref<64xf32>
    memref.store %v, %a[%slot, %t] : memref<2x64xf32, #wg>
    gpu.barrier
    %0 = memref.load %a[%slot, %r] : memref<2x64xf32, #wg>
  }
  return
}

// -----

#wg = #gpu.address_space<workgroup>

// H16, H4: a pipeline of three slots; one copy is in flight while another slot
// is read.
func.func @pipeline(%x: memref<64xf32>, %n: index) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %t = gpu.thread_id x
  %r = affine.apply affine_map<(d0) -> (63 - d0)>(%t)
  %a = memref.alloc() : memref<3x64xf32, #wg>
  scf.for %i = %c0 to %n step %c1 {
    %read = affine.apply affine_map<(d0) -> (d0 mod 3)>(%i)
    %write = affine.apply affine_map<(d0) -> ((d0 + 2) mod 3)>(%i)
    %token = nvgpu.device_async_create_group
    nvgpu.device_async_wait %token {numGroups = 2 : i32}
    gpu.barrier
    %0 = memref.load %a[%read, %r] : memref<3x64xf32, #wg>
    %c = nvgpu.device_async_copy %x[%t], %a[%write, %t], 1 : memref<64xf32> to memref<3x64xf32, #wg>
    %g = nvgpu.device_async_create_group %c
  }
  return
}

// -----

#wg = #gpu.address_space<workgroup>

// H5: before the first iteration, or behind the last one, there is nothing that
// the barrier would order.
func.func @guarded(%v: f32, %n: index) attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %t = gpu.thread_id x
  %r = affine.apply affine_map<(d0) -> (127 - d0)>(%t)
  %a = memref.alloc() : memref<128xf32, #wg>
  %b = memref.alloc() : memref<128xf32, #wg>
  scf.for %k = %c0 to %n step %c1 {
    %later = arith.cmpi ne, %k, %c0 : index
    scf.if %later {
      gpu.barrier
    }
    memref.store %v, %a[%t] : memref<128xf32, #wg>
    gpu.barrier
    %0 = memref.load %a[%r] : memref<128xf32, #wg>
  }
  scf.for %k = %c0 to %n step %c1 {
    memref.store %v, %b[%t] : memref<128xf32, #wg>
    gpu.barrier
    %0 = memref.load %b[%r] : memref<128xf32, #wg>
    %next = arith.addi %k, %c1 : index
    %more = arith.cmpi slt, %next, %n : index
    scf.if %more {
      gpu.barrier
    }
  }
  return
}

// -----

#wg = #gpu.address_space<workgroup>

// Three buffers that take turns: what the store meets in the next iteration is
// another one.
// CHECK-LABEL: @swap3
func.func @swap3(%out: memref<256xf32>, %n: index) attributes {gpu.known_block_size = array<i32: 64,1,1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c63 = arith.constant 63 : index
  %f0 = arith.constant 0.0 : f32
  %f1 = arith.constant 1.0 : f32
  %t = gpu.thread_id x
  %a = memref.alloc() : memref<64xf32, #wg>
  %b = memref.alloc() : memref<64xf32, #wg>
  %c = memref.alloc() : memref<64xf32, #wg>
  %m = arith.subi %c63, %t : index
  memref.store %f0, %a[%t] : memref<64xf32, #wg>
  %z:3 = scf.for %j = %c0 to %n step %c1 iter_args(%p = %a, %q = %b, %r = %c)
      -> (memref<64xf32, #wg>, memref<64xf32, #wg>, memref<64xf32, #wg>) {
    memref.store %f1, %q[%t] : memref<64xf32, #wg>
    gpu.barrier
    %v = memref.load %p[%m] : memref<64xf32, #wg>
    memref.store %v, %out[%t] : memref<256xf32>
    scf.yield %q, %r, %p : memref<64xf32, #wg>, memref<64xf32, #wg>, memref<64xf32, #wg>
  }
  return
}

// -----

#wg = #gpu.address_space<workgroup>

// H16: pipelines of three and four stages. The copies before the loop are met in
// its first, second, … iteration, when they have been waited for.
// CHECK-LABEL: @stages3
func.func @stages3(%x: memref<16x64xf32>, %out: memref<256xf32>) attributes {gpu.known_block_size = array<i32: 64,1,1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c8 = arith.constant 8 : index
  %c63 = arith.constant 63 : index
  %f0 = arith.constant 0.0 : f32
  %t = gpu.thread_id x
  %m = arith.subi %c63, %t : index
  %a = memref.alloc() : memref<3x64xf32, #wg>
  %tk0 = nvgpu.device_async_copy %x[%c0, %t], %a[%c0, %t], 1 : memref<16x64xf32> to memref<3x64xf32, #wg>
  %g0 = nvgpu.device_async_create_group %tk0
  %tk1 = nvgpu.device_async_copy %x[%c1, %t], %a[%c1, %t], 1 : memref<16x64xf32> to memref<3x64xf32, #wg>
  %g1 = nvgpu.device_async_create_group %tk1
  %r = scf.for %k = %c0 to %c8 step %c1 iter_args(%acc = %f0) -> f32 {
    nvgpu.device_async_wait %g0 {numGroups = 1 : i32}
    gpu.barrier
    %k1 = arith.addi %k, %c2 : index
    %s1 = arith.remui %k1, %c3 : index
    %s = arith.remui %k, %c3 : index
    %tk = nvgpu.device_async_copy %x[%k1, %t], %a[%s1, %t], 1 : memref<16x64xf32> to memref<3x64xf32, #wg>
    %g = nvgpu.device_async_create_group %tk
    %v = memref.load %a[%s, %m] : memref<3x64xf32, #wg>
    %ac = arith.addf %acc, %v : f32
    scf.yield %ac : f32
  }
  memref.store %r, %out[%t] : memref<256xf32>
  nvgpu.device_async_wait %g0 {numGroups = 0 : i32}
  return
}

// CHECK-LABEL: @stages4
func.func @stages4(%x: memref<16x64xf32>, %out: memref<256xf32>) attributes {gpu.known_block_size = array<i32: 64,1,1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %c63 = arith.constant 63 : index
  %f0 = arith.constant 0.0 : f32
  %t = gpu.thread_id x
  %m = arith.subi %c63, %t : index
  %a = memref.alloc() : memref<4x64xf32, #wg>
  %tk0 = nvgpu.device_async_copy %x[%c0, %t], %a[%c0, %t], 1 : memref<16x64xf32> to memref<4x64xf32, #wg>
  %g0 = nvgpu.device_async_create_group %tk0
  %tk1 = nvgpu.device_async_copy %x[%c1, %t], %a[%c1, %t], 1 : memref<16x64xf32> to memref<4x64xf32, #wg>
  %g1 = nvgpu.device_async_create_group %tk1
  %tk2 = nvgpu.device_async_copy %x[%c2, %t], %a[%c2, %t], 1 : memref<16x64xf32> to memref<4x64xf32, #wg>
  %g2 = nvgpu.device_async_create_group %tk2
  %r = scf.for %k = %c0 to %c8 step %c1 iter_args(%acc = %f0) -> f32 {
    nvgpu.device_async_wait %g0 {numGroups = 2 : i32}
    gpu.barrier
    %k1 = arith.addi %k, %c3 : index
    %s1 = arith.remui %k1, %c4 : index
    %s = arith.remui %k, %c4 : index
    %tk = nvgpu.device_async_copy %x[%k1, %t], %a[%s1, %t], 1 : memref<16x64xf32> to memref<4x64xf32, #wg>
    %g = nvgpu.device_async_create_group %tk
    %v = memref.load %a[%s, %m] : memref<4x64xf32, #wg>
    %ac = arith.addf %acc, %v : f32
    scf.yield %ac : f32
  }
  memref.store %r, %out[%t] : memref<256xf32>
  nvgpu.device_async_wait %g0 {numGroups = 0 : i32}
  return
}

// -----

#wg = #gpu.address_space<workgroup>

// An exclusive or with a constant is a permutation.
// CHECK-LABEL: @slot
func.func @slot() attributes {gpu.known_block_size = array<i32: 96,1,1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %f1 = arith.constant 1.0 : f32
  %t = gpu.thread_id x
  %m = arith.xori %t, %c1 : index
  %a = memref.alloc() : memref<4x96xf32, #wg>
  scf.for %i = %c0 to %c4 step %c1 {
    %i2 = arith.addi %i, %c2 : index
    %s = arith.remui %i2, %c4 : index
    memref.store %f1, %a[%s, %m] : memref<4x96xf32, #wg>
  }
  return
}

// -----

#wg = #gpu.address_space<workgroup>

// Loops and conditions of other dialects.
// CHECK-LABEL: @affine_for
func.func @affine_for(%out: memref<256xf32>) attributes {gpu.known_block_size = array<i32: 64,1,1>} {
  %f1 = arith.constant 1.0 : f32
  %c63 = arith.constant 63 : index
  %t = gpu.thread_id x
  %m = arith.subi %c63, %t : index
  %a = memref.alloc() : memref<64xf32, #wg>
  affine.for %k = 0 to 5 {
    memref.store %f1, %a[%t] : memref<64xf32, #wg>
    gpu.barrier
    %v = memref.load %a[%m] : memref<64xf32, #wg>
    memref.store %v, %out[%t] : memref<256xf32>
    gpu.barrier
  }
  return
}

// CHECK-LABEL: @affine_if
func.func @affine_if(%out: memref<256xf32>, %n: index) attributes {gpu.known_block_size = array<i32: 64,1,1>} {
  %f1 = arith.constant 1.0 : f32
  %c63 = arith.constant 63 : index
  %t = gpu.thread_id x
  %m = arith.subi %c63, %t : index
  %a = memref.alloc() : memref<64xf32, #wg>
  memref.store %f1, %a[%t] : memref<64xf32, #wg>
  affine.if affine_set<()[s] : (s - 3 >= 0)>()[%n] {
    gpu.barrier
    %v = memref.load %a[%m] : memref<64xf32, #wg>
    memref.store %v, %out[%t] : memref<256xf32>
  }
  return
}

// CHECK-LABEL: @scf_parallel
func.func @scf_parallel(%out: memref<256xf32>) attributes {gpu.known_block_size = array<i32: 64,1,1>} {
  %f1 = arith.constant 1.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %c63 = arith.constant 63 : index
  %t = gpu.thread_id x
  %m = arith.subi %c63, %t : index
  %a = memref.alloc() : memref<64xf32, #wg>
  scf.parallel (%k) = (%c0) to (%c5) step (%c1) {
    memref.store %f1, %a[%t] : memref<64xf32, #wg>
    gpu.barrier
    %v = memref.load %a[%m] : memref<64xf32, #wg>
    memref.store %v, %out[%t] : memref<256xf32>
    gpu.barrier
  }
  return
}

// -----

#wg = #gpu.address_space<workgroup>

// Steps that are the size of the grid or of the block.
// CHECK-LABEL: @persistent
func.func @persistent(%x: memref<256xf32>, %out: memref<256xf32>) attributes {gpu.known_block_size = array<i32: 64,1,1>, gpu.known_grid_size = array<i32: 2,1,1>} {
  %c4 = arith.constant 4 : index
  %c64 = arith.constant 64 : index
  %t = gpu.thread_id x
  %b = gpu.block_id x
  %g = gpu.grid_dim x
  scf.for %w = %b to %c4 step %g {
    %o = arith.muli %w, %c64 : index
    %o2 = arith.addi %o, %t : index
    %v = memref.load %x[%o2] : memref<256xf32>
    memref.store %v, %out[%o2] : memref<256xf32>
  }
  return
}

// CHECK-LABEL: @grid_stride
func.func @grid_stride(%x: memref<256xf32>, %out: memref<256xf32>) attributes {gpu.known_block_size = array<i32: 64,1,1>, gpu.known_grid_size = array<i32: 2,1,1>} {
  %c256 = arith.constant 256 : index
  %i = gpu.global_id x
  %d = gpu.block_dim x
  %g = gpu.grid_dim x
  %s = arith.muli %g, %d : index
  scf.for %k = %i to %c256 step %s {
    %v = memref.load %x[%k] : memref<256xf32>
    memref.store %v, %out[%k] : memref<256xf32>
  }
  return
}

// CHECK-LABEL: @block_stride
func.func @block_stride(%x: memref<256xf32>, %out: memref<256xf32>) attributes {gpu.known_block_size = array<i32: 64,1,1>, gpu.known_grid_size = array<i32: 1,1,1>} {
  %c256 = arith.constant 256 : index
  %t = gpu.thread_id x
  %d = gpu.block_dim x
  scf.for %k = %t to %c256 step %d {
    %v = memref.load %x[%k] : memref<256xf32>
    memref.store %v, %out[%k] : memref<256xf32>
  }
  return
}

// -----

// Ids of blocks are the same in a workgroup, whoever reads them.
// CHECK-LABEL: @k
func.func @k(%out: memref<256xf32>) attributes {gpu.known_block_size = array<i32: 64,1,1>, gpu.known_grid_size = array<i32: 1,1,1>} {
  %i0 = arith.constant 0 : i32
  %b = nvvm.read.ptx.sreg.ctaid.x : i32
  %p = arith.cmpi eq, %b, %i0 : i32
  scf.if %p {
    gpu.barrier
  }
  return
}

// CHECK-LABEL: @r
func.func @r(%out: memref<256xf32>) attributes {gpu.known_block_size = array<i32: 64,1,1>, gpu.known_grid_size = array<i32: 1,1,1>} {
  %i0 = arith.constant 0 : i32
  %b = rocdl.workgroup.id.x : i32
  %p = arith.cmpi eq, %b, %i0 : i32
  scf.if %p {
    gpu.barrier
  }
  return
}

// -----

#wg = #gpu.address_space<workgroup>

// Dynamic workgroup memory; whoever asks for it gets the same bytes.
// CHECK-LABEL: @one
func.func @one(%out: memref<256xf32>) attributes {gpu.known_block_size = array<i32: 64,1,1>} {
  %c0 = arith.constant 0 : index
  %c256 = arith.constant 256 : index
  %f1 = arith.constant 1.0 : f32
  %t = gpu.thread_id x
  %A = gpu.dynamic_shared_memory : memref<?xi8, #wg>
  %fa = memref.view %A[%c0][] : memref<?xi8, #wg> to memref<64xf32, #wg>
  memref.store %f1, %fa[%t] : memref<64xf32, #wg>
  %v = memref.load %fa[%t] : memref<64xf32, #wg>
  memref.store %v, %out[%t] : memref<256xf32>
  return
}

// CHECK-LABEL: @two
func.func @two(%out: memref<256xf32>) attributes {gpu.known_block_size = array<i32: 64,1,1>} {
  %c0 = arith.constant 0 : index
  %c256 = arith.constant 256 : index
  %f1 = arith.constant 1.0 : f32
  %t = gpu.thread_id x
  %A = gpu.dynamic_shared_memory : memref<?xi8, #wg>
  %B = gpu.dynamic_shared_memory : memref<?xi8, #wg>
  %fa = memref.view %A[%c0][] : memref<?xi8, #wg> to memref<64xf32, #wg>
  %fb = memref.view %B[%c256][] : memref<?xi8, #wg> to memref<64xf32, #wg>
  memref.store %f1, %fa[%t] : memref<64xf32, #wg>
  memref.store %f1, %fb[%t] : memref<64xf32, #wg>
  %v = memref.load %fb[%t] : memref<64xf32, #wg>
  memref.store %v, %out[%t] : memref<256xf32>
  return
}

// -----

#wg = #gpu.address_space<workgroup>

// H16: behind the loop the slots of its last iterations are known.
// CHECK-LABEL: @peeled
func.func @peeled(%x: memref<16x64xf32>, %out: memref<256xf32>) attributes {gpu.known_block_size = array<i32: 64,1,1>} {
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
    %tk = nvgpu.device_async_copy %x[%k1, %t], %a[%s1, %t], 1 : memref<16x64xf32> to memref<3x64xf32, #wg>
    %g = nvgpu.device_async_create_group %tk
    %v = memref.load %a[%s, %m] : memref<3x64xf32, #wg>
    %ac = arith.addf %acc, %v : f32
    scf.yield %ac : f32
  }
  nvgpu.device_async_wait %g0 {numGroups = 1 : i32}
  gpu.barrier
  %v6 = memref.load %a[%c0, %m] : memref<3x64xf32, #wg>
  nvgpu.device_async_wait %g0 {numGroups = 0 : i32}
  gpu.barrier
  %v7 = memref.load %a[%c1, %m] : memref<3x64xf32, #wg>
  %r6 = arith.addf %r, %v6 : f32
  %r7 = arith.addf %r6, %v7 : f32
  memref.store %r7, %out[%t] : memref<256xf32>
  return
}

// -----

// A block forall promised that its iterations do not meet, whatever the data.
func.func @promised_workgroups(%where: memref<?xindex>, %out: memref<?xf32>, %f: f32)
    attributes {gpu.known_block_size = array<i32: 1, 1, 1>} {
  %b = gpu.block_id x
  %i = memref.load %where[%b] : memref<?xindex>
  memref.store %f, %out[%i] {memspace.workgroup_disjoint = array<i64: 0>} : memref<?xf32>
  return
}

// -----

#wg = #gpu.address_space<workgroup>

// Each thread reads what it wrote, at an index that is no affine one, in a loop
// that runs once.
func.func @loop_that_runs_once(%v: f32, %out: memref<128xf32>)
    attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c116 = arith.constant 116 : index
  %t = gpu.thread_id x
  %i = arith.xori %t, %c116 : index
  %a = memref.alloc() : memref<128xf32, #wg>
  memref.store %v, %a[%i] : memref<128xf32, #wg>
  scf.for %k = %c0 to %c1 step %c1 {
    %j = arith.addi %i, %k : index
    %0 = memref.load %a[%j] : memref<128xf32, #wg>
    memref.store %0, %out[%t] : memref<128xf32>
  }
  return
}
