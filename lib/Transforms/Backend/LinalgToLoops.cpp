//===- LinalgToLoops.cpp - loops that keep what foralls promise -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Upstream's lowering of linalg ops on memrefs to loops, and that of our own,
/// which other dialects' become first.
/// What is made of an op carries the op's promises, so that barriers can still
/// be verified.
///
//===----------------------------------------------------------------------===//

#include "MemSpace/IR/MemSpaceDialect.h"
#include "MemSpace/IR/StructuredOpInterface.h"
#include "MemSpace/Transforms/Passes.h"
#include "Transforms/Backend/StructuredToLoops.h"
#include "Transforms/Support/IndexedToLoops.h"
#include "Transforms/Support/PassKernels.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Iterators.h"
#include "mlir/Interfaces/ValueBoundsOpInterface.h"
#include "mlir/Transforms/FoldUtils.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace mlir {
namespace memspace {
#define GEN_PASS_DEF_LINALGTOLOOPSPASS
#include "MemSpace/Transforms/Passes.h.inc"
} // namespace memspace
} // namespace mlir

using namespace mlir;
using namespace mlir::memspace;

/// What a `forall` has promised of an op, whose attributes are `source`, it has
/// promised of `made` and of what is in there.
static void copyPromises(DictionaryAttr source, Operation *made,
                         RewriterBase &rewriter) {
  made->walk([&](Operation *inner) {
    if (!isa<LoopLikeOpInterface>(inner) &&
        (!isa<MemoryEffectOpInterface>(inner) || isMemoryEffectFree(inner)))
      return;
    for (StringRef name : {kDisjointAttr, kSubgroupDisjointAttr,
                           kWarpgroupDisjointAttr, kWorkgroupDisjointAttr})
      if (Attribute promise = source.get(name))
        rewriter.modifyOpInPlace(inner, [&] { inner->setAttr(name, promise); });
  });
}

/// Runs `lower`, which makes others of `op` in its place, and gives these its
/// promises.
static LogicalResult keepPromises(Operation *op,
                                  function_ref<LogicalResult()> lower) {
  DictionaryAttr attributes = op->getDiscardableAttrDictionary();
  Block *block = op->getBlock();
  Operation *before = op->getPrevNode(), *next = op->getNextNode();
  IRRewriter rewriter(op->getContext());
  if (failed(lower()))
    return failure();
  for (Operation &made : llvm::make_range(
           before ? std::next(before->getIterator()) : block->begin(),
           next ? next->getIterator() : block->end()))
    copyPromises(attributes, &made, rewriter);
  return success();
}

static Value getBase(Value memref) {
  while (auto view = memref.getDefiningOp<ViewLikeOpInterface>())
    memref = view.getViewSource();
  return memref;
}

/// Private memory of known extents.
static bool isInRegisters(Value memref) {
  auto alloca = getBase(memref).getDefiningOp<memref::AllocaOp>();
  return alloca && alloca.getType().hasStaticShape();
}

/// False where `memref` is certainly not of the memory of `registers`.
static bool mayBeOf(Value memref, Value registers) {
  Value base = getBase(memref), alloca = getBase(registers);
  if (base == alloca)
    return true;
  auto argument = dyn_cast<BlockArgument>(base);
  bool isOther = base.getDefiningOp<memref::AllocaOp>() ||
                 (argument &&
                  isa<FunctionOpInterface>(argument.getOwner()->getParentOp()));
  return !isOther &&
         cast<BaseMemRefType>(base.getType()).getMemorySpace() ==
             cast<BaseMemRefType>(alloca.getType()).getMemorySpace();
}

/// The iterations of `op` that are of different elements of its results have
/// nothing to do with each other: any order of them means the same.
static bool hasIndependentElements(linalg::LinalgOp op) {
  auto isRead = [&](Value memref) {
    return llvm::any_of(op.getDpsInits(),
                        [&](Value init) { return mayBeOf(memref, init); });
  };
  for (OpOperand &init : op.getDpsInitsMutable()) {
    AffineMap map = op.getMatchingIndexingMap(&init);
    if (!map.isProjectedPermutation() ||
        map.getNumResults() != op.getNumParallelLoops())
      return false;
  }
  for (Value input : op.getDpsInputs())
    if (isa<BaseMemRefType>(input.getType()) && isRead(input))
      return false;
  return !op.getBlock()
              ->walk([&](Operation *inner) {
                auto load = dyn_cast<memref::LoadOp>(inner);
                bool isFree = load ? !isRead(load.getMemRef())
                                   : isMemoryEffectFree(inner);
                return isFree ? WalkResult::advance() : WalkResult::interrupt();
              })
              .wasInterrupted();
}

/// `op`, with its reductions outside of the other loops where these are few
/// iterations on registers: what the elements of a tile share is then read once
/// for all of them, and not all iterations have to be unrolled. Each element
/// combines the same in the same order.
static FailureOr<linalg::LinalgOp> moveReductionsOut(linalg::LinalgOp op,
                                                     RewriterBase &rewriter) {
  constexpr int64_t kRegisters = 128;
  SmallVector<unsigned> order, parallel;
  int64_t elements = 1;
  op.getReductionDims(order);
  op.getParallelDims(parallel);
  for (unsigned loop : parallel) {
    int64_t extent = op.getStaticLoopRanges()[loop];
    if (ShapedType::isDynamic(extent) || extent > kRegisters)
      return op;
    elements *= extent;
    if (elements > kRegisters)
      return op;
  }
  if (order.empty() || elements <= 1 ||
      !llvm::all_of(op.getDpsInits(), isInRegisters) ||
      !hasIndependentElements(op))
    return op;
  llvm::append_range(order, parallel);
  if (llvm::is_sorted(order))
    return op;
  DictionaryAttr promises = op->getDiscardableAttrDictionary();
  rewriter.setInsertionPoint(op);
  FailureOr<linalg::GenericOp> generic =
      isa<linalg::GenericOp>(op.getOperation())
          ? cast<linalg::GenericOp>(op.getOperation())
          : linalg::generalizeNamedOp(rewriter, op);
  if (failed(generic))
    return failure();
  (*generic)->setDiscardableAttrs(promises);
  generic = linalg::interchangeGenericOp(rewriter, *generic, order);
  if (failed(generic))
    return failure();
  return cast<linalg::LinalgOp>(generic->getOperation());
}

/// A loop of few iterations, of which the number is not known, becomes one of
/// all that there may be, with a guard: backends keep private memory in
/// registers only where all its indices are constants.
static void makeTripsConstant(scf::ForOp loop, RewriterBase &rewriter) {
  constexpr int64_t kFewIterations = 16;
  Value upper = loop.getUpperBound();
  if (getConstantIntValue(upper) || loop.getNumResults() != 0 ||
      !upper.getType().isIndex() ||
      loop.getBody()->without_terminator().empty())
    return;
  FailureOr<int64_t> most = ValueBoundsConstraintSet::computeConstantBound(
      presburger::BoundType::UB, upper, nullptr, /*closedUB=*/true);
  if (failed(most) || *most > kFewIterations)
    return;
  Location loc = loop.getLoc();
  rewriter.setInsertionPoint(loop);
  Value all = arith::ConstantIndexOp::create(rewriter, loc, *most);
  rewriter.modifyOpInPlace(loop, [&] { loop.setUpperBound(all); });
  rewriter.setInsertionPointToStart(loop.getBody());
  Value exists = arith::CmpIOp::create(rewriter, loc, arith::CmpIPredicate::slt,
                                       loop.getInductionVar(), upper);
  auto guard = scf::IfOp::create(rewriter, loc, exists);
  for (Operation &op : llvm::make_early_inc_range(llvm::make_range(
           std::next(guard->getIterator()), std::prev(loop.getBody()->end()))))
    rewriter.moveOpBefore(&op, guard.thenBlock()->getTerminator());
}

/// True for what an atomic update computes.
static bool isInAtomic(Operation *op) {
  return isa_and_nonnull<memref::GenericAtomicRMWOp>(op->getParentOp());
}

namespace {
struct ToLoops : OpInterfaceRewritePattern<linalg::LinalgOp> {
  using OpInterfaceRewritePattern::OpInterfaceRewritePattern;

  LogicalResult matchAndRewrite(linalg::LinalgOp op,
                                PatternRewriter &rewriter) const override {
    if (!op.hasPureBufferSemantics())
      return rewriter.notifyMatchFailure(op, "works on tensors");
    FailureOr<linalg::LinalgOp> ordered = moveReductionsOut(op, rewriter);
    if (failed(ordered))
      return failure();
    op = *ordered;
    Operation *before = op->getPrevNode();
    FailureOr<linalg::LinalgLoops> loops =
        linalg::linalgOpToLoops(rewriter, op);
    if (failed(loops))
      return failure();
    for (Operation *loop : *loops)
      if (llvm::any_of(op->getOperands(), isInRegisters) &&
          isa<scf::ForOp>(loop))
        makeTripsConstant(cast<scf::ForOp>(loop), rewriter);
    Block::iterator first =
        before ? std::next(before->getIterator()) : op->getBlock()->begin();
    for (Operation &made : llvm::make_range(first, op->getIterator()))
      copyPromises(op->getDiscardableAttrDictionary(), &made, rewriter);
    rewriter.eraseOp(op);
    return success();
  }
};

struct LinalgToLoopsPass
    : public memspace::impl::LinalgToLoopsPassBase<LinalgToLoopsPass> {
  void runOnOperation() override {
    renameAttributes(getOperation());
    if (failed(convertOthers()) || failed(lowerStructuredOps()))
      return signalPassFailure();
    // With the clean-up that upstream's pass does, where it finds anything.
    RewritePatternSet patterns(&getContext());
    patterns.add<ToLoops>(&getContext());
    addAtomicOverwrites(patterns);
    memref::DimOp::getCanonicalizationPatterns(patterns, &getContext());
    affine::AffineApplyOp::getCanonicalizationPatterns(patterns, &getContext());
    FrozenRewritePatternSet frozen(std::move(patterns));
    GreedyRewriteConfig config;
    config.setRegionSimplificationLevel(GreedySimplifyRegionLevel::Disabled);
    config.setStrictness(GreedyRewriteStrictness::ExistingAndNewOps);
    SmallVector<Operation *> ops;
    getOperation()->walk<WalkOrder::PreOrder, ReverseIterator>(
        [&](Operation *op) {
          if (op != getOperation() && isOpTriviallyDead(op)) {
            op->erase();
            return WalkResult::skip();
          }
          if (isa<linalg::LinalgOp, memref::DimOp>(op) || isInAtomic(op))
            ops.push_back(op);
          return WalkResult::advance();
        });
    (void)applyOpPatternsGreedily(ops, frozen, config);
    OperationFolder folder(&getContext());
    getOperation()->walk([&](Operation *op) {
      Attribute value;
      if (matchPattern(op, m_Constant(&value)))
        folder.insertKnownConstant(op, value);
    });
    // What an atomic update stores may be a constant now.
    ops.clear();
    getOperation()->walk(
        [&](memref::AtomicYieldOp yield) { ops.push_back(yield); });
    (void)applyOpPatternsGreedily(ops, frozen, config);
  }

private:
  /// Other dialects' sorts and their like on memrefs become ours.
  LogicalResult convertOthers() {
    SmallVector<StructuredOpInterface> ops;
    getOperation()->walk([&](StructuredOpInterface op) {
      if (llvm::none_of(op->getOperandTypes(), llvm::IsaPred<TensorType>))
        ops.push_back(op);
    });
    for (StructuredOpInterface op : ops)
      if (failed(keepPromises(op, [&] { return convertStructuredOp(op); })))
        return failure();
    return success();
  }

  /// Ours become loops.
  LogicalResult lowerStructuredOps() {
    RewritePatternSet patterns(&getContext());
    addScanToLoops(patterns);
    addSortToLoops(patterns);
    addIndexedToLoops(patterns);
    FrozenRewritePatternSet frozen(std::move(patterns));
    GreedyRewriteConfig config;
    config.setStrictness(GreedyRewriteStrictness::ExistingOps);
    SmallVector<Operation *> ops;
    getOperation()->walk([&](Operation *op) {
      if (isa<GatherOp, ScanOp, ScatterOp, SortIndicesOp, SortOp, TopKOp>(op))
        ops.push_back(op);
    });
    for (Operation *op : ops)
      if (failed(keepPromises(
              op, [&] { return applyOpPatternsGreedily(op, frozen, config); })))
        return failure();
    return success();
  }
};
} // namespace
