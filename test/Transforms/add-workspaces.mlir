// RUN: memspace-opt %s -memspace-add-workspaces=chip=sm_90 | FileCheck %s

// A temporary of all workgroups, of which each reads what it wrote. The caller allocates.
// CHECK-LABEL: func.func @twice(
// CHECK-SAME: %{{.*}}: memref<256xf32>, %{{.*}}: memref<256xf32>, %[[WS:.*]]: memref<256xf32> {memspace.workspace = 1024 : i64})
// CHECK: %[[T:.*]] = bufferization.to_tensor %[[WS]] restrict writable
// CHECK: scf.forall {{.*}} shared_outs(%{{.*}} = %[[T]])
// CHECK-LABEL: func.func @host(
// CHECK: %[[MEMORY:.*]] = memref.alloc() : memref<256xf32>
// CHECK: call @twice(%{{.*}}, %{{.*}}, %[[MEMORY]])
// CHECK: memref.dealloc %[[MEMORY]]

// A result that goes to an output has its memory there.
// CHECK-LABEL: func.func @stored(
// CHECK-SAME: %{{.*}}: memref<256xf32>, %{{.*}}: memref<256xf32>)
// CHECK: tensor.empty

// Right, race-free and to assembly, by kernel and by host; without the pass it is refused.
// RUN: memspace-opt %s -memspace-kernel-pipeline='chip=sm_90 workspaces=true' -memspace-outline-kernels=chip=sm_90 -o %t.mlir
// RUN: %python -c "import numpy; numpy.save('%t.in.npy', numpy.arange(256, dtype=numpy.float32) / 64)"
// RUN: memspace-runner %t.mlir --kernel=host --arg=0:npy:%t.in.npy --out=1:%t.out.npy | FileCheck %s --check-prefix=RUNS
// RUNS: races: 0
// RUN: %python -c "import numpy; x = numpy.load('%t.in.npy'); assert numpy.allclose(numpy.load('%t.out.npy'), 2 * numpy.exp(x))"
// RUN: memspace-opt %t.mlir -memspace-nvvm-backend-pipeline=chip=sm_90 | FileCheck %s --check-prefix=PTX
// PTX: gpu.binary @twice_module
// RUN: not memspace-opt %s -memspace-kernel-pipeline=chip=sm_90 2>&1 | FileCheck %s --check-prefix=REFUSED
// REFUSED: error: no memory space for this 'tensor<256xf32>': allocated at grid scope, where no workgroup owns it; {{.*}} let the host provide it (memspace-add-workspaces)

#tile = affine_map<(d0) -> (d0 * 64)>
func.func @twice(%in: memref<256xf32>, %out: memref<256xf32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %x = bufferization.to_tensor %in restrict : memref<256xf32> to tensor<256xf32>
  %o = bufferization.to_tensor %out restrict writable : memref<256xf32> to tensor<256xf32>
  %t = tensor.empty() : tensor<256xf32>
  %a = scf.forall (%b) in (4) shared_outs(%w = %t) -> tensor<256xf32> {
    %off = affine.apply #tile(%b)
    %s = tensor.extract_slice %x[%off] [64] [1] : tensor<256xf32> to tensor<64xf32>
    %d = tensor.extract_slice %w[%off] [64] [1] : tensor<256xf32> to tensor<64xf32>
    %e = linalg.exp ins(%s : tensor<64xf32>) outs(%d : tensor<64xf32>) -> tensor<64xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %e into %w[%off] [64] [1] : tensor<64xf32> into tensor<256xf32>
    }
  } {mapping = [#gpu.block<x>]}
  %r = scf.forall (%b) in (4) shared_outs(%w = %o) -> tensor<256xf32> {
    %off = affine.apply #tile(%b)
    %s = tensor.extract_slice %a[%off] [64] [1] : tensor<256xf32> to tensor<64xf32>
    %d = tensor.extract_slice %w[%off] [64] [1] : tensor<256xf32> to tensor<64xf32>
    %e = linalg.add ins(%s, %s : tensor<64xf32>, tensor<64xf32>) outs(%d : tensor<64xf32>) -> tensor<64xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %e into %w[%off] [64] [1] : tensor<64xf32> into tensor<256xf32>
    }
  } {mapping = [#gpu.block<x>]}
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<256xf32>, memref<256xf32>) -> ()
  return
}

func.func @host(%in: memref<256xf32>, %out: memref<256xf32>) {
  func.call @twice(%in, %out) : (memref<256xf32>, memref<256xf32>) -> ()
  return
}

func.func @stored(%in: memref<256xf32>, %out: memref<256xf32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %x = bufferization.to_tensor %in restrict : memref<256xf32> to tensor<256xf32>
  %t = tensor.empty() : tensor<256xf32>
  %a = scf.forall (%b) in (4) shared_outs(%w = %t) -> tensor<256xf32> {
    %off = affine.apply #tile(%b)
    %s = tensor.extract_slice %x[%off] [64] [1] : tensor<256xf32> to tensor<64xf32>
    %d = tensor.extract_slice %w[%off] [64] [1] : tensor<256xf32> to tensor<64xf32>
    %e = linalg.exp ins(%s : tensor<64xf32>) outs(%d : tensor<64xf32>) -> tensor<64xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %e into %w[%off] [64] [1] : tensor<64xf32> into tensor<256xf32>
    }
  } {mapping = [#gpu.block<x>]}
  bufferization.materialize_in_destination %a in restrict writable %out : (tensor<256xf32>, memref<256xf32>) -> ()
  return
}
