// Loops that are given up in their second execution, for too many states: what the
// first one has left behind is not known any more.
// RUN: memspace-opt %s -memspace-insert-barriers=chip=gfx942 -o %t
// RUN: memspace-opt %t -memspace-verify-barriers=chip=gfx942 -o /dev/null
// RUN: memspace-runner %t --kernel=numbers --chip=gfx942 --arg=0:fill:0
// RUN: memspace-runner %t --kernel=counters --chip=gfx942 --arg=0:fill:0

// Few numbers of each value, and many states.
func.func @numbers(%g: memref<256xf32>) attributes {gpu.known_block_size = array<i32: 128, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c128 = arith.constant 128 : index
  %c255 = arith.constant 255 : index
  %c37 = arith.constant 37 : index
  %c41 = arith.constant 41 : index
  %c2010 = arith.constant 2010 : index
  %f = arith.constant 1.0 : f32
  %tid = gpu.thread_id x
  %buf = memref.alloc() : memref<2048xf32, #gpu.address_space<workgroup>>
  %up = arith.addi %tid, %c128 : index
  memref.store %f, %buf[%up] : memref<2048xf32, #gpu.address_space<workgroup>>
  gpu.barrier
  %rev = arith.subi %c255, %tid : index
  cf.br ^h(%c0 : index)
^h(%p: index):
  %is0 = arith.cmpi eq, %p, %c0 : index
  %trips = arith.select %is0, %c2, %c2010 : index
  %x:2 = scf.for %k = %c0 to %trips step %c1 iter_args(%y = %c0, %z = %c0) -> (index, index) {
    %y1 = arith.addi %y, %c1 : index
    %y2 = arith.remui %y1, %c37 : index
    %z1 = arith.addi %z, %c1 : index
    %z2 = arith.remui %z1, %c41 : index
    scf.yield %y2, %z2 : index, index
  }
  %a1 = arith.cmpi eq, %x#0, %c2 : index
  %a2 = arith.cmpi eq, %x#1, %c2 : index
  %is7 = arith.andi %a1, %a2 : i1
  %o = arith.select %is7, %c0, %c128 : index
  %a = arith.addi %o, %tid : index
  memref.store %f, %buf[%a] : memref<2048xf32, #gpu.address_space<workgroup>>
  %val = memref.load %buf[%rev] : memref<2048xf32, #gpu.address_space<workgroup>>
  memref.store %val, %g[%tid] : memref<256xf32>
  %p1 = arith.addi %p, %c1 : index
  %go = arith.cmpi slt, %p1, %c3 : index
  cf.cond_br %go, ^h(%p1 : index), ^e
^e:
  return
}

// Many numbers of one value.
func.func @counters(%g: memref<256xf32>) attributes {gpu.known_block_size = array<i32: 128, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c128 = arith.constant 128 : index
  %c255 = arith.constant 255 : index
  %c1200 = arith.constant 1200 : index
  %c7 = arith.constant 7 : index
  %true = arith.constant true
  %false = arith.constant false
  %f = arith.constant 1.0 : f32
  %tid = gpu.thread_id x
  %buf = memref.alloc() : memref<2048xf32, #gpu.address_space<workgroup>>
  %unk0 = memref.load %g[%c0] : memref<256xf32>
  %unk1 = arith.fptosi %unk0 : f32 to i32
  %unk = arith.index_cast %unk1 : i32 to index
  %up = arith.addi %tid, %c128 : index
  memref.store %f, %buf[%up] : memref<2048xf32, #gpu.address_space<workgroup>>
  gpu.barrier
  %rev = arith.subi %c255, %tid : index
  cf.br ^h(%unk, %false, %unk : index, i1, index)
^h(%v: index, %p: i1, %n: index):
  %sel = arith.select %p, %v, %c7 : index
  %x = scf.for %k = %c0 to %c2 step %c1 iter_args(%y = %sel) -> index {
    scf.yield %sel : index
  }
  // x = 7 first, then v
  %is7 = arith.cmpi eq, %x, %c7 : index
  %o = arith.select %is7, %c0, %c128 : index
  %a = arith.addi %o, %tid : index
  memref.store %f, %buf[%a] : memref<2048xf32, #gpu.address_space<workgroup>>
  %val = memref.load %buf[%rev] : memref<2048xf32, #gpu.address_space<workgroup>>
  memref.store %val, %g[%tid] : memref<256xf32>
  %v1 = arith.addi %x, %c1 : index
  %n1 = arith.addi %n, %c1 : index
  %go = arith.cmpi slt, %n1, %c1200 : index
  cf.cond_br %go, ^h(%v1, %true, %n1 : index, i1, index), ^e
^e:
  return
}
