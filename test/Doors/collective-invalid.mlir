// RUN: memspace-test-opt %s -split-input-file -memspace-normalize-kernels=subgroup-size=32 -verify-diagnostics

// What threads differ in there is not one tensor.
func.func @outside(%in: memref<64xf32>, %out: memref<64xf32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %y = bufferization.to_tensor %in restrict : memref<64xf32> to tensor<64xf32>
  %one = arith.constant 1.0 : f32
  %t = door.thread_number
  %x = tensor.insert %one into %y[%t] : tensor<64xf32>
  // expected-error @below {{collective outside of a forall over threads: 'door.meet' makes one tensor of what each thread contributes; put it into an 'scf.forall' that is mapped to threads or lanes}}
  %r = door.meet %x : tensor<64xf32> -> tensor<64xf32>
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<64xf32>, memref<64xf32>) -> ()
  return
}

// -----

// The loop outside of a forall is not known to be run by all threads alike.
func.func @outside_in_branch(%in: memref<64xf32>, %out: memref<64xf32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %x = bufferization.to_tensor %in restrict : memref<64xf32> to tensor<64xf32>
  %c0 = arith.constant 0 : index
  %t = door.thread_number
  %is = arith.cmpi eq, %t, %c0 : index
  %r = scf.if %is -> tensor<64xf32> {
    // expected-error @below {{collective outside of a forall over threads: 'door.meet'}}
    %a = door.meet %x : tensor<64xf32> -> tensor<64xf32>
    scf.yield %a : tensor<64xf32>
  } else {
    scf.yield %x : tensor<64xf32>
  }
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<64xf32>, memref<64xf32>) -> ()
  return
}

// -----

// That of a subgroup, outside of its lanes.
func.func @outside_of_lanes(%in: memref<64xf32>, %out: memref<64xf32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %x = bufferization.to_tensor %in restrict : memref<64xf32> to tensor<64xf32>
  // expected-error @below {{collective outside of a forall over threads: 'door.lane_meet'}}
  %r = door.lane_meet %x : tensor<64xf32> -> tensor<64xf32>
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<64xf32>, memref<64xf32>) -> ()
  return
}

// -----

func.func @some_threads(%out: memref<32xf32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %o = bufferization.to_tensor %out restrict writable : memref<32xf32> to tensor<32xf32>
  %c1 = arith.constant dense<1.0> : tensor<1xf32>
  %e = bufferization.alloc_tensor() : tensor<32xf32>
  // expected-note @below {{the forall around it}}
  %r = scf.forall (%t) in (32) shared_outs(%s = %o) -> tensor<32xf32> {
    %i = tensor.insert_slice %c1 into %e[%t] [1] [1] : tensor<1xf32> into tensor<32xf32>
    // expected-error @below {{not all threads come to this collective together: the forall around it has 32 iterations, the workgroup 64 threads; give it one iteration a thread}}
    %a = door.meet %i : tensor<32xf32> -> tensor<32xf32>
    %p = tensor.extract_slice %a[%t] [1] [1] : tensor<32xf32> to tensor<1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %p into %s[%t] [1] [1] : tensor<1xf32> into tensor<32xf32>
    }
  } {mapping = [#gpu.thread<x>]}
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<32xf32>, memref<32xf32>) -> ()
  return
}

// -----

func.func @divergent(%out: memref<64xf32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %o = bufferization.to_tensor %out restrict writable : memref<64xf32> to tensor<64xf32>
  %c1 = arith.constant dense<1.0> : tensor<1xf32>
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %e = bufferization.alloc_tensor() : tensor<64xf32>
  %r = scf.forall (%t) in (64) shared_outs(%s = %o) -> tensor<64xf32> {
    %c = arith.cmpi ult, %t, %c32 : index
    // expected-note @below {{this op}}
    %p = scf.if %c -> tensor<1xf32> {
      %i = tensor.insert_slice %c1 into %e[%t] [1] [1] : tensor<1xf32> into tensor<64xf32>
      // expected-error @below {{not all threads come to this collective together: 'scf.if' around it is not known to be entered by all of them alike; use 'scf.for' or 'scf.if' with bounds or a condition that do not depend on the thread}}
      %a = door.meet %i : tensor<64xf32> -> tensor<64xf32>
      %q = tensor.extract_slice %a[%c0] [1] [1] : tensor<64xf32> to tensor<1xf32>
      scf.yield %q : tensor<1xf32>
    } else {
      scf.yield %c1 : tensor<1xf32>
    }
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %p into %s[%t] [1] [1] : tensor<1xf32> into tensor<64xf32>
    }
  } {mapping = [#gpu.thread<x>]}
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<64xf32>, memref<64xf32>) -> ()
  return
}

// -----

func.func @lanes(%out: memref<64xf32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %o = bufferization.to_tensor %out restrict writable : memref<64xf32> to tensor<64xf32>
  %e = bufferization.alloc_tensor() : tensor<64xf32>
  %r = scf.forall (%t) in (64) shared_outs(%s = %o) -> tensor<64xf32> {
    // expected-error @below {{collective of a subgroup in a forall over the threads of a workgroup; each iteration of the forall around it must be one thread of its scope}}
    %a = door.lane_meet %e : tensor<64xf32> -> tensor<64xf32>
    %q = tensor.extract_slice %a[%t] [1] [1] : tensor<64xf32> to tensor<1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %q into %s[%t] [1] [1] : tensor<1xf32> into tensor<64xf32>
    }
  } {mapping = [#gpu.thread<x>]}
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<64xf32>, memref<64xf32>) -> ()
  return
}

// -----

// Each thread would contribute to a tensor of its own.
func.func @own_init(%out: memref<64xf32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %o = bufferization.to_tensor %out restrict writable : memref<64xf32> to tensor<64xf32>
  %r = scf.forall (%t) in (64) shared_outs(%s = %o) -> tensor<64xf32> {
    %n = arith.index_cast %t : index to i32
    %f = arith.sitofp %n : i32 to f32
    %e = tensor.splat %f : tensor<64xf32>
    // expected-error @below {{the tensor that threads contribute to is made by each thread; make it outside of the forall, where it is one tensor}}
    %a = door.meet %e : tensor<64xf32> -> tensor<64xf32>
    %q = tensor.extract_slice %a[%t] [1] [1] : tensor<64xf32> to tensor<1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %q into %s[%t] [1] [1] : tensor<1xf32> into tensor<64xf32>
    }
  } {mapping = [#gpu.thread<x>]}
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<64xf32>, memref<64xf32>) -> ()
  return
}

// -----

// What the neighbour contributes may be there, or not.
func.func @peeks(%out: memref<64xf32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %o = bufferization.to_tensor %out restrict writable : memref<64xf32> to tensor<64xf32>
  %c1 = arith.constant dense<1.0> : tensor<1xf32>
  %c0 = arith.constant 0 : index
  %e = bufferization.alloc_tensor() : tensor<64xf32>
  %r = scf.forall (%t) in (64) shared_outs(%s = %o) -> tensor<64xf32> {
    %i = tensor.insert_slice %c1 into %e[%t] [1] [1] : tensor<1xf32> into tensor<64xf32>
    // expected-error @below {{reads a tensor while threads contribute to it, and not only what this thread inserts; read it before, or behind the collective}}
    %peek = tensor.extract %i[%c0] : tensor<64xf32>
    %a = door.meet %i : tensor<64xf32> -> tensor<64xf32>
    %v = tensor.extract %a[%c0] : tensor<64xf32>
    %w = arith.addf %v, %peek : f32
    %q = tensor.from_elements %w : tensor<1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %q into %s[%t] [1] [1] : tensor<1xf32> into tensor<64xf32>
    }
  } {mapping = [#gpu.thread<x>]}
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<64xf32>, memref<64xf32>) -> ()
  return
}

// -----

// The slot of the neighbour is not the one that this thread inserts.
func.func @reads_another(%in: memref<64xf32>, %out: memref<64xf32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %x = bufferization.to_tensor %in restrict : memref<64xf32> to tensor<64xf32>
  %o = bufferization.to_tensor %out restrict writable : memref<64xf32> to tensor<64xf32>
  %c63 = arith.constant 63 : index
  %e = bufferization.alloc_tensor() : tensor<64xf32>
  %f = bufferization.alloc_tensor() : tensor<64xf32>
  %r = scf.forall (%t) in (64) shared_outs(%s = %o) -> tensor<64xf32> {
    %u = arith.subi %c63, %t : index
    %m = tensor.extract_slice %x[%t] [1] [1] : tensor<64xf32> to tensor<1xf32>
    %i = tensor.insert_slice %m into %e[%t] [1] [1] : tensor<1xf32> into tensor<64xf32>
    %j = tensor.insert_slice %m into %f[%u] [1] [1] : tensor<1xf32> into tensor<64xf32>
    // expected-error @below {{reads a tensor while threads contribute to it, and not only what this thread inserts}}
    %peek = tensor.extract_slice %i[%u] [1] [1] : tensor<64xf32> to tensor<1xf32>
    %k = tensor.insert_slice %peek into %j[%u] [1] [1] : tensor<1xf32> into tensor<64xf32>
    %a, %b = door.meet %i, %k : tensor<64xf32>, tensor<64xf32> -> tensor<64xf32>, tensor<64xf32>
    %q = tensor.extract_slice %a[%u] [1] [1] : tensor<64xf32> to tensor<1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %q into %s[%t] [1] [1] : tensor<1xf32> into tensor<64xf32>
    }
  } {mapping = [#gpu.thread<x>]}
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<64xf32>, memref<64xf32>) -> ()
  return
}

// -----

func.func @unknown_number(%in: memref<64xf32>, %out: memref<64xf32>, %n: index) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %x = bufferization.to_tensor %in restrict : memref<64xf32> to tensor<64xf32>
  %o = bufferization.to_tensor %out restrict writable : memref<64xf32> to tensor<64xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c63 = arith.constant 63 : index
  %e = bufferization.alloc_tensor() : tensor<64xf32>
  // expected-note @below {{the forall around it}}
  %r = scf.forall (%t) in (%n) shared_outs(%s = %o) -> tensor<64xf32> {
    %m = tensor.extract_slice %x[%t] [1] [1] : tensor<64xf32> to tensor<1xf32>
    %u = arith.subi %c63, %t : index
    %i = tensor.insert_slice %m into %e[%t] [1] [1] : tensor<1xf32> into tensor<64xf32>
    // expected-error @below {{not all threads come to this collective together: the forall around it has an unknown number of iterations, the workgroup 64 threads; give it one iteration a thread}}
    %a = door.meet %i : tensor<64xf32> -> tensor<64xf32>
    %q = tensor.extract_slice %a[%u] [1] [1] : tensor<64xf32> to tensor<1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %q into %s[%t] [1] [1] : tensor<1xf32> into tensor<64xf32>
    }
  } {mapping = [#gpu.thread<x>]}
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<64xf32>, memref<64xf32>) -> ()
  return
}

// -----

func.func @types(%in: memref<64xf32>, %out: memref<64xf32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %x = bufferization.to_tensor %in restrict : memref<64xf32> to tensor<64xf32>
  %o = bufferization.to_tensor %out restrict writable : memref<64xf32> to tensor<64xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c63 = arith.constant 63 : index
  %e = bufferization.alloc_tensor() : tensor<64xf32>
  %r = scf.forall (%t) in (64) shared_outs(%s = %o) -> tensor<64xf32> {
    %m = tensor.extract_slice %x[%t] [1] [1] : tensor<64xf32> to tensor<1xf32>
    %u = arith.subi %c63, %t : index
    %i = tensor.insert_slice %m into %e[%t] [1] [1] : tensor<1xf32> into tensor<64xf32>
    // expected-error @below {{collective 'door.meet' has operands and results of different types; see 'CollectiveOpInterface' for its forms}}
    %b = door.meet %i : tensor<64xf32> -> tensor<?xf32>
    %a = tensor.cast %b : tensor<?xf32> to tensor<64xf32>
    %q = tensor.extract_slice %a[%u] [1] [1] : tensor<64xf32> to tensor<1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %q into %s[%t] [1] [1] : tensor<1xf32> into tensor<64xf32>
    }
  } {mapping = [#gpu.thread<x>]}
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<64xf32>, memref<64xf32>) -> ()
  return
}

// -----

func.func @argument_types(%in: memref<64xf32>, %out: memref<64xf32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %x = bufferization.to_tensor %in restrict : memref<64xf32> to tensor<64xf32>
  %o = bufferization.to_tensor %out restrict writable : memref<64xf32> to tensor<64xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c63 = arith.constant 63 : index
  %e = bufferization.alloc_tensor() : tensor<64xf32>
  %r = scf.forall (%t) in (64) shared_outs(%s = %o) -> tensor<64xf32> {
    %m = tensor.extract_slice %x[%t] [1] [1] : tensor<64xf32> to tensor<1xf32>
    %u = arith.subi %c63, %t : index
    // expected-error @below {{collective 'door.together' has operands and arguments of its region of different types; see 'CollectiveOpInterface' for its forms}}
    %a = door.together(%e : tensor<64xf32>) {
    ^bb0(%h: tensor<?xf32>):
      door.give %e : tensor<64xf32>
    } : tensor<64xf32>
    %q = tensor.extract_slice %a[%u] [1] [1] : tensor<64xf32> to tensor<1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %q into %s[%t] [1] [1] : tensor<1xf32> into tensor<64xf32>
    }
  } {mapping = [#gpu.thread<x>]}
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<64xf32>, memref<64xf32>) -> ()
  return
}

// -----

func.func @result_types(%in: memref<64xf32>, %out: memref<64xf32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %x = bufferization.to_tensor %in restrict : memref<64xf32> to tensor<64xf32>
  %o = bufferization.to_tensor %out restrict writable : memref<64xf32> to tensor<64xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c63 = arith.constant 63 : index
  %e = bufferization.alloc_tensor() : tensor<64xf32>
  %r = scf.forall (%t) in (64) shared_outs(%s = %o) -> tensor<64xf32> {
    %m = tensor.extract_slice %x[%t] [1] [1] : tensor<64xf32> to tensor<1xf32>
    %u = arith.subi %c63, %t : index
    // expected-error @below {{collective 'door.together' has results and operands of its terminator of different types; see 'CollectiveOpInterface' for its forms}}
    %a = door.together(%e : tensor<64xf32>) {
    ^bb0(%h: tensor<64xf32>):
      door.give
    } : tensor<64xf32>
    %q = tensor.extract_slice %a[%u] [1] [1] : tensor<64xf32> to tensor<1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %q into %s[%t] [1] [1] : tensor<1xf32> into tensor<64xf32>
    }
  } {mapping = [#gpu.thread<x>]}
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<64xf32>, memref<64xf32>) -> ()
  return
}

// -----

// Threads choose one of two tensors.
func.func @two_tensors(%in: memref<64xf32>, %out: memref<64xf32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %x = bufferization.to_tensor %in restrict : memref<64xf32> to tensor<64xf32>
  %o = bufferization.to_tensor %out restrict writable : memref<64xf32> to tensor<64xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c63 = arith.constant 63 : index
  %e = bufferization.alloc_tensor() : tensor<64xf32>
  %f = bufferization.alloc_tensor() : tensor<64xf32>
  %r = scf.forall (%t) in (64) shared_outs(%s = %o) -> tensor<64xf32> {
    %m = tensor.extract_slice %x[%t] [1] [1] : tensor<64xf32> to tensor<1xf32>
    %u = arith.subi %c63, %t : index
    %c = arith.cmpi ult, %t, %c1 : index
    %i = scf.if %c -> tensor<64xf32> {
      scf.yield %e : tensor<64xf32>
    } else {
      scf.yield %f : tensor<64xf32>
    }
    // expected-error @below {{operand 0 of this collective is not one tensor with what each thread inserted since the last time they met; insert into one tensor, by 'tensor.insert_slice' or 'vector.transfer_write', directly before}}
    %a = door.meet %i : tensor<64xf32> -> tensor<64xf32>
    %q = tensor.extract_slice %a[%u] [1] [1] : tensor<64xf32> to tensor<1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %q into %s[%t] [1] [1] : tensor<1xf32> into tensor<64xf32>
    }
  } {mapping = [#gpu.thread<x>]}
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<64xf32>, memref<64xf32>) -> ()
  return
}

// -----

func.func @shared_output(%in: memref<64xf32>, %out: memref<64xf32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %x = bufferization.to_tensor %in restrict : memref<64xf32> to tensor<64xf32>
  %o = bufferization.to_tensor %out restrict writable : memref<64xf32> to tensor<64xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c63 = arith.constant 63 : index
  %r = scf.forall (%t) in (64) shared_outs(%s = %o) -> tensor<64xf32> {
    %m = tensor.extract_slice %x[%t] [1] [1] : tensor<64xf32> to tensor<1xf32>
    %u = arith.subi %c63, %t : index
    %i = tensor.insert_slice %m into %s[%t] [1] [1] : tensor<1xf32> into tensor<64xf32>
    // expected-error @below {{the tensor that threads contribute to is a shared output of the forall, of which each iteration has its own view; contribute to a tensor that is made outside, and insert a part of the result}}
    %a = door.meet %i : tensor<64xf32> -> tensor<64xf32>
    %q = tensor.extract_slice %a[%u] [1] [1] : tensor<64xf32> to tensor<1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %q into %s[%t] [1] [1] : tensor<1xf32> into tensor<64xf32>
    }
  } {mapping = [#gpu.thread<x>]}
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<64xf32>, memref<64xf32>) -> ()
  return
}

// -----

// What is computed outside of the forall may differ from thread to thread: by what a
// branch passes on, ...
func.func @outside_branch(%in: memref<64xf32>, %out: memref<64xf32>, %flag: i1) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %x = bufferization.to_tensor %in restrict : memref<64xf32> to tensor<64xf32>
  %o = bufferization.to_tensor %out restrict writable : memref<64xf32> to tensor<64xf32>
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %tile = bufferization.alloc_tensor() : tensor<64xf32>
  %id = gpu.thread_id x
  %n = scf.if %flag -> index {
    scf.yield %id : index
  } else {
    scf.yield %c0 : index
  }
  %cond = arith.cmpi eq, %n, %c0 : index
  %r = scf.forall (%t) in (64) shared_outs(%s = %o) -> tensor<64xf32> {
    %m = tensor.extract %x[%t] : tensor<64xf32>
    // expected-note @below {{this op}}
    %v = scf.if %cond -> f32 {
      %i = tensor.insert %m into %tile[%t] : tensor<64xf32>
      // expected-error @below {{not all threads come to this collective together: 'scf.if' around it}}
      %a = door.meet %i : tensor<64xf32> -> tensor<64xf32>
      %w = tensor.extract %a[%c0] : tensor<64xf32>
      scf.yield %w : f32
    } else {
      scf.yield %zero : f32
    }
    %q = tensor.from_elements %v : tensor<1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %q into %s[%t] [1] [1] : tensor<1xf32> into tensor<64xf32>
    }
  } {mapping = [#gpu.thread<x>]}
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<64xf32>, memref<64xf32>) -> ()
  return
}

// -----

// ... what a loop carries, ...
func.func @outside_loop(%in: memref<64xf32>, %out: memref<64xf32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %x = bufferization.to_tensor %in restrict : memref<64xf32> to tensor<64xf32>
  %o = bufferization.to_tensor %out restrict writable : memref<64xf32> to tensor<64xf32>
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %tile = bufferization.alloc_tensor() : tensor<64xf32>
  %id = gpu.thread_id x
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %n = scf.for %k = %c0 to %c4 step %c1 iter_args(%sum = %c0) -> index {
    %next = arith.addi %sum, %id : index
    scf.yield %next : index
  }
  %cond = arith.cmpi eq, %n, %c0 : index
  %r = scf.forall (%t) in (64) shared_outs(%s = %o) -> tensor<64xf32> {
    %m = tensor.extract %x[%t] : tensor<64xf32>
    // expected-note @below {{this op}}
    %v = scf.if %cond -> f32 {
      %i = tensor.insert %m into %tile[%t] : tensor<64xf32>
      // expected-error @below {{not all threads come to this collective together: 'scf.if' around it}}
      %a = door.meet %i : tensor<64xf32> -> tensor<64xf32>
      %w = tensor.extract %a[%c0] : tensor<64xf32>
      scf.yield %w : f32
    } else {
      scf.yield %zero : f32
    }
    %q = tensor.from_elements %v : tensor<1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %q into %s[%t] [1] [1] : tensor<1xf32> into tensor<64xf32>
    }
  } {mapping = [#gpu.thread<x>]}
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<64xf32>, memref<64xf32>) -> ()
  return
}

// -----

// ... what a payload uses, ...
func.func @outside_payload(%in: memref<64xf32>, %out: memref<64xf32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %x = bufferization.to_tensor %in restrict : memref<64xf32> to tensor<64xf32>
  %o = bufferization.to_tensor %out restrict writable : memref<64xf32> to tensor<64xf32>
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %tile = bufferization.alloc_tensor() : tensor<64xf32>
  %id = gpu.thread_id x
  %e = tensor.empty() : tensor<index>
  %n = linalg.generic {indexing_maps = [affine_map<() -> ()>], iterator_types = []} outs(%e : tensor<index>) {
  ^bb0(%old: index):
    linalg.yield %id : index
  } -> tensor<index>
  %ne = tensor.extract %n[] : tensor<index>
  %cond = arith.cmpi eq, %ne, %c0 : index
  %r = scf.forall (%t) in (64) shared_outs(%s = %o) -> tensor<64xf32> {
    %m = tensor.extract %x[%t] : tensor<64xf32>
    // expected-note @below {{this op}}
    %v = scf.if %cond -> f32 {
      %i = tensor.insert %m into %tile[%t] : tensor<64xf32>
      // expected-error @below {{not all threads come to this collective together: 'scf.if' around it}}
      %a = door.meet %i : tensor<64xf32> -> tensor<64xf32>
      %w = tensor.extract %a[%c0] : tensor<64xf32>
      scf.yield %w : f32
    } else {
      scf.yield %zero : f32
    }
    %q = tensor.from_elements %v : tensor<1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %q into %s[%t] [1] [1] : tensor<1xf32> into tensor<64xf32>
    }
  } {mapping = [#gpu.thread<x>]}
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<64xf32>, memref<64xf32>) -> ()
  return
}

// -----

// ... private memory, ...
func.func @outside_private(%in: memref<64xf32>, %out: memref<64xf32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %x = bufferization.to_tensor %in restrict : memref<64xf32> to tensor<64xf32>
  %o = bufferization.to_tensor %out restrict writable : memref<64xf32> to tensor<64xf32>
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %tile = bufferization.alloc_tensor() : tensor<64xf32>
  %id = gpu.thread_id x
  %p = memref.alloca() : memref<1xindex>
  memref.store %id, %p[%c0] : memref<1xindex>
  %n = memref.load %p[%c0] : memref<1xindex>
  %cond = arith.cmpi eq, %n, %c0 : index
  %r = scf.forall (%t) in (64) shared_outs(%s = %o) -> tensor<64xf32> {
    %m = tensor.extract %x[%t] : tensor<64xf32>
    // expected-note @below {{this op}}
    %v = scf.if %cond -> f32 {
      %i = tensor.insert %m into %tile[%t] : tensor<64xf32>
      // expected-error @below {{not all threads come to this collective together: 'scf.if' around it}}
      %a = door.meet %i : tensor<64xf32> -> tensor<64xf32>
      %w = tensor.extract %a[%c0] : tensor<64xf32>
      scf.yield %w : f32
    } else {
      scf.yield %zero : f32
    }
    %q = tensor.from_elements %v : tensor<1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %q into %s[%t] [1] [1] : tensor<1xf32> into tensor<64xf32>
    }
  } {mapping = [#gpu.thread<x>]}
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<64xf32>, memref<64xf32>) -> ()
  return
}

// -----

// ... an id of another dialect.
func.func @outside_target(%in: memref<64xf32>, %out: memref<64xf32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %x = bufferization.to_tensor %in restrict : memref<64xf32> to tensor<64xf32>
  %o = bufferization.to_tensor %out restrict writable : memref<64xf32> to tensor<64xf32>
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %tile = bufferization.alloc_tensor() : tensor<64xf32>
  %n = rocdl.workitem.id.x : i32
  %none = arith.constant 0 : i32
  %cond = arith.cmpi eq, %n, %none : i32
  %r = scf.forall (%t) in (64) shared_outs(%s = %o) -> tensor<64xf32> {
    %m = tensor.extract %x[%t] : tensor<64xf32>
    // expected-note @below {{this op}}
    %v = scf.if %cond -> f32 {
      %i = tensor.insert %m into %tile[%t] : tensor<64xf32>
      // expected-error @below {{not all threads come to this collective together: 'scf.if' around it}}
      %a = door.meet %i : tensor<64xf32> -> tensor<64xf32>
      %w = tensor.extract %a[%c0] : tensor<64xf32>
      scf.yield %w : f32
    } else {
      scf.yield %zero : f32
    }
    %q = tensor.from_elements %v : tensor<1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %q into %s[%t] [1] [1] : tensor<1xf32> into tensor<64xf32>
    }
  } {mapping = [#gpu.thread<x>]}
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<64xf32>, memref<64xf32>) -> ()
  return
}

// -----

// A loop around the forall carries such a number.
func.func @around(%in: memref<64xf32>, %out: memref<64xf32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %x = bufferization.to_tensor %in restrict : memref<64xf32> to tensor<64xf32>
  %o = bufferization.to_tensor %out restrict writable : memref<64xf32> to tensor<64xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %tile = bufferization.alloc_tensor() : tensor<64xf32>
  %id = gpu.thread_id x
  // expected-note @below {{this op}}
  %z = scf.for %k = %c0 to %id step %c1 iter_args(%p = %o) -> tensor<64xf32> {
    %r = scf.forall (%t) in (64) shared_outs(%s = %p) -> tensor<64xf32> {
      %m = tensor.extract %x[%t] : tensor<64xf32>
      %i = tensor.insert %m into %tile[%t] : tensor<64xf32>
      // expected-error @below {{not all threads come to this collective together: 'scf.for' around it}}
      %a = door.meet %i : tensor<64xf32> -> tensor<64xf32>
      %q = tensor.extract_slice %a[%k] [1] [1] : tensor<64xf32> to tensor<1xf32>
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %q into %s[%t] [1] [1] : tensor<1xf32> into tensor<64xf32>
      }
    } {mapping = [#gpu.thread<x>]}
    scf.yield %r : tensor<64xf32>
  }
  bufferization.materialize_in_destination %z in restrict writable %out : (tensor<64xf32>, memref<64xf32>) -> ()
  return
}

// -----

// Each thread fills with its own number.
func.func @differs(%in: memref<64xf32>, %out: memref<64xf32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %x = bufferization.to_tensor %in restrict : memref<64xf32> to tensor<64xf32>
  %o = bufferization.to_tensor %out restrict writable : memref<64xf32> to tensor<64xf32>
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %id = gpu.thread_id x
  %int = arith.index_cast %id : index to i64
  %number = arith.uitofp %int : i64 to f32
  %r = scf.forall (%t) in (64) shared_outs(%s = %o) -> tensor<64xf32> {
    %m = tensor.extract %x[%t] : tensor<64xf32>
    %tile = tensor.splat %number : tensor<64xf32>
    %i = tensor.insert %m into %tile[%t] : tensor<64xf32>
    // expected-error @below {{the tensor that threads contribute to is made by each thread; make it outside of the forall, where it is one tensor}}
    %a = door.meet %i : tensor<64xf32> -> tensor<64xf32>
    %v = tensor.extract %a[%c0] : tensor<64xf32>
    %q = tensor.from_elements %v : tensor<1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %q into %s[%t] [1] [1] : tensor<1xf32> into tensor<64xf32>
    }
  } {mapping = [#gpu.thread<x>]}
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<64xf32>, memref<64xf32>) -> ()
  return
}

// -----

// Outside of the branch it would be executed always: a division by zero, ...
func.func @guarded_division(%in: memref<64xf32>, %out: memref<64xf32>, %flag: i1, %n: index) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %x = bufferization.to_tensor %in restrict : memref<64xf32> to tensor<64xf32>
  %o = bufferization.to_tensor %out restrict writable : memref<64xf32> to tensor<64xf32>
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %r = scf.forall (%t) in (64) shared_outs(%s = %o) -> tensor<64xf32> {
    %m = tensor.extract %x[%t] : tensor<64xf32>
    %v = scf.if %flag -> f32 {
      %c64 = arith.constant 64 : index
      %d = arith.divui %c64, %n : index
      %int = arith.index_cast %d : index to i64
      %number = arith.uitofp %int : i64 to f32
      %tile = tensor.splat %number : tensor<64xf32>
      %i = tensor.insert %m into %tile[%t] : tensor<64xf32>
      // expected-error @below {{the tensor that threads contribute to is made by each thread; make it outside of the forall, where it is one tensor}}
      %a = door.meet %i : tensor<64xf32> -> tensor<64xf32>
      %w = tensor.extract %a[%c0] : tensor<64xf32>
      scf.yield %w : f32
    } else {
      scf.yield %zero : f32
    }
    %q = tensor.from_elements %v : tensor<1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %q into %s[%t] [1] [1] : tensor<1xf32> into tensor<64xf32>
    }
  } {mapping = [#gpu.thread<x>]}
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<64xf32>, memref<64xf32>) -> ()
  return
}

// -----

// ... a read outside of a tensor.
func.func @guarded_read(%in: memref<64xf32>, %out: memref<64xf32>, %flag: i1, %n: index) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %x = bufferization.to_tensor %in restrict : memref<64xf32> to tensor<64xf32>
  %o = bufferization.to_tensor %out restrict writable : memref<64xf32> to tensor<64xf32>
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %r = scf.forall (%t) in (64) shared_outs(%s = %o) -> tensor<64xf32> {
    %m = tensor.extract %x[%t] : tensor<64xf32>
    %v = scf.if %flag -> f32 {
      %number = tensor.extract %x[%n] : tensor<64xf32>
      %tile = tensor.splat %number : tensor<64xf32>
      %i = tensor.insert %m into %tile[%t] : tensor<64xf32>
      // expected-error @below {{the tensor that threads contribute to is made by each thread; make it outside of the forall, where it is one tensor}}
      %a = door.meet %i : tensor<64xf32> -> tensor<64xf32>
      %w = tensor.extract %a[%c0] : tensor<64xf32>
      scf.yield %w : f32
    } else {
      scf.yield %zero : f32
    }
    %q = tensor.from_elements %v : tensor<1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %q into %s[%t] [1] [1] : tensor<1xf32> into tensor<64xf32>
    }
  } {mapping = [#gpu.thread<x>]}
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<64xf32>, memref<64xf32>) -> ()
  return
}
