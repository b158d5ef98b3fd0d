//===- ExecutionConditions.cpp - what an op's execution implies -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The half of ExecutionSystem that reads the regions around an op: conditions
// of `scf.if` and the thread that a forall's mapping gives an iteration.
//
//===----------------------------------------------------------------------===//

#include "ExecutionSystem.h"
#include "Kernel/Conditions.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/IntegerSet.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace mlir::memspace;

void ExecutionSystem::addExecution(Operation *op, unsigned side) {
  context.guards->forEach(op->getBlock(),
                          [&](const ExecutionGuards::Guard &guard) {
                            if (guard.condition)
                              addCondition(guard.condition, guard.holds, side);
                            else if (guard.inside)
                              addRegion(guard.inside, side);
                            else
                              addNumber(guard.flag, guard.number, side);
                          });
}

void ExecutionSystem::addNumber(Value value, int64_t number, unsigned side) {
  system.addEquality(translate(value, side) - LinearForm(number));
  // What was cut off is a multiple of this.
  auto cast = value.getDefiningOp<arith::IndexCastOp>();
  if (!cast || !cast.getIn().getType().isIndex())
    return;
  system.addEquality(translate(cast.getIn(), side) - LinearForm(number) -
                     opaque() * *getWrapModulus(value.getType()));
}

void ExecutionSystem::addRegion(Operation *child, unsigned side) {
  Operation *parent = child->getParentOp();
  if (auto indexSwitch = dyn_cast<scf::IndexSwitchOp>(parent)) {
    // The first region is the default.
    unsigned number = child->getParentRegion()->getRegionNumber();
    if (number > 0)
      system.addEquality(translate(indexSwitch.getArg(), side) -
                         LinearForm(indexSwitch.getCases()[number - 1]));
  } else if (auto forall = dyn_cast<scf::ForallOp>(parent)) {
    addForall(forall, side);
  } else if (auto affineIf = dyn_cast<affine::AffineIfOp>(parent)) {
    bool inThen = child->getParentRegion() == &affineIf.getThenRegion();
    addConditions(affineIf, inThen, side);
  } else if (CountedLoop loop = CountedLoop::get(parent)) {
    // The loop runs, so its bounds are not empty.
    translate(loop.getInductionVar(), side);
  }
}

/// What is one condition on both sides holds on both or on neither, whatever it
/// is; comparisons of the same numbers are one condition, or its opposite.
void ExecutionSystem::addSharedFact(Value condition, bool holds) {
  using Predicate = arith::CmpIPredicate;
  std::tuple<const void *, const void *, int> fact{
      condition.getAsOpaquePointer(), nullptr, -1};
  Operation *op = condition.getDefiningOp();
  if (std::optional<Predicate> predicate =
          op ? getPredicate(op) : std::nullopt) {
    bool isInverted =
        llvm::is_contained({Predicate::ne, Predicate::sge, Predicate::sgt,
                            Predicate::uge, Predicate::ugt},
                           *predicate);
    if (isInverted) {
      predicate = arith::invertPredicate(*predicate);
      holds = !holds;
    }
    fact = {op->getOperand(0).getAsOpaquePointer(),
            op->getOperand(1).getAsOpaquePointer(), int(*predicate)};
    if (!isShared(op->getOperand(0)) || !isShared(op->getOperand(1)))
      return;
  } else if (!isShared(condition)) {
    return;
  }
  auto [it, isNew] = sharedFacts.try_emplace(fact, holds);
  if (it->second != holds)
    system.addInequality(LinearForm(-1));
}

void ExecutionSystem::addCondition(Value condition, bool holds, unsigned side) {
  forEachFact(condition, holds, [&](Value fact, bool holds) {
    addSharedFact(fact, holds);
    Operation *op = fact.getDefiningOp();
    std::optional<arith::CmpIPredicate> predicate =
        op ? getPredicate(op) : std::nullopt;
    if (!predicate || op->getOperand(0).getType().isInteger(1))
      return;
    if (!holds)
      predicate = arith::invertPredicate(*predicate);
    LinearForm lhs = translate(op->getOperand(0), side);
    LinearForm rhs = translate(op->getOperand(1), side);
    using Predicate = arith::CmpIPredicate;
    bool isBelow = *predicate == Predicate::ult || *predicate == Predicate::ule;
    bool isAbove = *predicate == Predicate::ugt || *predicate == Predicate::uge;
    const LinearForm &greater = isBelow ? rhs : lhs;
    if ((isBelow || isAbove) && !system.getInterval(greater).isNonNegative()) {
      lhs = getUnsigned(lhs, op->getOperand(0).getType());
      rhs = getUnsigned(rhs, op->getOperand(1).getType());
    }
    addComparison(*predicate, lhs, rhs);
  });
}

void ExecutionSystem::addComparison(arith::CmpIPredicate predicate,
                                    const LinearForm &lhs,
                                    const LinearForm &rhs) {
  using Predicate = arith::CmpIPredicate;
  auto isNonNegative = [&](const LinearForm &form) {
    return system.getInterval(form).isNonNegative();
  };
  // What is below a number without a sign, taken as unsigned, has none either.
  if (predicate == Predicate::ult || predicate == Predicate::ule) {
    if (!isNonNegative(rhs))
      return;
    system.addInequality(lhs);
  } else if (predicate == Predicate::ugt || predicate == Predicate::uge) {
    if (!isNonNegative(lhs))
      return;
    system.addInequality(rhs);
  }
  LinearForm one(1);
  switch (predicate) {
  case Predicate::eq:
    system.addEquality(lhs - rhs);
    return;
  case Predicate::ne: {
    // Of the two sides of a difference only one may be possible.
    Interval range = system.getInterval(lhs - rhs);
    if (range.lower && *range.lower >= 0)
      system.addInequality(lhs - rhs - one);
    else if (range.upper && *range.upper <= 0)
      system.addInequality(rhs - lhs - one);
    else
      system.addDisequality(lhs - rhs);
    return;
  }
  case Predicate::slt:
  case Predicate::ult:
    system.addInequality(rhs - lhs - one);
    return;
  case Predicate::sle:
  case Predicate::ule:
    system.addInequality(rhs - lhs);
    return;
  case Predicate::sgt:
  case Predicate::ugt:
    system.addInequality(lhs - rhs - one);
    return;
  case Predicate::sge:
  case Predicate::uge:
    system.addInequality(lhs - rhs);
    return;
  }
}

void ExecutionSystem::addConditions(affine::AffineIfOp op, bool hold,
                                    unsigned side) {
  // That not all of several conditions hold is a choice.
  IntegerSet set = op.getIntegerSet();
  if (!hold && set.getNumConstraints() != 1)
    return;
  AffineMap map = AffineMap::get(set.getNumDims(), set.getNumSymbols(),
                                 set.getConstraints(), op.getContext());
  for (auto [index, form] :
       llvm::enumerate(translateMap(map, op.getOperands(), side)))
    if (set.isEq(index))
      hold ? system.addEquality(form) : system.addDisequality(form);
    else
      system.addInequality(hold ? form : form * -1 - LinearForm(1));
}

void ExecutionSystem::addForall(scf::ForallOp forall, unsigned side) {
  if (!doneForalls.try_emplace({forall, side}, true).second)
    return;
  SmallVector<LinearForm> iterations;
  bool normalized = true;
  for (auto [dim, iv] : llvm::enumerate(forall.getInductionVars())) {
    LinearForm distance = translate(iv, side) -
                          translate(forall.getStaticLowerBound(),
                                    forall.getDynamicLowerBound(), dim, side);
    LinearForm step =
        translate(forall.getStaticStep(), forall.getDynamicStep(), dim, side);
    if (!step.isConstant() || step.constant <= 0 || distance.invalid) {
      normalized = false;
      break;
    }
    iterations.push_back(system.addFloorDiv(distance, step.constant));
  }
  std::optional<ForallMapping> mapping = getForallMapping(forall);
  if (context.foralls && mapping && normalized)
    addForallThread(forall, *mapping, iterations, side);
}

void ExecutionSystem::addWrapped(const LinearForm &index, const LinearForm &id,
                                 std::optional<int64_t> available,
                                 std::optional<int64_t> count) {
  // An unknown number of ids is at least the number of iterations: a launch
  // that is too small would leave iterations out.
  if (!available || (count && *count <= *available)) {
    system.addEquality(index - id);
    return;
  }
  Interval range{0, std::nullopt};
  if (count)
    range.upper = (*count - 1) / *available;
  system.addEquality(index - id - system.addColumn(range) * *available);
}

/// The numbers of a thread that a forall's mapping counts: groups of threads,
/// in the workgroup or in the warpgroup around the forall.
struct ExecutionSystem::MappedIds {
  /// Threads that share one id.
  int64_t threadsPerId = 1;
  /// Ids count from the first thread of the warpgroup on.
  bool inWarpgroup = false;
  /// The thread's place where ids begin to count, and the threads there.
  LinearForm linearThread;
  int64_t threads = 1;
};

/// None where the ids depend on a subgroup size that is not known.
std::optional<ExecutionSystem::MappedIds>
ExecutionSystem::getMappedIds(scf::ForallOp forall,
                              const ForallMapping &mapping, unsigned side) {
  MappedIds ids;
  bool isWarpgroup = mapping.scope == ExecutionScope::Warpgroup;
  ids.inWarpgroup = mapping.scope != ExecutionScope::Workgroup &&
                    !mapping.lane && !isWarpgroup &&
                    getEnclosingForall(forall, ExecutionScope::Warpgroup);
  bool isOfSubgroups = mapping.lane || ids.inWarpgroup || isWarpgroup ||
                       mapping.scope == ExecutionScope::Subgroup;
  if (isOfSubgroups && !context.kernel.getSubgroupSize())
    return std::nullopt;
  // Where subgroups do not matter their size does not either.
  int64_t subgroupSize = context.kernel.getSubgroupSize().value_or(1);
  int64_t warpgroupSize = subgroupSize * kSubgroupsPerWarpgroup;
  if (mapping.scope == ExecutionScope::Subgroup)
    ids.threadsPerId = subgroupSize;
  else if (isWarpgroup)
    ids.threadsPerId = warpgroupSize;
  ids.linearThread = getLinearThreadId(side);
  ids.threads = shape.getThreads();
  if (ids.inWarpgroup && ids.threads > warpgroupSize) {
    ids.linearThread -= getThreadGroup(warpgroupSize, side) * warpgroupSize;
    ids.threads = warpgroupSize;
  }
  return ids;
}

/// The number of the iteration, the first mapped dimension being the fastest,
/// and the number of iterations where it is known; none where it is not affine.
std::optional<std::pair<LinearForm, std::optional<int64_t>>>
ExecutionSystem::getLinearIteration(scf::ForallOp forall,
                                    const ForallMapping &mapping,
                                    ArrayRef<LinearForm> iterations) {
  LinearForm index(0);
  std::optional<int64_t> count = 1;
  auto order = llvm::to_vector(llvm::seq<unsigned>(0, mapping.dims.size()));
  llvm::sort(order, [&](unsigned a, unsigned b) {
    return mapping.dims[a] < mapping.dims[b];
  });
  for (unsigned dim : order) {
    if (!count)
      return std::nullopt;
    index += iterations[dim] * *count;
    std::optional<int64_t> trips = getStaticTripCount(forall, dim);
    if (!trips || llvm::MulOverflow(*count, *trips, *count))
      count = std::nullopt;
  }
  return std::make_pair(index, count);
}

/// Workgroups by their linear id, which has a column of its own where the grid
/// is not known.
void ExecutionSystem::addLinearBlock(const LinearForm &index,
                                     std::optional<int64_t> count,
                                     unsigned side) {
  if (shape.grid) {
    auto &grid = *shape.grid;
    addWrapped(index,
               getBlockId(0, side) + getBlockId(1, side) * grid[0] +
                   getBlockId(2, side) * grid[0] * grid[1],
               multiplySizes(grid), count);
    return;
  }
  unsigned slot = context.differentWorkgroups ? side : 0;
  if (!linearBlock[slot])
    linearBlock[slot] = system.addColumn(Interval{0, std::nullopt});
  addWrapped(index, *linearBlock[slot], std::nullopt, count);
}

/// All dimensions of the forall count one linear id.
void ExecutionSystem::addLinearMapping(scf::ForallOp forall,
                                       const ForallMapping &mapping,
                                       const MappedIds &ids,
                                       ArrayRef<LinearForm> iterations,
                                       unsigned side) {
  auto linear = getLinearIteration(forall, mapping, iterations);
  if (!linear)
    return;
  auto [index, count] = *linear;
  if (mapping.scope == ExecutionScope::Workgroup) {
    addLinearBlock(index, count, side);
    return;
  }
  if (mapping.lane) {
    int64_t lanes = *context.kernel.getSubgroupSize();
    addWrapped(index, getLaneId(side), std::min(lanes, shape.getThreads()),
               count);
    return;
  }
  LinearForm id = ids.threadsPerId == 1 ? ids.linearThread
                  : ids.inWarpgroup
                      ? system.addFloorDiv(ids.linearThread, ids.threadsPerId)
                      : getThreadGroup(ids.threadsPerId, side);
  addWrapped(index, id, llvm::divideCeil(ids.threads, ids.threadsPerId), count);
}

/// Each dimension of the forall counts the ids of one dimension; groups of
/// threads divide the first.
void ExecutionSystem::addArrangedMapping(scf::ForallOp forall,
                                         const ForallMapping &mapping,
                                         const MappedIds &ids,
                                         ArrayRef<LinearForm> iterations,
                                         unsigned side) {
  bool isBlock = mapping.scope == ExecutionScope::Workgroup;
  if (mapping.lane || ids.inWarpgroup ||
      (ids.threadsPerId > 1 && shape.block[0] % ids.threadsPerId != 0) ||
      llvm::any_of(mapping.dims, [](unsigned dim) { return dim > 2; }))
    return;
  for (unsigned dim = 0; dim < 3; ++dim) {
    LinearForm id = isBlock ? getBlockId(dim, side) : getThreadId(dim, side);
    std::optional<int64_t> count = shape.block[dim];
    if (isBlock)
      count = shape.grid ? std::optional((*shape.grid)[dim]) : std::nullopt;
    if (dim == 0 && ids.threadsPerId > 1) {
      id = system.addFloorDiv(id, ids.threadsPerId);
      count = *count / ids.threadsPerId;
    }
    const auto *it = llvm::find(mapping.dims, dim);
    if (it == mapping.dims.end()) {
      system.addEquality(id);
      continue;
    }
    unsigned index = it - mapping.dims.begin();
    addWrapped(iterations[index], id, count, getStaticTripCount(forall, index));
  }
}

void ExecutionSystem::addForallThread(scf::ForallOp forall,
                                      const ForallMapping &mapping,
                                      ArrayRef<LinearForm> iterations,
                                      unsigned side) {
  std::optional<MappedIds> ids = getMappedIds(forall, mapping, side);
  if (!ids)
    return;
  // Lanes and groups of threads along a line of threads are linear, too.
  bool oneDimensional = mapping.dims.size() == 1 && mapping.dims[0] == 0;
  bool lineBlock = shape.block[1] == 1 && shape.block[2] == 1;
  bool isLine = (ids->threadsPerId > 1 || ids->inWarpgroup) && lineBlock;
  if (mapping.linear || (oneDimensional && (mapping.lane || isLine)))
    addLinearMapping(forall, mapping, *ids, iterations, side);
  else
    addArrangedMapping(forall, mapping, *ids, iterations, side);
}
