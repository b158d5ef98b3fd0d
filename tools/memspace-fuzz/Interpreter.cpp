//===- Interpreter.cpp - what a tensor kernel computes, without bufferization
//-===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "InterpreterState.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::memspace;
using namespace mlir::memspace::fuzz;

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

SmallVector<RuntimeValue> InterpreterState::get(ValueRange range) {
  return llvm::map_to_vector(range, [&](Value value) { return get(value); });
}

SmallVector<Tensor> InterpreterState::getTensors(ValueRange range) {
  return llvm::map_to_vector(
      range, [&](Value value) { return Tensor(getTensor(value)); });
}

FailureOr<int64_t> InterpreterState::getInteger(Value value, Operation *user) {
  auto attribute = dyn_cast_or_null<IntegerAttr>(get(value).scalar);
  if (!attribute)
    return user->emitError("depends on an element that nobody has written");
  if (attribute.getType().isInteger(1))
    return int64_t(attribute.getValue().getZExtValue());
  return attribute.getValue().getSExtValue();
}

FailureOr<int64_t> InterpreterState::getInteger(OpFoldResult value,
                                                Operation *user) {
  if (auto attribute = dyn_cast<Attribute>(value))
    return cast<IntegerAttr>(attribute).getInt();
  return getInteger(cast<Value>(value), user);
}

LogicalResult InterpreterState::getIntegers(ArrayRef<OpFoldResult> mixed,
                                            Operation *user,
                                            SmallVectorImpl<int64_t> &result) {
  for (OpFoldResult value : mixed) {
    FailureOr<int64_t> integer = getInteger(value, user);
    if (failed(integer))
      return failure();
    result.push_back(*integer);
  }
  return success();
}

LogicalResult InterpreterState::getIntegers(ValueRange range, Operation *user,
                                            SmallVectorImpl<int64_t> &result) {
  return getIntegers(getAsOpFoldResult(range), user, result);
}

void InterpreterState::noteUndefinedUse(Operation *op) {
  if (outcome.undefinedUses++ == 0)
    outcome.firstUndefinedUse = op->getLoc();
}

//===----------------------------------------------------------------------===//
// Ops
//===----------------------------------------------------------------------===//

LogicalResult InterpreterState::run(Block &block,
                                    ArrayRef<RuntimeValue> arguments,
                                    SmallVectorImpl<RuntimeValue> *terminated) {
  for (auto [argument, value] :
       llvm::zip_equal(block.getArguments(), arguments))
    set(argument, value);
  for (Operation &op : block) {
    // What a terminator with a region does (`scf.forall.in_parallel`) is the
    // business of its parent.
    if (op.hasTrait<OpTrait::IsTerminator>()) {
      // An empty loop takes steps, too.
      if (failed(countStep(&op)))
        return failure();
      if (terminated)
        *terminated = get(op.getOperands());
      return success();
    }
    if (failed(execute(&op)))
      return failure();
  }
  return success();
}

/// `arith.select` of a tensor, or with an undefined element among those that it
/// does not choose.
static LogicalResult select(InterpreterState &state, Operation *op) {
  auto selectOp = cast<arith::SelectOp>(op);
  if (!selectOp.getCondition().getType().isInteger(1))
    return op->emitError("is not supported by the interpreter: the condition "
                         "is not a scalar");
  Attribute condition = state.get(selectOp.getCondition()).scalar;
  if (!condition && isa<TensorType, MemRefType>(op->getResult(0).getType()))
    return op->emitError("depends on an element that nobody has written");
  if (!condition) {
    state.noteUndefinedUse(op);
    state.set(op->getResult(0), Attribute());
    return success();
  }
  bool isTrue = cast<IntegerAttr>(condition).getValue().isOne();
  RuntimeValue chosen =
      state.get(isTrue ? selectOp.getTrueValue() : selectOp.getFalseValue());
  state.set(op->getResult(0), chosen);
  return success();
}

/// An op that is a constant, of scalar or tensor type.
static LogicalResult constant(InterpreterState &state, Operation *op) {
  Attribute value;
  if (!matchPattern(op, m_Constant(&value)))
    return op->emitError("is not supported by the interpreter");
  auto tensorType = dyn_cast<RankedTensorType>(op->getResult(0).getType());
  bool isPoison = isa<ub::PoisonAttr>(value);
  if (isPoison)
    value = nullptr;
  if (!tensorType) {
    state.set(op->getResult(0), value);
    return success();
  }
  auto dense = dyn_cast_or_null<DenseElementsAttr>(value);
  if (!dense && !isPoison)
    return op->emitError("is not supported by the interpreter: the constant is "
                         "not dense");
  if (!isInterpretable(tensorType.getShape()))
    return op->emitError("is too large for the interpreter");
  Tensor tensor =
      Tensor::undefined(tensorType.getElementType(), tensorType.getShape());
  if (dense)
    llvm::copy(dense.getValues<Attribute>(), tensor.elements.begin());
  state.set(op->getResult(0), std::move(tensor));
  return success();
}

static InterpreterState::Handler getHandler(Operation *op) {
  if (op->hasTrait<OpTrait::ConstantLike>())
    return constant;
  if (isa<arith::SelectOp>(op))
    return select;
  for (auto get : {getControlFlowHandler, getForallHandler, getTensorHandler,
                   getMemRefHandler, getLinalgHandler, getLieHandler,
                   getSortHandler, getScanHandler, getIndexedHandler})
    if (InterpreterState::Handler handler = get(op))
      return handler;
  return nullptr;
}

LogicalResult InterpreterState::countStep(Operation *op) {
  if (++outcome.steps > options.maxSteps)
    return op->emitError("is executed by a program that takes more than ")
           << options.maxSteps << " steps";
  return success();
}

LogicalResult InterpreterState::execute(Operation *op) {
  if (failed(countStep(op)))
    return failure();
  auto [it, isNew] = plans.try_emplace(op);
  if (isNew) {
    it->second.handler = getHandler(op);
    it->second.isScalar = ScalarFolder::accepts(op);
  }
  if (Handler handler = it->second.handler)
    return handler(*this, op);
  if (it->second.isScalar)
    return executeScalar(op);
  return op->emitError("is not supported by the interpreter");
}

LogicalResult InterpreterState::executeScalar(Operation *op) {
  SmallVector<Attribute, 4> operands;
  bool isUndefined = false;
  for (Value operand : op->getOperands()) {
    operands.push_back(get(operand).scalar);
    isUndefined |= !operands.back();
  }
  SmallVector<Attribute, 2> results;
  if (isUndefined) {
    noteUndefinedUse(op);
    results.resize(op->getNumResults());
  } else if (failed(folder.fold(op, operands, results))) {
    InFlightDiagnostic diagnostic =
        op->emitError("cannot be evaluated on these operands:");
    for (Attribute operand : operands)
      diagnostic << " " << operand;
    return diagnostic;
  }
  for (auto [result, value] : llvm::zip_equal(op->getResults(), results))
    set(result, value);
  return success();
}

//===----------------------------------------------------------------------===//
// The kernel
//===----------------------------------------------------------------------===//

FailureOr<Interpretation>
fuzz::interpret(FunctionOpInterface kernel,
                ArrayRef<emulator::HostBuffer> arguments,
                const InterpreterOptions &options) {
  if (kernel.isExternal() || !kernel.getFunctionBody().hasOneBlock())
    return kernel.emitError("must have a body of one block to be interpreted");
  if (kernel.getNumArguments() != arguments.size())
    return kernel.emitError("takes ") << kernel.getNumArguments()
                                      << " arguments, not " << arguments.size();
  InterpreterState state(options);
  SmallVector<std::shared_ptr<Tensor>> memory;
  SmallVector<RuntimeValue> values;
  for (auto [argument, type] :
       llvm::zip_equal(arguments, kernel.getArgumentTypes())) {
    auto tensor = std::make_shared<Tensor>(readHostBuffer(argument));
    memory.push_back(tensor);
    if (isa<MemRefType>(type))
      values.push_back(MemRefView::whole(tensor));
    else if (type.isIntOrIndexOrFloat())
      values.push_back(tensor->elements.front());
    else
      return kernel.emitError("has an argument of type ")
             << type << ", which the interpreter does not support";
  }
  if (failed(state.run(kernel.getFunctionBody().front(), values)))
    return failure();
  Interpretation result = std::move(state.outcome);
  for (auto [argument, tensor] : llvm::zip_equal(arguments, memory)) {
    result.arguments.push_back(argument);
    result.undefinedElements.push_back(
        writeHostBuffer(*tensor, result.arguments.back()));
  }
  return result;
}
