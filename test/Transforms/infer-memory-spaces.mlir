// RUN: memspace-opt %s -split-input-file -memspace-infer-memory-spaces=chip=sm_90 | FileCheck %s
// RUN: memspace-opt %s -split-input-file -memspace-infer-memory-spaces=chip=sm_90 --remarks-filter=memspace --remark-policy=all -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

// S12, S15: a value read after its update: the update gets a buffer of its own,
// with a decision of its own, and the copy names the write and the read. It is
// spread over the threads that wrote the original.

// CHECK-LABEL: func @conflict
// CHECK: bufferization.alloc_tensor() {memory_space = #gpu.address_space<workgroup>, memspace.reason = "must-share: an element written by one thread is read by another"}
// CHECK: bufferization.alloc_tensor() {memory_space = #gpu.address_space<workgroup>, memspace.copy = "for the write of 'scf.forall' at loc({{.*}}: the old value is read by 'tensor.extract' at loc({{.*}}", memspace.reason = "must-share
// CHECK: scf.forall (%{{.*}}) in (64)
// CHECK:   linalg.copy {memspace.copy =
// CHECK: } {mapping = [#gpu.thread<x>]}
// REMARK-DAG: [Analysis] MemorySpace | Category:memspace | Function=conflict | Remark="workgroup: must-share: an element written by one thread is read by another
func.func @conflict(%x: memref<64xf32>, %out: memref<64xf32>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %xt = bufferization.to_tensor %x restrict : memref<64xf32> to tensor<64xf32>
  %ot = bufferization.to_tensor %out restrict writable : memref<64xf32> to tensor<64xf32>
  %c0 = arith.constant 0 : index
  %c63 = arith.constant 63 : index
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64xf32>
  %t = scf.forall (%i) in (64) shared_outs(%o = %e) -> (tensor<64xf32>) {
    %v = tensor.extract %xt[%i] : tensor<64xf32>
    %d = tensor.extract_slice %o[%i] [1] [1] : tensor<64xf32> to tensor<1xf32>
    %s = tensor.insert %v into %d[%c0] : tensor<1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %s into %o[%i] [1] [1] : tensor<1xf32> into tensor<64xf32>
    }
  } {mapping = [#gpu.thread<x>]}
  %n = scf.forall (%i) in (16) shared_outs(%o = %t) -> (tensor<64xf32>) {
    %d = tensor.extract_slice %o[%i] [1] [1] : tensor<64xf32> to tensor<1xf32>
    %s = tensor.insert %z into %d[%c0] : tensor<1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %s into %o[%i] [1] [1] : tensor<1xf32> into tensor<64xf32>
    }
  } {mapping = [#gpu.thread<x>]}
  %r = scf.forall (%i) in (64) shared_outs(%o = %ot) -> (tensor<64xf32>) {
    %j = arith.subi %c63, %i : index
    %v = tensor.extract %t[%j] : tensor<64xf32>
    %w = tensor.extract %n[%j] : tensor<64xf32>
    %sum = arith.addf %v, %w : f32
    %d = tensor.extract_slice %o[%i] [1] [1] : tensor<64xf32> to tensor<1xf32>
    %s = tensor.insert %sum into %d[%c0] : tensor<1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %s into %o[%i] [1] [1] : tensor<1xf32> into tensor<64xf32>
    }
  } {mapping = [#gpu.thread<x>]}
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<64xf32>, memref<64xf32>) -> ()
  return
}

// -----

// S6: one branch yields memory of the caller, the other a buffer of the kernel:
// the caller's is copied, and the copy says why.

// CHECK-LABEL: func @branches
// CHECK: scf.if
// CHECK:   bufferization.alloc_tensor() {memory_space = #gpu.address_space<workgroup>, memspace.reason = "must-share
// CHECK: } else {
// CHECK:   bufferization.alloc_tensor() {memory_space = #gpu.address_space<workgroup>, memspace.copy = "for 'scf.yield' at loc({{.*}}: the other path yields a buffer of another kind"
// CHECK:   linalg.copy
func.func @branches(%x: memref<64xf32>, %out: memref<64xf32>, %flag: i1)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %xt = bufferization.to_tensor %x restrict : memref<64xf32> to tensor<64xf32>
  %ot = bufferization.to_tensor %out restrict writable : memref<64xf32> to tensor<64xf32>
  %c0 = arith.constant 0 : index
  %c63 = arith.constant 63 : index
  %z = arith.constant 0.0 : f32
  %sel = scf.if %flag -> (tensor<64xf32>) {
    %e = tensor.empty() : tensor<64xf32>
    %t = scf.forall (%i) in (64) shared_outs(%o = %e) -> (tensor<64xf32>) {
      %d = tensor.extract_slice %o[%i] [1] [1] : tensor<64xf32> to tensor<1xf32>
      %s = tensor.insert %z into %d[%c0] : tensor<1xf32>
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %s into %o[%i] [1] [1] : tensor<1xf32> into tensor<64xf32>
      }
    } {mapping = [#gpu.thread<x>]}
    scf.yield %t : tensor<64xf32>
  } else {
    scf.yield %xt : tensor<64xf32>
  }
  %r = scf.forall (%i) in (64) shared_outs(%o = %ot) -> (tensor<64xf32>) {
    %j = arith.subi %c63, %i : index
    %v = tensor.extract %sel[%j] : tensor<64xf32>
    %d = tensor.extract_slice %o[%i] [1] [1] : tensor<64xf32> to tensor<1xf32>
    %s = tensor.insert %v into %d[%c0] : tensor<1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %s into %o[%i] [1] [1] : tensor<1xf32> into tensor<64xf32>
    }
  } {mapping = [#gpu.thread<x>]}
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<64xf32>, memref<64xf32>) -> ()
  return
}

// -----

// S13: a space that is merely wider than needed is kept.

// CHECK-LABEL: func @wider
// CHECK: bufferization.alloc_tensor() {memory_space = #gpu.address_space<workgroup>, memspace.reason = "aligned: every element is read only by the thread that wrote it"}
func.func @wider(%out: memref<64xf32>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %ot = bufferization.to_tensor %out restrict writable : memref<64xf32> to tensor<64xf32>
  %c0 = arith.constant 0 : index
  %z = arith.constant 0.0 : f32
  %e = bufferization.alloc_tensor() {memory_space = #gpu.address_space<workgroup>} : tensor<64xf32>
  %t = scf.forall (%i) in (64) shared_outs(%o = %e) -> (tensor<64xf32>) {
    %d = tensor.extract_slice %o[%i] [1] [1] : tensor<64xf32> to tensor<1xf32>
    %s = tensor.insert %z into %d[%c0] : tensor<1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %s into %o[%i] [1] [1] : tensor<1xf32> into tensor<64xf32>
    }
  } {mapping = [#gpu.thread<x>]}
  %r = scf.forall (%i) in (64) shared_outs(%o = %ot) -> (tensor<64xf32>) {
    %v = tensor.extract %t[%i] : tensor<64xf32>
    %d = tensor.extract_slice %o[%i] [1] [1] : tensor<64xf32> to tensor<1xf32>
    %s = tensor.insert %v into %d[%c0] : tensor<1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %s into %o[%i] [1] [1] : tensor<1xf32> into tensor<64xf32>
    }
  } {mapping = [#gpu.thread<x>]}
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<64xf32>, memref<64xf32>) -> ()
  return
}

// -----

// Two block foralls, the second of which reads only what its own block wrote.

// CHECK-LABEL: func @same_block
func.func @same_block(%out: memref<8xf32>)
    attributes {gpu.known_block_size = array<i32: 1, 1, 1>, gpu.known_grid_size = array<i32: 8, 1, 1>} {
  %ot = bufferization.to_tensor %out restrict writable : memref<8xf32> to tensor<8xf32>
  %c0 = arith.constant 0 : index
  %z = arith.constant 0.0 : f32
  %a = scf.forall (%b) in (8) shared_outs(%o = %ot) -> (tensor<8xf32>) {
    %d = tensor.extract_slice %o[%b] [1] [1] : tensor<8xf32> to tensor<1xf32>
    %s = scf.forall (%i) in (1) shared_outs(%p = %d) -> (tensor<1xf32>) {
      %v = tensor.insert %z into %p[%i] : tensor<1xf32>
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %v into %p[0] [1] [1] : tensor<1xf32> into tensor<1xf32>
      }
    } {mapping = [#gpu.thread<x>]}
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %s into %o[%b] [1] [1] : tensor<1xf32> into tensor<8xf32>
    }
  } {mapping = [#gpu.block<x>]}
  %r = scf.forall (%b) in (8) shared_outs(%o = %a) -> (tensor<8xf32>) {
    %d = tensor.extract_slice %o[%b] [1] [1] : tensor<8xf32> to tensor<1xf32>
    %s = scf.forall (%i) in (1) shared_outs(%p = %d) -> (tensor<1xf32>) {
      %v = tensor.extract %p[%i] : tensor<1xf32>
      %w = arith.addf %v, %v : f32
      %n = tensor.insert %w into %p[%i] : tensor<1xf32>
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %n into %p[0] [1] [1] : tensor<1xf32> into tensor<1xf32>
      }
    } {mapping = [#gpu.thread<x>]}
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %s into %o[%b] [1] [1] : tensor<1xf32> into tensor<8xf32>
    }
  } {mapping = [#gpu.block<x>]}
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<8xf32>, memref<8xf32>) -> ()
  return
}
