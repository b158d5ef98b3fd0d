//===- TensorCopies.cpp - the copies that conflicts need -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MemSpace/Spaces/TensorClaims.h"
#include "MemSpace/Transforms/AllocationHook.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Bufferization/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::bufferization;
using namespace mlir::memspace;

static AllocTensorOp createCopy(OpBuilder &builder, Location loc, Value value) {
  auto type = cast<RankedTensorType>(value.getType());
  if (!isUndefinedTensor(value))
    return AllocTensorOp::create(builder, loc, type, ValueRange(), value);
  SmallVector<Value> sizes;
  for (int64_t dim = 0; dim < type.getRank(); ++dim)
    if (type.isDynamicDim(dim))
      sizes.push_back(tensor::DimOp::create(builder, loc, value, dim));
  return AllocTensorOp::create(builder, loc, type, sizes);
}

/// What an op gets a copy of that its model would not ask for. Of a slice the
/// copy is no larger.
static void copyDoubtful(ArrayRef<OpOperand *> operands,
                         OneShotAnalysisState &state) {
  for (OpOperand *operand : operands) {
    Operation *op = operand->getOwner();
    OpBuilder builder(op);
    if (auto slice = dyn_cast<tensor::ExtractSliceOp>(op)) {
      builder.setInsertionPointAfter(op);
      AllocTensorOp copy = createCopy(builder, op->getLoc(), slice);
      slice.getResult().replaceAllUsesExcept(copy, copy);
    } else {
      operand->set(createCopy(builder, op->getLoc(), operand->get()));
    }
    state.bufferizeInPlace(*operand);
  }
}

LogicalResult mlir::memspace::insertNeededCopies(FunctionOpInterface kernel,
                                                 OneShotAnalysisState &state) {
  copyDoubtful(getOperandsToCopy(kernel, state), state);
  DenseSet<Operation *> before;
  kernel->walk([&](AllocTensorOp alloc) { before.insert(alloc); });
  BufferizationState bufferizationState;
  if (failed(insertTensorCopies(kernel, state, bufferizationState)))
    return failure();
  // Upstream gives a copy the memory space of what it copies, which may be the
  // caller's memory. Where the copy lives is to be decided as for any other.
  kernel->walk([&](AllocTensorOp alloc) {
    if (!before.contains(alloc))
      alloc.removeMemorySpaceAttr();
  });
  return success();
}
