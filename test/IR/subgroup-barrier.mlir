// RUN: memspace-opt %s | memspace-opt | FileCheck %s
// The op has an effect on memory: nothing may remove or merge it.
// RUN: memspace-opt %s -canonicalize -cse | FileCheck %s

// CHECK-LABEL: func @subgroup_barrier
func.func @subgroup_barrier() {
  // CHECK-NEXT: memspace.subgroup_barrier{{$}}
  memspace.subgroup_barrier
  // CHECK-NEXT: memspace.subgroup_barrier {memspace.hazard = "RAW"}
  memspace.subgroup_barrier {memspace.hazard = "RAW"}
  // CHECK-NEXT: return
  return
}
