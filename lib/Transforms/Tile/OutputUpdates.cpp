//===- OutputUpdates.cpp - outputs that are updated in place -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Transforms/Tile/OutputUpdates.h"
#include "Transforms/Tile/LoopLabels.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Dominance.h"
#include "mlir/Transforms/CSE.h"

using namespace mlir;
using namespace mlir::memspace;

/// What is in `memref`: a tensor of the kernel, or a slice of one.
static Value getContent(Value memref) {
  auto slice = memref.getDefiningOp<memref::SubViewOp>();
  Value memory = slice ? slice.getSource() : memref;
  for (Operation *user : memory.getUsers()) {
    auto content = dyn_cast<bufferization::ToTensorOp>(user);
    if (!content || content.getBuffer() != memory)
      continue;
    if (!slice)
      return content;
    for (Operation *part : content->getUsers())
      if (auto extract = dyn_cast<tensor::ExtractSliceOp>(part);
          extract && extract.getMixedOffsets() == slice.getMixedOffsets() &&
          extract.getMixedSizes() == slice.getMixedSizes() &&
          extract.getMixedStrides() == slice.getMixedStrides() &&
          extract.getType().getShape() == slice.getType().getShape())
        return extract;
  }
  return {};
}

void memspace::updateOutputsInTiles(RewriterBase &rewriter, func::FuncOp kernel,
                                    scf::ForallOp forall) {
  // What nobody uses is gone after the next line.
  if (forall->use_empty())
    return;
  DominanceInfo dominance(kernel);
  eliminateCommonSubExpressions(rewriter, dominance, kernel);
  for (OpResult result : forall->getResults()) {
    OpOperand *init = forall.getTiedOpOperand(result);
    if (!result.hasOneUse() || !init->get().getDefiningOp<tensor::EmptyOp>())
      continue;
    auto store = dyn_cast<bufferization::MaterializeInDestinationOp>(
        *result.getUsers().begin());
    Value old = store ? getContent(store.getDest()) : Value();
    if (!old || old.getType() != result.getType() ||
        !dominance.properlyDominates(old, forall))
      continue;
    BlockArgument arg = forall.getTiedBlockArgument(init);
    SmallVector<Operation *> inserts = forall.getCombiningOps(arg);
    auto insert = inserts.size() == 1
                      ? dyn_cast<tensor::ParallelInsertSliceOp>(inserts.front())
                      : tensor::ParallelInsertSliceOp();
    if (!insert)
      continue;
    // All that is read of this memory, by whatever tensor.
    auto memory = getRootTensor(old).getDefiningOp<bufferization::ToTensorOp>();
    SmallVector<tensor::ExtractSliceOp> reads;
    bool readsMore = false;
    forall.getBody()->walk([&](Operation *op) {
      for (Value operand : op->getOperands()) {
        if (!isa<RankedTensorType>(operand.getType()) ||
            forall->isAncestor(operand.getParentBlock()->getParentOp()))
          continue;
        auto content =
            getRootTensor(operand).getDefiningOp<bufferization::ToTensorOp>();
        if (!content || content.getBuffer() != memory.getBuffer() ||
            isa<tensor::DimOp>(op))
          continue;
        auto read = dyn_cast<tensor::ExtractSliceOp>(op);
        readsMore |= !read || operand != old ||
                     read.getMixedOffsets() != insert.getMixedOffsets() ||
                     read.getMixedSizes() != insert.getMixedSizes() ||
                     read.getMixedStrides() != insert.getMixedStrides();
        if (read)
          reads.push_back(read);
      }
    });
    if (readsMore || reads.empty() ||
        (old != memory.getResult() && !memory->hasOneUse()))
      continue;
    init->set(old);
    for (tensor::ExtractSliceOp read : reads)
      read.getSourceMutable().assign(arg);
    auto part = old.getDefiningOp<tensor::ExtractSliceOp>();
    if (!part)
      continue;
    // Of a part the tensor is what is in that part.
    auto slice = store.getDest().getDefiningOp<memref::SubViewOp>();
    rewriter.moveOpBefore(slice, part);
    rewriter.setInsertionPoint(part);
    rewriter.replaceOpWithNewOp<bufferization::ToTensorOp>(
        part, part.getType(), slice, memory.getRestrict(),
        memory.getWritable());
    rewriter.eraseOp(memory);
  }
}

void memspace::updateOutputs(RewriterBase &rewriter, func::FuncOp kernel) {
  DominanceInfo dominance(kernel);
  eliminateCommonSubExpressions(rewriter, dominance, kernel);
  for (auto store :
       kernel.front().getOps<bufferization::MaterializeInDestinationOp>()) {
    auto result = dyn_cast<OpResult>(store.getSource());
    auto op = result ? dyn_cast<DestinationStyleOpInterface>(result.getOwner())
                     : DestinationStyleOpInterface();
    if (!op || !isa<BaseMemRefType>(store.getDest().getType()))
      continue;
    OpOperand *init = op.getTiedOpOperand(result);
    Value old = getContent(store.getDest());
    if (init->get().getDefiningOp<tensor::EmptyOp>() && old &&
        old.getDefiningOp<bufferization::ToTensorOp>() &&
        old.getType() == result.getType() &&
        dominance.properlyDominates(old, op))
      rewriter.modifyOpInPlace(op, [&] { init->set(old); });
  }
}
