// RUN: memspace-opt %s -split-input-file -memspace-form-kernels=chip=gfx942 | FileCheck %s

// Tensors come in and go out as memrefs, and one kernel is the function itself: the
// rows of a workgroup are reduced and divided together.
// CHECK-LABEL: func.func @one_kernel(
// CHECK-SAME: %[[X:.*]]: memref<128x64xf32>, %[[OUT:.*]]: memref<128x64xf32>) {
// CHECK: bufferization.to_tensor %[[X]] restrict
// CHECK: linalg.generic
// CHECK: %[[R:.*]] = linalg.generic
// CHECK: bufferization.materialize_in_destination %[[R]] in restrict writable %[[OUT]]
// CHECK-NOT: func.func
#ij = affine_map<(i, j) -> (i, j)>
#i = affine_map<(i, j) -> (i)>
func.func @one_kernel(%x: tensor<128x64xf32>) -> tensor<128x64xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<128xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<128xf32>) -> tensor<128xf32>
  %s = linalg.generic {indexing_maps = [#ij, #i], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<128x64xf32>) outs(%f : tensor<128xf32>) {
  ^bb0(%a: f32, %o: f32):
    %t = arith.addf %a, %o : f32
    linalg.yield %t : f32
  } -> tensor<128xf32>
  %g = tensor.empty() : tensor<128x64xf32>
  %r = linalg.generic {indexing_maps = [#ij, #i, #ij], iterator_types = ["parallel", "parallel"]}
      ins(%x, %s : tensor<128x64xf32>, tensor<128xf32>) outs(%g : tensor<128x64xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %t = arith.divf %a, %b : f32
    linalg.yield %t : f32
  } -> tensor<128x64xf32>
  return %r : tensor<128x64xf32>
}

// -----

// One workgroup would do all of a long reduction: many do a part each, into memory of
// the host, and a second kernel reduces the parts.
// CHECK-LABEL: func.func @split_reduction_kernel0(
// CHECK-SAME: memref<16x4096xf32>, %{{.*}}: memref<4096x16xf32>, %[[WS:.*]]: memref<64x16x16xf32>)
// CHECK: %[[P:.*]] = linalg.generic {{.*}} iterator_types = ["parallel", "parallel", "parallel", "reduction"]
// CHECK: bufferization.materialize_in_destination %[[P]] in restrict writable %[[WS]]
// CHECK-LABEL: func.func @split_reduction_kernel1(
// CHECK: %[[R:.*]] = linalg.generic {{.*}} iterator_types = ["reduction", "parallel", "parallel"]
// CHECK: bufferization.materialize_in_destination %[[R]]
// CHECK-LABEL: func.func @split_reduction(
// CHECK: memref.alloc() : memref<64x16x16xf32>
func.func @split_reduction(%a: tensor<16x4096xf32>, %b: tensor<4096x16xf32>) -> tensor<16x16xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<16x16xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<16x16xf32>) -> tensor<16x16xf32>
  %c = linalg.matmul ins(%a, %b : tensor<16x4096xf32>, tensor<4096x16xf32>) outs(%f : tensor<16x16xf32>) -> tensor<16x16xf32>
  return %c : tensor<16x16xf32>
}

// -----

// Enough results for many workgroups of a few each: in parts they are as many with tiles that
// use each element more often. Parts that would be short are none.
// CHECK-LABEL: func.func @split_large_kernel0(
// CHECK-SAME: memref<256x65536xf32>, %{{.*}}: memref<65536x256xf32>, %{{.*}}: memref<16x256x256xf32>)
// CHECK-LABEL: func.func @whole_large(
// CHECK-SAME: memref<256x4096xf32>, %{{.*}}: memref<4096x256xf32>, %{{.*}}: memref<256x256xf32>)
// CHECK-NOT: func.func
func.func @split_large(%a: tensor<256x65536xf32>, %b: tensor<65536x256xf32>) -> tensor<256x256xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<256x256xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<256x256xf32>) -> tensor<256x256xf32>
  %c = linalg.matmul ins(%a, %b : tensor<256x65536xf32>, tensor<65536x256xf32>) outs(%f : tensor<256x256xf32>) -> tensor<256x256xf32>
  return %c : tensor<256x256xf32>
}
func.func @whole_large(%a: tensor<256x4096xf32>, %b: tensor<4096x256xf32>) -> tensor<256x256xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<256x256xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<256x256xf32>) -> tensor<256x256xf32>
  %c = linalg.matmul ins(%a, %b : tensor<256x4096xf32>, tensor<4096x256xf32>) outs(%f : tensor<256x256xf32>) -> tensor<256x256xf32>
  return %c : tensor<256x256xf32>
}

// -----

// The two loops of a sum over everything are one, which is cut into parts; of a prime
// number of elements there are none, and a place is no sum.
// CHECK-LABEL: func.func @split_sum_kernel0(
// CHECK-SAME: memref<600x1000xf32>, %{{.*}}: memref<250xf32>)
// CHECK-LABEL: func.func @split_sum_kernel1(
// CHECK-LABEL: func.func @prime(
// CHECK-SAME: memref<524287xf32>, %{{.*}}: memref<f32>)
// CHECK-NOT: func.func
func.func @split_sum(%x: tensor<600x1000xf32>) -> tensor<f32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<f32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<f32>) -> tensor<f32>
  %s = linalg.reduce ins(%x : tensor<600x1000xf32>) outs(%f : tensor<f32>) dimensions = [0, 1]
    (%a: f32, %o: f32) {
      %t = arith.addf %a, %o : f32
      linalg.yield %t : f32
    }
  return %s : tensor<f32>
}
func.func @prime(%x: tensor<524287xf32>) -> tensor<f32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<f32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<f32>) -> tensor<f32>
  %s = linalg.reduce ins(%x : tensor<524287xf32>) outs(%f : tensor<f32>) dimensions = [0]
    (%a: f32, %o: f32) {
      %t = arith.addf %a, %o : f32
      linalg.yield %t : f32
    }
  return %s : tensor<f32>
}

// -----

// Along the columns of its own result, a workgroup of the second product would do the
// first one again and again: two kernels, with memory of the host between them.
// CHECK-LABEL: func.func @two_kernels_kernel0(
// CHECK-SAME: %[[A:.*]]: memref<64x32xf32>, %[[B:.*]]: memref<32x512xf32>, %[[WS:.*]]: memref<64x512xf32>) {
// CHECK: %[[H:.*]] = linalg.matmul
// CHECK: bufferization.materialize_in_destination %[[H]] in restrict writable %[[WS]]
// CHECK-LABEL: func.func @two_kernels_kernel1(
// CHECK-SAME: %[[C:.*]]: memref<512x1024xf32>, %[[OUT:.*]]: memref<64x1024xf32>, %[[WS:.*]]: memref<64x512xf32>) {
// CHECK: bufferization.to_tensor %[[WS]] restrict
// CHECK: %[[R:.*]] = linalg.matmul
// CHECK: bufferization.materialize_in_destination %[[R]] in restrict writable %[[OUT]]
// CHECK-LABEL: func.func @two_kernels(
// CHECK-SAME: %[[A:.*]]: memref<64x32xf32>, %[[B:.*]]: memref<32x512xf32>, %[[C:.*]]: memref<512x1024xf32>, %[[OUT:.*]]: memref<64x1024xf32>) {
// CHECK-NEXT: %[[WS:.*]] = memref.alloc() : memref<64x512xf32>
// CHECK-NEXT: call @two_kernels_kernel0(%[[A]], %[[B]], %[[WS]])
// CHECK-NEXT: call @two_kernels_kernel1(%[[C]], %[[OUT]], %[[WS]])
// CHECK-NEXT: memref.dealloc %[[WS]]
// CHECK-NEXT: return
func.func @two_kernels(%a: tensor<64x32xf32>, %b: tensor<32x512xf32>, %c: tensor<512x1024xf32>) -> tensor<64x1024xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x512xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<64x512xf32>) -> tensor<64x512xf32>
  %h = linalg.matmul ins(%a, %b : tensor<64x32xf32>, tensor<32x512xf32>) outs(%f : tensor<64x512xf32>) -> tensor<64x512xf32>
  %g = tensor.empty() : tensor<64x1024xf32>
  %k = linalg.fill ins(%zero : f32) outs(%g : tensor<64x1024xf32>) -> tensor<64x1024xf32>
  %r = linalg.matmul ins(%h, %c : tensor<64x512xf32>, tensor<512x1024xf32>) outs(%k : tensor<64x1024xf32>) -> tensor<64x1024xf32>
  return %r : tensor<64x1024xf32>
}

// -----

// The host allocates what has extents of the caller, too.
// CHECK-LABEL: func.func @dynamic_kernel0(
// CHECK-LABEL: func.func @dynamic(
// CHECK-SAME: %[[X:.*]]: memref<?x?xf32>, %[[OUT:.*]]: memref<?x?xf32>)
// CHECK-DAG: %[[D0:.*]] = memref.dim %[[X]], %c0
// CHECK-DAG: %[[D1:.*]] = memref.dim %[[X]], %c1
// CHECK: %[[WS:.*]] = memref.alloc(%[[D0]], %[[D1]]) : memref<?x?xf32>
#ij = affine_map<(i, j) -> (i, j)>
#i = affine_map<(i, j) -> (i)>
func.func @dynamic(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %d0 = tensor.dim %x, %c0 : tensor<?x?xf32>
  %d1 = tensor.dim %x, %c1 : tensor<?x?xf32>
  %g = tensor.empty(%d0, %d1) : tensor<?x?xf32>
  %p = linalg.exp ins(%x : tensor<?x?xf32>) outs(%g : tensor<?x?xf32>) -> tensor<?x?xf32>
  %e = tensor.empty(%d0) : tensor<?xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<?xf32>) -> tensor<?xf32>
  %s = linalg.generic {indexing_maps = [#ij, #i], iterator_types = ["parallel", "reduction"]}
      ins(%p : tensor<?x?xf32>) outs(%f : tensor<?xf32>) {
  ^bb0(%a: f32, %o: f32):
    %t = arith.addf %a, %o : f32
    linalg.yield %t : f32
  } -> tensor<?xf32>
  %r = linalg.generic {indexing_maps = [#ij, #i, #ij], iterator_types = ["parallel", "parallel"]}
      ins(%p, %s : tensor<?x?xf32>, tensor<?xf32>) outs(%g : tensor<?x?xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %t = arith.divf %a, %b : f32
    linalg.yield %t : f32
  } -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}

// -----

// A part of an output is stored where it is; so is another shape.
// Two outputs of which none is computed from the other are two kernels.
// CHECK-LABEL: func.func @in_place_kernel0(
// CHECK-SAME: %[[X:.*]]: memref<8x16xf32>, %[[WIDE:.*]]: memref<8x64xf32>)
// CHECK-NOT: tensor.insert_slice
// CHECK: %[[R:.*]] = linalg.generic
// CHECK: %[[PART:.*]] = memref.subview %[[WIDE]][0, 4] [8, 16] [1, 1]
// CHECK: bufferization.materialize_in_destination %[[R]] in restrict writable %[[PART]]
// CHECK-LABEL: func.func @in_place_kernel1(
// CHECK-SAME: %[[X:.*]]: memref<8x16xf32>, %[[FLAT:.*]]: memref<128xf32>)
// CHECK-NOT: tensor.collapse_shape
// CHECK: %[[SHAPED:.*]] = memref.expand_shape %[[FLAT]] {{\[\[}}0, 1]]
// CHECK: bufferization.materialize_in_destination %{{.*}} in restrict writable %[[SHAPED]]
// CHECK-LABEL: func.func @in_place(
func.func @in_place(%x: memref<8x16xf32>, %wide: memref<8x64xf32>, %flat: memref<128xf32>) {
  %t = bufferization.to_tensor %x restrict : memref<8x16xf32> to tensor<8x16xf32>
  %w = bufferization.to_tensor %wide restrict writable : memref<8x64xf32> to tensor<8x64xf32>
  %e = tensor.empty() : tensor<8x16xf32>
  %r = linalg.exp ins(%t : tensor<8x16xf32>) outs(%e : tensor<8x16xf32>) -> tensor<8x16xf32>
  %q = linalg.sqrt ins(%t : tensor<8x16xf32>) outs(%e : tensor<8x16xf32>) -> tensor<8x16xf32>
  %i = tensor.insert_slice %r into %w[0, 4] [8, 16] [1, 1] : tensor<8x16xf32> into tensor<8x64xf32>
  bufferization.materialize_in_destination %i in restrict writable %wide : (tensor<8x64xf32>, memref<8x64xf32>) -> ()
  %c = tensor.collapse_shape %q [[0, 1]] : tensor<8x16xf32> into tensor<128xf32>
  bufferization.materialize_in_destination %c in restrict writable %flat : (tensor<128xf32>, memref<128xf32>) -> ()
  return
}

// -----

// What is only handed on is copied by a kernel.
// CHECK-LABEL: func.func @copy(
// CHECK: linalg.copy
// CHECK: bufferization.materialize_in_destination
func.func @copy(%x: tensor<8xf32>) -> tensor<8xf32> {
  return %x : tensor<8xf32>
}

// -----

// A padded tensor is an op for each element.
// CHECK-LABEL: func.func @pad(
// CHECK-NOT: tensor.pad
// CHECK: linalg.generic
// CHECK: tensor.extract
// CHECK: arith.select
func.func @pad(%x: tensor<8x8xf32>) -> tensor<10x9xf32> {
  %zero = arith.constant 0.0 : f32
  %p = tensor.pad %x low[1, 0] high[1, 1] {
  ^bb0(%i: index, %j: index):
    tensor.yield %zero : f32
  } : tensor<8x8xf32> to tensor<10x9xf32>
  return %p : tensor<10x9xf32>
}

// -----

// Padding whose extents are constants all the same.
// CHECK-LABEL: func.func @pad_constant(
// CHECK-NOT: tensor.pad
// CHECK: linalg.generic
func.func @pad_constant(%x: tensor<8x8xf32>) -> tensor<10x9xf32> {
  %one = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %p = tensor.pad %x low[%one, 0] high[%one, 1] {
  ^bb0(%i: index, %j: index):
    tensor.yield %zero : f32
  } : tensor<8x8xf32> to tensor<?x9xf32>
  %c = tensor.cast %p : tensor<?x9xf32> to tensor<10x9xf32>
  return %c : tensor<10x9xf32>
}

// -----

// What the caller gave is copied before it is updated, by the workgroups.
// CHECK-LABEL: func.func @accumulate(
// CHECK: %[[C:.*]] = linalg.copy
// CHECK: linalg.matmul {{.*}} outs(%[[C]]
func.func @accumulate(%a: tensor<64x64xf32>, %b: tensor<64x64xf32>, %c: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %r = linalg.matmul ins(%a, %b : tensor<64x64xf32>, tensor<64x64xf32>) outs(%c : tensor<64x64xf32>) -> tensor<64x64xf32>
  return %r : tensor<64x64xf32>
}

// -----

// Kernels that are there already, and functions without tensors, stay.
// CHECK-LABEL: func.func @kernel(%{{.*}}: memref<8xf32>) attributes
// CHECK-LABEL: func.func @scalars(%{{.*}}: i32) -> i32
func.func @kernel(%x: memref<8xf32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %t = bufferization.to_tensor %x restrict writable : memref<8xf32> to tensor<8xf32>
  %e = tensor.empty() : tensor<8xf32>
  %r = linalg.exp ins(%t : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  bufferization.materialize_in_destination %r in restrict writable %x : (tensor<8xf32>, memref<8xf32>) -> ()
  return
}
func.func @scalars(%x: i32) -> i32 {
  return %x : i32
}

// -----

// The first product is stored over what the second one reads: of a copy, that can be. The
// copy is a kernel of its own, before it.
// CHECK-LABEL: func.func @copied_first_kernel0(
// CHECK: linalg.copy
// CHECK-LABEL: func.func @copied_first_kernel1(
// CHECK: linalg.matmul
// CHECK-LABEL: func.func @copied_first_kernel2(
// CHECK: linalg.matmul
// CHECK-LABEL: func.func @copied_first(
// CHECK-SAME: %[[A:.*]]: memref<64x64xf32>, %[[B:.*]]: memref<64x64xf32>, %[[OUT:.*]]: memref<64x2048xf32>, %[[C:.*]]: memref<64x2048xf32>)
// CHECK: %[[WS:.*]] = memref.alloc() : memref<64x64xf32>
// CHECK: call @copied_first_kernel0(%[[A]], %[[WS]])
// CHECK: call @copied_first_kernel1(%[[A]], %[[B]])
// CHECK: call @copied_first_kernel2(%[[OUT]], %[[C]], %[[WS]])
func.func @copied_first(%A: memref<64x64xf32>, %B: memref<64x64xf32>, %out: memref<64x2048xf32>, %C: memref<64x2048xf32>) {
  %a = bufferization.to_tensor %A restrict : memref<64x64xf32> to tensor<64x64xf32>
  %b = bufferization.to_tensor %B restrict : memref<64x64xf32> to tensor<64x64xf32>
  %c = bufferization.to_tensor %C restrict : memref<64x2048xf32> to tensor<64x2048xf32>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x64xf32>
  %old = linalg.copy ins(%a : tensor<64x64xf32>) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
  %p = linalg.matmul ins(%b, %b : tensor<64x64xf32>, tensor<64x64xf32>) outs(%f : tensor<64x64xf32>) -> tensor<64x64xf32>
  bufferization.materialize_in_destination %p in restrict writable %A : (tensor<64x64xf32>, memref<64x64xf32>) -> ()
  %g = tensor.empty() : tensor<64x2048xf32>
  %h = linalg.fill ins(%zero : f32) outs(%g : tensor<64x2048xf32>) -> tensor<64x2048xf32>
  %q = linalg.matmul ins(%old, %c : tensor<64x64xf32>, tensor<64x2048xf32>) outs(%h : tensor<64x2048xf32>) -> tensor<64x2048xf32>
  bufferization.materialize_in_destination %q in restrict writable %out : (tensor<64x2048xf32>, memref<64x2048xf32>) -> ()
  return
}
