// RUN: iree-memspace-opt %s -split-input-file -iree-memspace-import -verify-diagnostics

// expected-error @below {{returns a value of type 'memref<6xf32>', which has no place in memory}}
func.func @returns_memory(%x: memref<6xf32>, %y: tensor<6xf32>) -> memref<6xf32> {
  return %x : memref<6xf32>
}

// -----

// expected-error @below {{returns values from several places; return them from one}}
func.func @two_returns(%x: tensor<4xf32>, %y: tensor<4xf32>, %c: i1) -> tensor<4xf32> {
  cf.cond_br %c, ^a, ^b
^a:
  return %x : tensor<4xf32>
^b:
  return %y : tensor<4xf32>
}
