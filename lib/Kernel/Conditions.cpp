//===- Conditions.cpp - conditions that are made of others ----------------===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Conditions.h"
#include "ChainDepth.h"
#include "ControlChoice.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/DenseSet.h"

using namespace mlir;
using namespace mlir::memspace;

using Fact = std::pair<Value, bool>;

/// `chooser` ? `then` : `otherwise`, where one side is the other truth value
/// than `holds`: it was not chosen.
static SmallVector<Fact> splitChoice(Value chooser, Value then, Value otherwise,
                                     bool holds) {
  Attribute opposite = BoolAttr::get(chooser.getContext(), !holds);
  auto isOpposite = [&](Value value) {
    Attribute constant;
    return matchPattern(value, m_Constant(&constant)) && constant == opposite;
  };
  if (isOpposite(otherwise))
    return {{then, holds}, {chooser, true}};
  if (isOpposite(then))
    return {{otherwise, holds}, {chooser, false}};
  return {};
}

static SmallVector<Fact> split(OpResult condition, bool holds) {
  Operation *op = condition.getOwner();
  if (isa<arith::AndIOp>(op) == holds && isa<arith::AndIOp, arith::OrIOp>(op))
    return {{op->getOperand(1), holds}, {op->getOperand(0), holds}};
  if (isa<arith::XOrIOp>(op) && (matchPattern(op->getOperand(1), m_One()) ||
                                 matchPattern(op->getOperand(1), m_NonZero())))
    return {{op->getOperand(0), !holds}};
  if (auto select = dyn_cast<arith::SelectOp>(op))
    return splitChoice(select.getCondition(), select.getTrueValue(),
                       select.getFalseValue(), holds);
  if (auto ifOp = dyn_cast<scf::IfOp>(op)) {
    SmallVector<Value, 2> sides = ControlChoice::get(op).getYielded(condition);
    return splitChoice(ifOp.getCondition(), sides[0], sides[1], holds);
  }
  return {};
}

void mlir::memspace::forEachFact(Value condition, bool holds,
                                 llvm::function_ref<void(Value, bool)> visit) {
  SmallVector<Fact> facts{{condition, holds}};
  llvm::DenseSet<Value> seen;
  while (!facts.empty() && seen.size() < kMaxChainDepth) {
    Fact fact = facts.pop_back_val();
    if (!fact.first.getType().isInteger(1) || !seen.insert(fact.first).second)
      continue;
    visit(fact.first, fact.second);
    if (auto result = dyn_cast<OpResult>(fact.first))
      llvm::append_range(facts, split(result, fact.second));
  }
}
