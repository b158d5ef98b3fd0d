//===- StageIndex.cpp - indices that go round -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "StageIndex.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace mlir::memspace;

static bool isConstant(Value value, int64_t constant) {
  return getConstantIntValue(value) == constant;
}

/// `value` is something modulo `extent`.
static bool isRemainder(Value value, int64_t extent) {
  if (auto rem = value.getDefiningOp<arith::RemUIOp>())
    return isConstant(rem.getRhs(), extent);
  if (auto rem = value.getDefiningOp<arith::RemSIOp>())
    return isConstant(rem.getRhs(), extent);
  auto apply = value.getDefiningOp<affine::AffineApplyOp>();
  if (!apply)
    return false;
  AffineExpr result = apply.getAffineMap().getResult(0);
  auto binary = dyn_cast<AffineBinaryOpExpr>(result);
  if (!binary || binary.getKind() != AffineExprKind::Mod)
    return false;
  auto modulus = dyn_cast<AffineConstantExpr>(binary.getRHS());
  return modulus && modulus.getValue() == extent;
}

/// `value` is `counter` + 1.
static bool isNext(Value value, Value counter) {
  if (auto add = value.getDefiningOp<arith::AddIOp>())
    return (add.getLhs() == counter && isConstant(add.getRhs(), 1)) ||
           (add.getRhs() == counter && isConstant(add.getLhs(), 1));
  auto apply = value.getDefiningOp<affine::AffineApplyOp>();
  return apply && apply->getNumOperands() == 1 &&
         apply->getOperand(0) == counter &&
         apply.getAffineMap().getNumDims() == 1 &&
         apply.getAffineMap().getResult(0) ==
             getAffineDimExpr(0, apply.getContext()) + 1;
}

/// `value` is the successor of `counter` in the cycle 0, 1, …, `extent` - 1.
static bool isSuccessor(Value value, Value counter, int64_t extent) {
  if (isRemainder(value, extent)) {
    Operation *op = value.getDefiningOp();
    if (auto apply = dyn_cast<affine::AffineApplyOp>(op))
      return apply->getNumOperands() == 1 && apply->getOperand(0) == counter;
    return isNext(op->getOperand(0), counter);
  }
  // counter + 1 == extent ? 0 : counter + 1
  if (auto select = value.getDefiningOp<arith::SelectOp>()) {
    auto compare = select.getCondition().getDefiningOp<arith::CmpIOp>();
    return compare && compare.getPredicate() == arith::CmpIPredicate::eq &&
           isConstant(select.getTrueValue(), 0) &&
           isNext(select.getFalseValue(), counter) &&
           ((isNext(compare.getLhs(), counter) &&
             isConstant(compare.getRhs(), extent)) ||
            (compare.getLhs() == counter &&
             isConstant(compare.getRhs(), extent - 1)));
  }
  if (extent != 2)
    return false;
  if (auto flip = value.getDefiningOp<arith::SubIOp>())
    return isConstant(flip.getLhs(), 1) && flip.getRhs() == counter;
  auto flip = value.getDefiningOp<arith::XOrIOp>();
  return flip && flip.getLhs() == counter && isConstant(flip.getRhs(), 1);
}

bool mlir::memspace::isStageIndex(Value index, int64_t extent) {
  if (auto cast = index.getDefiningOp<arith::IndexCastOp>())
    index = cast.getIn();
  if (isRemainder(index, extent))
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
