// A kernel that does not say its block size, but an option does: each pass may be the first.
// RUN: memspace-opt %s -memspace-distribute-to-threads="chip=gfx942 block-size=64,1,1" | FileCheck %s
// RUN: memspace-opt %s -memspace-infer-memory-spaces="chip=gfx942 block-size=64,1,1" | FileCheck %s

// CHECK: func.func @store
// CHECK-SAME: gpu.known_block_size = array<i32: 64, 1, 1>
func.func @store(%x: memref<64xi32>) {
  %v = arith.constant 1 : i32
  %t = gpu.thread_id x
  memref.store %v, %x[%t] : memref<64xi32>
  return
}
