//===- SortOp.cpp - memspace.sort, sort_indices and topk -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MemSpace/IR/MemSpaceDialect.h"
#include "RowOps.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace mlir::memspace;

MEMSPACE_DEFINE_ROW_OP(SortOp)
MEMSPACE_DEFINE_ROW_OP(SortIndicesOp)
MEMSPACE_DEFINE_ROW_OP(TopKOp)

MutableOperandRange SortOp::getDpsInitsMutable() { return getOutputsMutable(); }
MutableOperandRange SortIndicesOp::getDpsInitsMutable() {
  return getOutputsMutable();
}
MutableOperandRange TopKOp::getDpsInitsMutable() {
  return MutableOperandRange(*this, 1, getNumOperands() - 1);
}

void SortOp::getAsmBlockArgumentNames(Region &region,
                                      OpAsmSetValueNameFn setName) {
  nameComparatorArguments(region, setName);
}
void SortIndicesOp::getAsmBlockArgumentNames(Region &region,
                                             OpAsmSetValueNameFn setName) {
  nameComparatorArguments(region, setName);
}
void TopKOp::getAsmBlockArgumentNames(Region &region,
                                      OpAsmSetValueNameFn setName) {
  nameComparatorArguments(region, setName);
}

//===----------------------------------------------------------------------===//
// Verifiers
//===----------------------------------------------------------------------===//

LogicalResult SortOp::verify() {
  if (getInputs().empty() || getInputs().size() != getOutputs().size())
    return emitOpError(
               "needs one output for each input, and one at least; got ")
           << getInputs().size() << " inputs and " << getOutputs().size()
           << " outputs";
  if (failed(verifyRowOp(*this, getDimension(), /*isElementwise=*/true)))
    return failure();
  for (auto [number, input, output] :
       llvm::enumerate(getInputs(), getOutputs()))
    if (getElementTypeOrSelf(input.getType()) !=
        getElementTypeOrSelf(output.getType()))
      return emitOpError("output ")
             << number << " must have the element type of its input; got "
             << output.getType() << " for " << input.getType();
  return success();
}

LogicalResult SortOp::verifyRegions() {
  return verifyComparator(*this, getComparator(), getInputs());
}

/// Failure with an error at `op` unless `indices` can hold the positions in
/// rows of `length` elements.
static LogicalResult verifyIndices(Operation *op, Value indices,
                                   int64_t length) {
  Type type = getElementTypeOrSelf(indices.getType());
  if (type.isIndex())
    return success();
  auto integer = dyn_cast<IntegerType>(type);
  if (!integer)
    return op->emitOpError("the indices must be integers or of type 'index'; "
                           "got ")
           << indices.getType();
  if (!ShapedType::isDynamic(length) && integer.getWidth() < 64 &&
      length > int64_t(1) << (integer.getWidth() - 1))
    return op->emitOpError("the indices of ")
           << length << " elements do not fit in " << integer;
  return success();
}

LogicalResult SortIndicesOp::verify() {
  if (getInputs().empty() || getOutputs().size() != 1)
    return emitOpError("needs one input at least, and one output; got ")
           << getInputs().size() << " inputs and " << getOutputs().size()
           << " outputs";
  if (failed(verifyRowOp(*this, getDimension(), /*isElementwise=*/false)) ||
      failed(verifyIndices(*this, getIndices(),
                           getShapedType().getDimSize(getDimension()))))
    return failure();
  if (failed(verifyCompatibleShape(getIndices().getType(),
                                   getInputs().front().getType())))
    return emitOpError("the output must have the shape of the inputs; got ")
           << getIndices().getType() << " for "
           << getInputs().front().getType();
  return success();
}

LogicalResult SortIndicesOp::verifyRegions() {
  return verifyComparator(*this, getComparator(), getInputs());
}

LogicalResult TopKOp::verify() {
  if (!getValues() && !getIndices())
    return emitOpError("needs values, or indices, or both to write to");
  if (failed(verifyRowOp(*this, getDimension(), /*isElementwise=*/false)) ||
      (getIndices() &&
       failed(verifyIndices(*this, getIndices(),
                            getShapedType().getDimSize(getDimension())))))
    return failure();
  if (getValues() && getElementTypeOrSelf(getValues().getType()) !=
                         getElementTypeOrSelf(getInput().getType()))
    return emitOpError("the values must have the element type of the input; "
                       "got ")
           << getValues().getType() << " for " << getInput().getType();
  if (getValues() && getIndices() &&
      failed(
          verifyCompatibleShape(getValues().getType(), getIndices().getType())))
    return emitOpError("values and indices must have one shape; got ")
           << getValues().getType() << " and " << getIndices().getType();
  return success();
}

LogicalResult TopKOp::verifyRegions() {
  return verifyComparator(*this, getComparator(), getInput());
}

//===----------------------------------------------------------------------===//
// Canonicalization
//===----------------------------------------------------------------------===//

namespace {
/// Drops results that nobody uses, with their operands, unless the comparator
/// needs them.
struct DropUnusedPayloads : OpRewritePattern<SortOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(SortOp op,
                                PatternRewriter &rewriter) const override {
    if (op.getResults().empty())
      return rewriter.notifyMatchFailure(op, "works on memrefs");
    SmallVector<unsigned> kept;
    for (unsigned number = 0; number < op.getInputs().size(); ++number)
      if (!op.getResult(number).use_empty() ||
          !op.getLeft(number).use_empty() || !op.getRight(number).use_empty())
        kept.push_back(number);
    if (kept.empty() || kept.size() == op.getInputs().size())
      return rewriter.notifyMatchFailure(op, "all operands are needed");
    SmallVector<Value> inputs, outputs;
    SmallVector<Type> types;
    for (unsigned number : kept) {
      inputs.push_back(op.getInputs()[number]);
      outputs.push_back(op.getOutputs()[number]);
      types.push_back(op.getResult(number).getType());
    }
    auto sort = SortOp::create(rewriter, op.getLoc(), types, inputs, outputs,
                               op.getDimensionAttr(), op.getStableAttr());
    sort->setDiscardableAttrs(op->getDiscardableAttrDictionary());
    Region &region = op.getComparator();
    for (unsigned number = op.getInputs().size(); number-- > 0;)
      if (!llvm::is_contained(kept, number))
        region.front().eraseArguments(2 * number, 2);
    rewriter.inlineRegionBefore(region, sort.getComparator(),
                                sort.getComparator().end());
    for (auto [number, result] : llvm::zip_equal(kept, sort.getResults()))
      rewriter.replaceAllUsesWith(op.getResult(number), result);
    rewriter.eraseOp(op);
    return success();
  }
};

/// Drops the values or the indices where nobody uses them.
struct DropUnusedOutput : OpRewritePattern<TopKOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(TopKOp op,
                                PatternRewriter &rewriter) const override {
    if (op.getNumResults() != 2)
      return rewriter.notifyMatchFailure(op, "has one result or none");
    unsigned used = op.getResult(0).use_empty() ? 1 : 0;
    if (!op.getResult(1 - used).use_empty() || op.getResult(used).use_empty())
      return rewriter.notifyMatchFailure(op, "both or none are used");
    auto topK = TopKOp::create(
        rewriter, op.getLoc(), op.getResult(used).getType(), op.getInput(),
        used == 0 ? op.getValues() : Value(),
        used == 1 ? op.getIndices() : Value(), op.getDimensionAttr());
    topK->setDiscardableAttrs(op->getDiscardableAttrDictionary());
    rewriter.inlineRegionBefore(op.getComparator(), topK.getComparator(),
                                topK.getComparator().end());
    rewriter.replaceAllUsesWith(op.getResult(used), topK.getResult(0));
    rewriter.eraseOp(op);
    return success();
  }
};
} // namespace

void SortOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                         MLIRContext *context) {
  patterns.add<DropUnusedPayloads>(context);
}

void TopKOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                         MLIRContext *context) {
  patterns.add<DropUnusedOutput>(context);
}
