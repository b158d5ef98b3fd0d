// RUN: memspace-test-opt %s -split-input-file -verify-diagnostics

func.func @mixed(%m: memref<4xf32>, %t: tensor<4xf32>) {
  // expected-error @below {{has a result on tensors, and none on memrefs}}
  lie.ew ins(%t, %t : tensor<4xf32>, tensor<4xf32>) outs(%m : memref<4xf32>)
  return
}

// -----

func.func @rank(%t: tensor<4x4xf32>) -> tensor<4x4xf32> {
  // expected-error @below {{works on one-dimensional tensors and memrefs}}
  %r = lie.opaque %t, %t : tensor<4x4xf32>, tensor<4x4xf32> -> tensor<4x4xf32>
  return %r : tensor<4x4xf32>
}

// -----

func.func @elements(%t: tensor<4xf32>, %i: tensor<4xi32>) -> tensor<4xf32> {
  // expected-error @below {{has elements of several types}}
  %r = lie.ew ins(%t, %i : tensor<4xf32>, tensor<4xi32>) outs(%t : tensor<4xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// -----

func.func @result(%t: tensor<4xf32>, %d: tensor<?xf32>) -> tensor<?xf32> {
  // expected-error @below {{has a result of another type than the operand it comes from}}
  %r = lie.ew ins(%t, %t : tensor<4xf32>, tensor<4xf32>) outs(%t : tensor<4xf32>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}

// -----

func.func @indices(%t: tensor<4xf32>, %i: tensor<4xi64>) -> tensor<4xf32> {
  // expected-error @below {{has indices that are no i32}}
  %r = lie.scatter ins(%t, %i : tensor<4xf32>, tensor<4xi64>) outs(%t : tensor<4xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// -----

func.func @output(%m: memref<4xf32>) {
  // expected-error @below {{has either a result or an output}}
  lie.opaque %m, %m : memref<4xf32>, memref<4xf32>
  return
}

// -----

func.func @binding(%m: memref<4xf32>) -> tensor<8xf32> {
  // expected-error @below {{has a result of another shape than the memory}}
  %r = lie.load_binding %m : memref<4xf32> -> tensor<8xf32>
  return %r : tensor<8xf32>
}
