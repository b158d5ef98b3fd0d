// RUN: memspace-opt %s -split-input-file -allow-unregistered-dialect -memspace-prune-kernel-results | FileCheck %s

// What is kept: each of these has a result or a buffer of which it is not proved
// that nobody reads it, or a function that may be entered from elsewhere.

// A public function may be called from another module.

// CHECK-LABEL: func @public
// CHECK-SAME:    -> (i32, i32)
// CHECK-LABEL: func @calls_public
func.func @public(%x: i32, %out: memref<i32>) -> (i32, i32) {
  memref.store %x, %out[] : memref<i32>
  return %x, %x : i32, i32
}
func.func @calls_public(%x: i32) -> i32 {
  // CHECK: memref.alloc
  %out = memref.alloc() : memref<i32>
  %r:2 = call @public(%x, %out) : (i32, memref<i32>) -> (i32, i32)
  memref.dealloc %out : memref<i32>
  return %r#0 : i32
}

// -----

// An op other than a call refers to the function.

// CHECK-LABEL: func private @address_taken
// CHECK-SAME:    -> (i32, i32)
func.func private @address_taken(%x: i32) -> (i32, i32) {
  return %x, %x : i32, i32
}
func.func @takes_the_address(%x: i32) -> (i32, (i32) -> (i32, i32)) {
  %f = constant @address_taken : (i32) -> (i32, i32)
  %r:2 = call @address_taken(%x) : (i32) -> (i32, i32)
  return %r#0, %f : i32, (i32) -> (i32, i32)
}

// -----

// So does an op that nobody knows.

// CHECK-LABEL: func private @in_a_table
// CHECK-SAME:    -> (i32, i32)
func.func private @in_a_table(%x: i32) -> (i32, i32) {
  return %x, %x : i32, i32
}
"test.table"() {functions = [[@in_a_table]]} : () -> ()
func.func @calls_from_a_table(%x: i32) -> i32 {
  %r:2 = call @in_a_table(%x) : (i32) -> (i32, i32)
  return %r#0 : i32
}

// -----

// The function calls itself.

// CHECK-LABEL: func private @recursive
// CHECK-SAME:    -> (i32, i32)
// CHECK:         memref.store
func.func private @recursive(%x: i32, %out: memref<i32>) -> (i32, i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  memref.store %x, %out[] : memref<i32>
  %p = arith.cmpi sgt, %x, %c0 : i32
  %r = scf.if %p -> i32 {
    %y = arith.subi %x, %c1 : i32
    %s:2 = func.call @recursive(%y, %out) : (i32, memref<i32>) -> (i32, i32)
    scf.yield %s#0 : i32
  } else {
    scf.yield %c0 : i32
  }
  return %r, %x : i32, i32
}
func.func @calls_recursive(%x: i32) -> i32 {
  %out = memref.alloc() : memref<i32>
  %r:2 = call @recursive(%x, %out) : (i32, memref<i32>) -> (i32, i32)
  memref.dealloc %out : memref<i32>
  return %r#0 : i32
}

// -----

// The function has no body.

// CHECK-LABEL: func private @external(memref<i32>) -> (i32, i32)
// CHECK:         memref.alloc
func.func private @external(%out: memref<i32>) -> (i32, i32)
func.func @calls_external() -> i32 {
  %out = memref.alloc() : memref<i32>
  %r:2 = call @external(%out) : (memref<i32>) -> (i32, i32)
  memref.dealloc %out : memref<i32>
  return %r#0 : i32
}

// -----

// Nobody launches the kernel here: its launches are elsewhere.

// CHECK-LABEL: gpu.func @library
// CHECK-SAME:    memref<8xf32>
// CHECK:         memref.store
gpu.module @kernels {
  gpu.func @library(%y: memref<8xf32>) kernel attributes {known_block_size = array<i32: 8, 1, 1>} {
    %i = gpu.thread_id x
    %c = arith.constant 1.0 : f32
    memref.store %c, %y[%i] : memref<8xf32>
    gpu.return
  }
}

// -----

// Each host does something with its buffer that may read it.

// CHECK-LABEL: func private @write(
// CHECK-SAME:    %{{[a-z0-9]*}}: memref<8xf32>)
func.func private @write(%out: memref<8xf32>) attributes {gpu.known_block_size = array<i32: 8, 1, 1>} {
  %one = arith.constant 1.0 : f32
  linalg.fill ins(%one : f32) outs(%out : memref<8xf32>)
  return
}
// CHECK-LABEL: func @returns
// CHECK:         memref.alloc
// CHECK:         call @write
func.func @returns() -> memref<8xf32> {
  %a = memref.alloc() : memref<8xf32>
  call @write(%a) : (memref<8xf32>) -> ()
  return %a : memref<8xf32>
}

// -----

// CHECK-LABEL: func @reads_a_view
// CHECK:         memref.alloc
// CHECK:         call @write
func.func private @write(%out: memref<8xf32>) attributes {gpu.known_block_size = array<i32: 8, 1, 1>} {
  %one = arith.constant 1.0 : f32
  linalg.fill ins(%one : f32) outs(%out : memref<8xf32>)
  return
}
func.func @reads_a_view() -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<8xf32>
  %v = memref.subview %a[4] [4] [1] : memref<8xf32> to memref<4xf32, strided<[1], offset: 4>>
  call @write(%a) : (memref<8xf32>) -> ()
  %x = memref.load %v[%c0] : memref<4xf32, strided<[1], offset: 4>>
  memref.dealloc %a : memref<8xf32>
  return %x : f32
}

// -----

// The kernel gets a view of the buffer.

// CHECK-LABEL: func @passes_a_view
// CHECK:         memref.alloc
// CHECK:         call @write
func.func private @write(%out: memref<8xf32>) attributes {gpu.known_block_size = array<i32: 8, 1, 1>} {
  %one = arith.constant 1.0 : f32
  linalg.fill ins(%one : f32) outs(%out : memref<8xf32>)
  return
}
func.func @passes_a_view() {
  %a = memref.alloc() : memref<16xf32>
  %v = memref.reinterpret_cast %a to offset: [0], sizes: [8], strides: [1] : memref<16xf32> to memref<8xf32>
  call @write(%v) : (memref<8xf32>) -> ()
  memref.dealloc %a : memref<16xf32>
  return
}

// -----

// CHECK-LABEL: func @chooses
// CHECK-COUNT-2: memref.alloc
// CHECK:         call @write
func.func private @write(%out: memref<8xf32>) attributes {gpu.known_block_size = array<i32: 8, 1, 1>} {
  %one = arith.constant 1.0 : f32
  linalg.fill ins(%one : f32) outs(%out : memref<8xf32>)
  return
}
func.func @chooses(%c: i1) {
  %a = memref.alloc() : memref<8xf32>
  %b = memref.alloc() : memref<8xf32>
  %v = arith.select %c, %a, %b : memref<8xf32>
  call @write(%v) : (memref<8xf32>) -> ()
  memref.dealloc %a : memref<8xf32>
  memref.dealloc %b : memref<8xf32>
  return
}

// -----

// CHECK-LABEL: func @unknown_effects
// CHECK:         memref.alloc
// CHECK:         call @write
func.func private @write(%out: memref<8xf32>) attributes {gpu.known_block_size = array<i32: 8, 1, 1>} {
  %one = arith.constant 1.0 : f32
  linalg.fill ins(%one : f32) outs(%out : memref<8xf32>)
  return
}
func.func @unknown_effects() {
  %a = memref.alloc() : memref<8xf32>
  call @write(%a) : (memref<8xf32>) -> ()
  "test.unknown"(%a) : (memref<8xf32>) -> ()
  memref.dealloc %a : memref<8xf32>
  return
}

// -----

// The kernel does.

// CHECK-LABEL: func private @unknown_write(%{{.*}}: memref<8xf32>)
// CHECK-LABEL: func @calls_unknown
// CHECK:         memref.alloc
func.func private @unknown_write(%out: memref<8xf32>) attributes {gpu.known_block_size = array<i32: 8, 1, 1>} {
  "test.unknown"(%out) : (memref<8xf32>) -> ()
  return
}
func.func @calls_unknown() {
  %a = memref.alloc() : memref<8xf32>
  call @unknown_write(%a) : (memref<8xf32>) -> ()
  memref.dealloc %a : memref<8xf32>
  return
}

// -----

// One buffer for two arguments, one of which is read for what is needed.

// CHECK-LABEL: func private @copy(
// CHECK-SAME:    %{{[a-z0-9]*}}: memref<8xf32>, %{{[a-z0-9]*}}: memref<8xf32>, %{{[a-z0-9]*}}: memref<8xf32>)
// CHECK-LABEL: func @one_for_two
// CHECK:         memref.alloc
func.func private @copy(%read: memref<8xf32>, %written: memref<8xf32>, %out: memref<8xf32>) attributes {gpu.known_block_size = array<i32: 8, 1, 1>} {
  %one = arith.constant 1.0 : f32
  linalg.fill ins(%one : f32) outs(%written : memref<8xf32>)
  memref.copy %read, %out : memref<8xf32> to memref<8xf32>
  return
}
func.func @one_for_two(%out: memref<8xf32>) {
  %a = memref.alloc() : memref<8xf32>
  call @copy(%a, %a, %out) : (memref<8xf32>, memref<8xf32>, memref<8xf32>) -> ()
  memref.dealloc %a : memref<8xf32>
  return
}

// -----

// Two kernels take a result; one of them is needed.

// CHECK-LABEL: func private @producer
// CHECK-SAME:    -> tensor<4xi32>
// CHECK-NOT:   @unneeded
// CHECK-LABEL: func private @needed(
// CHECK-LABEL: func @one_still_needs_it
// CHECK:         call @producer
// CHECK:         call @needed
func.func private @producer(%x: tensor<4xi32>) -> tensor<4xi32> {
  %y = arith.addi %x, %x : tensor<4xi32>
  return %y : tensor<4xi32>
}
func.func private @unneeded(%x: tensor<4xi32>) -> tensor<4xi32> {
  %y = arith.muli %x, %x : tensor<4xi32>
  return %y : tensor<4xi32>
}
func.func private @needed(%x: tensor<4xi32>) -> tensor<4xi32> {
  %y = arith.subi %x, %x : tensor<4xi32>
  return %y : tensor<4xi32>
}
func.func @one_still_needs_it(%x: tensor<4xi32>) -> tensor<4xi32> {
  %a = call @producer(%x) : (tensor<4xi32>) -> tensor<4xi32>
  %b = call @unneeded(%a) : (tensor<4xi32>) -> tensor<4xi32>
  %c = call @needed(%a) : (tensor<4xi32>) -> tensor<4xi32>
  return %c : tensor<4xi32>
}

// -----

// A function of barriers orders what its callers do.

// CHECK-LABEL: func.func private @synchronize
// CHECK-LABEL: gpu.func @reverse
// CHECK:         call @synchronize
module attributes {gpu.container_module} {
  gpu.module @kernels {
    func.func private @synchronize() {
      gpu.barrier
      return
    }
    gpu.func @reverse(%y: memref<64xf32>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
      %c63 = arith.constant 63 : index
      %i = gpu.thread_id x
      %j = arith.subi %c63, %i : index
      %v = memref.load %y[%i] : memref<64xf32>
      func.call @synchronize() : () -> ()
      memref.store %v, %y[%j] : memref<64xf32>
      gpu.return
    }
  }
  func.func @launch(%y: memref<64xf32>) {
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    gpu.launch_func @kernels::@reverse blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1) args(%y : memref<64xf32>)
    return
  }
}

// -----

// A terminator of which nobody knows what it returns.

// CHECK-LABEL: func private @unknown_return
// CHECK-SAME:    -> (i32, i32)
func.func private @unknown_return(%x: i32) -> (i32, i32) {
  "test.return"(%x, %x) : (i32, i32) -> ()
}
func.func @calls_unknown_return(%x: i32) -> i32 {
  %r:2 = call @unknown_return(%x) : (i32) -> (i32, i32)
  return %r#0 : i32
}

// -----

// A call outside of functions.

// CHECK-LABEL: func private @called_outside(%{{.*}}: memref<i32>)
// CHECK:         memref.alloc
// CHECK:         call @called_outside(%{{.*}}) : (memref<i32>) -> ()
func.func private @called_outside(%out: memref<i32>) {
  %c = arith.constant 1 : i32
  memref.store %c, %out[] : memref<i32>
  return
}
scf.execute_region {
  %a = memref.alloc() : memref<i32>
  func.call @called_outside(%a) : (memref<i32>) -> ()
  scf.yield
}

// -----

// Kernels with other effects than writes.

// CHECK-LABEL: gpu.func @prints
// CHECK-LABEL: gpu.func @asserts
// CHECK-LABEL: func @launches_for_effects
// CHECK:         gpu.launch_func @kernels::@prints
// CHECK:         gpu.launch_func @kernels::@asserts
module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @prints() kernel {
      %i = gpu.thread_id x
      gpu.printf "%d", %i : index
      gpu.return
    }
    gpu.func @asserts(%x: memref<8xi1>) kernel {
      %i = gpu.thread_id x
      %c = memref.load %x[%i] : memref<8xi1>
      cf.assert %c, "must hold"
      gpu.return
    }
  }
  func.func @launches_for_effects(%x: memref<8xi1>) {
    %c1 = arith.constant 1 : index
    gpu.launch_func @kernels::@prints blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1)
    gpu.launch_func @kernels::@asserts blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%x : memref<8xi1>)
    return
  }
}

// -----

// An op on memrefs that writes two of them; one is needed.

// CHECK-LABEL: func private @both(
// CHECK-SAME:    %{{[a-z0-9]*}}: memref<4xi32>, %{{[a-z0-9]*}}: memref<4xi32>, %{{[a-z0-9]*}}: memref<4xi32>)
#id = affine_map<(i) -> (i)>
func.func private @both(%x: memref<4xi32>, %y: memref<4xi32>, %z: memref<4xi32>) attributes {gpu.known_block_size = array<i32: 4, 1, 1>} {
  linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]}
      ins(%x : memref<4xi32>) outs(%y, %z : memref<4xi32>, memref<4xi32>) {
  ^bb0(%a: i32, %b: i32, %c: i32):
    linalg.yield %a, %a : i32, i32
  }
  return
}
func.func @needs_one_of_both(%x: memref<4xi32>, %y: memref<4xi32>) {
  %z = memref.alloc() : memref<4xi32>
  call @both(%x, %y, %z) : (memref<4xi32>, memref<4xi32>, memref<4xi32>) -> ()
  memref.dealloc %z : memref<4xi32>
  return
}

// -----

// The host asks for the extent of what the kernel writes.

// CHECK-LABEL: func @asks_for_the_extent
// CHECK:         memref.alloc
func.func private @write(%out: memref<?xf32>) attributes {gpu.known_block_size = array<i32: 8, 1, 1>} {
  %one = arith.constant 1.0 : f32
  linalg.fill ins(%one : f32) outs(%out : memref<?xf32>)
  return
}
func.func @asks_for_the_extent(%n: index) -> index {
  %c0 = arith.constant 0 : index
  %a = memref.alloc(%n) : memref<?xf32>
  call @write(%a) : (memref<?xf32>) -> ()
  %d = memref.dim %a, %c0 : memref<?xf32>
  memref.dealloc %a : memref<?xf32>
  return %d : index
}

// -----

// The second tensor is carried for the next iteration only, but a call uses it.
// The third one, which no call uses, goes.

// CHECK-LABEL: func private @iterate(
// CHECK-SAME:    -> (tensor<4xi32>, tensor<4xi32>)
// CHECK-LABEL: func @carries
// CHECK:         scf.for {{.*}} -> (tensor<4xi32>, tensor<4xi32>)
func.func private @iterate(%x: tensor<4xi32>, %y: tensor<4xi32>) -> (tensor<4xi32>, tensor<4xi32>, tensor<4xi32>) {
  %a = arith.addi %x, %x : tensor<4xi32>
  %b = arith.muli %y, %y : tensor<4xi32>
  %c = arith.subi %x, %y : tensor<4xi32>
  return %a, %b, %c : tensor<4xi32>, tensor<4xi32>, tensor<4xi32>
}
func.func @carries(%x: tensor<4xi32>, %n: index) -> tensor<4xi32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:3 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x, %b = %x, %c = %x) -> (tensor<4xi32>, tensor<4xi32>, tensor<4xi32>) {
    %s:3 = func.call @iterate(%a, %b) : (tensor<4xi32>, tensor<4xi32>) -> (tensor<4xi32>, tensor<4xi32>, tensor<4xi32>)
    scf.yield %s#0, %s#1, %s#2 : tensor<4xi32>, tensor<4xi32>, tensor<4xi32>
  }
  return %r#0 : tensor<4xi32>
}
