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
#include "Kernel/ChainDepth.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Index/IR/IndexOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace mlir::memspace;

void ExecutionSystem::addBranches(Block *block, unsigned side) {
  // Only one way leads to a block, and not round for ever.
  llvm::SmallPtrSet<Block *, 8> seen;
  while (Block *from = block->getSinglePredecessor()) {
    if (!seen.insert(block).second)
      return;
    auto branch = dyn_cast<cf::CondBranchOp>(from->getTerminator());
    if (branch && branch.getTrueDest() != branch.getFalseDest())
      addCondition(branch.getCondition(), block == branch.getTrueDest(), side);
    block = from;
  }
}

void ExecutionSystem::addExecution(Operation *op, unsigned side) {
  Operation *child = op;
  for (Operation *parent = op->getParentOp(); parent;
       child = parent, parent = parent->getParentOp()) {
    addBranches(child->getBlock(), side);
    if (isa<FunctionOpInterface>(parent))
      return;
    if (auto ifOp = dyn_cast<scf::IfOp>(parent)) {
      bool inThen = child->getParentRegion() == &ifOp.getThenRegion();
      addCondition(ifOp.getCondition(), inThen, side);
    } else if (auto indexSwitch = dyn_cast<scf::IndexSwitchOp>(parent)) {
      // The first region is the default.
      unsigned number = child->getParentRegion()->getRegionNumber();
      if (number > 0)
        system.addEquality(translate(indexSwitch.getArg(), side) -
                           LinearForm(indexSwitch.getCases()[number - 1]));
    } else if (auto forall = dyn_cast<scf::ForallOp>(parent)) {
      addForall(forall, side);
    } else if (auto forOp = dyn_cast<scf::ForOp>(parent)) {
      // The loop runs, so its bounds are not empty.
      translate(forOp.getInductionVar(), side);
    }
  }
}

static std::optional<arith::CmpIPredicate> getPredicate(Operation *op) {
  using From = index::IndexCmpPredicate;
  using To = arith::CmpIPredicate;
  if (auto compare = dyn_cast<arith::CmpIOp>(op))
    return compare.getPredicate();
  auto compare = dyn_cast<index::CmpOp>(op);
  if (!compare)
    return std::nullopt;
  switch (compare.getPred()) {
  case From::EQ:
    return To::eq;
  case From::NE:
    return To::ne;
  case From::SLT:
    return To::slt;
  case From::SLE:
    return To::sle;
  case From::SGT:
    return To::sgt;
  case From::SGE:
    return To::sge;
  case From::ULT:
    return To::ult;
  case From::ULE:
    return To::ule;
  case From::UGT:
    return To::ugt;
  case From::UGE:
    return To::uge;
  }
  return std::nullopt;
}

/// A condition that holds, or does not.
using Fact = std::pair<Value, bool>;

/// The facts that `fact` is made of: those behind "and", "or" and "not".
static SmallVector<Fact> splitFact(Fact fact) {
  auto [condition, holds] = fact;
  Operation *op = condition.getDefiningOp();
  if (isa<arith::AndIOp>(op) == holds && isa<arith::AndIOp, arith::OrIOp>(op))
    return {{op->getOperand(1), holds}, {op->getOperand(0), holds}};
  if (isa<arith::XOrIOp>(op) && (matchPattern(op->getOperand(1), m_One()) ||
                                 matchPattern(op->getOperand(1), m_NonZero())))
    return {{op->getOperand(0), !holds}};
  return {};
}

void ExecutionSystem::addCondition(Value condition, bool holds, unsigned side) {
  // What is behind a long chain is not used.
  SmallVector<Fact> facts = {{condition, holds}};
  DenseSet<Value> seen;
  while (!facts.empty() && seen.size() < kMaxChainDepth) {
    Fact fact = facts.pop_back_val();
    Operation *op = fact.first.getDefiningOp();
    if (!op || !fact.first.getType().isInteger(1) ||
        !seen.insert(fact.first).second)
      continue;
    llvm::append_range(facts, splitFact(fact));
    std::optional<arith::CmpIPredicate> predicate = getPredicate(op);
    if (!predicate || op->getOperand(0).getType().isInteger(1))
      continue;
    addComparison(fact.second ? *predicate : arith::invertPredicate(*predicate),
                  translate(op->getOperand(0), side),
                  translate(op->getOperand(1), side));
  }
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

void ExecutionSystem::addForall(scf::ForallOp forall, unsigned side) {
  if (!doneForalls.try_emplace({forall, side}, true).second)
    return;
  SmallVector<LinearForm> iterations;
  bool normalized = true;
  for (auto [iv, lower, step] :
       llvm::zip(forall.getInductionVars(), forall.getMixedLowerBound(),
                 forall.getMixedStep())) {
    LinearForm distance = translate(iv, side) - translate(lower, side);
    std::optional<int64_t> stride = getConstantIntValue(step);
    if (!stride || *stride <= 0 || distance.invalid) {
      normalized = false;
      break;
    }
    iterations.push_back(system.addFloorDiv(distance, *stride));
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

void ExecutionSystem::addForallThread(scf::ForallOp forall,
                                      const ForallMapping &mapping,
                                      ArrayRef<LinearForm> iterations,
                                      unsigned side) {
  bool isBlock = mapping.scope == ExecutionScope::Workgroup;
  bool inWarpgroup = !isBlock && !mapping.lane &&
                     mapping.scope != ExecutionScope::Warpgroup &&
                     getEnclosingForall(forall, ExecutionScope::Warpgroup);
  bool isOfSubgroups = mapping.lane || inWarpgroup ||
                       mapping.scope == ExecutionScope::Subgroup ||
                       mapping.scope == ExecutionScope::Warpgroup;
  if (isOfSubgroups && !context.kernel.getSubgroupSize())
    return;
  // Where subgroups do not matter their size does not either.
  int64_t subgroupSize = context.kernel.getSubgroupSize().value_or(1);
  int64_t threadsPerId = 1;
  if (mapping.scope == ExecutionScope::Subgroup)
    threadsPerId = subgroupSize;
  else if (mapping.scope == ExecutionScope::Warpgroup)
    threadsPerId = subgroupSize * kSubgroupsPerWarpgroup;
  // Inside a warpgroup-mapped forall ids are relative to the warpgroup.
  int64_t available = shape.getThreads();
  LinearForm linearId = getLinearThreadId(side);
  int64_t warpgroup = subgroupSize * kSubgroupsPerWarpgroup;
  if (inWarpgroup && available > warpgroup) {
    linearId = linearId - getThreadGroup(warpgroup, side) * warpgroup;
    available = warpgroup;
  }
  bool oneDimensional = mapping.dims.size() == 1 && mapping.dims[0] == 0;
  bool lineBlock = shape.block[1] == 1 && shape.block[2] == 1;

  // Linear ids: lanes always, groups of threads along a line of threads.
  if (mapping.linear || (mapping.lane && oneDimensional) ||
      ((threadsPerId > 1 || inWarpgroup) && oneDimensional && lineBlock)) {
    LinearForm index(0);
    std::optional<int64_t> count = 1;
    auto order = llvm::to_vector(llvm::seq<unsigned>(0, mapping.dims.size()));
    llvm::sort(order, [&](unsigned a, unsigned b) {
      return mapping.dims[a] < mapping.dims[b];
    });
    for (unsigned dim : order) {
      if (!count)
        return; // Not affine.
      index += iterations[dim] * *count;
      std::optional<int64_t> trips = getStaticTripCount(forall, dim);
      if (!trips || llvm::MulOverflow(*count, *trips, *count))
        count = std::nullopt;
    }
    if (isBlock) {
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
      return;
    }
    if (mapping.lane) {
      addWrapped(index, getLaneId(side),
                 std::min(subgroupSize, shape.getThreads()), count);
      return;
    }
    LinearForm id = threadsPerId == 1 ? linearId
                    : inWarpgroup ? system.addFloorDiv(linearId, threadsPerId)
                                  : getThreadGroup(threadsPerId, side);
    addWrapped(index, id, llvm::divideCeil(available, threadsPerId), count);
    return;
  }

  // Ids of three dimensions; groups of threads divide the first.
  if (mapping.lane || inWarpgroup ||
      (threadsPerId > 1 && shape.block[0] % threadsPerId != 0) ||
      llvm::any_of(mapping.dims, [](unsigned dim) { return dim > 2; }))
    return;
  for (unsigned dim = 0; dim < 3; ++dim) {
    LinearForm id = isBlock ? getBlockId(dim, side) : getThreadId(dim, side);
    std::optional<int64_t> count = shape.block[dim];
    if (isBlock)
      count = shape.grid ? std::optional((*shape.grid)[dim]) : std::nullopt;
    if (dim == 0 && threadsPerId > 1) {
      id = system.addFloorDiv(id, threadsPerId);
      count = *count / threadsPerId;
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
