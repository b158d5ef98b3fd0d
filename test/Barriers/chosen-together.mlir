// Two buffers, or two slots, of which one condition says which is first: they are never
// one. The kernel is looked at once for each of the few numbers of what decides.
// RUN: memspace-opt %s -memspace-insert-barriers=chip=gfx942 -o %t.scf.mlir
// RUN: memspace-opt %t.scf.mlir -memspace-verify-barriers=chip=gfx942 -o /dev/null
// RUN: memspace-opt %s -convert-scf-to-cf -memspace-insert-barriers=chip=gfx942 -o %t.cf.mlir
// RUN: memspace-opt %t.cf.mlir -memspace-verify-barriers=chip=gfx942 -o /dev/null
// RUN: memspace-opt %t.scf.mlir -convert-scf-to-cf -memspace-verify-barriers=chip=gfx942 -o /dev/null
// RUN: memspace-runner %t.scf.mlir --chip=gfx942 --kernel=buffers --arg=0:random:1 --arg=2:fill:0 --orders=2 --verbose 2>&1 | FileCheck %s --check-prefix=SIX
// RUN: memspace-runner %t.cf.mlir --chip=gfx942 --kernel=buffers --arg=0:random:1 --arg=2:fill:0 --orders=2 --verbose 2>&1 | FileCheck %s --check-prefix=SIX
// RUN: memspace-runner %t.scf.mlir --chip=gfx942 --kernel=buffers --arg=0:random:1 --arg=2:fill:1 --orders=2 --verbose 2>&1 | FileCheck %s --check-prefix=SIX
// RUN: memspace-runner %t.cf.mlir --chip=gfx942 --kernel=buffers --arg=0:random:1 --arg=2:fill:1 --orders=2 --verbose 2>&1 | FileCheck %s --check-prefix=SIX
// RUN: memspace-runner %t.scf.mlir --chip=gfx942 --kernel=slots --arg=0:random:1 --arg=2:fill:0 --orders=2 --verbose 2>&1 | FileCheck %s --check-prefix=SIX
// RUN: memspace-runner %t.cf.mlir --chip=gfx942 --kernel=slots --arg=0:random:1 --arg=2:fill:0 --orders=2 --verbose 2>&1 | FileCheck %s --check-prefix=SIX
// RUN: memspace-runner %t.scf.mlir --chip=gfx942 --kernel=slots --arg=0:random:1 --arg=2:fill:1 --orders=2 --verbose 2>&1 | FileCheck %s --check-prefix=SIX
// RUN: memspace-runner %t.cf.mlir --chip=gfx942 --kernel=slots --arg=0:random:1 --arg=2:fill:1 --orders=2 --verbose 2>&1 | FileCheck %s --check-prefix=SIX
// RUN: memspace-runner %t.scf.mlir --chip=gfx942 --kernel=straight --arg=0:random:1 --arg=2:fill:0 --orders=2 --verbose 2>&1 | FileCheck %s --check-prefix=TWO
// RUN: memspace-runner %t.cf.mlir --chip=gfx942 --kernel=straight --arg=0:random:1 --arg=2:fill:0 --orders=2 --verbose 2>&1 | FileCheck %s --check-prefix=TWO
// RUN: memspace-runner %t.scf.mlir --chip=gfx942 --kernel=straight --arg=0:random:1 --arg=2:fill:1 --orders=2 --verbose 2>&1 | FileCheck %s --check-prefix=TWO
// RUN: memspace-runner %t.cf.mlir --chip=gfx942 --kernel=straight --arg=0:random:1 --arg=2:fill:1 --orders=2 --verbose 2>&1 | FileCheck %s --check-prefix=TWO
// RUN: memspace-runner %t.scf.mlir --chip=gfx942 --kernel=by_parity --arg=0:random:1 --arg=2:fill:0 --orders=2 --verbose 2>&1 | FileCheck %s --check-prefix=SIX
// RUN: memspace-runner %t.cf.mlir --chip=gfx942 --kernel=by_parity --arg=0:random:1 --arg=2:fill:0 --orders=2 --verbose 2>&1 | FileCheck %s --check-prefix=SIX
// RUN: memspace-runner %t.scf.mlir --chip=gfx942 --kernel=by_parity --arg=0:random:1 --arg=2:fill:1 --orders=2 --verbose 2>&1 | FileCheck %s --check-prefix=SIX
// RUN: memspace-runner %t.cf.mlir --chip=gfx942 --kernel=by_parity --arg=0:random:1 --arg=2:fill:1 --orders=2 --verbose 2>&1 | FileCheck %s --check-prefix=SIX
// RUN: memspace-runner %t.scf.mlir --chip=gfx942 --kernel=guarded --arg=0:random:1 --arg=2:fill:0 --orders=2 --verbose 2>&1 | FileCheck %s --check-prefix=TWO
// RUN: memspace-runner %t.cf.mlir --chip=gfx942 --kernel=guarded --arg=0:random:1 --arg=2:fill:0 --orders=2 --verbose 2>&1 | FileCheck %s --check-prefix=TWO
// RUN: memspace-runner %t.scf.mlir --chip=gfx942 --kernel=guarded --arg=0:random:1 --arg=2:fill:1 --orders=2 --verbose 2>&1 | FileCheck %s --check-prefix=TWO
// RUN: memspace-runner %t.cf.mlir --chip=gfx942 --kernel=guarded --arg=0:random:1 --arg=2:fill:1 --orders=2 --verbose 2>&1 | FileCheck %s --check-prefix=TWO
// RUN: not memspace-runner %t.scf.mlir --chip=gfx942 --kernel=in_loop --arg=0:fill:0 --arg=1:fill:4 --arg=2:fill:2 --orders=2 --verbose 2>&1 | FileCheck %s --check-prefix=CLEAN
// RUN: memspace-runner %t.scf.mlir --chip=gfx942 --kernel=divergent --arg=0:fill:0 --arg=1:fill:4 --arg=2:fill:64 --orders=2 --verbose 2>&1 | FileCheck %s --check-prefix=CLEAN
// RUN: not memspace-runner %t.cf.mlir --chip=gfx942 --kernel=in_loop --arg=0:fill:0 --arg=1:fill:4 --arg=2:fill:2 --orders=2 --verbose 2>&1 | FileCheck %s --check-prefix=CLEAN
// RUN: memspace-runner %t.cf.mlir --chip=gfx942 --kernel=divergent --arg=0:fill:0 --arg=1:fill:4 --arg=2:fill:64 --orders=2 --verbose 2>&1 | FileCheck %s --check-prefix=CLEAN
// CLEAN: races: 0,
// SIX: executed barriers: 6,
// SIX: races: 0,
// TWO: executed barriers: 2,
// TWO: races: 0,

!S = memref<128xi32, #gpu.address_space<workgroup>>
!R = memref<2x128xi32, #gpu.address_space<workgroup>>
!G = memref<2048xi32>

func.func @buffers(%in: !G, %out: !G, %c: i1) attributes {gpu.known_block_size = array<i32: 128, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c6 = arith.constant 6 : index
  %c127 = arith.constant 127 : index
  %x = gpu.thread_id x
  %rv = arith.subi %c127, %x : index
  %a = memref.alloc() : !S
  %b = memref.alloc() : !S
  %src0 = arith.select %c, %a, %b : !S
  %dst0 = arith.select %c, %b, %a : !S
  %v = memref.load %in[%x] : !G
  memref.store %v, %src0[%x] : !S
  %r:2 = scf.for %i = %c0 to %c6 step %c1 iter_args(%src = %src0, %dst = %dst0) -> (!S, !S) {
    %l = memref.load %src[%rv] : !S
    memref.store %l, %dst[%x] : !S
    scf.yield %dst, %src : !S, !S
  }
  %w = memref.load %r#0[%x] : !S
  memref.store %w, %out[%x] : !G
  return
}

func.func @slots(%in: !G, %out: !G, %c: i1) attributes {gpu.known_block_size = array<i32: 128, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c6 = arith.constant 6 : index
  %c127 = arith.constant 127 : index
  %x = gpu.thread_id x
  %rv = arith.subi %c127, %x : index
  %s = memref.alloc() : !R
  %p0 = arith.select %c, %c0, %c1 : index
  %q0 = arith.select %c, %c1, %c0 : index
  %v = memref.load %in[%x] : !G
  memref.store %v, %s[%p0, %x] : !R
  %r:2 = scf.for %i = %c0 to %c6 step %c1 iter_args(%p = %p0, %q = %q0) -> (index, index) {
    %l = memref.load %s[%p, %rv] : !R
    memref.store %l, %s[%q, %x] : !R
    scf.yield %q, %p : index, index
  }
  %w = memref.load %s[%r#0, %x] : !R
  memref.store %w, %out[%x] : !G
  return
}

func.func @straight(%in: !G, %out: !G, %c: i1) attributes {gpu.known_block_size = array<i32: 128, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %c127 = arith.constant 127 : index
  %x = gpu.thread_id x
  %rv = arith.subi %c127, %x : index
  %a = memref.alloc() : !S
  %b = memref.alloc() : !S
  %p = arith.select %c, %a, %b : !S
  %q = arith.select %c, %b, %a : !S
  %v = memref.load %in[%x] : !G
  memref.store %v, %p[%x] : !S
  %l = memref.load %p[%rv] : !S
  memref.store %l, %q[%x] : !S
  %w = memref.load %q[%rv] : !S
  memref.store %w, %out[%x] : !G
  return
}

// Two comparisons of one number.
func.func @by_parity(%in: !G, %out: !G, %n: index) attributes {gpu.known_block_size = array<i32: 128, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c6 = arith.constant 6 : index
  %c127 = arith.constant 127 : index
  %x = gpu.thread_id x
  %rv = arith.subi %c127, %x : index
  %a = memref.alloc() : !S
  %b = memref.alloc() : !S
  %odd = arith.andi %n, %c1 : index
  %c = arith.cmpi ne, %odd, %c0 : index
  %d = arith.cmpi eq, %odd, %c0 : index
  %src0 = arith.select %c, %a, %b : !S
  %dst0 = arith.select %d, %a, %b : !S
  %v = memref.load %in[%x] : !G
  memref.store %v, %src0[%x] : !S
  %r:2 = scf.for %i = %c0 to %c6 step %c1 iter_args(%src = %src0, %dst = %dst0) -> (!S, !S) {
    %l = memref.load %src[%rv] : !S
    memref.store %l, %dst[%x] : !S
    scf.yield %dst, %src : !S, !S
  }
  %w = memref.load %r#0[%x] : !S
  memref.store %w, %out[%x] : !G
  return
}

// What is read under the opposite condition is the other buffer.
func.func @guarded(%in: !G, %out: !G, %c: i1) attributes {gpu.known_block_size = array<i32: 128, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %c127 = arith.constant 127 : index
  %x = gpu.thread_id x
  %rv = arith.subi %c127, %x : index
  %a = memref.alloc() : !S
  %b = memref.alloc() : !S
  %p = arith.select %c, %a, %b : !S
  %q = arith.select %c, %b, %a : !S
  %v = memref.load %in[%x] : !G
  memref.store %v, %q[%x] : !S
  memref.store %v, %p[%rv] : !S
  gpu.barrier
  memref.store %v, %p[%x] : !S
  scf.if %c {
    %l = memref.load %b[%rv] : !S
    memref.store %l, %out[%x] : !G
  } else {
    %l = memref.load %a[%rv] : !S
    memref.store %l, %out[%x] : !G
  }
  gpu.barrier {memspace.keep}
  return
}

// These conditions are no one number: of each iteration, and of each thread. (The first reads
// what nobody wrote, which the emulator reports.)
func.func @in_loop(%out: !G, %n: index, %m: index) attributes {gpu.known_block_size = array<i32: 128, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c127 = arith.constant 127 : index
  %v = arith.constant 1 : i32
  %x = gpu.thread_id x
  %rv = arith.subi %c127, %x : index
  %s = memref.alloc() : !R
  scf.for %i = %c0 to %n step %c1 {
    %c = arith.cmpi slt, %i, %m : index
    %q = arith.select %c, %c1, %c0 : index
    %p = arith.select %c, %c0, %c1 : index
    memref.store %v, %s[%q, %x] : !R
    %w = memref.load %s[%p, %rv] : !R
    memref.store %w, %out[%x] : !G
  }
  return
}

func.func @divergent(%out: !G, %n: index, %m: index) attributes {gpu.known_block_size = array<i32: 128, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c127 = arith.constant 127 : index
  %v = arith.constant 1 : i32
  %x = gpu.thread_id x
  %rv = arith.subi %c127, %x : index
  %s = memref.alloc() : !R
    %c = arith.cmpi slt, %x, %m : index
    %q = arith.select %c, %c1, %c0 : index
    %p = arith.select %c, %c0, %c1 : index
    memref.store %v, %s[%q, %x] : !R
    %w = memref.load %s[%p, %rv] : !R
    memref.store %w, %out[%x] : !G
  return
}
