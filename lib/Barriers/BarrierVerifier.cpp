//===- BarrierVerifier.cpp - is a kernel with barriers free of races? -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Threads that all come to a barrier have taken the same path to it, since only
// uniform conditions lie around it. So two accesses can be executed between the
// same two barriers only if a path leads from one to the other without one.
// Where threads take paths of their own, in divergent regions, every two
// accesses of one execution of the region may meet.
//
//===----------------------------------------------------------------------===//

#include "MemSpace/Barriers/BarrierVerifier.h"
#include "DirectPath.h"
#include "Hazards/AccessPairs.h"
#include "LoopGuards.h"
#include "MemSpace/Kernel/CountedLoop.h"
#include "MemSpace/Memory/Synchronization.h"
#include "OpenAccesses.h"
#include "VerifierPaths.h"
#include "VerifierStatePairs.h"
#include "VerifierThreadPairs.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/MapVector.h"
#include <set>
#include <unordered_set>

using namespace mlir;
using namespace mlir::memspace;

//===----------------------------------------------------------------------===//
// What a path does to an access
//===----------------------------------------------------------------------===//

namespace {
/// Threads that are asked which way they go.
constexpr int64_t kMaxThreads = 1024;

/// Groups beyond are not counted; only a wait for more of them would tell.
constexpr unsigned kMaxFlight = kCommitted + 8;

/// What a barrier orders against what follows it: threads of one subgroup, or
/// of the workgroup, in one memory.
enum Order : unsigned {
  kSubgroupInWorkgroupMemory = 1,
  kSubgroupInGlobalMemory = 2,
  kWorkgroupInWorkgroupMemory = 4,
  kWorkgroupInGlobalMemory = 8,
  kAllOrders = 15
};

class Verification {
public:
  Verification(const KernelContext &context, const VerifierLimits &limits);

  void run();

  std::vector<UncutHazard> hazards;
  SmallVector<DivergentBarrier> divergentBarriers;
  SmallVector<Operation *> unknownOps;
  bool complete = true;
  bool gaveUp = false;

private:
  void checkBarriers();
  bool partForCertain(const DivergentBarrier &divergent);
  bool spend();
  void checkUnknownOps();
  void checkSameOp();
  void checkWorkgroups();
  void checkDivergentRegions();
  void checkApart(Operation *region, ArrayRef<SmallVector<unsigned>> parts,
                  ExecutionScope scope);
  void followAll();
  bool mayMeet(unsigned first, unsigned second, unsigned ordered);
  bool isDone(unsigned access, const PathState &state);
  void follow(unsigned access);
  void follow(unsigned access, unsigned start);
  bool mayTake(const ProgramGraph::Edge &edge, PathState &state,
               const PathHistory &history) const;
  SmallVector<PathState> step(const PathState &from,
                              const PathHistory &history) const;
  bool pass(Operation *op, bool isUngrouped, PathState &state) const;
  bool isCommon(const CountedLoop &loop) const;
  void meet(unsigned first, unsigned firstKnown, unsigned second,
            const PathState &state, const PathHistory &history);

  Hazard getHazard(unsigned first, unsigned firstKnown, unsigned second,
                   unsigned secondKnown, Operation *carryingLoop,
                   IterationTiming timing = {});
  Hazard getHazardAtOnce(unsigned first, unsigned second);
  Operation *getDivergentRegion(Operation *first, Operation *second,
                                Operation *carryingLoop,
                                const Hazard &threads) const;
  void add(UncutHazard::Cause cause, unsigned first, unsigned second,
           Operation *carryingLoop, Hazard threads,
           Operation *region = nullptr);
  bool isCertain(const UncutHazard &hazard) const;

  KernelContext context;
  Operation *kernel;
  ThreadRelations relations;
  Uniformity uniformity;
  HazardAnalysis analysis;
  ArrayRef<MemoryAccess> accesses;
  ProgramGraph graph;
  PartedCycles partedCycles;
  VerifierThreadPairs addresses;
  VerifierStates states;
  VerifierStatePairs statePairs;
  /// Between whom the addresses of threads leave a hazard of two accesses.
  DenseMap<std::pair<unsigned, unsigned>, Hazard> meetings;
  VerifierLimits limits;
  uint64_t steps = 0;
  llvm::MapVector<Operation *, SmallVector<unsigned>> accessesOf;
  DenseSet<Operation *> wrongBarriers;
  std::set<std::tuple<Operation *, Operation *, bool>> known;
};
} // namespace

//===----------------------------------------------------------------------===//
// The kernel
//===----------------------------------------------------------------------===//

Verification::Verification(const KernelContext &context,
                           const VerifierLimits &limits)
    : context(context), kernel(context.getKernel()),
      relations(context, ThreadRelations::ControlFlow::IsKept),
      uniformity(context, relations),
      analysis(context, relations, AtomicOrder::None, limits.sharing),
      accesses(analysis.getAccesses()),
      graph(context,
            [&](Operation *op) {
              return isOnlySynchronization(op) ||
                     !analysis.getAccesses(op).empty();
            }),
      partedCycles(uniformity.getDivergentBranches(), graph),
      addresses(analysis), states(context, analysis, uniformity, graph),
      statePairs(analysis, uniformity, states.getKnown()), limits(limits) {
  kernel->walk([&](Operation *op) {
    if (isControlFlow(op) || isOnlySynchronization(op))
      return;
    SmallVector<unsigned> numbers = analysis.getAccesses(op);
    if (!numbers.empty())
      accessesOf[op] = std::move(numbers);
  });
}

/// Counts a step; false when it is one too many.
bool Verification::spend() {
  ++steps;
  if (limits.steps &&
      steps + analysis.getNumQuestions() * VerifierLimits::kStepsOfQuestion >
          limits.steps)
    gaveUp = true;
  complete &= !gaveUp;
  return complete;
}

void Verification::run() {
  checkBarriers();
  checkUnknownOps();
  checkSameOp();
  checkWorkgroups();
  checkDivergentRegions();
  followAll();
}

void Verification::add(UncutHazard::Cause cause, unsigned first,
                       unsigned second, Operation *carryingLoop, Hazard threads,
                       Operation *region) {
  const MemoryAccess &a = accesses[first], &b = accesses[second];
  if (!known.insert({a.op, b.op, carryingLoop != nullptr}).second)
    return;
  if (hazards.size() == limits.hazards) {
    complete = false;
    return;
  }
  UncutHazard &hazard = hazards.emplace_back(
      UncutHazard{cause, a, b, carryingLoop, threads, region});
  if (!threads)
    return;
  hazard.witness = analysis.getWitness(first, second, carryingLoop, threads);
  hazard.certain = isCertain(hazard);
}

void Verification::checkBarriers() {
  kernel->walk([&](Operation *op) {
    ExecutionScope scope = ExecutionScope::Workgroup;
    if (std::optional<Barrier> barrier = getBarrier(op))
      scope = barrier->scope;
    else if (isa<gpu::ShuffleOp, gpu::RotateOp, gpu::SubgroupBroadcastOp,
                 gpu::SubgroupReduceOp>(op))
      scope = ExecutionScope::Subgroup;
    else if (!isBarrierLike(op) && !isa<gpu::AllReduceOp>(op))
      return;
    Operation *cause = nullptr;
    if (uniformity.getReachScope(op, &cause) <= scope)
      return;
    divergentBarriers.push_back({op, scope, cause});
    divergentBarriers.back().certain = partForCertain(divergentBarriers.back());
    wrongBarriers.insert(op);
  });
}

/// Effects of an op with regions are those of what is in them, if it says so.
void Verification::checkUnknownOps() {
  kernel->walk([&](Operation *op) {
    if (isUnknownControlFlow(op))
      unknownOps.push_back(op);
  });
}

//===----------------------------------------------------------------------===//
// Pairs of accesses
//===----------------------------------------------------------------------===//

static HazardKind getKind(const MemoryAccess &first,
                          const MemoryAccess &second) {
  if (!first.writes)
    return HazardKind::WAR;
  return second.reads ? HazardKind::RAW : HazardKind::WAW;
}

/// True when all threads go through the iterations of `loop` together.
bool Verification::isCommon(const CountedLoop &loop) const {
  return uniformity.getReachScope(&loop.getBody()->front()) <=
         ExecutionScope::Workgroup;
}

/// Threads that are farther apart than the path says, in a loop of each
/// thread's own, are on a longer path, which no barrier ends.
Hazard Verification::getHazard(unsigned first, unsigned firstKnown,
                               unsigned second, unsigned secondKnown,
                               Operation *carryingLoop,
                               IterationTiming timing) {
  Hazard hazard = analysis.getHazard(first, second, carryingLoop, timing);
  if (!hazard)
    return hazard;
  // Whatever the iterations are.
  auto [it, isNew] = meetings.try_emplace({first, second});
  if (isNew)
    it->second = addresses.getOverlap(first, second);
  hazard.insideSubgroup &= it->second.insideSubgroup;
  hazard.acrossSubgroups &= it->second.acrossSubgroups;
  if (!hazard)
    return hazard;
  VerifierStatePairs::Answer answer =
      statePairs.ask(first, firstKnown, second, secondKnown, carryingLoop);
  hazard.insideSubgroup &= answer.subgroup;
  hazard.acrossSubgroups &= answer.subgroups;
  return hazard;
}

/// Of two accesses that threads may be at in one iteration of all loops around
/// both, whatever is known there.
Hazard Verification::getHazardAtOnce(unsigned first, unsigned second) {
  Hazard all;
  if (!analysis.getHazard(first, second, nullptr))
    return all;
  auto getKnown = [&](unsigned access) {
    return llvm::map_to_vector(
        states.getPoints(accesses[access].op),
        [&](unsigned point) { return states.getPoints()[point].known; });
  };
  states.getKnown().forEachCompatible(
      getKnown(first), getKnown(second), [&](unsigned mine, unsigned other) {
        Hazard hazard = getHazard(first, mine, second, other, nullptr);
        if (!hazard)
          return true;
        hazard.insideSubgroup |= all.insideSubgroup;
        hazard.acrossSubgroups |= all.acrossSubgroups;
        all = hazard;
        return !all.insideSubgroup || !all.acrossSubgroups;
      });
  return all;
}

/// Threads at one op at once: no barrier is between them.
void Verification::checkSameOp() {
  auto isSame = [&](Value value, ValueRange equal) {
    return uniformity.isSameWhere(value, equal);
  };
  for (auto &[op, numbers] : accessesOf)
    for (unsigned i = 0; i < numbers.size(); ++i)
      for (unsigned j = i; j < numbers.size(); ++j) {
        if (!spend())
          return;
        Hazard hazard = getHazardAtOnce(numbers[i], numbers[j]);
        // A collective access is one of the whole subgroup, not of each lane.
        if (i == j && accesses[numbers[i]].collective)
          hazard.insideSubgroup = false;
        if (hazard && !(limits.allowEqualStores && i == j &&
                        storesEqualValues(op, isSame)))
          add(UncutHazard::SameOp, numbers[i], numbers[j], nullptr, hazard);
      }
}

void Verification::checkWorkgroups() {
  for (WorkgroupHazard &found : analysis.getWorkgroupHazards()) {
    if (found.proof == HazardProof::Promised ||
        (limits.allowEqualStores && found.idempotent))
      continue;
    if (hazards.size() == limits.hazards) {
      complete = false;
      return;
    }
    UncutHazard &hazard = hazards.emplace_back(
        UncutHazard{UncutHazard::AcrossWorkgroups, accesses[found.first],
                    accesses[found.second]});
    hazard.threads.kind = getKind(hazard.first, hazard.second);
    hazard.witness = std::move(found.witness);
    hazard.certain = found.proof == HazardProof::Certain;
  }
}

//===----------------------------------------------------------------------===//
// What barriers order
//===----------------------------------------------------------------------===//

static unsigned getOrders(const Barrier &barrier) {
  bool isOfAll = barrier.scope == ExecutionScope::Workgroup;
  unsigned orders = 0;
  if (barrier.ordersWorkgroupMemory)
    orders |= kSubgroupInWorkgroupMemory |
              (isOfAll ? unsigned(kWorkgroupInWorkgroupMemory) : 0);
  if (barrier.ordersGlobalMemory)
    orders |= kSubgroupInGlobalMemory |
              (isOfAll ? unsigned(kWorkgroupInGlobalMemory) : 0);
  return orders;
}

/// Takes from `hazard` what is ordered.
static void cut(Hazard &hazard, unsigned ordered) {
  // Memory that nothing is known of may be either.
  bool isUnknown = !hazard.workgroupMemory && !hazard.globalMemory;
  auto isOrdered = [&](unsigned inWorkgroupMemory, unsigned inGlobalMemory) {
    return (!(hazard.workgroupMemory || isUnknown) ||
            (ordered & inWorkgroupMemory)) &&
           (!(hazard.globalMemory || isUnknown) || (ordered & inGlobalMemory));
  };
  if (isOrdered(kSubgroupInWorkgroupMemory, kSubgroupInGlobalMemory))
    hazard.insideSubgroup = false;
  if (isOrdered(kWorkgroupInWorkgroupMemory, kWorkgroupInGlobalMemory))
    hazard.acrossSubgroups = false;
}

//===----------------------------------------------------------------------===//
// Certainty
//===----------------------------------------------------------------------===//

/// True when the threads of the witness come to their accesses with nothing
/// between the two that could order them.
bool Verification::isCertain(const UncutHazard &hazard) const {
  if (!hazard.witness || !hazard.witness->certain)
    return false;
  bool isCopy = hazard.cause == UncutHazard::InFlight;
  auto mayOrder = [&](Operation *op) {
    return op
        ->walk([&](Operation *inner) {
          std::optional<Barrier> barrier = getBarrier(inner);
          Hazard left = hazard.threads;
          if (barrier)
            cut(left, getOrders(*barrier));
          bool orders =
              barrier && !isCopy
                  ? left.acrossSubgroups != hazard.threads.acrossSubgroups ||
                        left.insideSubgroup != hazard.threads.insideSubgroup
                  : isOnlySynchronization(inner) ||
                        isUnknownControlFlow(inner) ||
                        isa<CallOpInterface>(inner);
          return orders ? WalkResult::interrupt() : WalkResult::advance();
        })
        .wasInterrupted();
  };
  DirectPath path(context, hazard.witness->overlap, mayOrder);
  return path.exists(hazard.first.op, hazard.second.op, hazard.carryingLoop);
}

/// A number that differs between threads exactly where they part at `cause`;
/// none where it is not known.
static std::optional<int64_t> getChoice(OneThreadEvaluator &thread,
                                        const DivergentBarrier &divergent) {
  Operation *cause = divergent.cause;
  if (!cause || !thread.executes(cause))
    return std::nullopt;
  if (auto ifOp = dyn_cast<scf::IfOp>(cause))
    return thread.evaluate(ifOp.getCondition());
  CountedLoop loop = CountedLoop::get(cause);
  // What is deeper inside may be skipped in the iterations of some.
  if (!loop || loop.isUnsigned() || divergent.barrier->getParentOp() != cause)
    return std::nullopt;
  std::optional<int64_t> lower = thread.evaluateLower(loop);
  std::optional<int64_t> upper = thread.evaluateUpper(loop);
  std::optional<int64_t> step = thread.evaluateStep(loop);
  int64_t span;
  if (!lower || !upper || !step || *step <= 0 ||
      llvm::SubOverflow(*upper, *lower, span))
    return std::nullopt;
  return span <= 0 ? 0 : llvm::divideCeil(span, *step);
}

/// True when two threads of the group that the barrier is for are seen to go
/// different ways, in the first iterations of the first workgroup, and one of
/// the group comes to the barrier.
bool Verification::partForCertain(const DivergentBarrier &divergent) {
  const LaunchShape &shape = context.getShape();
  std::optional<int64_t> subgroupSize = context.getSubgroupSize();
  int64_t threads = std::min(context.getThreads(), kMaxThreads);
  if (divergent.scope == ExecutionScope::Subgroup)
    threads = std::min(threads, subgroupSize.value_or(1));
  std::optional<int64_t> choice;
  bool isReached = false, part = false;
  for (int64_t linear = 0; linear < threads && !(isReached && part); ++linear) {
    OverlapWitness::Side side;
    side.thread = {linear % shape.block[0],
                   linear / shape.block[0] % shape.block[1],
                   linear / shape.block[0] / shape.block[1]};
    side.block = {0, 0, 0};
    OneThreadEvaluator thread(context, side,
                              OneThreadEvaluator::Facts::Execution);
    std::optional<int64_t> next = getChoice(thread, divergent);
    if (!next)
      continue;
    part |= choice.value_or(*next) != *next;
    choice = next;
    isReached |= thread.executes(divergent.barrier);
  }
  return isReached && part;
}

//===----------------------------------------------------------------------===//
// Divergent regions
//===----------------------------------------------------------------------===//

/// Accesses of different `parts` have no path between them in one execution of
/// `region`, whose parts different threads may enter at once.
void Verification::checkApart(Operation *region,
                              ArrayRef<SmallVector<unsigned>> parts,
                              ExecutionScope scope) {
  for (unsigned i = 0; i < parts.size(); ++i)
    for (unsigned j = i + 1; j < parts.size(); ++j)
      for (unsigned first : parts[i])
        for (unsigned second : parts[j]) {
          if (!spend())
            return;
          Hazard hazard = getHazardAtOnce(first, second);
          // The lanes of a subgroup come together.
          if (scope == ExecutionScope::Subgroup)
            hazard.insideSubgroup = false;
          if (hazard)
            add(UncutHazard::Divergent, first, second, nullptr, hazard, region);
        }
}

void Verification::checkDivergentRegions() {
  kernel->walk([&](Operation *op) {
    if (!isControlFlow(op) && op != kernel)
      return;
    ExecutionScope control = uniformity.getEntryScope(op);
    if (op != kernel && control > ExecutionScope::Workgroup &&
        op->getNumRegions() > 1) {
      SmallVector<SmallVector<unsigned>> parts;
      for (Region &region : op->getRegions()) {
        SmallVector<unsigned> &part = parts.emplace_back();
        for (Operation &inner : region.getOps())
          llvm::append_range(part, analysis.getAccesses(&inner));
      }
      checkApart(op, parts, control);
    }
  });
  for (const DivergentBranch &branch : uniformity.getDivergentBranches()) {
    SmallVector<SmallVector<unsigned>> parts;
    for (Block *block : branch.blocks) {
      SmallVector<unsigned> &part = parts.emplace_back();
      for (Operation &inner : *block)
        llvm::append_range(part, analysis.getAccesses(&inner));
    }
    checkApart(branch.terminator, parts, branch.scope);
  }
}

/// The innermost op around both accesses, and around the carrying loop, that
/// threads do not enter together; null where they come together.
Operation *Verification::getDivergentRegion(Operation *first, Operation *second,
                                            Operation *carryingLoop,
                                            const Hazard &threads) const {
  ExecutionScope wanted = threads.acrossSubgroups ? ExecutionScope::Workgroup
                                                  : ExecutionScope::Subgroup;
  for (Operation *op = first->getParentOp(); op && op != kernel;
       op = op->getParentOp())
    if (op->isProperAncestor(second) &&
        (!carryingLoop || op->isAncestor(carryingLoop)) &&
        uniformity.getEntryScope(op) > wanted)
      return op;
  return nullptr;
}

//===----------------------------------------------------------------------===//
// Paths
//===----------------------------------------------------------------------===//

void Verification::meet(unsigned first, unsigned firstKnown, unsigned second,
                        const PathState &state, const PathHistory &history) {
  unsigned secondKnown = states.getPoints()[state.point].known;
  Operation *carryingLoop = history.getCarryingLoop(state).op;
  bool isInFlight = state.flight != kLanded;
  IterationTiming timing =
      history.getTiming(state, partedCycles, analysis.getBlockCircles());
  Hazard hazard =
      getHazard(first, firstKnown, second, secondKnown, carryingLoop, timing);
  cut(hazard, state.ordered);
  if (!hazard)
    hazard.kind = getKind(accesses[first], accesses[second]);
  auto mayMeetInOneThread = [&] {
    return analysis.mayOverlapInOneThread(first, second, carryingLoop,
                                          timing) &&
           statePairs.ask(first, firstKnown, second, secondKnown, carryingLoop)
               .oneThread;
  };
  if (isInFlight && (hazard || mayMeetInOneThread()))
    return add(UncutHazard::InFlight, first, second, carryingLoop, hazard);
  if (!hazard)
    return;
  Operation *region = getDivergentRegion(
      accesses[first].op, accesses[second].op, carryingLoop, hazard);
  add(region ? UncutHazard::Divergent : UncutHazard::NoBarrier, first, second,
      carryingLoop, hazard, region);
}

/// False where what the path knows of the iterations contradicts the
/// condition of `edge`; otherwise it learns from it.
bool Verification::mayTake(const ProgramGraph::Edge &edge, PathState &state,
                           const PathHistory &history) const {
  if (!edge.condition)
    return true;
  if (CountedLoop loop = getLoopOfGuard(edge.condition);
      loop && isCommon(loop) && !history.passGuard(edge, loop, state))
    return false;
  for (auto [depth, around] : llvm::enumerate(history.getLoops()))
    if (CountedLoop loop = CountedLoop::get(around.op))
      if (getValueBeforeLast(edge.condition, loop).value_or(edge.holds) !=
              edge.holds &&
          isCommon(loop))
        state.inLast = depth + 1;
  return true;
}

/// Where the path may be next.
SmallVector<PathState> Verification::step(const PathState &from,
                                          const PathHistory &history) const {
  SmallVector<PathState> successors;
  for (auto [target, plain] : states.getPoints()[from.point].next) {
    const ProgramGraph::Edge &edge = *plain;
    PathState next = from;
    next.point = target;
    if (!mayTake(edge, next, history) ||
        (edge.crosses && !history.repeat(edge, next)))
      continue;
    history.goAround(edge, next);
    if (!edge.leaves || history.leave(edge.leaves, next))
      successors.push_back(next);
  }
  return successors;
}

/// The path passes `op`, a barrier or a wait perhaps. False if all is ordered
/// behind it. `isUngrouped`: the access is a copy that no wait for groups
/// completes.
bool Verification::pass(Operation *op, bool isUngrouped,
                        PathState &state) const {
  std::optional<Barrier> barrier = getBarrier(op);
  // What is in flight arrives when it likes.
  if (barrier && state.flight == kLanded && !wrongBarriers.contains(op))
    state.ordered |= getOrders(*barrier);
  if (state.ordered == kAllOrders)
    return false;
  if (state.flight != kLanded && !isUngrouped && commitsAsyncCopies(op))
    state.flight = std::min(state.flight + 1, kMaxFlight);
  // A wait leaves the newest groups in flight, and what is in none.
  if (std::optional<unsigned> left = getGroupsLeftInFlight(op))
    if (state.flight >= kCommitted + *left)
      state.flight = kLanded;
  return true;
}

/// True when no thread that is not ordered can meet `access` any more, whatever
/// the states are.
bool Verification::isDone(unsigned access, const PathState &state) {
  // Few states are followed as fast.
  constexpr size_t kManyStates = 16;
  if (state.ordered == 0 || state.flight != kLanded ||
      states.getPoints(accesses[access].op).size() < kManyStates)
    return false;
  Hazard hazard = analysis.getMeetingWithAny(access);
  if (!statePairs.mayMeetAcrossSubgroups(access, states))
    hazard.acrossSubgroups = false;
  cut(hazard, state.ordered);
  return !hazard;
}

/// Follows `access` along all paths, as its thread goes on.
void Verification::follow(unsigned access) {
  for (unsigned start : states.getPoints(accesses[access].op))
    if (complete)
      follow(access, start);
}

void Verification::follow(unsigned access, unsigned begin) {
  ArrayRef<VerifierStates::Point> points = states.getPoints();
  Operation *source = accesses[access].op;
  PathHistory history(source, graph);
  std::unordered_set<PathState, PathStateHash> seen;
  SmallVector<PathState> work;
  auto leave = [&](const PathState &from) {
    for (const PathState &next : step(from, history))
      if (!points[next.point].isJoin || seen.insert(next).second)
        work.push_back(next);
  };
  PathState start{begin};
  bool isUngrouped = startsUngroupedCopy(source);
  if (isUngrouped || startsAsyncCopy(source))
    start.flight =
        !isUngrouped && commitsAsyncCopies(source) ? kCommitted : kBegun;
  leave(start);
  while (!work.empty() && spend()) {
    PathState state = work.pop_back_val();
    Operation *op = points[state.point].op;
    if ((op && !pass(op, isUngrouped, state)) || isDone(access, state))
      continue;
    if (auto it = accessesOf.find(op); op && it != accessesOf.end())
      for (unsigned other : it->second)
        if (spend())
          meet(access, points[begin].known, other, state, history);
    leave(state);
  }
}

/// True when two accesses may meet in some iterations in spite of `ordered`.
bool Verification::mayMeet(unsigned first, unsigned second, unsigned ordered) {
  Hazard hazard = analysis.getMeeting(first, second);
  cut(hazard, ordered);
  if (!hazard)
    return false;
  Hazard overlap = addresses.getOverlap(first, second);
  hazard.insideSubgroup &= overlap.insideSubgroup;
  hazard.acrossSubgroups &= overlap.acrossSubgroups;
  return bool(hazard);
}

void Verification::followAll() {
  auto getAccesses = [&](Operation *op) -> ArrayRef<unsigned> {
    auto it = accessesOf.find(op);
    return it == accessesOf.end() ? ArrayRef<unsigned>() : it->second;
  };
  auto getOrdersOf = [&](Operation *op) {
    std::optional<Barrier> barrier = getBarrier(op);
    return barrier && !wrongBarriers.contains(op) ? getOrders(*barrier) : 0;
  };
  auto startsCopy = [](Operation *op) {
    return startsAsyncCopy(op) || startsUngroupedCopy(op);
  };
  auto mayMeetSo = [&](unsigned first, unsigned second, unsigned ordered) {
    return mayMeet(first, second, ordered);
  };
  auto mayMeetAny = [&](unsigned access, unsigned ordered) {
    Hazard hazard = analysis.getMeetingWithAny(access);
    cut(hazard, ordered);
    return bool(hazard);
  };
  auto spendOne = [&] { return spend(); };
  SmallVector<unsigned> open = findOpenAccesses(
      analysis, graph, kAllOrders,
      {getAccesses, getOrdersOf, startsCopy, mayMeetSo, mayMeetAny, spendOne});
  for (unsigned access : open)
    if (complete && accessesOf.contains(accesses[access].op))
      follow(access);
}

BarrierVerifier::BarrierVerifier(const KernelContext &context,
                                 const VerifierLimits &limits) {
  Verification verification(context, limits);
  verification.run();
  hazards = std::move(verification.hazards);
  divergentBarriers = std::move(verification.divergentBarriers);
  unknownOps = std::move(verification.unknownOps);
  complete = verification.complete;
  gaveUp = verification.gaveUp;
}

bool BarrierVerifier::hasCertain() const {
  auto isCertain = [](const auto &found) { return found.certain; };
  return llvm::any_of(hazards, isCertain) ||
         llvm::any_of(divergentBarriers, isCertain);
}
