// A ring that is read from the second iteration on, in blocks: the loop may end in
// any way, since an index that counts does not wrap.
// RUN: memspace-opt %s -memspace-insert-barriers=chip=gfx942 -o %t.mlir
// RUN: FileCheck %s < %t.mlir
// RUN: memspace-opt %t.mlir -memspace-verify-barriers=chip=gfx942 -o /dev/null
// RUN: memspace-runner %t.mlir --chip=gfx942 --kernel=without_sign --arg=0:random:1 --arg=2:fill:1 --orders=3 --verbose 2>&1 | FileCheck %s --check-prefix=N1
// RUN: memspace-runner %t.mlir --chip=gfx942 --kernel=without_sign --arg=0:random:1 --arg=2:fill:7 --orders=3 --verbose 2>&1 | FileCheck %s --check-prefix=N7
// RUN: memspace-runner %t.mlir --chip=gfx942 --kernel=other_exit --arg=0:random:1 --arg=2:fill:1 --orders=3 --verbose 2>&1 | FileCheck %s --check-prefix=N1
// RUN: memspace-runner %t.mlir --chip=gfx942 --kernel=other_exit --arg=0:random:1 --arg=2:fill:7 --orders=3 --verbose 2>&1 | FileCheck %s --check-prefix=N7
// RUN: memspace-runner %t.mlir --chip=gfx942 --kernel=rotated --arg=0:random:1 --arg=2:fill:1 --orders=3 --verbose 2>&1 | FileCheck %s --check-prefix=N1
// RUN: memspace-runner %t.mlir --chip=gfx942 --kernel=rotated --arg=0:random:1 --arg=2:fill:7 --orders=3 --verbose 2>&1 | FileCheck %s --check-prefix=N7
// RUN: memspace-runner %t.mlir --chip=gfx942 --kernel=unequal --arg=0:random:1 --arg=2:fill:1 --orders=3 --verbose 2>&1 | FileCheck %s --check-prefix=N1
// RUN: memspace-runner %t.mlir --chip=gfx942 --kernel=unequal --arg=0:random:1 --arg=2:fill:7 --orders=3 --verbose 2>&1 | FileCheck %s --check-prefix=N7
// RUN: memspace-runner %t.mlir --chip=gfx942 --kernel=exit_first --arg=0:random:1 --arg=2:fill:1 --orders=3 --verbose 2>&1 | FileCheck %s --check-prefix=N1
// RUN: memspace-runner %t.mlir --chip=gfx942 --kernel=exit_first --arg=0:random:1 --arg=2:fill:7 --orders=3 --verbose 2>&1 | FileCheck %s --check-prefix=N7
// N1: executed barriers: 0,
// N1: races: 0,
// N7: executed barriers: 6,
// N7: races: 0,

// CHECK-LABEL: @without_sign(
// CHECK: gpu.barrier
// CHECK-NOT: gpu.barrier
func.func @without_sign(%arg0: memref<2048xi32>, %arg1: memref<2048xi32>, %arg2: index) attributes {gpu.known_block_size = array<i32: 128, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c127 = arith.constant 127 : index
  %c128 = arith.constant 128 : index
  %thread_id_x = gpu.thread_id  x
  %0 = arith.subi %c127, %thread_id_x : index
  %alloc = memref.alloc() : memref<3x128xi32, #gpu.address_space<workgroup>>
  cf.br ^bb1(%c0, %c0, %c0 : index, index, index)
^bb1(%1: index, %2: index, %3: index):
  %4 = arith.cmpi ult, %1, %arg2 : index
  cf.cond_br %4, ^bb2, ^bb7
^bb2:
  %5 = arith.muli %1, %c128 : index
  %6 = arith.addi %5, %thread_id_x : index
  %7 = memref.load %arg0[%6] : memref<2048xi32>
  memref.store %7, %alloc[%3, %thread_id_x] : memref<3x128xi32, #gpu.address_space<workgroup>>
  %8 = arith.cmpi ugt, %1, %c0 : index
  cf.cond_br %8, ^bb3, ^bb4
^bb3:
  %9 = memref.load %alloc[%2, %0] : memref<3x128xi32, #gpu.address_space<workgroup>>
  memref.store %9, %arg1[%6] : memref<2048xi32>
  %10 = arith.cmpi eq, %2, %c2 : index
  %11 = arith.addi %2, %c1 : index
  %12 = arith.select %10, %c0, %11 : index
  cf.br ^bb5(%12 : index)
^bb4:
  cf.br ^bb5(%2 : index)
^bb5(%13: index):
  cf.br ^bb6
^bb6:
  %14 = arith.cmpi eq, %3, %c2 : index
  %15 = arith.addi %3, %c1 : index
  %16 = arith.select %14, %c0, %15 : index
  %17 = arith.addi %1, %c1 : index
  cf.br ^bb1(%17, %13, %16 : index, index, index)
^bb7:
  return
}

// CHECK-LABEL: @other_exit(
// CHECK: gpu.barrier
// CHECK-NOT: gpu.barrier
 func.func @other_exit(%arg0: memref<2048xi32>, %arg1: memref<2048xi32>, %arg2: index) attributes {gpu.known_block_size = array<i32: 128, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
   %c0 = arith.constant 0 : index
   %c1 = arith.constant 1 : index
   %c2 = arith.constant 2 : index
   %c127 = arith.constant 127 : index
   %c128 = arith.constant 128 : index
   %thread_id_x = gpu.thread_id  x
   %0 = arith.subi %c127, %thread_id_x : index
   %alloc = memref.alloc() : memref<3x128xi32, #gpu.address_space<workgroup>>
   cf.br ^bb1(%c0, %c0, %c0, %arg2 : index, index, index, index)
 ^bb1(%1: index, %2: index, %3: index, %k: index):
   %4 = arith.cmpi sgt, %k, %c0 : index
   cf.cond_br %4, ^bb2, ^bb7
 ^bb2:
   %5 = arith.muli %1, %c128 : index
   %6 = arith.addi %5, %thread_id_x : index
   %7 = memref.load %arg0[%6] : memref<2048xi32>
   memref.store %7, %alloc[%3, %thread_id_x] : memref<3x128xi32, #gpu.address_space<workgroup>>
   %8 = arith.cmpi ugt, %1, %c0 : index
   cf.cond_br %8, ^bb3, ^bb4
 ^bb3:
   %9 = memref.load %alloc[%2, %0] : memref<3x128xi32, #gpu.address_space<workgroup>>
   memref.store %9, %arg1[%6] : memref<2048xi32>
   %10 = arith.cmpi eq, %2, %c2 : index
   %11 = arith.addi %2, %c1 : index
   %12 = arith.select %10, %c0, %11 : index
   cf.br ^bb5(%12 : index)
 ^bb4:
   cf.br ^bb5(%2 : index)
 ^bb5(%13: index):
   cf.br ^bb6
 ^bb6:
   %14 = arith.cmpi eq, %3, %c2 : index
   %15 = arith.addi %3, %c1 : index
   %16 = arith.select %14, %c0, %15 : index
   %17 = arith.addi %1, %c1 : index
   %km = arith.subi %k, %c1 : index
  cf.br ^bb1(%17, %13, %16, %km : index, index, index, index)
 ^bb7:
   return
 }

// CHECK-LABEL: @rotated(
// CHECK: gpu.barrier
// CHECK-NOT: gpu.barrier
 func.func @rotated(%arg0: memref<2048xi32>, %arg1: memref<2048xi32>, %arg2: index) attributes {gpu.known_block_size = array<i32: 128, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
   %c0 = arith.constant 0 : index
   %c1 = arith.constant 1 : index
   %c2 = arith.constant 2 : index
   %c127 = arith.constant 127 : index
   %c128 = arith.constant 128 : index
   %thread_id_x = gpu.thread_id  x
   %0 = arith.subi %c127, %thread_id_x : index
   %alloc = memref.alloc() : memref<3x128xi32, #gpu.address_space<workgroup>>
   %pre = arith.cmpi slt, %c0, %arg2 : index
  cf.cond_br %pre, ^bb1(%c0, %c0, %c0 : index, index, index), ^bb7
 ^bb1(%1: index, %2: index, %3: index):
   cf.br ^bb2
 ^bb2:
   %5 = arith.muli %1, %c128 : index
   %6 = arith.addi %5, %thread_id_x : index
   %7 = memref.load %arg0[%6] : memref<2048xi32>
   memref.store %7, %alloc[%3, %thread_id_x] : memref<3x128xi32, #gpu.address_space<workgroup>>
   %8 = arith.cmpi ugt, %1, %c0 : index
   cf.cond_br %8, ^bb3, ^bb4
 ^bb3:
   %9 = memref.load %alloc[%2, %0] : memref<3x128xi32, #gpu.address_space<workgroup>>
   memref.store %9, %arg1[%6] : memref<2048xi32>
   %10 = arith.cmpi eq, %2, %c2 : index
   %11 = arith.addi %2, %c1 : index
   %12 = arith.select %10, %c0, %11 : index
   cf.br ^bb5(%12 : index)
 ^bb4:
   cf.br ^bb5(%2 : index)
 ^bb5(%13: index):
   cf.br ^bb6
 ^bb6:
   %14 = arith.cmpi eq, %3, %c2 : index
   %15 = arith.addi %3, %c1 : index
   %16 = arith.select %14, %c0, %15 : index
   %17 = arith.addi %1, %c1 : index
   %4 = arith.cmpi slt, %17, %arg2 : index
  cf.cond_br %4, ^bb1(%17, %13, %16 : index, index, index), ^bb7
 ^bb7:
   return
 }

// CHECK-LABEL: @unequal(
// CHECK: gpu.barrier
// CHECK-NOT: gpu.barrier
func.func @unequal(%arg0: memref<2048xi32>, %arg1: memref<2048xi32>, %arg2: index) attributes {gpu.known_block_size = array<i32: 128, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c127 = arith.constant 127 : index
  %c128 = arith.constant 128 : index
  %thread_id_x = gpu.thread_id  x
  %0 = arith.subi %c127, %thread_id_x : index
  %alloc = memref.alloc() : memref<3x128xi32, #gpu.address_space<workgroup>>
  cf.br ^bb1(%c0, %c0, %c0 : index, index, index)
^bb1(%1: index, %2: index, %3: index):
  %4 = arith.cmpi ne, %1, %arg2 : index
  cf.cond_br %4, ^bb2, ^bb7
^bb2:
  %5 = arith.muli %1, %c128 : index
  %6 = arith.addi %5, %thread_id_x : index
  %7 = memref.load %arg0[%6] : memref<2048xi32>
  memref.store %7, %alloc[%3, %thread_id_x] : memref<3x128xi32, #gpu.address_space<workgroup>>
  %8 = arith.cmpi ugt, %1, %c0 : index
  cf.cond_br %8, ^bb3, ^bb4
^bb3:
  %9 = memref.load %alloc[%2, %0] : memref<3x128xi32, #gpu.address_space<workgroup>>
  memref.store %9, %arg1[%6] : memref<2048xi32>
  %10 = arith.cmpi eq, %2, %c2 : index
  %11 = arith.addi %2, %c1 : index
  %12 = arith.select %10, %c0, %11 : index
  cf.br ^bb5(%12 : index)
^bb4:
  cf.br ^bb5(%2 : index)
^bb5(%13: index):
  cf.br ^bb6
^bb6:
  %14 = arith.cmpi eq, %3, %c2 : index
  %15 = arith.addi %3, %c1 : index
  %16 = arith.select %14, %c0, %15 : index
  %17 = arith.addi %1, %c1 : index
  cf.br ^bb1(%17, %13, %16 : index, index, index)
^bb7:
  return
}

// CHECK-LABEL: @exit_first(
// CHECK: gpu.barrier
// CHECK-NOT: gpu.barrier
func.func @exit_first(%arg0: memref<2048xi32>, %arg1: memref<2048xi32>, %arg2: index) attributes {gpu.known_block_size = array<i32: 128, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c127 = arith.constant 127 : index
  %c128 = arith.constant 128 : index
  %thread_id_x = gpu.thread_id  x
  %0 = arith.subi %c127, %thread_id_x : index
  %alloc = memref.alloc() : memref<3x128xi32, #gpu.address_space<workgroup>>
  cf.br ^bb1(%c0, %c0, %c0 : index, index, index)
^bb1(%1: index, %2: index, %3: index):
  %4 = arith.cmpi sge, %1, %arg2 : index
  cf.cond_br %4, ^bb7, ^bb2
^bb2:
  %5 = arith.muli %1, %c128 : index
  %6 = arith.addi %5, %thread_id_x : index
  %7 = memref.load %arg0[%6] : memref<2048xi32>
  memref.store %7, %alloc[%3, %thread_id_x] : memref<3x128xi32, #gpu.address_space<workgroup>>
  %8 = arith.cmpi ugt, %1, %c0 : index
  cf.cond_br %8, ^bb3, ^bb4
^bb3:
  %9 = memref.load %alloc[%2, %0] : memref<3x128xi32, #gpu.address_space<workgroup>>
  memref.store %9, %arg1[%6] : memref<2048xi32>
  %10 = arith.cmpi eq, %2, %c2 : index
  %11 = arith.addi %2, %c1 : index
  %12 = arith.select %10, %c0, %11 : index
  cf.br ^bb5(%12 : index)
^bb4:
  cf.br ^bb5(%2 : index)
^bb5(%13: index):
  cf.br ^bb6
^bb6:
  %14 = arith.cmpi eq, %3, %c2 : index
  %15 = arith.addi %3, %c1 : index
  %16 = arith.select %14, %c0, %15 : index
  %17 = arith.addi %1, %c1 : index
  cf.br ^bb1(%17, %13, %16 : index, index, index)
^bb7:
  return
}
