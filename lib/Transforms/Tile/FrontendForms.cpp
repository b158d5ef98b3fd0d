//===- FrontendForms.cpp - what frontends write otherwise -----------------===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Transforms/Tile/FrontendForms.h"
#include "MemSpace/IR/MemSpaceDialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace mlir::memspace;

/// A tensor of type `type`, whose unknown extents are `extents`, of one number.
static Value makeFill(RewriterBase &rewriter, Location loc, Value number,
                      RankedTensorType type, ValueRange extents = {}) {
  Value empty = tensor::EmptyOp::create(rewriter, loc, type, extents);
  return linalg::FillOp::create(rewriter, loc, number, empty).getResult(0);
}

/// What `init` holds, if it is one number, made anew for one op: nobody else's
/// memory, each workgroup its own part.
static void makeInit(RewriterBase &rewriter, Operation *op, OpOperand &init) {
  auto type = dyn_cast<RankedTensorType>(init.get().getType());
  DenseElementsAttr elements;
  if (!type || !matchPattern(init.get(), m_Constant(&elements)) ||
      !elements.isSplat())
    return;
  rewriter.setInsertionPoint(op);
  Location loc = op->getLoc();
  auto number = dyn_cast<TypedAttr>(elements.getSplatValue<Attribute>());
  if (number && type.getElementType().isIntOrIndexOrFloat())
    init.set(makeFill(rewriter, loc,
                      arith::ConstantOp::create(rewriter, loc, number), type));
}

/// A scan reads nothing of its outputs: what was computed for them goes.
static void dropInits(RewriterBase &rewriter, ScanOp scan) {
  for (OpOperand &init : scan.getDpsInitsMutable()) {
    Operation *producer = init.get().getDefiningOp();
    if (!isa_and_nonnull<arith::ConstantOp, linalg::LinalgOp>(producer))
      continue;
    Location loc = scan.getLoc();
    init.set(tensor::EmptyOp::create(
        rewriter, loc, tensor::getMixedSizes(rewriter, loc, init.get()),
        getElementTypeOrSelf(init.get().getType())));
  }
}

void memspace::replaceFrontendForms(func::FuncOp function) {
  IRRewriter rewriter(function.getContext());
  function.walk([&](Operation *op) {
    rewriter.setInsertionPoint(op);
    if (auto splat = dyn_cast<tensor::SplatOp>(op)) {
      rewriter.replaceOp(op,
                         makeFill(rewriter, op->getLoc(), splat.getInput(),
                                  splat.getType(), splat.getDynamicSizes()));
    } else if (auto cast = dyn_cast<tensor::BitcastOp>(op)) {
      // `arith` has no types with a sign.
      if (arith::BitcastOp::areCastCompatible(cast.getSource().getType(),
                                              cast.getType()))
        rewriter.replaceOpWithNewOp<arith::BitcastOp>(op, cast.getType(),
                                                      cast.getSource());
    } else if (isa<cf::AssertOp>(op)) {
      if (!op->getParentOfType<linalg::LinalgOp>())
        return;
      op->emitWarning("is not checked: no kernel can stop a program; assert "
                      "outside of the op, where the host does it");
      rewriter.eraseOp(op);
    } else if (auto scan = dyn_cast<ScanOp>(op)) {
      if (scan.hasPureTensorSemantics())
        dropInits(rewriter, scan);
    } else if (auto dps = dyn_cast<DestinationStyleOpInterface>(op)) {
      if (dps.hasPureTensorSemantics())
        for (OpOperand &init : dps.getDpsInitsMutable())
          makeInit(rewriter, op, init);
    }
  });
}
