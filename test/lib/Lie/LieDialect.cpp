//===- LieDialect.cpp - ops whose bufferization models lie -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LieDialect.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace mlir::memspace::lie;

#include "LieDialect.cpp.inc"

#define GET_OP_CLASSES
#include "LieOps.cpp.inc"

void LieDialect::initialize() {
  addOperations<
#define GET_OP_LIST
#include "LieOps.cpp.inc"
      >();
}

//===----------------------------------------------------------------------===//
// What is written well
//===----------------------------------------------------------------------===//

/// All tensors, with a result, or all memrefs, without. Vectors of elements.
static LogicalResult verifyForm(Operation *op, ValueRange shaped,
                                Value result) {
  for (Value value : shaped) {
    auto type = cast<ShapedType>(value.getType());
    if (!type.hasRank() || type.getRank() != 1 ||
        !type.getElementType().isIntOrIndexOrFloat())
      return op->emitOpError("works on one-dimensional tensors and memrefs");
    if (isa<RankedTensorType>(type) != bool(result))
      return op->emitOpError("has a result on tensors, and none on memrefs");
  }
  return success();
}

/// `result`, where there is one, has the type of `source`.
static LogicalResult verifyResult(Operation *op, Value result, Value source) {
  if (result && result.getType() != source.getType())
    return op->emitOpError(
        "has a result of another type than the operand it comes from");
  return success();
}

static LogicalResult verifyElements(Operation *op, Value a, Value b) {
  if (getElementTypeOrSelf(a.getType()) != getElementTypeOrSelf(b.getType()))
    return op->emitOpError("has elements of several types");
  return success();
}

LogicalResult EwOp::verify() {
  if (failed(verifyResult(*this, getResult(), getInit())) ||
      failed(verifyElements(*this, getLhs(), getInit())) ||
      failed(verifyElements(*this, getRhs(), getInit())))
    return failure();
  return verifyForm(*this, getOperands(), getResult());
}

LogicalResult ScatterOp::verify() {
  if (failed(verifyResult(*this, getResult(), getInit())))
    return failure();
  if (!getElementTypeOrSelf(getIndices().getType()).isInteger(32))
    return emitOpError("has indices that are no i32");
  if (failed(verifyElements(*this, getValues(), getInit())))
    return failure();
  return verifyForm(*this, getOperands(), getResult());
}

LogicalResult OpaqueOp::verify() {
  if (!getResult() == !getOut())
    return emitOpError("has either a result or an output");
  if (failed(verifyResult(*this, getResult(), getLhs())) ||
      failed(verifyElements(*this, getLhs(), getRhs())))
    return failure();
  return verifyForm(*this, getOperands(), getResult());
}

LogicalResult UpdateOp::verify() {
  if (failed(verifyResult(*this, getResult(), getLhs())) ||
      failed(verifyElements(*this, getLhs(), getRhs())))
    return failure();
  return verifyForm(*this, getOperands(), getResult());
}

LogicalResult LoadBindingOp::verify() {
  auto memref = dyn_cast<MemRefType>(getBinding().getType());
  auto tensor = cast<RankedTensorType>(getResult().getType());
  if (!memref || memref.getShape() != tensor.getShape() ||
      memref.getElementType() != tensor.getElementType())
    return emitOpError("has a result of another shape than the memory");
  return success();
}

//===----------------------------------------------------------------------===//
// Effects, which are true. Tensors are values.
//===----------------------------------------------------------------------===//

using Effects =
    SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>;

template <typename EffectT>
static void addEffect(Effects &effects, OpOperand &operand) {
  if (isa<BaseMemRefType>(operand.get().getType()))
    effects.emplace_back(EffectT::get(), &operand);
}

void EwOp::getEffects(Effects &effects) {
  addEffect<MemoryEffects::Read>(effects, getLhsMutable());
  addEffect<MemoryEffects::Read>(effects, getRhsMutable());
  if (getAccumulates())
    addEffect<MemoryEffects::Read>(effects, getInitMutable());
  addEffect<MemoryEffects::Write>(effects, getInitMutable());
}

void ScatterOp::getEffects(Effects &effects) {
  addEffect<MemoryEffects::Read>(effects, getValuesMutable());
  addEffect<MemoryEffects::Read>(effects, getIndicesMutable());
  addEffect<MemoryEffects::Write>(effects, getInitMutable());
}

void OpaqueOp::getEffects(Effects &effects) {
  addEffect<MemoryEffects::Read>(effects, getLhsMutable());
  addEffect<MemoryEffects::Read>(effects, getRhsMutable());
  for (OpOperand &out : getOutMutable())
    addEffect<MemoryEffects::Write>(effects, out);
}

void UpdateOp::getEffects(Effects &effects) {
  addEffect<MemoryEffects::Read>(effects, getLhsMutable());
  addEffect<MemoryEffects::Read>(effects, getRhsMutable());
  addEffect<MemoryEffects::Write>(effects, getLhsMutable());
}

void LoadBindingOp::getEffects(Effects &effects) {
  addEffect<MemoryEffects::Read>(effects, getBindingMutable());
}
