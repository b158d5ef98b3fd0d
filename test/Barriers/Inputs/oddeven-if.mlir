// chip: gfx942
// minimum: 10
// An odd-even sort, the phase by an if.
func.func @oddeven_if(%in: memref<1024xf32>, %out: memref<1024xf32>) attributes {gpu.known_block_size = array<i32: 128, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c9 = arith.constant 9 : index
  %c256 = arith.constant 256 : index
  %x = gpu.thread_id x
  %s = memref.alloc() : memref<256xf32, #gpu.address_space<workgroup>>
  %x2 = arith.muli %x, %c2 : index
  %x21 = arith.addi %x2, %c1 : index
  %v = memref.load %in[%x2] : memref<1024xf32>
  %v2 = memref.load %in[%x21] : memref<1024xf32>
  memref.store %v, %s[%x2] : memref<256xf32, #gpu.address_space<workgroup>>
  memref.store %v2, %s[%x21] : memref<256xf32, #gpu.address_space<workgroup>>
  %r = scf.for %i = %c0 to %c9 step %c1 iter_args(%p = %c1) -> index {
  %i0 = arith.addi %x2, %p : index
  %i1 = arith.addi %i0, %c1 : index
  %ok = arith.cmpi ult, %i1, %c256 : index
  scf.if %ok {
    %a = memref.load %s[%i0] : memref<256xf32, #gpu.address_space<workgroup>>
    %b = memref.load %s[%i1] : memref<256xf32, #gpu.address_space<workgroup>>
    %g = arith.cmpf ogt, %a, %b : f32
    scf.if %g {
      memref.store %b, %s[%i0] : memref<256xf32, #gpu.address_space<workgroup>>
      memref.store %a, %s[%i1] : memref<256xf32, #gpu.address_space<workgroup>>
    }
  }
  %e = arith.cmpi eq, %p, %c0 : index
  %np = scf.if %e -> index { scf.yield %c1 : index } else { scf.yield %c0 : index }
  scf.yield %np : index
  }
  %o = memref.load %s[%x2] : memref<256xf32, #gpu.address_space<workgroup>>
  %o2 = memref.load %s[%x21] : memref<256xf32, #gpu.address_space<workgroup>>
  memref.store %o, %out[%x2] : memref<1024xf32>
  memref.store %o2, %out[%x21] : memref<1024xf32>
  return
}
