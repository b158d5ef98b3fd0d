// RUN: split-file %s %t
// RUN: %python %S/Inputs/write_npy.py %t
// RUN: %status 2 memspace-runner %t/tensor.mlir 2>&1 | FileCheck %t/tensor.mlir --implicit-check-not=error:
// RUN: %status 2 memspace-runner %t/tensor-argument.mlir 2>&1 | FileCheck %t/tensor-argument.mlir --implicit-check-not=error:
// RUN: %status 2 memspace-runner %t/mapped-forall.mlir 2>&1 | FileCheck %t/mapped-forall.mlir --implicit-check-not=error:
// RUN: %status 2 memspace-runner %t/dynamic-workgroup.mlir --arg=0:fill:4 2>&1 | FileCheck %t/dynamic-workgroup.mlir --implicit-check-not=error:
// RUN: %status 2 memspace-runner %t/heap.mlir 2>&1 | FileCheck %t/heap.mlir --implicit-check-not=error:
// RUN: %status 2 memspace-runner %t/unknown-call.mlir 2>&1 | FileCheck %t/unknown-call.mlir --implicit-check-not=error:
// RUN: %status 2 memspace-runner %t/unknown-op.mlir 2>&1 | FileCheck %t/unknown-op.mlir --implicit-check-not=error:
// RUN: %status 2 memspace-runner %t/launch.mlir 2>&1 | FileCheck %t/launch.mlir --implicit-check-not=error:
// RUN: %status 2 memspace-runner %t/results.mlir 2>&1 | FileCheck %t/results.mlir --implicit-check-not=error:
// RUN: %status 2 memspace-runner %t/syntax.mlir 2>&1 | FileCheck %t/syntax.mlir --implicit-check-not=error:
// RUN: %status 2 memspace-runner %t/workgroup-argument.mlir 2>&1 | FileCheck %t/workgroup-argument.mlir --implicit-check-not=error:
// RUN: %status 2 memspace-runner %t/barrier-in-callee.mlir 2>&1 | FileCheck %t/barrier-in-callee.mlir --implicit-check-not=error:
// RUN: %status 2 memspace-runner %t/assert.mlir 2>&1 | FileCheck %t/assert.mlir --implicit-check-not=error:
// RUN: %status 2 memspace-runner %t/two.mlir 2>&1 | FileCheck %t/two.mlir --implicit-check-not=error:
// RUN: %status 2 memspace-runner %t/two.mlir --kernel=third 2>&1 | FileCheck %t/two.mlir --check-prefix=THIRD --implicit-check-not=error:
// RUN: %status 2 memspace-runner %t/two.mlir --kernel=first --arg=2:iota 2>&1 | FileCheck %t/two.mlir --check-prefix=ARGS --implicit-check-not=error:
// RUN: %status 2 memspace-runner %t/two.mlir --kernel=first --arg=0:itoa 2>&1 | FileCheck %t/two.mlir --check-prefix=WORD --implicit-check-not=error:
// RUN: %status 2 memspace-runner %t/two.mlir --kernel=first --arg=0:iota --arg=0:fill:1 2>&1 | FileCheck %t/two.mlir --check-prefix=TWICE --implicit-check-not=error:
// RUN: %status 2 memspace-runner %t/two.mlir --kernel=first --orders=0 2>&1 | FileCheck %t/two.mlir --check-prefix=ORDERS --implicit-check-not=error:
// RUN: %status 2 memspace-runner %t/two.mlir --kernel=first --threads=0 2>&1 | FileCheck %t/two.mlir --check-prefix=THREADS --implicit-check-not=error:
// RUN: %status 2 memspace-runner %t/two.mlir --kernel=first --subgroup-size=0 2>&1 | FileCheck %t/two.mlir --check-prefix=LANES --implicit-check-not=error:
// RUN: %status 2 memspace-runner %t/two.mlir --kernel=first --max-steps=0 2>&1 | FileCheck %t/two.mlir --check-prefix=STEPS --implicit-check-not=error:
// RUN: %status 2 memspace-runner %t/two.mlir --kernel=first --dynamic-workgroup-bytes=-1 2>&1 | FileCheck %t/two.mlir --check-prefix=BYTES --implicit-check-not=error:
// RUN: %status 2 memspace-runner %t/two.mlir --kernel=first --arg= 2>&1 | FileCheck %t/two.mlir --check-prefix=EMPTY --implicit-check-not=error:
// RUN: %status 2 memspace-runner %t/two.mlir --kernel=first --arg=x:iota 2>&1 | FileCheck %t/two.mlir --check-prefix=NUMBER --implicit-check-not=error:
// RUN: %status 2 memspace-runner %t/two.mlir --kernel=first --arg=0:random:seven 2>&1 | FileCheck %t/two.mlir --check-prefix=SEED --implicit-check-not=error:
// RUN: %status 2 memspace-runner %t/two.mlir --kernel=first --arg=0:fill:red 2>&1 | FileCheck %t/two.mlir --check-prefix=VALUE --implicit-check-not=error:
// RUN: %status 2 memspace-runner %t/two.mlir --kernel=first --arg=-1:iota 2>&1 | FileCheck %t/two.mlir --check-prefix=NEGATIVE --implicit-check-not=error:
// RUN: %status 2 memspace-runner %t/two.mlir --kernel=first --arg=0:npy:%t/there-is-none.npy 2>&1 | FileCheck %t/two.mlir --check-prefix=MISSING --implicit-check-not=error:
// RUN: %status 2 memspace-runner %t/two.mlir --kernel=first --out=2:%t/out.npy 2>&1 | FileCheck %t/two.mlir --check-prefix=OUT --implicit-check-not=error:
// RUN: %status 2 memspace-runner %t/two.mlir --kernel=first --arg=0:iota --out=0:%t/no/such/directory/out.npy 2>&1 | FileCheck %t/two.mlir --check-prefix=DIRECTORY --implicit-check-not=error:
// RUN: %status 2 memspace-runner %t/two.mlir --kernel=first --shape=0:5 2>&1 | FileCheck %t/two.mlir --check-prefix=SHAPE --implicit-check-not=error:
// RUN: %status 2 memspace-runner %t/two.mlir --kernel=first --shape=0:4x4 2>&1 | FileCheck %t/two.mlir --check-prefix=RANK --implicit-check-not=error:
// RUN: %status 2 memspace-runner %t/two.mlir --kernel=first --block=8 2>&1 | FileCheck %t/two.mlir --check-prefix=BLOCK --implicit-check-not=error:
// RUN: %status 2 memspace-runner %t/two.mlir --kernel=second --block=0 2>&1 | FileCheck %t/two.mlir --check-prefix=ZERO --implicit-check-not=error:
// RUN: %status 2 memspace-runner %t/two.mlir --kernel=second --block=1025 --shape=0:4 --arg=1:iota 2>&1 | FileCheck %t/two.mlir --check-prefix=LARGE --implicit-check-not=error:
// RUN: %status 2 memspace-runner %t/two.mlir --kernel=second --block=64,64 --shape=0:4 --arg=1:iota 2>&1 | FileCheck %t/two.mlir --check-prefix=LARGE --implicit-check-not=error:
// RUN: %status 2 memspace-runner %t/two.mlir --kernel=second --block=1 --grid=0 2>&1 | FileCheck %t/two.mlir --check-prefix=GRID --implicit-check-not=error:
// RUN: %status 2 memspace-runner %t/two.mlir --kernel=first --grid=100000000000 2>&1 | FileCheck %t/two.mlir --check-prefix=HUGE --implicit-check-not=error:
// RUN: %status 2 memspace-runner %t/two.mlir --kernel=second --block=x 2>&1 | FileCheck %t/two.mlir --check-prefix=LETTER --implicit-check-not=error:
// RUN: %status 2 memspace-runner %t/two.mlir --kernel=second --block=1,1,1,1 2>&1 | FileCheck %t/two.mlir --check-prefix=FOUR --implicit-check-not=error:
// RUN: %status 2 memspace-runner %t/two.mlir --kernel=first --subgroup-size=128 2>&1 | FileCheck %t/two.mlir --check-prefix=SUBGROUP --implicit-check-not=error:
// RUN: %status 2 memspace-runner %t/two.mlir --kernel=first --chip=toaster 2>&1 | FileCheck %t/two.mlir --check-prefix=CHIP --implicit-check-not=error:
// RUN: %status 2 memspace-runner %t/two.mlir --kernel=second --block=1 --arg=0:iota 2>&1 | FileCheck %t/two.mlir --check-prefix=DYNAMIC --implicit-check-not=error:
// RUN: %status 2 memspace-runner %t/two.mlir --kernel=second --block=1 --shape=0:-4 --arg=1:iota 2>&1 | FileCheck %t/two.mlir --check-prefix=NEGSHAPE --implicit-check-not=error:
// RUN: %status 2 memspace-runner %t/two.mlir --kernel=second --block=1 --shape=0:4 2>&1 | FileCheck %t/two.mlir --check-prefix=SCALAR --implicit-check-not=error:
// RUN: %status 2 memspace-runner %t/npy.mlir --arg=0:npy:%t/i32.npy 2>&1 | FileCheck %t/npy.mlir --check-prefix=TYPE --implicit-check-not=error:
// RUN: %status 2 memspace-runner %t/npy.mlir --arg=0:npy:%t/time.npy 2>&1 | FileCheck %t/npy.mlir --check-prefix=KIND --implicit-check-not=error:
// RUN: %status 2 memspace-runner %t/npy.mlir --arg=0:npy:%t/f32-8.npy 2>&1 | FileCheck %t/npy.mlir --check-prefix=SHAPE --implicit-check-not=error:
// RUN: %status 2 memspace-runner %t/npy.mlir --arg=0:npy:%t/npy.mlir 2>&1 | FileCheck %t/npy.mlir --check-prefix=JUNK --implicit-check-not=error:
// RUN: %status 2 memspace-runner %t/npy.mlir --arg=0:npy:%t/cut.npy 2>&1 | FileCheck %t/npy.mlir --check-prefix=CUT --implicit-check-not=error:
// RUN: memspace-runner %t/npy.mlir --arg=0:npy:%t/f32-4.npy --out=0:%t/npy-0.npy 2>&1 | FileCheck %s --check-prefix=CLEAN
// RUN: %compare %t/npy-0.npy "i + 0.5"

// CLEAN-NOT: {{error|warning}}:
// CLEAN: {{^}}races: 0, divergent barriers: 0, out of bounds: 0, uninitialized reads: 0{{$}}

// Bad input: one diagnostic, nothing is run, exit status 2.

//--- tensor.mlir
// CHECK: .mlir:[[#@LINE+4]]:{{[0-9]+}}: error: 'tensor.empty' works on tensors; the emulator runs bufferized kernels
// CHECK-NOT: races:
func.func @k(%x: memref<4xf32>) attributes {gpu.known_block_size = array<i32: 1, 1, 1>} {
  %c0 = arith.constant 0 : index
  %e = tensor.empty() : tensor<4xf32>
  %v = tensor.extract %e[%c0] : tensor<4xf32>
  memref.store %v, %x[%c0] : memref<4xf32>
  return
}

//--- tensor-argument.mlir
// CHECK: .mlir:[[#@LINE+2]]:{{[0-9]+}}: error: argument 0 of type 'tensor<4xf32>' is a tensor
// CHECK-NOT: races:
func.func @k(%x: tensor<4xf32>) attributes {gpu.known_block_size = array<i32: 1, 1, 1>} {
  return
}

//--- mapped-forall.mlir
// CHECK: .mlir:[[#@LINE+4]]:{{[0-9]+}}: error: 'scf.forall' is mapped to threads
// CHECK-NOT: races:
func.func @k(%x: memref<4xf32>) attributes {gpu.known_block_size = array<i32: 4, 1, 1>} {
  %zero = arith.constant 0.0 : f32
  scf.forall (%i) in (4) {
    memref.store %zero, %x[%i] : memref<4xf32>
  } {mapping = [#gpu.thread<x>]}
  return
}

//--- dynamic-workgroup.mlir
// CHECK: .mlir:[[#@LINE+3]]:{{[0-9]+}}: error: 'memref.alloc' of workgroup memory with a dynamic size: a GPU cannot allocate it; allocate an upper bound
// CHECK-NOT: races:
func.func @k(%n: index) attributes {gpu.known_block_size = array<i32: 4, 1, 1>} {
  %w = memref.alloc(%n) : memref<?xf32, #gpu.address_space<workgroup>>
  return
}

//--- heap.mlir
// CHECK: .mlir:[[#@LINE+3]]:{{[0-9]+}}: error: 'memref.alloc' in global memory
// CHECK-NOT: races:
func.func @k() attributes {gpu.known_block_size = array<i32: 4, 1, 1>} {
  %w = memref.alloc() : memref<4xf32>
  return
}

//--- unknown-call.mlir
// CHECK: .mlir:[[#@LINE+4]]:{{[0-9]+}}: error: 'func.call' calls a function without a body
// CHECK-NOT: races:
func.func private @elsewhere()
func.func @k() attributes {gpu.known_block_size = array<i32: 4, 1, 1>} {
  func.call @elsewhere() : () -> ()
  return
}

//--- unknown-op.mlir
// CHECK: .mlir:[[#@LINE+3]]:{{[0-9]+}}: error: 'nvvm.cluster.arrive' is not emulated; lower it to gpu, memref or vector ops first
// CHECK-NOT: races:
func.func @k() attributes {gpu.known_block_size = array<i32: 4, 1, 1>} {
  nvvm.cluster.arrive
  return
}

//--- launch.mlir
// CHECK: .mlir:[[#@LINE+4]]:{{[0-9]+}}: error: 'gpu.launch' launches a kernel
// CHECK-NOT: races:
func.func @k() attributes {gpu.known_block_size = array<i32: 4, 1, 1>} {
  %c1 = arith.constant 1 : index
  gpu.launch blocks(%a, %b, %c) in (%d = %c1, %e = %c1, %f = %c1) threads(%g, %h, %i) in (%j = %c1, %k = %c1, %l = %c1) {
    gpu.terminator
  }
  return
}

//--- results.mlir
// CHECK: .mlir:[[#@LINE+2]]:{{[0-9]+}}: error: a kernel has no results
// CHECK-NOT: races:
func.func @k(%x: i32) -> i32 attributes {gpu.known_block_size = array<i32: 1, 1, 1>} {
  return %x : i32
}

//--- syntax.mlir
// CHECK: syntax.mlir:[[#@LINE+3]]:{{[0-9]+}}: error:
// CHECK-NOT: races:
func.func @k() {
  not an operation
}

//--- workgroup-argument.mlir
// CHECK: .mlir:[[#@LINE+2]]:{{[0-9]+}}: error: {{.*}}is not in global memory
// CHECK-NOT: races:
func.func @k(%x: memref<4xf32, #gpu.address_space<workgroup>>) attributes {gpu.known_block_size = array<i32: 1, 1, 1>} {
  return
}

//--- barrier-in-callee.mlir
// Threads that come to the barrier from two calls would not be told apart.
// CHECK: .mlir:[[#@LINE+8]]:{{[0-9]+}}: error: 'func.call' calls a function with a barrier or subgroup op; inline it with 'inline'
// CHECK-NOT: races:
func.func private @sync() {
  gpu.barrier
  return
}
func.func @k(%c: i1) attributes {gpu.known_block_size = array<i32: 4, 1, 1>} {
  scf.if %c {
    func.call @sync() : () -> ()
  } else {
    func.call @sync() : () -> ()
  }
  return
}

//--- assert.mlir
// CHECK: .mlir:[[#@LINE+3]]:{{[0-9]+}}: error: 'cf.assert' would end the process; remove it
// CHECK-NOT: races:
func.func @k(%c: i1) attributes {gpu.known_block_size = array<i32: 4, 1, 1>} {
  cf.assert %c, "never"
  return
}

//--- two.mlir
// Two kernels, and what can be wrong with options.
// CHECK: error: 2 kernels to run; name one of them
// THIRD: error: no function '@third' to run
// ARGS: error: --arg=2:iota: the kernel has 2 arguments, counted from 0
// WORD: error: --arg=0:itoa: unknown contents 'itoa'; known are npy:FILE, random:SEED, iota, fill:VALUE and uninit
// EMPTY: error: --arg=: wanted is N:{{.*}}, N being the number of an argument
// NUMBER: error: --arg=x:iota: wanted is N:{{.*}}, N being the number of an argument
// SEED: error: --arg=0:random:seven: 'random' wants a seed, a number
// VALUE: error: --arg=0:fill:red: 'fill' wants a number
// TWICE: error: --arg=0:fill:1: argument 0 is given twice; leave one out
// ORDERS: error: --orders: wanted is a positive number
// THREADS: error: --threads: wanted is a positive number
// LANES: error: --subgroup-size: wanted is a positive number
// STEPS: error: --max-steps: wanted is a positive number
// BYTES: error: --dynamic-workgroup-bytes: wanted is a number of bytes from 0 on
// NEGATIVE: error: --arg=-1:iota: wanted is N:{{.*}}, N being the number of an argument
// MISSING: error: --arg=0:npy:{{.*}}there-is-none.npy': No such file or directory
// OUT: error: --out=2:{{.*}}out.npy: the kernel has 2 arguments, counted from 0
// DIRECTORY: error: '{{.*}}no/such/directory/out.npy': No such file or directory
// SHAPE: .mlir:[[#@LINE+15]]:{{[0-9]+}}: error: argument 0 of type 'memref<4xf32>' is given the shape [5]
// RANK: .mlir:[[#@LINE+14]]:{{[0-9]+}}: error: argument 0 of type 'memref<4xf32>' is given the shape [4, 4]
// BLOCK: .mlir:[[#@LINE+13]]:{{[0-9]+}}: error: workgroup size 8 in dimension 0 contradicts the known size 4
// ZERO: error: --block=0: wanted are one to three positive numbers, separated by commas
// LARGE: error: a workgroup has at most 1024 threads
// GRID: error: --grid=0: wanted are one to three positive numbers, separated by commas
// HUGE: error: the grid has more threads than the emulator can number
// LETTER: error: --block=x: wanted are one to three positive numbers, separated by commas
// FOUR: error: --block=1,1,1,1: wanted are one to three positive numbers, separated by commas
// SUBGROUP: error: a subgroup of 128 threads; from 1 to 64 are emulated
// CHIP: error: --chip=toaster: unknown chip; known are gfx906,
// DYNAMIC: error: --arg=0:iota: the type has dynamic extents; give --shape=N:
// NEGSHAPE: error: --shape=0:-4: wanted is N:300x4
// SCALAR: error: argument 1 is a scalar; give --arg=1:fill:VALUE
gpu.module @m {
  gpu.func @first(%x: memref<4xf32>, %y: memref<4xf32>) kernel attributes {known_block_size = array<i32: 4, 1, 1>} {
    gpu.return
  }
  gpu.func @second(%x: memref<?xf32>, %n: i32) kernel {
    gpu.return
  }
}

//--- npy.mlir
// Files of another type, another shape, no format, and cut off.
// TYPE: error: {{.*}}i32.npy
// KIND: error: {{.*}}time.npy{{.*}}: element type '<M8[ns]' is not supported
// SHAPE: error: {{.*}}argument 0
// JUNK: error: {{.*}}npy.mlir
// CUT: error: {{.*}}cut.npy
func.func @k(%x: memref<4xf32>) attributes {gpu.known_block_size = array<i32: 1, 1, 1>} {
  return
}
