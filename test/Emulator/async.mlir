// RUN: split-file %s %t
// RUN: memspace-runner %t/wait-and-barrier.mlir --arg=0:iota --out=1:%t/wait-and-barrier-1.npy 2>&1 | FileCheck %s --check-prefix=CLEAN
// RUN: %compare %t/wait-and-barrier-1.npy "np.roll(i, -1)"
// RUN: %broken wait %t/wait-and-barrier.mlir %t/wait-and-barrier-wait.mlir
// RUN: not memspace-runner %t/wait-and-barrier-wait.mlir --arg=0:iota 2>&1 | FileCheck %t/wait-and-barrier.mlir --check-prefix=WAIT
// RUN: %broken barrier %t/wait-and-barrier.mlir %t/wait-and-barrier-barrier.mlir
// RUN: not memspace-runner %t/wait-and-barrier-barrier.mlir --arg=0:iota 2>&1 | FileCheck %t/wait-and-barrier.mlir --check-prefix=BARRIER
// RUN: %broken swapped %t/wait-and-barrier.mlir %t/wait-and-barrier-swapped.mlir
// RUN: not memspace-runner %t/wait-and-barrier-swapped.mlir --arg=0:iota 2>&1 | FileCheck %t/wait-and-barrier.mlir --check-prefix=SWAPPED
// RUN: memspace-runner %t/own-element.mlir --arg=0:iota --out=1:%t/own-element-1.npy 2>&1 | FileCheck %s --check-prefix=CLEAN
// RUN: %compare %t/own-element-1.npy "i"
// RUN: %broken bad %t/own-element.mlir %t/own-element-bad.mlir
// RUN: not memspace-runner %t/own-element-bad.mlir --arg=0:iota 2>&1 | FileCheck %t/own-element.mlir
// RUN: memspace-runner %t/source-overwritten.mlir --arg=0:iota 2>&1 | FileCheck %s --check-prefix=CLEAN
// RUN: %broken bad %t/source-overwritten.mlir %t/source-overwritten-bad.mlir
// RUN: not memspace-runner %t/source-overwritten-bad.mlir --arg=0:iota 2>&1 | FileCheck %t/source-overwritten.mlir
// RUN: memspace-runner %t/source-of-another.mlir --arg=0:iota 2>&1 | FileCheck %s --check-prefix=CLEAN
// RUN: %broken bad %t/source-of-another.mlir %t/source-of-another-bad.mlir
// RUN: not memspace-runner %t/source-of-another-bad.mlir --arg=0:iota 2>&1 | FileCheck %t/source-of-another.mlir
// RUN: memspace-runner %t/two-groups.mlir --arg=0:iota --out=1:%t/two-groups-1.npy 2>&1 | FileCheck %s --check-prefix=CLEAN
// RUN: %compare %t/two-groups-1.npy "2 * i + 64"
// RUN: %broken bad %t/two-groups.mlir %t/two-groups-bad.mlir
// RUN: not memspace-runner %t/two-groups-bad.mlir --arg=0:iota 2>&1 | FileCheck %t/two-groups.mlir
// RUN: not memspace-runner %t/no-group.mlir --arg=0:iota 2>&1 | FileCheck %t/no-group.mlir
// RUN: %broken good %t/no-group.mlir %t/no-group-good.mlir
// RUN: memspace-runner %t/no-group-good.mlir --arg=0:iota 2>&1 | FileCheck %s --check-prefix=CLEAN
// RUN: memspace-runner %t/target-overwritten.mlir --arg=0:iota 2>&1 | FileCheck %s --check-prefix=CLEAN
// RUN: %broken bad %t/target-overwritten.mlir %t/target-overwritten-bad.mlir
// RUN: not memspace-runner %t/target-overwritten-bad.mlir --arg=0:iota 2>&1 | FileCheck %t/target-overwritten.mlir
// RUN: memspace-runner %t/double-buffer.mlir --arg=0:iota --out=1:%t/double-buffer-1.npy 2>&1 | FileCheck %s --check-prefix=CLEAN
// RUN: %compare %t/double-buffer-1.npy "sum((np.roll(i[:64] + 64*k, -1) for k in range(4)))"
// RUN: %broken bad %t/double-buffer.mlir %t/double-buffer-bad.mlir
// RUN: not memspace-runner %t/double-buffer-bad.mlir --arg=0:iota 2>&1 | FileCheck %t/double-buffer.mlir

// CLEAN-NOT: {{error|warning}}:
// CLEAN: {{^}}races: 0, divergent barriers: 0, out of bounds: 0, uninitialized reads: 0{{$}}

// Asynchronous copies, case H16: the write happens at some time up to the wait of
// the thread that began it; a barrier orders it only after the wait.

//--- wait-and-barrier.mlir
// The right way, and without the wait, without the barrier, and with the barrier
// before the wait.
// WAIT: error: data race in workgroup memory
// WAIT: {{^}}races: {{[1-9][0-9]*}}, divergent barriers: 0, out of bounds: 0, uninitialized reads: {{[0-9]+}}{{$}}
// BARRIER: error: data race in workgroup memory
// BARRIER: {{^}}races: 1, divergent barriers: 0, out of bounds: 0, uninitialized reads: {{[0-9]+}}{{$}}
// SWAPPED: error: data race in workgroup memory
// SWAPPED: {{^}}races: 1, divergent barriers: 0, out of bounds: 0, uninitialized reads: {{[0-9]+}}{{$}}
#wg = #gpu.address_space<workgroup>
func.func @k(%x: memref<64xf32>, %y: memref<64xf32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %t = gpu.thread_id x
  %t1 = arith.addi %t, %c1 : index
  %n = arith.remui %t1, %c64 : index
  %w = memref.alloc() : memref<64xf32, #wg>
  %copy = nvgpu.device_async_copy %x[%t], %w[%t], 1 : memref<64xf32> to memref<64xf32, #wg>
  %group = nvgpu.device_async_create_group %copy
  //swapped: gpu.barrier
  nvgpu.device_async_wait %group // not wait
  gpu.barrier // not barrier swapped
  %r = memref.load %w[%n] : memref<64xf32, #wg>
  memref.store %r, %y[%t] : memref<64xf32>
  return
}

//--- own-element.mlir
// Even its own thread must wait.
// CHECK: .mlir:[[#@LINE+10]]:{{[0-9]+}}: error: data race in workgroup memory: {{.*}}
// CHECK: .mlir:[[#@LINE+6]]:{{[0-9]+}}: note: the other access is here
// CHECK: {{^}}races: 1, divergent barriers: 0, out of bounds: 0, uninitialized reads: {{[0-9]+}}{{$}}
#wg = #gpu.address_space<workgroup>
func.func @k(%x: memref<64xf32>, %y: memref<64xf32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %t = gpu.thread_id x
  %w = memref.alloc() : memref<64xf32, #wg>
  %copy = nvgpu.device_async_copy %x[%t], %w[%t], 1 : memref<64xf32> to memref<64xf32, #wg>
  %group = nvgpu.device_async_create_group %copy
  nvgpu.device_async_wait %group // not bad
  %r = memref.load %w[%t] : memref<64xf32, #wg>
  memref.store %r, %y[%t] : memref<64xf32>
  return
}

//--- source-overwritten.mlir
// The source may not change before the wait.
// CHECK: .mlir:[[#@LINE+11]]:{{[0-9]+}}: error: data race in global memory: {{.*}}
// CHECK: .mlir:[[#@LINE+7]]:{{[0-9]+}}: note: the other access is here
// CHECK: {{^}}races: 1, divergent barriers: 0, out of bounds: 0, uninitialized reads: 0{{$}}
#wg = #gpu.address_space<workgroup>
func.func @k(%x: memref<64xf32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %zero = arith.constant 0.0 : f32
  %t = gpu.thread_id x
  %w = memref.alloc() : memref<64xf32, #wg>
  %copy = nvgpu.device_async_copy %x[%t], %w[%t], 1 : memref<64xf32> to memref<64xf32, #wg>
  %group = nvgpu.device_async_create_group %copy
  nvgpu.device_async_wait %group // not bad
  memref.store %zero, %x[%t] : memref<64xf32>
  //bad: nvgpu.device_async_wait %group
  return
}

//--- source-of-another.mlir
// Three threads copy the same element. Thread 1 waits only after the barrier,
// behind which thread 0 overwrites the source.
// CHECK: .mlir:[[#@LINE+20]]:{{[0-9]+}}: error: data race in global memory: {{.*}}
// CHECK: .mlir:[[#@LINE+10]]:{{[0-9]+}}: note: the other access is here
// CHECK: {{^}}races: 1, divergent barriers: 0, out of bounds: 0, uninitialized reads: 0{{$}}
#wg = #gpu.address_space<workgroup>
func.func @k(%x: memref<3xf32>) attributes {gpu.known_block_size = array<i32: 3, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %t = gpu.thread_id x
  %isfirst = arith.cmpi eq, %t, %c0 : index
  %w = memref.alloc() : memref<3xf32, #wg>
  %copy = nvgpu.device_async_copy %x[%c0], %w[%t], 1 : memref<3xf32> to memref<3xf32, #wg>
  %group = nvgpu.device_async_create_group %copy
  %waits = arith.cmpi eq, %t, %t : index // not bad
  //bad: %waits = arith.cmpi ne, %t, %c1 : index
  scf.if %waits {
    nvgpu.device_async_wait %group
  }
  gpu.barrier
  scf.if %isfirst {
    memref.store %zero, %x[%c0] : memref<3xf32>
  }
  nvgpu.device_async_wait %group
  return
}

//--- two-groups.mlir
// With one group still on its way, the first is complete and the second is not.
// CHECK: .mlir:[[#@LINE+18]]:{{[0-9]+}}: error: data race in workgroup memory: {{.*}}
// CHECK: .mlir:[[#@LINE+11]]:{{[0-9]+}}: note: the other access is here
// CHECK: {{^}}races: 1, divergent barriers: 0, out of bounds: 0, uninitialized reads: {{[0-9]+}}{{$}}
#wg = #gpu.address_space<workgroup>
func.func @k(%x: memref<128xf32>, %y: memref<64xf32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %c64 = arith.constant 64 : index
  %t = gpu.thread_id x
  %u = arith.addi %t, %c64 : index
  %a = memref.alloc() : memref<64xf32, #wg>
  %b = memref.alloc() : memref<64xf32, #wg>
  %copy0 = nvgpu.device_async_copy %x[%t], %a[%t], 1 : memref<128xf32> to memref<64xf32, #wg>
  %group0 = nvgpu.device_async_create_group %copy0
  %copy1 = nvgpu.device_async_copy %x[%u], %b[%t], 1 : memref<128xf32> to memref<64xf32, #wg>
  %group1 = nvgpu.device_async_create_group %copy1
  nvgpu.device_async_wait %group0 {numGroups = 1 : i32}
  %r = memref.load %a[%t] : memref<64xf32, #wg>
  nvgpu.device_async_wait %group1 {numGroups = 0 : i32} // not bad
  //bad: nvgpu.device_async_wait %group1 {numGroups = 1 : i32}
  %s = memref.load %b[%t] : memref<64xf32, #wg>
  %sum = arith.addf %r, %s : f32
  memref.store %sum, %y[%t] : memref<64xf32>
  return
}

//--- no-group.mlir
// A copy that is in no group is not waited for.
// CHECK: .mlir:[[#@LINE+13]]:{{[0-9]+}}: error: data race in workgroup memory: {{.*}}
// CHECK: .mlir:[[#@LINE+9]]:{{[0-9]+}}: note: the other access is here
// CHECK: {{^}}races: 1, divergent barriers: 0, out of bounds: 0, uninitialized reads: {{[0-9]+}}{{$}}
#wg = #gpu.address_space<workgroup>
func.func @k(%x: memref<64xf32>, %y: memref<64xf32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %t = gpu.thread_id x
  %v = memref.alloc() : memref<64xf32, #wg>
  %w = memref.alloc() : memref<64xf32, #wg>
  %first = nvgpu.device_async_copy %x[%t], %v[%t], 1 : memref<64xf32> to memref<64xf32, #wg>
  %group = nvgpu.device_async_create_group %first // not good
  %copy = nvgpu.device_async_copy %x[%t], %w[%t], 1 : memref<64xf32> to memref<64xf32, #wg>
  //good: %group = nvgpu.device_async_create_group %first, %copy
  nvgpu.device_async_wait %group
  %r = memref.load %w[%t] : memref<64xf32, #wg>
  memref.store %r, %y[%t] : memref<64xf32>
  return
}

//--- target-overwritten.mlir
// A plain store to the target before the wait, and two copies to one target.
// CHECK: .mlir:[[#@LINE+10]]:{{[0-9]+}}: error: data race in workgroup memory: {{.*}}
// CHECK: {{^}}races: 1, divergent barriers: 0, out of bounds: 0, uninitialized reads: 0{{$}}
#wg = #gpu.address_space<workgroup>
func.func @k(%x: memref<64xf32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %zero = arith.constant 0.0 : f32
  %t = gpu.thread_id x
  %w = memref.alloc() : memref<64xf32, #wg>
  %copy = nvgpu.device_async_copy %x[%t], %w[%t], 1 : memref<64xf32> to memref<64xf32, #wg>
  %group = nvgpu.device_async_create_group %copy
  nvgpu.device_async_wait %group // not bad
  memref.store %zero, %w[%t] : memref<64xf32, #wg>
  nvgpu.device_async_wait %group
  return
}

//--- double-buffer.mlir
// The next tile is copied while this one is used; one wait and one barrier for
// each iteration. Without the barrier at the end, the copy of the next iteration
// overwrites what others still read.
// CHECK: error: data race in workgroup memory
// CHECK: {{^}}races: {{[1-9][0-9]*}}, divergent barriers: 0, out of bounds: 0, uninitialized reads: {{[0-9]+}}{{$}}
#wg = #gpu.address_space<workgroup>
func.func @k(%x: memref<5x64xf32>, %y: memref<64xf32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant 0.0 : f32
  %t = gpu.thread_id x
  %t1 = arith.addi %t, %c1 : index
  %n = arith.remui %t1, %c64 : index
  %w = memref.alloc() : memref<2x64xf32, #wg>
  %copy0 = nvgpu.device_async_copy %x[%c0, %t], %w[%c0, %t], 1 : memref<5x64xf32> to memref<2x64xf32, #wg>
  %group0 = nvgpu.device_async_create_group %copy0
  %acc = scf.for %k = %c0 to %c4 step %c1 iter_args(%a = %zero) -> f32 {
    nvgpu.device_async_wait %group0 {numGroups = 0 : i32}
    gpu.barrier // not bad
    %k1 = arith.addi %k, %c1 : index
    %next = arith.remui %k1, %c2 : index
    %copy = nvgpu.device_async_copy %x[%k1, %t], %w[%next, %t], 1 : memref<5x64xf32> to memref<2x64xf32, #wg>
    %group = nvgpu.device_async_create_group %copy
    %slot = arith.remui %k, %c2 : index
    %r = memref.load %w[%slot, %n] : memref<2x64xf32, #wg>
    %s = arith.addf %a, %r : f32
    scf.yield %s : f32
  }
  memref.store %acc, %y[%t] : memref<64xf32>
  return
}
