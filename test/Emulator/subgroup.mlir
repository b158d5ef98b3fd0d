// RUN: split-file %s %t
// RUN: memspace-runner %t/shuffle.mlir --arg=0:iota --out=1:%t/shuffle-1.npy --out=2:%t/shuffle-2.npy --out=3:%t/shuffle-3.npy --out=4:%t/shuffle-4.npy --out=5:%t/shuffle-5.npy --out=6:%t/shuffle-6.npy 2>&1 | FileCheck %s --check-prefix=CLEAN
// RUN: %compare %t/shuffle-1.npy "i ^ 5"
// RUN: %compare %t/shuffle-2.npy "np.where(i % 32 < 30, i + 2, -1)"
// RUN: %compare %t/shuffle-3.npy "np.where(i % 32 >= 3, i - 3, -1)"
// RUN: %compare %t/shuffle-4.npy "i // 32 * 32 + 7"
// RUN: %compare %t/shuffle-5.npy "(i % 32 < 30)"
// RUN: %compare %t/shuffle-6.npy "(i % 32 >= 3)"
// RUN: memspace-runner %t/width-16.mlir --arg=0:iota --out=1:%t/width-16-1.npy 2>&1 | FileCheck %s --check-prefix=CLEAN
// RUN: %compare %t/width-16-1.npy "i ^ 9"
// RUN: %broken bad %t/width-16.mlir %t/width-16-bad.mlir
// RUN: not memspace-runner %t/width-16-bad.mlir --arg=0:iota 2>&1 | FileCheck %t/width-16.mlir
// RUN: memspace-runner %t/types.mlir --arg=0:iota --arg=1:iota --arg=2:iota --out=3:%t/types-3.npy --out=4:%t/types-4.npy --out=5:%t/types-5.npy 2>&1 | FileCheck %s --check-prefix=CLEAN
// RUN: %compare %t/types-3.npy "np.float16(i ^ 1)"
// RUN: %compare %t/types-4.npy "np.float64(i ^ 1)"
// RUN: %compare %t/types-5.npy "i ^ 2"
// RUN: memspace-runner %t/rotate.mlir --arg=0:iota --out=1:%t/rotate-1.npy 2>&1 | FileCheck %s --check-prefix=CLEAN
// RUN: %compare %t/rotate-1.npy "(i + 3) % 16 + i // 16 * 16"
// RUN: memspace-runner %t/reduce.mlir --arg=0:iota --out=1:%t/reduce-1.npy --out=2:%t/reduce-2.npy --out=3:%t/reduce-3.npy --out=4:%t/reduce-4.npy --out=5:%t/reduce-5.npy 2>&1 | FileCheck %s --check-prefix=CLEAN
// RUN: %compare %t/reduce-1.npy "np.where(i < 32, 496, 1520)"
// RUN: %compare %t/reduce-2.npy "i // 4 * 16 + 6"
// RUN: %compare %t/reduce-3.npy "i // 32 * 32 + 31"
// RUN: %compare %t/reduce-4.npy "i // 8 * 8 + i % 2 + 6"
// RUN: %compare %t/reduce-5.npy "2016"
// RUN: memspace-runner %t/reduce-vector.mlir --arg=0:iota --out=1:%t/reduce-vector-1.npy 2>&1 | FileCheck %s --check-prefix=CLEAN
// RUN: %compare %t/reduce-vector-1.npy "np.where(i % 2 == 0, 496, -(i // 4) * 4 - 2)"
// RUN: memspace-runner %t/all-reduce-region.mlir --arg=0:iota --out=1:%t/all-reduce-region-1.npy 2>&1 | FileCheck %s --check-prefix=CLEAN
// RUN: %compare %t/all-reduce-region-1.npy "63"
// RUN: %broken bad %t/all-reduce-region.mlir %t/all-reduce-region-bad.mlir
// RUN: not memspace-runner %t/all-reduce-region-bad.mlir --arg=0:iota 2>&1 | FileCheck %t/all-reduce-region.mlir
// RUN: memspace-runner %t/broadcast.mlir --arg=0:iota --out=1:%t/broadcast-1.npy --out=2:%t/broadcast-2.npy 2>&1 | FileCheck %s --check-prefix=CLEAN
// RUN: %compare %t/broadcast-1.npy "i // 32 * 32 + 5"
// RUN: %compare %t/broadcast-2.npy "i // 32 * 32"
// RUN: memspace-runner %t/nvvm-shuffle.mlir --arg=0:iota --out=1:%t/nvvm-shuffle-1.npy --out=2:%t/nvvm-shuffle-2.npy 2>&1 | FileCheck %s --check-prefix=CLEAN
// RUN: %compare %t/nvvm-shuffle-1.npy "i ^ 4"
// RUN: %compare %t/nvvm-shuffle-2.npy "np.where(i < 31, i + 1, i)"
// RUN: %broken bad %t/nvvm-shuffle.mlir %t/nvvm-shuffle-bad.mlir
// RUN: not memspace-runner %t/nvvm-shuffle-bad.mlir --arg=0:iota 2>&1 | FileCheck %t/nvvm-shuffle.mlir
// RUN: memspace-runner %t/nvvm-half-mask.mlir --arg=0:iota --out=1:%t/nvvm-half-mask-1.npy 2>&1 | FileCheck %s --check-prefix=CLEAN
// RUN: %compare %t/nvvm-half-mask-1.npy "i ^ 16"
// RUN: %broken bad %t/nvvm-half-mask.mlir %t/nvvm-half-mask-bad.mlir
// RUN: not memspace-runner %t/nvvm-half-mask-bad.mlir --arg=0:iota 2>&1 | FileCheck %t/nvvm-half-mask.mlir
// RUN: memspace-runner %t/bpermute.mlir --arg=0:iota --subgroup-size=64 --out=1:%t/bpermute-1.npy 2>&1 | FileCheck %s --check-prefix=CLEAN
// RUN: %compare %t/bpermute-1.npy "63 - i"
// RUN: memspace-runner %t/ids-2d.mlir --out=0:%t/ids-2d-0.npy --out=1:%t/ids-2d-1.npy --out=2:%t/ids-2d-2.npy 2>&1 | FileCheck %s --check-prefix=CLEAN
// RUN: %compare %t/ids-2d-0.npy "i % 32"
// RUN: %compare %t/ids-2d-1.npy "i // 32"
// RUN: %compare %t/ids-2d-2.npy "3"
// RUN: memspace-runner %t/ids-2d.mlir --subgroup-size=64 --out=0:%t/ids-2d-0.npy --out=1:%t/ids-2d-1.npy --out=2:%t/ids-2d-2.npy 2>&1 | FileCheck %s --check-prefix=CLEAN
// RUN: %compare %t/ids-2d-0.npy "i % 64"
// RUN: %compare %t/ids-2d-1.npy "i // 64"
// RUN: %compare %t/ids-2d-2.npy "2"
// RUN: memspace-runner %t/shuffle-orders-nothing.mlir --arg=0:iota --out=1:%t/shuffle-orders-nothing-1.npy 2>&1 | FileCheck %s --check-prefix=CLEAN
// RUN: %compare %t/shuffle-orders-nothing-1.npy "i ^ 1"
// RUN: %broken bad %t/shuffle-orders-nothing.mlir %t/shuffle-orders-nothing-bad.mlir
// RUN: not memspace-runner %t/shuffle-orders-nothing-bad.mlir --arg=0:iota 2>&1 | FileCheck %t/shuffle-orders-nothing.mlir
// RUN: memspace-runner %t/partial-subgroup.mlir --arg=0:iota --out=1:%t/partial-subgroup-1.npy 2>&1 | FileCheck %s --check-prefix=CLEAN
// RUN: %compare %t/partial-subgroup-1.npy "np.where(i < 32, 496, 284)"

// CLEAN-NOT: {{error|warning}}:
// CLEAN: {{^}}races: 0, divergent barriers: 0, out of bounds: 0, uninitialized reads: 0{{$}}

// Subgroup ops: results in every mode, and errors. Communication inside a subgroup
// is case H14 (see also races-h12-h20.mlir).

//--- shuffle.mlir
// All modes over 32 lanes, two subgroups. Where the source is not a lane the
// result says so.
func.func @k(%x: memref<64xi32>, %xor: memref<64xi32>, %down: memref<64xi32>, %up: memref<64xi32>, %idx: memref<64xi32>, %isdown: memref<64xi1>, %isup: memref<64xi1>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %none = arith.constant -1 : i32
  %c2 = arith.constant 2 : i32
  %c3 = arith.constant 3 : i32
  %c5 = arith.constant 5 : i32
  %c7 = arith.constant 7 : i32
  %width = arith.constant 32 : i32
  %t = gpu.thread_id x
  %v = memref.load %x[%t] : memref<64xi32>
  %a, %va = gpu.shuffle xor %v, %c5, %width : i32
  memref.store %a, %xor[%t] : memref<64xi32>
  %b, %vb = gpu.shuffle down %v, %c2, %width : i32
  %sb = arith.select %vb, %b, %none : i32
  memref.store %sb, %down[%t] : memref<64xi32>
  memref.store %vb, %isdown[%t] : memref<64xi1>
  %c, %vc = gpu.shuffle up %v, %c3, %width : i32
  %sc = arith.select %vc, %c, %none : i32
  memref.store %sc, %up[%t] : memref<64xi32>
  memref.store %vc, %isup[%t] : memref<64xi1>
  %d, %vd = gpu.shuffle idx %v, %c7, %width : i32
  memref.store %d, %idx[%t] : memref<64xi32>
  return
}

//--- width-16.mlir
// Only the first 16 lanes need to take part; with a width of 32 all must.
// CHECK: .mlir:[[#@LINE+11]]:{{[0-9]+}}: error: divergent subgroup op: thread (0, 0, 0) waits here, but thread (16, 0, 0) has returned
// CHECK: {{^}}races: 0, divergent barriers: 1, out of bounds: 0, uninitialized reads: 0{{$}}
func.func @k(%x: memref<16xi32>, %y: memref<16xi32>) attributes {gpu.known_block_size = array<i32: 32, 1, 1>} {
  %c16 = arith.constant 16 : index
  %c9 = arith.constant 9 : i32
  %width = arith.constant 16 : i32 // not bad
  //bad: %width = arith.constant 32 : i32
  %t = gpu.thread_id x
  %low = arith.cmpi ult, %t, %c16 : index
  scf.if %low {
    %v = memref.load %x[%t] : memref<16xi32>
    %a, %va = gpu.shuffle xor %v, %c9, %width : i32
    memref.store %a, %y[%t] : memref<16xi32>
  }
  return
}

//--- types.mlir
// Other element types, and vectors.
func.func @k(%h: memref<32xf16>, %d: memref<32xf64>, %v: memref<32xi8>, %oh: memref<32xf16>, %od: memref<32xf64>, %ov: memref<32xi8>)
    attributes {gpu.known_block_size = array<i32: 32, 1, 1>} {
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : index
  %width = arith.constant 32 : i32
  %t = gpu.thread_id x
  %a = memref.load %h[%t] : memref<32xf16>
  %sa, %va = gpu.shuffle xor %a, %c1, %width : f16
  memref.store %sa, %oh[%t] : memref<32xf16>
  %b = memref.load %d[%t] : memref<32xf64>
  %sb, %vb = gpu.shuffle xor %b, %c1, %width : f64
  memref.store %sb, %od[%t] : memref<32xf64>
  %half = arith.divui %t, %c2 : index
  %low = arith.muli %half, %c2 : index
  %c = vector.load %v[%low] : memref<32xi8>, vector<2xi8>
  %two = arith.constant 2 : i32
  %sc, %vc = gpu.shuffle xor %c, %two, %width : vector<2xi8>
  %odd = arith.remui %t, %c2 : index
  %e = vector.extract %sc[%odd] : i8 from vector<2xi8>
  memref.store %e, %ov[%t] : memref<32xi8>
  return
}

//--- rotate.mlir
// The lane beyond width has an unspecified result; the first 16 have theirs.
func.func @k(%x: memref<32xi32>, %y: memref<32xi32>) attributes {gpu.known_block_size = array<i32: 32, 1, 1>} {
  %c16 = arith.constant 16 : index
  %c13 = arith.constant 13 : i32
  %c3 = arith.constant 3 : i32
  %c16i = arith.constant 16 : i32
  %t = gpu.thread_id x
  %v = memref.load %x[%t] : memref<32xi32>
  %a, %va = gpu.rotate %v, 3, 16 : i32
  %high = arith.addi %v, %c3 : i32
  %wrapped = arith.remui %high, %c16i : i32
  %second = arith.addi %wrapped, %c16i : i32
  %r = arith.select %va, %a, %second : i32
  memref.store %r, %y[%t] : memref<32xi32>
  return
}

//--- reduce.mlir
// subgroup_reduce over all lanes, in clusters, in clusters with a stride, and
// all_reduce over the workgroup.
func.func @k(%x: memref<64xi32>, %sum: memref<64xi32>, %four: memref<64xi32>, %max: memref<64xi32>, %stride: memref<64xi32>, %all: memref<64xi32>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %t = gpu.thread_id x
  %v = memref.load %x[%t] : memref<64xi32>
  %a = gpu.subgroup_reduce add %v : (i32) -> i32
  memref.store %a, %sum[%t] : memref<64xi32>
  %b = gpu.subgroup_reduce add %v cluster(size = 4) : (i32) -> i32
  memref.store %b, %four[%t] : memref<64xi32>
  %c = gpu.subgroup_reduce maxsi %v : (i32) -> i32
  memref.store %c, %max[%t] : memref<64xi32>
  %d = gpu.subgroup_reduce maxui %v cluster(size = 4, stride = 2) : (i32) -> i32
  memref.store %d, %stride[%t] : memref<64xi32>
  %e = gpu.all_reduce add %v {} : (i32) -> i32
  memref.store %e, %all[%t] : memref<64xi32>
  return
}

//--- reduce-vector.mlir
// Element by element: a sum of all lanes and a sum of each two.
func.func @k(%x: memref<32xf32>, %y: memref<32x2xf32>) attributes {gpu.known_block_size = array<i32: 32, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %half = arith.constant -0.5 : f32
  %t = gpu.thread_id x
  %v = memref.load %x[%t] : memref<32xf32>
  %n = arith.subf %half, %v : f32
  %pair = vector.from_elements %v, %n : vector<2xf32>
  %sum = gpu.subgroup_reduce add %pair : (vector<2xf32>) -> vector<2xf32>
  %two = gpu.subgroup_reduce add %pair cluster(size = 2) : (vector<2xf32>) -> vector<2xf32>
  %a = vector.extract %sum[0] : f32 from vector<2xf32>
  %b = vector.extract %two[1] : f32 from vector<2xf32>
  memref.store %a, %y[%t, %c0] : memref<32x2xf32>
  memref.store %b, %y[%t, %c1] : memref<32x2xf32>
  return
}

//--- all-reduce-region.mlir
// Half of the workgroup is not enough for all_reduce.
// CHECK: error: divergent {{barrier|subgroup op}}: thread (0, 0, 0) waits here, but thread (32, 0, 0) has returned
// CHECK: {{^}}races: 0, divergent barriers: 1, out of bounds: 0, uninitialized reads: 0{{$}}
func.func @k(%x: memref<64xi32>, %y: memref<64xi32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %c64 = arith.constant 64 : index // not bad
  //bad: %c64 = arith.constant 32 : index
  %t = gpu.thread_id x
  %low = arith.cmpi ult, %t, %c64 : index
  scf.if %low {
    %v = memref.load %x[%t] : memref<64xi32>
    %m = gpu.all_reduce %v {
    ^bb0(%a: i32, %b: i32):
      %n = arith.maxsi %a, %b : i32
      "gpu.yield"(%n) : (i32) -> ()
    } : (i32) -> i32
    memref.store %m, %y[%t] : memref<64xi32>
  }
  return
}

//--- broadcast.mlir
// subgroup_broadcast from a lane and from the first active one.
func.func @k(%x: memref<64xi32>, %y: memref<64xi32>, %z: memref<64xi32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %c5 = arith.constant 5 : i32
  %t = gpu.thread_id x
  %v = memref.load %x[%t] : memref<64xi32>
  %a = gpu.subgroup_broadcast %v, specific_lane %c5 : i32
  memref.store %a, %y[%t] : memref<64xi32>
  %b = gpu.subgroup_broadcast %v, first_active_lane : i32
  memref.store %b, %z[%t] : memref<64xi32>
  return
}

//--- nvvm-shuffle.mlir
// nvvm.shfl.sync with all lanes, and with half of those that its mask names.
// CHECK: error: divergent subgroup op: thread ({{[0-9]+}}, 0, 0) waits here, but thread ({{[0-9]+}}, 0, 0) has returned
// CHECK: {{^}}races: 0, divergent barriers: 1, out of bounds: 0, uninitialized reads: 0{{$}}
func.func @k(%x: memref<32xi32>, %y: memref<32xi32>, %z: memref<32xi32>) attributes {gpu.known_block_size = array<i32: 32, 1, 1>} {
  %c4 = arith.constant 4 : i32
  %c1 = arith.constant 1 : i32
  %c16 = arith.constant 32 : index // not bad
  //bad: %c16 = arith.constant 16 : index
  %mask = arith.constant -1 : i32
  %clamp = arith.constant 31 : i32
  %t = gpu.thread_id x
  %low = arith.cmpi ult, %t, %c16 : index
  scf.if %low {
    %v = memref.load %x[%t] : memref<32xi32>
    %a = nvvm.shfl.sync bfly %mask, %v, %c4, %clamp : i32 -> i32
    memref.store %a, %y[%t] : memref<32xi32>
    %b = nvvm.shfl.sync down %mask, %v, %c1, %clamp : i32 -> i32
    memref.store %b, %z[%t] : memref<32xi32>
  }
  return
}

//--- nvvm-half-mask.mlir
// Two masks, each of one half, do not order what passes between the halves.
// CHECK: error: data race in workgroup memory
// CHECK: {{^}}races: 1, divergent barriers: 0, out of bounds: 0, uninitialized reads: 0{{$}}
#wg = #gpu.address_space<workgroup>
func.func @k(%x: memref<32xi32>, %y: memref<32xi32>) attributes {gpu.known_block_size = array<i32: 32, 1, 1>} {
  %zero = arith.constant 0 : i32
  %c16 = arith.constant 16 : index
  %all = arith.constant -1 : i32
  %lowmask = arith.constant 65535 : i32
  %highmask = arith.constant -65536 : i32
  %t = gpu.thread_id x
  %n = arith.xori %t, %c16 : index
  %w = memref.alloc() : memref<32xi32, #wg>
  memref.store %zero, %w[%t] : memref<32xi32, #wg>
  gpu.barrier
  %v = memref.load %x[%t] : memref<32xi32>
  memref.store %v, %w[%t] : memref<32xi32, #wg>
  %low = arith.cmpi ult, %t, %c16 : index
  nvvm.bar.warp.sync %all : i32 // not bad
  scf.if %low {
    nvvm.bar.warp.sync %lowmask : i32
  } else {
    nvvm.bar.warp.sync %highmask : i32
  }
  %r = memref.load %w[%n] : memref<32xi32, #wg>
  memref.store %r, %y[%t] : memref<32xi32>
  return
}

//--- bpermute.mlir
// rocdl.ds_bpermute: the lane times four.
func.func @k(%x: memref<64xi32>, %y: memref<64xi32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %c63 = arith.constant 63 : i32
  %c4 = arith.constant 4 : i32
  %t = gpu.thread_id x
  %i = arith.index_cast %t : index to i32
  %m = arith.subi %c63, %i : i32
  %a = arith.muli %m, %c4 : i32
  %v = memref.load %x[%t] : memref<64xi32>
  %r = rocdl.ds_bpermute %a, %v : (i32, i32) -> i32
  memref.store %r, %y[%t] : memref<64xi32>
  return
}

//--- ids-2d.mlir
// Lanes run along x first, then y.
func.func @k(%lane: memref<12x8xindex>, %sub: memref<12x8xindex>, %num: memref<12x8xindex>) attributes {gpu.known_block_size = array<i32: 8, 12, 1>} {
  %x = gpu.thread_id x
  %y = gpu.thread_id y
  %l = gpu.lane_id
  %s = gpu.subgroup_id : index
  %n = gpu.num_subgroups : index
  memref.store %l, %lane[%y, %x] : memref<12x8xindex>
  memref.store %s, %sub[%y, %x] : memref<12x8xindex>
  memref.store %n, %num[%y, %x] : memref<12x8xindex>
  return
}

//--- shuffle-orders-nothing.mlir
// A shuffle moves values, it does not order memory accesses.
// CHECK: .mlir:[[#@LINE+18]]:{{[0-9]+}}: error: data race in workgroup memory: thread (0, 0, 0) reads byte 4, which thread (1, 0, 0) writes, with no barrier between
// CHECK: .mlir:[[#@LINE+14]]:{{[0-9]+}}: note: the other access is here
// CHECK: {{^}}races: 1, divergent barriers: 0, out of bounds: 0, uninitialized reads: 0{{$}}
#wg = #gpu.address_space<workgroup>
func.func @k(%x: memref<32xi32>, %y: memref<32xi32>) attributes {gpu.known_block_size = array<i32: 32, 1, 1>} {
  %c1 = arith.constant 1 : index
  %one = arith.constant 1 : i32
  %zero = arith.constant 0 : i32
  %width = arith.constant 32 : i32
  %t = gpu.thread_id x
  %n = arith.xori %t, %c1 : index
  %w = memref.alloc() : memref<32xi32, #wg>
  memref.store %zero, %w[%t] : memref<32xi32, #wg>
  gpu.barrier
  %v = memref.load %x[%t] : memref<32xi32>
  memref.store %v, %w[%t] : memref<32xi32, #wg>
  memspace.subgroup_barrier // not bad
  //bad: %s, %ok = gpu.shuffle xor %v, %one, %width : i32
  %r = memref.load %w[%n] : memref<32xi32, #wg>
  memref.store %r, %y[%t] : memref<32xi32>
  return
}

//--- partial-subgroup.mlir
// 40 threads: the second subgroup has 8 lanes, and they are enough for it.
func.func @k(%x: memref<40xi32>, %y: memref<40xi32>) attributes {gpu.known_block_size = array<i32: 40, 1, 1>} {
  %t = gpu.thread_id x
  %v = memref.load %x[%t] : memref<40xi32>
  memspace.subgroup_barrier
  %s = gpu.subgroup_reduce add %v : (i32) -> i32
  memref.store %s, %y[%t] : memref<40xi32>
  return
}
