//===- SliceForwarding.cpp - slices and elements of inserted tensors -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SinkGridScope.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace mlir::memspace;

namespace {
/// How a range meets an inserted range in one dimension.
struct Overlap {
  enum Kind { Unknown, None, Some } kind = Unknown;
  /// The common part, from the begin of the slice and of the inserted tensor.
  OpFoldResult inSlice, inSource, size;
  /// The common part is the whole slice.
  bool whole = false;
};
} // namespace

static Overlap getOverlap(Builder &b, OpFoldResult sliceOffset,
                          OpFoldResult sliceSize, OpFoldResult insertOffset,
                          OpFoldResult insertSize, int64_t dimSize) {
  Overlap overlap;
  // The insert covers the dimension: its coordinates are the destination's.
  std::optional<int64_t> insertConst = getConstantIntValue(insertSize);
  if (isZeroInteger(insertOffset) && insertConst && *insertConst == dimSize &&
      !ShapedType::isDynamic(dimSize)) {
    return {Overlap::Some, b.getIndexAttr(0), sliceOffset, sliceSize, true};
  }
  if (isEqualConstantIntOrValue(sliceOffset, insertOffset) &&
      isEqualConstantIntOrValue(sliceSize, insertSize)) {
    return {Overlap::Some, b.getIndexAttr(0), b.getIndexAttr(0), sliceSize,
            true};
  }
  std::optional<int64_t> so = getConstantIntValue(sliceOffset),
                         ss = getConstantIntValue(sliceSize),
                         io = getConstantIntValue(insertOffset);
  if (!so || !ss || !io || !insertConst)
    return overlap;
  int64_t begin = std::max(*so, *io);
  int64_t end = std::min(*so + *ss, *io + *insertConst);
  if (begin >= end) {
    overlap.kind = Overlap::None;
    return overlap;
  }
  return {Overlap::Some, b.getIndexAttr(begin - *so),
          b.getIndexAttr(begin - *io), b.getIndexAttr(end - begin),
          begin == *so && end == *so + *ss};
}

static bool hasUnitStrides(OffsetSizeAndStrideOpInterface op) {
  return llvm::all_of(op.getMixedStrides(), isOneInteger);
}

FailureOr<ForwardedSlice>
mlir::memspace::forwardSliceOfInsert(RewriterBase &rewriter,
                                     tensor::ExtractSliceOp slice,
                                     tensor::InsertSliceOp insert) {
  if (!hasUnitStrides(slice) || !hasUnitStrides(insert))
    return failure();
  SmallVector<OpFoldResult> sliceOffsets = slice.getMixedOffsets(),
                            sliceSizes = slice.getMixedSizes(),
                            insertOffsets = insert.getMixedOffsets(),
                            insertSizes = insert.getMixedSizes();
  RankedTensorType type = insert.getDestType();
  SmallVector<Overlap> overlaps;
  bool whole = true, none = false, unknown = false;
  for (int64_t dim = 0, e = type.getRank(); dim < e; ++dim) {
    overlaps.push_back(getOverlap(rewriter, sliceOffsets[dim], sliceSizes[dim],
                                  insertOffsets[dim], insertSizes[dim],
                                  type.getDimSize(dim)));
    whole &= overlaps.back().whole;
    none |= overlaps.back().kind == Overlap::None;
    unknown |= overlaps.back().kind == Overlap::Unknown;
  }
  if (!none && unknown)
    return failure();

  Location loc = slice.getLoc();
  rewriter.setInsertionPoint(slice);
  ForwardedSlice result;
  auto sliceDest = [&] {
    return tensor::ExtractSliceOp::create(rewriter, loc, slice.getType(),
                                          insert.getDest(), sliceOffsets,
                                          sliceSizes, slice.getMixedStrides());
  };
  if (none) {
    result.ofDest = sliceDest();
    result.value = result.ofDest;
    return result;
  }

  // The part of the source. A dimension that either side drops has size 1.
  llvm::SmallBitVector droppedByInsert = insert.getDroppedDims(),
                       droppedBySlice = slice.getDroppedDims();
  SmallVector<OpFoldResult> sourceOffsets, sourceSizes, intoOffsets, intoSizes,
      emptySizes;
  SmallVector<int64_t> shape;
  bool sameShape = true;
  for (auto [dim, overlap] : llvm::enumerate(overlaps)) {
    if (!droppedByInsert.test(dim)) {
      sourceOffsets.push_back(overlap.inSource);
      sourceSizes.push_back(overlap.size);
      if (!droppedBySlice.test(dim))
        shape.push_back(
            getConstantIntValue(overlap.size).value_or(ShapedType::kDynamic));
    }
    if (!droppedBySlice.test(dim)) {
      intoOffsets.push_back(overlap.inSlice);
      intoSizes.push_back(overlap.size);
      emptySizes.push_back(sliceSizes[dim]);
      sameShape &= !droppedByInsert.test(dim);
    }
  }
  SmallVector<OpFoldResult> sourceOnes(sourceOffsets.size(),
                                       rewriter.getIndexAttr(1)),
      intoOnes(intoOffsets.size(), rewriter.getIndexAttr(1));
  Type elementType = type.getElementType();
  result.ofSource = tensor::ExtractSliceOp::create(
      rewriter, loc, RankedTensorType::get(shape, elementType),
      insert.getSource(), sourceOffsets, sourceSizes, sourceOnes);
  if (whole && sameShape && result.ofSource.getType() == slice.getType()) {
    result.value = result.ofSource;
    return result;
  }
  Value into;
  if (whole) {
    into = tensor::EmptyOp::create(rewriter, loc, emptySizes, elementType);
    if (into.getType() != slice.getType())
      into = tensor::CastOp::create(rewriter, loc, slice.getType(), into);
  } else {
    result.ofDest = sliceDest();
    into = result.ofDest;
  }
  result.value = tensor::InsertSliceOp::create(
      rewriter, loc, result.ofSource, into, intoOffsets, intoSizes, intoOnes);
  return result;
}

//===----------------------------------------------------------------------===//
// Elements
//===----------------------------------------------------------------------===//

/// One step from element `indices` of `tensor` to where it comes from. Updates
/// both, or sets `scalar`.
static bool stepToOrigin(RewriterBase &rewriter, Location loc, Value &tensor,
                         SmallVectorImpl<OpFoldResult> &indices,
                         Value &scalar) {
  AffineExpr d0, d1;
  bindDims(rewriter.getContext(), d0, d1);
  Operation *def = tensor.getDefiningOp();
  if (!def)
    return false;
  if (auto fill = dyn_cast<linalg::FillOp>(def)) {
    scalar = fill.getInputs()[0];
    return scalar.getType() == getElementTypeOrSelf(tensor.getType());
  }
  if (auto slice = dyn_cast<tensor::ExtractSliceOp>(def)) {
    if (!hasUnitStrides(slice))
      return false;
    llvm::SmallBitVector dropped = slice.getDroppedDims();
    SmallVector<OpFoldResult> inSource;
    unsigned next = 0;
    for (auto [dim, offset] : llvm::enumerate(slice.getMixedOffsets())) {
      if (dropped.test(dim)) {
        inSource.push_back(offset);
        continue;
      }
      inSource.push_back(affine::makeComposedFoldedAffineApply(
          rewriter, loc, d0 + d1, {offset, indices[next++]}));
    }
    indices.assign(inSource.begin(), inSource.end());
    tensor = slice.getSource();
    return true;
  }
  if (auto insert = dyn_cast<tensor::InsertOp>(def)) {
    bool same = true;
    for (auto [index, inserted] : llvm::zip(indices, insert.getIndices())) {
      std::optional<int64_t> a = getConstantIntValue(index),
                             b = getConstantIntValue(inserted);
      if (a && b && *a != *b) {
        tensor = insert.getDest();
        return true;
      }
      same &= isEqualConstantIntOrValue(index, getAsOpFoldResult(inserted));
    }
    if (same)
      scalar = insert.getScalar();
    return same;
  }
  auto insert = dyn_cast<tensor::InsertSliceOp>(def);
  if (!insert || !hasUnitStrides(insert))
    return false;
  llvm::SmallBitVector dropped = insert.getDroppedDims();
  SmallVector<OpFoldResult> inSource;
  SmallVector<OpFoldResult> offsets = insert.getMixedOffsets(),
                            sizes = insert.getMixedSizes();
  bool unknown = false;
  for (auto [dim, index] : llvm::enumerate(indices)) {
    Overlap overlap =
        getOverlap(rewriter, index, rewriter.getIndexAttr(1), offsets[dim],
                   sizes[dim], insert.getDestType().getDimSize(dim));
    if (overlap.kind == Overlap::None) {
      tensor = insert.getDest();
      return true;
    }
    unknown |= overlap.kind == Overlap::Unknown;
    if (!dropped.test(dim))
      inSource.push_back(overlap.inSource);
  }
  if (unknown)
    return false;
  indices.assign(inSource.begin(), inSource.end());
  tensor = insert.getSource();
  return true;
}

Value mlir::memspace::forwardElement(RewriterBase &rewriter,
                                     tensor::ExtractOp extract) {
  rewriter.setInsertionPoint(extract);
  Value tensor = extract.getTensor(), scalar;
  SmallVector<OpFoldResult> indices = getAsOpFoldResult(extract.getIndices());
  bool moved = false;
  while (!scalar &&
         stepToOrigin(rewriter, extract.getLoc(), tensor, indices, scalar))
    moved = true;
  if (!moved)
    return {};
  if (scalar)
    return scalar;
  return tensor::ExtractOp::create(
      rewriter, extract.getLoc(), tensor,
      getValueOrCreateConstantIndexOp(rewriter, extract.getLoc(), indices));
}
