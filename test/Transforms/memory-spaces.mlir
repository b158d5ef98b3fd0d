// RUN: memspace-opt %s -memspace-pack-workgroup-memory='chip=gfx942 memory-spaces="workgroup=3 : i64,private=5 : i64,global=1 : i64"' -memspace-insert-barriers='chip=gfx942 memory-spaces="workgroup=3 : i64,private=5 : i64,global=1 : i64"' -split-input-file | FileCheck %s
// RUN: memspace-opt %s -memspace-pack-workgroup-memory='chip=gfx942 memory-spaces="workgroup=3,private=5,global=1"' -memspace-insert-barriers='chip=gfx942 memory-spaces="workgroup=3,private=5,global=1"' -memspace-check-budget='chip=gfx942 memory-spaces="workgroup=3,private=5,global=1"' -memspace-verify-barriers='chip=gfx942 memory-spaces="workgroup=3,private=5,global=1" may-hazards=error' -split-input-file | FileCheck %s --check-prefix=BUDGET

// Memory spaces that are numbers, by name.

// CHECK-LABEL: func.func @reverse
// CHECK:         %[[ARENA:.*]] = memref.alloc() {{.*}} : memref<256xi8, 3 : i32>
// CHECK:         %[[VIEW:.*]] = memref.view %[[ARENA]]
// CHECK:         memref.store %{{.*}}, %[[VIEW]]
// CHECK-NEXT:    gpu.barrier
// CHECK-NEXT:    memref.load %[[VIEW]]
// CHECK-NOT:     gpu.barrier
// BUDGET-LABEL: func.func @reverse
// BUDGET-SAME:    memspace.private_bytes = 4 : i64
// BUDGET-SAME:    memspace.workgroup_bytes = 256 : i64
func.func @reverse(%x: memref<64xf32, 1>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c63 = arith.constant 63 : index
  %t = gpu.thread_id x
  %u = arith.subi %c63, %t : index
  %own = memref.alloca() : memref<1xf32, 5>
  %v = memref.load %x[%t] : memref<64xf32, 1>
  memref.store %v, %own[%c0] : memref<1xf32, 5>
  %w = memref.load %own[%c0] : memref<1xf32, 5>
  %a = memref.alloc() : memref<64xf32, 3 : i32>
  memref.store %w, %a[%t] : memref<64xf32, 3 : i32>
  %y = memref.load %a[%u] : memref<64xf32, 3 : i32>
  memref.store %y, %x[%t] : memref<64xf32, 1>
  return
}

// -----

// On the kernel; a buffer of each thread that a block argument chooses is no
// reason for a barrier.

// CHECK-LABEL: func.func @chosen
// CHECK-NOT:     gpu.barrier
// CHECK:         return
// BUDGET-LABEL: func.func @chosen
func.func @chosen(%x: memref<64xf32>, %c: i1) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %c0 = arith.constant 0 : index
  %t = gpu.thread_id x
  %a = memref.alloca() : memref<2xf32, 5>
  %b = memref.alloca() : memref<2xf32, 5>
  %v = memref.load %x[%t] : memref<64xf32>
  cf.cond_br %c, ^one(%a : memref<2xf32, 5>), ^one(%b : memref<2xf32, 5>)
^one(%m: memref<2xf32, 5>):
  memref.store %v, %m[%c0] : memref<2xf32, 5>
  %w = memref.load %m[%c0] : memref<2xf32, 5>
  memref.store %w, %x[%t] : memref<64xf32>
  return
}
