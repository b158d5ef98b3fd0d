// RUN: memspace-opt %s -memspace-distribute-structured-ops=chip=gfx942 | FileCheck %s
// RUN: memspace-opt %s -memspace-distribute-structured-ops=chip=sm_90 | FileCheck %s --check-prefix=NV
// RUN: memspace-opt %s -memspace-distribute-structured-ops | FileCheck %s --check-prefix=ONE
// RUN: memspace-opt %s "-memspace-distribute-structured-ops=chip=gfx942 workgroup-limit=32768" | FileCheck %s --check-prefix=LIMIT

// Chunks of 4 elements in 256 threads; rounds 0 to 5 in a loop, from one tile to another
// one and back, round 6 behind it, and round 7 to the output. The places that a thread
// writes are those of its chunk, in all of them.
// CHECK-LABEL: func.func @sort
// CHECK: %[[OUT:.*]] = tensor.empty() : tensor<1024xi32>
// CHECK: %[[A:.*]] = tensor.empty() : tensor<1024xi32>
// CHECK: %[[CHUNKS:.*]] = scf.forall (%[[T:.*]]) in (256) shared_outs(%[[O:.*]] = %[[A]]) -> (tensor<1024xi32>)
// CHECK-COUNT-4: tensor.extract
// CHECK-COUNT-6: arith.cmpi slt
// CHECK: tensor.parallel_insert_slice %{{.*}} into %[[O]][%{{.*}}] [4] [1]
// CHECK: %[[C6:.*]] = arith.constant 6 : index
// CHECK: %[[C2:.*]] = arith.constant 2 : index
// CHECK: %[[LOOP:.*]] = scf.for %{{.*}} to %[[C6]] step %[[C2]] iter_args(%[[THIS:.*]] = %[[CHUNKS]])
// CHECK: %[[OTHER:.*]] = tensor.empty() : tensor<1024xi32>
// CHECK: %[[THERE:.*]] = scf.forall (%{{.*}}) in (256) shared_outs(%{{.*}} = %[[OTHER]])
// CHECK: scf.while
// CHECK: tensor.extract %[[THIS]]
// CHECK: tensor.extract %[[THIS]]
// CHECK: %{{.*}} = scf.forall (%{{.*}}) in (256) shared_outs(%{{.*}} = %[[THIS]])
// CHECK: scf.while
// CHECK: tensor.extract %[[THERE]]
// CHECK: tensor.extract %[[THERE]]
// CHECK: scf.yield %{{.*}} : tensor<1024xi32>
// CHECK: %[[LAST:.*]] = scf.forall (%{{.*}}) in (256) shared_outs
// CHECK: tensor.extract %[[LOOP]]
// CHECK: scf.forall (%{{.*}}) in (256) shared_outs(%{{.*}} = %[[OUT]])
// CHECK: tensor.extract %[[LAST]]
// CHECK-NOT: scf.forall (
// NV-LABEL: func.func @sort
// NV: scf.while
// ONE-LABEL: func.func @sort
// ONE-NOT: scf.while
func.func @sort(%x: memref<1024xi32>, %out: memref<1024xi32>) attributes {gpu.known_block_size = array<i32: 256, 1, 1>} {
  %t = bufferization.to_tensor %x restrict : memref<1024xi32> to tensor<1024xi32>
  %e = tensor.empty() : tensor<1024xi32>
  %s = memspace.sort dimension(0) ins(%t : tensor<1024xi32>) outs(%e : tensor<1024xi32>) {
  ^bb0(%a: i32, %b: i32):
    %c = arith.cmpi slt, %a, %b : i32
    memspace.yield %c : i1
  } -> tensor<1024xi32>
  bufferization.materialize_in_destination %s in restrict writable %out : (tensor<1024xi32>, memref<1024xi32>) -> ()
  return
}

//===----------------------------------------------------------------------===//
// What is certainly an order
//===----------------------------------------------------------------------===//

// The right one less than the left one.
// CHECK-LABEL: func.func @from_right
// CHECK: scf.while
func.func @from_right(%x: tensor<1024xi32>, %y: tensor<1024xi32>, %p: tensor<1024xf32>) -> (tensor<1024xi32>, tensor<1024xi32>, tensor<1024xf32>) attributes {gpu.known_block_size = array<i32: 256, 1, 1>} {
  %s:3 = memspace.sort dimension(0) ins(%x, %y, %p : tensor<1024xi32>, tensor<1024xi32>, tensor<1024xf32>) outs(%x, %y, %p : tensor<1024xi32>, tensor<1024xi32>, tensor<1024xf32>) {
  ^bb0(%a: i32, %b: i32, %c: i32, %d: i32, %v: f32, %w: f32):
    %before = arith.cmpi ult, %b, %a : i32
    memspace.yield %before : i1
  } -> tensor<1024xi32>, tensor<1024xi32>, tensor<1024xf32>
  return %s#0, %s#1, %s#2 : tensor<1024xi32>, tensor<1024xi32>, tensor<1024xf32>
}

// By the second input.
// CHECK-LABEL: func.func @second_input
// CHECK: scf.while
func.func @second_input(%x: tensor<1024xi32>, %y: tensor<1024xi32>, %p: tensor<1024xf32>) -> (tensor<1024xi32>, tensor<1024xi32>, tensor<1024xf32>) attributes {gpu.known_block_size = array<i32: 256, 1, 1>} {
  %s:3 = memspace.sort dimension(0) ins(%x, %y, %p : tensor<1024xi32>, tensor<1024xi32>, tensor<1024xf32>) outs(%x, %y, %p : tensor<1024xi32>, tensor<1024xi32>, tensor<1024xf32>) {
  ^bb0(%a: i32, %b: i32, %c: i32, %d: i32, %v: f32, %w: f32):
    %before = arith.cmpi sgt, %c, %d : i32
    memspace.yield %before : i1
  } -> tensor<1024xi32>, tensor<1024xi32>, tensor<1024xf32>
  return %s#0, %s#1, %s#2 : tensor<1024xi32>, tensor<1024xi32>, tensor<1024xf32>
}

// Both keys are computed alike, also from both inputs.
// CHECK-LABEL: func.func @of_function
// CHECK: scf.while
func.func @of_function(%x: tensor<1024xi32>, %y: tensor<1024xi32>, %p: tensor<1024xf32>) -> (tensor<1024xi32>, tensor<1024xi32>, tensor<1024xf32>) attributes {gpu.known_block_size = array<i32: 256, 1, 1>} {
  %s:3 = memspace.sort dimension(0) ins(%x, %y, %p : tensor<1024xi32>, tensor<1024xi32>, tensor<1024xf32>) outs(%x, %y, %p : tensor<1024xi32>, tensor<1024xi32>, tensor<1024xf32>) {
  ^bb0(%a: i32, %b: i32, %c: i32, %d: i32, %v: f32, %w: f32):
    %m = arith.constant 255 : i32
    %e = arith.andi %a, %m : i32
    %f = arith.andi %b, %m : i32
    %g = arith.addi %e, %c : i32
    %h = arith.addi %f, %d : i32
    %before = arith.cmpi slt, %g, %h : i32
    memspace.yield %before : i1
  } -> tensor<1024xi32>, tensor<1024xi32>, tensor<1024xf32>
  return %s#0, %s#1, %s#2 : tensor<1024xi32>, tensor<1024xi32>, tensor<1024xf32>
}

// The bits of floats are integers.
// CHECK-LABEL: func.func @bits
// CHECK: scf.while
func.func @bits(%x: tensor<1024xi32>, %y: tensor<1024xi32>, %p: tensor<1024xf32>) -> (tensor<1024xi32>, tensor<1024xi32>, tensor<1024xf32>) attributes {gpu.known_block_size = array<i32: 256, 1, 1>} {
  %s:3 = memspace.sort dimension(0) ins(%x, %y, %p : tensor<1024xi32>, tensor<1024xi32>, tensor<1024xf32>) outs(%x, %y, %p : tensor<1024xi32>, tensor<1024xi32>, tensor<1024xf32>) {
  ^bb0(%a: i32, %b: i32, %c: i32, %d: i32, %v: f32, %w: f32):
    %e = arith.bitcast %v : f32 to i32
    %f = arith.bitcast %w : f32 to i32
    %before = arith.cmpi slt, %e, %f : i32
    memspace.yield %before : i1
  } -> tensor<1024xi32>, tensor<1024xi32>, tensor<1024xf32>
  return %s#0, %s#1, %s#2 : tensor<1024xi32>, tensor<1024xi32>, tensor<1024xf32>
}

// The second keys decide where the first ones are equal.
// CHECK-LABEL: func.func @lexicographic
// CHECK: scf.while
func.func @lexicographic(%x: tensor<1024xi32>, %y: tensor<1024xi32>, %p: tensor<1024xf32>) -> (tensor<1024xi32>, tensor<1024xi32>, tensor<1024xf32>) attributes {gpu.known_block_size = array<i32: 256, 1, 1>} {
  %s:3 = memspace.sort dimension(0) ins(%x, %y, %p : tensor<1024xi32>, tensor<1024xi32>, tensor<1024xf32>) outs(%x, %y, %p : tensor<1024xi32>, tensor<1024xi32>, tensor<1024xf32>) {
  ^bb0(%a: i32, %b: i32, %c: i32, %d: i32, %v: f32, %w: f32):
    %less = arith.cmpi slt, %a, %b : i32
    %same = arith.cmpi eq, %b, %a : i32
    %second = arith.cmpi ugt, %c, %d : i32
    %both = arith.andi %second, %same : i1
    %before = arith.ori %both, %less : i1
    memspace.yield %before : i1
  } -> tensor<1024xi32>, tensor<1024xi32>, tensor<1024xf32>
  return %s#0, %s#1, %s#2 : tensor<1024xi32>, tensor<1024xi32>, tensor<1024xf32>
}

// The same by a select.
// CHECK-LABEL: func.func @selected
// CHECK: scf.while
func.func @selected(%x: tensor<1024xi32>, %y: tensor<1024xi32>, %p: tensor<1024xf32>) -> (tensor<1024xi32>, tensor<1024xi32>, tensor<1024xf32>) attributes {gpu.known_block_size = array<i32: 256, 1, 1>} {
  %s:3 = memspace.sort dimension(0) ins(%x, %y, %p : tensor<1024xi32>, tensor<1024xi32>, tensor<1024xf32>) outs(%x, %y, %p : tensor<1024xi32>, tensor<1024xi32>, tensor<1024xf32>) {
  ^bb0(%a: i32, %b: i32, %c: i32, %d: i32, %v: f32, %w: f32):
    %less = arith.cmpi slt, %a, %b : i32
    %same = arith.cmpi eq, %a, %b : i32
    %second = arith.cmpi ugt, %c, %d : i32
    %before = arith.select %same, %second, %less : i1
    memspace.yield %before : i1
  } -> tensor<1024xi32>, tensor<1024xi32>, tensor<1024xf32>
  return %s#0, %s#1, %s#2 : tensor<1024xi32>, tensor<1024xi32>, tensor<1024xf32>
}

// And where they are not equal.
// CHECK-LABEL: func.func @selected_unequal
// CHECK: scf.while
func.func @selected_unequal(%x: tensor<1024xi32>, %y: tensor<1024xi32>, %p: tensor<1024xf32>) -> (tensor<1024xi32>, tensor<1024xi32>, tensor<1024xf32>) attributes {gpu.known_block_size = array<i32: 256, 1, 1>} {
  %s:3 = memspace.sort dimension(0) ins(%x, %y, %p : tensor<1024xi32>, tensor<1024xi32>, tensor<1024xf32>) outs(%x, %y, %p : tensor<1024xi32>, tensor<1024xi32>, tensor<1024xf32>) {
  ^bb0(%a: i32, %b: i32, %c: i32, %d: i32, %v: f32, %w: f32):
    %less = arith.cmpi slt, %a, %b : i32
    %differ = arith.cmpi ne, %a, %b : i32
    %second = arith.cmpi ugt, %c, %d : i32
    %before = arith.select %differ, %less, %second : i1
    memspace.yield %before : i1
  } -> tensor<1024xi32>, tensor<1024xi32>, tensor<1024xf32>
  return %s#0, %s#1, %s#2 : tensor<1024xi32>, tensor<1024xi32>, tensor<1024xf32>
}

//===----------------------------------------------------------------------===//
// What may be none
//===----------------------------------------------------------------------===//

// An element would come before itself.
// CHECK-LABEL: func.func @not_strict
// CHECK-NOT: scf.while
func.func @not_strict(%x: tensor<1024xi32>, %y: tensor<1024xi32>, %p: tensor<1024xf32>) -> (tensor<1024xi32>, tensor<1024xi32>, tensor<1024xf32>) attributes {gpu.known_block_size = array<i32: 256, 1, 1>} {
  %s:3 = memspace.sort dimension(0) ins(%x, %y, %p : tensor<1024xi32>, tensor<1024xi32>, tensor<1024xf32>) outs(%x, %y, %p : tensor<1024xi32>, tensor<1024xi32>, tensor<1024xf32>) {
  ^bb0(%a: i32, %b: i32, %c: i32, %d: i32, %v: f32, %w: f32):
    %before = arith.cmpi sle, %a, %b : i32
    memspace.yield %before : i1
  } -> tensor<1024xi32>, tensor<1024xi32>, tensor<1024xf32>
  return %s#0, %s#1, %s#2 : tensor<1024xi32>, tensor<1024xi32>, tensor<1024xf32>
}

// NaN is equal to all numbers.
// CHECK-LABEL: func.func @floats
// CHECK-NOT: scf.while
func.func @floats(%x: tensor<1024xi32>, %y: tensor<1024xi32>, %p: tensor<1024xf32>) -> (tensor<1024xi32>, tensor<1024xi32>, tensor<1024xf32>) attributes {gpu.known_block_size = array<i32: 256, 1, 1>} {
  %s:3 = memspace.sort dimension(0) ins(%x, %y, %p : tensor<1024xi32>, tensor<1024xi32>, tensor<1024xf32>) outs(%x, %y, %p : tensor<1024xi32>, tensor<1024xi32>, tensor<1024xf32>) {
  ^bb0(%a: i32, %b: i32, %c: i32, %d: i32, %v: f32, %w: f32):
    %before = arith.cmpf olt, %v, %w : f32
    memspace.yield %before : i1
  } -> tensor<1024xi32>, tensor<1024xi32>, tensor<1024xf32>
  return %s#0, %s#1, %s#2 : tensor<1024xi32>, tensor<1024xi32>, tensor<1024xf32>
}

// The left ones are compared by one key, the right ones by another.
// CHECK-LABEL: func.func @other_keys
// CHECK-NOT: scf.while
func.func @other_keys(%x: tensor<1024xi32>, %y: tensor<1024xi32>, %p: tensor<1024xf32>) -> (tensor<1024xi32>, tensor<1024xi32>, tensor<1024xf32>) attributes {gpu.known_block_size = array<i32: 256, 1, 1>} {
  %s:3 = memspace.sort dimension(0) ins(%x, %y, %p : tensor<1024xi32>, tensor<1024xi32>, tensor<1024xf32>) outs(%x, %y, %p : tensor<1024xi32>, tensor<1024xi32>, tensor<1024xf32>) {
  ^bb0(%a: i32, %b: i32, %c: i32, %d: i32, %v: f32, %w: f32):
    %before = arith.cmpi slt, %a, %d : i32
    memspace.yield %before : i1
  } -> tensor<1024xi32>, tensor<1024xi32>, tensor<1024xf32>
  return %s#0, %s#1, %s#2 : tensor<1024xi32>, tensor<1024xi32>, tensor<1024xf32>
}

// Two left ones.
// CHECK-LABEL: func.func @one_side
// CHECK-NOT: scf.while
func.func @one_side(%x: tensor<1024xi32>, %y: tensor<1024xi32>, %p: tensor<1024xf32>) -> (tensor<1024xi32>, tensor<1024xi32>, tensor<1024xf32>) attributes {gpu.known_block_size = array<i32: 256, 1, 1>} {
  %s:3 = memspace.sort dimension(0) ins(%x, %y, %p : tensor<1024xi32>, tensor<1024xi32>, tensor<1024xf32>) outs(%x, %y, %p : tensor<1024xi32>, tensor<1024xi32>, tensor<1024xf32>) {
  ^bb0(%a: i32, %b: i32, %c: i32, %d: i32, %v: f32, %w: f32):
    %before = arith.cmpi slt, %a, %c : i32
    memspace.yield %before : i1
  } -> tensor<1024xi32>, tensor<1024xi32>, tensor<1024xf32>
  return %s#0, %s#1, %s#2 : tensor<1024xi32>, tensor<1024xi32>, tensor<1024xf32>
}

// Computed in two ways.
// CHECK-LABEL: func.func @other_function
// CHECK-NOT: scf.while
func.func @other_function(%x: tensor<1024xi32>, %y: tensor<1024xi32>, %p: tensor<1024xf32>) -> (tensor<1024xi32>, tensor<1024xi32>, tensor<1024xf32>) attributes {gpu.known_block_size = array<i32: 256, 1, 1>} {
  %s:3 = memspace.sort dimension(0) ins(%x, %y, %p : tensor<1024xi32>, tensor<1024xi32>, tensor<1024xf32>) outs(%x, %y, %p : tensor<1024xi32>, tensor<1024xi32>, tensor<1024xf32>) {
  ^bb0(%a: i32, %b: i32, %c: i32, %d: i32, %v: f32, %w: f32):
    %m = arith.constant 255 : i32
    %n = arith.constant 254 : i32
    %e = arith.andi %a, %m : i32
    %f = arith.andi %b, %n : i32
    %before = arith.cmpi slt, %e, %f : i32
    memspace.yield %before : i1
  } -> tensor<1024xi32>, tensor<1024xi32>, tensor<1024xf32>
  return %s#0, %s#1, %s#2 : tensor<1024xi32>, tensor<1024xi32>, tensor<1024xf32>
}

// One number of both, on both sides, plus each.
// CHECK-LABEL: func.func @of_both
// CHECK-NOT: scf.while
func.func @of_both(%x: tensor<1024xi32>, %y: tensor<1024xi32>, %p: tensor<1024xf32>) -> (tensor<1024xi32>, tensor<1024xi32>, tensor<1024xf32>) attributes {gpu.known_block_size = array<i32: 256, 1, 1>} {
  %s:3 = memspace.sort dimension(0) ins(%x, %y, %p : tensor<1024xi32>, tensor<1024xi32>, tensor<1024xf32>) outs(%x, %y, %p : tensor<1024xi32>, tensor<1024xi32>, tensor<1024xf32>) {
  ^bb0(%a: i32, %b: i32, %c: i32, %d: i32, %v: f32, %w: f32):
    %x0 = arith.xori %a, %b : i32
    %e = arith.addi %x0, %a : i32
    %f = arith.addi %x0, %b : i32
    %before = arith.cmpi slt, %e, %f : i32
    memspace.yield %before : i1
  } -> tensor<1024xi32>, tensor<1024xi32>, tensor<1024xf32>
  return %s#0, %s#1, %s#2 : tensor<1024xi32>, tensor<1024xi32>, tensor<1024xf32>
}

// The second one is none.
// CHECK-LABEL: func.func @second_of_floats
// CHECK-NOT: scf.while
func.func @second_of_floats(%x: tensor<1024xi32>, %y: tensor<1024xi32>, %p: tensor<1024xf32>) -> (tensor<1024xi32>, tensor<1024xi32>, tensor<1024xf32>) attributes {gpu.known_block_size = array<i32: 256, 1, 1>} {
  %s:3 = memspace.sort dimension(0) ins(%x, %y, %p : tensor<1024xi32>, tensor<1024xi32>, tensor<1024xf32>) outs(%x, %y, %p : tensor<1024xi32>, tensor<1024xi32>, tensor<1024xf32>) {
  ^bb0(%a: i32, %b: i32, %c: i32, %d: i32, %v: f32, %w: f32):
    %less = arith.cmpi slt, %a, %b : i32
    %same = arith.cmpi eq, %a, %b : i32
    %second = arith.cmpf olt, %v, %w : f32
    %both = arith.andi %same, %second : i1
    %before = arith.ori %less, %both : i1
    memspace.yield %before : i1
  } -> tensor<1024xi32>, tensor<1024xi32>, tensor<1024xf32>
  return %s#0, %s#1, %s#2 : tensor<1024xi32>, tensor<1024xi32>, tensor<1024xf32>
}

// Others are equal than those that are compared.
// CHECK-LABEL: func.func @other_equality
// CHECK-NOT: scf.while
func.func @other_equality(%x: tensor<1024xi32>, %y: tensor<1024xi32>, %p: tensor<1024xf32>) -> (tensor<1024xi32>, tensor<1024xi32>, tensor<1024xf32>) attributes {gpu.known_block_size = array<i32: 256, 1, 1>} {
  %s:3 = memspace.sort dimension(0) ins(%x, %y, %p : tensor<1024xi32>, tensor<1024xi32>, tensor<1024xf32>) outs(%x, %y, %p : tensor<1024xi32>, tensor<1024xi32>, tensor<1024xf32>) {
  ^bb0(%a: i32, %b: i32, %c: i32, %d: i32, %v: f32, %w: f32):
    %less = arith.cmpi slt, %a, %b : i32
    %same = arith.cmpi eq, %c, %d : i32
    %second = arith.cmpi slt, %c, %d : i32
    %both = arith.andi %same, %second : i1
    %before = arith.ori %less, %both : i1
    memspace.yield %before : i1
  } -> tensor<1024xi32>, tensor<1024xi32>, tensor<1024xf32>
  return %s#0, %s#1, %s#2 : tensor<1024xi32>, tensor<1024xi32>, tensor<1024xf32>
}

// Either of two orders is none.
// CHECK-LABEL: func.func @either
// CHECK-NOT: scf.while
func.func @either(%x: tensor<1024xi32>, %y: tensor<1024xi32>, %p: tensor<1024xf32>) -> (tensor<1024xi32>, tensor<1024xi32>, tensor<1024xf32>) attributes {gpu.known_block_size = array<i32: 256, 1, 1>} {
  %s:3 = memspace.sort dimension(0) ins(%x, %y, %p : tensor<1024xi32>, tensor<1024xi32>, tensor<1024xf32>) outs(%x, %y, %p : tensor<1024xi32>, tensor<1024xi32>, tensor<1024xf32>) {
  ^bb0(%a: i32, %b: i32, %c: i32, %d: i32, %v: f32, %w: f32):
    %less = arith.cmpi slt, %a, %b : i32
    %second = arith.cmpi slt, %c, %d : i32
    %before = arith.ori %less, %second : i1
    memspace.yield %before : i1
  } -> tensor<1024xi32>, tensor<1024xi32>, tensor<1024xf32>
  return %s#0, %s#1, %s#2 : tensor<1024xi32>, tensor<1024xi32>, tensor<1024xf32>
}

// What comes of NaN is not defined.
// CHECK-LABEL: func.func @rounded
// CHECK-NOT: scf.while
func.func @rounded(%x: tensor<1024xi32>, %y: tensor<1024xi32>, %p: tensor<1024xf32>) -> (tensor<1024xi32>, tensor<1024xi32>, tensor<1024xf32>) attributes {gpu.known_block_size = array<i32: 256, 1, 1>} {
  %s:3 = memspace.sort dimension(0) ins(%x, %y, %p : tensor<1024xi32>, tensor<1024xi32>, tensor<1024xf32>) outs(%x, %y, %p : tensor<1024xi32>, tensor<1024xi32>, tensor<1024xf32>) {
  ^bb0(%a: i32, %b: i32, %c: i32, %d: i32, %v: f32, %w: f32):
    %e = arith.fptosi %v : f32 to i32
    %f = arith.fptosi %w : f32 to i32
    %before = arith.cmpi slt, %e, %f : i32
    memspace.yield %before : i1
  } -> tensor<1024xi32>, tensor<1024xi32>, tensor<1024xf32>
  return %s#0, %s#1, %s#2 : tensor<1024xi32>, tensor<1024xi32>, tensor<1024xf32>
}

// Each thread would have an order of its own.
// CHECK-LABEL: func.func @by_thread
// CHECK-NOT: scf.while
func.func @by_thread(%x: tensor<1024xi32>, %y: tensor<1024xi32>, %p: tensor<1024xf32>) -> (tensor<1024xi32>, tensor<1024xi32>, tensor<1024xf32>) attributes {gpu.known_block_size = array<i32: 256, 1, 1>} {
  %s:3 = memspace.sort dimension(0) ins(%x, %y, %p : tensor<1024xi32>, tensor<1024xi32>, tensor<1024xf32>) outs(%x, %y, %p : tensor<1024xi32>, tensor<1024xi32>, tensor<1024xf32>) {
  ^bb0(%a: i32, %b: i32, %c: i32, %d: i32, %v: f32, %w: f32):
    %id = gpu.lane_id
    %n = arith.index_cast %id : index to i32
    %e = arith.xori %a, %n : i32
    %f = arith.xori %b, %n : i32
    %before = arith.cmpi slt, %e, %f : i32
    memspace.yield %before : i1
  } -> tensor<1024xi32>, tensor<1024xi32>, tensor<1024xf32>
  return %s#0, %s#1, %s#2 : tensor<1024xi32>, tensor<1024xi32>, tensor<1024xf32>
}

//===----------------------------------------------------------------------===//
// Where it is worth it
//===----------------------------------------------------------------------===//

// Few elements are a subgroup's own in the network.
// CHECK-LABEL: func.func @few
// CHECK-NOT: scf.while
func.func @few(%x: tensor<100xi32>) -> tensor<100xi32> attributes {gpu.known_block_size = array<i32: 256, 1, 1>} {
  %s = memspace.sort dimension(0) ins(%x : tensor<100xi32>) outs(%x : tensor<100xi32>) {
  ^bb0(%a: i32, %b: i32):
    %c = arith.cmpi slt, %a, %b : i32
    memspace.yield %c : i1
  } -> tensor<100xi32>
  return %s : tensor<100xi32>
}

// Two tiles of 313 chunks of 16 elements take 40064 bytes, the network 32768.
// CHECK-LABEL: func.func @limit
// CHECK: scf.while
// LIMIT-LABEL: func.func @limit
// LIMIT-NOT: scf.while
func.func @limit(%x: tensor<5000xi32>) -> tensor<5000xi32> attributes {gpu.known_block_size = array<i32: 256, 1, 1>} {
  %s = memspace.sort dimension(0) ins(%x : tensor<5000xi32>) outs(%x : tensor<5000xi32>) {
  ^bb0(%a: i32, %b: i32):
    %c = arith.cmpi slt, %a, %b : i32
    memspace.yield %c : i1
  } -> tensor<5000xi32>
  return %s : tensor<5000xi32>
}

// The second tile does not fit beside what else there may be in workgroup memory.
// CHECK-LABEL: func.func @beside
// CHECK-NOT: scf.while
func.func @beside(%x: tensor<8192xi32>, %i: index) -> (tensor<8192xi32>, i32) attributes {gpu.known_block_size = array<i32: 256, 1, 1>} {
  %e = tensor.empty() : tensor<4xi32>
  %f = linalg.map { arith.addi } ins(%e, %e : tensor<4xi32>, tensor<4xi32>) outs(%e : tensor<4xi32>)
  %s = memspace.sort dimension(0) ins(%x : tensor<8192xi32>) outs(%x : tensor<8192xi32>) {
  ^bb0(%a: i32, %b: i32):
    %c = arith.cmpi slt, %a, %b : i32
    memspace.yield %c : i1
  } -> tensor<8192xi32>
  %g = tensor.extract %f[%i] : tensor<4xi32>
  return %s, %g : tensor<8192xi32>, i32
}

// A subgroup has barriers of its own.
// CHECK-LABEL: func.func @subgroups
// CHECK-NOT: scf.while
func.func @subgroups(%x: tensor<4x2048xi32>) -> tensor<4x2048xi32> attributes {gpu.known_block_size = array<i32: 256, 1, 1>} {
  %r = scf.forall (%i) in (4) shared_outs(%o = %x) -> (tensor<4x2048xi32>) {
    %row = tensor.extract_slice %o[%i, 0] [1, 2048] [1, 1] : tensor<4x2048xi32> to tensor<2048xi32>
    %s = memspace.sort dimension(0) ins(%row : tensor<2048xi32>) outs(%row : tensor<2048xi32>) {
    ^bb0(%a: i32, %b: i32):
      %c = arith.cmpi slt, %a, %b : i32
      memspace.yield %c : i1
    } -> tensor<2048xi32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %s into %o[%i, 0] [1, 2048] [1, 1] : tensor<2048xi32> into tensor<4x2048xi32>
    }
  } {mapping = [#gpu.warp<linear_dim_0>]}
  return %r : tensor<4x2048xi32>
}
