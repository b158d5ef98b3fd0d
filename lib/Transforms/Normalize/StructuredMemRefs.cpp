//===- StructuredMemRefs.cpp - structured ops on memrefs -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Threads that execute a sort of a memref together would all do the same to the
// same memory, at once. If the memory is accessed by nothing else, the op
// becomes one on tensors, which threads share:
//
//   memspace.sort ins(%a : memref<..>) outs(%b : memref<..>)
//
//   %x = bufferization.to_tensor %a restrict
//   %y = bufferization.to_tensor %b restrict writable
//   %z = memspace.sort ins(%x) outs(%y)
//   bufferization.materialize_in_destination %z in restrict writable %b
//
// Several ops of a block on one memref pass one tensor on. It is stored behind
// the last one, later than the op would write. So all of them must be known to
// touch no other memory that may be the same: an output overlaps no other
// operand of its op. Else one thread executes the op. One that writes each
// thread's own memory stays: each thread executes it.
//
//===----------------------------------------------------------------------===//

#include "Kernel/HardwareIds.h"
#include "MemSpace/IR/MemSpaceDialect.h"
#include "MemSpace/Kernel/ExecutionScope.h"
#include "MemSpace/Memory/BufferSize.h"
#include "Transforms/Normalize/KernelVerifier.h"
#include "Transforms/Normalize/SharedEffects.h"
#include "Transforms/Normalize/StructuredOps.h"
#include "Transforms/Normalize/ThreadTilings.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace mlir::memspace;

namespace {
/// What is raised, block by block.
class Raiser {
public:
  explicit Raiser(const KernelContext &context)
      : context(context), kernel(context.getKernel()), scopes(kernel) {}
  void run();

private:
  using Op = DestinationStyleOpInterface;

  bool isShared(Operation *op) const;
  bool isOnlyRead(Value memory);
  bool hasOneName(Value memref, Block *block);
  bool areApart(Value memref, ArrayRef<Op> users) const;
  bool canShare(Op op) const;
  void findRaisable();
  void raise(Block *block, ArrayRef<Op> ops);

  const KernelContext &context;
  FunctionOpInterface kernel;
  ExecutionScopeAnalysis scopes;
  /// All ops in question, in their order, and those that become ops on tensors.
  llvm::SetVector<Operation *> ops, raisable;
};
} // namespace

static SmallVector<Value> getMemRefs(DestinationStyleOpInterface op) {
  SmallVector<Value> memrefs;
  for (Value operand : op->getOperands())
    if (isa<MemRefType>(operand.getType()) &&
        !llvm::is_contained(memrefs, operand))
      memrefs.push_back(operand);
  return memrefs;
}

static bool isOutput(DestinationStyleOpInterface op, Value memref) {
  return llvm::is_contained(op.getDpsInits(), memref);
}

/// Whether several threads execute `op`, a structured op on memrefs, together,
/// on memory that they share.
bool Raiser::isShared(Operation *op) const {
  if (!isa<GatherOp, ScanOp, SortOp, SortIndicesOp, TopKOp>(op) ||
      !cast<Op>(op).hasPureBufferSemantics() ||
      !hasSharedSideEffect(op, context))
    return false;
  ExecutionScope scope = scopes.getScope(op);
  return scope == ExecutionScope::Workgroup ||
         scope == ExecutionScope::Subgroup;
}

/// Calls `visit` for each use of `memory` or of a view of it that is not one of
/// a view itself; false if it is for any.
static bool allUses(Value memory, llvm::function_ref<bool(OpOperand &)> visit) {
  SmallVector<Value> worklist{memory};
  while (!worklist.empty()) {
    for (OpOperand &use : worklist.pop_back_val().getUses()) {
      Operation *user = use.getOwner();
      auto view = dyn_cast<ViewLikeOpInterface>(user);
      if (view && view.getViewSource() == use.get())
        worklist.push_back(view.getViewDest());
      else if (!isa<memref::DimOp>(user) && !visit(use))
        return false;
    }
  }
  return true;
}

bool Raiser::isOnlyRead(Value memory) {
  return allUses(memory, [&](OpOperand &use) {
    Operation *user = use.getOwner();
    if (auto tensor = dyn_cast<bufferization::ToTensorOp>(user))
      return !tensor.getWritable();
    if (isa<memref::LoadOp>(user))
      return true;
    return raisable.contains(user) && !isOutput(cast<Op>(user), use.get());
  });
}

/// Whether the memory of `memref` is accessed only by raisable ops of `block`,
/// and by all of them as `memref`.
bool Raiser::hasOneName(Value memref, Block *block) {
  return allUses(getBaseMemRef(memref), [&](OpOperand &use) {
    return use.get() == memref && raisable.contains(use.getOwner()) &&
           use.getOwner()->getBlock() == block;
  });
}

/// Whether `users`, one after the other and all on `memref`, touch no other
/// memory that may be its own.
bool Raiser::areApart(Value memref, ArrayRef<Op> users) const {
  if (users.size() == 1)
    return true;
  if (llvm::none_of(users, [&](Op op) { return isOutput(op, memref); }))
    return true;
  // What happens between them.
  for (Operation *op = users.front(); op != users.back()->getNextNode();
       op = op->getNextNode()) {
    if (isMemoryEffectFree(op))
      continue;
    if (!llvm::is_contained(users, op))
      return false;
    for (Value other : getMemRefs(cast<Op>(op)))
      if (other != memref && !isOutput(cast<Op>(op), memref) &&
          !isOutput(cast<Op>(op), other))
        return false;
  }
  return true;
}

/// Whether threads could share `op` on tensors. Of ops on rows there may be any
/// number, which take turns, and the length of a row may be bounded; scans and
/// top-k take rows without a bound in parts.
bool Raiser::canShare(Op op) const {
  auto dimension = op->getAttrOfType<IntegerAttr>("dimension");
  for (auto [number, value] : llvm::enumerate(op->getOperands())) {
    auto type = dyn_cast<MemRefType>(value.getType());
    if (!type)
      continue;
    for (int64_t dim = 0; dim < type.getRank(); ++dim) {
      if (!type.isDynamicDim(dim))
        continue;
      if (!dimension)
        return false;
      if (dim != dimension.getInt())
        continue;
      bool isCount = isa<TopKOp>(*op) && number != 0;
      if (isCount ||
          (!isa<ScanOp, TopKOp>(*op) && !getConstantUpperBound(value, dim)))
        return false;
    }
  }
  return true;
}

/// Begins with all that could be, and takes away what cannot, until all that is
/// left can.
void Raiser::findRaisable() {
  for (Operation *op : ops)
    if (canShare(cast<Op>(op)))
      raisable.insert(op);
  for (bool changed = true; changed;) {
    changed = false;
    llvm::MapVector<Value, SmallVector<Op>> usersOf;
    for (Operation *op : raisable)
      for (Value memref : getMemRefs(cast<Op>(op)))
        usersOf[memref].push_back(cast<Op>(op));
    for (auto &[memref, users] : usersOf) {
      if (isOnlyRead(getBaseMemRef(memref)))
        continue;
      Block *block = users.front()->getBlock();
      if (hasOneName(memref, block) && areApart(memref, users))
        continue;
      for (Op op : users)
        changed |= raisable.remove(op.getOperation());
    }
  }
}

/// Gives the ops of a block tensors for their memrefs.
void Raiser::raise(Block *block, ArrayRef<Op> ops) {
  OpBuilder builder(kernel->getContext());
  struct Memory {
    Operation *last = nullptr;
    bool isWritten = false;
    Value tensor;
  };
  llvm::MapVector<Value, Memory> memories;
  for (Op op : ops)
    for (Value memref : getMemRefs(op)) {
      Memory &memory = memories[memref];
      memory.last = op;
      memory.isWritten |= isOutput(op, memref);
    }
  for (Op op : ops) {
    Location loc = op.getLoc();
    builder.setInsertionPoint(op);
    SmallVector<Value> operands, outputs(op.getDpsInits());
    SmallVector<Type> types;
    for (Value operand : op->getOperands()) {
      auto type = dyn_cast<MemRefType>(operand.getType());
      if (!type) {
        operands.push_back(operand);
        continue;
      }
      Memory &memory = memories[operand];
      if (!memory.tensor)
        memory.tensor = bufferization::ToTensorOp::create(
            builder, loc,
            RankedTensorType::get(type.getShape(), type.getElementType()),
            operand, /*restrict=*/true, memory.isWritten);
      operands.push_back(memory.tensor);
    }
    for (Value output : outputs)
      types.push_back(memories[output].tensor.getType());
    Operation *made = mlir::clone(builder, op.getOperation(), types, operands);
    for (auto [output, result] : llvm::zip_equal(outputs, made->getResults())) {
      Memory &memory = memories[output];
      memory.tensor = result;
    }
    for (auto &[memref, memory] : memories)
      if (memory.last == op.getOperation() && memory.isWritten)
        bufferization::MaterializeInDestinationOp::create(
            builder, loc, /*result=*/Type(), memory.tensor, memref,
            /*restrict=*/true, /*writable=*/true);
    op->erase();
  }
}

void Raiser::run() {
  kernel->walk([&](Operation *op) {
    if (isShared(op))
      ops.insert(op);
  });
  findRaisable();
  llvm::MapVector<Block *, SmallVector<Op>> blocks;
  for (Operation *op : ops) {
    if (raisable.contains(op)) {
      blocks[op->getBlock()].push_back(cast<Op>(op));
      continue;
    }
    OpBuilder builder(op);
    scf::ForallOp guard = createForall(
        builder, op->getLoc(), getGuardTiling(builder, scopes.getScope(op)),
        ValueRange());
    op->moveBefore(guard.getTerminator());
  }
  for (auto &[block, raised] : blocks)
    raise(block, raised);
}

bool memspace::saysWhichThread(FunctionOpInterface kernel) {
  WalkResult walk = kernel->walk([](Operation *op) {
    std::optional<HardwareId> id = getHardwareId(op);
    return id && id->isOfThread() ? WalkResult::interrupt()
                                  : WalkResult::advance();
  });
  return walk.wasInterrupted();
}

void memspace::raiseStructuredOps(const KernelContext &context) {
  if (!saysWhichThread(context.getKernel()))
    Raiser(context).run();
}
