// RUN: memspace-opt %s -split-input-file -memspace-normalize-kernels=chip=gfx942 | FileCheck %s

// A swap of two loop-carried tiles: an exchange, which One-Shot takes in place.

#id = affine_map<(d0) -> (d0)>
// CHECK-LABEL: func @swap
func.func @swap(%x: memref<64xf32>, %out: memref<64xf32>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %xt = bufferization.to_tensor %x restrict : memref<64xf32> to tensor<64xf32>
  %ot = bufferization.to_tensor %out restrict writable : memref<64xf32> to tensor<64xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c7 = arith.constant 7 : index
  %a = tensor.empty() : tensor<64xf32>
  %b = tensor.empty() : tensor<64xf32>
  %a0 = linalg.copy ins(%xt : tensor<64xf32>) outs(%a : tensor<64xf32>) -> tensor<64xf32>
  // CHECK: scf.for {{.*}} iter_args(%[[CUR:.*]] = %{{.*}}, %[[NXT:.*]] = %{{.*}})
  // CHECK:   %[[NEW:.*]] = linalg.exp ins(%[[CUR]] : {{.*}}) outs(%[[NXT]] :
  // CHECK:   %[[E:.*]]:2 = memspace.exchange %[[CUR]], %[[NEW]] [1, 0]
  // CHECK:   scf.yield %[[E]]#0, %[[E]]#1
  %f:2 = scf.for %k = %c0 to %c7 step %c1 iter_args(%cur = %a0, %nxt = %b) -> (tensor<64xf32>, tensor<64xf32>) {
    %new = linalg.exp ins(%cur : tensor<64xf32>) outs(%nxt : tensor<64xf32>) -> tensor<64xf32>
    scf.yield %new, %cur : tensor<64xf32>, tensor<64xf32>
  }
  %r = linalg.copy ins(%f#0 : tensor<64xf32>) outs(%ot : tensor<64xf32>) -> tensor<64xf32>
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<64xf32>, memref<64xf32>) -> ()
  return
}

// -----

// Three buffers in a cycle: result i has the value of operand permutation[i].

// CHECK-LABEL: func @cycle
func.func @cycle(%x: memref<8xf32>, %out: memref<8xf32>)
    attributes {gpu.known_block_size = array<i32: 8, 1, 1>} {
  %xt = bufferization.to_tensor %x restrict : memref<8xf32> to tensor<8xf32>
  %ot = bufferization.to_tensor %out restrict writable : memref<8xf32> to tensor<8xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c7 = arith.constant 7 : index
  %a = tensor.empty() : tensor<8xf32>
  %b = tensor.empty() : tensor<8xf32>
  %c = tensor.empty() : tensor<8xf32>
  %a0 = linalg.copy ins(%xt : tensor<8xf32>) outs(%a : tensor<8xf32>) -> tensor<8xf32>
  %b0 = linalg.exp ins(%xt : tensor<8xf32>) outs(%b : tensor<8xf32>) -> tensor<8xf32>
  // CHECK: scf.for {{.*}} iter_args(%[[A:.*]] = %{{.*}}, %[[B:.*]] = %{{.*}}, %[[C:.*]] = %{{.*}})
  // CHECK:   %[[NEW:.*]] = linalg.add {{.*}} outs(%[[C]] :
  // CHECK:   %[[E:.*]]:3 = memspace.exchange %[[A]], %[[B]], %[[NEW]] [1, 2, 0]
  // CHECK:   scf.yield %[[E]]#0, %[[E]]#1, %[[E]]#2
  %f:3 = scf.for %k = %c0 to %c7 step %c1 iter_args(%u = %a0, %v = %b0, %w = %c) -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) {
    %new = linalg.add ins(%u, %v : tensor<8xf32>, tensor<8xf32>) outs(%w : tensor<8xf32>) -> tensor<8xf32>
    scf.yield %v, %new, %u : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>
  }
  %r = linalg.copy ins(%f#1 : tensor<8xf32>) outs(%ot : tensor<8xf32>) -> tensor<8xf32>
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<8xf32>, memref<8xf32>) -> ()
  return
}

// -----

// A tile that is allocated anew in each iteration and escapes by the yield:
// hoisted into one buffer, current and next would be the same.

// CHECK-LABEL: func @escaping
func.func @escaping(%x: memref<8xf32>, %out: memref<8xf32>)
    attributes {gpu.known_block_size = array<i32: 8, 1, 1>} {
  %xt = bufferization.to_tensor %x restrict : memref<8xf32> to tensor<8xf32>
  %ot = bufferization.to_tensor %out restrict writable : memref<8xf32> to tensor<8xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c7 = arith.constant 7 : index
  %a = tensor.empty() : tensor<8xf32>
  %a0 = linalg.copy ins(%xt : tensor<8xf32>) outs(%a : tensor<8xf32>) -> tensor<8xf32>
  // CHECK: linalg.copy
  // CHECK: %[[SECOND:.*]] = bufferization.alloc_tensor() : tensor<8xf32>
  // CHECK: scf.for {{.*}} iter_args(%[[CUR:.*]] = %{{.*}}, %[[NXT:.*]] = %[[SECOND]])
  // CHECK-NOT: bufferization.alloc_tensor
  // CHECK:   %[[NEW:.*]] = linalg.generic {{.*}} ins(%[[CUR]] : {{.*}}) outs(%[[NXT]] :
  // CHECK:   memspace.exchange %[[CUR]], %[[NEW]] [1, 0]
  %f = scf.for %k = %c0 to %c7 step %c1 iter_args(%cur = %a0) -> (tensor<8xf32>) {
    %e = tensor.empty() : tensor<8xf32>
    %new = linalg.generic {indexing_maps = [affine_map<(d0) -> (7 - d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
        ins(%cur : tensor<8xf32>) outs(%e : tensor<8xf32>) {
    ^bb0(%v: f32, %o: f32):
      linalg.yield %v : f32
    } -> tensor<8xf32>
    scf.yield %new : tensor<8xf32>
  }
  %r = linalg.copy ins(%f : tensor<8xf32>) outs(%ot : tensor<8xf32>) -> tensor<8xf32>
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<8xf32>, memref<8xf32>) -> ()
  return
}

// -----

// Where each element is read for itself only, or nobody reads the tile any more,
// it is updated.

// CHECK-LABEL: func @updated
func.func @updated(%x: memref<8xf32>, %out: memref<8xf32>)
    attributes {gpu.known_block_size = array<i32: 8, 1, 1>} {
  %xt = bufferization.to_tensor %x restrict : memref<8xf32> to tensor<8xf32>
  %ot = bufferization.to_tensor %out restrict writable : memref<8xf32> to tensor<8xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c7 = arith.constant 7 : index
  %a = tensor.empty() : tensor<8xf32>
  %a0 = linalg.copy ins(%xt : tensor<8xf32>) outs(%a : tensor<8xf32>) -> tensor<8xf32>
  // CHECK: scf.for {{.*}} iter_args(%[[CUR:.*]] = %{{[^,]*}}) -> (tensor<8xf32>) {
  // CHECK:   %[[EXP:.*]] = linalg.exp ins(%[[CUR]] : {{.*}}) outs(%[[CUR]] :
  // CHECK:   scf.yield %[[EXP]] :
  %f = scf.for %k = %c0 to %c7 step %c1 iter_args(%cur = %a0) -> (tensor<8xf32>) {
    %e = tensor.empty() : tensor<8xf32>
    %new = linalg.exp ins(%cur : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
    scf.yield %new : tensor<8xf32>
  }
  // CHECK: scf.for {{.*}} iter_args(%[[CUR:.*]] = %{{[^,]*}}) -> (tensor<8xf32>) {
  // CHECK:   %[[THERE:.*]] = linalg.generic {{.*}} ins(%[[CUR]] : {{.*}}) outs(%{{.*}} :
  // CHECK:   %[[BACK:.*]] = linalg.generic {{.*}} ins(%[[THERE]] : {{.*}}) outs(%[[CUR]] :
  // CHECK:   scf.yield %[[BACK]] :
  // CHECK-NOT: memspace.exchange
  %g = scf.for %k = %c0 to %c7 step %c1 iter_args(%cur = %f) -> (tensor<8xf32>) {
    %e1 = tensor.empty() : tensor<8xf32>
    %there = linalg.generic {indexing_maps = [affine_map<(d0) -> (7 - d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
        ins(%cur : tensor<8xf32>) outs(%e1 : tensor<8xf32>) {
    ^bb0(%v: f32, %o: f32):
      linalg.yield %v : f32
    } -> tensor<8xf32>
    %e2 = tensor.empty() : tensor<8xf32>
    %back = linalg.generic {indexing_maps = [affine_map<(d0) -> (7 - d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
        ins(%there : tensor<8xf32>) outs(%e2 : tensor<8xf32>) {
    ^bb0(%v: f32, %o: f32):
      linalg.yield %v : f32
    } -> tensor<8xf32>
    scf.yield %back : tensor<8xf32>
  }
  %r = linalg.copy ins(%g : tensor<8xf32>) outs(%ot : tensor<8xf32>) -> tensor<8xf32>
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<8xf32>, memref<8xf32>) -> ()
  return
}

// -----

// An iteration that reads its neighbour's slice of the shared output sees the
// value from before the forall: the read is moved to it. A read of the own
// slice stays, at offsets from data, too.

// CHECK-LABEL: func @others_slices
func.func @others_slices(%idx: memref<64xindex>, %out: memref<64xf32>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %it = bufferization.to_tensor %idx restrict : memref<64xindex> to tensor<64xindex>
  // CHECK: %[[OT:.*]] = bufferization.to_tensor %{{.*}} restrict writable
  %ot = bufferization.to_tensor %out restrict writable : memref<64xf32> to tensor<64xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  // CHECK: %[[R:.*]] = scf.forall (%{{.*}}) in (64) shared_outs(%[[O:.*]] = %[[OT]])
  // CHECK:   tensor.extract %[[OT]][
  %r = scf.forall (%i) in (64) shared_outs(%o = %ot) -> (tensor<64xf32>) {
    %i1 = arith.addi %i, %c1 : index
    %j = arith.remui %i1, %c64 : index
    %v = tensor.extract %o[%j] : tensor<64xf32>
    %d = tensor.extract_slice %o[%i] [1] [1] : tensor<64xf32> to tensor<1xf32>
    %s = tensor.insert %v into %d[%c0] : tensor<1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %s into %o[%i] [1] [1] : tensor<1xf32> into tensor<64xf32>
    }
  } {mapping = [#gpu.thread<x>]}
  // CHECK: scf.forall (%{{.*}}) in (64) shared_outs(%[[O2:.*]] = %[[R]])
  // CHECK:   tensor.extract %[[O2]][
  %r2 = scf.forall (%i) in (64) shared_outs(%o = %r) -> (tensor<64xf32>) {
    %p = tensor.extract %it[%i] : tensor<64xindex>
    %v = tensor.extract %o[%p] : tensor<64xf32>
    %w = arith.addf %v, %v : f32
    %d = tensor.extract_slice %o[%p] [1] [1] : tensor<64xf32> to tensor<1xf32>
    %s = tensor.insert %w into %d[%c0] : tensor<1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %s into %o[%p] [1] [1] : tensor<1xf32> into tensor<64xf32>
    }
  } {mapping = [#gpu.thread<x>]}
  bufferization.materialize_in_destination %r2 in restrict writable %out : (tensor<64xf32>, memref<64xf32>) -> ()
  return
}

// -----

// A final result is written straight into its destination; an accumulator that
// a loop reads and writes again and again is not.

// CHECK-LABEL: func @destinations
func.func @destinations(%x: memref<8xf32>, %out: memref<8xf32>, %out2: memref<8xf32>)
    attributes {gpu.known_block_size = array<i32: 8, 1, 1>} {
  %xt = bufferization.to_tensor %x restrict : memref<8xf32> to tensor<8xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c7 = arith.constant 7 : index
  %e = tensor.empty() : tensor<8xf32>
  // CHECK: %[[D:.*]] = bufferization.to_tensor %{{.*}} restrict writable
  // CHECK: linalg.exp {{.*}} outs(%[[D]] :
  %r = linalg.exp ins(%xt : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  // CHECK: %[[ACC:.*]] = {{tensor.empty|bufferization.alloc_tensor}}()
  %e2 = tensor.empty() : tensor<8xf32>
  // CHECK: %[[A0:.*]] = linalg.copy {{.*}} outs(%[[ACC]] :
  %a0 = linalg.copy ins(%xt : tensor<8xf32>) outs(%e2 : tensor<8xf32>) -> tensor<8xf32>
  %a = scf.for %k = %c0 to %c7 step %c1 iter_args(%acc = %a0) -> (tensor<8xf32>) {
    %n = linalg.add ins(%acc, %xt : tensor<8xf32>, tensor<8xf32>) outs(%acc : tensor<8xf32>) -> tensor<8xf32>
    scf.yield %n : tensor<8xf32>
  }
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<8xf32>, memref<8xf32>) -> ()
  bufferization.materialize_in_destination %a in restrict writable %out2 : (tensor<8xf32>, memref<8xf32>) -> ()
  return
}

// -----

// S11: an op that does not read its init, and does not cover it either: One-Shot
// takes it for wholly overwritten, so the copy is made explicit.

// CHECK-LABEL: func @partly_overwritten
func.func @partly_overwritten(%x: memref<4xf32>, %out: memref<8xf32>)
    attributes {gpu.known_block_size = array<i32: 8, 1, 1>} {
  %xt = bufferization.to_tensor %x restrict : memref<4xf32> to tensor<4xf32>
  // CHECK: %[[OT:.*]] = bufferization.to_tensor %{{.*}} restrict writable
  %ot = bufferization.to_tensor %out restrict writable : memref<8xf32> to tensor<8xf32>
  // CHECK: %[[COPY:.*]] = linalg.copy ins(%[[OT]] :
  // CHECK: linalg.generic {{.*}} outs(%[[COPY]] :
  %r = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0 * 2)>], iterator_types = ["parallel"]}
      ins(%xt : tensor<4xf32>) outs(%ot : tensor<8xf32>) {
  ^bb0(%a: f32, %b: f32):
    linalg.yield %a : f32
  } -> tensor<8xf32>
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<8xf32>, memref<8xf32>) -> ()
  return
}

// -----

// A recurrence over two old values, element by element: what is new goes where
// the older one was. Two buffers in turn, no copy.

// CHECK-LABEL: func @recurrence
func.func @recurrence(%x: memref<8xf32>, %out: memref<8xf32>)
    attributes {gpu.known_block_size = array<i32: 8, 1, 1>} {
  %xt = bufferization.to_tensor %x restrict : memref<8xf32> to tensor<8xf32>
  %ot = bufferization.to_tensor %out restrict writable : memref<8xf32> to tensor<8xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c7 = arith.constant 7 : index
  %a = tensor.empty() : tensor<8xf32>
  %b = tensor.empty() : tensor<8xf32>
  %a0 = linalg.copy ins(%xt : tensor<8xf32>) outs(%a : tensor<8xf32>) -> tensor<8xf32>
  %b0 = linalg.exp ins(%xt : tensor<8xf32>) outs(%b : tensor<8xf32>) -> tensor<8xf32>
  // CHECK: scf.for {{.*}} iter_args(%[[A:.*]] = %{{.*}}, %[[B:.*]] = %{{.*}})
  // CHECK:   %[[NEW:.*]] = linalg.add {{.*}} outs(%[[B]] :
  // CHECK:   %[[E:.*]]:2 = memspace.exchange %[[A]], %[[NEW]] [1, 0]
  // CHECK:   scf.yield %[[E]]#0, %[[E]]#1
  // CHECK-NOT: materialize_in_destination {{.*}} -> tensor
  %f:2 = scf.for %k = %c0 to %c7 step %c1 iter_args(%u = %a0, %v = %b0) -> (tensor<8xf32>, tensor<8xf32>) {
    %e = tensor.empty() : tensor<8xf32>
    %new = linalg.add ins(%u, %v : tensor<8xf32>, tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
    scf.yield %new, %u : tensor<8xf32>, tensor<8xf32>
  }
  %r = linalg.copy ins(%f#1 : tensor<8xf32>) outs(%ot : tensor<8xf32>) -> tensor<8xf32>
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<8xf32>, memref<8xf32>) -> ()
  return
}

// -----

// The same of elements that others have read: three buffers in turn.

// CHECK-LABEL: func @mirrored_recurrence
func.func @mirrored_recurrence(%x: memref<8xf32>, %out: memref<8xf32>)
    attributes {gpu.known_block_size = array<i32: 8, 1, 1>} {
  %xt = bufferization.to_tensor %x restrict : memref<8xf32> to tensor<8xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c7 = arith.constant 7 : index
  %a = tensor.empty() : tensor<8xf32>
  %b = tensor.empty() : tensor<8xf32>
  %a0 = linalg.copy ins(%xt : tensor<8xf32>) outs(%a : tensor<8xf32>) -> tensor<8xf32>
  %b0 = linalg.exp ins(%xt : tensor<8xf32>) outs(%b : tensor<8xf32>) -> tensor<8xf32>
  // CHECK: scf.for {{.*}} iter_args(%[[A:.*]] = %{{.*}}, %[[B:.*]] = %{{.*}}, %[[C:.*]] = %{{.*}})
  // CHECK:   %[[NEW:.*]] = linalg.generic {{.*}} outs(%[[C]] :
  // CHECK:   %[[E:.*]]:3 = memspace.exchange %[[A]], %[[NEW]], %[[B]] [1, 2, 0]
  // CHECK:   scf.yield %[[E]]#0, %[[E]]#2, %[[E]]#1
  // CHECK-NOT: materialize_in_destination {{.*}} -> tensor
  %f:2 = scf.for %k = %c0 to %c7 step %c1 iter_args(%u = %a0, %v = %b0) -> (tensor<8xf32>, tensor<8xf32>) {
    %e = tensor.empty() : tensor<8xf32>
    %new = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (7 - d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
        ins(%u, %v : tensor<8xf32>, tensor<8xf32>) outs(%e : tensor<8xf32>) {
    ^bb0(%p: f32, %q: f32, %o: f32):
      %s = arith.addf %p, %q : f32
      linalg.yield %s : f32
    } -> tensor<8xf32>
    scf.yield %new, %u : tensor<8xf32>, tensor<8xf32>
  }
  bufferization.materialize_in_destination %f#1 in restrict writable %out : (tensor<8xf32>, memref<8xf32>) -> ()
  return
}

// -----

// A tensor of one value is a fill.
// CHECK-LABEL: func @splat
// CHECK: %[[D:.*]] = bufferization.to_tensor %arg2
// CHECK: linalg.fill ins(%arg1 : f32) outs(%[[D]] : tensor<?xf32>)
// CHECK-NOT: tensor.splat
func.func @splat(%n: index, %v: f32, %out: memref<?xf32>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %s = tensor.splat %v[%n] : tensor<?xf32>
  bufferization.materialize_in_destination %s in restrict writable %out : (tensor<?xf32>, memref<?xf32>) -> ()
  return
}

// -----

// A loop fills a thread's part of what all share, which is nothing before: it is filled
// where it is. A part that is put elsewhere has a tensor of its own.
// CHECK-LABEL: func @filled_part
// CHECK: scf.forall {{.*}} shared_outs(%[[O:.*]] = %{{.*}})
// CHECK:   %[[PART:.*]] = tensor.extract_slice %[[O]]
// CHECK:   scf.for {{.*}} iter_args(%{{.*}} = %[[PART]])
// CHECK: scf.forall {{.*}} shared_outs(%[[P:.*]] = %{{.*}}, %[[Q:.*]] = %{{.*}})
// CHECK-NOT: tensor.extract_slice %[[P]]
// CHECK:   scf.for
// CHECK: scf.forall.in_parallel
func.func @filled_part(%in: memref<64xf32>, %out: memref<64xf32>, %x: memref<64xf32>, %y: memref<64xf32>)
    attributes {gpu.known_block_size = array<i32: 16, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %t = bufferization.to_tensor %in restrict : memref<64xf32> to tensor<64xf32>
  %e = tensor.empty() : tensor<64xf32>
  %r = scf.forall (%i) in (16) shared_outs(%o = %e) -> (tensor<64xf32>) {
    %at = affine.apply affine_map<(d0) -> (d0 * 4)>(%i)
    %part = tensor.extract_slice %o[%at] [4] [1] : tensor<64xf32> to tensor<4xf32>
    %filled = scf.for %k = %c0 to %c4 step %c1 iter_args(%p = %part) -> (tensor<4xf32>) {
      %from = affine.apply affine_map<(d0, d1) -> (63 - d0 * 4 - d1)>(%i, %k)
      %v = tensor.extract %t[%from] : tensor<64xf32>
      %s = tensor.insert %v into %p[%k] : tensor<4xf32>
      scf.yield %s : tensor<4xf32>
    }
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %filled into %o[%at] [4] [1] : tensor<4xf32> into tensor<64xf32>
    }
  } {mapping = [#gpu.thread<linear_dim_0>]}
  %u = tensor.empty() : tensor<64xf32>
  %w = tensor.empty() : tensor<64xf32>
  %f:2 = scf.forall (%i) in (16) shared_outs(%o = %u, %q = %w) -> (tensor<64xf32>, tensor<64xf32>) {
    %at = affine.apply affine_map<(d0) -> (d0 * 4)>(%i)
    %part = tensor.extract_slice %o[%at] [4] [1] : tensor<64xf32> to tensor<4xf32>
    %filled = scf.for %k = %c0 to %c4 step %c1 iter_args(%p = %part) -> (tensor<4xf32>) {
      %from = affine.apply affine_map<(d0, d1) -> (63 - d0 * 4 - d1)>(%i, %k)
      %v = tensor.extract %r[%from] : tensor<64xf32>
      %s = tensor.insert %v into %p[%k] : tensor<4xf32>
      scf.yield %s : tensor<4xf32>
    }
    %other = affine.apply affine_map<(d0) -> (60 - d0 * 4)>(%i)
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %filled into %o[%other] [4] [1] : tensor<4xf32> into tensor<64xf32>
      tensor.parallel_insert_slice %filled into %q[%at] [4] [1] : tensor<4xf32> into tensor<64xf32>
    }
  } {mapping = [#gpu.thread<linear_dim_0>]}
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<64xf32>, memref<64xf32>) -> ()
  bufferization.materialize_in_destination %f#0 in restrict writable %x : (tensor<64xf32>, memref<64xf32>) -> ()
  bufferization.materialize_in_destination %f#1 in restrict writable %y : (tensor<64xf32>, memref<64xf32>) -> ()
  return
}
