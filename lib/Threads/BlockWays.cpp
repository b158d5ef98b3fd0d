//===- BlockWays.cpp - which way threads come to a block ------------------===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BlockWays.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/IR/RegionGraphTraits.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "llvm/ADT/SCCIterator.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace mlir::memspace;

Block *BlockWays::getJoin(Block *block) {
  Region *region = block->getParent();
  if (region->hasOneBlock())
    return nullptr;
  if (!postDominance)
    postDominance.emplace();
  auto *node = postDominance->getDomTree(region).getNode(block);
  return node && node->getIDom() ? node->getIDom()->getBlock() : nullptr;
}

bool BlockWays::isOnCycle(Block *block) {
  // An entry, where most of what blocks share is computed, is on no cycle.
  if (block->hasNoPredecessors())
    return false;
  Region *region = block->getParent();
  auto [it, isNew] = once.try_emplace(region);
  // What nothing leads to is in no component.
  if (isNew)
    for (auto scc = llvm::scc_begin(region); !scc.isAtEnd(); ++scc)
      if (!scc.hasCycle())
        it->second.insert(scc->front());
  return !it->second.contains(block);
}

using Blocks = llvm::SmallSetVector<Block *, 16>;

/// The blocks on all ways from `begin`, which is one of them, to `block`, which
/// is one if a way leads through it. None if there are more than `limit`.
static std::optional<Blocks> getBetween(Block *begin, Block *block,
                                        size_t limit) {
  Blocks between;
  auto addPredecessors = [&](Block *of) {
    between.insert(of->pred_begin(), of->pred_end());
  };
  between.insert(begin);
  addPredecessors(block);
  // The first is where all ways begin.
  for (size_t i = 1; i < between.size(); ++i) {
    if (between.size() > limit)
      return std::nullopt;
    addPredecessors(between[i]);
  }
  return between;
}

/// True when control may come from the begin of `from`, or of what is behind
/// it, to the begin of `to` without passing `avoided`, all in `between`.
static bool mayReach(Block *from, Block *to, Block *avoided,
                     const Blocks &between) {
  SmallVector<Block *> work;
  llvm::SmallPtrSet<Block *, 16> seen;
  auto add = [&](Block *next) {
    if (next != avoided && between.contains(next) && seen.insert(next).second)
      work.push_back(next);
    return next == to;
  };
  if (add(from))
    return true;
  while (!work.empty())
    if (llvm::any_of(work.pop_back_val()->getSuccessors(), add))
      return true;
  return false;
}

/// All ways to `block` lead through a block that executes once before it: what
/// branches have chosen before that does not matter any more.
BlockWays::Decisions BlockWays::findDecisions(Block *block) {
  constexpr size_t kMaxBlocks = 4096, kMaxDecisions = 64;
  if (!dominance)
    dominance.emplace();
  auto *node = dominance->getDomTree(block->getParent()).getNode(block);
  do
    node = node ? node->getIDom() : nullptr;
  while (node && isOnCycle(node->getBlock()));
  std::optional<Blocks> between =
      node ? getBetween(node->getBlock(), block, kMaxBlocks) : std::nullopt;
  if (!between)
    return std::nullopt;
  SmallVector<Value> found;
  for (Block *from : *between) {
    Operation *end = from->getTerminator();
    if (!isa<BranchOpInterface>(end))
      return std::nullopt;
    if (from->getNumSuccessors() == 1)
      continue;
    // One whose ways come together before any of them leads here does not
    // matter.
    Block *join = getJoin(from);
    if (join && join != block &&
        llvm::none_of(from->getSuccessors(), [&](Block *next) {
          return next != join && mayReach(next, block, join, *between);
        }))
      continue;
    // Nor does a branch that only leads here or away, unless a loop takes it
    // again and again.
    auto leadsHere = [&](Block *next) {
      return next == block || mayReach(next, block, from, *between);
    };
    if (!isOnCycle(from) &&
        llvm::count_if(from->getSuccessors(), leadsHere) <= 1)
      continue;
    if (!isa<cf::CondBranchOp, cf::SwitchOp>(end) ||
        found.size() == kMaxDecisions)
      return std::nullopt;
    found.push_back(end->getOperand(0));
  }
  return found;
}

const BlockWays::Decisions &BlockWays::getDecisions(Block *block) {
  std::unique_ptr<Decisions> &known = decisions[block];
  if (!known)
    known = std::make_unique<Decisions>(findDecisions(block));
  return *known;
}
