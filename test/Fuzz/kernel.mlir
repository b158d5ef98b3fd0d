// A given tensor kernel, with dynamic extents and random arguments.
// RUN: memspace-fuzz %s --chip=sm_90 --dynamic-size=100 --grid=2 | FileCheck %s
// RUN: memspace-fuzz %s --chip=gfx942 --dynamic-size=7 --input-seed=5 --second-opinion | FileCheck %s
// CHECK: kernels: 1, ok: 1, refused: 0, differences: 0, reports: 0, crashes: 0

// A refusal is not a failure; its diagnostic is grouped.
// RUN: memspace-fuzz %s --chip=sm_90 --dynamic-size=100 --grid=2 --workgroup-limit=64 --refusals | FileCheck %s --check-prefix=REFUSED
// REFUSED: refused 1: no memory space for this {{.*}} needs # bytes of workgroup memory
// REFUSED: kernels: 1, ok: 0, refused: 1,

// Bad input: a file that is not there, numbers out of range.
// RUN: not memspace-fuzz %t.none 2>&1 | FileCheck %s --check-prefix=NONE
// NONE: error: cannot read '{{.*}}.none': {{[Nn]}}o such file
// RUN: not memspace-fuzz %s --dynamic-size=-1 2>&1 | FileCheck %s --check-prefix=RANGE
// RANGE: error: --dynamic-size and --count must not be negative
#ceil = affine_map<()[s0] -> (s0 ceildiv 64)>
#size = affine_map<(d0)[s0] -> (64, s0 - d0 * 64)>
#begin = affine_map<(d0) -> (d0 * 64)>
func.func @kernel(%in: memref<?xf32>, %out: memref<?xf32>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %x = bufferization.to_tensor %in restrict : memref<?xf32> to tensor<?xf32>
  %y = bufferization.to_tensor %out restrict writable : memref<?xf32> to tensor<?xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %x, %c0 : tensor<?xf32>
  %blocks = affine.apply #ceil()[%n]
  %r = scf.forall (%b) in (%blocks) shared_outs(%ob = %y) -> (tensor<?xf32>) {
    %begin = affine.apply #begin(%b)
    %size = affine.min #size(%b)[%n]
    %tile = tensor.extract_slice %x[%begin] [%size] [1] : tensor<?xf32> to tensor<?xf32>
    %e = tensor.empty(%size) : tensor<?xf32>
    %t = scf.forall (%i) in (%size) shared_outs(%o = %e) -> (tensor<?xf32>) {
      %v = tensor.extract %tile[%i] : tensor<?xf32>
      %w = arith.addf %v, %v : f32
      %d = tensor.extract_slice %o[%i] [1] [1] : tensor<?xf32> to tensor<1xf32>
      %s = tensor.insert %w into %d[%c0] : tensor<1xf32>
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %s into %o[%i] [1] [1] : tensor<1xf32> into tensor<?xf32>
      }
    } {mapping = [#gpu.thread<x>]}
    %dest = tensor.extract_slice %ob[%begin] [%size] [1] : tensor<?xf32> to tensor<?xf32>
    %u = scf.forall (%i) in (%size) shared_outs(%o = %dest) -> (tensor<?xf32>) {
      %last = arith.subi %size, %c1 : index
      %j = arith.subi %last, %i : index
      %v = tensor.extract %t[%j] : tensor<?xf32>
      %d = tensor.extract_slice %o[%i] [1] [1] : tensor<?xf32> to tensor<1xf32>
      %s = tensor.insert %v into %d[%c0] : tensor<1xf32>
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %s into %o[%i] [1] [1] : tensor<1xf32> into tensor<?xf32>
      }
    } {mapping = [#gpu.thread<x>]}
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %u into %ob[%begin] [%size] [1] : tensor<?xf32> into tensor<?xf32>
    }
  } {mapping = [#gpu.block<x>]}
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<?xf32>, memref<?xf32>) -> ()
  return
}
