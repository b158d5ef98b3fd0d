//===- LayoutEncodingInterface.td - encodings that are layouts -----------===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_IR_LAYOUTENCODINGINTERFACE_TD
#define MEMSPACE_IR_LAYOUTENCODINGINTERFACE_TD

include "mlir/IR/OpBase.td"

def MemSpace_LayoutEncodingAttrInterface
    : AttrInterface<"LayoutEncodingAttrInterface"> {
  let cppNamespace = "::mlir::memspace";
  let description = [{
    Says where the elements of a tensor with this encoding are, on a target. The
    value of the tensor, its shape and its element type do not depend on it. A
    downstream dialect implements the interface, or attaches an external model to
    an attribute that exists, and needs no change of MemSpace.

    What a layout is, and when two are one, says docs/encodings.md. The answers
    must not change while a module is compiled.
  }];
  let methods = [
    InterfaceMethod<[{
        The layout of tensors of `type`, whose encoding this is, in the memory of
        `target`. Where the target knows nothing better, that is the row-major
        layout (`TiledLayout::getIdentity`). Failure, with an error by
        `emitError`, where there is none.
      }],
      "::mlir::FailureOr<::mlir::memspace::ResolvedLayout>", "resolve",
      (ins "::mlir::RankedTensorType":$type,
           "const ::mlir::memspace::TargetInfo &":$target,
           "::llvm::function_ref<::mlir::InFlightDiagnostic()>":$emitError)>,
    InterfaceMethod<[{
        True when `resolve` says the same of all targets.
      }], "bool", "isTargetIndependent", (ins), "", [{ return false; }]>,
    InterfaceMethod<[{
        Of each dimension a number, at least 1, that divides its extent, in tensors
        of `type`: a promise of who sets the encoding. Empty: nothing is known.
        Only of use for dynamic extents.
      }], "::llvm::SmallVector<int64_t>", "getDivisors",
      (ins "::mlir::RankedTensorType":$type), "", [{ return {}; }]>,
    InterfaceMethod<[{
        True when tensors of `type` are certainly as without an encoding.
      }], "bool", "isIdentityLayout",
      (ins "::mlir::RankedTensorType":$type,
           "const ::mlir::memspace::TargetInfo &":$target), "", [{
        return ::mlir::memspace::detail::isSameResolvedLayout(
            type, target, {}, target);
      }]>,
    InterfaceMethod<[{
        True when tensors of `type` certainly have each element at the same byte,
        and take equally many bytes, as tensors with the encoding `other` (null:
        none) on `otherTarget`. What the attributes look like does not count.
      }], "bool", "isSameLayout",
      (ins "::mlir::RankedTensorType":$type,
           "const ::mlir::memspace::TargetInfo &":$target,
           "::mlir::Attribute":$other,
           "const ::mlir::memspace::TargetInfo &":$otherTarget), "", [{
        return ::mlir::memspace::detail::isSameResolvedLayout(
            type, target, other, otherTarget);
      }]>
  ];
}

#endif // MEMSPACE_IR_LAYOUTENCODINGINTERFACE_TD
