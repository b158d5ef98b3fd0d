//===- AccessOverlaps.cpp - who touches what another thread touches -------===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AccessClasses.h"
#include "MemSpace/Hazards/HazardAnalysis.h"

using namespace mlir;
using namespace mlir::memspace;

/// How many ops around `op` are inside of `outer`.
static int64_t getDepthInside(Operation *op, Operation *outer) {
  int64_t depth = 0;
  for (; op != outer; op = op->getParentOp())
    ++depth;
  return depth;
}

SmallVector<bool> HazardAnalysis::mayOverlap(const ElementAccess &a,
                                             const ElementAccess &b,
                                             ArrayRef<ExecutionPair> pairs,
                                             Operation *carryingLoop,
                                             Block *instance,
                                             IterationTiming timing) const {
  auto ask = [&] {
    return relations.mayOverlap(a, b, pairs, carryingLoop, instance, timing);
  };
  if (sharing == AnswerSharing::None || carryingLoop || !instance ||
      timing.isKnownInBlocks ||
      (timing.later && !timing.later->isAncestor(b.op)) ||
      (timing.left && !timing.left->isAncestor(a.op)))
    return ask();
  std::optional<unsigned> first = classes->getExecution(a, instance);
  std::optional<unsigned> second = classes->getExecution(b, instance);
  if (!first || !second)
    return ask();
  std::vector<int64_t> key{
      *first,           *second,
      timing.isKnown,   timing.later ? getDepthInside(b.op, timing.later) : -1,
      timing.iteration, timing.left ? getDepthInside(a.op, timing.left) : -1,
      timing.remaining};
  for (ExecutionPair pair : pairs)
    key.push_back(int64_t(pair));
  auto [it, isNew] = overlaps.try_emplace(std::move(key));
  if (isNew)
    it->second = ask();
  return it->second;
}

/// Pairs of memories that two memrefs may be, to be told apart by their bytes.
static constexpr size_t kMaxBasePairs = 16;

std::optional<SmallVector<bool>> HazardAnalysis::mayOverlapByBases(
    const MemoryAccess &a, const MemoryAccess &b, ArrayRef<ExecutionPair> pairs,
    Operation *carryingLoop, Block *instance, IterationTiming timing) const {
  if (!a.memref || !b.memref || a.bases.size() * b.bases.size() > kMaxBasePairs)
    return std::nullopt;
  SmallVector<bool> meets(pairs.size());
  for (const MemoryBase &x : a.bases)
    for (const MemoryBase &y : b.bases) {
      if (!mayShareBytes(x, y))
        continue;
      std::optional<IndexRange> left, right;
      if (x.root && x.root == y.root) {
        left = getBytesOfBase(a, x, context.getTarget());
        right = getBytesOfBase(b, y, context.getTarget());
      }
      if (!left || !right)
        return std::nullopt;
      SmallVector<bool> some =
          mayOverlap({a.op, SmallVector<IndexRange>{*left}},
                     {b.op, SmallVector<IndexRange>{*right}}, pairs,
                     carryingLoop, instance, timing);
      for (auto [meet, more] : llvm::zip_equal(meets, some))
        meet |= more;
    }
  return meets;
}
