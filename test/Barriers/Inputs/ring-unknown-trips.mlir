// chip: gfx942
// minimum: 4
// A ring of three slots; how often the loop runs is not known (the runs: four times).

func.func @ring_unknown_trips(%in: memref<512xf32>, %out: memref<512xf32>, %n: index) attributes {gpu.known_block_size = array<i32: 256, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
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
  %s = memref.alloc() : memref<3x256xf32, #gpu.address_space<workgroup>>
  %rv = arith.subi %c255, %x : index
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %f0, %slot = %c1) -> (f32, index) {
    %v = memref.load %in[%x] : memref<512xf32>
    memref.store %v, %s[%slot, %x] : memref<3x256xf32, #gpu.address_space<workgroup>>
    %b = memref.load %s[%slot, %rv] : memref<3x256xf32, #gpu.address_space<workgroup>>
    %sum = arith.addf %acc, %b : f32
    %up = arith.addi %slot, %c1 : index
    %wraps = arith.cmpi eq, %up, %c3 : index
    %next = arith.select %wraps, %c0, %up : index
    scf.yield %sum, %next : f32, index
  }
  memref.store %r#0, %out[%x] : memref<512xf32>
  return
}
