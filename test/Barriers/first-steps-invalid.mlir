// What is not known of a loop of blocks that a path has come to.
// RUN: memspace-opt %s -split-input-file -verify-diagnostics=only-expected -memspace-verify-barriers=chip=gfx942 -o /dev/null

#wg = #gpu.address_space<workgroup>

// Its second iteration, without a barrier before it.
func.func @second(%n: index, %out: memref<128xf32>) attributes {gpu.known_block_size = array<i32: 128, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %f = arith.constant 1.0 : f32
  %x = gpu.thread_id x
  %s = memref.alloc() : memref<128xf32, #wg>
  %is = arith.cmpi eq, %x, %c0 : index
  // expected-error@+1 {{possible data race (RAW}}
  memref.store %f, %s[%x] : memref<128xf32, #wg>
  cf.br ^step(%c0 : index)
^step(%k: index):
  %more = arith.cmpi slt, %k, %n : index
  cf.cond_br %more, ^guard, ^end
^guard:
  cf.cond_br %is, ^take, ^next
^take:
  // expected-note@+1 {{the other access}}
  %v = memref.load %s[%k] : memref<128xf32, #wg>
  memref.store %v, %out[%k] : memref<128xf32>
  cf.br ^next
^next:
  %l = arith.addi %k, %c1 : index
  cf.br ^step(%l : index)
^end:
  return
}

// -----

#wg = #gpu.address_space<workgroup>

// It begins with what another thread has stored.
func.func @elsewhere(%n: index, %out: memref<128xf32>) attributes {gpu.known_block_size = array<i32: 128, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %f = arith.constant 1.0 : f32
  %x = gpu.thread_id x
  %s = memref.alloc() : memref<128xf32, #wg>
  %is = arith.cmpi eq, %x, %c0 : index
  // expected-error@+1 {{possible data race (RAW}}
  memref.store %f, %s[%x] : memref<128xf32, #wg>
  cf.br ^step(%c64 : index)
^step(%k: index):
  %more = arith.cmpi slt, %k, %n : index
  cf.cond_br %more, ^guard, ^end
^guard:
  cf.cond_br %is, ^take, ^next
^take:
  // expected-note@+1 {{the other access}}
  %v = memref.load %s[%k] : memref<128xf32, #wg>
  memref.store %v, %out[%k] : memref<128xf32>
  cf.br ^next
^next:
  gpu.barrier
  %l = arith.addi %k, %c1 : index
  cf.br ^step(%l : index)
^end:
  return
}

// -----

#wg = #gpu.address_space<workgroup>

// It has two beginnings.
func.func @two_ways(%n: index, %c: i1, %out: memref<128xf32>) attributes {gpu.known_block_size = array<i32: 128, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %f = arith.constant 1.0 : f32
  %x = gpu.thread_id x
  %s = memref.alloc() : memref<128xf32, #wg>
  %is = arith.cmpi eq, %x, %c0 : index
  // expected-error@+1 {{possible data race (RAW}}
  memref.store %f, %s[%x] : memref<128xf32, #wg>
  cf.cond_br %c, ^step(%c0 : index), ^step(%c64 : index)
^step(%k: index):
  %more = arith.cmpi slt, %k, %n : index
  cf.cond_br %more, ^guard, ^end
^guard:
  cf.cond_br %is, ^take, ^next
^take:
  // expected-note@+1 {{the other access}}
  %v = memref.load %s[%k] : memref<128xf32, #wg>
  memref.store %v, %out[%k] : memref<128xf32>
  cf.br ^next
^next:
  gpu.barrier
  %l = arith.addi %k, %c1 : index
  cf.br ^step(%l : index)
^end:
  return
}

// -----

#wg = #gpu.address_space<workgroup>

// It is entered in its middle, too: an iteration with a barrier may be skipped.
func.func @middle(%n: index, %c: i1, %out: memref<128xf32>) attributes {gpu.known_block_size = array<i32: 128, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c63 = arith.constant 63 : index
  %f = arith.constant 1.0 : f32
  %x = gpu.thread_id x
  %s = memref.alloc() : memref<128xf32, #wg>
  %is = arith.cmpi eq, %x, %c0 : index
  // expected-error@+1 {{possible data race (RAW}}
  memref.store %f, %s[%x] : memref<128xf32, #wg>
  cf.cond_br %c, ^step(%c0 : index), ^next(%c63 : index)
^step(%k: index):
  %more = arith.cmpi slt, %k, %n : index
  cf.cond_br %more, ^guard, ^end
^guard:
  cf.cond_br %is, ^take, ^wait
^take:
  // expected-note@+1 {{the other access}}
  %v = memref.load %s[%k] : memref<128xf32, #wg>
  memref.store %v, %out[%k] : memref<128xf32>
  cf.br ^wait
^wait:
  gpu.barrier
  cf.br ^next(%k : index)
^next(%m: index):
  %l = arith.addi %m, %c1 : index
  cf.br ^step(%l : index)
^end:
  return
}

// -----

#wg = #gpu.address_space<workgroup>

// In steps that are done anew in each round: a step of the round before is none of
// the first ones.
func.func @rounds(%n: index, %out: memref<128xf32>) attributes {gpu.known_block_size = array<i32: 128, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %f = arith.constant 1.0 : f32
  %x = gpu.thread_id x
  %s = memref.alloc() : memref<128xf32, #wg>
  cf.br ^round(%c0 : index)
^round(%i: index):
  %again = arith.cmpi slt, %i, %n : index
  cf.cond_br %again, ^begin, ^end
^begin:
  cf.br ^step(%i : index)
^step(%k: index):
  %more = arith.cmpi slt, %k, %n : index
  cf.cond_br %more, ^take, ^last
^take:
  %is = arith.cmpi eq, %x, %k : index
  cf.cond_br %is, ^store, ^next
^store:
  // expected-error@+1 {{possible data race (WAW}}
  memref.store %f, %s[%c0] : memref<128xf32, #wg>
  cf.br ^next
^next:
  %l = arith.addi %k, %c1 : index
  cf.br ^step(%l : index)
^last:
  gpu.barrier
  %j = arith.addi %i, %c1 : index
  cf.br ^round(%j : index)
^end:
  return
}

// -----

#wg = #gpu.address_space<workgroup>

// Blocks of an op inside of the loop do not lead out of it.
func.func @blocks_inside(%n: index, %c: i1, %out: memref<128xf32>) attributes {gpu.known_block_size = array<i32: 128, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %f = arith.constant 1.0 : f32
  %x = gpu.thread_id x
  %s = memref.alloc() : memref<128xf32, #wg>
  %is = arith.cmpi eq, %x, %c0 : index
  // expected-error@+1 {{possible data race (RAW}}
  memref.store %f, %s[%x] : memref<128xf32, #wg>
  cf.br ^step(%c0 : index)
^step(%k: index):
  %more = arith.cmpi slt, %k, %n : index
  cf.cond_br %more, ^guard, ^end
^guard:
  scf.execute_region {
    cf.cond_br %c, ^then, ^done
  ^then:
    %u = memref.load %out[%x] : memref<128xf32>
    cf.br ^done
  ^done:
    scf.yield
  }
  cf.cond_br %is, ^take, ^next
^take:
  // expected-note@+1 {{the other access}}
  %v = memref.load %s[%k] : memref<128xf32, #wg>
  memref.store %v, %out[%k] : memref<128xf32>
  cf.br ^next
^next:
  %l = arith.addi %k, %c1 : index
  cf.br ^step(%l : index)
^end:
  return
}
