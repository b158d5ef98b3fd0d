//===- ScanToLoops.cpp - a scan of one thread -===//
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

using namespace mlir;
using namespace mlir::memspace;

namespace {
/// Builds the loops of one scan: each row from its first element to its last
/// one, with the elements combined so far carried by the loop.
class RowScan {
public:
  RowScan(ScanOp op, PatternRewriter &rewriter)
      : op(op), rewriter(rewriter), loc(op.getLoc()),
        place(op.getShapedType().getRank()) {}

  void run() {
    zero = arith::ConstantIndexOp::create(rewriter, loc, 0);
    one = arith::ConstantIndexOp::create(rewriter, loc, 1);
    for (unsigned dim = 0; dim < place.size(); ++dim) {
      if (dim == op.getDimension())
        continue;
      auto loop = scf::ForOp::create(rewriter, loc, zero, getExtent(dim), one);
      place[dim] = loop.getInductionVar();
      rewriter.setInsertionPointToStart(loop.getBody());
    }
    length = getExtent(op.getDimension());
    if (!op.getInitial().empty())
      return scan(zero, op.getInitial());
    if (op.getShapedType().getDimSize(op.getDimension()) == 0)
      return;
    if (op.getShapedType().isDynamicDim(op.getDimension())) {
      Value isSome = arith::CmpIOp::create(
          rewriter, loc, arith::CmpIPredicate::ne, length, zero);
      auto branch = scf::IfOp::create(rewriter, loc, isSome);
      rewriter.setInsertionPointToStart(branch.thenBlock());
    }
    // The first element is combined with nothing.
    enter(zero);
    SmallVector<Value> first = load();
    store(first);
    scan(one, first);
  }

private:
  Value getExtent(unsigned dim) {
    return rewriter.createOrFold<memref::DimOp>(loc, op.getOutputs().front(),
                                                dim);
  }
  /// Lets `place` be element `number` of the row, in the order of the scan.
  void enter(Value number) {
    if (op.getReverse()) {
      Value last = arith::SubIOp::create(rewriter, loc, length, one);
      number = arith::SubIOp::create(rewriter, loc, last, number);
    }
    place[op.getDimension()] = number;
  }
  SmallVector<Value> load() {
    return llvm::map_to_vector(op.getInputs(), [&](Value memref) -> Value {
      return memref::LoadOp::create(rewriter, loc, memref, place);
    });
  }
  void store(ValueRange elements) {
    for (auto [element, memref] : llvm::zip_equal(elements, op.getOutputs()))
      memref::StoreOp::create(rewriter, loc, element, memref, place);
  }
  /// The elements from `begin` on, where `before` are those before combined.
  void scan(Value begin, ValueRange before) {
    auto loop =
        scf::ForOp::create(rewriter, loc, begin, length, one, before,
                           [](OpBuilder &, Location, Value, ValueRange) {});
    OpBuilder::InsertionGuard guard(rewriter);
    rewriter.setInsertionPointToStart(loop.getBody());
    enter(loop.getInductionVar());
    ValueRange left = loop.getRegionIterArgs();
    SmallVector<Value> combined = op.combine(rewriter, left, load());
    if (op.getExclusive())
      store(left);
    else
      store(combined);
    scf::YieldOp::create(rewriter, loc, combined);
  }

  ScanOp op;
  PatternRewriter &rewriter;
  Location loc;
  SmallVector<Value> place;
  Value zero, one, length;
};

struct ScanToLoops : OpRewritePattern<ScanOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(ScanOp op,
                                PatternRewriter &rewriter) const override {
    if (!op.hasPureBufferSemantics())
      return rewriter.notifyMatchFailure(op, "works on tensors");
    RowScan(op, rewriter).run();
    rewriter.eraseOp(op);
    return success();
  }
};
} // namespace

void memspace::addScanToLoops(RewritePatternSet &patterns) {
  patterns.add<ScanToLoops>(patterns.getContext());
}
