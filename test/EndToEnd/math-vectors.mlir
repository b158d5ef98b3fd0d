// Functions of which upstream converts nothing, or no vectors, go to assembly.
// RUN: memspace-opt %s -memspace-rocdl-pipeline=chip=gfx942 -o /dev/null
// RUN: memspace-opt %s -memspace-nvvm-pipeline=chip=sm_90 -o /dev/null
// RUN: memspace-opt %s -pass-pipeline='builtin.module(memspace-outline-kernels{chip=gfx942},gpu.module(memspace-expand-math))' | FileCheck %s

// CHECK-LABEL: gpu.func @classes
// CHECK: %[[INF:.*]] = arith.constant 0x7C00 : f16
// CHECK: arith.cmpf oeq, %{{.*}}, %[[INF]] : f16
// CHECK: arith.cmpf oge
// CHECK: arith.cmpf olt, %{{.*}}, %[[INF]] : f16
// CHECK-NOT: math.isinf
// CHECK-NOT: math.isnormal
func.func @classes(%a: memref<64xf16>, %o: memref<64xi1>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %i = gpu.thread_id x
  %x = memref.load %a[%i] : memref<64xf16>
  %inf = math.isinf %x : f16
  %normal = math.isnormal %x : f16
  %r = arith.xori %inf, %normal : i1
  memref.store %r, %o[%i] : memref<64xi1>
  return
}

// CHECK-LABEL: gpu.func @vectors
// CHECK-NOT: math.log10
// CHECK-NOT: math.sincos
func.func @vectors(%a: memref<64xvector<4xf16>>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %i = gpu.thread_id x
  %x = memref.load %a[%i] : memref<64xvector<4xf16>>
  %l = math.log10 %x : vector<4xf16>
  %s, %c = math.sincos %l : vector<4xf16>
  %r = arith.addf %s, %c : vector<4xf16>
  memref.store %r, %a[%i] : memref<64xvector<4xf16>>
  return
}
