//===- BufferSize.cpp - how many bytes a buffer takes -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MemSpace/Memory/BufferSize.h"
#include "MemSpace/IR/MemSpaceDialect.h"
#include "MemSpace/Memory/ValueFlow.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "mlir/Interfaces/InferIntRangeInterface.h"
#include "mlir/Interfaces/ValueBoundsOpInterface.h"
#include "llvm/Support/CheckedArithmetic.h"
#include "llvm/Support/MathExtras.h"
#include <limits>

using namespace mlir;
using namespace mlir::memspace;

//===----------------------------------------------------------------------===//
// Elements
//===----------------------------------------------------------------------===//

/// LLVM's largest alignment of a scalar on both backends.
static constexpr int64_t kMaxScalarAlignment = 16;

/// Bits of a scalar as LLVM sees it; none when it is not a scalar.
static std::optional<int64_t> getScalarBits(Type type,
                                            const TargetInfo &target) {
  if (isa<IndexType>(type))
    return target.indexBytes * 8;
  if (type.isIntOrFloat())
    return type.getIntOrFloatBitWidth();
  return std::nullopt;
}

/// Size and alignment that LLVM gives an element in memory.
static std::optional<std::pair<int64_t, int64_t>>
getElementLayout(Type type, const TargetInfo &target) {
  if (std::optional<int64_t> bits = getScalarBits(type, target)) {
    // An odd width (i24) is stored in the next power of two.
    int64_t bytes = llvm::divideCeil(std::max<int64_t>(*bits, 1), 8);
    int64_t alignment =
        std::min<int64_t>(llvm::PowerOf2Ceil(bytes), kMaxScalarAlignment);
    return std::make_pair(int64_t(llvm::alignTo(bytes, alignment)), alignment);
  }
  if (auto complex = dyn_cast<ComplexType>(type)) {
    auto part = getElementLayout(complex.getElementType(), target);
    if (!part)
      return std::nullopt;
    return std::make_pair(2 * part->first, part->second);
  }
  if (auto vector = dyn_cast<VectorType>(type)) {
    // An array of one-dimensional vectors; these are packed bits, rounded up
    // to their natural alignment.
    std::optional<int64_t> bits =
        getScalarBits(vector.getElementType(), target);
    if (!bits || vector.isScalable())
      return std::nullopt;
    int64_t lanes = vector.getRank() == 0 ? 1 : vector.getShape().back();
    std::optional<int64_t> rowBits = llvm::checkedMul(lanes, *bits);
    if (!rowBits)
      return std::nullopt;
    int64_t row = llvm::PowerOf2Ceil(llvm::divideCeil(*rowBits, 8));
    std::optional<int64_t> bytes = row;
    if (vector.getRank() > 1)
      for (int64_t size : vector.getShape().drop_back())
        bytes = bytes ? llvm::checkedMul(*bytes, size) : bytes;
    if (!bytes)
      return std::nullopt;
    return std::make_pair(*bytes, row);
  }
  return std::nullopt;
}

std::optional<int64_t>
mlir::memspace::getElementBytes(Type elementType, const TargetInfo &target) {
  auto layout = getElementLayout(elementType, target);
  return layout ? std::optional<int64_t>(layout->first) : std::nullopt;
}

std::optional<int64_t>
mlir::memspace::getElementAlignment(Type elementType,
                                    const TargetInfo &target) {
  auto layout = getElementLayout(elementType, target);
  return layout ? std::optional<int64_t>(layout->second) : std::nullopt;
}

int64_t mlir::memspace::getBufferAlignment(Type elementType,
                                           const TargetInfo &target) {
  // 16 bytes: the widest vector access to workgroup memory of either vendor.
  return std::max<int64_t>(
      16, getElementAlignment(elementType, target).value_or(16));
}

//===----------------------------------------------------------------------===//
// Buffers
//===----------------------------------------------------------------------===//

std::optional<int64_t>
mlir::memspace::getBufferBytes(ArrayRef<int64_t> shape, Type elementType,
                               const TargetInfo &target) {
  std::optional<int64_t> bytes = getElementBytes(elementType, target);
  if (!bytes || ShapedType::isDynamicShape(shape))
    return std::nullopt;
  if (llvm::is_contained(shape, 0))
    return 0;
  for (int64_t size : shape) {
    bytes = llvm::checkedMul(*bytes, size);
    if (!bytes)
      return std::nullopt;
  }
  return bytes;
}

std::optional<int64_t>
mlir::memspace::getBufferBytes(MemRefType type, const TargetInfo &target) {
  if (type.getLayout().isIdentity())
    return getBufferBytes(type.getShape(), type.getElementType(), target);
  std::optional<int64_t> elementBytes =
      getElementBytes(type.getElementType(), target);
  SmallVector<int64_t> strides;
  int64_t offset;
  if (!elementBytes || !type.hasStaticShape() ||
      failed(type.getStridesAndOffset(strides, offset)))
    return std::nullopt;
  if (llvm::is_contained(type.getShape(), 0))
    return 0;
  // Index of the last element relative to the first.
  std::optional<int64_t> last = 0;
  for (auto [size, stride] : llvm::zip_equal(type.getShape(), strides)) {
    if (ShapedType::isDynamic(stride) || stride < 0)
      return std::nullopt;
    last = llvm::checkedMulAdd(size - 1, stride, *last);
    if (!last)
      return std::nullopt;
  }
  std::optional<int64_t> elements = llvm::checkedAdd<int64_t>(*last, 1);
  if (!elements)
    return std::nullopt;
  return llvm::checkedMul(*elements, *elementBytes);
}

//===----------------------------------------------------------------------===//
// Tensors with encodings
//===----------------------------------------------------------------------===//

FailureOr<TiledLayout> mlir::memspace::getResolvedLayout(
    RankedTensorType type, const TargetInfo &target,
    llvm::function_ref<InFlightDiagnostic()> emitError) {
  FailureOr<ResolvedLayout> resolved = resolveEncoding(type, target, emitError);
  if (failed(resolved))
    return failure();
  const TiledLayout &layout = resolved->layout;
  if (!type.getEncoding())
    return layout;
  SmallVector<LayoutExtent> extents = getLayoutExtents(type);
  std::optional<int64_t> elementBytes =
      getElementBytes(type.getElementType(), target);
  std::optional<int64_t> bytes =
      elementBytes ? layout.getByteSize(extents, *elementBytes) : std::nullopt;
  if (!layout.getAxes(extents) || (type.hasStaticShape() && !bytes))
    return emitError() << "the layout of " << type << " on '" << target.chip
                       << "' has no size that can be counted";
  if (resolved->bytes && bytes && *resolved->bytes != *bytes)
    return emitError()
           << "the resolver of " << type << " for '" << target.chip
           << "' returned a layout of " << *resolved->bytes
           << " bytes, but its elements take " << *bytes
           << (*resolved->bytes < *bytes
                   ? " with their padding (a sub-byte element takes a byte)"
                   : "; what is more must be said by its padding");
  return layout;
}

std::optional<int64_t>
mlir::memspace::getBufferBytes(RankedTensorType type, const TargetInfo &target,
                               ArrayRef<int64_t> boundedShape) {
  if (boundedShape.empty())
    boundedShape = type.getShape();
  if (!type.getEncoding())
    return getBufferBytes(boundedShape, type.getElementType(), target);
  ScopedDiagnosticHandler ignore(type.getContext(),
                                 [](Diagnostic &) { return success(); });
  FailureOr<TiledLayout> layout = getResolvedLayout(type, target, [&] {
    return emitError(UnknownLoc::get(type.getContext()));
  });
  std::optional<int64_t> elementBytes =
      getElementBytes(type.getElementType(), target);
  if (failed(layout) || !elementBytes ||
      ShapedType::isDynamicShape(boundedShape))
    return std::nullopt;
  return layout->getByteSize(getStaticExtents(boundedShape), *elementBytes);
}

//===----------------------------------------------------------------------===//
// Bounds
//===----------------------------------------------------------------------===//

namespace {
/// Constant bounds of values. Value bounds follow affine arithmetic and shapes
/// but know few of arith's ops; integer ranges know those but not shapes. Each
/// asks the other where it has no answer itself.
class BoundFinder {
public:
  std::optional<int64_t> getUpperBound(Value value,
                                       std::optional<int64_t> dim) {
    return getBound(presburger::BoundType::UB, {value, dim}, value);
  }

  std::optional<int64_t> getUpperBoundOfSources(Value tensor, int64_t dim);

  /// Range of an integer or index; unconstrained when nothing is known.
  ConstantIntRanges getRange(Value value);

private:
  using Variable = ValueBoundsConstraintSet::Variable;

  /// `value`, if not null, is what the variable is.
  std::optional<int64_t> getBound(presburger::BoundType type,
                                  const Variable &variable, Value value);
  std::optional<int64_t> getUpperBound(affine::AffineMaxOp maximum);

  /// Ranges found, and while one is searched for its unconstrained range, which
  /// ends recursion through loop-carried values.
  llvm::DenseMap<Value, ConstantIntRanges> ranges;
  unsigned depth = 0;
};
} // namespace

/// Beyond this many nested queries nothing is known any more.
static constexpr unsigned kMaxBoundDepth = 16;

std::optional<int64_t> BoundFinder::getBound(presburger::BoundType type,
                                             const Variable &variable,
                                             Value value) {
  auto addRange = [&](Value visited, std::optional<int64_t> visitedDim,
                      ValueBoundsConstraintSet &cstr) {
    if (!visitedDim && visited != value && visited.getType().isIndex()) {
      ConstantIntRanges range = getRange(visited);
      // Wider constants would overflow the constraint system.
      if (range.smax().isSignedIntN(32))
        cstr.bound(visited) <= range.smax().getSExtValue();
      if (range.smin().isSignedIntN(32))
        cstr.bound(visited) >= range.smin().getSExtValue();
    }
    return false;
  };
  FailureOr<int64_t> bound = ValueBoundsConstraintSet::computeConstantBound(
      type, variable, addRange, /*closedUB=*/true);
  if (failed(bound))
    return std::nullopt;
  return *bound;
}

/// The largest of the bounds of the numbers: to upstream it has lower bounds
/// only.
std::optional<int64_t> BoundFinder::getUpperBound(affine::AffineMaxOp maximum) {
  std::optional<int64_t> most;
  for (unsigned i = 0, e = maximum.getMap().getNumResults(); i < e; ++i) {
    AffineMap map = maximum.getMap().getSubMap({i});
    std::optional<int64_t> bound =
        getBound(presburger::BoundType::UB,
                 Variable(map, maximum.getOperands()), Value());
    if (!bound)
      return std::nullopt;
    most = std::max(most.value_or(*bound), *bound);
  }
  return most;
}

ConstantIntRanges BoundFinder::getRange(Value value) {
  unsigned width = ConstantIntRanges::getStorageBitwidth(value.getType());
  ConstantIntRanges unknown = ConstantIntRanges::maxRange(width);
  auto [it, isNew] = ranges.try_emplace(value, unknown);
  if (!isNew || width == 0 || depth >= kMaxBoundDepth)
    return it->second;

  ++depth;
  ConstantIntRanges result = unknown;
  if (auto op = value.getDefiningOp<InferIntRangeInterface>()) {
    SmallVector<IntegerValueRange> operandRanges;
    for (Value operand : op->getOperands()) {
      // Shaped operands have no range; 0 bits is how upstream says so.
      bool isInteger =
          ConstantIntRanges::getStorageBitwidth(operand.getType()) != 0;
      operandRanges.push_back(isInteger ? IntegerValueRange(getRange(operand))
                                        : IntegerValueRange());
    }
    op.inferResultRangesFromOptional(
        operandRanges, [&](Value inferred, const IntegerValueRange &range) {
          if (inferred == value && !range.isUninitialized())
            result = range.getValue();
        });
  }
  if (value.getType().isIndex()) {
    APInt min = unknown.smin(), max = unknown.smax();
    if (auto bound = getBound(presburger::BoundType::LB, value, value))
      min = APInt(width, *bound, /*isSigned=*/true);
    std::optional<int64_t> most =
        getBound(presburger::BoundType::UB, value, value);
    if (auto maximum = value.getDefiningOp<affine::AffineMaxOp>();
        maximum && !most)
      most = getUpperBound(maximum);
    if (most)
      max = APInt(width, *most, /*isSigned=*/true);
    if (min.sle(max))
      result = result.intersection(ConstantIntRanges::fromSigned(min, max));
  }
  --depth;
  // An empty intersection means unreachable code; say nothing about it.
  if (result.smin().sgt(result.smax()) || result.umin().ugt(result.umax()))
    result = unknown;
  ranges.find(value)->second = result;
  return result;
}

namespace {
/// Where the extent of a tensor along a dimension comes from.
class ExtentSources {
public:
  /// False if that is not known for all of them, or they are too many.
  bool collect(Value tensor, int64_t dim);

  /// Sizes that tensors are made with, and the extents of other tensors.
  SmallVector<OpFoldResult> sizes;
  SmallVector<std::pair<Value, int64_t>> tensors;

private:
  bool visit(Value tensor, int64_t dim);
  void addSize(OpFoldResult size);

  SmallVector<std::pair<Value, int64_t>> work;
  llvm::DenseSet<std::pair<Value, int64_t>> seen;
};
} // namespace

/// Tensors that are looked through at most.
static constexpr unsigned kMaxExtentSteps = 256;

bool ExtentSources::collect(Value tensor, int64_t dim) {
  work.push_back({tensor, dim});
  while (!work.empty()) {
    auto [next, nextDim] = work.pop_back_val();
    if (!seen.insert({next, nextDim}).second)
      continue;
    if (seen.size() > kMaxExtentSteps || !visit(next, nextDim))
      return false;
  }
  return true;
}

/// A size may be asked of another tensor.
void ExtentSources::addSize(OpFoldResult size) {
  auto value = dyn_cast<Value>(size);
  auto asked = value ? value.getDefiningOp<ShapedDimOpInterface>() : nullptr;
  std::optional<int64_t> dim =
      asked ? getConstantIntValue(asked.getDimension()) : std::nullopt;
  if (dim && *dim >= 0)
    work.push_back({asked.getShapedValue(), *dim});
  else
    sizes.push_back(size);
}

/// What branches and loops pass on has one of the extents of its sources.
bool ExtentSources::visit(Value tensor, int64_t dim) {
  auto type = dyn_cast<ShapedType>(tensor.getType());
  if (!type || !type.hasRank() || dim >= type.getRank())
    return false;
  OpBuilder b(tensor.getContext());
  if (!type.isDynamicDim(dim)) {
    sizes.push_back(b.getIndexAttr(type.getDimSize(dim)));
    return true;
  }
  if (std::optional<SmallVector<Value>> passed = getPassedValues(tensor)) {
    for (Value source : *passed)
      work.push_back({source, dim});
    return true;
  }
  if (auto arg = dyn_cast<BlockArgument>(tensor)) {
    auto forall = dyn_cast<scf::ForallOp>(arg.getOwner()->getParentOp());
    if (forall)
      work.push_back({forall.getTiedOpOperand(arg)->get(), dim});
    else
      tensors.push_back({tensor, dim});
    return true;
  }
  Operation *op = tensor.getDefiningOp();
  if (auto alloc = dyn_cast<bufferization::AllocTensorOp>(op)) {
    if (alloc.getCopy())
      work.push_back({alloc.getCopy(), dim});
    else
      addSize(alloc.getDynamicSize(b, dim));
    return true;
  }
  if (auto empty = dyn_cast<tensor::EmptyOp>(op)) {
    addSize(empty.getDynamicSize(dim));
    return true;
  }
  if (auto dps = dyn_cast<DestinationStyleOpInterface>(op)) {
    work.push_back({dps.getTiedOpOperand(cast<OpResult>(tensor))->get(), dim});
    return true;
  }
  if (auto exchange = dyn_cast<ExchangeOp>(op)) {
    for (Value input : exchange.getInputs())
      work.push_back({input, dim});
    return true;
  }
  // Half of the kernel may be bufferized.
  if (isa<bufferization::ToBufferOp, bufferization::ToTensorOp, memref::CastOp>(
          op)) {
    work.push_back({op->getOperand(0), dim});
    return true;
  }
  if (auto view = dyn_cast<memref::ViewOp>(op)) {
    addSize(view.getSizes()[type.getDynamicDimIndex(dim)]);
    return true;
  }
  tensors.push_back({tensor, dim});
  return true;
}

/// The largest of the bounds of the extents that it may be.
std::optional<int64_t> BoundFinder::getUpperBoundOfSources(Value tensor,
                                                           int64_t dim) {
  ExtentSources sources;
  if (!sources.collect(tensor, dim))
    return std::nullopt;
  int64_t most = 0;
  for (OpFoldResult size : sources.sizes) {
    std::optional<int64_t> bound = getConstantIntValue(size);
    if (!bound) {
      APInt max = getRange(cast<Value>(size)).smax();
      if (max.isSignedIntN(64))
        bound = max.getSExtValue();
    }
    if (!bound)
      return std::nullopt;
    most = std::max(most, *bound);
  }
  for (auto [source, sourceDim] : sources.tensors) {
    std::optional<int64_t> bound;
    if (source != tensor)
      bound = getUpperBound(source, sourceDim);
    if (!bound)
      return std::nullopt;
    most = std::max(most, *bound);
  }
  return most;
}

std::optional<int64_t>
mlir::memspace::getConstantUpperBound(Value value, std::optional<int64_t> dim) {
  // What a 32 or 53 bit type can hold is no bound of a buffer.
  constexpr int64_t trivial = std::numeric_limits<int32_t>::max();
  auto isBound = [&](std::optional<int64_t> bound) {
    return bound && *bound >= 0 && *bound < trivial;
  };
  BoundFinder finder;
  std::optional<int64_t> bound;
  if (dim) {
    auto type = dyn_cast<ShapedType>(value.getType());
    if (!type || !type.hasRank() || *dim < 0 || *dim >= type.getRank())
      return std::nullopt;
    bound = type.isDynamicDim(*dim) ? finder.getUpperBound(value, dim)
                                    : type.getDimSize(*dim);
    if (!isBound(bound))
      bound = finder.getUpperBoundOfSources(value, *dim);
  } else if (value.getType().isIntOrIndex()) {
    APInt max = finder.getRange(value).smax();
    if (max.isSignedIntN(64))
      bound = max.getSExtValue();
    // The extent of a tensor that comes out of a branch or a loop.
    auto asked = value.getDefiningOp<ShapedDimOpInterface>();
    std::optional<int64_t> index =
        asked ? getConstantIntValue(asked.getDimension()) : std::nullopt;
    if (!isBound(bound) && index && *index >= 0)
      bound = finder.getUpperBoundOfSources(asked.getShapedValue(), *index);
  }
  return isBound(bound) ? bound : std::nullopt;
}
