// RUN: iree-memspace-opt %s -iree-memspace-import -memspace-kernel-pipeline=chip=gfx942 -verify-diagnostics

func.func @labels_of_short_rows(%x: tensor<20x2xf32>, %labels: tensor<20x2xi32>, %v: tensor<20x3xf32>, %i: tensor<20x3xi32>) -> tensor<20x3xi32> attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  // expected-error @below {{labels are not looked up where a row may have fewer elements than are asked for; give it values only, or fewer outputs}}
  %0:2 = iree_linalg_ext.topk dimension(1)
      ins(%x, %labels : tensor<20x2xf32>, tensor<20x2xi32>)
      outs(%v, %i : tensor<20x3xf32>, tensor<20x3xi32>) {
  ^bb0(%a: f32, %b: f32):
    %first = arith.cmpf ogt, %a, %b : f32
    iree_linalg_ext.yield %first : i1
  } -> tensor<20x3xf32>, tensor<20x3xi32>
  return %0#1 : tensor<20x3xi32>
}
