//===- GatherScatterOps.cpp - memspace.gather and memspace.scatter -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MemSpace/IR/MemSpaceDialect.h"
#include "Payload.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace mlir::memspace;

//===----------------------------------------------------------------------===//
// What the two have in common
//===----------------------------------------------------------------------===//

using Effects =
    SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>;

static void addReads(MutableArrayRef<OpOperand> operands, Effects &effects) {
  for (OpOperand &operand : operands)
    if (isa<BaseMemRefType>(operand.get().getType()))
      effects.emplace_back(MemoryEffects::Read::get(), &operand);
}

/// Checks the operands of a gather or scatter: `rows` has one row for each
/// place that `indices` gives in `places`.
static LogicalResult verifyIndexed(Operation *op, Value places, Value indices,
                                   Value rows, ArrayRef<int64_t> dims,
                                   StringRef dimsName, StringRef placesName,
                                   StringRef rowsName) {
  bool areTensors = isa<RankedTensorType>(places.getType());
  for (Value operand : op->getOperands())
    if (areTensors ? !isa<RankedTensorType>(operand.getType())
                   : !isa<MemRefType>(operand.getType()))
      return op->emitOpError(
                 "operands must all be ranked tensors or all memrefs; got ")
             << operand.getType();
  if (op->getNumResults() != (areTensors ? 1 : 0))
    return op->emitOpError("needs ")
           << (areTensors ? "a result on tensors" : "no result on memrefs");
  auto placesType = cast<ShapedType>(places.getType());
  auto indicesType = cast<ShapedType>(indices.getType());
  auto rowsType = cast<ShapedType>(rows.getType());
  if (Type index = indicesType.getElementType();
      !index.isIndex() && !index.isSignlessInteger())
    return op->emitOpError("indices must be signless integers or 'index'; got ")
           << indicesType;
  if (indicesType.getRank() == 0 ||
      indicesType.getShape().back() != int64_t(dims.size()) || dims.empty())
    return op->emitOpError("the last dimension of the indices must have one "
                           "coordinate for each of '")
           << dimsName << "' (" << dims.size() << "), and one at least; got "
           << indicesType;
  for (auto [number, dim] : llvm::enumerate(dims))
    if (dim < 0 || dim >= placesType.getRank() ||
        llvm::is_contained(dims.take_front(number), dim))
      return op->emitOpError("'")
             << dimsName << "' must be different dimensions in [0, "
             << placesType.getRank() << "), the rank of the " << placesName
             << "; got " << dims;
  SmallVector<int64_t> expected(indicesType.getShape().drop_back());
  for (int64_t dim = 0; dim < placesType.getRank(); ++dim)
    if (!llvm::is_contained(dims, dim))
      expected.push_back(placesType.getDimSize(dim));
  if (failed(verifyCompatibleShape(rowsType.getShape(), expected))) {
    auto wanted = RankedTensorType::get(expected, rowsType.getElementType());
    return op->emitOpError("the ")
           << rowsName
           << " must have the dimensions that number the places, then those of "
              "the "
           << placesName << " that are not in '" << dimsName << "': wanted "
           << wanted << ", got " << rowsType;
  }
  if (rowsType.getElementType() != placesType.getElementType())
    return op->emitOpError("the ")
           << rowsName << " must have the element type of the " << placesName
           << "; got " << rowsType << " for " << placesType;
  return success();
}

//===----------------------------------------------------------------------===//
// gather
//===----------------------------------------------------------------------===//

MutableOperandRange GatherOp::getDpsInitsMutable() {
  return getOutputMutable();
}

void GatherOp::getEffects(Effects &effects) {
  addReads(getOperation()->getOpOperands().drop_back(), effects);
  if (isa<BaseMemRefType>(getOutput().getType()))
    effects.emplace_back(MemoryEffects::Write::get(), &getOutputMutable());
}

LogicalResult GatherOp::verify() {
  if (failed(verifyIndexed(getOperation(), getSource(), getIndices(),
                           getOutput(), getGatherDims(), "gather_dims",
                           "source", "output")))
    return failure();
  // There is no nearest element.
  auto source = cast<ShapedType>(getSource().getType());
  auto output = cast<ShapedType>(getOutput().getType());
  for (int64_t dim : getGatherDims())
    if (source.getDimSize(dim) == 0 && output.hasStaticShape() &&
        output.getNumElements() != 0)
      return emitOpError("the source has no element to read: dimension ")
             << dim << " of " << source << " is empty, the output " << output
             << " is not";
  return success();
}

//===----------------------------------------------------------------------===//
// scatter
//===----------------------------------------------------------------------===//

MutableOperandRange ScatterOp::getDpsInitsMutable() {
  return getOutputMutable();
}

void ScatterOp::getAsmBlockArgumentNames(Region &region,
                                         OpAsmSetValueNameFn setName) {
  for (BlockArgument arg : region.getArguments())
    setName(arg, arg.getArgNumber() == 0 ? "update" : "old");
}

void ScatterOp::getEffects(Effects &effects) {
  addReads(getOperation()->getOpOperands(), effects);
  if (isa<BaseMemRefType>(getOutput().getType()))
    effects.emplace_back(MemoryEffects::Write::get(), &getOutputMutable());
}

bool ScatterOp::isAtomicType(Type type) {
  if (type.isSignlessInteger())
    return llvm::is_contained({8u, 16u, 32u, 64u},
                              type.getIntOrFloatBitWidth());
  return isa<Float16Type, BFloat16Type, Float32Type, Float64Type>(type);
}

LogicalResult ScatterOp::verify() {
  if (failed(verifyIndexed(getOperation(), getOutput(), getIndices(),
                           getUpdates(), getScatterDims(), "scatter_dims",
                           "output", "updates")))
    return failure();
  Type element = cast<ShapedType>(getOutput().getType()).getElementType();
  if (getAtomic() && !isAtomicType(element))
    return emitOpError("there are no atomic updates of ")
           << element
           << "; use an integer of 8, 16, 32 or 64 bits, f16, bf16, f32 or f64";
  return success();
}

LogicalResult ScatterOp::verifyRegions() {
  if (getCombiners().size() > 1)
    return emitOpError("has at most one combiner, got ")
           << getCombiners().size()
           << "; combine in one region, or use one scatter for each";
  if (!getCombiner())
    return success();
  Block &block = getCombiner()->front();
  Type element = cast<ShapedType>(getOutput().getType()).getElementType();
  if (block.getNumArguments() != 2 ||
      llvm::any_of(block.getArgumentTypes(),
                   [&](Type type) { return type != element; }))
    return emitOpError("the combiner needs two arguments of ")
           << element << ", an element of the updates and one of the output";
  auto yield = dyn_cast<memspace::YieldOp>(block.getTerminator());
  if (!yield || yield.getValues().size() != 1 ||
      yield.getValue().getType() != element)
    return emitOpError("the combiner must yield one ")
           << element << " by 'memspace.yield'";
  return verifyTouchesNoMemory(*getCombiner(), "combiner");
}

namespace {
/// Without updates the output stays as it is.
struct DropEmptyScatter : OpRewritePattern<ScatterOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(ScatterOp op,
                                PatternRewriter &rewriter) const override {
    auto updates = cast<ShapedType>(op.getUpdates().getType());
    if (!llvm::is_contained(updates.getShape(), 0))
      return rewriter.notifyMatchFailure(op, "may have updates");
    if (!op.getResult())
      rewriter.eraseOp(op);
    else if (op.getResult().getType() == op.getOutput().getType())
      rewriter.replaceOp(op, op.getOutput());
    else
      return rewriter.notifyMatchFailure(op, "changes the type");
    return success();
  }
};

/// A combiner that yields the update is none: what overwrites needs no
/// compare-and-swap loop.
struct DropOverwritingCombiner : OpRewritePattern<ScatterOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(ScatterOp op,
                                PatternRewriter &rewriter) const override {
    Region *combiner = op.getCombiner();
    if (!combiner || combiner->front().getTerminator()->getOperand(0) !=
                         combiner->getArgument(0))
      return rewriter.notifyMatchFailure(op, "combines");
    DictionaryAttr discardable = op->getDiscardableAttrDictionary();
    auto overwriting = rewriter.replaceOpWithNewOp<ScatterOp>(
        op, op->getResultTypes(), op.getUpdates(), op.getIndices(),
        op.getOutput(), op.getScatterDimsAttr(), op.getUniqueIndicesAttr(),
        op.getInBoundsAttr(), op.getAtomicAttr(), /*combinersCount=*/0);
    overwriting->setDiscardableAttrs(discardable);
    return success();
  }
};
} // namespace

void ScatterOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                            MLIRContext *context) {
  patterns.add<DropEmptyScatter, DropOverwritingCombiner>(context);
}
