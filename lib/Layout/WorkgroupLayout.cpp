//===- WorkgroupLayout.cpp - bytes against barriers -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MemSpace/Layout/WorkgroupLayout.h"
#include "LayoutBarriers.h"
#include "MemSpace/IR/MemSpaceDialect.h"
#include "SharingCosts.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"
#include <set>

using namespace mlir;
using namespace mlir::memspace;
using Bound = WorkgroupLayout::Bound;

std::optional<PackingObjective>
mlir::memspace::symbolizePackingObjective(StringRef name) {
  return llvm::StringSwitch<std::optional<PackingObjective>>(name)
      .Case("balanced", PackingObjective::Balanced)
      .Case("bytes", PackingObjective::Bytes)
      .Case("barriers", PackingObjective::Barriers)
      .Default(std::nullopt);
}

//===----------------------------------------------------------------------===//
// What bytes are worth
//===----------------------------------------------------------------------===//

/// Sets the most bytes with which the kernel fits as well as with the fewest.
static void setCapacity(WorkgroupLayout &layout, const KernelContext &context) {
  const TargetInfo &target = context.getTarget();
  // Dynamic memory comes behind the arena.
  int64_t dynamicBytes = 0;
  if (auto attr =
          context.getKernel()->getAttrOfType<IntegerAttr>(kDynamicBytesAttr))
    dynamicBytes = std::max<int64_t>(attr.getInt(), 0);
  auto withoutDynamic = [&](int64_t bytes) -> int64_t {
    if (dynamicBytes == 0)
      return bytes;
    return llvm::alignDown(std::max<int64_t>(bytes - dynamicBytes, 0),
                           kDynamicAlignment);
  };
  auto bind = [&](Bound bound, int64_t bytes) {
    bytes = std::max(withoutDynamic(bytes), layout.fewestBytes);
    if (layout.capacity && *layout.capacity <= bytes)
      return;
    layout.bound = bound;
    layout.capacity = bytes;
  };
  if (layout.fewestBytes > withoutDynamic(target.maxWorkgroupBytes)) {
    layout.bound = Bound::TooMuch;
    layout.capacity = layout.fewestBytes;
    return;
  }
  bool fitsStatically =
      layout.fewestBytes <= withoutDynamic(target.workgroupBytes);
  if (fitsStatically && target.workgroupBytes < target.maxWorkgroupBytes)
    bind(Bound::StaticLimit, target.workgroupBytes);
  else
    bind(Bound::Limit, target.maxWorkgroupBytes);

  int64_t bytes = layout.fewestBytes;
  if (dynamicBytes)
    bytes = llvm::alignTo(bytes, kDynamicAlignment) + dynamicBytes;
  layout.workgroups = target.getOccupancy(bytes, context.getThreads());
  if (layout.workgroups > 0)
    bind(Bound::Occupancy, target.getMaxBytesForOccupancy(layout.workgroups));
}

//===----------------------------------------------------------------------===//
// Choosing
//===----------------------------------------------------------------------===//

/// Layouts that keepBlamedApart() tries, and points that they have together.
static constexpr unsigned kMaxTries = 16;
static constexpr size_t kMaxPoints = 4'000;

namespace {
/// Searches layouts within the capacity and keeps the best.
class Chooser {
public:
  using Pair = std::pair<unsigned, unsigned>;

  Chooser(const WorkgroupPacking &packing, const LayoutBarriers &barriers,
          WorkgroupLayout &layout)
      : packing(packing), problem(packing.getProblem()), barriers(barriers),
        layout(layout) {}

  /// The barriers that `solution` needs; the bound if that says enough.
  LayoutBarriers::Count count(const packing::Solution &solution) const {
    BufferPairs pairs = getSharingPairs(problem, solution);
    if (std::optional<BarrierCost> most = barriers.getMostIfLeast(pairs))
      return {*most, {}};
    return barriers.count(solution, pairs);
  }
  void keepBlamedApart(const LayoutBarriers::Count &fewest);
  void solveWithCosts(const BufferPairs &wanted);
  void solveExtended();
  /// Takes `solution` if it is better.
  void offer(const packing::Solution &solution, const BarrierCost &cost);

private:
  packing::Problem keepApart(const std::set<Pair> &pairs) const;
  std::optional<packing::Solution>
  solve(const packing::Problem &part,
        packing::ExactOptions::Objective objective) const {
    packing::ExactOptions options;
    options.capacity = layout.capacity;
    options.objective = objective;
    return packing::solveExact(part, options).solution;
  }

  const WorkgroupPacking &packing;
  const packing::Problem &problem;
  const LayoutBarriers &barriers;
  WorkgroupLayout &layout;
};
} // namespace

void Chooser::offer(const packing::Solution &solution,
                    const BarrierCost &cost) {
  if ((layout.capacity && solution.height > *layout.capacity) ||
      *layout.cost < cost ||
      (*layout.cost == cost && layout.solution.height <= solution.height))
    return;
  layout.solution = solution;
  layout.cost = cost;
}

/// From the fewest bytes on, keeps pairs apart whose sharing needs a barrier:
/// one more of those that the best layout so far blames, each in turn.
void Chooser::keepBlamedApart(const LayoutBarriers::Count &fewest) {
  struct State {
    LayoutBarriers::Count count;
    packing::Solution solution;
    std::set<Pair> apart;
  };
  auto isBetter = [](const State &a, const State &b) {
    return a.count.cost == b.count.cost ? a.solution.height < b.solution.height
                                        : a.count.cost < b.count.cost;
  };
  std::vector<State> open = {{fewest, *packing.getPacked().solution, {}}};
  std::set<std::set<Pair>> tried;
  std::set<std::vector<int64_t>> counted;
  size_t tries =
      std::min<size_t>(kMaxTries, kMaxPoints / (barriers.getNumPoints() + 1));
  while (!open.empty()) {
    auto best = std::min_element(open.begin(), open.end(), isBetter);
    State state = std::move(*best);
    open.erase(best);
    // One barrier may be needed for several pairs, and say so of one.
    SmallVector<Pair> pairs(state.count.blamed);
    llvm::append_range(pairs,
                       getSharingPairs(problem, state.solution).getList());
    for (Pair pair : pairs) {
      if (tries == 0)
        return;
      std::set<Pair> apart = state.apart;
      apart.insert(pair);
      if (!tried.insert(apart).second)
        continue;
      --tries;
      std::optional<packing::Solution> solution =
          solve(keepApart(apart), packing::ExactOptions::Objective::Bytes);
      // More pairs apart never take fewer bytes.
      bool isUseless =
          !solution || (*layout.cost == barriers.getLeast() &&
                        solution->height >= layout.solution.height);
      if (isUseless || !counted.insert(solution->offsets).second)
        continue;
      State next = {count(*solution), *solution, std::move(apart)};
      offer(*solution, next.count.cost);
      open.push_back(std::move(next));
    }
  }
}

/// The problem with pairs of buffers that are live together once more.
packing::Problem Chooser::keepApart(const std::set<Pair> &pairs) const {
  packing::Problem result = problem;
  int64_t time = packing.getLiveness().getNumPoints() + 1;
  for (Pair pair : pairs) {
    for (unsigned buffer : {pair.first, pair.second})
      result.buffers[buffer].live.push_back({time, time + 1});
    ++time;
  }
  return result;
}

void Chooser::solveWithCosts(const BufferPairs &wanted) {
  packing::Problem priced =
      addSharingCosts(problem, barriers, packing.getLiveness(), wanted);
  if (std::optional<packing::Solution> solution =
          solve(priced, packing::ExactOptions::Objective::Cost))
    offer(*solution, count(*solution).cost);
}

void Chooser::solveExtended() {
  if (std::optional<packing::Solution> solution =
          solve(extendToBarriers(problem, barriers, packing.getLiveness()),
                packing::ExactOptions::Objective::Bytes))
    offer(*solution, count(*solution).cost);
}

WorkgroupLayout mlir::memspace::chooseLayout(const KernelContext &context,
                                             const WorkgroupPacking &packing,
                                             PackingObjective objective) {
  const packing::Problem &problem = packing.getProblem();
  WorkgroupLayout layout;
  layout.solution = *packing.getPacked().solution;
  layout.fewestBytes = layout.solution.height;
  BufferPairs shared = getSharingPairs(problem, layout.solution);
  bool isBytes =
      objective == PackingObjective::Bytes ||
      (objective == PackingObjective::Balanced && !context.hasTarget());
  if (isBytes || shared.empty())
    return layout;

  if (objective == PackingObjective::Balanced)
    setCapacity(layout, context);
  LayoutBarriers barriers(context, packing.getBuffers());
  Chooser chooser(packing, barriers, layout);
  LayoutBarriers::Count fewest = chooser.count(layout.solution);
  layout.leastCost = barriers.getLeast();
  layout.cost = layout.fewestBytesCost = fewest.cost;
  if (!(barriers.getLeast() < fewest.cost))
    return layout;
  chooser.offer(packing.getBumpLayout(), barriers.getLeast());
  if (hasManyPairs(problem)) {
    chooser.solveExtended();
  } else {
    chooser.keepBlamedApart(fewest);
    chooser.solveWithCosts(shared);
  }
  return layout;
}

//===----------------------------------------------------------------------===//
// Explaining
//===----------------------------------------------------------------------===//

/// "1 barrier more", in executions.
static std::string describeExcess(const BarrierCost &cost,
                                  const BarrierCost &than) {
  placement::Cost more = cost.executions;
  more -= than.executions;
  if (cost.unsynchronizable > than.unsynchronizable)
    return "a hazard that no barrier cuts";
  bool isWorkgroup = more.workgroup != 0;
  int64_t units = isWorkgroup ? more.workgroup : more.subgroup;
  if (units == 0)
    return llvm::formatv("{0} more place{1} with a barrier", more.placed,
                         more.placed == 1 ? "" : "s");
  double executions = double(units) / double(BarrierPlacement::kCostUnit);
  return llvm::formatv(
      "{0} more executed {1}barrier{2}", llvm::format("%g", executions),
      isWorkgroup ? "" : "subgroup ", executions == 1 ? "" : "s");
}

std::string WorkgroupLayout::explain() const {
  std::string text = llvm::formatv("{0} bytes", solution.height);
  if (solution.height > fewestBytes) {
    text += llvm::formatv("; {0} bytes would cost {1}", fewestBytes,
                          describeExcess(*fewestBytesCost, *cost));
    if (bound != Bound::None)
      text += ", and no limit or occupancy step asks for so few";
  } else {
    text += ", the fewest";
  }
  if (!cost || !(*leastCost < *cost))
    return text;
  text +=
      llvm::formatv(", at the price of {0}", describeExcess(*cost, *leastCost));
  switch (bound) {
  case Bound::None:
    break;
  case Bound::StaticLimit:
    text += llvm::formatv(", since more than {0} would need dynamic memory",
                          *capacity);
    break;
  case Bound::Limit:
    text += llvm::formatv(", since no more than {0} may be used", *capacity);
    break;
  case Bound::TooMuch:
    text += ", which is still more than may be used";
    break;
  case Bound::Occupancy:
    text += llvm::formatv(
        ", since more than {0} would leave a compute unit with fewer than {1} "
        "workgroups",
        *capacity, workgroups);
    break;
  }
  return text;
}
