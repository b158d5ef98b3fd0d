// RUN: memspace-opt %s -split-input-file -memspace-form-kernels=chip=gfx942 | FileCheck %s

// A loop that has more than a workgroup may keep stays with the host. What it carries
// alternates between two memories, of which an iteration writes the one and reads the
// other; the first reads the argument.
// CHECK-LABEL: func.func @powers_part0(
// CHECK-SAME: %[[A:.*]]: memref<512x512xf32>, %[[V:.*]]: memref<512x512xf32>, %[[NEXT:.*]]: memref<512x512xf32>)
// CHECK:         linalg.matmul
// CHECK:         bufferization.materialize_in_destination %{{.*}} in restrict writable %[[NEXT]]
// CHECK-LABEL: func.func @powers_part1(
// CHECK:         linalg.copy
// CHECK-LABEL: func.func @powers(
// CHECK-SAME: %[[A:[^:]*]]: memref<512x512xf32>, %[[B:[^:]*]]: memref<512x512xf32>, %[[N:[^:]*]]: index, %[[OUT:[^:]*]]: memref<512x512xf32>)
// CHECK:         %[[M0:.*]] = memref.alloc() : memref<512x512xf32>
// CHECK:         %[[M1:.*]] = memref.alloc() : memref<512x512xf32>
// CHECK:         %[[R:.*]]:3 = scf.for %{{.*}} = %{{.*}} to %[[N]] step %{{.*}} iter_args(%[[V:.*]] = %[[B]], %[[W:.*]] = %[[M0]], %[[X:.*]] = %[[M1]])
// CHECK:           func.call @powers_part0(%[[A]], %[[V]], %[[W]])
// CHECK:           scf.yield %[[W]], %[[X]], %[[W]]
// CHECK:         call @powers_part1(%[[OUT]], %[[R]]#0)
// CHECK:         memref.dealloc %[[M0]]
// CHECK:         memref.dealloc %[[M1]]
func.func @powers(%a: tensor<512x512xf32>, %b: tensor<512x512xf32>, %n: index) -> tensor<512x512xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0.0 : f32
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%v = %b) -> tensor<512x512xf32> {
    %e = tensor.empty() : tensor<512x512xf32>
    %f = linalg.fill ins(%z : f32) outs(%e : tensor<512x512xf32>) -> tensor<512x512xf32>
    %y = linalg.matmul ins(%a, %v : tensor<512x512xf32>, tensor<512x512xf32>) outs(%f : tensor<512x512xf32>) -> tensor<512x512xf32>
    scf.yield %y : tensor<512x512xf32>
  }
  return %r : tensor<512x512xf32>
}

// -----

// What one workgroup can do remains a kernel.
// CHECK-LABEL: func.func @small(
// CHECK:         scf.for {{.*}} -> (tensor<64xf32>)
// CHECK-NOT:   func.func
func.func @small(%a: tensor<64x64xf32>, %x: tensor<64xf32>) -> tensor<64xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c10 = arith.constant 10 : index
  %z = arith.constant 0.0 : f32
  %r = scf.for %i = %c0 to %c10 step %c1 iter_args(%v = %x) -> tensor<64xf32> {
    %e = tensor.empty() : tensor<64xf32>
    %f = linalg.fill ins(%z : f32) outs(%e : tensor<64xf32>) -> tensor<64xf32>
    %y = linalg.matvec ins(%a, %v : tensor<64x64xf32>, tensor<64xf32>) outs(%f : tensor<64xf32>) -> tensor<64xf32>
    scf.yield %y : tensor<64xf32>
  }
  return %r : tensor<64xf32>
}

// -----

// A carried tensor that only gets a part inserted is updated in place, in the output if
// it is stored there. Scalars stay with the host.
// CHECK-LABEL: func.func @rows_part0(
// CHECK:         linalg.fill
// CHECK-LABEL: func.func @rows_part1(
// CHECK-SAME: %[[X:.*]]: memref<4x16384xf32>, %[[I:.*]]: index, %[[S:.*]]: memref<16384xf32>, %[[SCALE:.*]]: f32, %[[NEXT:.*]]: memref<16384xf32>, %[[ALL:.*]]: memref<4x16384xf32>)
// CHECK-DAG:     %[[ROW:.*]] = memref.subview %[[ALL]][%[[I]], 0] [1, 16384] [1, 1]
// CHECK-DAG:     bufferization.materialize_in_destination %{{.*}} in restrict writable %[[NEXT]]
// CHECK-DAG:     bufferization.materialize_in_destination %{{.*}} in restrict writable %[[ROW]]
// CHECK-NOT:   func.func @rows_part2
// CHECK-LABEL: func.func @rows(
// CHECK-SAME: %[[X:[^:]*]]: memref<4x16384xf32>, %[[OUT:[^:]*]]: memref<4x16384xf32>)
// CHECK-COUNT-3: memref.alloc
// CHECK-NOT:     memref.alloc
// CHECK:         scf.for %[[I:.*]] = {{.*}} iter_args(%[[S:.*]] = %{{.*}}, %[[ALL:.*]] = %[[OUT]], %[[SCALE:.*]] = %{{.*}}, %[[W:.*]] = %{{.*}}, %{{.*}} = %{{.*}})
// CHECK:           %[[LESS:.*]] = arith.mulf %[[SCALE]]
// CHECK:           func.call @rows_part1(%[[X]], %[[I]], %[[S]], %[[SCALE]], %[[W]], %[[ALL]])
// CHECK:           scf.yield %[[W]], %[[ALL]], %[[LESS]]
#id = affine_map<(d0) -> (d0)>
func.func @rows(%x: tensor<4x16384xf32>) -> tensor<4x16384xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %z = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %half = arith.constant 0.5 : f32
  %e = tensor.empty() : tensor<16384xf32>
  %all = tensor.empty() : tensor<4x16384xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<16384xf32>) -> tensor<16384xf32>
  %r:3 = scf.for %i = %c0 to %c4 step %c1 iter_args(%s = %f, %o = %all, %scale = %one)
      -> (tensor<16384xf32>, tensor<4x16384xf32>, f32) {
    %xi = tensor.extract_slice %x[%i, 0] [1, 16384] [1, 1] : tensor<4x16384xf32> to tensor<16384xf32>
    %y = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]}
        ins(%s, %xi : tensor<16384xf32>, tensor<16384xf32>) outs(%e : tensor<16384xf32>) {
    ^bb0(%p: f32, %q: f32, %any: f32):
      %m = arith.mulf %q, %scale : f32
      %k = arith.addf %m, %p : f32
      linalg.yield %k : f32
    } -> tensor<16384xf32>
    %o2 = tensor.insert_slice %y into %o[%i, 0] [1, 16384] [1, 1] : tensor<16384xf32> into tensor<4x16384xf32>
    %next = arith.mulf %scale, %half : f32
    scf.yield %y, %o2, %next : tensor<16384xf32>, tensor<4x16384xf32>, f32
  }
  return %r#1 : tensor<4x16384xf32>
}

// -----

// A branch: each side writes the same memory. Assertions are the host's.
// CHECK-LABEL: func.func @either(
// CHECK-SAME: %[[A:[^:]*]]: memref<512x512xf32>, %[[C:[^:]*]]: i1, %[[OUT:[^:]*]]: memref<512x512xf32>)
// CHECK:         cf.assert %[[C]], "sure"
// CHECK:         %[[M:.*]] = memref.alloc() : memref<512x512xf32>
// CHECK:         scf.if %[[C]] {
// CHECK:           func.call @either_part0(%[[A]], %[[M]])
// CHECK:         } else {
// CHECK:           func.call @either_part1(%[[A]], %[[M]])
// CHECK:         call @either_part2(%[[OUT]], %[[M]])
func.func @either(%a: tensor<512x512xf32>, %c: i1) -> tensor<512x512xf32> {
  cf.assert %c, "sure"
  %e = tensor.empty() : tensor<512x512xf32>
  %r = scf.if %c -> tensor<512x512xf32> {
    %y = linalg.exp ins(%a : tensor<512x512xf32>) outs(%e : tensor<512x512xf32>) -> tensor<512x512xf32>
    scf.yield %y : tensor<512x512xf32>
  } else {
    scf.yield %a : tensor<512x512xf32>
  }
  %s = linalg.square ins(%r : tensor<512x512xf32>) outs(%e : tensor<512x512xf32>) -> tensor<512x512xf32>
  return %s : tensor<512x512xf32>
}

// -----

// What is needed behind the loop alone is computed behind it.
// CHECK-LABEL: func.func @later_part0(
// CHECK-NOT:     math.sqrt
// CHECK-LABEL: func.func @later_part1(
// CHECK:         math.sqrt
// CHECK-LABEL: func.func @later(
// CHECK-COUNT-2: memref.alloc
// CHECK-NOT:     memref.alloc
// CHECK:         scf.for
func.func @later(%a: tensor<16384xf32>, %b: tensor<16384xf32>, %n: index) -> tensor<16384xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %e = tensor.empty() : tensor<16384xf32>
  %s = linalg.sqrt ins(%b : tensor<16384xf32>) outs(%e : tensor<16384xf32>) -> tensor<16384xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%v = %a) -> tensor<16384xf32> {
    %y = linalg.exp ins(%v : tensor<16384xf32>) outs(%e : tensor<16384xf32>) -> tensor<16384xf32>
    scf.yield %y : tensor<16384xf32>
  }
  %t = linalg.add ins(%r, %s : tensor<16384xf32>, tensor<16384xf32>) outs(%e : tensor<16384xf32>) -> tensor<16384xf32>
  return %t : tensor<16384xf32>
}

// -----

// A counter of another type, which the part gets.
// CHECK-LABEL: func.func @counts_part0(
// CHECK-SAME: %{{.*}}: i32, %{{.*}}: memref<16384xi32>)
// CHECK-LABEL: func.func @counts(
// CHECK:         scf.for unsigned %[[I:.*]] = %{{.*}} to %{{.*}} step %{{.*}} iter_args({{.*}} : i32 {
// CHECK:           func.call @counts_part0(%[[I]],
func.func @counts(%a: tensor<16384xi32>, %n: i32) -> tensor<16384xi32> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %e = tensor.empty() : tensor<16384xi32>
  %r = scf.for unsigned %i = %c0 to %n step %c1 iter_args(%v = %a) -> tensor<16384xi32> : i32 {
    %y = linalg.fill ins(%i : i32) outs(%e : tensor<16384xi32>) -> tensor<16384xi32>
    scf.yield %y : tensor<16384xi32>
  }
  return %r : tensor<16384xi32>
}

// -----

// An argument in a memory space, or with strides, cannot take turns with memory that the
// host allocates: it is copied before.
// CHECK-LABEL: func.func @other_types(
// CHECK-SAME: %[[A:[^:]*]]: memref<16384xf32, 1>, %[[B:[^:]*]]: memref<16384xf32, strided<[1]>>
// CHECK-DAG:     %[[COPYA:.*]] = memref.alloc() : memref<16384xf32>
// CHECK-DAG:     %[[COPYB:.*]] = memref.alloc() : memref<16384xf32>
// CHECK:         call @other_types_part0(
// CHECK:         scf.for {{.*}} -> (memref<16384xf32>, memref<16384xf32>, memref<16384xf32>, memref<16384xf32>, memref<16384xf32>, memref<16384xf32>)
func.func @other_types(%a: memref<16384xf32, 1>, %b: memref<16384xf32, strided<[1]>>, %n: index, %o: memref<16384xf32>, %p: memref<16384xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %x = bufferization.to_tensor %a restrict : memref<16384xf32, 1> to tensor<16384xf32>
  %y = bufferization.to_tensor %b restrict : memref<16384xf32, strided<[1]>> to tensor<16384xf32>
  %e = tensor.empty() : tensor<16384xf32>
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%v = %x, %w = %y) -> (tensor<16384xf32>, tensor<16384xf32>) {
    %s = linalg.exp ins(%v : tensor<16384xf32>) outs(%e : tensor<16384xf32>) -> tensor<16384xf32>
    %t = linalg.add ins(%w, %s : tensor<16384xf32>, tensor<16384xf32>) outs(%e : tensor<16384xf32>) -> tensor<16384xf32>
    scf.yield %s, %t : tensor<16384xf32>, tensor<16384xf32>
  }
  bufferization.materialize_in_destination %r#0 in restrict writable %o : (tensor<16384xf32>, memref<16384xf32>) -> ()
  bufferization.materialize_in_destination %r#1 in restrict writable %p : (tensor<16384xf32>, memref<16384xf32>) -> ()
  return
}

// -----

// Dynamic extents are those that the loop begins with.
// CHECK-LABEL: func.func @unknown(
// CHECK-SAME: %[[A:[^:]*]]: memref<?x512xf32>
// CHECK:         %[[D:.*]] = memref.dim %[[A]]
// CHECK:         memref.alloc(%[[D]]) : memref<?x512xf32>
// CHECK:         scf.for
// CHECK:           func.call @unknown_part0(
func.func @unknown(%a: tensor<?x512xf32>, %n: index) -> tensor<?x512xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%v = %a) -> tensor<?x512xf32> {
    %d = tensor.dim %v, %c0 : tensor<?x512xf32>
    %e = tensor.empty(%d) : tensor<?x512xf32>
    %y = linalg.exp ins(%v : tensor<?x512xf32>) outs(%e : tensor<?x512xf32>) -> tensor<?x512xf32>
    scf.yield %y : tensor<?x512xf32>
  }
  return %r : tensor<?x512xf32>
}

// -----

// A loop in a loop is one of a function that the host calls. What the function
// overwrites is copied before the loop, which would begin with it.
// CHECK-LABEL: func.func @nest_part1(
// CHECK:         scf.for
// CHECK:           func.call @nest_part1_part0
// CHECK-LABEL: func.func @nest(
// CHECK-SAME: %[[A:[^:]*]]: memref<512x512xf32>
// CHECK:         %[[COPY:.*]] = memref.alloc() : memref<512x512xf32>
// CHECK:         call @nest_part0(%[[A]], %[[COPY]])
// CHECK:         scf.for {{.*}} iter_args(%{{.*}} = %[[COPY]],
// CHECK:           func.call @nest_part1(
func.func @nest(%m: memref<512x512xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = bufferization.to_tensor %m restrict writable : memref<512x512xf32> to tensor<512x512xf32>
  %e = tensor.empty() : tensor<512x512xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%v = %a) -> tensor<512x512xf32> {
    %k = scf.for %j = %c0 to %i step %c1 iter_args(%u = %v) -> tensor<512x512xf32> {
      %y = linalg.exp ins(%u : tensor<512x512xf32>) outs(%e : tensor<512x512xf32>) -> tensor<512x512xf32>
      scf.yield %y : tensor<512x512xf32>
    }
    scf.yield %k : tensor<512x512xf32>
  }
  bufferization.materialize_in_destination %r in restrict writable %m : (tensor<512x512xf32>, memref<512x512xf32>) -> ()
  return
}
