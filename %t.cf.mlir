#map = affine_map<(d0) -> (d0 mod 5)>
module {
  func.func @three_slots(%arg0: memref<64x128xf32>, %arg1: memref<128xf32>, %arg2: f32) attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    %c127 = arith.constant 127 : index
    %cst = arith.constant 0.000000e+00 : f32
    %thread_id_x = gpu.thread_id  x
    %0 = arith.xori %thread_id_x, %c127 : index
    %alloc = memref.alloc() : memref<3x128xf32, #gpu.address_space<workgroup>>
    cf.br ^bb1(%c0, %cst : index, f32)
  ^bb1(%1: index, %2: f32):  // 2 preds: ^bb0, ^bb2
    %3 = memref.load %arg0[%1, %c0] : memref<64x128xf32>
    %4 = arith.cmpf olt, %3, %arg2 : f32
    cf.cond_br %4, ^bb2(%1, %2 : index, f32), ^bb3
  ^bb2(%5: index, %6: f32):  // pred: ^bb1
    %7 = arith.remui %5, %c3 : index
    %8 = memref.load %arg0[%5, %thread_id_x] : memref<64x128xf32>
    memref.store %8, %alloc[%7, %thread_id_x] : memref<3x128xf32, #gpu.address_space<workgroup>>
    gpu.barrier {memspace.hazard = "WAR on memref<3x128xf32, #gpu.address_space<workgroup>>: 'memref.load' at loc(\22test/Transforms/insert-barriers-while-counters.mlir\22:64:10), 'memref.store' at loc(\22test/Transforms/insert-barriers-while-counters.mlir\22:63:5)"}
    %9 = memref.load %alloc[%7, %0] : memref<3x128xf32, #gpu.address_space<workgroup>>
    %10 = arith.addf %6, %9 : f32
    %11 = arith.addi %5, %c1 : index
    cf.br ^bb1(%11, %10 : index, f32)
  ^bb3:  // pred: ^bb1
    memref.store %2, %arg1[%thread_id_x] : memref<128xf32>
    return
  }
  func.func @down(%arg0: memref<64x128xf32>, %arg1: memref<64x128xf32>, %arg2: f32, %arg3: index) attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c-2 = arith.constant -2 : index
    %c127 = arith.constant 127 : index
    %thread_id_x = gpu.thread_id  x
    %0 = arith.xori %thread_id_x, %c127 : index
    %alloc = memref.alloc() : memref<5x128xf32, #gpu.address_space<workgroup>>
    cf.br ^bb1(%arg3 : index)
  ^bb1(%1: index):  // 2 preds: ^bb0, ^bb2
    %2 = affine.apply #map(%1)
    %3 = memref.load %arg0[%1, %thread_id_x] : memref<64x128xf32>
    memref.store %3, %alloc[%2, %thread_id_x] : memref<5x128xf32, #gpu.address_space<workgroup>>
    gpu.barrier {memspace.hazard = "WAR on memref<5x128xf32, #gpu.address_space<workgroup>>: 'memref.load' at loc(\22test/Transforms/insert-barriers-while-counters.mlir\22:93:10), 'memref.store' at loc(\22test/Transforms/insert-barriers-while-counters.mlir\22:92:5)"}
    %4 = memref.load %alloc[%2, %0] : memref<5x128xf32, #gpu.address_space<workgroup>>
    memref.store %4, %arg1[%1, %thread_id_x] : memref<64x128xf32>
    %5 = memref.load %arg0[%1, %c0] : memref<64x128xf32>
    %6 = arith.cmpf ogt, %5, %arg2 : f32
    cf.cond_br %6, ^bb2(%1 : index), ^bb3
  ^bb2(%7: index):  // pred: ^bb1
    %8 = arith.addi %7, %c-2 : index
    cf.br ^bb1(%8 : index)
  ^bb3:  // pred: ^bb1
    return
  }
  func.func @one_slot(%arg0: memref<64x128xf32>, %arg1: memref<128xf32>, %arg2: f32) attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c3 = arith.constant 3 : index
    %c127 = arith.constant 127 : index
    %thread_id_x = gpu.thread_id  x
    %0 = arith.xori %thread_id_x, %c127 : index
    %alloc = memref.alloc() : memref<3x128xf32, #gpu.address_space<workgroup>>
    cf.br ^bb1(%c0 : index)
  ^bb1(%1: index):  // 2 preds: ^bb0, ^bb2
    %2 = memref.load %arg0[%1, %c0] : memref<64x128xf32>
    %3 = arith.cmpf olt, %2, %arg2 : f32
    cf.cond_br %3, ^bb2(%1 : index), ^bb3
  ^bb2(%4: index):  // pred: ^bb1
    %5 = arith.remui %4, %c3 : index
    %6 = memref.load %arg0[%4, %thread_id_x] : memref<64x128xf32>
    gpu.barrier {memspace.hazard = "WAR on memref<3x128xf32, #gpu.address_space<workgroup>>: 'memref.load' at loc(\22test/Transforms/insert-barriers-while-counters.mlir\22:131:10), 'memref.store' at loc(\22test/Transforms/insert-barriers-while-counters.mlir\22:130:5)"}
    memref.store %6, %alloc[%5, %thread_id_x] : memref<3x128xf32, #gpu.address_space<workgroup>>
    gpu.barrier {memspace.hazard = "RAW on memref<3x128xf32, #gpu.address_space<workgroup>>: 'memref.store' at loc(\22test/Transforms/insert-barriers-while-counters.mlir\22:130:5), 'memref.load' at loc(\22test/Transforms/insert-barriers-while-counters.mlir\22:131:10)"}
    %7 = memref.load %alloc[%5, %0] : memref<3x128xf32, #gpu.address_space<workgroup>>
    memref.store %7, %arg1[%thread_id_x] : memref<128xf32>
    %8 = arith.addi %4, %c3 : index
    cf.br ^bb1(%8 : index)
  ^bb3:  // pred: ^bb1
    return
  }
  func.func @may_stay(%arg0: memref<64x128xf32>, %arg1: memref<128xf32>, %arg2: f32) attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    %c127 = arith.constant 127 : index
    %thread_id_x = gpu.thread_id  x
    %0 = arith.xori %thread_id_x, %c127 : index
    %alloc = memref.alloc() : memref<3x128xf32, #gpu.address_space<workgroup>>
    cf.br ^bb1(%c0 : index)
  ^bb1(%1: index):  // 2 preds: ^bb0, ^bb2
    %2 = memref.load %arg0[%1, %c0] : memref<64x128xf32>
    %3 = arith.cmpf olt, %2, %arg2 : f32
    cf.cond_br %3, ^bb2(%1 : index), ^bb3
  ^bb2(%4: index):  // pred: ^bb1
    %5 = arith.remui %4, %c3 : index
    %6 = memref.load %arg0[%4, %thread_id_x] : memref<64x128xf32>
    gpu.barrier {memspace.hazard = "WAR on memref<3x128xf32, #gpu.address_space<workgroup>>: 'memref.load' at loc(\22test/Transforms/insert-barriers-while-counters.mlir\22:163:10), 'memref.store' at loc(\22test/Transforms/insert-barriers-while-counters.mlir\22:162:5)"}
    memref.store %6, %alloc[%5, %thread_id_x] : memref<3x128xf32, #gpu.address_space<workgroup>>
    gpu.barrier {memspace.hazard = "RAW on memref<3x128xf32, #gpu.address_space<workgroup>>: 'memref.store' at loc(\22test/Transforms/insert-barriers-while-counters.mlir\22:162:5), 'memref.load' at loc(\22test/Transforms/insert-barriers-while-counters.mlir\22:163:10)"}
    %7 = memref.load %alloc[%5, %0] : memref<3x128xf32, #gpu.address_space<workgroup>>
    memref.store %7, %arg1[%thread_id_x] : memref<128xf32>
    %8 = memref.load %arg0[%4, %c1] : memref<64x128xf32>
    %9 = arith.cmpf olt, %8, %arg2 : f32
    %10 = arith.select %9, %c0, %c1 : index
    %11 = arith.addi %4, %10 : index
    cf.br ^bb1(%11 : index)
  ^bb3:  // pred: ^bb1
    return
  }
}

