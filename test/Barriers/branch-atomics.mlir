// A loop of blocks in which some threads add to a flag that all read: atomics of one
// buffer do not race, whichever iteration of the loop they are in. A buffer that the
// loop allocates is another one in each.
// RUN: memspace-opt %s -memspace-insert-barriers=chip=gfx942 | FileCheck %s
// RUN: memspace-opt %s -memspace-insert-barriers=chip=gfx942 -memspace-verify-barriers=chip=gfx942 -o /dev/null

// CHECK-LABEL: func.func @flag
// CHECK-COUNT-2: gpu.barrier
// CHECK-NOT: gpu.barrier
func.func @flag(%in: memref<1024xi32>, %out: memref<1024xi32>) attributes {
    gpu.known_block_size = array<i32: 128, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %t = gpu.thread_id x
  %s = memref.alloc() : memref<3xi32, #gpu.address_space<workgroup>>
  %c3 = arith.constant 3 : index
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1 : i32
  %zero = arith.constant 0 : i32
  %v6 = memref.load %in[%t] : memref<1024xi32>
  %g = arith.cmpi ult, %t, %c3 : index
  cf.br ^head(%one : i32)
^head(%flag: i32):
  %p = arith.cmpi ne, %flag, %zero : i32
  cf.cond_br %p, ^body, ^exit
^body:
  cf.cond_br %g, ^at, ^join
^at:
  %v36 = memref.atomic_rmw addi %one, %s[%c0] : (i32, memref<3xi32, #gpu.address_space<workgroup>>) -> i32
  cf.br ^join
^join:
  %l = memref.load %s[%c0] : memref<3xi32, #gpu.address_space<workgroup>>
  cf.br ^head(%l : i32)
^exit:
  memref.store %v6, %out[%t] : memref<1024xi32>
  return
}
