// RUN: not memspace-opt %s -memspace-fit-to-budget="chip=gfx942 objective=speed" 2>&1 | FileCheck %s --check-prefix=OBJECTIVE
// OBJECTIVE: error: objective 'speed' is none of 'balanced', 'reuse', 'occupancy' and 'bytes'

// RUN: not memspace-opt %s -memspace-fit-to-budget="chip=gfx942 configuration='tiles=4'" 2>&1 | FileCheck %s --check-prefix=TEXT
// TEXT: :[[#@LINE+26]]:1: error: 'tiles=4' is no configuration; write one as 'threads=256 block=64x64 thread=4x4 subgroup=16x32 reduction=32 promote stages=2'

// RUN: not memspace-opt %s -memspace-fit-to-budget="chip=gfx942 configuration='threads=64 block=4'" 2>&1 | FileCheck %s --check-prefix=LOOPS
// LOOPS: error: the configuration 'threads=64 block=4' has 1 tile sizes of a workgroup, but 'matmul' has 2 loops for workgroups

// RUN: not memspace-opt %s -memspace-fit-to-budget="chip=gfx942 kernel-options='paddin=true'" 2>&1 | FileCheck %s --check-prefix=OPTIONS
// OPTIONS: error: 'paddin=true' are no options of memspace-kernel-pipeline: {{.*}}no such option paddin

// RUN: not memspace-opt %s -memspace-fit-to-budget="chip=gfx942 configuration='threads=64 block=16x16 reduction=16 stages=2'" 2>&1 | FileCheck %s --check-prefix=COPIES
// COPIES: error: nothing can be copied ahead in 2 stages for 'matmul'; give 'promote' and a 'reduction' that cuts a contraction into as many parts or more, of one constant size

// RUN: not memspace-opt %s -memspace-fit-to-budget="chip=gfx942 configuration='threads=64 block=16x16 reduction=32 promote stages=3'" 2>&1 | FileCheck %s --check-prefix=AHEAD
// AHEAD: error: nothing can be copied ahead in 3 stages for 'matmul'

// RUN: not memspace-opt %s -memspace-fit-to-budget 2>&1 | FileCheck %s --check-prefix=TARGET
// TARGET: error: kernel 'matmul' has no target

// RUN: echo '{' > %t.broken
// RUN: not memspace-opt %s -memspace-fit-to-budget="chip=gfx942 record=%t.broken" 2>&1 | FileCheck %s --check-prefix=BROKEN
// BROKEN: error: the record '{{.*}}.broken' is no JSON of this pass:
// RUN: echo '[]' > %t.other
// RUN: not memspace-opt %s -memspace-fit-to-budget="chip=gfx942 record=%t.other" 2>&1 | FileCheck %s --check-prefix=OTHER
// OTHER: error: the record '{{.*}}.other' is no JSON of this pass: it has no array 'kernels'
// RUN: not memspace-opt %s -memspace-fit-to-budget="chip=gfx942 record=%t.none/file" 2>&1 | FileCheck %s --check-prefix=FOLDER
// FOLDER: error: the record '{{.*}}.none/file' cannot be written:

func.func @matmul(%A: memref<64x64xf32>, %B: memref<64x64xf32>, %out: memref<64x64xf32>) {
  %a = bufferization.to_tensor %A restrict : memref<64x64xf32> to tensor<64x64xf32>
  %b = bufferization.to_tensor %B restrict : memref<64x64xf32> to tensor<64x64xf32>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x64xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
  %c = linalg.matmul ins(%a, %b : tensor<64x64xf32>, tensor<64x64xf32>) outs(%f : tensor<64x64xf32>) -> tensor<64x64xf32>
  bufferization.materialize_in_destination %c in restrict writable %out : (tensor<64x64xf32>, memref<64x64xf32>) -> ()
  return
}
