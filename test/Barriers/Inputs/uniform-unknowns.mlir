// chip: gfx942
// minimum: 0
// Each thread comes back to the place that it has written, wherever numbers that are
// not known have moved all of them.

func.func @uniform_unknowns(%in: memref<512xf32>, %out: memref<512xf32>, %k: i32) attributes {gpu.known_block_size = array<i32: 256, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c5 = arith.constant 5 : index
  %c8 = arith.constant 8 : index
  %c9 = arith.constant 9 : index
  %c255 = arith.constant 255 : index
  %c256 = arith.constant 256 : index
  %x = gpu.thread_id x
  %f0 = arith.constant 0.0 : f32
  %m = arith.constant 255 : i32
  %s = memref.alloc() : memref<256xf32, #gpu.address_space<workgroup>>
  %v = memref.load %in[%x] : memref<512xf32>
  %xi = arith.index_cast %x : index to i32
  %a = arith.addi %xi, %k : i32
  %b = arith.andi %a, %m : i32
  %flip = arith.andi %k, %m : i32
  %c = arith.xori %b, %flip : i32
  %p = arith.index_cast %c : i32 to index
  memref.store %v, %s[%p] : memref<256xf32, #gpu.address_space<workgroup>>
  %l = memref.load %s[%p] : memref<256xf32, #gpu.address_space<workgroup>>
  memref.store %l, %out[%x] : memref<512xf32>
  return
}
