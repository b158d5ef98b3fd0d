//===- SharedUpdates.cpp - a scatter by several workgroups -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Transforms/Tile/SharedUpdates.h"
#include "Transforms/Support/IndexedToLoops.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::memspace;
using bufferization::MaterializeInDestinationOp;
using bufferization::ToTensorOp;

/// For one workgroup: 64 for each of 256 threads.
static constexpr int64_t kManyUpdates = 64 * 256;
/// Of a thread, where several workgroups take them.
static constexpr int64_t kUpdatesOfThread = 16;

bool memspace::hasManyUpdates(ScatterOp scatter) {
  auto type = dyn_cast<RankedTensorType>(scatter.getUpdates().getType());
  if (!type || !type.hasStaticShape() ||
      type.getNumElements() <= kManyUpdates || !canScatterAtomically(scatter))
    return false;
  // Workgroups that have parts of the rows need no atomic updates.
  int64_t places = 1;
  for (int64_t extent : type.getShape().take_front(scatter.getNumPlaceDims()))
    places *= extent;
  return places > type.getNumElements() / places;
}

/// The scatter of a function that does nothing else, in place; null for other
/// functions.
static ScatterOp getLoneScatter(func::FuncOp function) {
  ScatterOp scatter;
  MaterializeInDestinationOp store;
  for (Operation &op : function.front().without_terminator()) {
    if (auto one = dyn_cast<ScatterOp>(op)) {
      if (std::exchange(scatter, one))
        return {};
    } else if (auto one = dyn_cast<MaterializeInDestinationOp>(op)) {
      if (std::exchange(store, one))
        return {};
    } else if (!isa<ToTensorOp>(op) && !isPure(&op)) {
      return {};
    } else if (isa<DestinationStyleOpInterface>(op)) {
      return {};
    }
  }
  if (!scatter || !store || scatter->getNumResults() != 1 ||
      store.getSource() != scatter.getResult() ||
      !scatter.getResult().hasOneUse())
    return {};
  auto init = scatter.getOutput().getDefiningOp<ToTensorOp>();
  return init && init.getBuffer() == store.getDest() && init->hasOneUse()
             ? scatter
             : ScatterOp();
}

bool memspace::shareUpdates(func::FuncOp function, int64_t numThreads) {
  ScatterOp scatter = getLoneScatter(function);
  if (!scatter || !hasManyUpdates(scatter))
    return false;
  auto type = cast<RankedTensorType>(scatter.getUpdates().getType());
  // The longest of the dimensions that number the places.
  ArrayRef<int64_t> places =
      type.getShape().take_front(scatter.getNumPlaceDims());
  size_t dim = llvm::max_element(places) - places.begin();
  int64_t extent = type.getDimSize(dim), inOne = type.getNumElements() / extent;
  int64_t tile = std::max<int64_t>(numThreads * kUpdatesOfThread / inOne, 1);
  // Without a shorter last part, if that is not many more.
  for (int64_t smaller = tile; smaller > tile / 2; --smaller)
    if (extent % smaller == 0) {
      tile = smaller;
      break;
    }
  int64_t numBlocks = llvm::divideCeil(extent, tile);
  if (numBlocks == 1)
    return false;

  OpBuilder builder(scatter);
  Location loc = scatter.getLoc();
  auto mapping =
      gpu::GPUBlockMappingAttr::get(builder.getContext(), gpu::MappingId::DimX);
  auto forall = scf::ForallOp::create(
      builder, loc, ArrayRef<OpFoldResult>(builder.getIndexAttr(numBlocks)),
      scatter.getOutput(), builder.getArrayAttr(mapping));
  builder.setInsertionPointToStart(forall.getBody());
  AffineExpr d0 = builder.getAffineDimExpr(0);
  OpFoldResult begin = affine::makeComposedFoldedAffineApply(
      builder, loc, d0 * tile, OpFoldResult(forall.getInductionVar(0)));
  OpFoldResult count = builder.getIndexAttr(tile);
  if (extent % tile != 0)
    count = affine::makeComposedFoldedAffineMin(
        builder, loc,
        AffineMap::get(1, 0,
                       {builder.getAffineConstantExpr(tile),
                        builder.getAffineConstantExpr(extent) - d0},
                       builder.getContext()),
        begin);
  auto slice = [&](Value tensor) -> Value {
    auto type = cast<RankedTensorType>(tensor.getType());
    SmallVector<OpFoldResult> offsets(type.getRank(), builder.getIndexAttr(0)),
        sizes, strides(type.getRank(), builder.getIndexAttr(1));
    for (int64_t size : type.getShape())
      sizes.push_back(builder.getIndexAttr(size));
    offsets[dim] = begin;
    sizes[dim] = count;
    return tensor::ExtractSliceOp::create(builder, loc, tensor, offsets, sizes,
                                          strides);
  };
  Value whole = forall.getRegionIterArgs().front();
  IRMapping mappingOfOperands;
  mappingOfOperands.map(scatter.getUpdates(), slice(scatter.getUpdates()));
  mappingOfOperands.map(scatter.getIndices(), slice(scatter.getIndices()));
  mappingOfOperands.map(scatter.getOutput(), whole);
  auto part = cast<ScatterOp>(
      builder.clone(*scatter.getOperation(), mappingOfOperands));
  part.setAtomic(true);
  builder.setInsertionPointToEnd(forall.getTerminator().getBody());
  auto wholeType = cast<RankedTensorType>(whole.getType());
  SmallVector<OpFoldResult> zeros(wholeType.getRank(), builder.getIndexAttr(0)),
      ones(wholeType.getRank(), builder.getIndexAttr(1));
  builder.setInsertionPoint(forall.getTerminator());
  SmallVector<OpFoldResult> sizes =
      tensor::getMixedSizes(builder, loc, scatter.getOutput());
  builder.setInsertionPointToEnd(forall.getTerminator().getBody());
  tensor::ParallelInsertSliceOp::create(builder, loc, part.getResult(), whole,
                                        zeros, sizes, ones);
  scatter.getResult().replaceAllUsesWith(forall.getResult(0));
  scatter.erase();
  function->setAttr("gpu.known_block_size",
                    builder.getDenseI32ArrayAttr({int32_t(numThreads), 1, 1}));
  return true;
}
