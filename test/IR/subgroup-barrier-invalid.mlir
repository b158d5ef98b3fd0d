// RUN: memspace-opt %s -split-input-file -verify-diagnostics

func.func @operand(%a: memref<8xf32>) {
  // expected-error @below {{op requires zero operands}}
  "memspace.subgroup_barrier"(%a) : (memref<8xf32>) -> ()
  return
}

// -----

func.func @result() {
  // expected-error @below {{op requires zero results}}
  %0 = "memspace.subgroup_barrier"() : () -> index
  return
}
