//===- TileAndFuse.cpp - what a compiler on upstream's tiling makes -------===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A tile-and-fuse compiler as its users write one: the last op of a function is
// tiled for workgroups with everything fused that can be, then the ops in a
// workgroup's tile are tiled for threads, fused or each alone, with reduction
// loops around the threads or inside them. Nothing is cleaned up for MemSpace.
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/SCF/Transforms/TileUsingInterface.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/TilingInterface.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;

namespace {
struct TileAndFusePass
    : public PassWrapper<TileAndFusePass, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(TileAndFusePass)

  TileAndFusePass() = default;
  TileAndFusePass(const TileAndFusePass &other) : PassWrapper(other) {}

  StringRef getArgument() const override { return "test-tile-and-fuse"; }
  StringRef getDescription() const override {
    return "Tile kernels for workgroups and threads by upstream's means";
  }
  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<affine::AffineDialect, arith::ArithDialect, gpu::GPUDialect,
                    scf::SCFDialect, tensor::TensorDialect>();
  }
  void runOnOperation() override;

  ListOption<int64_t> block{*this, "block",
                            llvm::cl::desc("Tile sizes of a workgroup")};
  ListOption<int64_t> thread{*this, "thread",
                             llvm::cl::desc("Tile sizes of a thread")};
  Option<int64_t> reduction{
      *this, "reduction", llvm::cl::init(0),
      llvm::cl::desc("Tile size of reductions; 0: whole")};
  Option<bool> inner{*this, "reduction-in-threads", llvm::cl::init(false),
                     llvm::cl::desc("Reduction loops inside the threads")};
  Option<bool> fuseInits{*this, "fuse-inits", llvm::cl::init(true),
                         llvm::cl::desc("Fuse fills of destinations as well")};
  Option<bool> fuseThreads{*this, "fuse-threads", llvm::cl::init(false),
                           llvm::cl::desc("Fuse producers into a thread")};

private:
  LogicalResult tile(RewriterBase &rewriter, TilingInterface op,
                     ArrayRef<int64_t> sizes, bool isBlock, bool fuses);
  LogicalResult tileReduction(RewriterBase &rewriter, TilingInterface op);
  LogicalResult compile(func::FuncOp kernel);
};
} // namespace

static bool isParallel(utils::IteratorType type) {
  return type == utils::IteratorType::parallel;
}

/// Block or thread mapping of `count` loops, the last one is x.
static SmallVector<Attribute> getMapping(MLIRContext *context, unsigned count,
                                         bool isBlock) {
  SmallVector<Attribute> mapping;
  for (unsigned dim = count; dim-- > 0;) {
    // Beyond three dimensions: linear ids.
    unsigned id = count > 3 ? unsigned(gpu::MappingId::LinearDim0) + dim : dim;
    if (isBlock)
      mapping.push_back(
          gpu::GPUBlockMappingAttr::get(context, gpu::MappingId(id)));
    else
      mapping.push_back(
          gpu::GPUThreadMappingAttr::get(context, gpu::MappingId(id)));
  }
  return mapping;
}

/// Tiles the parallel loops of `op` by `sizes`, the last of which is for the
/// last of these loops.
LogicalResult TileAndFusePass::tile(RewriterBase &rewriter, TilingInterface op,
                                    ArrayRef<int64_t> sizes, bool isBlock,
                                    bool fuses) {
  SmallVector<utils::IteratorType> types = op.getLoopIteratorTypes();
  unsigned parallel = llvm::count_if(types, isParallel), seen = 0, tiled = 0;
  SmallVector<OpFoldResult> tileSizes;
  for (utils::IteratorType type : types) {
    int64_t size = 0;
    if (isParallel(type)) {
      unsigned fromBack = parallel - seen++;
      if (fromBack <= sizes.size())
        size = sizes[sizes.size() - fromBack];
    }
    tiled += size != 0;
    tileSizes.push_back(rewriter.getIndexAttr(size));
  }
  if (!tiled)
    return success();
  scf::SCFTilingOptions options;
  options.setLoopType(scf::SCFTilingOptions::LoopType::ForallOp);
  options.setTileSizes(tileSizes);
  options.setMapping(getMapping(rewriter.getContext(), tiled, isBlock));
  scf::SCFTileAndFuseOptions fusing;
  fusing.setTilingOptions(options);
  fusing.setFusionControlFn(
      [&](tensor::ExtractSliceOp, OpResult, bool isDestination)
          -> std::optional<scf::SCFTileAndFuseOptions::ControlFnResult> {
        if (!fuses || (isDestination && !fuseInits))
          return std::nullopt;
        return scf::SCFTileAndFuseOptions::ControlFnResult{};
      });
  rewriter.setInsertionPoint(op);
  FailureOr<scf::SCFTileAndFuseResult> result =
      scf::tileConsumerAndFuseProducersUsingSCF(rewriter, op, fusing);
  if (failed(result))
    return op.emitError("cannot be tiled");
  for (auto [original, replacement] : result->replacements)
    rewriter.replaceAllUsesWith(original, replacement);
  return success();
}

/// A loop over the reductions of `op`.
LogicalResult TileAndFusePass::tileReduction(RewriterBase &rewriter,
                                             TilingInterface op) {
  SmallVector<OpFoldResult> sizes;
  bool any = false;
  for (utils::IteratorType type : op.getLoopIteratorTypes()) {
    bool isReduction = type == utils::IteratorType::reduction && !any;
    any |= isReduction;
    sizes.push_back(rewriter.getIndexAttr(isReduction ? reduction : 0));
  }
  if (!any || reduction == 0)
    return success();
  scf::SCFTilingOptions options;
  options.setTileSizes(sizes);
  rewriter.setInsertionPoint(op);
  FailureOr<scf::SCFTilingResult> result =
      scf::tileUsingSCF(rewriter, op, options);
  if (failed(result))
    return op.emitError("cannot be tiled");
  rewriter.replaceOp(op, result->replacements);
  return success();
}

static SmallVector<TilingInterface> getTilable(Operation *root) {
  SmallVector<TilingInterface> ops;
  root->walk([&](TilingInterface op) {
    auto forall = op->getParentOfType<scf::ForallOp>();
    bool isThreads =
        forall && llvm::any_of(*forall.getMapping(),
                               llvm::IsaPred<gpu::GPUThreadMappingAttr>);
    if (!isThreads && op->getNumResults())
      ops.push_back(op);
  });
  return ops;
}

LogicalResult TileAndFusePass::compile(func::FuncOp kernel) {
  IRRewriter rewriter(kernel.getContext());
  SmallVector<TilingInterface> ops = getTilable(kernel);
  if (ops.empty())
    return success();
  if (failed(tile(rewriter, ops.back(), block, /*isBlock=*/true,
                  /*fuses=*/true)))
    return failure();
  (void)runRegionDCE(rewriter, kernel->getRegions());
  if (!inner)
    for (TilingInterface op : getTilable(kernel))
      if (failed(tileReduction(rewriter, op)))
        return failure();
  // From the last one on, so that what is fused is gone.
  DenseSet<Operation *> left;
  for (;;) {
    SmallVector<TilingInterface> rest = getTilable(kernel);
    while (!rest.empty() && left.contains(rest.back()))
      rest.pop_back();
    if (rest.empty())
      break;
    Operation *op = rest.back();
    left.insert(op);
    if (failed(tile(rewriter, rest.back(), thread, /*isBlock=*/false,
                    fuseThreads)))
      return failure();
    (void)runRegionDCE(rewriter, kernel->getRegions());
  }
  if (inner) {
    SmallVector<TilingInterface> tiled;
    kernel.walk([&](TilingInterface op) { tiled.push_back(op); });
    for (TilingInterface op : tiled)
      if (op->getParentOfType<scf::ForallOp>() &&
          failed(tileReduction(rewriter, op)))
        return failure();
  }
  return success();
}

void TileAndFusePass::runOnOperation() {
  WalkResult result = getOperation().walk(
      [&](func::FuncOp kernel) -> WalkResult { return compile(kernel); });
  if (result.wasInterrupted())
    signalPassFailure();
}

namespace mlir::memspace {
void registerTileAndFusePass() { PassRegistration<TileAndFusePass>(); }
} // namespace mlir::memspace
