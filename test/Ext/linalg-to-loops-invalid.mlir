// RUN: memspace-test-opt %s -memspace-linalg-to-loops -split-input-file -verify-diagnostics

// Barriers were placed by what the op says that it touches.
func.func @input(%in: memref<8xi32>, %out: memref<8xi32>) {
  // expected-error@+1 {{StructuredOpInterface: its model makes 'memspace.sort', which writes memory of which the op's effects do not say so}}
  ext.claim "writes its input" ins(%in : memref<8xi32>) outs(%out : memref<8xi32>)
  return
}

// -----

func.func @part(%in: memref<8xi32>, %out: memref<8xi32>) {
  // expected-error@+1 {{StructuredOpInterface: its model makes 'memspace.sort', which writes memory of which the op's effects do not say so}}
  ext.claim "writes a part of its input" ins(%in : memref<8xi32>) outs(%out : memref<8xi32>)
  return
}

// -----

// Which memory that is is not known.
func.func @choice(%in: memref<8xi32>, %out: memref<8xi32>) {
  // expected-error@+1 {{StructuredOpInterface: its model makes 'memspace.sort', which reads memory of which the op's effects do not say so}}
  ext.claim "chooses its input" ins(%in : memref<8xi32>) outs(%out : memref<8xi32>)
  return
}
