// RUN: memspace-test-opt %s -memspace-insert-barriers=subgroup-size=32 -split-input-file | FileCheck %s
// RUN: memspace-test-opt %s -memspace-insert-barriers=subgroup-size=32 -memspace-verify-barriers=subgroup-size=32 -split-input-file -o /dev/null

// Another dialect says by MemSpace's interfaces what its ops do: what they order,
// which elements they touch, which memory they name, and for whom they are the same.

// A fence for workgroup memory is a barrier for it.

// CHECK-LABEL: @fence
// CHECK-NOT: gpu.barrier
// CHECK: return
#wg = #gpu.address_space<workgroup>
func.func @fence(%v: i32, %out: memref<128xi32>) attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
  %c127 = arith.constant 127 : index
  %t = gpu.thread_id x
  %r = arith.subi %c127, %t : index
  %m = memref.alloc() : memref<129xi32, #wg>
  door.store %v, %m[%t] : i32 to memref<129xi32, #wg>
  door.fence workgroup
  %s = door.load_pair %m[%r] : memref<129xi32, #wg> to i32
  door.store %s, %out[%t] : i32 to memref<128xi32>
  return
}

// -----

// One for global memory is none.

// CHECK-LABEL: @fence_of_other_memory
// CHECK: door.fence global
// CHECK: gpu.barrier
// CHECK: = door.load_pair
#wg = #gpu.address_space<workgroup>
func.func @fence_of_other_memory(%v: i32, %out: memref<128xi32>) attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
  %c127 = arith.constant 127 : index
  %t = gpu.thread_id x
  %r = arith.subi %c127, %t : index
  %m = memref.alloc() : memref<129xi32, #wg>
  door.store %v, %m[%t] : i32 to memref<129xi32, #wg>
  door.fence global
  %s = door.load_pair %m[%r] : memref<129xi32, #wg> to i32
  door.store %s, %out[%t] : i32 to memref<128xi32>
  return
}

// -----

// A pair of elements of its own, and one that a neighbour writes.

// CHECK-LABEL: @elements
// CHECK: door.store
// CHECK: door.store
// CHECK-NEXT: = door.load_pair
// CHECK: gpu.barrier
// CHECK-NEXT: = door.load_pair
#wg = #gpu.address_space<workgroup>
func.func @elements(%v: i32, %out: memref<128xi32>) attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %t = gpu.thread_id x
  %own = arith.muli %t, %c2 : index
  %next = arith.addi %own, %c1 : index
  %m = memref.alloc() : memref<257xi32, #wg>
  door.store %v, %m[%own] : i32 to memref<257xi32, #wg>
  door.store %v, %m[%next] : i32 to memref<257xi32, #wg>
  %s = door.load_pair %m[%own] : memref<257xi32, #wg> to i32
  %u = door.load_pair %m[%next] : memref<257xi32, #wg> to i32
  %x = arith.addi %s, %u : i32
  door.store %x, %out[%t] : i32 to memref<128xi32>
  return
}

// -----

// Bindings of two numbers are two memories, those of one are one.

// CHECK-LABEL: @bindings
// CHECK: door.store
// CHECK-NEXT: = door.load_pair
// CHECK: gpu.barrier
// CHECK-NEXT: = door.load_pair
func.func @bindings(%a: memref<256xi32>, %b: memref<256xi32>, %v: i32) attributes {gpu.known_block_size = array<i32: 128, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %c127 = arith.constant 127 : index
  %t = gpu.thread_id x
  %r = arith.subi %c127, %t : index
  %x = door.binding 0 : memref<256xi32>
  %y = door.binding 1 : memref<256xi32>
  %z = door.binding 0 : memref<256xi32>
  door.store %v, %x[%t] : i32 to memref<256xi32>
  %s = door.load_pair %y[%r] : memref<256xi32> to i32
  %u = door.load_pair %z[%r] : memref<256xi32> to i32
  return
}

// -----

// Another name has the same elements.

// CHECK-LABEL: @renamed
// CHECK: door.store
// CHECK-NEXT: = memref.load
// CHECK: gpu.barrier
// CHECK-NEXT: = memref.load
#wg = #gpu.address_space<workgroup>
func.func @renamed(%v: i32, %out: memref<128xi32>) attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
  %c127 = arith.constant 127 : index
  %t = gpu.thread_id x
  %r = arith.subi %c127, %t : index
  %m = memref.alloc() : memref<128xi32, #wg>
  %n = door.rename %m : memref<128xi32, #wg> to memref<?xi32, #wg>
  door.store %v, %n[%t] : i32 to memref<?xi32, #wg>
  %s = memref.load %m[%t] : memref<128xi32, #wg>
  %u = memref.load %m[%r] : memref<128xi32, #wg>
  %x = arith.addi %s, %u : i32
  memref.store %x, %out[%t] : memref<128xi32>
  return
}

// -----

// A region that all threads enter together may have barriers, and iterations that
// follow each other need one.

// CHECK-LABEL: @uniform_region
// CHECK: door.twice
// CHECK: gpu.barrier
// CHECK: gpu.barrier
#wg = #gpu.address_space<workgroup>
func.func @uniform_region(%v: i32, %out: memref<128xi32>) attributes {gpu.known_block_size = array<i32: 128, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c127 = arith.constant 127 : index
  %t = gpu.thread_id x
  %r = arith.subi %c127, %t : index
  %m = memref.alloc() : memref<129xi32, #wg>
  %b = door.workgroup_number
  %c = arith.cmpi eq, %b, %c0 : index
  door.twice %c {
    door.store %v, %m[%t] : i32 to memref<129xi32, #wg>
    %s = door.load_pair %m[%r] : memref<129xi32, #wg> to i32
    door.store %s, %out[%t] : i32 to memref<128xi32>
  }
  return
}
