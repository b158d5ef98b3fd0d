// The last iteration's tile is overwritten while others still read it.
#workgroup = #gpu.address_space<workgroup>
func.func @row_sums(%x: memref<8x64xf32>, %out: memref<64xf32>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %zero = arith.constant 0.0 : f32
  %t = gpu.thread_id x
  %mirror = affine.apply affine_map<(d0) -> (63 - d0)>(%t)
  %tile = memref.alloc() : memref<64xf32, #workgroup>
  %sum = scf.for %k = %c0 to %c8 step %c1 iter_args(%acc = %zero) -> f32 {
    %v = memref.load %x[%k, %t] : memref<8x64xf32>
    memref.store %v, %tile[%t] : memref<64xf32, #workgroup>
    gpu.barrier
    %w = memref.load %tile[%mirror] : memref<64xf32, #workgroup>
    %next = arith.addf %acc, %w : f32
    scf.yield %next : f32
  }
  memref.store %sum, %out[%t] : memref<64xf32>
  return
}
