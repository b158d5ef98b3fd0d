// What a constant mask leaves alone is no access; a comparison of numbers that are one in a
// subgroup is; and a switch of blocks on a number that is known chooses one way.
// RUN: memspace-opt %s -memspace-insert-barriers=chip=gfx942 -o %t
// RUN: FileCheck %s --input-file=%t
// RUN: memspace-opt %t -memspace-verify-barriers=chip=gfx942 -o /dev/null

!shared = memref<260xf32, #gpu.address_space<workgroup>>

// Each thread has two places of its own.
// CHECK-LABEL: func.func @constant_mask
// CHECK-NOT: gpu.barrier
// CHECK: return
func.func @constant_mask(%in: memref<260xf32>, %out: memref<512xf32>) attributes {
    gpu.kernel, gpu.known_block_size = array<i32: 128, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %zero = arith.constant dense<0.0> : vector<4xf32>
  %tid = gpu.thread_id x
  %a = memref.alloc() : !shared
  %mask = vector.constant_mask [2] : vector<4xi1>
  %bits = arith.constant dense<[true, true, false, false]> : vector<4xi1>
  %at = arith.muli %tid, %c2 : index
  %v = vector.maskedload %in[%at], %mask, %zero : memref<260xf32>, vector<4xi1>, vector<4xf32> into vector<4xf32>
  vector.maskedstore %a[%at], %mask, %v : !shared, vector<4xi1>, vector<4xf32>
  %w = vector.maskedload %a[%at], %bits, %zero : !shared, vector<4xi1>, vector<4xf32> into vector<4xf32>
  %to = arith.muli %tid, %c4 : index
  vector.store %w, %out[%to] : memref<512xf32>, vector<4xf32>
  return
}

// The same with the last of four taken: neighbours meet.
// CHECK-LABEL: func.func @last_of_mask
// CHECK: vector.store
// CHECK: gpu.barrier
// CHECK: vector.maskedload
func.func @last_of_mask(%out: memref<512xf32>) attributes {
    gpu.kernel, gpu.known_block_size = array<i32: 128, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %zero = arith.constant dense<0.0> : vector<4xf32>
  %pair = arith.constant dense<0.0> : vector<2xf32>
  %tid = gpu.thread_id x
  %a = memref.alloc() : !shared
  %bits = arith.constant dense<[true, false, false, true]> : vector<4xi1>
  %at = arith.muli %tid, %c2 : index
  vector.store %pair, %a[%at] : !shared, vector<2xf32>
  %w = vector.maskedload %a[%at], %bits, %zero : !shared, vector<4xi1>, vector<4xf32> into vector<4xf32>
  %to = arith.muli %tid, %c4 : index
  vector.store %w, %out[%to] : memref<512xf32>, vector<4xf32>
  return
}

// The third subgroup alone, as a whole: placed by hand.
// CHECK-LABEL: func.func @one_subgroup
// CHECK: scf.if
// CHECK-NEXT: memspace.subgroup_barrier
func.func @one_subgroup(%in: memref<256xf32>, %out: memref<256xf32>) attributes {
    gpu.kernel, gpu.known_block_size = array<i32: 256, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %c2 = arith.constant 2 : index
  %c6 = arith.constant 6 : index
  %c383 = arith.constant 383 : index
  %tid = gpu.thread_id x
  %a = memref.alloc() : !shared
  %v = memref.load %in[%tid] : memref<256xf32>
  memref.store %v, %a[%tid] : !shared
  %subgroup = arith.shrui %tid, %c6 : index
  %is = arith.cmpi eq, %subgroup, %c2 : index
  scf.if %is {
    memspace.subgroup_barrier
    %at = arith.subi %c383, %tid : index
    %w = memref.load %a[%at] : !shared
    memref.store %w, %out[%tid] : memref<256xf32>
  }
  return
}

// Two buffers in turns: one barrier in an iteration orders what is two of them apart.
// CHECK-LABEL: func.func @switched
// CHECK: memref.store
// CHECK: gpu.barrier
// CHECK-NOT: gpu.barrier
// CHECK: return
func.func @switched(%in: memref<128xf32>, %out: memref<128xf32>) attributes {
    gpu.kernel, gpu.known_block_size = array<i32: 128, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c9 = arith.constant 9 : index
  %c127 = arith.constant 127 : index
  %tid = gpu.thread_id x
  %rev = arith.subi %c127, %tid : index
  %a = memref.alloc() : !shared
  %b = memref.alloc() : !shared
  %first = memref.load %in[%tid] : memref<128xf32>
  cf.br ^head(%c0, %first : index, f32)
^head(%i: index, %v: f32):
  %more = arith.cmpi slt, %i, %c9 : index
  cf.cond_br %more, ^body, ^end
^body:
  %slot = arith.remui %i, %c2 : index
  %flag = arith.index_cast %slot : index to i32
  cf.switch %flag : i32, [
    default: ^use(%b : !shared),
    0: ^use(%a : !shared)
  ]
^use(%s: !shared):
  memref.store %v, %s[%tid] : !shared
  %w = memref.load %s[%rev] : !shared
  %next = arith.addi %i, %c1 : index
  cf.br ^head(%next, %w : index, f32)
^end:
  memref.store %v, %out[%tid] : memref<128xf32>
  return
}
