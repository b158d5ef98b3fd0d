//===- BarrierCost.h - what the barriers of a kernel cost -------*- C++ -*-===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What the barriers cost that a kernel needs, as a value to compare.
///
/// This header may change from release to release.
///
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_LAYOUT_BARRIERCOST_H
#define MEMSPACE_LAYOUT_BARRIERCOST_H

#include "MemSpace/Placement/Program.h"

namespace mlir {
namespace memspace {

/// The barriers that a kernel needs; less is better, from left to right.
struct BarrierCost {
  /// Hazards that no barrier cuts.
  unsigned unsynchronizable = 0;
  /// In PlacementCosts::kCostUnit.
  placement::Cost executions;

  bool operator==(const BarrierCost &other) const {
    return unsynchronizable == other.unsynchronizable &&
           executions == other.executions;
  }
  bool operator<(const BarrierCost &other) const {
    return unsynchronizable != other.unsynchronizable
               ? unsynchronizable < other.unsynchronizable
               : executions < other.executions;
  }
};

} // namespace memspace
} // namespace mlir

#endif // MEMSPACE_LAYOUT_BARRIERCOST_H
