// RUN: memspace-opt %s -memspace-report-budget=chip=sm_90 -split-input-file -o /dev/null | FileCheck %s
// RUN: memspace-opt %s -memspace-pack-workgroup-memory -memspace-report-budget=chip=sm_90 -split-input-file -o /dev/null | FileCheck %s --check-prefix=PACKED
// RUN: memspace-opt %s -memspace-report-budget="chip=sm_90 format=json" -split-input-file -o /dev/null | FileCheck %s --check-prefix=JSON

#wg = #gpu.address_space<workgroup>

// Two tiles in a row share bytes; packing the kernel changes no figure. Each
// column of the map is a time in which nothing begins or ends.

// CHECK-LABEL: kernel 'in_a_row' on sm_90, 128 threads
// CHECK-NEXT:    workgroup memory  512 bytes: fits (limit 49152 static, 232448 with opt-in)
// CHECK-NEXT:    live at the peak  512 bytes, at {{.*}}report-budget.mlir:[[@LINE+26]]:3
// CHECK-NEXT:    without reuse     1024 bytes
// CHECK-NEXT:    private memory    0 bytes for each thread: fits (limit 16384)
// CHECK-NEXT:    occupancy         16 workgroups per compute unit, decided by threads (workgroup memory 152, threads 16, slots 32)
// CHECK-NEXT:  buffers
// CHECK-NEXT:    A  512 bytes at 0, aligned to 16: %alloc memref<128xf32, #gpu.address_space<workgroup>> at {{.*}}report-budget.mlir:[[@LINE+17]]:8
// CHECK-NEXT:       staged
// CHECK-NEXT:       live in [[A:\[[0-9]+, [0-9]+\)]], {{.*}}:[[@LINE+19]]:3 to {{.*}}:[[@LINE+21]]:8
// CHECK-NEXT:    B  512 bytes at 0, aligned to 16: %alloc_0 memref<128xf32, #gpu.address_space<workgroup>>
// CHECK-NEXT:       live in
// CHECK-NEXT:  memory map: bytes down, points of the program across; '.' is free
// CHECK-NEXT:      0 .. 511 |AAABBB|
// CHECK-NEXT:    columns begin at the points
// CHECK-NEXT:  live at the peak: A (512)
// CHECK-NOT:   ways

// PACKED-LABEL: kernel 'in_a_row' on sm_90, 128 threads
// PACKED-NEXT:    workgroup memory  512 bytes: fits
// PACKED-NEXT:    live at the peak  512 bytes
// PACKED-NEXT:    without reuse     1024 bytes
func.func @in_a_row(%v: f32, %out: memref<128xf32>) attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
  %i = gpu.thread_id x
  %a = memref.alloc() {memspace.reason = "staged"} : memref<128xf32, #wg>
  %b = memref.alloc() : memref<128xf32, #wg>
  %c127 = arith.constant 127 : index
  %j = arith.subi %c127, %i : index
  memref.store %v, %a[%i] : memref<128xf32, #wg>
  gpu.barrier
  %x = memref.load %a[%j] : memref<128xf32, #wg>
  memref.store %x, %b[%j] : memref<128xf32, #wg>
  gpu.barrier
  %y = memref.load %b[%i] : memref<128xf32, #wg>
  memref.store %y, %out[%i] : memref<128xf32>
  return
}

// -----

#wg = #gpu.address_space<workgroup>

// Case B9: above 48 KiB NVIDIA wants dynamic memory. Case B10: three workgroups
// would need 76800 bytes each.

// CHECK-LABEL: kernel 'opt_in' on sm_90, 256 threads
// CHECK-NEXT:    workgroup memory  81920 bytes: fits, but only as dynamic workgroup memory (limit 49152 static, 232448 with opt-in)
// CHECK:         occupancy         2 workgroups per compute unit, decided by workgroup memory (workgroup memory 2, threads 8, slots 32); 3 with at most 76800 bytes
// CHECK:       memory map
// CHECK-NEXT:        0 .. 49151 |AAAAAA...|
// CHECK-NEXT:    49152 .. 81919 |...BBBBBB|
// CHECK:       live at the peak: A (49152), B (32768)
// CHECK-NEXT:  ways to 3 workgroups per compute unit
// CHECK-NEXT:    1. halve dimension 1 of '%alloc_0' (128): 81920 -> 65536 bytes, 3 workgroups per compute unit
// CHECK-NEXT:    2. halve dimension 0 of '%alloc' (192): 81920 -> 57344 bytes, 4 workgroups per compute unit
// CHECK-NEXT:    3. halve dimension 1 of '%alloc' and dimension 0 of '%alloc_0' (128): 81920 -> 40960 bytes, 5 workgroups per compute unit
// CHECK-NOT:   {{.}}

// JSON-LABEL: "chip": "sm_90"
// JSON:       "kernel": "opt_in"
// JSON:       "needs_opt_in": true
// JSON:       "decided_by": "workgroup memory"
// JSON:       "next_step_bytes": 76800
// JSON:       "packed_bytes": 81920
// JSON:       "kind": "tile"
// JSON:       "buffer": 1,
// JSON-NEXT:  "dimension": 1,
// JSON-NEXT:  "from": 128,
// JSON-NEXT:  "to": 64
func.func @opt_in(%x: memref<192x128xf16>, %y: memref<128x128xf16>, %z: memref<192x128xf32>)
    attributes {gpu.known_block_size = array<i32: 16, 16, 1>} {
  %a = memref.alloc() : memref<192x128xf16, #wg>
  %b = memref.alloc() : memref<128x128xf16, #wg>
  linalg.copy ins(%x : memref<192x128xf16>) outs(%a : memref<192x128xf16, #wg>)
  linalg.copy ins(%y : memref<128x128xf16>) outs(%b : memref<128x128xf16, #wg>)
  linalg.matmul ins(%a, %b : memref<192x128xf16, #wg>, memref<128x128xf16, #wg>) outs(%z : memref<192x128xf32>)
  linalg.copy ins(%b : memref<128x128xf16, #wg>) outs(%y : memref<128x128xf16>)
  return
}

// -----

#wg = #gpu.address_space<workgroup>

// Case P8: kernels of one module are counted apart. No limit but the threads'.

// CHECK-LABEL: kernel 'first' on sm_90, 64 threads
// CHECK-NEXT:    workgroup memory  256 bytes: fits
// CHECK:         occupancy         32 workgroups per compute unit, decided by threads (workgroup memory 182, threads 32, slots 32)
// CHECK:       live at the peak: A (256)
// CHECK-EMPTY:
// CHECK-NEXT:  kernel 'second' on sm_90, 1024 threads
// CHECK-NEXT:    workgroup memory  0 bytes: fits
// CHECK-NEXT:    live at the peak  0 bytes
// CHECK-NEXT:    without reuse     0 bytes
// CHECK-NEXT:    private memory    32 bytes for each thread: fits (limit 16384)
// CHECK-NEXT:    occupancy         2 workgroups per compute unit, decided by threads (workgroup memory 228, threads 2, slots 32)
// CHECK-NOT:   {{.}}
func.func @first(%v: f32, %n: index, %out: memref<64xf32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %i = gpu.thread_id x
  %a = memref.alloc() : memref<64xf32, #wg>
  memref.store %v, %a[%i] : memref<64xf32, #wg>
  %x = memref.load %a[%n] : memref<64xf32, #wg>
  memref.store %x, %out[%i] : memref<64xf32>
  return
}
func.func @second() attributes {gpu.known_block_size = array<i32: 1024, 1, 1>} {
  %p = memref.alloca() : memref<8xf32>
  return
}

// -----

// No kernel: nothing, and an empty array.
// JSON: []
func.func @no_kernel() {
  return
}
