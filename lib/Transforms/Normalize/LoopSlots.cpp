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
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::memspace;
using bufferization::AllocTensorOp;
using bufferization::OneShotAnalysisState;

bool mlir::memspace::isFreshTensor(Operation *op) {
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
