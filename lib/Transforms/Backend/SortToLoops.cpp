//===- SortToLoops.cpp - sorts of one thread -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Payload.h"
#include "MemSpace/IR/MemSpaceDialect.h"
#include "Transforms/Backend/StructuredToLoops.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace mlir::memspace;

namespace {
/// An insertion sort of each row into outputs that may be too short for it.
/// Element `i` goes behind all of the sorted ones that it does not come before;
/// what comes after it moves up, and the last one out where there is no room.
/// Outputs of elements, one for each input, and of indices; without the former
/// the sorted elements are looked up in the inputs.
class InsertionSort {
public:
  InsertionSort(SortOp op, PatternRewriter &rewriter)
      : InsertionSort(op, op.getOutputs(), Value(), rewriter) {}
  InsertionSort(SortIndicesOp op, PatternRewriter &rewriter)
      : InsertionSort(op, {}, op.getIndices(), rewriter) {}
  InsertionSort(TopKOp op, PatternRewriter &rewriter)
      : InsertionSort(
            op, op.getValues() ? ValueRange(op.getValues()) : ValueRange(),
            op.getIndices(), rewriter) {
    isShort = true;
  }

  void run();

private:
  template <typename OpT>
  InsertionSort(OpT op, ValueRange values, Value indices,
                PatternRewriter &rewriter)
      : loc(op->getLoc()), inputs(op.getDpsInputs()), values(values),
        indices(indices), dimension(op.getDimension()),
        comparator(op.getComparator()), rewriter(rewriter),
        place(cast<ShapedType>(inputs.front().getType()).getRank()) {}

  Value compare(arith::CmpIPredicate predicate, Value left, Value right) {
    return arith::CmpIOp::create(rewriter, loc, predicate, left, right);
  }
  Value enter(unsigned dim);
  Value load(Value memref, Value position);
  SmallVector<Value> loadAll(ValueRange memrefs, Value position);
  void store(Value element, Value memref, Value position);
  SmallVector<Value> getSorted(Value position);
  Value findPlace(Value begin, ArrayRef<Value> elements);
  void enterWhereRoom(Value position);

  Location loc;
  SmallVector<Value> inputs, values;
  Value indices;
  unsigned dimension;
  Region &comparator;
  PatternRewriter &rewriter;
  SmallVector<Value> place;
  /// The outputs may be shorter than a row, and have `room`.
  bool isShort = false;
  Value zero, one, room;
};

template <typename OpT> struct ToLoops : OpRewritePattern<OpT> {
  using OpRewritePattern<OpT>::OpRewritePattern;

  LogicalResult matchAndRewrite(OpT op,
                                PatternRewriter &rewriter) const override {
    if (!op.hasPureBufferSemantics())
      return rewriter.notifyMatchFailure(op, "works on tensors");
    InsertionSort(op, rewriter).run();
    rewriter.eraseOp(op);
    return success();
  }
};
} // namespace

/// A loop over `dim` of the inputs, whose body is what is made next. Returns
/// what it counts.
Value InsertionSort::enter(unsigned dim) {
  Value extent = rewriter.createOrFold<memref::DimOp>(loc, inputs.front(), dim);
  auto loop = scf::ForOp::create(rewriter, loc, zero, extent, one);
  rewriter.setInsertionPointToStart(loop.getBody());
  return loop.getInductionVar();
}

Value InsertionSort::load(Value memref, Value position) {
  place[dimension] = position;
  return memref::LoadOp::create(rewriter, loc, memref, place);
}

SmallVector<Value> InsertionSort::loadAll(ValueRange memrefs, Value position) {
  return llvm::map_to_vector(
      memrefs, [&](Value memref) { return load(memref, position); });
}

void InsertionSort::store(Value element, Value memref, Value position) {
  place[dimension] = position;
  memref::StoreOp::create(rewriter, loc, element, memref, place);
}

/// The elements that are at `position` of those that are sorted.
SmallVector<Value> InsertionSort::getSorted(Value position) {
  if (!values.empty())
    return loadAll(values, position);
  Value index = load(indices, position);
  if (!index.getType().isIndex())
    index = arith::IndexCastOp::create(rewriter, loc, rewriter.getIndexType(),
                                       index);
  return loadAll(inputs, index);
}

/// What is made next is done only where an output has an element at `position`.
void InsertionSort::enterWhereRoom(Value position) {
  if (!isShort)
    return;
  auto hasRoom = scf::IfOp::create(
      rewriter, loc, compare(arith::CmpIPredicate::ult, position, room));
  rewriter.setInsertionPointToStart(hasRoom.thenBlock());
}

/// The place of `elements` among the sorted ones before `begin`, after those
/// behind it have moved up by one.
Value InsertionSort::findPlace(Value begin, ArrayRef<Value> elements) {
  auto loop =
      scf::WhileOp::create(rewriter, loc, rewriter.getIndexType(), begin);
  rewriter.createBlock(&loop.getBefore(), {}, rewriter.getIndexType(), loc);
  Value free = loop.getBeforeArguments().front();
  Value isInside = compare(arith::CmpIPredicate::ne, free, zero);
  auto movesUp = scf::IfOp::create(rewriter, loc, rewriter.getI1Type(),
                                   isInside, /*withElseRegion=*/true);
  scf::ConditionOp::create(rewriter, loc, movesUp.getResult(0), free);
  {
    OpBuilder::InsertionGuard guard(rewriter);
    rewriter.setInsertionPointToStart(movesUp.elseBlock());
    Value isFalse = arith::ConstantIntOp::create(rewriter, loc, 0, 1);
    scf::YieldOp::create(rewriter, loc, isFalse);
    rewriter.setInsertionPointToStart(movesUp.thenBlock());
    Value before = arith::SubIOp::create(rewriter, loc, free, one);
    Value isBefore =
        inlineComparator(rewriter, comparator, elements, getSorted(before));
    scf::YieldOp::create(rewriter, loc, isBefore);
  }
  rewriter.createBlock(&loop.getAfter(), {}, rewriter.getIndexType(), loc);
  free = loop.getAfterArguments().front();
  Value before = arith::SubIOp::create(rewriter, loc, free, one);
  auto yield = scf::YieldOp::create(rewriter, loc, before);
  rewriter.setInsertionPoint(yield);
  enterWhereRoom(free);
  SmallVector<Value> outputs = values;
  if (indices)
    outputs.push_back(indices);
  SmallVector<Value> moved = loadAll(outputs, before);
  for (auto [element, output] : llvm::zip_equal(moved, outputs))
    store(element, output, free);
  rewriter.setInsertionPointAfter(loop);
  return loop.getResult(0);
}

void InsertionSort::run() {
  zero = arith::ConstantIndexOp::create(rewriter, loc, 0);
  one = arith::ConstantIndexOp::create(rewriter, loc, 1);
  if (isShort)
    room = rewriter.createOrFold<memref::DimOp>(
        loc, indices ? indices : values.front(), dimension);
  for (unsigned dim = 0; dim < place.size(); ++dim)
    if (dim != dimension)
      place[dim] = enter(dim);
  Value position = enter(dimension);
  SmallVector<Value> elements = loadAll(inputs, position);
  Value begin = position;
  if (isShort)
    begin = arith::MinUIOp::create(rewriter, loc, position, room);
  Value free = findPlace(begin, elements);
  enterWhereRoom(free);
  for (auto [element, output] : llvm::zip(elements, values))
    store(element, output, free);
  if (!indices)
    return;
  Type type = getElementTypeOrSelf(indices.getType());
  Value index = position;
  if (!type.isIndex())
    index = arith::IndexCastOp::create(rewriter, loc, type, position);
  store(index, indices, free);
}

void memspace::addSortToLoops(RewritePatternSet &patterns) {
  patterns.add<ToLoops<SortOp>, ToLoops<SortIndicesOp>, ToLoops<TopKOp>>(
      patterns.getContext());
}
