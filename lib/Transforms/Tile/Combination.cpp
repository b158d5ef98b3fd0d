//===- Combination.cpp - how parts of a reduction are put together -------===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Transforms/Tile/Combination.h"
#include "Transforms/Tile/ProvedCombination.h"
#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace mlir::memspace;

/// One known op for each result, which sees nothing else of the results.
static std::optional<Combination> getCombiners(linalg::LinalgOp op) {
  SmallVector<Operation *> combiners;
  Combination combination;
  auto yielded = op.getBlock()->getTerminator()->getOperands();
  for (auto [number, argument] : llvm::enumerate(op.getRegionOutputArgs())) {
    SmallVector<Operation *> chain;
    if (!argument.hasOneUse() || !yielded[number].hasOneUse() ||
        !matchReduction(op.getRegionOutputArgs(), number, chain) ||
        chain.size() != 1)
      return std::nullopt;
    std::optional<TypedAttr> neutral = arith::getNeutralElement(chain.front());
    if (!neutral)
      return std::nullopt;
    combiners.push_back(chain.front());
    combination.neutral.push_back(*neutral);
  }
  combination.combine = [combiners](OpBuilder &builder, ValueRange parts,
                                    ValueRange results) {
    SmallVector<Value> combined;
    for (auto [combiner, part, result] :
         llvm::zip_equal(combiners, parts, results)) {
      Operation *clone = builder.clone(*combiner);
      clone->setOperands({part, result});
      combined.push_back(clone->getResult(0));
    }
    return combined;
  };
  return combination;
}

/// What no element is less than, or (`isGreater` is false) greater than, by
/// `compare`, which takes no equal ones; null for another comparison.
static TypedAttr getExtreme(Operation *compare, bool isSwapped,
                            bool &isGreater) {
  Type type = compare->getOperand(0).getType();
  Builder builder(compare->getContext());
  if (auto floats = dyn_cast<arith::CmpFOp>(compare)) {
    if (floats.getPredicate() != arith::CmpFPredicate::OGT &&
        floats.getPredicate() != arith::CmpFPredicate::OLT)
      return {};
    isGreater =
        (floats.getPredicate() == arith::CmpFPredicate::OGT) != isSwapped;
    const llvm::fltSemantics &semantics =
        cast<FloatType>(type).getFloatSemantics();
    if (!APFloat::semanticsHasInf(semantics) ||
        bitEnumContainsAny(floats.getFastmath(), arith::FastMathFlags::ninf))
      return {};
    return builder.getFloatAttr(type, APFloat::getInf(semantics, isGreater));
  }
  auto integers = dyn_cast<arith::CmpIOp>(compare);
  if (!integers || !type.isInteger())
    return {};
  unsigned width = type.getIntOrFloatBitWidth();
  switch (integers.getPredicate()) {
  case arith::CmpIPredicate::sgt:
  case arith::CmpIPredicate::slt:
    isGreater =
        (integers.getPredicate() == arith::CmpIPredicate::sgt) != isSwapped;
    return builder.getIntegerAttr(type, isGreater
                                            ? APInt::getSignedMinValue(width)
                                            : APInt::getSignedMaxValue(width));
  case arith::CmpIPredicate::ugt:
  case arith::CmpIPredicate::ult:
    isGreater =
        (integers.getPredicate() == arith::CmpIPredicate::ugt) != isSwapped;
    return builder.getIntegerAttr(type, isGreater ? APInt::getMinValue(width)
                                                  : APInt::getMaxValue(width));
  default:
    return {};
  }
}

/// Whether `op` gives the greater, or (`isGreater` is false) the lesser, of its
/// operands, as `compare` has it, and NaN if one of them is NaN.
static bool isExtremeOf(Operation *op, Operation *compare, bool isGreater) {
  if (auto integers = dyn_cast<arith::CmpIOp>(compare)) {
    bool isSigned = llvm::is_contained(
        {arith::CmpIPredicate::sgt, arith::CmpIPredicate::slt},
        integers.getPredicate());
    if (isSigned)
      return isGreater ? isa<arith::MaxSIOp>(op) : isa<arith::MinSIOp>(op);
    return isGreater ? isa<arith::MaxUIOp>(op) : isa<arith::MinUIOp>(op);
  }
  auto floats = dyn_cast<arith::ArithFastMathInterface>(op);
  return floats &&
         !bitEnumContainsAny(floats.getFastMathFlagsAttr().getValue(),
                             arith::FastMathFlags::ninf) &&
         (isGreater ? isa<arith::MaximumFOp>(op) : isa<arith::MinimumFOp>(op));
}

/// The largest, or smallest, element by its own op, and something of the first
/// of those that were greater than all before: its index. Behind a NaN nothing
/// is; so a part has to tell the one that was, besides what the largest is: a
/// third result. That a part's element is greater than all of the parts before
/// is the same for this one as for each of its own, since those before it in
/// its part are less. In parts the one that was is not the largest, where that
/// is a NaN.
static std::optional<Combination> getExtremeAndChoice(linalg::LinalgOp op) {
  bool isOfParts = op->hasAttr(kOfPartsAttr);
  ArrayRef<BlockArgument> outputs = op.getRegionOutputArgs();
  auto yielded = op.getBlock()->getTerminator()->getOperands();
  unsigned count = outputs.size();
  if (count != 2 && count != 3)
    return std::nullopt;
  for (unsigned key : {0, 1}) {
    Operation *extreme = yielded[key].getDefiningOp();
    auto select = yielded[1 - key].getDefiningOp<arith::SelectOp>();
    Operation *compare =
        select ? select.getCondition().getDefiningOp() : nullptr;
    if (!extreme || extreme->getNumOperands() != 2 || !compare ||
        compare->getNumOperands() != 2 || !yielded[key].hasOneUse() ||
        !yielded[1 - key].hasOneUse() ||
        !select.getCondition().hasNUses(count - 1) ||
        select.getFalseValue() != outputs[1 - key] ||
        !outputs[key].hasNUses(2) || !outputs[1 - key].hasOneUse())
      continue;
    bool isSwapped = compare->getOperand(0) == outputs[key], isGreater;
    bool isSecond = extreme->getOperand(0) == outputs[key];
    Value element = compare->getOperand(isSwapped);
    if (compare->getOperand(!isSwapped) != outputs[key] ||
        extreme->getOperand(!isSecond) != outputs[key] ||
        (!isOfParts && extreme->getOperand(isSecond) != element))
      continue;
    if (count == 3) {
      auto greatest = yielded[2].getDefiningOp<arith::SelectOp>();
      if (!greatest || greatest.getCondition() != select.getCondition() ||
          greatest.getTrueValue() != element ||
          greatest.getFalseValue() != outputs[2] || !yielded[2].hasOneUse() ||
          !outputs[2].hasOneUse())
        continue;
    }
    TypedAttr start = getExtreme(compare, isSwapped, isGreater);
    Type other = outputs[1 - key].getType();
    if (!start || !isExtremeOf(extreme, compare, isGreater) ||
        !other.isIntOrIndexOrFloat())
      return std::nullopt;
    Combination combination;
    combination.neutral.assign(3, start);
    combination.neutral[1 - key] = Builder(op.getContext()).getZeroAttr(other);
    combination.isOrdered = true;
    auto extend = [key, isSwapped](OpBuilder &builder, Block &body) {
      Operation *yield = body.getTerminator();
      auto select = yield->getOperand(1 - key).getDefiningOp<arith::SelectOp>();
      Value element =
          select.getCondition().getDefiningOp()->getOperand(isSwapped);
      Value before = body.addArgument(element.getType(), yield->getLoc());
      builder.setInsertionPoint(yield);
      Value greatest = arith::SelectOp::create(
          builder, yield->getLoc(), select.getCondition(), element, before);
      yield->insertOperands(2, greatest);
    };
    if (count == 2)
      combination.extend = extend;
    combination.combine = [=](OpBuilder &builder, ValueRange parts,
                              ValueRange results) {
      Operation *isFirst = builder.clone(*compare),
                *both = builder.clone(*extreme);
      isFirst->setOperand(isSwapped, parts[2]);
      isFirst->setOperand(!isSwapped, results[key]);
      both->setOperand(isSecond, parts[key]);
      both->setOperand(!isSecond, results[key]);
      SmallVector<Value> combined;
      for (auto [number, result] : llvm::enumerate(results)) {
        if (number == key)
          combined.push_back(both->getResult(0));
        else
          combined.push_back(arith::SelectOp::create(builder, isFirst->getLoc(),
                                                     isFirst->getResult(0),
                                                     parts[number], result));
      }
      return combined;
    };
    return combination;
  }
  return std::nullopt;
}

std::optional<Combination> memspace::getCombination(linalg::LinalgOp op) {
  std::optional<Combination> combination = getCombiners(op);
  if (combination)
    return combination;
  if (std::optional<ProvedCombination> proved = getProvedCombination(op)) {
    combination.emplace();
    combination->neutral = std::move(proved->starts);
    combination->combine = std::move(proved->combine);
    combination->isOrdered = true;
    return combination;
  }
  return getExtremeAndChoice(op);
}
