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

/// `next` - `counter`, if that is a positive constant.
static std::optional<int64_t> getStep(Value next, BlockArgument counter) {
  Operation *add = next.getDefiningOp();
  if (!add || getIntegerOp(add) != IntegerOp::Add)
    return std::nullopt;
  for (unsigned i : {0, 1})
    if (getOrigin(add->getOperand(i)) == counter) {
      std::optional<int64_t> step = getConstantIntValue(add->getOperand(1 - i));
      return step && *step > 0 ? step : std::nullopt;
    }
  return std::nullopt;
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
/// from outside, and all that come back have taken `inside`.
static bool findPassed(BranchLoop &loop, Block *inside,
                       DominanceInfo &dominance) {
  Block *head = loop.counter.getOwner();
  std::optional<int64_t> step;
  loop.entry = nullptr;
  for (Block *from : head->getPredecessors()) {
    auto branch = dyn_cast<BranchOpInterface>(from->getTerminator());
    if (!branch)
      return false;
    bool isBack = dominance.dominates(inside, from);
    if (!isBack && loop.entry)
      return false;
    for (auto [index, to] : llvm::enumerate(from->getSuccessors())) {
      if (to != head)
        continue;
      Value passed =
          branch.getSuccessorOperands(index)[loop.counter.getArgNumber()];
      if (!passed)
        return false;
      if (!isBack) {
        if (loop.entry)
          return false;
        loop.entry = branch;
        loop.lower = passed;
        continue;
      }
      std::optional<int64_t> by = getStep(passed, loop.counter);
      if (!by || (step && step != by))
        return false;
      step = by;
    }
  }
  loop.step = step.value_or(0);
  return loop.entry && step;
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
  if (!isUnsigned)
    return std::nullopt;
  loop.isUnsigned = *isUnsigned;
  loop.counter = dyn_cast<BlockArgument>(getOrigin(number));
  if (!loop.counter)
    return std::nullopt;
  if (whileOp) {
    if (loop.counter.getOwner() != whileOp.getBeforeBody() ||
        whileOp->isAncestor(loop.upper.getParentBlock()->getParentOp()))
      return std::nullopt;
    unsigned number = loop.counter.getArgNumber();
    std::optional<int64_t> step =
        getStep(whileOp.getYieldOp().getOperand(number), loop.counter);
    if (!step)
      return std::nullopt;
    loop.entry = whileOp;
    loop.lower = whileOp.getInits()[number];
    loop.step = *step;
    return loop;
  }
  // What the end is computed from in the loop may be another number in each
  // iteration.
  Block *head = branch->getBlock(), *inside = branch.getTrueDest();
  if (loop.counter.getOwner() != head || !inside->getSinglePredecessor() ||
      inside == branch.getFalseDest() ||
      !dominance.properlyDominates(loop.upper.getParentBlock(), head) ||
      !findPassed(loop, inside, dominance))
    return std::nullopt;
  return loop;
}
