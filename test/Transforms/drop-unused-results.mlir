// RUN: memspace-opt %s -split-input-file -memspace-drop-unused-results | FileCheck %s

// Cases S1, S11: an unused result with a read-only init. Nothing refers to the
// argument any more.
// CHECK-LABEL: func @unused_second_result
// CHECK-SAME:    %[[X:.*]]: memref<8xf32>, %[[B:.*]]: memref<8xf32>, %[[OUT:.*]]: memref<8xf32>
// CHECK-NOT:     %[[B]]
// CHECK:         %[[R:.*]] = linalg.generic {{.*}} ins(%{{.*}} : tensor<8xf32>) outs(%{{.*}} : tensor<8xf32>)
// CHECK:           arith.addf
// CHECK-NOT:       arith.mulf
// CHECK:           linalg.yield %{{.*}} : f32
// CHECK:         bufferization.materialize_in_destination %[[R]]
#id = affine_map<(d0) -> (d0)>
func.func @unused_second_result(%x: memref<8xf32>, %b: memref<8xf32>, %out: memref<8xf32>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %xt = bufferization.to_tensor %x restrict : memref<8xf32> to tensor<8xf32>
  %bt = bufferization.to_tensor %b restrict : memref<8xf32> to tensor<8xf32>
  %ot = bufferization.to_tensor %out restrict writable : memref<8xf32> to tensor<8xf32>
  %res:2 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]}
      ins(%xt : tensor<8xf32>) outs(%ot, %bt : tensor<8xf32>, tensor<8xf32>) {
  ^bb0(%a: f32, %c: f32, %d: f32):
    %p = arith.addf %a, %a : f32
    %q = arith.mulf %a, %a : f32
    linalg.yield %p, %q : f32, f32
  } -> (tensor<8xf32>, tensor<8xf32>)
  bufferization.materialize_in_destination %res#0 in restrict writable %out : (tensor<8xf32>, memref<8xf32>) -> ()
  return
}

// -----

// The payload reads the running maximum for the other result: both stay, and
// so does the init, which is read.
// CHECK-LABEL: func @payload_needs_unused
// CHECK:         %[[M:.*]] = linalg.fill
// CHECK:         %[[I:.*]] = linalg.fill
// CHECK:         linalg.generic {{.*}} outs(%[[M]], %[[I]] : tensor<f32>, tensor<i64>)
#row = affine_map<(d0) -> (d0)>
#acc = affine_map<(d0) -> ()>
func.func @payload_needs_unused(%x: memref<16xf32>, %out: memref<i64>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %xt = bufferization.to_tensor %x restrict : memref<16xf32> to tensor<16xf32>
  %ninf = arith.constant 0xFF800000 : f32
  %z = arith.constant 0 : i64
  %me = tensor.empty() : tensor<f32>
  %m0 = linalg.fill ins(%ninf : f32) outs(%me : tensor<f32>) -> tensor<f32>
  %ie = tensor.empty() : tensor<i64>
  %i0 = linalg.fill ins(%z : i64) outs(%ie : tensor<i64>) -> tensor<i64>
  %res:2 = linalg.generic {indexing_maps = [#row, #acc, #acc], iterator_types = ["reduction"]}
      ins(%xt : tensor<16xf32>) outs(%m0, %i0 : tensor<f32>, tensor<i64>) {
  ^bb0(%a: f32, %m: f32, %mi: i64):
    %k = linalg.index 0 : index
    %kk = arith.index_cast %k : index to i64
    %gt = arith.cmpf ogt, %a, %m : f32
    %nm = arith.select %gt, %a, %m : f32
    %ni = arith.select %gt, %kk, %mi : i64
    linalg.yield %nm, %ni : f32, i64
  } -> (tensor<f32>, tensor<i64>)
  bufferization.materialize_in_destination %res#1 in restrict writable %out : (tensor<i64>, memref<i64>) -> ()
  return
}

// -----

// The unused output gives the only bound of loop d1, so it stays; its init is
// not read and becomes scratch instead of a copy of the argument.
// CHECK-LABEL: func @shape_needs_unused
// CHECK-SAME:    %[[X:.*]]: memref<8xf32>, %[[B:.*]]: memref<8x4xf32>
// CHECK-NOT:     %[[B]]
// CHECK:         %[[S:.*]] = tensor.empty() : tensor<8x4xf32>
// CHECK:         linalg.generic {{.*}} outs(%{{.*}}, %[[S]] : tensor<8xf32>, tensor<8x4xf32>)
#r = affine_map<(d0, d1) -> (d0)>
#rc = affine_map<(d0, d1) -> (d0, d1)>
func.func @shape_needs_unused(%x: memref<8xf32>, %b: memref<8x4xf32>, %out: memref<8xf32>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %xt = bufferization.to_tensor %x restrict : memref<8xf32> to tensor<8xf32>
  %bt = bufferization.to_tensor %b restrict : memref<8x4xf32> to tensor<8x4xf32>
  %ot = bufferization.to_tensor %out restrict writable : memref<8xf32> to tensor<8xf32>
  %res:2 = linalg.generic {indexing_maps = [#r, #r, #rc], iterator_types = ["parallel", "reduction"]}
      ins(%xt : tensor<8xf32>) outs(%ot, %bt : tensor<8xf32>, tensor<8x4xf32>) {
  ^bb0(%a: f32, %c: f32, %d: f32):
    %p = arith.addf %a, %c : f32
    linalg.yield %p, %a : f32, f32
  } -> (tensor<8xf32>, tensor<8x4xf32>)
  bufferization.materialize_in_destination %res#0 in restrict writable %out : (tensor<8xf32>, memref<8xf32>) -> ()
  return
}

// -----

// An unused output that stays for its shape keeps the inputs that compute it.
// CHECK-LABEL: func @shape_needs_input
// CHECK:         linalg.generic {{.*}} ins(%{{.*}} : tensor<8xf32>) outs(
// CHECK-NEXT:    ^bb0(%[[A:.*]]: f32, %{{.*}}: f32, %{{.*}}: f32):
// CHECK:           linalg.yield %{{.*}}, %[[A]] : f32, f32
#r = affine_map<(d0, d1) -> (d0)>
#rc = affine_map<(d0, d1) -> (d0, d1)>
func.func @shape_needs_input(%x: memref<8xf32>, %b: memref<8x4xf32>, %out: memref<8xf32>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %xt = bufferization.to_tensor %x restrict : memref<8xf32> to tensor<8xf32>
  %bt = bufferization.to_tensor %b restrict : memref<8x4xf32> to tensor<8x4xf32>
  %ot = bufferization.to_tensor %out restrict writable : memref<8xf32> to tensor<8xf32>
  %zero = arith.constant 0.0 : f32
  %res:2 = linalg.generic {indexing_maps = [#r, #r, #rc], iterator_types = ["parallel", "reduction"]}
      ins(%xt : tensor<8xf32>) outs(%ot, %bt : tensor<8xf32>, tensor<8x4xf32>) {
  ^bb0(%a: f32, %c: f32, %d: f32):
    linalg.yield %zero, %a : f32, f32
  } -> (tensor<8xf32>, tensor<8x4xf32>)
  bufferization.materialize_in_destination %res#0 in restrict writable %out : (tensor<8xf32>, memref<8xf32>) -> ()
  return
}

// -----

// A payload that does more than compute keeps what it uses.
// CHECK-LABEL: func @payload_with_effects
// CHECK:         linalg.generic {{.*}} ins(%{{.*}} : tensor<8xf32>) outs(
// CHECK:           func.call @effect
#i = affine_map<(d0) -> (d0)>
func.func private @effect(f32)
func.func @payload_with_effects(%x: memref<8xf32>, %out: memref<8xf32>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %xt = bufferization.to_tensor %x restrict : memref<8xf32> to tensor<8xf32>
  %ot = bufferization.to_tensor %out restrict writable : memref<8xf32> to tensor<8xf32>
  %zero = arith.constant 0.0 : f32
  %res = linalg.generic {indexing_maps = [#i, #i], iterator_types = ["parallel"]}
      ins(%xt : tensor<8xf32>) outs(%ot : tensor<8xf32>) {
  ^bb0(%a: f32, %c: f32):
    func.call @effect(%a) : (f32) -> ()
    linalg.yield %zero : f32
  } -> tensor<8xf32>
  bufferization.materialize_in_destination %res in restrict writable %out : (tensor<8xf32>, memref<8xf32>) -> ()
  return
}

// -----

// A tensor that nobody needs is inserted into itself.
// CHECK-LABEL: func @into_itself
// CHECK-NOT:     tensor.parallel_insert_slice
// CHECK:         return
func.func @into_itself() attributes {gpu.known_block_size = array<i32: 32, 1, 1>} {
  %e = tensor.empty() : tensor<16xi32>
  %r = scf.forall (%i) in (1) shared_outs(%o = %e) -> (tensor<16xi32>) {
    memspace.subgroup_barrier
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %o into %o[0] [16] [1] : tensor<16xi32> into tensor<16xi32>
    }
  } {mapping = [#gpu.thread<x>]}
  return
}

// -----

// A fill whose result is wholly overwritten: the user takes the destination.
// CHECK-LABEL: func @dead_fill
// CHECK-NOT:     linalg.fill
// CHECK:         %[[O:.*]] = bufferization.to_tensor %{{.*}} restrict writable
// CHECK:         linalg.copy {{.*}} outs(%[[O]] : tensor<8xf32>)
func.func @dead_fill(%x: memref<8xf32>, %out: memref<8xf32>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %xt = bufferization.to_tensor %x restrict : memref<8xf32> to tensor<8xf32>
  %ot = bufferization.to_tensor %out restrict writable : memref<8xf32> to tensor<8xf32>
  %zero = arith.constant 0.0 : f32
  %f = linalg.fill ins(%zero : f32) outs(%ot : tensor<8xf32>) -> tensor<8xf32>
  %c = linalg.copy ins(%xt : tensor<8xf32>) outs(%f : tensor<8xf32>) -> tensor<8xf32>
  bufferization.materialize_in_destination %c in restrict writable %out : (tensor<8xf32>, memref<8xf32>) -> ()
  return
}

// -----

// Case S11: a payload that does not read its init, with a map that covers only
// one column: the fill is needed.
// CHECK-LABEL: func @partly_overwritten
// CHECK:         %[[F:.*]] = linalg.fill
// CHECK:         linalg.generic {{.*}} outs(%[[F]] : tensor<8x2xf32>)
func.func @partly_overwritten(%x: memref<8xf32>, %out: memref<8x2xf32>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %xt = bufferization.to_tensor %x restrict : memref<8xf32> to tensor<8xf32>
  %ot = bufferization.to_tensor %out restrict writable : memref<8x2xf32> to tensor<8x2xf32>
  %zero = arith.constant 0.0 : f32
  %f = linalg.fill ins(%zero : f32) outs(%ot : tensor<8x2xf32>) -> tensor<8x2xf32>
  %c = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0, 0)>], iterator_types = ["parallel"]}
      ins(%xt : tensor<8xf32>) outs(%f : tensor<8x2xf32>) {
  ^bb0(%a: f32, %o: f32):
    linalg.yield %a : f32
  } -> tensor<8x2xf32>
  bufferization.materialize_in_destination %c in restrict writable %out : (tensor<8x2xf32>, memref<8x2xf32>) -> ()
  return
}

// -----

// An output of a forall goes with what is inserted into it. The other keeps
// its mapping, though it has a single iteration.
// CHECK-LABEL: func @forall_output
// CHECK-SAME:    %{{.*}}: memref<1xf32>, %[[B:.*]]: memref<1xf32>, %{{.*}}: memref<1xf32>
// CHECK-NOT:     %[[B]]
// CHECK:         %[[R:.*]] = scf.forall (%{{.*}}) in (1) shared_outs(%{{.*}} = %{{.*}}) -> (tensor<1xf32>) {
// CHECK-NOT:       arith.mulf
// CHECK:           scf.forall.in_parallel {
// CHECK-NEXT:        tensor.parallel_insert_slice
// CHECK-NEXT:      }
// CHECK-NEXT:    } {mapping = [#gpu.thread<x>]}
// CHECK:         materialize_in_destination %[[R]]
func.func @forall_output(%x: memref<1xf32>, %b: memref<1xf32>, %out: memref<1xf32>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %xt = bufferization.to_tensor %x restrict : memref<1xf32> to tensor<1xf32>
  %bt = bufferization.to_tensor %b restrict : memref<1xf32> to tensor<1xf32>
  %ot = bufferization.to_tensor %out restrict writable : memref<1xf32> to tensor<1xf32>
  %c0 = arith.constant 0 : index
  %r:2 = scf.forall (%i) in (1) shared_outs(%p = %bt, %o = %ot) -> (tensor<1xf32>, tensor<1xf32>) {
    %v = tensor.extract %xt[%i] : tensor<1xf32>
    %v2 = arith.mulf %v, %v : f32
    %dp = tensor.extract_slice %p[%i] [1] [1] : tensor<1xf32> to tensor<1xf32>
    %sp = tensor.insert %v2 into %dp[%c0] : tensor<1xf32>
    %do = tensor.extract_slice %o[%i] [1] [1] : tensor<1xf32> to tensor<1xf32>
    %so = tensor.insert %v into %do[%c0] : tensor<1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %sp into %p[%i] [1] [1] : tensor<1xf32> into tensor<1xf32>
      tensor.parallel_insert_slice %so into %o[%i] [1] [1] : tensor<1xf32> into tensor<1xf32>
    }
  } {mapping = [#gpu.thread<x>]}
  bufferization.materialize_in_destination %r#1 in restrict writable %out : (tensor<1xf32>, memref<1xf32>) -> ()
  return
}

// -----

// An iter_arg that is only updated by itself, and a result of an scf.if.
// CHECK-LABEL: func @loops_and_branches
// CHECK:         scf.if %{{.*}} -> (f32) {
// CHECK-NOT:     linalg.fill
// CHECK:         scf.for {{.*}} iter_args(%{{.*}} = %{{.*}}) -> (tensor<4xf32>)
// CHECK-NOT:       linalg.exp
// CHECK:           linalg.add
// CHECK:           scf.yield %{{.*}} : tensor<4xf32>
func.func @loops_and_branches(%x: memref<4xf32>, %out: memref<4xf32>, %cond: i1)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %xt = bufferization.to_tensor %x restrict : memref<4xf32> to tensor<4xf32>
  %ot = bufferization.to_tensor %out restrict writable : memref<4xf32> to tensor<4xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %f1 = arith.constant 1.0 : f32
  %f2 = arith.constant 2.0 : f32
  %b:2 = scf.if %cond -> (tensor<4xf32>, f32) {
    %e = tensor.empty() : tensor<4xf32>
    %f = linalg.fill ins(%f1 : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
    scf.yield %f, %f1 : tensor<4xf32>, f32
  } else {
    %e = tensor.empty() : tensor<4xf32>
    scf.yield %e, %f2 : tensor<4xf32>, f32
  }
  %init = tensor.insert %b#1 into %ot[%c0] : tensor<4xf32>
  %se = tensor.empty() : tensor<4xf32>
  %s0 = linalg.fill ins(%f1 : f32) outs(%se : tensor<4xf32>) -> tensor<4xf32>
  %r:2 = scf.for %k = %c0 to %c8 step %c1 iter_args(%s = %s0, %a = %init) -> (tensor<4xf32>, tensor<4xf32>) {
    %s1 = linalg.exp ins(%s : tensor<4xf32>) outs(%s : tensor<4xf32>) -> tensor<4xf32>
    %a1 = linalg.add ins(%a, %xt : tensor<4xf32>, tensor<4xf32>) outs(%a : tensor<4xf32>) -> tensor<4xf32>
    scf.yield %s1, %a1 : tensor<4xf32>, tensor<4xf32>
  }
  bufferization.materialize_in_destination %r#1 in restrict writable %out : (tensor<4xf32>, memref<4xf32>) -> ()
  return
}

// -----

// The running maximum feeds itself through the iteration: the value that the
// payload yields for an unused result is needed by a live one.
// CHECK-LABEL: func @through_the_reduction
// CHECK:         linalg.generic
// CHECK:           arith.addf
// CHECK:           linalg.yield %{{.*}}, %{{.*}}
func.func @through_the_reduction(%x: memref<16xf32>, %y: memref<16xf32>, %out: memref<f32>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %xt = bufferization.to_tensor %x restrict : memref<16xf32> to tensor<16xf32>
  %yt = bufferization.to_tensor %y restrict : memref<16xf32> to tensor<16xf32>
  %z = arith.constant 0.0 : f32
  %ae = tensor.empty() : tensor<f32>
  %a0 = linalg.fill ins(%z : f32) outs(%ae : tensor<f32>) -> tensor<f32>
  %be = tensor.empty() : tensor<f32>
  %b0 = linalg.fill ins(%z : f32) outs(%be : tensor<f32>) -> tensor<f32>
  %res:2 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>, affine_map<(d0) -> ()>], iterator_types = ["reduction"]}
      ins(%xt, %yt : tensor<16xf32>, tensor<16xf32>) outs(%a0, %b0 : tensor<f32>, tensor<f32>) {
  ^bb0(%vx: f32, %vy: f32, %a: f32, %b: f32):
    %na = arith.addf %vy, %a : f32
    %nb = arith.mulf %vx, %a : f32
    linalg.yield %na, %nb : f32, f32
  } -> (tensor<f32>, tensor<f32>)
  bufferization.materialize_in_destination %res#1 in restrict writable %out : (tensor<f32>, memref<f32>) -> ()
  return
}

// -----

// Not a kernel.
// CHECK-LABEL: func @host
// CHECK:         linalg.fill
func.func @host(%x: tensor<8xf32>) {
  %zero = arith.constant 0.0 : f32
  %f = linalg.fill ins(%zero : f32) outs(%x : tensor<8xf32>) -> tensor<8xf32>
  return
}

// -----

// What decides in which of two tensors an op writes is read, though no content of
// the two is.

// CHECK-LABEL: func @place
// CHECK: %[[FILL:.*]] = linalg.fill
// CHECK: tensor.extract %[[FILL]]
// CHECK: arith.select
func.func @place(%x: tensor<4xi32>, %y: tensor<4xi32>) -> tensor<4xi32>
    attributes {gpu.known_block_size = array<i32: 2, 1, 1>} {
  %c0 = arith.constant 0 : i32
  %e = tensor.empty() : tensor<i32>
  %f = linalg.fill ins(%c0 : i32) outs(%e : tensor<i32>) -> tensor<i32>
  %v = tensor.extract %f[] : tensor<i32>
  %c = arith.cmpi ne, %v, %c0 : i32
  %d = arith.select %c, %x, %y : tensor<4xi32>
  %r = linalg.fill ins(%c0 : i32) outs(%d : tensor<4xi32>) -> tensor<4xi32>
  return %r : tensor<4xi32>
}

// -----

// A result of a switch that nobody uses goes, with what only it needs.

// CHECK-LABEL: func @switch_result
// CHECK-NOT: linalg.fill
// CHECK: %[[R:.*]] = scf.index_switch %{{.*}} -> tensor<4xi32>
// CHECK: scf.yield %{{.*}} : tensor<4xi32>
// CHECK: return %[[R]]
func.func @switch_result(%n: index, %x: tensor<4xi32>, %y: tensor<4xi32>) -> tensor<4xi32>
    attributes {gpu.known_block_size = array<i32: 2, 1, 1>} {
  %c0 = arith.constant 0 : i32
  %e = tensor.empty() : tensor<4xi32>
  %f = linalg.fill ins(%c0 : i32) outs(%e : tensor<4xi32>) -> tensor<4xi32>
  %r:2 = scf.index_switch %n -> tensor<4xi32>, tensor<4xi32>
  case 0 {
    scf.yield %x, %f : tensor<4xi32>, tensor<4xi32>
  }
  default {
    scf.yield %y, %f : tensor<4xi32>, tensor<4xi32>
  }
  return %r#0 : tensor<4xi32>
}
