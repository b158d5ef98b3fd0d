// RUN: memspace-opt %s -split-input-file -verify-diagnostics

func.func @shape(%a: tensor<8x8xf32>, %b: tensor<8x9xf32>) {
  // expected-error@+1 {{changes the layout only: source and result must have one shape and one element type; got 'tensor<8x8xf32>' and 'tensor<8x9xf32>'}}
  %c = memspace.encode ins(%a : tensor<8x8xf32>) outs(%b : tensor<8x9xf32>)
  return
}

// -----

func.func @element(%a: tensor<8xf32>, %b: tensor<8xi32>) {
  // expected-error@+1 {{changes the layout only}}
  %c = memspace.encode ins(%a : tensor<8xf32>) outs(%b : tensor<8xi32>)
  return
}

// -----

func.func @not_a_layout(%a: tensor<8xf32>, %b: tensor<8xf32, "columns">) {
  // expected-error@+1 {{the encoding "columns" does not implement LayoutEncodingAttrInterface, so that nobody knows its layout; register a model for it, or take an encoding of the memspace dialect}}
  %c = memspace.encode ins(%a : tensor<8xf32>) outs(%b : tensor<8xf32, "columns">)
  return
}

// -----

#sparse = #sparse_tensor.encoding<{map = (d0) -> (d0 : compressed)}>
func.func @sparse(%a: tensor<8xf32, #sparse>, %b: tensor<8xf32>) {
  // expected-error@+1 {{does not implement LayoutEncodingAttrInterface}}
  %c = memspace.encode ins(%a : tensor<8xf32, #sparse>) outs(%b : tensor<8xf32>)
  return
}

// -----

// expected-error@+1 {{the layout #memspace.tiled_layout<inner_dims_pos = [2], inner_tiles = [4]> tiles dimension 2 of 2}}
func.func private @no_such_dim(tensor<8x8xf32, #memspace.tiled_layout<inner_dims_pos = [2], inner_tiles = [4]>>)

// -----

// expected-error@+1 {{has an inner tile below 1}}
func.func private @no_tile(tensor<8xf32, #memspace.tiled_layout<inner_dims_pos = [0], inner_tiles = [0]>>)

// -----

// expected-error@+1 {{has 2 divisors for 1 extents}}
func.func private @divisors(tensor<?xf32, #memspace.tiled_layout<divisors = [2, 2]>>)

// -----

// expected-error@+1 {{'tiles' is no list; known are 'inner_dims_pos' 'inner_tiles' 'outer_dims_perm' 'padding_multiples' 'divisors'}}
func.func private @no_list(tensor<8xf32, #memspace.tiled_layout<tiles = [4]>>)

// -----

// expected-error@+1 {{'inner_tiles' is given twice}}
func.func private @twice(tensor<8xf32, #memspace.tiled_layout<inner_tiles = [4], inner_tiles = [4]>>)

// -----

// expected-error@+1 {{needs the sizes M, N and K; got 2 sizes}}
func.func private @two_sizes(tensor<8x8xf32, #memspace.matmul_operand<lhs, types = [f32, f32, f32], sizes = [8, 8]>>)

// -----

// expected-error@+1 {{needs the element types of lhs, rhs and acc; got 1 types}}
func.func private @one_type(tensor<8x8xf32, #memspace.matmul_operand<lhs, types = [f32], sizes = [8, 8, 8]>>)

// -----

// expected-error@+1 {{expected 'lhs', 'rhs' or 'acc', got 'left'}}
func.func private @role(tensor<8x8xf32, #memspace.matmul_operand<left, types = [f32, f32, f32], sizes = [8, 8, 8]>>)

// -----

// expected-error@+1 {{is of the shape of 'tensor<8x4xf32>'; got that of 'tensor<8x8xf32>'}}
func.func private @other_matrix(tensor<8x8xf32, #memspace.matmul_operand<lhs, types = [f32, f32, f32], sizes = [8, 8, 4]>>)

// -----

// expected-error@+1 {{is of a matrix; got a tensor of rank 1}}
func.func private @vector(tensor<8xf32, #memspace.matmul_operand<lhs, types = [f32, f32, f32], sizes = [8, 8, 4]>>)

// -----

// expected-error@+1 {{needs element types that a matmul takes, integers or floats; got 'memref<4xf32>'}}
func.func private @no_element(tensor<8x8xf32, #memspace.matmul_operand<lhs, types = [f32, memref<4xf32>, f32], sizes = [8, 8, 8]>>)

// -----

// expected-error@+1 {{has the divisor 3 for the extent 8}}
func.func private @divided_size(tensor<8x8xf32, #memspace.matmul_operand<lhs, types = [f32, f32, f32], sizes = [8, ?, 8], divisors = [1, 2, 3]>>)

// -----

// expected-error@+1 {{has the divisor 16 for the extent 30}}
func.func private @divided_extent(tensor<30xf32, #memspace.tiled_layout<inner_dims_pos = [0], inner_tiles = [16], divisors = [16]>>)

// -----

// expected-error@+1 {{attribute 'memspace.target' of argument 0 must be '#rocdl.target<…>' or '#nvvm.target<…>'; got "gfx942"}}
func.func private @argument_of_no_target(tensor<8xf32> {memspace.target = "gfx942"})

// -----

// expected-error@+1 {{attribute 'memspace.target' of result 1 must be '#rocdl.target<…>' or '#nvvm.target<…>'; got 942 : i64}}
func.func private @result_of_no_target() -> (tensor<8xf32>, tensor<8xf32> {memspace.target = 942})
