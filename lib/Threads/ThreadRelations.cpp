//===- ThreadRelations.cpp - can two accesses meet? -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MemSpace/Threads/ThreadRelations.h"
#include "BranchLoop.h"
#include "ExecutionSystem.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "llvm/Support/MathExtras.h"
#include <unordered_map>

using namespace mlir;
using namespace mlir::memspace;

/// offset + stride · k with 0 <= k < size, for a fresh k.
static LinearForm addElement(ExecutionSystem &executions,
                             const IndexRange &range, unsigned side) {
  LinearForm offset = executions.translate(range.offset, side);
  AffineSystem &system = executions.getSystem();
  auto addExtent = [&](const LinearExpr &extent, int64_t stride) {
    LinearForm size = executions.translate(extent, side);
    if (size.isConstant() && size.constant == 1)
      return;
    Interval interval{0, system.getInterval(size).upper};
    if (interval.upper)
      --*interval.upper;
    LinearForm k = system.addColumn(interval);
    if (!size.isConstant())
      system.addInequality(size - LinearForm(1) - k);
    offset += k * stride;
  };
  addExtent(*range.size, range.stride);
  for (const auto &[size, stride] : range.extents)
    addExtent(size, stride);
  return offset;
}

bool ThreadRelations::mayOverlap(const ElementAccess &a, const ElementAccess &b,
                                 ExecutionPair pair, Operation *scope) const {
  return mayOverlap(a, b, pair, scope, nullptr).front();
}

bool ThreadRelations::mayOverlap(const ElementAccess &a, const ElementAccess &b,
                                 ExecutionPair pair, Block *instance) const {
  return mayOverlap(a, b, pair, nullptr, instance).front();
}

/// "Different" is a choice: one of these is not zero.
static SmallVector<LinearForm> getDistances(ExecutionSystem &executions,
                                            ExecutionPair pair,
                                            Operation *scope) {
  SmallVector<LinearForm> distances;
  switch (pair) {
  case ExecutionPair::SameThread:
  case ExecutionPair::SameSubgroup:
    break;
  case ExecutionPair::DifferentThreads:
  case ExecutionPair::DifferentLanes:
    distances.push_back(executions.getLinearThreadId(0) -
                        executions.getLinearThreadId(1));
    break;
  case ExecutionPair::DifferentSubgroups:
    distances.push_back(executions.getSubgroupId(0) -
                        executions.getSubgroupId(1));
    break;
  case ExecutionPair::DifferentWorkgroups:
    if (auto left = executions.getOpaqueLinearBlockId(0),
        right = executions.getOpaqueLinearBlockId(1);
        left && right) {
      distances.push_back(*left - *right);
      break;
    }
    for (unsigned dim = 0; dim < 3; ++dim)
      distances.push_back(executions.getBlockId(dim, 0) -
                          executions.getBlockId(dim, 1));
    break;
  case ExecutionPair::DifferentIterations:
    for (Value iv : cast<scf::ForallOp>(scope).getInductionVars())
      distances.push_back(executions.translate(iv, 0) -
                          executions.translate(iv, 1));
    break;
  }
  return distances;
}

/// Adds both executions and the equality of what they touch.
static void addAccesses(ExecutionSystem &executions, const ElementAccess &a,
                        const ElementAccess &b) {
  if (a.op)
    executions.addExecution(a.op, 0);
  if (b.op)
    executions.addExecution(b.op, 1);
  if (!a.ranges || !b.ranges || a.ranges->size() != b.ranges->size())
    return;
  for (auto [left, right] : llvm::zip(*a.ranges, *b.ranges))
    if (left.size && right.size)
      executions.getSystem().addEquality(addElement(executions, left, 0) -
                                         addElement(executions, right, 1));
}

/// Without subgroups any two threads may be lanes of one, or of two.
static ExecutionPair widen(ExecutionPair pair, const KernelContext &context) {
  bool isOfSubgroups = pair == ExecutionPair::DifferentLanes ||
                       pair == ExecutionPair::DifferentSubgroups;
  return isOfSubgroups && !context.getSubgroupSize()
             ? ExecutionPair::DifferentThreads
             : pair;
}

namespace {
/// How two executions are related: all of `zeros` are, and one of `distances`
/// is not, where `isDifferent`.
struct Relation {
  SmallVector<LinearForm, 4> zeros;
  SmallVector<LinearForm> distances;
  bool isDifferent = true;
};
} // namespace

static Relation getRelation(ExecutionSystem &executions, ExecutionPair pair,
                            Operation *scope, const KernelContext &context) {
  pair = widen(pair, context);
  Relation relation;
  relation.distances = getDistances(executions, pair, scope);
  if (context.getSubgroupSize() && (pair == ExecutionPair::DifferentLanes ||
                                    pair == ExecutionPair::SameSubgroup))
    relation.zeros.push_back(executions.getSubgroupId(0) -
                             executions.getSubgroupId(1));
  if (pair == ExecutionPair::SameThread)
    for (unsigned dim = 0; dim < 3; ++dim)
      relation.zeros.push_back(executions.getThreadId(dim, 0) -
                               executions.getThreadId(dim, 1));
  relation.isDifferent =
      pair != ExecutionPair::SameThread && pair != ExecutionPair::SameSubgroup;
  return relation;
}

/// The systems of which one has to be feasible for the executions to be
/// related so.
static std::vector<AffineSystem> relate(const AffineSystem &system,
                                        const Relation &relation) {
  AffineSystem related = system;
  for (const LinearForm &zero : relation.zeros)
    related.addEquality(zero);
  if (!relation.isDifferent)
    return {related};
  std::vector<AffineSystem> branches;
  for (const LinearForm &distance : relation.distances) {
    if (distance.isConstant() && distance.constant == 0)
      continue;
    for (int64_t sign : {1, -1}) {
      branches.push_back(related);
      branches.back().addInequality(distance * sign - LinearForm(1));
    }
  }
  return branches;
}

namespace mlir {
namespace memspace {
/// What was found of systems: equal ones have equal answers.
class RelatedAnswers {
public:
  bool isProvedEmpty(const AffineSystem &system) {
    Key key{kAlone};
    system.addToKey(key);
    return find(std::move(key), [&] { return system.isProvedEmpty(); });
  }

  bool mayBeRelated(const AffineSystem &system, const Relation &relation) {
    Key key{relation.isDifferent, int64_t(relation.zeros.size()),
            int64_t(relation.distances.size())};
    for (const LinearForm &form : relation.zeros)
      addToKey(form, key);
    for (const LinearForm &form : relation.distances)
      addToKey(form, key);
    system.addToKey(key);
    return find(std::move(key), [&] {
      return llvm::any_of(
          relate(system, relation),
          [](const AffineSystem &branch) { return !branch.isProvedEmpty(); });
    });
  }

private:
  using Key = std::vector<int64_t>;
  struct Hash {
    size_t operator()(const Key &key) const {
      return llvm::hash_combine_range(key);
    }
  };
  /// The first number of a key of no relation.
  static constexpr int64_t kAlone = 2;
  static constexpr size_t kMaxAnswers = 1 << 12;

  bool find(Key key, llvm::function_ref<bool()> compute) {
    auto it = answers.find(key);
    if (it != answers.end())
      return it->second;
    bool answer = compute();
    if (answers.size() < kMaxAnswers)
      answers.emplace(std::move(key), answer);
    return answer;
  }

  std::unordered_map<Key, bool, Hash> answers;
};
} // namespace memspace
} // namespace mlir

ThreadRelations::ThreadRelations(const KernelContext &context,
                                 ControlFlow controlFlow)
    : context(context), answers(std::make_shared<RelatedAnswers>()) {
  if (controlFlow == ControlFlow::IsKept)
    guards = std::make_shared<ExecutionGuards>();
}

ExecutionContext ThreadRelations::getExecutions(ExecutionPair pair,
                                                Operation *scope,
                                                Block *instance) const {
  ExecutionContext executions(context, guards);
  executions.scope = scope;
  executions.instance = instance;
  executions.differentWorkgroups = pair == ExecutionPair::DifferentWorkgroups;
  executions.foralls = pair != ExecutionPair::DifferentIterations;
  return executions;
}

/// The distance of `left` and `right` is `count` steps, or from kMany on at
/// least that.
static void addSteps(AffineSystem &system, const LinearForm &left,
                     const LinearForm &right, std::optional<int64_t> step,
                     unsigned count) {
  int64_t distance;
  if (!step || *step <= 0 || llvm::MulOverflow(*step, int64_t(count), distance))
    return;
  if (count < IterationTiming::kMany)
    system.addEquality(right - left - LinearForm(distance));
  else
    system.addInequality(right - left - LinearForm(distance));
}

/// The iterations on side 1 of the loops that are around `b` and not `a`.
static void addIterations(ExecutionSystem &executions, Operation *a,
                          Operation *b, const IterationTiming &timing) {
  AffineSystem &system = executions.getSystem();
  auto equate = [&](Value left, Value right) {
    if (left.getType().isIntOrIndex())
      system.addEquality(executions.translate(left, 1) -
                         executions.translate(right, 1));
  };
  for (Operation *op = b->getParentOp(); op && !op->isAncestor(a);
       op = op->getParentOp()) {
    CountedLoop loop = CountedLoop::get(op);
    if (!loop || (timing.later && timing.later->isProperAncestor(op)))
      continue;
    if (loop.hasBounds()) {
      LinearForm lower = executions.translateLower(loop, 1);
      LinearForm iv = executions.translate(loop.getInductionVar(), 1);
      if (op == timing.later)
        addSteps(system, lower, iv, loop.getConstantStep(), timing.iteration);
      else
        system.addEquality(iv - lower);
    }
    if (op == timing.later)
      continue;
    for (auto [arg, init] : llvm::zip(loop.getIterArgs(), loop.getInits()))
      equate(arg, init);
  }
}

/// What is passed to `arg`, of the block where `circle` begins, for the first
/// iteration; null where that is not one value.
static Value getFirstValue(BlockArgument arg, const CFGLoop *circle) {
  Value first;
  Block *head = arg.getOwner();
  for (Block *from : head->getPredecessors()) {
    if (circle->contains(from))
      continue;
    auto branch = dyn_cast<BranchOpInterface>(from->getTerminator());
    for (auto [index, to] : llvm::enumerate(from->getSuccessors())) {
      if (to != head)
        continue;
      Value value = branch
                        ? branch.getSuccessorOperands(index)[arg.getArgNumber()]
                        : Value();
      if (!value || (first && first != value))
        return {};
      first = value;
    }
  }
  return first;
}

/// The same of loops of blocks.
static void addBlockIterations(ExecutionSystem &executions, Operation *a,
                               const IterationTiming &timing) {
  AffineSystem &system = executions.getSystem();
  for (const CFGLoop *circle = timing.entered; circle;
       circle = circle->getParentLoop()) {
    Block *head = circle->getHeader();
    Block *of = head->getParent()->findAncestorBlockInRegion(*a->getBlock());
    if (!of || circle->contains(of))
      return;
    bool isAgain = timing.again == circle;
    if (timing.again && !isAgain && timing.again->contains(head))
      continue;
    for (BlockArgument arg : head->getArguments()) {
      if (!arg.getType().isIntOrIndex())
        continue;
      if (!isAgain) {
        if (Value first = getFirstValue(arg, circle))
          system.addEquality(executions.translate(arg, 1) -
                             executions.translate(first, 1));
        continue;
      }
      auto counter = ExecutionSystem::getCounter(arg, circle);
      if (timing.times == 0 || !counter || counter->step <= 0 ||
          (counter->mayWrap && !executions.getLargest(arg, /*side=*/1)))
        continue;
      addSteps(system, executions.translate(counter->first, 1),
               executions.translate(arg, 1), counter->step, timing.times);
    }
  }
}

/// Side 0 is in an iteration of `loop` that so many others follow.
static void addRemaining(ExecutionSystem &executions, const CountedLoop &loop,
                         unsigned remaining) {
  std::optional<int64_t> trips = loop.getTripCount();
  std::optional<int64_t> lower = loop.getLower().getConstant();
  std::optional<int64_t> step = loop.getConstantStep();
  int64_t last;
  if (loop.isUnsigned() || !trips || !lower || !step || *step <= 0 ||
      llvm::MulOverflow(*trips - 1, *step, last) ||
      llvm::AddOverflow(last, *lower, last))
    return;
  addSteps(executions.getSystem(),
           executions.translate(loop.getInductionVar(), 0), LinearForm(last),
           step, remaining);
}

/// Side 1 is `distance` iterations of `loop` after side 0. Each thread has its
/// own lower bound, and its own carried values.
static void addDistance(ExecutionSystem &executions,
                        const KernelContext &context, const CountedLoop &loop,
                        unsigned distance) {
  AffineSystem &system = executions.getSystem();
  auto getWay = [&](unsigned side) {
    return executions.translate(loop.getInductionVar(), side) -
           executions.translateLower(loop, side);
  };
  if (loop.hasBounds())
    addSteps(system, getWay(0), getWay(1), loop.getConstantStep(), distance);
  if (distance != 1 || loop.getIterArgs().empty())
    return;
  // What is one number in all threads of an iteration comes from the iteration
  // before, whichever thread is there.
  ExecutionContext together(context);
  together.instance = loop.getBody();
  ExecutionSystem iteration(together);
  for (auto [arg, yielded] :
       llvm::zip(loop.getIterArgs(), loop.getYieldedValues()))
    if (arg.getType().isIntOrIndex() && iteration.isShared(arg))
      system.addEquality(executions.translate(arg, 1) -
                         executions.translate(yielded, 0));
}

/// The same of a loop that ends where a condition says so, for those `args` of
/// the block where an iteration begins that count iterations. `circle`: if it
/// is one of blocks.
static void addDistance(ExecutionSystem &executions,
                        ArrayRef<BlockArgument> args, const CFGLoop *circle,
                        unsigned distance) {
  for (BlockArgument arg : args) {
    auto counter = ExecutionSystem::getCounter(arg, circle);
    if (!counter || counter->step == std::numeric_limits<int64_t>::min())
      continue;
    LinearForm ways[2];
    for (unsigned side : {0, 1})
      ways[side] = executions.translate(arg, side) -
                   executions.translate(counter->first, side);
    if (counter->mayWrap && !executions.getLargest(arg, /*side=*/0)) {
      AffineSystem &system = executions.getSystem();
      int64_t by;
      if (distance < IterationTiming::kMany &&
          !llvm::MulOverflow(counter->step, int64_t(distance), by))
        system.addEquality(ways[1] - ways[0] - LinearForm(by) -
                           system.addColumn(Interval{}) *
                               *ExecutionSystem::getWrapModulus(arg.getType()));
      continue;
    }
    bool isDown = counter->step < 0;
    addSteps(executions.getSystem(), ways[isDown], ways[!isDown],
             isDown ? -counter->step : counter->step, distance);
  }
}

SmallVector<bool> ThreadRelations::mayOverlap(const ElementAccess &a,
                                              const ElementAccess &b,
                                              ArrayRef<ExecutionPair> pairs,
                                              Operation *scope, Block *instance,
                                              IterationTiming timing) const {
  ExecutionContext both = getExecutions(pairs.front(), scope, instance);
  both.circle = timing.circle;
  ExecutionSystem executions(both);
  addAccesses(executions, a, b);
  if (timing.isKnown)
    addIterations(executions, a.op, b.op, timing);
  if (timing.isKnownInBlocks)
    addBlockIterations(executions, a.op, timing);
  if (CountedLoop loop = CountedLoop::get(timing.left))
    addRemaining(executions, loop, timing.remaining);
  if (timing.distance != 0) {
    if (CountedLoop loop = CountedLoop::get(scope))
      addDistance(executions, context, loop, timing.distance);
    else if (auto loop = dyn_cast_or_null<scf::WhileOp>(scope))
      addDistance(executions, loop.getBeforeArguments(), /*circle=*/nullptr,
                  timing.distance);
    else if (timing.circle)
      addDistance(executions, timing.circle->getHeader()->getArguments(),
                  timing.circle, timing.distance);
  }
  return llvm::map_to_vector(pairs, [&](ExecutionPair pair) {
    Relation relation = getRelation(executions, pair, scope, context);
    return answers->mayBeRelated(executions.getSystem(), relation);
  });
}

std::optional<OverlapWitness>
ThreadRelations::findOverlap(const ElementAccess &a, const ElementAccess &b,
                             ExecutionPair pair, Operation *scope,
                             Block *instance) const {
  ExecutionSystem executions(getExecutions(pair, scope, instance));
  addAccesses(executions, a, b);
  if (CountedLoop loop = CountedLoop::get(scope))
    executions.getSystem().addInequality(
        executions.translate(loop.getInductionVar(), 1) -
        executions.translate(loop.getInductionVar(), 0) - LinearForm(1));
  Relation relation = getRelation(executions, pair, scope, context);
  for (const AffineSystem &branch : relate(executions.getSystem(), relation)) {
    std::optional<SmallVector<int64_t>> point = branch.findPoint();
    if (!point)
      continue;
    // An example with small ids is easier to read.
    AffineSystem simple = branch;
    for (const LinearForm &id :
         {executions.getThreadId(2, 0), executions.getThreadId(1, 0),
          executions.getThreadId(2, 1), executions.getThreadId(1, 1),
          executions.getThreadId(0, 1)}) {
      AffineSystem simpler = simple;
      simpler.addEquality(id);
      if (auto other = simpler.findPoint()) {
        point = std::move(other);
        simple = std::move(simpler);
      }
    }
    bool isComplete = true;
    auto evaluate = [&](const LinearForm &form) {
      std::optional<int64_t> number = form.evaluate(
          [&](unsigned column) { return std::optional((*point)[column]); });
      isComplete &= number.has_value();
      return number.value_or(0);
    };
    OverlapWitness overlap;
    for (unsigned side : {0, 1}) {
      for (unsigned dim = 0; dim < 3; ++dim) {
        overlap.sides[side].thread[dim] =
            evaluate(executions.getThreadId(dim, side));
        overlap.sides[side].block[dim] =
            evaluate(executions.getBlockId(dim, side));
      }
      for (const auto &[value, form] : executions.getSources(side))
        overlap.sides[side].values.emplace_back(value, evaluate(form));
    }
    if (isComplete)
      return overlap;
  }
  return std::nullopt;
}

std::optional<std::pair<int64_t, int64_t>>
ThreadRelations::getBounds(const IndexRange &range) const {
  if (!range.size)
    return std::nullopt;
  ExecutionContext one(context, guards);
  one.sameExecution = true;
  ExecutionSystem executions(one);
  AffineSystem &system = executions.getSystem();
  Interval bounds = system.getInterval(executions.translate(range.offset, 0));
  auto addExtent = [&](const LinearExpr &size, int64_t stride) {
    Interval count = system.getInterval(executions.translate(size, 0));
    int64_t last;
    if (!bounds.lower || !bounds.upper || !count.upper ||
        llvm::MulOverflow(std::max<int64_t>(0, *count.upper - 1), stride,
                          last) ||
        llvm::AddOverflow(*bounds.lower, std::min<int64_t>(0, last),
                          *bounds.lower) ||
        llvm::AddOverflow(*bounds.upper, std::max<int64_t>(0, last),
                          *bounds.upper))
      bounds = Interval();
  };
  addExtent(*range.size, range.stride);
  for (const auto &[size, stride] : range.extents)
    addExtent(size, stride);
  int64_t end;
  if (!bounds.lower || !bounds.upper ||
      llvm::AddOverflow<int64_t>(*bounds.upper, 1, end))
    return std::nullopt;
  return std::make_pair(*bounds.lower, end);
}

bool ThreadRelations::isUniform(Value value, ExecutionScope scope) const {
  ExecutionContext two(context, guards);
  two.instance = value.getParentBlock();
  ExecutionSystem executions(two);
  AffineSystem &system = executions.getSystem();
  if (scope == ExecutionScope::Subgroup && context.getSubgroupSize())
    system.addEquality(executions.getSubgroupId(0) -
                       executions.getSubgroupId(1));
  if (value.getType().isInteger(1)) {
    // Only a comparison is understood both ways.
    if (!value.getDefiningOp<arith::CmpIOp>())
      return false;
    executions.addCondition(value, true, 0);
    executions.addCondition(value, false, 1);
    return answers->isProvedEmpty(system);
  }
  LinearForm distance =
      executions.translate(value, 0) - executions.translate(value, 1);
  if (distance.invalid)
    return false;
  AffineSystem above = system;
  above.addInequality(distance - LinearForm(1));
  system.addInequality(distance * -1 - LinearForm(1));
  return answers->isProvedEmpty(above) && answers->isProvedEmpty(system);
}

/// True when one step after the other comes to as many numbers from a lower
/// bound up to an upper one on both sides of `executions`; `bounds` are of a
/// side.
static bool
hasEqualTrips(ExecutionSystem &executions, int64_t step,
              const std::array<std::pair<LinearForm, LinearForm>, 2> &bounds) {
  AffineSystem &system = executions.getSystem();
  // The number of iterations, where it is not negative.
  LinearForm trips[2];
  for (unsigned side : {0, 1}) {
    LinearForm span = bounds[side].second - bounds[side].first;
    if (span.invalid)
      return false;
    trips[side] = system.addFloorDiv(span + LinearForm(step - 1), step);
  }
  auto isMore = [&](const LinearForm &most, const LinearForm &least) {
    AffineSystem more = system;
    more.addInequality(most - LinearForm(1));
    more.addInequality(most - least - LinearForm(1));
    return !more.isProvedEmpty();
  };
  return !isMore(trips[0], trips[1]) && !isMore(trips[1], trips[0]);
}

/// Two threads of `scope` that come to `op` together, if `isGuarded` with what
/// the way there tells.
static ExecutionSystem
getMeeting(Operation *op, ExecutionScope scope, const KernelContext &context,
           const std::shared_ptr<ExecutionGuards> &guards, bool isGuarded) {
  ExecutionContext two(context, guards);
  two.instance = op->getBlock();
  ExecutionSystem executions(two);
  if (scope == ExecutionScope::Subgroup && context.getSubgroupSize())
    executions.getSystem().addEquality(executions.getSubgroupId(0) -
                                       executions.getSubgroupId(1));
  if (isGuarded)
    for (unsigned side : {0, 1})
      executions.addExecution(op, side);
  return executions;
}

bool ThreadRelations::hasEqualTrips(const CountedLoop &loop,
                                    ExecutionScope scope) const {
  std::optional<int64_t> step = loop.getConstantStep();
  if (!loop.hasBounds() || loop.isUnsigned() || !step || *step <= 0)
    return false;
  ExecutionSystem executions =
      getMeeting(loop.getOperation(), scope, context, guards,
                 /*isGuarded=*/true);
  std::array<std::pair<LinearForm, LinearForm>, 2> bounds;
  for (unsigned side : {0, 1})
    bounds[side] = {executions.translateLower(loop, side),
                    executions.translateUpper(loop, side)};
  return ::hasEqualTrips(executions, *step, bounds);
}

static bool hasEqualTrips(const BranchLoop &loop, ExecutionSystem executions) {
  AffineSystem &system = executions.getSystem();
  Type type = loop.counter.getType();
  // True when the most that `form` and `more` may be is a number of the type.
  auto fits = [&](const LinearForm &form, int64_t more) {
    std::optional<int64_t> most = system.getInterval(form).upper;
    return most && !llvm::AddOverflow(*most, more, *most) &&
           llvm::isIntN(type.getIntOrFloatBitWidth(), *most);
  };
  // Without a sign a negative number is a large one.
  auto isNegative = [&](const LinearForm &form) {
    std::optional<int64_t> least = system.getInterval(form).lower;
    return !least || *least < 0;
  };
  std::array<std::pair<LinearForm, LinearForm>, 2> bounds;
  for (unsigned side : {0, 1}) {
    LinearForm lower = executions.translate(loop.lower, side);
    LinearForm upper = executions.translate(loop.upper, side);
    if (lower.invalid || upper.invalid ||
        (loop.isUnsigned && (isNegative(lower) || isNegative(upper))))
      return false;
    // No number may wrap around to a small one.
    if (!type.isIndex() &&
        (!fits(lower, loop.ahead) || !fits(upper, loop.step - 1)))
      return false;
    bounds[side] = {lower + LinearForm(loop.ahead), upper};
  }
  return ::hasEqualTrips(executions, loop.step, bounds);
}

bool ThreadRelations::hasEqualTrips(const BranchLoop &loop,
                                    ExecutionScope scope) const {
  // Behind many branches what they tell makes the question a hard one.
  return llvm::any_of(ArrayRef<bool>{false, true}, [&](bool isGuarded) {
    return ::hasEqualTrips(
        loop, getMeeting(loop.entry, scope, context, guards, isGuarded));
  });
}

/// The same indices, where all values are equal.
static bool isSameRange(const IndexRange &a, const IndexRange &b) {
  return a.offset == b.offset && a.size && a.size == b.size &&
         a.stride == b.stride && a.extents.empty() && b.extents.empty();
}

bool ThreadRelations::isContained(const ElementAccess &inner,
                                  const ElementAccess &outer) const {
  if (!outer.ranges)
    return true;
  if (!inner.ranges || inner.ranges->size() != outer.ranges->size())
    return false;
  if (llvm::equal(*inner.ranges, *outer.ranges, isSameRange))
    return true;
  ExecutionContext one(context, guards);
  one.sameExecution = true;
  ExecutionSystem executions(one);
  AffineSystem &system = executions.getSystem();
  if (inner.op)
    executions.addExecution(inner.op, 0);

  SmallVector<LinearForm> elements;
  for (auto [in, out] : llvm::zip(*inner.ranges, *outer.ranges)) {
    if (!out.size) {
      elements.push_back(0);
      continue;
    }
    if (!in.size || out.stride <= 0 || !out.extents.empty())
      return false;
    elements.push_back(addElement(executions, in, 0));
  }
  // No element lies below, above or between those of `outer`.
  auto isImpossible = [&](const LinearForm &nonNegative) {
    AffineSystem branch = system;
    branch.addInequality(nonNegative);
    return !nonNegative.invalid && answers->isProvedEmpty(branch);
  };
  for (auto [element, out] : llvm::zip(elements, *outer.ranges)) {
    if (!out.size)
      continue;
    LinearForm distance = element - executions.translate(out.offset, 0);
    LinearForm size = executions.translate(*out.size, 0);
    LinearForm last = (size - LinearForm(1)) * out.stride;
    if (!isImpossible(LinearForm(-1) - distance) ||
        !isImpossible(distance - last - LinearForm(1)))
      return false;
    if (out.stride == 1)
      continue;
    LinearForm rest =
        distance - system.addFloorDiv(distance, out.stride) * out.stride;
    if (!isImpossible(rest - LinearForm(1)))
      return false;
  }
  return true;
}
