// RUN: memspace-opt %s -split-input-file -memspace-prune-kernel-results | FileCheck %s

// A kernel on tensors: nobody uses the second result. Its computation, its
// destination and the tensor of the host go, and so do the attributes of both.

// CHECK-LABEL: func private @sum_and_product
// CHECK-SAME:    (%[[X:.*]]: tensor<8xf32> {test.input}, %[[D:.*]]: tensor<8xf32> {test.first}) -> (tensor<8xf32> {test.sum})
// CHECK:         %[[R:.*]] = linalg.generic {{.*}} ins(%[[X]] : tensor<8xf32>) outs(%[[D]] : tensor<8xf32>)
// CHECK:           arith.addf
// CHECK-NOT:       arith.mulf
// CHECK:         return %[[R]] : tensor<8xf32>
// CHECK-LABEL: func @unused_result
// CHECK:         %[[E:.*]] = tensor.empty
// CHECK-NOT:     tensor.empty
// CHECK:         %[[C:.*]] = call @sum_and_product(%{{.*}}, %[[E]]) {{.*}}test.call
// CHECK-SAME:      : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
// CHECK:         return %[[C]]
#id = affine_map<(i) -> (i)>
func.func private @sum_and_product(%x: tensor<8xf32> {test.input}, %d: tensor<8xf32> {test.first}, %e: tensor<8xf32> {test.second})
    -> (tensor<8xf32> {test.sum}, tensor<8xf32> {test.product}) {
  %r:2 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]}
      ins(%x : tensor<8xf32>) outs(%d, %e : tensor<8xf32>, tensor<8xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %p = arith.addf %a, %a : f32
    %q = arith.mulf %a, %a : f32
    linalg.yield %p, %q : f32, f32
  } -> (tensor<8xf32>, tensor<8xf32>)
  return %r#0, %r#1 : tensor<8xf32>, tensor<8xf32>
}
func.func @unused_result(%x: tensor<8xf32>) -> tensor<8xf32> {
  %d = tensor.empty() : tensor<8xf32>
  %e = tensor.empty() : tensor<8xf32>
  %r:2 = call @sum_and_product(%x, %d, %e) {test.call} : (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>)
  return %r#0 : tensor<8xf32>
}

// -----

// Each call uses another result: both stay.

// CHECK-LABEL: func private @two_sites
// CHECK-SAME:    -> (i32, i32)
func.func private @two_sites(%x: i32) -> (i32, i32, i32) {
  %y = arith.addi %x, %x : i32
  %z = arith.muli %x, %x : i32
  %w = arith.subi %x, %y : i32
  return %y, %z, %w : i32, i32, i32
}
// CHECK-LABEL: func @uses_the_first
// CHECK:         call @two_sites(%{{.*}}) : (i32) -> (i32, i32)
func.func @uses_the_first(%x: i32) -> i32 {
  %r:3 = call @two_sites(%x) : (i32) -> (i32, i32, i32)
  return %r#0 : i32
}
func.func @uses_the_second(%x: i32) -> i32 {
  %r:3 = call @two_sites(%x) : (i32) -> (i32, i32, i32)
  return %r#1 : i32
}

// -----

// A chain: what the last one computes is used by nobody, so neither is what the
// one before computes. The second one is left, without its second result.

// CHECK-NOT:   @last
// CHECK-NOT:   @middle
// CHECK-LABEL: func private @first(
// CHECK-SAME:    %{{.*}}: tensor<4xi32>) -> tensor<4xi32>
// CHECK-NOT:     arith.muli
// CHECK-LABEL: func @chain
// CHECK:         %[[R:.*]] = call @first
// CHECK-NEXT:    return %[[R]]
func.func private @last(%x: tensor<4xi32>) -> tensor<4xi32> {
  %y = arith.xori %x, %x : tensor<4xi32>
  return %y : tensor<4xi32>
}
func.func private @middle(%x: tensor<4xi32>, %n: tensor<4xi32>) -> tensor<4xi32> {
  %y = arith.subi %x, %n : tensor<4xi32>
  return %y : tensor<4xi32>
}
func.func private @first(%x: tensor<4xi32>) -> (tensor<4xi32>, tensor<4xi32>) {
  %y = arith.addi %x, %x : tensor<4xi32>
  %z = arith.muli %x, %x : tensor<4xi32>
  return %y, %z : tensor<4xi32>, tensor<4xi32>
}
func.func @chain(%x: tensor<4xi32>) -> tensor<4xi32> {
  %a:2 = call @first(%x) : (tensor<4xi32>) -> (tensor<4xi32>, tensor<4xi32>)
  %b = call @middle(%a#1, %a#0) : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
  %c = call @last(%b) : (tensor<4xi32>) -> tensor<4xi32>
  return %a#0 : tensor<4xi32>
}

// -----

// Kernels that are launched, in loops and in branches: the buffer that is only
// written goes with its argument.

// CHECK-LABEL: gpu.func @twice(
// CHECK-SAME:    %[[X:[a-z0-9]*]]: memref<64xf32> {memspace.alignment = 16 : i64}, %[[Y:[a-z0-9]*]]: memref<64xf32> {memspace.noalias}) kernel
// CHECK:         memref.load %[[X]]
// CHECK:         memref.store %{{.*}}, %[[Y]]
// CHECK-NOT:     memref.store
// CHECK-LABEL: func @launches
// CHECK-NOT:     memref.alloc
// CHECK:         scf.for
// CHECK:           gpu.launch_func @kernels::@twice {{.*}} args(%{{.*}} : memref<64xf32>, %{{.*}} : memref<64xf32>)
// CHECK:         scf.if
// CHECK:           gpu.launch_func @kernels::@twice {{.*}} args(%{{.*}} : memref<64xf32>, %{{.*}} : memref<64xf32>)
// CHECK-NOT:     memref.dealloc
module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @twice(%x: memref<64xf32> {memspace.alignment = 16 : i64}, %unread: memref<64xf32> {memspace.alignment = 32 : i64}, %y: memref<64xf32> {memspace.noalias}) kernel
        attributes {known_block_size = array<i32: 64, 1, 1>} {
      %i = gpu.thread_id x
      %half = memref.subview %unread[32] [32] [1] : memref<64xf32> to memref<32xf32, strided<[1], offset: 32>>
      %v = memref.load %x[%i] : memref<64xf32>
      %s = arith.addf %v, %v : f32
      %q = arith.mulf %v, %v : f32
      memref.store %s, %y[%i] : memref<64xf32>
      memref.store %q, %half[%i] : memref<32xf32, strided<[1], offset: 32>>
      gpu.return
    }
  }
  func.func @launches(%x: memref<64xf32>, %y: memref<64xf32>, %n: index, %c: i1) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %a = memref.alloc() : memref<64xf32>
    scf.for %i = %c0 to %n step %c1 {
      %b = gpu.alloc() : memref<64xf32>
      gpu.launch_func @kernels::@twice blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1)
        args(%x : memref<64xf32>, %b : memref<64xf32>, %y : memref<64xf32>)
      gpu.dealloc %b : memref<64xf32>
    }
    scf.if %c {
      gpu.launch_func @kernels::@twice blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1)
        args(%x : memref<64xf32>, %a : memref<64xf32>, %y : memref<64xf32>)
    }
    memref.dealloc %a : memref<64xf32>
    return
  }
}

// -----

// One launch passes a buffer that the host reads: the argument stays at both.

// CHECK-LABEL: gpu.func @shared(
// CHECK-SAME:    %{{[a-z0-9]*}}: memref<64xf32>) kernel
// CHECK:         memref.store
// CHECK-LABEL: func @two_launches
// CHECK-COUNT-2: memref.alloc
module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @shared(%y: memref<64xf32>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
      %i = gpu.thread_id x
      %c = arith.constant 1.0 : f32
      memref.store %c, %y[%i] : memref<64xf32>
      gpu.return
    }
  }
  func.func @two_launches() -> f32 {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %a = memref.alloc() : memref<64xf32>
    %b = memref.alloc() : memref<64xf32>
    gpu.launch_func @kernels::@shared blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1) args(%a : memref<64xf32>)
    gpu.launch_func @kernels::@shared blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1) args(%b : memref<64xf32>)
    %v = memref.load %a[%c0] : memref<64xf32>
    memref.dealloc %a : memref<64xf32>
    memref.dealloc %b : memref<64xf32>
    return %v : f32
  }
}

// -----

// A chain through memory, with asynchronous launches: @produce writes for
// @consume only, which writes what nobody reads. Both go, with the module of
// the kernels. What waits for them waits for what they waited for.

// CHECK-NOT:   gpu.module
// CHECK-LABEL: func @async_chain
// CHECK-SAME:    %[[DEP:[a-z0-9]*]]: !gpu.async.token
// CHECK-NOT:     gpu.alloc
// CHECK-NOT:     gpu.launch_func
// CHECK-NOT:     gpu.dealloc
// CHECK:         gpu.wait [%[[DEP]]]
// CHECK-NEXT:    return
module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @produce(%x: memref<64xf32>, %t: memref<64xf32>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
      %i = gpu.thread_id x
      %v = memref.load %x[%i] : memref<64xf32>
      memref.store %v, %t[%i] : memref<64xf32>
      gpu.return
    }
    gpu.func @consume(%t: memref<64xf32>, %y: memref<64xf32>)
        workgroup(%w : memref<64xf32, #gpu.address_space<workgroup>>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
      %i = gpu.thread_id x
      %c63 = arith.constant 63 : index
      %j = arith.subi %c63, %i : index
      %v = memref.load %t[%i] : memref<64xf32>
      memref.store %v, %w[%i] : memref<64xf32, #gpu.address_space<workgroup>>
      gpu.barrier
      %u = memref.load %w[%j] : memref<64xf32, #gpu.address_space<workgroup>>
      memref.store %u, %y[%i] : memref<64xf32>
      gpu.return
    }
  }
  func.func @async_chain(%x: memref<64xf32>, %dep: !gpu.async.token) {
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %t, %t0 = gpu.alloc async [%dep] () : memref<64xf32>
    %y, %t1 = gpu.alloc async [%t0] () : memref<64xf32>
    %zero = arith.constant 0.0 : f32
    %s0 = gpu.memset async [%t1] %t, %zero : memref<64xf32>, f32
    %s1 = gpu.memcpy async [%s0] %y, %x : memref<64xf32>, memref<64xf32>
    %t2 = gpu.launch_func async [%s1] @kernels::@produce blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1)
      args(%x : memref<64xf32>, %t : memref<64xf32>)
    %t3 = gpu.launch_func async [%t2] @kernels::@consume blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1)
      args(%t : memref<64xf32>, %y : memref<64xf32>)
    %t4 = gpu.dealloc async [%t3] %t : memref<64xf32>
    %t5 = gpu.dealloc async [%t4] %y : memref<64xf32>
    gpu.wait [%t5]
    return
  }
}

// -----

// Two buffers that a loop of the host updates from each other: nobody reads
// either of them.

// CHECK-NOT:   @step
// CHECK-LABEL: func @ping_pong
// CHECK-NOT:     memref.alloc
// CHECK-NOT:     call
func.func private @step(%from: memref<8xf32>, %to: memref<8xf32>) attributes {gpu.known_block_size = array<i32: 8, 1, 1>} {
  %t = bufferization.to_tensor %from restrict : memref<8xf32> to tensor<8xf32>
  %y = math.sqrt %t : tensor<8xf32>
  bufferization.materialize_in_destination %y in restrict writable %to : (tensor<8xf32>, memref<8xf32>) -> ()
  return
}
func.func @ping_pong(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %a = memref.alloc() : memref<8xf32>
  %b = memref.alloc() : memref<8xf32>
  linalg.fill ins(%zero : f32) outs(%a : memref<8xf32>)
  scf.for %i = %c0 to %n step %c1 {
    func.call @step(%a, %b) : (memref<8xf32>, memref<8xf32>) -> ()
    func.call @step(%b, %a) : (memref<8xf32>, memref<8xf32>) -> ()
  }
  memref.dealloc %a : memref<8xf32>
  memref.dealloc %b : memref<8xf32>
  return
}

// -----

// The kernel updates what it writes: what it reads is for the update only.

// CHECK-LABEL: func private @update(
// CHECK-SAME:    %[[OUT:.*]]: memref<8xf32>)
// CHECK-NOT:     memref.load
// CHECK-NOT:     memref.atomic_rmw
// CHECK:         linalg.fill {{.*}} outs(%[[OUT]]
// CHECK-LABEL: func @updates
// CHECK-NOT:     memref.alloc
// CHECK:         call @update(%{{.*}}) : (memref<8xf32>) -> ()
func.func private @update(%sum: memref<8xf32>, %max: memref<8xf32>, %out: memref<8xf32>) attributes {gpu.known_block_size = array<i32: 8, 1, 1>} {
  %i = gpu.thread_id x
  %one = arith.constant 1.0 : f32
  %old = memref.load %sum[%i] : memref<8xf32>
  %new = arith.addf %old, %one : f32
  memref.store %new, %sum[%i] : memref<8xf32>
  %before = memref.atomic_rmw maximumf %new, %max[%i] : (f32, memref<8xf32>) -> f32
  linalg.fill ins(%one : f32) outs(%out : memref<8xf32>)
  return
}
func.func @updates(%out: memref<8xf32>) {
  %sum = memref.alloc() : memref<8xf32>
  %max = memref.alloca() : memref<8xf32>
  call @update(%sum, %max, %out) : (memref<8xf32>, memref<8xf32>, memref<8xf32>) -> ()
  memref.dealloc %sum : memref<8xf32>
  return
}

// -----

// The buffer passes a function of the host on its way, which also frees it.

// CHECK-NOT:   @kernel
// CHECK-NOT:   @wrapper
// CHECK-LABEL: func @through_a_wrapper
// CHECK-NEXT:    return
func.func private @kernel(%out: memref<8xf32>) attributes {gpu.known_block_size = array<i32: 8, 1, 1>} {
  %one = arith.constant 1.0 : f32
  linalg.fill ins(%one : f32) outs(%out : memref<8xf32>)
  return
}
func.func private @wrapper(%out: memref<8xf32>) {
  call @kernel(%out) : (memref<8xf32>) -> ()
  memref.dealloc %out : memref<8xf32>
  return
}
func.func @through_a_wrapper() {
  %a = memref.alloc() : memref<8xf32>
  call @wrapper(%a) : (memref<8xf32>) -> ()
  return
}

// -----

// What the grid needs of an argument it needs of an argument that is not used.
// The numbers of arguments in attributes follow.

// CHECK:       memspace.kernels = {grid = {memspace.grid_symbols = array<i64: 1, 0>, memspace.noalias = array<i64: 0>}}
// CHECK-LABEL: gpu.func @grid(
// CHECK-SAME:    %{{[a-z0-9]*}}: memref<?xf32>, %{{[a-z0-9]*}}: memref<?xf32>) kernel
// CHECK-SAME:    memspace.grid_symbols = array<i64: 1, 0>
module attributes {gpu.container_module,
    memspace.kernels = {grid = {memspace.grid_symbols = array<i64: 2, 0>, memspace.noalias = array<i64: 0, 1>}}} {
  gpu.module @kernels {
    gpu.func @grid(%unread: memref<64xf32>, %y: memref<?xf32>, %n: memref<?xf32>) kernel
        attributes {known_block_size = array<i32: 64, 1, 1>,
                    memspace.grid_size = [affine_map<()[s0] -> (s0)>],
                    memspace.grid_symbols = array<i64: 2, 0>} {
      %i = gpu.thread_id x
      %c = arith.constant 1.0 : f32
      memref.store %c, %unread[%i] : memref<64xf32>
      memref.store %c, %y[%i] : memref<?xf32>
      gpu.return
    }
  }
  func.func @launch_grid(%y: memref<?xf32>, %n: memref<?xf32>) {
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %a = memref.alloc() : memref<64xf32>
    gpu.launch_func @kernels::@grid blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1)
      args(%a : memref<64xf32>, %y : memref<?xf32>, %n : memref<?xf32>)
    memref.dealloc %a : memref<64xf32>
    return
  }
}

// -----

// Results that regions pass on, and that nobody uses behind them.

// CHECK-LABEL: func private @pair(
// CHECK-SAME:    -> tensor<4xi32>
// CHECK-LABEL: func @through_regions
// CHECK:         scf.if %{{.*}} -> (tensor<4xi32>)
// CHECK:           func.call @pair
// CHECK-SAME:        -> tensor<4xi32>
func.func private @pair(%x: tensor<4xi32>) -> (tensor<4xi32>, tensor<4xi32>) {
  %y = arith.addi %x, %x : tensor<4xi32>
  %z = arith.muli %x, %x : tensor<4xi32>
  return %y, %z : tensor<4xi32>, tensor<4xi32>
}
func.func @through_regions(%x: tensor<4xi32>, %c: i1) -> tensor<4xi32> {
  %r:2 = scf.if %c -> (tensor<4xi32>, tensor<4xi32>) {
    %a:2 = func.call @pair(%x) : (tensor<4xi32>) -> (tensor<4xi32>, tensor<4xi32>)
    scf.yield %a#0, %a#1 : tensor<4xi32>, tensor<4xi32>
  } else {
    scf.yield %x, %x : tensor<4xi32>, tensor<4xi32>
  }
  return %r#0 : tensor<4xi32>
}

// -----

// Launches that wait for two others, for none, and that the host waits at; the
// attributions of a kernel that stays.

// CHECK-LABEL: gpu.func @attributions(
// CHECK-SAME:    %[[OUT:[a-z0-9]*]]: memref<64xf32>) workgroup(%[[W:[a-z0-9]*]] : memref<64xf32, #gpu.address_space<workgroup>>) private(%[[P:[a-z0-9]*]] : memref<1xf32, #gpu.address_space<private>>) kernel
// CHECK:         memref.store %{{.*}}, %[[P]]
// CHECK:         memref.store %{{.*}}, %[[W]]
// CHECK:         memref.store %{{.*}}, %[[OUT]]
// CHECK-NOT:     memref.store
// CHECK-LABEL: func @waits
// CHECK-SAME:    %{{.*}}: memref<64xf32>, %[[A:[a-z0-9]*]]: !gpu.async.token, %[[B:[a-z0-9]*]]: !gpu.async.token
// CHECK-NOT:     gpu.alloc
// CHECK:         %[[BOTH:.*]] = gpu.wait async [%[[A]], %[[B]]]
// CHECK:         gpu.launch_func async [%[[BOTH]]] @kernels::@attributions
// CHECK:         gpu.wait [%[[A]]]
// CHECK-NEXT:    return
module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @writes(%y: memref<64xf32>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
      %i = gpu.thread_id x
      %c = arith.constant 1.0 : f32
      memref.store %c, %y[%i] : memref<64xf32>
      gpu.return
    }
    gpu.func @attributions(%unread: memref<64xf32>, %out: memref<64xf32>)
        workgroup(%w : memref<64xf32, #gpu.address_space<workgroup>>)
        private(%p : memref<1xf32, #gpu.address_space<private>>)
        kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
      %i = gpu.thread_id x
      %c0 = arith.constant 0 : index
      %c63 = arith.constant 63 : index
      %j = arith.subi %c63, %i : index
      %v = memref.load %out[%i] : memref<64xf32>
      memref.store %v, %p[%c0] : memref<1xf32, #gpu.address_space<private>>
      %a = memref.load %p[%c0] : memref<1xf32, #gpu.address_space<private>>
      memref.store %a, %w[%i] : memref<64xf32, #gpu.address_space<workgroup>>
      gpu.barrier
      %u = memref.load %w[%j] : memref<64xf32, #gpu.address_space<workgroup>>
      memref.store %u, %unread[%i] : memref<64xf32>
      memref.store %u, %out[%i] : memref<64xf32>
      gpu.return
    }
  }
  func.func @waits(%out: memref<64xf32>, %a: !gpu.async.token, %b: !gpu.async.token) {
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %y = gpu.alloc() : memref<64xf32>
    %t0 = gpu.launch_func async [%a, %b] @kernels::@writes blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1)
      args(%y : memref<64xf32>)
    %t1 = gpu.launch_func async [%t0] @kernels::@attributions blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1)
      args(%y : memref<64xf32>, %out : memref<64xf32>)
    gpu.launch_func [%a] @kernels::@writes blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1)
      args(%y : memref<64xf32>)
    gpu.dealloc %y : memref<64xf32>
    return
  }
}

// -----

// A kernel in a launch of its own, as the host wrote it.

// CHECK-LABEL: func @launch_in_place
// CHECK-NOT:     memref.alloc
// CHECK-NOT:     gpu.launch
// CHECK-NOT:     memref.dealloc
func.func @launch_in_place() {
  %c1 = arith.constant 1 : index
  %c = arith.constant 1.0 : f32
  %a = memref.alloc() : memref<64xf32>
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%x, %y, %z) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    memref.store %c, %a[%x] : memref<64xf32>
    gpu.terminator
  }
  memref.dealloc %a : memref<64xf32>
  return
}

// -----

// Workgroup memory that is not read (any more) is a part of the kernel.

// CHECK-LABEL: gpu.func @unread_attributions(
// CHECK-SAME:    %[[OUT:[a-z0-9]*]]: memref<64xf32>) workgroup(%{{.*}}, %{{.*}}, %{{.*}}) kernel
// CHECK:         memref.store %{{.*}}, %[[OUT]]
// CHECK-NOT:     memref.store
#workgroup = #gpu.address_space<workgroup>
module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @unread_attributions(%unread: memref<64xf32>, %out: memref<64xf32>)
        workgroup(%w : memref<64xf32, #workgroup>, %only_written : memref<64xf32, #workgroup>, %unused : memref<64xf32, #workgroup>)
        kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
      %i = gpu.thread_id x
      %one = arith.constant 1.0 : f32
      memref.store %one, %w[%i] : memref<64xf32, #workgroup>
      %u = memref.load %w[%i] : memref<64xf32, #workgroup>
      memref.store %u, %unread[%i] : memref<64xf32>
      memref.store %one, %only_written[%i] : memref<64xf32, #workgroup>
      memref.store %one, %out[%i] : memref<64xf32>
      gpu.return
    }
  }
  func.func @launches_attributions(%out: memref<64xf32>) {
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %y = gpu.alloc() : memref<64xf32>
    gpu.launch_func @kernels::@unread_attributions blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1)
      args(%y : memref<64xf32>, %out : memref<64xf32>)
    gpu.dealloc %y : memref<64xf32>
    return
  }
}
