// RUN: memspace-test-opt %s -test-conformance -split-input-file -verify-diagnostics -o /dev/null | FileCheck %s

// A model that contradicts its op is caught: each lie of lie.claim, and none where
// there is none.

// CHECK: // uniformity 3, synchronization 3, elements 3, roots 3, collectives 3, structured 0, violations 0
#wg = #gpu.address_space<workgroup>
func.func @truth(%m: memref<64xf32, #wg>, %x: tensor<4xf32>) {
  %0 = "lie.claim"(%m) ({}) {lie = "none", effects = "read write"} : (memref<64xf32, #wg>) -> memref<64xf32, #wg>
  %1 = "lie.claim"(%m) ({}) {lie = "first element", effects = "write"} : (memref<64xf32, #wg>) -> i32
  %2 = "lie.claim"(%x) ({}) {lie = "none"} : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

// Of uniformity.

// CHECK: violations 1
#wg = #gpu.address_space<workgroup>
func.func @writes(%m: memref<64xf32, #wg>, %p: memref<64xf32, #gpu.address_space<private>>, %i: index, %x: tensor<4xf32>, %stranger: index) {
  // expected-error @below {{UniformityOpInterface: its results are the same in a workgroup, but it writes memory, so that the next thread may get another value; answer with 'thread'}}
  %r = "lie.claim"(%m) ({}) {lie = "uniform", effects = "write"} : (memref<64xf32, #wg>) -> i32
  return
}

// -----

// CHECK: violations 1
#wg = #gpu.address_space<workgroup>
func.func @private(%m: memref<64xf32, #wg>, %p: memref<64xf32, #gpu.address_space<private>>, %i: index, %x: tensor<4xf32>, %stranger: index) {
  // expected-error @below {{UniformityOpInterface: its results are the same in a workgroup, but it reads private memory, of which each thread has its own; answer with 'thread'}}
  %r = "lie.claim"(%p) ({}) {lie = "uniform", effects = "read"} : (memref<64xf32, #gpu.address_space<private>>) -> i32
  return
}

// -----

// CHECK: violations 1
#wg = #gpu.address_space<workgroup>
func.func @region(%m: memref<64xf32, #wg>, %p: memref<64xf32, #gpu.address_space<private>>, %i: index, %x: tensor<4xf32>, %stranger: index) {
  // expected-error @below {{UniformityOpInterface: its results are the same in a workgroup, but its region computes a value that is not; answer with 'thread'}}
  %r = "lie.claim"() ({
    // expected-note @below {{computed here}}
    %t = gpu.thread_id x
  }) {lie = "uniform"} : () -> i32
  return
}

// -----

// CHECK: violations 1
#wg = #gpu.address_space<workgroup>
func.func @grid(%m: memref<64xf32, #wg>, %p: memref<64xf32, #gpu.address_space<private>>, %i: index, %x: tensor<4xf32>, %stranger: index) {
  // expected-error @below {{UniformityOpInterface: its results are the same in the whole grid, whatever the operands are; no op combines the operands of all workgroups}}
  %r = "lie.claim"(%i) ({}) {lie = "combines the grid"} : (index) -> i32
  return
}

// -----

// CHECK: violations 1
#wg = #gpu.address_space<workgroup>
func.func @stranger(%m: memref<64xf32, #wg>, %p: memref<64xf32, #gpu.address_space<private>>, %i: index, %x: tensor<4xf32>, %stranger: index) {
  // expected-error @below {{UniformityOpInterface: a control value is no operand of the op or of one in its regions, so that it cannot decide how these are run}}
  %r = "lie.claim"(%m) ({
    %t = gpu.thread_id x
  }) {lie = "control by a stranger"} : (memref<64xf32, #wg>) -> i32
  return
}

// -----

// Of synchronization.

// CHECK: violations 1
#wg = #gpu.address_space<workgroup>
func.func @thread_barrier(%m: memref<64xf32, #wg>, %p: memref<64xf32, #gpu.address_space<private>>, %i: index, %x: tensor<4xf32>, %stranger: index) {
  // expected-error @below {{SynchronizationOpInterface: it is a barrier of a thread; known are those of a workgroup and of a subgroup}}
  %r = "lie.claim"(%m) ({}) {lie = "barrier of a thread", effects = "read"} : (memref<64xf32, #wg>) -> i32
  return
}

// -----

// CHECK: violations 1
#wg = #gpu.address_space<workgroup>
func.func @erasable(%m: memref<64xf32, #wg>, %p: memref<64xf32, #gpu.address_space<private>>, %i: index, %x: tensor<4xf32>, %stranger: index) {
  // expected-error @below {{SynchronizationOpInterface: it synchronizes, but has no memory effects, so that it may be erased or moved; declare some, or leave the effects unknown}}
  %r = "lie.claim"() ({}) {lie = "barrier"} : () -> i32
  return
}

// -----

// CHECK: violations 1
#wg = #gpu.address_space<workgroup>
func.func @no_copy(%m: memref<64xf32, #wg>, %p: memref<64xf32, #gpu.address_space<private>>, %i: index, %x: tensor<4xf32>, %stranger: index) {
  // expected-error @below {{SynchronizationOpInterface: it begins a copy, but its memory effects are not to read and to write}}
  %r = "lie.claim"(%m) ({}) {lie = "begins a copy", effects = "read"} : (memref<64xf32, #wg>) -> i32
  return
}

// -----

// CHECK: violations 1
#wg = #gpu.address_space<workgroup>
func.func @copy_and_wait(%m: memref<64xf32, #wg>, %p: memref<64xf32, #gpu.address_space<private>>, %i: index, %x: tensor<4xf32>, %stranger: index) {
  // expected-error @below {{SynchronizationOpInterface: it begins a copy and waits for copies; what it waits for is not in flight behind it}}
  %r = "lie.claim"(%m) ({}) {lie = "begins and waits", effects = "read write"} : (memref<64xf32, #wg>) -> i32
  return
}

// -----

// Of elements.

// CHECK: violations 1
#wg = #gpu.address_space<workgroup>
func.func @no_ranges(%m: memref<64xf32, #wg>, %p: memref<64xf32, #gpu.address_space<private>>, %i: index, %x: tensor<4xf32>, %stranger: index) {
  // expected-error @below {{ElementAccessOpInterface: of operand 0 it says 0 ranges, one for each dimension of a memref of rank 1 are wanted}}
  %r = "lie.claim"(%m) ({}) {lie = "no ranges", effects = "read"} : (memref<64xf32, #wg>) -> i32
  return
}

// -----

// CHECK: violations 1
#wg = #gpu.address_space<workgroup>
func.func @behind(%m: memref<64xf32, #wg>, %p: memref<64xf32, #gpu.address_space<private>>, %i: index, %x: tensor<4xf32>, %stranger: index) {
  // expected-error @below {{ElementAccessOpInterface: of operand 0 it touches all of 1 indices of dimension 0, some of which are outside of its extent 64; say less, or that the answer is not exact}}
  %r = "lie.claim"(%m) ({}) {lie = "behind the end", effects = "read"} : (memref<64xf32, #wg>) -> i32
  return
}

// -----

// CHECK: violations 1
#wg = #gpu.address_space<workgroup>
func.func @before(%m: memref<64xf32, #wg>, %p: memref<64xf32, #gpu.address_space<private>>, %i: index, %x: tensor<4xf32>, %stranger: index) {
  // expected-error @below {{ElementAccessOpInterface: of operand 0 it touches all of 1 indices of dimension 0, some of which are outside}}
  %r = "lie.claim"(%m) ({}) {lie = "before the start", effects = "read"} : (memref<64xf32, #wg>) -> i32
  return
}

// -----

// CHECK: violations 1
#wg = #gpu.address_space<workgroup>
func.func @many(%m: memref<64xf32, #wg>, %p: memref<64xf32, #gpu.address_space<private>>, %i: index, %x: tensor<4xf32>, %stranger: index) {
  // expected-error @below {{ElementAccessOpInterface: of operand 0 it touches all of 65 indices of dimension 0, some of which are outside}}
  %r = "lie.claim"(%m) ({}) {lie = "too many", effects = "read"} : (memref<64xf32, #wg>) -> i32
  return
}

// -----

// CHECK: violations 1
#wg = #gpu.address_space<workgroup>
func.func @apart(%m: memref<64xf32, #wg>, %p: memref<64xf32, #gpu.address_space<private>>, %i: index, %x: tensor<4xf32>, %stranger: index) {
  // expected-error @below {{ElementAccessOpInterface: of operand 0 it touches all of 2 indices of dimension 0, some of which are outside}}
  %r = "lie.claim"(%m) ({}) {lie = "too far apart", effects = "read"} : (memref<64xf32, #wg>) -> i32
  return
}

// -----

// CHECK: violations 1
#wg = #gpu.address_space<workgroup>
func.func @negative_run(%m: memref<64xf32, #wg>, %p: memref<64xf32, #gpu.address_space<private>>, %i: index, %x: tensor<4xf32>, %stranger: index) {
  // expected-error @below {{ElementAccessOpInterface: of operand 0 it touches a run of -1 elements}}
  %r = "lie.claim"(%m) ({}) {lie = "negative run", effects = "read"} : (memref<64xf32, #wg>) -> i32
  return
}

// -----

// CHECK: violations 1
#wg = #gpu.address_space<workgroup>
func.func @long_run(%m: memref<64xf32, #wg>, %p: memref<64xf32, #gpu.address_space<private>>, %i: index, %x: tensor<4xf32>, %stranger: index) {
  // expected-error @below {{ElementAccessOpInterface: of operand 0 it touches a run that is longer than its 64 elements}}
  %r = "lie.claim"(%m) ({}) {lie = "long run", effects = "read"} : (memref<64xf32, #wg>) -> i32
  return
}

// -----

// CHECK: violations 1
#wg = #gpu.address_space<workgroup>
func.func @inner(%m: memref<64xf32, #wg>, %p: memref<64xf32, #gpu.address_space<private>>, %i: index, %x: tensor<4xf32>, %stranger: index) {
  // expected-error @below {{ElementAccessOpInterface: of operand 0 dimension 0 is told by a value that cannot be seen where the op is}}
  %r = "lie.claim"(%m) ({
    %t = gpu.thread_id x
  }) {lie = "inner index", effects = "read"} : (memref<64xf32, #wg>) -> i32
  return
}

// -----

// CHECK: violations 1
#wg = #gpu.address_space<workgroup>
func.func @no_access(%m: memref<64xf32, #wg>, %p: memref<64xf32, #gpu.address_space<private>>, %i: index, %x: tensor<4xf32>, %stranger: index) {
  // expected-error @below {{ElementAccessOpInterface: it says what it touches, but its memory effects are not to read or write that operand, so that there is no access; declare the effects}}
  %r = "lie.claim"(%m) ({}) {lie = "first element"} : (memref<64xf32, #wg>) -> i32
  return
}

// -----

// CHECK: violations 1
#wg = #gpu.address_space<workgroup>
func.func @atomic(%m: memref<64xf32, #wg>, %p: memref<64xf32, #gpu.address_space<private>>, %i: index, %x: tensor<4xf32>, %stranger: index) {
  // expected-error @below {{ElementAccessOpInterface: it is atomic, but no operand is both read and written by its memory effects}}
  %r = "lie.claim"(%m) ({}) {lie = "atomic", effects = "read"} : (memref<64xf32, #wg>) -> i32
  return
}

// -----

// CHECK: violations 1
#wg = #gpu.address_space<workgroup>
func.func @global(%m: memref<64xf32, #wg>, %p: memref<64xf32, #gpu.address_space<private>>, %i: index, %x: tensor<4xf32>, %stranger: index) {
  // expected-error @below {{ElementAccessOpInterface: it touches its operands only, but has an effect on another memory}}
  %r = "lie.claim"(%m) ({}) {lie = "effect on a global", effects = "read"} : (memref<64xf32, #wg>) -> i32
  return
}

// -----

// Of roots.

// CHECK: violations 1
#wg = #gpu.address_space<workgroup>
func.func @stranger_view(%m: memref<64xf32, #wg>, %p: memref<64xf32, #gpu.address_space<private>>, %i: index, %x: tensor<4xf32>, %stranger: memref<64xf32, #wg>) {
  // expected-error @below {{MemoryRootOpInterface: result 0 has a source that is no memref among the operands of the op}}
  %r = "lie.claim"(%m) ({}) {lie = "view of a stranger"} : (memref<64xf32, #wg>) -> memref<64xf32, #wg>
  return
}

// -----

// CHECK: violations 1
#wg = #gpu.address_space<workgroup>
func.func @no_memref_view(%m: memref<64xf32, #wg>, %p: memref<64xf32, #gpu.address_space<private>>, %i: index, %x: tensor<4xf32>, %stranger: index) {
  // expected-error @below {{MemoryRootOpInterface: result 0 has a source that is no memref among the operands of the op}}
  %r = "lie.claim"(%i) ({}) {lie = "view"} : (index) -> memref<64xf32, #wg>
  return
}

// -----

// CHECK: violations 1
#wg = #gpu.address_space<workgroup>
func.func @view_and_root(%m: memref<64xf32, #wg>, %p: memref<64xf32, #gpu.address_space<private>>, %i: index, %x: tensor<4xf32>, %stranger: index) {
  // expected-error @below {{MemoryRootOpInterface: result 0 is both a view of an operand and a memory by itself ("view and root"); name a source or an identity}}
  %r = "lie.claim"(%m) ({}) {lie = "view and root"} : (memref<64xf32, #wg>) -> memref<64xf32, #wg>
  return
}

// -----

// CHECK: violations 1
#wg = #gpu.address_space<workgroup>
func.func @allocated(%m: memref<64xf32, #wg>, %p: memref<64xf32, #gpu.address_space<private>>, %i: index, %x: tensor<4xf32>, %stranger: index) {
  // expected-error @below {{MemoryRootOpInterface: result 0 is a view of an operand, but the op allocates it}}
  %r = "lie.claim"(%m) ({}) {lie = "allocated view"} : (memref<64xf32, #wg>) -> memref<64xf32, #wg>
  return
}

// -----

// CHECK: violations 1
#wg = #gpu.address_space<workgroup>
func.func @elements(%m: memref<64xf32, #wg>, %p: memref<64xf32, #gpu.address_space<private>>, %i: index, %x: tensor<4xf32>, %stranger: index) {
  // expected-error @below {{MemoryRootOpInterface: result 0 has the elements of 'memref<64xf32, #gpu.address_space<workgroup>>' at equal indices, but its type 'memref<32xf32, #gpu.address_space<workgroup>>' has another shape or element}}
  %r = "lie.claim"(%m) ({}) {lie = "view of all elements"} : (memref<64xf32, #wg>) -> memref<32xf32, #wg>
  return
}

// -----

// CHECK: violations 1
#wg = #gpu.address_space<workgroup>
func.func @source_space(%m: memref<64xf32, #wg>, %p: memref<64xf32, #gpu.address_space<private>>, %i: index, %x: tensor<4xf32>, %stranger: index) {
  // expected-error @below {{MemoryRootOpInterface: result 0 is in global memory, but its source is in workgroup memory}}
  %r = "lie.claim"(%m) ({}) {lie = "view in global memory"} : (memref<64xf32, #wg>) -> memref<64xf32>
  return
}

// -----

// CHECK: violations 1
#wg = #gpu.address_space<workgroup>
func.func @pointer(%m: memref<64xf32, #wg>, %p: memref<64xf32, #gpu.address_space<private>>, %i: index, %x: tensor<4xf32>, %stranger: index) {
  // expected-error @below {{MemoryRootOpInterface: result 0 has the pointer or the elements of a source, but names none}}
  %r = "lie.claim"(%m) ({}) {lie = "pointer of nothing"} : (memref<64xf32, #wg>) -> memref<64xf32, #wg>
  return
}

// -----

// CHECK: violations 1
#wg = #gpu.address_space<workgroup>
func.func @type_space(%m: memref<64xf32, #wg>, %p: memref<64xf32, #gpu.address_space<private>>, %i: index, %x: tensor<4xf32>, %stranger: index) {
  // expected-error @below {{MemoryRootOpInterface: result 0 is in workgroup memory, but its type says private}}
  %r = "lie.claim"() ({}) {lie = "in workgroup memory"} : () -> memref<64xf32, #gpu.address_space<private>>
  return
}

// -----

// CHECK: violations 1
#wg = #gpu.address_space<workgroup>
func.func @two_spaces(%m: memref<64xf32, #wg>, %p: memref<64xf32, #gpu.address_space<private>>, %i: index, %x: tensor<4xf32>, %stranger: index) {
  // expected-note @below {{named here, in workgroup memory}}
  %0 = "lie.claim"() ({}) {lie = "pool in workgroup memory"} : () -> memref<64xf32>
  // expected-error @below {{MemoryRootOpInterface: result 0 is the memory "pool" in global memory; one memory has one space}}
  %r = "lie.claim"() ({}) {lie = "pool in global memory"} : () -> memref<64xf32>
  return
}

// -----

// Of collectives.

// CHECK: violations 1
#wg = #gpu.address_space<workgroup>
func.func @of_grid(%m: memref<64xf32, #wg>, %p: memref<64xf32, #gpu.address_space<private>>, %i: index, %x: tensor<4xf32>, %stranger: index) {
  // expected-error @below {{CollectiveOpInterface: the threads of a grid contribute; known are those of a workgroup and of a subgroup}}
  %r = "lie.claim"(%x) ({}) {lie = "collective of the grid"} : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

// CHECK: violations 1
#wg = #gpu.address_space<workgroup>
func.func @foreign_init(%m: memref<64xf32, #wg>, %p: memref<64xf32, #gpu.address_space<private>>, %i: index, %x: tensor<4xf32>, %stranger: index) {
  // expected-error @below {{CollectiveOpInterface: the init of result 0 is no operand of the op}}
  %r = "lie.claim"(%x) ({}) {lie = "init of another op"} : (tensor<4xf32>) -> tensor<4xf32>
  %y = tensor.extract %x[%i] : tensor<4xf32>
  return
}

// -----

// CHECK: violations 1
#wg = #gpu.address_space<workgroup>
func.func @init_type(%m: memref<64xf32, #wg>, %p: memref<64xf32, #gpu.address_space<private>>, %i: index, %x: tensor<4xf32>, %stranger: index) {
  // expected-error @below {{CollectiveOpInterface: the init of result 0 has another type than the result}}
  %r = "lie.claim"(%x) ({}) {lie = "none"} : (tensor<4xf32>) -> tensor<8xf32>
  return
}

// -----

// CHECK: violations 1
#wg = #gpu.address_space<workgroup>
func.func @one_init(%m: memref<64xf32, #wg>, %p: memref<64xf32, #gpu.address_space<private>>, %i: index, %x: tensor<4xf32>, %stranger: index) {
  // expected-error @below {{CollectiveOpInterface: two results have one init}}
  %r:2 = "lie.claim"(%x, %x) ({}) {lie = "one init"} : (tensor<4xf32>, tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)
  return
}
