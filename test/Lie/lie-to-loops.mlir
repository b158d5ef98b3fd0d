// Ops of another dialect whose models tell the truth, through the pipeline and
// down to loops.
// RUN: memspace-test-opt %s --memspace-kernel-pipeline=chip=sm_90 | FileCheck %s --check-prefix=MEMREF
// RUN: memspace-test-opt %s --memspace-kernel-pipeline=chip=sm_90 --lie-to-loops | FileCheck %s --check-prefix=LOOPS

// MEMREF-LABEL: func @destinations
// MEMREF: lie.ew ins(%{{.*}}, %{{.*}} : memref<64xf32>, memref<64xf32>) outs(%[[EW:.*]] : memref<64xf32, {{.*}}>)
// The input is not to be written.
// MEMREF: memref.store
// MEMREF: lie.scatter ins(%[[EW]], %{{.*}}) outs(%{{.*}})

// LOOPS-LABEL: func @destinations
// LOOPS-NOT: {{^ *lie\.}}
// LOOPS: arith.subf
// LOOPS: arith.remui
func.func @destinations(%in: memref<64xf32>, %idx: memref<64xi32>, %out: memref<64xf32>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %x = lie.load_binding %in : memref<64xf32> -> tensor<64xf32>
  %i = bufferization.to_tensor %idx restrict : memref<64xi32> to tensor<64xi32>
  %e = tensor.empty() : tensor<64xf32>
  %a = lie.ew ins(%x, %x : tensor<64xf32>, tensor<64xf32>) outs(%e : tensor<64xf32>) -> tensor<64xf32>
  %b = lie.scatter ins(%a, %i : tensor<64xf32>, tensor<64xi32>) outs(%x : tensor<64xf32>) -> tensor<64xf32>
  bufferization.materialize_in_destination %b in restrict writable %out : (tensor<64xf32>, memref<64xf32>) -> ()
  return
}

// MEMREF-LABEL: func @own_memory
// MEMREF: %[[OWN:.*]] = memref.alloca() : memref<64xf32, #gpu.address_space<private>>
// MEMREF: lie.opaque %{{.*}}, %{{.*}} into %[[OWN]] :

// LOOPS-LABEL: func @own_memory
// LOOPS-NOT: {{^ *lie\.}}
// LOOPS: memref.store %{{.*}} : memref<64xf32, #gpu.address_space<private>>
func.func @own_memory(%in: memref<64xf32>, %out: memref<64xf32>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %x = bufferization.to_tensor %in restrict : memref<64xf32> to tensor<64xf32>
  %a = lie.opaque %x, %x : tensor<64xf32>, tensor<64xf32> -> tensor<64xf32>
  bufferization.materialize_in_destination %a in restrict writable %out : (tensor<64xf32>, memref<64xf32>) -> ()
  return
}
