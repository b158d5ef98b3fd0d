// RUN: split-file %s %t
// RUN: %status 2 memspace-runner %t/unranked-argument.mlir 2>&1 | FileCheck %t/unranked-argument.mlir --implicit-check-not=error:
// RUN: %status 2 memspace-runner %t/pointer-argument.mlir 2>&1 | FileCheck %t/pointer-argument.mlir --implicit-check-not=error:
// RUN: %status 2 memspace-runner %t/memref-of-memrefs.mlir 2>&1 | FileCheck %t/memref-of-memrefs.mlir --implicit-check-not=error:
// RUN: %status 2 memspace-runner %t/tiled-argument.mlir 2>&1 | FileCheck %t/tiled-argument.mlir --implicit-check-not=error:
// RUN: %status 2 memspace-runner %t/space-of-argument.mlir 2>&1 | FileCheck %t/space-of-argument.mlir --implicit-check-not=error:
// RUN: %status 2 memspace-runner %t/space-of-alloc.mlir 2>&1 | FileCheck %t/space-of-alloc.mlir --implicit-check-not=error:
// RUN: %status 2 memspace-runner %t/space-of-global.mlir 2>&1 | FileCheck %t/space-of-global.mlir --implicit-check-not=error:
// RUN: %status 2 memspace-runner %t/external-global.mlir 2>&1 | FileCheck %t/external-global.mlir --implicit-check-not=error:
// RUN: %status 2 memspace-runner %t/unranked-copy.mlir 2>&1 | FileCheck %t/unranked-copy.mlir --implicit-check-not=error:
// RUN: %status 2 memspace-runner %t/tiled-alloc.mlir 2>&1 | FileCheck %t/tiled-alloc.mlir --implicit-check-not=error:
// RUN: %status 2 memspace-runner %t/softmax.mlir 2>&1 | FileCheck %t/softmax.mlir --implicit-check-not=error:
// RUN: %status 2 memspace-runner %t/dma.mlir 2>&1 | FileCheck %t/dma.mlir --implicit-check-not=error:
// RUN: %status 2 memspace-runner %t/mbarrier.mlir 2>&1 | FileCheck %t/mbarrier.mlir --implicit-check-not=error:
// RUN: %status 2 memspace-runner %t/tma.mlir 2>&1 | FileCheck %t/tma.mlir --implicit-check-not=error:
// RUN: %status 2 memspace-runner %t/unregistered.mlir 2>&1 | FileCheck %t/unregistered.mlir --implicit-check-not=error:
// RUN: %status 2 memspace-runner %t/dpp.mlir 2>&1 | FileCheck %t/dpp.mlir --implicit-check-not=error:
// RUN: %status 2 memspace-runner %t/swizzle.mlir 2>&1 | FileCheck %t/swizzle.mlir --implicit-check-not=error:
// RUN: %status 2 memspace-runner %t/named-barrier.mlir 2>&1 | FileCheck %t/named-barrier.mlir --implicit-check-not=error:
// RUN: %status 2 memspace-runner %t/partial-barrier.mlir 2>&1 | FileCheck %t/partial-barrier.mlir --implicit-check-not=error:
// RUN: %status 2 memspace-runner %t/reducing-barrier.mlir 2>&1 | FileCheck %t/reducing-barrier.mlir --implicit-check-not=error:
// RUN: %status 2 memspace-runner %t/barrier-arrive.mlir 2>&1 | FileCheck %t/barrier-arrive.mlir --implicit-check-not=error:
// RUN: %status 2 memspace-runner %t/elect.mlir 2>&1 | FileCheck %t/elect.mlir --implicit-check-not=error:
// RUN: %status 2 memspace-runner %t/match.mlir 2>&1 | FileCheck %t/match.mlir --implicit-check-not=error:

// Kernels that cannot be run: one diagnostic at the op, with a way out.

//--- unranked-argument.mlir
// CHECK: .mlir:[[#@LINE+2]]:{{[0-9]+}}: error: argument 0 of type 'memref<*xf32>' has no rank; pass a ranked memref and cast it{{$}}
// CHECK-NOT: races:
func.func @k(%x: memref<*xf32>) attributes {gpu.known_block_size = array<i32: 32, 1, 1>} {
  return
}

//--- pointer-argument.mlir
// CHECK: .mlir:[[#@LINE+2]]:{{[0-9]+}}: error: argument 1 of type '!llvm.ptr' has no known size; pass numbers, vectors or memrefs of them{{$}}
// CHECK-NOT: races:
func.func @k(%x: index, %y: !llvm.ptr) attributes {gpu.known_block_size = array<i32: 32, 1, 1>} {
  return
}

//--- memref-of-memrefs.mlir
// CHECK: .mlir:[[#@LINE+2]]:{{[0-9]+}}: error: argument 0 of type 'memref<4xmemref<4xf32>>' has no known size; pass numbers, vectors or memrefs of them{{$}}
// CHECK-NOT: races:
func.func @k(%x: memref<4xmemref<4xf32>>) attributes {gpu.known_block_size = array<i32: 32, 1, 1>} {
  return
}

//--- tiled-argument.mlir
// CHECK: .mlir:[[#@LINE+2]]:{{[0-9]+}}: error: argument 0 of type 'memref<4xf32, affine_map<(d0) -> (d0 floordiv 2, d0 mod 2)>>' has no strided layout; use 'strided' or none{{$}}
// CHECK-NOT: races:
func.func @k(%x: memref<4xf32, affine_map<(d0) -> (d0 floordiv 2, d0 mod 2)>>) attributes {gpu.known_block_size = array<i32: 32, 1, 1>} {
  return
}

//--- space-of-argument.mlir
// CHECK: .mlir:[[#@LINE+2]]:{{[0-9]+}}: error: memory space '7 : i64' is not known to the emulator; use #gpu.address_space or 0, 1, 3, 5{{$}}
// CHECK-NOT: races:
func.func @k(%x: memref<4xf32, 7>) attributes {gpu.known_block_size = array<i32: 32, 1, 1>} {
  return
}

//--- space-of-alloc.mlir
// CHECK: .mlir:[[#@LINE+3]]:{{[0-9]+}}: error: memory space '"shared"' is not known to the emulator; use #gpu.address_space or 0, 1, 3, 5{{$}}
// CHECK-NOT: races:
func.func @k() attributes {gpu.known_block_size = array<i32: 32, 1, 1>} {
  %w = memref.alloc() : memref<4xf32, "shared">
  return
}

//--- space-of-global.mlir
// CHECK: .mlir:[[#@LINE+2]]:{{[0-9]+}}: error: memory space '#spirv.storage_class<Uniform>' is not known to the emulator; use #gpu.address_space or 0, 1, 3, 5{{$}}
// CHECK-NOT: races:
memref.global @g : memref<4xf32, #spirv.storage_class<Uniform>> = uninitialized
func.func @k() attributes {gpu.known_block_size = array<i32: 32, 1, 1>} {
  %w = memref.get_global @g : memref<4xf32, #spirv.storage_class<Uniform>>
  return
}

//--- external-global.mlir
// CHECK: .mlir:[[#@LINE+2]]:{{[0-9]+}}: error: an external global has no contents to run on; give it contents, or 'uninitialized'{{$}}
// CHECK-NOT: races:
memref.global @g : memref<4xf32>
func.func @k() attributes {gpu.known_block_size = array<i32: 32, 1, 1>} {
  %w = memref.get_global @g : memref<4xf32>
  return
}

//--- unranked-copy.mlir
// CHECK: .mlir:[[#@LINE+5]]:{{[0-9]+}}: error: 'memref.copy' of an unranked memref is not emulated; cast both to ranked memrefs{{$}}
// CHECK-NOT: races:
func.func @k(%x: memref<4xf32>, %y: memref<4xf32>) attributes {gpu.known_block_size = array<i32: 32, 1, 1>} {
  %from = memref.cast %x : memref<4xf32> to memref<*xf32>
  %to = memref.cast %y : memref<4xf32> to memref<*xf32>
  memref.copy %from, %to : memref<*xf32> to memref<*xf32>
  return
}

//--- tiled-alloc.mlir
// CHECK: .mlir:[[#@LINE+3]]:{{[0-9]+}}: error: the emulator cannot lower the kernel to LLVM: failed to legalize operation 'memref.alloc' that was explicitly marked illegal; express this op by others{{$}}
// CHECK-NOT: races:
func.func @k(%i: index, %v: f32) attributes {gpu.known_block_size = array<i32: 32, 1, 1>} {
  %w = memref.alloc() : memref<4xf32, affine_map<(d0) -> (d0 floordiv 2, d0 mod 2)>, 3>
  memref.store %v, %w[%i] : memref<4xf32, affine_map<(d0) -> (d0 floordiv 2, d0 mod 2)>, 3>
  return
}

//--- softmax.mlir
// CHECK: .mlir:[[#@LINE+3]]:{{[0-9]+}}: error: 'linalg.softmax' is not emulated; lower it to gpu, memref or vector ops first{{$}}
// CHECK-NOT: races:
func.func @k(%x: memref<4x4xf32>, %y: memref<4x4xf32>) attributes {gpu.known_block_size = array<i32: 32, 1, 1>} {
  linalg.softmax dimension(1) ins(%x : memref<4x4xf32>) outs(%y : memref<4x4xf32>)
  return
}

//--- dma.mlir
// CHECK: .mlir:[[#@LINE+6]]:{{[0-9]+}}: error: 'affine.dma_start' is not emulated; lower it to gpu, memref or vector ops first{{$}}
// CHECK-NOT: races:
func.func @k(%x: memref<64xi32>) attributes {gpu.known_block_size = array<i32: 32, 1, 1>} {
  %c64 = arith.constant 64 : index
  %w = memref.alloc() : memref<64xi32, #gpu.address_space<workgroup>>
  %tag = memref.alloca() : memref<1xi32>
  affine.dma_start %x[0], %w[0], %tag[0], %c64 : memref<64xi32>, memref<64xi32, #gpu.address_space<workgroup>>, memref<1xi32>
  affine.dma_wait %tag[0], %c64 : memref<1xi32>
  return
}

//--- mbarrier.mlir
// CHECK: .mlir:[[#@LINE+3]]:{{[0-9]+}}: error: 'nvgpu.mbarrier.create' is not emulated; lower it to gpu, memref or vector ops first{{$}}
// CHECK-NOT: races:
func.func @k() attributes {gpu.known_block_size = array<i32: 32, 1, 1>} {
  %m = nvgpu.mbarrier.create -> !nvgpu.mbarrier.group<memorySpace = #gpu.address_space<workgroup>>
  return
}

//--- tma.mlir
// CHECK: .mlir:[[#@LINE+4]]:{{[0-9]+}}: error: 'nvgpu.tma.prefetch.descriptor' is not emulated; lower it to gpu, memref or vector ops first{{$}}
// CHECK-NOT: races:
func.func @k(%out: memref<4xf32>, %i: index) attributes {gpu.known_block_size = array<i32: 32, 1, 1>} {
  %d = builtin.unrealized_conversion_cast %i : index to !nvgpu.tensormap.descriptor<tensor = memref<64x8xf32, 3>, swizzle = none, l2promo = none, oob = zero, interleave = none>
  nvgpu.tma.prefetch.descriptor %d : !nvgpu.tensormap.descriptor<tensor = memref<64x8xf32, 3>, swizzle = none, l2promo = none, oob = zero, interleave = none>
  return
}

//--- unregistered.mlir
// CHECK: .mlir:[[#@LINE+3]]:{{[0-9]+}}: error: 'my.op' is not emulated; lower it to gpu, memref or vector ops first{{$}}
// CHECK-NOT: races:
func.func @k(%x: memref<4xf32>) attributes {gpu.known_block_size = array<i32: 32, 1, 1>} {
  "my.op"(%x) : (memref<4xf32>) -> ()
  return
}

//--- dpp.mlir
// CHECK: .mlir:[[#@LINE+3]]:{{[0-9]+}}: error: 'rocdl.update.dpp' is not emulated; lower it to gpu, memref or vector ops first{{$}}
// CHECK-NOT: races:
func.func @k(%v: i32) attributes {gpu.known_block_size = array<i32: 32, 1, 1>} {
  %w = rocdl.update.dpp %v, %v with 273, 15, 15, false : i32
  return
}

//--- swizzle.mlir
// CHECK: .mlir:[[#@LINE+3]]:{{[0-9]+}}: error: 'rocdl.ds_swizzle' is not emulated; lower it to gpu, memref or vector ops first{{$}}
// CHECK-NOT: races:
func.func @k(%v: i32, %p: i32) attributes {gpu.known_block_size = array<i32: 32, 1, 1>} {
  %w = rocdl.ds_swizzle %v, %p : (i32, i32) -> i32
  return
}

//--- named-barrier.mlir
// CHECK: .mlir:[[#@LINE+3]]:{{[0-9]+}}: error: 'nvvm.barrier' with a name, for a part of the threads or with a reduction is not emulated; use 'gpu.barrier'{{$}}
// CHECK-NOT: races:
func.func @k(%id: i32) attributes {gpu.known_block_size = array<i32: 32, 1, 1>} {
  nvvm.barrier id = %id
  return
}

//--- partial-barrier.mlir
// CHECK: .mlir:[[#@LINE+3]]:{{[0-9]+}}: error: 'nvvm.barrier' with a name, for a part of the threads or with a reduction is not emulated; use 'gpu.barrier'{{$}}
// CHECK-NOT: races:
func.func @k(%id: i32, %n: i32) attributes {gpu.known_block_size = array<i32: 32, 1, 1>} {
  nvvm.barrier id = %id number_of_threads = %n
  return
}

//--- reducing-barrier.mlir
// CHECK: .mlir:[[#@LINE+3]]:{{[0-9]+}}: error: 'nvvm.barrier' with a name, for a part of the threads or with a reduction is not emulated; use 'gpu.barrier'{{$}}
// CHECK-NOT: races:
func.func @k(%p: i32) attributes {gpu.known_block_size = array<i32: 32, 1, 1>} {
  %n = nvvm.barrier #nvvm.reduction<popc> %p -> i32
  return
}

//--- barrier-arrive.mlir
// CHECK: .mlir:[[#@LINE+3]]:{{[0-9]+}}: error: 'nvvm.barrier.arrive' is not emulated; lower it to gpu, memref or vector ops first{{$}}
// CHECK-NOT: races:
func.func @k(%id: i32, %n: i32) attributes {gpu.known_block_size = array<i32: 32, 1, 1>} {
  nvvm.barrier.arrive id = %id number_of_threads = %n
  return
}

//--- elect.mlir
// CHECK: .mlir:[[#@LINE+3]]:{{[0-9]+}}: error: 'nvvm.elect.sync' is not emulated; lower it to gpu, memref or vector ops first{{$}}
// CHECK-NOT: races:
func.func @k() attributes {gpu.known_block_size = array<i32: 32, 1, 1>} {
  %p = nvvm.elect.sync -> i1
  return
}

//--- match.mlir
// CHECK: .mlir:[[#@LINE+3]]:{{[0-9]+}}: error: 'nvvm.match.sync' is not emulated; lower it to gpu, memref or vector ops first{{$}}
// CHECK-NOT: races:
func.func @k(%mask: i32, %v: i32) attributes {gpu.known_block_size = array<i32: 32, 1, 1>} {
  %m = nvvm.match.sync any %mask, %v : i32 -> i32
  return
}
