//===- IndexedToLoops.cpp - one thread's gather or scatter -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Transforms/Support/IndexedToLoops.h"
#include "IR/Payload.h"
#include "MemSpace/IR/MemSpaceDialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlir::memspace;

/// The atomic update that stands for the combiner; none where it takes a
/// compare-and-swap loop.
static std::optional<arith::AtomicRMWKind> getAtomicKind(ScatterOp op) {
  using Kind = arith::AtomicRMWKind;
  if (!op.getCombiner())
    return Kind::assign;
  Block &body = op.getCombiner()->front();
  Operation *combine = &body.front();
  auto yield = cast<memspace::YieldOp>(body.getTerminator());
  if (combine->getNextNode() != yield || combine->getNumOperands() != 2 ||
      yield.getValue().getDefiningOp() != combine ||
      combine->getOperand(0) == combine->getOperand(1) ||
      !llvm::all_of(combine->getOperands(), llvm::IsaPred<BlockArgument>))
    return std::nullopt;
  std::optional<Kind> kind = getUpdateKind(combine);
  // No target has an instruction for products.
  return kind == Kind::mulf || kind == Kind::muli ? std::nullopt : kind;
}

bool memspace::canScatterAtomically(ScatterOp op) {
  Type type = cast<ShapedType>(op.getOutput().getType()).getElementType();
  // Upstream lowers compare-and-swap loops of integers only.
  return ScatterOp::isAtomicType(type) &&
         (type.isInteger() || getAtomicKind(op).has_value());
}

namespace {
/// The loops over the places, and over the elements of their rows.
class IndexedLoops {
public:
  IndexedLoops(PatternRewriter &rewriter, Location loc, Value places,
               Value indices, Value rows, ArrayRef<int64_t> dims)
      : rewriter(rewriter), loc(loc), places(places), indices(indices),
        rows(rows), dims(dims),
        numPlaceDims(cast<MemRefType>(indices.getType()).getRank() - 1) {}

  /// Enters the loops over the places; the coordinates of one.
  SmallVector<Value> enterPlaces() {
    for (unsigned dim = 0; dim < numPlaceDims; ++dim)
      rowIndices.push_back(enter(dim));
    SmallVector<Value> coordinates;
    for (unsigned number = 0; number < dims.size(); ++number) {
      SmallVector<Value> where(rowIndices);
      where.push_back(constant(number));
      Value index = memref::LoadOp::create(rewriter, loc, indices, where);
      if (!index.getType().isIndex())
        index = arith::IndexCastOp::create(rewriter, loc,
                                           rewriter.getIndexType(), index);
      coordinates.push_back(index);
    }
    return coordinates;
  }

  /// Enters those over the elements of the row at `coordinates`.
  void enterRow(ArrayRef<Value> coordinates) {
    place.resize(cast<MemRefType>(places.getType()).getRank());
    for (auto [dim, index] : llvm::zip_equal(dims, coordinates))
      place[dim] = index;
    for (Value &index : place)
      if (!index)
        rowIndices.push_back(index = enter(rowIndices.size()));
  }

  /// The extent of dimension `number` of those that have coordinates.
  Value getExtent(unsigned number) {
    return rewriter.createOrFold<memref::DimOp>(loc, places, dims[number]);
  }
  Value constant(int64_t value) {
    return arith::ConstantIndexOp::create(rewriter, loc, value);
  }

  /// Of the element of `places` and of that of `rows` that the loops are at.
  SmallVector<Value> place, rowIndices;

private:
  Value enter(unsigned dim) {
    if (cast<MemRefType>(rows.getType()).getDimSize(dim) == 1)
      return constant(0);
    Value extent = rewriter.createOrFold<memref::DimOp>(loc, rows, dim);
    auto loop =
        scf::ForOp::create(rewriter, loc, constant(0), extent, constant(1));
    rewriter.setInsertionPointToStart(loop.getBody());
    return loop.getInductionVar();
  }

  PatternRewriter &rewriter;
  Location loc;
  Value places, indices, rows;
  ArrayRef<int64_t> dims;
  unsigned numPlaceDims;
};

struct GatherToLoops : OpRewritePattern<GatherOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(GatherOp op,
                                PatternRewriter &rewriter) const override {
    if (!op.hasPureBufferSemantics())
      return rewriter.notifyMatchFailure(op, "works on tensors");
    Location loc = op.getLoc();
    IndexedLoops loops(rewriter, loc, op.getSource(), op.getIndices(),
                       op.getOutput(), op.getGatherDims());
    SmallVector<Value> coordinates = loops.enterPlaces();
    if (!op.getInBounds())
      for (auto [number, index] : llvm::enumerate(coordinates)) {
        Value last = arith::SubIOp::create(
            rewriter, loc, loops.getExtent(number), loops.constant(1));
        index = arith::MinSIOp::create(rewriter, loc, index, last);
        index = arith::MaxSIOp::create(rewriter, loc, index, loops.constant(0));
      }
    loops.enterRow(coordinates);
    Value element =
        memref::LoadOp::create(rewriter, loc, op.getSource(), loops.place);
    memref::StoreOp::create(rewriter, loc, element, op.getOutput(),
                            loops.rowIndices);
    rewriter.eraseOp(op);
    return success();
  }
};

struct ScatterToLoops : OpRewritePattern<ScatterOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(ScatterOp op,
                                PatternRewriter &rewriter) const override {
    if (!op.hasPureBufferSemantics())
      return rewriter.notifyMatchFailure(op, "works on tensors");
    Location loc = op.getLoc();
    IndexedLoops loops(rewriter, loc, op.getOutput(), op.getIndices(),
                       op.getUpdates(), op.getScatterDims());
    SmallVector<Value> coordinates = loops.enterPlaces();
    if (!op.getInBounds()) {
      Value isInside;
      for (auto [number, index] : llvm::enumerate(coordinates)) {
        // As unsigned numbers the negative ones are too large.
        Value holds =
            arith::CmpIOp::create(rewriter, loc, arith::CmpIPredicate::ult,
                                  index, loops.getExtent(number));
        isInside = isInside
                       ? arith::AndIOp::create(rewriter, loc, isInside, holds)
                             .getResult()
                       : holds;
      }
      auto guard = scf::IfOp::create(rewriter, loc, isInside,
                                     /*withElseRegion=*/false);
      rewriter.setInsertionPointToStart(guard.thenBlock());
    }
    loops.enterRow(coordinates);
    Value element = memref::LoadOp::create(rewriter, loc, op.getUpdates(),
                                           loops.rowIndices);
    update(op, element, loops.place, rewriter);
    rewriter.eraseOp(op);
    return success();
  }

private:
  static Value combine(ScatterOp op, Value element, Value old,
                       PatternRewriter &rewriter) {
    if (!op.getCombiner())
      return element;
    return inlinePayload(rewriter, *op.getCombiner(), {element, old}).front();
  }

  static void update(ScatterOp op, Value element, ValueRange place,
                     PatternRewriter &rewriter) {
    Location loc = op.getLoc();
    Value output = op.getOutput();
    if (!op.getAtomic()) {
      Value old;
      if (op.getCombiner())
        old = memref::LoadOp::create(rewriter, loc, output, place);
      memref::StoreOp::create(
          rewriter, loc, combine(op, element, old, rewriter), output, place);
      return;
    }
    if (std::optional<arith::AtomicRMWKind> kind = getAtomicKind(op)) {
      memref::AtomicRMWOp::create(rewriter, loc, *kind, element, output, place);
      return;
    }
    auto loop =
        memref::GenericAtomicRMWOp::create(rewriter, loc, output, place);
    OpBuilder::InsertionGuard guard(rewriter);
    rewriter.setInsertionPointToEnd(loop.getBody());
    memref::AtomicYieldOp::create(
        rewriter, loc, combine(op, element, loop.getCurrentValue(), rewriter));
  }
};

/// Once it is folded, an update that depends on no old value may be computed
/// outside of the compare-and-swap loop. Upstream does not lower that.
struct OverwriteAtomically : OpRewritePattern<memref::AtomicYieldOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(memref::AtomicYieldOp yield,
                                PatternRewriter &rewriter) const override {
    auto op = cast<memref::GenericAtomicRMWOp>(yield->getParentOp());
    Value value = yield.getResult();
    if (op.getRegion().isAncestor(value.getParentRegion()))
      return rewriter.notifyMatchFailure(yield, "computed in the loop");
    rewriter.setInsertionPoint(op);
    auto made = memref::AtomicRMWOp::create(rewriter, op.getLoc(),
                                            arith::AtomicRMWKind::assign, value,
                                            op.getMemref(), op.getIndices());
    made->setDiscardableAttrs(op->getDiscardableAttrDictionary());
    rewriter.replaceOp(op, made);
    return success();
  }
};
} // namespace

void memspace::addIndexedToLoops(RewritePatternSet &patterns) {
  patterns.add<GatherToLoops, ScatterToLoops>(patterns.getContext());
}

void memspace::addAtomicOverwrites(RewritePatternSet &patterns) {
  patterns.add<OverwriteAtomically>(patterns.getContext());
}
