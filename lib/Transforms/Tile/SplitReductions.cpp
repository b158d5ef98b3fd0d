//===- SplitReductions.cpp - reductions in parts --------------------------===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Transforms/Tile/SplitReductions.h"
#include "Transforms/Tile/LoopLabels.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::memspace;

/// So many workgroups keep a GPU busy.
static constexpr int64_t kManyWorkgroups = 64;
/// Results of a contraction that a workgroup computes at a time.
static constexpr int64_t kTileResults = 256;
/// One workgroup is through with so many iterations before a second kernel is
/// launched.
static constexpr int64_t kFewIterations = 1 << 18;
/// The shortest parts that are worth a workgroup.
static constexpr int64_t kShortPart = 1024, kShortContraction = 64;

std::optional<int64_t> memspace::getSplitOutputs(linalg::LinalgOp op) {
  SmallVector<int64_t> extents = op.getStaticLoopRanges();
  SmallVector<unsigned> reductions;
  op.getReductionDims(reductions);
  if (llvm::any_of(extents, ShapedType::isDynamic) ||
      op->getNumResults() != 1 || reductions.size() != 1 ||
      op.hasIndexSemantics())
    return std::nullopt;
  // Upstream splits extents of operands, not windows of them.
  auto isWindow = [&](AffineExpr expr) {
    return !isa<AffineDimExpr>(expr) &&
           expr.isFunctionOfDim(reductions.front());
  };
  if (llvm::any_of(op.getIndexingMapsArray(), [&](AffineMap map) {
        return llvm::any_of(map.getResults(), isWindow);
      }))
    return std::nullopt;
  int64_t outputs = 1;
  for (auto [type, extent] :
       llvm::zip_equal(op.getIteratorTypesArray(), extents))
    outputs *= type == utils::IteratorType::parallel ? extent : 1;
  return outputs;
}

int64_t memspace::getReductionLength(linalg::LinalgOp op) {
  SmallVector<unsigned> reductions;
  op.getReductionDims(reductions);
  return op.getStaticLoopRanges()[reductions.front()];
}

linalg::LinalgOp memspace::splitReduction(RewriterBase &rewriter,
                                          linalg::LinalgOp op, int64_t parts,
                                          bool isOuter) {
  int64_t length = getReductionLength(op);
  int64_t ratio = std::min(parts, length);
  while (ratio > 1 && length % ratio != 0)
    --ratio;
  if (ratio < 2)
    return {};
  auto rank = cast<RankedTensorType>(op->getResultTypes()[0]).getRank();
  rewriter.setInsertionPoint(op);
  // Where the combiner is not known, all stays as it is.
  FailureOr<linalg::SplitReductionResult> split =
      linalg::splitReduction(rewriter, op, [&](linalg::LinalgOp) {
        return linalg::SplitReductionOptions{
            ratio, isOuter ? 0 : static_cast<unsigned>(rank),
            /*innerParallel=*/!isOuter};
      });
  return succeeded(split) ? split->splitLinalgOp : linalg::LinalgOp();
}

/// `op`, whose reductions are one loop if they can be.
static linalg::LinalgOp mergeReductions(RewriterBase &rewriter,
                                        linalg::LinalgOp op) {
  SmallVector<unsigned> reductions;
  op.getReductionDims(reductions);
  if (reductions.size() < 2 || op.hasDynamicShape() || op.hasIndexSemantics() ||
      op->getNumResults() != 1)
    return op;
  ReassociationIndices merged(reductions.begin(), reductions.end());
  SmallVector<ReassociationIndices> groups{merged};
  if (!op.hasOnlyProjectedPermutations() ||
      !linalg::areDimSequencesPreserved(op.getIndexingMapsArray(), groups))
    return op;
  rewriter.setInsertionPoint(op);
  FailureOr<linalg::GenericOp> generic =
      isa<linalg::GenericOp>(op.getOperation())
          ? cast<linalg::GenericOp>(op.getOperation())
          : linalg::generalizeNamedOp(rewriter, op);
  if (failed(generic))
    return op;
  rewriter.setInsertionPoint(*generic);
  FailureOr<linalg::CollapseResult> collapsed =
      linalg::collapseOpIterationDims(*generic, groups, rewriter);
  if (failed(collapsed))
    return *generic;
  rewriter.replaceOp(*generic, collapsed->results);
  return collapsed->collapsedOp;
}

DenseSet<Operation *> memspace::splitLongReductions(func::FuncOp function) {
  DenseSet<Operation *> partial;
  IRRewriter rewriter(function.getContext());
  SmallVector<linalg::LinalgOp> ops;
  for (auto op : function.front().getOps<linalg::LinalgOp>())
    if (op.hasPureTensorSemantics() && isReduction(op))
      ops.push_back(op);
  for (linalg::LinalgOp op : ops) {
    int64_t iterations = 1, results = 1;
    for (auto [type, extent] : llvm::zip_equal(op.getIteratorTypesArray(),
                                               op.getStaticLoopRanges())) {
      // Of an unknown extent there may be many.
      if (ShapedType::isDynamic(extent))
        iterations = 0;
      iterations =
          llvm::SaturatingMultiply<uint64_t>(iterations, extent) & INT64_MAX;
      results *= type == utils::IteratorType::parallel ? extent : 1;
    }
    bool isTiled = isContraction(op);
    int64_t workgroups =
        isTiled ? llvm::divideCeil(results, kTileResults) : results;
    int64_t shortest = isTiled ? kShortContraction : kShortPart;
    if (results == 0 ||
        iterations / std::max<int64_t>(workgroups, 1) <= kFewIterations)
      continue;
    int64_t parts = std::min(kManyWorkgroups / std::max<int64_t>(workgroups, 1),
                             iterations / results / shortest);
    if (parts < 2)
      continue;
    op = mergeReductions(rewriter, op);
    if (!getSplitOutputs(op))
      continue;
    if (linalg::LinalgOp part =
            splitReduction(rewriter, op, parts, /*isOuter=*/true))
      partial.insert(part);
  }
  return partial;
}
