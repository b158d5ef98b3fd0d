// RUN: rm -rf %t && split-file %s %t
// RUN: not memspace-runner %t/barriers.mlir 2>&1 | FileCheck %t/barriers.mlir
// RUN: not memspace-runner %t/barriers.mlir --max-steps=100000 2>&1 | FileCheck %t/barriers.mlir --check-prefix=FEWER
// RUN: not memspace-runner %t/shuffles.mlir --max-steps=1000000 2>&1 | FileCheck %t/shuffles.mlir
// RUN: not memspace-runner %t/one-lane.mlir --max-steps=1000000 2>&1 | FileCheck %t/one-lane.mlir
// RUN: not memspace-runner %t/calls.mlir --max-steps=1000000 2>&1 | FileCheck %t/calls.mlir
// RUN: not memspace-runner %t/blocks.mlir --max-steps=1000000 2>&1 | FileCheck %t/blocks.mlir
// RUN: not memspace-runner %t/views.mlir --arg=0:fill:0 --max-steps=1000000 2>&1 | FileCheck %t/views.mlir
// RUN: not memspace-runner %t/grid.mlir --arg=0:fill:0 --max-steps=150000 2>&1 | FileCheck %t/grid.mlir
// RUN: not memspace-runner %t/grid.mlir --arg=0:fill:0 --max-steps=150000 --threads=2 2>&1 | FileCheck %t/grid.mlir
// RUN: memspace-runner %t/grid.mlir --arg=0:fill:0 --max-steps=1000000 2>&1 | FileCheck %s --check-prefix=CLEAN
// RUN: %status 2 memspace-runner %t/grid.mlir --arg=0:fill:0 --max-steps=1000 2>&1 | FileCheck %t/grid.mlir --check-prefix=THREADS
// RUN: %status 2 memspace-runner %t/grid.mlir --arg=0:fill:0 --max-memory=1000 2>&1 | FileCheck %t/grid.mlir --check-prefix=MEMORY
// RUN: %status 2 memspace-runner %t/grid.mlir --arg=0:fill:0 --threads=1000 2>&1 | FileCheck %t/grid.mlir --check-prefix=WORKERS
// RUN: %status 2 memspace-runner %t/grid.mlir --max-memory=0 2>&1 | FileCheck %t/grid.mlir --check-prefix=ZERO
// RUN: %status 2 memspace-runner %t/private-in-loop.mlir --max-memory=10000000 2>&1 | FileCheck %t/private-in-loop.mlir --implicit-check-not=error:
// RUN: %status 2 memspace-runner %t/pending-copies.mlir --max-memory=1000000 2>&1 | FileCheck %t/pending-copies.mlir --implicit-check-not=error:
// RUN: %status 2 memspace-runner %t/atomics.mlir --arg=0:fill:0 --max-memory=300000 2>&1 | FileCheck %t/atomics.mlir --implicit-check-not=error:
// RUN: memspace-runner %t/atomics.mlir --arg=0:fill:0 --max-memory=3000000 2>&1 | FileCheck %s --check-prefix=CLEAN
// RUN: %python %S/Inputs/many_findings.py > %t/many.mlir
// RUN: not memspace-runner %t/many.mlir --arg=0:iota 2>&1 | FileCheck %s --check-prefix=MANY
// RUN: memspace-runner %t/released.mlir --max-memory=100000 2>&1 | FileCheck %s --check-prefix=CLEAN
// RUN: memspace-runner %t/copies-left.mlir --grid=1000 --arg=0:iota --max-memory=100000 2>&1 | FileCheck %s --check-prefix=CLEAN
// RUN: memspace-runner %t/copies-left.mlir --grid=1 --arg=0:iota --max-memory=100000 --orders=3000 2>&1 | FileCheck %s --check-prefix=CLEAN
// RUN: memspace-runner %t/many-views.mlir --grid=100 --max-memory=100000 2>&1 | FileCheck %s --check-prefix=CLEAN
// RUN: memspace-runner %t/many-views.mlir --grid=1 --max-memory=100000 --orders=300 2>&1 | FileCheck %s --check-prefix=CLEAN

// CLEAN-NOT: {{error|warning}}:
// CLEAN: {{^}}races: 0, divergent barriers: 0, out of bounds: 0, uninitialized reads: 0{{$}}

// MANY: memspace-runner: note: there is more than these 4096 findings
// MANY: {{^}}races: 0, divergent barriers: 0, out of bounds: 4096, uninitialized reads: 0{{$}}

// Runs that would not end, or not soon, end with a report; runs within the
// limits do not notice them.

//--- barriers.mlir
// Each iteration comes to a barrier.
// CHECK: .mlir:[[#@LINE+9]]:{{[0-9]+}}: error: no end in sight: the run takes more than 268435456 steps, thread ({{[01]}}, 0, 0) the last of them; allow more with 'max-steps'{{$}}
// CHECK: {{^}}races: 0, divergent barriers: 1, out of bounds: 0, uninitialized reads: 0{{$}}
// FEWER: .mlir:[[#@LINE+7]]:{{[0-9]+}}: error: no end in sight: the run takes more than 100000 steps
// FEWER: {{^}}races: 0, divergent barriers: 1, out of bounds: 0, uninitialized reads: 0{{$}}
func.func @k() attributes {gpu.known_block_size = array<i32: 2, 1, 1>} {
  %true = arith.constant true
  scf.while : () -> () {
    scf.condition(%true)
  } do {
    gpu.barrier
    scf.yield
  }
  return
}

//--- shuffles.mlir
// CHECK: error: no end in sight: the run takes more than 1000000 steps
// CHECK: {{^}}races: 0, divergent barriers: {{[1-9]}}, out of bounds: 0, uninitialized reads: 0{{$}}
func.func @k() attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %true = arith.constant true
  %n = arith.constant 32 : i32
  scf.while : () -> () {
    scf.condition(%true)
  } do {
    %v, %p = gpu.shuffle xor %n, %n, %n : i32
    scf.yield
  }
  return
}

//--- one-lane.mlir
// One thread goes on among 1024 that wait.
// CHECK: error: no end in sight: the run takes more than 1000000 steps
// CHECK: {{^}}races: 0, divergent barriers: 1, out of bounds: 0, uninitialized reads: 0{{$}}
func.func @k() attributes {gpu.known_block_size = array<i32: 1024, 1, 1>} {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1 : i32
  %t = gpu.thread_id x
  %first = arith.cmpi eq, %t, %c0 : index
  scf.while : () -> () {
    scf.condition(%first)
  } do {
    nvvm.bar.warp.sync %one : i32
    scf.yield
  }
  gpu.barrier
  return
}

//--- calls.mlir
// 2^24 calls without a loop.
// CHECK: error: deadlock: thread (0, 0, 0) and its workgroup take more than 1000000 steps without coming to a barrier
// CHECK: {{^}}races: 0, divergent barriers: 1, out of bounds: 0, uninitialized reads: 0{{$}}
func.func private @f0() {
  return
}
func.func private @f1() {
  func.call @f0() : () -> ()
  func.call @f0() : () -> ()
  func.call @f0() : () -> ()
  func.call @f0() : () -> ()
  func.call @f0() : () -> ()
  func.call @f0() : () -> ()
  func.call @f0() : () -> ()
  func.call @f0() : () -> ()
  return
}
func.func private @f2() {
  func.call @f1() : () -> ()
  func.call @f1() : () -> ()
  func.call @f1() : () -> ()
  func.call @f1() : () -> ()
  func.call @f1() : () -> ()
  func.call @f1() : () -> ()
  func.call @f1() : () -> ()
  func.call @f1() : () -> ()
  return
}
func.func private @f3() {
  func.call @f2() : () -> ()
  func.call @f2() : () -> ()
  func.call @f2() : () -> ()
  func.call @f2() : () -> ()
  func.call @f2() : () -> ()
  func.call @f2() : () -> ()
  func.call @f2() : () -> ()
  func.call @f2() : () -> ()
  return
}
func.func private @f4() {
  func.call @f3() : () -> ()
  func.call @f3() : () -> ()
  func.call @f3() : () -> ()
  func.call @f3() : () -> ()
  func.call @f3() : () -> ()
  func.call @f3() : () -> ()
  func.call @f3() : () -> ()
  func.call @f3() : () -> ()
  return
}
func.func private @f5() {
  func.call @f4() : () -> ()
  func.call @f4() : () -> ()
  func.call @f4() : () -> ()
  func.call @f4() : () -> ()
  func.call @f4() : () -> ()
  func.call @f4() : () -> ()
  func.call @f4() : () -> ()
  func.call @f4() : () -> ()
  return
}
func.func private @f6() {
  func.call @f5() : () -> ()
  func.call @f5() : () -> ()
  func.call @f5() : () -> ()
  func.call @f5() : () -> ()
  func.call @f5() : () -> ()
  func.call @f5() : () -> ()
  func.call @f5() : () -> ()
  func.call @f5() : () -> ()
  return
}
func.func private @f7() {
  func.call @f6() : () -> ()
  func.call @f6() : () -> ()
  func.call @f6() : () -> ()
  func.call @f6() : () -> ()
  func.call @f6() : () -> ()
  func.call @f6() : () -> ()
  func.call @f6() : () -> ()
  func.call @f6() : () -> ()
  return
}
func.func @k() attributes {gpu.known_block_size = array<i32: 1, 1, 1>} {
  func.call @f7() : () -> ()
  return
}

//--- blocks.mlir
// A cycle that is entered at two places is no loop that compilers know.
// CHECK: error: deadlock: thread (0, 0, 0) and its workgroup take more than 1000000 steps
// CHECK: {{^}}races: 0, divergent barriers: 1, out of bounds: 0, uninitialized reads: 0{{$}}
func.func @k(%x: memref<4xi32>) attributes {gpu.known_block_size = array<i32: 1, 1, 1>} {
  %c0 = arith.constant 0 : index
  %t = gpu.thread_id x
  %first = arith.cmpi eq, %t, %c0 : index
  cf.cond_br %first, ^left, ^right
^left:
  cf.br ^right
^right:
  cf.br ^left
}

//--- views.mlir
// CHECK: error: deadlock: thread (0, 0, 0) and its workgroup take more than 1000000 steps
// CHECK: {{^}}races: 0, divergent barriers: 1, out of bounds: 0, uninitialized reads: 0{{$}}
func.func @k(%x: memref<1024xi8>) attributes {gpu.known_block_size = array<i32: 1, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c512 = arith.constant 512 : index
  %n = arith.constant 1000000000000 : index
  scf.for %i = %c0 to %n step %c1 {
    %shift = arith.remui %i, %c512 : index
    %v = memref.view %x[%shift][] : memref<1024xi8> to memref<512xi8>
    %l = memref.load %v[%c0] : memref<512xi8>
  }
  return
}

//--- grid.mlir
// Steps are counted over all workgroups, and these need 250,000.
// CHECK: error: no end in sight: the run takes more than 150000 steps
// CHECK: {{^}}races: 0, divergent barriers: {{[1-9]}}, out of bounds: 0, uninitialized reads: 0{{$}}
// THREADS: error: the launch has 1000 threads, each of which is 128 steps of the 1000 that 'max-steps' allows; run fewer, or allow more
// THREADS-NOT: races:
// MEMORY: error: --arg=0:fill:0: the arguments take more than a quarter of the memory that 'max-memory' allows
// MEMORY-NOT: races:
// WORKERS: error: workgroups can be spread over at most 256 OS threads
// WORKERS-NOT: races:
// ZERO: error: --max-memory: wanted is a positive number
// ZERO-NOT: races:
func.func @k(%x: memref<1000xi32>) attributes {gpu.known_block_size = array<i32: 1, 1, 1>, gpu.known_grid_size = array<i32: 1000, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c100 = arith.constant 100 : index
  %one = arith.constant 1 : i32
  %b = gpu.block_id x
  scf.for %i = %c0 to %c100 step %c1 {
    %old = memref.atomic_rmw addi %one, %x[%b] : (i32, memref<1000xi32>) -> i32
  }
  return
}

//--- released.mlir
// 400 KB of private memory, one kilobyte at a time, in each of 8 threads.
func.func private @f(%i: index) {
  %c0 = arith.constant 0 : index
  %a = memref.alloca() : memref<128xindex>
  memref.store %i, %a[%c0] : memref<128xindex>
  return
}
func.func @k() attributes {gpu.known_block_size = array<i32: 8, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c400 = arith.constant 400 : index
  scf.for %i = %c0 to %c400 step %c1 {
    func.call @f(%i) : (index) -> ()
  }
  return
}

//--- copies-left.mlir
// Copies that no workgroup waits for end with it.
func.func @k(%x: memref<4xf32>) attributes {gpu.known_block_size = array<i32: 1, 1, 1>} {
  %c0 = arith.constant 0 : index
  %w = memref.alloc() : memref<4xf32, #gpu.address_space<workgroup>>
  %c = nvgpu.device_async_copy %x[%c0], %w[%c0], 4 : memref<4xf32> to memref<4xf32, #gpu.address_space<workgroup>>
  %g = nvgpu.device_async_create_group %c
  return
}

//--- private-in-loop.mlir
// A thread's stack does not end with an iteration.
// CHECK: .mlir:[[#@LINE+7]]:{{[0-9]+}}: error: memory limit
// CHECK-NOT: races:
func.func @k(%x: memref<4xf32>) attributes {gpu.known_block_size = array<i32: 1, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 1000000000 : index
  scf.for %i = %c0 to %n step %c1 {
    %a = memref.alloca() : memref<262144xf32>
    %f = arith.constant 3.0 : f32
    memref.store %f, %a[%c0] : memref<262144xf32>
  }
  return
}

//--- pending-copies.mlir
// CHECK: .mlir:[[#@LINE+8]]:{{[0-9]+}}: error: memory limit
// CHECK-NOT: races:
func.func @k(%x: memref<64xf32>) attributes {gpu.known_block_size = array<i32: 1, 1, 1>} {
  %w = memref.alloc() : memref<64xf32, #gpu.address_space<workgroup>>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 1000000000 : index
  scf.for %i = %c0 to %n step %c1 {
    %g = nvgpu.device_async_create_group
  }
  return
}

//--- atomics.mlir
// What is kept of atomics is kept besides.
// CHECK: .mlir:[[#@LINE+9]]:{{[0-9]+}}: error: memory limit
// CHECK-NOT: races:
func.func @k(%x: memref<1024xi32>) attributes {gpu.known_block_size = array<i32: 1024, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c1024 = arith.constant 1024 : index
  %one = arith.constant 1 : i32
  scf.for %i = %c0 to %c1024 step %c1 {
    // Every thread adds to every element.
    %old = memref.atomic_rmw addi %one, %x[%i] : (i32, memref<1024xi32>) -> i32
  }
  return
}

//--- many-views.mlir
// Views of one workgroup mean nothing to the next one.
func.func @k() attributes {gpu.known_block_size = array<i32: 1, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %f = arith.constant 1.0 : f32
  %a = memref.alloc() : memref<64xi8, #gpu.address_space<workgroup>>
  %b = memref.alloc() : memref<256xf32, #gpu.address_space<workgroup>>
  scf.for %i = %c0 to %c64 step %c1 {
    %v = memref.view %a[%i][] : memref<64xi8, #gpu.address_space<workgroup>> to memref<1xi8, #gpu.address_space<workgroup>>
    memref.store %f, %b[%i] : memref<256xf32, #gpu.address_space<workgroup>>
  }
  return
}
