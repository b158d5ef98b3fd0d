//===- ExactSearch.h - can buffers lie within a capacity? -------*- C++ -*-===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The search of the exact solver: a depth-first search over canonical
/// solutions for one capacity.
///
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_LIB_PACKING_EXACTSEARCH_H
#define MEMSPACE_LIB_PACKING_EXACTSEARCH_H

#include "ExactInstance.h"
#include <chrono>

namespace mlir {
namespace memspace {
namespace packing {

/// What all searches of one call of the solver may use together.
class SearchBudget {
public:
  explicit SearchBudget(const ExactOptions &options);

  /// Counts a node; false when that was one too many.
  bool spend();
  /// Counts smaller steps, kStepsOfNode of which are a node.
  void spendSteps(unsigned steps);
  bool isSpent() const { return spent; }
  /// Asks the clock.
  bool isOver() {
    spent |= deadline && std::chrono::steady_clock::now() >= *deadline;
    return spent;
  }
  uint64_t getNodes() const { return nodes; }
  uint64_t getRest() const { return spent ? 0 : maxNodes - nodes; }

private:
  static constexpr unsigned kStepsOfNode = 16;

  uint64_t nodes = 0;
  uint64_t maxNodes;
  uint64_t steps = 0;
  bool spent = false;
  std::optional<std::chrono::steady_clock::time_point> deadline;
};

enum class SearchResult { Found, None, Limit };

/// Searches offsets (bytes, by item) within `capacity`. Uses at most `maxNodes`
/// of the budget.
SearchResult searchWithin(const ExactInstance &instance, int64_t capacity,
                          const ExactOptions &options, uint64_t maxNodes,
                          SearchBudget &budget, std::vector<int64_t> &offsets);

/// The same, beginning with the items of the tightest section. `instance` was
/// made from `problem`.
SearchResult searchCoreWithin(const Problem &problem,
                              const ExactInstance &instance, int64_t capacity,
                              const ExactOptions &options, uint64_t maxNodes,
                              SearchBudget &budget,
                              std::vector<int64_t> &offsets);

} // namespace packing
} // namespace memspace
} // namespace mlir

#endif // MEMSPACE_LIB_PACKING_EXACTSEARCH_H
