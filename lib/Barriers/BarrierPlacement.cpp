//===- BarrierPlacement.cpp - the barriers that a kernel needs -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MemSpace/Barriers/BarrierPlacement.h"
#include "BarrierQuery.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/AsmState.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"

using namespace mlir;
using namespace mlir::memspace;

// A barrier of the workgroup orders subgroups, too.
placement::Orders mlir::memspace::getHazardOrders(const Hazard &hazard) {
  // Both, although a barrier of the workgroup gives both: with more known of
  // the iterations one of them may be left.
  placement::Orders orders = 0;
  if (hazard.acrossSubgroups)
    orders |= placement::kAllOrders & ~placement::kSubgroupOrders;
  if (hazard.insideSubgroup)
    orders |= placement::kSubgroupOrders;
  // Memory that nothing is known of may be either.
  if (!hazard.workgroupMemory && hazard.globalMemory)
    orders &= ~placement::kInWorkgroupMemory;
  if (!hazard.globalMemory && hazard.workgroupMemory)
    orders &= ~placement::kInGlobalMemory;
  return orders;
}

/// For each try to guard barriers, whose result is not needed. Random kernels
/// take 130,000 at most, and one in some thousands a hundred times as much.
static constexpr int64_t kMaxGuardWork = 2'000'000;
/// For a program with states. Textbook kernels take 25,000; with copies in
/// flight that nobody waits for, thousands of states take minutes.
static constexpr int64_t kMaxStateWork = 4'000'000;

static placement::Placement
place(BarrierQuery &facts, PlacementMode mode,
      int64_t maxWork = placement::PlacementOptions().maxWork) {
  auto query = [&](unsigned first, unsigned second, unsigned carryingLoop,
                   placement::PathTiming timing) {
    return facts.getOrders(first, second, carryingLoop, timing);
  };
  auto getMost = [&](unsigned first, unsigned second) {
    return facts.getMostOrders(first, second);
  };
  auto getMostOf = [&](unsigned access) {
    return facts.getMostOrdersOf(access);
  };
  placement::PlacementOptions options;
  options.everyPathCut = mode == PlacementMode::Insert;
  options.getMostOrders = getMost;
  options.getMostOrdersOf = getMostOf;
  options.maxWork = maxWork;
  return placement::place(facts.getProgram().getProgram(), query, options);
}

static HazardPath getPath(const BarrierProgram &program,
                          const placement::PathHazard &hazard) {
  return {program.getAccess(hazard.first), program.getAccess(hazard.second),
          program.getLoop(hazard.carryingLoop)};
}

//===----------------------------------------------------------------------===//
// Guards
//===----------------------------------------------------------------------===//

/// The kinds of iterations in which a barrier under `guard` is executed.
static unsigned getKinds(IterationGuard guard) {
  switch (guard) {
  case IterationGuard::First:
    return BarrierProgram::First | BarrierProgram::Only;
  case IterationGuard::Last:
    return BarrierProgram::Last | BarrierProgram::Only;
  case IterationGuard::Inner:
    return BarrierProgram::Inner;
  case IterationGuard::NotFirst:
    return BarrierProgram::Inner | BarrierProgram::Last;
  case IterationGuard::NotLast:
    return BarrierProgram::First | BarrierProgram::Inner;
  case IterationGuard::None:
    return ~0u;
  }
  llvm_unreachable("unknown guard");
}

/// The guard that executes a barrier least often of those that do so in the
/// iterations of `kinds`, of `all` that there are.
static IterationGuard getGuard(unsigned kinds, unsigned all) {
  if (kinds != all)
    for (IterationGuard guard :
         {IterationGuard::First, IterationGuard::Last, IterationGuard::Inner,
          IterationGuard::NotFirst, IterationGuard::NotLast})
      if (!(kinds & ~getKinds(guard)))
        return guard;
  return IterationGuard::None;
}

/// A block between a branch and one of its successors.
static Block *splitEdge(Operation *branch, unsigned successor) {
  Block *from = branch->getBlock(), *to = branch->getSuccessor(successor);
  OpBuilder builder(branch);
  Block *edge =
      builder.createBlock(from->getParent(), std::next(from->getIterator()));
  SuccessorOperands operands =
      cast<BranchOpInterface>(branch).getSuccessorOperands(successor);
  cf::BranchOp::create(builder, branch->getLoc(), to,
                       operands.getForwardedOperands());
  operands.erase(0, operands.size());
  branch->setSuccessor(edge, successor);
  return edge;
}

OpBuilder NeededBarrier::getBuilder() const {
  if (successor)
    return OpBuilder::atBlockBegin(splitEdge(op, *successor));
  OpBuilder builder(op);
  if (guard == IterationGuard::None)
    return builder;
  auto loop = op->getParentOfType<scf::ForOp>();
  Location loc = op->getLoc();
  using Predicate = arith::CmpIPredicate;
  // The verifier knows these comparisons.
  auto enter = [&](Predicate predicate, Value a, Value b) {
    Value holds = arith::CmpIOp::create(builder, loc, predicate, a, b);
    auto ifOp =
        scf::IfOp::create(builder, loc, holds, /*withElseRegion=*/false);
    builder.setInsertionPointToStart(ifOp.thenBlock());
  };
  if (guard == IterationGuard::First)
    enter(Predicate::eq, loop.getInductionVar(), loop.getLowerBound());
  if (guard == IterationGuard::NotFirst || guard == IterationGuard::Inner)
    enter(Predicate::ne, loop.getInductionVar(), loop.getLowerBound());
  if (guard != IterationGuard::First && guard != IterationGuard::NotFirst) {
    Value next = arith::AddIOp::create(builder, loc, loop.getInductionVar(),
                                       loop.getStep());
    enter(guard == IterationGuard::Last ? Predicate::sge : Predicate::slt, next,
          loop.getUpperBound());
  }
  return builder;
}

/// Puts the barriers of all kinds of iterations together. They cost more than
/// the result says where no guard means just the kinds that were chosen.
static std::vector<NeededBarrier> getNeeded(const BarrierProgram &program,
                                            const placement::Placement &result,
                                            placement::Cost &cost) {
  std::vector<NeededBarrier> needed;
  std::map<std::tuple<unsigned, ExecutionScope>, unsigned> numbers;
  // Of each its choice, and the kinds of its iterations.
  SmallVector<std::pair<unsigned, unsigned>> choices;
  SmallVector<ArrayRef<unsigned>> slots;
  for (const placement::PlacedBarrier &barrier : result.barriers) {
    ExecutionScope scope = program.getScope(barrier.slot, barrier.choice);
    auto [it, isNew] = numbers.try_emplace(
        {program.getCommonSlot(barrier.slot), scope}, needed.size());
    if (isNew) {
      NeededBarrier &added = needed.emplace_back();
      added.op = program.getOp(barrier.slot);
      added.successor = program.getSuccessor(barrier.slot);
      added.scope = scope;
      added.cuts = getPath(program, barrier.cuts);
      choices.push_back({barrier.choice, 0});
      slots.push_back(program.getSlots(barrier.slot));
    }
    choices[it->second].second |= program.getKinds(barrier.slot);
  }
  cost = {};
  for (unsigned i = 0; i < needed.size(); ++i) {
    auto [choice, kinds] = choices[i];
    unsigned all = 0;
    for (unsigned slot : slots[i])
      all |= program.getKinds(slot);
    needed[i].guard = getGuard(kinds, all);
    for (unsigned slot : slots[i])
      if (program.getKinds(slot) & getKinds(needed[i].guard))
        cost += program.getProgram().getChoices(slot)[choice].cost;
    cost.placed += 1 - int64_t(llvm::count_if(slots[i], [&](unsigned slot) {
                     return program.getKinds(slot) & getKinds(needed[i].guard);
                   }));
  }
  return needed;
}

BarrierPlacement::BarrierPlacement(const KernelContext &context, Mode mode,
                                   bool allowsGuards)
    : relations(context, ThreadRelations::ControlFlow::IsKept),
      uniformity(context, relations),
      // What a barrier of the kernel orders stays ordered, atomics as well.
      hazards(context, relations,
              mode == Mode::Eliminate ? AtomicOrder::All
                                      : AtomicOrder::Updates) {
  auto getQuery = [&] {
    return std::make_unique<BarrierQuery>(context, hazards, uniformity, mode,
                                          BarrierProgram::Kinds::None,
                                          /*tables=*/nullptr, withStates);
  };
  std::unique_ptr<BarrierQuery> facts = getQuery();
  placement::Placement result =
      place(*facts, mode,
            facts->followsStates() ? kMaxStateWork
                                   : placement::PlacementOptions().maxWork);
  if (result.isGivenUp) {
    withStates = false;
    facts = getQuery();
    result = place(*facts, mode);
  }
  const BarrierProgram &program = facts->getProgram();
  needed = getNeeded(program, result, cost);
  optimal = result.isOptimal && facts->isComplete();
  for (const placement::UncutHazard &hazard : result.uncut) {
    UnsynchronizableHazard &added = unsynchronizable.emplace_back();
    static_cast<HazardPath &>(added) = getPath(program, hazard);
    added.inFlight = hazard.inFlight;
  }
  if (mode == Mode::Insert) {
    if (allowsGuards && !needed.empty())
      guard(context);
    return;
  }
  DenseSet<unsigned> taken;
  for (const placement::PlacedBarrier &barrier : result.barriers)
    taken.insert(barrier.slot);
  DenseMap<unsigned, const placement::CoveredChoice *> covered;
  for (const placement::CoveredChoice &choice : result.covered)
    covered.try_emplace(choice.slot, &choice);
  for (auto [number, node] : llvm::enumerate(program.getProgram().getNodes())) {
    // Once for each slot.
    if (node.choices.empty() || taken.contains(number))
      continue;
    RedundantBarrier &added = redundant.emplace_back();
    added.op = program.getOp(number);
    if (const placement::CoveredChoice *choice = covered.lookup(number)) {
      added.hazard = getPath(program, choice->hazard);
      added.coveredBy = needed[choice->coveredBy].op;
    }
  }
}

/// Guards barriers, where fewer are executed so.
void BarrierPlacement::guard(const KernelContext &context) {
  auto getExecuted = [](const placement::Cost &cost) {
    return std::tie(cost.workgroup, cost.subgroup);
  };
  using Kinds = BarrierProgram::Kinds;
  for (Kinds told : {Kinds::All, Kinds::FirstAndOthers, Kinds::LastAndOthers}) {
    BarrierQuery facts(context, hazards, uniformity, Mode::Insert, told,
                       /*tables=*/nullptr, withStates);
    placement::Placement result = place(facts, Mode::Insert, kMaxGuardWork);
    if (result.isGivenUp) {
      optimal = false;
      continue;
    }
    placement::Cost guardedCost;
    std::vector<NeededBarrier> guarded =
        getNeeded(facts.getProgram(), result, guardedCost);
    optimal &= result.isOptimal && facts.isComplete();
    if (getExecuted(guardedCost) < getExecuted(cost)) {
      needed = std::move(guarded);
      cost = guardedCost;
    }
    // No guard means just what was asked for.
    if (getExecuted(result.cost) < getExecuted(guardedCost))
      continue;
    break;
  }
}

std::string BarrierPlacement::describe(const HazardPath &path) const {
  AsmState names(hazards.getAccesses()[path.first].op->getContext());
  return describe(path, names);
}

std::string BarrierPlacement::describe(const HazardPath &path,
                                       AsmState &names) const {
  const MemoryAccess &a = hazards.getAccesses()[path.first];
  const MemoryAccess &b = hazards.getAccesses()[path.second];
  std::string text;
  llvm::raw_string_ostream os(text);
  // Whatever the memory, the kind is that of the two accesses.
  os << stringifyHazardKind(
            hazards.getHazard(path.first, path.second, path.carryingLoop).kind)
     << " on ";
  if (Value memref = b.memref ? b.memref : a.memref)
    memref.getType().print(os, names);
  else
    os << "any memory";
  os << ": '" << a.op->getName() << "' at ";
  a.op->getLoc()->print(os, names);
  os << ", '" << b.op->getName() << "' at ";
  b.op->getLoc()->print(os, names);
  return text;
}
