// RUN: rm -rf %t && split-file %s %t
// RUN: %each-refused %t

// What would take more memory, code or threads than there are: one diagnostic,
// and no run that could have used it up.

//--- private-static.mlir
// CHECK: .mlir:[[#@LINE+4]]:{{[0-9]+}}: error: memory limit: the buffers of the run and what is known of their bytes take more than 'max-memory' allows; use less, or allow more{{$}}
// CHECK-NOT: races:
func.func @k(%x: memref<4xf32>) attributes {gpu.known_block_size = array<i32: 4, 1, 1>} {
  %c0 = arith.constant 0 : index
  %a = memref.alloca() : memref<100000000000xf32>
  %f = arith.constant 3.0 : f32
  memref.store %f, %a[%c0] : memref<100000000000xf32>
  return
}

//--- private-dynamic.mlir
// CHECK: .mlir:[[#@LINE+5]]:{{[0-9]+}}: error: memory limit
// CHECK-NOT: races:
func.func @k(%x: memref<4xf32>) attributes {gpu.known_block_size = array<i32: 4, 1, 1>} {
  %c0 = arith.constant 0 : index
  %n = arith.constant 2000000000000000000 : index
  %a = memref.alloca(%n) : memref<?xf32>
  %f = arith.constant 3.0 : f32
  memref.store %f, %a[%c0] : memref<?xf32>
  return
}

//--- workgroup-in-loop.mlir
// CHECK: .mlir:[[#@LINE+8]]:{{[0-9]+}}: error: memory limit
// CHECK-NOT: races:
func.func @k(%x: memref<4xf32>) attributes {gpu.known_block_size = array<i32: 2, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 1000000000 : index
  scf.for %i = %c0 to %n step %c1 {
    %a = memref.alloc() : memref<262144xf32, 3>
    %v = memref.load %a[%c0] : memref<262144xf32, 3>
  }
  return
}

//--- shadow.mlir
// What is known of bytes takes more than the bytes.
// CHECK: .mlir:[[#@LINE+5]]:{{[0-9]+}}: error: memory limit
// CHECK-NOT: races:
func.func @k(%x: memref<100000000xi8>) attributes {gpu.known_block_size = array<i32: 1, 1, 1>} {
  %c1 = arith.constant 1 : index
  %one = arith.constant 1 : i8
  memref.store %one, %x[%c1] : memref<100000000xi8>
  return
}

//--- global.mlir
// CHECK: .mlir:[[#@LINE+2]]:{{[0-9]+}}: error: memory limit
// CHECK-NOT: races:
memref.global @g : memref<100000000000xf32> = uninitialized
func.func @k(%x: memref<1xf32>) attributes {gpu.known_block_size = array<i32: 1, 1, 1>} {
  %c0 = arith.constant 0 : index
  %g = memref.get_global @g : memref<100000000000xf32>
  %v = memref.load %g[%c0] : memref<100000000000xf32>
  return
}

//--- contents.mlir
// CHECK: .mlir:[[#@LINE+2]]:{{[0-9]+}}: error: a global with contents of 4000000000 bytes, of 67108864 that the emulator compiles; pass it as an argument{{$}}
// CHECK-NOT: races:
memref.global constant @g : memref<1000000000xf32> = dense<1.0>
func.func @k(%x: memref<1xf32>) attributes {gpu.known_block_size = array<i32: 1, 1, 1>} {
  %g = memref.get_global @g : memref<1000000000xf32>
  return
}

//--- argument.mlir
// CHECK: error: --arg=0:uninit: the arguments take more than a quarter of the memory that 'max-memory' allows; a run needs copies of them{{$}}
// CHECK-NOT: races:
func.func @k(%x: memref<100000000000xf32>) attributes {gpu.known_block_size = array<i32: 1, 1, 1>} {
  return
}

//--- extents.mlir
// CHECK: .mlir:[[#@LINE+2]]:{{[0-9]+}}: error: argument 0 of type 'memref<4294967296x4294967296xf32>' is larger than any memory; use smaller extents{{$}}
// CHECK-NOT: races:
func.func @k(%x: memref<4294967296x4294967296xf32>) attributes {gpu.known_block_size = array<i32: 1, 1, 1>} {
  return
}

//--- negative-stride.mlir
// CHECK: .mlir:[[#@LINE+2]]:{{[0-9]+}}: error: argument 0 of type 'memref<4xf32, strided<[-1], offset: 2>>' has elements before its first byte or too far behind it; use other strides{{$}}
// CHECK-NOT: races:
func.func @k(%x: memref<4xf32, strided<[-1], offset: 2>>) attributes {gpu.known_block_size = array<i32: 1, 1, 1>} {
  return
}

//--- large-stride.mlir
// CHECK: .mlir:[[#@LINE+2]]:{{[0-9]+}}: error: argument 0 of type {{.*}} has elements before its first byte or too far behind it
// CHECK-NOT: races:
func.func @k(%x: memref<4xf32, strided<[4611686018427387904]>>) attributes {gpu.known_block_size = array<i32: 1, 1, 1>} {
  return
}

//--- dynamic-bytes.mlir
// CHECK: .mlir:[[#@LINE+2]]:{{[0-9]+}}: error: 'func.func' op attribute 'memspace.dynamic_workgroup_bytes' must be an i64 that is not negative; got -1 : i64{{$}}
// CHECK-NOT: races:
func.func @k() attributes {gpu.known_block_size = array<i32: 4, 1, 1>, memspace.dynamic_workgroup_bytes = -1 : i64} {
  return
}

//--- attribution.mlir
// CHECK: .mlir:[[#@LINE+3]]:{{[0-9]+}}: error: an attribution of type 'memref<?xf32, 3>': a GPU cannot allocate a dynamic size; give an upper bound{{$}}
// CHECK-NOT: races:
gpu.module @m {
  gpu.func @k() workgroup(%w: memref<?xf32, 3>) kernel attributes {known_block_size = array<i32: 4, 1, 1>} {
    gpu.return
  }
}

//--- vector.mlir
// CHECK: .mlir:[[#@LINE+4]]:{{[0-9]+}}: error: 'vector.load' has a value of type 'vector<1000000xf32>', which has more than 16384 elements; use smaller vectors{{$}}
// CHECK-NOT: races:
func.func @k(%x: memref<1000000xf32>) attributes {gpu.known_block_size = array<i32: 1, 1, 1>} {
  %c0 = arith.constant 0 : index
  %v = vector.load %x[%c0] : memref<1000000xf32>, vector<1000000xf32>
  vector.store %v, %x[%c0] : memref<1000000xf32>, vector<1000000xf32>
  return
}

//--- scalable-vector.mlir
// CHECK: .mlir:[[#@LINE+4]]:{{[0-9]+}}: error: 'vector.load' has a value of type 'vector<[4]xf32>', which has a size that no CPU knows; use vectors of a fixed size{{$}}
// CHECK-NOT: races:
func.func @k(%x: memref<64xf32>) attributes {gpu.known_block_size = array<i32: 1, 1, 1>} {
  %c0 = arith.constant 0 : index
  %v = vector.load %x[%c0] : memref<64xf32>, vector<[4]xf32>
  return
}

//--- contraction.mlir
// CHECK: .mlir:[[#@LINE+6]]:{{[0-9]+}}: error: 'vector.contract' and what comes before it become more than 262144 instructions; use smaller vectors or a loop{{$}}
// CHECK-NOT: races:
func.func @k(%x: memref<128x128xf32>) attributes {gpu.known_block_size = array<i32: 1, 1, 1>} {
  %c0 = arith.constant 0 : index
  %z = arith.constant 0.0 : f32
  %v = vector.transfer_read %x[%c0, %c0], %z : memref<128x128xf32>, vector<128x128xf32>
  %w = vector.contract {indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (k, j)>, affine_map<(i, j, k) -> (i, j)>], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %v, %v, %v : vector<128x128xf32>, vector<128x128xf32> into vector<128x128xf32>
  vector.transfer_write %w, %x[%c0, %c0] : vector<128x128xf32>, memref<128x128xf32>
  return
}

//--- code.mlir
// CHECK: .mlir:[[#@LINE+2]]:{{[0-9]+}}: error: the kernel becomes {{[0-9]+}} instructions for single values, of 262144 that the emulator compiles; use smaller vectors or loops{{$}}
// CHECK-NOT: races:
func.func @k(%x: memref<128x128xf32>) attributes {gpu.known_block_size = array<i32: 1, 1, 1>} {
  %c0 = arith.constant 0 : index
  %z = arith.constant 0.0 : f32
  %a = vector.transfer_read %x[%c0, %c0], %z : memref<128x128xf32>, vector<128x128xf32>
  %b = vector.transpose %a, [1, 0] : vector<128x128xf32> to vector<128x128xf32>
  %c = arith.addf %a, %b : vector<128x128xf32>
  %d = vector.transpose %c, [1, 0] : vector<128x128xf32> to vector<128x128xf32>
  vector.transfer_write %d, %x[%c0, %c0] : vector<128x128xf32>, memref<128x128xf32>
  return
}

//--- no-threads.mlir
// CHECK: .mlir:[[#@LINE+2]]:{{[0-9]+}}: error: 'gpu.known_block_size' is array<i32: 0, 1, 1>; wanted are three positive numbers, array<i32: x, y, z>{{$}}
// CHECK-NOT: races:
func.func @k(%x: memref<4xf32>) attributes {gpu.known_block_size = array<i32: 0, 1, 1>} {
  return
}

//--- negative-threads.mlir
// Their product is positive.
// CHECK: .mlir:[[#@LINE+2]]:{{[0-9]+}}: error: 'gpu.known_block_size' is array<i32: -4, -1, 1>; wanted are three positive numbers
// CHECK-NOT: races:
func.func @k(%x: memref<4xf32>) attributes {gpu.known_block_size = array<i32: -4, -1, 1>} {
  return
}

//--- negative-grid.mlir
// CHECK: .mlir:[[#@LINE+2]]:{{[0-9]+}}: error: 'gpu.known_grid_size' is array<i32: 1, -1, 1>; wanted are three positive numbers
// CHECK-NOT: races:
func.func @k(%x: memref<4xf32>) attributes {gpu.known_block_size = array<i32: 4, 1, 1>, gpu.known_grid_size = array<i32: 1, -1, 1>} {
  return
}

//--- two-extents.mlir
// CHECK: .mlir:[[#@LINE+2]]:{{[0-9]+}}: error: {{.*}}gpu.known_block_size
// CHECK-NOT: races:
func.func @k(%x: memref<4xf32>) attributes {gpu.known_block_size = array<i32: 4, 1>} {
  return
}

//--- many-threads.mlir
// 2^64 of them, which is 0 in 64 bits.
// CHECK: .mlir:[[#@LINE+2]]:{{[0-9]+}}: error: a workgroup has at most 1024 threads{{$}}
// CHECK-NOT: races:
func.func @k(%x: memref<4xf32>) attributes {gpu.known_block_size = array<i32: 1073741824, 1073741824, 16>} {
  return
}

//--- many-workgroups.mlir
// CHECK: .mlir:[[#@LINE+2]]:{{[0-9]+}}: error: the grid has more threads than the emulator can number{{$}}
// CHECK-NOT: races:
func.func @k(%x: memref<4xf32>) attributes {gpu.known_block_size = array<i32: 1, 1, 1>, gpu.known_grid_size = array<i32: 2147483647, 2147483647, 2147483647>} {
  return
}

//--- long-launch.mlir
// CHECK: .mlir:[[#@LINE+2]]:{{[0-9]+}}: error: the launch has 1024000000 threads, each of which is 128 steps of the 268435456 that 'max-steps' allows; run fewer, or allow more{{$}}
// CHECK-NOT: races:
func.func @k(%x: memref<4xf32>) attributes {gpu.known_block_size = array<i32: 1024, 1, 1>, gpu.known_grid_size = array<i32: 1000000, 1, 1>} {
  return
}

//--- wide-numbers.mlir
// CHECK: .mlir:[[#@LINE+2]]:{{[0-9]+}}: error: argument 0 of type 'memref<8xi128>' has numbers of more than 64 bits, which a launch cannot pass; use narrower ones{{$}}
// CHECK-NOT: races:
func.func @k(%x: memref<8xi128>) attributes {gpu.known_block_size = array<i32: 1, 1, 1>} {
  return
}

//--- wider-numbers.mlir
// CHECK: .mlir:[[#@LINE+4]]:{{[0-9]+}}: error: 'arith.extsi' has a value of type 'i1000', which is not emulated; use numbers, vectors or memrefs of them{{$}}
// CHECK-NOT: races:
func.func @k(%x: memref<8xi32>, %i: i32) attributes {gpu.known_block_size = array<i32: 1, 1, 1>} {
  %c0 = arith.constant 0 : index
  %a = arith.extsi %i : i32 to i1000
  return
}

//--- extended-numbers.mlir
// CHECK: .mlir:[[#@LINE+2]]:{{[0-9]+}}: error: argument 0 of type 'memref<8xf80>' is not emulated; use numbers, vectors or memrefs of them{{$}}
// CHECK-NOT: races:
func.func @k(%x: memref<8xf80>) attributes {gpu.known_block_size = array<i32: 1, 1, 1>} {
  return
}

//--- function-argument.mlir
// CHECK: .mlir:[[#@LINE+2]]:{{[0-9]+}}: error: argument 0 of type '(i32) -> i32' has no known size; pass numbers, vectors or memrefs of them{{$}}
// CHECK-NOT: races:
func.func @k(%f: (i32) -> i32) attributes {gpu.known_block_size = array<i32: 1, 1, 1>} {
  return
}

//--- tuple-argument.mlir
// CHECK: .mlir:[[#@LINE+2]]:{{[0-9]+}}: error: argument 0 of type 'tuple<i32, f32>' has no known size; pass numbers, vectors or memrefs of them{{$}}
// CHECK-NOT: races:
func.func @k(%t: tuple<i32, f32>) attributes {gpu.known_block_size = array<i32: 1, 1, 1>} {
  return
}

//--- foreign-argument.mlir
// CHECK: .mlir:[[#@LINE+2]]:{{[0-9]+}}: error: argument 0 of type '!my.type' has no known size; pass numbers, vectors or memrefs of them{{$}}
// CHECK-NOT: races:
func.func @k(%t: !my.type) attributes {gpu.known_block_size = array<i32: 1, 1, 1>} {
  return
}

//--- scalable-argument.mlir
// CHECK: .mlir:[[#@LINE+2]]:{{[0-9]+}}: error: argument 0 of type 'vector<[4]xf32>' has no known size; pass numbers, vectors or memrefs of them{{$}}
// CHECK-NOT: races:
func.func @k(%v: vector<[4]xf32>) attributes {gpu.known_block_size = array<i32: 1, 1, 1>} {
  return
}
