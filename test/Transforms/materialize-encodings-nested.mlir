// On functions one by one: what is outside of a function is not looked at.

// RUN: memspace-opt %s -split-input-file -pass-pipeline='builtin.module(func.func(memspace-materialize-encodings{chip=gfx942}))' -verify-diagnostics | FileCheck %s

// A layout that needs no target is the same in all functions.

#t = #memspace.tiled_layout<inner_dims_pos = [0], inner_tiles = [16]>
// CHECK-LABEL: func private @callee(tensor<32xf32>)
func.func private @callee(tensor<30xf32, #t>)
// CHECK-LABEL: func @caller
// CHECK-SAME: tensor<32xf32>
// CHECK: call @callee{{.*}} : (tensor<32xf32>) -> ()
func.func @caller(%a: tensor<30xf32, #t>) {
  call @callee(%a) : (tensor<30xf32, #t>) -> ()
  return
}

// -----

// The callee may name another target, and lose it at any time.

#lhs = #memspace.matmul_operand<lhs, types = [f16, f16, f32], sizes = [64, 64, 64]>
func.func private @callee(tensor<64x64xf16, #lhs> {memspace.target = #rocdl.target<chip = "gfx1030">})
func.func @caller(%a: tensor<64x64xf16, #lhs>) {
  // expected-error@+1 {{passes an encoded tensor, or memory that holds one, to or from the function @callee, which is outside of what the pass runs on and may name another target; run it on the module}}
  call @callee(%a) : (tensor<64x64xf16, #lhs>) -> ()
  return
}

// -----

// Callers of a function do not know what its memory holds.

#t = #memspace.tiled_layout<inner_dims_pos = [0], inner_tiles = [16]>
// expected-error@+1 {{argument 1 is memory that holds a tensor of type 'tensor<30xf32, #memspace.tiled_layout<inner_dims_pos = [0], inner_tiles = [16]>>', and its callers are outside of what the pass runs on; run it on the module}}
func.func @store(%a: tensor<30xf32, #t>, %m: memref<30xf32>) {
  bufferization.materialize_in_destination %a in restrict writable %m : (tensor<30xf32, #t>, memref<30xf32>) -> ()
  return
}

// -----

#t = #memspace.tiled_layout<inner_dims_pos = [0], inner_tiles = [16]>
func.func private @reads(memref<30xf32>)
func.func @passes(%a: tensor<30xf32, #t>) {
  %m = memref.alloc() : memref<30xf32>
  bufferization.materialize_in_destination %a in restrict writable %m : (tensor<30xf32, #t>, memref<30xf32>) -> ()
  // expected-error@+1 {{to or from the function @reads, which is outside of what the pass runs on}}
  call @reads(%m) : (memref<30xf32>) -> ()
  return
}

// -----

// A kernel is not among the functions.

#t = #memspace.tiled_layout<inner_dims_pos = [0], inner_tiles = [16]>
module attributes {gpu.container_module} {
gpu.module @k {
  gpu.func @f(%a: tensor<30xf32, #t>) kernel {
    gpu.return
  }
}
func.func @host(%a: tensor<30xf32>) {
  %c1 = arith.constant 1 : index
  %e = tensor.empty() : tensor<30xf32, #t>
  %b = memspace.encode ins(%a : tensor<30xf32>) outs(%e : tensor<30xf32, #t>)
  // expected-error@+1 {{to or from the function @k::@f, which is outside of what the pass runs on}}
  gpu.launch_func @k::@f blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%b : tensor<30xf32, #t>)
  return
}
}

// -----

// Nor what it holds that is given back.

#t = #memspace.tiled_layout<inner_dims_pos = [0], inner_tiles = [16]>
// expected-error@+1 {{result 0 is memory that holds a tensor of type 'tensor<30xf32, #memspace.tiled_layout<inner_dims_pos = [0], inner_tiles = [16]>>', and its callers are outside of what the pass runs on; run it on the module}}
func.func @gives(%a: tensor<30xf32, #t>) -> memref<30xf32> {
  %m = memref.alloc() : memref<30xf32>
  bufferization.materialize_in_destination %a in restrict writable %m : (tensor<30xf32, #t>, memref<30xf32>) -> ()
  return %m : memref<30xf32>
}
