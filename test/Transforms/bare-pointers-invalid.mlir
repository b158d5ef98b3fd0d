// RUN: memspace-opt %s -memspace-bare-pointers -split-input-file -verify-diagnostics

gpu.module @m {
  // expected-error @below {{argument 1 of 'dynamic_extent' is 'memref<4x?xf32>', of which a bare pointer does not tell everything; give it static extents, strides and offset, or leave out 'bare-pointers'}}
  gpu.func @dynamic_extent(%a: memref<4xf32>, %b: memref<4x?xf32>) kernel
      attributes {known_block_size = array<i32: 16, 1, 1>} {
    gpu.return
  }
}

// -----

gpu.module @m {
  // expected-error @below {{argument 0 of 'dynamic_offset' is 'memref<4xf32, strided<[1], offset: ?>>'}}
  gpu.func @dynamic_offset(%a: memref<4xf32, strided<[1], offset: ?>>) kernel
      attributes {known_block_size = array<i32: 16, 1, 1>} {
    gpu.return
  }
}

// -----

gpu.module @m {
  // expected-error @below {{argument 0 of 'dynamic_stride' is 'memref<4x4xf32, strided<[?, 1]>>'}}
  gpu.func @dynamic_stride(%a: memref<4x4xf32, strided<[?, 1]>>) kernel
      attributes {known_block_size = array<i32: 16, 1, 1>} {
    gpu.return
  }
}

// -----

// Also of functions that kernels call.

gpu.module @m {
  gpu.func @kernel(%a: memref<4xf32>) kernel attributes {known_block_size = array<i32: 16, 1, 1>} {
    %0 = memref.cast %a : memref<4xf32> to memref<?xf32>
    func.call @callee(%0) : (memref<?xf32>) -> ()
    gpu.return
  }
  // expected-error @below {{argument 0 of 'callee' is 'memref<?xf32>'}}
  func.func private @callee(%a: memref<?xf32>) attributes {no_inline} {
    return
  }
}
