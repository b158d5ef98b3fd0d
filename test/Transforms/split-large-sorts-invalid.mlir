// RUN: memspace-opt %s -split-input-file -verify-diagnostics -memspace-split-large-sorts='chip=gfx942 workgroup-limit=2048'

func.func @computed(%in: memref<1000xi32>, %out: memref<1000xi32>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %x = bufferization.to_tensor %in restrict : memref<1000xi32> to tensor<1000xi32>
  %e = tensor.empty() : tensor<1000xi32>
  // expected-note @below {{here}}
  %n = linalg.add ins(%x, %x : tensor<1000xi32>, tensor<1000xi32>) outs(%e : tensor<1000xi32>) -> tensor<1000xi32>
  // expected-error @below {{rows of 1000 elements do not fit in the 2048 bytes of a workgroup, and a sort by several takes a kernel of its own, from arguments to arguments; input 0 is no argument: compute it in another kernel}}
  %s = memspace.sort dimension(0) ins(%n : tensor<1000xi32>) outs(%e : tensor<1000xi32>) {
  ^bb0(%a: i32, %b: i32):
    %c = arith.cmpi slt, %a, %b : i32
    memspace.yield %c : i1
  } -> tensor<1000xi32>
  bufferization.materialize_in_destination %s in restrict writable %out : (tensor<1000xi32>, memref<1000xi32>) -> ()
  return
}

// -----

func.func @used(%in: memref<1000xi32>, %out: memref<1000xi32>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %x = bufferization.to_tensor %in restrict : memref<1000xi32> to tensor<1000xi32>
  %e = tensor.empty() : tensor<1000xi32>
  // expected-error @below {{result 0 is used otherwise than to store it in an argument: do that in another kernel}}
  %s = memspace.sort dimension(0) ins(%x : tensor<1000xi32>) outs(%e : tensor<1000xi32>) {
  ^bb0(%a: i32, %b: i32):
    %c = arith.cmpi slt, %a, %b : i32
    memspace.yield %c : i1
  } -> tensor<1000xi32>
  // expected-note @below {{here}}
  %r = linalg.add ins(%s, %s : tensor<1000xi32>, tensor<1000xi32>) outs(%e : tensor<1000xi32>) -> tensor<1000xi32>
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<1000xi32>, memref<1000xi32>) -> ()
  return
}

// -----

func.func @not_alone(%in: memref<1000xi32>, %out: memref<1000xi32>, %first: memref<1000xi32>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  // expected-error @below {{'memref.copy' is in this one, too: put it into another kernel}}
  memspace.sort dimension(0) ins(%in : memref<1000xi32>) outs(%out : memref<1000xi32>) {
  ^bb0(%a: i32, %b: i32):
    %c = arith.cmpi slt, %a, %b : i32
    memspace.yield %c : i1
  }
  // expected-note @below {{here}}
  memref.copy %in, %first : memref<1000xi32> to memref<1000xi32>
  return
}

// -----

// Positions stored while others look for the places of theirs.
func.func @positions_over_keys(%keys: memref<1000xi32>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %x = bufferization.to_tensor %keys restrict : memref<1000xi32> to tensor<1000xi32>
  %e = tensor.empty() : tensor<1000xi32>
  // expected-error @below {{rows of 1000 elements are to be sorted by several workgroups, and the positions go to argument 0, where the keys are: store them in another one}}
  %s = memspace.sort_indices dimension(0) ins(%x : tensor<1000xi32>) outs(%e : tensor<1000xi32>) {
  ^bb0(%a: i32, %b: i32):
    %c = arith.cmpi slt, %a, %b : i32
    memspace.yield %c : i1
  } -> tensor<1000xi32>
  bufferization.materialize_in_destination %s in restrict writable %keys : (tensor<1000xi32>, memref<1000xi32>) -> ()
  return
}
