// RUN: iree-memspace-opt %s -split-input-file -iree-memspace-import -verify-diagnostics

func.func @tile_of_a_subgroup(%a: tensor<16x16xf16>, %b: tensor<16x16xf16>, %c: tensor<16x16xf32>) -> tensor<16x16xf32> {
  // expected-error @below {{is of a whole subgroup or workgroup; distribute it to lanes before}}
  %0 = iree_codegen.inner_tiled ins(%a, %b) outs(%c) {
    indexing_maps = [affine_map<() -> ()>, affine_map<() -> ()>, affine_map<() -> ()>],
    iterator_types = [],
    kind = #iree_gpu.mma_layout<MFMA_F32_16x16x16_F16>,
    semantics = #iree_gpu.mma_semantics<distributed = false, opaque = true>
  } : tensor<16x16xf16>, tensor<16x16xf16> into tensor<16x16xf32>
  return %0 : tensor<16x16xf32>
}

// -----

func.func @masked(%x: tensor<4x64xf16>, %indices: vector<2xindex>, %mask: vector<2xi1>) -> vector<2xf16> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f16
  // expected-error @below {{gathers with a mask; make it reads of vectors first}}
  %0 = iree_vector_ext.transfer_gather %x[%c0, %c0][None, %indices: vector<2xindex>], %zero, %mask {
    indexed_maps = [affine_map<(d0, d1) -> (d1)>], permutation_map = affine_map<(d0, d1) -> (d1)>, in_bounds = [true]
  } : tensor<4x64xf16>, vector<2xf16>
  return %0 : vector<2xf16>
}

// -----

func.func @gathered_rows(%x: tensor<8x64xf32>, %i: tensor<2xi32>, %y: tensor<2x64xf32>) -> tensor<2x64xf32> {
  %0 = scf.forall (%lane) in (64) shared_outs(%o = %y) -> tensor<2x64xf32> {
    scf.forall.in_parallel {
      // expected-error @below {{gathers rows, or is not alone in its forall; lower it to reads and writes of vectors before}}
      iree_gpu.coalesced_gather_dma %x[%i] into %o lane(%lane) : tensor<8x64xf32>, tensor<2xi32>, tensor<2x64xf32>, index
    }
  } {mapping = [#iree_gpu.lane_id<0>]}
  return %0 : tensor<2x64xf32>
}

// -----

func.func @scatter_of_a_vector(%v: vector<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %true = arith.constant true
  // expected-error@+1 {{scatters a vector of all threads into a tensor; give it the tensor, or decompose it before}}
  %0 = iree_linalg_ext.map_scatter %v into %y {
  ^bb0(%i: index):
    iree_linalg_ext.yield %i, %true : index, i1
  } : vector<4xf32> into tensor<4xf32> -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
