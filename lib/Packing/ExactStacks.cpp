//===- ExactStacks.cpp - the tightest sections as stacks ------------------===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where alignments are mixed, the order of the tightest section decides. Its
// least height is found without trying orders (RemainderWalk), and there are
// many orders that have it. In most of them the other buffers find room.
//
//===----------------------------------------------------------------------===//

#include "ExactStacks.h"
#include "Orders.h"
#include "RemainderWalk.h"
#include "llvm/ADT/STLExtras.h"
#include <numeric>

using namespace mlir::memspace;
using namespace mlir::memspace::packing;

static constexpr unsigned kMaxSections = 16;
/// Heights of a section that are looked at.
static constexpr size_t kMaxCandidates = 512;
/// Steps of a search for a walk.
static constexpr unsigned kMaxWalkSteps = 50'000;
/// Walks of a section from which orders are made, and orders of each.
static constexpr unsigned kMaxWalks = 8;
static constexpr unsigned kMaxOrders = 96;

namespace {
class StackSolver {
public:
  StackSolver(const Problem &problem, const ExactInstance &instance,
              int64_t enough, int64_t period, SearchBudget &budget,
              int64_t &lowerBound, Solution &best)
      : instance(instance), enough(enough), budget(budget),
        lowerBound(lowerBound), best(best), sections(problem),
        placer(problem, sections), walk(period) {}

  void run();

private:
  /// `top` ends highest; the others lie below it.
  struct Candidate {
    int64_t height;
    unsigned top;
    int64_t offset;
  };

  std::vector<Candidate> getCandidates(llvm::ArrayRef<unsigned> section) const;
  RemainderWalk::Result find(llvm::ArrayRef<unsigned> section,
                             const Candidate &candidate);
  int64_t getHeight(llvm::ArrayRef<unsigned> section);
  void tryOrders(llvm::ArrayRef<unsigned> section);
  void tryOrder(const Candidate &candidate);
  bool isFinished() {
    return best.height <= std::max(lowerBound, enough) || budget.isOver();
  }

  const ExactInstance &instance;
  int64_t enough;
  SearchBudget &budget;
  int64_t &lowerBound;
  Solution &best;
  Sections sections;
  OrderPlacer placer;
  RemainderWalk walk;
  /// All but the top, and their items.
  llvm::SmallVector<RemainderWalk::Piece> pieces;
  llvm::SmallVector<unsigned> below;
  /// The same on every machine.
  std::mt19937_64 engine;
};
} // namespace

/// Heights below the best that the section could have, ascending.
std::vector<StackSolver::Candidate>
StackSolver::getCandidates(llvm::ArrayRef<unsigned> section) const {
  int64_t total = 0;
  for (unsigned i : section)
    total += instance.items[i].size;
  std::vector<Candidate> candidates;
  for (unsigned i : section) {
    const ExactInstance::Item &item = instance.items[i];
    int64_t offset = alignUp(total - item.size, item.alignment);
    for (unsigned k = 0; k < kMaxCandidates; ++k, offset += item.alignment) {
      int64_t height = offset * instance.unit + item.bytes;
      if (height >= best.height)
        break;
      candidates.push_back({height, i, offset});
    }
  }
  llvm::sort(candidates, [](const Candidate &a, const Candidate &b) {
    return std::tie(a.height, a.top) < std::tie(b.height, b.top);
  });
  return candidates;
}

RemainderWalk::Result StackSolver::find(llvm::ArrayRef<unsigned> section,
                                        const Candidate &candidate) {
  pieces.clear();
  below.clear();
  for (unsigned i : section) {
    if (i == candidate.top)
      continue;
    below.push_back(i);
    pieces.push_back({instance.items[i].size, instance.items[i].alignment});
  }
  RemainderWalk::Result result =
      walk.find(pieces, 0, candidate.offset, kMaxWalkSteps);
  budget.spendSteps(walk.getSteps());
  return result;
}

/// No solution is lower, because of this section alone; at most `best.height`.
int64_t StackSolver::getHeight(llvm::ArrayRef<unsigned> section) {
  std::vector<Candidate> candidates = getCandidates(section);
  for (size_t k = 0; k < candidates.size(); ++k) {
    // Also those below the bound: a section that fits there says nothing.
    const Candidate &candidate = candidates[k];
    if (k >= kMaxCandidates || budget.isOver() ||
        find(section, candidate) != RemainderWalk::Result::None)
      return candidate.height;
  }
  return best.height;
}

/// Places what was found last, and then the others.
void StackSolver::tryOrder(const Candidate &candidate) {
  std::vector<unsigned> order;
  llvm::SmallVector<char, 64> isPlaced(instance.items.size());
  auto add = [&](unsigned i) {
    order.push_back(i);
    isPlaced[i] = true;
  };
  llvm::SmallVector<unsigned> stacked = walk.makeOrder(pieces, engine);
  if (stacked.size() != pieces.size())
    return;
  for (unsigned k : stacked)
    add(below[k]);
  add(candidate.top);

  std::vector<unsigned> others;
  for (unsigned i = 0; i < isPlaced.size(); ++i)
    if (!isPlaced[i])
      others.push_back(i);
  unsigned kind = engine() % 3;
  auto getKey = [&](unsigned i) {
    const ExactInstance::Item &item = instance.items[i];
    return kind == 0   ? double(item.bytes)
           : kind == 1 ? double(item.bytes) * item.duration
                       : item.duration;
  };
  llvm::stable_sort(
      others, [&](unsigned a, unsigned b) { return getKey(a) > getKey(b); });
  if (others.size() > 1 && engine() % 2) {
    size_t k = engine() % others.size();
    std::swap(others[k], others[engine() % others.size()]);
  }
  order.insert(order.end(), others.begin(), others.end());
  budget.spendSteps(order.size());
  if (std::optional<Solution> solution = placer.place(order, best.height - 1))
    best = std::move(*solution);
}

void StackSolver::tryOrders(llvm::ArrayRef<unsigned> section) {
  unsigned numWalks = 0;
  for (const Candidate &candidate : getCandidates(section)) {
    if (isFinished() || candidate.height >= best.height)
      return;
    if (candidate.height < lowerBound ||
        find(section, candidate) != RemainderWalk::Result::Found)
      continue;
    for (unsigned k = 0;
         k < kMaxOrders && best.height > candidate.height && !isFinished(); ++k)
      tryOrder(candidate);
    if (++numWalks == kMaxWalks)
      return;
  }
}

void StackSolver::run() {
  std::vector<std::pair<int64_t, unsigned>> tightest;
  for (unsigned s = 0; s < instance.members.size(); ++s) {
    int64_t total = 0;
    for (unsigned i : instance.members[s])
      total -= instance.items[i].size;
    tightest.push_back({total, s});
  }
  llvm::sort(tightest);
  if (tightest.size() > kMaxSections)
    tightest.resize(kMaxSections);

  std::vector<std::pair<int64_t, unsigned>> heights;
  for (auto [total, s] : tightest) {
    if (isFinished())
      return;
    int64_t height = getHeight(instance.members[s]);
    lowerBound = std::max(lowerBound, instance.getNextHeight(height));
    heights.push_back({-height, s});
  }
  llvm::stable_sort(
      heights, [](const auto &a, const auto &b) { return a.first < b.first; });
  // Only the highest are tight.
  for (auto [height, s] : heights)
    if (height == heights.front().first)
      tryOrders(instance.members[s]);
}

void packing::solveByStacks(const Problem &problem,
                            const ExactInstance &instance, int64_t enough,
                            SearchBudget &budget, int64_t &lowerBound,
                            Solution &best) {
  int64_t period = 1;
  for (const ExactInstance::Item &item : instance.items) {
    period = std::lcm(period, item.alignment);
    if (period > RemainderWalk::kMaxPeriod)
      return;
  }
  if (period > 1)
    StackSolver(problem, instance, enough, period, budget, lowerBound, best)
        .run();
}
