// RUN: memspace-opt %s -split-input-file -verify-diagnostics

func.func @count(%a: tensor<8xf32>) {
  // expected-error@+1 {{needs one output for each input, and one at least; got 2 inputs and 1 outputs}}
  %0 = memspace.scan dimension(0) ins(%a, %a : tensor<8xf32>, tensor<8xf32>) outs(%a : tensor<8xf32>) {
  ^bb0(%x: f32, %y: f32):
    %c = arith.addf %x, %y : f32
    memspace.yield %c : f32
  } -> tensor<8xf32>
  return
}

// -----

func.func @shapes(%a: tensor<8xf32>, %b: tensor<7xf32>) {
  // expected-error@+1 {{operands must have one shape; got 'tensor<8xf32>' and 'tensor<7xf32>'}}
  %0 = memspace.scan dimension(0) ins(%a : tensor<8xf32>) outs(%b : tensor<7xf32>) {
  ^bb0(%x: f32, %y: f32):
    %c = arith.addf %x, %y : f32
    memspace.yield %c : f32
  } -> tensor<7xf32>
  return
}

// -----

func.func @types(%a: tensor<8xf32>, %b: tensor<8xi32>) {
  // expected-error@+1 {{output 0 must have the element type of its input; got 'tensor<8xi32>' for 'tensor<8xf32>'}}
  %0 = memspace.scan dimension(0) ins(%a : tensor<8xf32>) outs(%b : tensor<8xi32>) {
  ^bb0(%x: f32, %y: f32):
    %c = arith.addf %x, %y : f32
    memspace.yield %c : f32
  } -> tensor<8xi32>
  return
}

// -----

func.func @dimension(%a: tensor<8xf32>) {
  // expected-error@+1 {{'dimension' must be in [0, 1), the rank of the operands; got 1}}
  %0 = memspace.scan dimension(1) ins(%a : tensor<8xf32>) outs(%a : tensor<8xf32>) {
  ^bb0(%x: f32, %y: f32):
    %c = arith.addf %x, %y : f32
    memspace.yield %c : f32
  } -> tensor<8xf32>
  return
}

// -----

func.func @mixed(%a: tensor<8xf32>, %b: memref<8xf32>) {
  // expected-error@+1 {{operands must all be ranked tensors or all memrefs; got 'memref<8xf32>'}}
  memspace.scan dimension(0) ins(%a : tensor<8xf32>) outs(%b : memref<8xf32>) {
  ^bb0(%x: f32, %y: f32):
    %c = arith.addf %x, %y : f32
    memspace.yield %c : f32
  }
  return
}

// -----

func.func @exclusive(%a: tensor<8xf32>) {
  // expected-error@+1 {{is exclusive and needs 'initial', the first element of each row of the result}}
  %0 = memspace.scan dimension(0) exclusive ins(%a : tensor<8xf32>) outs(%a : tensor<8xf32>) {
  ^bb0(%x: f32, %y: f32):
    %c = arith.addf %x, %y : f32
    memspace.yield %c : f32
  } -> tensor<8xf32>
  return
}

// -----

func.func @initial_count(%a: tensor<8xf32>, %f: f32) {
  // expected-error@+1 {{needs one initial value for each input, or none; got 2 for 1 inputs}}
  %0 = memspace.scan dimension(0) ins(%a : tensor<8xf32>) initial(%f, %f : f32, f32) outs(%a : tensor<8xf32>) {
  ^bb0(%x: f32, %y: f32):
    %c = arith.addf %x, %y : f32
    memspace.yield %c : f32
  } -> tensor<8xf32>
  return
}

// -----

func.func @initial_type(%a: tensor<8xf32>, %f: i32) {
  // expected-error@+1 {{initial value 0 must be 'f32', an element of input 0; got 'i32'}}
  %0 = memspace.scan dimension(0) ins(%a : tensor<8xf32>) initial(%f : i32) outs(%a : tensor<8xf32>) {
  ^bb0(%x: f32, %y: f32):
    %c = arith.addf %x, %y : f32
    memspace.yield %c : f32
  } -> tensor<8xf32>
  return
}

// -----

func.func @same_output(%a: memref<8xf32>, %b: memref<8xf32>) {
  // expected-error@+1 {{output 0 is another operand, too; each output needs memory of its own}}
  memspace.scan dimension(0) ins(%a, %a : memref<8xf32>, memref<8xf32>) outs(%b, %b : memref<8xf32>, memref<8xf32>) {
  ^bb0(%x: f32, %y: f32):
    %c = arith.addf %x, %y : f32
    memspace.yield %c : f32
  }
  return
}

// -----

func.func @crossed(%a: memref<8xf32>, %b: memref<8xf32>) {
  // expected-error@+1 {{output 0 is another operand, too; each output needs memory of its own}}
  memspace.scan dimension(0) ins(%a, %b : memref<8xf32>, memref<8xf32>) outs(%b, %a : memref<8xf32>, memref<8xf32>) {
  ^bb0(%x: f32, %y: f32):
    %c = arith.addf %x, %y : f32
    memspace.yield %c : f32
  }
  return
}

// -----

func.func @arguments(%a: tensor<8xf32>) {
  // expected-error@+1 {{the combiner needs two arguments for each input; got 1 for 1 inputs}}
  %0 = memspace.scan dimension(0) ins(%a : tensor<8xf32>) outs(%a : tensor<8xf32>) {
  ^bb0(%x: f32):
    memspace.yield %x : f32
  } -> tensor<8xf32>
  return
}

// -----

func.func @argument_types(%a: tensor<8xf32>) {
  // expected-error@+1 {{argument 1 of the combiner must be 'f32', an element of input 0; got 'i32'}}
  %0 = memspace.scan dimension(0) ins(%a : tensor<8xf32>) outs(%a : tensor<8xf32>) {
  ^bb0(%x: f32, %y: i32):
    memspace.yield %x : f32
  } -> tensor<8xf32>
  return
}

// -----

func.func @yield(%a: tensor<8xf32>) {
  // expected-error@+1 {{the combiner must yield one element for each input by 'memspace.yield'}}
  %0 = memspace.scan dimension(0) ins(%a : tensor<8xf32>) outs(%a : tensor<8xf32>) {
  ^bb0(%x: f32, %y: f32):
    %c = arith.cmpf olt, %x, %y : f32
    memspace.yield %c : i1
  } -> tensor<8xf32>
  return
}

// -----

func.func @memory(%a: tensor<8xf32>) {
  %0 = memspace.scan dimension(0) ins(%a : tensor<8xf32>) outs(%a : tensor<8xf32>) {
  ^bb0(%x: f32, %y: f32):
    // expected-error@+1 {{touches memory in a combiner; it may only compute with its arguments}}
    %m = memref.alloc() : memref<f32>
    memspace.yield %x : f32
  } -> tensor<8xf32>
  return
}
