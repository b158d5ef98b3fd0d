// RUN: %python %S/run.py %s
// Rows of a global tensor are replaced at data-dependent places; that they are
// disjoint is the promise of the forall. Other rows keep their contents.
// EXPECT workgroup_bytes=0 private_bytes=0 barriers=0
// INPUT a0 = np.array([11, 3, 25, 0, 8])
// RESULT a2 = (lambda o: (o.__setitem__(a0, a1 - o[a0]), o)[1])(a2.copy())
func.func @scatter_rows(%idx: memref<5xi64>, %upd: memref<5x12xi16>, %out: memref<30x12xi16>)
    attributes {gpu.known_block_size = array<i32: 3, 5, 1>} {
  %it = bufferization.to_tensor %idx restrict : memref<5xi64> to tensor<5xi64>
  %ut = bufferization.to_tensor %upd restrict : memref<5x12xi16> to tensor<5x12xi16>
  %ot = bufferization.to_tensor %out restrict writable : memref<30x12xi16> to tensor<30x12xi16>
  %r = scf.forall (%i, %c) in (5, 3) shared_outs(%o = %ot) -> (tensor<30x12xi16>) {
    %k = affine.apply affine_map<(d0) -> (d0 * 4)>(%c)
    %ri = tensor.extract %it[%i] : tensor<5xi64>
    %row = arith.index_cast %ri : i64 to index
    %u = tensor.extract_slice %ut[%i, %k] [1, 4] [1, 1] : tensor<5x12xi16> to tensor<4xi16>
    %d = tensor.extract_slice %o[%row, %k] [1, 4] [1, 1] : tensor<30x12xi16> to tensor<4xi16>
    %s = linalg.sub ins(%u, %d : tensor<4xi16>, tensor<4xi16>) outs(%d : tensor<4xi16>) -> tensor<4xi16>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %s into %o[%row, %k] [1, 4] [1, 1] : tensor<4xi16> into tensor<30x12xi16>
    }
  } {mapping = [#gpu.thread<y>, #gpu.thread<x>]}
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<30x12xi16>, memref<30x12xi16>) -> ()
  return
}
