//===- ControlGuards.cpp - conditions on the first iteration, executed -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Where the end of a loop is not known, its counter is not followed. That the
/// counter is above its lower bound is known all the same: in each iteration
/// but the first.
///
//===----------------------------------------------------------------------===//

#include "ControlStates.h"
#include "Kernel/IntegerOps.h"
#include "LoopGuards.h"
#include "Threads/BranchLoop.h"
#include "Threads/ExecutionSystem.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace mlir::memspace;

void ControlStates::collectFirstGuards() {
  FunctionOpInterface kernel = context.getKernel();
  kernel->walk([&](scf::IfOp ifOp) {
    Value condition = ifOp.getCondition();
    CountedLoop loop = getLoopOfGuard(condition);
    if (!loop || !slice.isChosen(loop.getOperation()) ||
        uniformity.getScope(condition) > ExecutionScope::Workgroup)
      return;
    std::optional<bool> first = getValueIn(0, condition, loop);
    std::optional<bool> later = getValueAfterFirst(condition, loop);
    SmallVector<Value, 1> &guards = firstGuards[loop.getOperation()];
    if (first && later && *first != *later &&
        !llvm::is_contained(guards, condition))
      guards.push_back(condition);
  });
  kernel->walk(
      [&](cf::CondBranchOp branch) { addBlockGuard(branch.getCondition()); });
}

/// The blocks from which control comes back to `head`, which it has to pass
/// before.
static DenseSet<Block *> getBlocksBehind(Block *head,
                                         DominanceInfo &dominance) {
  DenseSet<Block *> blocks{head};
  SmallVector<Block *> pending{head};
  while (!pending.empty())
    for (Block *before : pending.pop_back_val()->getPredecessors())
      if (dominance.dominates(head, before) && blocks.insert(before).second)
        pending.push_back(before);
  return blocks;
}

/// Adds a comparison of the counter of a loop of blocks with the number that it
/// begins with.
void ControlStates::addBlockGuard(Value condition) {
  Operation *compare = condition.getDefiningOp();
  if (!compare || !getPredicate(compare) || guardedBlocks.contains(condition) ||
      uniformity.getScope(condition) > ExecutionScope::Workgroup)
    return;
  auto arg = dyn_cast<BlockArgument>(compare->getOperand(0));
  if (!arg || arg.getOwner()->isEntryBlock() ||
      !slice.isChosen(arg.getOwner()->getParentOp()))
    return;
  auto counter = ExecutionSystem::getCounter(arg);
  if (!counter || counter->step <= 0 ||
      !isEqualConstantIntOrValue(compare->getOperand(1), counter->first))
    return;
  std::optional<bool> later =
      getValueAbove(getConstantIntValue(counter->first), compare);
  if (!later)
    return;
  Block *head = arg.getOwner();
  if (counter->mayWrap) {
    // By one below its end it does not.
    auto loop = BranchLoop::get(head->getTerminator(), dominance);
    if (!loop || loop->counter != arg || loop->isUnsigned || loop->ahead != 0 ||
        counter->step != 1)
      return;
  }
  blockGuards[head].push_back({condition, arg, counter->first, *later});
  guardedBlocks[condition] = getBlocksBehind(head, dominance);
}

unsigned ControlStates::bindBlockGuards(unsigned state, Block *head,
                                        ValueRange args, ValueRange passed) {
  auto it = blockGuards.find(head);
  if (it == blockGuards.end())
    return state;
  for (const BlockGuard &guard : it->second) {
    std::optional<Binding> binding;
    for (auto [arg, value] : llvm::zip_first(args, passed))
      if (arg == guard.counter)
        binding =
            Binding{guard.condition.getAsOpaquePointer(), nullptr,
                    guard.later == (value != guard.first) ? -1 : 0, kNothing};
    state = bindAgain(state, guard.condition, binding);
  }
  return state;
}

unsigned ControlStates::bindFirstGuards(unsigned state, const CountedLoop &loop,
                                        bool isFirst) {
  auto it = firstGuards.find(loop.getOperation());
  if (it == firstGuards.end())
    return state;
  for (Value guard : it->second) {
    bool holds = *getValueAfterFirst(guard, loop) != isFirst;
    // As constants of one bit are numbers.
    state = bindAgain(
        state, guard,
        Binding{guard.getAsOpaquePointer(), nullptr, holds ? -1 : 0, kNothing});
  }
  return state;
}
