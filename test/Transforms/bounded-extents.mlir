// A promised bound of an extent is a bound of what is allocated.
// RUN: memspace-opt %s -memspace-kernel-pipeline=chip=gfx942 | FileCheck %s
// RUN: sed 's/max = 64/multiple_of = 64/' %s | not memspace-opt -memspace-kernel-pipeline=chip=gfx942 2>&1 | FileCheck %s --check-prefix=UNBOUNDED

// 64 rows of 4 f32 are 1024 bytes.
// CHECK: memref.alloc() {{.*}} memref<1024xi8, #gpu.address_space<workgroup>>
// UNBOUNDED: must be workgroup memory, but an extent has no constant upper bound
func.func @reversed_rows(%a: memref<?x4xf32> {memspace.bounds = [{max = 64}, {}]}, %o: memref<?x4xf32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %c0 = arith.constant 0 : index
  %n = memref.dim %a, %c0 : memref<?x4xf32>
  %t = bufferization.to_tensor %a restrict : memref<?x4xf32> to tensor<?x4xf32>
  %e = tensor.empty(%n) : tensor<?x4xf32>
  %x = linalg.exp ins(%t : tensor<?x4xf32>) outs(%e : tensor<?x4xf32>) -> tensor<?x4xf32>
  %e2 = tensor.empty(%n) : tensor<?x4xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i,j)->(i,j)>], iterator_types = ["parallel","parallel"]} outs(%e2 : tensor<?x4xf32>) {
   ^bb0(%q: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %c1 = arith.constant 1 : index
    %c = arith.subi %n, %i : index
    %d = arith.subi %c, %c1 : index
    %v = tensor.extract %x[%d, %j] : tensor<?x4xf32>
    linalg.yield %v : f32
  } -> tensor<?x4xf32>
  bufferization.materialize_in_destination %r in restrict writable %o : (tensor<?x4xf32>, memref<?x4xf32>) -> ()
  return
}
