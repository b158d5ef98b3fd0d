// RUN: split-file %s %t
// RUN: memspace-runner %t/spin-ok.mlir --arg=0:fill:0 --out=0:%t/spin-ok-0.npy 2>&1 | FileCheck %s --check-prefix=CLEAN
// RUN: %compare %t/spin-ok-0.npy "1"
// RUN: memspace-runner %t/spin-ok.mlir --arg=0:fill:0 --orders=8 --out=0:%t/spin-ok-0.npy 2>&1 | FileCheck %s --check-prefix=CLEAN
// RUN: %compare %t/spin-ok-0.npy "1"
// RUN: %broken bad %t/spin-ok.mlir %t/spin-ok-bad.mlir
// RUN: not memspace-runner %t/spin-ok-bad.mlir --arg=0:fill:0 --max-steps=10000 2>&1 | FileCheck %t/spin-ok.mlir
// RUN: not memspace-runner %t/spin-plain.mlir --arg=0:fill:0 2>&1 | FileCheck %t/spin-plain.mlir
// RUN: memspace-runner %t/each-other.mlir --arg=0:fill:0 2>&1 | FileCheck %s --check-prefix=CLEAN
// RUN: %broken bad %t/each-other.mlir %t/each-other-bad.mlir
// RUN: not memspace-runner %t/each-other-bad.mlir --arg=0:fill:0 --max-steps=10000 2>&1 | FileCheck %t/each-other.mlir
// RUN: not memspace-runner %t/barrier-while-spinning.mlir --arg=0:fill:0 --max-steps=10000 2>&1 | FileCheck %t/barrier-while-spinning.mlir
// RUN: not memspace-runner %t/endless.mlir --max-steps=10000 2>&1 | FileCheck %t/endless.mlir
// RUN: memspace-runner %t/between-workgroups.mlir --grid=2 --arg=0:fill:0 --max-steps=100000 --out=0:%t/between-workgroups-0.npy 2>&1 | FileCheck %s --check-prefix=CLEAN
// RUN: %compare %t/between-workgroups-0.npy "1"
// RUN: not memspace-runner %t/between-workgroups.mlir --grid=1 --arg=0:fill:0 --max-steps=10000 2>&1 | FileCheck %t/between-workgroups.mlir

// CLEAN-NOT: {{error|warning}}:
// CLEAN: {{^}}races: 0, divergent barriers: 0, out of bounds: 0, uninitialized reads: 0{{$}}

// Threads that wait for each other without a barrier.

//--- spin-ok.mlir
// Thread 63 sets a flag, the others spin on it: they must come to an end in
// every order. Broken: nobody sets it.
// CHECK: error: deadlock: thread ({{[0-9]+}}, 0, 0) and its workgroup take more than 10000 steps without coming to a barrier
// CHECK: {{^}}races: 0, divergent barriers: 1, out of bounds: 0, uninitialized reads: 0{{$}}
func.func @k(%flag: memref<1xi32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c63 = arith.constant 63 : index
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %t = gpu.thread_id x
  %last = arith.cmpi eq, %t, %c63 : index // not bad
  //bad: %last = arith.cmpi ugt, %t, %c63 : index
  scf.if %last {
    %was = memref.atomic_rmw assign %one, %flag[%c0] : (i32, memref<1xi32>) -> i32
  }
  scf.while : () -> () {
    %f = memref.atomic_rmw addi %zero, %flag[%c0] : (i32, memref<1xi32>) -> i32
    %wait = arith.cmpi eq, %f, %zero : i32
    scf.condition(%wait)
  } do {
    scf.yield
  }
  return
}

//--- spin-plain.mlir
// The same with plain accesses: a race.
// CHECK: error: data race in global memory
// CHECK: {{^}}races: {{[1-9][0-9]*}}, divergent barriers: {{[0-9]+}}, out of bounds: 0, uninitialized reads: 0{{$}}
func.func @k(%flag: memref<1xi32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c63 = arith.constant 63 : index
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %t = gpu.thread_id x
  %last = arith.cmpi eq, %t, %c63 : index
  scf.if %last {
    memref.store %one, %flag[%c0] : memref<1xi32>
  }
  scf.while : () -> () {
    %f = memref.load %flag[%c0] : memref<1xi32>
    %wait = arith.cmpi eq, %f, %zero : i32
    scf.condition(%wait)
  } do {
    scf.yield
  }
  return
}

//--- each-other.mlir
// Two threads that each wait for the other's flag before they set their own.
// CHECK: error: deadlock: thread ({{[0-9]+}}, 0, 0) and its workgroup take more than 10000 steps without coming to a barrier
// CHECK: {{^}}races: 0, divergent barriers: 1, out of bounds: 0, uninitialized reads: 0{{$}}
#wg = #gpu.address_space<workgroup>
func.func @k(%flags: memref<2xi32>) attributes {gpu.known_block_size = array<i32: 2, 1, 1>} {
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %t = gpu.thread_id x
  %other = arith.xori %t, %c1 : index
  %set = memref.atomic_rmw assign %one, %flags[%t] : (i32, memref<2xi32>) -> i32 // not bad
  scf.while : () -> () {
    %f = memref.atomic_rmw addi %zero, %flags[%other] : (i32, memref<2xi32>) -> i32
    %wait = arith.cmpi eq, %f, %zero : i32
    scf.condition(%wait)
  } do {
    scf.yield
  }
  //bad: %set = memref.atomic_rmw assign %one, %flags[%t] : (i32, memref<2xi32>) -> i32
  return
}

//--- barrier-while-spinning.mlir
// Thread 0 waits at the barrier before it sets the flag, the others spin on it
// before theirs.
// CHECK: error: {{deadlock|divergent barrier}}
// CHECK: {{^}}races: 0, divergent barriers: 1, out of bounds: 0, uninitialized reads: 0{{$}}
func.func @k(%flag: memref<1xi32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %t = gpu.thread_id x
  %first = arith.cmpi eq, %t, %c0 : index
  %start = arith.select %first, %one, %zero : i32
  scf.while (%s = %start) : (i32) -> () {
    %wait = arith.cmpi eq, %s, %zero : i32
    scf.condition(%wait)
  } do {
    %f = memref.atomic_rmw addi %zero, %flag[%c0] : (i32, memref<1xi32>) -> i32
    scf.yield %f : i32
  }
  gpu.barrier
  scf.if %first {
    %was = memref.atomic_rmw assign %one, %flag[%c0] : (i32, memref<1xi32>) -> i32
  }
  return
}

//--- endless.mlir
// A loop that never ends, without any access.
// CHECK: error: deadlock: thread (0, 0, 0) and its workgroup take more than 10000 steps without coming to a barrier
// CHECK: {{^}}races: 0, divergent barriers: 1, out of bounds: 0, uninitialized reads: 0{{$}}
func.func @k(%y: memref<1xi32>) attributes {gpu.known_block_size = array<i32: 1, 1, 1>} {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1 : i32
  %e = scf.while (%i = %one) : (i32) -> i32 {
    %odd = arith.andi %i, %one : i32
    %more = arith.cmpi eq, %odd, %one : i32
    scf.condition(%more) %i : i32
  } do {
  ^bb0(%i: i32):
    %a = arith.addi %i, %one : i32
    %b = arith.addi %a, %one : i32
    scf.yield %b : i32
  }
  memref.store %e, %y[%c0] : memref<1xi32>
  return
}

//--- between-workgroups.mlir
// Workgroup 0 sets the flag that workgroup 1 waits for: fine in the order in
// which workgroups are started. Alone, workgroup 0 waits in vain.
// CHECK: error: deadlock
// CHECK: {{^}}races: 0, divergent barriers: 1, out of bounds: 0, uninitialized reads: 0{{$}}
func.func @k(%flags: memref<2xi32>) attributes {gpu.known_block_size = array<i32: 1, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %b = gpu.block_id x
  %n = gpu.grid_dim x
  %alone = arith.cmpi eq, %n, %c1 : index
  %first = arith.cmpi eq, %b, %c0 : index
  %set = memref.atomic_rmw assign %one, %flags[%b] : (i32, memref<2xi32>) -> i32
  %mine = arith.select %alone, %c1, %c0 : index
  scf.while : () -> () {
    %f = memref.atomic_rmw addi %zero, %flags[%mine] : (i32, memref<2xi32>) -> i32
    %wait = arith.cmpi eq, %f, %zero : i32
    scf.condition(%wait)
  } do {
    scf.yield
  }
  return
}
