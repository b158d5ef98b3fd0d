// chip: gfx942
// minimum: 24
// guarded: 5
// A tree sum in a loop.
func.func @tree_outer(%in: memref<1024xf32>, %out: memref<1024xf32>) attributes {gpu.known_block_size = array<i32: 128, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c8 = arith.constant 8 : index
  %c128 = arith.constant 128 : index
  %x = gpu.thread_id x
  %s = memref.alloc() : memref<256xf32, #gpu.address_space<workgroup>>
  %ix0 = arith.addi %x, %c0 : index
  %v0 = memref.load %in[%ix0] : memref<1024xf32>
  memref.store %v0, %s[%ix0] : memref<256xf32, #gpu.address_space<workgroup>>
  %ix1 = arith.addi %x, %c128 : index
  %v1 = memref.load %in[%ix1] : memref<1024xf32>
  memref.store %v1, %s[%ix1] : memref<256xf32, #gpu.address_space<workgroup>>
  scf.for %oo = %c0 to %c3 step %c1 {
  %rr = scf.for %i = %c0 to %c8 step %c1 iter_args(%st = %c128) -> index {
  %lt = arith.cmpi ult, %x, %st : index
  scf.if %lt {
  %o = arith.addi %x, %st : index
  %la = memref.load %s[%x] : memref<256xf32, #gpu.address_space<workgroup>>
  %lb = memref.load %s[%o] : memref<256xf32, #gpu.address_space<workgroup>>
  %sum = arith.addf %la, %lb : f32
  memref.store %sum, %s[%x] : memref<256xf32, #gpu.address_space<workgroup>>
  }
  %nx = arith.shrui %st, %c1 : index
  scf.yield %nx : index
  }
  }
  %is0 = arith.cmpi eq, %x, %c0 : index
  scf.if %is0 {
    %r = memref.load %s[%c0] : memref<256xf32, #gpu.address_space<workgroup>>
    memref.store %r, %out[%c0] : memref<1024xf32>
  }
  return
}
