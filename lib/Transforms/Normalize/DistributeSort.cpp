//===- DistributeSort.cpp - threads sort together -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Payload.h"
#include "MemSpace/Memory/BufferSize.h"
#include "Transforms/Normalize/BitonicNetwork.h"
#include "Transforms/Normalize/LaneNetwork.h"
#include "Transforms/Normalize/LaneRows.h"
#include "Transforms/Normalize/MergeSort.h"
#include "Transforms/Normalize/RowTiles.h"
#include "Transforms/Normalize/StructuredOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::memspace;
using Elements = BitonicNetwork::Elements;

/// Of two that are equal the one that was first comes before the other.
static Value makeStable(OpBuilder &builder, Location loc, Value before,
                        Value after, Value position, Value otherPosition) {
  Value isFirst = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::slt,
                                        position, otherPosition);
  Value isTrue = arith::ConstantIntOp::create(builder, loc, 1, 1);
  Value isNotAfter = arith::XOrIOp::create(builder, loc, after, isTrue);
  Value isEarlier = arith::AndIOp::create(builder, loc, isNotAfter, isFirst);
  return arith::OrIOp::create(builder, loc, before, isEarlier);
}

/// Whether the keys `left` come before `right`, those at `position` before
/// those at `otherPosition` if the sort is stable.
template <typename OpT>
static Value compare(OpBuilder &builder, OpT op, ValueRange left,
                     ValueRange right, Value position, Value otherPosition) {
  Value before = inlineComparator(builder, op.getComparator(), left, right);
  if (!op.getStable())
    return before;
  Value after = inlineComparator(builder, op.getComparator(), right, left);
  return makeStable(builder, op.getLoc(), before, after, position,
                    otherPosition);
}

std::optional<int64_t>
memspace::getSortBytesPerElement(DestinationStyleOpInterface op,
                                 const TargetInfo &target) {
  auto sort = dyn_cast<SortOp>(*op);
  int64_t bytes = sort && sort.getStable() ? 4 : 0;
  for (Value output : op.getDpsInits()) {
    std::optional<int64_t> element =
        getElementBytes(getElementTypeOrSelf(output.getType()), target);
    if (!element)
      return std::nullopt;
    bytes += *element;
  }
  return bytes;
}

/// Types of what a sort moves.
static SmallVector<Type> getElementTypes(ValueRange operands,
                                         bool hasPositions) {
  auto types = llvm::map_to_vector(operands, [](Value operand) {
    return getElementTypeOrSelf(operand.getType());
  });
  if (hasPositions)
    types.push_back(IntegerType::get(operands[0].getContext(), 32));
  return types;
}

/// Sorts in registers. The positions are those that make a sort stable, or its
/// result: they are the last element of each place. What nobody uses of the
/// results is not stored.
template <typename OpT>
static void sortInLanes(OpT op, const RowLength &length, const Sharing &sharing,
                        const LaneLayout &layout, bool hasPositions) {
  IRRewriter rewriter(op);
  Location loc = op.getLoc();
  SmallVector<Value> results = llvm::to_vector(op.getDpsInits()), outputs;
  SmallVector<unsigned> used;
  for (auto [number, output] : llvm::enumerate(op.getDpsInits()))
    if (!op->getResult(number).use_empty()) {
      used.push_back(number);
      outputs.push_back(output);
    }
  if (used.empty())
    return rewriter.replaceOp(op, results);
  LaneRows rows(rewriter, loc, layout, op.getDimension(), length, outputs,
                sharing);
  LaneRows::Slots slots = rows.load(op.getInputs());
  if (hasPositions)
    for (auto [number, elements] : llvm::enumerate(slots))
      elements.push_back(rows.getPosition(number));
  unsigned count = op.getInputs().size();
  auto comesBefore = [&](const LaneRows::Elements &left,
                         const LaneRows::Elements &right) {
    ArrayRef<Value> a = left, b = right;
    return compare(rewriter, op, a.take_front(count), b.take_front(count),
                   a.back(), b.back());
  };
  LaneNetwork(rewriter, loc, rows, /*hasEnd=*/true, comesBefore)
      .sortBlocks(layout.lanesPerRow * layout.slots, slots);
  for (LaneRows::Elements &elements : slots) {
    LaneRows::Elements stored;
    for (unsigned number : used)
      stored.push_back(
          std::is_same_v<OpT, SortIndicesOp>
              ? castInteger(rewriter, loc, elements.back(),
                            getElementTypeOrSelf(outputs.front().getType()))
              : elements[number]);
    elements = std::move(stored);
  }
  for (auto [number, result] : llvm::zip_equal(used, rows.store(slots)))
    results[number] = result;
  rewriter.replaceOp(op, results);
}

LogicalResult memspace::distributeSort(SortOp op, const RowLength &length,
                                       const Sharing &sharing) {
  auto layout = LaneLayout::get(
      op.getShapedType().getShape(), op.getDimension(), length.bound,
      getElementTypes(op.getInputs(), op.getStable()), sharing);
  if (layout) {
    sortInLanes(op, length, sharing, *layout, op.getStable());
    return success();
  }
  IRRewriter rewriter(op);
  Location loc = op.getLoc();
  MergeSort::Problem problem{op.getInputs(),     Type(),
                             op.getComparator(), op.getShapedType().getShape(),
                             op.getDimension(),  length};
  if (auto chunks = MergeSort::getLayout(problem, op.getStable(), sharing)) {
    MergeSort sort(rewriter, loc, problem, *chunks);
    rewriter.replaceOp(op, sort.sort(op.getOutputs()));
    return success();
  }
  RowTiles rows(rewriter, loc, op.getShapedType().getShape(), op.getDimension(),
                length);
  SmallVector<Value> tiles;
  for (Value input : op.getInputs())
    tiles.push_back(rows.load(input));
  if (op.getStable())
    tiles.push_back(rows.makePositions(rewriter.getI32Type()));
  auto comesBefore = [&](const Elements &left, const Elements &right,
                         ArrayRef<OpFoldResult>) {
    ArrayRef<Value> a = left, b = right;
    unsigned count = op.getInputs().size();
    return compare(rewriter, op, a.take_front(count), b.take_front(count),
                   a.back(), b.back());
  };
  BitonicNetwork network(rewriter, loc, rows.getShape(), op.getDimension(),
                         length, sharing, comesBefore);
  tiles = network.sortBlocks(rows.getTile(), std::move(tiles));
  SmallVector<Value> results;
  for (auto [tile, output] : llvm::zip_first(op.getOutputs(), tiles))
    results.push_back(rows.store(output, tile));
  rewriter.replaceOp(op, results);
  return success();
}

LogicalResult memspace::distributeSort(SortIndicesOp op,
                                       const RowLength &length,
                                       const Sharing &sharing) {
  auto layout = LaneLayout::get(
      op.getShapedType().getShape(), op.getDimension(), length.bound,
      getElementTypes(op.getInputs(), /*hasPositions=*/true), sharing);
  if (layout) {
    sortInLanes(op, length, sharing, *layout, /*hasPositions=*/true);
    return success();
  }
  IRRewriter rewriter(op);
  Location loc = op.getLoc();
  unsigned dimension = op.getDimension();
  Type type =
      cast<RankedTensorType>(op.getIndices().getType()).getElementType();
  MergeSort::Problem problem{op.getInputs(),     type,
                             op.getComparator(), op.getShapedType().getShape(),
                             dimension,          length};
  if (auto chunks = MergeSort::getLayout(problem, op.getStable(), sharing)) {
    MergeSort sort(rewriter, loc, problem, *chunks);
    rewriter.replaceOp(op, sort.sort(op.getIndices()));
    return success();
  }
  RowTiles rows(rewriter, loc, op.getShapedType().getShape(), dimension,
                length);
  // Only positions move: a key is looked up where the input has it.
  auto comesBefore = [&](const Elements &left, const Elements &right,
                         ArrayRef<OpFoldResult> row) {
    Elements keys[2];
    for (auto [side, position] :
         {std::pair(0, left[0]), std::pair(1, right[0])})
      for (Value input : op.getInputs())
        keys[side].push_back(
            extractAt(rewriter, loc, input, row, dimension, position));
    return compare(rewriter, op, keys[0], keys[1], left[0], right[0]);
  };
  BitonicNetwork network(rewriter, loc, rows.getShape(), dimension, length,
                         sharing, comesBefore);
  SmallVector<Value> tiles =
      network.sortBlocks(rows.getTile(), {rows.makePositions(type)});
  rewriter.replaceOp(op, rows.store(tiles[0], op.getIndices()));
  return success();
}
