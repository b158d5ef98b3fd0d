// RUN: not memspace-opt %s -split-input-file -memspace-verify-barriers=chip=gfx942 2>&1 | FileCheck %s

// Threads that have parted bring different numbers to one point: what is carried is
// not one number there, although each way alone depends on constants only.

// CHECK: possible data race (WAW
func.func @after_divergent_cf(%in: memref<512xf32>, %out: memref<512xf32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c63 = arith.constant 63 : index
  %x = gpu.thread_id x
  %odd = arith.andi %x, %c1 : index
  %s = memref.alloc() : memref<256xf32, #gpu.address_space<workgroup>>
  %v = memref.load %in[%x] : memref<512xf32>
  cf.br ^h(%c0 : index)
^h(%i: index):
  %g = arith.cmpi ult, %i, %odd : index
  cf.cond_br %g, ^b, ^e
^b:
  %n = arith.addi %i, %c1 : index
  cf.br ^h(%n : index)
^e:
  %two = arith.muli %i, %c1 : index
  %sh = arith.shli %two, %c0 : index
  %p = arith.subi %x, %sh : index
  memref.store %v, %s[%p] : memref<256xf32, #gpu.address_space<workgroup>>
  return
}

// -----

// CHECK: possible data race (WAW
func.func @phi(%in: memref<512xf32>, %out: memref<512xf32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %x = gpu.thread_id x
  %s = memref.alloc() : memref<256xf32, #gpu.address_space<workgroup>>
  %v = memref.load %in[%x] : memref<512xf32>
  %g = arith.cmpi ult, %x, %c5 : index
  cf.cond_br %g, ^a, ^b
^a:
  cf.br ^m(%c1 : index)
^b:
  cf.br ^m(%c0 : index)
^m(%q: index):
  %p = arith.addi %x, %q : index
  memref.store %v, %s[%p] : memref<256xf32, #gpu.address_space<workgroup>>
  return
}

// -----

// CHECK: possible data race (WAW
func.func @after_divergent_while(%in: memref<512xf32>, %out: memref<512xf32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %x = gpu.thread_id x
  %odd = arith.andi %x, %c1 : index
  %s = memref.alloc() : memref<256xf32, #gpu.address_space<workgroup>>
  %v = memref.load %in[%x] : memref<512xf32>
  %r = scf.while (%i = %c0) : (index) -> index {
    %g = arith.cmpi ult, %i, %odd : index
    scf.condition(%g) %i : index
  } do {
  ^bb0(%i: index):
    %n = arith.addi %i, %c1 : index
    scf.yield %n : index
  }
  %p = arith.subi %x, %r : index
  memref.store %v, %s[%p] : memref<256xf32, #gpu.address_space<workgroup>>
  return
}

// -----

// CHECK: possible data race (WAW
func.func @after_divergent_for(%in: memref<512xf32>, %out: memref<512xf32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %x = gpu.thread_id x
  %odd = arith.andi %x, %c1 : index
  %s = memref.alloc() : memref<256xf32, #gpu.address_space<workgroup>>
  %v = memref.load %in[%x] : memref<512xf32>
  %r = scf.for %i = %c0 to %odd step %c1 iter_args(%slot = %c0) -> (index) {
    %n = arith.xori %slot, %c1 : index
    scf.yield %n : index
  }
  %p = arith.subi %x, %r : index
  memref.store %v, %s[%p] : memref<256xf32, #gpu.address_space<workgroup>>
  return
}
