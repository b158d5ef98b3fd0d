//===- ScanOp.cpp - memspace.scan -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MemSpace/IR/MemSpaceDialect.h"
#include "Payload.h"
#include "RowOps.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace mlir::memspace;

MEMSPACE_DEFINE_ROW_TILING(ScanOp)

MutableOperandRange ScanOp::getDpsInitsMutable() { return getOutputsMutable(); }

void ScanOp::getAsmBlockArgumentNames(Region &region,
                                      OpAsmSetValueNameFn setName) {
  for (BlockArgument arg : region.getArguments())
    setName(arg, arg.getArgNumber() < region.getNumArguments() / 2 ? "left"
                                                                   : "right");
}

void ScanOp::getEffects(
    SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>
        &effects) {
  for (OpOperand &operand : getInputsMutable())
    if (isa<BaseMemRefType>(operand.get().getType()))
      effects.emplace_back(MemoryEffects::Read::get(), &operand);
  for (OpOperand &operand : getOutputsMutable())
    if (isa<BaseMemRefType>(operand.get().getType()))
      effects.emplace_back(MemoryEffects::Write::get(), &operand);
}

SmallVector<Value> ScanOp::combine(OpBuilder &builder, ValueRange left,
                                   ValueRange right) {
  SmallVector<Value> args(left);
  llvm::append_range(args, right);
  return inlinePayload(builder, getCombiner(), args);
}

//===----------------------------------------------------------------------===//
// Verifiers
//===----------------------------------------------------------------------===//

LogicalResult ScanOp::verify() {
  if (getInputs().empty() || getInputs().size() != getOutputs().size())
    return emitOpError(
               "needs one output for each input, and one at least; got ")
           << getInputs().size() << " inputs and " << getOutputs().size()
           << " outputs";
  if (failed(verifyRowOp(*this, getDimension(), /*isElementwise=*/true)))
    return failure();
  for (auto [number, input, output] :
       llvm::enumerate(getInputs(), getOutputs()))
    if (getElementTypeOrSelf(output) != getElementTypeOrSelf(input))
      return emitOpError("output ")
             << number << " must have the element type of its input; got "
             << output.getType() << " for " << input.getType();
  if (getInitial().empty())
    return getExclusive()
               ? emitOpError("is exclusive and needs 'initial', the first "
                             "element of each row of the result")
               : success();
  if (getInitial().size() != getInputs().size())
    return emitOpError("needs one initial value for each input, or none; got ")
           << getInitial().size() << " for " << getInputs().size() << " inputs";
  for (auto [number, initial, input] :
       llvm::enumerate(getInitial(), getInputs()))
    if (Type element = getElementTypeOrSelf(input.getType());
        initial.getType() != element)
      return emitOpError("initial value ")
             << number << " must be " << element << ", an element of input "
             << number << "; got " << initial.getType();
  return success();
}

LogicalResult ScanOp::verifyRegions() {
  Block &block = getCombiner().front();
  unsigned numInputs = getInputs().size();
  if (block.getNumArguments() != 2 * numInputs)
    return emitOpError("the combiner needs two arguments for each input; got ")
           << block.getNumArguments() << " for " << numInputs << " inputs";
  for (BlockArgument arg : block.getArguments()) {
    unsigned number = arg.getArgNumber() % numInputs;
    Type type = getElementTypeOrSelf(getInputs()[number].getType());
    if (arg.getType() != type)
      return emitOpError("argument ")
             << arg.getArgNumber() << " of the combiner must be " << type
             << ", an element of input " << number << "; got " << arg.getType();
  }
  auto yield = dyn_cast<memspace::YieldOp>(block.getTerminator());
  if (!yield ||
      yield.getOperandTypes() !=
          TypeRange(ValueRange(block.getArguments().take_front(numInputs))))
    return emitOpError("the combiner must yield one element for each input by "
                       "'memspace.yield'");
  return verifyTouchesNoMemory(getCombiner(), "combiner");
}

//===----------------------------------------------------------------------===//
// Canonicalization
//===----------------------------------------------------------------------===//

namespace {
/// Drops results that nobody uses, with their operands, unless the combiner
/// needs them for others.
struct DropUnusedOperands : OpRewritePattern<ScanOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(ScanOp op,
                                PatternRewriter &rewriter) const override {
    if (op.getResults().empty())
      return rewriter.notifyMatchFailure(op, "works on memrefs");
    Needs needs = findNeeds(op);
    ArrayRef<unsigned> kept = needs.numbers;
    if (kept.empty() || kept.size() == op.getInputs().size())
      return rewriter.notifyMatchFailure(op, "all operands are needed");
    auto pick = [&](auto range) {
      return llvm::map_to_vector(
          kept, [&](unsigned number) -> Value { return range[number]; });
    };
    SmallVector<Value> inputs = pick(op.getInputs()),
                       outputs = pick(op.getOutputs()), initial;
    if (!op.getInitial().empty())
      initial = pick(op.getInitial());
    auto scan = ScanOp::create(rewriter, op.getLoc(),
                               TypeRange(ValueRange(pick(op.getResults()))),
                               inputs, initial, outputs, op.getDimensionAttr(),
                               op.getExclusiveAttr(), op.getReverseAttr());
    scan->setDiscardableAttrs(op->getDiscardableAttrDictionary());
    copyCombiner(op, scan, needs, rewriter);
    for (auto [number, result] : llvm::zip_equal(kept, scan.getResults()))
      rewriter.replaceAllUsesWith(op.getResult(number), result);
    rewriter.eraseOp(op);
    return success();
  }

private:
  /// What the results that are used depend on.
  struct Needs {
    SmallVector<unsigned> numbers;
    DenseSet<Operation *> ops;
  };

  static Needs findNeeds(ScanOp op) {
    Block &body = op.getCombiner().front();
    Needs needs;
    BitVector isNeeded(op.getInputs().size());
    SmallVector<Value> worklist;
    auto need = [&](unsigned number) {
      if (isNeeded.test(number))
        return;
      isNeeded.set(number);
      worklist.push_back(body.getTerminator()->getOperand(number));
    };
    for (OpResult result : op->getResults())
      if (!result.use_empty())
        need(result.getResultNumber());
    while (!worklist.empty()) {
      Value value = worklist.pop_back_val();
      if (auto arg = dyn_cast<BlockArgument>(value)) {
        if (arg.getOwner() == &body)
          need(arg.getArgNumber() % isNeeded.size());
        continue;
      }
      Operation *made = body.findAncestorOpInBlock(*value.getDefiningOp());
      if (!needs.ops.insert(made).second)
        continue;
      made->walk([&](Operation *inner) {
        llvm::append_range(worklist, inner->getOperands());
      });
    }
    llvm::append_range(needs.numbers, isNeeded.set_bits());
    return needs;
  }

  static void copyCombiner(ScanOp from, ScanOp to, const Needs &needs,
                           PatternRewriter &rewriter) {
    Block &body = from.getCombiner().front();
    OpBuilder::InsertionGuard guard(rewriter);
    Block *copy = rewriter.createBlock(&to.getCombiner());
    IRMapping mapping;
    for (unsigned side : {0, 1})
      for (unsigned number : needs.numbers) {
        BlockArgument arg =
            body.getArgument(side * from.getInputs().size() + number);
        mapping.map(arg, copy->addArgument(arg.getType(), arg.getLoc()));
      }
    for (Operation &inner : body.without_terminator())
      if (needs.ops.contains(&inner))
        rewriter.clone(inner, mapping);
    Operation *yield = body.getTerminator();
    SmallVector<Value> values;
    for (unsigned number : needs.numbers)
      values.push_back(mapping.lookupOrDefault(yield->getOperand(number)));
    memspace::YieldOp::create(rewriter, yield->getLoc(), values);
  }
};
} // namespace

void ScanOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                         MLIRContext *context) {
  patterns.add<DropUnusedOperands>(context);
}
