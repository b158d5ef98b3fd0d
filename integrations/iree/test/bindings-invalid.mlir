// RUN: iree-memspace-opt %s -split-input-file -iree-memspace-import -verify-diagnostics

#layout = #hal.pipeline.layout<bindings = [
  #hal.pipeline.binding<storage_buffer>
]>
func.func @overlap() {
  %c0 = arith.constant 0 : index
  %c252 = arith.constant 252 : index
  // expected-note @below {{the other part}}
  %in = hal.interface.binding.subspan layout(#layout) binding(0) alignment(4) offset(%c0) : !iree_tensor_ext.dispatch.tensor<readonly:tensor<64xf32>>
  // expected-error @below {{is a part of binding 0, of which another part is named, and one of them may be written: tensors of both may overlap}}
  %out = hal.interface.binding.subspan layout(#layout) binding(0) alignment(4) offset(%c252) : !iree_tensor_ext.dispatch.tensor<writeonly:tensor<64xf32>>
  %x = iree_tensor_ext.dispatch.tensor.load %in, offsets = [0], sizes = [64], strides = [1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<64xf32>> -> tensor<64xf32>
  iree_tensor_ext.dispatch.tensor.store %x, %out, offsets = [0], sizes = [64], strides = [1] : tensor<64xf32> -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<64xf32>>
  return
}

// -----

#layout = #hal.pipeline.layout<constants = 1, bindings = [
  #hal.pipeline.binding<storage_buffer>
]>
func.func @unknown_extent() {
  %c0 = arith.constant 0 : index
  %c256 = arith.constant 256 : index
  %n = hal.interface.constant.load layout(#layout) ordinal(0) : index
  // expected-note @below {{the other part}}
  %in = hal.interface.binding.subspan layout(#layout) binding(0) alignment(4) offset(%c0) : !iree_tensor_ext.dispatch.tensor<readonly:tensor<?xf32>>{%n}
  // expected-error @below {{is a part of binding 0, of which another part is named}}
  %out = hal.interface.binding.subspan layout(#layout) binding(0) alignment(4) offset(%c256) : !iree_tensor_ext.dispatch.tensor<writeonly:tensor<?xf32>>{%n}
  %x = iree_tensor_ext.dispatch.tensor.load %in, offsets = [0], sizes = [%n], strides = [1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<?xf32>>{%n} -> tensor<?xf32>
  iree_tensor_ext.dispatch.tensor.store %x, %out, offsets = [0], sizes = [%n], strides = [1] : tensor<?xf32> -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<?xf32>>{%n}
  return
}

// -----

#layout = #hal.pipeline.layout<bindings = [
  #hal.pipeline.binding<storage_buffer>
]>
func.func @other_sizes() {
  %c0 = arith.constant 0 : index
  %in = hal.interface.binding.subspan layout(#layout) binding(0) alignment(4) offset(%c0) : !iree_tensor_ext.dispatch.tensor<readonly:tensor<64xf32>>
  // expected-error @below {{names a part of the binding of other sizes than those of 'tensor<64xf32>', which is what it loads or stores; make them the same}}
  %x = iree_tensor_ext.dispatch.tensor.load %in, offsets = [0], sizes = [48], strides = [1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<64xf32>> -> tensor<64xf32>
  return
}

// -----

#layout = #hal.pipeline.layout<bindings = [
  #hal.pipeline.binding<storage_buffer>
]>
func.func @outside() {
  %c0 = arith.constant 0 : index
  %in = hal.interface.binding.subspan layout(#layout) binding(0) alignment(4) offset(%c0) : !iree_tensor_ext.dispatch.tensor<readonly:tensor<64xf32>>
  // expected-error @below {{is of elements outside of the binding: dimension 0 has 64 elements}}
  %x = iree_tensor_ext.dispatch.tensor.load %in, offsets = [1], sizes = [64], strides = [1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<64xf32>> -> tensor<64xf32>
  return
}
