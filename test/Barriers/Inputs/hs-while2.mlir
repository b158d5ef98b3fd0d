// chip: gfx942
// minimum: 8
// The same between two exchanged buffers, in a while.
func.func @hs_while2(%in: memref<1024xf32>, %out: memref<1024xf32>) attributes {gpu.known_block_size = array<i32: 128, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c127 = arith.constant 127 : index
  %c128 = arith.constant 128 : index
  %x = gpu.thread_id x
  %s = memref.alloc() : memref<128xf32, #gpu.address_space<workgroup>>
  %t = memref.alloc() : memref<128xf32, #gpu.address_space<workgroup>>
  %v = memref.load %in[%x] : memref<1024xf32>
  memref.store %v, %s[%x] : memref<128xf32, #gpu.address_space<workgroup>>
  %rx = arith.subi %c127, %x : index
  %r:3 = scf.while (%d = %c1, %a = %s, %b = %t) : (index, memref<128xf32, #gpu.address_space<workgroup>>, memref<128xf32, #gpu.address_space<workgroup>>) -> (index, memref<128xf32, #gpu.address_space<workgroup>>, memref<128xf32, #gpu.address_space<workgroup>>) {
  %go = arith.cmpi ult, %d, %c128 : index
  scf.condition(%go) %d, %a, %b : index, memref<128xf32, #gpu.address_space<workgroup>>, memref<128xf32, #gpu.address_space<workgroup>>
  } do {
  ^bb0(%d: index, %a: memref<128xf32, #gpu.address_space<workgroup>>, %b: memref<128xf32, #gpu.address_space<workgroup>>):
  %ge = arith.cmpi uge, %x, %d : index
  %l = memref.load %a[%x] : memref<128xf32, #gpu.address_space<workgroup>>
  %w = scf.if %ge -> f32 {
    %xm = arith.subi %x, %d : index
    %l2 = memref.load %a[%xm] : memref<128xf32, #gpu.address_space<workgroup>>
    %q = arith.addf %l, %l2 : f32
    scf.yield %q : f32
  } else {
    scf.yield %l : f32
  }
  memref.store %w, %b[%x] : memref<128xf32, #gpu.address_space<workgroup>>
  %nd = arith.muli %d, %c2 : index
  scf.yield %nd, %b, %a : index, memref<128xf32, #gpu.address_space<workgroup>>, memref<128xf32, #gpu.address_space<workgroup>>
  }
  %o = memref.load %r#1[%rx] : memref<128xf32, #gpu.address_space<workgroup>>
  memref.store %o, %out[%x] : memref<1024xf32>
  return
}
