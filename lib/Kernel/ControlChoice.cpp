//===- ControlChoice.cpp - ways that a number chooses -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ControlChoice.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlir::memspace;

ControlChoice ControlChoice::get(Operation *op) {
  bool isChoice = isa_and_nonnull<scf::IfOp, scf::IndexSwitchOp,
                                  cf::CondBranchOp, cf::SwitchOp>(op);
  return isChoice ? ControlChoice(op) : ControlChoice();
}

/// It is the first operand of all of them.
Value ControlChoice::getDecider() const { return op->getOperand(0); }

unsigned ControlChoice::getWay(int64_t number) const {
  if (isa<scf::IfOp, cf::CondBranchOp>(op))
    return number != 0 ? 0 : 1;
  if (auto choice = dyn_cast<scf::IndexSwitchOp>(op)) {
    // The first region is the default.
    const auto *found = llvm::find(choice.getCases(), number);
    return found == choice.getCases().end()
               ? 0
               : 1 + (found - choice.getCases().begin());
  }
  auto choice = cast<cf::SwitchOp>(op);
  APInt flag(choice.getFlag().getType().getIntOrFloatBitWidth(), number,
             /*isSigned=*/true, /*implicitTrunc=*/true);
  if (std::optional<DenseIntElementsAttr> cases = choice.getCaseValues())
    for (auto [index, value] : llvm::enumerate(cases->getValues<APInt>()))
      if (value == flag)
        return 1 + index;
  return 0;
}

SmallVector<Value, 2> ControlChoice::getYielded(OpResult result) const {
  SmallVector<Value, 2> values;
  for (Region &region : op->getRegions())
    values.push_back(
        region.front().getTerminator()->getOperand(result.getResultNumber()));
  return values;
}
