//===- Orders.cpp - comparators that are certainly an order -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Transforms/Normalize/Orders.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/DenseMap.h"

using namespace mlir;
using namespace mlir::memspace;
using arith::CmpIPredicate;

namespace {
class OrderProver {
public:
  bool isOrder(Value value);

private:
  bool isMirrored(Value left, Value right);
  bool isStrict(arith::CmpIOp compare);
  bool isLexicographic(Value first, Value equal, Value second,
                       CmpIPredicate equality);

  /// What isMirrored() found.
  llvm::DenseMap<std::pair<Value, Value>, bool> mirrored;
};
} // namespace

/// Whether `left` is computed from the left elements as `right` is from the
/// right ones, by every thread alike.
bool OrderProver::isMirrored(Value left, Value right) {
  if (left.getType() != right.getType())
    return false;
  auto leftArg = dyn_cast<BlockArgument>(left);
  auto rightArg = dyn_cast<BlockArgument>(right);
  if (leftArg || rightArg)
    return leftArg && rightArg && leftArg.getArgNumber() % 2 == 0 &&
           rightArg.getArgNumber() == leftArg.getArgNumber() + 1;
  auto known = mirrored.find({left, right});
  if (known != mirrored.end())
    return known->second;
  // What other dialects compute may depend on the thread, and what is computed
  // from floats need not be defined.
  Operation *a = left.getDefiningOp(), *b = right.getDefiningOp();
  bool areAlike = a->getName() == b->getName() &&
                  isa_and_nonnull<arith::ArithDialect>(a->getDialect()) &&
                  a->getAttrDictionary() == b->getAttrDictionary() &&
                  a->getNumOperands() == b->getNumOperands() &&
                  cast<OpResult>(left).getResultNumber() ==
                      cast<OpResult>(right).getResultNumber() &&
                  (isa<arith::BitcastOp>(a) ||
                   llvm::all_of(a->getOperandTypes(),
                                [](Type type) { return type.isIntOrIndex(); }));
  for (unsigned i = 0; areAlike && i < a->getNumOperands(); ++i)
    areAlike = isMirrored(a->getOperand(i), b->getOperand(i));
  return mirrored[{left, right}] = areAlike;
}

/// f(left) < f(right), or the other way round.
bool OrderProver::isStrict(arith::CmpIOp compare) {
  switch (compare.getPredicate()) {
  case CmpIPredicate::slt:
  case CmpIPredicate::sgt:
  case CmpIPredicate::ult:
  case CmpIPredicate::ugt:
    return isMirrored(compare.getLhs(), compare.getRhs()) ||
           isMirrored(compare.getRhs(), compare.getLhs());
  default:
    return false;
  }
}

/// Whether `first` compares what `equal` finds equal (or not, by `equality`),
/// and `second`, which then decides, is an order.
bool OrderProver::isLexicographic(Value first, Value equal, Value second,
                                  CmpIPredicate equality) {
  auto compare = first.getDefiningOp<arith::CmpIOp>();
  auto same = equal.getDefiningOp<arith::CmpIOp>();
  if (!compare || !same || same.getPredicate() != equality ||
      !isStrict(compare))
    return false;
  Value left = compare.getLhs(), right = compare.getRhs();
  bool isOfBoth = (same.getLhs() == left && same.getRhs() == right) ||
                  (same.getLhs() == right && same.getRhs() == left);
  return isOfBoth && isOrder(second);
}

bool OrderProver::isOrder(Value value) {
  Operation *op = value.getDefiningOp();
  if (!op)
    return false;
  if (auto compare = dyn_cast<arith::CmpIOp>(op))
    return isStrict(compare);
  if (auto select = dyn_cast<arith::SelectOp>(op))
    return isLexicographic(select.getFalseValue(), select.getCondition(),
                           select.getTrueValue(), CmpIPredicate::eq) ||
           isLexicographic(select.getTrueValue(), select.getCondition(),
                           select.getFalseValue(), CmpIPredicate::ne);
  auto either = dyn_cast<arith::OrIOp>(op);
  if (!either)
    return false;
  for (auto [first, rest] : {std::pair(either.getLhs(), either.getRhs()),
                             std::pair(either.getRhs(), either.getLhs())})
    if (auto both = rest.getDefiningOp<arith::AndIOp>())
      if (isLexicographic(first, both.getLhs(), both.getRhs(),
                          CmpIPredicate::eq) ||
          isLexicographic(first, both.getRhs(), both.getLhs(),
                          CmpIPredicate::eq))
        return true;
  return false;
}

bool memspace::isCertainlyOrder(Region &comparator) {
  return OrderProver().isOrder(
      comparator.front().getTerminator()->getOperand(0));
}
