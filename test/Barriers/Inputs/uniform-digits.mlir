// chip: gfx942
// minimum: 0
// Row and column are the digits of one number that an argument has moved.

func.func @uniform_digits(%in: memref<512xf32>, %out: memref<512xf32>, %k: i32) attributes {gpu.known_block_size = array<i32: 256, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %m = arith.constant 255 : i32
  %x = gpu.thread_id x
  %s = memref.alloc() : memref<16x16xf32, #gpu.address_space<workgroup>>
  %v = memref.load %in[%x] : memref<512xf32>
  %low = arith.andi %k, %m : i32
  %by = arith.index_cast %low : i32 to index
  %p = arith.xori %x, %by : index
  %row = affine.apply affine_map<(d0) -> (d0 floordiv 16)>(%p)
  %column = affine.apply affine_map<(d0) -> (d0 mod 16)>(%p)
  memref.store %v, %s[%row, %column] : memref<16x16xf32, #gpu.address_space<workgroup>>
  %r = affine.apply affine_map<(d0) -> (d0 floordiv 16)>(%p)
  %c = affine.apply affine_map<(d0) -> (d0 mod 16)>(%p)
  %u = memref.load %s[%r, %c] : memref<16x16xf32, #gpu.address_space<workgroup>>
  memref.store %u, %out[%x] : memref<512xf32>
  return
}
