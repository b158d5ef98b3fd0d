// What the last attack found.
// RUN: split-file %s %t
// RUN: not memspace-runner %t/quad-rereads.mlir --arg=0:iota 2>&1 | FileCheck %t/quad-rereads.mlir
// RUN: memspace-runner %t/exchange.mlir --arg=0:iota 2>&1 | FileCheck %t/exchange.mlir
// RUN: not memspace-runner %t/workgroup-global.mlir 2>&1 | FileCheck %t/workgroup-global.mlir

// 32 lanes read, barriers of four lanes each, one of them reads again and writes:
// the reads of the other 28 are not ordered before the write.
//--- quad-rereads.mlir
// CHECK: error: data race in workgroup memory: thread (17, 0, 0) writes byte 0, which thread
// CHECK: {{^}}races: 1, divergent barriers: 0, out of bounds: 0, uninitialized reads: 0{{$}}
func.func @k(%x: memref<32xi32>, %y: memref<32xi32>) attributes {gpu.known_block_size = array<i32: 32,1,1>} {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %c16 = arith.constant 16 : index
  %c20 = arith.constant 20 : index
  %c17 = arith.constant 17 : index
  %z = arith.constant 1 : i32
  %quad = arith.constant 15 : i32
  %t = gpu.thread_id x
  %g = arith.divui %t, %c4 : index
  %sh = arith.muli %g, %c4 : index
  %shi = arith.index_cast %sh : index to i32
  %mask = arith.shli %quad, %shi : i32
  %w = memref.alloc() : memref<1xi32, #gpu.address_space<workgroup>>
  %first = arith.cmpi eq, %t, %c0 : index
  scf.if %first {
    memref.store %z, %w[%c0] : memref<1xi32, #gpu.address_space<workgroup>>
  }
  gpu.barrier
  %r = memref.load %w[%c0] : memref<1xi32, #gpu.address_space<workgroup>>
  memref.store %r, %y[%t] : memref<32xi32>
  nvvm.bar.warp.sync %mask : i32
  %lo = arith.cmpi uge, %t, %c16 : index
  %hi = arith.cmpi ult, %t, %c20 : index
  %q4 = arith.andi %lo, %hi : i1
  scf.if %q4 {
    %s = memref.load %w[%c0] : memref<1xi32, #gpu.address_space<workgroup>>
    memref.store %s, %y[%t] : memref<32xi32>
    nvvm.bar.warp.sync %mask : i32
    %wr = arith.cmpi eq, %t, %c17 : index
    scf.if %wr {
      memref.store %z, %w[%c0] : memref<1xi32, #gpu.address_space<workgroup>>
    }
  }
  return
}

// An exchange whose result nobody uses is a store.
//--- exchange.mlir
// CHECK: {{^}}races: 0, divergent barriers: 0, out of bounds: 0, uninitialized reads: 0{{$}}
func.func @k(%x: memref<1xi32>) attributes {gpu.known_block_size = array<i32: 1,1,1>} {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1 : i32
  %a = memref.atomic_rmw assign %one, %x[%c0] : (i32, memref<1xi32>) -> i32
  return
}

//--- workgroup-global.mlir
// CHECK: error: a global in workgroup memory cannot have initial contents; store them in the kernel
memref.global "private" @t : memref<4xi32, #gpu.address_space<workgroup>> = dense<1>
func.func @k(%y: memref<64xi32>) attributes {gpu.known_block_size = array<i32: 64,1,1>} {
  %c0 = arith.constant 0 : index
  %t = gpu.thread_id x
  %g = memref.get_global @t : memref<4xi32, #gpu.address_space<workgroup>>
  %v = memref.load %g[%c0] : memref<4xi32, #gpu.address_space<workgroup>>
  memref.store %v, %y[%t] : memref<64xi32>
  return
}
