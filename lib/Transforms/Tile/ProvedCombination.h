//===- ProvedCombination.h - bodies that may work in parts ------*- C++ -*-===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_LIB_TRANSFORMS_TILE_PROVEDCOMBINATION_H
#define MEMSPACE_LIB_TRANSFORMS_TILE_PROVEDCOMBINATION_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include <functional>
#include <optional>

namespace mlir {
namespace memspace {

/// How parts of a reduction are put together, in the order of their elements.
struct ProvedCombination {
  /// What the parts begin with: one for each result.
  SmallVector<TypedAttr> starts;
  /// In a body: `parts` and `results` together.
  std::function<SmallVector<Value>(OpBuilder &, ValueRange parts,
                                   ValueRange results)>
      combine;
};

/// That of a reduction whose body chooses, for each result, between what there
/// is so far and something of the element, by comparisons of these: the
/// largest element and its index, however it treats equal ones and NaN. Its
/// own body puts parts together, in order.
///
/// Such a body knows of numbers only how they compare, so that what it does
/// with three of them, in each order that there is, decides whether parts give
/// what the whole gives: all of these are tried.
std::optional<ProvedCombination> getProvedCombination(linalg::LinalgOp op);

} // namespace memspace
} // namespace mlir

#endif // MEMSPACE_LIB_TRANSFORMS_TILE_PROVEDCOMBINATION_H
