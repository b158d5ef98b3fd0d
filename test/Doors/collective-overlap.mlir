// RUN: memspace-opt %s -memspace-kernel-pipeline=chip=gfx942 -o /dev/null 2>&1 | FileCheck %s --check-prefix=WARN
// RUN: not memspace-opt %s -memspace-kernel-pipeline="chip=gfx942 may-hazards=error" -o /dev/null 2>&1 | FileCheck %s --check-prefix=ERROR

// At an index that is loaded, threads perhaps contribute to one element.

// WARN: warning: possible data race (WAW{{.*}}) of threads that execute this 'memref.store' at once
// ERROR: error: possible data race (WAW{{.*}}) of threads that execute this 'memref.store' at once
func.func @loaded_index(%in: memref<64xf32>, %at: memref<64xindex>, %out: memref<64xf32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %x = bufferization.to_tensor %in restrict : memref<64xf32> to tensor<64xf32>
  %a = bufferization.to_tensor %at restrict : memref<64xindex> to tensor<64xindex>
  %o = bufferization.to_tensor %out restrict writable : memref<64xf32> to tensor<64xf32>
  %c63 = arith.constant 63 : index
  %tile = bufferization.alloc_tensor() : tensor<64xf32>
  %r = scf.forall (%t) in (64) shared_outs(%s = %o) -> tensor<64xf32> {
    %m = tensor.extract %x[%t] : tensor<64xf32>
    %h = tensor.extract %a[%t] : tensor<64xindex>
    %b = memspace.begin_collective %tile : tensor<64xf32>
    %i = tensor.insert %m into %b[%h] : tensor<64xf32>
    %all = memspace.end_collective %i : tensor<64xf32>
    %u = arith.subi %c63, %t : index
    %q = tensor.extract_slice %all[%u] [1] [1] : tensor<64xf32> to tensor<1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %q into %s[%t] [1] [1] : tensor<1xf32> into tensor<64xf32>
    }
  } {mapping = [#gpu.thread<x>]}
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<64xf32>, memref<64xf32>) -> ()
  return
}
