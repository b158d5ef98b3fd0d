// RUN: rm -rf %t && split-file %s %t
// RUN: memspace-runner %t/numbers.mlir --arg=0:fill:-2147483648 --arg=1:fill:0 2>&1 | FileCheck %s --check-prefix=CLEAN
// RUN: memspace-runner %t/numbers.mlir --arg=0:fill:-2147483648 --arg=1:fill:-1 2>&1 | FileCheck %s --check-prefix=CLEAN
// RUN: memspace-runner %t/vectors.mlir --arg=0:fill:-2147483648 --arg=1:fill:0 2>&1 | FileCheck %s --check-prefix=CLEAN
// RUN: memspace-runner %t/wide.mlir --arg=0:fill:-1 --arg=1:fill:0 2>&1 | FileCheck %s --check-prefix=CLEAN
// RUN: memspace-runner %t/floats.mlir --arg=0:fill:1e30 2>&1 | FileCheck %s --check-prefix=CLEAN
// RUN: memspace-runner %t/floats.mlir --arg=0:fill:nan 2>&1 | FileCheck %s --check-prefix=CLEAN
// RUN: memspace-runner %t/poison.mlir 2>&1 | FileCheck %s --check-prefix=CLEAN
// RUN: memspace-runner %t/positions.mlir --arg=0:iota 2>&1 | FileCheck %s --check-prefix=CLEAN
// RUN: memspace-runner %t/promises.mlir --arg=0:fill:-56 2>&1 | FileCheck %s --check-prefix=CLEAN
// RUN: not memspace-runner %t/places.mlir --arg=0:iota 2>&1 | FileCheck %t/places.mlir
// RUN: not memspace-runner %t/sizes.mlir --arg=0:iota 2>&1 | FileCheck %t/sizes.mlir
// RUN: not memspace-runner %t/ended.mlir --arg=0:iota 2>&1 | FileCheck %t/ended.mlir
// RUN: not memspace-runner %t/atomics.mlir --arg=0:iota 2>&1 | FileCheck %t/atomics.mlir
// RUN: not memspace-runner %t/copies.mlir --arg=0:iota 2>&1 | FileCheck %t/copies.mlir
// RUN: memspace-runner %t/lanes.mlir 2>&1 | FileCheck %s --check-prefix=CLEAN
// RUN: memspace-runner %t/names.mlir --out=0:%t/names.npy 2>&1 | FileCheck %s --check-prefix=CLEAN
// RUN: %compare %t/names.npy "np.float32(np.sin(np.float32(6)))"
// RUN: memspace-runner %t/maps.mlir --arg=1:fill:3 --arg=2:fill:5 --out=0:%t/maps.npy 2>&1 | FileCheck %s --check-prefix=CLEAN
// RUN: %compare %t/maps.npy "100 * (i // 3 + i % 5 - (-i // 3)) + 10 * np.minimum(np.minimum(i // 3, i % 5), 2) + np.maximum(np.maximum(i // 3, i % 5), 2)"
// RUN: memspace-runner %t/maps.mlir --arg=1:fill:0 --arg=2:fill:-1 2>&1 | FileCheck %s --check-prefix=CLEAN
// RUN: memspace-runner %t/hints.mlir --out=0:%t/hints.npy 2>&1 | FileCheck %s --check-prefix=CLEAN
// RUN: %compare %t/hints.npy "np.where(i == 1, 1, -1)"

// CLEAN-NOT: {{error|warning}}:
// CLEAN: {{^}}races: 0, divergent barriers: 0, out of bounds: 0, uninitialized reads: 0{{$}}

// What has no meaning in MLIR has some in the emulator, and never that of a CPU
// which traps, jumps or reads elsewhere.

//--- numbers.mlir
func.func @k(%x: memref<1xi32>, %y: memref<1xi32>, %out: memref<12xi32>) attributes {gpu.known_block_size = array<i32: 1, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c5 = arith.constant 5 : index
  %c6 = arith.constant 6 : index
  %c7 = arith.constant 7 : index
  %c8 = arith.constant 8 : index
  %c9 = arith.constant 9 : index
  %a = memref.load %x[%c0] : memref<1xi32>
  %b = memref.load %y[%c0] : memref<1xi32>
  %r0 = arith.divsi %a, %b : i32
  %r1 = arith.remsi %a, %b : i32
  %r2 = arith.divui %a, %b : i32
  %r3 = arith.remui %a, %b : i32
  %r4 = arith.ceildivsi %a, %b : i32
  %r5 = arith.floordivsi %a, %b : i32
  %r6 = arith.ceildivui %a, %b : i32
  %r7 = arith.shli %a, %a : i32
  %r8 = arith.shrsi %a, %a : i32
  %r9 = arith.shrui %a, %a : i32
  memref.store %r0, %out[%c0] : memref<12xi32>
  memref.store %r1, %out[%c1] : memref<12xi32>
  memref.store %r2, %out[%c2] : memref<12xi32>
  memref.store %r3, %out[%c3] : memref<12xi32>
  memref.store %r4, %out[%c4] : memref<12xi32>
  memref.store %r5, %out[%c5] : memref<12xi32>
  memref.store %r6, %out[%c6] : memref<12xi32>
  memref.store %r7, %out[%c7] : memref<12xi32>
  memref.store %r8, %out[%c8] : memref<12xi32>
  memref.store %r9, %out[%c9] : memref<12xi32>
  return
}

//--- vectors.mlir
func.func @k(%x: memref<4xi32>, %y: memref<4xi32>, %out: memref<4xi32>) attributes {gpu.known_block_size = array<i32: 1, 1, 1>} {
  %c0 = arith.constant 0 : index
  %m = arith.constant dense<-1> : vector<4xi32>
  %a = vector.load %x[%c0] : memref<4xi32>, vector<4xi32>
  %b = vector.load %y[%c0] : memref<4xi32>, vector<4xi32>
  %d = arith.divsi %a, %m : vector<4xi32>
  %e = arith.remsi %a, %b : vector<4xi32>
  %s = arith.addi %d, %e : vector<4xi32>
  vector.store %s, %out[%c0] : memref<4xi32>, vector<4xi32>
  return
}

//--- wide.mlir
func.func @k(%x: memref<1xi64>, %y: memref<1xi64>, %out: memref<1xi64>) attributes {gpu.known_block_size = array<i32: 1, 1, 1>} {
  %c0 = arith.constant 0 : index
  %a = memref.load %x[%c0] : memref<1xi64>
  %b = memref.load %y[%c0] : memref<1xi64>
  %aw = arith.extsi %a : i64 to i128
  %bw = arith.extsi %b : i64 to i128
  %d = arith.divsi %aw, %bw : i128
  %r = arith.trunci %d : i128 to i64
  memref.store %r, %out[%c0] : memref<1xi64>
  return
}

//--- floats.mlir
func.func @k(%x: memref<1xf32>, %out: memref<2xi8>) attributes {gpu.known_block_size = array<i32: 1, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.load %x[%c0] : memref<1xf32>
  %s = arith.fptosi %a : f32 to i8
  %u = arith.fptoui %a : f32 to i8
  memref.store %s, %out[%c0] : memref<2xi8>
  memref.store %u, %out[%c1] : memref<2xi8>
  return
}

//--- poison.mlir
func.func @k() attributes {gpu.known_block_size = array<i32: 4, 1, 1>} {
  %p = ub.poison : i32
  %q = ub.poison : i1
  cf.switch %p : i32, [ default: ^end, 0: ^a, 1: ^b, 2: ^c, 3: ^a, 4: ^b, 5: ^c, 6: ^a, 7: ^b]
^a:
  cf.br ^end
^b:
  cf.br ^c
^c:
  cf.cond_br %q, ^end, ^d
^d:
  cf.br ^end
^end:
  return
}

//--- positions.mlir
// Upstream's folding of a constant position of -1 damages memory.
func.func @k(%x: memref<8xi8>) attributes {gpu.known_block_size = array<i32: 1, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %before = arith.subi %c0, %c1 : index
  %behind = arith.constant 1000000000000 : index
  %v = arith.constant dense<1> : vector<8xi8>
  %e = arith.constant 5 : i8
  %w = vector.insert %e, %v[%before] : i8 into vector<8xi8>
  %a = memref.load %x[%c0] : memref<8xi8>
  %u = vector.insert %a, %w[%behind] : i8 into vector<8xi8>
  %r = vector.extract %u[%before] : i8 from vector<8xi8>
  memref.store %r, %x[%c1] : memref<8xi8>
  return
}

//--- promises.mlir
// No overflow, not negative: promises that the kernel breaks.
func.func @k(%x: memref<8xi8>) attributes {gpu.known_block_size = array<i32: 1, 1, 1>} {
  %c0 = arith.constant 0 : index
  %a = memref.load %x[%c0] : memref<8xi8>
  %n = arith.extui %a {nneg = true} : i8 to i64
  %i = arith.index_cast %n : i64 to index
  %v = arith.constant dense<1> : vector<128xi8>
  %w = vector.insert %a, %v[%i] : i8 into vector<128xi8>
  %r = vector.extract %w[%i] : i8 from vector<128xi8>
  %s = arith.addi %r, %r overflow<nsw, nuw> : i8
  memref.store %s, %x[%c0] : memref<8xi8>
  return
}

//--- places.mlir
// As far from the buffer as numbers reach.
// CHECK: error: out of bounds: thread (0, 0, 0) reads bytes -4 to -1 of a buffer of 16 bytes
// CHECK: error: out of bounds: thread (0, 0, 0) uses index 9223372036854775807 of dimension 0, whose size is 4
// CHECK: error: out of bounds: thread (0, 0, 0) uses index -9223372036854775808 of dimension 0, whose size is 4
// CHECK: {{^}}races: 0, divergent barriers: 0, out of bounds: {{[3-9]}}, uninitialized reads: 0{{$}}
func.func @k(%x: memref<4xf32>, %out: memref<4xf32>) attributes {gpu.known_block_size = array<i32: 1, 1, 1>} {
  %c0 = arith.constant 0 : index
  %most = arith.constant 9223372036854775807 : index
  %least = arith.constant -9223372036854775808 : index
  %m = memref.reinterpret_cast %x to offset: [%most], sizes: [4], strides: [1] : memref<4xf32> to memref<4xf32, strided<[1], offset: ?>>
  %v = memref.load %m[%c0] : memref<4xf32, strided<[1], offset: ?>>
  memref.store %v, %out[%c0] : memref<4xf32>
  %w = memref.load %x[%most] : memref<4xf32>
  memref.store %w, %out[%c0] : memref<4xf32>
  %u = memref.load %x[%least] : memref<4xf32>
  memref.store %u, %out[%c0] : memref<4xf32>
  return
}

//--- sizes.mlir
// Of views, allocations and slices.
// CHECK: sizes.mlir:[[#@LINE+10]]:{{[0-9]+}}: error: out of bounds: thread (0, 0, 0) makes a view of 16 bytes from byte 9223372036854775807 on of a buffer of 64 bytes
// CHECK: sizes.mlir:[[#@LINE+10]]:{{[0-9]+}}: error: out of bounds: thread (0, 0, 0) writes 4 bytes at an address in no buffer
// CHECK: sizes.mlir:[[#@LINE+11]]:{{[0-9]+}}: error: out of bounds: thread (0, 0, 0) uses index 0 of dimension 0, whose size is -9223372036854775808
// CHECK: sizes.mlir:[[#@LINE+12]]:{{[0-9]+}}: error: out of bounds: thread (0, 0, 0) uses index 0 of dimension 0, whose size is -9223372036854775808
// CHECK: {{^}}races: 0, divergent barriers: 0, out of bounds: 4, uninitialized reads: 0{{$}}
func.func @k(%x: memref<64xi8>, %y: memref<16xf32>) attributes {gpu.known_block_size = array<i32: 1, 1, 1>} {
  %c0 = arith.constant 0 : index
  %f = arith.constant 1.0 : f32
  %most = arith.constant 9223372036854775807 : index
  %least = arith.constant -9223372036854775808 : index
  %v = memref.view %x[%most][] : memref<64xi8> to memref<4xf32>
  memref.store %f, %v[%c0] : memref<4xf32>
  %a = memref.alloca(%least) : memref<?xf32>
  memref.store %f, %a[%c0] : memref<?xf32>
  %s = memref.subview %y[0] [%least] [1] : memref<16xf32> to memref<?xf32, strided<[1]>>
  memref.store %f, %s[%c0] : memref<?xf32, strided<[1]>>
  return
}

//--- ended.mlir
// The memory of a function that has returned, through a view of it.
// CHECK: error: out of bounds: thread (0, 0, 0) writes 4 bytes at an address in no buffer
// CHECK: error: out of bounds: thread (0, 0, 0) reads 4 bytes at an address in no buffer
// CHECK: {{^}}races: 0, divergent barriers: 0, out of bounds: 2, uninitialized reads: 0{{$}}
func.func private @view() -> memref<4xf32> {
  %c0 = arith.constant 0 : index
  %a = memref.alloca() : memref<1000000xi8>
  %v = memref.view %a[%c0][] : memref<1000000xi8> to memref<4xf32>
  return %v : memref<4xf32>
}
func.func @k(%x: memref<4xf32>) attributes {gpu.known_block_size = array<i32: 1, 1, 1>} {
  %c0 = arith.constant 0 : index
  %f = arith.constant 1.0 : f32
  %v = func.call @view() : () -> memref<4xf32>
  memref.store %f, %v[%c0] : memref<4xf32>
  %r = memref.load %v[%c0] : memref<4xf32>
  memref.store %r, %x[%c0] : memref<4xf32>
  return
}

//--- atomics.mlir
// CHECK: error: out of bounds: thread (0, 0, 0) accesses 4 bytes atomically at byte 0, which is no multiple of 4
// CHECK: {{^}}races: 0, divergent barriers: 0, out of bounds: 1, uninitialized reads: 0{{$}}
func.func @k(%x: memref<64xi8>) attributes {gpu.known_block_size = array<i32: 1, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : i32
  %v = memref.view %x[%c1][] : memref<64xi8> to memref<4xi32>
  %r = memref.atomic_rmw addi %c5, %v[%c0] : (i32, memref<4xi32>) -> i32
  return
}

//--- copies.mlir
// CHECK: error: out of bounds: thread (0, 0, 0) copies -28 bytes of the source into 16 bytes of the target
// CHECK: error: out of bounds: thread (0, 0, 0) copies 20 bytes of the source into 16 bytes of the target
// CHECK: {{^}}races: 0, divergent barriers: 0, out of bounds: 2, uninitialized reads: 0{{$}}
func.func @k(%x: memref<64xf32>) attributes {gpu.known_block_size = array<i32: 1, 1, 1>} {
  %w = memref.alloc() : memref<64xf32, #gpu.address_space<workgroup>>
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %less = arith.constant -7 : index
  %more = arith.constant 5 : index
  %c = nvgpu.device_async_copy %x[%c0], %w[%c0], 4, %less : memref<64xf32> to memref<64xf32, #gpu.address_space<workgroup>>
  %d = nvgpu.device_async_copy %x[%c0], %w[%c4], 4, %more : memref<64xf32> to memref<64xf32, #gpu.address_space<workgroup>>
  %g = nvgpu.device_async_create_group %c, %d
  nvgpu.device_async_wait %g
  return
}

//--- lanes.mlir
// Lanes and widths that no subgroup has.
func.func @k(%out: memref<32xi32>) attributes {gpu.known_block_size = array<i32: 32, 1, 1>} {
  %t = gpu.thread_id x
  %less = arith.constant -5 : i32
  %least = arith.constant -2147483648 : i32
  %most = arith.constant 2147483647 : i32
  %v, %p = gpu.shuffle xor %less, %least, %less : i32
  %w, %q = gpu.shuffle idx %less, %most, %most : i32
  %u, %r = gpu.shuffle up %less, %least, %least : i32
  %s = arith.addi %v, %w : i32
  %a = arith.addi %s, %u : i32
  memref.store %a, %out[%t] : memref<32xi32>
  return
}

//--- names.mlir
// Functions and what they ask of a compiler: names of the runtime and of the
// process, attributes that LLVM knows.
func.func private @msrt_write(%n: f32, %i: index) -> f32 attributes {passthrough = ["naked", "noreturn", ["probe-stack", "abort"]], llvm.linkage = #llvm.linkage<extern_weak>} {
  %r = arith.addf %n, %n : f32
  return %r : f32
}
func.func private @memcpy(%n: f32) -> f32 attributes {personality = @abort} {
  return %n : f32
}
func.func private @msrt_kernel(%n: f32) -> f32 {
  return %n : f32
}
func.func private @sinf(%n: f32) -> f32 {
  %one = arith.constant 1.0 : f32
  %m = func.call @msrt_kernel(%n) : (f32) -> f32
  %r = arith.addf %m, %one : f32
  return %r : f32
}
func.func @k(%out: memref<1xf32>) attributes {gpu.known_block_size = array<i32: 1, 1, 1>, passthrough = ["naked", "noreturn", ["target-features", "+amx-tile"]], llvm.emit_c_interface} {
  %c0 = arith.constant 0 : index
  %f = arith.constant 2.5 : f32
  %a = func.call @msrt_write(%f, %c0) {CConv = #llvm.cconv<fastcc>, TailCallKind = #llvm.tailcallkind<musttail>, noreturn} : (f32, index) -> f32
  %b = func.call @memcpy(%a) : (f32) -> f32
  %c = func.call @sinf(%b) : (f32) -> f32
  %d = math.sin %c : f32
  memref.store %d, %out[%c0] : memref<1xf32>
  return
}

//--- hints.mlir
// An alignment that no buffer has, and a prefetch from far away.
func.func @k(%x: memref<4xi32>) attributes {gpu.known_block_size = array<i32: 1, 1, 1>} {
  %c1 = arith.constant 1 : index
  %far = arith.constant 1000000000 : index
  %one = arith.constant 1 : i32
  memref.prefetch %x[%far], read, locality<3>, data : memref<4xi32>
  %y = memref.assume_alignment %x, 4096 : memref<4xi32>
  memref.store %one, %y[%c1] {alignment = 4096} : memref<4xi32>
  return
}

//--- maps.mlir
// Division by symbols, constants among them.
func.func @k(%x: memref<16xindex>, %n: index, %m: index) attributes {gpu.known_block_size = array<i32: 16, 1, 1>} {
  %t = gpu.thread_id x
  %least = arith.constant -9223372036854775808 : index
  %less = arith.constant -1 : index
  %c10 = arith.constant 10 : index
  %c100 = arith.constant 100 : index
  %a = affine.apply affine_map<(d0)[s0, s1] -> (d0 floordiv s0 + d0 mod s1 + d0 ceildiv s0)>(%t)[%n, %m]
  %b = affine.min affine_map<(d0)[s0, s1] -> (d0 floordiv s0, d0 mod s1, 2)>(%t)[%n, %m]
  %c = affine.max affine_map<(d0)[s0, s1] -> (d0 floordiv s0, d0 mod s1, 2)>(%t)[%n, %m]
  %a100 = arith.muli %a, %c100 : index
  %b10 = arith.muli %b, %c10 : index
  %ab = arith.addi %a100, %b10 : index
  %abc = arith.addi %ab, %c : index
  memref.store %abc, %x[%t] : memref<16xindex>
  %d = affine.apply affine_map<(d0)[s0] -> (d0 floordiv s0)>(%least)[%less]
  %zero = arith.constant 0 : index
  %e:2 = affine.delinearize_index %c100 into (%c10, %zero) : index, index
  %f = arith.addi %d, %e#1 : index
  %never = arith.cmpi eq, %f, %c10 : index
  scf.if %never {
    memref.store %d, %x[%t] : memref<16xindex>
  }
  return
}
