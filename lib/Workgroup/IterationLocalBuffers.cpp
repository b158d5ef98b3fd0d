//===- IterationLocalBuffers.cpp - buffers that start anew -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MemSpace/Workgroup/IterationLocalBuffers.h"
#include "Kernel/ChainDepth.h"
#include "MemSpace/Kernel/CountedLoop.h"
#include "MemSpace/Memory/MemoryAccess.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace mlir::memspace;

bool mlir::memspace::overwritesAll(Operation *op, Value buffer) {
  if (auto copy = dyn_cast<memref::CopyOp>(op))
    return copy.getTarget() == buffer && copy.getSource() != buffer;
  auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
  if (!linalgOp || llvm::count(op->getOperands(), buffer) != 1)
    return false;
  for (OpOperand &init : linalgOp.getDpsInitsMutable())
    if (init.get() == buffer)
      return !linalgOp.payloadUsesValueFromOperand(&init) &&
             linalgOp.getMatchingIndexingMap(&init).isPermutation();
  return false;
}

//===----------------------------------------------------------------------===//
// Invariant places
//===----------------------------------------------------------------------===//

/// True when `value` is the same in every iteration of `loop`.
static bool isInvariant(Value value, Operation *loop) {
  SmallVector<Value> worklist = {value};
  llvm::DenseSet<Value> seen = {value};
  auto visit = [&](Value next) {
    if (seen.insert(next).second)
      worklist.push_back(next);
  };
  while (!worklist.empty()) {
    Value current = worklist.pop_back_val();
    Operation *parent = current.getParentBlock()->getParentOp();
    if (!loop->isAncestor(parent))
      continue;
    if (auto argument = dyn_cast<BlockArgument>(current)) {
      // The induction variable of an inner loop takes the same values each
      // time when its bounds do. Anything else is carried from somewhere.
      auto inner = dyn_cast<LoopLikeOpInterface>(parent);
      std::optional<SmallVector<Value>> ivs;
      if (inner && parent != loop)
        ivs = inner.getLoopInductionVars();
      if (!ivs || !llvm::is_contained(*ivs, argument))
        return false;
      llvm::for_each(parent->getOperands(), visit);
      continue;
    }
    Operation *op = current.getDefiningOp();
    if (!isMemoryEffectFree(op) || op->getNumRegions() != 0)
      return false;
    llvm::for_each(op->getOperands(), visit);
  }
  return true;
}

/// The operands that decide whether and how often the regions of `op` run.
static SmallVector<Value> getControl(Operation *op) {
  if (CountedLoop loop = CountedLoop::get(op); loop && loop.hasBounds())
    return loop.getControl();
  SmallVector<Value> control;
  for (Value operand : op->getOperands())
    if (!isa<BaseMemRefType>(operand.getType()))
      control.push_back(operand);
  return control;
}

/// The operands that say where `op` writes.
static SmallVector<Value> getPlaces(Operation *op) {
  if (auto copy = dyn_cast<nvgpu::DeviceAsyncCopyOp>(op)) {
    SmallVector<Value> places(copy.getDstIndices());
    places.push_back(copy.getDst());
    return places;
  }
  // Their first operand is what is written.
  bool hasData =
      isa<memref::StoreOp, vector::StoreOp, vector::TransferWriteOp>(op);
  auto interface = cast<MemoryEffectOpInterface>(op);
  SmallVector<Value> places;
  for (OpOperand &use : op->getOpOperands()) {
    Value operand = use.get();
    bool isIndex = getElementTypeOrSelf(operand.getType()).isIntOrIndex() &&
                   !(hasData && use.getOperandNumber() == 0);
    bool isWritten =
        isa<BaseMemRefType>(operand.getType()) &&
        interface.getEffectOnValue<MemoryEffects::Write>(operand).has_value();
    if (isIndex || isWritten)
      places.push_back(operand);
  }
  return places;
}

/// True when `op` writes to the same places in each iteration of `loop`.
static bool writesSamePlaces(Operation *op, Operation *loop) {
  if (!isa<MemoryEffectOpInterface>(op))
    return false;
  // What is written may differ; where it goes and whether may not.
  for (Value place : getPlaces(op))
    if (!isInvariant(place, loop))
      return false;
  for (Operation *guard = op->getParentOp(); guard != loop;
       guard = guard->getParentOp()) {
    // Whether or how often it runs is decided inside.
    bool hasBranches = llvm::any_of(guard->getRegions(), [](Region &region) {
      return !region.hasOneBlock() && !region.empty();
    });
    if (isa<scf::WhileOp>(guard) || hasBranches)
      return false;
    for (Value operand : getControl(guard))
      if (!isInvariant(operand, loop))
        return false;
  }
  return true;
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

IterationLocalBuffers::IterationLocalBuffers(const KernelContext &context,
                                             const ThreadRelations &relations)
    : context(context), relations(relations) {
  context.getKernel()->walk<WalkOrder::PreOrder>(
      [&](Operation *op) { numbers.try_emplace(op, numbers.size()); });
}

/// The only access of `op` that writes.
static std::optional<MemoryAccess> getOnlyWrite(Operation *op,
                                                const KernelContext &context) {
  std::vector<MemoryAccess> accesses;
  collectAccesses(op, context, accesses);
  std::optional<MemoryAccess> result;
  for (MemoryAccess &access : accesses) {
    if (!access.writes)
      continue;
    if (result)
      return std::nullopt;
    result = std::move(access);
  }
  return result;
}

/// True when an operand of `op` is `buffer`, or a view of it by ops that have
/// no other memref. (A loop passes buffers on to many ops that do not.)
static bool names(Operation *op, Value buffer) {
  auto isMemRef = [](Value value) {
    return isa<BaseMemRefType>(value.getType());
  };
  return llvm::any_of(op->getOperands(), [&](Value memref) {
    for (unsigned steps = 0; steps < kMaxChainDepth; ++steps) {
      if (memref == buffer)
        return true;
      Operation *definition = memref.getDefiningOp();
      if (!definition ||
          llvm::count_if(definition->getOperands(), isMemRef) != 1)
        return false;
      memref = *llvm::find_if(definition->getOperands(), isMemRef);
    }
    return false;
  });
}

bool mlir::memspace::overwriteAllTogether(Operation *op, Value buffer,
                                          const KernelContext &context,
                                          const ThreadRelations &relations) {
  auto type = dyn_cast<MemRefType>(buffer.getType());
  if (!type || !type.hasStaticShape() || !names(op, buffer) ||
      !hasDistinctElements(buffer) || hasEffect<MemoryEffects::Read>(op))
    return false;
  std::optional<MemoryAccess> write = getOnlyWrite(op, context);
  if (!write || write->view != buffer || !write->elements || !write->exact ||
      write->followsMemory || write->reads || write->asynchronous ||
      write->collective)
    return false;
  int64_t count = context.getThreads();
  for (const IndexRange &range : *write->elements) {
    std::optional<int64_t> size =
        range.size && range.extents.empty() && range.stride != 0
            ? range.size->getConstant()
            : std::nullopt;
    if (!size || llvm::MulOverflow(count, *size, count))
      return false;
  }
  ElementAccess access{op, write->elements};
  return count == type.getNumElements() &&
         !relations.mayOverlap(access, access, ExecutionPair::DifferentThreads,
                               op->getBlock());
}

/// True when each execution of `late` follows one of `early` with the same
/// values, which writes all that it does.
bool IterationLocalBuffers::isCovered(Operation *late, Operation *early) const {
  if (!early->getParentRegion()->isAncestor(late->getParentRegion()))
    return false;
  std::optional<MemoryAccess> inner = getOnlyWrite(late, context);
  std::optional<MemoryAccess> outer = getOnlyWrite(early, context);
  return inner && outer && haveComparableElements(*inner, *outer) &&
         relations.isContained({late, inner->elements},
                               {early, outer->elements});
}

bool IterationLocalBuffers::isFresh(Operation *loop,
                                    ArrayRef<BufferTouch> sorted,
                                    ArrayRef<Operation *> freshInside) const {
  // What an inner loop writes in one iteration, it may read in an earlier one.
  auto mayReadBefore = [&](Operation *write) {
    for (Operation *inner = write->getParentOp(); inner != loop;
         inner = inner->getParentOp())
      if (isa<LoopLikeOpInterface>(inner) &&
          !llvm::is_contained(freshInside, inner) &&
          llvm::any_of(sorted, [&](const BufferTouch &touch) {
            return touch.reads && inner->isProperAncestor(touch.op);
          }))
        return true;
    return false;
  };
  SmallVector<Operation *> early, others;
  bool anyRead = false;
  for (const BufferTouch &touch : sorted) {
    anyRead |= touch.reads;
    if (!touch.writes)
      continue;
    bool isEarly = !anyRead && writesSamePlaces(touch.op, loop) &&
                   !mayReadBefore(touch.op);
    (isEarly ? early : others).push_back(touch.op);
  }
  return llvm::all_of(others, [&](Operation *late) {
    return llvm::any_of(
        early, [&](Operation *first) { return isCovered(late, first); });
  });
}

SmallVector<Operation *>
IterationLocalBuffers::getLoops(Value buffer,
                                ArrayRef<BufferTouch> touches) const {
  SmallVector<Operation *> loops;
  if (touches.empty())
    return loops;
  SmallVector<BufferTouch> sorted(touches);
  llvm::sort(sorted, [&](const BufferTouch &a, const BufferTouch &b) {
    return numbers.lookup(a.op) < numbers.lookup(b.op);
  });
  for (Operation *around = sorted.front().op->getParentOp();
       around && !isa<FunctionOpInterface>(around);
       around = around->getParentOp()) {
    bool containsAll = llvm::all_of(sorted, [&](const BufferTouch &touch) {
      return around->isProperAncestor(touch.op);
    });
    // A buffer that is made in the loop is new in each iteration anyway.
    Operation *definition = buffer.getDefiningOp();
    bool isOutside = !definition || !around->isProperAncestor(definition);
    if (containsAll && isOutside && isa<LoopLikeOpInterface>(around) &&
        isFresh(around, sorted, loops))
      loops.push_back(around);
  }
  return loops;
}
