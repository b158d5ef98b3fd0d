// What would be launched, for who has a GPU.

// RUN: memspace-opt %s -memspace-outline-kernels=chip=sm_90 -o %t.mlir
// RUN: memspace-runner %t.mlir --launches=%t.json --kernel=host --shape=0:5 --arg=1:fill:3 --shape=2:5
// RUN: FileCheck %s --input-file=%t.json
// RUN: memspace-runner %t.mlir --launches=%t.one --kernel=scale --shape=0:5 --arg=1:fill:3 --shape=2:5
// RUN: FileCheck %s --input-file=%t.one --check-prefix=ONE
// RUN: not memspace-runner %t.mlir --launches=%t.none --kernel=host --shape=0:5 --shape=2:5 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: not ls %t.none

// CHECK: {"launches":[{"block":[32,1,1],"dynamic_bytes":0,"grid":[1,1,1],"kernel":"scale","module":"scale_module",
// CHECK-SAME: "operands":[{"memory":0,"shape":[5]},{"scalar":"03000000"},{"memory":3,"shape":[5]}]},
// CHECK-SAME: "operands":[{"memory":3,"shape":[5]},{"scalar":"06000000"},{"memory":2,"shape":[5]}]}],
// CHECK-SAME: "memories":{"0":20,"2":20,"3":20}}

// ONE: {"launches":[{"block":[32,1,1],{{.*}}"kernel":"scale",{{.*}}"memory":0{{.*}}"memory":2,"shape":[5]}]}],"memories":{"0":20,"2":20}}

// NONE: error: {{.*}}argument 1
func.func @scale(%x: memref<?xi32>, %n: i32, %y: memref<?xi32>)
    attributes {gpu.known_block_size = array<i32: 32, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %c0 = arith.constant 0 : index
  %t = gpu.thread_id x
  %size = memref.dim %x, %c0 : memref<?xi32>
  %in = arith.cmpi ult, %t, %size : index
  scf.if %in {
    %v = memref.load %x[%t] : memref<?xi32>
    %w = arith.muli %v, %n : i32
    memref.store %w, %y[%t] : memref<?xi32>
  }
  return
}

func.func @host(%x: memref<?xi32>, %n: i32, %y: memref<?xi32>) {
  %c0 = arith.constant 0 : index
  %size = memref.dim %x, %c0 : memref<?xi32>
  %ws = memref.alloc(%size) : memref<?xi32>
  %m = arith.addi %n, %n : i32
  func.call @scale(%x, %n, %ws) : (memref<?xi32>, i32, memref<?xi32>) -> ()
  func.call @scale(%ws, %m, %y) : (memref<?xi32>, i32, memref<?xi32>) -> ()
  memref.dealloc %ws : memref<?xi32>
  return
}
