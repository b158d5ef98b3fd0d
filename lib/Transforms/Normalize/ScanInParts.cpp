//===- ScanInParts.cpp - rows of any length, a part after the other -------===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A row whose length has no bound is scanned in parts of known length, in the
// order of the scan. What the elements of all parts before combine to is the
// initial value of the next part.
//
//===----------------------------------------------------------------------===//

#include "MemSpace/IR/MemSpaceDialect.h"
#include "Transforms/Normalize/StructuredOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace mlir::memspace;

namespace {
class ScanInParts {
public:
  ScanInParts(ScanOp op, int64_t extent)
      : op(op), loc(op.getLoc()), rewriter(op), extent(extent) {}
  SmallVector<ScanOp> run();

private:
  Value constant(int64_t value) {
    return arith::ConstantIndexOp::create(rewriter, loc, value);
  }
  /// The next combined elements, then the next outputs.
  using State = SmallVector<Value>;
  State scanPart(Value first, ValueRange initial, ValueRange outputs);
  State scanFrom(Value first, const State &state);

  ScanOp op;
  Location loc;
  IRRewriter rewriter;
  /// Elements of a part.
  int64_t extent;
  /// Elements of the row.
  Value length;
  SmallVector<ScanOp> parts;
};
} // namespace

/// Scans the part that begins with the element that the scan meets as number
/// `first`.
ScanInParts::State ScanInParts::scanPart(Value first, ValueRange initial,
                                         ValueRange outputs) {
  unsigned rank = op.getShapedType().getRank(), dimension = op.getDimension();
  Value left = arith::SubIOp::create(rewriter, loc, length, first);
  Value size = arith::MinSIOp::create(rewriter, loc, left, constant(extent));
  Value begin = first, last = constant(0);
  if (op.getReverse())
    begin = arith::SubIOp::create(rewriter, loc, left, size);
  else
    last = arith::SubIOp::create(rewriter, loc, size, constant(1));
  // There is one row.
  SmallVector<OpFoldResult> offsets(rank, rewriter.getIndexAttr(0)),
      sizes(rank, rewriter.getIndexAttr(1)), ones = sizes;
  offsets[dimension] = begin;
  sizes[dimension] = size;
  auto slice = [&](Value tensor) -> Value {
    return tensor::ExtractSliceOp::create(rewriter, loc, tensor, offsets, sizes,
                                          ones);
  };
  SmallVector<Value> inputs, tiles, place(rank, constant(0));
  place[dimension] = last;
  for (Value input : op.getInputs()) {
    // An input that is an output is read where it is written.
    auto same = llvm::find(op.getOutputs(), input);
    inputs.push_back(
        slice(same == op.getOutputs().end()
                  ? input
                  : outputs[std::distance(op.getOutputs().begin(), same)]));
    tiles.push_back(tensor::EmptyOp::create(
        rewriter, loc, sizes, getElementTypeOrSelf(input.getType())));
  }
  auto part = ScanOp::create(
      rewriter, loc,
      llvm::map_to_vector(tiles, [](Value tile) { return tile.getType(); }),
      inputs, initial, tiles, op.getDimension(), op.getExclusive(),
      op.getReverse());
  IRMapping mapping;
  op.getCombiner().cloneInto(&part.getCombiner(), mapping);
  parts.push_back(part);

  auto extract = [&](ValueRange tensors) {
    return llvm::map_to_vector(tensors, [&](Value tensor) -> Value {
      return tensor::ExtractOp::create(rewriter, loc, tensor, place);
    });
  };
  State state = extract(part.getResults());
  if (op.getExclusive())
    state = op.combine(rewriter, state, extract(inputs));
  for (auto [tile, output] : llvm::zip_equal(part.getResults(), outputs)) {
    Value copy =
        linalg::CopyOp::create(rewriter, loc, tile, slice(output)).getResult(0);
    state.push_back(tensor::InsertSliceOp::create(rewriter, loc, copy, output,
                                                  offsets, sizes, ones));
  }
  return state;
}

/// Scans the elements from `first` on.
ScanInParts::State ScanInParts::scanFrom(Value first, const State &state) {
  unsigned count = op.getInputs().size();
  auto loop = scf::ForOp::create(
      rewriter, loc, first, length, constant(extent), state,
      [&](OpBuilder &builder, Location loc, Value first, ValueRange carried) {
        OpBuilder::InsertionGuard guard(rewriter);
        rewriter.setInsertionPoint(builder.getInsertionBlock(),
                                   builder.getInsertionPoint());
        State next = scanPart(first, carried.take_front(count),
                              carried.drop_front(count));
        scf::YieldOp::create(rewriter, loc, next);
      });
  return llvm::to_vector(ValueRange(loop.getResults()));
}

SmallVector<ScanOp> ScanInParts::run() {
  unsigned count = op.getInputs().size();
  length = rewriter.createOrFold<tensor::DimOp>(loc, op.getInputs().front(),
                                                op.getDimension());
  Value zero = constant(0);
  SmallVector<Value> results;
  if (!op.getInitial().empty()) {
    State state = llvm::to_vector(ValueRange(op.getInitial()));
    llvm::append_range(state, op.getOutputs());
    results = scanFrom(zero, state);
    results.erase(results.begin(), results.begin() + count);
  } else {
    // The first part has nothing before it, if there is one.
    Value isSome = arith::CmpIOp::create(
        rewriter, loc, arith::CmpIPredicate::ne, length, zero);
    auto branch = scf::IfOp::create(rewriter, loc, op.getResultTypes(), isSome,
                                    /*withElseRegion=*/true);
    rewriter.setInsertionPointToStart(branch.elseBlock());
    scf::YieldOp::create(rewriter, loc, op.getOutputs());
    rewriter.setInsertionPointToStart(branch.thenBlock());
    State state = scanPart(zero, ValueRange(), op.getOutputs());
    state = scanFrom(constant(extent), state);
    scf::YieldOp::create(rewriter, loc, ArrayRef(state).drop_front(count));
    results = llvm::to_vector(ValueRange(branch.getResults()));
  }
  rewriter.replaceOp(op, results);
  return parts;
}

SmallVector<ScanOp> memspace::scanInParts(ScanOp op, int64_t extent) {
  return ScanInParts(op, extent).run();
}
