// A launch inside of a function of which an option says the block size is looked at once.
// RUN: memspace-opt %s -verify-diagnostics=only-expected -memspace-bufferize="chip=gfx942 block-size=64,1,1" -o /dev/null

func.func @launches(%x: memref<64xi32>) {
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %v = arith.constant 1 : i32
  %q = gpu.thread_id x
  memref.store %v, %x[%q] : memref<64xi32>
  // expected-warning @+1 {{a 'gpu.launch' is no function yet, so 'memspace-bufferize' does not look at it; run 'gpu-kernel-outlining' first}}
  gpu.launch blocks(%a, %b, %c) in (%d = %c1, %e = %c1, %f = %c1)
      threads(%t, %u, %w) in (%g = %c64, %h = %c1, %i = %c1) {
    gpu.terminator
  }
  return
}
