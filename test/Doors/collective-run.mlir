// What each thread inserts and all read (design section 13): as values say, without
// a race, in place where nobody needs the old value.

// RUN: memspace-test-opt %s -memspace-kernel-pipeline=chip=gfx942 -o %t.mlir
// RUN: FileCheck %s < %t.mlir
// RUN: memspace-opt %t.mlir -memspace-verify-barriers=chip=gfx942 -o /dev/null
// RUN: memspace-runner %t.mlir --chip=gfx942 --kernel=old_value --arg=0:iota --out=1:%t.npy | FileCheck %s --check-prefix=CLEAN
// RUN: %python %S/../Emulator/Inputs/compare.py %t.npy '63 - i'
// RUN: memspace-runner %t.mlir --chip=gfx942 --kernel=after_forall --arg=0:iota --out=1:%t.npy | FileCheck %s --check-prefix=CLEAN
// RUN: %python %S/../Emulator/Inputs/compare.py %t.npy '63 - i'
// RUN: memspace-runner %t.mlir --chip=gfx942 --kernel=private_write --arg=0:iota --out=1:%t.npy | FileCheck %s --check-prefix=CLEAN
// RUN: %python %S/../Emulator/Inputs/compare.py %t.npy '64 - i'
// RUN: memspace-runner %t.mlir --chip=gfx942 --kernel=carried --arg=0:iota --out=1:%t.npy | FileCheck %s --check-prefix=CLEAN
// RUN: %python %S/../Emulator/Inputs/compare.py %t.npy '2 * 63'
// RUN: memspace-runner %t.mlir --chip=gfx942 --kernel=two --arg=0:iota --out=1:%t.npy | FileCheck %s --check-prefix=CLEAN
// RUN: %python %S/../Emulator/Inputs/compare.py %t.npy '2 * i'
// RUN: memspace-runner %t.mlir --chip=gfx942 --kernel=lanes --arg=0:iota --out=1:%t.npy | FileCheck %s --check-prefix=CLEAN
// RUN: %python %S/../Emulator/Inputs/compare.py %t.npy 'i // 64 * 64 + 63 - i % 64'
// RUN: memspace-runner %t.mlir --chip=gfx942 --kernel=matmul_like --arg=0:iota --out=1:%t.npy | FileCheck %s --check-prefix=CLEAN
// RUN: %python %S/../Emulator/Inputs/compare.py %t.npy '255 * 128 + 0 * i'
// RUN: memspace-runner %t.mlir --chip=gfx942 --kernel=vectors --arg=0:iota --out=1:%t.npy | FileCheck %s --check-prefix=CLEAN
// RUN: %python %S/../Emulator/Inputs/compare.py %t.npy '255 - i // 4 * 4 - 3 + i % 4'
// RUN: memspace-runner %t.mlir --chip=gfx942 --kernel=by_linalg --arg=0:iota --out=1:%t.npy | FileCheck %s --check-prefix=CLEAN
// RUN: %python %S/../Emulator/Inputs/compare.py %t.npy '60 + 3 - i % 4 + 16'
// RUN: memspace-runner %t.mlir --chip=gfx942 --kernel=gives_slices --arg=0:iota --out=1:%t.npy | FileCheck %s --check-prefix=CLEAN
// RUN: %python %S/../Emulator/Inputs/compare.py %t.npy '32 + (63 - i) % 32'

// CLEAN: races: 0, divergent barriers: 0, out of bounds: 0, uninitialized reads: 0

// The old value is read, too: the collective works on a copy.
// CHECK-LABEL: @old_value
// CHECK: memspace.copy = "for the write of 'memspace.begin_collective'{{.*}} the old value is read by 'tensor.extract'
func.func @old_value(%in: memref<64xf32>, %out: memref<64xf32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %x = bufferization.to_tensor %in restrict : memref<64xf32> to tensor<64xf32>
  %o = bufferization.to_tensor %out restrict writable : memref<64xf32> to tensor<64xf32>
  %zero = arith.constant 0.0 : f32
  %c63 = arith.constant 63 : index
  %c0 = arith.constant 0 : index
  %e = tensor.empty() : tensor<64xf32>
  %tile = linalg.fill ins(%zero : f32) outs(%e : tensor<64xf32>) -> tensor<64xf32>
  %r = scf.forall (%t) in (64) shared_outs(%s = %o) -> tensor<64xf32> {
    %mine = tensor.extract_slice %x[%t] [1] [1] : tensor<64xf32> to tensor<1xf32>
    %i = tensor.insert_slice %mine into %tile[%t] [1] [1] : tensor<1xf32> into tensor<64xf32>
    %a = door.meet %i : tensor<64xf32> -> tensor<64xf32>
    %u = arith.subi %c63, %t : index
    %v = tensor.extract %a[%u] : tensor<64xf32>
    %w = tensor.extract %tile[%t] : tensor<64xf32>
    %y = arith.addf %v, %w : f32
    %q = tensor.from_elements %y : tensor<1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %q into %s[%t] [1] [1] : tensor<1xf32> into tensor<64xf32>
    }
  } {mapping = [#gpu.thread<x>]}
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<64xf32>, memref<64xf32>) -> ()
  return
}

// The same after the forall.
// CHECK-LABEL: @after_forall
func.func @after_forall(%in: memref<64xf32>, %out: memref<64xf32>, %out2: memref<64xf32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %x = bufferization.to_tensor %in restrict : memref<64xf32> to tensor<64xf32>
  %o = bufferization.to_tensor %out restrict writable : memref<64xf32> to tensor<64xf32>
  %zero = arith.constant 0.0 : f32
  %c63 = arith.constant 63 : index
  %e = tensor.empty() : tensor<64xf32>
  %tile = linalg.fill ins(%zero : f32) outs(%e : tensor<64xf32>) -> tensor<64xf32>
  %r = scf.forall (%t) in (64) shared_outs(%s = %o) -> tensor<64xf32> {
    %mine = tensor.extract_slice %x[%t] [1] [1] : tensor<64xf32> to tensor<1xf32>
    %i = tensor.insert_slice %mine into %tile[%t] [1] [1] : tensor<1xf32> into tensor<64xf32>
    %a = door.meet %i : tensor<64xf32> -> tensor<64xf32>
    %u = arith.subi %c63, %t : index
    %q = tensor.extract_slice %a[%u] [1] [1] : tensor<64xf32> to tensor<1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %q into %s[%t] [1] [1] : tensor<1xf32> into tensor<64xf32>
    }
  } {mapping = [#gpu.thread<x>]}
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<64xf32>, memref<64xf32>) -> ()
  bufferization.materialize_in_destination %tile in restrict writable %out2 : (tensor<64xf32>, memref<64xf32>) -> ()
  return
}

// What a thread writes without contributing it nobody else sees.
// CHECK-LABEL: @private_write
// CHECK: memref.alloca() {{.*}}memspace.copy = "for a write of one thread into a tensor that all threads share"
func.func @private_write(%in: memref<64xf32>, %out: memref<64xf32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %x = bufferization.to_tensor %in restrict : memref<64xf32> to tensor<64xf32>
  %o = bufferization.to_tensor %out restrict writable : memref<64xf32> to tensor<64xf32>
  %one = arith.constant 1.0 : f32
  %c63 = arith.constant 63 : index
  %c0 = arith.constant 0 : index
  %tile = bufferization.alloc_tensor() : tensor<64xf32>
  %r = scf.forall (%t) in (64) shared_outs(%s = %o) -> tensor<64xf32> {
    %mine = tensor.extract_slice %x[%t] [1] [1] : tensor<64xf32> to tensor<1xf32>
    %i = tensor.insert_slice %mine into %tile[%t] [1] [1] : tensor<1xf32> into tensor<64xf32>
    %a = door.meet %i : tensor<64xf32> -> tensor<64xf32>
    %p = tensor.insert %one into %a[%t] : tensor<64xf32>
    %u = arith.subi %c63, %t : index
    %v = tensor.extract %p[%u] : tensor<64xf32>
    %w = tensor.extract %p[%t] : tensor<64xf32>
    %y = arith.addf %v, %w : f32
    %q = tensor.from_elements %y : tensor<1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %q into %s[%t] [1] [1] : tensor<1xf32> into tensor<64xf32>
    }
  } {mapping = [#gpu.thread<x>]}
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<64xf32>, memref<64xf32>) -> ()
  return
}

// A loop begins with contents that threads share: no copy, two barriers.
// CHECK-LABEL: @carried
// CHECK-NOT: memspace.copy
// CHECK: scf.for %{{.*}} to %c4
// CHECK-COUNT-2: gpu.barrier
// CHECK-NOT: gpu.barrier
func.func @carried(%in: memref<64xf32>, %out: memref<64xf32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %x = bufferization.to_tensor %in restrict : memref<64xf32> to tensor<64xf32>
  %o = bufferization.to_tensor %out restrict writable : memref<64xf32> to tensor<64xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c63 = arith.constant 63 : index
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64xf32>
  %tile = linalg.fill ins(%zero : f32) outs(%e : tensor<64xf32>) -> tensor<64xf32>
  %r = scf.forall (%t) in (64) shared_outs(%s = %o) -> tensor<64xf32> {
    %z = scf.for %k = %c0 to %c4 step %c1 iter_args(%all = %tile) -> tensor<64xf32> {
      %u = arith.subi %c63, %t : index
      %v = tensor.extract %all[%u] : tensor<64xf32>
      %m = tensor.extract %x[%t] : tensor<64xf32>
      %w = arith.addf %v, %m : f32
      %n = door.together(%all : tensor<64xf32>) {
      ^bb0(%sh: tensor<64xf32>):
        %i = tensor.insert %w into %sh[%t] : tensor<64xf32>
        door.give %i : tensor<64xf32>
      } : tensor<64xf32>
      scf.yield %n : tensor<64xf32>
    }
    %q = tensor.extract_slice %z[%t] [1] [1] : tensor<64xf32> to tensor<1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %q into %s[%t] [1] [1] : tensor<1xf32> into tensor<64xf32>
    }
  } {mapping = [#gpu.thread<x>]}
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<64xf32>, memref<64xf32>) -> ()
  return
}

// One init for two collectives.
// CHECK-LABEL: @two
func.func @two(%in: memref<64xf32>, %out: memref<64xf32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %x = bufferization.to_tensor %in restrict : memref<64xf32> to tensor<64xf32>
  %o = bufferization.to_tensor %out restrict writable : memref<64xf32> to tensor<64xf32>
  %c63 = arith.constant 63 : index
  %tile = bufferization.alloc_tensor() : tensor<64xf32>
  %r = scf.forall (%t) in (64) shared_outs(%s = %o) -> tensor<64xf32> {
    %u = arith.subi %c63, %t : index
    %m = tensor.extract %x[%t] : tensor<64xf32>
    %i = tensor.insert %m into %tile[%t] : tensor<64xf32>
    %a = door.meet %i : tensor<64xf32> -> tensor<64xf32>
    %v = tensor.extract %a[%u] : tensor<64xf32>
    %w = arith.addf %v, %v : f32
    %j = tensor.insert %w into %tile[%t] : tensor<64xf32>
    %b = door.meet %j : tensor<64xf32> -> tensor<64xf32>
    %q = tensor.extract_slice %b[%u] [1] [1] : tensor<64xf32> to tensor<1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %q into %s[%t] [1] [1] : tensor<1xf32> into tensor<64xf32>
    }
  } {mapping = [#gpu.thread<x>]}
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<64xf32>, memref<64xf32>) -> ()
  return
}

// An instance for each subgroup, and its barrier.
// CHECK-LABEL: @lanes
// CHECK: memspace.subgroup_barrier
// CHECK-NOT: barrier
func.func @lanes(%in: memref<128xf32>, %out: memref<128xf32>) attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
  %x = bufferization.to_tensor %in restrict : memref<128xf32> to tensor<128xf32>
  %o = bufferization.to_tensor %out restrict writable : memref<128xf32> to tensor<128xf32>
  %c63 = arith.constant 63 : index
  %c64 = arith.constant 64 : index
  %r = scf.forall (%w) in (2) shared_outs(%s = %o) -> tensor<128xf32> {
    %base = arith.muli %w, %c64 : index
    %so = tensor.extract_slice %s[%base] [64] [1] : tensor<128xf32> to tensor<64xf32>
    %tile = bufferization.alloc_tensor() : tensor<64xf32>
    %z = scf.forall (%t) in (64) shared_outs(%p = %so) -> tensor<64xf32> {
      %g = arith.addi %base, %t : index
      %u = arith.subi %c63, %t : index
      %m = tensor.extract %x[%g] : tensor<128xf32>
      %i = tensor.insert %m into %tile[%t] : tensor<64xf32>
      %a = door.lane_meet %i : tensor<64xf32> -> tensor<64xf32>
      %q = tensor.extract_slice %a[%u] [1] [1] : tensor<64xf32> to tensor<1xf32>
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %q into %p[%t] [1] [1] : tensor<1xf32> into tensor<64xf32>
      }
    } {mapping = [#gpu.lane<linear_dim_0>]}
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %z into %s[%base] [64] [1] : tensor<64xf32> into tensor<128xf32>
    }
  } {mapping = [#gpu.warp<linear_dim_0>]}
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<128xf32>, memref<128xf32>) -> ()
  return
}

// CHECK-LABEL: @matmul_like
func.func @matmul_like(%in: memref<256xf32>, %out: memref<64xf32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %x = bufferization.to_tensor %in restrict : memref<256xf32> to tensor<256xf32>
  %o = bufferization.to_tensor %out restrict writable : memref<64xf32> to tensor<64xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %c256 = arith.constant 256 : index
  %zero = arith.constant 0.0 : f32
  %tile = bufferization.alloc_tensor() : tensor<64xf32>
  %r = scf.forall (%t) in (64) shared_outs(%s = %o) -> tensor<64xf32> {
    %sum = scf.for %k = %c0 to %c256 step %c64 iter_args(%acc = %zero) -> f32 {
      %all = door.together(%tile : tensor<64xf32>) {
      ^bb0(%shared: tensor<64xf32>):
        %from = arith.addi %k, %t : index
        %mine = tensor.extract_slice %x[%from] [1] [1] : tensor<256xf32> to tensor<1xf32>
        %inserted = tensor.insert_slice %mine into %shared[%t] [1] [1] : tensor<1xf32> into tensor<64xf32>
        door.give %inserted : tensor<64xf32>
      } : tensor<64xf32>
      %next = scf.for %j = %c0 to %c64 step %c1 iter_args(%a = %acc) -> f32 {
        %v = tensor.extract %all[%j] : tensor<64xf32>
        %b = arith.addf %a, %v : f32
        scf.yield %b : f32
      }
      scf.yield %next : f32
    }
    %q = tensor.from_elements %sum : tensor<1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %q into %s[%t] [1] [1] : tensor<1xf32> into tensor<64xf32>
    }
  } {mapping = [#gpu.thread<x>]}
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<64xf32>, memref<64xf32>) -> ()
  return
}

// Vectors are inserted and read.
// CHECK-LABEL: @vectors
// CHECK: gpu.barrier
// CHECK-NOT: gpu.barrier
func.func @vectors(%in: memref<256xf32>, %out: memref<256xf32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %x = bufferization.to_tensor %in restrict : memref<256xf32> to tensor<256xf32>
  %o = bufferization.to_tensor %out restrict writable : memref<256xf32> to tensor<256xf32>
  %zero = arith.constant 0.0 : f32
  %tile = bufferization.alloc_tensor() : tensor<256xf32>
  %r = scf.forall (%t) in (64) shared_outs(%s = %o) -> tensor<256xf32> {
    %i = affine.apply affine_map<(d0) -> (d0 * 4)>(%t)
    %j = affine.apply affine_map<(d0) -> (252 - d0 * 4)>(%t)
    %v = vector.transfer_read %x[%i], %zero {in_bounds = [true]} : tensor<256xf32>, vector<4xf32>
    %w = vector.transfer_write %v, %tile[%i] {in_bounds = [true]} : vector<4xf32>, tensor<256xf32>
    %all, %kept = door.meet %w, %zero : tensor<256xf32>, f32 -> tensor<256xf32>, f32
    %u = vector.transfer_read %all[%j], %kept {in_bounds = [true]} : tensor<256xf32>, vector<4xf32>
    %e = tensor.empty() : tensor<4xf32>
    %c0 = arith.constant 0 : index
    %q = vector.transfer_write %u, %e[%c0] {in_bounds = [true]} : vector<4xf32>, tensor<4xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %q into %s[%i] [4] [1] : tensor<4xf32> into tensor<256xf32>
    }
  } {mapping = [#gpu.thread<x>]}
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<256xf32>, memref<256xf32>) -> ()
  return
}

// A collective gives slices of what all have contributed: two of them.
// CHECK-LABEL: @gives_slices
// CHECK: gpu.barrier
// CHECK-NOT: gpu.barrier
func.func @gives_slices(%in: memref<64xf32>, %out: memref<64xf32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %x = bufferization.to_tensor %in restrict : memref<64xf32> to tensor<64xf32>
  %o = bufferization.to_tensor %out restrict writable : memref<64xf32> to tensor<64xf32>
  %c32 = arith.constant 32 : index
  %c63 = arith.constant 63 : index
  %tile = bufferization.alloc_tensor() : tensor<64xf32>
  %r = scf.forall (%t) in (64) shared_outs(%s = %o) -> tensor<64xf32> {
    %m = tensor.extract %x[%t] : tensor<64xf32>
    %all, %part = door.together(%tile : tensor<64xf32>) {
    ^bb0(%p: tensor<64xf32>):
      %i = tensor.insert %m into %p[%t] : tensor<64xf32>
      %upper = tensor.extract_slice %i[16] [48] [1] : tensor<64xf32> to tensor<48xf32>
      %last = tensor.extract_slice %upper[16] [32] [1] : tensor<48xf32> to tensor<32xf32>
      door.give %upper, %last : tensor<48xf32>, tensor<32xf32>
    } : tensor<48xf32>, tensor<32xf32>
    %u = arith.subi %c63, %t : index
    %h = arith.remui %u, %c32 : index
    %v = tensor.extract %part[%h] : tensor<32xf32>
    %q = tensor.from_elements %v : tensor<1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %q into %s[%t] [1] [1] : tensor<1xf32> into tensor<64xf32>
    }
  } {mapping = [#gpu.thread<x>]}
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<64xf32>, memref<64xf32>) -> ()
  return
}

// Ops of linalg insert all that they compute: here those of one thread, which alone has
// an iteration, as IREE copies the rows that are fewer than its threads.
// CHECK-LABEL: @by_linalg
// CHECK-NOT: memspace.copy
func.func @by_linalg(%in: memref<64xf32>, %out: memref<64xf32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %x = bufferization.to_tensor %in restrict : memref<64xf32> to tensor<64xf32>
  %o = bufferization.to_tensor %out restrict writable : memref<64xf32> to tensor<64xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c64 = arith.constant 64 : index
  %c16 = arith.constant 16 : index
  %one = arith.constant 1.0 : f32
  %tile = bufferization.alloc_tensor() : tensor<4xf32>
  %ones = bufferization.alloc_tensor() : tensor<4xf32>
  %r = scf.forall (%t) in (64) shared_outs(%s = %o) -> tensor<64xf32> {
    %zero = arith.constant 0.0 : f32
    %sum:2 = scf.for %k = %c0 to %c16 step %c1 iter_args(%acc = %zero, %last = %tile) -> (f32, tensor<4xf32>) {
      %at = arith.muli %k, %c4 : index
      %row = tensor.extract_slice %x[%at] [4] [1] : tensor<64xf32> to tensor<4xf32>
      %all:2 = door.together(%last, %ones : tensor<4xf32>, tensor<4xf32>) {
      ^bb0(%shared: tensor<4xf32>, %other: tensor<4xf32>):
        %mine:2 = scf.for %i = %t to %c1 step %c64 iter_args(%into = %shared, %fill = %other) -> (tensor<4xf32>, tensor<4xf32>) {
          %copied = linalg.copy ins(%row : tensor<4xf32>) outs(%into : tensor<4xf32>) -> tensor<4xf32>
          %filled = linalg.fill ins(%one : f32) outs(%fill : tensor<4xf32>) -> tensor<4xf32>
          scf.yield %copied, %filled : tensor<4xf32>, tensor<4xf32>
        }
        door.give %mine#0, %mine#1 : tensor<4xf32>, tensor<4xf32>
      } : tensor<4xf32>, tensor<4xf32>
      %one_of = tensor.extract %all#1[%c3] : tensor<4xf32>
      %next = arith.addf %acc, %one_of : f32
      scf.yield %next, %all#0 : f32, tensor<4xf32>
    }
    %m = arith.remui %t, %c4 : index
    %u = arith.subi %c3, %m : index
    %v = tensor.extract %sum#1[%u] : tensor<4xf32>
    %w = arith.addf %v, %sum#0 : f32
    %q = tensor.from_elements %w : tensor<1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %q into %s[%t] [1] [1] : tensor<1xf32> into tensor<64xf32>
    }
  } {mapping = [#gpu.thread<x>]}
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<64xf32>, memref<64xf32>) -> ()
  return
}
