// chip: gfx942
// minimum: 8
// An FFT in place, a span that doubles.
func.func @fft_double(%in: memref<1024xf32>, %out: memref<1024xf32>) attributes {gpu.known_block_size = array<i32: 128, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %c1 = arith.constant 1 : index
  %c128 = arith.constant 128 : index
  %c256 = arith.constant 256 : index
  %x = gpu.thread_id x
  %s = memref.alloc() : memref<256xf32, #gpu.address_space<workgroup>>
  %xn = arith.addi %x, %c128 : index
  %v = memref.load %in[%x] : memref<1024xf32>
  %v2 = memref.load %in[%xn] : memref<1024xf32>
  memref.store %v, %s[%x] : memref<256xf32, #gpu.address_space<workgroup>>
  memref.store %v2, %s[%xn] : memref<256xf32, #gpu.address_space<workgroup>>
  %r = scf.while (%h = %c1) : (index) -> index {
  %g = arith.cmpi ult, %h, %c256 : index
  scf.condition(%g) %h : index
  } do {
  ^bb0(%h: index):
  %m = arith.subi %h, %c1 : index
  %off = arith.andi %x, %m : index
  %bl = arith.subi %x, %off : index
  %bl2 = arith.shli %bl, %c1 : index
  %lo = arith.ori %bl2, %off : index
  %hi = arith.addi %lo, %h : index
  %a = memref.load %s[%lo] : memref<256xf32, #gpu.address_space<workgroup>>
  %b = memref.load %s[%hi] : memref<256xf32, #gpu.address_space<workgroup>>
  %pl = arith.addf %a, %b : f32
  %mi = arith.subf %a, %b : f32
  memref.store %pl, %s[%lo] : memref<256xf32, #gpu.address_space<workgroup>>
  memref.store %mi, %s[%hi] : memref<256xf32, #gpu.address_space<workgroup>>
  %nh = arith.shli %h, %c1 : index
  scf.yield %nh : index
  }
  %o = memref.load %s[%x] : memref<256xf32, #gpu.address_space<workgroup>>
  %o2 = memref.load %s[%xn] : memref<256xf32, #gpu.address_space<workgroup>>
  memref.store %o, %out[%x] : memref<1024xf32>
  memref.store %o2, %out[%xn] : memref<1024xf32>
  return
}
