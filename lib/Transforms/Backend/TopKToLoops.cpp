//===- TopKToLoops.cpp - the first elements, by one thread -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MemSpace/IR/MemSpaceDialect.h"
#include "Transforms/Backend/StructuredToLoops.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace mlir::memspace;

namespace {
/// An insertion sort of each row into outputs that may be too short for it.
/// Element `i` goes behind all of the sorted ones that it does not come before;
/// what comes after it moves up, and the last one out where there is no room.
/// Without `values` the sorted elements are looked up in the inputs.
class InsertionSort {
public:
  InsertionSort(Operation *op, ValueRange inputs, Value values, Value indices,
                unsigned dimension, Region &comparator,
                PatternRewriter &rewriter)
      : loc(op->getLoc()), inputs(inputs), values(values), indices(indices),
        dimension(dimension), comparator(comparator), rewriter(rewriter),
        place(cast<ShapedType>(inputs.front().getType()).getRank()) {}

  void run();

private:
  Value compare(arith::CmpIPredicate predicate, Value left, Value right) {
    return arith::CmpIOp::create(rewriter, loc, predicate, left, right);
  }
  Value enter(unsigned dim);
  Value load(Value memref, Value position);
  void store(Value element, Value memref, Value position);
  SmallVector<Value> getSorted(Value position);
  Value findPlace(Value begin, ArrayRef<Value> elements);
  Value comesBefore(ArrayRef<Value> left, ArrayRef<Value> right);

  Location loc;
  ValueRange inputs;
  Value values, indices;
  unsigned dimension;
  Region &comparator;
  PatternRewriter &rewriter;
  SmallVector<Value> place;
  Value zero, one, room;
};

template <typename OpT> struct ToLoops : OpRewritePattern<OpT> {
  using OpRewritePattern<OpT>::OpRewritePattern;

  LogicalResult matchAndRewrite(OpT op,
                                PatternRewriter &rewriter) const override {
    if (!op.hasPureBufferSemantics())
      return rewriter.notifyMatchFailure(op, "works on tensors");
    Value values;
    if constexpr (std::is_same_v<OpT, TopKOp>)
      values = op.getValues();
    InsertionSort(op, op.getDpsInputs(), values, op.getIndices(),
                  op.getDimension(), op.getComparator(), rewriter)
        .run();
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

void InsertionSort::store(Value element, Value memref, Value position) {
  place[dimension] = position;
  memref::StoreOp::create(rewriter, loc, element, memref, place);
}

/// The elements that are at `position` of those that are sorted.
SmallVector<Value> InsertionSort::getSorted(Value position) {
  if (values)
    return {load(values, position)};
  Value index = load(indices, position);
  if (!index.getType().isIndex())
    index = arith::IndexCastOp::create(rewriter, loc, rewriter.getIndexType(),
                                       index);
  return llvm::map_to_vector(inputs,
                             [&](Value input) { return load(input, index); });
}

Value InsertionSort::comesBefore(ArrayRef<Value> left, ArrayRef<Value> right) {
  IRMapping mapping;
  for (auto [number, a, b] : llvm::enumerate(left, right)) {
    mapping.map(comparator.getArgument(2 * number), a);
    mapping.map(comparator.getArgument(2 * number + 1), b);
  }
  Block &body = comparator.front();
  for (Operation &inner : body.without_terminator())
    rewriter.clone(inner, mapping);
  return mapping.lookupOrDefault(
      cast<memspace::YieldOp>(body.getTerminator()).getValue());
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
    Value isBefore = comesBefore(elements, getSorted(before));
    scf::YieldOp::create(rewriter, loc, isBefore);
  }
  rewriter.createBlock(&loop.getAfter(), {}, rewriter.getIndexType(), loc);
  free = loop.getAfterArguments().front();
  Value before = arith::SubIOp::create(rewriter, loc, free, one);
  auto hasRoom = scf::IfOp::create(
      rewriter, loc, compare(arith::CmpIPredicate::ult, free, room));
  scf::YieldOp::create(rewriter, loc, before);
  rewriter.setInsertionPointToStart(hasRoom.thenBlock());
  for (Value output : {values, indices})
    if (output)
      store(load(output, before), output, free);
  rewriter.setInsertionPointAfter(loop);
  return loop.getResult(0);
}

void InsertionSort::run() {
  zero = arith::ConstantIndexOp::create(rewriter, loc, 0);
  one = arith::ConstantIndexOp::create(rewriter, loc, 1);
  room = rewriter.createOrFold<memref::DimOp>(loc, indices ? indices : values,
                                              dimension);
  for (unsigned dim = 0; dim < place.size(); ++dim)
    if (dim != dimension)
      place[dim] = enter(dim);
  Value position = enter(dimension);
  SmallVector<Value> elements = llvm::map_to_vector(
      inputs, [&](Value input) { return load(input, position); });
  Value begin = arith::MinUIOp::create(rewriter, loc, position, room);
  Value free = findPlace(begin, elements);
  auto hasRoom = scf::IfOp::create(
      rewriter, loc, compare(arith::CmpIPredicate::ult, free, room));
  rewriter.setInsertionPointToStart(hasRoom.thenBlock());
  if (values)
    store(elements.front(), values, free);
  if (!indices)
    return;
  Type type = getElementTypeOrSelf(indices.getType());
  Value index = position;
  if (!type.isIndex())
    index = arith::IndexCastOp::create(rewriter, loc, type, position);
  store(index, indices, free);
}

void memspace::addTopKToLoops(RewritePatternSet &patterns) {
  patterns.add<ToLoops<TopKOp>, ToLoops<SortIndicesOp>>(patterns.getContext());
}
