//===- DistributeSort.cpp - threads sort together -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Transforms/Normalize/BitonicNetwork.h"
#include "Transforms/Normalize/RowTiles.h"
#include "Transforms/Normalize/StructuredOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
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

LogicalResult memspace::distributeSort(SortOp op, const RowLength &length,
                                       const Sharing &sharing) {
  IRRewriter rewriter(op);
  Location loc = op.getLoc();
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
    Value before = inlineComparator(rewriter, op.getComparator(),
                                    a.take_front(count), b.take_front(count));
    if (!op.getStable())
      return before;
    Value after = inlineComparator(rewriter, op.getComparator(),
                                   b.take_front(count), a.take_front(count));
    return makeStable(rewriter, loc, before, after, a.back(), b.back());
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
  IRRewriter rewriter(op);
  Location loc = op.getLoc();
  unsigned dimension = op.getDimension();
  RowTiles rows(rewriter, loc, op.getShapedType().getShape(), dimension,
                length);
  Type type =
      cast<RankedTensorType>(op.getIndices().getType()).getElementType();
  // Only positions move: a key is looked up where the input has it.
  auto comesBefore = [&](const Elements &left, const Elements &right,
                         ArrayRef<OpFoldResult> row) {
    Elements keys[2];
    for (auto [side, position] :
         {std::pair(0, left[0]), std::pair(1, right[0])})
      for (Value input : op.getInputs())
        keys[side].push_back(
            extractAt(rewriter, loc, input, row, dimension, position));
    Value before =
        inlineComparator(rewriter, op.getComparator(), keys[0], keys[1]);
    if (!op.getStable())
      return before;
    Value after =
        inlineComparator(rewriter, op.getComparator(), keys[1], keys[0]);
    return makeStable(rewriter, loc, before, after, left[0], right[0]);
  };
  BitonicNetwork network(rewriter, loc, rows.getShape(), dimension, length,
                         sharing, comesBefore);
  SmallVector<Value> tiles =
      network.sortBlocks(rows.getTile(), {rows.makePositions(type)});
  rewriter.replaceOp(op, rows.store(tiles[0], op.getIndices()));
  return success();
}
