// RUN: memspace-opt %s -memspace-fit-to-budget="chip=gfx942 configuration='threads=64 block=32x16 reduction=16 promote'" | FileCheck %s --check-prefix=TILED

// The loop over workgroups, the one over the reduction, and the staged operands.
// TILED: func.func @matmul
// TILED-SAME: gpu.known_block_size = array<i32: 64, 1, 1>
// TILED: scf.forall (%{{.*}}, %{{.*}}) = (0, 0) to (64, 64) step (32, 16)
// TILED:   linalg.fill {{.*}} -> tensor<32x16xf32>
// TILED:   scf.for
// TILED:     linalg.copy {{.*}} -> tensor<32x16xf32>
// TILED:     linalg.copy {{.*}} -> tensor<16x16xf32>
// A thread has eight elements.
// TILED:     scf.forall (%{{.*}}, %{{.*}}) = (0, 0) to (32, 16) step (2, 4)
// TILED:       linalg.matmul ins(%{{.*}}, %{{.*}} : tensor<2x16xf32>, tensor<16x4xf32>)
// TILED:     } {mapping = [#gpu.thread<linear_dim_1>, #gpu.thread<linear_dim_0>]}
// TILED: } {mapping = [#gpu.block<y>, #gpu.block<x>]}

// In three stages: slots of a ring, of which the loop fills one for the iteration
// after the next; that is one barrier an iteration instead of two.
// RUN: memspace-opt %s -memspace-fit-to-budget="chip=gfx942 configuration='threads=64 block=32x16 reduction=16 promote stages=3'" -o %t.staged
// RUN: FileCheck %s --check-prefix=STAGED --input-file=%t.staged
// RUN: memspace-opt %t.staged -memspace-kernel-pipeline=chip=gfx942 | FileCheck %s --check-prefix=RING
// STAGED: scf.for %[[K:.*]] = %c0 to %c64 step %c16 iter_args(%{{.*}}, %{{.*}}, %{{.*}}) -> (tensor<32x16xf32>, tensor<3x32x16xf32>, tensor<3x16x16xf32>)
// STAGED:   arith.cmpi slt, %[[K]], %c32
// STAGED:   scf.if
// STAGED:     linalg.copy
// STAGED:     linalg.copy
// STAGED:   linalg.matmul
// RING: memspace.workgroup_bytes = 9216
// RING: scf.for %{{.*}} = %c0 to %c64 step %c16
// RING:   gpu.barrier
// RING:   scf.if
// RING-NOT: gpu.barrier
// RING: return

// What was tried is recorded, and applied the next time without another try. All that
// it says stays in the record.
// RUN: rm -f %t.json
// RUN: memspace-opt %s -memspace-fit-to-budget="chip=gfx942 record=%t.json" -o %t.first
// RUN: FileCheck %s --check-prefix=RECORD --input-file=%t.json
// RUN: cp %t.json %t.before
// RUN: memspace-opt %s -memspace-fit-to-budget="chip=gfx942 record=%t.json" -o %t.second
// RUN: cmp %t.first %t.second
// RUN: cmp %t.json %t.before
// RECORD: "kernels": [
// RECORD: "attempts": [
// RECORD: "configuration": "threads=64 block=4x4",
// RECORD: "global-bytes":
// RECORD: "best": "threads={{.*}}",
// RECORD: "chip": "gfx942",
// RECORD: "kernel": "matmul"

// A chosen configuration counts, whatever it costs; that of another chip does not.
// RUN: echo '{"kernels": [{"kernel": "matmul", "chip": "gfx942", "best": "threads=128 block=8x64"}]}' > %t.own
// RUN: memspace-opt %s -memspace-fit-to-budget="chip=gfx942 record=%t.own" | FileCheck %s --check-prefix=OWN
// RUN: memspace-opt %s -memspace-fit-to-budget="chip=sm_90 record=%t.own" | FileCheck %s --check-prefix=OTHER
// OWN: step (8, 64)
// OTHER-NOT: step (8, 64)

// What does not fit is not taken, and the warning says what is; the record has it.
// RUN: rm -f %t.asked.json
// RUN: memspace-opt %s -memspace-fit-to-budget="chip=gfx942 workgroup-limit=8192 record=%t.asked.json configuration='threads=64 block=32x32 reduction=16 promote stages=3'" -o /dev/null 2>&1 | FileCheck %s --check-prefix=ASKED
// RUN: FileCheck %s --check-prefix=TRIED --input-file=%t.asked.json
// ASKED: warning: 'threads=64 block=32x32 reduction=16 promote stages=3' of 'matmul' does not fit gfx942: {{.*}}12288{{.*}}; 'threads={{.*}}' is taken, the best of {{[0-9]+}} others
// ASKED: note: threads={{.*}}: weight {{[0-9]+}}, {{[0-9]+}} bytes of workgroup memory
// ASKED: note: {{[0-9]+}} of {{[0-9]+}} fit; a 'record' has all of them
// TRIED: "configuration": "threads=64 block=32x32 reduction=16 promote stages=3",
// TRIED: "refusal":
// TRIED: "configuration": "threads=64 block=4x4",

// The fewest bytes of workgroup memory are none.
// RUN: memspace-opt %s -memspace-fit-to-budget="chip=gfx942 objective=bytes" -memspace-kernel-pipeline=chip=gfx942 | FileCheck %s --check-prefix=BYTES
// BYTES: memspace.workgroup_bytes = 0

// The fewest bytes from and to global memory: the largest tiles that fit.
// RUN: memspace-opt %s -memspace-fit-to-budget="chip=gfx942 objective=reuse" | FileCheck %s --check-prefix=REUSE
// RUN: memspace-opt %s -memspace-fit-to-budget="chip=gfx942 objective=reuse workgroup-limit=8192" | FileCheck %s --check-prefix=LESS
// REUSE: linalg.copy {{.*}} -> tensor<64x
// LESS-NOT: linalg.copy {{.*}} -> tensor<64x64xf32>
func.func @matmul(%A: memref<64x64xf32>, %B: memref<64x64xf32>, %out: memref<64x64xf32>) {
  %a = bufferization.to_tensor %A restrict : memref<64x64xf32> to tensor<64x64xf32>
  %b = bufferization.to_tensor %B restrict : memref<64x64xf32> to tensor<64x64xf32>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x64xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
  %c = linalg.matmul ins(%a, %b : tensor<64x64xf32>, tensor<64x64xf32>) outs(%f : tensor<64x64xf32>) -> tensor<64x64xf32>
  bufferization.materialize_in_destination %c in restrict writable %out : (tensor<64x64xf32>, memref<64x64xf32>) -> ()
  return
}
