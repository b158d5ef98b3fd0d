//===- Uniformity.cpp - what is the same in all threads -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MemSpace/Analysis/Uniformity.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

using namespace mlir;
using namespace mlir::memspace;

static bool isPrivateMemory(Value value) {
  auto type = dyn_cast<BaseMemRefType>(value.getType());
  if (!type)
    return false;
  auto space = dyn_cast_or_null<gpu::AddressSpaceAttr>(type.getMemorySpace());
  return space ? space.getValue() == gpu::AddressSpace::Private
               : value.getDefiningOp<memref::AllocaOp>() != nullptr;
}

static bool mayReadPrivate(Operation *op) {
  return llvm::any_of(op->getOperands(), isPrivateMemory);
}

Uniformity::Uniformity(FunctionOpInterface kernel,
                       const ThreadRelations &relations)
    : kernel(kernel), relations(relations) {
  // From "everything is uniform" down to a fixed point.
  bool changed = true;
  while (changed) {
    changed = false;
    refined.clear();
    kernel->walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (op != kernel.getOperation())
        changed |= update(op);
    });
  }
}

ExecutionScope Uniformity::getScope(Value value) const {
  auto it = scopes.find(value);
  return it == scopes.end() ? ExecutionScope::Workgroup : it->second;
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

/// What arithmetic on ids makes: `tid / 32` is one number in a subgroup, and
/// `tid < 64` holds in a workgroup of 64.
ExecutionScope Uniformity::refine(Value value) const {
  ExecutionScope scope = getScope(value);
  if (scope != ExecutionScope::Thread || !value.getType().isIntOrIndex())
    return scope;
  auto [it, inserted] = refined.try_emplace(value, scope);
  if (!inserted)
    return it->second;
  // The conditions of a guard are uniform if each of them is.
  if (Operation *op = value.getDefiningOp();
      op && isa<arith::AndIOp, arith::OrIOp, arith::XOrIOp>(op))
    scope = std::max(refine(op->getOperand(0)), refine(op->getOperand(1)));
  if (scope == ExecutionScope::Thread)
    for (ExecutionScope candidate :
         {ExecutionScope::Workgroup, ExecutionScope::Subgroup})
      if (relations.isUniform(value, candidate)) {
        scope = candidate;
        break;
      }
  refined[value] = scope;
  return scope;
}

ExecutionScope Uniformity::getControlScope(Operation *op) const {
  if (op->getNumRegions() == 0 || isa<FunctionOpInterface>(op))
    return ExecutionScope::Workgroup;
  for (Region &region : op->getRegions())
    if (!region.empty() && !region.hasOneBlock())
      return ExecutionScope::Thread;
  if (isa<scf::ExecuteRegionOp>(op))
    return ExecutionScope::Workgroup;
  if (auto ifOp = dyn_cast<scf::IfOp>(op))
    return refine(ifOp.getCondition());
  if (auto forOp = dyn_cast<scf::ForOp>(op))
    return std::max({refine(forOp.getLowerBound()),
                     refine(forOp.getUpperBound()), refine(forOp.getStep())});
  if (auto whileOp = dyn_cast<scf::WhileOp>(op))
    return refine(whileOp.getConditionOp().getCondition());
  if (auto switchOp = dyn_cast<scf::IndexSwitchOp>(op))
    return refine(switchOp.getArg());
  // The payload of a structured op is no control flow.
  if (!isa<RegionBranchOpInterface>(op) && !isa<LoopLikeOpInterface>(op) &&
      isa<MemoryEffectOpInterface>(op))
    return ExecutionScope::Workgroup;
  return ExecutionScope::Thread;
}

ExecutionScope Uniformity::getReachScope(Operation *op,
                                         Operation **cause) const {
  ExecutionScope scope = ExecutionScope::Workgroup;
  for (Operation *parent = op->getParentOp();
       parent && parent != FunctionOpInterface(kernel).getOperation();
       parent = parent->getParentOp()) {
    ExecutionScope control = getControlScope(parent);
    if (control > scope) {
      scope = control;
      if (cause)
        *cause = parent;
    }
  }
  return scope;
}

/// True when `op` may store through `value`. Loads of different elements leave
/// the memory the same in all threads.
static bool mayStore(Operation *op, Value value) {
  auto interface = dyn_cast<MemoryEffectOpInterface>(op);
  if (!interface)
    return true;
  SmallVector<MemoryEffects::EffectInstance> effects;
  interface.getEffects(effects);
  return llvm::any_of(effects, [&](const auto &effect) {
    return isa<MemoryEffects::Write>(effect.getEffect()) &&
           (!effect.getValue() || effect.getValue() == value);
  });
}

/// The memory behind a view of private memory holds what is stored through it.
bool Uniformity::raiseStored(Operation *op, ExecutionScope scope) {
  if (isMemoryEffectFree(op) || scope == ExecutionScope::Workgroup)
    return false;
  bool changed = false;
  for (Value operand : op->getOperands()) {
    if (!isPrivateMemory(operand) || !mayStore(op, operand))
      continue;
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

bool Uniformity::update(Operation *op) {
  bool changed = false;
  auto raiseAll = [&](ValueRange values, ExecutionScope scope) {
    for (Value value : values)
      changed |= raise(value, scope);
  };

  if (isa<gpu::ThreadIdOp, gpu::LaneIdOp, gpu::GlobalIdOp>(op)) {
    raiseAll(op->getResults(), ExecutionScope::Thread);
    return changed;
  }
  if (isa<gpu::SubgroupIdOp, gpu::SubgroupReduceOp>(op)) {
    raiseAll(op->getResults(), ExecutionScope::Subgroup);
    return changed;
  }
  if (isa<gpu::AllReduceOp>(op))
    return false;

  ExecutionScope operands = join(op->getOperands());
  bool isControl =
      isa<RegionBranchOpInterface>(op) || isa<LoopLikeOpInterface>(op);
  if (isControl) {
    ExecutionScope control = getControlScope(op);
    // What the regions pass on, and which of them does, decides the results.
    ExecutionScope all = std::max(operands, control);
    if (auto forOp = dyn_cast<scf::ForOp>(op)) {
      changed |= raise(forOp.getInductionVar(), control);
      for (auto [init, arg, yield, result] :
           llvm::zip(forOp.getInitArgs(), forOp.getRegionIterArgs(),
                     forOp.getYieldedValues(), forOp.getResults())) {
        ExecutionScope scope =
            std::max({control, getScope(init), getScope(yield)});
        changed |= raise(arg, scope);
        changed |= raise(result, scope);
      }
      return changed;
    }
    if (auto ifOp = dyn_cast<scf::IfOp>(op)) {
      for (OpResult result : ifOp.getResults()) {
        unsigned index = result.getResultNumber();
        changed |= raise(
            result,
            std::max({control, getScope(ifOp.thenYield()->getOperand(index)),
                      getScope(ifOp.elseYield()->getOperand(index))}));
      }
      return changed;
    }
    for (Region &region : op->getRegions())
      for (Block &block : region)
        if (block.mightHaveTerminator())
          all = std::max(all, join(block.getTerminator()->getOperands()));
    for (Region &region : op->getRegions())
      for (Block &block : region)
        raiseAll(block.getArguments(), all);
    raiseAll(op->getResults(), all);
    return changed;
  }

  // Code that we know nothing of may hand out anything.
  if (!isMemoryEffectFree(op) && !isa<MemoryEffectOpInterface>(op) &&
      !op->hasTrait<OpTrait::HasRecursiveMemoryEffects>())
    operands = ExecutionScope::Thread;
  bool readsAndWrites =
      hasEffect<MemoryEffects::Read>(op) && hasEffect<MemoryEffects::Write>(op);
  // An atomic gives every thread another value.
  if (op->getNumResults() != 0 && readsAndWrites)
    operands = ExecutionScope::Thread;
  for (Region &region : op->getRegions())
    for (Block &block : region) {
      raiseAll(block.getArguments(), operands);
      // The payload may read what it captures.
      block.walk([&](Operation *inner) {
        operands = std::max(operands, join(inner->getOperands()));
      });
    }
  raiseAll(op->getResults(), operands);
  if (mayReadPrivate(op))
    changed |= raiseStored(op, std::max(operands, getReachScope(op)));
  return changed;
}
