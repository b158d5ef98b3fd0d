//===- TiledLinalg.cpp - linalg ops on tensors in other layouts -----------===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TiledLinalg.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include <set>

using namespace mlir;
using namespace mlir::memspace;

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

/// `count` of a tensor's extents, as one of the loops that `map` goes over.
static std::optional<LayoutCount> inLoops(const LayoutCount &count,
                                          AffineMap map) {
  LayoutCount result(count.getNumerator());
  if (!result.divide(count.getDenominator()))
    return std::nullopt;
  for (UnknownCount unknown : count.getUnknowns()) {
    unknown.dim = map.getDimPosition(unknown.dim);
    result.multiply(unknown);
  }
  return result;
}

/// Tiles of all operands, by loop. False where tiles of one loop do not divide
/// each other.
bool TiledLinalg::collectDigits(TensorLayouts &layouts) {
  unsigned numOldLoops = op.getNumLoops();
  SmallVector<std::set<int64_t>> tiles(numOldLoops);
  for (OpOperand &operand : op->getOpOperands()) {
    if (!isa<RankedTensorType>(operand.get().getType()))
      continue;
    AffineMap map = op.getMatchingIndexingMap(&operand);
    for (const LayoutAxis &axis : layouts.get(operand.get()).axes)
      if (axis.kind == LayoutAxis::Kind::Outer ||
          axis.kind == LayoutAxis::Kind::Inner)
        tiles[map.getDimPosition(axis.dim)].insert(axis.tile);
  }
  digits.resize(numOldLoops);
  for (unsigned loop = 0; loop < numOldLoops; ++loop) {
    int64_t stride = 1;
    for (int64_t tile : tiles[loop]) {
      if (tile % stride != 0)
        return false;
      digits[loop].push_back({loop, stride, tile / stride});
      stride = tile;
    }
    digits[loop].push_back({loop, stride, std::nullopt});
  }
  return true;
}

/// Cuts the memory of `operand` into the digits of its loops. False where it
/// has other extents than they need.
bool TiledLinalg::makeView(OpOperand &operand, const TensorLayout &layout) {
  AffineMap map = op.getMatchingIndexingMap(&operand);
  View view;
  for (const LayoutAxis &axis : layout.axes) {
    if (axis.kind == LayoutAxis::Kind::Padding)
      return false;
    unsigned loop = map.getDimPosition(axis.dim);
    ReassociationIndices group;
    LayoutCount rest = axis.extent;
    SmallVector<std::pair<const Digit *, int64_t>> parts;
    for (const Digit &digit : digits[loop]) {
      if ((axis.kind == LayoutAxis::Kind::Outer && digit.stride < axis.tile) ||
          (axis.kind == LayoutAxis::Kind::Inner && digit.stride >= axis.tile))
        continue;
      if (digit.radix) {
        if (!rest.divide(*digit.radix))
          return false;
        parts.push_back({&digit, *digit.radix});
        continue;
      }
      // What is left is that of all operands.
      if (rest.getUnknowns().empty() && rest.getDenominator() != 1)
        return false;
      std::optional<LayoutCount> extent = inLoops(rest, map);
      if (!extent || (outermost[loop] && *outermost[loop] != *extent))
        return false;
      outermost[loop] = extent;
      parts.push_back(
          {&digit, rest.getNumber().value_or(ShapedType::kDynamic)});
      rest = LayoutCount(1);
    }
    if (rest != LayoutCount(1))
      return false;
    for (auto [digit, extent] : llvm::reverse(parts)) {
      group.push_back(view.shape.size());
      view.shape.push_back(extent);
      view.loops.push_back(digit - digits[loop].data());
    }
    // Which digits: numbered when all operands are known.
    for (unsigned &index : MutableArrayRef(view.loops).take_back(group.size()))
      index |= loop << 16;
    view.groups.push_back(std::move(group));
  }
  for (auto [dim, extent] : llvm::enumerate(layout.extents)) {
    unsigned loop = map.getDimPosition(dim);
    LayoutCount size;
    if (extent.size)
      size = LayoutCount(*extent.size);
    else
      size.multiply(UnknownCount{loop, 1, 1});
    // A static extent says more than an unknown one.
    if (!logical[loop] || extent.size)
      logical[loop] = size;
  }
  views.push_back(std::move(view));
  return true;
}

/// Ops that may be executed for elements that do not exist.
static bool isSafeForPadding(Region &body) {
  return llvm::all_of(body.front().without_terminator(), [](Operation &op) {
    return isPure(&op) && op.getNumRegions() == 0 &&
           llvm::none_of(op.getOperandTypes(), llvm::IsaPred<ShapedType>);
  });
}

/// Finds the loops over padding. False where they would do harm.
bool TiledLinalg::checkPadding() {
  masked.resize(digits.size());
  bool isPadded = false;
  SmallVector<utils::IteratorType> iterators = op.getIteratorTypesArray();
  for (unsigned loop = 0; loop < digits.size(); ++loop) {
    // No operand moves along it: the extent is one.
    LayoutCount covered = outermost[loop].value_or(LayoutCount(1));
    for (const Digit &digit : digits[loop])
      if (digit.radix && !covered.multiply(*digit.radix))
        return false;
    if (!logical[loop])
      return false;
    if (covered == *logical[loop])
      continue;
    isPadded = true;
    if (iterators[loop] != utils::IteratorType::parallel)
      masked.set(loop);
  }
  return !isPadded || isSafeForPadding(op->getRegion(0));
}

std::optional<TiledLinalg> TiledLinalg::plan(linalg::LinalgOp op,
                                             TensorLayouts &layouts) {
  TiledLinalg tiled(op);
  if (op->getNumRegions() != 1 || !op.hasPureTensorSemantics())
    return std::nullopt;
  for (OpOperand &operand : op->getOpOperands())
    if (isa<RankedTensorType>(operand.get().getType()) &&
        !op.getMatchingIndexingMap(&operand).isProjectedPermutation())
      return std::nullopt;
  for (auto [init, result] :
       llvm::zip_equal(op.getDpsInits(), op->getResults()))
    if (!layouts.get(init).isSame(layouts.get(result)))
      return std::nullopt;
  if (!tiled.collectDigits(layouts))
    return std::nullopt;
  tiled.outermost.resize(tiled.digits.size());
  tiled.logical.resize(tiled.digits.size());
  for (OpOperand &operand : op->getOpOperands())
    if (!isa<RankedTensorType>(operand.get().getType()))
      tiled.views.emplace_back();
    else if (!tiled.makeView(operand, layouts.get(operand.get())))
      return std::nullopt;
  if (!tiled.checkPadding())
    return std::nullopt;
  // Outer parts of all indices first, then what is in tiles; but several loops
  // of a reduction reach its elements in the order that they had. A loop along
  // which nothing moves is none.
  SmallVector<utils::IteratorType> iterators = op.getIteratorTypesArray();
  bool keepsOrder = op.getNumReductionLoops() > 1;
  for (unsigned depth = 0, left = 1; left != 0; ++depth) {
    left = 0;
    for (auto [loop, parts] : llvm::enumerate(tiled.digits)) {
      bool isWhole =
          keepsOrder && iterators[loop] != utils::IteratorType::parallel;
      if (depth >= (isWhole ? 1 : parts.size()))
        continue;
      ++left;
      if (!tiled.outermost[loop])
        continue;
      if (isWhole)
        for (Digit &digit : llvm::reverse(parts))
          digit.number = tiled.numLoops++;
      else
        parts[parts.size() - 1 - depth].number = tiled.numLoops++;
    }
  }
  return tiled;
}

//===----------------------------------------------------------------------===//
// The new op
//===----------------------------------------------------------------------===//

/// The index of a loop of the old op in those of the new one.
AffineExpr TiledLinalg::getIndex(unsigned loop) const {
  MLIRContext *context = op->getContext();
  AffineExpr index = getAffineConstantExpr(0, context);
  if (!outermost[loop])
    return index;
  for (const Digit &digit : digits[loop])
    index = index + getAffineDimExpr(digit.number, context) * digit.stride;
  return index;
}

void TiledLinalg::makeBody(OpBuilder &builder, Location loc,
                           ValueRange arguments,
                           ArrayRef<OpFoldResult> extents) {
  SmallVector<OpFoldResult> indices;
  auto getIndexValue = [&](unsigned loop) -> Value {
    if (indices.empty())
      for (unsigned i = 0; i < numLoops; ++i)
        indices.push_back(linalg::IndexOp::create(builder, loc, i).getResult());
    AffineExpr expr = getIndex(loop);
    return getValueOrCreateConstantIndexOp(
        builder, loc,
        affine::makeComposedFoldedAffineApply(
            builder, loc, AffineMap::get(numLoops, 0, expr), indices));
  };
  IRMapping mapping;
  Block &body = op->getRegion(0).front();
  mapping.map(body.getArguments(), arguments);
  for (Operation &inner : body.without_terminator())
    if (auto index = dyn_cast<linalg::IndexOp>(inner))
      mapping.map(index.getResult(), getIndexValue(index.getDim()));
    else
      builder.clone(inner, mapping);
  SmallVector<Value> results;
  for (Value result : body.getTerminator()->getOperands())
    results.push_back(mapping.lookupOrDefault(result));
  // Padding adds nothing to a reduction.
  Value isInside;
  for (unsigned loop : masked.set_bits()) {
    Value holds = arith::CmpIOp::create(
        builder, loc, arith::CmpIPredicate::slt, getIndexValue(loop),
        getValueOrCreateConstantIndexOp(builder, loc, extents[loop]));
    isInside = isInside
                   ? Value(arith::AndIOp::create(builder, loc, isInside, holds))
                   : holds;
  }
  if (isInside)
    for (auto [result, old] :
         llvm::zip_equal(results, arguments.take_back(results.size())))
      result = arith::SelectOp::create(builder, loc, isInside, result, old);
  linalg::YieldOp::create(builder, loc, results);
}

void TiledLinalg::rewrite(RewriterBase &rewriter,
                          ArrayRef<OpFoldResult> extents,
                          TensorLayouts &layouts) {
  MLIRContext *context = op->getContext();
  Location loc = op.getLoc();
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(op);
  SmallVector<Value> inputs, outputs;
  SmallVector<AffineMap> maps;
  for (auto [operand, view] : llvm::zip_equal(op->getOpOperands(), views)) {
    Value value = operand.get();
    SmallVector<AffineExpr> results;
    for (unsigned packed : view.loops)
      results.push_back(getAffineDimExpr(
          digits[packed >> 16][packed & 0xffff].number, context));
    maps.push_back(AffineMap::get(numLoops, 0, results, context));
    if (view.isReshaped())
      value = tensor::ExpandShapeOp::create(
          rewriter, loc,
          RankedTensorType::get(view.shape, getElementTypeOrSelf(value)), value,
          view.groups);
    (op.isDpsInit(&operand) ? outputs : inputs).push_back(value);
  }
  SmallVector<utils::IteratorType> iterators(numLoops);
  SmallVector<utils::IteratorType> oldIterators = op.getIteratorTypesArray();
  for (auto [loop, parts] : llvm::enumerate(digits))
    if (outermost[loop])
      for (const Digit &digit : parts)
        iterators[digit.number] = oldIterators[loop];
  auto generic = linalg::GenericOp::create(
      rewriter, loc, TypeRange(ValueRange(outputs)), inputs, outputs, maps,
      iterators, [&](OpBuilder &builder, Location loc, ValueRange arguments) {
        makeBody(builder, loc, arguments, extents);
      });
  for (NamedAttribute attr : op->getDiscardableAttrs())
    if (attr.getName() != kTargetAttr)
      generic->setDiscardableAttr(attr.getName(), attr.getValue());
  SmallVector<Value> results;
  for (auto [result, old, view] :
       llvm::zip_equal(generic.getResults(), op->getResults(),
                       ArrayRef(views).take_back(generic.getNumResults()))) {
    Value value = result;
    if (view.isReshaped())
      value = tensor::CollapseShapeOp::create(rewriter, loc, old.getType(),
                                              value, view.groups);
    layouts.set(value, layouts.get(old));
    layouts.erase(old);
    results.push_back(value);
  }
  rewriter.replaceOp(op, results);
}
