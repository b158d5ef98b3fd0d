//===- CountedLoop.cpp - loops that count up to a bound -------------------===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MemSpace/Kernel/CountedLoop.h"
#include "MemSpace/Kernel/ExecutionScope.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Affine/IR/AffineValueMap.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::memspace;

//===----------------------------------------------------------------------===//
// Bounds
//===----------------------------------------------------------------------===//

std::optional<int64_t> LoopBound::getConstant() const {
  return value ? getConstantIntValue(value) : std::nullopt;
}

SmallVector<Value> LoopBound::getInputs() const {
  if (auto input = dyn_cast_if_present<Value>(value))
    return {input};
  return llvm::to_vector_of<Value>(operands);
}

static LoopBound makeBound(std::optional<OpFoldResult> value) {
  LoopBound bound;
  if (value)
    bound.value = *value;
  return bound;
}

/// The interface gives bounds of `affine.for` only if they are constants.
static LoopBound makeBound(affine::AffineBound affineBound) {
  AffineMap map = affineBound.getMap();
  LoopBound bound;
  if (map.isSingleConstant()) {
    bound.value =
        Builder(map.getContext()).getIndexAttr(map.getSingleConstantResult());
    return bound;
  }
  ValueRange operands = affineBound.getOperands();
  if (map.getNumResults() == 1) {
    if (auto dim = dyn_cast<AffineDimExpr>(map.getResult(0)))
      return makeBound(OpFoldResult(operands[dim.getPosition()]));
    if (auto symbol = dyn_cast<AffineSymbolExpr>(map.getResult(0)))
      return makeBound(
          OpFoldResult(operands[map.getNumDims() + symbol.getPosition()]));
  }
  bound.map = map;
  llvm::append_range(bound.operands, operands);
  return bound;
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

bool CountedLoop::isOne(Operation *op) {
  if (isa_and_present<scf::ForOp, affine::AffineForOp>(op))
    return true;
  auto loop = dyn_cast_if_present<LoopLikeOpInterface>(op);
  if (!loop || !isa<RegionBranchOpInterface>(op) ||
      op->hasTrait<OpTrait::HasParallelRegion>() || op->getNumRegions() != 1 ||
      !op->getRegion(0).hasOneBlock())
    return false;
  std::optional<Value> iv = loop.getSingleInductionVar();
  return iv && iv->getParentBlock() == &op->getRegion(0).front() &&
         isa<BlockArgument>(*iv) && loop.getSingleStep();
}

CountedLoop CountedLoop::get(Operation *op) {
  CountedLoop result;
  if (!isOne(op))
    return result;
  result.loop = cast<LoopLikeOpInterface>(op);
  result.inductionVar =
      cast<BlockArgument>(*result.loop.getSingleInductionVar());
  result.step = *result.loop.getSingleStep();
  if (auto loop = dyn_cast<affine::AffineForOp>(op)) {
    result.lower = makeBound(loop.getLowerBound());
    result.upper = makeBound(loop.getUpperBound());
    return result;
  }
  // Whether the upper bound belongs to the loop, the interface does not say.
  if (auto loop = dyn_cast<scf::ForOp>(op)) {
    result.lower = makeBound(loop.getSingleLowerBound());
    result.upper = makeBound(loop.getSingleUpperBound());
    result.hasUnsignedBounds = loop.getUnsignedCmp();
  }
  return result;
}

std::optional<int64_t> CountedLoop::getConstantStep() const {
  return getConstantIntValue(step);
}

SmallVector<Value> CountedLoop::getControl() const {
  SmallVector<Value> control = lower.getInputs();
  llvm::append_range(control, upper.getInputs());
  if (auto value = dyn_cast<Value>(step))
    control.push_back(value);
  return control;
}

/// The distance of two bounds of an `affine.for`, if it is a constant.
static std::optional<int64_t>
getSpan(const LoopBound &lower, const LoopBound &upper, MLIRContext *context) {
  auto getMap = [&](const LoopBound &bound) {
    if (bound.map)
      return affine::AffineValueMap(bound.map, bound.operands);
    Builder builder(context);
    if (std::optional<int64_t> constant = bound.getConstant())
      return affine::AffineValueMap(builder.getConstantAffineMap(*constant),
                                    ValueRange());
    return affine::AffineValueMap(builder.getMultiDimIdentityMap(1),
                                  cast<Value>(bound.value));
  };
  affine::AffineValueMap low = getMap(lower), high = getMap(upper), span;
  if (low.getNumResults() != 1 || high.getNumResults() != 1)
    return std::nullopt;
  affine::AffineValueMap::difference(high, low, &span);
  auto constant = dyn_cast<AffineConstantExpr>(span.getResult(0));
  return constant ? std::optional(constant.getValue()) : std::nullopt;
}

std::optional<int64_t> CountedLoop::getTripCount() const {
  if (std::optional<APInt> trips = loop.getStaticTripCount()) {
    if (trips->getActiveBits() > 62)
      return std::nullopt;
    return trips->getZExtValue();
  }
  std::optional<int64_t> by = getConstantStep();
  if (!hasBounds() || hasUnsignedBounds || !by || *by <= 0)
    return std::nullopt;
  std::optional<int64_t> first = lower.getConstant();
  std::optional<int64_t> end = upper.getConstant();
  if (first && end)
    return getTripCount(*first, *end, *by);
  std::optional<int64_t> span;
  if (isa<affine::AffineForOp>(loop))
    span = getSpan(lower, upper, loop->getContext());
  return span ? getTripCount(0, *span, *by) : std::nullopt;
}

std::optional<int64_t> CountedLoop::getTripCount(int64_t first, int64_t end,
                                                 int64_t by) const {
  int64_t span;
  if (by <= 0 || llvm::SubOverflow(end, first, span) ||
      (hasUnsignedBounds && (first < 0 || end < 0)))
    return std::nullopt;
  return span <= 0 ? 0 : (span - 1) / by + 1;
}

Block::BlockArgListType CountedLoop::getIterArgs() const {
  return loop.getRegionIterArgs();
}

OperandRange CountedLoop::getInits() const { return loop.getInits(); }

ValueRange CountedLoop::getYieldedValues() const {
  return loop.getYieldedValues();
}

bool mlir::memspace::mayRepeatRegions(Operation *op, const LaunchShape &shape) {
  if (auto forall = dyn_cast<scf::ForallOp>(op))
    return !runsOnceInWorkgroup(forall, shape.grid);
  auto branch = dyn_cast<RegionBranchOpInterface>(op);
  if (!branch || isa<LoopLikeOpInterface>(op) ||
      op->hasTrait<OpTrait::HasParallelRegion>())
    return true;
  // From no region to another one, or to itself.
  SmallVector<RegionSuccessor> successors;
  for (Region &region : op->getRegions()) {
    successors.clear();
    branch.getSuccessorRegions(region, successors);
    if (llvm::any_of(successors, [](RegionSuccessor &successor) {
          return successor.getSuccessor() != nullptr;
        }))
      return true;
  }
  return false;
}
