//===- OneThreadEvaluator.cpp - what one thread computes -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OneThreadEvaluator.h"
#include "Kernel/ChainDepth.h"
#include "Kernel/IntegerOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/IntegerSet.h"
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
    Operation *around = arg ? arg.getOwner()->getParentOp() : nullptr;
    if (auto forall = dyn_cast_if_present<scf::ForallOp>(around))
      return llvm::is_contained(forall.getInductionVars(), value);
    CountedLoop loop = CountedLoop::get(around);
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
  return expr.evaluate([&](Value value) { return evaluate(value); });
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
  if (std::optional<HardwareId> id = getHardwareId(op))
    return computeId(*id);
  if (op->getNumRegions() != 0 || !isMemoryEffectFree(op))
    return std::nullopt;
  return fold(result);
}

std::optional<int64_t> OneThreadEvaluator::computeId(HardwareId id) const {
  ThreadPlace place;
  for (unsigned dim = 0; dim < 3; ++dim) {
    place.thread[dim] = side.thread[dim];
    // What the thread's ids decide holds in other workgroups, too.
    if (facts != Facts::ThreadIds)
      place.block[dim] = side.block[dim];
  }
  return getIdNumber(id, context, place);
}

std::optional<int64_t> OneThreadEvaluator::fold(OpResult result) {
  Operation *op = result.getOwner();
  auto operands = llvm::map_to_vector(
      op->getOperands(), [&](Value operand) { return evaluate(operand); });
  SmallVector<std::optional<int64_t>> results = NumberFolder(op).fold(
      operands, [&](Value value) { return evaluate(value); });
  return results.empty() ? std::nullopt : results[result.getResultNumber()];
}

//===----------------------------------------------------------------------===//
// Executions
//===----------------------------------------------------------------------===//

/// The results of `map`, if all of its operands are known.
std::optional<SmallVector<int64_t>>
OneThreadEvaluator::evaluate(AffineMap map, ValueRange operands) {
  Builder builder(map.getContext());
  SmallVector<Attribute> inputs, folded;
  for (Value operand : operands) {
    std::optional<int64_t> number = evaluate(operand);
    if (!number)
      return std::nullopt;
    inputs.push_back(builder.getIndexAttr(*number));
  }
  if (failed(map.constantFold(inputs, folded)))
    return std::nullopt;
  return llvm::map_to_vector(
      folded, [](Attribute attr) { return cast<IntegerAttr>(attr).getInt(); });
}

std::optional<int64_t>
OneThreadEvaluator::evaluateLower(const CountedLoop &loop) {
  const LoopBound &bound = loop.getLower();
  if (!bound.map)
    return bound ? evaluate(bound.value) : std::nullopt;
  auto numbers = evaluate(bound.map, bound.operands);
  return numbers ? std::optional(*llvm::max_element(*numbers)) : std::nullopt;
}

std::optional<int64_t>
OneThreadEvaluator::evaluateUpper(const CountedLoop &loop) {
  const LoopBound &bound = loop.getUpper();
  if (!bound.map)
    return bound ? evaluate(bound.value) : std::nullopt;
  auto numbers = evaluate(bound.map, bound.operands);
  return numbers ? std::optional(*llvm::min_element(*numbers)) : std::nullopt;
}

std::optional<int64_t>
OneThreadEvaluator::evaluateStep(const CountedLoop &loop) {
  return evaluate(loop.getStep());
}

/// Whether the conditions of `op` hold.
std::optional<bool> OneThreadEvaluator::hold(affine::AffineIfOp op) {
  IntegerSet set = op.getIntegerSet();
  auto numbers = evaluate(AffineMap::get(set.getNumDims(), set.getNumSymbols(),
                                         set.getConstraints(), op.getContext()),
                          op.getOperands());
  if (!numbers)
    return std::nullopt;
  return llvm::all_of(llvm::enumerate(*numbers), [&](auto entry) {
    return set.isEq(entry.index()) ? entry.value() == 0 : entry.value() >= 0;
  });
}

bool OneThreadEvaluator::runsIteration(const CountedLoop &loop) {
  std::optional<int64_t> lower = evaluateLower(loop);
  std::optional<int64_t> upper = evaluateUpper(loop);
  std::optional<int64_t> step = evaluateStep(loop);
  std::optional<int64_t> iv = evaluate(Value(loop.getInductionVar()));
  if (!iv && lower) {
    // The access does not depend on the iteration: take the first one.
    iv = lower;
    values[loop.getInductionVar()] = lower;
  }
  int64_t distance;
  return lower && upper && step && iv && *step > 0 && !loop.isUnsigned() &&
         *lower <= *iv && *iv < *upper &&
         !llvm::SubOverflow(*iv, *lower, distance) && distance % *step == 0;
}

/// The id that counts the iterations of each dimension of a forall with this
/// mapping, and how many ids there are; none where this is not known. Ids of
/// dimensions that it does not name have to be 0.
static std::optional<SmallVector<std::pair<int64_t, int64_t>, 3>>
getMappedIds(const ForallMapping &mapping, ArrayRef<int64_t> thread,
             const KernelContext &context) {
  const LaunchShape &shape = context.getShape();
  std::optional<int64_t> lanes = context.getSubgroupSize();
  SmallVector<std::pair<int64_t, int64_t>, 3> ids;
  bool isOfSubgroups = mapping.scope == ExecutionScope::Subgroup;
  if ((mapping.lane || isOfSubgroups) && !lanes)
    return std::nullopt;
  if (mapping.scope != ExecutionScope::Thread && !isOfSubgroups)
    return std::nullopt;
  if (mapping.lane || mapping.linear) {
    if (mapping.dims.size() != 1)
      return std::nullopt;
    int64_t linear =
        thread[0] + (thread[1] + thread[2] * shape.block[1]) * shape.block[0];
    if (mapping.lane)
      ids.emplace_back(linear % *lanes, std::min(*lanes, shape.getThreads()));
    else if (isOfSubgroups)
      ids.emplace_back(linear / *lanes,
                       llvm::divideCeil(shape.getThreads(), *lanes));
    else
      ids.emplace_back(linear, shape.getThreads());
    return ids;
  }
  if (isOfSubgroups && shape.block[0] % *lanes != 0)
    return std::nullopt;
  int64_t threads[3] = {isOfSubgroups ? *lanes : 1, 1, 1};
  for (unsigned dim : mapping.dims) {
    if (dim > 2)
      return std::nullopt;
    ids.emplace_back(thread[dim] / threads[dim],
                     shape.block[dim] / threads[dim]);
  }
  for (unsigned dim = 0; dim < 3; ++dim)
    if (!llvm::is_contained(mapping.dims, dim) &&
        thread[dim] / threads[dim] != 0)
      return std::nullopt;
  return ids;
}

bool OneThreadEvaluator::runsIteration(scf::ForallOp forall) {
  std::optional<ForallMapping> mapping = getForallMapping(forall);
  std::optional<SmallVector<int64_t, 3>> trips = getStaticTripCounts(forall);
  auto ids = mapping && trips ? getMappedIds(*mapping, side.thread, context)
                              : std::nullopt;
  if (!ids)
    return false;
  for (auto [index, id] : llvm::enumerate(*ids)) {
    auto [number, available] = id;
    std::optional<int64_t> lower = evaluate(forall.getMixedLowerBound()[index]);
    std::optional<int64_t> step = evaluate(forall.getMixedStep()[index]);
    Value iv = forall.getInductionVar(index);
    int64_t distance, first;
    if (!lower || !step || llvm::MulOverflow(number, *step, first) ||
        llvm::AddOverflow(first, *lower, first))
      return false;
    // As in runsIteration of a loop.
    std::optional<int64_t> iteration = evaluate(iv);
    if (!iteration) {
      iteration = first;
      values[iv] = iteration;
    }
    if (*iteration < *lower ||
        llvm::SubOverflow(*iteration, *lower, distance) ||
        distance % *step != 0 || distance / *step >= (*trips)[index] ||
        distance / *step % available != number)
      return false;
  }
  return true;
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
    if (CountedLoop loop = CountedLoop::get(parent)) {
      if (!runsIteration(loop))
        return false;
    } else if (auto forall = dyn_cast<scf::ForallOp>(parent)) {
      if (!runsIteration(forall))
        return false;
    } else if (auto affineIf = dyn_cast<affine::AffineIfOp>(parent)) {
      bool inThen = inner->getParentRegion() == &affineIf.getThenRegion();
      if (hold(affineIf).value_or(!inThen) != inThen)
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

std::optional<SmallVector<int64_t>>
OneThreadEvaluator::enumerate(const IndexRange &range) {
  std::optional<int64_t> offset = evaluate(range.offset);
  if (!offset || !range.size)
    return std::nullopt;
  SmallVector<int64_t> places{*offset};
  auto addExtent = [&](const LinearExpr &size, int64_t stride) {
    std::optional<int64_t> count = evaluate(size);
    if (!count || *count < 0 ||
        (*count > 0 && places.size() > kMaxElements / *count))
      return false;
    SmallVector<int64_t> sum;
    sum.reserve(places.size() * *count);
    for (int64_t place : places)
      for (int64_t k = 0; k < *count; ++k) {
        std::optional<int64_t> next = llvm::checkedMulAdd(k, stride, place);
        if (!next)
          return false;
        sum.push_back(*next);
      }
    if (!llvm::is_sorted(sum))
      llvm::sort(sum);
    sum.erase(llvm::unique(sum), sum.end());
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
