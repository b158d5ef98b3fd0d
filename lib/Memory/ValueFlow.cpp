//===- ValueFlow.cpp - what control flow makes a value equal to -----------===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MemSpace/Memory/ValueFlow.h"
#include "IR/MLIRVersion.h"
#include "MemSpace/Kernel/CountedLoop.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;
using namespace mlir::memspace;

void mlir::memspace::forEachPassedValue(
    RegionBranchOpInterface branch,
    llvm::function_ref<void(Value, Value, Operation *)> visit) {
  for (RegionBranchPoint point : branch.getAllRegionBranchPoints()) {
    auto terminator = cast_if_present<RegionBranchTerminatorOpInterface>(
        point.getTerminatorPredecessorOrNull());
    SmallVector<RegionSuccessor> successors;
    branch.getSuccessorRegions(point, successors);
    for (RegionSuccessor &successor : successors) {
      OperandRange operands = terminator
                                  ? terminator.getSuccessorOperands(successor)
                                  : branch.getEntrySuccessorOperands(successor);
      for (auto [from, to] :
           llvm::zip_first(operands, getSuccessorInputs(branch, successor)))
        visit(from, to, terminator);
    }
  }
}

/// What the branches to its block pass to `arg`.
static std::optional<SmallVector<Value>> getFromBlocks(BlockArgument arg) {
  SmallVector<Value> passed;
  Block *block = arg.getOwner();
  for (auto it = block->pred_begin(), end = block->pred_end(); it != end;
       ++it) {
    auto branch = dyn_cast<BranchOpInterface>((*it)->getTerminator());
    Value operand = branch ? branch.getSuccessorOperands(
                                 it.getSuccessorIndex())[arg.getArgNumber()]
                           : Value();
    // The branch itself makes the value.
    if (!operand)
      return std::nullopt;
    passed.push_back(operand);
  }
  if (passed.empty())
    return std::nullopt;
  return passed;
}

std::optional<SmallVector<Value>> mlir::memspace::getPassedValues(Value value) {
  Operation *op = value.getDefiningOp();
  if (auto arg = dyn_cast<BlockArgument>(value)) {
    if (!arg.getOwner()->isEntryBlock())
      return getFromBlocks(arg);
    op = arg.getOwner()->getParentOp();
  } else if (auto select = dyn_cast<SelectLikeOpInterface>(op)) {
    return SmallVector<Value>{select.getTrueValue(), select.getFalseValue()};
  }
  auto branch = dyn_cast_if_present<RegionBranchOpInterface>(op);
  if (!branch)
    return std::nullopt;
  SmallVector<Value> passed;
  forEachPassedValue(branch, [&](Value from, Value to, Operation *) {
    if (to == value)
      passed.push_back(from);
  });
  if (passed.empty())
    return std::nullopt;
  return passed;
}

/// What the carried value `number` of `loop` is after `trips` iterations, if
/// they only pass it on from outside.
static Value getAfter(const CountedLoop &loop, int64_t trips, unsigned number) {
  Block::BlockArgListType arguments = loop.getIterArgs();
  ValueRange yielded = loop.getYieldedValues();
  // Backwards from the end: as which value it was carried before.
  SmallVector<unsigned> carriedAs = {number};
  SmallVector<std::optional<unsigned>> seenAt(arguments.size());
  seenAt[number] = 0;
  while (int64_t(carriedAs.size()) <= trips) {
    Value source = yielded[carriedAs.back()];
    auto argument = dyn_cast<BlockArgument>(source);
    if (!loop.getOperation()->isProperAncestor(
            source.getParentBlock()->getParentOp()) &&
        source.getParentBlock() != loop.getBody())
      return source;
    if (!argument || argument.getOwner() != loop.getBody() ||
        argument == loop.getInductionVar())
      return {};
    unsigned before = argument.getArgNumber() - arguments[0].getArgNumber();
    if (std::optional<unsigned> first = seenAt[before]) {
      // From here on it goes in a circle.
      unsigned length = carriedAs.size() - *first;
      return loop.getInits()[carriedAs[*first + (trips - *first) % length]];
    }
    seenAt[before] = carriedAs.size();
    carriedAs.push_back(before);
  }
  return loop.getInits()[carriedAs.back()];
}

Value mlir::memspace::getFinalValue(OpResult result) {
  CountedLoop loop = CountedLoop::get(result.getOwner());
  if (!loop || loop.getOperation()->getNumResults() != loop.getInits().size())
    return {};
  std::optional<int64_t> trips = loop.getTripCount();
  return trips ? getAfter(loop, *trips, result.getResultNumber()) : Value();
}

SmallVector<Value> mlir::memspace::getPassedTo(OpOperand &use) {
  Operation *op = use.getOwner();
  if (auto select = dyn_cast<SelectLikeOpInterface>(op)) {
    if (use.get() == select.getCondition())
      return {};
    return {op->getResult(0)};
  }
  if (auto branch = dyn_cast<BranchOpInterface>(op)) {
    auto argument = branch.getSuccessorBlockArgument(use.getOperandNumber());
    return argument ? SmallVector<Value>{*argument} : SmallVector<Value>();
  }
  auto branch = dyn_cast<RegionBranchOpInterface>(op);
  if (!branch && op->hasTrait<OpTrait::IsTerminator>())
    branch = dyn_cast_or_null<RegionBranchOpInterface>(op->getParentOp());
  if (!branch)
    return {};
  RegionBranchSuccessorMapping mapping;
  branch.getSuccessorOperandInputMapping(mapping);
  auto it = mapping.find(&use);
  return it == mapping.end() ? SmallVector<Value>() : it->second;
}
