// Slices that are not apart, or not where they are computed to be.
// RUN: memspace-opt %s -split-input-file -verify-diagnostics=only-expected -memspace-verify-barriers=chip=gfx942 -o /dev/null
// RUN: memspace-opt %s -split-input-file -verify-diagnostics=only-expected '-memspace-verify-barriers=chip=gfx942 ask-each-pair=true' -o /dev/null

#wg = #gpu.address_space<workgroup>

// The slices of neighbours overlap by half.
func.func @overlapping(%c: i1, %out: memref<256xi32>) attributes {gpu.known_block_size = array<i32: 256, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %x = gpu.thread_id x
  %v = arith.index_cast %x : index to i32
  %l = affine.apply affine_map<()[s0] -> (s0 mod 64)>()[%x]
  %m = affine.apply affine_map<()[s0] -> (63 - s0 mod 64)>()[%x]
  %by = affine.apply affine_map<()[s0] -> ((s0 floordiv 64) * 128)>()[%x]
  %s = memref.alloc() : memref<1024xi8, #wg>
  %t = memref.alloc() : memref<1024xi8, #wg>
  %a = memref.view %s[%by][] : memref<1024xi8, #wg> to memref<64xi32, #wg>
  %b = memref.view %t[%by][] : memref<1024xi8, #wg> to memref<64xi32, #wg>
  %p = arith.select %c, %a, %b : memref<64xi32, #wg>
  memref.store %v, %out[%x] : memref<256xi32>
  // expected-error@+1 {{possible data race (WAW}}
  memref.store %v, %p[%l] : memref<64xi32, #wg>
  memspace.subgroup_barrier
  %f = memref.load %p[%m] : memref<64xi32, #wg>
  memref.store %f, %out[%x] : memref<256xi32>
  return
}

// -----

#wg = #gpu.address_space<workgroup>

// Lanes read what others of their subgroup have written.
func.func @lanes(%c: i1, %out: memref<256xi32>) attributes {gpu.known_block_size = array<i32: 256, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %x = gpu.thread_id x
  %v = arith.index_cast %x : index to i32
  %l = affine.apply affine_map<()[s0] -> (s0 mod 64)>()[%x]
  %m = affine.apply affine_map<()[s0] -> (63 - s0 mod 64)>()[%x]
  %by = affine.apply affine_map<()[s0] -> ((s0 floordiv 64) * 256)>()[%x]
  %s = memref.alloc() : memref<1024xi8, #wg>
  %t = memref.alloc() : memref<1024xi8, #wg>
  %a = memref.view %s[%by][] : memref<1024xi8, #wg> to memref<64xi32, #wg>
  %b = memref.view %t[%by][] : memref<1024xi8, #wg> to memref<64xi32, #wg>
  %p = arith.select %c, %a, %b : memref<64xi32, #wg>
  // expected-error@+1 {{data race (RAW}}
  memref.store %v, %p[%l] : memref<64xi32, #wg>
  %f = memref.load %p[%m] : memref<64xi32, #wg>
  memref.store %f, %out[%x] : memref<256xi32>
  return
}

// -----

#wg = #gpu.address_space<workgroup>

// What an iteration carries is where the one before has computed: the slice of
// the next subgroup, then of the one after it.
func.func @carried(%out: memref<256xi32>) attributes {gpu.known_block_size = array<i32: 256, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %x = gpu.thread_id x
  %v = arith.index_cast %x : index to i32
  %l = affine.apply affine_map<()[s0] -> (s0 mod 64)>()[%x]
  %by = affine.apply affine_map<()[s0] -> ((s0 floordiv 64) * 256)>()[%x]
  %s = memref.alloc() : memref<1024xi8, #wg>
  %a = memref.view %s[%by][] : memref<1024xi8, #wg> to memref<64xi32, #wg>
  %r = scf.for %i = %c0 to %c4 step %c1 iter_args(%p = %a) -> (memref<64xi32, #wg>) {
    // expected-error@+1 {{data race (WAW}}
    memref.store %v, %p[%l] : memref<64xi32, #wg>
    memspace.subgroup_barrier
    %to = affine.apply affine_map<(d0)[s0] -> (((s0 floordiv 64 + d0) mod 4) * 256)>(%i)[%x]
    %n = memref.view %s[%to][] : memref<1024xi8, #wg> to memref<64xi32, #wg>
    scf.yield %n : memref<64xi32, #wg>
  }
  return
}
