//===- BitonicNetwork.cpp - threads that compare pairs of elements -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Transforms/Normalize/BitonicNetwork.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::memspace;

BitonicNetwork::BitonicNetwork(RewriterBase &rewriter, Location loc,
                               ArrayRef<int64_t> shape, unsigned dimension,
                               const RowLength &length, const Sharing &sharing,
                               Comparator comesBefore)
    : rewriter(rewriter), loc(loc), shape(shape), dimension(dimension),
      length(length), sharing(sharing), comesBefore(comesBefore),
      active(shape[dimension]) {
  for (auto [dim, extent] : llvm::enumerate(shape))
    if (dim != dimension)
      rows *= extent;
}

/// The last steps of merges of 2 << `count` elements that are among the
/// elements of one subgroup: blocks of 2 elements for each lane.
static int64_t getLocalSteps(int64_t count, const Sharing &sharing) {
  if (sharing.isOfSubgroup || !sharing.subgroupSize ||
      !llvm::isPowerOf2_64(*sharing.subgroupSize))
    return count;
  return std::min<int64_t>(count, llvm::Log2_64(*sharing.subgroupSize) + 1);
}

int64_t BitonicNetwork::getWork(int64_t rows, int64_t length, int64_t numTiles,
                                int64_t lookups, int64_t barrierWork,
                                const Sharing &sharing) {
  int64_t merges = llvm::Log2_64_Ceil(length), tile = int64_t(1) << merges;
  int64_t pairs = llvm::divideCeil(rows * tile / 2, sharing.numThreads);
  int64_t steps = merges * (merges + 1) / 2;
  // Elements are read and written, and so on their way to and from tiles.
  int64_t accesses =
      pairs * (steps * (4 * numTiles + 2 * lookups) + 4 * numTiles);
  // Each merge that has steps by all threads has one more barrier behind them.
  // Where threads go round that are no whole subgroups, all steps have.
  int64_t longer = merges - getLocalSteps(merges, sharing);
  bool isLocal =
      sharing.subgroupSize &&
      (pairs == 1 || sharing.numThreads % *sharing.subgroupSize == 0);
  int64_t barriers = isLocal ? longer * (longer + 3) / 2 : steps;
  return accesses + (barriers + 2) * barrierWork;
}

Value BitonicNetwork::constant(int64_t value) {
  return arith::ConstantIndexOp::create(rewriter, loc, value);
}

SmallVector<OpFoldResult> BitonicNetwork::getPlace(Value row, Value position) {
  SmallVector<OpFoldResult> place(shape.size());
  for (int64_t dim = shape.size(); dim-- > 0;) {
    if (dim == int64_t(dimension)) {
      place[dim] = position;
    } else if (shape[dim] == 1) {
      place[dim] = rewriter.getIndexAttr(0);
    } else {
      Value extent = constant(shape[dim]);
      place[dim] = make<arith::RemUIOp>(row, extent);
      row = make<arith::DivUIOp>(row, extent);
    }
  }
  return place;
}

/// Where the elements of pair `pair` of a row are, in step `number` of a merge.
std::pair<Value, Value> BitonicNetwork::getPair(Value merge, Value number,
                                                Value pair) {
  Value one = constant(1);
  // Blocks of twice the distance.
  Value distance = make<arith::ShLIOp>(one, make<arith::SubIOp>(merge, number));
  Value block = make<arith::ShLIOp>(distance, one);
  Value begin =
      make<arith::MulIOp>(make<arith::DivUIOp>(pair, distance), block);
  Value offset = make<arith::RemUIOp>(pair, distance);
  Value lower = make<arith::AddIOp>(begin, offset);
  Value away = make<arith::AddIOp>(lower, distance);
  Value last = make<arith::SubIOp>(make<arith::AddIOp>(begin, block), one);
  Value mirrored = make<arith::SubIOp>(last, offset);
  Value isFirst = arith::CmpIOp::create(rewriter, loc, arith::CmpIPredicate::eq,
                                        number, constant(0));
  return {lower,
          arith::SelectOp::create(rewriter, loc, isFirst, mirrored, away)};
}

/// Puts the elements at `lower` and `upper` of `row` in order.
void BitonicNetwork::compare(Value row, Value lower, Value upper,
                             ValueRange tiles) {
  SmallVector<OpFoldResult> places[] = {getPlace(row, lower),
                                        getPlace(row, upper)};
  Elements left, right;
  for (Value tile : tiles)
    for (auto [elements, place] :
         {std::pair(&left, &places[0]), std::pair(&right, &places[1])})
      elements->push_back(tensor::ExtractOp::create(
          rewriter, loc, tile,
          getValueOrCreateConstantIndexOp(rewriter, loc, *place)));
  Value swap = comesBefore(right, left, places[0]);
  if (length.mayBeLessThan(shape[dimension])) {
    Value end = getValueOrCreateConstantIndexOp(rewriter, loc, length.length);
    Value isInRow = arith::CmpIOp::create(
        rewriter, loc, arith::CmpIPredicate::ult, upper, end);
    swap = make<arith::AndIOp>(isInRow, swap);
  }
  SmallVector<std::pair<Value, unsigned>> results;
  for (unsigned number = 0; number < tiles.size(); ++number)
    for (unsigned side : {0, 1}) {
      Value stays = side == 0 ? left[number] : right[number];
      Value comes = side == 0 ? right[number] : left[number];
      Value element =
          arith::SelectOp::create(rewriter, loc, swap, comes, stays);
      SmallVector<int64_t> unit(shape.size(), 1);
      auto slice = RankedTensorType::get(unit, element.getType());
      results.emplace_back(
          tensor::FromElementsOp::create(rewriter, loc, slice, element), side);
    }
  auto inParallel = scf::InParallelOp::create(rewriter, loc);
  rewriter.setInsertionPointToStart(inParallel.getBody());
  SmallVector<OpFoldResult> ones(shape.size(), rewriter.getIndexAttr(1));
  for (auto [number, result] : llvm::enumerate(results))
    tensor::ParallelInsertSliceOp::create(rewriter, loc, result.first,
                                          tiles[number / 2],
                                          places[result.second], ones, ones);
}

/// Compares, by all threads, the pairs that `getPair` finds by their number in
/// a row. Pairs are counted through all rows.
SmallVector<Value> BitonicNetwork::comparePairs(int64_t pairsPerRow,
                                                ValueRange tiles,
                                                PairMaker getPair) {
  MLIRContext *context = rewriter.getContext();
  Attribute mapping = sharing.isOfSubgroup
                          ? Attribute(gpu::GPULaneMappingAttr::get(
                                context, gpu::MappingId::LinearDim0))
                          : Attribute(gpu::GPUThreadMappingAttr::get(
                                context, gpu::MappingId::LinearDim0));
  OpFoldResult count = rewriter.getIndexAttr(rows * pairsPerRow);
  auto forall = scf::ForallOp::create(rewriter, loc, count, tiles,
                                      rewriter.getArrayAttr(mapping));
  OpBuilder::InsertionGuard guard(rewriter);
  forall.getTerminator()->erase();
  rewriter.setInsertionPointToEnd(forall.getBody());
  Value row = constant(0), inRow = forall.getInductionVar(0);
  if (rows != 1) {
    Value extent = constant(pairsPerRow);
    row = make<arith::DivUIOp>(inRow, extent);
    inRow = make<arith::RemUIOp>(inRow, extent);
  }
  auto [lower, upper] = getPair(inRow);
  compare(row, lower, upper, forall.getRegionIterArgs());
  return llvm::to_vector(ValueRange(forall.getResults()));
}

/// The steps from `begin` to `end` of a merge.
SmallVector<Value> BitonicNetwork::steps(Value merge, Value begin, Value end,
                                         ValueRange tiles) {
  auto loop = scf::ForOp::create(
      rewriter, loc, begin, end, constant(1), tiles,
      [&](OpBuilder &builder, Location loc, Value number, ValueRange args) {
        OpBuilder::InsertionGuard guard(rewriter);
        rewriter.setInsertionPoint(builder.getInsertionBlock(),
                                   builder.getInsertionPoint());
        SmallVector<Value> results =
            comparePairs(active / 2, args, [&](Value pair) {
              return getPair(merge, number, pair);
            });
        builder.setInsertionPointToEnd(builder.getInsertionBlock());
        scf::YieldOp::create(builder, loc, results);
      });
  return llvm::to_vector(ValueRange(loop.getResults()));
}

/// The merges from `begin` to `end`; merge `m` makes rows of 2 << m elements.
/// The last `local` steps of each are in a loop of their own, if it is not 0.
SmallVector<Value> BitonicNetwork::merges(int64_t begin, int64_t end,
                                          int64_t local,
                                          SmallVector<Value> tiles) {
  if (begin >= end)
    return tiles;
  auto loop = scf::ForOp::create(
      rewriter, loc, constant(begin), constant(end), constant(1), tiles,
      [&](OpBuilder &builder, Location loc, Value merge, ValueRange args) {
        OpBuilder::InsertionGuard guard(rewriter);
        rewriter.setInsertionPoint(builder.getInsertionBlock(),
                                   builder.getInsertionPoint());
        Value first = constant(0),
              last = make<arith::AddIOp>(merge, constant(1));
        SmallVector<Value> results(args);
        if (local != 0) {
          Value middle = make<arith::SubIOp>(last, constant(local));
          results = steps(merge, first, middle, results);
          first = middle;
        }
        results = steps(merge, first, last, results);
        builder.setInsertionPointToEnd(builder.getInsertionBlock());
        scf::YieldOp::create(builder, loc, results);
      });
  return llvm::to_vector(ValueRange(loop.getResults()));
}

SmallVector<Value> BitonicNetwork::sortBlocks(int64_t size,
                                              SmallVector<Value> tiles) {
  if (rows == 0 || size < 2)
    return tiles;
  int64_t count = llvm::Log2_64(size), local = getLocalSteps(count, sharing);
  tiles = merges(0, local, 0, std::move(tiles));
  return merges(local, count, local, std::move(tiles));
}

SmallVector<Value> BitonicNetwork::keepHalf(int64_t half, int64_t size,
                                            SmallVector<Value> tiles) {
  if (rows == 0)
    return tiles;
  // The better one of an element and its mirror image: the first `size` of the
  // two blocks, up and then down.
  tiles = comparePairs(half, tiles, [&](Value pair) {
    if (size == 1)
      return std::pair(pair, make<arith::AddIOp>(pair, constant(half)));
    Value offset = make<arith::RemUIOp>(pair, constant(size));
    Value begin = make<arith::SubIOp>(pair, offset);
    Value last = make<arith::AddIOp>(begin, constant(half + size - 1));
    return std::pair(pair, make<arith::SubIOp>(last, offset));
  });
  if (size == 1)
    return tiles;
  // The later steps of the merge that would make 2 * size of them.
  int64_t whole = std::exchange(active, half);
  int64_t merge = llvm::Log2_64(size), local = getLocalSteps(merge, sharing);
  Value first = constant(1), middle = constant(merge + 1 - local);
  if (local < merge) {
    tiles = steps(constant(merge), first, middle, tiles);
    first = middle;
  }
  tiles = steps(constant(merge), first, constant(merge + 1), tiles);
  active = whole;
  return tiles;
}
