// RUN: iree-memspace-opt %s -iree-memspace-import -memspace-kernel-pipeline=chip=gfx942 -memspace-verify-barriers=chip=gfx942 -iree-memspace-export -o %t.mlir
// RUN: FileCheck %s < %t.mlir
// RUN: memspace-runner %t.mlir --arg=0:iota --arg=2:fill:0 --out=1:%t.npy | FileCheck %s --check-prefix=CLEAN
// RUN: %compare %t.npy 'i // 64 * 64 + 63 - i % 64'
// CLEAN: races: 0, divergent barriers: 0, out of bounds: 0, uninitialized reads: 0

// What a kernel of IREE becomes that others can run: bindings in the order of their
// numbers, then constants; blocks of the gpu dialect.

#layout = #hal.pipeline.layout<constants = 1, bindings = [
  #hal.pipeline.binding<storage_buffer, ReadOnly>,
  #hal.pipeline.binding<storage_buffer>
]>
#translation = #iree_codegen.translation_info<pipeline = LLVMGPUTileAndFuse workgroup_size = [64, 1, 1] subgroup_size = 64>

// CHECK-LABEL: func.func @reverse
// CHECK-SAME: (%[[X:[a-z0-9]+]]: memref<256xf32>{{.*}}, %[[Y:[a-z0-9]+]]: memref<256xf32>{{.*}}, %{{[a-z0-9]+}}: index{{.*}}) attributes
// CHECK-SAME: gpu.known_block_size = array<i32: 64, 1, 1>
// CHECK-NOT: iree
// CHECK-NOT: hal.
// CHECK-DAG: gpu.block_id x
// CHECK-DAG: gpu.thread_id x
// CHECK: gpu.barrier
// CHECK-NOT: amdgpu
// CHECK-NOT: hal.
// CHECK: return
func.func @reverse() attributes {translation_info = #translation} {
  %c0 = arith.constant 0 : index
  %c63 = arith.constant 63 : index
  %n = hal.interface.constant.load layout(#layout) ordinal(0) : index
  %in = hal.interface.binding.subspan layout(#layout) binding(0) alignment(64) offset(%c0) flags(ReadOnly) : memref<256xf32, #hal.descriptor_type<storage_buffer>>
  %fat = amdgpu.fat_raw_buffer_cast %in : memref<256xf32, #hal.descriptor_type<storage_buffer>> to memref<256xf32, #amdgpu.address_space<fat_raw_buffer>>
  %out = hal.interface.binding.subspan layout(#layout) binding(1) alignment(64) offset(%c0) : memref<256xf32, #hal.descriptor_type<storage_buffer>>
  %x = iree_codegen.load_from_buffer %fat : memref<256xf32, #amdgpu.address_space<fat_raw_buffer>> -> tensor<256xf32>
  %y = iree_codegen.load_from_buffer %out : memref<256xf32, #hal.descriptor_type<storage_buffer>> -> tensor<256xf32>
  %r = scf.forall (%b) = (0) to (256) step (64) shared_outs(%o = %y) -> tensor<256xf32> {
    %e = tensor.empty() : tensor<64xf32>
    %p = tensor.extract_slice %o[%b] [64] [1] : tensor<256xf32> to tensor<64xf32>
    %a = scf.forall (%t) in (64) shared_outs(%s = %e) -> tensor<64xf32> {
      %j = arith.addi %b, %t : index
      %i = arith.addi %j, %n : index
      %v = tensor.extract_slice %x[%i] [1] [1] : tensor<256xf32> to tensor<1xf32>
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %v into %s[%t] [1] [1] : tensor<1xf32> into tensor<64xf32>
      }
    } {mapping = [#gpu.thread<linear_dim_0>]}
    %q = scf.forall (%t) in (64) shared_outs(%s = %p) -> tensor<64xf32> {
      %i = arith.subi %c63, %t : index
      %v = tensor.extract_slice %a[%i] [1] [1] : tensor<64xf32> to tensor<1xf32>
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %v into %s[%t] [1] [1] : tensor<1xf32> into tensor<64xf32>
      }
    } {mapping = [#gpu.thread<linear_dim_0>]}
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %q into %o[%b] [64] [1] : tensor<64xf32> into tensor<256xf32>
    }
  } {mapping = [#iree_codegen.workgroup_mapping<x>]}
  iree_codegen.store_to_buffer %r, %out : tensor<256xf32> into memref<256xf32, #hal.descriptor_type<storage_buffer>>
  return
}
