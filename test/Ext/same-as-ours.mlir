// Another dialect's sort, top-k, scatter and scan get the memory, the reasons and the
// barriers of ours, word for word, but for locations.
// RUN: memspace-test-opt %s -memspace-kernel-pipeline=chip=gfx942 -o %t.ext
// RUN: memspace-opt %S/Inputs/ours.mlir -memspace-kernel-pipeline=chip=gfx942 -o %t.ours
// RUN: sed -E 's/ at [^ ,"]+//g' %t.ext > %t.ext.txt
// RUN: sed -E 's/ at [^ ,"]+//g' %t.ours > %t.ours.txt
// RUN: diff %t.ours.txt %t.ext.txt
// RUN: FileCheck %s < %t.ext

// Down to assembly.
// RUN: memspace-test-opt %s -memspace-rocdl-pipeline=chip=gfx942 -o %t.amd
// RUN: %python %src_root/utils/asm_workgroup_bytes.py --asm < %t.amd | FileCheck %s --check-prefix=AMD
// RUN: memspace-test-opt %s -memspace-nvvm-pipeline=chip=sm_90 -o %t.nv
// RUN: %python %src_root/utils/asm_workgroup_bytes.py --asm < %t.nv | FileCheck %s --check-prefix=NV

// CHECK-LABEL: func.func @sort
// CHECK: memspace.reason = "must-share: an element written by one thread is read by another"
// CHECK: gpu.barrier
// CHECK-LABEL: func.func @topk
// Of the indices, which nobody uses, nothing is left but those in the tile.
// CHECK-NOT: memref<4x7xi32
// CHECK: return
// CHECK-LABEL: func.func @scatter
// CHECK: memref.atomic_rmw addf
// CHECK-LABEL: func.func @scan
// CHECK: memspace.reason
// CHECK-NOT: ext.

// AMD-LABEL: {{^}}sort:
// AMD: ds_write
// AMD: s_endpgm
// AMD-LABEL: {{^}}topk:
// AMD: s_endpgm
// AMD-LABEL: {{^}}scatter:
// AMD: global_atomic
// AMD: s_endpgm
// AMD-LABEL: {{^}}scan:
// AMD: s_endpgm
// NV-LABEL: .entry sort(
// NV: st.shared
// NV: ret;
// NV-LABEL: .entry topk(
// NV: ret;
// NV-LABEL: .entry scatter(
// NV: atom.global.add.f32
// NV: ret;
// NV-LABEL: .entry scan(
// NV: ret;
func.func @sort(%key: memref<100xf32>, %pay: memref<100xi32>, %out: memref<100xf32>, %perm: memref<100xi32>, %old: memref<100xf32>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %kt = bufferization.to_tensor %key restrict : memref<100xf32> to tensor<100xf32>
  %pt = bufferization.to_tensor %pay restrict : memref<100xi32> to tensor<100xi32>
  %e = tensor.empty() : tensor<100xf32>
  %double = linalg.add ins(%kt, %kt : tensor<100xf32>, tensor<100xf32>) outs(%e : tensor<100xf32>) -> tensor<100xf32>
  %s:2 = ext.sort dimension(0) outs(%double, %pt : tensor<100xf32>, tensor<100xi32>) {
  ^bb0(%a: f32, %b: f32, %i: i32, %j: i32):
    %before = arith.cmpf olt, %a, %b : f32
    ext.yield %before : i1
  } -> tensor<100xf32>, tensor<100xi32>
  bufferization.materialize_in_destination %s#0 in restrict writable %out : (tensor<100xf32>, memref<100xf32>) -> ()
  bufferization.materialize_in_destination %s#1 in restrict writable %perm : (tensor<100xi32>, memref<100xi32>) -> ()
  bufferization.materialize_in_destination %double in restrict writable %old : (tensor<100xf32>, memref<100xf32>) -> ()
  return
}

func.func @topk(%x: memref<4x50xf32>, %v: memref<4x7xf32>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %t = bufferization.to_tensor %x restrict : memref<4x50xf32> to tensor<4x50xf32>
  %ve = tensor.empty() : tensor<4x7xf32>
  %ie = tensor.empty() : tensor<4x7xi32>
  %r:2 = ext.topk dimension(1) ins(%t : tensor<4x50xf32>)
      outs(%ve, %ie : tensor<4x7xf32>, tensor<4x7xi32>) {
  ^bb0(%a: f32, %b: f32):
    %first = arith.cmpf ogt, %a, %b : f32
    ext.yield %first : i1
  } -> tensor<4x7xf32>, tensor<4x7xi32>
  bufferization.materialize_in_destination %r#0 in restrict writable %v : (tensor<4x7xf32>, memref<4x7xf32>) -> ()
  return
}

func.func @scatter(%in: memref<200xf32>, %index: memref<200x2xi32>, %out: memref<9x9xf32>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %c0 = arith.constant 0.0 : f32
  %u = bufferization.to_tensor %in restrict : memref<200xf32> to tensor<200xf32>
  %i = bufferization.to_tensor %index restrict : memref<200x2xi32> to tensor<200x2xi32>
  %e = tensor.empty() : tensor<9x9xf32>
  %f = linalg.fill ins(%c0 : f32) outs(%e : tensor<9x9xf32>) -> tensor<9x9xf32>
  %s = ext.scatter dimension_map([1, 0])
      ins(%u, %i : tensor<200xf32>, tensor<200x2xi32>) outs(%f : tensor<9x9xf32>) {
  ^bb0(%x: f32, %old: f32):
    %y = arith.addf %x, %old : f32
    ext.yield %y : f32
  } -> tensor<9x9xf32>
  bufferization.materialize_in_destination %s in restrict writable %out : (tensor<9x9xf32>, memref<9x9xf32>) -> ()
  return
}

func.func @scan(%in: memref<2x300xi32>, %out: memref<2x300xi32>, %total: memref<2xi32>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %t = bufferization.to_tensor %in restrict : memref<2x300xi32> to tensor<2x300xi32>
  %e = tensor.empty() : tensor<2x300xi32>
  %a = tensor.empty() : tensor<2xi32>
  %s:2 = ext.scan dimension(1) inclusive ins(%t : tensor<2x300xi32>)
      outs(%e, %a : tensor<2x300xi32>, tensor<2xi32>) {
  ^bb0(%x: i32, %before: i32):
    %sum = arith.addi %before, %x : i32
    ext.yield %sum : i32
  } -> tensor<2x300xi32>, tensor<2xi32>
  bufferization.materialize_in_destination %s#0 in restrict writable %out : (tensor<2x300xi32>, memref<2x300xi32>) -> ()
  bufferization.materialize_in_destination %s#1 in restrict writable %total : (tensor<2xi32>, memref<2xi32>) -> ()
  return
}
