// The options of the verifier, by itself and at the end of the pipeline.

// RUN: memspace-opt %s "-memspace-kernel-pipeline=chip=sm_90" -o /dev/null 2>&1 | FileCheck %s --check-prefix=WARN
// RUN: not memspace-opt %s "-memspace-kernel-pipeline=chip=sm_90 may-hazards=error" -o /dev/null 2>&1 | FileCheck %s --check-prefix=ERROR
// RUN: not memspace-opt %s "-memspace-kernel-pipeline=chip=sm_90 may-hazards=maybe" -o /dev/null 2>&1 | FileCheck %s --check-prefix=NAME
// RUN: memspace-opt %s "-memspace-verify-barriers=chip=sm_90 may-hazards=warn work-limit=3" -o /dev/null 2>&1 | FileCheck %s --check-prefix=LIMIT
// RUN: not memspace-opt %s "-memspace-verify-barriers=chip=sm_90 work-limit=3" -o /dev/null 2>&1 | FileCheck %s --check-prefix=LIMIT-ERROR
// RUN: not memspace-opt %s "-memspace-verify-barriers=chip=sm_90 work-limit=-1" -o /dev/null 2>&1 | FileCheck %s --check-prefix=NEGATIVE

// WARN: warning: possible data race (WAW) of threads that execute this 'memref.store' at once
// WARN-NOT: error:
// ERROR: error: possible data race (WAW)
// NAME: error: 'memspace-verify-barriers' knows no 'may-hazards' named 'maybe'; use 'error' or 'warn'
// LIMIT: warning: kernel 'scatter' is too large to be verified within the steps of 'work-limit': that it has no race is not verified; run memspace-verify-barriers with a larger one
// LIMIT-ERROR: error: kernel 'scatter' is too large
// NEGATIVE: error: the 'work-limit' of 'memspace-verify-barriers' must not be negative; 0 means that there is none

// Where the threads store is data.
func.func @scatter(%v: f32, %where: memref<128xindex>, %out: memref<128xf32>)
    attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
  %t = gpu.thread_id x
  %i = memref.load %where[%t] : memref<128xindex>
  memref.store %v, %out[%i] : memref<128xf32>
  return
}
