//===- LoopSlots.cpp - carried buffers for fresh tensors -----------------===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LoopSlots.h"
#include "CarriedBuffers.h"
#include "CarriedSizes.h"
#include "Normalization.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Linalg/Utils/Utils.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"

using namespace mlir;
using namespace mlir::memspace;
using bufferization::AllocTensorOp;
using bufferization::OneShotAnalysisState;

/// True for an allocation whose content is not defined.
static bool isFreshTensor(Operation *op) {
  auto alloc = dyn_cast<AllocTensorOp>(op);
  return isa<tensor::EmptyOp>(op) || (alloc && !alloc.getCopy());
}

scf::ForOp mlir::memspace::addSlot(RewriterBase &rewriter, NewSlot newSlot) {
  auto [loop, fresh, unneeded] = newSlot;
  // The body moves to another loop, which has other arguments.
  std::optional<unsigned> argument;
  if (auto arg = dyn_cast<BlockArgument>(unneeded))
    argument = arg.getArgNumber();
  rewriter.setInsertionPoint(loop);
  Value outside = rewriter.clone(*fresh)->getResult(0);
  FailureOr<LoopLikeOpInterface> replaced = loop.replaceWithAdditionalYields(
      rewriter, outside, /*replaceInitOperandUsesInLoop=*/false,
      [&](OpBuilder &, Location, ArrayRef<BlockArgument> newArgs) {
        return SmallVector<Value>{newArgs.front()};
      });
  auto newLoop = cast<scf::ForOp>(replaced->getOperation());
  BlockArgument slot = newLoop.getRegionIterArgs().back();
  if (argument)
    unneeded = newLoop.getBody()->getArgument(*argument);
  else if (unneeded == fresh->getResult(0))
    unneeded = slot;
  Operation *yield = newLoop.getBody()->getTerminator();
  yield->setOperand(yield->getNumOperands() - 1, unneeded);
  rewriter.replaceUsesWithIf(fresh->getResult(0), slot, [&](OpOperand &use) {
    return newLoop->isProperAncestor(use.getOwner());
  });
  if (fresh->use_empty())
    rewriter.eraseOp(fresh);
  return newLoop;
}

//===----------------------------------------------------------------------===//
// Slots that an analysis shows
//===----------------------------------------------------------------------===//

Operation *mlir::memspace::getFreshBuffer(scf::ForOp loop, Value value,
                                          const OneShotAnalysisState &state) {
  Operation *found = nullptr;
  state.applyOnEquivalenceClass(value, [&](Value other) {
    Operation *def = other.getDefiningOp();
    if (def && isFreshTensor(def) && other.getType() == value.getType() &&
        (def->getBlock() == loop.getBody() ||
         (loop.isDefinedOutsideOfLoop(other) &&
          llvm::any_of(def->getUsers(),
                       [&](Operation *user) {
                         return loop->isProperAncestor(user);
                       }))) &&
        llvm::all_of(def->getOperands(), [&](Value size) {
          return loop.isDefinedOutsideOfLoop(size);
        }))
      found = def;
  });
  return found;
}

/// What one more slot of `loop`, which takes the place of `fresh`, is to hold
/// at the end of an iteration: the buffer that no slot needs, wherever it is by
/// then. Null where there is none of this type.
static Value getUnneededBuffer(scf::ForOp loop, Operation *fresh,
                               const OneShotAnalysisState &state,
                               const CarriedBuffers &buffers) {
  auto isYielded = [&](Value name) {
    return llvm::any_of(loop.getYieldedValues(), [&](Value yielded) {
      return isa<TensorType>(yielded.getType()) &&
             state.areEquivalentBufferizedValues(yielded, name);
    });
  };
  Value name = fresh->getResult(0);
  if (isYielded(name)) {
    auto args = loop.getRegionIterArgs();
    auto it = llvm::find_if(args, [&](BlockArgument arg) {
      return arg.getType() == name.getType() && !isYielded(arg) &&
             CarriedSizes().areEqual(arg, name);
    });
    if (it == args.end())
      return {};
    name = *it;
  }
  return buffers.getLatest(name, loop.getBody());
}

/// True when every loop inside `loop` that mixes the buffer of `fresh` with
/// others stands in the body itself, so that the body sees where it ends.
static bool isSeenByBody(scf::ForOp loop, Operation *fresh,
                         const OneShotAnalysisState &state,
                         const CarriedBuffers &buffers) {
  for (CarryingLoop inner : buffers.getInnerLoops(CarryingLoop(loop))) {
    if (inner.getOperation()->getBlock() == loop.getBody())
      continue;
    MutableOperandRange inits = inner.getInits();
    for (ArrayRef<unsigned> slots : buffers.getMixedSlots(inner))
      for (unsigned slot : slots)
        if (state.areEquivalentBufferizedValues(inits[slot].get(),
                                                fresh->getResult(0)))
          return false;
  }
  return true;
}

std::optional<NewSlot>
mlir::memspace::findSlot(scf::ForOp loop, Operation *fresh,
                         const OneShotAnalysisState &state,
                         const CarriedBuffers &buffers) {
  if (!isSeenByBody(loop, fresh, state, buffers))
    return std::nullopt;
  Value unneeded = getUnneededBuffer(loop, fresh, state, buffers);
  if (!unneeded)
    return std::nullopt;
  return NewSlot{loop, fresh, unneeded};
}

std::optional<NewSlot>
mlir::memspace::findYieldedSlot(scf::ForOp loop,
                                const OneShotAnalysisState &state,
                                const CarriedBuffers &buffers) {
  for (Value yielded : loop.getYieldedValues()) {
    if (!isa<RankedTensorType>(yielded.getType()) ||
        buffers.getSlot(yielded, CarryingLoop(loop)))
      continue;
    Operation *fresh = getFreshBuffer(loop, yielded, state);
    if (!fresh || fresh->getBlock() != loop.getBody())
      continue;
    if (std::optional<NewSlot> slot = findSlot(loop, fresh, state, buffers))
      return slot;
  }
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Evident slots
//===----------------------------------------------------------------------===//

/// True when a loop inside `op` may let the buffers that it carries change
/// places.
static bool mayMixBuffers(Operation *op) {
  WalkResult result = op->walk([](Operation *inner) {
    if (!CarryingLoop::isOne(inner))
      return WalkResult::advance();
    unsigned numTensors =
        llvm::count_if(CarryingLoop(inner).getInits(), [](OpOperand &init) {
          return isa<TensorType>(init.get().getType());
        });
    return numTensors > 1 ? WalkResult::interrupt() : WalkResult::advance();
  });
  return result.wasInterrupted();
}

/// What `value` is the last of several updates of, one of another, by ops of
/// the body of `loop`: nobody else uses what an op updates. Null when it may be
/// in the buffer of something else as well.
static Value getOrigin(Value value, scf::ForOp loop) {
  while (true) {
    if (loop.isDefinedOutsideOfLoop(value))
      return value;
    if (auto arg = dyn_cast<BlockArgument>(value))
      return arg.getOwner() == loop.getBody() ? value : Value();
    Operation *op = value.getDefiningOp();
    if (isFreshTensor(op))
      return value;
    auto dps = dyn_cast<DestinationStyleOpInterface>(op);
    if (!dps || op->getBlock() != loop.getBody() || mayMixBuffers(op))
      return {};
    value = dps.getTiedOpOperand(cast<OpResult>(value))->get();
    if (!value.hasOneUse())
      return {};
  }
}

/// True when the ops that use `value` only read it.
static bool isOnlyRead(Value value) {
  return llvm::all_of(value.getUses(), [](OpOperand &use) {
    Operation *op = use.getOwner();
    if (isa<tensor::ExtractOp, tensor::DimOp>(op))
      return true;
    if (auto slice = dyn_cast<tensor::ExtractSliceOp>(op))
      return isOnlyRead(slice.getResult());
    if (auto insert = dyn_cast<tensor::ParallelInsertSliceOp>(op))
      return &use == &insert.getSourceMutable();
    auto dps = dyn_cast<DestinationStyleOpInterface>(op);
    return dps && !dps.isDpsInit(&use);
  });
}

/// True when the op of `init`, of a loop's body, may write into `arg` instead
/// of a fresh tensor: what reads `arg` comes before, or is the op itself, which
/// reads an element where it writes it.
static bool isFreeFor(Value arg, OpOperand &init) {
  Operation *op = init.getOwner();
  BlockArgument out;
  if (auto forall = dyn_cast<scf::ForallOp>(op))
    out = forall.getTiedBlockArgument(&init);
  auto isIdentity = [](OpOperand &operand) {
    auto linalgOp = dyn_cast<linalg::LinalgOp>(operand.getOwner());
    return linalgOp && linalg::isElementwise(linalgOp) &&
           linalgOp.getMatchingIndexingMap(&operand).isIdentity();
  };
  return llvm::all_of(arg.getUses(), [&](OpOperand &use) {
    Operation *user = op->getBlock()->findAncestorOpInBlock(*use.getOwner());
    if (user == op && out)
      return isOwnSlice(use, out);
    if (user == op)
      return use.getOwner() == op && isIdentity(use) && isIdentity(init);
    auto slice = dyn_cast<tensor::ExtractSliceOp>(use.getOwner());
    return user->isBeforeInBlock(op) &&
           (!slice || isFreeFor(slice.getResult(), init));
  });
}

/// True for a tensor without contents that ops of the body of `loop` update to
/// `yielded`, and which has its type. Nobody else uses it.
static bool isFreshOrigin(Value origin, Value yielded, scf::ForOp loop) {
  Operation *def = origin ? origin.getDefiningOp() : nullptr;
  return def && isFreshTensor(def) && origin != yielded &&
         (def->getBlock() == loop.getBody() ||
          loop.isDefinedOutsideOfLoop(origin)) &&
         origin.getType() == yielded.getType() &&
         isa<RankedTensorType>(origin.getType()) &&
         llvm::all_of(def->getOperands(), [&](Value size) {
           return loop.isDefinedOutsideOfLoop(size);
         });
}

/// Lets what `loop` hands on to the next iteration be written where it has come
/// from, once nobody needs that any more: there is neither a fresh tensor nor
/// an exchange. True when anything was changed.
static bool updateInPlace(RewriterBase &rewriter, scf::ForOp loop) {
  bool changed = false;
  for (auto [arg, yielded] :
       llvm::zip_equal(loop.getRegionIterArgs(), loop.getYieldedValues())) {
    if (!isa<RankedTensorType>(yielded.getType()))
      continue;
    Value origin = getOrigin(yielded, loop);
    if (!isFreshOrigin(origin, yielded, loop) ||
        !CarriedSizes().areEqual(arg, origin) || !isOnlyRead(arg) ||
        !isFreeFor(arg, *origin.use_begin()))
      continue;
    Operation *first = *origin.user_begin();
    rewriter.replaceAllUsesWith(origin, arg);
    rewriter.eraseOp(origin.getDefiningOp());
    if (auto forall = dyn_cast<scf::ForallOp>(first))
      readOwnSlicesByOutputs(forall);
    changed = true;
  }
  return changed;
}

/// The first slot that `loop` evidently needs.
static std::optional<NewSlot> findEvidentSlot(scf::ForOp loop) {
  SmallVector<Value> origins;
  Operation *fresh = nullptr;
  for (Value yielded : loop.getYieldedValues()) {
    if (!isa<TensorType>(yielded.getType()))
      continue;
    Value origin = getOrigin(yielded, loop);
    if (!origin || llvm::is_contained(origins, origin))
      return std::nullopt;
    origins.push_back(origin);
    if (!fresh && isFreshOrigin(origin, yielded, loop))
      fresh = origin.getDefiningOp();
  }
  if (!fresh)
    return std::nullopt;
  Value name = fresh->getResult(0);
  for (BlockArgument arg : loop.getRegionIterArgs())
    if (arg.getType() == name.getType() && !llvm::is_contained(origins, arg) &&
        CarriedSizes().areEqual(arg, name)) {
      if (!isOnlyRead(arg))
        return std::nullopt;
      return NewSlot{loop, fresh, arg};
    }
  return std::nullopt;
}

bool mlir::memspace::addEvidentSlots(RewriterBase &rewriter,
                                     FunctionOpInterface kernel) {
  // Inner loops first: what becomes of them are other loops.
  SmallVector<scf::ForOp> loops;
  kernel->walk([&](scf::ForOp loop) { loops.push_back(loop); });
  bool changed = false;
  for (scf::ForOp loop : loops) {
    changed |= updateInPlace(rewriter, loop);
    while (std::optional<NewSlot> slot = findEvidentSlot(loop)) {
      loop = addSlot(rewriter, *slot);
      changed = true;
    }
  }
  return changed;
}
