// Nothing is silently skipped: device code whose block size nobody knows is
// named, and memspace-verify-barriers does not pass it.
// RUN: memspace-opt %s -split-input-file -memspace-insert-barriers=chip=gfx942 -o /dev/null 2>&1 | FileCheck %s --check-prefix=WARN
// RUN: memspace-opt %s -split-input-file -memspace-insert-barriers=chip=gfx942 2>/dev/null | FileCheck %s
// RUN: memspace-opt %s -split-input-file -memspace-insert-barriers="chip=gfx942 block-size=128,1,1" 2>/dev/null | FileCheck %s --check-prefix=SIZE
// RUN: not memspace-opt %s -split-input-file -memspace-verify-barriers=chip=gfx942 -o /dev/null 2>&1 | FileCheck %s --check-prefix=VERIFY
// RUN: not memspace-opt %s -split-input-file -memspace-verify-barriers="chip=gfx942 block-size=128,1,1" -o /dev/null 2>&1 | FileCheck %s --check-prefix=RACE
// RUN: memspace-opt %s -split-input-file -memspace-insert-barriers="chip=gfx942 block-size=128,1,1 quiet=true" -memspace-verify-barriers="chip=gfx942 block-size=128,1,1 quiet=true" -o /dev/null 2>&1 | FileCheck %s --check-prefix=QUIET --allow-empty
// RUN: memspace-opt %s -split-input-file -memspace-check-budget="chip=gfx942 block-size=128,1,1" 2>/dev/null | FileCheck %s --check-prefix=BUDGET
// RUN: memspace-opt %s -split-input-file -memspace-report-budget="chip=gfx942 block-size=128,1,1" -o /dev/null 2>/dev/null | FileCheck %s --check-prefix=REPORT
// RUN: memspace-opt %s -split-input-file -memspace-pack-workgroup-memory="chip=gfx942 block-size=128,1,1" 2>/dev/null | FileCheck %s --check-prefix=PACK
// QUIET-NOT: {{.}}

gpu.module @m {
  // CHECK-LABEL: gpu.func @no_block_size
  // CHECK-NOT:     gpu.barrier
  // SIZE-LABEL:  gpu.func @no_block_size
  // SIZE:          memref.store
  // SIZE:          gpu.barrier
  // VERIFY: error: kernel 'no_block_size' has no block size, so 'memspace-verify-barriers' does not look at it
  // RACE: error: data race (RAW) with 'memref.load'
  // BUDGET-LABEL: gpu.func @no_block_size
  // BUDGET-SAME:  memspace.workgroup_bytes = 512 : i64
  // REPORT: kernel 'no_block_size' on gfx942, 128 threads
  // PACK-LABEL: gpu.func @no_block_size
  // PACK-SAME:  memspace.arena
  // WARN: :[[#@LINE+1]]:{{.+}}: warning: kernel 'no_block_size' has no block size, so 'memspace-insert-barriers' does not look at it; give it 'gpu.known_block_size = array<i32: x, y, z>', or the pass the option 'block-size=x,y,z'
  gpu.func @no_block_size(%x: memref<128xf32>, %y: memref<128xf32>) workgroup(%s : memref<128xf32, #gpu.address_space<workgroup>>) kernel {
    %t = gpu.thread_id x
    %v = memref.load %x[%t] : memref<128xf32>
    memref.store %v, %s[%t] : memref<128xf32, #gpu.address_space<workgroup>>
    %c127 = arith.constant 127 : index
    %u = arith.subi %c127, %t : index
    %w = memref.load %s[%u] : memref<128xf32, #gpu.address_space<workgroup>>
    memref.store %w, %y[%t] : memref<128xf32>
    gpu.return
  }
}

// -----

// CHECK-LABEL: func.func @device_code
// CHECK-NOT:     gpu.barrier
// SIZE-LABEL:  func.func @device_code
// SIZE:          gpu.barrier
// VERIFY: error: kernel 'device_code' has no block size
// RACE: error: data race (RAW)
// WARN: :[[#@LINE+1]]:{{.+}}: warning: kernel 'device_code' has no block size
func.func @device_code(%x: memref<128xf32, #gpu.address_space<workgroup>>, %y: memref<128xf32>, %v: f32) {
  %c0 = arith.constant 0 : index
  %t = gpu.thread_id x
  memref.store %v, %x[%t] : memref<128xf32, #gpu.address_space<workgroup>>
  %w = memref.load %x[%c0] : memref<128xf32, #gpu.address_space<workgroup>>
  memref.store %w, %y[%t] : memref<128xf32>
  return
}

// -----

// A function that a kernel calls is looked at with its kernel.
// CHECK-LABEL: func.func @called
func.func @called(%y: memref<128xf32>, %v: f32) {
  %t = gpu.thread_id x
  memref.store %v, %y[%t] : memref<128xf32>
  return
}
func.func @caller(%y: memref<128xf32>, %v: f32) attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
  return
}
func.func private @host(%y: memref<128xf32>, %v: f32) {
  func.call @called(%y, %v) : (memref<128xf32>, f32) -> ()
  return
}

// -----

// VERIFY: warning: there is no kernel here for 'memspace-verify-barriers'; a kernel is a function with 'gpu.known_block_size'
// WARN: warning: there is no kernel here for 'memspace-insert-barriers'
module {
  func.func @host(%x: memref<4xf32>, %y: memref<4xf32>) {
    memref.copy %x, %y : memref<4xf32> to memref<4xf32>
    return
  }
}
