//===- Divisors.cpp - numbers that divide extents -------------------------===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Transforms/Tile/Divisors.h"
#include "MemSpace/IR/ArgumentBounds.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Interfaces/ValueBoundsOpInterface.h"
#include <numeric>

using namespace mlir;
using namespace mlir::memspace;

/// How many ops are looked through.
static constexpr unsigned kMaxDepth = 32;

static int64_t getDivisor(OpFoldResult number, unsigned depth);
static int64_t getDivisor(Value shaped, int64_t dim, unsigned depth);

static int64_t multiply(int64_t a, int64_t b) {
  int64_t product;
  return llvm::MulOverflow(a, b, product) ? std::max(a, b) : product;
}

/// Of `expr` of operands with these divisors.
static int64_t getDivisor(AffineExpr expr, unsigned numDims,
                          ArrayRef<int64_t> operands) {
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return constant.getValue() == INT64_MIN ? 1 : std::abs(constant.getValue());
  if (auto dim = dyn_cast<AffineDimExpr>(expr))
    return operands[dim.getPosition()];
  if (auto symbol = dyn_cast<AffineSymbolExpr>(expr))
    return operands[numDims + symbol.getPosition()];
  auto binary = cast<AffineBinaryOpExpr>(expr);
  int64_t left = getDivisor(binary.getLHS(), numDims, operands);
  int64_t right = getDivisor(binary.getRHS(), numDims, operands);
  switch (binary.getKind()) {
  case AffineExprKind::Add:
  case AffineExprKind::Mod:
    return std::gcd(left, right);
  case AffineExprKind::Mul:
    return multiply(left, right);
  case AffineExprKind::FloorDiv:
  case AffineExprKind::CeilDiv: {
    auto constant = dyn_cast<AffineConstantExpr>(binary.getRHS());
    return constant && constant.getValue() > 0 &&
                   left % constant.getValue() == 0
               ? left / constant.getValue()
               : 1;
  }
  default:
    return 1;
  }
}

static int64_t getDivisor(OpFoldResult number, unsigned depth) {
  if (std::optional<int64_t> constant = getConstantIntValue(number))
    return *constant == INT64_MIN ? 1 : std::abs(*constant);
  auto value = dyn_cast<Value>(number);
  if (!value || depth == kMaxDepth)
    return 1;
  auto get = [&](OpFoldResult other) { return getDivisor(other, depth + 1); };
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    auto loop =
        dyn_cast<LoopLikeOpInterface>(argument.getOwner()->getParentOp());
    std::optional<SmallVector<Value>> counters =
        loop ? loop.getLoopInductionVars() : std::nullopt;
    if (!counters)
      return getPromisedBounds(value, std::nullopt).multipleOf;
    std::optional<SmallVector<OpFoldResult>> lower = loop.getLoopLowerBounds(),
                                             steps = loop.getLoopSteps();
    auto it = llvm::find(*counters, value);
    if (it == counters->end() || !lower || !steps)
      return 1;
    size_t position = it - counters->begin();
    return std::gcd(get((*lower)[position]), get((*steps)[position]));
  }
  Operation *op = value.getDefiningOp();
  if (auto dim = dyn_cast<ShapedDimOpInterface>(op)) {
    std::optional<int64_t> index = getConstantIntValue(dim.getDimension());
    return index ? getDivisor(dim.getShapedValue(), *index, depth + 1) : 1;
  }
  if (auto apply = dyn_cast<affine::AffineApplyOp>(op)) {
    SmallVector<int64_t> operands;
    for (Value operand : apply.getOperands())
      operands.push_back(get(operand));
    AffineMap map = apply.getMap();
    return getDivisor(map.getResult(0), map.getNumDims(), operands);
  }
  // What is computed of extents does not overflow.
  if (!value.getType().isIndex())
    return 1;
  if (isa<arith::MulIOp>(op))
    return multiply(get(op->getOperand(0)), get(op->getOperand(1)));
  if (isa<arith::AddIOp, arith::SubIOp>(op))
    return std::gcd(get(op->getOperand(0)), get(op->getOperand(1)));
  return 1;
}

static int64_t getDivisor(Value shaped, int64_t dim, unsigned depth) {
  auto type = cast<ShapedType>(shaped.getType());
  if (!type.hasRank() || dim < 0 || dim >= type.getRank() || depth == kMaxDepth)
    return 1;
  if (!type.isDynamicDim(dim))
    return type.getDimSize(dim);
  auto get = [&](OpFoldResult size) { return getDivisor(size, depth + 1); };
  Operation *op = shaped.getDefiningOp();
  if (!op)
    return getPromisedBounds(shaped, dim).multipleOf;
  if (auto content = dyn_cast<bufferization::ToTensorOp>(op))
    return getDivisor(content.getBuffer(), dim, depth + 1);
  if (auto cast = dyn_cast<tensor::CastOp>(op))
    return getDivisor(cast.getSource(), dim, depth + 1);
  if (auto cast = dyn_cast<memref::CastOp>(op))
    return isa<MemRefType>(cast.getSource().getType())
               ? getDivisor(cast.getSource(), dim, depth + 1)
               : 1;
  if (auto empty = dyn_cast<tensor::EmptyOp>(op))
    return get(empty.getMixedSizes()[dim]);
  if (auto alloc = dyn_cast<memref::AllocOp>(op))
    return get(alloc.getMixedSizes()[dim]);
  if (auto slice = dyn_cast<tensor::ExtractSliceOp>(op))
    return slice.getSourceType().getRank() == type.getRank()
               ? get(slice.getMixedSizes()[dim])
               : 1;
  if (auto expand = dyn_cast<tensor::ExpandShapeOp>(op))
    return get(expand.getMixedOutputShape()[dim]);
  if (auto collapse = dyn_cast<tensor::CollapseShapeOp>(op)) {
    int64_t divisor = 1;
    for (int64_t part : collapse.getReassociationIndices()[dim])
      divisor =
          multiply(divisor, getDivisor(collapse.getSrc(), part, depth + 1));
    return divisor;
  }
  if (auto style = dyn_cast<DestinationStyleOpInterface>(op))
    return getDivisor(style.getTiedOpOperand(cast<OpResult>(shaped))->get(),
                      dim, depth + 1);
  return 1;
}

int64_t memspace::getKnownDivisor(OpFoldResult number) {
  return getDivisor(number, 0);
}

int64_t memspace::getKnownDivisor(Value shaped, int64_t dim) {
  return getDivisor(shaped, dim, 0);
}

/// Of a linalg op, of which each operand may promise a divisor.
static SmallVector<LoopExtent> getExtentsOfLinalg(linalg::LinalgOp op) {
  SmallVector<LoopExtent> result;
  for (int64_t extent : op.getStaticLoopRanges())
    result.push_back({extent, 1});
  for (OpOperand &operand : op->getOpOperands()) {
    AffineMap map = op.getMatchingIndexingMap(&operand);
    for (auto [dim, expr] : llvm::enumerate(map.getResults()))
      if (auto loop = dyn_cast<AffineDimExpr>(expr))
        result[loop.getPosition()].divisor =
            std::max(result[loop.getPosition()].divisor,
                     getKnownDivisor(operand.get(), dim));
  }
  return result;
}

SmallVector<LoopExtent> memspace::getLoopExtents(TilingInterface op) {
  if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op.getOperation()))
    return getExtentsOfLinalg(linalgOp);
  // Extents that are not constant are ops that nobody needs.
  struct : OpBuilder::Listener {
    void notifyOperationInserted(Operation *op,
                                 OpBuilder::InsertPoint) override {
      made.push_back(op);
    }
    SmallVector<Operation *> made;
  } listener;
  OpBuilder builder(op, &listener);
  SmallVector<LoopExtent> result;
  for (const Range &range : op.getIterationDomain(builder)) {
    LoopExtent &loop = result.emplace_back();
    if (std::optional<int64_t> extent = getConstantIntValue(range.size)) {
      loop = {*extent, std::max<int64_t>(*extent, 1)};
      continue;
    }
    auto dim = cast<Value>(range.size).getDefiningOp<tensor::DimOp>();
    if (std::optional<int64_t> number =
            dim ? dim.getConstantIndex() : std::nullopt)
      loop.divisor = getKnownDivisor(dim.getSource(), *number);
  }
  for (Operation *made : llvm::reverse(listener.made))
    made->erase();
  return result;
}

ArrayAttr memspace::getKnownBounds(Value shaped) {
  auto type = cast<ShapedType>(shaped.getType());
  MLIRContext *context = shaped.getContext();
  SmallVector<Attribute> dims;
  bool isKnown = false;
  for (int64_t dim = 0; dim < type.getRank(); ++dim) {
    NumberBounds bounds;
    if (type.isDynamicDim(dim)) {
      auto getBound = [&](presburger::BoundType kind) {
        FailureOr<int64_t> bound =
            ValueBoundsConstraintSet::computeConstantBound(
                kind, ValueBoundsConstraintSet::Variable(shaped, dim),
                /*stopCondition=*/nullptr, /*closedUB=*/true);
        return succeeded(bound) ? std::optional(*bound) : std::nullopt;
      };
      bounds.min = getBound(presburger::BoundType::LB);
      bounds.max = getBound(presburger::BoundType::UB);
      if (bounds.min && *bounds.min <= 0)
        bounds.min.reset();
      bounds.multipleOf = std::max<int64_t>(getKnownDivisor(shaped, dim), 1);
    }
    isKnown |= !bounds.isTrivial();
    dims.push_back(bounds.getAttr(context));
  }
  return isKnown ? ArrayAttr::get(context, dims) : ArrayAttr();
}

bool memspace::hasPromisedBounds(FunctionOpInterface function) {
  return llvm::any_of(llvm::seq<unsigned>(0, function.getNumArguments()),
                      [&](unsigned number) {
                        return function.getArgAttr(number, kBoundsAttr);
                      });
}

namespace {
/// affine.min of a constant and of multiples of it that are not 0.
struct FoldWholeTile : public OpRewritePattern<affine::AffineMinOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(affine::AffineMinOp op,
                                PatternRewriter &rewriter) const override {
    AffineMap map = op.getMap();
    std::optional<int64_t> tile;
    for (AffineExpr expr : map.getResults())
      if (auto constant = dyn_cast<AffineConstantExpr>(expr))
        tile = std::min(tile.value_or(INT64_MAX), constant.getValue());
    if (!tile || *tile < 1)
      return failure();
    SmallVector<int64_t> operands;
    for (Value operand : op.getOperands())
      operands.push_back(memspace::getKnownDivisor(OpFoldResult(operand)));
    for (auto [number, expr] : llvm::enumerate(map.getResults())) {
      if (isa<AffineConstantExpr>(expr))
        continue;
      if (getDivisor(expr, map.getNumDims(), operands) % *tile != 0)
        return failure();
      FailureOr<int64_t> lower = ValueBoundsConstraintSet::computeConstantBound(
          presburger::BoundType::LB,
          ValueBoundsConstraintSet::Variable(map.getSubMap(number),
                                             op.getOperands()));
      if (failed(lower) || *lower < 1)
        return failure();
    }
    rewriter.replaceOpWithNewOp<arith::ConstantIndexOp>(op, *tile);
    return success();
  }
};
} // namespace

void memspace::populateWholeTilePatterns(RewritePatternSet &patterns) {
  patterns.add<FoldWholeTile>(patterns.getContext());
}
