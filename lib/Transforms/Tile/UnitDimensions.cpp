//===- UnitDimensions.cpp - dimensions that reductions keep ---------------===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Other compilers keep a reduced dimension with one element, at the constant
// index 0. No loop leads to it: upstream's tiling takes no part of such a
// result, and rows would not be shared out. So the dimension is dropped, and
// the ops that follow read what has none. An op whose own loop has one
// iteration keeps it, unless it reads such a result.
//
//===----------------------------------------------------------------------===//

#include "Transforms/Tile/KernelGroups.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tensor/Transforms/Transforms.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;
using namespace mlir::memspace;

/// The indexing maps of `op` with the loop of one iteration in place of the
/// constant 0, where the result has that loop in this dimension.
static SmallVector<AffineMap> getMapsWithLoops(linalg::GenericOp op) {
  SmallVector<int64_t> extents = op.getStaticLoopRanges();
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  AffineMap result = maps.back();
  for (AffineMap &map : maps) {
    if (map.getNumResults() != result.getNumResults())
      continue;
    SmallVector<AffineExpr> exprs(map.getResults());
    for (auto [expr, other] : llvm::zip_equal(exprs, result.getResults())) {
      auto constant = dyn_cast<AffineConstantExpr>(expr);
      auto loop = dyn_cast<AffineDimExpr>(other);
      if (constant && constant.getValue() == 0 && loop &&
          extents[loop.getPosition()] == 1 &&
          !map.isFunctionOfDim(loop.getPosition()))
        expr = other;
    }
    map = AffineMap::get(map.getNumDims(), 0, exprs, op.getContext());
  }
  return maps;
}

/// The tensor is another one with more dimensions of one element.
static bool hasNewUnits(Value tensor) {
  auto expand = tensor.getDefiningOp<tensor::ExpandShapeOp>();
  if (!expand)
    return false;
  ArrayRef<int64_t> shape = expand.getResultType().getShape();
  return llvm::all_of(
      expand.getReassociationIndices(), [&](ArrayRef<int64_t> group) {
        return llvm::count_if(group,
                              [&](int64_t dim) { return shape[dim] != 1; }) < 2;
      });
}

void memspace::dropUnitDimensions(func::FuncOp function) {
  IRRewriter rewriter(function.getContext());
  SmallVector<linalg::GenericOp> ops(
      function.front().getOps<linalg::GenericOp>());
  for (linalg::GenericOp op : ops) {
    if (!op.hasPureTensorSemantics())
      continue;
    SmallVector<AffineMap> maps = getMapsWithLoops(op);
    rewriter.modifyOpInPlace(op, [&] {
      op.setIndexingMapsAttr(rewriter.getAffineMapArrayAttr(maps));
    });
    bool readsUnits = llvm::any_of(op.getInputs(), hasNewUnits);
    bool hasConstants = llvm::any_of(maps, [](AffineMap map) {
      return llvm::any_of(map.getResults(), llvm::IsaPred<AffineConstantExpr>);
    });
    if (!readsUnits && !hasConstants)
      continue;
    linalg::ControlDropUnitDims control;
    control.controlFn = [&](Operation *) {
      unsigned count = op.getNumLoops();
      // Upstream asks for some loop also where none is to go.
      return readsUnits && op.getNumReductionLoops() == 0
                 ? llvm::to_vector(llvm::seq(0u, count))
                 : SmallVector<unsigned>{count};
    };
    rewriter.setInsertionPoint(op);
    FailureOr<linalg::DropUnitDimsResult> dropped =
        linalg::dropUnitDims(rewriter, op, control);
    if (succeeded(dropped))
      rewriter.replaceOp(op, dropped->replacements);
  }
  // What one op has and the next one drops goes before others see it.
  RewritePatternSet patterns(function.getContext());
  linalg::FillOp::getCanonicalizationPatterns(patterns, function.getContext());
  tensor::CollapseShapeOp::getCanonicalizationPatterns(patterns,
                                                       function.getContext());
  tensor::ExpandShapeOp::getCanonicalizationPatterns(patterns,
                                                     function.getContext());
  tensor::populateFoldTensorEmptyPatterns(patterns);
  (void)applyPatternsGreedily(function, std::move(patterns));
}
