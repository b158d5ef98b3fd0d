// chip: gfx942
// minimum: 4
func.func @aff4p1_while_n(%in: memref<1024xf32>, %out: memref<1024xf32>, %n: index) attributes {gpu.known_block_size = array<i32: 128, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c127 = arith.constant 127 : index
  %x = gpu.thread_id x
  %f0 = arith.constant 0.0 : f32
  %s = memref.alloc() : memref<4x128xf32, #gpu.address_space<workgroup>>
  %rx = arith.subi %c127, %x : index
  %v = memref.load %in[%x] : memref<1024xf32>
  %r:2 = scf.while (%i = %c0, %a = %v) : (index, f32) -> (index, f32) {
  %go = arith.cmpi slt, %i, %n : index
  scf.condition(%go) %i, %a : index, f32
  } do {
  ^bb0(%i: index, %a: f32):
  %sl = affine.apply affine_map<(d0) -> ((d0 + 1) mod 4)>(%i)
  memref.store %a, %s[%sl, %x] : memref<4x128xf32, #gpu.address_space<workgroup>>
  %l = memref.load %s[%sl, %rx] : memref<4x128xf32, #gpu.address_space<workgroup>>
  %nx = arith.addi %i, %c1 : index
  scf.yield %nx, %l : index, f32
  }
  memref.store %r#1, %out[%x] : memref<1024xf32>
  return
}
