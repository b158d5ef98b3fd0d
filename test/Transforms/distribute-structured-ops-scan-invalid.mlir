// RUN: memspace-opt %s -split-input-file -memspace-distribute-structured-ops=chip=gfx942 -verify-diagnostics

func.func @rank(%x: memref<1x1x1x1x1x1x1x1x1x1x8xf32>, %out: memref<1x1x1x1x1x1x1x1x1x1x8xf32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %t = bufferization.to_tensor %x restrict : memref<1x1x1x1x1x1x1x1x1x1x8xf32> to tensor<1x1x1x1x1x1x1x1x1x1x8xf32>
  %e = tensor.empty() : tensor<1x1x1x1x1x1x1x1x1x1x8xf32>
  // expected-error@+1 {{cannot be shared by the threads: a 'scf.forall' has at most 10 dimensions; collapse dimensions that are not scanned}}
  %s = memspace.scan dimension(10) ins(%t : tensor<1x1x1x1x1x1x1x1x1x1x8xf32>) outs(%e : tensor<1x1x1x1x1x1x1x1x1x1x8xf32>) {
  ^bb0(%a: f32, %b: f32):
    %c = arith.addf %a, %b : f32
    memspace.yield %c : f32
  } -> tensor<1x1x1x1x1x1x1x1x1x1x8xf32>
  bufferization.materialize_in_destination %s in restrict writable %out : (tensor<1x1x1x1x1x1x1x1x1x1x8xf32>, memref<1x1x1x1x1x1x1x1x1x1x8xf32>) -> ()
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
  // expected-error@+1 {{'memspace.scan' op is executed by a grid, which cannot share it; put it into a 'scf.forall' of blocks, or of warps, over its rows}}
  %s = memspace.scan dimension(0) ins(%u : tensor<64xf32>) outs(%d : tensor<64xf32>) {
  ^bb0(%a: f32, %b: f32):
    %c = arith.addf %a, %b : f32
    memspace.yield %c : f32
  } -> tensor<64xf32>
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<8x64xf32>, memref<8x64xf32>) -> ()
  bufferization.materialize_in_destination %s in restrict writable %more : (tensor<64xf32>, memref<64xf32>) -> ()
  return
}

// -----

func.func @memrefs(%x: memref<8x64xf32>, %y: memref<64xf32>, %out: memref<8x64xf32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %t = bufferization.to_tensor %x restrict : memref<8x64xf32> to tensor<8x64xf32>
  %e = tensor.empty() : tensor<8x64xf32>
  %r = scf.forall (%i) in (8) shared_outs(%o = %e) -> tensor<8x64xf32> {
    %row = tensor.extract_slice %t[%i, 0] [1, 64] [1, 1] : tensor<8x64xf32> to tensor<1x64xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %row into %o[%i, 0] [1, 64] [1, 1] : tensor<1x64xf32> into tensor<8x64xf32>
    }
  } {mapping = [#gpu.block<x>]}
  // expected-error@+1 {{'memspace.scan' op is executed by a grid, which cannot share it; put it into a 'scf.forall' of blocks, or of warps, over its rows}}
  memspace.scan dimension(0) ins(%y : memref<64xf32>) outs(%y : memref<64xf32>) {
  ^bb0(%a: f32, %b: f32):
    %c = arith.addf %a, %b : f32
    memspace.yield %c : f32
  }
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<8x64xf32>, memref<8x64xf32>) -> ()
  return
}

// -----

func.func @complex(%x: memref<64xcomplex<f32>>, %n: index) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %c64 = arith.constant 64 : index
  %m = arith.minui %n, %c64 : index
  %t = bufferization.to_tensor %x restrict writable : memref<64xcomplex<f32>> to tensor<64xcomplex<f32>>
  %s = tensor.extract_slice %t[0] [%m] [1] : tensor<64xcomplex<f32>> to tensor<?xcomplex<f32>>
  // expected-error@+1 {{'memspace.scan' op of elements of 'complex<f32>' cannot be shared by the threads where the length is not static; scan the parts of these elements, or pad the rows}}
  %r = memspace.scan dimension(0) ins(%s : tensor<?xcomplex<f32>>) outs(%s : tensor<?xcomplex<f32>>) {
  ^bb0(%a: complex<f32>, %b: complex<f32>):
    %c = complex.add %a, %b : complex<f32>
    memspace.yield %c : complex<f32>
  } -> tensor<?xcomplex<f32>>
  %y = tensor.insert_slice %r into %t[0] [%m] [1] : tensor<?xcomplex<f32>> into tensor<64xcomplex<f32>>
  bufferization.materialize_in_destination %y in restrict writable %x : (tensor<64xcomplex<f32>>, memref<64xcomplex<f32>>) -> ()
  return
}

// -----

func.func @own_and_shared(%x: memref<64xi32>, %y: memref<64xi32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %own = memref.alloca() : memref<64xi32>
  // expected-error@+1 {{'memspace.scan' op is executed by all threads of a workgroup, and writes memory that each of them has and memory that they share; write the one, and copy it to the other}}
  memspace.scan dimension(0) ins(%x, %x : memref<64xi32>, memref<64xi32>) outs(%own, %y : memref<64xi32>, memref<64xi32>) {
  ^bb0(%a: i32, %b: i32, %c: i32, %d: i32):
    %e = arith.addi %a, %c : i32
    %f = arith.muli %b, %d : i32
    memspace.yield %e, %f : i32, i32
  }
  return
}
