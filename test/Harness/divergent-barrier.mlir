// RUN: not %python %src_root/utils/run_kernel.py %s | FileCheck %s
// CHECK: forward: FAILED
// CHECK: error: divergent barrier: thread 0 of block 0, line {{[0-9]+}}: gpu.barrier waits, but thread 32 has finished

func.func @guarded(%x: memref<64xf32>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %c32 = arith.constant 32 : index
  %t = gpu.thread_id x
  %low = arith.cmpi ult, %t, %c32 : index
  scf.if %low {
    gpu.barrier
  }
  return
}
