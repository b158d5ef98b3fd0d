// RUN: memspace-opt %s -memspace-outline-kernels=chip=gfx942 -split-input-file | FileCheck %s --check-prefixes=CHECK,AMD
// RUN: memspace-opt %s -memspace-outline-kernels=chip=sm_90a -split-input-file | FileCheck %s --check-prefixes=CHECK,NVIDIA
// RUN: memspace-opt %s -memspace-outline-kernels=chip=gfx1100 -split-input-file | FileCheck %s --check-prefixes=WAVE32
// RUN: memspace-opt %s "-memspace-outline-kernels=chip=gfx1100 subgroup-size=64" -split-input-file | FileCheck %s --check-prefixes=WAVE64

#wg = #gpu.address_space<workgroup>

// The arena is an attribution; attributes, argument attributes and the launch
// shape stay.

// CHECK:       module attributes {gpu.container_module, memspace.kernels = {attribution = {memspace.workgroup_bytes = 520 : i64}}}
// AMD:         gpu.module @attribution_module [#rocdl.target<O = 3, chip = "gfx942", features = "-promote-alloca">]
// NVIDIA:      gpu.module @attribution_module [#nvvm.target<O = 3, chip = "sm_90a", features = "+ptx80">]
// WAVE32:      gpu.module @attribution_module [#rocdl.target<O = 3, chip = "gfx1100", features = "-promote-alloca", flags = {no_wave64}>]
// WAVE64:      gpu.module @attribution_module [#rocdl.target<O = 3, chip = "gfx1100", features = "+wavefrontsize64,-promote-alloca">]
// CHECK:       gpu.func @attribution(%{{.+}}: memref<?xf32> {llvm.noalias})
// CHECK-SAME:    workgroup(%[[ARENA:.+]] : memref<520xi8, #gpu.address_space<workgroup>> {llvm.align = 16 : i64, memspace.arena})
// CHECK-SAME:    kernel attributes {known_block_size = array<i32: 64, 1, 1>, known_grid_size = array<i32: 2, 1, 1>, memspace.workgroup_bytes = 520 : i64}
// CHECK-NOT:     memref.alloc
// CHECK:         memref.view %[[ARENA]]
// CHECK:         gpu.return
// CHECK-NOT:   func.func
func.func @attribution(%x: memref<?xf32> {llvm.noalias}) attributes {
    gpu.known_block_size = array<i32: 64, 1, 1>, gpu.known_grid_size = array<i32: 2, 1, 1>,
    memspace.workgroup_bytes = 520 : i64} {
  %c0 = arith.constant 0 : index
  %arena = memref.alloc() {alignment = 16 : i64, memspace.arena} : memref<520xi8, #wg>
  %t = memref.view %arena[%c0][] : memref<520xi8, #wg> to memref<130xf32, #wg>
  %i = gpu.thread_id x
  %0 = memref.load %x[%i] : memref<?xf32>
  memref.store %0, %t[%i] : memref<130xf32, #wg>
  return
}

// -----

#wg = #gpu.address_space<workgroup>

// 48 KiB and one byte.

// AMD-LABEL:    gpu.func @large
// AMD-SAME:       workgroup(%{{.+}} : memref<49153xi8,
// NVIDIA-LABEL: gpu.func @large
// NVIDIA-NOT:     workgroup(
// NVIDIA-SAME:    memspace.dynamic_workgroup_bytes = 49153 : i64
// NVIDIA:         %[[DYN:.+]] = gpu.dynamic_shared_memory : memref<?xi8, #gpu.address_space<workgroup>>
// NVIDIA:         memref.view %[[DYN]]
func.func @large(%v: f32) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %c0 = arith.constant 0 : index
  %arena = memref.alloc() {alignment = 16 : i64} : memref<49153xi8, #wg>
  %t = memref.view %arena[%c0][] : memref<49153xi8, #wg> to memref<130xf32, #wg>
  memref.store %v, %t[%c0] : memref<130xf32, #wg>
  return
}

// -----

#private = #gpu.address_space<private>

// Constants and callees come along; a private array moves to the entry.

// CHECK:       gpu.module @parts_module
// CHECK:         memref.global "private" constant @table : memref<4xf32, #gpu.address_space<global>> = dense<
// CHECK:         func.func private @outer
// CHECK:         func.func private @inner
// CHECK:         gpu.func @parts
// CHECK-NEXT:      memref.alloca() : memref<4xf32, #gpu.address_space<private>>
// CHECK:           %[[G:.+]] = memref.get_global @table : memref<4xf32, #gpu.address_space<global>>
// CHECK:           memref.memory_space_cast %[[G]] : {{.*}} to memref<4xf32>
// CHECK:           scf.for
// CHECK-NOT:         memref.copy
// CHECK:             linalg.generic
// CHECK:             call @outer
memref.global "private" constant @table : memref<4xf32> = dense<[1.0, 2.0, 3.0, 4.0]>
func.func private @inner(%v: f32) -> f32 {
  %0 = arith.addf %v, %v : f32
  return %0 : f32
}
func.func @outer(%v: f32) -> f32 {
  %0 = func.call @inner(%v) : (f32) -> f32
  return %0 : f32
}
func.func @parts(%n: index, %x: memref<4xf32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %table = memref.get_global @table : memref<4xf32>
  scf.for %k = %c0 to %n step %c1 {
    %p = memref.alloca() : memref<4xf32, #private>
    memref.copy %table, %p : memref<4xf32> to memref<4xf32, #private>
    %0 = memref.load %p[%k] : memref<4xf32, #private>
    %1 = func.call @outer(%0) : (f32) -> f32
    memref.store %1, %x[%k] : memref<4xf32>
  }
  return
}

// -----

// The target in the IR wins when no chip is given; here one is.

// AMD: gpu.module @one_module [#rocdl.target<O = 3, chip = "gfx942", features = "-promote-alloca">]
// AMD: gpu.module @two_module [#rocdl.target<O = 3, chip = "gfx942", features = "-promote-alloca">]
module attributes {gpu.target = #rocdl.target<chip = "gfx90a">} {
  func.func @one() attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    return
  }
  func.func @two() attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    return
  }
}

// -----

// Workgroup memory is there until the workgroup ends.
// CHECK-LABEL: gpu.func @frees
// CHECK-NOT: memref.dealloc
// CHECK: gpu.return
func.func @frees(%x: f32) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %i = gpu.thread_id x
  %m = memref.alloc() : memref<64xf32, #gpu.address_space<workgroup>>
  memref.store %x, %m[%i] : memref<64xf32, #gpu.address_space<workgroup>>
  memref.dealloc %m : memref<64xf32, #gpu.address_space<workgroup>>
  return
}

// -----

// A call by the host becomes a launch. The grid is the kernel's, a constant or an
// expression of its arguments; one that nobody asks for is one workgroup.
// CHECK-LABEL: func.func @host
// CHECK-SAME: %[[X:[^:]*]]: memref<?xf32>, %[[N:[^:]*]]: i32
// CHECK: gpu.launch_func @fixed_module::@fixed blocks in (%c3{{.*}}, %c1{{.*}}, %c1{{.*}}) threads in (%c64{{.*}}, %c2{{.*}}, %c1{{.*}}) args(%[[X]] : memref<?xf32>)
// CHECK: %[[SIZE:.*]] = memref.dim %[[X]]
// CHECK: %[[COUNT:.*]] = arith.index_cast %[[N]] : i32 to index
// CHECK: %[[GRID:.*]] = affine.max #{{.*}}()[%[[SIZE]], %[[COUNT]]]
// CHECK: gpu.launch_func @asked_module::@asked blocks in (%[[GRID]], %c1{{.*}}, %c1{{.*}}) threads in (%c64{{.*}}, %c1{{.*}}, %c1{{.*}}) args(%[[X]] : memref<?xf32>, %[[N]] : i32)
// CHECK: gpu.launch_func @alone_module::@alone blocks in (%c1{{.*}}, %c1{{.*}}, %c1{{.*}})
func.func @fixed(%x: memref<?xf32>) attributes {gpu.known_block_size = array<i32: 64, 2, 1>, gpu.known_grid_size = array<i32: 3, 1, 1>} {
  return
}
func.func @asked(%x: memref<?xf32>, %n: i32) attributes {gpu.known_block_size = array<i32: 64, 1, 1>,
    memspace.grid_size = [affine_map<()[s0, s1] -> (s0 ceildiv 64 + s1)>], memspace.grid_symbols = array<i64: 0, 0, 1, -1>} {
  %b = gpu.block_id x
  return
}
func.func @alone() attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  return
}
func.func @host(%x: memref<?xf32>, %n: i32) {
  func.call @fixed(%x) : (memref<?xf32>) -> ()
  func.call @asked(%x, %n) : (memref<?xf32>, i32) -> ()
  func.call @alone() : () -> ()
  return
}
