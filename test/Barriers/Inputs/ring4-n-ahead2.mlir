// chip: gfx942
// minimum: 4
// guarded: 3
// A ring of four slots, filled two ahead, trip count not known.
func.func @ring4_n_ahead2(%in: memref<1024xf32>, %out: memref<1024xf32>, %n: index) attributes {gpu.known_block_size = array<i32: 128, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %c127 = arith.constant 127 : index
  %x = gpu.thread_id x
  %s = memref.alloc() : memref<4x128xf32, #gpu.address_space<workgroup>>
  %rx = arith.subi %c127, %x : index
  %v = memref.load %in[%x] : memref<1024xf32>
  %p0 = memref.load %in[%x] : memref<1024xf32>
  memref.store %p0, %s[%c0, %x] : memref<4x128xf32, #gpu.address_space<workgroup>>
  %p1 = memref.load %in[%x] : memref<1024xf32>
  memref.store %p1, %s[%c1, %x] : memref<4x128xf32, #gpu.address_space<workgroup>>
  %r:3 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %v, %rd = %c0, %wr = %c2) -> (f32, index, index) {
  %l = memref.load %s[%rd, %rx] : memref<4x128xf32, #gpu.address_space<workgroup>>
  %z = arith.addf %a, %l : f32
  memref.store %z, %s[%wr, %x] : memref<4x128xf32, #gpu.address_space<workgroup>>
  %q_rd = arith.addi %rd, %c1 : index
  %n_rd = arith.remui %q_rd, %c4 : index
  %q_wr = arith.addi %wr, %c1 : index
  %n_wr = arith.remui %q_wr, %c4 : index
  scf.yield %z, %n_rd, %n_wr : f32, index, index
  }
  memref.store %r#0, %out[%x] : memref<1024xf32>
  return
}
