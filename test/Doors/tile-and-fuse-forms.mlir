// RUN: memspace-test-opt %s -memspace-kernel-pipeline=chip=gfx942 -memspace-verify-barriers=chip=gfx942 -o %t.mlir
// RUN: FileCheck %s < %t.mlir
// RUN: memspace-runner %t.mlir --chip=gfx942 --kernel=promoted_result --arg=0:iota --arg=1:fill:0.5 --out=2:%t.npy | FileCheck %s --check-prefix=CLEAN
// RUN: %python %S/../Emulator/Inputs/compare.py %t.npy '(28 + 64 * (i // 32)) * 0.5'
// RUN: memspace-runner %t.mlir --chip=gfx942 --kernel=promoted_result --arg=0:fill:0.5 --arg=1:iota --out=2:%t.npy | FileCheck %s --check-prefix=CLEAN
// RUN: %python %S/../Emulator/Inputs/compare.py %t.npy '(28 + 64 * (i % 32)) * 0.5'
// RUN: memspace-runner %t.mlir --chip=gfx942 --kernel=windows --arg=0:iota --arg=1:fill:1 --out=2:%t.npy | FileCheck %s --check-prefix=CLEAN
// RUN: %python %S/../Emulator/Inputs/compare.py %t.npy 'sum(4 * ((2 * (i // 4 // 8) + p) * 18 + 2 * (i // 4 % 8) + q) + c for p in range(3) for q in range(3) for c in range(4))'
// RUN: memspace-runner %t.mlir --chip=gfx942 --kernel=data_tiled --arg=0:iota --arg=1:fill:2 --arg=2:fill:3 --out=2:%t.npy | FileCheck %s --check-prefix=CLEAN
// RUN: %python %S/../Emulator/Inputs/compare.py %t.npy '3 + 2 * (256 * (i // 512) + 16 * (i // 16 % 16) + 6)'
// RUN: memspace-runner %t.mlir --chip=gfx942 --kernel=packed --arg=0:iota --out=1:%t.npy | FileCheck %s --check-prefix=CLEAN
// RUN: %python %S/../Emulator/Inputs/compare.py %t.npy 'np.where((i // 256 * 16 + i % 16 < 25) & (i // 128 % 2 * 8 + i // 16 % 8 < 10), (i // 256 * 16 + i % 16) * 10 + i // 128 % 2 * 8 + i // 16 % 8, 42)'
// RUN: memspace-runner %t.mlir --chip=gfx942 --kernel=reduced_rows --arg=0:iota --out=1:%t.npy | FileCheck %s --check-prefix=CLEAN
// RUN: %python %S/../Emulator/Inputs/compare.py %t.npy 'i + 28 + 64 * (i // 8)'
// RUN: memspace-runner %t.mlir --chip=gfx942 --kernel=scattered --arg=0:iota --out=1:%t.npy | FileCheck %s --check-prefix=CLEAN
// RUN: %python %S/../Emulator/Inputs/compare.py %t.npy '(i // 64 // 4 * 8 + i % 64 // 8) * 32 + i // 64 % 4 * 8 + i % 8'
// RUN: memspace-runner %t.mlir --chip=gfx942 --kernel=two_results --arg=0:iota --arg=1:fill:100 --out=2:%t.npy --out=3:%t.2.npy | FileCheck %s --check-prefix=CLEAN
// RUN: %python %S/../Emulator/Inputs/compare.py %t.npy '16 * (i // 16) + 106'
// RUN: %python %S/../Emulator/Inputs/compare.py %t.2.npy 'np.minimum(16 * (i % 32) + 6, 100)'
// RUN: memspace-runner %t.mlir --chip=gfx942 --kernel=direct --arg=0:iota --arg=1:fill:1 --out=2:%t.npy | FileCheck %s --check-prefix=CLEAN
// RUN: %python %S/../Emulator/Inputs/compare.py %t.npy '1098 + 18 * (10 * (i // 8 % 8) + i % 8)'
// RUN: memspace-runner %t.mlir --chip=gfx942 --kernel=edges --arg=0:iota --out=1:%t.npy | FileCheck %s --check-prefix=CLEAN
// RUN: %python %S/../Emulator/Inputs/compare.py %t.npy '36 * (i // 4) + 15'
// CLEAN: races: 0, divergent barriers: 0, out of bounds: 0, uninitialized reads: 0

// More forms of IREE's tile-and-fuse pipeline before bufferization, with the ops of a
// test dialect in the place of IREE's.

// The result is put together in a tile of the workgroup, which all then copy out by
// whole rows: a barrier more than without.
// CHECK-LABEL: @promoted_result
// CHECK-SAME: memspace.workgroup_bytes = 2048
// CHECK-COUNT-3: gpu.barrier
// CHECK-NOT: gpu.barrier
// CHECK: return
func.func @promoted_result(%a: memref<32x8xf32>, %b: memref<32x8xf32>, %c: memref<32x32xf32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %zero = arith.constant 0.0 : f32
  %none = arith.constant dense<0.0> : vector<4x2xf32>
  %x = bufferization.to_tensor %a restrict : memref<32x8xf32> to tensor<32x8xf32>
  %y = bufferization.to_tensor %b restrict : memref<32x8xf32> to tensor<32x8xf32>
  %e = tensor.empty() : tensor<32x32xf32>
  %r = scf.forall (%i) = (0) to (32) step (16) shared_outs(%o = %e) -> tensor<32x32xf32> {
    %left = bufferization.alloc_tensor() : tensor<16x4xf32>
    %right = bufferization.alloc_tensor() : tensor<32x4xf32>
    %promoted = bufferization.alloc_tensor() : tensor<16x32xf32>
    %product = scf.forall (%u, %v) in (4, 16) shared_outs(%p = %promoted) -> tensor<16x32xf32> {
      %row = arith.muli %u, %c4 : index
      %column = arith.muli %v, %c2 : index
      %id = affine.linearize_index disjoint [%u, %v] by (4, 16) : index
      %sums = scf.for %k = %c0 to %c8 step %c4 iter_args(%sum = %none) -> vector<4x2xf32> {
        %all:2 = door.together(%left, %right : tensor<16x4xf32>, tensor<32x4xf32>) {
        ^bb0(%l: tensor<16x4xf32>, %m: tensor<32x4xf32>):
          %at:2 = affine.delinearize_index %id into (16, 4) : index, index
          %xrow = arith.addi %i, %at#0 : index
          %xk = arith.addi %k, %at#1 : index
          %xv = vector.transfer_read %x[%xrow, %xk], %zero {in_bounds = [true]} : tensor<32x8xf32>, vector<1xf32>
          %lw = vector.transfer_write %xv, %l[%at#0, %at#1] {in_bounds = [true]} : vector<1xf32>, tensor<16x4xf32>
          %to:2 = affine.delinearize_index %id into (32, 2) : index, index
          %from = arith.muli %to#1, %c2 : index
          %yk = arith.addi %k, %from : index
          %yv = vector.transfer_read %y[%to#0, %yk], %zero {in_bounds = [true]} : tensor<32x8xf32>, vector<2xf32>
          %mw = vector.transfer_write %yv, %m[%to#0, %from] {in_bounds = [true]} : vector<2xf32>, tensor<32x4xf32>
          door.give %lw, %mw : tensor<16x4xf32>, tensor<32x4xf32>
        } : tensor<16x4xf32>, tensor<32x4xf32>
        %xs = vector.transfer_read %all#0[%row, %c0], %zero {in_bounds = [true, true]} : tensor<16x4xf32>, vector<4x4xf32>
        %ys = vector.transfer_read %all#1[%column, %c0], %zero {in_bounds = [true, true]} : tensor<32x4xf32>, vector<2x4xf32>
        %next = vector.contract {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %xs, %ys, %sum : vector<4x4xf32>, vector<2x4xf32> into vector<4x2xf32>
        scf.yield %next : vector<4x2xf32>
      }
      %own = tensor.extract_slice %p[%row, %column] [4, 2] [1, 1] : tensor<16x32xf32> to tensor<4x2xf32>
      %w = vector.transfer_write %sums, %own[%c0, %c0] {in_bounds = [true, true]} : vector<4x2xf32>, tensor<4x2xf32>
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %w into %p[%row, %column] [4, 2] [1, 1] : tensor<4x2xf32> into tensor<16x32xf32>
      }
    } {mapping = [#gpu.thread<linear_dim_1>, #gpu.thread<linear_dim_0>]}
    %f = tensor.empty() : tensor<16x32xf32>
    %copied = scf.forall (%u, %v) in (16, 8) shared_outs(%q = %f) -> tensor<16x32xf32> {
      %column = arith.muli %v, %c4 : index
      %from = tensor.extract_slice %product[%u, %column] [1, 4] [1, 1] : tensor<16x32xf32> to tensor<1x4xf32>
      %to = tensor.extract_slice %q[%u, %column] [1, 4] [1, 1] : tensor<16x32xf32> to tensor<1x4xf32>
      %copy = linalg.copy ins(%from : tensor<1x4xf32>) outs(%to : tensor<1x4xf32>) -> tensor<1x4xf32>
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %copy into %q[%u, %column] [1, 4] [1, 1] : tensor<1x4xf32> into tensor<16x32xf32>
      }
    } {mapping = [#gpu.thread<linear_dim_1>, #gpu.thread<linear_dim_0>]}
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %copied into %o[%i, 0] [16, 32] [1, 1] : tensor<16x32xf32> into tensor<32x32xf32>
    }
  } {mapping = [#door.group<0>]}
  bufferization.materialize_in_destination %r in restrict writable %c : (tensor<32x32xf32>, memref<32x32xf32>) -> ()
  return
}

// A convolution as a matmul of windows, every second one; a few threads copy the
// filter.
// CHECK-LABEL: @windows
// CHECK-SAME: memspace.workgroup_bytes = 576
// CHECK: scf.for {{.*}} -> (vector<4x1xf32>)
// CHECK-COUNT-2: gpu.barrier
// CHECK-NOT: gpu.barrier
// CHECK: return
func.func @windows(%a: memref<18x18x4xf32>, %b: memref<36x4xf32>, %c: memref<64x4xf32>) attributes {gpu.known_block_size = array<i32: 32, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %c36 = arith.constant 36 : index
  %zero = arith.constant 0.0 : f32
  %none = arith.constant dense<0.0> : vector<4x1xf32>
  %x = bufferization.to_tensor %a restrict : memref<18x18x4xf32> to tensor<18x18x4xf32>
  %y = bufferization.to_tensor %b restrict : memref<36x4xf32> to tensor<36x4xf32>
  %e = tensor.empty() : tensor<64x4xf32>
  %r = scf.forall (%i) = (0) to (64) step (32) shared_outs(%o = %e) -> tensor<64x4xf32> {
    %part = tensor.extract_slice %o[%i, 0] [32, 4] [1, 1] : tensor<64x4xf32> to tensor<32x4xf32>
    %left = bufferization.alloc_tensor() : tensor<32x4xf32>
    %right = bufferization.alloc_tensor() : tensor<4x4xf32>
    %done = scf.forall (%u, %v) in (8, 4) shared_outs(%p = %part) -> tensor<32x4xf32> {
      %row = arith.muli %u, %c4 : index
      %id = affine.linearize_index disjoint [%u, %v] by (8, 4) : index
      %sums = scf.for %k = %c0 to %c36 step %c4 iter_args(%sum = %none) -> vector<4x1xf32> {
        %all:2 = door.together(%left, %right : tensor<32x4xf32>, tensor<4x4xf32>) {
        ^bb0(%l: tensor<32x4xf32>, %m: tensor<4x4xf32>):
          %place = arith.addi %i, %id : index
          %out:2 = affine.delinearize_index %place into (8, 8) : index, index
          %in:3 = affine.delinearize_index %k into (3, 3, 4) : index, index, index
          %h = affine.apply affine_map<(d0, d1) -> (d0 * 2 + d1)>(%out#0, %in#0)
          %w = affine.apply affine_map<(d0, d1) -> (d0 * 2 + d1)>(%out#1, %in#1)
          %xv = vector.transfer_read %x[%h, %w, %in#2], %zero {in_bounds = [true]} : tensor<18x18x4xf32>, vector<4xf32>
          %lw = vector.transfer_write %xv, %l[%id, %c0] {in_bounds = [true]} : vector<4xf32>, tensor<32x4xf32>
          %isOne = arith.cmpi slt, %id, %c4 : index
          %mw = scf.if %isOne -> tensor<4x4xf32> {
            %krow = arith.addi %k, %id : index
            %yv = vector.transfer_read %y[%krow, %c0], %zero {in_bounds = [true]} : tensor<36x4xf32>, vector<4xf32>
            %written = vector.transfer_write %yv, %m[%id, %c0] {in_bounds = [true]} : vector<4xf32>, tensor<4x4xf32>
            scf.yield %written : tensor<4x4xf32>
          } else {
            scf.yield %m : tensor<4x4xf32>
          }
          door.give %lw, %mw : tensor<32x4xf32>, tensor<4x4xf32>
        } : tensor<32x4xf32>, tensor<4x4xf32>
        %xs = vector.transfer_read %all#0[%row, %c0], %zero {in_bounds = [true, true]} : tensor<32x4xf32>, vector<4x4xf32>
        %ys = vector.transfer_read %all#1[%c0, %v], %zero {in_bounds = [true, true]} : tensor<4x4xf32>, vector<4x1xf32>
        %next = vector.contract {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %xs, %ys, %sum : vector<4x4xf32>, vector<4x1xf32> into vector<4x1xf32>
        scf.yield %next : vector<4x1xf32>
      }
      %own = tensor.extract_slice %p[%row, %v] [4, 1] [1, 1] : tensor<32x4xf32> to tensor<4x1xf32>
      %w = vector.transfer_write %sums, %own[%c0, %c0] {in_bounds = [true, true]} : vector<4x1xf32>, tensor<4x1xf32>
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %w into %p[%row, %v] [4, 1] [1, 1] : tensor<4x1xf32> into tensor<32x4xf32>
      }
    } {mapping = [#gpu.thread<linear_dim_1>, #gpu.thread<linear_dim_0>]}
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %done into %o[%i, 0] [32, 4] [1, 1] : tensor<32x4xf32> into tensor<64x4xf32>
    }
  } {mapping = [#door.group<0>]}
  bufferization.materialize_in_destination %r in restrict writable %c : (tensor<64x4xf32>, memref<64x4xf32>) -> ()
  return
}

// Operands that are tiled in memory already, and what is there is added to: once
// through, so that one barrier is enough.
// CHECK-LABEL: @data_tiled
// CHECK-SAME: memspace.private_bytes = 0
// CHECK-SAME: memspace.workgroup_bytes = 512
// CHECK-COUNT-1: gpu.barrier
// CHECK-NOT: gpu.barrier
// CHECK: return
func.func @data_tiled(%a: memref<2x16x4xf32>, %b: memref<2x16x4xf32>, %c: memref<2x2x16x16xf32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %zero = arith.constant 0.0 : f32
  %none = arith.constant dense<0.0> : vector<4x1xf32>
  %x = bufferization.to_tensor %a restrict : memref<2x16x4xf32> to tensor<2x16x4xf32>
  %y = bufferization.to_tensor %b restrict : memref<2x16x4xf32> to tensor<2x16x4xf32>
  %z = bufferization.to_tensor %c restrict writable : memref<2x2x16x16xf32> to tensor<2x2x16x16xf32>
  %e = tensor.empty() : tensor<2x2x16x16xf32>
  %r = scf.forall (%i, %j) in (2, 2) shared_outs(%o = %e) -> tensor<2x2x16x16xf32> {
    %part = tensor.extract_slice %o[%i, %j, 0, 0] [1, 1, 16, 16] [1, 1, 1, 1] : tensor<2x2x16x16xf32> to tensor<1x1x16x16xf32>
    %left = bufferization.alloc_tensor() : tensor<16x4xf32>
    %right = bufferization.alloc_tensor() : tensor<16x4xf32>
    %done = scf.forall (%t) in (64) shared_outs(%p = %part) -> tensor<1x1x16x16xf32> {
      %all:2 = door.together(%left, %right : tensor<16x4xf32>, tensor<16x4xf32>) {
      ^bb0(%l: tensor<16x4xf32>, %m: tensor<16x4xf32>):
        %at:2 = affine.delinearize_index %t into (16, 4) : index, index
        %xv = vector.transfer_read %x[%i, %at#0, %at#1], %zero {in_bounds = [true]} : tensor<2x16x4xf32>, vector<1xf32>
        %lw = vector.transfer_write %xv, %l[%at#0, %at#1] {in_bounds = [true]} : vector<1xf32>, tensor<16x4xf32>
        %yv = vector.transfer_read %y[%j, %at#0, %at#1], %zero {in_bounds = [true]} : tensor<2x16x4xf32>, vector<1xf32>
        %mw = vector.transfer_write %yv, %m[%at#0, %at#1] {in_bounds = [true]} : vector<1xf32>, tensor<16x4xf32>
        door.give %lw, %mw : tensor<16x4xf32>, tensor<16x4xf32>
      } : tensor<16x4xf32>, tensor<16x4xf32>
      %lane:2 = affine.delinearize_index %t into (4, 16) : index, index
      %row = arith.muli %lane#0, %c4 : index
      %xs = vector.transfer_read %all#0[%row, %c0], %zero {in_bounds = [true, true]} : tensor<16x4xf32>, vector<4x4xf32>
      %ys = vector.transfer_read %all#1[%lane#1, %c0], %zero {in_bounds = [true, true]} : tensor<16x4xf32>, vector<1x4xf32>
      %product = vector.contract {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %xs, %ys, %none : vector<4x4xf32>, vector<1x4xf32> into vector<4x1xf32>
      %before = vector.transfer_read %z[%i, %j, %row, %lane#1], %zero {in_bounds = [true, true]} : tensor<2x2x16x16xf32>, vector<4x1xf32>
      %sum = arith.addf %product, %before : vector<4x1xf32>
      %own = tensor.extract_slice %p[0, 0, %row, %lane#1] [1, 1, 4, 1] [1, 1, 1, 1] : tensor<1x1x16x16xf32> to tensor<1x1x4x1xf32>
      %w = vector.transfer_write %sum, %own[%c0, %c0, %c0, %c0] {in_bounds = [true, true]} : vector<4x1xf32>, tensor<1x1x4x1xf32>
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %w into %p[0, 0, %row, %lane#1] [1, 1, 4, 1] [1, 1, 1, 1] : tensor<1x1x4x1xf32> into tensor<1x1x16x16xf32>
      }
    } {mapping = [#gpu.thread<linear_dim_0>]}
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %done into %o[%i, %j, 0, 0] [1, 1, 16, 16] [1, 1, 1, 1] : tensor<1x1x16x16xf32> into tensor<2x2x16x16xf32>
    }
  } {mapping = [#door.group<1>, #door.group<0>]}
  bufferization.materialize_in_destination %r in restrict writable %c : (tensor<2x2x16x16xf32>, memref<2x2x16x16xf32>) -> ()
  return
}

// A pack: tiles at the edge are filled up, by masks.
// CHECK-LABEL: @packed
// CHECK-SAME: memspace.private_bytes = 0
// CHECK-SAME: memspace.workgroup_bytes = 0
// CHECK-NOT: gpu.barrier
// CHECK: return
func.func @packed(%a: memref<25x10xf32>, %c: memref<2x2x8x16xf32>) attributes {gpu.known_block_size = array<i32: 32, 1, 1>} {
  %c0 = arith.constant 0 : index
  %fill = arith.constant 42.0 : f32
  %x = bufferization.to_tensor %a restrict : memref<25x10xf32> to tensor<25x10xf32>
  %e = tensor.empty() : tensor<2x2x8x16xf32>
  %r = scf.forall (%i, %j) in (2, 2) shared_outs(%o = %e) -> tensor<2x2x8x16xf32> {
    %part = tensor.extract_slice %o[%i, %j, 0, 0] [1, 1, 8, 16] [1, 1, 1, 1] : tensor<2x2x8x16xf32> to tensor<1x1x8x16xf32>
    %done = scf.forall (%u, %v) in (8, 4) shared_outs(%p = %part) -> tensor<1x1x8x16xf32> {
      %first = affine.min affine_map<(d0, d1) -> (d0 * 16 + d1 * 4, 25)>(%i, %v)
      %rows = affine.min affine_map<(d0) -> (25 - d0, 4)>(%first)
      %column = affine.min affine_map<(d0, d1) -> (d0 * 8 + d1, 10)>(%j, %u)
      %columns = affine.min affine_map<(d0) -> (10 - d0, 1)>(%column)
      %tile = tensor.extract_slice %x[%first, %column] [%rows, %columns] [1, 1] : tensor<25x10xf32> to tensor<?x?xf32>
      %mask = vector.create_mask %rows, %columns : vector<4x1xi1>
      %read = vector.transfer_read %tile[%c0, %c0], %fill, %mask {in_bounds = [true, true]} : tensor<?x?xf32>, vector<4x1xf32>
      %row = vector.transpose %read, [1, 0] : vector<4x1xf32> to vector<1x4xf32>
      %at = affine.apply affine_map<(d0) -> (d0 * 4)>(%v)
      %own = tensor.extract_slice %p[0, 0, %u, %at] [1, 1, 1, 4] [1, 1, 1, 1] : tensor<1x1x8x16xf32> to tensor<1x1x1x4xf32>
      %w = vector.transfer_write %row, %own[%c0, %c0, %c0, %c0] {in_bounds = [true, true]} : vector<1x4xf32>, tensor<1x1x1x4xf32>
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %w into %p[0, 0, %u, %at] [1, 1, 1, 4] [1, 1, 1, 1] : tensor<1x1x1x4xf32> into tensor<1x1x8x16xf32>
      }
    } {mapping = [#gpu.thread<linear_dim_1>, #gpu.thread<linear_dim_0>]}
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %done into %o[%i, %j, 0, 0] [1, 1, 8, 16] [1, 1, 1, 1] : tensor<1x1x8x16xf32> into tensor<2x2x8x16xf32>
    }
  } {mapping = [#door.group<1>, #door.group<0>]}
  bufferization.materialize_in_destination %r in restrict writable %c : (tensor<2x2x8x16xf32>, memref<2x2x8x16xf32>) -> ()
  return
}

// What a thread reduces it uses itself; it writes its rows in a loop, in place.
// CHECK-LABEL: @reduced_rows
// CHECK-SAME: memspace.private_bytes = 0
// CHECK-SAME: memspace.workgroup_bytes = 0
// CHECK-NOT: gpu.barrier
// CHECK: return
func.func @reduced_rows(%a: memref<16x8xf32>, %c: memref<16x8xf32>) attributes {gpu.known_block_size = array<i32: 16, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c8 = arith.constant 8 : index
  %zero = arith.constant 0.0 : f32
  %none = arith.constant dense<0.0> : vector<1xf32>
  %x = bufferization.to_tensor %a restrict : memref<16x8xf32> to tensor<16x8xf32>
  %e = tensor.empty() : tensor<16x8xf32>
  %r = scf.forall (%one) in (1) shared_outs(%o = %e) -> tensor<16x8xf32> {
    %done = scf.forall (%t) in (16) shared_outs(%p = %o) -> tensor<16x8xf32> {
      %own = tensor.extract_slice %p[%t, 0] [1, 8] [1, 1] : tensor<16x8xf32> to tensor<1x8xf32>
      %total = scf.for %k = %c0 to %c8 step %c2 iter_args(%sum = %none) -> vector<1xf32> {
        %v = vector.transfer_read %x[%t, %k], %zero {in_bounds = [true, true]} : tensor<16x8xf32>, vector<1x2xf32>
        %next = vector.multi_reduction <add>, %v, %sum [1] : vector<1x2xf32> to vector<1xf32>
        scf.yield %next : vector<1xf32>
      }
      %both = vector.broadcast %total : vector<1xf32> to vector<1x1xf32>
      %more = vector.broadcast %both : vector<1x1xf32> to vector<1x2xf32>
      %written = scf.for %k = %c0 to %c8 step %c2 iter_args(%q = %own) -> tensor<1x8xf32> {
        %v = vector.transfer_read %x[%t, %k], %zero {in_bounds = [true, true]} : tensor<16x8xf32>, vector<1x2xf32>
        %s = arith.addf %v, %more : vector<1x2xf32>
        %w = vector.transfer_write %s, %q[%c0, %k] {in_bounds = [true, true]} : vector<1x2xf32>, tensor<1x8xf32>
        scf.yield %w : tensor<1x8xf32>
      }
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %written into %p[%t, 0] [1, 8] [1, 1] : tensor<1x8xf32> into tensor<16x8xf32>
      }
    } {mapping = [#gpu.thread<linear_dim_0>]}
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %done into %o[0, 0] [16, 8] [1, 1] : tensor<16x8xf32> into tensor<16x8xf32>
    }
  } {mapping = [#door.group<0>]}
  bufferization.materialize_in_destination %r in restrict writable %c : (tensor<16x8xf32>, memref<16x8xf32>) -> ()
  return
}

// Each thread puts elements anywhere into all of the output, and gives back all of it.
// CHECK-LABEL: @scattered
// CHECK-SAME: memspace.private_bytes = 0
// CHECK-SAME: memspace.workgroup_bytes = 0
// CHECK-NOT: gpu.barrier
// CHECK: return
func.func @scattered(%a: memref<16x32xf32>, %c: memref<2x4x8x8xf32>) attributes {gpu.known_block_size = array<i32: 32, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %x = bufferization.to_tensor %a restrict : memref<16x32xf32> to tensor<16x32xf32>
  %e = tensor.empty() : tensor<2x4x8x8xf32>
  %r = scf.forall (%b) in (2) shared_outs(%o = %e) -> tensor<2x4x8x8xf32> {
    %done = scf.forall (%t, %v) in (8, 4) shared_outs(%p = %o) -> tensor<2x4x8x8xf32> {
      %u = affine.apply affine_map<(d0, d1) -> (d0 * 8 + d1)>(%b, %t)
      %at = arith.muli %v, %c8 : index
      %row = tensor.extract_slice %x[%u, %at] [1, 8] [1, 1] : tensor<16x32xf32> to tensor<1x8xf32>
      %put = scf.for %k = %c0 to %c8 step %c1 iter_args(%q = %p) -> tensor<2x4x8x8xf32> {
        %column = arith.addi %at, %k : index
        %i:2 = affine.delinearize_index %u into (2, 8) : index, index
        %j:2 = affine.delinearize_index %column into (4, 8) : index, index
        %element = tensor.extract_slice %row[0, %k] [1, 1] [1, 1] : tensor<1x8xf32> to tensor<1xf32>
        %n = tensor.insert_slice %element into %q[%i#0, %j#0, %i#1, %j#1] [1, 1, 1, 1] [1, 1, 1, 1] : tensor<1xf32> into tensor<2x4x8x8xf32>
        scf.yield %n : tensor<2x4x8x8xf32>
      }
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %put into %p[0, 0, 0, 0] [2, 4, 8, 8] [1, 1, 1, 1] : tensor<2x4x8x8xf32> into tensor<2x4x8x8xf32>
      }
    } {mapping = [#gpu.thread<linear_dim_1>, #gpu.thread<linear_dim_0>]}
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %done into %o[0, 0, 0, 0] [2, 4, 8, 8] [1, 1, 1, 1] : tensor<2x4x8x8xf32> into tensor<2x4x8x8xf32>
    }
  } {mapping = [#door.group<0>]}
  bufferization.materialize_in_destination %r in restrict writable %c : (tensor<2x4x8x8xf32>, memref<2x4x8x8xf32>) -> ()
  return
}

// Two results in two layouts; the tile is filled once.
// CHECK-LABEL: @two_results
// CHECK-SAME: memspace.private_bytes = 0
// CHECK-SAME: memspace.workgroup_bytes = 256
// CHECK-COUNT-1: gpu.barrier
// CHECK-NOT: gpu.barrier
// CHECK: return
func.func @two_results(%a: memref<32x4xf32>, %b: memref<16xf32>, %c: memref<32x16xf32>, %d: memref<16x32xf32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %zero = arith.constant 0.0 : f32
  %none = arith.constant dense<0.0> : vector<4xf32>
  %x = bufferization.to_tensor %a restrict : memref<32x4xf32> to tensor<32x4xf32>
  %y = bufferization.to_tensor %b restrict : memref<16xf32> to tensor<16xf32>
  %e = tensor.empty() : tensor<32x16xf32>
  %f = tensor.empty() : tensor<16x32xf32>
  %r:2 = scf.forall (%i) = (0) to (32) step (16) shared_outs(%o = %e, %q = %f) -> (tensor<32x16xf32>, tensor<16x32xf32>) {
    %rows = tensor.extract_slice %o[%i, 0] [16, 16] [1, 1] : tensor<32x16xf32> to tensor<16x16xf32>
    %columns = tensor.extract_slice %q[0, %i] [16, 16] [1, 1] : tensor<16x32xf32> to tensor<16x16xf32>
    %tile = bufferization.alloc_tensor() : tensor<16x4xf32>
    %done:2 = scf.forall (%u, %v) in (4, 16) shared_outs(%s = %rows, %t = %columns) -> (tensor<16x16xf32>, tensor<16x16xf32>) {
      %all = door.together(%tile : tensor<16x4xf32>) {
      ^bb0(%l: tensor<16x4xf32>):
        %id = affine.linearize_index disjoint [%u, %v] by (4, 16) : index
        %at:2 = affine.delinearize_index %id into (16, 4) : index, index
        %row = arith.addi %i, %at#0 : index
        %n = vector.transfer_read %x[%row, %at#1], %zero {in_bounds = [true]} : tensor<32x4xf32>, vector<1xf32>
        %w = vector.transfer_write %n, %l[%at#0, %at#1] {in_bounds = [true]} : vector<1xf32>, tensor<16x4xf32>
        door.give %w : tensor<16x4xf32>
      } : tensor<16x4xf32>
      %row = arith.muli %u, %c4 : index
      %first = tensor.extract_slice %s[%row, %v] [4, 1] [1, 1] : tensor<16x16xf32> to tensor<4x1xf32>
      %second = tensor.extract_slice %t[%v, %row] [1, 4] [1, 1] : tensor<16x16xf32> to tensor<1x4xf32>
      %xs = vector.transfer_read %all[%row, %c0], %zero {in_bounds = [true, true]} : tensor<16x4xf32>, vector<4x4xf32>
      %sums = vector.multi_reduction <add>, %xs, %none [1] : vector<4x4xf32> to vector<4xf32>
      %one = vector.transfer_read %y[%v], %zero {in_bounds = [true]} : tensor<16xf32>, vector<1xf32>
      %bias = vector.broadcast %one : vector<1xf32> to vector<4xf32>
      %plus = arith.addf %sums, %bias : vector<4xf32>
      %least = arith.minimumf %sums, %bias : vector<4xf32>
      %tall = vector.shape_cast %plus : vector<4xf32> to vector<4x1xf32>
      %wide = vector.shape_cast %least : vector<4xf32> to vector<1x4xf32>
      %m = vector.transfer_write %tall, %first[%c0, %c0] {in_bounds = [true, true]} : vector<4x1xf32>, tensor<4x1xf32>
      %n = vector.transfer_write %wide, %second[%c0, %c0] {in_bounds = [true, true]} : vector<1x4xf32>, tensor<1x4xf32>
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %m into %s[%row, %v] [4, 1] [1, 1] : tensor<4x1xf32> into tensor<16x16xf32>
        tensor.parallel_insert_slice %n into %t[%v, %row] [1, 4] [1, 1] : tensor<1x4xf32> into tensor<16x16xf32>
      }
    } {mapping = [#gpu.thread<linear_dim_1>, #gpu.thread<linear_dim_0>]}
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %done#0 into %o[%i, 0] [16, 16] [1, 1] : tensor<16x16xf32> into tensor<32x16xf32>
      tensor.parallel_insert_slice %done#1 into %q[0, %i] [16, 16] [1, 1] : tensor<16x16xf32> into tensor<16x32xf32>
    }
  } {mapping = [#door.group<0>]}
  bufferization.materialize_in_destination %r#0 in restrict writable %c : (tensor<32x16xf32>, memref<32x16xf32>) -> ()
  bufferization.materialize_in_destination %r#1 in restrict writable %d : (tensor<16x32xf32>, memref<16x32xf32>) -> ()
  return
}

// A convolution that a thread does by itself, channel by channel; nothing is shared.
// CHECK-LABEL: @direct
// CHECK-SAME: memspace.workgroup_bytes = 0
// CHECK-NOT: gpu.barrier
// CHECK: return
func.func @direct(%a: memref<1x2x10x10xf32>, %b: memref<3x2x3x3xf32>, %c: memref<1x3x8x8xf32>) attributes {gpu.known_block_size = array<i32: 8, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %zero = arith.constant 0.0 : f32
  %none = arith.constant dense<0.0> : vector<1x1x1x1xf32>
  %x = bufferization.to_tensor %a restrict : memref<1x2x10x10xf32> to tensor<1x2x10x10xf32>
  %y = bufferization.to_tensor %b restrict : memref<3x2x3x3xf32> to tensor<3x2x3x3xf32>
  %e = tensor.empty() : tensor<1x3x8x8xf32>
  %r = scf.forall (%f, %h) in (3, 8) shared_outs(%o = %e) -> tensor<1x3x8x8xf32> {
    %part = tensor.extract_slice %o[0, %f, %h, 0] [1, 1, 1, 8] [1, 1, 1, 1] : tensor<1x3x8x8xf32> to tensor<1x1x1x8xf32>
    %done = scf.forall (%w) in (8) shared_outs(%p = %part) -> tensor<1x1x1x8xf32> {
      %empty = tensor.empty() : tensor<1x1x1x1xf32>
      %own = tensor.extract_slice %p[0, 0, 0, %w] [1, 1, 1, 1] [1, 1, 1, 1] : tensor<1x1x1x8xf32> to tensor<1x1x1x1xf32>
      %start = vector.transfer_write %none, %empty[%c0, %c0, %c0, %c0] {in_bounds = [true, true, true, true]} : vector<1x1x1x1xf32>, tensor<1x1x1x1xf32>
      %sum = scf.for %k = %c0 to %c2 step %c1 iter_args(%s = %start) -> tensor<1x1x1x1xf32> {
        %filter = tensor.extract_slice %y[%f, %k, 0, 0] [1, 1, 3, 3] [1, 1, 1, 1] : tensor<3x2x3x3xf32> to tensor<1x1x3x3xf32>
        %window = tensor.extract_slice %x[0, %k, %h, %w] [1, 1, 3, 3] [1, 1, 1, 1] : tensor<1x2x10x10xf32> to tensor<1x1x3x3xf32>
        %next = linalg.conv_2d_nchw_fchw {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>} ins(%window, %filter : tensor<1x1x3x3xf32>, tensor<1x1x3x3xf32>) outs(%s : tensor<1x1x1x1xf32>) -> tensor<1x1x1x1xf32>
        scf.yield %next : tensor<1x1x1x1xf32>
      }
      %v = vector.transfer_read %sum[%c0, %c0, %c0, %c0], %zero {in_bounds = [true, true, true, true]} : tensor<1x1x1x1xf32>, vector<1x1x1x1xf32>
      %isPositive = arith.cmpf ugt, %v, %none : vector<1x1x1x1xf32>
      %relu = arith.select %isPositive, %v, %none : vector<1x1x1x1xi1>, vector<1x1x1x1xf32>
      %n = vector.transfer_write %relu, %own[%c0, %c0, %c0, %c0] {in_bounds = [true, true, true, true]} : vector<1x1x1x1xf32>, tensor<1x1x1x1xf32>
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %n into %p[0, 0, 0, %w] [1, 1, 1, 1] [1, 1, 1, 1] : tensor<1x1x1x1xf32> into tensor<1x1x1x8xf32>
      }
    } {mapping = [#gpu.thread<linear_dim_0>]}
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %done into %o[0, %f, %h, 0] [1, 1, 1, 8] [1, 1, 1, 1] : tensor<1x1x1x8xf32> into tensor<1x3x8x8xf32>
    }
  } {mapping = [#door.group<1>, #door.group<0>]}
  bufferization.materialize_in_destination %r in restrict writable %c : (tensor<1x3x8x8xf32>, memref<1x3x8x8xf32>) -> ()
  return
}

// Edges in both extents: elements beyond are masked, and as many threads copy the
// result out as there are rows. The tile makes room for the result.
// CHECK-LABEL: @edges
// CHECK-SAME: memspace.workgroup_bytes = 256
// CHECK-COUNT-3: gpu.barrier
// CHECK-NOT: gpu.barrier
// CHECK: return
func.func @edges(%a: memref<25x6xf32>, %c: memref<25x4xf32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %c6 = arith.constant 6 : index
  %zero = arith.constant 0.0 : f32
  %none = arith.constant dense<0.0> : vector<1xf32>
  %x = bufferization.to_tensor %a restrict : memref<25x6xf32> to tensor<25x6xf32>
  %e = tensor.empty() : tensor<25x4xf32>
  %r = scf.forall (%b) in (2) shared_outs(%o = %e) -> tensor<25x4xf32> {
    %i = affine.apply affine_map<(d0) -> (d0 * 16)>(%b)
    %rows = affine.min affine_map<(d0) -> (d0 * -16 + 25, 16)>(%b)
    %tile = bufferization.alloc_tensor() : tensor<16x4xf32>
    %promoted = bufferization.alloc_tensor() : tensor<16x4xf32>
    %sums = scf.forall (%u, %v) in (16, 4) shared_outs(%p = %promoted) -> tensor<16x4xf32> {
      %own = tensor.extract_slice %p[%u, %v] [1, 1] [1, 1] : tensor<16x4xf32> to tensor<1x1xf32>
      %sum = scf.for %k = %c0 to %c6 step %c4 iter_args(%s = %none) -> vector<1xf32> {
        %all = door.together(%tile : tensor<16x4xf32>) {
        ^bb0(%l: tensor<16x4xf32>):
          %row = affine.min affine_map<(d0, d1) -> (d0 + d1, 25)>(%i, %u)
          %height = affine.min affine_map<(d0) -> (25 - d0, 1)>(%row)
          %column = affine.min affine_map<(d0, d1) -> (d0 + d1, 6)>(%k, %v)
          %width = affine.min affine_map<(d0) -> (6 - d0, 1)>(%column)
          %part = tensor.extract_slice %x[%row, %column] [%height, %width] [1, 1] : tensor<25x6xf32> to tensor<?x?xf32>
          %mask = vector.create_mask %height, %width : vector<1x1xi1>
          %n = vector.transfer_read %part[%c0, %c0], %zero, %mask {in_bounds = [true, true]} : tensor<?x?xf32>, vector<1x1xf32>
          %w = vector.transfer_write %n, %l[%u, %v] {in_bounds = [true, true]} : vector<1x1xf32>, tensor<16x4xf32>
          door.give %w : tensor<16x4xf32>
        } : tensor<16x4xf32>
        %four = vector.transfer_read %all[%u, %c0], %zero {in_bounds = [true, true]} : tensor<16x4xf32>, vector<1x4xf32>
        %next = vector.multi_reduction <add>, %four, %s [1] : vector<1x4xf32> to vector<1xf32>
        scf.yield %next : vector<1xf32>
      }
      %one = vector.shape_cast %sum : vector<1xf32> to vector<1x1xf32>
      %w = vector.transfer_write %one, %own[%c0, %c0] {in_bounds = [true, true]} : vector<1x1xf32>, tensor<1x1xf32>
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %w into %p[%u, %v] [1, 1] [1, 1] : tensor<1x1xf32> into tensor<16x4xf32>
      }
    } {mapping = [#gpu.thread<linear_dim_1>, #gpu.thread<linear_dim_0>]}
    %f = tensor.empty(%rows) : tensor<?x4xf32>
    %copied = scf.forall (%t) in (%rows) shared_outs(%q = %f) -> tensor<?x4xf32> {
      %from = tensor.extract_slice %sums[%t, 0] [1, 4] [1, 1] : tensor<16x4xf32> to tensor<1x4xf32>
      %to = tensor.extract_slice %q[%t, 0] [1, 4] [1, 1] : tensor<?x4xf32> to tensor<1x4xf32>
      %copy = linalg.copy ins(%from : tensor<1x4xf32>) outs(%to : tensor<1x4xf32>) -> tensor<1x4xf32>
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %copy into %q[%t, 0] [1, 4] [1, 1] : tensor<1x4xf32> into tensor<?x4xf32>
      }
    } {mapping = [#gpu.thread<linear_dim_0>]}
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %copied into %o[%i, 0] [%rows, 4] [1, 1] : tensor<?x4xf32> into tensor<25x4xf32>
    }
  } {mapping = [#door.group<0>]}
  bufferization.materialize_in_destination %r in restrict writable %c : (tensor<25x4xf32>, memref<25x4xf32>) -> ()
  return
}
