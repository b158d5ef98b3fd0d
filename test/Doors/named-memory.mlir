// RUN: memspace-test-opt %s -memspace-insert-barriers=chip=gfx942 -split-input-file | FileCheck %s
// RUN: memspace-test-opt %s -memspace-insert-barriers=chip=gfx942 -memspace-verify-barriers=chip=gfx942 -split-input-file -o /dev/null

// One binding for input and output, as parts of one buffer.

// Parts that do not overlap.

// CHECK-LABEL: @other_part
// CHECK-NOT: gpu.barrier
// CHECK: return
func.func @other_part(%v: i32) attributes {gpu.known_block_size = array<i32: 128, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %c127 = arith.constant 127 : index
  %c512 = arith.constant 512 : index
  %t = gpu.thread_id x
  %r = arith.subi %c127, %t : index
  %x = door.binding 0 : memref<128xi32>
  %y = door.binding 0 at %c512 : memref<128xi32>
  %u = memref.load %x[%r] : memref<128xi32>
  memref.store %u, %y[%t] : memref<128xi32>
  return
}

// -----

// The first 64 threads write what the last 64 read, though equal indices are other
// elements.

// CHECK-LABEL: @overlapping_part
// CHECK: memref.load
// CHECK-NEXT: gpu.barrier {{.*}}WAR{{.*}}
// CHECK-NEXT: memref.store
func.func @overlapping_part(%v: i32) attributes {gpu.known_block_size = array<i32: 128, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %c256 = arith.constant 256 : index
  %t = gpu.thread_id x
  %x = door.binding 0 : memref<128xi32>
  %y = door.binding 0 at %c256 : memref<128xi32>
  %u = memref.load %x[%t] : memref<128xi32>
  memref.store %u, %y[%t] : memref<128xi32>
  return
}

// -----

// In place: each thread writes what it has read itself.

// CHECK-LABEL: @in_place
// CHECK-NOT: gpu.barrier
// CHECK: return
func.func @in_place(%offset: index) attributes {gpu.known_block_size = array<i32: 128, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %t = gpu.thread_id x
  %x = door.binding 0 at %offset : memref<128xi32>
  %y = door.binding 0 at %offset : memref<128xi32>
  %u = memref.load %x[%t] : memref<128xi32>
  memref.store %u, %y[%t] : memref<128xi32>
  return
}

// -----

// At an offset that nobody knows it may be any part.

// CHECK-LABEL: @unknown_part
// CHECK: memref.load
// CHECK-NEXT: gpu.barrier {{.*}}WAR{{.*}}
// CHECK-NEXT: memref.store
func.func @unknown_part(%offset: index) attributes {gpu.known_block_size = array<i32: 128, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %t = gpu.thread_id x
  %x = door.binding 0 : memref<128xi32>
  %y = door.binding 0 at %offset : memref<128xi32>
  %u = memref.load %x[%t] : memref<128xi32>
  memref.store %u, %y[%t] : memref<128xi32>
  return
}

// -----

// A raw buffer has the elements of its source, and each thread its own.

// CHECK-LABEL: @raw_buffer
// CHECK: memref.store
// CHECK: gpu.barrier{{.*}}
// CHECK-NEXT: memref.load
// CHECK-NEXT: memref.store
// CHECK-NOT: gpu.barrier
// CHECK: return
#wg = #gpu.address_space<workgroup>
#fat = #amdgpu.address_space<fat_raw_buffer>
func.func @raw_buffer(%x: memref<128xf32>) attributes {gpu.known_block_size = array<i32: 128, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %c127 = arith.constant 127 : index
  %t = gpu.thread_id x
  %r = arith.subi %c127, %t : index
  %b = amdgpu.fat_raw_buffer_cast %x : memref<128xf32> to memref<128xf32, #fat>
  %m = memref.alloc() : memref<128xf32, #wg>
  %v = memref.load %b[%t] : memref<128xf32, #fat>
  memref.store %v, %m[%t] : memref<128xf32, #wg>
  %w = memref.load %m[%r] : memref<128xf32, #wg>
  memref.store %w, %x[%t] : memref<128xf32>
  return
}

// -----

// The offset of its source moves into the pointer: still the same elements.

// CHECK-LABEL: @raw_buffer_of_a_part
// CHECK: memref.load
// CHECK-NEXT: memref.store
// CHECK-NEXT: memref.load
// CHECK-NEXT: gpu.barrier {{.*}}WAR{{.*}}
// CHECK-NEXT: memref.store
#part = strided<[1], offset: 64>
#fat = #amdgpu.address_space<fat_raw_buffer>
func.func @raw_buffer_of_a_part(%x: memref<256xf32>) attributes {gpu.known_block_size = array<i32: 128, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %c127 = arith.constant 127 : index
  %t = gpu.thread_id x
  %r = arith.subi %c127, %t : index
  %p = memref.subview %x[64] [128] [1] : memref<256xf32> to memref<128xf32, #part>
  %b = amdgpu.fat_raw_buffer_cast %p resetOffset : memref<128xf32, #part> to memref<128xf32, #fat>
  %v = memref.load %b[%t] : memref<128xf32, #fat>
  memref.store %v, %p[%t] : memref<128xf32, #part>
  %w = memref.load %b[%t] : memref<128xf32, #fat>
  memref.store %w, %b[%r] : memref<128xf32, #fat>
  return
}

// -----

// What a kernel returns is no write of it; the barriers are those of its body.

// CHECK-LABEL: @returns
// CHECK: memref.store
// CHECK-NEXT: gpu.barrier{{.*}}
// CHECK-NEXT: memref.load
// CHECK-NEXT: memref.store
// CHECK-NEXT: return
#wg = #gpu.address_space<workgroup>
func.func @returns(%x: memref<128xf32>) -> (memref<128xf32>, f32) attributes {gpu.known_block_size = array<i32: 128, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %c127 = arith.constant 127 : index
  %t = gpu.thread_id x
  %r = arith.subi %c127, %t : index
  %m = memref.alloc() : memref<128xf32, #wg>
  %v = memref.load %x[%t] : memref<128xf32>
  memref.store %v, %m[%t] : memref<128xf32, #wg>
  %w = memref.load %m[%r] : memref<128xf32, #wg>
  memref.store %w, %x[%t] : memref<128xf32>
  return %x, %w : memref<128xf32>, f32
}
