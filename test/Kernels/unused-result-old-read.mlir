// The first result is unused, but iterations read the tensor that it starts from:
// they see it as it was before the forall, and nothing is written into it.
// EXPECT workgroup_bytes=0 barriers=0
// RESULT a1 = a0
// SEQUENTIAL no: upstream gives both results one buffer
// RUN: %python %S/run.py %s
func.func @kernel(%arg0: memref<256xf32>, %arg1: memref<256xf32>) attributes {gpu.known_block_size = array<i32: 256, 1, 1>} {
  %0 = bufferization.to_tensor %arg0 restrict : memref<256xf32> to tensor<256xf32>
  %one = arith.constant 1.0 : f32
  %1 = tensor.empty() : tensor<256xf32>
  %2 = linalg.fill ins(%one : f32) outs(%1 : tensor<256xf32>) -> tensor<256xf32>
  %3:2 = scf.forall (%i) in (256) shared_outs(%a = %0, %b = %0) -> (tensor<256xf32>, tensor<256xf32>) {
    %old = tensor.extract_slice %a[%i] [1] [1] : tensor<256xf32> to tensor<1xf32>
    %new = tensor.extract_slice %2[%i] [1] [1] : tensor<256xf32> to tensor<1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %new into %a[%i] [1] [1] : tensor<1xf32> into tensor<256xf32>
      tensor.parallel_insert_slice %old into %b[%i] [1] [1] : tensor<1xf32> into tensor<256xf32>
    }
  } {mapping = [#gpu.thread<x>]}
  bufferization.materialize_in_destination %3#1 in restrict writable %arg1 : (tensor<256xf32>, memref<256xf32>) -> ()
  return
}
