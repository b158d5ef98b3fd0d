//===- ExecutionArithmetic.cpp - integer ops as affine constraints -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// The half of ExecutionSystem that translates arithmetic on integers, of the
// arith and the index dialect.
//
//===----------------------------------------------------------------------===//

#include "ExecutionSystem.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Index/IR/IndexOps.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::memspace;

namespace {
/// What an op computes, whatever its dialect. The suffix is the sign.
enum class Arithmetic {
  None,
  Add,
  Sub,
  Mul,
  MinS,
  MaxS,
  MinU,
  MaxU,
  ShL,
  ShRS,
  ShRU,
  And,
  Or,
  XOr,
  DivS,
  DivU,
  FloorDivS,
  CeilDivS,
  CeilDivU,
  RemS,
  RemU,
  CastS,
  CastU
};
} // namespace

static Arithmetic getArithmetic(Operation *op) {
  using Kind = Arithmetic;
  using llvm::TypeSwitch;
  auto is = [](Kind kind) { return [kind](auto) { return kind; }; };
  return TypeSwitch<Operation *, Kind>(op)
      .Case<arith::AddIOp, index::AddOp>(is(Kind::Add))
      .Case<arith::SubIOp, index::SubOp>(is(Kind::Sub))
      .Case<arith::MulIOp, index::MulOp>(is(Kind::Mul))
      .Case<arith::MinSIOp, index::MinSOp>(is(Kind::MinS))
      .Case<arith::MaxSIOp, index::MaxSOp>(is(Kind::MaxS))
      .Case<arith::MinUIOp, index::MinUOp>(is(Kind::MinU))
      .Case<arith::MaxUIOp, index::MaxUOp>(is(Kind::MaxU))
      .Case<arith::ShLIOp, index::ShlOp>(is(Kind::ShL))
      .Case<arith::ShRSIOp, index::ShrSOp>(is(Kind::ShRS))
      .Case<arith::ShRUIOp, index::ShrUOp>(is(Kind::ShRU))
      .Case<arith::AndIOp, index::AndOp>(is(Kind::And))
      .Case<arith::OrIOp, index::OrOp>(is(Kind::Or))
      .Case<arith::XOrIOp, index::XOrOp>(is(Kind::XOr))
      .Case<arith::DivSIOp, index::DivSOp>(is(Kind::DivS))
      .Case<arith::DivUIOp, index::DivUOp>(is(Kind::DivU))
      .Case<arith::FloorDivSIOp, index::FloorDivSOp>(is(Kind::FloorDivS))
      .Case<arith::CeilDivSIOp, index::CeilDivSOp>(is(Kind::CeilDivS))
      .Case<arith::CeilDivUIOp, index::CeilDivUOp>(is(Kind::CeilDivU))
      .Case<arith::RemSIOp, index::RemSOp>(is(Kind::RemS))
      .Case<arith::RemUIOp, index::RemUOp>(is(Kind::RemU))
      .Case<arith::IndexCastOp, arith::ExtSIOp, arith::TruncIOp,
            index::CastSOp>(is(Kind::CastS))
      .Case<arith::IndexCastUIOp, arith::ExtUIOp, index::CastUOp>(
          is(Kind::CastU))
      .Default(Kind::None);
}

LinearForm ExecutionSystem::checkWidth(LinearForm form, Type type) {
  auto integer = dyn_cast<IntegerType>(type);
  // The wrapping of `index` arithmetic is not modelled: an index that wraps is
  // out of the bounds of any buffer.
  if (!integer)
    return form;
  unsigned width = integer.getWidth();
  if (width > 62)
    return form;
  Interval range = system.getInterval(form);
  int64_t limit = int64_t(1) << (width - 1);
  if (range.lower && range.upper && *range.lower >= -limit &&
      *range.upper < limit)
    return form;
  return opaque();
}

/// A column that is at most (`least`) or at least each of `forms`.
LinearForm ExecutionSystem::addExtremum(ArrayRef<LinearForm> forms,
                                        bool least) {
  // One that is never beyond another one is the answer.
  if (forms.size() == 2)
    for (unsigned first : {0, 1}) {
      Interval distance = system.getInterval((forms[first] - forms[1 - first]) *
                                             (least ? -1 : 1));
      if (distance.isNonNegative())
        return forms[first];
    }
  Interval range = system.getInterval(forms.front());
  for (const LinearForm &form : forms.drop_front()) {
    Interval other = system.getInterval(form);
    auto pick = [&](std::optional<int64_t> &bound,
                    std::optional<int64_t> candidate, bool needsBoth) {
      if (bound && candidate)
        bound =
            least ? std::min(*bound, *candidate) : std::max(*bound, *candidate);
      else if (needsBoth)
        bound = std::nullopt;
      else if (!bound)
        bound = candidate;
    };
    pick(range.lower, other.lower, /*needsBoth=*/least);
    pick(range.upper, other.upper, /*needsBoth=*/!least);
  }
  LinearForm result = system.addColumn(range);
  for (const LinearForm &form : forms)
    system.addInequality(least ? form - result : result - form);
  return result;
}

/// The power of two that divides every value of `form`, at most 2^62.
static int64_t getAlignment(const LinearForm &form) {
  uint64_t bits = static_cast<uint64_t>(form.constant) | (uint64_t(1) << 62);
  for (auto [column, coefficient] : form.terms)
    bits |= static_cast<uint64_t>(coefficient);
  return bits & -bits;
}

LinearForm ExecutionSystem::addMask(const LinearForm &form, int64_t mask) {
  // Without its bits below 2^k a number in two's complement is 2^k times its
  // floor quotient.
  auto dropBits = [&](int64_t power) {
    return system.addFloorDiv(form, power) * power;
  };
  int64_t limit = int64_t(1) << 61;
  if (mask > 0 && mask < limit && llvm::isShiftedMask_64(mask)) {
    int64_t lowest = mask & -mask;
    return dropBits(lowest) - dropBits(mask + lowest);
  }
  if (mask < 0 && mask > -limit && llvm::isPowerOf2_64(-mask))
    return dropBits(-mask);
  LinearForm unknown;
  unknown.invalid = true;
  return unknown;
}

/// `form` or, exclusively or not, a constant mask: each run of n ones from bit
/// k on meets the number s = floor(form / 2^k) mod 2^n, which becomes 2^n - 1 -
/// s or 2^n - 1. None if there are many runs.
static std::optional<LinearForm> applyMask(AffineSystem &system, bool isXOr,
                                           const LinearForm &form,
                                           int64_t mask) {
  constexpr int64_t kMaxMask = int64_t(1) << 30;
  constexpr unsigned kMaxRuns = 3;
  if (form.invalid || mask < 0 || mask >= kMaxMask)
    return std::nullopt;
  LinearForm result = form;
  uint64_t rest = mask;
  for (unsigned run = 0; rest != 0; ++run) {
    if (run == kMaxRuns)
      return std::nullopt;
    unsigned first = llvm::countr_zero(rest);
    unsigned count = llvm::countr_one(rest >> first);
    int64_t low = int64_t(1) << first, size = int64_t(1) << count;
    LinearForm met = system.addFloorDiv(form, low) -
                     system.addFloorDiv(form, low * size) * size;
    result += (LinearForm(size - 1) - met * (isXOr ? 2 : 1)) * low;
    rest &= ~(uint64_t(size - 1) << first);
  }
  return result;
}

LinearForm ExecutionSystem::computeBits(bool isXOr, const LinearForm &lhs,
                                        const LinearForm &rhs) {
  Interval a = system.getInterval(lhs), b = system.getInterval(rhs);
  // Disjoint bits add up.
  for (auto [high, low] : {std::make_pair(&lhs, b), std::make_pair(&rhs, a)})
    if (!high->invalid && low.isNonNegative() && low.upper &&
        *low.upper < getAlignment(*high))
      return lhs + rhs;
  if (!a.isNonNegative() || !b.isNonNegative() || !a.upper || !b.upper)
    return opaque();
  // All bits of a number below 2^k turned over: 2^k - 1 - x.
  if (isXOr)
    for (auto [mask, other] :
         {std::make_pair(&lhs, &rhs), std::make_pair(&rhs, &lhs)})
      if (mask->isConstant() && llvm::isMask_64(mask->constant) &&
          *system.getInterval(*other).upper <= mask->constant)
        return *mask - *other;
  for (auto [mask, other] :
       {std::make_pair(&lhs, &rhs), std::make_pair(&rhs, &lhs)})
    if (mask->isConstant())
      if (auto result = applyMask(system, isXOr, *other, mask->constant))
        return *result;
  return opaque(Interval{0, static_cast<int64_t>(llvm::PowerOf2Ceil(
                                std::max(*a.upper, *b.upper) + 1)) -
                                1});
}

LinearForm ExecutionSystem::computeDivision(const LinearForm &lhs,
                                            const LinearForm &rhs,
                                            bool isRemainder, bool isSigned,
                                            bool rounds, bool up) {
  Interval dividend = system.getInterval(lhs);
  bool nonNegative = dividend.isNonNegative();
  if (!rhs.isConstant() || rhs.constant <= 0) {
    Interval divisor = system.getInterval(rhs);
    if (!nonNegative || !divisor.isNonNegative())
      return opaque();
    Interval range{0, dividend.upper};
    if (isRemainder && divisor.upper)
      range.upper = std::max<int64_t>(0, *divisor.upper - 1);
    return opaque(range);
  }
  int64_t divisor = rhs.constant;
  // Division rounds to zero unless the op says where.
  if (!nonNegative && !(rounds && isSigned)) {
    if (!isRemainder)
      return opaque();
    return opaque(Interval{isSigned ? 1 - divisor : 0, divisor - 1});
  }
  if (up)
    return system.addFloorDiv(lhs + LinearForm(divisor - 1), divisor);
  LinearForm result = system.addFloorDiv(lhs, divisor);
  return isRemainder ? lhs - result * divisor : result;
}

LinearForm ExecutionSystem::computeSelect(arith::SelectOp select,
                                          unsigned side) {
  LinearForm first = translate(select.getTrueValue(), side);
  LinearForm second = translate(select.getFalseValue(), side);
  Interval a = system.getInterval(first), b = system.getInterval(second);
  Interval both;
  if (a.lower && b.lower)
    both.lower = std::min(*a.lower, *b.lower);
  if (a.upper && b.upper)
    both.upper = std::max(*a.upper, *b.upper);
  return opaque(both);
}

LinearForm ExecutionSystem::computeIntegerOp(Operation *op, unsigned side) {
  if (auto select = dyn_cast<arith::SelectOp>(op))
    return computeSelect(select, side);
  Arithmetic kind = getArithmetic(op);
  if (kind == Arithmetic::None)
    return opaque();
  Type type = op->getResult(0).getType();
  LinearForm lhs = translate(op->getOperand(0), side);
  if (kind == Arithmetic::CastS)
    return checkWidth(lhs, type);
  if (kind == Arithmetic::CastU) {
    if (system.getInterval(lhs).isNonNegative())
      return checkWidth(lhs, type);
    auto getWidth = [](Type type) {
      return type.isIndex() ? 64 : type.getIntOrFloatBitWidth();
    };
    unsigned width = getWidth(op->getOperand(0).getType());
    if (width >= getWidth(type))
      return opaque();
    return opaque(Interval{0, width < 62
                                  ? std::optional((int64_t(1) << width) - 1)
                                  : std::nullopt});
  }
  LinearForm rhs = translate(op->getOperand(1), side);
  Interval a = system.getInterval(lhs), b = system.getInterval(rhs);
  bool nonNegative = a.isNonNegative() && b.isNonNegative();
  bool isShift = rhs.isConstant() && rhs.constant >= 0 && rhs.constant < 62;

  switch (kind) {
  case Arithmetic::None:
  case Arithmetic::CastS:
  case Arithmetic::CastU:
    break;
  case Arithmetic::Add:
    return checkWidth(lhs + rhs, type);
  case Arithmetic::Sub:
    return checkWidth(lhs - rhs, type);
  case Arithmetic::Mul:
    if (rhs.isConstant())
      return checkWidth(lhs * rhs.constant, type);
    if (lhs.isConstant())
      return checkWidth(rhs * lhs.constant, type);
    return opaque(type.isIndex() && nonNegative ? Interval{0, std::nullopt}
                                                : Interval{});
  case Arithmetic::MinU:
  case Arithmetic::MaxU:
    if (!nonNegative)
      return opaque();
    return addExtremum({lhs, rhs}, kind == Arithmetic::MinU);
  case Arithmetic::MinS:
  case Arithmetic::MaxS:
    return addExtremum({lhs, rhs}, kind == Arithmetic::MinS);
  case Arithmetic::ShL:
    if (isShift)
      return checkWidth(lhs * (int64_t(1) << rhs.constant), type);
    return opaque(type.isIndex() && a.isNonNegative()
                      ? Interval{0, std::nullopt}
                      : Interval{});
  case Arithmetic::ShRU:
    if (!a.isNonNegative())
      return opaque();
    [[fallthrough]];
  case Arithmetic::ShRS:
    if (isShift)
      return system.addFloorDiv(lhs, int64_t(1) << rhs.constant);
    return opaque(a.isNonNegative() ? Interval{0, a.upper} : Interval{});
  case Arithmetic::And: {
    LinearForm masked;
    masked.invalid = true;
    if (rhs.isConstant())
      masked = addMask(lhs, rhs.constant);
    else if (lhs.isConstant())
      masked = addMask(rhs, lhs.constant);
    if (!masked.invalid)
      return masked;
    Interval range;
    for (const Interval &bound : {a, b}) {
      if (!bound.isNonNegative())
        continue;
      range.lower = 0;
      if (bound.upper && (!range.upper || *range.upper > *bound.upper))
        range.upper = bound.upper;
    }
    return opaque(range);
  }
  case Arithmetic::Or:
  case Arithmetic::XOr:
    return computeBits(kind == Arithmetic::XOr, lhs, rhs);
  case Arithmetic::DivS:
  case Arithmetic::DivU:
  case Arithmetic::RemS:
  case Arithmetic::RemU:
  case Arithmetic::FloorDivS:
  case Arithmetic::CeilDivS:
  case Arithmetic::CeilDivU: {
    bool isUnsigned = kind == Arithmetic::DivU || kind == Arithmetic::RemU ||
                      kind == Arithmetic::CeilDivU;
    bool up = kind == Arithmetic::CeilDivS || kind == Arithmetic::CeilDivU;
    return computeDivision(lhs, rhs,
                           kind == Arithmetic::RemS || kind == Arithmetic::RemU,
                           /*isSigned=*/!isUnsigned,
                           /*rounds=*/up || kind == Arithmetic::FloorDivS, up);
  }
  }
  return opaque();
}
