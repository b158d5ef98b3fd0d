//===- Mutations.cpp - small mistakes in a right kernel -------------------===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Mutations.h"
#include "MemSpace/Emulator/HostBuffer.h"
#include "MemSpace/IR/MemSpaceDialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Builders.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

using namespace mlir;
using namespace mlir::memspace;

//===----------------------------------------------------------------------===//
// What ops touch
//===----------------------------------------------------------------------===//

static bool isBarrier(Operation *op) {
  return isa<gpu::BarrierOp, SubgroupBarrierOp>(op);
}

static bool hasSpace(Type type, gpu::AddressSpace space) {
  auto memref = dyn_cast<BaseMemRefType>(type);
  if (!memref)
    return false;
  auto attr =
      dyn_cast_if_present<gpu::AddressSpaceAttr>(memref.getMemorySpace());
  return attr && attr.getValue() == space;
}

/// The memory behind a value, through views; null when it is not one allocation
/// or argument.
static Value getMemory(Value value) {
  while (Operation *op = value.getDefiningOp()) {
    auto view = dyn_cast<ViewLikeOpInterface>(op);
    if (!view)
      return isa<memref::AllocOp, memref::AllocaOp, memref::GetGlobalOp>(op)
                 ? value
                 : Value();
    value = view.getViewSource();
  }
  auto argument = cast<BlockArgument>(value);
  return isa<FunctionOpInterface>(argument.getOwner()->getParentOp()) ? value
                                                                      : Value();
}

/// Memory that `op` and what is in it access; failure when it cannot be told.
static LogicalResult getAccessedMemory(Operation *op,
                                       llvm::SmallDenseSet<Value> &memory) {
  WalkResult result = op->walk([&](Operation *inner) {
    if (inner->getNumRegions() || isMemoryEffectFree(inner) ||
        isa<ViewLikeOpInterface>(inner))
      return WalkResult::advance();
    for (Value operand : inner->getOperands())
      if (isa<BaseMemRefType>(operand.getType())) {
        Value root = getMemory(operand);
        if (!root)
          return WalkResult::interrupt();
        memory.insert(root);
      }
    return WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}

/// Memory of the kernel that some op writes.
static bool isWritten(FunctionOpInterface kernel, Value memory) {
  WalkResult result = kernel->walk([&](Operation *op) {
    auto effects = dyn_cast<MemoryEffectOpInterface>(op);
    if (!effects)
      return WalkResult::advance();
    for (Value operand : op->getOperands())
      if (isa<BaseMemRefType>(operand.getType()) &&
          effects.getEffectOnValue<MemoryEffects::Write>(operand)) {
        Value root = getMemory(operand);
        if (!root || root == memory)
          return WalkResult::interrupt();
      }
    return WalkResult::advance();
  });
  return result.wasInterrupted();
}

/// `op` is the only one that accesses `memory`.
static bool isOnlyUser(FunctionOpInterface kernel, Operation *op,
                       Value memory) {
  WalkResult result = kernel->walk([&](Operation *other) {
    if (op->isAncestor(other) || other->getNumRegions() ||
        isMemoryEffectFree(other) || isa<ViewLikeOpInterface>(other))
      return WalkResult::advance();
    for (Value operand : other->getOperands())
      if (isa<BaseMemRefType>(operand.getType())) {
        Value root = getMemory(operand);
        if (!root || root == memory)
          return WalkResult::interrupt();
      }
    return WalkResult::advance();
  });
  return !result.wasInterrupted();
}

/// Why a barrier may pass `op`, or the empty text: a barrier only orders
/// accesses of different threads to memory that some of them write.
static std::string getReasonToPass(FunctionOpInterface kernel, Operation *op) {
  llvm::SmallDenseSet<Value> memory;
  bool hasBarrier = op->walk([](Operation *inner) {
                        return isBarrier(inner) ? WalkResult::interrupt()
                                                : WalkResult::advance();
                      }).wasInterrupted();
  if (hasBarrier || failed(getAccessedMemory(op, memory)))
    return "";
  for (Value root : memory) {
    bool isPrivate = hasSpace(root.getType(), gpu::AddressSpace::Private) ||
                     isa_and_present<memref::AllocaOp>(root.getDefiningOp());
    if (!isPrivate && isWritten(kernel, root) && !isOnlyUser(kernel, op, root))
      return "";
  }
  if (memory.empty())
    return "the op that it passes accesses no memory";
  return "the op that it passes accesses only private memory, memory that no "
         "op "
         "writes, or memory that no other op accesses";
}

//===----------------------------------------------------------------------===//
// Finding mutations
//===----------------------------------------------------------------------===//

static Operation *getPassedOp(Operation *barrier, bool isUp) {
  Operation *next = isUp ? barrier->getPrevNode() : barrier->getNextNode();
  if (next && !next->hasTrait<OpTrait::IsTerminator>())
    return next;
  // Out of the region.
  Operation *parent = barrier->getParentOp();
  return isa<FunctionOpInterface>(parent) ? nullptr : parent;
}

/// An allocation with a static size, not of an arena's only view.
static bool isStaticBuffer(Operation *op) {
  return isa<memref::AllocOp, memref::AllocaOp>(op) &&
         op->getNumOperands() == 0;
}

SmallVector<Mutation> memspace::getMutations(FunctionOpInterface kernel) {
  SmallVector<Mutation> mutations;
  unsigned place = 0;
  kernel->walk([&](Operation *op) {
    auto add = [&](MutationKind kind, const Twine &description,
                   std::string equivalence = "") {
      mutations.push_back({kind, place, op->getLoc(), description.str(),
                           std::move(equivalence)});
    };
    if (isBarrier(op)) {
      add(MutationKind::DeleteBarrier, "delete the barrier");
      for (bool isUp : {true, false})
        if (Operation *passed = getPassedOp(op, isUp))
          add(isUp ? MutationKind::MoveBarrierUp
                   : MutationKind::MoveBarrierDown,
              Twine("move the barrier ") +
                  (passed->isProperAncestor(op) ? "out of '"
                   : isUp                       ? "up over '"
                                                : "down over '") +
                  passed->getName().getStringRef() + "'",
              passed->isProperAncestor(op) ? ""
                                           : getReasonToPass(kernel, passed));
    }
    if (isStaticBuffer(op) && op->use_empty() == false) {
      Type type = op->getResult(0).getType();
      if (isa<memref::AllocaOp>(op) ||
          hasSpace(type, gpu::AddressSpace::Private))
        add(MutationKind::PrivateToWorkgroup,
            "share the private buffer among all threads");
      else if (hasSpace(type, gpu::AddressSpace::Workgroup) &&
               !op->hasAttr(kArenaAttr))
        add(MutationKind::WorkgroupToPrivate,
            "give each thread a buffer of its own");
      if (cast<MemRefType>(type).getNumElements() > 0)
        add(MutationKind::ShrinkBuffer, "make the buffer one element smaller");
    }
    auto view = dyn_cast<memref::ViewOp>(op);
    if (view && view.getSizes().empty() && !view.use_empty()) {
      if (hasSpace(view.getType(), gpu::AddressSpace::Workgroup))
        add(MutationKind::WorkgroupToPrivate,
            "give each thread a view's memory of its own");
      add(MutationKind::ShiftViewUp, "shift the view one element up");
      add(MutationKind::ShiftViewDown, "shift the view one element down");
    }
    ++place;
  });
  return mutations;
}

//===----------------------------------------------------------------------===//
// Making mutants
//===----------------------------------------------------------------------===//

/// Replaces the buffer by an allocation of `space`; the uses keep their types.
static void changeSpace(Operation *op, gpu::AddressSpace space) {
  OpBuilder builder(op);
  auto type = cast<MemRefType>(op->getResult(0).getType());
  auto newType =
      MemRefType::get(type.getShape(), type.getElementType(), type.getLayout(),
                      gpu::AddressSpaceAttr::get(builder.getContext(), space));
  Value buffer;
  if (space == gpu::AddressSpace::Private)
    buffer = memref::AllocaOp::create(builder, op->getLoc(), newType);
  else
    buffer = memref::AllocOp::create(builder, op->getLoc(), newType);
  op->getResult(0).replaceAllUsesWith(
      memref::MemorySpaceCastOp::create(builder, op->getLoc(), type, buffer));
  op->erase();
}

static void shiftView(memref::ViewOp view, bool isUp) {
  OpBuilder builder(view);
  int64_t bytes = emulator::getElementBytes(view.getType().getElementType());
  Value shift =
      arith::AddIOp::create(builder, view.getLoc(), view.getByteShift(),
                            arith::ConstantIndexOp::create(
                                builder, view.getLoc(), isUp ? bytes : -bytes));
  view.getByteShiftMutable().assign(shift);
}

/// Allocates one element less, and casts the rest back to the old shape.
static void shrinkBuffer(Operation *op) {
  OpBuilder builder(op);
  auto type = cast<MemRefType>(op->getResult(0).getType());
  auto newType =
      MemRefType::get({type.getNumElements() - 1}, type.getElementType(),
                      MemRefLayoutAttrInterface(), type.getMemorySpace());
  Operation *smaller =
      isa<memref::AllocaOp>(op)
          ? memref::AllocaOp::create(builder, op->getLoc(), newType)
                .getOperation()
          : memref::AllocOp::create(builder, op->getLoc(), newType)
                .getOperation();
  for (NamedAttribute attr : op->getDiscardableAttrs())
    smaller->setAttr(attr.getName(), attr.getValue());
  auto [strides, offset] = type.getStridesAndOffset();
  op->getResult(0).replaceAllUsesWith(memref::ReinterpretCastOp::create(
      builder, op->getLoc(), type, smaller->getResult(0), offset,
      type.getShape(), strides));
  op->erase();
}

void memspace::apply(const Mutation &mutation, FunctionOpInterface kernel) {
  Operation *op = nullptr;
  unsigned place = 0;
  kernel->walk([&](Operation *candidate) {
    if (place++ == mutation.place)
      op = candidate;
  });
  switch (mutation.kind) {
  case MutationKind::DeleteBarrier:
    op->erase();
    break;
  case MutationKind::MoveBarrierUp:
    op->moveBefore(getPassedOp(op, /*isUp=*/true));
    break;
  case MutationKind::MoveBarrierDown:
    op->moveAfter(getPassedOp(op, /*isUp=*/false));
    break;
  case MutationKind::PrivateToWorkgroup:
    changeSpace(op, gpu::AddressSpace::Workgroup);
    break;
  case MutationKind::WorkgroupToPrivate:
    changeSpace(op, gpu::AddressSpace::Private);
    break;
  case MutationKind::ShiftViewUp:
  case MutationKind::ShiftViewDown:
    shiftView(cast<memref::ViewOp>(op),
              mutation.kind == MutationKind::ShiftViewUp);
    break;
  case MutationKind::ShrinkBuffer:
    shrinkBuffer(op);
    break;
  }
}
