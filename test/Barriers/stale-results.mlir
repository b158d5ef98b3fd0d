// The result of a loop is not known any more where the loop is executed again:
// neither on a way around it, nor in a branch that other threads have taken.
// RUN: not memspace-opt %s -split-input-file -memspace-verify-barriers=chip=gfx942 \
// RUN:   -o /dev/null 2>&1 | FileCheck %s

// In iteration 0 all threads store in the then branch, later half of them.
// CHECK: error: {{.*}}data race
func.func @then_and_else(%g: memref<256xf32>) attributes {gpu.known_block_size = array<i32: 128, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %true = arith.constant true
  %f = arith.constant 1.0 : f32
  %tid = gpu.thread_id x
  %buf = memref.alloc() : memref<1024xf32, #gpu.address_space<workgroup>>
  %low = arith.cmpi ult, %tid, %c64 : index
  %lane = arith.remui %tid, %c64 : index
  scf.for %i = %c0 to %c4 step %c1 {
    %first = arith.cmpi eq, %i, %c0 : index
    %c = arith.select %first, %true, %low : i1
    scf.if %c {
      %r1 = scf.for %k = %c0 to %c2 step %c1 iter_args(%x = %i) -> index {
        %x1 = arith.muli %x, %c2 : index
        scf.yield %x1 : index
      }
      // i*4*64/.. : x = 4 i
      %p = arith.muli %r1, %c128 : index
      %q = arith.remui %p, %c128 : index
      %a = arith.addi %q, %tid : index
      memref.store %f, %buf[%a] : memref<1024xf32, #gpu.address_space<workgroup>>
    } else {
      %a = arith.subi %tid, %c64 : index
      memref.store %f, %buf[%a] : memref<1024xf32, #gpu.address_space<workgroup>>
    }
    gpu.barrier
  }
  return
}

// -----

// The number that the branch not taken would have computed is an old one.
// CHECK: error: {{.*}}data race
func.func @chosen(%g: memref<256xf32>) attributes {gpu.known_block_size = array<i32: 128, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %true = arith.constant true
  %false = arith.constant false
  %f = arith.constant 1.0 : f32
  %tid = gpu.thread_id x
  %buf = memref.alloc() : memref<1024xf32, #gpu.address_space<workgroup>>
  %low = arith.cmpi ult, %tid, %c64 : index
  %lane = arith.remui %tid, %c64 : index
  scf.for %i = %c0 to %c4 step %c1 {
    %first = arith.cmpi eq, %i, %c0 : index
    %second = arith.cmpi eq, %i, %c1 : index
    %s = arith.select %second, %false, %low : i1
    %c = arith.select %first, %true, %s : i1
    %v = scf.if %c -> index {
      %r1 = scf.for %k = %c0 to %c2 step %c1 iter_args(%x = %i) -> index {
        %x1 = arith.muli %x, %c2 : index
        scf.yield %x1 : index
      }
      scf.yield %r1 : index
    } else {
      %r2 = scf.for %k = %c0 to %c2 step %c1 iter_args(%x = %i) -> index {
        %x1 = arith.muli %x, %c2 : index
        scf.yield %x1 : index
      }
      scf.yield %r2 : index
    }
    %late = arith.cmpi uge, %i, %c2 : index
    scf.if %late {
      %p = arith.muli %v, %c64 : index
      %a = arith.addi %p, %lane : index
      memref.store %f, %buf[%a] : memref<1024xf32, #gpu.address_space<workgroup>>
    }
    gpu.barrier
  }
  return
}

// -----

// The same, and a load behind it.
// CHECK: error: {{.*}}data race
func.func @chosen_and_read(%g: memref<256xf32>) attributes {gpu.known_block_size = array<i32: 128, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %c64 = arith.constant 64 : index
  %c1024 = arith.constant 1024 : index
  %true = arith.constant true
  %false = arith.constant false
  %f = arith.constant 1.0 : f32
  %tid = gpu.thread_id x
  %buf = memref.alloc() : memref<2048xf32, #gpu.address_space<workgroup>>
  %low = arith.cmpi ult, %tid, %c64 : index
  %lane = arith.remui %tid, %c64 : index
  scf.for %i = %c0 to %c4 step %c1 {
    %first = arith.cmpi eq, %i, %c0 : index
    %second = arith.cmpi eq, %i, %c1 : index
    %s = arith.select %second, %false, %low : i1
    %c = arith.select %first, %true, %s : i1
    %v = scf.if %c -> index {
      %r1 = scf.for %k = %c0 to %c2 step %c1 iter_args(%x = %i) -> index {
        %x1 = arith.muli %x, %c2 : index
        scf.yield %x1 : index
      }
      scf.yield %r1 : index
    } else {
      %r2 = scf.for %k = %c0 to %c2 step %c1 iter_args(%x = %i) -> index {
        %x1 = arith.muli %x, %c2 : index
        scf.yield %x1 : index
      }
      scf.yield %r2 : index
    }
    %late = arith.cmpi uge, %i, %c2 : index
    %p = arith.muli %v, %c64 : index
    %a = arith.addi %p, %lane : index
    scf.if %late {
      scf.if %low {
        memref.store %f, %buf[%a] : memref<2048xf32, #gpu.address_space<workgroup>>
      }
      %high = arith.cmpi uge, %tid, %c64 : index
      scf.if %high {
        %val = memref.load %buf[%a] : memref<2048xf32, #gpu.address_space<workgroup>>
        memref.store %val, %g[%tid] : memref<256xf32>
      }
    }
    gpu.barrier
  }
  return
}

// -----

// The first one, in blocks.
// CHECK: error: {{.*}}data race
func.func @blocks(%g: memref<256xf32>) attributes {gpu.known_block_size = array<i32: 128, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %true = arith.constant true
  %f = arith.constant 1.0 : f32
  %tid = gpu.thread_id x
  %buf = memref.alloc() : memref<1024xf32, #gpu.address_space<workgroup>>
  %low = arith.cmpi ult, %tid, %c64 : index
  cf.br ^h(%c0 : index)
^h(%i: index):
    %first = arith.cmpi eq, %i, %c0 : index
    %c = arith.select %first, %true, %low : i1
    cf.cond_br %c, ^t, ^e
^t:
      %r1 = scf.for %k = %c0 to %c2 step %c1 iter_args(%x = %i) -> index {
        %x1 = arith.muli %x, %c2 : index
        scf.yield %x1 : index
      }
      %p = arith.muli %r1, %c128 : index
      %q = arith.remui %p, %c128 : index
      %a = arith.addi %q, %tid : index
      memref.store %f, %buf[%a] : memref<1024xf32, #gpu.address_space<workgroup>>
    cf.br ^m
^e:
      %a2 = arith.subi %tid, %c64 : index
      memref.store %f, %buf[%a2] : memref<1024xf32, #gpu.address_space<workgroup>>
    cf.br ^m
^m:
    gpu.barrier
    %n = arith.addi %i, %c1 : index
    %go = arith.cmpi slt, %n, %c4 : index
    cf.cond_br %go, ^h(%n : index), ^x
^x:
  return
}
