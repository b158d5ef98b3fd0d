// Ops on memrefs in a loop or a branch stay what they are, and that is said at the
// op, whatever else is in the module.
// RUN: memspace-opt %s -memspace-form-kernels=chip=gfx942 -verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @in_loop(
// CHECK: scf.for
// CHECK: memspace.gather
func.func @in_loop(%x: memref<1000x64xf32>, %i: memref<10x80x1xi32>, %o: memref<10x80x64xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c10 = arith.constant 10 : index
  scf.for %k = %c0 to %c10 step %c1 {
    %ik = memref.subview %i[%k, 0, 0] [1, 80, 1] [1, 1, 1]
        : memref<10x80x1xi32> to memref<80x1xi32, strided<[1, 1], offset: ?>>
    %ok = memref.subview %o[%k, 0, 0] [1, 80, 64] [1, 1, 1]
        : memref<10x80x64xf32> to memref<80x64xf32, strided<[64, 1], offset: ?>>
    // expected-warning @+1 {{'memspace.gather' on memrefs is in 'scf.for' of 'in_loop', which does not become kernels: only ops on memrefs in a straight line do; use tensors, or call a function with the op}}
    memspace.gather gather_dims([0]) ins(%x, %ik : memref<1000x64xf32>, memref<80x1xi32, strided<[1, 1], offset: ?>>)
        outs(%ok : memref<80x64xf32, strided<[64, 1], offset: ?>>)
  }
  return
}

// Beside another op, too.
// CHECK-LABEL: func.func @in_branch(
// CHECK: linalg.exp
func.func @in_branch(%x: memref<64xf32> {memspace.noalias}, %y: memref<64xf32> {memspace.noalias}, %c: i1) {
  linalg.exp ins(%x : memref<64xf32>) outs(%y : memref<64xf32>)
  scf.if %c {
    // expected-warning @+1 {{'linalg.tanh' on memrefs is in 'scf.if' of 'in_branch', which does not become kernels}}
    linalg.tanh ins(%x : memref<64xf32>) outs(%y : memref<64xf32>)
  }
  return
}

// The way out.
// CHECK-LABEL: func.func @called(
// CHECK: tensor
func.func @called(%x: memref<64xf32> {memspace.noalias}, %y: memref<64xf32> {memspace.noalias}) {
  linalg.exp ins(%x : memref<64xf32>) outs(%y : memref<64xf32>)
  return
}

// Code of threads, and what is launched or mapped, is somebody's kernel.
func.func @mapped(%x: memref<64xf32>, %y: memref<64xf32>) {
  scf.forall (%i) in (64) {
    %a = memref.subview %x[%i] [1] [1] : memref<64xf32> to memref<1xf32, strided<[1], offset: ?>>
    %b = memref.subview %y[%i] [1] [1] : memref<64xf32> to memref<1xf32, strided<[1], offset: ?>>
    linalg.exp ins(%a : memref<1xf32, strided<[1], offset: ?>>) outs(%b : memref<1xf32, strided<[1], offset: ?>>)
  } {mapping = [#gpu.thread<x>]}
  return
}
