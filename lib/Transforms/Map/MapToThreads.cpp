//===- MapToThreads.cpp - foralls to thread ids -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Makes SPMD code of mapped foralls (docs/rules.md#physical-threads).
/// Everything is checked before anything is rewritten, so that a refused
/// kernel stays as it was.
///
//===----------------------------------------------------------------------===//

#include "ForallPlan.h"
#include "ForallPromises.h"
#include "GridNeeds.h"
#include "MemSpace/IR/MemSpaceDialect.h"
#include "MemSpace/Kernel/ExecutionScope.h"
#include "MemSpace/Memory/BufferSize.h"
#include "MemSpace/Transforms/Passes.h"
#include "Transforms/Support/IndexedToLoops.h"
#include "Transforms/Workgroup/ShrinkPrivate.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace mlir {
namespace memspace {
#define GEN_PASS_DEF_MAPTOTHREADSPASS
#include "MemSpace/Transforms/Passes.h.inc"
} // namespace memspace
} // namespace mlir

using namespace mlir;
using namespace mlir::memspace;

namespace {
/// Only threads with `index` < `limit` execute the body.
struct Guard {
  OpFoldResult index, limit;
};

/// The iteration of a thread along one axis, and the trip counts of the axis's
/// dimensions, of which it is made.
struct AxisIteration {
  const ForallAxis *axis;
  OpFoldResult iteration;
  SmallVector<OpFoldResult> sizes;
};

/// Rewrites the foralls of one kernel as planned.
class Mapper {
public:
  explicit Mapper(const KernelContext &context)
      : kernel(context.getKernel()), shape(context.getShape()) {}

  void rewrite(const ForallPlan &plan);
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
  void placeAxis(OpBuilder &b, const ForallPlan &plan, const ForallAxis &axis,
                 ArrayRef<OpFoldResult> trips, SmallVectorImpl<Guard> &guards,
                 SmallVectorImpl<AxisIteration> &placed);

  FunctionOpInterface kernel;
  LaunchShape shape;
  std::array<Value, 3> threadIds, blockIds, gridSizes;
};
} // namespace

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
        size == ForallAxis::kUnknown ? IntegerAttr() : b.getIndexAttr(size));
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
          blockIds, dim,
          shape.grid ? (*shape.grid)[dim] : ForallAxis::kUnknown));
    else
      operands.push_back(
          getId<gpu::ThreadIdOp>(threadIds, dim, shape.block[dim]));
  }
  for (unsigned symbol = 0; symbol < 2; ++symbol)
    operands.push_back(
        expr.isFunctionOfSymbol(symbol)
            ? getId<gpu::GridDimOp>(gridSizes, symbol, ForallAxis::kUnknown)
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

/// Creates what makes the iterations of `axis` out of ids: where there are
/// fewer ids than iterations, a loop over waves of them, in which `b` then is.
/// Adds a guard where there may be more.
void Mapper::placeAxis(OpBuilder &b, const ForallPlan &plan,
                       const ForallAxis &axis, ArrayRef<OpFoldResult> trips,
                       SmallVectorImpl<Guard> &guards,
                       SmallVectorImpl<AxisIteration> &placed) {
  Location loc = plan.forall->getLoc();
  bool block = plan.mapping.scope == ExecutionScope::Workgroup;
  SmallVector<OpFoldResult> operands = getIdOperands(block, axis.id);
  if (axis.dims.empty()) {
    guards.push_back({affine::makeComposedFoldedAffineApply(
                          b, loc, AffineMap::get(3, 2, axis.id), operands),
                      b.getIndexAttr(1)});
    return;
  }
  SmallVector<OpFoldResult> sizes;
  for (unsigned dim : axis.dims)
    sizes.push_back(trips[dim]);
  OpFoldResult total = multiply(b, loc, sizes);
  std::optional<int64_t> constant = getConstantIntValue(total);
  AffineExpr index = axis.id;
  // A grid of unknown size has at least as many workgroups as needed.
  bool wrap =
      axis.count != ForallAxis::kUnknown && !isAtMost(total, axis.count);
  OpFoldResult wave = b.getIndexAttr(0);
  if (wrap) {
    OpFoldResult waves = affine::makeComposedFoldedAffineApply(
        b, loc, b.getAffineSymbolExpr(0).ceilDiv(axis.count), {total});
    auto loop =
        scf::ForOp::create(b, loc, arith::ConstantIndexOp::create(b, loc, 0),
                           getValueOrCreateConstantIndexOp(b, loc, waves),
                           arith::ConstantIndexOp::create(b, loc, 1));
    loop->setAttr(kForallLoopAttr, b.getI64IntegerAttr(plan.id));
    b.setInsertionPointToStart(loop.getBody());
    index = b.getAffineDimExpr(3) * axis.count + index;
    wave = loop.getInductionVar();
  }
  operands.insert(operands.begin() + 3, wave);
  OpFoldResult iteration = affine::makeComposedFoldedAffineApply(
      b, loc, AffineMap::get(4, 2, index), operands);
  // A loop over a count of 1 visits exactly the iterations.
  bool exact =
      wrap ? axis.count == 1 || (constant && *constant % axis.count == 0)
           : constant && *constant == axis.count;
  if (!exact)
    guards.push_back({iteration, total});
  placed.push_back({&axis, iteration, std::move(sizes)});
}

/// Moves `b` into one `scf.if` of all guards, if there are any.
static void enterGuards(OpBuilder &b, Location loc, ArrayRef<Guard> guards) {
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
  if (!condition)
    return;
  auto guard = scf::IfOp::create(b, loc, condition, /*withElseRegion=*/false);
  b.setInsertionPointToStart(guard.thenBlock());
}

/// The induction variables of `forall` become lower bound + iteration · step.
static void replaceInductionVars(OpBuilder &b, scf::ForallOp forall,
                                 ArrayRef<OpFoldResult> iterations) {
  Location loc = forall.getLoc();
  AffineExpr d0 = b.getAffineDimExpr(0), lb = b.getAffineSymbolExpr(0);
  for (auto [iv, number, lower, step] :
       llvm::zip_equal(forall.getInductionVars(), iterations,
                       forall.getMixedLowerBound(), forall.getMixedStep())) {
    OpFoldResult iteration = number;
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
}

void Mapper::rewrite(const ForallPlan &plan) {
  scf::ForallOp forall = plan.forall;
  Location loc = forall.getLoc();
  OpBuilder b(forall);
  SmallVector<OpFoldResult> trips = getTripCounts(b, forall);
  if (llvm::any_of(trips, [](OpFoldResult trip) {
        return getConstantIntValue(trip) == 0;
      })) {
    forall.erase();
    return;
  }

  // The loops first, all of them uniform, then one guard, then the body.
  SmallVector<Guard> guards;
  SmallVector<AxisIteration> placed;
  for (const ForallAxis &axis : plan.axes)
    placeAxis(b, plan, axis, trips, guards, placed);
  enterGuards(b, loc, guards);

  // Inside the guard, where no trip count is zero: this may divide by them.
  SmallVector<OpFoldResult> iterations(trips.size());
  for (const AxisIteration &axis : placed)
    for (auto [dim, part] : llvm::zip_equal(
             axis.axis->dims, delinearize(b, loc, axis.iteration, axis.sizes)))
      iterations[dim] = part;
  replaceInductionVars(b, forall, iterations);

  Block *body = forall.getBody();
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
                                           ArrayRef<ForallPlan> plans) {
  FunctionOpInterface kernel = context.getKernel();
  GridNeeds needs(kernel);
  bool hasBlocks = false;
  for (const ForallPlan &plan : plans)
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

/// Gathers and scatters are now their threads' own.
static void lowerIndexedOps(const KernelContext &context) {
  FunctionOpInterface kernel = context.getKernel();
  SmallVector<Operation *> ops;
  kernel->walk([&](Operation *op) {
    if (isa<GatherOp, ScatterOp>(op))
      ops.push_back(op);
    // In memory of its own a thread meets nobody.
    auto scatter = dyn_cast<ScatterOp>(op);
    if (scatter && context.getSpaces().getNamedSpace(
                       scatter.getOutput().getType()) == MemorySpace::Private)
      scatter.setAtomic(false);
  });
  if (ops.empty())
    return;
  RewritePatternSet patterns(kernel.getContext());
  addIndexedToLoops(patterns);
  (void)applyOpPatternsGreedily(ops, std::move(patterns));
}

namespace {
struct MapToThreadsPass
    : public memspace::impl::MapToThreadsPassBase<MapToThreadsPass> {
  using Base::Base;

  void runOnOperation() override {
    KernelSelection selection;
    selection.target = {chip, workgroupLimit, privateLimit, subgroupSize};
    selection.launch = {llvm::to_vector(blockSize), llvm::to_vector(gridSize)};
    selection.memorySpaces = memorySpaces;
    selection.pass = getArgument();
    selection.quiet = quiet;
    selection.targetIsOptional = true;
    if (failed(forEachKernel(getOperation(), selection, map)))
      return signalPassFailure();
    bool isChanged = true;
    if (shrinkPrivate &&
        failed(shrinkPrivateBuffers(getOperation(), selection, isChanged)))
      signalPassFailure();
  }

  static LogicalResult map(const KernelContext &given) {
    lowerIndexedOps(given);
    FailureOr<SmallVector<ForallPlan>> plans = planForalls(given);
    if (failed(plans))
      return failure();
    FailureOr<KernelContext> decided = decideGrid(given, *plans);
    if (failed(decided))
      return failure();
    const KernelContext &context = *decided;
    // With the grid that they need the foralls have no workgroup too many.
    if (context.getShape().grid && !given.getShape().grid)
      plans = planForalls(context);
    if (failed(plans))
      return failure();
    SmallVector<NumberedForall> foralls;
    // Threads of several subgroups that execute one iteration are not apart.
    for (const ForallPlan &plan : *plans)
      if (!plan.isRepeated)
        foralls.push_back({plan.forall, plan.mapping.scope, plan.id});
    recordPromises(context, foralls);
    Mapper mapper(context);
    // Inner foralls first: an outer one takes their code along.
    for (const ForallPlan &plan : llvm::reverse(*plans))
      mapper.rewrite(plan);
    mapper.unifyIds();
    return success();
  }
};
} // namespace
