// RUN: split-file %s %t
// RUN: memspace-runner %t/select.mlir --arg=0:iota --arg=2:fill:1 --out=1:%t/select-1.npy 2>&1 | FileCheck %s --check-prefix=CLEAN
// RUN: %compare %t/select-1.npy "np.roll(i, -1)"
// RUN: %broken bad %t/select.mlir %t/select-bad.mlir
// RUN: not memspace-runner %t/select-bad.mlir --arg=0:iota --arg=2:fill:1 2>&1 | FileCheck %t/select.mlir
// RUN: memspace-runner %t/if-result.mlir --arg=0:iota --arg=2:fill:1 --out=1:%t/if-result-1.npy 2>&1 | FileCheck %s --check-prefix=CLEAN
// RUN: %compare %t/if-result-1.npy "np.roll(i, -1)"
// RUN: %broken bad %t/if-result.mlir %t/if-result-bad.mlir
// RUN: not memspace-runner %t/if-result-bad.mlir --arg=0:iota --arg=2:fill:1 2>&1 | FileCheck %t/if-result.mlir
// RUN: memspace-runner %t/for-result.mlir --arg=0:iota --arg=2:fill:2 --out=1:%t/for-result-1.npy 2>&1 | FileCheck %s --check-prefix=CLEAN
// RUN: %compare %t/for-result-1.npy "np.roll(i, -1)"
// RUN: %broken bad %t/for-result.mlir %t/for-result-bad.mlir
// RUN: not memspace-runner %t/for-result-bad.mlir --arg=0:iota --arg=2:fill:2 2>&1 | FileCheck %t/for-result.mlir
// RUN: memspace-runner %t/while-result.mlir --arg=0:iota --arg=2:fill:2 --out=1:%t/while-result-1.npy 2>&1 | FileCheck %s --check-prefix=CLEAN
// RUN: %compare %t/while-result-1.npy "np.roll(i, -1)"
// RUN: %broken bad %t/while-result.mlir %t/while-result-bad.mlir
// RUN: not memspace-runner %t/while-result-bad.mlir --arg=0:iota --arg=2:fill:2 2>&1 | FileCheck %t/while-result.mlir
// RUN: memspace-runner %t/reinterpret-cast.mlir --arg=0:iota --out=1:%t/reinterpret-cast-1.npy 2>&1 | FileCheck %s --check-prefix=CLEAN
// RUN: %compare %t/reinterpret-cast-1.npy "np.roll(i, -1)"
// RUN: %broken bad %t/reinterpret-cast.mlir %t/reinterpret-cast-bad.mlir
// RUN: not memspace-runner %t/reinterpret-cast-bad.mlir --arg=0:iota 2>&1 | FileCheck %t/reinterpret-cast.mlir
// RUN: memspace-runner %t/assume-alignment.mlir --arg=0:iota --out=1:%t/assume-alignment-1.npy 2>&1 | FileCheck %s --check-prefix=CLEAN
// RUN: %compare %t/assume-alignment-1.npy "np.roll(i, -1)"
// RUN: %broken bad %t/assume-alignment.mlir %t/assume-alignment-bad.mlir
// RUN: not memspace-runner %t/assume-alignment-bad.mlir --arg=0:iota 2>&1 | FileCheck %t/assume-alignment.mlir
// RUN: memspace-runner %t/memory-space-cast.mlir --arg=0:iota --out=1:%t/memory-space-cast-1.npy 2>&1 | FileCheck %s --check-prefix=CLEAN
// RUN: %compare %t/memory-space-cast-1.npy "np.roll(i, -1)"
// RUN: %broken bad %t/memory-space-cast.mlir %t/memory-space-cast-bad.mlir
// RUN: not memspace-runner %t/memory-space-cast-bad.mlir --arg=0:iota 2>&1 | FileCheck %t/memory-space-cast.mlir
// RUN: memspace-runner %t/reshape.mlir --arg=0:iota --out=1:%t/reshape-1.npy 2>&1 | FileCheck %s --check-prefix=CLEAN
// RUN: %compare %t/reshape-1.npy "np.roll(i, -1)"
// RUN: %broken bad %t/reshape.mlir %t/reshape-bad.mlir
// RUN: not memspace-runner %t/reshape-bad.mlir --arg=0:iota 2>&1 | FileCheck %t/reshape.mlir
// RUN: memspace-runner %t/extract-strided-metadata.mlir --arg=0:iota --out=1:%t/extract-strided-metadata-1.npy 2>&1 | FileCheck %s --check-prefix=CLEAN
// RUN: %compare %t/extract-strided-metadata-1.npy "np.roll(i, -1)"
// RUN: %broken bad %t/extract-strided-metadata.mlir %t/extract-strided-metadata-bad.mlir
// RUN: not memspace-runner %t/extract-strided-metadata-bad.mlir --arg=0:iota 2>&1 | FileCheck %t/extract-strided-metadata.mlir
// RUN: memspace-runner %t/subview.mlir --arg=0:iota --out=1:%t/subview-1.npy 2>&1 | FileCheck %s --check-prefix=CLEAN
// RUN: %compare %t/subview-1.npy "np.roll(i, -1)"
// RUN: %broken bad %t/subview.mlir %t/subview-bad.mlir
// RUN: not memspace-runner %t/subview-bad.mlir --arg=0:iota 2>&1 | FileCheck %t/subview.mlir
// RUN: memspace-runner %t/subview-of-subview.mlir --arg=0:iota --out=1:%t/subview-of-subview-1.npy 2>&1 | FileCheck %s --check-prefix=CLEAN
// RUN: %compare %t/subview-of-subview-1.npy "np.roll(i, -1)"
// RUN: %broken bad %t/subview-of-subview.mlir %t/subview-of-subview-bad.mlir
// RUN: not memspace-runner %t/subview-of-subview-bad.mlir --arg=0:iota 2>&1 | FileCheck %t/subview-of-subview.mlir
// RUN: memspace-runner %t/view.mlir --arg=0:iota --out=1:%t/view-1.npy 2>&1 | FileCheck %s --check-prefix=CLEAN
// RUN: %compare %t/view-1.npy "np.roll(i, -1)"
// RUN: %broken bad %t/view.mlir %t/view-bad.mlir
// RUN: not memspace-runner %t/view-bad.mlir --arg=0:iota 2>&1 | FileCheck %t/view.mlir
// RUN: memspace-runner %t/expand-shape.mlir --arg=0:iota --out=1:%t/expand-shape-1.npy 2>&1 | FileCheck %s --check-prefix=CLEAN
// RUN: %compare %t/expand-shape-1.npy "np.roll(i, -1)"
// RUN: %broken bad %t/expand-shape.mlir %t/expand-shape-bad.mlir
// RUN: not memspace-runner %t/expand-shape-bad.mlir --arg=0:iota 2>&1 | FileCheck %t/expand-shape.mlir
// RUN: memspace-runner %t/collapse-shape.mlir --arg=0:iota --out=1:%t/collapse-shape-1.npy 2>&1 | FileCheck %s --check-prefix=CLEAN
// RUN: %compare %t/collapse-shape-1.npy "np.roll(i, -1)"
// RUN: %broken bad %t/collapse-shape.mlir %t/collapse-shape-bad.mlir
// RUN: not memspace-runner %t/collapse-shape-bad.mlir --arg=0:iota 2>&1 | FileCheck %t/collapse-shape.mlir
// RUN: memspace-runner %t/cast.mlir --arg=0:iota --out=1:%t/cast-1.npy 2>&1 | FileCheck %s --check-prefix=CLEAN
// RUN: %compare %t/cast-1.npy "np.roll(i, -1)"
// RUN: %broken bad %t/cast.mlir %t/cast-bad.mlir
// RUN: not memspace-runner %t/cast-bad.mlir --arg=0:iota 2>&1 | FileCheck %t/cast.mlir
// RUN: memspace-runner %t/transpose.mlir --arg=0:iota --out=1:%t/transpose-1.npy 2>&1 | FileCheck %s --check-prefix=CLEAN
// RUN: %compare %t/transpose-1.npy "np.roll(i, -1)"
// RUN: %broken bad %t/transpose.mlir %t/transpose-bad.mlir
// RUN: not memspace-runner %t/transpose-bad.mlir --arg=0:iota 2>&1 | FileCheck %t/transpose.mlir
// RUN: memspace-runner %t/get-global.mlir --arg=0:iota --out=1:%t/get-global-1.npy 2>&1 | FileCheck %s --check-prefix=CLEAN
// RUN: %compare %t/get-global-1.npy "np.roll(i, -1)"
// RUN: %broken bad %t/get-global.mlir %t/get-global-bad.mlir
// RUN: not memspace-runner %t/get-global-bad.mlir --arg=0:iota 2>&1 | FileCheck %t/get-global.mlir
// RUN: memspace-runner %t/dynamic-shared.mlir --arg=0:iota --out=1:%t/dynamic-shared-1.npy 2>&1 | FileCheck %s --check-prefix=CLEAN
// RUN: %compare %t/dynamic-shared-1.npy "np.roll(i, -1)"
// RUN: %broken bad %t/dynamic-shared.mlir %t/dynamic-shared-bad.mlir
// RUN: not memspace-runner %t/dynamic-shared-bad.mlir --arg=0:iota 2>&1 | FileCheck %t/dynamic-shared.mlir

// CLEAN-NOT: {{error|warning}}:
// CLEAN: {{^}}races: 0, divergent barriers: 0, out of bounds: 0, uninitialized reads: 0{{$}}

// Races through views, case H11: stock gpu-eliminate-barriers removes needed
// barriers when one access goes through one of these ops. The value is stored
// through the buffer and the neighbour's loaded through the view; without the
// barrier the race must be reported at both, in the buffer's own bytes.

//--- select.mlir
// CHECK: .mlir:[[#@LINE+19]]:{{[0-9]+}}: error: data race in workgroup memory: thread (1, 0, 0) writes byte 4, which thread (0, 0, 0) reads, with no barrier between
// CHECK: .mlir:[[#@LINE+20]]:{{[0-9]+}}: note: the other access is here
// CHECK: .mlir:[[#@LINE+11]]:{{[0-9]+}}: note: the buffer is made here
// CHECK: {{^}}races: 1, divergent barriers: 0, out of bounds: 0, uninitialized reads: 0{{$}}
#wg = #gpu.address_space<workgroup>
func.func @h11(%x: memref<64xf32>, %y: memref<64xf32>, %cond: i1)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant 0.0 : f32
  %t = gpu.thread_id x
  %t1 = arith.addi %t, %c1 : index
  %n = arith.remui %t1, %c64 : index
  %w = memref.alloc() : memref<64xf32, #wg>
  %other = memref.alloc() : memref<64xf32, #wg>
  %view = arith.select %cond, %w, %other : memref<64xf32, #wg>
  memref.store %zero, %w[%t] : memref<64xf32, #wg>
  gpu.barrier
  %v = memref.load %x[%t] : memref<64xf32>
  memref.store %v, %w[%t] : memref<64xf32, #wg>
  gpu.barrier // not bad
  %r = memref.load %view[%n] : memref<64xf32, #wg>
  memref.store %r, %y[%t] : memref<64xf32>
  return
}

//--- if-result.mlir
// CHECK: .mlir:[[#@LINE+23]]:{{[0-9]+}}: error: data race in workgroup memory: thread (1, 0, 0) writes byte 4, which thread (0, 0, 0) reads, with no barrier between
// CHECK: .mlir:[[#@LINE+24]]:{{[0-9]+}}: note: the other access is here
// CHECK: .mlir:[[#@LINE+11]]:{{[0-9]+}}: note: the buffer is made here
// CHECK: {{^}}races: 1, divergent barriers: 0, out of bounds: 0, uninitialized reads: 0{{$}}
#wg = #gpu.address_space<workgroup>
func.func @h11(%x: memref<64xf32>, %y: memref<64xf32>, %cond: i1)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant 0.0 : f32
  %t = gpu.thread_id x
  %t1 = arith.addi %t, %c1 : index
  %n = arith.remui %t1, %c64 : index
  %w = memref.alloc() : memref<64xf32, #wg>
  %other = memref.alloc() : memref<64xf32, #wg>
  %view = scf.if %cond -> memref<64xf32, #wg> {
    scf.yield %w : memref<64xf32, #wg>
  } else {
    scf.yield %other : memref<64xf32, #wg>
  }
  memref.store %zero, %w[%t] : memref<64xf32, #wg>
  gpu.barrier
  %v = memref.load %x[%t] : memref<64xf32>
  memref.store %v, %w[%t] : memref<64xf32, #wg>
  gpu.barrier // not bad
  %r = memref.load %view[%n] : memref<64xf32, #wg>
  memref.store %r, %y[%t] : memref<64xf32>
  return
}

//--- for-result.mlir
// An even number of swaps.
// CHECK: .mlir:[[#@LINE+22]]:{{[0-9]+}}: error: data race in workgroup memory: thread (1, 0, 0) writes byte 4, which thread (0, 0, 0) reads, with no barrier between
// CHECK: .mlir:[[#@LINE+23]]:{{[0-9]+}}: note: the other access is here
// CHECK: .mlir:[[#@LINE+12]]:{{[0-9]+}}: note: the buffer is made here
// CHECK: {{^}}races: 1, divergent barriers: 0, out of bounds: 0, uninitialized reads: 0{{$}}
#wg = #gpu.address_space<workgroup>
func.func @h11(%x: memref<64xf32>, %y: memref<64xf32>, %trips: index)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant 0.0 : f32
  %t = gpu.thread_id x
  %t1 = arith.addi %t, %c1 : index
  %n = arith.remui %t1, %c64 : index
  %w = memref.alloc() : memref<64xf32, #wg>
  %other = memref.alloc() : memref<64xf32, #wg>
  %view, %rest = scf.for %i = %c0 to %trips step %c1 iter_args(%p = %w, %q = %other) -> (memref<64xf32, #wg>, memref<64xf32, #wg>) {
    scf.yield %q, %p : memref<64xf32, #wg>, memref<64xf32, #wg>
  }
  memref.store %zero, %w[%t] : memref<64xf32, #wg>
  gpu.barrier
  %v = memref.load %x[%t] : memref<64xf32>
  memref.store %v, %w[%t] : memref<64xf32, #wg>
  gpu.barrier // not bad
  %r = memref.load %view[%n] : memref<64xf32, #wg>
  memref.store %r, %y[%t] : memref<64xf32>
  return
}

//--- while-result.mlir
// CHECK: .mlir:[[#@LINE+27]]:{{[0-9]+}}: error: data race in workgroup memory: thread (1, 0, 0) writes byte 4, which thread (0, 0, 0) reads, with no barrier between
// CHECK: .mlir:[[#@LINE+28]]:{{[0-9]+}}: note: the other access is here
// CHECK: .mlir:[[#@LINE+12]]:{{[0-9]+}}: note: the buffer is made here
// CHECK: {{^}}races: 1, divergent barriers: 0, out of bounds: 0, uninitialized reads: 0{{$}}
#wg = #gpu.address_space<workgroup>
func.func @h11(%x: memref<64xf32>, %y: memref<64xf32>, %trips: index)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant 0.0 : f32
  %t = gpu.thread_id x
  %t1 = arith.addi %t, %c1 : index
  %n = arith.remui %t1, %c64 : index
  %w = memref.alloc() : memref<64xf32, #wg>
  %other = memref.alloc() : memref<64xf32, #wg>
  %view, %rest, %left = scf.while (%p = %w, %q = %other, %i = %trips) : (memref<64xf32, #wg>, memref<64xf32, #wg>, index) -> (memref<64xf32, #wg>, memref<64xf32, #wg>, index) {
    %more = arith.cmpi ugt, %i, %c0 : index
    scf.condition(%more) %p, %q, %i : memref<64xf32, #wg>, memref<64xf32, #wg>, index
  } do {
  ^bb0(%p: memref<64xf32, #wg>, %q: memref<64xf32, #wg>, %i: index):
    %j = arith.subi %i, %c1 : index
    scf.yield %q, %p, %j : memref<64xf32, #wg>, memref<64xf32, #wg>, index
  }
  memref.store %zero, %w[%t] : memref<64xf32, #wg>
  gpu.barrier
  %v = memref.load %x[%t] : memref<64xf32>
  memref.store %v, %w[%t] : memref<64xf32, #wg>
  gpu.barrier // not bad
  %r = memref.load %view[%n] : memref<64xf32, #wg>
  memref.store %r, %y[%t] : memref<64xf32>
  return
}

//--- reinterpret-cast.mlir
// CHECK: .mlir:[[#@LINE+21]]:{{[0-9]+}}: error: data race in workgroup memory: thread (1, 0, 0) writes byte 4, which thread (0, 0, 0) reads, with no barrier between
// CHECK: .mlir:[[#@LINE+22]]:{{[0-9]+}}: note: the other access is here
// CHECK: .mlir:[[#@LINE+11]]:{{[0-9]+}}: note: the buffer is made here
// CHECK: {{^}}races: 1, divergent barriers: 0, out of bounds: 0, uninitialized reads: 0{{$}}
#wg = #gpu.address_space<workgroup>
func.func @h11(%x: memref<64xf32>, %y: memref<64xf32>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant 0.0 : f32
  %t = gpu.thread_id x
  %t1 = arith.addi %t, %c1 : index
  %n = arith.remui %t1, %c64 : index
  %w = memref.alloc() : memref<64xf32, #wg>
  %view = memref.reinterpret_cast %w to offset: [0], sizes: [8, 8], strides: [8, 1] : memref<64xf32, #wg> to memref<8x8xf32, #wg>
  %c8 = arith.constant 8 : index
  %hi = arith.divui %n, %c8 : index
  %lo = arith.remui %n, %c8 : index
  memref.store %zero, %w[%t] : memref<64xf32, #wg>
  gpu.barrier
  %v = memref.load %x[%t] : memref<64xf32>
  memref.store %v, %w[%t] : memref<64xf32, #wg>
  gpu.barrier // not bad
  %r = memref.load %view[%hi, %lo] : memref<8x8xf32, #wg>
  memref.store %r, %y[%t] : memref<64xf32>
  return
}

//--- assume-alignment.mlir
// CHECK: .mlir:[[#@LINE+18]]:{{[0-9]+}}: error: data race in workgroup memory: thread (1, 0, 0) writes byte 4, which thread (0, 0, 0) reads, with no barrier between
// CHECK: .mlir:[[#@LINE+19]]:{{[0-9]+}}: note: the other access is here
// CHECK: .mlir:[[#@LINE+11]]:{{[0-9]+}}: note: the buffer is made here
// CHECK: {{^}}races: 1, divergent barriers: 0, out of bounds: 0, uninitialized reads: 0{{$}}
#wg = #gpu.address_space<workgroup>
func.func @h11(%x: memref<64xf32>, %y: memref<64xf32>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant 0.0 : f32
  %t = gpu.thread_id x
  %t1 = arith.addi %t, %c1 : index
  %n = arith.remui %t1, %c64 : index
  %w = memref.alloc() : memref<64xf32, #wg>
  %view = memref.assume_alignment %w, 16 : memref<64xf32, #wg>
  memref.store %zero, %w[%t] : memref<64xf32, #wg>
  gpu.barrier
  %v = memref.load %x[%t] : memref<64xf32>
  memref.store %v, %w[%t] : memref<64xf32, #wg>
  gpu.barrier // not bad
  %r = memref.load %view[%n] : memref<64xf32, #wg>
  memref.store %r, %y[%t] : memref<64xf32>
  return
}

//--- memory-space-cast.mlir
// Through a generic pointer the bytes are still those of workgroup memory.
// CHECK: .mlir:[[#@LINE+18]]:{{[0-9]+}}: error: data race in workgroup memory: thread (1, 0, 0) writes byte 4, which thread (0, 0, 0) reads, with no barrier between
// CHECK: .mlir:[[#@LINE+19]]:{{[0-9]+}}: note: the other access is here
// CHECK: .mlir:[[#@LINE+11]]:{{[0-9]+}}: note: the buffer is made here
// CHECK: {{^}}races: 1, divergent barriers: 0, out of bounds: 0, uninitialized reads: 0{{$}}
#wg = #gpu.address_space<workgroup>
func.func @h11(%x: memref<64xf32>, %y: memref<64xf32>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant 0.0 : f32
  %t = gpu.thread_id x
  %t1 = arith.addi %t, %c1 : index
  %n = arith.remui %t1, %c64 : index
  %w = memref.alloc() : memref<64xf32, #wg>
  %view = memref.memory_space_cast %w : memref<64xf32, #wg> to memref<64xf32>
  memref.store %zero, %w[%t] : memref<64xf32, #wg>
  gpu.barrier
  %v = memref.load %x[%t] : memref<64xf32>
  memref.store %v, %w[%t] : memref<64xf32, #wg>
  gpu.barrier // not bad
  %r = memref.load %view[%n] : memref<64xf32>
  memref.store %r, %y[%t] : memref<64xf32>
  return
}

//--- reshape.mlir
// CHECK: .mlir:[[#@LINE+26]]:{{[0-9]+}}: error: data race in workgroup memory: thread (1, 0, 0) writes byte 4, which thread (0, 0, 0) reads, with no barrier between
// CHECK: .mlir:[[#@LINE+27]]:{{[0-9]+}}: note: the other access is here
// CHECK: .mlir:[[#@LINE+12]]:{{[0-9]+}}: note: the buffer is made here
// CHECK: {{^}}races: 1, divergent barriers: 0, out of bounds: 0, uninitialized reads: 0{{$}}
#wg = #gpu.address_space<workgroup>
func.func @h11(%x: memref<64xf32>, %y: memref<64xf32>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant 0.0 : f32
  %t = gpu.thread_id x
  %t1 = arith.addi %t, %c1 : index
  %n = arith.remui %t1, %c64 : index
  %w = memref.alloc() : memref<64xf32, #wg>
  %shape = memref.alloca() : memref<2xindex, #gpu.address_space<private>>
  %c16 = arith.constant 16 : index
  %c4 = arith.constant 4 : index
  memref.store %c4, %shape[%c0] : memref<2xindex, #gpu.address_space<private>>
  memref.store %c16, %shape[%c1] : memref<2xindex, #gpu.address_space<private>>
  %view = memref.reshape %w(%shape) : (memref<64xf32, #wg>, memref<2xindex, #gpu.address_space<private>>) -> memref<4x16xf32, #wg>
  %hi = arith.divui %n, %c16 : index
  %lo = arith.remui %n, %c16 : index
  memref.store %zero, %w[%t] : memref<64xf32, #wg>
  gpu.barrier
  %v = memref.load %x[%t] : memref<64xf32>
  memref.store %v, %w[%t] : memref<64xf32, #wg>
  gpu.barrier // not bad
  %r = memref.load %view[%hi, %lo] : memref<4x16xf32, #wg>
  memref.store %r, %y[%t] : memref<64xf32>
  return
}

//--- extract-strided-metadata.mlir
// CHECK: .mlir:[[#@LINE+19]]:{{[0-9]+}}: error: data race in workgroup memory: thread (1, 0, 0) writes byte 4, which thread (0, 0, 0) reads, with no barrier between
// CHECK: .mlir:[[#@LINE+20]]:{{[0-9]+}}: note: the other access is here
// CHECK: .mlir:[[#@LINE+11]]:{{[0-9]+}}: note: the buffer is made here
// CHECK: {{^}}races: 1, divergent barriers: 0, out of bounds: 0, uninitialized reads: 0{{$}}
#wg = #gpu.address_space<workgroup>
func.func @h11(%x: memref<64xf32>, %y: memref<64xf32>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant 0.0 : f32
  %t = gpu.thread_id x
  %t1 = arith.addi %t, %c1 : index
  %n = arith.remui %t1, %c64 : index
  %w = memref.alloc() : memref<64xf32, #wg>
  %base, %offset, %size, %stride = memref.extract_strided_metadata %w : memref<64xf32, #wg> -> memref<f32, #wg>, index, index, index
  %view = memref.reinterpret_cast %base to offset: [%offset], sizes: [%size], strides: [%stride] : memref<f32, #wg> to memref<?xf32, strided<[?], offset: ?>, #wg>
  memref.store %zero, %w[%t] : memref<64xf32, #wg>
  gpu.barrier
  %v = memref.load %x[%t] : memref<64xf32>
  memref.store %v, %w[%t] : memref<64xf32, #wg>
  gpu.barrier // not bad
  %r = memref.load %view[%n] : memref<?xf32, strided<[?], offset: ?>, #wg>
  memref.store %r, %y[%t] : memref<64xf32>
  return
}

//--- subview.mlir
// CHECK: .mlir:[[#@LINE+18]]:{{[0-9]+}}: error: data race in workgroup memory: thread (1, 0, 0) writes byte 4, which thread (0, 0, 0) reads, with no barrier between
// CHECK: .mlir:[[#@LINE+19]]:{{[0-9]+}}: note: the other access is here
// CHECK: .mlir:[[#@LINE+11]]:{{[0-9]+}}: note: the buffer is made here
// CHECK: {{^}}races: 1, divergent barriers: 0, out of bounds: 0, uninitialized reads: 0{{$}}
#wg = #gpu.address_space<workgroup>
func.func @h11(%x: memref<64xf32>, %y: memref<64xf32>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant 0.0 : f32
  %t = gpu.thread_id x
  %t1 = arith.addi %t, %c1 : index
  %n = arith.remui %t1, %c64 : index
  %w = memref.alloc() : memref<64xf32, #wg>
  %view = memref.subview %w[0] [64] [1] : memref<64xf32, #wg> to memref<64xf32, strided<[1]>, #wg>
  memref.store %zero, %w[%t] : memref<64xf32, #wg>
  gpu.barrier
  %v = memref.load %x[%t] : memref<64xf32>
  memref.store %v, %w[%t] : memref<64xf32, #wg>
  gpu.barrier // not bad
  %r = memref.load %view[%n] : memref<64xf32, strided<[1]>, #wg>
  memref.store %r, %y[%t] : memref<64xf32>
  return
}

//--- subview-of-subview.mlir
// A stride and an offset that depend on the thread.
// CHECK: .mlir:[[#@LINE+23]]:{{[0-9]+}}: error: data race in workgroup memory: thread (1, 0, 0) writes byte 4, which thread (0, 0, 0) reads, with no barrier between
// CHECK: .mlir:[[#@LINE+24]]:{{[0-9]+}}: note: the other access is here
// CHECK: .mlir:[[#@LINE+12]]:{{[0-9]+}}: note: the buffer is made here
// CHECK: {{^}}races: 1, divergent barriers: 0, out of bounds: 0, uninitialized reads: 0{{$}}
#wg = #gpu.address_space<workgroup>
func.func @h11(%x: memref<64xf32>, %y: memref<64xf32>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant 0.0 : f32
  %t = gpu.thread_id x
  %t1 = arith.addi %t, %c1 : index
  %n = arith.remui %t1, %c64 : index
  %w = memref.alloc() : memref<64xf32, #wg>
  %c2 = arith.constant 2 : index
  %half = arith.divui %n, %c2 : index
  %low = arith.remui %n, %c2 : index
  %every = memref.subview %w[%low] [32] [2] : memref<64xf32, #wg> to memref<32xf32, strided<[2], offset: ?>, #wg>
  %view = memref.subview %every[%half] [1] [1] : memref<32xf32, strided<[2], offset: ?>, #wg> to memref<1xf32, strided<[2], offset: ?>, #wg>
  memref.store %zero, %w[%t] : memref<64xf32, #wg>
  gpu.barrier
  %v = memref.load %x[%t] : memref<64xf32>
  memref.store %v, %w[%t] : memref<64xf32, #wg>
  gpu.barrier // not bad
  %r = memref.load %view[%c0] : memref<1xf32, strided<[2], offset: ?>, #wg>
  memref.store %r, %y[%t] : memref<64xf32>
  return
}

//--- view.mlir
// Seen from either view.
// CHECK: .mlir:[[#@LINE+25]]:{{[0-9]+}}: error: data race in workgroup memory: thread (63, 0, 0) reads byte 0, which thread (0, 0, 0) writes, with no barrier between
// CHECK: .mlir:[[#@LINE+22]]:{{[0-9]+}}: note: the other access is here
// CHECK: .mlir:[[#@LINE+16]]:{{[0-9]+}}: note: the buffer is made here
// CHECK: .mlir:[[#@LINE+20]]:{{[0-9]+}}: error: data race in workgroup memory: thread (1, 0, 0) writes byte 4, which thread (0, 0, 0) reads, with no barrier between
// CHECK: .mlir:[[#@LINE+21]]:{{[0-9]+}}: note: the other access is here
// CHECK: .mlir:[[#@LINE+14]]:{{[0-9]+}}: note: the buffer is made here
// CHECK: {{^}}races: 2, divergent barriers: 0, out of bounds: 0, uninitialized reads: 0{{$}}
#wg = #gpu.address_space<workgroup>
func.func @h11(%x: memref<64xf32>, %y: memref<64xf32>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant 0.0 : f32
  %t = gpu.thread_id x
  %t1 = arith.addi %t, %c1 : index
  %n = arith.remui %t1, %c64 : index
  %w = memref.alloc() : memref<256xi8, #wg>
  %view = memref.view %w[%c0][] : memref<256xi8, #wg> to memref<64xf32, #wg>
  %again = memref.view %w[%c0][] : memref<256xi8, #wg> to memref<64xf32, #wg>
  memref.store %zero, %again[%t] : memref<64xf32, #wg>
  gpu.barrier
  %v = memref.load %x[%t] : memref<64xf32>
  memref.store %v, %again[%t] : memref<64xf32, #wg>
  gpu.barrier // not bad
  %r = memref.load %view[%n] : memref<64xf32, #wg>
  memref.store %r, %y[%t] : memref<64xf32>
  return
}

//--- expand-shape.mlir
// CHECK: .mlir:[[#@LINE+21]]:{{[0-9]+}}: error: data race in workgroup memory: thread (1, 0, 0) writes byte 4, which thread (0, 0, 0) reads, with no barrier between
// CHECK: .mlir:[[#@LINE+22]]:{{[0-9]+}}: note: the other access is here
// CHECK: .mlir:[[#@LINE+11]]:{{[0-9]+}}: note: the buffer is made here
// CHECK: {{^}}races: 1, divergent barriers: 0, out of bounds: 0, uninitialized reads: 0{{$}}
#wg = #gpu.address_space<workgroup>
func.func @h11(%x: memref<64xf32>, %y: memref<64xf32>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant 0.0 : f32
  %t = gpu.thread_id x
  %t1 = arith.addi %t, %c1 : index
  %n = arith.remui %t1, %c64 : index
  %w = memref.alloc() : memref<64xf32, #wg>
  %view = memref.expand_shape %w [[0, 1]] output_shape [16, 4] : memref<64xf32, #wg> into memref<16x4xf32, #wg>
  %c4 = arith.constant 4 : index
  %hi = arith.divui %n, %c4 : index
  %lo = arith.remui %n, %c4 : index
  memref.store %zero, %w[%t] : memref<64xf32, #wg>
  gpu.barrier
  %v = memref.load %x[%t] : memref<64xf32>
  memref.store %v, %w[%t] : memref<64xf32, #wg>
  gpu.barrier // not bad
  %r = memref.load %view[%hi, %lo] : memref<16x4xf32, #wg>
  memref.store %r, %y[%t] : memref<64xf32>
  return
}

//--- collapse-shape.mlir
// CHECK: .mlir:[[#@LINE+21]]:{{[0-9]+}}: error: data race in workgroup memory: thread (1, 0, 0) writes byte 4, which thread (0, 0, 0) reads, with no barrier between
// CHECK: .mlir:[[#@LINE+22]]:{{[0-9]+}}: note: the other access is here
// CHECK: .mlir:[[#@LINE+11]]:{{[0-9]+}}: note: the buffer is made here
// CHECK: {{^}}races: 1, divergent barriers: 0, out of bounds: 0, uninitialized reads: 0{{$}}
#wg = #gpu.address_space<workgroup>
func.func @h11(%x: memref<64xf32>, %y: memref<64xf32>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant 0.0 : f32
  %t = gpu.thread_id x
  %t1 = arith.addi %t, %c1 : index
  %n = arith.remui %t1, %c64 : index
  %w = memref.alloc() : memref<2x32xf32, #wg>
  %view = memref.collapse_shape %w [[0, 1]] : memref<2x32xf32, #wg> into memref<64xf32, #wg>
  %c32 = arith.constant 32 : index
  %hi = arith.divui %t, %c32 : index
  %lo = arith.remui %t, %c32 : index
  memref.store %zero, %w[%hi, %lo] : memref<2x32xf32, #wg>
  gpu.barrier
  %v = memref.load %x[%t] : memref<64xf32>
  memref.store %v, %w[%hi, %lo] : memref<2x32xf32, #wg>
  gpu.barrier // not bad
  %r = memref.load %view[%n] : memref<64xf32, #wg>
  memref.store %r, %y[%t] : memref<64xf32>
  return
}

//--- cast.mlir
// CHECK: .mlir:[[#@LINE+18]]:{{[0-9]+}}: error: data race in workgroup memory: thread (1, 0, 0) writes byte 4, which thread (0, 0, 0) reads, with no barrier between
// CHECK: .mlir:[[#@LINE+19]]:{{[0-9]+}}: note: the other access is here
// CHECK: .mlir:[[#@LINE+11]]:{{[0-9]+}}: note: the buffer is made here
// CHECK: {{^}}races: 1, divergent barriers: 0, out of bounds: 0, uninitialized reads: 0{{$}}
#wg = #gpu.address_space<workgroup>
func.func @h11(%x: memref<64xf32>, %y: memref<64xf32>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant 0.0 : f32
  %t = gpu.thread_id x
  %t1 = arith.addi %t, %c1 : index
  %n = arith.remui %t1, %c64 : index
  %w = memref.alloc() : memref<64xf32, #wg>
  %view = memref.cast %w : memref<64xf32, #wg> to memref<?xf32, strided<[?], offset: ?>, #wg>
  memref.store %zero, %w[%t] : memref<64xf32, #wg>
  gpu.barrier
  %v = memref.load %x[%t] : memref<64xf32>
  memref.store %v, %w[%t] : memref<64xf32, #wg>
  gpu.barrier // not bad
  %r = memref.load %view[%n] : memref<?xf32, strided<[?], offset: ?>, #wg>
  memref.store %r, %y[%t] : memref<64xf32>
  return
}

//--- transpose.mlir
// CHECK: .mlir:[[#@LINE+23]]:{{[0-9]+}}: error: data race in workgroup memory: thread (1, 0, 0) writes byte 4, which thread (0, 0, 0) reads, with no barrier between
// CHECK: .mlir:[[#@LINE+24]]:{{[0-9]+}}: note: the other access is here
// CHECK: .mlir:[[#@LINE+11]]:{{[0-9]+}}: note: the buffer is made here
// CHECK: {{^}}races: 1, divergent barriers: 0, out of bounds: 0, uninitialized reads: 0{{$}}
#wg = #gpu.address_space<workgroup>
func.func @h11(%x: memref<64xf32>, %y: memref<64xf32>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant 0.0 : f32
  %t = gpu.thread_id x
  %t1 = arith.addi %t, %c1 : index
  %n = arith.remui %t1, %c64 : index
  %w = memref.alloc() : memref<8x8xf32, #wg>
  %view = memref.transpose %w (i, j) -> (j, i) : memref<8x8xf32, #wg> to memref<8x8xf32, strided<[1, 8]>, #wg>
  %c8 = arith.constant 8 : index
  %hi = arith.divui %t, %c8 : index
  %lo = arith.remui %t, %c8 : index
  %nhi = arith.divui %n, %c8 : index
  %nlo = arith.remui %n, %c8 : index
  memref.store %zero, %w[%hi, %lo] : memref<8x8xf32, #wg>
  gpu.barrier
  %v = memref.load %x[%t] : memref<64xf32>
  memref.store %v, %w[%hi, %lo] : memref<8x8xf32, #wg>
  gpu.barrier // not bad
  %r = memref.load %view[%nlo, %nhi] : memref<8x8xf32, strided<[1, 8]>, #wg>
  memref.store %r, %y[%t] : memref<64xf32>
  return
}

//--- get-global.mlir
// Two memref.get_global of one symbol are one buffer.
// CHECK: .mlir:[[#@LINE+18]]:{{[0-9]+}}: error: data race in workgroup memory: thread (1, 0, 0) writes byte 4, which thread (0, 0, 0) reads, with no barrier between
// CHECK: .mlir:[[#@LINE+19]]:{{[0-9]+}}: note: the other access is here
// CHECK: {{^}}races: 1, divergent barriers: 0, out of bounds: 0, uninitialized reads: 0{{$}}
#wg = #gpu.address_space<workgroup>
memref.global "private" @tile : memref<64xf32, #wg> = uninitialized
func.func @h11(%x: memref<64xf32>, %y: memref<64xf32>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant 0.0 : f32
  %t = gpu.thread_id x
  %t1 = arith.addi %t, %c1 : index
  %n = arith.remui %t1, %c64 : index
  %w = memref.get_global @tile : memref<64xf32, #wg>
  %view = memref.get_global @tile : memref<64xf32, #wg>
  memref.store %zero, %w[%t] : memref<64xf32, #wg>
  gpu.barrier
  %v = memref.load %x[%t] : memref<64xf32>
  memref.store %v, %w[%t] : memref<64xf32, #wg>
  gpu.barrier // not bad
  %r = memref.load %view[%n] : memref<64xf32, #wg>
  memref.store %r, %y[%t] : memref<64xf32>
  return
}

//--- dynamic-shared.mlir
// Two gpu.dynamic_shared_memory ops are one buffer.
// CHECK: .mlir:[[#@LINE+25]]:{{[0-9]+}}: error: data race in workgroup memory: thread (63, 0, 0) reads byte 0, which thread (0, 0, 0) writes, with no barrier between
// CHECK: .mlir:[[#@LINE+22]]:{{[0-9]+}}: note: the other access is here
// CHECK: .mlir:[[#@LINE+21]]:{{[0-9]+}}: error: data race in workgroup memory: thread (1, 0, 0) writes byte 4, which thread (0, 0, 0) reads, with no barrier between
// CHECK: .mlir:[[#@LINE+22]]:{{[0-9]+}}: note: the other access is here
// CHECK: {{^}}races: 2, divergent barriers: 0, out of bounds: 0, uninitialized reads: 0{{$}}
#wg = #gpu.address_space<workgroup>
func.func @h11(%x: memref<64xf32>, %y: memref<64xf32>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>,
                memspace.dynamic_workgroup_bytes = 256 : i64} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant 0.0 : f32
  %t = gpu.thread_id x
  %t1 = arith.addi %t, %c1 : index
  %n = arith.remui %t1, %c64 : index
  %w = gpu.dynamic_shared_memory : memref<?xi8, #wg>
  %view = memref.view %w[%c0][] : memref<?xi8, #wg> to memref<64xf32, #wg>
  %base = gpu.dynamic_shared_memory : memref<?xi8, #wg>
  %again = memref.view %base[%c0][] : memref<?xi8, #wg> to memref<64xf32, #wg>
  memref.store %zero, %again[%t] : memref<64xf32, #wg>
  gpu.barrier
  %v = memref.load %x[%t] : memref<64xf32>
  memref.store %v, %again[%t] : memref<64xf32, #wg>
  gpu.barrier // not bad
  %r = memref.load %view[%n] : memref<64xf32, #wg>
  memref.store %r, %y[%t] : memref<64xf32>
  return
}
