//===- PrivateAccumulators.cpp - loops do not work in slow memory -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Tile-and-fuse accumulates in the slice of the output that a block has:
///
///   %tile = tensor.extract_slice %out[%i, %j] ...   // in the block forall
///   %init = linalg.fill ... outs(%tile)
///   %acc = scf.for ... iter_args(%a = %init) { threads update their parts }
///   tensor.parallel_insert_slice %acc into %out[%i, %j] ...
///
/// The output is memory of the caller, so that each step of the loop would load
/// and store there. Where each thread has its own part of the tile, the tile
/// becomes a tensor of its own, which is private, and the insertion a copy.
///
//===----------------------------------------------------------------------===//

#include "MemSpace/Memory/BufferSize.h"
#include "MemSpace/Spaces/MemorySpaceAnalysis.h"
#include "Normalization.h"
#include "ThreadTilings.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Utils/Utils.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Dominance.h"

using namespace mlir;
using namespace mlir::bufferization;
using namespace mlir::memspace;

namespace {
/// A tile and the tensor that stands in its place.
struct Accumulator {
  tensor::ExtractSliceOp tile;
  tensor::EmptyOp fresh;
  /// `fresh` with the contents of the tile, where these are needed.
  linalg::CopyOp copy = {};

  Value getValue() { return copy ? copy.getResult(0) : fresh.getResult(); }

  void replaceTile(RewriterBase &rewriter) {
    rewriter.replaceUsesWithIf(
        tile.getResult(), getValue(),
        [&](OpOperand &use) { return use.getOwner() != copy.getOperation(); });
  }
  void restoreTile(RewriterBase &rewriter) {
    rewriter.replaceAllUsesWith(getValue(), tile.getResult());
    if (copy)
      rewriter.eraseOp(copy);
    rewriter.eraseOp(fresh);
  }
};
} // namespace

/// True when an iteration of `forall` puts a tile back where it has `tile`
/// from.
static bool isInsertedBack(tensor::ExtractSliceOp tile, scf::ForallOp forall) {
  return llvm::any_of(
      forall.getCombiningOps(cast<BlockArgument>(tile.getSource())),
      [&](Operation *op) {
        auto insert = dyn_cast<tensor::ParallelInsertSliceOp>(op);
        return insert &&
               cast<OffsetSizeAndStrideOpInterface>(op).isSameAs(
                   tile, [](OpFoldResult a, OpFoldResult b) { return a == b; });
      });
}

static SmallVector<tensor::ExtractSliceOp>
findTiles(FunctionOpInterface kernel,
          const OneShotBufferizationOptions &oneShot) {
  AnalysisState state(oneShot);
  ExecutionScopeAnalysis scopes(kernel);
  SmallVector<tensor::ExtractSliceOp> tiles;
  kernel->walk([&](tensor::ExtractSliceOp tile) {
    auto out = dyn_cast<BlockArgument>(tile.getSource());
    auto forall = dyn_cast_or_null<scf::ForallOp>(
        out ? out.getOwner()->getParentOp() : nullptr);
    if (forall && tile.getType().hasStaticShape() &&
        scopes.getScope(forall) == ExecutionScope::Grid &&
        scopes.getScope(tile.getOperation()) == ExecutionScope::Workgroup &&
        isInsertedBack(tile, forall) && isLoopAccumulator(tile, state))
      tiles.push_back(tile);
  });
  return tiles;
}

/// True when the threads that own the parts of `cls` can execute `access`, of
/// the whole workgroup, part by part.
static bool canAdoptOwner(const BufferAccess &access, const BufferClass &cls,
                          const BufferClasses &classes) {
  if (auto insert = dyn_cast<tensor::ParallelInsertSliceOp>(access.op))
    return classes.getView(insert.getSource()).isIdentity();
  auto structured = dyn_cast<linalg::LinalgOp>(access.op);
  return structured && linalg::isElementwise(structured) &&
         llvm::all_of(structured->getOpOperands(), [&](OpOperand &operand) {
           Value value = operand.get();
           return classes.getClass(value) != &cls ||
                  (structured.getMatchingIndexingMap(&operand).isIdentity() &&
                   classes.getView(value).isIdentity());
         });
}

/// The bytes that a thread needs of an accumulator; none where it would not be
/// private.
static std::optional<int64_t>
getPrivateBytes(Accumulator &accumulator, const MemorySpaceAnalysis &analysis,
                const KernelContext &context, const DominanceInfo &dominance) {
  FunctionOpInterface kernel = context.getKernel();
  const BufferClasses &classes = *analysis.getBufferClasses(kernel);
  const OwnerMaps &owners = *analysis.getOwnerMaps(kernel);
  const BufferClass &cls =
      *analysis.getBufferClass(accumulator.fresh.getResult());
  if (cls.roots.size() != 1)
    return std::nullopt;
  std::optional<OwnerMap> owner = owners.getOwnerMap(cls);
  if (!owner ||
      !getOwnerTiling(*owner, accumulator.fresh, ExecutionScope::Workgroup,
                      dominance) ||
      !llvm::all_of(cls.accesses,
                    [&](const BufferAccess &access) {
                      return OwnerMaps::isMapped(access, cls) ||
                             canAdoptOwner(access, cls, classes);
                    }) ||
      owners.findUnaligned(cls, /*mappedOnly=*/true))
    return std::nullopt;
  std::optional<int64_t> elements = owner->getElementsPerThread(context);
  if (!elements)
    return std::nullopt;
  return getBufferBytes({*elements},
                        accumulator.fresh.getType().getElementType(),
                        context.getTarget());
}

LogicalResult
mlir::memspace::makeAccumulatorsPrivate(const KernelContext &context,
                                        OneShotAnalyses &analyses) {
  FunctionOpInterface kernel = context.getKernel();
  SmallVector<tensor::ExtractSliceOp> tiles =
      findTiles(kernel, analyses.getOptions());
  if (tiles.empty())
    return success();
  IRRewriter rewriter(kernel.getContext());
  SmallVector<Accumulator> accumulators;
  {
    LiveUses live(kernel);
    for (tensor::ExtractSliceOp tile : tiles) {
      rewriter.setInsertionPointAfter(tile);
      RankedTensorType type = tile.getType();
      Accumulator accumulator{tile,
                              tensor::EmptyOp::create(rewriter, tile.getLoc(),
                                                      type.getShape(),
                                                      type.getElementType())};
      if (live.isLive(tile.getResult()))
        accumulator.copy =
            linalg::CopyOp::create(rewriter, tile.getLoc(), tile.getResult(),
                                   accumulator.fresh.getResult());
      accumulators.push_back(accumulator);
    }
  }
  for (Accumulator &accumulator : accumulators)
    accumulator.replaceTile(rewriter);

  MemorySpaceOptions options(context);
  options.oneShot = analyses.getOptions();
  options.analyses = &analyses;
  MemorySpaceAnalysis analysis(context, options);
  if (!analysis.isValid())
    return failure();
  int64_t left = context.getTarget().privateBytes;
  for (const auto &cls : analysis.getBufferClasses(kernel)->getClasses()) {
    const MemorySpaceDecision *decision = analysis.getDecision(cls->roots[0]);
    if (!decision->refused && decision->space == MemorySpace::Private)
      left -= decision->bytesPerThread.value_or(0);
  }
  DominanceInfo dominance(kernel);
  SmallVector<Accumulator> rejected;
  for (Accumulator &accumulator : accumulators) {
    std::optional<int64_t> bytes =
        getPrivateBytes(accumulator, analysis, context, dominance);
    if (bytes && *bytes <= left)
      left -= *bytes;
    else
      rejected.push_back(accumulator);
  }
  for (Accumulator &accumulator : rejected)
    accumulator.restoreTile(rewriter);
  return success();
}
