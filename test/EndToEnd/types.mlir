// Element types, math functions, dynamic arguments and constants.
// RUN: memspace-opt %s -memspace-pack-workgroup-memory -memspace-check-budget=chip=gfx942 -memspace-rocdl-backend-pipeline | %python %src_root/utils/asm_workgroup_bytes.py | FileCheck %s --check-prefix=AMD
// RUN: memspace-opt %s -memspace-pack-workgroup-memory -memspace-check-budget=chip=sm_90 -memspace-nvvm-backend-pipeline | %python %src_root/utils/asm_workgroup_bytes.py | FileCheck %s --check-prefix=NVIDIA
// RUN: memspace-opt %s -memspace-pack-workgroup-memory -memspace-check-budget=chip=gfx1100 -memspace-rocdl-backend-pipeline=chip=gfx1100 | %python %src_root/utils/asm_workgroup_bytes.py | FileCheck %s --check-prefix=RDNA
// RUN: memspace-opt %s -memspace-pack-workgroup-memory -memspace-check-budget=chip=sm_120 -memspace-nvvm-backend-pipeline=chip=sm_120 | %python %src_root/utils/asm_workgroup_bytes.py | FileCheck %s --check-prefix=SM120

#wg = #gpu.address_space<workgroup>
#private = #gpu.address_space<private>

// AMD:    gfx942 matmul_f16 workgroup=4096 dynamic=0 private={{[0-9]+}} malloc=no dynamic-stack=no calls=none
// NVIDIA: sm_90 matmul_f16 workgroup=4096 dynamic=0 private={{[0-9]+}} malloc=no dynamic-stack=no calls=none
// RDNA:   gfx1100 matmul_f16 workgroup=4096
// SM120:  sm_120 matmul_f16 workgroup=4096
func.func @matmul_f16(%a: memref<32x32xf16>, %b: memref<32x32xf16>, %c: memref<32x32xf32>)
    attributes {gpu.known_block_size = array<i32: 32, 32, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %zero = arith.constant 0.0 : f32
  %x = gpu.thread_id x
  %y = gpu.thread_id y
  %ta = memref.alloc() : memref<32x32xf16, #wg>
  %tb = memref.alloc() : memref<32x32xf16, #wg>
  %acc = memref.alloca() : memref<1x1xf32, #private>
  %sa = memref.subview %a[%y, %x] [1, 1] [1, 1] : memref<32x32xf16> to memref<1x1xf16, strided<[32, 1], offset: ?>>
  %da = memref.subview %ta[%y, %x] [1, 1] [1, 1] : memref<32x32xf16, #wg> to memref<1x1xf16, strided<[32, 1], offset: ?>, #wg>
  linalg.copy ins(%sa : memref<1x1xf16, strided<[32, 1], offset: ?>>) outs(%da : memref<1x1xf16, strided<[32, 1], offset: ?>, #wg>)
  %sb = memref.subview %b[%y, %x] [1, 1] [1, 1] : memref<32x32xf16> to memref<1x1xf16, strided<[32, 1], offset: ?>>
  %db = memref.subview %tb[%y, %x] [1, 1] [1, 1] : memref<32x32xf16, #wg> to memref<1x1xf16, strided<[32, 1], offset: ?>, #wg>
  memref.copy %sb, %db : memref<1x1xf16, strided<[32, 1], offset: ?>> to memref<1x1xf16, strided<[32, 1], offset: ?>, #wg>
  gpu.barrier
  linalg.fill ins(%zero : f32) outs(%acc : memref<1x1xf32, #private>)
  %ra = memref.subview %ta[%y, 0] [1, 32] [1, 1] : memref<32x32xf16, #wg> to memref<1x32xf16, strided<[32, 1], offset: ?>, #wg>
  %cb = memref.subview %tb[0, %x] [32, 1] [1, 1] : memref<32x32xf16, #wg> to memref<32x1xf16, strided<[32, 1], offset: ?>, #wg>
  linalg.matmul ins(%ra, %cb : memref<1x32xf16, strided<[32, 1], offset: ?>, #wg>, memref<32x1xf16, strided<[32, 1], offset: ?>, #wg>)
      outs(%acc : memref<1x1xf32, #private>)
  %r = memref.load %acc[%c0, %c0] : memref<1x1xf32, #private>
  memref.store %r, %c[%y, %x] : memref<32x32xf32>
  return
}

// AMD:    gfx942 transpose_bf16 workgroup=2048
// NVIDIA: sm_90 transpose_bf16 workgroup=2048
func.func @transpose_bf16(%x: memref<?x?xbf16>, %out: memref<?x?xbf16>)
    attributes {gpu.known_block_size = array<i32: 32, 32, 1>} {
  %i = gpu.thread_id x
  %j = gpu.thread_id y
  %t = memref.alloc() : memref<32x32xbf16, #wg>
  %0 = memref.load %x[%j, %i] : memref<?x?xbf16>
  %1 = arith.addf %0, %0 : bf16
  memref.store %1, %t[%j, %i] : memref<32x32xbf16, #wg>
  gpu.barrier
  %2 = memref.load %t[%i, %j] : memref<32x32xbf16, #wg>
  memref.store %2, %out[%i, %j] : memref<?x?xbf16>
  return
}

// AMD:    gfx942 functions workgroup=640 dynamic=0 private=0 malloc=no dynamic-stack=no calls=none
// NVIDIA: sm_90 functions workgroup=640 dynamic=0 private=0 malloc=no dynamic-stack=no calls=none
func.func @functions(%x: memref<?xf32>, %y: memref<?xf16>)
    attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
  %i = gpu.thread_id x
  %t = memref.alloc() : memref<128xf32, #wg>
  %f = memref.alloc() : memref<128xi1, #wg>
  %0 = memref.load %x[%i] : memref<?xf32>
  %1 = math.exp %0 : f32
  %2 = math.sin %1 : f32
  %3 = math.log %2 : f32
  %4 = math.tanh %3 : f32
  %5 = math.powf %4, %1 : f32
  %6 = math.rsqrt %5 : f32
  %7 = math.exp2 %6 : f32
  %8 = math.fma %7, %6, %5 : f32
  %9 = math.erf %8 : f32
  %10 = math.sqrt %9 : f32
  %11 = math.cos %10 : f32
  %12 = math.floor %11 : f32
  %h = memref.load %y[%i] : memref<?xf16>
  %h1 = math.exp %h : f16
  %h2 = math.cos %h1 : f16
  memref.store %h2, %y[%i] : memref<?xf16>
  %p = arith.cmpf ogt, %12, %0 : f32
  memref.store %p, %f[%i] : memref<128xi1, #wg>
  memref.store %12, %t[%i] : memref<128xf32, #wg>
  gpu.barrier
  %c127 = arith.constant 127 : index
  %j = arith.subi %c127, %i : index
  %v = memref.load %t[%j] : memref<128xf32, #wg>
  %q = memref.load %f[%j] : memref<128xi1, #wg>
  %s = arith.select %q, %v, %0 : f32
  memref.store %s, %x[%i] : memref<?xf32>
  return
}

// AMD:    gfx942 constants workgroup=0 dynamic=0 private={{[0-9]+}} malloc=no dynamic-stack=no calls=none
// NVIDIA: sm_90 constants workgroup=0 dynamic=0 private={{[0-9]+}} malloc=no dynamic-stack=no calls=none
memref.global "private" constant @table : memref<8xf32> = dense<[0.5, 1.0, 1.5, 2.0, 2.5, 3.0, 3.5, 4.0]>
func.func @constants(%x: memref<?xf32>) attributes {gpu.known_block_size = array<i32: 8, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %i = gpu.thread_id x
  %table = memref.get_global @table : memref<8xf32>
  scf.for %k = %c0 to %c4 step %c1 {
    // Moved to the entry: no dynamic stack.
    %p = memref.alloca() : memref<8xf32, #private>
    %0 = memref.load %table[%i] : memref<8xf32>
    memref.store %0, %p[%k] : memref<8xf32, #private>
    %1 = func.call @helper(%0) : (f32) -> f32
    memref.store %1, %x[%i] : memref<?xf32>
  }
  return
}
func.func private @helper(%v: f32) -> f32 {
  %0 = arith.addf %v, %v : f32
  return %0 : f32
}
