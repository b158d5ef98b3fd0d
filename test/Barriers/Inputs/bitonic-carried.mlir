// chip: sm_90
// minimum: 21
// guarded: 7
// A bitonic sort whose inner loop is as long as the outer one has come, and carries
// the distance: behind the last one a barrier of subgroups is enough.
func.func @bitonic_for_carried(%in: memref<1024xf32>, %out: memref<1024xf32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c7 = arith.constant 7 : index
  %x = gpu.thread_id x
  %f0 = arith.constant 0.0 : f32
  %f1 = arith.constant 1.0 : f32
  %s = memref.alloc() : memref<64xf32, #gpu.address_space<workgroup>>
  %v = memref.load %in[%x] : memref<1024xf32>
  memref.store %v, %s[%x] : memref<64xf32, #gpu.address_space<workgroup>>
  %rk = scf.for %ki = %c1 to %c7 step %c1 iter_args(%k = %c2) -> index {
  %h = arith.divui %k, %c2 : index
  %rj = scf.for %ji = %c0 to %ki step %c1 iter_args(%j = %h) -> index {
  %p = arith.xori %x, %j : index
  %gt = arith.cmpi ugt, %p, %x : index
  scf.if %gt {
    %dir = arith.andi %x, %k : index
    %up = arith.cmpi eq, %dir, %c0 : index
    %a = memref.load %s[%x] : memref<64xf32, #gpu.address_space<workgroup>>
    %b = memref.load %s[%p] : memref<64xf32, #gpu.address_space<workgroup>>
    %mn = arith.minimumf %a, %b : f32
    %mx = arith.maximumf %a, %b : f32
    %lo = arith.select %up, %mn, %mx : f32
    %hi = arith.select %up, %mx, %mn : f32
    memref.store %lo, %s[%x] : memref<64xf32, #gpu.address_space<workgroup>>
    memref.store %hi, %s[%p] : memref<64xf32, #gpu.address_space<workgroup>>
  }
  %nj = arith.divui %j, %c2 : index
  scf.yield %nj : index
  }
  %nk = arith.muli %k, %c2 : index
  scf.yield %nk : index
  }
  %w = memref.load %s[%x] : memref<64xf32, #gpu.address_space<workgroup>>
  memref.store %w, %out[%x] : memref<1024xf32>
  return
}
