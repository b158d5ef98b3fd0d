//===- SortToLoops.cpp - a sort of one thread -===//
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

using namespace mlir;
using namespace mlir::memspace;

namespace {
/// An insertion sort of each row. Element `i` goes behind all of the sorted
/// ones before it that it does not come before; what comes after it moves up.
struct SortToLoops : OpRewritePattern<SortOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(SortOp op,
                                PatternRewriter &rewriter) const override {
    if (!op.hasPureBufferSemantics())
      return rewriter.notifyMatchFailure(op, "works on tensors");
    Location loc = op.getLoc();
    Value zero = arith::ConstantIndexOp::create(rewriter, loc, 0);
    Value one = arith::ConstantIndexOp::create(rewriter, loc, 1);
    SmallVector<Value> place;
    unsigned rank = op.getShapedType().getRank(), sorted = op.getDimension();
    place.resize(rank);
    auto enter = [&](unsigned dim) {
      Value extent = rewriter.createOrFold<memref::DimOp>(
          loc, op.getOutputs().front(), dim);
      auto loop = scf::ForOp::create(rewriter, loc, zero, extent, one);
      place[dim] = loop.getInductionVar();
      rewriter.setInsertionPointToStart(loop.getBody());
    };
    for (unsigned dim = 0; dim < rank; ++dim)
      if (dim != sorted)
        enter(dim);
    enter(sorted);
    insert(op, place, zero, one, rewriter);
    rewriter.eraseOp(op);
    return success();
  }

private:
  static SmallVector<Value> load(SortOp op, ValueRange memrefs,
                                 ValueRange place, PatternRewriter &rewriter) {
    return llvm::map_to_vector(memrefs, [&](Value memref) -> Value {
      return memref::LoadOp::create(rewriter, op.getLoc(), memref, place);
    });
  }
  static void store(SortOp op, ValueRange elements, ValueRange place,
                    PatternRewriter &rewriter) {
    for (auto [element, memref] : llvm::zip_equal(elements, op.getOutputs()))
      memref::StoreOp::create(rewriter, op.getLoc(), element, memref, place);
  }

  /// The element at `place` goes to its place among those before.
  static void insert(SortOp op, SmallVector<Value> place, Value zero, Value one,
                     PatternRewriter &rewriter) {
    Location loc = op.getLoc();
    Value &position = place[op.getDimension()];
    SmallVector<Value> elements = load(op, op.getInputs(), place, rewriter);
    auto loop =
        scf::WhileOp::create(rewriter, loc, rewriter.getIndexType(), position);
    rewriter.createBlock(&loop.getBefore(), {}, rewriter.getIndexType(), loc);
    Value free = loop.getBeforeArguments().front();
    Value isInside = arith::CmpIOp::create(
        rewriter, loc, arith::CmpIPredicate::ne, free, zero);
    auto movesUp = scf::IfOp::create(rewriter, loc, rewriter.getI1Type(),
                                     isInside, /*withElseRegion=*/true);
    scf::ConditionOp::create(rewriter, loc, movesUp.getResult(0), free);
    {
      OpBuilder::InsertionGuard guard(rewriter);
      rewriter.setInsertionPointToStart(movesUp.elseBlock());
      Value isFalse = arith::ConstantIntOp::create(rewriter, loc, 0, 1);
      scf::YieldOp::create(rewriter, loc, isFalse);
      rewriter.setInsertionPointToStart(movesUp.thenBlock());
      position = arith::SubIOp::create(rewriter, loc, free, one);
      SmallVector<Value> others = load(op, op.getOutputs(), place, rewriter);
      IRMapping mapping;
      for (unsigned number = 0; number < elements.size(); ++number) {
        mapping.map(op.getLeft(number), elements[number]);
        mapping.map(op.getRight(number), others[number]);
      }
      Block &body = op.getComparator().front();
      for (Operation &inner : body.without_terminator())
        rewriter.clone(inner, mapping);
      auto yield = cast<memspace::YieldOp>(body.getTerminator());
      scf::YieldOp::create(rewriter, loc,
                           mapping.lookupOrDefault(yield.getValue()));
    }
    rewriter.createBlock(&loop.getAfter(), {}, rewriter.getIndexType(), loc);
    free = loop.getAfterArguments().front();
    Value before = arith::SubIOp::create(rewriter, loc, free, one);
    position = before;
    SmallVector<Value> others = load(op, op.getOutputs(), place, rewriter);
    position = free;
    store(op, others, place, rewriter);
    scf::YieldOp::create(rewriter, loc, before);
    rewriter.setInsertionPointAfter(loop);
    position = loop.getResult(0);
    store(op, elements, place, rewriter);
  }
};
} // namespace

void memspace::addSortToLoops(RewritePatternSet &patterns) {
  patterns.add<SortToLoops>(patterns.getContext());
}
