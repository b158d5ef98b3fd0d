//===- ShrinkPlan.cpp - how private buffers are cut -----------------------===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ShrinkPlan.h"
#include "BufferLayouts.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::memspace;

std::optional<ShrinkAccess> Shrinker::getAccess(OpOperand &use) {
  Operation *op = use.getOwner();
  ShrinkAccess access{op, use.get(), {}, {}};
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
      std::optional<int64_t> most = exprs.getInterval(exprs.get(size)).upper;
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

AffineExpr Shrinker::rebase(AffineExpr offset, const ShrinkCut &plan) {
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

std::optional<ShrinkCut> Shrinker::tryPlan(const ShrinkGroup &group,
                                           unsigned dim, AffineExpr base,
                                           int64_t pitch) {
  ArrayRef<ShrinkAccess> accesses = group.accesses;
  int64_t leastWave = INT64_MAX, greatestWave = INT64_MIN;
  int64_t leastRest = INT64_MAX, endOfRests = INT64_MIN;
  for (const ShrinkAccess &access : accesses) {
    auto [wave, rest] =
        split(exprs.simplify(access.offsets[dim] - base), pitch);
    Interval waves = exprs.getInterval(wave);
    Interval rests = exprs.getInterval(rest);
    if (!waves.lower || !waves.upper || !rests.lower || !rests.upper ||
        !access.spans[dim])
      return std::nullopt;
    leastWave = std::min(leastWave, *waves.lower);
    greatestWave = std::max(greatestWave, *waves.upper);
    leastRest = std::min(leastRest, *rests.lower);
    endOfRests = std::max(endOfRests, *rests.upper + *access.spans[dim]);
  }
  ShrinkCut plan{base, pitch, leastWave, leastRest, endOfRests - leastRest, 0};
  if (greatestWave < leastWave || plan.rests <= 0)
    return std::nullopt;
  // Otherwise two waves would meet in one element.
  if (pitch != 0 && plan.rests > pitch)
    return std::nullopt;
  if (llvm::MulOverflow(greatestWave - leastWave + 1, plan.rests, plan.size))
    return std::nullopt;
  for (const ShrinkAccess &access : accesses)
    if (!isAvailable(rebase(access.offsets[dim], plan), access.op))
      return std::nullopt;
  for (Operation *copy : group.copies)
    if (!isAvailable(base, copy))
      return std::nullopt;
  return plan;
}

/// The smallest cut of dimension `dim`; none when nothing is gained.
std::optional<ShrinkCut> Shrinker::planDim(const ShrinkGroup &group,
                                           unsigned dim, int64_t size) {
  llvm::SetVector<AffineExpr> bases;
  llvm::SetVector<int64_t> pitches;
  pitches.insert(0);
  for (const ShrinkAccess &access : group.accesses) {
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
  std::optional<ShrinkCut> best;
  for (AffineExpr base : bases)
    for (int64_t pitch : pitches)
      if (std::optional<ShrinkCut> plan = tryPlan(group, dim, base, pitch))
        if (plan->size < (best ? best->size : size))
          best = plan;
  return best;
}

/// Records the types that `value` and the views of it get; false when a user
/// cannot live with them.
bool Shrinker::planTypes(Value value, MemRefType type, ShrinkPlan &plan) {
  plan.types[value] = type;
  return llvm::all_of(value.getUsers(), [&](Operation *user) {
    return planUser(user, value, type, plan);
  });
}

bool Shrinker::planUser(Operation *user, Value value, MemRefType type,
                        ShrinkPlan &plan) {
  if (auto view = dyn_cast<memref::SubViewOp>(user)) {
    MemRefType inferred = memref::SubViewOp::inferRankReducedResultType(
        view.getType().getShape(), type, view.getMixedOffsets(),
        view.getMixedSizes(), view.getMixedStrides());
    return inferred && planTypes(view, inferred, plan);
  }
  if (auto cast = dyn_cast<memref::CastOp>(user))
    return memref::CastOp::areCastCompatible(type, cast.getType());
  if (isa<memref::CollapseShapeOp, memref::ExpandShapeOp>(user)) {
    FailureOr<MemRefType> reshaped = inferReshapedType(user, type);
    return succeeded(reshaped) &&
           planTypes(user->getResult(0), *reshaped, plan);
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

/// True for what may be one of several buffers, and for a buffer: its other
/// names can be followed.
static bool canFollow(Value value) {
  if (auto arg = dyn_cast<BlockArgument>(value))
    return isa<scf::ForOp>(arg.getOwner()->getParentOp());
  return isa<memref::AllocaOp, arith::SelectOp, scf::ForOp, scf::IfOp,
             scf::IndexSwitchOp>(value.getDefiningOp());
}

/// The other values that may be the same buffer because of how `value` comes
/// about.
static SmallVector<Value> getSources(Value value) {
  auto getCarried = [](scf::ForOp loop, unsigned i) -> SmallVector<Value> {
    return {loop.getInitArgs()[i], loop.getRegionIterArgs()[i],
            loop.getYieldedValues()[i], loop.getResults()[i]};
  };
  if (auto arg = dyn_cast<BlockArgument>(value)) {
    auto loop = cast<scf::ForOp>(arg.getOwner()->getParentOp());
    return getCarried(loop, arg.getArgNumber() - loop.getNumInductionVars());
  }
  unsigned i = cast<OpResult>(value).getResultNumber();
  Operation *op = value.getDefiningOp();
  if (auto loop = dyn_cast<scf::ForOp>(op))
    return getCarried(loop, i);
  if (isa<scf::IfOp, scf::IndexSwitchOp>(op))
    return llvm::map_to_vector(op->getRegions(), [&](Region &branch) {
      return branch.front().getTerminator()->getOperand(i);
    });
  if (auto select = dyn_cast<arith::SelectOp>(op))
    return {select.getTrueValue(), select.getFalseValue()};
  return {};
}

/// A copy whose source or target is `value`. One between two buffers of one
/// type stays whole.
bool Shrinker::addCopy(Operation *copy, Value source, Value target, Value value,
                       ShrinkGroup &group) {
  Value other = source == value ? target : source;
  if (other.getType() == value.getType() && canFollow(other)) {
    group.values.insert(other);
    return true;
  }
  auto type = dyn_cast<MemRefType>(source.getType());
  if (target != value || !type ||
      type.getShape() != cast<MemRefType>(value.getType()).getShape() ||
      type.getElementType() !=
          cast<MemRefType>(value.getType()).getElementType())
    return false;
  group.copies.push_back(copy);
  return true;
}

bool Shrinker::addUse(OpOperand &use, ShrinkGroup &group) {
  Operation *op = use.getOwner();
  Value value = use.get();
  // What a fill writes outside of the slice nobody reads.
  if (auto fill = dyn_cast<linalg::FillOp>(op))
    return fill.isDpsInit(&use);
  if (auto copy = dyn_cast<memref::CopyOp>(op))
    return addCopy(op, copy.getSource(), copy.getTarget(), value, group);
  if (auto copy = dyn_cast<linalg::CopyOp>(op))
    return addCopy(op, copy.getInputs()[0], copy.getOutputs()[0], value, group);
  if (auto loop = dyn_cast<scf::ForOp>(op)) {
    group.values.insert(loop.getTiedLoopResult(&use));
    return true;
  }
  if (isa<arith::SelectOp>(op)) {
    group.values.insert(op->getResult(0));
    return true;
  }
  if (isa<scf::YieldOp>(op) &&
      isa<scf::ForOp, scf::IfOp, scf::IndexSwitchOp>(op->getParentOp())) {
    group.values.insert(op->getParentOp()->getResult(use.getOperandNumber()));
    return true;
  }
  std::optional<ShrinkAccess> access = getAccess(use);
  if (!access)
    return false;
  for (AffineExpr &offset : access->offsets)
    offset = exprs.simplify(offset);
  group.accesses.push_back(std::move(*access));
  return true;
}

bool Shrinker::collect(memref::AllocaOp alloca, ShrinkGroup &group) {
  bool canShrink = alloca.getType().hasStaticShape() &&
                   alloca.getType().getLayout().isIdentity() &&
                   alloca.getType().getNumElements() != 0;
  // All of the group, even if it cannot shrink: nobody need ask again.
  group.values.insert(alloca);
  for (size_t i = 0; i < group.values.size(); ++i) {
    Value value = group.values[i];
    if (value.getType() != alloca.getType() || !canFollow(value)) {
      canShrink = false;
      continue;
    }
    if (auto other = value.getDefiningOp<memref::AllocaOp>())
      group.allocas.push_back(other);
    SmallVector<Value> sources = getSources(value);
    group.values.insert(sources.begin(), sources.end());
    for (OpOperand &use : value.getUses())
      canShrink &= addUse(use, group);
  }
  return canShrink;
}

bool Shrinker::planShape(const ShrinkGroup &group, ShrinkPlan &plan) {
  memref::AllocaOp alloca = group.allocas.front();
  MemRefType type = alloca.getType();
  plan.accesses = group.accesses;
  SmallVector<int64_t> shape(type.getShape());
  for (unsigned dim = 0; dim < shape.size(); ++dim) {
    std::optional<ShrinkCut> cut = planDim(group, dim, shape[dim]);
    if (cut)
      shape[dim] = cut->size;
    for (ShrinkAccess &access : plan.accesses)
      access.offsets[dim] =
          cut ? rebase(access.offsets[dim], *cut) : AffineExpr();
    plan.cuts.push_back(cut);
  }
  plan.type =
      MemRefType::get(shape, type.getElementType(), MemRefLayoutAttrInterface(),
                      type.getMemorySpace());
  return plan.type != type;
}

/// The type that a subview gets, and the types behind it.
bool Shrinker::planView(const ShrinkAccess &access, ShrinkPlan &plan) {
  auto view = dyn_cast<memref::SubViewOp>(access.op);
  if (!view)
    return true;
  SmallVector<OpFoldResult> offsets = view.getMixedOffsets();
  Builder b(view.getContext());
  for (auto [offset, expr] : llvm::zip_equal(offsets, access.offsets)) {
    if (auto constant = dyn_cast_if_present<AffineConstantExpr>(expr))
      offset = b.getIndexAttr(constant.getValue());
    else if (expr)
      offset = view.getSource(); // any value: it is not constant
  }
  MemRefType type = memref::SubViewOp::inferRankReducedResultType(
      view.getType().getShape(), plan.type, offsets, view.getMixedSizes(),
      view.getMixedStrides());
  return type && planTypes(view, type, plan);
}

std::optional<ShrinkPlan> Shrinker::plan(const ShrinkGroup &group) {
  ShrinkPlan plan;
  if (!planShape(group, plan) ||
      !llvm::all_of(plan.accesses, [&](const ShrinkAccess &access) {
        return planView(access, plan);
      }))
    return std::nullopt;
  for (Value value : group.values)
    if (!value.getDefiningOp<memref::AllocaOp>())
      plan.types[value] = plan.type;
  return plan;
}
