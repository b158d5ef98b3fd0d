//===- ShrinkPrivate.cpp - private buffers to their thread's slice -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A tensor whose elements stay with their threads becomes a private buffer of
/// the tensor's size in every thread, of which a thread touches its slice only.
/// Here each dimension is cut down to what is proved to be touched. Nothing is
/// done where the proof fails: a buffer that is too large is still correct.
///
//===----------------------------------------------------------------------===//

#include "BufferLayouts.h"
#include "IndexExprs.h"
#include "MemSpace/Transforms/Passes.h"
#include "Transforms/Support/PassKernels.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Dominance.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Support/MathExtras.h"

namespace mlir {
namespace memspace {
#define GEN_PASS_DEF_SHRINKPRIVATEPASS
#include "MemSpace/Transforms/Passes.h.inc"
} // namespace memspace
} // namespace mlir

using namespace mlir;
using namespace mlir::memspace;

namespace {
/// One use of the buffer: in dimension d the indices from `offsets[d]` on,
/// `spans[d]` of them; no span where their number has no bound.
struct Access {
  Operation *op;
  SmallVector<AffineExpr> offsets;
  SmallVector<std::optional<int64_t>> spans;
};

/// How one dimension is cut: the old offset less `base` is split into
/// `pitch` · wave + rest; the new one is `rests` · wave + rest, both counted
/// from their least values. Without a pitch, all is rest.
struct DimPlan {
  AffineExpr base;
  int64_t pitch = 0;
  int64_t leastWave = 0, leastRest = 0;
  int64_t rests = 0;
  int64_t size = 0;
};

class Shrinker {
public:
  explicit Shrinker(const KernelContext &context)
      : exprs(context), dominance(context.getKernel()) {}

  void shrink(memref::AllocaOp alloca);

private:
  std::optional<Access> getAccess(OpOperand &use);
  std::optional<DimPlan> planDim(ArrayRef<Access> accesses, unsigned dim,
                                 int64_t size);
  std::optional<DimPlan> tryPlan(ArrayRef<Access> accesses, unsigned dim,
                                 AffineExpr base, int64_t pitch);
  std::pair<AffineExpr, AffineExpr> split(AffineExpr expr, int64_t pitch);
  AffineExpr rebase(AffineExpr offset, const DimPlan &plan);
  bool isAvailable(AffineExpr expr, Operation *op);
  bool planTypes(Value value, MemRefType type);
  bool planUser(Operation *user, Value value, MemRefType type);
  OpFoldResult materialize(OpBuilder &b, Location loc, AffineExpr expr);

  IndexExprs exprs;
  DominanceInfo dominance;
  /// New types of the views of the buffer at hand.
  llvm::MapVector<Value, MemRefType> types;
};
} // namespace

std::optional<Access> Shrinker::getAccess(OpOperand &use) {
  Operation *op = use.getOwner();
  Access access{op, {}, {}};
  auto addIndices = [&](ValueRange indices) {
    for (Value index : indices) {
      access.offsets.push_back(exprs.get(index));
      access.spans.push_back(1);
    }
  };
  // A vector covers the innermost dimensions.
  auto addVector = [&](ValueRange indices, VectorType type) {
    addIndices(indices);
    if (type.isScalable() ||
        type.getRank() > static_cast<int64_t>(indices.size()))
      return false;
    for (auto [position, size] : llvm::enumerate(type.getShape()))
      access.spans[indices.size() - type.getRank() + position] = size;
    return true;
  };
  auto addTransfer = [&](VectorTransferOpInterface transfer) {
    return transfer.getPermutationMap().isMinorIdentity() &&
           !transfer.hasOutOfBoundsDim() && !transfer.getMask() &&
           addVector(transfer.getIndices(), transfer.getVectorType());
  };
  if (auto subview = dyn_cast<memref::SubViewOp>(op)) {
    for (auto [offset, size, stride] :
         llvm::zip_equal(subview.getMixedOffsets(), subview.getMixedSizes(),
                         subview.getMixedStrides())) {
      access.offsets.push_back(exprs.get(offset));
      std::optional<int64_t> step = getConstantIntValue(stride);
      std::optional<int64_t> most = exprs.getInterval(exprs.get(size)).greatest;
      if (step && *step > 0 && most)
        access.spans.push_back(std::max<int64_t>((*most - 1) * *step + 1, 1));
      else
        access.spans.push_back(std::nullopt);
    }
    return access;
  }
  if (auto load = dyn_cast<memref::LoadOp>(op)) {
    addIndices(load.getIndices());
    return access;
  }
  if (auto store = dyn_cast<memref::StoreOp>(op)) {
    if (store.getValueToStore() == use.get())
      return std::nullopt;
    addIndices(store.getIndices());
    return access;
  }
  if (auto load = dyn_cast<vector::LoadOp>(op))
    return addVector(load.getIndices(), load.getVectorType())
               ? std::optional(access)
               : std::nullopt;
  if (auto store = dyn_cast<vector::StoreOp>(op))
    return addVector(store.getIndices(), store.getVectorType())
               ? std::optional(access)
               : std::nullopt;
  if (auto transfer = dyn_cast<VectorTransferOpInterface>(op))
    return addTransfer(transfer) ? std::optional(access) : std::nullopt;
  return std::nullopt;
}

/// `expr` as pitch · first + second.
std::pair<AffineExpr, AffineExpr> Shrinker::split(AffineExpr expr,
                                                  int64_t pitch) {
  AffineExpr zero = getAffineConstantExpr(0, expr.getContext());
  if (pitch == 0)
    return {zero, expr};
  SmallVector<AffineExpr> terms;
  splitSum(expr, terms);
  AffineExpr wave = zero, rest = zero;
  for (AffineExpr term : terms) {
    if (auto constant = dyn_cast<AffineConstantExpr>(term)) {
      int64_t value = constant.getValue();
      wave = wave + llvm::divideFloorSigned(value, pitch);
      rest = rest + llvm::mod(value, pitch);
      continue;
    }
    auto [x, factor] = splitFactor(term);
    if (factor % pitch == 0)
      wave = wave + x * (factor / pitch);
    else
      rest = rest + term;
  }
  return {exprs.simplify(wave), exprs.simplify(rest)};
}

AffineExpr Shrinker::rebase(AffineExpr offset, const DimPlan &plan) {
  auto [wave, rest] = split(exprs.simplify(offset - plan.base), plan.pitch);
  return exprs.simplify((wave - plan.leastWave) * plan.rests + rest -
                        plan.leastRest);
}

bool Shrinker::isAvailable(AffineExpr expr, Operation *op) {
  for (auto [position, leaf] : llvm::enumerate(exprs.getLeaves()))
    if (expr.isFunctionOfDim(position) &&
        !dominance.properlyDominates(leaf, op))
      return false;
  return true;
}

std::optional<DimPlan> Shrinker::tryPlan(ArrayRef<Access> accesses,
                                         unsigned dim, AffineExpr base,
                                         int64_t pitch) {
  int64_t leastWave = INT64_MAX, greatestWave = INT64_MIN;
  int64_t leastRest = INT64_MAX, endOfRests = INT64_MIN;
  for (const Access &access : accesses) {
    auto [wave, rest] =
        split(exprs.simplify(access.offsets[dim] - base), pitch);
    IndexInterval waves = exprs.getInterval(wave);
    IndexInterval rests = exprs.getInterval(rest);
    if (!waves.least || !waves.greatest || !rests.least || !rests.greatest ||
        !access.spans[dim])
      return std::nullopt;
    leastWave = std::min(leastWave, *waves.least);
    greatestWave = std::max(greatestWave, *waves.greatest);
    leastRest = std::min(leastRest, *rests.least);
    endOfRests = std::max(endOfRests, *rests.greatest + *access.spans[dim]);
  }
  DimPlan plan{base, pitch, leastWave, leastRest, endOfRests - leastRest, 0};
  if (greatestWave < leastWave || plan.rests <= 0)
    return std::nullopt;
  // Otherwise two waves would meet in one element.
  if (pitch != 0 && plan.rests > pitch)
    return std::nullopt;
  if (llvm::MulOverflow(greatestWave - leastWave + 1, plan.rests, plan.size))
    return std::nullopt;
  for (const Access &access : accesses)
    if (!isAvailable(rebase(access.offsets[dim], plan), access.op))
      return std::nullopt;
  return plan;
}

/// The smallest cut of dimension `dim`; none when nothing is gained.
std::optional<DimPlan> Shrinker::planDim(ArrayRef<Access> accesses,
                                         unsigned dim, int64_t size) {
  llvm::SetVector<AffineExpr> bases;
  llvm::SetVector<int64_t> pitches;
  pitches.insert(0);
  for (const Access &access : accesses) {
    SmallVector<AffineExpr> terms;
    splitSum(access.offsets[dim], terms);
    AffineExpr base =
        getAffineConstantExpr(0, access.offsets[dim].getContext());
    for (AffineExpr term : terms) {
      if (isa<AffineConstantExpr>(term))
        continue;
      if (exprs.isKernelConstant(term)) {
        base = base + term;
        continue;
      }
      int64_t factor = std::abs(splitFactor(term).second);
      if (factor > 1 && factor < size)
        pitches.insert(factor);
    }
    bases.insert(exprs.simplify(base));
  }
  std::optional<DimPlan> best;
  for (AffineExpr base : bases)
    for (int64_t pitch : pitches)
      if (std::optional<DimPlan> plan = tryPlan(accesses, dim, base, pitch))
        if (plan->size < (best ? best->size : size))
          best = plan;
  return best;
}

/// Records the types that `value` and the views of it get; false when a user
/// cannot live with them.
bool Shrinker::planTypes(Value value, MemRefType type) {
  types[value] = type;
  return llvm::all_of(value.getUsers(), [&](Operation *user) {
    return planUser(user, value, type);
  });
}

bool Shrinker::planUser(Operation *user, Value value, MemRefType type) {
  if (auto view = dyn_cast<memref::SubViewOp>(user)) {
    MemRefType inferred = memref::SubViewOp::inferRankReducedResultType(
        view.getType().getShape(), type, view.getMixedOffsets(),
        view.getMixedSizes(), view.getMixedStrides());
    return inferred && planTypes(view, inferred);
  }
  if (auto cast = dyn_cast<memref::CastOp>(user))
    return memref::CastOp::areCastCompatible(type, cast.getType());
  if (isa<memref::CollapseShapeOp, memref::ExpandShapeOp>(user)) {
    FailureOr<MemRefType> reshaped = inferReshapedType(user, type);
    return succeeded(reshaped) && planTypes(user->getResult(0), *reshaped);
  }
  if (isa<memref::DimOp>(user))
    return true;
  // What reads and writes elements works with any strides; what passes the
  // buffer on fixes its type.
  auto effects = dyn_cast<MemoryEffectOpInterface>(user);
  if (!effects || isa<CallOpInterface>(user) ||
      user->hasTrait<OpTrait::IsTerminator>() ||
      (user->getNumRegions() != 0 && !isa<linalg::LinalgOp>(user)) ||
      llvm::any_of(user->getResultTypes(), llvm::IsaPred<BaseMemRefType>))
    return false;
  if (auto store = dyn_cast<memref::StoreOp>(user);
      store && store.getValueToStore() == value)
    return false;
  return effects.getEffectOnValue<MemoryEffects::Read>(value) ||
         effects.getEffectOnValue<MemoryEffects::Write>(value);
}

OpFoldResult Shrinker::materialize(OpBuilder &b, Location loc,
                                   AffineExpr expr) {
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return b.getIndexAttr(constant.getValue());
  ArrayRef<Value> leaves = exprs.getLeaves();
  // Only the leaves that the expression uses.
  SmallVector<OpFoldResult> operands;
  SmallVector<AffineExpr> dims(leaves.size(), b.getAffineConstantExpr(0));
  for (auto [position, leaf] : llvm::enumerate(leaves))
    if (expr.isFunctionOfDim(position)) {
      dims[position] = b.getAffineDimExpr(operands.size());
      operands.push_back(leaf);
    }
  AffineMap map = AffineMap::get(operands.size(), 0, expr.replaceDims(dims));
  OpFoldResult index =
      affine::makeComposedFoldedAffineApply(b, loc, map, operands);
  // A constant now would change the types that were planned.
  return getValueOrCreateConstantIndexOp(b, loc, index);
}

/// Erases `op` when nothing but dead views uses it.
static void eraseIfDead(Operation *op) {
  // Each behind what it is a view of.
  SetVector<Operation *> views;
  views.insert(op);
  for (size_t i = 0; i < views.size(); ++i)
    for (Operation *user : views[i]->getUsers())
      if (isa<ViewLikeOpInterface>(user) && isPure(user))
        views.insert(user);
  for (Operation *view : llvm::reverse(views))
    if (view->use_empty())
      view->erase();
}

void Shrinker::shrink(memref::AllocaOp alloca) {
  MemRefType type = alloca.getType();
  if (!type.hasStaticShape() || !type.getLayout().isIdentity() ||
      type.getNumElements() == 0)
    return;
  SmallVector<Access> accesses;
  SmallVector<linalg::FillOp> fills;
  for (OpOperand &use : alloca->getUses()) {
    // What a fill writes outside of the slice nobody reads.
    if (auto fill = dyn_cast<linalg::FillOp>(use.getOwner());
        fill && fill.isDpsInit(&use)) {
      fills.push_back(fill);
      continue;
    }
    std::optional<Access> access = getAccess(use);
    if (!access)
      return;
    for (AffineExpr &offset : access->offsets)
      offset = exprs.simplify(offset);
    accesses.push_back(std::move(*access));
  }

  SmallVector<DimPlan> plans;
  SmallVector<int64_t> shape;
  bool smaller = false;
  for (auto [dim, size] : llvm::enumerate(type.getShape())) {
    std::optional<DimPlan> plan = planDim(accesses, dim, size);
    smaller |= plan.has_value();
    plans.push_back(plan.value_or(DimPlan()));
    shape.push_back(plan ? plan->size : size);
  }
  if (!smaller)
    return;

  // What the accesses will be, and whether all views can follow.
  MemRefType newType =
      MemRefType::get(shape, type.getElementType(), MemRefLayoutAttrInterface(),
                      type.getMemorySpace());
  types.clear();
  OpBuilder b(alloca);
  SmallVector<SmallVector<AffineExpr>> offsets;
  for (const Access &access : accesses) {
    SmallVector<AffineExpr> rebased;
    for (auto [offset, plan] : llvm::zip_equal(access.offsets, plans))
      rebased.push_back(plan.base ? rebase(offset, plan) : AffineExpr());
    offsets.push_back(rebased);
    auto subview = dyn_cast<memref::SubViewOp>(access.op);
    if (!subview)
      continue;
    SmallVector<OpFoldResult> mixed = subview.getMixedOffsets();
    for (auto [offset, expr] : llvm::zip_equal(mixed, rebased)) {
      if (!expr)
        continue;
      if (auto constant = dyn_cast<AffineConstantExpr>(expr))
        offset = b.getIndexAttr(constant.getValue());
      else
        offset = alloca.getResult(); // any value: it is not constant
    }
    MemRefType viewType = memref::SubViewOp::inferRankReducedResultType(
        subview.getType().getShape(), newType, mixed, subview.getMixedSizes(),
        subview.getMixedStrides());
    if (!viewType || !planTypes(subview, viewType))
      return;
  }

  auto newAlloca = memref::AllocaOp::create(b, alloca.getLoc(), newType,
                                            alloca.getAlignmentAttr());
  newAlloca->setDiscardableAttrs(alloca->getDiscardableAttrDictionary());
  for (auto [value, viewType] : types)
    value.setType(viewType);
  for (linalg::FillOp fill : fills)
    fill.getDpsInitOperand(0)->set(newAlloca);
  for (auto [access, rebased] : llvm::zip_equal(accesses, offsets)) {
    Operation *op = access.op;
    b.setInsertionPoint(op);
    if (auto subview = dyn_cast<memref::SubViewOp>(op)) {
      SmallVector<OpFoldResult> mixed = subview.getMixedOffsets();
      for (auto [offset, expr] : llvm::zip_equal(mixed, rebased))
        if (expr)
          offset = materialize(b, op->getLoc(), expr);
      auto newView = memref::SubViewOp::create(
          b, op->getLoc(), subview.getType(), newAlloca, mixed,
          subview.getMixedSizes(), subview.getMixedStrides());
      newView->setDiscardableAttrs(subview->getDiscardableAttrDictionary());
      subview.replaceAllUsesWith(newView.getResult());
      subview.erase();
      continue;
    }
    // The indices follow the buffer among the operands of all these ops.
    OpOperand *buffer = llvm::find_if(op->getOpOperands(), [&](OpOperand &use) {
      return use.get() == alloca.getResult();
    });
    unsigned first = buffer->getOperandNumber() + 1;
    buffer->set(newAlloca);
    for (auto [position, expr] : llvm::enumerate(rebased))
      if (expr)
        op->setOperand(
            first + position,
            getValueOrCreateConstantIndexOp(
                b, op->getLoc(), materialize(b, op->getLoc(), expr)));
  }
  alloca.erase();
}

static bool isPrivate(Type type) {
  auto memref = dyn_cast<MemRefType>(type);
  if (!memref)
    return false;
  auto space = dyn_cast_or_null<gpu::AddressSpaceAttr>(memref.getMemorySpace());
  return space && space.getValue() == gpu::AddressSpace::Private;
}

/// A loop that carries a private buffer round unchanged hides its uses.
static void foldCarriedBuffers(FunctionOpInterface kernel) {
  SmallVector<Operation *> loops;
  kernel->walk([&](scf::ForOp loop) {
    if (llvm::any_of(loop.getResultTypes(), isPrivate))
      loops.push_back(loop);
  });
  if (loops.empty())
    return;
  RewritePatternSet patterns(kernel->getContext());
  scf::ForOp::getCanonicalizationPatterns(patterns, kernel->getContext());
  GreedyRewriteConfig config;
  config.setStrictness(GreedyRewriteStrictness::ExistingAndNewOps);
  (void)applyOpPatternsGreedily(loops, std::move(patterns), config);
}

namespace {
struct ShrinkPrivatePass
    : public memspace::impl::ShrinkPrivatePassBase<ShrinkPrivatePass> {
  using Base::Base;

  void runOnOperation() override {
    KernelSelection selection;
    selection.target = {chip, workgroupLimit, privateLimit, subgroupSize};
    selection.launch = {llvm::to_vector(blockSize), llvm::to_vector(gridSize)};
    selection.pass = getArgument();
    selection.quiet = quiet;
    selection.targetIsOptional = true;
    if (failed(forEachKernel(getOperation(), selection, shrink)))
      signalPassFailure();
  }

  static SmallVector<memref::AllocaOp>
  getPrivateAllocas(FunctionOpInterface kernel) {
    SmallVector<memref::AllocaOp> allocas;
    kernel->walk([&](memref::AllocaOp alloca) {
      if (isPrivate(alloca.getType()))
        allocas.push_back(alloca);
    });
    return allocas;
  }

  static LogicalResult shrink(const KernelContext &context) {
    FunctionOpInterface kernel = context.getKernel();
    foldCarriedBuffers(kernel);
    for (Operation *alloca : getPrivateAllocas(kernel))
      eraseIfDead(alloca);
    // The leaves are values that a rewrite may erase: fresh for each.
    for (memref::AllocaOp alloca : getPrivateAllocas(kernel))
      Shrinker(context).shrink(alloca);
    return success();
  }
};
} // namespace
