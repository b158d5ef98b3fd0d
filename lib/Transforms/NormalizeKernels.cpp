//===- NormalizeKernels.cpp - kernels that One-Shot can take in place -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MemSpace/Analysis/Kernel.h"
#include "MemSpace/Analysis/KernelVerifier.h"
#include "MemSpace/IR/MemSpaceDialect.h"
#include "MemSpace/Transforms/Passes.h"
#include "Normalization.h"
#include "SinkGridScope.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace mlir {
namespace memspace {
#define GEN_PASS_DEF_MEMSPACENORMALIZEKERNELS
#include "MemSpace/Transforms/Passes.h.inc"
} // namespace memspace
} // namespace mlir

using namespace mlir;
using namespace mlir::memspace;

namespace {
struct NormalizeKernelsPass
    : public memspace::impl::MemSpaceNormalizeKernelsBase<
          NormalizeKernelsPass> {
  using Base::Base;
  void runOnOperation() override {
    // Everything is checked before anything is rewritten.
    if (failed(verifyModuleKernels(getOperation())))
      return signalPassFailure();
    for (FunctionOpInterface kernel : getKernels(getOperation()))
      if (failed(normalize(kernel)))
        return signalPassFailure();
  }

  LogicalResult normalize(FunctionOpInterface kernel) {
    FailureOr<TargetInfo> target = resolveTarget(
        kernel, {chip, workgroupLimit, privateLimit, subgroupSize});
    IRRewriter rewriter(kernel.getContext());
    return success(succeeded(target) &&
                   succeeded(verifyTensorKernel(kernel, *target)) &&
                   succeeded(sinkGridScopeOps(rewriter, kernel)) &&
                   succeeded(normalizeDestinationStyle(kernel)) &&
                   succeeded(separateReadsOfOthersSlices(kernel, *target)) &&
                   succeeded(separateParallelInserts(kernel)) &&
                   succeeded(eliminateEmptyTensorsSelectively(kernel)) &&
                   succeeded(makeLoopExchangesExplicit(kernel)));
  }
};
} // namespace
