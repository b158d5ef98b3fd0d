//===- ExecutionGuards.cpp - what has to hold for a block to execute ------===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ExecutionGuards.h"
#include "Kernel/IntegerOps.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;
using namespace mlir::memspace;

namespace {
/// value <= limit, or, if it is a lower bound, value >= limit.
struct Bound {
  Value value;
  bool isLower;
  int64_t limit;

  bool isSameKind(const Bound &other) const {
    return value == other.value && isLower == other.isLower;
  }
  bool implies(const Bound &other) const {
    return isLower ? limit >= other.limit : limit <= other.limit;
  }
};
} // namespace

static std::optional<Bound> getBound(const ExecutionGuards::Guard &guard) {
  using Predicate = arith::CmpIPredicate;
  Operation *compare =
      guard.condition ? guard.condition.getDefiningOp() : nullptr;
  std::optional<Predicate> predicate =
      compare ? getPredicate(compare) : std::nullopt;
  if (!predicate || compare->getOperand(0).getType().isInteger(1))
    return std::nullopt;
  std::optional<int64_t> limit = getConstantIntValue(compare->getOperand(1));
  // Affine forms hold these.
  constexpr int64_t kMost = int64_t(1) << 40;
  if (!limit || *limit < -kMost || *limit > kMost)
    return std::nullopt;
  Value value = compare->getOperand(0);
  switch (guard.holds ? *predicate : arith::invertPredicate(*predicate)) {
  case Predicate::slt:
    return Bound{value, /*isLower=*/false, *limit - 1};
  case Predicate::sle:
    return Bound{value, /*isLower=*/false, *limit};
  case Predicate::sgt:
    return Bound{value, /*isLower=*/true, *limit + 1};
  case Predicate::sge:
    return Bound{value, /*isLower=*/true, *limit};
  default:
    return std::nullopt;
  }
}

void ExecutionGuards::add(List &list, const Guard &guard) {
  if (std::optional<Bound> bound = getBound(guard))
    for (Guard &known : list.guards) {
      std::optional<Bound> other = getBound(known);
      if (!other || !other->isSameKind(*bound))
        continue;
      if (bound->implies(*other))
        known = guard;
      return;
    }
  list.guards.push_back(guard);
}

/// What is so in `block`, which is entered from `from` only.
static std::optional<ExecutionGuards::Guard> getGuard(Block *block,
                                                      Block *from) {
  Operation *end = from->getTerminator();
  if (auto branch = dyn_cast<cf::CondBranchOp>(end))
    return ExecutionGuards::Guard{branch.getCondition(),
                                  block == branch.getTrueDest(), nullptr,
                                  /*isOfBranch=*/true};
  auto choice = dyn_cast<cf::SwitchOp>(end);
  if (!choice || block == choice.getDefaultDestination() ||
      choice.getFlag().getType().isInteger(1))
    return std::nullopt;
  SuccessorRange cases = choice.getCaseDestinations();
  auto number = std::distance(cases.begin(), llvm::find(cases, block));
  APInt value = *(choice.getCaseValues()->value_begin<APInt>() + number);
  if (value.getSignificantBits() > 64)
    return std::nullopt;
  return ExecutionGuards::Guard{Value(),
                                false,
                                nullptr,
                                /*isOfBranch=*/true,
                                choice.getFlag(),
                                value.getSExtValue()};
}

/// True if one edge leads from `from` to `block`, and all others come from what
/// lies behind `block`: it may be the head of a loop.
static bool isEnteredFrom(Block *block, Block *from, DominanceInfo &dominance) {
  return llvm::count(from->getSuccessors(), block) == 1 &&
         llvm::all_of(block->getPredecessors(), [&](Block *other) {
           return other == from || dominance.dominates(block, other);
         });
}

/// The block that all ways to `block` lead through last, or the one around it,
/// and what the branch between the two tells; null outside of the kernel. What
/// has to hold for that block to execute held the last time it did, and no
/// value that decides it has been computed again since.
Block *ExecutionGuards::getOuter(Block *block, std::optional<Guard> &guard) {
  guard.reset();
  if (!block->isEntryBlock()) {
    Block *from = block->getSinglePredecessor();
    bool isOnly = from != nullptr;
    if (!from) {
      if (!dominance)
        dominance.emplace();
      auto *node = dominance->getDomTree(block->getParent()).getNode(block);
      from = node && node->getIDom() ? node->getIDom()->getBlock() : nullptr;
      isOnly = from && isEnteredFrom(block, from, *dominance);
    }
    if (isOnly)
      guard = getGuard(block, from);
    if (from)
      return from;
  }
  Operation *parent = block->getParentOp();
  if (!parent || isa<FunctionOpInterface>(parent))
    return nullptr;
  if (auto ifOp = dyn_cast<scf::IfOp>(parent))
    guard = {ifOp.getCondition(), block->getParent() == &ifOp.getThenRegion(),
             nullptr};
  else if (!block->empty())
    guard = {Value(), false, &block->front()};
  return parent->getBlock();
}

const ExecutionGuards::List &ExecutionGuards::get(Block *block) {
  // More are in a list of their own, which is not copied.
  constexpr size_t kMaxCopied = 64;
  SmallVector<std::pair<Block *, std::optional<Guard>>> unknown;
  // Blocks that nothing leads to may lead to each other.
  llvm::SmallPtrSet<Block *, 8> seen;
  Block *outer = block;
  while (outer && !lists.contains(outer)) {
    if (!seen.insert(outer).second) {
      outer = nullptr;
      break;
    }
    std::optional<Guard> guard;
    Block *next = getOuter(outer, guard);
    unknown.emplace_back(outer, guard);
    outer = next;
  }
  const List *known = outer ? lists.find(outer)->second.get() : nullptr;
  for (const auto &[inner, guard] : llvm::reverse(unknown)) {
    auto list = std::make_unique<List>();
    if (known && known->guards.size() < kMaxCopied)
      *list = *known;
    else
      list->outer = known;
    // Behind many loops the conditions that have ended them tell little.
    constexpr unsigned kMaxBranches = 16;
    if (!inner->getSinglePredecessor()) {
      auto isOfBranch = [](const Guard &known) { return known.isOfBranch; };
      size_t branches = llvm::count_if(list->guards, isOfBranch);
      llvm::erase_if(list->guards, [&](const Guard &known) {
        return known.isOfBranch && branches-- > kMaxBranches;
      });
    }
    if (guard)
      add(*list, *guard);
    known = list.get();
    lists[inner] = std::move(list);
  }
  return *known;
}

void ExecutionGuards::forEach(Block *block,
                              llvm::function_ref<void(const Guard &)> visit) {
  for (const List *list = &get(block); list; list = list->outer)
    for (const Guard &guard : llvm::reverse(list->guards))
      visit(guard);
}

const BranchLoop *ExecutionGuards::getLoop(BlockArgument counter) {
  auto [it, isNew] = loops.try_emplace(counter);
  if (isNew) {
    if (!dominance)
      dominance.emplace();
    Block *head = counter.getOwner();
    // Its condition stands in the first block or in the last one.
    SmallVector<Operation *> decisions{head->getParentOp()};
    if (!head->isEntryBlock()) {
      decisions = {head->getTerminator()};
      for (Block *from : head->getPredecessors())
        decisions.push_back(from->getTerminator());
    }
    for (Operation *decision : decisions)
      if (std::optional<BranchLoop> loop =
              BranchLoop::get(decision, *dominance);
          loop && loop->counter == counter)
        it->second = loop;
  }
  return it->second ? &*it->second : nullptr;
}
