// chip: gfx942
// minimum: 7
// An xor butterfly between two halves, exchanged as offsets.
func.func @bfly_while_swap(%in: memref<1024xf32>, %out: memref<1024xf32>) attributes {gpu.known_block_size = array<i32: 128, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %x = gpu.thread_id x
  %s = memref.alloc() : memref<256xf32, #gpu.address_space<workgroup>>
  %v = memref.load %in[%x] : memref<1024xf32>
  memref.store %v, %s[%x] : memref<256xf32, #gpu.address_space<workgroup>>
  %r:3 = scf.while (%m = %c64, %ra = %c0, %wa = %c128) : (index, index, index) -> (index, index, index) {
  %g = arith.cmpi ne, %m, %c0 : index
  scf.condition(%g) %m, %ra, %wa : index, index, index
  } do {
  ^bb0(%m: index, %ra: index, %wa: index):
  %p = arith.xori %x, %m : index
  %pp = arith.addi %p, %ra : index
  %xx = arith.addi %x, %ra : index
  %l = memref.load %s[%pp] : memref<256xf32, #gpu.address_space<workgroup>>
  %l2 = memref.load %s[%xx] : memref<256xf32, #gpu.address_space<workgroup>>
  %q = arith.addf %l2, %l : f32
  %w = arith.addi %x, %wa : index
  memref.store %q, %s[%w] : memref<256xf32, #gpu.address_space<workgroup>>
  %nm = arith.shrui %m, %c1 : index
  scf.yield %nm, %wa, %ra : index, index, index
  }
  %z = arith.addi %r#1, %x : index
  %o = memref.load %s[%z] : memref<256xf32, #gpu.address_space<workgroup>>
  memref.store %o, %out[%x] : memref<1024xf32>
  return
}
