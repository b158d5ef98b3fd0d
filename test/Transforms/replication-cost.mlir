// What every thread computes for itself, and what is distributed, by the work of
// both (docs/rules.md: replicated, replication-cost).
// RUN: split-file %s %t
// DEFINE: %{remarks} = memspace-opt -memspace-kernel-pipeline=chip=gfx942 --remarks-filter=memspace --remark-policy=all --remark-format=emitRemark -o /dev/null
// RUN: bash -c "%{remarks} %t/transpose.mlir && %{remarks} %t/attention.mlir && %{remarks} %t/table.mlir" 2>&1 | FileCheck %s
// RUN: memspace-opt %t/transpose.mlir -memspace-kernel-pipeline=chip=gfx942 \
// RUN:   | memspace-runner --arg=0:iota --verbose - 2>&1 | FileCheck %s --check-prefix=TRANSPOSE
// RUN: memspace-opt %t/transpose.mlir -memspace-kernel-pipeline='chip=gfx942 barrier-work=1000000' \
// RUN:   | memspace-runner --arg=0:iota --verbose - 2>&1 | FileCheck %s --check-prefix=REPLICATED
// RUN: memspace-opt %t/attention.mlir -memspace-kernel-pipeline=chip=gfx942 \
// RUN:   | memspace-runner --arg=0:random:1 --arg=1:random:2 --verbose - 2>&1 | FileCheck %s --check-prefix=ATTENTION

//--- transpose.mlir

// A tile that a copy stages: each element is loaded, stored, loaded and stored once.
// Every thread would do the first two for all of the tile; where it may, shrinking
// leaves it those of its own elements.

// CHECK: transpose.mlir{{.*}}Distribution{{.*}}Function=transpose{{.*}}"distributed: replication-cost: uniform, but too much work for each thread to repeat (work 260, distributed 68)"
// CHECK: MemorySpace{{.*}}"workgroup: must-share:
// TRANSPOSE: executed barriers: 1, {{.*}}accesses: 4096,
// REPLICATED: executed barriers: 0, {{.*}}accesses: 4096,
func.func @transpose(%X: memref<32x32xf32>, %Y: memref<32x32xf32>) attributes {gpu.known_block_size = array<i32: 16, 8, 1>, gpu.known_grid_size = array<i32: 4, 1, 1>} {
  %x = bufferization.to_tensor %X restrict : memref<32x32xf32> to tensor<32x32xf32>
  %e = tensor.empty() : tensor<32x32xf32>
  %r = scf.forall (%i) = (0) to (32) step (8) shared_outs(%o = %e) -> (tensor<32x32xf32>) {
    %xs = tensor.extract_slice %x[%i, 0] [8, 32] [1, 1] : tensor<32x32xf32> to tensor<8x32xf32>
    %t0 = tensor.empty() : tensor<8x32xf32>
    %t = linalg.copy ins(%xs : tensor<8x32xf32>) outs(%t0 : tensor<8x32xf32>) -> tensor<8x32xf32>
    %os = tensor.extract_slice %o[0, %i] [32, 8] [1, 1] : tensor<32x32xf32> to tensor<32x8xf32>
    %s = linalg.transpose ins(%t : tensor<8x32xf32>) outs(%os : tensor<32x8xf32>) permutation = [1, 0]
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %s into %o[0, %i] [32, 8] [1, 1] : tensor<32x8xf32> into tensor<32x32xf32>
    }
  } {mapping = [#gpu.block<x>]}
  bufferization.materialize_in_destination %r in restrict writable %Y : (tensor<32x32xf32>, memref<32x32xf32>) -> ()
  return
}

//--- attention.mlir

// The row maxima and what is computed of them element by element are decided
// together: one element a thread, and barriers only where rows are spread.

// CHECK: attention.mlir{{.*}}Distribution{{.*}}Function=attention
// CHECK-DAG: MemorySpace{{.*}}"workgroup: must-share:
// CHECK-DAG: MemorySpace{{.*}}"private: aligned:
// CHECK-NOT: "private: replicated
// ATTENTION: executed barriers: 8, {{.*}}accesses: 4800,
func.func @attention(%S: memref<16x32xf32>, %O: memref<16xf32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %s = bufferization.to_tensor %S restrict : memref<16x32xf32> to tensor<16x32xf32>
  %z = arith.constant 0.0 : f32
  %lo = arith.constant -1.0e30 : f32
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %c32 = arith.constant 32 : index
  %me = tensor.empty() : tensor<16xf32>
  %m0 = linalg.fill ins(%lo : f32) outs(%me : tensor<16xf32>) -> tensor<16xf32>
  %le = tensor.empty() : tensor<16xf32>
  %l0 = linalg.fill ins(%z : f32) outs(%le : tensor<16xf32>) -> tensor<16xf32>
  %r:2 = scf.for %j = %c0 to %c32 step %c8 iter_args(%m = %m0, %l = %l0) -> (tensor<16xf32>, tensor<16xf32>) {
    %block = tensor.extract_slice %s[0, %j] [16, 8] [1, 1] : tensor<16x32xf32> to tensor<16x8xf32>
    %te = tensor.empty() : tensor<16x8xf32>
    %t = linalg.exp ins(%block : tensor<16x8xf32>) outs(%te : tensor<16x8xf32>) -> tensor<16x8xf32>
    %mn = linalg.reduce {arith.maximumf} ins(%t : tensor<16x8xf32>) outs(%m : tensor<16xf32>) dimensions = [1]
    %ce = tensor.empty() : tensor<16xf32>
    %corr = linalg.sub ins(%m, %mn : tensor<16xf32>, tensor<16xf32>) outs(%ce : tensor<16xf32>) -> tensor<16xf32>
    %ls = linalg.mul ins(%l, %corr : tensor<16xf32>, tensor<16xf32>) outs(%ce : tensor<16xf32>) -> tensor<16xf32>
    %ln = linalg.reduce {arith.addf} ins(%t : tensor<16x8xf32>) outs(%ls : tensor<16xf32>) dimensions = [1]
    scf.yield %mn, %ln : tensor<16xf32>, tensor<16xf32>
  }
  bufferization.materialize_in_destination %r#1 in restrict writable %O : (tensor<16xf32>, memref<16xf32>) -> ()
  return
}

//--- table.mlir

// Five numbers are less work than a barrier.

// CHECK: table.mlir{{.*}}MemorySpace{{.*}}Function=table{{.*}}"private: replicated: written by uniform code only: each thread computes the whole tensor for itself (work 11, distributed 67)"
func.func @table(%C: memref<5xf32>, %X: memref<64xindex>, %Y: memref<64xf32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %c = bufferization.to_tensor %C restrict : memref<5xf32> to tensor<5xf32>
  %x = bufferization.to_tensor %X restrict : memref<64xindex> to tensor<64xindex>
  %t = tensor.empty() : tensor<5xf32>
  %table = linalg.exp ins(%c : tensor<5xf32>) outs(%t : tensor<5xf32>) -> tensor<5xf32>
  %e = tensor.empty() : tensor<64xf32>
  %y = scf.forall (%i) in (64) shared_outs(%o = %e) -> (tensor<64xf32>) {
    %at = tensor.extract %x[%i] : tensor<64xindex>
    %v = tensor.extract_slice %table[%at] [1] [1] : tensor<5xf32> to tensor<1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %v into %o[%i] [1] [1] : tensor<1xf32> into tensor<64xf32>
    }
  } {mapping = [#gpu.thread<x>]}
  bufferization.materialize_in_destination %y in restrict writable %Y : (tensor<64xf32>, memref<64xf32>) -> ()
  return
}
