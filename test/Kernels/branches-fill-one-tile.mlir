// RUN: %python %S/run.py %s
// RUN: memspace-opt %s -memspace-kernel-pipeline=chip=gfx942 | FileCheck %s
// One of three branches is executed, and fills the one tile that there is.
// EXPECT workgroup_bytes=256 sum_bytes=256 peak_live_bytes=256 private_bytes=0 executed=1
// INPUT a2 = np.array([0, 1], np.int8).astype(bool)
// RESULT a1 = a0[::-1] + 2
func.func @branches_fill_one_tile(%x: memref<64xi32>, %out: memref<64xi32>, %c: memref<2xi1>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  // CHECK: memref.alloc() {{.*}} "arena of 1 workgroup buffer"} : memref<256xi8
  // CHECK: %[[TILE:.*]] = memref.view
  // CHECK-NOT: memref.view
  // CHECK: scf.if %{{[^ ]*}} {
  // CHECK: memref.load %[[TILE]][
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %i1 = arith.constant 1 : i32
  %i2 = arith.constant 2 : i32
  %i3 = arith.constant 3 : i32
  %xt = bufferization.to_tensor %x restrict : memref<64xi32> to tensor<64xi32>
  %ct = bufferization.to_tensor %c restrict : memref<2xi1> to tensor<2xi1>
  %first = tensor.extract %ct[%c0] : tensor<2xi1>
  %second = tensor.extract %ct[%c1] : tensor<2xi1>
  %tile = scf.if %first -> (tensor<64xi32>) {
    %e = tensor.empty() : tensor<64xi32>
    %t = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%xt : tensor<64xi32>) outs(%e : tensor<64xi32>) {
    ^bb0(%v: i32, %o: i32):
      %w = arith.addi %v, %i1 : i32
      linalg.yield %w : i32
    } -> tensor<64xi32>
    scf.yield %t : tensor<64xi32>
  } else {
    %inner = scf.if %second -> (tensor<64xi32>) {
      %e = tensor.empty() : tensor<64xi32>
      %t = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%xt : tensor<64xi32>) outs(%e : tensor<64xi32>) {
      ^bb0(%v: i32, %o: i32):
        %w = arith.addi %v, %i2 : i32
        linalg.yield %w : i32
      } -> tensor<64xi32>
      scf.yield %t : tensor<64xi32>
    } else {
      %e = tensor.empty() : tensor<64xi32>
      %t = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%xt : tensor<64xi32>) outs(%e : tensor<64xi32>) {
      ^bb0(%v: i32, %o: i32):
        %w = arith.addi %v, %i3 : i32
        linalg.yield %w : i32
      } -> tensor<64xi32>
      scf.yield %t : tensor<64xi32>
    }
    scf.yield %inner : tensor<64xi32>
  }
  %f = tensor.empty() : tensor<64xi32>
  %r = linalg.generic {indexing_maps = [affine_map<(d0) -> (63 - d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%tile : tensor<64xi32>) outs(%f : tensor<64xi32>) {
  ^bb0(%v: i32, %o: i32):
    linalg.yield %v : i32
  } -> tensor<64xi32>
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<64xi32>, memref<64xi32>) -> ()
  return
}
