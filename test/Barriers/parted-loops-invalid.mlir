// What threads do not share while they are in a loop inside of divergent code.
// RUN: memspace-opt %s -split-input-file -verify-diagnostics=only-expected -memspace-verify-barriers=chip=gfx942 -o /dev/null

#wg = #gpu.address_space<workgroup>

// Nothing orders one step and the next.
func.func @steps(%n: index) attributes {gpu.known_block_size = array<i32: 128, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %x = gpu.thread_id x
  %s = memref.alloc() : memref<16x128xf32, #wg>
  cf.br ^step(%c0 : index)
^step(%k: index):
  %more = arith.cmpi slt, %k, %n : index
  cf.cond_br %more, ^guard, ^end
^guard:
  %g = arith.cmpi sgt, %x, %k : index
  cf.cond_br %g, ^column(%c0 : index), ^next
^column(%i: index):
  %inside = arith.cmpi slt, %i, %c16 : index
  cf.cond_br %inside, ^update, ^next
^update:
  %v = memref.load %s[%i, %k] : memref<16x128xf32, #wg>
  // expected-error@+1 {{possible data race (RAW, loop-carried}}
  memref.store %v, %s[%i, %x] : memref<16x128xf32, #wg>
  %j = arith.addi %i, %c1 : index
  cf.br ^column(%j : index)
^next:
  %l = arith.addi %k, %c1 : index
  cf.br ^step(%l : index)
^end:
  return
}

// -----

#wg = #gpu.address_space<workgroup>

// In one step, in different iterations inside: thread 2 loads what thread 1 stores.
func.func @inside(%n: index) attributes {gpu.known_block_size = array<i32: 128, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %x = gpu.thread_id x
  %s = memref.alloc() : memref<256xf32, #wg>
  cf.br ^step(%c0 : index)
^step(%k: index):
  %more = arith.cmpi slt, %k, %n : index
  cf.cond_br %more, ^guard, ^end
^guard:
  gpu.barrier
  %g = arith.cmpi sgt, %x, %k : index
  cf.cond_br %g, ^column(%c0 : index), ^next
^column(%i: index):
  %inside = arith.cmpi slt, %i, %c16 : index
  cf.cond_br %inside, ^update, ^next
^update:
  %p = arith.addi %i, %x : index
  // expected-error@+1 {{possible data race (WAR}}
  %v = memref.load %s[%p] : memref<256xf32, #wg>
  // expected-error@+1 {{possible data race (}}
  memref.store %v, %s[%p] : memref<256xf32, #wg>
  %j = arith.addi %i, %c1 : index
  cf.br ^column(%j : index)
^next:
  %l = arith.addi %k, %c1 : index
  cf.br ^step(%l : index)
^end:
  return
}

// -----

#wg = #gpu.address_space<workgroup>

// Each thread leaves the steps by itself: they are in different ones.
func.func @own_steps() attributes {gpu.known_block_size = array<i32: 128, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %x = gpu.thread_id x
  %s = memref.alloc() : memref<16x128xf32, #wg>
  cf.br ^step(%c0 : index)
^step(%k: index):
  %more = arith.cmpi slt, %k, %x : index
  cf.cond_br %more, ^column(%c0 : index), ^end
^column(%i: index):
  %inside = arith.cmpi slt, %i, %c16 : index
  cf.cond_br %inside, ^update, ^next
^update:
  // expected-error@+1 {{possible data race (}}
  %v = memref.load %s[%i, %k] : memref<16x128xf32, #wg>
  // expected-error@+1 {{possible data race (}}
  memref.store %v, %s[%i, %x] : memref<16x128xf32, #wg>
  %j = arith.addi %i, %c1 : index
  cf.br ^column(%j : index)
^next:
  %l = arith.addi %k, %c1 : index
  cf.br ^step(%l : index)
^end:
  return
}

// -----

#wg = #gpu.address_space<workgroup>

// Behind the loop of a step, and in the next one: what is computed anew in each
// step is not the same.
func.func @behind(%n: index) attributes {gpu.known_block_size = array<i32: 128, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %x = gpu.thread_id x
  %s = memref.alloc() : memref<16x128xf32, #wg>
  cf.br ^step(%c0 : index)
^step(%k: index):
  %more = arith.cmpi slt, %k, %n : index
  cf.cond_br %more, ^guard, ^end
^guard:
  %g = arith.cmpi sgt, %x, %k : index
  cf.cond_br %g, ^column(%c0 : index), ^next
^column(%i: index):
  %inside = arith.cmpi slt, %i, %c16 : index
  cf.cond_br %inside, ^update, ^next
^update:
  %v = memref.load %s[%i, %k] : memref<16x128xf32, #wg>
  %j = arith.addi %i, %c1 : index
  cf.br ^column(%j : index)
^next:
  %f = arith.constant 1.0 : f32
  %least = arith.cmpi sgt, %x, %k : index
  cf.cond_br %least, ^fill, ^last
^fill:
  // expected-error@+1 {{possible data race (RAW, loop-carried}}
  memref.store %f, %s[%c0, %x] : memref<16x128xf32, #wg>
  cf.br ^last
^last:
  %l = arith.addi %k, %c1 : index
  cf.br ^step(%l : index)
^end:
  return
}
