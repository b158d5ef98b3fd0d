// What --alias is not given.
// RUN: not memspace-runner %s --alias=0 --arg=2:fill:1 2>&1 | FileCheck %s --check-prefix=FORM
// RUN: not memspace-runner %s --alias=0:1:-4 --arg=2:fill:1 2>&1 | FileCheck %s --check-prefix=FORM
// RUN: not memspace-runner %s --alias=5:1 --arg=2:fill:1 2>&1 | FileCheck %s --check-prefix=NUMBER
// RUN: not memspace-runner %s --alias=0:5 --arg=2:fill:1 2>&1 | FileCheck %s --check-prefix=NO-MEMREF
// RUN: not memspace-runner %s --alias=0:2 2>&1 | FileCheck %s --check-prefix=SCALAR
// RUN: not memspace-runner %s --alias=0:1 --alias=0:1 --arg=2:fill:1 2>&1 | FileCheck %s --check-prefix=TWICE
// RUN: not memspace-runner %s --alias=0:1 --alias=1:3 --arg=2:fill:1 2>&1 | FileCheck %s --check-prefix=CHAIN
// RUN: not memspace-runner %s --alias=0:0 --arg=2:fill:1 2>&1 | FileCheck %s --check-prefix=CHAIN-SELF
// RUN: not memspace-runner %s --alias=0:1:2 --arg=2:fill:1 2>&1 | FileCheck %s --check-prefix=ALIGN
// RUN: not memspace-runner %s --alias=0:1:4 --arg=2:fill:1 2>&1 | FileCheck %s --check-prefix=LARGE
// RUN: memspace-runner %s --arg=2:fill:1 --max-memory=100000
// RUN: not memspace-runner %s --alias=0:1 --arg=2:fill:1 --max-memory=100000 2>&1 | FileCheck %s --check-prefix=MEMORY

// FORM: --alias={{.*}}wanted is
// NUMBER: --alias=5:1: the kernel has 4 arguments, counted from 0
// NO-MEMREF: alias-invalid.mlir:[[#@LINE+9]]:1: error: argument 5 cannot share memory with another: it is no memref of the kernel
// SCALAR: argument 2 is a scalar; give --arg=2:fill:VALUE
// TWICE: error: argument 1 is put into others twice
// CHAIN: error: argument 3 cannot be put into argument 1, which has no memory of its own; put it where that lies
// CHAIN-SELF: error: argument 0 cannot be put into argument 0, which has no memory of its own
// ALIGN: error: argument 1 cannot begin at byte 2 of argument 0; give a multiple of the 4 bytes of its elements
// LARGE: error: argument 1 takes 4096 bytes, but argument 0 has 4096, and it begins at byte 4; put it into a larger one
// MEMORY: error: memory limit

func.func @k(%x: memref<1024xi32> {memspace.noalias}, %y: memref<1024xi32> {memspace.noalias}, %n: index, %z: memref<4xi32>) attributes {gpu.known_block_size = array<i32: 8, 1, 1>} {
  return
}
