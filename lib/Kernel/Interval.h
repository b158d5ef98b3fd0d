//===- Interval.h - checked bounds of integers ------------------*- C++ -*-===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Bounds of integers that are dropped rather than wrong where they leave 64
/// bits.
///
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_LIB_KERNEL_INTERVAL_H
#define MEMSPACE_LIB_KERNEL_INTERVAL_H

#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>

namespace mlir {
namespace memspace {

/// Inclusive bounds; an absent side is unbounded.
struct Interval {
  std::optional<int64_t> lower, upper;

  /// Results of the operations below have no bounds beyond this, so that sums
  /// of two do not overflow.
  static constexpr int64_t kMaxBound = int64_t(1) << 60;

  bool isNonNegative() const { return lower && *lower >= 0; }

  Interval operator+(const Interval &other) const {
    return {add(lower, other.lower), add(upper, other.upper)};
  }
  Interval operator*(int64_t factor) const {
    if (factor == 0)
      return {0, 0};
    Interval result{multiply(lower, factor), multiply(upper, factor)};
    if (factor < 0)
      std::swap(result.lower, result.upper);
    return result;
  }
  /// Rounds down; `divisor` > 0.
  Interval floorDiv(int64_t divisor) const {
    Interval result = *this;
    for (std::optional<int64_t> *bound : {&result.lower, &result.upper})
      if (*bound)
        *bound = llvm::divideFloorSigned(**bound, divisor);
    return result;
  }
  /// What is in both.
  Interval intersect(const Interval &other) const {
    auto pick = [](auto a, auto b, auto better) {
      return a && b ? std::optional(better(*a, *b)) : a ? a : b;
    };
    return {pick(lower, other.lower,
                 [](int64_t a, int64_t b) { return std::max(a, b); }),
            pick(upper, other.upper,
                 [](int64_t a, int64_t b) { return std::min(a, b); })};
  }
  /// The bounds of what is in one of them.
  Interval unite(const Interval &other) const {
    Interval result;
    if (lower && other.lower)
      result.lower = std::min(*lower, *other.lower);
    if (upper && other.upper)
      result.upper = std::max(*upper, *other.upper);
    return result;
  }

private:
  using Bound = std::optional<int64_t>;

  static Bound limit(int64_t bound) {
    return bound >= -kMaxBound && bound <= kMaxBound ? Bound(bound)
                                                     : std::nullopt;
  }
  static Bound add(Bound a, Bound b) {
    int64_t sum;
    return a && b && !llvm::AddOverflow(*a, *b, sum) ? limit(sum)
                                                     : std::nullopt;
  }
  static Bound multiply(Bound bound, int64_t factor) {
    int64_t product;
    return bound && !llvm::MulOverflow(*bound, factor, product) ? limit(product)
                                                                : std::nullopt;
  }
};

} // namespace memspace
} // namespace mlir

#endif // MEMSPACE_LIB_KERNEL_INTERVAL_H
