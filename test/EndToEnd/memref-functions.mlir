// Functions of linalg ops on memrefs, outputs updated in place: the kernels compute what
// the ops do one after the other.
// RUN: rm -rf %t && mkdir %t
// RUN: memspace-opt %s -convert-linalg-to-loops -o %t/loops.mlir
// RUN: memspace-opt %s -memspace-compile-pipeline=chip=gfx942 -o %t/gfx942.mlir
// RUN: memspace-opt %s -memspace-compile-pipeline=chip=sm_90 -o %t/sm_90.mlir
// RUN: FileCheck %s --input-file=%t/gfx942.mlir

// DEFINE: %{function} =
// DEFINE: %{args} =
// DEFINE: %{out} =
// DEFINE: %{run} = \
// DEFINE: memspace-runner %t/loops.mlir --kernel=%{function} --allow-heap --block=1 --grid=1 %{args} --out=%{out}:%t/loops.npy && \
// DEFINE: memspace-runner %t/gfx942.mlir --kernel=%{function} --chip=gfx942 %{args} --out=%{out}:%t/gfx942.npy && \
// DEFINE: %python %S/Inputs/close.py %t/loops.npy %t/gfx942.npy && \
// DEFINE: memspace-runner %t/sm_90.mlir --kernel=%{function} --chip=sm_90 %{args} --out=%{out}:%t/sm_90.npy && \
// DEFINE: %python %S/Inputs/close.py %t/loops.npy %t/sm_90.npy

#ij = affine_map<(i, j) -> (i, j)>
#i = affine_map<(i, j) -> (i)>
#j = affine_map<(i, j) -> (j)>

// REDEFINE: %{function} = add_to_part
// REDEFINE: %{args} = --arg=0:random:1 --arg=1:random:2 --arg=2:random:3 --arg=3:random:4
// REDEFINE: %{out} = 3
// RUN: %{run}
func.func @add_to_part(%a: memref<64x32xf32> {memspace.noalias}, %b: memref<32x44xf32> {memspace.noalias},
                       %bias: memref<44xf32> {memspace.noalias}, %out: memref<96x44xf32> {memspace.noalias}) {
  %part = memref.subview %out[16, 0] [64, 44] [1, 1] : memref<96x44xf32> to memref<64x44xf32, strided<[44, 1], offset: 704>>
  linalg.matmul ins(%a, %b : memref<64x32xf32>, memref<32x44xf32>)
      outs(%part : memref<64x44xf32, strided<[44, 1], offset: 704>>)
  linalg.generic {indexing_maps = [#j, #ij], iterator_types = ["parallel", "parallel"]}
      ins(%bias : memref<44xf32>) outs(%part : memref<64x44xf32, strided<[44, 1], offset: 704>>) {
  ^bb0(%x: f32, %o: f32):
    %s = arith.addf %x, %o : f32
    linalg.yield %s : f32
  }
  return
}

// Parts that do not overlap.
// REDEFINE: %{function} = both_halves
// REDEFINE: %{args} = --arg=0:random:1 --arg=1:random:2
// REDEFINE: %{out} = 1
// RUN: %{run}
func.func @both_halves(%x: memref<32x50xf32> {memspace.noalias}, %a: memref<64x50xf32> {memspace.noalias}) {
  %top = memref.subview %a[0, 0] [32, 50] [1, 1] : memref<64x50xf32> to memref<32x50xf32, strided<[50, 1]>>
  %bottom = memref.subview %a[32, 0] [32, 50] [1, 1] : memref<64x50xf32> to memref<32x50xf32, strided<[50, 1], offset: 1600>>
  linalg.generic {indexing_maps = [#ij, #ij, #ij], iterator_types = ["parallel", "parallel"]}
      ins(%x : memref<32x50xf32>)
      outs(%top, %bottom : memref<32x50xf32, strided<[50, 1]>>, memref<32x50xf32, strided<[50, 1], offset: 1600>>) {
  ^bb0(%v: f32, %o: f32, %p: f32):
    %e = math.exp %v : f32
    %n = arith.negf %v : f32
    linalg.yield %e, %n : f32, f32
  }
  return
}

// REDEFINE: %{function} = relu_in_place
// REDEFINE: %{args} = --arg=0:random:1
// REDEFINE: %{out} = 0
// RUN: %{run}
// CHECK-LABEL: func.func @relu_in_place(
// CHECK-NOT: memref.dealloc
func.func @relu_in_place(%a: memref<64x50xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.generic {indexing_maps = [#ij, #ij], iterator_types = ["parallel", "parallel"]}
      ins(%a : memref<64x50xf32>) outs(%a : memref<64x50xf32>) {
  ^bb0(%x: f32, %o: f32):
    %m = arith.maximumf %x, %zero : f32
    linalg.yield %m : f32
  }
  return
}

// REDEFINE: %{function} = softmax
// REDEFINE: %{args} = --arg=0:random:1 --arg=1:random:5
// REDEFINE: %{out} = 1
// RUN: %{run}
// CHECK-LABEL: func.func @softmax(
// CHECK-NOT: memref.dealloc
// CHECK-NOT: func.func
func.func @softmax(%x: memref<33x70xf32>, %y: memref<33x70xf32> {llvm.noalias}) {
  %ninf = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0.0 : f32
  %m = memref.alloc() : memref<33xf32>
  %s = memref.alloc() : memref<33xf32>
  %e = memref.alloc() : memref<33x70xf32>
  linalg.fill ins(%ninf : f32) outs(%m : memref<33xf32>)
  linalg.generic {indexing_maps = [#ij, #i], iterator_types = ["parallel", "reduction"]}
      ins(%x : memref<33x70xf32>) outs(%m : memref<33xf32>) {
  ^bb0(%a: f32, %o: f32):
    %r = arith.maximumf %a, %o : f32
    linalg.yield %r : f32
  }
  linalg.generic {indexing_maps = [#ij, #i, #ij], iterator_types = ["parallel", "parallel"]}
      ins(%x, %m : memref<33x70xf32>, memref<33xf32>) outs(%e : memref<33x70xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %d = arith.subf %a, %b : f32
    %r = math.exp %d : f32
    linalg.yield %r : f32
  }
  linalg.fill ins(%zero : f32) outs(%s : memref<33xf32>)
  linalg.generic {indexing_maps = [#ij, #i], iterator_types = ["parallel", "reduction"]}
      ins(%e : memref<33x70xf32>) outs(%s : memref<33xf32>) {
  ^bb0(%a: f32, %o: f32):
    %r = arith.addf %a, %o : f32
    linalg.yield %r : f32
  }
  linalg.generic {indexing_maps = [#ij, #i, #ij], iterator_types = ["parallel", "parallel"]}
      ins(%e, %s : memref<33x70xf32>, memref<33xf32>) outs(%y : memref<33x70xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %r = arith.divf %a, %b : f32
    linalg.yield %r : f32
  }
  memref.dealloc %m : memref<33xf32>
  memref.dealloc %s : memref<33xf32>
  memref.dealloc %e : memref<33x70xf32>
  return
}
