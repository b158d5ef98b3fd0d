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
    %1:2 = scf.while (%arg3 = %c0, %arg4 = %cst) : (index, f32) -> (index, f32) {
      %2 = memref.load %arg0[%arg3, %c0] : memref<64x128xf32>
      %3 = arith.cmpf olt, %2, %arg2 : f32
      scf.condition(%3) %arg3, %arg4 : index, f32
    } do {
    ^bb0(%arg3: index, %arg4: f32):
      %2 = arith.remui %arg3, %c3 : index
      %3 = memref.load %arg0[%arg3, %thread_id_x] : memref<64x128xf32>
      memref.store %3, %alloc[%2, %thread_id_x] : memref<3x128xf32, #gpu.address_space<workgroup>>
      gpu.barrier {memspace.hazard = "WAR on memref<3x128xf32, #gpu.address_space<workgroup>>: 'memref.load' at loc(\22test/Transforms/insert-barriers-while-counters.mlir\22:64:10), 'memref.store' at loc(\22test/Transforms/insert-barriers-while-counters.mlir\22:63:5)"}
      %4 = memref.load %alloc[%2, %0] : memref<3x128xf32, #gpu.address_space<workgroup>>
      %5 = arith.addf %arg4, %4 : f32
      %6 = arith.addi %arg3, %c1 : index
      scf.yield %6, %5 : index, f32
    }
    memref.store %1#1, %arg1[%thread_id_x] : memref<128xf32>
    return
  }
  func.func @down(%arg0: memref<64x128xf32>, %arg1: memref<64x128xf32>, %arg2: f32, %arg3: index) attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c-2 = arith.constant -2 : index
    %c127 = arith.constant 127 : index
    %thread_id_x = gpu.thread_id  x
    %0 = arith.xori %thread_id_x, %c127 : index
    %alloc = memref.alloc() : memref<5x128xf32, #gpu.address_space<workgroup>>
    %1 = scf.while (%arg4 = %arg3) : (index) -> index {
      %2 = affine.apply #map(%arg4)
      %3 = memref.load %arg0[%arg4, %thread_id_x] : memref<64x128xf32>
      memref.store %3, %alloc[%2, %thread_id_x] : memref<5x128xf32, #gpu.address_space<workgroup>>
      gpu.barrier {memspace.hazard = "WAR on memref<5x128xf32, #gpu.address_space<workgroup>>: 'memref.load' at loc(\22test/Transforms/insert-barriers-while-counters.mlir\22:93:10), 'memref.store' at loc(\22test/Transforms/insert-barriers-while-counters.mlir\22:92:5)"}
      %4 = memref.load %alloc[%2, %0] : memref<5x128xf32, #gpu.address_space<workgroup>>
      memref.store %4, %arg1[%arg4, %thread_id_x] : memref<64x128xf32>
      %5 = memref.load %arg0[%arg4, %c0] : memref<64x128xf32>
      %6 = arith.cmpf ogt, %5, %arg2 : f32
      scf.condition(%6) %arg4 : index
    } do {
    ^bb0(%arg4: index):
      %2 = arith.addi %arg4, %c-2 : index
      scf.yield %2 : index
    }
    return
  }
  func.func @one_slot(%arg0: memref<64x128xf32>, %arg1: memref<128xf32>, %arg2: f32) attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c3 = arith.constant 3 : index
    %c127 = arith.constant 127 : index
    %thread_id_x = gpu.thread_id  x
    %0 = arith.xori %thread_id_x, %c127 : index
    %alloc = memref.alloc() : memref<3x128xf32, #gpu.address_space<workgroup>>
    %1 = scf.while (%arg3 = %c0) : (index) -> index {
      %2 = memref.load %arg0[%arg3, %c0] : memref<64x128xf32>
      %3 = arith.cmpf olt, %2, %arg2 : f32
      scf.condition(%3) %arg3 : index
    } do {
    ^bb0(%arg3: index):
      %2 = arith.remui %arg3, %c3 : index
      %3 = memref.load %arg0[%arg3, %thread_id_x] : memref<64x128xf32>
      gpu.barrier {memspace.hazard = "WAR on memref<3x128xf32, #gpu.address_space<workgroup>>: 'memref.load' at loc(\22test/Transforms/insert-barriers-while-counters.mlir\22:131:10), 'memref.store' at loc(\22test/Transforms/insert-barriers-while-counters.mlir\22:130:5)"}
      memref.store %3, %alloc[%2, %thread_id_x] : memref<3x128xf32, #gpu.address_space<workgroup>>
      gpu.barrier {memspace.hazard = "RAW on memref<3x128xf32, #gpu.address_space<workgroup>>: 'memref.store' at loc(\22test/Transforms/insert-barriers-while-counters.mlir\22:130:5), 'memref.load' at loc(\22test/Transforms/insert-barriers-while-counters.mlir\22:131:10)"}
      %4 = memref.load %alloc[%2, %0] : memref<3x128xf32, #gpu.address_space<workgroup>>
      memref.store %4, %arg1[%thread_id_x] : memref<128xf32>
      %5 = arith.addi %arg3, %c3 : index
      scf.yield %5 : index
    }
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
    %1 = scf.while (%arg3 = %c0) : (index) -> index {
      %2 = memref.load %arg0[%arg3, %c0] : memref<64x128xf32>
      %3 = arith.cmpf olt, %2, %arg2 : f32
      scf.condition(%3) %arg3 : index
    } do {
    ^bb0(%arg3: index):
      %2 = arith.remui %arg3, %c3 : index
      %3 = memref.load %arg0[%arg3, %thread_id_x] : memref<64x128xf32>
      gpu.barrier {memspace.hazard = "WAR on memref<3x128xf32, #gpu.address_space<workgroup>>: 'memref.load' at loc(\22test/Transforms/insert-barriers-while-counters.mlir\22:163:10), 'memref.store' at loc(\22test/Transforms/insert-barriers-while-counters.mlir\22:162:5)"}
      memref.store %3, %alloc[%2, %thread_id_x] : memref<3x128xf32, #gpu.address_space<workgroup>>
      gpu.barrier {memspace.hazard = "RAW on memref<3x128xf32, #gpu.address_space<workgroup>>: 'memref.store' at loc(\22test/Transforms/insert-barriers-while-counters.mlir\22:162:5), 'memref.load' at loc(\22test/Transforms/insert-barriers-while-counters.mlir\22:163:10)"}
      %4 = memref.load %alloc[%2, %0] : memref<3x128xf32, #gpu.address_space<workgroup>>
      memref.store %4, %arg1[%thread_id_x] : memref<128xf32>
      %5 = memref.load %arg0[%arg3, %c1] : memref<64x128xf32>
      %6 = arith.cmpf olt, %5, %arg2 : f32
      %7 = arith.select %6, %c0, %c1 : index
      %8 = arith.addi %arg3, %7 : index
      scf.yield %8 : index
    }
    return
  }
}

