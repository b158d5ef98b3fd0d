//===- SharingCosts.cpp - which sharing costs barriers -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SharingCosts.h"

using namespace mlir;
using namespace mlir::memspace;

/// The solver tries sets of costs.
static constexpr unsigned kMaxCosts = 4;

/// Points of the program that all placements together may visit.
static constexpr size_t kMaxWork = 20'000;

/// Each pair that is kept apart is one more point in time for the solver.
static constexpr size_t kMaxPairs = 400;

using Pair = std::pair<unsigned, unsigned>;

namespace {
class Grouping {
public:
  Grouping(size_t numBuffers, const LayoutBarriers &barriers)
      : barriers(barriers), free(numBuffers),
        placementsLeft(kMaxWork /
                       std::max<size_t>(barriers.getNumPoints(), 1)) {}

  /// The costs of `pairs`; the first `numHopeful` are probably free together.
  std::vector<packing::OverlayCost> run(ArrayRef<Pair> pairs,
                                        size_t numHopeful);

private:
  struct Group {
    BufferPairs pairs;
    BarrierCost cost;
    SmallVector<Pair, 2> list;
  };

  BufferPairs with(const BufferPairs &pairs, ArrayRef<Pair> more) const;
  void growFree(ArrayRef<Pair> pairs);
  void addToGroup(Pair pair);
  int64_t getCost(const BarrierCost &cost) const;

  const LayoutBarriers &barriers;
  /// Pairs that cost nothing together.
  BufferPairs free;
  std::vector<Pair> costly;
  std::vector<Group> groups;
  int64_t placementsLeft;
};
} // namespace

/// The pairs that may share bytes; at most `limit` of them.
static std::vector<Pair> getPairs(const packing::Problem &problem,
                                  size_t limit) {
  std::vector<Pair> pairs;
  auto isEmpty = [](const packing::Buffer &buffer) {
    return buffer.bytes == 0 || buffer.live.empty();
  };
  for (auto [j, second] : llvm::enumerate(problem.buffers))
    for (unsigned i = 0; i < j && pairs.size() < limit; ++i) {
      const packing::Buffer &first = problem.buffers[i];
      if (!isEmpty(first) && !isEmpty(second) &&
          !packing::overlap(first.live, second.live))
        pairs.push_back({i, unsigned(j)});
    }
  return pairs;
}

BufferPairs Grouping::with(const BufferPairs &pairs,
                           ArrayRef<Pair> more) const {
  BufferPairs result = pairs;
  for (auto [a, b] : more)
    result.insert(a, b);
  return result;
}

/// Adds to `free`, one after the other, those of `pairs` that cost nothing with
/// what is in it.
void Grouping::growFree(ArrayRef<Pair> pairs) {
  if (pairs.empty())
    return;
  if (placementsLeft > 0) {
    --placementsLeft;
    BufferPairs more = with(free, pairs);
    // What is free as a whole is free one by one.
    if (barriers.getMostIfLeast(more)) {
      free = std::move(more);
      return;
    }
    if (pairs.size() > 1) {
      growFree(pairs.take_front(pairs.size() / 2));
      growFree(pairs.drop_front(pairs.size() / 2));
      return;
    }
  }
  llvm::append_range(costly, pairs);
}

void Grouping::addToGroup(Pair pair) {
  for (Group &group : groups) {
    bool isLast = &group == &groups.back();
    if (isLast && (placementsLeft <= 0 || groups.size() == kMaxCosts)) {
      group.pairs = with(group.pairs, pair);
      group.list.push_back(pair);
      return;
    }
    if (placementsLeft-- <= 0)
      continue;
    BufferPairs more = with(group.pairs, pair);
    if (barriers.getMost(more) == group.cost) {
      group.pairs = std::move(more);
      group.list.push_back(pair);
      return;
    }
  }
  --placementsLeft;
  BufferPairs pairs = with(free, pair);
  BarrierCost cost = barriers.getMost(pairs);
  groups.push_back({std::move(pairs), cost, {pair}});
}

/// In executions of workgroup barriers; the others decide among equals, as far
/// as that is possible with one number.
int64_t Grouping::getCost(const BarrierCost &barrierCost) const {
  constexpr int64_t kFactor = 1024, kLimit = int64_t(1) << 40;
  if (barrierCost.unsynchronizable > barriers.getLeast().unsynchronizable)
    return kLimit * kFactor;
  placement::Cost cost = barrierCost.executions;
  cost -= barriers.getLeast().executions;
  int64_t fraction = std::clamp<int64_t>(
      cost.subgroup / BarrierPlacement::kCostUnit + 1, 1, kFactor - 1);
  return std::clamp<int64_t>(cost.workgroup, 0, kLimit) * kFactor + fraction;
}

std::vector<packing::OverlayCost> Grouping::run(ArrayRef<Pair> pairs,
                                                size_t numHopeful) {
  growFree(pairs.take_front(numHopeful));
  growFree(pairs.drop_front(numHopeful));
  for (Pair pair : costly)
    addToGroup(pair);
  std::vector<packing::OverlayCost> costs;
  for (Group &group : groups) {
    // Only of the last one the cost may have changed.
    BarrierCost cost = &group == &groups.back() && group.list.size() > 1
                           ? barriers.getMost(group.pairs)
                           : group.cost;
    costs.push_back({getCost(cost), group.list});
  }
  return costs;
}

//===----------------------------------------------------------------------===//
// Live to the next barrier
//===----------------------------------------------------------------------===//

packing::Problem
mlir::memspace::extendToBarriers(const packing::Problem &problem,
                                 const LayoutBarriers &barriers,
                                 const WorkgroupLiveness &liveness) {
  DenseSet<Operation *> followBarrier;
  for (const NeededBarrier &needed : barriers.getPlacement().getBarriers())
    if (needed.scope == ExecutionScope::Workgroup && !needed.successor)
      followBarrier.insert(needed.op);
  // The points before which all threads have come together.
  std::vector<int64_t> cuts = {0};
  for (int64_t point = 0; point < liveness.getNumPoints(); ++point) {
    Operation *op = liveness.getOp(point);
    std::optional<Barrier> barrier = getBarrier(op);
    if (followBarrier.erase(op) ||
        (barrier && barrier->scope == ExecutionScope::Workgroup &&
         barrier->ordersWorkgroupMemory))
      cuts.push_back(point);
  }
  cuts.push_back(std::max<int64_t>(liveness.getNumPoints(), 1));

  packing::Problem result = problem;
  for (packing::Buffer &buffer : result.buffers) {
    for (packing::Interval &interval : buffer.live) {
      interval.begin = *std::prev(llvm::upper_bound(cuts, interval.begin));
      auto end = llvm::lower_bound(cuts, interval.end);
      interval.end = end == cuts.end() ? interval.end : *end;
    }
    buffer.live = packing::normalize(buffer.live);
  }
  return result;
}

//===----------------------------------------------------------------------===//
// The costs of pairs
//===----------------------------------------------------------------------===//

bool mlir::memspace::hasManyPairs(const packing::Problem &problem) {
  return getPairs(problem, kMaxPairs + 1).size() > kMaxPairs;
}

packing::Problem mlir::memspace::addSharingCosts(
    const packing::Problem &problem, const LayoutBarriers &barriers,
    const WorkgroupLiveness &liveness, const BufferPairs &wanted) {
  packing::Problem extended = extendToBarriers(problem, barriers, liveness);
  std::vector<Pair> pairs =
      getPairs(problem, std::numeric_limits<size_t>::max());
  auto isApart = [&](Pair pair) {
    return !packing::overlap(extended.buffers[pair.first].live,
                             extended.buffers[pair.second].live);
  };
  auto rest = std::stable_partition(pairs.begin(), pairs.end(), isApart);
  auto key = [&](Pair pair) {
    return std::make_pair(!wanted.contains(pair.first, pair.second),
                          -std::min(problem.buffers[pair.first].bytes,
                                    problem.buffers[pair.second].bytes));
  };
  std::stable_sort(rest, pairs.end(),
                   [&](Pair a, Pair b) { return key(a) < key(b); });
  packing::Problem result = problem;
  result.costs = Grouping(problem.buffers.size(), barriers)
                     .run(pairs, rest - pairs.begin());
  return result;
}
