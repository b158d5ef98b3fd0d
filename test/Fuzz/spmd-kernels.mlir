// Kernels that the packing once got wrong, each with reuse and without.
// RUN: split-file %s %t
// RUN: memspace-fuzz --spmd %t/inner-loop-reads-ahead.mlir --chip=sm_90 | FileCheck %s
// RUN: memspace-fuzz --spmd %t/branch-between-blocks.mlir --chip=sm_90 | FileCheck %s
// RUN: memspace-fuzz --spmd %t/allocated-in-divergent-branch.mlir --chip=sm_90 | FileCheck %s
// RUN: memspace-fuzz --spmd %t/unsigned-loop.mlir --chip=sm_90 | FileCheck %s
// RUN: memspace-fuzz --spmd %t/unsigned-bound.mlir --chip=sm_90 | FileCheck %s
// RUN: memspace-fuzz --spmd %t/copy-in-flight.mlir --chip=sm_90 | FileCheck %s
// RUN: memspace-fuzz --spmd %t/copy-in-flight-from-call.mlir --chip=sm_90 | FileCheck %s
// CHECK: kernels: 1, ok: 1, refused: 0, differences: 0, reports: 0, crashes: 0

// A kernel that reads what nobody has written is none to judge by.
// RUN: memspace-fuzz --spmd --refusals %t/undefined.mlir | FileCheck %s --check-prefix=UNDEFINED
// UNDEFINED: not judged 1: the kernel reads what nobody has written
// UNDEFINED: kernels: 1, ok: 0, refused: 0, differences: 0, reports: 0, crashes: 0

// A race that no barrier can cut is refused either way.
// RUN: memspace-fuzz --spmd --refusals %t/refused.mlir | FileCheck %s --check-prefix=REFUSED
// REFUSED: refused 1: threads may touch the same memory here and in 'memref.load', but both are in a region that not all threads enter
// REFUSED: kernels: 1, ok: 0, refused: 1, differences: 0, reports: 0, crashes: 0

//--- inner-loop-reads-ahead.mlir
// The inner loop reads what its last execution has written, not this one.
#wg = #gpu.address_space<workgroup>
func.func @kernel(%in: memref<256xf32>, %out: memref<256xf32>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c63 = arith.constant 63 : index
  %c64 = arith.constant 64 : index
  %c256 = arith.constant 256 : index
  %t = gpu.thread_id x
  %a = memref.alloc() : memref<256xf32, #wg>
  %b = memref.alloc() : memref<256xf32, #wg>
  scf.for %i = %c0 to %c3 step %c1 {
    scf.for %j = %c0 to %c4 step %c1 {
      %base = arith.muli %j, %c64 : index
      %p = arith.addi %base, %t : index
      %v = memref.load %in[%p] : memref<256xf32>
      memref.store %v, %a[%p] : memref<256xf32, #wg>
      %later = arith.cmpi ne, %i, %c0 : index
      scf.if %later {
        %q = arith.addi %p, %c64 : index
        %r = arith.remui %q, %c256 : index
        %w = memref.load %a[%r] : memref<256xf32, #wg>
        memref.store %w, %out[%p] : memref<256xf32>
      }
    }
    scf.for %j = %c0 to %c4 step %c1 {
      %base = arith.muli %j, %c64 : index
      %p = arith.addi %base, %t : index
      %v = memref.load %out[%p] : memref<256xf32>
      memref.store %v, %b[%p] : memref<256xf32, #wg>
    }
    scf.for %j = %c0 to %c4 step %c1 {
      %base = arith.muli %j, %c64 : index
      %p = arith.addi %base, %t : index
      %r = arith.subi %c63, %t : index
      %q = arith.addi %base, %r : index
      %v = memref.load %b[%q] : memref<256xf32, #wg>
      memref.store %v, %out[%p] : memref<256xf32>
    }
  }
  return
}

//--- branch-between-blocks.mlir
// Only the first iteration writes, which no operand of the region says.
#wg = #gpu.address_space<workgroup>
func.func @kernel(%in: memref<64xf32>, %out: memref<64xf32>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c63 = arith.constant 63 : index
  %t = gpu.thread_id x
  %r = arith.subi %c63, %t : index
  %a = memref.alloc() : memref<64xf32, #wg>
  %b = memref.alloc() : memref<64xf32, #wg>
  scf.for %i = %c0 to %c3 step %c1 {
    scf.execute_region {
      %first = arith.cmpi eq, %i, %c0 : index
      cf.cond_br %first, ^write, ^done
    ^write:
      %v = memref.load %in[%t] : memref<64xf32>
      memref.store %v, %a[%t] : memref<64xf32, #wg>
      cf.br ^done
    ^done:
      scf.yield
    }
    %w = memref.load %a[%t] : memref<64xf32, #wg>
    memref.store %w, %b[%r] : memref<64xf32, #wg>
    %x = memref.load %b[%t] : memref<64xf32, #wg>
    memref.store %x, %out[%t] : memref<64xf32>
  }
  return
}

//--- allocated-in-divergent-branch.mlir
// What the branch yields is read after another buffer was written.
#wg = #gpu.address_space<workgroup>
func.func @kernel(%in: memref<64xf32>, %out: memref<64xf32>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %c32 = arith.constant 32 : index
  %c63 = arith.constant 63 : index
  %t = gpu.thread_id x
  %r = arith.subi %c63, %t : index
  %v = memref.load %in[%t] : memref<64xf32>
  %low = arith.cmpi ult, %t, %c32 : index
  %s = scf.if %low -> (memref<64xf32, #wg>) {
    %a = memref.alloc() : memref<64xf32, #wg>
    memref.store %v, %a[%t] : memref<64xf32, #wg>
    scf.yield %a : memref<64xf32, #wg>
  } else {
    %a = memref.alloc() : memref<64xf32, #wg>
    memref.store %v, %a[%t] : memref<64xf32, #wg>
    scf.yield %a : memref<64xf32, #wg>
  }
  %b = memref.alloc() : memref<64xf32, #wg>
  memref.store %v, %b[%r] : memref<64xf32, #wg>
  %0 = memref.load %b[%t] : memref<64xf32, #wg>
  %1 = memref.load %s[%t] : memref<64xf32, #wg>
  %2 = arith.subf %0, %1 : f32
  memref.store %2, %out[%t] : memref<64xf32>
  return
}

//--- unsigned-loop.mlir
// A loop from the largest number on does not run.
#wg = #gpu.address_space<workgroup>
func.func @kernel(%in: memref<64xf32>, %out: memref<64xf32>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %c-1 = arith.constant -1 : i32
  %c1 = arith.constant 1 : i32
  %cst = arith.constant 0.0 : f32
  %c63 = arith.constant 63 : index
  %c0 = arith.constant 0 : index
  %t = gpu.thread_id x
  %r = arith.subi %c63, %t : index
  %a = memref.alloc() : memref<64xf32, #wg>
  %b = memref.alloc() : memref<64xf32, #wg>
  %v = memref.load %in[%t] : memref<64xf32>
  memref.store %v, %a[%t] : memref<64xf32, #wg>
  %x = memref.load %out[%t] : memref<64xf32>
  memref.store %x, %b[%t] : memref<64xf32, #wg>
  %y = memref.load %b[%r] : memref<64xf32, #wg>
  memref.store %y, %out[%t] : memref<64xf32>
  scf.for unsigned %i = %c-1 to %c1 step %c1 : i32 {
    linalg.copy ins(%in : memref<64xf32>) outs(%a : memref<64xf32, #wg>)
  }
  %w = memref.load %a[%r] : memref<64xf32, #wg>
  memref.store %w, %out[%t] : memref<64xf32>
  return
}

//--- copy-in-flight.mlir
// Nobody waits for the second copy, which may arrive at any time.
#wg = #gpu.address_space<workgroup>
func.func @kernel(%in: memref<64xf32>, %out: memref<64xf32>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %c63 = arith.constant 63 : index
  %t = gpu.thread_id x
  %r = arith.subi %c63, %t : index
  %a = memref.alloc() : memref<64xf32, #wg>
  %b = memref.alloc() : memref<64xf32, #wg>
  %k0 = nvgpu.device_async_copy %in[%t], %a[%t], 1 : memref<64xf32> to memref<64xf32, #wg>
  %g0 = nvgpu.device_async_create_group %k0
  nvgpu.device_async_wait %g0
  %z = memref.load %a[%t] : memref<64xf32, #wg>
  memref.store %z, %out[%t] : memref<64xf32>
  %k = nvgpu.device_async_copy %in[%t], %a[%t], 1 : memref<64xf32> to memref<64xf32, #wg>
  %g = nvgpu.device_async_create_group %k
  %x = memref.load %out[%t] : memref<64xf32>
  memref.store %x, %b[%t] : memref<64xf32, #wg>
  %y = memref.load %b[%r] : memref<64xf32, #wg>
  memref.store %y, %out[%t] : memref<64xf32>
  return
}

//--- copy-in-flight-from-call.mlir
// The same begun by a function.
#wg = #gpu.address_space<workgroup>
func.func private @begin(%b: memref<64xf32, #wg>, %x: memref<64xf32>, %i: index) {
  %k = nvgpu.device_async_copy %x[%i], %b[%i], 1 : memref<64xf32> to memref<64xf32, #wg>
  %g = nvgpu.device_async_create_group %k
  return
}
func.func @kernel(%in: memref<64xf32>, %out: memref<64xf32>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %c63 = arith.constant 63 : index
  %t = gpu.thread_id x
  %r = arith.subi %c63, %t : index
  %a = memref.alloc() : memref<64xf32, #wg>
  %b = memref.alloc() : memref<64xf32, #wg>
  func.call @begin(%a, %in, %t) : (memref<64xf32, #wg>, memref<64xf32>, index) -> ()
  %x = memref.load %out[%t] : memref<64xf32>
  memref.store %x, %b[%t] : memref<64xf32, #wg>
  %y = memref.load %b[%r] : memref<64xf32, #wg>
  memref.store %y, %out[%t] : memref<64xf32>
  return
}

//--- unsigned-bound.mlir
// The bound is 200, not -56, so that the loop runs.
#wg = #gpu.address_space<workgroup>
func.func @kernel(%in: memref<64xf32>, %out: memref<64xf32>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %c0 = arith.constant 0 : i8
  %c100 = arith.constant 100 : i8
  %c200 = arith.constant -56 : i8
  %c63 = arith.constant 63 : index
  %t = gpu.thread_id x
  %r = arith.subi %c63, %t : index
  %a = memref.alloc() : memref<64xf32, #wg>
  %b = memref.alloc() : memref<64xf32, #wg>
  %v = memref.load %in[%t] : memref<64xf32>
  memref.store %v, %a[%t] : memref<64xf32, #wg>
  scf.for unsigned %i = %c0 to %c200 step %c100 : i8 {
    %x = memref.load %a[%r] : memref<64xf32, #wg>
    memref.store %x, %b[%t] : memref<64xf32, #wg>
    %y = memref.load %b[%r] : memref<64xf32, #wg>
    memref.store %y, %out[%t] : memref<64xf32>
  }
  return
}

//--- undefined.mlir
#wg = #gpu.address_space<workgroup>
func.func @kernel(%out: memref<64xf32>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %t = gpu.thread_id x
  %a = memref.alloc() : memref<64xf32, #wg>
  %0 = memref.load %a[%t] : memref<64xf32, #wg>
  memref.store %0, %out[%t] : memref<64xf32>
  return
}

//--- refused.mlir
// Each thread runs the loop as often as it likes.
#wg = #gpu.address_space<workgroup>
func.func @kernel(%out: memref<64xf32>, %v: f32)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c63 = arith.constant 63 : index
  %t = gpu.thread_id x
  %r = arith.subi %c63, %t : index
  %a = memref.alloc() : memref<64xf32, #wg>
  scf.for %i = %c0 to %t step %c1 {
    memref.store %v, %a[%t] : memref<64xf32, #wg>
    %0 = memref.load %a[%r] : memref<64xf32, #wg>
    memref.store %0, %out[%t] : memref<64xf32>
  }
  return
}
