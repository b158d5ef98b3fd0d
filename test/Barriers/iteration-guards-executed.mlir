// Guards on counters of short loops are executed, so that a barrier of the outer
// loop is needed in all iterations but the first: 43 are executed instead of 45.
// RUN: memspace-opt %s -memspace-insert-barriers="chip=sm_90 iteration-guards" -o %t
// RUN: memspace-opt %t -memspace-verify-barriers=chip=sm_90 -o /dev/null
// RUN: memspace-runner %t --chip=sm_90 --arg=0:fill:0 --arg=1:fill:8 --arg=2:fill:8 --arg=3:fill:1 --arg=4:fill:8 --arg=5:fill:8 --arg=6:fill:1 --verbose 2>&1 | FileCheck %s
// CHECK: executed barriers: 43,

!t = memref<2x64xf32, #gpu.address_space<workgroup>>
func.func @k44(%out: memref<64xf32>, %m: index, %n: index, %s: index, %mi: i32, %ni: i32, %si: i32) attributes {gpu.kernel, gpu.known_block_size = array<i32: 64, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %c0 = arith.constant 0 : index
  %k0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : index
  %k1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : index
  %k2 = arith.constant 2 : i32
  %c3 = arith.constant 3 : index
  %k3 = arith.constant 3 : i32
  %c4 = arith.constant 4 : index
  %k4 = arith.constant 4 : i32
  %c5 = arith.constant 5 : index
  %k5 = arith.constant 5 : i32
  %true = arith.constant true
  %c63 = arith.constant 63 : index
  %val = arith.constant 1.0 : f32
  %tid = gpu.thread_id x
  %rev = arith.subi %c63, %tid : index
  %buf = memref.alloc() : !t
  memref.store %val, %buf[%c0, %tid] : !t
  memref.store %val, %buf[%c1, %tid] : !t
  gpu.barrier
  scf.for %i1 = %c0 to %n step %c1 {
    %p2 = arith.addi %i1, %c1 : index
    %q3 = arith.remui %p2, %c2 : index
    memref.store %val, %buf[%q3, %tid] : !t
    %l4 = memref.load %buf[%c0, %rev] : !t
    memref.store %l4, %out[%tid] : memref<64xf32>
    %g5 = arith.cmpi ne, %i1, %c2 : index
    scf.if %g5 {
      %g6 = arith.cmpi sge, %i1, %c0 : index
      scf.if %g6 {
        %g7 = arith.cmpi ne, %i1, %c0 : index
        scf.if %g7 {
          %l8 = memref.load %buf[%c0, %rev] : !t
          memref.store %l8, %out[%tid] : memref<64xf32>
        }
        %x9 = arith.xori %g7, %true : i1
        scf.if %x9 {
          %l10 = memref.load %buf[%c0, %rev] : !t
          memref.store %l10, %out[%tid] : memref<64xf32>
        } else {
          %l11 = memref.load %buf[%c0, %rev] : !t
          memref.store %l11, %out[%tid] : memref<64xf32>
        }
      }
      scf.for %i12 = %k0 to %k4 step %k1 : i32 {
        %l13 = memref.load %buf[%c0, %rev] : !t
        memref.store %l13, %out[%tid] : memref<64xf32>
        memref.store %val, %buf[%c1, %tid] : !t
      }
      scf.if %g5 {
        %q14 = arith.remui %i1, %c2 : index
        %l15 = memref.load %buf[%q14, %rev] : !t
        memref.store %l15, %out[%tid] : memref<64xf32>
        memref.store %val, %buf[%c0, %tid] : !t
        %g16 = arith.cmpi ule, %i1, %n : index
        scf.if %g16 {
          %l17 = memref.load %buf[%c0, %rev] : !t
          memref.store %l17, %out[%tid] : memref<64xf32>
        }
      } else {
        %p18 = arith.addi %i1, %c1 : index
        %q19 = arith.remui %p18, %c2 : index
        %l20 = memref.load %buf[%q19, %rev] : !t
        memref.store %l20, %out[%tid] : memref<64xf32>
      }
    } else {
      %l21 = memref.load %buf[%c0, %rev] : !t
      memref.store %l21, %out[%tid] : memref<64xf32>
    }
  }
  %l22 = memref.load %buf[%c0, %rev] : !t
  memref.store %l22, %out[%tid] : memref<64xf32>
  scf.for %i23 = %k0 to %k1 step %k1 : i32 {
    scf.for %i24 = %k0 to %k2 step %k1 : i32 {
      %l25 = memref.load %buf[%c0, %rev] : !t
      memref.store %l25, %out[%tid] : memref<64xf32>
      %l26 = memref.load %buf[%c0, %rev] : !t
      memref.store %l26, %out[%tid] : memref<64xf32>
      %g27 = arith.cmpi ne, %i24, %k0 : i32
      scf.if %g27 {
        %l28 = memref.load %buf[%c0, %rev] : !t
        memref.store %l28, %out[%tid] : memref<64xf32>
        memref.store %val, %buf[%c0, %tid] : !t
        memref.store %val, %buf[%c0, %tid] : !t
        %g29 = arith.cmpi eq, %i23, %k0 : i32
        scf.if %g29 {
          %l30 = memref.load %buf[%c0, %rev] : !t
          memref.store %l30, %out[%tid] : memref<64xf32>
        }
      } else {
        %l31 = memref.load %buf[%c1, %rev] : !t
        memref.store %l31, %out[%tid] : memref<64xf32>
      }
      %g32 = arith.cmpi eq, %i24, %k0 : i32
      scf.if %g32 {
        %x33 = arith.xori %g32, %true : i1
        scf.if %x33 {
          %l34 = memref.load %buf[%c0, %rev] : !t
          memref.store %l34, %out[%tid] : memref<64xf32>
        }
        %g35 = arith.cmpi ne, %i23, %k1 : i32
        scf.if %g35 {
          %l36 = memref.load %buf[%c0, %rev] : !t
          memref.store %l36, %out[%tid] : memref<64xf32>
        }
        %l37 = memref.load %buf[%c0, %rev] : !t
        memref.store %l37, %out[%tid] : memref<64xf32>
        %g38 = arith.cmpi sge, %i23, %k1 : i32
        scf.if %g38 {
          %l39 = memref.load %buf[%c0, %rev] : !t
          memref.store %l39, %out[%tid] : memref<64xf32>
        }
        memref.store %val, %buf[%c0, %tid] : !t
      }
    }
    scf.for %i40 = %k0 to %k2 step %k1 : i32 {
      %a42 = arith.addi %i40, %k1 : i32
      %g41 = arith.cmpi slt, %a42, %k2 : i32
      scf.if %g41 {
        memref.store %val, %buf[%c0, %tid] : !t
        %l43 = memref.load %buf[%c1, %rev] : !t
        memref.store %l43, %out[%tid] : memref<64xf32>
      }
    }
    %l44 = memref.load %buf[%c0, %rev] : !t
    memref.store %l44, %out[%tid] : memref<64xf32>
  }
  return
}
