// RUN: memspace-opt %s -memspace-pack-workgroup-memory -split-input-file | FileCheck %s
// Packing a packed kernel changes nothing.
// RUN: memspace-opt %s -memspace-pack-workgroup-memory -memspace-pack-workgroup-memory -split-input-file | FileCheck %s

#wg = #gpu.address_space<workgroup>

// One buffer is an arena, too; its bytes are not rounded up.

// CHECK-LABEL: func @single
// CHECK:         %[[ARENA:.+]] = memref.alloc() {alignment = 16 : i64, memspace.arena, memspace.reason = "arena of 1 workgroup buffer"} : memref<520xi8, #gpu.address_space<workgroup>>
// CHECK:         %[[C0:.+]] = arith.constant 0 : index
// CHECK:         %[[VIEW:.+]] = memref.view %[[ARENA]][%[[C0]]][] {memspace.reason = "shared"} : memref<520xi8, #gpu.address_space<workgroup>> to memref<130xf32, #gpu.address_space<workgroup>>
// CHECK-NOT:     memref.alloc
// CHECK-NOT:     memref.dealloc
// CHECK:         memref.store %{{.+}}, %[[VIEW]]
func.func @single(%v: f32) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %t = memref.alloc() {memspace.reason = "shared"} : memref<130xf32, #wg>
  %i = gpu.thread_id x
  memref.store %v, %t[%i] : memref<130xf32, #wg>
  memref.dealloc %t : memref<130xf32, #wg>
  return
}

// -----

#wg = #gpu.address_space<workgroup>

// Offsets are aligned to 16; an allocation in a loop has its own place.

// CHECK-LABEL: func @layout
// CHECK:         memref.alloc() {alignment = 64 : i64, {{.*}}"arena of 4 workgroup buffers"} : memref<196xi8
// CHECK:         %[[O0:.+]] = arith.constant 0 : index
// CHECK:         memref.view %{{.+}}[%[[O0]]][] : {{.*}} to memref<7xi1,
// CHECK:         %[[O1:.+]] = arith.constant 16 : index
// CHECK:         memref.view %{{.+}}[%[[O1]]][] : {{.*}} to memref<3xvector<3xf32>,
// CHECK:         %[[O2:.+]] = arith.constant 64 : index
// CHECK:         memref.view %{{.+}}[%[[O2]]][] : {{.*}} to memref<1xvector<16xf32>,
// CHECK:         %[[O3:.+]] = arith.constant 128 : index
// CHECK:         memref.view %{{.+}}[%[[O3]]][] : {{.*}} to memref<17xf32,
// CHECK:         scf.for
// CHECK-NOT:     alloc
func.func @layout(%v: f32, %n: index) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
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
    memref.store %v, %d[%c0] : memref<17xf32, #wg>
    memref.dealloc %d : memref<17xf32, #wg>
  }
  return
}

// -----

#wg = #gpu.address_space<workgroup>

// A static view of bytes at a constant offset becomes a view of the arena. One
// at a computed offset keeps the byte buffer, which bounds it.

// CHECK-LABEL: func @bytes
// CHECK:         %[[ARENA:.+]] = memref.alloc() {{.*}} : memref<640xi8
// CHECK-DAG:     %[[C64:.+]] = arith.constant 64 : index
// CHECK-DAG:     memref.view %[[ARENA]][%[[C64]]][] {memspace.reason = "a"} : {{.*}} to memref<16xf32,
// CHECK-DAG:     %[[C128:.+]] = arith.constant 128 : index
// CHECK-DAG:     %[[B:.+]] = memref.view %[[ARENA]][%[[C128]]][] {memspace.per_subgroup, memspace.reason = "b"} : {{.*}} to memref<512xi8,
// CHECK:         %[[SHIFT:.+]] = arith.muli
// CHECK:         memref.view %[[B]][%[[SHIFT]]][] : {{.*}} to memref<32xf32,
func.func @bytes(%v: f32) attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %a = memref.alloc() {memspace.reason = "a"} : memref<128xi8, #wg>
  %av = memref.view %a[%c64][] : memref<128xi8, #wg> to memref<16xf32, #wg>
  %b = memref.alloc() {memspace.reason = "b", memspace.per_subgroup} : memref<512xi8, #wg>
  %i = gpu.thread_id x
  %w = arith.divui %i, %c32 : index
  %shift = arith.muli %w, %c128 : index
  %bv = memref.view %b[%shift][] : memref<512xi8, #wg> to memref<32xf32, #wg>
  memref.store %v, %av[%c0] : memref<16xf32, #wg>
  memref.store %v, %bv[%c0] : memref<32xf32, #wg>
  return
}

// -----

#wg = #gpu.address_space<workgroup>

// CHECK-LABEL: func @padded_rows
// CHECK:         memref.alloc() {{.*}} : memref<4220xi8
// CHECK:         %[[FLAT:.+]] = memref.view {{.*}} to memref<1055xf32,
// CHECK:         memref.reinterpret_cast %[[FLAT]] to offset: [0], sizes: [32, 32], strides: [33, 1]
func.func @padded_rows(%v: f32) attributes {gpu.known_block_size = array<i32: 32, 1, 1>} {
  %i = gpu.thread_id x
  %a = memref.alloc() : memref<32x32xf32, strided<[33, 1]>, #wg>
  memref.store %v, %a[%i, %i] : memref<32x32xf32, strided<[33, 1]>, #wg>
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
