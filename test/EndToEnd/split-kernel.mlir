// A kernel whose workgroups read what others wrote becomes several (issue 16, point 7).
// Two matmuls in a row, of extents that the host knows, and a sum over what all workgroups
// have: three kernels, race-free, right, and to assembly on both backends.
// RUN: %python -c "import numpy; r = numpy.random.default_rng(7); [numpy.save('%t.' + n + '.npy', r.integers(-3, 4, s).astype(numpy.float32)) for n, s in (('a', (40, 24)), ('b', (24, 32)), ('c', (32, 16)))]"
// RUN: memspace-opt %s -memspace-kernel-pipeline='chip=gfx942 workspaces=true' -memspace-outline-kernels=chip=gfx942 -o %t.mlir
// RUN: FileCheck %s --input-file=%t.mlir
// RUN: memspace-runner %t.mlir --kernel=mlp --arg=0:npy:%t.a.npy --arg=1:npy:%t.b.npy --arg=2:npy:%t.c.npy --shape=3:40x16 --shape=4:16 --out=3:%t.d.npy --out=4:%t.e.npy | FileCheck %s --check-prefix=RUNS
// RUNS: races: 0, divergent barriers: 0, out of bounds: 0
// RUN: %python -c "import numpy; a, b, c, d, e = (numpy.load('%t.' + n + '.npy') for n in 'abcde'); h = a @ b; assert numpy.array_equal(d, h @ c), d; assert numpy.array_equal(e, (h @ c).sum(0) + h[:, 0].sum()), e"
// RUN: memspace-opt %t.mlir -memspace-rocdl-backend-pipeline=chip=gfx942 -o /dev/null
// RUN: memspace-opt %s -memspace-kernel-pipeline='chip=sm_90 workspaces=true' -memspace-outline-kernels=chip=sm_90 -memspace-nvvm-backend-pipeline=chip=sm_90 | FileCheck %s --check-prefix=PTX

// CHECK: gpu.func @mlp_part0
// CHECK: gpu.func @mlp_part1
// CHECK: gpu.func @mlp_part2
// CHECK-LABEL: func.func @mlp(
// CHECK: %[[H:.*]] = memref.alloc(%{{.*}}) : memref<?x32xf32>
// CHECK-NOT: memref.alloc
// CHECK: gpu.launch_func @mlp_part0_module::@mlp_part0
// CHECK: gpu.launch_func @mlp_part1_module::@mlp_part1
// CHECK: gpu.launch_func @mlp_part2_module::@mlp_part2
// CHECK: memref.dealloc %[[H]]
// PTX-DAG: gpu.binary @mlp_part0_module
// PTX-DAG: gpu.binary @mlp_part1_module
// PTX-DAG: gpu.binary @mlp_part2_module
#tile = affine_map<(d0) -> (d0 * 8)>
#count = affine_map<()[s0] -> (s0 ceildiv 8)>
#size = affine_map<(d0)[s0] -> (s0 - d0 * 8, 8)>
func.func @mlp(%in: memref<?x24xf32>, %w1: memref<24x32xf32>, %w2: memref<32x16xf32>, %out: memref<?x16xf32>, %sums: memref<16xf32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %a = bufferization.to_tensor %in restrict : memref<?x24xf32> to tensor<?x24xf32>
  %b = bufferization.to_tensor %w1 restrict : memref<24x32xf32> to tensor<24x32xf32>
  %c = bufferization.to_tensor %w2 restrict : memref<32x16xf32> to tensor<32x16xf32>
  %o = bufferization.to_tensor %out restrict writable : memref<?x16xf32> to tensor<?x16xf32>
  %q = bufferization.to_tensor %sums restrict writable : memref<16xf32> to tensor<16xf32>
  %m = tensor.dim %a, %c0 : tensor<?x24xf32>
  %n = affine.apply #count()[%m]
  %t = tensor.empty(%m) : tensor<?x32xf32>
  // Columns of the first product by workgroups.
  %h = scf.forall (%i) in (4) shared_outs(%w = %t) -> tensor<?x32xf32> {
    %off = affine.apply #tile(%i)
    %s = tensor.extract_slice %b[0, %off] [24, 8] [1, 1] : tensor<24x32xf32> to tensor<24x8xf32>
    %d = tensor.extract_slice %w[0, %off] [%m, 8] [1, 1] : tensor<?x32xf32> to tensor<?x8xf32>
    %f = linalg.fill ins(%zero : f32) outs(%d : tensor<?x8xf32>) -> tensor<?x8xf32>
    %p = linalg.matmul ins(%a, %s : tensor<?x24xf32>, tensor<24x8xf32>) outs(%f : tensor<?x8xf32>) -> tensor<?x8xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %p into %w[0, %off] [%m, 8] [1, 1] : tensor<?x8xf32> into tensor<?x32xf32>
    }
  } {mapping = [#gpu.block<x>]}
  // Rows of the second.
  %r = scf.forall (%i) in (%n) shared_outs(%w = %o) -> tensor<?x16xf32> {
    %off = affine.apply #tile(%i)
    %size = affine.min #size(%i)[%m]
    %s = tensor.extract_slice %h[%off, 0] [%size, 32] [1, 1] : tensor<?x32xf32> to tensor<?x32xf32>
    %d = tensor.extract_slice %w[%off, 0] [%size, 16] [1, 1] : tensor<?x16xf32> to tensor<?x16xf32>
    %f = linalg.fill ins(%zero : f32) outs(%d : tensor<?x16xf32>) -> tensor<?x16xf32>
    %p = linalg.matmul ins(%s, %c : tensor<?x32xf32>, tensor<32x16xf32>) outs(%f : tensor<?x16xf32>) -> tensor<?x16xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %p into %w[%off, 0] [%size, 16] [1, 1] : tensor<?x16xf32> into tensor<?x16xf32>
    }
  } {mapping = [#gpu.block<x>]}
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<?x16xf32>, memref<?x16xf32>) -> ()
  // Columns of it, and one of the first.
  %e = scf.forall (%i) in (16) shared_outs(%w = %q) -> tensor<16xf32> {
    %s = tensor.extract_slice %r[0, %i] [%m, 1] [1, 1] : tensor<?x16xf32> to tensor<?xf32>
    %k = tensor.extract_slice %h[0, 0] [%m, 1] [1, 1] : tensor<?x32xf32> to tensor<?xf32>
    %d = tensor.extract_slice %w[%i] [1] [1] : tensor<16xf32> to tensor<f32>
    %f = linalg.fill ins(%zero : f32) outs(%d : tensor<f32>) -> tensor<f32>
    %g = linalg.reduce {arith.addf} ins(%s : tensor<?xf32>) outs(%f : tensor<f32>) dimensions = [0]
    %p = linalg.reduce {arith.addf} ins(%k : tensor<?xf32>) outs(%g : tensor<f32>) dimensions = [0]
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %p into %w[%i] [1] [1] : tensor<f32> into tensor<16xf32>
    }
  } {mapping = [#gpu.block<x>]}
  bufferization.materialize_in_destination %e in restrict writable %sums : (tensor<16xf32>, memref<16xf32>) -> ()
  return
}
