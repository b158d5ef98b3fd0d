//===- Bufferize.cpp - One-Shot Bufferize with the MemSpace hook -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MemSpace/Transforms/Bufferize.h"
#include "MemSpace/IR/MemSpaceDialect.h"
#include "MemSpace/Transforms/AllocationHook.h"
#include "MemSpace/Transforms/DistributeStructuredOps.h"
#include "MemSpace/Transforms/FinishBufferization.h"
#include "MemSpace/Transforms/Passes.h"
#include "Transforms/Normalize/Distribution.h"
#include "Transforms/Normalize/DropUnusedResults.h"
#include "Transforms/Normalize/Normalization.h"
#include "Transforms/Support/InputChecks.h"
#include "Transforms/Support/PassKernels.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Bufferization/Transforms/Bufferize.h"
#include "mlir/Dialect/Bufferization/Transforms/OneShotAnalysis.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Transforms/CSE.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace mlir {
namespace memspace {
#define GEN_PASS_DEF_BUFFERIZEPASS
#include "MemSpace/Transforms/Passes.h.inc"
} // namespace memspace
} // namespace mlir

using namespace mlir;
using namespace mlir::memspace;

/// Makes the kernel smaller; it is right before. Foralls stay: one without a
/// mapping and of a single iteration is a guard, and folding it would let every
/// thread execute its body.
static void cleanUp(FunctionOpInterface kernel) {
  MLIRContext *ctx = kernel.getContext();
  RewritePatternSet patterns(ctx);
  auto canonicalize = [&](auto op) {
    decltype(op)::getCanonicalizationPatterns(patterns, ctx);
  };
  canonicalize(memref::SubViewOp());
  canonicalize(memref::CastOp());
  canonicalize(memref::DimOp());
  canonicalize(memref::LoadOp());
  canonicalize(affine::AffineApplyOp());
  canonicalize(affine::AffineMinOp());
  canonicalize(affine::AffineMaxOp());
  canonicalize(linalg::CopyOp());
  canonicalize(scf::ForOp());
  canonicalize(scf::IfOp());
  canonicalize(scf::WhileOp());
  canonicalize(bufferization::ToBufferOp());
  canonicalize(bufferization::ToTensorOp());
  FrozenRewritePatternSet frozen(std::move(patterns));
  GreedyRewriteConfig config;
  config.setRegionSimplificationLevel(GreedySimplifyRegionLevel::Disabled);
  // What a change makes possible is looked at with it; a second look at all
  // that there is finds nothing.
  config.setMaxIterations(1);
  IRRewriter rewriter(ctx);
  DominanceInfo dominance(kernel);
  (void)applyPatternsGreedily(kernel, frozen, config);
  bool merged = false;
  eliminateCommonSubExpressions(rewriter, dominance, kernel, &merged);
  if (merged)
    (void)applyPatternsGreedily(kernel, frozen, config);
}

//===----------------------------------------------------------------------===//
// The steps
//===----------------------------------------------------------------------===//

namespace {
template <typename... DialectTs> struct DialectList {
  static void insert(DialectRegistry &registry) {
    registry.insert<DialectTs...>();
  }
  static void load(MLIRContext *context) {
    context->loadDialect<DialectTs...>();
  }
};
/// Whose ops the steps create.
using CreatedDialects =
    DialectList<affine::AffineDialect, arith::ArithDialect,
                bufferization::BufferizationDialect, gpu::GPUDialect,
                linalg::LinalgDialect, memref::MemRefDialect, MemSpaceDialect,
                scf::SCFDialect, tensor::TensorDialect>;
} // namespace

void mlir::memspace::getBufferizationDialects(DialectRegistry &registry) {
  CreatedDialects::insert(registry);
}

/// Runs `change`, which may leave half of the body rewritten when it fails:
/// upstream's bufferization does, and the half does not always verify. The
/// kernel is then what it was.
static LogicalResult changeOrRestore(FunctionOpInterface kernel,
                                     function_ref<LogicalResult()> change) {
  Region &body = kernel.getFunctionBody();
  DictionaryAttr attributes = kernel->getDiscardableAttrDictionary();
  Region original;
  IRMapping mapping;
  body.cloneInto(&original, mapping);
  if (succeeded(change()))
    return success();
  body.dropAllReferences();
  body.takeBody(original);
  kernel->setDiscardableAttrs(attributes);
  return failure();
}

static LogicalResult bufferizeBody(FunctionOpInterface kernel,
                                   const MemorySpaceOptions &options,
                                   bool cleansUp = true) {
  bufferization::OneShotBufferizationOptions oneShot = options.oneShot;
  configureBufferization(oneShot, options);
  // Nothing else is left of collectives afterwards; a canonicalization may have
  // made the forall anew.
  kernel->walk([&](EndCollectiveOp op) {
    if (auto forall = op->getParentOfType<scf::ForallOp>())
      forall->setAttr(kCollectiveAttr, UnitAttr::get(op.getContext()));
  });
  // Every conflict is resolved, every allocation explicit: no analysis.
  KernelConstants constants(kernel);
  bufferization::BufferizationState state;
  if (failed(bufferization::bufferizeOp(kernel, oneShot, state)))
    return failure();
  constants.bringNew();
  if (failed(lowerExchanges(kernel)))
    return failure();
  removeSelfCopies(kernel);
  // Before the guards, which stand around what is left.
  if (cleansUp)
    cleanUp(kernel);
  return guardSharedWrites(kernel, options.spaces);
}

LogicalResult
mlir::memspace::bufferizeDecided(FunctionOpInterface kernel,
                                 const MemorySpaceOptions &options) {
  CreatedDialects::load(kernel.getContext());
  return changeOrRestore(kernel,
                         [&] { return bufferizeBody(kernel, options); });
}

LogicalResult mlir::memspace::prepareKernel(const KernelContext &context,
                                            const MemorySpaceOptions &options) {
  FunctionOpInterface kernel = context.getKernel();
  CreatedDialects::load(kernel.getContext());
  renameAttributes(kernel);
  if (failed(checkInput(kernel, context.getSpaces())))
    return failure();
  IRRewriter rewriter(kernel.getContext());
  dropUnusedResults(rewriter, kernel);
  OneShotAnalyses own(options.oneShot);
  OneShotAnalyses &analyses = options.analyses ? *options.analyses : own;
  return success(succeeded(distributeStructuredOps(context)) &&
                 succeeded(normalizeKernel(context, analyses)) &&
                 succeeded(distributeToThreads(kernel, options)));
}

LogicalResult mlir::memspace::bufferizeKernel(FunctionOpInterface kernel,
                                              const MemorySpaceOptions &given) {
  FailureOr<KernelContext> context =
      KernelContext::create(kernel, given.target, {}, given.spaces);
  if (failed(context))
    return failure();
  MemorySpaceOptions options = given;
  OneShotAnalyses own(given.oneShot);
  if (!options.analyses)
    options.analyses = &own;
  return changeOrRestore(kernel, [&] {
    return success(succeeded(prepareKernel(*context, options)) &&
                   succeeded(inferMemorySpaces(*context, options)) &&
                   succeeded(bufferizeBody(kernel, options)));
  });
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

namespace {
struct BufferizePass : public memspace::impl::BufferizePassBase<BufferizePass> {
  using Base::Base;
  void runOnOperation() override {
    KernelSelection selection;
    selection.target = {chip, workgroupLimit, privateLimit, subgroupSize};
    selection.launch = {llvm::to_vector(blockSize), llvm::to_vector(gridSize)};
    selection.memorySpaces = memorySpaces;
    selection.pass = getArgument();
    selection.quiet = quiet;
    auto bufferize = [&](const KernelContext &context) {
      FunctionOpInterface kernel = context.getKernel();
      return changeOrRestore(kernel, [&] {
        return bufferizeBody(kernel, MemorySpaceOptions(context), cleanUp);
      });
    };
    if (failed(forEachKernel(getOperation(), selection, bufferize)))
      signalPassFailure();
  }
};
} // namespace
