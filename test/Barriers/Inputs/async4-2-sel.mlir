// chip: sm_90
// minimum: 10
// A ring of four slots, filled by copies in flight two ahead.
func.func @async4_2_sel(%in: memref<1024xf32>, %out: memref<1024xf32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %c10 = arith.constant 10 : index
  %c63 = arith.constant 63 : index
  %x = gpu.thread_id x
  %f0 = arith.constant 0.0 : f32
  %s = memref.alloc() : memref<4x64xf32, #gpu.address_space<workgroup>>
  %rx = arith.subi %c63, %x : index
  %t0 = nvgpu.device_async_copy %in[%x], %s[%c0, %x], 1 : memref<1024xf32> to memref<4x64xf32, #gpu.address_space<workgroup>>
  %g0 = nvgpu.device_async_create_group %t0
  %t1 = nvgpu.device_async_copy %in[%x], %s[%c1, %x], 1 : memref<1024xf32> to memref<4x64xf32, #gpu.address_space<workgroup>>
  %g1 = nvgpu.device_async_create_group %t1
  %r:5 = scf.for %i = %c0 to %c10 step %c1 iter_args(%a = %f0, %rd = %c0, %wr = %c2, %h0 = %g0, %h1 = %g1) -> (f32, index, index, !nvgpu.device.async.token, !nvgpu.device.async.token) {
  nvgpu.device_async_wait %h0 {numGroups = 1 : i32}
  %l = memref.load %s[%rd, %rx] : memref<4x64xf32, #gpu.address_space<workgroup>>
  %z = arith.addf %a, %l : f32
  %t = nvgpu.device_async_copy %in[%x], %s[%wr, %x], 1 : memref<1024xf32> to memref<4x64xf32, #gpu.address_space<workgroup>>
  %g = nvgpu.device_async_create_group %t
  %q_rd = arith.addi %rd, %c1 : index
  %e_rd = arith.cmpi eq, %q_rd, %c4 : index
  %n_rd = arith.select %e_rd, %c0, %q_rd : index
  %q_wr = arith.addi %wr, %c1 : index
  %e_wr = arith.cmpi eq, %q_wr, %c4 : index
  %n_wr = arith.select %e_wr, %c0, %q_wr : index
  scf.yield %z, %n_rd, %n_wr, %h1, %g : f32, index, index, !nvgpu.device.async.token, !nvgpu.device.async.token
  }
  nvgpu.device_async_wait %r#4
  memref.store %r#0, %out[%x] : memref<1024xf32>
  return
}
