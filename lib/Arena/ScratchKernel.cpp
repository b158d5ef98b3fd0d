//===- ScratchKernel.cpp - a copy of a kernel to try things on -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ScratchKernel.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace mlir::memspace;

/// What `op` names, and what that names in turn.
static SetVector<Operation *> getNamedSymbols(Operation *op) {
  SetVector<Operation *> symbols;
  auto addFrom = [&](Operation *user) {
    std::optional<SymbolTable::UseRange> uses =
        SymbolTable::getSymbolUses(user);
    if (!uses)
      return;
    for (SymbolTable::SymbolUse use : *uses)
      // Of a nested symbol, the module that it is in.
      if (Operation *symbol = SymbolTable::lookupNearestSymbolFrom(
              use.getUser(), use.getSymbolRef().getRootReference()))
        if (symbol != op && !symbol->isAncestor(op))
          symbols.insert(symbol);
  };
  addFrom(op);
  for (unsigned i = 0; i < symbols.size(); ++i)
    addFrom(symbols[i]);
  return symbols;
}

ScratchKernel::ScratchKernel(FunctionOpInterface original)
    : module(ModuleOp::create(original.getLoc())) {
  OpBuilder builder(module->getBodyRegion());
  for (Operation *symbol : getNamedSymbols(original))
    builder.clone(*symbol);
  kernel = cast<FunctionOpInterface>(
      builder.clone(*original.getOperation(), mapping));
}
