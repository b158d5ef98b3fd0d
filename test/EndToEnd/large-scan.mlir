// A row of 100,000 elements by several workgroups, down to assembly: three kernels, of
// which two have workgroup memory, launched by the host.
// RUN: mkdir -p %t.dir
// RUN: %python %S/Inputs/large_scan.py memspace-opt memspace-runner %t.dir | FileCheck %s --check-prefix=RESULTS
// RUN: memspace-opt %s -memspace-split-large-scans -memspace-rocdl-pipeline=chip=gfx942 -o %t.amd
// RUN: %python %src_root/utils/asm_workgroup_bytes.py < %t.amd | FileCheck %s --check-prefix=AMD
// RUN: FileCheck %s --input-file=%t.amd
// RUN: memspace-opt %s -memspace-split-large-scans -memspace-nvvm-pipeline=chip=sm_90 -o %t.nv
// RUN: %python %src_root/utils/asm_workgroup_bytes.py < %t.nv | FileCheck %s --check-prefix=NVIDIA
// RUN: FileCheck %s --input-file=%t.nv

// RESULTS: sums: right
// RESULTS: maps: right
// RESULTS: in place: right
// RESULTS: exclusive: right
// RESULTS: reverse: right
// RESULTS: reverse from an argument: right
// RESULTS: a last chunk of one: right
// RESULTS: short rows: right
// RESULTS: rows: right
// RESULTS: columns: right
// RESULTS: planes: right
// RESULTS-NOT: WRONG

// AMD-DAG: gfx942 scan_totals workgroup=2048 dynamic=0 private=0 malloc=no
// AMD-DAG: gfx942 scan_offsets workgroup=0 dynamic=0 private=0 malloc=no
// AMD-DAG: gfx942 scan_chunks workgroup=16 dynamic=0 private=0 malloc=no
// NVIDIA-DAG: sm_90 scan_totals workgroup=2080 dynamic=0 private=0 malloc=no
// NVIDIA-DAG: sm_90 scan_offsets workgroup=0 dynamic=0 private=0 malloc=no
// NVIDIA-DAG: sm_90 scan_chunks workgroup=32 dynamic=0 private=0 malloc=no

// CHECK: func.func @scan(%[[IN:.*]]: memref<100000xf32>, %[[OUT:.*]]: memref<100000xf32>) {
// CHECK: %[[WS:.*]] = memref.alloc() : memref<1x97xf32>
// CHECK: gpu.launch_func @scan_totals_module::@scan_totals blocks in (%c97{{.*}}) threads in (%c256{{.*}}) args(%[[IN]] : memref<100000xf32>, %[[WS]] : memref<1x97xf32>)
// CHECK: gpu.launch_func @scan_offsets_module::@scan_offsets blocks in (%c1{{.*}}) threads in (%c256{{.*}}) {{.*}}args(%[[WS]] : memref<1x97xf32>)
// CHECK: gpu.launch_func @scan_chunks_module::@scan_chunks blocks in (%c98{{.*}}) threads in (%c256{{.*}}) args(%[[IN]] : memref<100000xf32>, %[[OUT]] : memref<100000xf32>, %[[WS]] : memref<1x97xf32>)
// CHECK: memref.dealloc %[[WS]]
func.func @scan(%in: memref<100000xf32>, %out: memref<100000xf32>)
    attributes {gpu.known_block_size = array<i32: 256, 1, 1>} {
  %x = bufferization.to_tensor %in restrict : memref<100000xf32> to tensor<100000xf32>
  %e = tensor.empty() : tensor<100000xf32>
  %s = memspace.scan dimension(0) ins(%x : tensor<100000xf32>) outs(%e : tensor<100000xf32>) {
  ^bb0(%a: f32, %b: f32):
    %c = arith.addf %a, %b : f32
    memspace.yield %c : f32
  } -> tensor<100000xf32>
  bufferization.materialize_in_destination %s in restrict writable %out : (tensor<100000xf32>, memref<100000xf32>) -> ()
  return
}
