//===- DropUnusedResults.cpp - results that nobody reads -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// An unused result costs a buffer, and when its init is a read-only argument
/// One-Shot makes a copy of that in the kernel for nobody. Each round asks
/// LiveUses afresh: uses that only pass an unused value on are bypassed to the
/// destination that it belongs to, then what has no uses left is removed.
///
/// Upstream's canonicalizations are not used: they also inline and fold mapped
/// foralls, which are guards here.
///
//===----------------------------------------------------------------------===//

#include "DropUnusedResults.h"
#include "MemSpace/Kernel/Kernel.h"
#include "MemSpace/Spaces/LiveUses.h"
#include "MemSpace/Spaces/PayloadUses.h"
#include "MemSpace/Spaces/TensorClaims.h"
#include "MemSpace/Transforms/Passes.h"
#include "Transforms/Support/InputChecks.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Iterators.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "llvm/ADT/SetVector.h"

namespace mlir {
namespace memspace {
#define GEN_PASS_DEF_DROPUNUSEDRESULTSPASS
#include "MemSpace/Transforms/Passes.h.inc"
} // namespace memspace
} // namespace mlir

using namespace mlir;
using namespace mlir::memspace;

namespace {
/// The ops of one kernel, inner ones first.
SmallVector<Operation *> collectOps(Operation *kernel) {
  SmallVector<Operation *> ops;
  kernel->walk([&](Operation *op) {
    if (op != kernel)
      ops.push_back(op);
  });
  return ops;
}

/// The value whose buffer `result` updates, if there is one.
Value getTiedValue(OpResult result) {
  Operation *op = result.getOwner();
  if (auto forall = dyn_cast<scf::ForallOp>(op))
    return forall.getTiedOpOperand(result)->get();
  if (auto dps = dyn_cast<DestinationStyleOpInterface>(op))
    return dps.getTiedOpOperand(result)->get();
  // A loop passes on what it began with.
  if (auto loop = dyn_cast<scf::WhileOp>(op))
    if (result.getResultNumber() < loop.getInits().size())
      return loop.getInits()[result.getResultNumber()];
  return {};
}

/// Lets the users of an unused result use its destination instead. They only
/// overwrite it, so nothing changes but who stands between.
bool bypass(OpResult result, const LiveUses &live) {
  if (!isa<RankedTensorType>(result.getType()) || result.use_empty() ||
      live.isLive(result))
    return false;
  Value tied = getTiedValue(result);
  if (!tied || tied.getType() != result.getType())
    return false;
  result.replaceAllUsesWith(tied);
  return true;
}

/// Removes what `op` can do without.
bool dropOutputs(RewriterBase &rewriter, linalg::GenericOp op) {
  if (llvm::all_of(op->getResults(), [](Value v) { return v.use_empty(); }))
    return false;
  SmallVector<OpOperand *> dropped = findOperandsToDrop(
      op, [](OpResult result) { return !result.use_empty(); });
  if (dropped.empty())
    return false;

  SmallVector<Value> inputs, inits;
  SmallVector<AffineMap> maps;
  SmallVector<Type> types;
  llvm::BitVector droppedArgs(op->getNumOperands());
  for (OpOperand &operand : op->getOpOperands()) {
    if (llvm::is_contained(dropped, &operand)) {
      droppedArgs.set(operand.getOperandNumber());
      continue;
    }
    maps.push_back(op.getMatchingIndexingMap(&operand));
    if (op.isDpsInit(&operand)) {
      inits.push_back(operand.get());
      types.push_back(operand.get().getType());
    } else {
      inputs.push_back(operand.get());
    }
  }
  rewriter.setInsertionPoint(op);
  auto newOp = linalg::GenericOp::create(
      rewriter, op.getLoc(), types, inputs, inits, maps,
      op.getIteratorTypesArray(), /*bodyBuild=*/nullptr,
      llvm::to_vector(op->getDiscardableAttrs()));
  newOp.setDocAttr(op.getDocAttr());
  newOp.setLibraryCallAttr(op.getLibraryCallAttr());
  newOp.getRegion().takeBody(op.getRegion());
  Block *body = newOp.getBody();

  llvm::BitVector droppedResults(op->getNumResults());
  for (OpResult result : op->getResults())
    if (llvm::is_contained(dropped,
                           op.getDpsInitOperand(result.getResultNumber())))
      droppedResults.set(result.getResultNumber());
  body->getTerminator()->eraseOperands(droppedResults);
  // What computed only the dropped results still uses the dropped arguments.
  SmallVector<Operation *> payload;
  for (Operation &nested : body->without_terminator())
    payload.push_back(&nested);
  for (Operation *nested : llvm::reverse(payload))
    if (isOpTriviallyDead(nested))
      rewriter.eraseOp(nested);
  body->eraseArguments(droppedArgs);

  unsigned next = 0;
  for (OpResult result : op->getResults())
    if (!droppedResults.test(result.getResultNumber()))
      rewriter.replaceAllUsesWith(result, newOp->getResult(next++));
  rewriter.eraseOp(op);
  return true;
}

/// Gives scratch that an op cannot do without, but does not read, a tensor of
/// its own instead of (a part of) an argument.
bool freshenScratch(RewriterBase &rewriter, DestinationStyleOpInterface op) {
  bool changed = false;
  for (OpResult result : op->getResults()) {
    OpOperand *init = op.getTiedOpOperand(result);
    if (!isa<RankedTensorType>(result.getType()) || !result.use_empty() ||
        init->get().getDefiningOp<tensor::EmptyOp>() ||
        getInitUse(*init) == InitUse::Read)
      continue;
    rewriter.setInsertionPoint(op);
    auto type = cast<RankedTensorType>(init->get().getType());
    Value empty = tensor::EmptyOp::create(
        rewriter, op.getLoc(),
        tensor::getMixedSizes(rewriter, op.getLoc(), init->get()),
        type.getElementType(), type.getEncoding());
    rewriter.modifyOpInPlace(op, [&] { init->set(empty); });
    changed = true;
  }
  return changed;
}

/// Removes the outputs of `forall` that nothing reads, with what is inserted
/// into them. The mapping stays, also when no output is left.
bool dropOutputs(RewriterBase &rewriter, scf::ForallOp forall,
                 const LiveUses &live) {
  SmallVector<unsigned> dropped;
  for (OpResult result : forall->getResults()) {
    BlockArgument arg = forall.getTiedBlockArgument(result);
    if (!result.use_empty())
      continue;
    // What inserts a tensor into itself uses it twice.
    llvm::SetVector<Operation *> combining;
    combining.insert_range(forall.getCombiningOps(arg));
    // A slice that is only overwritten is scratch of the iteration.
    SmallVector<tensor::ExtractSliceOp> slices;
    for (Operation *user : arg.getUsers())
      if (auto slice = dyn_cast<tensor::ExtractSliceOp>(user);
          slice && !live.isLive(slice.getResult()))
        slices.push_back(slice);
    for (tensor::ExtractSliceOp slice : slices) {
      rewriter.setInsertionPoint(slice);
      SmallVector<OpFoldResult> sizes;
      llvm::SmallBitVector droppedDims = slice.getDroppedDims();
      for (auto [dim, size] : llvm::enumerate(slice.getMixedSizes()))
        if (!droppedDims.test(dim))
          sizes.push_back(size);
      rewriter.replaceOpWithNewOp<tensor::EmptyOp>(
          slice, sizes, slice.getType().getElementType());
    }
    for (Operation *op : combining)
      rewriter.eraseOp(op);
    // Iterations see the tensor from before the forall. What nobody needs is
    // read by code that goes next.
    if (!arg.use_empty()) {
      Value output = forall.getTiedOpOperand(result)->get();
      rewriter.setInsertionPoint(forall);
      if (!live.isLive(arg))
        output = tensor::EmptyOp::create(
            rewriter, forall.getLoc(),
            tensor::getMixedSizes(rewriter, forall.getLoc(), output),
            cast<RankedTensorType>(arg.getType()).getElementType());
      rewriter.replaceAllUsesWith(arg, output);
    }
    dropped.push_back(result.getResultNumber());
  }
  if (dropped.empty())
    return false;

  SmallVector<Value> outputs;
  for (auto [index, output] : llvm::enumerate(forall.getOutputs()))
    if (!llvm::is_contained(dropped, index))
      outputs.push_back(output);
  rewriter.setInsertionPoint(forall);
  auto newForall = scf::ForallOp::create(
      rewriter, forall.getLoc(), forall.getMixedLowerBound(),
      forall.getMixedUpperBound(), forall.getMixedStep(), outputs,
      forall.getMapping());
  newForall->setDiscardableAttrs(forall->getDiscardableAttrDictionary());
  newForall.getRegion().takeBody(forall.getRegion());
  for (unsigned index : llvm::reverse(dropped))
    newForall.getBody()->eraseArgument(forall.getRank() + index);
  unsigned next = 0;
  for (OpResult result : forall->getResults())
    if (!llvm::is_contained(dropped, result.getResultNumber()))
      rewriter.replaceAllUsesWith(result, newForall->getResult(next++));
  rewriter.eraseOp(forall);
  return true;
}

/// Removes the iter_args of `loop` that are only carried around.
bool dropIterArgs(RewriterBase &rewriter, scf::ForOp loop,
                  const LiveUses &live) {
  SmallVector<Value> inits;
  llvm::SmallBitVector dropped(loop.getNumRegionIterArgs());
  for (auto [index, init] : llvm::enumerate(loop.getInitArgs())) {
    if (live.isLive(loop->getResult(index)) ||
        live.isLive(loop.getRegionIterArg(index)))
      inits.push_back(init);
    else
      dropped.set(index);
  }
  if (dropped.none())
    return false;
  rewriter.setInsertionPoint(loop);
  auto newLoop =
      scf::ForOp::create(rewriter, loop.getLoc(), loop.getLowerBound(),
                         loop.getUpperBound(), loop.getStep(), inits);
  newLoop->setAttrs(loop->getAttrs());
  // The builder adds a yield where there is nothing to yield.
  if (!newLoop.getBody()->empty())
    rewriter.eraseOp(newLoop.getBody()->getTerminator());

  SmallVector<Value> yielded, arguments{newLoop.getInductionVar()};
  unsigned next = 0;
  for (unsigned index = 0, e = dropped.size(); index < e; ++index) {
    if (dropped.test(index)) {
      arguments.push_back(loop.getInitArgs()[index]);
      rewriter.replaceAllUsesWith(loop->getResult(index),
                                  loop.getInitArgs()[index]);
      continue;
    }
    yielded.push_back(loop.getYieldedValues()[index]);
    arguments.push_back(newLoop.getRegionIterArg(next));
    rewriter.replaceAllUsesWith(loop->getResult(index),
                                newLoop->getResult(next++));
  }
  Operation *yield = loop.getBody()->getTerminator();
  rewriter.modifyOpInPlace(yield, [&] { yield->setOperands(yielded); });
  rewriter.mergeBlocks(loop.getBody(), newLoop.getBody(), arguments);
  rewriter.eraseOp(loop);
  return true;
}

/// Removes the results without uses of `op`, a choice between regions.
bool dropResults(RewriterBase &rewriter, Operation *op) {
  llvm::BitVector dropped(op->getNumResults());
  OperationState state(op->getLoc(), op->getName());
  for (OpResult result : op->getResults()) {
    if (result.use_empty())
      dropped.set(result.getResultNumber());
    else
      state.addTypes(result.getType());
  }
  if (dropped.none())
    return false;
  state.addOperands(op->getOperands());
  state.addAttributes(op->getAttrDictionary().getValue());
  for (Region &region : op->getRegions()) {
    if (!region.empty())
      region.front().getTerminator()->eraseOperands(dropped);
    state.addRegion()->takeBody(region);
  }
  rewriter.setInsertionPoint(op);
  Operation *smaller = rewriter.create(state);
  unsigned next = 0;
  for (OpResult result : op->getResults())
    if (!dropped.test(result.getResultNumber()))
      rewriter.replaceAllUsesWith(result, smaller->getResult(next++));
  rewriter.eraseOp(op);
  return true;
}

/// Upstream's patterns for `scf.while` alone remove unused arguments.
bool simplifyWhileLoops(Operation *kernel) {
  SmallVector<Operation *> loops;
  kernel->walk([&](scf::WhileOp loop) {
    if (llvm::any_of(loop->getResults(), [](Value v) { return v.use_empty(); }))
      loops.push_back(loop);
  });
  if (loops.empty())
    return false;
  RewritePatternSet patterns(kernel->getContext());
  scf::WhileOp::getCanonicalizationPatterns(patterns, kernel->getContext());
  GreedyRewriteConfig config;
  config.setStrictness(GreedyRewriteStrictness::ExistingOps);
  bool changed = false;
  (void)applyOpPatternsGreedily(loops, std::move(patterns), config, &changed);
  return changed;
}

/// True for an op that is there for the contents of its results only.
bool isComputedAfresh(Operation *producer) {
  return isa<tensor::PadOp, tensor::GenerateOp, tensor::FromElementsOp,
             tensor::SplatOp>(producer) ||
         (!hasTrustedModel(producer) && isMemoryEffectFree(producer) &&
          !isa<DestinationStyleOpInterface>(producer));
}

/// Gives ops that only overwrite a tensor which was computed afresh an empty
/// one: what it is computed from may be gone.
bool replaceDeadInits(RewriterBase &rewriter, DestinationStyleOpInterface op,
                      const LiveUses &live) {
  bool changed = false;
  for (OpOperand &init : op.getDpsInitsMutable()) {
    auto type = dyn_cast<RankedTensorType>(init.get().getType());
    Operation *producer = init.get().getDefiningOp();
    if (!type || !type.hasStaticShape() || live.isLive(init) || !producer ||
        !isComputedAfresh(producer))
      continue;
    rewriter.setInsertionPoint(op);
    Value empty =
        tensor::EmptyOp::create(rewriter, op.getLoc(), type.getShape(),
                                type.getElementType(), type.getEncoding());
    rewriter.modifyOpInPlace(op, [&] { init.set(empty); });
    changed = true;
  }
  return changed;
}

/// Gives ops that only overwrite what a branch chose a tensor of their own. The
/// content of the choice is not live, so its condition may not be computed any
/// more; as a destination it would still be evaluated.
bool replaceDeadChoices(RewriterBase &rewriter, Operation *branch,
                        const LiveUses &live) {
  bool changed = false;
  for (OpResult result : branch->getResults()) {
    auto type = dyn_cast<RankedTensorType>(result.getType());
    if (!type || !type.hasStaticShape() || result.use_empty() ||
        live.isLive(result))
      continue;
    rewriter.setInsertionPoint(branch);
    rewriter.replaceAllUsesWith(
        result,
        tensor::EmptyOp::create(rewriter, branch->getLoc(), type.getShape(),
                                type.getElementType(), type.getEncoding()));
    changed = true;
  }
  return changed;
}

/// True when another round may find more. `isChanged` is set where anything is
/// another.
bool runOnce(RewriterBase &rewriter, Operation *kernel, bool &isChanged) {
  // Right until something changes.
  std::optional<LiveUses> live(std::in_place, kernel);
  auto isRenewed = [&](bool step) {
    if (step)
      live.emplace(kernel);
    return step;
  };
  bool bypassed = false;
  for (Operation *op : collectOps(kernel))
    for (OpResult result : op->getResults())
      bypassed |= bypass(result, *live);
  bool changed = isRenewed(bypassed);
  // Users come after what they use, so erase from the end. That makes nothing
  // else needed or not, but another op may be made where a needed one was.
  bool erased = false, erasedUse = false, erasedLive = false;
  kernel->walk<WalkOrder::PostOrder, ReverseIterator>([&](Operation *op) {
    bool unusedLoop =
        isa<LoopLikeOpInterface>(op) && !live->isLive(op) && op->use_empty();
    if (op != kernel && (unusedLoop || isOpTriviallyDead(op))) {
      erased = true;
      erasedUse |= op->getNumOperands() != 0 || op->getNumRegions() != 0;
      erasedLive |= op->getNumRegions() != 0 || live->isLive(op);
      rewriter.eraseOp(op);
    }
  });
  isRenewed(erasedLive);
  changed |= erasedUse;
  for (Operation *op : collectOps(kernel)) {
    // Each of these replaces only `op`; the analysis stays right for others.
    if (auto generic = dyn_cast<linalg::GenericOp>(op)) {
      if (dropOutputs(rewriter, generic)) {
        changed = true;
        continue;
      }
    }
    if (auto forall = dyn_cast<scf::ForallOp>(op))
      changed |= dropOutputs(rewriter, forall, *live);
    else if (auto loop = dyn_cast<scf::ForOp>(op))
      changed |= dropIterArgs(rewriter, loop, *live);
    else if (isa<scf::IfOp, scf::IndexSwitchOp>(op) &&
             replaceDeadChoices(rewriter, op, *live))
      changed = true;
    else if (isa<scf::IfOp, scf::IndexSwitchOp>(op))
      changed |= dropResults(rewriter, op);
    else if (auto dps = dyn_cast<DestinationStyleOpInterface>(op))
      changed |= freshenScratch(rewriter, dps) ||
                 replaceDeadInits(rewriter, dps, *live);
  }
  isChanged |= changed || erased;
  return changed;
}

} // namespace

bool mlir::memspace::dropUnusedResults(RewriterBase &rewriter,
                                       Operation *kernel) {
  bool isChanged = false;
  while (runOnce(rewriter, kernel, isChanged) || simplifyWhileLoops(kernel))
    isChanged = true;
  return isChanged;
}

FailureOr<bool> mlir::memspace::dropUnusedResultsOfKernels(Operation *root) {
  IRRewriter rewriter(root->getContext());
  bool isChanged = false;
  for (FunctionOpInterface kernel : getKernels(root)) {
    FailureOr<MemorySpaceMapping> spaces = MemorySpaceMapping::resolve(kernel);
    if (failed(spaces) ||
        failed(checkInput(kernel, *spaces, /*unknownPasses=*/true)))
      return failure();
    isChanged |= dropUnusedResults(rewriter, kernel);
  }
  return isChanged;
}

namespace {
struct DropUnusedResultsPass
    : public memspace::impl::DropUnusedResultsPassBase<DropUnusedResultsPass> {
  using Base::Base;
  void runOnOperation() override {
    FailureOr<bool> isChanged = dropUnusedResultsOfKernels(getOperation());
    if (failed(isChanged))
      return signalPassFailure();
    // Then nothing needs to be verified again.
    if (!*isChanged)
      markAllAnalysesPreserved();
  }
};
} // namespace
