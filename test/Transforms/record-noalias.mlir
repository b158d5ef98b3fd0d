// RUN: memspace-opt %s -memspace-record-noalias -split-input-file | FileCheck %s
// RUN: memspace-opt %s -memspace-record-noalias -split-input-file --remarks-filter=memspace --remark-policy=all -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

// Every use is by 'restrict', also of views; asking for an extent is no access.

// CHECK-LABEL: func.func @all
// CHECK-SAME:    (%{{.*}}: memref<?xf32> {memspace.noalias}, %{{.*}}: memref<8x8xf32> {memspace.noalias}, %{{.*}}: memref<8xf32> {memspace.noalias}, %{{.*}}: f32)
func.func @all(%x: memref<?xf32>, %y: memref<8x8xf32>, %out: memref<8xf32>, %s: f32)
    attributes {gpu.known_block_size = array<i32: 8, 1, 1>} {
  %c0 = arith.constant 0 : index
  %n = memref.dim %x, %c0 : memref<?xf32>
  %xt = bufferization.to_tensor %x restrict : memref<?xf32> to tensor<?xf32>
  %row = memref.subview %y[1, 0] [1, 8] [1, 1] : memref<8x8xf32> to memref<8xf32, strided<[1], offset: 8>>
  %cast = memref.cast %row : memref<8xf32, strided<[1], offset: 8>> to memref<8xf32, strided<[1], offset: ?>>
  %yt = bufferization.to_tensor %cast restrict : memref<8xf32, strided<[1], offset: ?>> to tensor<8xf32>
  bufferization.materialize_in_destination %yt in restrict writable %out : (tensor<8xf32>, memref<8xf32>) -> ()
  return
}

// -----

// An update in place is one argument: it may do with itself what it wants.

// CHECK-LABEL: func.func @in_place
// CHECK-SAME:    (%{{.*}}: memref<8xf32> {memspace.noalias}, %{{.*}}: memref<8xf32> {memspace.noalias})
func.func @in_place(%x: memref<8xf32>, %y: memref<8xf32>)
    attributes {gpu.known_block_size = array<i32: 8, 1, 1>} {
  %xt = bufferization.to_tensor %x restrict writable : memref<8xf32> to tensor<8xf32>
  %yt = bufferization.to_tensor %y restrict : memref<8xf32> to tensor<8xf32>
  %s = linalg.add ins(%xt, %yt : tensor<8xf32>, tensor<8xf32>) outs(%xt : tensor<8xf32>) -> tensor<8xf32>
  bufferization.materialize_in_destination %s in restrict writable %x : (tensor<8xf32>, memref<8xf32>) -> ()
  return
}

// -----

// Two tensors of one argument: both are its.

// CHECK-LABEL: func.func @two_tensors
// CHECK-SAME:    (%{{.*}}: memref<8xf32> {memspace.noalias}, %{{.*}}: memref<8xf32> {memspace.noalias})
func.func @two_tensors(%x: memref<8xf32>, %out: memref<8xf32>)
    attributes {gpu.known_block_size = array<i32: 8, 1, 1>} {
  %a = bufferization.to_tensor %x restrict : memref<8xf32> to tensor<8xf32>
  %b = bufferization.to_tensor %x restrict : memref<8xf32> to tensor<8xf32>
  %e = tensor.empty() : tensor<8xf32>
  %s = linalg.add ins(%a, %b : tensor<8xf32>, tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  bufferization.materialize_in_destination %s in restrict writable %out : (tensor<8xf32>, memref<8xf32>) -> ()
  return
}

// -----

// A plain access beside the 'restrict' one: 'restrict' does not speak of it.

// CHECK-LABEL: func.func @plain_accesses
// CHECK-SAME:    (%{{.*}}: memref<8xf32>, %{{.*}}: memref<8xf32>, %{{.*}}: memref<8xf32> {memspace.noalias})
// REMARK: record-noalias.mlir:[[#@LINE+5]]:{{.*}} remark: {{.*}}argument 0 may overlap others: this is no 'restrict' use of it
// REMARK: record-noalias.mlir:[[#@LINE+5]]:{{.*}} remark: {{.*}}argument 1 may overlap others: this is no 'restrict' use of it
func.func @plain_accesses(%x: memref<8xf32>, %y: memref<8xf32>, %out: memref<8xf32>)
    attributes {gpu.known_block_size = array<i32: 8, 1, 1>} {
  %i = gpu.thread_id x
  %v = memref.load %x[%i] : memref<8xf32>
  memref.store %v, %y[%i] : memref<8xf32>
  %xt = bufferization.to_tensor %x restrict : memref<8xf32> to tensor<8xf32>
  bufferization.materialize_in_destination %xt in restrict writable %out : (tensor<8xf32>, memref<8xf32>) -> ()
  return
}

// -----

// Without 'restrict' a tensor, or a destination, may be anybody's memory.

// CHECK-LABEL: func.func @not_restrict
// CHECK-SAME:    (%{{.*}}: memref<8xf32>, %{{.*}}: memref<8xf32>)
func.func @not_restrict(%x: memref<8xf32>, %out: memref<8xf32>)
    attributes {gpu.known_block_size = array<i32: 8, 1, 1>} {
  %xt = bufferization.to_tensor %x : memref<8xf32> to tensor<8xf32>
  bufferization.materialize_in_destination %xt in writable %out : (tensor<8xf32>, memref<8xf32>) -> ()
  return
}

// -----

// A view with a plain access counts for its argument.

// CHECK-LABEL: func.func @view_stored_to
// CHECK-SAME:    (%{{.*}}: memref<8xf32> {memspace.noalias}, %{{.*}}: memref<16xf32>)
func.func @view_stored_to(%x: memref<8xf32>, %out: memref<16xf32>)
    attributes {gpu.known_block_size = array<i32: 8, 1, 1>} {
  %zero = arith.constant 0.0 : f32
  %i = gpu.thread_id x
  %low = memref.subview %out[0] [8] [1] : memref<16xf32> to memref<8xf32, strided<[1]>>
  %high = memref.subview %out[8] [8] [1] : memref<16xf32> to memref<8xf32, strided<[1], offset: 8>>
  memref.store %zero, %high[%i] : memref<8xf32, strided<[1], offset: 8>>
  %xt = bufferization.to_tensor %x restrict : memref<8xf32> to tensor<8xf32>
  bufferization.materialize_in_destination %xt in restrict writable %low : (tensor<8xf32>, memref<8xf32, strided<[1]>>) -> ()
  return
}

// -----

// Which argument is it? Neither is told from the third.

// CHECK-LABEL: func.func @chosen
// CHECK-SAME:    (%{{.*}}: memref<8xf32>, %{{.*}}: memref<8xf32>, %{{.*}}: memref<8xf32> {memspace.noalias}, %{{.*}}: i1)
func.func @chosen(%x: memref<8xf32>, %y: memref<8xf32>, %out: memref<8xf32>, %flag: i1)
    attributes {gpu.known_block_size = array<i32: 8, 1, 1>} {
  %m = arith.select %flag, %x, %y : memref<8xf32>
  %t = bufferization.to_tensor %m restrict : memref<8xf32> to tensor<8xf32>
  bufferization.materialize_in_destination %t in restrict writable %out : (tensor<8xf32>, memref<8xf32>) -> ()
  return
}

// -----

// CHECK-LABEL: func.func @chosen_by_branch
// CHECK-SAME:    (%{{.*}}: memref<8xf32>, %{{.*}}: memref<8xf32>, %{{.*}}: memref<8xf32> {memspace.noalias}, %{{.*}}: i1)
func.func @chosen_by_branch(%x: memref<8xf32>, %y: memref<8xf32>, %out: memref<8xf32>, %flag: i1)
    attributes {gpu.known_block_size = array<i32: 8, 1, 1>} {
  %m = scf.if %flag -> (memref<8xf32>) {
    scf.yield %x : memref<8xf32>
  } else {
    scf.yield %y : memref<8xf32>
  }
  %t = bufferization.to_tensor %m restrict : memref<8xf32> to tensor<8xf32>
  bufferization.materialize_in_destination %t in restrict writable %out : (tensor<8xf32>, memref<8xf32>) -> ()
  return
}

// -----

// CHECK-LABEL: func.func @carried_by_loop
// CHECK-SAME:    (%{{.*}}: memref<8xf32>, %{{.*}}: memref<8xf32> {memspace.noalias})
func.func @carried_by_loop(%x: memref<8xf32>, %out: memref<8xf32>)
    attributes {gpu.known_block_size = array<i32: 8, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %m = scf.for %i = %c0 to %c4 step %c1 iter_args(%a = %x) -> (memref<8xf32>) {
    scf.yield %a : memref<8xf32>
  }
  %t = bufferization.to_tensor %m restrict : memref<8xf32> to tensor<8xf32>
  bufferization.materialize_in_destination %t in restrict writable %out : (tensor<8xf32>, memref<8xf32>) -> ()
  return
}

// -----

// Passed to a function, read as a pointer, used as the shape of a view: all of
// them may access the memory.

// CHECK-LABEL: func.func @passed_on
// CHECK-SAME:    (%{{.*}}: memref<8xf32>, %{{.*}}: memref<8xf32>, %{{.*}}: memref<2xindex>, %{{.*}}: memref<8xf32>)
func.func @passed_on(%x: memref<8xf32>, %y: memref<8xf32>, %shape: memref<2xindex>, %out: memref<8xf32>)
    attributes {gpu.known_block_size = array<i32: 8, 1, 1>} {
  func.call @use(%x) : (memref<8xf32>) -> ()
  %p = memref.extract_aligned_pointer_as_index %y : memref<8xf32> -> index
  %r = memref.reshape %out(%shape) : (memref<8xf32>, memref<2xindex>) -> memref<?x?xf32>
  %xt = bufferization.to_tensor %x restrict : memref<8xf32> to tensor<8xf32>
  %yt = bufferization.to_tensor %y restrict : memref<8xf32> to tensor<8xf32>
  %s = linalg.add ins(%xt, %yt : tensor<8xf32>, tensor<8xf32>) outs(%xt : tensor<8xf32>) -> tensor<8xf32>
  bufferization.materialize_in_destination %s in restrict writable %out : (tensor<8xf32>, memref<8xf32>) -> ()
  func.call @index(%p) : (index) -> ()
  return
}
func.func private @use(memref<8xf32>)
func.func private @index(index)

// -----

// No kernel.

// CHECK-LABEL: func.func @host
// CHECK-SAME:    (%{{.*}}: memref<8xf32>, %{{.*}}: memref<8xf32>)
func.func @host(%x: memref<8xf32>, %out: memref<8xf32>) {
  %t = bufferization.to_tensor %x restrict : memref<8xf32> to tensor<8xf32>
  bufferization.materialize_in_destination %t in restrict writable %out : (tensor<8xf32>, memref<8xf32>) -> ()
  return
}

// -----

// Attributions are no arguments.

// CHECK-LABEL: gpu.func @attribution
// CHECK-SAME:    (%{{.*}}: memref<8xf32> {memspace.noalias}) workgroup(%{{.*}} : memref<8xf32, #gpu.address_space<workgroup>>) kernel
gpu.module @m {
  gpu.func @attribution(%x: memref<8xf32>) workgroup(%w: memref<8xf32, #gpu.address_space<workgroup>>) kernel
      attributes {known_block_size = array<i32: 8, 1, 1>} {
    %t = bufferization.to_tensor %w restrict : memref<8xf32, #gpu.address_space<workgroup>> to tensor<8xf32>
    bufferization.materialize_in_destination %t in restrict writable %x : (tensor<8xf32>, memref<8xf32>) -> ()
    gpu.return
  }
}
