// A sort of 1000 keys with payloads, down to assembly: the bytes of workgroup memory
// are those that were analysed, nothing is allocated, and the private elements of a
// thread are in registers.
// RUN: memspace-opt %s -memspace-rocdl-pipeline=chip=gfx942 -o %t.amd
// RUN: %python %src_root/utils/asm_workgroup_bytes.py --asm < %t.amd | FileCheck %s --check-prefix=AMD
// RUN: memspace-opt %s -memspace-nvvm-pipeline=chip=sm_90 -o %t.nv
// RUN: %python %src_root/utils/asm_workgroup_bytes.py --asm < %t.nv | FileCheck %s --check-prefix=NV
// RUN: %python %src_root/utils/asm_workgroup_bytes.py < %t.amd | FileCheck %s --check-prefix=BYTES
// RUN: %python %src_root/utils/asm_workgroup_bytes.py < %t.nv | FileCheck %s --check-prefix=BYTES

// BYTES: sort workgroup=8192

// AMD-LABEL: {{^}}sort:
// AMD-NOT: malloc
// AMD: ds_read
// AMD: s_barrier
// AMD: ds_write
// AMD: s_endpgm
// AMD: .set sort.private_seg_size, 0
// NV-LABEL: .entry sort(
// NV-NOT: malloc
// NV: ld.shared
// NV: bar.sync
// NV: ret;
func.func @sort(%key: memref<1000xf32>, %pay: memref<1000xi32>, %out: memref<1000xf32>, %perm: memref<1000xi32>)
    attributes {gpu.known_block_size = array<i32: 256, 1, 1>} {
  %kt = bufferization.to_tensor %key restrict : memref<1000xf32> to tensor<1000xf32>
  %pt = bufferization.to_tensor %pay restrict : memref<1000xi32> to tensor<1000xi32>
  %ke = tensor.empty() : tensor<1000xf32>
  %pe = tensor.empty() : tensor<1000xi32>
  %s:2 = memspace.sort dimension(0)
      ins(%kt, %pt : tensor<1000xf32>, tensor<1000xi32>)
      outs(%ke, %pe : tensor<1000xf32>, tensor<1000xi32>) {
  ^bb0(%a: f32, %b: f32, %i: i32, %j: i32):
    %before = arith.cmpf olt, %a, %b : f32
    memspace.yield %before : i1
  } -> tensor<1000xf32>, tensor<1000xi32>
  bufferization.materialize_in_destination %s#0 in restrict writable %out : (tensor<1000xf32>, memref<1000xf32>) -> ()
  bufferization.materialize_in_destination %s#1 in restrict writable %perm : (tensor<1000xi32>, memref<1000xi32>) -> ()
  return
}
