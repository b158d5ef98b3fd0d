//===- FirstGuards.cpp - conditions on the first iteration ----------------===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FirstGuards.h"
#include "Kernel/IntegerOps.h"
#include "LoopGuards.h"
#include "Threads/BranchLoop.h"
#include "Threads/ExecutionSystem.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::memspace;

/// True when the counter is the number that it begins with in the first
/// iteration only, and not below it in any: it does not wrap around. Of indices
/// that is not expected.
static bool isAboveLowerAfterFirst(const BranchLoop &loop) {
  if (loop.isUnsigned || loop.ahead != 0)
    return false;
  Type type = loop.counter.getType();
  if (loop.step == 1 || type.isIndex())
    return true;
  std::optional<int64_t> upper = getConstantIntValue(loop.upper);
  int64_t most;
  return upper && !llvm::AddOverflow(*upper, loop.step - 1, most) &&
         llvm::isIntN(type.getIntOrFloatBitWidth(), most);
}

/// What `compare` says in the first iteration, where it is the opposite in all
/// others.
static std::optional<bool> getValueInFirst(Operation *compare,
                                           const BranchLoop &loop) {
  if (compare->getOperand(0) != loop.counter ||
      !isEqualConstantIntOrValue(compare->getOperand(1), loop.lower) ||
      !isAboveLowerAfterFirst(loop))
    return std::nullopt;
  std::optional<bool> later =
      getValueAbove(getConstantIntValue(loop.lower), compare);
  return later ? std::optional(!*later) : std::nullopt;
}

/// What counts in indices, which do not wrap, however its loop ends.
static std::optional<BranchLoop> getEndlessLoop(Value number) {
  auto arg = dyn_cast<BlockArgument>(number);
  if (!arg || !arg.getType().isIndex() || arg.getOwner()->isEntryBlock())
    return std::nullopt;
  auto counter = ExecutionSystem::getCounter(arg);
  if (!counter || counter->step <= 0)
    return std::nullopt;
  BranchLoop loop{};
  loop.counter = arg;
  loop.lower = counter->first;
  loop.step = counter->step;
  return loop;
}

/// The blocks of the loop that begins with `head`.
static DenseSet<Block *> findBlocks(Block *head, DominanceInfo &dominance) {
  DenseSet<Block *> blocks;
  SmallVector<Block *> work = {head};
  while (!work.empty())
    for (Block *from : work.pop_back_val()->getPredecessors())
      if (dominance.dominates(head, from) && blocks.insert(from).second)
        work.push_back(from);
  return blocks;
}

FirstGuards::FirstGuards(FunctionOpInterface kernel,
                         const Uniformity &uniformity,
                         DominanceInfo &dominance) {
  DenseSet<Value> seen;
  kernel->walk([&](scf::IfOp ifOp) {
    Value condition = ifOp.getCondition();
    CountedLoop loop = getLoopOfGuard(condition);
    if (loop && getValueIn(0, condition, loop) &&
        getValueAfterFirst(condition, loop) &&
        uniformity.getScope(condition) <= ExecutionScope::Workgroup &&
        seen.insert(condition).second)
      structured[loop.getOperation()].push_back(condition);
  });
  addBlockLoops(kernel, uniformity, dominance);
}

void FirstGuards::addBlockLoops(FunctionOpInterface kernel,
                                const Uniformity &uniformity,
                                DominanceInfo &dominance) {
  SmallVector<cf::CondBranchOp> branches;
  kernel->walk([&](cf::CondBranchOp branch) { branches.push_back(branch); });
  DenseMap<Value, BranchLoop> counters;
  for (cf::CondBranchOp branch : branches)
    if (std::optional<BranchLoop> loop = BranchLoop::get(branch, dominance))
      counters.try_emplace(loop->counter, *loop);
  for (cf::CondBranchOp branch : branches) {
    Value condition = branch.getCondition();
    Operation *compare = condition.getDefiningOp();
    if (!compare || !getPredicate(compare) || headOf.contains(condition))
      continue;
    std::optional<BranchLoop> loopOf = getEndlessLoop(compare->getOperand(0));
    auto it = counters.find(compare->getOperand(0));
    if (!loopOf && it != counters.end())
      loopOf = it->second;
    if (!loopOf)
      continue;
    const BranchLoop &counted = *loopOf;
    std::optional<bool> inFirst = getValueInFirst(compare, counted);
    Block *head = counted.counter.getOwner();
    if (!inFirst || compare->getBlock()->getParent() != head->getParent() ||
        uniformity.getScope(condition) > ExecutionScope::Workgroup)
      continue;
    BlockLoop &loop = blockLoops[head];
    if (loop.counter && loop.counter != counted.counter)
      continue;
    loop.counter = counted.counter;
    loop.lower = counted.lower;
    loop.guards.push_back({condition, *inFirst});
    headOf[condition] = head;
  }
  for (auto &[head, loop] : blockLoops)
    loop.blocks = findBlocks(head, dominance);
}

void FirstGuards::forEachBegun(
    const ProgramGraph::Edge &edge,
    llvm::function_ref<void(Value, std::optional<bool>)> set) const {
  bool isEntered = edge.way == ProgramGraph::Edge::Enter;
  if (isEntered || edge.way == ProgramGraph::Edge::Repeat)
    for (Value guard : structured.lookup(edge.of))
      set(guard,
          *getValueAfterFirst(guard, CountedLoop::get(edge.of)) != isEntered);
  auto it = edge.block ? blockLoops.find(edge.block) : blockLoops.end();
  if (it == blockLoops.end())
    return;
  // What is passed from an iteration to the next one is more than the counter.
  const BlockLoop &loop = it->second;
  std::optional<bool> isFirst;
  for (auto [to, from] : llvm::zip_first(edge.to, edge.from))
    if (to == loop.counter)
      isFirst = from == loop.lower;
  for (const Guard &guard : loop.guards)
    set(guard.condition,
        isFirst ? std::optional(guard.inFirst == *isFirst) : std::nullopt);
}

bool FirstGuards::isKept(Value condition,
                         const ProgramGraph::Edge &edge) const {
  if (edge.block) {
    Block *head = headOf.lookup(condition);
    return head && blockLoops.find(head)->second.blocks.contains(edge.block);
  }
  auto it = structured.find(edge.of);
  return it != structured.end() && llvm::is_contained(it->second, condition);
}
