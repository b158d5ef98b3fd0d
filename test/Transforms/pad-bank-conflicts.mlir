// RUN: memspace-opt %s -split-input-file -memspace-pad-bank-conflicts=chip=sm_90 | FileCheck %s
// RUN: memspace-opt %s -split-input-file -memspace-pad-bank-conflicts=chip=sm_90 -o /dev/null --remarks-filter=memspace --remark-policy=all 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: memspace-opt %s -split-input-file "-memspace-pad-bank-conflicts=chip=sm_90 allow-occupancy-loss=true" | FileCheck %s --check-prefix=LOSS
// RUN: memspace-opt %s -split-input-file "-memspace-pad-bank-conflicts=chip=sm_90 workgroup-limit=4220" | FileCheck %s --check-prefix=L4220
// RUN: memspace-opt %s -split-input-file "-memspace-pad-bank-conflicts=chip=sm_90 workgroup-limit=4219" | FileCheck %s --check-prefix=L4219
// RUN: memspace-opt %s -split-input-file "-memspace-pad-bank-conflicts=chip=sm_90 workgroup-limit=4400" | FileCheck %s --check-prefix=L4400
// RUN: memspace-opt %s -split-input-file -memspace-pad-bank-conflicts=chip=gfx942 | FileCheck %s --check-prefix=AMD
// RUN: memspace-opt %s -split-input-file -memspace-pad-bank-conflicts=chip=gfx950 | FileCheck %s --check-prefix=CDNA4
// RUN: memspace-opt %s -split-input-file -memspace-pad-bank-conflicts=chip=sm_90 -memspace-pack-workgroup-memory | FileCheck %s --check-prefix=PACKED

#wg = #gpu.address_space<workgroup>

// A tile that is written by rows and read by columns. The last row needs no
// padding: 31 · 33 + 32 elements.
// CHECK-LABEL: @transpose
// CHECK: memref.alloc() {alignment = 16 : i64, memspace.padding = 4 : i64, memspace.reason = "a reason"} : memref<32x32xf32, strided<[33, 1]>, #gpu.address_space<workgroup>>
// CHECK: memref.subview {{.*}} : memref<32x32xf32, strided<[33, 1]>, #gpu.address_space<workgroup>> to memref<4x1xf32, strided<[33, 1], offset: ?>, #gpu.address_space<workgroup>>
// CHECK: memref.subview {{.*}} : memref<32x32xf32, strided<[33, 1]>, #gpu.address_space<workgroup>> to memref<1x4xf32, strided<[33, 1], offset: ?>, #gpu.address_space<workgroup>>
// REMARK-DAG: [Passed] Padding | Category:memspace | Function=transpose | BytesPerRow=4, DegreeAfter=1, DegreeBefore=32, WorkgroupBytes=4220
// L4220-LABEL: @transpose
// L4220: memspace.padding = 4
// L4219-LABEL: @transpose
// L4219: memref.alloc() {alignment = 16 : i64, memspace.reason = "a reason"} : memref<32x32xf32, #gpu
// PACKED-LABEL: @transpose
// PACKED: memref.alloc() {{.*}} : memref<4220xi8, #gpu.address_space<workgroup>>
// PACKED: memref.view {{.*}}memspace.padding = 4 : i64
func.func @transpose(%x: memref<64x96xf32>, %out: memref<96x64xf32>)
    attributes {gpu.known_block_size = array<i32: 32, 8, 1>, gpu.known_grid_size = array<i32: 3, 2, 1>} {
  %bx = gpu.block_id x
  %by = gpu.block_id y
  %tx = gpu.thread_id x
  %ty = gpu.thread_id y
  %tile = memref.alloc() {alignment = 16 : i64, memspace.reason = "a reason"} : memref<32x32xf32, #wg>
  %row = affine.apply affine_map<(d0, d1) -> (d0 * 32 + d1 * 4)>(%by, %ty)
  %column = affine.apply affine_map<(d0, d1) -> (d0 * 32 + d1)>(%bx, %tx)
  %ty4 = affine.apply affine_map<(d0) -> (d0 * 4)>(%ty)
  %s = memref.subview %x[%row, %column] [4, 1] [1, 1] : memref<64x96xf32> to memref<4x1xf32, strided<[96, 1], offset: ?>>
  %d = memref.subview %tile[%ty4, %tx] [4, 1] [1, 1] : memref<32x32xf32, #wg> to memref<4x1xf32, strided<[32, 1], offset: ?>, #wg>
  linalg.copy ins(%s : memref<4x1xf32, strided<[96, 1], offset: ?>>) outs(%d : memref<4x1xf32, strided<[32, 1], offset: ?>, #wg>)
  %t = memref.subview %tile[%tx, %ty4] [1, 4] [1, 1] : memref<32x32xf32, #wg> to memref<1x4xf32, strided<[32, 1], offset: ?>, #wg>
  %row2 = affine.apply affine_map<(d0, d1) -> (d0 * 32 + d1 * 4)>(%bx, %ty)
  %column2 = affine.apply affine_map<(d0, d1) -> (d0 * 32 + d1)>(%by, %tx)
  %o = memref.subview %out[%row2, %column2] [4, 1] [1, 1] : memref<96x64xf32> to memref<4x1xf32, strided<[64, 1], offset: ?>>
  linalg.transpose ins(%t : memref<1x4xf32, strided<[32, 1], offset: ?>, #wg>) outs(%o : memref<4x1xf32, strided<[64, 1], offset: ?>>) permutation = [1, 0]
  memref.dealloc %tile : memref<32x32xf32, #wg>
  return
}

// -----

#wg = #gpu.address_space<workgroup>

// Nothing meets: nothing is done, nothing is said.
// CHECK-LABEL: @by_rows
// CHECK: memref.alloc() : memref<32x32xf32, #gpu.address_space<workgroup>>
// REMARK-NOT: Function=by_rows
func.func @by_rows(%x: memref<32xf32>) attributes {gpu.known_block_size = array<i32: 32, 1, 1>} {
  %c0 = arith.constant 0 : index
  %tx = gpu.thread_id x
  %tile = memref.alloc() : memref<32x32xf32, #wg>
  %0 = memref.load %x[%tx] : memref<32xf32>
  memref.store %0, %tile[%c0, %tx] : memref<32x32xf32, #wg>
  %1 = memref.load %tile[%c0, %c0] : memref<32x32xf32, #wg>
  memref.store %1, %x[%tx] : memref<32xf32>
  return
}

// -----

#wg = #gpu.address_space<workgroup>

// Where the threads read is not known: nothing is decided by it.
// CHECK-LABEL: @by_data
// CHECK: memref.alloc() : memref<32x32xf32, #gpu.address_space<workgroup>>
func.func @by_data(%x: memref<32xf32>, %idx: memref<32xindex>) attributes {gpu.known_block_size = array<i32: 32, 1, 1>} {
  %c0 = arith.constant 0 : index
  %tx = gpu.thread_id x
  %tile = memref.alloc() : memref<32x32xf32, #wg>
  %i = memref.load %idx[%tx] : memref<32xindex>
  %0 = memref.load %x[%tx] : memref<32xf32>
  memref.store %0, %tile[%c0, %tx] : memref<32x32xf32, #wg>
  %1 = memref.load %tile[%i, %c0] : memref<32x32xf32, #wg>
  memref.store %1, %x[%tx] : memref<32xf32>
  return
}

// -----

#wg = #gpu.address_space<workgroup>

// Vectors of 16 bytes stay aligned: four elements, not one. Elements of a few
// bytes share words as before: two of them.
// CHECK-LABEL: @alignment
// CHECK-DAG: memspace.padding = 16 : i64} : memref<32x64xf32, strided<[68, 1]>, #gpu.address_space<workgroup>>
// CHECK-DAG: memspace.padding = 4 : i64} : memref<32x32xf16, strided<[34, 1]>, #gpu.address_space<workgroup>>
// CHECK-DAG: memspace.padding = 16 : i64} : memref<2x32x32xf32, strided<[1152, 36, 1]>, #gpu.address_space<workgroup>>
// CHECK-DAG: memspace.padding = 16 : i64} : memref<32x8xvector<4xf32>, strided<[9, 1]>, #gpu.address_space<workgroup>>
func.func @alignment(%x: memref<32x32xf32>, %h: memref<32xf16>) attributes {gpu.known_block_size = array<i32: 32, 32, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %tx = gpu.thread_id x
  %z = arith.constant 0.0 : f32
  %a = memref.alloc() : memref<32x64xf32, #wg>
  %b = memref.alloc() : memref<32x32xf16, #wg>
  %c = memref.alloc() : memref<2x32x32xf32, #wg>
  %d = memref.alloc() : memref<32x8xvector<4xf32>, #wg>
  %v = vector.load %x[%tx, %c0] : memref<32x32xf32>, vector<4xf32>
  vector.store %v, %a[%c0, %c0] : memref<32x64xf32, #wg>, vector<4xf32>
  %0 = memref.load %a[%tx, %c0] : memref<32x64xf32, #wg>
  %1 = memref.load %h[%tx] : memref<32xf16>
  memref.store %1, %b[%tx, %c0] : memref<32x32xf16, #wg>
  %2 = nvgpu.device_async_copy %x[%tx, %c0], %c[%c1, %tx, %c0], 4 : memref<32x32xf32> to memref<2x32x32xf32, #wg>
  memref.store %v, %d[%tx, %c0] : memref<32x8xvector<4xf32>, #wg>
  return
}

// -----

#wg = #gpu.address_space<workgroup>

// Padded by one element in a row the kernel would take 49152 + 4 · 95 bytes. It
// has exactly the 48 KiB that are static: nothing is padded.
// CHECK-LABEL: @at_the_limit
// CHECK: memref.alloc() : memref<96x128xf32, #gpu.address_space<workgroup>>
// LOSS-LABEL: @at_the_limit
// LOSS: memref.alloc() : memref<96x128xf32, #gpu.address_space<workgroup>>
// REMARK-DAG: [Missed] Padding | Category:memspace | Function=at_the_limit | Degree=32, Reason="the kernel would take 49532 bytes of workgroup memory, the limit is 49152
func.func @at_the_limit(%x: memref<1024xf32>) attributes {gpu.known_block_size = array<i32: 32, 1, 1>} {
  %c0 = arith.constant 0 : index
  %tx = gpu.thread_id x
  %tile = memref.alloc() : memref<96x128xf32, #wg>
  %0 = memref.load %x[%tx] : memref<1024xf32>
  memref.store %0, %tile[%tx, %c0] : memref<96x128xf32, #wg>
  %1 = memref.load %tile[%c0, %tx] : memref<96x128xf32, #wg>
  memref.store %1, %x[%tx] : memref<1024xf32>
  return
}

// -----

#wg = #gpu.address_space<workgroup>

// Above the static limit anyway: the opt-in limit counts. But two workgroups of
// 113 KiB fit in the 228 KiB of an SM, and two of a few bytes more do not.
// CHECK-LABEL: @occupancy
// CHECK: memref.alloc() : memref<226x128xf32, #gpu.address_space<workgroup>>
// LOSS-LABEL: @occupancy
// LOSS: memref.alloc() {memspace.padding = 4 : i64} : memref<226x128xf32, strided<[129, 1]>, #gpu.address_space<workgroup>>
// REMARK-DAG: Function=occupancy | Degree=32, Reason="the kernel would take 116612 bytes of workgroup memory, and 1 instead of 2 workgroups would fit in a compute unit
func.func @occupancy(%x: memref<1024xf32>) attributes {gpu.known_block_size = array<i32: 32, 1, 1>} {
  %c0 = arith.constant 0 : index
  %tx = gpu.thread_id x
  %tile = memref.alloc() : memref<226x128xf32, #wg>
  %0 = memref.load %x[%tx] : memref<1024xf32>
  memref.store %0, %tile[%tx, %c0] : memref<226x128xf32, #wg>
  %1 = memref.load %tile[%c0, %tx] : memref<226x128xf32, #wg>
  memref.store %1, %x[%tx] : memref<1024xf32>
  return
}

// -----

#wg = #gpu.address_space<workgroup>

// 49024 bytes live at once leave 128 for padding: one of the two gets it, the
// one that the loop reads.
// CHECK-LABEL: @compete
// CHECK: %[[A:.*]] = memref.alloc() {test.a} : memref<32x32xf32, #gpu.address_space<workgroup>>
// CHECK: memref.alloc() {memspace.padding = 4 : i64, test.b} : memref<32x32xf32, strided<[33, 1]>, #gpu.address_space<workgroup>>
// REMARK-DAG: [Passed] Padding | Category:memspace | Function=compete | BytesPerRow=4, DegreeAfter=1, DegreeBefore=32, WorkgroupBytes=49148
// REMARK-DAG: [Missed] Padding | Category:memspace | Function=compete | Degree=32, Reason="the kernel would take 49276 bytes of workgroup memory, the limit is 49152
// PACKED-LABEL: @compete
// PACKED: memref.alloc() {{.*}} : memref<49148xi8, #gpu.address_space<workgroup>>
func.func @compete(%x: memref<1024xf32>, %bytes: memref<1024xi8>) attributes {gpu.known_block_size = array<i32: 32, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %tx = gpu.thread_id x
  %a = memref.alloc() {test.a} : memref<32x32xf32, #wg>
  %b = memref.alloc() {test.b} : memref<32x32xf32, #wg>
  %rest = memref.alloc() : memref<40832xi8, #wg>
  %0 = memref.load %x[%tx] : memref<1024xf32>
  memref.store %0, %a[%c0, %tx] : memref<32x32xf32, #wg>
  memref.store %0, %b[%c0, %tx] : memref<32x32xf32, #wg>
  %1 = memref.load %bytes[%tx] : memref<1024xi8>
  memref.store %1, %rest[%tx] : memref<40832xi8, #wg>
  gpu.barrier
  %2 = memref.load %a[%tx, %c0] : memref<32x32xf32, #wg>
  memref.store %2, %x[%tx] : memref<1024xf32>
  scf.for %k = %c0 to %c32 step %c1 {
    %3 = memref.load %b[%tx, %k] : memref<32x32xf32, #wg>
    memref.store %3, %x[%tx] : memref<1024xf32>
  }
  %4 = memref.load %rest[%c0] : memref<40832xi8, #wg>
  memref.store %4, %bytes[%tx] : memref<1024xi8>
  return
}

// -----

#wg = #gpu.address_space<workgroup>

// Eight rows of four elements at once want rows that begin four banks apart.
// Where that is too much, two banks apart are better than none.
// CHECK-LABEL: @less_is_more_than_nothing
// CHECK: memspace.padding = 16 : i64} : memref<32x32xf32, strided<[36, 1]>, #gpu.address_space<workgroup>>
// L4400-LABEL: @less_is_more_than_nothing
// L4400: memspace.padding = 8 : i64} : memref<32x32xf32, strided<[34, 1]>, #gpu.address_space<workgroup>>
// L4220-LABEL: @less_is_more_than_nothing
// L4220: memspace.padding = 4 : i64} : memref<32x32xf32, strided<[33, 1]>, #gpu.address_space<workgroup>>
func.func @less_is_more_than_nothing(%x: memref<32xf32>) attributes {gpu.known_block_size = array<i32: 32, 1, 1>} {
  %c8 = arith.constant 8 : index
  %tx = gpu.thread_id x
  %tile = memref.alloc() : memref<32x32xf32, #wg>
  %q = arith.divui %tx, %c8 : index
  %r = arith.remui %tx, %c8 : index
  %0 = memref.load %tile[%r, %q] : memref<32x32xf32, #wg>
  memref.store %0, %x[%tx] : memref<32xf32>
  return
}

// -----

#wg = #gpu.address_space<workgroup>

// Chips differ: eight rows that begin eight banks apart meet in 32 banks, but
// not in 64.
// AMD-LABEL: @banks
// AMD: memspace.padding = 16 : i64} : memref<8x40xf32, strided<[44, 1]>
// CDNA4-LABEL: @banks
// CDNA4: memref.alloc() : memref<8x40xf32, #gpu
func.func @banks(%x: memref<64xf32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %c8 = arith.constant 8 : index
  %tx = gpu.thread_id x
  %tile = memref.alloc() : memref<8x40xf32, #wg>
  %q = arith.divui %tx, %c8 : index
  %r = arith.remui %tx, %c8 : index
  %0 = memref.load %tile[%r, %q] : memref<8x40xf32, #wg>
  memref.store %0, %x[%tx] : memref<64xf32>
  return
}

// -----

#wg = #gpu.address_space<workgroup>

// Views of all kinds follow, where they take strides.
// CHECK-LABEL: @views
// CHECK: memref.alloc() {memspace.padding = 16 : i64} : memref<2x16x32xf32, strided<[576, 36, 1]>, #gpu.address_space<workgroup>>
// CHECK: memref.collapse_shape {{.*}} : memref<2x16x32xf32, strided<[576, 36, 1]>, #gpu.address_space<workgroup>> into memref<32x32xf32, strided<[36, 1]>, #gpu.address_space<workgroup>>
// CHECK: memref.expand_shape {{.*}} into memref<32x8x4xf32, strided<[36, 4, 1]>, #gpu.address_space<workgroup>>
// CHECK: memref.assume_alignment {{.*}}, 16 : memref<2x16x32xf32, strided<[576, 36, 1]>, #gpu.address_space<workgroup>>
// CHECK: memref.subview {{.*}} to memref<32xf32, strided<[1], offset: ?>, #gpu.address_space<workgroup>>
// CHECK: memref.cast {{.*}} : memref<32x32xf32, strided<[36, 1]>, #gpu.address_space<workgroup>> to memref<?x32xf32, strided<[?, 1]>, #gpu.address_space<workgroup>>
func.func @views(%x: memref<32xf32>) attributes {gpu.known_block_size = array<i32: 32, 1, 1>} {
  %c0 = arith.constant 0 : index
  %z = arith.constant 0.0 : f32
  %tx = gpu.thread_id x
  %tile = memref.alloc() : memref<2x16x32xf32, #wg>
  %collapsed = memref.collapse_shape %tile [[0, 1], [2]] : memref<2x16x32xf32, #wg> into memref<32x32xf32, #wg>
  %expanded = memref.expand_shape %collapsed [[0], [1, 2]] output_shape [32, 8, 4] : memref<32x32xf32, #wg> into memref<32x8x4xf32, #wg>
  %aligned = memref.assume_alignment %tile, 16 : memref<2x16x32xf32, #wg>
  %row = memref.subview %collapsed[%tx, 0] [1, 32] [1, 1] : memref<32x32xf32, #wg> to memref<32xf32, strided<[1], offset: ?>, #wg>
  %cast = memref.cast %collapsed : memref<32x32xf32, #wg> to memref<?x32xf32, strided<[?, 1]>, #wg>
  %0 = vector.transfer_read %aligned[%c0, %tx, %c0], %z {in_bounds = [true]} : memref<2x16x32xf32, #wg>, vector<4xf32>
  linalg.fill ins(%z : f32) outs(%row : memref<32xf32, strided<[1], offset: ?>, #wg>)
  memref.store %z, %expanded[%tx, %c0, %c0] : memref<32x8x4xf32, #wg>
  memref.store %z, %tile[%c0, %tx, %c0] : memref<2x16x32xf32, #wg>
  %1 = memref.load %cast[%tx, %c0] : memref<?x32xf32, strided<[?, 1]>, #wg>
  memref.store %1, %x[%tx] : memref<32xf32>
  return
}

// -----

#wg = #gpu.address_space<workgroup>

// Buffers that a loop exchanges change together.
// CHECK-LABEL: @exchanged
// CHECK-COUNT-2: memref.alloc() {memspace.padding = 4 : i64} : memref<32x32xf32, strided<[33, 1]>, #gpu.address_space<workgroup>>
// CHECK: arith.select {{.*}} : memref<32x32xf32, strided<[33, 1]>, #gpu.address_space<workgroup>>
// CHECK: scf.for {{.*}} -> (memref<32x32xf32, strided<[33, 1]>, #gpu.address_space<workgroup>>, memref<32x32xf32, strided<[33, 1]>, #gpu.address_space<workgroup>>)
// REMARK-COUNT-2: Function=exchanged | BytesPerRow=4, DegreeAfter=1, DegreeBefore=32, WorkgroupBytes=8444
// L4220-LABEL: @exchanged
// L4220-NOT: memspace.padding
// PACKED-LABEL: @exchanged
// PACKED: memref.alloc() {{.*}} : memref<8444xi8, #gpu.address_space<workgroup>>
func.func @exchanged(%x: memref<32x32xf32>, %flag: i1, %n: index) attributes {gpu.known_block_size = array<i32: 32, 32, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %tx = gpu.thread_id x
  %0 = memref.load %x[%c0, %tx] : memref<32x32xf32>
  %a = memref.alloc() : memref<32x32xf32, #wg>
  %b = memref.alloc() : memref<32x32xf32, #wg>
  %first = arith.select %flag, %a, %b : memref<32x32xf32, #wg>
  memref.store %0, %first[%c0, %tx] : memref<32x32xf32, #wg>
  %r:2 = scf.for %k = %c0 to %n step %c1 iter_args(%s = %a, %t = %b) -> (memref<32x32xf32, #wg>, memref<32x32xf32, #wg>) {
    %1 = memref.load %s[%tx, %k] : memref<32x32xf32, #wg>
    memref.store %1, %t[%k, %tx] : memref<32x32xf32, #wg>
    scf.yield %t, %s : memref<32x32xf32, #wg>, memref<32x32xf32, #wg>
  }
  %2 = memref.load %r#0[%tx, %c0] : memref<32x32xf32, #wg>
  memref.store %2, %x[%c0, %tx] : memref<32x32xf32>
  return
}

// -----

#wg = #gpu.address_space<workgroup>

func.func private @external(memref<32x32xf32, #wg>)

// What cannot take rows with a gap between them keeps its buffer.
// CHECK-LABEL: @obstacles
// CHECK-NOT: memspace.padding
// REMARK-DAG: Function=obstacles | Degree=32, Reason="'memref.collapse_shape' cannot take rows with a gap between them
// REMARK-DAG: Function=obstacles | Degree=16, Reason="'gpu.subgroup_mma_load_matrix' cannot take rows with a gap between them
// REMARK-DAG: Function=obstacles | Degree=32, Reason="'memref.cast' cannot take rows with a gap between them
// REMARK-DAG: Function=obstacles | Degree=32, Reason="'memref.view' cannot take rows with a gap between them
// REMARK-DAG: Function=obstacles | Degree=32, Reason="'scf.yield' cannot take rows with a gap between them
// REMARK-DAG: Function=obstacles | Degree=32, Reason="'func.call' cannot take rows with a gap between them
// REMARK-DAG: Function=obstacles | Degree=32, Reason="'func.func' cannot take rows with a gap between them
func.func @obstacles(%x: memref<32xf32>, %h: f16, %flag: i1, %n: index, %other: memref<32x32xf32, #wg>) attributes {gpu.known_block_size = array<i32: 32, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %tx = gpu.thread_id x
  %0 = memref.load %x[%tx] : memref<32xf32>
  %a = memref.alloc() : memref<32x32xf32, #wg>
  %flat = memref.collapse_shape %a [[0, 1]] : memref<32x32xf32, #wg> into memref<1024xf32, #wg>
  memref.store %0, %a[%tx, %c0] : memref<32x32xf32, #wg>
  %b = memref.alloc() : memref<32x32xf16, #wg>
  memref.store %h, %b[%tx, %c0] : memref<32x32xf16, #wg>
  %m = gpu.subgroup_mma_load_matrix %b[%c0, %c0] {leadDimension = 32 : index} : memref<32x32xf16, #wg> -> !gpu.mma_matrix<16x16xf16, "AOp">
  // Rows without a gap are a promise of a type without a layout.
  %c = memref.alloc() : memref<32x32xf32, #wg>
  memref.store %0, %c[%tx, %c0] : memref<32x32xf32, #wg>
  %dynamic = memref.cast %c : memref<32x32xf32, #wg> to memref<?x?xf32, #wg>
  // Not an allocation of its own.
  %bytes = memref.alloc() : memref<4096xi8, #wg>
  %view = memref.view %bytes[%c0][] : memref<4096xi8, #wg> to memref<32x32xf32, #wg>
  %d = memref.alloc() : memref<32x32xf32, #wg>
  memref.store %0, %d[%tx, %c0] : memref<32x32xf32, #wg>
  %e:2 = scf.for %k = %c0 to %n step %c1 iter_args(%s = %d, %t = %view) -> (memref<32x32xf32, #wg>, memref<32x32xf32, #wg>) {
    scf.yield %t, %s : memref<32x32xf32, #wg>, memref<32x32xf32, #wg>
  }
  // A slice is passed on.
  %i = memref.alloc() : memref<32x32xf32, #wg>
  %row = memref.subview %i[0, 0] [2, 32] [1, 1] : memref<32x32xf32, #wg> to memref<2x32xf32, strided<[32, 1]>, #wg>
  memref.store %0, %i[%tx, %c0] : memref<32x32xf32, #wg>
  %j = scf.if %flag -> memref<2x32xf32, strided<[32, 1]>, #wg> {
    scf.yield %row : memref<2x32xf32, strided<[32, 1]>, #wg>
  } else {
    scf.yield %row : memref<2x32xf32, strided<[32, 1]>, #wg>
  }
  %f = memref.alloc() : memref<32x32xf32, #wg>
  memref.store %0, %f[%tx, %c0] : memref<32x32xf32, #wg>
  func.call @external(%f) : (memref<32x32xf32, #wg>) -> ()
  %g = memref.alloc() : memref<32x32xf32, #wg>
  memref.store %0, %g[%tx, %c0] : memref<32x32xf32, #wg>
  %l = arith.select %flag, %g, %other : memref<32x32xf32, #wg>
  return
}

// -----

#wg = #gpu.address_space<workgroup>

// Nothing that is a multiple of 16 bytes is between half a word and the next.
// REMARK-DAG: Function=no_padding_helps | Degree=2, Reason="no padding by multiples of 16 bytes saves cycles
// CHECK-LABEL: @no_padding_helps
// CHECK-NOT: memspace.padding
func.func @no_padding_helps(%x: memref<32xf32>) attributes {gpu.known_block_size = array<i32: 32, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %tx = gpu.thread_id x
  %twice = arith.muli %tx, %c2 : index
  %tile = memref.alloc() : memref<32x64xf32, #wg>
  %v = vector.load %tile[%c0, %c0] : memref<32x64xf32, #wg>, vector<4xf32>
  %0 = memref.load %tile[%c0, %twice] : memref<32x64xf32, #wg>
  memref.store %0, %x[%tx] : memref<32xf32>
  return
}
