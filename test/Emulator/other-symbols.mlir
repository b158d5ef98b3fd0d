// RUN: memspace-runner %s --arg=0:iota --out=1:%t.npy 2>&1 | FileCheck %s
// RUN: %compare %t.npy "2 * ((i + 3) // 4) + 3 * (i // 4) + (i - 7) // 2 + 5"

// What the kernel does not need may be anything: tensor code, functions
// without a body, globals that nobody can run on. What it needs through other
// functions comes along, whatever its name means elsewhere.

// CHECK-NOT: error:
// CHECK: {{^}}races: 0, divergent barriers: 0, out of bounds: 0, uninitialized reads: 0{{$}}

memref.global @unknown_space : memref<4xf32, 7> = uninitialized
memref.global "private" @elsewhere : memref<4xf32>

func.func private @external(memref<4xf32>)

func.func @on_tensors(%x: tensor<4xf32>) -> tensor<4xf32> {
  %e = tensor.empty() : tensor<4xf32>
  return %e : tensor<4xf32>
}

func.func @host(%x: memref<4xf32>) {
  %e = memref.get_global @elsewhere : memref<4xf32>
  func.call @external(%e) : (memref<4xf32>) -> ()
  func.call @host(%x) : (memref<4xf32>) -> ()
  return
}

// A name of the C library, one that the emulator gives, and one after it.
memref.global "private" constant @malloc : memref<2xi32> = dense<[2, 3]>
memref.global "private" constant @msrt_global_2 : memref<1xi32> = dense<5>

func.func private @msrt_global_0(%i: index) -> i32 {
  %table = memref.get_global @malloc : memref<2xi32>
  %v = memref.load %table[%i] : memref<2xi32>
  return %v : i32
}

func.func private @weigh(%i: index, %v: i32) -> i32 {
  %weight = func.call @msrt_global_0(%i) : (index) -> i32
  %product = arith.muli %weight, %v : i32
  return %product : i32
}

func.func @kernel(%x: memref<16xi32>, %out: memref<16xi32>) attributes {gpu.known_block_size = array<i32: 16, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %two = arith.constant 2 : i32
  %four = arith.constant 4 : i32
  %seven = arith.constant 7 : i32
  %t = gpu.thread_id x
  %v = memref.load %x[%t] : memref<16xi32>
  %up = arith.ceildivui %v, %four : i32
  %down = arith.floordivsi %v, %four : i32
  %a = func.call @weigh(%c0, %up) : (index, i32) -> i32
  %b = func.call @weigh(%c1, %down) : (index, i32) -> i32
  %less = arith.subi %v, %seven : i32
  %half = arith.floordivsi %less, %two : i32
  %table = memref.get_global @msrt_global_2 : memref<1xi32>
  %five = memref.load %table[%c0] : memref<1xi32>
  %ab = arith.addi %a, %b : i32
  %abc = arith.addi %ab, %half : i32
  %sum = arith.addi %abc, %five : i32
  memref.store %sum, %out[%t] : memref<16xi32>
  return
}
