//===- LinalgToLoops.cpp - loops that keep what foralls promise -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Upstream's lowering of linalg ops on memrefs to loops, and that of our own.
/// What is made of an op carries the op's promises, so that barriers can still
/// be verified.
///
//===----------------------------------------------------------------------===//

#include "MemSpace/IR/MemSpaceDialect.h"
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
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace mlir {
namespace memspace {
#define GEN_PASS_DEF_LINALGTOLOOPSPASS
#include "MemSpace/Transforms/Passes.h.inc"
} // namespace memspace
} // namespace mlir

using namespace mlir;
using namespace mlir::memspace;

namespace {
struct ToLoops : OpInterfaceRewritePattern<linalg::LinalgOp> {
  using OpInterfaceRewritePattern::OpInterfaceRewritePattern;

  LogicalResult matchAndRewrite(linalg::LinalgOp op,
                                PatternRewriter &rewriter) const override {
    if (!op.hasPureBufferSemantics())
      return rewriter.notifyMatchFailure(op, "works on tensors");
    Operation *before = op->getPrevNode();
    if (failed(linalg::linalgOpToLoops(rewriter, op)))
      return failure();
    Block::iterator first =
        before ? std::next(before->getIterator()) : op->getBlock()->begin();
    for (Operation &made : llvm::make_range(first, op->getIterator()))
      made.walk([&](Operation *inner) { mark(inner, op, rewriter); });
    rewriter.eraseOp(op);
    return success();
  }

private:
  static void mark(Operation *made, Operation *source,
                   PatternRewriter &rewriter) {
    if (!isa<scf::ForOp, memref::LoadOp, memref::StoreOp>(made))
      return;
    for (StringRef name : {kDisjointAttr, kSubgroupDisjointAttr,
                           kWarpgroupDisjointAttr, kWorkgroupDisjointAttr})
      if (Attribute promise = source->getAttr(name))
        rewriter.modifyOpInPlace(made, [&] { made->setAttr(name, promise); });
  }
};

struct LinalgToLoopsPass
    : public memspace::impl::LinalgToLoopsPassBase<LinalgToLoopsPass> {
  void runOnOperation() override {
    renameAttributes(getOperation());
    // With the clean-up that upstream's pass does.
    RewritePatternSet patterns(&getContext());
    patterns.add<ToLoops>(&getContext());
    addScanToLoops(patterns);
    addSortToLoops(patterns);
    addTopKToLoops(patterns);
    addIndexedToLoops(patterns);
    memref::DimOp::getCanonicalizationPatterns(patterns, &getContext());
    affine::AffineApplyOp::getCanonicalizationPatterns(patterns, &getContext());
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns))))
      signalPassFailure();
  }
};
} // namespace
