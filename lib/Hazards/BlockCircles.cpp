//===- BlockCircles.cpp - loops made of branches --------------------------===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BlockCircles.h"
#include "mlir/IR/RegionGraphTraits.h"
#include "llvm/ADT/SCCIterator.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace mlir;
using namespace mlir::memspace;

using BlockSet = llvm::SmallPtrSet<Block *, 8>;

/// The only block of `loop` that branches from outside lead to; null if there
/// are several.
static Block *getEntered(ArrayRef<Block *> loop, const BlockSet &inLoop) {
  Block *entered = nullptr;
  for (Block *block : loop)
    for (Block *from : block->getPredecessors()) {
      if (inLoop.contains(from))
        continue;
      if (entered && entered != block)
        return nullptr;
      entered = block;
    }
  return entered;
}

/// True when some way around leads past `head`.
static bool hasCircleBeside(ArrayRef<Block *> loop, const BlockSet &inLoop,
                            Block *head) {
  // Blocks that all ways to have been walked.
  DenseMap<Block *, unsigned> waysTo;
  SmallVector<Block *> work;
  for (Block *block : loop) {
    if (block == head)
      continue;
    unsigned ways = llvm::count_if(block->getPredecessors(), [&](Block *from) {
      return from != head && inLoop.contains(from);
    });
    waysTo[block] = ways;
    if (ways == 0)
      work.push_back(block);
  }
  size_t numWalked = 0;
  for (; !work.empty(); ++numWalked)
    for (Block *to : work.pop_back_val()->getSuccessors())
      if (to != head && inLoop.contains(to) && --waysTo[to] == 0)
        work.push_back(to);
  return numWalked != waysTo.size();
}

const BlockCircles::Heads &BlockCircles::getHeads(Region &region) {
  auto [it, isNew] = heads.try_emplace(&region);
  if (!isNew || region.hasOneBlock())
    return it->second;
  for (auto scc = llvm::scc_begin(&region); !scc.isAtEnd(); ++scc) {
    if (!scc.hasCycle())
      continue;
    BlockSet inLoop(scc->begin(), scc->end());
    Block *head = getEntered(*scc, inLoop);
    if (head && !hasCircleBeside(*scc, inLoop, head))
      for (Block *block : *scc)
        it->second[block] = head;
  }
  return it->second;
}

Block *BlockCircles::getHead(Block *block) {
  return getHeads(*block->getParent()).lookup(block);
}

Block *BlockCircles::getHead(Operation *a, Operation *b, Operation *around) {
  auto getBlockIn = [&](Operation *op) -> Block * {
    while (op && op->getParentOp() != around)
      op = op->getParentOp();
    return op ? op->getBlock() : nullptr;
  };
  Block *left = getBlockIn(a), *right = getBlockIn(b);
  if (!left || !right)
    return nullptr;
  Block *head = getHead(left);
  return head && head == getHead(right) ? head : nullptr;
}
