// chip: gfx942
// minimum: 0
// Each thread goes through elements of its own, with a counter that the loop carries.

func.func @own_elements_while(%in: memref<512xf32>, %out: memref<512xf32>) attributes {gpu.known_block_size = array<i32: 256, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %c256 = arith.constant 256 : index
  %c1024 = arith.constant 1024 : index
  %f0 = arith.constant 0.0 : f32
  %x = gpu.thread_id x
  %v = memref.load %in[%x] : memref<512xf32>
  %s = memref.alloc() : memref<1024xf32, #gpu.address_space<workgroup>>
  %r = scf.while (%i = %x) : (index) -> index {
    %go = arith.cmpi ult, %i, %c1024 : index
    scf.condition(%go) %i : index
  } do {
  ^bb0(%i: index):
    memref.store %v, %s[%i] : memref<1024xf32, #gpu.address_space<workgroup>>
    %next = arith.addi %i, %c256 : index
    scf.yield %next : index
  }
  %q:2 = scf.while (%i = %x, %a = %f0) : (index, f32) -> (index, f32) {
    %go = arith.cmpi ult, %i, %c1024 : index
    scf.condition(%go) %i, %a : index, f32
  } do {
  ^bb0(%i: index, %a: f32):
    %l = memref.load %s[%i] : memref<1024xf32, #gpu.address_space<workgroup>>
    %sum = arith.addf %a, %l : f32
    %next = arith.addi %i, %c256 : index
    scf.yield %next, %sum : index, f32
  }
  memref.store %q#1, %out[%x] : memref<512xf32>
  return
}
