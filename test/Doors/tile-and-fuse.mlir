// RUN: memspace-test-opt %s -memspace-kernel-pipeline=chip=gfx942 -memspace-verify-barriers=chip=gfx942 -o %t.mlir
// RUN: FileCheck %s < %t.mlir
// RUN: memspace-runner %t.mlir --chip=gfx942 --kernel=matmul_transpose_b --arg=0:iota --arg=1:fill:0.5 --out=2:%t.npy | FileCheck %s --check-prefix=CLEAN
// RUN: %python %S/../Emulator/Inputs/compare.py %t.npy '(120 + 256 * (i // 128)) * 0.5'
// RUN: memspace-runner %t.mlir --chip=gfx942 --kernel=matmul_transpose_b --arg=0:fill:0.5 --arg=1:iota --out=2:%t.npy | FileCheck %s --check-prefix=CLEAN
// RUN: %python %S/../Emulator/Inputs/compare.py %t.npy '(120 + 256 * (i % 128)) * 0.5'
// RUN: memspace-runner %t.mlir --chip=gfx942 --kernel=matmul_mfma --arg=0:iota --arg=1:fill:0.5 --out=2:%t.npy | FileCheck %s --check-prefix=CLEAN
// RUN: %python %S/../Emulator/Inputs/compare.py %t.npy '(496 + 1024 * (i // 32)) * 0.5'
// RUN: memspace-runner %t.mlir --chip=gfx942 --kernel=matmul_mfma --arg=0:fill:0.5 --arg=1:iota --out=2:%t.npy | FileCheck %s --check-prefix=CLEAN
// RUN: %python %S/../Emulator/Inputs/compare.py %t.npy '(496 + 1024 * (i % 32)) * 0.5'
// RUN: memspace-runner %t.mlir --chip=gfx942 --kernel=partial_tiles --arg=0:iota --arg=1:fill:0.5 --out=2:%t.npy | FileCheck %s --check-prefix=CLEAN
// RUN: %python %S/../Emulator/Inputs/compare.py %t.npy '(120 + 256 * (i // 64)) * 0.5'
// RUN: memspace-runner %t.mlir --chip=gfx942 --kernel=scatter --arg=0:iota --arg=1:iota --arg=2:fill:7 --out=2:%t.npy | FileCheck %s --check-prefix=CLEAN
// RUN: %python %S/../Emulator/Inputs/compare.py %t.npy 'np.where(i < 128, i, 7)'
// CLEAN: races: 0, divergent barriers: 0, out of bounds: 0, uninitialized reads: 0

// Kernels in the form that IREE's tile-and-fuse pipeline has before bufferization:
// workgroups, one fused forall of threads, a loop that carries vectors, and a region
// in which all threads fill two tiles that all then read. Two barriers a step.

// CHECK-LABEL: @matmul_transpose_b
// CHECK-SAME: memspace.workgroup_bytes = 1024
// CHECK: memref.alloc() {{.*}}memspace.arena
// CHECK: scf.for {{.*}} -> (vector<8x4xf32>)
// CHECK-COUNT-2: gpu.barrier
// CHECK-NOT: gpu.barrier
func.func @matmul_transpose_b(%a: memref<128x16xf16>, %b: memref<128x16xf16>, %c: memref<128x128xf32>) attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %c16 = arith.constant 16 : index
  %zero = arith.constant 0.0 : f16
  %none = arith.constant dense<0.0> : vector<8x4xf32>
  %x = bufferization.to_tensor %a restrict : memref<128x16xf16> to tensor<128x16xf16>
  %y = bufferization.to_tensor %b restrict : memref<128x16xf16> to tensor<128x16xf16>
  %z = bufferization.to_tensor %c restrict writable : memref<128x128xf32> to tensor<128x128xf32>
  %r = scf.forall (%i, %j) = (0, 0) to (128, 128) step (64, 64) shared_outs(%o = %z) -> tensor<128x128xf32> {
    %part = tensor.extract_slice %o[%i, %j] [64, 64] [1, 1] : tensor<128x128xf32> to tensor<64x64xf32>
    %left = bufferization.alloc_tensor() : tensor<64x4xf16>
    %right = bufferization.alloc_tensor() : tensor<64x4xf16>
    %done = scf.forall (%u, %v) in (8, 16) shared_outs(%p = %part) -> tensor<64x64xf32> {
      %row = arith.muli %u, %c8 : index
      %column = arith.muli %v, %c4 : index
      %sums = scf.for %k = %c0 to %c16 step %c4 iter_args(%sum = %none) -> vector<8x4xf32> {
        %all:2 = door.together(%left, %right : tensor<64x4xf16>, tensor<64x4xf16>) {
        ^bb0(%l: tensor<64x4xf16>, %m: tensor<64x4xf16>):
          %id = affine.linearize_index disjoint [%u, %v] by (8, 16) : index
          %at:2 = affine.delinearize_index %id into (64, 2) : index, index
          %from = arith.muli %at#1, %c2 : index
          %step = arith.addi %k, %from : index
          %xrow = arith.addi %i, %at#0 : index
          %yrow = arith.addi %j, %at#0 : index
          %xv = vector.transfer_read %x[%xrow, %step], %zero {in_bounds = [true]} : tensor<128x16xf16>, vector<2xf16>
          %lw = vector.transfer_write %xv, %l[%at#0, %from] {in_bounds = [true]} : vector<2xf16>, tensor<64x4xf16>
          %yv = vector.transfer_read %y[%yrow, %step], %zero {in_bounds = [true]} : tensor<128x16xf16>, vector<2xf16>
          %mw = vector.transfer_write %yv, %m[%at#0, %from] {in_bounds = [true]} : vector<2xf16>, tensor<64x4xf16>
          door.give %lw, %mw : tensor<64x4xf16>, tensor<64x4xf16>
        } : tensor<64x4xf16>, tensor<64x4xf16>
        %xs = vector.transfer_read %all#0[%row, %c0], %zero {in_bounds = [true, true]} : tensor<64x4xf16>, vector<8x4xf16>
        %ys = vector.transfer_read %all#1[%column, %c0], %zero {in_bounds = [true, true]} : tensor<64x4xf16>, vector<4x4xf16>
        %xw = arith.extf %xs : vector<8x4xf16> to vector<8x4xf32>
        %yw = arith.extf %ys : vector<4x4xf16> to vector<4x4xf32>
        %next = vector.contract {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %xw, %yw, %sum : vector<8x4xf32>, vector<4x4xf32> into vector<8x4xf32>
        scf.yield %next : vector<8x4xf32>
      }
      %own = tensor.extract_slice %p[%row, %column] [8, 4] [1, 1] : tensor<64x64xf32> to tensor<8x4xf32>
      %w = vector.transfer_write %sums, %own[%c0, %c0] {in_bounds = [true, true]} : vector<8x4xf32>, tensor<8x4xf32>
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %w into %p[%row, %column] [8, 4] [1, 1] : tensor<8x4xf32> into tensor<64x64xf32>
      }
    } {mapping = [#gpu.thread<linear_dim_1>, #gpu.thread<linear_dim_0>]}
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %done into %o[%i, %j] [64, 64] [1, 1] : tensor<64x64xf32> into tensor<128x128xf32>
    }
  } {mapping = [#door.group<1>, #door.group<0>]}
  bufferization.materialize_in_destination %r in restrict writable %c : (tensor<128x128xf32>, memref<128x128xf32>) -> ()
  return
}

// The matrix unit: a subgroup for each quarter of the tile, and in it each lane has
// its part of the operands and of the result.
// CHECK-LABEL: @matmul_mfma
// CHECK-SAME: memspace.workgroup_bytes = 2048
// CHECK: scf.for {{.*}} -> (vector<4xf32>)
// CHECK-COUNT-2: gpu.barrier
// CHECK: amdgpu.mfma
// CHECK-NOT: gpu.barrier
func.func @matmul_mfma(%a: memref<32x32xf16>, %b: memref<32x32xf16>, %c: memref<32x32xf32>) attributes {gpu.known_block_size = array<i32: 256, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %c16 = arith.constant 16 : index
  %c32 = arith.constant 32 : index
  %zero = arith.constant 0.0 : f16
  %none = arith.constant dense<0.0> : vector<4xf32>
  %x = bufferization.to_tensor %a restrict : memref<32x32xf16> to tensor<32x32xf16>
  %y = bufferization.to_tensor %b restrict : memref<32x32xf16> to tensor<32x32xf16>
  %z = bufferization.to_tensor %c restrict writable : memref<32x32xf32> to tensor<32x32xf32>
  %left = bufferization.alloc_tensor() : tensor<32x16xf16>
  %right = bufferization.alloc_tensor() : tensor<32x16xf16>
  %r = scf.forall (%t) in (256) shared_outs(%o = %z) -> tensor<32x32xf32> {
    %at:2 = affine.delinearize_index %t into (32, 8) : index, index
    %from = arith.muli %at#1, %c2 : index
    // Two by two subgroups; the lane is of one of 16 columns, and of four rows.
    %w:4 = affine.delinearize_index %t into (2, 2, 4, 16) : index, index, index, index
    %up = arith.muli %w#0, %c16 : index
    %side = arith.muli %w#1, %c16 : index
    %four = arith.muli %w#2, %c4 : index
    %xrow = arith.addi %up, %w#3 : index
    %yrow = arith.addi %side, %w#3 : index
    %sums = scf.for %k = %c0 to %c32 step %c16 iter_args(%sum = %none) -> vector<4xf32> {
      %all:2 = door.together(%left, %right : tensor<32x16xf16>, tensor<32x16xf16>) {
      ^bb0(%l: tensor<32x16xf16>, %m: tensor<32x16xf16>):
        %step = arith.addi %k, %from : index
        %xv = vector.transfer_read %x[%at#0, %step], %zero {in_bounds = [true]} : tensor<32x32xf16>, vector<2xf16>
        %lw = vector.transfer_write %xv, %l[%at#0, %from] {in_bounds = [true]} : vector<2xf16>, tensor<32x16xf16>
        %yv = vector.transfer_read %y[%at#0, %step], %zero {in_bounds = [true]} : tensor<32x32xf16>, vector<2xf16>
        %mw = vector.transfer_write %yv, %m[%at#0, %from] {in_bounds = [true]} : vector<2xf16>, tensor<32x16xf16>
        door.give %lw, %mw : tensor<32x16xf16>, tensor<32x16xf16>
      } : tensor<32x16xf16>, tensor<32x16xf16>
      %xs = vector.transfer_read %all#0[%xrow, %four], %zero {in_bounds = [true]} : tensor<32x16xf16>, vector<4xf16>
      %ys = vector.transfer_read %all#1[%yrow, %four], %zero {in_bounds = [true]} : tensor<32x16xf16>, vector<4xf16>
      %next = amdgpu.mfma 16x16x16 %xs * %ys + %sum blgp = none : vector<4xf16>, vector<4xf16>, vector<4xf32>
      scf.yield %next : vector<4xf32>
    }
    %orow = arith.addi %up, %four : index
    %own = tensor.extract_slice %o[%orow, %yrow] [4, 1] [1, 1] : tensor<32x32xf32> to tensor<4x1xf32>
    %tall = vector.shape_cast %sums : vector<4xf32> to vector<4x1xf32>
    %put = vector.transfer_write %tall, %own[%c0, %c0] {in_bounds = [true, true]} : vector<4x1xf32>, tensor<4x1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %put into %o[%orow, %yrow] [4, 1] [1, 1] : tensor<4x1xf32> into tensor<32x32xf32>
    }
  } {mapping = [#gpu.thread<linear_dim_0>]}
  bufferization.materialize_in_destination %r in restrict writable %c : (tensor<32x32xf32>, memref<32x32xf32>) -> ()
  return
}

// Tiles that do not divide the rows: what is beyond the last is read as zeros, and
// not written.
// CHECK-LABEL: @partial_tiles
// CHECK-SAME: memspace.workgroup_bytes = 2048
// CHECK: scf.for {{.*}} -> (vector<8x4xf32>)
// CHECK-COUNT-2: gpu.barrier
// CHECK-NOT: gpu.barrier
func.func @partial_tiles(%a: memref<100x16xf32>, %b: memref<64x16xf32>, %c: memref<100x64xf32>) attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %c16 = arith.constant 16 : index
  %zero = arith.constant 0.0 : f32
  %none = arith.constant dense<0.0> : vector<8x4xf32>
  %x = bufferization.to_tensor %a restrict : memref<100x16xf32> to tensor<100x16xf32>
  %y = bufferization.to_tensor %b restrict : memref<64x16xf32> to tensor<64x16xf32>
  %z = bufferization.to_tensor %c restrict writable : memref<100x64xf32> to tensor<100x64xf32>
  %r = scf.forall (%i) = (0) to (100) step (64) shared_outs(%o = %z) -> tensor<100x64xf32> {
    %rows = affine.min affine_map<(d0) -> (-d0 + 100, 64)>(%i)
    %part = tensor.extract_slice %o[%i, 0] [%rows, 64] [1, 1] : tensor<100x64xf32> to tensor<?x64xf32>
    %left = bufferization.alloc_tensor() : tensor<64x4xf32>
    %right = bufferization.alloc_tensor() : tensor<64x4xf32>
    %done = scf.forall (%u, %v) in (8, 16) shared_outs(%p = %part) -> tensor<?x64xf32> {
      %row = arith.muli %u, %c8 : index
      %column = arith.muli %v, %c4 : index
      %sums = scf.for %k = %c0 to %c16 step %c4 iter_args(%sum = %none) -> vector<8x4xf32> {
        %all:2 = door.together(%left, %right : tensor<64x4xf32>, tensor<64x4xf32>) {
        ^bb0(%l: tensor<64x4xf32>, %m: tensor<64x4xf32>):
          %id = affine.linearize_index disjoint [%u, %v] by (8, 16) : index
          %at:2 = affine.delinearize_index %id into (64, 2) : index, index
          %from = arith.muli %at#1, %c2 : index
          %step = arith.addi %k, %from : index
          %xrow = arith.addi %i, %at#0 : index
          // Rows beyond the last are zeros.
          %xv = vector.transfer_read %x[%xrow, %step], %zero {in_bounds = [false, true]} : tensor<100x16xf32>, vector<1x2xf32>
          %lw = vector.transfer_write %xv, %l[%at#0, %from] {in_bounds = [true, true]} : vector<1x2xf32>, tensor<64x4xf32>
          %yv = vector.transfer_read %y[%at#0, %step], %zero {in_bounds = [true]} : tensor<64x16xf32>, vector<2xf32>
          %mw = vector.transfer_write %yv, %m[%at#0, %from] {in_bounds = [true]} : vector<2xf32>, tensor<64x4xf32>
          door.give %lw, %mw : tensor<64x4xf32>, tensor<64x4xf32>
        } : tensor<64x4xf32>, tensor<64x4xf32>
        %xs = vector.transfer_read %all#0[%row, %c0], %zero {in_bounds = [true, true]} : tensor<64x4xf32>, vector<8x4xf32>
        %ys = vector.transfer_read %all#1[%column, %c0], %zero {in_bounds = [true, true]} : tensor<64x4xf32>, vector<4x4xf32>
        %next = vector.contract {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %xs, %ys, %sum : vector<8x4xf32>, vector<4x4xf32> into vector<8x4xf32>
        scf.yield %next : vector<8x4xf32>
      }
      %left_rows = affine.max affine_map<(d0)[s0] -> (0, -d0 + s0)>(%row)[%rows]
      %own_rows = affine.min affine_map<(d0) -> (d0, 8)>(%left_rows)
      %start = affine.min affine_map<(d0)[s0] -> (d0, s0)>(%row)[%rows]
      %own = tensor.extract_slice %p[%start, %column] [%own_rows, 4] [1, 1] : tensor<?x64xf32> to tensor<?x4xf32>
      %w = vector.transfer_write %sums, %own[%c0, %c0] {in_bounds = [false, true]} : vector<8x4xf32>, tensor<?x4xf32>
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %w into %p[%start, %column] [%own_rows, 4] [1, 1] : tensor<?x4xf32> into tensor<?x64xf32>
      }
    } {mapping = [#gpu.thread<linear_dim_1>, #gpu.thread<linear_dim_0>]}
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %done into %o[%i, 0] [%rows, 64] [1, 1] : tensor<?x64xf32> into tensor<100x64xf32>
    }
  } {mapping = [#door.group<0>]}
  bufferization.materialize_in_destination %r in restrict writable %c : (tensor<100x64xf32>, memref<100x64xf32>) -> ()
  return
}

// Threads scatter into all of what is the workgroup's, rows of their own, in place.
// CHECK-LABEL: @scatter
// CHECK-SAME: memspace.private_bytes = 0
// CHECK-SAME: memspace.workgroup_bytes = 0
// CHECK-NOT: gpu.barrier
// CHECK: return
func.func @scatter(%x: memref<8x16xf32>, %at: memref<8x1xi32>, %out: memref<32x16xf32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %u = bufferization.to_tensor %x restrict : memref<8x16xf32> to tensor<8x16xf32>
  %i = bufferization.to_tensor %at restrict : memref<8x1xi32> to tensor<8x1xi32>
  %z = bufferization.to_tensor %out restrict writable : memref<32x16xf32> to tensor<32x16xf32>
  %r = scf.forall (%b) in (2) shared_outs(%o = %z) -> tensor<32x16xf32> {
    %column = affine.apply affine_map<(d0) -> (d0 * 8)>(%b)
    %part = tensor.extract_slice %o[0, %column] [32, 8] [1, 1] : tensor<32x16xf32> to tensor<32x8xf32>
    %done = scf.forall (%t, %one) in (8, 1) shared_outs(%p = %part) -> tensor<32x8xf32> {
      %row = tensor.extract_slice %u[%t, %column] [1, 8] [1, 1] : tensor<8x16xf32> to tensor<1x8xf32>
      %place = tensor.extract_slice %i[%t, 0] [1, 1] [1, 1] : tensor<8x1xi32> to tensor<1x1xi32>
      %s = memspace.scatter scatter_dims([0]) unique_indices in_bounds ins(%row, %place : tensor<1x8xf32>, tensor<1x1xi32>) outs(%p : tensor<32x8xf32>) -> tensor<32x8xf32>
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %s into %p[0, 0] [32, 8] [1, 1] : tensor<32x8xf32> into tensor<32x8xf32>
      }
    } {mapping = [#gpu.thread<linear_dim_1>, #gpu.thread<linear_dim_0>]}
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %done into %o[0, %column] [32, 8] [1, 1] : tensor<32x8xf32> into tensor<32x16xf32>
    }
  } {mapping = [#door.group<0>]}
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<32x16xf32>, memref<32x16xf32>) -> ()
  return
}
