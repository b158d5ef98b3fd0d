// RUN: memspace-opt %s "-memspace-pack-workgroup-memory=chip=sm_90 objective=bytes" -split-input-file | FileCheck %s
// RUN: memspace-opt %s -memspace-check-budget=chip=sm_90 -split-input-file -o /dev/null

// A reshape reads its shape, which is no view of it.

// CHECK-LABEL: func @shape
// CHECK: %[[SHAPE:.*]] = memref.view %{{.*}} to memref<2xindex
// CHECK: memref.store %c8, %[[SHAPE]][%c0]
// CHECK: memref.reshape %{{.*}}(%[[SHAPE]])
func.func @shape(%arg0: memref<64xi32>, %out: memref<64xindex>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %t = gpu.thread_id x
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %s = memref.alloc() : memref<2xindex, #gpu.address_space<workgroup>>
  %p = arith.cmpi eq, %t, %c0 : index
  scf.if %p {
    memref.store %c8, %s[%c0] : memref<2xindex, #gpu.address_space<workgroup>>
    memref.store %c8, %s[%c1] : memref<2xindex, #gpu.address_space<workgroup>>
  }
  gpu.barrier
  %m = memref.reshape %arg0(%s) : (memref<64xi32>, memref<2xindex, #gpu.address_space<workgroup>>) -> memref<?x?xi32>
  %d = memref.dim %m, %c1 : memref<?x?xi32>
  memref.store %d, %out[%t] : memref<64xindex>
  return
}

// -----

// Also where it is the shape of its own source.

// CHECK-LABEL: func @own_shape
// CHECK: %[[SHAPE:.*]] = memref.view %{{.*}} to memref<1xindex
// CHECK: memref.store %c1, %[[SHAPE]][%c0]
func.func @own_shape(%out: memref<64xindex>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %t = gpu.thread_id x
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %s = memref.alloc() : memref<1xindex, #gpu.address_space<workgroup>>
  %first = arith.cmpi eq, %t, %c0 : index
  scf.if %first {
    memref.store %c1, %s[%c0] : memref<1xindex, #gpu.address_space<workgroup>>
  }
  gpu.barrier
  %m = memref.reshape %s(%s) : (memref<1xindex, #gpu.address_space<workgroup>>, memref<1xindex, #gpu.address_space<workgroup>>) -> memref<?xindex, #gpu.address_space<workgroup>>
  %d = memref.dim %m, %c0 : memref<?xindex, #gpu.address_space<workgroup>>
  memref.store %d, %out[%t] : memref<64xindex>
  return
}

// -----

// A number that a memref was made of is a name of it.

// CHECK-LABEL: func @escapes
// CHECK: memref.store %{{.*}}, %view[
// CHECK: unrealized_conversion_cast %view
func.func @escapes(%out: memref<64xf32>, %v: f32)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %t = gpu.thread_id x
  %a = memref.alloc() : memref<64xf32, #gpu.address_space<workgroup>>
  memref.store %v, %a[%t] : memref<64xf32, #gpu.address_space<workgroup>>
  %n = builtin.unrealized_conversion_cast %a : memref<64xf32, #gpu.address_space<workgroup>> to i64
  %m = builtin.unrealized_conversion_cast %n : i64 to memref<64xf32, #gpu.address_space<workgroup>>
  %l = memref.load %m[%t] : memref<64xf32, #gpu.address_space<workgroup>>
  memref.store %l, %out[%t] : memref<64xf32>
  return
}

// -----

// The view of an arena alone in a branch that only some threads take.

// CHECK-LABEL: func @view_in_branch
func.func @view_in_branch(%arg0: memref<64xi32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %t = gpu.thread_id x
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %alloc = memref.alloc() {memspace.arena} : memref<16xi8, #gpu.address_space<workgroup>>
  %p = arith.cmpi eq, %t, %c0 : index
  scf.if %p {
    %v = memref.view %alloc[%c0][] {memspace.buffer = 0 : i64} : memref<16xi8, #gpu.address_space<workgroup>> to memref<4xi32, #gpu.address_space<workgroup>>
  }
  return
}
