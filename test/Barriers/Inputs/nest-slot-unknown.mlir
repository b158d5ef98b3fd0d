// chip: gfx942
// minimum: 20
// guarded: 19
func.func @nest_jn(%in: memref<1024xf32>, %out: memref<1024xf32>, %n: index) attributes {gpu.known_block_size = array<i32: 128, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c127 = arith.constant 127 : index
  %x = gpu.thread_id x
  %f0 = arith.constant 0.0 : f32
  %f1 = arith.constant 1.0 : f32
  %s = memref.alloc() : memref<2x128xf32, #gpu.address_space<workgroup>>
  %rx = arith.subi %c127, %x : index
  %v = memref.load %in[%x] : memref<1024xf32>
  %r = scf.for %o = %c0 to %c4 step %c1 iter_args(%acc = %v) -> f32 {
    %r2 = scf.for %j = %c0 to %n step %c1 iter_args(%a1 = %acc) -> f32 {
      %sl = arith.andi %j, %c1 : index
      memref.store %a1, %s[%sl, %x] : memref<2x128xf32, #gpu.address_space<workgroup>>
      %b = memref.load %s[%sl, %rx] : memref<2x128xf32, #gpu.address_space<workgroup>>
      scf.yield %b : f32
    }
    scf.yield %r2 : f32
  }
  memref.store %r, %out[%x] : memref<1024xf32>
  return
}
