// Nothing fits: each reason once.
// RUN: not memspace-opt %s -memspace-fit-to-budget="chip=gfx942 private-limit=1 workgroup-limit=1" 2>&1 | FileCheck %s
// CHECK: :[[#@LINE+18]]:8: error: none of {{[0-9]+}} configurations of 'rows' fits gfx942; fuse less into it, or tile it yourself
// CHECK: note: threads=64 block=1: {{.*}}bytes of workgroup memory{{.*}}1
// CHECK-NOT: error:

#ij = affine_map<(i, j) -> (i, j)>
#i = affine_map<(i, j) -> (i)>
func.func @rows(%x: memref<32x256xf32>, %out: memref<32x256xf32>) {
  %t = bufferization.to_tensor %x restrict : memref<32x256xf32> to tensor<32x256xf32>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<32xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<32xf32>) -> tensor<32xf32>
  %s = linalg.generic {indexing_maps = [#ij, #i], iterator_types = ["parallel", "reduction"]}
      ins(%t : tensor<32x256xf32>) outs(%f : tensor<32xf32>) {
  ^bb0(%a: f32, %o: f32):
    %u = arith.addf %a, %o : f32
    linalg.yield %u : f32
  } -> tensor<32xf32>
  %g = tensor.empty() : tensor<32x256xf32>
  %r = linalg.generic {indexing_maps = [#ij, #i, #ij], iterator_types = ["parallel", "parallel"]}
      ins(%t, %s : tensor<32x256xf32>, tensor<32xf32>) outs(%g : tensor<32x256xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %u = arith.divf %a, %b : f32
    linalg.yield %u : f32
  } -> tensor<32x256xf32>
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<32x256xf32>, memref<32x256xf32>) -> ()
  return
}
