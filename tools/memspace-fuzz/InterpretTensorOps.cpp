//===- InterpretTensorOps.cpp - ops on tensors -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "InterpreterState.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::memspace;
using namespace mlir::memspace::fuzz;

/// The extents of a result: static ones from its type, the others from
/// `dynamicSizes` in order.
static FailureOr<SmallVector<int64_t>>
getShape(InterpreterState &state, Operation *op, ValueRange dynamicSizes) {
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  SmallVector<int64_t> shape(type.getShape());
  SmallVector<int64_t> sizes;
  if (failed(state.getIntegers(dynamicSizes, op, sizes)))
    return failure();
  auto next = sizes.begin();
  for (int64_t &extent : shape) {
    if (ShapedType::isDynamic(extent))
      extent = *next++;
    if (extent < 0)
      return op->emitError("has a negative extent");
  }
  if (!isInterpretable(shape))
    return op->emitError("is too large for the interpreter");
  return shape;
}

static Type getElementType(Operation *op) {
  return cast<ShapedType>(op->getResult(0).getType()).getElementType();
}

static LogicalResult empty(InterpreterState &state, Operation *op) {
  ValueRange sizes = op->getOperands();
  Value copy;
  if (auto alloc = dyn_cast<bufferization::AllocTensorOp>(op)) {
    sizes = alloc.getDynamicSizes();
    copy = alloc.getCopy();
  }
  if (copy) {
    state.set(op->getResult(0), state.get(copy));
    return success();
  }
  FailureOr<SmallVector<int64_t>> shape = getShape(state, op, sizes);
  if (failed(shape))
    return failure();
  state.set(op->getResult(0), Tensor::undefined(getElementType(op), *shape));
  return success();
}

static LogicalResult fromElements(InterpreterState &state, Operation *op) {
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  Tensor tensor = Tensor::undefined(type.getElementType(), type.getShape());
  for (auto [element, operand] :
       llvm::zip_equal(tensor.elements, op->getOperands()))
    element = state.get(operand).scalar;
  state.set(op->getResult(0), std::move(tensor));
  return success();
}

static LogicalResult splat(InterpreterState &state, Operation *op) {
  auto splatOp = cast<tensor::SplatOp>(op);
  FailureOr<SmallVector<int64_t>> shape =
      getShape(state, op, splatOp.getDynamicSizes());
  if (failed(shape))
    return failure();
  Tensor tensor = Tensor::undefined(getElementType(op), *shape);
  llvm::fill(tensor.elements, state.get(splatOp.getInput()).scalar);
  state.set(op->getResult(0), std::move(tensor));
  return success();
}

/// What the body of a `tensor.generate` or `tensor.pad` yields at `indices`.
static FailureOr<Attribute> runBody(InterpreterState &state, Operation *op,
                                    ArrayRef<int64_t> indices) {
  SmallVector<RuntimeValue> arguments, yielded;
  for (int64_t index : indices)
    arguments.emplace_back(
        IntegerAttr::get(IndexType::get(op->getContext()), index));
  if (failed(state.run(op->getRegion(0).front(), arguments, &yielded)))
    return failure();
  return yielded.front().scalar;
}

/// Makes the result of `op`, whose elements are what `getElement` returns.
static LogicalResult setElements(
    InterpreterState &state, Operation *op, ArrayRef<int64_t> shape,
    llvm::function_ref<FailureOr<Attribute>(ArrayRef<int64_t>)> getElement) {
  Tensor tensor = Tensor::undefined(getElementType(op), shape);
  int64_t next = 0;
  if (failed(
          forEachIndex(shape, [&](ArrayRef<int64_t> indices) -> LogicalResult {
            FailureOr<Attribute> element = getElement(indices);
            if (failed(element))
              return failure();
            tensor.elements[next++] = *element;
            return success();
          })))
    return failure();
  state.set(op->getResult(0), std::move(tensor));
  return success();
}

static LogicalResult generate(InterpreterState &state, Operation *op) {
  FailureOr<SmallVector<int64_t>> shape =
      getShape(state, op, cast<tensor::GenerateOp>(op).getDynamicExtents());
  if (failed(shape))
    return failure();
  return setElements(state, op, *shape, [&](ArrayRef<int64_t> indices) {
    return runBody(state, op, indices);
  });
}

static LogicalResult pad(InterpreterState &state, Operation *op) {
  auto padOp = cast<tensor::PadOp>(op);
  SmallVector<int64_t> low, high;
  if (failed(state.getIntegers(padOp.getMixedLowPad(), op, low)) ||
      failed(state.getIntegers(padOp.getMixedHighPad(), op, high)))
    return failure();
  const Tensor &source = state.getTensor(padOp.getSource());
  SmallVector<int64_t> shape;
  for (auto [before, extent, after] :
       llvm::zip_equal(low, source.shape, high)) {
    if (before < 0 || after < 0)
      return op->emitError("pads by a negative number");
    shape.push_back(before + extent + after);
  }
  if (!isInterpretable(shape))
    return op->emitError("is too large for the interpreter");
  return setElements(state, op, shape, [&](ArrayRef<int64_t> indices) {
    SmallVector<int64_t> inSource;
    for (auto [index, before] : llvm::zip_equal(indices, low))
      inSource.push_back(index - before);
    if (auto index = linearize(inSource, source.shape))
      return FailureOr<Attribute>(source.elements[*index]);
    return runBody(state, op, indices);
  });
}

static LogicalResult extract(InterpreterState &state, Operation *op) {
  auto extractOp = cast<tensor::ExtractOp>(op);
  const Tensor &tensor = state.getTensor(extractOp.getTensor());
  SmallVector<int64_t> indices;
  if (failed(state.getIntegers(extractOp.getIndices(), op, indices)))
    return failure();
  std::optional<int64_t> index = linearize(indices, tensor.shape);
  if (!index)
    return op->emitError("reads out of range");
  Attribute element = tensor.elements[*index];
  state.set(op->getResult(0), element);
  return success();
}

static LogicalResult insert(InterpreterState &state, Operation *op) {
  auto insertOp = cast<tensor::InsertOp>(op);
  Tensor tensor = state.getTensor(insertOp.getDest());
  SmallVector<int64_t> indices;
  if (failed(state.getIntegers(insertOp.getIndices(), op, indices)))
    return failure();
  std::optional<int64_t> index = linearize(indices, tensor.shape);
  if (!index)
    return op->emitError("writes out of range");
  tensor.elements[*index] = state.get(insertOp.getScalar()).scalar;
  state.set(op->getResult(0), std::move(tensor));
  return success();
}

static LogicalResult extractSlice(InterpreterState &state, Operation *op) {
  auto sliceOp = cast<tensor::ExtractSliceOp>(op);
  FailureOr<Slice> slice = getSlice(state, sliceOp);
  if (failed(slice))
    return failure();
  const Tensor &source = state.getTensor(sliceOp.getSource());
  llvm::SmallBitVector dropped = sliceOp.getDroppedDims();
  SmallVector<int64_t> shape;
  for (auto [dim, size] : llvm::enumerate(slice->sizes)) {
    if (size < 0)
      return op->emitError("has a negative extent");
    if (!dropped[dim])
      shape.push_back(size);
  }
  if (!isInterpretable(shape))
    return op->emitError("reads out of range");
  Tensor tensor = Tensor::undefined(source.elementType, shape);
  int64_t next = 0;
  if (failed(slice->forEach(source.shape, [&](int64_t index) {
        tensor.elements[next++] = source.elements[index];
      })))
    return op->emitError("reads out of range");
  state.set(op->getResult(0), std::move(tensor));
  return success();
}

static LogicalResult insertSlice(InterpreterState &state, Operation *op) {
  auto sliceOp = cast<tensor::InsertSliceOp>(op);
  FailureOr<Slice> slice = getSlice(state, sliceOp);
  if (failed(slice))
    return failure();
  const Tensor &source = state.getTensor(sliceOp.getSource());
  if (slice->getNumElements() != source.getNumElements())
    return op->emitError("inserts a tensor of another size than its slice");
  Tensor tensor = state.getTensor(sliceOp.getDest());
  int64_t next = 0;
  if (failed(slice->forEach(tensor.shape, [&](int64_t index) {
        tensor.elements[index] = source.elements[next++];
      })))
    return op->emitError("writes out of range");
  state.set(op->getResult(0), std::move(tensor));
  return success();
}

/// The same elements in the shape of the result.
static LogicalResult reshape(InterpreterState &state, Operation *op,
                             SmallVector<int64_t> shape) {
  Tensor tensor = state.getTensor(op->getOperand(0));
  int64_t numElements = 1;
  for (int64_t extent : shape)
    numElements *= extent;
  if (numElements != tensor.getNumElements())
    return op->emitError("changes the number of elements");
  tensor.shape = std::move(shape);
  state.set(op->getResult(0), std::move(tensor));
  return success();
}

static LogicalResult expandShape(InterpreterState &state, Operation *op) {
  SmallVector<int64_t> shape;
  if (failed(state.getIntegers(
          cast<tensor::ExpandShapeOp>(op).getMixedOutputShape(), op, shape)))
    return failure();
  return reshape(state, op, std::move(shape));
}

static LogicalResult collapseShape(InterpreterState &state, Operation *op) {
  const Tensor &source = state.getTensor(op->getOperand(0));
  SmallVector<int64_t> shape;
  for (ArrayRef<int64_t> group :
       cast<tensor::CollapseShapeOp>(op).getReassociationIndices()) {
    shape.push_back(1);
    for (int64_t dim : group)
      shape.back() *= source.shape[dim];
  }
  return reshape(state, op, std::move(shape));
}

static LogicalResult castShape(InterpreterState &state, Operation *op) {
  RuntimeValue value = state.get(op->getOperand(0));
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  for (auto [extent, known] :
       llvm::zip_equal(value.tensor->shape, type.getShape()))
    if (!ShapedType::isDynamic(known) && known != extent)
      return op->emitError("casts to a shape that the tensor does not have");
  state.set(op->getResult(0), value);
  return success();
}

static LogicalResult dim(InterpreterState &state, Operation *op) {
  auto dimOp = cast<tensor::DimOp>(op);
  const Tensor &tensor = state.getTensor(dimOp.getSource());
  FailureOr<int64_t> index = state.getInteger(dimOp.getIndex(), op);
  if (failed(index))
    return failure();
  if (*index < 0 || *index >= int64_t(tensor.shape.size()))
    return op->emitError("asks for a dimension that the tensor does not have");
  state.set(op->getResult(0),
            Attribute(IntegerAttr::get(IndexType::get(op->getContext()),
                                       tensor.shape[*index])));
  return success();
}

InterpreterState::Handler fuzz::getTensorHandler(Operation *op) {
  if (!llvm::all_of(op->getResultTypes(), [](Type type) {
        return isa<RankedTensorType>(type) || type.isIntOrIndexOrFloat();
      }))
    return nullptr;
  return llvm::TypeSwitch<Operation *, InterpreterState::Handler>(op)
      .Case<tensor::EmptyOp, bufferization::AllocTensorOp>(
          [](auto) { return empty; })
      .Case([](tensor::FromElementsOp) { return fromElements; })
      .Case([](tensor::SplatOp) { return splat; })
      .Case([](tensor::GenerateOp) { return generate; })
      .Case([](tensor::PadOp) { return pad; })
      .Case([](tensor::ExtractOp) { return extract; })
      .Case([](tensor::InsertOp) { return insert; })
      .Case([](tensor::ExtractSliceOp) { return extractSlice; })
      .Case([](tensor::InsertSliceOp) { return insertSlice; })
      .Case([](tensor::ExpandShapeOp) { return expandShape; })
      .Case([](tensor::CollapseShapeOp) { return collapseShape; })
      .Case([](tensor::CastOp) { return castShape; })
      .Case([](tensor::DimOp) { return dim; })
      .Default([](Operation *) { return nullptr; });
}
