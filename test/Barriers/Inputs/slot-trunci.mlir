// chip: gfx942
// minimum: 4
func.func @iv_trunc(%in: memref<1024xf32>, %out: memref<1024xf32>, %n: index) attributes {gpu.known_block_size = array<i32: 128, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c127 = arith.constant 127 : index
  %x = gpu.thread_id x
  %f0 = arith.constant 0.0 : f32
  %f1 = arith.constant 1.0 : f32
  %s = memref.alloc() : memref<2x128xf32, #gpu.address_space<workgroup>>
  %rx = arith.subi %c127, %x : index
  %v = memref.load %in[%x] : memref<1024xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %v) -> f32 {
  %c = arith.index_cast %i : index to i32
  %t = arith.trunci %c : i32 to i1
  %sl = arith.select %t, %c1, %c0 : index
  memref.store %a, %s[%sl, %x] : memref<2x128xf32, #gpu.address_space<workgroup>>
  %l = memref.load %s[%sl, %rx] : memref<2x128xf32, #gpu.address_space<workgroup>>
  scf.yield %l : f32
  }
  memref.store %r, %out[%x] : memref<1024xf32>
  return
}
