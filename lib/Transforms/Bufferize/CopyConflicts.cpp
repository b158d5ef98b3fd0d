//===- CopyConflicts.cpp - why One-Shot copies a tensor -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CopyConflicts.h"
#include "MemSpace/Memory/BufferSize.h"
#include "Transforms/Normalize/KernelVerifier.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

using namespace mlir;
using namespace mlir::bufferization;
using namespace mlir::memspace;

Operation *mlir::memspace::findWriter(OpOperand &operand,
                                      const OneShotAnalysisState &state) {
  DenseSet<OpOperand *> seen;
  SmallVector<OpOperand *> worklist{&operand};
  while (!worklist.empty()) {
    OpOperand *use = worklist.pop_back_val();
    if (!seen.insert(use).second)
      continue;
    if (state.bufferizesToMemoryWrite(*use))
      return use->getOwner();
    for (const AliasingValue &alias : state.getAliasingValues(*use))
      for (OpOperand &next : alias.value.getUses())
        worklist.push_back(&next);
  }
  return operand.getOwner();
}

/// True when `read` has always happened when `writer` writes what `value` is.
static bool happensBefore(Operation *read, Operation *writer, Value value) {
  Block *block = read->getBlock();
  while (block && !block->findAncestorOpInBlock(*writer)) {
    Operation *parent = block->getParentOp();
    block = parent ? parent->getBlock() : nullptr;
  }
  if (!block)
    return false;
  Operation *first = block->findAncestorOpInBlock(*read);
  Operation *second = block->findAncestorOpInBlock(*writer);
  if (first == second || !first->isBeforeInBlock(second))
    return false;
  // In the next iteration it comes after, unless the value is another one.
  for (Operation *op = block->getParentOp();
       op && !op->isAncestor(value.getParentBlock()->getParentOp());
       op = op->getParentOp())
    if (isa<LoopLikeOpInterface>(op))
      return false;
  return true;
}

OpOperand *
mlir::memspace::findConflictingRead(OpOperand &operand, Operation *writer,
                                    const OneShotAnalysisState &state) {
  // What overwrites the value as well is no good explanation, nor is what has
  // been read by then.
  OpOperand *after = nullptr, *update = nullptr, *before = nullptr;
  auto isRead = [&](OpOperand &use) {
    return use.getOwner() != writer && use.getOwner() != operand.getOwner() &&
           state.bufferizesToMemoryRead(use);
  };
  auto add = [&](OpOperand &use) {
    OpOperand *&found = happensBefore(use.getOwner(), writer, operand.get())
                            ? before
                        : state.bufferizesToMemoryWrite(use) ? update
                                                             : after;
    if (!found)
      found = &use;
  };
  // The value itself and slices of it, then whatever may be the same memory.
  llvm::SetVector<Value> values;
  values.insert(operand.get());
  for (size_t i = 0; i < values.size(); ++i)
    for (OpOperand &use : values[i].getUses()) {
      if (isRead(use))
        add(use);
      if (!state.bufferizesToMemoryWrite(use))
        for (const AliasingValue &alias : state.getAliasingValues(use))
          values.insert(alias.value);
    }
  if (!after)
    state.applyOnAliases(operand.get(), [&](Value alias) {
      for (OpOperand &use : alias.getUses())
        if (isRead(use))
          add(use);
    });
  return after ? after : update ? update : before;
}

CopyConflict mlir::memspace::describeConflict(
    OpOperand &operand, const KernelContext &context,
    const BufferClasses &classes, const OneShotAnalysisState &state) {
  Value value = operand.get();
  Operation *writer = findWriter(operand, state);
  const BufferView &view = classes.getView(value);
  CopyConflict conflict{CopyConflict::NamedOp(operand.getOwner()),
                        CopyConflict::NamedOp(writer),
                        /*read=*/std::nullopt,
                        /*isReadOnly=*/!state.isWritable(value),
                        /*isBranch=*/false,
                        /*memory=*/{},
                        view.root ? view.root.getLoc() : value.getLoc(),
                        value.getType()};
  if (!conflict.isReadOnly)
    if (OpOperand *read = findConflictingRead(operand, writer, state))
      conflict.read = CopyConflict::NamedOp(read->getOwner());
  if (auto toTensor =
          view.root ? view.root.getDefiningOp<ToTensorOp>() : ToTensorOp())
    conflict.memory = describeMemory(toTensor.getBuffer());
  conflict.isWhole = view.isIdentity();
  if (const BufferClass *cls = classes.getClass(value))
    conflict.isOutside = cls->hasOutsideRoot();
  return conflict;
}

void mlir::memspace::setCopied(CopyConflict &conflict, Value copied,
                               Value value, const KernelContext &context) {
  auto type = cast<TensorType>(copied.getType());
  conflict.type = type;
  conflict.isWhole &= type == value.getType();
  conflict.bytes.reset();
  if (auto ranked = dyn_cast<RankedTensorType>(type))
    conflict.bytes = getBufferBytes(ranked, context.getTarget());
}
