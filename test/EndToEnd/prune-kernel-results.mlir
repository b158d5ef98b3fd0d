// Case S1: a top-k has two results, and nobody reads one of each kernel: the host
// allocates and frees it only. Down to assembly there is nothing of it left, neither
// an allocation of the host nor an argument of the kernel.
// RUN: memspace-opt %s -memspace-prune-kernel-results -memspace-rocdl-pipeline=chip=gfx942 -o %t.amd
// RUN: FileCheck %s --check-prefix=HOST < %t.amd
// RUN: %python %src_root/utils/asm_workgroup_bytes.py --asm < %t.amd | FileCheck %s --check-prefix=AMD
// RUN: %python %src_root/utils/asm_workgroup_bytes.py < %t.amd | FileCheck %s --check-prefix=BYTES
// RUN: memspace-opt %s -memspace-prune-kernel-results -memspace-nvvm-pipeline='chip=sm_90 bare-pointers' -o %t.nv
// RUN: FileCheck %s --check-prefix=HOST < %t.nv
// RUN: %python %src_root/utils/asm_workgroup_bytes.py --asm < %t.nv | FileCheck %s --check-prefix=NV

// The kernels compute what they have computed before.
// RUN: memspace-opt %s -memspace-prune-kernel-results -memspace-kernel-pipeline=chip=gfx942 -o %t.kernels
// RUN: memspace-runner %t.kernels --chip=gfx942 --kernel=first_indices --arg=0:iota --out=1:%t.i.npy
// RUN: %python %S/../Emulator/Inputs/compare.py %t.i.npy '999 - i'
// RUN: memspace-runner %t.kernels --chip=gfx942 --kernel=first_values --arg=0:iota --out=1:%t.v.npy
// RUN: %python %S/../Emulator/Inputs/compare.py %t.v.npy '999 - i'
// RUN: memspace-runner %t.kernels --chip=gfx942 --kernel=sorted --arg=0:iota --out=1:%t.s.npy
// RUN: %python %S/../Emulator/Inputs/compare.py %t.s.npy '999 - i'

// HOST:       memspace.kernels = {first_indices = {memspace.noalias = array<i64: 0, 1>
// HOST-SAME:    first_values = {memspace.noalias = array<i64: 0, 1>
// HOST-SAME:    sorted = {memspace.noalias = array<i64: 0, 1>
// HOST-LABEL: func @host
// HOST-NOT:     memref.alloc
// HOST-NOT:     gpu.alloc
// HOST:         gpu.launch_func @kernels::@first_indices {{.*}} args(%{{.*}} : memref<1000xf16>, %{{.*}} : memref<10xi32>)
// HOST:         scf.for
// HOST:           gpu.launch_func @kernels::@first_values {{.*}} args(%{{.*}} : memref<1000xf16>, %{{.*}} : memref<10xf16>)
// HOST:         gpu.launch_func @kernels::@sorted {{.*}} args(%{{.*}} : memref<1000xf16>, %{{.*}} : memref<1000xf16>)
// HOST-NOT:     memref.dealloc

// AMD-LABEL: {{^}}first_indices:
// AMD-NOT: malloc
// AMD: s_endpgm
// AMD: .set first_indices.private_seg_size, 0
// AMD-LABEL: {{^}}first_values:
// AMD-NOT: malloc
// AMD: s_endpgm
// AMD: .set first_values.private_seg_size, 0
// AMD-LABEL: {{^}}sorted:
// AMD-NOT: malloc
// AMD: s_endpgm
// AMD: .set sorted.private_seg_size, 0

// Two bytes for each of 1000 elements and 24 that pad the network; the positions
// have taken four for each.
// BYTES: sorted workgroup=2048 dynamic=0 private=0

// NV-LABEL: .entry first_indices(
// NV-NEXT: first_indices_param_0,
// NV-NEXT: first_indices_param_1
// NV-NEXT: )
// NV-NOT: malloc
// NV: ret;
// NV-LABEL: .entry first_values(
// NV-NEXT: first_values_param_0,
// NV-NEXT: first_values_param_1
// NV-NEXT: )
// NV-NOT: malloc
// NV: ret;
// NV-LABEL: .entry sorted(
// NV-NEXT: sorted_param_0,
// NV-NEXT: sorted_param_1
// NV-NEXT: )
module attributes {gpu.container_module} {
  gpu.module @kernels {
    func.func @first_indices(%x: memref<1000xf16>, %v: memref<10xf16>, %i: memref<10xi32>)
        attributes {gpu.kernel, gpu.known_block_size = array<i32: 256, 1, 1>} {
      %t = bufferization.to_tensor %x restrict : memref<1000xf16> to tensor<1000xf16>
      %vt = bufferization.to_tensor %v restrict writable : memref<10xf16> to tensor<10xf16>
      %it = bufferization.to_tensor %i restrict writable : memref<10xi32> to tensor<10xi32>
      %r:2 = memspace.topk dimension(0) ins(%t : tensor<1000xf16>)
          values(%vt : tensor<10xf16>) indices(%it : tensor<10xi32>) {
      ^bb0(%a: f16, %b: f16):
        %first = arith.cmpf ogt, %a, %b : f16
        memspace.yield %first : i1
      } -> tensor<10xf16>, tensor<10xi32>
      bufferization.materialize_in_destination %r#0 in restrict writable %v : (tensor<10xf16>, memref<10xf16>) -> ()
      bufferization.materialize_in_destination %r#1 in restrict writable %i : (tensor<10xi32>, memref<10xi32>) -> ()
      return
    }
    func.func @first_values(%x: memref<1000xf16>, %v: memref<10xf16>, %i: memref<10xi32>)
        attributes {gpu.kernel, gpu.known_block_size = array<i32: 256, 1, 1>} {
      %t = bufferization.to_tensor %x restrict : memref<1000xf16> to tensor<1000xf16>
      %vt = bufferization.to_tensor %v restrict writable : memref<10xf16> to tensor<10xf16>
      %it = bufferization.to_tensor %i restrict writable : memref<10xi32> to tensor<10xi32>
      %r:2 = memspace.topk dimension(0) ins(%t : tensor<1000xf16>)
          values(%vt : tensor<10xf16>) indices(%it : tensor<10xi32>) {
      ^bb0(%a: f16, %b: f16):
        %first = arith.cmpf ogt, %a, %b : f16
        memspace.yield %first : i1
      } -> tensor<10xf16>, tensor<10xi32>
      bufferization.materialize_in_destination %r#0 in restrict writable %v : (tensor<10xf16>, memref<10xf16>) -> ()
      bufferization.materialize_in_destination %r#1 in restrict writable %i : (tensor<10xi32>, memref<10xi32>) -> ()
      return
    }
    // A top-k as a sort with two results: the positions are computed for nobody.
    func.func @sorted(%x: memref<1000xf16>, %v: memref<1000xf16>, %i: memref<1000xi32>)
        attributes {gpu.kernel, gpu.known_block_size = array<i32: 256, 1, 1>} {
      %t = bufferization.to_tensor %x restrict : memref<1000xf16> to tensor<1000xf16>
      %ve = tensor.empty() : tensor<1000xf16>
      %ie = tensor.empty() : tensor<1000xi32>
      %p = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
          outs(%ie : tensor<1000xi32>) {
      ^bb0(%o: i32):
        %n = linalg.index 0 : index
        %m = arith.index_cast %n : index to i32
        linalg.yield %m : i32
      } -> tensor<1000xi32>
      %r:2 = memspace.sort dimension(0) ins(%t, %p : tensor<1000xf16>, tensor<1000xi32>)
          outs(%ve, %ie : tensor<1000xf16>, tensor<1000xi32>) {
      ^bb0(%a: f16, %b: f16, %j: i32, %k: i32):
        %first = arith.cmpf ogt, %a, %b : f16
        memspace.yield %first : i1
      } -> tensor<1000xf16>, tensor<1000xi32>
      bufferization.materialize_in_destination %r#0 in restrict writable %v : (tensor<1000xf16>, memref<1000xf16>) -> ()
      bufferization.materialize_in_destination %r#1 in restrict writable %i : (tensor<1000xi32>, memref<1000xi32>) -> ()
      return
    }
  }
  func.func @host(%x: memref<1000xf16>, %v: memref<10xf16>, %i: memref<10xi32>,
      %s: memref<1000xf16>, %n: index) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c256 = arith.constant 256 : index
    %unread = memref.alloc() : memref<10xf16>
    gpu.launch_func @kernels::@first_indices blocks in (%c1, %c1, %c1) threads in (%c256, %c1, %c1)
      args(%x : memref<1000xf16>, %unread : memref<10xf16>, %i : memref<10xi32>)
    memref.dealloc %unread : memref<10xf16>
    scf.for %k = %c0 to %n step %c1 {
      %also = gpu.alloc() : memref<10xi32>
      gpu.launch_func @kernels::@first_values blocks in (%c1, %c1, %c1) threads in (%c256, %c1, %c1)
        args(%x : memref<1000xf16>, %v : memref<10xf16>, %also : memref<10xi32>)
      gpu.dealloc %also : memref<10xi32>
    }
    %positions = memref.alloc() : memref<1000xi32>
    gpu.launch_func @kernels::@sorted blocks in (%c1, %c1, %c1) threads in (%c256, %c1, %c1)
      args(%x : memref<1000xf16>, %s : memref<1000xf16>, %positions : memref<1000xi32>)
    memref.dealloc %positions : memref<1000xi32>
    return
  }
}
