// RUN: memspace-opt %s -memspace-check-budget=chip=gfx942 -verify-diagnostics -split-input-file

#wg = #gpu.address_space<workgroup>

// Case B2: one error, with what is live at the peak, what cannot be there
// together, and what would help. The matmul's K runs over dimension 1 of %a and
// dimension 0 of %b. %c is not live then.

// expected-error @below {{kernel 'too_much' needs 81920 bytes of workgroup memory, but a workgroup may use 65536 on gfx942}}
// expected-note @below {{no layout holds these 2 buffers in 65536 bytes: '%alloc', '%alloc_0'}}
// expected-note @below {{at least 16384 of the 81920 bytes that are live at once must go}}
// expected-note @below {{way out: halve dimension 1 of '%alloc_0' (128): 81920 -> 65536 bytes}}
// expected-note @below {{way out: halve dimension 0 of '%alloc' (192): 81920 -> 57344 bytes}}
// expected-note @below {{way out: halve dimension 1 of '%alloc' and dimension 0 of '%alloc_0' (128): 81920 -> 40960 bytes}}
func.func @too_much(%x: memref<192x128xf16>, %y: memref<128x128xf16>, %z: memref<192x128xf32>, %u: memref<64xf32>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  // expected-note @below {{49152 bytes live at the peak: '%alloc' of type 'memref<192x128xf16, #gpu.address_space<workgroup>>' (row writes, column reads)}}
  %a = memref.alloc() {memspace.reason = "row writes, column reads"} : memref<192x128xf16, #wg>
  // expected-note @below {{32768 bytes live at the peak: '%alloc_0' of type 'memref<128x128xf16, #gpu.address_space<workgroup>>'}}
  %b = memref.alloc() : memref<128x128xf16, #wg>
  %c = memref.alloc() : memref<64xf32, #wg>
  linalg.copy ins(%x : memref<192x128xf16>) outs(%a : memref<192x128xf16, #wg>)
  linalg.copy ins(%y : memref<128x128xf16>) outs(%b : memref<128x128xf16, #wg>)
  linalg.matmul ins(%a, %b : memref<192x128xf16, #wg>, memref<128x128xf16, #wg>) outs(%z : memref<192x128xf32>)
  linalg.copy ins(%u : memref<64xf32>) outs(%c : memref<64xf32, #wg>)
  linalg.copy ins(%c : memref<64xf32, #wg>) outs(%u : memref<64xf32>)
  return
}

// -----

#wg = #gpu.address_space<workgroup>

// What was packed without reuse would fit with it; nothing need change.

// expected-error @below {{kernel 'would_fit' needs 131072 bytes of workgroup memory, but a workgroup may use 65536 on gfx942}}
// expected-note @below {{way out: let buffers that are not live at once share bytes: 131072 -> 65536 bytes}}
// expected-note @below {{way out: halve dimension 0 of '%view' (64): 131072 -> 65536 bytes}}
// expected-note @below {{way out: halve dimension 1 of '%view' (256): 131072 -> 65536 bytes}}
func.func @would_fit(%x: memref<64x256xf32>, %y: memref<128x128xf32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %arena = memref.alloc() {memspace.arena} : memref<131072xi8, #wg>
  %c0 = arith.constant 0 : index
  %c65536 = arith.constant 65536 : index
  // expected-note @below {{65536 bytes live at the peak}}
  %a = memref.view %arena[%c0][] : memref<131072xi8, #wg> to memref<64x256xf32, #wg>
  %b = memref.view %arena[%c65536][] : memref<131072xi8, #wg> to memref<128x128xf32, #wg>
  linalg.copy ins(%x : memref<64x256xf32>) outs(%a : memref<64x256xf32, #wg>)
  linalg.copy ins(%a : memref<64x256xf32, #wg>) outs(%x : memref<64x256xf32>)
  linalg.copy ins(%y : memref<128x128xf32>) outs(%b : memref<128x128xf32, #wg>)
  linalg.copy ins(%b : memref<128x128xf32, #wg>) outs(%y : memref<128x128xf32>)
  return
}

// -----

#wg = #gpu.address_space<workgroup>

// No thread reads what another one wrote: 4 bytes each would do. Case B4: 2^32
// bytes are not 0.

// expected-error @below {{kernel 'own_elements' needs 4294967296 bytes of workgroup memory, but a workgroup may use 65536 on gfx942}}
// expected-note @below {{one buffer alone is more than 65536 bytes: '%alloc'}}
// expected-note @below {{at least 4294901760 of the 4294967296 bytes that are live at once must go}}
// expected-note @below {{way out: keep '%alloc' in private memory, 1 byte for each thread, since no thread reads there what another one writes: 4294967296 -> 0 bytes}}
// expected-note @below {{way out: cut dimension 0 of '%alloc' from 65536 to 1: 4294967296 -> 65536 bytes}}
// expected-note @below {{way out: cut dimension 1 of '%alloc' from 65536 to 1: 4294967296 -> 65536 bytes}}
func.func @own_elements(%v: i8, %out: memref<64xi8>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %i = gpu.thread_id x
  %c1 = arith.constant 1 : index
  // expected-note @below {{4294967296 bytes live at the peak}}
  %t = memref.alloc() : memref<65536x65536xi8, #wg>
  memref.store %v, %t[%i, %c1] : memref<65536x65536xi8, #wg>
  gpu.barrier
  %x = memref.load %t[%i, %c1] : memref<65536x65536xi8, #wg>
  memref.store %x, %out[%i] : memref<64xi8>
  return
}

// -----

#wg = #gpu.address_space<workgroup>

// Case B1: an index tensor is staged whole, though each thread needs only its
// own three numbers. (The pipeline stages nothing: test/Kernels/concat-gather.)

// expected-error @below {{kernel 'staged_indices' needs 196608 bytes of workgroup memory, but a workgroup may use 65536 on gfx942}}
// expected-note @below {{one buffer alone is more than 65536 bytes: '%alloc'}}
// expected-note @below {{at least 131072 of the 196608 bytes that are live at once must go}}
// expected-note @below {{way out: keep '%alloc' in private memory, 12 bytes for each thread, since no thread reads there what another one writes: 196608 -> 0 bytes}}
// expected-note @below {{way out: cut dimension 0 of '%alloc' from 16384 to 4096: 196608 -> 49152 bytes}}
func.func @staged_indices(%a: memref<16384xi32>, %b: memref<16384xi32>, %c: memref<16384xi32>, %out: memref<16x32x32xf16>, %v: f16)
    attributes {gpu.known_block_size = array<i32: 256, 1, 1>, gpu.known_grid_size = array<i32: 64, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %block = gpu.block_id x
  %thread = gpu.thread_id x
  %i = affine.apply affine_map<(b, t) -> (b * 256 + t)>(%block, %thread)
  // expected-note @below {{196608 bytes live at the peak}}
  %t = memref.alloc() : memref<16384x3xi32, #wg>
  %0 = memref.load %a[%i] : memref<16384xi32>
  %1 = memref.load %b[%i] : memref<16384xi32>
  %2 = memref.load %c[%i] : memref<16384xi32>
  memref.store %0, %t[%i, %c0] : memref<16384x3xi32, #wg>
  memref.store %1, %t[%i, %c1] : memref<16384x3xi32, #wg>
  memref.store %2, %t[%i, %c2] : memref<16384x3xi32, #wg>
  %own = affine.apply affine_map<(b, t) -> (b * 256 + t)>(%block, %thread)
  %3 = memref.load %t[%own, %c0] : memref<16384x3xi32, #wg>
  %4 = memref.load %t[%own, %c1] : memref<16384x3xi32, #wg>
  %5 = memref.load %t[%own, %c2] : memref<16384x3xi32, #wg>
  %x = arith.index_cast %3 : i32 to index
  %y = arith.index_cast %4 : i32 to index
  %z = arith.index_cast %5 : i32 to index
  memref.store %v, %out[%x, %y, %z] : memref<16x32x32xf16>
  return
}

// -----

#wg = #gpu.address_space<workgroup>

// Nothing that is known would help: an odd number of bytes under no shape.

// expected-error @below {{kernel 'no_way_out' needs 200001 bytes of workgroup memory, but a workgroup may use 65536 on gfx942}}
// expected-note @below {{one buffer alone is more than 65536 bytes: '%alloc'}}
// expected-note @below {{at least 134465 of the 200001 bytes that are live at once must go}}
func.func @no_way_out(%p: index, %v: i8, %out: memref<1xi8>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  // expected-note @below {{200001 bytes live at the peak}}
  %t = memref.alloc() : memref<200001xi8, #wg>
  memref.store %v, %t[%p] : memref<200001xi8, #wg>
  %x = memref.load %t[%p] : memref<200001xi8, #wg>
  memref.store %x, %out[%p] : memref<1xi8>
  return
}

// -----

#private = #gpu.address_space<private>

// expected-error @below {{kernel 'private' needs 32768 bytes of private memory for each thread, but the limit is 16384}}
// expected-note @below {{use smaller tiles for each thread or more threads, or raise 'private-limit'}}
func.func @private(%v: f32) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  // expected-note @below {{32768 bytes in each thread: 'memref<64x128xf32, #gpu.address_space<private>>' (each thread its own)}}
  %a = memref.alloca() {memspace.reason = "each thread its own"} : memref<64x128xf32, #private>
  return
}

// -----

#private = #gpu.address_space<private>

// Case B6: the value without a bound is named.

// expected-note @below {{the extent '%arg0' has no bound}}
func.func @dynamic(%n: index) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  // expected-error @below {{has no static size, so the memory of kernel 'dynamic' cannot be checked; bound its extents}}
  %a = memref.alloca(%n) : memref<?xf32, #private>
  return
}

// -----

#wg = #gpu.address_space<workgroup>

// Case B6: 2^53 - 1 is not a bound; it is too many bytes, or none.

// expected-note @below {{the extent is defined here}}
func.func @dynamic_workgroup(%n: index) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  // expected-error @below {{has the dynamic extent '%arg0' in dimension 0; a kernel never allocates dynamically: bound the extent}}
  %a = memref.alloc(%n) : memref<?xf32, #wg>
  return
}

// -----

#wg = #gpu.address_space<workgroup>

// expected-error @below {{the workgroup buffers of kernel 'too_many' cannot be packed}}
func.func @too_many() attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %a = memref.alloc() : memref<9007199254740991x512xi8, #wg>
  %b = memref.alloc() : memref<9007199254740991x512xi8, #wg>
  return
}

// -----

#wg = #gpu.address_space<workgroup>

// Case B8: dynamic shared memory counts, so its size must be known.

gpu.module @m {
  gpu.func @unknown_dynamic() kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    // expected-error @below {{dynamic workgroup memory of unknown size; give its bytes in 'memspace.dynamic_workgroup_bytes' on kernel 'unknown_dynamic'}}
    %bytes = gpu.dynamic_shared_memory : memref<?xi8, #wg>
    gpu.return
  }
}

// -----

#wg = #gpu.address_space<workgroup>

gpu.module @m {
  // expected-error @below {{attribute 'memspace.dynamic_workgroup_bytes' must be an i64 that is not negative; got -1 : i64}}
  gpu.func @negative_dynamic() kernel attributes {known_block_size = array<i32: 64, 1, 1>, memspace.dynamic_workgroup_bytes = -1 : i64} {
    gpu.return
  }
}

// -----

#wg = #gpu.address_space<workgroup>

// Case P8: a callee's buffers lie beside its caller's; where, packing decides.

func.func private @callee(%x: memref<64xf32>) {
  %t = memref.alloc() : memref<64xf32, #wg>
  linalg.copy ins(%x : memref<64xf32>) outs(%t : memref<64xf32, #wg>)
  return
}

func.func private @between(%x: memref<64xf32>) {
  // expected-error @below {{calls 'callee', which has workgroup memory of its own; inline the call (memspace-pack-workgroup-memory does) before the budget is computed}}
  func.call @callee(%x) : (memref<64xf32>) -> ()
  return
}

func.func @caller(%x: memref<64xf32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  func.call @between(%x) : (memref<64xf32>) -> ()
  return
}

// -----

#wg = #gpu.address_space<workgroup>

// Many buffers: the largest eight, and how many more.

// expected-error @below {{kernel 'many' needs 81920 bytes of workgroup memory, but a workgroup may use 65536 on gfx942}}
// expected-note @below {{2 more buffers}}
// expected-note @below {{no layout holds these 9 buffers in 65536 bytes: '%alloc_0', '%alloc_1', '%alloc_2', '%alloc_3', '%alloc_4', '%alloc_5', '%alloc_6', '%alloc_7' and 1 more buffer}}
// expected-note @below {{at least 16384 of the 81920 bytes that are live at once must go}}
// expected-note @below {{way out: halve dimension 0 of '%alloc' and dimension 0 of '%alloc_0' and dimension 0 of '%alloc_1' and dimension 0 of '%alloc_2' and 6 more (2048): 81920 -> 40960 bytes}}
// expected-note @below {{way out: use a chip with more workgroup memory: gfx950 (163840)}}
func.func @many(%x: memref<2048xf32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  // expected-note @below {{8192 bytes live at the peak}}
  %a = memref.alloc() : memref<2048xf32, #wg>
  // expected-note @below {{8192 bytes live at the peak}}
  %b = memref.alloc() : memref<2048xf32, #wg>
  // expected-note @below {{8192 bytes live at the peak}}
  %c = memref.alloc() : memref<2048xf32, #wg>
  // expected-note @below {{8192 bytes live at the peak}}
  %d = memref.alloc() : memref<2048xf32, #wg>
  // expected-note @below {{8192 bytes live at the peak}}
  %e = memref.alloc() : memref<2048xf32, #wg>
  // expected-note @below {{8192 bytes live at the peak}}
  %f = memref.alloc() : memref<2048xf32, #wg>
  // expected-note @below {{8192 bytes live at the peak}}
  %g = memref.alloc() : memref<2048xf32, #wg>
  // expected-note @below {{8192 bytes live at the peak}}
  %h = memref.alloc() : memref<2048xf32, #wg>
  %i = memref.alloc() : memref<2048xf32, #wg>
  %j = memref.alloc() : memref<2048xf32, #wg>
  linalg.copy ins(%x : memref<2048xf32>) outs(%a : memref<2048xf32, #wg>)
  linalg.copy ins(%a : memref<2048xf32, #wg>) outs(%b : memref<2048xf32, #wg>)
  linalg.copy ins(%a : memref<2048xf32, #wg>) outs(%c : memref<2048xf32, #wg>)
  linalg.copy ins(%a : memref<2048xf32, #wg>) outs(%d : memref<2048xf32, #wg>)
  linalg.copy ins(%a : memref<2048xf32, #wg>) outs(%e : memref<2048xf32, #wg>)
  linalg.copy ins(%a : memref<2048xf32, #wg>) outs(%f : memref<2048xf32, #wg>)
  linalg.copy ins(%a : memref<2048xf32, #wg>) outs(%g : memref<2048xf32, #wg>)
  linalg.copy ins(%a : memref<2048xf32, #wg>) outs(%h : memref<2048xf32, #wg>)
  linalg.copy ins(%a : memref<2048xf32, #wg>) outs(%i : memref<2048xf32, #wg>)
  linalg.copy ins(%a : memref<2048xf32, #wg>) outs(%j : memref<2048xf32, #wg>)
  %sum = memref.alloca() : memref<2048xf32, #gpu.address_space<private>>
  linalg.add ins(%b, %c : memref<2048xf32, #wg>, memref<2048xf32, #wg>) outs(%sum : memref<2048xf32, #gpu.address_space<private>>)
  linalg.add ins(%d, %e : memref<2048xf32, #wg>, memref<2048xf32, #wg>) outs(%sum : memref<2048xf32, #gpu.address_space<private>>)
  linalg.add ins(%f, %g : memref<2048xf32, #wg>, memref<2048xf32, #wg>) outs(%sum : memref<2048xf32, #gpu.address_space<private>>)
  linalg.add ins(%h, %i : memref<2048xf32, #wg>, memref<2048xf32, #wg>) outs(%sum : memref<2048xf32, #gpu.address_space<private>>)
  linalg.copy ins(%j : memref<2048xf32, #wg>) outs(%x : memref<2048xf32>)
  linalg.copy ins(%a : memref<2048xf32, #wg>) outs(%x : memref<2048xf32>)
  return
}

// -----

#wg = #gpu.address_space<workgroup>

// expected-error @below {{the workgroup memory of kernel 'too_many_views' cannot be counted: buffer '#1' brings the sum of the sizes to 2^62 bytes or more; use smaller buffers}}
func.func @too_many_views(%x: memref<?xi8>, %i: index) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %c0 = arith.constant 0 : index
  %arena = memref.alloc() {memspace.arena} : memref<3458764513820540928xi8, #wg>
  %a = memref.view %arena[%c0][] {memspace.buffer = 0 : i64} : memref<3458764513820540928xi8, #wg> to memref<3458764513820540928xi8, #wg>
  %b = memref.view %arena[%c0][] {memspace.buffer = 1 : i64} : memref<3458764513820540928xi8, #wg> to memref<3458764513820540928xi8, #wg>
  %0 = memref.load %a[%i] : memref<3458764513820540928xi8, #wg>
  %1 = memref.load %b[%i] : memref<3458764513820540928xi8, #wg>
  memref.store %0, %x[%i] : memref<?xi8>
  memref.store %1, %x[%i] : memref<?xi8>
  return
}

// -----

#private = #gpu.address_space<private>

// expected-error @below {{the private buffers of kernel 'private_overflow' have more bytes than can be counted; use smaller buffers}}
func.func @private_overflow() attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %a = memref.alloca() : memref<6917529027641081856xi8, #private>
  %b = memref.alloca() : memref<6917529027641081856xi8, #private>
  return
}
