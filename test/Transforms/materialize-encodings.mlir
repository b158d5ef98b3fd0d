// RUN: memspace-opt %s -split-input-file -memspace-materialize-encodings=chip=gfx942 | FileCheck %s

#t = #memspace.tiled_layout<inner_dims_pos = [0, 1], inner_tiles = [16, 8]>
#padded = #memspace.tiled_layout<inner_dims_pos = [0, 1], inner_tiles = [16, 8], padding_multiples = [16, 8]>
#u = #memspace.tiled_layout<inner_dims_pos = [1, 0], inner_tiles = [4, 4], outer_dims_perm = [1, 0]>

// Two encodings of one layout: the attributes differ, the bytes do not.

// CHECK-LABEL: func @two_encodings
// CHECK-SAME: (%[[A:.*]]: tensor<2x8x16x8xf32>) -> tensor<2x8x16x8xf32>
// CHECK-NEXT: return %[[A]]
func.func @two_encodings(%a: tensor<30x64xf32, #t>) -> tensor<30x64xf32, #padded> {
  %e = tensor.empty() : tensor<30x64xf32, #padded>
  %b = memspace.encode ins(%a : tensor<30x64xf32, #t>) outs(%e : tensor<30x64xf32, #padded>)
  return %b : tensor<30x64xf32, #padded>
}

// Padding makes layouts differ though they look alike: 30 rows are padded to 32
// in one, to 40 in the other; 80 rows are padded in none.

#by16 = #memspace.tiled_layout<padding_multiples = [16, 1]>
#by40 = #memspace.tiled_layout<padding_multiples = [40, 1]>
// CHECK-LABEL: func @padding
// CHECK-SAME: (%[[A:.*]]: tensor<32x64xf32>, %[[B:.*]]: tensor<80x64xf32>)
// CHECK-SAME: -> (tensor<40x64xf32>, tensor<80x64xf32>)
// CHECK: %[[G:.*]] = linalg.generic
// CHECK: linalg.index 0
// CHECK: arith.cmpi slt
// CHECK: tensor.extract %[[A]]
// CHECK: return %[[G]], %[[B]]
func.func @padding(%a: tensor<30x64xf32, #by16>, %b: tensor<80x64xf32, #by16>)
    -> (tensor<30x64xf32, #by40>, tensor<80x64xf32, #by40>) {
  %e = tensor.empty() : tensor<30x64xf32, #by40>
  %c = memspace.encode ins(%a : tensor<30x64xf32, #by16>) outs(%e : tensor<30x64xf32, #by40>)
  %f = tensor.empty() : tensor<80x64xf32, #by40>
  %d = memspace.encode ins(%b : tensor<80x64xf32, #by16>) outs(%f : tensor<80x64xf32, #by40>)
  return %c, %d : tensor<30x64xf32, #by40>, tensor<80x64xf32, #by40>
}

// One relayout each, with the change that needs it.

// CHECK-LABEL: func @set_and_unset
// CHECK: linalg.pack %{{.*}} padding_value({{.*}}) inner_dims_pos = [0, 1] inner_tiles = [16, 8]
// CHECK-SAME: memspace.copy = "layout change from row-major to #memspace.tiled_layout<inner_dims_pos = [0, 1], inner_tiles = [16, 8]> on 'gfx942'"
// CHECK: linalg.unpack %{{.*}} inner_dims_pos = [0, 1] inner_tiles = [16, 8]
// CHECK-SAME: memspace.copy = "layout change from {{.*}} to row-major"
func.func @set_and_unset(%a: tensor<30x64xf32>, %b: tensor<30x64xf32, #t>)
    -> (tensor<30x64xf32, #t>, tensor<30x64xf32>) {
  %e = tensor.empty() : tensor<30x64xf32, #t>
  %c = memspace.encode ins(%a : tensor<30x64xf32>) outs(%e : tensor<30x64xf32, #t>)
  %f = tensor.empty() : tensor<30x64xf32>
  %d = memspace.encode ins(%b : tensor<30x64xf32, #t>) outs(%f : tensor<30x64xf32>)
  return %c, %d : tensor<30x64xf32, #t>, tensor<30x64xf32>
}

// From tiles to other tiles at once, and never by way of rows.

// CHECK-LABEL: func @relayout
// CHECK: tensor.expand_shape {{.*}} tensor<2x8x16x8xf32> into tensor<2x8x4x4x2x4xf32>
// CHECK: linalg.generic
// CHECK-NEXT: ^bb0
// CHECK-NEXT: linalg.yield
// CHECK-NEXT: }
// CHECK-NEXT: tensor.collapse_shape {{.*}} into tensor<16x8x4x4xf32>
// CHECK-NEXT: return
func.func @relayout(%a: tensor<32x64xf32, #t>) -> tensor<32x64xf32, #u> {
  %e = tensor.empty() : tensor<32x64xf32>
  %b = memspace.encode ins(%a : tensor<32x64xf32, #t>) outs(%e : tensor<32x64xf32>)
  %f = tensor.empty() : tensor<32x64xf32, #u>
  %c = memspace.encode ins(%b : tensor<32x64xf32>) outs(%f : tensor<32x64xf32, #u>)
  return %c : tensor<32x64xf32, #u>
}

// A to B to A is A; B is made once, though two ask for it.

// CHECK-LABEL: func @there_and_back
// CHECK-SAME: (%[[A:.*]]: tensor<2x8x16x8xf32>)
// CHECK: %[[G:.*]] = linalg.generic
// CHECK: %[[B:.*]] = tensor.collapse_shape %[[G]]
// CHECK-NOT: linalg.generic
// CHECK: return %[[A]], %[[B]], %[[B]]
func.func @there_and_back(%a: tensor<32x64xf32, #t>)
    -> (tensor<32x64xf32, #t>, tensor<32x64xf32, #u>, tensor<32x64xf32, #u>) {
  %e = tensor.empty() : tensor<32x64xf32, #u>
  %b = memspace.encode ins(%a : tensor<32x64xf32, #t>) outs(%e : tensor<32x64xf32, #u>)
  %f = tensor.empty() : tensor<32x64xf32, #t>
  %c = memspace.encode ins(%b : tensor<32x64xf32, #u>) outs(%f : tensor<32x64xf32, #t>)
  %d = memspace.encode ins(%c : tensor<32x64xf32, #t>) outs(%e : tensor<32x64xf32, #u>)
  return %c, %b, %d : tensor<32x64xf32, #t>, tensor<32x64xf32, #u>, tensor<32x64xf32, #u>
}

// A multiple of 128 is cut into tiles of whole rows: nothing moves. Without the
// promise there may be padding.

#rows128 = #memspace.tiled_layout<inner_dims_pos = [0, 1], inner_tiles = [16, 64], divisors = [128, 1]>
#rows = #memspace.tiled_layout<inner_dims_pos = [0, 1], inner_tiles = [16, 64]>
// CHECK-LABEL: func @divisible
// CHECK-SAME: (%[[A:.*]]: tensor<?x64xf32>, %[[N:.*]]: index) -> tensor<?x64xf32>
// CHECK-NEXT: return %[[A]]
func.func @divisible(%a: tensor<?x64xf32>, %n: index) -> tensor<?x64xf32, #rows128> {
  %e = tensor.empty(%n) : tensor<?x64xf32, #rows128>
  %b = memspace.encode ins(%a : tensor<?x64xf32>) outs(%e : tensor<?x64xf32, #rows128>)
  return %b : tensor<?x64xf32, #rows128>
}
// CHECK-LABEL: func @not_divisible
// CHECK-SAME: (%[[A:.*]]: tensor<?x64xf32>, %[[N:.*]]: index) -> (tensor<?x64xf32>, index)
// CHECK: %[[E:.*]] = tensor.empty(%{{.*}}) : tensor<?x64xf32>
// CHECK: linalg.generic {{.*}} outs(%[[E]]
// CHECK: arith.cmpi slt
// CHECK: tensor.extract %[[A]]
// CHECK: %[[D:.*]] = tensor.dim %[[A]]
// CHECK: return {{.*}}, %[[D]]
func.func @not_divisible(%a: tensor<?x64xf32>, %n: index) -> (tensor<?x64xf32, #rows>, index) {
  %c0 = arith.constant 0 : index
  %e = tensor.empty(%n) : tensor<?x64xf32, #rows>
  %b = memspace.encode ins(%a : tensor<?x64xf32>) outs(%e : tensor<?x64xf32, #rows>)
  %d = tensor.dim %b, %c0 : tensor<?x64xf32, #rows>
  return %b, %d : tensor<?x64xf32, #rows>, index
}

// Rows of the tensor are columns of the memory: each extent is asked of the
// right one.

#columns = #memspace.tiled_layout<outer_dims_perm = [1, 0]>
// CHECK-LABEL: func @extents
// CHECK-SAME: (%[[A:.*]]: tensor<?x?xf32>)
// CHECK-DAG: %[[ONE:.*]] = arith.constant 1 : index
// CHECK-DAG: %[[M:.*]] = tensor.dim %[[A]], %[[ONE]]
// CHECK-DAG: %[[ZERO:.*]] = arith.constant 0 : index
// CHECK-DAG: %[[N:.*]] = tensor.dim %[[A]], %[[ZERO]]
// CHECK: linalg.generic
// CHECK: %[[I:.*]] = affine.apply #{{.*}}()[%{{.*}}, %[[J:.*]]]
// CHECK-NEXT: arith.cmpi slt, %[[I]], %[[EXTENT:.*]] : index
// CHECK: return %{{.*}}, %[[M]], %[[N]]
func.func @extents(%a: tensor<?x?xf32, #columns>) -> (tensor<?x?xf32, #t>, index, index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = tensor.dim %a, %c0 : tensor<?x?xf32, #columns>
  %n = tensor.dim %a, %c1 : tensor<?x?xf32, #columns>
  %e = tensor.empty(%m, %n) : tensor<?x?xf32, #t>
  %b = memspace.encode ins(%a : tensor<?x?xf32, #columns>) outs(%e : tensor<?x?xf32, #t>)
  return %b, %m, %n : tensor<?x?xf32, #t>, index, index
}

// What the padded memory does not say, the destination does, or its type. One
// extent may be known where the other one is not.

#rows8 = #memspace.tiled_layout<inner_dims_pos = [0, 1], inner_tiles = [16, 64], divisors = [8, 1]>
#whole = #memspace.tiled_layout<inner_dims_pos = [0, 1], inner_tiles = [16, 8], divisors = [32, 1]>
// CHECK-LABEL: func @known_elsewhere
// CHECK-SAME: (%{{.*}}: tensor<?x64xf32>, %{{.*}}: tensor<?x64xf32>, %[[C:.*]]: tensor<?x?x16x8xf32>, %[[N:.*]]: index)
// CHECK-DAG: arith.cmpi slt, %{{.*}}, %[[N]] : index
// CHECK-DAG: %[[THIRTY:.*]] = arith.constant 30 : index
// CHECK-DAG: arith.cmpi slt, %{{.*}}, %[[THIRTY]] : index
// CHECK-DAG: %[[D:.*]] = tensor.dim %[[C]], %{{.*}} : tensor<?x?x16x8xf32>
// CHECK-DAG: %[[K:.*]] = arith.muli %[[D]], %{{.*}} : index
// CHECK: return %{{.*}}, %{{.*}}, %[[K]]
func.func @known_elsewhere(%a: tensor<?x64xf32, #rows>, %b: tensor<?x64xf32, #rows8>, %c: tensor<?x?xf32, #whole>, %n: index)
    -> (tensor<?x64xf32>, tensor<30x64xf32, #t>, index) {
  %c0 = arith.constant 0 : index
  %e = tensor.empty(%n) : tensor<?x64xf32>
  %f = tensor.empty() : tensor<30x64xf32, #t>
  %x = memspace.encode ins(%a : tensor<?x64xf32, #rows>) outs(%e : tensor<?x64xf32>)
  %y = memspace.encode ins(%b : tensor<?x64xf32, #rows8>) outs(%f : tensor<30x64xf32, #t>)
  %k = tensor.dim %c, %c0 : tensor<?x?xf32, #whole>
  return %x, %y, %k : tensor<?x64xf32>, tensor<30x64xf32, #t>, index
}

// What all elements are does not move: a fill, an empty tensor, a constant.

// CHECK-LABEL: func @one_value
// CHECK-NOT: linalg.{{(un)?}}pack
// CHECK: linalg.fill {{.*}} -> tensor<2x8x16x8xf32>
// CHECK: arith.constant dense<1.000000e+00> : tensor<2x8x16x8xf32>
// CHECK-NOT: linalg.{{(un)?}}pack
// CHECK: return
func.func @one_value(%x: f32) -> (tensor<32x64xf32, #t>, tensor<32x64xf32, #t>, tensor<32x64xf32, #t>) {
  %e = tensor.empty() : tensor<32x64xf32>
  %f = tensor.empty() : tensor<32x64xf32, #t>
  %ones = arith.constant dense<1.0> : tensor<32x64xf32>
  %fill = linalg.fill ins(%x : f32) outs(%e : tensor<32x64xf32>) -> tensor<32x64xf32>
  %a = memspace.encode ins(%fill : tensor<32x64xf32>) outs(%f : tensor<32x64xf32, #t>)
  %b = memspace.encode ins(%e : tensor<32x64xf32>) outs(%f : tensor<32x64xf32, #t>)
  %c = memspace.encode ins(%ones : tensor<32x64xf32>) outs(%f : tensor<32x64xf32, #t>)
  return %a, %b, %c : tensor<32x64xf32, #t>, tensor<32x64xf32, #t>, tensor<32x64xf32, #t>
}

// -----

#t = #memspace.tiled_layout<inner_dims_pos = [0, 1], inner_tiles = [16, 8]>
#id = affine_map<(m, n) -> (m, n)>
#row = affine_map<(m, n) -> (m)>

// Ops of linalg go over tiles; a plain operand is only looked at by tiles.

// CHECK-DAG: #[[$ALL:.*]] = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
// CHECK-DAG: #[[$ROW:.*]] = affine_map<(d0, d1, d2, d3) -> (d0, d2)>
// CHECK-DAG: #[[$INDEX:.*]] = affine_map<()[s0, s1] -> (s0 * 8 + s1)>
// CHECK-LABEL: func @bias
// CHECK-SAME: (%[[A:.*]]: tensor<2x8x16x8xf32>, %[[B:.*]]: tensor<32xf32>)
// CHECK: %[[BT:.*]] = tensor.expand_shape %[[B]] {{\[\[}}0, 1]] output_shape [2, 16]
// CHECK: linalg.generic {indexing_maps = [#[[$ALL]], #[[$ROW]], #[[$ALL]]]
// CHECK-SAME: ins(%[[A]], %[[BT]]
// CHECK-NOT: linalg.{{(un)?}}pack
// CHECK: return
func.func @bias(%a: tensor<32x64xf32, #t>, %b: tensor<32xf32>) -> tensor<32x64xf32, #t> {
  %e = tensor.empty() : tensor<32x64xf32, #t>
  %r = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%a, %b : tensor<32x64xf32, #t>, tensor<32xf32>) outs(%e : tensor<32x64xf32, #t>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %z = arith.addf %x, %y : f32
    linalg.yield %z : f32
  } -> tensor<32x64xf32, #t>
  return %r : tensor<32x64xf32, #t>
}

// A reduction leaves padding out, whatever it combines with.

// CHECK-LABEL: func @padded_reduction
// CHECK: iterator_types = ["parallel", "reduction", "parallel", "reduction"]
// CHECK: %[[NEW:.*]] = arith.mulf
// CHECK: %[[INSIDE:.*]] = arith.cmpi slt, %{{.*}}, %c60
// CHECK: %[[R:.*]] = arith.select %[[INSIDE]], %[[NEW]], %
// CHECK: linalg.yield %[[R]]
func.func @padded_reduction(%a: tensor<32x60xf32, #t>, %o: tensor<32xf32>) -> tensor<32xf32> {
  %r = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%a : tensor<32x60xf32, #t>) outs(%o : tensor<32xf32>) {
  ^bb0(%x: f32, %y: f32):
    %z = arith.mulf %x, %y : f32
    linalg.yield %z : f32
  } -> tensor<32xf32>
  return %r : tensor<32xf32>
}

// A division by what padding holds would be undefined: rows.

// CHECK-LABEL: func @division
// CHECK: linalg.unpack
// CHECK: arith.divsi
// CHECK: linalg.pack
func.func @division(%a: tensor<30x64xi32, #t>) -> tensor<30x64xi32, #t> {
  %e = tensor.empty() : tensor<30x64xi32, #t>
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%a : tensor<30x64xi32, #t>) outs(%e : tensor<30x64xi32, #t>) {
  ^bb0(%x: i32, %o: i32):
    %z = arith.divsi %x, %x : i32
    linalg.yield %z : i32
  } -> tensor<30x64xi32, #t>
  return %r : tensor<30x64xi32, #t>
}

// Indices are those of elements.

// CHECK-LABEL: func @index
// CHECK-DAG: %[[O:.*]] = linalg.index 1
// CHECK-DAG: %[[I:.*]] = linalg.index 3
// CHECK: affine.apply #[[$INDEX]]()[%[[O]], %[[I]]]
func.func @index() -> tensor<32x64xindex, #t> {
  %e = tensor.empty() : tensor<32x64xindex, #t>
  %r = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel", "parallel"]}
      outs(%e : tensor<32x64xindex, #t>) {
  ^bb0(%o: index):
    %z = linalg.index 1 : index
    linalg.yield %z : index
  } -> tensor<32x64xindex, #t>
  return %r : tensor<32x64xindex, #t>
}

// Loops carry the memory; slices are taken of rows.

// CHECK-LABEL: func @loop
// CHECK: scf.for {{.*}} -> (tensor<2x8x16x8xf32>)
// CHECK: arith.addf {{.*}} : tensor<2x8x16x8xf32>
// CHECK: linalg.unpack
// CHECK: tensor.extract_slice
// CHECK: tensor.insert_slice
// CHECK: linalg.pack
// CHECK: scf.yield {{.*}} : tensor<2x8x16x8xf32>
func.func @loop(%a: tensor<32x64xf32, #t>, %n: index) -> tensor<32x64xf32, #t> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a) -> tensor<32x64xf32, #t> {
    %y = arith.addf %x, %x : tensor<32x64xf32, #t>
    %s = tensor.extract_slice %y[0, 0] [16, 64] [1, 1] : tensor<32x64xf32, #t> to tensor<16x64xf32>
    %z = tensor.insert_slice %s into %y[16, 0] [16, 64] [1, 1] : tensor<16x64xf32> into tensor<32x64xf32, #t>
    scf.yield %z : tensor<32x64xf32, #t>
  }
  return %r : tensor<32x64xf32, #t>
}

// A choice for each element is one for each place.

// CHECK-LABEL: func @choice
// CHECK-NEXT: arith.select {{.*}} : tensor<2x8x16x8xi1>, tensor<2x8x16x8xf32>
func.func @choice(%c: tensor<32x64xi1, #t>, %a: tensor<32x64xf32, #t>, %b: tensor<32x64xf32, #t>) -> tensor<32x64xf32, #t> {
  %d = arith.select %c, %a, %b : tensor<32x64xi1, #t>, tensor<32x64xf32, #t>
  return %d : tensor<32x64xf32, #t>
}

// A loop that reads rows of what it does not change has them from outside.

// CHECK-LABEL: func @invariant
// CHECK: %[[U:.*]] = linalg.unpack
// CHECK: scf.for
// CHECK-NOT: linalg.unpack
// CHECK: tensor.extract_slice %[[U]]
func.func @invariant(%a: tensor<32x64xf32, #t>, %n: index, %s: tensor<16x64xf32>) -> tensor<16x64xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%x = %s) -> tensor<16x64xf32> {
    %y = tensor.extract_slice %a[%i, 0] [16, 64] [1, 1] : tensor<32x64xf32, #t> to tensor<16x64xf32>
    %z = arith.addf %x, %y : tensor<16x64xf32>
    scf.yield %z : tensor<16x64xf32>
  }
  return %r : tensor<16x64xf32>
}

// So does an op that reads it for each element.

// CHECK-LABEL: func @captured
// CHECK: %[[U:.*]] = linalg.unpack
// CHECK: linalg.generic
// CHECK-NOT: linalg.unpack
// CHECK: tensor.extract %[[U]]
// CHECK-NOT: linalg.unpack
// CHECK: tensor.generate
// CHECK: scf.if
// CHECK-NOT: linalg.unpack
// CHECK: tensor.extract
#vector = affine_map<(m) -> (m)>
func.func @captured(%a: tensor<32x64xf32, #t>, %i: tensor<12xindex>) -> (tensor<12xf32>, tensor<12xf32>) {
  %c0 = arith.constant 0 : index
  %e = tensor.empty() : tensor<12xf32>
  %r = linalg.generic {indexing_maps = [#vector, #vector], iterator_types = ["parallel"]}
      ins(%i : tensor<12xindex>) outs(%e : tensor<12xf32>) {
  ^bb0(%x: index, %o: f32):
    %y = tensor.extract %a[%c0, %x] : tensor<32x64xf32, #t>
    linalg.yield %y : f32
  } -> tensor<12xf32>
  %g = tensor.generate {
  ^bb0(%x: index):
    %b = arith.cmpi ult, %x, %c0 : index
    %y = scf.if %b -> f32 {
      %z = tensor.extract %a[%x, %x] : tensor<32x64xf32, #t>
      scf.yield %z : f32
    } else {
      %z = arith.constant 0.0 : f32
      scf.yield %z : f32
    }
    tensor.yield %y : f32
  } : tensor<12xf32>
  return %r, %g : tensor<12xf32>, tensor<12xf32>
}

// What iterations insert into is row-major.

// CHECK-LABEL: func @forall
// CHECK: %[[U:.*]] = linalg.unpack
// CHECK: %[[F:.*]] = scf.forall {{.*}} shared_outs(%[[O:.*]] = %[[U]]) -> (tensor<32x64xf32>)
// CHECK: tensor.extract_slice %[[O]]
// CHECK: tensor.parallel_insert_slice %{{.*}} into %[[O]]
// CHECK: linalg.pack %[[F]]
func.func @forall(%a: tensor<32x64xf32, #t>) -> tensor<32x64xf32, #t> {
  %r = scf.forall (%i) in (32) shared_outs(%o = %a) -> tensor<32x64xf32, #t> {
    %s = tensor.extract_slice %o[%i, 0] [1, 64] [1, 1] : tensor<32x64xf32, #t> to tensor<1x64xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %s into %o[%i, 0] [1, 64] [1, 1] : tensor<1x64xf32> into tensor<32x64xf32, #t>
    }
  }
  return %r : tensor<32x64xf32, #t>
}

// CHECK-LABEL: func @branches
// CHECK: scf.if {{.*}} -> (tensor<2x8x16x8xf32>)
// CHECK: linalg.pack
// CHECK: arith.constant dense<0.000000e+00> : tensor<2x8x16x8xf32>
// CHECK: cf.cond_br {{.*}}(%{{.*}} : tensor<2x8x16x8xf32>)
// CHECK: arith.select {{.*}} : tensor<2x8x16x8xf32>
func.func @branches(%c: i1, %a: tensor<32x64xf32>, %b: tensor<32x64xf32, #t>) -> tensor<32x64xf32, #t> {
  %e = tensor.empty() : tensor<32x64xf32, #t>
  %r = scf.if %c -> tensor<32x64xf32, #t> {
    %x = memspace.encode ins(%a : tensor<32x64xf32>) outs(%e : tensor<32x64xf32, #t>)
    scf.yield %x : tensor<32x64xf32, #t>
  } else {
    %z = arith.constant dense<0.0> : tensor<32x64xf32, #t>
    scf.yield %z : tensor<32x64xf32, #t>
  }
  cf.cond_br %c, ^one(%r : tensor<32x64xf32, #t>), ^one(%b : tensor<32x64xf32, #t>)
^one(%x: tensor<32x64xf32, #t>):
  %y = arith.select %c, %x, %b : tensor<32x64xf32, #t>
  return %y : tensor<32x64xf32, #t>
}

// Elements of a constant, one by one; ops that are no op for each element.

// CHECK-LABEL: func @rows
// CHECK-DAG: arith.constant dense<[1, 2, 3]> : tensor<3xi32>
// CHECK-DAG: %[[U:.*]] = linalg.unpack
// CHECK: linalg.softmax dimension(1) ins(%[[U]] : tensor<32x64xf32>)
// CHECK: linalg.pack
#t1 = #memspace.tiled_layout<inner_dims_pos = [0], inner_tiles = [16]>
func.func @rows(%a: tensor<32x64xf32, #t>) -> (tensor<3xi32, #t1>, tensor<32x64xf32, #t>) {
  %c = arith.constant dense<[1, 2, 3]> : tensor<3xi32, #t1>
  %e = tensor.empty() : tensor<32x64xf32, #t>
  %r = linalg.softmax dimension(1) ins(%a : tensor<32x64xf32, #t>) outs(%e : tensor<32x64xf32, #t>) -> tensor<32x64xf32, #t>
  return %c, %r : tensor<3xi32, #t1>, tensor<32x64xf32, #t>
}

// Extents 0 and 1, no dimension, small types.

#columns = #memspace.tiled_layout<outer_dims_perm = [1, 0]>
#by4 = #memspace.tiled_layout<padding_multiples = [4, 1]>
// CHECK-LABEL: func @small
// CHECK-SAME: (%[[A:.*]]: tensor<i4>, %[[B:.*]]: tensor<0x5xf32>, %[[C:.*]]: tensor<1x5xi1>, %[[D:.*]]: tensor<1x5xi1>)
// CHECK-SAME: -> (tensor<i4>, tensor<0x5xf32>, tensor<1x5xi1>, tensor<20xi1>)
// CHECK: %[[P:.*]] = linalg.generic
// CHECK: return %[[A]], %[[B]], %[[C]], %[[P]]
func.func @small(%a: tensor<i4>, %b: tensor<0x5xf32>, %c: tensor<1x5xi1>, %d: tensor<1x5xi1>)
    -> (tensor<i4, #memspace.tiled_layout<>>, tensor<0x5xf32, #columns>, tensor<1x5xi1, #columns>, tensor<1x5xi1, #by4>) {
  %e0 = tensor.empty() : tensor<i4, #memspace.tiled_layout<>>
  %e1 = tensor.empty() : tensor<0x5xf32, #columns>
  %e2 = tensor.empty() : tensor<1x5xi1, #columns>
  %e3 = tensor.empty() : tensor<1x5xi1, #by4>
  %0 = memspace.encode ins(%a : tensor<i4>) outs(%e0 : tensor<i4, #memspace.tiled_layout<>>)
  %1 = memspace.encode ins(%b : tensor<0x5xf32>) outs(%e1 : tensor<0x5xf32, #columns>)
  %2 = memspace.encode ins(%c : tensor<1x5xi1>) outs(%e2 : tensor<1x5xi1, #columns>)
  %3 = memspace.encode ins(%d : tensor<1x5xi1>) outs(%e3 : tensor<1x5xi1, #by4>)
  return %0, %1, %2, %3 : tensor<i4, #memspace.tiled_layout<>>, tensor<0x5xf32, #columns>, tensor<1x5xi1, #columns>, tensor<1x5xi1, #by4>
}

// -----

// A product of unknown sizes, of which K may be padded; a batch, with a rhs that
// is transposed.

#lhs = #memspace.matmul_operand<lhs, types = [f16, f16, f32], sizes = [?, 32, ?], divisors = [64, 1, 1]>
#rhs = #memspace.matmul_operand<rhs, types = [f16, f16, f32], sizes = [?, 32, ?], divisors = [64, 1, 1]>
#acc = #memspace.matmul_operand<acc, types = [f16, f16, f32], sizes = [?, 32, ?], divisors = [64, 1, 1]>
// CHECK-LABEL: func @unknown_sizes
// CHECK-SAME: (%[[A:.*]]: tensor<?x?xf16>
// CHECK: %[[K:.*]] = tensor.dim %[[A]], %c1
// CHECK: linalg.generic {{.*}} ins(%{{.*}}, %{{.*}} : tensor<?x?x16x16xf16>, tensor<2x?x16x16xf16>) outs(%{{.*}} : tensor<?x2x16x16xf32>)
// CHECK: arith.cmpi slt, %{{.*}}, %
// CHECK: arith.select
func.func @unknown_sizes(%a: tensor<?x?xf16>, %b: tensor<?x32xf16>, %m: index, %k: index) -> tensor<?x32xf32, #acc> {
  %z = arith.constant 0.0 : f32
  %ea = tensor.empty(%m, %k) : tensor<?x?xf16, #lhs>
  %eb = tensor.empty(%k) : tensor<?x32xf16, #rhs>
  %ec = tensor.empty(%m) : tensor<?x32xf32, #acc>
  %x = memspace.encode ins(%a : tensor<?x?xf16>) outs(%ea : tensor<?x?xf16, #lhs>)
  %y = memspace.encode ins(%b : tensor<?x32xf16>) outs(%eb : tensor<?x32xf16, #rhs>)
  %f = linalg.fill ins(%z : f32) outs(%ec : tensor<?x32xf32, #acc>) -> tensor<?x32xf32, #acc>
  %r = linalg.matmul ins(%x, %y : tensor<?x?xf16, #lhs>, tensor<?x32xf16, #rhs>) outs(%f : tensor<?x32xf32, #acc>) -> tensor<?x32xf32, #acc>
  return %r : tensor<?x32xf32, #acc>
}

#blhs = #memspace.matmul_operand<lhs, types = [f16, f16, f32], sizes = [32, 48, 64]>
#brhs = #memspace.matmul_operand<rhs transposed, types = [f16, f16, f32], sizes = [32, 48, 64]>
#bacc = #memspace.matmul_operand<acc, types = [f16, f16, f32], sizes = [32, 48, 64]>
// CHECK-LABEL: func @batch
// CHECK-NOT: arith.select
// CHECK: linalg.generic
// CHECK-SAME: ins(%{{.*}}, %{{.*}} : tensor<3x2x4x16x16xf16>, tensor<3x3x4x16x16xf16>) outs(%{{.*}} : tensor<3x2x3x16x16xf32>)
// CHECK-NOT: arith.select
// CHECK: return
func.func @batch(%x: tensor<3x32x64xf16, #blhs>, %y: tensor<3x48x64xf16, #brhs>, %c: tensor<3x32x48xf32, #bacc>) -> tensor<3x32x48xf32, #bacc> {
  %r = linalg.batch_matmul indexing_maps = [affine_map<(b, m, n, k) -> (b, m, k)>, affine_map<(b, m, n, k) -> (b, n, k)>, affine_map<(b, m, n, k) -> (b, m, n)>]
    ins(%x, %y : tensor<3x32x64xf16, #blhs>, tensor<3x48x64xf16, #brhs>) outs(%c : tensor<3x32x48xf32, #bacc>) -> tensor<3x32x48xf32, #bacc>
  return %r : tensor<3x32x48xf32, #bacc>
}

// -----

// Each tensor has the layout of the target that it lives on. Between two
// targets the encode of one encoding is a change.

#lhs = #memspace.matmul_operand<lhs, types = [f16, f16, f32], sizes = [64, 64, 64]>
// CHECK-LABEL: func @two_devices
// CHECK-SAME: -> (tensor<4x4x16x16xf16>, tensor<64x64xf16>)
// CHECK: %[[A:.*]] = linalg.pack {{.*}} into {{.*}} tensor<64x64xf16> -> tensor<4x4x16x16xf16>
// CHECK: return %[[A]], %arg0
func.func @two_devices(%a: tensor<64x64xf16>) -> (tensor<64x64xf16, #lhs>, tensor<64x64xf16, #lhs>) {
  %e = tensor.empty() : tensor<64x64xf16, #lhs>
  %f = tensor.empty() : tensor<64x64xf16, #lhs>
  %b = memspace.encode ins(%a : tensor<64x64xf16>) outs(%e : tensor<64x64xf16, #lhs>)
  %c = memspace.encode ins(%b : tensor<64x64xf16, #lhs>) outs(%f : tensor<64x64xf16, #lhs>)
      {memspace.target = #rocdl.target<chip = "gfx1030">}
  return %b, %c : tensor<64x64xf16, #lhs>, tensor<64x64xf16, #lhs>
}

// -----

// Arguments and results have the layouts of their types, in calls and
// declarations, too, whatever happens inside.

#t = #memspace.tiled_layout<inner_dims_pos = [0, 1], inner_tiles = [16, 8]>
// CHECK-LABEL: func private @declared(tensor<2x8x16x8xf32>) -> tensor<2x8x16x8xf32>
func.func private @declared(tensor<32x64xf32, #t>) -> tensor<32x64xf32, #t>
// CHECK-LABEL: func @recursive
// CHECK-SAME: (%[[A:.*]]: tensor<2x8x16x8xf32>) -> tensor<2x8x16x8xf32>
// CHECK: call @declared(%[[A]]) : (tensor<2x8x16x8xf32>) -> tensor<2x8x16x8xf32>
// CHECK: call @recursive({{.*}}) : (tensor<2x8x16x8xf32>) -> tensor<2x8x16x8xf32>
func.func @recursive(%a: tensor<32x64xf32, #t>) -> tensor<32x64xf32, #t> {
  %b = call @declared(%a) : (tensor<32x64xf32, #t>) -> tensor<32x64xf32, #t>
  %c = call @recursive(%b) : (tensor<32x64xf32, #t>) -> tensor<32x64xf32, #t>
  return %c : tensor<32x64xf32, #t>
}

// Encodings that are not layouts are not ours.

#sparse = #sparse_tensor.encoding<{map = (d0) -> (d0 : compressed)}>
// CHECK-LABEL: func @sparse
// CHECK-SAME: tensor<8xf32, #sparse{{.*}}>
func.func @sparse(%a: tensor<8xf32, #sparse>) -> tensor<8xf32, #sparse> {
  return %a : tensor<8xf32, #sparse>
}

// -----

// Memory holds what is read and written as a tensor.

#t = #memspace.tiled_layout<inner_dims_pos = [0, 1], inner_tiles = [16, 8]>
// CHECK-LABEL: func private @kernel
// CHECK-SAME: (%[[A:.*]]: memref<30x64xf32>, %[[B:.*]]: memref<2x8x16x8xf32>)
// CHECK: bufferization.materialize_in_destination {{.*}} : (tensor<2x8x16x8xf32>, memref<2x8x16x8xf32>)
func.func private @kernel(%a: memref<30x64xf32>, %b: memref<30x64xf32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %x = bufferization.to_tensor %a restrict : memref<30x64xf32> to tensor<30x64xf32>
  %e = tensor.empty() : tensor<30x64xf32, #t>
  %y = memspace.encode ins(%x : tensor<30x64xf32>) outs(%e : tensor<30x64xf32, #t>)
  bufferization.materialize_in_destination %y in restrict writable %b : (tensor<30x64xf32, #t>, memref<30x64xf32>) -> ()
  return
}
// CHECK-LABEL: func @host
// CHECK: %[[M:.*]] = memref.alloc() : memref<2x8x16x8xf32>
// CHECK: call @kernel(%{{.*}}, %[[M]]) : (memref<30x64xf32>, memref<2x8x16x8xf32>) -> ()
// CHECK: memref.dealloc %[[M]] : memref<2x8x16x8xf32>
func.func @host(%a: memref<30x64xf32>) {
  %m = memref.alloc() : memref<30x64xf32>
  call @kernel(%a, %m) : (memref<30x64xf32>, memref<30x64xf32>) -> ()
  memref.dealloc %m : memref<30x64xf32>
  return
}

// It is as large as its memory even if the tensor does not say how large that is.

// CHECK-LABEL: func @known_to_memory
// CHECK: %[[COUNT:.*]] = arith.constant 2 : index
// CHECK: %[[TILE:.*]] = arith.constant 16 : index
// CHECK: %[[SIZE:.*]] = arith.muli %[[COUNT]], %[[TILE]]
// CHECK: memref.alloc(%[[SIZE]]) : memref<?xf32>
#rows = #memspace.tiled_layout<inner_dims_pos = [0], inner_tiles = [16]>
func.func @known_to_memory(%a: tensor<?xf32, #rows>) {
  %m = memref.alloc() : memref<30xf32>
  bufferization.materialize_in_destination %a in restrict writable %m : (tensor<?xf32, #rows>, memref<30xf32>) -> ()
  memref.dealloc %m : memref<30xf32>
  return
}

// -----

// What is the same but for what the type says of its extents is a cast, and a
// second encode of one tensor, too.

#d = #memspace.tiled_layout<inner_dims_pos = [0], inner_tiles = [16], outer_dims_perm = [1, 0]>
// CHECK-LABEL: func @more_is_known
// CHECK-SAME: (%[[A:.*]]: tensor<8x32xf32>) -> tensor<8x?xf32>
// CHECK-NEXT: %[[C:.*]] = tensor.cast %[[A]] : tensor<8x32xf32> to tensor<8x?xf32>
// CHECK-NEXT: return %[[C]]
func.func @more_is_known(%a: tensor<32x8xf32, #d>) -> tensor<?x8xf32, #d> {
  %n = arith.constant 32 : index
  %e = tensor.empty(%n) : tensor<?x8xf32, #d>
  %b = memspace.encode ins(%a : tensor<32x8xf32, #d>) outs(%e : tensor<?x8xf32, #d>)
  return %b : tensor<?x8xf32, #d>
}
// CHECK-LABEL: func @known_in_one
// CHECK: %[[G:.*]] = linalg.generic
// CHECK-NOT: linalg.generic
// CHECK: %[[C:.*]] = tensor.cast %[[G]] : tensor<32x8xf32> to tensor<?x8xf32>
// CHECK-NEXT: return %[[C]], %[[G]]
func.func @known_in_one(%a: tensor<32x8xf32, #d>) -> (tensor<?x8xf32>, tensor<32x8xf32>) {
  %n = arith.constant 32 : index
  %e = tensor.empty(%n) : tensor<?x8xf32>
  %f = tensor.empty() : tensor<32x8xf32>
  %c = memspace.encode ins(%a : tensor<32x8xf32, #d>) outs(%f : tensor<32x8xf32>)
  %b = memspace.encode ins(%a : tensor<32x8xf32, #d>) outs(%e : tensor<?x8xf32>)
  return %b, %c : tensor<?x8xf32>, tensor<32x8xf32>
}

// -----

// What an encoding in between promises of the extents is not forgotten.

#p = #memspace.tiled_layout<divisors = [128, 1]>
#c = #memspace.tiled_layout<inner_dims_pos = [0, 1], inner_tiles = [16, 64]>
// CHECK-LABEL: func @promise
// CHECK-SAME: (%[[A:.*]]: tensor<?x64xf32>, %{{.*}}: index)
// CHECK-NEXT: return %[[A]]
func.func @promise(%a: tensor<?x64xf32>, %n: index) -> tensor<?x64xf32, #c> {
  %e = tensor.empty(%n) : tensor<?x64xf32, #p>
  %f = tensor.empty(%n) : tensor<?x64xf32, #c>
  %b = memspace.encode ins(%a : tensor<?x64xf32>) outs(%e : tensor<?x64xf32, #p>)
  %c = memspace.encode ins(%b : tensor<?x64xf32, #p>) outs(%f : tensor<?x64xf32, #c>)
  return %c : tensor<?x64xf32, #c>
}

// -----

// Two loops of a reduction reach its elements in the order that they had: loops
// over tiles and in tiles are next to each other.

#t = #memspace.tiled_layout<inner_dims_pos = [0, 1], inner_tiles = [16, 8]>
// CHECK: #[[$TILES:.*]] = affine_map<(d0, d1, d2, d3, d4) -> (d1, d3, d2, d4)>
// CHECK-LABEL: func @order
// CHECK: linalg.generic {indexing_maps = [#[[$TILES]],
// CHECK-SAME: iterator_types = ["parallel", "reduction", "reduction", "reduction", "reduction"]
func.func @order(%a: tensor<32x16xi32, #t>, %i: tensor<1xi32>) -> tensor<1xi32> {
  %r = linalg.generic {indexing_maps = [affine_map<(o, m, n) -> (m, n)>, affine_map<(o, m, n) -> (o)>], iterator_types = ["parallel", "reduction", "reduction"]} ins(%a : tensor<32x16xi32, #t>) outs(%i : tensor<1xi32>) {
  ^bb0(%x: i32, %y: i32):
    %p = arith.addi %y, %y : i32
    %q = arith.subi %x, %p : i32
    linalg.yield %q : i32
  } -> tensor<1xi32>
  return %r : tensor<1xi32>
}

// -----

// An operand is made row-major by the extents that another one knows: where the
// op is executed, since a loop around it may have no iteration.

#t = #memspace.tiled_layout<inner_dims_pos = [0], inner_tiles = [16], outer_dims_perm = [1, 0]>
// CHECK-LABEL: func @extents_of_others
// CHECK-SAME: (%{{.*}}: tensor<8x?xf32>, %[[B:.*]]: tensor<?x8xf32>,
// CHECK: scf.for
// CHECK: %[[N:.*]] = tensor.dim %[[B]], %{{.*}} : tensor<?x8xf32>
// CHECK: tensor.empty(%[[N]]) : tensor<?x8xf32>
// CHECK: linalg.generic
// CHECK-SAME: memspace.copy = "layout change from
// CHECK: linalg.div
func.func @extents_of_others(%a: tensor<?x8xf32, #t>, %b: tensor<?x8xf32>, %n: index) -> tensor<?x8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%c = %b) -> tensor<?x8xf32> {
    %d = linalg.div ins(%b, %a : tensor<?x8xf32>, tensor<?x8xf32, #t>) outs(%c : tensor<?x8xf32>) -> tensor<?x8xf32>
    scf.yield %d : tensor<?x8xf32>
  }
  return %r : tensor<?x8xf32>
}
// CHECK-LABEL: func @extents_in_a_loop
// CHECK: scf.for %{{.*}} iter_args(%[[C:.*]] = %{{.*}})
// CHECK: %[[N:.*]] = tensor.dim %[[C]], %{{.*}} : tensor<?x8xf32>
// CHECK: tensor.empty(%[[N]]) : tensor<?x8xf32>
// CHECK: memspace.copy
// CHECK: linalg.div
func.func @extents_in_a_loop(%a: tensor<?x8xf32, #t>, %b: tensor<?x8xf32>, %n: index) -> tensor<?x8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%c = %b) -> tensor<?x8xf32> {
    %d = linalg.div ins(%a, %a : tensor<?x8xf32, #t>, tensor<?x8xf32, #t>) outs(%c : tensor<?x8xf32>) -> tensor<?x8xf32>
    scf.yield %d : tensor<?x8xf32>
  }
  return %r : tensor<?x8xf32>
}

// -----

// The same bytes, but not the same array: 1 by n in one, n by 1 in the other.

#c = #memspace.tiled_layout<outer_dims_perm = [1, 0]>
#r = #memspace.tiled_layout<divisors = [1, 1]>
// CHECK-LABEL: func @other_array
// CHECK-SAME: (%[[A:.*]]: tensor<?x?xf32>, %{{.*}}: index) -> tensor<?x1xf32>
// CHECK-NOT: tensor.cast
// CHECK: linalg.generic
// CHECK: %[[I:.*]] = linalg.index 0
// CHECK: %[[J:.*]] = linalg.index 1
// CHECK: tensor.extract %[[A]][%[[J]], %[[I]]]
func.func @other_array(%a: tensor<?x?xf32, #c>, %n: index) -> tensor<?x1xf32, #r> {
  %e = tensor.empty(%n) : tensor<?x1xf32, #r>
  %b = memspace.encode ins(%a : tensor<?x?xf32, #c>) outs(%e : tensor<?x1xf32, #r>)
  return %b : tensor<?x1xf32, #r>
}

// -----

// What was asked of the memory of a tensor stays with its layout: the encode
// that promised a divisor goes, and then the division needs rows.

#p = #memspace.tiled_layout<inner_dims_pos = [0, 1], inner_tiles = [16, 16]>
#d = #memspace.tiled_layout<inner_dims_pos = [0, 1], inner_tiles = [16, 16], divisors = [16, 1]>
// CHECK-LABEL: func @asked_of_memory
// CHECK: %[[D:.*]] = arith.divsi
// CHECK: %[[T:.*]] = linalg.generic {{.*}}memspace.copy = "layout change from row-major
// CHECK: %[[C:.*]] = tensor.dim %[[T]], %{{.*}} : tensor<?x4x16x16xi32>
// CHECK: %[[N:.*]] = arith.muli %[[C]]
// CHECK: tensor.empty(%[[N]]) : tensor<?x64xi32>
// CHECK-NOT: memspace.of_memory
// CHECK: linalg.add
func.func @asked_of_memory(%a: tensor<?x64xi32>, %x: tensor<?x64xi32, #p>, %n: index) -> tensor<?x64xi32> {
  %e0 = tensor.empty(%n) : tensor<?x64xi32, #p>
  %0 = memspace.encode ins(%a : tensor<?x64xi32>) outs(%e0 : tensor<?x64xi32, #p>)
  %e = tensor.empty(%n) : tensor<?x64xi32, #d>
  %1 = memspace.encode ins(%0 : tensor<?x64xi32, #p>) outs(%e : tensor<?x64xi32, #d>)
  %2 = arith.divsi %1, %1 : tensor<?x64xi32, #d>
  %e4 = tensor.empty(%n) : tensor<?x64xi32>
  %3 = linalg.add ins(%x, %2 : tensor<?x64xi32, #p>, tensor<?x64xi32, #d>) outs(%e4 : tensor<?x64xi32>) -> tensor<?x64xi32>
  return %3 : tensor<?x64xi32>
}
