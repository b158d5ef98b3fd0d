//===- KernelCost.cpp - what a finished kernel costs ----------------------===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MemSpace/Retile/KernelCost.h"
#include "Kernel/HardwareIds.h"
#include "MemSpace/IR/ArgumentBounds.h"
#include "MemSpace/IR/GridSize.h"
#include "MemSpace/Kernel/CountedLoop.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/VectorInterfaces.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::memspace;

/// Iterations of a loop of which nobody knows how many it has.
static constexpr int64_t kUnknownTrips = 8;
/// An extent or a number that the caller gives.
static constexpr int64_t kUnknownNumber = 1024;
/// The last iterations of a loop with a guard that are looked at one by one:
/// more than are copied ahead for, or than a tile in registers has.
static constexpr int64_t kGuardedIterations = 16;

//===----------------------------------------------------------------------===//
// Numbers of all threads
//===----------------------------------------------------------------------===//

namespace {
/// An integer of each thread of a workgroup: one for all, or one for each; none
/// at all if it is not known.
using Numbers = SmallVector<int64_t, 1>;

/// How often each thread executes something.
using Weights = SmallVector<int64_t>;

/// Executes the control flow of a workgroup, all threads side by side.
class WorkgroupCounter {
public:
  WorkgroupCounter(const KernelContext &context, KernelCost &cost)
      : context(context), cost(cost), threads(context.getThreads()) {}

  /// Counts the workgroup at `block`, `times` times.
  void count(const LaunchSizes &block, int64_t times);
  /// Some loop or guard depends on which workgroup it is.
  bool dependsOnWorkgroup() const;
  int64_t getThreadOps() const { return *llvm::max_element(ops); }

private:
  void countRegion(Region &region, const Weights &weights);
  void countOp(Operation *op, const Weights &weights);
  void countLoop(const CountedLoop &loop, const Weights &weights);
  void countIf(scf::IfOp op, const Weights &weights);
  void countAccess(Operation *op, Value memref, int64_t elements, bool isRead,
                   bool isWrite, const Weights &weights);

  Numbers get(Value value) const;
  Numbers get(OpFoldResult value) const;
  Numbers get(const LoopBound &bound, bool isLower) const;
  Numbers compute(Operation *op) const;
  Numbers computeMap(AffineMap map, ValueRange operands,
                     function_ref<int64_t(ArrayRef<int64_t>)> combine) const;

  KernelContext context;
  KernelCost &cost;
  int64_t threads;
  LaunchSizes block = {0, 0, 0};
  DenseMap<Value, Numbers> values;
  /// Ops that each thread has executed, in the workgroup with the most.
  Weights ops;
};
} // namespace

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
    cost.isExact = false;
    return {
        getPromisedBounds(dim.getSource(), getConstantIntValue(dim.getIndex()))
            .getNearest(kUnknownNumber)};
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

//===----------------------------------------------------------------------===//
// Counting
//===----------------------------------------------------------------------===//

void WorkgroupCounter::countAccess(Operation *op, Value memref,
                                   int64_t elements, bool isRead, bool isWrite,
                                   const Weights &weights) {
  auto type = cast<BaseMemRefType>(memref.getType());
  std::optional<MemorySpace> space = context.getSpaces().getNamedSpace(type);
  if (space == MemorySpace::Private)
    return;
  int64_t executions =
      std::accumulate(weights.begin(), weights.end(), int64_t(0));
  Type element = type.getElementType();
  int64_t bytes = element.isIndex() ? context.getTarget().indexBytes
                  : element.isIntOrFloat()
                      ? llvm::divideCeil(element.getIntOrFloatBitWidth(), 8)
                      : 8;
  int64_t moved = executions * elements * (isRead + isWrite);
  if (space == MemorySpace::Workgroup) {
    cost.workgroupBytesMoved += moved * bytes;
    return;
  }
  cost.globalBytes += moved * bytes;
  cost.globalLoads += isRead ? executions * elements : 0;
  cost.globalStores += isWrite ? executions * elements : 0;
}

/// Elements that an access of `type` moves.
static int64_t getElements(Type type) {
  auto vector = dyn_cast<VectorType>(type);
  return vector ? vector.getNumElements() : 1;
}

void WorkgroupCounter::countOp(Operation *op, const Weights &weights) {
  int64_t work = 1;
  if (auto load = dyn_cast<memref::LoadOp>(op)) {
    countAccess(op, load.getMemRef(), getElements(load.getType()), true, false,
                weights);
  } else if (auto store = dyn_cast<memref::StoreOp>(op)) {
    countAccess(op, store.getMemRef(),
                getElements(store.getValueToStore().getType()), false, true,
                weights);
  } else if (auto atomic = dyn_cast<memref::AtomicRMWOp>(op)) {
    countAccess(op, atomic.getMemref(), 1, true, true, weights);
  } else if (auto atomic = dyn_cast<memref::GenericAtomicRMWOp>(op)) {
    countAccess(op, atomic.getMemref(), 1, true, true, weights);
  } else if (auto transfer = dyn_cast<VectorTransferOpInterface>(op)) {
    bool isRead = op->getNumResults() != 0;
    countAccess(op, transfer.getBase(),
                transfer.getVectorType().getNumElements(), isRead, !isRead,
                weights);
  } else if (auto copy = dyn_cast<memref::CopyOp>(op)) {
    auto type = cast<BaseMemRefType>(copy.getSource().getType());
    int64_t elements =
        type.hasStaticShape() ? type.getNumElements() : kUnknownTrips;
    cost.isExact &= type.hasStaticShape();
    countAccess(op, copy.getSource(), elements, true, false, weights);
    countAccess(op, copy.getTarget(), elements, false, true, weights);
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
      if (op.getNumResults() == 1 && op.getResult(0).getType().isIntOrIndex())
        values[op.getResult(0)] = compute(&op);
      countOp(&op, weights);
      cost.isExact &= op.getNumRegions() == 0;
      for (Region &inner : op.getRegions())
        countRegion(inner, weights);
    }
  }
}

void WorkgroupCounter::count(const LaunchSizes &place, int64_t times) {
  block = place;
  values.clear();
  Weights before = std::move(ops);
  ops.assign(threads, 0);
  KernelCost total = cost;
  cost.globalBytes = cost.globalLoads = cost.globalStores = 0;
  cost.workgroupBytesMoved = cost.barriers = 0;
  countRegion(context.getKernel().getFunctionBody(), Weights(threads, 1));
  cost.globalBytes = total.globalBytes + times * cost.globalBytes;
  cost.globalLoads = total.globalLoads + times * cost.globalLoads;
  cost.globalStores = total.globalStores + times * cost.globalStores;
  cost.workgroupBytesMoved =
      total.workgroupBytesMoved + times * cost.workgroupBytesMoved;
  cost.barriers = total.barriers + times * cost.barriers;
  if (!before.empty() && getLargest(before) > getLargest(ops))
    ops = std::move(before);
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

static LaunchSizes getGrid(const KernelContext &context, bool &isExact) {
  if (context.getShape().grid)
    return *context.getShape().grid;
  isExact = false;
  std::optional<GridSize> size = GridSize::get(context.getKernel());
  if (!size)
    return {1, 1, 1};
  SmallVector<int64_t> numbers;
  for (const GridSize::Symbol &symbol : size->symbols) {
    Attribute bounds =
        context.getKernel().getArgAttr(symbol.argument, kBoundsAttr);
    std::optional<int64_t> dim;
    if (symbol.dimension != GridSize::Symbol::kValue)
      dim = symbol.dimension;
    numbers.push_back(
        getPromisedBounds(bounds, dim).getNearest(kUnknownNumber));
  }
  return size->evaluate(numbers).value_or(LaunchSizes{1, 1, 1});
}

/// Workgroups for which a compute unit has registers: those of a thread's own
/// buffers, and some for addresses and what is computed.
static int64_t getRegisterBound(const TargetInfo &target, int64_t threads,
                                int64_t privateBytes) {
  // CUDA C++ Programming Guide: 65536 registers of 4 bytes in all chips of the
  // table. AMD: 512 registers of 4 SIMDs of 64 lanes (CDNA2 and later), or as
  // many in a WGP.
  constexpr int64_t kOther = 32 * 4, kNVIDIA = 256 << 10, kAMD = 512 << 10;
  int64_t bytes = target.vendor == TargetVendor::NVIDIA ? kNVIDIA : kAMD;
  return std::max<int64_t>(bytes / (threads * (kOther + privateBytes)), 1);
}

FailureOr<KernelCost> KernelCost::compute(const KernelContext &context) {
  FailureOr<WorkgroupBudget> budget = WorkgroupBudget::compute(context);
  if (failed(budget))
    return failure();
  return compute(context, *budget);
}

KernelCost KernelCost::compute(const KernelContext &context,
                               const WorkgroupBudget &budget) {
  KernelCost cost;
  cost.threads = context.getThreads();
  cost.workgroupBytes = budget.getWorkgroupBytes();
  cost.peakBytes = budget.getPeakLiveBytes();
  cost.sumBytes = budget.getSumBytes();
  cost.privateBytes = budget.getPrivateBytes();
  const TargetInfo &target = context.getTarget();
  cost.occupancy =
      std::min(target.getOccupancy(cost.workgroupBytes, cost.threads),
               getRegisterBound(target, cost.threads, cost.privateBytes));
  LaunchSizes grid = getGrid(context, cost.isExact);
  cost.workgroups = multiplySizes(grid).value_or(INT32_MAX);
  WorkgroupCounter counter(context, cost);
  if (!counter.dependsOnWorkgroup()) {
    counter.count({0, 0, 0}, cost.workgroups);
  } else {
    // The last workgroup of a dimension may do less than the others.
    for (unsigned corner = 0; corner < 8; ++corner) {
      LaunchSizes block;
      int64_t times = 1;
      for (unsigned dim = 0; dim < 3; ++dim) {
        bool isLast = corner >> dim & 1;
        block[dim] = isLast ? grid[dim] - 1 : 0;
        times *= isLast ? (grid[dim] > 1 ? 1 : 0)
                        : std::max<int64_t>(grid[dim] - 1, 1);
      }
      if (times != 0)
        counter.count(block, times);
    }
  }
  cost.threadOps = counter.getThreadOps();
  return cost;
}

//===----------------------------------------------------------------------===//
// One number
//===----------------------------------------------------------------------===//

std::optional<CostObjective> memspace::parseCostObjective(StringRef name) {
  return llvm::StringSwitch<std::optional<CostObjective>>(name)
      .Case("balanced", CostObjective::Balanced)
      .Case("reuse", CostObjective::Reuse)
      .Case("occupancy", CostObjective::Occupancy)
      .Case("bytes", CostObjective::Bytes)
      .Default(std::nullopt);
}

double KernelCost::getWeight(CostObjective objective) const {
  constexpr double kUnits = 100, kLanes = 128, kGlobalBytes = 2000,
                   kWorkgroupBytes = 128, kBarrier = 30;
  // Workgroups that run side by side, on a unit and on all of them.
  double resident = std::max<double>(occupancy, 1);
  double rounds = std::ceil(workgroups / (kUnits * resident));
  double onUnit = std::min(resident, std::ceil(workgroups / kUnits));
  double issue = std::max(1.0, onUnit * threads / kLanes);
  double perWorkgroup = 1.0 / workgroups;
  double time =
      rounds * (threadOps * issue + barriers * perWorkgroup * kBarrier +
                onUnit * workgroupBytesMoved * perWorkgroup / kWorkgroupBytes) +
      globalBytes / kGlobalBytes;
  // Beyond all that time tells apart.
  constexpr double kFirst = 1e9;
  switch (objective) {
  case CostObjective::Balanced:
    return time;
  case CostObjective::Reuse:
    return time + kFirst * globalBytes;
  case CostObjective::Occupancy:
    return time + kFirst / (resident * threads);
  case CostObjective::Bytes:
    return time + kFirst * workgroupBytes;
  }
  llvm_unreachable("an objective");
}

llvm::json::Object KernelCost::toJSON() const {
  return llvm::json::Object{{"barriers", barriers},
                            {"exact", isExact},
                            {"global-bytes", globalBytes},
                            {"global-loads", globalLoads},
                            {"global-stores", globalStores},
                            {"occupancy", occupancy},
                            {"peak-bytes", peakBytes},
                            {"private-bytes", privateBytes},
                            {"sum-bytes", sumBytes},
                            {"thread-ops", threadOps},
                            {"threads", threads},
                            {"workgroup-bytes", workgroupBytes},
                            {"workgroup-bytes-moved", workgroupBytesMoved},
                            {"workgroups", workgroups}};
}
