//===- InputChecks.cpp - numbers that nobody can mean -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "InputChecks.h"
#include "MemSpace/Analysis/BufferUses.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Interfaces/ShapedOpInterfaces.h"

using namespace mlir;
using namespace mlir::memspace;

static LogicalResult checkDimension(ShapedDimOpInterface dim) {
  auto type = dyn_cast<ShapedType>(dim.getShapedValue().getType());
  std::optional<int64_t> index = getConstantIntValue(dim.getDimension());
  if (!type || !type.hasRank() || !index ||
      (*index >= 0 && *index < type.getRank()))
    return success();
  return dim.emitError() << "asks for the extent of dimension " << *index
                         << " of " << type << ", which has " << type.getRank()
                         << "; use a dimension from 0 on below that";
}

static LogicalResult checkSteps(LoopLikeOpInterface loop) {
  std::optional<SmallVector<OpFoldResult>> steps = loop.getLoopSteps();
  if (!steps)
    return success();
  auto forOp = dyn_cast<scf::ForOp>(loop.getOperation());
  bool isUnsigned = forOp && forOp.getUnsignedCmp();
  for (OpFoldResult step : *steps)
    if (std::optional<int64_t> constant = getConstantIntValue(step);
        constant && *constant <= 0 && !(isUnsigned && *constant < 0))
      return loop.emitError()
             << "loop with the step " << *constant
             << "; a step must be positive: count the iterations upward";
  return success();
}

/// The extents stand in the op and in its type.
static LogicalResult checkExpansion(tensor::ExpandShapeOp expand) {
  ArrayRef<int64_t> shape = expand.getResultType().getShape();
  if (expand.getStaticOutputShape() == shape)
    return success();
  auto diag = expand.emitError() << "expands to the shape [";
  llvm::interleaveComma(expand.getStaticOutputShape(), diag);
  return diag << "], which is not that of " << expand.getResultType()
              << "; write the same extents in both";
}

/// The stack is in private memory; workgroup memory is moved off it.
static LogicalResult checkStack(memref::AllocaOp alloca) {
  Attribute space = alloca.getType().getMemorySpace();
  auto gpu = dyn_cast_or_null<gpu::AddressSpaceAttr>(space);
  auto number = dyn_cast_or_null<IntegerAttr>(space);
  if (isWorkgroupMemory(alloca.getType()) ||
      !((gpu && gpu.getValue() != gpu::AddressSpace::Private) ||
        (number && number.getInt() != 5)))
    return success();
  return alloca.emitError() << "stack memory in the memory space " << space
                            << "; the stack of a thread is private, use "
                               "#gpu.address_space<private>";
}

/// What else upstream's verifiers pass.
static LogicalResult checkOp(Operation *op) {
  if (auto expand = dyn_cast<tensor::ExpandShapeOp>(op))
    return checkExpansion(expand);
  if (auto alloca = dyn_cast<memref::AllocaOp>(op))
    return checkStack(alloca);
  return success();
}

LogicalResult mlir::memspace::checkInput(Operation *root) {
  WalkResult result = root->walk([](Operation *op) -> WalkResult {
    if (auto dim = dyn_cast<ShapedDimOpInterface>(op);
        dim && failed(checkDimension(dim)))
      return WalkResult::interrupt();
    if (auto loop = dyn_cast<LoopLikeOpInterface>(op);
        loop && failed(checkSteps(loop)))
      return WalkResult::interrupt();
    return checkOp(op);
  });
  return failure(result.wasInterrupted());
}
