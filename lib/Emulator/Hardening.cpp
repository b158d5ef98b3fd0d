//===- Hardening.cpp - what has no meaning gets one -----------------------===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A kernel may break its promises, and may do what MLIR leaves undefined.
// Upstream's folding and conversions count on the opposite, in this process; so
// this comes before any of them. What LLVM counts on is dropped in
// Instrumentation.cpp.
//
//===----------------------------------------------------------------------===//

#include "Lowering.h"
#include "MemSpace/IR/MemSpaceDialect.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Affine/Transforms/Transforms.h"
#include "mlir/Dialect/Affine/Utils.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/PatternMatch.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::memspace;
using namespace mlir::memspace::emulator;

/// Attributes that are no part of an op's meaning can still be picked up by
/// upstream's conversions (a calling convention, a CPU that is not there), and
/// alignments are promises that no real address keeps.
static void stripAttributes(ModuleOp module) {
  module.walk([](Operation *op) {
    Attribute arena = op->getDiscardableAttr(kArenaAttr);
    op->setDiscardableAttrs(DictionaryAttr::get(op->getContext()));
    if (arena)
      op->setDiscardableAttr(kArenaAttr, arena);
    llvm::TypeSwitch<Operation *>(op)
        .Case([](func::FuncOp function) {
          function.removeArgAttrsAttr();
          function.removeResAttrsAttr();
        })
        .Case<memref::AllocOp, memref::AllocaOp, memref::GlobalOp,
              memref::LoadOp, memref::StoreOp, vector::CompressStoreOp,
              vector::ExpandLoadOp, vector::GatherOp, vector::LoadOp,
              vector::MaskedLoadOp, vector::MaskedStoreOp, vector::ScatterOp,
              vector::StoreOp>(
            [](auto access) { access.removeAlignmentAttr(); });
  });
}

/// An index outside its vector has no meaning, and upstream's folding of one
/// that is constant damages memory. Here it is that of the last element.
static void clampVectorPositions(ModuleOp module) {
  auto clamp = [](auto op, VectorType type) {
    OpBuilder builder(op);
    auto positions = op.getDynamicPositionMutable();
    unsigned next = 0;
    for (auto [d, position] : llvm::enumerate(op.getStaticPosition())) {
      if (!ShapedType::isDynamic(position))
        continue;
      Value last = arith::ConstantIndexOp::create(builder, op.getLoc(),
                                                  type.getDimSize(d) - 1);
      OpOperand &operand = positions[next++];
      operand.set(
          arith::MinUIOp::create(builder, op.getLoc(), operand.get(), last));
    }
  };
  module.walk([&](Operation *op) {
    llvm::TypeSwitch<Operation *>(op)
        .Case([&](vector::ExtractOp o) { clamp(o, o.getSourceVectorType()); })
        .Case([&](vector::InsertOp o) { clamp(o, o.getDestVectorType()); });
  });
}

/// Folding a division by a symbol divides in the compiler, where 0, and the
/// least number by -1, end the process. Ops of arith take care of that.
static void expandDivisionsBySymbols(ModuleOp module) {
  IRRewriter rewriter(module.getContext());
  auto expandMap = [&](Operation *op, AffineMap map, auto combine) {
    if (llvm::all_of(map.getResults(),
                     [](AffineExpr expr) { return expr.isPureAffine(); }))
      return;
    // Divisors that are constant are positive: checkInput.
    std::optional<SmallVector<Value, 8>> results =
        affine::expandAffineMap(rewriter, op->getLoc(), map, op->getOperands());
    assert(results && "a map that affine does not define");
    Value value = results->front();
    for (Value other : llvm::drop_begin(*results))
      value = combine(value, other);
    rewriter.replaceOp(op, value);
  };
  auto min = [&](Value a, Value b) -> Value {
    return arith::MinSIOp::create(rewriter, a.getLoc(), a, b);
  };
  auto max = [&](Value a, Value b) -> Value {
    return arith::MaxSIOp::create(rewriter, a.getLoc(), a, b);
  };
  SmallVector<Operation *> ops;
  module.walk([&](Operation *op) { ops.push_back(op); });
  for (Operation *op : ops) {
    rewriter.setInsertionPoint(op);
    llvm::TypeSwitch<Operation *>(op)
        .Case([&](affine::AffineApplyOp o) {
          expandMap(o, o.getAffineMap(), min);
        })
        .Case([&](affine::AffineMinOp o) { expandMap(o, o.getMap(), min); })
        .Case([&](affine::AffineMaxOp o) { expandMap(o, o.getMap(), max); })
        .Case([&](affine::AffineDelinearizeIndexOp o) {
          (void)affine::lowerAffineDelinearizeIndexOp(rewriter, o);
        });
  }
}

void emulator::hardenInput(ModuleOp module) {
  stripAttributes(module);
  splitRankReductions(module);
  clampVectorPositions(module);
  expandDivisionsBySymbols(module);
}
