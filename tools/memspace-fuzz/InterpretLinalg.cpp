//===- InterpretLinalg.cpp - structured ops, by running their payload -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "InterpreterState.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::memspace;
using namespace mlir::memspace::fuzz;

/// Evaluates an expression without symbols.
static int64_t evaluate(AffineExpr expr, ArrayRef<int64_t> dims) {
  if (auto dim = dyn_cast<AffineDimExpr>(expr))
    return dims[dim.getPosition()];
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return constant.getValue();
  auto binary = cast<AffineBinaryOpExpr>(expr);
  int64_t lhs = evaluate(binary.getLHS(), dims);
  int64_t rhs = evaluate(binary.getRHS(), dims);
  switch (expr.getKind()) {
  case AffineExprKind::Add:
    return lhs + rhs;
  case AffineExprKind::Mul:
    return lhs * rhs;
  case AffineExprKind::FloorDiv:
    return llvm::divideFloorSigned(lhs, rhs);
  case AffineExprKind::CeilDiv:
    return llvm::divideCeilSigned(lhs, rhs);
  default:
    return llvm::mod(lhs, rhs);
  }
}

/// Extents of the loops: each is the size of an operand's dimension that the
/// loop alone indexes.
static FailureOr<SmallVector<int64_t>>
getLoopExtents(linalg::LinalgOp op, ArrayRef<AffineMap> maps,
               ArrayRef<Tensor> operands) {
  SmallVector<int64_t> extents(op.getNumLoops(), -1);
  for (auto [map, operand] : llvm::zip_equal(maps, operands))
    for (auto [result, size] : llvm::zip_equal(map.getResults(), operand.shape))
      if (auto dim = dyn_cast<AffineDimExpr>(result)) {
        int64_t &extent = extents[dim.getPosition()];
        if (extent >= 0 && extent != size)
          return op.emitError("has operands whose shapes do not agree");
        extent = size;
      }
  if (llvm::is_contained(extents, -1))
    return op.emitError("is not supported by the interpreter: a loop has no "
                        "operand that tells its extent");
  return extents;
}

static LogicalResult interpretLinalg(InterpreterState &state, Operation *op) {
  auto linalgOp = cast<linalg::LinalgOp>(op);
  SmallVector<AffineMap> maps = linalgOp.getIndexingMapsArray();
  // Copies: the inputs of an op see nothing of what it writes.
  SmallVector<Tensor> operands;
  for (Value operand : op->getOperands()) {
    RuntimeValue value = state.get(operand);
    if (value.tensor)
      operands.push_back(*value.tensor);
    else if (value.memref)
      operands.push_back(value.memref->read());
    else
      operands.push_back({operand.getType(), {}, {value.scalar}});
  }
  FailureOr<SmallVector<int64_t>> extents =
      getLoopExtents(linalgOp, maps, operands);
  if (failed(extents))
    return failure();

  unsigned firstInit = linalgOp.getNumDpsInputs();
  SmallVector<int64_t> positions(operands.size());
  SmallVector<RuntimeValue> arguments, yielded;
  auto runPayload = [&](ArrayRef<int64_t> loops) -> LogicalResult {
    arguments.clear();
    for (auto [i, map, operand] : llvm::enumerate(maps, operands)) {
      SmallVector<int64_t, 4> indices;
      for (AffineExpr result : map.getResults())
        indices.push_back(evaluate(result, loops));
      std::optional<int64_t> position = linearize(indices, operand.shape);
      if (!position)
        return op->emitError("accesses operand ") << i << " out of range";
      positions[i] = *position;
      arguments.emplace_back(operand.elements[*position]);
    }
    state.loopIndices.push_back(loops);
    LogicalResult result = state.run(*linalgOp.getBlock(), arguments, &yielded);
    state.loopIndices.pop_back();
    if (failed(result))
      return failure();
    for (auto [i, value] : llvm::enumerate(yielded))
      operands[firstInit + i].elements[positions[firstInit + i]] = value.scalar;
    return success();
  };
  if (failed(forEachIndex(*extents, runPayload)))
    return failure();

  unsigned nextResult = 0;
  for (auto [i, init] : llvm::enumerate(linalgOp.getDpsInits())) {
    Tensor &tensor = operands[firstInit + i];
    if (isa<TensorType>(init.getType()))
      state.set(op->getResult(nextResult++), std::move(tensor));
    else
      state.get(init).memref->write(tensor);
  }
  return success();
}

static LogicalResult interpretIndex(InterpreterState &state, Operation *op) {
  int64_t index = state.loopIndices.back()[cast<linalg::IndexOp>(op).getDim()];
  state.set(op->getResult(0),
            Attribute(IntegerAttr::get(op->getResult(0).getType(), index)));
  return success();
}

InterpreterState::Handler fuzz::getLinalgHandler(Operation *op) {
  if (isa<linalg::IndexOp>(op))
    return interpretIndex;
  auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
  // The payload of every op but `linalg.map` takes all operands; that one takes
  // what its block says.
  if (!linalgOp ||
      linalgOp.getBlock()->getNumArguments() != op->getNumOperands())
    return nullptr;
  return interpretLinalg;
}
