// Split-K of a kernel that is mapped already (issue 16, point 7): the sums of the parts go
// through a workspace, from all workgroups to those that add them.
// RUN: %python -c "import numpy; r = numpy.random.default_rng(3); [numpy.save('%t.' + n + '.npy', r.integers(-3, 4, s).astype(numpy.float32)) for n, s in (('a', (32, 256)), ('b', (256, 48)))]"
// RUN: memspace-opt %s -memspace-kernel-pipeline='chip=gfx942 workspaces=true' -memspace-outline-kernels=chip=gfx942 -o %t.amd.mlir
// RUN: FileCheck %s --input-file=%t.amd.mlir
// RUN: memspace-runner %t.amd.mlir --kernel=splitk --arg=0:npy:%t.a.npy --arg=1:npy:%t.b.npy --out=2:%t.c.npy | FileCheck %s --check-prefix=RUNS
// RUNS: races: 0, divergent barriers: 0, out of bounds: 0, uninitialized reads: 0
// RUN: %python -c "import numpy; a, b, c = (numpy.load('%t.' + n + '.npy') for n in 'abc'); assert numpy.array_equal(c, a @ b), c"
// RUN: memspace-opt %t.amd.mlir -memspace-rocdl-backend-pipeline=chip=gfx942 -o /dev/null
// RUN: memspace-opt %s -memspace-nvvm-pipeline='chip=sm_80 workspaces=true' | FileCheck %s --check-prefix=PTX

// CHECK: gpu.func @splitk_part0
// CHECK-SAME: known_grid_size = array<i32: 3, 2, 4>
// CHECK: gpu.func @splitk_part1
// CHECK-SAME: known_grid_size = array<i32: 3, 2, 1>
// CHECK-LABEL: func.func @splitk(
// CHECK: %[[WS:.*]] = memref.alloc() : memref<4x32x48xf32>
// CHECK: gpu.launch_func @splitk_part0_module::@splitk_part0
// CHECK: gpu.launch_func @splitk_part1_module::@splitk_part1
// CHECK: memref.dealloc %[[WS]]
// PTX-DAG: gpu.binary @splitk_part0_module
// PTX-DAG: gpu.binary @splitk_part1_module
#t16 = affine_map<(d0) -> (d0 * 16)>
#t64 = affine_map<(d0) -> (d0 * 64)>
func.func @splitk(%A: memref<32x256xf32>, %B: memref<256x48xf32>, %C: memref<32x48xf32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %zero = arith.constant 0.0 : f32
  %a = bufferization.to_tensor %A restrict : memref<32x256xf32> to tensor<32x256xf32>
  %b = bufferization.to_tensor %B restrict : memref<256x48xf32> to tensor<256x48xf32>
  %c = bufferization.to_tensor %C restrict writable : memref<32x48xf32> to tensor<32x48xf32>
  %t = tensor.empty() : tensor<4x32x48xf32>
  %parts = scf.forall (%s, %i, %j) in (4, 2, 3) shared_outs(%w = %t) -> tensor<4x32x48xf32> {
    %k = affine.apply #t64(%s)
    %m = affine.apply #t16(%i)
    %n = affine.apply #t16(%j)
    %as = tensor.extract_slice %a[%m, %k] [16, 64] [1, 1] : tensor<32x256xf32> to tensor<16x64xf32>
    %bs = tensor.extract_slice %b[%k, %n] [64, 16] [1, 1] : tensor<256x48xf32> to tensor<64x16xf32>
    %d = tensor.extract_slice %w[%s, %m, %n] [1, 16, 16] [1, 1, 1] : tensor<4x32x48xf32> to tensor<16x16xf32>
    %f = linalg.fill ins(%zero : f32) outs(%d : tensor<16x16xf32>) -> tensor<16x16xf32>
    %p = linalg.matmul ins(%as, %bs : tensor<16x64xf32>, tensor<64x16xf32>) outs(%f : tensor<16x16xf32>) -> tensor<16x16xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %p into %w[%s, %m, %n] [1, 16, 16] [1, 1, 1] : tensor<16x16xf32> into tensor<4x32x48xf32>
    }
  } {mapping = [#gpu.block<z>, #gpu.block<y>, #gpu.block<x>]}
  %fill = linalg.fill ins(%zero : f32) outs(%c : tensor<32x48xf32>) -> tensor<32x48xf32>
  %r = scf.forall (%i, %j) in (2, 3) shared_outs(%w = %fill) -> tensor<32x48xf32> {
    %m = affine.apply #t16(%i)
    %n = affine.apply #t16(%j)
    %ps = tensor.extract_slice %parts[0, %m, %n] [4, 16, 16] [1, 1, 1] : tensor<4x32x48xf32> to tensor<4x16x16xf32>
    %d = tensor.extract_slice %w[%m, %n] [16, 16] [1, 1] : tensor<32x48xf32> to tensor<16x16xf32>
    %p = linalg.reduce {arith.addf} ins(%ps : tensor<4x16x16xf32>) outs(%d : tensor<16x16xf32>) dimensions = [0]
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %p into %w[%m, %n] [16, 16] [1, 1] : tensor<16x16xf32> into tensor<32x48xf32>
    }
  } {mapping = [#gpu.block<y>, #gpu.block<x>]}
  bufferization.materialize_in_destination %r in restrict writable %C : (tensor<32x48xf32>, memref<32x48xf32>) -> ()
  return
}
