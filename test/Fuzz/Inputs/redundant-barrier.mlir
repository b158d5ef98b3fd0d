// Each thread reads what another one has written.
func.func @kernel(%out: memref<64xf32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %buffer = memref.alloc() : memref<64xf32, #gpu.address_space<workgroup>>
  %last = arith.constant 63 : index
  %one = arith.constant 1.0 : f32
  %t = gpu.thread_id x
  %r = arith.subi %last, %t : index
  memref.store %one, %buffer[%t] : memref<64xf32, #gpu.address_space<workgroup>>
  gpu.barrier
  gpu.barrier
  %v = memref.load %buffer[%r] : memref<64xf32, #gpu.address_space<workgroup>>
  memref.store %v, %out[%t] : memref<64xf32>
  return
}
