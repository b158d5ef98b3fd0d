// RUN: memspace-opt %s -memspace-mark-accesses | memspace-opt -mlir-print-debuginfo -mlir-print-local-scope | FileCheck %s --check-prefix=PLAIN
// RUN: memspace-opt %s -memspace-mark-accesses -mlir-print-debuginfo -mlir-print-local-scope | FileCheck %s --check-prefix=MARK
// RUN: memspace-opt %s -pass-pipeline='builtin.module(gpu.module(memspace-mark-accesses,convert-gpu-to-rocdl{chipset=gfx942 runtime=HIP},memspace-add-alias-scopes))' | FileCheck %s
// RUN: memspace-opt %s -pass-pipeline='builtin.module(gpu.module(memspace-mark-accesses{noalias=false},convert-gpu-to-rocdl{chipset=gfx942 runtime=HIP},memspace-add-alias-scopes))' | FileCheck %s --check-prefix=OFF

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

// Arguments 0, 1 and 3 are told apart; argument 2 may be any of them. Nothing that
// the kernel writes through 1 or 3 is what it reads through 0, but it may be
// through 2.

// MARK-LABEL: gpu.func @arguments
// MARK:         memref.load {{.*}} loc(fused<{memspace.arguments = array<i64: 0>, memspace.noalias = array<i64: 1, 3>}>[
// MARK:         memref.store {{.*}} loc(fused<{memspace.arguments = array<i64: 1>, memspace.noalias = array<i64: 0, 3>}>[
// MARK:         memref.store {{.*}} loc("
// MARK:         memref.store {{.*}} loc(fused<{memspace.arguments = array<i64: 1, 3>, memspace.noalias = array<i64: 0>}>[
// MARK:         memref.store {{.*}} loc("
// MARK:         memref.store {{.*}} memref<16xf32, 5> {{.*}}loc("

// CHECK-LABEL: llvm.func @arguments
// CHECK:         llvm.load {{.*}} {alias_scopes = [#[[$A0:.+]]], noalias_scopes = [#[[$A1:.+]], #[[$A3:.+]]]} : !llvm.ptr -> f32
// CHECK:         llvm.store {{.*}} {alias_scopes = [#[[$A1]]], noalias_scopes = [#[[$A0]], #[[$A3]]]} : f32, !llvm.ptr
// CHECK:         llvm.store %{{[0-9]+}}, %{{[0-9]+}} : f32, !llvm.ptr
// CHECK:         llvm.store {{.*}} {alias_scopes = [#[[$A1]], #[[$A3]]], noalias_scopes = [#[[$A0]]]} : f32, !llvm.ptr
// CHECK:         llvm.store %{{[0-9]+}}, %{{[0-9]+}} : f32, !llvm.ptr
// CHECK:         llvm.store %{{[0-9]+}}, %{{[0-9]+}} : f32, !llvm.ptr<5>

// Without writes through other arguments, what is read does not change.

// MARK-LABEL: gpu.func @invariant
// MARK:         memref.load {{.*}} loc(fused<{memspace.arguments = array<i64: 0>, memspace.invariant, memspace.noalias = array<i64: 1>}>[
// MARK:         memref.load {{.*}} loc(fused<{memspace.arguments = array<i64: 1>, memspace.noalias = array<i64: 0>}>[

// CHECK-LABEL: llvm.func @invariant
// CHECK:         llvm.load {{.*}} invariant {alias_scopes = [#[[$B0:.+]]], noalias_scopes = [#[[$B1:.+]]]} : !llvm.ptr -> f32
// CHECK:         llvm.load %{{[0-9]+}} {alias_scopes = [#[[$B1]]], noalias_scopes = [#[[$B0]]]} : !llvm.ptr -> f32

// CHECK-LABEL: llvm.func @changed_by_an_unknown_op
// CHECK-NOT:     invariant

// OFF-LABEL: llvm.func @arguments
// OFF-NOT:     alias_scopes
// OFF:         llvm.return
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
  gpu.func @arguments(%a: memref<16xf32> {memspace.noalias}, %b: memref<16xf32> {memspace.noalias}, %c: memref<16xf32>, %d: memref<16xf32> {memspace.noalias}, %flag: i1) kernel
      attributes {known_block_size = array<i32: 16, 1, 1>} {
    %p = memref.alloca() : memref<16xf32, 5>
    %i = gpu.thread_id x
    %0 = memref.load %a[%i] : memref<16xf32>
    memref.store %0, %b[%i] : memref<16xf32>
    memref.store %0, %c[%i] : memref<16xf32>
    %bd = arith.select %flag, %b, %d : memref<16xf32>
    memref.store %0, %bd[%i] : memref<16xf32>
    %bc = arith.select %flag, %b, %c : memref<16xf32>
    memref.store %0, %bc[%i] : memref<16xf32>
    memref.store %0, %p[%i] : memref<16xf32, 5>
    gpu.return
  }
  gpu.func @invariant(%a: memref<16xf32> {memspace.noalias}, %b: memref<16xf32> {memspace.noalias}, %c: memref<16xf32>) kernel
      attributes {known_block_size = array<i32: 16, 1, 1>} {
    %i = gpu.thread_id x
    %0 = memref.load %a[%i] : memref<16xf32>
    gpu.barrier
    %1 = memref.load %b[%i] : memref<16xf32>
    %2 = memref.load %c[%i] : memref<16xf32>
    %3 = arith.addf %0, %1 : f32
    %4 = arith.addf %2, %3 : f32
    memref.store %4, %b[%i] : memref<16xf32>
    gpu.return
  }
  gpu.func @changed_by_an_unknown_op(%a: memref<16xf32> {memspace.noalias}, %b: memref<16xf32> {memspace.noalias}) kernel
      attributes {known_block_size = array<i32: 16, 1, 1>} {
    %i = gpu.thread_id x
    llvm.inline_asm has_side_effects "", "" : () -> ()
    %0 = memref.load %a[%i] : memref<16xf32>
    memref.store %0, %b[%i] : memref<16xf32>
    gpu.return
  }
}
