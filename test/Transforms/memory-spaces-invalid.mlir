// RUN: memspace-opt %s -memspace-pack-workgroup-memory=chip=gfx942 -split-input-file -verify-diagnostics

// expected-error @below {{attribute 'memspace.memory_spaces': memory spaces 'private' and 'workgroup' are both 3 : i32; name each by an attribute of its own}}
func.func @twice() attributes {gpu.known_block_size = array<i32: 64, 1, 1>, memspace.memory_spaces = {private = 3, workgroup = 3 : i32}} {
  return
}

// -----

// expected-error @below {{attribute 'memspace.memory_spaces': memory spaces have no 'local'; use 'private', 'workgroup' and 'global'}}
module attributes {memspace.memory_spaces = {local = 3}} {
  func.func @unknown() attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    return
  }
}

// -----

// expected-error @below {{'memspace.memory_spaces' must be a dictionary; got 3 : i64}}
module attributes {memspace.memory_spaces = 3} {
}

// -----

// One arena has one memory space.

func.func @mixed() attributes {gpu.known_block_size = array<i32: 64, 1, 1>, memspace.memory_spaces = {private = 5, workgroup = [3, "shared"]}} {
  %t = gpu.thread_id x
  %v = arith.constant 1.0 : f32
  %a = memref.alloc() : memref<64xf32, 3>
  // expected-error @below {{workgroup buffer of type 'memref<64xf32, "shared">' cannot be in one arena with a buffer of type 'memref<64xf32, 3>'; write their memory space by one attribute}}
  %b = memref.alloc() : memref<64xf32, "shared">
  memref.store %v, %a[%t] : memref<64xf32, 3>
  memref.store %v, %b[%t] : memref<64xf32, "shared">
  return
}

// -----

// The stack is private, whatever that is called.

func.func @stack() attributes {gpu.known_block_size = array<i32: 64, 1, 1>, memspace.memory_spaces = {private = 7, workgroup = 3, global = 1}} {
  // expected-error @below {{stack memory in the memory space 1 : i64; the stack of a thread is private, use 7 : i64}}
  %a = memref.alloca() : memref<64xf32, 1>
  return
}
