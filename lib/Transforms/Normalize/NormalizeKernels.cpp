//===- NormalizeKernels.cpp - kernels that One-Shot can take in place -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelVerifier.h"
#include "MemSpace/IR/MemSpaceDialect.h"
#include "MemSpace/Kernel/Kernel.h"
#include "MemSpace/Transforms/Passes.h"
#include "Normalization.h"
#include "SinkGridScope.h"
#include "Transforms/Support/PassKernels.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace mlir {
namespace memspace {
#define GEN_PASS_DEF_NORMALIZEKERNELSPASS
#include "MemSpace/Transforms/Passes.h.inc"
} // namespace memspace
} // namespace mlir

using namespace mlir;
using namespace mlir::memspace;

/// What an option says of the launch goes to the kernel, for the passes after.
static void recordLaunchShape(const KernelContext &context) {
  FunctionOpInterface kernel = context.getKernel();
  Builder builder(kernel.getContext());
  auto record = [&](StringRef name, const LaunchSizes &sizes) {
    kernel->setAttr(name, builder.getDenseI32ArrayAttr(SmallVector<int32_t>(
                              sizes.begin(), sizes.end())));
  };
  if (!getBlockSizeAttr(kernel))
    record("gpu.known_block_size", context.getShape().block);
  if (!getGridSizeAttr(kernel) && context.getShape().grid)
    record("gpu.known_grid_size", *context.getShape().grid);
}

namespace {
struct NormalizeKernelsPass
    : public memspace::impl::NormalizeKernelsPassBase<NormalizeKernelsPass> {
  using Base::Base;
  void runOnOperation() override {
    // Everything is checked before anything is rewritten.
    if (blockSize.empty() && failed(verifyModuleKernels(getOperation())))
      return signalPassFailure();
    KernelSelection selection;
    selection.target = {chip, workgroupLimit, privateLimit, subgroupSize};
    selection.launch = {llvm::to_vector(blockSize), llvm::to_vector(gridSize)};
    selection.pass = getArgument();
    selection.quiet = quiet;
    if (failed(forEachKernel(getOperation(), selection, normalize)))
      signalPassFailure();
  }

  static LogicalResult normalize(const KernelContext &context) {
    FunctionOpInterface kernel = context.getKernel();
    recordLaunchShape(context);
    IRRewriter rewriter(kernel.getContext());
    if (failed(verifyTensorKernel(context)))
      return failure();
    freeOverwrittenMemory(kernel);
    return success(succeeded(sinkGridScopeOps(rewriter, kernel)) &&
                   succeeded(normalizeDestinationStyle(kernel)) &&
                   succeeded(separateReadsOfOthersSlices(context)) &&
                   succeeded(separateParallelInserts(kernel)) &&
                   succeeded(eliminateEmptyTensorsSelectively(kernel)) &&
                   succeeded(makeLoopExchangesExplicit(kernel)));
  }
};
} // namespace
