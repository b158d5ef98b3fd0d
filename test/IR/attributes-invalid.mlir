// RUN: memspace-opt %s -split-input-file -verify-diagnostics

// expected-error @below {{'func.func' op attribute 'memspace.dynamic_workgroup_bytes' must be an i64 that is not negative; got -4 : i64}}
func.func @negative() attributes {memspace.dynamic_workgroup_bytes = -4 : i64} {
  return
}

// -----

func.func @narrow() {
  // expected-error @below {{attribute 'memspace.buffer' must be an i64 that is not negative; got 1 : i8}}
  %a = memref.alloc() {memspace.buffer = 1 : i8} : memref<4xf32>
  return
}

// -----

func.func @not_unit() {
  // expected-error @below {{attribute 'memspace.arena' has no value; got true}}
  %a = memref.alloc() {memspace.arena = true} : memref<4xi8>
  return
}

// -----

func.func @not_an_array(%a: memref<4xf32>, %i: index) {
  // expected-error @below {{attribute 'memspace.promise' must be an array<i64: …>; got 1 : i64}}
  %v = memref.load %a[%i] {memspace.promise = 1 : i64} : memref<4xf32>
  return
}

// -----

func.func @not_a_string() {
  // expected-error @below {{attribute 'memspace.reason' must be a string; got 3 : i32}}
  %a = memref.alloc() {memspace.reason = 3 : i32} : memref<4xf32>
  return
}

// -----

// expected-error @below {{attribute 'memspace.kernels' must be a dictionary; got "k"}}
module attributes {memspace.kernels = "k"} {
}
