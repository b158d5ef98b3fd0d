// RUN: memspace-opt %s -memspace-mark-arena-accesses | memspace-opt -mlir-print-debuginfo -mlir-print-local-scope | FileCheck %s --check-prefix=PLAIN
// RUN: memspace-opt %s -memspace-mark-arena-accesses -mlir-print-debuginfo -mlir-print-local-scope | FileCheck %s --check-prefix=MARK
// RUN: memspace-opt %s -pass-pipeline='builtin.module(gpu.module(memspace-mark-arena-accesses,convert-gpu-to-rocdl{chipset=gfx942 runtime=HIP},memspace-add-alias-scopes))' | FileCheck %s

// Buffers 0 and 1 lie in one place, 2 behind them.

// A mark is a location: who does not ask for locations does not see it.
// PLAIN-NOT: memspace.buffers

// MARK-LABEL: gpu.func @kernel
// MARK:         memref.store {{.*}} loc(fused<{memspace.buffers = array<i64: 0>, memspace.disjoint = array<i64: 2>}>[
// MARK:         memref.load {{.*}} loc(fused<{memspace.buffers = array<i64: 0>, memspace.disjoint = array<i64: 2>}>[
// MARK:         memref.store {{.*}} loc(fused<{memspace.buffers = array<i64: 1>, memspace.disjoint = array<i64: 2>}>[
// MARK:         memref.store {{.*}} loc(fused<{memspace.buffers = array<i64: 2>, memspace.disjoint = array<i64: 0, 1>}>[
// MARK:         memref.store {{.*}} loc(fused<{memspace.buffers = array<i64: 1, 2>, memspace.disjoint = array<i64>}>[
// MARK:         memref.load %{{.*}} : memref<256xi8, {{.*}} loc("

// CHECK-DAG:   #[[$DOMAIN:.+]] = #llvm.alias_scope_domain<{{.*}}description = "arena of kernel">
// CHECK-DAG:   #[[$S0:.+]] = #llvm.alias_scope<{{.*}}domain = #[[$DOMAIN]], description = "buffer 0">
// CHECK-DAG:   #[[$S1:.+]] = #llvm.alias_scope<{{.*}}domain = #[[$DOMAIN]], description = "buffer 1">
// CHECK-DAG:   #[[$S2:.+]] = #llvm.alias_scope<{{.*}}domain = #[[$DOMAIN]], description = "buffer 2">
// CHECK-LABEL: llvm.func @kernel
// CHECK:         llvm.store {{.*}} {alias_scopes = [#[[$S0]]], {{.*}}noalias_scopes = [#[[$S2]]]} : f32, !llvm.ptr<3>
// CHECK:         llvm.load {{.*}} {alias_scopes = [#[[$S0]]], {{.*}}noalias_scopes = [#[[$S2]]]} : !llvm.ptr<3>
// CHECK:         llvm.store {{.*}} {alias_scopes = [#[[$S1]]], {{.*}}noalias_scopes = [#[[$S2]]]} : f32, !llvm.ptr<3>
// CHECK:         llvm.store {{.*}} {alias_scopes = [#[[$S2]]], {{.*}}noalias_scopes = [#[[$S0]], #[[$S1]]]} : f32, !llvm.ptr<3>
// CHECK:         llvm.store {{.*}} {alias_scopes = [#[[$S1]], #[[$S2]]]{{.*}}} : f32, !llvm.ptr<3>
// CHECK:         llvm.load %{{[0-9]+}} : !llvm.ptr<3> -> i8
#wg = #gpu.address_space<workgroup>
gpu.module @m {
  gpu.func @kernel(%v: f32, %flag: i1) workgroup(%arena: memref<256xi8, #wg> {memspace.arena}) kernel
      attributes {known_block_size = array<i32: 16, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c128 = arith.constant 128 : index
    %i = gpu.thread_id x
    %a = memref.view %arena[%c0][] {memspace.buffer = 0 : i64} : memref<256xi8, #wg> to memref<16xf32, #wg>
    %b = memref.view %arena[%c0][] {memspace.buffer = 1 : i64} : memref<256xi8, #wg> to memref<32xf32, #wg>
    %c = memref.view %arena[%c128][] {memspace.buffer = 2 : i64} : memref<256xi8, #wg> to memref<32xf32, #wg>
    memref.store %v, %a[%i] : memref<16xf32, #wg>
    %0 = memref.load %a[%c0] : memref<16xf32, #wg>
    memref.store %0, %b[%i] : memref<32xf32, #wg>
    memref.store %0, %c[%i] : memref<32xf32, #wg>
    %d = arith.select %flag, %b, %c : memref<32xf32, #wg>
    memref.store %0, %d[%i] : memref<32xf32, #wg>
    // Not traced to a buffer.
    %1 = memref.load %arena[%i] : memref<256xi8, #wg>
    %2 = arith.uitofp %1 : i8 to f32
    memref.store %2, %c[%i] : memref<32xf32, #wg>
    gpu.return
  }
}
