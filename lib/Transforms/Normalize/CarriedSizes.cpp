//===- CarriedSizes.cpp - the extents of loop-carried tensors -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CarriedSizes.h"
#include "MemSpace/IR/MemSpaceDialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "mlir/Interfaces/ValueBoundsOpInterface.h"

using namespace mlir;
using namespace mlir::memspace;

static bool hasDynamicExtents(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  return type && !type.hasStaticShape();
}

//===----------------------------------------------------------------------===//
// Where extents come from
//===----------------------------------------------------------------------===//

/// What `argument` of a loop or a forall holds at first, or what the first
/// region of a loop passes on to it.
static Value getFirstValue(BlockArgument argument) {
  Operation *parent = argument.getOwner()->getParentOp();
  if (auto loop = dyn_cast<scf::ForOp>(parent)) {
    OpOperand *init = loop.getTiedLoopInit(argument);
    return init ? init->get() : Value();
  }
  if (auto forall = dyn_cast<scf::ForallOp>(parent)) {
    OpOperand *output = forall.getTiedOpOperand(argument);
    return output ? output->get() : Value();
  }
  auto loop = dyn_cast<scf::WhileOp>(parent);
  if (!loop)
    return {};
  return argument.getOwner() == loop.getBeforeBody()
             ? loop.getInits()[argument.getArgNumber()]
             : loop.getConditionOp().getArgs()[argument.getArgNumber()];
}

Value CarriedSizes::getSameShape(Value value) {
  if (auto argument = dyn_cast<BlockArgument>(value))
    return getFirstValue(argument);
  auto result = cast<OpResult>(value);
  Operation *op = result.getOwner();
  unsigned number = result.getResultNumber();
  if (auto loop = dyn_cast<scf::ForOp>(op))
    return loop.getInitArgs()[number];
  if (auto loop = dyn_cast<scf::WhileOp>(op))
    return loop.getConditionOp().getArgs()[number];
  if (auto forall = dyn_cast<scf::ForallOp>(op))
    return forall.getTiedOpOperand(result)->get();
  if (auto exchange = dyn_cast<ExchangeOp>(op))
    return exchange.getInputs()[exchange.getPermutation()[number]];
  if (auto cast = dyn_cast<tensor::CastOp>(op))
    return isa<RankedTensorType>(cast.getSource().getType()) ? cast.getSource()
                                                             : Value();
  if (auto alloc = dyn_cast<bufferization::AllocTensorOp>(op))
    return alloc.getCopy();
  if (auto dps = dyn_cast<DestinationStyleOpInterface>(op))
    if (OpOperand *init = dps.getTiedOpOperand(result))
      return init->get();
  return {};
}

CarriedSizes::Extent CarriedSizes::trace(OpFoldResult number) {
  if (auto value = dyn_cast<Value>(number))
    if (auto dim = value.getDefiningOp<tensor::DimOp>())
      if (std::optional<int64_t> index = dim.getConstantIndex();
          index && isa<RankedTensorType>(dim.getSource().getType()) &&
          *index < cast<RankedTensorType>(dim.getSource().getType()).getRank())
        return trace(dim.getSource(), *index);
  return {number, Value(), 0};
}

/// Where dimension `dim` of `tensor` has its extent from, as far as `tensor`
/// is understood.
CarriedSizes::Extent CarriedSizes::follow(Value tensor, int64_t dim) {
  auto getBranches = [&](Value a, Value b) {
    Extent first = trace(a, dim);
    return areEqual(first, trace(b, dim)) ? first : Extent{{}, tensor, dim};
  };
  if (auto slice = tensor.getDefiningOp<tensor::ExtractSliceOp>()) {
    llvm::SmallBitVector dropped = slice.getDroppedDims();
    SmallVector<OpFoldResult> sizes;
    for (auto [source, size] : llvm::enumerate(slice.getMixedSizes()))
      if (!dropped.test(source))
        sizes.push_back(size);
    return trace(sizes[dim]);
  }
  if (auto empty = tensor.getDefiningOp<tensor::EmptyOp>())
    return trace(empty.getMixedSizes()[dim]);
  if (auto alloc = tensor.getDefiningOp<bufferization::AllocTensorOp>())
    return trace(OpFoldResult(
        alloc.getDynamicSizes()[alloc.getIndexOfDynamicSize(dim)]));
  if (auto expand = tensor.getDefiningOp<tensor::ExpandShapeOp>())
    return trace(expand.getMixedOutputShape()[dim]);
  if (auto select = tensor.getDefiningOp<arith::SelectOp>())
    return getBranches(select.getTrueValue(), select.getFalseValue());
  if (auto branch = tensor.getDefiningOp<scf::IfOp>()) {
    unsigned number = cast<OpResult>(tensor).getResultNumber();
    return getBranches(branch.thenYield().getOperand(number),
                       branch.elseYield().getOperand(number));
  }
  return {{}, tensor, dim};
}

CarriedSizes::Extent CarriedSizes::trace(Value tensor, int64_t dim) {
  while (true) {
    auto type = cast<RankedTensorType>(tensor.getType());
    if (!type.isDynamicDim(dim))
      return {Builder(tensor.getContext()).getIndexAttr(type.getDimSize(dim)),
              Value(), 0};
    Value next = getSameShape(tensor);
    if (!next)
      break;
    tensor = next;
  }
  auto [it, isNew] =
      known.try_emplace({tensor, dim}, Extent{OpFoldResult(), tensor, dim});
  if (!isNew)
    return it->second;
  Extent extent = follow(tensor, dim);
  return known[{tensor, dim}] = extent;
}

bool CarriedSizes::areEqual(const Extent &a, const Extent &b) {
  if (a.tensor || b.tensor)
    return a.tensor == b.tensor && a.dim == b.dim;
  if (a.number == b.number)
    return true;
  FailureOr<bool> areEqual =
      ValueBoundsConstraintSet::areEqual(a.number, b.number);
  return succeeded(areEqual) && *areEqual;
}

bool CarriedSizes::areEqual(Value a, Value b) {
  auto type = cast<RankedTensorType>(a.getType());
  for (int64_t dim = 0; dim < type.getRank(); ++dim)
    if (!areEqual(trace(a, dim), trace(b, dim)))
      return false;
  return true;
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

/// Operand i of `passed` takes the place of value i of `held`.
static LogicalResult check(Operation *loop, OperandRange passed,
                           ValueRange held, CarriedSizes &sizes) {
  for (auto [next, before] : llvm::zip(passed, held)) {
    if (next.getType() != before.getType() || !hasDynamicExtents(next) ||
        sizes.areEqual(next, before))
      continue;
    InFlightDiagnostic diag =
        loop->emitError()
        << "carries a tensor of type " << next.getType()
        << " whose extents are not known to stay the same in all iterations; "
           "carry one of the largest extents, and a slice's extent as a number";
    diag.attachNote(next.getLoc()) << "what takes its place";
    return diag;
  }
  return success();
}

LogicalResult mlir::memspace::checkCarriedSizes(FunctionOpInterface kernel) {
  CarriedSizes sizes;
  WalkResult result = kernel->walk([&](Operation *op) {
    if (auto loop = dyn_cast<scf::ForOp>(op)) {
      auto yield = cast<scf::YieldOp>(loop.getBody()->getTerminator());
      if (failed(check(loop, yield.getOperands(), loop.getInitArgs(), sizes)))
        return WalkResult::interrupt();
    } else if (auto loop = dyn_cast<scf::WhileOp>(op)) {
      if (failed(check(loop, loop.getYieldOp().getOperands(), loop.getInits(),
                       sizes)) ||
          failed(check(loop, loop.getConditionOp().getArgs(),
                       loop.getBeforeArguments(), sizes)))
        return WalkResult::interrupt();
    }
    return WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}
