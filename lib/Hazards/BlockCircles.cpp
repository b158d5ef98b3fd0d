//===- BlockCircles.cpp - loops made of branches --------------------------===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BlockCircles.h"
#include "mlir/IR/RegionGraphTraits.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/ADT/SCCIterator.h"

using namespace mlir;
using namespace mlir::memspace;

/// True if an edge between `blocks` leads back, in `position`, to a block that
/// does not dominate where it comes from.
static bool areTangled(ArrayRef<Block *> blocks,
                       const DenseMap<Block *, unsigned> &position,
                       const CFGLoopInfo &info) {
  return llvm::any_of(blocks, [&](Block *from) {
    return llvm::any_of(from->getSuccessors(), [&](Block *to) {
      if (position.lookup(to) > position.lookup(from))
        return false;
      CFGLoop *loop = info.getLoopFor(to);
      return !loop || loop->getHeader() != to || !loop->contains(from);
    });
  });
}

const BlockCircles::Loops &BlockCircles::getLoops(Region &region) {
  auto [it, isNew] = loops.try_emplace(&region);
  Loops &found = it->second;
  if (!isNew || region.hasOneBlock())
    return found;
  found.info = std::make_unique<CFGLoopInfo>(dominance.getDomTree(&region));
  DenseMap<Block *, unsigned> position;
  llvm::ReversePostOrderTraversal<Region *> order(&region);
  for (auto [number, block] : llvm::enumerate(order))
    position[block] = number;
  for (auto scc = llvm::scc_begin(&region); !scc.isAtEnd(); ++scc)
    if (scc.hasCycle() && areTangled(*scc, position, *found.info))
      for (Block *block : *scc) {
        found.inTangle.insert(block);
        if (CFGLoop *loop = found.info->getLoopFor(block))
          found.tangled.insert(loop->getOutermostLoop());
      }
  return found;
}

const CFGLoop *BlockCircles::get(Block *block) {
  const Loops &found = getLoops(*block->getParent());
  const CFGLoop *circle = found.info ? found.info->getLoopFor(block) : nullptr;
  return circle && !found.tangled.contains(circle->getOutermostLoop())
             ? circle
             : nullptr;
}

const CFGLoop *BlockCircles::getAroundOnly(Region &region, Operation *op,
                                           Operation *other) {
  Block *block = region.findAncestorBlockInRegion(*op->getBlock());
  Block *away = region.findAncestorBlockInRegion(*other->getBlock());
  const CFGLoop *circle = block && away ? get(block) : nullptr;
  return circle && !circle->contains(away) ? circle : nullptr;
}

bool BlockCircles::mayRepeatOnly(Operation *op, Operation *other) {
  for (Block *block = op->getBlock(); block;
       block = block->getParentOp()->getBlock()) {
    Region *region = block->getParent();
    Block *away = region->findAncestorBlockInRegion(*other->getBlock());
    if (block == away)
      return false;
    if (!region->hasOneBlock()) {
      const Loops &found = getLoops(*region);
      const CFGLoop *loop = found.info->getLoopFor(block);
      if (found.inTangle.contains(block) ||
          (loop && !(away && loop->contains(away))))
        return true;
    }
    if (away)
      return false;
  }
  return false;
}

bool BlockCircles::isOn(const CFGLoop *circle, Operation *op,
                        Operation *around) {
  while (op && op->getParentOp() != around)
    op = op->getParentOp();
  return op && circle->contains(op->getBlock());
}
