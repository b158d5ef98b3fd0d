//===- PlacementNumbers.cpp - the number of an op -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PlacementNumbers.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::memspace;

bool mlir::memspace::isNumber(Type type) {
  return type.isIndex() ||
         (type.isSignlessInteger() && type.getIntOrFloatBitWidth() <= 64);
}

NumberOp::NumberOp(OpResult result)
    : result(result), kind(getIntegerOp(result.getOwner())),
      predicate(getPredicate(result.getOwner())),
      isSelect(isa<arith::SelectOp>(result.getOwner())) {
  Operation *op = result.getOwner();
  if (isNumber(result.getType()))
    width = getBitWidth(result.getType());
  if (op->getNumOperands() != 0 && isNumber(op->getOperand(0).getType()))
    sourceWidth = getBitWidth(op->getOperand(0).getType());
  if (kind == IntegerOp::None && !predicate && !isSelect)
    folder.emplace(op);
}

/// The lowest `width` bits as a number with and without a sign.
static int64_t toSigned(uint64_t bits, unsigned width) {
  return llvm::SignExtend64(bits, width);
}
static uint64_t toUnsigned(int64_t number, unsigned width) {
  return uint64_t(number) & llvm::maskTrailingOnes<uint64_t>(width);
}

static bool compare(arith::CmpIPredicate predicate, int64_t a, int64_t b,
                    unsigned width) {
  uint64_t x = toUnsigned(a, width), y = toUnsigned(b, width);
  switch (predicate) {
  case arith::CmpIPredicate::eq:
    return a == b;
  case arith::CmpIPredicate::ne:
    return a != b;
  case arith::CmpIPredicate::slt:
    return a < b;
  case arith::CmpIPredicate::sle:
    return a <= b;
  case arith::CmpIPredicate::sgt:
    return a > b;
  case arith::CmpIPredicate::sge:
    return a >= b;
  case arith::CmpIPredicate::ult:
    return x < y;
  case arith::CmpIPredicate::ule:
    return x <= y;
  case arith::CmpIPredicate::ugt:
    return x > y;
  case arith::CmpIPredicate::uge:
    return x >= y;
  }
  llvm_unreachable("all predicates are covered");
}

/// None where it is not defined. The result is not reduced to its width.
static std::optional<int64_t> apply(IntegerOp kind, int64_t a, int64_t b,
                                    unsigned width) {
  uint64_t x = toUnsigned(a, width), y = toUnsigned(b, width);
  bool isShift = y < width;
  // INT_MIN / -1 is not defined either.
  bool isDivision =
      b != 0 && !(b == -1 && a == toSigned(uint64_t(1) << (width - 1), width));
  switch (kind) {
  case IntegerOp::Add:
    return int64_t(uint64_t(a) + uint64_t(b));
  case IntegerOp::Sub:
    return int64_t(uint64_t(a) - uint64_t(b));
  case IntegerOp::Mul:
    return int64_t(uint64_t(a) * uint64_t(b));
  case IntegerOp::MinS:
    return std::min(a, b);
  case IntegerOp::MaxS:
    return std::max(a, b);
  case IntegerOp::MinU:
    return int64_t(std::min(x, y));
  case IntegerOp::MaxU:
    return int64_t(std::max(x, y));
  case IntegerOp::ShL:
    return isShift ? std::optional<int64_t>(x << y) : std::nullopt;
  case IntegerOp::ShRS:
    return isShift ? std::optional<int64_t>(a >> y) : std::nullopt;
  case IntegerOp::ShRU:
    return isShift ? std::optional<int64_t>(x >> y) : std::nullopt;
  case IntegerOp::And:
    return a & b;
  case IntegerOp::Or:
    return a | b;
  case IntegerOp::XOr:
    return a ^ b;
  case IntegerOp::DivS:
    return isDivision ? std::optional(a / b) : std::nullopt;
  case IntegerOp::RemS:
    return isDivision ? std::optional(a % b) : std::nullopt;
  case IntegerOp::FloorDivS:
    return isDivision ? std::optional(llvm::divideFloorSigned(a, b))
                      : std::nullopt;
  case IntegerOp::CeilDivS:
    return isDivision ? std::optional(llvm::divideCeilSigned(a, b))
                      : std::nullopt;
  case IntegerOp::DivU:
    return y ? std::optional<int64_t>(x / y) : std::nullopt;
  case IntegerOp::RemU:
    return y ? std::optional<int64_t>(x % y) : std::nullopt;
  case IntegerOp::CeilDivU:
    return y ? std::optional<int64_t>(x / y + (x % y != 0)) : std::nullopt;
  case IntegerOp::None:
  case IntegerOp::CastS:
  case IntegerOp::CastU:
    break;
  }
  return std::nullopt;
}

NumberOp::Number NumberOp::compute(ArrayRef<Number> operands) {
  if (folder) {
    SmallVector<Number> folded = folder->fold(operands, [&](Value value) {
      Operation *op = result.getOwner();
      auto it = llvm::find(op->getOperands(), value);
      return it == op->operand_end() ? std::nullopt
                                     : operands[it - op->operand_begin()];
    });
    return folded.empty() ? std::nullopt : folded[result.getResultNumber()];
  }
  if (isSelect)
    return operands[0] ? operands[*operands[0] ? 1 : 2] : std::nullopt;
  if (width == 0 || sourceWidth == 0 ||
      llvm::is_contained(operands, std::nullopt))
    return std::nullopt;
  if (predicate)
    return toSigned(
        compare(*predicate, *operands[0], *operands[1], sourceWidth), 1);
  if (kind == IntegerOp::CastS)
    return toSigned(*operands[0], width);
  if (kind == IntegerOp::CastU)
    return toSigned(toUnsigned(*operands[0], sourceWidth), width);
  Number number = apply(kind, *operands[0], *operands[1], width);
  return number ? std::optional(toSigned(*number, width)) : std::nullopt;
}

//===----------------------------------------------------------------------===//
// Bits
//===----------------------------------------------------------------------===//

using llvm::KnownBits;

KnownBits mlir::memspace::getAllBits(int64_t number, Type type) {
  return KnownBits::makeConstant(APInt(getBitWidth(type), number,
                                       /*isSigned=*/true,
                                       /*implicitTrunc=*/true));
}

/// Divisors and shifts are constants, for which the op is defined; a dividend
/// with a sign is not negative.
static KnownBits apply(IntegerOp kind, const KnownBits &a, const KnownBits &b,
                       bool wraps) {
  unsigned width = a.getBitWidth();
  bool isShift = b.isConstant() && b.getConstant().ult(width);
  bool isPower = b.isConstant() && b.getConstant().isPowerOf2() &&
                 !b.getConstant().isSignMask();
  // What is added again and again reaches the sign only if it is large.
  auto isSmall = [](const KnownBits &number) {
    return number.getMaxValue().getActiveBits() <= 20;
  };
  switch (kind) {
  case IntegerOp::Add:
    return KnownBits::add(a, b, /*NSW=*/!wraps && (isSmall(a) || isSmall(b)));
  case IntegerOp::Sub:
    return KnownBits::sub(a, b);
  case IntegerOp::Mul:
    return KnownBits::mul(a, b);
  case IntegerOp::And:
    return a & b;
  case IntegerOp::Or:
    return a | b;
  case IntegerOp::XOr:
    return a ^ b;
  case IntegerOp::ShL:
    return isShift ? KnownBits::shl(a, b) : KnownBits(width);
  case IntegerOp::ShRS:
    return isShift ? KnownBits::ashr(a, b) : KnownBits(width);
  case IntegerOp::ShRU:
    return isShift ? KnownBits::lshr(a, b) : KnownBits(width);
  case IntegerOp::DivU:
    return isPower ? KnownBits::udiv(a, b) : KnownBits(width);
  case IntegerOp::DivS:
    return isPower && a.isNonNegative() ? KnownBits::udiv(a, b)
                                        : KnownBits(width);
  case IntegerOp::RemU:
    return isPower ? KnownBits::urem(a, b) : KnownBits(width);
  case IntegerOp::RemS:
    return isPower ? KnownBits::srem(a, b) : KnownBits(width);
  default:
    return KnownBits(width);
  }
}

static std::optional<bool> compare(arith::CmpIPredicate predicate,
                                   const KnownBits &a, const KnownBits &b) {
  switch (predicate) {
  case arith::CmpIPredicate::eq:
    return KnownBits::eq(a, b);
  case arith::CmpIPredicate::ne:
    return KnownBits::ne(a, b);
  case arith::CmpIPredicate::slt:
    return KnownBits::slt(a, b);
  case arith::CmpIPredicate::sle:
    return KnownBits::sle(a, b);
  case arith::CmpIPredicate::sgt:
    return KnownBits::sgt(a, b);
  case arith::CmpIPredicate::sge:
    return KnownBits::sge(a, b);
  case arith::CmpIPredicate::ult:
    return KnownBits::ult(a, b);
  case arith::CmpIPredicate::ule:
    return KnownBits::ule(a, b);
  case arith::CmpIPredicate::ugt:
    return KnownBits::ugt(a, b);
  case arith::CmpIPredicate::uge:
    return KnownBits::uge(a, b);
  }
  llvm_unreachable("all predicates are covered");
}

/// Of an affine expression; `operands` are dimensions, then symbols.
static KnownBits compute(AffineExpr expr, unsigned numDims,
                         ArrayRef<KnownBits> operands) {
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return getAllBits(constant.getValue(), IndexType::get(expr.getContext()));
  if (auto dim = dyn_cast<AffineDimExpr>(expr))
    return operands[dim.getPosition()];
  if (auto symbol = dyn_cast<AffineSymbolExpr>(expr))
    return operands[numDims + symbol.getPosition()];
  auto binary = cast<AffineBinaryOpExpr>(expr);
  KnownBits left = compute(binary.getLHS(), numDims, operands);
  KnownBits right = compute(binary.getRHS(), numDims, operands);
  bool isPower = right.isConstant() && right.getConstant().isPowerOf2() &&
                 !right.getConstant().isSignMask();
  switch (expr.getKind()) {
  case AffineExprKind::Add:
    return apply(IntegerOp::Add, left, right, /*wraps=*/false);
  case AffineExprKind::Mul:
    return apply(IntegerOp::Mul, left, right, /*wraps=*/false);
  case AffineExprKind::Mod: // Never negative: the lowest bits.
    return apply(IntegerOp::RemU, left, right, /*wraps=*/false);
  case AffineExprKind::FloorDiv:
    if (isPower)
      return KnownBits::ashr(
          left, KnownBits::makeConstant(
                    APInt(left.getBitWidth(), right.getConstant().logBase2())));
    break;
  default:
    break;
  }
  return KnownBits(left.getBitWidth());
}

/// Where the operands whose higher bits are not known go from the expression
/// together with these: i - i floordiv 4 * 4 of 4 * q + r is r.
static std::optional<int64_t> computeWhole(AffineMap map,
                                           ArrayRef<KnownBits> operands) {
  MLIRContext *context = map.getContext();
  SmallVector<AffineExpr> values;
  for (auto [number, bits] : llvm::enumerate(operands)) {
    unsigned known = (bits.Zero | bits.One).countr_one();
    if (bits.isConstant())
      values.push_back(
          getAffineConstantExpr(bits.getConstant().getSExtValue(), context));
    else if (known < 32)
      values.push_back(getAffineDimExpr(number, context) *
                           (int64_t(1) << known) +
                       int64_t(bits.One.getLoBits(known).getZExtValue()));
    else
      return std::nullopt;
  }
  ArrayRef<AffineExpr> all(values);
  AffineExpr expr = map.getResult(0).replaceDimsAndSymbols(
      all.take_front(map.getNumDims()), all.drop_front(map.getNumDims()));
  expr = simplifyAffineExpr(expr, operands.size(), 0);
  auto constant = dyn_cast<AffineConstantExpr>(expr);
  return constant ? std::optional(constant.getValue()) : std::nullopt;
}

KnownBits NumberOp::computeBits(ArrayRef<KnownBits> operands) {
  KnownBits unknown(width);
  Operation *op = result.getOwner();
  if (auto apply = dyn_cast<affine::AffineApplyOp>(op)) {
    AffineMap map = apply.getAffineMap();
    if (std::optional<int64_t> whole = computeWhole(map, operands))
      return getAllBits(*whole, result.getType());
    return ::compute(map.getResult(0), map.getNumDims(), operands);
  }
  if (isSelect) {
    const KnownBits &condition = operands[0];
    if (condition.isConstant())
      return operands[condition.getConstant().isZero() ? 2 : 1];
    return operands[1].intersectWith(operands[2]);
  }
  if (sourceWidth == 0 || (!predicate && kind == IntegerOp::None))
    return unknown;
  if (predicate) {
    std::optional<bool> holds = ::compare(*predicate, operands[0], operands[1]);
    return holds ? getAllBits(*holds, result.getType()) : unknown;
  }
  if (kind == IntegerOp::CastS)
    return operands[0].sextOrTrunc(width);
  if (kind == IntegerOp::CastU)
    return operands[0].zextOrTrunc(width);
  KnownBits bits = ::apply(kind, operands[0], operands[1],
                           /*wraps=*/width < 64);
  return bits.hasConflict() ? unknown : bits;
}
