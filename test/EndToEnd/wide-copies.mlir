// A tile that a copy stages goes by 16 bytes a thread, through both memories. PTX has
// that for global memory only where the caller promises aligned arguments.
// RUN: memspace-opt %s --memspace-rocdl-pipeline=chip=gfx942 | %python %src_root/utils/asm_workgroup_bytes.py --asm | FileCheck %s --check-prefix=AMD
// RUN: memspace-opt %s --memspace-nvvm-pipeline=chip=sm_90 | %python %src_root/utils/asm_workgroup_bytes.py --asm | FileCheck %s --check-prefix=NV
// RUN: memspace-opt %s --memspace-nvvm-pipeline="chip=sm_90 argument-alignment=16" | %python %src_root/utils/asm_workgroup_bytes.py --asm | FileCheck %s --check-prefix=ALIGNED
// RUN: memspace-opt %s --memspace-nvvm-pipeline="chip=sm_90 argument-alignment=16 bare-pointers=true" | %python %src_root/utils/asm_workgroup_bytes.py --asm | FileCheck %s --check-prefix=ALIGNED

// AMD-COUNT-1: global_load_dwordx4
// AMD-NOT:     global_load
// AMD-COUNT-1: ds_write_b128
// AMD-NOT:     ds_write
// AMD:         s_barrier

// NV-NOT: ld.global{{.*}}v4
// NV:     bar.sync

// ALIGNED: ld.global{{.*}}v4.b32
// ALIGNED: st.shared.v4.b32
// ALIGNED: bar.sync
func.func @mirror(%x: memref<16x32xf32>, %out: memref<16x32xf32>)
    attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
  %xt = bufferization.to_tensor %x restrict : memref<16x32xf32> to tensor<16x32xf32>
  %e = tensor.empty() : tensor<16x32xf32>
  %s = linalg.copy ins(%xt : tensor<16x32xf32>) outs(%e : tensor<16x32xf32>) -> tensor<16x32xf32>
  %oe = tensor.empty() : tensor<16x32xf32>
  %r = scf.forall (%t) in (128) shared_outs(%o = %oe) -> (tensor<16x32xf32>) {
    %i = affine.apply affine_map<(t) -> (t floordiv 8)>(%t)
    %j = affine.apply affine_map<(t) -> ((t mod 8) * 4)>(%t)
    %m = affine.apply affine_map<(t) -> (15 - t floordiv 8)>(%t)
    %v = tensor.extract_slice %s[%m, %j] [1, 4] [1, 1] : tensor<16x32xf32> to tensor<1x4xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %v into %o[%i, %j] [1, 4] [1, 1] : tensor<1x4xf32> into tensor<16x32xf32>
    }
  } {mapping = [#gpu.thread<linear_dim_0>]}
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<16x32xf32>, memref<16x32xf32>) -> ()
  return
}
