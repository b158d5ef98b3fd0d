// RUN: memspace-opt %s -memspace-normalize-kernels=chip=gfx942 | FileCheck %s
// RUN: memspace-opt %s -memspace-kernel-pipeline=chip=gfx942 -memspace-verify-barriers=chip=gfx942 -o %t.mlir
// RUN: memspace-runner %t.mlir --chip=gfx942 --kernel=accumulate --arg=0:iota --arg=1:fill:5 --out=1:%t.npy | FileCheck %s --check-prefix=CLEAN
// RUN: %python %S/../Emulator/Inputs/compare.py %t.npy 'i + 5'
// RUN: memspace-runner %t.mlir --chip=gfx942 --kernel=slices --arg=0:iota --out=0:%t.npy | FileCheck %s --check-prefix=CLEAN
// RUN: %python %S/../Emulator/Inputs/compare.py %t.npy '2 * i'
// CLEAN: races: 0, divergent barriers: 0, out of bounds: 0, uninitialized reads: 0

// IREE's dispatches read a binding as one tensor and overwrite it with another one
// (`C += A * B`). Each thread reads the elements that it writes: an update in place.

// CHECK-LABEL: @accumulate
//       CHECK: %[[C:.+]] = bufferization.to_tensor %arg1
//       CHECK: scf.forall {{.*}} shared_outs(%[[OUT:.+]] = %[[C]])
//       CHECK: %[[BLOCK:.+]] = tensor.extract_slice %[[OUT]]
//       CHECK: scf.forall {{.*}} shared_outs(%[[PART:.+]] = %[[BLOCK]])
//       CHECK: %[[MINE:.+]] = tensor.extract_slice %[[PART]]
//       CHECK: vector.transfer_read %[[MINE]][%c0, %c0]
func.func @accumulate(%a: memref<64x64xf32>, %m: memref<64x64xf32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>, gpu.known_grid_size = array<i32: 4, 1, 1>} {
  %c0 = arith.constant 0 : index
  %f0 = arith.constant 0.0 : f32
  %ta = bufferization.to_tensor %a restrict : memref<64x64xf32> to tensor<64x64xf32>
  %c = bufferization.to_tensor %m restrict writable : memref<64x64xf32> to tensor<64x64xf32>
  %e = tensor.empty() : tensor<64x64xf32>
  %r = scf.forall (%b) = (0) to (64) step (16) shared_outs(%o = %e) -> (tensor<64x64xf32>) {
    %ob = tensor.extract_slice %o[%b, 0] [16, 64] [1, 1] : tensor<64x64xf32> to tensor<16x64xf32>
    %rb = scf.forall (%t) in (64) shared_outs(%p = %ob) -> (tensor<16x64xf32>) {
      %s = tensor.extract_slice %p[0, %t] [16, 1] [1, 1] : tensor<16x64xf32> to tensor<16x1xf32>
      %va = vector.transfer_read %ta[%b, %t], %f0 {in_bounds = [true, true]} : tensor<64x64xf32>, vector<16x1xf32>
      %old = vector.transfer_read %c[%b, %t], %f0 {in_bounds = [true, true]} : tensor<64x64xf32>, vector<16x1xf32>
      %v = arith.addf %va, %old : vector<16x1xf32>
      %w = vector.transfer_write %v, %s[%c0, %c0] {in_bounds = [true, true]} : vector<16x1xf32>, tensor<16x1xf32>
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %w into %p[0, %t] [16, 1] [1, 1] : tensor<16x1xf32> into tensor<16x64xf32>
      }
    } {mapping = [#gpu.thread<x>]}
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %rb into %o[%b, 0] [16, 64] [1, 1] : tensor<16x64xf32> into tensor<64x64xf32>
    }
  } {mapping = [#gpu.block<x>]}
  bufferization.materialize_in_destination %r in restrict writable %m : (tensor<64x64xf32>, memref<64x64xf32>) -> ()
  return
}

// The same by slices of tensors.

// CHECK-LABEL: @slices
//       CHECK: %[[M:.+]] = bufferization.to_tensor
//       CHECK: scf.forall {{.*}} shared_outs(%[[OUT:.+]] = %[[M]])
//       CHECK: %[[MINE:.+]] = tensor.extract_slice %[[OUT]]
//       CHECK: %[[OLD:.+]] = tensor.extract_slice %[[MINE]][0] [4] [1]
//       CHECK: linalg.add ins(%[[OLD]], %[[OLD]]
func.func @slices(%m: memref<256xf32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %c = bufferization.to_tensor %m restrict writable : memref<256xf32> to tensor<256xf32>
  %e = tensor.empty() : tensor<256xf32>
  %r = scf.forall (%t) = (0) to (256) step (4) shared_outs(%o = %e) -> (tensor<256xf32>) {
    %s = tensor.extract_slice %o[%t] [4] [1] : tensor<256xf32> to tensor<4xf32>
    %old = tensor.extract_slice %c[%t] [4] [1] : tensor<256xf32> to tensor<4xf32>
    %w = linalg.add ins(%old, %old : tensor<4xf32>, tensor<4xf32>) outs(%s : tensor<4xf32>) -> tensor<4xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %w into %o[%t] [4] [1] : tensor<4xf32> into tensor<256xf32>
    }
  } {mapping = [#gpu.thread<x>]}
  bufferization.materialize_in_destination %r in restrict writable %m : (tensor<256xf32>, memref<256xf32>) -> ()
  return
}
