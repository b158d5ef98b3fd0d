// chip: gfx942
// minimum: 4
// Three buffers change their roles; the loop ends when data say so, after four
// rounds at most.

func.func @rotating_buffers(%in: memref<512xf32>, %out: memref<512xf32>, %n: index) attributes {gpu.known_block_size = array<i32: 256, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c5 = arith.constant 5 : index
  %c8 = arith.constant 8 : index
  %c9 = arith.constant 9 : index
  %c255 = arith.constant 255 : index
  %c256 = arith.constant 256 : index
  %x = gpu.thread_id x
  %f0 = arith.constant 0.0 : f32
  %c4 = arith.constant 4 : index
  %s = memref.alloc() : memref<256xf32, #gpu.address_space<workgroup>>
  %t = memref.alloc() : memref<256xf32, #gpu.address_space<workgroup>>
  %u = memref.alloc() : memref<256xf32, #gpu.address_space<workgroup>>
  %rv = arith.subi %c255, %x : index
  %r:5 = scf.while (%i = %c0, %acc = %f0, %a = %s, %b = %t, %c = %u) : (index, f32, memref<256xf32, #gpu.address_space<workgroup>>, memref<256xf32, #gpu.address_space<workgroup>>, memref<256xf32, #gpu.address_space<workgroup>>) -> (index, f32, memref<256xf32, #gpu.address_space<workgroup>>, memref<256xf32, #gpu.address_space<workgroup>>, memref<256xf32, #gpu.address_space<workgroup>>) {
    %end = arith.minui %n, %c4 : index
    %go = arith.cmpi ult, %i, %end : index
    scf.condition(%go) %i, %acc, %a, %b, %c : index, f32, memref<256xf32, #gpu.address_space<workgroup>>, memref<256xf32, #gpu.address_space<workgroup>>, memref<256xf32, #gpu.address_space<workgroup>>
  } do {
  ^bb0(%i: index, %acc: f32, %a: memref<256xf32, #gpu.address_space<workgroup>>, %b: memref<256xf32, #gpu.address_space<workgroup>>, %c: memref<256xf32, #gpu.address_space<workgroup>>):
    %v = memref.load %in[%x] : memref<512xf32>
    memref.store %v, %a[%x] : memref<256xf32, #gpu.address_space<workgroup>>
    %l = memref.load %a[%rv] : memref<256xf32, #gpu.address_space<workgroup>>
    %sum = arith.addf %acc, %l : f32
    %next = arith.addi %i, %c1 : index
    scf.yield %next, %sum, %b, %c, %a : index, f32, memref<256xf32, #gpu.address_space<workgroup>>, memref<256xf32, #gpu.address_space<workgroup>>, memref<256xf32, #gpu.address_space<workgroup>>
  }
  memref.store %r#1, %out[%x] : memref<512xf32>
  return
}
