//===- Gathers.cpp - gathers as linalg ops -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MemSpace/IR/MemSpaceDialect.h"
#include "Transforms/Normalize/StructuredOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/ReshapeOpsUtils.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace mlir::memspace;

namespace {
/// A gather becomes a linalg op that extracts elements of the source, which
/// every level of the GPU shares as any other.
struct GatherToLinalg : OpRewritePattern<GatherOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(GatherOp op,
                                PatternRewriter &rewriter) const override {
    if (!op.getResult())
      return rewriter.notifyMatchFailure(op, "works on memrefs");
    Location loc = op.getLoc();
    unsigned rank = cast<ShapedType>(op.getOutput().getType()).getRank();
    unsigned numPlaceDims =
        cast<ShapedType>(op.getIndices().getType()).getRank() - 1;
    AffineMap all = rewriter.getMultiDimIdentityMap(rank);
    SmallVector<AffineMap> maps(op.getGatherDims().size(),
                                all.getMajorSubMap(numPlaceDims));
    maps.push_back(all);
    SmallVector<Value> coordinates;
    for (unsigned number = 0; number < op.getGatherDims().size(); ++number)
      coordinates.push_back(getCoordinates(op, number, rewriter));
    Value extents = op.getSource();
    SmallVector<Value> last(op.getGatherDims().size());
    Value zero = arith::ConstantIndexOp::create(rewriter, loc, 0);
    if (!op.getInBounds())
      for (auto [number, dim] : llvm::enumerate(op.getGatherDims())) {
        Value extent = rewriter.createOrFold<tensor::DimOp>(loc, extents, dim);
        Value one = arith::ConstantIndexOp::create(rewriter, loc, 1);
        last[number] = rewriter.createOrFold<arith::SubIOp>(loc, extent, one);
      }
    SmallVector<utils::IteratorType> iterators(rank,
                                               utils::IteratorType::parallel);
    rewriter.replaceOpWithNewOp<linalg::GenericOp>(
        op, op.getOutput().getType(), coordinates, op.getOutput(), maps,
        iterators, [&](OpBuilder &builder, Location loc, ValueRange args) {
          auto source = cast<ShapedType>(op.getSource().getType());
          SmallVector<Value> place(source.getRank());
          for (auto [number, dim] : llvm::enumerate(op.getGatherDims())) {
            Value index = args[number];
            if (!index.getType().isIndex())
              index = arith::IndexCastOp::create(builder, loc,
                                                 builder.getIndexType(), index);
            if (last[number]) {
              // The larger bound last: of an empty source nothing is read.
              index = arith::MinSIOp::create(builder, loc, index, last[number]);
              index = arith::MaxSIOp::create(builder, loc, index, zero);
            }
            place[dim] = index;
          }
          unsigned next = numPlaceDims;
          for (Value &index : place)
            if (!index)
              index = linalg::IndexOp::create(builder, loc, next++);
          Value element =
              tensor::ExtractOp::create(builder, loc, op.getSource(), place);
          linalg::YieldOp::create(builder, loc, element);
        });
    return success();
  }

private:
  /// Coordinate `number` of every place.
  static Value getCoordinates(GatherOp op, unsigned number,
                              PatternRewriter &rewriter) {
    Location loc = op.getLoc();
    auto type = cast<RankedTensorType>(op.getIndices().getType());
    SmallVector<OpFoldResult> offsets(type.getRank(), rewriter.getIndexAttr(0)),
        units(type.getRank(), rewriter.getIndexAttr(1)),
        sizes = tensor::getMixedSizes(rewriter, loc, op.getIndices());
    offsets.back() = rewriter.getIndexAttr(number);
    sizes.back() = rewriter.getIndexAttr(1);
    auto slice = RankedTensorType::get(type.getShape().drop_back(),
                                       type.getElementType());
    return tensor::ExtractSliceOp::create(rewriter, loc, slice, op.getIndices(),
                                          offsets, sizes, units);
  }
};

/// Groups of dimensions that make `shape` of one without the `dims`, which have
/// one element each and follow the first `lead`.
static SmallVector<ReassociationIndices>
getUnitDimGroups(unsigned rank, unsigned lead, ArrayRef<int64_t> dims) {
  SmallVector<ReassociationIndices> groups;
  ReassociationIndices pending;
  for (unsigned dim = 0; dim < rank; ++dim) {
    pending.push_back(dim);
    if (dim >= lead && llvm::is_contained(dims, int64_t(dim - lead))) {
      if (!groups.empty()) {
        groups.back().append(pending);
        pending.clear();
      }
      continue;
    }
    groups.push_back(pending);
    pending.clear();
  }
  return groups;
}

/// The dimensions of a gather's result, or a scatter's updates, of rank `rank`
/// when the places' dims are left out, else empty.
static bool keepsDims(int64_t rank, ShapedType indices, ShapedType places) {
  return rank == indices.getRank() - 1 + places.getRank();
}

/// `type` without the dims of one element.
static RankedTensorType dropDims(RankedTensorType type, unsigned lead,
                                 ArrayRef<int64_t> dims) {
  SmallVector<int64_t> shape;
  for (auto [dim, extent] : llvm::enumerate(type.getShape()))
    if (dim < lead || !llvm::is_contained(dims, int64_t(dim - lead)))
      shape.push_back(extent);
  return RankedTensorType::get(shape, type.getElementType());
}

struct ConvertTensorGather : OpRewritePattern<tensor::GatherOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(tensor::GatherOp op,
                                PatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    RankedTensorType result = op.getResultType(), reduced = result;
    unsigned lead = op.getIndicesType().getRank() - 1;
    bool keeps =
        keepsDims(result.getRank(), op.getIndicesType(), op.getSourceType());
    if (keeps)
      reduced = dropDims(result, lead, op.getGatherDims());
    SmallVector<OpFoldResult> sizes =
        tensor::getMixedSizes(rewriter, loc, op.getIndices());
    sizes.pop_back();
    for (int64_t dim = 0; dim < op.getSourceType().getRank(); ++dim)
      if (!llvm::is_contained(op.getGatherDims(), dim))
        sizes.push_back(
            tensor::getMixedSize(rewriter, loc, op.getSource(), dim));
    Value empty =
        tensor::EmptyOp::create(rewriter, loc, sizes, result.getElementType());
    if (empty.getType() != reduced)
      return rewriter.notifyMatchFailure(op, "casts an extent");
    Value gathered =
        GatherOp::create(rewriter, loc, reduced, op.getSource(),
                         op.getIndices(), empty, op.getGatherDimsAttr(),
                         rewriter.getUnitAttr())
            .getResult();
    if (keeps)
      gathered = tensor::ExpandShapeOp::create(
          rewriter, loc, result, gathered,
          getUnitDimGroups(result.getRank(), lead, op.getGatherDims()));
    rewriter.replaceOp(op, gathered);
    return success();
  }
};

struct ConvertTensorScatter : OpRewritePattern<tensor::ScatterOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(tensor::ScatterOp op,
                                PatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    RankedTensorType type = op.getSourceType();
    unsigned lead = op.getIndicesType().getRank() - 1;
    Value updates = op.getSource();
    if (keepsDims(type.getRank(), op.getIndicesType(), op.getDestType()))
      updates = tensor::CollapseShapeOp::create(
          rewriter, loc, dropDims(type, lead, op.getScatterDims()), updates,
          getUnitDimGroups(type.getRank(), lead, op.getScatterDims()));
    if (op.getDestType() != op.getResult().getType())
      return rewriter.notifyMatchFailure(op, "changes the type");
    UnitAttr yes = rewriter.getUnitAttr();
    rewriter.replaceOpWithNewOp<ScatterOp>(
        op, op.getDestType(), updates, op.getIndices(), op.getDest(),
        op.getScatterDimsAttr(), /*unique_indices=*/yes, /*in_bounds=*/yes,
        /*atomic=*/UnitAttr(), /*combinersCount=*/0);
    return success();
  }
};
} // namespace

void memspace::addUpstreamGatherPatterns(RewritePatternSet &patterns) {
  patterns.add<ConvertTensorGather, ConvertTensorScatter>(
      patterns.getContext());
}

void memspace::addGatherPatterns(RewritePatternSet &patterns) {
  addUpstreamGatherPatterns(patterns);
  patterns.add<GatherToLinalg>(patterns.getContext());
}
