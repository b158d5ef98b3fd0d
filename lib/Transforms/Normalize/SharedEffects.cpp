//===- SharedEffects.cpp - ops that threads must not repeat -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Transforms/Normalize/SharedEffects.h"
#include "MemSpace/Memory/MemoryBases.h"
#include "MemSpace/Memory/MemoryInterfaces.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace mlir::memspace;

bool memspace::hasSideEffect(Operation *op) {
  auto isTensor = [](Type type) { return isa<TensorType>(type); };
  if (op->hasTrait<OpTrait::IsTerminator>() ||
      llvm::any_of(op->getOperandTypes(), isTensor) ||
      llvm::any_of(op->getResultTypes(), isTensor) ||
      isa<SynchronizationOpInterface, bufferization::ToTensorOp>(op))
    return false;
  if (isMemoryEffectFree(op))
    return false;
  if (auto effects = dyn_cast<MemoryEffectOpInterface>(op))
    return effects.hasEffect<MemoryEffects::Write>();
  // The ops inside of control flow are asked by themselves.
  return !op->hasTrait<OpTrait::HasRecursiveMemoryEffects>() &&
         !isa<RegionBranchOpInterface, FunctionOpInterface>(op);
}

/// The bases of what `op` may write; unknown where it does not say.
static SmallVector<MemoryBase> getWrittenBases(Operation *op,
                                               const KernelContext &context) {
  auto interface = dyn_cast<MemoryEffectOpInterface>(op);
  if (!interface)
    return {MemoryBase()};
  SmallVector<MemoryEffects::EffectInstance> effects;
  interface.getEffects(effects);
  SmallVector<MemoryBase> written;
  for (MemoryEffects::EffectInstance &effect : effects) {
    if (!isa<MemoryEffects::Write>(effect.getEffect()))
      continue;
    Value memref = effect.getValue();
    if (memref && isa<BaseMemRefType>(memref.getType()))
      llvm::append_range(written, getMemoryBases(memref, context));
    else
      written.push_back(MemoryBase());
  }
  return written;
}

/// True for memory that no other thread has a name for.
static bool isOwn(const MemoryBase &base, const KernelContext &context) {
  return base.rootValue && isPrivateMemory(base.rootValue, context.getSpaces());
}

bool memspace::hasSharedSideEffect(Operation *op,
                                   const KernelContext &context) {
  return hasSideEffect(op) && !llvm::all_of(getWrittenBases(op, context),
                                            [&](const MemoryBase &base) {
                                              return isOwn(base, context);
                                            });
}

bool memspace::mayWriteOwnMemory(Operation *op, const KernelContext &context) {
  return llvm::any_of(
      getWrittenBases(op, context),
      [&](const MemoryBase &base) { return isOwn(base, context); });
}
