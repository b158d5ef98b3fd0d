// chip: gfx942
// minimum: 8
// guarded: 7
// An FFT by Stockham: two buffers, a span that doubles.
func.func @stockham(%in: memref<1024xf32>, %out: memref<1024xf32>) attributes {gpu.known_block_size = array<i32: 128, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c8 = arith.constant 8 : index
  %c128 = arith.constant 128 : index
  %x = gpu.thread_id x
  %s = memref.alloc() : memref<256xf32, #gpu.address_space<workgroup>>
  %t = memref.alloc() : memref<256xf32, #gpu.address_space<workgroup>>
  %xn = arith.addi %x, %c128 : index
  %v = memref.load %in[%x] : memref<1024xf32>
  %v2 = memref.load %in[%xn] : memref<1024xf32>
  memref.store %v, %s[%x] : memref<256xf32, #gpu.address_space<workgroup>>
  memref.store %v2, %s[%xn] : memref<256xf32, #gpu.address_space<workgroup>>
  %r:3 = scf.for %i = %c0 to %c8 step %c1 iter_args(%h = %c1, %p = %s, %q = %t) -> (index, memref<256xf32, #gpu.address_space<workgroup>>, memref<256xf32, #gpu.address_space<workgroup>>) {
  %a = memref.load %p[%x] : memref<256xf32, #gpu.address_space<workgroup>>
  %b = memref.load %p[%xn] : memref<256xf32, #gpu.address_space<workgroup>>
  %pl = arith.addf %a, %b : f32
  %mi = arith.subf %a, %b : f32
  %k = arith.remui %x, %h : index
  %bl = arith.subi %x, %k : index
  %bl2 = arith.muli %bl, %c2 : index
  %lo = arith.addi %bl2, %k : index
  %hi = arith.addi %lo, %h : index
  memref.store %pl, %q[%lo] : memref<256xf32, #gpu.address_space<workgroup>>
  memref.store %mi, %q[%hi] : memref<256xf32, #gpu.address_space<workgroup>>
  %nh = arith.muli %h, %c2 : index
  scf.yield %nh, %q, %p : index, memref<256xf32, #gpu.address_space<workgroup>>, memref<256xf32, #gpu.address_space<workgroup>>
  }
  %o = memref.load %r#1[%x] : memref<256xf32, #gpu.address_space<workgroup>>
  memref.store %o, %out[%x] : memref<1024xf32>
  return
}
