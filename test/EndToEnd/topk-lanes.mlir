// The first 10 of 100 by one subgroup, down to assembly: no workgroup memory, no private
// memory, no barrier.
// RUN: memspace-opt %s -memspace-rocdl-pipeline=chip=gfx942 -o %t.amd
// RUN: %python %src_root/utils/asm_workgroup_bytes.py --asm < %t.amd | FileCheck %s --check-prefix=AMD
// RUN: memspace-opt %s -memspace-nvvm-pipeline=chip=sm_90 -o %t.nv
// RUN: %python %src_root/utils/asm_workgroup_bytes.py --asm < %t.nv | FileCheck %s --check-prefix=NV
// RUN: %python %src_root/utils/asm_workgroup_bytes.py < %t.amd | FileCheck %s --check-prefix=BYTES
// RUN: %python %src_root/utils/asm_workgroup_bytes.py < %t.nv | FileCheck %s --check-prefix=BYTES

// BYTES: topk workgroup=0 dynamic=0 private=0 malloc=no

// AMD-LABEL: {{^}}topk:
// AMD-NOT: {{ds_(read|write)|s_barrier}}
// AMD: ds_bpermute_b32
// AMD-NOT: {{ds_(read|write)|s_barrier}}
// AMD: s_endpgm
// NV-LABEL: .entry topk(
// NV-NOT: {{ld.shared|st.shared|bar}}
// NV: shfl.sync.bfly.b32
// NV-NOT: {{ld.shared|st.shared|bar}}
// NV: ret;
func.func @topk(%x: memref<100xf16>, %v: memref<10xf16>, %i: memref<10xi32>)
    attributes {gpu.known_block_size = array<i32: 32, 1, 1>} {
  %t = bufferization.to_tensor %x restrict : memref<100xf16> to tensor<100xf16>
  %ve = tensor.empty() : tensor<10xf16>
  %ie = tensor.empty() : tensor<10xi32>
  %r:2 = memspace.topk dimension(0) ins(%t : tensor<100xf16>)
      values(%ve : tensor<10xf16>) indices(%ie : tensor<10xi32>) {
  ^bb0(%a: f16, %b: f16):
    %first = arith.cmpf ogt, %a, %b : f16
    memspace.yield %first : i1
  } -> tensor<10xf16>, tensor<10xi32>
  bufferization.materialize_in_destination %r#0 in restrict writable %v : (tensor<10xf16>, memref<10xf16>) -> ()
  bufferization.materialize_in_destination %r#1 in restrict writable %i : (tensor<10xi32>, memref<10xi32>) -> ()
  return
}
