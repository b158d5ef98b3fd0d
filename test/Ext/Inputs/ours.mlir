// The kernels of same-as-ours.mlir with ops of memspace.
func.func @sort(%key: memref<100xf32>, %pay: memref<100xi32>, %out: memref<100xf32>, %perm: memref<100xi32>, %old: memref<100xf32>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %kt = bufferization.to_tensor %key restrict : memref<100xf32> to tensor<100xf32>
  %pt = bufferization.to_tensor %pay restrict : memref<100xi32> to tensor<100xi32>
  %e = tensor.empty() : tensor<100xf32>
  %double = linalg.add ins(%kt, %kt : tensor<100xf32>, tensor<100xf32>) outs(%e : tensor<100xf32>) -> tensor<100xf32>
  %s:2 = memspace.sort dimension(0) ins(%double, %pt : tensor<100xf32>, tensor<100xi32>)
      outs(%double, %pt : tensor<100xf32>, tensor<100xi32>) {
  ^bb0(%a: f32, %b: f32, %i: i32, %j: i32):
    %before = arith.cmpf olt, %a, %b : f32
    memspace.yield %before : i1
  } -> tensor<100xf32>, tensor<100xi32>
  bufferization.materialize_in_destination %s#0 in restrict writable %out : (tensor<100xf32>, memref<100xf32>) -> ()
  bufferization.materialize_in_destination %s#1 in restrict writable %perm : (tensor<100xi32>, memref<100xi32>) -> ()
  bufferization.materialize_in_destination %double in restrict writable %old : (tensor<100xf32>, memref<100xf32>) -> ()
  return
}

func.func @topk(%x: memref<4x50xf32>, %v: memref<4x7xf32>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %t = bufferization.to_tensor %x restrict : memref<4x50xf32> to tensor<4x50xf32>
  %ve = tensor.empty() : tensor<4x7xf32>
  %ie = tensor.empty() : tensor<4x7xi32>
  %r:2 = memspace.topk dimension(1) ins(%t : tensor<4x50xf32>)
      values(%ve : tensor<4x7xf32>) indices(%ie : tensor<4x7xi32>) {
  ^bb0(%a: f32, %b: f32):
    %first = arith.cmpf ogt, %a, %b : f32
    memspace.yield %first : i1
  } -> tensor<4x7xf32>, tensor<4x7xi32>
  bufferization.materialize_in_destination %r#0 in restrict writable %v : (tensor<4x7xf32>, memref<4x7xf32>) -> ()
  return
}

func.func @scatter(%in: memref<200xf32>, %index: memref<200x2xi32>, %out: memref<9x9xf32>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %c0 = arith.constant 0.0 : f32
  %u = bufferization.to_tensor %in restrict : memref<200xf32> to tensor<200xf32>
  %i = bufferization.to_tensor %index restrict : memref<200x2xi32> to tensor<200x2xi32>
  %e = tensor.empty() : tensor<9x9xf32>
  %f = linalg.fill ins(%c0 : f32) outs(%e : tensor<9x9xf32>) -> tensor<9x9xf32>
  %s = memspace.scatter scatter_dims([1, 0]) in_bounds
      ins(%u, %i : tensor<200xf32>, tensor<200x2xi32>) outs(%f : tensor<9x9xf32>) {
  ^bb0(%x: f32, %old: f32):
    %y = arith.addf %x, %old : f32
    memspace.yield %y : f32
  } -> tensor<9x9xf32>
  bufferization.materialize_in_destination %s in restrict writable %out : (tensor<9x9xf32>, memref<9x9xf32>) -> ()
  return
}

func.func @scan(%in: memref<2x300xi32>, %out: memref<2x300xi32>, %total: memref<2xi32>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %t = bufferization.to_tensor %in restrict : memref<2x300xi32> to tensor<2x300xi32>
  %e = tensor.empty() : tensor<2x300xi32>
  %a = tensor.empty() : tensor<2xi32>
  %s = memspace.scan dimension(1) ins(%t : tensor<2x300xi32>) outs(%e : tensor<2x300xi32>) {
  ^bb0(%before: i32, %x: i32):
    %sum = arith.addi %before, %x : i32
    memspace.yield %sum : i32
  } -> tensor<2x300xi32>
  %l = tensor.extract_slice %s[0, 299] [2, 1] [1, 1] : tensor<2x300xi32> to tensor<2xi32>
  %c = linalg.copy ins(%l : tensor<2xi32>) outs(%a : tensor<2xi32>) -> tensor<2xi32>
  bufferization.materialize_in_destination %s in restrict writable %out : (tensor<2x300xi32>, memref<2x300xi32>) -> ()
  bufferization.materialize_in_destination %c in restrict writable %total : (tensor<2xi32>, memref<2xi32>) -> ()
  return
}
