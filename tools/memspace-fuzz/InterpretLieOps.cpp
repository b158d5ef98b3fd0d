//===- InterpretLieOps.cpp - what the ops of the lie dialect do -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "InterpreterState.h"
#include "LieDialect.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::memspace;
using namespace mlir::memspace::fuzz;

/// As `lie-to-loops` does. Null when an element is undefined.
static Attribute combine(InterpreterState &state, Operation *op, Attribute a,
                         Attribute b) {
  if (!a || !b) {
    state.noteUndefinedUse(op);
    return {};
  }
  if (auto real = dyn_cast<FloatAttr>(a)) {
    APFloat value = real.getValue();
    value.subtract(cast<FloatAttr>(b).getValue(), APFloat::rmNearestTiesToEven);
    APFloat half(0.5);
    bool losesInfo;
    half.convert(value.getSemantics(), APFloat::rmNearestTiesToEven,
                 &losesInfo);
    value.multiply(half, APFloat::rmNearestTiesToEven);
    return FloatAttr::get(real.getType(), value);
  }
  // Of one bit, the difference is what is different.
  auto integer = cast<IntegerAttr>(a);
  return IntegerAttr::get(integer.getType(),
                          integer.getValue() - cast<IntegerAttr>(b).getValue());
}

static LogicalResult interpretEw(InterpreterState &state, Operation *op) {
  auto ew = cast<lie::EwOp>(op);
  const Tensor &lhs = state.getTensor(ew.getLhs());
  const Tensor &rhs = state.getTensor(ew.getRhs());
  Tensor result = state.getTensor(ew.getInit());
  if (lhs.shape != result.shape || rhs.shape != result.shape)
    return op->emitError("has operands whose shapes do not agree");
  for (auto [i, element] : llvm::enumerate(result.elements)) {
    Attribute value = combine(state, op, lhs.elements[i], rhs.elements[i]);
    element = ew.getAccumulates() ? combine(state, op, element, value) : value;
  }
  state.set(op->getResult(0), std::move(result));
  return success();
}

static LogicalResult interpretScatter(InterpreterState &state, Operation *op) {
  auto scatter = cast<lie::ScatterOp>(op);
  const Tensor &values = state.getTensor(scatter.getValues());
  const Tensor &indices = state.getTensor(scatter.getIndices());
  Tensor result = state.getTensor(scatter.getInit());
  if (indices.getNumElements() < values.getNumElements())
    return op->emitError("has too few indices");
  for (auto [i, value] : llvm::enumerate(values.elements)) {
    auto index = dyn_cast_or_null<IntegerAttr>(indices.elements[i]);
    if (!index)
      return op->emitError("depends on an element that nobody has written");
    result.elements[index.getValue().getZExtValue() %
                    uint64_t(result.getNumElements())] = value;
  }
  state.set(op->getResult(0), std::move(result));
  return success();
}

static LogicalResult interpretOpaque(InterpreterState &state, Operation *op) {
  auto opaque = cast<lie::OpaqueOp>(op);
  const Tensor &lhs = state.getTensor(opaque.getLhs());
  const Tensor &rhs = state.getTensor(opaque.getRhs());
  if (rhs.getNumElements() == 0 && lhs.getNumElements() > 0)
    return op->emitError("reads out of range");
  Tensor result = Tensor::undefined(lhs.elementType, lhs.shape);
  for (auto [i, element] : llvm::enumerate(result.elements))
    element = combine(state, op, lhs.elements[lhs.getNumElements() - 1 - i],
                      rhs.elements[i % rhs.getNumElements()]);
  state.set(op->getResult(0), std::move(result));
  return success();
}

static LogicalResult interpretUpdate(InterpreterState &state, Operation *op) {
  auto update = cast<lie::UpdateOp>(op);
  Tensor result = state.getTensor(update.getLhs());
  const Tensor &rhs = state.getTensor(update.getRhs());
  if (rhs.shape != result.shape)
    return op->emitError("has operands whose shapes do not agree");
  for (auto [i, element] : llvm::enumerate(result.elements))
    element = combine(state, op, element, rhs.elements[i]);
  state.set(op->getResult(0), std::move(result));
  return success();
}

static LogicalResult loadBinding(InterpreterState &state, Operation *op) {
  const RuntimeValue &memory = state.get(op->getOperand(0));
  state.set(op->getResult(0), memory.memref->read());
  return success();
}

InterpreterState::Handler fuzz::getLieHandler(Operation *op) {
  return llvm::TypeSwitch<Operation *, InterpreterState::Handler>(op)
      .Case([](lie::EwOp) { return interpretEw; })
      .Case([](lie::ScatterOp) { return interpretScatter; })
      .Case([](lie::OpaqueOp) { return interpretOpaque; })
      .Case([](lie::UpdateOp) { return interpretUpdate; })
      .Case([](lie::LoadBindingOp) { return loadBinding; })
      .Default([](Operation *) { return nullptr; });
}
