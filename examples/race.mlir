// A blur with a mistake: each thread stages one element, then reads those beside
// it, and nothing makes it wait for the threads that stage them.
// docs/emulator.md finds the mistake.
#workgroup = #gpu.address_space<workgroup>

func.func @blur(%x: memref<256xf32>, %out: memref<256xf32>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>, gpu.known_grid_size = array<i32: 4, 1, 1>} {
  %c1 = arith.constant 1 : index
  %c62 = arith.constant 62 : index
  %half = arith.constant 0.5 : f32
  %tile = memref.alloc() : memref<64xf32, #workgroup>
  %i = gpu.global_id x
  %t = gpu.thread_id x
  %v = memref.load %x[%i] : memref<256xf32>
  memref.store %v, %tile[%t] : memref<64xf32, #workgroup>
  %next = arith.addi %t, %c1 : index
  %right = memref.load %tile[%next] : memref<64xf32, #workgroup>
  %sum = arith.addf %v, %right : f32
  %mean = arith.mulf %sum, %half : f32
  memref.store %mean, %out[%i] : memref<256xf32>
  return
}
