// chip: gfx942
// minimum: 9
// guarded: 3
// A tree sum with a stride that halves in i32; the last five strides are of one
// subgroup, but a barrier in the loop is executed each time.

func.func @tree_for_i32(%in: memref<512xf32>, %out: memref<512xf32>) attributes {gpu.known_block_size = array<i32: 256, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
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
  %s = memref.alloc() : memref<256xf32, #gpu.address_space<workgroup>>
  %v = memref.load %in[%x] : memref<512xf32>
  memref.store %v, %s[%x] : memref<256xf32, #gpu.address_space<workgroup>>
  %first = arith.constant 128 : i32
  %one = arith.constant 1 : i32
  %end = scf.for %i = %c0 to %c8 step %c1 iter_args(%stride = %first) -> (i32) {
    %d = arith.index_cast %stride : i32 to index
    %mine = arith.cmpi ult, %x, %d : index
    scf.if %mine {
      %p = arith.addi %x, %d : index
      %a = memref.load %s[%x] : memref<256xf32, #gpu.address_space<workgroup>>
      %b = memref.load %s[%p] : memref<256xf32, #gpu.address_space<workgroup>>
      %q = arith.addf %a, %b : f32
      memref.store %q, %s[%x] : memref<256xf32, #gpu.address_space<workgroup>>
    }
    %half = arith.shrui %stride, %one : i32
    scf.yield %half : i32
  }
  %w = memref.load %s[%c0] : memref<256xf32, #gpu.address_space<workgroup>>
  memref.store %w, %out[%x] : memref<512xf32>
  return
}
