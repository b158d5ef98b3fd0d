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

std::vector<IndexNumbers::Term> IndexNumbers::getTerms(const LinearExpr &expr) {
  struct Sum : LinearSum<Sum, unsigned> {};
  Sum sum;
  sum.invalid = expr.invalid;
  for (auto [value, coefficient] : expr.terms)
    sum += Sum::getVariable(getNumber(value)) * coefficient;
  // What may be anything has terms of its own.
  if (sum.invalid)
    return {{next++, 1}};
  return {sum.terms.begin(), sum.terms.end()};
}

/// What `value` is computed from by functions of operands: other values, and
/// the results of ops without operands.
static SmallVector<Value> getLeaves(Value value) {
  SmallVector<Value> leaves, work = {value};
  DenseSet<Value> seen = {value};
  while (!work.empty()) {
    Value current = work.pop_back_val();
    Operation *op = current.getDefiningOp();
    if (!op || !isFunctionOfOperands(op) || op->getNumOperands() == 0) {
      leaves.push_back(current);
      continue;
    }
    for (Value operand : op->getOperands())
      if (seen.insert(operand).second)
        work.push_back(operand);
  }
  return leaves;
}

static bool isKernelArgument(Value value) {
  auto argument = dyn_cast<BlockArgument>(value);
  return argument && argument.getOwner()->isEntryBlock() &&
         isa<FunctionOpInterface>(argument.getOwner()->getParentOp());
}

bool mlir::memspace::isThreadConstant(Value value) {
  return llvm::all_of(getLeaves(value), [](Value leaf) {
    Operation *op = leaf.getDefiningOp();
    return isKernelArgument(leaf) || (op && isFunctionOfOperands(op));
  });
}

SmallVector<Value> mlir::memspace::getLoopArguments(Value value) {
  SmallVector<Value> arguments;
  for (Value leaf : getLeaves(value)) {
    Operation *op = leaf.getDefiningOp();
    if (isKernelArgument(leaf) || (op && op->hasTrait<OpTrait::ConstantLike>()))
      continue;
    if (op)
      return {};
    arguments.push_back(leaf);
  }
  return arguments;
}
