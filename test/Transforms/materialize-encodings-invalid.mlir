// RUN: memspace-opt %s -split-input-file -memspace-materialize-encodings=chip=gfx942 -verify-diagnostics

#t = #memspace.tiled_layout<inner_dims_pos = [0], inner_tiles = [16]>
func.func @unknown_op(%a: tensor<30xf32, #t>) {
  // expected-error@+1 {{has a tensor of type 'tensor<30xf32, #memspace.tiled_layout<inner_dims_pos = [0], inner_tiles = [16]>>', which is not row-major on 'gfx942', and nobody knows what the op does in another layout}}
  %c = builtin.unrealized_conversion_cast %a : tensor<30xf32, #t> to i64
  return
}

// -----

// The padded memory does not say how many elements there are.

#t = #memspace.tiled_layout<inner_dims_pos = [0], inner_tiles = [16]>
func.func @lost_extent(%a: tensor<?xf32, #t>) -> index {
  %c0 = arith.constant 0 : index
  // expected-error@+1 {{needs extent 0 of a tensor of type 'tensor<?xf32, #memspace.tiled_layout<inner_dims_pos = [0], inner_tiles = [16]>>', which the padded memory that it comes in does not say; make it static, promise a divisor that is a multiple of the tile, or encode the tensor in this function}}
  %n = tensor.dim %a, %c0 : tensor<?xf32, #t>
  return %n : index
}

// -----

// A matmul of operands on two devices.

#lhs = #memspace.matmul_operand<lhs, types = [f16, f16, f32], sizes = [64, 64, 64]>
#rhs = #memspace.matmul_operand<rhs, types = [f16, f16, f32], sizes = [64, 64, 64]>
func.func @two_targets(%a: tensor<64x64xf16>, %b: tensor<64x64xf16>, %o: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %e = tensor.empty() : tensor<64x64xf16, #lhs>
  // expected-note@+1 {{it is named here}}
  %c = memspace.encode ins(%a : tensor<64x64xf16>) outs(%e : tensor<64x64xf16, #lhs>)
      {memspace.target = #rocdl.target<chip = "gfx1030">}
  %f = tensor.empty() : tensor<64x64xf16, #rhs>
  // expected-error@+1 {{that lives on 'sm_90' here and on 'gfx1030' elsewhere; put a memspace.encode in between, with 'memspace.target'}}
  %d = memspace.encode ins(%b : tensor<64x64xf16>) outs(%f : tensor<64x64xf16, #rhs>)
      {memspace.target = #nvvm.target<chip = "sm_90">}
  %r = linalg.matmul ins(%c, %d : tensor<64x64xf16, #lhs>, tensor<64x64xf16, #rhs>)
      outs(%o : tensor<64x64xf32>) -> tensor<64x64xf32>
  return %r : tensor<64x64xf32>
}

// -----

#lhs = #memspace.matmul_operand<lhs, types = [f16, f16, f32], sizes = [64, 64, 64]>
func.func @no_target(%a: tensor<64x64xf16>, %e: tensor<64x64xf16, #lhs>) {
  // expected-error@+1 {{attribute 'memspace.target' must be '#rocdl.target<…>' or '#nvvm.target<…>'; got "gfx942"}}
  %c = memspace.encode ins(%a : tensor<64x64xf16>) outs(%e : tensor<64x64xf16, #lhs>) {memspace.target = "gfx942"}
  return
}

// -----

// Memory that holds tiles is read as rows.

#t = #memspace.tiled_layout<inner_dims_pos = [0], inner_tiles = [16]>
func.func @rows_of_tiles(%a: tensor<30xf32, #t>, %m: memref<30xf32>) -> f32 {
  // expected-note@+1 {{it is said here}}
  bufferization.materialize_in_destination %a in restrict writable %m : (tensor<30xf32, #t>, memref<30xf32>) -> ()
  %c0 = arith.constant 0 : index
  // expected-error@+1 {{has memory that holds a tensor of type 'tensor<30xf32, #memspace.tiled_layout<inner_dims_pos = [0], inner_tiles = [16]>>', which is not row-major on 'gfx942', but does not take it for that; use 'to_tensor' and 'materialize_in_destination' with that type}}
  %x = memref.load %m[%c0] : memref<30xf32>
  return %x : f32
}

// -----

#huge = #memspace.tiled_layout<padding_multiples = [9223372036854775807, 9223372036854775807]>
// expected-error@+1 {{the layout of 'tensor<3x3xf32, #memspace.tiled_layout<padding_multiples = [9223372036854775807, 9223372036854775807]>>' on 'gfx942' has no size that can be counted}}
func.func private @too_large(tensor<3x3xf32, #huge>)

// -----

#t = #memspace.tiled_layout<inner_dims_pos = [0], inner_tiles = [16], outer_dims_perm = [0]>
func.func @no_zero(%a: tensor<30xcomplex<f32>>) -> tensor<30xcomplex<f32>, #t> {
  %e = tensor.empty() : tensor<30xcomplex<f32>, #t>
  // expected-error@+1 {{would fill padding with zeros, which 'complex<f32>' has not; take a layout without padding}}
  %b = memspace.encode ins(%a : tensor<30xcomplex<f32>>) outs(%e : tensor<30xcomplex<f32>, #t>)
  return %b : tensor<30xcomplex<f32>, #t>
}

// -----

#t = #memspace.tiled_layout<inner_dims_pos = [0], inner_tiles = [16]>
func.func @which_extent(%a: tensor<?xf32, #t>, %i: index) -> index {
  // expected-error@+1 {{asks for an extent of an encoded tensor by a number that is not constant}}
  %n = tensor.dim %a, %i : tensor<?xf32, #t>
  return %n : index
}

// -----

#t = #memspace.tiled_layout<inner_dims_pos = [0], inner_tiles = [16]>
func.func private @callee(tensor<30xf32, #t>)
func.func @function_value() {
  // expected-error@+1 {{has a value of type '(tensor<30xf32, #memspace.tiled_layout<inner_dims_pos = [0], inner_tiles = [16]>>) -> ()', and the layout of what is in it cannot be changed}}
  %f = func.constant @callee : (tensor<30xf32, #t>) -> ()
  return
}

// -----

// Only func.call and gpu.launch_func follow when a function changes.

#t = #memspace.tiled_layout<inner_dims_pos = [0], inner_tiles = [16]>
// expected-note@+1 {{it is here}}
async.func @tensor_callee(%a: tensor<30xf32, #t>) -> !async.token {
  return
}
func.func @async_call(%a: tensor<30xf32, #t>) {
  // expected-error@+1 {{refers to the function @tensor_callee, which has an encoded tensor, or memory that holds one, as an argument or result; only func.call and gpu.launch_func follow when that gets its layout; call it by one of these, or pass it what has no encoding}}
  %x = async.call @tensor_callee(%a) : (tensor<30xf32, #t>) -> !async.token
  return
}

// -----

#t = #memspace.tiled_layout<inner_dims_pos = [0], inner_tiles = [16]>
// expected-note@+1 {{it is here}}
func.func @memory_callee(%m: memref<30xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %a = bufferization.to_tensor %m restrict : memref<30xf32> to tensor<30xf32, #t>
  %x = tensor.extract %a[%c0] : tensor<30xf32, #t>
  return %x : f32
}
func.func @memory_function_value() -> ((memref<30xf32>) -> f32) {
  // expected-error@+1 {{refers to the function @memory_callee, which has an encoded tensor, or memory that holds one}}
  %f = func.constant @memory_callee : (memref<30xf32>) -> f32
  return %f : (memref<30xf32>) -> f32
}

// -----

// Nor can that of what a function gives back in a value.

#t = #memspace.tiled_layout<inner_dims_pos = [0], inner_tiles = [16]>
// expected-error@+1 {{has a value of type '!async.value<tensor<30xf32, #memspace.tiled_layout<inner_dims_pos = [0], inner_tiles = [16]>>>', and the layout of what is in it cannot be changed}}
async.func @p(%a: tensor<30xf32, #t>) -> !async.value<tensor<30xf32, #t>> {
  return %a : tensor<30xf32, #t>
}

// -----



#t = #memspace.tiled_layout<inner_dims_pos = [0], inner_tiles = [16]>
// expected-error@+1 {{has memory that holds a tensor of type 'tensor<32x4xf32, #memspace.tiled_layout<inner_dims_pos = [0], inner_tiles = [16]>>', which is not row-major}}
async.func @p(%a: tensor<32x4xf32>) -> !async.value<memref<32x4xf32>> {
  %m = memref.alloc() : memref<32x4xf32>
  %e = tensor.empty() : tensor<32x4xf32, #t>
  %b = memspace.encode ins(%a : tensor<32x4xf32>) outs(%e : tensor<32x4xf32, #t>)
  // expected-note@+1 {{it is said here}}
  bufferization.materialize_in_destination %b in restrict writable %m : (tensor<32x4xf32, #t>, memref<32x4xf32>) -> ()
  return %m : memref<32x4xf32>
}
