//===- ExecutionCounters.cpp - what loops without bounds count ------------===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BranchLoop.h"
#include "ExecutionSystem.h"
#include "MemSpace/Memory/ValueFlow.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "llvm/Support/MathExtras.h"
#include <numeric>

using namespace mlir;
using namespace mlir::memspace;

/// `next` - `arg`, if `next` is computed as that much more or less.
static std::optional<int64_t> getStep(Value next, BlockArgument arg) {
  Operation *op = next.getDefiningOp();
  IntegerOp kind = op ? getIntegerOp(op) : IntegerOp::None;
  if (kind != IntegerOp::Add && kind != IntegerOp::Sub)
    return std::nullopt;
  bool isFirst = getOrigin(op->getOperand(0)) == arg;
  if (!isFirst &&
      (kind == IntegerOp::Sub || getOrigin(op->getOperand(1)) != arg))
    return std::nullopt;
  std::optional<int64_t> by = getConstantIntValue(op->getOperand(isFirst));
  int64_t less;
  if (by && kind == IntegerOp::Sub)
    return llvm::SubOverflow(int64_t(0), *by, less) ? std::nullopt
                                                    : std::optional(less);
  return by;
}

/// Constants of more bits are no numbers here.
static bool isCounted(Type type) {
  return type.isIndex() || (type.isInteger() && !type.isInteger(1) &&
                            type.getIntOrFloatBitWidth() <= 64);
}

std::optional<ExecutionSystem::Counter>
ExecutionSystem::getCounter(BlockArgument arg) {
  if (!isCounted(arg.getType()))
    return std::nullopt;
  std::optional<SmallVector<Value>> passed = getPassedValues(arg);
  Block *block = arg.getOwner();
  Region *region = block->getParent();
  if (!passed)
    return std::nullopt;
  std::optional<int64_t> step;
  Value first;
  bool mayWrap = false;
  for (Value value : *passed) {
    Value next = getOrigin(value);
    if (std::optional<int64_t> by = getStep(next, arg)) {
      if (step && step != by)
        return std::nullopt;
      step = by;
      auto flags = dyn_cast<arith::ArithIntegerOverflowFlagsInterface>(
          next.getDefiningOp());
      mayWrap |=
          !arg.getType().isIndex() && !(flags && flags.hasNoSignedWrap());
      continue;
    }
    if (first && first != value)
      return std::nullopt;
    first = value;
  }
  if (!first || !step)
    return std::nullopt;
  // It is the same as when the loop was entered: whoever adds to the argument
  // has come by its block, so that the first number is computed before that
  // and, if it is again, the loop is entered again before anybody asks.
  Block *origin = first.getParentBlock();
  if (origin == block || !origin->getParent()->isAncestor(region))
    return std::nullopt;
  return Counter{first, *step, mayWrap};
}

std::optional<ExecutionSystem::Counter>
ExecutionSystem::getCounter(BlockArgument arg, const CFGLoop *circle) {
  std::optional<Counter> counter = getCounter(arg);
  if (!counter || !circle)
    return counter;
  Block *head = circle->getHeader();
  for (Block *from : head->getPredecessors()) {
    if (!circle->contains(from))
      continue;
    auto branch = dyn_cast<BranchOpInterface>(from->getTerminator());
    for (auto [index, to] : llvm::enumerate(from->getSuccessors()))
      if (to == head &&
          (!branch || branch.getSuccessorOperands(index)[arg.getArgNumber()] ==
                          counter->first))
        return std::nullopt;
  }
  return counter;
}

std::optional<int64_t> ExecutionSystem::getLargest(BlockArgument arg,
                                                   unsigned side) {
  const BranchLoop *loop =
      arg.getType().isIndex() ? nullptr : context.guards->getLoop(arg);
  if (!loop)
    return std::nullopt;
  Interval first = system.getInterval(translate(loop->lower, side));
  Interval end = system.getInterval(translate(loop->upper, side));
  // Without a sign a number below the end is not negative.
  if (!first.lower || !first.upper || !end.upper ||
      (loop->isUnsigned && !end.isNonNegative()))
    return std::nullopt;
  int64_t largest, most;
  if (llvm::AddOverflow(*end.upper, loop->step - loop->ahead - 1, largest))
    return std::nullopt;
  // Whoever comes back was below the end, so that the step has not wrapped;
  // what is compared must not wrap either.
  largest = std::max(largest, *first.upper);
  if (llvm::AddOverflow(largest, loop->ahead, most) ||
      !isInRange(Interval{first.lower, most}, arg.getType()))
    return std::nullopt;
  return largest;
}

/// True when both sides are known to be in one iteration of the loop of `arg`:
/// they see one number that is another one in each iteration.
bool ExecutionSystem::areInOneIteration(BlockArgument arg, unsigned side) {
  Block *block = arg.getOwner();
  if (CountedLoop loop = CountedLoop::get(block->getParentOp()))
    return loop.hasBounds() && isShared(loop.getInductionVar());
  return llvm::any_of(block->getArguments(), [&](BlockArgument other) {
    if (other == arg || !isCounted(other.getType()))
      return false;
    std::optional<Counter> counter = getCounter(other);
    if (!counter || !isShared(counter->first) || !isShared(other))
      return false;
    if (!counter->mayWrap || getLargest(other, side))
      return true;
    // What is below the end is at most the end with one more.
    const BranchLoop *loop = context.guards->getLoop(other);
    return loop && loop->step == 1 && loop->ahead == 0;
  });
}

/// first + step · k, in whatever iteration k, which is one for both sides where
/// they are in one. A number of few bits may wrap: by a power of two, so that
/// the part of the step that divides it still does.
std::optional<LinearForm> ExecutionSystem::translateCounter(BlockArgument arg,
                                                            unsigned side) {
  if (!isCounted(arg.getType()))
    return std::nullopt;
  if (Value origin = getOrigin(arg); origin != arg)
    return translate(origin, side);
  std::optional<Counter> counter = getCounter(arg);
  if (!counter)
    return std::nullopt;
  LinearForm first = translate(counter->first, side);
  std::optional<int64_t> largest = getLargest(arg, side);
  bool wraps = counter->mayWrap && !largest;
  if (!largest && !isShared(arg) && areInOneIteration(arg, side)) {
    auto [it, isNew] = commonCounts.try_emplace(arg.getOwner());
    if (isNew)
      it->second = system.addColumn(Interval{0, std::nullopt});
    LinearForm sum = first + it->second * counter->step;
    return wraps ? sum + opaque() * *getWrapModulus(arg.getType()) : sum;
  }
  if (wraps)
    return first +
           opaque() * std::gcd(counter->step, *getWrapModulus(arg.getType()));
  Interval count{0, std::nullopt};
  std::optional<int64_t> least = system.getInterval(first).lower;
  if (largest && least)
    count.upper = (*largest - *least) / counter->step;
  return first + system.addColumn(count) * counter->step;
}

/// True for the counter of a loop around the circle: both sides are in one
/// iteration of it.
bool ExecutionSystem::isCounterOutside(BlockArgument arg) {
  const CFGLoop *around = context.circle->getParentLoop();
  while (around && around->getHeader() != arg.getOwner())
    around = around->getParentLoop();
  std::optional<Counter> counter =
      around ? getCounter(arg, around) : std::optional<Counter>();
  return counter && isShared(counter->first);
}
