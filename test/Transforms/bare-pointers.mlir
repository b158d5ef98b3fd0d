// RUN: memspace-opt %s -memspace-bare-pointers | FileCheck %s
// RUN: memspace-opt %s -memspace-bare-pointers=noalias=false | FileCheck %s --check-prefix=OFF

#wg = #gpu.address_space<workgroup>
gpu.module @m {
  memref.global constant @table : memref<16xf32> = dense<1.0>
  memref.global @state : memref<16xf32>

  // All global memory is that of arguments that do not alias each other, or
  // constant; workgroup memory has an address space of its own.

  // CHECK-LABEL: gpu.func @all(
  // CHECK-SAME:    %{{.*}}: memref<16xf32> {llvm.noalias, llvm.readonly, memspace.noalias}, %{{.*}}: memref<16xf32> {llvm.noalias, memspace.noalias})
  // OFF-LABEL: gpu.func @all(
  // OFF-SAME:    %{{.*}}: memref<16xf32> {llvm.readonly, memspace.noalias}, %{{.*}}: memref<16xf32> {memspace.noalias})
  gpu.func @all(%a: memref<16xf32> {memspace.noalias}, %b: memref<16xf32> {memspace.noalias})
      workgroup(%s: memref<16xf32, #wg>) kernel
      attributes {known_block_size = array<i32: 16, 1, 1>} {
    %i = gpu.thread_id x
    %t = memref.get_global @table : memref<16xf32>
    %0 = memref.load %a[%i] : memref<16xf32>
    %1 = memref.load %t[%i] : memref<16xf32>
    %2 = arith.addf %0, %1 : f32
    memref.store %2, %s[%i] : memref<16xf32, #wg>
    gpu.barrier
    memref.store %2, %b[%i] : memref<16xf32>
    gpu.return
  }

  // Argument 2 may overlap the others; it is only read, so what is only read like
  // it may be told from everything.

  // CHECK-LABEL: gpu.func @another_read(
  // CHECK-SAME:    %{{.*}}: memref<16xf32> {llvm.noalias, llvm.readonly, memspace.noalias}, %{{.*}}: memref<16xf32> {memspace.noalias}, %{{.*}}: memref<16xf32> {llvm.readonly})
  gpu.func @another_read(%a: memref<16xf32> {memspace.noalias}, %b: memref<16xf32> {memspace.noalias}, %c: memref<16xf32>) kernel
      attributes {known_block_size = array<i32: 16, 1, 1>} {
    %i = gpu.thread_id x
    %0 = memref.load %a[%i] : memref<16xf32>
    %1 = memref.load %c[%i] : memref<16xf32>
    %2 = arith.addf %0, %1 : f32
    memref.store %2, %b[%i] : memref<16xf32>
    gpu.return
  }

  // Written, argument 2 may be any of them.

  // CHECK-LABEL: gpu.func @another_written(
  // CHECK-SAME:    %{{.*}}: memref<16xf32> {llvm.readonly, memspace.noalias}, %{{.*}}: memref<16xf32> {memspace.noalias}, %{{.*}}: memref<16xf32>)
  gpu.func @another_written(%a: memref<16xf32> {memspace.noalias}, %b: memref<16xf32> {memspace.noalias}, %c: memref<16xf32>) kernel
      attributes {known_block_size = array<i32: 16, 1, 1>} {
    %i = gpu.thread_id x
    %0 = memref.load %a[%i] : memref<16xf32>
    memref.store %0, %b[%i] : memref<16xf32>
    memref.store %0, %c[%i] : memref<16xf32>
    gpu.return
  }

  // A global that somebody writes may be the argument's memory.

  // CHECK-LABEL: gpu.func @global_written(
  // CHECK-SAME:    %{{.*}}: memref<16xf32> {llvm.readonly, memspace.noalias})
  gpu.func @global_written(%a: memref<16xf32> {memspace.noalias}) kernel
      attributes {known_block_size = array<i32: 16, 1, 1>} {
    %i = gpu.thread_id x
    %g = memref.get_global @state : memref<16xf32>
    %0 = memref.load %a[%i] : memref<16xf32>
    memref.store %0, %g[%i] : memref<16xf32>
    gpu.return
  }

  // One of the two is written: both may be.

  // CHECK-LABEL: gpu.func @chosen(
  // CHECK-SAME:    %{{.*}}: memref<16xf32> {llvm.noalias, memspace.noalias}, %{{.*}}: memref<16xf32> {llvm.noalias, memspace.noalias}, %{{.*}}: i1)
  gpu.func @chosen(%a: memref<16xf32> {memspace.noalias}, %b: memref<16xf32> {memspace.noalias}, %flag: i1) kernel
      attributes {known_block_size = array<i32: 16, 1, 1>} {
    %i = gpu.thread_id x
    %0 = memref.load %a[%i] : memref<16xf32>
    %c = arith.select %flag, %a, %b : memref<16xf32>
    memref.store %0, %c[%i] : memref<16xf32>
    gpu.return
  }

  // Memory that is not global is not looked at.

  // CHECK-LABEL: gpu.func @other_spaces(
  // CHECK-SAME:    %{{.*}}: memref<16xf32, #gpu.address_space<workgroup>>, %{{.*}}: memref<16xf32, #gpu.address_space<private>>, %{{.*}}: memref<16xf32> {llvm.readonly})
  gpu.func @other_spaces(%a: memref<16xf32, #wg>, %b: memref<16xf32, #gpu.address_space<private>>, %c: memref<16xf32>) kernel
      attributes {known_block_size = array<i32: 16, 1, 1>} {
    %i = gpu.thread_id x
    %0 = memref.load %c[%i] : memref<16xf32>
    memref.store %0, %a[%i] : memref<16xf32, #wg>
    memref.store %0, %b[%i] : memref<16xf32, #gpu.address_space<private>>
    gpu.return
  }

  // Nobody knows what the function does, nor what it does it to.

  // CHECK-LABEL: gpu.func @unknown_op(
  // CHECK-SAME:    %{{.*}}: memref<16xf32> {memspace.noalias}, %{{.*}}: memref<16xf32> {memspace.noalias})
  gpu.func @unknown_op(%a: memref<16xf32> {memspace.noalias}, %b: memref<16xf32> {memspace.noalias}) kernel
      attributes {known_block_size = array<i32: 16, 1, 1>} {
    %i = gpu.thread_id x
    func.call @callee(%a) : (memref<16xf32>) -> ()
    %0 = memref.load %a[%i] : memref<16xf32>
    memref.store %0, %b[%i] : memref<16xf32>
    gpu.return
  }
  func.func private @callee(memref<16xf32>)
}
