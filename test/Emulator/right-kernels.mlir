// Kernels without a mistake: nothing is reported, the results are right.
// RUN: split-file %s %t
// RUN: memspace-runner %t/reverse.mlir --arg=0:iota --out=1:%t/reverse.npy --verbose | FileCheck %t/reverse.mlir
// RUN: %python -c "import numpy as np; assert (np.load(r'%t/reverse.npy') == 2 * np.arange(256.).reshape(4, 64)[:, ::-1].ravel()).all()"
// RUN: memspace-runner %t/atomic.mlir --grid=3 --arg=1:fill:0 --out=1:%t/atomic.npy
// RUN: %python -c "import numpy as np; assert np.load(r'%t/atomic.npy') == [96]"
// RUN: memspace-runner %t/dynamic.mlir --grid=2 --arg=0:iota --shape=0:70x2 --arg=1:fill:3 --shape=2:70x2 --out=2:%t/dynamic.npy
// RUN: %python -c "import numpy as np; assert (np.load(r'%t/dynamic.npy') == 3 * np.arange(140.).reshape(70, 2)).all()"
// RUN: memspace-runner %t/resource.mlir --out=0:%t/resource.npy | FileCheck %t/resource.mlir
// RUN: %compare %t/resource.npy "5 * i"

//--- reverse.mlir
// CHECK: executed barriers: 1, subgroup barriers: 0
// CHECK: races: 0, divergent barriers: 0, out of bounds: 0, uninitialized reads: 0
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

//--- atomic.mlir
func.func @atomic(%x: memref<32xf32>, %out: memref<1xi32>) attributes {gpu.known_block_size = array<i32: 32, 1, 1>} {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1 : i32
  %old = memref.atomic_rmw addi %one, %out[%c0] : (i32, memref<1xi32>) -> i32
  return
}

//--- dynamic.mlir
// Dynamic extents, a scalar argument, masked vectors.
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

//--- resource.mlir
// CHECK: races: 0, divergent barriers: 0, out of bounds: 0, uninitialized reads: 0
// Contents of globals as compilers of large models write them.
memref.global "private" constant @floats : memref<2xf32> = dense_resource<floats>
memref.global "private" constant @bytes : memref<2xi8> = dense_resource<bytes>
func.func @k(%out: memref<2xf32>) attributes {gpu.known_block_size = array<i32: 2, 1, 1>} {
  %t = gpu.thread_id x
  %floats = memref.get_global @floats : memref<2xf32>
  %bytes = memref.get_global @bytes : memref<2xi8>
  %a = memref.load %floats[%t] : memref<2xf32>
  %b = memref.load %bytes[%t] : memref<2xi8>
  %f = arith.sitofp %b : i8 to f32
  %s = arith.addf %a, %f : f32
  memref.store %s, %out[%t] : memref<2xf32>
  return
}
{-#
  dialect_resources: {
    builtin: {
      floats: "0x040000000000803F00000040",
      bytes: "0x01000000FF03"
    }
  }
#-}
