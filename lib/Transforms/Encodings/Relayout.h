//===- Relayout.h - from one layout to another ----------------------------===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A memspace.encode that moves elements becomes one op: `linalg.pack` or
/// `unpack` where it is one, a copy by tiles where both memories have the same
/// places, else an op that finds the source of each place.
///
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_LIB_TRANSFORMS_ENCODINGS_RELAYOUT_H
#define MEMSPACE_LIB_TRANSFORMS_ENCODINGS_RELAYOUT_H

#include "TensorLayouts.h"
#include "mlir/IR/PatternMatch.h"

namespace mlir {
namespace memspace {

class Relayout {
public:
  /// Chooses the form. A copy by tiles takes the place of `encode` at once, and
  /// there is nothing left to do: none.
  static std::optional<Relayout> plan(EncodeOp encode, RewriterBase &rewriter,
                                      TensorLayouts &layouts);

  /// `rewrite` needs the extents of the tensor.
  bool needsExtents() const { return form == Form::Gather; }
  EncodeOp getOp() const { return encode; }

  /// Failure, with an error at the op, where its padding cannot be filled.
  LogicalResult check();
  /// Replaces the op, whose operands' types have been converted.
  void rewrite(RewriterBase &rewriter, ArrayRef<OpFoldResult> extents,
               TensorLayouts &layouts);

private:
  enum class Form { Pack, Unpack, Gather };
  Relayout(EncodeOp encode, Form form, const TensorLayout &from,
           const TensorLayout &to)
      : encode(encode), form(form), from(&from), to(&to) {}

  Value makeGather(RewriterBase &rewriter, ArrayRef<OpFoldResult> extents,
                   TypedAttr padding);
  Value makeElement(OpBuilder &builder, Location loc, Value source,
                    ArrayRef<OpFoldResult> extents, TypedAttr padding);

  EncodeOp encode;
  Form form;
  const TensorLayout *from, *to;
};

/// Why the op of `encode` copies, as `memspace.copy` says it.
std::string getCopyReason(const TensorLayout &from, const TensorLayout &to);

} // namespace memspace
} // namespace mlir

#endif // MEMSPACE_LIB_TRANSFORMS_ENCODINGS_RELAYOUT_H
