//===- MemoryAccess.cpp - which memory an op touches -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MemSpace/Analysis/MemoryAccess.h"
#include "MemSpace/Analysis/BufferSize.h"
#include "MemSpace/Analysis/BufferUses.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

using namespace mlir;
using namespace mlir::memspace;

static std::optional<gpu::AddressSpace> getSpace(Type type) {
  auto memref = dyn_cast<BaseMemRefType>(type);
  auto space =
      memref ? dyn_cast_or_null<gpu::AddressSpaceAttr>(memref.getMemorySpace())
             : gpu::AddressSpaceAttr();
  if (!space)
    return std::nullopt;
  return space.getValue();
}

static bool isPrivate(Value value) {
  std::optional<gpu::AddressSpace> space = getSpace(value.getType());
  if (space)
    return *space == gpu::AddressSpace::Private;
  return value.getDefiningOp<memref::AllocaOp>() != nullptr;
}

bool MemoryAccess::isUnknown() const {
  return !memref ||
         llvm::any_of(bases, [](const MemoryBase &base) { return !base.root; });
}

bool mlir::memspace::isControlFlow(Operation *op) {
  if (op->getNumRegions() == 0)
    return false;
  return isa<RegionBranchOpInterface, LoopLikeOpInterface>(op) ||
         !isa<MemoryEffectOpInterface>(op);
}

//===----------------------------------------------------------------------===//
// Tracing to the roots
//===----------------------------------------------------------------------===//

namespace {
constexpr unsigned kMaxTraceSteps = 256;
using ByteInterval = std::optional<std::pair<int64_t, int64_t>>;

class Tracer {
public:
  Tracer(const TargetInfo &target, SmallVectorImpl<MemoryBase> &bases)
      : target(target), bases(bases) {}

  /// `shift`: from where `value` points to where the accessed memref does;
  /// `bytes`: what is touched, from where `value` points.
  void trace(Value value, std::optional<LinearExpr> shift, ByteInterval bytes);

private:
  void addRoot(Value root, Value buffer, std::optional<LinearExpr> shift,
               ByteInterval bytes) {
    bases.push_back(
        {root.getAsOpaquePointer(), root, buffer, std::move(shift), bytes});
  }
  void addUnknown() { bases.push_back({}); }
  /// True when `value`, an argument of a loop, was traced before with a shift
  /// that is equal and does not change in the loop.
  bool isSameShift(Value value, const LinearExpr &shift) const {
    auto arg = dyn_cast<BlockArgument>(value);
    auto known = shifts.find(value);
    if (!arg || known == shifts.end() ||
        known->second.constant != shift.constant ||
        known->second.terms != shift.terms)
      return false;
    Operation *loop = arg.getOwner()->getParentOp();
    return llvm::all_of(shift.terms, [&](auto term) {
      return !loop->isAncestor(term.first.getParentBlock()->getParentOp());
    });
  }

  const TargetInfo &target;
  SmallVectorImpl<MemoryBase> &bases;
  DenseSet<std::pair<Value, int64_t>> visited;
  DenseMap<Value, LinearExpr> shifts;
};
} // namespace

/// Static strides and offset in elements, and the bytes of one.
static bool getStaticLayout(Type type, const TargetInfo &target,
                            SmallVectorImpl<int64_t> &strides, int64_t &offset,
                            int64_t &elementBytes) {
  auto memref = dyn_cast<MemRefType>(type);
  if (!memref || failed(memref.getStridesAndOffset(strides, offset)) ||
      ShapedType::isDynamic(offset) || ShapedType::isDynamicShape(strides))
    return false;
  std::optional<int64_t> bytes =
      getElementBytes(memref.getElementType(), target);
  if (!bytes)
    return false;
  elementBytes = *bytes;
  return true;
}

/// The bytes that a memref of `type` spans from where it points.
static ByteInterval getTypeBytes(Type type, const TargetInfo &target) {
  SmallVector<int64_t> strides;
  int64_t offset, elementBytes;
  if (!getStaticLayout(type, target, strides, offset, elementBytes))
    return std::nullopt;
  auto memref = cast<MemRefType>(type);
  if (!memref.hasStaticShape())
    return std::nullopt;
  int64_t last = 0;
  for (auto [size, stride] : llvm::zip(memref.getShape(), strides)) {
    int64_t span;
    if (size == 0)
      return std::pair<int64_t, int64_t>(0, 0);
    if (stride < 0 || llvm::MulOverflow(size - 1, stride, span) ||
        llvm::AddOverflow(last, span, last))
      return std::nullopt;
  }
  int64_t begin, end;
  if (llvm::MulOverflow(offset, elementBytes, begin) ||
      llvm::MulOverflow(offset + last + 1, elementBytes, end))
    return std::nullopt;
  return std::make_pair(begin, end);
}

/// What control flow passes to `value`, a result or region argument of
/// `branch`; false when that is not known.
static bool getPassedValues(RegionBranchOpInterface branch, Value value,
                            SmallVectorImpl<Value> &passed) {
  for (RegionBranchPoint point : branch.getAllRegionBranchPoints()) {
    SmallVector<RegionSuccessor> successors;
    branch.getSuccessorRegions(point, successors);
    for (RegionSuccessor &successor : successors)
      for (auto [index, input] :
           llvm::enumerate(successor.getSuccessorInputs())) {
        if (input != value)
          continue;
        OperandRange operands =
            point.isParent() ? branch.getEntrySuccessorOperands(successor)
                             : cast<RegionBranchTerminatorOpInterface>(
                                   point.getTerminatorPredecessorOrNull())
                                   .getSuccessorOperands(successor);
        passed.push_back(operands[index]);
      }
  }
  return !passed.empty();
}

void Tracer::trace(Value value, std::optional<LinearExpr> shift,
                   ByteInterval bytes) {
  // The same place again adds nothing; a shift that is not constant may be
  // another one, and a loop may shift for ever.
  std::optional<int64_t> constant;
  if (shift)
    constant = shift->getConstant();
  bool isNew =
      visited.insert({value, constant.value_or(ShapedType::kDynamic)}).second;
  if (!isNew && constant)
    return;
  // A shift by values from outside the loop is the same in every iteration.
  if (!isNew && shift && isSameShift(value, *shift))
    return;
  if (!isNew || visited.size() > kMaxTraceSteps)
    return addUnknown();
  if (shift && !constant)
    shifts.try_emplace(value, *shift);
  if (!bytes)
    bytes = getTypeBytes(value.getType(), target);

  SmallVector<Value> sources;
  Operation *def = value.getDefiningOp();
  if (auto arg = dyn_cast<BlockArgument>(value)) {
    Operation *parent = arg.getOwner()->getParentOp();
    if (isa<FunctionOpInterface>(parent) && arg.getOwner()->isEntryBlock())
      return addRoot(value, value, std::move(shift), bytes);
    auto branch = dyn_cast<RegionBranchOpInterface>(parent);
    if (!branch || !getPassedValues(branch, value, sources))
      return addUnknown();
  } else if (auto view = dyn_cast<memref::ViewOp>(def)) {
    std::optional<int64_t> by = getConstantIntValue(view.getByteShift());
    if (bytes && by)
      bytes = {bytes->first + *by, bytes->second + *by};
    else
      bytes = std::nullopt;
    if (shift)
      *shift += LinearExpr(OpFoldResult(view.getByteShift()));
    if (isArena(view.getSource()))
      return addRoot(view.getSource(), value, std::move(shift), bytes);
    return trace(view.getSource(), std::move(shift), bytes);
  } else if (isa<memref::SubViewOp, memref::CastOp, memref::ReinterpretCastOp,
                 memref::ExpandShapeOp, memref::CollapseShapeOp,
                 memref::TransposeOp, memref::MemorySpaceCastOp,
                 memref::AssumeAlignmentOp, memref::ReshapeOp,
                 memref::ExtractStridedMetadataOp>(def)) {
    // Another layout of what lies where the source points.
    return trace(def->getOperand(0), std::move(shift), bytes);
  } else if (auto view = dyn_cast<ViewLikeOpInterface>(def)) {
    return trace(view.getViewSource(), std::nullopt, std::nullopt);
  } else if (auto select = dyn_cast<SelectLikeOpInterface>(def)) {
    sources = {select.getTrueValue(), select.getFalseValue()};
  } else if (auto global = dyn_cast<memref::GetGlobalOp>(def)) {
    bases.push_back({global.getNameAttr().getAsOpaquePointer(), Value(),
                     Value(), std::move(shift), bytes});
    return;
  } else if (hasEffect<MemoryEffects::Allocate>(def, value)) {
    return addRoot(value, value, std::move(shift), bytes);
  } else if (auto branch = dyn_cast<RegionBranchOpInterface>(def);
             !branch || !getPassedValues(branch, value, sources)) {
    return addUnknown();
  }
  for (Value source : sources)
    trace(source, shift, bytes);
}

//===----------------------------------------------------------------------===//
// Elements
//===----------------------------------------------------------------------===//

static void scale(IndexRange &range, const LinearExpr &offset, int64_t factor) {
  LinearExpr sum = offset;
  sum += range.offset * factor;
  range.offset = std::move(sum);
  range.stride *= factor;
  for (auto &extent : range.extents)
    extent.second *= factor;
}

static IndexRange getWholeRange(int64_t size) {
  IndexRange range;
  if (!ShapedType::isDynamic(size))
    range.size = LinearExpr(size);
  return range;
}

/// Turns ranges of `view` into ranges of what it is a slice of, as far as
/// possible.
static void composeSlices(Value &view, SmallVector<IndexRange> &ranges) {
  while (Operation *def = view.getDefiningOp()) {
    if (auto subview = dyn_cast<memref::SubViewOp>(def)) {
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
        if (stride)
          scale(range, LinearExpr(offsets[dim]), *stride);
        else
          range = IndexRange();
        outer.push_back(std::move(range));
      }
      ranges = std::move(outer);
      view = subview.getSource();
      continue;
    }
    if (auto expand = dyn_cast<memref::ExpandShapeOp>(def)) {
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
          sum.offset += inner.offset * factor;
          sum.extents.emplace_back(*inner.size, inner.stride * factor);
          for (auto &extent : inner.extents)
            sum.extents.emplace_back(extent.first, extent.second * factor);
          factor = ShapedType::isDynamic(shape[dim]) ? ShapedType::kDynamic
                                                     : factor * shape[dim];
        }
        outer.push_back(known ? std::move(sum) : IndexRange());
      }
      ranges = std::move(outer);
      view = expand.getSrc();
      continue;
    }
    if (isa<memref::CastOp, memref::MemorySpaceCastOp,
            memref::AssumeAlignmentOp>(def) &&
        isa<MemRefType>(def->getOperand(0).getType())) {
      view = def->getOperand(0);
      continue;
    }
    return;
  }
}

/// The indices of `memref` that `op` touches.
static std::optional<SmallVector<IndexRange>> getRanges(Operation *op,
                                                        Value memref) {
  auto type = dyn_cast<MemRefType>(memref.getType());
  if (!type)
    return std::nullopt;
  SmallVector<IndexRange> ranges;
  auto addIndices = [&](ValueRange indices) {
    for (Value index : indices) {
      IndexRange range = getWholeRange(1);
      range.offset = LinearExpr(OpFoldResult(index));
      ranges.push_back(std::move(range));
    }
  };
  auto addVector = [&](VectorType vector) {
    unsigned base = ranges.size() - vector.getRank();
    for (auto [index, size] : llvm::enumerate(vector.getShape()))
      ranges[base + index].size = LinearExpr(size);
  };
  bool known = true;
  if (auto load = dyn_cast<memref::LoadOp>(op)) {
    addIndices(load.getIndices());
  } else if (auto store = dyn_cast<memref::StoreOp>(op)) {
    addIndices(store.getIndices());
  } else if (auto atomic = dyn_cast<memref::AtomicRMWOp>(op)) {
    addIndices(atomic.getIndices());
  } else if (auto atomic = dyn_cast<memref::GenericAtomicRMWOp>(op)) {
    addIndices(atomic.getIndices());
  } else if (auto load = dyn_cast<vector::LoadOp>(op)) {
    addIndices(load.getIndices());
    known = load.getVectorType().getRank() <= type.getRank() &&
            !load.getVectorType().isScalable();
    if (known && !isa<VectorType>(type.getElementType()))
      addVector(load.getVectorType());
  } else if (auto store = dyn_cast<vector::StoreOp>(op)) {
    addIndices(store.getIndices());
    known = store.getVectorType().getRank() <= type.getRank() &&
            !store.getVectorType().isScalable();
    if (known && !isa<VectorType>(type.getElementType()))
      addVector(store.getVectorType());
  } else if (auto transfer = dyn_cast<VectorTransferOpInterface>(op)) {
    addIndices(transfer.getIndices());
    known = !transfer.getVectorType().isScalable() &&
            !isa<VectorType>(type.getElementType());
    for (auto [expr, size] :
         llvm::zip(transfer.getPermutationMap().getResults(),
                   transfer.getVectorType().getShape())) {
      if (auto dim = dyn_cast<AffineDimExpr>(expr))
        ranges[dim.getPosition()].size = LinearExpr(size);
    }
  } else {
    known = false;
  }
  if (!known) {
    ranges.clear();
    for (int64_t size : type.getShape())
      ranges.push_back(getWholeRange(size));
  }
  return ranges;
}

static std::optional<IndexRange> getByteRange(const MemoryAccess &access,
                                              const TargetInfo &target) {
  if (access.bases.size() != 1 || !access.bases.front().shiftBytes ||
      !access.elements)
    return std::nullopt;
  SmallVector<int64_t> strides;
  int64_t offset, elementBytes;
  if (!getStaticLayout(access.view.getType(), target, strides, offset,
                       elementBytes) ||
      strides.size() != access.elements->size())
    return std::nullopt;
  auto type = cast<MemRefType>(access.view.getType());
  IndexRange result;
  result.offset = *access.bases.front().shiftBytes;
  result.offset += LinearExpr(offset * elementBytes);
  result.size = LinearExpr(elementBytes);
  for (auto [dim, range] : llvm::enumerate(*access.elements)) {
    IndexRange whole = range;
    if (!whole.size) {
      if (type.isDynamicDim(dim))
        return std::nullopt;
      whole = getWholeRange(type.getDimSize(dim));
    }
    int64_t factor = strides[dim] * elementBytes;
    result.offset += whole.offset * factor;
    result.extents.emplace_back(*whole.size, whole.stride * factor);
    for (auto &extent : whole.extents)
      result.extents.emplace_back(extent.first, extent.second * factor);
  }
  return result;
}

//===----------------------------------------------------------------------===//
// Accesses
//===----------------------------------------------------------------------===//

static void addAccess(Operation *op, Value memref, bool reads, bool writes,
                      const TargetInfo &target,
                      std::vector<MemoryAccess> &accesses) {
  MemoryAccess access;
  access.op = op;
  access.memref = memref;
  access.reads = reads;
  access.writes = writes;
  access.atomic = isa<memref::AtomicRMWOp, memref::GenericAtomicRMWOp>(op);
  access.asynchronous = isa<nvgpu::DeviceAsyncCopyOp>(op) && writes;
  if (memref) {
    access.view = memref;
    access.elements = getRanges(op, memref);
    if (access.elements)
      composeSlices(access.view, *access.elements);
    Tracer(target, access.bases)
        .trace(access.view, LinearExpr(0),
               getTypeBytes(memref.getType(), target));
    // Only private memory behind a memref of no particular space.
    if (!access.bases.empty() &&
        llvm::all_of(access.bases, [](const MemoryBase &base) {
          return base.rootValue && isPrivate(base.rootValue);
        }))
      return;
    access.byteRange = getByteRange(access, target);
  }
  accesses.push_back(std::move(access));
}

void mlir::memspace::collectAccesses(Operation *op, const TargetInfo &target,
                                     std::vector<MemoryAccess> &accesses) {
  for (Region &region : op->getRegions())
    for (Block &block : region)
      for (Operation &inner : block)
        collectAccesses(&inner, target, accesses);

  auto interface = dyn_cast<MemoryEffectOpInterface>(op);
  if (!interface) {
    if (!op->hasTrait<OpTrait::HasRecursiveMemoryEffects>() &&
        !op->hasTrait<OpTrait::IsTerminator>())
      addAccess(op, Value(), true, true, target, accesses);
    return;
  }
  SmallVector<MemoryEffects::EffectInstance> effects;
  interface.getEffects(effects);
  llvm::SmallMapVector<Value, std::pair<bool, bool>, 4> touched;
  for (const MemoryEffects::EffectInstance &effect : effects) {
    bool reads = isa<MemoryEffects::Read>(effect.getEffect());
    bool writes = isa<MemoryEffects::Write>(effect.getEffect());
    Value value = effect.getValue();
    bool isMemRef = value && isa<BaseMemRefType>(value.getType());
    if ((!reads && !writes) || (isMemRef && isPrivate(value)))
      continue;
    if (!isMemRef &&
        effect.getResource() != SideEffects::DefaultResource::get())
      continue;
    auto &flags = touched[isMemRef ? value : Value()];
    flags.first |= reads;
    flags.second |= writes;
  }
  for (auto &[value, flags] : touched)
    addAccess(op, value, flags.first, flags.second, target, accesses);
}

std::vector<MemoryAccess>
mlir::memspace::collectKernelAccesses(FunctionOpInterface kernel,
                                      const TargetInfo &target) {
  std::vector<MemoryAccess> accesses;
  kernel.getFunctionBody().walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (isControlFlow(op))
      return WalkResult::advance();
    collectAccesses(op, target, accesses);
    return WalkResult::skip();
  });
  return accesses;
}

//===----------------------------------------------------------------------===//
// Comparing
//===----------------------------------------------------------------------===//

SmallVector<MemoryBase, 2>
mlir::memspace::getMemoryBases(Value memref, const TargetInfo &target) {
  SmallVector<MemoryBase, 2> bases;
  Tracer(target, bases)
      .trace(memref, LinearExpr(0), getTypeBytes(memref.getType(), target));
  return bases;
}

bool mlir::memspace::mayShareBytes(const MemoryBase &a, const MemoryBase &b) {
  if (!a.root || !b.root)
    return true;
  if (a.root != b.root)
    return false;
  return !a.bytes || !b.bytes ||
         (a.bytes->first < b.bytes->second && b.bytes->first < a.bytes->second);
}

bool mlir::memspace::mayShareMemory(const MemoryAccess &a,
                                    const MemoryAccess &b) {
  if (!a.memref || !b.memref)
    return true;
  // The memory of the caller is not the workgroup's (H20).
  auto isCallers = [](const MemoryAccess &access) {
    return !access.bases.empty() &&
           llvm::all_of(access.bases, [](const MemoryBase &base) {
             auto arg = dyn_cast_if_present<BlockArgument>(base.rootValue);
             return arg &&
                    isa<FunctionOpInterface>(arg.getOwner()->getParentOp()) &&
                    getSpace(arg.getType()) != gpu::AddressSpace::Workgroup;
           });
  };
  auto isWorkgroups = [](const MemoryAccess &access) {
    return getSpace(access.memref.getType()) == gpu::AddressSpace::Workgroup;
  };
  if ((isCallers(a) && isWorkgroups(b)) || (isCallers(b) && isWorkgroups(a)))
    return false;
  if (a.isUnknown() || b.isUnknown()) {
    std::optional<gpu::AddressSpace> left = getSpace(a.memref.getType());
    std::optional<gpu::AddressSpace> right = getSpace(b.memref.getType());
    return !left || !right || *left == *right;
  }
  for (const MemoryBase &left : a.bases)
    for (const MemoryBase &right : b.bases)
      if (mayShareBytes(left, right))
        return true;
  return false;
}

bool mlir::memspace::haveComparableElements(const MemoryAccess &a,
                                            const MemoryAccess &b) {
  if (!a.elements || !b.elements || a.isUnknown() || b.isUnknown())
    return false;
  auto isRoot = [](const MemoryAccess &access, const MemoryBase &base) {
    return access.view.getAsOpaquePointer() == base.root;
  };
  auto left = cast<MemRefType>(a.view.getType());
  auto right = cast<MemRefType>(b.view.getType());
  SmallVector<int64_t> strides;
  int64_t offset;
  bool sameLayout =
      left.getElementType() == right.getElementType() &&
      left.getLayout() == right.getLayout() &&
      left.getRank() == right.getRank() &&
      (left.getRank() == 0 ||
       left.getShape().drop_front() == right.getShape().drop_front()) &&
      succeeded(left.getStridesAndOffset(strides, offset)) &&
      !ShapedType::isDynamic(offset) && !ShapedType::isDynamicShape(strides);
  for (const MemoryBase &x : a.bases)
    for (const MemoryBase &y : b.bases) {
      if (!mayShareBytes(x, y) || (isRoot(a, x) && isRoot(b, y)))
        continue;
      if (!sameLayout || !x.shiftBytes || !y.shiftBytes ||
          !x.shiftBytes->getConstant() ||
          x.shiftBytes->getConstant() != y.shiftBytes->getConstant())
        return false;
    }
  return true;
}
