//===- LowerSubgroupReductions.cpp - reductions by shuffles -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MemSpace/Target/TargetInfo.h"
#include "MemSpace/Transforms/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/GPU/Transforms/Passes.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace mlir {
namespace memspace {
#define GEN_PASS_DEF_LOWERSUBGROUPREDUCTIONSPASS
#include "MemSpace/Transforms/Passes.h.inc"
} // namespace memspace
} // namespace mlir

using namespace mlir;
using namespace mlir::memspace;

namespace {
struct LowerSubgroupReductionsPass
    : public memspace::impl::LowerSubgroupReductionsPassBase<
          LowerSubgroupReductionsPass> {
  using Base::Base;

  void runOnOperation() override {
    gpu::SubgroupReduceOp first;
    getOperation()->walk([&](gpu::SubgroupReduceOp op) {
      first = op;
      return WalkResult::interrupt();
    });
    if (!first)
      return;
    FailureOr<std::optional<TargetInfo>> target = getTargetFromIR(first);
    if (failed(target))
      return signalPassFailure();
    if (!*target || (*target)->subgroupSize == 0) {
      first.emitOpError()
          << "has no target whose subgroup size is known; run "
             "memspace-outline-kernels with the option 'chip' or "
             "attach a target attribute";
      return signalPassFailure();
    }
    // Whole words are exchanged.
    constexpr unsigned kWordBits = 32;
    RewritePatternSet patterns(&getContext());
    populateGpuBreakDownSubgroupReducePatterns(patterns, kWordBits);
    populateGpuLowerSubgroupReduceToShufflePatterns(
        patterns, (*target)->subgroupSize, kWordBits);
    populateGpuLowerClusteredSubgroupReduceToShufflePatterns(
        patterns, (*target)->subgroupSize, kWordBits);
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns))))
      return signalPassFailure();
    getOperation()->walk([&](gpu::SubgroupReduceOp op) {
      op.emitOpError() << "on " << op.getType()
                       << " has no lowering: 32 bits are exchanged between "
                          "lanes; reduce halves, or use workgroup memory";
      signalPassFailure();
    });
  }
};
} // namespace
