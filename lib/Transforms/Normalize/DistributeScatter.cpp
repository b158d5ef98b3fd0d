//===- DistributeScatter.cpp - threads scatter together -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each thread takes elements of the updates. What two of them may update at
// once they update atomically, in place: no thread has a copy of the output, or
// of the indices.
//
//===----------------------------------------------------------------------===//

#include "MemSpace/IR/MemSpaceDialect.h"
#include "Transforms/Normalize/StructuredOps.h"
#include "Transforms/Normalize/ThreadTilings.h"
#include "Transforms/Support/IndexedToLoops.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/SCF/Transforms/TileUsingInterface.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::memspace;

using Sizes = SmallVector<OpFoldResult>;

static Sizes getSizes(OpBuilder &b, Location loc, Value shaped) {
  // Asked of the destination, which is there before the op is computed.
  while (auto op = shaped.getDefiningOp<DestinationStyleOpInterface>())
    shaped = op.getTiedOpOperand(cast<OpResult>(shaped))->get();
  if (auto empty = shaped.getDefiningOp<tensor::EmptyOp>())
    return empty.getMixedSizes();
  if (isa<TensorType>(shaped.getType()))
    return tensor::getMixedSizes(b, loc, shaped);
  return memref::getMixedSizes(b, loc, shaped);
}

static Value getSlice(OpBuilder &b, Location loc, Value shaped,
                      const Sizes &offsets, const Sizes &sizes) {
  Sizes units(offsets.size(), b.getIndexAttr(1));
  if (isa<TensorType>(shaped.getType()))
    return tensor::ExtractSliceOp::create(b, loc, shaped, offsets, sizes,
                                          units);
  return memref::SubViewOp::create(b, loc, shaped, offsets, sizes, units);
}

/// The tensor of which `tensor` is a view.
static Value getWhole(Value tensor) {
  while (Operation *op = tensor.getDefiningOp()) {
    if (!isa<tensor::ExtractSliceOp, tensor::ExpandShapeOp,
             tensor::CollapseShapeOp, tensor::CastOp>(op))
      break;
    tensor = op->getOperand(0);
  }
  return tensor;
}

/// An elementwise op that makes `slice`'s tensor for it alone is computed where
/// the slice is: the tensor needs no memory. Not so one that reads `output`,
/// which then would have to be kept.
static void computeInPlace(IRRewriter &rewriter, scf::ForallOp forall,
                           Value slice, Value output) {
  auto extract = slice.getDefiningOp<tensor::ExtractSliceOp>();
  Operation *producer = extract ? extract.getSource().getDefiningOp() : nullptr;
  if (!producer || !producer->hasOneUse())
    return;
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(extract);
  if (auto splat = dyn_cast<tensor::SplatOp>(producer)) {
    rewriter.replaceOpWithNewOp<tensor::SplatOp>(extract, splat.getInput(),
                                                 extract.getType());
    rewriter.eraseOp(splat);
    return;
  }
  auto structured = dyn_cast<linalg::LinalgOp>(producer);
  if (!structured || producer->getBlock() != forall->getBlock() ||
      producer->getNumResults() != 1 ||
      structured.getNumLoops() != structured.getNumParallelLoops() ||
      !structured.getMatchingIndexingMap(structured.getDpsInitOperand(0))
           .isPermutation())
    return;
  WalkResult readsOutput = producer->walk([&](Operation *op) {
    return llvm::any_of(op->getOperands(),
                        [&](Value operand) {
                          return isa<TensorType>(operand.getType()) &&
                                 getWhole(operand) == getWhole(output);
                        })
               ? WalkResult::interrupt()
               : WalkResult::advance();
  });
  if (readsOutput.wasInterrupted())
    return;
  LoopLikeOpInterface loop = forall;
  std::optional<scf::SCFFuseProducerOfSliceResult> fused =
      scf::tileAndFuseProducerOfSlice(rewriter, extract, loop);
  if (!fused)
    return;
  // A part of nothing is nothing.
  for (Operation *made : fused->generatedSlices) {
    auto part = dyn_cast<tensor::ExtractSliceOp>(made);
    if (!part || !part.getSource().getDefiningOp<tensor::EmptyOp>() ||
        !part.getType().hasStaticShape())
      continue;
    rewriter.setInsertionPoint(part);
    rewriter.replaceOpWithNewOp<tensor::EmptyOp>(
        part, part.getType().getShape(), part.getType().getElementType());
  }
  rewriter.eraseOp(extract);
  rewriter.eraseOp(producer);
}

LogicalResult memspace::verifyAtomic(ScatterOp op) {
  if (canScatterAtomically(op))
    return success();
  return op.emitOpError("shared by threads needs atomic updates of ")
         << cast<ShapedType>(op.getOutput().getType()).getElementType()
         << " by its combiner, which there are not; 'unique_indices' needs "
            "none, integers of 8, 16, 32 and 64 bits have them for any "
            "combiner, f16, bf16, f32 and f64 for sums, minima and maxima; "
            "or let one thread do it, in a 'scf.forall' of one iteration";
}

LogicalResult memspace::distributeScatter(ScatterOp op,
                                          const Sharing &sharing) {
  auto updates = cast<ShapedType>(op.getUpdates().getType());
  // Rows of one place are in one order, element by element.
  unsigned numPlaceDims = op.getNumPlaceDims();
  bool isOfOnePlace = llvm::all_of(updates.getShape().take_front(numPlaceDims),
                                   [](int64_t extent) { return extent == 1; });
  bool isAtomic = op.getAtomic() || (!op.getUniqueIndices() && !isOfOnePlace);
  if (isAtomic && failed(verifyAtomic(op)))
    return failure();

  IRRewriter rewriter(op);
  Location loc = op.getLoc();
  ExecutionScope scope = sharing.isOfSubgroup ? ExecutionScope::Subgroup
                                              : ExecutionScope::Workgroup;
  bool isOfTensors = op.getResult() != nullptr;
  Tiling tiling = updates.getRank() == 0
                      ? getGuardTiling(rewriter, scope)
                      : getChunkTiling(rewriter, loc,
                                       getSizes(rewriter, loc, op.getUpdates()),
                                       /*chunk=*/1, scope);
  Sizes outputSizes = getSizes(rewriter, loc, op.getOutput());
  scf::ForallOp forall =
      createForall(rewriter, loc, tiling,
                   isOfTensors ? ValueRange(op.getOutput()) : ValueRange());
  rewriter.setInsertionPoint(forall.getTerminator());
  Value output =
      isOfTensors ? Value(forall.getRegionIterArgs().front()) : op.getOutput();

  OpFoldResult zero = rewriter.getIndexAttr(0), one = rewriter.getIndexAttr(1);
  Sizes offsets, sizes;
  if (tiling.getSlice)
    tiling.getSlice(rewriter, loc, forall.getInductionVars(), offsets, sizes);
  Value update = getSlice(rewriter, loc, op.getUpdates(), offsets, sizes);
  // One place, with all of its coordinates.
  Sizes placeOffsets(ArrayRef(offsets).take_front(numPlaceDims)),
      placeSizes(numPlaceDims, one);
  placeOffsets.push_back(zero);
  placeSizes.push_back(rewriter.getIndexAttr(op.getScatterDims().size()));
  Value place =
      getSlice(rewriter, loc, op.getIndices(), placeOffsets, placeSizes);
  // Where it may lead to: all of the dimensions in question.
  Sizes outputOffsets(outputSizes.size(), zero);
  unsigned next = numPlaceDims;
  for (unsigned dim = 0; dim < outputSizes.size(); ++dim)
    if (!llvm::is_contained(op.getScatterDims(), int64_t(dim))) {
      outputOffsets[dim] = offsets[next++];
      outputSizes[dim] = one;
    }
  Value part = getSlice(rewriter, loc, output, outputOffsets, outputSizes);

  SmallVector<Type> types;
  if (isOfTensors)
    types.push_back(part.getType());
  auto made = ScatterOp::create(rewriter, loc, types, update, place, part,
                                op.getScatterDimsAttr(),
                                op.getUniqueIndicesAttr(), op.getInBoundsAttr(),
                                isAtomic ? rewriter.getUnitAttr() : UnitAttr(),
                                /*combinersCount=*/op.getCombiners().size());
  made->setDiscardableAttrs(op->getDiscardableAttrDictionary());
  if (op.getCombiner())
    made.getCombiner()->takeBody(*op.getCombiner());
  if (!isOfTensors) {
    rewriter.eraseOp(op);
    return success();
  }
  rewriter.setInsertionPointToEnd(forall.getTerminator().getBody());
  tensor::ParallelInsertSliceOp::create(rewriter, loc, made.getResult(), output,
                                        outputOffsets, outputSizes,
                                        Sizes(outputSizes.size(), one));
  Value before = op.getOutput();
  bool areElements = updates.getRank() == int64_t(numPlaceDims);
  rewriter.replaceOp(op, forall.getResults());
  // Each element of the updates is taken once, but a place by its whole row.
  computeInPlace(rewriter, forall, made.getUpdates(), before);
  if (areElements)
    computeInPlace(rewriter, forall, made.getIndices(), before);
  return success();
}
