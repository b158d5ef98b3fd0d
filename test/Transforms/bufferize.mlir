// RUN: memspace-opt %s -split-input-file -memspace-bufferize=chip=sm_90 | FileCheck %s

#wg = #gpu.address_space<workgroup>
#priv = #gpu.address_space<private>

// Private: a static alloca in the entry block, also for an allocation in a
// loop. Workgroup: a static alloc. Element alignment, not 64.

// CHECK-LABEL: func @spaces
// CHECK: memref.alloca() {alignment = 4 : i64, memspace.reason = "r1"} : memref<4xf32, #gpu.address_space<private>>
// CHECK: scf.for
// CHECK-NOT: memref.alloca(
// CHECK: memref.alloc() {alignment = 16 : i64, memspace.reason = "r2"} : memref<8xf16, #gpu.address_space<workgroup>>
func.func @spaces(%out: memref<4xf32>, %f: f32, %h: f16)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  scf.for %k = %c0 to %c4 step %c1 {
    %p = bufferization.alloc_tensor() {memory_space = #gpu.address_space<private>, memspace.reason = "r1"} : tensor<4xf32>
    %p1 = tensor.insert %f into %p[%k] : tensor<4xf32>
    %w = bufferization.alloc_tensor() {memory_space = #gpu.address_space<workgroup>, memspace.reason = "r2"} : tensor<8xf16>
    %w1 = tensor.insert %h into %w[%k] : tensor<8xf16>
    %v = tensor.extract %p1[%k] : tensor<4xf32>
    %v2 = tensor.extract %w1[%k] : tensor<8xf16>
    %v3 = arith.extf %v2 : f16 to f32
    %s = arith.addf %v, %v3 : f32
    memref.store %s, %out[%k] : memref<4xf32>
  }
  return
}

// -----

// A dynamic extent with a bound: the bound in bytes, and a view of the extent.

#min = affine_map<(d0) -> (100, d0)>
// CHECK-LABEL: func @bounded
// CHECK: %[[ALLOC:.*]] = memref.alloc() {{.*}} : memref<400xi8, #gpu.address_space<workgroup>>
// CHECK: memref.view %[[ALLOC]][%{{.*}}][%{{.*}}] : memref<400xi8, #gpu.address_space<workgroup>> to memref<?xf32, #gpu.address_space<workgroup>>
func.func @bounded(%n: index, %f: f32, %out: memref<1xf32>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %c0 = arith.constant 0 : index
  %m = affine.min #min(%n)
  %w = bufferization.alloc_tensor(%m) {memory_space = #gpu.address_space<workgroup>} : tensor<?xf32>
  %w1 = tensor.insert %f into %w[%c0] : tensor<?xf32>
  %v = tensor.extract %w1[%c0] : tensor<?xf32>
  memref.store %v, %out[%c0] : memref<1xf32>
  return
}

// -----

// S4: once per subgroup: aligned instances, chosen by the subgroup's id.

// CHECK: #[[$MAP:.*]] = affine_map<()[s0] -> ((s0 floordiv 32) * 16)>
// CHECK-LABEL: func @per_subgroup
// CHECK: %[[OFFSET:.*]] = affine.apply #[[$MAP]]()[%{{.*}}]
// CHECK: %[[ALLOC:.*]] = memref.alloc() {alignment = 16 : i64, memspace.per_subgroup = 32 : i64} : memref<60xi8, #gpu.address_space<workgroup>>
// CHECK: memref.view %[[ALLOC]][%[[OFFSET]]][]
func.func @per_subgroup(%f: f32, %out: memref<1xf32>)
    attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
  %c0 = arith.constant 0 : index
  %w = bufferization.alloc_tensor() {memory_space = #gpu.address_space<workgroup>, memspace.per_subgroup = 32 : i64} : tensor<3xf32>
  %w1 = tensor.insert %f into %w[%c0] : tensor<3xf32>
  %v = tensor.extract %w1[%c0] : tensor<3xf32>
  memref.store %v, %out[%c0] : memref<1xf32>
  return
}

// -----

// An exchange becomes a permuted yield: nothing is moved.

// CHECK-LABEL: func @exchange
// CHECK: scf.for {{.*}} iter_args(%[[A:.*]] = %{{.*}}, %[[B:.*]] = %{{.*}})
// CHECK-NOT: memspace.exchange
// CHECK: scf.yield %[[B]], %[[A]]
func.func @exchange(%out: memref<4xf32>, %f: f32)
    attributes {gpu.known_block_size = array<i32: 1, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %a = bufferization.alloc_tensor() {memory_space = #gpu.address_space<private>} : tensor<4xf32>
  %b = bufferization.alloc_tensor() {memory_space = #gpu.address_space<private>} : tensor<4xf32>
  %r:2 = scf.for %k = %c0 to %c4 step %c1 iter_args(%u = %a, %v = %b) -> (tensor<4xf32>, tensor<4xf32>) {
    %n = tensor.insert %f into %v[%k] : tensor<4xf32>
    %e:2 = memspace.exchange %u, %n [1, 0] : tensor<4xf32>, tensor<4xf32> -> tensor<4xf32>, tensor<4xf32>
    scf.yield %e#0, %e#1 : tensor<4xf32>, tensor<4xf32>
  }
  %v = tensor.extract %r#0[%c0] : tensor<4xf32>
  memref.store %v, %out[%c0] : memref<4xf32>
  return
}

// -----

// Constants are where the kernel finds them, each with its own contents.
// CHECK: gpu.module @device
// CHECK-DAG: memref.global "private" constant @[[$C:.*]] : memref<4xf32> = dense<[1.000000e+00, 2.000000e+00
// CHECK-DAG: memref.global "private" constant @[[$D:.*]] : memref<4xf32> = dense<[5.000000e+00, 6.000000e+00
// CHECK-LABEL: func @first
// CHECK: memref.get_global @[[$C]]
// CHECK-LABEL: func @second
// CHECK: memref.get_global @[[$D]]
module attributes {gpu.container_module} {
gpu.module @device {
  gpu.func @first(%out: memref<4xf32>, %i: index) kernel
      attributes {known_block_size = array<i32: 1, 1, 1>} {
    %c = arith.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
    %v = tensor.extract %c[%i] : tensor<4xf32>
    memref.store %v, %out[%i] : memref<4xf32>
    gpu.return
  }
  gpu.func @second(%out: memref<4xf32>, %i: index) kernel
      attributes {known_block_size = array<i32: 1, 1, 1>} {
    %c = arith.constant dense<[5.0, 6.0, 7.0, 8.0]> : tensor<4xf32>
    %v = tensor.extract %c[%i] : tensor<4xf32>
    memref.store %v, %out[%i] : memref<4xf32>
    gpu.return
  }
}
}
