// Two accesses to dynamic shared memory that may meet stay apart and in order:
// convert-gpu-to-nvvm makes the memory a variable of no bytes, of which LLVM
// believes that no access to it means anything.
// RUN: memspace-opt %s -memspace-check-budget=chip=sm_90 -memspace-nvvm-backend-pipeline=chip=sm_90 | %python %src_root/utils/asm_workgroup_bytes.py --asm | FileCheck %s

#wg = #gpu.address_space<workgroup>

// CHECK: .extern .shared .align 16 .b8 [[MEMORY:[a-zA-Z_0-9]+]][];
// CHECK: st.shared
// CHECK: st.shared
// CHECK: ld.shared
func.func @meet(%x: memref<?xi32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %c0 = arith.constant 0 : index
  %i = gpu.thread_id x
  %arena = memref.alloc() {alignment = 16 : i64, memspace.arena} : memref<65536xi8, #wg>
  %t = memref.view %arena[%c0][] : memref<65536xi8, #wg> to memref<256xi32, #wg>
  %a = memref.load %x[%i] : memref<?xi32>
  %b = arith.index_cast %a : i32 to index
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  memref.store %c1, %t[%i] : memref<256xi32, #wg>
  memref.store %c2, %t[%b] : memref<256xi32, #wg>
  %r = memref.load %t[%i] : memref<256xi32, #wg>
  memref.store %r, %x[%i] : memref<?xi32>
  return
}
