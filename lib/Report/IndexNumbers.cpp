//===- IndexNumbers.cpp - equal index expressions -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IndexNumbers.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace mlir::memspace;

/// An op that gives equal results for equal operands.
static bool isFunctionOfOperands(Operation *op) {
  return op->getNumRegions() == 0 && isMemoryEffectFree(op);
}

unsigned IndexNumbers::getNumber(Value value) {
  auto it = numbers.find(value);
  if (it != numbers.end())
    return it->second;
  Operation *op = value.getDefiningOp();
  if (!op || !isFunctionOfOperands(op))
    return numbers[value] = next++;
  std::vector<const void *> key = {
      op->getName().getAsOpaquePointer(),
      op->getAttrDictionary().getAsOpaquePointer(),
      value.getType().getAsOpaquePointer(),
      reinterpret_cast<const void *>(
          uintptr_t(cast<OpResult>(value).getResultNumber()))};
  for (Value operand : op->getOperands())
    key.push_back(
        reinterpret_cast<const void *>(uintptr_t(getNumber(operand))));
  auto [slot, isNew] = known.try_emplace(std::move(key), next);
  if (isNew)
    ++next;
  return numbers[value] = slot->second;
}

std::vector<int64_t> IndexNumbers::getTerms(const LinearExpr &expr) {
  std::map<unsigned, int64_t> sum;
  for (auto [value, coefficient] : expr.terms)
    sum[getNumber(value)] += coefficient;
  std::vector<int64_t> terms;
  for (auto [number, coefficient] : sum) {
    if (coefficient == 0)
      continue;
    terms.push_back(number);
    terms.push_back(coefficient);
  }
  return terms;
}

/// Calls `leaf` for each value that `value` is computed from by functions of
/// operands and that is not itself so computed. Stops when it returns false.
static bool visitLeaves(Value value, llvm::function_ref<bool(Value)> leaf) {
  SmallVector<Value> work = {value};
  DenseSet<Value> seen = {value};
  while (!work.empty()) {
    Value current = work.pop_back_val();
    Operation *op = current.getDefiningOp();
    if (!op || !isFunctionOfOperands(op)) {
      if (!leaf(current))
        return false;
      continue;
    }
    for (Value operand : op->getOperands())
      if (seen.insert(operand).second)
        work.push_back(operand);
  }
  return true;
}

bool mlir::memspace::isThreadConstant(Value value) {
  return visitLeaves(value, [](Value leaf) {
    auto argument = dyn_cast<BlockArgument>(leaf);
    return argument && argument.getOwner()->isEntryBlock() &&
           isa<FunctionOpInterface>(argument.getOwner()->getParentOp());
  });
}

void mlir::memspace::collectLoopArguments(Value value,
                                          DenseSet<Value> &arguments) {
  visitLeaves(value, [&](Value leaf) {
    auto argument = dyn_cast<BlockArgument>(leaf);
    if (argument &&
        !isa<FunctionOpInterface>(argument.getOwner()->getParentOp()))
      arguments.insert(leaf);
    return true;
  });
}
