// A copy that is named here is made by memspace-bufferize, and no other one:
// the attribute on what it allocates tells of the same write and read.
// RUN: memspace-opt %s -memspace-verify-distribution="chip=gfx942 copies=warn" -o /dev/null 2>&1 | FileCheck %s --check-prefix=WARN
// RUN: memspace-opt %s -memspace-normalize-kernels=chip=gfx942 -memspace-distribute-to-threads=chip=gfx942 -memspace-infer-memory-spaces=chip=gfx942 -memspace-bufferize=chip=gfx942 | FileCheck %s --check-prefix=BUFFER
// RUN: memspace-opt %s -memspace-verify-distribution="chip=gfx942 copies=allow" -o /dev/null 2>&1 | count 0
// RUN: not memspace-opt %s -memspace-verify-distribution=chip=gfx942 -o /dev/null 2>&1 | grep -c "error:" | FileCheck %s --check-prefix=ERRORS
// RUN: not memspace-opt %s -memspace-verify-distribution="chip=gfx942 copies=many" 2>&1 | FileCheck %s --check-prefix=KIND
// RUN: not memspace-opt %s -memspace-verify-distribution="chip=gfx942 copy-bytes=-1" 2>&1 | FileCheck %s --check-prefix=BYTES

// ERRORS: 3
// KIND: error: 'memspace-verify-distribution' knows no 'copies' named 'many'; use 'error', 'warn' or 'allow'
// BYTES: error: the 'copy-bytes' of 'memspace-verify-distribution' must not be negative

// In place: nothing to say.
// BUFFER-LABEL: func.func @in_place
// BUFFER-NOT: memspace.copy
func.func @in_place(%out: memref<64xf32>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %ot = bufferization.to_tensor %out restrict writable : memref<64xf32> to tensor<64xf32>
  %r = scf.forall (%t) in (64) shared_outs(%o = %ot) -> (tensor<64xf32>) {
    %d = tensor.extract_slice %o[%t] [1] [1] : tensor<64xf32> to tensor<1xf32>
    %u = linalg.exp ins(%d : tensor<1xf32>) outs(%d : tensor<1xf32>) -> tensor<1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %u into %o[%t] [1] [1] : tensor<1xf32> into tensor<64xf32>
    }
  } {mapping = [#gpu.thread<x>]}
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<64xf32>, memref<64xf32>) -> ()
  return
}

// Reversed: each thread reads what another one writes, from before the forall.
// BUFFER-LABEL: func.func @reversed
// BUFFER: memref.alloc{{.*}}memspace.copy = "for the write of 'scf.forall' at {{.*}}: the old value is read by 'linalg.exp' at {{.*}}memref<64xf32
// BUFFER-NOT: memref.alloc{{.*}}memspace.copy
// WARN: :[[#@LINE+6]]:8: warning: 'scf.forall' gets a copy in private memory of all of argument 0 (memref<64xf32>), 256 bytes: 'scf.forall' would overwrite what 'linalg.exp' reads; let that read it before, or read the result, or make the copy explicit (linalg.copy)
// WARN: :[[#@LINE+9]]:10: note: the old value is read here
// WARN: :[[#@LINE+3]]:9: note: the tensor is from here
func.func @reversed(%out: memref<64xf32>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %ot = bufferization.to_tensor %out restrict writable : memref<64xf32> to tensor<64xf32>
  %r = scf.forall (%t) in (64) shared_outs(%o = %ot) -> (tensor<64xf32>) {
    %m = affine.apply affine_map<(d0) -> (63 - d0)>(%t)
    %s = tensor.extract_slice %ot[%m] [1] [1] : tensor<64xf32> to tensor<1xf32>
    %d = tensor.extract_slice %o[%t] [1] [1] : tensor<64xf32> to tensor<1xf32>
    %u = linalg.exp ins(%s : tensor<1xf32>) outs(%d : tensor<1xf32>) -> tensor<1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %u into %o[%t] [1] [1] : tensor<1xf32> into tensor<64xf32>
    }
  } {mapping = [#gpu.thread<x>]}
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<64xf32>, memref<64xf32>) -> ()
  return
}

// A slice of memory that is read-only is overwritten: what makes the slice gets
// the copy.
// BUFFER-LABEL: func.func @part
// BUFFER: memref.alloc{{.*}}memspace.copy = "for the write of 'scf.forall' at {{.*}}: the memory is read-only"{{.*}}memref<2048xf32
// WARN: :[[#@LINE+6]]:8: warning: 'tensor.extract_slice' gets a copy in {{.*}} memory of tensor<2048xf32> in argument 0 (memref<4096xf32>), 8192 bytes: 'scf.forall' would overwrite memory that is read-only;
// WARN: :[[#@LINE+6]]:8: note: overwritten here
func.func @part(%x: memref<4096xf32>, %out: memref<2048xf32>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %xt = bufferization.to_tensor %x restrict : memref<4096xf32> to tensor<4096xf32>
  %n = affine.apply affine_map<() -> (1024)>()
  %s = tensor.extract_slice %xt[%n] [2048] [1] : tensor<4096xf32> to tensor<2048xf32>
  %r = scf.forall (%t) in (64) shared_outs(%o = %s) -> (tensor<2048xf32>) {
    %d = tensor.extract_slice %o[%t] [1] [1] : tensor<2048xf32> to tensor<1xf32>
    %u = linalg.exp ins(%d : tensor<1xf32>) outs(%d : tensor<1xf32>) -> tensor<1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %u into %o[%t] [1] [1] : tensor<1xf32> into tensor<2048xf32>
    }
  } {mapping = [#gpu.thread<x>]}
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<2048xf32>, memref<2048xf32>) -> ()
  return
}

// Memory of the caller on one path, a tensor of the kernel on the other.
// BUFFER-LABEL: func.func @branch
// BUFFER: memref.alloc{{.*}}memspace.copy = "for 'scf.yield' at {{.*}}: the other path yields a buffer of another kind"
// WARN: warning: 'scf.yield' gets a copy in {{.*}} memory of all of argument 0 (memref<64xf32>), 256 bytes: the other path yields a buffer of another kind; let both paths yield memory of the caller, or both tensors of the kernel, or make the copy explicit (linalg.copy)
// WARN-NOT: gets a copy
func.func @branch(%x: memref<64xf32>, %out: memref<64xf32>, %c: i1)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %xt = bufferization.to_tensor %x restrict : memref<64xf32> to tensor<64xf32>
  %ot = bufferization.to_tensor %out restrict writable : memref<64xf32> to tensor<64xf32>
  %z = arith.constant 0.0 : f32
  %s = scf.if %c -> (tensor<64xf32>) {
    scf.yield %xt : tensor<64xf32>
  } else {
    %e = tensor.empty() : tensor<64xf32>
    %f = linalg.fill ins(%z : f32) outs(%e : tensor<64xf32>) -> tensor<64xf32>
    scf.yield %f : tensor<64xf32>
  }
  %r = linalg.exp ins(%s : tensor<64xf32>) outs(%ot : tensor<64xf32>) -> tensor<64xf32>
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<64xf32>, memref<64xf32>) -> ()
  return
}
