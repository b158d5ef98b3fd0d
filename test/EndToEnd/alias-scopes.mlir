// Two buffers of one arena; the lower one is written at an unknown index, from
// where LLVM alone cannot tell that the store does not reach the upper one. It
// keeps a value of that over the store if the two share no byte, and must load it
// again if they do (docs/workgroup-memory.md).
// RUN: memspace-opt %s -memspace-rocdl-backend-pipeline=chip=gfx942 | %python %src_root/utils/asm_workgroup_bytes.py --asm | FileCheck %s --check-prefix=AMD
// RUN: memspace-opt %s -memspace-nvvm-backend-pipeline=chip=sm_90 | %python %src_root/utils/asm_workgroup_bytes.py --asm | FileCheck %s --check-prefix=NV

#wg = #gpu.address_space<workgroup>

// AMD-LABEL: {{^}}disjoint:
// AMD:         ds_read_b32
// AMD-NOT:     ds_read
// AMD:         s_endpgm
// NV-LABEL:  .entry disjoint(
// NV:          ld.shared
// NV-NOT:      ld.shared
// NV:          ret;
func.func @disjoint(%x: memref<?xi32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c256 = arith.constant 256 : index
  %c1 = arith.constant 1 : i32
  %i = gpu.thread_id x
  %arena = memref.alloc() {alignment = 16 : i64, memspace.arena} : memref<512xi8, #wg>
  %s = memref.view %arena[%c256][] : memref<512xi8, #wg> to memref<64xi32, #wg>
  %t = memref.view %arena[%c0][] : memref<512xi8, #wg> to memref<64xi32, #wg>
  %a = memref.load %x[%i] : memref<?xi32>
  %j = arith.index_cast %a : i32 to index
  memref.store %a, %s[%i] : memref<64xi32, #wg>
  memref.store %c1, %t[%j] : memref<64xi32, #wg>
  %r = memref.load %s[%i] : memref<64xi32, #wg>
  %q = memref.load %t[%i] : memref<64xi32, #wg>
  %sum = arith.addi %r, %q : i32
  memref.store %sum, %x[%i] : memref<?xi32>
  return
}

// The same memory, of which nobody says that it is an arena of buffers: nothing is
// promised.

// AMD-LABEL: {{^}}unmarked:
// AMD:         {{ds_read2|ds_read_b32 .*offset:256}}
// AMD:         s_endpgm
// NV-LABEL:  .entry unmarked(
// NV:          ld.shared
// NV:          ld.shared
// NV:          ret;
func.func @unmarked(%x: memref<?xi32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c256 = arith.constant 256 : index
  %c1 = arith.constant 1 : i32
  %i = gpu.thread_id x
  %memory = memref.alloc() {alignment = 16 : i64} : memref<512xi8, #wg>
  %s = memref.view %memory[%c256][] : memref<512xi8, #wg> to memref<64xi32, #wg>
  %t = memref.view %memory[%c0][] : memref<512xi8, #wg> to memref<64xi32, #wg>
  %a = memref.load %x[%i] : memref<?xi32>
  %j = arith.index_cast %a : i32 to index
  memref.store %a, %s[%i] : memref<64xi32, #wg>
  memref.store %c1, %t[%j] : memref<64xi32, #wg>
  %r = memref.load %s[%i] : memref<64xi32, #wg>
  %q = memref.load %t[%i] : memref<64xi32, #wg>
  %sum = arith.addi %r, %q : i32
  memref.store %sum, %x[%i] : memref<?xi32>
  return
}

// AMD-LABEL: {{^}}overlapping:
// AMD-DAG:     ds_write_b32
// AMD-DAG:     ds_write_b32
// AMD:         ds_read_b32
// AMD:         s_endpgm
// NV-LABEL:  .entry overlapping(
// NV:          st.shared
// NV:          st.shared
// NV:          ld.shared
// NV:          ret;
func.func @overlapping(%x: memref<?xi32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c128 = arith.constant 128 : index
  %c1 = arith.constant 1 : i32
  %i = gpu.thread_id x
  %arena = memref.alloc() {alignment = 16 : i64, memspace.arena} : memref<512xi8, #wg>
  %s = memref.view %arena[%c128][] : memref<512xi8, #wg> to memref<64xi32, #wg>
  %t = memref.view %arena[%c0][] : memref<512xi8, #wg> to memref<64xi32, #wg>
  %a = memref.load %x[%i] : memref<?xi32>
  %j = arith.index_cast %a : i32 to index
  memref.store %a, %s[%i] : memref<64xi32, #wg>
  memref.store %c1, %t[%j] : memref<64xi32, #wg>
  %r = memref.load %s[%i] : memref<64xi32, #wg>
  memref.store %r, %x[%i] : memref<?xi32>
  return
}

// The store may be to either buffer: none is disjoint from it.

// AMD-LABEL: {{^}}chosen:
// AMD:         ds_read_b32
// AMD:         s_endpgm
// NV-LABEL:  .entry chosen(
// NV:          ld.shared
// NV:          ret;
func.func @chosen(%x: memref<?xi32>, %flag: i1) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c256 = arith.constant 256 : index
  %c1 = arith.constant 1 : i32
  %i = gpu.thread_id x
  %arena = memref.alloc() {alignment = 16 : i64, memspace.arena} : memref<512xi8, #wg>
  %s = memref.view %arena[%c256][] : memref<512xi8, #wg> to memref<64xi32, #wg>
  %t = memref.view %arena[%c0][] : memref<512xi8, #wg> to memref<64xi32, #wg>
  %a = memref.load %x[%i] : memref<?xi32>
  %j = arith.index_cast %a : i32 to index
  memref.store %a, %s[%i] : memref<64xi32, #wg>
  %u = arith.select %flag, %s, %t : memref<64xi32, #wg>
  memref.store %c1, %u[%j] : memref<64xi32, #wg>
  %r = memref.load %s[%i] : memref<64xi32, #wg>
  memref.store %r, %x[%i] : memref<?xi32>
  return
}
