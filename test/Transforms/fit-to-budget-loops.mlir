// RUN: rm -f %t.json
// RUN: memspace-opt %s -memspace-compile-pipeline='chip=sm_80 record=%t.json' | FileCheck %s
// RUN: FileCheck %s --check-prefix=RECORD --input-file=%t.json
// RUN: sed -i 's/"best": .*/"best": "threads=64 block=0",/' %t.json
// RUN: memspace-opt %s -memspace-compile-pipeline='chip=sm_80 record=%t.json' | FileCheck %s --check-prefix=ONE

// The sum of columns begins with what a loop leaves. Workgroups that share the columns
// each do the loop again, or one does both.
// CHECK-LABEL: func.func @begins_with_loop
// CHECK-SAME: gpu.known_grid_size = array<i32: {{[0-9]+}}, 1, 1>
// RECORD: "configuration": "threads=64 block=0",
// RECORD-NEXT: "cost":
// ONE-LABEL: func.func @begins_with_loop
// ONE-SAME: gpu.known_grid_size = array<i32: 1, 1, 1>
func.func @begins_with_loop(%a: tensor<64x24xi32>, %b: tensor<24xi32>, %n: index) -> tensor<24xi32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %e = tensor.empty() : tensor<24xi32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%v = %b) -> tensor<24xi32> {
    %s = linalg.add ins(%v, %v : tensor<24xi32>, tensor<24xi32>) outs(%e : tensor<24xi32>) -> tensor<24xi32>
    scf.yield %s : tensor<24xi32>
  }
  %sum = linalg.reduce { arith.addi } ins(%a : tensor<64x24xi32>) outs(%r : tensor<24xi32>) dimensions = [0]
  return %sum : tensor<24xi32>
}
