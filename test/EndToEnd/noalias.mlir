// What 'restrict' saves in assembly: without it every store may change what is
// loaded next.
// RUN: memspace-opt %s --memspace-rocdl-pipeline=chip=gfx942 | %python %src_root/utils/asm_workgroup_bytes.py --asm | FileCheck %s --check-prefix=AMD
// RUN: memspace-opt %s --memspace-rocdl-pipeline="chip=gfx942 bare-pointers=true" | %python %src_root/utils/asm_workgroup_bytes.py --asm | FileCheck %s --check-prefix=AMD
// RUN: memspace-opt %s --memspace-rocdl-pipeline="chip=gfx942 noalias=false" | %python %src_root/utils/asm_workgroup_bytes.py --asm | FileCheck %s --check-prefix=AMD-OFF
// RUN: memspace-opt %s --memspace-nvvm-pipeline=chip=sm_90 | %python %src_root/utils/asm_workgroup_bytes.py --asm | FileCheck %s --check-prefix=NV
// RUN: memspace-opt %s --memspace-nvvm-pipeline="chip=sm_90 bare-pointers=true" | %python %src_root/utils/asm_workgroup_bytes.py --asm | FileCheck %s --check-prefix=NV
// RUN: memspace-opt %s --memspace-nvvm-pipeline="chip=sm_90 bare-pointers=true" | %python %src_root/utils/asm_workgroup_bytes.py --asm | FileCheck %s --check-prefix=BARE
// RUN: memspace-opt %s --memspace-nvvm-pipeline="chip=sm_90 noalias=false bare-pointers=true" | %python %src_root/utils/asm_workgroup_bytes.py --asm | FileCheck %s --check-prefix=NV-OFF
// RUN: memspace-opt %s --memspace-rocdl-pipeline=chip=gfx942 | FileCheck %s --check-prefix=MODULE
// RUN: memspace-opt %S/../Kernels/layernorm-two-pass.mlir --memspace-rocdl-pipeline=chip=gfx942 | %python %src_root/utils/asm_workgroup_bytes.py --asm | FileCheck %s --check-prefix=LAYERNORM
// RUN: memspace-opt %S/../Kernels/batch-matmul-dynamic.mlir --memspace-rocdl-pipeline=chip=gfx942 | %python %src_root/utils/asm_workgroup_bytes.py --asm | FileCheck %s --check-prefix=MATMUL

// RUN: memspace-opt %s --memspace-kernel-pipeline=chip=gfx942 -o %t.mlir
// RUN: memspace-runner %t.mlir --kernel=add --arg=0:iota --arg=1:iota | FileCheck %s --check-prefix=CLEAN
// RUN: not memspace-runner %t.mlir --kernel=add --arg=0:iota --arg=1:iota --alias=0:2 2>&1 | FileCheck %s --check-prefix=ALIAS
// RUN: memspace-runner %t.mlir --kernel=add --arg=0:iota --alias=0:1 | FileCheck %s --check-prefix=CLEAN
// RUN: memspace-runner %t.mlir --kernel=add_plain --arg=0:iota --alias=0:1 | FileCheck %s --check-prefix=CLEAN
// RUN: memspace-opt %s --memspace-kernel-pipeline="chip=gfx942 noalias=false" | memspace-runner - --kernel=add --arg=0:iota --arg=1:iota --alias=0:2 | FileCheck %s --check-prefix=CLEAN

// The kernel says what it relies on, and the runner where that is broken. Two
// inputs may be one.

// ALIAS: error: aliasing arguments: thread (0, 0, 0) writes byte 0 of argument 2, which thread (0, 0, 0) reads through argument 0, though both have 'memspace.noalias'
// ALIAS: aliasing arguments: 1
// CLEAN: races: 0, divergent barriers: 0, out of bounds: 0, uninitialized reads: 0{{$}}

// 28 loads and 8 stores without: x is loaded once for all that is between three
// barriers.

// LAYERNORM-COUNT-6: global_load_dwordx4
// LAYERNORM-NOT:     global_load
// LAYERNORM-COUNT-2: global_store_dwordx4
// LAYERNORM-NOT:     global_store
// LAYERNORM:         s_endpgm

// 33 stores without: the sum stays in a register.

// MATMUL-COUNT-1: global_store_dword
// MATMUL-NOT:     global_store
// MATMUL:         s_endpgm

// Four elements a thread of x and y are two loads and one store.

// MODULE: memspace.kernels = {add = {memspace.noalias = array<i64: 0, 1, 2>,
// MODULE-SAME: add_plain = {memspace.noalias = array<i64: 2>,

// AMD-LABEL: {{^}}add:
// AMD-COUNT-2: global_load_dwordx4
// AMD-NOT:     global_load
// AMD-COUNT-1: global_store_dwordx4
// AMD-NOT:     global_store
// AMD:         s_endpgm

// AMD-OFF-LABEL: {{^}}add:
// AMD-OFF-COUNT-8: global_load_dword v
// AMD-OFF:         s_endpgm

// BARE-LABEL: .entry add(
// BARE-COUNT-3: .param .u64
// BARE-NOT:    .param .u64
// BARE:        )

// NV-LABEL:  .entry add(
// NV-COUNT-8:  ld.global.nc.b32
// NV-NOT:      ld.global
// NV:          ret;

// NV-OFF-LABEL: .entry add(
// NV-OFF-NOT:  ld.global.nc
// NV-OFF:      ret;

// A plain access to x and to y: they may overlap the output.

// AMD-LABEL: {{^}}add_plain:
// AMD-COUNT-8: global_load_dword v
// AMD:         s_endpgm
// NV-LABEL:  .entry add_plain(
// NV-NOT:      ld.global.nc
// NV:          ret;

func.func @add(%x: memref<256xf32>, %y: memref<256xf32>, %out: memref<256xf32>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %xt = bufferization.to_tensor %x restrict : memref<256xf32> to tensor<256xf32>
  %yt = bufferization.to_tensor %y restrict : memref<256xf32> to tensor<256xf32>
  %e = tensor.empty() : tensor<256xf32>
  %r = scf.forall (%i) = (0) to (256) step (4) shared_outs(%o = %e) -> (tensor<256xf32>) {
    %xs = tensor.extract_slice %xt[%i] [4] [1] : tensor<256xf32> to tensor<4xf32>
    %ys = tensor.extract_slice %yt[%i] [4] [1] : tensor<256xf32> to tensor<4xf32>
    %os = tensor.extract_slice %o[%i] [4] [1] : tensor<256xf32> to tensor<4xf32>
    %s = linalg.add ins(%xs, %ys : tensor<4xf32>, tensor<4xf32>) outs(%os : tensor<4xf32>) -> tensor<4xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %s into %o[%i] [4] [1] : tensor<4xf32> into tensor<256xf32>
    }
  } {mapping = [#gpu.thread<x>]}
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<256xf32>, memref<256xf32>) -> ()
  return
}

func.func @add_plain(%x: memref<256xf32>, %y: memref<256xf32>, %out: memref<256xf32>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %c0 = arith.constant 0 : index
  %xt = bufferization.to_tensor %x restrict : memref<256xf32> to tensor<256xf32>
  %yt = bufferization.to_tensor %y restrict : memref<256xf32> to tensor<256xf32>
  %px = memref.load %x[%c0] : memref<256xf32>
  %py = memref.load %y[%c0] : memref<256xf32>
  %e = tensor.empty() : tensor<256xf32>
  %r = scf.forall (%i) = (0) to (256) step (4) shared_outs(%o = %e) -> (tensor<256xf32>) {
    %xs = tensor.extract_slice %xt[%i] [4] [1] : tensor<256xf32> to tensor<4xf32>
    %ys = tensor.extract_slice %yt[%i] [4] [1] : tensor<256xf32> to tensor<4xf32>
    %os = tensor.extract_slice %o[%i] [4] [1] : tensor<256xf32> to tensor<4xf32>
    %s = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
        ins(%xs, %ys : tensor<4xf32>, tensor<4xf32>) outs(%os : tensor<4xf32>) {
    ^bb0(%a: f32, %b: f32, %u: f32):
      %0 = arith.addf %a, %b : f32
      %1 = arith.addf %0, %px : f32
      %2 = arith.addf %1, %py : f32
      linalg.yield %2 : f32
    } -> tensor<4xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %s into %o[%i] [4] [1] : tensor<4xf32> into tensor<256xf32>
    }
  } {mapping = [#gpu.thread<x>]}
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<256xf32>, memref<256xf32>) -> ()
  return
}
