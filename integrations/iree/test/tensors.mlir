// A kernel as IREE has it before bufferization: bindings, one fused forall of all
// threads, and regions in which they meet. The tile is the workgroup's, the sums are
// each thread's; two barriers in each step; every barrier is needed, none is missing.

// RUN: iree-memspace-opt %s -iree-memspace-import -memspace-kernel-pipeline=chip=gfx942 -memspace-verify-barriers | FileCheck %s

#layout = #hal.pipeline.layout<bindings = [
  #hal.pipeline.binding<storage_buffer, ReadOnly>,
  #hal.pipeline.binding<storage_buffer>
]>
#translation = #iree_codegen.translation_info<pipeline = LLVMGPUTileAndFuse workgroup_size = [64, 1, 1] subgroup_size = 64>

// CHECK-LABEL: func.func @matmul_like
// CHECK-SAME:    memspace.workgroup_bytes = 256 : i64
// CHECK:         memref.alloc{{.*}}#gpu.address_space<workgroup>>
// CHECK:         scf.for
// CHECK-COUNT-2:   gpu.barrier
// CHECK-NOT:     gpu.barrier
func.func @matmul_like() attributes {translation_info = #translation} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %c256 = arith.constant 256 : index
  %zero = arith.constant 0.0 : f32
  %in = hal.interface.binding.subspan layout(#layout) binding(0) alignment(64) offset(%c0) flags(ReadOnly) : !iree_tensor_ext.dispatch.tensor<readonly:tensor<256xf32>>
  %out = hal.interface.binding.subspan layout(#layout) binding(1) alignment(64) offset(%c0) : !iree_tensor_ext.dispatch.tensor<writeonly:tensor<64xf32>>
  %x = iree_tensor_ext.dispatch.tensor.load %in, offsets = [0], sizes = [256], strides = [1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<256xf32>> -> tensor<256xf32>
  %o = iree_tensor_ext.dispatch.tensor.load %out, offsets = [0], sizes = [64], strides = [1] : !iree_tensor_ext.dispatch.tensor<writeonly:tensor<64xf32>> -> tensor<64xf32>
  %tile = bufferization.alloc_tensor() : tensor<64xf32>
  %r = scf.forall (%t) in (64) shared_outs(%s = %o) -> tensor<64xf32> {
    %sum = scf.for %k = %c0 to %c256 step %c64 iter_args(%acc = %zero) -> f32 {
      %all = iree_gpu.barrier_region ins(%tile : tensor<64xf32>) {
      ^bb0(%shared: tensor<64xf32>):
        %from = arith.addi %k, %t : index
        %mine = tensor.extract_slice %x[%from] [1] [1] : tensor<256xf32> to tensor<1xf32>
        %inserted = tensor.insert_slice %mine into %shared[%t] [1] [1] : tensor<1xf32> into tensor<64xf32>
        iree_gpu.yield %inserted : tensor<64xf32>
      } : tensor<64xf32>
      %next = scf.for %j = %c0 to %c64 step %c1 iter_args(%a = %acc) -> f32 {
        %v = tensor.extract %all[%j] : tensor<64xf32>
        %b = arith.addf %a, %v : f32
        scf.yield %b : f32
      }
      scf.yield %next : f32
    }
    %q = tensor.from_elements %sum : tensor<1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %q into %s[%t] [1] [1] : tensor<1xf32> into tensor<64xf32>
    }
  } {mapping = [#gpu.thread<linear_dim_0>]}
  iree_tensor_ext.dispatch.tensor.store %r, %out, offsets = [0], sizes = [64], strides = [1] : tensor<64xf32> -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<64xf32>>
  return
}
