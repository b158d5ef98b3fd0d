//===- NormalizeKernels.cpp - kernels that One-Shot can take in place -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/ShapedSlices.h"
#include "KernelVerifier.h"
#include "MemSpace/IR/MemSpaceDialect.h"
#include "MemSpace/Kernel/Kernel.h"
#include "MemSpace/Spaces/MemorySpaceAnalysis.h"
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
static void recordMemorySpaces(const KernelContext &context) {
  FailureOr<MemorySpaceMapping> inIR =
      MemorySpaceMapping::resolve(context.getKernel());
  if (succeeded(inIR) && !(*inIR == context.getSpaces()))
    context.getSpaces().setInIR(context.getKernel());
}

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

void memspace::dropIdleSteps(FunctionOpInterface function) {
  function->walk([](Operation *op) {
    if (!isa<tensor::ExtractSliceOp, tensor::InsertSliceOp,
             tensor::ParallelInsertSliceOp, memref::SubViewOp>(op))
      return;
    auto slice = cast<OffsetSizeAndStrideOpInterface>(op);
    SmallVector<int64_t> steps(slice.getStaticStrides());
    // The type of a memref has the steps of its dimensions.
    llvm::SmallBitVector changes(steps.size(), true);
    if (auto subview = dyn_cast<memref::SubViewOp>(op))
      changes = getDroppedDims(subview);
    for (auto [dim, size] : llvm::enumerate(slice.getStaticSizes()))
      if (size == 1 && changes.test(dim) && !ShapedType::isDynamic(steps[dim]))
        steps[dim] = 1;
    if (ArrayRef(steps) != slice.getStaticStrides())
      op->setAttr("static_strides",
                  DenseI64ArrayAttr::get(op->getContext(), steps));
  });
}

LogicalResult mlir::memspace::normalizeKernel(const KernelContext &context,
                                              OneShotAnalyses &analyses) {
  FunctionOpInterface kernel = context.getKernel();
  const bufferization::OneShotBufferizationOptions &oneShot =
      analyses.getOptions();
  recordLaunchShape(context);
  recordMemorySpaces(context);
  IRRewriter rewriter(kernel.getContext());
  if (failed(decomposeOps(kernel)) || failed(verifyTensorKernel(context)))
    return failure();
  dropIdleSteps(kernel);
  dropSelfStores(kernel);
  freeOverwrittenMemory(kernel);
  if (failed(sinkGridScopeOps(rewriter, kernel)) ||
      failed(normalizeDestinationStyle(kernel, oneShot)) ||
      failed(separateReadsOfOthersSlices(context)) ||
      failed(separateParallelInserts(kernel, oneShot)) ||
      failed(eliminateEmptyTensorsSelectively(kernel, analyses)) ||
      failed(makeAccumulatorsPrivate(context, analyses)))
    return failure();
  // Two equal `tensor.empty`s would be one after the next CSE, and exchanges
  // and copies back into carried buffers say which buffers are apart. It is
  // also what is distributed next: one analysis serves both.
  if (hasCarriedTensors(kernel))
    makeAllocationsExplicit(kernel);
  FailureOr<bool> exchanges = makeLoopExchangesExplicit(kernel, analyses);
  if (failed(exchanges))
    return failure();
  if (*exchanges)
    makeAllocationsExplicit(kernel);
  return success();
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
    selection.memorySpaces = memorySpaces;
    selection.pass = getArgument();
    selection.quiet = quiet;
    auto &analyses = getAnalysis<OneShotAnalyses>();
    auto normalize = [&](const KernelContext &context) {
      return normalizeKernel(context, analyses);
    };
    if (failed(forEachKernel(getOperation(), selection, normalize)))
      signalPassFailure();
  }
};
} // namespace
