// RUN: memspace-opt %s -split-input-file -verify-diagnostics -memspace-prune-kernel-results

// What has no meaning is refused before anything is removed, in kernels and in
// what calls them.

func.func private @kernel(%x: memref<?xi32>, %out: memref<?xi32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %c2 = arith.constant 2 : index
  // expected-error @below {{asks for the extent of dimension 2 of 'memref<?xi32>', which has 1}}
  %d = memref.dim %x, %c2 : memref<?xi32>
  %e = arith.index_cast %d : index to i32
  linalg.fill ins(%e : i32) outs(%out : memref<?xi32>)
  return
}
func.func @host(%x: memref<?xi32>, %n: index) {
  %a = memref.alloc(%n) : memref<?xi32>
  call @kernel(%x, %a) : (memref<?xi32>, memref<?xi32>) -> ()
  memref.dealloc %a : memref<?xi32>
  return
}

// -----

func.func private @called_in_a_loop(%out: memref<i32>) {
  %c = arith.constant 0 : i32
  memref.store %c, %out[] : memref<i32>
  return
}
func.func @loops(%n: index, %out: memref<i32>) {
  %c0 = arith.constant 0 : index
  // expected-error @below {{loop with the step 0; a step must be positive: count the iterations upward}}
  scf.for %i = %c0 to %n step %c0 {
    func.call @called_in_a_loop(%out) : (memref<i32>) -> ()
  }
  return
}
