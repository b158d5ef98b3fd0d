//===- ShrinkPrivate.cpp - private buffers to their thread's slice -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A tensor whose elements stay with their threads becomes a private buffer of
/// the tensor's size in every thread, of which a thread touches its slice only.
/// Here each dimension is cut down to what is proved to be touched. Buffers
/// that control flow chooses from, exchanges or copies are cut alike. Nothing
/// is done where the proof fails: a buffer that is too large is still correct.
///
//===----------------------------------------------------------------------===//

#include "ShrinkPrivate.h"
#include "MemSpace/Transforms/Passes.h"
#include "ShrinkPlan.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace mlir {
namespace memspace {
#define GEN_PASS_DEF_SHRINKPRIVATEPASS
#include "MemSpace/Transforms/Passes.h.inc"
} // namespace memspace
} // namespace mlir

using namespace mlir;
using namespace mlir::memspace;

OpFoldResult Shrinker::materialize(OpBuilder &b, Location loc,
                                   AffineExpr expr) {
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return b.getIndexAttr(constant.getValue());
  ArrayRef<Value> leaves = exprs.getLeaves();
  // Only the leaves that the expression uses.
  SmallVector<OpFoldResult> operands;
  SmallVector<AffineExpr> dims(leaves.size(), b.getAffineConstantExpr(0));
  for (auto [position, leaf] : llvm::enumerate(leaves))
    if (expr.isFunctionOfDim(position)) {
      dims[position] = b.getAffineDimExpr(operands.size());
      operands.push_back(leaf);
    }
  AffineMap map = AffineMap::get(operands.size(), 0, expr.replaceDims(dims));
  OpFoldResult index =
      affine::makeComposedFoldedAffineApply(b, loc, map, operands);
  // A constant now would change the types that were planned.
  return getValueOrCreateConstantIndexOp(b, loc, index);
}

void Shrinker::moveView(memref::SubViewOp view, const ShrinkAccess &access,
                        Value buffer) {
  OpBuilder b(view);
  SmallVector<OpFoldResult> offsets = view.getMixedOffsets();
  for (auto [offset, expr] : llvm::zip_equal(offsets, access.offsets))
    if (expr)
      offset = materialize(b, view.getLoc(), expr);
  auto moved = memref::SubViewOp::create(b, view.getLoc(), view.getType(),
                                         buffer, offsets, view.getMixedSizes(),
                                         view.getMixedStrides());
  moved->setDiscardableAttrs(view->getDiscardableAttrDictionary());
  view.replaceAllUsesWith(moved.getResult());
  view.erase();
}

/// The indices follow the buffer among the operands of all these ops.
void Shrinker::moveIndices(const ShrinkAccess &access, Value buffer) {
  Operation *op = access.op;
  OpBuilder b(op);
  OpOperand *operand = llvm::find_if(
      op->getOpOperands(), [&](OpOperand &use) { return use.get() == buffer; });
  unsigned first = operand->getOperandNumber() + 1;
  for (auto [position, expr] : llvm::enumerate(access.offsets))
    if (expr)
      op->setOperand(first + position,
                     getValueOrCreateConstantIndexOp(
                         b, op->getLoc(), materialize(b, op->getLoc(), expr)));
}

/// Copies the elements of the slice. Those beyond the source, which a thread
/// without a whole slice would have, nobody reads either.
void Shrinker::cutCopy(Operation *copy, const ShrinkPlan &plan) {
  Value source = copy->getOperand(0), target = copy->getOperand(1);
  ArrayRef<int64_t> shape = cast<MemRefType>(source.getType()).getShape();
  Location loc = copy->getLoc();
  OpBuilder b(copy);
  SmallVector<Value> from, to;
  Value inBounds;
  auto require = [&](arith::CmpIPredicate predicate, Value index,
                     int64_t bound) {
    Value holds =
        arith::CmpIOp::create(b, loc, predicate, index,
                              arith::ConstantIndexOp::create(b, loc, bound));
    inBounds =
        inBounds ? arith::AndIOp::create(b, loc, inBounds, holds) : holds;
  };
  Value zero = arith::ConstantIndexOp::create(b, loc, 0);
  Value one = arith::ConstantIndexOp::create(b, loc, 1);
  // The loops first: the conditions belong inside all of them.
  for (int64_t size : plan.type.getShape()) {
    if (size == 1) {
      to.push_back(zero);
      continue;
    }
    Value end = arith::ConstantIndexOp::create(b, loc, size);
    auto loop = scf::ForOp::create(b, loc, zero, end, one);
    to.push_back(loop.getInductionVar());
    b.setInsertionPointToStart(loop.getBody());
  }
  for (auto [dim, cut] : llvm::enumerate(plan.cuts)) {
    if (!cut) {
      from.push_back(to[dim]);
      continue;
    }
    Value start = getValueOrCreateConstantIndexOp(
        b, loc, materialize(b, loc, cut->base + cut->leastRest));
    AffineExpr x = b.getAffineDimExpr(0), index = b.getAffineDimExpr(1);
    AffineExpr old =
        cut->pitch == 0
            ? x + index
            : x + (index.floorDiv(cut->rests) + cut->leastWave) * cut->pitch +
                  index % cut->rests;
    from.push_back(affine::makeComposedAffineApply(
        b, loc, AffineMap::get(2, 0, old), {start, to[dim]}));
    Interval starts = exprs.getInterval(cut->base);
    int64_t waves = cut->pitch == 0 ? 1 : cut->size / cut->rests;
    int64_t first = cut->leastRest + cut->leastWave * cut->pitch;
    int64_t last = cut->leastRest + (cut->leastWave + waves - 1) * cut->pitch +
                   cut->rests - 1;
    if (!starts.lower || *starts.lower + first < 0)
      require(arith::CmpIPredicate::sge, from.back(), 0);
    if (!starts.upper || *starts.upper + last >= shape[dim])
      require(arith::CmpIPredicate::slt, from.back(), shape[dim]);
  }
  if (inBounds)
    b.setInsertionPointToStart(
        scf::IfOp::create(b, loc, inBounds, /*withElseRegion=*/false)
            .thenBlock());
  Value element = memref::LoadOp::create(b, loc, source, from);
  memref::StoreOp::create(b, loc, element, target, to);
  copy->erase();
}

void Shrinker::apply(const ShrinkGroup &group, const ShrinkPlan &plan) {
  DenseMap<Value, Value> smaller;
  for (memref::AllocaOp alloca : group.allocas) {
    OpBuilder b(alloca);
    auto cut = memref::AllocaOp::create(b, alloca.getLoc(), plan.type,
                                        alloca.getAlignmentAttr());
    cut->setDiscardableAttrs(alloca->getDiscardableAttrDictionary());
    alloca.replaceAllUsesWith(cut.getResult());
    smaller[alloca] = cut;
  }
  for (auto [value, type] : plan.types)
    value.setType(type);
  for (const ShrinkAccess &access : plan.accesses) {
    auto it = smaller.find(access.buffer);
    Value buffer = it == smaller.end() ? access.buffer : it->second;
    if (auto view = dyn_cast<memref::SubViewOp>(access.op))
      moveView(view, access, buffer);
    else
      moveIndices(access, buffer);
  }
  for (Operation *copy : group.copies)
    cutCopy(copy, plan);
  for (memref::AllocaOp alloca : group.allocas)
    alloca.erase();
}

/// Erases `op` when nothing but dead views uses it. True when anything was
/// erased.
static bool eraseIfDead(Operation *op) {
  // Each behind what it is a view of.
  SetVector<Operation *> views;
  views.insert(op);
  for (size_t i = 0; i < views.size(); ++i)
    for (Operation *user : views[i]->getUsers())
      if (isa<ViewLikeOpInterface>(user) && isPure(user))
        views.insert(user);
  bool isErased = false;
  for (Operation *view : llvm::reverse(views))
    if (view->use_empty()) {
      view->erase();
      isErased = true;
    }
  return isErased;
}

static bool isPrivate(Type type, const KernelContext &context) {
  return isa<MemRefType>(type) &&
         context.getSpaces().getNamedSpace(type) == MemorySpace::Private;
}

/// A loop that carries a private buffer round unchanged hides its uses. True
/// when something has changed.
static bool foldCarriedBuffers(const KernelContext &context) {
  FunctionOpInterface kernel = context.getKernel();
  SmallVector<Operation *> loops;
  kernel->walk([&](scf::ForOp loop) {
    if (llvm::any_of(loop.getResultTypes(),
                     [&](Type type) { return isPrivate(type, context); }))
      loops.push_back(loop);
  });
  if (loops.empty())
    return false;
  RewritePatternSet patterns(kernel->getContext());
  scf::ForOp::getCanonicalizationPatterns(patterns, kernel->getContext());
  GreedyRewriteConfig config;
  config.setStrictness(GreedyRewriteStrictness::ExistingAndNewOps);
  bool isChanged = false;
  (void)applyOpPatternsGreedily(loops, std::move(patterns), config, &isChanged);
  return isChanged;
}

static SmallVector<memref::AllocaOp>
getPrivateAllocas(const KernelContext &context) {
  SmallVector<memref::AllocaOp> allocas;
  FunctionOpInterface kernel = context.getKernel();
  kernel->walk([&](memref::AllocaOp alloca) {
    if (isPrivate(alloca.getType(), context))
      allocas.push_back(alloca);
  });
  return allocas;
}

/// True when anything was changed.
static bool shrink(const KernelContext &context) {
  bool isChanged = false;
  for (Operation *alloca : getPrivateAllocas(context))
    isChanged |= eraseIfDead(alloca);
  // Those of a group are looked at together, and the new ones not again.
  DenseSet<Operation *> done;
  for (memref::AllocaOp alloca : getPrivateAllocas(context)) {
    if (done.contains(alloca))
      continue;
    // The leaves are values that a rewrite may erase: fresh for each.
    Shrinker shrinker(context);
    ShrinkGroup group;
    bool canShrink = shrinker.collect(alloca, group);
    done.insert(group.allocas.begin(), group.allocas.end());
    if (!canShrink)
      continue;
    if (std::optional<ShrinkPlan> plan = shrinker.plan(group)) {
      shrinker.apply(group, *plan);
      isChanged = true;
    }
  }
  return isChanged;
}

LogicalResult mlir::memspace::shrinkPrivateBuffers(Operation *root,
                                                   KernelSelection selection,
                                                   bool &isChanged) {
  selection.pass = "memspace-shrink-private";
  selection.targetIsOptional = true;
  selection.renamed = &isChanged;
  return forEachKernel(root, selection, [&](const KernelContext &context) {
    isChanged |= foldCarriedBuffers(context);
    isChanged |= shrink(context);
    return success();
  });
}

namespace {
struct ShrinkPrivatePass
    : public memspace::impl::ShrinkPrivatePassBase<ShrinkPrivatePass> {
  using Base::Base;

  void runOnOperation() override {
    KernelSelection selection;
    selection.target = {chip, workgroupLimit, privateLimit, subgroupSize};
    selection.launch = {llvm::to_vector(blockSize), llvm::to_vector(gridSize)};
    selection.memorySpaces = memorySpaces;
    selection.quiet = quiet;
    bool isChanged = false;
    if (failed(shrinkPrivateBuffers(getOperation(), selection, isChanged)))
      return signalPassFailure();
    // Then nothing needs to be verified again.
    if (!isChanged)
      markAllAnalysesPreserved();
  }
};
} // namespace
