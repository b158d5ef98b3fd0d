// RUN: memspace-opt %s -memspace-kernel-pipeline='chip=gfx942' -verify-diagnostics

func.func @updates_of_others(%in0: memref<24xi8>, %n0: index, %out0: memref<24xi8>)
    attributes {gpu.known_block_size = array<i32: 8, 8, 1>} {
  %v0 = bufferization.to_tensor %in0 restrict : memref<24xi8> to tensor<24xi8>
  %v6 = arith.constant 24 : index
  %v7 = tensor.empty() : tensor<24xi8>
  %v8 = tensor.expand_shape %v0 [[0, 1]] output_shape [8, 3] : tensor<24xi8> into tensor<8x3xi8>
  %v9 = tensor.expand_shape %v7 [[0, 1]] output_shape [8, 3] : tensor<24xi8> into tensor<8x3xi8>
  %v10 = arith.index_cast %n0 : index to i32
  %v11 = arith.trunci %v10 : i32 to i8
  %v12 = memspace.scan dimension(0) reverse ins(%v8 : tensor<8x3xi8>) initial(%v11 : i8) outs(%v9 : tensor<8x3xi8>) {
  ^bb0(%v13: i8, %v14: i8):
    %v15 = arith.constant 0 : i8
    %v16 = arith.cmpi ne, %v14, %v15 : i8
    %v17 = arith.select %v16, %v14, %v13 : i8
    memspace.yield %v17 : i8
  } -> tensor<8x3xi8>
  %v18 = tensor.collapse_shape %v12 [[0, 1]] : tensor<8x3xi8> into tensor<24xi8>
  %v19 = tensor.empty() : tensor<24xi32>
  %v22 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
      ins(%v18 : tensor<24xi8>) outs(%v19 : tensor<24xi32>) {
  ^bb0(%v20: i8, %v21: i32):
    %v24 = arith.index_cast %v20 : i8 to index
    %v25 = arith.remui %v24, %v6 : index
    %v26 = arith.index_cast %v25 : index to i32
    linalg.yield %v26 : i32
  } -> tensor<24xi32>
  %v27 = tensor.extract_slice %v22[16] [2] [1] : tensor<24xi32> to tensor<2xi32>
  %v28 = tensor.expand_shape %v27 [[0, 1]] output_shape [2, 1] : tensor<2xi32> into tensor<2x1xi32>
  %v29 = tensor.empty() : tensor<2xi8>
  %v30 = memspace.gather gather_dims([0]) ins(%v18, %v28 : tensor<24xi8>, tensor<2x1xi32>) outs(%v29 : tensor<2xi8>) -> tensor<2xi8>
  // expected-error@+1 {{in kernel 'updates_of_others' puts a tensor into another one that is needed elsewhere, or cannot be written: the copy of the whole does not end in place; copy the destination into a tensor of its own (linalg.copy), and insert there}}
  %v31 = tensor.insert_slice %v30 into %v18[21] [2] [1] : tensor<2xi8> into tensor<24xi8>
  %v33 = arith.constant 8 : index
  %v34 = tensor.empty() : tensor<24xi8>
  %v36 = scf.forall (%v37) in (8) shared_outs(%v35 = %v34) -> (tensor<24xi8>) {
    %v38 = affine.apply affine_map<(d0) -> (d0 * 3)>(%v37)
    %v39 = tensor.extract_slice %v31[%v38] [3] [1] : tensor<24xi8> to tensor<3xi8>
    %v40 = arith.remui %v37, %v33 : index
    %v41 = arith.addi %v40, %n0 : index
    %v42 = arith.remui %v41, %v33 : index
    %v43 = affine.apply affine_map<(d0) -> (d0 * 3)>(%v42)
    %v44 = tensor.extract_slice %v31[%v43] [3] [1] : tensor<24xi8> to tensor<3xi8>
    %v45 = affine.apply affine_map<(d0) -> (d0 * 3)>(%v37)
    %v46 = tensor.extract_slice %v35[%v45] [3] [1] : tensor<24xi8> to tensor<3xi8>
    %v68 = arith.constant dense<3> : tensor<3xi32>
    %v69 = arith.index_cast %v37 : index to i32
    %v70 = arith.index_cast %n0 : index to i32
    %v71 = arith.trunci %v70 : i32 to i8
    %v72:2 = memspace.scan dimension(0) exclusive ins(%v68, %v44 : tensor<3xi32>, tensor<3xi8>) initial(%v69, %v71 : i32, i8) outs(%v68, %v39 : tensor<3xi32>, tensor<3xi8>) {
    ^bb0(%v73: i32, %v74: i8, %v75: i32, %v76: i8):
      %v77 = arith.cmpi sgt, %v75, %v73 : i32
      %v78 = arith.select %v77, %v75, %v73 : i32
      %v79 = arith.select %v77, %v76, %v74 : i8
      memspace.yield %v78, %v79 : i32, i8
    } -> tensor<3xi32>, tensor<3xi8>
    %v82 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
        ins(%v72#1 : tensor<3xi8>) outs(%v46 : tensor<3xi8>) {
    ^bb0(%v80: i8, %v81: i8):
      %v83 = arith.constant -4 : i8
      %v84 = arith.ori %v83, %v80 : i8
      linalg.yield %v84 : i8
    } -> tensor<3xi8>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %v82 into %v35[%v45] [3] [1] : tensor<3xi8> into tensor<24xi8>
    }
  } {mapping = [#gpu.thread<linear_dim_0>]}
  bufferization.materialize_in_destination %v36 in restrict writable %out0 : (tensor<24xi8>, memref<24xi8>) -> ()
  return
}