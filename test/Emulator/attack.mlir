// RUN: split-file %s %t
// RUN: not memspace-runner %t/affine-race.mlir --arg=0:iota 2>&1 | FileCheck %t/affine-race.mlir
// RUN: not memspace-runner %t/linalg-fill-all.mlir 2>&1 | FileCheck %t/linalg-fill-all.mlir
// RUN: not memspace-runner %t/call-race.mlir --arg=0:iota 2>&1 | FileCheck %t/call-race.mlir
// RUN: not memspace-runner %t/two-loops.mlir 2>&1 | FileCheck %t/two-loops.mlir
// RUN: not memspace-runner %t/while-before-skip.mlir 2>&1 | FileCheck %t/while-before-skip.mlir
// RUN: not memspace-runner %t/affine-for-bound.mlir 2>&1 | FileCheck %t/affine-for-bound.mlir
// RUN: memspace-runner %t/alloca-default.mlir 2>&1 | FileCheck %s --check-prefix=CLEAN
// RUN: not memspace-runner %t/select-chosen.mlir 2>&1 | FileCheck %t/select-chosen.mlir
// RUN: not memspace-runner %t/vector-lane-used.mlir 2>&1 | FileCheck %t/vector-lane-used.mlir
// RUN: not memspace-runner %t/uninit-shuffle.mlir 2>&1 | FileCheck %t/uninit-shuffle.mlir
// RUN: not memspace-runner %t/uninit-vector-insert.mlir 2>&1 | FileCheck %t/uninit-vector-insert.mlir
// RUN: not memspace-runner %t/uninit-cast.mlir 2>&1 | FileCheck %t/uninit-cast.mlir
// RUN: not memspace-runner %t/uninit-through-call.mlir 2>&1 | FileCheck %t/uninit-through-call.mlir
// RUN: not memspace-runner %t/uninit-over-barrier.mlir 2>&1 | FileCheck %t/uninit-over-barrier.mlir
// RUN: not memspace-runner %t/uninit-loop-carried.mlir 2>&1 | FileCheck %t/uninit-loop-carried.mlir
// RUN: not memspace-runner %t/uninit-async.mlir 2>&1 | FileCheck %t/uninit-async.mlir
// RUN: not memspace-runner %t/granule-vector-then-byte.mlir 2>&1 | FileCheck %t/granule-vector-then-byte.mlir
// RUN: not memspace-runner %t/granule-byte-then-vector.mlir 2>&1 | FileCheck %t/granule-byte-then-vector.mlir
// RUN: not memspace-runner %t/lds-barrier-global.mlir --arg=0:iota 2>&1 | FileCheck %t/lds-barrier-global.mlir
// RUN: memspace-runner %t/lds-barrier-wg.mlir --arg=0:iota 2>&1 | FileCheck %s --check-prefix=CLEAN
// RUN: memspace-runner %t/big-private.mlir 2>&1 | FileCheck %s --check-prefix=CLEAN
// RUN: memspace-runner %t/dynamic-alloca.mlir --arg=1:fill:8 2>&1 | FileCheck %s --check-prefix=CLEAN
// RUN: not memspace-runner %t/dynamic-alloca-oob.mlir --arg=1:fill:7 2>&1 | FileCheck %t/dynamic-alloca-oob.mlir
// RUN: memspace-runner %t/view-in-loop.mlir --arg=0:iota 2>&1 | FileCheck %s --check-prefix=CLEAN
// RUN: not memspace-runner %t/scatter-race.mlir --arg=0:fill:0 2>&1 | FileCheck %t/scatter-race.mlir
// RUN: memspace-runner %t/strided-arg.mlir --arg=0:iota 2>&1 | FileCheck %s --check-prefix=CLEAN
// RUN: not memspace-runner %t/huge-index.mlir --arg=0:iota --arg=1:fill:4611686018427387904 2>&1 | FileCheck %t/huge-index.mlir
// RUN: not memspace-runner %t/huge-reinterpret.mlir --arg=0:iota --arg=1:fill:1152921504606846977 2>&1 | FileCheck %t/huge-reinterpret.mlir
// RUN: memspace-runner %t/transfer-2d-mask.mlir --arg=0:iota 2>&1 | FileCheck %s --check-prefix=CLEAN
// RUN: memspace-runner %t/transfer-write-tail.mlir --arg=0:iota 2>&1 | FileCheck %s --check-prefix=CLEAN
// RUN: memspace-runner %t/transfer-permuted.mlir --arg=0:iota 2>&1 | FileCheck %s --check-prefix=CLEAN
// RUN: not memspace-runner %t/transfer-permuted-oob.mlir --arg=0:iota 2>&1 | FileCheck %t/transfer-permuted-oob.mlir
// RUN: memspace-runner %t/alloc-loop-share.mlir --arg=0:iota 2>&1 | FileCheck %s --check-prefix=CLEAN
// RUN: not memspace-runner %t/last-thread-ticket.mlir --arg=0:iota --arg=1:fill:0 2>&1 | FileCheck %t/last-thread-ticket.mlir
// RUN: not memspace-runner %t/cf-loop-race.mlir --arg=0:iota 2>&1 | FileCheck %t/cf-loop-race.mlir
// RUN: memspace-runner %t/division.mlir --arg=0:iota --arg=1:fill:0 2>&1 | FileCheck %s --check-prefix=CLEAN
// RUN: memspace-runner %t/division.mlir --arg=0:fill:-2147483648 --arg=1:fill:-1 2>&1 | FileCheck %s --check-prefix=CLEAN
// RUN: not memspace-runner %t/foreign-read-kept.mlir --grid=2 --arg=0:iota 2>&1 | FileCheck %t/foreign-read-kept.mlir
// RUN: not memspace-runner %t/three-subgroups-read.mlir --arg=0:iota 2>&1 | FileCheck %t/three-subgroups-read.mlir
// RUN: memspace-runner %t/only-own-subgroup-reads.mlir --arg=0:iota 2>&1 | FileCheck %s --check-prefix=CLEAN
// RUN: memspace-runner %t/subgroup-then-later-epoch.mlir --arg=0:iota 2>&1 | FileCheck %s --check-prefix=CLEAN
// RUN: memspace-runner %t/masked-quad.mlir --arg=0:iota 2>&1 | FileCheck %s --check-prefix=CLEAN
// RUN: not memspace-runner %t/masked-quad-far.mlir --arg=0:iota 2>&1 | FileCheck %t/masked-quad-far.mlir
// RUN: memspace-runner %t/kernel-no-lane.mlir 2>&1 | FileCheck %s --check-prefix=CLEAN
// RUN: not memspace-runner %t/generic-in-place.mlir --arg=0:iota 2>&1 | FileCheck %t/generic-in-place.mlir
// RUN: memspace-runner %t/matmul-one-thread.mlir --arg=0:iota --arg=1:iota --arg=2:fill:0 2>&1 | FileCheck %s --check-prefix=CLEAN
// RUN: not memspace-runner %t/matmul-uninit.mlir --arg=0:iota --arg=1:iota 2>&1 | FileCheck %t/matmul-uninit.mlir
// RUN: not memspace-runner %t/matmul-size-mismatch.mlir --shape=0:4x5 --arg=0:iota --arg=1:iota --arg=2:fill:0 2>&1 | FileCheck %t/matmul-size-mismatch.mlir
// RUN: memspace-runner %t/overlap-copy.mlir --arg=0:iota 2>&1 | FileCheck %s --check-prefix=CLEAN
// RUN: memspace-runner %t/i1-elements.mlir --arg=0:iota 2>&1 | FileCheck %s --check-prefix=CLEAN
// RUN: memspace-runner %t/i4-elements.mlir --arg=0:iota 2>&1 | FileCheck %s --check-prefix=CLEAN
// RUN: memspace-runner %t/vec3-elements.mlir 2>&1 | FileCheck %s --check-prefix=CLEAN
// RUN: memspace-runner %t/complex-elements.mlir --arg=0:iota 2>&1 | FileCheck %s --check-prefix=CLEAN
// RUN: memspace-runner %t/bf16-f8.mlir --arg=0:iota --arg=1:iota 2>&1 | FileCheck %s --check-prefix=CLEAN
// RUN: not memspace-runner %t/order-dependent-bug.mlir --arg=0:fill:0 --arg=1:iota 2>&1 | FileCheck %t/order-dependent-bug.mlir
// RUN: memspace-runner %t/ticket-slots.mlir --arg=0:fill:0 --arg=1:iota 2>&1 | FileCheck %s --check-prefix=CLEAN
// RUN: not memspace-runner %t/view-overlap-shift.mlir --arg=0:iota 2>&1 | FileCheck %t/view-overlap-shift.mlir
// RUN: memspace-runner %t/thread-private-view.mlir --arg=0:iota 2>&1 | FileCheck %s --check-prefix=CLEAN
// RUN: not memspace-runner %t/barrier-in-execute-region.mlir 2>&1 | FileCheck %t/barrier-in-execute-region.mlir
// RUN: not memspace-runner %t/barrier-unrolled-match.mlir 2>&1 | FileCheck %t/barrier-unrolled-match.mlir
// RUN: not memspace-runner %t/threads-option.mlir --grid=8 --threads=4 --arg=0:iota 2>&1 | FileCheck %t/threads-option.mlir
// RUN: not memspace-runner %t/read-across-workgroups-later.mlir --grid=2 --arg=0:fill:0 2>&1 | FileCheck %t/read-across-workgroups-later.mlir
// RUN: not memspace-runner %t/early-return-then-barrier.mlir 2>&1 | FileCheck %t/early-return-then-barrier.mlir
// RUN: memspace-runner %t/whole-subgroup-returned.mlir 2>&1 | FileCheck %s --check-prefix=CLEAN
// RUN: not memspace-runner %t/atomics-partial.mlir --arg=0:fill:0 2>&1 | FileCheck %t/atomics-partial.mlir
// RUN: not memspace-runner %t/for-while-skip-shuffle.mlir --arg=0:iota 2>&1 | FileCheck %t/for-while-skip-shuffle.mlir
// RUN: not memspace-runner %t/global-plain-in-two-subgroups-sbar.mlir --arg=0:iota 2>&1 | FileCheck %t/global-plain-in-two-subgroups-sbar.mlir
// RUN: not memspace-runner %t/copy-elision-race.mlir --arg=0:iota 2>&1 | FileCheck %t/copy-elision-race.mlir
// RUN: not memspace-runner %t/dead-store-race.mlir --arg=0:iota 2>&1 | FileCheck %t/dead-store-race.mlir
// RUN: not memspace-runner %t/vector-transfer-race.mlir --arg=0:iota 2>&1 | FileCheck %t/vector-transfer-race.mlir
// RUN: memspace-runner %t/out-arg-partly-written.mlir --arg=0:iota 2>&1 | FileCheck %s --check-prefix=CLEAN
// RUN: not memspace-runner %t/generic-atomic-uninit.mlir 2>&1 | FileCheck %t/generic-atomic-uninit.mlir
// RUN: memspace-runner %t/swap-copy-uninit-then-init.mlir --arg=0:iota 2>&1 | FileCheck %s --check-prefix=CLEAN
// RUN: not memspace-runner %t/dynamic-shared-too-small.mlir --dynamic-workgroup-bytes=128 2>&1 | FileCheck %t/dynamic-shared-too-small.mlir

// CLEAN-NOT: {{error|warning}}:
// CLEAN: {{^}}races: 0, divergent barriers: 0, out of bounds: 0, uninitialized reads: 0{{$}}

// Programs made to attack the emulator, right and wrong ones in one list: each
// found, or could have found, a wrong answer. None has a case number.

//--- affine-race.mlir
// CHECK: error: data race
// CHECK: {{^}}races: {{[1-9][0-9]*}}, divergent barriers: 0, out of bounds: 0, uninitialized reads: 0{{$}}
func.func @k(%x: memref<64xf32>, %y: memref<64xf32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %z = arith.constant 0.0 : f32
  %t = gpu.thread_id x
  %w = memref.alloc() : memref<64xf32, #gpu.address_space<workgroup>>
  memref.store %z, %w[%t] : memref<64xf32, #gpu.address_space<workgroup>>
  gpu.barrier
  %v = affine.load %x[symbol(%t)] : memref<64xf32>
  affine.store %v, %w[symbol(%t)] : memref<64xf32, #gpu.address_space<workgroup>>
  %r = affine.load %w[(symbol(%t) + 1) mod 64] : memref<64xf32, #gpu.address_space<workgroup>>
  affine.store %r, %y[symbol(%t)] : memref<64xf32>
  return
}

//--- linalg-fill-all.mlir
// CHECK: error: data race
// CHECK: {{^}}races: {{[1-9][0-9]*}}, divergent barriers: 0, out of bounds: 0, uninitialized reads: 0{{$}}
func.func @k(%y: memref<64xf32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %z = arith.constant 0.0 : f32
  %t = gpu.thread_id x
  %w = memref.alloc() : memref<64xf32, #gpu.address_space<workgroup>>
  linalg.fill ins(%z : f32) outs(%w : memref<64xf32, #gpu.address_space<workgroup>>)
  gpu.barrier
  %r = memref.load %w[%t] : memref<64xf32, #gpu.address_space<workgroup>>
  memref.store %r, %y[%t] : memref<64xf32>
  return
}

//--- call-race.mlir
// CHECK: error: data race
// CHECK: {{^}}races: {{[1-9][0-9]*}}, divergent barriers: 0, out of bounds: 0, uninitialized reads: 0{{$}}
func.func private @put(%w: memref<64xf32, #gpu.address_space<workgroup>>, %v: f32, %i: index) {
  memref.store %v, %w[%i] : memref<64xf32, #gpu.address_space<workgroup>>
  return
}
func.func @k(%x: memref<64xf32>, %y: memref<64xf32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %z = arith.constant 0.0 : f32
  %c1 = arith.constant 1 : index
  %t = gpu.thread_id x
  %n = arith.xori %t, %c1 : index
  %w = memref.alloc() : memref<64xf32, #gpu.address_space<workgroup>>
  memref.store %z, %w[%t] : memref<64xf32, #gpu.address_space<workgroup>>
  gpu.barrier
  %v = memref.load %x[%t] : memref<64xf32>
  func.call @put(%w, %v, %t) : (memref<64xf32, #gpu.address_space<workgroup>>, f32, index) -> ()
  %r = memref.load %w[%n] : memref<64xf32, #gpu.address_space<workgroup>>
  memref.store %r, %y[%t] : memref<64xf32>
  return
}

//--- two-loops.mlir
// CHECK: error: divergent barrier
// CHECK: {{^}}races: 0, divergent barriers: {{[1-9][0-9]*}}, out of bounds: 0, uninitialized reads: 0{{$}}
func.func @k(%y: memref<64xf32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c16 = arith.constant 16 : index
  %t = gpu.thread_id x
  %c = arith.cmpi ult, %t, %c16 : index
  %a = arith.select %c, %c2, %c0 : index
  %b = arith.select %c, %c0, %c2 : index
  scf.for %i = %c0 to %a step %c1 {
    gpu.barrier
  }
  scf.for %i = %c0 to %b step %c1 {
    gpu.barrier
  }
  return
}

//--- while-before-skip.mlir
// CHECK: error: divergent barrier
// CHECK: {{^}}races: 0, divergent barriers: {{[1-9][0-9]*}}, out of bounds: 0, uninitialized reads: 0{{$}}
func.func @k(%y: memref<64xf32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c16 = arith.constant 16 : index
  %t = gpu.thread_id x
  %c = arith.cmpi ult, %t, %c16 : index
  %skip = arith.select %c, %c1, %c4 : index
  %e = scf.while (%i = %c0) : (index) -> index {
    %s = arith.cmpi ne, %i, %skip : index
    scf.if %s {
      gpu.barrier
    }
    %m = arith.cmpi ult, %i, %c4 : index
    scf.condition(%m) %i : index
  } do {
  ^bb0(%i: index):
    %j = arith.addi %i, %c1 : index
    scf.yield %j : index
  }
  return
}

//--- affine-for-bound.mlir
// CHECK: error: divergent barrier
// CHECK: {{^}}races: 0, divergent barriers: {{[1-9][0-9]*}}, out of bounds: 0, uninitialized reads: 0{{$}}
func.func @k(%y: memref<64xf32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %t = gpu.thread_id x
  affine.for %i = 0 to affine_map<(d0) -> (d0 mod 2 + 1)>(%t) {
    gpu.barrier
  }
  return
}

//--- alloca-default.mlir
func.func @k(%y: memref<64xindex>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %c0 = arith.constant 0 : index
  %t = gpu.thread_id x
  %p = memref.alloca() : memref<1xindex>
  memref.store %t, %p[%c0] : memref<1xindex>
  gpu.barrier
  %r = memref.load %p[%c0] : memref<1xindex>
  memref.store %r, %y[%t] : memref<64xindex>
  return
}

//--- select-chosen.mlir
// CHECK: error: uninitialized read
// CHECK: {{^}}races: 0, divergent barriers: 0, out of bounds: 0, uninitialized reads: {{[1-9][0-9]*}}{{$}}
func.func @k(%y: memref<64xindex>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %t = gpu.thread_id x
  %p = memref.alloca() : memref<1xindex>
  %in = arith.cmpi ult, %t, %c32 : index
  scf.if %in {
    memref.store %t, %p[%c0] : memref<1xindex>
  }
  %q = memref.load %p[%c0] : memref<1xindex>
  %r = arith.select %in, %c0, %q : index
  memref.store %r, %y[%t] : memref<64xindex>
  return
}

//--- vector-lane-used.mlir
// CHECK: error: uninitialized read
// CHECK: {{^}}races: 0, divergent barriers: 0, out of bounds: 0, uninitialized reads: {{[1-9][0-9]*}}{{$}}
func.func @k(%y: memref<64xi32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1 : i32
  %t = gpu.thread_id x
  %p = memref.alloca() : memref<4xi32>
  memref.store %one, %p[%c0] : memref<4xi32>
  %v = vector.load %p[%c0] : memref<4xi32>, vector<4xi32>
  %r = vector.extract %v[1] : i32 from vector<4xi32>
  memref.store %r, %y[%t] : memref<64xi32>
  return
}

//--- uninit-shuffle.mlir
// CHECK: error: uninitialized read
// CHECK: {{^}}races: 0, divergent barriers: 0, out of bounds: 0, uninitialized reads: {{[1-9][0-9]*}}{{$}}
func.func @k(%y: memref<64xi32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1 : i32
  %w = arith.constant 32 : i32
  %t = gpu.thread_id x
  %p = memref.alloca() : memref<1xi32>
  %q = memref.load %p[%c0] : memref<1xi32>
  %r, %ok = gpu.shuffle xor %q, %one, %w : i32
  memref.store %r, %y[%t] : memref<64xi32>
  return
}

//--- uninit-vector-insert.mlir
// CHECK: error: uninitialized read
// CHECK: {{^}}races: 0, divergent barriers: 0, out of bounds: 0, uninitialized reads: {{[1-9][0-9]*}}{{$}}
func.func @k(%y: memref<64xvector<2xi32>>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %c0 = arith.constant 0 : index
  %v = arith.constant dense<0> : vector<2xi32>
  %t = gpu.thread_id x
  %p = memref.alloca() : memref<1xi32>
  %q = memref.load %p[%c0] : memref<1xi32>
  %r = vector.insert %q, %v[1] : i32 into vector<2xi32>
  memref.store %r, %y[%t] : memref<64xvector<2xi32>>
  return
}

//--- uninit-cast.mlir
// CHECK: error: uninitialized read
// CHECK: {{^}}races: 0, divergent barriers: 0, out of bounds: 0, uninitialized reads: {{[1-9][0-9]*}}{{$}}
func.func @k(%y: memref<64xi32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %c0 = arith.constant 0 : index
  %t = gpu.thread_id x
  %p = memref.alloca() : memref<1xf32>
  %q = memref.load %p[%c0] : memref<1xf32>
  %r = arith.bitcast %q : f32 to i32
  memref.store %r, %y[%t] : memref<64xi32>
  return
}

//--- uninit-through-call.mlir
// CHECK: error: uninitialized read
// CHECK: {{^}}races: 0, divergent barriers: 0, out of bounds: 0, uninitialized reads: {{[1-9][0-9]*}}{{$}}
func.func private @put(%y: memref<64xi32>, %v: i32, %i: index) {
  memref.store %v, %y[%i] : memref<64xi32>
  return
}
func.func @k(%y: memref<64xi32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %c0 = arith.constant 0 : index
  %t = gpu.thread_id x
  %p = memref.alloca() : memref<1xi32>
  %q = memref.load %p[%c0] : memref<1xi32>
  func.call @put(%y, %q, %t) : (memref<64xi32>, i32, index) -> ()
  return
}

//--- uninit-over-barrier.mlir
// CHECK: error: uninitialized read
// CHECK: {{^}}races: 0, divergent barriers: 0, out of bounds: 0, uninitialized reads: {{[1-9][0-9]*}}{{$}}
func.func @k(%y: memref<64xi32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %t = gpu.thread_id x
  %p = memref.alloc() : memref<64xi32, #gpu.address_space<workgroup>>
  %q = memref.load %p[%t] : memref<64xi32, #gpu.address_space<workgroup>>
  gpu.barrier
  memref.store %q, %y[%t] : memref<64xi32>
  return
}

//--- uninit-loop-carried.mlir
// CHECK: error: uninitialized read
// CHECK: {{^}}races: 0, divergent barriers: 0, out of bounds: 0, uninitialized reads: {{[1-9][0-9]*}}{{$}}
func.func @k(%y: memref<64xi32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %z = arith.constant 0 : i32
  %t = gpu.thread_id x
  %p = memref.alloca() : memref<4xi32>
  memref.store %z, %p[%c0] : memref<4xi32>
  %e = scf.for %i = %c0 to %c4 step %c1 iter_args(%a = %z) -> i32 {
    %q = memref.load %p[%i] : memref<4xi32>
    scf.yield %q : i32
  }
  memref.store %e, %y[%t] : memref<64xi32>
  return
}

//--- uninit-async.mlir
// CHECK: error: uninitialized read
// CHECK: {{^}}races: 0, divergent barriers: 0, out of bounds: 0, uninitialized reads: {{[1-9][0-9]*}}{{$}}
func.func @k(%x: memref<64xf32>, %y: memref<64xf32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %t = gpu.thread_id x
  %w = memref.alloc() : memref<64xf32, #gpu.address_space<workgroup>>
  %copy = nvgpu.device_async_copy %x[%t], %w[%t], 1 : memref<64xf32> to memref<64xf32, #gpu.address_space<workgroup>>
  %group = nvgpu.device_async_create_group %copy
  nvgpu.device_async_wait %group
  %r = memref.load %w[%t] : memref<64xf32, #gpu.address_space<workgroup>>
  memref.store %r, %y[%t] : memref<64xf32>
  return
}

//--- granule-vector-then-byte.mlir
// CHECK: error: data race
// CHECK: error: uninitialized read
// CHECK: {{^}}races: {{[1-9][0-9]*}}, divergent barriers: 0, out of bounds: 0, uninitialized reads: {{[1-9][0-9]*}}{{$}}
func.func @k(%y: memref<64xi8>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %v = arith.constant dense<1> : vector<16xi8>
  %t = gpu.thread_id x
  %w = memref.alloc() : memref<1024xi8, #gpu.address_space<workgroup>>
  %o = arith.muli %t, %c16 : index
  vector.store %v, %w[%o] : memref<1024xi8, #gpu.address_space<workgroup>>, vector<16xi8>
  %r = memref.load %w[%t] : memref<1024xi8, #gpu.address_space<workgroup>>
  memref.store %r, %y[%t] : memref<64xi8>
  return
}

//--- granule-byte-then-vector.mlir
// CHECK: error: data race
// CHECK: {{^}}races: {{[1-9][0-9]*}}, divergent barriers: 0, out of bounds: 0, uninitialized reads: 0{{$}}
func.func @k(%y: memref<64xi8>, %x: memref<1024xi8>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %c1023 = arith.constant 1023 : index
  %v = arith.constant dense<1> : vector<16xi8>
  %b = arith.constant 2 : i8
  %t = gpu.thread_id x
  %w = memref.alloc() : memref<1024xi8, #gpu.address_space<workgroup>>
  %o = arith.muli %t, %c16 : index
  vector.store %v, %w[%o] : memref<1024xi8, #gpu.address_space<workgroup>>, vector<16xi8>
  gpu.barrier
  %m = arith.subi %c1023, %t : index
  %r = memref.load %w[%m] : memref<1024xi8, #gpu.address_space<workgroup>>
  memref.store %r, %y[%t] : memref<64xi8>
  vector.store %v, %w[%o] : memref<1024xi8, #gpu.address_space<workgroup>>, vector<16xi8>
  return
}

//--- lds-barrier-global.mlir
// CHECK: error: data race
// CHECK: {{^}}races: {{[1-9][0-9]*}}, divergent barriers: 0, out of bounds: 0, uninitialized reads: 0{{$}}
func.func @k(%x: memref<64xi32>, %y: memref<64xi32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %c1 = arith.constant 1 : index
  %z = arith.constant 0 : i32
  %t = gpu.thread_id x
  %n = arith.xori %t, %c1 : index
  memref.store %z, %y[%t] : memref<64xi32>
  gpu.barrier
  %v = memref.load %x[%t] : memref<64xi32>
  memref.store %v, %y[%t] : memref<64xi32>
  amdgpu.lds_barrier
  %r = memref.load %y[%n] : memref<64xi32>
  memref.store %r, %x[%t] : memref<64xi32>
  return
}

//--- lds-barrier-wg.mlir
func.func @k(%x: memref<64xi32>, %y: memref<64xi32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %c1 = arith.constant 1 : index
  %t = gpu.thread_id x
  %n = arith.xori %t, %c1 : index
  %w = memref.alloc() : memref<64xi32, #gpu.address_space<workgroup>>
  %v = memref.load %x[%t] : memref<64xi32>
  memref.store %v, %w[%t] : memref<64xi32, #gpu.address_space<workgroup>>
  amdgpu.lds_barrier
  %r = memref.load %w[%n] : memref<64xi32, #gpu.address_space<workgroup>>
  memref.store %r, %y[%t] : memref<64xi32>
  return
}

//--- big-private.mlir
func.func @k(%y: memref<64xf32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %z = arith.constant 0.0 : f32
  %t = gpu.thread_id x
  %p = memref.alloca() : memref<1000000xf32, #gpu.address_space<private>>
  memref.store %z, %p[%t] : memref<1000000xf32, #gpu.address_space<private>>
  %r = memref.load %p[%t] : memref<1000000xf32, #gpu.address_space<private>>
  memref.store %r, %y[%t] : memref<64xf32>
  return
}

//--- dynamic-alloca.mlir
func.func @k(%y: memref<64xf32>, %n: index) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %c7 = arith.constant 7 : index
  %z = arith.constant 0.0 : f32
  %t = gpu.thread_id x
  %p = memref.alloca(%n) : memref<?xf32, #gpu.address_space<private>>
  memref.store %z, %p[%c7] : memref<?xf32, #gpu.address_space<private>>
  %r = memref.load %p[%c7] : memref<?xf32, #gpu.address_space<private>>
  memref.store %r, %y[%t] : memref<64xf32>
  return
}

//--- dynamic-alloca-oob.mlir
// CHECK: error: out of bounds
// CHECK: {{^}}races: 0, divergent barriers: 0, out of bounds: {{[1-9][0-9]*}}, uninitialized reads: 0{{$}}
func.func @k(%y: memref<64xf32>, %n: index) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %c7 = arith.constant 7 : index
  %z = arith.constant 0.0 : f32
  %t = gpu.thread_id x
  %p = memref.alloca(%n) : memref<?xf32, #gpu.address_space<private>>
  memref.store %z, %p[%c7] : memref<?xf32, #gpu.address_space<private>>
  return
}

//--- view-in-loop.mlir
func.func @k(%x: memref<64xi32>, %y: memref<64xi32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %t = gpu.thread_id x
  %arena = memref.alloc() {memspace.arena} : memref<256xi8, #gpu.address_space<workgroup>>
  scf.for %i = %c0 to %c2 step %c1 {
    %a = memref.view %arena[%c0][] : memref<256xi8, #gpu.address_space<workgroup>> to memref<64xi32, #gpu.address_space<workgroup>>
    %first = arith.cmpi eq, %i, %c0 : index
    scf.if %first {
      %v = memref.load %x[%t] : memref<64xi32>
      memref.store %v, %a[%t] : memref<64xi32, #gpu.address_space<workgroup>>
    }
    %r = memref.load %a[%t] : memref<64xi32, #gpu.address_space<workgroup>>
    memref.store %r, %y[%t] : memref<64xi32>
  }
  return
}

//--- scatter-race.mlir
// CHECK: error: data race
// CHECK: {{^}}races: {{[1-9][0-9]*}}, divergent barriers: 0, out of bounds: 0, uninitialized reads: 0{{$}}
func.func @k(%idx: memref<64xi32>, %y: memref<256xi32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %c0 = arith.constant 0 : index
  %m = arith.constant dense<true> : vector<4xi1>
  %v = arith.constant dense<[1, 2, 3, 4]> : vector<4xi32>
  %i = arith.constant dense<[0, 1, 2, 3]> : vector<4xi32>
  %t = gpu.thread_id x
  vector.scatter %y[%t][%i], %m, %v : memref<256xi32>, vector<4xi32>, vector<4xi1>, vector<4xi32>
  return
}

//--- strided-arg.mlir
func.func @k(%x: memref<8x8xf32, strided<[16, 1], offset: 4>>, %y: memref<64xf32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %c8 = arith.constant 8 : index
  %t = gpu.thread_id x
  %i = arith.divui %t, %c8 : index
  %j = arith.remui %t, %c8 : index
  %v = memref.load %x[%i, %j] : memref<8x8xf32, strided<[16, 1], offset: 4>>
  memref.store %v, %y[%t] : memref<64xf32>
  return
}

//--- huge-index.mlir
// CHECK: error: out of bounds
// CHECK: {{^}}races: 0, divergent barriers: 0, out of bounds: {{[1-9][0-9]*}}, uninitialized reads: 0{{$}}
func.func @k(%x: memref<64xf32>, %i: index) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %z = arith.constant 0.0 : f32
  memref.store %z, %x[%i] : memref<64xf32>
  return
}

//--- huge-reinterpret.mlir
// CHECK: {{^}}races: {{[0-9]+}}, divergent barriers: 0, out of bounds: {{[0-9]+}}, uninitialized reads: {{[0-9]+}}{{$}}
func.func @k(%x: memref<64xf32>, %i: index) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %c1 = arith.constant 1 : index
  %z = arith.constant 0.0 : f32
  %r = memref.reinterpret_cast %x to offset: [0], sizes: [64], strides: [%i] : memref<64xf32> to memref<64xf32, strided<[?]>>
  memref.store %z, %r[%c1] : memref<64xf32, strided<[?]>>
  return
}

//--- transfer-2d-mask.mlir
func.func @k(%x: memref<3x5xf32>, %y: memref<4x8xf32>) attributes {gpu.known_block_size = array<i32: 1, 1, 1>} {
  %c0 = arith.constant 0 : index
  %z = arith.constant 0.0 : f32
  %v = vector.transfer_read %x[%c0, %c0], %z : memref<3x5xf32>, vector<4x8xf32>
  vector.transfer_write %v, %y[%c0, %c0] : vector<4x8xf32>, memref<4x8xf32>
  return
}

//--- transfer-write-tail.mlir
func.func @k(%x: memref<4x8xf32>, %y: memref<3x5xf32>) attributes {gpu.known_block_size = array<i32: 1, 1, 1>} {
  %c0 = arith.constant 0 : index
  %z = arith.constant 0.0 : f32
  %v = vector.transfer_read %x[%c0, %c0], %z {in_bounds = [true, true]} : memref<4x8xf32>, vector<4x8xf32>
  vector.transfer_write %v, %y[%c0, %c0] : vector<4x8xf32>, memref<3x5xf32>
  return
}

//--- transfer-permuted.mlir
func.func @k(%x: memref<4x8xf32>, %y: memref<8x4xf32>) attributes {gpu.known_block_size = array<i32: 1, 1, 1>} {
  %c0 = arith.constant 0 : index
  %z = arith.constant 0.0 : f32
  %v = vector.transfer_read %x[%c0, %c0], %z {in_bounds = [true, true], permutation_map = affine_map<(d0, d1) -> (d1, d0)>} : memref<4x8xf32>, vector<8x4xf32>
  vector.transfer_write %v, %y[%c0, %c0] {in_bounds = [true, true]} : vector<8x4xf32>, memref<8x4xf32>
  return
}

//--- transfer-permuted-oob.mlir
// CHECK: error: out of bounds
// CHECK: {{^}}races: 0, divergent barriers: 0, out of bounds: {{[1-9][0-9]*}}, uninitialized reads: 0{{$}}
func.func @k(%x: memref<4x8xf32>, %y: memref<8x8xf32>) attributes {gpu.known_block_size = array<i32: 1, 1, 1>} {
  %c0 = arith.constant 0 : index
  %z = arith.constant 0.0 : f32
  %v = vector.transfer_read %x[%c0, %c0], %z {in_bounds = [true, true], permutation_map = affine_map<(d0, d1) -> (d1, d0)>} : memref<4x8xf32>, vector<8x8xf32>
  vector.transfer_write %v, %y[%c0, %c0] {in_bounds = [true, true]} : vector<8x8xf32>, memref<8x8xf32>
  return
}

//--- alloc-loop-share.mlir
func.func @k(%x: memref<64xi32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %t = gpu.thread_id x
  %n = arith.xori %t, %c1 : index
  scf.for %i = %c0 to %c3 step %c1 {
    %w = memref.alloc() : memref<64xi32, #gpu.address_space<workgroup>>
    %v = memref.load %x[%t] : memref<64xi32>
    memref.store %v, %w[%t] : memref<64xi32, #gpu.address_space<workgroup>>
    gpu.barrier
    %r = memref.load %w[%n] : memref<64xi32, #gpu.address_space<workgroup>>
    memref.store %r, %x[%t] : memref<64xi32>
    gpu.barrier
  }
  return
}

//--- last-thread-ticket.mlir
// CHECK: error: data race
// CHECK: {{^}}races: {{[1-9][0-9]*}}, divergent barriers: 0, out of bounds: 0, uninitialized reads: 0{{$}}
func.func @k(%x: memref<64xi32>, %c: memref<1xi32>, %y: memref<1xi32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1 : i32
  %last = arith.constant 63 : i32
  %t = gpu.thread_id x
  %w = memref.alloc() : memref<64xi32, #gpu.address_space<workgroup>>
  %v = memref.load %x[%t] : memref<64xi32>
  memref.store %v, %w[%t] : memref<64xi32, #gpu.address_space<workgroup>>
  %k = memref.atomic_rmw addi %one, %c[%c0] : (i32, memref<1xi32>) -> i32
  %is = arith.cmpi eq, %k, %last : i32
  scf.if %is {
    %r = memref.load %w[%c0] : memref<64xi32, #gpu.address_space<workgroup>>
    memref.store %r, %y[%c0] : memref<1xi32>
  }
  return
}

//--- cf-loop-race.mlir
// CHECK: error: data race
// CHECK: {{^}}races: {{[1-9][0-9]*}}, divergent barriers: 0, out of bounds: 0, uninitialized reads: 0{{$}}
func.func @k(%x: memref<64xi32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %z = arith.constant 0 : i32
  %t = gpu.thread_id x
  %n = arith.xori %t, %c1 : index
  %w = memref.alloc() : memref<64xi32, #gpu.address_space<workgroup>>
  memref.store %z, %w[%t] : memref<64xi32, #gpu.address_space<workgroup>>
  gpu.barrier
  cf.br ^h(%c0 : index)
^h(%i: index):
  %m = arith.cmpi ult, %i, %c3 : index
  cf.cond_br %m, ^b, ^e
^b:
  %r = memref.load %w[%n] : memref<64xi32, #gpu.address_space<workgroup>>
  gpu.barrier
  memref.store %r, %w[%t] : memref<64xi32, #gpu.address_space<workgroup>>
  %j = arith.addi %i, %c1 : index
  cf.br ^h(%j : index)
^e:
  return
}

//--- division.mlir
// A division that has no result gives some value, as on a GPU.
func.func @k(%x: memref<64xi32>, %m: i32) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %t = gpu.thread_id x
  %v = memref.load %x[%t] : memref<64xi32>
  %a = arith.divui %v, %m : i32
  %b = arith.remsi %v, %m : i32
  %c = arith.divsi %v, %m : i32
  %d = arith.remui %v, %m : i32
  %e = arith.addi %a, %b : i32
  %f = arith.addi %c, %d : i32
  %g = arith.addi %e, %f : i32
  memref.store %g, %x[%t] : memref<64xi32>
  return
}

//--- foreign-read-kept.mlir
// CHECK: error: conflict between workgroups
// CHECK: {{^}}races: {{[1-9][0-9]*}}, divergent barriers: 0, out of bounds: 0, uninitialized reads: 0{{$}}
func.func @k(%x: memref<4xi32>, %y: memref<8xi32>) attributes {gpu.known_block_size = array<i32: 4, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %z = arith.constant 9 : i32
  %t = gpu.thread_id x
  %b = gpu.block_id x
  %o = arith.muli %b, %c4 : index
  %g = arith.addi %o, %t : index
  %v = memref.load %x[%c0] : memref<4xi32>
  memref.store %v, %y[%g] : memref<8xi32>
  gpu.barrier
  %v2 = memref.load %x[%c0] : memref<4xi32>
  gpu.barrier
  %is1 = arith.cmpi eq, %b, %c1 : index
  %t0 = arith.cmpi eq, %t, %c0 : index
  %c = arith.andi %is1, %t0 : i1
  scf.if %c {
    memref.store %z, %x[%c0] : memref<4xi32>
  }
  return
}

//--- three-subgroups-read.mlir
// CHECK: error: data race
// CHECK: {{^}}races: {{[1-9][0-9]*}}, divergent barriers: 0, out of bounds: 0, uninitialized reads: 0{{$}}
func.func @k(%x: memref<96xi32>, %y: memref<96xi32>) attributes {gpu.known_block_size = array<i32: 96, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c40 = arith.constant 40 : index
  %c95 = arith.constant 95 : index
  %z = arith.constant 9 : i32
  %t = gpu.thread_id x
  %w = memref.alloc() : memref<1xi32, #gpu.address_space<workgroup>>
  %first = arith.cmpi eq, %t, %c0 : index
  scf.if %first {
    memref.store %z, %w[%c0] : memref<1xi32, #gpu.address_space<workgroup>>
  }
  gpu.barrier
  %v = memref.load %w[%c0] : memref<1xi32, #gpu.address_space<workgroup>>
  memref.store %v, %y[%t] : memref<96xi32>
  memspace.subgroup_barrier
  %m = arith.cmpi eq, %t, %c40 : index
  scf.if %m {
    memref.store %z, %w[%c0] : memref<1xi32, #gpu.address_space<workgroup>>
  }
  return
}

//--- only-own-subgroup-reads.mlir
func.func @k(%x: memref<96xi32>, %y: memref<96xi32>) attributes {gpu.known_block_size = array<i32: 96, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c5 = arith.constant 5 : index
  %c32 = arith.constant 32 : index
  %z = arith.constant 9 : i32
  %t = gpu.thread_id x
  %w = memref.alloc() : memref<1xi32, #gpu.address_space<workgroup>>
  %first = arith.cmpi eq, %t, %c0 : index
  scf.if %first {
    memref.store %z, %w[%c0] : memref<1xi32, #gpu.address_space<workgroup>>
  }
  gpu.barrier
  %low = arith.cmpi ult, %t, %c32 : index
  scf.if %low {
    %v = memref.load %w[%c0] : memref<1xi32, #gpu.address_space<workgroup>>
    memref.store %v, %y[%t] : memref<96xi32>
  }
  memspace.subgroup_barrier
  %m = arith.cmpi eq, %t, %c5 : index
  scf.if %m {
    memref.store %z, %w[%c0] : memref<1xi32, #gpu.address_space<workgroup>>
  }
  return
}

//--- subgroup-then-later-epoch.mlir
func.func @k(%x: memref<64xi32>, %y: memref<64xi32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %c1 = arith.constant 1 : index
  %c33 = arith.constant 33 : index
  %t = gpu.thread_id x
  %n = arith.xori %t, %c1 : index
  %f = arith.xori %t, %c33 : index
  %w = memref.alloc() : memref<64xi32, #gpu.address_space<workgroup>>
  %v = memref.load %x[%t] : memref<64xi32>
  memref.store %v, %w[%t] : memref<64xi32, #gpu.address_space<workgroup>>
  memspace.subgroup_barrier
  %r = memref.load %w[%n] : memref<64xi32, #gpu.address_space<workgroup>>
  gpu.barrier
  %s = memref.load %w[%f] : memref<64xi32, #gpu.address_space<workgroup>>
  gpu.barrier
  memref.store %s, %w[%t] : memref<64xi32, #gpu.address_space<workgroup>>
  memspace.subgroup_barrier
  %q = memref.load %w[%n] : memref<64xi32, #gpu.address_space<workgroup>>
  %a = arith.addi %q, %r : i32
  memref.store %a, %y[%t] : memref<64xi32>
  return
}

//--- masked-quad.mlir
func.func @k(%x: memref<32xi32>, %y: memref<32xi32>) attributes {gpu.known_block_size = array<i32: 32, 1, 1>} {
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %quad = arith.constant 15 : i32
  %t = gpu.thread_id x
  %n = arith.xori %t, %c1 : index
  %g = arith.divui %t, %c4 : index
  %sh = arith.muli %g, %c4 : index
  %shi = arith.index_cast %sh : index to i32
  %mask = arith.shli %quad, %shi : i32
  %w = memref.alloc() : memref<32xi32, #gpu.address_space<workgroup>>
  %v = memref.load %x[%t] : memref<32xi32>
  memref.store %v, %w[%t] : memref<32xi32, #gpu.address_space<workgroup>>
  nvvm.bar.warp.sync %mask : i32
  %r = memref.load %w[%n] : memref<32xi32, #gpu.address_space<workgroup>>
  nvvm.bar.warp.sync %mask : i32
  memref.store %r, %w[%t] : memref<32xi32, #gpu.address_space<workgroup>>
  nvvm.bar.warp.sync %mask : i32
  %s = memref.load %w[%n] : memref<32xi32, #gpu.address_space<workgroup>>
  memref.store %s, %y[%t] : memref<32xi32>
  return
}

//--- masked-quad-far.mlir
// CHECK: error: data race
// CHECK: {{^}}races: {{[1-9][0-9]*}}, divergent barriers: 0, out of bounds: 0, uninitialized reads: 0{{$}}
func.func @k(%x: memref<32xi32>, %y: memref<32xi32>) attributes {gpu.known_block_size = array<i32: 32, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %c9 = arith.constant 9 : index
  %z = arith.constant 1 : i32
  %quad = arith.constant 15 : i32
  %t = gpu.thread_id x
  %g = arith.divui %t, %c4 : index
  %sh = arith.muli %g, %c4 : index
  %shi = arith.index_cast %sh : index to i32
  %mask = arith.shli %quad, %shi : i32
  %w = memref.alloc() : memref<1xi32, #gpu.address_space<workgroup>>
  %first = arith.cmpi eq, %t, %c0 : index
  scf.if %first {
    memref.store %z, %w[%c0] : memref<1xi32, #gpu.address_space<workgroup>>
  }
  gpu.barrier
  %r = memref.load %w[%c0] : memref<1xi32, #gpu.address_space<workgroup>>
  memref.store %r, %y[%t] : memref<32xi32>
  nvvm.bar.warp.sync %mask : i32
  %wr = arith.cmpi eq, %t, %c9 : index
  scf.if %wr {
    memref.store %z, %w[%c0] : memref<1xi32, #gpu.address_space<workgroup>>
  }
  return
}

//--- kernel-no-lane.mlir
func.func @k(%y: memref<33xi32>) attributes {gpu.known_block_size = array<i32: 33, 1, 1>} {
  %one = arith.constant 1 : i32
  %t = gpu.thread_id x
  %s = gpu.subgroup_reduce add %one : (i32) -> i32
  memref.store %s, %y[%t] : memref<33xi32>
  return
}

//--- generic-in-place.mlir
// CHECK: error: data race
// CHECK: {{^}}races: {{[1-9][0-9]*}}, divergent barriers: 0, out of bounds: 0, uninitialized reads: 0{{$}}
#m = affine_map<(d0) -> (d0)>
func.func @k(%x: memref<64xf32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  linalg.generic {indexing_maps = [#m], iterator_types = ["parallel"]} outs(%x : memref<64xf32>) {
  ^bb0(%o: f32):
    %s = arith.addf %o, %o : f32
    linalg.yield %s : f32
  }
  return
}

//--- matmul-one-thread.mlir
func.func @k(%a: memref<4x4xf32>, %b: memref<4x4xf32>, %c: memref<4x4xf32>) attributes {gpu.known_block_size = array<i32: 1, 1, 1>} {
  linalg.matmul ins(%a, %b : memref<4x4xf32>, memref<4x4xf32>) outs(%c : memref<4x4xf32>)
  return
}

//--- matmul-uninit.mlir
// CHECK: error: uninitialized read
// CHECK: {{^}}races: 0, divergent barriers: 0, out of bounds: 0, uninitialized reads: {{[1-9][0-9]*}}{{$}}
func.func @k(%a: memref<4x4xf32>, %b: memref<4x4xf32>, %c: memref<4x4xf32>) attributes {gpu.known_block_size = array<i32: 1, 1, 1>} {
  linalg.matmul ins(%a, %b : memref<4x4xf32>, memref<4x4xf32>) outs(%c : memref<4x4xf32>)
  return
}

//--- matmul-size-mismatch.mlir
// CHECK: error: out of bounds
// CHECK: {{^}}races: 0, divergent barriers: 0, out of bounds: {{[1-9][0-9]*}}, uninitialized reads: 0{{$}}
func.func @k(%a: memref<?x?xf32>, %b: memref<4x4xf32>, %c: memref<4x4xf32>) attributes {gpu.known_block_size = array<i32: 1, 1, 1>} {
  linalg.matmul ins(%a, %b : memref<?x?xf32>, memref<4x4xf32>) outs(%c : memref<4x4xf32>)
  return
}

//--- overlap-copy.mlir
func.func @k(%x: memref<64xi32>) attributes {gpu.known_block_size = array<i32: 1, 1, 1>} {
  %a = memref.subview %x[0] [32] [1] : memref<64xi32> to memref<32xi32, strided<[1]>>
  %b = memref.subview %x[16] [32] [1] : memref<64xi32> to memref<32xi32, strided<[1], offset: 16>>
  memref.copy %a, %b : memref<32xi32, strided<[1]>> to memref<32xi32, strided<[1], offset: 16>>
  return
}

//--- i1-elements.mlir
func.func @k(%x: memref<64xi1>, %y: memref<64xi1>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %c1 = arith.constant 1 : index
  %t = gpu.thread_id x
  %n = arith.xori %t, %c1 : index
  %w = memref.alloc() : memref<64xi1, #gpu.address_space<workgroup>>
  %v = memref.load %x[%t] : memref<64xi1>
  memref.store %v, %w[%t] : memref<64xi1, #gpu.address_space<workgroup>>
  gpu.barrier
  %r = memref.load %w[%n] : memref<64xi1, #gpu.address_space<workgroup>>
  memref.store %r, %y[%t] : memref<64xi1>
  return
}

//--- i4-elements.mlir
func.func @k(%x: memref<64xi4>, %y: memref<64xi4>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %t = gpu.thread_id x
  %v = memref.load %x[%t] : memref<64xi4>
  memref.store %v, %y[%t] : memref<64xi4>
  return
}

//--- vec3-elements.mlir
func.func @k(%y: memref<64xvector<3xf32>>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %v = arith.constant dense<1.0> : vector<3xf32>
  %c1 = arith.constant 1 : index
  %t = gpu.thread_id x
  %n = arith.xori %t, %c1 : index
  %w = memref.alloc() : memref<64xvector<3xf32>, #gpu.address_space<workgroup>>
  memref.store %v, %w[%t] : memref<64xvector<3xf32>, #gpu.address_space<workgroup>>
  gpu.barrier
  %r = memref.load %w[%n] : memref<64xvector<3xf32>, #gpu.address_space<workgroup>>
  memref.store %r, %y[%t] : memref<64xvector<3xf32>>
  return
}

//--- complex-elements.mlir
func.func @k(%x: memref<64xcomplex<f32>>, %y: memref<64xcomplex<f32>>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %t = gpu.thread_id x
  %v = memref.load %x[%t] : memref<64xcomplex<f32>>
  %s = complex.add %v, %v : complex<f32>
  memref.store %s, %y[%t] : memref<64xcomplex<f32>>
  return
}

//--- bf16-f8.mlir
func.func @k(%x: memref<64xbf16>, %q: memref<64xf8E4M3FN>, %y: memref<64xbf16>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %t = gpu.thread_id x
  %v = memref.load %x[%t] : memref<64xbf16>
  %s = arith.addf %v, %v : bf16
  memref.store %s, %y[%t] : memref<64xbf16>
  return
}

//--- order-dependent-bug.mlir
// CHECK: error: data race
// CHECK: {{^}}races: {{[1-9][0-9]*}}, divergent barriers: 0, out of bounds: 0, uninitialized reads: 0{{$}}
func.func @k(%c: memref<1xi32>, %x: memref<64xi32>, %y: memref<64xi32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1 : i32
  %t = gpu.thread_id x
  %old = memref.atomic_rmw addi %one, %c[%c0] : (i32, memref<1xi32>) -> i32
  %i = arith.index_cast %old : i32 to index
  %v = memref.load %x[%t] : memref<64xi32>
  memref.store %v, %y[%i] : memref<64xi32>
  %r = memref.load %y[%c0] : memref<64xi32>
  memref.store %r, %x[%t] : memref<64xi32>
  return
}

//--- ticket-slots.mlir
func.func @k(%c: memref<1xi32>, %x: memref<64xi32>, %y: memref<64xi32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1 : i32
  %t = gpu.thread_id x
  %old = memref.atomic_rmw addi %one, %c[%c0] : (i32, memref<1xi32>) -> i32
  %i = arith.index_cast %old : i32 to index
  %v = memref.load %x[%t] : memref<64xi32>
  memref.store %v, %y[%i] : memref<64xi32>
  return
}

//--- view-overlap-shift.mlir
// CHECK: error: data race
// CHECK: {{^}}races: {{[1-9][0-9]*}}, divergent barriers: 0, out of bounds: 0, uninitialized reads: {{[0-9]+}}{{$}}
func.func @k(%x: memref<64xi32>, %y: memref<64xi32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c128 = arith.constant 128 : index
  %c31 = arith.constant 31 : index
  %t = gpu.thread_id x
  %arena = memref.alloc() {memspace.arena} : memref<512xi8, #gpu.address_space<workgroup>>
  %a = memref.view %arena[%c0][] : memref<512xi8, #gpu.address_space<workgroup>> to memref<64xi32, #gpu.address_space<workgroup>>
  %b = memref.view %arena[%c128][] : memref<512xi8, #gpu.address_space<workgroup>> to memref<64xi32, #gpu.address_space<workgroup>>
  %v = memref.load %x[%t] : memref<64xi32>
  memref.store %v, %a[%t] : memref<64xi32, #gpu.address_space<workgroup>>
  memref.store %v, %b[%t] : memref<64xi32, #gpu.address_space<workgroup>>
  return
}

//--- thread-private-view.mlir
func.func @k(%x: memref<64xi32>, %y: memref<64xi32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %t = gpu.thread_id x
  %o = arith.muli %t, %c4 : index
  %arena = memref.alloc() {memspace.arena} : memref<256xi8, #gpu.address_space<workgroup>>
  %a = memref.view %arena[%o][] : memref<256xi8, #gpu.address_space<workgroup>> to memref<1xi32, #gpu.address_space<workgroup>>
  %v = memref.load %x[%t] : memref<64xi32>
  memref.store %v, %a[%c0] : memref<1xi32, #gpu.address_space<workgroup>>
  gpu.barrier
  %r = memref.load %a[%c0] : memref<1xi32, #gpu.address_space<workgroup>>
  memref.store %r, %y[%t] : memref<64xi32>
  return
}

//--- barrier-in-execute-region.mlir
// CHECK: error: divergent
// CHECK: {{^}}races: 0, divergent barriers: {{[1-9][0-9]*}}, out of bounds: 0, uninitialized reads: 0{{$}}
func.func @k() attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %c16 = arith.constant 16 : index
  %t = gpu.thread_id x
  %c = arith.cmpi ult, %t, %c16 : index
  scf.execute_region {
    cf.cond_br %c, ^a, ^b
  ^a:
    gpu.barrier
    cf.br ^b
  ^b:
    scf.yield
  }
  return
}

//--- barrier-unrolled-match.mlir
// CHECK: error: divergent
// CHECK: {{^}}races: 0, divergent barriers: {{[1-9][0-9]*}}, out of bounds: 0, uninitialized reads: 0{{$}}
func.func @k() attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c16 = arith.constant 16 : index
  %t = gpu.thread_id x
  %c = arith.cmpi ult, %t, %c16 : index
  scf.if %c {
    gpu.barrier
    gpu.barrier
  } else {
    scf.for %i = %c0 to %c2 step %c1 {
      gpu.barrier
    }
  }
  return
}

//--- threads-option.mlir
// CHECK: error: conflict between workgroups
// CHECK: {{^}}races: {{[1-9][0-9]*}}, divergent barriers: 0, out of bounds: 0, uninitialized reads: 0{{$}}
func.func @k(%x: memref<64xi32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %c1 = arith.constant 1 : i32
  %t = gpu.thread_id x
  %v = memref.load %x[%t] : memref<64xi32>
  %s = arith.addi %v, %c1 : i32
  memref.store %s, %x[%t] : memref<64xi32>
  return
}

//--- read-across-workgroups-later.mlir
// CHECK: error: conflict between workgroups
// CHECK: {{^}}races: {{[1-9][0-9]*}}, divergent barriers: 0, out of bounds: 0, uninitialized reads: 0{{$}}
func.func @k(%x: memref<4xi32>) attributes {gpu.known_block_size = array<i32: 1, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1 : i32
  %b = gpu.block_id x
  %f = arith.cmpi eq, %b, %c0 : index
  scf.if %f {
    %v = memref.load %x[%c0] : memref<4xi32>
  } else {
    memref.store %one, %x[%c0] : memref<4xi32>
  }
  return
}

//--- early-return-then-barrier.mlir
// CHECK: error: divergent
// CHECK: {{^}}races: 0, divergent barriers: {{[1-9][0-9]*}}, out of bounds: 0, uninitialized reads: 0{{$}}
func.func @k() attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %c63 = arith.constant 63 : index
  %t = gpu.thread_id x
  %last = arith.cmpi eq, %t, %c63 : index
  cf.cond_br %last, ^exit, ^work
^work:
  gpu.barrier
  gpu.barrier
  cf.br ^exit
^exit:
  return
}

//--- whole-subgroup-returned.mlir
func.func @k(%y: memref<64xi32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %c32 = arith.constant 32 : index
  %one = arith.constant 1 : i32
  %t = gpu.thread_id x
  %high = arith.cmpi uge, %t, %c32 : index
  cf.cond_br %high, ^exit, ^work
^work:
  memspace.subgroup_barrier
  %s = gpu.subgroup_reduce add %one : (i32) -> i32
  memref.store %s, %y[%t] : memref<64xi32>
  cf.br ^exit
^exit:
  return
}

//--- atomics-partial.mlir
// CHECK: error: data race
// CHECK: {{^}}races: {{[1-9][0-9]*}}, divergent barriers: 0, out of bounds: 0, uninitialized reads: 0{{$}}
func.func @k(%x: memref<1xi32>, %y: memref<32xi32>) attributes {gpu.known_block_size = array<i32: 32, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %c9 = arith.constant 9 : index
  %one = arith.constant 1 : i32
  %quad = arith.constant 15 : i32
  %t = gpu.thread_id x
  %g = arith.divui %t, %c4 : index
  %sh = arith.muli %g, %c4 : index
  %shi = arith.index_cast %sh : index to i32
  %mask = arith.shli %quad, %shi : i32
  %old = memref.atomic_rmw addi %one, %x[%c0] : (i32, memref<1xi32>) -> i32
  nvvm.bar.warp.sync %mask : i32
  %wr = arith.cmpi eq, %t, %c9 : index
  scf.if %wr {
    %s = memref.load %x[%c0] : memref<1xi32>
    memref.store %s, %y[%t] : memref<32xi32>
  }
  return
}

//--- for-while-skip-shuffle.mlir
// CHECK: error: divergent
// CHECK: {{^}}races: 0, divergent barriers: {{[1-9][0-9]*}}, out of bounds: 0, uninitialized reads: 0{{$}}
func.func @k(%x: memref<32xi32>) attributes {gpu.known_block_size = array<i32: 32, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %one = arith.constant 1 : i32
  %w = arith.constant 32 : i32
  %t = gpu.thread_id x
  %is0 = arith.cmpi eq, %t, %c0 : index
  %a = arith.select %is0, %c1, %c0 : index
  %b = arith.addi %a, %c3 : index
  %v = memref.load %x[%t] : memref<32xi32>
  scf.for %i = %c0 to %c3 step %c1 {
    %ne = arith.cmpi ne, %i, %a : index
    scf.if %ne {
      %s, %ok = gpu.shuffle xor %v, %one, %w : i32
      memref.store %s, %x[%t] : memref<32xi32>
    }
  }
  return
}

//--- global-plain-in-two-subgroups-sbar.mlir
// CHECK: error: data race
// CHECK: {{^}}races: {{[1-9][0-9]*}}, divergent barriers: 0, out of bounds: 0, uninitialized reads: 0{{$}}
func.func @k(%x: memref<64xi32>, %y: memref<64xi32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %c32 = arith.constant 32 : index
  %t = gpu.thread_id x
  %n = arith.xori %t, %c32 : index
  %w = memref.alloc() : memref<64xi32, #gpu.address_space<workgroup>>
  %v = memref.load %x[%t] : memref<64xi32>
  memref.store %v, %w[%t] : memref<64xi32, #gpu.address_space<workgroup>>
  rocdl.s.barrier
  %r = memref.load %w[%n] : memref<64xi32, #gpu.address_space<workgroup>>
  memref.store %r, %y[%t] : memref<64xi32>
  return
}

//--- copy-elision-race.mlir
// CHECK: error: data race
// CHECK: {{^}}races: {{[1-9][0-9]*}}, divergent barriers: 0, out of bounds: 0, uninitialized reads: 0{{$}}
func.func @k(%x: memref<64xi32>, %y: memref<64xi32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %c1 = arith.constant 1 : index
  %t = gpu.thread_id x
  %n = arith.xori %t, %c1 : index
  %v = memref.load %x[%t] : memref<64xi32>
  memref.store %v, %x[%t] : memref<64xi32>
  %r = memref.load %x[%n] : memref<64xi32>
  memref.store %r, %y[%t] : memref<64xi32>
  return
}

//--- dead-store-race.mlir
// CHECK: error: data race
// CHECK: {{^}}races: {{[1-9][0-9]*}}, divergent barriers: 0, out of bounds: 0, uninitialized reads: 0{{$}}
func.func @k(%x: memref<64xi32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %t = gpu.thread_id x
  %w = memref.alloc() : memref<1xi32, #gpu.address_space<workgroup>>
  memref.store %c1, %w[%c0] : memref<1xi32, #gpu.address_space<workgroup>>
  return
}

//--- vector-transfer-race.mlir
// CHECK: error: data race
// CHECK: error: uninitialized read
// CHECK: {{^}}races: {{[1-9][0-9]*}}, divergent barriers: 0, out of bounds: 0, uninitialized reads: {{[1-9][0-9]*}}{{$}}
func.func @k(%x: memref<64xf32>, %y: memref<64xf32>) attributes {gpu.known_block_size = array<i32: 16, 1, 1>} {
  %c4 = arith.constant 4 : index
  %c2 = arith.constant 2 : index
  %z = arith.constant 0.0 : f32
  %t = gpu.thread_id x
  %s = arith.muli %t, %c4 : index
  %w = memref.alloc() : memref<66xf32, #gpu.address_space<workgroup>>
  %n = arith.addi %s, %c2 : index
  %v = vector.transfer_read %x[%s], %z {in_bounds = [true]} : memref<64xf32>, vector<4xf32>
  vector.transfer_write %v, %w[%s] {in_bounds = [true]} : vector<4xf32>, memref<66xf32, #gpu.address_space<workgroup>>
  %r = vector.transfer_read %w[%n], %z : memref<66xf32, #gpu.address_space<workgroup>>, vector<4xf32>
  vector.transfer_write %r, %y[%s] {in_bounds = [true]} : vector<4xf32>, memref<64xf32>
  return
}

//--- out-arg-partly-written.mlir
func.func @k(%x: memref<64xi32>, %y: memref<64xi32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %c0 = arith.constant 0 : index
  %t = gpu.thread_id x
  %f = arith.cmpi eq, %t, %c0 : index
  scf.if %f {
    %v = memref.load %x[%t] : memref<64xi32>
    memref.store %v, %y[%t] : memref<64xi32>
  }
  return
}

//--- generic-atomic-uninit.mlir
// CHECK: error: uninitialized read
// CHECK: {{^}}races: 0, divergent barriers: 0, out of bounds: 0, uninitialized reads: {{[1-9][0-9]*}}{{$}}
func.func @k(%x: memref<1xi32>) attributes {gpu.known_block_size = array<i32: 1, 1, 1>} {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1 : i32
  %a = memref.generic_atomic_rmw %x[%c0] : memref<1xi32> {
  ^bb0(%c: i32):
    %s = arith.addi %c, %one : i32
    memref.atomic_yield %s : i32
  }
  return
}

//--- swap-copy-uninit-then-init.mlir
func.func @k(%x: memref<64xi32>, %y: memref<64xi32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %t = gpu.thread_id x
  %a = memref.alloc() : memref<64xi32, #gpu.address_space<workgroup>>
  %b = memref.alloc() : memref<64xi32, #gpu.address_space<workgroup>>
  %v = memref.load %x[%t] : memref<64xi32>
  memref.store %v, %a[%t] : memref<64xi32, #gpu.address_space<workgroup>>
  %p = memref.load %a[%t] : memref<64xi32, #gpu.address_space<workgroup>>
  %q = memref.load %b[%t] : memref<64xi32, #gpu.address_space<workgroup>>
  memref.store %q, %a[%t] : memref<64xi32, #gpu.address_space<workgroup>>
  memref.store %p, %b[%t] : memref<64xi32, #gpu.address_space<workgroup>>
  %r = memref.load %b[%t] : memref<64xi32, #gpu.address_space<workgroup>>
  memref.store %r, %y[%t] : memref<64xi32>
  return
}

//--- dynamic-shared-too-small.mlir
// CHECK: error: out of bounds
// CHECK: {{^}}races: 0, divergent barriers: 0, out of bounds: {{[1-9][0-9]*}}, uninitialized reads: {{[0-9]+}}{{$}}
func.func @k() attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %c0 = arith.constant 0 : index
  %z = arith.constant 0.0 : f32
  %t = gpu.thread_id x
  %d = gpu.dynamic_shared_memory : memref<?xi8, #gpu.address_space<workgroup>>
  %v = memref.view %d[%c0][] : memref<?xi8, #gpu.address_space<workgroup>> to memref<64xf32, #gpu.address_space<workgroup>>
  memref.store %z, %v[%t] : memref<64xf32, #gpu.address_space<workgroup>>
  return
}
