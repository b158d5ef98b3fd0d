//===- LowerVectors.cpp - vectors that the conversions to LLVM take -------===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The conversions of the gpu dialect take what MLIR's vector dialect calls its
// lowest level: one-dimensional loads, stores, shuffles and reductions. What is
// above it becomes that here, by upstream's patterns and in upstream's order:
// compute, then transfers of many dimensions, then those of one.
//
//===----------------------------------------------------------------------===//

#include "MemSpace/Transforms/Passes.h"
#include "mlir/Conversion/VectorToSCF/VectorToSCF.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Dialect/Vector/Transforms/LoweringPatterns.h"
#include "mlir/Dialect/Vector/Transforms/VectorRewritePatterns.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace mlir {
namespace memspace {
#define GEN_PASS_DEF_LOWERVECTORSPASS
#include "MemSpace/Transforms/Passes.h.inc"
} // namespace memspace
} // namespace mlir

using namespace mlir;
using namespace mlir::memspace;

/// Contractions, reductions, scans, masked ops, and what moves elements between
/// vectors of several dimensions.
static void addComputePatterns(RewritePatternSet &patterns) {
  using namespace vector;
  populateVectorContractLoweringPatterns(patterns,
                                         VectorContractLowering::OuterProduct);
  populateVectorOuterProductLoweringPatterns(patterns);
  populateVectorMultiReductionLoweringPatterns(
      patterns, VectorMultiReductionLowering::InnerParallel);
  populateVectorScanLoweringPatterns(patterns);
  populateVectorMaskLoweringPatternsForSideEffectingOps(patterns);
  populateVectorMaskOpLoweringPatterns(patterns);
  populateVectorBroadcastLoweringPatterns(patterns);
  populateVectorShapeCastLoweringPatterns(patterns);
  populateVectorTransposeLoweringPatterns(patterns,
                                          VectorTransposeLowering::EltWise);
  populateVectorInterleaveLoweringPatterns(patterns);
  populateVectorBitCastLoweringPatterns(patterns);
  populateVectorGatherLoweringPatterns(patterns);
  populateVectorStepLoweringPatterns(patterns);
  populateVectorRankReducingFMAPattern(patterns);
  populateVectorInsertExtractStridedSliceTransforms(patterns);
  populateVectorTransferPermutationMapLoweringPatterns(patterns);
}

namespace {
struct LowerVectorsPass
    : public memspace::impl::LowerVectorsPassBase<LowerVectorsPass> {
  using Base::Base;
  void runOnOperation() override {
    using AddPatterns = llvm::function_ref<void(RewritePatternSet &)>;
    auto apply = [&](AddPatterns add) {
      RewritePatternSet patterns(&getContext());
      add(patterns);
      return applyPatternsGreedily(getOperation(), std::move(patterns));
    };
    auto addManyDimensions = [](RewritePatternSet &patterns) {
      // Unrolled: no vector goes through memory.
      populateVectorToSCFConversionPatterns(
          patterns, VectorTransferToSCFOptions().enableFullUnroll());
    };
    auto addOneDimension = [](RewritePatternSet &patterns) {
      vector::populateVectorTransferLoweringPatterns(patterns,
                                                     /*maxTransferRank=*/1);
      vector::populateVectorMaskMaterializationPatterns(
          patterns, /*force32BitVectorIndices=*/false);
      vector::populateVectorBroadcastLoweringPatterns(patterns);
    };
    if (failed(apply(addComputePatterns)) || failed(apply(addManyDimensions)) ||
        failed(apply(addComputePatterns)) || failed(apply(addOneDimension)))
      signalPassFailure();
  }
};
} // namespace
