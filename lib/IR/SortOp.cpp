//===- SortOp.cpp - memspace.sort -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MemSpace/IR/MemSpaceDialect.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace mlir::memspace;

MutableOperandRange SortOp::getDpsInitsMutable() { return getOutputsMutable(); }

void SortOp::getAsmBlockArgumentNames(Region &region,
                                      OpAsmSetValueNameFn setName) {
  for (BlockArgument arg : region.getArguments())
    setName(arg, arg.getArgNumber() % 2 == 0 ? "left" : "right");
}

void SortOp::getEffects(
    SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>
        &effects) {
  for (OpOperand &operand : getInputsMutable())
    if (isa<BaseMemRefType>(operand.get().getType()))
      effects.emplace_back(MemoryEffects::Read::get(), &operand);
  for (OpOperand &operand : getOutputsMutable())
    if (isa<BaseMemRefType>(operand.get().getType())) {
      // What is in place is read and written again and again.
      effects.emplace_back(MemoryEffects::Read::get(), &operand);
      effects.emplace_back(MemoryEffects::Write::get(), &operand);
    }
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
  auto first = dyn_cast<ShapedType>(getInputs().front().getType());
  bool areTensors = isa<RankedTensorType>(first);
  for (auto [number, input, output] :
       llvm::enumerate(getInputs(), getOutputs())) {
    for (Value operand : {input, output}) {
      auto type = cast<ShapedType>(operand.getType());
      if (areTensors ? !isa<RankedTensorType>(type) : !isa<MemRefType>(type))
        return emitOpError(
                   "operands must all be ranked tensors or all memrefs; "
                   "got ")
               << type;
      if (failed(verifyCompatibleShape(type.getShape(), first.getShape())))
        return emitOpError("operands must have one shape; got ")
               << first << " and " << type;
      if (type.getElementType() !=
          cast<ShapedType>(input.getType()).getElementType())
        return emitOpError("output ")
               << number << " must have the element type of its input; got "
               << type << " for " << input.getType();
    }
  }
  if (int64_t dimension = getDimension();
      dimension < 0 || dimension >= first.getRank())
    return emitOpError("'dimension' must be in [0, ")
           << first.getRank() << "), the rank of the operands; got "
           << dimension;
  if (!areTensors)
    for (auto [number, output] : llvm::enumerate(getOutputs()))
      if (llvm::count(getOutputs(), output) != 1)
        return emitOpError("output ") << number << " is another output, too";
  return success();
}

LogicalResult SortOp::verifyRegions() {
  Block &block = getComparator().front();
  if (block.getNumArguments() != 2 * getInputs().size())
    return emitOpError(
               "the comparator needs two arguments for each input; got ")
           << block.getNumArguments() << " for " << getInputs().size()
           << " inputs";
  for (auto [number, input] : llvm::enumerate(getInputs())) {
    Type type = cast<ShapedType>(input.getType()).getElementType();
    for (BlockArgument arg : {getLeft(number), getRight(number)})
      if (arg.getType() != type)
        return emitOpError("argument ")
               << arg.getArgNumber() << " of the comparator must be " << type
               << ", an element of input " << number << "; got "
               << arg.getType();
  }
  auto yield = dyn_cast<memspace::YieldOp>(block.getTerminator());
  if (!yield || !yield.getValue().getType().isInteger(1))
    return emitOpError("the comparator must yield one i1 by 'memspace.yield'");
  for (Operation &op : block)
    if (!isMemoryEffectFree(&op))
      return op.emitOpError(
          "touches memory in a comparator; it may only compute "
          "with its arguments");
  return success();
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
} // namespace

void SortOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                         MLIRContext *context) {
  patterns.add<DropUnusedPayloads>(context);
}
