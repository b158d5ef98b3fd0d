// RUN: split-file %s %t
// RUN: memspace-runner %t/global.mlir --arg=0:iota --out=0:%t/global-0.npy 2>&1 | FileCheck %s --check-prefix=CLEAN
// RUN: %compare %t/global-0.npy "i + 1"
// RUN: %broken bad %t/global.mlir %t/global-bad.mlir
// RUN: not memspace-runner %t/global-bad.mlir --arg=0:iota 2>&1 | FileCheck %t/global.mlir
// RUN: memspace-runner %t/workgroup.mlir --arg=0:iota 2>&1 | FileCheck %s --check-prefix=CLEAN
// RUN: %broken bad %t/workgroup.mlir %t/workgroup-bad.mlir
// RUN: not memspace-runner %t/workgroup-bad.mlir --arg=0:iota 2>&1 | FileCheck %t/workgroup.mlir
// RUN: memspace-runner %t/private.mlir --arg=0:fill:3 2>&1 | FileCheck %s --check-prefix=CLEAN
// RUN: not memspace-runner %t/private.mlir --arg=0:fill:4 2>&1 | FileCheck %t/private.mlir
// RUN: memspace-runner %t/negative.mlir --arg=0:iota 2>&1 | FileCheck %s --check-prefix=CLEAN
// RUN: %broken bad %t/negative.mlir %t/negative-bad.mlir
// RUN: not memspace-runner %t/negative-bad.mlir --arg=0:iota 2>&1 | FileCheck %t/negative.mlir
// RUN: memspace-runner %t/inside-the-buffer.mlir --arg=0:iota --out=1:%t/inside-the-buffer-1.npy 2>&1 | FileCheck %s --check-prefix=CLEAN
// RUN: %compare %t/inside-the-buffer-1.npy "i // 8 * 8 + (i % 8 + 1) % 8"
// RUN: %broken bad %t/inside-the-buffer.mlir %t/inside-the-buffer-bad.mlir
// RUN: not memspace-runner %t/inside-the-buffer-bad.mlir --arg=0:iota 2>&1 | FileCheck %t/inside-the-buffer.mlir
// RUN: memspace-runner %t/view-neighbour.mlir --arg=0:iota 2>&1 | FileCheck %s --check-prefix=CLEAN
// RUN: %broken bad %t/view-neighbour.mlir %t/view-neighbour-bad.mlir
// RUN: not memspace-runner %t/view-neighbour-bad.mlir --arg=0:iota 2>&1 | FileCheck %t/view-neighbour.mlir
// RUN: memspace-runner %t/view-of-arena.mlir 2>&1 | FileCheck %s --check-prefix=CLEAN
// RUN: %broken bad %t/view-of-arena.mlir %t/view-of-arena-bad.mlir
// RUN: not memspace-runner %t/view-of-arena-bad.mlir 2>&1 | FileCheck %t/view-of-arena.mlir
// RUN: memspace-runner %t/vector-load.mlir --arg=0:iota --out=1:%t/vector-load-1.npy 2>&1 | FileCheck %s --check-prefix=CLEAN
// RUN: %compare %t/vector-load-1.npy "i"
// RUN: %broken bad %t/vector-load.mlir %t/vector-load-bad.mlir
// RUN: not memspace-runner %t/vector-load-bad.mlir --arg=0:iota 2>&1 | FileCheck %t/vector-load.mlir
// RUN: memspace-runner %t/vector-store.mlir --arg=0:iota 2>&1 | FileCheck %s --check-prefix=CLEAN
// RUN: %broken bad %t/vector-store.mlir %t/vector-store-bad.mlir
// RUN: not memspace-runner %t/vector-store-bad.mlir --arg=0:iota 2>&1 | FileCheck %t/vector-store.mlir
// RUN: memspace-runner %t/transfer.mlir --arg=0:iota --out=1:%t/transfer-1.npy 2>&1 | FileCheck %s --check-prefix=CLEAN
// RUN: %compare %t/transfer-1.npy "np.where(i % 4 + i // 4 * 4 + 2 < 64, i + 2, 9)"
// RUN: %broken bad %t/transfer.mlir %t/transfer-bad.mlir
// RUN: not memspace-runner %t/transfer-bad.mlir --arg=0:iota 2>&1 | FileCheck %t/transfer.mlir
// RUN: memspace-runner %t/masked.mlir --arg=0:iota --out=1:%t/masked-1.npy 2>&1 | FileCheck %s --check-prefix=CLEAN
// RUN: %compare %t/masked-1.npy "np.where(i < 62, i + 2, 9)"
// RUN: %broken bad %t/masked.mlir %t/masked-bad.mlir
// RUN: not memspace-runner %t/masked-bad.mlir --arg=0:iota 2>&1 | FileCheck %t/masked.mlir
// RUN: memspace-runner %t/gather.mlir --arg=0:iota --arg=1:iota --out=2:%t/gather-2.npy 2>&1 | FileCheck %s --check-prefix=CLEAN
// RUN: %compare %t/gather-2.npy "i"
// RUN: not memspace-runner %t/gather.mlir --arg=0:iota --arg=1:fill:64 2>&1 | FileCheck %t/gather.mlir
// RUN: memspace-runner %t/subview.mlir --arg=0:iota --arg=2:fill:8 --out=1:%t/subview-1.npy 2>&1 | FileCheck %s --check-prefix=CLEAN
// RUN: %compare %t/subview-1.npy "i // 8 * 16 + i % 8 + 8"
// RUN: not memspace-runner %t/subview.mlir --arg=0:iota --arg=2:fill:9 2>&1 | FileCheck %t/subview.mlir
// RUN: memspace-runner %t/dynamic.mlir --shape=0:64 --arg=0:iota --shape=1:64 2>&1 | FileCheck %s --check-prefix=CLEAN
// RUN: not memspace-runner %t/dynamic.mlir --shape=0:63 --arg=0:iota --shape=1:64 2>&1 | FileCheck %t/dynamic.mlir
// RUN: not memspace-runner %t/dynamic.mlir --shape=0:64 --arg=0:iota --shape=1:8 2>&1 | FileCheck %t/dynamic.mlir --check-prefix=OUT
// RUN: memspace-runner %t/copy.mlir --shape=0:8 --arg=0:iota --shape=1:8 --out=1:%t/copy-1.npy 2>&1 | FileCheck %s --check-prefix=CLEAN
// RUN: %compare %t/copy-1.npy "i"
// RUN: not memspace-runner %t/copy.mlir --shape=0:8 --arg=0:iota --shape=1:7 2>&1 | FileCheck %t/copy.mlir
// RUN: memspace-runner %t/atomic.mlir --arg=0:fill:0 2>&1 | FileCheck %s --check-prefix=CLEAN
// RUN: %broken bad %t/atomic.mlir %t/atomic-bad.mlir
// RUN: not memspace-runner %t/atomic-bad.mlir --arg=0:fill:0 2>&1 | FileCheck %t/atomic.mlir
// RUN: memspace-runner %t/reinterpret-cast.mlir --arg=0:iota --out=1:%t/reinterpret-cast-1.npy 2>&1 | FileCheck %s --check-prefix=CLEAN
// RUN: %compare %t/reinterpret-cast-1.npy "i"
// RUN: %broken bad %t/reinterpret-cast.mlir %t/reinterpret-cast-bad.mlir
// RUN: not memspace-runner %t/reinterpret-cast-bad.mlir --arg=0:iota 2>&1 | FileCheck %t/reinterpret-cast.mlir
// RUN: memspace-runner %t/constant.mlir 2>&1 | FileCheck %s --check-prefix=CLEAN
// RUN: %broken bad %t/constant.mlir %t/constant-bad.mlir
// RUN: not memspace-runner %t/constant-bad.mlir 2>&1 | FileCheck %t/constant.mlir
// RUN: memspace-runner %t/attribution.mlir 2>&1 | FileCheck %s --check-prefix=CLEAN
// RUN: %broken bad %t/attribution.mlir %t/attribution-bad.mlir
// RUN: not memspace-runner %t/attribution-bad.mlir 2>&1 | FileCheck %t/attribution.mlir

// CLEAN-NOT: {{error|warning}}:
// CLEAN: {{^}}races: 0, divergent barriers: 0, out of bounds: 0, uninitialized reads: 0{{$}}

// Accesses outside a buffer, a view or a dimension, in every memory and by every
// kind of op. Each kernel is right as written; the broken twin goes too far.

//--- global.mlir
// One element beyond an argument, in the last thread.
// CHECK: .mlir:[[#@LINE+8]]:{{[0-9]+}}: error: out of bounds: thread (63, 0, 0) uses index 64 of dimension 0, whose size is 64
// CHECK: {{^}}races: 0, divergent barriers: 0, out of bounds: 1, uninitialized reads: 0{{$}}
func.func @k(%x: memref<64xi32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %c0 = arith.constant 0 : index // not bad
  //bad: %c0 = arith.constant 1 : index
  %one = arith.constant 1 : i32
  %t = gpu.thread_id x
  %n = arith.addi %t, %c0 : index
  %v = memref.load %x[%n] : memref<64xi32>
  %w = arith.addi %v, %one : i32
  gpu.barrier
  memref.store %w, %x[%t] : memref<64xi32>
  return
}

//--- workgroup.mlir
// A write beyond a workgroup buffer does not hit the next buffer.
// CHECK: .mlir:[[#@LINE+11]]:{{[0-9]+}}: error: out of bounds: thread (32, 0, 0) uses index 32 of dimension 0, whose size is 32
// CHECK: {{^}}races: 0, divergent barriers: 0, out of bounds: 1, uninitialized reads: 0{{$}}
#wg = #gpu.address_space<workgroup>
func.func @k(%x: memref<64xi32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %t = gpu.thread_id x
  %w = memref.alloc() : memref<64xi32, #wg> // not bad
  //bad: %w = memref.alloc() : memref<32xi32, #wg>
  %next = memref.alloc() : memref<64xi32, #wg>
  %v = memref.load %x[%t] : memref<64xi32>
  memref.store %v, %next[%t] : memref<64xi32, #wg>
  memref.store %v, %w[%t] : memref<64xi32, #wg> // not bad
  //bad: memref.store %v, %w[%t] : memref<32xi32, #wg>
  %r = memref.load %next[%t] : memref<64xi32, #wg>
  memref.store %r, %x[%t] : memref<64xi32>
  return
}

//--- private.mlir
// A thread's own array, with an index from memory.
// CHECK: .mlir:[[#@LINE+7]]:{{[0-9]+}}: error: out of bounds: thread (0, 0, 0) uses index 4 of dimension 0, whose size is 4
// CHECK: {{^}}races: 0, divergent barriers: 0, out of bounds: 1, uninitialized reads: 0{{$}}
#priv = #gpu.address_space<private>
func.func @k(%x: memref<64xindex>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %t = gpu.thread_id x
  %p = memref.alloca() : memref<4xindex, #priv>
  %i = memref.load %x[%t] : memref<64xindex>
  memref.store %t, %p[%i] : memref<4xindex, #priv>
  return
}

//--- negative.mlir
// The left neighbour of element 0.
// CHECK: .mlir:[[#@LINE+9]]:{{[0-9]+}}: error: out of bounds: thread (0, 0, 0) uses index -1 of dimension 0, whose size is 64
// CHECK: {{^}}races: 0, divergent barriers: 0, out of bounds: 1, uninitialized reads: 0{{$}}
func.func @k(%x: memref<64xi32>, %y: memref<64xi32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %c1 = arith.constant 1 : index
  %c0 = arith.constant 0 : index
  %t = gpu.thread_id x
  %l = arith.subi %t, %c1 : index
  %n = arith.maxsi %l, %c0 : index // not bad
  //bad: %n = arith.addi %l, %c0 : index
  %v = memref.load %x[%n] : memref<64xi32>
  memref.store %v, %y[%t] : memref<64xi32>
  return
}

//--- inside-the-buffer.mlir
// Column 8 of a row is column 0 of the next: in the buffer, but not in the
// dimension.
// CHECK: .mlir:[[#@LINE+10]]:{{[0-9]+}}: error: out of bounds: thread (7, 0, 0) uses index 8 of dimension 1, whose size is 8
// CHECK: {{^}}races: 0, divergent barriers: 0, out of bounds: 1, uninitialized reads: 0{{$}}
func.func @k(%x: memref<9x8xi32>, %y: memref<8x8xi32>) attributes {gpu.known_block_size = array<i32: 8, 8, 1>} {
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index // not bad
  //bad: %c8 = arith.constant 64 : index
  %tx = gpu.thread_id x
  %ty = gpu.thread_id y
  %r = arith.addi %tx, %c1 : index
  %n = arith.remui %r, %c8 : index
  %v = memref.load %x[%ty, %n] : memref<9x8xi32>
  memref.store %v, %y[%ty, %tx] : memref<8x8xi32>
  return
}

//--- view-neighbour.mlir
// Two views of an arena: the first overruns into the second.
// CHECK: .mlir:[[#@LINE+14]]:{{[0-9]+}}: error: out of bounds: thread (63, 0, 0) uses index 64 of dimension 0, whose size is 64
// CHECK: {{^}}races: 0, divergent barriers: 0, out of bounds: 1, uninitialized reads: 0{{$}}
#wg = #gpu.address_space<workgroup>
func.func @k(%x: memref<64xi32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c256 = arith.constant 256 : index
  %t = gpu.thread_id x
  %arena = memref.alloc() {memspace.arena} : memref<512xi8, #wg>
  %a = memref.view %arena[%c0][] : memref<512xi8, #wg> to memref<64xi32, #wg>
  %b = memref.view %arena[%c256][] : memref<512xi8, #wg> to memref<64xi32, #wg>
  %v = memref.load %x[%t] : memref<64xi32>
  %n = arith.addi %t, %c0 : index // not bad
  //bad: %n = arith.addi %t, %c1 : index
  memref.store %v, %a[%n] : memref<64xi32, #wg>
  return
}

//--- view-of-arena.mlir
// A view that ends behind its arena.
// CHECK: .mlir:[[#@LINE+12]]:{{[0-9]+}}: error: out of bounds: thread (0, 0, 0) makes a view of bytes 272 to 527 of a buffer of 512 bytes
// CHECK: .mlir:[[#@LINE+10]]:{{[0-9]+}}: note: the buffer is made here
// CHECK: .mlir:[[#@LINE+11]]:{{[0-9]+}}: error: out of bounds: thread (60, 0, 0) writes bytes 512 to 515 of a buffer of 512 bytes
// CHECK: .mlir:[[#@LINE+8]]:{{[0-9]+}}: note: the buffer is made here
// CHECK: {{^}}races: 0, divergent barriers: 0, out of bounds: 2, uninitialized reads: 0{{$}}
#wg = #gpu.address_space<workgroup>
func.func @k() attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %c256 = arith.constant 256 : index // not bad
  //bad: %c256 = arith.constant 272 : index
  %t = gpu.thread_id x
  %v = arith.constant 1 : i32
  %arena = memref.alloc() {memspace.arena} : memref<512xi8, #wg>
  %a = memref.view %arena[%c256][] : memref<512xi8, #wg> to memref<64xi32, #wg>
  memref.store %v, %a[%t] : memref<64xi32, #wg>
  return
}

//--- vector-load.mlir
// The index is right, the vector ends behind the row.
// CHECK: .mlir:[[#@LINE+10]]:{{[0-9]+}}: error: out of bounds: thread (1, 0, 0) {{.*}}
// CHECK: {{^}}races: 0, divergent barriers: 0, out of bounds: 1, uninitialized reads: 0{{$}}
func.func @k(%x: memref<4x8xi32>, %y: memref<4x8xi32>) attributes {gpu.known_block_size = array<i32: 2, 4, 1>} {
  %c4 = arith.constant 4 : index
  %c1 = arith.constant 0 : index // not bad
  //bad: %c1 = arith.constant 1 : index
  %tx = gpu.thread_id x
  %ty = gpu.thread_id y
  %s = arith.muli %tx, %c4 : index
  %n = arith.addi %s, %c1 : index
  %v = vector.load %x[%ty, %n] : memref<4x8xi32>, vector<4xi32>
  vector.store %v, %y[%ty, %s] : memref<4x8xi32>, vector<4xi32>
  return
}

//--- vector-store.mlir
// CHECK: .mlir:[[#@LINE+10]]:{{[0-9]+}}: error: out of bounds: thread (15, 0, 0) {{.*}}
// CHECK: {{^}}races: 0, divergent barriers: 0, out of bounds: 1, uninitialized reads: 0{{$}}
func.func @k(%x: memref<64xi32>, %y: memref<64xi32>) attributes {gpu.known_block_size = array<i32: 16, 1, 1>} {
  %c4 = arith.constant 4 : index
  %c1 = arith.constant 0 : index // not bad
  //bad: %c1 = arith.constant 2 : index
  %t = gpu.thread_id x
  %s = arith.muli %t, %c4 : index
  %n = arith.addi %s, %c1 : index
  %v = vector.load %x[%s] : memref<64xi32>, vector<4xi32>
  vector.store %v, %y[%n] : memref<64xi32>, vector<4xi32>
  return
}

//--- transfer.mlir
// vector.transfer_read pads what is out of bounds, unless it promises that
// nothing is.
// CHECK: .mlir:[[#@LINE+10]]:{{[0-9]+}}: error: out of bounds: thread (15, 0, 0) {{.*}}
// CHECK: {{^}}races: 0, divergent barriers: 0, out of bounds: 1, uninitialized reads: 0{{$}}
func.func @k(%x: memref<64xi32>, %y: memref<64xi32>) attributes {gpu.known_block_size = array<i32: 16, 1, 1>} {
  %c4 = arith.constant 4 : index
  %c2 = arith.constant 2 : index
  %pad = arith.constant 9 : i32
  %t = gpu.thread_id x
  %s = arith.muli %t, %c4 : index
  %n = arith.addi %s, %c2 : index
  %v = vector.transfer_read %x[%n], %pad : memref<64xi32>, vector<4xi32> // not bad
  //bad: %v = vector.transfer_read %x[%n], %pad {in_bounds = [true]} : memref<64xi32>, vector<4xi32>
  vector.transfer_write %v, %y[%s] {in_bounds = [true]} : vector<4xi32>, memref<64xi32>
  return
}

//--- masked.mlir
// Lanes that are masked out may point anywhere.
// CHECK: .mlir:[[#@LINE+13]]:{{[0-9]+}}: error: out of bounds: thread (15, 0, 0) {{.*}}
// CHECK: {{^}}races: 0, divergent barriers: 0, out of bounds: 1, uninitialized reads: 0{{$}}
func.func @k(%x: memref<64xi32>, %y: memref<64xi32>) attributes {gpu.known_block_size = array<i32: 16, 1, 1>} {
  %c4 = arith.constant 4 : index
  %c2 = arith.constant 2 : index
  %c64 = arith.constant 64 : index // not bad
  //bad: %c64 = arith.constant 66 : index
  %pad = arith.constant dense<9> : vector<4xi32>
  %t = gpu.thread_id x
  %s = arith.muli %t, %c4 : index
  %n = arith.addi %s, %c2 : index
  %left = arith.subi %c64, %n : index
  %mask = vector.create_mask %left : vector<4xi1>
  %v = vector.maskedload %x[%n], %mask, %pad : memref<64xi32>, vector<4xi1>, vector<4xi32> into vector<4xi32>
  vector.store %v, %y[%s] : memref<64xi32>, vector<4xi32>
  return
}

//--- gather.mlir
// CHECK: .mlir:[[#@LINE+10]]:{{[0-9]+}}: error: out of bounds: thread (0, 0, 0) {{.*}}
// CHECK: {{^}}races: 0, divergent barriers: 0, out of bounds: 1, uninitialized reads: 0{{$}}
func.func @k(%x: memref<64xi32>, %idx: memref<64xi32>, %y: memref<64xi32>) attributes {gpu.known_block_size = array<i32: 16, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %pad = arith.constant dense<9> : vector<4xi32>
  %mask = arith.constant dense<true> : vector<4xi1>
  %t = gpu.thread_id x
  %s = arith.muli %t, %c4 : index
  %i = vector.load %idx[%s] : memref<64xi32>, vector<4xi32>
  %v = vector.gather %x[%c0][%i], %mask, %pad : memref<64xi32>, vector<4xi32>, vector<4xi1>, vector<4xi32> into vector<4xi32>
  vector.store %v, %y[%s] : memref<64xi32>, vector<4xi32>
  return
}

//--- subview.mlir
// A linalg.copy of a subview that is larger than what is left of each row,
// though not of the buffer.
// CHECK: .mlir:{{[0-9]+}}:{{[0-9]+}}: error: out of bounds: thread (0, 0, 0)
// CHECK: {{^}}races: 0, divergent barriers: 0, out of bounds: 1, uninitialized reads: 0{{$}}
func.func @k(%x: memref<8x16xi32>, %y: memref<4x8xi32>, %o: index) attributes {gpu.known_block_size = array<i32: 1, 1, 1>} {
  %s = memref.subview %x[0, %o] [4, 8] [1, 1] : memref<8x16xi32> to memref<4x8xi32, strided<[16, 1], offset: ?>>
  linalg.copy ins(%s : memref<4x8xi32, strided<[16, 1], offset: ?>>) outs(%y : memref<4x8xi32>)
  return
}

//--- dynamic.mlir
// The size is known at launch only.
// CHECK: .mlir:[[#@LINE+6]]:{{[0-9]+}}: error: out of bounds: thread (63, 0, 0) uses index 63 of dimension 0, whose size is 63
// CHECK: {{^}}races: 0, divergent barriers: 0, out of bounds: 1, uninitialized reads: 0{{$}}
// OUT: .mlir:[[#@LINE+5]]:{{[0-9]+}}: error: out of bounds: thread (8, 0, 0) uses index 8 of dimension 0, whose size is 8
// OUT: {{^}}races: 0, divergent barriers: 0, out of bounds: 1, uninitialized reads: 0{{$}}
func.func @k(%x: memref<?xi32>, %y: memref<?xi32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %t = gpu.thread_id x
  %v = memref.load %x[%t] : memref<?xi32>
  memref.store %v, %y[%t] : memref<?xi32>
  return
}

//--- copy.mlir
// memref.copy between buffers whose sizes differ.
// CHECK: .mlir:[[#@LINE+3]]:{{[0-9]+}}: error: out of bounds: thread (0, 0, 0)
// CHECK: {{^}}races: 0, divergent barriers: 0, out of bounds: 1, uninitialized reads: 0{{$}}
func.func @k(%x: memref<?xi32>, %y: memref<?xi32>) attributes {gpu.known_block_size = array<i32: 1, 1, 1>} {
  memref.copy %x, %y : memref<?xi32> to memref<?xi32>
  return
}

//--- atomic.mlir
// CHECK: .mlir:[[#@LINE+8]]:{{[0-9]+}}: error: out of bounds: thread (32, 0, 0) uses index 1 of dimension 0, whose size is 1
// CHECK: {{^}}races: 0, divergent barriers: 0, out of bounds: 1, uninitialized reads: 0{{$}}
func.func @k(%x: memref<1xi32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %c64 = arith.constant 64 : index // not bad
  //bad: %c64 = arith.constant 32 : index
  %one = arith.constant 1 : i32
  %t = gpu.thread_id x
  %bin = arith.divui %t, %c64 : index
  %old = memref.atomic_rmw addi %one, %x[%bin] : (i32, memref<1xi32>) -> i32
  return
}

//--- reinterpret-cast.mlir
// The sizes of a reinterpret_cast are as large as one likes; the buffer is not.
// CHECK: .mlir:[[#@LINE+8]]:{{[0-9]+}}: error: out of bounds: thread (32, 0, 0) reads bytes 256 to 259 of a buffer of 256 bytes
// CHECK: {{^}}races: 0, divergent barriers: 0, out of bounds: 1, uninitialized reads: 0{{$}}
func.func @k(%x: memref<64xi32>, %y: memref<64xi32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 1 : index // not bad
  //bad: %c2 = arith.constant 2 : index
  %t = gpu.thread_id x
  %r = memref.reinterpret_cast %x to offset: [0], sizes: [64], strides: [%c2] : memref<64xi32> to memref<64xi32, strided<[?]>>
  %v = memref.load %r[%t] : memref<64xi32, strided<[?]>>
  memref.store %v, %y[%t] : memref<64xi32>
  return
}

//--- constant.mlir
// A store to a constant.
// CHECK: .mlir:[[#@LINE+8]]:{{[0-9]+}}: error: write to a constant: thread (0, 0, 0)
// CHECK: {{^}}races: 0, divergent barriers: 0, out of bounds: 1, uninitialized reads: 0{{$}}
memref.global "private" constant @table : memref<64xi32> = dense<1>
func.func @k(%y: memref<64xi32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %t = gpu.thread_id x
  %g = memref.get_global @table : memref<64xi32>
  %v = memref.load %g[%t] : memref<64xi32>
  memref.store %v, %y[%t] : memref<64xi32> // not bad
  //bad: memref.store %v, %g[%t] : memref<64xi32>
  return
}

//--- attribution.mlir
// Workgroup and private attributions of a gpu.func.
// CHECK: error: out of bounds: thread (32, 0, 0) uses index 32 of dimension 0, whose size is 32
// CHECK: {{^}}races: 0, divergent barriers: 0, out of bounds: 1, uninitialized reads: 0{{$}}
#wg = #gpu.address_space<workgroup>
#priv = #gpu.address_space<private>
gpu.module @m {
  gpu.func @k(%y: memref<64xi32>)
      workgroup(%w: memref<32xi32, #wg>)
      private(%p: memref<1xi32, #priv>)
      kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index // not bad
    //bad: %c32 = arith.constant 64 : index
    %t = gpu.thread_id x
    %i = arith.index_cast %t : index to i32
    memref.store %i, %p[%c0] : memref<1xi32, #priv>
    %low = arith.cmpi ult, %t, %c32 : index
    scf.if %low {
      %v = memref.load %p[%c0] : memref<1xi32, #priv>
      memref.store %v, %w[%t] : memref<32xi32, #wg>
    }
    gpu.return
  }
}
