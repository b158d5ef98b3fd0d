//===- MovesToGeneric.cpp - ops for each element of what is moved ---------===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A tensor that another one is put into would have to be held as a whole by one
// workgroup. So each element of the result finds out where it comes from: any
// workgroup can do that for its part, and other ops for each element are fused
// with it.
//
//===----------------------------------------------------------------------===//

#include "Transforms/Tile/KernelGroups.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace mlir::memspace;

namespace {
/// Where the elements of a source are in a result, by dimension of the result.
struct Place {
  SmallVector<OpFoldResult> offsets, sizes;
  SmallVector<int64_t> steps;
  /// Dimensions that the source does not have.
  llvm::SmallBitVector dropped;
};
} // namespace

/// An element of the result that is not of the source, at the given indices;
/// none where it may be anything.
using MakeOtherFn =
    llvm::function_ref<Value(OpBuilder &, Location, ValueRange indices)>;

/// In the body of an op over all elements of a result of type `type`: the
/// element of `source`, or the other one; with `branches`, nothing of the one
/// is done where it is the other.
static Value selectElement(OpBuilder &builder, Location loc, Value source,
                           const Place &place, RankedTensorType type,
                           bool branches, MakeOtherFn makeOther) {
  auto sourceType = cast<RankedTensorType>(source.getType());
  auto makeIndex = [&](int64_t number) -> Value {
    return arith::ConstantIndexOp::create(builder, loc, number);
  };
  auto asValue = [&](OpFoldResult number) {
    return getValueOrCreateConstantIndexOp(builder, loc, number);
  };
  Value isInside;
  auto require = [&](arith::CmpIPredicate predicate, Value a, Value b) {
    Value holds = arith::CmpIOp::create(builder, loc, predicate, a, b);
    isInside = isInside
                   ? Value(arith::AndIOp::create(builder, loc, isInside, holds))
                   : holds;
  };
  // Of an empty source there is nothing that could be read instead.
  branches |= !sourceType.hasStaticShape();
  SmallVector<Value> all, indices;
  for (unsigned dim = 0; dim < type.getRank(); ++dim) {
    Value index = linalg::IndexOp::create(builder, loc, dim);
    all.push_back(index);
    OpFoldResult offset = place.offsets[dim], size = place.sizes[dim];
    int64_t step = place.steps[dim];
    std::optional<int64_t> first = getConstantIntValue(offset),
                           count = getConstantIntValue(size);
    bool isAfterFirst = first == 0;
    bool isBeforeLast =
        first && count && step == 1 && *first + *count == type.getDimSize(dim);
    if (!isAfterFirst)
      index = arith::SubIOp::create(builder, loc, index, asValue(offset));
    if (step != 1) {
      require(arith::CmpIPredicate::eq,
              arith::RemSIOp::create(builder, loc, index, makeIndex(step)),
              makeIndex(0));
      index = arith::DivSIOp::create(builder, loc, index, makeIndex(step));
    }
    if (!isAfterFirst) {
      require(arith::CmpIPredicate::sge, index, makeIndex(0));
      if (!branches)
        index = arith::MaxSIOp::create(builder, loc, index, makeIndex(0));
    }
    if (!isBeforeLast) {
      require(arith::CmpIPredicate::slt, index, asValue(size));
      if (!branches)
        index = arith::MinSIOp::create(builder, loc, index,
                                       makeIndex(count.value() - 1));
    }
    if (!place.dropped.test(dim))
      indices.push_back(index);
  }
  if (!isInside)
    return tensor::ExtractOp::create(builder, loc, source, indices);
  if (branches) {
    auto branch = scf::IfOp::create(
        builder, loc, isInside,
        [&](OpBuilder &builder, Location loc) {
          Value element =
              tensor::ExtractOp::create(builder, loc, source, indices);
          scf::YieldOp::create(builder, loc, element);
        },
        [&](OpBuilder &builder, Location loc) {
          Value other =
              makeOther
                  ? makeOther(builder, loc, all)
                  : Value(arith::ConstantOp::create(
                        builder, loc,
                        builder.getZeroAttr(sourceType.getElementType())));
          scf::YieldOp::create(builder, loc, other);
        });
    return branch.getResult(0);
  }
  Value element = tensor::ExtractOp::create(builder, loc, source, indices);
  if (!makeOther)
    return element;
  return arith::SelectOp::create(builder, loc, isInside, element,
                                 makeOther(builder, loc, all));
}

/// An op for each element of a result of `type` and `sizes`, with a body of
/// `makeElement`; `like` may be an operand of the same extents.
static Value makeGeneric(
    PatternRewriter &rewriter, Location loc, RankedTensorType type,
    ArrayRef<OpFoldResult> sizes, Value like,
    llvm::function_ref<Value(OpBuilder &, Location, ValueRange)> makeElement) {
  Value init =
      tensor::EmptyOp::create(rewriter, loc, sizes, type.getElementType());
  int64_t rank = type.getRank();
  SmallVector<AffineMap> maps(like ? 2 : 1,
                              rewriter.getMultiDimIdentityMap(rank));
  auto generic = linalg::GenericOp::create(
      rewriter, loc, init.getType(), like ? ValueRange(like) : ValueRange(),
      init, maps,
      SmallVector<utils::IteratorType>(rank, utils::IteratorType::parallel),
      [&](OpBuilder &builder, Location loc, ValueRange arguments) {
        linalg::YieldOp::create(builder, loc,
                                makeElement(builder, loc, arguments));
      });
  Value result = generic.getResult(0);
  if (result.getType() != type)
    result = tensor::CastOp::create(rewriter, loc, type, result);
  return result;
}

/// Clones what `region` yields at `indices`.
static Value cloneBody(OpBuilder &builder, Region &region, ValueRange indices) {
  IRMapping mapping;
  mapping.map(region.getArguments(), indices);
  for (Operation &op : region.front().without_terminator())
    builder.clone(op, mapping);
  return mapping.lookupOrDefault(region.front().getTerminator()->getOperand(0));
}

static SmallVector<Value> makeIndices(OpBuilder &builder, Location loc,
                                      unsigned rank) {
  SmallVector<Value> indices;
  for (unsigned dim = 0; dim < rank; ++dim)
    indices.push_back(linalg::IndexOp::create(builder, loc, dim));
  return indices;
}

/// Becomes ops of a kernel. In a loop that fills a tensor bit by bit each part
/// is put in where it belongs.
static bool isInFunction(Operation *op) {
  return isa<func::FuncOp>(op->getParentOp());
}

static bool isPureBody(Region &region) {
  return region.hasOneBlock() &&
         llvm::all_of(region.front().without_terminator(),
                      [](Operation &op) { return isPure(&op); });
}

namespace {
struct PadToGeneric : OpRewritePattern<tensor::PadOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(tensor::PadOp pad,
                                PatternRewriter &rewriter) const override;
};

struct GenerateToGeneric : OpRewritePattern<tensor::GenerateOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(tensor::GenerateOp generate,
                                PatternRewriter &rewriter) const override;
};

struct InsertToGeneric : OpRewritePattern<tensor::InsertSliceOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(tensor::InsertSliceOp insert,
                                PatternRewriter &rewriter) const override;
};
} // namespace

LogicalResult PadToGeneric::matchAndRewrite(tensor::PadOp pad,
                                            PatternRewriter &rewriter) const {
  RankedTensorType source = pad.getSourceType(), type = pad.getResultType();
  bool isEmpty = source.hasStaticShape() && source.getNumElements() == 0;
  if (!isInFunction(pad) || !isPureBody(pad.getRegion()))
    return failure();
  // The body may read what is there for an element of padding only.
  bool readsTensors = false;
  pad.getRegion().walk([&](Operation *op) {
    readsTensors |=
        llvm::any_of(op->getOperandTypes(), llvm::IsaPred<TensorType>);
  });
  Location loc = pad.getLoc();
  ReifiedRankedShapedTypeDims shapes;
  if (failed(reifyResultShapes(rewriter, pad, shapes)))
    return failure();
  Place place;
  place.offsets = pad.getMixedLowPad();
  place.sizes = tensor::getMixedSizes(rewriter, loc, pad.getSource());
  place.steps.assign(source.getRank(), 1);
  place.dropped.resize(source.getRank());
  rewriter.replaceOp(
      pad, makeGeneric(
               rewriter, loc, type, shapes.front(), /*like=*/Value(),
               [&](OpBuilder &builder, Location loc, ValueRange) {
                 auto makePadding = [&](OpBuilder &builder, Location,
                                        ValueRange indices) {
                   return cloneBody(builder, pad.getRegion(), indices);
                 };
                 if (isEmpty)
                   return makePadding(
                       builder, loc, makeIndices(builder, loc, type.getRank()));
                 return selectElement(builder, loc, pad.getSource(), place,
                                      type, readsTensors, makePadding);
               }));
  return success();
}

LogicalResult
GenerateToGeneric::matchAndRewrite(tensor::GenerateOp generate,
                                   PatternRewriter &rewriter) const {
  if (!isInFunction(generate) || !isPureBody(generate.getBody()))
    return failure();
  auto type = cast<RankedTensorType>(generate.getType());
  rewriter.replaceOp(
      generate,
      makeGeneric(rewriter, generate.getLoc(), type,
                  getMixedValues(type.getShape(), generate.getDynamicExtents(),
                                 rewriter),
                  /*like=*/Value(),
                  [&](OpBuilder &builder, Location loc, ValueRange) {
                    return cloneBody(builder, generate.getBody(),
                                     makeIndices(builder, loc, type.getRank()));
                  }));
  return success();
}

LogicalResult
InsertToGeneric::matchAndRewrite(tensor::InsertSliceOp insert,
                                 PatternRewriter &rewriter) const {
  RankedTensorType source = insert.getSourceType(), type = insert.getDestType();
  std::optional<SmallVector<int64_t>> steps =
      getConstantIntValues(insert.getMixedStrides());
  if (!isInFunction(insert) || !steps ||
      llvm::any_of(*steps, [](int64_t step) { return step < 1; }) ||
      !source.getElementType().isIntOrIndexOrFloat())
    return failure();
  if (source.hasStaticShape() && source.getNumElements() == 0) {
    rewriter.replaceOp(insert, insert.getDest());
    return success();
  }
  Place place{insert.getMixedOffsets(), insert.getMixedSizes(), *steps,
              insert.getDroppedDims()};
  Location loc = insert.getLoc();
  // What nobody wrote may be anything.
  Value dest = insert.getDest();
  if (dest.getDefiningOp<tensor::EmptyOp>())
    dest = Value();
  rewriter.replaceOp(
      insert,
      makeGeneric(rewriter, loc, type,
                  tensor::getMixedSizes(rewriter, loc, insert.getDest()), dest,
                  [&](OpBuilder &builder, Location loc, ValueRange arguments) {
                    auto getOld = [&](OpBuilder &, Location, ValueRange) {
                      return arguments.front();
                    };
                    return selectElement(builder, loc, insert.getSource(),
                                         place, type, /*branches=*/false,
                                         dest ? MakeOtherFn(getOld)
                                              : MakeOtherFn());
                  }));
  return success();
}

void memspace::populateMovesToGenericPatterns(RewritePatternSet &patterns) {
  patterns.add<PadToGeneric, GenerateToGeneric, InsertToGeneric>(
      patterns.getContext());
}
