// RUN: memspace-opt %s -memspace-insert-barriers=subgroup-size=32 -split-input-file | FileCheck %s

// The numbers H1, H2, … are the situations of the hazard tests.

#wg = #gpu.address_space<workgroup>

// H1: store own element, load the neighbour's (RAW), store again (WAR).
// CHECK-LABEL: @neighbour
// CHECK: {{^ .*}}memref.store
// CHECK: gpu.barrier {memspace.hazard = "RAW on memref<128xf32, #gpu.address_space<workgroup>>{{.*}}'memref.store' at {{.*}}'memref.load' at {{.*$}}
// CHECK-NEXT: memref.load
// CHECK-NEXT: gpu.barrier {memspace.hazard = "WAR{{.*$}}
// CHECK-NEXT: memref.store
// CHECK-NOT: gpu.barrier
// CHECK: return
func.func @neighbour(%v: f32, %out: memref<128xf32>)
    attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
  %t = gpu.thread_id x
  %n = affine.apply affine_map<(d0) -> ((d0 + 1) mod 128)>(%t)
  %a = memref.alloc() : memref<128xf32, #wg>
  memref.store %v, %a[%t] : memref<128xf32, #wg>
  %0 = memref.load %a[%n] : memref<128xf32, #wg>
  memref.store %0, %a[%t] : memref<128xf32, #wg>
  memref.store %0, %out[%t] : memref<128xf32>
  return
}

// -----

#wg = #gpu.address_space<workgroup>

// H2: own elements only.
// CHECK-LABEL: @own
// CHECK-NOT: {{gpu.barrier|subgroup_barrier}}
// CHECK: return
func.func @own(%v: f32) attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
  %t = gpu.thread_id x
  %a = memref.alloc() : memref<128xf32, #wg>
  memref.store %v, %a[%t] : memref<128xf32, #wg>
  %0 = memref.load %a[%t] : memref<128xf32, #wg>
  memref.store %0, %a[%t] : memref<128xf32, #wg>
  return
}

// -----

#wg = #gpu.address_space<workgroup>

// H3: disjoint constant subviews; then unknown offsets.
// CHECK-LABEL: @subviews
// CHECK: {{^ .*}}linalg.fill
// CHECK-NEXT: memref.load
// CHECK: gpu.barrier{{.*$}}
// CHECK-NEXT: memref.load
// CHECK-NOT: {{gpu.barrier|subgroup_barrier}}
// CHECK: return
func.func @subviews(%v: f32, %i: index) attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
  %t = gpu.thread_id x
  %c3 = arith.constant 3 : index
  %a = memref.alloc() : memref<256xf32, #wg>
  %lo = memref.subview %a[0] [128] [1] : memref<256xf32, #wg> to memref<128xf32, strided<[1]>, #wg>
  %hi = memref.subview %a[128] [128] [1] : memref<256xf32, #wg> to memref<128xf32, strided<[1], offset: 128>, #wg>
  %any = memref.subview %a[%i] [128] [1] : memref<256xf32, #wg> to memref<128xf32, strided<[1], offset: ?>, #wg>
  linalg.fill {memspace.disjoint = array<i64: 0>} ins(%v : f32) outs(%lo : memref<128xf32, strided<[1]>, #wg>)
  %0 = memref.load %hi[%c3] : memref<128xf32, strided<[1], offset: 128>, #wg>
  %1 = memref.load %any[%c3] : memref<128xf32, strided<[1], offset: ?>, #wg>
  return
}

// -----

#wg = #gpu.address_space<workgroup>

// H5: a tile that is written and read in each iteration takes two barriers: RAW
// and, across the back edge, WAR.
// CHECK-LABEL: @tile_loop
// CHECK: scf.for
// CHECK: gpu.barrier {memspace.hazard = "WAR{{.*$}}
// CHECK-NEXT: memref.store
// CHECK-NEXT: gpu.barrier {memspace.hazard = "RAW{{.*$}}
// CHECK-NEXT: memref.load
// CHECK-NOT: {{gpu.barrier|subgroup_barrier}}
// CHECK: return
func.func @tile_loop(%x: memref<128xf32>, %n: index, %out: memref<128xf32>)
    attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %t = gpu.thread_id x
  %r = affine.apply affine_map<(d0) -> (127 - d0)>(%t)
  %a = memref.alloc() : memref<128xf32, #wg>
  scf.for %k = %c0 to %n step %c1 {
    %v = memref.load %x[%t] : memref<128xf32>
    memref.store %v, %a[%t] : memref<128xf32, #wg>
    %0 = memref.load %a[%r] : memref<128xf32, #wg>
    memref.store %0, %out[%t] : memref<128xf32>
  }
  return
}

// -----

#wg = #gpu.address_space<workgroup>

// H5 with two buffers that swap: one barrier an iteration.
// CHECK-LABEL: @double_buffer
// CHECK: scf.for
// CHECK-COUNT-1: gpu.barrier{{.*$}}
// CHECK-NOT: {{gpu.barrier|subgroup_barrier}}
// CHECK: return
func.func @double_buffer(%x: memref<128xf32>, %n: index, %out: memref<128xf32>)
    attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %t = gpu.thread_id x
  %r = affine.apply affine_map<(d0) -> (127 - d0)>(%t)
  %a = memref.alloc() : memref<128xf32, #wg>
  %b = memref.alloc() : memref<128xf32, #wg>
  %v = memref.load %x[%t] : memref<128xf32>
  memref.store %v, %a[%t] : memref<128xf32, #wg>
  scf.for %k = %c0 to %n step %c1 iter_args(%cur = %a, %nxt = %b)
      -> (memref<128xf32, #wg>, memref<128xf32, #wg>) {
    %0 = memref.load %cur[%r] : memref<128xf32, #wg>
    memref.store %0, %nxt[%t] : memref<128xf32, #wg>
    scf.yield %nxt, %cur : memref<128xf32, #wg>, memref<128xf32, #wg>
  }
  return
}

// -----

#wg = #gpu.address_space<workgroup>

// H6, H7: a barrier in one branch does not order the other; in both it does.
// CHECK-LABEL: @branches
// CHECK: {{^ .*}}memref.store
// CHECK: scf.if
// CHECK: gpu.barrier{{.*$}}
// CHECK: }
// CHECK: gpu.barrier {memspace.hazard = "RAW{{.*$}}
// CHECK-NEXT: memref.load
// CHECK: gpu.barrier {memspace.hazard = "WAR{{.*$}}
// CHECK-NEXT: memref.store
// CHECK: scf.if
// CHECK: gpu.barrier{{.*$}}
// CHECK: } else {
// CHECK: gpu.barrier{{.*$}}
// CHECK: }
// CHECK-NEXT: memref.load
// CHECK-NOT: {{gpu.barrier|subgroup_barrier}}
// CHECK: return
func.func @branches(%flag: i1, %v: f32) attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
  %t = gpu.thread_id x
  %r = affine.apply affine_map<(d0) -> (127 - d0)>(%t)
  %a = memref.alloc() : memref<128xf32, #wg>
  memref.store %v, %a[%t] : memref<128xf32, #wg>
  scf.if %flag {
    gpu.barrier
  }
  %0 = memref.load %a[%r] : memref<128xf32, #wg>
  memref.store %0, %a[%t] : memref<128xf32, #wg>
  scf.if %flag {
    gpu.barrier
  } else {
    gpu.barrier
  }
  %1 = memref.load %a[%r] : memref<128xf32, #wg>
  return
}

// -----

#wg = #gpu.address_space<workgroup>

// The barrier stands before the guard that only some threads enter, and before
// the loop when nothing in the loop writes.
// CHECK-LABEL: @guard
// CHECK: {{^ .*}}memref.store
// CHECK: gpu.barrier{{.*$}}
// CHECK-NEXT: scf.for
// CHECK: scf.if
// CHECK-NOT: {{gpu.barrier|subgroup_barrier}}
// CHECK: return
func.func @guard(%v: f32, %m: index, %out: memref<128xf32>)
    attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c6 = arith.constant 6 : index
  %t = gpu.thread_id x
  %r = affine.apply affine_map<(d0) -> (127 - d0)>(%t)
  %a = memref.alloc() : memref<128xf32, #wg>
  memref.store %v, %a[%t] : memref<128xf32, #wg>
  scf.for %k = %c0 to %c6 step %c1 {
    %in = arith.cmpi slt, %t, %m : index
    scf.if %in {
      %0 = memref.load %a[%r] : memref<128xf32, #wg>
      memref.store %0, %out[%t] : memref<128xf32>
    }
  }
  return
}

// -----

#wg = #gpu.address_space<workgroup>

// H8, H11: aliases through select, a loop that swaps, and views.
// CHECK-LABEL: @aliases
// CHECK: {{^ .*}}memref.store
// CHECK: gpu.barrier{{.*$}}
// CHECK-NEXT: memref.load
// CHECK: gpu.barrier{{.*$}}
// CHECK-NEXT: memref.store
// CHECK: gpu.barrier{{.*$}}
// CHECK-NEXT: memref.load
// CHECK: return
func.func @aliases(%flag: i1, %v: f32) attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
  %t = gpu.thread_id x
  %r = affine.apply affine_map<(d0) -> (127 - d0)>(%t)
  %a = memref.alloc() : memref<128xf32, #wg>
  %b = memref.alloc() : memref<128xf32, #wg>
  memref.store %v, %a[%t] : memref<128xf32, #wg>
  %s = arith.select %flag, %a, %b : memref<128xf32, #wg>
  %0 = memref.load %s[%r] : memref<128xf32, #wg>
  %c = memref.reinterpret_cast %a to offset: [0], sizes: [64], strides: [2] : memref<128xf32, #wg> to memref<64xf32, strided<[2]>, #wg>
  memref.store %0, %a[%t] : memref<128xf32, #wg>
  %c3 = arith.constant 3 : index
  %1 = memref.load %c[%c3] : memref<64xf32, strided<[2]>, #wg>
  return
}

// -----

#wg = #gpu.address_space<workgroup>

// H10: reads need no barrier between them. H13: nor do atomics; an atomic and a
// plain read do.
// CHECK-LABEL: @atomics
// CHECK-NOT: {{gpu.barrier|subgroup_barrier}}
// CHECK: {{^ .*}}memref.atomic_rmw
// CHECK-NOT: {{gpu.barrier|subgroup_barrier}}
// CHECK: {{^ .*}}memref.atomic_rmw
// CHECK: gpu.barrier{{.*$}}
// CHECK-NEXT: memref.load
// CHECK-NEXT: memref.load
// CHECK-NOT: {{gpu.barrier|subgroup_barrier}}
// CHECK: return
func.func @atomics(%v: f32, %i: index) attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
  %t = gpu.thread_id x
  %a = memref.alloc() : memref<128xf32, #wg>
  %0 = memref.atomic_rmw addf %v, %a[%i] : (f32, memref<128xf32, #wg>) -> f32
  %1 = memref.atomic_rmw addf %v, %a[%t] : (f32, memref<128xf32, #wg>) -> f32
  %2 = memref.load %a[%i] : memref<128xf32, #wg>
  %3 = memref.load %a[%t] : memref<128xf32, #wg>
  return
}

// -----

#wg = #gpu.address_space<workgroup>

// H14: one instance for each subgroup, exchanged between its lanes.
// CHECK-LABEL: @subgroup
// CHECK: {{^ .*}}memref.store
// CHECK-NEXT: memspace.subgroup_barrier {memspace.hazard = "RAW{{.*$}}
// CHECK-NEXT: memref.load
// CHECK-NOT: {{gpu.barrier|subgroup_barrier}}
// CHECK: return
func.func @subgroup(%v: f32) attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
  %t = gpu.thread_id x
  %l = affine.apply affine_map<(d0) -> (d0 mod 32)>(%t)
  %n = affine.apply affine_map<(d0) -> ((d0 + 1) mod 32)>(%l)
  %o = affine.apply affine_map<(d0) -> ((d0 floordiv 32) * 128)>(%t)
  %arena = memref.alloc() {memspace.per_subgroup = 32 : i64} : memref<512xi8, #wg>
  %a = memref.view %arena[%o][] : memref<512xi8, #wg> to memref<32xf32, #wg>
  memref.store %v, %a[%l] : memref<32xf32, #wg>
  %0 = memref.load %a[%n] : memref<32xf32, #wg>
  return
}

// -----

#wg = #gpu.address_space<workgroup>

// H14 where only some subgroups enter.
// CHECK-LABEL: @some_subgroups
// CHECK: scf.if
// CHECK: {{^ .*}}memref.store
// CHECK-NEXT: memspace.subgroup_barrier{{.*$}}
// CHECK-NEXT: memref.load
// CHECK: return
func.func @some_subgroups(%v: f32) attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
  %t = gpu.thread_id x
  %c2 = arith.constant 2 : index
  %w = affine.apply affine_map<(d0) -> (d0 floordiv 32)>(%t)
  %l = affine.apply affine_map<(d0) -> (d0 mod 32)>(%t)
  %n = affine.apply affine_map<(d0) -> ((d0 + 1) mod 32)>(%l)
  %o = affine.apply affine_map<(d0) -> ((d0 floordiv 32) * 128)>(%t)
  %arena = memref.alloc() {memspace.per_subgroup = 32 : i64} : memref<512xi8, #wg>
  %a = memref.view %arena[%o][] : memref<512xi8, #wg> to memref<32xf32, #wg>
  %in = arith.cmpi slt, %w, %c2 : index
  scf.if %in {
    memref.store %v, %a[%l] : memref<32xf32, #wg>
    %0 = memref.load %a[%n] : memref<32xf32, #wg>
  }
  return
}

// -----

#wg = #gpu.address_space<workgroup>

// H15: views of one arena with different types; disjoint ones do not conflict.
// CHECK-LABEL: @arena
// CHECK: {{^ .*}}memref.store
// CHECK-NEXT: memref.load
// CHECK: gpu.barrier{{.*$}}
// CHECK-NEXT: memref.load
// CHECK-NOT: {{gpu.barrier|subgroup_barrier}}
// CHECK: return
func.func @arena(%v: f32) attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
  %t = gpu.thread_id x
  %c0 = arith.constant 0 : index
  %c512 = arith.constant 512 : index
  %arena = memref.alloc() : memref<640xi8, #wg>
  %f = memref.view %arena[%c0][] : memref<640xi8, #wg> to memref<128xf32, #wg>
  %g = memref.view %arena[%c512][] : memref<640xi8, #wg> to memref<128xi8, #wg>
  %h = memref.view %arena[%c0][] : memref<640xi8, #wg> to memref<128xi8, #wg>
  memref.store %v, %f[%t] : memref<128xf32, #wg>
  %0 = memref.load %g[%t] : memref<128xi8, #wg>
  %1 = memref.load %h[%t] : memref<128xi8, #wg>
  return
}

// -----

#wg = #gpu.address_space<workgroup>

// H16: a barrier between an asynchronous copy and its wait orders nothing; one
// after the wait does.
// CHECK-LABEL: @async
// CHECK: gpu.barrier{{.*$}}
// CHECK: nvgpu.device_async_wait
// CHECK: gpu.barrier {memspace.hazard{{.*$}}
// CHECK-NEXT: memref.load
func.func @async(%x: memref<128xf32>) attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
  %t = gpu.thread_id x
  %r = affine.apply affine_map<(d0) -> (127 - d0)>(%t)
  %a = memref.alloc() : memref<128xf32, #wg>
  %c = nvgpu.device_async_copy %x[%t], %a[%t], 1 : memref<128xf32> to memref<128xf32, #wg>
  %g = nvgpu.device_async_create_group %c
  gpu.barrier
  nvgpu.device_async_wait %g
  %0 = memref.load %a[%r] : memref<128xf32, #wg>
  return
}

// -----

#wg = #gpu.address_space<workgroup>

// H18: two threads write one element.
// CHECK-LABEL: @waw
// CHECK: {{^ .*}}memref.store
// CHECK-NEXT: gpu.barrier {memspace.hazard = "WAW{{.*$}}
// CHECK-NEXT: memref.store
func.func @waw(%v: f32) attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
  %t = gpu.thread_id x
  %r = affine.apply affine_map<(d0) -> (127 - d0)>(%t)
  %a = memref.alloc() : memref<128xf32, #wg>
  memref.store %v, %a[%t] : memref<128xf32, #wg>
  memref.store %v, %a[%r] : memref<128xf32, #wg>
  return
}

// -----

#wg = #gpu.address_space<workgroup>

// H19: between the regions of a while, across its iterations.
// CHECK-LABEL: @while
// The second region is executed once less than the first.
// CHECK: scf.while
// CHECK-NOT: gpu.barrier
// CHECK: do
// CHECK: gpu.barrier{{.*$}}
// CHECK-NEXT: memref.store
// CHECK: gpu.barrier{{.*$}}
// CHECK-NEXT: scf.yield
func.func @while(%n: index, %v: f32) attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %t = gpu.thread_id x
  %a = memref.alloc() : memref<128xindex, #wg>
  %0 = scf.while (%i = %c0) : (index) -> index {
    %limit = memref.load %a[%c0] : memref<128xindex, #wg>
    %more = arith.cmpi slt, %i, %limit : index
    scf.condition(%more) %i : index
  } do {
  ^bb0(%i: index):
    memref.store %n, %a[%t] : memref<128xindex, #wg>
    %j = arith.addi %i, %c1 : index
    scf.yield %j : index
  }
  return
}

// -----

#wg = #gpu.address_space<workgroup>

// H20: an argument is not the workgroup buffer; global memory that threads of
// one workgroup exchange needs a barrier, too.
// CHECK-LABEL: @global
// CHECK-NOT: {{gpu.barrier|subgroup_barrier}}
// CHECK: {{^ .*}}memref.store %{{.*}}, %arg0
// CHECK-NEXT: memref.load %alloc
// CHECK-NEXT: memref.load %arg1
// CHECK: gpu.barrier{{.*$}}
// CHECK-NEXT: memref.load %arg0
func.func @global(%x: memref<128xf32>, %y: memref<128xf32>, %v: f32) attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
  %t = gpu.thread_id x
  %r = affine.apply affine_map<(d0) -> (127 - d0)>(%t)
  %a = memref.alloc() : memref<128xf32, #wg>
  memref.store %v, %x[%t] : memref<128xf32>
  %0 = memref.load %a[%r] : memref<128xf32, #wg>
  %1 = memref.load %y[%r] : memref<128xf32>
  %2 = memref.load %x[%r] : memref<128xf32>
  return
}

// -----

#wg = #gpu.address_space<workgroup>

// The promise of a forall holds in one instance of it: across the wave loop,
// not across another loop.
// CHECK-LABEL: @promise
// CHECK: scf.for
// CHECK: gpu.barrier{{.*$}}
// CHECK-NEXT: scf.for
// CHECK-NOT: {{gpu.barrier|subgroup_barrier}}
// CHECK: return
func.func @promise(%idx: memref<256xindex>, %v: f32) attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c9 = arith.constant 9 : index
  %t = gpu.thread_id x
  %a = memref.alloc() : memref<256xf32, #wg>
  scf.for %k = %c0 to %c9 step %c1 {
    scf.for %w = %c0 to %c2 step %c1 {
      %i = affine.apply affine_map<(d0, d1) -> (d0 * 128 + d1)>(%w, %t)
      %j = memref.load %idx[%i] : memref<256xindex>
      %0 = memref.load %a[%j] {memspace.disjoint = array<i64: 3>} : memref<256xf32, #wg>
      memref.store %0, %a[%j] {memspace.disjoint = array<i64: 3>} : memref<256xf32, #wg>
    } {memspace.forall_loop = 3 : i64}
  }
  return
}

// -----

// Loads of different elements do not make a private table differ between
// threads: the branch stays uniform, and a barrier may stand in it.
// CHECK-LABEL: func.func @private_table
// CHECK: scf.if
// CHECK: {{^ *}}memref.store
// CHECK: gpu.barrier{{.*$}}
// CHECK-NEXT: memref.load
func.func @private_table(%x: memref<64xi32>, %out: memref<64xi32>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : i32
  %c63 = arith.constant 63 : index
  %tile = memref.alloc() : memref<64xi32, #gpu.address_space<workgroup>>
  %table = memref.alloca() : memref<64xi32, #gpu.address_space<private>>
  %t = gpu.thread_id x
  %r = arith.subi %c63, %t : index
  linalg.copy ins(%x : memref<64xi32>) outs(%table : memref<64xi32, #gpu.address_space<private>>)
  %first = memref.load %table[%c0] : memref<64xi32, #gpu.address_space<private>>
  %cond = arith.cmpi sgt, %first, %c1 : i32
  scf.if %cond {
    %mine = memref.load %table[%t] : memref<64xi32, #gpu.address_space<private>>
    memref.store %mine, %tile[%t] : memref<64xi32, #gpu.address_space<workgroup>>
    %other = memref.load %tile[%r] : memref<64xi32, #gpu.address_space<workgroup>>
    memref.store %other, %out[%t] : memref<64xi32>
  }
  return
}

// -----

// Subgroups of a two-dimensional workgroup: 2 y + x / 32 is their number, so
// that instances of it are apart and the branch is uniform in a subgroup.
#instance = affine_map<()[x, y] -> (y * 256 + (x floordiv 32) * 128)>
#row = affine_map<()[x, y] -> (y * 2 + x floordiv 32)>
#lane = affine_map<()[x] -> (x mod 32)>
#mirror = affine_map<()[x] -> (-(x mod 32) + 31)>
// CHECK-LABEL: func.func @guarded_subgroups
// CHECK-NOT: gpu.barrier
// CHECK: {{^ *}}memref.store
// CHECK-NEXT: memspace.subgroup_barrier{{.*$}}
// CHECK-NEXT: memref.load
// CHECK-NOT: gpu.barrier
func.func @guarded_subgroups(%x: memref<3x32xi32>, %out: memref<3x32xi32>)
    attributes {gpu.known_block_size = array<i32: 64, 2, 1>} {
  %c0 = arith.constant 0 : index
  %c3 = arith.constant 3 : index
  %tiles = memref.alloc() : memref<512xi8, #gpu.address_space<workgroup>>
  %tx = gpu.thread_id x
  %ty = gpu.thread_id y
  %w = affine.apply #row()[%tx, %ty]
  %l = affine.apply #lane()[%tx]
  %m = affine.apply #mirror()[%tx]
  %cond = arith.cmpi slt, %w, %c3 : index
  scf.if %cond {
    %bytes = affine.apply #instance()[%tx, %ty]
    %tile = memref.view %tiles[%bytes][] : memref<512xi8, #gpu.address_space<workgroup>> to memref<32xi32, #gpu.address_space<workgroup>>
    %v = memref.load %x[%w, %l] : memref<3x32xi32>
    memref.store %v, %tile[%l] : memref<32xi32, #gpu.address_space<workgroup>>
    %o = memref.load %tile[%m] : memref<32xi32, #gpu.address_space<workgroup>>
    memref.store %o, %out[%w, %l] : memref<3x32xi32>
  }
  return
}

// -----

#wg = #gpu.address_space<workgroup>

// A hazard inside a guard: the guard is split around the barrier. What was
// loaded before is carried over, an index is computed again.
// CHECK-LABEL: @split_guard
// CHECK: %[[IN:.*]] = arith.cmpi
// CHECK: %[[CARRIED:.*]] = scf.if %[[IN]] -> (f32) {
// CHECK: %[[LOADED:.*]] = memref.load
// CHECK: memref.store %[[LOADED]]
// CHECK: scf.yield %[[LOADED]]
// CHECK: gpu.barrier {memspace.hazard = "RAW{{.*$}}
// CHECK-NEXT: scf.if %[[IN]] {
// CHECK: affine.apply
// CHECK: %[[OTHER:.*]] = memref.load
// CHECK: arith.addf %[[OTHER]], %[[CARRIED]]
// CHECK-NOT: {{gpu.barrier|subgroup_barrier}}
// CHECK: return
func.func @split_guard(%x: memref<64xf32>, %out: memref<64xf32>) attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
  %t = gpu.thread_id x
  %c64 = arith.constant 64 : index
  %a = memref.alloc() : memref<64xf32, #wg>
  %in = arith.cmpi slt, %t, %c64 : index
  scf.if %in {
    %r = affine.apply affine_map<(d0) -> (63 - d0)>(%t)
    %0 = memref.load %x[%t] : memref<64xf32>
    memref.store %0, %a[%t] : memref<64xf32, #wg>
    %1 = memref.load %a[%r] : memref<64xf32, #wg>
    %2 = arith.addf %1, %0 : f32
    memref.store %2, %out[%t] : memref<64xf32>
  }
  return
}

// -----

#wg = #gpu.address_space<workgroup>

// One guard in another, both are split; and between two branches.
// CHECK-LABEL: @split_guards
// CHECK: scf.if %[[OUTER:.*]] {
// CHECK-NEXT: scf.if %[[INNER:.*]] {
// CHECK-NEXT: memref.store
// CHECK: gpu.barrier{{.*$}}
// CHECK-NEXT: scf.if %[[OUTER]] {
// CHECK-NEXT: scf.if %[[INNER]] {
// CHECK-NEXT: affine.apply
// CHECK-NEXT: memref.load
// CHECK: scf.if %[[INNER]] {
// CHECK-NEXT: memref.store
// CHECK: gpu.barrier{{.*$}}
// CHECK-NEXT: scf.if %[[INNER]] -> (f32) {
// CHECK-NEXT: scf.yield
// CHECK-NEXT: } else {
// CHECK-NEXT: memref.load
// CHECK: return
func.func @split_guards(%v: f32, %out: memref<128xf32>) attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
  %t = gpu.thread_id x
  %c64 = arith.constant 64 : index
  %c48 = arith.constant 48 : index
  %r = affine.apply affine_map<(d0) -> (127 - d0)>(%t)
  %a = memref.alloc() : memref<128xf32, #wg>
  %b = memref.alloc() : memref<128xf32, #wg>
  %outer = arith.cmpi slt, %t, %c64 : index
  %inner = arith.cmpi slt, %t, %c48 : index
  scf.if %outer {
    scf.if %inner {
      memref.store %v, %a[%t] : memref<128xf32, #wg>
      %0 = memref.load %a[%c48] : memref<128xf32, #wg>
      %1 = memref.load %a[%r] : memref<128xf32, #wg>
      %2 = memref.load %a[%t] : memref<128xf32, #wg>
      %7 = affine.apply affine_map<(d0) -> (47 - d0)>(%t)
      %3 = memref.load %a[%7] : memref<128xf32, #wg>
      memref.store %3, %out[%t] : memref<128xf32>
    }
  }
  %4 = scf.if %inner -> f32 {
    memref.store %v, %b[%t] : memref<128xf32, #wg>
    scf.yield %v : f32
  } else {
    %5 = memref.load %b[%r] : memref<128xf32, #wg>
    scf.yield %5 : f32
  }
  memref.store %4, %out[%t] : memref<128xf32>
  return
}

// -----

#wg = #gpu.address_space<workgroup>

// H16: a pipeline of two stages; each wait leaves the younger copy in flight,
// and one barrier behind it does for both, also of the buffer that is filled
// next.
// CHECK-LABEL: @pipeline
// CHECK: scf.for
// CHECK: gpu.barrier {memspace.hazard = "WAR{{.*$}}
// CHECK-NEXT: nvgpu.device_async_copy
// CHECK: nvgpu.device_async_wait
// CHECK-NEXT: gpu.barrier {memspace.hazard = "RAW{{.*$}}
// CHECK-NEXT: memref.load
// CHECK-NOT: {{gpu.barrier|subgroup_barrier}}
// CHECK: return
func.func @pipeline(%x: memref<4096xf32>, %out: memref<128xf32>) attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c16 = arith.constant 16 : index
  %c128 = arith.constant 128 : index
  %zero = arith.constant 0.0 : f32
  %t = gpu.thread_id x
  %r = affine.apply affine_map<(d0) -> (127 - d0)>(%t)
  %a = memref.alloc() : memref<2x128xf32, #wg>
  %0 = nvgpu.device_async_copy %x[%t], %a[%c0, %t], 1 : memref<4096xf32> to memref<2x128xf32, #wg>
  %g0 = nvgpu.device_async_create_group %0
  %sum = scf.for %i = %c0 to %c16 step %c1 iter_args(%s = %zero) -> f32 {
    %next = affine.apply affine_map<(d0)[s0] -> (d0 * 128 + s0 + 128)>(%i)[%t]
    %slot = affine.apply affine_map<(d0) -> (d0 mod 2)>(%i)
    %other = affine.apply affine_map<(d0) -> ((d0 + 1) mod 2)>(%i)
    %1 = nvgpu.device_async_copy %x[%next], %a[%other, %t], 1 : memref<4096xf32> to memref<2x128xf32, #wg>
    %g1 = nvgpu.device_async_create_group %1
    nvgpu.device_async_wait %g1 {numGroups = 1 : i32}
    %2 = memref.load %a[%slot, %r] : memref<2x128xf32, #wg>
    %3 = arith.addf %s, %2 : f32
    scf.yield %3 : f32
  }
  memref.store %sum, %out[%t] : memref<128xf32>
  return
}

// -----

#wg = #gpu.address_space<workgroup>

// A loop of blocks, as scf lowers to: one barrier for the RAW, one for the WAR
// of the next iteration.
// CHECK-LABEL: @blocks
// CHECK: ^bb2:
// CHECK-COUNT-2: gpu.barrier{{.*$}}
// CHECK-NOT: {{gpu.barrier|subgroup_barrier}}
// CHECK: ^bb3:
// CHECK-NOT: {{gpu.barrier|subgroup_barrier}}
func.func @blocks(%x: memref<128xf32>, %n: index, %out: memref<128xf32>)
    attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %t = gpu.thread_id x
  %r = affine.apply affine_map<(d0) -> (127 - d0)>(%t)
  %a = memref.alloc() : memref<128xf32, #wg>
  cf.br ^head(%c0 : index)
^head(%i: index):
  %more = arith.cmpi slt, %i, %n : index
  cf.cond_br %more, ^body, ^exit
^body:
  %v = memref.load %x[%t] : memref<128xf32>
  memref.store %v, %a[%t] : memref<128xf32, #wg>
  %0 = memref.load %a[%r] : memref<128xf32, #wg>
  memref.store %0, %out[%t] : memref<128xf32>
  %next = arith.addi %i, %c1 : index
  cf.br ^head(%next : index)
^exit:
  return
}

// -----

#wg = #gpu.address_space<workgroup>

// H16: four stages, with the barrier left out: one an iteration.
// CHECK-LABEL: @stages4
// CHECK: nvgpu.device_async_wait
// CHECK: gpu.barrier{{.*$}}
// CHECK-NOT: {{gpu.barrier|subgroup_barrier}}
// CHECK: return
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

// H14: the partner in a butterfly of one bit is in the same subgroup.
// CHECK-LABEL: @pair
// CHECK-NOT: gpu.barrier
// CHECK: memspace.subgroup_barrier{{.*$}}
// CHECK-NOT: gpu.barrier
// CHECK: return
func.func @pair(%out: memref<256xf32>) attributes {gpu.known_block_size = array<i32: 128,1,1>} {
  %c1 = arith.constant 1 : index
  %f1 = arith.constant 1.0 : f32
  %t = gpu.thread_id x
  %m = arith.xori %t, %c1 : index
  %a = memref.alloc() : memref<128xf32, #wg>
  memref.store %f1, %a[%t] : memref<128xf32, #wg>
  %v = memref.load %a[%m] : memref<128xf32, #wg>
  memref.store %v, %out[%t] : memref<256xf32>
  return
}

// CHECK-LABEL: @wider_pair
// CHECK-NOT: gpu.barrier
// CHECK: memspace.subgroup_barrier{{.*$}}
// CHECK-NOT: gpu.barrier
// CHECK: return
func.func @wider_pair(%out: memref<256xf32>) attributes {gpu.known_block_size = array<i32: 128,1,1>} {
  %c1 = arith.constant 8 : index
  %f1 = arith.constant 1.0 : f32
  %t = gpu.thread_id x
  %m = arith.xori %t, %c1 : index
  %a = memref.alloc() : memref<128xf32, #wg>
  memref.store %f1, %a[%t] : memref<128xf32, #wg>
  %v = memref.load %a[%m] : memref<128xf32, #wg>
  memref.store %v, %out[%t] : memref<256xf32>
  return
}

// -----

// Between the accesses of one call there are barriers in the kernel or nowhere.
// CHECK-LABEL: func.func @shares
// CHECK-NOT: call
// CHECK: memref.store %{{.*}}, %[[M:.*]][%
// CHECK: gpu.barrier
// CHECK: memref.load %[[M]]
func.func @shares(%out: memref<64xf32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %m = memref.alloc() : memref<64xf32, #gpu.address_space<workgroup>>
  call @reverse(%m, %out) : (memref<64xf32, #gpu.address_space<workgroup>>, memref<64xf32>) -> ()
  return
}
func.func private @reverse(%m: memref<64xf32, #gpu.address_space<workgroup>>, %out: memref<64xf32>) {
  %c63 = arith.constant 63 : index
  %one = arith.constant 1.0 : f32
  %t = gpu.thread_id x
  %r = arith.subi %c63, %t : index
  memref.store %one, %m[%t] : memref<64xf32, #gpu.address_space<workgroup>>
  %v = memref.load %m[%r] : memref<64xf32, #gpu.address_space<workgroup>>
  memref.store %v, %out[%t] : memref<64xf32>
  return
}

// -----

// Atomics of two buffers in the same bytes, or of one that each iteration
// allocates, are no order between what the buffers hold.

// CHECK-LABEL: @atomics_of_two_buffers
// CHECK: memref.atomic_rmw addi
// CHECK: gpu.barrier
// CHECK: memref.atomic_rmw assign
// CHECK-NOT: barrier
// CHECK: memref.atomic_rmw addi
// CHECK-NOT: barrier
// CHECK: return
#wg = #gpu.address_space<workgroup>
func.func @atomics_of_two_buffers(%v: i32) attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c127 = arith.constant 127 : index
  %t = gpu.thread_id x
  %r = arith.subi %c127, %t : index
  %arena = memref.alloc() {memspace.arena} : memref<512xi8, #wg>
  %a = memref.view %arena[%c0][] {memspace.buffer = 0 : i64} : memref<512xi8, #wg> to memref<128xi32, #wg>
  %0 = memref.atomic_rmw addi %v, %a[%r] : (i32, memref<128xi32, #wg>) -> i32
  %b = memref.view %arena[%c0][] {memspace.buffer = 1 : i64} : memref<512xi8, #wg> to memref<128xi32, #wg>
  %1 = memref.atomic_rmw assign %v, %b[%t] : (i32, memref<128xi32, #wg>) -> i32
  %2 = memref.atomic_rmw addi %v, %b[%t] : (i32, memref<128xi32, #wg>) -> i32
  return
}

// -----

// CHECK-LABEL: @atomics_of_each_iteration
// CHECK: scf.for
// CHECK: gpu.barrier
// CHECK: memref.atomic_rmw assign
#wg = #gpu.address_space<workgroup>
func.func @atomics_of_each_iteration(%v: i32) attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c127 = arith.constant 127 : index
  %t = gpu.thread_id x
  %r = arith.subi %c127, %t : index
  scf.for %i = %c0 to %c8 step %c1 {
    %a = memref.alloc() : memref<128xi32, #wg>
    %1 = memref.atomic_rmw assign %v, %a[%t] : (i32, memref<128xi32, #wg>) -> i32
    %2 = memref.atomic_rmw addi %v, %a[%r] : (i32, memref<128xi32, #wg>) -> i32
  }
  return
}

// -----

#wg = #gpu.address_space<workgroup>

// Accesses of the same two classes: near each other they meet in one subgroup,
// and farther apart in two.
// CHECK-LABEL: @classes_at_two_distances
// CHECK: memref.store
// CHECK-NEXT: memspace.subgroup_barrier{{.*$}}
// CHECK-NEXT: memref.load
// CHECK: memref.store {{.*}} : memref<512xf32, #gpu.address_space<workgroup>>
// CHECK-NEXT: gpu.barrier{{.*$}}
// CHECK-NEXT: memref.load
// CHECK-NOT: barrier
// CHECK: return
func.func @classes_at_two_distances(%out: memref<256xf32>) attributes {gpu.known_block_size = array<i32: 128,1,1>} {
  %c1 = arith.constant 1 : index
  %c128 = arith.constant 128 : index
  %c192 = arith.constant 192 : index
  %f1 = arith.constant 1.0 : f32
  %t = gpu.thread_id x
  %m = arith.xori %t, %c1 : index
  %a = memref.alloc() : memref<512xf32, #wg>
  %far = arith.addi %t, %c128 : index
  %farther = arith.addi %m, %c192 : index
  memref.store %f1, %a[%m] : memref<512xf32, #wg>
  %0 = memref.load %a[%t] : memref<512xf32, #wg>
  memref.store %0, %out[%t] : memref<256xf32>
  memref.store %f1, %a[%farther] : memref<512xf32, #wg>
  %1 = memref.load %a[%far] : memref<512xf32, #wg>
  memref.store %1, %out[%far] : memref<256xf32>
  return
}

// -----

// A view of a view of the arena begins to live in front of both parts of a guard,
// as a view of the arena does.
// CHECK-LABEL: @split_guard_around_views
// CHECK: %[[ALL:.*]] = memref.view %{{.*}}[%c0]
// CHECK-NEXT: %[[TILE:.*]] = memref.view %[[ALL]][
// CHECK-NEXT: scf.if
// CHECK: memref.store %{{.*}}, %[[TILE]][
// CHECK: gpu.barrier
// CHECK-NEXT: scf.if
// CHECK-NOT: memref.view
// CHECK: memref.load %[[TILE]][
#wg = #gpu.address_space<workgroup>
func.func @split_guard_around_views(%v: f32, %out: memref<128xf32>) attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c256 = arith.constant 256 : index
  %c64 = arith.constant 64 : index
  %t = gpu.thread_id x
  %arena = memref.alloc() {memspace.arena} : memref<512xi8, #wg>
  %enters = arith.cmpi slt, %t, %c64 : index
  scf.if %enters {
    %all = memref.view %arena[%c0][] : memref<512xi8, #wg> to memref<512xi8, #wg>
    %tile = memref.view %all[%c256][] : memref<512xi8, #wg> to memref<64xf32, #wg>
    memref.store %v, %tile[%t] : memref<64xf32, #wg>
    %m = affine.apply affine_map<(d0) -> (63 - d0)>(%t)
    %x = memref.load %tile[%m] : memref<64xf32, #wg>
    memref.store %x, %out[%t] : memref<128xf32>
  }
  return
}

// -----

#wg = #gpu.address_space<workgroup>

// What all threads share, an unknown number, is taken off both indices; then
// the conditions around each access say which of the 64 elements it is at.
// CHECK-LABEL: @guards_in_each_other_apart
// CHECK-NOT: barrier
// CHECK: return
func.func @guards_in_each_other_apart(%v: f32, %u: index, %out: memref<64xf32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %c16 = arith.constant 16 : index
  %c32 = arith.constant 32 : index
  %c63 = arith.constant 63 : index
  %t = gpu.thread_id x
  %r = arith.subi %c63, %t : index
  %mine = arith.xori %t, %u : index
  %other = arith.xori %r, %u : index
  %p16 = arith.cmpi slt, %t, %c16 : index
  %p32 = arith.cmpi slt, %t, %c32 : index
  %a = memref.alloc() : memref<64xf32, #wg>
  scf.if %p32 {
    memref.store %v, %a[%mine] : memref<64xf32, #wg>
  }
  scf.if %p32 {
    scf.if %p16 {
      %x = memref.load %a[%other] : memref<64xf32, #wg>
      memref.store %x, %out[%t] : memref<64xf32>
    }
  }
  return
}

// CHECK-LABEL: @guards_in_each_other_meet
// CHECK: memref.store
// CHECK: gpu.barrier{{.*$}}
// CHECK: memref.load
// CHECK-NOT: barrier
// CHECK: return
func.func @guards_in_each_other_meet(%v: f32, %u: index, %out: memref<64xf32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %c16 = arith.constant 16 : index
  %c32 = arith.constant 32 : index
  %c48 = arith.constant 48 : index
  %c63 = arith.constant 63 : index
  %t = gpu.thread_id x
  %r = arith.subi %c63, %t : index
  %mine = arith.xori %t, %u : index
  %other = arith.xori %r, %u : index
  %p16 = arith.cmpi slt, %t, %c16 : index
  %p32 = arith.cmpi slt, %t, %c32 : index
  %p48 = arith.cmpi slt, %t, %c48 : index
  %a = memref.alloc() : memref<64xf32, #wg>
  scf.if %p32 {
    memref.store %v, %a[%mine] : memref<64xf32, #wg>
  }
  scf.if %p48 {
    scf.if %p16 {
      %x = memref.load %a[%other] : memref<64xf32, #wg>
      memref.store %x, %out[%t] : memref<64xf32>
    }
    scf.if %p32 {
    } else {
      %x = memref.load %a[%other] : memref<64xf32, #wg>
      memref.store %x, %out[%t] : memref<64xf32>
    }
  }
  return
}

// -----

// Of atomics that leave another number in another order the first is done
// before the second begins; sums may change places, in whichever form.

// CHECK-LABEL: @orders_of_updates
// CHECK: memref.atomic_rmw assign
// CHECK: gpu.barrier {{.*}}RAW
// CHECK: memref.atomic_rmw addi
// CHECK-NOT: barrier
// CHECK: memref.generic_atomic_rmw
// CHECK: gpu.barrier
// CHECK: memref.atomic_rmw maxs
// CHECK: gpu.barrier
// CHECK: memref.generic_atomic_rmw
// CHECK: gpu.barrier
// CHECK: memref.atomic_rmw assign
// CHECK-NOT: barrier
// CHECK: return
#wg = #gpu.address_space<workgroup>
func.func @orders_of_updates(%v: i32, %i: index) attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
  %a = memref.alloc() : memref<128xi32, #wg>
  %0 = memref.atomic_rmw assign %v, %a[%i] : (i32, memref<128xi32, #wg>) -> i32
  %1 = memref.atomic_rmw addi %v, %a[%i] : (i32, memref<128xi32, #wg>) -> i32
  %2 = memref.generic_atomic_rmw %a[%i] : memref<128xi32, #wg> {
  ^bb0(%old: i32):
    %sum = arith.addi %old, %v : i32
    memref.atomic_yield %sum : i32
  }
  %3 = memref.atomic_rmw maxs %v, %a[%i] : (i32, memref<128xi32, #wg>) -> i32
  %4 = memref.generic_atomic_rmw %a[%i] : memref<128xi32, #wg> {
  ^bb0(%old: i32):
    %double = arith.addi %old, %old : i32
    memref.atomic_yield %double : i32
  }
  %5 = memref.atomic_rmw assign %v, %a[%i] : (i32, memref<128xi32, #wg>) -> i32
  return
}

// -----

// What an iteration overwrites the one before must have overwritten; sums of
// all iterations are one sum.

// CHECK-LABEL: @orders_in_loops
// CHECK: scf.for
// CHECK-NOT: barrier
// CHECK: memref.atomic_rmw addi
// CHECK-NOT: barrier
// CHECK: scf.for
// CHECK: gpu.barrier
// CHECK: memref.atomic_rmw assign
// CHECK-NOT: barrier
// CHECK: return
#wg = #gpu.address_space<workgroup>
func.func @orders_in_loops(%v: i32, %n: index, %from: memref<?x128xindex>) attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %t = gpu.thread_id x
  %a = memref.alloc() : memref<128xi32, #wg>
  scf.for %k = %c0 to %n step %c1 {
    %i = memref.load %from[%k, %t] : memref<?x128xindex>
    %0 = memref.atomic_rmw addi %v, %a[%i] : (i32, memref<128xi32, #wg>) -> i32
  }
  scf.for %k = %c0 to %n step %c1 {
    %i = memref.load %from[%k, %t] : memref<?x128xindex>
    %0 = memref.atomic_rmw assign %v, %a[%i] : (i32, memref<128xi32, #wg>) -> i32
  }
  return
}

// -----

// What an update returns and somebody uses shows the order, too; that of one that
// each thread makes in a loop of its own is any.

// CHECK-LABEL: @orders_of_tickets
// CHECK: memref.atomic_rmw addi
// CHECK-NOT: barrier
// CHECK: memref.atomic_rmw addi
// CHECK-NEXT: gpu.barrier
// CHECK: memref.atomic_rmw addi
// CHECK-NOT: barrier
// CHECK: return
#wg = #gpu.address_space<workgroup>
func.func @orders_of_tickets(%v: i32, %out: memref<128xi32>) attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
  %c0 = arith.constant 0 : index
  %t = gpu.thread_id x
  %a = memref.alloc() : memref<1xi32, #wg>
  %0 = memref.atomic_rmw addi %v, %a[%c0] : (i32, memref<1xi32, #wg>) -> i32
  %1 = memref.atomic_rmw addi %v, %a[%c0] : (i32, memref<1xi32, #wg>) -> i32
  %2 = memref.atomic_rmw addi %v, %a[%c0] : (i32, memref<1xi32, #wg>) -> i32
  memref.store %2, %out[%t] : memref<128xi32>
  return
}

// -----

// CHECK-LABEL: @tickets_of_each_thread
// CHECK-NOT: barrier
// CHECK: return
#wg = #gpu.address_space<workgroup>
func.func @tickets_of_each_thread(%v: i32, %n: memref<128xindex>, %out: memref<?xi32>) attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %t = gpu.thread_id x
  %m = memref.load %n[%t] : memref<128xindex>
  %a = memref.alloc() : memref<1xi32, #wg>
  scf.for %i = %c0 to %m step %c1 {
    %0 = memref.atomic_rmw addi %v, %a[%c0] : (i32, memref<1xi32, #wg>) -> i32
    %1 = arith.index_cast %0 : i32 to index
    %2 = memref.atomic_rmw addi %v, %out[%1] : (i32, memref<?xi32>) -> i32
  }
  return
}
