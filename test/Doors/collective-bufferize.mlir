// RUN: memspace-opt %s -memspace-bufferize=chip=gfx942 | FileCheck %s

// What the forall says of its collectives stays when these are gone, also where
// a pass in between has made the forall anew: nothing is promised of the tile.
// CHECK: memref.alloc
// CHECK: scf.forall
// CHECK-NOT: collective
// CHECK: } {mapping = [#gpu.thread<x>], memspace.collective}
func.func @k(%v: f32, %out: memref<64xf32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %c0 = arith.constant 0 : index
  %tile = bufferization.alloc_tensor() {memory_space = #gpu.address_space<workgroup>} : tensor<64xf32>
  scf.forall (%t) in (64) {
    %part = memspace.begin_collective %tile : tensor<64xf32>
    %i = tensor.insert %v into %part[%t] : tensor<64xf32>
    %all = memspace.end_collective %i : tensor<64xf32>
    %a = tensor.extract %all[%c0] : tensor<64xf32>
    memref.store %a, %out[%t] : memref<64xf32>
  } {mapping = [#gpu.thread<x>]}
  return
}
