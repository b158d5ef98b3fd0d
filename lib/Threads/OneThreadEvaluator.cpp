//===- OneThreadEvaluator.cpp - what one thread computes -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OneThreadEvaluator.h"
#include "Kernel/ChainDepth.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/Support/CheckedArithmetic.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::memspace;

/// Elements of one access that are looked at.
static constexpr size_t kMaxElements = 1 << 14;

OneThreadEvaluator::OneThreadEvaluator(const KernelContext &context,
                                       const OverlapWitness::Side &side,
                                       Facts facts)
    : context(context), shape(this->context.getShape()), side(side),
      facts(facts) {
  if (facts == Facts::ThreadIds)
    return;
  auto isInductionVariable = [](Value value) {
    auto arg = dyn_cast<BlockArgument>(value);
    auto loop = arg ? dyn_cast<scf::ForOp>(arg.getOwner()->getParentOp())
                    : scf::ForOp();
    return loop && arg == loop.getInductionVar();
  };
  for (auto [value, number] : side.values)
    if (facts == Facts::Assumptions || isInductionVariable(value))
      values[value] = number;
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

std::optional<int64_t> OneThreadEvaluator::evaluate(Value value) {
  auto it = values.find(value);
  if (it != values.end())
    return it->second;
  ChainDepth chain(depth);
  std::optional<int64_t> result =
      chain.isTooDeep() ? std::nullopt : compute(value);
  values[value] = result;
  return result;
}

std::optional<int64_t> OneThreadEvaluator::evaluate(const LinearExpr &expr) {
  if (expr.invalid)
    return std::nullopt;
  int64_t sum = expr.constant;
  for (auto [value, coefficient] : expr.terms) {
    std::optional<int64_t> number = evaluate(value);
    int64_t product;
    if (!number || llvm::MulOverflow(*number, coefficient, product) ||
        llvm::AddOverflow(sum, product, sum))
      return std::nullopt;
  }
  return sum;
}

std::optional<int64_t> OneThreadEvaluator::evaluate(OpFoldResult value) {
  if (std::optional<int64_t> constant = getConstantIntValue(value))
    return constant;
  return evaluate(cast<Value>(value));
}

std::optional<int64_t> OneThreadEvaluator::compute(Value value) {
  Type type = value.getType();
  if (!type.isIndex() &&
      (!type.isSignlessInteger() || type.getIntOrFloatBitWidth() > 64))
    return std::nullopt;
  APInt constant;
  if (matchPattern(value, m_ConstantInt(&constant)))
    return constant.getSExtValue();
  auto result = dyn_cast<OpResult>(value);
  if (!result)
    return std::nullopt;
  Operation *op = result.getOwner();
  if (auto ifOp = dyn_cast<scf::IfOp>(op)) {
    std::optional<int64_t> holds = evaluate(ifOp.getCondition());
    if (!holds)
      return std::nullopt;
    auto yield = *holds ? ifOp.thenYield() : ifOp.elseYield();
    return evaluate(yield.getOperand(result.getResultNumber()));
  }
  if (std::optional<int64_t> id = computeId(op))
    return id;
  if (op->getNumRegions() != 0 || !isMemoryEffectFree(op))
    return std::nullopt;
  return fold(result);
}

/// Another workgroup has another id, unless there is only one.
std::optional<int64_t> OneThreadEvaluator::getBlockId(unsigned dim) const {
  if (shape.grid && (*shape.grid)[dim] == 1)
    return 0;
  if (facts == Facts::ThreadIds)
    return std::nullopt;
  return side.block[dim];
}

std::optional<int64_t> OneThreadEvaluator::computeId(Operation *op) const {
  auto getDim = [](auto op) {
    return static_cast<unsigned>(op.getDimension());
  };
  int64_t linear =
      side.thread[0] +
      shape.block[0] * (side.thread[1] + shape.block[1] * side.thread[2]);
  if (auto id = dyn_cast<gpu::ThreadIdOp>(op))
    return side.thread[getDim(id)];
  if (auto id = dyn_cast<gpu::BlockIdOp>(op))
    return getBlockId(getDim(id));
  if (auto dim = dyn_cast<gpu::BlockDimOp>(op))
    return shape.block[getDim(dim)];
  if (auto dim = dyn_cast<gpu::GridDimOp>(op); dim && shape.grid)
    return (*shape.grid)[getDim(dim)];
  if (auto id = dyn_cast<gpu::GlobalIdOp>(op)) {
    std::optional<int64_t> block = getBlockId(getDim(id));
    if (!block)
      return std::nullopt;
    return *block * shape.block[getDim(id)] + side.thread[getDim(id)];
  }
  std::optional<int64_t> subgroupSize = context.getSubgroupSize();
  if (!subgroupSize)
    return std::nullopt;
  if (isa<gpu::LaneIdOp>(op))
    return linear % *subgroupSize;
  if (isa<gpu::SubgroupIdOp>(op))
    return linear / *subgroupSize;
  if (isa<gpu::SubgroupSizeOp>(op))
    return subgroupSize;
  if (isa<gpu::NumSubgroupsOp>(op))
    return context.getSubgroups();
  return std::nullopt;
}

/// Folds a copy of the op, since folding may change it.
std::optional<int64_t> OneThreadEvaluator::fold(OpResult result) {
  Operation *op = result.getOwner();
  SmallVector<Attribute> operands;
  for (Value operand : op->getOperands()) {
    std::optional<int64_t> number = evaluate(operand);
    Type type = operand.getType();
    if (!number) {
      // A select needs only one of its operands.
      operands.push_back(Attribute());
      continue;
    }
    unsigned width = type.isIndex() ? IndexType::kInternalStorageBitWidth
                                    : type.getIntOrFloatBitWidth();
    operands.push_back(IntegerAttr::get(type, APInt(width, *number,
                                                    /*isSigned=*/true,
                                                    /*implicitTrunc=*/true)));
  }
  Operation *clone = op->clone();
  SmallVector<OpFoldResult> folded;
  std::optional<int64_t> number;
  if (succeeded(clone->fold(operands, folded)) &&
      folded.size() == op->getNumResults()) {
    OpFoldResult mine = folded[result.getResultNumber()];
    if (auto value = dyn_cast<Value>(mine)) {
      // Of the clone, whose operands are those of the op.
      if (value.getDefiningOp() != clone)
        number = evaluate(value);
    } else if (auto attr = dyn_cast<IntegerAttr>(cast<Attribute>(mine));
               attr && attr.getValue().isSignedIntN(64)) {
      number = attr.getValue().getSExtValue();
    }
  }
  clone->destroy();
  return number;
}

//===----------------------------------------------------------------------===//
// Executions
//===----------------------------------------------------------------------===//

bool OneThreadEvaluator::runsIteration(scf::ForOp loop) {
  std::optional<int64_t> lower = evaluate(OpFoldResult(loop.getLowerBound()));
  std::optional<int64_t> upper = evaluate(OpFoldResult(loop.getUpperBound()));
  std::optional<int64_t> step = evaluate(OpFoldResult(loop.getStep()));
  std::optional<int64_t> iv = evaluate(Value(loop.getInductionVar()));
  if (!iv && lower) {
    // The access does not depend on the iteration: take the first one.
    iv = lower;
    values[loop.getInductionVar()] = lower;
  }
  int64_t distance;
  return lower && upper && step && iv && *step > 0 && !loop.getUnsignedCmp() &&
         *lower <= *iv && *iv < *upper &&
         !llvm::SubOverflow(*iv, *lower, distance) && distance % *step == 0;
}

bool OneThreadEvaluator::executes(Operation *op) {
  for (unsigned dim = 0; dim < 3; ++dim) {
    int64_t blocks = shape.grid ? (*shape.grid)[dim] : 1;
    if (side.thread[dim] < 0 || side.thread[dim] >= shape.block[dim] ||
        side.block[dim] < 0 || side.block[dim] >= blocks)
      return false;
  }
  FunctionOpInterface kernel = context.getKernel();
  // From the outside in: an inner bound may depend on an outer iteration.
  SmallVector<Operation *> chain;
  for (Operation *inner = op; inner != kernel.getOperation();
       inner = inner->getParentOp())
    chain.push_back(inner);
  for (Operation *inner : llvm::reverse(chain)) {
    if (!inner->getParentRegion()->hasOneBlock())
      return false;
    Operation *parent = inner->getParentOp();
    if (parent == kernel.getOperation())
      continue;
    if (auto loop = dyn_cast<scf::ForOp>(parent)) {
      if (!runsIteration(loop))
        return false;
    } else if (auto ifOp = dyn_cast<scf::IfOp>(parent)) {
      std::optional<int64_t> holds = evaluate(ifOp.getCondition());
      bool inThen = inner->getParentRegion() == &ifOp.getThenRegion();
      if (!holds || (*holds != 0) != inThen)
        return false;
    } else if (!isa<scf::ExecuteRegionOp>(parent)) {
      return false;
    }
  }
  return true;
}

std::optional<std::set<int64_t>>
OneThreadEvaluator::enumerate(const IndexRange &range) {
  std::optional<int64_t> offset = evaluate(range.offset);
  if (!offset || !range.size)
    return std::nullopt;
  std::set<int64_t> places{*offset};
  auto addExtent = [&](const LinearExpr &size, int64_t stride) {
    std::optional<int64_t> count = evaluate(size);
    if (!count || *count < 0 ||
        (*count > 0 && places.size() > kMaxElements / *count))
      return false;
    std::set<int64_t> sum;
    for (int64_t place : places)
      for (int64_t k = 0; k < *count; ++k) {
        std::optional<int64_t> next = llvm::checkedMulAdd(k, stride, place);
        if (!next)
          return false;
        sum.insert(*next);
      }
    places = std::move(sum);
    return true;
  };
  if (!addExtent(*range.size, range.stride))
    return std::nullopt;
  for (const auto &[size, stride] : range.extents)
    if (!addExtent(size, stride))
      return std::nullopt;
  return places;
}
