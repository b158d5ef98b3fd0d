// RUN: memspace-opt %s -split-input-file -verify-diagnostics -memspace-distribute-to-threads=chip=gfx942

// S14: the old value of an atomic is used by everybody, so that it can be
// neither repeated nor guarded.
func.func @atomic_result(%count: memref<1xi32>, %out: memref<64xi32>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1 : i32
  // expected-error @+1 {{has side effects and a result, and is executed by every thread of a workgroup; put it and what uses its result into a scf.forall of one iteration}}
  %old = memref.atomic_rmw addi %one, %count[%c0] : (i32, memref<1xi32>) -> i32
  memref.store %old, %out[%c0] : memref<64xi32>
  return
}


// -----

// A warpgroup has no lanes to spread the work over.
func.func @warpgroup(%out: memref<64xf32>)
    attributes {gpu.known_block_size = array<i32: 256, 1, 1>} {
  %ot = bufferization.to_tensor %out restrict writable : memref<64xf32> to tensor<64xf32>
  %z = arith.constant 0.0 : f32
  %r = scf.forall (%g) in (1) shared_outs(%o = %ot) -> (tensor<64xf32>) {
    %d = tensor.extract_slice %o[0] [64] [1] : tensor<64xf32> to tensor<64xf32>
    // expected-error @+1 {{is executed by all threads of a warpgroup and writes memory that they share; distribute it over threads}}
    %f = linalg.fill ins(%z : f32) outs(%d : tensor<64xf32>) -> tensor<64xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %f into %o[0] [64] [1] : tensor<64xf32> into tensor<64xf32>
    }
  } {mapping = [#gpu.warpgroup<linear_dim_0>]}
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<64xf32>, memref<64xf32>) -> ()
  return
}

// -----

// One thread has to write the argument, and each its own.
func.func @either(%x: memref<4xi32>, %which: i1) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1 : i32
  %own = memref.alloca() : memref<4xi32>
  %m = arith.select %which, %own, %x : memref<4xi32>
  // expected-error@+1 {{'memref.store' op is executed by every thread of a workgroup, and may write memory that each of them has or memory that they share; write each of the two by an op of its own}}
  memref.store %one, %m[%c0] : memref<4xi32>
  return
}
