// RUN: iree-memspace-opt %s -split-input-file -iree-memspace-import=block-size=64 | FileCheck %s

// What has a form of upstream's.

// A forall of one worker: an iteration reads its own part of what is carried, and
// what others may have changed from before.
// CHECK-LABEL: func.func @local
// CHECK: %[[X:.*]] = bufferization.to_tensor
// CHECK: scf.for %[[I:.*]] = %{{.*}} iter_args(%[[A:.*]] = %[[X]])
// CHECK:   scf.for %[[J:.*]] = %{{.*}} iter_args(%[[B:.*]] = %[[A]])
// CHECK:     %[[OWN:.*]] = tensor.extract_slice %[[B]][%[[I]], %[[J]]]
// CHECK:     %[[OTHER:.*]] = tensor.extract_slice %[[X]][%[[J]], %[[I]]]
// CHECK:     %[[S:.*]] = linalg.add ins(%[[OWN]], %[[OTHER]]
// CHECK:     %[[N:.*]] = tensor.insert_slice %[[S]] into %[[B]][%[[I]], %[[J]]]
// CHECK:     scf.yield %[[N]]
func.func @local(%x: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %0 = scf.forall (%i, %j) in (4, 4) shared_outs(%o = %x) -> tensor<4x4xf32> {
    %p = tensor.extract_slice %o[%i, %j] [1, 1] [1, 1] : tensor<4x4xf32> to tensor<1xf32>
    %q = tensor.extract_slice %o[%j, %i] [1, 1] [1, 1] : tensor<4x4xf32> to tensor<1xf32>
    %s = linalg.add ins(%p, %q : tensor<1xf32>, tensor<1xf32>) outs(%p : tensor<1xf32>) -> tensor<1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %s into %o[%i, %j] [1, 1] [1, 1] : tensor<1xf32> into tensor<4x4xf32>
    }
  } {mapping = [#iree_codegen.local_mapping<1>, #iree_codegen.local_mapping<0>]}
  return %0 : tensor<4x4xf32>
}

// -----

// A loop over the tiles of a workgroup that has one at most is a branch; with more
// tiles than workgroups may be it is not, nor is one that compares without a sign.
// CHECK-LABEL: func.func @tiles
// CHECK-SAME: %[[X:[a-z0-9]+]]: memref<8xf32>
// CHECK: %[[FROM:.*]] = affine.apply
// CHECK: %[[IS:.*]] = arith.cmpi slt, %[[FROM]], %c8
// CHECK: %[[R:.*]] = scf.if %[[IS]] -> (f32) {
// CHECK:   %[[V:.*]] = memref.load %[[X]][%[[FROM]]]
// CHECK:   scf.yield %[[V]]
// CHECK: } else {
// CHECK:   scf.yield %{{.*}} : f32
// CHECK: }
// CHECK: scf.for
// CHECK: scf.for unsigned
// CHECK-NOT: scf.if
// CHECK: return
func.func @tiles(%x: memref<8xf32>, %init: f32, %n: index) -> (f32, f32, f32) {
  %c8 = arith.constant 8 : index
  %id = hal.interface.workgroup.id[0] upper_bound 4 : index
  %count = hal.interface.workgroup.count[0] upper_bound 4 : index
  %from = affine.apply affine_map<()[s0] -> (s0 * 8)>()[%id]
  %step = affine.apply affine_map<()[s0] -> (s0 * 8)>()[%count]
  %r = scf.for %i = %from to %c8 step %step iter_args(%a = %init) -> f32 {
    %v = memref.load %x[%i] : memref<8xf32>
    scf.yield %v : f32
  }
  %s = scf.for %i = %from to %n step %step iter_args(%a = %init) -> f32 {
    %v = memref.load %x[%i] : memref<8xf32>
    scf.yield %v : f32
  }
  %t = scf.for unsigned %i = %from to %c8 step %step iter_args(%a = %init) -> f32 {
    %v = memref.load %x[%i] : memref<8xf32>
    scf.yield %v : f32
  }
  return %r, %s, %t : f32, f32, f32
}

// -----

// CHECK-LABEL: func.func @hints
// CHECK-NOT: iree
// CHECK: linalg.copy ins(%{{.*}} : tensor<64xf32>)
// CHECK-NOT: iree_codegen
// CHECK: return
func.func @hints(%x: tensor<64xf32>, %i: index) -> (tensor<64xf32>, f32) {
  %e = tensor.empty() : tensor<64xf32>
  %a = iree_gpu.buffer_resource_cast %x : tensor<64xf32>
  %b = iree_codegen.fusion_barrier %a : tensor<64xf32>
  %c = linalg.copy ins(%b : tensor<64xf32>) outs(%e : tensor<64xf32>) -> tensor<64xf32>
  %d = iree_codegen.swizzle_hint %c[#iree_codegen.rotate_rows<64, 4>] : tensor<64xf32>
  %j = iree_codegen.index_hint %i(#iree_gpu.lane_constant<16>) : index
  %f = tensor.extract %d[%j] : tensor<64xf32>
  return %d, %f : tensor<64xf32>, f32
}

// -----

// Of vectors there is nothing to wait for but what is in memory.
// CHECK-LABEL: func.func @vectors
// CHECK-NOT: gpu.barrier
// CHECK: return
func.func @vectors(%v: vector<4xf32>) -> vector<4xf32> {
  %0 = iree_gpu.value_barrier %v : vector<4xf32>
  return %0 : vector<4xf32>
}

// -----

// On memrefs each thread returns what it has.
// CHECK-LABEL: func.func @vectors_of_memory
// CHECK: vector.load
// CHECK-NEXT: gpu.barrier
// CHECK-NEXT: vector.store
// CHECK-NEXT: return %{{.*}} : vector<4xf32>
func.func @vectors_of_memory(%m: memref<4xf32>, %i: index) -> vector<4xf32> {
  %v = vector.load %m[%i] : memref<4xf32>, vector<4xf32>
  %0 = iree_gpu.value_barrier %v : vector<4xf32>
  vector.store %0, %m[%i] : memref<4xf32>, vector<4xf32>
  return %0 : vector<4xf32>
}

// -----

// CHECK-LABEL: func.func @packs
// CHECK: linalg.pack {{.*}} padding_value({{.*}}) inner_dims_pos = [0, 1] inner_tiles = [3, 3]
// CHECK: linalg.unpack {{.*}} outer_dims_perm = [1, 0] inner_dims_pos = [0, 1] inner_tiles = [3, 3]
func.func @packs(%x: tensor<4x4xi32>, %y: tensor<2x2x3x3xi32>, %p: i32) -> tensor<4x4xi32> {
  %0 = iree_linalg_ext.pack %x padding_value(%p : i32) inner_dims_pos = [0, 1] inner_tiles = [3, 3] into %y : (tensor<4x4xi32> tensor<2x2x3x3xi32>) -> tensor<2x2x3x3xi32>
  %1 = iree_linalg_ext.unpack %0 outer_dims_perm = [1, 0] inner_dims_pos = [0, 1] inner_tiles = [3, 3] into %x : (tensor<2x2x3x3xi32> tensor<4x4xi32>) -> tensor<4x4xi32>
  return %1 : tensor<4x4xi32>
}

// -----

// Rows of which the first dimension is gathered.
// CHECK-LABEL: func.func @rows
// CHECK: %[[I0:.*]] = vector.extract %{{.*}}[0] : index from vector<2xindex>
// CHECK: %[[AT0:.*]] = arith.addi %{{.*}}, %[[I0]]
// CHECK: vector.transfer_read %{{.*}}[%[[AT0]], %{{.*}}], %{{.*}} : tensor<?x64xf16>, vector<64xf16>
// CHECK: %[[I1:.*]] = vector.extract %{{.*}}[1] : index from vector<2xindex>
// CHECK: %[[AT1:.*]] = arith.addi %{{.*}}, %[[I1]]
// CHECK: vector.transfer_read %{{.*}}[%[[AT1]], %{{.*}}], %{{.*}} : tensor<?x64xf16>, vector<64xf16>
func.func @rows(%x: tensor<?x64xf16>, %indices: vector<2xindex>) -> vector<2x64xf16> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f16
  %0 = iree_vector_ext.transfer_gather %x[%c0, %c0][%indices: vector<2xindex>, None], %zero {
    indexed_maps = [affine_map<(d0, d1) -> (d0)>]
  } : tensor<?x64xf16>, vector<2x64xf16>
  return %0 : vector<2x64xf16>
}

// -----

// Elements.
// CHECK-LABEL: func.func @elements
// CHECK-COUNT-2: tensor.extract
// CHECK-NOT: tensor.extract
func.func @elements(%x: tensor<4x64xf16>, %indices: vector<2xindex>, %i: index) -> vector<2xf16> {
  %zero = arith.constant 0.0 : f16
  %0 = iree_vector_ext.transfer_gather %x[%i, %i][None, %indices: vector<2xindex>], %zero {
    indexed_maps = [affine_map<(d0, d1) -> (d1)>], permutation_map = affine_map<(d0, d1) -> (d1)>, in_bounds = [true]
  } : tensor<4x64xf16>, vector<2xf16>
  return %0 : vector<2xf16>
}

// -----

// Lanes that copy together.
// CHECK-LABEL: func.func @lanes_copy
// CHECK-NOT: scf.forall
// CHECK: linalg.copy
func.func @lanes_copy(%x: tensor<2x64xf32>, %y: tensor<2x64xf32>) -> tensor<2x64xf32> {
  %0 = scf.forall (%lane) in (64) shared_outs(%o = %y) -> tensor<2x64xf32> {
    scf.forall.in_parallel {
      iree_gpu.coalesced_gather_dma %x into %o lane(%lane) : tensor<2x64xf32>, tensor<2x64xf32>, index
    }
  } {mapping = [#iree_gpu.lane_id<0>]}
  return %0 : tensor<2x64xf32>
}

// -----

// A tile of a matrix unit that each lane has its part of.
// CHECK-LABEL: func.func @tile
// CHECK-COUNT-3: vector.transfer_read
// CHECK: %[[R:.*]] = iree_codegen.inner_tiled {{.*}} : vector<4xf16>, vector<4xf16> into vector<4xf32>
// CHECK: vector.transfer_write %[[R]]
func.func @tile(%a: tensor<4xf16>, %b: tensor<4xf16>, %c: tensor<4xf32>) -> tensor<4xf32> {
  %0 = iree_codegen.inner_tiled ins(%a, %b) outs(%c) {
    indexing_maps = [affine_map<() -> ()>, affine_map<() -> ()>, affine_map<() -> ()>],
    iterator_types = [],
    kind = #iree_gpu.mma_layout<MFMA_F32_16x16x16_F16>,
    semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>
  } : tensor<4xf16>, tensor<4xf16> into tensor<4xf32>
  return %0 : tensor<4xf32>
}
