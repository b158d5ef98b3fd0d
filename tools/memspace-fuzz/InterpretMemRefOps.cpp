//===- InterpretMemRefOps.cpp - ops on the kernel's memory -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "InterpreterState.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::memspace;
using namespace mlir::memspace::fuzz;

/// Position in the memory of the element at `indices` of `view`; nothing when
/// they are out of range.
static std::optional<int64_t> getPosition(const MemRefView &view,
                                          ArrayRef<int64_t> indices) {
  int64_t position = view.offset;
  for (auto [index, size, stride] :
       llvm::zip_equal(indices, view.sizes, view.strides)) {
    if (index < 0 || index >= size)
      return std::nullopt;
    position += index * stride;
  }
  return position;
}

static LogicalResult toTensor(InterpreterState &state, Operation *op) {
  const RuntimeValue &memory = state.get(op->getOperand(0));
  state.set(op->getResult(0), memory.memref->read());
  return success();
}

static LogicalResult materialize(InterpreterState &state, Operation *op) {
  auto materializeOp = cast<bufferization::MaterializeInDestinationOp>(op);
  RuntimeValue source = state.get(materializeOp.getSource());
  RuntimeValue dest = state.get(materializeOp.getDest());
  ArrayRef<int64_t> shape =
      dest.memref ? ArrayRef<int64_t>(dest.memref->sizes) : dest.tensor->shape;
  if (ArrayRef<int64_t>(source.tensor->shape) != shape)
    return op->emitError("writes a tensor of another shape than its "
                         "destination");
  if (dest.memref) {
    dest.memref->write(*source.tensor);
    state.outcome.undefinedWrites +=
        llvm::count(source.tensor->elements, Attribute());
  }
  if (op->getNumResults() == 1)
    state.set(op->getResult(0), source);
  return success();
}

static LogicalResult load(InterpreterState &state, Operation *op) {
  auto loadOp = cast<memref::LoadOp>(op);
  const MemRefView &view = *state.get(loadOp.getMemRef()).memref;
  SmallVector<int64_t> indices;
  if (failed(state.getIntegers(loadOp.getIndices(), op, indices)))
    return failure();
  std::optional<int64_t> position = getPosition(view, indices);
  if (!position)
    return op->emitError("reads out of range");
  Attribute element = view.memory->elements[*position];
  state.set(op->getResult(0), element);
  return success();
}

static LogicalResult store(InterpreterState &state, Operation *op) {
  auto storeOp = cast<memref::StoreOp>(op);
  const MemRefView &view = *state.get(storeOp.getMemRef()).memref;
  SmallVector<int64_t> indices;
  if (failed(state.getIntegers(storeOp.getIndices(), op, indices)))
    return failure();
  std::optional<int64_t> position = getPosition(view, indices);
  if (!position)
    return op->emitError("writes out of range");
  Attribute element = state.get(storeOp.getValue()).scalar;
  view.memory->elements[*position] = element;
  state.outcome.undefinedWrites += !element;
  return success();
}

static LogicalResult subview(InterpreterState &state, Operation *op) {
  auto subviewOp = cast<memref::SubViewOp>(op);
  FailureOr<Slice> slice = getSlice(state, subviewOp);
  if (failed(slice))
    return failure();
  const MemRefView &source = *state.get(subviewOp.getSource()).memref;
  if (failed(slice->forEach(source.sizes, [](int64_t) {})))
    return op->emitError("is out of range");
  MemRefView view;
  view.memory = source.memory;
  view.offset = source.offset;
  llvm::SmallBitVector dropped = subviewOp.getDroppedDims();
  for (auto [dim, stride] : llvm::enumerate(source.strides)) {
    view.offset += slice->offsets[dim] * stride;
    if (dropped[dim])
      continue;
    view.sizes.push_back(slice->sizes[dim]);
    view.strides.push_back(slice->strides[dim] * stride);
  }
  state.set(op->getResult(0), std::move(view));
  return success();
}

static LogicalResult castMemRef(InterpreterState &state, Operation *op) {
  RuntimeValue value = state.get(op->getOperand(0));
  state.set(op->getResult(0), value);
  return success();
}

static LogicalResult dim(InterpreterState &state, Operation *op) {
  auto dimOp = cast<memref::DimOp>(op);
  FailureOr<int64_t> index = state.getInteger(dimOp.getIndex(), op);
  if (failed(index))
    return failure();
  ArrayRef<int64_t> sizes = state.get(dimOp.getSource()).memref->sizes;
  if (*index < 0 || *index >= int64_t(sizes.size()))
    return op->emitError("asks for a dimension that the memref does not have");
  state.set(op->getResult(0),
            Attribute(IntegerAttr::get(IndexType::get(op->getContext()),
                                       sizes[*index])));
  return success();
}

InterpreterState::Handler fuzz::getMemRefHandler(Operation *op) {
  return llvm::TypeSwitch<Operation *, InterpreterState::Handler>(op)
      .Case([](bufferization::ToTensorOp) { return toTensor; })
      .Case(
          [](bufferization::MaterializeInDestinationOp) { return materialize; })
      .Case([](memref::LoadOp) { return load; })
      .Case([](memref::StoreOp) { return store; })
      .Case([](memref::SubViewOp) { return subview; })
      .Case([](memref::CastOp) { return castMemRef; })
      .Case([](memref::DimOp) { return dim; })
      .Default([](Operation *) { return nullptr; });
}
