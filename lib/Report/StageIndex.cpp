//===- StageIndex.cpp - indices that go round -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "StageIndex.h"
#include "Kernel/IntegerOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace mlir::memspace;

static bool isConstant(Value value, int64_t constant) {
  return getConstantIntValue(value) == constant;
}

/// A number that counts from 0 on: it is not negative.
static std::optional<AffineMeaning> getCounted(Value value) {
  auto result = dyn_cast<OpResult>(value);
  if (!result)
    return std::nullopt;
  return getAffineMeaning(
      result, {[](Value operand) { return getConstantIntValue(operand); },
               [](Value) { return true; }});
}

/// x where `value` is x modulo `extent`; null where it is not.
static AffineExpr getDividend(const AffineMeaning &value, int64_t extent) {
  auto binary = dyn_cast<AffineBinaryOpExpr>(value.expr);
  if (!binary || binary.getKind() != AffineExprKind::Mod)
    return {};
  auto modulus = dyn_cast<AffineConstantExpr>(binary.getRHS());
  return modulus && modulus.getValue() == extent ? binary.getLHS()
                                                 : AffineExpr();
}

/// `value` is `expr` of `counter`, which is s0.
static bool isFunctionOf(const std::optional<AffineMeaning> &value,
                         Value counter, AffineExpr expr) {
  return value && value->expr == expr && value->operands.size() == 1 &&
         value->operands[0] == counter;
}

/// `value` is the successor of `counter` in the cycle 0, 1, …, `extent` - 1.
static bool isSuccessor(Value value, Value counter, int64_t extent) {
  AffineExpr stage = getAffineSymbolExpr(0, value.getContext());
  auto isNext = [&](Value next) {
    return isFunctionOf(getCounted(next), counter, stage + 1);
  };
  std::optional<AffineMeaning> counted = getCounted(value);
  if (AffineExpr dividend =
          counted ? getDividend(*counted, extent) : AffineExpr())
    return isFunctionOf(counted, counter, (stage + 1) % extent) ||
           (dividend == stage && isNext(counted->operands[0]));
  // counter + 1 == extent ? 0 : counter + 1
  if (auto select = value.getDefiningOp<arith::SelectOp>()) {
    Operation *compare = select.getCondition().getDefiningOp();
    return compare && getPredicate(compare) == arith::CmpIPredicate::eq &&
           isConstant(select.getTrueValue(), 0) &&
           isNext(select.getFalseValue()) &&
           ((isNext(compare->getOperand(0)) &&
             isConstant(compare->getOperand(1), extent)) ||
            (compare->getOperand(0) == counter &&
             isConstant(compare->getOperand(1), extent - 1)));
  }
  if (extent != 2)
    return false;
  if (isFunctionOf(counted, counter,
                   getAffineConstantExpr(1, value.getContext()) - stage))
    return true;
  Operation *flip = value.getDefiningOp();
  return flip && getIntegerOp(flip) == IntegerOp::XOr &&
         flip->getOperand(0) == counter && isConstant(flip->getOperand(1), 1);
}

bool mlir::memspace::isStageIndex(Value index, int64_t extent) {
  if (Operation *cast = index.getDefiningOp();
      cast && (getIntegerOp(cast) == IntegerOp::CastS ||
               getIntegerOp(cast) == IntegerOp::CastU))
    index = cast->getOperand(0);
  if (std::optional<AffineMeaning> counted = getCounted(index);
      counted && getDividend(*counted, extent))
    return true;
  // A slot number that a loop carries.
  auto argument = dyn_cast<BlockArgument>(index);
  auto loop = argument
                  ? dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp())
                  : scf::ForOp();
  if (!loop || argument == loop.getInductionVar())
    return false;
  std::optional<int64_t> first =
      getConstantIntValue(loop.getTiedLoopInit(argument)->get());
  return first && *first >= 0 && *first < extent &&
         isSuccessor(loop.getTiedLoopYieldedValue(argument)->get(), argument,
                     extent);
}
