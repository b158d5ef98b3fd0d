// RUN: memspace-opt %s -memspace-outline-kernels='chip=sm_90 memory-spaces="private=5,workgroup=3"' -verify-diagnostics

// Upstream's op for dynamic shared memory has one memory space.

// expected-error @below {{kernel 'k' needs dynamic shared memory for 65536 bytes, which has #gpu.address_space<workgroup>; write workgroup memory so, or use at most 49152 bytes}}
func.func @k(%x: memref<64xf32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %c0 = arith.constant 0 : index
  %t = gpu.thread_id x
  %a = memref.alloc() : memref<65536xi8, 3>
  %b = memref.view %a[%c0][] : memref<65536xi8, 3> to memref<16384xf32, 3>
  %v = memref.load %x[%t] : memref<64xf32>
  memref.store %v, %b[%t] : memref<16384xf32, 3>
  return
}
