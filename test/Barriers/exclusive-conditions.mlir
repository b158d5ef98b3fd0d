// What stands under a condition and under its opposite does not meet in one
// execution; in the next iteration it may.
// RUN: memspace-opt %s -memspace-insert-barriers=chip=gfx942 -o %t
// RUN: FileCheck %s --input-file=%t
// RUN: memspace-opt %t -memspace-verify-barriers=chip=gfx942 -o /dev/null

!shared = memref<128xf32, #gpu.address_space<workgroup>>

// CHECK-LABEL: func.func @opposite
// CHECK-NOT: gpu.barrier
// CHECK: return
func.func @opposite(%flag: i1, %out: memref<128xf32>) attributes {
    gpu.kernel, gpu.known_block_size = array<i32: 128, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %c127 = arith.constant 127 : index
  %true = arith.constant true
  %zero = arith.constant 0.0 : f32
  %tid = gpu.thread_id x
  %rev = arith.subi %c127, %tid : index
  %a = memref.alloc() : !shared
  %not = arith.xori %flag, %true : i1
  scf.if %flag {
    memref.store %zero, %a[%tid] : !shared
  }
  scf.if %not {
    %v = memref.load %a[%rev] : !shared
    memref.store %v, %out[%tid] : memref<128xf32>
  }
  return
}

// The condition is the same in all iterations.
// CHECK-LABEL: func.func @compared
// CHECK-NOT: gpu.barrier
// CHECK: return
func.func @compared(%n: index, %out: memref<128xf32>) attributes {
    gpu.kernel, gpu.known_block_size = array<i32: 128, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c16 = arith.constant 16 : index
  %c127 = arith.constant 127 : index
  %zero = arith.constant 0.0 : f32
  %tid = gpu.thread_id x
  %rev = arith.subi %c127, %tid : index
  %rest = arith.remui %n, %c16 : index
  %a = memref.alloc() : !shared
  scf.for %i = %c0 to %n step %c1 {
    %is = arith.cmpi eq, %rest, %c3 : index
    %isNot = arith.cmpi ne, %rest, %c3 : index
    scf.if %is {
      memref.store %zero, %a[%tid] : !shared
    }
    scf.if %isNot {
      %v = memref.load %a[%rev] : !shared
      memref.store %v, %out[%tid] : memref<128xf32>
    }
  }
  return
}

// Here it is not.
// CHECK-LABEL: func.func @changing
// CHECK: scf.for
// CHECK: gpu.barrier
// CHECK: return
func.func @changing(%n: index, %out: memref<128xf32>) attributes {
    gpu.kernel, gpu.known_block_size = array<i32: 128, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c16 = arith.constant 16 : index
  %c127 = arith.constant 127 : index
  %zero = arith.constant 0.0 : f32
  %tid = gpu.thread_id x
  %rev = arith.subi %c127, %tid : index
  %a = memref.alloc() : !shared
  scf.for %i = %c0 to %n step %c1 {
    %rest = arith.remui %i, %c16 : index
    %is = arith.cmpi eq, %rest, %c3 : index
    %isNot = arith.cmpi ne, %rest, %c3 : index
    scf.if %is {
      memref.store %zero, %a[%tid] : !shared
    }
    scf.if %isNot {
      %v = memref.load %a[%rev] : !shared
      memref.store %v, %out[%tid] : memref<128xf32>
    }
  }
  return
}

// What an operand was made from: the xor is undone.
// CHECK-LABEL: func.func @undone
// CHECK-NOT: gpu.barrier
// CHECK: return
func.func @undone(%out: memref<128xf32>) attributes {
    gpu.kernel, gpu.known_block_size = array<i32: 128, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %tid = gpu.thread_id x
  %a = memref.alloc() : !shared
  %once = arith.xori %tid, %c1 : index
  %twice = arith.xori %once, %c1 : index
  memref.store %zero, %a[%twice] : !shared
  %v = memref.load %a[%tid] : !shared
  memref.store %v, %out[%tid] : memref<128xf32>
  return
}

// Comparisons of numbers without a sign exclude each other as those with one.
// CHECK-LABEL: func.func @above_none
// CHECK-NOT: gpu.barrier
// CHECK: return
func.func @above_none(%n: index, %out: memref<128xf32>) attributes {
    gpu.kernel, gpu.known_block_size = array<i32: 128, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %c127 = arith.constant 127 : index
  %first = arith.constant 0 : index
  %second = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %tid = gpu.thread_id x
  %rev = arith.subi %c127, %tid : index
  %a = memref.alloc() : !shared
  %is = arith.cmpi ugt, %n, %first : index
  scf.if %is {
    memref.store %zero, %a[%tid] : !shared
  }
  %isOther = arith.cmpi eq, %n, %second : index
  scf.if %isOther {
    %v = memref.load %a[%rev] : !shared
    memref.store %v, %out[%tid] : memref<128xf32>
  }
  return
}

// CHECK-LABEL: func.func @small_and_large
// CHECK-NOT: gpu.barrier
// CHECK: return
func.func @small_and_large(%n: index, %out: memref<128xf32>) attributes {
    gpu.kernel, gpu.known_block_size = array<i32: 128, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %c127 = arith.constant 127 : index
  %first = arith.constant 3 : index
  %second = arith.constant 5 : index
  %zero = arith.constant 0.0 : f32
  %tid = gpu.thread_id x
  %rev = arith.subi %c127, %tid : index
  %a = memref.alloc() : !shared
  %is = arith.cmpi ult, %n, %first : index
  scf.if %is {
    memref.store %zero, %a[%tid] : !shared
  }
  %isOther = arith.cmpi uge, %n, %second : index
  scf.if %isOther {
    %v = memref.load %a[%rev] : !shared
    memref.store %v, %out[%tid] : memref<128xf32>
  }
  return
}

// CHECK-LABEL: func.func @some_and_none
// CHECK-NOT: gpu.barrier
// CHECK: return
func.func @some_and_none(%n: index, %out: memref<128xf32>) attributes {
    gpu.kernel, gpu.known_block_size = array<i32: 128, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %c127 = arith.constant 127 : index
  %first = arith.constant 0 : index
  %second = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %tid = gpu.thread_id x
  %rev = arith.subi %c127, %tid : index
  %a = memref.alloc() : !shared
  %is = arith.cmpi ne, %n, %first : index
  scf.if %is {
    memref.store %zero, %a[%tid] : !shared
  }
  %isOther = arith.cmpi ule, %n, %second : index
  scf.if %isOther {
    %v = memref.load %a[%rev] : !shared
    memref.store %v, %out[%tid] : memref<128xf32>
  }
  return
}

// CHECK-LABEL: func.func @not_negative
// CHECK-NOT: gpu.barrier
// CHECK: return
func.func @not_negative(%n: index, %out: memref<128xf32>) attributes {
    gpu.kernel, gpu.known_block_size = array<i32: 128, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %c127 = arith.constant 127 : index
  %first = arith.constant 2 : index
  %second = arith.constant 2 : index
  %zero = arith.constant 0.0 : f32
  %tid = gpu.thread_id x
  %rev = arith.subi %c127, %tid : index
  %a = memref.alloc() : !shared
  %is = arith.cmpi sge, %n, %first : index
  scf.if %is {
    memref.store %zero, %a[%tid] : !shared
  }
  %isOther = arith.cmpi ult, %n, %second : index
  scf.if %isOther {
    %v = memref.load %a[%rev] : !shared
    memref.store %v, %out[%tid] : memref<128xf32>
  }
  return
}

// These do not: 4 is both, and so is -1, which is a large number.
// CHECK-LABEL: func.func @both_small
// CHECK: gpu.barrier
// CHECK: return
func.func @both_small(%n: index, %out: memref<128xf32>) attributes {
    gpu.kernel, gpu.known_block_size = array<i32: 128, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %c127 = arith.constant 127 : index
  %first = arith.constant 5 : index
  %second = arith.constant 4 : index
  %zero = arith.constant 0.0 : f32
  %tid = gpu.thread_id x
  %rev = arith.subi %c127, %tid : index
  %a = memref.alloc() : !shared
  %is = arith.cmpi ult, %n, %first : index
  scf.if %is {
    memref.store %zero, %a[%tid] : !shared
  }
  %isOther = arith.cmpi uge, %n, %second : index
  scf.if %isOther {
    %v = memref.load %a[%rev] : !shared
    memref.store %v, %out[%tid] : memref<128xf32>
  }
  return
}

// CHECK-LABEL: func.func @large_or_negative
// CHECK: gpu.barrier
// CHECK: return
func.func @large_or_negative(%n: index, %out: memref<128xf32>) attributes {
    gpu.kernel, gpu.known_block_size = array<i32: 128, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %c127 = arith.constant 127 : index
  %first = arith.constant 2 : index
  %second = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %tid = gpu.thread_id x
  %rev = arith.subi %c127, %tid : index
  %a = memref.alloc() : !shared
  %is = arith.cmpi ugt, %n, %first : index
  scf.if %is {
    memref.store %zero, %a[%tid] : !shared
  }
  %isOther = arith.cmpi slt, %n, %second : index
  scf.if %isOther {
    %v = memref.load %a[%rev] : !shared
    memref.store %v, %out[%tid] : memref<128xf32>
  }
  return
}

// CHECK-LABEL: func.func @narrow
// CHECK: gpu.barrier
// CHECK: return
func.func @narrow(%n: i8, %out: memref<128xf32>) attributes {
    gpu.kernel, gpu.known_block_size = array<i32: 128, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %c127 = arith.constant 127 : index
  %first = arith.constant 100 : i8
  %second = arith.constant 0 : i8
  %zero = arith.constant 0.0 : f32
  %tid = gpu.thread_id x
  %rev = arith.subi %c127, %tid : index
  %a = memref.alloc() : !shared
  %is = arith.cmpi ugt, %n, %first : i8
  scf.if %is {
    memref.store %zero, %a[%tid] : !shared
  }
  %isOther = arith.cmpi slt, %n, %second : i8
  scf.if %isOther {
    %v = memref.load %a[%rev] : !shared
    memref.store %v, %out[%tid] : memref<128xf32>
  }
  return
}
