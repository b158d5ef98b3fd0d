//===- GatherScatterTiling.cpp - tiles of gathers and of scatters -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Both have a loop for each dimension of the rows that they move: first those
/// that number the places, then those of a row. What is indexed, the source of
/// a gather or the output of a scatter, is needed as a whole in the dimensions
/// that the indices choose in; in the others a tile has its part of the rows.
///
//===----------------------------------------------------------------------===//

#include "MemSpace/IR/MemSpaceDialect.h"
#include "ShapedSlices.h"

using namespace mlir;
using namespace mlir::memspace;

using Sizes = SmallVector<OpFoldResult>;

/// The part of `indexed` that the rows of a tile have, whose own dimensions
/// begin with `numPlaceDims` that number the places.
static void getIndexedTile(OpBuilder &builder, Location loc, Value indexed,
                           ArrayRef<int64_t> dims, unsigned numPlaceDims,
                           ArrayRef<OpFoldResult> offsets,
                           ArrayRef<OpFoldResult> sizes, Sizes &tileOffsets,
                           Sizes &tileSizes) {
  unsigned next = numPlaceDims;
  int64_t rank = cast<ShapedType>(indexed.getType()).getRank();
  for (int64_t dim = 0; dim < rank; ++dim) {
    bool isChosen = llvm::is_contained(dims, dim);
    tileOffsets.push_back(isChosen ? builder.getIndexAttr(0) : offsets[next]);
    tileSizes.push_back(isChosen ? getExtent(builder, loc, indexed, dim)
                                 : sizes[next]);
    next += !isChosen;
  }
}

static Value sliceIndexed(OpBuilder &builder, Location loc, Value indexed,
                          ArrayRef<int64_t> dims, unsigned numPlaceDims,
                          ArrayRef<OpFoldResult> offsets,
                          ArrayRef<OpFoldResult> sizes) {
  Sizes tileOffsets, tileSizes;
  getIndexedTile(builder, loc, indexed, dims, numPlaceDims, offsets, sizes,
                 tileOffsets, tileSizes);
  return makeSlice(builder, loc, indexed, tileOffsets, tileSizes);
}

/// The places of a tile, with all their coordinates.
static Value sliceIndices(OpBuilder &builder, Location loc, Value indices,
                          ArrayRef<OpFoldResult> offsets,
                          ArrayRef<OpFoldResult> sizes) {
  int64_t last = cast<ShapedType>(indices.getType()).getRank() - 1;
  Sizes tileOffsets(offsets.take_front(last)),
      tileSizes(sizes.take_front(last));
  tileOffsets.push_back(builder.getIndexAttr(0));
  tileSizes.push_back(getExtent(builder, loc, indices, last));
  return makeSlice(builder, loc, indices, tileOffsets, tileSizes);
}

/// `op` on `slices` of its operands, the last of which is its output.
static TilingResult makeTile(OpBuilder &builder, Operation *op,
                             ArrayRef<Value> slices) {
  SmallVector<Type> types;
  if (op->getNumResults() != 0)
    types.push_back(slices.back().getType());
  Operation *tile = mlir::clone(builder, op, types, slices);
  return {{tile},
          SmallVector<Value>(tile->getResults()),
          llvm::map_to_vector(
              slices, [](Value slice) { return slice.getDefiningOp(); })};
}

//===----------------------------------------------------------------------===//
// gather
//===----------------------------------------------------------------------===//

SmallVector<utils::IteratorType> GatherOp::getLoopIteratorTypes() {
  return SmallVector<utils::IteratorType>(
      cast<ShapedType>(getOutput().getType()).getRank(),
      utils::IteratorType::parallel);
}

SmallVector<Range> GatherOp::getIterationDomain(OpBuilder &builder) {
  return getDomain(builder, getLoc(), getOutput());
}

FailureOr<TilingResult>
GatherOp::getTiledImplementation(OpBuilder &builder,
                                 ArrayRef<OpFoldResult> offsets,
                                 ArrayRef<OpFoldResult> sizes) {
  Location loc = getLoc();
  unsigned numPlaceDims =
      cast<ShapedType>(getIndices().getType()).getRank() - 1;
  Value source = sliceIndexed(builder, loc, getSource(), getGatherDims(),
                              numPlaceDims, offsets, sizes);
  Value indices = sliceIndices(builder, loc, getIndices(), offsets, sizes);
  Value output = makeSlice(builder, loc, getOutput(), offsets, sizes);
  return makeTile(builder, getOperation(), {source, indices, output});
}

LogicalResult GatherOp::getResultTilePosition(
    OpBuilder &, unsigned, ArrayRef<OpFoldResult> offsets,
    ArrayRef<OpFoldResult> sizes, SmallVector<OpFoldResult> &resultOffsets,
    SmallVector<OpFoldResult> &resultSizes) {
  resultOffsets.assign(offsets.begin(), offsets.end());
  resultSizes.assign(sizes.begin(), sizes.end());
  return success();
}

FailureOr<TilingResult>
GatherOp::generateResultTileValue(OpBuilder &builder, unsigned,
                                  ArrayRef<OpFoldResult> offsets,
                                  ArrayRef<OpFoldResult> sizes) {
  return getTiledImplementation(builder, offsets, sizes);
}

//===----------------------------------------------------------------------===//
// scatter
//===----------------------------------------------------------------------===//

SmallVector<utils::IteratorType> ScatterOp::getLoopIteratorTypes() {
  SmallVector<utils::IteratorType> iterators(
      cast<ShapedType>(getUpdates().getType()).getRank(),
      utils::IteratorType::parallel);
  // Two updates may be of one place.
  for (unsigned dim = 0; dim < getNumPlaceDims(); ++dim)
    iterators[dim] = utils::IteratorType::reduction;
  return iterators;
}

SmallVector<Range> ScatterOp::getIterationDomain(OpBuilder &builder) {
  return getDomain(builder, getLoc(), getUpdates());
}

FailureOr<TilingResult>
ScatterOp::getTiledImplementation(OpBuilder &builder,
                                  ArrayRef<OpFoldResult> offsets,
                                  ArrayRef<OpFoldResult> sizes) {
  Location loc = getLoc();
  Value updates = makeSlice(builder, loc, getUpdates(), offsets, sizes);
  Value indices = sliceIndices(builder, loc, getIndices(), offsets, sizes);
  Value output = sliceIndexed(builder, loc, getOutput(), getScatterDims(),
                              getNumPlaceDims(), offsets, sizes);
  return makeTile(builder, getOperation(), {updates, indices, output});
}

LogicalResult ScatterOp::getResultTilePosition(
    OpBuilder &builder, unsigned, ArrayRef<OpFoldResult> offsets,
    ArrayRef<OpFoldResult> sizes, SmallVector<OpFoldResult> &resultOffsets,
    SmallVector<OpFoldResult> &resultSizes) {
  resultOffsets.clear();
  resultSizes.clear();
  getIndexedTile(builder, getLoc(), getOutput(), getScatterDims(),
                 getNumPlaceDims(), offsets, sizes, resultOffsets, resultSizes);
  return success();
}

FailureOr<TilingResult>
ScatterOp::generateResultTileValue(OpBuilder &builder, unsigned,
                                   ArrayRef<OpFoldResult> offsets,
                                   ArrayRef<OpFoldResult> sizes) {
  Sizes domainOffsets, domainSizes;
  for (unsigned dim = 0; dim < getNumPlaceDims(); ++dim) {
    domainOffsets.push_back(builder.getIndexAttr(0));
    domainSizes.push_back(getExtent(builder, getLoc(), getUpdates(), dim));
  }
  for (unsigned dim = 0; dim < offsets.size(); ++dim) {
    if (!llvm::is_contained(getScatterDims(), int64_t(dim))) {
      domainOffsets.push_back(offsets[dim]);
      domainSizes.push_back(sizes[dim]);
    } else if (!isWhole(offsets[dim], sizes[dim], getOutput(), dim)) {
      // Any update may be of any place.
      return failure();
    }
  }
  return getTiledImplementation(builder, domainOffsets, domainSizes);
}
