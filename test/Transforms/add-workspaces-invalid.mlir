// RUN: memspace-opt %s -split-input-file -verify-diagnostics -memspace-kernel-pipeline='chip=sm_90 workspaces=true'

// What another workgroup wrote, and no host that could launch two kernels: no workspace helps.
#tile = affine_map<(d0) -> (d0 * 64)>
#other = affine_map<(d0) -> (d0 * -64 + 192)>
gpu.module @device {
  func.func @reversed(%in: memref<256xf32>, %out: memref<256xf32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    %x = bufferization.to_tensor %in restrict : memref<256xf32> to tensor<256xf32>
    %o = bufferization.to_tensor %out restrict writable : memref<256xf32> to tensor<256xf32>
    %t = tensor.empty() : tensor<256xf32>
    %a = scf.forall (%b) in (4) shared_outs(%w = %t) -> tensor<256xf32> {
      %off = affine.apply #tile(%b)
      %s = tensor.extract_slice %x[%off] [64] [1] : tensor<256xf32> to tensor<64xf32>
      %d = tensor.extract_slice %w[%off] [64] [1] : tensor<256xf32> to tensor<64xf32>
      // expected-note@+1 {{written here}}
      %e = linalg.exp ins(%s : tensor<64xf32>) outs(%d : tensor<64xf32>) -> tensor<64xf32>
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %e into %w[%off] [64] [1] : tensor<64xf32> into tensor<256xf32>
      }
    } {mapping = [#gpu.block<x>]}
    %r = scf.forall (%b) in (4) shared_outs(%w = %o) -> tensor<256xf32> {
      %off = affine.apply #tile(%b)
      %from = affine.apply #other(%b)
      %s = tensor.extract_slice %a[%from] [64] [1] : tensor<256xf32> to tensor<64xf32>
      %d = tensor.extract_slice %w[%off] [64] [1] : tensor<256xf32> to tensor<64xf32>
      // expected-error@+1 {{reads elements of a 'tensor<256xf32>' that another workgroup may write in an earlier block forall of this kernel; workgroups cannot wait for each other: split the kernel between the two foralls (memspace-split-kernels)}}
      %e = linalg.add ins(%s, %s : tensor<64xf32>, tensor<64xf32>) outs(%d : tensor<64xf32>) -> tensor<64xf32>
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %e into %w[%off] [64] [1] : tensor<64xf32> into tensor<256xf32>
      }
    } {mapping = [#gpu.block<x>]}
    bufferization.materialize_in_destination %r in restrict writable %out : (tensor<256xf32>, memref<256xf32>) -> ()
    return
  }
}

// -----

func.func @unknown(%in: memref<?xf32>, %n: index, %out: memref<?xf32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %x = bufferization.to_tensor %in restrict : memref<?xf32> to tensor<?xf32>
  %o = bufferization.to_tensor %out restrict writable : memref<?xf32> to tensor<?xf32>
  // expected-error@+1 {{is a temporary of all workgroups of 'unknown', for which the host is to provide memory, but its size in bytes is not known; give it constant extents, or the kernel an output for it}}
  %t = tensor.empty(%n) : tensor<?xf32>
  %a = scf.forall (%b) in (%n) shared_outs(%w = %t) -> tensor<?xf32> {
    %s = tensor.extract_slice %x[%b] [1] [1] : tensor<?xf32> to tensor<1xf32>
    %d = tensor.extract_slice %w[%b] [1] [1] : tensor<?xf32> to tensor<1xf32>
    %e = linalg.exp ins(%s : tensor<1xf32>) outs(%d : tensor<1xf32>) -> tensor<1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %e into %w[%b] [1] [1] : tensor<1xf32> into tensor<?xf32>
    }
  } {mapping = [#gpu.block<x>]}
  %r = scf.forall (%b) in (%n) shared_outs(%w = %o) -> tensor<?xf32> {
    %s = tensor.extract_slice %a[%b] [1] [1] : tensor<?xf32> to tensor<1xf32>
    %d = tensor.extract_slice %w[%b] [1] [1] : tensor<?xf32> to tensor<1xf32>
    %e = linalg.add ins(%s, %s : tensor<1xf32>, tensor<1xf32>) outs(%d : tensor<1xf32>) -> tensor<1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %e into %w[%b] [1] [1] : tensor<1xf32> into tensor<?xf32>
    }
  } {mapping = [#gpu.block<x>]}
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<?xf32>, memref<?xf32>) -> ()
  return
}

// -----

// expected-error@+1 {{attribute 'memspace.workspace' must be an i64, a number of bytes; got -4 : i64}}
func.func @bytes(%in: memref<256xf32> {memspace.workspace = -4 : i64}) {
  return
}
