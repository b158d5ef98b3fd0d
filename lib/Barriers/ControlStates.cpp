//===- ControlStates.cpp - control that constants decide, executed -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ControlStates.h"
#include "Kernel/ChainDepth.h"
#include "Kernel/ControlChoice.h"
#include "Kernel/HardwareIds.h"
#include "PlacementNumbers.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Support/MathExtras.h"
#include <deque>
#include <set>

using namespace mlir;
using namespace mlir::memspace;
using llvm::KnownBits;

ControlStates::ControlStates(const KernelContext &context,
                             const HazardAnalysis &hazards,
                             const Uniformity &uniformity, bool follows)
    : context(context), uniformity(uniformity), slice(hazards, uniformity) {
  isGivenUp = !follows && !slice.isEmpty();
  // A thread that is alone has nobody to wait for.
  if (!follows || context.getThreads() == 1)
    slice.clear();
  if (!slice.isEmpty())
    collectFirstGuards();
  intern({});
}

/// True for what is the same in all threads that are at one point. Behind a
/// branch or a loop where they part it may be another in each.
bool ControlStates::isFollowed(Value value) const {
  return slice.contains(value) &&
         uniformity.getScope(value) <= ExecutionScope::Workgroup;
}

//===----------------------------------------------------------------------===//
// States
//===----------------------------------------------------------------------===//

unsigned ControlStates::intern(State state) {
  llvm::sort(state);
  auto [it, isNew] = numbers.try_emplace(state, states.size());
  if (isNew)
    states.push_back(std::move(state));
  return it->second;
}

const ControlStates::Binding *ControlStates::find(Value value,
                                                  unsigned state) const {
  const State &bindings = states[state];
  const void *wanted = value.getAsOpaquePointer();
  auto it =
      llvm::lower_bound(bindings, wanted, [](const Binding &a, const void *b) {
        return a.value < b;
      });
  return it != bindings.end() && it->value == wanted ? &*it : nullptr;
}

std::optional<std::pair<Value, unsigned>>
ControlStates::getMemRef(Value value, unsigned state) const {
  const Binding *binding = find(value, state);
  if (!binding || !binding->memref)
    return std::nullopt;
  return std::make_pair(Value::getFromOpaquePointer(binding->memref),
                        binding->state);
}

/// True when a memref is the same wherever it is used.
static bool isInvariant(Value memref, unsigned depth = 0) {
  if (auto arg = dyn_cast<BlockArgument>(memref))
    return isa<FunctionOpInterface>(arg.getOwner()->getParentOp()) &&
           arg.getOwner()->isEntryBlock();
  Operation *op = memref.getDefiningOp();
  return depth < kMaxChainDepth && op->getNumRegions() == 0 &&
         llvm::all_of(op->getOperands(), [&](Value operand) {
           return isa<BaseMemRefType>(operand.getType())
                      ? isInvariant(operand, depth + 1)
                      : matchPattern(operand, m_Constant());
         });
}

unsigned ControlStates::pass(unsigned base, ValueRange targets,
                             ValueRange sources, unsigned from) {
  State state = states[base];
  for (auto [target, source] : llvm::zip_first(targets, sources)) {
    // What is followed no more may have been once.
    const void *value = target.getAsOpaquePointer();
    llvm::erase_if(state,
                   [&](const Binding &known) { return known.value == value; });
    if (!isFollowed(target))
      continue;
    if (isa<BaseMemRefType>(target.getType())) {
      if (const Binding *known = find(source, from))
        state.push_back({value, known->memref, 0, known->state});
      else
        state.push_back({value, source.getAsOpaquePointer(), 0,
                         isInvariant(source) ? kNothing : from});
    } else if (std::optional<int64_t> number = evaluate(source, from)) {
      if (auto binding = bind(target, getAllBits(*number, source.getType())))
        state.push_back(*binding);
    } else if (limited.contains(target)) {
      if (auto binding = bind(target, evaluateBits(source, from)))
        state.push_back(*binding);
    }
  }
  return intern(std::move(state));
}

std::optional<ControlStates::Binding>
ControlStates::bind(Value value, const KnownBits &bits) const {
  const void *key = value.getAsOpaquePointer();
  unsigned lowBits = limited.lookup(value);
  if (lowBits == 0 || lowBits >= bits.getBitWidth()) {
    if (!bits.isConstant())
      return std::nullopt;
    return Binding{key, nullptr, bits.getConstant().getSExtValue(), kNothing};
  }
  KnownBits low = bits.trunc(lowBits);
  if (!low.isConstant())
    return std::nullopt;
  return Binding{key,      nullptr, int64_t(low.getConstant().getZExtValue()),
                 kNothing, lowBits, bits.isNonNegative()};
}

/// `base`, with another number of `value`; without one if there is none.
unsigned ControlStates::bindAgain(unsigned base, Value value,
                                  std::optional<Binding> binding) {
  State state = states[base];
  const void *key = value.getAsOpaquePointer();
  llvm::erase_if(state,
                 [&](const Binding &known) { return known.value == key; });
  if (binding)
    state.push_back(*binding);
  return intern(std::move(state));
}

/// `base`, with an induction variable.
unsigned ControlStates::count(unsigned base, const CountedLoop &loop,
                              const KnownBits &number) {
  Value value = loop.getInductionVar();
  return isFollowed(value) ? bindAgain(base, value, bind(value, number)) : base;
}

unsigned ControlStates::meet(ArrayRef<unsigned> behind) {
  State common = states[behind.front()];
  for (unsigned other : behind.drop_front())
    llvm::erase_if(common, [&](const Binding &binding) {
      return !llvm::is_contained(states[other], binding);
    });
  return intern(std::move(common));
}

//===----------------------------------------------------------------------===//
// Running
//===----------------------------------------------------------------------===//

ArrayRef<Operation *> ControlStates::getInnerOps(Block &block) {
  auto [it, isNew] = innerOps.try_emplace(&block);
  if (isNew)
    for (Operation &op : block)
      if (op.getNumRegions() != 0)
        it->second.push_back(&op);
  return it->second;
}

std::optional<unsigned> ControlStates::meetIfTooMany(ArrayRef<unsigned> ends) {
  return ends.size() > kMaxEnds ? std::optional(meet(ends)) : std::nullopt;
}

SmallVector<unsigned, 1> ControlStates::run(Block &block, unsigned state) {
  SmallVector<unsigned, 1> ends{state};
  // Running adds blocks.
  SmallVector<Operation *> ops(getInnerOps(block));
  for (Operation *op : ops) {
    SmallVector<unsigned, 1> next;
    for (unsigned end : ends)
      for (unsigned behind : run(op, end))
        if (!llvm::is_contained(next, behind))
          next.push_back(behind);
    if (std::optional<unsigned> common = meetIfTooMany(next))
      next = {*common};
    ends = std::move(next);
  }
  return ends;
}

/// What is bound in a region that may not run is not known behind it.
SmallVector<unsigned, 1> ControlStates::run(Operation *op, unsigned state) {
  if (const Execution *execution = execute(op, state))
    return execution->behind;
  return {forget(op, state)};
}

unsigned ControlStates::keepIf(unsigned state,
                               llvm::function_ref<bool(Value)> isKept) {
  State kept = states[state];
  llvm::erase_if(kept, [&](const Binding &binding) {
    return !isKept(Value::getFromOpaquePointer(binding.value));
  });
  return kept.size() == states[state].size() ? state : intern(std::move(kept));
}

unsigned ControlStates::forget(Operation *op, unsigned state) {
  return keepIf(state, [&](Value value) {
    Operation *owner = value.getDefiningOp();
    return !op->isAncestor(owner ? owner
                                 : value.getParentBlock()->getParentOp());
  });
}

/// `state` without what nothing needs once `loop` has been entered.
unsigned ControlStates::enter(Operation *loop, unsigned state) {
  return keepIf(state,
                [&](Value value) { return slice.isUsedFrom(value, loop); });
}

/// A loop that nobody knows the end of would be executed for ever by these.
/// They go on to grow in the second half of `inStates`: what counts a loop
/// inside of one has had all its numbers by then.
bool ControlStates::dropCounters(ArrayRef<unsigned> inStates, bool areAll) {
  struct Numbers {
    std::set<Binding> all;
    size_t inFirstHalf = 0;
  };
  llvm::MapVector<const void *, Numbers> bindings;
  DenseSet<unsigned> seen;
  auto addAll = [&](ArrayRef<unsigned> some) {
    for (unsigned state : some)
      if (seen.insert(state).second)
        for (const Binding &binding : states[state])
          bindings[binding.value].all.insert(binding);
  };
  addAll(inStates.take_front(inStates.size() / (areAll ? 1 : 2)));
  for (auto &[value, numbers] : bindings)
    numbers.inFirstHalf = numbers.all.size();
  addAll(inStates);
  size_t most = 0, mostGrowing = 0;
  for (const auto &[value, numbers] : bindings) {
    if (!slice.contains(Value::getFromOpaquePointer(value)))
      continue;
    most = std::max(most, numbers.all.size());
    if (numbers.all.size() > numbers.inFirstHalf)
      mostGrowing = std::max(mostGrowing, numbers.all.size());
  }
  // Not what only has few, and no more, unless nothing would be left else.
  if (mostGrowing == 0 && (areAll ? most < 2 : most <= kMaxIterations / 16))
    return false;
  // Memrefs may be many for what they were computed from.
  bool isAnyNumber = false;
  DenseMap<Value, unsigned> before = limited;
  for (bool ofMemRefs : {false, true})
    for (const auto &[value, numbers] : bindings) {
      Value counter = Value::getFromOpaquePointer(value);
      bool isCandidate = mostGrowing == 0
                             ? numbers.all.size() > most / 2
                             : numbers.all.size() > numbers.inFirstHalf &&
                                   numbers.all.size() > mostGrowing / 2;
      if (!isCandidate || (ofMemRefs && isAnyNumber) ||
          isa<BaseMemRefType>(counter.getType()) != ofMemRefs)
        continue;
      isAnyNumber |= !ofMemRefs;
      if (!limit(counter) && limited.lookup(counter) == before.lookup(counter))
        slice.drop(counter);
    }
  return true;
}

/// Follows no more than the lowest bits of `value`, and of what is computed
/// from them, where it is passed on. False if that is done, or too much,
/// already.
bool ControlStates::limit(Value value) {
  unsigned bits = slice.getLowBits(value);
  if (bits == 0 || !limited.try_emplace(value, bits).second)
    return false;
  slice.forEachFedBy(value, [&](Value fed) { limit(fed); });
  return true;
}

const ControlStates::Execution *ControlStates::execute(Operation *op,
                                                       unsigned state) {
  if (!slice.isChosen(op))
    return nullptr;
  auto [it, isNew] = executions.try_emplace({op, state});
  if (!isNew)
    return it->second.get();
  auto execution = std::make_unique<Execution>();
  auto run = [&] {
    *execution = Execution();
    if (CountedLoop loop = CountedLoop::get(op))
      return executeCounted(loop, state, *execution);
    auto loop = dyn_cast<scf::WhileOp>(op);
    return loop && executeWhile(loop, state, *execution);
  };
  while (true) {
    unsigned stepsBefore = steps;
    ++nesting;
    bool isDone = run();
    --nesting;
    // What is around has to do with fewer states, and begins again.
    if (!isDone && nesting != 0 && steps > kMaxSteps) {
      executions.erase({op, state});
      return nullptr;
    }
    SmallVector<unsigned> begins;
    for (const Iteration &iteration : execution->iterations) {
      begins.push_back(iteration.begin);
      for (const End &end : iteration.ends)
        begins.push_back(end.after);
    }
    if (isDone) {
      auto loop = dyn_cast<scf::WhileOp>(op);
      bool isAgain = loop && limitUnknown(loop.getBeforeArguments(), begins);
      isAgain |= loop && limitUnknown(loop.getAfterArguments(), begins);
      if (!isAgain && findBehind(op, state, *execution))
        break;
    } else if (dropCounters(begins)) {
      // Of a loop with an end more could have been known.
      isGivenUp |= steps > kMaxSteps && execution->trips;
      steps = stepsBefore;
    } else {
      isGivenUp |= !begins.empty();
      slice.drop(op);
      return nullptr;
    }
  }
  return (executions[{op, state}] = std::move(execution)).get();
}

/// Finds the states behind `op`, without what nobody needs there. False if they
/// are too many, but differ in numbers that are followed by their lowest bits
/// from now on.
bool ControlStates::findBehind(Operation *op, unsigned state,
                               Execution &execution) {
  SmallVector<unsigned *> ways;
  if (execution.maySkip)
    ways.push_back(&execution.skipped);
  for (Iteration &iteration : execution.iterations)
    for (End &end : iteration.ends)
      if (end.mayLeave)
        ways.push_back(&end.left);
  auto isUsed = [&](Value value) { return slice.isUsedBehind(value, op); };
  SmallVector<unsigned, 1> &behind = execution.behind;
  for (unsigned *way : ways) {
    *way = keepIf(*way, isUsed);
    if (!llvm::is_contained(behind, *way))
      behind.push_back(*way);
  }
  if (std::optional<unsigned> common = meetIfTooMany(behind)) {
    bool isAny = false;
    for (const Binding &binding : State(states[behind.front()]))
      if (!llvm::is_contained(states[*common], binding))
        isAny |= limit(Value::getFromOpaquePointer(binding.value));
    if (isAny)
      return false;
    for (unsigned *way : ways)
      *way = *common;
    behind = {*common};
  }
  return true;
}

/// Executes the iterations that begin in `begins` and what follows them, at
/// most `trips` one behind the other, each once for each state. `executeOne`
/// finds the ends of one, where `next` is the state in which the next one
/// begins. False if they are too many.
bool ControlStates::follow(Execution &execution, ArrayRef<unsigned> begins,
                           std::optional<int64_t> trips,
                           llvm::function_ref<void(Iteration &)> executeOne) {
  auto &iterations = execution.iterations;
  std::map<unsigned, unsigned> known;
  // With how many iterations are before each, at least.
  std::deque<std::pair<unsigned, int64_t>> work;
  bool areTooMany = false;
  auto getIteration = [&](unsigned begin, int64_t before) {
    if (trips && before >= *trips)
      return kNone;
    auto [it, isNew] = known.try_emplace(begin, iterations.size());
    if (!isNew)
      return it->second;
    areTooMany |= iterations.size() == kMaxIterations || !spend();
    iterations.emplace_back().begin = begin;
    work.push_back({it->second, before});
    return it->second;
  };
  for (auto [index, begin] : llvm::enumerate(begins)) {
    execution.entries.push_back(getIteration(begin, 0));
    // All first ones are known before what is behind `trips` is left out.
    if (trips && index + 1 < begins.size())
      continue;
    while (!work.empty() && !areTooMany) {
      auto [number, before] = work.front();
      work.pop_front();
      Iteration iteration{iterations[number].begin, {}, {}};
      executeOne(iteration);
      for (End &end : iteration.ends) {
        if (end.next != kNone)
          end.next = getIteration(end.next, before + 1);
        for (Repeat &repeat : end.repeats)
          repeat.next = getIteration(repeat.next, before + 1);
      }
      iterations[number] = std::move(iteration);
    }
    if (areTooMany)
      return false;
  }
  return true;
}

bool ControlStates::executeCounted(const CountedLoop &loop, unsigned state,
                                   Execution &execution) {
  if (!loop.hasBounds() || !loop.getBody()->getParent()->hasOneBlock())
    return false;
  std::optional<int64_t> lower = evaluate(loop.getLower(), true, state);
  std::optional<int64_t> upper = evaluate(loop.getUpper(), false, state);
  std::optional<int64_t> step =
      evaluate(LoopBound{loop.getStep(), {}, {}}, true, state);
  std::optional<int64_t> trips, last;
  if (lower && upper && step)
    trips = loop.getTripCount(*lower, *upper, *step);
  if (trips)
    last = *lower + (std::max<int64_t>(*trips, 1) - 1) * *step;
  Value iv = loop.getInductionVar();
  // Until nothing is left to shift.
  bool shifts = !trips && lower && step && *step > 0 &&
                slice.isShiftAmount(iv) && isFollowed(iv) &&
                !limited.contains(iv);
  if (!trips && !shifts && !limited.contains(iv) && !limit(iv))
    slice.drop(iv);
  KnownBits number = evaluateBits(loop.getLower(), iv.getType(), state);
  KnownBits distance =
      evaluateBits(LoopBound{loop.getStep(), {}, {}}, iv.getType(), state);
  ValueRange results = loop.getOperation()->getResults();
  ValueRange args = loop.getIterArgs(), yields = loop.getYieldedValues();
  execution.trips = trips;
  execution.maySkip = trips.value_or(0) == 0;
  execution.skipped = pass(state, results, loop.getInits(), state);
  if (trips == 0)
    return true;

  SmallVector<unsigned> begins;
  unsigned entered = enter(loop.getOperation(), state);
  for (unsigned begin : split(pass(entered, args, loop.getInits(), state), args,
                              loop.getInits(), state)) {
    begin = bindFirstGuards(count(begin, loop, number), loop, true);
    // In an iteration that nobody knows.
    if (trips || shifts)
      begins.push_back(begin);
    else
      begins.append(split(begin, iv, /*sources=*/{}, begin));
  }
  unsigned stepsBefore = steps;
  bool isEndless = false;
  auto executeOne = [&](Iteration &iteration) {
    if (isDeadEnd(*loop.getBody(), iteration.begin))
      return;
    KnownBits number = evaluateBits(iv, iteration.begin);
    if (shifts && number.isConstant() &&
        number.getConstant().getSExtValue() - *lower >=
            int64_t(ControlSlice::kManyShifts) * *step) {
      isEndless = true;
      return;
    }
    bool isKnown = last && number.isConstant();
    bool isLast = isKnown && number.getConstant().getSExtValue() == *last;
    number = KnownBits::add(number, distance, /*NSW=*/!loop.isUnsigned());
    if (number.hasConflict())
      number.resetAll();
    for (unsigned behind : run(*loop.getBody(), iteration.begin)) {
      End &end = iteration.ends.emplace_back();
      end.state = behind;
      end.left = pass(state, results, yields, behind);
      end.mayLeave = !isKnown || isLast;
      unsigned next = pass(state, args, yields, behind);
      if (!isLast)
        end.next = bindFirstGuards(count(next, loop, number), loop, false);
    }
  };
  bool isDone = follow(execution, begins, trips, executeOne);
  if (shifts && (isEndless || !isDone)) {
    if (!limit(iv))
      slice.drop(iv);
    steps = stepsBefore;
    execution = Execution();
    return executeCounted(loop, state, execution);
  }
  if (!isDone)
    return false;
  if (trips)
    countIterations(*trips, execution);
  return true;
}

/// How often each iteration is executed, and which is the last one, where one
/// is the first and only one follows each.
void ControlStates::countIterations(int64_t trips, Execution &execution) {
  std::vector<Iteration> &iterations = execution.iterations;
  if (execution.entries.size() != 1 ||
      llvm::any_of(iterations, [](const Iteration &iteration) {
        return iteration.ends.size() != 1;
      }))
    return;
  int64_t last = trips - 1, size = iterations.size();
  unsigned behind = iterations.back().ends.front().next;
  int64_t first = behind == kNone ? size : behind;
  int64_t period = std::max<int64_t>(size - first, 1);
  for (auto [index, iteration] : llvm::enumerate(iterations)) {
    iteration.ends.front().mayLeave = false;
    iteration.count =
        int64_t(index) < first ? 1 : (last - int64_t(index)) / period + 1;
  }
  int64_t leaving = last < first ? last : first + (last - first) % period;
  iterations[leaving].ends.front().mayLeave = true;
}

bool ControlStates::executeWhile(scf::WhileOp loop, unsigned state,
                                 Execution &execution) {
  if (!loop.getBefore().hasOneBlock() || !loop.getAfter().hasOneBlock())
    return false;
  scf::ConditionOp condition = loop.getConditionOp();
  SmallVector<unsigned> begins =
      split(pass(enter(loop, state), loop.getBeforeArguments(), loop.getInits(),
                 state),
            loop.getBeforeArguments(), loop.getInits(), state);
  bool isDecided = begins.size() == 1;
  auto executeOne = [&](Iteration &iteration) {
    if (isDeadEnd(*loop.getBeforeBody(), iteration.begin))
      return;
    for (unsigned behind : run(*loop.getBeforeBody(), iteration.begin)) {
      End &end = iteration.ends.emplace_back();
      end.state = behind;
      std::optional<int64_t> holds = evaluate(condition.getCondition(), behind);
      end.left = pass(state, loop.getResults(), condition.getArgs(), behind);
      end.mayLeave = !holds || *holds == 0;
      isDecided &= holds.has_value();
      if (holds && *holds == 0)
        continue;
      end.after =
          pass(state, loop.getAfterArguments(), condition.getArgs(), behind);
      if (isDeadEnd(*loop.getAfterBody(), end.after))
        continue;
      for (unsigned last : run(*loop.getAfterBody(), end.after))
        end.repeats.push_back(
            {last, pass(state, loop.getBeforeArguments(),
                        loop.getYieldOp().getResults(), last)});
    }
  };
  if (!follow(execution, begins, /*trips=*/std::nullopt, executeOne))
    return false;
  // One after the other, each once.
  for (auto [number, iteration] : llvm::enumerate(execution.iterations))
    isDecided &= iteration.ends.size() == 1 &&
                 (!iteration.ends.front().mayRepeat() ||
                  (iteration.ends.front().repeats.size() == 1 &&
                   iteration.ends.front().repeats.front().next == number + 1));
  if (isDecided)
    for (Iteration &iteration : execution.iterations)
      iteration.count = 1;
  return true;
}
