// A kernel of which one temporary has no size gets no workspace for the other.
// RUN: not memspace-opt %s -memspace-add-workspaces=chip=sm_90 -mlir-print-ir-after-failure 2>&1 | FileCheck %s

// CHECK: error: 'tensor.empty' op is a temporary of all workgroups of 'second'
// CHECK-LABEL: func.func @second
// CHECK-SAME: (%{{[^:]*}}: memref<?xf32>, %{{[^:]*}}: index, %{{[^:]*}}: memref<?xf32>)
// CHECK-NOT: memspace.workspace
func.func @second(%in: memref<?xf32>, %n: index, %out: memref<?xf32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %x = bufferization.to_tensor %in restrict : memref<?xf32> to tensor<?xf32>
  %o = bufferization.to_tensor %out restrict writable : memref<?xf32> to tensor<?xf32>
  %known = tensor.empty() : tensor<64xf32>
  %unknown = tensor.empty(%n) : tensor<?xf32>
  %a:2 = scf.forall (%b) in (64) shared_outs(%w = %known, %v = %unknown) -> (tensor<64xf32>, tensor<?xf32>) {
    %s = tensor.extract_slice %x[%b] [1] [1] : tensor<?xf32> to tensor<1xf32>
    %d = tensor.extract_slice %w[%b] [1] [1] : tensor<64xf32> to tensor<1xf32>
    %e = linalg.exp ins(%s : tensor<1xf32>) outs(%d : tensor<1xf32>) -> tensor<1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %e into %w[%b] [1] [1] : tensor<1xf32> into tensor<64xf32>
      tensor.parallel_insert_slice %e into %v[%b] [1] [1] : tensor<1xf32> into tensor<?xf32>
    }
  } {mapping = [#gpu.block<x>]}
  %r = scf.forall (%b) in (64) shared_outs(%w = %o) -> tensor<?xf32> {
    %s = tensor.extract_slice %a#0[%b] [1] [1] : tensor<64xf32> to tensor<1xf32>
    %t = tensor.extract_slice %a#1[%b] [1] [1] : tensor<?xf32> to tensor<1xf32>
    %d = tensor.extract_slice %w[%b] [1] [1] : tensor<?xf32> to tensor<1xf32>
    %e = linalg.add ins(%s, %t : tensor<1xf32>, tensor<1xf32>) outs(%d : tensor<1xf32>) -> tensor<1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %e into %w[%b] [1] [1] : tensor<1xf32> into tensor<?xf32>
    }
  } {mapping = [#gpu.block<x>]}
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<?xf32>, memref<?xf32>) -> ()
  return
}
