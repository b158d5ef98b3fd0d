// RUN: memspace-opt %s -memspace-write-assembly=directory=%t -verify-diagnostics

// expected-error @below {{'code' holds no assembly text to write; compile it with 'gpu-module-to-binary{format=isa}'}}
gpu.binary @code [#gpu.object<#nvvm.target, offload = "BC">]
