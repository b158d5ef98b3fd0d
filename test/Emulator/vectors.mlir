// RUN: rm -rf %t && split-file %s %t
// RUN: memspace-runner %t/elements.mlir --arg=0:iota --out=1:%t/elements.npy 2>&1 | FileCheck %s --check-prefix=CLEAN
// RUN: %compare %t/elements.npy "i // 8"
// RUN: memspace-runner %t/large.mlir --arg=0:iota --out=1:%t/large.npy 2>&1 | FileCheck %s --check-prefix=CLEAN
// RUN: %compare %t/large.npy "2 * (i // 32)"
// RUN: memspace-runner %t/everywhere.mlir --arg=0:iota --out=1:%t/everywhere.npy 2>&1 | FileCheck %s --check-prefix=CLEAN
// RUN: %compare %t/everywhere.npy "i + 1"
// RUN: memspace-runner %t/scalars.mlir --arg=0:fill:2.5 --arg=1:fill:7 --arg=2:fill:-3 --out=3:%t/scalars.npy 2>&1 | FileCheck %s --check-prefix=CLEAN
// RUN: %compare %t/scalars.npy "np.where(i == 64, 7, np.where(i == 65, -3, 2.5))"
// RUN: memspace-runner %t/stack.mlir --arg=0:iota --out=1:%t/stack.npy 2>&1 | FileCheck %s --check-prefix=CLEAN
// RUN: %compare %t/stack.npy "4.0 * i"
// RUN: %status 2 memspace-runner %t/stack.mlir --arg=0:iota --max-memory=10000000 2>&1 | FileCheck %t/stack.mlir

// CLEAN-NOT: {{error|warning}}:
// CLEAN: {{^}}races: 0, divergent barriers: 0, out of bounds: 0, uninitialized reads: 0{{$}}

// Vectors of any size, at any address.

//--- elements.mlir
func.func @k(%x: memref<64xvector<8xf32>>, %y: memref<64xvector<8xf32>>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %t = gpu.thread_id x
  %v = memref.load %x[%t] : memref<64xvector<8xf32>>
  memref.store %v, %y[%t] : memref<64xvector<8xf32>>
  return
}

//--- large.mlir
#wg = #gpu.address_space<workgroup>
func.func @k(%x: memref<4xvector<32xf64>>, %y: memref<4xvector<32xf64>>) attributes {gpu.known_block_size = array<i32: 4, 1, 1>} {
  %t = gpu.thread_id x
  %w = memref.alloc() : memref<4xvector<32xf64>, #wg>
  %v = memref.load %x[%t] : memref<4xvector<32xf64>>
  memref.store %v, %w[%t] : memref<4xvector<32xf64>, #wg>
  gpu.barrier
  %u = memref.load %w[%t] : memref<4xvector<32xf64>, #wg>
  %s = arith.addf %u, %u : vector<32xf64>
  memref.store %s, %y[%t] : memref<4xvector<32xf64>>
  return
}

//--- everywhere.mlir
// An access that starts at any element.
func.func @k(%x: memref<65xf32>, %y: memref<64xf32>) attributes {gpu.known_block_size = array<i32: 1, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %v = vector.load %x[%c1] : memref<65xf32>, vector<64xf32>
  vector.store %v, %y[%c0] : memref<64xf32>, vector<64xf32>
  return
}

//--- scalars.mlir
func.func @k(%v: vector<64xf32>, %n: i32, %m: i4, %y: memref<66xf32>) attributes {gpu.known_block_size = array<i32: 1, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %c65 = arith.constant 65 : index
  vector.store %v, %y[%c0] : memref<66xf32>, vector<64xf32>
  %f = arith.sitofp %n : i32 to f32
  memref.store %f, %y[%c64] : memref<66xf32>
  %w = arith.extsi %m : i4 to i32
  %g = arith.sitofp %w : i32 to f32
  memref.store %g, %y[%c65] : memref<66xf32>
  return
}

//--- stack.mlir
// Values that a CPU keeps on its stack, more of them than a small one has.
// CHECK: error: memory limit: the values of all threads take {{[0-9]+}} bytes, more than 'max-memory' allows; use smaller vectors, or allow more{{$}}
// CHECK-NOT: races:
func.func @k(%x: memref<16384xf64>, %y: memref<16384xf64>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %c0 = arith.constant 0 : index
  %t = gpu.thread_id x
  %first = arith.cmpi eq, %t, %c0 : index
  scf.if %first {
    %a = vector.load %x[%c0] : memref<16384xf64>, vector<16384xf64>
    %b = arith.addf %a, %a : vector<16384xf64>
    %c = arith.addf %b, %a : vector<16384xf64>
    %d = arith.addf %c, %a : vector<16384xf64>
    vector.store %d, %y[%c0] : memref<16384xf64>, vector<16384xf64>
  }
  return
}
