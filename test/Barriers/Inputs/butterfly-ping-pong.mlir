// chip: gfx942
// minimum: 8
// guarded: 6
// Each stage reads one half of the buffer and writes the other; the halves change
// by xor. A stage waits once.

func.func @butterfly_ping_pong(%in: memref<512xf32>, %out: memref<512xf32>) attributes {gpu.known_block_size = array<i32: 256, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
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
  %s = memref.alloc() : memref<2x256xf32, #gpu.address_space<workgroup>>
  %v = memref.load %in[%x] : memref<512xf32>
  memref.store %v, %s[%c0, %x] : memref<2x256xf32, #gpu.address_space<workgroup>>
  %r:2 = scf.for %i = %c0 to %c8 step %c1 iter_args(%from = %c0, %span = %c1) -> (index, index) {
    %to = arith.xori %from, %c1 : index
    %other = arith.xori %x, %span : index
    %a = memref.load %s[%from, %x] : memref<2x256xf32, #gpu.address_space<workgroup>>
    %b = memref.load %s[%from, %other] : memref<2x256xf32, #gpu.address_space<workgroup>>
    %q = arith.addf %a, %b : f32
    memref.store %q, %s[%to, %x] : memref<2x256xf32, #gpu.address_space<workgroup>>
    %next = arith.muli %span, %c2 : index
    scf.yield %to, %next : index, index
  }
  %w = memref.load %s[%r#0, %x] : memref<2x256xf32, #gpu.address_space<workgroup>>
  memref.store %w, %out[%x] : memref<512xf32>
  return
}
