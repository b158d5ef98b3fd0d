// RUN: split-file %s %t
// RUN: not %python %src_root/utils/run_kernel.py %t/across.mlir --grid 2 --order forward | FileCheck %t/across.mlir
// RUN: %python %src_root/utils/run_kernel.py %t/atomic.mlir --grid 3 --set 'a1 = np.zeros(1)' --expect 'a1 = np.array([96], np.int32)' | FileCheck %t/atomic.mlir
// RUN: not %python %src_root/utils/run_kernel.py %t/bounds.mlir --order forward | FileCheck %t/bounds.mlir
// RUN: not %python %src_root/utils/run_kernel.py %t/two-barriers.mlir --order forward | FileCheck %t/two-barriers.mlir
// RUN: not %python %src_root/utils/run_kernel.py %t/subgroup-divergent.mlir --order forward | FileCheck %t/subgroup-divergent.mlir
// RUN: not %python %src_root/utils/run_kernel.py %t/malloc.mlir 2>&1 | FileCheck %t/malloc.mlir
// RUN: not %python %src_root/utils/run_kernel.py %t/forall.mlir 2>&1 | FileCheck %t/forall.mlir
// RUN: %python %src_root/utils/run_kernel.py %t/private.mlir --expect 'a1 = np.full(8, np.nan, np.float16)' | FileCheck %t/private.mlir
// RUN: not %python %src_root/utils/run_kernel.py %t/copies.mlir --order reverse | FileCheck %t/copies.mlir
// RUN: %python %src_root/utils/run_kernel.py %t/dynamic.mlir --dim 70 --grid 2 --expect 'a2 = a0 * a1' | FileCheck %t/dynamic.mlir

//--- across.mlir
// CHECK: forward: FAILED, races 1,
// CHECK-NEXT: WAW race across workgroups on byte 0 of %out: block 0 writes ({{.*}}), then block 1 writes ({{.*}}); 32 times
func.func @across(%out: memref<32xf32>) attributes {gpu.known_block_size = array<i32: 32, 1, 1>} {
  %f = arith.constant 1.0 : f32
  %t = gpu.thread_id x
  memref.store %f, %out[%t] : memref<32xf32>
  return
}

//--- atomic.mlir
// CHECK: forward: ok, races 0
func.func @atomic(%x: memref<32xf32>, %out: memref<1xi32>) attributes {gpu.known_block_size = array<i32: 32, 1, 1>} {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1 : i32
  %old = memref.atomic_rmw addi %one, %out[%c0] : (i32, memref<1xi32>) -> i32
  return
}

//--- bounds.mlir
// CHECK: error: access out of bounds near byte 128 of %x: thread 31 of block 0, line {{.*}} memref.load
func.func @bounds(%x: memref<32xf32>, %out: memref<32xf32>) attributes {gpu.known_block_size = array<i32: 32, 1, 1>} {
  %c1 = arith.constant 1 : index
  %t = gpu.thread_id x
  %n = arith.addi %t, %c1 : index
  %v = memref.load %x[%n] : memref<32xf32>
  memref.store %v, %out[%t] : memref<32xf32>
  return
}

//--- two-barriers.mlir
// CHECK: error: divergent barrier: thread 0 of block 0, line [[#@LINE+7]]: gpu.barrier waits, but thread 16 waits at line [[#@LINE+10]]: gpu.barrier
func.func @two() attributes {gpu.known_block_size = array<i32: 32, 1, 1>} {
  %c16 = arith.constant 16 : index
  %t = gpu.thread_id x
  %low = arith.cmpi ult, %t, %c16 : index
  scf.if %low {

    gpu.barrier
  } else {

    gpu.barrier
  }
  return
}

//--- subgroup-divergent.mlir
// CHECK: error: divergent subgroup barrier: thread 0 of block 0, line {{.*}}: memspace.subgroup_barrier waits, but thread 16 waits at line {{.*}}: gpu.barrier
func.func @mixed() attributes {gpu.known_block_size = array<i32: 32, 1, 1>} {
  %c16 = arith.constant 16 : index
  %t = gpu.thread_id x
  %low = arith.cmpi ult, %t, %c16 : index
  scf.if %low {
    memspace.subgroup_barrier
  }
  gpu.barrier
  return
}

//--- malloc.mlir
// CHECK: error: the kernel allocates dynamically in global memory: %a = memref.alloc()
func.func @malloc() attributes {gpu.known_block_size = array<i32: 32, 1, 1>} {
  %a = memref.alloc() : memref<4xf32>
  return
}

//--- forall.mlir
// CHECK: error: a mapped forall is left (line {{[0-9]+}})
func.func @forall() attributes {gpu.known_block_size = array<i32: 32, 1, 1>} {
  scf.forall (%i) in (32) {
  } {mapping = [#gpu.thread<x>]}
  return
}

//--- private.mlir
// Private memory that nobody wrote is NaN.
// CHECK: forward: ok, races 0
func.func @private(%x: memref<8xf16>, %out: memref<8xf16>) attributes {gpu.known_block_size = array<i32: 8, 1, 1>} {
  %c0 = arith.constant 0 : index
  %p = memref.alloca() : memref<4xf16, #gpu.address_space<private>>
  %t = gpu.thread_id x
  %v = memref.load %p[%c0] : memref<4xf16, #gpu.address_space<private>>
  memref.store %v, %out[%t] : memref<8xf16>
  return
}

//--- copies.mlir
// Whole-tile copies and fills by every thread are races.
// CHECK: WAW race on byte 0 of workgroup allocation 0: thread 7 writes ({{.*}}linalg.fill{{.*}}), then thread 6 writes ({{.*}}linalg.fill
// CHECK: WAW race on byte 0 of %out: thread 7 writes ({{.*}}vector.transfer_write{{.*}}), then thread 6 writes
func.func @copies(%out: memref<8xf32>) attributes {gpu.known_block_size = array<i32: 8, 1, 1>} {
  %c0 = arith.constant 0 : index
  %f = arith.constant 1.0 : f32
  %a = memref.alloc() : memref<8xf32, #gpu.address_space<workgroup>>
  linalg.fill ins(%f : f32) outs(%a : memref<8xf32, #gpu.address_space<workgroup>>)
  %v = vector.transfer_read %a[%c0], %f : memref<8xf32, #gpu.address_space<workgroup>>, vector<8xf32>
  vector.transfer_write %v, %out[%c0] : vector<8xf32>, memref<8xf32>
  return
}

//--- dynamic.mlir
// Dynamic extents, a scalar argument, masked vectors.
// CHECK: forward: ok, races 0
#bound = affine_map<(d0)[s0] -> (32, s0 - d0 * 32)>
func.func @dynamic(%x: memref<?x2xf32>, %k: f32, %out: memref<?x2xf32>) attributes {gpu.known_block_size = array<i32: 32, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %f = arith.constant 0.0 : f32
  %n = memref.dim %x, %c0 : memref<?x2xf32>
  %t = gpu.thread_id x
  %b = gpu.block_id x
  %i = gpu.global_id x
  %g = gpu.grid_dim x
  %step = arith.muli %g, %c32 : index
  %kk = vector.broadcast %k : f32 to vector<4xf32>
  scf.for %j = %i to %n step %step {
    %v = vector.transfer_read %x[%j, %c0], %f : memref<?x2xf32>, vector<4xf32>
    %y = arith.mulf %v, %kk : vector<4xf32>
    vector.transfer_write %y, %out[%j, %c0] : vector<4xf32>, memref<?x2xf32>
  }
  return
}
