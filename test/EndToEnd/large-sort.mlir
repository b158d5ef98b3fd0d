// A row of 100,000 elements, which no workgroup has memory for, down to assembly: two
// kernels, of which one has workgroup memory, launched by the host; 49 tiles become one
// in six rounds.
// RUN: mkdir -p %t.dir
// RUN: %python %S/Inputs/large_sort.py memspace-opt memspace-runner %t.dir | FileCheck %s --check-prefix=RESULTS
// RUN: memspace-opt %s -memspace-split-large-sorts=chip=gfx942 -memspace-rocdl-pipeline=chip=gfx942 -o %t.amd
// RUN: %python %src_root/utils/asm_workgroup_bytes.py < %t.amd | FileCheck %s --check-prefix=AMD
// RUN: FileCheck %s --check-prefix=HOST --input-file=%t.amd
// RUN: memspace-opt %s -memspace-split-large-sorts=chip=sm_90 -memspace-nvvm-pipeline=chip=sm_90 -o %t.nv
// RUN: %python %src_root/utils/asm_workgroup_bytes.py < %t.nv | FileCheck %s --check-prefix=NVIDIA
// RUN: FileCheck %s --check-prefix=HOST --input-file=%t.nv

// RESULTS: random: right
// RESULTS: duplicates: right
// RESULTS: not stable: right
// RESULTS: all equal: right
// RESULTS: sorted: right
// RESULTS: reversed: right
// RESULTS: one more than fits: right
// RESULTS: rows: right
// RESULTS: columns: right
// RESULTS: order of rows: right
// RESULTS: order of columns: right
// RESULTS-NOT: WRONG

// AMD-DAG: gfx942 sort_tiles workgroup=16384 dynamic=0 private=0 malloc=no
// AMD-DAG: gfx942 sort_merge workgroup=0 dynamic=0 private=0 malloc=no
// NVIDIA-DAG: sm_90 sort_tiles workgroup={{[0-9]+}} dynamic={{[0-9]+}} private=0 malloc=no
// NVIDIA-DAG: sm_90 sort_merge workgroup=0 dynamic=0 private=0 malloc=no

// HOST: func.func @sort(%[[IN:.*]]: memref<100000xi32>, %[[OUT:.*]]: memref<100000xi32>) {
// HOST: %[[WS:.*]] = memref.alloc() : memref<100000xi32>
// HOST: gpu.launch_func @sort_tiles_module::@sort_tiles blocks in (%{{.*}}, %{{.*}}, %{{.*}}) threads in (%c256{{.*}}) {{.*}}args(%[[IN]] : memref<100000xi32>, %[[WS]] : memref<100000xi32>)
// HOST: gpu.launch_func @sort_merge_module::@sort_merge blocks in (%c391{{.*}}) threads in (%c256{{.*}}) args(%[[WS]] : memref<100000xi32>, %[[TO:.*]] : memref<100000xi32>, %{{.*}} : index)
// HOST: gpu.launch_func @sort_merge_module::@sort_merge
// HOST: gpu.launch_func @sort_merge_module::@sort_merge blocks in (%c391{{.*}}) threads in (%c256{{.*}}) args(%{{[^,]*}}, %[[OUT]] : memref<100000xi32>, %{{.*}} : index)
// HOST: memref.dealloc %[[WS]]
// HOST: memref.dealloc %[[TO]]
func.func @sort(%in: memref<100000xi32>, %out: memref<100000xi32>)
    attributes {gpu.known_block_size = array<i32: 256, 1, 1>} {
  %x = bufferization.to_tensor %in restrict : memref<100000xi32> to tensor<100000xi32>
  %e = tensor.empty() : tensor<100000xi32>
  %s = memspace.sort dimension(0) ins(%x : tensor<100000xi32>) outs(%e : tensor<100000xi32>) {
  ^bb0(%a: i32, %b: i32):
    %first = arith.cmpi slt, %a, %b : i32
    memspace.yield %first : i1
  } -> tensor<100000xi32>
  bufferization.materialize_in_destination %s in restrict writable %out : (tensor<100000xi32>, memref<100000xi32>) -> ()
  return
}
