// A scan of 4096 elements down to assembly: the bytes of workgroup memory are those that
// were analysed, and nothing is allocated.
// RUN: memspace-opt %s -memspace-rocdl-pipeline=chip=gfx942 -o %t.amd
// RUN: %python %src_root/utils/asm_workgroup_bytes.py --asm < %t.amd | FileCheck %s --check-prefix=AMD
// RUN: memspace-opt %s -memspace-nvvm-pipeline=chip=sm_90 -o %t.nv
// RUN: %python %src_root/utils/asm_workgroup_bytes.py --asm < %t.nv | FileCheck %s --check-prefix=NV
// RUN: %python %src_root/utils/asm_workgroup_bytes.py < %t.amd | FileCheck %s --check-prefix=AMD-BYTES
// RUN: %python %src_root/utils/asm_workgroup_bytes.py < %t.nv | FileCheck %s --check-prefix=NV-BYTES

// AMD-BYTES: scan workgroup=16 dynamic=0 private=0
// NV-BYTES: scan workgroup=32 dynamic=0 private=0

// AMD-LABEL: {{^}}scan:
// AMD-NOT: malloc
// AMD: ds_bpermute_b32
// AMD: ds_write
// AMD: s_barrier
// AMD-NOT: s_barrier
// AMD: s_endpgm
// AMD: .set scan.private_seg_size, 0
// NV-LABEL: .entry scan(
// NV-NOT: malloc
// NV: shfl.sync.idx.b32
// NV: st.shared
// NV: bar.sync
// NV-NOT: bar.sync
// NV: ret;
func.func @scan(%x: memref<4096xf32>, %out: memref<4096xf32>) attributes {gpu.known_block_size = array<i32: 256, 1, 1>} {
  %zero = arith.constant 0.0 : f32
  %t = bufferization.to_tensor %x restrict : memref<4096xf32> to tensor<4096xf32>
  %e = tensor.empty() : tensor<4096xf32>
  %s = memspace.scan dimension(0) ins(%t : tensor<4096xf32>) outs(%e : tensor<4096xf32>) {
  ^bb0(%a: f32, %b: f32):
    %c = arith.addf %a, %b : f32
    memspace.yield %c : f32
  } -> tensor<4096xf32>
  bufferization.materialize_in_destination %s in restrict writable %out : (tensor<4096xf32>, memref<4096xf32>) -> ()
  return
}
