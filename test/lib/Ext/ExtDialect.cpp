//===- ExtDialect.cpp - another dialect's sorts -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ExtDialect.h"
#include "mlir/IR/DialectImplementation.h"

using namespace mlir;
using namespace mlir::memspace::ext;

#include "ExtDialect.cpp.inc"

#define GET_OP_CLASSES
#include "ExtOps.cpp.inc"

void ExtDialect::initialize() {
  addOperations<
#define GET_OP_LIST
#include "ExtOps.cpp.inc"
      >();
}

//===----------------------------------------------------------------------===//
// Effects. Tensors are values.
//===----------------------------------------------------------------------===//

using Effects =
    SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>;

static void addEffects(DestinationStyleOpInterface op, Effects &effects) {
  for (OpOperand &operand : op->getOpOperands()) {
    if (!isa<BaseMemRefType>(operand.get().getType()))
      continue;
    effects.emplace_back(MemoryEffects::Read::get(), &operand);
    if (op.isDpsInit(&operand))
      effects.emplace_back(MemoryEffects::Write::get(), &operand);
  }
}

void SortOp::getEffects(Effects &effects) { addEffects(*this, effects); }
void TopKOp::getEffects(Effects &effects) { addEffects(*this, effects); }
void ScatterOp::getEffects(Effects &effects) { addEffects(*this, effects); }
void ScanOp::getEffects(Effects &effects) { addEffects(*this, effects); }

void ClaimOp::getEffects(Effects &effects) {
  if (!isa<BaseMemRefType>(getInput().getType()))
    return;
  effects.emplace_back(MemoryEffects::Read::get(), &getInputMutable());
  effects.emplace_back(MemoryEffects::Read::get(), &getOutputMutable());
  effects.emplace_back(MemoryEffects::Write::get(), &getOutputMutable());
}
