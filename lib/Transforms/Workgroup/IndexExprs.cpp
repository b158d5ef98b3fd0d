//===- IndexExprs.cpp - index values as affine functions -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IndexExprs.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
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

static std::optional<int64_t> limit(std::optional<int64_t> bound) {
  if (bound && *bound > -kBoundLimit && *bound < kBoundLimit)
    return bound;
  return std::nullopt;
}

IndexExprs::IndexExprs(const KernelContext &context)
    : kernel(context.getKernel()), shape(context.getShape()) {}

AffineExpr IndexExprs::getLeaf(Value value) {
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
  auto value = cast<Value>(index);
  if (AffineExpr known = exprs.lookup(value))
    return known;
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
    IndexInterval interval = getInterval(rest);
    if (!interval.least || !interval.greatest || *interval.least < 0 ||
        *interval.greatest >= g)
      continue;
    return modulo ? (x % (divisor / g)) * g + rest : x.floorDiv(divisor / g);
  }
  return modulo ? dividend % divisor : dividend.floorDiv(divisor);
}

AffineExpr IndexExprs::build(Value value) {
  Operation *op = value.getDefiningOp();
  if (!op)
    return getLeaf(value);
  if (auto apply = dyn_cast<affine::AffineApplyOp>(op)) {
    AffineMap map = apply.getAffineMap();
    SmallVector<AffineExpr> operands;
    for (Value operand : apply.getMapOperands())
      operands.push_back(get(operand));
    ArrayRef<AffineExpr> all(operands);
    AffineExpr expr = map.getResult(0);
    // A symbol may not become a dim where the form is semi-affine.
    if (expr.isPureAffine())
      return simplify(expr.replaceDimsAndSymbols(
          all.take_front(map.getNumDims()), all.drop_front(map.getNumDims())));
    return getLeaf(value);
  }
  if (auto id = dyn_cast<gpu::ThreadIdOp>(op)) {
    unsigned dim = static_cast<unsigned>(id.getDimension());
    return getId(value, dim, shape.block[dim], threadIds);
  }
  if (auto id = dyn_cast<gpu::BlockIdOp>(op)) {
    unsigned dim = static_cast<unsigned>(id.getDimension());
    return getId(value, dim,
                 shape.grid ? (*shape.grid)[dim] : ShapedType::kDynamic,
                 blockIds);
  }
  if (!value.getType().isIndex())
    return getLeaf(value);
  if (auto linearize = dyn_cast<affine::AffineLinearizeIndexOp>(op)) {
    AffineExpr sum = getAffineConstantExpr(0, op->getContext());
    SmallVector<OpFoldResult> basis = linearize.getMixedBasis();
    bool outer = basis.size() == linearize.getMultiIndex().size();
    for (auto [position, index] : llvm::enumerate(linearize.getMultiIndex())) {
      if (position > 0) {
        auto size = getConstantIntValue(basis[outer ? position : position - 1]);
        if (!size)
          return getLeaf(value);
        sum = sum * *size;
      }
      sum = sum + get(index);
    }
    return simplify(sum);
  }
  if (auto split = dyn_cast<affine::AffineDelinearizeIndexOp>(op)) {
    std::optional<SmallVector<int64_t>> sizes =
        getConstantIntValues(split.getMixedBasis());
    if (!sizes || llvm::any_of(*sizes, [](int64_t size) { return size <= 0; }))
      return getLeaf(value);
    // Without an outer bound the basis has one entry less than results.
    unsigned position = cast<OpResult>(value).getResultNumber();
    unsigned missing = split.getNumResults() - sizes->size();
    int64_t stride = 1;
    for (unsigned i = position + 1; i < split.getNumResults(); ++i)
      if (llvm::MulOverflow(stride, (*sizes)[i - missing], stride))
        return getLeaf(value);
    AffineExpr expr = get(split.getLinearIndex()).floorDiv(stride);
    if (position > 0)
      expr = expr % (*sizes)[position - missing];
    return simplify(expr);
  }
  if (op->getNumOperands() != 2 || op->getNumResults() != 1)
    return getLeaf(value);
  auto lhs = [&] { return get(op->getOperand(0)); };
  std::optional<int64_t> right = getConstantIntValue(op->getOperand(1));
  if (isa<arith::AddIOp>(op))
    return simplify(lhs() + get(op->getOperand(1)));
  if (isa<arith::SubIOp>(op))
    return simplify(lhs() - get(op->getOperand(1)));
  if (isa<arith::MulIOp>(op)) {
    if (right)
      return simplify(lhs() * *right);
    if (std::optional<int64_t> left = getConstantIntValue(op->getOperand(0)))
      return simplify(get(op->getOperand(1)) * *left);
    return getLeaf(value);
  }
  if (isa<arith::ShLIOp>(op) && right && *right >= 0 && *right < 31)
    return simplify(lhs() * (int64_t(1) << *right));
  if (!right || *right <= 0 || *right >= kBoundLimit)
    return getLeaf(value);
  // Affine division rounds down; the others agree with it from 0 on.
  bool division = isa<arith::DivUIOp, arith::DivSIOp, arith::FloorDivSIOp>(op);
  bool remainder = isa<arith::RemUIOp, arith::RemSIOp>(op);
  if (!division && !remainder)
    return getLeaf(value);
  if (!isa<arith::FloorDivSIOp>(op) &&
      getInterval(lhs()).least.value_or(-1) < 0)
    return getLeaf(value);
  return simplify(division ? lhs().floorDiv(*right) : lhs() % *right);
}

bool IndexExprs::isKernelConstant(AffineExpr expr) {
  for (auto [position, leaf] : llvm::enumerate(leaves)) {
    if (!expr.isFunctionOfDim(position))
      continue;
    if (leaf.getParentBlock() != &kernel.getFunctionBody().front() &&
        !leaf.getDefiningOp<gpu::ThreadIdOp>() &&
        !leaf.getDefiningOp<gpu::BlockIdOp>())
      return false;
  }
  return true;
}

IndexInterval IndexExprs::computeLeafInterval(Value leaf) {
  if (auto arg = dyn_cast<BlockArgument>(leaf)) {
    auto loop = dyn_cast<scf::ForOp>(arg.getOwner()->getParentOp());
    if (loop && arg == loop.getInductionVar() && arg.getType().isIndex() &&
        !loop.getUnsignedCmp()) {
      IndexInterval lower = getInterval(get(loop.getLowerBound()));
      IndexInterval upper = getInterval(get(loop.getUpperBound()));
      IndexInterval result{lower.least, std::nullopt};
      if (upper.greatest)
        result.greatest = *upper.greatest - 1;
      std::optional<int64_t> step = getConstantIntValue(loop.getStep());
      if (result.greatest && step && *step > 0 && lower.least &&
          lower.least == lower.greatest && *result.greatest >= *lower.least)
        result.greatest =
            *lower.least + (*result.greatest - *lower.least) / *step * *step;
      // An iteration of a loop that never runs: any bounds hold.
      if (result.least && result.greatest && *result.greatest < *result.least)
        result.greatest = result.least;
      return result;
    }
  }
  if (auto min = leaf.getDefiningOp<affine::AffineMinOp>()) {
    SmallVector<AffineExpr> operands;
    for (Value operand : min.getOperands())
      operands.push_back(get(operand));
    ArrayRef<AffineExpr> all(operands);
    AffineMap map = min.getMap();
    IndexInterval result;
    bool first = true, bounded = true;
    for (AffineExpr expr : map.getResults()) {
      if (!expr.isPureAffine())
        return {};
      IndexInterval part = getInterval(simplify(expr.replaceDimsAndSymbols(
          all.take_front(map.getNumDims()), all.drop_front(map.getNumDims()))));
      if (part.greatest &&
          (!result.greatest || *part.greatest < *result.greatest))
        result.greatest = part.greatest;
      bounded &= part.least.has_value();
      if (bounded && (first || *part.least < *result.least))
        result.least = part.least;
      first = false;
    }
    if (!bounded)
      result.least.reset();
    return result;
  }
  IndexInterval result;
  if (!leaf.getType().isIndex())
    return result;
  auto bound = [&](presburger::BoundType type) -> std::optional<int64_t> {
    FailureOr<int64_t> computed =
        ValueBoundsConstraintSet::computeConstantBound(
            type, leaf, /*stopCondition=*/nullptr, /*closedUB=*/true);
    return succeeded(computed) ? limit(*computed) : std::nullopt;
  };
  result.least = bound(presburger::BoundType::LB);
  result.greatest = bound(presburger::BoundType::UB);
  return result;
}

IndexInterval IndexExprs::getInterval(AffineExpr expr) {
  if (auto constant = dyn_cast<AffineConstantExpr>(expr)) {
    std::optional<int64_t> value = limit(constant.getValue());
    return {value, value};
  }
  if (auto dim = dyn_cast<AffineDimExpr>(expr)) {
    Value leaf = leaves[dim.getPosition()];
    auto it = intervals.find(leaf);
    if (it != intervals.end())
      return it->second;
    intervals[leaf] = {};
    IndexInterval result = computeLeafInterval(leaf);
    intervals[leaf] = result;
    return result;
  }
  auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
  if (!binary)
    return {};
  IndexInterval lhs = getInterval(binary.getLHS());
  IndexInterval rhs = getInterval(binary.getRHS());
  auto map = [](std::optional<int64_t> value, auto fn) {
    return value ? limit(fn(*value)) : std::nullopt;
  };
  if (expr.getKind() == AffineExprKind::Add) {
    auto add = [](std::optional<int64_t> a,
                  std::optional<int64_t> b) -> std::optional<int64_t> {
      return a && b ? limit(*a + *b) : std::nullopt;
    };
    return {add(lhs.least, rhs.least), add(lhs.greatest, rhs.greatest)};
  }
  auto constant = dyn_cast<AffineConstantExpr>(binary.getRHS());
  if (!constant || !limit(constant.getValue()))
    return {};
  int64_t factor = constant.getValue();
  switch (expr.getKind()) {
  case AffineExprKind::Mul: {
    auto times = [&](int64_t value) { return value * factor; };
    IndexInterval result{map(lhs.least, times), map(lhs.greatest, times)};
    if (factor < 0)
      std::swap(result.least, result.greatest);
    return factor == 0 ? IndexInterval{0, 0} : result;
  }
  case AffineExprKind::FloorDiv: {
    if (factor <= 0)
      return {};
    auto divide = [&](int64_t value) {
      return llvm::divideFloorSigned(value, factor);
    };
    return {map(lhs.least, divide), map(lhs.greatest, divide)};
  }
  case AffineExprKind::CeilDiv: {
    if (factor <= 0)
      return {};
    auto divide = [&](int64_t value) {
      return llvm::divideCeilSigned(value, factor);
    };
    return {map(lhs.least, divide), map(lhs.greatest, divide)};
  }
  case AffineExprKind::Mod: {
    if (factor <= 0)
      return {};
    if (lhs.least && lhs.greatest && *lhs.least >= 0 && *lhs.greatest < factor)
      return lhs;
    return {0, factor - 1};
  }
  default:
    return {};
  }
}
