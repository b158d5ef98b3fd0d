// RUN: iree-memspace-opt %s -split-input-file -iree-memspace-import=block-size=64 -memspace-kernel-pipeline=chip=gfx942 -memspace-verify-barriers=chip=gfx942 | FileCheck %s

// One binding by several names: equal ones are one.

#layout = #hal.pipeline.layout<constants = 1, bindings = [
  #hal.pipeline.binding<storage_buffer>,
  #hal.pipeline.binding<storage_buffer, ReadOnly>
]>

// Updated in place, although it is loaded by one name and stored by the other.
// CHECK-LABEL: func.func @equal
// CHECK: hal.interface.binding.subspan {{.*}} binding(0)
// CHECK-NOT: hal.interface.binding.subspan
// CHECK-NOT: memref.alloc
// CHECK: return
func.func @equal() {
  %c64 = arith.constant 64 : index
  %in = hal.interface.binding.subspan layout(#layout) binding(0) alignment(64) offset(%c64) flags(ReadOnly) : !iree_tensor_ext.dispatch.tensor<readonly:tensor<64xf32>>
  %d64 = arith.constant 64 : index
  %out = hal.interface.binding.subspan layout(#layout) binding(0) alignment(64) offset(%d64) : !iree_tensor_ext.dispatch.tensor<readwrite:tensor<64xf32>>
  %x = iree_tensor_ext.dispatch.tensor.load %in, offsets = [0], sizes = [64], strides = [1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<64xf32>> -> tensor<64xf32>
  %y = linalg.exp ins(%x : tensor<64xf32>) outs(%x : tensor<64xf32>) -> tensor<64xf32>
  iree_tensor_ext.dispatch.tensor.store %y, %out, offsets = [0], sizes = [64], strides = [1] : tensor<64xf32> -> !iree_tensor_ext.dispatch.tensor<readwrite:tensor<64xf32>>
  return
}

// -----

// Parts that constants keep apart.

#layout = #hal.pipeline.layout<bindings = [
  #hal.pipeline.binding<storage_buffer>
]>

// CHECK-LABEL: func.func @apart
// CHECK-COUNT-2: hal.interface.binding.subspan
func.func @apart() {
  %c0 = arith.constant 0 : index
  %c256 = arith.constant 256 : index
  %in = hal.interface.binding.subspan layout(#layout) binding(0) alignment(64) offset(%c0) : !iree_tensor_ext.dispatch.tensor<readonly:tensor<64xf32>>
  %out = hal.interface.binding.subspan layout(#layout) binding(0) alignment(64) offset(%c256) : !iree_tensor_ext.dispatch.tensor<writeonly:tensor<64xf32>>
  %x = iree_tensor_ext.dispatch.tensor.load %in, offsets = [0], sizes = [64], strides = [1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<64xf32>> -> tensor<64xf32>
  iree_tensor_ext.dispatch.tensor.store %x, %out, offsets = [0], sizes = [64], strides = [1] : tensor<64xf32> -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<64xf32>>
  return
}

// -----

// The pipeline layout says that nothing is written through the binding: what
// updates the tensor has a copy.

#layout = #hal.pipeline.layout<bindings = [
  #hal.pipeline.binding<storage_buffer, ReadOnly>,
  #hal.pipeline.binding<storage_buffer>
]>

// CHECK-LABEL: func.func @read_only
// CHECK: %[[IN:.*]] = hal.interface.binding.subspan {{.*}} binding(0)
// CHECK-NOT: memref.store {{.*}}%[[IN]]
// CHECK: return
func.func @read_only() {
  %c0 = arith.constant 0 : index
  %in = hal.interface.binding.subspan layout(#layout) binding(0) alignment(64) offset(%c0) : memref<2x32xf32, #hal.descriptor_type<storage_buffer>>
  %out = hal.interface.binding.subspan layout(#layout) binding(1) alignment(64) offset(%c0) : memref<64xf32, #hal.descriptor_type<storage_buffer>>
  %flat = memref.collapse_shape %in [[0, 1]] : memref<2x32xf32, #hal.descriptor_type<storage_buffer>> into memref<64xf32, #hal.descriptor_type<storage_buffer>>
  %x = iree_codegen.load_from_buffer %flat : memref<64xf32, #hal.descriptor_type<storage_buffer>> -> tensor<64xf32>
  %y = linalg.exp ins(%x : tensor<64xf32>) outs(%x : tensor<64xf32>) -> tensor<64xf32>
  iree_codegen.store_to_buffer %y, %out : tensor<64xf32> into memref<64xf32, #hal.descriptor_type<storage_buffer>>
  return
}

// -----

// All of a binding whose extents are not constant is no slice of it, which could
// not be collapsed; and slices of known extents in a tensor of unknown ones.

#layout = #hal.pipeline.layout<constants = 3, bindings = [
  #hal.pipeline.binding<storage_buffer>,
  #hal.pipeline.binding<storage_buffer>
]>

// CHECK-LABEL: func.func @dynamic
// CHECK-NOT: memref.alloc
// CHECK: memref.collapse_shape
// CHECK-NOT: memref.alloc
// CHECK: return
func.func @dynamic() {
  %c0 = arith.constant 0 : index
  %a = hal.interface.constant.load layout(#layout) ordinal(0) : index
  %b = hal.interface.constant.load layout(#layout) ordinal(1) : index
  %n = hal.interface.constant.load layout(#layout) ordinal(2) : index
  %in = hal.interface.binding.subspan layout(#layout) binding(0) alignment(64) offset(%c0) : !iree_tensor_ext.dispatch.tensor<readonly:tensor<?x?xf32>>{%a, %b}
  %out = hal.interface.binding.subspan layout(#layout) binding(1) alignment(64) offset(%c0) : !iree_tensor_ext.dispatch.tensor<writeonly:tensor<?xf32>>{%n}
  %x = iree_tensor_ext.dispatch.tensor.load %in, offsets = [0, 0], sizes = [%a, %b], strides = [1, 1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<?x?xf32>>{%a, %b} -> tensor<?x?xf32>
  %flat = tensor.collapse_shape %x [[0, 1]] : tensor<?x?xf32> into tensor<?xf32>
  iree_tensor_ext.dispatch.tensor.store %flat, %out, offsets = [0], sizes = [%n], strides = [1] : tensor<?xf32> -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<?xf32>>{%n}
  return
}

// -----

#layout = #hal.pipeline.layout<constants = 1, bindings = [
  #hal.pipeline.binding<storage_buffer>,
  #hal.pipeline.binding<storage_buffer>
]>

// CHECK-LABEL: func.func @slice
// CHECK: memref.subview
func.func @slice() {
  %c0 = arith.constant 0 : index
  %a = hal.interface.constant.load layout(#layout) ordinal(0) : index
  %in = hal.interface.binding.subspan layout(#layout) binding(0) alignment(64) offset(%c0) : !iree_tensor_ext.dispatch.tensor<readonly:tensor<?x8xf32>>{%a}
  %out = hal.interface.binding.subspan layout(#layout) binding(1) alignment(64) offset(%c0) : !iree_tensor_ext.dispatch.tensor<writeonly:tensor<3x8xf32>>
  %x = iree_tensor_ext.dispatch.tensor.load %in, offsets = [%a, 0], sizes = [3, 8], strides = [1, 1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<?x8xf32>>{%a} -> tensor<?x8xf32>
  %y = tensor.cast %x : tensor<?x8xf32> to tensor<3x8xf32>
  iree_tensor_ext.dispatch.tensor.store %y, %out, offsets = [0, 0], sizes = [3, 8], strides = [1, 1] : tensor<3x8xf32> -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<3x8xf32>>
  return
}
