// A combiner that, once it is folded, needs no old element: down to assembly it is an
// atomic exchange, of which upstream does not lower the compare-and-swap loop.
// RUN: memspace-opt %s -memspace-rocdl-pipeline=chip=gfx942 -o %t.amd
// RUN: %python %src_root/utils/asm_workgroup_bytes.py --asm < %t.amd | FileCheck %s --check-prefix=AMD
// RUN: memspace-opt %s -memspace-nvvm-pipeline=chip=sm_90 -o %t.nv
// RUN: %python %src_root/utils/asm_workgroup_bytes.py --asm < %t.nv | FileCheck %s --check-prefix=NV

// AMD-LABEL: {{^}}scatter:
// AMD: global_atomic_swap
// AMD: s_endpgm
// NV-LABEL: .entry scatter(
// NV: atom.{{.*}}exch.b32
// NV: ret;
func.func @scatter(%in: memref<64x1xi32>, %out: memref<8xi32>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %i = bufferization.to_tensor %in restrict : memref<64x1xi32> to tensor<64x1xi32>
  %o = bufferization.to_tensor %out restrict writable : memref<8xi32> to tensor<8xi32>
  %u = tensor.collapse_shape %i [[0, 1]] : tensor<64x1xi32> into tensor<64xi32>
  %s = memspace.scatter scatter_dims([0])
      ins(%u, %i : tensor<64xi32>, tensor<64x1xi32>) outs(%o : tensor<8xi32>) {
  ^bb0(%x: i32, %old: i32):
    %zero = arith.constant 0 : i32
    %new = arith.andi %old, %zero : i32
    memspace.yield %new : i32
  } -> tensor<8xi32>
  bufferization.materialize_in_destination %s in restrict writable %out : (tensor<8xi32>, memref<8xi32>) -> ()
  return
}
