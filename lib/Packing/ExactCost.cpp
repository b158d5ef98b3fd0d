//===- ExactCost.cpp - the cost of laying buffers over another ------------===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A cost that is not paid keeps its pairs apart, as if they were live together
// at one more point in time. So the sets of costs that may be paid are tried,
// the cheapest first, each as a problem without costs.
//
//===----------------------------------------------------------------------===//

#include "ExactCost.h"
#include "Sections.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/STLExtras.h"
#include <chrono>
#include <queue>

using namespace mlir::memspace;
using namespace mlir::memspace::packing;

namespace {
class CostSearch {
public:
  CostSearch(const Problem &problem, const ExactOptions &options);

  ExactResult run();

private:
  /// Indices into `costs`, ascending.
  struct PaidSet {
    int64_t cost;
    std::vector<unsigned> paid;
    bool operator<(const PaidSet &other) const {
      // The least on top of a std::priority_queue.
      return std::tie(other.cost, other.paid) < std::tie(cost, paid);
    }
  };

  Problem keepApart(const llvm::BitVector &paid) const;
  ExactResult solve(const Problem &part, bool minimize);
  /// Takes `solution` when it is better.
  void offer(const Solution &solution);
  bool isSpent() const;
  /// Searches the least cost within `capacity`. True when it is found, and the
  /// fewest bytes for it if `minimize`.
  bool searchPaidSets(bool minimize);

  const Problem &problem;
  const ExactOptions &options;
  std::chrono::steady_clock::time_point start =
      std::chrono::steady_clock::now();
  /// Positive costs, ascending.
  std::vector<OverlayCost> costs;
  std::optional<int64_t> capacity;
  ExactResult result;
};
} // namespace

CostSearch::CostSearch(const Problem &problem, const ExactOptions &options)
    : problem(problem), options(options), capacity(options.capacity) {
  for (const OverlayCost &overlay : problem.costs)
    if (overlay.cost > 0 && !overlay.pairs.empty())
      costs.push_back(overlay);
  llvm::stable_sort(costs, [](const OverlayCost &a, const OverlayCost &b) {
    return a.cost < b.cost;
  });
}

/// The problem without costs whose solutions pay nothing but `paid`.
Problem CostSearch::keepApart(const llvm::BitVector &paid) const {
  // Sections instead of times, so that there is room for more of them.
  Sections sections(problem);
  Problem part;
  for (unsigned i = 0; i < problem.buffers.size(); ++i) {
    part.buffers.push_back(problem.buffers[i]);
    LiveRange live;
    for (Span span : sections.spans[i])
      live.push_back({span.begin, span.end});
    part.buffers.back().live = std::move(live);
  }
  int64_t time = sections.size();
  for (unsigned k = 0; k < costs.size(); ++k)
    if (!paid[k])
      for (auto [a, b] : costs[k].pairs) {
        for (unsigned i : {a, b})
          part.buffers[i].live.push_back({time, time + 1});
        ++time;
      }
  return part;
}

bool CostSearch::isSpent() const {
  if (result.nodes >= options.maxNodes)
    return true;
  return options.maxSeconds &&
         std::chrono::duration<double>(std::chrono::steady_clock::now() - start)
                 .count() >= *options.maxSeconds;
}

ExactResult CostSearch::solve(const Problem &part, bool minimize) {
  ExactOptions inner = options;
  inner.capacity = capacity;
  inner.minimize = minimize;
  inner.maxNodes = options.maxNodes - result.nodes;
  if (options.maxSeconds)
    *inner.maxSeconds -=
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start)
            .count();
  ExactResult found = solveExact(part, inner);
  // Each try counts, also one that needs no search.
  result.nodes = std::min(options.maxNodes, result.nodes + found.nodes + 1);
  if (found.solution)
    offer(*found.solution);
  return found;
}

void CostSearch::offer(const Solution &solution) {
  int64_t cost = getOverlayCost(problem, solution);
  if (capacity && solution.height > *capacity)
    return;
  if (result.solution) {
    auto key = std::make_pair(cost, solution.height);
    auto best = std::make_pair(result.cost, result.solution->height);
    if (options.objective == ExactOptions::Objective::Bytes) {
      std::swap(key.first, key.second);
      std::swap(best.first, best.second);
    }
    if (key >= best)
      return;
  }
  result.solution = solution;
  result.cost = cost;
}

bool CostSearch::searchPaidSets(bool minimize) {
  // Sets that do not fit; their subsets do not fit either.
  std::vector<llvm::BitVector> tooFew;
  std::optional<int64_t> leastCost;
  std::priority_queue<PaidSet> queue;
  queue.push({0, {}});
  while (!queue.empty()) {
    PaidSet set = queue.top();
    queue.pop();
    if (leastCost && set.cost > *leastCost)
      return true;
    if (isSpent())
      return false;

    // The next sets in order: one cost more, or the last one exchanged.
    unsigned next = set.paid.empty() ? 0 : set.paid.back() + 1;
    if (next < costs.size()) {
      PaidSet more = set;
      more.paid.push_back(next);
      more.cost += costs[next].cost;
      queue.push(more);
      if (!set.paid.empty()) {
        more = set;
        more.cost += costs[next].cost - costs[next - 1].cost;
        more.paid.back() = next;
        queue.push(std::move(more));
      }
    }

    llvm::BitVector paid(costs.size());
    for (unsigned k : set.paid)
      paid.set(k);
    if (llvm::any_of(tooFew, [&](const llvm::BitVector &other) {
          return !paid.test(other);
        })) {
      ++result.nodes;
      continue;
    }
    ExactResult found = solve(keepApart(paid), minimize);
    if (!found.proved)
      return false;
    if (!found.solution) {
      tooFew.push_back(std::move(paid));
      continue;
    }
    leastCost = set.cost;
    if (!minimize)
      return true;
  }
  return leastCost.has_value();
}

ExactResult CostSearch::run() {
  bool bytesFirst = options.objective == ExactOptions::Objective::Bytes;
  ExactResult fewest = solve(keepApart(llvm::BitVector(costs.size(), true)),
                             /*minimize=*/true);
  result.lowerBound = fewest.lowerBound;
  if (!fewest.solution) {
    result.proved = fewest.proved;
    return result;
  }
  if (bytesFirst)
    capacity = fewest.solution->height;
  // Apart from each other, all cost nothing.
  offer(bump(problem));
  bool found = searchPaidSets(/*minimize=*/!bytesFirst);
  result.proved = found && (fewest.proved || !bytesFirst);
  return result;
}

ExactResult packing::solveWithCosts(const Problem &problem,
                                    const ExactOptions &options) {
  return CostSearch(problem, options).run();
}
