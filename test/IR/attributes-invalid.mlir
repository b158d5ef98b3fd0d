// RUN: memspace-opt %s -split-input-file -verify-diagnostics

// expected-error @below {{'func.func' op attribute 'memspace.dynamic_workgroup_bytes' must be an i64 that is not negative; got -4 : i64}}
func.func @negative() attributes {memspace.dynamic_workgroup_bytes = -4 : i64} {
  return
}

// -----

func.func @narrow() {
  // expected-error @below {{attribute 'memspace.buffer' must be an i64 from 0 to 2147483647; got 1 : i8}}
  %a = memref.alloc() {memspace.buffer = 1 : i8} : memref<4xf32>
  return
}

// -----

func.func @no_number_of_a_buffer() {
  // expected-error @below {{attribute 'memspace.buffer' must be an i64 from 0 to 2147483647; got 9223372036854775807 : i64}}
  %a = memref.alloc() {memspace.buffer = 9223372036854775807 : i64} : memref<4xf32>
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
  // expected-error @below {{attribute 'memspace.disjoint' must be an array<i64: …>; got 1 : i64}}
  %v = memref.load %a[%i] {memspace.disjoint = 1 : i64} : memref<4xf32>
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

// -----

// expected-error @below {{attributes 'memspace.grid_size' and 'memspace.grid_symbols' belong together}}
func.func @grid_without_symbols() attributes {memspace.grid_size = [affine_map<() -> (1)>]} {
  return
}

// -----

// expected-error @below {{must have one or three affine maps without dimensions, with a symbol for each pair}}
func.func @grid_of_two(%n: index) attributes {memspace.grid_size = [affine_map<()[s0] -> (s0)>, affine_map<()[s0] -> (1)>], memspace.grid_symbols = array<i64: 0, -1>} {
  return
}

// -----

// expected-error @below {{must have one or three affine maps without dimensions, with a symbol for each pair}}
func.func @grid_of_dims(%n: index) attributes {memspace.grid_size = [affine_map<(d0)[s0] -> (s0)>], memspace.grid_symbols = array<i64: 0, -1>} {
  return
}

// -----

// expected-error @below {{name argument 1, dimension 0, which is no extent of a memref argument (or, for dimension -1, no number)}}
func.func @grid_of_no_argument(%n: index) attributes {memspace.grid_size = [affine_map<()[s0] -> (s0)>], memspace.grid_symbols = array<i64: 1, 0>} {
  return
}

// -----

// expected-error @below {{name argument 0, dimension 2, which is no extent of a memref argument}}
func.func @grid_of_no_extent(%a: memref<?x4xf32>) attributes {memspace.grid_size = [affine_map<()[s0] -> (s0)>], memspace.grid_symbols = array<i64: 0, 2>} {
  return
}

// -----

// expected-error @below {{name argument 0, dimension -1, which is no extent of a memref argument (or, for dimension -1, no number)}}
func.func @grid_of_no_number(%a: memref<?x4xf32>) attributes {memspace.grid_size = [affine_map<()[s0] -> (s0)>], memspace.grid_symbols = array<i64: 0, -1>} {
  return
}

// -----

// expected-error @below {{attributes 'memspace.grid_size' and 'memspace.grid_symbols' belong on a kernel, a function; put them there}}
module attributes {memspace.grid_size = [affine_map<() -> (4)>], memspace.grid_symbols = array<i64>} {
}

// -----

// expected-error @below {{attribute 'memspace.noalias' has no value; got 1 : i64}}
func.func @noalias_with_a_value(%a: memref<4xf32> {memspace.noalias = 1 : i64}) {
  return
}

// -----

// expected-error @below {{attribute 'memspace.noalias' of argument 0 says something of memory; the argument must be a memref of a function}}
func.func @noalias_of_a_number(%a: f32 {memspace.noalias}) {
  return
}

// -----

// expected-error @below {{attribute 'memspace.alignment' must be an i64 that is a power of two; got 24 : i64}}
func.func @alignment_of_24(%a: memref<4xf32> {memspace.alignment = 24 : i64}) {
  return
}

// -----

// expected-error @below {{attribute 'memspace.alignment' of argument 0 says something of memory; the argument must be a memref of a function}}
func.func @alignment_of_a_number(%a: f32 {memspace.alignment = 16 : i64}) {
  return
}

// -----

// expected-error @below {{attribute 'memspace.bounds' of argument 0 needs an array of one dictionary for each of the 2 dimensions of 'tensor<?x4xf32>'; got [{}]}}
func.func @bounds_of_one_dimension(%a: tensor<?x4xf32> {memspace.bounds = [{}]}) {
  return
}

// -----

// expected-error @below {{attribute 'memspace.bounds' of argument 0 holds for no number: at least 130, at most 200, a multiple of 128}}
func.func @bounds_of_nothing(%a: memref<?xf32> {memspace.bounds = [{min = 130, max = 200, multiple_of = 128}]}) {
  return
}

// -----

// expected-error @below {{attribute 'memspace.bounds' of argument 0 promises a negative extent: at least -1}}
func.func @negative_bounds(%a: memref<?xf32> {memspace.bounds = [{min = -1}]}) {
  return
}

// -----

// expected-error @below {{attribute 'memspace.bounds' of argument 0 needs a 'multiple_of' of 1 or more; got 0}}
func.func @multiple_of_zero(%n: index {memspace.bounds = {multiple_of = 0}}) {
  return
}

// -----

// expected-error @below {{attribute 'memspace.bounds' of argument 0 promises of an extent of 4 that it is a multiple of 8}}
func.func @bounds_against_the_type(%a: tensor<4xf32> {memspace.bounds = [{multiple_of = 8}]}) {
  return
}

// -----

// expected-error @below {{attribute 'memspace.bounds' of argument 0 knows 'min', 'max' and 'multiple_of', not 'divisor'}}
func.func @unknown_bound(%n: index {memspace.bounds = {divisor = 8}}) {
  return
}

// -----

// expected-error @below {{attribute 'memspace.bounds' of argument 0 needs an i64 for 'max'; got 8 : i32}}
func.func @narrow_bound(%n: index {memspace.bounds = {max = 8 : i32}}) {
  return
}

// -----

// expected-error @below {{attribute 'memspace.bounds' of argument 0 takes dictionaries of 'min', 'max' and 'multiple_of'; got 8 : i64}}
func.func @bound_as_a_number(%a: memref<?xf32> {memspace.bounds = [8]}) {
  return
}

// -----

// expected-error @below {{attribute 'memspace.bounds' of argument 0 says something of a number, or of the extents of a ranked tensor or memref, not of 'f32'}}
func.func @bounds_of_a_float(%a: f32 {memspace.bounds = {max = 8}}) {
  return
}
