//===- Orders.h - orders for first-fit, and what they give ------*- C++ -*-===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A placement is told by an order: each buffer goes, one after the other, to
/// the lowest offset where it fits.
///
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_LIB_PACKING_ORDERS_H
#define MEMSPACE_LIB_PACKING_ORDERS_H

#include "MemSpace/Packing/Problem.h"
#include "OccupiedSpace.h"
#include <array>
#include <limits>
#include <optional>

namespace mlir {
namespace memspace {
namespace packing {

/// Places orders, one after the other.
class OrderPlacer {
public:
  OrderPlacer(const Problem &problem, const Sections &sections)
      : problem(problem), sections(sections), space(sections.size()) {}

  /// The offsets, by buffer, and the height. None once a buffer would end above
  /// `limit`, or `isOver` before all are placed.
  std::optional<Solution>
  place(llvm::ArrayRef<unsigned> order,
        int64_t limit = std::numeric_limits<int64_t>::max(),
        llvm::function_ref<bool()> isOver = nullptr);

  /// Steps so far, in all orders: a measure of the time that took. Some tens of
  /// millions are a second.
  uint64_t getSteps() const {
    return kStepsOfPlacement * numPlaced + space.getSteps();
  }

private:
  /// What a buffer costs besides the ranges in its way.
  static constexpr uint64_t kStepsOfPlacement = 16;

  const Problem &problem;
  const Sections &sections;
  OccupiedSpace space;
  uint64_t numPlaced = 0;
};

/// Orders that are good for some problems. All are cheap; none is the best for
/// all.
class OrderFamily {
public:
  OrderFamily(const Problem &problem, const Sections &sections);

  static unsigned size();

  std::vector<unsigned> make(unsigned k) const;

private:
  /// Larger keys come first.
  using Key = std::array<double, 3>;
  Key getKey(unsigned order, unsigned buffer) const;

  const Problem &problem;
  /// By buffer: the most bytes that are live while it is, and how long it is
  /// live, from its first to its last point in time.
  std::vector<double> mostLive, duration, start;
  double mostBytes = 0;
};

} // namespace packing
} // namespace memspace
} // namespace mlir

#endif // MEMSPACE_LIB_PACKING_ORDERS_H
