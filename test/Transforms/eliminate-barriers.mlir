// RUN: memspace-opt %s -memspace-eliminate-barriers=subgroup-size=32 -split-input-file | FileCheck %s
// RUN: memspace-opt %s -memspace-eliminate-barriers=subgroup-size=32 -split-input-file \
// RUN:   --remarks-filter=memspace --remark-format=emitRemark -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

// The numbers H1, H2, … are the situations of the hazard tests. Stock
// gpu-eliminate-barriers of MLIR 22 removes the barriers of @through_*, all of
// which are needed.

#wg = #gpu.address_space<workgroup>

// H10: read, barrier, read; repeated barriers.
// CHECK-LABEL: @repeated
// CHECK: memref.store
// CHECK-NEXT: gpu.barrier {memspace.hazard = "RAW{{.*$}}
// CHECK-NEXT: memref.load
// CHECK-NEXT: memref.load
// CHECK-NOT: gpu.barrier
// CHECK: return
func.func @repeated(%v: f32) attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
  %t = gpu.thread_id x
  %r = affine.apply affine_map<(d0) -> (127 - d0)>(%t)
  %a = memref.alloc() : memref<128xf32, #wg>
  // REMARK: [[@LINE+1]]:3: remark: [Passed] barrier-redundant | {{.*}}no hazard lies across it
  gpu.barrier
  memref.store %v, %a[%t] : memref<128xf32, #wg>
  // REMARK: [[@LINE+1]]:3: remark: [Passed] barrier-redundant | {{.*}}is also cut by the barrier at
  gpu.barrier
  gpu.barrier
  %0 = memref.load %a[%r] : memref<128xf32, #wg>
  gpu.barrier
  %1 = memref.load %a[%t] : memref<128xf32, #wg>
  gpu.barrier
  return
}

// -----

#wg = #gpu.address_space<workgroup>

// H3, H2, and a workgroup attribution that other memory is not: all of these
// stock MLIR keeps.
// CHECK-LABEL: gpu.func @not_needed
// CHECK-NOT: gpu.barrier
// CHECK: gpu.return
gpu.module @m {
  gpu.func @not_needed(%v: f32, %x: memref<256xf32>) workgroup(%b : memref<128xf32, #wg>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %t = gpu.thread_id x
    %c3 = arith.constant 3 : index
    %a = memref.alloc() : memref<256xf32, #wg>
    %lo = memref.subview %a[0] [128] [1] : memref<256xf32, #wg> to memref<128xf32, strided<[1]>, #wg>
    %hi = memref.subview %a[128] [128] [1] : memref<256xf32, #wg> to memref<128xf32, strided<[1], offset: 128>, #wg>
    memref.store %v, %lo[%t] : memref<128xf32, strided<[1]>, #wg>
    gpu.barrier
    %0 = memref.load %hi[%c3] : memref<128xf32, strided<[1], offset: 128>, #wg>
    memref.store %0, %b[%t] : memref<128xf32, #wg>
    gpu.barrier
    %1 = memref.load %b[%t] : memref<128xf32, #wg>
    memref.store %1, %x[%t] : memref<256xf32>
    gpu.return
  }
}

// -----

#wg = #gpu.address_space<workgroup>

// H17: a schedule may rely on barriers that order nothing.
// CHECK-LABEL: @keep
// CHECK: gpu.barrier {memspace.keep}
// CHECK-NEXT: rocdl.s.barrier
// CHECK-NEXT: return
func.func @keep() attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
  gpu.barrier {memspace.keep}
  gpu.barrier
  rocdl.s.barrier
  return
}

// -----

#wg = #gpu.address_space<workgroup>

// A kept barrier orders, too.
// CHECK-LABEL: @kept_orders
// CHECK: memref.store
// CHECK-NEXT: gpu.barrier {memspace.keep}
// CHECK-NEXT: memref.load
func.func @kept_orders(%v: f32) attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
  %t = gpu.thread_id x
  %r = affine.apply affine_map<(d0) -> (127 - d0)>(%t)
  %a = memref.alloc() : memref<128xf32, #wg>
  memref.store %v, %a[%t] : memref<128xf32, #wg>
  gpu.barrier
  gpu.barrier {memspace.keep}
  %0 = memref.load %a[%r] : memref<128xf32, #wg>
  return
}

// -----

#wg = #gpu.address_space<workgroup>

// H6, H7: a barrier in one branch orders only that path; those of both branches
// do what the one behind them does, at the same cost and twice in the code.
// CHECK-LABEL: @branches
// CHECK: memref.store
// CHECK-NEXT: scf.if
// CHECK-NEXT: }
// CHECK-NEXT: gpu.barrier{{.*$}}
// CHECK-NEXT: memref.load
// CHECK-NEXT: scf.if
// CHECK-NEXT: } else {
// CHECK-NEXT: }
// CHECK-NEXT: gpu.barrier{{.*$}}
// CHECK-NEXT: memref.store
func.func @branches(%c: i1, %v: f32) attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
  %t = gpu.thread_id x
  %r = affine.apply affine_map<(d0) -> (127 - d0)>(%t)
  %a = memref.alloc() : memref<128xf32, #wg>
  memref.store %v, %a[%t] : memref<128xf32, #wg>
  scf.if %c {
    gpu.barrier
  }
  gpu.barrier
  %0 = memref.load %a[%r] : memref<128xf32, #wg>
  scf.if %c {
    gpu.barrier
  } else {
    gpu.barrier
  }
  gpu.barrier
  memref.store %0, %a[%t] : memref<128xf32, #wg>
  return
}

// -----

#wg = #gpu.address_space<workgroup>

// H5: of three barriers in a loop two are needed.
// CHECK-LABEL: @loop
// CHECK: scf.for
// CHECK-COUNT-2: gpu.barrier
// CHECK-NOT: gpu.barrier
// CHECK: return
func.func @loop(%x: memref<128xf32>, %n: index, %out: memref<128xf32>)
    attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %t = gpu.thread_id x
  %r = affine.apply affine_map<(d0) -> (127 - d0)>(%t)
  %a = memref.alloc() : memref<128xf32, #wg>
  gpu.barrier
  scf.for %k = %c0 to %n step %c1 {
    gpu.barrier
    %v = memref.load %x[%t] : memref<128xf32>
    memref.store %v, %a[%t] : memref<128xf32, #wg>
    gpu.barrier
    %0 = memref.load %a[%r] : memref<128xf32, #wg>
    memref.store %0, %out[%t] : memref<128xf32>
    gpu.barrier
  }
  gpu.barrier
  return
}

// -----

#wg = #gpu.address_space<workgroup>

// A barrier of workgroup memory orders no global memory, and a subgroup
// barrier no other subgroup. What nothing cuts stays so.
// CHECK-LABEL: @kinds
// CHECK: memref.store %{{.*}}, %{{.*}}[%{{.*}}] : memref<128xf32>
// CHECK-NEXT: memref.store
// CHECK-NEXT: amdgpu.lds_barrier{{.*$}}
// CHECK-NEXT: memref.load %{{.*}} : memref<128xf32, #gpu
// CHECK-NEXT: gpu.barrier{{.*$}}
// CHECK-NEXT: memref.load %{{.*}} : memref<128xf32>
// CHECK-NEXT: return
func.func @kinds(%v: f32, %x: memref<128xf32>) attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
  %t = gpu.thread_id x
  %r = affine.apply affine_map<(d0) -> (127 - d0)>(%t)
  %a = memref.alloc() : memref<128xf32, #wg>
  memref.store %v, %x[%t] : memref<128xf32>
  memref.store %v, %a[%t] : memref<128xf32, #wg>
  memspace.subgroup_barrier
  amdgpu.lds_barrier
  %0 = memref.load %a[%r] : memref<128xf32, #wg>
  amdgpu.lds_barrier
  gpu.barrier
  %1 = memref.load %x[%r] : memref<128xf32>
  return
}

// -----

#wg = #gpu.address_space<workgroup>

// H14: what only lanes exchange needs only the barrier of the subgroup.
// CHECK-LABEL: @lanes
// CHECK: memref.store
// CHECK-NEXT: memspace.subgroup_barrier{{.*$}}
// CHECK-NEXT: memref.load
func.func @lanes(%v: f32) attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
  %t = gpu.thread_id x
  %r = affine.apply affine_map<(d0) -> (d0 + 31 - 2 * (d0 mod 32))>(%t)
  %a = memref.alloc() : memref<128xf32, #wg>
  memref.store %v, %a[%t] : memref<128xf32, #wg>
  gpu.barrier
  memspace.subgroup_barrier
  %0 = memref.load %a[%r] : memref<128xf32, #wg>
  return
}

// -----

#wg = #gpu.address_space<workgroup>

// H11: through a select, results of ifs and loops, and every kind of view.
// CHECK-LABEL: @through_select
// CHECK: gpu.barrier
func.func @through_select(%v: f32, %c: i1) attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
  %t = gpu.thread_id x
  %r = affine.apply affine_map<(d0) -> (127 - d0)>(%t)
  %a = memref.alloc() : memref<128xf32, #wg>
  %b = memref.alloc() : memref<128xf32, #wg>
  %s = arith.select %c, %a, %b : memref<128xf32, #wg>
  memref.store %v, %s[%t] : memref<128xf32, #wg>
  gpu.barrier
  %0 = memref.load %a[%r] : memref<128xf32, #wg>
  return
}

// CHECK-LABEL: @through_if
// CHECK: gpu.barrier
func.func @through_if(%v: f32, %c: i1) attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
  %t = gpu.thread_id x
  %r = affine.apply affine_map<(d0) -> (127 - d0)>(%t)
  %a = memref.alloc() : memref<128xf32, #wg>
  %b = memref.alloc() : memref<128xf32, #wg>
  %s = scf.if %c -> memref<128xf32, #wg> {
    scf.yield %a : memref<128xf32, #wg>
  } else {
    scf.yield %b : memref<128xf32, #wg>
  }
  memref.store %v, %s[%t] : memref<128xf32, #wg>
  gpu.barrier
  %0 = memref.load %b[%r] : memref<128xf32, #wg>
  return
}

// CHECK-LABEL: @through_for
// CHECK: gpu.barrier
func.func @through_for(%v: f32, %n: index) attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %t = gpu.thread_id x
  %r = affine.apply affine_map<(d0) -> (127 - d0)>(%t)
  %a = memref.alloc() : memref<128xf32, #wg>
  %b = memref.alloc() : memref<128xf32, #wg>
  %s:2 = scf.for %i = %c0 to %n step %c1 iter_args(%p = %a, %q = %b) -> (memref<128xf32, #wg>, memref<128xf32, #wg>) {
    scf.yield %q, %p : memref<128xf32, #wg>, memref<128xf32, #wg>
  }
  memref.store %v, %s#0[%t] : memref<128xf32, #wg>
  gpu.barrier
  %0 = memref.load %b[%r] : memref<128xf32, #wg>
  return
}

// CHECK-LABEL: @through_views
// CHECK-COUNT-6: gpu.barrier
// CHECK-NOT: gpu.barrier
// CHECK: return
func.func @through_views(%v: f32, %shape: memref<1xindex>) attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
  %c0 = arith.constant 0 : index
  %t = gpu.thread_id x
  %r = affine.apply affine_map<(d0) -> (127 - d0)>(%t)
  %a = memref.alloc() : memref<128xf32, #wg>
  %reinterpreted = memref.reinterpret_cast %a to offset: [0], sizes: [128], strides: [1] : memref<128xf32, #wg> to memref<128xf32, strided<[1]>, #wg>
  %aligned = memref.assume_alignment %a, 16 : memref<128xf32, #wg>
  %generic = memref.memory_space_cast %a : memref<128xf32, #wg> to memref<128xf32>
  %reshaped = memref.reshape %a(%shape) : (memref<128xf32, #wg>, memref<1xindex>) -> memref<?xf32, #wg>
  %base, %offset, %size, %stride = memref.extract_strided_metadata %a : memref<128xf32, #wg> -> memref<f32, #wg>, index, index, index
  memref.store %v, %reinterpreted[%t] : memref<128xf32, strided<[1]>, #wg>
  gpu.barrier
  %0 = memref.load %a[%r] : memref<128xf32, #wg>
  gpu.barrier
  memref.store %v, %aligned[%t] : memref<128xf32, #wg>
  gpu.barrier
  %1 = memref.load %generic[%r] : memref<128xf32>
  gpu.barrier
  memref.store %v, %reshaped[%t] : memref<?xf32, #wg>
  gpu.barrier
  %2 = memref.load %a[%r] : memref<128xf32, #wg>
  gpu.barrier
  memref.store %v, %base[] : memref<f32, #wg>
  return
}

// -----

// Atomics are no race, but a barrier between them decides what they give.

// CHECK-LABEL: @atomics
// CHECK: gpu.barrier
// CHECK: memref.atomic_rmw
// CHECK: gpu.barrier
// CHECK: memref.atomic_rmw
#wg = #gpu.address_space<workgroup>
func.func @atomics(%o: memref<64xi32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %c0 = arith.constant 0 : index
  %z = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %t = gpu.thread_id x
  %s = memref.alloc() : memref<1xi32, #wg>
  %first = arith.cmpi eq, %t, %c0 : index
  scf.if %first {
    memref.store %z, %s[%c0] : memref<1xi32, #wg>
  }
  gpu.barrier
  %q = memref.atomic_rmw addi %one, %s[%c0] : (i32, memref<1xi32, #wg>) -> i32
  gpu.barrier
  %x = memref.atomic_rmw addi %z, %s[%c0] : (i32, memref<1xi32, #wg>) -> i32
  memref.store %x, %o[%t] : memref<64xi32>
  return
}
