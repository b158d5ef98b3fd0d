// RUN: memspace-opt %s -split-input-file -verify-diagnostics -memspace-rocdl-pipeline=chip=gfx942
// RUN: sed '/expected-error/d' %s | memspace-opt -split-input-file -memspace-nvvm-pipeline=chip=sm_90 -o /dev/null

func.func @scalar(%a: memref<64xf64>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %i = gpu.thread_id x
  %x = memref.load %a[%i] : memref<64xf64>
  // What has instructions compiles.
  %root = math.sqrt %x : f64
  // expected-error @below {{'math.tanh' on 'f64' has no lowering to the AMDGPU backend: no device library is linked, and only floats of 32 bits or less are approximated; compute it in f32 ('arith.truncf', 'arith.extf'), or by 'arith' ops of your own}}
  %y = math.tanh %root : f64
  memref.store %y, %a[%i] : memref<64xf64>
  return
}

// -----

func.func @vector(%a: memref<64xvector<2xf64>>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %i = gpu.thread_id x
  %x = memref.load %a[%i] : memref<64xvector<2xf64>>
  // expected-error @below {{'math.sincos' on 'vector<2xf64>' has no lowering to the AMDGPU backend}}
  %s, %c = math.sincos %x : vector<2xf64>
  memref.store %s, %a[%i] : memref<64xvector<2xf64>>
  return
}
