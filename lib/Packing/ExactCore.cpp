//===- ExactCore.cpp - search the buffers that matter ---------------------===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A search that fails high up in a crowded section first tries every way to
// place what has nothing to do with it. So the search begins with the buffers
// of the tightest section alone: when they do not fit, all is said. Else the
// others go first-fit into the gaps, and one that does not fit joins the
// search.
//
//===----------------------------------------------------------------------===//

#include "ExactSearch.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir::memspace;
using namespace mlir::memspace::packing;

/// Orders in which the others are tried, of each kind.
static constexpr unsigned kMaxRounds = 8;

namespace {
class CoreSearch {
public:
  CoreSearch(const Problem &problem, const ExactInstance &instance,
             int64_t capacity, const ExactOptions &options,
             SearchBudget &budget)
      : problem(problem), instance(instance), capacity(capacity),
        options(options), budget(budget), inCore(instance.items.size()) {}

  SearchResult run(uint64_t maxNodes, std::vector<int64_t> &offsets);

private:
  void startWithTightestSection();
  SearchResult searchCore(uint64_t maxNodes, std::vector<int64_t> &offsets);
  std::optional<unsigned> placeOthers(std::vector<int64_t> &offsets);
  int64_t findGap(unsigned i, const llvm::BitVector &placed,
                  llvm::ArrayRef<int64_t> offsets) const;

  const Problem &problem;
  const ExactInstance &instance;
  int64_t capacity;
  const ExactOptions &options;
  SearchBudget &budget;
  llvm::BitVector inCore;
};
} // namespace

void CoreSearch::startWithTightestSection() {
  int64_t most = 0;
  llvm::ArrayRef<unsigned> tightest;
  for (llvm::ArrayRef<unsigned> section : instance.members) {
    int64_t total = 0;
    for (unsigned i : section)
      total += instance.items[i].size;
    if (total > most) {
      most = total;
      tightest = section;
    }
  }
  for (unsigned i : tightest)
    inCore.set(i);
}

SearchResult CoreSearch::searchCore(uint64_t maxNodes,
                                    std::vector<int64_t> &offsets) {
  llvm::SmallVector<unsigned> buffers;
  for (unsigned i : inCore.set_bits())
    buffers.push_back(instance.items[i].buffer);
  ExactInstance core(problem, buffers, /*isSearched=*/true,
                     [&] { return budget.isOver(); });
  // The budget ended meanwhile, or when an earlier core was searched.
  if (!core.isSearchable)
    return SearchResult::Limit;
  std::vector<int64_t> found;
  SearchResult result =
      searchWithin(core, capacity, options, maxNodes, budget, found);
  if (result == SearchResult::Found)
    for (auto [i, offset] : llvm::zip(inCore.set_bits(), found))
      offsets[i] = offset;
  return result;
}

/// The lowest offset of item `i` among the placed ones; -1 when there is none.
int64_t CoreSearch::findGap(unsigned i, const llvm::BitVector &placed,
                            llvm::ArrayRef<int64_t> offsets) const {
  const ExactInstance::Item &item = instance.items[i];
  llvm::SmallVector<std::pair<int64_t, int64_t>, 32> taken;
  for (unsigned other : item.neighbours)
    if (placed[other])
      taken.push_back(
          {offsets[other], offsets[other] + instance.items[other].bytes});
  llvm::sort(taken);
  int64_t offset = 0;
  for (auto [begin, end] : taken) {
    if (offset + item.bytes <= begin)
      break;
    offset = std::max(offset, alignUp(end, item.alignmentBytes));
  }
  return offset + item.bytes <= capacity ? offset : -1;
}

/// Places what is not in the core; else returns an item that did not fit.
std::optional<unsigned> CoreSearch::placeOthers(std::vector<int64_t> &offsets) {
  std::optional<unsigned> failed;
  for (bool byArea : {false, true}) {
    llvm::SmallVector<unsigned> others;
    for (unsigned i = 0; i < instance.items.size(); ++i)
      if (!inCore[i])
        others.push_back(i);
    auto getKey = [&](unsigned i) {
      const ExactInstance::Item &item = instance.items[i];
      return byArea ? item.duration * item.size : double(item.size);
    };
    llvm::stable_sort(
        others, [&](unsigned a, unsigned b) { return getKey(a) > getKey(b); });
    // What fails goes first in the next round.
    for (unsigned round = 0; round < kMaxRounds; ++round) {
      llvm::BitVector placed = inCore;
      auto it = llvm::find_if(others, [&](unsigned i) {
        offsets[i] = findGap(i, placed, offsets);
        placed.set(i);
        return offsets[i] < 0;
      });
      budget.spendSteps(it - others.begin());
      if (it == others.end())
        return std::nullopt;
      failed = *it;
      if (it == others.begin())
        break;
      std::rotate(others.begin(), it, it + 1);
    }
  }
  return failed;
}

SearchResult CoreSearch::run(uint64_t maxNodes, std::vector<int64_t> &offsets) {
  startWithTightestSection();
  offsets.assign(instance.items.size(), 0);
  uint64_t before = budget.getNodes();
  while (true) {
    uint64_t used = budget.getNodes() - before;
    if (used >= maxNodes)
      return SearchResult::Limit;
    SearchResult result = searchCore(maxNodes - used, offsets);
    if (result != SearchResult::Found || inCore.all())
      return result;
    std::optional<unsigned> failed = placeOthers(offsets);
    if (!failed)
      return SearchResult::Found;
    inCore.set(*failed);
  }
}

SearchResult packing::searchCoreWithin(const Problem &problem,
                                       const ExactInstance &instance,
                                       int64_t capacity,
                                       const ExactOptions &options,
                                       uint64_t maxNodes, SearchBudget &budget,
                                       std::vector<int64_t> &offsets) {
  return CoreSearch(problem, instance, capacity, options, budget)
      .run(maxNodes, offsets);
}
