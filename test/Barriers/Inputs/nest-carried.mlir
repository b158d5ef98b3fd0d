// chip: gfx942
// minimum: 20
// A slot of three, carried by both loops.
func.func @nest_carried(%in: memref<1024xf32>, %out: memref<1024xf32>) attributes {gpu.known_block_size = array<i32: 128, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c5 = arith.constant 5 : index
  %c127 = arith.constant 127 : index
  %x = gpu.thread_id x
  %s = memref.alloc() : memref<3x128xf32, #gpu.address_space<workgroup>>
  %rx = arith.subi %c127, %x : index
  %v = memref.load %in[%x] : memref<1024xf32>
  %r:2 = scf.for %o = %c0 to %c4 step %c1 iter_args(%acc = %v, %sl0 = %c0) -> (f32, index) {
    %r2:2 = scf.for %j = %c0 to %c5 step %c1 iter_args(%a1 = %acc, %sl = %sl0) -> (f32, index) {
      memref.store %a1, %s[%sl, %x] : memref<3x128xf32, #gpu.address_space<workgroup>>
      %b = memref.load %s[%sl, %rx] : memref<3x128xf32, #gpu.address_space<workgroup>>
      %q = arith.addi %sl, %c1 : index
      %e = arith.cmpi eq, %q, %c3 : index
      %n = arith.select %e, %c0, %q : index
      scf.yield %b, %n : f32, index
    }
    scf.yield %r2#0, %r2#1 : f32, index
  }
  memref.store %r#0, %out[%x] : memref<1024xf32>
  return
}
