// The kernels of same-places.mlir without the barrier behind the stores.
// RUN: memspace-opt %s -verify-diagnostics=only-expected -memspace-verify-barriers=chip=gfx942 -o /dev/null
// RUN: memspace-opt %s -verify-diagnostics=only-expected '-memspace-verify-barriers=chip=gfx942 ask-each-pair=true' -o /dev/null

#wg = #gpu.address_space<workgroup>
!row = memref<1xi32, strided<[1], offset: ?>, #wg>
!any = memref<?xi32, strided<[1], offset: ?>, #wg>

func.func @rows(%c: i1, %out: memref<128xi32>) attributes {gpu.known_block_size = array<i32: 128, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %v = arith.constant 7 : i32
  %x = gpu.thread_id x
  %s = memref.alloc() : memref<8192xi8, #wg>
  %a = memref.view %s[%c0][] : memref<8192xi8, #wg> to memref<1024xi32, #wg>
  %y0 = memref.view %s[%c0][] : memref<8192xi8, #wg> to memref<32xi32, #wg>
  %y1 = memref.view %s[%c16][] : memref<8192xi8, #wg> to memref<32xi32, #wg>
  %p = arith.select %c, %y0, %y1 : memref<32xi32, #wg>
  %i = affine.apply affine_map<()[s0] -> ((s0 floordiv 64) * 8)>()[%x]
  %j = affine.apply affine_map<()[s0] -> ((s0 floordiv 64) * 8 + 4)>()[%x]
  %r = affine.apply affine_map<()[s0] -> (s0 mod 64)>()[%x]
  %a1 = memref.subview %a[0] [4] [1] : memref<1024xi32, #wg> to memref<4xi32, strided<[1]>, #wg>
  %is0 = arith.cmpi eq, %x, %c0 : index
  %isFirst = arith.cmpi eq, %r, %c0 : index
  scf.if %isFirst {
    %row = memref.subview %a[%i] [1] [1] : memref<1024xi32, #wg> to !row
    // expected-error@+1 {{data race (RAW}}
    memref.store %v, %row[%c0] : !row
  }
  scf.if %is0 {
    %row = memref.subview %a1[%i] [1] [1] : memref<4xi32, strided<[1]>, #wg> to !row
    memref.store %v, %row[%c0] : !row
  }
  scf.if %isFirst {
    %l = memref.load %p[%j] : memref<32xi32, #wg>
    memref.store %l, %out[%x] : memref<128xi32>
  }
  return
}

func.func @parts(%out: memref<128xi32>) attributes {gpu.known_block_size = array<i32: 128, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c16 = arith.constant 16 : index
  %v = arith.constant 7 : i32
  %x = gpu.thread_id x
  %s = memref.alloc() : memref<8192xi8, #wg>
  %a = memref.view %s[%c0][] : memref<8192xi8, #wg> to memref<1024xi32, #wg>
  %b = memref.view %s[%c16][] : memref<8192xi8, #wg> to memref<1024xi32, #wg>
  %a1 = memref.subview %a[0] [8] [1] : memref<1024xi32, #wg> to memref<8xi32, strided<[1]>, #wg>
  %a2 = memref.subview %a[0] [1000] [1] : memref<1024xi32, #wg> to memref<1000xi32, strided<[1]>, #wg>
  %b1 = memref.subview %b[4] [1016] [1] : memref<1024xi32, #wg> to memref<1016xi32, strided<[1], offset: 4>, #wg>
  %a1d = memref.cast %a1 : memref<8xi32, strided<[1]>, #wg> to !any
  %a2d = memref.cast %a2 : memref<1000xi32, strided<[1]>, #wg> to !any
  %b1d = memref.cast %b1 : memref<1016xi32, strided<[1], offset: 4>, #wg> to !any
  %i = affine.apply affine_map<()[s0] -> (s0 * 8)>()[%x]
  %is0 = arith.cmpi ult, %x, %c1 : index
  %is4 = arith.cmpi ult, %x, %c4 : index
  scf.if %is0 {
    memref.store %v, %a1d[%i] : !any
  }
  memspace.subgroup_barrier
  scf.if %is4 {
    // expected-error@+1 {{data race (RAW}}
    memref.store %v, %a2d[%i] : !any
  }
  scf.if %is4 {
    %l = memref.load %b1d[%i] : !any
    memref.store %l, %out[%x] : memref<128xi32>
  }
  return
}
