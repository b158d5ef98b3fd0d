//===- VerifierLowParts.cpp - numbers modulo a power of two -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "VerifierLowParts.h"
#include "Kernel/HardwareIds.h"
#include "Kernel/IntegerOps.h"
#include "MemSpace/Kernel/CountedLoop.h"
#include "MemSpace/Memory/ValueFlow.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::memspace;

LowPart LowPart::take(unsigned count) const {
  if (count >= bits)
    return *this;
  return {int64_t(uint64_t(number) & ((uint64_t(1) << count) - 1)), count};
}

/// The number of `width` bits whose lowest are those of `part`.
static LowPart inWidth(LowPart part, unsigned width) {
  if (part.bits < width)
    return part.take(part.bits);
  return LowPart::whole(llvm::SignExtend64(uint64_t(part.number), width));
}

/// k of 2^k; none for other numbers, and where the number is not known.
static std::optional<unsigned> getPower(const LowPart &part) {
  if (!part.isWhole() || part.number <= 0 ||
      (part.number & (part.number - 1)) != 0)
    return std::nullopt;
  return llvm::countr_zero(uint64_t(part.number));
}

LowPart memspace::getCommonPart(const LowPart &a, const LowPart &b) {
  if (a.isWhole() && b.isWhole() && a.number == b.number)
    return a;
  unsigned bits = std::min(std::min(a.bits, b.bits), LowPart::kWhole - 1);
  uint64_t difference = uint64_t(a.number) ^ uint64_t(b.number);
  if (difference != 0)
    bits = std::min<unsigned>(bits, llvm::countr_zero(difference));
  return a.take(bits);
}

/// Of the sum, the difference, the product and what is done bit by bit, the
/// lowest bits hang on no higher ones.
static LowPart combine(IntegerOp kind, const LowPart &a, const LowPart &b) {
  uint64_t x = a.number, y = b.number, z = 0;
  switch (kind) {
  case IntegerOp::Add:
    z = x + y;
    break;
  case IntegerOp::Sub:
    z = x - y;
    break;
  case IntegerOp::Mul:
    z = x * y;
    break;
  case IntegerOp::And:
    z = x & y;
    break;
  case IntegerOp::Or:
    z = x | y;
    break;
  default:
    z = x ^ y;
    break;
  }
  return LowPart{int64_t(z), LowPart::kWhole}.take(std::min(a.bits, b.bits));
}

/// The quotient by 2^power, rounded down.
static LowPart shiftRight(const LowPart &part, unsigned power) {
  if (part.isWhole())
    return LowPart::whole(part.number >> power);
  if (part.bits <= power)
    return {};
  return {part.number >> power, part.bits - power};
}

/// Modulo 2^power; never negative.
static LowPart getRemainder(const LowPart &part, unsigned power) {
  if (part.bits < power)
    return part;
  return LowPart::whole(part.take(power).number);
}

static LowPart compute(IntegerOp kind, const LowPart &a, const LowPart &b,
                       Value dividend) {
  std::optional<unsigned> power = getPower(b);
  auto isShift = [&](unsigned limit) {
    return b.isWhole() && b.number >= 0 && b.number < int64_t(limit);
  };
  unsigned width = getBitWidth(dividend.getType());
  switch (kind) {
  case IntegerOp::And:
    // No higher bits than those of the mask.
    for (auto [mask, other] : {std::pair(a, b), std::pair(b, a)})
      if (mask.isWhole() && mask.number >= 0 &&
          unsigned(llvm::bit_width(uint64_t(mask.number))) <= other.bits)
        return LowPart::whole(mask.number & other.number);
    [[fallthrough]];
  case IntegerOp::Add:
  case IntegerOp::Sub:
  case IntegerOp::Mul:
  case IntegerOp::Or:
  case IntegerOp::XOr:
    return combine(kind, a, b);
  case IntegerOp::ShL:
    if (!isShift(width))
      return {};
    return LowPart{int64_t(uint64_t(a.number) << b.number), LowPart::kWhole}
        .take(std::min<unsigned>(a.bits + b.number, LowPart::kWhole));
  case IntegerOp::ShRS:
  case IntegerOp::ShRU:
    // Of what is known as a whole the sign matters: that is folded.
    return isShift(width) && !a.isWhole() ? shiftRight(a, b.number) : LowPart();
  case IntegerOp::DivU:
    return power && !a.isWhole() ? shiftRight(a, *power) : LowPart();
  case IntegerOp::DivS:
    return power && !a.isWhole() && isNeverNegative(dividend)
               ? shiftRight(a, *power)
               : LowPart();
  case IntegerOp::RemU:
    return power ? getRemainder(a, *power) : LowPart();
  case IntegerOp::RemS: {
    if (!power)
      return {};
    LowPart rest = getRemainder(a, *power);
    // With the sign of the dividend.
    if (rest.isWhole() && rest.number != 0 && !isNeverNegative(dividend))
      return rest.take(*power);
    return rest;
  }
  default:
    return {};
  }
}

/// i1 of all ones is -1.
static LowPart getTruth(bool holds) { return LowPart::whole(holds ? -1 : 0); }

static LowPart compare(arith::CmpIPredicate predicate, const LowPart &a,
                       const LowPart &b, Value left) {
  using Predicate = arith::CmpIPredicate;
  bool isEquality = predicate == Predicate::eq || predicate == Predicate::ne;
  unsigned bits = std::min(a.bits, b.bits);
  if (isEquality && a.take(bits).number != b.take(bits).number)
    return getTruth(predicate == Predicate::ne);
  bool isLess = predicate == Predicate::slt;
  if ((isLess || predicate == Predicate::sge) && b.isWhole() && b.number == 0 &&
      isNeverNegative(left))
    return getTruth(!isLess);
  return {};
}

static LowPart compute(AffineExpr expr, affine::AffineApplyOp op,
                       ArrayRef<LowPart> operands) {
  unsigned numDims = op.getAffineMap().getNumDims();
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return LowPart::whole(constant.getValue());
  if (auto dim = dyn_cast<AffineDimExpr>(expr))
    return operands[dim.getPosition()];
  if (auto symbol = dyn_cast<AffineSymbolExpr>(expr))
    return operands[numDims + symbol.getPosition()];
  auto binary = cast<AffineBinaryOpExpr>(expr);
  LowPart left = compute(binary.getLHS(), op, operands);
  LowPart right = compute(binary.getRHS(), op, operands);
  std::optional<unsigned> power = getPower(right);
  switch (expr.getKind()) {
  case AffineExprKind::Add:
    return combine(IntegerOp::Add, left, right);
  case AffineExprKind::Mul:
    return combine(IntegerOp::Mul, left, right);
  case AffineExprKind::Mod:
    return power ? getRemainder(left, *power) : LowPart();
  case AffineExprKind::FloorDiv:
    return power ? shiftRight(left, *power) : LowPart();
  default:
    return {};
  }
}

LowPart memspace::computeLowPart(OpResult result, ArrayRef<LowPart> operands) {
  Operation *op = result.getOwner();
  if (!result.getType().isIntOrIndex() || getBitWidth(result.getType()) > 64)
    return {};
  unsigned width = getBitWidth(result.getType());
  if (auto apply = dyn_cast<affine::AffineApplyOp>(op)) {
    // In terms of the quotients, which may cancel out.
    AffineMap map = apply.getAffineMap();
    Builder builder(op->getContext());
    SmallVector<AffineExpr> terms;
    for (unsigned i = 0; i < operands.size(); ++i) {
      if (operands[i].isWhole()) {
        terms.push_back(builder.getAffineConstantExpr(operands[i].number));
        continue;
      }
      unsigned bits = std::min(operands[i].bits, 30u);
      terms.push_back(builder.getAffineSymbolExpr(i) * (int64_t(1) << bits) +
                      operands[i].take(bits).number);
    }
    AffineMap inserted = map.replaceDimsAndSymbols(
        ArrayRef(terms).take_front(map.getNumDims()),
        ArrayRef(terms).drop_front(map.getNumDims()), 0, operands.size());
    inserted = simplifyAffineMap(inserted);
    if (inserted.isSingleConstant())
      return LowPart::whole(inserted.getSingleConstantResult());
    return compute(map.getResult(0), apply, operands);
  }
  if (isa<arith::SelectOp>(op)) {
    if (operands[0].isWhole())
      return operands[operands[0].number ? 1 : 2];
    return getCommonPart(operands[1], operands[2]);
  }
  if (std::optional<arith::CmpIPredicate> predicate = getPredicate(op))
    return compare(*predicate, operands[0], operands[1], op->getOperand(0));
  IntegerOp kind = getIntegerOp(op);
  if (kind == IntegerOp::None)
    return {};
  if (kind != IntegerOp::CastS && kind != IntegerOp::CastU)
    return inWidth(compute(kind, operands[0], operands[1], op->getOperand(0)),
                   width);
  // Whether zeros or the sign come before a whole number is folded.
  bool isWider = width > getBitWidth(op->getOperand(0).getType());
  if (operands[0].isWhole() && isWider)
    return {};
  return inWidth(operands[0], width);
}

/// What cannot reach the sign of 64 bits by being added again and again.
static bool isSmall(Value value) {
  std::optional<int64_t> constant = getConstantIntValue(value);
  if (constant)
    return *constant >= 0 && *constant < int64_t(1) << 20;
  Operation *op = value.getDefiningOp();
  return op && getHardwareId(op) && value.getType().isIndex();
}

bool memspace::isNeverNegative(Value value) {
  // All of these have to be; what hangs on itself is so from iteration to
  // iteration.
  constexpr size_t kMaxValues = 256;
  SmallVector<Value> work{value};
  DenseSet<Value> seen;
  while (!work.empty()) {
    Value next = work.pop_back_val();
    if (!seen.insert(next).second)
      continue;
    if (seen.size() > kMaxValues || !next.getType().isIntOrIndex())
      return false;
    if (std::optional<int64_t> number = getConstantIntValue(next)) {
      if (*number < 0)
        return false;
      continue;
    }
    if (std::optional<SmallVector<Value>> passed = getPassedValues(next)) {
      work.append(*passed);
      continue;
    }
    if (auto arg = dyn_cast<BlockArgument>(next)) {
      CountedLoop loop = CountedLoop::get(arg.getOwner()->getParentOp());
      if (!loop || loop.getInductionVar() != arg || loop.isUnsigned())
        return false;
      LoopBound lower = loop.getLower();
      auto bound = dyn_cast_if_present<Value>(lower.value);
      std::optional<int64_t> constant = lower.getConstant();
      if (constant ? *constant < 0 : !bound)
        return false;
      if (!constant)
        work.push_back(bound);
      continue;
    }
    Operation *op = next.getDefiningOp();
    if (getHardwareId(op) && next.getType().isIndex())
      continue;
    IntegerOp kind = getIntegerOp(op);
    unsigned width = getBitWidth(next.getType());
    switch (kind) {
    case IntegerOp::Add:
      if (width < 64 ||
          (!isSmall(op->getOperand(0)) && !isSmall(op->getOperand(1))))
        return false;
      [[fallthrough]];
    case IntegerOp::Or:
    case IntegerOp::XOr:
    case IntegerOp::MinS:
    case IntegerOp::MaxS:
    case IntegerOp::DivS:
    case IntegerOp::FloorDivS:
      work.append({op->getOperand(0), op->getOperand(1)});
      continue;
    case IntegerOp::And: {
      std::optional<int64_t> mask = getConstantIntValue(op->getOperand(1));
      if (!mask || *mask < 0)
        work.append({op->getOperand(0), op->getOperand(1)});
      continue;
    }
    case IntegerOp::RemS:
    case IntegerOp::ShRS:
      work.push_back(op->getOperand(0));
      continue;
    case IntegerOp::CastS:
      if (width < getBitWidth(op->getOperand(0).getType()))
        return false;
      work.push_back(op->getOperand(0));
      continue;
    case IntegerOp::CastU:
      if (width <= getBitWidth(op->getOperand(0).getType()))
        return false;
      continue;
    default:
      return false;
    }
  }
  return true;
}
