// chip: gfx942
// minimum: 8
// A scan by Hillis and Steele between two slots by a phase bit.
func.func @hs_slot_xor(%in: memref<1024xf32>, %out: memref<1024xf32>) attributes {gpu.known_block_size = array<i32: 128, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c7 = arith.constant 7 : index
  %c127 = arith.constant 127 : index
  %x = gpu.thread_id x
  %s = memref.alloc() : memref<2x128xf32, #gpu.address_space<workgroup>>
  %v = memref.load %in[%x] : memref<1024xf32>
  memref.store %v, %s[%c0, %x] : memref<2x128xf32, #gpu.address_space<workgroup>>
  %r:2 = scf.for %i = %c0 to %c7 step %c1 iter_args(%d = %c1, %p = %c0) -> (index, index) {
  %np = arith.xori %p, %c1 : index
  %ge = arith.cmpi uge, %x, %d : index
  %l = memref.load %s[%p, %x] : memref<2x128xf32, #gpu.address_space<workgroup>>
  %w = scf.if %ge -> f32 {
    %xm = arith.subi %x, %d : index
    %l2 = memref.load %s[%p, %xm] : memref<2x128xf32, #gpu.address_space<workgroup>>
    %q = arith.addf %l, %l2 : f32
    scf.yield %q : f32
  } else {
    scf.yield %l : f32
  }
  memref.store %w, %s[%np, %x] : memref<2x128xf32, #gpu.address_space<workgroup>>
  %nd = arith.shli %d, %c1 : index
  scf.yield %nd, %np : index, index
  }
  %rx = arith.subi %c127, %x : index
  %o = memref.load %s[%r#1, %rx] : memref<2x128xf32, #gpu.address_space<workgroup>>
  memref.store %o, %out[%x] : memref<1024xf32>
  return
}
