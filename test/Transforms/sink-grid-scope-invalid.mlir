// RUN: memspace-opt %s -split-input-file -verify-diagnostics -memspace-normalize-kernels="subgroup-size=32"

// The blocks write one half: nobody would fill the other.
func.func @not_covered(%x: memref<64xf32>, %out: memref<64xf32>)
    attributes {gpu.known_block_size = array<i32: 16, 1, 1>} {
  %xt = bufferization.to_tensor %x restrict : memref<64xf32> to tensor<64xf32>
  %ot = bufferization.to_tensor %out restrict writable : memref<64xf32> to tensor<64xf32>
  %one = arith.constant 1.0 : f32
  // expected-error @below {{op at grid scope would be executed by every workgroup and overwrite what others have finished; the slices that the block forall writes are not known to cover the tensor that it initializes}}
  %f = linalg.fill ins(%one : f32) outs(%ot : tensor<64xf32>) -> tensor<64xf32>
  %r = scf.forall (%b) in (2) shared_outs(%o = %f) -> (tensor<64xf32>) {
    %off = affine.apply affine_map<(d0) -> (d0 * 16)>(%b)
    %d = tensor.extract_slice %o[%off] [16] [1] : tensor<64xf32> to tensor<16xf32>
    %xs = tensor.extract_slice %xt[%off] [16] [1] : tensor<64xf32> to tensor<16xf32>
    %u = linalg.add ins(%xs, %d : tensor<16xf32>, tensor<16xf32>) outs(%d : tensor<16xf32>) -> tensor<16xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %u into %o[%off] [16] [1] : tensor<16xf32> into tensor<64xf32>
    }
  } {mapping = [#gpu.block<x>]}
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<64xf32>, memref<64xf32>) -> ()
  return
}

// -----

// A reduction over all blocks.
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
  // expected-error @below {{op at grid scope would be executed by every workgroup and overwrite what others have finished; move it into the block-mapped forall, or to a kernel of its own}}
  %s = linalg.reduce ins(%r : tensor<64xf32>) outs(%ot : tensor<f32>) dimensions = [0]
    (%a: f32, %c: f32) {
      %q = arith.addf %a, %c : f32
      linalg.yield %q : f32
    }
  bufferization.materialize_in_destination %s in restrict writable %out : (tensor<f32>, memref<f32>) -> ()
  return
}

// -----

func.func @copy_beside(%x: memref<64xf32>, %out: memref<64xf32>)
    attributes {gpu.known_block_size = array<i32: 16, 1, 1>} {
  %xt = bufferization.to_tensor %x restrict : memref<64xf32> to tensor<64xf32>
  scf.forall (%b) in (4) {
  } {mapping = [#gpu.block<x>]}
  // expected-error @below {{op at grid scope would be executed by every workgroup and overwrite what others have finished; materialize a result of a block-mapped forall, or do it in a kernel of its own}}
  bufferization.materialize_in_destination %xt in restrict writable %out : (tensor<64xf32>, memref<64xf32>) -> ()
  return
}
