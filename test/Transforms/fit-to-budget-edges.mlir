// Tiles at an edge, which may be smaller than the others, are computed whole: the
// operands have the elements at the edge again behind it, each thread has its elements in
// registers, and stores those of them that there are.
// RUN: memspace-opt %s -memspace-form-kernels=chip=gfx942 -memspace-fit-to-budget="chip=gfx942 configuration='threads=64 block=16x32 reduction=32 promote stages=2'" -o %t.tiled
// RUN: FileCheck %s --input-file=%t.tiled
// RUN: memspace-opt %t.tiled -memspace-kernel-pipeline="chip=gfx942 may-hazards=error" | FileCheck %s --check-prefix=KERNEL

// CHECK-LABEL: func.func @rows
// CHECK: scf.forall (%[[I:.*]], %{{.*}}) = (0, 0) to (%{{.*}}, 64) step (16, 32)
// CHECK:   %[[M:.*]] = affine.min
// CHECK:   linalg.fill {{.*}} -> tensor<16x32xf32>
// CHECK:   %[[EDGE:.*]] = arith.subi %[[M]], %c1
// CHECK:   scf.for {{.*}} -> (tensor<16x32xf32>, tensor<2x16x32xf16>, tensor<2x32x32xf16>)
// CHECK:     linalg.generic
// CHECK:       arith.minsi %{{.*}}, %[[EDGE]]
// CHECK:       tensor.extract
// CHECK:     linalg.matmul {{.*}} -> tensor<2x4xf32>
// CHECK:   scf.forall (%[[TI:.*]], %[[TJ:.*]]) = (0, 0) to (16, 32) step (2, 4)
// CHECK:     %[[AT:.*]] = affine.min
// CHECK:     %[[LEFT:.*]] = affine.min
// CHECK:     tensor.extract_slice %{{.*}}[%[[TI]], %[[TJ]]] [%[[LEFT]], 4]
// CHECK:       tensor.parallel_insert_slice %{{.*}} into %{{.*}}[%[[AT]], %[[TJ]]] [%[[LEFT]], 4]

// One barrier for each part of the reduction, and 32 private bytes.
// KERNEL-LABEL: func.func @rows
// KERNEL-SAME: memspace.private_bytes = 32
// KERNEL-SAME: memspace.workgroup_bytes = 6144
// KERNEL: memref.alloca() {{.*}}memref<2x4xf32
// KERNEL: scf.for %{{.*}} = %c0 to %c96 step %c32
// KERNEL:   gpu.barrier
// KERNEL-NOT: gpu.barrier
// KERNEL: return
func.func @rows(%a: tensor<?x96xf16>, %b: tensor<96x64xf16>) -> tensor<?x64xf32> {
  %c0 = arith.constant 0 : index
  %z = arith.constant 0.0 : f32
  %d = tensor.dim %a, %c0 : tensor<?x96xf16>
  %e = tensor.empty(%d) : tensor<?x64xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<?x64xf32>) -> tensor<?x64xf32>
  %c = linalg.matmul ins(%a, %b : tensor<?x96xf16>, tensor<96x64xf16>) outs(%f : tensor<?x64xf32>) -> tensor<?x64xf32>
  return %c : tensor<?x64xf32>
}

// What is computed for each element comes along; of a constant extent the edge is known
// only to the last workgroup, too.
// CHECK-LABEL: func.func @bias
// CHECK: linalg.matmul
// CHECK: linalg.generic {{.*}} ins(%{{.*}} : tensor<16x32xf32>) outs(%{{.*}} : tensor<16x32xf32>)
// CHECK:   tensor.extract
// CHECK:   arith.addf
// CHECK: scf.forall (%{{.*}}, %{{.*}}) = (0, 0) to (16, 32) step (2, 4)
// KERNEL-LABEL: func.func @bias
// KERNEL-SAME: memspace.private_bytes = 64
// KERNEL-SAME: memspace.workgroup_bytes = 12288
func.func @bias(%a: tensor<70x96xf32>, %b: tensor<96x50xf32>, %v: tensor<50xf32>) -> tensor<70x50xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<70x50xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<70x50xf32>) -> tensor<70x50xf32>
  %c = linalg.matmul ins(%a, %b : tensor<70x96xf32>, tensor<96x50xf32>) outs(%f : tensor<70x50xf32>) -> tensor<70x50xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%c, %v : tensor<70x50xf32>, tensor<50xf32>) outs(%e : tensor<70x50xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %s = arith.addf %x, %y : f32
    linalg.yield %s : f32
  } -> tensor<70x50xf32>
  return %r : tensor<70x50xf32>
}
