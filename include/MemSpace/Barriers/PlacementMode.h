//===- PlacementMode.h - what placement may do, and its costs ---*- C++ -*-===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What BarrierPlacement may do to a kernel and in which unit it counts.
///
/// This header may change from release to release.
///
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_BARRIERS_PLACEMENTMODE_H
#define MEMSPACE_BARRIERS_PLACEMENTMODE_H

#include <cstdint>

namespace mlir {
namespace memspace {

enum class PlacementMode {
  /// New barriers; those of the kernel stay and count.
  Insert,
  /// No new barriers; those that are not marked to be kept may go. Hazards
  /// that the kernel leaves uncut stay so.
  Eliminate
};

/// In which iterations of the innermost loop around it a barrier is executed.
enum class IterationGuard { None, NotFirst, NotLast, Inner, First, Last };

struct PlacementCosts {
  /// A loop whose trip count is not known counts as this many iterations.
  static constexpr int64_t kUnknownTrips = 8;
  /// Costs are in executions times this; a branch of an `scf.if` counts half.
  static constexpr int64_t kCostUnit = 1024;
};

} // namespace memspace
} // namespace mlir

#endif // MEMSPACE_BARRIERS_PLACEMENTMODE_H
