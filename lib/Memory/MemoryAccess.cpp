//===- MemoryAccess.cpp - which memory an op touches -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MemSpace/Memory/MemoryAccess.h"
#include "AccessElements.h"
#include "MemRefStrides.h"
#include "MemSpace/Memory/MemoryBases.h"
#include "MemSpace/Memory/Synchronization.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/MathExtras.h"
#include <limits>

using namespace mlir;
using namespace mlir::memspace;

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

bool mlir::memspace::isUnknownControlFlow(Operation *op) {
  return isControlFlow(op) &&
         !isa<RegionBranchOpInterface, LoopLikeOpInterface, FunctionOpInterface,
              gpu::AllReduceOp>(op) &&
         !op->hasTrait<OpTrait::HasRecursiveMemoryEffects>();
}

//===----------------------------------------------------------------------===//
// Accesses
//===----------------------------------------------------------------------===//

/// The bytes of `ranges` of `access.view` from the start of the root of `base`,
/// if that is where it lies.
static std::optional<IndexRange> getByteRange(const MemoryAccess &access,
                                              const MemoryBase &base,
                                              ArrayRef<IndexRange> ranges,
                                              const TargetInfo &target) {
  if (!base.shiftBytes)
    return std::nullopt;
  std::optional<StaticStrides> layout = getStaticStrides(access.view, target);
  if (!layout || layout->strides.size() != ranges.size())
    return std::nullopt;
  auto type = cast<MemRefType>(access.view.getType());
  IndexRange result;
  result.offset = *base.shiftBytes;
  result.offset += LinearExpr(layout->offset) * layout->elementBytes;
  result.size = LinearExpr(layout->elementBytes);
  for (auto [dim, range] : llvm::enumerate(ranges)) {
    IndexRange whole = range;
    if (!whole.size) {
      if (type.isDynamicDim(dim))
        return std::nullopt;
      whole = getWholeRange(type.getDimSize(dim));
    }
    int64_t factor;
    if (llvm::MulOverflow(layout->strides[dim], layout->elementBytes, factor))
      return std::nullopt;
    whole.scale(factor);
    result.offset += whole.offset;
    result.extents.emplace_back(*whole.size, whole.stride);
    llvm::append_range(result.extents, whole.extents);
  }
  return result;
}

static std::optional<IndexRange> getByteRange(const MemoryAccess &access,
                                              ArrayRef<IndexRange> ranges,
                                              const TargetInfo &target) {
  if (access.bases.size() != 1)
    return std::nullopt;
  return getByteRange(access, access.bases.front(), ranges, target);
}

/// True when branches of its region may lead from `block` to itself, or that is
/// too much to find out.
static bool isOnCycle(Block *block) {
  constexpr size_t kMaxBlocks = 1024;
  if (block->hasNoPredecessors())
    return false;
  llvm::SmallSetVector<Block *, 16> behind(block->succ_begin(),
                                           block->succ_end());
  for (size_t i = 0; i < behind.size() && i < kMaxBlocks; ++i)
    behind.insert(behind[i]->succ_begin(), behind[i]->succ_end());
  return behind.size() > kMaxBlocks || behind.contains(block);
}

/// True when `value` is computed once by each thread: it is the same wherever
/// it is asked for.
static bool isComputedOnce(Value value) {
  Block *block = value.getParentBlock();
  while (!isOnCycle(block)) {
    Operation *parent = block->getParentOp();
    if (isa<FunctionOpInterface>(parent))
      return true;
    if (!isa<scf::IfOp, scf::IndexSwitchOp>(parent))
      return false;
    block = parent->getBlock();
  }
  return false;
}

std::optional<IndexRange>
mlir::memspace::getBytesOfBase(const MemoryAccess &access,
                               const MemoryBase &base,
                               const TargetInfo &target) {
  if (access.bases.size() == 1)
    return access.byteRange;
  // Which of the bases it is may have been settled in another iteration.
  if (!access.elements || access.followsMemory || !base.shiftBytes ||
      !llvm::all_of(base.shiftBytes->terms,
                    [](auto term) { return isComputedOnce(term.first); }))
    return std::nullopt;
  return getByteRange(access, base, *access.elements, target);
}

static SmallVector<IndexRange> getWholeMemRef(MemRefType type) {
  return llvm::map_to_vector(type.getShape(), getWholeRange);
}

/// Fills in what `access` touches of its memref. `touched`: all of it if none.
static void locate(MemoryAccess &access,
                   const std::optional<TouchedElements> &touched,
                   const KernelContext &context) {
  const TargetInfo &target = context.getTarget();
  access.view = access.memref;
  access.bases = getMemoryBases(access.memref, context);
  auto type = dyn_cast<MemRefType>(access.memref.getType());
  if (!type)
    return;
  if (touched) {
    access.collective = touched->collective;
    access.exact = touched->exact;
  } else {
    access.exact = isa<memref::CopyOp>(access.op);
  }
  if (touched && touched->run.empty()) {
    access.elements = touched->ranges;
    composeSlices(access.view, *access.elements);
    access.byteRange = getByteRange(access, *access.elements, target);
    return;
  }
  access.elements = getWholeMemRef(type);
  composeSlices(access.view, *access.elements);
  if (!touched) {
    access.byteRange = getByteRange(access, *access.elements, target);
    return;
  }
  // The run follows memory from its first element on.
  access.followsMemory = true;
  SmallVector<IndexRange> first = touched->ranges;
  Value view = access.memref;
  composeSlices(view, first);
  access.byteRange = getByteRange(access, first, target);
  std::optional<StaticStrides> layout = getStaticStrides(access.view, target);
  if (access.byteRange)
    for (auto [count, stride] : touched->run) {
      int64_t bytes;
      access.byteRange->offset.invalid |=
          bool(llvm::MulOverflow(stride, layout->elementBytes, bytes));
      access.byteRange->extents.emplace_back(count, bytes);
    }
}

static bool isAtomic(Operation *op) {
  auto access = dyn_cast<ElementAccessOpInterface>(op);
  return access && access.isAtomic();
}

/// Adds an access of `op`; `operand`: what its elements are known by.
static void addAccess(Operation *op, Value memref, OpOperand *operand,
                      bool reads, bool writes, const KernelContext &context,
                      std::vector<MemoryAccess> &accesses) {
  MemoryAccess access;
  access.op = op;
  access.memref = memref;
  access.reads = reads;
  access.writes = writes;
  access.atomic = isAtomic(op);
  access.asynchronous = startsAsyncCopy(op);
  if (memref) {
    locate(access,
           operand ? getTouchedElements(*operand, context) : std::nullopt,
           context);
    // Only private memory behind a memref of no particular space.
    if (!access.bases.empty() &&
        llvm::all_of(access.bases, [&](const MemoryBase &base) {
          return base.rootValue &&
                 isPrivateMemory(base.rootValue, context.getSpaces());
        }))
      return;
  }
  accesses.push_back(std::move(access));
}

/// The operand that `effect` is on; null when there are several that it may be.
static OpOperand *getOperand(Operation *op,
                             const MemoryEffects::EffectInstance &effect) {
  if (auto *operand = effect.getEffectValue<OpOperand *>())
    return operand;
  OpOperand *found = nullptr;
  for (OpOperand &operand : op->getOpOperands()) {
    if (operand.get() != effect.getValue())
      continue;
    if (found)
      return nullptr;
    found = &operand;
  }
  return found;
}

static bool touchesOperandsOnly(Operation *op) {
  auto access = dyn_cast<ElementAccessOpInterface>(op);
  return access && access.touchesOperandsOnly();
}

void mlir::memspace::collectAccesses(Operation *op,
                                     const KernelContext &context,
                                     std::vector<MemoryAccess> &accesses) {
  for (Region &region : op->getRegions())
    for (Block &block : region)
      for (Operation &inner : block)
        collectAccesses(&inner, context, accesses);

  auto interface = dyn_cast<MemoryEffectOpInterface>(op);
  if (!interface) {
    if (!op->hasTrait<OpTrait::HasRecursiveMemoryEffects>() &&
        !op->hasTrait<OpTrait::IsTerminator>())
      addAccess(op, Value(), nullptr, true, true, context, accesses);
    return;
  }
  SmallVector<MemoryEffects::EffectInstance> effects;
  interface.getEffects(effects);
  // A memref that two operands pass is one access unless their elements are
  // known.
  llvm::SmallMapVector<std::pair<Value, OpOperand *>, std::pair<bool, bool>, 4>
      touched;
  for (const MemoryEffects::EffectInstance &effect : effects) {
    bool reads = isa<MemoryEffects::Read>(effect.getEffect());
    bool writes = isa<MemoryEffects::Write>(effect.getEffect());
    Value value = effect.getValue();
    bool isMemRef = value && isa<BaseMemRefType>(value.getType());
    if ((!reads && !writes) ||
        (isMemRef && isPrivateMemory(value, context.getSpaces())))
      continue;
    if (!isMemRef &&
        (effect.getResource() != SideEffects::DefaultResource::get() ||
         touchesOperandsOnly(op)))
      continue;
    OpOperand *operand = isMemRef ? getOperand(op, effect) : nullptr;
    if (operand && !getTouchedElements(*operand, context))
      operand = nullptr;
    auto &flags = touched[{isMemRef ? value : Value(), operand}];
    flags.first |= reads;
    flags.second |= writes;
  }
  for (auto &[place, flags] : touched)
    addAccess(op, place.first, place.second, flags.first, flags.second, context,
              accesses);
}

std::vector<MemoryAccess>
mlir::memspace::collectKernelAccesses(const KernelContext &context) {
  std::vector<MemoryAccess> accesses;
  FunctionOpInterface kernel = context.getKernel();
  kernel.getFunctionBody().walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (isControlFlow(op))
      return WalkResult::advance();
    collectAccesses(op, context, accesses);
    return WalkResult::skip();
  });
  return accesses;
}

//===----------------------------------------------------------------------===//
// Comparing
//===----------------------------------------------------------------------===//

bool mlir::memspace::mayShareBytes(const MemoryBase &a, const MemoryBase &b) {
  if (!a.root || !b.root)
    return (a.maybeWorkgroup && b.maybeWorkgroup) ||
           (a.maybeGlobal && b.maybeGlobal);
  if (a.root != b.root)
    return false;
  return !a.bytes || !b.bytes ||
         (a.bytes->first < b.bytes->second && b.bytes->first < a.bytes->second);
}

bool mlir::memspace::mayShareMemory(const MemoryAccess &a,
                                    const MemoryAccess &b) {
  if (!a.memref || !b.memref)
    return true;
  for (const MemoryBase &left : a.bases)
    for (const MemoryBase &right : b.bases)
      if (mayShareBytes(left, right))
        return true;
  return false;
}

bool mlir::memspace::hasDistinctElements(Value view) {
  auto type = cast<MemRefType>(view.getType());
  if (type.getLayout().isIdentity())
    return true;
  SmallVector<int64_t> strides;
  int64_t offset;
  if (failed(getStridesAndOffset(type, strides, offset)) ||
      ShapedType::isDynamicShape(strides))
    return !view.getDefiningOp<memref::ReinterpretCastOp>();
  // From the innermost dimension outward, each has to step over the ones
  // inside.
  SmallVector<std::pair<int64_t, int64_t>> dims;
  for (auto [stride, size] : llvm::zip(strides, type.getShape()))
    if (size != 1)
      dims.emplace_back(std::abs(stride), size);
  llvm::sort(dims);
  int64_t extent = 1;
  for (auto [stride, size] : dims) {
    int64_t span;
    if (stride < extent)
      return false;
    if (ShapedType::isDynamic(size))
      extent = std::numeric_limits<int64_t>::max();
    else if (llvm::MulOverflow(std::max<int64_t>(size - 1, 0), stride, span) ||
             llvm::AddOverflow(extent, span, extent))
      return false;
  }
  return true;
}

bool mlir::memspace::haveComparableElements(const MemoryAccess &a,
                                            const MemoryAccess &b) {
  if (!a.elements || !b.elements || a.isUnknown() || b.isUnknown() ||
      !hasDistinctElements(a.view) || !hasDistinctElements(b.view))
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
      succeeded(getStridesAndOffset(left, strides, offset)) &&
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
