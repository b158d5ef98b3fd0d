//===- GridNeeds.cpp - the grid that block foralls need -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GridNeeds.h"
#include "Kernel/HardwareIds.h"
#include "Kernel/IntegerOps.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::memspace;

/// Ops behind an extent that are looked through; those with choices.
static constexpr unsigned kMaxDepth = 64, kMaxChoices = 8;

//===----------------------------------------------------------------------===//
// Expressions of the arguments
//===----------------------------------------------------------------------===//

AffineExpr GridNeeds::getSymbol(Value argument, int64_t dimension) {
  GridSize::Symbol symbol{cast<BlockArgument>(argument).getArgNumber(),
                          dimension};
  auto it = llvm::find(symbols, symbol);
  unsigned position = it - symbols.begin();
  if (it == symbols.end())
    symbols.push_back(symbol);
  return getAffineSymbolExpr(position, kernel->getContext());
}

static bool isArgument(Value value, FunctionOpInterface kernel) {
  auto arg = dyn_cast<BlockArgument>(value);
  return arg && arg.getOwner() == &kernel.getFunctionBody().front() &&
         arg.getArgNumber() < kernel.getNumArguments();
}

/// Upstream's affine maps divide by positive constants only.
static bool isDivisor(AffineExpr expr) {
  auto constant = dyn_cast<AffineConstantExpr>(expr);
  return constant && constant.getValue() > 0;
}

/// It is computed from extents, which no argument has fewer than none of.
bool GridNeeds::isNonNegative(AffineExpr expr) const {
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return constant.getValue() >= 0;
  if (auto symbol = dyn_cast<AffineSymbolExpr>(expr))
    return symbols[symbol.getPosition()].dimension != GridSize::Symbol::kValue;
  auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
  return binary && isNonNegative(binary.getLHS()) &&
         isNonNegative(binary.getRHS());
}

/// Null when it is computed from more than arguments. Of an argument in another
/// shape it is computed from the argument's own extents.
AffineExpr GridNeeds::computeExtent(Value memref, int64_t dimension,
                                    unsigned depth) {
  auto type = dyn_cast<MemRefType>(memref.getType());
  if (!type || dimension < 0 || dimension >= type.getRank())
    return {};
  if (!type.isDynamicDim(dimension))
    return getAffineConstantExpr(type.getDimSize(dimension),
                                 kernel->getContext());
  if (isArgument(memref, kernel))
    return getSymbol(memref, dimension);
  if (depth == 0)
    return {};
  if (auto cast = memref.getDefiningOp<memref::CastOp>())
    return computeExtent(cast.getSource(), dimension, depth - 1);
  if (auto expand = memref.getDefiningOp<memref::ExpandShapeOp>())
    return translate(cast<Value>(expand.getMixedOutputShape()[dimension]),
                     depth - 1);
  auto collapse = memref.getDefiningOp<memref::CollapseShapeOp>();
  if (!collapse)
    return {};
  AffineExpr product = getAffineConstantExpr(1, kernel->getContext());
  for (int64_t source : collapse.getReassociationIndices()[dimension]) {
    AffineExpr extent = computeExtent(collapse.getSrc(), source, depth - 1);
    if (!extent)
      return {};
    product = product * extent;
  }
  return product;
}

/// Null when it is computed from more than arguments.
AffineExpr GridNeeds::compute(Value value, unsigned depth) {
  if (std::optional<int64_t> constant = getConstantIntValue(value))
    return getAffineConstantExpr(*constant, kernel->getContext());
  if (isArgument(value, kernel))
    return value.getType().isIndex() || value.getType().isSignlessInteger()
               ? getSymbol(value, GridSize::Symbol::kValue)
               : AffineExpr();
  auto result = dyn_cast<OpResult>(value);
  if (!result)
    return {};
  if (auto dim = value.getDefiningOp<memref::DimOp>()) {
    std::optional<int64_t> index = dim.getConstantIndex();
    return index ? computeExtent(dim.getSource(), *index, depth) : AffineExpr();
  }
  auto getConstant = [&](Value operand) -> std::optional<int64_t> {
    auto constant =
        dyn_cast_if_present<AffineConstantExpr>(translate(operand, depth));
    return constant ? std::optional(constant.getValue()) : std::nullopt;
  };
  auto isOperandNonNegative = [&](Value operand) {
    AffineExpr expr = translate(operand, depth);
    return expr && isNonNegative(expr);
  };
  std::optional<AffineMeaning> meaning =
      getAffineMeaning(result, {getConstant, isOperandNonNegative});
  // The host computes with 64 bits, which wrap as these do.
  if (!meaning || (meaning->mayWrap && getBitWidth(result.getType()) < 64))
    return {};
  SmallVector<AffineExpr> operands;
  for (Value operand : meaning->operands) {
    operands.push_back(translate(operand, depth));
    if (!operands.back())
      return {};
  }
  return meaning->expr.replaceSymbols(operands);
}

AffineExpr GridNeeds::translate(Value value, unsigned depth) {
  auto it = known.find(value);
  if (it != known.end())
    return it->second;
  AffineExpr expr = depth ? compute(value, depth - 1) : AffineExpr();
  known[value] = expr;
  return expr;
}

AffineExpr GridNeeds::translate(OpFoldResult value) {
  if (std::optional<int64_t> constant = getConstantIntValue(value))
    return getAffineConstantExpr(*constant, kernel->getContext());
  return translate(cast<Value>(value), kMaxDepth);
}

/// `expr` grows with its symbols and dimensions, or stays.
static bool isMonotone(AffineExpr expr) {
  auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
  if (!binary)
    return true;
  if (!isMonotone(binary.getLHS()) || !isMonotone(binary.getRHS()))
    return false;
  switch (binary.getKind()) {
  case AffineExprKind::Add:
    return true;
  case AffineExprKind::Mul:
  case AffineExprKind::FloorDiv:
  case AffineExprKind::CeilDiv:
    return isDivisor(binary.getRHS());
  default:
    return false;
  }
}

/// What `value` is at most: more workgroups than are needed do nothing. The
/// lesser of two may be either, of which a constant needs no argument.
AffineExpr GridNeeds::translateAtMost(Value value, unsigned depth) {
  AffineExpr exact = translate(value, kMaxDepth);
  Operation *op = value.getDefiningOp();
  if (exact || !op || depth == 0)
    return exact;
  SmallVector<AffineExpr> bounds;
  if (auto apply = dyn_cast<affine::AffineApplyOp>(op)) {
    AffineExpr expr = apply.getAffineMap().getResult(0);
    SmallVector<AffineExpr> operands;
    for (Value operand : apply.getMapOperands())
      operands.push_back(translateAtMost(operand, depth - 1));
    if (!isMonotone(expr) || !llvm::all_of(operands, [](AffineExpr operand) {
          return bool(operand);
        }))
      return {};
    unsigned dims = apply.getAffineMap().getNumDims();
    return expr.replaceDimsAndSymbols(ArrayRef(operands).take_front(dims),
                                      ArrayRef(operands).drop_front(dims));
  }
  IntegerOp kind = getIntegerOp(op);
  // Of an extent, which is not negative, the signs do not matter.
  if (kind == IntegerOp::MinS)
    for (Value operand : op->getOperands())
      bounds.push_back(translateAtMost(operand, depth - 1));
  for (AffineExpr bound : bounds)
    if (isa_and_present<AffineConstantExpr>(bound))
      return bound;
  for (AffineExpr bound : bounds)
    if (bound)
      return bound;
  // A quotient or a remainder of an extent is at most the extent.
  if (llvm::is_contained({IntegerOp::DivS, IntegerOp::DivU,
                          IntegerOp::FloorDivS, IntegerOp::CeilDivS,
                          IntegerOp::CeilDivU, IntegerOp::RemS,
                          IntegerOp::RemU},
                         kind)) {
    AffineExpr extent = translate(op->getOperand(0), kMaxDepth);
    return extent && isNonNegative(extent) ? extent : AffineExpr();
  }
  // A cast to no fewer bits.
  if (kind == IntegerOp::CastS && getBitWidth(op->getResult(0).getType()) >=
                                      getBitWidth(op->getOperand(0).getType()))
    return translateAtMost(op->getOperand(0), depth - 1);
  // The greater of two extents, or one of them, is at most both together.
  if (kind != IntegerOp::MaxS && !isa<arith::SelectOp>(op))
    return {};
  AffineExpr sum = getAffineConstantExpr(0, kernel->getContext());
  for (Value operand : op->getOperands().take_back(2)) {
    AffineExpr bound = translateAtMost(operand, depth - 1);
    if (!bound || !isNonNegative(bound))
      return {};
    sum = sum + bound;
  }
  return sum;
}

//===----------------------------------------------------------------------===//
// Foralls
//===----------------------------------------------------------------------===//

AffineExpr GridNeeds::getTripCount(scf::ForallOp forall, unsigned dim) {
  AffineExpr lower = translate(forall.getMixedLowerBound()[dim]);
  OpFoldResult end = forall.getMixedUpperBound()[dim];
  AffineExpr upper = translate(end);
  if (auto dynamic = dyn_cast<Value>(end); dynamic && !upper)
    upper = translateAtMost(dynamic, kMaxChoices);
  AffineExpr step = translate(forall.getMixedStep()[dim]);
  if (!lower || !upper || !step || !isDivisor(step))
    return {};
  return (upper - lower).ceilDiv(step);
}

void GridNeeds::add(scf::ForallOp forall, const ForallMapping &mapping) {
  AffineExpr total = getAffineConstantExpr(1, kernel->getContext());
  SmallVector<AffineExpr> trips;
  for (unsigned dim = 0; dim < mapping.dims.size(); ++dim) {
    AffineExpr trip = getTripCount(forall, dim);
    isKnown &= bool(trip);
    if (!isKnown)
      return;
    // Nothing is left of such a forall.
    auto constant = dyn_cast<AffineConstantExpr>(trip);
    if (constant && constant.getValue() <= 0)
      trip = total = getAffineConstantExpr(0, kernel->getContext());
    trips.push_back(trip);
    total = total * trip;
  }
  if (mapping.linear)
    totals.push_back(total);
  else
    for (auto [trip, dim] : llvm::zip_equal(trips, mapping.dims))
      extents[dim].push_back(trip);
}

/// True for a kernel that is not for its foralls' grid alone.
static bool readsGrid(FunctionOpInterface kernel) {
  return kernel
      ->walk([](Operation *op) {
        std::optional<HardwareId> id = getHardwareId(op);
        bool reads =
            (id &&
             (id->isOfWorkgroup() || id->kind == HardwareId::Kind::GridDim)) ||
            isa<NVVM::BlockIdXOp, NVVM::BlockIdYOp, NVVM::BlockIdZOp,
                NVVM::GridDimXOp, NVVM::GridDimYOp, NVVM::GridDimZOp,
                ROCDL::BlockIdXOp, ROCDL::BlockIdYOp, ROCDL::BlockIdZOp,
                ROCDL::GridDimXOp, ROCDL::GridDimYOp, ROCDL::GridDimZOp>(op);
        return reads ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

AffineMap GridNeeds::getMap(ArrayRef<AffineExpr> exprs) const {
  AffineExpr one = getAffineConstantExpr(1, kernel->getContext());
  return AffineMap::get(0, symbols.size(), exprs.empty() ? one : exprs,
                        kernel->getContext());
}

GridSize GridNeeds::getArranged() const {
  GridSize size{{}, symbols};
  for (const auto &exprs : extents)
    size.extents.push_back(getMap(exprs));
  return size;
}

GridSize GridNeeds::getTogether() const { return {{getMap(totals)}, symbols}; }

std::optional<GridSize> GridNeeds::get() const {
  bool isArranged =
      llvm::any_of(extents, [](const auto &exprs) { return !exprs.empty(); });
  if (!isKnown || isArranged == !totals.empty() || readsGrid(kernel))
    return std::nullopt;
  return isArranged ? getArranged() : getTogether();
}

std::optional<LaunchSizes> GridNeeds::getStatic() const {
  if (!isKnown || !symbols.empty() || readsGrid(kernel))
    return std::nullopt;
  std::optional<LaunchSizes> grid = getArranged().evaluate({});
  std::optional<LaunchSizes> all = getTogether().evaluate({});
  int64_t layers;
  if (!grid || !all || llvm::MulOverflow((*grid)[1], (*grid)[2], layers))
    return std::nullopt;
  // Where some foralls count all workgroups, x has room for these.
  (*grid)[0] =
      std::max<int64_t>((*grid)[0], llvm::divideCeil((*all)[0], layers));
  return grid;
}
