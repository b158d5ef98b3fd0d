// RUN: memspace-opt %s -memspace-map-to-threads=subgroup-size=32 -verify-diagnostics -split-input-file

func.func @tensors(%t: tensor<4xf32>) -> tensor<4xf32>
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  // expected-error @below {{'scf.forall' still has tensor results; bufferize the kernel before its foralls are mapped to threads}}
  %r = scf.forall (%i) in (4) shared_outs(%o = %t) -> (tensor<4xf32>) {
    %s = tensor.extract_slice %o[%i] [1] [1] : tensor<4xf32> to tensor<1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %s into %o[%i] [1] [1] : tensor<1xf32> into tensor<4xf32>
    }
  } {mapping = [#gpu.thread<x>]}
  return %r : tensor<4xf32>
}

// -----

func.func @no_mapping(%a: memref<4xf32>, %f: f32)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  // expected-error @below {{'scf.forall' has no mapping, so it is not known which threads run it; give it a gpu mapping or make it an 'scf.for'}}
  scf.forall (%i) in (4) {
    memref.store %f, %a[%i] : memref<4xf32>
  }
  return
}

// -----

func.func @mixed_mapping(%a: memref<4x4xf32>, %f: f32)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  // expected-error @below {{'scf.forall' has an invalid mapping; it needs one gpu mapping attribute of one kind for each dimension, none twice and without a mask}}
  scf.forall (%i, %j) in (4, 4) {
    memref.store %f, %a[%i, %j] : memref<4x4xf32>
  } {mapping = [#gpu.block<x>, #gpu.thread<x>]}
  return
}

// -----

func.func @thread_in_thread(%a: memref<4x4xf32>, %f: f32)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  // expected-note @below {{the forall around it}}
  scf.forall (%i) in (4) {
    // expected-error @below {{thread-mapped 'scf.forall' inside a thread-mapped one; the threads are already distributed; make it an 'scf.for' or, inside a warp-mapped 'scf.forall', map it to lanes}}
    scf.forall (%j) in (4) {
      memref.store %f, %a[%i, %j] : memref<4x4xf32>
    } {mapping = [#gpu.thread<x>]}
  } {mapping = [#gpu.thread<x>]}
  return
}

// -----

func.func @thread_in_warp(%a: memref<4x4xf32>, %f: f32)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  // expected-note @below {{the forall around it}}
  scf.forall (%i) in (4) {
    // expected-error @below {{thread-mapped 'scf.forall' inside a warp-mapped one}}
    scf.forall (%j) in (4) {
      memref.store %f, %a[%i, %j] : memref<4x4xf32>
    } {mapping = [#gpu.thread<x>]}
  } {mapping = [#gpu.warp<x>]}
  return
}

// -----

func.func @lane_in_lane(%a: memref<4x4xf32>, %f: f32)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  scf.forall (%w) in (2) {
    // expected-note @below {{the forall around it}}
    scf.forall (%i) in (4) {
      // expected-error @below {{lane-mapped 'scf.forall' inside a lane-mapped one}}
      scf.forall (%j) in (4) {
        memref.store %f, %a[%i, %j] : memref<4x4xf32>
      } {mapping = [#gpu.lane<linear_dim_0>]}
    } {mapping = [#gpu.lane<linear_dim_0>]}
  } {mapping = [#gpu.warp<x>]}
  return
}

// -----

func.func @lane_in_thread(%a: memref<4x4xf32>, %f: f32)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  // expected-note @below {{the forall around it}}
  scf.forall (%i) in (4) {
    // expected-error @below {{lane-mapped 'scf.forall' inside a thread-mapped one; lanes are the threads of one subgroup: put it directly inside a warp-mapped 'scf.forall' or map it to threads}}
    scf.forall (%j) in (4) {
      memref.store %f, %a[%i, %j] : memref<4x4xf32>
    } {mapping = [#gpu.lane<linear_dim_0>]}
  } {mapping = [#gpu.thread<x>]}
  return
}

// -----

func.func @warp_in_warp(%a: memref<2x2xf32>, %f: f32)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  // expected-note @below {{the forall around it}}
  scf.forall (%i) in (2) {
    // expected-error @below {{warp-mapped 'scf.forall' inside a warp-mapped one; the subgroups are already distributed; make it an 'scf.for'}}
    scf.forall (%j) in (2) {
      memref.store %f, %a[%i, %j] : memref<2x2xf32>
    } {mapping = [#gpu.warp<x>]}
  } {mapping = [#gpu.warp<x>]}
  return
}

// -----

func.func @warpgroup_in_warp(%a: memref<2x2xf32>, %f: f32)
    attributes {gpu.known_block_size = array<i32: 256, 1, 1>} {
  // expected-note @below {{the forall around it}}
  scf.forall (%i) in (2) {
    // expected-error @below {{warpgroup-mapped 'scf.forall' inside a warp-mapped one; the warpgroups are already distributed; make it an 'scf.for'}}
    scf.forall (%j) in (2) {
      memref.store %f, %a[%i, %j] : memref<2x2xf32>
    } {mapping = [#gpu.warpgroup<x>]}
  } {mapping = [#gpu.warp<x>]}
  return
}

// -----

func.func @block_in_block(%a: memref<2x2xf32>, %f: f32)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  // expected-note @below {{the forall around it}}
  scf.forall (%i) in (2) {
    // expected-error @below {{block-mapped 'scf.forall' inside a block-mapped one; the workgroups are already distributed; make it an 'scf.for'}}
    scf.forall (%j) in (2) {
      memref.store %f, %a[%i, %j] : memref<2x2xf32>
    } {mapping = [#gpu.block<y>]}
  } {mapping = [#gpu.block<x>]}
  return
}

// -----

func.func @warp_x_misfit(%a: memref<2xf32>, %f: f32)
    attributes {gpu.known_block_size = array<i32: 48, 2, 1>} {
  // expected-error @below {{warp-mapped 'scf.forall' over x, y, z needs a block whose x size is a multiple of 32, but it is 48; use a 'linear_dim' mapping or change the block size}}
  scf.forall (%i) in (2) {
    memref.store %f, %a[%i] : memref<2xf32>
  } {mapping = [#gpu.warp<x>]}
  return
}

// -----

func.func @lane_misfit(%a: memref<2x32xf32>, %f: f32)
    attributes {gpu.known_block_size = array<i32: 48, 1, 1>} {
  scf.forall (%i) in (2) {
    // expected-error @below {{lane-mapped 'scf.forall' in a workgroup of 48 threads, which are no whole number of subgroups of 32: the last subgroup lacks lanes; change the block size}}
    scf.forall (%l) in (32) {
      memref.store %f, %a[%i, %l] : memref<2x32xf32>
    } {mapping = [#gpu.lane<linear_dim_0>]}
  } {mapping = [#gpu.warp<x>]}
  return
}

// -----

func.func @warpgroup_misfit(%a: memref<2x4xf32>, %f: f32)
    attributes {gpu.known_block_size = array<i32: 192, 1, 1>} {
  scf.forall (%g) in (2) {
    // expected-error @below {{warp-mapped 'scf.forall' inside a warpgroup-mapped one in a workgroup of 192 threads, which are no whole number of warpgroups of 128: the last warpgroup lacks threads; change the block size}}
    scf.forall (%w) in (4) {
      memref.store %f, %a[%g, %w] : memref<2x4xf32>
    } {mapping = [#gpu.warp<linear_dim_0>]}
  } {mapping = [#gpu.warpgroup<linear_dim_0>]}
  return
}

// -----

func.func @warpgroup_xyz(%a: memref<2x4xf32>, %f: f32)
    attributes {gpu.known_block_size = array<i32: 128, 2, 1>} {
  scf.forall (%g) in (2) {
    // expected-error @below {{thread-mapped 'scf.forall' over x, y, z inside a warpgroup-mapped one in a workgroup of more than one dimension; use a 'linear_dim' mapping}}
    scf.forall (%w) in (4) {
      memref.store %f, %a[%g, %w] : memref<2x4xf32>
    } {mapping = [#gpu.thread<x>]}
  } {mapping = [#gpu.warpgroup<linear_dim_0>]}
  return
}

// -----

// expected-error @below {{the block-mapped foralls of kernel 'too_many' need 4294967296 workgroups in one dimension, more than a grid can have; use larger tiles, or give a grid ('gpu.known_grid_size') over which they wrap}}
func.func @too_many(%a: memref<?xf32>, %f: f32)
    attributes {gpu.known_block_size = array<i32: 1, 1, 1>} {
  scf.forall (%i) in (4294967296) {
    memref.store %f, %a[%i] : memref<?xf32>
  } {mapping = [#gpu.block<x>]}
  return
}
