// RUN: memspace-opt %s -memspace-pack-workgroup-memory="objective=speed" -verify-diagnostics

// expected-error @below {{unknown objective 'speed' of packing; use 'balanced', 'bytes' or 'barriers'}}
module {
  func.func @kernel() attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    return
  }
}
