// chip: gfx942
// minimum: 5
// Three buffers in turn, in a while whose end is not known.
func.func @pp_three_while_n(%in: memref<1024xf32>, %out: memref<1024xf32>, %n: index) attributes {gpu.known_block_size = array<i32: 128, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c127 = arith.constant 127 : index
  %x = gpu.thread_id x
  %b0 = memref.alloc() : memref<128xf32, #gpu.address_space<workgroup>>
  %b1 = memref.alloc() : memref<128xf32, #gpu.address_space<workgroup>>
  %b2 = memref.alloc() : memref<128xf32, #gpu.address_space<workgroup>>
  %rx = arith.subi %c127, %x : index
  %v = memref.load %in[%x] : memref<1024xf32>
  memref.store %v, %b0[%x] : memref<128xf32, #gpu.address_space<workgroup>>
  %r:4 = scf.while (%i = %c0, %a = %b0, %b = %b1, %c = %b2) : (index, memref<128xf32, #gpu.address_space<workgroup>>, memref<128xf32, #gpu.address_space<workgroup>>, memref<128xf32, #gpu.address_space<workgroup>>) -> (index, memref<128xf32, #gpu.address_space<workgroup>>, memref<128xf32, #gpu.address_space<workgroup>>, memref<128xf32, #gpu.address_space<workgroup>>) {
  %g = arith.cmpi ult, %i, %n : index
  scf.condition(%g) %i, %a, %b, %c : index, memref<128xf32, #gpu.address_space<workgroup>>, memref<128xf32, #gpu.address_space<workgroup>>, memref<128xf32, #gpu.address_space<workgroup>>
  } do {
  ^bb0(%i: index, %a: memref<128xf32, #gpu.address_space<workgroup>>, %b: memref<128xf32, #gpu.address_space<workgroup>>, %c: memref<128xf32, #gpu.address_space<workgroup>>):
  %l = memref.load %a[%rx] : memref<128xf32, #gpu.address_space<workgroup>>
  memref.store %l, %b[%x] : memref<128xf32, #gpu.address_space<workgroup>>
  %j = arith.addi %i, %c1 : index
  scf.yield %j, %b, %c, %a : index, memref<128xf32, #gpu.address_space<workgroup>>, memref<128xf32, #gpu.address_space<workgroup>>, memref<128xf32, #gpu.address_space<workgroup>>
  }
  %o = memref.load %r#1[%rx] : memref<128xf32, #gpu.address_space<workgroup>>
  memref.store %o, %out[%x] : memref<1024xf32>
  return
}
