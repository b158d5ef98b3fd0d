// RUN: memspace-opt %s -memspace-pack-workgroup-memory -split-input-file | FileCheck %s
// Packing a packed kernel changes nothing.
// RUN: memspace-opt %s -memspace-pack-workgroup-memory -memspace-pack-workgroup-memory -split-input-file | FileCheck %s
// RUN: memspace-opt %s -memspace-pack-workgroup-memory=reuse=false -split-input-file | FileCheck %s --check-prefix=BUMP

#wg = #gpu.address_space<workgroup>

// One buffer is an arena, too; its bytes are not rounded up.

// CHECK-LABEL: func @single
// CHECK:         %[[ARENA:.+]] = memref.alloc() {alignment = 16 : i64, memspace.arena, memspace.reason = "arena of 1 workgroup buffer"} : memref<520xi8, #gpu.address_space<workgroup>>
// CHECK:         %[[C0:.+]] = arith.constant 0 : index
// CHECK:         %[[VIEW:.+]] = memref.view %[[ARENA]][%[[C0]]][] {memspace.buffer = 0 : i64, memspace.reason = "shared"} : memref<520xi8, #gpu.address_space<workgroup>> to memref<130xf32, #gpu.address_space<workgroup>>
// CHECK-NOT:     memref.alloc
// CHECK-NOT:     memref.dealloc
// CHECK:         memref.store %{{.+}}, %[[VIEW]]
func.func @single(%v: f32, %x: memref<130xf32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %t = memref.alloc() {memspace.reason = "shared"} : memref<130xf32, #wg>
  %i = gpu.thread_id x
  memref.store %v, %t[%i] : memref<130xf32, #wg>
  memref.copy %t, %x : memref<130xf32, #wg> to memref<130xf32>
  memref.dealloc %t : memref<130xf32, #wg>
  return
}

// -----

#wg = #gpu.address_space<workgroup>

// P5: offsets are aligned, too. All are live at once.

// BUMP-LABEL: func @layout
// BUMP:         memref.alloc() {alignment = 64 : i64, {{.*}}"arena of 4 workgroup buffers"} : memref<196xi8
// BUMP:         memref.view {{.*}} to memref<7xi1,
// BUMP:         %[[O1:.+]] = arith.constant 16 : index
// BUMP:         memref.view %{{.+}}[%[[O1]]][] {{.*}} to memref<3xvector<3xf32>,
// BUMP:         %[[O2:.+]] = arith.constant 64 : index
// BUMP:         memref.view %{{.+}}[%[[O2]]][] {{.*}} to memref<1xvector<16xf32>,
// BUMP:         scf.for
// BUMP:         %[[O3:.+]] = arith.constant 128 : index
// BUMP:         memref.view %{{.+}}[%[[O3]]][] {{.*}} to memref<17xf32,
// BUMP-NOT:     alloc

// There is nothing better: one hole is behind the 7 bytes, and the 68 bytes, of
// which 4 begin a new unit of 16, are the last.
// CHECK-LABEL: func @layout
// CHECK:         memref.alloc() {alignment = 64 : i64, {{.*}}"arena of 4 workgroup buffers"} : memref<196xi8
func.func @layout(%v: f32, %n: index, %x: memref<17xf32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %true = arith.constant true
  %vec3 = arith.constant dense<0.0> : vector<3xf32>
  %vec16 = arith.constant dense<0.0> : vector<16xf32>
  %a = memref.alloc() : memref<7xi1, #wg>
  %b = memref.alloca() : memref<3xvector<3xf32>, #wg>
  %c = memref.alloc() : memref<1xvector<16xf32>, #wg>
  memref.store %true, %a[%c0] : memref<7xi1, #wg>
  memref.store %vec3, %b[%c0] : memref<3xvector<3xf32>, #wg>
  memref.store %vec16, %c[%c0] : memref<1xvector<16xf32>, #wg>
  scf.for %k = %c0 to %n step %c1 {
    %d = memref.alloc() : memref<17xf32, #wg>
    %0 = memref.load %a[%c0] : memref<7xi1, #wg>
    %1 = memref.load %b[%c0] : memref<3xvector<3xf32>, #wg>
    %2 = memref.load %c[%c0] : memref<1xvector<16xf32>, #wg>
    %3 = vector.extract %1[0] : f32 from vector<3xf32>
    %4 = vector.extract %2[0] : f32 from vector<16xf32>
    %5 = arith.select %0, %3, %4 : f32
    memref.store %5, %d[%c0] : memref<17xf32, #wg>
    memref.copy %d, %x : memref<17xf32, #wg> to memref<17xf32>
    memref.dealloc %d : memref<17xf32, #wg>
  }
  return
}

// -----

#wg = #gpu.address_space<workgroup>

// Two buffers that are not live at once lie in the same bytes, where they
// begin. The numbers keep the views apart.

// CHECK-LABEL: func @reuse
// CHECK:         %[[ARENA:.+]] = memref.alloc() {{.*}} : memref<512xi8
// CHECK:         scf.for
// CHECK:           %[[A0:.+]] = arith.constant 0 : index
// CHECK:           memref.view %[[ARENA]][%[[A0]]][] {memspace.buffer = 0 : i64} {{.*}} to memref<128xf32,
// CHECK:           %[[B0:.+]] = arith.constant 0 : index
// CHECK:           memref.view %[[ARENA]][%[[B0]]][] {memspace.buffer = 1 : i64} {{.*}} to memref<128xf32,
// BUMP-LABEL: func @reuse
// BUMP:         memref.alloc() {{.*}} : memref<1024xi8
func.func @reuse(%x: memref<?xf32>, %n: index) attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %i = gpu.thread_id x
  scf.for %k = %c0 to %n step %c1 {
    %a = memref.alloc() : memref<128xf32, #wg>
    %0 = memref.load %x[%i] : memref<?xf32>
    memref.store %0, %a[%i] : memref<128xf32, #wg>
    %1 = memref.load %a[%c0] : memref<128xf32, #wg>
    %b = memref.alloc() : memref<128xf32, #wg>
    memref.store %1, %b[%i] : memref<128xf32, #wg>
    %2 = memref.load %b[%c1] : memref<128xf32, #wg>
    memref.store %2, %x[%i] : memref<?xf32>
  }
  return
}

// -----

#wg = #gpu.address_space<workgroup>

// P1: %a and %c overlap %b, but not each other.

// CHECK-LABEL: func @not_transitive
// CHECK:         memref.alloc() {{.*}} : memref<768xi8
// BUMP-LABEL: func @not_transitive
// BUMP:         memref.alloc() {{.*}} : memref<1280xi8
func.func @not_transitive(%x: memref<?xf32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %c0 = arith.constant 0 : index
  %i = gpu.thread_id x
  %a = memref.alloc() : memref<128xf32, #wg>
  %b = memref.alloc() : memref<64xf32, #wg>
  %c = memref.alloc() : memref<128xf32, #wg>
  %0 = memref.load %x[%i] : memref<?xf32>
  memref.store %0, %a[%i] : memref<128xf32, #wg>
  %1 = memref.load %a[%c0] : memref<128xf32, #wg>
  memref.store %1, %b[%i] : memref<64xf32, #wg>
  %2 = memref.load %a[%i] : memref<128xf32, #wg>
  memref.store %2, %c[%i] : memref<128xf32, #wg>
  %3 = memref.load %b[%c0] : memref<64xf32, #wg>
  %4 = memref.load %c[%c0] : memref<128xf32, #wg>
  %5 = arith.addf %3, %4 : f32
  memref.store %5, %x[%i] : memref<?xf32>
  return
}

// -----

#wg = #gpu.address_space<workgroup>

// Where a dead store would write there may be another buffer, so it goes. What
// nobody reads needs no bytes.

// CHECK-LABEL: func @dead_stores
// CHECK:         memref.alloc() {{.*}} : memref<256xi8
// CHECK-COUNT-2: memref.store
// CHECK-NOT:     memref.store
func.func @dead_stores(%v: f32, %x: memref<?xf32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %c0 = arith.constant 0 : index
  %i = gpu.thread_id x
  %a = memref.alloc() : memref<64xf32, #wg>
  %b = memref.alloc() : memref<64xf32, #wg>
  memref.store %v, %a[%i] : memref<64xf32, #wg>
  %0 = memref.load %a[%c0] : memref<64xf32, #wg>
  memref.store %0, %b[%i] : memref<64xf32, #wg>
  memref.store %0, %x[%i] : memref<?xf32>
  %1 = memref.load %a[%i] : memref<64xf32, #wg>
  memref.store %1, %b[%i] : memref<64xf32, #wg>
  return
}

// -----

#wg = #gpu.address_space<workgroup>

// A static view of bytes at a constant offset becomes a view of the arena. One
// at a computed offset keeps the byte buffer, which bounds it.

// CHECK-LABEL: func @bytes
// CHECK:         %[[ARENA:.+]] = memref.alloc() {{.*}} : memref<640xi8
// CHECK-DAG:     memref.view %[[ARENA]][%{{.+}}][] {memspace.buffer = 0 : i64, memspace.reason = "a"} : {{.*}} to memref<16xf32,
// CHECK-DAG:     %[[B:.+]] = memref.view %[[ARENA]][%{{.+}}][] {memspace.buffer = 1 : i64, memspace.per_subgroup = 32 : i64, memspace.reason = "b"} : {{.*}} to memref<512xi8,
// CHECK:         %[[SHIFT:.+]] = arith.muli
// CHECK:         memref.view %[[B]][%[[SHIFT]]][] : {{.*}} to memref<32xf32,
func.func @bytes(%v: f32, %x: memref<?xf32>) attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %a = memref.alloc() {memspace.reason = "a"} : memref<128xi8, #wg>
  %av = memref.view %a[%c64][] : memref<128xi8, #wg> to memref<16xf32, #wg>
  %b = memref.alloc() {memspace.reason = "b", memspace.per_subgroup = 32 : i64} : memref<512xi8, #wg>
  %i = gpu.thread_id x
  %w = arith.divui %i, %c32 : index
  %shift = arith.muli %w, %c128 : index
  %bv = memref.view %b[%shift][] : memref<512xi8, #wg> to memref<32xf32, #wg>
  memref.store %v, %av[%c0] : memref<16xf32, #wg>
  memref.store %v, %bv[%c0] : memref<32xf32, #wg>
  %0 = memref.load %av[%c0] : memref<16xf32, #wg>
  %1 = memref.load %bv[%c0] : memref<32xf32, #wg>
  %2 = arith.addf %0, %1 : f32
  memref.store %2, %x[%i] : memref<?xf32>
  return
}

// -----

#wg = #gpu.address_space<workgroup>

// The same bytes as two types are one buffer.

// CHECK-LABEL: func @punned
// CHECK:         %[[B:.+]] = memref.view {{.*}} {memspace.buffer = 0 : i64} : {{.*}} to memref<64xi8,
// CHECK:         memref.view %[[B]]{{.*}} to memref<16xf32,
// CHECK:         memref.view %[[B]]{{.*}} to memref<16xi32,
func.func @punned(%v: f32, %x: memref<?xi32>) attributes {gpu.known_block_size = array<i32: 16, 1, 1>} {
  %c0 = arith.constant 0 : index
  %i = gpu.thread_id x
  %b = memref.alloc() : memref<64xi8, #wg>
  %f = memref.view %b[%c0][] : memref<64xi8, #wg> to memref<16xf32, #wg>
  %n = memref.view %b[%c0][] : memref<64xi8, #wg> to memref<16xi32, #wg>
  memref.store %v, %f[%i] : memref<16xf32, #wg>
  %0 = memref.load %n[%i] : memref<16xi32, #wg>
  memref.store %0, %x[%i] : memref<?xi32>
  return
}

// -----

#wg = #gpu.address_space<workgroup>

// B5: the padding counts.

// CHECK-LABEL: func @padded_rows
// CHECK:         memref.alloc() {{.*}} : memref<4220xi8
// CHECK:         %[[FLAT:.+]] = memref.view {{.*}} to memref<1055xf32,
// CHECK:         memref.reinterpret_cast %[[FLAT]] to offset: [0], sizes: [32, 32], strides: [33, 1]
func.func @padded_rows(%v: f32, %x: memref<?xf32>) attributes {gpu.known_block_size = array<i32: 32, 1, 1>} {
  %i = gpu.thread_id x
  %a = memref.alloc() : memref<32x32xf32, strided<[33, 1]>, #wg>
  memref.store %v, %a[%i, %i] : memref<32x32xf32, strided<[33, 1]>, #wg>
  %0 = memref.load %a[%i, %i] : memref<32x32xf32, strided<[33, 1]>, #wg>
  memref.store %0, %x[%i] : memref<?xf32>
  return
}

// -----

#wg = #gpu.address_space<workgroup>
#private = #gpu.address_space<private>

// Nothing to pack, and no kernel.

// CHECK-LABEL: func @private_only
// CHECK-NOT:     memref.alloc()
// CHECK:         memref.alloca() : memref<4xf32, #gpu.address_space<private>>
func.func @private_only(%v: f32) attributes {gpu.known_block_size = array<i32: 32, 1, 1>} {
  %c0 = arith.constant 0 : index
  %a = memref.alloca() : memref<4xf32, #private>
  memref.store %v, %a[%c0] : memref<4xf32, #private>
  return
}

// CHECK-LABEL: func @no_kernel
// CHECK:         memref.alloc() : memref<4xf32, #gpu.address_space<workgroup>>
func.func @no_kernel() -> memref<4xf32, #wg> {
  %a = memref.alloc() : memref<4xf32, #wg>
  return %a : memref<4xf32, #wg>
}

// -----

#wg = #gpu.address_space<workgroup>

// Code of other compilers: attributions of a gpu.func become one.

// CHECK-LABEL: gpu.func @attributions
// CHECK-SAME:    workgroup(%[[ARENA:.+]] : memref<512xi8, #gpu.address_space<workgroup>> {llvm.align = 32 : i64, memspace.arena})
// CHECK-SAME:    private(%{{.+}} : memref<2xf32
// CHECK:         memref.view %[[ARENA]][%{{.+}}][] {memspace.buffer = 0 : i64} {{.*}} to memref<128xf32,
// CHECK:         memref.view %[[ARENA]][%{{.+}}][] {memspace.buffer = 1 : i64} {{.*}} to memref<64xf32,
gpu.module @m {
  gpu.func @attributions(%x: memref<?xf32>)
      workgroup(%a: memref<128xf32, #wg> {llvm.align = 32 : i64}, %b: memref<64xf32, #wg>)
      private(%p: memref<2xf32, #gpu.address_space<private>>) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>} {
    %c0 = arith.constant 0 : index
    %i = gpu.thread_id x
    %0 = memref.load %x[%i] : memref<?xf32>
    memref.store %0, %a[%i] : memref<128xf32, #wg>
    %1 = memref.load %a[%c0] : memref<128xf32, #wg>
    memref.store %1, %p[%c0] : memref<2xf32, #gpu.address_space<private>>
    memref.store %1, %b[%i] : memref<64xf32, #wg>
    %2 = memref.load %b[%c0] : memref<64xf32, #wg>
    memref.store %2, %x[%i] : memref<?xf32>
    gpu.return
  }
}

// -----

#wg = #gpu.address_space<workgroup>

// Globals, which a kernel may name more than once. P8: each kernel has an arena
// of its own; a global that a function of the host still names stays.

// CHECK-NOT:   memref.global "private" @tile
// CHECK:       memref.global @kept
// CHECK-LABEL: func @first
// CHECK:         memref.alloc() {{.*}} : memref<256xi8
// CHECK:         %[[V:.+]] = memref.view
// CHECK-NOT:     memref.view
// CHECK:         memref.store %{{.+}}, %[[V]]
// CHECK:         memref.load %[[V]]
// CHECK-LABEL: func @second
// CHECK:         memref.alloc() {{.*}} : memref<512xi8
memref.global "private" @tile : memref<64xf32, #wg> = uninitialized
memref.global @kept : memref<64xf32, #wg>
func.func @first(%x: memref<?xf32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %c0 = arith.constant 0 : index
  %i = gpu.thread_id x
  %0 = memref.load %x[%i] : memref<?xf32>
  %t = memref.get_global @tile : memref<64xf32, #wg>
  memref.store %0, %t[%i] : memref<64xf32, #wg>
  %u = memref.get_global @tile : memref<64xf32, #wg>
  %1 = memref.load %u[%c0] : memref<64xf32, #wg>
  memref.store %1, %x[%i] : memref<?xf32>
  return
}
func.func @second(%x: memref<?xf32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %c0 = arith.constant 0 : index
  %i = gpu.thread_id x
  %0 = memref.load %x[%i] : memref<?xf32>
  %t = memref.get_global @tile : memref<64xf32, #wg>
  %k = memref.get_global @kept : memref<64xf32, #wg>
  memref.store %0, %t[%i] : memref<64xf32, #wg>
  memref.store %0, %k[%i] : memref<64xf32, #wg>
  %1 = memref.load %t[%c0] : memref<64xf32, #wg>
  %2 = memref.load %k[%c0] : memref<64xf32, #wg>
  %3 = arith.addf %1, %2 : f32
  memref.store %3, %x[%i] : memref<?xf32>
  return
}

// -----

#wg = #gpu.address_space<workgroup>

// P8: the buffers of a function lie over what its caller does not need during
// the call.

// CHECK-LABEL: func @caller
// CHECK:         memref.alloc() {{.*}} : memref<512xi8
// CHECK-NOT:     call @callee
// CHECK:         call @other
func.func @caller(%x: memref<?xf32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %c0 = arith.constant 0 : index
  %i = gpu.thread_id x
  %during = memref.alloc() : memref<64xf32, #wg>
  %before = memref.alloc() : memref<64xf32, #wg>
  %0 = memref.load %x[%i] : memref<?xf32>
  memref.store %0, %before[%i] : memref<64xf32, #wg>
  %1 = memref.load %before[%c0] : memref<64xf32, #wg>
  memref.store %1, %during[%i] : memref<64xf32, #wg>
  %2 = func.call @middle(%1) : (f32) -> f32
  %3 = memref.load %during[%c0] : memref<64xf32, #wg>
  %4 = arith.addf %2, %3 : f32
  %5 = func.call @other(%4) : (f32) -> f32
  memref.store %5, %x[%i] : memref<?xf32>
  return
}
func.func private @middle(%v: f32) -> f32 {
  %0 = func.call @callee(%v) : (f32) -> f32
  return %0 : f32
}
func.func private @callee(%v: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %i = gpu.thread_id x
  %t = memref.alloc() : memref<64xf32, #wg>
  memref.store %v, %t[%i] : memref<64xf32, #wg>
  %0 = memref.load %t[%c0] : memref<64xf32, #wg>
  return %0 : f32
}
func.func private @other(%v: f32) -> f32 {
  %0 = arith.addf %v, %v : f32
  return %0 : f32
}

// -----

#wg = #gpu.address_space<workgroup>

// What only a dead store has used goes with it, but not the branch that the
// other buffers are in.

// CHECK-LABEL: func @only_dead_stores
// CHECK:         memref.alloc() {{.*}}"arena of 2 workgroup buffers"
// CHECK:         scf.if
// CHECK-NOT:     memref.load
// CHECK-NOT:     memref.store
// CHECK-NOT:     reinterpret_cast
func.func @only_dead_stores(%flag: i1, %x: memref<64xf32>, %v: f32) attributes {gpu.known_block_size = array<i32: 32, 1, 1>} {
  %i = gpu.thread_id x
  %b = scf.if %flag -> (memref<32xf32, #wg>) {
    %t = memref.alloc() : memref<32xf32, #wg>
    %c19 = arith.constant 19 : index
    %k = arith.addi %i, %c19 : index
    %0 = memref.load %x[%k] : memref<64xf32>
    memref.store %0, %t[%i] : memref<32xf32, #wg>
    scf.yield %t : memref<32xf32, #wg>
  } else {
    %e = memref.alloc() : memref<32xf32, #wg>
    scf.yield %e : memref<32xf32, #wg>
  }
  %flat = memref.reinterpret_cast %b to offset: [0], sizes: [32], strides: [1] : memref<32xf32, #wg> to memref<32xf32, strided<[1]>, #wg>
  memref.store %v, %flat[%i] : memref<32xf32, strided<[1]>, #wg>
  return
}

// -----

#wg = #gpu.address_space<workgroup>

// CHECK-LABEL: gpu.func @device_function
// CHECK-SAME:    workgroup(%{{.+}} : memref<256xi8
// CHECK-NOT:     call @scratch
// CHECK:         gpu.return
gpu.module @m {
  gpu.func @device_function(%x: memref<?xf32>) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>} {
    %i = gpu.thread_id x
    %0 = memref.load %x[%i] : memref<?xf32>
    %1 = func.call @scratch(%0) : (f32) -> f32
    memref.store %1, %x[%i] : memref<?xf32>
    gpu.return
  }
  func.func private @scratch(%v: f32) -> f32 {
    %c0 = arith.constant 0 : index
    %i = gpu.thread_id x
    %t = memref.alloc() : memref<64xf32, #wg>
    memref.store %v, %t[%i] : memref<64xf32, #wg>
    %0 = memref.load %t[%c0] : memref<64xf32, #wg>
    return %0 : f32
  }
}
