// RUN: memspace-opt %s "-memspace-verify-barriers=subgroup-size=32 may-hazards=warn" -split-input-file -verify-diagnostics -o /dev/null
// RUN: not memspace-opt %s "-memspace-verify-barriers=subgroup-size=32" -split-input-file -o /dev/null 2>&1 | FileCheck %s --check-prefix=ALL

// What is certain is an error, what cannot be excluded a warning. By default
// both are errors.

// ALL-NOT: warning:
// ALL: error: possible data race
// ALL-NOT: warning:

#wg = #gpu.address_space<workgroup>
#mirror = affine_map<(t) -> (127 - t)>

// Ids alone decide.
func.func @certain(%v: f32) attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
  %t = gpu.thread_id x
  %r = affine.apply #mirror(%t)
  %a = memref.alloc() : memref<128xf32, #wg>
  // expected-error @below {{data race (RAW) with 'memref.load'}}
  memref.store %v, %a[%t] : memref<128xf32, #wg>
  // expected-note @below {{the other access; thread (127, 0, 0) and thread (0, 0, 0) touch byte 508 of %alloc}}
  %0 = memref.load %a[%r] : memref<128xf32, #wg>
  return
}

// -----

#wg = #gpu.address_space<workgroup>
#mirror = affine_map<(t) -> (127 - t)>

// Nobody knows whether the load is executed.
func.func @unknown_condition(%v: f32, %flag: i1) attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
  %t = gpu.thread_id x
  %r = affine.apply #mirror(%t)
  %a = memref.alloc() : memref<128xf32, #wg>
  // expected-warning @below {{possible data race (RAW) with 'memref.load'}}
  memref.store %v, %a[%t] : memref<128xf32, #wg>
  scf.if %flag {
    // expected-note @below {{the other access; thread (127, 0, 0) and thread (0, 0, 0) may touch byte 508 of %alloc}}
    %0 = memref.load %a[%r] : memref<128xf32, #wg>
  }
  return
}

// -----

#wg = #gpu.address_space<workgroup>
#mirror = affine_map<(t) -> (127 - t)>

// Nor whether the barrier is.
func.func @unknown_barrier(%v: f32, %flag: i1) attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
  %t = gpu.thread_id x
  %r = affine.apply #mirror(%t)
  %a = memref.alloc() : memref<128xf32, #wg>
  // expected-warning @below {{possible data race (RAW) with 'memref.load'}}
  memref.store %v, %a[%t] : memref<128xf32, #wg>
  scf.if %flag {
    gpu.barrier
  }
  // expected-note @below {{the other access}}
  %0 = memref.load %a[%r] : memref<128xf32, #wg>
  return
}

// -----

#wg = #gpu.address_space<workgroup>

// An argument of which nothing is known decides where.
func.func @unknown_index(%v: f32, %i: index) attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
  %t = gpu.thread_id x
  %a = memref.alloc() : memref<128xf32, #wg>
  // expected-warning @below {{possible data race (RAW) with 'memref.load'}}
  memref.store %v, %a[%t] : memref<128xf32, #wg>
  // expected-note @below {{the other access; thread (96, 0, 0) with %arg1 = 96 and thread (0, 0, 0) with %arg1 = 96 may touch byte 384 of %alloc}}
  %0 = memref.load %a[%i] : memref<128xf32, #wg>
  return
}

// -----

#wg = #gpu.address_space<workgroup>
#mirror = affine_map<(t) -> (127 - t)>

// From one iteration to the next, though a barrier is in each.
func.func @next_iteration(%v: f32) attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %t = gpu.thread_id x
  %r = affine.apply #mirror(%t)
  %a = memref.alloc() : memref<128xf32, #wg>
  // expected-note @below {{in another iteration of this loop}}
  scf.for %k = %c0 to %c8 step %c1 {
    // expected-note @below {{the other access}}
    memref.store %v, %a[%t] : memref<128xf32, #wg>
    gpu.barrier
    // expected-error @below {{data race (WAR, loop-carried) with 'memref.store'}}
    %0 = memref.load %a[%r] : memref<128xf32, #wg>
  }
  return
}

// -----

#wg = #gpu.address_space<workgroup>
#mirror = affine_map<(t) -> (127 - t)>

// The barrier is skipped in some iterations, perhaps not between these two.
func.func @some_iterations(%v: f32) attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c8 = arith.constant 8 : index
  %t = gpu.thread_id x
  %r = affine.apply #mirror(%t)
  %a = memref.alloc() : memref<128xf32, #wg>
  // expected-note @below {{in another iteration of this loop}}
  scf.for %k = %c0 to %c8 step %c1 {
    // expected-note @below {{the other access}}
    memref.store %v, %a[%t] : memref<128xf32, #wg>
    gpu.barrier
    // expected-warning @below {{possible data race (WAR, loop-carried) with 'memref.store'}}
    %0 = memref.load %a[%r] : memref<128xf32, #wg>
    %odd = arith.remui %k, %c2 : index
    %skips = arith.cmpi eq, %odd, %c0 : index
    scf.if %skips {
      gpu.barrier
    }
  }
  return
}

// -----

#wg = #gpu.address_space<workgroup>
#mirror = affine_map<(t) -> (127 - t)>

// The last of a loop to what is behind it; the first of a loop from before.
func.func @around_loops(%v: f32) attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %t = gpu.thread_id x
  %r = affine.apply #mirror(%t)
  %a = memref.alloc() : memref<128xf32, #wg>
  // expected-error @below {{data race (WAW) with 'memref.store'}}
  memref.store %v, %a[%t] : memref<128xf32, #wg>
  scf.for %k = %c0 to %c8 step %c1 {
    // expected-note @below {{the other access}}
    memref.store %v, %a[%r] : memref<128xf32, #wg>
    gpu.barrier
  }
  return
}

// -----

#wg = #gpu.address_space<workgroup>

// A subgroup's barrier orders nothing between subgroups.
func.func @narrow_barrier(%v: f32) attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
  %t = gpu.thread_id x
  %r = affine.apply affine_map<(t) -> (127 - t)>(%t)
  %a = memref.alloc() : memref<128xf32, #wg>
  // expected-error @below {{data race (RAW) with 'memref.load'}}
  memref.store %v, %a[%t] : memref<128xf32, #wg>
  memspace.subgroup_barrier
  // expected-note @below {{the other access}}
  %0 = memref.load %a[%r] : memref<128xf32, #wg>
  return
}

// -----

// What a function does nobody knows; here it could be a barrier.
func.func private @unknown()
func.func @call(%v: f32, %out: memref<128xf32>) attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
  %t = gpu.thread_id x
  %r = affine.apply affine_map<(t) -> (127 - t)>(%t)
  // expected-warning @below {{possible data race (WAW) with 'memref.store'}}
  // expected-warning @below {{possible data race (RAW) with 'func.call'}}
  memref.store %v, %out[%t] : memref<128xf32>
  // expected-warning @below {{possible data race (RAW) of threads that execute this 'func.call' at once}}
  // expected-warning @below {{possible data race (WAW) with 'memref.store'}}
  // expected-note @below {{the other access}}
  // expected-note @below {{thread (96, 0, 0) and thread (0, 0, 0) may touch the same place}}
  func.call @unknown() : () -> ()
  // expected-note @below {{the other access; thread (127, 0, 0) and thread (0, 0, 0) touch}}
  // expected-note @below {{the other access; thread (96, 0, 0) and thread (0, 0, 0) may touch}}
  memref.store %v, %out[%r] : memref<128xf32>
  return
}

// -----

// Workgroups of a grid that is known, and of one that is not.
func.func @known_grid(%v: f32, %out: memref<4xf32>) attributes {gpu.known_block_size = array<i32: 1, 1, 1>, gpu.known_grid_size = array<i32: 8, 1, 1>} {
  %c4 = arith.constant 4 : index
  %b = gpu.block_id x
  %i = arith.remui %b, %c4 : index
  // expected-error @below {{data race (WAW) of threads that execute this 'memref.store' in another workgroup}}
  // expected-note @below {{touch}}
  memref.store %v, %out[%i] : memref<4xf32>
  return
}

func.func @unknown_grid(%v: f32, %out: memref<4xf32>) attributes {gpu.known_block_size = array<i32: 1, 1, 1>} {
  %c4 = arith.constant 4 : index
  %b = gpu.block_id x
  %i = arith.remui %b, %c4 : index
  // expected-warning @below {{possible data race (WAW) of threads that execute this 'memref.store' in another workgroup}}
  // expected-note @below {{may touch}}
  memref.store %v, %out[%i] : memref<4xf32>
  return
}

// -----

// Threads that part by their ids, or perhaps by what they have loaded.
func.func @parted(%in: memref<128xi1>) attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
  %c8 = arith.constant 8 : index
  %t = gpu.thread_id x
  // expected-note @below {{where the condition comes from}}
  %few = arith.cmpi slt, %t, %c8 : index
  // expected-note @below {{the condition here differs between threads}}
  scf.if %few {
    // expected-error @below {{barrier that only some threads of the workgroup reach}}
    gpu.barrier
  }
  // expected-note @below {{where the condition comes from}}
  %loaded = memref.load %in[%t] : memref<128xi1>
  // expected-note @below {{the condition here may differ between threads}}
  scf.if %loaded {
    // expected-warning @below {{barrier that perhaps only some threads of the workgroup reach}}
    gpu.barrier
  }
  return
}

// -----

// In no iteration does any thread come to the second one.
func.func @iterations() attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
  %false = arith.constant false
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %t = gpu.thread_id x
  // expected-note @below {{the condition here differs between threads}}
  scf.for %i = %c0 to %t step %c1 {
    // expected-error @below {{barrier that only some threads of the workgroup reach}}
    gpu.barrier
  }
  // expected-note @below {{the condition here may differ between threads}}
  scf.for %i = %c0 to %t step %c1 {
    scf.if %false {
      // expected-warning @below {{barrier that perhaps only some threads of the workgroup reach}}
      gpu.barrier
    }
  }
  return
}

// -----

// A promise that is broken for certain is none, and two foralls promise nothing
// of each other.
func.func @broken_promise(%out: memref<4xf32>, %f: f32)
    attributes {gpu.known_block_size = array<i32: 1, 1, 1>, gpu.known_grid_size = array<i32: 8, 1, 1>} {
  %c4 = arith.constant 4 : index
  %b = gpu.block_id x
  %i = arith.remui %b, %c4 : index
  // expected-error @below {{data race (WAW) of threads that execute this 'memref.store' in another workgroup}}
  // expected-note @below {{touch}}
  memref.store %f, %out[%i] {memspace.workgroup_disjoint = array<i64: 0>} : memref<4xf32>
  return
}

func.func @other_promise(%where: memref<?xindex>, %out: memref<?xf32>, %f: f32)
    attributes {gpu.known_block_size = array<i32: 1, 1, 1>} {
  %b = gpu.block_id x
  %i = memref.load %where[%b] : memref<?xindex>
  // expected-warning @below {{possible data race (WAW) with 'memref.store' in another workgroup}}
  memref.store %f, %out[%i] {memspace.workgroup_disjoint = array<i64: 0>} : memref<?xf32>
  // expected-note @below {{the other access}}
  memref.store %f, %out[%b] {memspace.workgroup_disjoint = array<i64: 1>} : memref<?xf32>
  return
}

// -----

#wg = #gpu.address_space<workgroup>

// Loops and conditions of `affine` are evaluated, too.
func.func @affine_loop(%out: memref<256xf32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %f1 = arith.constant 1.0 : f32
  %c63 = arith.constant 63 : index
  %t = gpu.thread_id x
  %m = arith.subi %c63, %t : index
  %a = memref.alloc() : memref<64xf32, #wg>
  affine.for %k = 0 to min affine_map<(d0) -> (d0 + 1, 2)>(%t) {
    // expected-note @below {{threads part here}}
    affine.if affine_set<(d0) : (d0 - 1 == 0)>(%k) {
      // expected-error @below {{data race (RAW) with 'memref.load': both are in a region}}
      memref.store %f1, %a[%t] : memref<64xf32, #wg>
      // expected-note @below {{thread (62, 0, 0) with %arg1 = 1 and thread (1, 0, 0) with %arg1 = 1 touch byte 248}}
      %v = memref.load %a[%m] : memref<64xf32, #wg>
      memref.store %v, %out[%t] : memref<256xf32>
    }
  }
  return
}

// -----

#wg = #gpu.address_space<workgroup>

func.func @affine_carried(%out: memref<256xf32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %f1 = arith.constant 1.0 : f32
  %c63 = arith.constant 63 : index
  %t = gpu.thread_id x
  %m = arith.subi %c63, %t : index
  %a = memref.alloc() : memref<64xf32, #wg>
  // expected-note @below {{in another iteration of this loop}}
  affine.for %k = 0 to 5 {
    // expected-note @below {{thread (63, 0, 0) with %arg1 = 0 and thread (0, 0, 0) with %arg1 = 1 touch byte 0}}
    memref.store %f1, %a[%t] : memref<64xf32, #wg>
    gpu.barrier
    // expected-error @below {{data race (WAR, loop-carried) with 'memref.store'}}
    %v = memref.load %a[%m] : memref<64xf32, #wg>
    memref.store %v, %out[%t] : memref<256xf32>
  }
  return
}

// -----

// The loop runs fewer times in some threads.
func.func @affine_divergent() attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  // expected-note @below {{where the condition comes from}}
  %t = gpu.thread_id x
  // expected-note @below {{the condition here differs between threads}}
  affine.for %k = 0 to affine_map<(d0) -> (d0)>(%t) {
    // expected-error @below {{barrier that only some threads of the workgroup reach}}
    gpu.barrier
  }
  return
}
