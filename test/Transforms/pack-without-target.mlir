// Without a target nobody knows which lanes are in one subgroup, so a branch on
// a lane's number is taken by some threads only: its buffers are live at once.
// RUN: memspace-opt %s -memspace-pack-workgroup-memory | FileCheck %s
// RUN: memspace-opt %s -memspace-pack-workgroup-memory=objective=bytes -memspace-insert-barriers=chip=gfx942 -memspace-verify-barriers=chip=gfx942 -o /dev/null
// RUN: memspace-opt %s -memspace-pack-workgroup-memory=workgroup-limit=600 -memspace-insert-barriers=chip=sm_90 -memspace-verify-barriers=chip=sm_90 -o /dev/null

// CHECK-LABEL: func.func @arms
// CHECK: memref.alloc() {{.*}}memspace.arena{{.*}} : memref<512xi8
func.func @arms(%out: memref<64xf32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %lane = gpu.lane_id
  %tid = gpu.thread_id x
  %c16 = arith.constant 16 : index
  %c63 = arith.constant 63 : index
  %f = arith.constant 1.0 : f32
  %low = arith.cmpi ult, %lane, %c16 : index
  scf.if %low {
    %a = memref.alloc() : memref<64xf32, #gpu.address_space<workgroup>>
    memref.store %f, %a[%tid] : memref<64xf32, #gpu.address_space<workgroup>>
    %x = memref.load %a[%tid] : memref<64xf32, #gpu.address_space<workgroup>>
    memref.store %x, %out[%tid] : memref<64xf32>
  } else {
    %b = memref.alloc() : memref<64xf32, #gpu.address_space<workgroup>>
    %i = arith.subi %c63, %tid : index
    memref.store %f, %b[%i] : memref<64xf32, #gpu.address_space<workgroup>>
    %x = memref.load %b[%i] : memref<64xf32, #gpu.address_space<workgroup>>
    memref.store %x, %out[%tid] : memref<64xf32>
  }
  return
}

// CHECK-LABEL: func.func @loop
// CHECK: memref.alloc() {{.*}}memspace.arena{{.*}} : memref<512xi8
func.func @loop(%out: memref<64xf32>, %n: index) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %f = arith.constant 1.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c15 = arith.constant 15 : index
  %c16 = arith.constant 16 : index
  %t = gpu.thread_id x
  %lane = gpu.lane_id
  %r = arith.subi %c15, %t : index
  %q = arith.cmpi ult, %lane, %c16 : index
  scf.if %q {
    %s = arith.addi %n, %c1 : index
    scf.for %k = %c0 to %s step %c1 {
      %a = memref.alloc() : memref<64xf32, #gpu.address_space<workgroup>>
      memref.store %f, %a[%t] : memref<64xf32, #gpu.address_space<workgroup>>
      %x = memref.load %a[%t] : memref<64xf32, #gpu.address_space<workgroup>>
      memref.store %x, %out[%t] : memref<64xf32>
      %b = memref.alloc() : memref<64xf32, #gpu.address_space<workgroup>>
      memref.store %f, %b[%r] : memref<64xf32, #gpu.address_space<workgroup>>
      %y = memref.load %b[%r] : memref<64xf32, #gpu.address_space<workgroup>>
      memref.store %y, %out[%t] : memref<64xf32>
    }
  }
  return
}
