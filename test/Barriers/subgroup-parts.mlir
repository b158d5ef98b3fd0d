// The steps of a butterfly in the part that a subgroup has of a buffer, in a loop: the
// offset of the part is a number of each thread, the distance one of the iteration. Only
// two of four subgroups come here.
// RUN: memspace-opt %s -memspace-insert-barriers=chip=sm_90 -o %t
// RUN: FileCheck %s --input-file=%t
// RUN: memspace-opt %t -memspace-verify-barriers='chip=sm_90 may-hazards=error' -o /dev/null
// RUN: memspace-runner %t --kernel=inside --chip=sm_90 --arg=0:random:1
// RUN: memspace-runner %t --kernel=across --chip=sm_90 --arg=0:random:1
// RUN: not memspace-opt %s -memspace-verify-barriers='chip=sm_90 may-hazards=error' -o /dev/null 2>&1 | FileCheck %s --check-prefix=WITHOUT

// WITHOUT: data race

// CHECK-LABEL: func.func @inside
// CHECK-NOT: gpu.barrier
// CHECK: scf.if
// CHECK: scf.for
// CHECK: memspace.subgroup_barrier
// CHECK-NOT: gpu.barrier
// CHECK-LABEL: func.func @across
func.func @inside(%in: memref<128xi32>, %out: memref<128xi32>) attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c5 = arith.constant 5 : index
  %t = gpu.thread_id x
  %w = affine.apply affine_map<(d0) -> (d0 floordiv 32)>(%t)
  %l = affine.apply affine_map<(d0) -> (d0 mod 32)>(%t)
  %buffer = memref.alloc() : memref<512xi8, #gpu.address_space<workgroup>>
  %enters = arith.cmpi ult, %w, %c2 : index
  scf.if %enters {
    %begin = affine.apply affine_map<(d0) -> ((d0 floordiv 32) * 128)>(%t)
    %part = memref.view %buffer[%begin][] : memref<512xi8, #gpu.address_space<workgroup>> to memref<32xi32, #gpu.address_space<workgroup>>
    %v = memref.load %in[%t] : memref<128xi32>
    memref.store %v, %part[%l] : memref<32xi32, #gpu.address_space<workgroup>>
    scf.for %k = %c0 to %c5 step %c1 {
      %distance = arith.shli %c1, %k : index
      %other = arith.xori %l, %distance : index
      %a = memref.load %part[%l] : memref<32xi32, #gpu.address_space<workgroup>>
      %b = memref.load %part[%other] : memref<32xi32, #gpu.address_space<workgroup>>
      %m = arith.minsi %a, %b : i32
      memspace.subgroup_barrier
      memref.store %m, %part[%l] : memref<32xi32, #gpu.address_space<workgroup>>
    }
    %least = memref.load %part[%l] : memref<32xi32, #gpu.address_space<workgroup>>
    memref.store %least, %out[%t] : memref<128xi32>
  }
  return
}

// A part for two subgroups: the offset does not keep them apart, and all wait.
// CHECK: scf.for
// CHECK: gpu.barrier {memspace.hazard
// CHECK: return
func.func @across(%in: memref<128xi32>, %out: memref<128xi32>) attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %t = gpu.thread_id x
  %l = affine.apply affine_map<(d0) -> (d0 mod 64)>(%t)
  %begin = affine.apply affine_map<(d0) -> ((d0 floordiv 64) * 256)>(%t)
  %buffer = memref.alloc() : memref<512xi8, #gpu.address_space<workgroup>>
  %part = memref.view %buffer[%begin][] : memref<512xi8, #gpu.address_space<workgroup>> to memref<64xi32, #gpu.address_space<workgroup>>
  %v = memref.load %in[%t] : memref<128xi32>
  memref.store %v, %part[%l] : memref<64xi32, #gpu.address_space<workgroup>>
  scf.for %k = %c0 to %c5 step %c1 {
    %distance = arith.shli %c1, %k : index
    %moved = arith.muli %distance, %distance : index
    %sum = arith.addi %l, %moved : index
    %other = affine.apply affine_map<(d0) -> (d0 mod 64)>(%sum)
    %a = memref.load %part[%l] : memref<64xi32, #gpu.address_space<workgroup>>
    %b = memref.load %part[%other] : memref<64xi32, #gpu.address_space<workgroup>>
    %m = arith.minsi %a, %b : i32
    gpu.barrier
    memref.store %m, %part[%l] : memref<64xi32, #gpu.address_space<workgroup>>
  }
  %least = memref.load %part[%l] : memref<64xi32, #gpu.address_space<workgroup>>
  memref.store %least, %out[%t] : memref<128xi32>
  return
}
