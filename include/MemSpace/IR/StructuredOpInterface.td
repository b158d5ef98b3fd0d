//===- StructuredOpInterface.td - other dialects' sorts and their like ---===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_IR_STRUCTUREDOPINTERFACE_TD
#define MEMSPACE_IR_STRUCTUREDOPINTERFACE_TD

include "mlir/IR/OpBase.td"

def MemSpace_StructuredOpInterface : OpInterface<"StructuredOpInterface"> {
  let cppNamespace = "::mlir::memspace";
  let description = [{
    Says what a sort, top-k, scan, gather or scatter of another dialect is in
    ops of the memspace dialect. The op becomes those before anything is decided
    about it (`memspace-distribute-structured-ops`, `memspace-normalize-kernels`,
    `memspace-linalg-to-loops`): threads share it, its memory is decided, and it
    is lowered, as if it had been written so. On tensors it needs no other
    interface; on memrefs `MemoryEffectOpInterface` says what the passes before
    `memspace-linalg-to-loops` may assume of it.

    What the new ops compute is trusted to be what the op means. That they are
    valid, and have the types of the op's results, is checked.
  }];
  let methods = [
    InterfaceMethod<[{
        Makes ops before the op, where `rewriter` stands, that compute its
        results, and returns these: one value of the same type for each result;
        none on memrefs. The op itself, its regions and its operands' owners are
        left alone (`copyPayload` copies a comparator or a combiner). A form that
        the model cannot express is refused: `return
        rewriter.notifyMatchFailure(op, "reason")`; the reason is quoted.
      }], "::mlir::FailureOr<::mlir::SmallVector<::mlir::Value>>",
      "convertToMemSpace", (ins "::mlir::RewriterBase &":$rewriter)>
  ];
}

#endif // MEMSPACE_IR_STRUCTUREDOPINTERFACE_TD
