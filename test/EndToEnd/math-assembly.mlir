// What upstream's conversions leave to a device library, or to nobody, has instructions.
// RUN: memspace-opt %s -memspace-compile-pipeline=chip=gfx942 -memspace-outline-kernels=chip=gfx942 -memspace-rocdl-backend-pipeline=chip=gfx942 | FileCheck %s --check-prefix=AMD
// RUN: memspace-opt %s -memspace-compile-pipeline=chip=sm_80 -memspace-outline-kernels=chip=sm_80 -memspace-nvvm-backend-pipeline=chip=sm_80 | FileCheck %s --check-prefix=NVIDIA

// AMD-DAG: v_bcnt_u32_b32
// AMD-DAG: v_ffbh_u32
// AMD-DAG: v_ffbl_b32
// NVIDIA-DAG: popc.b32
// NVIDIA-DAG: clz.b32
// NVIDIA-DAG: abs.s32
// NVIDIA-DAG: abs.s64
#i = affine_map<(i) -> (i)>
func.func @math(%x: tensor<256xf32>, %n: tensor<256xi32>) -> (tensor<256xf32>, tensor<256xi32>) {
  %e = tensor.empty() : tensor<256xf32>
  %f = tensor.empty() : tensor<256xi32>
  %r:2 = linalg.generic {indexing_maps = [#i, #i, #i, #i], iterator_types = ["parallel"]}
      ins(%x, %n : tensor<256xf32>, tensor<256xi32>) outs(%e, %f : tensor<256xf32>, tensor<256xi32>) {
  ^bb0(%a: f32, %b: i32, %o: f32, %p: i32):
    %l = math.log10 %a : f32
    %c = math.ctpop %b : i32
    %z = math.ctlz %b : i32
    %t = math.cttz %b : i32
    %m = math.absi %b : i32
    %s = arith.addi %c, %z : i32
    %u = arith.addi %t, %m : i32
    %v = arith.muli %s, %u : i32
    linalg.yield %l, %v : f32, i32
  } -> (tensor<256xf32>, tensor<256xi32>)
  return %r#0, %r#1 : tensor<256xf32>, tensor<256xi32>
}

// Reflected at the first element, as a padding is.
func.func @of_index(%x: tensor<256xf32>) -> tensor<200xf32> {
  %e = tensor.empty() : tensor<200xf32>
  %r = linalg.generic {indexing_maps = [#i], iterator_types = ["parallel"]} outs(%e : tensor<200xf32>) {
  ^bb0(%o: f32):
    %c100 = arith.constant 100 : index
    %j = linalg.index 0 : index
    %k = arith.subi %j, %c100 : index
    %m = math.absi %k : index
    %v = tensor.extract %x[%m] : tensor<256xf32>
    linalg.yield %v : f32
  } -> tensor<200xf32>
  return %r : tensor<200xf32>
}
