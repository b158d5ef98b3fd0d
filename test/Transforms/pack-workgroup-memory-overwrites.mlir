// Where all threads together overwrite every element, what a buffer held is not
// needed any more, in a loop as well: another buffer may have the place before.
// RUN: memspace-opt %s -memspace-pack-workgroup-memory="chip=gfx942 objective=bytes" | FileCheck %s

// Each thread its element.
// CHECK-LABEL: func.func @each_its_own
// CHECK: memref.alloc() {{.*}} memref<512xi8
func.func @each_its_own(%in: memref<128xf32>, %out: memref<128xf32>) attributes {
    gpu.kernel, gpu.known_block_size = array<i32: 128, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %c64 = arith.constant 64 : index
  %c127 = arith.constant 127 : index
  %tid = gpu.thread_id x
  %rev = arith.subi %c127, %tid : index
  %v = memref.load %in[%tid] : memref<128xf32>
  %pair = vector.broadcast %v : f32 to vector<2xf32>
  %twice = arith.muli %tid, %c2 : index
  %low = arith.cmpi ult, %tid, %c64 : index
  %u = memref.alloc() : memref<128xf32, #gpu.address_space<workgroup>>
  %s = memref.alloc() : memref<128xf32, #gpu.address_space<workgroup>>
  memref.store %v, %u[%tid] : memref<128xf32, #gpu.address_space<workgroup>>
  %r = scf.for %i = %c0 to %c4 step %c1 iter_args(%acc = %v) -> f32 {
    %k = memref.load %u[%rev] : memref<128xf32, #gpu.address_space<workgroup>>
    memref.store %k, %s[%tid] : memref<128xf32, #gpu.address_space<workgroup>>
    %l = memref.load %s[%rev] : memref<128xf32, #gpu.address_space<workgroup>>
    %n = arith.addf %l, %acc : f32
    memref.store %n, %u[%tid] : memref<128xf32, #gpu.address_space<workgroup>>
    scf.yield %n : f32
  }
  %k = memref.load %u[%rev] : memref<128xf32, #gpu.address_space<workgroup>>
  %q = arith.addf %k, %r : f32
  memref.store %q, %out[%tid] : memref<128xf32>
  return
}

// Each thread another one.
// CHECK-LABEL: func.func @reversed
// CHECK: memref.alloc() {{.*}} memref<512xi8
func.func @reversed(%in: memref<128xf32>, %out: memref<128xf32>) attributes {
    gpu.kernel, gpu.known_block_size = array<i32: 128, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %c64 = arith.constant 64 : index
  %c127 = arith.constant 127 : index
  %tid = gpu.thread_id x
  %rev = arith.subi %c127, %tid : index
  %v = memref.load %in[%tid] : memref<128xf32>
  %pair = vector.broadcast %v : f32 to vector<2xf32>
  %twice = arith.muli %tid, %c2 : index
  %low = arith.cmpi ult, %tid, %c64 : index
  %u = memref.alloc() : memref<128xf32, #gpu.address_space<workgroup>>
  %s = memref.alloc() : memref<128xf32, #gpu.address_space<workgroup>>
  memref.store %v, %u[%tid] : memref<128xf32, #gpu.address_space<workgroup>>
  %r = scf.for %i = %c0 to %c4 step %c1 iter_args(%acc = %v) -> f32 {
    %k = memref.load %u[%rev] : memref<128xf32, #gpu.address_space<workgroup>>
    memref.store %k, %s[%tid] : memref<128xf32, #gpu.address_space<workgroup>>
    %l = memref.load %s[%rev] : memref<128xf32, #gpu.address_space<workgroup>>
    %n = arith.addf %l, %acc : f32
    memref.store %n, %u[%rev] : memref<128xf32, #gpu.address_space<workgroup>>
    scf.yield %n : f32
  }
  %k = memref.load %u[%rev] : memref<128xf32, #gpu.address_space<workgroup>>
  %q = arith.addf %k, %r : f32
  memref.store %q, %out[%tid] : memref<128xf32>
  return
}

// Two elements each.
// CHECK-LABEL: func.func @pairs
// CHECK: memref.alloc() {{.*}} memref<1024xi8
func.func @pairs(%in: memref<128xf32>, %out: memref<128xf32>) attributes {
    gpu.kernel, gpu.known_block_size = array<i32: 128, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %c64 = arith.constant 64 : index
  %c127 = arith.constant 127 : index
  %tid = gpu.thread_id x
  %rev = arith.subi %c127, %tid : index
  %v = memref.load %in[%tid] : memref<128xf32>
  %pair = vector.broadcast %v : f32 to vector<2xf32>
  %twice = arith.muli %tid, %c2 : index
  %low = arith.cmpi ult, %tid, %c64 : index
  %u = memref.alloc() : memref<256xf32, #gpu.address_space<workgroup>>
  %s = memref.alloc() : memref<128xf32, #gpu.address_space<workgroup>>
  memref.store %v, %u[%tid] : memref<256xf32, #gpu.address_space<workgroup>>
  %r = scf.for %i = %c0 to %c4 step %c1 iter_args(%acc = %v) -> f32 {
    %k = memref.load %u[%rev] : memref<256xf32, #gpu.address_space<workgroup>>
    memref.store %k, %s[%tid] : memref<128xf32, #gpu.address_space<workgroup>>
    %l = memref.load %s[%rev] : memref<128xf32, #gpu.address_space<workgroup>>
    %n = arith.addf %l, %acc : f32
    vector.store %pair, %u[%twice] : memref<256xf32, #gpu.address_space<workgroup>>, vector<2xf32>
    scf.yield %n : f32
  }
  %k = memref.load %u[%rev] : memref<256xf32, #gpu.address_space<workgroup>>
  %q = arith.addf %k, %r : f32
  memref.store %q, %out[%tid] : memref<128xf32>
  return
}

// 128 of 256 elements are overwritten.
// CHECK-LABEL: func.func @half_of_it
// CHECK: memref.alloc() {{.*}} memref<1536xi8
func.func @half_of_it(%in: memref<128xf32>, %out: memref<128xf32>) attributes {
    gpu.kernel, gpu.known_block_size = array<i32: 128, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %c64 = arith.constant 64 : index
  %c127 = arith.constant 127 : index
  %tid = gpu.thread_id x
  %rev = arith.subi %c127, %tid : index
  %v = memref.load %in[%tid] : memref<128xf32>
  %pair = vector.broadcast %v : f32 to vector<2xf32>
  %twice = arith.muli %tid, %c2 : index
  %low = arith.cmpi ult, %tid, %c64 : index
  %u = memref.alloc() : memref<256xf32, #gpu.address_space<workgroup>>
  %s = memref.alloc() : memref<128xf32, #gpu.address_space<workgroup>>
  memref.store %v, %u[%tid] : memref<256xf32, #gpu.address_space<workgroup>>
  %r = scf.for %i = %c0 to %c4 step %c1 iter_args(%acc = %v) -> f32 {
    %k = memref.load %u[%rev] : memref<256xf32, #gpu.address_space<workgroup>>
    memref.store %k, %s[%tid] : memref<128xf32, #gpu.address_space<workgroup>>
    %l = memref.load %s[%rev] : memref<128xf32, #gpu.address_space<workgroup>>
    %n = arith.addf %l, %acc : f32
    memref.store %n, %u[%tid] : memref<256xf32, #gpu.address_space<workgroup>>
    scf.yield %n : f32
  }
  %k = memref.load %u[%rev] : memref<256xf32, #gpu.address_space<workgroup>>
  %q = arith.addf %k, %r : f32
  memref.store %q, %out[%tid] : memref<128xf32>
  return
}

// Only 64 threads write.
// CHECK-LABEL: func.func @half_of_them
// CHECK: memref.alloc() {{.*}} memref<1024xi8
func.func @half_of_them(%in: memref<128xf32>, %out: memref<128xf32>) attributes {
    gpu.kernel, gpu.known_block_size = array<i32: 128, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %c64 = arith.constant 64 : index
  %c127 = arith.constant 127 : index
  %tid = gpu.thread_id x
  %rev = arith.subi %c127, %tid : index
  %v = memref.load %in[%tid] : memref<128xf32>
  %pair = vector.broadcast %v : f32 to vector<2xf32>
  %twice = arith.muli %tid, %c2 : index
  %low = arith.cmpi ult, %tid, %c64 : index
  %u = memref.alloc() : memref<128xf32, #gpu.address_space<workgroup>>
  %s = memref.alloc() : memref<128xf32, #gpu.address_space<workgroup>>
  memref.store %v, %u[%tid] : memref<128xf32, #gpu.address_space<workgroup>>
  %r = scf.for %i = %c0 to %c4 step %c1 iter_args(%acc = %v) -> f32 {
    %k = memref.load %u[%rev] : memref<128xf32, #gpu.address_space<workgroup>>
    memref.store %k, %s[%tid] : memref<128xf32, #gpu.address_space<workgroup>>
    %l = memref.load %s[%rev] : memref<128xf32, #gpu.address_space<workgroup>>
    %n = arith.addf %l, %acc : f32
    scf.if %low {
      memref.store %n, %u[%tid] : memref<128xf32, #gpu.address_space<workgroup>>
    }
    scf.yield %n : f32
  }
  %k = memref.load %u[%rev] : memref<128xf32, #gpu.address_space<workgroup>>
  %q = arith.addf %k, %r : f32
  memref.store %q, %out[%tid] : memref<128xf32>
  return
}

// Two threads write one element.
// CHECK-LABEL: func.func @twice_the_same
// CHECK: memref.alloc() {{.*}} memref<1024xi8
func.func @twice_the_same(%in: memref<128xf32>, %out: memref<128xf32>) attributes {
    gpu.kernel, gpu.known_block_size = array<i32: 128, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %c64 = arith.constant 64 : index
  %c127 = arith.constant 127 : index
  %tid = gpu.thread_id x
  %rev = arith.subi %c127, %tid : index
  %v = memref.load %in[%tid] : memref<128xf32>
  %pair = vector.broadcast %v : f32 to vector<2xf32>
  %twice = arith.muli %tid, %c2 : index
  %low = arith.cmpi ult, %tid, %c64 : index
  %u = memref.alloc() : memref<128xf32, #gpu.address_space<workgroup>>
  %s = memref.alloc() : memref<128xf32, #gpu.address_space<workgroup>>
  memref.store %v, %u[%tid] : memref<128xf32, #gpu.address_space<workgroup>>
  %r = scf.for %i = %c0 to %c4 step %c1 iter_args(%acc = %v) -> f32 {
    %k = memref.load %u[%rev] : memref<128xf32, #gpu.address_space<workgroup>>
    memref.store %k, %s[%tid] : memref<128xf32, #gpu.address_space<workgroup>>
    %l = memref.load %s[%rev] : memref<128xf32, #gpu.address_space<workgroup>>
    %n = arith.addf %l, %acc : f32
    %at = arith.divui %tid, %c2 : index
    memref.atomic_rmw assign %n, %u[%at] : (f32, memref<128xf32, #gpu.address_space<workgroup>>) -> f32
    scf.yield %n : f32
  }
  %k = memref.load %u[%rev] : memref<128xf32, #gpu.address_space<workgroup>>
  %q = arith.addf %k, %r : f32
  memref.store %q, %out[%tid] : memref<128xf32>
  return
}
