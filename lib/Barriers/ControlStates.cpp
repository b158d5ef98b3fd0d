//===- ControlStates.cpp - control that constants decide, executed -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ControlStates.h"
#include "Kernel/ChainDepth.h"
#include "Kernel/HardwareIds.h"
#include "PlacementNumbers.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Support/MathExtras.h"
#include <set>

using namespace mlir;
using namespace mlir::memspace;

ControlStates::ControlStates(const KernelContext &context,
                             const HazardAnalysis &hazards,
                             const Uniformity &uniformity)
    : context(context), uniformity(uniformity), slice(hazards) {
  // A thread that is alone has nobody to wait for.
  if (context.getThreads() == 1)
    slice.clear();
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
      state.push_back({value, nullptr, *number, kNothing});
    }
  }
  return intern(std::move(state));
}

/// `base`, with an induction variable.
unsigned ControlStates::count(unsigned base, const CountedLoop &loop,
                              int64_t number) {
  if (!isFollowed(loop.getInductionVar()))
    return base;
  State state = states[base];
  const void *value = loop.getInductionVar().getAsOpaquePointer();
  llvm::erase_if(state,
                 [&](const Binding &known) { return known.value == value; });
  state.push_back({value, nullptr, number, kNothing});
  return intern(std::move(state));
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
// Numbers
//===----------------------------------------------------------------------===//

std::optional<int64_t> ControlStates::evaluate(Value value, unsigned state) {
  auto it = values.find({value, state});
  if (it != values.end())
    return it->second;
  ChainDepth chain(depth);
  std::optional<int64_t> number =
      chain.isTooDeep() ? std::nullopt : compute(value, state);
  values[{value, state}] = number;
  return number;
}

std::optional<int64_t> ControlStates::compute(Value value, unsigned state) {
  if (!isNumber(value.getType()))
    return std::nullopt;
  APInt constant;
  if (matchPattern(value, m_ConstantInt(&constant)))
    return constant.getSExtValue();
  if (const Binding *binding = find(value, state))
    return binding->number;
  auto result = dyn_cast<OpResult>(value);
  if (!result)
    return std::nullopt;
  Operation *op = result.getOwner();
  if (auto ifOp = dyn_cast<scf::IfOp>(op)) {
    std::optional<int64_t> holds = evaluate(ifOp.getCondition(), state);
    if (!holds)
      return std::nullopt;
    auto yield = *holds ? ifOp.thenYield() : ifOp.elseYield();
    return evaluate(yield.getOperand(result.getResultNumber()), state);
  }
  if (std::optional<HardwareId> id = getHardwareId(op)) {
    if (id->isOfThread())
      return std::nullopt;
    return getIdNumber(*id, context, ThreadPlace());
  }
  if (op->getNumRegions() != 0 || !isMemoryEffectFree(op))
    return std::nullopt;
  auto operands = llvm::map_to_vector(op->getOperands(), [&](Value operand) {
    return evaluate(operand, state);
  });
  return NumberOp(result).compute(operands);
}

std::optional<int64_t> ControlStates::evaluate(const LoopBound &bound,
                                               bool isLower, unsigned state) {
  if (!bound.map) {
    if (std::optional<int64_t> constant = getConstantIntValue(bound.value))
      return constant;
    auto value = dyn_cast_if_present<Value>(bound.value);
    return value ? evaluate(value, state) : std::nullopt;
  }
  Builder builder(bound.map.getContext());
  SmallVector<Attribute> inputs, folded;
  for (Value operand : bound.operands) {
    std::optional<int64_t> number = evaluate(operand, state);
    if (!number)
      return std::nullopt;
    inputs.push_back(builder.getIndexAttr(*number));
  }
  if (failed(bound.map.constantFold(inputs, folded)))
    return std::nullopt;
  auto results = llvm::map_to_vector(
      folded, [](Attribute attr) { return cast<IntegerAttr>(attr).getInt(); });
  return isLower ? *llvm::max_element(results) : *llvm::min_element(results);
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

unsigned ControlStates::run(Block &block, unsigned state) {
  // Running adds blocks.
  SmallVector<Operation *> ops(getInnerOps(block));
  for (Operation *op : ops)
    state = run(op, state);
  return state;
}

/// What is bound in a region that may not run is not known behind it.
unsigned ControlStates::run(Operation *op, unsigned state) {
  const Execution *execution = execute(op, state);
  return execution ? execution->behind : forget(op, state);
}

unsigned ControlStates::forget(Operation *op, unsigned state) {
  State kept = states[state];
  llvm::erase_if(kept, [&](const Binding &binding) {
    Value value = Value::getFromOpaquePointer(binding.value);
    Operation *owner = value.getDefiningOp();
    return op->isAncestor(owner ? owner
                                : value.getParentBlock()->getParentOp());
  });
  return kept.size() == states[state].size() ? state : intern(std::move(kept));
}

unsigned ControlStates::keepUsed(unsigned state, Operation *op) {
  State kept = states[state];
  llvm::erase_if(kept, [&](const Binding &binding) {
    return !slice.isUsedBehind(Value::getFromOpaquePointer(binding.value), op);
  });
  return kept.size() == states[state].size() ? state : intern(std::move(kept));
}

/// A loop that nobody knows the end of would be executed for ever by these.
bool ControlStates::dropCounters(ArrayRef<unsigned> inStates) {
  llvm::MapVector<const void *, std::set<Binding>> bindings;
  DenseSet<unsigned> seen;
  for (unsigned state : inStates)
    if (seen.insert(state).second)
      for (const Binding &binding : states[state])
        bindings[binding.value].insert(binding);
  size_t most = 0;
  for (const auto &[value, numbers] : bindings)
    if (slice.contains(Value::getFromOpaquePointer(value)))
      most = std::max(most, numbers.size());
  // Not what only has few.
  if (most <= kMaxIterations / 16)
    return false;
  for (const auto &[value, numbers] : bindings)
    if (numbers.size() > most / 2)
      slice.drop(Value::getFromOpaquePointer(value));
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
  while (!run()) {
    SmallVector<unsigned> begins;
    for (const Iteration &iteration : execution->iterations)
      begins.append({iteration.begin, iteration.after});
    if (!dropCounters(begins)) {
      isGivenUp |= !begins.empty();
      slice.drop(op);
      return nullptr;
    }
  }
  SmallVector<unsigned> left;
  execution->skipped = keepUsed(execution->skipped, op);
  if (execution->maySkip)
    left.push_back(execution->skipped);
  for (Iteration &iteration : execution->iterations) {
    iteration.left = keepUsed(iteration.left, op);
    if (iteration.mayLeave)
      left.push_back(iteration.left);
  }
  execution->behind = left.empty() ? state : meet(left);
  return (executions[{op, state}] = std::move(execution)).get();
}

/// The iteration that begins in `begin` is a new one, or one that was executed
/// before and follows again.
ControlStates::Next
ControlStates::beginIteration(unsigned begin, Execution &execution,
                              std::map<unsigned, unsigned> &known) {
  auto &iterations = execution.iterations;
  auto [it, isNew] = known.try_emplace(begin, iterations.size());
  if (isNew && (iterations.size() == kMaxIterations || !spend()))
    return Next::TooMany;
  if (!iterations.empty())
    iterations.back().next = it->second;
  if (!isNew)
    return Next::Repeated;
  iterations.emplace_back().begin = begin;
  return Next::New;
}

bool ControlStates::executeCounted(const CountedLoop &loop, unsigned state,
                                   Execution &execution) {
  if (!loop.hasBounds() || !loop.getBody()->getParent()->hasOneBlock())
    return false;
  std::optional<int64_t> lower = evaluate(loop.getLower(), true, state);
  std::optional<int64_t> upper = evaluate(loop.getUpper(), false, state);
  std::optional<int64_t> step =
      evaluate(LoopBound{loop.getStep(), {}, {}}, true, state);
  std::optional<int64_t> trips;
  int64_t span;
  if (lower && upper && step && *step > 0 &&
      !llvm::SubOverflow(*upper, *lower, span) &&
      (!loop.isUnsigned() || (*lower >= 0 && *upper >= 0)))
    trips = span <= 0 ? 0 : int64_t(llvm::divideCeil(span, *step));
  if (!trips)
    slice.drop(loop.getInductionVar());
  ValueRange results = loop.getOperation()->getResults();
  ValueRange args = loop.getIterArgs(), yields = loop.getYieldedValues();
  execution.maySkip = trips.value_or(0) == 0;
  execution.skipped = pass(state, results, loop.getInits(), state);
  if (trips == 0)
    return true;

  auto &iterations = execution.iterations;
  unsigned begin = pass(state, args, loop.getInits(), state);
  std::map<unsigned, unsigned> known;
  bool isCycle = false;
  for (int64_t number = 0; !trips || number < *trips; ++number) {
    if (trips)
      begin = count(begin, loop, *lower + number * *step);
    Next next = beginIteration(begin, execution, known);
    if (next == Next::TooMany)
      return false;
    isCycle = next == Next::Repeated;
    if (isCycle)
      break;
    Iteration &iteration = iterations.back();
    unsigned end = run(*loop.getBody(), begin);
    iteration.left = pass(state, results, yields, end);
    iteration.mayLeave = !trips;
    begin = pass(state, args, yields, end);
  }
  if (!trips)
    return true;
  // The last one, and how often each is executed.
  int64_t last = *trips - 1, size = iterations.size();
  int64_t cycle = isCycle ? iterations.back().next : size;
  int64_t period = std::max<int64_t>(size - cycle, 1);
  iterations[isCycle ? cycle + (last - cycle) % period : last].mayLeave = true;
  for (auto [index, iteration] : llvm::enumerate(iterations))
    iteration.count =
        int64_t(index) < cycle ? 1 : (last - int64_t(index)) / period + 1;
  return true;
}

bool ControlStates::executeWhile(scf::WhileOp loop, unsigned state,
                                 Execution &execution) {
  if (!loop.getBefore().hasOneBlock() || !loop.getAfter().hasOneBlock())
    return false;
  scf::ConditionOp condition = loop.getConditionOp();
  auto &iterations = execution.iterations;
  unsigned begin =
      pass(state, loop.getBeforeArguments(), loop.getInits(), state);
  std::map<unsigned, unsigned> known;
  bool isDecided = true;
  while (true) {
    Next next = beginIteration(begin, execution, known);
    if (next == Next::TooMany)
      return false;
    if (next == Next::Repeated)
      return true;
    Iteration &iteration = iterations.back();
    unsigned end = run(*loop.getBeforeBody(), begin);
    std::optional<int64_t> holds = evaluate(condition.getCondition(), end);
    iteration.left = pass(state, loop.getResults(), condition.getArgs(), end);
    iteration.mayLeave = !holds || *holds == 0;
    if (holds && *holds == 0)
      break;
    isDecided &= holds.has_value();
    iteration.after =
        pass(state, loop.getAfterArguments(), condition.getArgs(), end);
    end = run(*loop.getAfterBody(), iteration.after);
    begin = pass(state, loop.getBeforeArguments(),
                 loop.getYieldOp().getResults(), end);
  }
  if (isDecided)
    for (Iteration &iteration : iterations)
      iteration.count = 1;
  return true;
}

//===----------------------------------------------------------------------===//
// Blocks
//===----------------------------------------------------------------------===//

/// Marks what is left when those that nothing leads to, or that lead nowhere,
/// are taken away again and again.
static void markRepeated(std::vector<ControlStates::BlockVisit> &visits) {
  std::vector<SmallVector<unsigned, 2>> next(visits.size()),
      previous(visits.size());
  for (auto [number, visit] : llvm::enumerate(visits))
    for (unsigned to : visit.next)
      if (to != ControlStates::kNone) {
        next[number].push_back(to);
        previous[to].push_back(number);
      }
  std::vector<bool> isLeft(visits.size(), true);
  auto takeAway = [&](const auto &froms, const auto &tos) {
    std::vector<unsigned> count(visits.size());
    SmallVector<unsigned> work;
    for (unsigned number = 0; number < visits.size(); ++number) {
      count[number] = llvm::count_if(
          froms[number], [&](unsigned from) { return isLeft[from]; });
      if (count[number] == 0 && isLeft[number])
        work.push_back(number);
    }
    while (!work.empty()) {
      unsigned number = work.pop_back_val();
      isLeft[number] = false;
      for (unsigned to : tos[number])
        if (isLeft[to] && --count[to] == 0)
          work.push_back(to);
    }
  };
  takeAway(previous, next);
  takeAway(next, previous);
  for (auto [number, visit] : llvm::enumerate(visits))
    visit.isRepeated = isLeft[number];
}

/// `state` without what is computed anew on the way to its uses behind the
/// beginning of `block`: arguments and results of blocks that do not lie around
/// it, and results of its own.
unsigned ControlStates::keepDominating(unsigned state, Block *block) {
  State kept = states[state];
  llvm::erase_if(kept, [&](const Binding &binding) {
    Value value = Value::getFromOpaquePointer(binding.value);
    Block *owner =
        block->getParent()->findAncestorBlockInRegion(*value.getParentBlock());
    if (!owner)
      return false;
    bool isArgument =
        isa<BlockArgument>(value) && value.getParentBlock() == owner;
    return isArgument ? !dominance.dominates(owner, block)
                      : !dominance.properlyDominates(owner, block);
  });
  return intern(std::move(kept));
}

/// False if there are too many.
bool ControlStates::visitBlocks(Region &region, unsigned state,
                                std::vector<BlockVisit> &visits) {
  std::map<std::pair<Block *, unsigned>, unsigned> known;
  auto add = [&](Block *block, unsigned begin) {
    auto [it, isNew] = known.try_emplace({block, begin}, visits.size());
    if (isNew)
      visits.push_back({block, begin, {}});
    return it->second;
  };
  add(&region.front(), state);
  for (unsigned number = 0; number < visits.size(); ++number) {
    if (visits.size() > kMaxIterations || !spend())
      return false;
    Block *block = visits[number].block;
    unsigned end = run(*block, visits[number].begin);
    Operation *terminator = block->getTerminator();
    auto branch = dyn_cast<BranchOpInterface>(terminator);
    Block *only = nullptr;
    if (branch) {
      auto operands = llvm::map_to_vector(
          terminator->getOperands(), [&](Value operand) -> Attribute {
            std::optional<int64_t> number = evaluate(operand, end);
            if (!number)
              return {};
            Type type = operand.getType();
            return IntegerAttr::get(type, APInt(getBitWidth(type), *number,
                                                /*isSigned=*/true,
                                                /*implicitTrunc=*/true));
          });
      only = branch.getSuccessorForOperands(operands);
    }
    for (auto [index, to] : llvm::enumerate(block->getSuccessors())) {
      unsigned next = kNone;
      if (!only || only == to) {
        unsigned begin = end;
        if (branch) {
          SuccessorOperands operands = branch.getSuccessorOperands(index);
          unsigned produced = operands.getProducedOperandCount();
          begin = pass(end, to->getArguments().drop_front(produced),
                       operands.getForwardedOperands(), end);
        }
        next = add(to, keepDominating(begin, to));
      }
      visits[number].next.push_back(next);
    }
  }
  return true;
}

ArrayRef<ControlStates::BlockVisit> ControlStates::visit(Region &region,
                                                         unsigned state) {
  if (!slice.isChosen(region.getParentOp()))
    return {};
  auto [it, isNew] = visited.try_emplace({&region, state});
  std::vector<BlockVisit> &visits = it->second;
  if (!isNew)
    return visits;
  bool isDone = false;
  do {
    visits.clear();
    isDone = visitBlocks(region, state, visits);
    if (isDone)
      continue;
    auto begins = llvm::map_to_vector(
        visits, [](const BlockVisit &visit) { return visit.begin; });
    if (!dropCounters(begins))
      break;
  } while (!isDone);
  isGivenUp |= !isDone;
  if (isDone)
    markRepeated(visits);
  else
    visits.clear();
  return visits;
}
