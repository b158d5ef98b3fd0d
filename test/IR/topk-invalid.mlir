// RUN: memspace-opt %s -split-input-file -verify-diagnostics

func.func @no_output(%x: memref<8xf32>) {
  // expected-error@+1 {{needs values, or indices, or both to write to}}
  memspace.topk dimension(0) ins(%x : memref<8xf32>) {
  ^bb0(%a: f32, %b: f32):
    %first = arith.cmpf ogt, %a, %b : f32
    memspace.yield %first : i1
  }
  return
}

// -----

func.func @other_rows(%x: tensor<4x8xf32>, %v: tensor<3x2xf32>) {
  // expected-error@+1 {{operands must have one shape but for the 'dimension'; got 'tensor<4x8xf32>' and 'tensor<3x2xf32>'}}
  %0 = memspace.topk dimension(1) ins(%x : tensor<4x8xf32>) values(%v : tensor<3x2xf32>) {
  ^bb0(%a: f32, %b: f32):
    %first = arith.cmpf ogt, %a, %b : f32
    memspace.yield %first : i1
  } -> tensor<3x2xf32>
  return
}

// -----

func.func @two_lengths(%x: tensor<8xf32>, %v: tensor<2xf32>, %i: tensor<3xi32>) {
  // expected-error@+1 {{values and indices must have one shape; got 'tensor<2xf32>' and 'tensor<3xi32>'}}
  %0:2 = memspace.topk dimension(0) ins(%x : tensor<8xf32>) values(%v : tensor<2xf32>) indices(%i : tensor<3xi32>) {
  ^bb0(%a: f32, %b: f32):
    %first = arith.cmpf ogt, %a, %b : f32
    memspace.yield %first : i1
  } -> tensor<2xf32>, tensor<3xi32>
  return
}

// -----

func.func @other_type(%x: tensor<8xf32>, %v: tensor<2xf16>) {
  // expected-error@+1 {{the values must have the element type of the input; got 'tensor<2xf16>' for 'tensor<8xf32>'}}
  %0 = memspace.topk dimension(0) ins(%x : tensor<8xf32>) values(%v : tensor<2xf16>) {
  ^bb0(%a: f32, %b: f32):
    %first = arith.cmpf ogt, %a, %b : f32
    memspace.yield %first : i1
  } -> tensor<2xf16>
  return
}

// -----

func.func @real_indices(%x: tensor<8xf32>, %i: tensor<2xf32>) {
  // expected-error@+1 {{the indices must be integers or of type 'index'; got 'tensor<2xf32>'}}
  %0 = memspace.topk dimension(0) ins(%x : tensor<8xf32>) indices(%i : tensor<2xf32>) {
  ^bb0(%a: f32, %b: f32):
    %first = arith.cmpf ogt, %a, %b : f32
    memspace.yield %first : i1
  } -> tensor<2xf32>
  return
}

// -----

func.func @narrow_indices(%x: tensor<1000xf32>, %i: tensor<2xi8>) {
  // expected-error@+1 {{the indices of 1000 elements do not fit in 'i8'}}
  %0 = memspace.topk dimension(0) ins(%x : tensor<1000xf32>) indices(%i : tensor<2xi8>) {
  ^bb0(%a: f32, %b: f32):
    %first = arith.cmpf ogt, %a, %b : f32
    memspace.yield %first : i1
  } -> tensor<2xi8>
  return
}

// -----

func.func @in_place(%x: memref<8xf32>) {
  // expected-error@+1 {{output 0 is another operand, too; each output needs memory of its own}}
  memspace.topk dimension(0) ins(%x : memref<8xf32>) values(%x : memref<8xf32>) {
  ^bb0(%a: f32, %b: f32):
    %first = arith.cmpf ogt, %a, %b : f32
    memspace.yield %first : i1
  }
  return
}

// -----

func.func @comparator(%x: tensor<8xf32>, %v: tensor<2xf32>) {
  // expected-error@+1 {{the comparator needs two arguments for each input; got 1 for 1 inputs}}
  %0 = memspace.topk dimension(0) ins(%x : tensor<8xf32>) values(%v : tensor<2xf32>) {
  ^bb0(%a: f32):
    %first = arith.cmpf ogt, %a, %a : f32
    memspace.yield %first : i1
  } -> tensor<2xf32>
  return
}

// -----

func.func @two_orders(%x: tensor<8xf32>, %i: tensor<8xi32>) {
  // expected-error@+1 {{needs one input at least, and one output; got 1 inputs and 2 outputs}}
  %0:2 = memspace.sort_indices dimension(0) ins(%x : tensor<8xf32>) outs(%i, %i : tensor<8xi32>, tensor<8xi32>) {
  ^bb0(%a: f32, %b: f32):
    %first = arith.cmpf ogt, %a, %b : f32
    memspace.yield %first : i1
  } -> tensor<8xi32>, tensor<8xi32>
  return
}

// -----

func.func @short_order(%x: tensor<8xf32>, %i: tensor<7xi32>) {
  // expected-error@+1 {{the output must have the shape of the inputs; got 'tensor<7xi32>' for 'tensor<8xf32>'}}
  %0 = memspace.sort_indices dimension(0) ins(%x : tensor<8xf32>) outs(%i : tensor<7xi32>) {
  ^bb0(%a: f32, %b: f32):
    %first = arith.cmpf ogt, %a, %b : f32
    memspace.yield %first : i1
  } -> tensor<7xi32>
  return
}
