//===- AccessElements.cpp - which elements of a memref an op touches -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AccessElements.h"
#include "MemSpace/Memory/BufferSize.h"
#include "mlir/Dialect/AMDGPU/IR/AMDGPUDialect.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/ADT/TypeSwitch.h"

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
// By indices
//===----------------------------------------------------------------------===//

static TouchedElements getElement(ValueRange indices) {
  TouchedElements touched;
  for (Value index : indices) {
    IndexRange range = getWholeRange(1);
    range.offset = LinearExpr(OpFoldResult(index));
    touched.ranges.push_back(std::move(range));
  }
  return touched;
}

/// A vector along the innermost dimensions.
static Touched addVector(TouchedElements touched, VectorType vector,
                         MemRefType memref) {
  if (isa<VectorType>(memref.getElementType())) {
    // The vector is one element.
    if (vector == memref.getElementType())
      return touched;
    return std::nullopt;
  }
  if (vector.isScalable() || vector.getRank() > memref.getRank())
    return std::nullopt;
  unsigned base = touched.ranges.size() - vector.getRank();
  for (auto [index, size] : llvm::enumerate(vector.getShape()))
    touched.ranges[base + index].size = LinearExpr(size);
  return touched;
}

static Touched getTransfer(VectorTransferOpInterface transfer,
                           MemRefType memref) {
  TouchedElements touched = getElement(transfer.getIndices());
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

/// The sum that `expr` is, if it is one.
static std::optional<LinearExpr> getLinear(AffineExpr expr, unsigned numDims,
                                           ValueRange operands) {
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return LinearExpr(constant.getValue());
  if (auto dim = dyn_cast<AffineDimExpr>(expr))
    return LinearExpr(OpFoldResult(operands[dim.getPosition()]));
  if (auto symbol = dyn_cast<AffineSymbolExpr>(expr))
    return LinearExpr(OpFoldResult(operands[numDims + symbol.getPosition()]));
  auto binary = cast<AffineBinaryOpExpr>(expr);
  std::optional<LinearExpr> lhs = getLinear(binary.getLHS(), numDims, operands);
  std::optional<LinearExpr> rhs = getLinear(binary.getRHS(), numDims, operands);
  if (!lhs || !rhs)
    return std::nullopt;
  if (expr.getKind() == AffineExprKind::Add) {
    *lhs += *rhs;
    return lhs;
  }
  if (expr.getKind() != AffineExprKind::Mul)
    return std::nullopt;
  if (std::optional<int64_t> factor = rhs->getConstant())
    return *lhs * *factor;
  if (std::optional<int64_t> factor = lhs->getConstant())
    return *rhs * *factor;
  return std::nullopt;
}

/// The element that an affine map addresses; the dimensions that it does not
/// address linearly are touched as a whole.
static TouchedElements getMapped(AffineMap map, ValueRange operands,
                                 MemRefType memref) {
  TouchedElements touched;
  touched.exact = true;
  for (auto [dim, expr] : llvm::enumerate(map.getResults())) {
    std::optional<LinearExpr> index =
        getLinear(expr, map.getNumDims(), operands);
    IndexRange range = getWholeRange(index ? 1 : memref.getDimSize(dim));
    if (index)
      range.offset = *index;
    touched.ranges.push_back(std::move(range));
    touched.exact &= index.has_value();
  }
  return touched;
}

static Touched addAffineVector(TouchedElements touched, VectorType vector,
                               MemRefType memref) {
  // A dimension that is touched as a whole stays it.
  TouchedElements whole = touched;
  Touched result = addVector(std::move(touched), vector, memref);
  if (result)
    for (auto [range, old] : llvm::zip(result->ranges, whole.ranges))
      if (!old.size || old.size->getConstant() != int64_t(1))
        range = old;
  return result;
}

/// An index outside the memref is undefined behavior, so the innermost
/// dimension bounds the index vector.
static TouchedElements getGathered(ValueRange offsets, MemRefType memref) {
  TouchedElements touched = getElement(offsets);
  if (!touched.ranges.empty())
    touched.ranges.back() = getWholeRange(memref.getShape().back());
  return touched;
}

/// The image of the iterations of a structured op: constants, and what else an
/// indexing map says covers the dimension.
static Touched getImage(linalg::LinalgOp op, OpOperand &operand,
                        MemRefType memref) {
  TouchedElements touched;
  AffineMap map = op.getMatchingIndexingMap(&operand);
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

//===----------------------------------------------------------------------===//
// By address
//===----------------------------------------------------------------------===//

static bool hasUnitStride(MemRefType memref) {
  SmallVector<int64_t> strides;
  int64_t offset;
  return succeeded(memref.getStridesAndOffset(strides, offset)) &&
         (strides.empty() || strides.back() == 1);
}

/// `count` elements in a row from the one at `indices`.
static Touched getRun(ValueRange indices, int64_t count, MemRefType memref) {
  if (!hasUnitStride(memref))
    return std::nullopt;
  TouchedElements touched = getElement(indices);
  touched.run.emplace_back(count, 1);
  return touched;
}

static Touched makeExact(Touched touched) {
  if (touched)
    touched->exact = true;
  return touched;
}

static Touched makeCollective(Touched touched) {
  if (touched)
    touched->collective = true;
  return touched;
}

/// `bytes` in a row.
static Touched getByteRun(ValueRange indices, int64_t bytes, MemRefType memref,
                          const TargetInfo &target) {
  std::optional<int64_t> elementBytes =
      getElementBytes(memref.getElementType(), target);
  if (!elementBytes || *elementBytes <= 0)
    return std::nullopt;
  return getRun(indices, llvm::divideCeil(bytes, *elementBytes), memref);
}

/// A matrix of a subgroup, one row each `lead` elements.
static Touched getMatrix(ValueRange indices, gpu::MMAMatrixType matrix,
                         const APInt &lead, bool transpose, MemRefType memref) {
  Type element = memref.getElementType();
  ArrayRef<int64_t> shape = matrix.getShape();
  if (!element.isIntOrFloat() || !matrix.getElementType().isIntOrFloat() ||
      element.getIntOrFloatBitWidth() !=
          matrix.getElementType().getIntOrFloatBitWidth() ||
      shape.size() != 2 || !hasUnitStride(memref))
    return std::nullopt;
  TouchedElements touched = getElement(indices);
  int64_t rows = transpose ? shape[1] : shape[0];
  int64_t columns = transpose ? shape[0] : shape[1];
  touched.run = {{rows, lead.getSExtValue()}, {columns, 1}};
  touched.collective = true;
  return touched;
}

static int64_t getCount(Type type) {
  auto vector = dyn_cast<VectorType>(type);
  return vector ? vector.getNumElements() : 1;
}

/// The raw buffer ops add two offsets, in elements, to the address.
template <typename OpT>
static Touched getRawBuffer(OpT op, Type value, MemRefType memref) {
  auto vector = dyn_cast<VectorType>(value);
  if (vector && vector.isScalable())
    return std::nullopt;
  Touched touched = getRun(op.getIndices(), getCount(value), memref);
  LinearExpr extra(op.getIndexOffset().value_or(0));
  if (op.getSgprOffset())
    extra += LinearExpr(OpFoldResult(op.getSgprOffset()));
  if (!touched ||
      (touched->ranges.empty() && extra.getConstant() != int64_t(0)))
    return std::nullopt;
  if (!touched->ranges.empty())
    touched->ranges.back().offset += extra;
  return touched;
}

/// What one lane of `amdgpu.gather_to_lds` leaves in workgroup memory: small
/// types are extended to 4 bytes and 12 bytes to 16.
static std::optional<int64_t> getGatheredBytes(Type transfer,
                                               const TargetInfo &target) {
  Type element = getElementTypeOrSelf(transfer);
  std::optional<int64_t> elementBytes = getElementBytes(element, target);
  if (!elementBytes)
    return std::nullopt;
  int64_t bytes = std::max<int64_t>(4, *elementBytes * getCount(transfer));
  return bytes == 12 ? 16 : bytes;
}

//===----------------------------------------------------------------------===//
// All ops
//===----------------------------------------------------------------------===//

Touched mlir::memspace::getTouchedElements(OpOperand &operand,
                                           const KernelContext &context) {
  const TargetInfo &target = context.getTarget();
  Operation *owner = operand.getOwner();
  auto memref = dyn_cast<MemRefType>(operand.get().getType());
  if (!memref)
    return std::nullopt;
  if (auto transfer = dyn_cast<VectorTransferOpInterface>(owner))
    return getTransfer(transfer, memref);
  if (auto op = dyn_cast<linalg::LinalgOp>(owner))
    return getImage(op, operand, memref);
  return llvm::TypeSwitch<Operation *, Touched>(owner)
      .Case<memref::LoadOp, memref::StoreOp, memref::AtomicRMWOp,
            memref::GenericAtomicRMWOp>(
          [](auto op) { return makeExact(getElement(op.getIndices())); })
      .Case<affine::AffineLoadOp, affine::AffineStoreOp>([&](auto op) {
        return getMapped(op.getAffineMap(), op.getMapOperands(), memref);
      })
      .Case<affine::AffineVectorLoadOp, affine::AffineVectorStoreOp>(
          [&](auto op) {
            return addAffineVector(
                getMapped(op.getAffineMap(), op.getMapOperands(), memref),
                op.getVectorType(), memref);
          })
      .Case<vector::LoadOp, vector::StoreOp>([&](auto op) {
        return makeExact(
            addVector(getElement(op.getIndices()), op.getVectorType(), memref));
      })
      .Case<vector::MaskedLoadOp, vector::MaskedStoreOp, vector::ExpandLoadOp,
            vector::CompressStoreOp>([&](auto op) {
        return addVector(getElement(op.getIndices()), op.getVectorType(),
                         memref);
      })
      .Case<vector::GatherOp, vector::ScatterOp>(
          [&](auto op) { return getGathered(op.getOffsets(), memref); })
      .Case([&](nvgpu::DeviceAsyncCopyOp op) {
        ValueRange indices =
            operand.get() == op.getDst() && &operand == &op.getDstMutable()
                ? ValueRange(op.getDstIndices())
                : ValueRange(op.getSrcIndices());
        // The source is read as far as the copy needs it, at most.
        Touched touched =
            getRun(indices, op.getDstElements().getSExtValue(), memref);
        return op.getSrcElements() ? touched : makeExact(touched);
      })
      .Case([&](nvgpu::LdMatrixOp op) {
        // Each lane addresses one row of a tile, 16 bytes.
        return makeCollective(getByteRun(op.getIndices(), 16, memref, target));
      })
      .Case([&](gpu::SubgroupMmaLoadMatrixOp op) {
        return getMatrix(
            op.getIndices(), cast<gpu::MMAMatrixType>(op.getRes().getType()),
            op.getLeadDimension(), op.getTranspose().value_or(false), memref);
      })
      .Case([&](gpu::SubgroupMmaStoreMatrixOp op) {
        return getMatrix(
            op.getIndices(), cast<gpu::MMAMatrixType>(op.getSrc().getType()),
            op.getLeadDimension(), op.getTranspose().value_or(false), memref);
      })
      .Case<amdgpu::RawBufferLoadOp, amdgpu::RawBufferStoreOp,
            amdgpu::RawBufferAtomicFaddOp, amdgpu::RawBufferAtomicFmaxOp,
            amdgpu::RawBufferAtomicSmaxOp, amdgpu::RawBufferAtomicUminOp>(
          [&](auto op) {
            return getRawBuffer(op, op.getValue().getType(), memref);
          })
      .Case([&](amdgpu::RawBufferAtomicCmpswapOp op) {
        return getRawBuffer(op, op.getSrc().getType(), memref);
      })
      .Case([&](amdgpu::GatherToLDSOp op) -> Touched {
        if (&operand == &op.getSrcMutable()) {
          std::optional<int64_t> element = getElementBytes(
              getElementTypeOrSelf(op.getTransferType()), target);
          if (!element)
            return std::nullopt;
          return getByteRun(op.getSrcIndices(),
                            *element * getCount(op.getTransferType()), memref,
                            target);
        }
        std::optional<int64_t> bytes =
            getGatheredBytes(op.getTransferType(), target);
        std::optional<int64_t> lanes = context.getSubgroupSize();
        if (!bytes || !lanes)
          return std::nullopt;
        return makeCollective(
            getByteRun(op.getDstIndices(), *bytes * *lanes, memref, target));
      })
      .Case([&](amdgpu::TransposeLoadOp op) -> Touched {
        std::optional<int64_t> element =
            getElementBytes(getElementTypeOrSelf(op.getType()), target);
        if (!element)
          return std::nullopt;
        return makeCollective(getByteRun(op.getSrcIndices(),
                                         *element * getCount(op.getType()),
                                         memref, target));
      })
      .Default([](Operation *) { return std::nullopt; });
}

//===----------------------------------------------------------------------===//
// Slices
//===----------------------------------------------------------------------===//

static void composeSubview(memref::SubViewOp subview,
                           SmallVector<IndexRange> &ranges) {
  llvm::SmallBitVector dropped = subview.getDroppedDims();
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
    } else if (isa<memref::CastOp, memref::MemorySpaceCastOp,
                   memref::AssumeAlignmentOp>(def) &&
               isa<MemRefType>(def->getOperand(0).getType())) {
      view = def->getOperand(0);
    } else {
      return;
    }
  }
}
