// RUN: memspace-test-opt %s -memspace-insert-barriers=subgroup-size=32 | FileCheck %s
// RUN: memspace-test-opt %s -memspace-insert-barriers=subgroup-size=32 -memspace-linalg-to-loops -memspace-verify-barriers="subgroup-size=32 may-hazards=error" -o /dev/null

// On memrefs the analyses know the op by its memory effects, as ours: a thread's own row
// needs no barrier before, another thread's read needs one behind. What the op becomes in
// memspace-linalg-to-loops touches nothing more.

#wg = #gpu.address_space<workgroup>

// CHECK-LABEL: func.func @others
// CHECK: memref.store
// CHECK-NOT: barrier
// CHECK: ext.sort dimension(0)
// CHECK: gpu.barrier {{.*}}RAW on memref<64x5xi32, #gpu.address_space<workgroup>>{{.*$}}
// CHECK-NEXT: memref.load
// CHECK-NOT: barrier
// CHECK: return
func.func @others(%in: memref<64xi32>, %out: memref<64xi32>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c63 = arith.constant 63 : index
  %t = gpu.thread_id x
  %rows = memref.alloc() : memref<64x5xi32, #wg>
  %v = memref.load %in[%t] : memref<64xi32>
  memref.store %v, %rows[%t, %c0] : memref<64x5xi32, #wg>
  %row = memref.subview %rows[%t, 0] [1, 5] [1, 1] : memref<64x5xi32, #wg> to memref<5xi32, strided<[1], offset: ?>, #wg>
  ext.sort dimension(0) outs(%row : memref<5xi32, strided<[1], offset: ?>, #wg>) {
  ^bb0(%a: i32, %b: i32):
    %before = arith.cmpi slt, %a, %b : i32
    ext.yield %before : i1
  }
  %other = arith.subi %c63, %t : index
  %w = memref.load %rows[%other, %c0] : memref<64x5xi32, #wg>
  memref.store %w, %out[%t] : memref<64xi32>
  return
}

// CHECK-LABEL: func.func @ours
// CHECK: memref.store
// CHECK-NOT: barrier
// CHECK: memspace.sort dimension(0)
// CHECK: gpu.barrier {{.*}}RAW on memref<64x5xi32, #gpu.address_space<workgroup>>{{.*$}}
// CHECK-NEXT: memref.load
// CHECK-NOT: barrier
// CHECK: return
func.func @ours(%in: memref<64xi32>, %out: memref<64xi32>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c63 = arith.constant 63 : index
  %t = gpu.thread_id x
  %rows = memref.alloc() : memref<64x5xi32, #wg>
  %v = memref.load %in[%t] : memref<64xi32>
  memref.store %v, %rows[%t, %c0] : memref<64x5xi32, #wg>
  %row = memref.subview %rows[%t, 0] [1, 5] [1, 1] : memref<64x5xi32, #wg> to memref<5xi32, strided<[1], offset: ?>, #wg>
  memspace.sort dimension(0) ins(%row : memref<5xi32, strided<[1], offset: ?>, #wg>) outs(%row : memref<5xi32, strided<[1], offset: ?>, #wg>) {
  ^bb0(%a: i32, %b: i32):
    %before = arith.cmpi slt, %a, %b : i32
    memspace.yield %before : i1
  }
  %other = arith.subi %c63, %t : index
  %w = memref.load %rows[%other, %c0] : memref<64x5xi32, #wg>
  memref.store %w, %out[%t] : memref<64xi32>
  return
}
