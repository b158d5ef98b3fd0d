// RUN: split-file %s %t
// RUN: memspace-runner %t/never-written.mlir --arg=0:iota --out=1:%t/never-written-1.npy 2>&1 | FileCheck %s --check-prefix=CLEAN
// RUN: %compare %t/never-written-1.npy "i + 1"
// RUN: %broken bad %t/never-written.mlir %t/never-written-bad.mlir
// RUN: not memspace-runner %t/never-written-bad.mlir --arg=0:iota 2>&1 | FileCheck %t/never-written.mlir
// RUN: memspace-runner %t/partly-written.mlir --arg=0:iota --out=1:%t/partly-written-1.npy 2>&1 | FileCheck %s --check-prefix=CLEAN
// RUN: %compare %t/partly-written-1.npy "np.roll(i * i, -1)"
// RUN: %broken bad %t/partly-written.mlir %t/partly-written-bad.mlir
// RUN: not memspace-runner %t/partly-written-bad.mlir --arg=0:iota 2>&1 | FileCheck %t/partly-written.mlir
// RUN: memspace-runner %t/partly-written-bytes.mlir --arg=0:iota 2>&1 | FileCheck %s --check-prefix=CLEAN
// RUN: %broken bad %t/partly-written-bytes.mlir %t/partly-written-bytes-bad.mlir
// RUN: not memspace-runner %t/partly-written-bytes-bad.mlir --arg=0:iota 2>&1 | FileCheck %t/partly-written-bytes.mlir
// RUN: memspace-runner %t/private.mlir --arg=0:iota --out=1:%t/private-1.npy 2>&1 | FileCheck %s --check-prefix=CLEAN
// RUN: %compare %t/private-1.npy "i * 4"
// RUN: %broken bad %t/private.mlir %t/private-bad.mlir
// RUN: not memspace-runner %t/private-bad.mlir --arg=0:iota 2>&1 | FileCheck %t/private.mlir
// RUN: memspace-runner %t/private-each-iteration.mlir --arg=0:iota --out=1:%t/private-each-iteration-1.npy 2>&1 | FileCheck %s --check-prefix=CLEAN
// RUN: %compare %t/private-each-iteration-1.npy "i"
// RUN: %broken bad %t/private-each-iteration.mlir %t/private-each-iteration-bad.mlir
// RUN: not memspace-runner %t/private-each-iteration-bad.mlir --arg=0:iota 2>&1 | FileCheck %t/private-each-iteration.mlir
// RUN: memspace-runner %t/reused-arena.mlir --arg=0:iota --out=1:%t/reused-arena-1.npy 2>&1 | FileCheck %s --check-prefix=CLEAN
// RUN: %compare %t/reused-arena-1.npy "2 * i"
// RUN: %broken bad %t/reused-arena.mlir %t/reused-arena-bad.mlir
// RUN: not memspace-runner %t/reused-arena-bad.mlir --arg=0:iota 2>&1 | FileCheck %t/reused-arena.mlir
// RUN: memspace-runner %t/reused-attribution.mlir --arg=0:iota 2>&1 | FileCheck %s --check-prefix=CLEAN
// RUN: %broken bad %t/reused-attribution.mlir %t/reused-attribution-bad.mlir
// RUN: not memspace-runner %t/reused-attribution-bad.mlir --arg=0:iota 2>&1 | FileCheck %t/reused-attribution.mlir
// RUN: memspace-runner %t/reused-arena-loop.mlir --arg=0:iota 2>&1 | FileCheck %s --check-prefix=CLEAN
// RUN: %broken bad %t/reused-arena-loop.mlir %t/reused-arena-loop-bad.mlir
// RUN: not memspace-runner %t/reused-arena-loop-bad.mlir --arg=0:iota 2>&1 | FileCheck %t/reused-arena-loop.mlir
// RUN: memspace-runner %t/output-read.mlir --arg=0:iota --arg=1:fill:2 --out=1:%t/output-read-1.npy 2>&1 | FileCheck %s --check-prefix=CLEAN
// RUN: %compare %t/output-read-1.npy "i + 2"
// RUN: not memspace-runner %t/output-read.mlir --arg=0:iota 2>&1 | FileCheck %t/output-read.mlir
// RUN: memspace-runner %t/copied-out.mlir --arg=0:iota --out=1:%t/copied-out-1.npy 2>&1 | FileCheck %s --check-prefix=CLEAN
// RUN: %compare %t/copied-out-1.npy "i"
// RUN: %broken bad %t/copied-out.mlir %t/copied-out-bad.mlir
// RUN: not memspace-runner %t/copied-out-bad.mlir --arg=0:iota 2>&1 | FileCheck %t/copied-out.mlir
// RUN: memspace-runner %t/memref-copy.mlir --arg=0:iota --out=1:%t/memref-copy-1.npy 2>&1 | FileCheck %s --check-prefix=CLEAN
// RUN: %compare %t/memref-copy-1.npy "i"
// RUN: %broken bad %t/memref-copy.mlir %t/memref-copy-bad.mlir
// RUN: not memspace-runner %t/memref-copy-bad.mlir --arg=0:iota 2>&1 | FileCheck %t/memref-copy.mlir
// RUN: memspace-runner %t/unused-copies.mlir --arg=0:iota --out=1:%t/unused-copies-1.npy 2>&1 | FileCheck %s --check-prefix=CLEAN
// RUN: %compare %t/unused-copies-1.npy "i"
// RUN: memspace-runner %t/branch.mlir --arg=0:iota --out=1:%t/branch-1.npy 2>&1 | FileCheck %s --check-prefix=CLEAN
// RUN: %compare %t/branch-1.npy "1"
// RUN: %broken bad %t/branch.mlir %t/branch-bad.mlir
// RUN: not memspace-runner %t/branch-bad.mlir --arg=0:iota 2>&1 | FileCheck %t/branch.mlir
// RUN: memspace-runner %t/index.mlir --arg=0:iota --out=1:%t/index-1.npy 2>&1 | FileCheck %s --check-prefix=CLEAN
// RUN: %compare %t/index-1.npy "i"
// RUN: %broken bad %t/index.mlir %t/index-bad.mlir
// RUN: not memspace-runner %t/index-bad.mlir --arg=0:iota 2>&1 | FileCheck %t/index.mlir
// RUN: memspace-runner %t/global-memory.mlir --arg=0:iota --out=1:%t/global-memory-1.npy 2>&1 | FileCheck %s --check-prefix=CLEAN
// RUN: %compare %t/global-memory-1.npy "i"
// RUN: %broken bad %t/global-memory.mlir %t/global-memory-bad.mlir
// RUN: not memspace-runner %t/global-memory-bad.mlir --arg=0:iota 2>&1 | FileCheck %t/global-memory.mlir
// RUN: memspace-runner %t/attribution.mlir 2>&1 | FileCheck %s --check-prefix=CLEAN
// RUN: %broken bad %t/attribution.mlir %t/attribution-bad.mlir
// RUN: not memspace-runner %t/attribution-bad.mlir 2>&1 | FileCheck %t/attribution.mlir

// CLEAN-NOT: {{error|warning}}:
// CLEAN: {{^}}races: 0, divergent barriers: 0, out of bounds: 0, uninitialized reads: 0{{$}}

// Reads of bytes that nobody has written. A copy is not yet a use: it makes its
// target uninitialized, and is reported when that reaches an argument of the
// kernel or an operation.

//--- never-written.mlir
// Workgroup memory that is used without being filled.
// CHECK: .mlir:[[#@LINE+10]]:{{[0-9]+}}: error: uninitialized read: thread (0, 0, 0) reads byte 0, which nobody has written
// CHECK: .mlir:[[#@LINE+6]]:{{[0-9]+}}: note: the buffer is made here
// CHECK: {{^}}races: 0, divergent barriers: 0, out of bounds: 0, uninitialized reads: 1{{$}}
#wg = #gpu.address_space<workgroup>
func.func @k(%x: memref<64xi32>, %y: memref<64xi32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %one = arith.constant 1 : i32
  %t = gpu.thread_id x
  %w = memref.alloc() : memref<64xi32, #wg>
  %v = memref.load %x[%t] : memref<64xi32>
  memref.store %v, %w[%t] : memref<64xi32, #wg> // not bad
  %r = memref.load %w[%t] : memref<64xi32, #wg>
  %s = arith.addi %r, %one : i32
  memref.store %s, %y[%t] : memref<64xi32>
  return
}

//--- partly-written.mlir
// A tile of 65 elements, of which only 64 are filled: the halo is missing.
// CHECK: .mlir:[[#@LINE+18]]:{{[0-9]+}}: error: uninitialized read: thread (63, 0, 0) reads byte 256, which nobody has written
// CHECK: .mlir:[[#@LINE+8]]:{{[0-9]+}}: note: the buffer is made here
// CHECK: {{^}}races: 0, divergent barriers: 0, out of bounds: 0, uninitialized reads: 1{{$}}
#wg = #gpu.address_space<workgroup>
func.func @k(%x: memref<64xi32>, %y: memref<64xi32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %t = gpu.thread_id x
  %w = memref.alloc() : memref<65xi32, #wg>
  %v = memref.load %x[%t] : memref<64xi32>
  memref.store %v, %w[%t] : memref<65xi32, #wg>
  %first = arith.cmpi eq, %t, %c0 : index
  scf.if %first {
    memref.store %v, %w[%c64] : memref<65xi32, #wg> // not bad
  }
  gpu.barrier
  %n = arith.addi %t, %c1 : index
  %r = memref.load %w[%n] : memref<65xi32, #wg>
  %s = arith.muli %r, %r : i32
  memref.store %s, %y[%t] : memref<64xi32>
  return
}

//--- partly-written-bytes.mlir
// An i32 of which only three bytes are written.
// CHECK: .mlir:[[#@LINE+14]]:{{[0-9]+}}: error: uninitialized read: thread (0, 0, 0) reads byte 3, which nobody has written
// CHECK: {{^}}races: 0, divergent barriers: 0, out of bounds: 0, uninitialized reads: 1{{$}}
#wg = #gpu.address_space<workgroup>
func.func @k(%x: memref<4xi8>, %y: memref<1xi32>) attributes {gpu.known_block_size = array<i32: 1, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 4 : index // not bad
  //bad: %n = arith.constant 3 : index
  %raw = memref.alloc() : memref<4xi8, #wg>
  scf.for %i = %c0 to %n step %c1 {
    %v = memref.load %x[%i] : memref<4xi8>
    memref.store %v, %raw[%i] : memref<4xi8, #wg>
  }
  %w = memref.view %raw[%c0][] : memref<4xi8, #wg> to memref<1xi32, #wg>
  %r = memref.load %w[%c0] : memref<1xi32, #wg>
  %s = arith.addi %r, %r : i32
  memref.store %s, %y[%c0] : memref<1xi32>
  return
}

//--- private.mlir
// A thread's own array: the accumulator is not zeroed.
// CHECK: .mlir:[[#@LINE+14]]:{{[0-9]+}}: error: uninitialized read: thread (0, 0, 0) reads byte 0, which nobody has written
// CHECK: .mlir:[[#@LINE+9]]:{{[0-9]+}}: note: the buffer is made here
// CHECK: {{^}}races: 0, divergent barriers: 0, out of bounds: 0, uninitialized reads: 1{{$}}
#priv = #gpu.address_space<private>
func.func @k(%x: memref<64xi32>, %y: memref<64xi32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %zero = arith.constant 0 : i32
  %t = gpu.thread_id x
  %acc = memref.alloca() : memref<1xi32, #priv>
  memref.store %zero, %acc[%c0] : memref<1xi32, #priv> // not bad
  %v = memref.load %x[%t] : memref<64xi32>
  scf.for %i = %c0 to %c4 step %c1 {
    %a = memref.load %acc[%c0] : memref<1xi32, #priv>
    %b = arith.addi %a, %v : i32
    memref.store %b, %acc[%c0] : memref<1xi32, #priv>
  }
  %r = memref.load %acc[%c0] : memref<1xi32, #priv>
  memref.store %r, %y[%t] : memref<64xi32>
  return
}

//--- private-each-iteration.mlir
// Memory allocated in a loop is new in each iteration, though it lies where the
// last one's was.
// CHECK: .mlir:[[#@LINE+17]]:{{[0-9]+}}: error: uninitialized read: thread (0, 0, 0) reads byte 0, which nobody has written
// CHECK: .mlir:[[#@LINE+10]]:{{[0-9]+}}: note: the buffer is made here
// CHECK: {{^}}races: 0, divergent barriers: 0, out of bounds: 0, uninitialized reads: 1{{$}}
#priv = #gpu.address_space<private>
func.func @k(%x: memref<64xi32>, %y: memref<64xi32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %t = gpu.thread_id x
  %v = memref.load %x[%t] : memref<64xi32>
  scf.for %i = %c0 to %c4 step %c1 {
    %acc = memref.alloc() : memref<1xi32, #priv>
    %first = arith.cmpi eq, %i, %i : index // not bad
    //bad: %first = arith.cmpi eq, %i, %c0 : index
    scf.if %first {
      memref.store %v, %acc[%c0] : memref<1xi32, #priv>
    }
    %a = memref.load %acc[%c0] : memref<1xi32, #priv>
    %b = arith.maxsi %a, %v : i32
    memref.store %b, %y[%t] : memref<64xi32>
  }
  return
}

//--- reused-arena.mlir
// Two views of an arena at one offset are two buffers: what the first one left
// there is not the second one's.
// CHECK: .mlir:[[#@LINE+14]]:{{[0-9]+}}: error: uninitialized read: thread (0, 0, 0) reads byte 0, which was last written through another view
// CHECK: .mlir:[[#@LINE+11]]:{{[0-9]+}}: note: the buffer is made here
// CHECK: {{^}}races: 0, divergent barriers: 0, out of bounds: 0, uninitialized reads: 1{{$}}
#wg = #gpu.address_space<workgroup>
func.func @k(%x: memref<64xi32>, %y: memref<64xi32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %c0 = arith.constant 0 : index
  %t = gpu.thread_id x
  %arena = memref.alloc() {memspace.arena} : memref<256xi8, #wg>
  %a = memref.view %arena[%c0][] : memref<256xi8, #wg> to memref<64xi32, #wg>
  %v = memref.load %x[%t] : memref<64xi32>
  memref.store %v, %a[%t] : memref<64xi32, #wg>
  gpu.barrier
  %b = memref.view %arena[%c0][] : memref<256xi8, #wg> to memref<64xi32, #wg>
  memref.store %v, %b[%t] : memref<64xi32, #wg> // not bad
  %r = memref.load %b[%t] : memref<64xi32, #wg>
  %s = arith.addi %r, %r : i32
  memref.store %s, %y[%t] : memref<64xi32>
  return
}

//--- reused-attribution.mlir
// The same in a gpu.func.
// CHECK: .mlir:[[#@LINE+12]]:{{[0-9]+}}: error: uninitialized read: thread (0, 0, 0) reads byte 0, which was last written through another view
// CHECK: {{^}}races: 0, divergent barriers: 0, out of bounds: 0, uninitialized reads: 1{{$}}
#wg = #gpu.address_space<workgroup>
gpu.module @m {
  gpu.func @k(%x: memref<64xi32>, %y: memref<64xi32>) workgroup(%arena: memref<256xi8, #wg> {memspace.arena}) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %c0 = arith.constant 0 : index
    %t = gpu.thread_id x
    %a = memref.view %arena[%c0][] : memref<256xi8, #wg> to memref<64xi32, #wg>
    %b = memref.view %arena[%c0][] {memspace.buffer = 1 : i64} : memref<256xi8, #wg> to memref<64xi32, #wg>
    %v = memref.load %x[%t] : memref<64xi32>
    memref.store %v, %a[%t] : memref<64xi32, #wg>
    memref.store %v, %b[%t] : memref<64xi32, #wg> // not bad
    %r = memref.load %b[%t] : memref<64xi32, #wg>
    %s = arith.addi %r, %r : i32
    memref.store %s, %y[%t] : memref<64xi32>
    gpu.return
  }
}

//--- reused-arena-loop.mlir
// Two buffers in turn in one place: in the second iteration the first one's
// value is gone.
// CHECK: .mlir:[[#@LINE+16]]:{{[0-9]+}}: error: uninitialized read: thread (0, 0, 0) reads byte 0, which was last written through another view
// CHECK: .mlir:[[#@LINE+9]]:{{[0-9]+}}: note: the buffer is made here
// CHECK: {{^}}races: 0, divergent barriers: 0, out of bounds: 0, uninitialized reads: 1{{$}}
#wg = #gpu.address_space<workgroup>
func.func @k(%x: memref<64xi32>, %y: memref<64xi32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %t = gpu.thread_id x
  %arena = memref.alloc() {memspace.arena} : memref<256xi8, #wg>
  %a = memref.view %arena[%c0][] : memref<256xi8, #wg> to memref<64xi32, #wg>
  %b = memref.view %arena[%c0][] : memref<256xi8, #wg> to memref<64xi32, #wg>
  %v = memref.load %x[%t] : memref<64xi32>
  memref.store %v, %a[%t] : memref<64xi32, #wg>
  scf.for %i = %c0 to %c2 step %c1 {
    memref.store %v, %a[%t] : memref<64xi32, #wg> // not bad
    %r = memref.load %a[%t] : memref<64xi32, #wg>
    %s = arith.addi %r, %r : i32
    memref.store %s, %b[%t] : memref<64xi32, #wg>
    %q = memref.load %b[%t] : memref<64xi32, #wg>
    memref.store %q, %y[%t] : memref<64xi32>
  }
  return
}

//--- output-read.mlir
// An output argument that is added to before anyone has written it.
// CHECK: .mlir:[[#@LINE+5]]:{{[0-9]+}}: error: uninitialized read: thread (0, 0, 0) reads byte 0, which nobody has written
// CHECK: {{^}}races: 0, divergent barriers: 0, out of bounds: 0, uninitialized reads: 1{{$}}
func.func @k(%x: memref<64xi32>, %y: memref<64xi32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %t = gpu.thread_id x
  %v = memref.load %x[%t] : memref<64xi32>
  %o = memref.load %y[%t] : memref<64xi32>
  %s = arith.addi %v, %o : i32
  memref.store %s, %y[%t] : memref<64xi32>
  return
}

//--- copied-out.mlir
// Uninitialized bytes that are copied through workgroup memory to an argument.
// CHECK: error: uninitialized read: thread (0, 0, 0)
// CHECK: {{^}}races: 0, divergent barriers: 0, out of bounds: 0, uninitialized reads: 1{{$}}
#wg = #gpu.address_space<workgroup>
func.func @k(%x: memref<64xi32>, %y: memref<64xi32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %t = gpu.thread_id x
  %a = memref.alloc() : memref<64xi32, #wg>
  %b = memref.alloc() : memref<64xi32, #wg>
  %v = memref.load %x[%t] : memref<64xi32>
  memref.store %v, %a[%t] : memref<64xi32, #wg> // not bad
  %r = memref.load %a[%t] : memref<64xi32, #wg>
  memref.store %r, %b[%t] : memref<64xi32, #wg>
  %s = memref.load %b[%t] : memref<64xi32, #wg>
  memref.store %s, %y[%t] : memref<64xi32>
  return
}

//--- memref-copy.mlir
// The same by memref.copy and linalg.copy.
// CHECK: .mlir:[[#@LINE+8]]:{{[0-9]+}}: error: uninitialized read: thread (0, 0, 0)
// CHECK: {{^}}races: 0, divergent barriers: 0, out of bounds: 0, uninitialized reads: 1{{$}}
#wg = #gpu.address_space<workgroup>
func.func @k(%x: memref<64xi32>, %y: memref<64xi32>) attributes {gpu.known_block_size = array<i32: 1, 1, 1>} {
  %a = memref.alloc() : memref<64xi32, #wg>
  %b = memref.alloc() : memref<64xi32, #wg>
  memref.copy %x, %a : memref<64xi32> to memref<64xi32, #wg> // not bad
  linalg.copy ins(%a : memref<64xi32, #wg>) outs(%b : memref<64xi32, #wg>)
  memref.copy %b, %y : memref<64xi32, #wg> to memref<64xi32>
  return
}

//--- unused-copies.mlir
// Copies of uninitialized bytes that nobody uses: a padded tile whose margin is
// moved along, and never looked at.
#wg = #gpu.address_space<workgroup>
func.func @k(%x: memref<60xi32>, %y: memref<60xi32>) attributes {gpu.known_block_size = array<i32: 16, 1, 1>} {
  %c4 = arith.constant 4 : index
  %c15 = arith.constant 15 : index
  %t = gpu.thread_id x
  %s = arith.muli %t, %c4 : index
  %a = memref.alloc() : memref<64xi32, #wg>
  %b = memref.alloc() : memref<64xi32, #wg>
  %in = arith.cmpi ult, %t, %c15 : index
  scf.if %in {
    %v = vector.load %x[%s] : memref<60xi32>, vector<4xi32>
    vector.store %v, %a[%s] : memref<64xi32, #wg>, vector<4xi32>
  }
  %w = vector.load %a[%s] : memref<64xi32, #wg>, vector<4xi32>
  vector.store %w, %b[%s] : memref<64xi32, #wg>, vector<4xi32>
  %pa = memref.alloca() : memref<4xi32, #gpu.address_space<private>>
  %tile = memref.subview %b[%s] [4] [1] : memref<64xi32, #wg> to memref<4xi32, strided<[1], offset: ?>, #wg>
  memref.copy %tile, %pa : memref<4xi32, strided<[1], offset: ?>, #wg> to memref<4xi32, #gpu.address_space<private>>
  scf.if %in {
    %out = memref.subview %y[%s] [4] [1] : memref<60xi32> to memref<4xi32, strided<[1], offset: ?>>
    memref.copy %pa, %out : memref<4xi32, #gpu.address_space<private>> to memref<4xi32, strided<[1], offset: ?>>
  }
  return
}

//--- branch.mlir
// An uninitialized value that only decides a branch.
// CHECK: .mlir:[[#@LINE+10]]:{{[0-9]+}}: error: uninitialized read: thread (0, 0, 0) reads byte 0, which nobody has written
// CHECK: {{^}}races: 0, divergent barriers: 0, out of bounds: 0, uninitialized reads: 1{{$}}
#wg = #gpu.address_space<workgroup>
func.func @k(%x: memref<64xi32>, %y: memref<64xi32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %one = arith.constant 1 : i32
  %zero = arith.constant 0 : i32
  %t = gpu.thread_id x
  %w = memref.alloc() : memref<64xi32, #wg>
  memref.store %zero, %w[%t] : memref<64xi32, #wg> // not bad
  memref.store %one, %y[%t] : memref<64xi32>
  %r = memref.load %w[%t] : memref<64xi32, #wg>
  %set = arith.cmpi sgt, %r, %zero : i32
  scf.if %set {
    memref.store %zero, %y[%t] : memref<64xi32>
  }
  return
}

//--- index.mlir
// An uninitialized value that is only an index: reported as what it is.
// CHECK: error: uninitialized read: thread (0, 0, 0) reads byte 0, which nobody has written
// CHECK: {{^}}races: 0, divergent barriers: 0, out of bounds: {{[0-9]+}}, uninitialized reads: 1{{$}}
#wg = #gpu.address_space<workgroup>
func.func @k(%x: memref<64xi32>, %y: memref<64xi32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %t = gpu.thread_id x
  %w = memref.alloc() : memref<64xindex, #wg>
  memref.store %t, %w[%t] : memref<64xindex, #wg> // not bad
  %r = memref.load %w[%t] : memref<64xindex, #wg>
  %v = memref.load %x[%r] : memref<64xi32>
  memref.store %v, %y[%t] : memref<64xi32>
  return
}

//--- global-memory.mlir
// A memref.global in workgroup memory has no contents at the start, and those of
// the last workgroup are not its own.
// CHECK: .mlir:[[#@LINE+20]]:{{[0-9]+}}: error: uninitialized read: thread ({{[0-9]+}}, 0, 0) {{.*}}reads byte {{[0-9]+}}, which nobody has written
// CHECK: {{^}}races: 0, divergent barriers: 0, out of bounds: 0, uninitialized reads: 1{{$}}
#wg = #gpu.address_space<workgroup>
memref.global "private" @tile : memref<32xi32, #wg> = uninitialized
func.func @k(%x: memref<64xi32>, %y: memref<64xi32>)
    attributes {gpu.known_block_size = array<i32: 32, 1, 1>, gpu.known_grid_size = array<i32: 2, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %zero = arith.constant 0 : i32
  %t = gpu.thread_id x
  %b = gpu.block_id x
  %o = arith.muli %b, %c32 : index
  %g = arith.addi %o, %t : index
  %w = memref.get_global @tile : memref<32xi32, #wg>
  %v = memref.load %x[%g] : memref<64xi32>
  %first = arith.cmpi uge, %b, %c0 : index // not bad
  //bad: %first = arith.cmpi eq, %b, %c0 : index
  scf.if %first {
    memref.store %v, %w[%t] : memref<32xi32, #wg>
  }
  %r = memref.load %w[%t] : memref<32xi32, #wg>
  %s = arith.addi %r, %zero : i32
  %m = arith.maxsi %s, %v : i32
  memref.store %m, %y[%g] : memref<64xi32>
  return
}

//--- attribution.mlir
// A private attribution.
// CHECK: .mlir:[[#@LINE+11]]:{{[0-9]+}}: error: uninitialized read: thread (0, 0, 0) reads byte 0, which nobody has written
// CHECK: {{^}}races: 0, divergent barriers: 0, out of bounds: 0, uninitialized reads: 1{{$}}
#priv = #gpu.address_space<private>
gpu.module @m {
  gpu.func @k(%y: memref<64xi32>)
      private(%p: memref<1xi32, #priv>)
      kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %c0 = arith.constant 0 : index
    %t = gpu.thread_id x
    %i = arith.index_cast %t : index to i32
    memref.store %i, %p[%c0] : memref<1xi32, #priv> // not bad
    %v = memref.load %p[%c0] : memref<1xi32, #priv>
    %s = arith.addi %v, %i : i32
    memref.store %s, %y[%t] : memref<64xi32>
    gpu.return
  }
}
