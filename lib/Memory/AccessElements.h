//===- AccessElements.h - which elements of a memref an op touches -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The elements that one op touches through one of its operands, for each op
/// that addresses memory by indices or by indexing maps.
///
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_LIB_MEMORY_ACCESSELEMENTS_H
#define MEMSPACE_LIB_MEMORY_ACCESSELEMENTS_H

#include "MemSpace/Kernel/KernelContext.h"
#include "MemSpace/Memory/LinearExpr.h"

namespace mlir {
namespace memspace {

struct TouchedElements {
  /// One for each dimension of the memref.
  SmallVector<IndexRange> ranges;
  /// Further (count, stride), in elements from the element that `ranges` says,
  /// which follow memory and not the dimensions: + stride · k, 0 <= k < count.
  SmallVector<std::pair<int64_t, int64_t>, 2> run;
  /// The lanes of a subgroup execute the op together: each may touch what any
  /// of them addresses.
  bool collective = false;
  /// A thread that executes the op touches all of it.
  bool exact = false;
};

/// What the op of `operand`, a ranked memref, touches through it; none when it
/// may be all of the memref.
std::optional<TouchedElements> getTouchedElements(OpOperand &operand,
                                                  const KernelContext &context);

/// Every index of a dimension.
IndexRange getWholeRange(int64_t size);

/// Turns ranges of `view` into ranges of the memref that it is a slice of, as
/// far as possible. Both point to the same byte.
void composeSlices(Value &view, SmallVector<IndexRange> &ranges);

} // namespace memspace
} // namespace mlir

#endif // MEMSPACE_LIB_MEMORY_ACCESSELEMENTS_H
