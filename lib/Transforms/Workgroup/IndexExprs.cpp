//===- IndexExprs.cpp - index values as affine functions -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IndexExprs.h"
#include "Kernel/IntegerOps.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Interfaces/ValueBoundsOpInterface.h"
#include "llvm/Support/MathExtras.h"
#include <functional>
#include <numeric>

using namespace mlir;
using namespace mlir::memspace;

/// A value behind more ops than this is one number: neither the stack nor the
/// expressions, on which upstream recurses, grow with a chain of ops.
static constexpr unsigned kMaxDepth = 64;

/// Beyond this nothing is a bound, and arithmetic on bounds cannot overflow.
static constexpr int64_t kBoundLimit = int64_t(1) << 31;

static Interval limit(Interval interval) {
  for (std::optional<int64_t> *bound : {&interval.lower, &interval.upper})
    if (*bound && (**bound <= -kBoundLimit || **bound >= kBoundLimit))
      *bound = std::nullopt;
  return interval;
}

IndexExprs::IndexExprs(const KernelContext &context)
    : context(context), kernel(context.getKernel()) {}

AffineExpr IndexExprs::getLeaf(Value value) {
  if (!value.getType().isIndex())
    return {};
  leaves.push_back(value);
  return getAffineDimExpr(leaves.size() - 1, kernel->getContext());
}

AffineExpr IndexExprs::getId(Value value, unsigned dim, int64_t size,
                             std::array<AffineExpr, 3> &ids) {
  if (!ids[dim]) {
    ids[dim] = size == 1 ? getAffineConstantExpr(0, kernel->getContext())
                         : getLeaf(value);
    if (size != 1 && size != ShapedType::kDynamic)
      intervals[value] = {0, size - 1};
    else
      intervals[value] = {0, std::nullopt};
  }
  return ids[dim];
}

AffineExpr IndexExprs::get(OpFoldResult index) {
  if (std::optional<int64_t> constant = getConstantIntValue(index))
    return getAffineConstantExpr(*constant, kernel->getContext());
  return translate(cast<Value>(index));
}

AffineExpr IndexExprs::translate(Value value) {
  if (std::optional<int64_t> constant = getConstantIntValue(value))
    return getAffineConstantExpr(*constant, kernel->getContext());
  auto it = exprs.find(value);
  if (it != exprs.end())
    return it->second;
  ++depth;
  AffineExpr expr = depth > kMaxDepth ? getLeaf(value) : build(value);
  --depth;
  exprs[value] = expr;
  return expr;
}

void mlir::memspace::splitSum(AffineExpr expr,
                              SmallVectorImpl<AffineExpr> &terms) {
  if (expr.getKind() == AffineExprKind::Add) {
    auto sum = cast<AffineBinaryOpExpr>(expr);
    splitSum(sum.getLHS(), terms);
    splitSum(sum.getRHS(), terms);
    return;
  }
  terms.push_back(expr);
}

std::pair<AffineExpr, int64_t> mlir::memspace::splitFactor(AffineExpr term) {
  if (term.getKind() == AffineExprKind::Mul) {
    auto product = cast<AffineBinaryOpExpr>(term);
    if (auto factor = dyn_cast<AffineConstantExpr>(product.getRHS()))
      return {product.getLHS(), factor.getValue()};
  }
  return {term, 1};
}

AffineExpr IndexExprs::simplify(AffineExpr expr) {
  expr = simplifyAffineExpr(expr, leaves.size(), 0);
  AffineExpr folded = foldDivisions(expr);
  return folded == expr ? expr : simplifyAffineExpr(folded, leaves.size(), 0);
}

AffineExpr IndexExprs::foldDivisions(AffineExpr expr) {
  auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
  if (!binary)
    return expr;
  AffineExpr lhs = foldDivisions(binary.getLHS());
  AffineExpr rhs = foldDivisions(binary.getRHS());
  bool modulo = expr.getKind() == AffineExprKind::Mod;
  auto divisor = dyn_cast<AffineConstantExpr>(rhs);
  if ((modulo || expr.getKind() == AffineExprKind::FloorDiv) && divisor &&
      divisor.getValue() > 0)
    return foldDivision(lhs, divisor.getValue(), modulo);
  return getAffineBinaryOpExpr(expr.getKind(), lhs, rhs);
}

/// With dividend = g · x + rest, g a divisor of c and 0 <= rest < g:
/// floor(dividend / c) = floor(x / (c / g)) and
/// dividend mod c = g · (x mod (c / g)) + rest.
AffineExpr IndexExprs::foldDivision(AffineExpr dividend, int64_t divisor,
                                    bool modulo) {
  SmallVector<AffineExpr> terms;
  splitSum(dividend, terms);
  SmallVector<int64_t> candidates = {divisor};
  for (AffineExpr term : terms)
    candidates.push_back(std::gcd(splitFactor(term).second, divisor));
  llvm::sort(candidates, std::greater<int64_t>());
  for (int64_t g : candidates) {
    AffineExpr zero = getAffineConstantExpr(0, kernel->getContext());
    AffineExpr x = zero, rest = zero;
    for (AffineExpr term : terms) {
      if (auto constant = dyn_cast<AffineConstantExpr>(term)) {
        x = x + llvm::divideFloorSigned(constant.getValue(), g);
        rest = rest + llvm::mod(constant.getValue(), g);
      } else if (auto [value, factor] = splitFactor(term); factor % g == 0) {
        x = x + value * (factor / g);
      } else {
        rest = rest + term;
      }
    }
    Interval interval = getInterval(rest);
    if (!interval.isNonNegative() || !interval.upper || *interval.upper >= g)
      continue;
    return modulo ? (x % (divisor / g)) * g + rest : x.floorDiv(divisor / g);
  }
  return modulo ? dividend % divisor : dividend.floorDiv(divisor);
}

/// Sizes are constants, and ids leaves.
AffineExpr IndexExprs::buildId(OpResult result, HardwareId id) {
  if (std::optional<int64_t> size = getIdNumber(id, context, ThreadPlace());
      size && !id.isOfThread())
    return getAffineConstantExpr(*size, kernel->getContext());
  const LaunchShape &shape = context.getShape();
  if (id.kind == HardwareId::Kind::ThreadId)
    return getId(result, id.dim, shape.block[id.dim], threadIds);
  if (id.kind == HardwareId::Kind::BlockId)
    return getId(result, id.dim,
                 shape.grid ? (*shape.grid)[id.dim] : ShapedType::kDynamic,
                 blockIds);
  return getLeaf(result);
}

AffineExpr IndexExprs::build(Value value) {
  auto result = dyn_cast<OpResult>(value);
  if (!result)
    return getLeaf(value);
  if (std::optional<HardwareId> id = getHardwareId(result.getOwner()))
    return buildId(result, *id);
  auto getConstant = [&](Value operand) -> std::optional<int64_t> {
    auto constant = dyn_cast_if_present<AffineConstantExpr>(translate(operand));
    return constant ? std::optional(constant.getValue()) : std::nullopt;
  };
  auto isNonNegative = [&](Value operand) {
    return getValueInterval(operand).isNonNegative();
  };
  std::optional<AffineMeaning> meaning =
      getAffineMeaning(result, {getConstant, isNonNegative});
  if (!meaning || !meaning->expr.isPureAffine())
    return getLeaf(value);
  SmallVector<AffineExpr> operands;
  for (Value operand : meaning->operands) {
    operands.push_back(translate(operand));
    if (!operands.back())
      return getLeaf(value);
  }
  AffineExpr expr = simplify(meaning->expr.replaceSymbols(operands));
  if (meaning->mayWrap && !isInRange(getInterval(expr), value.getType()))
    return getLeaf(value);
  return expr;
}

bool IndexExprs::isKernelConstant(AffineExpr expr) {
  for (auto [position, leaf] : llvm::enumerate(leaves)) {
    if (!expr.isFunctionOfDim(position))
      continue;
    Operation *op = leaf.getDefiningOp();
    if (leaf.getParentBlock() != &kernel.getFunctionBody().front() &&
        !(op && getHardwareId(op)))
      return false;
  }
  return true;
}

Interval IndexExprs::computeInduction(scf::ForOp loop) {
  Interval first = getInterval(get(loop.getLowerBound()));
  Interval end = getInterval(get(loop.getUpperBound()));
  Interval result{first.lower, std::nullopt};
  if (end.upper)
    result.upper = *end.upper - 1;
  std::optional<int64_t> step = getConstantIntValue(loop.getStep());
  if (result.upper && step && *step > 0 && first.lower &&
      first.lower == first.upper && *result.upper >= *first.lower)
    result.upper =
        *first.lower + (*result.upper - *first.lower) / *step * *step;
  // An iteration of a loop that never runs: any bounds hold.
  if (result.lower && result.upper && *result.upper < *result.lower)
    result.upper = result.lower;
  return result;
}

/// No more than any of the results, and no less than all of them.
Interval IndexExprs::computeMinimum(affine::AffineMinOp min) {
  SmallVector<AffineExpr> operands;
  for (Value operand : min.getOperands())
    operands.push_back(get(operand));
  ArrayRef<AffineExpr> all(operands);
  AffineMap map = min.getMap();
  std::optional<Interval> lower;
  Interval upper;
  for (AffineExpr expr : map.getResults()) {
    if (!expr.isPureAffine())
      return {};
    Interval part = getInterval(simplify(expr.replaceDimsAndSymbols(
        all.take_front(map.getNumDims()), all.drop_front(map.getNumDims()))));
    lower = lower ? lower->unite(part) : part;
    upper = upper.intersect(part);
  }
  return {lower ? lower->lower : std::nullopt, upper.upper};
}

Interval IndexExprs::computeLeafInterval(Value leaf) {
  if (auto arg = dyn_cast<BlockArgument>(leaf)) {
    auto loop = dyn_cast<scf::ForOp>(arg.getOwner()->getParentOp());
    if (loop && arg == loop.getInductionVar() && arg.getType().isIndex() &&
        !loop.getUnsignedCmp())
      return computeInduction(loop);
  }
  if (auto min = leaf.getDefiningOp<affine::AffineMinOp>())
    return computeMinimum(min);
  // Conditions are not numbers.
  if (!leaf.getType().isIntOrIndex() || leaf.getType().isInteger(1))
    return {};
  Interval range;
  if (auto result = dyn_cast<OpResult>(leaf))
    range = getRange(result,
                     [&](Value operand) { return getValueInterval(operand); });
  if (!leaf.getType().isIndex())
    return range;
  auto bound = [&](presburger::BoundType type) -> std::optional<int64_t> {
    FailureOr<int64_t> computed =
        ValueBoundsConstraintSet::computeConstantBound(
            type, leaf, /*stopCondition=*/nullptr, /*closedUB=*/true);
    return succeeded(computed) ? std::optional(*computed) : std::nullopt;
  };
  return range.intersect(
      {bound(presburger::BoundType::LB), bound(presburger::BoundType::UB)});
}

Interval IndexExprs::getLeafInterval(Value leaf) {
  auto it = intervals.find(leaf);
  if (it != intervals.end())
    return it->second;
  // Until it is known it has no bounds: values of a graph may be circular.
  intervals[leaf] = {};
  ++depth;
  Interval result = depth > kMaxDepth ? Interval() : computeLeafInterval(leaf);
  --depth;
  return intervals[leaf] = limit(result);
}

/// Of any integer, affine or not.
Interval IndexExprs::getValueInterval(Value value) {
  if (!value.getType().isIntOrIndex())
    return {};
  AffineExpr expr = translate(value);
  return expr ? getInterval(expr) : getLeafInterval(value);
}

Interval IndexExprs::getInterval(AffineExpr expr) {
  return limit(computeInterval(expr));
}

Interval IndexExprs::computeInterval(AffineExpr expr) {
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return {constant.getValue(), constant.getValue()};
  if (auto dim = dyn_cast<AffineDimExpr>(expr))
    return getLeafInterval(leaves[dim.getPosition()]);
  auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
  if (!binary)
    return {};
  Interval lhs = getInterval(binary.getLHS());
  if (expr.getKind() == AffineExprKind::Add)
    return lhs + getInterval(binary.getRHS());
  auto constant = dyn_cast<AffineConstantExpr>(binary.getRHS());
  if (!constant)
    return {};
  int64_t factor = constant.getValue();
  if (expr.getKind() == AffineExprKind::Mul)
    return lhs * factor;
  if (factor <= 0)
    return {};
  switch (expr.getKind()) {
  case AffineExprKind::FloorDiv:
    return lhs.floorDiv(factor);
  case AffineExprKind::CeilDiv:
    return (lhs + Interval{factor - 1, factor - 1}).floorDiv(factor);
  case AffineExprKind::Mod:
    if (lhs.isNonNegative() && lhs.upper && *lhs.upper < factor)
      return lhs;
    return {0, factor - 1};
  default:
    return {};
  }
}
