//===- ThreadEnumeration.cpp - hazards by trying every thread -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ThreadEnumeration.h"
#include "AccessPairs.h"
#include "ThreadEvaluator.h"

using namespace mlir;
using namespace mlir::memspace;

std::optional<std::vector<ThreadEnumeration::Touch>>
ThreadEnumeration::enumerate(ArrayRef<IndexRange> ranges) const {
  std::vector<Touch> touches;
  for (int64_t thread = 0; thread < shape.getThreads(); ++thread) {
    Meeting::Side side;
    side.thread = {thread % shape.block[0],
                   thread / shape.block[0] % shape.block[1],
                   thread / (shape.block[0] * shape.block[1])};
    ThreadEvaluator evaluator(kernel, shape, subgroupSize, side,
                              /*assume=*/false);
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

void ThreadEnumeration::refine(Hazard &hazard, const MemoryAccess &a,
                               const MemoryAccess &b) {
  auto [left, right] = getComparable(a, b);
  if (!hazard || !left.ranges || !right.ranges || a.collective ||
      b.collective || shape.getThreads() > kMaxThreads)
    return;
  if (++numPairs > kMaxPairs)
    return;
  auto first = enumerate(*left.ranges);
  auto second = first ? enumerate(*right.ranges) : std::nullopt;
  if (!second)
    return;
  bool acrossSubgroups = false, insideSubgroup = false;
  for (const Touch &touch : *first)
    for (auto it = llvm::lower_bound(
             *second, Touch{touch.first, std::numeric_limits<int64_t>::min()});
         it != second->end() && it->first == touch.first; ++it) {
      bool isInside = it->second / subgroupSize == touch.second / subgroupSize;
      acrossSubgroups |= !isInside;
      insideSubgroup |= isInside && it->second != touch.second;
      if (acrossSubgroups && insideSubgroup)
        return;
    }
  hazard.acrossSubgroups &= acrossSubgroups;
  hazard.insideSubgroup &= insideSubgroup;
}
