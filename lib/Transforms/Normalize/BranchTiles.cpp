//===- BranchTiles.cpp - one tensor for the branches that fill it ---------===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LoopSlots.h"
#include "Normalization.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

using namespace mlir;
using namespace mlir::memspace;

/// True when `op` is executed again in one execution of what is around: the
/// branches may take turns, and threads that read what one of them has filled
/// need not be waited for by the other one, if they fill different memory.
static bool isInLoop(Operation *op) {
  for (Operation *parent = op->getParentOp();
       parent && !isa<FunctionOpInterface>(parent);
       parent = parent->getParentOp())
    if (!isa<scf::ForallOp, scf::IfOp, scf::IndexSwitchOp>(parent))
      return true;
  return !op->getParentRegion()->hasOneBlock();
}

/// The tensors that branches share, by the results that these make of them.
using SharedTiles = DenseMap<Value, Operation *>;

/// The tensor without contents of which `value` is the last of several updates
/// by ops of `block`, each of which is the only one that uses the one before.
/// Null for none.
static Operation *getFreshOrigin(Value value, Block *block,
                                 const SharedTiles &shared) {
  Type type = value.getType();
  while (Operation *op = value.getDefiningOp()) {
    if (op->getBlock() != block || !value.hasOneUse())
      return nullptr;
    if (Operation *tile = isFreshTensor(op) ? op : shared.lookup(value))
      return value.getType() == type && tile->getBlock() == block ? tile
                                                                  : nullptr;
    auto dps = dyn_cast<DestinationStyleOpInterface>(op);
    if (!dps)
      return nullptr;
    value = dps.getTiedOpOperand(cast<OpResult>(value))->get();
  }
  return nullptr;
}

/// The fresh tensors that the branches of `choice` fill and yield as `result`,
/// all of the same extents; empty where one yields something else.
static SmallVector<Operation *> getTiles(Operation *choice, OpResult result,
                                         const SharedTiles &shared) {
  SmallVector<Operation *> tiles;
  for (Region &branch : choice->getRegions()) {
    Block &block = branch.front();
    Value yielded = block.getTerminator()->getOperand(result.getResultNumber());
    Operation *tile = getFreshOrigin(yielded, &block, shared);
    if (!tile || yielded.getDefiningOp() == tile)
      return {};
    bool isLikeFirst =
        tiles.empty() ||
        (tile->getName() == tiles.front()->getName() &&
         tile->getAttrs() == tiles.front()->getAttrs() &&
         llvm::equal(tile->getOperands(), tiles.front()->getOperands()));
    bool isKnownBefore = llvm::all_of(tile->getOperands(), [&](Value operand) {
      return !choice->isAncestor(operand.getParentBlock()->getParentOp());
    });
    if (!isLikeFirst || !isKnownBefore)
      return {};
    tiles.push_back(tile);
  }
  return tiles;
}

bool mlir::memspace::shareTilesOfBranches(RewriterBase &rewriter,
                                          FunctionOpInterface kernel) {
  // Outer choices last: what an inner one fills is in front of it by then.
  SmallVector<Operation *> choices;
  kernel->walk([&](Operation *op) {
    if (isa<scf::IfOp, scf::IndexSwitchOp>(op) && op->getNumResults() != 0 &&
        !isInLoop(op))
      choices.push_back(op);
  });
  SharedTiles shared;
  for (Operation *choice : choices)
    for (OpResult result : choice->getResults()) {
      if (!isa<RankedTensorType>(result.getType()))
        continue;
      SmallVector<Operation *> tiles = getTiles(choice, result, shared);
      if (tiles.empty())
        continue;
      rewriter.moveOpBefore(tiles.front(), choice);
      for (Operation *tile : ArrayRef(tiles).drop_front())
        rewriter.replaceOp(tile, tiles.front());
      shared[result] = tiles.front();
    }
  return !shared.empty();
}
