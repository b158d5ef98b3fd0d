// RUN: memspace-opt %s -split-input-file -verify-diagnostics -memspace-verify-distribution=chip=gfx942

// Who writes: the grid.

func.func @no_block_forall(%out: memref<64xf32>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>, gpu.known_grid_size = array<i32: 8, 1, 1>} {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<64xf32>) -> tensor<64xf32>
  // expected-error @below {{every one of the 8 workgroups executes this op and writes argument 0 (memref<64xf32>): no 'scf.forall' around it is mapped to blocks; let one with mapping = [#gpu.block<x>] give each workgroup a slice, place it by gpu.block_id, or launch one workgroup}}
  bufferization.materialize_in_destination %f in restrict writable %out : (tensor<64xf32>, memref<64xf32>) -> ()
  return
}

// -----

func.func @store_beside_blocks(%out: memref<1xf32>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %z = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  scf.forall (%b) in (8) {
  } {mapping = [#gpu.block<x>]}
  // expected-error @below {{every workgroup executes this op and writes argument 0 (memref<1xf32>): no 'scf.forall' around it is mapped to blocks; move it into the block-mapped one, place it by gpu.block_id, or launch one workgroup}}
  memref.store %z, %out[%c0] : memref<1xf32>
  return
}

// -----

// What cannot be sunk into the block forall.
func.func @reduction_after(%x: memref<64xf32>, %out: memref<f32>)
    attributes {gpu.known_block_size = array<i32: 16, 1, 1>} {
  %xt = bufferization.to_tensor %x restrict : memref<64xf32> to tensor<64xf32>
  %ot = bufferization.to_tensor %out restrict writable : memref<f32> to tensor<f32>
  %oe = tensor.empty() : tensor<64xf32>
  %r = scf.forall (%b) in (4) shared_outs(%o = %oe) -> (tensor<64xf32>) {
    %off = affine.apply affine_map<(d0) -> (d0 * 16)>(%b)
    %d = tensor.extract_slice %o[%off] [16] [1] : tensor<64xf32> to tensor<16xf32>
    %xs = tensor.extract_slice %xt[%off] [16] [1] : tensor<64xf32> to tensor<16xf32>
    %u = linalg.exp ins(%xs : tensor<16xf32>) outs(%d : tensor<16xf32>) -> tensor<16xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %u into %o[%off] [16] [1] : tensor<16xf32> into tensor<64xf32>
    }
  } {mapping = [#gpu.block<x>]}
  // expected-error @below {{op at grid scope would be executed by every workgroup and overwrite what others have finished; move it into the block-mapped forall, or to a kernel of its own; what it computes is for argument 1 (memref<f32>)}}
  %s = linalg.reduce ins(%r : tensor<64xf32>) outs(%ot : tensor<f32>) dimensions = [0]
    (%a: f32, %c: f32) {
      %q = arith.addf %a, %c : f32
      linalg.yield %q : f32
    }
  bufferization.materialize_in_destination %s in restrict writable %out : (tensor<f32>, memref<f32>) -> ()
  return
}

// -----

// Who writes: blocks. The second id places nothing.
func.func @blocks_overlap(%out: memref<64xf32>)
    attributes {gpu.known_block_size = array<i32: 16, 1, 1>} {
  %ot = bufferization.to_tensor %out restrict writable : memref<64xf32> to tensor<64xf32>
  %z = arith.constant 0.0 : f32
  // expected-note @below {{the forall}}
  %r = scf.forall (%i, %j) in (4, 2) shared_outs(%o = %ot) -> (tensor<64xf32>) {
    %off = affine.apply affine_map<(d0) -> (d0 * 16)>(%i)
    %d = tensor.extract_slice %o[%off] [16] [1] : tensor<64xf32> to tensor<16xf32>
    %u = linalg.fill ins(%z : f32) outs(%d : tensor<16xf32>) -> tensor<16xf32>
    scf.forall.in_parallel {
      // expected-error @below {{iterations (0, 0) and (0, 1) of a forall mapped to blocks both write element [0] of this tensor<64xf32> in argument 0 (memref<64xf32>), which only one block may write; let the place depend on every id of the forall, distribute what writes it by one more forall, or combine the values first}}
      tensor.parallel_insert_slice %u into %o[%off] [16] [1] : tensor<16xf32> into tensor<64xf32>
    }
  } {mapping = [#gpu.block<y>, #gpu.block<x>]}
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<64xf32>, memref<64xf32>) -> ()
  return
}

// -----

// Tiles of 16 in steps of 8: neighbours overlap.
func.func @materialized_tiles(%x: memref<64xf32>, %out: memref<64xf32>)
    attributes {gpu.known_block_size = array<i32: 16, 1, 1>} {
  %xt = bufferization.to_tensor %x restrict : memref<64xf32> to tensor<64xf32>
  // expected-note @below {{the forall}}
  scf.forall (%b) in (4) {
    %off = affine.apply affine_map<(d0) -> (d0 * 8)>(%b)
    %xs = tensor.extract_slice %xt[%off] [16] [1] : tensor<64xf32> to tensor<16xf32>
    %e = tensor.empty() : tensor<16xf32>
    %u = linalg.exp ins(%xs : tensor<16xf32>) outs(%e : tensor<16xf32>) -> tensor<16xf32>
    %v = memref.subview %out[%off] [16] [1] : memref<64xf32> to memref<16xf32, strided<[1], offset: ?>>
    // expected-error @below {{iterations (0) and (1) of a forall mapped to blocks both write element [8] of argument 1 (memref<64xf32>), which only one block may write}}
    bufferization.materialize_in_destination %u in restrict writable %v : (tensor<16xf32>, memref<16xf32, strided<[1], offset: ?>>) -> ()
  } {mapping = [#gpu.block<x>]}
  return
}

// -----

// Who writes: threads. A remainder that comes back.
func.func @threads_overlap(%out: memref<64xf32>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %ot = bufferization.to_tensor %out restrict writable : memref<64xf32> to tensor<64xf32>
  %z = arith.constant 0.0 : f32
  // expected-note @below {{the forall}}
  %r = scf.forall (%t) in (64) shared_outs(%o = %ot) -> (tensor<64xf32>) {
    %i = affine.apply affine_map<(d0) -> (d0 mod 8)>(%t)
    %e = tensor.empty() : tensor<1xf32>
    %u = linalg.fill ins(%z : f32) outs(%e : tensor<1xf32>) -> tensor<1xf32>
    scf.forall.in_parallel {
      // expected-error @below {{iterations (0) and (8) of a forall mapped to threads both write element [0] of this tensor<64xf32> in argument 0 (memref<64xf32>), which only one thread may write}}
      tensor.parallel_insert_slice %u into %o[%i] [1] [1] : tensor<1xf32> into tensor<64xf32>
    }
  } {mapping = [#gpu.thread<x>]}
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<64xf32>, memref<64xf32>) -> ()
  return
}

// -----

// Two insertions of one forall, each of them disjoint; a tensor that threads
// share.
func.func @neighbours(%out: memref<65xf32>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %z = arith.constant 0.0 : f32
  %shared = tensor.empty() : tensor<65xf32>
  // expected-note @below {{the forall}}
  %r = scf.forall (%t) in (64) shared_outs(%o = %shared) -> (tensor<65xf32>) {
    %i = affine.apply affine_map<(d0) -> (d0 + 1)>(%t)
    %e = tensor.empty() : tensor<1xf32>
    %u = linalg.fill ins(%z : f32) outs(%e : tensor<1xf32>) -> tensor<1xf32>
    scf.forall.in_parallel {
      // expected-error @below {{iterations (0) and (1) of a forall mapped to threads both write element [1] of this tensor<65xf32>, which only one thread may write}}
      tensor.parallel_insert_slice %u into %o[%t] [1] [1] : tensor<1xf32> into tensor<65xf32>
      // expected-note @below {{written by iteration (0) here}}
      tensor.parallel_insert_slice %u into %o[%i] [1] [1] : tensor<1xf32> into tensor<65xf32>
    }
  } {mapping = [#gpu.thread<x>]}
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<65xf32>, memref<65xf32>) -> ()
  return
}

// -----

// All lanes of a warp, in a loop, write the place of the warp.
func.func @lanes(%out: memref<4x2xf32>)
    attributes {gpu.known_block_size = array<i32: 256, 1, 1>} {
  %ot = bufferization.to_tensor %out restrict writable : memref<4x2xf32> to tensor<4x2xf32>
  %z = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %r = scf.forall (%w) in (4) shared_outs(%o = %ot) -> (tensor<4x2xf32>) {
    %row = tensor.extract_slice %o[%w, 0] [1, 2] [1, 1] : tensor<4x2xf32> to tensor<2xf32>
    %s = scf.for %k = %c0 to %c2 step %c1 iter_args(%acc = %row) -> (tensor<2xf32>) {
      // expected-note @below {{the forall}}
      %l = scf.forall (%lane) in (64) shared_outs(%p = %acc) -> (tensor<2xf32>) {
        %e = tensor.empty() : tensor<1xf32>
        %u = linalg.fill ins(%z : f32) outs(%e : tensor<1xf32>) -> tensor<1xf32>
        scf.forall.in_parallel {
          // expected-error @below {{iterations (0) and (1) of a forall mapped to lanes both write element [0] of this tensor<2xf32>, which only one lane may write}}
          tensor.parallel_insert_slice %u into %p[%k] [1] [1] : tensor<1xf32> into tensor<2xf32>
        }
      } {mapping = [#gpu.lane<linear_dim_0>]}
      scf.yield %l : tensor<2xf32>
    }
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %s into %o[%w, 0] [1, 2] [1, 1] : tensor<2xf32> into tensor<4x2xf32>
    }
  } {mapping = [#gpu.warp<linear_dim_0>]}
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<4x2xf32>, memref<4x2xf32>) -> ()
  return
}

// -----

// Who writes: nobody in particular.
func.func @warpgroup(%out: memref<64xf32>)
    attributes {gpu.known_block_size = array<i32: 256, 1, 1>} {
  %ot = bufferization.to_tensor %out restrict writable : memref<64xf32> to tensor<64xf32>
  %z = arith.constant 0.0 : f32
  %r = scf.forall (%g) in (1) shared_outs(%o = %ot) -> (tensor<64xf32>) {
    %d = tensor.extract_slice %o[0] [64] [1] : tensor<64xf32> to tensor<64xf32>
    // expected-error @below {{is executed by all threads of a warpgroup and writes memory that they share; distribute it over threads, by a forall that is mapped to warps and one in it that is mapped to lanes}}
    %f = linalg.fill ins(%z : f32) outs(%d : tensor<64xf32>) -> tensor<64xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %f into %o[0] [64] [1] : tensor<64xf32> into tensor<64xf32>
    }
  } {mapping = [#gpu.warpgroup<linear_dim_0>]}
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<64xf32>, memref<64xf32>) -> ()
  return
}

// -----

// What is copied: an update of memory that is read-only.
func.func @read_only(%x: memref<64xf32>, %out: memref<64xf32>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  // expected-note @below {{the tensor is from here}}
  %xt = bufferization.to_tensor %x restrict : memref<64xf32> to tensor<64xf32>
  %ot = bufferization.to_tensor %out restrict writable : memref<64xf32> to tensor<64xf32>
  // expected-error @below {{'scf.forall' gets a copy in private memory of all of argument 0 (memref<64xf32>), 256 bytes: 'scf.forall' would overwrite memory that is read-only; let it write a tensor of its own, or make the 'bufferization.to_tensor' 'writable', or make the copy explicit (linalg.copy)}}
  %r = scf.forall (%t) in (32) shared_outs(%o = %xt) -> (tensor<64xf32>) {
    %d = tensor.extract_slice %o[%t] [1] [1] : tensor<64xf32> to tensor<1xf32>
    %u = linalg.exp ins(%d : tensor<1xf32>) outs(%d : tensor<1xf32>) -> tensor<1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %u into %o[%t] [1] [1] : tensor<1xf32> into tensor<64xf32>
    }
  } {mapping = [#gpu.thread<x>]}
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<64xf32>, memref<64xf32>) -> ()
  return
}

// -----

// What is copied: the value from before the forall is read after it.
func.func @read_after(%x: memref<64xf32>, %out: memref<64xf32>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  // expected-note @below {{the tensor is from here}}
  %xt = bufferization.to_tensor %x restrict writable : memref<64xf32> to tensor<64xf32>
  %ot = bufferization.to_tensor %out restrict writable : memref<64xf32> to tensor<64xf32>
  // expected-error @below {{'scf.forall' gets a copy in private memory of all of argument 0 (memref<64xf32>), 256 bytes: 'scf.forall' would overwrite what 'linalg.add' reads; let that read it before, or read the result, or make the copy explicit (linalg.copy)}}
  %r = scf.forall (%t) in (64) shared_outs(%o = %xt) -> (tensor<64xf32>) {
    %d = tensor.extract_slice %o[%t] [1] [1] : tensor<64xf32> to tensor<1xf32>
    %u = linalg.exp ins(%d : tensor<1xf32>) outs(%d : tensor<1xf32>) -> tensor<1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %u into %o[%t] [1] [1] : tensor<1xf32> into tensor<64xf32>
    }
  } {mapping = [#gpu.thread<x>]}
  // expected-note @below {{the old value is read here}}
  %s = linalg.add ins(%r, %xt : tensor<64xf32>, tensor<64xf32>) outs(%ot : tensor<64xf32>) -> tensor<64xf32>
  bufferization.materialize_in_destination %s in restrict writable %out : (tensor<64xf32>, memref<64xf32>) -> ()
  bufferization.materialize_in_destination %r in restrict writable %x : (tensor<64xf32>, memref<64xf32>) -> ()
  return
}
