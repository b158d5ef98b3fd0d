// RUN: memspace-opt %s -split-input-file -verify-diagnostics

func.func @one_operand(%a: tensor<8xf32>) {
  // expected-error @below {{'memspace.exchange' op needs at least two operands}}
  %x = memspace.exchange %a [0] : tensor<8xf32> -> tensor<8xf32>
  return
}

// -----

func.func @short_permutation(%a: memref<8xf32>, %b: memref<8xf32>) {
  // expected-error @below {{'memspace.exchange' op needs one permutation entry for each operand}}
  memspace.exchange %a, %b [0] : memref<8xf32>, memref<8xf32>
  return
}

// -----

func.func @repeated(%a: memref<8xf32>, %b: memref<8xf32>) {
  // expected-error @below {{'memspace.exchange' op 'permutation' is not a permutation of its operands}}
  memspace.exchange %a, %b [1, 1] : memref<8xf32>, memref<8xf32>
  return
}

// -----

func.func @negative(%a: memref<8xf32>, %b: memref<8xf32>) {
  // expected-error @below {{'memspace.exchange' op 'permutation' is not a permutation of its operands}}
  memspace.exchange %a, %b [-1, 0] : memref<8xf32>, memref<8xf32>
  return
}

// -----

func.func @beyond(%a: memref<8xf32>, %b: memref<8xf32>) {
  // expected-error @below {{'memspace.exchange' op 'permutation' is not a permutation of its operands}}
  memspace.exchange %a, %b [2, 0] : memref<8xf32>, memref<8xf32>
  return
}

// -----

func.func @two_types(%a: memref<8xf32>, %b: memref<9xf32>) {
  // expected-error @below {{'memspace.exchange' op operands must have one type}}
  memspace.exchange %a, %b [1, 0] : memref<8xf32>, memref<9xf32>
  return
}

// -----

func.func @tensors_without_results(%a: tensor<8xf32>, %b: tensor<8xf32>) {
  // expected-error @below {{'memspace.exchange' op has one result for each tensor operand and none for memref operands}}
  memspace.exchange %a, %b [1, 0] : tensor<8xf32>, tensor<8xf32>
  return
}

// -----

func.func @memrefs_with_results(%a: memref<8xf32>, %b: memref<8xf32>) {
  // expected-error @below {{'memspace.exchange' op has one result for each tensor operand and none for memref operands}}
  %x, %y = memspace.exchange %a, %b [1, 0] : memref<8xf32>, memref<8xf32> -> tensor<8xf32>, tensor<8xf32>
  return
}

// -----

func.func @result_type(%a: tensor<8xf32>, %b: tensor<8xf32>) {
  // expected-error @below {{'memspace.exchange' op results must have the operands' type}}
  %x, %y = memspace.exchange %a, %b [1, 0] : tensor<8xf32>, tensor<8xf32> -> tensor<8xf32>, tensor<9xf32>
  return
}

// -----

func.func @scalars(%a: f32, %b: f32) {
  // expected-error @below {{must be variadic of shaped of any type values, but got 'f32'}}
  memspace.exchange %a, %b [1, 0] : f32, f32
  return
}
