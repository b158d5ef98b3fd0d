// The first 10 of 1000, down to assembly: the bytes of workgroup memory are those
// that were analysed, nothing is allocated, and a thread's elements are in registers.
// RUN: memspace-opt %s -memspace-rocdl-pipeline=chip=gfx942 -o %t.amd
// RUN: %python %src_root/utils/asm_workgroup_bytes.py --asm < %t.amd | FileCheck %s --check-prefix=AMD
// RUN: memspace-opt %s -memspace-nvvm-pipeline=chip=sm_90 -o %t.nv
// RUN: %python %src_root/utils/asm_workgroup_bytes.py --asm < %t.nv | FileCheck %s --check-prefix=NV
// RUN: %python %src_root/utils/asm_workgroup_bytes.py < %t.amd | FileCheck %s --check-prefix=BYTES
// RUN: %python %src_root/utils/asm_workgroup_bytes.py < %t.nv | FileCheck %s --check-prefix=BYTES

// BYTES: topk workgroup=6144

// AMD-LABEL: {{^}}topk:
// AMD-NOT: malloc
// AMD: ds_read
// AMD: s_barrier
// AMD: s_endpgm
// AMD: .set topk.private_seg_size, 0
// NV-LABEL: .entry topk(
// NV-NOT: malloc
// NV: ld.shared
// NV: bar.sync
// NV: ret;
func.func @topk(%x: memref<1000xf16>, %v: memref<10xf16>, %i: memref<10xi32>)
    attributes {gpu.known_block_size = array<i32: 256, 1, 1>} {
  %t = bufferization.to_tensor %x restrict : memref<1000xf16> to tensor<1000xf16>
  %ve = tensor.empty() : tensor<10xf16>
  %ie = tensor.empty() : tensor<10xi32>
  %r:2 = memspace.topk dimension(0) ins(%t : tensor<1000xf16>)
      values(%ve : tensor<10xf16>) indices(%ie : tensor<10xi32>) {
  ^bb0(%a: f16, %b: f16):
    %first = arith.cmpf ogt, %a, %b : f16
    memspace.yield %first : i1
  } -> tensor<10xf16>, tensor<10xi32>
  bufferization.materialize_in_destination %r#0 in restrict writable %v : (tensor<10xf16>, memref<10xf16>) -> ()
  bufferization.materialize_in_destination %r#1 in restrict writable %i : (tensor<10xi32>, memref<10xi32>) -> ()
  return
}
