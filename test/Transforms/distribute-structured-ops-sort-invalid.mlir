// RUN: memspace-opt %s -split-input-file -memspace-distribute-structured-ops=chip=gfx942 -verify-diagnostics

func.func @dynamic(%x: memref<?xf32>, %out: memref<?xf32>, %n: index) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %t = bufferization.to_tensor %x restrict : memref<?xf32> to tensor<?xf32>
  %e = tensor.empty(%n) : tensor<?xf32>
  // expected-error@+1 {{'memspace.sort' op of 'tensor<?xf32>' cannot be shared by the threads: no constant upper bound of dimension 0 is known; make it the result of an 'arith.minsi' with a constant, or pad it to one with a key that comes last}}
  %s = memspace.sort dimension(0) ins(%t : tensor<?xf32>) outs(%e : tensor<?xf32>) {
  ^bb0(%a: f32, %b: f32):
    %c = arith.cmpf olt, %a, %b : f32
    memspace.yield %c : i1
  } -> tensor<?xf32>
  bufferization.materialize_in_destination %s in restrict writable %out : (tensor<?xf32>, memref<?xf32>) -> ()
  return
}

// -----

func.func @grid(%x: memref<8x64xf32>, %y: memref<64xf32>, %out: memref<8x64xf32>, %more: memref<64xf32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %t = bufferization.to_tensor %x restrict : memref<8x64xf32> to tensor<8x64xf32>
  %u = bufferization.to_tensor %y restrict : memref<64xf32> to tensor<64xf32>
  %e = tensor.empty() : tensor<8x64xf32>
  %d = tensor.empty() : tensor<64xf32>
  %r = scf.forall (%i) in (8) shared_outs(%o = %e) -> tensor<8x64xf32> {
    %row = tensor.extract_slice %t[%i, 0] [1, 64] [1, 1] : tensor<8x64xf32> to tensor<1x64xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %row into %o[%i, 0] [1, 64] [1, 1] : tensor<1x64xf32> into tensor<8x64xf32>
    }
  } {mapping = [#gpu.block<x>]}
  // expected-error@+1 {{'memspace.sort' op is executed by a grid, which cannot share it; put it into a 'scf.forall' of blocks, or of warps, over its rows}}
  %s = memspace.sort dimension(0) ins(%u : tensor<64xf32>) outs(%d : tensor<64xf32>) {
  ^bb0(%a: f32, %b: f32):
    %c = arith.cmpf olt, %a, %b : f32
    memspace.yield %c : i1
  } -> tensor<64xf32>
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<8x64xf32>, memref<8x64xf32>) -> ()
  bufferization.materialize_in_destination %s in restrict writable %more : (tensor<64xf32>, memref<64xf32>) -> ()
  return
}

// -----

func.func @dynamic_count(%x: memref<100xf32>, %out: memref<?xf32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %t = bufferization.to_tensor %x restrict : memref<100xf32> to tensor<100xf32>
  %o = bufferization.to_tensor %out restrict writable : memref<?xf32> to tensor<?xf32>
  // expected-error@+1 {{'memspace.topk' op of 'tensor<?xf32>' cannot be shared by the threads: the number of elements that are asked for must be static}}
  %s = memspace.topk dimension(0) ins(%t : tensor<100xf32>) values(%o : tensor<?xf32>) {
  ^bb0(%a: f32, %b: f32):
    %c = arith.cmpf olt, %a, %b : f32
    memspace.yield %c : i1
  } -> tensor<?xf32>
  bufferization.materialize_in_destination %s in restrict writable %out : (tensor<?xf32>, memref<?xf32>) -> ()
  return
}

// -----

// A row that no workgroup has memory for.
func.func @too_long(%in: memref<100000xi32>, %out: memref<100000xi32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %x = bufferization.to_tensor %in restrict : memref<100000xi32> to tensor<100000xi32>
  %e = tensor.empty() : tensor<100000xi32>
  // expected-error @below {{of rows of 100000 elements needs 524288 bytes of workgroup memory for a row; the limit of gfx942 is 65536; run 'memspace-split-large-sorts' before, which lets several workgroups sort a row}}
  %s = memspace.sort dimension(0) ins(%x : tensor<100000xi32>) outs(%e : tensor<100000xi32>) {
  ^bb0(%a: i32, %b: i32):
    %first = arith.cmpi slt, %a, %b : i32
    memspace.yield %first : i1
  } -> tensor<100000xi32>
  bufferization.materialize_in_destination %s in restrict writable %out : (tensor<100000xi32>, memref<100000xi32>) -> ()
  return
}
