//===- WorkgroupLiveness.cpp - when a buffer holds a value -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MemSpace/Analysis/WorkgroupLiveness.h"
#include "MemSpace/Analysis/BufferUses.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace mlir::memspace;

WorkgroupLiveness::WorkgroupLiveness(FunctionOpInterface kernel)
    : kernel(kernel) {
  number(kernel.getFunctionBody());
}

void WorkgroupLiveness::number(Region &region) {
  for (Operation &op : region.getOps()) {
    LiveRange extent;
    extent.first = numPositions++;
    for (Region &inner : op.getRegions())
      number(inner);
    extent.last = numPositions++;
    extents[&op] = extent;
  }
}

/// True when the body of `op` may run more than once each time `op` does.
static bool mayRepeat(Operation *op) {
  if (op->getNumRegions() == 0 ||
      isa<scf::IfOp, scf::IndexSwitchOp, scf::ExecuteRegionOp>(op))
    return false;
  return true;
}

/// Blocks that branch to each other have no structured order.
static bool isUnstructured(Operation *op) {
  return llvm::any_of(op->getRegions(), [](Region &region) {
    return !region.empty() && !region.hasOneBlock();
  });
}

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

/// True when `use` only writes, and to the same places in each iteration of
/// `loop`.
static bool writesSamePlaces(OpOperand &use, Operation *loop) {
  Operation *op = use.getOwner();
  auto interface = dyn_cast<MemoryEffectOpInterface>(op);
  if (!interface)
    return false;
  SmallVector<MemoryEffects::EffectInstance> effects;
  interface.getEffectsOnValue(use.get(), effects);
  bool writes = false;
  for (const MemoryEffects::EffectInstance &effect : effects) {
    if (!isa<MemoryEffects::Write>(effect.getEffect()))
      return false;
    writes = true;
  }
  if (!writes)
    return false;

  // What is written may differ; where it goes and whether may not.
  for (OpOperand &operand : op->getOpOperands()) {
    Type type = getElementTypeOrSelf(operand.get().getType());
    bool isPlace = &operand == &use || type.isIntOrIndex();
    if (isPlace && !isa<BaseMemRefType>(operand.get().getType()) &&
        !isInvariant(operand.get(), loop))
      return false;
  }
  if (!isInvariant(use.get(), loop))
    return false;
  for (Operation *guard = op->getParentOp(); guard != loop;
       guard = guard->getParentOp())
    for (Value operand : guard->getOperands())
      if (!isa<BaseMemRefType>(operand.getType()) &&
          !isInvariant(operand, loop))
        return false;
  return true;
}

LiveRange WorkgroupLiveness::getRange(Value buffer) const {
  BufferUses uses = collectBufferUses(buffer);
  LiveRange whole;
  whole.last = numPositions - 1;
  if (!uses.escapes.empty())
    return whole;

  SmallVector<OpOperand *> touches = uses.accesses;
  llvm::append_range(touches, uses.forwards);
  if (touches.empty())
    return LiveRange();

  // A value passed on is touched when the op that passes it starts.
  auto getPosition = [&](OpOperand *use) {
    return getExtent(use->getOwner()).first;
  };
  llvm::sort(touches, [&](OpOperand *a, OpOperand *b) {
    return getPosition(a) < getPosition(b);
  });
  LiveRange range;
  range.first = getPosition(touches.front());
  range.last = getPosition(touches.back());

  Operation *definition = buffer.getDefiningOp();
  llvm::SmallPtrSet<Operation *, 8> seen;
  for (OpOperand *use : touches)
    for (Operation *around = use->getOwner()->getParentOp(); around != kernel;
         around = around->getParentOp()) {
      if (!seen.insert(around).second)
        break;
      bool unstructured = isUnstructured(around);
      if (!mayRepeat(around) && !unstructured)
        continue;
      // An allocation in the body is a new buffer in each iteration.
      if (definition && around->isProperAncestor(definition))
        continue;
      bool onlyInside = llvm::all_of(touches, [&](OpOperand *other) {
        return around->isProperAncestor(other->getOwner());
      });
      bool isLocal = onlyInside && !unstructured &&
                     writesSamePlaces(*touches.front(), around);
      if (isLocal)
        continue;
      LiveRange extent = getExtent(around);
      range.first = std::min(range.first, extent.first);
      range.last = std::max(range.last, extent.last);
    }
  return isUnstructured(kernel) ? whole : range;
}
