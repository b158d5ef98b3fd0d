// Where 64 bits hold an index that is computed beyond them, it is there.
// RUN: memspace-opt %s -verify-diagnostics=only-expected -memspace-verify-barriers=chip=gfx942 -o /dev/null

#wg = #gpu.address_space<workgroup>

// 4 * 2^62 is 0.
func.func @wraps(%n: index, %out: memref<128xf32>) attributes {gpu.known_block_size = array<i32: 128, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c127 = arith.constant 127 : index
  %huge = arith.constant 4611686018427387904 : index
  %f = arith.constant 1.0 : f32
  %x = gpu.thread_id x
  %y = arith.subi %c127, %x : index
  %s = memref.alloc() : memref<128xf32, #wg>
  %r = scf.while (%d = %c1) : (index) -> index {
    %go = arith.cmpi slt, %d, %n : index
    scf.condition(%go) %d : index
  } do {
  ^bb0(%d: index):
    %is = arith.cmpi eq, %d, %huge : index
    scf.if %is {
      %a = arith.muli %d, %c4 : index
      %i = arith.addi %a, %x : index
      // expected-error@+1 {{possible data race (RAW}}
      memref.store %f, %s[%i] : memref<128xf32, #wg>
      %v = memref.load %s[%y] : memref<128xf32, #wg>
      memref.store %v, %out[%x] : memref<128xf32>
    }
    %e = arith.shli %d, %c1 : index
    scf.yield %e : index
  }
  return
}
