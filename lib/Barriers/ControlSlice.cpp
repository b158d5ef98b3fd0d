//===- ControlSlice.cpp - which carried values decide places -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ControlSlice.h"
#include "Kernel/ControlChoice.h"
#include "Kernel/IntegerOps.h"
#include "MemSpace/IR/AttributeNames.h"
#include "MemSpace/Memory/ValueFlow.h"
#include "Threads/ExecutionSystem.h"
#include "Threads/OneThreadEvaluator.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::memspace;

/// Numbers, and memrefs that may be exchanged.
static bool canBeFollowed(Value value) {
  return value.getType().isIntOrIndex() || isa<BaseMemRefType>(value.getType());
}

/// True for a loop over iterations of a forall that are few: none of them needs
/// a barrier before another, so that it is enough to know the places of all
/// together.
static bool isShortLoopOfForall(Operation *op, const CountedLoop &loop) {
  std::optional<int64_t> trips = loop.getTripCount();
  return op->hasAttr(kForallLoopAttr) && trips &&
         *trips <= ControlSlice::kFewIterations &&
         loop.getLower().getConstant() && loop.getConstantStep();
}

/// True for the counter of a loop of blocks, or of an `scf.while`, that counts
/// by constants from one to another, and for long.
static bool isLongCounter(BlockArgument arg) {
  auto counter = ExecutionSystem::getCounter(arg);
  std::optional<int64_t> first =
      counter ? getConstantIntValue(counter->first) : std::nullopt;
  if (!first || counter->step <= 0)
    return false;
  auto isFar = [&](Operation *user) {
    auto compare = dyn_cast<arith::CmpIOp>(user);
    std::optional<int64_t> end =
        compare ? getConstantIntValue(compare.getRhs()) : std::nullopt;
    int64_t distance;
    return end && !llvm::SubOverflow(*end, *first, distance) &&
           distance / counter->step > ControlSlice::kManyIterations;
  };
  // Before or behind the step.
  return llvm::any_of(arg.getUsers(), [&](Operation *user) {
    return isFar(user) || llvm::any_of(user->getUsers(), isFar);
  });
}

ControlSlice::ControlSlice(const HazardAnalysis &hazards,
                           const Uniformity &uniformity)
    : uniformity(uniformity) {
  Operation *kernel = hazards.getKernel();
  ArrayRef<MemoryAccess> accesses = hazards.getAccesses();
  // What is only read needs no order.
  DenseSet<unsigned> written;
  for (unsigned access = 0; access < accesses.size(); ++access)
    if (accesses[access].writes)
      written.insert(hazards.getBucket(access));
  bool isAnyWritten = written.contains(HazardAnalysis::kAnyBucket);
  DenseSet<Operation *> around;
  auto visitExpr = [&](const LinearExpr &expr) {
    for (const auto &[value, factor] : expr.terms)
      visit(value, kAffine);
  };
  for (unsigned number = 0; number < accesses.size(); ++number) {
    const MemoryAccess &access = accesses[number];
    unsigned bucket = hazards.getBucket(number);
    bool mayMeet = bucket == HazardAnalysis::kAnyBucket
                       ? !written.empty()
                       : isAnyWritten || written.contains(bucket);
    if (!access.memref || !mayMeet)
      continue;
    visit(access.view ? access.view : access.memref, kAffine);
    auto visitRange = [&](const IndexRange &range) {
      visitExpr(range.offset);
      if (range.size)
        visitExpr(*range.size);
      for (const auto &[size, stride] : range.extents)
        visitExpr(size);
    };
    if (access.elements)
      llvm::for_each(*access.elements, visitRange);
    if (access.followsMemory && access.byteRange)
      visitRange(*access.byteRange);
    for (Operation *op = access.op->getParentOp();
         op && op != kernel && around.insert(op).second;
         op = op->getParentOp()) {
      if (ControlChoice choice = ControlChoice::get(op))
        visit(choice.getDecider(), kAffine);
      else if (auto loop = dyn_cast<scf::WhileOp>(op))
        visit(loop.getConditionOp().getCondition(), kAffine);
    }
  }
  // Inner choices first, and outer loops.
  SmallVector<Value> deciders;
  SmallVector<Operation *> loops;
  kernel->walk([&](Operation *op, const WalkStage &stage) {
    if (stage.isAfterAllRegions())
      if (ControlChoice choice = ControlChoice::get(op)) {
        deciders.push_back(choice.getDecider());
        if (op->getNumRegions() == 0)
          visit(choice.getDecider(), kAffine);
      }
    if (op->getNumRegions() != 0 && stage.isBeforeAllRegions() &&
        around.contains(op) && CountedLoop::isOne(op))
      loops.push_back(op);
  });
  follow(kernel);
  chooseCountersOfGuards(deciders, kernel);
  chooseCountersOfBounds(loops, hazards.getContext());
  chooseRoots(kernel);
  if (isEmpty())
    return;
  for (const DivergentBranch &branch : uniformity.getDivergentBranches())
    divergent[branch.terminator] = &branch;
  findLastUsers(kernel);
  findLowBits();
  findShiftAmounts();
}

/// Chooses among what was visited, back to what that is computed from.
void ControlSlice::follow(Operation *kernel) {
  while (!work.empty()) {
    auto [value, use] = work.pop_back_val();
    if (auto arg = dyn_cast<BlockArgument>(value)) {
      Operation *parent = arg.getOwner()->getParentOp();
      CountedLoop loop = CountedLoop::get(parent);
      bool isCounter = loop && arg == loop.getInductionVar();
      bool isCallers = parent == kernel && arg.getOwner()->isEntryBlock();
      bool isEnumerated =
          isCounter && (use == kAffine ||
                        (use == kPlace && isShortLoopOfForall(parent, loop)));
      if (!isCallers && !isEnumerated &&
          !(use == kAffine && isLongCounter(arg)))
        choose(value);
    } else {
      visitOp(value.getDefiningOp(), use);
    }
  }
}

/// How often a loop that is executed runs in one execution, at most; none where
/// that is not known.
std::optional<int64_t> ControlSlice::getTrips(Operation *op) const {
  auto it = mostTrips.find(op);
  if (it != mostTrips.end())
    return it->second;
  CountedLoop loop = CountedLoop::get(op);
  return loop ? loop.getTripCount() : std::nullopt;
}

/// True if the body of `loop`, and of each that is executed inside, is told
/// apart in few iterations, where `loop` runs `trips` times in each iteration
/// of those around it that are executed.
bool ControlSlice::haveFewCopies(Operation *loop, int64_t trips,
                                 Operation *kernel) const {
  // Of the loops from `inner` to `outer`, which is none of them.
  auto multiply = [&](Operation *inner, Operation *outer, int64_t copies) {
    for (; inner != outer; inner = inner->getParentOp())
      if (isChosen(inner) &&
          llvm::MulOverflow(copies, getTrips(inner).value_or(INT64_MAX),
                            copies))
        return INT64_MAX;
    return copies;
  };
  int64_t copies = multiply(loop->getParentOp(), kernel, trips);
  WalkResult result = loop->walk([&](Operation *inner) {
    bool areMany = (inner == loop || isChosen(inner)) &&
                   multiply(inner, loop, copies) > kMaxCopies;
    return areMany ? WalkResult::interrupt() : WalkResult::advance();
  });
  return !result.wasInterrupted();
}

/// True if a loop may be executed though no place hangs on its counter: it is
/// executed anyway, or short.
bool ControlSlice::mayExecute(const CountedLoop &loop,
                              Operation *kernel) const {
  Operation *op = loop.getOperation();
  std::optional<int64_t> trips = loop.getTripCount();
  if (!trips)
    return false;
  return isChosen(op)
             ? *trips <= kFewIterations
             : *trips <= kFewestIterations && haveFewCopies(op, *trips, kernel);
}

/// What `values` are computed from by ops without effects: no results of these,
/// and no constants.
SetVector<Value> ControlSlice::getSources(ValueRange values) {
  SetVector<Value> sources;
  SetVector<Value> work(values.begin(), values.end());
  for (unsigned next = 0; next < work.size(); ++next) {
    Value value = work[next];
    Operation *op = value.getDefiningOp();
    if (!op || op->getNumRegions() != 0 || !isMemoryEffectFree(op))
      sources.insert(value);
    else
      work.insert_range(
          llvm::make_filter_range(op->getOperands(), [](Value operand) {
            return operand.getType().isIntOrIndex();
          }));
  }
  return sources;
}

/// The loop that `value` counts; null if there is none.
static CountedLoop getLoopOfCounter(Value value) {
  CountedLoop loop = CountedLoop::get(value.getParentBlock()->getParentOp());
  return loop && value == loop.getInductionVar() ? loop : CountedLoop();
}

/// Affine forms know which iterations a counter lets through a guard, not how
/// many these are. Where they are few, or told apart anyway, they are executed.
void ControlSlice::chooseCountersOfGuards(ValueRange deciders,
                                          Operation *kernel) {
  for (Value source : getSources(deciders)) {
    CountedLoop loop = getLoopOfCounter(source);
    if (!loop || !mayExecute(loop, kernel))
      continue;
    choose(source);
    follow(kernel);
  }
}

/// How often `loop` runs at most, where the counter of `outer` decides; none
/// where that is not known for each of its numbers.
static std::optional<int64_t> getMostTrips(const CountedLoop &loop,
                                           const CountedLoop &outer,
                                           const KernelContext &context) {
  std::optional<int64_t> first = outer.getLower().getConstant();
  std::optional<int64_t> by = outer.getConstantStep();
  if (!first || !by)
    return std::nullopt;
  int64_t most = 0;
  for (int64_t trip = 0; trip < *outer.getTripCount(); ++trip) {
    OverlapWitness::Side side;
    side.values = {{outer.getInductionVar(), *first + trip * *by}};
    OneThreadEvaluator evaluator(context, side,
                                 OneThreadEvaluator::Facts::Execution);
    std::optional<int64_t> lower = evaluator.evaluateLower(loop);
    std::optional<int64_t> upper = evaluator.evaluateUpper(loop);
    std::optional<int64_t> step = evaluator.evaluateStep(loop);
    std::optional<int64_t> trips;
    if (lower && upper && step)
      trips = loop.getTripCount(*lower, *upper, *step);
    if (!trips)
      return std::nullopt;
    most = std::max(most, *trips);
  }
  return most;
}

/// The same for loops in triangles and their like: how often one runs, if at
/// all, hangs on the counter of another.
void ControlSlice::chooseCountersOfBounds(ArrayRef<Operation *> loops,
                                          const KernelContext &context) {
  Operation *kernel = context.getKernel();
  for (Operation *op : loops) {
    CountedLoop loop = CountedLoop::get(op);
    if (!loop.hasBounds() || loop.getTripCount())
      continue;
    SetVector<Value> sources = getSources(loop.getControl());
    CountedLoop outer;
    if (sources.size() == 1)
      outer = getLoopOfCounter(sources.front());
    if (!outer || !mayExecute(outer, kernel))
      continue;
    int64_t times = isChosen(outer.getOperation()) ? 1 : *outer.getTripCount();
    std::optional<int64_t> trips = getMostTrips(loop, outer, context);
    if (!trips || *trips > kFewestIterations ||
        !haveFewCopies(op, *trips * times, kernel))
      continue;
    mostTrips[op] = *trips;
    choose(loop.getInductionVar());
    follow(kernel);
  }
}

void ControlSlice::visit(Value value, Use use) {
  if (canBeFollowed(value) && seen[use].insert(value).second)
    work.push_back({value, use});
}

/// True when the result of `op` is affine where its operands are.
static bool isAffineOp(Operation *op) {
  switch (getIntegerOp(op)) {
  case IntegerOp::Add:
  case IntegerOp::Sub:
    return true;
  case IntegerOp::CastS:
  case IntegerOp::CastU: {
    // A cast to few bits takes a remainder.
    Type type = op->getResult(0).getType();
    return !type.isInteger() || type.getIntOrFloatBitWidth() >= 32 ||
           !op->getOperand(0).getType().isIntOrIndex() ||
           getBitWidth(type) >= getBitWidth(op->getOperand(0).getType());
  }
  case IntegerOp::Mul:
    return getConstantIntValue(op->getOperand(0)) ||
           getConstantIntValue(op->getOperand(1));
  case IntegerOp::None:
    break;
  default:
    return false;
  }
  if (auto apply = dyn_cast<affine::AffineApplyOp>(op))
    return llvm::none_of(apply.getMap().getResults(), [](AffineExpr expr) {
      return expr
          .walk([](AffineExpr inner) {
            bool divides = inner.getKind() == AffineExprKind::Mod ||
                           inner.getKind() == AffineExprKind::FloorDiv ||
                           inner.getKind() == AffineExprKind::CeilDiv;
            return divides ? WalkResult::interrupt() : WalkResult::advance();
          })
          .wasInterrupted();
    });
  return getPredicate(op) || isa<ViewLikeOpInterface>(op);
}

void ControlSlice::visitOp(Operation *op, Use use) {
  if (use == kAffine && (op->getNumRegions() != 0 || !isAffineOp(op)))
    use = kPlace;
  if (op->getNumRegions() == 0) {
    if (isMemoryEffectFree(op))
      for (Value operand : op->getOperands())
        visit(operand, use);
    return;
  }
  for (Value result : op->getResults()) {
    if (llvm::none_of(seen,
                      [&](auto &values) { return values.contains(result); }))
      continue;
    if (!ControlChoice::get(op))
      choose(result);
    else if (std::optional<SmallVector<Value>> passed = getPassedValues(result))
      for (Value source : *passed)
        visit(source, use);
  }
  if (ControlChoice choice = ControlChoice::get(op))
    visit(choice.getDecider(), use);
}

/// The number that `decider` is computed from, with constants: one bit, or what
/// a mask or a remainder leaves of a number. Null if it is not of the kernel's
/// first block, or not one for all threads.
static Value findRoot(Value decider, Operation *kernel,
                      const Uniformity &uniformity) {
  Value root;
  for (Value value = decider; value;) {
    Operation *op = value.getDefiningOp();
    IntegerOp kind = op ? getIntegerOp(op) : IntegerOp::None;
    if (value.getType().isInteger(1) || kind == IntegerOp::And ||
        kind == IntegerOp::RemU)
      root = value;
    if (!op || op->getNumRegions() != 0 || !isMemoryEffectFree(op))
      break;
    // Of several numbers none is the one that decides.
    SetVector<Value> sources;
    for (Value operand : op->getOperands())
      if (!getConstantIntValue(operand))
        sources.insert(operand);
    value = sources.size() == 1 ? sources.front() : Value();
  }
  if (!root || uniformity.getScope(root) > ExecutionScope::Workgroup)
    return {};
  Block *block = root.getParentBlock();
  return block->isEntryBlock() && block->getParentOp() == kernel ? root
                                                                 : Value();
}

/// One choice alone needs none: it may be any of two.
void ControlSlice::chooseRoots(Operation *kernel) {
  struct Uses {
    unsigned count = 0;
    bool choosesPlaces = false;
  };
  llvm::MapVector<Value, Uses> uses;
  auto isSeen = [&](Value value) {
    return llvm::any_of(seen, [&](const DenseSet<Value> &some) {
      return some.contains(value);
    });
  };
  kernel->walk([&](Operation *op) {
    Value decider;
    if (auto select = dyn_cast<arith::SelectOp>(op))
      decider = isSeen(select) ? select.getCondition() : Value();
    else if (ControlChoice choice = ControlChoice::get(op))
      decider = choice.getDecider();
    if (!decider || getConstantIntValue(decider))
      return;
    Value root = findRoot(decider, kernel, uniformity);
    if (!root)
      return;
    ++uses[root].count;
    uses[root].choosesPlaces |= llvm::any_of(op->getResults(), isSeen);
  });
  for (const auto &[root, of] : uses)
    if (of.choosesPlaces && of.count > 1) {
      roots.push_back(root);
      chosen.insert(root);
    }
}

/// With a value all that decides it is followed.
void ControlSlice::choose(Value value) {
  if (!canBeFollowed(value) || !chosen.insert(value).second)
    return;
  auto arg = dyn_cast<BlockArgument>(value);
  Operation *owner =
      arg ? arg.getOwner()->getParentOp() : value.getDefiningOp();
  owners.insert(owner);
  if (std::optional<SmallVector<Value>> passed = getPassedValues(value))
    for (Value source : *passed)
      visit(source, kControl);
  if (CountedLoop loop = CountedLoop::get(owner))
    for (Value control : loop.getControl())
      visit(control, kControl);
  else if (auto loop = dyn_cast<scf::WhileOp>(owner))
    visit(loop.getConditionOp().getCondition(), kControl);
}

void ControlSlice::drop(Operation *op) {
  owners.erase(op);
  for (Region &region : op->getRegions())
    for (Block &block : region)
      for (BlockArgument arg : block.getArguments())
        chosen.erase(arg);
  for (Value result : op->getResults())
    chosen.erase(result);
}

//===----------------------------------------------------------------------===//
// Last users
//===----------------------------------------------------------------------===//

/// Users come behind what they use, so that each result is known before what it
/// is computed from. Induction variables are known for as long as their block
/// runs: the end of an iteration decides by them.
void ControlSlice::findLastUsers(Operation *kernel) {
  auto visitValue = [&](Value value) {
    if (!canBeFollowed(value) || value.use_empty()) {
      lastUsers[value] = nullptr;
      return;
    }
    Block *block = value.getParentBlock();
    Operation *last = nullptr;
    auto add = [&](Operation *user) {
      if (!last || last->isBeforeInBlock(user))
        last = user;
    };
    for (Operation *user : value.getUsers()) {
      Operation *around = block->findAncestorOpInBlock(*user);
      add(around);
      // The results of loops and branches are chosen themselves, or computed
      // from what was known where they ended; a chosen one is known by itself.
      for (Value result : around->getResults())
        if (Operation *later = contains(result) ? nullptr : lastUsers[result])
          add(later);
    }
    lastUsers[value] = last;
  };
  kernel->walk([&](Block *block) {
    if (!block->getParent()->hasOneBlock())
      return;
    for (Operation &op : llvm::reverse(*block))
      for (Value result : op.getResults())
        visitValue(result);
    CountedLoop loop = CountedLoop::get(block->getParentOp());
    for (BlockArgument arg : block->getArguments())
      if (!loop || arg != loop.getInductionVar())
        visitValue(arg);
  });
}

void ControlSlice::forEachFedBy(Value value,
                                llvm::function_ref<void(Value)> visit) const {
  auto it = fed.find(value);
  if (it == fed.end())
    return;
  for (Value target : it->second)
    if (contains(target))
      visit(target);
}

bool ControlSlice::isUsedBehind(Value value, Operation *op) const {
  auto it = lastUsers.find(value);
  if (it == lastUsers.end() || value.getParentBlock() != op->getBlock())
    return true;
  return it->second && op->isBeforeInBlock(it->second);
}

/// `value` and `loop` are in one block, the only one of its region.
bool ControlSlice::isUsedInside(Value value, Operation *loop) const {
  auto [it, isNew] = usedInside.try_emplace({value, loop}, true);
  if (!isNew)
    return it->second;
  SetVector<Value> work;
  work.insert(value);
  if (CountedLoop counted = CountedLoop::get(loop))
    for (Value control : counted.getControl())
      if (getSources(control).contains(value))
        return true;
  for (unsigned next = 0; next < work.size(); ++next) {
    Value one = work[next];
    for (Operation *user : one.getUsers()) {
      Operation *around = loop->getBlock()->findAncestorOpInBlock(*user);
      if (around == loop && user != loop)
        return true;
      if (around != loop)
        for (Value result : around->getResults())
          if (!contains(result))
            work.insert(result);
    }
  }
  return usedInside[{value, loop}] = false;
}

bool ControlSlice::isUsedFrom(Value value, Operation *loop) const {
  return value.getParentBlock() != loop->getBlock() ||
         isUsedBehind(value, loop) || isUsedInside(value, loop);
}

/// What decides a branch at which threads part is live for as long as they are:
/// which of them are in a block hangs on that.
std::optional<DenseSet<Block *>> ControlSlice::findLiveIn(Value value) const {
  Block *owner = value.getParentBlock();
  Region *region = owner->getParent();
  DenseSet<Block *> live;
  SmallVector<Block *> pending;
  auto add = [&](Block *block) {
    if (block != owner && live.insert(block).second)
      pending.push_back(block);
  };
  SetVector<Value> work;
  work.insert(value);
  for (unsigned next = 0; next < work.size(); ++next) {
    Value one = work[next];
    for (OpOperand &use : one.getUses()) {
      auto branch = dyn_cast<BranchOpInterface>(use.getOwner());
      if (branch && !branch.getSuccessorBlockArgument(use.getOperandNumber()) &&
          uniformity.getScope(one) > ExecutionScope::Workgroup) {
        auto it = divergent.find(branch);
        if (it == divergent.end())
          return std::nullopt;
        for (Block *parted : it->second->blocks)
          add(parted);
      }
      Operation *around = region->findAncestorOpInRegion(*use.getOwner());
      add(around->getBlock());
      for (Value result : around->getResults())
        if (!contains(result))
          work.insert(result);
    }
  }
  while (!pending.empty())
    for (Block *before : pending.pop_back_val()->getPredecessors())
      add(before);
  return live;
}

bool ControlSlice::isUsedFrom(Value value, Block *block) const {
  Block *owner = value.getParentBlock();
  if (owner->getParent() != block->getParent() || owner == block)
    return true;
  CountedLoop loop = CountedLoop::get(owner->getParentOp());
  if (loop && value == loop.getInductionVar())
    return true;
  auto [it, isNew] = liveIn.try_emplace(value);
  if (isNew)
    it->second = findLiveIn(value);
  return !it->second || it->second->contains(block);
}
