// RUN: memspace-opt %s -memspace-check-backend=backend=rocdl -split-input-file -verify-diagnostics
// RUN: memspace-opt %s -memspace-check-backend=backend=nvvm -split-input-file -verify-diagnostics

// What upstream's conversions would leave behind is refused before all the work.

func.func @f8(%a: memref<64xf8E4M3FN>, %b: memref<64xf32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %t = gpu.thread_id x
  %x = memref.load %a[%t] : memref<64xf8E4M3FN>
  // expected-error @below {{'arith.extf' on 'f8E4M3FN' has no lowering to a GPU; upstream converts f4E2M1FN and f8E8M0FNU only: store the values as i8 and decode them with integer ops, or use f16}}
  %y = arith.extf %x : f8E4M3FN to f32
  memref.store %y, %b[%t] : memref<64xf32>
  return
}

// -----

// On tensors, in a payload.
#id = affine_map<(d0) -> (d0)>
func.func @f8_tensor(%a: tensor<64xf8E5M2>, %b: tensor<64xf8E5M2>) -> tensor<64xf8E5M2> attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%a : tensor<64xf8E5M2>) outs(%b : tensor<64xf8E5M2>) {
  ^bb0(%x: f8E5M2, %o: f8E5M2):
    // expected-error @below {{'arith.addf' on 'f8E5M2' has no lowering to a GPU}}
    %s = arith.addf %x, %x : f8E5M2
    linalg.yield %s : f8E5M2
  } -> tensor<64xf8E5M2>
  return %r : tensor<64xf8E5M2>
}

// -----

func.func @softmax(%a: memref<64x8xf32>, %b: memref<64x8xf32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  // expected-error @below {{'linalg.softmax' has no lowering to loops; decompose it before bufferization}}
  linalg.softmax dimension(1) ins(%a : memref<64x8xf32>) outs(%b : memref<64x8xf32>)
  return
}

// -----

func.func @two_unknown_sizes(%a: memref<?xf32>, %m: index, %n: index) -> memref<?x?xf32> attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  // expected-error @below {{'memref.expand_shape' with two dynamic sizes in one group has no lowering upstream; make all but one static, or use 'memref.reinterpret_cast'}}
  %e = memref.expand_shape %a [[0, 1]] output_shape [%m, %n] : memref<?xf32> into memref<?x?xf32>
  return %e : memref<?x?xf32>
}

// -----

// Moving small floats is no arithmetic; host code is none of this pass's.
func.func @moves(%a: memref<64xf8E5M2>, %b: memref<64xf8E5M2>, %c: i1) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %t = gpu.thread_id x
  %one = arith.constant 1.0 : f8E5M2
  %x = memref.load %a[%t] : memref<64xf8E5M2>
  %y = arith.select %c, %x, %one : f8E5M2
  memref.store %y, %b[%t] : memref<64xf8E5M2>
  return
}
func.func @host(%x: f8E4M3FN) -> f32 {
  %y = arith.extf %x : f8E4M3FN to f32
  return %y : f32
}
