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
  // That a part inserts the whole table shows in static extents only.
  if (!type || !canScatterAtomically(scatter) ||
      !cast<ShapedType>(scatter.getOutput().getType()).hasStaticShape())
    return false;
  // Unknown numbers of places may be many.
  ArrayRef<int64_t> shape = type.getShape();
  unsigned numPlaceDims = scatter.getNumPlaceDims();
  if (ShapedType::isDynamicShape(shape))
    return numPlaceDims == 1 && ShapedType::isDynamic(shape[0]) &&
           !ShapedType::isDynamicShape(shape.drop_front()) &&
           ShapedType::getNumElements(shape.drop_front()) <= kUpdatesOfThread;
  // Workgroups that have parts of the rows need no atomic updates.
  int64_t places = ShapedType::getNumElements(shape.take_front(numPlaceDims));
  return type.getNumElements() > kManyUpdates &&
         places > type.getNumElements() / places;
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
    } else if (isa<DestinationStyleOpInterface>(op) ||
               !(isa<ToTensorOp>(op) || isPure(&op))) {
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
  bool isDynamic = !type.hasStaticShape();
  size_t dim = isDynamic ? 0 : llvm::max_element(places) - places.begin();
  SmallVector<int64_t> one(type.getShape());
  one[dim] = 1;
  int64_t tile = std::max<int64_t>(
      numThreads * kUpdatesOfThread / ShapedType::getNumElements(one), 1);
  int64_t extent = type.getDimSize(dim);
  // Without a shorter last part, if that is not many more.
  for (int64_t smaller = tile; !isDynamic && smaller > tile / 2; --smaller)
    if (extent % smaller == 0) {
      tile = smaller;
      break;
    }
  if (!isDynamic && extent <= tile)
    return false;

  OpBuilder builder(scatter);
  Location loc = scatter.getLoc();
  AffineExpr d0, d1;
  bindDims(builder.getContext(), d0, d1);
  SmallVector<OpFoldResult> sizes =
      tensor::getMixedSizes(builder, loc, scatter.getOutput());
  OpFoldResult length =
      tensor::getMixedSize(builder, loc, scatter.getUpdates(), dim);
  OpFoldResult numBlocks = affine::makeComposedFoldedAffineApply(
      builder, loc, d0.ceilDiv(tile), length);
  auto mapping =
      gpu::GPUBlockMappingAttr::get(builder.getContext(), gpu::MappingId::DimX);
  auto forall =
      scf::ForallOp::create(builder, loc, ArrayRef<OpFoldResult>(numBlocks),
                            scatter.getOutput(), builder.getArrayAttr(mapping));
  builder.setInsertionPointToStart(forall.getBody());
  OpFoldResult begin = affine::makeComposedFoldedAffineApply(
      builder, loc, d0 * tile, OpFoldResult(forall.getInductionVar(0)));
  OpFoldResult count = builder.getIndexAttr(tile);
  if (isDynamic || extent % tile != 0)
    count = affine::makeComposedFoldedAffineMin(
        builder, loc,
        AffineMap::get(2, 0, {builder.getAffineConstantExpr(tile), d1 - d0},
                       builder.getContext()),
        {begin, length});
  auto slice = [&](Value tensor) -> Value {
    auto type = cast<RankedTensorType>(tensor.getType());
    SmallVector<OpFoldResult> offsets(type.getRank(), builder.getIndexAttr(0)),
        sizes = tensor::getMixedSizes(builder, loc, tensor),
        strides(type.getRank(), builder.getIndexAttr(1));
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
  auto wholeType = cast<RankedTensorType>(whole.getType());
  SmallVector<OpFoldResult> zeros(wholeType.getRank(), builder.getIndexAttr(0)),
      ones(wholeType.getRank(), builder.getIndexAttr(1));
  builder.setInsertionPointToEnd(forall.getTerminator().getBody());
  tensor::ParallelInsertSliceOp::create(builder, loc, part.getResult(), whole,
                                        zeros, sizes, ones);
  scatter.getResult().replaceAllUsesWith(forall.getResult(0));
  scatter.erase();
  function->setAttr("gpu.known_block_size",
                    builder.getDenseI32ArrayAttr({int32_t(numThreads), 1, 1}));
  return true;
}
