// RUN: memspace-opt %s -split-input-file -verify-diagnostics -memspace-form-kernels=chip=gfx942

// expected-error@below {{'blocks' is to become kernels, but has several blocks; write its control flow with ops of scf, or cut it up}}
func.func @blocks(%c: i1, %x: tensor<8xf32>) -> tensor<8xf32> {
  cf.cond_br %c, ^a, ^a
^a:
  return %x : tensor<8xf32>
}

// -----

// expected-error@below {{an argument of type 'tensor<*xf32>' cannot become a memref; give it a rank and no encoding}}
func.func @unranked(%x: tensor<*xf32>) -> tensor<8xf32> {
  %c = tensor.cast %x : tensor<*xf32> to tensor<8xf32>
  return %c : tensor<8xf32>
}

// -----

// expected-error@below {{a result of type 'f32' cannot be stored by a kernel; return tensors}}
func.func @scalar(%x: tensor<8xf32>) -> (tensor<8xf32>, f32) {
  %c0 = arith.constant 0 : index
  %e = tensor.extract %x[%c0] : tensor<8xf32>
  return %x, %e : tensor<8xf32>, f32
}

// -----

// expected-error@below {{'called' would take memrefs for its tensors, but is referred to; inline it, or give it memrefs}}
func.func @called(%x: tensor<8xf32>) -> tensor<8xf32> {
  return %x : tensor<8xf32>
}
func.func @caller(%m: memref<8xf32>) {
  %t = bufferization.to_tensor %m restrict : memref<8xf32> to tensor<8xf32>
  // expected-note@below {{here}}
  %r = func.call @called(%t) : (tensor<8xf32>) -> tensor<8xf32>
  return
}

// -----

func.func @store(%x: tensor<8xf32>, %m: memref<f32>) -> tensor<8xf32> {
  %zero = arith.constant 0.0 : f32
  // expected-error@below {{'memref.store' op cannot go into a kernel, nor stay with the host}}
  memref.store %zero, %m[] : memref<f32>
  return %x : tensor<8xf32>
}

// -----

// A sort is a kernel of its own, and the second one reads what it overwrote.
func.func @overwritten(%x: memref<8x64xf32>, %y: memref<8x64xf32>) {
  %t = bufferization.to_tensor %x restrict writable : memref<8x64xf32> to tensor<8x64xf32>
  %e = tensor.empty() : tensor<8x64xf32>
  %s = memspace.sort dimension(1) ins(%t : tensor<8x64xf32>) outs(%e : tensor<8x64xf32>) {
  ^bb0(%a: f32, %b: f32):
    %c = arith.cmpf olt, %a, %b : f32
    memspace.yield %c : i1
  } -> tensor<8x64xf32>
  // expected-note@below {{overwritten here}}
  bufferization.materialize_in_destination %s in restrict writable %x : (tensor<8x64xf32>, memref<8x64xf32>) -> ()
  // expected-error@below {{reads an argument in a kernel behind the one that overwrites it; store into another argument, or copy this one first}}
  %r = linalg.exp ins(%t : tensor<8x64xf32>) outs(%e : tensor<8x64xf32>) -> tensor<8x64xf32>
  bufferization.materialize_in_destination %r in restrict writable %y : (tensor<8x64xf32>, memref<8x64xf32>) -> ()
  return
}

// -----

// The second store is of a kernel that runs first, since the sort reads its result.
func.func @two_stores(%x: tensor<8x64xf32>, %y: memref<8x64xf32>) {
  %e = tensor.empty() : tensor<8x64xf32>
  %r = linalg.exp ins(%x : tensor<8x64xf32>) outs(%e : tensor<8x64xf32>) -> tensor<8x64xf32>
  %s = memspace.sort dimension(1) ins(%r : tensor<8x64xf32>) outs(%e : tensor<8x64xf32>) {
  ^bb0(%a: f32, %b: f32):
    %c = arith.cmpf olt, %a, %b : f32
    memspace.yield %c : i1
  } -> tensor<8x64xf32>
  // expected-note@below {{stored here}}
  bufferization.materialize_in_destination %s in restrict writable %y : (tensor<8x64xf32>, memref<8x64xf32>) -> ()
  // expected-error@below {{overwrites what a later kernel stores; store each result into an argument of its own}}
  bufferization.materialize_in_destination %r in restrict writable %y : (tensor<8x64xf32>, memref<8x64xf32>) -> ()
  return
}

// -----

// Two parts are not stored in place: the second store restores what was in the first.
func.func @two_parts(%x: memref<8xf32>, %y: memref<16xf32>) {
  %t = bufferization.to_tensor %x restrict : memref<8xf32> to tensor<8xf32>
  %w = bufferization.to_tensor %y restrict writable : memref<16xf32> to tensor<16xf32>
  %e = tensor.empty() : tensor<8xf32>
  %r = linalg.exp ins(%t : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %i = tensor.insert_slice %r into %w[0] [8] [1] : tensor<8xf32> into tensor<16xf32>
  // expected-note@below {{overwritten here}}
  bufferization.materialize_in_destination %i in restrict writable %y : (tensor<16xf32>, memref<16xf32>) -> ()
  // expected-error@below {{reads an argument in a kernel behind the one that overwrites it}}
  %j = tensor.insert_slice %r into %w[8] [8] [1] : tensor<8xf32> into tensor<16xf32>
  bufferization.materialize_in_destination %j in restrict writable %y : (tensor<16xf32>, memref<16xf32>) -> ()
  return
}

// -----

// The sum runs after the others, and stores what the second op reads before it.
#ij = affine_map<(i, j) -> (i, j)>
func.func @order(%m0: memref<40x300xf32>, %m1: memref<40x300xf32>, %m2: memref<40x300xf32>, %m3: memref<40x300xf32>) {
  %t = bufferization.to_tensor %m0 restrict : memref<40x300xf32> to tensor<40x300xf32>
  %e = tensor.empty() : tensor<40x300xf32>
  %x = linalg.exp ins(%t : tensor<40x300xf32>) outs(%e : tensor<40x300xf32>) -> tensor<40x300xf32>
  // expected-note@below {{overwritten here}}
  bufferization.materialize_in_destination %x in restrict writable %m1 : (tensor<40x300xf32>, memref<40x300xf32>) -> ()
  %u = bufferization.to_tensor %m1 restrict : memref<40x300xf32> to tensor<40x300xf32>
  // expected-error@below {{reads what is stored in an argument in a kernel that does not come behind the store; use the tensor that is stored}}
  %y = linalg.exp ins(%u : tensor<40x300xf32>) outs(%e : tensor<40x300xf32>) -> tensor<40x300xf32>
  bufferization.materialize_in_destination %y in restrict writable %m2 : (tensor<40x300xf32>, memref<40x300xf32>) -> ()
  %z = linalg.generic {indexing_maps = [#ij, #ij, #ij], iterator_types = ["parallel", "parallel"]}
      ins(%x, %t : tensor<40x300xf32>, tensor<40x300xf32>) outs(%e : tensor<40x300xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %s = arith.addf %a, %b : f32
    linalg.yield %s : f32
  } -> tensor<40x300xf32>
  bufferization.materialize_in_destination %z in restrict writable %m3 : (tensor<40x300xf32>, memref<40x300xf32>) -> ()
  return
}

// -----

func.func @overlapping(%m0: memref<8x64xf32>, %m1: memref<8x64xf32>) {
  // expected-error@below {{may be of memory that another argument is of, too, and 'overlapping' becomes several kernels; promise 'restrict'}}
  %t = bufferization.to_tensor %m0 : memref<8x64xf32> to tensor<8x64xf32>
  %e = tensor.empty() : tensor<8x64xf32>
  %s = memspace.sort dimension(1) ins(%t : tensor<8x64xf32>) outs(%e : tensor<8x64xf32>) {
  ^bb0(%a: f32, %b: f32):
    %c = arith.cmpf olt, %a, %b : f32
    memspace.yield %c : i1
  } -> tensor<8x64xf32>
  %r = linalg.exp ins(%s : tensor<8x64xf32>) outs(%e : tensor<8x64xf32>) -> tensor<8x64xf32>
  bufferization.materialize_in_destination %r in restrict writable %m1 : (tensor<8x64xf32>, memref<8x64xf32>) -> ()
  return
}

// -----

// What a kernel computes is not known before it.
func.func @asserted_of_data(%x: tensor<4xf32>) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  // expected-error@+1 {{is needed by the host, to allocate memory between two kernels or for an assertion, and the host cannot compute it; give it as an argument, or by 'tensor.dim' of one}}
  %a = tensor.extract %x[%c0] : tensor<4xf32>
  %p = arith.cmpf ogt, %a, %zero : f32
  cf.assert %p, "not positive"
  %r = linalg.exp ins(%x : tensor<4xf32>) outs(%x : tensor<4xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// -----

// Upstream's fusion would lose what the op leaves.
func.func @first_column(%x: tensor<8xf32>, %old: tensor<8x16xf32>) -> tensor<8x16xf32> {
  // expected-error@+1 {{does not write all of output 0 of 'first_column'}}
  %r = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i, 0)>], iterator_types = ["parallel"]}
      ins(%x : tensor<8xf32>) outs(%old : tensor<8x16xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<8x16xf32>
  return %r : tensor<8x16xf32>
}

// -----

func.func private @elsewhere(tensor<8xf32>) -> tensor<8xf32>

func.func @of_no_body(%x: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error@+1 {{calls 'elsewhere', which cannot go into a kernel; inline it (--inline does where it has a body and does not call itself), or write out what it does}}
  %r = func.call @elsewhere(%x) : (tensor<8xf32>) -> tensor<8xf32>
  return %r : tensor<8xf32>
}
