// RUN: memspace-opt %s -split-input-file -verify-diagnostics

func.func @mixed(%a: tensor<8xf32>, %i: memref<4x1xindex>, %o: tensor<4xf32>) {
  // expected-error@+1 {{operands must all be ranked tensors or all memrefs; got 'memref<4x1xindex>'}}
  %0 = memspace.gather gather_dims([0]) ins(%a, %i : tensor<8xf32>, memref<4x1xindex>) outs(%o : tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @no_result(%a: tensor<8xf32>, %i: tensor<4x1xindex>, %o: tensor<4xf32>) {
  // expected-error@+1 {{needs a result on tensors}}
  memspace.gather gather_dims([0]) ins(%a, %i : tensor<8xf32>, tensor<4x1xindex>) outs(%o : tensor<4xf32>)
  return
}

// -----

func.func @index_type(%a: tensor<8xf32>, %i: tensor<4x1xf32>, %o: tensor<4xf32>) {
  // expected-error@+1 {{indices must be signless integers or 'index'; got 'tensor<4x1xf32>'}}
  %0 = memspace.gather gather_dims([0]) ins(%a, %i : tensor<8xf32>, tensor<4x1xf32>) outs(%o : tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @coordinates(%a: tensor<8xf32>, %i: tensor<4x2xindex>, %o: tensor<4xf32>) {
  // expected-error@+1 {{the last dimension of the indices must have one coordinate for each of 'gather_dims' (1), and one at least; got 'tensor<4x2xindex>'}}
  %0 = memspace.gather gather_dims([0]) ins(%a, %i : tensor<8xf32>, tensor<4x2xindex>) outs(%o : tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @different(%a: tensor<8x8xf32>, %i: tensor<4x2xindex>, %o: tensor<4xf32>) {
  // expected-error@+1 {{'scatter_dims' must be different dimensions in [0, 2), the rank of the output; got 1, 1}}
  %0 = memspace.scatter scatter_dims([1, 1]) ins(%o, %i : tensor<4xf32>, tensor<4x2xindex>) outs(%a : tensor<8x8xf32>) -> tensor<8x8xf32>
  return
}

// -----

func.func @dimension(%a: tensor<8xf32>, %i: tensor<4x1xindex>, %o: tensor<4xf32>) {
  // expected-error@+1 {{'gather_dims' must be different dimensions in [0, 1), the rank of the source; got 1}}
  %0 = memspace.gather gather_dims([1]) ins(%a, %i : tensor<8xf32>, tensor<4x1xindex>) outs(%o : tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @shape(%a: tensor<8x3xf32>, %i: tensor<4x1xindex>, %o: tensor<4xf32>) {
  // expected-error@+1 {{the updates must have the dimensions that number the places, then those of the output that are not in 'scatter_dims': wanted 'tensor<4x3xf32>', got 'tensor<4xf32>'}}
  %0 = memspace.scatter scatter_dims([0]) ins(%o, %i : tensor<4xf32>, tensor<4x1xindex>) outs(%a : tensor<8x3xf32>) -> tensor<8x3xf32>
  return
}

// -----

func.func @element(%a: tensor<8xf32>, %i: tensor<4x1xindex>, %o: tensor<4xf16>) {
  // expected-error@+1 {{the output must have the element type of the source; got 'tensor<4xf16>' for 'tensor<8xf32>'}}
  %0 = memspace.gather gather_dims([0]) ins(%a, %i : tensor<8xf32>, tensor<4x1xindex>) outs(%o : tensor<4xf16>) -> tensor<4xf16>
  return
}

// -----

func.func @empty_source(%a: tensor<0xf32>, %i: tensor<4x1xindex>, %o: tensor<4xf32>) {
  // expected-error@+1 {{the source has no element to read: dimension 0 of 'tensor<0xf32>' is empty, the output 'tensor<4xf32>' is not}}
  %0 = memspace.gather gather_dims([0]) ins(%a, %i : tensor<0xf32>, tensor<4x1xindex>) outs(%o : tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @atomic(%a: tensor<8xi1>, %i: tensor<4x1xindex>, %u: tensor<4xi1>) {
  // expected-error@+1 {{there are no atomic updates of 'i1'; use an integer of 8, 16, 32 or 64 bits, f16, bf16, f32 or f64}}
  %0 = memspace.scatter scatter_dims([0]) atomic ins(%u, %i : tensor<4xi1>, tensor<4x1xindex>) outs(%a : tensor<8xi1>) -> tensor<8xi1>
  return
}

// -----

func.func @arguments(%a: tensor<8xf32>, %i: tensor<4x1xindex>, %u: tensor<4xf32>) {
  // expected-error@+1 {{the combiner needs two arguments of 'f32', an element of the updates and one of the output}}
  %0 = memspace.scatter scatter_dims([0]) ins(%u, %i : tensor<4xf32>, tensor<4x1xindex>) outs(%a : tensor<8xf32>) {
  ^bb0(%x: f32):
    memspace.yield %x : f32
  } -> tensor<8xf32>
  return
}

// -----

func.func @yield(%a: tensor<8xf32>, %i: tensor<4x1xindex>, %u: tensor<4xf32>) {
  // expected-error@+1 {{the combiner must yield one 'f32' by 'memspace.yield'}}
  %0 = memspace.scatter scatter_dims([0]) ins(%u, %i : tensor<4xf32>, tensor<4x1xindex>) outs(%a : tensor<8xf32>) {
  ^bb0(%x: f32, %y: f32):
    %c = arith.cmpf olt, %x, %y : f32
    memspace.yield %c : i1
  } -> tensor<8xf32>
  return
}

// -----

func.func @memory(%a: tensor<8xf32>, %i: tensor<4x1xindex>, %u: tensor<4xf32>) {
  %0 = memspace.scatter scatter_dims([0]) ins(%u, %i : tensor<4xf32>, tensor<4x1xindex>) outs(%a : tensor<8xf32>) {
  ^bb0(%x: f32, %y: f32):
    // expected-error@+1 {{touches memory in a combiner; it may only compute with its arguments}}
    %m = memref.alloc() : memref<f32>
    memspace.yield %x : f32
  } -> tensor<8xf32>
  return
}

// -----

func.func @yields_two(%t: tensor<8xf32>, %i: tensor<4x1xi32>, %u: tensor<4xf32>) {
  // expected-error@+1 {{the combiner must yield one 'f32' by 'memspace.yield'}}
  %0 = memspace.scatter scatter_dims([0]) ins(%u, %i : tensor<4xf32>, tensor<4x1xi32>) outs(%t : tensor<8xf32>) {
  ^bb0(%a: f32, %b: f32):
    memspace.yield %a, %b : f32, f32
  } -> tensor<8xf32>
  return
}

// -----

func.func @two_combiners(%t: tensor<8xf32>, %i: tensor<4x1xi32>, %u: tensor<4xf32>) {
  // expected-error@+1 {{has at most one combiner, got 2; combine in one region, or use one scatter for each}}
  %0 = memspace.scatter scatter_dims([0]) ins(%u, %i : tensor<4xf32>, tensor<4x1xi32>) outs(%t : tensor<8xf32>) {
  ^bb0(%a: f32, %b: f32):
    memspace.yield %a : f32
  }, {
  ^bb0(%a: f32, %b: f32):
    memspace.yield %b : f32
  } -> tensor<8xf32>
  return
}
