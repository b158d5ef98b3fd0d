// chip: gfx942
// minimum: 16
// guarded: 2
// A scan by Blelloch; in blocks, simplified, the guard between its loops ends where the
// second one begins.
func.func @blelloch_for(%in: memref<1024xf32>, %out: memref<1024xf32>) attributes {gpu.known_block_size = array<i32: 128, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c8 = arith.constant 8 : index
  %c128 = arith.constant 128 : index
  %c255 = arith.constant 255 : index
  %x = gpu.thread_id x
  %f0 = arith.constant 0.0 : f32
  %f1 = arith.constant 1.0 : f32
  %s = memref.alloc() : memref<256xf32, #gpu.address_space<workgroup>>
  %x2 = arith.muli %x, %c2 : index
  %x21 = arith.addi %x2, %c1 : index
  %v = memref.load %in[%x2] : memref<1024xf32>
  %v2 = memref.load %in[%x21] : memref<1024xf32>
  memref.store %v, %s[%x2] : memref<256xf32, #gpu.address_space<workgroup>>
  memref.store %v2, %s[%x21] : memref<256xf32, #gpu.address_space<workgroup>>
  %r:2 = scf.for %i = %c0 to %c8 step %c1 iter_args(%d = %c128, %of = %c1) -> (index, index) {
  %lt = arith.cmpi ult, %x, %d : index
  scf.if %lt {
    %p = arith.muli %x, %c2 : index
    %p1 = arith.addi %p, %c1 : index
    %p2 = arith.addi %p, %c2 : index
    %a1 = arith.muli %p1, %of : index
    %b1 = arith.muli %p2, %of : index
    %ai = arith.subi %a1, %c1 : index
    %bi = arith.subi %b1, %c1 : index
    %a = memref.load %s[%ai] : memref<256xf32, #gpu.address_space<workgroup>>
    %b = memref.load %s[%bi] : memref<256xf32, #gpu.address_space<workgroup>>
    %q = arith.addf %a, %b : f32
    
    memref.store %q, %s[%bi] : memref<256xf32, #gpu.address_space<workgroup>>
  }
  %nd = arith.shrui %d, %c1 : index
  %no = arith.shli %of, %c1 : index
  scf.yield %nd, %no : index, index
  }
  %z = arith.cmpi eq, %x, %c0 : index
  scf.if %z { memref.store %f0, %s[%c255] : memref<256xf32, #gpu.address_space<workgroup>> }
  %r2:2 = scf.for %i = %c0 to %c8 step %c1 iter_args(%d = %c1, %of = %c128) -> (index, index) {
  %lt = arith.cmpi ult, %x, %d : index
  scf.if %lt {
    %p = arith.muli %x, %c2 : index
    %p1 = arith.addi %p, %c1 : index
    %p2 = arith.addi %p, %c2 : index
    %a1 = arith.muli %p1, %of : index
    %b1 = arith.muli %p2, %of : index
    %ai = arith.subi %a1, %c1 : index
    %bi = arith.subi %b1, %c1 : index
    %a = memref.load %s[%ai] : memref<256xf32, #gpu.address_space<workgroup>>
    %b = memref.load %s[%bi] : memref<256xf32, #gpu.address_space<workgroup>>
    %q = arith.addf %a, %b : f32
    memref.store %b, %s[%ai] : memref<256xf32, #gpu.address_space<workgroup>>
    memref.store %q, %s[%bi] : memref<256xf32, #gpu.address_space<workgroup>>
  }
  %nd = arith.shli %d, %c1 : index
  %no = arith.shrui %of, %c1 : index
  scf.yield %nd, %no : index, index
  }
  %o = memref.load %s[%x2] : memref<256xf32, #gpu.address_space<workgroup>>
  %o2 = memref.load %s[%x21] : memref<256xf32, #gpu.address_space<workgroup>>
  memref.store %o, %out[%x2] : memref<1024xf32>
  memref.store %o2, %out[%x21] : memref<1024xf32>
  return
}
