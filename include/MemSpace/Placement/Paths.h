//===- Paths.h - paths between two accesses ---------------------*- C++ -*-===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What a path of a program from one access to another tells of them, and the
/// question what orders they need there.
///
/// This header may change from release to release.
///
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_PLACEMENT_PATHS_H
#define MEMSPACE_PLACEMENT_PATHS_H

#include "MemSpace/Placement/Program.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <tuple>

namespace mlir {
namespace memspace {
namespace placement {

/// What else a path between two accesses tells of their iterations.
struct PathTiming {
  /// Of the loops around the second that are not around the first: it is in the
  /// first iteration of those outside `later`, and in number `iteration` of
  /// `later`, counted from 0, up to kMany; kNone: in the first of each. Nothing
  /// is told without `isKnown`.
  bool isKnown = false;
  unsigned later = kNone;
  unsigned iteration = 0;
  /// The outermost loop around the first that the path has left (kNone: none),
  /// and how many of its iterations, up to kMany, come after that of the first.
  unsigned left = kNone;
  unsigned remaining = 0;
  /// So many iterations of `carryingLoop` begin on the path, up to kMany; 0:
  /// nothing is told.
  unsigned distance = 0;
  /// The first access is still in flight: it matters, too, whether one thread
  /// touches a byte with both.
  bool inFlight = false;

  auto asTuple() const {
    return std::tie(isKnown, later, iteration, left, remaining, distance,
                    inFlight);
  }
  bool operator==(const PathTiming &other) const {
    return asTuple() == other.asTuple();
  }
  bool operator<(const PathTiming &other) const {
    return asTuple() < other.asTuple();
  }
};

/// What orders the pair (first, second) needs when `carryingLoop` is the
/// outermost loop around both that has begun another iteration in between, or
/// kNone. It is called for pairs of the same bucket of which one writes, any
/// number of times. With a timing it must not give orders that it does not
/// without.
using HazardQuery = llvm::function_ref<Orders(
    unsigned first, unsigned second, unsigned carryingLoop, PathTiming timing)>;

/// A hazard on a path.
struct PathHazard {
  unsigned first = kNone;
  unsigned second = kNone;
  unsigned carryingLoop = kNone;
  /// One bit.
  Orders order = 0;
};

} // namespace placement
} // namespace memspace
} // namespace mlir

#endif // MEMSPACE_PLACEMENT_PATHS_H
