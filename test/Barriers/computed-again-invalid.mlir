// RUN: not memspace-opt %s -memspace-verify-barriers=chip=gfx942 -o /dev/null 2>&1 | FileCheck %s

// An op with regions has no operands, and hangs on the iteration all the same.
// CHECK: :[[@LINE+14]]:{{[0-9]+}}: error: possible data race
func.func @of_region(%x: memref<64xf32>, %n: index) attributes {
    gpu.known_block_size = array<i32: 64, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1.0 : f32
  %tid = gpu.thread_id x
  %s = memref.alloc() : memref<512xf32, #gpu.address_space<workgroup>>
  scf.for %k = %c0 to %n step %c1 {
    %y = affine.for %z = 0 to 1 iter_args(%a = %c0) -> index {
      affine.yield %k : index
    }
    %i = arith.addi %tid, %y : index
    memref.store %one, %s[%i] : memref<512xf32, #gpu.address_space<workgroup>>
    %v = memref.load %s[%i] : memref<512xf32, #gpu.address_space<workgroup>>
    memref.store %v, %x[%tid] : memref<64xf32>
  }
  return
}

// A step that 64 bits cannot hold: the guard does hold.
// CHECK: :[[@LINE+16]]:{{[0-9]+}}: error: possible data race
func.func @of_many_bits(%x: memref<64xf32>, %n: index) attributes {
    gpu.known_block_size = array<i32: 64, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c63 = arith.constant 63 : index
  %zero = arith.constant 0 : i128
  %step = arith.constant 18446744073709551612 : i128
  %one = arith.constant 1.0 : f32
  %tid = gpu.thread_id x
  %other = arith.subi %c63, %tid : index
  %s = memref.alloc() : memref<64xf32, #gpu.address_space<workgroup>>
  %r = scf.for %k = %c0 to %n step %c1 iter_args(%i = %zero) -> i128 {
    %isPositive = arith.cmpi sgt, %i, %zero : i128
    scf.if %isPositive {
      memref.store %one, %s[%tid] : memref<64xf32, #gpu.address_space<workgroup>>
      %v = memref.load %s[%other] : memref<64xf32, #gpu.address_space<workgroup>>
      memref.store %v, %x[%tid] : memref<64xf32>
    }
    %next = arith.addi %i, %step overflow<nsw> : i128
    scf.yield %next : i128
  }
  return
}
