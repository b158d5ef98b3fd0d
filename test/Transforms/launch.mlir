// The body of a gpu.launch is a kernel, too.
// RUN: memspace-opt %s -split-input-file -memspace-insert-barriers=chip=gfx942 2>%t | FileCheck %s
// RUN: FileCheck %s --check-prefix=WARN --input-file=%t
// RUN: not memspace-opt %s -split-input-file -memspace-verify-barriers=chip=gfx942 -o /dev/null 2>&1 | FileCheck %s --check-prefix=RACE
// RUN: memspace-opt %s -split-input-file -memspace-insert-barriers="chip=gfx942 block-size=128,1,1" -memspace-verify-barriers="chip=gfx942 block-size=128,1,1" -memspace-eliminate-barriers="chip=gfx942 block-size=128,1,1" | FileCheck %s --check-prefix=SIZE
// RUN: memspace-opt %s -split-input-file -memspace-check-budget="chip=gfx942 block-size=128,1,1" | FileCheck %s --check-prefix=BUDGET
// RUN: memspace-opt %s -split-input-file -memspace-pack-workgroup-memory=chip=gfx942 -o /dev/null 2>&1 | FileCheck %s --check-prefix=PACK

// PACK: warning: a 'gpu.launch' is no function yet, so 'memspace-pack-workgroup-memory' does not look at it; run 'gpu-kernel-outlining' first

// CHECK-LABEL: func.func @constant_sizes(
// CHECK-SAME:      %[[X:.+]]: memref<128xf32>, %[[Y:.+]]: memref<128xf32>)
// CHECK:         gpu.launch blocks(%{{.+}}, %{{.+}}, %{{.+}}) in ({{.+}}) threads(%[[TX:.+]], %{{.+}}, %{{.+}}) in ({{.+}}) workgroup(%[[S:.+]] : memref<128xf32, #gpu.address_space<workgroup>>)
// CHECK-NEXT:      memref.load %[[X]][%[[TX]]]
// CHECK-NEXT:      memref.store %{{.+}}, %[[S]][%[[TX]]]
// CHECK-NEXT:      %[[U:.+]] = arith.subi %{{.+}}, %[[TX]]
// CHECK-NEXT:      gpu.barrier {
// CHECK-NEXT:      memref.load %[[S]][%[[U]]]
// CHECK-NEXT:      memref.store %{{.+}}, %[[Y]][%[[TX]]]
// CHECK-NEXT:      gpu.terminator
// RACE: error: data race (RAW) with 'memref.load'
// RACE: thread (127, 0, 0) and thread (0, 0, 0) touch byte 508
// BUDGET-LABEL: func.func @constant_sizes(
// BUDGET:       gpu.terminator
// BUDGET-NEXT:  } {memspace.peak_live_bytes = 512 : i64
func.func @constant_sizes(%x: memref<128xf32>, %y: memref<128xf32>) {
  %c1 = arith.constant 1 : index
  %c128 = arith.constant 128 : index
  %c127 = arith.constant 127 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c128, %sy = %c1, %sz = %c1) workgroup(%s : memref<128xf32, #gpu.address_space<workgroup>>) {
    %v = memref.load %x[%tx] : memref<128xf32>
    memref.store %v, %s[%tx] : memref<128xf32, #gpu.address_space<workgroup>>
    %u = arith.subi %c127, %tx : index
    %w = memref.load %s[%u] : memref<128xf32, #gpu.address_space<workgroup>>
    memref.store %w, %y[%tx] : memref<128xf32>
    gpu.terminator
  }
  return
}

// -----

// CHECK-LABEL: func.func @unknown_size
// SIZE-LABEL:  func.func @unknown_size
// SIZE:          memref.store
// SIZE-NEXT:     gpu.barrier
// SIZE-NEXT:     memref.load %arg
// RACE: error: the block size of this 'gpu.launch' is not constant, so 'memspace-verify-barriers' does not look at it
func.func @unknown_size(%y: memref<128xf32>, %v: f32, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // WARN: :[[#@LINE+1]]:{{.+}}: warning: the block size of this 'gpu.launch' is not constant, so 'memspace-insert-barriers' does not look at it; make it constant, or give the pass the option 'block-size=x,y,z'
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %n, %sy = %c1, %sz = %c1) workgroup(%s : memref<128xf32, #gpu.address_space<workgroup>>) {
    memref.store %v, %s[%tx] : memref<128xf32, #gpu.address_space<workgroup>>
    %w = memref.load %s[%c0] : memref<128xf32, #gpu.address_space<workgroup>>
    memref.store %w, %y[%tx] : memref<128xf32>
    gpu.terminator
  }
  return
}

// -----

// Two views of one memory of the host are no independent arguments, and a buffer
// that the host chose may be any.
// CHECK-LABEL: func.func @host_values
// CHECK:         gpu.launch
// CHECK:           gpu.barrier {memspace.hazard = "RAW on memref<128xf32, strided<[1]>>
// CHECK-NEXT:      memref.load %subview
// CHECK:           gpu.barrier {memspace.hazard = "RAW on memref<256xf32>
// CHECK-NEXT:      memref.load %0
func.func @host_values(%a: memref<256xf32>, %b: memref<256xf32>, %q: i1, %v: f32, %y: memref<128xf32>) {
  %c1 = arith.constant 1 : index
  %c128 = arith.constant 128 : index
  %c127 = arith.constant 127 : index
  %low = memref.subview %a[0] [128] [1] : memref<256xf32> to memref<128xf32, strided<[1]>>
  %again = memref.subview %a[0] [128] [1] : memref<256xf32> to memref<128xf32, strided<[1]>>
  %some = scf.if %q -> memref<256xf32> {
    scf.yield %a : memref<256xf32>
  } else {
    scf.yield %b : memref<256xf32>
  }
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c128, %sy = %c1, %sz = %c1) {
    %u = arith.subi %c127, %tx : index
    memref.store %v, %low[%tx] : memref<128xf32, strided<[1]>>
    %w = memref.load %again[%u] : memref<128xf32, strided<[1]>>
    memref.store %w, %b[%tx] : memref<256xf32>
    %z = memref.load %some[%u] : memref<256xf32>
    memref.store %z, %y[%tx] : memref<128xf32>
    gpu.terminator
  }
  return
}
