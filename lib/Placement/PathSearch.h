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
#include <map>
#include <optional>
#include <tuple>
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

/// What paths from an access, with any elements taken, tell of iterations,
/// where that was worth finding out: hazards that no timing leads to are asked
/// about again and again, each time with all that leads there.
class PathTimings {
public:
  explicit PathTimings(const Program &program)
      : program(program), table(program) {}

  /// True where it is known that `accepts` holds for no path of `query`.
  bool isImpossible(const PathQuery &query,
                    llvm::function_ref<bool(PathTiming)> accepts) const;
  /// A search for `query` found in so many steps that none is accepted. After
  /// many of them all paths from the first access are followed, past what
  /// orders it but barriers that stand there already, in twice as many steps at
  /// most.
  void addFailure(const PathQuery &query, int64_t steps, int64_t &stepsLeft);

private:
  /// A node, the carrying loop, and whether the first access is in flight.
  using Place = std::tuple<unsigned, unsigned, bool>;
  using Reached = std::map<Place, std::vector<PathTiming>>;

  Place getGoal(const PathQuery &query) const;

  const Program &program;
  ElementTable table;
  struct Source {
    /// Of searches that failed; when it is explored, or once more.
    int64_t steps = 0;
    int64_t stepsToExplore = 1 << 8;
    std::optional<Reached> reached;
  };
  /// By access and order.
  std::map<std::pair<unsigned, Orders>, Source> sources;
};

/// The elements that order `query.hazard.order` on a path from one access to
/// the other which passes neither a barrier nor a taken element that does, as
/// they come on it; of the paths that `accepts` holds for, the one with the
/// fewest such elements. None if there is no path. Each step costs one of
/// `stepsLeft`; when none is left, every path is accepted. `timings` is of the
/// program, and is added to.
std::optional<std::vector<unsigned>>
findPath(const Program &program, const ElementTable &table,
         const std::vector<bool> &taken, const PathQuery &query,
         llvm::function_ref<bool(PathTiming)> accepts, PathTimings &timings,
         int64_t &stepsLeft);

} // namespace placement
} // namespace memspace
} // namespace mlir

#endif // MEMSPACE_LIB_PLACEMENT_PATHSEARCH_H
