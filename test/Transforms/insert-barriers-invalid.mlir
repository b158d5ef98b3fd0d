// RUN: memspace-opt %s -memspace-insert-barriers=subgroup-size=32 -allow-unregistered-dialect -split-input-file -verify-diagnostics

// H12: a barrier that only some threads reach.
func.func @divergent(%v: f32) attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
  %t = gpu.thread_id x
  %c8 = arith.constant 8 : index
  // expected-note @below {{where the condition comes from}}
  %in = arith.cmpi slt, %t, %c8 : index
  // expected-note @below {{the condition here differs between threads}}
  scf.if %in {
    // expected-error @below {{barrier that only some threads of the workgroup reach; move it out of the divergent region}}
    gpu.barrier
  }
  return
}

// -----

#wg = #gpu.address_space<workgroup>

// A condition from private memory that a thread-dependent value was stored to.
func.func @divergent_private(%v: i1) attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
  %c0 = arith.constant 0 : index
  %t = gpu.thread_id x
  %p = memref.alloca() : memref<1xindex, #gpu.address_space<private>>
  memref.store %t, %p[%c0] : memref<1xindex, #gpu.address_space<private>>
  %0 = memref.load %p[%c0] : memref<1xindex, #gpu.address_space<private>>
  // expected-note @below {{where the condition comes from}}
  %in = arith.cmpi eq, %0, %c0 : index
  // expected-note @below {{the condition here differs between threads}}
  scf.if %in {
    // expected-error @below {{barrier that only some threads of the workgroup reach}}
    gpu.barrier
  }
  return
}

// -----

#wg = #gpu.address_space<workgroup>

// Both sides of a hazard in one guard, in a loop, which cannot be split.
func.func @inside_guard(%v: f32) attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %t = gpu.thread_id x
  %c64 = arith.constant 64 : index
  %r = affine.apply affine_map<(d0) -> (63 - d0)>(%t)
  %a = memref.alloc() : memref<64xf32, #wg>
  %in = arith.cmpi slt, %t, %c64 : index
  // expected-note @below {{only some threads enter here}}
  scf.if %in {
    scf.for %i = %c0 to %c4 step %c1 {
      // expected-error @below {{threads may touch the same memory here and in 'memref.load', but both are in a region that not all threads enter}}
      memref.store %v, %a[%t] : memref<64xf32, #wg>
      // expected-note @below {{the other access}}
      %0 = memref.load %a[%r] : memref<64xf32, #wg>
    }
  }
  return
}

// -----

#wg = #gpu.address_space<workgroup>

// Nor can it where what is allocated before is needed after.
func.func @allocated_inside(%v: f32) attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
  %t = gpu.thread_id x
  %c64 = arith.constant 64 : index
  %r = affine.apply affine_map<(d0) -> (63 - d0)>(%t)
  %in = arith.cmpi slt, %t, %c64 : index
  // expected-note @below {{only some threads enter here}}
  scf.if %in {
    %a = memref.alloc() : memref<64xf32, #wg>
    // expected-error @below {{threads may touch the same memory here and in 'memref.load'}}
    memref.store %v, %a[%t] : memref<64xf32, #wg>
    // expected-note @below {{the other access}}
    %0 = memref.load %a[%r] : memref<64xf32, #wg>
  }
  return
}

// -----

#wg = #gpu.address_space<workgroup>

// H16: no barrier orders a copy that nobody has waited for; the wait leaves the
// younger group in flight.
func.func @in_flight(%x: memref<256xf32>, %out: memref<128xf32>) attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
  %t = gpu.thread_id x
  %r = affine.apply affine_map<(d0) -> (127 - d0)>(%t)
  %a = memref.alloc() : memref<128xf32, #wg>
  %b = memref.alloc() : memref<128xf32, #wg>
  %0 = nvgpu.device_async_copy %x[%t], %a[%t], 1 : memref<256xf32> to memref<128xf32, #wg>
  %g0 = nvgpu.device_async_create_group %0
  // expected-note @below {{the copy}}
  %1 = nvgpu.device_async_copy %x[%t], %b[%t], 1 : memref<256xf32> to memref<128xf32, #wg>
  %g1 = nvgpu.device_async_create_group %1
  nvgpu.device_async_wait %g0 {numGroups = 1 : i32}
  %2 = memref.load %a[%r] : memref<128xf32, #wg>
  // expected-error @below {{may touch memory while the copy 'nvgpu.device_async_copy' is still in flight there; wait for it before (nvgpu.device_async_wait)}}
  %3 = memref.load %b[%r] : memref<128xf32, #wg>
  memref.store %2, %out[%t] : memref<128xf32>
  memref.store %3, %out[%t] : memref<128xf32>
  return
}

// -----

#wg = #gpu.address_space<workgroup>

// Blocks that only some threads come to.
func.func @divergent_blocks(%v: f32) attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
  %t = gpu.thread_id x
  %c64 = arith.constant 64 : index
  %r = affine.apply affine_map<(d0) -> (63 - d0)>(%t)
  %a = memref.alloc() : memref<64xf32, #wg>
  %in = arith.cmpi slt, %t, %c64 : index
  cf.cond_br %in, ^then, ^join
^then:
  // expected-error @below {{threads may touch the same memory here and in 'memref.load', but both are in a region that not all threads enter}}
  memref.store %v, %a[%t] : memref<64xf32, #wg>
  // expected-note @below {{the other access}}
  %0 = memref.load %a[%r] : memref<64xf32, #wg>
  cf.br ^join
^join:
  return
}

// -----

#wg = #gpu.address_space<workgroup>

// A store against itself in another iteration of a loop that each thread runs
// as often as it likes; below, each thread has elements of its own.
func.func @own_trip_count(%v: f32) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %c100 = arith.constant 100 : index
  %t = gpu.thread_id x
  %a = memref.alloc() : memref<64xf32, #wg>
  %b = memref.alloc() : memref<100xf32, #wg>
  // expected-note @below {{only some threads enter here}}
  scf.for %i = %c0 to %t step %c1 {
    %p = arith.addi %t, %i : index
    %q = arith.remui %p, %c64 : index
    // expected-error @below {{threads may touch the same memory here and in 'memref.store', but both are in a region that not all threads enter}}
    // expected-note @below {{the other access}}
    memref.store %v, %a[%q] : memref<64xf32, #wg>
  }
  scf.for %i = %t to %c100 step %c64 {
    memref.store %v, %b[%i] : memref<100xf32, #wg>
  }
  return
}

// -----

func.func @unknown_region(%x: memref<4xf32>) attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
  // expected-error @below {{'test.unknown' has regions, and nothing is known of how they are run or what it accesses itself; lower it before}}
  "test.unknown"(%x) ({
    "test.yield"() : () -> ()
  }) : (memref<4xf32>) -> ()
  return
}

// -----

#wg = #gpu.address_space<workgroup>

// H16: nor may the thread itself touch what it has not waited for.
func.func @own(%x: memref<16x64xf32>, %out: memref<256xf32>) attributes {gpu.known_block_size = array<i32: 64,1,1>} {
  %c0 = arith.constant 0 : index
  %t = gpu.thread_id x
  %a = memref.alloc() : memref<64xf32, #wg>
  // expected-note @below {{the copy}}
  %tk = nvgpu.device_async_copy %x[%c0, %t], %a[%t], 1 : memref<16x64xf32> to memref<64xf32, #wg>
  %g = nvgpu.device_async_create_group %tk
  // expected-error @below {{may touch memory while the copy 'nvgpu.device_async_copy' is still in flight there}}
  %v = memref.load %a[%t] : memref<64xf32, #wg>
  nvgpu.device_async_wait %g
  memref.store %v, %out[%t] : memref<256xf32>
  return
}

// -----

func.func private @branches(%m: memref<64xf32, #gpu.address_space<workgroup>>, %c: i1) {
  cf.cond_br %c, ^a, ^a
^a:
  return
}
func.func @shares(%c: i1) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %m = memref.alloc() : memref<64xf32, #gpu.address_space<workgroup>>
  scf.if %c {
    // expected-warning @below {{calls 'branches', which uses workgroup memory of the kernel and cannot be inlined: it has branches between blocks; no barrier is placed in it, inline the call before}}
    func.call @branches(%m, %c) : (memref<64xf32, #gpu.address_space<workgroup>>, i1) -> ()
  }
  return
}

// -----

func.func private @again(%m: memref<64xf32, #gpu.address_space<workgroup>>) {
  func.call @again(%m) : (memref<64xf32, #gpu.address_space<workgroup>>) -> ()
  return
}
func.func @recursion() attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %m = memref.alloc() : memref<64xf32, #gpu.address_space<workgroup>>
  // expected-warning @below {{calls 'again', which uses workgroup memory of the kernel and cannot be inlined: it calls itself; no barrier is placed in it}}
  func.call @again(%m) : (memref<64xf32, #gpu.address_space<workgroup>>) -> ()
  return
}

// -----

// Its region has no terminator, from which values could come.
func.func @unknown_regions(%v: f32) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %t = gpu.thread_id x
  %c0 = arith.constant 0 : index
  %c9 = arith.constant 9 : index
  // expected-error @below {{'foo.bar' has regions, and nothing is known of how they are run}}
  %m = "foo.bar"() ({
  ^bb0:
  }) : () -> memref<4xf32, #gpu.address_space<private>>
  %in = arith.cmpi slt, %t, %c9 : index
  scf.if %in {
    memref.store %v, %m[%c0] : memref<4xf32, #gpu.address_space<private>>
  }
  return
}
