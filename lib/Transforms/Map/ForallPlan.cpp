//===- ForallPlan.cpp - which ids run a mapped forall -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ForallPlan.h"
#include "llvm/Support/MathExtras.h"
#include <numeric>

using namespace mlir;
using namespace mlir::memspace;

namespace {
/// Decides for each forall of one kernel which ids run it.
class Planner {
public:
  explicit Planner(const KernelContext &context)
      : kernel(context.getKernel()), shape(context.getShape()),
        subgroupSize(context.getSubgroupSize().value_or(0)) {}

  FailureOr<SmallVector<ForallPlan>> run();

private:
  LogicalResult checkForall(scf::ForallOp forall);
  LogicalResult checkNest(const ForallPlan &plan, const ForallPlan *outer);
  LogicalResult planBlocks(ForallPlan &plan);
  LogicalResult planThreads(ForallPlan &plan, const ForallPlan *outer);
  LogicalResult planLanes(ForallPlan &plan);
  LogicalResult checkSubgroupSize() const;
  void addLinearAxis(ForallPlan &plan, AffineExpr id, int64_t count);
  AffineExpr getId(unsigned dim, int64_t size) {
    return size == 1 ? getConstant(0)
                     : getAffineDimExpr(dim, kernel->getContext());
  }
  AffineExpr getConstant(int64_t value) {
    return getAffineConstantExpr(value, kernel->getContext());
  }
  AffineExpr getLinearThreadId() {
    return getId(0, shape.block[0]) +
           getId(1, shape.block[1]) * shape.block[0] +
           getId(2, shape.block[2]) * (shape.block[0] * shape.block[1]);
  }

  FunctionOpInterface kernel;
  LaunchShape shape;
  /// 0: not known.
  int64_t subgroupSize;
};
} // namespace

static StringRef getMappingName(const ForallMapping &mapping) {
  switch (mapping.scope) {
  case ExecutionScope::Grid:
    break;
  case ExecutionScope::Workgroup:
    return "block";
  case ExecutionScope::Warpgroup:
    return "warpgroup";
  case ExecutionScope::Subgroup:
    return "warp";
  case ExecutionScope::Thread:
    return mapping.lane ? "lane" : "thread";
  }
  return "unknown";
}

LogicalResult Planner::checkForall(scf::ForallOp forall) {
  if (forall.getNumResults() != 0 || !forall.getOutputs().empty())
    return forall.emitError()
           << "'scf.forall' still has tensor results; bufferize the kernel "
              "before its foralls are mapped to threads";
  if (!forall.getMapping() || forall.getMapping()->empty())
    return forall.emitError()
           << "'scf.forall' has no mapping, so it is not known which threads "
              "run it; give it a gpu mapping or make it an 'scf.for'";
  std::optional<ForallMapping> mapping = getForallMapping(forall);
  if (!mapping)
    return forall.emitError()
           << "'scf.forall' has an invalid mapping; it needs one gpu mapping "
              "attribute of one kind for each dimension, none twice and "
              "without a mask";
  if (!mapping->linear &&
      llvm::any_of(mapping->dims, [](unsigned dim) { return dim >= 3; }))
    return forall.emitError() << "'scf.forall' is mapped to a dimension other "
                                 "than x, y and z";
  return success();
}

LogicalResult Planner::checkNest(const ForallPlan &plan,
                                 const ForallPlan *outer) {
  scf::ForallOp forall = plan.forall;
  bool allowed;
  StringRef advice;
  switch (plan.mapping.scope) {
  case ExecutionScope::Thread:
    if (plan.mapping.lane) {
      // Outside of a warp forall each subgroup of the workgroup executes it.
      allowed = !outer || outer->mapping.scope == ExecutionScope::Workgroup ||
                outer->mapping.scope == ExecutionScope::Subgroup;
      advice = "lanes are the threads of one subgroup: put it directly inside "
               "a warp-mapped 'scf.forall' or map it to threads";
    } else {
      allowed = !outer || outer->mapping.scope == ExecutionScope::Workgroup ||
                outer->mapping.scope == ExecutionScope::Warpgroup;
      advice = "the threads are already distributed; make it an 'scf.for' or, "
               "inside a warp-mapped 'scf.forall', map it to lanes";
    }
    break;
  case ExecutionScope::Subgroup:
    allowed = !outer || outer->mapping.scope == ExecutionScope::Workgroup ||
              outer->mapping.scope == ExecutionScope::Warpgroup;
    advice = "the subgroups are already distributed; make it an 'scf.for'";
    break;
  case ExecutionScope::Warpgroup:
    allowed = !outer || outer->mapping.scope == ExecutionScope::Workgroup;
    advice = "the warpgroups are already distributed; make it an 'scf.for'";
    break;
  case ExecutionScope::Workgroup:
  case ExecutionScope::Grid:
    allowed = !outer;
    advice = "the workgroups are already distributed; make it an 'scf.for'";
    break;
  }
  if (allowed)
    return success();
  InFlightDiagnostic diag = forall.emitError();
  diag << getMappingName(plan.mapping) << "-mapped 'scf.forall' ";
  if (outer)
    diag << "inside a " << getMappingName(outer->mapping) << "-mapped one";
  else
    diag << "outside of a warp-mapped one";
  diag << "; " << advice;
  if (outer)
    diag.attachNote(outer->forall->getLoc()) << "the forall around it";
  return failure();
}

/// Failure with the diagnostic for a kernel that has no target.
LogicalResult Planner::checkSubgroupSize() const {
  return subgroupSize ? success() : LogicalResult(resolveTarget(kernel, {}));
}

void Planner::addLinearAxis(ForallPlan &plan, AffineExpr id, int64_t count) {
  ForallAxis axis{count == 1 ? getConstant(0) : id, count, {}};
  axis.dims.resize(plan.mapping.dims.size());
  std::iota(axis.dims.begin(), axis.dims.end(), 0);
  llvm::sort(axis.dims, [&](unsigned a, unsigned b) {
    return plan.mapping.dims[a] < plan.mapping.dims[b];
  });
  plan.axes.push_back(std::move(axis));
}

/// Adds an axis for each dimension of the forall, in its order, then one for
/// each dimension without a mapping.
static void addGridAxes(ForallPlan &plan, ArrayRef<AffineExpr> ids,
                        ArrayRef<int64_t> counts) {
  for (auto [index, dim] : llvm::enumerate(plan.mapping.dims))
    plan.axes.push_back(ForallAxis{ids[dim], counts[dim], {unsigned(index)}});
  for (unsigned dim = 0; dim < 3; ++dim)
    if (!llvm::is_contained(plan.mapping.dims, dim) && counts[dim] != 1)
      plan.axes.push_back(ForallAxis{ids[dim], counts[dim], {}});
}

LogicalResult Planner::planBlocks(ForallPlan &plan) {
  std::array<int64_t, 3> grid = shape.grid.value_or(std::array<int64_t, 3>{
      ForallAxis::kUnknown, ForallAxis::kUnknown, ForallAxis::kUnknown});
  SmallVector<AffineExpr, 3> ids;
  for (unsigned dim = 0; dim < 3; ++dim)
    ids.push_back(getId(dim, grid[dim]));
  if (!plan.mapping.linear) {
    addGridAxes(plan, ids, grid);
    return success();
  }
  if (shape.grid) {
    addLinearAxis(plan, ids[0] + ids[1] * grid[0] + ids[2] * grid[0] * grid[1],
                  grid[0] * grid[1] * grid[2]);
    return success();
  }
  AffineExpr sizeX = getAffineSymbolExpr(0, kernel->getContext());
  AffineExpr sizeY = getAffineSymbolExpr(1, kernel->getContext());
  addLinearAxis(plan, ids[0] + ids[1] * sizeX + ids[2] * sizeX * sizeY,
                ForallAxis::kUnknown);
  return success();
}

LogicalResult Planner::planLanes(ForallPlan &plan) {
  if (failed(checkSubgroupSize()))
    return failure();
  int64_t threads = shape.getThreads();
  if (threads > subgroupSize && threads % subgroupSize != 0)
    return plan.forall.emitError()
           << "lane-mapped 'scf.forall' in a workgroup of " << threads
           << " threads, which are no whole number of subgroups of "
           << subgroupSize
           << ": the last subgroup lacks lanes; change the block size";
  auto around = plan.forall->getParentOfType<scf::ForallOp>();
  plan.isRepeated =
      threads > subgroupSize &&
      (!around || getForallMapping(around)->scope != ExecutionScope::Subgroup);
  // Whatever their names: the dimensions form one linear iteration over lanes.
  addLinearAxis(plan,
                threads <= subgroupSize ? getLinearThreadId()
                                        : getLinearThreadId() % subgroupSize,
                std::min(threads, subgroupSize));
  return success();
}

LogicalResult Planner::planThreads(ForallPlan &plan, const ForallPlan *outer) {
  // Threads that one id stands for.
  int64_t unit = 1;
  if (plan.mapping.scope != ExecutionScope::Thread) {
    if (failed(checkSubgroupSize()))
      return failure();
    unit = plan.mapping.scope == ExecutionScope::Warpgroup
               ? subgroupSize * kSubgroupsPerWarpgroup
               : subgroupSize;
  }
  AffineExpr linear = getLinearThreadId();
  int64_t threads = shape.getThreads();
  bool inWarpgroup = outer && outer->mapping.scope == ExecutionScope::Warpgroup;
  if (inWarpgroup) {
    if (failed(checkSubgroupSize()))
      return failure();
    // Ids are relative to the warpgroup.
    int64_t groupThreads = subgroupSize * kSubgroupsPerWarpgroup;
    if (threads > groupThreads && threads % groupThreads != 0)
      return plan.forall.emitError()
             << getMappingName(plan.mapping)
             << "-mapped 'scf.forall' inside a warpgroup-mapped one in a "
                "workgroup of "
             << threads << " threads, which are no whole number of warpgroups "
             << "of " << groupThreads
             << ": the last warpgroup lacks threads; change the block size";
    if (threads > groupThreads) {
      linear = linear % groupThreads;
      threads = groupThreads;
    }
  }
  bool flat = shape.block[1] == 1 && shape.block[2] == 1;
  if (inWarpgroup && !plan.mapping.linear && !flat)
    return plan.forall.emitError()
           << getMappingName(plan.mapping)
           << "-mapped 'scf.forall' over x, y, z inside a warpgroup-mapped "
              "one in a workgroup of more than one dimension; use a "
              "'linear_dim' mapping";
  int64_t sizeX = inWarpgroup ? threads : shape.block[0];
  AffineExpr idX = inWarpgroup ? linear : getId(0, sizeX);
  if (plan.mapping.linear) {
    addLinearAxis(plan, linear.floorDiv(unit), llvm::divideCeil(threads, unit));
    return success();
  }
  if (!flat && sizeX % unit != 0)
    return plan.forall.emitError()
           << getMappingName(plan.mapping)
           << "-mapped 'scf.forall' over x, y, z needs a block whose x size is "
              "a multiple of "
           << unit << ", but it is " << sizeX
           << "; use a 'linear_dim' mapping or change the block size";
  int64_t countX = llvm::divideCeil(sizeX, unit);
  addGridAxes(plan,
              {countX == 1 ? getConstant(0) : idX.floorDiv(unit),
               getId(1, shape.block[1]), getId(2, shape.block[2])},
              {countX, shape.block[1], shape.block[2]});
  return success();
}

FailureOr<SmallVector<ForallPlan>> Planner::run() {
  SmallVector<ForallPlan> plans;
  WalkResult result = kernel->walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (op != kernel && isa<FunctionOpInterface>(op))
      return WalkResult::skip();
    auto forall = dyn_cast<scf::ForallOp>(op);
    if (!forall)
      return WalkResult::advance();
    if (failed(checkForall(forall)))
      return WalkResult::interrupt();
    ForallPlan plan{
        forall, *getForallMapping(forall), {}, int64_t(plans.size())};
    const ForallPlan *outer = nullptr;
    if (auto parent = forall->getParentOfType<scf::ForallOp>())
      outer = llvm::find_if(plans, [&](const ForallPlan &other) {
        return other.forall == parent;
      });
    if (failed(checkNest(plan, outer)))
      return WalkResult::interrupt();
    LogicalResult planned = plan.mapping.scope == ExecutionScope::Workgroup
                                ? planBlocks(plan)
                            : plan.mapping.lane ? planLanes(plan)
                                                : planThreads(plan, outer);
    if (failed(planned))
      return WalkResult::interrupt();
    plans.push_back(std::move(plan));
    return WalkResult::advance();
  });
  if (result.wasInterrupted())
    return failure();
  return plans;
}

FailureOr<SmallVector<ForallPlan>>
mlir::memspace::planForalls(const KernelContext &context) {
  return Planner(context).run();
}
