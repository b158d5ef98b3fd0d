//===- NormalizeKernels.cpp - kernels that One-Shot can take in place -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Collectives.h"
#include "DropUnusedResults.h"
#include "IR/ShapedSlices.h"
#include "KernelVerifier.h"
#include "MemSpace/IR/MemSpaceDialect.h"
#include "MemSpace/Kernel/ExecutionScope.h"
#include "MemSpace/Kernel/Kernel.h"
#include "MemSpace/Spaces/MemorySpaceAnalysis.h"
#include "MemSpace/Transforms/DistributeStructuredOps.h"
#include "MemSpace/Transforms/Passes.h"
#include "Normalization.h"
#include "OverwrittenReads.h"
#include "SinkGridScope.h"
#include "Transforms/Support/PassKernels.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/ReshapeOpsUtils.h"

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

void memspace::recordLaunchShape(const KernelContext &context) {
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

/// True for a shape that has an extent of 0.
static bool hasNoElements(Type type) {
  auto shaped = dyn_cast<ShapedType>(type);
  return shaped && shaped.hasRank() && llvm::is_contained(shaped.getShape(), 0);
}

void memspace::dropIdleOps(FunctionOpInterface function) {
  SmallVector<linalg::LinalgOp> idle;
  function->walk([&](linalg::LinalgOp op) {
    // Without such an operand there is no such loop, and named ops make the
    // maps to their loops anew for each question.
    if (llvm::any_of(op->getOperandTypes(), hasNoElements) &&
        llvm::is_contained(op.getStaticLoopRanges(), 0))
      idle.push_back(op);
  });
  for (linalg::LinalgOp op : idle) {
    if (op.hasPureTensorSemantics())
      op->replaceAllUsesWith(ValueRange(op.getDpsInits()));
    if (op->use_empty())
      op->erase();
  }
}

static void dropIdleSteps(OffsetSizeAndStrideOpInterface slice) {
  SmallVector<int64_t> steps(slice.getStaticStrides());
  // The type of a memref has the steps of its dimensions.
  llvm::SmallBitVector changes(steps.size(), true);
  if (auto subview = dyn_cast<memref::SubViewOp>(slice.getOperation()))
    changes = getDroppedDims(subview);
  for (auto [dim, size] : llvm::enumerate(slice.getStaticSizes()))
    if (size == 1 && changes.test(dim) && !ShapedType::isDynamic(steps[dim]))
      steps[dim] = 1;
  if (ArrayRef(steps) != slice.getStaticStrides())
    slice->setAttr("static_strides",
                   DenseI64ArrayAttr::get(slice->getContext(), steps));
}

/// A second slice drops the dimensions of `slice`.
template <typename SliceOp> static void splitSlice(SliceOp slice, Type whole) {
  OpBuilder builder(slice);
  SmallVector<OpFoldResult> zeros(slice.getMixedSizes().size(),
                                  builder.getIndexAttr(0));
  SmallVector<OpFoldResult> ones(zeros.size(), builder.getIndexAttr(1));
  auto first = SliceOp::create(builder, slice.getLoc(),
                               cast<decltype(slice.getType())>(whole),
                               slice.getSource(), slice.getMixedOffsets(),
                               slice.getMixedSizes(), slice.getMixedStrides());
  auto second = SliceOp::create(builder, slice.getLoc(), slice.getType(), first,
                                zeros, slice.getMixedSizes(), ones);
  slice.replaceAllUsesWith(second.getResult());
  slice.erase();
}

/// The source gets all dimensions before it is inserted.
template <typename InsertOp>
static void widenSource(InsertOp insert, OpBuilder &builder) {
  RankedTensorType source = insert.getSourceType();
  auto whole =
      RankedTensorType::get(insert.getStaticSizes(), source.getElementType());
  std::optional<SmallVector<ReassociationIndices>> groups =
      getReassociationIndicesForReshape(source, whole);
  if (groups)
    insert.getSourceMutable().assign(tensor::ExpandShapeOp::create(
        builder, insert.getLoc(), whole, insert.getSource(), *groups));
}

void memspace::normalizeSteps(FunctionOpInterface function) {
  SmallVector<OffsetSizeAndStrideOpInterface> slices;
  function->walk([&](Operation *op) {
    if (isa<tensor::ExtractSliceOp, tensor::InsertSliceOp,
            tensor::ParallelInsertSliceOp, memref::SubViewOp>(op))
      slices.push_back(cast<OffsetSizeAndStrideOpInterface>(op));
  });
  for (OffsetSizeAndStrideOpInterface slice : slices) {
    dropIdleSteps(slice);
    if (llvm::all_of(slice.getStaticStrides(),
                     [](int64_t step) { return step == 1; }))
      continue;
    auto isReduced = [&](ShapedType part) {
      return part.getRank() <
             static_cast<int64_t>(slice.getStaticSizes().size());
    };
    if (auto extract = dyn_cast<tensor::ExtractSliceOp>(*slice)) {
      if (isReduced(extract.getType()))
        splitSlice(extract,
                   tensor::ExtractSliceOp::inferResultType(
                       extract.getSourceType(), extract.getMixedSizes()));
    } else if (auto subview = dyn_cast<memref::SubViewOp>(*slice)) {
      if (isReduced(subview.getType()))
        splitSlice(subview,
                   memref::SubViewOp::inferResultType(
                       subview.getSourceType(), subview.getMixedOffsets(),
                       subview.getMixedSizes(), subview.getMixedStrides()));
    } else if (auto insert = dyn_cast<tensor::InsertSliceOp>(*slice)) {
      OpBuilder builder(insert);
      if (isReduced(insert.getSourceType()))
        widenSource(insert, builder);
    } else {
      auto parallel = cast<tensor::ParallelInsertSliceOp>(*slice);
      OpBuilder builder(parallel->getParentOp());
      if (isReduced(parallel.getSourceType()))
        widenSource(parallel, builder);
    }
  }
}

/// The memref that `tensor` becomes where it is no buffer of its own.
static MemRefType getPlace(Value tensor) {
  auto type = cast<RankedTensorType>(tensor.getType());
  auto plain = MemRefType::get(type.getShape(), type.getElementType());
  if (auto read = tensor.getDefiningOp<bufferization::ToTensorOp>()) {
    auto memref = dyn_cast<MemRefType>(read.getBuffer().getType());
    return memref && memref.isStrided() ? memref : plain;
  }
  if (auto slice = tensor.getDefiningOp<tensor::ExtractSliceOp>())
    return cast<MemRefType>(memref::SubViewOp::inferRankReducedResultType(
        type.getShape(), getPlace(slice.getSource()), slice.getMixedOffsets(),
        slice.getMixedSizes(), slice.getMixedStrides()));
  if (auto collapse = tensor.getDefiningOp<tensor::CollapseShapeOp>()) {
    MemRefType source = getPlace(collapse.getSrc());
    auto groups = collapse.getReassociationIndices();
    return memref::CollapseShapeOp::isGuaranteedCollapsible(source, groups)
               ? memref::CollapseShapeOp::computeCollapsedType(source, groups)
               : plain;
  }
  if (auto expand = tensor.getDefiningOp<tensor::ExpandShapeOp>()) {
    FailureOr<MemRefType> expanded = memref::ExpandShapeOp::computeExpandedType(
        getPlace(expand.getSrc()), type.getShape(),
        expand.getReassociationIndices());
    return succeeded(expanded) ? *expanded : plain;
  }
  if (auto argument = dyn_cast<BlockArgument>(tensor))
    if (auto forall =
            dyn_cast<scf::ForallOp>(argument.getOwner()->getParentOp()))
      return getPlace(forall.getTiedOpOperand(argument)->get());
  return plain;
}

/// A slice whose elements are not one behind the other has no collapsed shape
/// where it is. One-Shot would copy it to a buffer for which nobody chooses a
/// space.
static void copyCollapsedSlices(FunctionOpInterface kernel) {
  kernel->walk([](tensor::CollapseShapeOp collapse) {
    if (memref::CollapseShapeOp::isGuaranteedCollapsible(
            getPlace(collapse.getSrc()), collapse.getReassociationIndices()))
      return;
    OpBuilder builder(collapse);
    collapse.getSrcMutable().assign(bufferization::AllocTensorOp::create(
        builder, collapse.getLoc(), collapse.getSrcType(), ValueRange(),
        collapse.getSrc()));
  });
}

/// In a workgroup of one subgroup its lanes are the threads: foralls of lanes
/// that are in none of warps become foralls of threads.
static void mapOnlyLanesToThreads(const KernelContext &context) {
  std::optional<int64_t> lanes = context.getSubgroupSize();
  if (!lanes || context.getThreads() > *lanes)
    return;
  context.getKernel()->walk([](scf::ForallOp forall) {
    std::optional<ForallMapping> mapping = getForallMapping(forall);
    auto around = forall->getParentOfType<scf::ForallOp>();
    std::optional<ForallMapping> outer;
    if (around)
      outer = getForallMapping(around);
    bool isInWorkgroup =
        !around || (outer && outer->scope == ExecutionScope::Workgroup);
    bool hasCollective = forall
                             ->walk([](Operation *op) {
                               return WalkResult(success(!isCollective(op)));
                             })
                             .wasInterrupted();
    if (!mapping || !mapping->lane || !isInWorkgroup || hasCollective)
      return;
    // The dimensions are one line, that of the smallest number is the fastest.
    SmallVector<Attribute> entries;
    for (unsigned dim : mapping->dims) {
      int64_t faster = llvm::count_if(
          mapping->dims, [&](unsigned other) { return other < dim; });
      entries.push_back(gpu::GPUThreadMappingAttr::get(
          forall.getContext(),
          *gpu::symbolizeMappingId(
              static_cast<uint64_t>(gpu::MappingId::LinearDim0) + faster)));
    }
    forall.setMappingAttr(ArrayAttr::get(forall.getContext(), entries));
  });
}

LogicalResult mlir::memspace::normalizeKernel(const KernelContext &context,
                                              OneShotAnalyses &analyses) {
  FunctionOpInterface kernel = context.getKernel();
  const bufferization::OneShotBufferizationOptions &oneShot =
      analyses.getOptions();
  recordLaunchShape(context);
  recordMemorySpaces(context);
  mapOnlyLanesToThreads(context);
  IRRewriter rewriter(kernel.getContext());
  if (failed(decomposeOps(kernel)) || failed(verifyTensorKernel(context)))
    return failure();
  updateOverwrittenReads(kernel);
  dropIdleOps(kernel);
  normalizeSteps(kernel);
  copyCollapsedSlices(kernel);
  dropSelfStores(kernel);
  freeOverwrittenMemory(kernel);
  copyUnboundedInits(kernel);
  if (failed(sinkGridScopeOps(rewriter, kernel)) ||
      failed(normalizeDestinationStyle(kernel, oneShot)) ||
      failed(normalizeCollectives(context, oneShot)) ||
      failed(separateReadsOfOthersSlices(context)) ||
      failed(separateParallelInserts(kernel, oneShot)) ||
      failed(eliminateEmptyTensorsSelectively(kernel, analyses)))
    return failure();
  shareTilesOfBranches(rewriter, kernel);
  if (failed(makeAccumulatorsPrivate(context, analyses)))
    return failure();
  // Two equal `tensor.empty`s would be one after the next CSE, and exchanges
  // and copies back into carried buffers say which buffers are apart. It is
  // also what is distributed next: one analysis serves both.
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
    KernelSelection selection;
    selection.target = {chip, workgroupLimit, privateLimit, subgroupSize};
    selection.launch = {llvm::to_vector(blockSize), llvm::to_vector(gridSize)};
    selection.memorySpaces = memorySpaces;
    if (prepare && failed(prepareAll(selection)))
      return signalPassFailure();
    // Everything is checked before anything is rewritten.
    if (blockSize.empty() && failed(verifyModuleKernels(getOperation())))
      return signalPassFailure();
    selection.pass = getArgument();
    selection.quiet = quiet;
    auto &analyses = getAnalysis<OneShotAnalyses>();
    auto normalize = [&](const KernelContext &context) {
      return normalizeKernel(context, analyses);
    };
    if (failed(forEachKernel(getOperation(), selection, normalize)))
      signalPassFailure();
  }

private:
  /// What two other passes do, by their names.
  LogicalResult prepareAll(KernelSelection selection) {
    selection.pass = "memspace-distribute-structured-ops";
    selection.targetIsOptional = true;
    // The checks that follow say it.
    selection.quiet = selection.skipsSilently = true;
    return success(succeeded(dropUnusedResultsOfKernels(getOperation())) &&
                   succeeded(forEachKernel(getOperation(), selection,
                                           distributeStructuredOps)));
  }
};
} // namespace
