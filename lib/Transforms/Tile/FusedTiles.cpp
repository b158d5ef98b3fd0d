//===- FusedTiles.cpp - a tile, and what it is computed from --------------===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FusedTiles.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Dominance.h"
#include "mlir/Transforms/CSE.h"

using namespace mlir;
using namespace mlir::memspace;

/// The parts of results of `producer` that the body of `loop` needs, in order;
/// of those that the loop begins with, by the names of its arguments.
static SmallVector<tensor::ExtractSliceOp> getParts(Operation *producer,
                                                    scf::ForallOp loop) {
  llvm::DenseSet<Value> names(producer->result_begin(), producer->result_end());
  for (auto [arg, output] :
       llvm::zip_equal(loop.getRegionIterArgs(), loop.getOutputs()))
    if (names.contains(output))
      names.insert(arg);
  SmallVector<tensor::ExtractSliceOp> parts;
  loop.getBody()->walk([&](tensor::ExtractSliceOp part) {
    if (names.contains(part.getSource()) && !part->use_empty())
      parts.push_back(part);
  });
  return parts;
}

FailureOr<scf::ForallOp> mlir::memspace::tileWithProducers(
    RewriterBase &rewriter, TilingInterface anchor, ArrayRef<Operation *> ops,
    const scf::SCFTilingOptions &options,
    llvm::function_ref<bool(OpResult)> isStored) {
  rewriter.setInsertionPoint(anchor);
  FailureOr<scf::SCFTilingResult> tiled =
      scf::tileUsingSCF(rewriter, anchor, options);
  if (failed(tiled))
    return failure();
  SmallVector<LoopLikeOpInterface> loops = tiled->loops;
  auto getLoop = [&] { return cast<scf::ForallOp>(loops.front()); };
  // Results of the loop, by their numbers: it is made anew with each more.
  SmallVector<std::pair<Value, unsigned>> replaced;
  for (OpResult result : anchor->getResults())
    replaced.emplace_back(result, result.getResultNumber());

  for (Operation *producer : llvm::reverse(ops)) {
    if (producer == anchor)
      continue;
    SmallVector<tensor::ExtractSliceOp> parts = getParts(producer, getLoop());
    if (parts.size() > 1) {
      DominanceInfo dominance;
      eliminateCommonSubExpressions(rewriter, dominance, getLoop());
      parts = getParts(producer, getLoop());
    }
    bool isYielded = false;
    for (tensor::ExtractSliceOp part : parts) {
      std::optional<scf::SCFFuseProducerOfSliceResult> fused =
          scf::tileAndFuseProducerOfSlice(rewriter, part, loops);
      if (!fused || isYielded || !isStored(fused->origProducer))
        continue;
      isYielded = true;
      unsigned first = getLoop().getNumResults();
      if (failed(scf::yieldReplacementForFusedProducer(rewriter, part, *fused,
                                                       loops)))
        return failure();
      for (OpResult result : producer->getResults())
        replaced.emplace_back(result, first + result.getResultNumber());
    }
  }
  scf::ForallOp loop = getLoop();
  for (auto [value, number] : replaced)
    rewriter.replaceUsesWithIf(
        value, loop.getResult(number),
        [&](OpOperand &use) { return !loop->isAncestor(use.getOwner()); });
  return loop;
}
