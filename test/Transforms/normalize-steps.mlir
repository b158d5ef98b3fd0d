// RUN: memspace-opt %s -split-input-file -memspace-normalize-kernels=chip=gfx942 | FileCheck %s
// RUN: memspace-opt %s -split-input-file -memspace-kernel-pipeline=chip=gfx942 | FileCheck %s --check-prefix=MEMREF

// Upstream's views are undefined where a slice with a step loses a dimension: a second
// slice loses it.
// CHECK-LABEL: func @extract
// CHECK: %[[WHOLE:.*]] = tensor.extract_slice %{{.*}}[0, 6, 0, 0] [1, 4, 1, 15] [1, 3, 1, 1] : tensor<1x16x1x16xf32> to tensor<1x4x1x15xf32>
// CHECK: tensor.extract_slice %[[WHOLE]][0, 0, 0, 0] [1, 4, 1, 15] [1, 1, 1, 1] : tensor<1x4x1x15xf32> to tensor<4x15xf32>
// MEMREF-LABEL: func @extract
// MEMREF: memref.subview %{{.*}} [1, 4, 1, 15] [1, 3, 1, 1] : {{.*}} to memref<1x4x1x15xf32
func.func @extract(%x: memref<1x16x1x16xf32>, %out: memref<4x15xf32>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %t = bufferization.to_tensor %x restrict : memref<1x16x1x16xf32> to tensor<1x16x1x16xf32>
  %p = tensor.extract_slice %t[0, 6, 0, 0] [1, 4, 1, 15] [1, 3, 1, 1] : tensor<1x16x1x16xf32> to tensor<4x15xf32>
  %e = tensor.empty() : tensor<4x15xf32>
  %r = linalg.exp ins(%p : tensor<4x15xf32>) outs(%e : tensor<4x15xf32>) -> tensor<4x15xf32>
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<4x15xf32>, memref<4x15xf32>) -> ()
  return
}

// -----

// CHECK-LABEL: func @subview
// CHECK: %[[WHOLE:.*]] = memref.subview %{{.*}}[6, 0] [4, 1] [3, 1] : memref<16x16xf32> to memref<4x1xf32, strided<[48, 1], offset: 96>>
// CHECK: memref.subview %[[WHOLE]][0, 0] [4, 1] [1, 1] : {{.*}} to memref<4xf32, strided<[48], offset: 96>>
func.func @subview(%x: memref<16x16xf32>, %out: memref<4xf32>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %v = memref.subview %x[6, 0] [4, 1] [3, 1] : memref<16x16xf32> to memref<4xf32, strided<[48], offset: 96>>
  %t = bufferization.to_tensor %v restrict : memref<4xf32, strided<[48], offset: 96>> to tensor<4xf32>
  %e = tensor.empty() : tensor<4xf32>
  %r = linalg.exp ins(%t : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<4xf32>, memref<4xf32>) -> ()
  return
}

// -----

// What is inserted has the dimension before.
// CHECK-LABEL: func @insert
// CHECK: %[[P:.*]] = tensor.expand_shape %{{.*}} {{\[\[}}0, 1]] output_shape [4, 1] : tensor<4xf32> into tensor<4x1xf32>
// CHECK: tensor.insert_slice %[[P]] into %{{.*}}[6, 0] [4, 1] [3, 1] : tensor<4x1xf32> into tensor<16x16xf32>
// MEMREF-LABEL: func @insert
// MEMREF-NOT: [3, 1] : {{.*}} to memref<4xf32
func.func @insert(%x: memref<4xf32>, %out: memref<16x16xf32>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %t = bufferization.to_tensor %x restrict : memref<4xf32> to tensor<4xf32>
  %o = bufferization.to_tensor %out restrict writable : memref<16x16xf32> to tensor<16x16xf32>
  %e = tensor.empty() : tensor<4xf32>
  %r = linalg.exp ins(%t : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %i = tensor.insert_slice %r into %o[6, 0] [4, 1] [3, 1] : tensor<4xf32> into tensor<16x16xf32>
  bufferization.materialize_in_destination %i in restrict writable %out : (tensor<16x16xf32>, memref<16x16xf32>) -> ()
  return
}

// -----

// An op with a loop that has no iteration is what it starts with.
// CHECK-LABEL: func @idle
// CHECK: %[[F:.*]] = linalg.fill
// CHECK-NOT: linalg.matmul
// CHECK: materialize_in_destination %[[F]]
// MEMREF-LABEL: func @idle
func.func @idle(%a: memref<16x0xf32>, %b: memref<0x16xf32>, %out: memref<16x16xf32>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %zero = arith.constant 0.0 : f32
  %ta = bufferization.to_tensor %a restrict : memref<16x0xf32> to tensor<16x0xf32>
  %tb = bufferization.to_tensor %b restrict : memref<0x16xf32> to tensor<0x16xf32>
  %e = tensor.empty() : tensor<16x16xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<16x16xf32>) -> tensor<16x16xf32>
  %r = linalg.matmul ins(%ta, %tb : tensor<16x0xf32>, tensor<0x16xf32>) outs(%f : tensor<16x16xf32>) -> tensor<16x16xf32>
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<16x16xf32>, memref<16x16xf32>) -> ()
  return
}
