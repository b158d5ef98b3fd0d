// RUN: %python %S/run.py %s
// Case S4: the temporary of a warp-mapped forall exists once per subgroup. Six
// iterations run on six subgroups of 32 (sm_90) or on three of 64 (gfx942), each
// of these twice; 25 lanes, 100 bytes, aligned to 16: 112 for each instance.
// EXPECT sm_90: workgroup_bytes<=672 barriers=0 subgroup_barriers<=2
// EXPECT gfx942: workgroup_bytes<=336 barriers=0 subgroup_barriers<=3
// RESULT a1 = np.cumsum(a0, 1, dtype=np.int32)[:, ::-1] - a0
func.func @lanes(%x: memref<6x25xi32>, %out: memref<6x25xi32>)
    attributes {gpu.known_block_size = array<i32: 192, 1, 1>} {
  %xt = bufferization.to_tensor %x restrict : memref<6x25xi32> to tensor<6x25xi32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c24 = arith.constant 24 : index
  %z = arith.constant 0 : i32
  %oe = tensor.empty() : tensor<6x25xi32>
  %r = scf.forall (%w) in (6) shared_outs(%ow = %oe) -> (tensor<6x25xi32>) {
    %te = tensor.empty() : tensor<25xi32>
    %t = scf.forall (%l) in (25) shared_outs(%o = %te) -> (tensor<25xi32>) {
      %n = arith.addi %l, %c1 : index
      %sum = scf.for %k = %c0 to %n step %c1 iter_args(%a = %z) -> (i32) {
        %v = tensor.extract %xt[%w, %k] : tensor<6x25xi32>
        %b = arith.addi %a, %v : i32
        scf.yield %b : i32
      }
      %s = tensor.from_elements %sum : tensor<1xi32>
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %s into %o[%l] [1] [1] : tensor<1xi32> into tensor<25xi32>
      }
    } {mapping = [#gpu.lane<linear_dim_0>]}
    %row = tensor.extract_slice %ow[%w, 0] [1, 25] [1, 1] : tensor<6x25xi32> to tensor<25xi32>
    %u = scf.forall (%l) in (25) shared_outs(%o = %row) -> (tensor<25xi32>) {
      %j = arith.subi %c24, %l : index
      %v = tensor.extract %t[%j] : tensor<25xi32>
      %q = tensor.extract %xt[%w, %l] : tensor<6x25xi32>
      %d = arith.subi %v, %q : i32
      %s = tensor.from_elements %d : tensor<1xi32>
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %s into %o[%l] [1] [1] : tensor<1xi32> into tensor<25xi32>
      }
    } {mapping = [#gpu.lane<linear_dim_0>]}
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %u into %ow[%w, 0] [1, 25] [1, 1] : tensor<25xi32> into tensor<6x25xi32>
    }
  } {mapping = [#gpu.warp<linear_dim_0>]}
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<6x25xi32>, memref<6x25xi32>) -> ()
  return
}
