//===- LoopLabels.cpp - which loops workgroups may share out --------------===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Workgroups share out loops of the op that a kernel ends with, the anchor, and
// compute what their part needs of the ops before it. A label follows a loop of
// the anchor through the indexing maps to the loops of the producers. A
// producer without that label is computed by all workgroups along the loop:
// that is fine for what is cheap, and no good for a reduction.
//
//===----------------------------------------------------------------------===//

#include "Transforms/Tile/LoopLabels.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/SmallSet.h"

using namespace mlir;
using namespace mlir::memspace;

bool memspace::isTilable(Operation *op) {
  return isa<TilingInterface>(op) && op->getNumResults() != 0;
}

Value memspace::getRootTensor(Value tensor) {
  while (Operation *view = tensor.getDefiningOp()) {
    if (!isa<tensor::ExtractSliceOp, tensor::CollapseShapeOp,
             tensor::ExpandShapeOp, tensor::CastOp>(view))
      break;
    tensor = view->getOperand(0);
  }
  return tensor;
}

bool memspace::isReduction(Operation *op) {
  auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
  return linalgOp && linalgOp.getNumReductionLoops() != 0;
}

/// `operand` has elements that several iterations of parallel loops read.
static bool isReused(linalg::LinalgOp op, OpOperand *operand,
                     ArrayRef<int64_t> extents) {
  AffineMap map = op.getMatchingIndexingMap(operand);
  for (auto [loop, type] : llvm::enumerate(op.getIteratorTypesArray()))
    if (type == utils::IteratorType::parallel && extents[loop] != 1 &&
        !map.isFunctionOfDim(loop))
      return true;
  return false;
}

bool memspace::isContraction(Operation *op) {
  if (!isReduction(op))
    return false;
  auto linalgOp = cast<linalg::LinalgOp>(op);
  SmallVector<int64_t> extents = linalgOp.getStaticLoopRanges();
  return llvm::count_if(
             linalgOp.getDpsInputOperands(), [&](OpOperand *operand) {
               return isa<RankedTensorType>(operand->get().getType()) &&
                      isReused(linalgOp, operand, extents);
             }) >= 2;
}

/// Workgroups must not compute it again and again.
static bool isExpensive(Operation *op) {
  return isReduction(op) || !isa<linalg::LinalgOp>(op);
}

LoopLabels::LoopLabels(TilingInterface anchor, ArrayRef<Operation *> ops) {
  SmallVector<int64_t> extents;
  if (auto linalgOp = dyn_cast<linalg::LinalgOp>(anchor.getOperation()))
    extents = linalgOp.getStaticLoopRanges();
  for (auto [loop, type] : llvm::enumerate(anchor.getLoopIteratorTypes()))
    if (type == utils::IteratorType::parallel &&
        (extents.empty() || extents[loop] != 1))
      loops.push_back(loop);
  while (propagate(anchor, ops))
    continue;
}

ArrayRef<int> LoopLabels::get(Operation *op) const {
  auto it = labels.find(op);
  return it == labels.end() ? ArrayRef<int>() : ArrayRef<int>(it->second);
}

/// Gives all of `ops` their labels; true when a loop had to be given up, after
/// which the labels are others.
bool LoopLabels::propagate(TilingInterface anchor, ArrayRef<Operation *> ops) {
  constexpr int kUnset = -2;
  labels.clear();
  llvm::SmallSet<int, 4> lost;
  for (Operation *op : ops) {
    auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
    labels[op].assign(linalgOp ? linalgOp.getNumLoops() : 0, kUnset);
  }
  SmallVector<int> &ofAnchor = labels[anchor];
  ofAnchor.assign(anchor.getLoopIteratorTypes().size(), kNone);
  for (unsigned loop : loops)
    ofAnchor[loop] = loop;
  for (Operation *op : llvm::reverse(ops)) {
    for (int &label : labels[op])
      label = label == kUnset ? kNone : label;
    // All consumers have said what they want of it.
    ArrayRef<int> own = labels[op];
    if (op != anchor && isExpensive(op))
      for (unsigned loop : loops)
        if (!llvm::is_contained(own, static_cast<int>(loop)))
          lost.insert(loop);
    auto consumer = dyn_cast<linalg::LinalgOp>(op);
    if (!consumer)
      continue;
    for (OpOperand &operand : op->getOpOperands()) {
      auto result = dyn_cast<OpResult>(operand.get());
      auto it = result ? labels.find(result.getOwner()) : labels.end();
      auto producer = it == labels.end()
                          ? linalg::LinalgOp()
                          : dyn_cast<linalg::LinalgOp>(result.getOwner());
      if (!producer)
        continue;
      AffineMap read = consumer.getMatchingIndexingMap(&operand);
      AffineMap written = producer.getIndexingMapMatchingResult(result);
      for (auto [from, to] :
           llvm::zip_equal(read.getResults(), written.getResults())) {
        auto toLoop = dyn_cast<AffineDimExpr>(to);
        if (!toLoop)
          continue;
        auto fromLoop = dyn_cast<AffineDimExpr>(from);
        int label = fromLoop ? labels[op][fromLoop.getPosition()] : kNone;
        int &slot = it->second[toLoop.getPosition()];
        // Two consumers that want different parts get no part alone.
        slot = slot == kUnset || slot == label ? label : kNone;
      }
    }
  }
  llvm::erase_if(loops, [&](unsigned loop) { return lost.contains(loop); });
  return !lost.empty();
}

bool LoopLabels::isPartitioned(OpResult result) const {
  auto producer = dyn_cast<linalg::LinalgOp>(result.getOwner());
  ArrayRef<int> own = get(result.getOwner());
  if (!producer || own.empty())
    return false;
  SmallVector<int> seen;
  for (AffineExpr expr :
       producer.getIndexingMapMatchingResult(result).getResults())
    if (auto loop = dyn_cast<AffineDimExpr>(expr))
      seen.push_back(own[loop.getPosition()]);
  return llvm::all_of(loops, [&](unsigned loop) {
    return llvm::is_contained(seen, static_cast<int>(loop));
  });
}
