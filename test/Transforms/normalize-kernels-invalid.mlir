// RUN: memspace-opt %s -split-input-file -verify-diagnostics -memspace-normalize-kernels="subgroup-size=32"

// expected-error @below {{kernel 'no_block_size' has no block size; give it 'gpu.known_block_size = array<i32: x, y, z>'}}
func.func @no_block_size(%out: memref<8xf32>) {
  %ot = bufferization.to_tensor %out restrict writable : memref<8xf32> to tensor<8xf32>
  // expected-note @below {{this forall is mapped to a GPU}}
  %r = scf.forall (%i) in (8) shared_outs(%o = %ot) -> (tensor<8xf32>) {
  } {mapping = [#gpu.thread<x>]}
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<8xf32>, memref<8xf32>) -> ()
  return
}

// -----

// expected-error @below {{block size of kernel 'malformed' must be three positive numbers, for example array<i32: 64, 1, 1>; got array<i32: 64, 0, 1>}}
func.func @malformed() attributes {gpu.known_block_size = array<i32: 64, 0, 1>} {
  return
}

// -----

// expected-error @below {{grid size of kernel 'malformed' must be three positive numbers, for example array<i32: 16, 1, 1>; got array<i32: -1, 1, 1>}}
func.func @malformed() attributes {gpu.known_block_size = array<i32: 64, 1, 1>, gpu.known_grid_size = array<i32: -1, 1, 1>} {
  return
}

// -----

// expected-error @below {{kernel 'too_many' has workgroups of 2048 threads; 'generic' has at most 1024}}
func.func @too_many() attributes {gpu.known_block_size = array<i32: 64, 32, 1>} {
  return
}

// -----

// expected-error @below {{kernel 'returns' returns 'tensor<8xf32>'; write it to a memref argument with 'bufferization.materialize_in_destination'}}
func.func @returns(%x: memref<8xf32>) -> tensor<8xf32> attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %xt = bufferization.to_tensor %x restrict : memref<8xf32> to tensor<8xf32>
  return %xt : tensor<8xf32>
}

// -----

// expected-error @below {{argument 1 of kernel 'takes' is a tensor; take a memref and read it with 'bufferization.to_tensor'}}
func.func @takes(%n: index, %x: tensor<8xf32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  return
}

// -----

func.func @no_mapping() attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  // expected-error @below {{forall without a mapping in a kernel; map it to threads, for example with mapping = [#gpu.thread<x>], or use scf.for}}
  scf.forall (%i) in (8) {
  }
  return
}

// -----

func.func @mixed_mapping() attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  // expected-error @below {{mapping [#gpu.thread<x>, #gpu.warp<y>] of a forall mixes levels, mixes linear and other dimensions, or repeats a dimension; split the forall}}
  scf.forall (%i, %j) in (8, 8) {
  } {mapping = [#gpu.thread<x>, #gpu.warp<y>]}
  return
}

// -----

func.func @unknown_mapping() attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  // expected-error @below {{unknown mapping #gpu.memory_space<workgroup> of a forall in a kernel; use the gpu dialect's mappings or implement 'ExecutionMappingAttrInterface' for it}}
  scf.forall (%i) in (8) {
  } {mapping = [#gpu.memory_space<workgroup>]}
  return
}

// -----

func.func @thread_in_thread() attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  // expected-note @below {{the forall around it}}
  scf.forall (%i) in (8) {
    // expected-error @below {{thread forall inside a thread forall; a thread forall may only stand in a block forall; use scf.for, or a lane forall inside a warp forall}}
    scf.forall (%j) in (8) {
    } {mapping = [#gpu.thread<y>]}
  } {mapping = [#gpu.thread<x>]}
  return
}

// -----

func.func @thread_in_lane() attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  scf.forall (%w) in (2) {
    // expected-note @below {{the forall around it}}
    scf.forall (%i) in (8) {
      // expected-error @below {{thread forall inside a lane forall}}
      scf.forall (%j) in (8) {
      } {mapping = [#gpu.thread<y>]}
    } {mapping = [#gpu.lane<linear_dim_0>]}
  } {mapping = [#gpu.warp<linear_dim_0>]}
  return
}

// -----

func.func @warp_in_thread() attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  // expected-note @below {{the forall around it}}
  scf.forall (%i) in (8) {
    // expected-error @below {{warp forall inside a thread forall; a warp forall may only stand in a block or warpgroup forall}}
    scf.forall (%j) in (8) {
    } {mapping = [#gpu.warp<x>]}
  } {mapping = [#gpu.thread<x>]}
  return
}

// -----

func.func @block_in_warp() attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  // expected-note @below {{the forall around it}}
  scf.forall (%i) in (8) {
    // expected-error @below {{block forall inside a warp forall; a block forall must be the outermost one}}
    scf.forall (%j) in (8) {
    } {mapping = [#gpu.block<x>]}
  } {mapping = [#gpu.warp<x>]}
  return
}

// -----

func.func @lane_alone() attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  // expected-error @below {{lane forall outside a warp forall; a lane forall must stand directly in a warp forall}}
  scf.forall (%i) in (8) {
  } {mapping = [#gpu.lane<linear_dim_0>]}
  return
}

// -----

func.func @partial_subgroup() attributes {gpu.known_block_size = array<i32: 48, 1, 1>} {
  scf.forall (%w) in (2) {
    // expected-error @below {{lane forall in a workgroup of 48 threads, whose last subgroup is partial: subgroups have 32 threads; make the block size a multiple of that}}
    scf.forall (%i) in (8) {
    } {mapping = [#gpu.lane<linear_dim_0>]}
  } {mapping = [#gpu.warp<linear_dim_0>]}
  return
}

// -----

func.func @partial_warpgroup() attributes {gpu.known_block_size = array<i32: 192, 1, 1>} {
  scf.forall (%w) in (2) {
    // expected-error @below {{warp forall in a workgroup of 192 threads, whose last warpgroup is partial: warpgroups have 128 threads; make the block size a multiple of that}}
    scf.forall (%i) in (4) {
    } {mapping = [#gpu.warp<linear_dim_0>]}
  } {mapping = [#gpu.warpgroup<linear_dim_0>]}
  return
}

// -----

func.func @two_restrict(%x: memref<8xf32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %view = memref.subview %x[0] [8] [1] : memref<8xf32> to memref<8xf32, strided<[1]>>
  // expected-note @below {{the other access to this memref}}
  %a = bufferization.to_tensor %x restrict : memref<8xf32> to tensor<8xf32>
  // expected-error @below {{two 'restrict' tensors of one memref, which is written: they are not independent; use one 'bufferization.to_tensor' for both}}
  %b = bufferization.to_tensor %view restrict writable : memref<8xf32, strided<[1]>> to tensor<8xf32>
  return
}

// -----

// The last element of one is further away than can be counted.
func.func @restrict_beyond_numbers(%x: memref<?xf32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %wide = memref.subview %x[0] [1099511627776] [16777216] : memref<?xf32> to memref<1099511627776xf32, strided<[16777216]>>
  %view = memref.subview %x[16] [8] [1] : memref<?xf32> to memref<8xf32, strided<[1], offset: 16>>
  // expected-note @below {{the other access to this memref}}
  %a = bufferization.to_tensor %wide restrict : memref<1099511627776xf32, strided<[16777216]>> to tensor<1099511627776xf32>
  // expected-error @below {{two 'restrict' tensors of one memref, which is written}}
  %b = bufferization.to_tensor %view restrict writable : memref<8xf32, strided<[1], offset: 16>> to tensor<8xf32>
  return
}

// -----

func.func @read_and_overwritten(%x: memref<8xf32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  // expected-note @below {{the other access to this memref}}
  %a = bufferization.to_tensor %x restrict : memref<8xf32> to tensor<8xf32>
  %e = tensor.empty() : tensor<8xf32>
  %r = linalg.exp ins(%a : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  // expected-error @below {{memref is read through a 'restrict' tensor and overwritten by another one; make the tensor 'writable' and materialize an update of it}}
  bufferization.materialize_in_destination %r in restrict writable %x : (tensor<8xf32>, memref<8xf32>) -> ()
  return
}

// -----

func.func @overwritten_twice(%x: memref<8xf32>, %y: memref<8xf32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %a = bufferization.to_tensor %x restrict : memref<8xf32> to tensor<8xf32>
  // expected-note @below {{the other access to this memref}}
  bufferization.materialize_in_destination %a in restrict writable %y : (tensor<8xf32>, memref<8xf32>) -> ()
  // expected-error @below {{two tensors are materialized in one memref; insert both into one tensor and materialize that}}
  bufferization.materialize_in_destination %a in restrict writable %y : (tensor<8xf32>, memref<8xf32>) -> ()
  return
}

// -----

func.func @unknown_op(%x: memref<8xf32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %a = bufferization.to_tensor %x restrict : memref<8xf32> to tensor<8xf32>
  // expected-error @below {{unknown op on a tensor in a kernel: 'arith.addf' does not implement 'BufferizableOpInterface'; lower it to linalg, register a model for it, or one of 'StructuredOpInterface'}}
  %b = arith.addf %a, %a : tensor<8xf32>
  return
}

// -----

func.func private @callee(tensor<8xf32>)
func.func @call(%x: memref<8xf32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %a = bufferization.to_tensor %x restrict : memref<8xf32> to tensor<8xf32>
  // expected-error @below {{call on tensors in a kernel: the memory space of a tensor cannot be decided across a call; inline the callee}}
  func.call @callee(%a) : (tensor<8xf32>) -> ()
  return
}

// -----

func.func @same_everywhere(%x: memref<8xf32>, %out: memref<8xf32>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>, gpu.known_grid_size = array<i32: 4, 2, 1>} {
  %a = bufferization.to_tensor %x restrict : memref<8xf32> to tensor<8xf32>
  // expected-error @below {{every one of the 8 workgroups would write the same global memory; distribute the kernel with a block-mapped forall, place it by gpu.block_id, or launch one workgroup}}
  bufferization.materialize_in_destination %a in restrict writable %out : (tensor<8xf32>, memref<8xf32>) -> ()
  return
}

// -----

func.func @store_beside(%out: memref<8xf32>, %v: f32) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %c0 = arith.constant 0 : index
  scf.forall (%b) in (4) {
  } {mapping = [#gpu.block<x>]}
  // expected-error @below {{every workgroup would write the same global memory; move the write into the block-mapped forall, place it by gpu.block_id, or launch one workgroup}}
  memref.store %v, %out[%c0] : memref<8xf32>
  return
}

// -----

func.func @index_in_payload(%out: memref<4xindex>) attributes {gpu.known_block_size = array<i32: 4, 1, 1>} {
  %c0 = arith.constant 0 : index
  %e = tensor.empty() : tensor<4xindex>
  %r = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} outs(%e : tensor<4xindex>) {
  ^bb0(%o: index):
    %e1 = tensor.empty() : tensor<2xindex>
    %n = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} outs(%e1 : tensor<2xindex>) {
    ^bb0(%p: index):
      // expected-error @below {{'linalg.index' op is that of a structured op in the payload of another one; compute its tensor outside of the payload and extract the elements}}
      %i = linalg.index 0 : index
      linalg.yield %i : index
    } -> tensor<2xindex>
    %v = tensor.extract %n[%c0] : tensor<2xindex>
    linalg.yield %v : index
  } -> tensor<4xindex>
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<4xindex>, memref<4xindex>) -> ()
  return
}
