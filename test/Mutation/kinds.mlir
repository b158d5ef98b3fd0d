// Each kind of mistake, what the emulator says of it, and what is excused.
// RUN: split-file %s %t
// RUN: memspace-mutate %t/exchange.mlir --arg=0:iota --list | FileCheck %t/exchange.mlir
// RUN: memspace-mutate %t/redundant.mlir --arg=0:iota | FileCheck %t/redundant.mlir
// RUN: not memspace-mutate %t/branch.mlir --arg=0:iota --arg=1:fill:0 | FileCheck %t/branch.mlir
// RUN: memspace-mutate %t/branch.mlir --arg=0:iota --arg=1:fill:0 --also-arg=1:fill:1 | FileCheck %t/branch.mlir --check-prefix=BOTH
// RUN: not memspace-mutate %t/wrong.mlir --arg=0:iota 2>&1 | FileCheck %t/wrong.mlir

//--- exchange.mlir
// CHECK-DAG: killed: line [[#@LINE+7]]: make the buffer one element smaller: out of bounds
// CHECK-DAG: killed: line [[#@LINE+7]]: give each thread a view's memory of its own: uninitialized read
// CHECK-DAG: killed: line [[#@LINE+6]]: shift the view one element up: out of bounds
// CHECK-DAG: killed: line [[#@LINE+5]]: shift the view one element down: out of bounds
func.func @exchange(%x: memref<64xf32>, %out: memref<64xf32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c63 = arith.constant 63 : index
  %arena = memref.alloc() {memspace.arena} : memref<256xi8, #gpu.address_space<workgroup>>
  %s = memref.view %arena[%c0][] : memref<256xi8, #gpu.address_space<workgroup>> to memref<64xf32, #gpu.address_space<workgroup>>
  %p = memref.alloca() : memref<1xf32, #gpu.address_space<private>>
  // CHECK-DAG: killed: line [[#@LINE-1]]: share the private buffer among all threads: data race
  %t = gpu.thread_id x
  %v = memref.load %x[%t] : memref<64xf32>
  memref.store %v, %s[%t] : memref<64xf32, #gpu.address_space<workgroup>>
  // CHECK-DAG: killed: line [[#@LINE+3]]: delete the barrier: data race
  // CHECK-DAG: killed: line [[#@LINE+2]]: move the barrier up over 'memref.store': data race
  // CHECK-DAG: equivalent: line [[#@LINE+1]]: move the barrier down over 'arith.subi': the op that it passes accesses no memory
  gpu.barrier
  %r = arith.subi %c63, %t : index
  %w = memref.load %s[%r] : memref<64xf32, #gpu.address_space<workgroup>>
  memref.store %w, %p[%c0] : memref<1xf32, #gpu.address_space<private>>
  %q = memref.load %p[%c0] : memref<1xf32, #gpu.address_space<private>>
  memref.store %q, %out[%t] : memref<64xf32>
  return
}
// CHECK: mutants: 9, killed: 8, equivalent: 1, survived: 0

//--- redundant.mlir
// CHECK: equivalent: line {{.*}}: delete the barrier: no two accesses need the barrier (all pairs compared)
// CHECK: survived: 0
func.func @own(%x: memref<64xf32>, %out: memref<64xf32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %s = memref.alloc() : memref<64xf32, #gpu.address_space<workgroup>>
  %t = gpu.thread_id x
  %v = memref.load %x[%t] : memref<64xf32>
  memref.store %v, %s[%t] : memref<64xf32, #gpu.address_space<workgroup>>
  gpu.barrier
  %w = memref.load %s[%t] : memref<64xf32, #gpu.address_space<workgroup>>
  memref.store %w, %out[%t] : memref<64xf32>
  return
}

// A mistake in a branch that the input does not take is not noticed.
//--- branch.mlir
// CHECK: SURVIVED: line [[#@LINE+6]]: share the private buffer
// CHECK: survived: 2
// BOTH: survived: 0
func.func @branch(%x: memref<64xf32>, %flag: memref<1xi32>, %out: memref<64xf32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %c0 = arith.constant 0 : index
  %z = arith.constant 0 : i32
  %p = memref.alloca() : memref<1xf32, #gpu.address_space<private>>
  %t = gpu.thread_id x
  %v = memref.load %x[%t] : memref<64xf32>
  memref.store %v, %out[%t] : memref<64xf32>
  %f = memref.load %flag[%c0] : memref<1xi32>
  %taken = arith.cmpi ne, %f, %z : i32
  scf.if %taken {
    memref.store %v, %p[%c0] : memref<1xf32, #gpu.address_space<private>>
    %q = memref.load %p[%c0] : memref<1xf32, #gpu.address_space<private>>
    %d = arith.addf %q, %q : f32
    memref.store %d, %out[%t] : memref<64xf32>
  }
  return
}

//--- wrong.mlir
// CHECK: error: data race in global memory
// CHECK: memspace-mutate: error: the kernel itself is not right: races: {{[1-9]}}
func.func @wrong(%x: memref<64xf32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %c0 = arith.constant 0 : index
  %t = gpu.thread_id x
  %v = memref.load %x[%t] : memref<64xf32>
  memref.store %v, %x[%c0] : memref<64xf32>
  return
}
