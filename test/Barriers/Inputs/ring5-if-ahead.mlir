// chip: gfx942
// minimum: 12
// guarded: 11
// A ring of five slots, filled four ahead.
func.func @ring5_if_ahead(%in: memref<1024xf32>, %out: memref<1024xf32>) attributes {gpu.known_block_size = array<i32: 128, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c5 = arith.constant 5 : index
  %c12 = arith.constant 12 : index
  %c127 = arith.constant 127 : index
  %x = gpu.thread_id x
  %s = memref.alloc() : memref<5x128xf32, #gpu.address_space<workgroup>>
  %rx = arith.subi %c127, %x : index
  %v = memref.load %in[%x] : memref<1024xf32>
  %p0 = memref.load %in[%x] : memref<1024xf32>
  memref.store %p0, %s[%c0, %x] : memref<5x128xf32, #gpu.address_space<workgroup>>
  %p1 = memref.load %in[%x] : memref<1024xf32>
  memref.store %p1, %s[%c1, %x] : memref<5x128xf32, #gpu.address_space<workgroup>>
  %p2 = memref.load %in[%x] : memref<1024xf32>
  memref.store %p2, %s[%c2, %x] : memref<5x128xf32, #gpu.address_space<workgroup>>
  %p3 = memref.load %in[%x] : memref<1024xf32>
  memref.store %p3, %s[%c3, %x] : memref<5x128xf32, #gpu.address_space<workgroup>>
  %r:3 = scf.for %i = %c0 to %c12 step %c1 iter_args(%a = %v, %rd = %c0, %wr = %c4) -> (f32, index, index) {
  %l = memref.load %s[%rd, %rx] : memref<5x128xf32, #gpu.address_space<workgroup>>
  %z = arith.addf %a, %l : f32
  memref.store %z, %s[%wr, %x] : memref<5x128xf32, #gpu.address_space<workgroup>>
  %q_rd = arith.addi %rd, %c1 : index
  %e_rd = arith.cmpi ult, %q_rd, %c5 : index
  %n_rd = scf.if %e_rd -> index { scf.yield %q_rd : index } else { scf.yield %c0 : index }
  %q_wr = arith.addi %wr, %c1 : index
  %e_wr = arith.cmpi ult, %q_wr, %c5 : index
  %n_wr = scf.if %e_wr -> index { scf.yield %q_wr : index } else { scf.yield %c0 : index }
  scf.yield %z, %n_rd, %n_wr : f32, index, index
  }
  memref.store %r#0, %out[%x] : memref<1024xf32>
  return
}
