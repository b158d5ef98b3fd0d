// Where a cut is needed, and the later kernel would not find what it reads: left alone.
// RUN: memspace-opt %s -memspace-split-kernels=chip=sm_90 --remarks-filter=memspace --remark-format=emitRemark 2>%t.err | FileCheck %s
// RUN: FileCheck %s --input-file=%t.err --check-prefix=REMARK

// CHECK-NOT: _part
// CHECK-LABEL: func.func @overwritten(
// CHECK-NOT: _part
// CHECK-LABEL: func.func @read_late(
// CHECK-NOT: _part
// CHECK-LABEL: func.func @extent(
// CHECK-NOT: _part
// CHECK-LABEL: func.func @stored_then_updated(
// CHECK-NOT: _part
// CHECK-LABEL: func.func @stored_in_another_order(
// CHECK-NOT: _part
// CHECK-LABEL: func.func @copied(
// CHECK-NOT: _part
// CHECK-LABEL: func.func @updated(
// CHECK-NOT: _part
// CHECK-LABEL: func.func @placed(
// CHECK-NOT: _part
// CHECK-LABEL: func.func @memref(
// CHECK-NOT: _part
// CHECK-LABEL: func.func @in_loop(
// CHECK-NOT: _part
// CHECK-LABEL: func.func @device(
// CHECK-NOT: _part

#tile = affine_map<(d0) -> (d0 * 64)>
#other = affine_map<(d0) -> (d0 * -64 + 192)>

// The first forall updates what the last one reads as it was.
// REMARK: split-kernels-unchanged.mlir:[[# @LINE + 2]]:{{.*}}: remark: {{.*}}workgroups access what others access in an earlier block forall, but the kernel is not split between the two: this is overwritten before it is read
func.func @overwritten(%in: memref<256xf32>, %out: memref<256xf32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %x = bufferization.to_tensor %in restrict writable : memref<256xf32> to tensor<256xf32>
  %o = bufferization.to_tensor %out restrict writable : memref<256xf32> to tensor<256xf32>
  %a = scf.forall (%b) in (4) shared_outs(%w = %x) -> tensor<256xf32> {
    %off = affine.apply #tile(%b)
    %d = tensor.extract_slice %w[%off] [64] [1] : tensor<256xf32> to tensor<64xf32>
    %e = linalg.exp ins(%d : tensor<64xf32>) outs(%d : tensor<64xf32>) -> tensor<64xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %e into %w[%off] [64] [1] : tensor<64xf32> into tensor<256xf32>
    }
  } {mapping = [#gpu.block<x>]}
  %r = scf.forall (%b) in (4) shared_outs(%w = %o) -> tensor<256xf32> {
    %off = affine.apply #tile(%b)
    %from = affine.apply #other(%b)
    %s = tensor.extract_slice %a[%from] [64] [1] : tensor<256xf32> to tensor<64xf32>
    %u = tensor.extract_slice %x[%off] [64] [1] : tensor<256xf32> to tensor<64xf32>
    %d = tensor.extract_slice %w[%off] [64] [1] : tensor<256xf32> to tensor<64xf32>
    %e = linalg.add ins(%s, %u : tensor<64xf32>, tensor<64xf32>) outs(%d : tensor<64xf32>) -> tensor<64xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %e into %w[%off] [64] [1] : tensor<64xf32> into tensor<256xf32>
    }
  } {mapping = [#gpu.block<x>]}
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<256xf32>, memref<256xf32>) -> ()
  return
}

// REMARK: split-kernels-unchanged.mlir:[[# @LINE + 14]]:{{.*}}: remark: {{.*}}not split between the two: this is read after a forall wrote there
func.func @read_late(%in: memref<256xf32>, %mid: memref<256xf32>, %out: memref<256xf32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %x = bufferization.to_tensor %in restrict : memref<256xf32> to tensor<256xf32>
  %m = bufferization.to_tensor %mid restrict writable : memref<256xf32> to tensor<256xf32>
  %a = scf.forall (%b) in (4) shared_outs(%w = %m) -> tensor<256xf32> {
    %off = affine.apply #tile(%b)
    %s = tensor.extract_slice %x[%off] [64] [1] : tensor<256xf32> to tensor<64xf32>
    %d = tensor.extract_slice %w[%off] [64] [1] : tensor<256xf32> to tensor<64xf32>
    %e = linalg.exp ins(%s : tensor<64xf32>) outs(%d : tensor<64xf32>) -> tensor<64xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %e into %w[%off] [64] [1] : tensor<64xf32> into tensor<256xf32>
    }
  } {mapping = [#gpu.block<x>]}
  bufferization.materialize_in_destination %a in restrict writable %mid : (tensor<256xf32>, memref<256xf32>) -> ()
  %again = bufferization.to_tensor %mid restrict : memref<256xf32> to tensor<256xf32>
  %o = bufferization.to_tensor %out restrict writable : memref<256xf32> to tensor<256xf32>
  %r = scf.forall (%b) in (4) shared_outs(%w = %o) -> tensor<256xf32> {
    %off = affine.apply #tile(%b)
    %from = affine.apply #other(%b)
    %s = tensor.extract_slice %again[%from] [64] [1] : tensor<256xf32> to tensor<64xf32>
    %d = tensor.extract_slice %w[%off] [64] [1] : tensor<256xf32> to tensor<64xf32>
    %e = linalg.exp ins(%s : tensor<64xf32>) outs(%d : tensor<64xf32>) -> tensor<64xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %e into %w[%off] [64] [1] : tensor<64xf32> into tensor<256xf32>
    }
  } {mapping = [#gpu.block<x>]}
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<256xf32>, memref<256xf32>) -> ()
  return
}

// How much memory it takes is in memory.
// REMARK: split-kernels-unchanged.mlir:[[# @LINE + 8]]:{{.*}}: remark: {{.*}}not split between the two: the extents of a result of it are not known before the kernel
func.func @extent(%in: memref<256xi32>, %out: memref<4xi32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %c0 = arith.constant 0 : index
  %x = bufferization.to_tensor %in restrict : memref<256xi32> to tensor<256xi32>
  %o = bufferization.to_tensor %out restrict writable : memref<4xi32> to tensor<4xi32>
  %word = tensor.extract %x[%c0] : tensor<256xi32>
  %n = arith.index_cast %word : i32 to index
  %t = tensor.empty(%n) : tensor<?xi32>
  %a = scf.forall (%b) in (%n) shared_outs(%w = %t) -> tensor<?xi32> {
    %s = tensor.extract_slice %x[%b] [1] [1] : tensor<256xi32> to tensor<1xi32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %s into %w[%b] [1] [1] : tensor<1xi32> into tensor<?xi32>
    }
  } {mapping = [#gpu.block<x>]}
  %r = scf.forall (%b) in (4) shared_outs(%w = %o) -> tensor<4xi32> {
    %s = tensor.extract_slice %a[%c0] [1] [1] : tensor<?xi32> to tensor<1xi32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %s into %w[%b] [1] [1] : tensor<1xi32> into tensor<4xi32>
    }
  } {mapping = [#gpu.block<x>]}
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<4xi32>, memref<4xi32>) -> ()
  return
}

// What is stored in an output is updated in a later part, and not stored again.
// REMARK: split-kernels-unchanged.mlir:[[# @LINE + 26]]:{{.*}}: remark: {{.*}}not split between the two: it would overwrite what is stored before
func.func @stored_then_updated(%in: memref<256xf32>, %out: memref<256xf32>, %out2: memref<256xf32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %x = bufferization.to_tensor %in restrict : memref<256xf32> to tensor<256xf32>
  %t = tensor.empty() : tensor<256xf32>
  %u = tensor.empty() : tensor<256xf32>
  %v = tensor.empty() : tensor<256xf32>
  %a = scf.forall (%b) in (4) shared_outs(%w = %t) -> tensor<256xf32> {
    %off = affine.apply #tile(%b)
    %from = affine.apply #tile(%b)
    %s = tensor.extract_slice %x[%from] [64] [1] : tensor<256xf32> to tensor<64xf32>
    %d = tensor.extract_slice %w[%off] [64] [1] : tensor<256xf32> to tensor<64xf32>
    %e = linalg.exp ins(%s : tensor<64xf32>) outs(%d : tensor<64xf32>) -> tensor<64xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %e into %w[%off] [64] [1] : tensor<64xf32> into tensor<256xf32>
    }
  } {mapping = [#gpu.block<x>]}
  %z = scf.forall (%b) in (4) shared_outs(%w = %u) -> tensor<256xf32> {
    %off = affine.apply #tile(%b)
    %from = affine.apply #other(%b)
    %s = tensor.extract_slice %a[%from] [64] [1] : tensor<256xf32> to tensor<64xf32>
    %d = tensor.extract_slice %w[%off] [64] [1] : tensor<256xf32> to tensor<64xf32>
    %e = linalg.exp ins(%s : tensor<64xf32>) outs(%d : tensor<64xf32>) -> tensor<64xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %e into %w[%off] [64] [1] : tensor<64xf32> into tensor<256xf32>
    }
  } {mapping = [#gpu.block<x>]}
  %q = scf.forall (%b) in (2) shared_outs(%w = %a) -> tensor<256xf32> {
    %off = affine.apply #tile(%b)
    %from = affine.apply #tile(%b)
    %s = tensor.extract_slice %x[%from] [64] [1] : tensor<256xf32> to tensor<64xf32>
    %d = tensor.extract_slice %w[%off] [64] [1] : tensor<256xf32> to tensor<64xf32>
    %e = linalg.exp ins(%s : tensor<64xf32>) outs(%d : tensor<64xf32>) -> tensor<64xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %e into %w[%off] [64] [1] : tensor<64xf32> into tensor<256xf32>
    }
  } {mapping = [#gpu.block<x>]}
  %r = scf.forall (%b) in (4) shared_outs(%w = %z) -> tensor<256xf32> {
    %off = affine.apply #tile(%b)
    %from = affine.apply #tile(%b)
    %s = tensor.extract_slice %q[%from] [64] [1] : tensor<256xf32> to tensor<64xf32>
    %d = tensor.extract_slice %w[%off] [64] [1] : tensor<256xf32> to tensor<64xf32>
    %e = linalg.exp ins(%s : tensor<64xf32>) outs(%d : tensor<64xf32>) -> tensor<64xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %e into %w[%off] [64] [1] : tensor<64xf32> into tensor<256xf32>
    }
  } {mapping = [#gpu.block<x>]}
  bufferization.materialize_in_destination %a in restrict writable %out : (tensor<256xf32>, memref<256xf32>) -> ()
  bufferization.materialize_in_destination %r in restrict writable %out2 : (tensor<256xf32>, memref<256xf32>) -> ()
  return
}

// The store that comes last is of an earlier part.
// REMARK: split-kernels-unchanged.mlir:[[# @LINE + 37]]:{{.*}}: remark: {{.*}}not split between the two: an earlier store would overwrite this
func.func @stored_in_another_order(%in: memref<256xf32>, %out: memref<256xf32>, %out2: memref<256xf32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %x = bufferization.to_tensor %in restrict : memref<256xf32> to tensor<256xf32>
  %t = tensor.empty() : tensor<256xf32>
  %u = tensor.empty() : tensor<256xf32>
  %v = tensor.empty() : tensor<256xf32>
  %a = scf.forall (%b) in (4) shared_outs(%w = %t) -> tensor<256xf32> {
    %off = affine.apply #tile(%b)
    %from = affine.apply #tile(%b)
    %s = tensor.extract_slice %x[%from] [64] [1] : tensor<256xf32> to tensor<64xf32>
    %d = tensor.extract_slice %w[%off] [64] [1] : tensor<256xf32> to tensor<64xf32>
    %e = linalg.exp ins(%s : tensor<64xf32>) outs(%d : tensor<64xf32>) -> tensor<64xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %e into %w[%off] [64] [1] : tensor<64xf32> into tensor<256xf32>
    }
  } {mapping = [#gpu.block<x>]}
  %z = scf.forall (%b) in (4) shared_outs(%w = %u) -> tensor<256xf32> {
    %off = affine.apply #tile(%b)
    %from = affine.apply #tile(%b)
    %s = tensor.extract_slice %x[%from] [64] [1] : tensor<256xf32> to tensor<64xf32>
    %d = tensor.extract_slice %w[%off] [64] [1] : tensor<256xf32> to tensor<64xf32>
    %e = linalg.exp ins(%s : tensor<64xf32>) outs(%d : tensor<64xf32>) -> tensor<64xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %e into %w[%off] [64] [1] : tensor<64xf32> into tensor<256xf32>
    }
  } {mapping = [#gpu.block<x>]}
  %r = scf.forall (%b) in (4) shared_outs(%w = %v) -> tensor<256xf32> {
    %off = affine.apply #tile(%b)
    %from = affine.apply #other(%b)
    %s = tensor.extract_slice %z[%from] [64] [1] : tensor<256xf32> to tensor<64xf32>
    %d = tensor.extract_slice %w[%off] [64] [1] : tensor<256xf32> to tensor<64xf32>
    %e = linalg.exp ins(%s : tensor<64xf32>) outs(%d : tensor<64xf32>) -> tensor<64xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %e into %w[%off] [64] [1] : tensor<64xf32> into tensor<256xf32>
    }
  } {mapping = [#gpu.block<x>]}
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<256xf32>, memref<256xf32>) -> ()
  bufferization.materialize_in_destination %a in restrict writable %out : (tensor<256xf32>, memref<256xf32>) -> ()
  return
}

// An input that is stored as it is belongs to no part.
// REMARK: split-kernels-unchanged.mlir:[[# @LINE + 26]]:{{.*}}: remark: {{.*}}not split between the two: this is no result of a forall
func.func @copied(%in: memref<256xf32>, %out: memref<256xf32>, %out2: memref<256xf32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %x = bufferization.to_tensor %in restrict : memref<256xf32> to tensor<256xf32>
  %o = bufferization.to_tensor %out restrict writable : memref<256xf32> to tensor<256xf32>
  %t = tensor.empty() : tensor<256xf32>
  %a = scf.forall (%b) in (4) shared_outs(%w = %t) -> tensor<256xf32> {
    %off = affine.apply #tile(%b)
    %from = affine.apply #tile(%b)
    %s = tensor.extract_slice %x[%from] [64] [1] : tensor<256xf32> to tensor<64xf32>
    %d = tensor.extract_slice %w[%off] [64] [1] : tensor<256xf32> to tensor<64xf32>
    %e = linalg.exp ins(%s : tensor<64xf32>) outs(%d : tensor<64xf32>) -> tensor<64xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %e into %w[%off] [64] [1] : tensor<64xf32> into tensor<256xf32>
    }
  } {mapping = [#gpu.block<x>]}
  %r = scf.forall (%b) in (4) shared_outs(%w = %o) -> tensor<256xf32> {
    %off = affine.apply #tile(%b)
    %from = affine.apply #other(%b)
    %s = tensor.extract_slice %a[%from] [64] [1] : tensor<256xf32> to tensor<64xf32>
    %d = tensor.extract_slice %w[%off] [64] [1] : tensor<256xf32> to tensor<64xf32>
    %e = linalg.exp ins(%s : tensor<64xf32>) outs(%d : tensor<64xf32>) -> tensor<64xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %e into %w[%off] [64] [1] : tensor<64xf32> into tensor<256xf32>
    }
  } {mapping = [#gpu.block<x>]}
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<256xf32>, memref<256xf32>) -> ()
  bufferization.materialize_in_destination %x in restrict writable %out2 : (tensor<256xf32>, memref<256xf32>) -> ()
  return
}

// A result that is updated before the last part reads it as it was.
// REMARK: split-kernels-unchanged.mlir:[[# @LINE + 5]]:{{.*}}: remark: {{.*}}not split between the two: a result of it is overwritten before it is read
func.func @updated(%in: memref<256xf32>, %out: memref<256xf32>, %out2: memref<256xf32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %x = bufferization.to_tensor %in restrict : memref<256xf32> to tensor<256xf32>
  %o = bufferization.to_tensor %out restrict writable : memref<256xf32> to tensor<256xf32>
  %t = tensor.empty() : tensor<256xf32>
  %a = scf.forall (%b) in (4) shared_outs(%w = %t) -> tensor<256xf32> {
    %off = affine.apply #tile(%b)
    %from = affine.apply #tile(%b)
    %s = tensor.extract_slice %x[%from] [64] [1] : tensor<256xf32> to tensor<64xf32>
    %d = tensor.extract_slice %w[%off] [64] [1] : tensor<256xf32> to tensor<64xf32>
    %e = linalg.exp ins(%s : tensor<64xf32>) outs(%d : tensor<64xf32>) -> tensor<64xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %e into %w[%off] [64] [1] : tensor<64xf32> into tensor<256xf32>
    }
  } {mapping = [#gpu.block<x>]}
  %z = scf.forall (%b) in (4) shared_outs(%w = %a) -> tensor<256xf32> {
    %off = affine.apply #tile(%b)
    %from = affine.apply #tile(%b)
    %s = tensor.extract_slice %x[%from] [64] [1] : tensor<256xf32> to tensor<64xf32>
    %d = tensor.extract_slice %w[%off] [64] [1] : tensor<256xf32> to tensor<64xf32>
    %e = linalg.exp ins(%s : tensor<64xf32>) outs(%d : tensor<64xf32>) -> tensor<64xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %e into %w[%off] [64] [1] : tensor<64xf32> into tensor<256xf32>
    }
  } {mapping = [#gpu.block<x>]}
  %r = scf.forall (%b) in (4) shared_outs(%w = %o) -> tensor<256xf32> {
    %off = affine.apply #tile(%b)
    %from = affine.apply #other(%b)
    %s = tensor.extract_slice %a[%from] [64] [1] : tensor<256xf32> to tensor<64xf32>
    %d = tensor.extract_slice %w[%off] [64] [1] : tensor<256xf32> to tensor<64xf32>
    %e = linalg.exp ins(%s : tensor<64xf32>) outs(%d : tensor<64xf32>) -> tensor<64xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %e into %w[%off] [64] [1] : tensor<64xf32> into tensor<256xf32>
    }
  } {mapping = [#gpu.block<x>]}
  %q = scf.forall (%b) in (4) shared_outs(%w = %t) -> tensor<256xf32> {
    %off = affine.apply #tile(%b)
    %from = affine.apply #tile(%b)
    %s = tensor.extract_slice %z[%from] [64] [1] : tensor<256xf32> to tensor<64xf32>
    %d = tensor.extract_slice %w[%off] [64] [1] : tensor<256xf32> to tensor<64xf32>
    %e = linalg.exp ins(%s : tensor<64xf32>) outs(%d : tensor<64xf32>) -> tensor<64xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %e into %w[%off] [64] [1] : tensor<64xf32> into tensor<256xf32>
    }
  } {mapping = [#gpu.block<x>]}
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<256xf32>, memref<256xf32>) -> ()
  bufferization.materialize_in_destination %q in restrict writable %out2 : (tensor<256xf32>, memref<256xf32>) -> ()
  return
}

// Where it is stored is in memory.
// REMARK: split-kernels-unchanged.mlir:[[# @LINE + 9]]:{{.*}}: remark: {{.*}}not split between the two: where a result of it is to be is not known before the kernel
func.func @placed(%in: memref<256xf32>, %out: memref<256xf32>, %out2: memref<256xf32>, %places: memref<1xindex>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %x = bufferization.to_tensor %in restrict : memref<256xf32> to tensor<256xf32>
  %o = bufferization.to_tensor %out restrict writable : memref<256xf32> to tensor<256xf32>
  %c0 = arith.constant 0 : index
  %p = bufferization.to_tensor %places restrict : memref<1xindex> to tensor<1xindex>
  %place = tensor.extract %p[%c0] : tensor<1xindex>
  %view = memref.subview %out2[%place] [256] [1] : memref<256xf32> to memref<256xf32, strided<[1], offset: ?>>
  %t = tensor.empty() : tensor<256xf32>
  %a = scf.forall (%b) in (4) shared_outs(%w = %t) -> tensor<256xf32> {
    %off = affine.apply #tile(%b)
    %from = affine.apply #tile(%b)
    %s = tensor.extract_slice %x[%from] [64] [1] : tensor<256xf32> to tensor<64xf32>
    %d = tensor.extract_slice %w[%off] [64] [1] : tensor<256xf32> to tensor<64xf32>
    %e = linalg.exp ins(%s : tensor<64xf32>) outs(%d : tensor<64xf32>) -> tensor<64xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %e into %w[%off] [64] [1] : tensor<64xf32> into tensor<256xf32>
    }
  } {mapping = [#gpu.block<x>]}
  %r = scf.forall (%b) in (4) shared_outs(%w = %o) -> tensor<256xf32> {
    %off = affine.apply #tile(%b)
    %from = affine.apply #other(%b)
    %s = tensor.extract_slice %a[%from] [64] [1] : tensor<256xf32> to tensor<64xf32>
    %d = tensor.extract_slice %w[%off] [64] [1] : tensor<256xf32> to tensor<64xf32>
    %e = linalg.exp ins(%s : tensor<64xf32>) outs(%d : tensor<64xf32>) -> tensor<64xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %e into %w[%off] [64] [1] : tensor<64xf32> into tensor<256xf32>
    }
  } {mapping = [#gpu.block<x>]}
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<256xf32>, memref<256xf32>) -> ()
  bufferization.materialize_in_destination %a in restrict writable %view : (tensor<256xf32>, memref<256xf32, strided<[1], offset: ?>>) -> ()
  return
}

// What is loaded from memory is not seen.
func.func @memref(%in: memref<256xf32>, %out: memref<256xf32>, %other: memref<256xf32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %x = bufferization.to_tensor %in restrict : memref<256xf32> to tensor<256xf32>
  %o = bufferization.to_tensor %out restrict writable : memref<256xf32> to tensor<256xf32>
  %t = tensor.empty() : tensor<256xf32>
  %a = scf.forall (%b) in (4) shared_outs(%w = %t) -> tensor<256xf32> {
    %off = affine.apply #tile(%b)
    %s = tensor.extract_slice %x[%off] [64] [1] : tensor<256xf32> to tensor<64xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %s into %w[%off] [64] [1] : tensor<64xf32> into tensor<256xf32>
    }
  } {mapping = [#gpu.block<x>]}
  %r = scf.forall (%b) in (4) shared_outs(%w = %o) -> tensor<256xf32> {
    %off = affine.apply #tile(%b)
    %from = affine.apply #other(%b)
    %first = memref.load %other[%off] : memref<256xf32>
    %s = tensor.extract_slice %a[%from] [64] [1] : tensor<256xf32> to tensor<64xf32>
    %e = tensor.insert %first into %s[%b] : tensor<64xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %e into %w[%off] [64] [1] : tensor<64xf32> into tensor<256xf32>
    }
  } {mapping = [#gpu.block<x>]}
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<256xf32>, memref<256xf32>) -> ()
  return
}

// Each iteration reads what others wrote in the one before; what refuses it later says so.
func.func @in_loop(%n: index, %out: memref<256xf32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %o = bufferization.to_tensor %out restrict writable : memref<256xf32> to tensor<256xf32>
  %t = tensor.empty() : tensor<256xf32>
  %l = scf.for %i = %c0 to %n step %c1 iter_args(%c = %o) -> tensor<256xf32> {
    %a = scf.forall (%b) in (4) shared_outs(%w = %t) -> tensor<256xf32> {
      %off = affine.apply #tile(%b)
      %s = tensor.extract_slice %c[%off] [64] [1] : tensor<256xf32> to tensor<64xf32>
      %d = tensor.extract_slice %w[%off] [64] [1] : tensor<256xf32> to tensor<64xf32>
      %e = linalg.exp ins(%s : tensor<64xf32>) outs(%d : tensor<64xf32>) -> tensor<64xf32>
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %e into %w[%off] [64] [1] : tensor<64xf32> into tensor<256xf32>
      }
    } {mapping = [#gpu.block<x>]}
    %r = scf.forall (%b) in (4) shared_outs(%w = %c) -> tensor<256xf32> {
      %off = affine.apply #tile(%b)
      %from = affine.apply #other(%b)
      %s = tensor.extract_slice %a[%from] [64] [1] : tensor<256xf32> to tensor<64xf32>
      %d = tensor.extract_slice %w[%off] [64] [1] : tensor<256xf32> to tensor<64xf32>
      %e = linalg.exp ins(%s : tensor<64xf32>) outs(%d : tensor<64xf32>) -> tensor<64xf32>
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %e into %w[%off] [64] [1] : tensor<64xf32> into tensor<256xf32>
      }
    } {mapping = [#gpu.block<x>]}
    scf.yield %r : tensor<256xf32>
  }
  bufferization.materialize_in_destination %l in restrict writable %out : (tensor<256xf32>, memref<256xf32>) -> ()
  return
}

// Nobody in a module of the device could launch two.
gpu.module @m {
  func.func @device(%in: memref<256xf32>, %out: memref<256xf32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    %x = bufferization.to_tensor %in restrict : memref<256xf32> to tensor<256xf32>
    %o = bufferization.to_tensor %out restrict writable : memref<256xf32> to tensor<256xf32>
    %t = tensor.empty() : tensor<256xf32>
    %a = scf.forall (%b) in (4) shared_outs(%w = %t) -> tensor<256xf32> {
      %off = affine.apply #tile(%b)
      %s = tensor.extract_slice %x[%off] [64] [1] : tensor<256xf32> to tensor<64xf32>
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %s into %w[%off] [64] [1] : tensor<64xf32> into tensor<256xf32>
      }
    } {mapping = [#gpu.block<x>]}
    %r = scf.forall (%b) in (4) shared_outs(%w = %o) -> tensor<256xf32> {
      %off = affine.apply #tile(%b)
      %from = affine.apply #other(%b)
      %s = tensor.extract_slice %a[%from] [64] [1] : tensor<256xf32> to tensor<64xf32>
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %s into %w[%off] [64] [1] : tensor<64xf32> into tensor<256xf32>
      }
    } {mapping = [#gpu.block<x>]}
    bufferization.materialize_in_destination %r in restrict writable %out : (tensor<256xf32>, memref<256xf32>) -> ()
    return
  }
}
