//===- Collectives.cpp - what threads contribute to one tensor -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MemSpace/Spaces/Collectives.h"
#include "MemSpace/IR/AttributeNames.h"
#include "MemSpace/Memory/ValueFlow.h"
#include "MemSpace/Spaces/MemorySpaceAnalysis.h"
#include "MemSpace/Spaces/TensorClaims.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace mlir::bufferization;
using namespace mlir::memspace;

//===----------------------------------------------------------------------===//
// Back to the init
//===----------------------------------------------------------------------===//

OpOperand *memspace::getInsertionDest(Operation *op) {
  if (auto insert = dyn_cast<tensor::InsertSliceOp>(op))
    return &insert.getDestMutable();
  if (auto insert = dyn_cast<tensor::InsertOp>(op))
    return &insert.getDestMutable();
  if (auto write = dyn_cast<vector::TransferWriteOp>(op);
      write && write->getNumResults() != 0)
    return &write.getBaseMutable();
  // A thread inserts all that an op of linalg computes, unless the op begins a
  // new tensor.
  if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
      linalgOp && linalgOp.hasPureTensorSemantics() &&
      linalgOp.getNumDpsInits() == 1 && getThreadForall(op)) {
    OpOperand *init = linalgOp.getDpsInitOperand(0);
    Operation *def = init->get().getDefiningOp();
    bool isNew = isa_and_nonnull<tensor::EmptyOp, AllocTensorOp>(def);
    if (!isNew && !linalgOp.payloadUsesValueFromOperand(init))
      return init;
  }
  return nullptr;
}

/// One step back from `value`, as seen by `user`; empty at a source.
static SmallVector<OpOperand *, 2> getInsertedInto(Value value,
                                                   Operation *user) {
  auto arg = dyn_cast<BlockArgument>(value);
  Operation *def = arg ? arg.getOwner()->getParentOp() : value.getDefiningOp();
  if (auto loop = dyn_cast<scf::ForOp>(def)) {
    if (arg && (loop->isAncestor(user) || arg == loop.getInductionVar()))
      return {};
    OpOperand *init = arg ? loop.getTiedLoopInit(arg)
                          : loop.getTiedLoopInit(cast<OpResult>(value));
    return {init,
            loop.getTiedLoopYieldedValue(loop.getTiedLoopRegionIterArg(init))};
  }
  if (arg)
    return {};
  if (OpOperand *dest = getInsertionDest(def))
    return {dest};
  if (auto branch = dyn_cast<scf::IfOp>(def)) {
    unsigned i = cast<OpResult>(value).getResultNumber();
    return {&branch.thenYield()->getOpOperand(i),
            &branch.elseYield()->getOpOperand(i)};
  }
  return {};
}

ContributionSource memspace::findContributionSource(OpOperand &use) {
  ContributionSource source;
  SmallVector<OpOperand *> worklist = {&use};
  DenseSet<OpOperand *> seen = {&use};
  bool isOne = true;
  while (!worklist.empty()) {
    OpOperand *next = worklist.pop_back_val();
    SmallVector<OpOperand *, 2> before =
        getInsertedInto(next->get(), use.getOwner());
    // An iteration passes on what it began with.
    if (before.empty()) {
      isOne &= !source.root || source.root == next->get();
      source.root = next->get();
      source.uses.push_back(next);
      continue;
    }
    for (OpOperand *operand : before)
      if (seen.insert(operand).second)
        worklist.push_back(operand);
  }
  if (!isOne)
    source.root = Value();
  return source;
}

//===----------------------------------------------------------------------===//
// Forward
//===----------------------------------------------------------------------===//

DenseSet<Value>
memspace::followBuffers(ValueRange from, const AnalysisState &state,
                        function_ref<bool(OpOperand &)> follow) {
  SmallVector<Value> worklist(from);
  DenseSet<Value> seen(from.begin(), from.end());
  auto add = [&](Value value) {
    if (isa<TensorType>(value.getType()) && seen.insert(value).second)
      worklist.push_back(value);
  };
  while (!worklist.empty()) {
    Value value = worklist.pop_back_val();
    for (OpOperand &use : value.getUses()) {
      if (!follow(use))
        continue;
      SmallVector<Value> passed = getPassedTo(use);
      if (passed.empty() &&
          state.getOptions().dynCastBufferizableOp(use.getOwner()))
        passed = getPossibleAliases(use, state);
      llvm::for_each(passed, add);
    }
  }
  return seen;
}

//===----------------------------------------------------------------------===//
// The check
//===----------------------------------------------------------------------===//

scf::ForallOp memspace::getThreadForall(Operation *op) {
  auto forall = op->getParentOfType<scf::ForallOp>();
  return forall && isThreadForall(forall) ? forall : scf::ForallOp();
}

/// What stands in the way of `end` in place of the tensor that its threads
/// share; null when nothing does.
static Value findObstacle(EndCollectiveOp end, BeginCollectiveOp begin,
                          Value source, const MemorySpaceAnalysis &analysis) {
  const BufferClass *cls = analysis.getBufferClass(end.getResult());
  if (!begin || cls != analysis.getBufferClass(begin.getInit()))
    return source ? source : end.getContribution();
  // One buffer for all of them is made outside of their forall.
  scf::ForallOp forall = getThreadForall(end);
  for (Value root : cls->roots)
    if (!forall || forall->isAncestor(root.getParentBlock()->getParentOp()))
      return root;
  return {};
}

static LogicalResult verifyInPlace(EndCollectiveOp end,
                                   const MemorySpaceAnalysis &analysis) {
  ContributionSource from =
      findContributionSource(end.getContributionMutable());
  Value source = from.root;
  auto begin =
      source ? source.getDefiningOp<BeginCollectiveOp>() : BeginCollectiveOp();
  Value obstacle = findObstacle(end, begin, source, analysis);
  if (!obstacle) {
    if (!analysis.getBufferClass(end.getResult())->hasOutsideRoot())
      return success();
    return end.emitError()
           << "threads contribute to memory of the caller, where no barrier "
              "keeps other workgroups away; let them contribute to a tensor "
              "of the workgroup, and copy it";
  }
  InFlightDiagnostic diag =
      end.emitError()
      << "what threads contribute to this " << end.getResult().getType()
      << " cannot be written in place of the tensor that they share";
  auto getReason = [](Value value) {
    auto copy = value.getDefiningOp<AllocTensorOp>();
    return copy ? copy->getAttrOfType<StringAttr>(kCopyAttr) : StringAttr();
  };
  StringAttr why = getReason(obstacle);
  // Where some threads insert nothing, what the others insert into.
  for (OpOperand *use : from.uses)
    if (!why && getInsertionDest(use->getOwner()) == use)
      why = getReason(use->get());
  if (why)
    diag << ": a copy is needed " << why.getValue();
  else if (!begin)
    diag << ": it is not what 'memspace.begin_collective' began, with inserted "
            "elements";
  return diag << "; read the old value before the contribution, or contribute "
                 "to a tensor of its own, without contents that are needed";
}

LogicalResult memspace::verifyCollectives(FunctionOpInterface kernel,
                                          const MemorySpaceAnalysis &analysis) {
  SmallVector<Value> begun;
  DenseSet<const BufferClass *> shared;
  DenseSet<Operation *> foralls;
  WalkResult inPlace = kernel->walk([&](Operation *op) {
    if (auto begin = dyn_cast<BeginCollectiveOp>(op)) {
      shared.insert(analysis.getBufferClass(begin.getResult()));
      if (scf::ForallOp forall = getThreadForall(op)) {
        begun.push_back(begin.getResult());
        foralls.insert(forall);
      }
    } else if (auto end = dyn_cast<EndCollectiveOp>(op)) {
      return WalkResult(verifyInPlace(end, analysis));
    }
    return WalkResult::advance();
  });
  if (inPlace.wasInterrupted())
    return failure();
  if (begun.empty())
    return success();
  const OneShotAnalysisState &state = *analysis.getState(kernel);
  DenseSet<Value> contributed =
      followBuffers(begun, state, [&](OpOperand &use) {
        return !isa<EndCollectiveOp>(use.getOwner()) && state.isInPlace(use);
      });
  auto isPrivateWrite = [&](OpOperand &use) {
    Operation *op = use.getOwner();
    return isa<TensorType>(use.get().getType()) &&
           !isa<RegionBranchOpInterface, ExchangeOp>(op) &&
           !op->hasTrait<OpTrait::IsTerminator>() && state.isInPlace(use) &&
           mayWrite(use, state) && !contributed.contains(use.get()) &&
           shared.contains(analysis.getBufferClass(use.get())) &&
           foralls.contains(getThreadForall(op));
  };
  WalkResult writes = kernel->walk([&](Operation *op) {
    if (!state.getOptions().dynCastBufferizableOp(op))
      return WalkResult::advance();
    for (OpOperand &use : op->getOpOperands()) {
      if (!isPrivateWrite(use))
        continue;
      op->emitError() << "a thread writes into a tensor that all threads "
                         "share, but does not contribute to it: the others "
                         "would see it; copy the tensor, or write between "
                         "'memspace.begin_collective' and "
                         "'memspace.end_collective'";
      return WalkResult::interrupt();
    }
    return WalkResult::advance();
  });
  return failure(writes.wasInterrupted());
}
