//===- HittingSet.h - the cheapest set that meets every clause -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Weighted minimum hitting set by the reductions of unit clauses, clause and
/// element dominance (see Weihe, "Covering trains by stations", 1998), by which
/// intervals are solved without any search, and branch and bound on what is
/// left of each connected component, with disjoint clauses as lower bound.
///
/// This header may change from release to release.
///
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_PLACEMENT_HITTINGSET_H
#define MEMSPACE_PLACEMENT_HITTINGSET_H

#include "MemSpace/Placement/Program.h"
#include <map>

namespace mlir {
namespace memspace {
namespace placement {

/// Sorted numbers of elements, at least one of which is to be taken.
using Clause = std::vector<unsigned>;

/// Clauses that come one by one, without those that contain another one, which
/// are met with it.
class MinimalClauses {
public:
  explicit MinimalClauses(size_t numElements) : occurrences(numElements) {}

  void add(const Clause &clause);
  /// In their order as vectors.
  std::vector<Clause> get() const;

private:
  void remove(unsigned number);

  /// Empty where one that came later is in it.
  std::vector<Clause> clauses;
  /// By element, the clauses that it is in, sorted.
  std::vector<std::vector<unsigned>> occurrences;
  /// By clause, how many elements it has of the one that is added; otherwise 0.
  std::vector<size_t> shared;
};

struct HittingSet {
  /// Sorted.
  std::vector<unsigned> elements;
  Cost cost;
  /// No set costs less than this; `cost` if optimal.
  Cost lowerBound;
  bool isOptimal = false;
  /// Of the search, at most as many as it was allowed.
  int64_t nodes = 0;
};

/// Solves sets of clauses that grow. A component that was in the last set, too,
/// keeps its solution, unless that may be improved with more nodes.
class HittingSetSolver {
public:
  /// `costs`, by element, must live as long as this.
  explicit HittingSetSolver(llvm::ArrayRef<Cost> costs) : costs(costs) {}

  /// The cheapest set of elements that meets every clause. Of equally cheap
  /// ones, as far as dominance decides, the one with the higher numbers. Search
  /// ends after `maxNodes` nodes with the best set found. No clause may be
  /// empty.
  HittingSet solve(llvm::ArrayRef<Clause> clauses, int64_t maxNodes);

private:
  using Component = std::vector<Clause>;
  struct Solution {
    std::vector<unsigned> elements;
    Cost lowerBound;
    bool isOptimal = false;
    /// What the search was given.
    int64_t maxNodes = 0;
  };
  Solution solveComponent(const Component &component, int64_t &nodesLeft);

  llvm::ArrayRef<Cost> costs;
  std::map<Component, Solution> solved;
};

/// The same for one set of clauses.
HittingSet findHittingSet(llvm::ArrayRef<Clause> clauses,
                          llvm::ArrayRef<Cost> costs, int64_t maxNodes);

} // namespace placement
} // namespace memspace
} // namespace mlir

#endif // MEMSPACE_PLACEMENT_HITTINGSET_H
