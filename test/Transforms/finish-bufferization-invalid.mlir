// RUN: memspace-opt %s -split-input-file -verify-diagnostics -memspace-finish-bufferization

// An access of the same iteration after the exchange.
func.func @access_after(%a: memref<4xf32>, %b: memref<4xf32>, %n: index) attributes {gpu.known_block_size = array<i32: 1, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:2 = scf.for %k = %c0 to %n step %c1 iter_args(%u = %a, %v = %b) -> (memref<4xf32>, memref<4xf32>) {
    // expected-error @below {{does not exchange loop-carried buffers at the end of a loop body, where it would be a permuted yield; copy the values instead (linalg.copy)}}
    memspace.exchange %u, %v [1, 0] : memref<4xf32>, memref<4xf32>
    %f = memref.load %u[%c0] : memref<4xf32>
    memref.store %f, %a[%c0] : memref<4xf32>
    scf.yield %u, %v : memref<4xf32>, memref<4xf32>
  }
  return
}

// -----

func.func @every_workgroup(%m: memref<4xf32>, %f: f32) attributes {gpu.known_block_size = array<i32: 4, 1, 1>, gpu.known_grid_size = array<i32: 2, 1, 1>} {
  // expected-error @below {{writes memory at grid scope, where every workgroup would repeat it; move it into the block forall}}
  linalg.fill ins(%f : f32) outs(%m : memref<4xf32>)
  scf.forall (%b) in (2) {
    memref.store %f, %m[%b] : memref<4xf32>
  } {mapping = [#gpu.block<x>]}
  return
}
