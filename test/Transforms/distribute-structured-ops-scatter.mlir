// RUN: memspace-opt %s -split-input-file -memspace-distribute-structured-ops=chip=gfx942 | FileCheck %s

// A gather is a linalg op, whose threads are found later. Out of range is the nearest.
// CHECK-LABEL: func.func @gather
// CHECK: %[[T:.*]] = bufferization.to_tensor %{{.*}} : memref<50x8xf32>
// CHECK: %[[I:.*]] = bufferization.to_tensor %{{.*}} : memref<6x1xi32>
// CHECK-DAG: %[[C0:.*]] = arith.constant 0 : index
// CHECK-DAG: %[[LAST:.*]] = arith.constant 49 : index
// CHECK-DAG: %[[AT:.*]] = tensor.extract_slice %[[I]][0, 0] [6, 1] [1, 1] : tensor<6x1xi32> to tensor<6xi32>
// CHECK: linalg.generic
// CHECK-SAME: ins(%[[AT]] : tensor<6xi32>)
// CHECK: ^bb0(%[[INDEX:.*]]: i32, %{{.*}}: f32):
// CHECK: %[[P:.*]] = arith.index_cast %[[INDEX]] : i32 to index
// CHECK: %[[LOW:.*]] = arith.minsi %[[P]], %[[LAST]]
// CHECK: %[[IN:.*]] = arith.maxsi %[[LOW]], %[[C0]]
// CHECK: %[[COLUMN:.*]] = linalg.index 1
// CHECK: tensor.extract %[[T]][%[[IN]], %[[COLUMN]]]
// CHECK-NOT: memspace.gather
func.func @gather(%table: memref<50x8xf32>, %index: memref<6x1xi32>, %out: memref<6x8xf32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %t = bufferization.to_tensor %table restrict : memref<50x8xf32> to tensor<50x8xf32>
  %i = bufferization.to_tensor %index restrict : memref<6x1xi32> to tensor<6x1xi32>
  %e = tensor.empty() : tensor<6x8xf32>
  %r = memspace.gather gather_dims([0]) ins(%t, %i : tensor<50x8xf32>, tensor<6x1xi32>) outs(%e : tensor<6x8xf32>) -> tensor<6x8xf32>
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<6x8xf32>, memref<6x8xf32>) -> ()
  return
}

// -----

// Each thread takes elements of the rows, to the places of a column.
// CHECK-LABEL: func.func @rows
// CHECK: scf.forall (%[[N:.*]]) in (192) shared_outs(%[[O:.*]] = %{{.*}}) -> (tensor<50x8xf32>)
// CHECK: %[[AT:.*]]:2 = affine.delinearize_index %[[N]] into (24, 8)
// CHECK-DAG: %[[U:.*]] = tensor.extract_slice %{{.*}}[%[[AT]]#0, %[[AT]]#1] [1, 1] [1, 1] : tensor<24x8xf32>
// CHECK-DAG: %[[P:.*]] = tensor.extract_slice %{{.*}}[%[[AT]]#0, 0] [1, 1] [1, 1] : tensor<24x1xi32>
// CHECK-DAG: %[[C:.*]] = tensor.extract_slice %[[O]][0, %[[AT]]#1] [50, 1] [1, 1]
// CHECK: %[[S:.*]] = memspace.scatter scatter_dims([0]) unique_indices ins(%[[U]], %[[P]] : {{.*}}) outs(%[[C]] : tensor<50x1xf32>) -> tensor<50x1xf32>
// CHECK: tensor.parallel_insert_slice %[[S]] into %[[O]][0, %[[AT]]#1] [50, 1] [1, 1]
// CHECK: mapping = [#gpu.thread<linear_dim_0>]
// What may be repeated is atomic, but for the updates of one place.
// CHECK: memspace.scatter scatter_dims([0]) atomic
// CHECK: memspace.scatter scatter_dims([0]) ins(%{{.*}}, %{{.*}} : tensor<1x1xf32>
func.func @rows(%in: memref<24x8xf32>, %index: memref<24x1xi32>, %out: memref<50x8xf32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %u = bufferization.to_tensor %in restrict : memref<24x8xf32> to tensor<24x8xf32>
  %i = bufferization.to_tensor %index restrict : memref<24x1xi32> to tensor<24x1xi32>
  %o = bufferization.to_tensor %out restrict writable : memref<50x8xf32> to tensor<50x8xf32>
  %s = memspace.scatter scatter_dims([0]) unique_indices
      ins(%u, %i : tensor<24x8xf32>, tensor<24x1xi32>) outs(%o : tensor<50x8xf32>) -> tensor<50x8xf32>
  %t = memspace.scatter scatter_dims([0])
      ins(%u, %i : tensor<24x8xf32>, tensor<24x1xi32>) outs(%s : tensor<50x8xf32>) -> tensor<50x8xf32>
  %u1 = tensor.extract_slice %u[3, 0] [1, 8] [1, 1] : tensor<24x8xf32> to tensor<1x8xf32>
  %i1 = tensor.extract_slice %i[3, 0] [1, 1] [1, 1] : tensor<24x1xi32> to tensor<1x1xi32>
  %v = memspace.scatter scatter_dims([0])
      ins(%u1, %i1 : tensor<1x8xf32>, tensor<1x1xi32>) outs(%t : tensor<50x8xf32>) -> tensor<50x8xf32>
  bufferization.materialize_in_destination %v in restrict writable %out : (tensor<50x8xf32>, memref<50x8xf32>) -> ()
  return
}

// -----

// Updates that only the scatter needs are computed by who scatters them; not so those
// that are computed of what it updates.
// CHECK-LABEL: func.func @computed
// CHECK-NOT: linalg
// CHECK: scf.forall
// CHECK: %[[U:.*]] = linalg.exp
// CHECK: memspace.scatter {{.*}} ins(%[[U]],
// CHECK: in_parallel
// CHECK: linalg.exp
// CHECK: scf.forall
// CHECK-NOT: linalg.exp
// CHECK: return
func.func @computed(%in: memref<24xf32>, %index: memref<24x1xi32>, %out: memref<24xf32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %t = bufferization.to_tensor %in restrict : memref<24xf32> to tensor<24xf32>
  %i = bufferization.to_tensor %index restrict : memref<24x1xi32> to tensor<24x1xi32>
  %o = bufferization.to_tensor %out restrict writable : memref<24xf32> to tensor<24xf32>
  %e = tensor.empty() : tensor<24xf32>
  %u = linalg.exp ins(%t : tensor<24xf32>) outs(%e : tensor<24xf32>) -> tensor<24xf32>
  %s = memspace.scatter scatter_dims([0]) unique_indices
      ins(%u, %i : tensor<24xf32>, tensor<24x1xi32>) outs(%o : tensor<24xf32>) -> tensor<24xf32>
  %w = linalg.exp ins(%s : tensor<24xf32>) outs(%e : tensor<24xf32>) -> tensor<24xf32>
  %r = memspace.scatter scatter_dims([0]) unique_indices
      ins(%w, %i : tensor<24xf32>, tensor<24x1xi32>) outs(%s : tensor<24xf32>) -> tensor<24xf32>
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<24xf32>, memref<24xf32>) -> ()
  return
}

// -----

// Upstream's, with and without dimensions of one element.
// CHECK-LABEL: func.func @upstream
// CHECK: linalg.generic
// CHECK: tensor<6x4x5xf32>
// CHECK: tensor.expand_shape %{{.*}} {{\[}}[0], [1, 2], [3]] {{.*}} : tensor<6x4x5xf32> into tensor<6x4x1x5xf32>
// CHECK: linalg.generic
// CHECK: tensor.collapse_shape %{{.*}} {{\[}}[0], [1, 2], [3]] : tensor<6x4x1x5xf32> into tensor<6x4x5xf32>
// CHECK: memspace.scatter scatter_dims([1]) unique_indices in_bounds
// CHECK-NOT: tensor.scatter
func.func @upstream(%in: memref<4x8x5xf32>, %index: memref<6x1xindex>, %a: memref<6x4x1x5xf32>, %b: memref<6x4x5xf32>, %c: memref<4x8x5xf32>, %d: memref<6x4x1x5xf32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %t = bufferization.to_tensor %in restrict : memref<4x8x5xf32> to tensor<4x8x5xf32>
  %i = bufferization.to_tensor %index restrict : memref<6x1xindex> to tensor<6x1xindex>
  %o = bufferization.to_tensor %c restrict writable : memref<4x8x5xf32> to tensor<4x8x5xf32>
  %g = tensor.gather %t[%i] gather_dims([1]) : (tensor<4x8x5xf32>, tensor<6x1xindex>) -> tensor<6x4x1x5xf32>
  %h = tensor.gather %t[%i] gather_dims([1]) : (tensor<4x8x5xf32>, tensor<6x1xindex>) -> tensor<6x4x5xf32>
  %u = bufferization.to_tensor %d restrict : memref<6x4x1x5xf32> to tensor<6x4x1x5xf32>
  %s = tensor.scatter %u into %o[%i] scatter_dims([1]) unique : (tensor<6x4x1x5xf32>, tensor<4x8x5xf32>, tensor<6x1xindex>) -> tensor<4x8x5xf32>
  bufferization.materialize_in_destination %g in restrict writable %a : (tensor<6x4x1x5xf32>, memref<6x4x1x5xf32>) -> ()
  bufferization.materialize_in_destination %h in restrict writable %b : (tensor<6x4x5xf32>, memref<6x4x5xf32>) -> ()
  bufferization.materialize_in_destination %s in restrict writable %c : (tensor<4x8x5xf32>, memref<4x8x5xf32>) -> ()
  return
}
