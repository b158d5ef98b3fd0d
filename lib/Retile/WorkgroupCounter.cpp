//===- WorkgroupCounter.cpp - what a workgroup executes -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "WorkgroupCounter.h"
#include "Kernel/HardwareIds.h"
#include "MemSpace/IR/ArgumentBounds.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/VectorInterfaces.h"
#include "llvm/Support/MathExtras.h"
#include <numeric>

using namespace mlir;
using namespace mlir::memspace;

/// Iterations of a loop of which nobody knows how many it has.
static constexpr int64_t kUnknownTrips = 8;
/// The last iterations of a loop with a guard that are looked at one by one:
/// more than are copied ahead for, or than a tile in registers has.
static constexpr int64_t kGuardedIterations = 16;

static int64_t at(const Numbers &numbers, int64_t thread) {
  return numbers.size() == 1 ? numbers[0] : numbers[thread];
}

/// One number where all are equal.
static Numbers shorten(Numbers numbers) {
  if (!numbers.empty() && llvm::all_equal(numbers))
    numbers.resize(1);
  return numbers;
}

Numbers WorkgroupCounter::get(Value value) const {
  APInt constant;
  if (matchPattern(value, m_ConstantInt(&constant)))
    return constant.getSignificantBits() <= 64
               ? Numbers{constant.getSExtValue()}
               : Numbers();
  if (isa<BlockArgument>(value) && value.getParentBlock()->isEntryBlock() &&
      value.getParentBlock()->getParentOp() == context.getKernel()) {
    cost.isExact = false;
    return {getPromisedBounds(value, std::nullopt).getNearest(kUnknownNumber)};
  }
  auto it = values.find(value);
  return it == values.end() ? Numbers() : it->second;
}

Numbers WorkgroupCounter::get(OpFoldResult value) const {
  if (std::optional<int64_t> constant = getConstantIntValue(value))
    return {*constant};
  auto dynamic = dyn_cast<Value>(value);
  return dynamic ? get(dynamic) : Numbers();
}

Numbers WorkgroupCounter::computeMap(
    AffineMap map, ValueRange operands,
    function_ref<int64_t(ArrayRef<int64_t>)> combine) const {
  SmallVector<Numbers> inputs;
  bool isUniform = true;
  for (Value operand : operands) {
    inputs.push_back(get(operand));
    if (inputs.back().empty())
      return {};
    isUniform &= inputs.back().size() == 1;
  }
  Numbers result;
  Builder builder(map.getContext());
  for (int64_t thread = 0; thread < (isUniform ? 1 : threads); ++thread) {
    SmallVector<Attribute> constants;
    for (const Numbers &input : inputs)
      constants.push_back(builder.getIndexAttr(at(input, thread)));
    SmallVector<int64_t> numbers;
    SmallVector<Attribute> folded;
    if (failed(map.constantFold(constants, folded)))
      return {};
    for (Attribute attribute : folded)
      numbers.push_back(cast<IntegerAttr>(attribute).getInt());
    result.push_back(combine(numbers));
  }
  return shorten(std::move(result));
}

static int64_t getLeast(ArrayRef<int64_t> numbers) {
  return *llvm::min_element(numbers);
}
static int64_t getLargest(ArrayRef<int64_t> numbers) {
  return *llvm::max_element(numbers);
}

Numbers WorkgroupCounter::get(const LoopBound &bound, bool isLower) const {
  if (bound.map)
    return computeMap(bound.map, bound.operands,
                      isLower ? getLargest : getLeast);
  return get(bound.value);
}

/// What an unknown extent counts as: one that is divided, to be shared by
/// workgroups, is so many times the divisor that it is worth it, and a rest.
static int64_t getUnknownExtent(memref::DimOp dim) {
  int64_t divisor = 1;
  for (Operation *user : dim->getUsers())
    if (auto apply = dyn_cast<affine::AffineApplyOp>(user);
        apply && apply->getNumOperands() == 1)
      apply.getMap().walkExprs([&](AffineExpr expr) {
        auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
        auto constant =
            binary ? dyn_cast<AffineConstantExpr>(binary.getRHS()) : nullptr;
        if (expr.getKind() == AffineExprKind::FloorDiv && constant)
          divisor = std::max(divisor, constant.getValue());
      });
  constexpr int64_t kMost = int64_t(1) << 32;
  return divisor < kUnknownNumber || divisor > kMost
             ? kUnknownNumber
             : 16 * divisor + divisor / 2;
}

/// The integer that `op`, which has one result, computes.
Numbers WorkgroupCounter::compute(Operation *op) const {
  if (std::optional<HardwareId> id = getHardwareId(op)) {
    Numbers result;
    const LaunchSizes &size = context.getShape().block;
    for (int64_t thread = 0; thread < threads; ++thread) {
      ThreadPlace place;
      place.thread = {thread % size[0], thread / size[0] % size[1],
                      thread / (size[0] * size[1])};
      for (unsigned dim = 0; dim < 3; ++dim)
        place.block[dim] = block[dim];
      std::optional<int64_t> number = getIdNumber(*id, context, place);
      if (!number)
        return {};
      result.push_back(*number);
    }
    return shorten(std::move(result));
  }
  if (auto apply = dyn_cast<affine::AffineApplyOp>(op))
    return computeMap(apply.getMap(), apply.getOperands(), getLeast);
  if (auto least = dyn_cast<affine::AffineMinOp>(op))
    return computeMap(least.getMap(), least.getOperands(), getLeast);
  if (auto largest = dyn_cast<affine::AffineMaxOp>(op))
    return computeMap(largest.getMap(), largest.getOperands(), getLargest);
  if (auto dim = dyn_cast<memref::DimOp>(op)) {
    auto expand = dim.getSource().getDefiningOp<memref::ExpandShapeOp>();
    if (std::optional<int64_t> index = getConstantIntValue(dim.getIndex());
        expand && index)
      return get(expand.getMixedOutputShape()[*index]);
    cost.isExact = false;
    return {
        getPromisedBounds(dim.getSource(), getConstantIntValue(dim.getIndex()))
            .getNearest(getUnknownExtent(dim))};
  }
  if (!isa<arith::ArithDialect>(op->getDialect()))
    return {};
  SmallVector<Numbers> inputs;
  bool isUniform = true;
  for (Value operand : op->getOperands()) {
    inputs.push_back(get(operand));
    if (inputs.back().empty())
      return {};
    isUniform &= inputs.back().size() == 1;
  }
  Numbers result;
  for (int64_t thread = 0; thread < (isUniform ? 1 : threads); ++thread) {
    SmallVector<Attribute> constants;
    for (auto [input, operand] : llvm::zip_equal(inputs, op->getOperands()))
      constants.push_back(
          IntegerAttr::get(operand.getType(), at(input, thread)));
    SmallVector<OpFoldResult> folded;
    if (failed(op->fold(constants, folded)) || folded.empty())
      return {};
    auto number =
        dyn_cast_or_null<IntegerAttr>(dyn_cast<Attribute>(folded.front()));
    if (!number)
      return {};
    result.push_back(number.getValue().isSingleWord()
                         ? number.getType().isInteger(1)
                               ? number.getValue().getZExtValue()
                               : number.getValue().getSExtValue()
                         : 0);
  }
  return shorten(std::move(result));
}

void WorkgroupCounter::delinearize(affine::AffineDelinearizeIndexOp op) {
  for (Value result : op.getResults())
    values.erase(result);
  Numbers number = get(op.getLinearIndex());
  ResultRange results = op.getResults();
  SmallVector<OpFoldResult> basis = op.getMixedBasis();
  for (size_t i = results.size(); i-- > 0 && !number.empty();) {
    // The first has no extent where it has no outer bound.
    size_t last = results.size() - basis.size();
    Numbers extent = i < last ? Numbers{0} : get(basis[i - last]);
    if (extent.empty())
      return;
    Numbers digit, rest;
    for (size_t thread = 0, e = std::max(number.size(), extent.size());
         thread < e; ++thread) {
      int64_t of = at(extent, thread), whole = at(number, thread);
      if (of <= 0 && i != 0)
        return;
      digit.push_back(of <= 0 ? whole : llvm::mod(whole, of));
      rest.push_back(of <= 0 ? 0 : llvm::divideFloorSigned(whole, of));
    }
    values[results[i]] = shorten(i == 0 ? std::move(number) : std::move(digit));
    number = std::move(rest);
  }
}

//===----------------------------------------------------------------------===//
// Counting
//===----------------------------------------------------------------------===//

/// Elements that an access of `type` moves.
static int64_t getElements(Type type) {
  auto vector = dyn_cast<VectorType>(type);
  return vector ? vector.getNumElements() : 1;
}

/// Bytes of an element, or of one of a vector's.
static int64_t getScalarBytes(Type memref, const TargetInfo &target) {
  Type element =
      getElementTypeOrSelf(cast<BaseMemRefType>(memref).getElementType());
  if (element.isIndex())
    return target.indexBytes;
  return element.isIntOrFloat()
             ? llvm::divideCeil(element.getIntOrFloatBitWidth(), 8)
             : 8;
}

/// `combine` of the numbers of each thread; it wraps around.
static Numbers combineNumbers(const Numbers &a, const Numbers &b,
                              function_ref<int64_t(int64_t, int64_t)> combine) {
  Numbers result;
  size_t count = a.empty() || b.empty() ? 0 : std::max(a.size(), b.size());
  for (size_t thread = 0; thread < count; ++thread)
    result.push_back(combine(at(a, thread), at(b, thread)));
  return result;
}

static Numbers add(const Numbers &a, const Numbers &b) {
  return combineNumbers(a, b, [](int64_t x, int64_t y) {
    return int64_t(uint64_t(x) + uint64_t(y));
  });
}
static Numbers multiply(const Numbers &a, const Numbers &b) {
  return combineNumbers(a, b, [](int64_t x, int64_t y) {
    return int64_t(uint64_t(x) * uint64_t(y));
  });
}

/// The place of a memref in what its buffer is, which begins at 0.
std::optional<WorkgroupCounter::Place>
WorkgroupCounter::getPlace(Value memref) const {
  auto type = dyn_cast<MemRefType>(memref.getType());
  if (!type)
    return std::nullopt;
  Operation *op = memref.getDefiningOp();
  if (auto cast = dyn_cast_or_null<memref::CastOp>(op))
    return getPlace(cast.getSource());
  if (auto subview = dyn_cast_or_null<memref::SubViewOp>(op)) {
    std::optional<Place> place = getPlace(subview.getSource());
    if (!place)
      return std::nullopt;
    llvm::SmallBitVector dropped = subview.getDroppedDims();
    SmallVector<Numbers> strides;
    for (auto [dim, offset] : llvm::enumerate(subview.getMixedOffsets())) {
      place->offset =
          add(place->offset, multiply(get(offset), place->strides[dim]));
      if (!dropped[dim])
        strides.push_back(
            multiply(get(subview.getMixedStrides()[dim]), place->strides[dim]));
    }
    place->strides = std::move(strides);
    return place;
  }
  Place place{{0}, {}};
  if (isa_and_nonnull<memref::ExpandShapeOp, memref::CollapseShapeOp>(op)) {
    std::optional<Place> source = getPlace(op->getOperand(0));
    if (!source)
      return std::nullopt;
    place.offset = source->offset;
  } else if (isa_and_nonnull<ViewLikeOpInterface>(op) &&
             !isa<memref::ViewOp>(op)) {
    // A view of bytes is a buffer, at a multiple of 16.
    return std::nullopt;
  }
  int64_t offset;
  SmallVector<int64_t> strides;
  if (failed(type.getStridesAndOffset(strides, offset)))
    return std::nullopt;
  for (int64_t stride : strides)
    place.strides.push_back(
        {ShapedType::isDynamic(stride) ? kUnknownNumber : stride});
  return place;
}

/// The first byte that each thread accesses; empty if it is not known.
Numbers WorkgroupCounter::getBytes(Value memref, ValueRange indices) const {
  std::optional<Place> place = getPlace(memref);
  if (!place || place->strides.size() != indices.size())
    return {};
  Numbers element = place->offset;
  for (auto [index, stride] : llvm::zip(indices, place->strides))
    element = add(element, multiply(get(index), stride));
  auto type = cast<MemRefType>(memref.getType());
  int64_t bytes = getElements(type.getElementType()) *
                  getScalarBytes(type, context.getTarget());
  return multiply(element, {bytes});
}

/// `width` bytes of each thread from `bytes` on; side by side if that is empty.
void WorkgroupCounter::countPattern(const Numbers &bytes, int64_t width,
                                    bool isWorkgroup, int64_t times,
                                    const Weights &weights) {
  int64_t lanes = context.getTarget().subgroupSize;
  std::optional<LanePattern> pattern;
  for (int64_t first = 0; first < threads; first += lanes) {
    ArrayRef<int64_t> subgroup =
        ArrayRef(weights).slice(first, std::min(lanes, threads - first));
    int64_t executions = getLargest(subgroup);
    if (executions == 0)
      continue;
    // The subgroups are alike, or nearly so.
    if (!pattern) {
      SmallVector<int64_t> begins;
      for (auto [lane, weight] : llvm::enumerate(subgroup))
        if (weight != 0)
          begins.push_back(bytes.empty() ? int64_t(begins.size()) * width
                                         : at(bytes, first + lane));
      pattern = LanePattern::get(begins, width);
    }
    if (isWorkgroup) {
      cost.workgroupBankCycles += executions * times * pattern->bankCycles;
      continue;
    }
    cost.globalSectors += executions * times * pattern->sectors;
    cost.globalLines += executions * times * pattern->lines;
  }
}

/// An access of `elements`, numbers of vectors counted one each. Without
/// indices it is as many accesses, in each of which the threads' elements are
/// side by side.
void WorkgroupCounter::countAccess(Value memref,
                                   std::optional<ValueRange> indices,
                                   int64_t elements, bool isRead, bool isWrite,
                                   const Weights &weights) {
  std::optional<MemorySpace> space =
      context.getSpaces().getNamedSpace(memref.getType());
  int64_t executions =
      std::accumulate(weights.begin(), weights.end(), int64_t(0));
  if (space == MemorySpace::Private || executions == 0)
    return;
  int64_t bytes = getScalarBytes(memref.getType(), context.getTarget());
  int64_t times = isRead + isWrite, moved = executions * elements * times;
  bool isWorkgroup = space == MemorySpace::Workgroup;
  if (indices)
    countPattern(getBytes(memref, *indices), elements * bytes, isWorkgroup,
                 times, weights);
  else
    countPattern({}, bytes, isWorkgroup, times * elements, weights);
  if (isWorkgroup) {
    cost.workgroupBytesMoved += moved * bytes;
    return;
  }
  cost.globalBytes += moved * bytes;
  cost.globalLoads += isRead ? executions * elements : 0;
  cost.globalStores += isWrite ? executions * elements : 0;
  for (auto [done, weight] : llvm::zip_equal(loads, weights))
    done += isRead ? weight : 0;
}

void WorkgroupCounter::countOp(Operation *op, const Weights &weights) {
  int64_t work = 1;
  if (auto load = dyn_cast<memref::LoadOp>(op)) {
    countAccess(load.getMemRef(), load.getIndices(),
                getElements(load.getType()), true, false, weights);
  } else if (auto store = dyn_cast<memref::StoreOp>(op)) {
    countAccess(store.getMemRef(), store.getIndices(),
                getElements(store.getValueToStore().getType()), false, true,
                weights);
  } else if (auto atomic = dyn_cast<memref::AtomicRMWOp>(op)) {
    countAccess(atomic.getMemref(), atomic.getIndices(), 1, true, true,
                weights);
  } else if (auto atomic = dyn_cast<memref::GenericAtomicRMWOp>(op)) {
    countAccess(atomic.getMemref(), atomic.getIndices(), 1, true, true,
                weights);
  } else if (auto transfer = dyn_cast<VectorTransferOpInterface>(op)) {
    bool isRead = op->getNumResults() != 0;
    countAccess(transfer.getBase(), ValueRange(transfer.getIndices()),
                transfer.getVectorType().getNumElements(), isRead, !isRead,
                weights);
  } else if (auto copy = dyn_cast<memref::CopyOp>(op)) {
    auto type = cast<BaseMemRefType>(copy.getSource().getType());
    int64_t elements =
        type.hasStaticShape() ? type.getNumElements() : kUnknownTrips;
    cost.isExact &= type.hasStaticShape();
    countAccess(copy.getSource(), std::nullopt, elements, true, false, weights);
    countAccess(copy.getTarget(), std::nullopt, elements, false, true, weights);
    work = elements;
  } else if (isa<gpu::BarrierOp>(op)) {
    cost.barriers += getLargest(weights);
  } else if (op->hasTrait<OpTrait::IsTerminator>() ||
             op->hasTrait<OpTrait::ConstantLike>() ||
             isa<ViewLikeOpInterface>(op)) {
    return;
  }
  for (auto [done, weight] : llvm::zip_equal(ops, weights))
    done += work * weight;
}

/// What is computed from `value`, inside of `region`, decides about a loop or a
/// guard.
static bool decidesControl(Value value, Region &region) {
  SmallVector<Value> left{value};
  DenseSet<Value> seen;
  while (!left.empty()) {
    Value next = left.pop_back_val();
    if (!seen.insert(next).second)
      continue;
    for (Operation *user : next.getUsers()) {
      if (!region.isAncestor(user->getParentRegion()))
        continue;
      if (user->getNumRegions() != 0)
        return true;
      for (Value result : user->getResults())
        if (result.getType().isIntOrIndex())
          left.push_back(result);
    }
  }
  return false;
}

void WorkgroupCounter::countLoop(const CountedLoop &loop,
                                 const Weights &weights) {
  Numbers lower, upper, step;
  if (loop.hasBounds()) {
    lower = get(loop.getLower(), /*isLower=*/true);
    upper = get(loop.getUpper(), /*isLower=*/false);
    step = get(loop.getStep());
  }
  Region &body = loop.getOperation()->getRegion(0);
  Value number = loop.getInductionVar();
  if (lower.empty() || upper.empty() || step.empty()) {
    cost.isExact = false;
    values.erase(number);
    Weights inside(weights);
    for (int64_t &weight : inside)
      weight *= kUnknownTrips;
    return countRegion(body, inside);
  }
  Weights trips;
  for (int64_t thread = 0; thread < threads; ++thread) {
    int64_t extent = at(upper, thread) - at(lower, thread);
    int64_t by = at(step, thread);
    trips.push_back(extent > 0 && by > 0 ? llvm::divideCeil(extent, by)
                                         : int64_t(0));
  }
  // The last iterations may do less than the others, which are all alike.
  int64_t apart = 0;
  if (getLargest(trips) > 1 && decidesControl(number, body))
    apart = llvm::any_of(body.getOps(), llvm::IsaPred<scf::IfOp>)
                ? kGuardedIterations
                : 1;
  for (int64_t left = apart; left >= 0; --left) {
    Weights executions;
    Numbers current;
    for (int64_t thread = 0; thread < threads; ++thread) {
      int64_t count = trips[thread];
      bool isExecuted = count > left;
      int64_t times = left == apart ? count - left : 1;
      executions.push_back(isExecuted ? weights[thread] * times : 0);
      int64_t iteration = left == apart ? 0 : count - 1 - left;
      current.push_back(at(lower, thread) +
                        std::max<int64_t>(iteration, 0) * at(step, thread));
    }
    if (getLargest(executions) == 0)
      continue;
    values[number] = shorten(std::move(current));
    countRegion(body, executions);
  }
}

void WorkgroupCounter::countIf(scf::IfOp op, const Weights &weights) {
  Numbers condition = get(op.getCondition());
  cost.isExact &= !condition.empty();
  Weights holds(weights), fails(weights);
  for (int64_t thread = 0; thread < threads && !condition.empty(); ++thread)
    (at(condition, thread) ? fails : holds)[thread] = 0;
  if (getLargest(holds) != 0)
    countRegion(op.getThenRegion(), holds);
  if (getLargest(fails) != 0 && !condition.empty())
    countRegion(op.getElseRegion(), fails);
}

void WorkgroupCounter::countRegion(Region &region, const Weights &weights) {
  for (Operation &op : region.getOps()) {
    if (CountedLoop loop = CountedLoop::get(&op)) {
      countLoop(loop, weights);
    } else if (auto guard = dyn_cast<scf::IfOp>(op)) {
      countIf(guard, weights);
    } else {
      if (auto split = dyn_cast<affine::AffineDelinearizeIndexOp>(op))
        delinearize(split);
      else if (op.getNumResults() == 1 &&
               op.getResult(0).getType().isIntOrIndex())
        values[op.getResult(0)] = compute(&op);
      countOp(&op, weights);
      cost.isExact &= op.getNumRegions() == 0;
      for (Region &inner : op.getRegions())
        countRegion(inner, weights);
    }
  }
}

/// What is summed over all workgroups.
static constexpr int64_t ExecutionCounts::*kSums[] = {
    &ExecutionCounts::globalBytes,
    &ExecutionCounts::globalLoads,
    &ExecutionCounts::globalStores,
    &ExecutionCounts::globalSectors,
    &ExecutionCounts::globalLines,
    &ExecutionCounts::workgroupBytesMoved,
    &ExecutionCounts::workgroupBankCycles,
    &ExecutionCounts::barriers};

void WorkgroupCounter::count(const LaunchSizes &place, int64_t times) {
  block = place;
  values.clear();
  ops.assign(threads, 0);
  loads.assign(threads, 0);
  ExecutionCounts before = cost;
  for (int64_t ExecutionCounts::*sum : kSums)
    cost.*sum = 0;
  countRegion(context.getKernel().getFunctionBody(), Weights(threads, 1));
  for (int64_t ExecutionCounts::*sum : kSums)
    cost.*sum = before.*sum + times * (cost.*sum);
  cost.threadOps = std::max(before.threadOps, getLargest(ops));
  cost.threadLoads = std::max(before.threadLoads, getLargest(loads));
}

bool WorkgroupCounter::dependsOnWorkgroup() const {
  Region &body = context.getKernel().getFunctionBody();
  return context.getKernel()
      ->walk([&](Operation *op) {
        std::optional<HardwareId> id = getHardwareId(op);
        return id && id->isOfWorkgroup() &&
                       decidesControl(op->getResult(0), body)
                   ? WalkResult::interrupt()
                   : WalkResult::advance();
      })
      .wasInterrupted();
}
