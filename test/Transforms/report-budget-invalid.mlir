// RUN: memspace-opt %s -memspace-report-budget="chip=gfx942 format=xml" -verify-diagnostics

// expected-error @below {{unknown format 'xml' of a budget report; use 'text' or 'json'}}
module {
  func.func @kernel() attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    return
  }
}
