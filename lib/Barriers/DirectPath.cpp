//===- DirectPath.cpp - nothing lies between two executions -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DirectPath.h"
#include "Hazards/AccessPairs.h"

using namespace mlir;
using namespace mlir::memspace;

DirectPath::DirectPath(const KernelContext &context,
                       const OverlapWitness &overlap,
                       llvm::function_ref<bool(Operation *)> mayOrder)
    : first(context, overlap.sides[0], OneThreadEvaluator::Facts::Execution),
      second(context, overlap.sides[1], OneThreadEvaluator::Facts::Execution),
      shape(context.getShape()), mayOrder(mayOrder) {}

bool DirectPath::isFree(Block::iterator begin, Block::iterator end) {
  return llvm::none_of(llvm::make_range(begin, end),
                       [&](Operation &op) { return mayOrder(&op); });
}

bool DirectPath::isLast(const CountedLoop &loop) {
  std::optional<int64_t> iv = first.evaluate(loop.getInductionVar());
  std::optional<int64_t> upper = first.evaluateUpper(loop);
  std::optional<int64_t> step = first.evaluateStep(loop);
  int64_t next;
  return iv && upper && step && !llvm::AddOverflow(*iv, *step, next) &&
         next >= *upper;
}

bool DirectPath::isFirst(const CountedLoop &loop) {
  std::optional<int64_t> iv = second.evaluate(loop.getInductionVar());
  return iv && iv == second.evaluateLower(loop);
}

bool DirectPath::areAdjacent(const CountedLoop &loop) {
  std::optional<int64_t> iv = first.evaluate(loop.getInductionVar());
  std::optional<int64_t> step = first.evaluateStep(loop);
  int64_t next;
  return iv && step && !llvm::AddOverflow(*iv, *step, next) &&
         second.evaluate(loop.getInductionVar()) == next;
}

/// The op of `block` around `op` if the thread gets from `op` to its end
/// freely; null otherwise.
Operation *DirectPath::climbFrom(Operation *op, Block *block) {
  while (op->getBlock() != block) {
    if (!isFree(std::next(op->getIterator()), op->getBlock()->end()))
      return nullptr;
    op = op->getParentOp();
    CountedLoop loop = CountedLoop::get(op);
    bool leaves =
        loop ? isLast(loop) || !mayOrder(op) : !mayRepeatRegions(op, shape);
    if (!leaves)
      return nullptr;
  }
  return op;
}

/// The same from the beginning of that op to `op`.
Operation *DirectPath::climbTo(Operation *op, Block *block) {
  while (op->getBlock() != block) {
    if (!isFree(op->getBlock()->begin(), op->getIterator()))
      return nullptr;
    op = op->getParentOp();
    CountedLoop loop = CountedLoop::get(op);
    bool enters =
        loop ? isFirst(loop) || !mayOrder(op) : !mayRepeatRegions(op, shape);
    if (!enters)
      return nullptr;
  }
  return op;
}

bool DirectPath::exists(Operation *a, Operation *b, Operation *carryingLoop) {
  CountedLoop loop = CountedLoop::get(carryingLoop);
  if (carryingLoop && !loop)
    return false;
  Block *block = loop ? loop.getBody() : getCommonBlock(a, b);
  Operation *from = block ? climbFrom(a, block) : nullptr;
  Operation *to = from ? climbTo(b, block) : nullptr;
  if (!to)
    return false;
  auto behind = std::next(from->getIterator());
  if (!carryingLoop)
    return from == to ||
           (from->isBeforeInBlock(to) && isFree(behind, to->getIterator()));
  return !mayOrder(carryingLoop) ||
         (areAdjacent(loop) && isFree(behind, block->end()) &&
          isFree(block->begin(), to->getIterator()));
}
