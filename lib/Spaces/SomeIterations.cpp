//===- SomeIterations.cpp - meetings that are easily found -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SomeIterations.h"
#include "MemSpace/Kernel/ExecutionScope.h"
#include "MemSpace/Memory/LinearSum.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace mlir::memspace;

namespace {
/// The last iterations of one forall, or of all; else the first ones.
struct Iteration {
  bool isLast = false;
  /// Null: of all.
  Operation *forall = nullptr;
};
} // namespace

static std::optional<int64_t> getNumber(Value value, Iteration iteration);

/// `expr` of these operands; none where it is not known. No attribute is made
/// of any number.
static std::optional<int64_t> evaluate(AffineExpr expr, unsigned numDims,
                                       ArrayRef<int64_t> operands) {
  if (auto dim = dyn_cast<AffineDimExpr>(expr))
    return operands[dim.getPosition()];
  if (auto symbol = dyn_cast<AffineSymbolExpr>(expr))
    return operands[numDims + symbol.getPosition()];
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return constant.getValue();
  auto binary = cast<AffineBinaryOpExpr>(expr);
  std::optional<int64_t> left = evaluate(binary.getLHS(), numDims, operands);
  std::optional<int64_t> right = evaluate(binary.getRHS(), numDims, operands);
  if (!left || !right)
    return std::nullopt;
  int64_t result;
  switch (expr.getKind()) {
  case AffineExprKind::Add:
    if (llvm::AddOverflow(*left, *right, result))
      return std::nullopt;
    return result;
  case AffineExprKind::Mul:
    if (llvm::MulOverflow(*left, *right, result))
      return std::nullopt;
    return result;
  case AffineExprKind::Mod:
    return *right > 0 ? std::optional(llvm::mod(*left, *right)) : std::nullopt;
  case AffineExprKind::FloorDiv:
    return *right > 0 ? std::optional(llvm::divideFloorSigned(*left, *right))
                      : std::nullopt;
  case AffineExprKind::CeilDiv:
    return *right > 0 ? std::optional(llvm::divideCeilSigned(*left, *right))
                      : std::nullopt;
  default:
    return std::nullopt;
  }
}

static std::optional<int64_t> evaluate(affine::AffineApplyOp apply,
                                       Iteration iteration) {
  SmallVector<int64_t> operands;
  for (Value operand : apply.getMapOperands()) {
    // What is computed in more than one step is left to others.
    if (operand.getDefiningOp<affine::AffineApplyOp>())
      return std::nullopt;
    std::optional<int64_t> number = getNumber(operand, iteration);
    if (!number)
      return std::nullopt;
    operands.push_back(*number);
  }
  AffineMap map = apply.getAffineMap();
  return evaluate(map.getResult(0), map.getNumDims(), operands);
}

/// The number that `value` has in these iterations of the foralls around.
static std::optional<int64_t> getNumber(Value value, Iteration iteration) {
  if (auto apply = value.getDefiningOp<affine::AffineApplyOp>())
    return evaluate(apply, iteration);
  auto arg = dyn_cast<BlockArgument>(value);
  auto forall =
      arg ? dyn_cast<scf::ForallOp>(arg.getOwner()->getParentOp()) : nullptr;
  if (!forall || arg.getArgNumber() >= forall.getRank())
    return getConstantIntValue(value);
  unsigned dim = arg.getArgNumber();
  int64_t first = forall.getStaticLowerBound()[dim];
  int64_t step = forall.getStaticStep()[dim];
  if (ShapedType::isDynamic(first))
    return std::nullopt;
  if (!iteration.isLast || (iteration.forall && iteration.forall != forall))
    return first;
  std::optional<int64_t> count = getStaticTripCount(forall, dim);
  int64_t distance, last;
  if (!count || *count <= 0 || ShapedType::isDynamic(step) ||
      llvm::MulOverflow(*count - 1, step, distance) ||
      llvm::AddOverflow(first, distance, last))
    return std::nullopt;
  return last;
}

/// Elements that are touched, from one to another; none where that is not
/// known, or there may be none.
static std::optional<std::pair<int64_t, int64_t>>
getElements(const IndexRange &range, Iteration iteration) {
  auto get = [&](Value value) { return getNumber(value, iteration); };
  std::optional<int64_t> first = range.offset.evaluate(get);
  // Of what is not bounded the first one counts.
  std::optional<int64_t> size = 1;
  if (range.size)
    size = range.size->getConstant();
  int64_t last;
  if (!first || !size || *size <= 0 ||
      llvm::AddOverflow<int64_t>(*first, *size - 1, last))
    return std::nullopt;
  if (range.stride != 1 || !range.extents.empty())
    last = *first;
  return std::make_pair(*first, last);
}

static bool meet(const ElementAccess &a, Iteration inA, const ElementAccess &b,
                 Iteration inB) {
  return a.ranges && b.ranges &&
         llvm::equal(*a.ranges, *b.ranges,
                     [&](const IndexRange &x, const IndexRange &y) {
                       auto left = getElements(x, inA);
                       auto right = getElements(y, inB);
                       return left && right && left->first <= right->second &&
                              right->first <= left->second;
                     });
}

bool mlir::memspace::meetInSomeIterations(const ElementAccess &a,
                                          const ElementAccess &b,
                                          bool areApart) {
  Iteration first, last{/*isLast=*/true};
  return meet(a, first, b, first) || meet(a, last, b, last) ||
         (areApart && (meet(a, first, b, last) || meet(a, last, b, first)));
}

/// The forall that `op` is right in.
static scf::ForallOp getForallAround(Operation *op) {
  Operation *parent = op->getParentOp();
  if (isa<scf::InParallelOp>(parent))
    parent = parent->getParentOp();
  return dyn_cast<scf::ForallOp>(parent);
}

/// True when different iterations of `forall`, of which there are several, are
/// executed by different threads.
static bool isOneToOne(scf::ForallOp forall, const KernelContext &context) {
  std::optional<ForallMapping> mapping = getForallMapping(forall);
  std::optional<SmallVector<int64_t, 3>> counts = getStaticTripCounts(forall);
  if (!mapping || !counts || mapping->scope != ExecutionScope::Thread ||
      mapping->lane || mapping->dims.size() != counts->size())
    return false;
  const LaunchShape &shape = context.getShape();
  int64_t total = 1;
  for (auto [count, dim] : llvm::zip_equal(*counts, mapping->dims))
    if (llvm::MulOverflow(total, count, total) ||
        (!mapping->linear && (dim >= 3 || count > shape.block[dim])))
      return false;
  return total > 1 && total <= shape.getThreads();
}

/// True when `op` is beside `forall`, so that all threads execute it which
/// share the iterations of `forall`.
static bool isByAllThreads(Operation *op, scf::ForallOp forall) {
  return op->getBlock() == forall->getBlock() && op->getNumRegions() <= 1 &&
         !isa<scf::ForallOp>(op);
}

bool mlir::memspace::meetInSomeThreads(const ElementAccess &a,
                                       const ElementAccess &b,
                                       const KernelContext &context) {
  scf::ForallOp left = getForallAround(a.op), right = getForallAround(b.op);
  // One thread executes the first iteration, and others what is beside it.
  if (left && isByAllThreads(b.op, left))
    return isOneToOne(left, context) && meet(a, Iteration(), b, Iteration());
  if (right && isByAllThreads(a.op, right))
    return isOneToOne(right, context) && meet(a, Iteration(), b, Iteration());
  // Iterations with equal numbers are by one thread, others are not.
  if (!left || !right || left == right ||
      left->getBlock() != right->getBlock() ||
      left.getMappingAttr() != right.getMappingAttr() ||
      getStaticTripCounts(left) != getStaticTripCounts(right) ||
      !isOneToOne(left, context))
    return false;
  return meet(a, Iteration(), b, {/*isLast=*/true, right}) ||
         meet(a, {/*isLast=*/true, left}, b, Iteration());
}

//===----------------------------------------------------------------------===//
// Apart
//===----------------------------------------------------------------------===//

namespace {
/// A number in an iteration of a forall: a sum of multiples of its induction
/// variables, each by its dimension.
struct IterationSum : LinearSum<IterationSum, unsigned> {
  using LinearSum::LinearSum;
};
} // namespace

static IterationSum getSum(AffineExpr expr, unsigned numDims,
                           ArrayRef<IterationSum> operands) {
  if (auto dim = dyn_cast<AffineDimExpr>(expr))
    return operands[dim.getPosition()];
  if (auto symbol = dyn_cast<AffineSymbolExpr>(expr))
    return operands[numDims + symbol.getPosition()];
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return IterationSum(constant.getValue());
  auto binary = cast<AffineBinaryOpExpr>(expr);
  if (expr.getKind() == AffineExprKind::Add)
    return getSum(binary.getLHS(), numDims, operands) +
           getSum(binary.getRHS(), numDims, operands);
  // Constants are on the right.
  auto factor = dyn_cast<AffineConstantExpr>(binary.getRHS());
  if (expr.getKind() == AffineExprKind::Mul && factor)
    return getSum(binary.getLHS(), numDims, operands) * factor.getValue();
  return IterationSum::getUnknown();
}

static IterationSum getSum(Value value, scf::ForallOp forall) {
  auto getLeaf = [&](Value leaf) {
    if (auto arg = dyn_cast<BlockArgument>(leaf);
        arg && arg.getOwner() == forall.getBody() &&
        arg.getArgNumber() < forall.getRank())
      return IterationSum::getVariable(arg.getArgNumber());
    std::optional<int64_t> constant = getConstantIntValue(leaf);
    return constant ? IterationSum(*constant) : IterationSum::getUnknown();
  };
  auto apply = value.getDefiningOp<affine::AffineApplyOp>();
  if (!apply)
    return getLeaf(value);
  // What is computed in more than one step is left to others.
  auto operands = llvm::map_to_vector(apply.getMapOperands(), getLeaf);
  AffineMap map = apply.getAffineMap();
  return getSum(map.getResult(0), map.getNumDims(), operands);
}

static IterationSum getSum(const LinearExpr &expr, scf::ForallOp forall) {
  if (expr.invalid)
    return IterationSum::getUnknown();
  IterationSum sum(expr.constant);
  for (auto [value, coefficient] : expr.terms)
    sum += getSum(value, forall) * coefficient;
  return sum;
}

/// True when threads with equal numbers in their subgroup, or warpgroup, may
/// execute one iteration of `forall`.
static bool isInThreadGroups(scf::ForallOp forall) {
  for (auto outer = forall->getParentOfType<scf::ForallOp>(); outer;
       outer = outer->getParentOfType<scf::ForallOp>()) {
    std::optional<ForallMapping> mapping = getForallMapping(outer);
    if (!mapping || mapping->scope != ExecutionScope::Workgroup)
      return true;
  }
  return false;
}

/// True when two ranges begin at one number in equal iterations, and do not
/// overlap in iterations that differ in dimension `dim`.
static bool isPartedBy(unsigned dim, const IndexRange &a, scf::ForallOp left,
                       const IndexRange &b, scf::ForallOp right) {
  auto getCount = [](const IndexRange &range) {
    bool isPlain = range.stride == 1 && range.extents.empty() && range.size;
    return isPlain ? range.size->getConstant() : std::nullopt;
  };
  std::optional<int64_t> sizes[] = {getCount(a), getCount(b)};
  IterationSum first = getSum(a.offset, left);
  int64_t distance;
  if (!sizes[0] || !sizes[1] || !(first == getSum(b.offset, right)) ||
      first.terms.size() != 1 || first.terms.front().first != dim ||
      llvm::MulOverflow(first.terms.front().second, left.getStaticStep()[dim],
                        distance) ||
      distance == std::numeric_limits<int64_t>::min())
    return false;
  return std::abs(distance) >= std::max(*sizes[0], *sizes[1]);
}

bool mlir::memspace::areApartInThreads(const ElementAccess &a,
                                       const ElementAccess &b,
                                       const KernelContext &context) {
  auto left = a.op->getParentOfType<scf::ForallOp>();
  auto right = b.op->getParentOfType<scf::ForallOp>();
  if (!left || !right || !a.ranges || !b.ranges ||
      a.ranges->size() != b.ranges->size())
    return false;
  // Equal iterations are to be by one thread.
  if (left != right &&
      (left.getMappingAttr() != right.getMappingAttr() ||
       getStaticTripCounts(left) != getStaticTripCounts(right) ||
       left.getStaticLowerBound() != right.getStaticLowerBound() ||
       left.getStaticStep() != right.getStaticStep() ||
       isInThreadGroups(right)))
    return false;
  if (!isOneToOne(left, context) || isInThreadGroups(left) ||
      !left.getDynamicLowerBound().empty() || !left.getDynamicStep().empty())
    return false;
  auto isParted = [&](unsigned dim) {
    return getStaticTripCount(left, dim) == 1 ||
           llvm::any_of(llvm::zip(*a.ranges, *b.ranges), [&](const auto &both) {
             return isPartedBy(dim, std::get<0>(both), left, std::get<1>(both),
                               right);
           });
  };
  return llvm::all_of(llvm::seq<unsigned>(0, left.getRank()), isParted);
}
