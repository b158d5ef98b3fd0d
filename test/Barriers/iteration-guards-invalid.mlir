// RUN: memspace-opt %s -verify-diagnostics -memspace-verify-barriers=chip=sm_90

// In the last iteration, 100, the next number wraps around to -106: no barrier then.
func.func @wraps(%out: memref<64xf32>) attributes {
    gpu.kernel, gpu.known_block_size = array<i32: 64, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %c0 = arith.constant 0 : i8
  %c50 = arith.constant 50 : i8
  %c120 = arith.constant 120 : i8
  %c63 = arith.constant 63 : index
  %v = arith.constant 1.0 : f32
  %tid = gpu.thread_id x
  %rev = arith.subi %c63, %tid : index
  %a = memref.alloc() : memref<64xf32, #gpu.address_space<workgroup>>
  scf.for %i = %c0 to %c120 step %c50 : i8 {
    // expected-error@+1 {{data race (RAW) with 'memref.load'}}
    memref.store %v, %a[%tid] : memref<64xf32, #gpu.address_space<workgroup>>
    %n = arith.addi %i, %c50 : i8
    %l = arith.cmpi sge, %n, %c120 : i8
    scf.if %l {
      gpu.barrier
    }
  }
  // expected-note@+1 {{the other access}}
  %y = memref.load %a[%rev] : memref<64xf32, #gpu.address_space<workgroup>>
  memref.store %y, %out[%tid] : memref<64xf32>
  return
}

// Without that it is known to be the last one.
func.func @does_not_wrap(%out: memref<64xf32>) attributes {
    gpu.kernel, gpu.known_block_size = array<i32: 64, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %c0 = arith.constant 0 : i8
  %c20 = arith.constant 20 : i8
  %c100 = arith.constant 100 : i8
  %c63 = arith.constant 63 : index
  %v = arith.constant 1.0 : f32
  %tid = gpu.thread_id x
  %rev = arith.subi %c63, %tid : index
  %a = memref.alloc() : memref<64xf32, #gpu.address_space<workgroup>>
  scf.for %i = %c0 to %c100 step %c20 : i8 {
    memref.store %v, %a[%tid] : memref<64xf32, #gpu.address_space<workgroup>>
    %n = arith.addi %i, %c20 : i8
    %l = arith.cmpi sge, %n, %c100 : i8
    scf.if %l {
      gpu.barrier
    }
  }
  %y = memref.load %a[%rev] : memref<64xf32, #gpu.address_space<workgroup>>
  memref.store %y, %out[%tid] : memref<64xf32>
  return
}
