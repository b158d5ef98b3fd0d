//===- DistributeTopK.cpp - threads find the first elements together -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Bitonic top-k (Shanbhag, Pirk, Madden: "Efficient Top-K Query Processing on
// Massively Parallel Hardware", SIGMOD 2018): blocks of k elements are sorted,
// and of each two blocks the better half is kept until one is left. A row that
// is longer than the tile comes in parts, behind the best of those before: each
// element is read once, and the tile's size does not depend on the row's.
//
//===----------------------------------------------------------------------===//

#include "IR/Payload.h"
#include "Transforms/Normalize/BitonicNetwork.h"
#include "Transforms/Normalize/LaneNetwork.h"
#include "Transforms/Normalize/LaneRows.h"
#include "Transforms/Normalize/RowTiles.h"
#include "Transforms/Normalize/StructuredOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::memspace;
using Elements = BitonicNetwork::Elements;

namespace {
class TopK {
public:
  TopK(TopKOp op, const RowLength &length, const Sharing &sharing)
      : op(op), sharing(sharing), loc(op.getLoc()), rewriter(op),
        dimension(op.getDimension()), length(length),
        block(llvm::PowerOf2Ceil(
            std::max<int64_t>(1, std::min(op.getCount(), length.bound)))),
        rows(rewriter, loc, op.getShapedType().getShape(), dimension, length,
             getTile()) {}

  void run();
  /// The same in the registers of lanes.
  void runInLanes(const LaneLayout &layout);

private:
  int64_t getTile();
  Value comesBefore(const Elements &left, const Elements &right, bool hasEnd);
  SmallVector<Value> fill(ValueRange tiles, int64_t begin, Value first);
  SmallVector<Value> select(SmallVector<Value> tiles);
  Value getEnd() {
    return getValueOrCreateConstantIndexOp(rewriter, loc, length.length);
  }
  Value constant(int64_t value) {
    return arith::ConstantIndexOp::create(rewriter, loc, value);
  }

  TopKOp op;
  Sharing sharing;
  Location loc;
  IRRewriter rewriter;
  unsigned dimension;
  RowLength length;
  /// The elements that are asked for, or the next power of two.
  int64_t block;
  RowTiles rows;
};
} // namespace

/// Elements of a row in the tile: 4 for each thread, the blocks that make the
/// work worth its while, but no more than there are.
int64_t TopK::getTile() {
  ArrayRef<int64_t> shape = op.getShapedType().getShape();
  int64_t numRows = 1;
  for (auto [dim, extent] : llvm::enumerate(shape))
    if (dim != dimension)
      numRows *= std::max<int64_t>(extent, 1);
  int64_t busy = llvm::PowerOf2Ceil(
      llvm::divideCeil(4 * sharing.numThreads, std::max<int64_t>(numRows, 1)));
  return std::min<int64_t>(
      llvm::PowerOf2Ceil(std::max<int64_t>(length.bound, 1)),
      std::max(busy, 4 * block));
}

/// Elements are a value and its position. A position behind the row's end is
/// that of no element, which comes last; there is none if not `hasEnd`.
Value TopK::comesBefore(const Elements &left, const Elements &right,
                        bool hasEnd) {
  Region &comparator = op.getComparator();
  Value before = inlineComparator(rewriter, comparator, left[0], right[0]);
  Value after = inlineComparator(rewriter, comparator, right[0], left[0]);
  auto compare = [&](arith::CmpIPredicate predicate, Value a,
                     Value b) -> Value {
    return arith::CmpIOp::create(rewriter, loc, predicate, a, b);
  };
  Value isTrue = arith::ConstantIntOp::create(rewriter, loc, 1, 1);
  Value isNotAfter = arith::XOrIOp::create(rewriter, loc, after, isTrue);
  Value isEarlier = arith::AndIOp::create(
      rewriter, loc, isNotAfter,
      compare(arith::CmpIPredicate::slt, left[1], right[1]));
  before = arith::OrIOp::create(rewriter, loc, before, isEarlier);
  if (!hasEnd)
    return before;
  Value end = castIndex(rewriter, loc, getEnd(), left[1].getType());
  Value leftIsOne = compare(arith::CmpIPredicate::slt, left[1], end);
  Value rightIsNone = compare(arith::CmpIPredicate::sge, right[1], end);
  before = arith::OrIOp::create(rewriter, loc, before, rightIsNone);
  return arith::AndIOp::create(rewriter, loc, before, leftIsOne);
}

/// Elements from `first` on at the places from `begin` on in the `tiles`.
SmallVector<Value> TopK::fill(ValueRange tiles, int64_t begin, Value first) {
  auto getPosition = [&](OpBuilder &builder, Value place) -> Value {
    // The places of a part of the tile count from 0.
    return first ? arith::AddIOp::create(builder, loc, place, first) : place;
  };
  Value values = rows.fill(
      tiles[0], begin,
      [&](OpBuilder &builder, MutableArrayRef<Value> place) -> Value {
        place[dimension] =
            rows.clamp(builder, getPosition(builder, place[dimension]));
        return tensor::ExtractOp::create(builder, loc, op.getInput(), place);
      });
  Type type = cast<RankedTensorType>(tiles[1].getType()).getElementType();
  Value positions = rows.fill(
      tiles[1], begin, [&](OpBuilder &builder, MutableArrayRef<Value> place) {
        return castIndex(builder, loc, getPosition(builder, place[dimension]),
                         type);
      });
  return {values, positions};
}

/// The first `block` elements of the tiles, sorted, to their beginning.
SmallVector<Value> TopK::select(SmallVector<Value> tiles) {
  bool hasEnd =
      length.mayBeLessThan(rows.getTile()) || rows.getTile() < length.bound;
  auto compare = [&](const Elements &left, const Elements &right,
                     ArrayRef<OpFoldResult>) {
    return comesBefore(left, right, hasEnd);
  };
  BitonicNetwork network(
      rewriter, loc, rows.getShape(), dimension,
      {rewriter.getIndexAttr(rows.getTile()), rows.getTile()}, sharing,
      compare);
  tiles = network.sortBlocks(block, std::move(tiles));
  for (int64_t half = rows.getTile() / 2; half >= block; half /= 2)
    tiles = network.keepHalf(half, block, std::move(tiles));
  return tiles;
}

void TopK::run() {
  if (op.getCount() == 0 ||
      llvm::is_contained(op.getShapedType().getShape(), 0))
    return rewriter.replaceOp(op, op.getDpsInits());
  Type valueType = op.getShapedType().getElementType();
  // Positions count up to the places behind the end.
  Type positionType = rewriter.getI32Type();
  if (length.bound > std::numeric_limits<int32_t>::max() / 2)
    positionType = rewriter.getI64Type();
  SmallVector<Value> tiles = {rows.makeEmpty(valueType),
                              rows.makeEmpty(positionType)};
  if (rows.getTile() >= length.bound) {
    tiles = select(fill(tiles, 0, Value()));
  } else {
    // Nothing yet, at the places of the best.
    Value end = getEnd();
    tiles[0] = rows.fill(
        tiles[0], 0,
        [&](OpBuilder &builder, MutableArrayRef<Value> place) -> Value {
          place[dimension] = arith::ConstantIndexOp::create(builder, loc, 0);
          return tensor::ExtractOp::create(builder, loc, op.getInput(), place);
        });
    tiles[1] =
        rows.fill(tiles[1], 0, [&](OpBuilder &builder, MutableArrayRef<Value>) {
          return castIndex(builder, loc, end, positionType);
        });
    auto loop = scf::ForOp::create(
        rewriter, loc, constant(0), end, constant(rows.getTile() - block),
        tiles,
        [&](OpBuilder &builder, Location loc, Value first, ValueRange args) {
          OpBuilder::InsertionGuard guard(rewriter);
          rewriter.setInsertionPoint(builder.getInsertionBlock(),
                                     builder.getInsertionPoint());
          SmallVector<Value> best = select(fill(args, block, first));
          builder.setInsertionPointToEnd(builder.getInsertionBlock());
          scf::YieldOp::create(builder, loc, best);
        });
    tiles = llvm::to_vector(ValueRange(loop.getResults()));
  }
  SmallVector<Value> results;
  if (Value values = op.getValues())
    results.push_back(rows.store(tiles[0], values));
  if (Value indices = op.getIndices())
    results.push_back(rows.storePositions(tiles[1], indices));
  rewriter.replaceOp(op, results);
}

void TopK::runInLanes(const LaneLayout &layout) {
  int64_t tile = layout.lanesPerRow * layout.slots;
  SmallVector<Value> outputs = llvm::to_vector(op.getDpsInits());
  LaneRows lanes(rewriter, loc, layout, dimension, length, outputs, sharing,
                 op.getCount());
  LaneRows::Slots slots = lanes.load(op.getInput());
  for (auto [number, elements] : llvm::enumerate(slots))
    elements.push_back(lanes.getPosition(number));
  auto compare = [&](const Elements &left, const Elements &right) {
    return comesBefore(left, right, length.mayBeLessThan(tile));
  };
  LaneNetwork network(rewriter, loc, lanes, /*hasEnd=*/false, compare);
  network.sortBlocks(block, slots);
  if (block < tile)
    network.keepFirst(tile / 2, block, slots);
  for (Elements &elements : slots) {
    Elements results;
    if (op.getValues())
      results.push_back(elements[0]);
    if (Value indices = op.getIndices())
      results.push_back(castInteger(rewriter, loc, elements[1],
                                    getElementTypeOrSelf(indices.getType())));
    elements = std::move(results);
  }
  rewriter.replaceOp(op, lanes.store(slots));
}

LogicalResult memspace::distributeTopK(TopKOp op, const RowLength &length,
                                       const Sharing &sharing) {
  if (ShapedType::isDynamic(op.getCount()))
    return op.emitOpError("of ")
           << op.getDpsInits().front().getType()
           << " cannot be shared by the threads: the number of elements that "
              "are asked for must be static";
  std::optional<LaneLayout> layout;
  if (op.getCount() > 0)
    layout = LaneLayout::get(op.getShapedType().getShape(), op.getDimension(),
                             length.bound,
                             {op.getShapedType().getElementType(),
                              IntegerType::get(op.getContext(), 32)},
                             sharing);
  if (layout)
    TopK(op, length, sharing).runInLanes(*layout);
  else
    TopK(op, length, sharing).run();
  return success();
}
