// The ops of the door dialect answer in accordance with what they are, and all
// were asked.

// RUN: memspace-test-opt %S/doors.mlir -test-conformance -split-input-file -o /dev/null | FileCheck %s --check-prefix=EACH
// EACH-COUNT-6: violations 0{{$}}
// RUN: memspace-test-opt %S/run.mlir -test-conformance -o /dev/null | FileCheck %s
// RUN: memspace-test-opt %s -test-conformance -o /dev/null | FileCheck %s --check-prefix=COLLECTIVE

// CHECK: // uniformity 2, synchronization 1, elements 6, roots 3, collectives 0, structured 0, violations 0{{$}}
// COLLECTIVE: // uniformity 0, synchronization 0, elements 0, roots 0, collectives 1, structured 0, violations 0{{$}}
func.func @collective(%part: tensor<64xf32>) {
  %r = door.meet %part : tensor<64xf32> -> tensor<64xf32>
  return
}
