// RUN: split-file %s %t
// RUN: %each-refused %t

// Matrix ops that have no documented layout or meaning, or that not all lanes of a
// subgroup execute alike: one diagnostic at the op.

//--- sparse.mlir
// CHECK: .mlir:[[#@LINE+3]]:{{[0-9]+}}: error: 'nvgpu.mma.sp.sync' is not emulated; lower it to gpu, memref or vector ops first{{$}}
// CHECK-NOT: races:
func.func @k(%a: vector<4x2xf16>, %b: vector<4x2xf16>, %c: vector<2x2xf16>, %m: vector<2xi16>) attributes {gpu.known_block_size = array<i32: 32, 1, 1>} {
  %d = nvgpu.mma.sp.sync(%a, %b, %c) metadata(%m) {mmaShape = [16, 8, 32]} : (vector<4x2xf16>, vector<4x2xf16>, vector<2x2xf16>) -> vector<2x2xf16>
  return
}

//--- scaled.mlir
// CHECK: .mlir:[[#@LINE+5]]:{{[0-9]+}}: error: 'amdgpu.scaled_mfma' is not emulated; lower it to gpu, memref or vector ops first{{$}}
// CHECK-NOT: races:
func.func @k(%s: f8E8M0FNU) attributes {gpu.known_block_size = array<i32: 32, 1, 1>} {
  %a = arith.constant dense<1.0> : vector<32xf8E4M3FN>
  %c = arith.constant dense<1.0> : vector<4xf32>
  %d = amdgpu.scaled_mfma 16x16x128 (%s[0] * %a) * (%s[0] * %a) + %c : f8E8M0FNU, vector<32xf8E4M3FN>, f8E8M0FNU, vector<32xf8E4M3FN>, vector<4xf32>
  return
}

//--- mma-shape.mlir
// CHECK: .mlir:[[#@LINE+3]]:{{[0-9]+}}: error: 'nvgpu.mma.sync' has no m16n16k16 of 'f16' with results of 'f32' in the PTX ISA; use one of its shapes{{$}}
// CHECK-NOT: races:
func.func @k(%a: vector<4x2xf16>, %c: vector<4x2xf32>) attributes {gpu.known_block_size = array<i32: 32, 1, 1>} {
  %d = nvgpu.mma.sync(%a, %a, %c) {mmaShape = [16, 16, 16]} : (vector<4x2xf16>, vector<4x2xf16>, vector<4x2xf32>) -> vector<4x2xf32>
  return
}

//--- mma-f32.mlir
// CHECK: .mlir:[[#@LINE+3]]:{{[0-9]+}}: error: 'nvgpu.mma.sync' of f32 is an op of tf32; say so with 'tf32Enabled', or use f64{{$}}
// CHECK-NOT: races:
func.func @k(%a: vector<4x1xf32>, %b: vector<2x1xf32>, %c: vector<2x2xf32>) attributes {gpu.known_block_size = array<i32: 32, 1, 1>} {
  %d = nvgpu.mma.sync(%a, %b, %c) {mmaShape = [16, 8, 8]} : (vector<4x1xf32>, vector<2x1xf32>, vector<2x2xf32>) -> vector<2x2xf32>
  return
}

//--- mfma-subgroup.mlir
// CHECK: .mlir:[[#@LINE+3]]:{{[0-9]+}}: error: 'amdgpu.mfma' needs a subgroup of 64 threads, and the kernel's have 32; run it with '--subgroup-size=64', or with a '--chip' whose subgroups have as many{{$}}
// CHECK-NOT: races:
func.func @k(%x: vector<4xf16>, %y: vector<4xf32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %d = amdgpu.mfma 16x16x16 %x * %x + %y blgp = none : vector<4xf16>, vector<4xf16>, vector<4xf32>
  return
}

//--- mfma-shape.mlir
// CHECK: .mlir:[[#@LINE+3]]:{{[0-9]+}}: error: 'amdgpu.mfma' has no 4x16x16 of 'f16' with results of 'f32' in the CDNA ISA; use one of its shapes{{$}}
// CHECK-NOT: races:
func.func @k(%x: vector<4xf16>, %y: vector<4xf32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %d = amdgpu.mfma 4x16x16 %x * %x + %y {blocks = 4 : i32} blgp = none : vector<4xf16>, vector<4xf16>, vector<4xf32>
  return
}

//--- mfma-broadcast.mlir
// CHECK: .mlir:[[#@LINE+3]]:{{[0-9]+}}: error: 'amdgpu.mfma' has 'cbsz = 3', which broadcasts a block to more than there are; use at most 2{{$}}
// CHECK-NOT: races:
func.func @k(%x: f32, %y: vector<16xf32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %d = amdgpu.mfma 16x16x1 %x * %x + %y {blocks = 4 : i32, cbsz = 3 : i32, abid = 1 : i32} blgp = none : f32, f32, vector<16xf32>
  return
}

//--- wmma-wave64.mlir
// CHECK: .mlir:[[#@LINE+3]]:{{[0-9]+}}: error: 'amdgpu.wmma' of 'vector<4xf16>', 'vector<4xf16>' and 'vector<4xf32>' with k = 16 is no op of the RDNA3 ISA or, for subgroups of 32, of the RDNA4 ISA; use a shape of theirs{{$}}
// CHECK-NOT: races:
func.func @k(%x: vector<4xf16>, %y: vector<4xf32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %d = amdgpu.wmma 16x16x16 %x * %x + %y : vector<4xf16>, vector<4xf16>, vector<4xf32>
  return
}

//--- wmma-unsigned.mlir
// CHECK: .mlir:[[#@LINE+3]]:{{[0-9]+}}: error: 'amdgpu.wmma' of 'ui8' is not emulated; use signless integers, with 'unsignedA' and 'unsignedB'{{$}}
// CHECK-NOT: races:
func.func @k(%x: vector<8xui8>, %y: vector<8xi32>) attributes {gpu.known_block_size = array<i32: 32, 1, 1>} {
  %d = amdgpu.wmma 16x16x16 %x * %x + %y : vector<8xui8>, vector<8xui8>, vector<8xi32>
  return
}

//--- ldmatrix.mlir
// CHECK: .mlir:[[#@LINE+4]]:{{[0-9]+}}: error: 'nvgpu.ldmatrix' loads 1, 2 or 4 tiles of rows of 16 contiguous bytes, of elements of 8, 16 or 32 bits; this one does not{{$}}
// CHECK-NOT: races:
func.func @k(%i: index) attributes {gpu.known_block_size = array<i32: 32, 1, 1>} {
  %w = memref.alloc() : memref<8x8xf16, 3>
  %a = nvgpu.ldmatrix %w[%i, %i] {numTiles = 3 : i32, transpose = false} : memref<8x8xf16, 3> -> vector<3x2xf16>
  return
}

//--- uneven.mlir
// CHECK: .mlir:[[#@LINE+3]]:{{[0-9]+}}: error: 'gpu.subgroup_mma_load_matrix' has a matrix of 16 elements, which the 32 threads of a subgroup cannot share equally; use another shape or '--subgroup-size'{{$}}
// CHECK-NOT: races:
func.func @k(%x: memref<16x16xf16>, %i: index) attributes {gpu.known_block_size = array<i32: 32, 1, 1>} {
  %a = gpu.subgroup_mma_load_matrix %x[%i, %i] {leadDimension = 16 : index} : memref<16x16xf16> -> !gpu.mma_matrix<4x4xf16, "AOp">
  return
}

//--- element-type.mlir
// CHECK: .mlir:[[#@LINE+3]]:{{[0-9]+}}: error: 'gpu.subgroup_mma_load_matrix' moves 'f32' to or from a memref of 'f16'; use one type for both{{$}}
// CHECK-NOT: races:
func.func @k(%x: memref<16x16xf16>, %i: index) attributes {gpu.known_block_size = array<i32: 32, 1, 1>} {
  %a = gpu.subgroup_mma_load_matrix %x[%i, %i] {leadDimension = 16 : index} : memref<16x16xf16> -> !gpu.mma_matrix<16x16xf32, "COp">
  return
}

//--- mixed.mlir
// CHECK: .mlir:[[#@LINE+6]]:{{[0-9]+}}: error: 'gpu.subgroup_mma_compute' multiplies 'f16' and 'f64' into 'f64', which no target does; use floats or integers for all, and f64 for all or none{{$}}
// CHECK-NOT: races:
func.func @k(%x: memref<16x16xf16>, %y: memref<16x16xf64>, %i: index) attributes {gpu.known_block_size = array<i32: 32, 1, 1>} {
  %a = gpu.subgroup_mma_load_matrix %x[%i, %i] {leadDimension = 16 : index} : memref<16x16xf16> -> !gpu.mma_matrix<16x16xf16, "AOp">
  %b = gpu.subgroup_mma_load_matrix %y[%i, %i] {leadDimension = 16 : index} : memref<16x16xf64> -> !gpu.mma_matrix<16x16xf64, "BOp">
  %c = gpu.subgroup_mma_load_matrix %y[%i, %i] {leadDimension = 16 : index} : memref<16x16xf64> -> !gpu.mma_matrix<16x16xf64, "COp">
  %d = gpu.subgroup_mma_compute %a, %b, %c : !gpu.mma_matrix<16x16xf16, "AOp">, !gpu.mma_matrix<16x16xf64, "BOp"> -> !gpu.mma_matrix<16x16xf64, "COp">
  return
}

//--- elementwise.mlir
// CHECK: .mlir:[[#@LINE+4]]:{{[0-9]+}}: error: 'gpu.subgroup_mma_elementwise' has operands or a type that 'addi' does not take; use matrices of its kind of numbers{{$}}
// CHECK-NOT: races:
func.func @k(%x: memref<16x16xf16>, %i: index) attributes {gpu.known_block_size = array<i32: 32, 1, 1>} {
  %a = gpu.subgroup_mma_load_matrix %x[%i, %i] {leadDimension = 16 : index} : memref<16x16xf16> -> !gpu.mma_matrix<16x16xf16, "COp">
  %d = gpu.subgroup_mma_elementwise addi %a, %a : (!gpu.mma_matrix<16x16xf16, "COp">, !gpu.mma_matrix<16x16xf16, "COp">) -> !gpu.mma_matrix<16x16xf16, "COp">
  return
}

//--- two-indices.mlir
// CHECK: .mlir:[[#@LINE+4]]:{{[0-9]+}}: error: 'gpu.subgroup_mma_extract_thread_local' has 2 indices; the elements of a thread are a row here, use one index{{$}}
// CHECK-NOT: races:
func.func @k(%x: memref<16x16xf16>, %i: index) attributes {gpu.known_block_size = array<i32: 32, 1, 1>} {
  %a = gpu.subgroup_mma_load_matrix %x[%i, %i] {leadDimension = 16 : index} : memref<16x16xf16> -> !gpu.mma_matrix<16x16xf16, "COp">
  %d = gpu.subgroup_mma_extract_thread_local %a[%i, %i] : !gpu.mma_matrix<16x16xf16, "COp"> -> f16
  return
}

//--- partial-subgroup.mlir
// CHECK: .mlir:[[#@LINE+6]]:{{[0-9]+}}: error: a matrix op needs all 32 threads of its subgroup, and lane 16 does not exist; use a workgroup of a multiple of 32 threads{{$}}
// CHECK-NOT: races:
func.func @k(%x: memref<16x16xf16>) attributes {gpu.known_block_size = array<i32: 48, 1, 1>} {
  %i = arith.constant 0 : index
  %one = arith.constant 1.0 : f16
  %a = gpu.subgroup_mma_constant_matrix %one : !gpu.mma_matrix<16x16xf16, "COp">
  gpu.subgroup_mma_store_matrix %a, %x[%i, %i] {leadDimension = 16 : index} : !gpu.mma_matrix<16x16xf16, "COp">, memref<16x16xf16>
  return
}

//--- addresses.mlir
// CHECK: .mlir:[[#@LINE+7]]:{{[0-9]+}}: error: lanes 0 and 1 of a subgroup give different addresses of one matrix; compute them from values that are the same in all lanes{{$}}
// CHECK-NOT: races:
func.func @k(%x: memref<64x16xf16>) attributes {gpu.known_block_size = array<i32: 32, 1, 1>} {
  %i = arith.constant 0 : index
  %t = gpu.thread_id x
  %one = arith.constant 1.0 : f16
  %a = gpu.subgroup_mma_constant_matrix %one : !gpu.mma_matrix<16x16xf16, "COp">
  gpu.subgroup_mma_store_matrix %a, %x[%t, %i] {leadDimension = 16 : index} : !gpu.mma_matrix<16x16xf16, "COp">, memref<64x16xf16>
  return
}

//--- copies.mlir
// CHECK: .mlir:[[#@LINE+8]]:{{[0-9]+}}: error: the op needs the same values of A in lanes 0 and 16, which hold copies; load them alike{{$}}
// CHECK-NOT: races:
func.func @k(%x: memref<1xf16>) attributes {gpu.known_block_size = array<i32: 32, 1, 1>} {
  %t = gpu.thread_id x
  %i = arith.index_cast %t : index to i32
  %f = arith.uitofp %i : i32 to f16
  %a = vector.broadcast %f : f16 to vector<16xf16>
  %c = arith.constant dense<0.0> : vector<8xf32>
  %d = amdgpu.wmma 16x16x16 %a * %a + %c : vector<16xf16>, vector<16xf16>, vector<8xf32>
  return
}

//--- callee.mlir
// CHECK: .mlir:[[#@LINE+9]]:{{[0-9]+}}: error: 'func.call' calls a function with a barrier or subgroup op; inline it with 'inline'{{$}}
// CHECK-NOT: races:
func.func @f() {
  %a = arith.constant dense<1.0> : vector<1x1xf64>
  %c = arith.constant dense<1.0> : vector<1x2xf64>
  %d = nvgpu.mma.sync(%a, %a, %c) {mmaShape = [8, 8, 4]} : (vector<1x1xf64>, vector<1x1xf64>, vector<1x2xf64>) -> vector<1x2xf64>
  return
}
func.func @k(%x: f64) attributes {gpu.known_block_size = array<i32: 32, 1, 1>} {
  func.call @f() : () -> ()
  return
}

//--- lead.mlir
// CHECK: .mlir:[[#@LINE+3]]:{{[0-9]+}}: error: 'gpu.subgroup_mma_load_matrix' has a leading dimension of 1099511627776, with which no memory has 16 rows; give the elements from one row to the next{{$}}
// CHECK-NOT: races:
func.func @k(%x: memref<16x16xf16>, %i: index) attributes {gpu.known_block_size = array<i32: 32, 1, 1>} {
  %a = gpu.subgroup_mma_load_matrix %x[%i, %i] {leadDimension = 1099511627776 : index} : memref<16x16xf16> -> !gpu.mma_matrix<16x16xf16, "AOp">
  return
}

//--- mma-result.mlir
// CHECK: .mlir:[[#@LINE+4]]:{{[0-9]+}}: error: 'nvgpu.mma.sync' has no m16n8k16 of 'i8' with results of 'i128' in the PTX ISA; use one of its shapes{{$}}
// CHECK-NOT: races:
func.func @k(%a: vector<2x4xi8>, %b: vector<1x4xi8>) attributes {gpu.known_block_size = array<i32: 32, 1, 1>} {
  %c = arith.constant dense<0> : vector<2x2xi128>
  %d = nvgpu.mma.sync(%a, %b, %c) {mmaShape = [16, 8, 16]} : (vector<2x4xi8>, vector<1x4xi8>, vector<2x2xi128>) -> vector<2x2xi128>
  return
}

//--- mma-double.mlir
// CHECK: .mlir:[[#@LINE+3]]:{{[0-9]+}}: error: 'nvgpu.mma.sync' has no m16n8k16 of 'f16' with results of 'f64' in the PTX ISA; use one of its shapes{{$}}
// CHECK-NOT: races:
func.func @k(%a: vector<4x2xf16>, %b: vector<2x2xf16>, %c: vector<2x2xf64>) attributes {gpu.known_block_size = array<i32: 32, 1, 1>} {
  %d = nvgpu.mma.sync(%a, %b, %c) {mmaShape = [16, 8, 16]} : (vector<4x2xf16>, vector<2x2xf16>, vector<2x2xf64>) -> vector<2x2xf64>
  return
}

//--- empty.mlir
// CHECK: .mlir:[[#@LINE+3]]:{{[0-9]+}}: error: 'gpu.subgroup_mma_constant_matrix' is not emulated; lower it to gpu, memref or vector ops first{{$}}
// CHECK-NOT: races:
func.func @k(%x: f16) attributes {gpu.known_block_size = array<i32: 32, 1, 1>} {
  %a = gpu.subgroup_mma_constant_matrix %x : !gpu.mma_matrix<0x16xf16, "AOp">
  return
}
