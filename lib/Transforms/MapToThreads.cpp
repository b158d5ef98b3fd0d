//===- MapToThreads.cpp - foralls to thread ids -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Makes SPMD code of mapped foralls ("physical thread" in design section 2).
/// Everything is checked before anything is rewritten, so that a refused
/// kernel stays as it was.
///
//===----------------------------------------------------------------------===//

#include "ForallPromises.h"
#include "GridNeeds.h"
#include "MemSpace/Analysis/BufferSize.h"
#include "MemSpace/Analysis/ExecutionScope.h"
#include "MemSpace/Transforms/Passes.h"
#include "PassKernels.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "llvm/Support/MathExtras.h"
#include <numeric>

namespace mlir {
namespace memspace {
#define GEN_PASS_DEF_MEMSPACEMAPTOTHREADS
#include "MemSpace/Transforms/Passes.h.inc"
} // namespace memspace
} // namespace mlir

using namespace mlir;
using namespace mlir::memspace;

namespace {
constexpr int64_t kUnknown = ShapedType::kDynamic;

/// One id of the hardware and the dimensions of the forall that it counts.
struct Axis {
  /// Over the dims d0, d1, d2 (thread or block ids x, y, z) and, for blocks,
  /// the symbols s0, s1 (grid sizes x, y).
  AffineExpr id;
  /// The id is less than this; kUnknown for a grid that the IR does not give.
  int64_t count;
  /// Dimensions of the forall, the fastest first. None: only id 0 works.
  SmallVector<unsigned, 3> dims;
};

struct Plan {
  scf::ForallOp forall;
  ForallMapping mapping;
  SmallVector<Axis, 3> axes;
  int64_t id;
};

/// Decides for each forall of one kernel which ids run it.
class Planner {
public:
  explicit Planner(const KernelContext &context)
      : context(context), kernel(context.getKernel()),
        shape(context.getShape()),
        subgroupSize(context.getSubgroupSize().value_or(0)) {}

  FailureOr<SmallVector<Plan>> run();

private:
  LogicalResult checkForall(scf::ForallOp forall);
  LogicalResult checkNest(const Plan &plan, const Plan *outer);
  LogicalResult planBlocks(Plan &plan);
  LogicalResult planThreads(Plan &plan, const Plan *outer);
  LogicalResult planLanes(Plan &plan);
  LogicalResult checkSubgroupSize() const;
  void addLinearAxis(Plan &plan, AffineExpr id, int64_t count);
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

  KernelContext context;
  FunctionOpInterface kernel;
  LaunchShape shape;
  /// 0: not known.
  int64_t subgroupSize;
};

/// Rewrites the foralls of one kernel as planned.
class Mapper {
public:
  explicit Mapper(const KernelContext &context)
      : kernel(context.getKernel()), shape(context.getShape()) {}

  void rewrite(const Plan &plan);
  /// Makes the ids that the kernel read before the ones that we made.
  void unifyIds();

private:
  template <typename IdOp>
  OpFoldResult getId(std::array<Value, 3> &cache, unsigned dim, int64_t size);
  SmallVector<OpFoldResult> getIdOperands(bool block, AffineExpr expr);
  SmallVector<OpFoldResult> getTripCounts(OpBuilder &b, scf::ForallOp forall);
  OpFoldResult multiply(OpBuilder &b, Location loc,
                        ArrayRef<OpFoldResult> values);
  SmallVector<OpFoldResult> delinearize(OpBuilder &b, Location loc,
                                        OpFoldResult index,
                                        ArrayRef<OpFoldResult> sizes);

  FunctionOpInterface kernel;
  LaunchShape shape;
  std::array<Value, 3> threadIds, blockIds, gridSizes;
};
} // namespace

//===----------------------------------------------------------------------===//
// Planning
//===----------------------------------------------------------------------===//

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

LogicalResult Planner::checkNest(const Plan &plan, const Plan *outer) {
  scf::ForallOp forall = plan.forall;
  bool allowed;
  StringRef advice;
  switch (plan.mapping.scope) {
  case ExecutionScope::Thread:
    if (plan.mapping.lane) {
      allowed = outer && outer->mapping.scope == ExecutionScope::Subgroup;
      advice = "lanes are the threads of one subgroup, so put it directly "
               "inside a warp-mapped 'scf.forall' or map it to threads";
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

void Planner::addLinearAxis(Plan &plan, AffineExpr id, int64_t count) {
  Axis axis{count == 1 ? getConstant(0) : id, count, {}};
  axis.dims.resize(plan.mapping.dims.size());
  std::iota(axis.dims.begin(), axis.dims.end(), 0);
  llvm::sort(axis.dims, [&](unsigned a, unsigned b) {
    return plan.mapping.dims[a] < plan.mapping.dims[b];
  });
  plan.axes.push_back(std::move(axis));
}

/// Adds an axis for each dimension of the forall, in its order, then one for
/// each dimension without a mapping.
static void addGridAxes(Plan &plan, ArrayRef<AffineExpr> ids,
                        ArrayRef<int64_t> counts) {
  for (auto [index, dim] : llvm::enumerate(plan.mapping.dims))
    plan.axes.push_back(Axis{ids[dim], counts[dim], {unsigned(index)}});
  for (unsigned dim = 0; dim < 3; ++dim)
    if (!llvm::is_contained(plan.mapping.dims, dim) && counts[dim] != 1)
      plan.axes.push_back(Axis{ids[dim], counts[dim], {}});
}

LogicalResult Planner::planBlocks(Plan &plan) {
  std::array<int64_t, 3> grid =
      shape.grid.value_or(std::array<int64_t, 3>{kUnknown, kUnknown, kUnknown});
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
                kUnknown);
  return success();
}

LogicalResult Planner::planLanes(Plan &plan) {
  if (failed(checkSubgroupSize()))
    return failure();
  int64_t threads = shape.getThreads();
  if (threads > subgroupSize && threads % subgroupSize != 0)
    return plan.forall.emitError()
           << "lane-mapped 'scf.forall' in a workgroup of " << threads
           << " threads, which are no whole number of subgroups of "
           << subgroupSize
           << ": the last subgroup lacks lanes; change the block size";
  // Whatever their names: the dimensions form one linear iteration over lanes.
  addLinearAxis(plan,
                threads <= subgroupSize ? getLinearThreadId()
                                        : getLinearThreadId() % subgroupSize,
                std::min(threads, subgroupSize));
  return success();
}

LogicalResult Planner::planThreads(Plan &plan, const Plan *outer) {
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

FailureOr<SmallVector<Plan>> Planner::run() {
  SmallVector<Plan> plans;
  WalkResult result = kernel->walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (op != kernel && isa<FunctionOpInterface>(op))
      return WalkResult::skip();
    auto forall = dyn_cast<scf::ForallOp>(op);
    if (!forall)
      return WalkResult::advance();
    if (failed(checkForall(forall)))
      return WalkResult::interrupt();
    Plan plan{forall, *getForallMapping(forall), {}, int64_t(plans.size())};
    const Plan *outer = nullptr;
    if (auto parent = forall->getParentOfType<scf::ForallOp>())
      outer = llvm::find_if(
          plans, [&](const Plan &other) { return other.forall == parent; });
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

//===----------------------------------------------------------------------===//
// Rewriting
//===----------------------------------------------------------------------===//

template <typename IdOp>
OpFoldResult Mapper::getId(std::array<Value, 3> &cache, unsigned dim,
                           int64_t size) {
  OpBuilder b(kernel->getContext());
  if (size == 1)
    return b.getIndexAttr(0);
  if (!cache[dim]) {
    b.setInsertionPointToStart(&kernel.getFunctionBody().front());
    cache[dim] = IdOp::create(
        b, kernel.getLoc(), b.getIndexType(), static_cast<gpu::Dimension>(dim),
        size == kUnknown ? IntegerAttr() : b.getIndexAttr(size));
  }
  return cache[dim];
}

/// The operands for the dims and symbols of `expr`; ids that it does not use
/// are not created.
SmallVector<OpFoldResult> Mapper::getIdOperands(bool block, AffineExpr expr) {
  OpBuilder b(kernel->getContext());
  SmallVector<OpFoldResult> operands;
  for (unsigned dim = 0; dim < 3; ++dim) {
    if (!expr.isFunctionOfDim(dim))
      operands.push_back(b.getIndexAttr(0));
    else if (block)
      operands.push_back(getId<gpu::BlockIdOp>(
          blockIds, dim, shape.grid ? (*shape.grid)[dim] : kUnknown));
    else
      operands.push_back(
          getId<gpu::ThreadIdOp>(threadIds, dim, shape.block[dim]));
  }
  for (unsigned symbol = 0; symbol < 2; ++symbol)
    operands.push_back(expr.isFunctionOfSymbol(symbol)
                           ? getId<gpu::GridDimOp>(gridSizes, symbol, kUnknown)
                           : OpFoldResult(b.getIndexAttr(0)));
  return operands;
}

SmallVector<OpFoldResult> Mapper::getTripCounts(OpBuilder &b,
                                                scf::ForallOp forall) {
  Location loc = forall.getLoc();
  SmallVector<OpFoldResult> trips;
  AffineExpr lb = b.getAffineSymbolExpr(0), ub = b.getAffineSymbolExpr(1);
  for (auto [lower, upper, step] :
       llvm::zip_equal(forall.getMixedLowerBound(), forall.getMixedUpperBound(),
                       forall.getMixedStep())) {
    if (std::optional<int64_t> constant = getConstantIntValue(step)) {
      trips.push_back(affine::makeComposedFoldedAffineApply(
          b, loc, (ub - lb).ceilDiv(*constant), {lower, upper}));
    } else {
      OpFoldResult span = affine::makeComposedFoldedAffineApply(b, loc, ub - lb,
                                                                {lower, upper});
      trips.push_back(arith::CeilDivSIOp::create(
                          b, loc, getValueOrCreateConstantIndexOp(b, loc, span),
                          getValueOrCreateConstantIndexOp(b, loc, step))
                          .getResult());
    }
    if (std::optional<int64_t> trip = getConstantIntValue(trips.back()))
      trips.back() = b.getIndexAttr(std::max<int64_t>(*trip, 0));
  }
  return trips;
}

OpFoldResult Mapper::multiply(OpBuilder &b, Location loc,
                              ArrayRef<OpFoldResult> values) {
  if (values.size() == 1)
    return values.front();
  OpFoldResult product = b.getIndexAttr(1);
  Value zero;
  for (OpFoldResult value : values) {
    std::optional<int64_t> constant = getConstantIntValue(value);
    if (!constant) {
      // Two empty ranges must not multiply to a positive number.
      if (!zero)
        zero = arith::ConstantIndexOp::create(b, loc, 0);
      value =
          arith::MaxSIOp::create(b, loc, cast<Value>(value), zero).getResult();
    }
    std::optional<int64_t> other = getConstantIntValue(product);
    if (constant && other)
      product = b.getIndexAttr(*constant * *other);
    else
      product = arith::MulIOp::create(
                    b, loc, getValueOrCreateConstantIndexOp(b, loc, product),
                    getValueOrCreateConstantIndexOp(b, loc, value))
                    .getResult();
  }
  return product;
}

/// Splits `index` by `sizes`, the fastest first.
SmallVector<OpFoldResult> Mapper::delinearize(OpBuilder &b, Location loc,
                                              OpFoldResult index,
                                              ArrayRef<OpFoldResult> sizes) {
  SmallVector<OpFoldResult> parts;
  AffineExpr d0 = b.getAffineDimExpr(0);
  for (auto [position, size] : llvm::enumerate(sizes)) {
    if (position + 1 == sizes.size()) {
      parts.push_back(index);
      break;
    }
    if (std::optional<int64_t> constant = getConstantIntValue(size)) {
      parts.push_back(
          affine::makeComposedFoldedAffineApply(b, loc, d0 % *constant, index));
      index = affine::makeComposedFoldedAffineApply(
          b, loc, d0.floorDiv(*constant), index);
      continue;
    }
    // Affine lowering has no modulo by a value. The index is not negative.
    Value dividend = getValueOrCreateConstantIndexOp(b, loc, index);
    Value divisor = getValueOrCreateConstantIndexOp(b, loc, size);
    parts.push_back(
        arith::RemUIOp::create(b, loc, dividend, divisor).getResult());
    index = arith::DivUIOp::create(b, loc, dividend, divisor).getResult();
  }
  return parts;
}

/// True when `trips` is at most `count` for certain.
static bool isAtMost(OpFoldResult trips, int64_t count) {
  if (std::optional<int64_t> constant = getConstantIntValue(trips))
    return *constant <= count;
  std::optional<int64_t> bound =
      getConstantUpperBound(cast<Value>(trips), std::nullopt);
  return bound && *bound <= count;
}

void Mapper::rewrite(const Plan &plan) {
  scf::ForallOp forall = plan.forall;
  Location loc = forall.getLoc();
  OpBuilder b(forall);
  bool block = plan.mapping.scope == ExecutionScope::Workgroup;
  SmallVector<OpFoldResult> trips = getTripCounts(b, forall);
  if (llvm::any_of(trips, [](OpFoldResult trip) {
        return getConstantIntValue(trip) == 0;
      })) {
    forall.erase();
    return;
  }

  // The loops first, all of them uniform, then one guard, then the body.
  struct Guard {
    OpFoldResult index, limit;
  };
  SmallVector<Guard> guards;
  /// For each axis with dimensions its iteration and their trip counts.
  SmallVector<std::pair<OpFoldResult, SmallVector<OpFoldResult>>> linear;
  AffineExpr wave = b.getAffineDimExpr(3);
  for (const Axis &axis : plan.axes) {
    SmallVector<OpFoldResult> operands = getIdOperands(block, axis.id);
    if (axis.dims.empty()) {
      guards.push_back({affine::makeComposedFoldedAffineApply(
                            b, loc, AffineMap::get(3, 2, axis.id), operands),
                        b.getIndexAttr(1)});
      continue;
    }
    SmallVector<OpFoldResult> sizes;
    for (unsigned dim : axis.dims)
      sizes.push_back(trips[dim]);
    OpFoldResult total = multiply(b, loc, sizes);
    std::optional<int64_t> constant = getConstantIntValue(total);
    AffineExpr index = axis.id;
    // A grid of unknown size has at least as many workgroups as needed.
    bool wrap = axis.count != kUnknown && !isAtMost(total, axis.count);
    if (wrap) {
      OpFoldResult waves = affine::makeComposedFoldedAffineApply(
          b, loc, b.getAffineSymbolExpr(0).ceilDiv(axis.count), {total});
      auto loop =
          scf::ForOp::create(b, loc, arith::ConstantIndexOp::create(b, loc, 0),
                             getValueOrCreateConstantIndexOp(b, loc, waves),
                             arith::ConstantIndexOp::create(b, loc, 1));
      loop->setAttr(kForallLoopAttr, b.getI64IntegerAttr(plan.id));
      b.setInsertionPointToStart(loop.getBody());
      index = wave * axis.count + index;
      operands.insert(operands.begin() + 3, loop.getInductionVar());
    } else {
      operands.insert(operands.begin() + 3, b.getIndexAttr(0));
    }
    OpFoldResult iteration = affine::makeComposedFoldedAffineApply(
        b, loc, AffineMap::get(4, 2, index), operands);
    // A loop over a count of 1 visits exactly the iterations.
    bool exact =
        wrap ? axis.count == 1 || (constant && *constant % axis.count == 0)
             : constant && *constant == axis.count;
    if (!exact)
      guards.push_back({iteration, total});
    linear.push_back({iteration, sizes});
  }

  Value condition;
  for (const Guard &guard : guards) {
    Value holds = arith::CmpIOp::create(
        b, loc, arith::CmpIPredicate::slt,
        getValueOrCreateConstantIndexOp(b, loc, guard.index),
        getValueOrCreateConstantIndexOp(b, loc, guard.limit));
    condition =
        condition ? arith::AndIOp::create(b, loc, condition, holds).getResult()
                  : holds;
  }
  if (condition) {
    auto guard = scf::IfOp::create(b, loc, condition, /*withElseRegion=*/false);
    b.setInsertionPointToStart(guard.thenBlock());
  }

  // Inside the guard, where no trip count is zero: this may divide by them.
  SmallVector<OpFoldResult> iterations(trips.size());
  unsigned next = 0;
  for (const Axis &axis : plan.axes) {
    if (axis.dims.empty())
      continue;
    auto &[iteration, sizes] = linear[next++];
    for (auto [dim, part] :
         llvm::zip_equal(axis.dims, delinearize(b, loc, iteration, sizes)))
      iterations[dim] = part;
  }

  Block *body = forall.getBody();
  AffineExpr d0 = b.getAffineDimExpr(0), lb = b.getAffineSymbolExpr(0);
  for (auto [iv, iteration, lower, step] :
       llvm::zip_equal(forall.getInductionVars(), iterations,
                       forall.getMixedLowerBound(), forall.getMixedStep())) {
    std::optional<int64_t> constant = getConstantIntValue(step);
    if (!constant) {
      constant = 1;
      iteration =
          arith::MulIOp::create(
              b, loc, getValueOrCreateConstantIndexOp(b, loc, iteration),
              cast<Value>(step))
              .getResult();
    }
    OpFoldResult value = iteration;
    if (*constant != 1 || getConstantIntValue(lower) != 0)
      value = affine::makeComposedFoldedAffineApply(b, loc, d0 * *constant + lb,
                                                    {iteration, lower});
    iv.replaceAllUsesWith(getValueOrCreateConstantIndexOp(b, loc, value));
  }
  body->getTerminator()->erase();
  b.getInsertionBlock()->getOperations().splice(b.getInsertionPoint(),
                                                body->getOperations());
  forall.erase();
}

void Mapper::unifyIds() {
  auto unify = [](auto id, std::array<Value, 3> &cache) {
    Value ours = cache[static_cast<unsigned>(id.getDimension())];
    if (ours && ours != id.getResult()) {
      id.replaceAllUsesWith(ours);
      id.erase();
    }
  };
  kernel->walk([&](Operation *op) {
    if (auto id = dyn_cast<gpu::ThreadIdOp>(op))
      unify(id, threadIds);
    else if (auto id = dyn_cast<gpu::BlockIdOp>(op))
      unify(id, blockIds);
  });
}

//===----------------------------------------------------------------------===//
// The grid
//===----------------------------------------------------------------------===//

static void recordGrid(FunctionOpInterface kernel, const LaunchSizes &grid) {
  if (!getGridSizeAttr(kernel))
    kernel->setAttr(
        "gpu.known_grid_size",
        DenseI32ArrayAttr::get(kernel->getContext(),
                               SmallVector<int32_t>(grid.begin(), grid.end())));
}

/// Records the grid that the block foralls among `plans` need. The context with
/// that grid, where it is a number.
static FailureOr<KernelContext> decideGrid(const KernelContext &context,
                                           ArrayRef<Plan> plans) {
  FunctionOpInterface kernel = context.getKernel();
  GridNeeds needs(kernel);
  bool hasBlocks = false;
  for (const Plan &plan : plans)
    if (plan.mapping.scope == ExecutionScope::Workgroup) {
      needs.add(plan.forall, plan.mapping);
      hasBlocks = true;
    }
  if (!hasBlocks)
    return context;
  if (context.getShape().grid) {
    recordGrid(kernel, *context.getShape().grid);
    return context;
  }
  std::optional<LaunchSizes> grid = needs.getStatic();
  if (!grid) {
    if (std::optional<GridSize> size = needs.get())
      size->record(kernel);
    return context;
  }
  for (int64_t extent : *grid)
    if (extent > std::numeric_limits<int32_t>::max())
      return kernel->emitError()
             << "the block-mapped foralls of kernel '" << kernel.getName()
             << "' need " << extent
             << " workgroups in one dimension, more than a grid can have; use "
                "larger tiles, or give a grid ('gpu.known_grid_size') over "
                "which they wrap";
  recordGrid(kernel, *grid);
  return context.withGrid(*grid);
}

namespace {
struct MapToThreadsPass
    : public memspace::impl::MemSpaceMapToThreadsBase<MapToThreadsPass> {
  using Base::Base;

  void runOnOperation() override {
    KernelSelection selection;
    selection.target = {chip, workgroupLimit, privateLimit, subgroupSize};
    selection.launch = {llvm::to_vector(blockSize), llvm::to_vector(gridSize)};
    selection.pass = getArgument();
    selection.quiet = quiet;
    selection.targetIsOptional = true;
    if (failed(forEachKernel(getOperation(), selection, map)))
      signalPassFailure();
  }

  static LogicalResult map(const KernelContext &given) {
    FailureOr<SmallVector<Plan>> plans = Planner(given).run();
    if (failed(plans))
      return failure();
    FailureOr<KernelContext> decided = decideGrid(given, *plans);
    if (failed(decided))
      return failure();
    const KernelContext &context = *decided;
    // With the grid that they need the foralls have no workgroup too many.
    if (context.getShape().grid && !given.getShape().grid)
      plans = Planner(context).run();
    if (failed(plans))
      return failure();
    SmallVector<NumberedForall> foralls;
    for (const Plan &plan : *plans)
      foralls.push_back({plan.forall, plan.mapping.scope, plan.id});
    recordPromises(context.getKernel(), foralls);
    Mapper mapper(context);
    // Inner foralls first: an outer one takes their code along.
    for (const Plan &plan : llvm::reverse(*plans))
      mapper.rewrite(plan);
    mapper.unifyIds();
    return success();
  }
};
} // namespace
