// A scan by one subgroup down to assembly: no workgroup memory, no private memory, no
// barrier.
// RUN: memspace-opt %s -memspace-rocdl-pipeline=chip=gfx942 -o %t.amd
// RUN: %python %src_root/utils/asm_workgroup_bytes.py --asm < %t.amd | FileCheck %s --check-prefix=AMD
// RUN: memspace-opt %s -memspace-nvvm-pipeline=chip=sm_90 -o %t.nv
// RUN: %python %src_root/utils/asm_workgroup_bytes.py --asm < %t.nv | FileCheck %s --check-prefix=NV
// RUN: %python %src_root/utils/asm_workgroup_bytes.py < %t.amd | FileCheck %s --check-prefix=BYTES
// RUN: %python %src_root/utils/asm_workgroup_bytes.py < %t.nv | FileCheck %s --check-prefix=BYTES
// RUN: memspace-opt %s -memspace-rocdl-pipeline=chip=gfx1100 | %python %src_root/utils/asm_workgroup_bytes.py | FileCheck %s --check-prefix=BYTES

// BYTES: scan workgroup=0 dynamic=0 private=0 malloc=no

// AMD-LABEL: {{^}}scan:
// AMD-NOT: {{ds_(read|write)|s_barrier}}
// AMD: ds_bpermute_b32
// AMD-NOT: {{ds_(read|write)|s_barrier}}
// AMD: s_endpgm
// NV-LABEL: .entry scan(
// NV-NOT: {{ld.shared|st.shared|bar}}
// NV: shfl.sync.idx.b32
// NV-NOT: {{ld.shared|st.shared|bar}}
// NV: ret;
func.func @scan(%x: memref<1000xbf16>, %y: memref<1000xf64>, %i: memref<1000xbf16>, %out: memref<1000xf64>)
    attributes {gpu.known_block_size = array<i32: 32, 1, 1>} {
  %a = bufferization.to_tensor %x restrict : memref<1000xbf16> to tensor<1000xbf16>
  %b = bufferization.to_tensor %y restrict : memref<1000xf64> to tensor<1000xf64>
  %e = tensor.empty() : tensor<1000xbf16>
  %f = tensor.empty() : tensor<1000xf64>
  %s:2 = memspace.scan dimension(0) ins(%a, %b : tensor<1000xbf16>, tensor<1000xf64>) outs(%e, %f : tensor<1000xbf16>, tensor<1000xf64>) {
  ^bb0(%i0: bf16, %v0: f64, %i1: bf16, %v1: f64):
    %c = arith.maximumf %i0, %i1 : bf16
    %d = arith.addf %v0, %v1 : f64
    memspace.yield %c, %d : bf16, f64
  } -> tensor<1000xbf16>, tensor<1000xf64>
  bufferization.materialize_in_destination %s#0 in restrict writable %i : (tensor<1000xbf16>, memref<1000xbf16>) -> ()
  bufferization.materialize_in_destination %s#1 in restrict writable %out : (tensor<1000xf64>, memref<1000xf64>) -> ()
  return
}
