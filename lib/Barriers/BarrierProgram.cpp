//===- BarrierProgram.cpp - a kernel as a program for placement -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BarrierProgram.h"
#include "BlockWeights.h"
#include "GuardShares.h"
#include "Kernel/ControlChoice.h"
#include "LoopGuards.h"
#include "MemSpace/IR/MemSpaceDialect.h"
#include "mlir/Analysis/CFGLoopInfo.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "llvm/ADT/SmallBitVector.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::memspace;
using placement::kNone;

/// Kinds of iterations, each with a copy of the loop.
static constexpr unsigned kKinds = 4;
/// Copies of one op by the kinds of all loops around it.
static constexpr unsigned kMaxCopies = 64;
/// A program of so many nodes tells no kinds of further loops.
static constexpr size_t kMaxNodes = 1 << 15;
/// A loop of so many iterations has a copy for each, where kinds are told.
static constexpr int64_t kMaxUnrolled = 32;

static placement::Orders getOrders(const Barrier &barrier) {
  placement::Orders orders = 0;
  if (barrier.ordersWorkgroupMemory)
    orders |= placement::kInWorkgroupMemory;
  if (barrier.ordersGlobalMemory)
    orders |= placement::kInGlobalMemory;
  if (barrier.scope == ExecutionScope::Subgroup)
    orders &= placement::kSubgroupOrders;
  return orders;
}

/// The orders that hazards of `access` may need, by the memories that it may be
/// in.
static placement::Orders getRelevantOrders(const MemoryAccess &access) {
  if (access.bases.empty())
    return placement::kAllOrders;
  placement::Orders orders = 0;
  for (const MemoryBase &base : access.bases) {
    if (base.maybeWorkgroup)
      orders |= placement::kInWorkgroupMemory;
    if (base.maybeGlobal)
      orders |= placement::kInGlobalMemory;
  }
  return orders;
}

BarrierProgram::BarrierProgram(const KernelContext &kernel,
                               const HazardAnalysis &hazards,
                               const Uniformity &uniformity,
                               ControlStates &states, PlacementMode mode,
                               Kinds told)
    : hazards(hazards), uniformity(uniformity), states(states),
      shape(kernel.getShape()), hasOneSubgroup(kernel.getSubgroups() == 1),
      mode(mode), told(told) {
  Context context;
  Exits first = {program.addNode(kNone)};
  Strands strands;
  for (unsigned entry : states.getEntries())
    addTo(strands, entry, first);
  Region &body = kernel.getKernel().getFunctionBody();
  if (body.hasOneBlock()) {
    build(body.front(), context, std::move(strands));
    return;
  }
  for (const Strand &strand : strands) {
    continueFrom(strand);
    build(body, context);
  }
}

ExecutionScope BarrierProgram::getScope(unsigned slot, unsigned choice) const {
  placement::Orders orders = program.getNodes()[slot].choices[choice].orders;
  return orders & ~placement::kSubgroupOrders ? ExecutionScope::Workgroup
                                              : ExecutionScope::Subgroup;
}

//===----------------------------------------------------------------------===//
// Nodes
//===----------------------------------------------------------------------===//

void BarrierProgram::connect(unsigned node, unsigned crosses) {
  for (unsigned from : exits)
    program.addEdge(from, node, crosses);
  exits = {node};
}

unsigned BarrierProgram::addJoin(const Context &context) {
  unsigned node = program.addNode(context.loop);
  connect(node);
  return node;
}

unsigned BarrierProgram::addLoop(const Loop &loop, unsigned parent,
                                 unsigned behind) {
  loops.push_back(loop);
  return program.addLoop(parent, behind);
}

BarrierProgram::Context BarrierProgram::enterLoop(Operation *op,
                                                  const Context &context) {
  Context inside = context;
  inside.loop = addLoop({op, /*circle=*/nullptr}, context.loop);
  inside.kinds = Any;
  return inside;
}

std::optional<unsigned> BarrierProgram::getSuccessor(unsigned slot) const {
  auto it = slotSuccessors.find(slot);
  return it == slotSuccessors.end() ? std::nullopt : std::optional(it->second);
}

void BarrierProgram::addSlot(Operation *before, const Context &context,
                             std::optional<unsigned> successor) {
  if (mode == PlacementMode::Eliminate ||
      context.level > ExecutionScope::Subgroup)
    return;
  SmallVector<placement::Choice, 2> choices;
  // A workgroup of one subgroup needs no second kind.
  if (context.level == ExecutionScope::Subgroup || !hasOneSubgroup)
    choices.push_back({placement::kSubgroupOrders, {0, context.weight, 1}});
  if (context.level <= ExecutionScope::Workgroup)
    choices.push_back({placement::kAllOrders, {context.weight, 0, 1}});
  addSlot(before, context, choices, successor);
}

/// The slot of `op`, or another one of a terminator with accesses.
void BarrierProgram::addSlot(Operation *op, const Context &context,
                             ArrayRef<placement::Choice> choices,
                             std::optional<unsigned> successor) {
  // A slot of the same op just before this one is another slot, and so are
  // those behind it.
  bool isSecond = exits.size() == 1 && slotOps.lookup(exits.front()) == op;
  unsigned place = successor ? *successor + 2 : unsigned(isSecond);
  auto [it, isNew] = slots.try_emplace({op, context.kinds | place << 5});
  unsigned slot = isNew
                      ? program.addSlot(context.loop, choices)
                      : program.addSlotAgain(context.loop, it->second, choices);
  if (isNew) {
    it->second = slot;
    slotKinds[slot] = context.kinds;
    unsigned common = commons.try_emplace({op, place}, slot).first->second;
    commonSlots[slot] = common;
    slotsOf[common].push_back(slot);
  }
  slotOps[slot] = op;
  if (successor)
    slotSuccessors[slot] = *successor;
  connect(slot);
}

void BarrierProgram::addBarrier(Operation *op, const Barrier &barrier,
                                const Context &context) {
  placement::Orders orders = getOrders(barrier);
  // One that orders nothing is there for something that we do not know.
  if (mode == PlacementMode::Insert || !orders || op->hasAttr(kKeepAttr))
    return connect(program.addBarrier(context.loop, orders));
  placement::Cost cost{0, 0, 1};
  (barrier.scope == ExecutionScope::Workgroup ? cost.workgroup
                                              : cost.subgroup) = context.weight;
  addSlot(op, context, {{orders, cost}});
}

void BarrierProgram::addAccesses(Operation *op, const Context &context) {
  SmallVector<unsigned> numbers = hazards.getAccesses(op);
  if (numbers.empty())
    return;
  addSlot(op, context);
  SmallVector<placement::Access> added;
  for (unsigned number : numbers) {
    const MemoryAccess &access = hazards.getAccesses()[number];
    placement::Access result;
    result.writes = access.writes;
    result.relevant = getRelevantOrders(access);
    unsigned bucket = hazards.getBucket(number);
    result.bucket = bucket == HazardAnalysis::kAnyBucket ? kNone : bucket;
    result.inFlight = access.asynchronous;
    added.push_back(result);
    accesses.push_back(number);
    accessStates.push_back(state);
  }
  connect(program.addAccesses(context.loop, added));
}

//===----------------------------------------------------------------------===//
// Blocks
//===----------------------------------------------------------------------===//

void BarrierProgram::addTo(Strands &strands, unsigned state,
                           ArrayRef<unsigned> exits) {
  for (Strand &strand : strands)
    if (strand.state == state) {
      strand.exits.append(exits.begin(), exits.end());
      return;
    }
  strands.push_back({state, Exits(exits)});
}

void BarrierProgram::continueFrom(const Strand &strand) {
  state = strand.state;
  exits = strand.exits;
}

void BarrierProgram::continueFrom(const Strands &strands) {
  exits.clear();
  for (const Strand &strand : strands)
    exits.append(strand.exits);
}

BarrierProgram::Strands BarrierProgram::build(Region &region,
                                              const Context &context) {
  if (region.hasOneBlock())
    return build(region.front(), context, getStrand());
  if (!region.empty())
    buildBlocks(region, context);
  return getStrand();
}

BarrierProgram::Strands
BarrierProgram::build(Block &block, const Context &context, Strands strands) {
  for (Operation &op : block) {
    // Nothing comes behind a loop that never ends.
    if (strands.empty())
      break;
    Context own = context;
    own.weight = std::max<int64_t>(context.weight / strands.size(), 1);
    Strands next;
    for (const Strand &strand : strands) {
      continueFrom(strand);
      for (const Strand &behind : build(&op, own))
        addTo(next, behind.state, behind.exits);
    }
    auto ends = llvm::map_to_vector(
        next, [](const Strand &strand) { return strand.state; });
    if (std::optional<unsigned> common = states.meetIfTooMany(ends)) {
      continueFrom(next);
      next = {{*common, exits}};
    }
    strands = std::move(next);
  }
  return strands;
}

BarrierProgram::Strands BarrierProgram::build(Operation *op,
                                              const Context &context) {
  if (commitsAsyncCopies(op)) {
    if (startsAsyncCopy(op))
      addAccesses(op, context);
    connect(program.addCommit(context.loop));
    return getStrand();
  }
  if (std::optional<unsigned> groups = getGroupsLeftInFlight(op)) {
    addSlot(op, context);
    connect(program.addWait(context.loop, *groups));
    return getStrand();
  }
  if (std::optional<Barrier> barrier = getBarrier(op)) {
    addBarrier(op, *barrier, context);
    return getStrand();
  }
  if (op->hasTrait<OpTrait::IsTerminator>())
    addSlot(op, context);
  if (!isControlFlow(op)) {
    addAccesses(op, context);
    return getStrand();
  }

  ExecutionScope control = uniformity.getEntryScope(op);
  addSlot(op, context);
  Context inside = context;
  inside.level = std::max(context.level, control);
  if (const ControlStates::Execution *execution = states.execute(op, state))
    return buildExecution(op, *execution, inside);
  unsigned outer = state = states.forget(op, state);
  if (CountedLoop loop = CountedLoop::get(op))
    buildCounted(loop, inside);
  else if (auto loop = dyn_cast<scf::WhileOp>(op))
    buildWhile(loop, inside);
  else if (!mayRepeatRegions(op, shape))
    buildBranches(cast<RegionBranchOpInterface>(op), inside,
                  control > ExecutionScope::Workgroup);
  else
    buildUnknown(op, inside);
  state = outer;
  return getStrand();
}

//===----------------------------------------------------------------------===//
// Structured control flow
//===----------------------------------------------------------------------===//

/// One of the regions runs, once, or none.
void BarrierProgram::buildBranches(RegionBranchOpInterface op,
                                   const Context &context, bool isDivergent) {
  Context inside = context;
  SmallVector<Region *> regions;
  for (Region &region : op->getRegions())
    if (!region.empty())
      regions.push_back(&region);
  SmallVector<RegionSuccessor> successors;
  op.getSuccessorRegions(RegionBranchPoint::parent(), successors);
  if (ControlChoice choice = ControlChoice::get(op))
    if (std::optional<int64_t> number =
            states.evaluate(choice.getDecider(), state)) {
      Region *chosen = &op->getRegion(choice.getWay(*number));
      llvm::erase_if(regions, [&](Region *region) { return region != chosen; });
      llvm::erase_if(successors, [&](RegionSuccessor &successor) {
        return successor.getSuccessor() != (regions.empty() ? nullptr : chosen);
      });
    }
  // Of a forall, too: a workgroup may have no iteration.
  bool maySkip = isa<scf::ForallOp>(op) ||
                 llvm::any_of(successors, [](RegionSuccessor &successor) {
                   return !successor.getSuccessor();
                 });
  unsigned outer = state;
  if (regions.size() == 1 && !maySkip)
    return continueFrom(build(*regions.front(), inside));
  inside.weight =
      std::max<int64_t>(context.weight / int64_t(regions.size() + maySkip), 1);
  // Kinds of iterations are told apart already.
  auto ifOp = dyn_cast<scf::IfOp>(op.getOperation());
  std::optional<GuardShare> share =
      ifOp && context.kinds == Any
          ? getGuardShare(ifOp.getCondition(), dominance)
          : std::nullopt;
  Exits before = exits, after;
  if (maySkip)
    after = before;
  for (Region *region : regions) {
    exits = before;
    state = outer;
    if (share)
      inside.weight =
          share->take(context.weight, region == &ifOp.getThenRegion());
    addJoin(inside);
    continueFrom(build(*region, inside));
    after.append(exits);
    if (isDivergent)
      before.append(exits);
  }
  exits = after;
  addJoin(context);
}

void BarrierProgram::buildCounted(const CountedLoop &loop,
                                  const Context &context) {
  std::optional<int64_t> trips = loop.getTripCount();
  if (trips.value_or(2) > 1 && tellsKinds(loop.getOperation(), context)) {
    // One iteration that follows itself.
    ControlStates::Execution execution;
    ControlStates::Iteration &iteration = execution.iterations.emplace_back();
    iteration.begin = state;
    ControlStates::End &end = iteration.ends.emplace_back();
    end.state = end.left = state;
    end.mayLeave = true;
    end.next = 0;
    iteration.count = trips;
    execution.entries = {0};
    execution.maySkip = !trips;
    execution.skipped = state;
    return continueFrom(
        buildKinds(loop.getOperation(), execution, trips, context));
  }
  Exits before = exits;
  Context inside = enterLoop(loop.getOperation(), context);
  inside.weight = multiplyWeight(context.weight,
                                 trips.value_or(PlacementCosts::kUnknownTrips));
  unsigned head = addJoin(inside);
  continueFrom(build(*loop.getBody(), inside, getStrand()));
  Exits left = exits;
  if (!trips || *trips > 1)
    connect(head, inside.loop);
  exits = left;
  if (!trips || *trips == 0)
    exits.append(before);
  addJoin(context);
}

void BarrierProgram::buildWhile(scf::WhileOp loop, const Context &context) {
  Context inside = enterLoop(loop, context);
  inside.weight = multiplyWeight(context.weight, PlacementCosts::kUnknownTrips);
  unsigned head = addJoin(inside), outer = state;
  continueFrom(build(loop.getBefore(), inside));
  Exits left = exits;
  // Once less often.
  inside.weight = std::max<int64_t>(inside.weight - context.weight, 1);
  state = outer;
  continueFrom(build(loop.getAfter(), inside));
  connect(head, inside.loop);
  exits = left;
  addJoin(context);
}

/// True if the iterations of `loop` are told apart by their kinds. With loops
/// in each other that multiplies the program.
bool BarrierProgram::tellsKinds(Operation *loop, const Context &context) {
  auto forOp = dyn_cast<scf::ForOp>(loop);
  if (told == Kinds::None || !forOp || forOp.getUnsignedCmp() ||
      context.level > ExecutionScope::Subgroup ||
      !isNextExact(CountedLoop::get(loop)))
    return false;
  if (context.copies * kKinds <= kMaxCopies &&
      program.getNodes().size() <= kMaxNodes)
    return true;
  isTooLong = true;
  return false;
}

/// The kinds that share the slots of `kind`.
unsigned BarrierProgram::getGroup(unsigned kind) const {
  unsigned group = told == Kinds::FirstAndOthers  ? First | Only
                   : told == Kinds::LastAndOthers ? Last | Only
                                                  : kind;
  return group & kind ? group : (First | Inner | Last | Only) & ~group;
}

/// Behind a loop.
BarrierProgram::Strands BarrierProgram::leave(Strands strands,
                                              const Context &context) {
  for (Strand &strand : strands) {
    continueFrom(strand);
    addJoin(context);
    strand.exits = exits;
  }
  return strands;
}

/// Where an iteration has come to in `state`. What is followed no more since
/// the loop was executed may have come to any of its ends.
template <typename EndT>
static SmallVector<const EndT *, 1> getEnds(ArrayRef<EndT> ends,
                                            unsigned state) {
  SmallVector<const EndT *, 1> result;
  for (const EndT &end : ends)
    if (end.state == state)
      return {&end};
  for (const EndT &end : ends)
    result.push_back(&end);
  return result;
}

/// A loop of which each iteration is there by the kinds that it may be of.
/// `trips`: of all iterations together, if that is known.
BarrierProgram::Strands BarrierProgram::buildKinds(
    Operation *loop, const ControlStates::Execution &execution,
    std::optional<int64_t> trips, const Context &context) {
  ArrayRef<ControlStates::Iteration> iterations = execution.iterations;
  Strands after;
  if (execution.maySkip)
    addTo(after, execution.skipped, exits);
  Context inside = enterLoop(loop, context);
  inside.copies = context.copies * kKinds;
  int64_t share =
      llvm::divideCeil(execution.trips.value_or(PlacementCosts::kUnknownTrips),
                       std::max<int64_t>(execution.iterations.size(), 1));
  std::map<std::pair<unsigned, unsigned>, unsigned> heads;
  SmallVector<std::pair<unsigned, unsigned>> work;
  auto getHead = [&](unsigned number, unsigned kind) {
    auto [it, isNew] = heads.try_emplace({number, kind});
    if (isNew) {
      it->second = program.addNode(inside.loop);
      work.push_back({number, kind});
    }
    return it->second;
  };
  // To iteration `number`, from one of kind `from`; 0: from before the loop.
  auto goTo = [&](unsigned number, unsigned from, const Exits &nodes) {
    auto connectTo = [&](unsigned kind) {
      unsigned head = getHead(number, kind);
      for (unsigned node : nodes)
        program.addEdge(node, head, from ? inside.loop : kNone);
    };
    int64_t least = trips.value_or(1);
    if (iterations[number].mayLeave() && !(least > 1 && !from) &&
        !(least > 2 && from == First))
      connectTo(from ? Last : Only);
    if (iterations[number].mayRepeat() && !(trips == 2 && from))
      connectTo(from ? Inner : First);
  };
  Exits before = exits;
  for (unsigned entry : execution.entries)
    goTo(entry, 0, before);
  while (!work.empty()) {
    auto [number, kind] = work.pop_back_val();
    const ControlStates::Iteration &iteration = iterations[number];
    bool isEntry = llvm::is_contained(execution.entries, number);
    int64_t inner =
        iteration.count.value_or(share) - isEntry - iteration.mayLeave();
    inside.kinds = getGroup(kind);
    // One that is not executed with the others, or not at all, costs little.
    bool isElse =
        kind == Inner ? inner <= 0 : kind == Only && iteration.mayRepeat();
    inside.weight =
        isElse ? 1 : multiplyWeight(context.weight, kind == Inner ? inner : 1);
    exits = {heads[{number, kind}]};
    state = iteration.begin;
    for (const Strand &strand : build(loop->getRegion(0), inside))
      for (const ControlStates::End *end :
           getEnds(ArrayRef(iteration.ends), strand.state)) {
        bool isLast = kind == Last || kind == Only;
        if (isLast && end->mayLeave)
          addTo(after, end->left, strand.exits);
        else if (!isLast && end->next != ControlStates::kNone)
          goTo(end->next, kind, strand.exits);
      }
  }
  return leave(std::move(after), context);
}

/// All iterations of an execution one after the other, where some of the
/// `trips` have the same state.
static ControlStates::Execution
unroll(const ControlStates::Execution &execution, int64_t trips) {
  ControlStates::Execution unrolled = execution;
  unrolled.iterations.clear();
  unsigned number = execution.entries.empty() ? ControlStates::kNone
                                              : execution.entries.front();
  for (int64_t i = 0; i < trips && number != ControlStates::kNone; ++i) {
    ControlStates::Iteration &added =
        unrolled.iterations.emplace_back(execution.iterations[number]);
    ControlStates::End &end = added.ends.front();
    number = std::exchange(end.next, i + 1);
    end.mayLeave = false;
    added.count = 1;
  }
  if (!unrolled.iterations.empty()) {
    ControlStates::End &last = unrolled.iterations.back().ends.front();
    last.next = ControlStates::kNone;
    last.mayLeave = true;
    unrolled.entries = {0};
  }
  return unrolled;
}

/// All iterations but those before the first that comes again.
static llvm::SmallBitVector
findRepeated(const ControlStates::Execution &execution) {
  unsigned n = execution.iterations.size();
  SmallVector<SmallVector<unsigned, 2>> next(n);
  SmallVector<unsigned> numBefore(n, 0), work;
  for (auto [number, iteration] : llvm::enumerate(execution.iterations)) {
    auto add = [&, from = number](unsigned to) {
      if (to == ControlStates::kNone)
        return;
      next[from].push_back(to);
      ++numBefore[to];
    };
    for (const ControlStates::End &end : iteration.ends) {
      add(end.next);
      for (const ControlStates::Repeat &repeat : end.repeats)
        add(repeat.next);
    }
  }
  // What is left when all that nothing leads to is gone.
  llvm::SmallBitVector repeated(n, true);
  for (unsigned i = 0; i < n; ++i)
    if (numBefore[i] == 0)
      work.push_back(i);
  while (!work.empty()) {
    unsigned number = work.pop_back_val();
    repeated.reset(number);
    for (unsigned to : next[number])
      if (--numBefore[to] == 0)
        work.push_back(to);
  }
  return repeated;
}

/// A loop whose iterations are told apart by their states.
BarrierProgram::Strands
BarrierProgram::buildExecution(Operation *loop,
                               const ControlStates::Execution &execution,
                               const Context &context) {
  if (tellsKinds(loop, context)) {
    std::optional<int64_t> trips = 0;
    for (const ControlStates::Iteration &iteration : execution.iterations)
      trips = trips && iteration.count
                  ? std::optional<int64_t>(*trips + *iteration.count)
                  : std::nullopt;
    return buildKinds(
        loop,
        trips && *trips <= kMaxUnrolled ? unroll(execution, *trips) : execution,
        trips, context);
  }
  Strands after;
  if (execution.maySkip)
    addTo(after, execution.skipped, exits);
  Context inside = enterLoop(loop, context);
  // What is not known to the end is executed as often as any such loop, and
  // what does not come again once.
  llvm::SmallBitVector comesAgain = findRepeated(execution);
  int64_t numRepeated = comesAgain.count();
  int64_t numOnce = execution.iterations.size() - numRepeated;
  int64_t share = llvm::divideCeil(
      std::max<int64_t>(
          execution.trips.value_or(PlacementCosts::kUnknownTrips) - numOnce, 1),
      std::max<int64_t>(numRepeated, 1));
  // In one of those in which it may be left it is, or where nothing follows.
  bool isLeftAtEnd = false;
  int64_t numLeaving = 0;
  for (const ControlStates::Iteration &iteration : execution.iterations) {
    numLeaving += iteration.mayLeave();
    isLeftAtEnd |= iteration.mayLeave() && !iteration.mayRepeat();
  }
  SmallVector<unsigned> heads;
  for (unsigned i = 0; i < execution.iterations.size(); ++i)
    heads.push_back(program.addNode(inside.loop));
  for (unsigned entry : execution.entries)
    for (unsigned from : exits)
      program.addEdge(from, heads[entry]);
  auto repeat = [&](unsigned next, const Strand &strand) {
    if (next != ControlStates::kNone)
      for (unsigned from : strand.exits)
        program.addEdge(from, heads[next], inside.loop);
  };
  auto whileOp = dyn_cast<scf::WhileOp>(loop);
  for (auto [number, iteration] : llvm::enumerate(execution.iterations)) {
    exits = {heads[number]};
    inside.weight = multiplyWeight(
        context.weight,
        iteration.count.value_or(comesAgain.test(number) ? share : 1));
    state = iteration.begin;
    // Of an `scf.while` the second region follows.
    Strands ends = build(loop->getRegion(0), inside);
    if (iteration.mayLeave() && !iteration.count && !isLeftAtEnd)
      inside.weight =
          std::max<int64_t>(inside.weight - context.weight / numLeaving, 1);
    if (ends.empty())
      continue;
    inside.weight = std::max<int64_t>(inside.weight / ends.size(), 1);
    for (const Strand &strand : ends)
      for (const ControlStates::End *end :
           getEnds(ArrayRef(iteration.ends), strand.state)) {
        if (end->mayLeave)
          addTo(after, end->left, strand.exits);
        repeat(end->next, strand);
        if (!whileOp || end->repeats.empty())
          continue;
        exits = strand.exits;
        state = end->after;
        for (const Strand &last : build(whileOp.getAfter(), inside))
          for (const ControlStates::Repeat *to :
               getEnds(ArrayRef(end->repeats), last.state))
            repeat(to->next, last);
      }
  }
  return leave(std::move(after), context);
}

/// Regions that may run in any order, any number of times.
void BarrierProgram::buildUnknown(Operation *op, const Context &context) {
  Context inside = enterLoop(op, context);
  inside.weight = multiplyWeight(context.weight, PlacementCosts::kUnknownTrips);
  unsigned head = addJoin(inside), outer = state;
  for (Region &region : op->getRegions()) {
    exits = {head};
    state = outer;
    continueFrom(build(region, inside));
    connect(head, inside.loop);
  }
  exits = {head};
  addJoin(context);
}
