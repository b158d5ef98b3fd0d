// The copy is waited for on one path only. There the first barrier orders it; on the other
// one it is in flight, which no barrier orders. A kernel with such a copy keeps its barriers.
// RUN: memspace-opt %s -memspace-eliminate-barriers=chip=sm_90 | FileCheck %s
// RUN: memspace-opt %s -memspace-eliminate-barriers=chip=sm_90 -remarks-filter=memspace -remark-format=emitRemark -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

// REMARK: no barrier is erased: this copy may be in flight

#wg = #gpu.address_space<workgroup>

// CHECK-LABEL: @one_path
// CHECK: gpu.barrier
// CHECK: memref.store
// CHECK: gpu.barrier
// CHECK: memref.load
func.func @one_path(%c: i1, %x: memref<32xi32>, %out: memref<32xi32>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %v = arith.constant 1 : i32
  %c31 = arith.constant 31 : index
  %c32 = arith.constant 32 : index
  %t = gpu.thread_id x
  %s = memref.alloc() : memref<32xi32, #wg>
  %in = arith.remui %t, %c32 : index
  %first = arith.cmpi ult, %t, %c32 : index
  scf.if %first {
    %r = arith.subi %c31, %in : index
    %copy = nvgpu.device_async_copy %x[%in], %s[%r], 1 : memref<32xi32> to memref<32xi32, #wg>
    %group = nvgpu.device_async_create_group %copy
    scf.if %c {
      nvgpu.device_async_wait %group
    }
  }
  gpu.barrier
  scf.if %first {
    memref.store %v, %s[%in] : memref<32xi32, #wg>
  }
  gpu.barrier
  scf.if %first {
    %r = arith.subi %c31, %in : index
    %w = memref.load %s[%r] : memref<32xi32, #wg>
    memref.store %w, %out[%in] : memref<32xi32>
  }
  return
}
