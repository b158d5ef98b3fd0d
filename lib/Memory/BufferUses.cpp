//===- BufferUses.cpp - who touches a buffer -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MemSpace/Memory/BufferUses.h"
#include "MemSpace/Memory/MemoryInterfaces.h"
#include "MemSpace/Memory/Synchronization.h"
#include "MemSpace/Memory/ValueFlow.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

using namespace mlir;
using namespace mlir::memspace;

bool mlir::memspace::isWorkgroupMemory(Type type,
                                       const MemorySpaceMapping &spaces) {
  return spaces.getNamedSpace(type) == MemorySpace::Workgroup;
}

bool mlir::memspace::isArena(Value value) {
  if (Operation *op = value.getDefiningOp())
    return op->hasAttr(kArenaAttr);
  auto func = dyn_cast<gpu::GPUFuncOp>(value.getParentBlock()->getParentOp());
  if (!func)
    return false;
  auto attributions = func.getWorkgroupAttributions();
  auto it = llvm::find(attributions, value);
  return it != attributions.end() && func.getWorkgroupAttributionAttr(
                                         it - attributions.begin(), kArenaAttr);
}

/// True when a result of `op` may be or hold a pointer into an operand.
static bool mayReturnAlias(Operation *op) {
  if (isa<memref::ExtractAlignedPointerAsIndexOp, UnrealizedConversionCastOp>(
          op))
    return true;
  return llvm::any_of(op->getResultTypes(), [](Type type) {
    return !type.isIntOrIndexOrFloat() &&
           !isa<VectorType, ComplexType, gpu::MMAMatrixType,
                nvgpu::DeviceAsyncTokenType>(type);
  });
}

bool mlir::memspace::isAwaited(Operation *copy) {
  bool isInGroup = commitsAsyncCopies(copy);
  for (Operation *op = copy; op && !isa<FunctionOpInterface>(op);
       op = op->getParentOp())
    for (Operation *next = op->getNextNode(); next;
         next = next->getNextNode()) {
      isInGroup |= commitsAsyncCopies(next);
      if (isInGroup && getGroupsLeftInFlight(next) == 0u)
        return true;
    }
  return false;
}

/// True when the callee gives what `use` passes to nobody, keeps it nowhere and
/// leaves no copy into it in flight.
static bool isOnlyAccessed(OpOperand &use,
                           llvm::SmallPtrSetImpl<Operation *> &callers);

static BufferUses collectUses(Value buffer,
                              llvm::SmallPtrSetImpl<Operation *> &callers) {
  BufferUses uses;
  SmallVector<Value> worklist = {buffer};
  llvm::DenseSet<Value> seen = {buffer};
  auto follow = [&](Value value) {
    if (seen.insert(value).second)
      worklist.push_back(value);
  };

  while (!worklist.empty()) {
    Value value = worklist.pop_back_val();
    for (OpOperand &use : value.getUses()) {
      Operation *op = use.getOwner();
      if (auto root = dyn_cast<MemoryRootOpInterface>(op);
          root && !isa<ViewLikeOpInterface>(op)) {
        for (OpResult result : op->getResults())
          if (root.getNamedMemory(result).source == value)
            follow(result);
        if (!isMemoryEffectFree(op))
          uses.accesses.push_back(&use);
        continue;
      }
      if (auto view = dyn_cast<ViewLikeOpInterface>(op)) {
        if (view.getViewSource() == value)
          for (Value result : op->getResults())
            if (isa<BaseMemRefType>(result.getType()))
              follow(result);
        // It may read another operand, as a shape.
        if (hasEffect<MemoryEffects::Read>(op, value))
          uses.accesses.push_back(&use);
        continue;
      }
      if (isa<memref::ExtractStridedMetadataOp>(op)) {
        follow(op->getResult(0));
        continue;
      }
      if (isa<memref::DeallocOp>(op)) {
        uses.deallocs.push_back(&use);
        continue;
      }
      SmallVector<Value> targets = getPassedTo(use);
      if (!targets.empty()) {
        if (!isa<SelectLikeOpInterface>(op))
          uses.forwards.push_back(&use);
        llvm::for_each(targets, follow);
        continue;
      }
      if (isa<CallOpInterface>(op) && isOnlyAccessed(use, callers)) {
        uses.accesses.push_back(&use);
        continue;
      }
      // A stored memref can be loaded again anywhere.
      bool isStored = isa<memref::StoreOp>(op) && use.getOperandNumber() == 0;
      if (isStored || mayReturnAlias(op) || isa<CallOpInterface>(op) ||
          op->hasTrait<OpTrait::IsTerminator>()) {
        uses.escapes.push_back(&use);
        continue;
      }
      if (isMemoryEffectFree(op))
        continue;
      if (isa<MemoryEffectOpInterface>(op) ||
          op->hasTrait<OpTrait::HasRecursiveMemoryEffects>())
        uses.accesses.push_back(&use);
      else
        uses.escapes.push_back(&use);
    }
  }
  return uses;
}

static bool isOnlyAccessed(OpOperand &use,
                           llvm::SmallPtrSetImpl<Operation *> &callers) {
  auto call = cast<CallOpInterface>(use.getOwner());
  auto callee = dyn_cast_or_null<FunctionOpInterface>(call.resolveCallable());
  auto arguments = call.getArgOperands();
  unsigned first = arguments.empty() ? 0 : arguments.getBeginOperandIndex();
  unsigned number = use.getOperandNumber() - first;
  // A function that calls itself may pass its arguments on for ever.
  if (!callee || callee.isExternal() || number >= callee.getNumArguments() ||
      !callers.insert(callee).second)
    return false;
  BufferUses uses = collectUses(callee.getArgument(number), callers);
  callers.erase(callee);
  return uses.escapes.empty() &&
         llvm::none_of(uses.accesses, [](OpOperand *access) {
           return startsAsyncCopy(access->getOwner()) &&
                  !isAwaited(access->getOwner());
         });
}

BufferUses mlir::memspace::collectBufferUses(Value buffer) {
  llvm::SmallPtrSet<Operation *, 4> callers;
  return collectUses(buffer, callers);
}

bool mlir::memspace::mayOutliveIteration(Operation *allocation) {
  auto kernel = allocation->getParentOfType<FunctionOpInterface>();
  Block *entry = kernel ? &kernel.getFunctionBody().front() : nullptr;
  if (allocation->getBlock() == entry)
    return false;

  BufferUses uses = collectBufferUses(allocation->getResult(0));
  if (!uses.escapes.empty())
    return true;
  return llvm::any_of(uses.forwards, [&](OpOperand *use) {
    // A branch between blocks may close a loop.
    if (isa<BranchOpInterface>(use->getOwner()))
      return true;
    if (!use->getOwner()->hasTrait<OpTrait::IsTerminator>())
      return false;
    auto parent =
        dyn_cast<RegionBranchOpInterface>(use->getOwner()->getParentOp());
    return parent && parent.hasLoop() && parent->isProperAncestor(allocation);
  });
}
