//===- ReductionParts.cpp - parts of loops and of reductions --------------===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Transforms/Tile/ReductionParts.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/TilingInterface.h"

using namespace mlir;
using namespace mlir::memspace;

bool memspace::canReduceInSteps(linalg::LinalgOp op) {
  auto isLoopOrZero = [](AffineExpr expr) {
    auto constant = dyn_cast<AffineConstantExpr>(expr);
    return isa<AffineDimExpr>(expr) || (constant && constant.getValue() == 0);
  };
  AffineMap written = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
  return llvm::all_of(written.getResults(), isLoopOrZero) &&
         llvm::all_of(op.getDpsInitsMutable(), [&](OpOperand &init) {
           return op.getMatchingIndexingMap(&init) == written;
         });
}

std::optional<std::pair<linalg::LinalgOp, linalg::LinalgOp>>
memspace::reduceInSteps(RewriterBase &rewriter, linalg::LinalgOp op,
                        const Combination &combination,
                        ArrayRef<unsigned> last) {
  if (!canReduceInSteps(op))
    return std::nullopt;
  AffineMap written = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
  rewriter.setInsertionPoint(op);
  Location loc = op.getLoc();
  SmallVector<int64_t> extents = op.getStaticLoopRanges();
  SmallVector<utils::IteratorType> types = op.getIteratorTypesArray();
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  for (unsigned loop : last)
    types[loop] = utils::IteratorType::parallel;
  SmallVector<int64_t> shape(
      cast<ShapedType>(op->getResultTypes()[0]).getShape());
  SmallVector<AffineExpr> exprs(written.getResults());
  for (unsigned loop : last) {
    shape.push_back(extents[loop]);
    exprs.push_back(rewriter.getAffineDimExpr(loop));
  }
  maps.resize(op.getNumDpsInputs());
  maps.append(combination.neutral.size(),
              AffineMap::get(extents.size(), 0, exprs, rewriter.getContext()));
  SmallVector<Value> parts;
  for (TypedAttr start : combination.neutral) {
    Value neutral = arith::ConstantOp::create(rewriter, loc, start);
    Value empty =
        tensor::EmptyOp::create(rewriter, loc, shape, start.getType());
    parts.push_back(
        linalg::FillOp::create(rewriter, loc, neutral, empty).getResult(0));
  }
  auto first =
      linalg::GenericOp::create(rewriter, loc, TypeRange(ValueRange(parts)),
                                op.getDpsInputs(), parts, maps, types);
  rewriter.cloneRegionBefore(op->getRegion(0), first.getRegion(),
                             first.getRegion().end());
  if (combination.extend) {
    OpBuilder::InsertionGuard guard(rewriter);
    combination.extend(rewriter, *first.getBody());
  }
  unsigned rank = written.getNumResults(), loops = rank + last.size();
  AffineMap all = rewriter.getMultiDimIdentityMap(loops);
  SmallVector<AffineMap> secondMaps(parts.size(), all);
  secondMaps.append(op->getNumResults(),
                    AffineMap::get(loops, 0, all.getResults().take_front(rank),
                                   rewriter.getContext()));
  SmallVector<utils::IteratorType> secondTypes(rank,
                                               utils::IteratorType::parallel);
  secondTypes.append(last.size(), utils::IteratorType::reduction);
  auto second = linalg::GenericOp::create(
      rewriter, loc, op->getResultTypes(), first.getResults(), op.getDpsInits(),
      secondMaps, secondTypes,
      [&](OpBuilder &builder, Location loc, ValueRange arguments) {
        linalg::YieldOp::create(
            builder, loc,
            combination.combine(builder, arguments.take_front(parts.size()),
                                arguments.drop_front(parts.size())));
      });
  if (combination.isOrdered)
    second->setAttr(kOfPartsAttr, rewriter.getUnitAttr());
  rewriter.replaceOp(op, second.getResults());
  return std::make_pair(cast<linalg::LinalgOp>(first.getOperation()),
                        cast<linalg::LinalgOp>(second.getOperation()));
}

/// A generic op with the payload of `op`, where its loop `cut` is two: the
/// inner one has `ratio` iterations. An argument at `unread`, if given, is not
/// read.
static linalg::GenericOp
createWithCutLoop(RewriterBase &rewriter, linalg::LinalgOp op, unsigned cut,
                  OpFoldResult ratio, ValueRange inputs,
                  ArrayRef<AffineMap> maps,
                  std::optional<unsigned> unread = std::nullopt) {
  Location loc = op.getLoc();
  SmallVector<utils::IteratorType> types = op.getIteratorTypesArray();
  types.insert(types.begin() + cut, types[cut]);
  auto generic =
      linalg::GenericOp::create(rewriter, loc, op->getResultTypes(), inputs,
                                op.getDpsInits(), maps, types);
  rewriter.cloneRegionBefore(op->getRegion(0), generic.getRegion(),
                             generic.getRegion().end());
  if (op->hasAttr(kOfPartsAttr))
    generic->setAttr(kOfPartsAttr, rewriter.getUnitAttr());
  if (unread)
    generic.getBody()->insertArgument(*unread, rewriter.getI8Type(), loc);
  SmallVector<linalg::IndexOp> indices;
  generic.getBody()->walk(
      [&](linalg::IndexOp index) { indices.push_back(index); });
  for (linalg::IndexOp index : indices) {
    uint64_t loop = index.getDim();
    if (loop > cut)
      index.setDim(loop + 1);
    if (loop != cut)
      continue;
    rewriter.setInsertionPointAfter(index);
    Value second = linalg::IndexOp::create(rewriter, loc, cut + 1);
    Operation *first;
    Value whole;
    if (std::optional<int64_t> constant = getConstantIntValue(ratio)) {
      whole = affine::AffineApplyOp::create(
          rewriter, loc,
          rewriter.getAffineDimExpr(0) * *constant +
              rewriter.getAffineDimExpr(1),
          ValueRange{index.getResult(), second});
      first = whole.getDefiningOp();
    } else {
      Value begin = arith::MulIOp::create(rewriter, loc, index.getResult(),
                                          cast<Value>(ratio));
      whole = arith::AddIOp::create(rewriter, loc, begin, second);
      first = begin.getDefiningOp();
    }
    rewriter.replaceAllUsesExcept(index, whole, first);
  }
  rewriter.replaceOp(op, generic.getResults());
  return generic;
}

linalg::LinalgOp memspace::cutLoop(RewriterBase &rewriter, linalg::LinalgOp op,
                                   unsigned cut, int64_t ratio) {
  rewriter.setInsertionPoint(op);
  unsigned loops = op.getNumLoops() + 1;
  AffineExpr outer = rewriter.getAffineDimExpr(cut),
             inner = rewriter.getAffineDimExpr(cut + 1);
  SmallVector<AffineExpr> replacements;
  for (unsigned loop = 0; loop + 1 < loops; ++loop)
    replacements.push_back(
        loop == cut ? outer * ratio + inner
                    : rewriter.getAffineDimExpr(loop + (loop > cut)));
  SmallVector<AffineMap> maps;
  for (AffineMap map : op.getIndexingMapsArray())
    maps.push_back(simplifyAffineMap(
        map.replaceDimsAndSymbols(replacements, {}, loops, 0)));
  unsigned place = op.getNumDpsInputs();
  maps.insert(maps.begin() + place,
              AffineMap::get(loops, 0, {outer, inner}, rewriter.getContext()));
  SmallVector<Value> inputs(op.getDpsInputs());
  inputs.push_back(tensor::EmptyOp::create(
      rewriter, op.getLoc(), {op.getStaticLoopRanges()[cut] / ratio, ratio},
      rewriter.getI8Type()));
  return createWithCutLoop(rewriter, op, cut, rewriter.getIndexAttr(ratio),
                           inputs, maps, place);
}

bool memspace::canExpandLoop(linalg::LinalgOp op, unsigned loop) {
  bool isRead = false;
  for (OpOperand *input : op.getDpsInputOperands()) {
    AffineMap map = op.getMatchingIndexingMap(input);
    unsigned count = llvm::count_if(map.getResults(), [&](AffineExpr expr) {
      return expr.isFunctionOfDim(loop);
    });
    if (count > 1 ||
        (count == 1 &&
         !llvm::is_contained(map.getResults(),
                             getAffineDimExpr(loop, op.getContext()))))
      return false;
    isRead |= count == 1;
  }
  return isRead;
}

linalg::LinalgOp memspace::expandLoop(RewriterBase &rewriter,
                                      linalg::LinalgOp op, unsigned cut,
                                      OpFoldResult count, OpFoldResult ratio) {
  rewriter.setInsertionPoint(op);
  Location loc = op.getLoc();
  unsigned loops = op.getNumLoops() + 1;
  SmallVector<AffineMap> maps;
  SmallVector<Value> inputs;
  for (OpOperand &operand : op->getOpOperands()) {
    auto type = dyn_cast<RankedTensorType>(operand.get().getType());
    SmallVector<OpFoldResult> sizes;
    if (type)
      sizes = tensor::getMixedSizes(rewriter, loc, operand.get());
    SmallVector<AffineExpr> exprs;
    SmallVector<ReassociationIndices> groups;
    SmallVector<OpFoldResult> newSizes;
    SmallVector<int64_t> shape;
    bool isCut = false;
    for (auto [dim, expr] : llvm::enumerate(op.getMatchingIndexingMap(&operand)
                                                .shiftDims(1, cut + 1)
                                                .getResults())) {
      ReassociationIndices &group = groups.emplace_back();
      auto add = [&](AffineExpr expr, OpFoldResult size) {
        group.push_back(exprs.size());
        exprs.push_back(expr);
        newSizes.push_back(size);
        shape.push_back(
            getConstantIntValue(size).value_or(ShapedType::kDynamic));
      };
      if (expr == rewriter.getAffineDimExpr(cut)) {
        isCut = true;
        add(expr, count);
        add(rewriter.getAffineDimExpr(cut + 1), ratio);
      } else {
        add(expr, sizes[dim]);
      }
    }
    maps.push_back(AffineMap::get(loops, 0, exprs, rewriter.getContext()));
    if (op.isDpsInit(&operand))
      continue;
    Value input = operand.get();
    if (isCut)
      input = tensor::ExpandShapeOp::create(
          rewriter, loc, RankedTensorType::get(shape, type.getElementType()),
          input, groups, newSizes);
    inputs.push_back(input);
  }
  return createWithCutLoop(rewriter, op, cut, ratio, inputs, maps);
}

linalg::LinalgOp memspace::takePart(RewriterBase &rewriter, linalg::LinalgOp op,
                                    unsigned cut, OpFoldResult first,
                                    OpFoldResult count) {
  SmallVector<OpFoldResult> offsets, sizes;
  for (const Range &range :
       cast<TilingInterface>(op.getOperation()).getIterationDomain(rewriter)) {
    offsets.push_back(range.offset);
    sizes.push_back(range.size);
  }
  offsets[cut] = first;
  sizes[cut] = count;
  return cast<linalg::LinalgOp>(
      cast<TilingInterface>(op.getOperation())
          .getTiledImplementation(rewriter, offsets, sizes)
          ->tiledOps.front());
}
