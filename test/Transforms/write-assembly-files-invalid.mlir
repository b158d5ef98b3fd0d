// RUN: rm -rf %t && mkdir -p %t/code.ptx && touch %t/file
// RUN: not memspace-opt %s -memspace-write-assembly=directory=%t 2>&1 | FileCheck %s --check-prefix=FILE
// RUN: not memspace-opt %s -memspace-write-assembly=directory=%t/file/sub 2>&1 | FileCheck %s --check-prefix=DIRECTORY

// FILE: error: cannot write the assembly: cannot open output file
// DIRECTORY: error: cannot make the directory '{{.*}}file/sub' for assembly
gpu.binary @code [#gpu.object<#nvvm.target, assembly = "text">]
