//===- LoopGuards.cpp - conditions on the first or last iteration -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LoopGuards.h"
#include "Kernel/IntegerOps.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::memspace;
using Predicate = arith::CmpIPredicate;

/// True when `a` is the number `b`; false for a bound that is no value.
static bool areEqual(Value a, OpFoldResult b) {
  return b && isEqualConstantIntOrValue(a, b);
}

/// A comparison, of the induction variable or of what is calculated from it on
/// the left side; null for unsigned loops, whose numbers are others.
static Operation *getComparison(Value condition, const CountedLoop &loop) {
  Operation *compare = condition.getDefiningOp();
  return compare && getPredicate(compare) && !loop.isUnsigned() ? compare
                                                                : nullptr;
}

/// True when `value` is the induction variable of the next iteration.
static bool isNext(Value value, const CountedLoop &loop) {
  auto result = dyn_cast<OpResult>(value);
  if (!result)
    return false;
  std::optional<AffineMeaning> meaning = getAffineMeaning(
      result, {[](Value operand) { return getConstantIntValue(operand); },
               [](Value) { return false; }});
  if (!meaning)
    return false;
  Value iv = loop.getInductionVar();
  SmallVector<Value, 2> operands = {iv};
  AffineExpr next = getAffineSymbolExpr(0, value.getContext());
  if (std::optional<int64_t> step = getConstantIntValue(loop.getStep())) {
    next = next + *step;
  } else {
    next = next + getAffineSymbolExpr(1, value.getContext());
    operands.push_back(cast<Value>(loop.getStep()));
    if (!meaning->operands.empty() && meaning->operands.front() != iv)
      std::swap(operands[0], operands[1]);
  }
  return meaning->expr == next && meaning->operands == operands;
}

/// Unsigned comparisons are signed ones where nothing is negative: of numbers
/// from `lower` on.
static std::optional<Predicate> getSigned(Operation *compare,
                                          std::optional<int64_t> lower) {
  Predicate predicate = *getPredicate(compare);
  switch (predicate) {
  case Predicate::ult:
  case Predicate::ule:
  case Predicate::ugt:
  case Predicate::uge:
    break;
  default:
    return predicate;
  }
  if (!lower || *lower < 0)
    return std::nullopt;
  switch (predicate) {
  case Predicate::ult:
    return Predicate::slt;
  case Predicate::ule:
    return Predicate::sle;
  case Predicate::ugt:
    return Predicate::sgt;
  default:
    return Predicate::sge;
  }
}

std::optional<bool> mlir::memspace::getValueAbove(std::optional<int64_t> lower,
                                                  Operation *compare) {
  switch (getSigned(compare, lower).value_or(Predicate::slt)) {
  case Predicate::ne:
  case Predicate::sgt:
    return true;
  case Predicate::eq:
  case Predicate::sle:
    return false;
  default:
    return std::nullopt;
  }
}

std::optional<bool>
mlir::memspace::getValueAfterFirst(Value condition, const CountedLoop &loop) {
  Operation *compare = getComparison(condition, loop);
  if (!compare || compare->getOperand(0) != loop.getInductionVar() ||
      !areEqual(compare->getOperand(1), loop.getLower().value))
    return std::nullopt;
  return getValueAbove(loop.getLower().getConstant(), compare);
}

std::optional<bool>
mlir::memspace::getValueBeforeLast(Value condition, const CountedLoop &loop) {
  Operation *compare = getComparison(condition, loop);
  if (!compare || !isNext(compare->getOperand(0), loop) ||
      !areEqual(compare->getOperand(1), loop.getUpper().value))
    return std::nullopt;
  switch (getSigned(compare, loop.getLower().getConstant())
              .value_or(Predicate::ne)) {
  case Predicate::slt:
    return true;
  case Predicate::sge:
    return false;
  default:
    return std::nullopt;
  }
}

bool mlir::memspace::isNextExact(const CountedLoop &loop) {
  Type type = loop.getInductionVar().getType();
  std::optional<int64_t> upper = loop.getUpper().getConstant();
  std::optional<int64_t> step = loop.getConstantStep();
  int64_t most;
  if (!upper || !step)
    return type.isIndex();
  if (llvm::AddOverflow(*upper - 1, *step, most))
    return false;
  return type.isIndex() || llvm::isIntN(type.getIntOrFloatBitWidth(), most);
}

CountedLoop mlir::memspace::getLoopOfGuard(Value condition) {
  Operation *compare = condition.getDefiningOp();
  if (!compare || !getPredicate(compare))
    return {};
  // The number itself, or the next one.
  SmallVector<Value, 3> candidates = {compare->getOperand(0)};
  if (Operation *next = compare->getOperand(0).getDefiningOp())
    llvm::append_range(candidates, next->getOperands());
  for (Value candidate : candidates)
    if (auto argument = dyn_cast<BlockArgument>(candidate))
      if (CountedLoop loop =
              CountedLoop::get(argument.getOwner()->getParentOp());
          loop && loop.getInductionVar() == argument)
        return loop;
  return {};
}

std::optional<bool> mlir::memspace::getValueIn(int64_t number, Value condition,
                                               const CountedLoop &loop) {
  if (std::optional<bool> value = getValueAfterFirst(condition, loop))
    return number == 0 ? !*value : *value;
  std::optional<bool> value = getValueBeforeLast(condition, loop);
  std::optional<int64_t> trips = loop.getTripCount();
  if (!value || !trips || !isNextExact(loop))
    return std::nullopt;
  return number + 1 < *trips ? *value : !*value;
}

std::optional<bool> mlir::memspace::getValueFrom(int64_t number,
                                                 Value condition,
                                                 const CountedLoop &loop) {
  std::optional<bool> value = getValueAfterFirst(condition, loop);
  if (value && number > 0)
    return value;
  value = getValueBeforeLast(condition, loop);
  std::optional<int64_t> trips = loop.getTripCount();
  if (!value || !trips || number + 1 < *trips || !isNextExact(loop))
    return std::nullopt;
  return !*value;
}
