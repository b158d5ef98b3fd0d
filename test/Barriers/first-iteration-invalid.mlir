// A counter of a loop of blocks that may come to its first number again, or to
// another one that a condition asks for, tells no first iteration.
// RUN: memspace-opt %s -split-input-file -verify-diagnostics -memspace-verify-barriers=chip=gfx942 -o /dev/null

#wg = #gpu.address_space<workgroup>

// Steps of 4 in 8 bits: 124 is followed by -128, which is below the end.
// expected-note@+1 {{in another iteration of this loop}}
func.func @wraps(%n: i8, %out: memref<64xf32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %c0 = arith.constant 0 : i8
  %c4 = arith.constant 4 : i8
  %c63 = arith.constant 63 : index
  %f = arith.constant 1.0 : f32
  %b = memref.alloc() : memref<64xf32, #wg>
  %t = gpu.thread_id x
  %r = arith.subi %c63, %t : index
  cf.br ^head(%c0 : i8)
^head(%i: i8):
  %more = arith.cmpi slt, %i, %n : i8
  cf.cond_br %more, ^body, ^end
^body:
  %later = arith.cmpi ne, %i, %c0 : i8
  cf.cond_br %later, ^wait, ^go
^wait:
  gpu.barrier
  cf.br ^go
^go:
  // expected-note@+1 {{the other access}}
  %v = memref.load %b[%r] : memref<64xf32, #wg>
  memref.store %v, %out[%t] : memref<64xf32>
  gpu.barrier
  // expected-error@+1 {{possible data race (RAW, loop-carried}}
  memref.store %f, %b[%t] : memref<64xf32, #wg>
  %next = arith.addi %i, %c4 : i8
  cf.br ^head(%next : i8)
^end:
  return
}

// -----

#wg = #gpu.address_space<workgroup>

// The second iteration is none.
// expected-note@+1 {{in another iteration of this loop}}
func.func @second(%n: index, %out: memref<64xf32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c63 = arith.constant 63 : index
  %f = arith.constant 1.0 : f32
  %b = memref.alloc() : memref<64xf32, #wg>
  %t = gpu.thread_id x
  %r = arith.subi %c63, %t : index
  cf.br ^head(%c0 : index)
^head(%i: index):
  %more = arith.cmpi slt, %i, %n : index
  cf.cond_br %more, ^body, ^end
^body:
  %later = arith.cmpi ne, %i, %c1 : index
  cf.cond_br %later, ^wait, ^go
^wait:
  gpu.barrier
  cf.br ^go
^go:
  // expected-note@+1 {{the other access}}
  %v = memref.load %b[%r] : memref<64xf32, #wg>
  memref.store %v, %out[%t] : memref<64xf32>
  gpu.barrier
  // expected-error@+1 {{possible data race (RAW, loop-carried}}
  memref.store %f, %b[%t] : memref<64xf32, #wg>
  %next = arith.addi %i, %c1 : index
  cf.br ^head(%next : index)
^end:
  return
}

// -----

#wg = #gpu.address_space<workgroup>

// The loop around begins the other one again: what is stored at the end of one
// is loaded in the first iteration of the next.
// expected-note@+1 {{in another iteration of this loop}}
func.func @again(%n: index, %out: memref<64xf32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c63 = arith.constant 63 : index
  %f = arith.constant 1.0 : f32
  %b = memref.alloc() : memref<64xf32, #wg>
  %t = gpu.thread_id x
  %r = arith.subi %c63, %t : index
  cf.br ^around(%c0 : index)
^around(%k: index):
  %again = arith.cmpi slt, %k, %n : index
  cf.cond_br %again, ^enter, ^end
^enter:
  cf.br ^head(%c0 : index)
^head(%i: index):
  %more = arith.cmpi slt, %i, %n : index
  cf.cond_br %more, ^body, ^latch
^body:
  %later = arith.cmpi ne, %i, %c0 : index
  cf.cond_br %later, ^wait, ^go
^wait:
  gpu.barrier
  cf.br ^go
^go:
  // expected-note@+1 {{the other access}}
  %v = memref.load %b[%r] : memref<64xf32, #wg>
  memref.store %v, %out[%t] : memref<64xf32>
  gpu.barrier
  // expected-error@+1 {{possible data race (RAW, loop-carried}}
  memref.store %f, %b[%t] : memref<64xf32, #wg>
  %next = arith.addi %i, %c1 : index
  cf.br ^head(%next : index)
^latch:
  %last = arith.addi %k, %c1 : index
  cf.br ^around(%last : index)
^end:
  return
}

// -----

// What a guard of the first iteration chooses is another place in the first
// iteration than in all others, by whatever name it goes.
func.func @chosen_by_first(%n: index, %out: memref<128xf32>) attributes {gpu.known_block_size = array<i32: 128, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c512 = arith.constant 512 : index
  %f = arith.constant 1.0 : f32
  %x = gpu.thread_id x
  %y = affine.apply affine_map<()[s0] -> (127 - s0)>()[%x]
  %s = memref.alloc() : memref<1024xi8, #gpu.address_space<workgroup>>
  // expected-note@+1 {{in another iteration of this loop}}
  scf.for %i = %c0 to %n step %c1 {
    %c = arith.cmpi ne, %i, %c0 : index
    %p = scf.if %c -> (memref<128xf32, #gpu.address_space<workgroup>>) {
      %a = memref.view %s[%c512][] : memref<1024xi8, #gpu.address_space<workgroup>> to memref<128xf32, #gpu.address_space<workgroup>>
      scf.yield %a : memref<128xf32, #gpu.address_space<workgroup>>
    } else {
      %a = memref.view %s[%c0][] : memref<1024xi8, #gpu.address_space<workgroup>> to memref<128xf32, #gpu.address_space<workgroup>>
      scf.yield %a : memref<128xf32, #gpu.address_space<workgroup>>
    }
    // expected-note@+1 {{the other access}}
    memref.store %f, %p[%x] : memref<128xf32, #gpu.address_space<workgroup>>
    gpu.barrier
    // expected-error@+1 {{data race (WAR, loop-carried}}
    %v = memref.load %p[%y] : memref<128xf32, #gpu.address_space<workgroup>>
    memref.store %v, %out[%x] : memref<128xf32>
  }
  return
}
