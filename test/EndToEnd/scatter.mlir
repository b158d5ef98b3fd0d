// A sum of 16-bit elements at repeated places, down to assembly: the index tensor of
// 196608 bytes takes no workgroup memory, nothing is allocated, and sm_90 has the
// instruction; gfx942 compares and swaps the word.
// RUN: memspace-opt %s -memspace-rocdl-pipeline=chip=gfx942 -o %t.amd
// RUN: %python %src_root/utils/asm_workgroup_bytes.py --asm < %t.amd | FileCheck %s --check-prefix=AMD
// RUN: memspace-opt %s -memspace-nvvm-pipeline=chip=sm_90 -o %t.nv
// RUN: %python %src_root/utils/asm_workgroup_bytes.py --asm < %t.nv | FileCheck %s --check-prefix=NV
// RUN: %python %src_root/utils/asm_workgroup_bytes.py < %t.amd | FileCheck %s --check-prefix=BYTES
// RUN: %python %src_root/utils/asm_workgroup_bytes.py < %t.nv | FileCheck %s --check-prefix=BYTES

// BYTES: scatter workgroup=0

// AMD-LABEL: {{^}}scatter:
// AMD-NOT: malloc
// AMD: s_barrier
// AMD: global_atomic_cmpswap
// AMD: s_endpgm
// AMD: .set scatter.private_seg_size, 0
// NV-LABEL: .entry scatter(
// NV-NOT: malloc
// NV: bar.sync
// NV: atom.global.add.noftz.f16
// NV: ret;
func.func @scatter(%in: memref<16384xf16>, %index: memref<16384x3xi32>, %out: memref<16x32x32xf16>)
    attributes {gpu.known_block_size = array<i32: 256, 1, 1>} {
  %u = bufferization.to_tensor %in restrict : memref<16384xf16> to tensor<16384xf16>
  %i = bufferization.to_tensor %index restrict : memref<16384x3xi32> to tensor<16384x3xi32>
  %zero = arith.constant 0.0 : f16
  %e = tensor.empty() : tensor<16x32x32xf16>
  %f = linalg.fill ins(%zero : f16) outs(%e : tensor<16x32x32xf16>) -> tensor<16x32x32xf16>
  %s = memspace.scatter scatter_dims([0, 1, 2])
      ins(%u, %i : tensor<16384xf16>, tensor<16384x3xi32>) outs(%f : tensor<16x32x32xf16>) {
  ^bb0(%x: f16, %old: f16):
    %y = arith.addf %x, %old : f16
    memspace.yield %y : f16
  } -> tensor<16x32x32xf16>
  bufferization.materialize_in_destination %s in restrict writable %out : (tensor<16x32x32xf16>, memref<16x32x32xf16>) -> ()
  return
}
