// The grid that a kernel needs: as it says, as its arguments say, or as asked for.

// RUN: memspace-opt %s -memspace-map-to-threads > %t.mlir

// RUN: memspace-runner %t.mlir --kernel=static --verbose | FileCheck %s --check-prefix=FOUR
// RUN: not memspace-runner %t.mlir --kernel=static --grid=2 2>&1 | FileCheck %s --check-prefix=KNOWN
// FOUR: accesses: 4,
// KNOWN: error: grid size 2 in dimension 0 contradicts the known size 4

// 40 columns in tiles of 16, and 5 rows.
// RUN: memspace-runner %t.mlir --kernel=dynamic --shape=0:5x40 --arg=1:fill:5 --verbose | FileCheck %s --check-prefix=FIFTEEN
// RUN: memspace-runner %t.mlir --kernel=dynamic --shape=0:5x40 --arg=1:fill:5 --grid=4,5 --verbose | FileCheck %s --check-prefix=FIFTEEN
// RUN: not memspace-runner %t.mlir --kernel=dynamic --shape=0:5x40 --arg=1:fill:5 --grid=3,4 2>&1 | FileCheck %s --check-prefix=FEW
// RUN: memspace-opt %t.mlir -memspace-outline-kernels=chip=sm_90 | memspace-runner --kernel=dynamic --shape=0:5x40 --arg=1:fill:5 --verbose | FileCheck %s --check-prefix=FIFTEEN
// FIFTEEN: accesses: 15,
// FEW: error: grid size 4 in dimension 1 is less than the 5 that the kernel's block foralls need; give a larger '--grid'

// However they are arranged.
// RUN: memspace-runner %t.mlir --kernel=linear --shape=0:5x3 --verbose | FileCheck %s --check-prefix=FIFTEEN
// RUN: memspace-runner %t.mlir --kernel=linear --shape=0:5x3 --grid=4,4 --verbose | FileCheck %s --check-prefix=FIFTEEN
// RUN: not memspace-runner %t.mlir --kernel=linear --shape=0:5x3 --grid=7,2 2>&1 | FileCheck %s --check-prefix=FEW-LINEAR
// FEW-LINEAR: error: the grid has 14 workgroups, but the kernel's block foralls need 15; give a larger '--grid'

// Nobody says; also where an expression would divide by an argument, or has no
// value.
// RUN: not memspace-runner %t.mlir --kernel=square --arg=0:fill:1099511627776 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// RUN: not memspace-runner %t.mlir --kernel=data --shape=0:8 --arg=1:fill:3 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// RUN: not memspace-runner %t.mlir --kernel=ids 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// RUN: not memspace-runner %t.mlir --kernel=division --shape=0:8 --arg=1:fill:0 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// RUN: memspace-runner %t.mlir --kernel=data --shape=0:8 --arg=1:fill:3 --grid=3 --verbose | FileCheck %s --check-prefix=THREE
// RUN: memspace-runner %t.mlir --kernel=ids --grid=1 --verbose | FileCheck %s --check-prefix=ONE
// UNKNOWN: error: the grid of kernel '{{.*}}' is not known, and it reads block ids; give it with '--grid', or the kernel 'gpu.known_grid_size'
// THREE: accesses: 6,
// ONE: accesses: 1,

// Without block ids one workgroup is enough.
// RUN: memspace-runner %t.mlir --kernel=threads --verbose | FileCheck %s --check-prefix=FOUR

func.func @static(%a: memref<4xf32>) attributes {gpu.known_block_size = array<i32: 1, 1, 1>} {
  %f = arith.constant 1.0 : f32
  scf.forall (%i) in (4) {
    memref.store %f, %a[%i] : memref<4xf32>
  } {mapping = [#gpu.block<x>]}
  return
}

func.func @dynamic(%a: memref<?x?xf32>, %rows: index) attributes {gpu.known_block_size = array<i32: 1, 1, 1>} {
  %c1 = arith.constant 1 : index
  %f = arith.constant 1.0 : f32
  %columns = memref.dim %a, %c1 : memref<?x?xf32>
  scf.forall (%i, %j) = (0, 0) to (%rows, %columns) step (1, 16) {
    memref.store %f, %a[%i, %j] : memref<?x?xf32>
  } {mapping = [#gpu.block<y>, #gpu.block<x>]}
  return
}

func.func @linear(%a: memref<?x?xf32>) attributes {gpu.known_block_size = array<i32: 1, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %f = arith.constant 1.0 : f32
  %rows = memref.dim %a, %c0 : memref<?x?xf32>
  %columns = memref.dim %a, %c1 : memref<?x?xf32>
  scf.forall (%i, %j) in (%rows, %columns) {
    memref.store %f, %a[%i, %j] : memref<?x?xf32>
  } {mapping = [#gpu.block<linear_dim_1>, #gpu.block<linear_dim_0>]}
  return
}

func.func @data(%a: memref<?xf32>, %sizes: memref<1xindex>) attributes {gpu.known_block_size = array<i32: 1, 1, 1>} {
  %c0 = arith.constant 0 : index
  %f = arith.constant 1.0 : f32
  %n = memref.load %sizes[%c0] : memref<1xindex>
  scf.forall (%i) in (%n) {
    memref.store %f, %a[%i] : memref<?xf32>
  } {mapping = [#gpu.block<x>]}
  return
}

func.func @ids(%a: memref<4xf32>) attributes {gpu.known_block_size = array<i32: 1, 1, 1>} {
  %f = arith.constant 1.0 : f32
  %x = gpu.block_id x
  memref.store %f, %a[%x] : memref<4xf32>
  return
}

func.func @division(%a: memref<?xf32>, %step: index) attributes {gpu.known_block_size = array<i32: 1, 1, 1>} {
  %c0 = arith.constant 0 : index
  %f = arith.constant 1.0 : f32
  %n = memref.dim %a, %c0 : memref<?xf32>
  scf.forall (%i) = (0) to (%n) step (%step) {
    memref.store %f, %a[%i] : memref<?xf32>
  } {mapping = [#gpu.block<x>]}
  return
}

func.func @square(%n: index, %a: memref<4xf32>) attributes {gpu.known_block_size = array<i32: 1, 1, 1>} {
  %c0 = arith.constant 0 : index
  %f = arith.constant 1.0 : f32
  scf.forall (%i, %j) in (%n, %n) {
    memref.store %f, %a[%c0] : memref<4xf32>
  } {mapping = [#gpu.block<linear_dim_1>, #gpu.block<linear_dim_0>]}
  return
}

func.func @threads(%a: memref<4xf32>) attributes {gpu.known_block_size = array<i32: 4, 1, 1>} {
  %f = arith.constant 1.0 : f32
  %t = gpu.thread_id x
  memref.store %f, %a[%t] : memref<4xf32>
  return
}
