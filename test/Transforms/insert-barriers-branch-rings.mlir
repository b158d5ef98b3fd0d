// Slots of a ring by a counter of a loop made of branches.
// RUN: memspace-opt %s -memspace-insert-barriers=chip=gfx942 -o %t.mlir
// RUN: FileCheck %s --input-file=%t.mlir
// RUN: memspace-opt %t.mlir -memspace-verify-barriers='chip=gfx942 may-hazards=error' -o /dev/null
//
// Argument 0 decides when the loops end, and which way they go.
// RUN: memspace-runner %t.mlir --chip=gfx942 --kernel=parted --grid=1 --arg=0:iota --arg=1:fill:0 --arg=2:fill:1000 --verbose | FileCheck %s --check-prefixes=RIGHT,EIGHT
// RUN: memspace-runner %t.mlir --chip=gfx942 --kernel=again --grid=1 --arg=0:iota --arg=1:fill:0 --arg=2:fill:1000 --verbose | FileCheck %s --check-prefix=RIGHT
// RUN: memspace-runner %t.mlir --chip=gfx942 --kernel=in_the_branch --grid=1 --arg=0:iota --arg=1:fill:0 --arg=2:fill:1000 --verbose | FileCheck %s --check-prefixes=RIGHT,EIGHT
// EIGHT: executed barriers: 8,
// RIGHT: races: 0, divergent barriers: 0, out of bounds: 0, uninitialized reads: 0

// Threads that part and come together in one iteration are in that iteration.
// CHECK-LABEL: func.func @parted
// CHECK: gpu.barrier
// CHECK-NOT: gpu.barrier
// CHECK: return
func.func @parted(%x: memref<64x128xf32>, %y: memref<128xf32>, %limit: f32)
    attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c64 = arith.constant 64 : index
  %c127 = arith.constant 127 : index
  %t = gpu.thread_id x
  %other = arith.xori %t, %c127 : index
  %isLow = arith.cmpi ult, %t, %c64 : index
  %ring = memref.alloc() : memref<3x128xf32, #gpu.address_space<workgroup>>
  cf.br ^head(%c0 : index)
^head(%i: index):
  %flag = memref.load %x[%i, %c0] : memref<64x128xf32>
  %goes = arith.cmpf olt, %flag, %limit : f32
  cf.cond_br %goes, ^body, ^end
^body:
  %slot = arith.remui %i, %c3 : index
  %v = memref.load %x[%i, %t] : memref<64x128xf32>
  cf.cond_br %isLow, ^low, ^high
^low:
  memref.store %v, %ring[%slot, %t] : memref<3x128xf32, #gpu.address_space<workgroup>>
  cf.br ^together
^high:
  %double = arith.addf %v, %v : f32
  memref.store %double, %ring[%slot, %t] : memref<3x128xf32, #gpu.address_space<workgroup>>
  cf.br ^together
^together:
  %w = memref.load %ring[%slot, %other] : memref<3x128xf32, #gpu.address_space<workgroup>>
  memref.store %w, %y[%t] : memref<128xf32>
  %j = arith.addi %i, %c1 : index
  cf.br ^head(%j : index)
^end:
  return
}

// A counter that begins again in some iteration does not say which slot was the
// last one. (It does so once: %first counts, too.)
// CHECK-LABEL: func.func @again
// CHECK-COUNT-2: gpu.barrier
// CHECK: return
func.func @again(%x: memref<64x128xf32>, %y: memref<128xf32>, %limit: f32)
    attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c7 = arith.constant 7 : index
  %c127 = arith.constant 127 : index
  %t = gpu.thread_id x
  %other = arith.xori %t, %c127 : index
  %ring = memref.alloc() : memref<3x128xf32, #gpu.address_space<workgroup>>
  cf.br ^head(%c0, %c0 : index, index)
^head(%i: index, %n: index):
  %flag = memref.load %x[%n, %c0] : memref<64x128xf32>
  %goes = arith.cmpf olt, %flag, %limit : f32
  cf.cond_br %goes, ^body, ^end
^body:
  %slot = arith.remui %i, %c3 : index
  %v = memref.load %x[%i, %t] : memref<64x128xf32>
  memref.store %v, %ring[%slot, %t] : memref<3x128xf32, #gpu.address_space<workgroup>>
  %w = memref.load %ring[%slot, %other] : memref<3x128xf32, #gpu.address_space<workgroup>>
  memref.store %w, %y[%t] : memref<128xf32>
  %j = arith.addi %i, %c1 : index
  %m = arith.addi %n, %c1 : index
  %isEarly = arith.cmpf ogt, %flag, %limit : f32
  %isThird = arith.cmpi eq, %n, %c3 : index
  %begins = arith.ori %isEarly, %isThird : i1
  cf.cond_br %begins, ^head(%c0, %m : index, index), ^head(%j, %m : index, index)
^end:
  return
}

// A place under a condition is passed half as often as one that is not, and the
// blocks of a loop as often as the loop goes on.
// CHECK-LABEL: func.func @in_the_branch
// CHECK: cf.cond_br {{.*}}, ^[[SELDOM:bb[0-9]+]], ^
// CHECK: ^[[SELDOM]]:
// CHECK: gpu.barrier
// CHECK: memref.store
// CHECK: gpu.barrier
// CHECK: cf.br
// CHECK-NOT: gpu.barrier
// CHECK: return
func.func @in_the_branch(%x: memref<64x128xf32>, %y: memref<128xf32>, %limit: f32)
    attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c127 = arith.constant 127 : index
  %t = gpu.thread_id x
  %other = arith.xori %t, %c127 : index
  %tile = memref.alloc() : memref<128xf32, #gpu.address_space<workgroup>>
  %first = memref.load %x[%c0, %t] : memref<64x128xf32>
  memref.store %first, %tile[%other] : memref<128xf32, #gpu.address_space<workgroup>>
  cf.br ^head(%c0 : index)
^head(%i: index):
  %flag = memref.load %x[%i, %c0] : memref<64x128xf32>
  %goes = arith.cmpf olt, %flag, %limit : f32
  cf.cond_br %goes, ^body, ^end
^body:
  %half = arith.remui %i, %c2 : index
  %isEven = arith.cmpi eq, %half, %c0 : index
  cf.cond_br %isEven, ^seldom, ^always
^seldom:
  memref.store %flag, %tile[%t] : memref<128xf32, #gpu.address_space<workgroup>>
  cf.br ^always
^always:
  %w = memref.load %tile[%other] : memref<128xf32, #gpu.address_space<workgroup>>
  memref.store %w, %y[%t] : memref<128xf32>
  %j = arith.addi %i, %c1 : index
  cf.br ^head(%j : index)
^end:
  return
}
