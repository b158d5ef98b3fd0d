// chip: gfx942
// minimum: 6
// The inner loop is as long as the outer one has come; the slot is that of the sum of
// both numbers.

func.func @triangle(%in: memref<512xf32>, %out: memref<512xf32>) attributes {gpu.known_block_size = array<i32: 256, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
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
  %s = memref.alloc() : memref<2x256xf32, #gpu.address_space<workgroup>>
  %rv = arith.subi %c255, %x : index
  %v = memref.load %in[%x] : memref<512xf32>
  %r:2 = scf.for %i = %c0 to %c4 step %c1 iter_args(%acc = %v, %t = %c0) -> (f32, index) {
    %q:2 = scf.for %j = %c0 to %i step %c1 iter_args(%a = %acc, %u = %t) -> (f32, index) {
      memref.store %a, %s[%u, %x] : memref<2x256xf32, #gpu.address_space<workgroup>>
      %b = memref.load %s[%u, %rv] : memref<2x256xf32, #gpu.address_space<workgroup>>
      %next = arith.xori %u, %c1 : index
      scf.yield %b, %next : f32, index
    }
    scf.yield %q#0, %q#1 : f32, index
  }
  memref.store %r#0, %out[%x] : memref<512xf32>
  return
}
