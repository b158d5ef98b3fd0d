// RUN: split-file %s %t
// RUN: memspace-runner %t/two-groups.mlir --subgroup-size=64 --arg=0:iota --out=1:%t/two-groups-1.npy 2>&1 | FileCheck %s --check-prefix=CLEAN
// RUN: %compare %t/two-groups-1.npy "2 * np.roll(i, -1) + 128"
// RUN: memspace-opt %t/two-groups.mlir -memspace-verify-barriers=subgroup-size=64 -o /dev/null
// RUN: %broken late %t/two-groups.mlir %t/late.mlir
// RUN: not memspace-runner %t/late.mlir --subgroup-size=64 --arg=0:iota 2>&1 | FileCheck %s --check-prefix=RACE
// RUN: not memspace-opt %t/late.mlir -memspace-verify-barriers=subgroup-size=64 -o /dev/null 2>&1 | FileCheck %s --check-prefix=FLIGHT
// RUN: %broken swapped %t/two-groups.mlir %t/swapped.mlir
// RUN: not memspace-runner %t/swapped.mlir --subgroup-size=64 --arg=0:iota 2>&1 | FileCheck %s --check-prefix=RACE
// RUN: not memspace-opt %t/swapped.mlir -memspace-verify-barriers=subgroup-size=64 -o /dev/null 2>&1 | FileCheck %s --check-prefix=ORDER
// RUN: memspace-runner %t/lanes.mlir --subgroup-size=32 --arg=0:iota --out=1:%t/lanes-1.npy 2>&1 | FileCheck %s --check-prefix=CLEAN
// RUN: %compare %t/lanes-1.npy "i[::-1]"
// RUN: memspace-opt %t/lanes.mlir -memspace-verify-barriers=subgroup-size=32 -o /dev/null
// RUN: %broken bad %t/lanes.mlir %t/lanes-bad.mlir
// RUN: not memspace-runner %t/lanes-bad.mlir --subgroup-size=32 --arg=0:iota 2>&1 | FileCheck %s --check-prefix=RACE
// RUN: not memspace-opt %t/lanes-bad.mlir -memspace-verify-barriers=subgroup-size=32 -o /dev/null 2>&1 | FileCheck %s --check-prefix=SUBGROUPS
// RUN: not memspace-runner %t/padded.mlir --subgroup-size=64 --arg=0:iota 2>&1 | FileCheck %s --check-prefix=PADDED

// AMD's copies into workgroup memory: the lanes of a subgroup write one behind the
// other, from one place; each copy is a group of its own.

// CLEAN-NOT: {{error|warning}}:
// CLEAN: {{^}}races: 0, divergent barriers: 0, out of bounds: 0, uninitialized reads: 0{{$}}
// RACE: error: data race in workgroup memory
// FLIGHT: error: possible data race (RAW) with 'memref.load': the copy begun here may still be in flight
// ORDER: error: possible data race (RAW) with 'memref.load': no barrier orders the two
// SUBGROUPS: error: possible data race (WAW) of threads that execute this 'amdgpu.gather_to_lds'
// PADDED: error: 'amdgpu.gather_to_lds'

//--- two-groups.mlir
// The first wait leaves the newer copy in flight, which is not read yet. The second
// must come before the barrier.
#wg = #gpu.address_space<workgroup>
func.func @k(%x: memref<128xf32>, %y: memref<128xf32>) attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %two = arith.constant 128.0 : f32
  %t = gpu.thread_id x
  %t1 = arith.addi %t, %c1 : index
  %n = arith.remui %t1, %c128 : index
  %subgroup = arith.divui %t, %c64 : index
  %a = memref.alloc() : memref<128xf32, #wg>
  %b = memref.alloc() : memref<2x64xf32, #wg>
  %base = arith.muli %subgroup, %c64 : index
  amdgpu.gather_to_lds %x[%t], %a[%base] : f32, memref<128xf32>, memref<128xf32, #wg>
  amdgpu.gather_to_lds %x[%t], %b[%subgroup, %c0] : f32, memref<128xf32>, memref<2x64xf32, #wg>
  amdgpu.memory_counter_wait load(1)
  gpu.barrier
  %0 = memref.load %a[%n] : memref<128xf32, #wg>
  amdgpu.memory_counter_wait load(0) // not late swapped
  //late: amdgpu.memory_counter_wait load(1)
  gpu.barrier
  //swapped: amdgpu.memory_counter_wait load(0)
  %row = arith.divui %n, %c64 : index
  %column = arith.remui %n, %c64 : index
  %1 = memref.load %b[%row, %column] : memref<2x64xf32, #wg>
  %2 = arith.addf %0, %1 : f32
  %3 = arith.addf %2, %two : f32
  memref.store %3, %y[%t] : memref<128xf32>
  return
}

//--- lanes.mlir
// Four floats for each lane.
#wg = #gpu.address_space<workgroup>
func.func @k(%x: memref<256xf32>, %y: memref<256xf32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %c32 = arith.constant 32 : index
  %c4 = arith.constant 4 : index
  %c252 = arith.constant 252 : index
  %c128 = arith.constant 128 : index
  %t = gpu.thread_id x
  %subgroup = arith.divui %t, %c32 : index
  %a = memref.alloc() : memref<256xf32, #wg>
  %base = arith.muli %subgroup, %c128 : index // not bad
  //bad: %base = arith.muli %subgroup, %c4 : index
  %from = arith.muli %t, %c4 : index
  amdgpu.gather_to_lds %x[%from], %a[%base] : vector<4xf32>, memref<256xf32>, memref<256xf32, #wg>
  amdgpu.memory_counter_wait load(0)
  gpu.barrier
  %last = arith.subi %c252, %from : index
  %v = vector.load %a[%last] : memref<256xf32, #wg>, vector<4xf32>
  %r = vector.shuffle %v, %v [3, 2, 1, 0] : vector<4xf32>, vector<4xf32>
  vector.store %r, %y[%from] : memref<256xf32>, vector<4xf32>
  return
}

//--- padded.mlir
// Each lane leaves four bytes, of which two are not copied: not emulated.
#wg = #gpu.address_space<workgroup>
func.func @k(%x: memref<64xf16>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %c0 = arith.constant 0 : index
  %t = gpu.thread_id x
  %a = memref.alloc() : memref<128xf16, #wg>
  amdgpu.gather_to_lds %x[%t], %a[%c0] : f16, memref<64xf16>, memref<128xf16, #wg>
  amdgpu.memory_counter_wait load(0)
  return
}
