// RUN: memspace-opt %s -memspace-distribute-structured-ops=chip=gfx942 -canonicalize -cse | FileCheck %s
// RUN: memspace-opt %s -memspace-distribute-structured-ops=chip=sm_90 | FileCheck %s --check-prefix=NV
// RUN: memspace-opt %s -memspace-distribute-structured-ops | FileCheck %s --check-prefix=UNKNOWN
// RUN: memspace-opt %s -memspace-distribute-structured-ops="chip=gfx942 subgroup-size=32" | FileCheck %s --check-prefix=PART

// The lanes of one subgroup keep a row in registers. Of 128 places 100 have an element:
// a lane has two, one or none. What has none is an element of lane 0. Merges inside a
// lane are no loop; in the others each lane passes on what it has, the first time
// mirrored. No shuffle is in a branch.
// CHECK-DAG: #[[$OFFSET:.*]] = affine_map<(d0) -> ({{100, d0 \* 2|d0 \* 2, 100}})>
// CHECK-DAG: #[[$SIZE:.*]] = affine_map<(d0) -> ({{d0 \* -2 \+ 100, 2|2, d0 \* -2 \+ 100}})>
// CHECK-LABEL: func.func @sort
// CHECK-DAG: %[[ONE:.*]] = arith.constant 1 : i32
// CHECK-DAG: %[[ZERO:.*]] = arith.constant 0 : i32
// CHECK-DAG: %[[LANES:.*]] = arith.constant 64 : i32
// CHECK-DAG: %[[END:.*]] = arith.constant 100 : i32
// CHECK: scf.forall (%[[ID:.*]]) in (64) shared_outs(%[[O:.*]] = %{{.*}}) -> (tensor<100xf32>)
// CHECK: %[[LANE:.*]] = arith.index_cast %[[ID]] : index to i32
// CHECK: %[[AT:.*]] = affine.min #[[$OFFSET]](%[[ID]])
// CHECK: affine.min #[[$SIZE]](%[[ID]])
// CHECK: %[[COUNT:.*]] = affine.max
// CHECK: %[[OUT:.*]] = tensor.extract_slice %[[O]][%[[AT]]] [%[[COUNT]]] [1]
// CHECK: %[[IN:.*]] = tensor.extract_slice %{{.*}}[%[[AT]]] [%[[COUNT]]] [1]
// CHECK: scf.if
// CHECK: tensor.extract %[[IN]]
// CHECK: scf.if
// CHECK: tensor.extract %[[IN]]
// CHECK-NOT: tensor.extract %
// CHECK: gpu.shuffle{{ +}}idx %{{.*}}, %[[ZERO]], %[[LANES]] : i32
// CHECK-COUNT-2: arith.select
// CHECK-NOT: scf.if
// CHECK: scf.for %[[MERGE:.*]] = %[[ZERO]] to %{{.*}} step %[[ONE]] iter_args(%{{.*}} = %{{.*}}, %[[SECOND:.*]] = %{{.*}})
// CHECK: %[[HIGH:.*]] = arith.shli %[[ONE]], %[[MERGE]]
// CHECK: arith.andi %[[LANE]], %[[HIGH]]
// CHECK: %[[WORD:.*]] = arith.bitcast %[[SECOND]] : f32 to i32
// CHECK-COUNT-2: gpu.shuffle{{ +}}xor
// CHECK-COUNT-2: arith.cmpf olt
// CHECK: scf.for %{{.*}} = %[[ZERO]] to %[[MERGE]]
// CHECK-COUNT-2: gpu.shuffle{{ +}}xor
// CHECK-NOT: gpu.shuffle
// CHECK: scf.if
// CHECK: tensor.insert %{{.*}} into %[[OUT]]
// CHECK: tensor.parallel_insert_slice %{{.*}} into %[[O]][%[[AT]]] [%[[COUNT]]] [1]
// CHECK: mapping = [#gpu.thread<linear_dim_0>]
// A workgroup of two subgroups shares memory, as one of unknown subgroups does.
// NV-LABEL: func.func @sort
// NV-NOT: gpu.shuffle
// NV-LABEL: func.func @indices
// UNKNOWN-NOT: gpu.shuffle
func.func @sort(%x: memref<100xf32>, %out: memref<100xf32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %t = bufferization.to_tensor %x restrict : memref<100xf32> to tensor<100xf32>
  %e = tensor.empty() : tensor<100xf32>
  %s = memspace.sort dimension(0) ins(%t : tensor<100xf32>) outs(%e : tensor<100xf32>) {
  ^bb0(%a: f32, %b: f32):
    %c = arith.cmpf olt, %a, %b : f32
    memspace.yield %c : i1
  } -> tensor<100xf32>
  bufferization.materialize_in_destination %s in restrict writable %out : (tensor<100xf32>, memref<100xf32>) -> ()
  return
}

// Of a sort of indices the keys move with the positions. A key of 64 bits is passed in
// two words. 64 places for 16 lanes: 4 for each, 3 words for each of them.
// CHECK-LABEL: func.func @indices
// CHECK: scf.forall (%{{.*}}) in (16) shared_outs(%{{.*}} = %{{.*}}) -> (tensor<64xi16>)
// CHECK-COUNT-4: tensor.extract %
// CHECK-NOT: tensor.extract %
// CHECK: scf.for
// CHECK: %[[BITS:.*]] = arith.bitcast %{{.*}} : f64 to i64
// CHECK: %[[LOW:.*]] = arith.trunci %[[BITS]] : i64 to i32
// CHECK: %[[SHIFTED:.*]] = arith.shrui %[[BITS]], %{{.*}} : i64
// CHECK: %[[HIGH:.*]] = arith.trunci %[[SHIFTED]] : i64 to i32
// CHECK: %[[L:.*]], %{{.*}} = gpu.shuffle{{ +}}xor %[[LOW]],
// CHECK: %[[H:.*]], %{{.*}} = gpu.shuffle{{ +}}xor %[[HIGH]],
// CHECK: %[[LL:.*]] = arith.extui %[[L]] : i32 to i64
// CHECK: %[[HL:.*]] = arith.extui %[[H]] : i32 to i64
// CHECK: %[[UP:.*]] = arith.shli %[[HL]],
// CHECK: %[[BOTH:.*]] = arith.ori %{{.*}}, %{{.*}} : i64
// CHECK: arith.bitcast %[[BOTH]] : i64 to f64
// CHECK-COUNT-4: arith.trunci %{{.*}} : i32 to i16
// NV: gpu.shuffle
func.func @indices(%x: memref<64xf64>, %out: memref<64xi16>) attributes {gpu.known_block_size = array<i32: 16, 1, 1>} {
  %t = bufferization.to_tensor %x restrict : memref<64xf64> to tensor<64xf64>
  %e = tensor.empty() : tensor<64xi16>
  %s = memspace.sort_indices dimension(0) ins(%t : tensor<64xf64>) outs(%e : tensor<64xi16>) {
  ^bb0(%a: f64, %b: f64):
    %c = arith.cmpf olt, %a, %b : f64
    memspace.yield %c : i1
  } -> tensor<64xi16>
  bufferization.materialize_in_destination %s in restrict writable %out : (tensor<64xi16>, memref<64xi16>) -> ()
  return
}

// More than 16 words for each lane: 8 places with keys of 64 bits and a position.
// CHECK-LABEL: func.func @too_long
// CHECK-NOT: gpu.shuffle
func.func @too_long(%x: memref<128xf64>, %out: memref<128xi16>) attributes {gpu.known_block_size = array<i32: 16, 1, 1>} {
  %t = bufferization.to_tensor %x restrict : memref<128xf64> to tensor<128xf64>
  %e = tensor.empty() : tensor<128xi16>
  %s = memspace.sort_indices dimension(0) ins(%t : tensor<128xf64>) outs(%e : tensor<128xi16>) {
  ^bb0(%a: f64, %b: f64):
    %c = arith.cmpf olt, %a, %b : f64
    memspace.yield %c : i1
  } -> tensor<128xi16>
  bufferization.materialize_in_destination %s in restrict writable %out : (tensor<128xi16>, memref<128xi16>) -> ()
  return
}

// 24 threads are lanes of one subgroup, but no power of two.
// CHECK-LABEL: func.func @not_a_power_of_two
// CHECK-NOT: gpu.shuffle
func.func @not_a_power_of_two(%x: memref<64xf32>, %out: memref<64xf32>) attributes {gpu.known_block_size = array<i32: 24, 1, 1>} {
  %t = bufferization.to_tensor %x restrict : memref<64xf32> to tensor<64xf32>
  %e = tensor.empty() : tensor<64xf32>
  %s = memspace.sort dimension(0) ins(%t : tensor<64xf32>) outs(%e : tensor<64xf32>) {
  ^bb0(%a: f32, %b: f32):
    %c = arith.cmpf olt, %a, %b : f32
    memspace.yield %c : i1
  } -> tensor<64xf32>
  bufferization.materialize_in_destination %s in restrict writable %out : (tensor<64xf32>, memref<64xf32>) -> ()
  return
}

// A row that is one lane's own passes nothing; 20 rows by 16 threads take two waves. What is stored is
// only what is used.
// CHECK-LABEL: func.func @own_rows
// CHECK: scf.forall (%{{.*}}) in (20) shared_outs(%{{.*}} = %{{.*}}) -> (tensor<20x3xi32>)
// CHECK-NOT: gpu.shuffle
// CHECK: return
func.func @own_rows(%x: memref<20x3xf32>, %y: memref<20x3xi32>, %out: memref<20x3xi32>) attributes {gpu.known_block_size = array<i32: 16, 1, 1>} {
  %t = bufferization.to_tensor %x restrict : memref<20x3xf32> to tensor<20x3xf32>
  %u = bufferization.to_tensor %y restrict : memref<20x3xi32> to tensor<20x3xi32>
  %e = tensor.empty() : tensor<20x3xf32>
  %f = tensor.empty() : tensor<20x3xi32>
  %s:2 = memspace.sort dimension(1) ins(%t, %u : tensor<20x3xf32>, tensor<20x3xi32>) outs(%e, %f : tensor<20x3xf32>, tensor<20x3xi32>) {
  ^bb0(%a: f32, %b: f32, %i: i32, %j: i32):
    %c = arith.cmpf olt, %a, %b : f32
    memspace.yield %c : i1
  } -> tensor<20x3xf32>, tensor<20x3xi32>
  bufferization.materialize_in_destination %s#1 in restrict writable %out : (tensor<20x3xi32>, memref<20x3xi32>) -> ()
  return
}

// The lanes of a subgroup inside a workgroup, on both chips; in place, by the slice of
// what is written. Lanes behind the third row have nothing.
// CHECK-LABEL: func.func @subgroups
// CHECK: scf.forall (%{{.*}}) in (2)
// CHECK: scf.forall (%{{.*}}) in (64) shared_outs(%[[O:.*]] = %{{.*}}) -> (tensor<3x16xi32>)
// CHECK: %[[OWN:.*]] = tensor.extract_slice %[[O]]
// CHECK: tensor.extract %[[OWN]]
// CHECK: mapping = [#gpu.lane<linear_dim_0>]
// Half of the chip's subgroup: its lanes are not numbered from 0.
// PART-LABEL: func.func @subgroups
// PART-NOT: gpu.shuffle
// NV-LABEL: func.func @subgroups
// NV: scf.forall (%{{.*}}) in (32)
// NV: mapping = [#gpu.lane<linear_dim_0>]
func.func @subgroups(%x: memref<2x3x16xi32>) attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
  %t = bufferization.to_tensor %x restrict writable : memref<2x3x16xi32> to tensor<2x3x16xi32>
  %r = scf.forall (%w) in (2) shared_outs(%o = %t) -> (tensor<2x3x16xi32>) {
    %rows = tensor.extract_slice %o[%w, 0, 0] [1, 3, 16] [1, 1, 1] : tensor<2x3x16xi32> to tensor<3x16xi32>
    %s = memspace.sort dimension(1) ins(%rows : tensor<3x16xi32>) outs(%rows : tensor<3x16xi32>) {
    ^bb0(%a: i32, %b: i32):
      %c = arith.cmpi slt, %a, %b : i32
      memspace.yield %c : i1
    } -> tensor<3x16xi32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %s into %o[%w, 0, 0] [1, 3, 16] [1, 1, 1] : tensor<3x16xi32> into tensor<2x3x16xi32>
    }
  } {mapping = [#gpu.warp<x>]}
  bufferization.materialize_in_destination %r in restrict writable %x : (tensor<2x3x16xi32>, memref<2x3x16xi32>) -> ()
  return
}

// A scan of a row by 128 threads, 8 elements each. The total of each but the last is
// scanned in the subgroup, by 6 steps in which every thread takes part; each thread keeps
// what the one before it has, and the last one of each subgroup is shared.
// CHECK-LABEL: func.func @scan
// CHECK: %[[OWN:.*]] = tensor.empty() : tensor<128xf16>
// CHECK: %[[LAST:.*]] = tensor.empty() : tensor<2xf16>
// CHECK: %[[R:.*]]:2 = scf.forall (%[[ID:.*]]) in (128) shared_outs(%[[O:.*]] = %[[OWN]], %[[L:.*]] = %[[LAST]])
// CHECK: scf.if
// CHECK: tensor.extract_slice %{{.*}}[%{{.*}}] [8] [1]
// CHECK: scf.for
// CHECK: } else {
// CHECK: }
// CHECK: %[[BITS:.*]] = arith.bitcast %{{.*}} : f16 to i16
// CHECK: %[[WORD:.*]] = arith.extui %[[BITS]] : i16 to i32
// CHECK: gpu.shuffle{{ +}}idx %[[WORD]]
// CHECK: scf.if
// CHECK-NEXT: arith.addf
// CHECK-COUNT-6: gpu.shuffle{{ +}}idx
// CHECK-NOT: gpu.shuffle
// CHECK: scf.if %{{.*}} -> (tensor<?xf16>) {
// CHECK: tensor.parallel_insert_slice %{{.*}} into %[[O]][%[[ID]]] [1] [1]
// CHECK: tensor.parallel_insert_slice %{{.*}} into %[[L]][%{{.*}}] [%{{.*}}] [1]
// CHECK: scf.forall (%[[I:.*]]) in (128) shared_outs(%{{.*}} = %{{.*}}) -> (tensor<1024xf16>)
// CHECK: tensor.extract %[[R]]#0[%[[I]]]
// CHECK: tensor.extract %[[R]]#1[
// NV-LABEL: func.func @scan
// NV: tensor.empty() : tensor<4xf16>
// NV: scf.forall (%{{.*}}) in (128)
// NV-COUNT-6: gpu.shuffle
// NV-NOT: gpu.shuffle
// NV-LABEL: func.func @scan_rows
func.func @scan(%x: memref<1024xf16>, %out: memref<1024xf16>) attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
  %t = bufferization.to_tensor %x restrict : memref<1024xf16> to tensor<1024xf16>
  %e = tensor.empty() : tensor<1024xf16>
  %s = memspace.scan dimension(0) ins(%t : tensor<1024xf16>) outs(%e : tensor<1024xf16>) {
  ^bb0(%a: f16, %b: f16):
    %c = arith.addf %a, %b : f16
    memspace.yield %c : f16
  } -> tensor<1024xf16>
  bufferization.materialize_in_destination %s in restrict writable %out : (tensor<1024xf16>, memref<1024xf16>) -> ()
  return
}

// 60 chunks of 4 rows are those of one subgroup of gfx942, and of its first 60 lanes: the
// threads of others pass on nothing that counts, and no total is shared. The columns are
// scanned, but neighbouring threads have neighbouring chunks.
// CHECK-LABEL: func.func @scan_rows
// CHECK-NOT: tensor.empty() : tensor<{{[0-9]+}}xf16>
// CHECK: tensor.empty() : tensor<256xf16>
// CHECK-NOT: tensor.empty() : tensor<{{[0-9]+}}xf16>
// CHECK: scf.forall (%{{.*}}) in (256)
// CHECK-COUNT-5: gpu.shuffle{{ +}}idx
// CHECK-NOT: gpu.shuffle
// CHECK: scf.forall (%{{.*}}, %{{.*}}) in (4, 15) shared_outs(%{{.*}} = %{{.*}}) -> (tensor<60x4xf16>)
func.func @scan_rows(%x: memref<60x4xf16>, %out: memref<60x4xf16>) attributes {gpu.known_block_size = array<i32: 256, 1, 1>} {
  %t = bufferization.to_tensor %x restrict : memref<60x4xf16> to tensor<60x4xf16>
  %e = tensor.empty() : tensor<60x4xf16>
  %s = memspace.scan dimension(0) ins(%t : tensor<60x4xf16>) outs(%e : tensor<60x4xf16>) {
  ^bb0(%a: f16, %b: f16):
    %c = arith.addf %a, %b : f16
    memspace.yield %c : f16
  } -> tensor<60x4xf16>
  bufferization.materialize_in_destination %s in restrict writable %out : (tensor<60x4xf16>, memref<60x4xf16>) -> ()
  return
}

// The first 6 of 100 elements by 64 lanes, 2 places each: blocks of 8 places are sorted by
// a merge in each lane and two among lanes; then 4 rounds keep the better half. 3 lanes
// have something to store.
// CHECK-LABEL: func.func @topk
// CHECK: scf.forall (%{{.*}}) in (64) shared_outs(%[[O:.*]] = %{{.*}}) -> (tensor<6xf32>)
// CHECK: %[[OUT:.*]] = tensor.extract_slice %[[O]][%[[AT:.*]]] [%[[COUNT:.*]]] [1]
// CHECK: gpu.shuffle{{ +}}idx
// CHECK: scf.for %{{.*}} = %{{.*}} to %c2_i32
// CHECK-COUNT-4: gpu.shuffle{{ +}}xor
// CHECK: scf.for
// CHECK-COUNT-4: gpu.shuffle{{ +}}xor
// CHECK: scf.for %[[ROUND:.*]] = %{{.*}} to %c4_i32
// CHECK: %[[HIGH:.*]] = arith.shrui %c32_i32, %[[ROUND]]
// CHECK: %[[LANES:.*]] = arith.ori %[[HIGH]], %c3_i32
// CHECK-COUNT-4: gpu.shuffle{{ +}}xor %{{.*}}, %[[LANES]]
// CHECK: scf.for %{{.*}} = %{{.*}} to %c2_i32
// CHECK-COUNT-4: gpu.shuffle{{ +}}xor
// CHECK-NOT: gpu.shuffle
// CHECK: scf.if
// CHECK: tensor.insert %{{.*}} into %[[OUT]]
// CHECK: tensor.parallel_insert_slice %{{.*}} into %[[O]][%[[AT]]] [%[[COUNT]]] [1]
func.func @topk(%x: memref<100xf32>, %out: memref<6xf32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %t = bufferization.to_tensor %x restrict : memref<100xf32> to tensor<100xf32>
  %e = tensor.empty() : tensor<6xf32>
  %s = memspace.topk dimension(0) ins(%t : tensor<100xf32>) values(%e : tensor<6xf32>) {
  ^bb0(%a: f32, %b: f32):
    %c = arith.cmpf ogt, %a, %b : f32
    memspace.yield %c : i1
  } -> tensor<6xf32>
  bufferization.materialize_in_destination %s in restrict writable %out : (tensor<6xf32>, memref<6xf32>) -> ()
  return
}
