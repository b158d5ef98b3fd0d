//===- Combination.h - parts of a reduction put together --------*- C++ -*-===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_LIB_TRANSFORMS_TILE_COMBINATION_H
#define MEMSPACE_LIB_TRANSFORMS_TILE_COMBINATION_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include <functional>
#include <optional>

namespace mlir {
namespace memspace {

/// How parts of a reduction are put together.
struct Combination {
  /// What the parts begin with: one for each result, and one for what `extend`
  /// adds.
  SmallVector<TypedAttr> neutral;
  /// Makes the body of the parts give a further value beside the results.
  std::function<void(OpBuilder &, Block &)> extend;
  /// In a body: `parts` and `results` together.
  std::function<SmallVector<Value>(OpBuilder &, ValueRange parts,
                                   ValueRange results)>
      combine;
  /// Parts must be of consecutive iterations, and are put together in order.
  bool isOrdered = false;
};

/// Marks what puts parts together that getCombination() gave.
inline constexpr llvm::StringLiteral kOfPartsAttr = "memspace.of_parts";

/// That of `op`: a known op for each result, or the choice of an element by
/// comparisons, as the largest one with its index; none for other reductions.
std::optional<Combination> getCombination(linalg::LinalgOp op);

} // namespace memspace
} // namespace mlir

#endif // MEMSPACE_LIB_TRANSFORMS_TILE_COMBINATION_H
