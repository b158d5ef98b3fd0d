// RUN: memspace-opt %s -split-input-file -memspace-finish-bufferization | FileCheck %s

// An exchange of what the loop carries is a permuted yield.

// CHECK-LABEL: func @exchange
// CHECK: scf.for {{.*}} iter_args(%[[U:.*]] = %{{.*}}, %[[V:.*]] = %{{.*}})
// CHECK-NOT: memspace.exchange
// CHECK: scf.yield %[[V]], %[[U]]
func.func @exchange(%a: memref<4xf32>, %b: memref<4xf32>, %n: index, %f: f32) attributes {gpu.known_block_size = array<i32: 1, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:2 = scf.for %k = %c0 to %n step %c1 iter_args(%u = %a, %v = %b) -> (memref<4xf32>, memref<4xf32>) {
    memref.store %f, %v[%c0] : memref<4xf32>
    memspace.exchange %u, %v [1, 0] : memref<4xf32>, memref<4xf32>
    scf.yield %u, %v : memref<4xf32>, memref<4xf32>
  }
  memref.store %f, %r#0[%c0] : memref<4xf32>
  return
}

// -----

// After three iterations the buffers have changed places, after twice three they
// have not. What depends on %n stays a result.

// CHECK-LABEL: func @final_buffers
// CHECK-SAME: (%[[A:[a-z0-9]*]]: memref<4xf32>, %[[B:[a-z0-9]*]]: memref<4xf32>
// CHECK: %[[C:.*]] = arith.constant 1.0
// CHECK: %[[D:.*]] = arith.constant 2.0
// CHECK: memref.store %[[C]], %[[B]]
// CHECK: memref.store %[[D]], %[[A]]
// CHECK: %[[N:.*]]:2 = scf.for
// CHECK: memref.store %[[D]], %[[N]]#0
func.func @final_buffers(%a: memref<4xf32>, %b: memref<4xf32>, %n: index) attributes {gpu.known_block_size = array<i32: 1, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %one = arith.constant 1.0 : f32
  %two = arith.constant 2.0 : f32
  %three:2 = scf.for %k = %c0 to %c3 step %c1 iter_args(%u = %a, %v = %b) -> (memref<4xf32>, memref<4xf32>) {
    memref.store %one, %v[%k] : memref<4xf32>
    memspace.exchange %u, %v [1, 0] : memref<4xf32>, memref<4xf32>
    scf.yield %u, %v : memref<4xf32>, memref<4xf32>
  }
  memref.store %one, %three#0[%c0] : memref<4xf32>
  %six:2 = scf.for %l = %c0 to %c2 step %c1 iter_args(%x = %a, %y = %b) -> (memref<4xf32>, memref<4xf32>) {
    %inner:2 = scf.for %k = %c0 to %c3 step %c1 iter_args(%u = %x, %v = %y) -> (memref<4xf32>, memref<4xf32>) {
      memref.store %one, %v[%k] : memref<4xf32>
      memspace.exchange %u, %v [1, 0] : memref<4xf32>, memref<4xf32>
      scf.yield %u, %v : memref<4xf32>, memref<4xf32>
    }
    scf.yield %inner#0, %inner#1 : memref<4xf32>, memref<4xf32>
  }
  memref.store %two, %six#0[%c0] : memref<4xf32>
  %open:2 = scf.for %k = %c0 to %n step %c1 iter_args(%u = %a, %v = %b) -> (memref<4xf32>, memref<4xf32>) {
    memref.store %one, %v[%c0] : memref<4xf32>
    memspace.exchange %u, %v [1, 0] : memref<4xf32>, memref<4xf32>
    scf.yield %u, %v : memref<4xf32>, memref<4xf32>
  }
  memref.store %two, %open#0[%c0] : memref<4xf32>
  return
}

// -----

#double = affine_map<(d0) -> (d0 * 2)>

// The offset is computed twice, and a loop passes the slice on.

// CHECK-LABEL: func @self_copies
// CHECK-NOT: copy
func.func @self_copies(%m: memref<128x2xf32>, %n: index, %c: i1) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %t = gpu.thread_id x
  %i = affine.apply #double(%t)
  %s = memref.subview %m[%i, 0] [2, 2] [1, 1] : memref<128x2xf32> to memref<2x2xf32, strided<[2, 1], offset: ?>>
  %r = scf.for %k = %c0 to %n step %c1 iter_args(%a = %s) -> (memref<2x2xf32, strided<[2, 1], offset: ?>>) {
    %b = scf.if %c -> (memref<2x2xf32, strided<[2, 1], offset: ?>>) {
      scf.yield %a : memref<2x2xf32, strided<[2, 1], offset: ?>>
    } else {
      scf.yield %s : memref<2x2xf32, strided<[2, 1], offset: ?>>
    }
    scf.yield %b : memref<2x2xf32, strided<[2, 1], offset: ?>>
  }
  %j = affine.apply #double(%t)
  %u = memref.subview %m[%j, 0] [2, 2] [1, 1] : memref<128x2xf32> to memref<2x2xf32, strided<[2, 1], offset: ?>>
  linalg.copy ins(%r : memref<2x2xf32, strided<[2, 1], offset: ?>>) outs(%u : memref<2x2xf32, strided<[2, 1], offset: ?>>)
  memref.copy %u, %s : memref<2x2xf32, strided<[2, 1], offset: ?>> to memref<2x2xf32, strided<[2, 1], offset: ?>>
  // Slices of slices.
  %row = memref.subview %u[1, 0] [1, 2] [1, 1] : memref<2x2xf32, strided<[2, 1], offset: ?>> to memref<2xf32, strided<[1], offset: ?>>
  %line = memref.subview %s[1, 0] [1, 2] [1, 1] : memref<2x2xf32, strided<[2, 1], offset: ?>> to memref<2xf32, strided<[1], offset: ?>>
  linalg.copy ins(%row : memref<2xf32, strided<[1], offset: ?>>) outs(%line : memref<2xf32, strided<[1], offset: ?>>)
  return
}

// -----

#double = affine_map<(d0) -> (d0 * 2)>

// Other elements, another order, a choice, an exchange: the copies stay.

// CHECK-LABEL: func @other_copies
// CHECK-COUNT-4: linalg.copy
func.func @other_copies(%m: memref<128xf32>, %w: memref<2x2xf32>, %n: index, %c: i1) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %t = gpu.thread_id x
  %i = affine.apply #double(%t)
  %s = memref.subview %m[%i] [2] [1] : memref<128xf32> to memref<2xf32, strided<[1], offset: ?>>
  %u = memref.subview %m[%t] [2] [1] : memref<128xf32> to memref<2xf32, strided<[1], offset: ?>>
  linalg.copy ins(%s : memref<2xf32, strided<[1], offset: ?>>) outs(%u : memref<2xf32, strided<[1], offset: ?>>)
  %turned = memref.transpose %w (d0, d1) -> (d1, d0) : memref<2x2xf32> to memref<2x2xf32, strided<[1, 2]>>
  linalg.copy ins(%turned : memref<2x2xf32, strided<[1, 2]>>) outs(%w : memref<2x2xf32>)
  %one = scf.if %c -> (memref<2xf32, strided<[1], offset: ?>>) {
    scf.yield %s : memref<2xf32, strided<[1], offset: ?>>
  } else {
    scf.yield %u : memref<2xf32, strided<[1], offset: ?>>
  }
  linalg.copy ins(%one : memref<2xf32, strided<[1], offset: ?>>) outs(%s : memref<2xf32, strided<[1], offset: ?>>)
  %r:2 = scf.for %k = %c0 to %n step %c1 iter_args(%a = %s, %b = %u) -> (memref<2xf32, strided<[1], offset: ?>>, memref<2xf32, strided<[1], offset: ?>>) {
    scf.yield %b, %a : memref<2xf32, strided<[1], offset: ?>>, memref<2xf32, strided<[1], offset: ?>>
  }
  linalg.copy ins(%r#0 : memref<2xf32, strided<[1], offset: ?>>) outs(%s : memref<2xf32, strided<[1], offset: ?>>)
  return
}

// -----

// A block may be left with a value from the time before: %old is the memref of the
// last iteration when %now is that of this one.

// CHECK-LABEL: func @last_time
// CHECK: linalg.copy
func.func @last_time(%m: memref<8x2xf32>, %n: index, %p: memref<1xindex>) attributes {gpu.known_block_size = array<i32: 1, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  cf.br ^head(%c0 : index)
^head(%i: index):
  %now = memref.subview %m[%i, 0] [1, 2] [1, 1] : memref<8x2xf32> to memref<2xf32, strided<[1], offset: ?>>
  %more = arith.cmpi slt, %i, %n : index
  %first = arith.cmpi eq, %i, %c0 : index
  cf.cond_br %first, ^body(%now : memref<2xf32, strided<[1], offset: ?>>), ^exit
^body(%old: memref<2xf32, strided<[1], offset: ?>>):
  %j = arith.addi %i, %c1 : index
  linalg.copy ins(%old : memref<2xf32, strided<[1], offset: ?>>) outs(%now : memref<2xf32, strided<[1], offset: ?>>)
  cf.cond_br %more, ^head(%j : index), ^body(%old : memref<2xf32, strided<[1], offset: ?>>)
^exit:
  return
}

// -----

// A write of shared memory that all threads would repeat is executed by one.

// CHECK-LABEL: func @guard
// CHECK: scf.forall (%{{.*}}) in (1) {
// CHECK-NEXT: scf.forall (%{{.*}}) in (1) {
// CHECK-NEXT: linalg.copy
// CHECK-NEXT: } {mapping = [#gpu.thread<linear_dim_0>]}
// CHECK: scf.forall (%{{.*}}) in (4) {
// CHECK-NEXT: memref.subview
// CHECK-NEXT: linalg.fill
func.func @guard(%m: memref<4xf32>, %o: memref<4xf32>, %f: f32) attributes {gpu.known_block_size = array<i32: 4, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  scf.forall (%b) in (1) {
    linalg.copy ins(%m : memref<4xf32>) outs(%o : memref<4xf32>)
    scf.forall (%i) in (4) {
      %s = memref.subview %m[%i] [1] [1] : memref<4xf32> to memref<1xf32, strided<[1], offset: ?>>
      linalg.fill ins(%f : f32) outs(%s : memref<1xf32, strided<[1], offset: ?>>)
    } {mapping = [#gpu.thread<x>]}
  } {mapping = [#gpu.block<x>]}
  return
}
