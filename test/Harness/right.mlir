// RUN: %python %src_root/utils/run_kernel.py %s --expect 'a1 = np.concatenate([r[::-1] for r in np.split(a0, 4)]) * 2' | FileCheck %s
// CHECK: forward: ok, races 0, barriers 1, subgroup barriers 0
// CHECK: reverse: ok, races 0, barriers 1
// CHECK: shuffle:1: ok, races 0, barriers 1

// Four workgroups reverse their pieces through one workgroup tile.
module {
  memref.global "private" constant @two : memref<1xf32> = dense<2.0>
  func.func @reverse(%x: memref<256xf32>, %out: memref<256xf32>)
      attributes {gpu.known_block_size = array<i32: 64, 1, 1>, gpu.known_grid_size = array<i32: 4, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c63 = arith.constant 63 : index
    %arena = memref.alloc() {alignment = 16 : i64, memspace.reason = "shared: {x}"} : memref<256xi8, #gpu.address_space<workgroup>>
    %tile = memref.view %arena[%c0][] : memref<256xi8, #gpu.address_space<workgroup>> to memref<64xf32, #gpu.address_space<workgroup>>
    %p = memref.alloca() : memref<1xf32, #gpu.address_space<private>>
    %t = gpu.thread_id x upper_bound 64
    %b = gpu.block_id x
    %d = gpu.block_dim x
    %base = arith.muli %b, %d : index
    %i = arith.addi %base, %t : index
    %v = memref.load %x[%i] : memref<256xf32>
    memref.store %v, %p[%c0] : memref<1xf32, #gpu.address_space<private>>
    %s = memref.subview %tile[%t] [1] [1] : memref<64xf32, #gpu.address_space<workgroup>> to memref<1xf32, strided<[1], offset: ?>, #gpu.address_space<workgroup>>
    memref.copy %p, %s : memref<1xf32, #gpu.address_space<private>> to memref<1xf32, strided<[1], offset: ?>, #gpu.address_space<workgroup>>
    gpu.barrier {memspace.hazard = "RAW"}
    %r = arith.subi %c63, %t : index
    %w = memref.load %tile[%r] : memref<64xf32, #gpu.address_space<workgroup>>
    %g = memref.get_global @two : memref<1xf32>
    %k = memref.load %g[%c0] : memref<1xf32>
    %y = arith.mulf %w, %k : f32
    memref.store %y, %out[%i] : memref<256xf32>
    return
  }
}
