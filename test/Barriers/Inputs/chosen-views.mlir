// chip: gfx942
// minimum: 1
// A choice between two halves of a buffer by an argument is one memref in all threads.

func.func @chosen_views(%in: memref<512xf32>, %out: memref<512xf32>, %c: i1) attributes {gpu.known_block_size = array<i32: 256, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
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
  %s = memref.alloc() : memref<512xf32, #gpu.address_space<workgroup>>
  %v = memref.load %in[%x] : memref<512xf32>
  %rv = arith.subi %c255, %x : index
  %at = scf.if %c -> (index) {
    scf.yield %c0 : index
  } else {
    scf.yield %c256 : index
  }
  %view = memref.subview %s[%at] [256] [1] : memref<512xf32, #gpu.address_space<workgroup>> to memref<256xf32, strided<[1], offset: ?>, #gpu.address_space<workgroup>>
  memref.store %v, %view[%x] : memref<256xf32, strided<[1], offset: ?>, #gpu.address_space<workgroup>>
  %l = memref.load %view[%rv] : memref<256xf32, strided<[1], offset: ?>, #gpu.address_space<workgroup>>
  memref.store %l, %out[%x] : memref<512xf32>
  return
}
