//===- Uniformity.cpp - what is the same in all threads -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MemSpace/Threads/Uniformity.h"
#include "BranchLoop.h"
#include "Kernel/ChainDepth.h"
#include "MemSpace/Kernel/CountedLoop.h"
#include "MemSpace/Memory/ValueFlow.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

using namespace mlir;
using namespace mlir::memspace;

/// True when `value` may be memory of one thread. Where it comes from is
/// followed as far as one value leads to it.
static bool mayBePrivate(Value value, const MemorySpaceMapping &spaces) {
  while (auto type = dyn_cast<BaseMemRefType>(value.getType())) {
    if (std::optional<MemorySpace> space = spaces.getNamedSpace(type))
      return *space == MemorySpace::Private;
    Operation *def = value.getDefiningOp();
    if (!def)
      return !isa<FunctionOpInterface>(
          cast<BlockArgument>(value).getOwner()->getParentOp());
    if (isa<memref::AllocOp, memref::GetGlobalOp>(def))
      return false;
    auto sources = llvm::make_filter_range(def->getOperands(), [](Value v) {
      return isa<BaseMemRefType>(v.getType());
    });
    if (def->getNumRegions() != 0 || !isMemoryEffectFree(def) ||
        !llvm::hasSingleElement(sources))
      return true;
    value = *sources.begin();
  }
  return false;
}

bool Uniformity::mayReadPrivate(Operation *op) const {
  return llvm::any_of(op->getOperands(), [&](Value operand) {
    return mayBePrivate(operand, context.getSpaces());
  });
}

Uniformity::Uniformity(const KernelContext &context,
                       const ThreadRelations &relations)
    : kernel(context.getKernel()), context(context), relations(relations),
      dominance(kernel), postDominance(kernel) {
  collectSteps();
  // From "everything is uniform" down to a fixed point.
  bool changed = true;
  while (changed) {
    changed = false;
    refined.clear();
    refinedTrips.clear();
    branches.clear();
    for (const Step &step : steps)
      changed |= step.region ? updateBlocks(*step.region) : update(step);
    changed &= hasWaysBack;
  }
}

/// The ops in their order, with what does not change from round to round.
void Uniformity::collectSteps() {
  kernel->walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (op != kernel.getOperation())
      addStep(op);
    for (Region &region : op->getRegions())
      if (!region.empty() && !region.hasOneBlock()) {
        steps.push_back({op, ExecutionScope::Workgroup, {}, &region});
        hasWaysBack = true;
      }
  });
}

/// True when values in its regions decide which of them is executed next, or
/// are passed on to other regions and results.
static bool dependsOnRegions(RegionBranchOpInterface op) {
  bool passes = false;
  forEachPassedValue(op, [&](Value, Value, Operation *terminator) {
    passes |= terminator != nullptr;
  });
  std::optional<SmallVector<Value>> deciding = getControlValues(op);
  return passes ||
         (deciding && llvm::any_of(*deciding, [&](Value value) {
            return op->isAncestor(value.getParentBlock()->getParentOp());
          }));
}

void Uniformity::addStep(Operation *op) {
  ExecutionScope least = getResultScope(op);
  if (ignoresOperandScopes(op)) {
    for (Value result : op->getResults())
      raise(result, least);
    return;
  }
  Step step{op, least};
  // Most ops have no regions, and interfaces that an op does not have take
  // long to be found missing.
  bool hasRegions = op->getNumRegions() != 0;
  auto branch = hasRegions ? dyn_cast<RegionBranchOpInterface>(op)
                           : RegionBranchOpInterface();
  if (branch) {
    step.isBranch = true;
    hasWaysBack |= dependsOnRegions(branch);
    steps.push_back(std::move(step));
    return;
  }
  // Of other loops and of a payload it is not known what passes values on.
  hasWaysBack |= hasRegions;
  step.isLoop = hasRegions && isa<LoopLikeOpInterface>(op);
  auto interface = dyn_cast<MemoryEffectOpInterface>(op);
  // What it says of memory matters to results and to what is of one thread.
  if (interface && op->getNumResults() == 0 &&
      llvm::none_of(op->getOperands(), [&](Value operand) {
        return mayBePrivate(operand, context.getSpaces());
      })) {
    if (hasRegions)
      steps.push_back(std::move(step));
    return;
  }
  SmallVector<MemoryEffects::EffectInstance> effects;
  if (interface)
    interface.getEffects(effects);
  // Asks for them once more where it has to look into regions.
  bool isFree = interface && (!effects.empty() || !hasRegions)
                    ? effects.empty()
                    : isMemoryEffectFree(op);
  if (!step.isLoop && !isFree) {
    auto has = [&](auto isKind) { return llvm::any_of(effects, isKind); };
    auto isWrite = [](const MemoryEffects::EffectInstance &effect) {
      return isa<MemoryEffects::Write>(effect.getEffect());
    };
    // Code that we know nothing of may hand out anything, and an atomic gives
    // every thread another value.
    if (interface ? op->getNumResults() != 0 && has(isWrite) &&
                        has([](const MemoryEffects::EffectInstance &effect) {
                          return isa<MemoryEffects::Read>(effect.getEffect());
                        })
                  : !op->hasTrait<OpTrait::HasRecursiveMemoryEffects>())
      step.least = ExecutionScope::Thread;
    // Loads of different elements leave the memory the same in all threads.
    for (Value operand : op->getOperands())
      if (mayBePrivate(operand, context.getSpaces()) &&
          (!interface || has([&](const MemoryEffects::EffectInstance &effect) {
            return isWrite(effect) &&
                   (!effect.getValue() || effect.getValue() == operand);
          })))
        step.stored.push_back(operand);
    hasWaysBack |= !step.stored.empty();
  }
  if (op->getNumResults() != 0 || hasRegions || !step.stored.empty())
    steps.push_back(std::move(step));
}

ExecutionScope Uniformity::getScope(Value value) const {
  auto it = scopes.find(value);
  return it == scopes.end() ? ExecutionScope::Workgroup : it->second;
}

bool Uniformity::isSameWhere(Value value, ValueRange equal) const {
  if (llvm::is_contained(equal, value) ||
      getScope(value) <= ExecutionScope::Workgroup)
    return true;
  Operation *op = value.getDefiningOp();
  ChainDepth chain(depth);
  if (!op || op->getNumRegions() != 0 || chain.isTooDeep() ||
      getResultScope(op) > ExecutionScope::Workgroup)
    return false;
  bool reads = !isMemoryEffectFree(op);
  if (reads && (!hasSingleEffect<MemoryEffects::Read>(op) ||
                mayReadPrivate(op) || dependsOnIteration(value)))
    return false;
  return llvm::all_of(op->getOperands(), [&](Value operand) {
    return isSameWhere(operand, equal);
  });
}

ExecutionScope Uniformity::join(ValueRange values) const {
  ExecutionScope scope = ExecutionScope::Workgroup;
  for (Value value : values)
    scope = std::max(scope, getScope(value));
  return scope;
}

bool Uniformity::raise(Value value, ExecutionScope scope) {
  if (scope <= getScope(value))
    return false;
  scopes[value] = scope;
  return true;
}

/// True for a number that is computed from what threads read from memory that
/// they share, and for a view of it.
bool Uniformity::readsMemory(Value value) const {
  if (auto it = reading.find(value); it != reading.end())
    return it->second;
  Operation *op = value.getDefiningOp();
  ChainDepth chain(depth);
  bool result = false;
  if (op && op->getNumRegions() == 0 && !chain.isTooDeep())
    result =
        isMemoryEffectFree(op)
            ? llvm::any_of(op->getOperands(),
                           [&](Value v) { return readsMemory(v); })
            : hasSingleEffect<MemoryEffects::Read>(op) && !mayReadPrivate(op);
  return reading[value] = result;
}

/// What arithmetic on ids makes: `tid / 32` is one number in a subgroup, and
/// `tid < 64` holds in a workgroup of 64. What is read there is, too.
ExecutionScope Uniformity::refine(Value value) const {
  ExecutionScope scope = getScope(value);
  if (scope != ExecutionScope::Thread)
    return scope;
  if (auto it = refined.find(value); it != refined.end())
    return it->second;
  ChainDepth chain(depth);
  auto refineOperands = [&](Operation *op) {
    ExecutionScope scope =
        std::max(ExecutionScope::Workgroup, getResultScope(op));
    for (Value operand : op->getOperands())
      scope = std::max(scope, refine(operand));
    return scope;
  };
  bool isNumber = value.getType().isIntOrIndex();
  // The conditions of a guard are uniform if each of them is.
  Operation *op = value.getDefiningOp();
  if (isNumber &&
      isa_and_nonnull<arith::AndIOp, arith::OrIOp, arith::XOrIOp>(op) &&
      !chain.isTooDeep())
    scope = refineOperands(op);
  if (scope == ExecutionScope::Thread && !dependsOnIteration(value)) {
    for (ExecutionScope candidate :
         {ExecutionScope::Workgroup, ExecutionScope::Subgroup})
      if (isNumber && relations.isUniform(value, candidate)) {
        scope = candidate;
        break;
      }
    // What is not equal lies on two sides, which the relations do not follow.
    if (scope == ExecutionScope::Thread && !chain.isTooDeep() &&
        (readsMemory(value) ||
         isa_and_nonnull<ViewLikeOpInterface, arith::CmpIOp>(op)))
      scope = refineOperands(op);
  }
  refined[value] = scope;
  return scope;
}

ExecutionScope Uniformity::refineAll(ArrayRef<Value> values) const {
  ExecutionScope scope = ExecutionScope::Workgroup;
  for (Value value : values)
    scope = std::max(scope, refine(value));
  return scope;
}

/// A loop in which each thread begins and ends at places of its own may have as
/// many iterations in all of them. Of a loop made of branches `op` is the one
/// that counts.
ExecutionScope Uniformity::refineTrips(Operation *op,
                                       ArrayRef<Value> deciding) const {
  ExecutionScope scope = refineAll(deciding);
  if (scope == ExecutionScope::Workgroup)
    return scope;
  auto [it, isNew] = refinedTrips.try_emplace(op, scope);
  if (!isNew)
    return it->second;
  auto refineBy = [&](ArrayRef<Value> values, ExecutionScope reached,
                      auto &&hasEqualTrips) {
    if (llvm::any_of(values,
                     [&](Value value) { return dependsOnIteration(value); }))
      return scope;
    for (ExecutionScope candidate :
         {ExecutionScope::Workgroup, ExecutionScope::Subgroup})
      if (reached <= candidate && candidate < scope && hasEqualTrips(candidate))
        return candidate;
    return scope;
  };
  ExecutionScope found = scope;
  if (CountedLoop loop = CountedLoop::get(op))
    found = refineBy(deciding, ExecutionScope::Workgroup,
                     [&](ExecutionScope candidate) {
                       return relations.hasEqualTrips(loop, candidate);
                     });
  else if (std::optional<BranchLoop> loop = BranchLoop::get(op, dominance))
    // Who begins it again alone is in an iteration of its own.
    found = refineBy({loop->lower, loop->upper},
                     std::max(getReachScope(op), getReachScope(loop->entry)),
                     [&](ExecutionScope candidate) {
                       return relations.hasEqualTrips(*loop, candidate);
                     });
  // Other loops may have been asked about in between.
  return refinedTrips[op] = found;
}

ExecutionScope Uniformity::getControlScope(Operation *op) const {
  if (!isa<FunctionOpInterface>(op))
    for (Region &region : op->getRegions())
      if (!region.empty() && !region.hasOneBlock())
        return ExecutionScope::Thread;
  return getEntryScope(op);
}

ExecutionScope Uniformity::getEntryScope(Operation *op) const {
  if (op->getNumRegions() == 0 || isa<FunctionOpInterface>(op))
    return ExecutionScope::Workgroup;
  if (std::optional<SmallVector<Value>> deciding = getControlValues(op))
    return refineTrips(op, *deciding);
  // The payload of a structured op is no control flow.
  if (!isa<RegionBranchOpInterface>(op) && !isa<LoopLikeOpInterface>(op) &&
      isa<MemoryEffectOpInterface>(op))
    return ExecutionScope::Workgroup;
  return ExecutionScope::Thread;
}

ExecutionScope Uniformity::getReachScope(Operation *op,
                                         Operation **cause) const {
  ExecutionScope scope = ExecutionScope::Workgroup;
  auto narrow = [&](ExecutionScope control, Operation *by) {
    if (control <= scope)
      return;
    scope = control;
    if (cause)
      *cause = by;
  };
  Operation *root = FunctionOpInterface(kernel).getOperation();
  for (Operation *inner = op; inner && inner != root;
       inner = inner->getParentOp()) {
    Operation *terminator = nullptr;
    ExecutionScope block = getBlockScope(inner->getBlock(), &terminator);
    narrow(block, terminator);
    Operation *parent = inner->getParentOp();
    if (parent && parent != root)
      narrow(getEntryScope(parent), parent);
  }
  return scope;
}

//===----------------------------------------------------------------------===//
// Control flow between blocks
//===----------------------------------------------------------------------===//

ExecutionScope Uniformity::getBlockScope(Block *block,
                                         Operation **cause) const {
  auto it = blockScopes.find(block);
  if (it == blockScopes.end())
    return ExecutionScope::Workgroup;
  if (cause)
    *cause = it->second.cause;
  return it->second.scope;
}

/// Over which threads the successor is the same.
ExecutionScope Uniformity::getBranchScope(Operation *terminator) const {
  if (terminator->getNumSuccessors() < 2)
    return ExecutionScope::Workgroup;
  if (std::optional<SmallVector<Value>> deciding = getControlValues(terminator))
    return refineTrips(terminator, *deciding);
  return ExecutionScope::Thread;
}

/// True where threads that have parted behind `parting`, and were in `between`
/// since, bring one value to `arg`, computed before they parted: the ways into
/// its block do not tell them apart.
static bool isPassedOneValue(BlockArgument arg, Block *parting,
                             const SetVector<Block *> &between) {
  Value common;
  for (Block *from : arg.getOwner()->getPredecessors()) {
    if (from != parting && !between.contains(from))
      continue;
    auto branch = dyn_cast<BranchOpInterface>(from->getTerminator());
    if (!branch)
      return false;
    for (auto [index, to] : llvm::enumerate(from->getSuccessors())) {
      if (to != arg.getOwner())
        continue;
      Value passed = branch.getSuccessorOperands(index)[arg.getArgNumber()];
      if (!passed || (common && passed != common))
        return false;
      common = passed;
    }
  }
  return common && !between.contains(common.getParentBlock());
}

/// The blocks of `between` that two ways lead to, each of which begins with
/// another branch of `block`, be it to the same successor: who is in another
/// block has gone there as all others in it.
static DenseSet<Block *> getReachedTwice(Block *block,
                                         const SetVector<Block *> &between) {
  DenseSet<Block *> once, twice;
  for (Block *successor : block->getSuccessors()) {
    SetVector<Block *> reached;
    if (between.contains(successor))
      reached.insert(successor);
    for (unsigned i = 0; i < reached.size(); ++i) {
      if (!once.insert(reached[i]).second)
        twice.insert(reached[i]);
      for (Block *next : reached[i]->getSuccessors())
        if (between.contains(next))
          reached.insert(next);
    }
  }
  return twice;
}

/// Threads part behind `block` and come together at `meeting`, if anywhere: in
/// between only some are.
bool Uniformity::part(Block *block, Block *meeting, ExecutionScope scope) {
  if (!dominance.isReachableFromEntry(block))
    return false;
  bool changed = false;
  SetVector<Block *> between;
  for (Block *successor : block->getSuccessors())
    if (successor != meeting)
      between.insert(successor);
  for (unsigned i = 0; i < between.size(); ++i)
    for (Block *successor : between[i]->getSuccessors())
      if (successor != meeting)
        between.insert(successor);
  // Whoever comes to `block` again has parted from those that do not.
  bool isCycle = between.contains(block);
  DenseSet<Block *> reachedTwice;
  if (!isCycle)
    reachedTwice = getReachedTwice(block, between);
  for (Block *inner : between) {
    BlockScope &known = blockScopes[inner];
    if (scope > known.scope) {
      known.scope = scope;
      known.cause = block->getTerminator();
      changed = true;
    }
    if (isCycle && !known.isRepeated) {
      known.isRepeated = true;
      changed = true;
    }
    if (isCycle || reachedTwice.contains(inner))
      for (BlockArgument arg : inner->getArguments())
        changed |= raise(arg, scope);
    if (!known.isRepeated)
      continue;
    for (Operation &op : *inner)
      if (!isMemoryEffectFree(&op))
        for (Value result : op.getResults()) {
          changed |= iterationValues.insert(result).second;
          changed |= raise(result, scope);
        }
  }
  // By which way a thread has come decides what it brings.
  if (meeting)
    for (BlockArgument arg : meeting->getArguments())
      if (!isPassedOneValue(arg, block, between))
        changed |= raise(arg, scope);
  branches.push_back({block->getTerminator(), scope, std::move(between)});
  return changed;
}

/// What a terminator passes to the arguments of other blocks.
bool Uniformity::passArguments(Operation *terminator) {
  bool changed = false;
  auto branch = dyn_cast<BranchOpInterface>(terminator);
  for (auto [index, successor] :
       llvm::enumerate(terminator->getBlock()->getSuccessors()))
    for (BlockArgument arg : successor->getArguments()) {
      Value passed;
      if (branch)
        passed = branch.getSuccessorOperands(index)[arg.getArgNumber()];
      changed |= raise(arg, passed ? getScope(passed) : ExecutionScope::Thread);
    }
  return changed;
}

bool Uniformity::updateBlocks(Region &region) {
  bool changed = false;
  for (Block &block : region) {
    if (!block.mightHaveTerminator())
      continue;
    Operation *terminator = block.getTerminator();
    changed |= passArguments(terminator);
    ExecutionScope scope = getBranchScope(terminator);
    if (scope == ExecutionScope::Workgroup)
      continue;
    auto *node = postDominance.getNode(&block);
    auto *parent = node ? node->getIDom() : nullptr;
    changed |= part(&block, parent ? parent->getBlock() : nullptr, scope);
  }
  return changed;
}

/// True if `value` is calculated from what differs between the iterations in
/// which threads leave a cycle, though it is the same in each iteration.
bool Uniformity::dependsOnIteration(Value value) const {
  if (iterationValues.empty())
    return false;
  SmallVector<Value> work{value};
  DenseSet<Value> seen;
  while (!work.empty()) {
    Value next = work.pop_back_val();
    if (!seen.insert(next).second)
      continue;
    if (iterationValues.contains(next))
      return true;
    Operation *op = next.getDefiningOp();
    if (!op)
      op = cast<BlockArgument>(next).getOwner()->getParentOp();
    if (isa<FunctionOpInterface>(op))
      continue;
    llvm::append_range(work, op->getOperands());
    for (Region &region : op->getRegions())
      for (Block &block : region)
        if (block.mightHaveTerminator())
          llvm::append_range(work, block.getTerminator()->getOperands());
  }
  return false;
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

/// The memory behind a view of private memory holds what is stored through it.
bool Uniformity::raiseStored(const Step &step, ExecutionScope scope) {
  if (scope == ExecutionScope::Workgroup)
    return false;
  bool changed = false;
  for (Value operand : step.stored) {
    SmallVector<Value> work{operand};
    DenseSet<Value> visited;
    while (!work.empty()) {
      Value value = work.pop_back_val();
      if (!visited.insert(value).second)
        continue;
      changed |= raise(value, scope);
      // Upward through whatever the memory comes from.
      if (Operation *def = value.getDefiningOp()) {
        for (Value source : def->getOperands())
          if (isa<BaseMemRefType>(source.getType()))
            work.push_back(source);
        for (Region &region : def->getRegions())
          for (Block &block : region)
            if (block.mightHaveTerminator())
              for (Value source : block.getTerminator()->getOperands())
                if (isa<BaseMemRefType>(source.getType()))
                  work.push_back(source);
      } else {
        for (Value source : cast<BlockArgument>(value)
                                .getOwner()
                                ->getParentOp()
                                ->getOperands())
          if (isa<BaseMemRefType>(source.getType()))
            work.push_back(source);
      }
    }
  }
  return changed;
}

/// What control flow passes on, and which way it has come, decides the
/// arguments of regions and the results.
bool Uniformity::updateBranch(RegionBranchOpInterface op) {
  bool changed = false;
  ExecutionScope control = getEntryScope(op);
  DenseSet<Value> passed;
  forEachPassedValue(op, [&](Value from, Value to, Operation *terminator) {
    // Threads that part between the blocks of a region leave it by ways of
    // their own.
    ExecutionScope way = control;
    if (terminator)
      way = std::max(way, getBlockScope(terminator->getBlock()));
    passed.insert(to);
    changed |= raise(to, std::max(way, getScope(from)));
  });
  // What the op itself makes: induction variables.
  ExecutionScope made = std::max(control, join(op->getOperands()));
  if (CountedLoop loop = CountedLoop::get(op); loop && loop.hasBounds())
    made = std::max(control, refineAll(loop.getControl()));
  auto raiseMade = [&](ValueRange values) {
    for (Value value : values)
      if (!passed.contains(value))
        changed |= raise(value, made);
  };
  for (Region &region : op->getRegions())
    raiseMade(region.getArguments());
  raiseMade(op->getResults());
  return changed;
}

bool Uniformity::update(const Step &step) {
  Operation *op = step.op;
  bool changed = false;
  auto raiseAll = [&](ValueRange values, ExecutionScope scope) {
    for (Value value : values)
      changed |= raise(value, scope);
  };

  if (step.isBranch)
    return updateBranch(cast<RegionBranchOpInterface>(op));
  ExecutionScope operands = std::max(join(op->getOperands()), step.least);
  if (step.isLoop) {
    ExecutionScope all = std::max(operands, getEntryScope(op));
    for (Region &region : op->getRegions())
      raiseAll(region.getArguments(), all);
    raiseAll(op->getResults(), all);
    return changed;
  }

  for (Region &region : op->getRegions())
    for (Block &block : region) {
      raiseAll(block.getArguments(), operands);
      // The payload may read what it captures.
      block.walk([&](Operation *inner) {
        operands = std::max(operands, join(inner->getOperands()));
      });
    }
  raiseAll(op->getResults(), operands);
  if (!step.stored.empty())
    changed |= raiseStored(step, std::max(operands, getReachScope(op)));
  return changed;
}
