// chip: gfx942
// minimum: 28
// guarded: 26
// A bitonic sort in one loop: the distance begins anew where it comes to 0.
func.func @bitonic_flat(%in: memref<1024xf32>, %out: memref<1024xf32>) attributes {gpu.known_block_size = array<i32: 128, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c28 = arith.constant 28 : index
  %x = gpu.thread_id x
  %s = memref.alloc() : memref<128xf32, #gpu.address_space<workgroup>>
  %v = memref.load %in[%x] : memref<1024xf32>
  memref.store %v, %s[%x] : memref<128xf32, #gpu.address_space<workgroup>>
  %rk:2 = scf.for %ki = %c0 to %c28 step %c1 iter_args(%k = %c2, %j = %c1) -> (index, index) {
  %p = arith.xori %x, %j : index
  %gt = arith.cmpi ugt, %p, %x : index
  scf.if %gt {
    %dir = arith.andi %x, %k : index
    %up = arith.cmpi eq, %dir, %c0 : index
    %a = memref.load %s[%x] : memref<128xf32, #gpu.address_space<workgroup>>
    %b = memref.load %s[%p] : memref<128xf32, #gpu.address_space<workgroup>>
    %mn = arith.minimumf %a, %b : f32
    %mx = arith.maximumf %a, %b : f32
    %lo = arith.select %up, %mn, %mx : f32
    %hi = arith.select %up, %mx, %mn : f32
    memref.store %lo, %s[%x] : memref<128xf32, #gpu.address_space<workgroup>>
    memref.store %hi, %s[%p] : memref<128xf32, #gpu.address_space<workgroup>>
  }
  %nj = arith.shrui %j, %c1 : index
  %zz = arith.cmpi eq, %nj, %c0 : index
  %k2 = arith.shli %k, %c1 : index
  %nk = arith.select %zz, %k2, %k : index
  %nj2 = arith.select %zz, %k, %nj : index
  scf.yield %nk, %nj2 : index, index
  }
  %w = memref.load %s[%x] : memref<128xf32, #gpu.address_space<workgroup>>
  memref.store %w, %out[%x] : memref<1024xf32>
  return
}
