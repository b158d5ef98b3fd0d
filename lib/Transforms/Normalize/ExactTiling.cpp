//===- ExactTiling.cpp - structured ops that tiling gets right -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ExactTiling.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace mlir::memspace;

/// True for a sum of iterators, each as often as not, and a constant.
static bool isSum(AffineExpr expr) {
  if (isa<AffineDimExpr, AffineConstantExpr>(expr))
    return true;
  auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
  if (!binary || !isSum(binary.getLHS()))
    return false;
  if (expr.getKind() == AffineExprKind::Add)
    return isSum(binary.getRHS());
  auto factor = dyn_cast<AffineConstantExpr>(binary.getRHS());
  return expr.getKind() == AffineExprKind::Mul && factor &&
         factor.getValue() >= 0;
}

/// The slice of a tile begins at the difference of `expr` and its value where
/// all iterators are zero. True when that is never negative.
static bool isLeastAtZero(AffineExpr expr, unsigned numDims) {
  MLIRContext *context = expr.getContext();
  SmallVector<AffineExpr> zeros(numDims, getAffineConstantExpr(0, context));
  auto value = dyn_cast<AffineConstantExpr>(expr.replaceDims(zeros));
  return value && value.getValue() == 0;
}

/// True when a tile finds its elements of an operand with the indexing map
/// `map`, in a slice that lies within the operand.
static bool isExact(AffineMap map, const llvm::SmallBitVector &unitLoops) {
  return llvm::all_of(map.getResults(), [&](AffineExpr expr) {
    if (isSum(expr))
      return true;
    if (!isLeastAtZero(expr, map.getNumDims()))
      return false;
    for (unsigned loop = 0; loop < map.getNumDims(); ++loop)
      if (expr.isFunctionOfDim(loop) &&
          (loop >= unitLoops.size() || !unitLoops.test(loop)))
        return false;
    return true;
  });
}

/// The inputs that the payload of `op` has to read itself.
static SmallVector<OpOperand *>
getInexactInputs(linalg::LinalgOp op, const llvm::SmallBitVector &unitLoops) {
  SmallVector<OpOperand *> inexact;
  for (OpOperand *input : op.getDpsInputOperands())
    if (!isExact(op.getMatchingIndexingMap(input), unitLoops))
      inexact.push_back(input);
  return inexact;
}

/// The loops of `op` whose extents no operand tells but those in `without`.
static SmallVector<unsigned>
getLoopsWithoutExtents(linalg::LinalgOp op, ArrayRef<OpOperand *> without) {
  llvm::SmallBitVector known(op.getNumLoops());
  for (OpOperand &operand : op->getOpOperands())
    if (!llvm::is_contained(without, &operand))
      for (AffineExpr expr : op.getMatchingIndexingMap(&operand).getResults())
        if (auto loop = dyn_cast<AffineDimExpr>(expr))
          known.set(loop.getPosition());
  known.flip();
  return llvm::to_vector(known.set_bits());
}

bool mlir::memspace::canTileExactly(Operation *op) {
  auto structured = dyn_cast<linalg::LinalgOp>(op);
  if (!structured)
    return true;
  SmallVector<OpOperand *> inexact = getInexactInputs(structured, {});
  return inexact.empty() ||
         (isa<linalg::GenericOp>(op) &&
          llvm::all_of(inexact, [](OpOperand *input) {
            return isa<RankedTensorType>(input->get().getType());
          }));
}

Operation *
mlir::memspace::makeExactlyTileable(RewriterBase &rewriter, Operation *op,
                                    const llvm::SmallBitVector &unitLoops) {
  auto structured = dyn_cast<linalg::LinalgOp>(op);
  if (!structured || getInexactInputs(structured, unitLoops).empty())
    return op;
  if (!canTileExactly(op))
    return nullptr;
  auto generic = cast<linalg::GenericOp>(op);
  SmallVector<OpOperand *> inexact = getInexactInputs(structured, {});
  SmallVector<Value> inputs;
  SmallVector<AffineMap> maps;
  for (OpOperand &operand : op->getOpOperands()) {
    if (llvm::is_contained(inexact, &operand))
      continue;
    maps.push_back(generic.getMatchingIndexingMap(&operand));
    if (generic.isDpsInput(&operand))
      inputs.push_back(operand.get());
  }
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(op);
  // Extents that only these tell they go on to tell, unread.
  SmallVector<unsigned> untold = getLoopsWithoutExtents(generic, inexact);
  for (OpOperand *input : inexact) {
    SmallVector<AffineExpr> told;
    for (AffineExpr expr : generic.getMatchingIndexingMap(input).getResults()) {
      auto *loop = llvm::find_if(untold, [&](unsigned untoldLoop) {
        return expr == rewriter.getAffineDimExpr(untoldLoop);
      });
      told.push_back(loop == untold.end() ? rewriter.getAffineConstantExpr(0)
                                          : expr);
      if (loop != untold.end())
        untold.erase(loop);
    }
    if (llvm::all_of(told, llvm::IsaPred<AffineConstantExpr>))
      continue;
    maps.insert(
        maps.begin() + inputs.size(),
        AffineMap::get(generic.getNumLoops(), 0, told, rewriter.getContext()));
    inputs.push_back(input->get());
  }
  auto exact = linalg::GenericOp::create(
      rewriter, op->getLoc(), op->getResultTypes(), inputs,
      generic.getOutputs(), maps, generic.getIteratorTypesArray(),
      [&](OpBuilder &b, Location loc, ValueRange args) {
        SmallVector<OpFoldResult> loops;
        for (unsigned loop = 0; loop < generic.getNumLoops(); ++loop)
          loops.push_back(linalg::IndexOp::create(b, loc, loop).getResult());
        IRMapping mapping;
        unsigned next = 0;
        for (OpOperand &operand : op->getOpOperands()) {
          BlockArgument old = generic.getMatchingBlockArgument(&operand);
          if (!llvm::is_contained(inexact, &operand)) {
            mapping.map(old,
                        generic.isDpsInput(&operand)
                            ? args[next++]
                            : args[inputs.size() + operand.getOperandNumber() -
                                   generic.getNumDpsInputs()]);
            continue;
          }
          AffineMap map = generic.getMatchingIndexingMap(&operand);
          SmallVector<Value> indices;
          for (unsigned i = 0; i < map.getNumResults(); ++i)
            indices.push_back(affine::AffineApplyOp::create(
                b, loc, map.getSubMap({i}),
                llvm::map_to_vector(loops, [](OpFoldResult index) {
                  return cast<Value>(index);
                })));
          mapping.map(old,
                      tensor::ExtractOp::create(b, loc, operand.get(), indices)
                          .getResult());
        }
        for (Operation &inner : *generic.getBody())
          b.clone(inner, mapping);
      },
      llvm::to_vector(op->getDiscardableAttrs()));
  rewriter.replaceOp(op, exact);
  return exact;
}
