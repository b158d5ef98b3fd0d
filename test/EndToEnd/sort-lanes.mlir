// Sorts by one subgroup down to assembly: no workgroup memory, no private memory, no
// barrier; what lanes pass to each other goes by the chips' own instructions.
// RUN: memspace-opt %s -memspace-rocdl-pipeline=chip=gfx942 -o %t.amd
// RUN: %python %src_root/utils/asm_workgroup_bytes.py --asm < %t.amd | FileCheck %s --check-prefix=AMD
// RUN: memspace-opt %s -memspace-nvvm-pipeline=chip=sm_90 -o %t.nv
// RUN: %python %src_root/utils/asm_workgroup_bytes.py --asm < %t.nv | FileCheck %s --check-prefix=NV
// RUN: %python %src_root/utils/asm_workgroup_bytes.py < %t.amd | FileCheck %s --check-prefix=BYTES
// RUN: %python %src_root/utils/asm_workgroup_bytes.py < %t.nv | FileCheck %s --check-prefix=BYTES
// RUN: memspace-opt %s -memspace-rocdl-pipeline=chip=gfx1100 | %python %src_root/utils/asm_workgroup_bytes.py | FileCheck %s --check-prefix=BYTES

// BYTES: sort workgroup=0 dynamic=0 private=0 malloc=no
// BYTES: subgroups workgroup=0 dynamic=0 private=0 malloc=no

// AMD-LABEL: {{^}}sort:
// AMD-NOT: {{ds_(read|write)|s_barrier}}
// AMD: ds_bpermute_b32
// AMD-NOT: {{ds_(read|write)|s_barrier}}
// AMD: s_endpgm
// NV-LABEL: .entry sort(
// NV-NOT: {{ld.shared|st.shared|bar}}
// NV: shfl.sync.bfly.b32
// NV-NOT: {{ld.shared|st.shared|bar}}
// NV: ret;
func.func @sort(%key: memref<100xbf16>, %long: memref<100xi64>, %bit: memref<100xi1>)
    attributes {gpu.known_block_size = array<i32: 32, 1, 1>} {
  %a = bufferization.to_tensor %key restrict writable : memref<100xbf16> to tensor<100xbf16>
  %b = bufferization.to_tensor %long restrict writable : memref<100xi64> to tensor<100xi64>
  %c = bufferization.to_tensor %bit restrict writable : memref<100xi1> to tensor<100xi1>
  %s:3 = memspace.sort dimension(0)
      ins(%a, %b, %c : tensor<100xbf16>, tensor<100xi64>, tensor<100xi1>)
      outs(%a, %b, %c : tensor<100xbf16>, tensor<100xi64>, tensor<100xi1>) {
  ^bb0(%x: bf16, %y: bf16, %i: i64, %j: i64, %k: i1, %l: i1):
    %before = arith.cmpf olt, %x, %y : bf16
    memspace.yield %before : i1
  } -> tensor<100xbf16>, tensor<100xi64>, tensor<100xi1>
  bufferization.materialize_in_destination %s#0 in restrict writable %key : (tensor<100xbf16>, memref<100xbf16>) -> ()
  bufferization.materialize_in_destination %s#1 in restrict writable %long : (tensor<100xi64>, memref<100xi64>) -> ()
  bufferization.materialize_in_destination %s#2 in restrict writable %bit : (tensor<100xi1>, memref<100xi1>) -> ()
  return
}

// AMD-LABEL: {{^}}subgroups:
// AMD-NOT: {{ds_(read|write)|s_barrier}}
// AMD: ds_bpermute_b32
// NV-LABEL: .entry subgroups(
// NV-NOT: {{ld.shared|st.shared|bar}}
// NV: shfl.sync.bfly.b32
func.func @subgroups(%x: memref<2x100xf64>, %out: memref<2x100xindex>)
    attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
  %t = bufferization.to_tensor %x restrict : memref<2x100xf64> to tensor<2x100xf64>
  %e = tensor.empty() : tensor<2x100xindex>
  %r = scf.forall (%w) in (2) shared_outs(%o = %e) -> (tensor<2x100xindex>) {
    %row = tensor.extract_slice %t[%w, 0] [1, 100] [1, 1] : tensor<2x100xf64> to tensor<100xf64>
    %own = tensor.empty() : tensor<100xindex>
    %s = memspace.sort_indices dimension(0) stable ins(%row : tensor<100xf64>) outs(%own : tensor<100xindex>) {
    ^bb0(%a: f64, %b: f64):
      %before = arith.cmpf olt, %a, %b : f64
      memspace.yield %before : i1
    } -> tensor<100xindex>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %s into %o[%w, 0] [1, 100] [1, 1] : tensor<100xindex> into tensor<2x100xindex>
    }
  } {mapping = [#gpu.warp<x>]}
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<2x100xindex>, memref<2x100xindex>) -> ()
  return
}
