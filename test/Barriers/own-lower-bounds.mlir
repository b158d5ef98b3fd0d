// A loop from the id of the thread in steps of the number of threads runs equally
// often in all threads, if the steps fill the range: a barrier may stand in it.
// What threads carry, and where they begin, is each thread's own.
// RUN: memspace-opt %s -split-input-file -memspace-insert-barriers=chip=gfx942 -o %t
// RUN: FileCheck %s --input-file=%t
// RUN: memspace-opt %t -split-input-file -memspace-verify-barriers=chip=gfx942 -o /dev/null
// RUN: not memspace-opt %s -split-input-file -memspace-verify-barriers=chip=gfx942 \
// RUN:   -o /dev/null 2>&1 | FileCheck %s --check-prefix=RACE

!shared = memref<128xf32, #gpu.address_space<workgroup>>

// CHECK-LABEL: func.func @strided
// CHECK: scf.for
// CHECK: gpu.barrier
// CHECK: memref.store %{{.*}} #gpu.address_space<workgroup>>
// CHECK: gpu.barrier
// CHECK: memref.load %{{.*}} #gpu.address_space<workgroup>>
// CHECK-NOT: gpu.barrier
func.func @strided(%in: memref<?xf32>, %out: memref<?xf32>, %blocks: index) attributes {
    gpu.kernel, gpu.known_block_size = array<i32: 128, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %c127 = arith.constant 127 : index
  %c128 = arith.constant 128 : index
  %tid = gpu.thread_id x
  %rev = arith.subi %c127, %tid : index
  %end = arith.muli %blocks, %c128 : index
  %a = memref.alloc() : !shared
  scf.for %i = %tid to %end step %c128 {
    %v = memref.load %in[%i] : memref<?xf32>
    // RACE: [[#@LINE+1]]:5: error: {{.*}}data race (RAW
    memref.store %v, %a[%tid] : !shared
    // RACE: [[#@LINE+1]]:10: error: {{.*}}data race (WAR, loop-carried)
    %w = memref.load %a[%rev] : !shared
    memref.store %w, %out[%i] : memref<?xf32>
  }
  return
}

// -----

// Side by side in one iteration, thread 0 and the others: the carried number of
// one thread says nothing of that of another.

!shared = memref<260xf32, #gpu.address_space<workgroup>>

// CHECK-LABEL: func.func @own_numbers
// CHECK: scf.for
// CHECK: gpu.barrier
// CHECK: memref.load
// CHECK: gpu.barrier
// CHECK: scf.if
// CHECK-NEXT: memref.store
func.func @own_numbers(%out: memref<128xf32>) attributes {
    gpu.kernel, gpu.known_block_size = array<i32: 128, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c128 = arith.constant 128 : index
  %zero = arith.constant 0.0 : f32
  %tid = gpu.thread_id x
  %first = arith.subi %c128, %tid : index
  %is0 = arith.cmpi eq, %tid, %c0 : index
  %a = memref.alloc() : !shared
  scf.for %i = %c0 to %c8 step %c1 iter_args(%p = %first) -> index {
    %v = memref.load %a[%p] : !shared
    memref.store %v, %out[%tid] : memref<128xf32>
    gpu.barrier
    scf.if %is0 {
      // RACE: [[#@LINE+1]]:7: error: {{.*}}data race (RAW, loop-carried) with 'memref.load'
      memref.store %zero, %a[%p] : !shared
    }
    %next = arith.addi %p, %c1 : index
    scf.yield %next : index
  }
  return
}

// -----

// In the second iteration of each thread what all have written in the first.

!shared = memref<128xf32, #gpu.address_space<workgroup>>

// CHECK-LABEL: func.func @own_iterations
// CHECK: scf.for
// CHECK: gpu.barrier
// CHECK: scf.if
func.func @own_iterations(%out: memref<128xf32>) attributes {
    gpu.kernel, gpu.known_block_size = array<i32: 128, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %c127 = arith.constant 127 : index
  %c128 = arith.constant 128 : index
  %c256 = arith.constant 256 : index
  %zero = arith.constant 0.0 : f32
  %tid = gpu.thread_id x
  %rev = arith.subi %c127, %tid : index
  %a = memref.alloc() : !shared
  scf.for %i = %tid to %c256 step %c128 {
    %isFirst = arith.cmpi ult, %i, %c128 : index
    scf.if %isFirst {
      // RACE: [[#@LINE+1]]:7: error: data race (RAW, loop-carried) with 'memref.load'
      memref.store %zero, %a[%tid] : !shared
    } else {
      %v = memref.load %a[%rev] : !shared
      memref.store %v, %out[%tid] : memref<128xf32>
    }
  }
  return
}
