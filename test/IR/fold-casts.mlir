// RUN: memspace-opt %s -canonicalize | FileCheck %s

// Upstream's canonicalization folds casts into ops in destination style, whose regions
// it copies: an op without a combiner has no region.
// CHECK-LABEL: func.func @casts
// CHECK: memspace.gather {{.*}} -> tensor<4xf32>
// CHECK: memspace.scatter {{.*}} -> tensor<8xf32>
// CHECK: memspace.scatter {{.*}} -> tensor<8xf32>
// CHECK: memspace.sort {{.*}} outs(%{{.*}} : tensor<4x6xf32>) {
// CHECK: memspace.scan {{.*}} outs(%{{.*}} : tensor<4x6xf32>) {
// CHECK: memspace.topk {{.*}} values(%{{.*}} : tensor<4x2xf32>) indices(%{{.*}} : tensor<4x2xi32>) {
// CHECK: return
func.func @casts(%a: tensor<8xf32>, %index: tensor<4x1xindex>, %u: tensor<4xf32>, %k: tensor<4x6xf32>, %o: tensor<4x6xf32>, %ti: tensor<4x2xi32>, %tv: tensor<4x2xf32>) -> (tensor<?xf32>, tensor<?xf32>, tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x?xi32>) {
  %ac = tensor.cast %a : tensor<8xf32> to tensor<?xf32>
  %ic = tensor.cast %index : tensor<4x1xindex> to tensor<?x1xindex>
  %uc = tensor.cast %u : tensor<4xf32> to tensor<?xf32>
  %kc = tensor.cast %k : tensor<4x6xf32> to tensor<?x?xf32>
  %oc = tensor.cast %o : tensor<4x6xf32> to tensor<?x?xf32>
  %g = memspace.gather gather_dims([0]) ins(%ac, %ic : tensor<?xf32>, tensor<?x1xindex>) outs(%uc : tensor<?xf32>) -> tensor<?xf32>
  %t = memspace.scatter scatter_dims([0]) ins(%g, %ic : tensor<?xf32>, tensor<?x1xindex>) outs(%ac : tensor<?xf32>) -> tensor<?xf32>
  %t2 = memspace.scatter scatter_dims([0]) ins(%g, %ic : tensor<?xf32>, tensor<?x1xindex>) outs(%ac : tensor<?xf32>) {
  ^bb0(%p: f32, %q: f32):
    memspace.yield %p : f32
  } -> tensor<?xf32>
  %s = memspace.sort dimension(1) ins(%kc : tensor<?x?xf32>) outs(%oc : tensor<?x?xf32>) {
  ^bb0(%p: f32, %q: f32):
    %c = arith.cmpf olt, %p, %q : f32
    memspace.yield %c : i1
  } -> tensor<?x?xf32>
  %sc = memspace.scan dimension(1) ins(%kc : tensor<?x?xf32>) outs(%oc : tensor<?x?xf32>) {
  ^bb0(%p: f32, %q: f32):
    %c = arith.addf %p, %q : f32
    memspace.yield %c : f32
  } -> tensor<?x?xf32>
  %x = tensor.cast %ti : tensor<4x2xi32> to tensor<?x?xi32>
  %y = tensor.cast %tv : tensor<4x2xf32> to tensor<?x?xf32>
  %tk, %tki = memspace.topk dimension(1) ins(%kc : tensor<?x?xf32>) values(%y : tensor<?x?xf32>) indices(%x : tensor<?x?xi32>) {
  ^bb0(%p: f32, %q: f32):
    %c = arith.cmpf ogt, %p, %q : f32
    memspace.yield %c : i1
  } -> tensor<?x?xf32>, tensor<?x?xi32>
  return %t, %t2, %s, %sc, %tk, %tki : tensor<?xf32>, tensor<?xf32>, tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x?xi32>
}
