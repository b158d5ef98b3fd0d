// RUN: memspace-test-opt %s -memspace-kernel-pipeline=chip=gfx942 -split-input-file | FileCheck %s
// RUN: memspace-test-opt %s -memspace-kernel-pipeline='chip=gfx942 may-hazards=error' -split-input-file -o /dev/null

// Memory spaces of another dialect go all the way, from tensors to barriers and
// the budget.

#reverse = affine_map<(i) -> (63 - i)>
// CHECK: module attributes {memspace.memory_spaces = {global = #door.memory<"all">, private = #door.memory<"own">, workgroup = #door.memory<"shared">}}
module attributes {memspace.memory_spaces = {private = #door.memory<"own">, workgroup = #door.memory<"shared">, global = #door.memory<"all">}} {
  // CHECK-LABEL: func.func @mirror
  // CHECK-SAME:    memspace.private_bytes = 4 : i64
  // CHECK-SAME:    memspace.workgroup_bytes = 256 : i64
  // CHECK-DAG:     memref.alloca() {{.*}} : memref<1xf32, #door.memory<"own">>
  // CHECK-DAG:     %[[ARENA:.*]] = memref.alloc() {{.*}}memspace.arena{{.*}} : memref<256xi8, #door.memory<"shared">>
  // CHECK:         memref.view %[[ARENA]]{{.*}} to memref<64xf32, #door.memory<"shared">>
  // CHECK:         gpu.barrier {memspace.hazard = "RAW on memref<64xf32, #door.memory<\22shared\22>>
  // CHECK-NOT:     #gpu.address_space
  func.func @mirror(%X: memref<64xf32>, %Y: memref<64xf32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    %x = bufferization.to_tensor %X restrict : memref<64xf32> to tensor<64xf32>
    %y = bufferization.to_tensor %Y restrict writable : memref<64xf32> to tensor<64xf32>
    %e = tensor.empty() : tensor<64xf32>
    %doubled = scf.forall (%i) in (64) shared_outs(%all = %e) -> (tensor<64xf32>) {
      %value = tensor.extract %x[%i] : tensor<64xf32>
      %sum = arith.addf %value, %value : f32
      %one = tensor.from_elements %sum : tensor<1xf32>
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %one into %all[%i] [1] [1] : tensor<1xf32> into tensor<64xf32>
      }
    } {mapping = [#gpu.thread<x>]}
    %f = tensor.empty() : tensor<64xf32>
    %mirrored = scf.forall (%i) in (64) shared_outs(%all = %f) -> (tensor<64xf32>) {
      %from = affine.apply #reverse(%i)
      %value = tensor.extract %doubled[%from] : tensor<64xf32>
      %one = tensor.from_elements %value : tensor<1xf32>
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %one into %all[%i] [1] [1] : tensor<1xf32> into tensor<64xf32>
      }
    } {mapping = [#gpu.thread<x>]}
    %result = scf.forall (%i) in (64) shared_outs(%all = %y) -> (tensor<64xf32>) {
      %a = tensor.extract %mirrored[%i] : tensor<64xf32>
      %b = tensor.extract %x[%i] : tensor<64xf32>
      %sum = arith.addf %a, %b : f32
      %one = tensor.from_elements %sum : tensor<1xf32>
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %one into %all[%i] [1] [1] : tensor<1xf32> into tensor<64xf32>
      }
    } {mapping = [#gpu.thread<x>]}
    bufferization.materialize_in_destination %result in restrict writable %Y : (tensor<64xf32>, memref<64xf32>) -> ()
    return
  }
}
