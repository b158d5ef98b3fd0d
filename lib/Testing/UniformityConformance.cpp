//===- UniformityConformance.cpp - scopes, control, barriers -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ConformanceChecks.h"

using namespace mlir;
using namespace mlir::memspace;

//===----------------------------------------------------------------------===//
// UniformityOpInterface
//===----------------------------------------------------------------------===//

/// Memory of which each execution or each thread may read something else; null
/// where `op` does not say that it touches such.
static const char *findChangingMemory(Operation *op,
                                      const MemorySpaceMapping &spaces) {
  auto effects = getReadsAndWrites(op);
  if (!effects)
    return nullptr;
  for (const MemoryEffects::EffectInstance &effect : *effects) {
    if (isa<MemoryEffects::Write>(effect.getEffect()))
      return "it writes memory, so that the next thread may get another value";
    if (effect.getValue() &&
        getNamedSpace(effect.getValue(), spaces) == MemorySpace::Private)
      return "it reads private memory, of which each thread has its own";
  }
  return nullptr;
}

/// An op in the payload of `op` that computes a value from nothing but its
/// operands, and for fewer threads than `scope`.
static Operation *findNarrower(Operation *op, ExecutionScope scope) {
  Operation *found = nullptr;
  op->walk([&](Operation *inner) {
    if (inner == op || inner->getNumResults() == 0 ||
        inner->getNumRegions() != 0 || !isMemoryEffectFree(inner) ||
        getResultScope(inner) <= scope)
      return WalkResult::advance();
    found = inner;
    return WalkResult::interrupt();
  });
  return found;
}

static unsigned checkResultScope(UniformityOpInterface op,
                                 const MemorySpaceMapping &spaces) {
  ExecutionScope scope = op.getResultScope();
  bool isCombined = op.ignoresOperandScopes();
  if (isCombined && scope == ExecutionScope::Grid && op->getNumOperands()) {
    op->emitOpError() << "UniformityOpInterface: its results are the same in "
                         "the whole grid, whatever the operands are; no op "
                         "combines the operands of all workgroups";
    return 1;
  }
  // What region branches give out, their terminators compute.
  if (scope == ExecutionScope::Thread || op->getNumResults() == 0 ||
      isCombined || op.getControlValues())
    return 0;
  if (const char *why = findChangingMemory(op, spaces)) {
    op->emitOpError() << "UniformityOpInterface: its results are the same in a "
                      << stringifyExecutionScope(scope) << ", but " << why
                      << "; answer with 'thread'";
    return 1;
  }
  if (Operation *inner = findNarrower(op, scope)) {
    InFlightDiagnostic diagnostic =
        op->emitOpError()
        << "UniformityOpInterface: its results are the same in a "
        << stringifyExecutionScope(scope)
        << ", but its region computes a value that is not; answer with '"
        << stringifyExecutionScope(getResultScope(inner)) << "'";
    diagnostic.attachNote(inner->getLoc()) << "computed here";
    return 1;
  }
  return 0;
}

/// True when `op` or an op in its regions uses `value`.
static bool isUsedBy(Value value, Operation *op) {
  return llvm::any_of(value.getUsers(),
                      [&](Operation *user) { return op->isAncestor(user); });
}

static unsigned checkControlValues(UniformityOpInterface op) {
  std::optional<SmallVector<Value>> values = op.getControlValues();
  if (!values)
    return 0;
  if (op->getNumRegions() == 0 && op->getNumSuccessors() == 0) {
    op->emitOpError() << "UniformityOpInterface: it has control values, but "
                         "neither regions nor successors; answer with none";
    return 1;
  }
  unsigned violations = 0;
  for (Value value : *values)
    if (!value || !isUsedBy(value, op)) {
      op->emitOpError()
          << "UniformityOpInterface: a control value is no operand "
             "of the op or of one in its regions, so that it "
             "cannot decide how these are run";
      ++violations;
    }
  return violations;
}

unsigned mlir::memspace::checkUniformity(UniformityOpInterface op,
                                         const MemorySpaceMapping &spaces) {
  return checkResultScope(op, spaces) + checkControlValues(op);
}

//===----------------------------------------------------------------------===//
// SynchronizationOpInterface
//===----------------------------------------------------------------------===//

/// A copy reads one memory and writes another.
static bool isCopy(Operation *op) {
  auto effects = getReadsAndWrites(op);
  // An op that says nothing may do so.
  return !effects ||
         (llvm::any_of(*effects,
                       [](const auto &effect) {
                         return isa<MemoryEffects::Read>(effect.getEffect());
                       }) &&
          llvm::any_of(*effects, [](const auto &effect) {
            return isa<MemoryEffects::Write>(effect.getEffect());
          }));
}

unsigned mlir::memspace::checkSynchronization(SynchronizationOpInterface op) {
  unsigned violations = 0;
  auto report = [&](const Twine &message) {
    op->emitOpError() << "SynchronizationOpInterface: " << message;
    ++violations;
  };
  std::optional<Barrier> barrier = op.getBarrier();
  if (barrier && barrier->scope != ExecutionScope::Workgroup &&
      barrier->scope != ExecutionScope::Subgroup)
    report("it is a barrier of a " + stringifyExecutionScope(barrier->scope) +
           "; known are those of a workgroup and of a subgroup");
  bool isWait = op.getGroupsLeftInFlight().has_value();
  bool startsCopy = op.startsAsyncCopy() || op.startsUngroupedCopy();
  if ((barrier || op.waitsForSomeThreads() || startsCopy ||
       op.commitsAsyncCopies() || isWait) &&
      isMemoryEffectFree(op))
    report("it synchronizes, but has no memory effects, so that it may be "
           "erased or moved; declare some, or leave the effects unknown");
  if (startsCopy && !isCopy(op))
    report("it begins a copy, but its memory effects are not to read and to "
           "write");
  if (startsCopy && isWait)
    report("it begins a copy and waits for copies; what it waits for is not "
           "in flight behind it");
  if (op.startsAsyncCopy() && op.startsUngroupedCopy())
    report("its copy is completed by a wait for groups, and by none");
  return violations;
}

//===----------------------------------------------------------------------===//
// CollectiveOpInterface
//===----------------------------------------------------------------------===//

unsigned mlir::memspace::checkCollective(CollectiveOpInterface op) {
  unsigned violations = 0;
  auto report = [&](const Twine &message) {
    op->emitOpError() << "CollectiveOpInterface: " << message;
    ++violations;
  };
  ExecutionScope scope = op.getCollectiveScope();
  if (scope != ExecutionScope::Workgroup && scope != ExecutionScope::Subgroup)
    report("the threads of a " + stringifyExecutionScope(scope) +
           " contribute; known are those of a workgroup and of a subgroup");
  llvm::SmallDenseSet<OpOperand *> inits;
  for (OpResult result : op->getResults()) {
    if (!isa<RankedTensorType>(result.getType()))
      continue;
    OpOperand &init = op.getContributedInit(result);
    if (init.getOwner() != op)
      report("the init of result " + Twine(result.getResultNumber()) +
             " is no operand of the op");
    else if (init.get().getType() != result.getType())
      report("the init of result " + Twine(result.getResultNumber()) +
             " has another type than the result");
    else if (!inits.insert(&init).second)
      report("two results have one init");
  }
  return violations;
}
