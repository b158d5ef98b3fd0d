// Denormal numbers are numbers, also where the host's own instructions make them zero.
// RUN: memspace-runner %s --arg=0:fill:2.7e-20 --out=1:%t.npy | FileCheck %s
// RUN: %python %S/Inputs/compare.py %t.npy '8 + 0 * i'
// CHECK: races: 0, divergent barriers: 0, out of bounds: 0, uninitialized reads: 0

func.func @square(%x: memref<4xbf16>, %out: memref<4xi16>) attributes {
    gpu.known_block_size = array<i32: 4, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %tid = gpu.thread_id x
  %a = memref.load %x[%tid] : memref<4xbf16>
  %square = arith.mulf %a, %a : bf16
  %bits = arith.bitcast %square : bf16 to i16
  memref.store %bits, %out[%tid] : memref<4xi16>
  return
}
