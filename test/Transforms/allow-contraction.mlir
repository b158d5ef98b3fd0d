// RUN: memspace-opt %s -memspace-allow-contraction | FileCheck %s

// CHECK: arith.mulf %{{.*}}, %{{.*}} fastmath<contract> : f32
// CHECK: arith.addf %{{.*}}, %{{.*}} fastmath<nnan,contract> : f32
// CHECK: arith.subf %{{.*}}, %{{.*}} fastmath<contract> : vector<4xf16>
// CHECK: arith.divf %{{.*}}, %{{.*}} : f32
func.func @f(%x: f32, %v: vector<4xf16>) -> (f32, vector<4xf16>) {
  %m = arith.mulf %x, %x : f32
  %a = arith.addf %m, %x fastmath<nnan> : f32
  %s = arith.subf %v, %v : vector<4xf16>
  %d = arith.divf %a, %x : f32
  return %d, %s : f32, vector<4xf16>
}
