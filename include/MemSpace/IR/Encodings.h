//===- Encodings.h - encodings of tensors that are layouts ------*- C++ -*-===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The interface of encodings that say where the elements of a tensor are, and
/// the dialect's own ones (docs/encodings.md).
///
/// This header may change from release to release.
///
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_IR_ENCODINGS_H
#define MEMSPACE_IR_ENCODINGS_H

#include "MemSpace/Encoding/TiledLayout.h"
#include "MemSpace/IR/MemSpaceDialect.h"
#include "MemSpace/Target/TargetInfo.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/TensorEncoding.h"

namespace mlir {
namespace memspace {

/// What an encoding says of tensors of one type on one target.
struct ResolvedLayout {
  TiledLayout layout;
  /// Where who resolves counts bytes, too, and the shape is static: how many
  /// such a tensor takes, padding included. Other bytes than MemSpace's size
  /// model gives the layout are an error: one of the two would access memory
  /// that the other did not allocate.
  std::optional<int64_t> bytes = std::nullopt;
};

/// What a matrix is in a product of two.
enum class MatmulRole { LHS, RHS, Accumulator };

namespace detail {
/// Tensors of `type` on `target` and with the encoding `other` on
/// `otherTarget`; false where one of the two cannot be resolved.
bool isSameResolvedLayout(RankedTensorType type, const TargetInfo &target,
                          Attribute other, const TargetInfo &otherTarget);
} // namespace detail

/// True when the layout of tensors of `type` is ours to say: there is no
/// encoding, or one with LayoutEncodingAttrInterface.
bool hasKnownEncoding(RankedTensorType type);

/// What is known of the extents of tensors of `type`, also by promises of its
/// encoding.
SmallVector<LayoutExtent> getLayoutExtents(RankedTensorType type);

/// The layout of tensors of `type` on `target`; row-major without an encoding.
/// Failure, with an error by `emitError`, where the encoding cannot be resolved
/// or the resolver contradicts the type. (What it says of bytes is checked by
/// getResolvedLayout in MemSpace/Memory/BufferSize.h.)
FailureOr<ResolvedLayout>
resolveEncoding(RankedTensorType type, const TargetInfo &target,
                llvm::function_ref<InFlightDiagnostic()> emitError);

} // namespace memspace
} // namespace mlir

#include "MemSpace/IR/LayoutEncodingInterface.h.inc"

#define GET_ATTRDEF_CLASSES
#include "MemSpace/IR/MemSpaceAttrs.h.inc"

#endif // MEMSPACE_IR_ENCODINGS_H
