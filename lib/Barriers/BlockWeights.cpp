//===- BlockWeights.cpp - how often blocks are executed, by a guess -------===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BlockWeights.h"
#include "GuardShares.h"
#include "MemSpace/Barriers/PlacementMode.h"
#include "Threads/BranchLoop.h"
#include "mlir/Analysis/CFGLoopInfo.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::memspace;

/// Weights stay below this, so that sums of many do not overflow.
static constexpr int64_t kMaxWeight = int64_t(1) << 40;

int64_t mlir::memspace::multiplyWeight(int64_t weight, int64_t trips) {
  int64_t product;
  if (llvm::MulOverflow(weight, std::max<int64_t>(trips, 1), product))
    return kMaxWeight;
  return std::min(product, kMaxWeight);
}

/// The loop of which a branch counts the iterations, preferably with constant
/// bounds; none where none does.
static std::optional<BranchLoop> getCounted(CFGLoop *loop,
                                            DominanceInfo &dominance) {
  std::optional<BranchLoop> found;
  SmallVector<Block *> exiting;
  loop->getExitingBlocks(exiting);
  for (Block *block : exiting) {
    std::optional<BranchLoop> counted =
        BranchLoop::get(block->getTerminator(), dominance);
    if (!counted || counted->counter.getOwner() != loop->getHeader())
      continue;
    found = counted;
    if (getConstantIntValue(counted->lower) &&
        getConstantIntValue(counted->upper))
      break;
  }
  return found;
}

/// The outermost loop around `from` that is not around `to`; null: none.
static CFGLoop *getLeft(const CFGLoopInfo &loops, Block *from, Block *to) {
  CFGLoop *left = nullptr;
  for (CFGLoop *loop = loops.getLoopFor(from); loop && !loop->contains(to);
       loop = loop->getParentLoop())
    left = loop;
  return left;
}

DenseMap<Block *, int64_t>
mlir::memspace::getBlockWeights(Region &region, int64_t weight,
                                DominanceInfo &dominance) {
  CFGLoopInfo loops(dominance.getDomTree(&region));
  llvm::ReversePostOrderTraversal<Region *> order(&region);
  DenseMap<Block *, unsigned> position;
  DenseMap<CFGLoop *, int64_t> numExits, entering;
  for (auto [number, block] : llvm::enumerate(order)) {
    position[block] = number;
    for (Block *to : block->getSuccessors())
      if (CFGLoop *left = getLeft(loops, block, to))
        ++numExits[left];
  }
  DenseMap<CFGLoop *, std::optional<BranchLoop>> counted;
  auto getShare = [&](Block *block) -> std::optional<GuardShare> {
    auto branch = dyn_cast<cf::CondBranchOp>(block->getTerminator());
    SmallVector<const BranchLoop *> around;
    for (CFGLoop *loop = branch ? loops.getLoopFor(block) : nullptr; loop;
         loop = loop->getParentLoop())
      if (auto it = counted.find(loop); it != counted.end() && it->second)
        around.push_back(&*it->second);
    return around.empty() ? std::nullopt
                          : getGuardShare(branch.getCondition(), around);
  };
  DenseMap<Block *, int64_t> arriving, weights;
  arriving[&region.front()] = weight;
  for (Block *block : order) {
    int64_t times = std::max<int64_t>(arriving[block], 1);
    CFGLoop *loop = loops.getLoopFor(block);
    if (loop && loop->getHeader() == block) {
      entering[loop] = times;
      const std::optional<BranchLoop> &of = counted[loop] =
          getCounted(loop, dominance);
      int64_t repeats = of ? getRepeats(*of) : PlacementCosts::kUnknownTrips;
      times = multiplyWeight(times, std::min(repeats, kMaxWeight) + 1);
    } else if (llvm::any_of(block->getPredecessors(), [&](Block *from) {
                 return position.contains(from) &&
                        position[block] <= position[from];
               })) {
      // Of a loop that is entered in several places.
      times = multiplyWeight(times, PlacementCosts::kUnknownTrips);
    }
    weights[block] = times;
    int64_t rest = times, numInside = 0;
    for (Block *to : block->getSuccessors()) {
      CFGLoop *left = getLeft(loops, block, to);
      numInside += !left;
      if (!left)
        continue;
      int64_t share = entering[left] / numExits[left];
      arriving[to] += share;
      rest -= share;
    }
    rest = std::max<int64_t>(rest, 0);
    std::optional<GuardShare> share =
        numInside == 2 ? getShare(block) : std::nullopt;
    for (auto [way, to] : llvm::enumerate(block->getSuccessors()))
      if (!getLeft(loops, block, to) && position[to] > position[block])
        arriving[to] += share ? share->take(rest, way == 0) : rest / numInside;
  }
  return weights;
}
