//===- ControlSliceBits.cpp - how much of carried values matters -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ControlSlice.h"
#include "Kernel/IntegerOps.h"
#include "MemSpace/Memory/ValueFlow.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::memspace;

//===----------------------------------------------------------------------===//
// Low bits
//===----------------------------------------------------------------------===//

/// All bits of a number.
static constexpr unsigned kAllBits = 64;

/// The exponent of a power of two.
static std::optional<unsigned> getExponent(std::optional<int64_t> number) {
  if (!number || *number <= 0 || !llvm::isPowerOf2_64(*number))
    return std::nullopt;
  return llvm::Log2_64(*number);
}

/// Calls `visit` with each operand of an affine expression and how many of its
/// bits the lowest `bits` of the expression hang on.
static void visitLowBits(AffineExpr expr, unsigned numDims, unsigned bits,
                         llvm::function_ref<void(unsigned, unsigned)> visit) {
  if (auto dim = dyn_cast<AffineDimExpr>(expr))
    return visit(dim.getPosition(), bits);
  if (auto symbol = dyn_cast<AffineSymbolExpr>(expr))
    return visit(numDims + symbol.getPosition(), bits);
  auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
  if (!binary)
    return;
  std::optional<int64_t> constant;
  if (auto right = dyn_cast<AffineConstantExpr>(binary.getRHS()))
    constant = right.getValue();
  std::optional<unsigned> exponent = getExponent(constant);
  unsigned needed = kAllBits;
  if (expr.getKind() == AffineExprKind::Add ||
      expr.getKind() == AffineExprKind::Mul)
    needed = bits;
  else if (expr.getKind() == AffineExprKind::Mod && exponent)
    needed = std::min(bits, *exponent);
  else if (expr.getKind() == AffineExprKind::FloorDiv && exponent)
    needed = std::min(bits + *exponent, kAllBits);
  visitLowBits(binary.getLHS(), numDims, needed, visit);
  visitLowBits(binary.getRHS(), numDims, needed, visit);
}

/// So many of the lowest bits of operand `number` decide the expression if it
/// repeats: i - i floordiv 4 * 4. None where it does not.
static unsigned getPeriod(AffineMap map, unsigned number) {
  AffineExpr expr = map.getResult(0);
  unsigned bits = 0;
  expr.walk([&](AffineExpr inner) {
    if (inner.getKind() != AffineExprKind::FloorDiv)
      return;
    auto divisor =
        dyn_cast<AffineConstantExpr>(cast<AffineBinaryOpExpr>(inner).getRHS());
    if (std::optional<unsigned> exponent = getExponent(
            divisor ? std::optional(divisor.getValue()) : std::nullopt))
      bits = std::max(bits, *exponent);
  });
  if (bits == 0 || bits > ControlSlice::kMaxLowBits)
    return 0;
  unsigned numDims = map.getNumDims(), numSymbols = map.getNumSymbols();
  MLIRContext *context = expr.getContext();
  AffineExpr operand = number < numDims
                           ? getAffineDimExpr(number, context)
                           : getAffineSymbolExpr(number - numDims, context);
  for (int64_t rest = 0; rest < int64_t(1) << bits; ++rest) {
    AffineExpr replaced = simplifyAffineExpr(
        expr.replace(operand, operand * (int64_t(1) << bits) + rest), numDims,
        numSymbols);
    bool isUsed = number < numDims
                      ? replaced.isFunctionOfDim(number)
                      : replaced.isFunctionOfSymbol(number - numDims);
    if (isUsed)
      return 0;
  }
  return bits;
}

/// The same for the result of an op.
static void visitLowBits(OpResult result, unsigned bits,
                         llvm::function_ref<void(Value, unsigned)> visit) {
  Operation *op = result.getOwner();
  if (auto apply = dyn_cast<affine::AffineApplyOp>(op)) {
    AffineMap map = apply.getAffineMap();
    return visitLowBits(map.getResult(0), map.getNumDims(), bits,
                        [&](unsigned operand, unsigned needed) {
                          if (needed > ControlSlice::kMaxLowBits)
                            needed = getPeriod(map, operand);
                          visit(apply.getMapOperands()[operand], needed);
                        });
  }
  if (std::optional<SmallVector<Value>> passed = getPassedValues(result)) {
    for (Value source : *passed)
      visit(source, bits);
    return;
  }
  IntegerOp kind = getIntegerOp(op);
  if (kind == IntegerOp::CastS || kind == IntegerOp::CastU) {
    unsigned width = result.getType().isIntOrIndex()
                         ? getBitWidth(result.getType())
                         : kAllBits;
    return visit(op->getOperand(0), std::min(bits, width));
  }
  if (kind == IntegerOp::None)
    return;
  Value left = op->getOperand(0), right = op->getOperand(1);
  if (op->hasTrait<OpTrait::IsCommutative>() && getConstantIntValue(left))
    std::swap(left, right);
  std::optional<int64_t> constant = getConstantIntValue(right);
  std::optional<unsigned> exponent = getExponent(constant);
  bool isShift = constant && *constant >= 0 && *constant < kAllBits;
  switch (kind) {
  case IntegerOp::And:
    if (constant && *constant >= 0)
      bits = std::min<unsigned>(bits, llvm::bit_width(uint64_t(*constant)));
    [[fallthrough]];
  case IntegerOp::Add:
  case IntegerOp::Sub:
  case IntegerOp::Or:
  case IntegerOp::XOr:
    visit(left, bits);
    visit(right, bits);
    return;
  case IntegerOp::Mul:
    visit(left, exponent ? bits - std::min(bits, *exponent) : bits);
    visit(right, bits);
    return;
  case IntegerOp::ShL:
    if (isShift)
      visit(left, bits - std::min<unsigned>(bits, *constant));
    return;
  case IntegerOp::ShRS:
  case IntegerOp::ShRU:
    if (isShift)
      visit(left, bits + *constant);
    return;
  case IntegerOp::DivU:
    if (exponent)
      visit(left, bits + *exponent);
    return;
  case IntegerOp::RemU:
  case IntegerOp::RemS:
    if (exponent)
      visit(left, std::min(bits, *exponent));
    return;
  default:
    return;
  }
}

/// From each number that is needed whole back to those of which it needs less.
void ControlSlice::findLowBits() {
  SmallVector<std::pair<Value, unsigned>> pending;
  auto need = [&](Value value, unsigned bits) {
    if (bits == 0 || bits > kMaxLowBits || !value.getType().isIntOrIndex() ||
        getConstantIntValue(value))
      return;
    unsigned &known = lowBits[value];
    if (bits <= known)
      return;
    known = bits;
    pending.push_back({value, bits});
  };
  for (const DenseSet<Value> &values : seen)
    for (Value value : values)
      if (auto result = dyn_cast<OpResult>(value))
        visitLowBits(result, kAllBits, need);
  while (!pending.empty()) {
    auto [value, bits] = pending.pop_back_val();
    if (auto result = dyn_cast<OpResult>(value))
      visitLowBits(result, bits, need);
    else if (std::optional<SmallVector<Value>> passed = getPassedValues(value))
      for (Value source : *passed)
        need(source, bits);
  }
  forEachWithLowBits([&](Value target) {
    if (std::optional<SmallVector<Value>> passed = getPassedValues(target))
      for (Value source : getSources(*passed))
        fed[source].push_back(target);
  });
}

//===----------------------------------------------------------------------===//
// Shifts
//===----------------------------------------------------------------------===//

static bool isShift(IntegerOp kind) {
  return kind == IntegerOp::ShL || kind == IntegerOp::ShRS ||
         kind == IntegerOp::ShRU;
}

/// Back through what grows with its operands, or shrinks with one.
void ControlSlice::findShiftAmounts() {
  SmallVector<Value> pending;
  auto add = [&](Value value) {
    if (amounts.insert(value).second)
      pending.push_back(value);
  };
  for (const DenseSet<Value> &values : seen)
    for (Value value : values)
      if (Operation *op = value.getDefiningOp();
          op && isShift(getIntegerOp(op)))
        add(op->getOperand(1));
  while (!pending.empty()) {
    Operation *op = pending.pop_back_val().getDefiningOp();
    switch (op ? getIntegerOp(op) : IntegerOp::None) {
    case IntegerOp::Add:
    case IntegerOp::Sub:
    case IntegerOp::CastS:
    case IntegerOp::CastU:
      for (Value operand : op->getOperands())
        add(operand);
      break;
    default:
      break;
    }
  }
}
