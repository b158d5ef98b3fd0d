// RUN: %python %S/run.py %s
// Whether a subgroup sorts its row or copies it says memory that all of its lanes read at
// one place. Barriers of the subgroup may stand there.
// EXPECT gfx942: workgroup_bytes=16384 barriers=0 subgroup_barriers<=2
// EXPECT sm_90: workgroup_bytes=32768 barriers=0 subgroup_barriers<=2
// OPTIONS may-hazards=error
// INPUT a2 = np.arange(2)
// RESULT a1 = np.concatenate([a0[:1], np.sort(a0[1:], axis=1)])
func.func @sort_in_flagged_subgroups(%in: memref<2x2000xf32>, %out: memref<2x2000xf32>, %flags: memref<2xi32>)
    attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
  %c0 = arith.constant 0 : i32
  %f = bufferization.to_tensor %flags restrict : memref<2xi32> to tensor<2xi32>
  %t = bufferization.to_tensor %in restrict : memref<2x2000xf32> to tensor<2x2000xf32>
  %e = tensor.empty() : tensor<2x2000xf32>
  %r = scf.forall (%w) in (2) shared_outs(%o = %e) -> (tensor<2x2000xf32>) {
    %row = tensor.extract_slice %t[%w, 0] [1, 2000] [1, 1] : tensor<2x2000xf32> to tensor<2000xf32>
    %own = tensor.extract_slice %o[%w, 0] [1, 2000] [1, 1] : tensor<2x2000xf32> to tensor<2000xf32>
    %flag = tensor.extract %f[%w] : tensor<2xi32>
    %c = arith.cmpi ne, %flag, %c0 : i32
    %v = scf.if %c -> (tensor<2000xf32>) {
      %s = memspace.sort dimension(0) ins(%row : tensor<2000xf32>) outs(%own : tensor<2000xf32>) {
      ^bb0(%a: f32, %b: f32):
        %before = arith.cmpf olt, %a, %b : f32
        memspace.yield %before : i1
      } -> tensor<2000xf32>
      scf.yield %s : tensor<2000xf32>
    } else {
      %s = linalg.copy ins(%row : tensor<2000xf32>) outs(%own : tensor<2000xf32>) -> tensor<2000xf32>
      scf.yield %s : tensor<2000xf32>
    }
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %v into %o[%w, 0] [1, 2000] [1, 1] : tensor<2000xf32> into tensor<2x2000xf32>
    }
  } {mapping = [#gpu.warp<x>]}
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<2x2000xf32>, memref<2x2000xf32>) -> ()
  return
}
