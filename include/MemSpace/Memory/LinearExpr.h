//===- LinearExpr.h - indices as sums of values -----------------*- C++ -*-===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What the indices of an access are in terms of the values of the kernel:
/// linear expressions over them, and ranges of such.
///
/// This header may change from release to release.
///
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_MEMORY_LINEAREXPR_H
#define MEMSPACE_MEMORY_LINEAREXPR_H

#include "MemSpace/Memory/LinearSum.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/Value.h"

namespace mlir {
namespace memspace {

/// A sum of multiples of index values. What a loop of one iteration counts is a
/// constant.
struct LinearExpr : LinearSum<LinearExpr, Value> {
  using LinearSum::LinearSum;
  explicit LinearExpr(OpFoldResult ofr);
};

/// The indices that an access touches in one dimension: offset + stride · k
/// for 0 <= k < size. No size: every index of the dimension.
struct IndexRange {
  LinearExpr offset;
  std::optional<LinearExpr> size;
  int64_t stride = 1;
  /// Further (size, stride): + stride' · k' for 0 <= k' < size', as in the byte
  /// addresses of a multi-dimensional slice.
  SmallVector<std::pair<LinearExpr, int64_t>, 0> extents;

  /// Multiplies each index by `factor`. A stride that overflows makes the
  /// offset invalid, so that the range may be anywhere.
  void scale(int64_t factor);
};

/// One access: the op at which it executes, which fixes the loops, foralls and
/// conditions around it, and the elements of the buffer that it touches, one
/// range for each dimension. Without `ranges` it may touch any element.
struct ElementAccess {
  Operation *op = nullptr;
  std::optional<SmallVector<IndexRange>> ranges;
};

} // namespace memspace
} // namespace mlir

#endif // MEMSPACE_MEMORY_LINEAREXPR_H
