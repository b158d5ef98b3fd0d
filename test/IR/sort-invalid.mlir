// RUN: memspace-opt %s -split-input-file -verify-diagnostics

func.func @count(%a: tensor<8xf32>, %b: tensor<8xf32>) {
  // expected-error@+1 {{needs one output for each input, and one at least; got 2 inputs and 1 outputs}}
  %0 = memspace.sort dimension(0) ins(%a, %b : tensor<8xf32>, tensor<8xf32>) outs(%a : tensor<8xf32>) {
  ^bb0(%x: f32, %y: f32, %i: f32, %j: f32):
    %c = arith.cmpf olt, %x, %y : f32
    memspace.yield %c : i1
  } -> tensor<8xf32>
  return
}

// -----

func.func @shapes(%a: tensor<8xf32>, %b: tensor<7xi32>) {
  // expected-error@+1 {{operands must have one shape; got 'tensor<8xf32>' and 'tensor<7xi32>'}}
  %0:2 = memspace.sort dimension(0) ins(%a, %b : tensor<8xf32>, tensor<7xi32>) outs(%a, %b : tensor<8xf32>, tensor<7xi32>) {
  ^bb0(%x: f32, %y: f32, %i: i32, %j: i32):
    %c = arith.cmpf olt, %x, %y : f32
    memspace.yield %c : i1
  } -> tensor<8xf32>, tensor<7xi32>
  return
}

// -----

func.func @types(%a: tensor<8xf32>, %b: tensor<8xi32>) {
  // expected-error@+1 {{output 0 must have the element type of its input; got 'tensor<8xi32>' for 'tensor<8xf32>'}}
  %0 = memspace.sort dimension(0) ins(%a : tensor<8xf32>) outs(%b : tensor<8xi32>) {
  ^bb0(%x: f32, %y: f32):
    %c = arith.cmpf olt, %x, %y : f32
    memspace.yield %c : i1
  } -> tensor<8xi32>
  return
}

// -----

func.func @dimension(%a: tensor<8xf32>) {
  // expected-error@+1 {{'dimension' must be in [0, 1), the rank of the operands; got 1}}
  %0 = memspace.sort dimension(1) ins(%a : tensor<8xf32>) outs(%a : tensor<8xf32>) {
  ^bb0(%x: f32, %y: f32):
    %c = arith.cmpf olt, %x, %y : f32
    memspace.yield %c : i1
  } -> tensor<8xf32>
  return
}

// -----

func.func @mixed(%a: tensor<8xf32>, %b: memref<8xf32>) {
  // expected-error@+1 {{operands must all be ranked tensors or all memrefs; got 'memref<8xf32>'}}
  memspace.sort dimension(0) ins(%a : tensor<8xf32>) outs(%b : memref<8xf32>) {
  ^bb0(%x: f32, %y: f32):
    %c = arith.cmpf olt, %x, %y : f32
    memspace.yield %c : i1
  }
  return
}

// -----

func.func @same_output(%a: memref<8xf32>, %b: memref<8xf32>) {
  // expected-error@+1 {{output 0 is another operand, too; each output needs memory of its own}}
  memspace.sort dimension(0) ins(%a, %a : memref<8xf32>, memref<8xf32>) outs(%b, %b : memref<8xf32>, memref<8xf32>) {
  ^bb0(%x: f32, %y: f32, %i: f32, %j: f32):
    %c = arith.cmpf olt, %x, %y : f32
    memspace.yield %c : i1
  }
  return
}

// -----

func.func @arguments(%a: tensor<8xf32>) {
  // expected-error@+1 {{the comparator needs two arguments for each input; got 1 for 1 inputs}}
  %0 = memspace.sort dimension(0) ins(%a : tensor<8xf32>) outs(%a : tensor<8xf32>) {
  ^bb0(%x: f32):
    %c = arith.cmpf olt, %x, %x : f32
    memspace.yield %c : i1
  } -> tensor<8xf32>
  return
}

// -----

func.func @argument_types(%a: tensor<8xf32>) {
  // expected-error@+1 {{argument 0 of the comparator must be 'f32', an element of input 0; got 'i32'}}
  %0 = memspace.sort dimension(0) ins(%a : tensor<8xf32>) outs(%a : tensor<8xf32>) {
  ^bb0(%x: i32, %y: i32):
    %c = arith.cmpi slt, %x, %y : i32
    memspace.yield %c : i1
  } -> tensor<8xf32>
  return
}

// -----

func.func @yield(%a: tensor<8xf32>) {
  // expected-error@+1 {{the comparator must yield one i1 by 'memspace.yield'}}
  %0 = memspace.sort dimension(0) ins(%a : tensor<8xf32>) outs(%a : tensor<8xf32>) {
  ^bb0(%x: f32, %y: f32):
    memspace.yield %x : f32
  } -> tensor<8xf32>
  return
}

// -----

func.func @memory(%a: tensor<8xf32>) {
  %0 = memspace.sort dimension(0) ins(%a : tensor<8xf32>) outs(%a : tensor<8xf32>) {
  ^bb0(%x: f32, %y: f32):
    // expected-error@+1 {{touches memory in a comparator; it may only compute with its arguments}}
    %m = memref.alloc() : memref<f32>
    %c = arith.cmpf olt, %x, %y : f32
    memspace.yield %c : i1
  } -> tensor<8xf32>
  return
}

// -----

func.func @yield_two(%a: tensor<8xf32>) {
  // expected-error@+1 {{the comparator must yield one i1 by 'memspace.yield'}}
  %0 = memspace.sort dimension(0) ins(%a : tensor<8xf32>) outs(%a : tensor<8xf32>) {
  ^bb0(%x: f32, %y: f32):
    %c = arith.cmpf olt, %x, %y : f32
    memspace.yield %c, %c : i1, i1
  } -> tensor<8xf32>
  return
}
