//===- Exact.cpp - which capacities to search -----------------------------===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Bounds first, then heuristics, then a search of the groups of buffers that do
// not depend on each other, the one with the highest bound first.
//
//===----------------------------------------------------------------------===//

#include "ExactCost.h"
#include "ExactSearch.h"
#include "ExactStacks.h"
#include "llvm/ADT/STLExtras.h"
#include <memory>

using namespace mlir::memspace;
using namespace mlir::memspace::packing;

llvm::ArrayRef<ExactTechnique> packing::getExactTechniques() {
  static const ExactTechnique techniques[] = {
      {"canonical", &ExactOptions::canonical},
      {"sectionInference", &ExactOptions::sectionInference},
      {"decomposition", &ExactOptions::decomposition},
      {"failFirst", &ExactOptions::failFirst},
      {"dynamicOrdering", &ExactOptions::dynamicOrdering},
      {"staticPreordering", &ExactOptions::staticPreordering},
      {"dominance", &ExactOptions::dominance},
      {"monotonicFloor", &ExactOptions::monotonicFloor},
      {"unallocatedFloor", &ExactOptions::unallocatedFloor},
      {"hatless", &ExactOptions::hatless},
      {"skippedFloor", &ExactOptions::skippedFloor},
      {"memory", &ExactOptions::memory},
      {"stacking", &ExactOptions::stacking},
      {"core", &ExactOptions::core},
      {"heuristics", &ExactOptions::heuristics}};
  return techniques;
}

/// Nodes of the first try at a capacity; tries grow until one succeeds.
static constexpr uint64_t kFirstTry = 1000;

/// Larger groups are left as the heuristics have them: the search recurs once
/// for each buffer.
static constexpr unsigned kMaxSearchedItems = 4096;
/// Smaller groups are searched whole before orders are mended.
static constexpr unsigned kMinMendedItems = 64;
/// Nodes of the try before which orders are mended. Where any solution within
/// the capacity does, the search is the better bet.
static constexpr uint64_t kMendBeforeTry = 16 * kFirstTry;
static constexpr uint64_t kMendBeforeTryWithin = 128 * kFirstTry;
/// A node of the search takes as long as some steps of mending. Where there is
/// no search all the time is for mending.
static constexpr uint64_t kStepsOfNode = 128;
static constexpr uint64_t kStepsOfNodeWithoutSearch = 1500;
/// Larger groups are searched as a whole.
static constexpr unsigned kMaxCoreItems = 64;

namespace {
/// A group of buffers, its best solution so far, and what is known of it.
class Group {
public:
  Group(const Problem &problem, llvm::ArrayRef<unsigned> buffers,
        const ExactOptions &options, SearchBudget &budget)
      : instance(problem, buffers, buffers.size() <= kMaxSearchedItems,
                 [&] { return budget.isOver(); }),
        options(options), budget(budget), problem(problem) {
    for (unsigned i : buffers)
      part.buffers.push_back(problem.buffers[i]);
    lowerBound = instance.getNextHeight(
        std::max(getLowerBound(part), instance.getLowerBound()));
    best = options.heuristics
               ? bestFit(part, [&] { return this->budget.isOver(); })
               : bump(part);
  }

  /// Lowers the height until it is at most `enough` or proved to be the least.
  void minimize(int64_t enough);

  ExactInstance instance;
  Solution best;
  int64_t lowerBound = 0;

private:
  SearchResult search(int64_t capacity, uint64_t maxNodes);
  void mend(int64_t enough);

  const ExactOptions &options;
  SearchBudget &budget;
  const Problem &problem;
  Problem part;
};
} // namespace

SearchResult Group::search(int64_t capacity, uint64_t maxNodes) {
  std::vector<int64_t> offsets;
  SearchResult result =
      options.core && instance.items.size() <= kMaxCoreItems
          ? searchCoreWithin(problem, instance, capacity, options, maxNodes,
                             budget, offsets)
          : searchWithin(instance, capacity, options, maxNodes, budget,
                         offsets);
  if (result == SearchResult::Found) {
    best.height = getHeight(part, offsets);
    best.offsets = std::move(offsets);
  } else if (result == SearchResult::None) {
    lowerBound = instance.getNextHeight(capacity + 1);
  }
  return result;
}

/// Looks for a lower solution by local search.
void Group::mend(int64_t enough) {
  LocalSearchOptions local;
  local.enough = std::max(lowerBound, enough);
  uint64_t maxSteps = instance.isSearchable
                          ? kStepsOfNode * budget.getNodes()
                          : kStepsOfNodeWithoutSearch * budget.getRest();
  local.maxSteps = std::min(local.maxSteps, maxSteps);
  auto isOver = [&] { return budget.isOver(); };
  local.isOver = isOver;
  Solution solution = localSearch(part, local);
  if (solution.height < best.height)
    best = std::move(solution);
}

void Group::minimize(int64_t enough) {
  bool canMend = options.heuristics && instance.items.size() > kMinMendedItems;
  if (!instance.isSearchable) {
    if (canMend && best.height > std::max(lowerBound, enough))
      mend(enough);
    return;
  }
  // A low capacity is refused soon and a high one found soon; in between it is
  // hard. The bound is the most likely answer.
  for (uint64_t nodes = kFirstTry; !budget.isSpent(); nodes *= 2) {
    if (options.stacking && options.heuristics && nodes == 2 * kFirstTry)
      solveByStacks(part, instance, enough, budget, lowerBound, best);
    if (canMend &&
        nodes == (options.minimize ? kMendBeforeTry : kMendBeforeTryWithin))
      mend(enough);
    for (unsigned at : {0, 2, 1}) {
      while (true) {
        int64_t low = std::max(lowerBound, enough);
        int64_t high = best.height - 1;
        if (options.capacity)
          high = std::min(high, *options.capacity);
        if (high < low)
          return;
        int64_t capacity = at == 0   ? low
                           : at == 1 ? low + (high - low) / 2
                                     : high;
        if (search(capacity, nodes) == SearchResult::Limit)
          break;
      }
    }
  }
}

static ExactResult makeResult(const Problem &problem,
                              llvm::ArrayRef<std::unique_ptr<Group>> groups,
                              int64_t lowerBound, const SearchBudget &budget,
                              const ExactOptions &options) {
  ExactResult result;
  Solution solution;
  solution.offsets.assign(problem.buffers.size(), 0);
  result.lowerBound = lowerBound;
  for (const std::unique_ptr<Group> &group : groups) {
    for (auto [item, offset] :
         llvm::zip(group->instance.items, group->best.offsets))
      solution.offsets[item.buffer] = offset;
    result.lowerBound = std::max(result.lowerBound, group->lowerBound);
  }
  solution.height = getHeight(problem, solution.offsets);
  result.nodes = budget.getNodes();
  bool fits = !options.capacity || solution.height <= *options.capacity;
  if (!fits) {
    result.proved = result.lowerBound > *options.capacity;
    return result;
  }
  result.proved = !options.minimize || solution.height <= result.lowerBound;
  result.cost = getOverlayCost(problem, solution);
  result.solution = std::move(solution);
  return result;
}

ExactResult packing::solveExact(const Problem &problem,
                                const ExactOptions &options) {
  bool hasCosts = llvm::any_of(problem.costs, [](const OverlayCost &overlay) {
    return overlay.cost > 0 && !overlay.pairs.empty();
  });
  if (hasCosts && options.minimize)
    return solveWithCosts(problem, options);
  SearchBudget budget(options);
  // Buffers that are never live lie at 0.
  int64_t lowerBound = 0;
  for (const Buffer &buffer : problem.buffers)
    lowerBound = std::max(lowerBound, buffer.bytes);
  std::vector<std::unique_ptr<Group>> groups;
  for (llvm::ArrayRef<unsigned> buffers : getIndependentGroups(problem)) {
    groups.push_back(
        std::make_unique<Group>(problem, buffers, options, budget));
    lowerBound = std::max(lowerBound, groups.back()->lowerBound);
  }
  llvm::stable_sort(groups, [](const auto &a, const auto &b) {
    return a->lowerBound > b->lowerBound;
  });

  // No group needs to be lower than the highest must be.
  int64_t enough = lowerBound;
  if (!options.minimize && options.capacity)
    enough = std::max(enough, *options.capacity);
  for (const std::unique_ptr<Group> &group : groups) {
    if (options.capacity && lowerBound > *options.capacity)
      break;
    if (options.minimize || options.capacity)
      group->minimize(enough);
    if (options.minimize)
      enough = std::max(enough, group->best.height);
    lowerBound = std::max(lowerBound, group->lowerBound);
  }
  return makeResult(problem, groups, lowerBound, budget, options);
}
