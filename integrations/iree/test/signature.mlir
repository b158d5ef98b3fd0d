// RUN: iree-memspace-opt %s -iree-memspace-import=block-size=64 -memspace-kernel-pipeline=chip=gfx942 -memspace-verify-barriers=chip=gfx942 -o %t.mlir
// RUN: FileCheck %s < %t.mlir
// RUN: iree-memspace-opt %t.mlir -iree-memspace-export -o %t.run.mlir
// RUN: memspace-runner %t.run.mlir --kernel=tensors --arg=0:iota --arg=1:fill:0 | FileCheck %s --check-prefix=CLEAN
// RUN: memspace-runner %t.run.mlir --kernel=vector_and_number --arg=0:iota | FileCheck %s --check-prefix=CLEAN
// CLEAN: races: 0, divergent barriers: 0, out of bounds: 0, uninitialized reads: 0

// What a kernel takes becomes memory that may be read only, what it returns memory
// that it is given, in the order of the results.

// CHECK-LABEL: func.func @tensors
// CHECK-SAME: (%[[X:[a-z0-9]+]]: memref<64xf32>{{.*}}, %[[Y:[a-z0-9]+]]: memref<64xf32>{{.*}}, %[[R:[a-z0-9]+]]: memref<64xf32>{{[^)]*}}, %[[S:[a-z0-9]+]]: memref<64xf32>{{[^)]*}}) attributes
// CHECK-NOT: memref.store{{.*}}%[[X]]
// CHECK-NOT: memref.store{{.*}}%[[Y]]
// CHECK: return{{$}}
func.func @tensors(%x: tensor<64xf32>, %y: tensor<64xf32>) -> (tensor<64xf32>, tensor<64xf32>) {
  %0:2 = scf.forall (%t) in (64) shared_outs(%a = %y, %b = %y) -> (tensor<64xf32>, tensor<64xf32>) {
    %p = tensor.extract_slice %x[%t] [1] [1] : tensor<64xf32> to tensor<1xf32>
    %q = tensor.extract_slice %b[%t] [1] [1] : tensor<64xf32> to tensor<1xf32>
    %s = linalg.add ins(%p, %q : tensor<1xf32>, tensor<1xf32>) outs(%q : tensor<1xf32>) -> tensor<1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %p into %a[%t] [1] [1] : tensor<1xf32> into tensor<64xf32>
      tensor.parallel_insert_slice %s into %b[%t] [1] [1] : tensor<1xf32> into tensor<64xf32>
    }
  } {mapping = [#gpu.thread<linear_dim_0>]}
  return %0#0, %0#1 : tensor<64xf32>, tensor<64xf32>
}

// CHECK-LABEL: func.func @vector_and_number
// CHECK-SAME: (%{{[a-z0-9]+}}: memref<8xf32>{{.*}}, %[[V:[a-z0-9]+]]: memref<8xf32>{{.*}}, %[[N:[a-z0-9]+]]: memref<f32>
// CHECK-DAG: vector.transfer_write {{.*}}%[[V]]
// CHECK-DAG: memref.store {{.*}}%[[N]]
func.func @vector_and_number(%x: tensor<8xf32>) -> (vector<8xf32>, f32) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %v = vector.transfer_read %x[%c0], %zero {in_bounds = [true]} : tensor<8xf32>, vector<8xf32>
  %n = tensor.extract %x[%c0] : tensor<8xf32>
  return %v, %n : vector<8xf32>, f32
}
