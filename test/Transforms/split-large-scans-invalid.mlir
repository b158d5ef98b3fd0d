// RUN: memspace-opt %s -split-input-file -verify-diagnostics -memspace-split-large-scans='chip=gfx942 elements-per-thread=4'

func.func @not_alone(%x: memref<1000xi32>, %y: memref<1000xi32>, %z: memref<1000xi32>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  // expected-error @below {{rows of 1000 elements are to be scanned by several workgroups, which takes a kernel of its own, from arguments to arguments; 'memref.copy' is in this one, too: put it into another kernel}}
  memspace.scan dimension(0) ins(%x : memref<1000xi32>) outs(%y : memref<1000xi32>) {
  ^bb0(%a: i32, %b: i32):
    %s = arith.addi %a, %b : i32
    memspace.yield %s : i32
  }
  // expected-note @below {{here}}
  memref.copy %y, %z : memref<1000xi32> to memref<1000xi32>
  return
}

// -----

func.func @computed_initial(%x: memref<1000xi32>, %y: memref<1000xi32>, %i: i32)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %j = arith.addi %i, %i : i32
  // expected-error @below {{rows of 1000 elements are to be scanned by several workgroups, and initial value 0 is computed in the kernel: make it a constant or an argument}}
  memspace.scan dimension(0) ins(%x : memref<1000xi32>) initial(%j : i32) outs(%y : memref<1000xi32>) {
  ^bb0(%a: i32, %b: i32):
    %s = arith.addi %a, %b : i32
    memspace.yield %s : i32
  }
  return
}

// -----

func.func @blocks(%x: memref<1000xi32>, %y: memref<1000xi32>, %z: memref<1000xi32>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  // expected-error @below {{from arguments to arguments; this one has several blocks: use 'scf.if' and loops}}
  memspace.scan dimension(0) ins(%x : memref<1000xi32>) outs(%y : memref<1000xi32>) {
  ^bb0(%a: i32, %b: i32):
    %s = arith.addi %a, %b : i32
    memspace.yield %s : i32
  }
  // expected-note @below {{here}}
  cf.br ^next
^next:
  memref.copy %y, %z : memref<1000xi32> to memref<1000xi32>
  return
}

// -----

// Both would write it, in one order here and in another one there.
func.func @one_place(%in: memref<1000xi32>, %other: memref<1000xi32>, %out: memref<1000xi32>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %x = bufferization.to_tensor %in restrict : memref<1000xi32> to tensor<1000xi32>
  %y = bufferization.to_tensor %other restrict : memref<1000xi32> to tensor<1000xi32>
  %e = tensor.empty() : tensor<1000xi32>
  // expected-error @below {{two results go to argument 2: store the one that is overwritten elsewhere}}
  // expected-note @below {{here}}
  %s:2 = memspace.scan dimension(0) ins(%x, %y : tensor<1000xi32>, tensor<1000xi32>) outs(%e, %e : tensor<1000xi32>, tensor<1000xi32>) {
  ^bb0(%a: i32, %p: i32, %b: i32, %q: i32):
    %c = arith.addi %a, %b : i32
    %r = arith.muli %p, %b : i32
    memspace.yield %c, %r : i32, i32
  } -> tensor<1000xi32>, tensor<1000xi32>
  bufferization.materialize_in_destination %s#1 in restrict writable %out : (tensor<1000xi32>, memref<1000xi32>) -> ()
  bufferization.materialize_in_destination %s#0 in restrict writable %out : (tensor<1000xi32>, memref<1000xi32>) -> ()
  return
}

// -----

func.func @returns(%x: memref<1000xi32>, %y: memref<1000xi32>, %i: i32) -> i32
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  // expected-error @below {{from arguments to arguments; this one has results: store them in arguments}}
  memspace.scan dimension(0) ins(%x : memref<1000xi32>) outs(%y : memref<1000xi32>) {
  ^bb0(%a: i32, %b: i32):
    %s = arith.addi %a, %b : i32
    memspace.yield %s : i32
  }
  // expected-note @below {{here}}
  return %i : i32
}

// -----

func.func @into_own_memory(%x: memref<1000xi32>, %y: memref<1000xi32>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  // expected-note @below {{here}}
  %z = memref.alloc() : memref<1000xi32>
  // expected-error @below {{from arguments to arguments; output 0 is no argument: copy from one in another kernel}}
  memspace.scan dimension(0) ins(%x : memref<1000xi32>) outs(%z : memref<1000xi32>) {
  ^bb0(%a: i32, %b: i32):
    %s = arith.addi %a, %b : i32
    memspace.yield %s : i32
  }
  memref.copy %z, %y : memref<1000xi32> to memref<1000xi32>
  return
}
