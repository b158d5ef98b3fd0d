// RUN: memspace-opt %s -split-input-file -memspace-reduce-in-subgroups=chip=gfx942 | FileCheck %s
// RUN: memspace-opt %s -split-input-file -memspace-reduce-in-subgroups='chip=gfx942 reassociate=true' | FileCheck %s --check-prefix=ANY

// RUN: memspace-opt %s -split-input-file -memspace-reduce-in-subgroups=subgroup-size=64 | FileCheck %s --check-prefix=NOCHIP
// NOCHIP-NOT: gpu.subgroup_reduce

// The largest of 128 elements: two a lane, and an exchange.

// CHECK-LABEL: func @largest
// CHECK: %[[INIT:.*]] = memref.alloca() : memref<f32, #gpu.address_space<private>>
// CHECK: %[[LANE:.*]] = gpu.lane_id upper_bound 64
// CHECK: %[[PART:.*]] = scf.for %[[I:.*]] = %[[LANE]] to %c128{{.*}} step %c64{{.*}} iter_args(%[[P:.*]] = %cst{{.*}})
// CHECK:   %[[E:.*]] = memref.load %{{.*}}[%[[I]]]
// CHECK:   %[[M:.*]] = arith.maximumf %[[E]], %[[P]]
// CHECK:   scf.yield %[[M]]
// CHECK: %[[ALL:.*]] = gpu.subgroup_reduce maximumf %[[PART]] uniform
// CHECK: %[[OLD:.*]] = memref.load %[[INIT]][]
// CHECK: %[[NEW:.*]] = arith.maximumf %[[OLD]], %[[ALL]]
// CHECK: memref.store %[[NEW]], %[[INIT]][]
#id = affine_map<(d0) -> (d0)>
#red = affine_map<(d0) -> ()>
func.func @largest(%x: memref<128xf32>, %y: memref<128xf32>)
    attributes {gpu.known_block_size = array<i32: 64, 2, 1>} {
  %lo = arith.constant 0xFF800000 : f32
  %m = memref.alloca() : memref<f32, #gpu.address_space<private>>
  memref.store %lo, %m[] : memref<f32, #gpu.address_space<private>>
  linalg.generic {indexing_maps = [#id, #red], iterator_types = ["reduction"]} ins(%x : memref<128xf32>) outs(%m : memref<f32, #gpu.address_space<private>>) {
    ^bb0(%a: f32, %b: f32):
    %r = arith.maximumf %a, %b : f32
    linalg.yield %r : f32
  }
  %tid = gpu.thread_id x
  %v = memref.load %m[] : memref<f32, #gpu.address_space<private>>
  memref.store %v, %y[%tid] : memref<128xf32>
  return
}

// -----

// A sum of squares keeps its order, unless it does not matter.

// CHECK-LABEL: func @sum
// CHECK: linalg.generic
// CHECK-NOT: gpu.subgroup_reduce
// ANY-LABEL: func @sum
// ANY: scf.for
// ANY:   arith.mulf
// ANY:   arith.addf
// ANY: gpu.subgroup_reduce add
#id = affine_map<(d0) -> (d0)>
#red = affine_map<(d0) -> ()>
func.func @sum(%x: memref<128xf32>, %y: memref<64xf32>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %z = arith.constant 0.0 : f32
  %m = memref.alloca() : memref<f32, #gpu.address_space<private>>
  memref.store %z, %m[] : memref<f32, #gpu.address_space<private>>
  linalg.generic {indexing_maps = [#id, #red], iterator_types = ["reduction"]} ins(%x : memref<128xf32>) outs(%m : memref<f32, #gpu.address_space<private>>) {
    ^bb0(%a: f32, %b: f32):
    %s = arith.mulf %a, %a : f32
    %r = arith.addf %b, %s : f32
    linalg.yield %r : f32
  }
  %tid = gpu.thread_id x
  %v = memref.load %m[] : memref<f32, #gpu.address_space<private>>
  memref.store %v, %y[%tid] : memref<64xf32>
  return
}

// -----

// Left alone: few elements, a subgroup that is not complete, a condition of the
// thread, a result that decides where all threads go, shared results.

// CHECK-LABEL: func @few
// CHECK-NOT: gpu.subgroup_reduce
// CHECK: return
#id = affine_map<(d0) -> (d0)>
#red = affine_map<(d0) -> ()>
func.func @few(%x: memref<31xi32>, %y: memref<i32, #gpu.address_space<private>>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  linalg.generic {indexing_maps = [#id, #red], iterator_types = ["reduction"]} ins(%x : memref<31xi32>) outs(%y : memref<i32, #gpu.address_space<private>>) {
    ^bb0(%a: i32, %b: i32):
    %r = arith.addi %a, %b : i32
    linalg.yield %r : i32
  }
  return
}

// -----

// CHECK-LABEL: func @incomplete
// CHECK-NOT: gpu.subgroup_reduce
// CHECK: return
#id = affine_map<(d0) -> (d0)>
#red = affine_map<(d0) -> ()>
func.func @incomplete(%x: memref<128xi32>, %y: memref<i32, #gpu.address_space<private>>)
    attributes {gpu.known_block_size = array<i32: 96, 1, 1>} {
  linalg.generic {indexing_maps = [#id, #red], iterator_types = ["reduction"]} ins(%x : memref<128xi32>) outs(%y : memref<i32, #gpu.address_space<private>>) {
    ^bb0(%a: i32, %b: i32):
    %r = arith.addi %a, %b : i32
    linalg.yield %r : i32
  }
  return
}

// -----

// CHECK-LABEL: func @divergent
// CHECK-NOT: gpu.subgroup_reduce
// CHECK: return
#id = affine_map<(d0) -> (d0)>
#red = affine_map<(d0) -> ()>
func.func @divergent(%x: memref<128xi32>, %y: memref<i32, #gpu.address_space<private>>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %c5 = arith.constant 5 : index
  %tid = gpu.thread_id x
  %in = arith.cmpi slt, %tid, %c5 : index
  scf.if %in {
    linalg.generic {indexing_maps = [#id, #red], iterator_types = ["reduction"]} ins(%x : memref<128xi32>) outs(%y : memref<i32, #gpu.address_space<private>>) {
      ^bb0(%a: i32, %b: i32):
      %r = arith.addi %a, %b : i32
      linalg.yield %r : i32
    }
  }
  return
}

// -----

// CHECK-LABEL: func @decides
// CHECK-NOT: gpu.subgroup_reduce
// CHECK: return
#id = affine_map<(d0) -> (d0)>
#red = affine_map<(d0) -> ()>
func.func @decides(%x: memref<128xi32>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %c0 = arith.constant 0 : i32
  %m = memref.alloca() : memref<i32, #gpu.address_space<private>>
  memref.store %c0, %m[] : memref<i32, #gpu.address_space<private>>
  linalg.generic {indexing_maps = [#id, #red], iterator_types = ["reduction"]} ins(%x : memref<128xi32>) outs(%m : memref<i32, #gpu.address_space<private>>) {
    ^bb0(%a: i32, %b: i32):
    %r = arith.addi %a, %b : i32
    linalg.yield %r : i32
  }
  %v = memref.load %m[] : memref<i32, #gpu.address_space<private>>
  %big = arith.cmpi sgt, %v, %c0 : i32
  scf.if %big {
    gpu.barrier
  }
  return
}

// -----

// CHECK-LABEL: func @shared
// CHECK-NOT: gpu.subgroup_reduce
// CHECK: return
#id = affine_map<(d0) -> (d0)>
#red = affine_map<(d0) -> ()>
func.func @shared(%x: memref<128xi32>, %y: memref<i32>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  linalg.generic {indexing_maps = [#id, #red], iterator_types = ["reduction"]} ins(%x : memref<128xi32>) outs(%y : memref<i32>) {
    ^bb0(%a: i32, %b: i32):
    %r = arith.addi %a, %b : i32
    linalg.yield %r : i32
  }
  return
}
