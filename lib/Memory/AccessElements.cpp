//===- AccessElements.cpp - which elements of a memref an op touches -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AccessElements.h"
#include "IR/ShapedSlices.h"
#include "MemSpace/Memory/MemoryInterfaces.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Interfaces/VectorInterfaces.h"

using namespace mlir;
using namespace mlir::memspace;

using Touched = std::optional<TouchedElements>;

IndexRange mlir::memspace::getWholeRange(int64_t size) {
  IndexRange range;
  if (!ShapedType::isDynamic(size))
    range.size = LinearExpr(size);
  return range;
}

//===----------------------------------------------------------------------===//
// Upstream's interfaces
//===----------------------------------------------------------------------===//

static Touched getTransfer(VectorTransferOpInterface transfer,
                           MemRefType memref) {
  TouchedElements touched = TouchedElements::getElement(transfer.getIndices());
  VectorType vector = transfer.getVectorType();
  touched.exact = !transfer.getMask() && !transfer.hasOutOfBoundsDim();
  if (isa<VectorType>(memref.getElementType()) || vector.isScalable())
    return std::nullopt;
  for (auto [expr, size] :
       llvm::zip(transfer.getPermutationMap().getResults(), vector.getShape()))
    if (auto dim = dyn_cast<AffineDimExpr>(expr))
      touched.ranges[dim.getPosition()].size = LinearExpr(size);
  return touched;
}

AffineMap mlir::memspace::getIndexingMap(OpOperand &operand) {
  auto op = cast<linalg::LinalgOp>(operand.getOwner());
  MLIRContext *context = op.getContext();
  auto getRank = [](Value value) {
    return cast<ShapedType>(value.getType()).getRank();
  };
  // The ops that kernels have most of.
  if (isa<linalg::FillOp>(op.getOperation())) {
    int64_t rank = getRank(op->getOperand(1));
    if (operand.getOperandNumber() == 1)
      return AffineMap::getMultiDimIdentityMap(rank, context);
    if (!isa<ShapedType>(operand.get().getType()))
      return AffineMap::get(rank, 0, context);
  }
  if (auto reduce = dyn_cast<linalg::ReduceOp>(op.getOperation())) {
    AffineMap map = AffineMap::getMultiDimIdentityMap(
        getRank(reduce->getOperand(0)), context);
    // As many destinations as inputs, behind these.
    if (operand.getOperandNumber() >= reduce->getNumOperands() / 2)
      for (int64_t dim : llvm::reverse(reduce.getDimensions()))
        map = map.dropResult(dim);
    return map;
  }
  return op.getMatchingIndexingMap(&operand);
}

/// The image of the iterations of a structured op: constants, and what else an
/// indexing map says covers the dimension.
static Touched getImage(OpOperand &operand, MemRefType memref) {
  TouchedElements touched;
  AffineMap map = getIndexingMap(operand);
  touched.exact = map.isProjectedPermutation(/*allowZeroInResults=*/true);
  for (auto [dim, expr] : llvm::enumerate(map.getResults())) {
    auto constant = dyn_cast<AffineConstantExpr>(expr);
    IndexRange range = getWholeRange(constant ? 1 : memref.getDimSize(dim));
    if (constant)
      range.offset = LinearExpr(constant.getValue());
    touched.ranges.push_back(std::move(range));
  }
  return touched;
}

Touched mlir::memspace::getTouchedElements(OpOperand &operand,
                                           const KernelContext &context) {
  Operation *owner = operand.getOwner();
  auto memref = dyn_cast<MemRefType>(operand.get().getType());
  if (!memref)
    return std::nullopt;
  if (auto access = dyn_cast<ElementAccessOpInterface>(owner))
    return access.getTouchedElements(operand, context);
  if (auto transfer = dyn_cast<VectorTransferOpInterface>(owner))
    return getTransfer(transfer, memref);
  if (isa<linalg::LinalgOp>(owner))
    return getImage(operand, memref);
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Slices
//===----------------------------------------------------------------------===//

static void composeSubview(memref::SubViewOp subview,
                           SmallVector<IndexRange> &ranges) {
  llvm::SmallBitVector dropped = getDroppedDims(subview);
  SmallVector<OpFoldResult> offsets = subview.getMixedOffsets();
  SmallVector<OpFoldResult> sizes = subview.getMixedSizes();
  SmallVector<OpFoldResult> strides = subview.getMixedStrides();
  SmallVector<IndexRange> outer;
  unsigned next = 0;
  for (unsigned dim = 0; dim < offsets.size(); ++dim) {
    IndexRange range = getWholeRange(1);
    if (!dropped.test(dim))
      range = ranges[next++];
    std::optional<int64_t> stride = getConstantIntValue(strides[dim]);
    if (!range.size)
      range.size = LinearExpr(sizes[dim]);
    if (stride) {
      range.scale(*stride);
      range.offset += LinearExpr(offsets[dim]);
    } else {
      range = IndexRange();
    }
    outer.push_back(std::move(range));
  }
  ranges = std::move(outer);
}

static void composeExpand(memref::ExpandShapeOp expand,
                          SmallVector<IndexRange> &ranges) {
  ArrayRef<int64_t> shape = expand.getResultType().getShape();
  SmallVector<IndexRange> outer;
  for (ArrayRef<int64_t> group : expand.getReassociationIndices()) {
    IndexRange sum = getWholeRange(1);
    int64_t factor = 1;
    bool known = true;
    for (int64_t dim : llvm::reverse(group)) {
      IndexRange &inner = ranges[dim];
      known &= inner.size.has_value() && !ShapedType::isDynamic(factor);
      if (!known)
        break;
      inner.scale(factor);
      sum.offset += inner.offset;
      sum.extents.emplace_back(*inner.size, inner.stride);
      llvm::append_range(sum.extents, inner.extents);
      if (ShapedType::isDynamic(shape[dim]) ||
          llvm::MulOverflow(factor, shape[dim], factor))
        factor = ShapedType::kDynamic;
    }
    outer.push_back(known ? std::move(sum) : IndexRange());
  }
  ranges = std::move(outer);
}

void mlir::memspace::composeSlices(Value &view,
                                   SmallVector<IndexRange> &ranges) {
  while (Operation *def = view.getDefiningOp()) {
    if (auto subview = dyn_cast<memref::SubViewOp>(def)) {
      composeSubview(subview, ranges);
      view = subview.getSource();
    } else if (auto expand = dyn_cast<memref::ExpandShapeOp>(def)) {
      composeExpand(expand, ranges);
      view = expand.getSrc();
    } else if (auto transpose = dyn_cast<memref::TransposeOp>(def)) {
      // Dimension i of the result is dimension permutation[i] of the source.
      SmallVector<IndexRange> outer(ranges.size());
      for (auto [index, expr] :
           llvm::enumerate(transpose.getPermutation().getResults()))
        outer[cast<AffineDimExpr>(expr).getPosition()] = ranges[index];
      ranges = std::move(outer);
      view = transpose.getIn();
    } else if (Value source = getCastSource(cast<OpResult>(view));
               source && isa<MemRefType>(source.getType())) {
      view = source;
    } else {
      return;
    }
  }
}
