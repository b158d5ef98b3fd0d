//===- PlacementNumbers.cpp - the number of an op -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PlacementNumbers.h"
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
