// RUN: %python %S/run.py %s
// As nms-uniform, the scores come from 6 threads: the uniform sort in place must run once.
// EXPECT workgroup_bytes<=64 barriers<=3 or refused "distribut|uniform|scf.for|insert"
// INPUT a0 = np.stack([np.arange(6) * 0.5, np.arange(6) * 0.5 + 0.8], 1)
// RESULT a2 = (lambda o: (lambda keep: np.where(keep, o, -1))([keep for K in [[]] for p in range(6) for keep in [not any(K[q] and a0[o[p],0] < a0[o[q],1] and a0[o[q],0] < a0[o[p],1] for q in range(p))] if K.append(keep) is None]))(np.argsort(-a1*a1, kind='stable'))
#id = affine_map<(d0) -> (d0)>
#red = affine_map<(d0) -> ()>
func.func @nms_staged_scores(%x: memref<6x2xf32>, %sc: memref<6xf32>, %out: memref<6xi32>)
    attributes {gpu.known_block_size = array<i32: 32, 1, 1>} {
  %xt = bufferization.to_tensor %x restrict : memref<6x2xf32> to tensor<6x2xf32>
  %sct = bufferization.to_tensor %sc restrict : memref<6xf32> to tensor<6xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %c6 = arith.constant 6 : index
  %ff = arith.constant false
  %tt = arith.constant true
  %ve = tensor.empty() : tensor<6xf32>
  %v0 = scf.forall (%i) in (6) shared_outs(%o = %ve) -> (tensor<6xf32>) {
    %s0 = tensor.extract %sct[%i] : tensor<6xf32>
    %v = arith.mulf %s0, %s0 : f32
    %se_ = tensor.from_elements %v : tensor<1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %se_ into %o[%i] [1] [1] : tensor<1xf32> into tensor<6xf32>
    }
  } {mapping = [#gpu.thread<x>]}
  %ie = tensor.empty() : tensor<6xi32>
  %i0 = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel"]} outs(%ie : tensor<6xi32>) {
    ^bb0(%a: i32):
    %k = linalg.index 0 : index
    %ki = arith.index_cast %k : index to i32
    linalg.yield %ki : i32
  } -> tensor<6xi32>
  %sorted:2 = scf.for %p = %c0 to %c5 step %c1 iter_args(%v = %v0, %n = %i0) -> (tensor<6xf32>, tensor<6xi32>) {
    %pass:2 = scf.for %k = %c0 to %c5 step %c1 iter_args(%w = %v, %m = %n) -> (tensor<6xf32>, tensor<6xi32>) {
      %k1 = arith.addi %k, %c1 : index
      %a = tensor.extract %w[%k] : tensor<6xf32>
      %b = tensor.extract %w[%k1] : tensor<6xf32>
      %ia = tensor.extract %m[%k] : tensor<6xi32>
      %ib = tensor.extract %m[%k1] : tensor<6xi32>
      %swap = arith.cmpf olt, %a, %b : f32
      %lo = arith.select %swap, %b, %a : f32
      %hi = arith.select %swap, %a, %b : f32
      %il = arith.select %swap, %ib, %ia : i32
      %ih = arith.select %swap, %ia, %ib : i32
      %w1 = tensor.insert %lo into %w[%k] : tensor<6xf32>
      %w2 = tensor.insert %hi into %w1[%k1] : tensor<6xf32>
      %m1 = tensor.insert %il into %m[%k] : tensor<6xi32>
      %m2 = tensor.insert %ih into %m1[%k1] : tensor<6xi32>
      scf.yield %w2, %m2 : tensor<6xf32>, tensor<6xi32>
    }
    scf.yield %pass#0, %pass#1 : tensor<6xf32>, tensor<6xi32>
  }
  %ke = tensor.empty() : tensor<6xi1>
  %k0 = linalg.fill ins(%tt : i1) outs(%ke : tensor<6xi1>) -> tensor<6xi1>
  %keep = scf.for %p = %c1 to %c6 step %c1 iter_args(%kp = %k0) -> (tensor<6xi1>) {
    %bi32 = tensor.extract %sorted#1[%p] : tensor<6xi32>
    %bi = arith.index_cast %bi32 : i32 to index
    %lo = tensor.extract %xt[%bi, %c0] : tensor<6x2xf32>
    %hi = tensor.extract %xt[%bi, %c1] : tensor<6x2xf32>
    %sup = scf.for %q = %c0 to %p step %c1 iter_args(%s = %ff) -> (i1) {
      %kq = tensor.extract %kp[%q] : tensor<6xi1>
      %ci32 = tensor.extract %sorted#1[%q] : tensor<6xi32>
      %ci = arith.index_cast %ci32 : i32 to index
      %lo2 = tensor.extract %xt[%ci, %c0] : tensor<6x2xf32>
      %hi2 = tensor.extract %xt[%ci, %c1] : tensor<6x2xf32>
      %x1 = arith.cmpf olt, %lo, %hi2 : f32
      %x2 = arith.cmpf olt, %lo2, %hi : f32
      %x3 = arith.andi %x1, %x2 : i1
      %x4 = arith.andi %x3, %kq : i1
      %x5 = arith.ori %s, %x4 : i1
      scf.yield %x5 : i1
    }
    %not = arith.xori %sup, %tt : i1
    %kn = tensor.insert %not into %kp[%p] : tensor<6xi1>
    scf.yield %kn : tensor<6xi1>
  }
  %oe = tensor.empty() : tensor<6xi32>
  %r = scf.forall (%i) in (6) shared_outs(%o = %oe) -> (tensor<6xi32>) {
    %id = tensor.extract %sorted#1[%i] : tensor<6xi32>
    %kk = tensor.extract %keep[%i] : tensor<6xi1>
    %m1 = arith.constant -1 : i32
    %v = arith.select %kk, %id, %m1 : i32
    %se_ = tensor.from_elements %v : tensor<1xi32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %se_ into %o[%i] [1] [1] : tensor<1xi32> into tensor<6xi32>
    }
  } {mapping = [#gpu.thread<x>]}
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<6xi32>, memref<6xi32>) -> ()

  return
}
