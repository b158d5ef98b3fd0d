//===- PathSearch.h - a path between two accesses without a barrier -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_LIB_PLACEMENT_PATHSEARCH_H
#define MEMSPACE_LIB_PLACEMENT_PATHSEARCH_H

#include "MemSpace/Placement/Paths.h"
#include <optional>
#include <vector>

namespace mlir {
namespace memspace {
namespace placement {

/// The choices of a program, numbered in the order of their slots.
struct Element {
  unsigned slot;
  unsigned choice;
};

struct ElementTable {
  explicit ElementTable(const Program &program);

  /// The number of the first choice of a node, or of its slot's.
  std::vector<unsigned> firstOf;
  std::vector<Element> elements;
};

struct PathQuery {
  PathHazard hazard;
  /// The first access is still in flight at the second one.
  bool inFlight = false;
  /// Only paths on which an element lies.
  bool needsElement = false;
};

/// The elements that order `query.hazard.order` on a path from one access to
/// the other which passes neither a barrier nor a taken element that does, as
/// they come on it; of the paths that `accepts` holds for, the one with the
/// fewest such elements. None if there is no path. Each step costs one of
/// `stepsLeft`; when none is left, every path is accepted.
std::optional<std::vector<unsigned>>
findPath(const Program &program, const ElementTable &table,
         const std::vector<bool> &taken, const PathQuery &query,
         llvm::function_ref<bool(PathTiming)> accepts, int64_t &stepsLeft);

} // namespace placement
} // namespace memspace
} // namespace mlir

#endif // MEMSPACE_LIB_PLACEMENT_PATHSEARCH_H
