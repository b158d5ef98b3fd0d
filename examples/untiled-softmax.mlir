// The softmax of 128 rows, as a frontend writes it: no tiles, no threads, no memory.
//
//   memspace-opt examples/untiled-softmax.mlir --memspace-compile-pipeline=chip=gfx942
//
// makes one kernel of it: a workgroup takes a few rows, its threads share them, and
// what lies between two ops stays in the workgroup. docs/budget.md says how the number
// of rows is chosen.

func.func @softmax(%x: tensor<128x512xf32>) -> tensor<128x512xf32> {
  %empty = tensor.empty() : tensor<128x512xf32>
  %y = linalg.softmax dimension(1) ins(%x : tensor<128x512xf32>) outs(%empty : tensor<128x512xf32>) -> tensor<128x512xf32>
  return %y : tensor<128x512xf32>
}
