// chip: gfx942
// minimum: 8
// A carried view, whose offset wraps.
func.func @view_carried_memref(%in: memref<1024xf32>, %out: memref<1024xf32>) attributes {gpu.known_block_size = array<i32: 128, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c8 = arith.constant 8 : index
  %c127 = arith.constant 127 : index
  %x = gpu.thread_id x
  %s = memref.alloc() : memref<3x128xf32, #gpu.address_space<workgroup>>
  %rx = arith.subi %c127, %x : index
  %v = memref.load %in[%x] : memref<1024xf32>
  %i0 = memref.subview %s[0, 0] [1, 128] [1, 1] : memref<3x128xf32, #gpu.address_space<workgroup>> to memref<128xf32, strided<[1]>, #gpu.address_space<workgroup>>
  %w0 = memref.cast %i0 : memref<128xf32, strided<[1]>, #gpu.address_space<workgroup>> to memref<128xf32, strided<[1], offset: ?>, #gpu.address_space<workgroup>>
  %r:3 = scf.for %i = %c0 to %c8 step %c1 iter_args(%a = %v, %o = %c1, %w = %w0) -> (f32, index, memref<128xf32, strided<[1], offset: ?>, #gpu.address_space<workgroup>>) {
  memref.store %a, %w[%x] : memref<128xf32, strided<[1], offset: ?>, #gpu.address_space<workgroup>>
  %l = memref.load %w[%rx] : memref<128xf32, strided<[1], offset: ?>, #gpu.address_space<workgroup>>
  %nw = memref.subview %s[%o, 0] [1, 128] [1, 1] : memref<3x128xf32, #gpu.address_space<workgroup>> to memref<128xf32, strided<[1], offset: ?>, #gpu.address_space<workgroup>>
  %q = arith.addi %o, %c1 : index
  %n = arith.remui %q, %c3 : index
  scf.yield %l, %n, %nw : f32, index, memref<128xf32, strided<[1], offset: ?>, #gpu.address_space<workgroup>>
  }
  memref.store %r#0, %out[%x] : memref<1024xf32>
  return
}
