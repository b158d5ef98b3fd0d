//===- KernelHazards.cpp - all hazards of a kernel -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MemSpace/Hazards/HazardAnalysis.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

using namespace mlir;
using namespace mlir::memspace;

/// True when a block of `region` may come before itself.
static bool hasCycle(Region &region) {
  if (region.hasOneBlock())
    return false;
  for (Block &start : region) {
    SmallVector<Block *> work{&start};
    SmallPtrSet<Block *, 16> seen;
    while (!work.empty())
      for (Block *next : work.pop_back_val()->getSuccessors()) {
        if (next == &start)
          return true;
        if (seen.insert(next).second)
          work.push_back(next);
      }
  }
  return false;
}

namespace {
/// The loops around ops, among them ops around cycles of blocks.
class LoopFinder {
public:
  /// The outermost loop around both; null when there is none.
  Operation *getOutermost(Operation *a, Operation *b) {
    Operation *result = nullptr;
    for (Operation *op = a; op->getParentOp(); op = op->getParentOp()) {
      Operation *parent = op->getParentOp();
      if (parent->isProperAncestor(b) && isLoop(parent, op->getParentRegion()))
        result = parent;
      if (isa<FunctionOpInterface>(parent))
        break;
    }
    return result;
  }

private:
  bool isLoop(Operation *parent, Region *region) {
    if (isa<LoopLikeOpInterface>(parent))
      return true;
    auto [it, isNew] = cyclic.try_emplace(region, false);
    if (isNew)
      it->second = hasCycle(*region);
    return it->second;
  }

  DenseMap<Region *, bool> cyclic;
};
} // namespace

std::vector<KernelHazard> HazardAnalysis::getHazards() const {
  std::vector<KernelHazard> result;
  LoopFinder loops;
  auto add = [&](unsigned first, unsigned second, Operation *carryingLoop) {
    if (Hazard hazard = getHazard(first, second, carryingLoop))
      result.push_back({first, second, hazard, carryingLoop});
  };
  for (unsigned i = 0; i < accesses.size(); ++i)
    for (unsigned j = i; j < accesses.size(); ++j) {
      // Nothing is to be said of most pairs, whatever the loops around them.
      if (!mayConflict(i, j))
        continue;
      if (accesses[i].op != accesses[j].op)
        add(i, j, nullptr);
      Operation *loop = loops.getOutermost(accesses[i].op, accesses[j].op);
      if (!loop)
        continue;
      add(i, j, loop);
      if (i != j)
        add(j, i, loop);
    }
  return result;
}
