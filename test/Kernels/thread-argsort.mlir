// RUN: %python %S/run.py %s
// Cases S2, S3, S10: each thread sorts the 6 values of its row and stores the
// order only. The values are scratch of one thread.
// EXPECT workgroup_bytes=0 private_bytes<=48 barriers=0
// RESULT a1 = np.argsort(a0, 1, kind="stable").astype(np.int32)
func.func @thread_argsort(%x: memref<50x6xf32>, %out: memref<50x6xi32>)
    attributes {gpu.known_block_size = array<i32: 50, 1, 1>} {
  %xt = bufferization.to_tensor %x restrict : memref<50x6xf32> to tensor<50x6xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %c6 = arith.constant 6 : index
  %oe = tensor.empty() : tensor<50x6xi32>
  %r = scf.forall (%i) in (50) shared_outs(%o = %oe) -> (tensor<50x6xi32>) {
    %row = tensor.extract_slice %xt[%i, 0] [1, 6] [1, 1] : tensor<50x6xf32> to tensor<6xf32>
    %ve = tensor.empty() : tensor<6xf32>
    %v0 = linalg.copy ins(%row : tensor<6xf32>) outs(%ve : tensor<6xf32>) -> tensor<6xf32>
    %ie = tensor.empty() : tensor<6xi32>
    %i0 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} outs(%ie : tensor<6xi32>) {
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
        %swap = arith.cmpf ogt, %a, %b : f32
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
    %d = tensor.extract_slice %o[%i, 0] [1, 6] [1, 1] : tensor<50x6xi32> to tensor<6xi32>
    %s = linalg.copy ins(%sorted#1 : tensor<6xi32>) outs(%d : tensor<6xi32>) -> tensor<6xi32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %s into %o[%i, 0] [1, 6] [1, 1] : tensor<6xi32> into tensor<50x6xi32>
    }
  } {mapping = [#gpu.thread<x>]}
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<50x6xi32>, memref<50x6xi32>) -> ()
  return
}
