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
/// Here each dimension is cut down to what is proved to be touched. Buffers
/// that control flow chooses from, exchanges or copies are cut alike. Nothing
/// is done where the proof fails: a buffer that is too large is still correct.
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
/// One use of a buffer: in dimension d the indices from `offsets[d]` on,
/// `spans[d]` of them; no span where their number has no bound.
struct Access {
  Operation *op;
  Value buffer;
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

/// Private buffers of one type between which values may pass, and what uses
/// them. The same elements are touched of each.
struct BufferGroup {
  SmallVector<memref::AllocaOp> allocas;
  /// The buffers, and what may be one of them.
  llvm::SetVector<Value> values;
  SmallVector<Access> accesses;
  /// Copies of a whole tensor into a buffer. What they write outside of the
  /// slice nobody reads.
  SmallVector<Operation *> copies;
};

/// What becomes of one group.
struct ShrinkPlan {
  MemRefType type;
  /// With their new offsets; a null offset stays as it is.
  SmallVector<Access> accesses;
  /// The cuts; none for a dimension that stays.
  SmallVector<std::optional<DimPlan>> cuts;
  /// New types of the values of the group and of the views of them.
  llvm::MapVector<Value, MemRefType> types;
};

/// Plans, which changes nothing, then applies the plan, which cannot fail.
class Shrinker {
public:
  explicit Shrinker(const KernelContext &context)
      : exprs(context), dominance(context.getKernel()) {}

  /// The buffers that have to be cut like `alloca`, with all of their uses;
  /// false when one of these cannot follow.
  bool collect(memref::AllocaOp alloca, BufferGroup &group);
  /// None where nothing is gained, or not all uses can follow.
  std::optional<ShrinkPlan> plan(const BufferGroup &group);
  void apply(const BufferGroup &group, const ShrinkPlan &plan);

private:
  bool addUse(OpOperand &use, BufferGroup &group);
  bool addCopy(Operation *copy, Value source, Value target, Value value,
               BufferGroup &group);
  /// The new offsets, and the new type; false when nothing is gained.
  bool planShape(const BufferGroup &group, ShrinkPlan &plan);
  bool planView(const Access &access, ShrinkPlan &plan);
  void moveView(memref::SubViewOp view, const Access &access, Value buffer);
  void moveIndices(const Access &access, Value buffer);
  void cutCopy(Operation *copy, const ShrinkPlan &plan);
  std::optional<Access> getAccess(OpOperand &use);
  std::optional<DimPlan> planDim(const BufferGroup &group, unsigned dim,
                                 int64_t size);
  std::optional<DimPlan> tryPlan(const BufferGroup &group, unsigned dim,
                                 AffineExpr base, int64_t pitch);
  std::pair<AffineExpr, AffineExpr> split(AffineExpr expr, int64_t pitch);
  AffineExpr rebase(AffineExpr offset, const DimPlan &plan);
  bool isAvailable(AffineExpr expr, Operation *op);
  bool planTypes(Value value, MemRefType type, ShrinkPlan &plan);
  bool planUser(Operation *user, Value value, MemRefType type,
                ShrinkPlan &plan);
  OpFoldResult materialize(OpBuilder &b, Location loc, AffineExpr expr);

  IndexExprs exprs;
  DominanceInfo dominance;
};
} // namespace

std::optional<Access> Shrinker::getAccess(OpOperand &use) {
  Operation *op = use.getOwner();
  Access access{op, use.get(), {}, {}};
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

std::optional<DimPlan> Shrinker::tryPlan(const BufferGroup &group, unsigned dim,
                                         AffineExpr base, int64_t pitch) {
  ArrayRef<Access> accesses = group.accesses;
  int64_t leastWave = INT64_MAX, greatestWave = INT64_MIN;
  int64_t leastRest = INT64_MAX, endOfRests = INT64_MIN;
  for (const Access &access : accesses) {
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
  for (Operation *copy : group.copies)
    if (!isAvailable(base, copy))
      return std::nullopt;
  return plan;
}

/// The smallest cut of dimension `dim`; none when nothing is gained.
std::optional<DimPlan> Shrinker::planDim(const BufferGroup &group, unsigned dim,
                                         int64_t size) {
  llvm::SetVector<AffineExpr> bases;
  llvm::SetVector<int64_t> pitches;
  pitches.insert(0);
  for (const Access &access : group.accesses) {
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
      if (std::optional<DimPlan> plan = tryPlan(group, dim, base, pitch))
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

/// Erases `op` when nothing but dead views uses it. True when anything was
/// erased.
static bool eraseIfDead(Operation *op) {
  // Each behind what it is a view of.
  SetVector<Operation *> views;
  views.insert(op);
  for (size_t i = 0; i < views.size(); ++i)
    for (Operation *user : views[i]->getUsers())
      if (isa<ViewLikeOpInterface>(user) && isPure(user))
        views.insert(user);
  bool isErased = false;
  for (Operation *view : llvm::reverse(views))
    if (view->use_empty()) {
      view->erase();
      isErased = true;
    }
  return isErased;
}

/// True for what may be one of several buffers, and for a buffer: its other
/// names can be followed.
static bool canFollow(Value value) {
  if (auto arg = dyn_cast<BlockArgument>(value))
    return isa<scf::ForOp>(arg.getOwner()->getParentOp());
  return isa<memref::AllocaOp, arith::SelectOp, scf::ForOp, scf::IfOp>(
      value.getDefiningOp());
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
  if (auto branch = dyn_cast<scf::IfOp>(op))
    return {branch.thenYield().getOperand(i), branch.elseYield().getOperand(i)};
  if (auto select = dyn_cast<arith::SelectOp>(op))
    return {select.getTrueValue(), select.getFalseValue()};
  return {};
}

/// A copy whose source or target is `value`. One between two buffers of one
/// type stays whole.
bool Shrinker::addCopy(Operation *copy, Value source, Value target, Value value,
                       BufferGroup &group) {
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

bool Shrinker::addUse(OpOperand &use, BufferGroup &group) {
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
  if (isa<scf::YieldOp>(op) && isa<scf::ForOp, scf::IfOp>(op->getParentOp())) {
    group.values.insert(op->getParentOp()->getResult(use.getOperandNumber()));
    return true;
  }
  std::optional<Access> access = getAccess(use);
  if (!access)
    return false;
  for (AffineExpr &offset : access->offsets)
    offset = exprs.simplify(offset);
  group.accesses.push_back(std::move(*access));
  return true;
}

bool Shrinker::collect(memref::AllocaOp alloca, BufferGroup &group) {
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

bool Shrinker::planShape(const BufferGroup &group, ShrinkPlan &plan) {
  memref::AllocaOp alloca = group.allocas.front();
  MemRefType type = alloca.getType();
  plan.accesses = group.accesses;
  SmallVector<int64_t> shape(type.getShape());
  for (unsigned dim = 0; dim < shape.size(); ++dim) {
    std::optional<DimPlan> cut = planDim(group, dim, shape[dim]);
    if (cut)
      shape[dim] = cut->size;
    for (Access &access : plan.accesses)
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
bool Shrinker::planView(const Access &access, ShrinkPlan &plan) {
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

std::optional<ShrinkPlan> Shrinker::plan(const BufferGroup &group) {
  ShrinkPlan plan;
  if (!planShape(group, plan) ||
      !llvm::all_of(plan.accesses, [&](const Access &access) {
        return planView(access, plan);
      }))
    return std::nullopt;
  for (Value value : group.values)
    if (!value.getDefiningOp<memref::AllocaOp>())
      plan.types[value] = plan.type;
  return plan;
}

void Shrinker::moveView(memref::SubViewOp view, const Access &access,
                        Value buffer) {
  OpBuilder b(view);
  SmallVector<OpFoldResult> offsets = view.getMixedOffsets();
  for (auto [offset, expr] : llvm::zip_equal(offsets, access.offsets))
    if (expr)
      offset = materialize(b, view.getLoc(), expr);
  auto moved = memref::SubViewOp::create(b, view.getLoc(), view.getType(),
                                         buffer, offsets, view.getMixedSizes(),
                                         view.getMixedStrides());
  moved->setDiscardableAttrs(view->getDiscardableAttrDictionary());
  view.replaceAllUsesWith(moved.getResult());
  view.erase();
}

/// The indices follow the buffer among the operands of all these ops.
void Shrinker::moveIndices(const Access &access, Value buffer) {
  Operation *op = access.op;
  OpBuilder b(op);
  OpOperand *operand = llvm::find_if(
      op->getOpOperands(), [&](OpOperand &use) { return use.get() == buffer; });
  unsigned first = operand->getOperandNumber() + 1;
  for (auto [position, expr] : llvm::enumerate(access.offsets))
    if (expr)
      op->setOperand(first + position,
                     getValueOrCreateConstantIndexOp(
                         b, op->getLoc(), materialize(b, op->getLoc(), expr)));
}

/// Copies the elements of the slice. Those beyond the source, which a thread
/// without a whole slice would have, nobody reads either.
void Shrinker::cutCopy(Operation *copy, const ShrinkPlan &plan) {
  Value source = copy->getOperand(0), target = copy->getOperand(1);
  ArrayRef<int64_t> shape = cast<MemRefType>(source.getType()).getShape();
  Location loc = copy->getLoc();
  OpBuilder b(copy);
  SmallVector<Value> from, to;
  Value inBounds;
  auto require = [&](arith::CmpIPredicate predicate, Value index,
                     int64_t bound) {
    Value holds =
        arith::CmpIOp::create(b, loc, predicate, index,
                              arith::ConstantIndexOp::create(b, loc, bound));
    inBounds =
        inBounds ? arith::AndIOp::create(b, loc, inBounds, holds) : holds;
  };
  Value zero = arith::ConstantIndexOp::create(b, loc, 0);
  Value one = arith::ConstantIndexOp::create(b, loc, 1);
  // The loops first: the conditions belong inside all of them.
  for (int64_t size : plan.type.getShape()) {
    if (size == 1) {
      to.push_back(zero);
      continue;
    }
    Value end = arith::ConstantIndexOp::create(b, loc, size);
    auto loop = scf::ForOp::create(b, loc, zero, end, one);
    to.push_back(loop.getInductionVar());
    b.setInsertionPointToStart(loop.getBody());
  }
  for (auto [dim, cut] : llvm::enumerate(plan.cuts)) {
    if (!cut) {
      from.push_back(to[dim]);
      continue;
    }
    Value start = getValueOrCreateConstantIndexOp(
        b, loc, materialize(b, loc, cut->base + cut->leastRest));
    AffineExpr x = b.getAffineDimExpr(0), index = b.getAffineDimExpr(1);
    AffineExpr old =
        cut->pitch == 0
            ? x + index
            : x + (index.floorDiv(cut->rests) + cut->leastWave) * cut->pitch +
                  index % cut->rests;
    from.push_back(affine::makeComposedAffineApply(
        b, loc, AffineMap::get(2, 0, old), {start, to[dim]}));
    Interval starts = exprs.getInterval(cut->base);
    int64_t waves = cut->pitch == 0 ? 1 : cut->size / cut->rests;
    int64_t first = cut->leastRest + cut->leastWave * cut->pitch;
    int64_t last = cut->leastRest + (cut->leastWave + waves - 1) * cut->pitch +
                   cut->rests - 1;
    if (!starts.lower || *starts.lower + first < 0)
      require(arith::CmpIPredicate::sge, from.back(), 0);
    if (!starts.upper || *starts.upper + last >= shape[dim])
      require(arith::CmpIPredicate::slt, from.back(), shape[dim]);
  }
  if (inBounds)
    b.setInsertionPointToStart(
        scf::IfOp::create(b, loc, inBounds, /*withElseRegion=*/false)
            .thenBlock());
  Value element = memref::LoadOp::create(b, loc, source, from);
  memref::StoreOp::create(b, loc, element, target, to);
  copy->erase();
}

void Shrinker::apply(const BufferGroup &group, const ShrinkPlan &plan) {
  DenseMap<Value, Value> smaller;
  for (memref::AllocaOp alloca : group.allocas) {
    OpBuilder b(alloca);
    auto cut = memref::AllocaOp::create(b, alloca.getLoc(), plan.type,
                                        alloca.getAlignmentAttr());
    cut->setDiscardableAttrs(alloca->getDiscardableAttrDictionary());
    alloca.replaceAllUsesWith(cut.getResult());
    smaller[alloca] = cut;
  }
  for (auto [value, type] : plan.types)
    value.setType(type);
  for (const Access &access : plan.accesses) {
    auto it = smaller.find(access.buffer);
    Value buffer = it == smaller.end() ? access.buffer : it->second;
    if (auto view = dyn_cast<memref::SubViewOp>(access.op))
      moveView(view, access, buffer);
    else
      moveIndices(access, buffer);
  }
  for (Operation *copy : group.copies)
    cutCopy(copy, plan);
  for (memref::AllocaOp alloca : group.allocas)
    alloca.erase();
}

static bool isPrivate(Type type, const KernelContext &context) {
  return isa<MemRefType>(type) &&
         context.getSpaces().getNamedSpace(type) == MemorySpace::Private;
}

/// A loop that carries a private buffer round unchanged hides its uses. True
/// when something has changed.
static bool foldCarriedBuffers(const KernelContext &context) {
  FunctionOpInterface kernel = context.getKernel();
  SmallVector<Operation *> loops;
  kernel->walk([&](scf::ForOp loop) {
    if (llvm::any_of(loop.getResultTypes(),
                     [&](Type type) { return isPrivate(type, context); }))
      loops.push_back(loop);
  });
  if (loops.empty())
    return false;
  RewritePatternSet patterns(kernel->getContext());
  scf::ForOp::getCanonicalizationPatterns(patterns, kernel->getContext());
  GreedyRewriteConfig config;
  config.setStrictness(GreedyRewriteStrictness::ExistingAndNewOps);
  bool isChanged = false;
  (void)applyOpPatternsGreedily(loops, std::move(patterns), config, &isChanged);
  return isChanged;
}

namespace {
struct ShrinkPrivatePass
    : public memspace::impl::ShrinkPrivatePassBase<ShrinkPrivatePass> {
  using Base::Base;

  void runOnOperation() override {
    KernelSelection selection;
    selection.target = {chip, workgroupLimit, privateLimit, subgroupSize};
    selection.launch = {llvm::to_vector(blockSize), llvm::to_vector(gridSize)};
    selection.memorySpaces = memorySpaces;
    selection.pass = getArgument();
    selection.quiet = quiet;
    selection.targetIsOptional = true;
    bool isChanged = renameAttributes(getOperation());
    auto shrinkAll = [&](const KernelContext &context) {
      isChanged |= foldCarriedBuffers(context);
      isChanged |= shrink(context);
      return success();
    };
    if (failed(forEachKernel(getOperation(), selection, shrinkAll)))
      return signalPassFailure();
    // Then nothing needs to be verified again.
    if (!isChanged)
      markAllAnalysesPreserved();
  }

  static SmallVector<memref::AllocaOp>
  getPrivateAllocas(const KernelContext &context) {
    SmallVector<memref::AllocaOp> allocas;
    FunctionOpInterface kernel = context.getKernel();
    kernel->walk([&](memref::AllocaOp alloca) {
      if (isPrivate(alloca.getType(), context))
        allocas.push_back(alloca);
    });
    return allocas;
  }

  /// True when anything was changed.
  static bool shrink(const KernelContext &context) {
    bool isChanged = false;
    for (Operation *alloca : getPrivateAllocas(context))
      isChanged |= eraseIfDead(alloca);
    // Those of a group are looked at together, and the new ones not again.
    DenseSet<Operation *> done;
    for (memref::AllocaOp alloca : getPrivateAllocas(context)) {
      if (done.contains(alloca))
        continue;
      // The leaves are values that a rewrite may erase: fresh for each.
      Shrinker shrinker(context);
      BufferGroup group;
      bool canShrink = shrinker.collect(alloca, group);
      done.insert(group.allocas.begin(), group.allocas.end());
      if (!canShrink)
        continue;
      if (std::optional<ShrinkPlan> plan = shrinker.plan(group)) {
        shrinker.apply(group, *plan);
        isChanged = true;
      }
    }
    return isChanged;
  }
};
} // namespace
