// RUN: memspace-opt %s -memspace-unroll-private=max-ops=40 | FileCheck %s

// A loop whose counter indexes an array, through a view and arithmetic.

// CHECK-LABEL: func @unrolled
// CHECK-NOT: scf.for
// CHECK-COUNT-4: memref.store
// CHECK-NOT: memref.store
// CHECK: return
func.func @unrolled(%v: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %a = memref.alloca() : memref<8xf32>
  %s = memref.subview %a[4] [4] [1] : memref<8xf32> to memref<4xf32, strided<[1], offset: 4>>
  scf.for %i = %c0 to %c4 step %c1 {
    %j = affine.apply affine_map<(i) -> (3 - i)>(%i)
    memref.store %v, %s[%j] : memref<4xf32, strided<[1], offset: 4>>
  }
  return
}

// One index stays unknown, and the array in memory: of the thread, of data, of a
// loop without a constant number of iterations.

// CHECK-LABEL: func @stays
// CHECK-COUNT-3: scf.for
func.func @stays(%v: f32, %data: memref<4xindex>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %tid = gpu.thread_id x
  %a = memref.alloca() : memref<4xf32>
  %b = memref.alloca() : memref<4xf32>
  %c = memref.alloca() : memref<4xf32>
  scf.for %i = %c0 to %c4 step %c1 {
    memref.store %v, %a[%i] : memref<4xf32>
  }
  %x = memref.load %a[%tid] : memref<4xf32>
  scf.for %i = %c0 to %c4 step %c1 {
    %j = memref.load %data[%i] : memref<4xindex>
    memref.store %x, %b[%j] : memref<4xf32>
  }
  scf.for %i = %c0 to %n step %c1 {
    memref.store %v, %c[%i] : memref<4xf32>
  }
  return
}

// The inner loop is small enough, the outer one is not. A loop that indexes no
// array stays.

// CHECK-LABEL: func @size
// CHECK: scf.for
// CHECK-NOT: scf.for
// CHECK-COUNT-4: memref.store {{.*}} : memref<16x4xf32>
// CHECK: }
// CHECK: scf.for
// CHECK-NEXT: memref.store {{.*}} : memref<4xf32>
func.func @size(%v: f32, %out: memref<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c16 = arith.constant 16 : index
  %a = memref.alloca() : memref<16x4xf32>
  scf.for %i = %c0 to %c16 step %c1 {
    scf.for %j = %c0 to %c4 step %c1 {
      memref.store %v, %a[%i, %j] : memref<16x4xf32>
    }
  }
  scf.for %i = %c0 to %c4 step %c1 {
    memref.store %v, %out[%i] : memref<4xf32>
  }
  return
}

// A loop around such a one that reads what follows each other in workgroup memory: four
// iterations are one access. Not of global memory, of what is apart, or where some would be
// left over.

// CHECK-LABEL: func @row
// CHECK: %[[FOUR:.*]] = arith.constant 4 : index
// CHECK: scf.for %{{.*}} step %[[FOUR]]
// CHECK-COUNT-8: memref.load {{.*}} : memref<2x64xf32, #gpu.address_space<workgroup>>
// CHECK-NOT: memref.load {{.*}} : memref<2x64xf32, #gpu.address_space<workgroup>>
// CHECK: scf.for
// CHECK-COUNT-2: memref.load {{.*}} : memref<64x2xf32, #gpu.address_space<workgroup>>
// CHECK-NOT: memref.load {{.*}} : memref<64x2xf32, #gpu.address_space<workgroup>>
// CHECK: scf.for
// CHECK-COUNT-2: memref.load {{.*}} : memref<2x62xf32, #gpu.address_space<workgroup>>
// CHECK-NOT: memref.load {{.*}} : memref<2x62xf32, #gpu.address_space<workgroup>>
// CHECK: scf.for
// CHECK-COUNT-2: memref.load {{.*}} : memref<2x64xf32>
// CHECK-NOT: memref.load {{.*}} : memref<2x64xf32>
// CHECK: return
func.func @row(%rows: memref<2x64xf32, #gpu.address_space<workgroup>>, %columns: memref<64x2xf32, #gpu.address_space<workgroup>>,
               %odd: memref<2x62xf32, #gpu.address_space<workgroup>>, %global: memref<2x64xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c62 = arith.constant 62 : index
  %c64 = arith.constant 64 : index
  %sums = memref.alloca() : memref<2xf32>
  scf.for %k = %c0 to %c64 step %c1 {
    scf.for %i = %c0 to %c2 step %c1 {
      %x = memref.load %rows[%i, %k] : memref<2x64xf32, #gpu.address_space<workgroup>>
      memref.store %x, %sums[%i] : memref<2xf32>
    }
  }
  scf.for %k = %c0 to %c64 step %c1 {
    scf.for %i = %c0 to %c2 step %c1 {
      %x = memref.load %columns[%k, %i] : memref<64x2xf32, #gpu.address_space<workgroup>>
      memref.store %x, %sums[%i] : memref<2xf32>
    }
  }
  scf.for %k = %c0 to %c62 step %c1 {
    scf.for %i = %c0 to %c2 step %c1 {
      %x = memref.load %odd[%i, %k] : memref<2x62xf32, #gpu.address_space<workgroup>>
      memref.store %x, %sums[%i] : memref<2xf32>
    }
  }
  scf.for %k = %c0 to %c64 step %c1 {
    scf.for %i = %c0 to %c2 step %c1 {
      %x = memref.load %global[%i, %k] : memref<2x64xf32>
      memref.store %x, %sums[%i] : memref<2xf32>
    }
  }
  return
}
