// Blocks that nothing leads to are executed by nobody, whatever they touch.
// RUN: memspace-opt %s -memspace-insert-barriers=chip=gfx942 -o %t.mlir
// RUN: FileCheck %s --input-file=%t.mlir
// RUN: memspace-opt %t.mlir -memspace-verify-barriers='chip=gfx942 may-hazards=error' -o /dev/null

// CHECK-LABEL: func.func @unreachable
// CHECK: memref.store
// CHECK: gpu.barrier
// CHECK: memref.load
// CHECK: return
func.func @unreachable(%y: memref<128xf32>, %v: f32)
    attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
  %c64 = arith.constant 64 : index
  %c127 = arith.constant 127 : index
  %t = gpu.thread_id x
  %other = arith.xori %t, %c127 : index
  %isLow = arith.cmpi ult, %t, %c64 : index
  %tile = memref.alloc() : memref<128xf32, #gpu.address_space<workgroup>>
  memref.store %v, %tile[%t] : memref<128xf32, #gpu.address_space<workgroup>>
  cf.br ^end
^nowhere:
  memref.store %v, %tile[%other] : memref<128xf32, #gpu.address_space<workgroup>>
  cf.cond_br %isLow, ^low, ^high
^low:
  memref.store %v, %tile[%t] : memref<128xf32, #gpu.address_space<workgroup>>
  cf.br ^nowhere
^high:
  %x = memref.load %tile[%other] : memref<128xf32, #gpu.address_space<workgroup>>
  memref.store %x, %y[%t] : memref<128xf32>
  cf.br ^end
^end:
  %w = memref.load %tile[%other] : memref<128xf32, #gpu.address_space<workgroup>>
  memref.store %w, %y[%t] : memref<128xf32>
  return
}
