// RUN: memspace-opt %s -memspace-verify-barriers=subgroup-size=32 2>&1 | FileCheck %s
// RUN: memspace-opt %s -memspace-linalg-to-loops 2>&1 | FileCheck %s

// Attributes that were renamed are read under their old names, and said once.
// CHECK: warning: attribute 'memspace.promise' is called 'memspace.disjoint' now
// CHECK-NOT: warning
// CHECK-LABEL: @scatter
// CHECK: memspace.disjoint = array<i64: 3>
// CHECK-NOT: promise
func.func @scatter(%index: memref<64xindex>, %in: memref<64xf32>, %out: memref<128xf32>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %t = gpu.thread_id x
  %row = memref.load %index[%t] : memref<64xindex>
  %value = memref.load %in[%t] : memref<64xf32>
  memref.store %value, %out[%row] {memspace.promise = array<i64: 3>} : memref<128xf32>
  %old = memref.load %out[%row] {memspace.promise = array<i64: 3>} : memref<128xf32>
  return
}
