// What is paid for bytes: `balanced` pays a barrier only for a limit or an occupancy step.
// RUN: memspace-opt %s -split-input-file -memspace-pack-workgroup-memory=chip=gfx942 -memspace-insert-barriers=chip=gfx942 \
// RUN:   | FileCheck %s --check-prefixes=CHECK,BALANCED
// RUN: memspace-opt %s -split-input-file -memspace-pack-workgroup-memory="chip=gfx942 objective=bytes" -memspace-insert-barriers=chip=gfx942 \
// RUN:   | FileCheck %s --check-prefixes=CHECK,BYTES
// RUN: memspace-opt %s -split-input-file -memspace-pack-workgroup-memory="chip=gfx942 objective=barriers" -memspace-insert-barriers=chip=gfx942 \
// RUN:   | FileCheck %s --check-prefixes=CHECK,BARRIERS
// Without a target there is no limit to know of: the fewest bytes fit if anything does.
// RUN: memspace-opt %s -split-input-file -memspace-pack-workgroup-memory -memspace-insert-barriers=chip=gfx942 \
// RUN:   | FileCheck %s --check-prefixes=CHECK,BYTES
// A remark says what was paid for what.
// RUN: memspace-opt %s -split-input-file -memspace-pack-workgroup-memory=chip=gfx942 -o /dev/null \
// RUN:   --remarks-filter=memspace --remark-format=emitRemark 2>&1 | FileCheck %s --check-prefix=WHY-BALANCED
// RUN: memspace-opt %s -split-input-file -memspace-pack-workgroup-memory="chip=gfx942 objective=bytes" -o /dev/null \
// RUN:   --remarks-filter=memspace --remark-format=emitRemark 2>&1 | FileCheck %s --check-prefix=WHY-BYTES
// RUN: memspace-opt %s -split-input-file -memspace-pack-workgroup-memory="chip=gfx942 objective=barriers" -o /dev/null \
// RUN:   --remarks-filter=memspace --remark-format=emitRemark 2>&1 | FileCheck %s --check-prefix=WHY-BARRIERS
// RUN: memspace-opt %s -split-input-file -memspace-pack-workgroup-memory="chip=gfx942 workgroup-limit=512" -o /dev/null \
// RUN:   --remarks-filter=memspace --remark-format=emitRemark 2>&1 | FileCheck %s --check-prefix=WHY-LIMIT
// The budget of a kernel that is not packed says what a packed one has.
// RUN: memspace-opt %s -split-input-file -memspace-check-budget=chip=gfx942 | FileCheck %s --check-prefix=BUDGET
// RUN: memspace-opt %s -split-input-file -memspace-pack-workgroup-memory=chip=gfx942 -memspace-check-budget=chip=gfx942 \
// RUN:   | FileCheck %s --check-prefix=BUDGET

#wg = #gpu.address_space<workgroup>

// WHY-BALANCED: "1024 bytes; 512 bytes would cost 1 more executed barrier, and no limit or occupancy step asks for so few"
// WHY-BYTES: "512 bytes, the fewest"
// WHY-BARRIERS: "1024 bytes; 512 bytes would cost 1 more executed barrier"
// WHY-LIMIT: "512 bytes, the fewest, at the price of 1 more executed barrier, since no more than 512 may be used"
// BUDGET-LABEL: @two_reductions
// BUDGET-SAME: memspace.sum_bytes = 1024
// BUDGET-SAME: memspace.workgroup_bytes = 1024
// CHECK-LABEL: @two_reductions
// BALANCED: memref<1024xi8
// BYTES: memref<512xi8
// BARRIERS: memref<1024xi8
func.func @two_reductions(%x: memref<128xf32>, %y: memref<128xf32>)
    attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
  %c127 = arith.constant 127 : index
  %t = gpu.thread_id x
  %u = arith.subi %c127, %t : index
  %v = memref.load %x[%t] : memref<128xf32>
  // CHECK: memref.store {{.*}} : memref<128xf32, #gpu.address_space<workgroup>>
  // CHECK-NEXT: gpu.barrier
  // CHECK-NEXT: memref.load {{.*}} : memref<128xf32, #gpu.address_space<workgroup>>
  %a = memref.alloc() : memref<128xf32, #wg>
  memref.store %v, %a[%t] : memref<128xf32, #wg>
  %w = memref.load %a[%u] : memref<128xf32, #wg>
  // BYTES: gpu.barrier
  // BALANCED-NOT: gpu.barrier
  // BARRIERS-NOT: gpu.barrier
  // CHECK: memref.store {{.*}} : memref<128xf32, #gpu.address_space<workgroup>>
  // CHECK-NEXT: gpu.barrier
  %b = memref.alloc() : memref<128xf32, #wg>
  memref.store %w, %b[%t] : memref<128xf32, #wg>
  %z = memref.load %b[%u] : memref<128xf32, #wg>
  memref.store %z, %y[%t] : memref<128xf32>
  return
}

// -----

#wg = #gpu.address_space<workgroup>

// Half of the bytes let two workgroups be on a compute unit.
// WHY-BALANCED: "32768 bytes, the fewest, at the price of 1 more executed barrier, since more than 32768 would leave a compute unit with fewer than 2 workgroups"
// WHY-BYTES: "32768 bytes, the fewest"
// WHY-BARRIERS: "65536 bytes; 32768 bytes would cost 1 more executed barrier"
// WHY-LIMIT: "32768 bytes, the fewest, at the price of 1 more executed barrier, which is still more than may be used"
// BUDGET-LABEL: @occupancy_step
// BUDGET-SAME: memspace.workgroup_bytes = 32768
// CHECK-LABEL: @occupancy_step
// BALANCED: memref<32768xi8
// BYTES: memref<32768xi8
// BARRIERS: memref<65536xi8
func.func @occupancy_step(%x: memref<128xf32>, %y: memref<128xf32>)
    attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
  %c127 = arith.constant 127 : index
  %t = gpu.thread_id x
  %u = arith.subi %c127, %t : index
  %v = memref.load %x[%t] : memref<128xf32>
  %a = memref.alloc() : memref<8192xf32, #wg>
  memref.store %v, %a[%t] : memref<8192xf32, #wg>
  %w = memref.load %a[%u] : memref<8192xf32, #wg>
  %b = memref.alloc() : memref<8192xf32, #wg>
  memref.store %w, %b[%t] : memref<8192xf32, #wg>
  %z = memref.load %b[%u] : memref<8192xf32, #wg>
  memref.store %z, %y[%t] : memref<128xf32>
  return
}

// -----

#wg = #gpu.address_space<workgroup>

// %c takes the place of %a, between which a barrier lies anyway, and %b its own: fewer bytes for nothing.
// WHY-BALANCED: "1024 bytes, the fewest"
// WHY-BYTES: "1024 bytes, the fewest"
// WHY-BARRIERS: "1024 bytes, the fewest"
// BUDGET-LABEL: @free_sharing
// BUDGET-SAME: memspace.sum_bytes = 1536
// BUDGET-SAME: memspace.workgroup_bytes = 1024
// CHECK-LABEL: @free_sharing
// CHECK: memref<1024xi8
func.func @free_sharing(%x: memref<128xf32>, %y: memref<128xf32>)
    attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
  %c127 = arith.constant 127 : index
  %t = gpu.thread_id x
  %u = arith.subi %c127, %t : index
  %v = memref.load %x[%t] : memref<128xf32>
  %a = memref.alloc() : memref<128xf32, #wg>
  %b = memref.alloc() : memref<128xf32, #wg>
  memref.store %v, %a[%t] : memref<128xf32, #wg>
  %w = memref.load %a[%u] : memref<128xf32, #wg>
  memref.store %w, %b[%t] : memref<128xf32, #wg>
  %p = memref.load %b[%u] : memref<128xf32, #wg>
  %q = memref.load %a[%t] : memref<128xf32, #wg>
  %s = arith.addf %p, %q : f32
  memref.store %s, %b[%t] : memref<128xf32, #wg>
  %c = memref.alloc() : memref<128xf32, #wg>
  %r = memref.load %b[%u] : memref<128xf32, #wg>
  memref.store %r, %c[%t] : memref<128xf32, #wg>
  %z = memref.load %c[%u] : memref<128xf32, #wg>
  memref.store %z, %y[%t] : memref<128xf32>
  return
}

// -----

#wg = #gpu.address_space<workgroup>

// Of three buffers one place is shared where it costs nothing: %c over %a. The dead store is of no account.
// WHY-BALANCED: "1024 bytes; 512 bytes would cost 2 more executed barriers, and no limit or occupancy step asks for so few"
// WHY-BYTES: "512 bytes, the fewest"
// WHY-BARRIERS: "1024 bytes; 512 bytes would cost 2 more executed barriers"
// BUDGET-LABEL: @some_sharing
// BUDGET-SAME: memspace.sum_bytes = 1536
// BUDGET-SAME: memspace.workgroup_bytes = 1024
// CHECK-LABEL: @some_sharing
// BALANCED: memref<1024xi8
// BYTES: memref<512xi8
// BARRIERS: memref<1024xi8
func.func @some_sharing(%x: memref<128xf32>, %y: memref<128xf32>)
    attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
  %c127 = arith.constant 127 : index
  %t = gpu.thread_id x
  %u = arith.subi %c127, %t : index
  %v = memref.load %x[%t] : memref<128xf32>
  %a = memref.alloc() : memref<128xf32, #wg>
  memref.store %v, %a[%t] : memref<128xf32, #wg>
  %w = memref.load %a[%u] : memref<128xf32, #wg>
  %b = memref.alloc() : memref<128xf32, #wg>
  memref.store %w, %b[%t] : memref<128xf32, #wg>
  %p = memref.load %b[%u] : memref<128xf32, #wg>
  %c = memref.alloc() : memref<128xf32, #wg>
  memref.store %p, %c[%t] : memref<128xf32, #wg>
  %z = memref.load %c[%u] : memref<128xf32, #wg>
  memref.store %v, %a[%u] : memref<128xf32, #wg>
  memref.store %z, %y[%t] : memref<128xf32>
  memref.dealloc %a : memref<128xf32, #wg>
  return
}
