//===- InputChecks.cpp - numbers that nobody can mean -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "InputChecks.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Interfaces/ShapedOpInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::memspace;

//===----------------------------------------------------------------------===//
// Sizes
//===----------------------------------------------------------------------===//

/// More loops in each other make the placement of barriers, which grows with
/// the cube of their number, take minutes.
static constexpr unsigned kMaxLoopDepth = 100;
/// Upstream's types of the buffers that loops carry take twice as long with
/// each loop around.
static constexpr unsigned kMaxCarryingDepth = 16;
/// Some passes keep what they know of each op, tens of microseconds of work and
/// kilobytes.
static constexpr unsigned kMaxTensorOps = 100000;

namespace {
/// What is too large to be analyzed in a reasonable time.
class SizeCheck {
public:
  LogicalResult check(Operation *op);
  LogicalResult enter(LoopLikeOpInterface loop);
  void leave(LoopLikeOpInterface loop);

private:
  unsigned loops = 0, carrying = 0, tensorOps = 0;
};
} // namespace

/// A forall hands its tensors down, but the types of their buffers are known.
static bool carriesTensors(LoopLikeOpInterface loop) {
  return !isa<scf::ForallOp>(loop.getOperation()) &&
         llvm::any_of(loop->getResultTypes(), llvm::IsaPred<TensorType>);
}

LogicalResult SizeCheck::check(Operation *op) {
  if (!llvm::any_of(op->getResultTypes(), llvm::IsaPred<TensorType>) ||
      ++tensorOps <= kMaxTensorOps)
    return success();
  return op->emitOpError()
         << "is one of more than " << kMaxTensorOps
         << " ops on tensors in a kernel, whose analysis would "
            "take too long; use loops, or several kernels";
}

LogicalResult SizeCheck::enter(LoopLikeOpInterface loop) {
  if (++loops > kMaxLoopDepth)
    return loop.emitError() << "more than " << kMaxLoopDepth
                            << " loops in each other, whose analysis would "
                               "take too long; make several of them one";
  carrying += carriesTensors(loop);
  if (carrying > kMaxCarryingDepth)
    return loop.emitError()
           << "more than " << kMaxCarryingDepth
           << " loops in each other carry tensors, whose bufferization would "
              "take too long; make several of them one";
  return success();
}

void SizeCheck::leave(LoopLikeOpInterface loop) {
  --loops;
  carrying -= carriesTensors(loop);
}

//===----------------------------------------------------------------------===//
// Numbers
//===----------------------------------------------------------------------===//

static LogicalResult checkDimension(ShapedDimOpInterface dim) {
  auto type = dyn_cast<ShapedType>(dim.getShapedValue().getType());
  std::optional<int64_t> index = getConstantIntValue(dim.getDimension());
  if (!type || !type.hasRank() || !index ||
      (*index >= 0 && *index < type.getRank()))
    return success();
  return dim.emitOpError() << "asks for the extent of dimension " << *index
                           << " of " << type << ", which has " << type.getRank()
                           << "; use a dimension from 0 on below that";
}

static LogicalResult checkSteps(LoopLikeOpInterface loop) {
  // No attribute is made of what is written in the op.
  if (auto forall = dyn_cast<scf::ForallOp>(loop.getOperation());
      forall && forall.getDynamicStep().empty() &&
      llvm::all_of(forall.getStaticStep(),
                   [](int64_t step) { return step > 0; }))
    return success();
  std::optional<SmallVector<OpFoldResult>> steps = loop.getLoopSteps();
  if (!steps)
    return success();
  auto forOp = dyn_cast<scf::ForOp>(loop.getOperation());
  bool isUnsigned = forOp && forOp.getUnsignedCmp();
  for (OpFoldResult step : *steps)
    if (std::optional<int64_t> constant = getConstantIntValue(step);
        constant && *constant <= 0 && !(isUnsigned && *constant < 0))
      return loop.emitError()
             << "loop with the step " << *constant
             << "; a step must be positive: count the iterations upward";
  return success();
}

/// Sums of larger extents cannot be counted, and upstream does not look. The
/// bytes of memrefs are counted with checks.
static constexpr int64_t kMaxBytes = int64_t(1) << 60;

static LogicalResult checkExtents(Operation *op) {
  for (Type type : op->getResultTypes()) {
    auto shaped = dyn_cast<RankedTensorType>(type);
    if (!shaped)
      continue;
    Type element = shaped.getElementType();
    int64_t bytes = element.isIntOrFloat()
                        ? llvm::divideCeil(element.getIntOrFloatBitWidth(), 8)
                        : 1;
    for (int64_t extent : shaped.getShape())
      if (!ShapedType::isDynamic(extent) && extent != 0 &&
          (llvm::MulOverflow(bytes, extent, bytes) || bytes > kMaxBytes))
        return op->emitOpError() << "makes a value of type " << type
                                 << ", which is larger than any memory; use "
                                    "smaller extents";
  }
  return success();
}

/// The extents stand in the op and in its type.
static LogicalResult checkExpansion(tensor::ExpandShapeOp expand) {
  ArrayRef<int64_t> shape = expand.getResultType().getShape();
  if (expand.getStaticOutputShape() == shape)
    return success();
  auto diag = expand.emitOpError() << "expands to the shape [";
  llvm::interleaveComma(expand.getStaticOutputShape(), diag);
  return diag << "], which is not that of " << expand.getResultType()
              << "; write the same extents in both";
}

/// Upstream takes a stride of zero for that of a dimension that is dropped.
static LogicalResult checkStrides(OffsetSizeAndStrideOpInterface slice) {
  for (auto [dim, stride] : llvm::enumerate(slice.getStaticStrides()))
    if ((ShapedType::isDynamic(stride)
             ? getConstantIntValue(slice.getDynamicStride(dim))
             : stride) == int64_t(0))
      return slice.emitError()
             << "slice with the stride 0, whose elements are all one; take a "
                "slice of size 1, or broadcast it";
  return success();
}

/// Also of an op on constants, which some pattern will fold.
static std::optional<int64_t> getFoldedConstant(OpFoldResult number) {
  if (std::optional<int64_t> constant = getConstantIntValue(number))
    return constant;
  auto apply = cast<Value>(number).getDefiningOp<affine::AffineApplyOp>();
  if (!apply)
    return std::nullopt;
  SmallVector<Attribute> operands, results;
  for (Value operand : apply.getMapOperands()) {
    Attribute constant;
    if (!matchPattern(operand, m_Constant(&constant)))
      return std::nullopt;
    operands.push_back(constant);
  }
  if (failed(apply.getAffineMap().constantFold(operands, results)))
    return std::nullopt;
  return getConstantIntValue(results.front());
}

/// Upstream's verifiers see only offsets that are written in the op.
static LogicalResult checkOffsets(OffsetSizeAndStrideOpInterface slice,
                                  ShapedType source) {
  // No attribute is made of what is written in the op.
  ArrayRef<int64_t> shape = source.getShape();
  for (auto [dim, offset, staticSize] :
       llvm::enumerate(slice.getStaticOffsets(), slice.getStaticSizes())) {
    std::optional<int64_t> first =
        ShapedType::isDynamic(offset)
            ? getFoldedConstant(slice.getDynamicOffset(dim))
            : offset;
    if (!first || ShapedType::isDynamic(shape[dim]) ||
        (*first >= 0 && *first < shape[dim]))
      continue;
    std::optional<int64_t> size =
        ShapedType::isDynamic(staticSize)
            ? getConstantIntValue(slice.getDynamicSize(dim))
            : staticSize;
    if (size && *size == 0)
      continue;
    return slice.emitError()
           << "slice of " << source << " from " << *first << " on in dimension "
           << dim << ", which has " << source.getDimSize(dim)
           << " elements; keep it inside";
  }
  return success();
}

static LogicalResult checkSlice(OffsetSizeAndStrideOpInterface slice) {
  if (failed(checkStrides(slice)))
    return failure();
  if (auto subview = dyn_cast<memref::SubViewOp>(slice.getOperation()))
    return checkOffsets(slice, subview.getSourceType());
  if (auto extract = dyn_cast<tensor::ExtractSliceOp>(slice.getOperation()))
    return checkOffsets(slice, extract.getSourceType());
  if (auto insert = dyn_cast<tensor::InsertSliceOp>(slice.getOperation()))
    return checkOffsets(slice, insert.getDestType());
  if (auto insert =
          dyn_cast<tensor::ParallelInsertSliceOp>(slice.getOperation()))
    return checkOffsets(slice, insert.getDestType());
  return success();
}

/// Upstream's CSE takes an index of an op in a payload for one of the op whose
/// payload it is.
static LogicalResult checkIndex(linalg::IndexOp index) {
  Operation *inner = index->getParentOp();
  if (!inner->getParentOfType<linalg::LinalgOp>())
    return success();
  return index.emitOpError()
         << "is that of a structured op in the payload of another one; compute "
            "its tensor outside of the payload and extract the elements";
}

/// What else upstream's verifiers pass.
static LogicalResult checkOp(Operation *op) {
  if (auto slice = dyn_cast<OffsetSizeAndStrideOpInterface>(op);
      slice && !isa<memref::ReinterpretCastOp>(op))
    return checkSlice(slice);
  if (auto expand = dyn_cast<tensor::ExpandShapeOp>(op))
    return checkExpansion(expand);
  if (auto index = dyn_cast<linalg::IndexOp>(op))
    return checkIndex(index);
  return success();
}

static LogicalResult checkStack(memref::AllocaOp alloca,
                                const MemorySpaceMapping &spaces,
                                bool unknownPasses) {
  Attribute given = alloca.getType().getMemorySpace();
  if (!given)
    return success();
  std::optional<MemorySpace> space = spaces.fromAttribute(given);
  // The numbers of LLVM's backends, where nobody says otherwise.
  auto number = dyn_cast<IntegerAttr>(given);
  bool isPrivate = space ? *space == MemorySpace::Private
                         : unknownPasses || !number || number.getValue() == 5;
  if (isPrivate || space == MemorySpace::Workgroup)
    return success();
  return alloca.emitError()
         << "stack memory in the memory space " << given
         << "; the stack of a thread is private, use "
         << spaces.toAttribute(alloca.getContext(), MemorySpace::Private);
}

namespace {
/// Checks all ops, and collects stack memory, in the order of the program.
class Checker {
public:
  explicit Checker(SmallVectorImpl<memref::AllocaOp> &stack,
                   llvm::function_ref<void(Operation *)> visit = nullptr)
      : stack(stack), visit(visit) {}

  LogicalResult check(Operation *op);

private:
  /// What is looked at of the ops of one name.
  struct Kind {
    bool isLoop, isDim, isOther;
  };
  Kind getKind(Operation *op);

  SmallVectorImpl<memref::AllocaOp> &stack;
  llvm::function_ref<void(Operation *)> visit;
  SizeCheck sizes;
  /// Interfaces are found slowly, and every pass looks for them.
  DenseMap<OperationName, Kind> kinds;
};
} // namespace

Checker::Kind Checker::getKind(Operation *op) {
  auto [it, isNew] = kinds.try_emplace(op->getName());
  if (isNew)
    it->second = {isa<LoopLikeOpInterface>(op), isa<ShapedDimOpInterface>(op),
                  isa<OffsetSizeAndStrideOpInterface, tensor::ExpandShapeOp,
                      linalg::IndexOp>(op)};
  return it->second;
}

LogicalResult Checker::check(Operation *op) {
  if (visit)
    visit(op);
  Kind kind = getKind(op);
  LoopLikeOpInterface loop;
  if (kind.isLoop)
    loop = cast<LoopLikeOpInterface>(op);
  if (loop && (failed(checkSteps(loop)) || failed(sizes.enter(loop))))
    return failure();
  if (kind.isDim && failed(checkDimension(cast<ShapedDimOpInterface>(op))))
    return failure();
  if (auto alloca = dyn_cast<memref::AllocaOp>(op))
    stack.push_back(alloca);
  if ((op->getNumResults() != 0 &&
       (failed(sizes.check(op)) || failed(checkExtents(op)))) ||
      (kind.isOther && failed(checkOp(op))))
    return failure();
  for (Region &region : op->getRegions())
    for (Block &block : region)
      for (Operation &inner : block)
        if (failed(check(&inner)))
          return failure();
  if (loop)
    sizes.leave(loop);
  return success();
}

LogicalResult mlir::memspace::checkInput(Operation *root) {
  SmallVector<memref::AllocaOp> stack;
  return Checker(stack).check(root);
}

LogicalResult
mlir::memspace::checkInput(Operation *kernel, const MemorySpaceMapping &spaces,
                           bool unknownPasses,
                           llvm::function_ref<void(Operation *)> visit) {
  SmallVector<memref::AllocaOp> stack;
  if (failed(Checker(stack, visit).check(kernel)))
    return failure();
  return failure(llvm::any_of(stack, [&](memref::AllocaOp alloca) {
    return failed(checkStack(alloca, spaces, unknownPasses));
  }));
}
