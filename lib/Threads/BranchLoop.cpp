//===- BranchLoop.cpp - counted loops made of branches --------------------===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BranchLoop.h"
#include "Kernel/ChainDepth.h"
#include "Kernel/IntegerOps.h"
#include "MemSpace/Memory/ValueFlow.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "llvm/ADT/STLFunctionalExtras.h"

using namespace mlir;
using namespace mlir::memspace;

Value mlir::memspace::getOrigin(Value value) {
  for (unsigned steps = 0; steps < kMaxChainDepth; ++steps) {
    auto arg = dyn_cast<BlockArgument>(value);
    std::optional<SmallVector<Value>> passed =
        arg ? getPassedValues(arg) : std::nullopt;
    if (!passed || !llvm::all_equal(*passed) || passed->front() == value)
      return value;
    value = passed->front();
  }
  return value;
}

/// `number` - `counter`, if that is a constant and not negative.
static std::optional<int64_t> getDistance(Value number, BlockArgument counter) {
  number = getOrigin(number);
  if (number == counter)
    return 0;
  Operation *add = number.getDefiningOp();
  if (!add || getIntegerOp(add) != IntegerOp::Add)
    return std::nullopt;
  for (unsigned i : {0, 1})
    if (getOrigin(add->getOperand(i)) == counter) {
      std::optional<int64_t> distance =
          getConstantIntValue(add->getOperand(1 - i));
      return distance && *distance >= 0 ? distance : std::nullopt;
    }
  return std::nullopt;
}

/// The argument of a block that `number` is, or is a constant more than.
static BlockArgument getCounter(Value number) {
  number = getOrigin(number);
  SmallVector<Value, 3> candidates = {number};
  if (Operation *add = number.getDefiningOp())
    llvm::append_range(candidates, add->getOperands());
  for (Value candidate : candidates)
    if (auto arg = dyn_cast<BlockArgument>(getOrigin(candidate));
        arg && getDistance(number, arg))
      return arg;
  return {};
}

/// The comparison of a number with its end, and whether it has no sign.
static std::optional<bool> getComparison(Value condition, Value &number,
                                         Value &end) {
  using Predicate = arith::CmpIPredicate;
  auto compare = condition.getDefiningOp<arith::CmpIOp>();
  if (!compare)
    return std::nullopt;
  number = compare.getLhs();
  end = compare.getRhs();
  Predicate predicate = compare.getPredicate();
  if (predicate == Predicate::sgt || predicate == Predicate::ugt)
    std::swap(number, end);
  switch (predicate) {
  case Predicate::slt:
  case Predicate::sgt:
    return false;
  case Predicate::ult:
  case Predicate::ugt:
    return true;
  default:
    return std::nullopt;
  }
}

/// Fills in what is passed to the counter of a loop of blocks: one branch comes
/// from outside.
static bool findPassed(BranchLoop &loop,
                       llvm::function_ref<bool(Block *)> isBack) {
  Block *head = loop.counter.getOwner();
  std::optional<int64_t> step;
  loop.entry = nullptr;
  for (Block *from : head->getPredecessors()) {
    auto branch = dyn_cast<BranchOpInterface>(from->getTerminator());
    if (!branch)
      return false;
    for (auto [index, to] : llvm::enumerate(from->getSuccessors())) {
      if (to != head)
        continue;
      Value passed =
          branch.getSuccessorOperands(index)[loop.counter.getArgNumber()];
      if (!passed)
        return false;
      if (isBack(from)) {
        std::optional<int64_t> by = getDistance(passed, loop.counter);
        if (!by || (step && step != by))
          return false;
        step = by;
      } else if (loop.entry) {
        return false;
      } else {
        loop.entry = branch;
        loop.lower = passed;
      }
    }
  }
  loop.step = step.value_or(0);
  return loop.entry && loop.step > 0;
}

static bool findLoop(BranchLoop &loop, scf::WhileOp whileOp) {
  if (loop.counter.getOwner() != whileOp.getBeforeBody() ||
      whileOp->isAncestor(loop.upper.getParentBlock()->getParentOp()))
    return false;
  unsigned index = loop.counter.getArgNumber();
  loop.entry = whileOp;
  loop.lower = whileOp.getInits()[index];
  loop.step = getDistance(whileOp.getYieldOp().getOperand(index), loop.counter)
                  .value_or(0);
  return loop.step > 0;
}

/// True when control may come from `block` to itself without passing `avoided`.
static bool repeatsWithout(Block *block, Block *avoided) {
  SmallVector<Block *> work{block};
  llvm::SmallPtrSet<Block *, 16> seen{avoided};
  while (!work.empty())
    for (Block *next : work.pop_back_val()->getSuccessors())
      if (seen.insert(next).second) {
        if (next == block)
          return true;
        work.push_back(next);
      }
  return false;
}

static bool findLoop(BranchLoop &loop, cf::CondBranchOp branch,
                     DominanceInfo &dominance) {
  Block *head = loop.counter.getOwner(), *block = branch->getBlock();
  Block *inside = branch.getTrueDest();
  // What the end is computed from in the loop may be another number in each
  // iteration.
  if (inside == branch.getFalseDest() || head->isEntryBlock() ||
      head->getParent() != block->getParent() ||
      !dominance.dominates(head, block) ||
      !dominance.properlyDominates(loop.upper.getParentBlock(), head))
    return false;
  // An iteration decides once: threads that decide more often in one are in
  // iterations of their own.
  if (repeatsWithout(block, head))
    return false;
  // All that come back have gone on here.
  if (inside == head)
    return findPassed(loop, [&](Block *from) { return from == block; });
  return inside->getSinglePredecessor() && findPassed(loop, [&](Block *from) {
           return dominance.dominates(inside, from);
         });
}

std::optional<BranchLoop> BranchLoop::get(Operation *decision,
                                          DominanceInfo &dominance) {
  BranchLoop loop;
  auto branch = dyn_cast<cf::CondBranchOp>(decision);
  auto whileOp = dyn_cast<scf::WhileOp>(decision);
  if (!branch && !whileOp)
    return std::nullopt;
  Value number;
  std::optional<bool> isUnsigned = getComparison(
      branch ? branch.getCondition() : whileOp.getConditionOp().getCondition(),
      number, loop.upper);
  loop.counter = isUnsigned ? getCounter(number) : BlockArgument();
  // Constants of more bits are no numbers here.
  if (!loop.counter || (loop.counter.getType().isInteger() &&
                        loop.counter.getType().getIntOrFloatBitWidth() > 64))
    return std::nullopt;
  if (!(branch ? findLoop(loop, branch, dominance) : findLoop(loop, whileOp)))
    return std::nullopt;
  loop.isUnsigned = *isUnsigned;
  loop.ahead = *getDistance(number, loop.counter);
  return loop;
}
