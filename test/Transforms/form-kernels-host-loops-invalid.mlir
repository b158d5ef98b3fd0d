// RUN: memspace-opt %s -split-input-file -verify-diagnostics -memspace-form-kernels=chip=gfx942

// Loops that have more than a workgroup may keep, and that the host cannot execute:
// why, at the loop. They become part of a kernel.

func.func @unknown_trips(%a: tensor<16384xf32>, %n: tensor<index>) -> tensor<16384xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = tensor.extract %n[] : tensor<index>
  %e = tensor.empty() : tensor<16384xf32>
  // expected-warning @+1 {{'scf.for' of 'unknown_trips' has more to do than one workgroup should, and the host cannot execute it: its bounds are in a tensor, or a kernel computes them; pass them as numbers}}
  %r = scf.for %i = %c0 to %m step %c1 iter_args(%v = %a) -> tensor<16384xf32> {
    %y = linalg.exp ins(%v : tensor<16384xf32>) outs(%e : tensor<16384xf32>) -> tensor<16384xf32>
    scf.yield %y : tensor<16384xf32>
  }
  return %r : tensor<16384xf32>
}

// -----

func.func @computed_scalar(%a: tensor<16384xf32>, %n: index, %z: f32) -> tensor<16384xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %e = tensor.empty() : tensor<16384xf32>
  // expected-warning @+1 {{the host cannot execute it: it carries a scalar that a kernel computes; carry a tensor of one element}}
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%v = %a, %s = %z) -> (tensor<16384xf32>, f32) {
    %y = linalg.exp ins(%v : tensor<16384xf32>) outs(%e : tensor<16384xf32>) -> tensor<16384xf32>
    %t = tensor.extract %y[%i] : tensor<16384xf32>
    scf.yield %y, %t : tensor<16384xf32>, f32
  }
  return %r#0 : tensor<16384xf32>
}

// -----

func.func @grows(%a: tensor<?xf32>, %n: index) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-warning @+1 {{the host cannot execute it: the tensors that it carries may have other extents in another iteration; begin each with a 'tensor.empty' of the extents of the carried one}}
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%v = %a) -> tensor<?xf32> {
    %p = tensor.concat dim(0) %v, %a : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
    %d = tensor.dim %p, %c0 : tensor<?xf32>
    %e = tensor.empty(%d) : tensor<?xf32>
    %y = linalg.exp ins(%p : tensor<?xf32>) outs(%e : tensor<?xf32>) -> tensor<?xf32>
    scf.yield %y : tensor<?xf32>
  }
  return %r : tensor<?xf32>
}

// -----

func.func @begins_unknown(%a: tensor<?xf32>, %n: index) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %d = tensor.dim %a, %c0 : tensor<?xf32>
  %e = tensor.empty(%d) : tensor<?xf32>
  %b = linalg.exp ins(%a : tensor<?xf32>) outs(%e : tensor<?xf32>) -> tensor<?xf32>
  // expected-warning @+1 {{the host cannot execute it: it begins with a tensor of dynamic extents that is no argument; make it one}}
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%v = %b) -> tensor<?xf32> {
    %y = linalg.exp ins(%v : tensor<?xf32>) outs(%e : tensor<?xf32>) -> tensor<?xf32>
    scf.yield %y : tensor<?xf32>
  }
  return %r : tensor<?xf32>
}

// -----

func.func @needed_later(%a: tensor<?xf32>, %x: tensor<16384xf32>, %n: index) -> (tensor<16384xf32>, tensor<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %d = tensor.dim %a, %c0 : tensor<?xf32>
  %e = tensor.empty(%d) : tensor<?xf32>
  // expected-note @+1 {{the other op}}
  %b = linalg.exp ins(%a : tensor<?xf32>) outs(%e : tensor<?xf32>) -> tensor<?xf32>
  %f = tensor.empty() : tensor<16384xf32>
  // expected-warning @+1 {{the host cannot execute it: for another op, it has a result of dynamic extents that another kernel reads; give it static ones}}
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%v = %x) -> tensor<16384xf32> {
    %p = tensor.extract %b[%i] : tensor<?xf32>
    %g = linalg.fill ins(%p : f32) outs(%f : tensor<16384xf32>) -> tensor<16384xf32>
    %y = linalg.add ins(%v, %g : tensor<16384xf32>, tensor<16384xf32>) outs(%f : tensor<16384xf32>) -> tensor<16384xf32>
    scf.yield %y : tensor<16384xf32>
  }
  %s = linalg.square ins(%b : tensor<?xf32>) outs(%e : tensor<?xf32>) -> tensor<?xf32>
  return %r, %s : tensor<16384xf32>, tensor<?xf32>
}

// -----

func.func @data_decides(%a: tensor<16384xf32>) -> tensor<16384xf32> {
  %c0 = arith.constant 0 : index
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<16384xf32>
  %x = tensor.extract %a[%c0] : tensor<16384xf32>
  %c = arith.cmpf ogt, %x, %z : f32
  // expected-warning @+1 {{'scf.if' of 'data_decides' has more to do than one workgroup should, and the host cannot execute it: its condition depends on what a kernel computes; pass it as an argument, or compute both sides and select}}
  %r = scf.if %c -> tensor<16384xf32> {
    %y = linalg.exp ins(%a : tensor<16384xf32>) outs(%e : tensor<16384xf32>) -> tensor<16384xf32>
    scf.yield %y : tensor<16384xf32>
  } else {
    scf.yield %a : tensor<16384xf32>
  }
  return %r : tensor<16384xf32>
}

// -----

func.func @unknown_result(%a: tensor<?xf32>, %c: i1) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %d = tensor.dim %a, %c0 : tensor<?xf32>
  %e = tensor.empty(%d) : tensor<?xf32>
  // expected-warning @+1 {{the host cannot execute it: its results have dynamic extents; give them static ones}}
  %r = scf.if %c -> tensor<?xf32> {
    %y = linalg.exp ins(%a : tensor<?xf32>) outs(%e : tensor<?xf32>) -> tensor<?xf32>
    scf.yield %y : tensor<?xf32>
  } else {
    scf.yield %a : tensor<?xf32>
  }
  return %r : tensor<?xf32>
}

// -----

func.func @scalar_result(%a: tensor<16384xf32>, %c: i1) -> (tensor<16384xf32>) {
  %c0 = arith.constant 0 : index
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<16384xf32>
  // expected-warning @+1 {{the host cannot execute it: it has a scalar result that a kernel computes; make it a tensor of one element}}
  %r:2 = scf.if %c -> (tensor<16384xf32>, f32) {
    %y = linalg.exp ins(%a : tensor<16384xf32>) outs(%e : tensor<16384xf32>) -> tensor<16384xf32>
    %x = tensor.extract %y[%c0] : tensor<16384xf32>
    scf.yield %y, %x : tensor<16384xf32>, f32
  } else {
    scf.yield %a, %z : tensor<16384xf32>, f32
  }
  %f = linalg.fill ins(%r#1 : f32) outs(%e : tensor<16384xf32>) -> tensor<16384xf32>
  %s = linalg.add ins(%r#0, %f : tensor<16384xf32>, tensor<16384xf32>) outs(%e : tensor<16384xf32>) -> tensor<16384xf32>
  return %s : tensor<16384xf32>
}

// -----

func.func @overwritten_before(%m: memref<16384xf32>, %o: memref<16384xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = bufferization.to_tensor %m restrict writable : memref<16384xf32> to tensor<16384xf32>
  %e = tensor.empty() : tensor<16384xf32>
  %b = linalg.exp ins(%a : tensor<16384xf32>) outs(%e : tensor<16384xf32>) -> tensor<16384xf32>
  bufferization.materialize_in_destination %b in restrict writable %m : (tensor<16384xf32>, memref<16384xf32>) -> ()
  // expected-warning @+1 {{the host cannot execute it: memory that the function reads, too, is overwritten before it; store the results behind it}}
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%v = %b) -> tensor<16384xf32> {
    %y = linalg.exp ins(%v : tensor<16384xf32>) outs(%e : tensor<16384xf32>) -> tensor<16384xf32>
    scf.yield %y : tensor<16384xf32>
  }
  bufferization.materialize_in_destination %r in restrict writable %o : (tensor<16384xf32>, memref<16384xf32>) -> ()
  return
}
