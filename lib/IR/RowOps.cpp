//===- RowOps.cpp - what the ops along one dimension share -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RowOps.h"
#include "MemSpace/IR/MemSpaceDialect.h"
#include "Payload.h"
#include "ShapedSlices.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace mlir::memspace;

//===----------------------------------------------------------------------===//
// Verifiers
//===----------------------------------------------------------------------===//

static bool hasRows(Value operand) {
  return isa<TensorType, BaseMemRefType>(operand.getType());
}

LogicalResult memspace::verifyRowOp(DestinationStyleOpInterface op,
                                    int64_t dimension, bool isElementwise) {
  auto first = cast<ShapedType>(op->getOperand(0).getType());
  bool areTensors = isa<RankedTensorType>(first);
  SmallVector<Value> operands =
      llvm::to_vector(llvm::make_filter_range(op->getOperands(), hasRows));
  for (Value operand : operands)
    if (Type type = operand.getType();
        areTensors ? !isa<RankedTensorType>(type) : !isa<MemRefType>(type))
      return op->emitOpError("operands must all be ranked tensors or all "
                             "memrefs; got ")
             << type;
  if (dimension < 0 || dimension >= first.getRank())
    return op->emitOpError("'dimension' must be in [0, ")
           << first.getRank() << "), the rank of the operands; got "
           << dimension;
  for (Value operand : operands) {
    auto type = cast<ShapedType>(operand.getType());
    // One shape, but for the rows' length.
    SmallVector<int64_t> shape(type.getShape());
    if (type.getRank() == first.getRank() && !isElementwise)
      shape[dimension] = first.getDimSize(dimension);
    if (failed(verifyCompatibleShape(shape, first.getShape())))
      return op->emitOpError("operands must have one shape")
             << (isElementwise ? "" : " but for the 'dimension'") << "; got "
             << first << " and " << type;
  }
  if (areTensors)
    return success();
  unsigned numInputs = op.getNumDpsInputs();
  for (auto [number, output] : llvm::enumerate(op.getDpsInits()))
    for (OpOperand &other : op->getOpOperands()) {
      unsigned place = other.getOperandNumber();
      if (other.get() == output && place != numInputs + number &&
          !(isElementwise && place == number))
        return op->emitOpError("output ")
               << number << " is another operand, too; each output needs "
               << "memory of its own";
    }
  return success();
}

LogicalResult memspace::verifyComparator(Operation *op, Region &region,
                                         ValueRange inputs) {
  Block &block = region.front();
  if (block.getNumArguments() != 2 * inputs.size())
    return op->emitOpError(
               "the comparator needs two arguments for each input; got ")
           << block.getNumArguments() << " for " << inputs.size() << " inputs";
  for (BlockArgument arg : block.getArguments()) {
    unsigned number = arg.getArgNumber() / 2;
    Type type = getElementTypeOrSelf(inputs[number].getType());
    if (arg.getType() != type)
      return op->emitOpError("argument ")
             << arg.getArgNumber() << " of the comparator must be " << type
             << ", an element of input " << number << "; got " << arg.getType();
  }
  auto yield = dyn_cast<memspace::YieldOp>(block.getTerminator());
  if (!yield || yield.getValues().size() != 1 ||
      !yield.getValue().getType().isInteger(1))
    return op->emitOpError(
        "the comparator must yield one i1 by 'memspace.yield'");
  return verifyTouchesNoMemory(region, "comparator");
}

void memspace::nameComparatorArguments(Region &region,
                                       OpAsmSetValueNameFn setName) {
  for (BlockArgument arg : region.getArguments())
    setName(arg, arg.getArgNumber() % 2 == 0 ? "left" : "right");
}

void memspace::addRowEffects(
    DestinationStyleOpInterface op,
    SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>
        &effects) {
  for (OpOperand &operand : op->getOpOperands()) {
    if (!isa<BaseMemRefType>(operand.get().getType()))
      continue;
    // What is in an output is read and written again and again.
    effects.emplace_back(MemoryEffects::Read::get(), &operand);
    if (op.isDpsInit(&operand))
      effects.emplace_back(MemoryEffects::Write::get(), &operand);
  }
}

//===----------------------------------------------------------------------===//
// Tiling
//===----------------------------------------------------------------------===//

SmallVector<utils::IteratorType>
memspace::getRowIterators(DestinationStyleOpInterface op, int64_t dimension) {
  SmallVector<utils::IteratorType> iterators(
      cast<ShapedType>(op->getOperand(0).getType()).getRank(),
      utils::IteratorType::parallel);
  iterators[dimension] = utils::IteratorType::reduction;
  return iterators;
}

SmallVector<Range> memspace::getRowDomain(OpBuilder &builder,
                                          DestinationStyleOpInterface op) {
  return getDomain(builder, op.getLoc(), op->getOperand(0));
}

/// The rows of `operand` that a tile has.
static Value makeRowSlice(OpBuilder &builder, Location loc, Value operand,
                          int64_t dimension, ArrayRef<OpFoldResult> tileOffsets,
                          ArrayRef<OpFoldResult> tileSizes) {
  SmallVector<OpFoldResult> offsets(tileOffsets), sizes(tileSizes);
  offsets[dimension] = builder.getIndexAttr(0);
  sizes[dimension] = getExtent(builder, loc, operand, dimension);
  return makeSlice(builder, loc, operand, offsets, sizes);
}

FailureOr<TilingResult> memspace::tileRows(OpBuilder &builder,
                                           DestinationStyleOpInterface op,
                                           int64_t dimension,
                                           ArrayRef<OpFoldResult> offsets,
                                           ArrayRef<OpFoldResult> sizes) {
  if (!isWhole(offsets[dimension], sizes[dimension], op->getOperand(0),
               dimension))
    return failure();
  SmallVector<Value> operands;
  SmallVector<Operation *> slices;
  SmallVector<Type> types;
  for (OpOperand &operand : op->getOpOperands()) {
    if (!hasRows(operand.get())) {
      operands.push_back(operand.get());
      continue;
    }
    Value slice = makeRowSlice(builder, op.getLoc(), operand.get(), dimension,
                               offsets, sizes);
    operands.push_back(slice);
    slices.push_back(slice.getDefiningOp());
    if (op->getNumResults() != 0 && op.isDpsInit(&operand))
      types.push_back(slice.getType());
  }
  Operation *tiled = mlir::clone(builder, op, types, operands);
  return TilingResult{
      {tiled}, SmallVector<Value>(tiled->getResults()), std::move(slices)};
}

LogicalResult memspace::getRowResultTile(
    OpBuilder &builder, DestinationStyleOpInterface op, int64_t dimension,
    unsigned number, ArrayRef<OpFoldResult> offsets,
    ArrayRef<OpFoldResult> sizes, SmallVector<OpFoldResult> &resultOffsets,
    SmallVector<OpFoldResult> &resultSizes) {
  resultOffsets.assign(offsets.begin(), offsets.end());
  resultSizes.assign(sizes.begin(), sizes.end());
  resultOffsets[dimension] = builder.getIndexAttr(0);
  resultSizes[dimension] = getExtent(
      builder, op.getLoc(), op.getDpsInitOperand(number)->get(), dimension);
  return success();
}

FailureOr<TilingResult>
memspace::makeRowResultTile(OpBuilder &builder, DestinationStyleOpInterface op,
                            int64_t dimension, unsigned number,
                            ArrayRef<OpFoldResult> offsets,
                            ArrayRef<OpFoldResult> sizes) {
  if (!isWhole(offsets[dimension], sizes[dimension],
               op.getDpsInitOperand(number)->get(), dimension))
    return failure();
  SmallVector<OpFoldResult> rowSizes(sizes);
  rowSizes[dimension] =
      getExtent(builder, op.getLoc(), op->getOperand(0), dimension);
  FailureOr<TilingResult> tiled =
      tileRows(builder, op, dimension, offsets, rowSizes);
  if (succeeded(tiled))
    tiled->tiledValues = {tiled->tiledValues[number]};
  return tiled;
}
