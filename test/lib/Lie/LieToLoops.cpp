//===- LieToLoops.cpp - the lie dialect as loads and stores -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LieDialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlir::memspace::lie;

namespace {
/// Builds the loop over the elements of one op.
struct Lowering {
  OpBuilder builder;
  Location loc;

  explicit Lowering(Operation *op) : builder(op), loc(op->getLoc()) {}

  Value index(int64_t value) {
    return arith::ConstantIndexOp::create(builder, loc, value);
  }
  Value size(Value memref) {
    return memref::DimOp::create(builder, loc, memref, 0);
  }
  Value load(Value memref, Value i) {
    return memref::LoadOp::create(builder, loc, memref, i);
  }
  void store(Value value, Value memref, Value i) {
    memref::StoreOp::create(builder, loc, value, memref, i);
  }
  void forEach(Value memref, llvm::function_ref<void(Value)> body) {
    Value begin = index(0), step = index(1), end = size(memref);
    auto loop = scf::ForOp::create(builder, loc, begin, end, step);
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(loop.getBody());
    body(loop.getInductionVar());
  }
  /// Half the difference of floats, which does not grow; else the difference.
  Value combine(Value a, Value b) {
    Type type = a.getType();
    if (type.isInteger(1))
      return arith::XOrIOp::create(builder, loc, a, b);
    if (!isa<FloatType>(type))
      return arith::SubIOp::create(builder, loc, a, b);
    Value half =
        arith::ConstantOp::create(builder, loc, FloatAttr::get(type, 0.5));
    Value difference = arith::SubFOp::create(builder, loc, a, b);
    return arith::MulFOp::create(builder, loc, difference, half);
  }
};
} // namespace

static void lower(EwOp op) {
  Lowering to(op);
  to.forEach(op.getInit(), [&](Value i) {
    Value value = to.combine(to.load(op.getLhs(), i), to.load(op.getRhs(), i));
    if (op.getAccumulates())
      value = to.combine(to.load(op.getInit(), i), value);
    to.store(value, op.getInit(), i);
  });
}

static void lower(ScatterOp op) {
  Lowering to(op);
  Value extent = to.size(op.getInit());
  to.forEach(op.getValues(), [&](Value i) {
    Value place = arith::IndexCastUIOp::create(to.builder, to.loc,
                                               to.builder.getIndexType(),
                                               to.load(op.getIndices(), i));
    place = arith::RemUIOp::create(to.builder, to.loc, place, extent);
    to.store(to.load(op.getValues(), i), op.getInit(), place);
  });
}

static void lower(OpaqueOp op) {
  Lowering to(op);
  Value last = arith::SubIOp::create(to.builder, to.loc, to.size(op.getLhs()),
                                     to.index(1));
  Value extent = to.size(op.getRhs());
  to.forEach(op.getOut(), [&](Value i) {
    Value fromEnd = arith::SubIOp::create(to.builder, to.loc, last, i);
    Value wrapped = arith::RemUIOp::create(to.builder, to.loc, i, extent);
    to.store(to.combine(to.load(op.getLhs(), fromEnd),
                        to.load(op.getRhs(), wrapped)),
             op.getOut(), i);
  });
}

static void lower(UpdateOp op) {
  Lowering to(op);
  to.forEach(op.getLhs(), [&](Value i) {
    to.store(to.combine(to.load(op.getLhs(), i), to.load(op.getRhs(), i)),
             op.getLhs(), i);
  });
}

namespace {
struct LieToLoopsPass : public PassWrapper<LieToLoopsPass, OperationPass<>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(LieToLoopsPass)

  StringRef getArgument() const final { return "lie-to-loops"; }
  StringRef getDescription() const final {
    return "Lower the ops of the lie dialect on memrefs to loops";
  }
  void getDependentDialects(DialectRegistry &registry) const final {
    registry
        .insert<arith::ArithDialect, memref::MemRefDialect, scf::SCFDialect>();
  }
  void runOnOperation() final {
    getOperation()->walk([](Operation *op) {
      // Tensors are values yet.
      if (op->getNumResults() > 0)
        return;
      bool isLowered = true;
      if (auto ew = dyn_cast<EwOp>(op))
        lower(ew);
      else if (auto scatter = dyn_cast<ScatterOp>(op))
        lower(scatter);
      else if (auto opaque = dyn_cast<OpaqueOp>(op))
        lower(opaque);
      else if (auto update = dyn_cast<UpdateOp>(op))
        lower(update);
      else
        isLowered = false;
      if (isLowered)
        op->erase();
    });
  }
};
} // namespace

std::unique_ptr<Pass> mlir::memspace::lie::createLieToLoopsPass() {
  return std::make_unique<LieToLoopsPass>();
}

void mlir::memspace::lie::registerLieToLoopsPass() {
  PassRegistration<LieToLoopsPass>();
}
