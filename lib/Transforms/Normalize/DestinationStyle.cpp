//===- DestinationStyle.cpp - destination style for One-Shot -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MemSpace/Spaces/MemorySpaceAnalysis.h"
#include "MemSpace/Spaces/PayloadUses.h"
#include "MemSpace/Spaces/TensorClaims.h"
#include "Normalization.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tensor/Transforms/Transforms.h"
#include "mlir/IR/Dominance.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Transforms/CSE.h"
#include "mlir/Transforms/FoldUtils.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;
using namespace mlir::memspace;

Value mlir::memspace::getGivenExtent(OpBuilder &b, Value tensor, int64_t dim) {
  while (auto result = dyn_cast<OpResult>(tensor)) {
    Operation *op = result.getOwner();
    if (auto alloc = dyn_cast<bufferization::AllocTensorOp>(op)) {
      if (!alloc.getCopy())
        return alloc.getDynamicSize(b, dim);
      tensor = alloc.getCopy();
    } else if (auto empty = dyn_cast<tensor::EmptyOp>(op)) {
      return empty.getDynamicSize(dim);
    } else if (auto forall = dyn_cast<scf::ForallOp>(op)) {
      tensor = forall.getTiedOpOperand(result)->get();
    } else if (auto dps = dyn_cast<DestinationStyleOpInterface>(op)) {
      tensor = dps.getTiedOpOperand(result)->get();
    } else {
      break;
    }
  }
  return {};
}

/// Lets sizes that are asked of other tensors be those that these were made
/// with; true when any are.
static bool resolveSizes(RewriterBase &rewriter,
                         bufferization::AllocTensorOp alloc) {
  bool changed = false;
  for (OpOperand &size : alloc.getDynamicSizesMutable()) {
    auto asked = size.get().getDefiningOp<tensor::DimOp>();
    std::optional<int64_t> dim =
        asked ? asked.getConstantIndex() : std::nullopt;
    if (!dim)
      continue;
    rewriter.setInsertionPoint(alloc);
    if (Value given = getGivenExtent(rewriter, asked.getSource(), *dim)) {
      rewriter.modifyOpInPlace(alloc, [&] { size.set(given); });
      changed = true;
    }
  }
  return changed;
}

bool mlir::memspace::makeAllocationsExplicit(FunctionOpInterface kernel) {
  IRRewriter rewriter(kernel.getContext());
  bool changed = false;
  SmallVector<Operation *> candidates;
  kernel->walk([&](Operation *op) {
    if (auto empty = dyn_cast<tensor::EmptyOp>(op)) {
      rewriter.setInsertionPoint(empty);
      op = rewriter.replaceOpWithNewOp<bufferization::AllocTensorOp>(
          empty, empty.getType(), empty.getDynamicSizes());
      changed = true;
    }
    if (isa<bufferization::AllocTensorOp, tensor::ExtractSliceOp>(op))
      candidates.push_back(op);
  });
  for (Operation *op : candidates)
    if (auto alloc = dyn_cast<bufferization::AllocTensorOp>(op))
      changed |= resolveSizes(rewriter, alloc);
  for (Operation *op : llvm::reverse(candidates))
    if (op->use_empty()) {
      op->erase();
      changed = true;
    }
  return changed;
}

bool mlir::memspace::mergeEqualValues(FunctionOpInterface kernel) {
  IRRewriter rewriter(kernel.getContext());
  DominanceInfo dominance(kernel);
  bool changed = false;
  eliminateCommonSubExpressions(rewriter, dominance, kernel, &changed);
  return changed;
}

/// Upstream's patterns have tensors of given elements, not those of one.
static LogicalResult fillSplat(tensor::SplatOp op, PatternRewriter &rewriter) {
  Value empty = tensor::EmptyOp::create(rewriter, op.getLoc(),
                                        cast<RankedTensorType>(op.getType()),
                                        op.getDynamicSizes());
  rewriter.replaceOpWithNewOp<linalg::FillOp>(op, op.getInput(), empty);
  return success();
}

/// Gives a destination to ops on tensors that have none, and brings constants
/// together.
static LogicalResult addDestinations(FunctionOpInterface kernel) {
  WalkResult found = kernel->walk([](Operation *op) {
    return WalkResult(
        failure(isa<tensor::ConcatOp, tensor::FromElementsOp,
                    tensor::GenerateOp, tensor::PadOp, tensor::SplatOp>(op)));
  });
  if (!found.wasInterrupted()) {
    // As the driver of the patterns would, which looks at all ops.
    OperationFolder folder(kernel.getContext());
    kernel->walk<WalkOrder::PreOrder>([&](Operation *op) {
      Attribute value;
      bool isMerged = matchPattern(op, m_Constant(&value)) &&
                      !folder.insertKnownConstant(op, value);
      return isMerged ? WalkResult::skip() : WalkResult::advance();
    });
    return success();
  }
  RewritePatternSet patterns(kernel.getContext());
  linalg::populateConvertToDestinationStylePatterns(patterns);
  tensor::populateDecomposeTensorConcatPatterns(patterns);
  patterns.add(fillSplat);
  // No folding: the canonical form of a mapped forall of one iteration has no
  // forall, but the guard matters.
  GreedyRewriteConfig config;
  config.enableFolding(false);
  config.setRegionSimplificationLevel(GreedySimplifyRegionLevel::Disabled);
  return applyPatternsGreedily(kernel, std::move(patterns), config);
}

LogicalResult mlir::memspace::normalizeDestinationStyle(
    FunctionOpInterface kernel,
    const bufferization::OneShotBufferizationOptions &oneShot) {
  if (failed(addDestinations(kernel)))
    return failure();

  // Equal offsets become one value, by which One-Shot knows equal slices.
  IRRewriter rewriter(kernel.getContext());
  makeAllocationsExplicit(kernel);
  mergeEqualValues(kernel);
  kernel->walk([&](bufferization::AllocTensorOp alloc) {
    if (alloc.getCopy() || alloc.getMemorySpace() || alloc.getSizeHint())
      return;
    rewriter.setInsertionPoint(alloc);
    // Somebody's CSE may have made one of several, which are apart again.
    for (OpOperand &use : llvm::make_early_inc_range(alloc->getUses())) {
      if (alloc->hasOneUse())
        break;
      use.set(tensor::EmptyOp::create(rewriter, alloc.getLoc(),
                                      cast<RankedTensorType>(alloc.getType()),
                                      alloc.getDynamicSizes()));
    }
    rewriter.replaceOpWithNewOp<tensor::EmptyOp>(
        alloc, cast<RankedTensorType>(alloc.getType()),
        alloc.getDynamicSizes());
  });

  SmallVector<OpOperand *> partial;
  kernel->walk([&](DestinationStyleOpInterface op) {
    if (!isa<linalg::LinalgOp>(op.getOperation()))
      return;
    for (OpOperand &init : op.getDpsInitsMutable())
      if (isa<RankedTensorType>(init.get().getType()) &&
          !isUndefinedTensor(init.get()) &&
          getInitUse(init) == InitUse::PartlyOverwritten)
        partial.push_back(&init);
  });
  for (OpOperand *init : partial) {
    rewriter.setInsertionPoint(init->getOwner());
    init->set(copyTensor(rewriter, init->getOwner()->getLoc(), init->get()));
  }
  separateDeniedInits(kernel, oneShot);
  return success();
}

Value mlir::memspace::copyTensor(RewriterBase &rewriter, Location loc,
                                 Value value) {
  Value empty = tensor::EmptyOp::create(
      rewriter, loc, tensor::getMixedSizes(rewriter, loc, value),
      cast<RankedTensorType>(value.getType()).getElementType());
  if (isUndefinedTensor(value))
    return empty;
  return linalg::CopyOp::create(rewriter, loc, value, empty).getResult(0);
}

bool mlir::memspace::separateDeniedInits(
    FunctionOpInterface kernel,
    const bufferization::OneShotBufferizationOptions &oneShot) {
  bufferization::AnalysisState state(oneShot);
  IRRewriter rewriter(kernel.getContext());
  bool changed = false;
  kernel->walk([&](DestinationStyleOpInterface op) {
    if (hasTrustedModel(op))
      return;
    for (OpOperand &init : op.getDpsInitsMutable()) {
      if (!isa<RankedTensorType>(init.get().getType()) ||
          isOnlyNameOfFreshTensor(init))
        continue;
      auto aliases = state.getAliasingValues(init);
      if (llvm::any_of(aliases, [&](const bufferization::AliasingValue &alias) {
            return alias.value == op.getTiedOpResult(&init);
          }))
        continue;
      rewriter.setInsertionPoint(op);
      init.set(copyTensor(rewriter, op->getLoc(), init.get()));
      changed = true;
    }
  });
  return changed;
}
