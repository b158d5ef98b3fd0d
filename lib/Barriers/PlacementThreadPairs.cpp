//===- PlacementThreadPairs.cpp - hazards by trying every thread -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PlacementThreadPairs.h"
#include "Hazards/AccessPairs.h"
#include "Threads/OneThreadEvaluator.h"

using namespace mlir;
using namespace mlir::memspace;

std::optional<std::vector<PlacementThreadPairs::Touch>>
PlacementThreadPairs::enumerate(ArrayRef<IndexRange> ranges) const {
  std::vector<Touch> touches;
  const LaunchShape &shape = context.getShape();
  for (int64_t thread = 0; thread < shape.getThreads(); ++thread) {
    OverlapWitness::Side side;
    side.thread = {thread % shape.block[0],
                   thread / shape.block[0] % shape.block[1],
                   thread / (shape.block[0] * shape.block[1])};
    OneThreadEvaluator evaluator(context, side,
                                 OneThreadEvaluator::Facts::ThreadIds);
    // The product of the dimensions.
    std::vector<Touch> mine(1);
    for (const IndexRange &range : ranges) {
      std::optional<std::set<int64_t>> indices = evaluator.enumerate(range);
      if (!indices || mine.size() * indices->size() > kMaxElements)
        return std::nullopt;
      std::vector<Touch> longer;
      for (const Touch &touch : mine)
        for (int64_t index : *indices) {
          longer.push_back(touch);
          longer.back().first.push_back(index);
        }
      mine = std::move(longer);
    }
    for (Touch &touch : mine) {
      touch.second = thread;
      touches.push_back(std::move(touch));
    }
  }
  llvm::sort(touches);
  return touches;
}

void PlacementThreadPairs::refine(Hazard &hazard, const MemoryAccess &a,
                                  const MemoryAccess &b) {
  auto [left, right, areBytes] = getComparable(a, b);
  if (!hazard || !left.ranges || !right.ranges || a.collective ||
      b.collective || context.getThreads() > kMaxThreads)
    return;
  if (++numPairs > kMaxPairs)
    return;
  auto first = enumerate(*left.ranges);
  auto second = first ? enumerate(*right.ranges) : std::nullopt;
  if (!second)
    return;
  std::optional<int64_t> size = context.getSubgroupSize();
  bool acrossSubgroups = false, insideSubgroup = false;
  for (const Touch &touch : *first)
    for (auto it = llvm::lower_bound(
             *second, Touch{touch.first, std::numeric_limits<int64_t>::min()});
         it != second->end() && it->first == touch.first; ++it) {
      if (it->second == touch.second)
        continue;
      // Without a subgroup size they may be in one subgroup or in two.
      bool isInside = !size || it->second / *size == touch.second / *size;
      acrossSubgroups |= !size || !isInside;
      insideSubgroup |= isInside;
      if (acrossSubgroups && insideSubgroup)
        return;
    }
  hazard.acrossSubgroups &= acrossSubgroups;
  hazard.insideSubgroup &= insideSubgroup;
}
