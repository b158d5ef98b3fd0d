//===- LoopGuards.cpp - conditions on the first or last iteration -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LoopGuards.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace mlir::memspace;
using Predicate = arith::CmpIPredicate;

static bool areEqual(Value a, Value b) {
  std::optional<int64_t> left = getConstantIntValue(a);
  return a == b || (left && left == getConstantIntValue(b));
}

/// The comparison with the induction variable, or what is calculated from it,
/// on the left side; none for unsigned loops, whose numbers are others.
static std::optional<arith::CmpIOp> getComparison(Value condition,
                                                  scf::ForOp loop) {
  auto compare = condition.getDefiningOp<arith::CmpIOp>();
  if (!compare || loop.getUnsignedCmp())
    return std::nullopt;
  return compare;
}

/// Unsigned comparisons are signed ones where nothing is negative.
static std::optional<Predicate> getSigned(arith::CmpIOp compare,
                                          scf::ForOp loop) {
  switch (compare.getPredicate()) {
  case Predicate::ult:
  case Predicate::ule:
  case Predicate::ugt:
  case Predicate::uge:
    break;
  default:
    return compare.getPredicate();
  }
  std::optional<int64_t> lower = getConstantIntValue(loop.getLowerBound());
  if (!lower || *lower < 0)
    return std::nullopt;
  switch (compare.getPredicate()) {
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

std::optional<bool> mlir::memspace::getValueAfterFirst(Value condition,
                                                       scf::ForOp loop) {
  std::optional<arith::CmpIOp> compare = getComparison(condition, loop);
  if (!compare || compare->getLhs() != loop.getInductionVar() ||
      !areEqual(compare->getRhs(), loop.getLowerBound()))
    return std::nullopt;
  // Above the lower bound.
  switch (getSigned(*compare, loop).value_or(Predicate::slt)) {
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

std::optional<bool> mlir::memspace::getValueBeforeLast(Value condition,
                                                       scf::ForOp loop) {
  std::optional<arith::CmpIOp> compare = getComparison(condition, loop);
  if (!compare)
    return std::nullopt;
  // The next induction variable against the upper bound.
  auto next = compare->getLhs().getDefiningOp<arith::AddIOp>();
  if (!next || !areEqual(compare->getRhs(), loop.getUpperBound()))
    return std::nullopt;
  Value iv = loop.getInductionVar(), step = loop.getStep();
  if (!(next.getLhs() == iv && areEqual(next.getRhs(), step)) &&
      !(next.getRhs() == iv && areEqual(next.getLhs(), step)))
    return std::nullopt;
  switch (getSigned(*compare, loop).value_or(Predicate::ne)) {
  case Predicate::slt:
    return true;
  case Predicate::sge:
    return false;
  default:
    return std::nullopt;
  }
}
