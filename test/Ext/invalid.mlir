// RUN: memspace-test-opt %s -memspace-distribute-structured-ops -split-input-file -verify-diagnostics
// RUN: memspace-test-opt %s -memspace-normalize-kernels=subgroup-size=32 -split-input-file -verify-diagnostics

// What a model refuses, and models that are wrong.

func.func @refuses(%in: memref<4x8xi32>, %out: memref<4x8xi32>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %t = bufferization.to_tensor %in restrict : memref<4x8xi32> to tensor<4x8xi32>
  %e = tensor.empty() : tensor<4x8xi32>
  %a = tensor.empty() : tensor<4xi32>
  // expected-error@+1 {{'ext.scan' op is not known to MemSpace in this form: exclusive scans of several rows begin with a value each; write it with ops of memspace, or lower it before}}
  %s:2 = ext.scan dimension(1) ins(%t : tensor<4x8xi32>) outs(%e, %a : tensor<4x8xi32>, tensor<4xi32>) {
  ^bb0(%x: i32, %before: i32):
    %sum = arith.addi %before, %x : i32
    ext.yield %sum : i32
  } -> tensor<4x8xi32>, tensor<4xi32>
  bufferization.materialize_in_destination %s#0 in restrict writable %out : (tensor<4x8xi32>, memref<4x8xi32>) -> ()
  return
}

// -----

func.func @outside(%in: memref<8xi32>, %out: memref<8xi32>, %pivot: i32)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %t = bufferization.to_tensor %in restrict : memref<8xi32> to tensor<8xi32>
  // expected-error@+1 {{'ext.sort' op is not known to MemSpace in this form: its payload uses a value from outside that is no constant; write it}}
  %s = ext.sort dimension(0) outs(%t : tensor<8xi32>) {
  ^bb0(%a: i32, %b: i32):
    %x = arith.xori %a, %pivot : i32
    %before = arith.cmpi slt, %x, %b : i32
    ext.yield %before : i1
  } -> tensor<8xi32>
  bufferization.materialize_in_destination %s in restrict writable %out : (tensor<8xi32>, memref<8xi32>) -> ()
  return
}

// -----

// The op itself is not valid in ours.
func.func @dimension(%in: memref<8xi32>, %out: memref<8xi32>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %t = bufferization.to_tensor %in restrict : memref<8xi32> to tensor<8xi32>
  // expected-error@+2 {{StructuredOpInterface: what its model makes is not valid}}
  // expected-note@+1 {{'memspace.sort' op 'dimension' must be in [0, 1), the rank of the operands; got 3}}
  %s = ext.sort dimension(3) outs(%t : tensor<8xi32>) {
  ^bb0(%a: i32, %b: i32):
    %before = arith.cmpi slt, %a, %b : i32
    ext.yield %before : i1
  } -> tensor<8xi32>
  bufferization.materialize_in_destination %s in restrict writable %out : (tensor<8xi32>, memref<8xi32>) -> ()
  return
}

// -----

func.func @labels(%x: memref<4xf32>, %l: memref<4xi32>, %v: memref<6xf32>, %i: memref<6xi32>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  // expected-error@+1 {{'ext.topk' op is not known to MemSpace in this form: labels of memrefs, of a dynamic shape or of too short rows are not looked up; write it}}
  ext.topk dimension(0) ins(%x : memref<4xf32>) labels(%l : memref<4xi32>) outs(%v, %i : memref<6xf32>, memref<6xi32>) {
  ^bb0(%a: f32, %b: f32):
    %first = arith.cmpf ogt, %a, %b : f32
    ext.yield %first : i1
  }
  return
}

// -----

func.func @memrefs(%in: memref<8xi32>, %out: memref<8xi32>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  // expected-error@+1 {{StructuredOpInterface: its model makes 'memspace.sort', which writes memory of which the op's effects do not say so}}
  ext.claim "writes its input" ins(%in : memref<8xi32>) outs(%out : memref<8xi32>)
  return
}

// -----

func.func @f(%in: memref<8xi32>, %out: memref<8xi32>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %t = bufferization.to_tensor %in restrict : memref<8xi32> to tensor<8xi32>
  %e = tensor.empty() : tensor<8xi32>
  // expected-error@+1 {{StructuredOpInterface: its model gives 0 values for 1 results; give one for each, and none on memrefs}}
  %s = ext.claim "no value" ins(%t : tensor<8xi32>) outs(%e : tensor<8xi32>) -> tensor<8xi32>
  bufferization.materialize_in_destination %s in restrict writable %out : (tensor<8xi32>, memref<8xi32>) -> ()
  return
}

// -----

func.func @f(%in: memref<8xi32>, %out: memref<8xi32>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %t = bufferization.to_tensor %in restrict : memref<8xi32> to tensor<8xi32>
  %e = tensor.empty() : tensor<8xi32>
  // expected-error@+1 {{StructuredOpInterface: its model's value for result 0 is none}}
  %s = ext.claim "null" ins(%t : tensor<8xi32>) outs(%e : tensor<8xi32>) -> tensor<8xi32>
  bufferization.materialize_in_destination %s in restrict writable %out : (tensor<8xi32>, memref<8xi32>) -> ()
  return
}

// -----

func.func @f(%in: memref<8xi32>, %out: memref<8xi32>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %t = bufferization.to_tensor %in restrict : memref<8xi32> to tensor<8xi32>
  %e = tensor.empty() : tensor<8xi32>
  // expected-error@+1 {{StructuredOpInterface: its model's value for result 0 is a result of the op itself}}
  %s = ext.claim "its own result" ins(%t : tensor<8xi32>) outs(%e : tensor<8xi32>) -> tensor<8xi32>
  bufferization.materialize_in_destination %s in restrict writable %out : (tensor<8xi32>, memref<8xi32>) -> ()
  return
}

// -----

func.func @f(%in: memref<8xi32>, %out: memref<8xi32>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %t = bufferization.to_tensor %in restrict : memref<8xi32> to tensor<8xi32>
  %e = tensor.empty() : tensor<8xi32>
  // expected-error@+1 {{StructuredOpInterface: its model's value for result 0 is 'tensor<3xi32>', the result is 'tensor<8xi32>'; both must have one type}}
  %s = ext.claim "another shape" ins(%t : tensor<8xi32>) outs(%e : tensor<8xi32>) -> tensor<8xi32>
  bufferization.materialize_in_destination %s in restrict writable %out : (tensor<8xi32>, memref<8xi32>) -> ()
  return
}

// -----

func.func @f(%in: memref<8xi32>, %out: memref<8xi32>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %t = bufferization.to_tensor %in restrict : memref<8xi32> to tensor<8xi32>
  %e = tensor.empty() : tensor<8xi32>
  // expected-error@+1 {{StructuredOpInterface: its model erases the op; it is to return the values that replace its results}}
  %s = ext.claim "erases" ins(%t : tensor<8xi32>) outs(%e : tensor<8xi32>) -> tensor<8xi32>
  bufferization.materialize_in_destination %s in restrict writable %out : (tensor<8xi32>, memref<8xi32>) -> ()
  return
}

// -----

func.func @f(%in: memref<8xi32>, %out: memref<8xi32>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %t = bufferization.to_tensor %in restrict : memref<8xi32> to tensor<8xi32>
  %e = tensor.empty() : tensor<8xi32>
  // expected-error@+1 {{StructuredOpInterface: what its model makes uses the op itself, which is to go; copy its regions with 'copyPayload'}}
  %s = ext.claim "uses itself" ins(%t : tensor<8xi32>) outs(%e : tensor<8xi32>) -> tensor<8xi32>
  bufferization.materialize_in_destination %s in restrict writable %out : (tensor<8xi32>, memref<8xi32>) -> ()
  return
}

// -----

func.func @f(%in: memref<8xi32>, %out: memref<8xi32>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %t = bufferization.to_tensor %in restrict : memref<8xi32> to tensor<8xi32>
  %e = tensor.empty() : tensor<8xi32>
  // expected-error@+1 {{StructuredOpInterface: its model makes 'ext.claim', which is not an op of memspace but has a model, too}}
  %s = ext.claim "makes itself" ins(%t : tensor<8xi32>) outs(%e : tensor<8xi32>) -> tensor<8xi32>
  bufferization.materialize_in_destination %s in restrict writable %out : (tensor<8xi32>, memref<8xi32>) -> ()
  return
}

// -----

func.func @f(%in: memref<8xi32>, %out: memref<8xi32>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %t = bufferization.to_tensor %in restrict : memref<8xi32> to tensor<8xi32>
  %e = tensor.empty() : tensor<8xi32>
  // expected-error@+2 {{StructuredOpInterface: what its model makes is not valid}}
  // expected-note@+1 {{'memspace.sort' op 'dimension' must be in [0, 1)}}
  %s = ext.claim "invalid" ins(%t : tensor<8xi32>) outs(%e : tensor<8xi32>) -> tensor<8xi32>
  bufferization.materialize_in_destination %s in restrict writable %out : (tensor<8xi32>, memref<8xi32>) -> ()
  return
}

// -----

func.func @f(%in: memref<8xi32>, %out: memref<8xi32>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %t = bufferization.to_tensor %in restrict : memref<8xi32> to tensor<8xi32>
  %e = tensor.empty() : tensor<8xi32>
  // expected-error@+2 {{'ext.claim' op is not known to MemSpace in this form: its model of 'StructuredOpInterface' gives no reason; write it with ops of memspace, or lower it before}}
  // expected-note@+1 {{this is somebody else's error}}
  %s = ext.claim "complains" ins(%t : tensor<8xi32>) outs(%e : tensor<8xi32>) -> tensor<8xi32>
  bufferization.materialize_in_destination %s in restrict writable %out : (tensor<8xi32>, memref<8xi32>) -> ()
  return
}

// -----

func.func @f(%in: memref<8xi32>, %out: memref<8xi32>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %t = bufferization.to_tensor %in restrict : memref<8xi32> to tensor<8xi32>
  %e = tensor.empty() : tensor<8xi32>
  // expected-error@+1 {{'ext.claim' op is not known to MemSpace in this form: its model of 'StructuredOpInterface' gives no reason}}
  %s = ext.claim "refuses" ins(%t : tensor<8xi32>) outs(%e : tensor<8xi32>) -> tensor<8xi32>
  bufferization.materialize_in_destination %s in restrict writable %out : (tensor<8xi32>, memref<8xi32>) -> ()
  return
}
