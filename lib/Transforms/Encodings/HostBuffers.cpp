//===- HostBuffers.cpp - two buffers of the host that can be one ----------===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where `call` stands, one block is executed from op to op; what is inside of
// an op of this block happens when that op does, unless it gives a token. So an
// access is as good as its place in the block.
//
//===----------------------------------------------------------------------===//

#include "HostBuffers.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

using namespace mlir;
using namespace mlir::memspace;

//===----------------------------------------------------------------------===//
// Accesses
//===----------------------------------------------------------------------===//

/// The memory that `memref` is a view of.
static Value getRoot(Value memref) {
  while (auto view = memref.getDefiningOp<ViewLikeOpInterface>())
    memref = view.getViewSource();
  return memref;
}

bool memspace::isAllocation(Value memref) {
  Operation *op = memref.getDefiningOp();
  if (auto alloc = dyn_cast_or_null<gpu::AllocOp>(op))
    return !alloc.getAsyncToken() && alloc.getAsyncDependencies().empty() &&
           !alloc.getHostShared();
  return isa_and_nonnull<memref::AllocOp>(op);
}

/// A value of `type` may be a memref, read memory when it is used (a tensor),
/// or stand for what has not happened yet (a token).
static bool mayBeMemory(Type type) {
  return !type.isIntOrIndexOrFloat() && !isa<VectorType>(type);
}

/// A value of `type` stands for what has not happened yet, as far as is known.
static bool mayBeToken(Type type) {
  return mayBeMemory(type) && !isa<ShapedType, ComplexType, NoneType>(type);
}

/// `op` gives an address of a memref away, as a number for example.
static bool exposesAddress(Operation *op) {
  return isPure(op) && !isa<memref::DimOp, memref::RankOp>(op) &&
         llvm::any_of(op->getOperandTypes(), llvm::IsaPred<BaseMemRefType>) &&
         !llvm::all_of(op->getResultTypes(), llvm::IsaPred<BaseMemRefType>);
}

/// `op` accesses memory, but has a memref that it does not access: it is
/// stored.
static bool storesMemRef(Operation *op,
                         ArrayRef<MemoryEffects::EffectInstance> effects) {
  return !effects.empty() &&
         llvm::any_of(op->getOperands(), [&](Value operand) {
           return isa<BaseMemRefType>(operand.getType()) &&
                  llvm::none_of(effects, [&](const auto &effect) {
                    return !effect.getValue() || effect.getValue() == operand;
                  });
         });
}

/// `op` may go on when the ops behind it are executed.
static bool isAsync(Operation *op) {
  if (auto launch = dyn_cast<gpu::LaunchFuncOp>(op);
      launch && launch.getAsyncObject())
    return true;
  auto async = dyn_cast<gpu::AsyncOpInterface>(op);
  return async &&
         (async.getAsyncToken() || !async.getAsyncDependencies().empty());
}

/// What is inside of `op` happens when `op` does, as far as is known.
static bool isExecutedInPlace(Operation *op) {
  return isa<RegionBranchOpInterface, LoopLikeOpInterface, affine::AffineIfOp,
             gpu::LaunchOp>(op) &&
         !isAsync(op) && llvm::none_of(op->getResultTypes(), mayBeToken);
}

/// The effects of `op` alone; none where they are not known.
static std::optional<SmallVector<MemoryEffects::EffectInstance>>
getEffects(Operation *op) {
  SmallVector<MemoryEffects::EffectInstance> effects;
  if (auto interface = dyn_cast<MemoryEffectOpInterface>(op))
    interface.getEffects(effects);
  else if (!op->hasTrait<OpTrait::HasRecursiveMemoryEffects>() &&
           !op->hasTrait<OpTrait::IsTerminator>())
    return std::nullopt;
  // In place of the tensor its memory is written later.
  if (auto tensor = dyn_cast<bufferization::ToTensorOp>(op);
      tensor && tensor.getWritable())
    effects.emplace_back(MemoryEffects::Write::get(),
                         &tensor.getBufferMutable());
  return effects;
}

const FunctionAccesses &HostBuffers::getAccesses(FunctionOpInterface func) {
  auto [it, isNew] = functions.try_emplace(func);
  FunctionAccesses &accesses = it->second;
  if (!isNew)
    return accesses;
  accesses.reads.resize(func.getNumArguments());
  accesses.writes.resize(func.getNumArguments());
  func.getFunctionBody().walk([&](Operation *op) {
    auto effects = getEffects(op);
    if (!effects || storesMemRef(op, *effects) || exposesAddress(op) ||
        llvm::any_of(op->getResultTypes(), mayBeToken)) {
      accesses.isOpaque = true;
      return;
    }
    for (const MemoryEffects::EffectInstance &effect : *effects) {
      if (isa<MemoryEffects::Allocate>(effect.getEffect()))
        continue;
      Value root = effect.getValue() ? getRoot(effect.getValue()) : Value();
      auto argument = dyn_cast_or_null<BlockArgument>(root);
      if (argument && argument.getOwner() != &func.getFunctionBody().front())
        argument = {};
      // Workgroup and private memory of a kernel is its own.
      if (argument && argument.getArgNumber() >= func.getNumArguments())
        continue;
      // It frees memory of its own only.
      if (argument && !isa<MemoryEffects::Free>(effect.getEffect())) {
        bool isRead = isa<MemoryEffects::Read>(effect.getEffect());
        (isRead ? accesses.reads : accesses.writes)
            .set(argument.getArgNumber());
      } else if (!root || !isAllocation(root)) {
        accesses.isOpaque = true;
      }
    }
  });
  return accesses;
}

/// What the op of `use`, of the host, does to the memory; none where that is
/// not known, or where it goes on under another name.
std::optional<HostBuffers::Access> HostBuffers::getAccess(OpOperand &use) {
  Operation *op = use.getOwner();
  Access access;
  if (llvm::any_of(op->getResultTypes(), mayBeMemory) || exposesAddress(op))
    return std::nullopt;
  if (FunctionOpInterface callee = calls.getCallee(op)) {
    const FunctionAccesses &accesses = getAccesses(callee);
    // An opaque function may do the same to memory that it is not passed.
    if (accesses.isOpaque || isAsync(op))
      return std::nullopt;
    unsigned first = getPassedArguments(op)[0].getOperandNumber();
    if (use.getOperandNumber() < first)
      return std::nullopt;
    access.reads = accesses.reads.test(use.getOperandNumber() - first);
    access.writes = accesses.writes.test(use.getOperandNumber() - first);
    return access;
  }
  auto interface = dyn_cast<MemoryEffectOpInterface>(op);
  if (!interface || op->getNumRegions() != 0 ||
      op->hasTrait<OpTrait::IsTerminator>())
    return std::nullopt;
  if (isAsync(op))
    return std::nullopt;
  SmallVector<MemoryEffects::EffectInstance> effects;
  interface.getEffects(effects);
  bool isMentioned = isPure(op);
  for (const MemoryEffects::EffectInstance &effect : effects) {
    if (effect.getValue() && effect.getValue() != use.get())
      continue;
    isMentioned = true;
    access.reads |= isa<MemoryEffects::Read>(effect.getEffect());
    access.writes |= isa<MemoryEffects::Write>(effect.getEffect());
    access.frees |= isa<MemoryEffects::Free>(effect.getEffect());
  }
  // It is stored somewhere.
  if (!isMentioned)
    return std::nullopt;
  return access;
}

static bool isBefore(Operation *op, Operation *other) {
  return op->isBeforeInBlock(other);
}
static bool isBehind(Operation *op, Operation *other) {
  return isBefore(other, op);
}

/// `op` writes no memory but allocations of the host: `kept`, an argument, may
/// be any other memory.
bool HostBuffers::writesAllocationsOnly(Operation *op) {
  WalkResult result = op->walk([&](Operation *inner) {
    if (FunctionOpInterface callee = calls.getCallee(inner)) {
      const FunctionAccesses &accesses = getAccesses(callee);
      for (auto [number, passed] : llvm::enumerate(getPassedArguments(inner)))
        if (accesses.isOpaque || (accesses.writes.test(number) &&
                                  !isAllocation(getRoot(passed.get()))))
          return WalkResult::interrupt();
      return WalkResult::advance();
    }
    auto effects = getEffects(inner);
    if (!effects)
      return WalkResult::interrupt();
    for (const MemoryEffects::EffectInstance &effect : *effects)
      if (!isa<MemoryEffects::Read, MemoryEffects::Allocate>(
              effect.getEffect()) &&
          (!effect.getValue() || !isAllocation(getRoot(effect.getValue()))))
        return WalkResult::interrupt();
    return WalkResult::advance();
  });
  return !result.wasInterrupted();
}

/// The same for the ops of a block behind `first`, up to `last`.
bool HostBuffers::writeAllocationsOnly(Operation *first, Operation *last) {
  auto [it, isNew] = writers.try_emplace(first->getBlock());
  SmallVector<Operation *> &ops = it->second;
  if (isNew)
    for (Operation &op : *first->getBlock())
      if (!writesAllocationsOnly(&op))
        ops.push_back(&op);
  auto *next = llvm::upper_bound(ops, first, isBefore);
  return next == ops.end() || isBehind(*next, last);
}

//===----------------------------------------------------------------------===//
// One buffer
//===----------------------------------------------------------------------===//

/// None where an access is not known. With `isOfBlock` all uses must be in the
/// block; without, those outside are left out.
std::optional<SmallVector<HostBuffers::Use>>
HostBuffers::collectUses(Value memory, Block *block, Operation *except,
                         bool isOfBlock) {
  SmallVector<Use> uses;
  for (OpOperand &use : memory.getUses()) {
    if (use.getOwner() == except)
      continue;
    std::optional<Access> access = getAccess(use);
    if (!access)
      return std::nullopt;
    Operation *place = use.getOwner();
    while (place && place->getBlock() != block) {
      place = place->getParentOp();
      if (isa_and_nonnull<FunctionOpInterface>(place))
        place = nullptr;
      else if (place && !isExecutedInPlace(place))
        return std::nullopt;
    }
    if (place)
      uses.push_back({place, *access, use.getOwner()});
    else if (isOfBlock)
      return std::nullopt;
  }
  return uses;
}

bool HostBuffers::merge(Operation *call, Value kept, Value dropped) {
  Block *block = call->getBlock();
  if (kept == dropped || kept.getType() != dropped.getType() ||
      !isAllocation(dropped) || dropped.getDefiningOp()->getBlock() != block ||
      isAsync(call))
    return false;
  // Others may rely on what only this allocation promises.
  Attribute alignment = dropped.getDefiningOp()->getAttr("alignment");
  if (alignment && (!kept.getDefiningOp() ||
                    kept.getDefiningOp()->getAttr("alignment") != alignment))
    return false;
  // Another kind of allocation may be of another memory.
  auto keptArgument = dyn_cast<BlockArgument>(kept);
  bool isArgument =
      keptArgument && keptArgument.getOwner()->isEntryBlock() &&
      isa<FunctionOpInterface>(keptArgument.getOwner()->getParentOp());
  if (!isArgument &&
      (!isAllocation(kept) ||
       kept.getDefiningOp()->getName() != dropped.getDefiningOp()->getName()))
    return false;
  auto droppedUses = collectUses(dropped, block, call, /*isOfBlock=*/true);
  if (!droppedUses)
    return false;
  Operation *last = call, *firstWrite = nullptr;
  for (const Use &use : *droppedUses) {
    if (use.access.frees)
      continue;
    if (!isBehind(use.place, call))
      return false;
    if (isBehind(use.place, last))
      last = use.place;
    if (use.access.writes && (!firstWrite || isBehind(firstWrite, use.place)))
      firstWrite = use.place;
  }
  auto keptUses = collectUses(kept, block, call, /*isOfBlock=*/false);
  if (!keptUses)
    return false;
  bool isLocal = !isArgument && kept.getDefiningOp()->getBlock() == block;
  if (firstWrite && !isLocal)
    return false;
  SmallVector<Operation *> frees;
  for (const Use &use : *keptUses) {
    if (!isBehind(use.place, call))
      continue;
    bool isNeeded = use.place == last || isBehind(last, use.place);
    if (use.access.writes && isNeeded)
      return false;
    if (use.access.frees && isNeeded) {
      // Only a free of the block itself can be moved.
      if (use.op != use.place)
        return false;
      frees.push_back(use.op);
    }
    // From the first write on there is something else in it.
    if (firstWrite && use.access.reads &&
        (use.place == firstWrite || isBehind(use.place, firstWrite)))
      return false;
  }
  if (isArgument && !writeAllocationsOnly(call, last))
    return false;
  for (const Use &use : *droppedUses)
    if (use.access.frees)
      use.op->erase();
  for (Operation *free : frees)
    free->moveAfter(last);
  // The caller may erase it.
  if (auto it = writers.find(block); it != writers.end())
    if (auto *op = llvm::lower_bound(it->second, call, isBefore);
        op != it->second.end() && *op == call)
      it->second.erase(op);
  Operation *alloc = dropped.getDefiningOp();
  dropped.replaceAllUsesWith(kept);
  alloc->erase();
  return true;
}
