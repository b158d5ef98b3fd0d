//===- ExecutionArithmetic.cpp - integer ops as affine constraints -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// The half of ExecutionSystem that translates arithmetic on integers, which the
// table of integer ops explains.
//
//===----------------------------------------------------------------------===//

#include "ExecutionSystem.h"
#include "llvm/ADT/SmallVectorExtras.h"

using namespace mlir;
using namespace mlir::memspace;

/// The power of two that divides every value of `form`, at most 2^62.
static int64_t getAlignment(const LinearForm &form) {
  uint64_t bits = static_cast<uint64_t>(form.constant) | (uint64_t(1) << 62);
  for (auto [column, coefficient] : form.terms)
    bits |= static_cast<uint64_t>(coefficient);
  return bits & -bits;
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

std::optional<LinearForm> ExecutionSystem::computeBits(bool isXOr,
                                                       const LinearForm &lhs,
                                                       const LinearForm &rhs) {
  Interval a = system.getInterval(lhs), b = system.getInterval(rhs);
  // Disjoint bits add up.
  for (auto [high, low] : {std::make_pair(&lhs, b), std::make_pair(&rhs, a)})
    if (!high->invalid && low.isNonNegative() && low.upper &&
        *low.upper < getAlignment(*high))
      return lhs + rhs;
  if (!a.isNonNegative() || !b.isNonNegative() || !a.upper || !b.upper)
    return std::nullopt;
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
        return result;
  return std::nullopt;
}

std::optional<int64_t> ExecutionSystem::getWrapModulus(Type type) {
  if (type.isIndex())
    return std::nullopt;
  return int64_t(1) << std::min(kMostExactBits, getBitWidth(type));
}

LinearForm ExecutionSystem::getUnsigned(const LinearForm &form, Type type) {
  if (form.invalid || system.getInterval(form).isNonNegative())
    return form;
  std::optional<int64_t> modulus = getWrapModulus(type);
  if (!modulus || getBitWidth(type) > kMostExactBits)
    return LinearForm::getUnknown();
  LinearForm result = system.addColumn({0, *modulus - 1});
  system.addEquality(result - form - system.addColumn({0, 1}) * *modulus);
  return result;
}

LinearForm ExecutionSystem::getSigned(const LinearForm &form, Type type) {
  std::optional<int64_t> modulus = getWrapModulus(type);
  if (form.invalid || isInRange(system.getInterval(form), type))
    return form;
  if (!modulus || getBitWidth(type) > kMostExactBits)
    return LinearForm::getUnknown();
  LinearForm result = opaque(type);
  system.addEquality(form - result - system.addColumn({0, 1}) * *modulus);
  return result;
}

/// What is no affine function of the operands alone: a column for it, or what
/// the bounds of the operands make of it.
std::optional<LinearForm>
ExecutionSystem::computeNonAffine(IntegerOp kind, const LinearForm &lhs,
                                  const LinearForm &rhs, Type type) {
  switch (kind) {
  case IntegerOp::MinS:
  case IntegerOp::MaxS:
    return system.addExtremum({lhs, rhs}, kind == IntegerOp::MinS);
  case IntegerOp::MinU:
  case IntegerOp::MaxU: {
    LinearForm a = getUnsigned(lhs, type), b = getUnsigned(rhs, type);
    if (a.invalid || b.invalid)
      return std::nullopt;
    LinearForm extremum = system.addExtremum({a, b}, kind == IntegerOp::MinU);
    // Numbers that are what they are without a sign make one that is.
    return a == lhs && b == rhs ? extremum : getSigned(extremum, type);
  }
  case IntegerOp::Or:
  case IntegerOp::XOr:
    return computeBits(kind == IntegerOp::XOr, lhs, rhs);
  default:
    return std::nullopt;
  }
}

LinearForm ExecutionSystem::computeIntegerOp(OpResult result, unsigned side) {
  Operation *op = result.getOwner();
  IntegerOp kind = getIntegerOp(op);
  auto getForm = [&](Value operand) { return translate(operand, side); };
  auto getInterval = [&](Value operand) {
    // Bits have no numbers here: one may be 1 or -1.
    bool isNumber =
        operand.getType().isIntOrIndex() && !operand.getType().isInteger(1);
    return isNumber ? system.getInterval(getForm(operand)) : Interval();
  };
  auto isNonNegative = [&](Value operand) {
    return getInterval(operand).isNonNegative();
  };
  auto getConstant = [&](Value operand) {
    return getForm(operand).getConstant();
  };
  // The columns of the operands in their order, whatever is asked first.
  if (kind != IntegerOp::None)
    for (Value operand : op->getOperands())
      getForm(operand);

  std::optional<AffineMeaning> meaning =
      getAffineMeaning(result, {getConstant, isNonNegative});
  bool isProduct =
      kind == IntegerOp::Mul && meaning && !meaning->expr.isPureAffine();
  if (meaning && !isProduct) {
    LinearForm form =
        translateExpr(meaning->expr, /*dims=*/{},
                      llvm::map_to_vector(meaning->operands, getForm));
    if (!meaning->mayWrap ||
        isInRange(system.getInterval(form), result.getType()))
      return form;
    std::optional<int64_t> modulus = getWrapModulus(result.getType());
    if (modulus && !form.invalid) {
      LinearForm wrapped =
          opaque(result.getType(), getRange(result, getInterval));
      system.addEquality(wrapped - form - opaque() * *modulus);
      return wrapped;
    }
  } else if (kind != IntegerOp::None && op->getNumOperands() == 2) {
    if (std::optional<LinearForm> form =
            computeNonAffine(kind, getForm(op->getOperand(0)),
                             getForm(op->getOperand(1)), result.getType()))
      return *form;
  }
  // A cast from a negative number.
  if (isa<arith::IndexCastUIOp, arith::ExtUIOp>(op) &&
      getBitWidth(result.getType()) > getBitWidth(op->getOperand(0).getType()))
    if (Value number = op->getOperand(0); !number.getType().isInteger(1))
      if (LinearForm form = getUnsigned(getForm(number), number.getType());
          !form.invalid)
        return form;
  if (auto delinearize = dyn_cast<affine::AffineDelinearizeIndexOp>(op))
    return computeDigit(delinearize, result.getResultNumber(), side);
  return opaque(result.getType(), getRange(result, getInterval));
}

/// A result of `delinearize` where the size of a dimension is not constant:
/// below its own size.
LinearForm
ExecutionSystem::computeDigit(affine::AffineDelinearizeIndexOp delinearize,
                              unsigned position, unsigned side) {
  SmallVector<OpFoldResult> basis = delinearize.getMixedBasis();
  unsigned missing = delinearize.getNumResults() - basis.size();
  if (position < missing)
    return opaque();
  LinearForm size = translate(basis[position - missing], side);
  Interval range{0, system.getInterval(size).upper};
  if (range.upper)
    range.upper = std::max<int64_t>(*range.upper - 1, 0);
  LinearForm digit = opaque(range);
  system.addInequality(size - digit - LinearForm(1));
  return digit;
}
