//===- AccessModels.cpp - which elements upstream's ops touch -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AccessElements.h"
#include "MemSpace/Memory/BufferSize.h"
#include "MemSpace/Memory/MemoryInterfaces.h"
#include "mlir/Dialect/AMDGPU/IR/AMDGPUDialect.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::memspace;

using Touched = std::optional<TouchedElements>;

//===----------------------------------------------------------------------===//
// By indices
//===----------------------------------------------------------------------===//

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
  TouchedElements touched = TouchedElements::getElement(offsets);
  if (!touched.ranges.empty())
    touched.ranges.back() = getWholeRange(memref.getShape().back());
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
  TouchedElements touched = TouchedElements::getElement(indices);
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
  TouchedElements touched = TouchedElements::getElement(indices);
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

namespace {
/// What is true of most ops. A group of ops that are accessed alike has
///   static Touched get(OpT, OpOperand &, MemRefType, const KernelContext &).
struct AccessGroup {
  static constexpr bool isAtomic = false;
  static constexpr bool touchesOperandsOnly = false;
};

template <typename GroupT, typename OpT>
struct AccessModel
    : public ElementAccessOpInterface::ExternalModel<AccessModel<GroupT, OpT>,
                                                     OpT> {
  Touched getTouchedElements(Operation *op, OpOperand &operand,
                             const KernelContext &context) const {
    auto memref = dyn_cast<MemRefType>(operand.get().getType());
    return memref ? GroupT::get(cast<OpT>(op), operand, memref, context)
                  : std::nullopt;
  }
  bool isAtomic(Operation *) const { return GroupT::isAtomic; }
  bool touchesOperandsOnly(Operation *) const {
    return GroupT::touchesOperandsOnly;
  }
};

template <typename GroupT, typename... OpTs> void attach(MLIRContext *context) {
  (OpTs::template attachInterface<AccessModel<GroupT, OpTs>>(*context), ...);
}

struct OneElement : AccessGroup {
  template <typename OpT>
  static Touched get(OpT op, OpOperand &, MemRefType, const KernelContext &) {
    return makeExact(TouchedElements::getElement(op.getIndices()));
  }
};
struct AtomicElement : OneElement {
  static constexpr bool isAtomic = true;
};

struct AffineElement : AccessGroup {
  template <typename OpT>
  static Touched get(OpT op, OpOperand &, MemRefType memref,
                     const KernelContext &) {
    return getMapped(op.getAffineMap(), op.getMapOperands(), memref);
  }
};

struct AffineVector : AccessGroup {
  template <typename OpT>
  static Touched get(OpT op, OpOperand &, MemRefType memref,
                     const KernelContext &) {
    return addAffineVector(
        getMapped(op.getAffineMap(), op.getMapOperands(), memref),
        op.getVectorType(), memref);
  }
};

struct WholeVector : AccessGroup {
  template <typename OpT>
  static Touched get(OpT op, OpOperand &, MemRefType memref,
                     const KernelContext &) {
    return makeExact(addVector(TouchedElements::getElement(op.getIndices()),
                               op.getVectorType(), memref));
  }
};

struct MaskedVector : AccessGroup {
  template <typename OpT>
  static Touched get(OpT op, OpOperand &, MemRefType memref,
                     const KernelContext &) {
    VectorType vector = op.getVectorType();
    if (std::optional<int64_t> length = getLength(op.getMask());
        length && *length > 0)
      vector = VectorType::get(*length, vector.getElementType());
    return addVector(TouchedElements::getElement(op.getIndices()), vector,
                     memref);
  }

private:
  /// The elements up to the last one that a constant mask takes.
  static std::optional<int64_t> getLength(Value mask) {
    auto type = cast<VectorType>(mask.getType());
    if (type.getRank() != 1 || type.isScalable())
      return std::nullopt;
    if (auto constant = mask.getDefiningOp<vector::ConstantMaskOp>())
      return constant.getMaskDimSizes().front();
    std::optional<int64_t> length;
    if (auto create = mask.getDefiningOp<vector::CreateMaskOp>())
      length = getConstantIntValue(create.getOperands().front());
    DenseIntElementsAttr bits;
    if (matchPattern(mask, m_Constant(&bits))) {
      length = 0;
      for (auto [number, isTaken] : llvm::enumerate(bits.getValues<bool>()))
        if (isTaken)
          length = number + 1;
    }
    return length ? std::optional(std::min(*length, type.getDimSize(0)))
                  : std::nullopt;
  }
};

struct GatheredVector : AccessGroup {
  template <typename OpT>
  static Touched get(OpT op, OpOperand &, MemRefType memref,
                     const KernelContext &) {
    return getGathered(op.getOffsets(), memref);
  }
};

struct AsyncCopy : AccessGroup {
  static Touched get(nvgpu::DeviceAsyncCopyOp op, OpOperand &operand,
                     MemRefType memref, const KernelContext &) {
    ValueRange indices = &operand == &op.getDstMutable()
                             ? ValueRange(op.getDstIndices())
                             : ValueRange(op.getSrcIndices());
    // The source is read as far as the copy needs it, at most.
    Touched touched =
        getRun(indices, op.getDstElements().getSExtValue(), memref);
    return op.getSrcElements() ? touched : makeExact(touched);
  }
};

/// Matrix loads and stores also carry an effect on no value, for the lanes that
/// they bring together: their memory is that of their memref.
struct LdMatrix : AccessGroup {
  static constexpr bool touchesOperandsOnly = true;
  static Touched get(nvgpu::LdMatrixOp op, OpOperand &, MemRefType memref,
                     const KernelContext &context) {
    // Each lane addresses one row of a tile, 16 bytes.
    return makeCollective(
        getByteRun(op.getIndices(), 16, memref, context.getTarget()));
  }
};

struct SubgroupMatrix : AccessGroup {
  static constexpr bool touchesOperandsOnly = true;
  template <typename OpT>
  static Touched get(OpT op, OpOperand &, MemRefType memref,
                     const KernelContext &) {
    return getMatrix(op.getIndices(), getType(op), op.getLeadDimension(),
                     op.getTranspose().value_or(false), memref);
  }
  static gpu::MMAMatrixType getType(gpu::SubgroupMmaLoadMatrixOp op) {
    return cast<gpu::MMAMatrixType>(op.getRes().getType());
  }
  static gpu::MMAMatrixType getType(gpu::SubgroupMmaStoreMatrixOp op) {
    return cast<gpu::MMAMatrixType>(op.getSrc().getType());
  }
};

struct RawBuffer : AccessGroup {
  template <typename OpT>
  static Touched get(OpT op, OpOperand &, MemRefType memref,
                     const KernelContext &) {
    return getRawBuffer(op, op.getValue().getType(), memref);
  }
};
struct AtomicRawBuffer : RawBuffer {
  static constexpr bool isAtomic = true;
};
struct CompareAndSwap : AccessGroup {
  static constexpr bool isAtomic = true;
  static Touched get(amdgpu::RawBufferAtomicCmpswapOp op, OpOperand &,
                     MemRefType memref, const KernelContext &) {
    return getRawBuffer(op, op.getSrc().getType(), memref);
  }
};

struct GatherToLDS : AccessGroup {
  static Touched get(amdgpu::GatherToLDSOp op, OpOperand &operand,
                     MemRefType memref, const KernelContext &context) {
    const TargetInfo &target = context.getTarget();
    if (&operand == &op.getSrcMutable()) {
      std::optional<int64_t> element =
          getElementBytes(getElementTypeOrSelf(op.getTransferType()), target);
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
  }
};

struct TransposeLoad : AccessGroup {
  static Touched get(amdgpu::TransposeLoadOp op, OpOperand &, MemRefType memref,
                     const KernelContext &context) {
    const TargetInfo &target = context.getTarget();
    std::optional<int64_t> element =
        getElementBytes(getElementTypeOrSelf(op.getType()), target);
    if (!element)
      return std::nullopt;
    return makeCollective(getByteRun(
        op.getSrcIndices(), *element * getCount(op.getType()), memref, target));
  }
};
} // namespace

void mlir::memspace::registerElementAccessModels(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, memref::MemRefDialect *) {
    attach<OneElement, memref::LoadOp, memref::StoreOp>(context);
    attach<AtomicElement, memref::AtomicRMWOp, memref::GenericAtomicRMWOp>(
        context);
  });
  registry.addExtension(+[](MLIRContext *context, affine::AffineDialect *) {
    attach<AffineElement, affine::AffineLoadOp, affine::AffineStoreOp>(context);
    attach<AffineVector, affine::AffineVectorLoadOp,
           affine::AffineVectorStoreOp>(context);
  });
  registry.addExtension(+[](MLIRContext *context, vector::VectorDialect *) {
    attach<WholeVector, vector::LoadOp, vector::StoreOp>(context);
    attach<MaskedVector, vector::MaskedLoadOp, vector::MaskedStoreOp,
           vector::ExpandLoadOp, vector::CompressStoreOp>(context);
    attach<GatheredVector, vector::GatherOp, vector::ScatterOp>(context);
  });
  registry.addExtension(+[](MLIRContext *context, gpu::GPUDialect *) {
    attach<SubgroupMatrix, gpu::SubgroupMmaLoadMatrixOp,
           gpu::SubgroupMmaStoreMatrixOp>(context);
  });
  registry.addExtension(+[](MLIRContext *context, nvgpu::NVGPUDialect *) {
    attach<AsyncCopy, nvgpu::DeviceAsyncCopyOp>(context);
    attach<LdMatrix, nvgpu::LdMatrixOp>(context);
  });
  registry.addExtension(+[](MLIRContext *context, amdgpu::AMDGPUDialect *) {
    attach<RawBuffer, amdgpu::RawBufferLoadOp, amdgpu::RawBufferStoreOp>(
        context);
    attach<AtomicRawBuffer, amdgpu::RawBufferAtomicFaddOp,
           amdgpu::RawBufferAtomicFmaxOp, amdgpu::RawBufferAtomicSmaxOp,
           amdgpu::RawBufferAtomicUminOp>(context);
    attach<CompareAndSwap, amdgpu::RawBufferAtomicCmpswapOp>(context);
    attach<GatherToLDS, amdgpu::GatherToLDSOp>(context);
    attach<TransposeLoad, amdgpu::TransposeLoadOp>(context);
  });
}
