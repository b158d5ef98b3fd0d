//===- KernelArguments.cpp - what a kernel does to its arguments -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelArguments.h"
#include "MemSpace/IR/AttributeNames.h"
#include "MemSpace/Memory/Synchronization.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/SymbolTable.h"

using namespace mlir;
using namespace mlir::memspace;

KernelArguments::KernelArguments(const KernelContext &context, bool usesNoAlias)
    : context(context) {
  FunctionOpInterface kernel = context.getKernel();
  unsigned numArguments = kernel.getNumArguments();
  for (unsigned number = 0; number < numArguments; ++number)
    if (usesNoAlias && kernel.getArgAttr(number, kNoAliasAttr))
      recorded.push_back(number);
  // Accesses to memory of other spaces are not looked at: they may write.
  for (Type type : kernel.getArgumentTypes()) {
    std::optional<MemorySpace> space = context.getSpaces().getNamedSpace(type);
    written.push_back(space && *space != MemorySpace::Global);
  }
  SymbolTableCollection tables;
  kernel.getFunctionBody().walk([&](Operation *op) {
    if (auto get = dyn_cast<memref::GetGlobalOp>(op)) {
      auto global = tables.lookupNearestSymbolFrom<memref::GlobalOp>(
          get, get.getNameAttr());
      if (global && global.getConstant())
        constants.insert(get.getNameAttr().getAsOpaquePointer());
    }
    if (isUnknownControlFlow(op))
      addUnknown(/*writes=*/true);
  });
  for (const MemoryAccess &access : collectKernelAccesses(context))
    if (!isOnlySynchronization(access.op))
      add(access);
}

std::optional<int64_t>
KernelArguments::getNumber(const MemoryBase &base) const {
  FunctionOpInterface kernel = context.getKernel();
  auto arg = dyn_cast_or_null<BlockArgument>(base.rootValue);
  if (!arg || arg.getOwner() != &kernel.getFunctionBody().front() ||
      arg.getArgNumber() >= kernel.getNumArguments())
    return std::nullopt;
  return arg.getArgNumber();
}

void KernelArguments::addUnknown(bool writes) {
  accessesOthers = true;
  writesOthers |= writes;
  // It may have got any pointer that the kernel has.
  if (writes)
    written.assign(written.size(), true);
}

void KernelArguments::add(const MemoryAccess &access) {
  if (!access.memref)
    return addUnknown(access.writes);
  for (const MemoryBase &base : access.bases) {
    if (!base.root && base.maybeGlobal)
      addUnknown(access.writes);
    // The others are told by their address spaces.
    if (!base.root || !base.maybeGlobal)
      continue;
    std::optional<int64_t> number = getNumber(base);
    if (number)
      written[*number] |= access.writes;
    if ((number && isRecorded(*number)) || isConstant(base))
      continue;
    accessesOthers = true;
    writesOthers |= access.writes;
  }
}
