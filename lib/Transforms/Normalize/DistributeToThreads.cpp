//===- DistributeToThreads.cpp - whole-tensor work spread over threads -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Distribution.h"
#include "MemSpace/IR/MemSpaceDialect.h"
#include "MemSpace/Transforms/Passes.h"
#include "Normalization.h"
#include "Transforms/Support/PassKernels.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace mlir {
namespace memspace {
#define GEN_PASS_DEF_DISTRIBUTETOTHREADSPASS
#include "MemSpace/Transforms/Passes.h.inc"
} // namespace memspace
} // namespace mlir

using namespace mlir;
using namespace mlir::memspace;

namespace {
struct DistributeToThreadsPass
    : public memspace::impl::DistributeToThreadsPassBase<
          DistributeToThreadsPass> {
  using Base::Base;
  void runOnOperation() override {
    KernelSelection selection;
    selection.target = {chip, workgroupLimit, privateLimit, subgroupSize};
    selection.launch = {llvm::to_vector(blockSize), llvm::to_vector(gridSize)};
    selection.memorySpaces = memorySpaces;
    selection.pass = getArgument();
    selection.quiet = quiet;
    auto &analyses = getAnalysis<OneShotAnalyses>();
    bool isChanged = false;
    selection.renamed = &isChanged;
    auto distribute = [&](const KernelContext &context) -> LogicalResult {
      recordLaunchShape(context);
      MemorySpaceOptions options(context);
      options.replicationBytes = replicationBytes;
      options.barrierWork = barrierWork;
      options.analyses = &analyses;
      FailureOr<bool> changed =
          distributeToThreads(context.getKernel(), options);
      isChanged |= succeeded(changed) && *changed;
      return changed;
    };
    if (failed(forEachKernel(getOperation(), selection, distribute)))
      return signalPassFailure();
    // Then nothing needs to be verified again.
    if (!isChanged)
      markAllAnalysesPreserved();
  }
};
} // namespace
