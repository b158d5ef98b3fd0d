//===- IntegerOps.cpp - the table of integer ops --------------------------===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IntegerOps.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Index/IR/IndexOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Interfaces/InferIntRangeInterface.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/CheckedArithmetic.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::memspace;

IntegerOp mlir::memspace::getIntegerOp(Operation *op) {
  using Kind = IntegerOp;
  auto is = [](Kind kind) { return [kind](auto) { return kind; }; };
  return llvm::TypeSwitch<Operation *, Kind>(op)
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

std::optional<arith::CmpIPredicate>
mlir::memspace::getPredicate(Operation *op) {
  using From = index::IndexCmpPredicate;
  using To = arith::CmpIPredicate;
  if (auto compare = dyn_cast<arith::CmpIOp>(op))
    return compare.getPredicate();
  auto compare = dyn_cast<index::CmpOp>(op);
  if (!compare)
    return std::nullopt;
  switch (compare.getPred()) {
  case From::EQ:
    return To::eq;
  case From::NE:
    return To::ne;
  case From::SLT:
    return To::slt;
  case From::SLE:
    return To::sle;
  case From::SGT:
    return To::sgt;
  case From::SGE:
    return To::sge;
  case From::ULT:
    return To::ult;
  case From::ULE:
    return To::ule;
  case From::UGT:
    return To::ugt;
  case From::UGE:
    return To::uge;
  }
  llvm_unreachable("unknown predicate");
}

//===----------------------------------------------------------------------===//
// The affine meaning
//===----------------------------------------------------------------------===//

namespace {
/// Builds the expression of one result.
class MeaningBuilder {
public:
  MeaningBuilder(OpResult result, OperandFacts facts)
      : result(result), op(result.getOwner()), facts(facts) {}

  std::optional<AffineMeaning> build() {
    meaning.expr = computeResult();
    if (!meaning.expr)
      return std::nullopt;
    return std::move(meaning);
  }

private:
  AffineExpr computeResult();
  AffineExpr computeBinary(IntegerOp kind);
  AffineExpr computeCast(bool isSigned);
  AffineExpr computeMask(AffineExpr number, int64_t mask);
  AffineExpr compute(affine::AffineApplyOp apply);
  AffineExpr compute(affine::AffineLinearizeIndexOp linearize);
  AffineExpr compute(affine::AffineDelinearizeIndexOp delinearize);

  AffineExpr getNumber(int64_t number) {
    return getAffineConstantExpr(number, op->getContext());
  }

  /// The constant or the symbol of an operand.
  AffineExpr get(Value value) {
    if (std::optional<int64_t> constant = facts.getConstant(value))
      return getNumber(*constant);
    auto *it = llvm::find(meaning.operands, value);
    unsigned position = it - meaning.operands.begin();
    if (it == meaning.operands.end())
      meaning.operands.push_back(value);
    return getAffineSymbolExpr(position, op->getContext());
  }

  std::optional<int64_t> getConstant(OpFoldResult number) {
    if (std::optional<int64_t> constant = getConstantIntValue(number))
      return constant;
    auto value = dyn_cast<Value>(number);
    return value ? facts.getConstant(value) : std::nullopt;
  }

  OpResult result;
  Operation *op;
  OperandFacts facts;
  AffineMeaning meaning;
};
} // namespace

AffineExpr MeaningBuilder::computeResult() {
  IntegerOp kind = getIntegerOp(op);
  if (kind == IntegerOp::CastS || kind == IntegerOp::CastU)
    return computeCast(kind == IntegerOp::CastS);
  if (kind != IntegerOp::None)
    return result.getType().isIntOrIndex() ? computeBinary(kind) : AffineExpr();
  return llvm::TypeSwitch<Operation *, AffineExpr>(op)
      .Case<affine::AffineApplyOp, affine::AffineLinearizeIndexOp,
            affine::AffineDelinearizeIndexOp>(
          [&](auto affineOp) { return compute(affineOp); })
      .Case<memref::DimOp, tensor::DimOp>([&](auto dim) {
        auto type = cast<ShapedType>(dim.getOperand(0).getType());
        std::optional<int64_t> index = dim.getConstantIndex();
        bool isStatic = index && type.hasRank() && *index >= 0 &&
                        *index < type.getRank() && !type.isDynamicDim(*index);
        return isStatic ? getNumber(type.getDimSize(*index)) : AffineExpr();
      })
      .Default(AffineExpr());
}

AffineExpr MeaningBuilder::computeCast(bool isSigned) {
  Value source = op->getOperand(0);
  Type from = source.getType(), to = result.getType();
  if (!from.isIntOrIndex() || !to.isIntOrIndex() ||
      (!isSigned && !facts.isNonNegative(source)))
    return {};
  meaning.mayWrap = getBitWidth(to) < getBitWidth(from);
  return get(source);
}

/// `number` & `mask`: without its bits below 2^k a number in two's complement
/// is 2^k times its floor quotient.
AffineExpr MeaningBuilder::computeMask(AffineExpr number, int64_t mask) {
  auto dropBits = [&](int64_t power) { return number.floorDiv(power) * power; };
  int64_t limit = int64_t(1) << 61;
  if (mask > 0 && mask < limit && llvm::isShiftedMask_64(mask)) {
    int64_t lowest = mask & -mask;
    return dropBits(lowest) - dropBits(mask + lowest);
  }
  if (mask < 0 && mask > -limit && llvm::isPowerOf2_64(-mask))
    return dropBits(-mask);
  return {};
}

AffineExpr MeaningBuilder::computeBinary(IntegerOp kind) {
  Value left = op->getOperand(0), right = op->getOperand(1);
  std::optional<int64_t> constant = facts.getConstant(right);
  bool isShift = constant && *constant >= 0 && *constant < 62;
  bool isDivisor = constant && *constant > 0;
  // Integers wrap, of whatever width; an index that did would be no place.
  auto flags = dyn_cast<arith::ArithIntegerOverflowFlagsInterface>(op);
  bool mayWrap =
      !result.getType().isIndex() && !(flags && flags.hasNoSignedWrap());
  switch (kind) {
  case IntegerOp::Add:
    meaning.mayWrap = mayWrap;
    return get(left) + get(right);
  case IntegerOp::Sub:
    meaning.mayWrap = mayWrap;
    return get(left) - get(right);
  case IntegerOp::Mul:
    meaning.mayWrap = mayWrap;
    return get(left) * get(right);
  case IntegerOp::ShL:
    meaning.mayWrap = mayWrap;
    return isShift ? get(left) * (int64_t(1) << *constant) : AffineExpr();
  case IntegerOp::ShRU:
  case IntegerOp::ShRS:
    if (!isShift || (kind == IntegerOp::ShRU && !facts.isNonNegative(left)))
      return {};
    return get(left).floorDiv(int64_t(1) << *constant);
  case IntegerOp::And:
    if (constant)
      return computeMask(get(left), *constant);
    if (std::optional<int64_t> mask = facts.getConstant(left))
      return computeMask(get(right), *mask);
    return {};
  // The affine operations round down and up. The others round to zero, or are
  // unsigned, which is the same where nothing is negative.
  case IntegerOp::FloorDivS:
    return isDivisor ? get(left).floorDiv(*constant) : AffineExpr();
  case IntegerOp::CeilDivS:
    return isDivisor ? get(left).ceilDiv(*constant) : AffineExpr();
  case IntegerOp::CeilDivU:
    return isDivisor && facts.isNonNegative(left) ? get(left).ceilDiv(*constant)
                                                  : AffineExpr();
  case IntegerOp::DivS:
  case IntegerOp::DivU:
    return isDivisor && facts.isNonNegative(left)
               ? get(left).floorDiv(*constant)
               : AffineExpr();
  case IntegerOp::RemU:
    // The power of two divides what a number without a sign is more.
    if (isDivisor && llvm::isPowerOf2_64(*constant))
      return get(left) % *constant;
    [[fallthrough]];
  case IntegerOp::RemS:
    return isDivisor && facts.isNonNegative(left) ? get(left) % *constant
                                                  : AffineExpr();
  default:
    return {};
  }
}

AffineExpr MeaningBuilder::compute(affine::AffineApplyOp apply) {
  AffineMap map = apply.getAffineMap();
  auto operands = llvm::map_to_vector(
      apply.getMapOperands(), [&](Value operand) { return get(operand); });
  ArrayRef<AffineExpr> all(operands);
  return map.getResult(0).replaceDimsAndSymbols(
      all.take_front(map.getNumDims()), all.drop_front(map.getNumDims()));
}

AffineExpr MeaningBuilder::compute(affine::AffineLinearizeIndexOp linearize) {
  SmallVector<OpFoldResult> basis = linearize.getMixedBasis();
  auto indices = linearize.getMultiIndex();
  // Without an outer bound the basis has one entry less than indices.
  unsigned missing = indices.size() - basis.size();
  AffineExpr sum = getNumber(0);
  int64_t stride = 1;
  for (unsigned i = indices.size(); i-- > 0;) {
    sum = sum + get(indices[i]) * stride;
    if (i == 0)
      break;
    std::optional<int64_t> size = getConstant(basis[i - missing]);
    if (!size || llvm::MulOverflow(stride, *size, stride))
      return {};
  }
  return sum;
}

/// The sizes behind the result divide; the outermost result has no modulus.
AffineExpr
MeaningBuilder::compute(affine::AffineDelinearizeIndexOp delinearize) {
  SmallVector<OpFoldResult> basis = delinearize.getMixedBasis();
  unsigned position = result.getResultNumber();
  unsigned missing = delinearize.getNumResults() - basis.size();
  int64_t stride = 1;
  for (unsigned i = position + 1; i < delinearize.getNumResults(); ++i) {
    std::optional<int64_t> size = getConstant(basis[i - missing]);
    if (!size || *size <= 0 || llvm::MulOverflow(stride, *size, stride))
      return {};
  }
  AffineExpr quotient = get(delinearize.getLinearIndex()).floorDiv(stride);
  if (position == 0)
    return quotient;
  std::optional<int64_t> size = getConstant(basis[position - missing]);
  return size && *size > 0 ? quotient % *size : AffineExpr();
}

std::optional<AffineMeaning>
mlir::memspace::getAffineMeaning(OpResult result, OperandFacts facts) {
  return MeaningBuilder(result, facts).build();
}

//===----------------------------------------------------------------------===//
// Bounds
//===----------------------------------------------------------------------===//

unsigned mlir::memspace::getBitWidth(Type type) {
  return type.isIndex() ? IndexType::kInternalStorageBitWidth
                        : type.getIntOrFloatBitWidth();
}

bool mlir::memspace::isInRange(const Interval &interval, Type type) {
  unsigned width = getBitWidth(type);
  return type.isIndex() || (interval.lower && interval.upper &&
                            llvm::isIntN(width, *interval.lower) &&
                            llvm::isIntN(width, *interval.upper));
}

/// `interval` for upstream's inference.
static ConstantIntRanges toRanges(const Interval &interval, Type type) {
  unsigned width = getBitWidth(type);
  APInt least = APInt::getSignedMinValue(width);
  APInt greatest = APInt::getSignedMaxValue(width);
  if (interval.lower && llvm::isIntN(width, *interval.lower))
    least = APInt(width, *interval.lower, /*isSigned=*/true);
  if (interval.upper && llvm::isIntN(width, *interval.upper))
    greatest = APInt(width, *interval.upper, /*isSigned=*/true);
  // Bounds that exclude each other are those of code that never runs.
  if (least.sgt(greatest))
    return ConstantIntRanges::maxRange(width);
  return ConstantIntRanges::fromSigned(least, greatest);
}

/// True where upstream's bounds are right. Of `affine.apply` and, for a
/// dividend that may be the least number, of `ceildivs` they are not, in
/// MLIR 22.
static bool isInferredRight(Operation *op) {
  IntegerOp kind = getIntegerOp(op);
  return isa<arith::SelectOp>(op) ||
         (kind != IntegerOp::None && kind != IntegerOp::CeilDivS);
}

/// What upstream says, where it says anything.
static Interval inferRange(OpResult result,
                           llvm::function_ref<Interval(Value)> getInterval) {
  auto inference = dyn_cast<InferIntRangeInterface>(result.getOwner());
  if (!inference || !isInferredRight(inference))
    return {};
  auto isNumber = [](Type type) {
    return type.isIntOrIndex() && getBitWidth(type) <= 64;
  };
  // Whether a bit is 1 or -1 depends on who extends it.
  if (!isNumber(result.getType()) || result.getType().isInteger(1) ||
      !llvm::all_of(inference->getOperandTypes(), isNumber))
    return {};
  SmallVector<ConstantIntRanges> operands;
  for (Value operand : inference->getOperands())
    operands.push_back(toRanges(getInterval(operand), operand.getType()));
  Interval range;
  inference.inferResultRanges(
      operands, [&](Value value, const ConstantIntRanges &bounds) {
        if (value != result)
          return;
        if (!bounds.smin().isMinSignedValue())
          range.lower = bounds.smin().getSExtValue();
        if (!bounds.smax().isMaxSignedValue())
          range.upper = bounds.smax().getSExtValue();
      });
  return range;
}

/// What upstream cannot say, for which an index may wrap and a divisor be zero.
static Interval
getRangeWithoutWrapping(OpResult result,
                        llvm::function_ref<Interval(Value)> getInterval) {
  Operation *op = result.getOwner();
  IntegerOp kind = getIntegerOp(op);
  if (isa<memref::DimOp, tensor::DimOp>(op))
    return {0, std::nullopt};
  if (kind == IntegerOp::None || op->getNumOperands() != 2)
    return {};
  Interval lhs = getInterval(op->getOperand(0));
  Interval rhs = getInterval(op->getOperand(1));
  if (kind == IntegerOp::And) {
    Interval range;
    for (const Interval &side : {lhs, rhs})
      if (side.isNonNegative())
        range = range.intersect({0, side.upper});
    return range;
  }
  if (!lhs.isNonNegative())
    return {};
  if (kind == IntegerOp::ShRS || kind == IntegerOp::ShRU)
    return {0, lhs.upper};
  if (kind != IntegerOp::ShL && !rhs.isNonNegative())
    return {};
  switch (kind) {
  case IntegerOp::Mul:
  case IntegerOp::ShL:
    return result.getType().isIndex() ? Interval{0, std::nullopt} : Interval();
  case IntegerOp::DivS:
  case IntegerOp::DivU:
  case IntegerOp::FloorDivS:
  case IntegerOp::CeilDivS:
  case IntegerOp::CeilDivU:
    return {0, lhs.upper};
  case IntegerOp::RemS:
  case IntegerOp::RemU: {
    Interval range{0, lhs.upper};
    if (rhs.upper)
      range = range.intersect({0, std::max<int64_t>(0, *rhs.upper - 1)});
    return range;
  }
  default:
    return {};
  }
}

Interval
mlir::memspace::getRange(OpResult result,
                         llvm::function_ref<Interval(Value)> getInterval) {
  return inferRange(result, getInterval)
      .intersect(getRangeWithoutWrapping(result, getInterval));
}

//===----------------------------------------------------------------------===//
// Numbers
//===----------------------------------------------------------------------===//

/// The number of `a` op `b`, numbers of `width` bits; none for an op that is
/// not here, and where the folder has to say whether there is a number.
static std::optional<int64_t> compute(IntegerOp op, unsigned width, int64_t a,
                                      int64_t b) {
  uint64_t mask = llvm::maskTrailingOnes<uint64_t>(width);
  uint64_t x = uint64_t(a) & mask, y = uint64_t(b) & mask, result;
  bool isShift = op == IntegerOp::ShL || op == IntegerOp::ShRU;
  if ((isShift && y >= width) ||
      ((op == IntegerOp::DivU || op == IntegerOp::RemU) && y == 0))
    return std::nullopt;
  switch (op) {
  case IntegerOp::Add:
    result = x + y;
    break;
  case IntegerOp::Sub:
    result = x - y;
    break;
  case IntegerOp::Mul:
    result = x * y;
    break;
  case IntegerOp::And:
    result = x & y;
    break;
  case IntegerOp::Or:
    result = x | y;
    break;
  case IntegerOp::XOr:
    result = x ^ y;
    break;
  case IntegerOp::DivU:
    result = x / y;
    break;
  case IntegerOp::RemU:
    result = x % y;
    break;
  case IntegerOp::ShL:
    result = x << y;
    break;
  case IntegerOp::ShRU:
    result = x >> y;
    break;
  default:
    return std::nullopt;
  }
  return llvm::SignExtend64(result & mask, width);
}

/// The number of `expr` for those of dimensions and then symbols; none where it
/// has none, or needs more than 64 bits on the way.
static std::optional<int64_t>
compute(AffineExpr expr, unsigned numDims,
        ArrayRef<std::optional<int64_t>> operands) {
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return constant.getValue();
  if (auto dim = dyn_cast<AffineDimExpr>(expr))
    return operands[dim.getPosition()];
  if (auto symbol = dyn_cast<AffineSymbolExpr>(expr))
    return operands[numDims + symbol.getPosition()];
  auto binary = cast<AffineBinaryOpExpr>(expr);
  std::optional<int64_t> left = compute(binary.getLHS(), numDims, operands);
  std::optional<int64_t> right = compute(binary.getRHS(), numDims, operands);
  if (!left || !right)
    return std::nullopt;
  if (expr.getKind() == AffineExprKind::Add)
    return llvm::checkedAdd(*left, *right);
  if (expr.getKind() == AffineExprKind::Mul)
    return llvm::checkedMul(*left, *right);
  if (*right <= 0)
    return std::nullopt;
  if (expr.getKind() == AffineExprKind::Mod)
    return llvm::mod(*left, *right);
  return expr.getKind() == AffineExprKind::FloorDiv
             ? llvm::divideFloorSigned(*left, *right)
             : llvm::divideCeilSigned(*left, *right);
}

/// By machine arithmetic, which is many times faster than to make an attribute
/// of each number; none for an op that is not here.
std::optional<int64_t>
NumberFolder::computeDirectly(ArrayRef<Number> operands) const {
  if (auto select = dyn_cast<arith::SelectOp>(op)) {
    bool isNumber = select.getType().isIntOrIndex() &&
                    select.getCondition().getType().isInteger(1);
    return isNumber && operands[0] ? operands[*operands[0] ? 1 : 2] : Number();
  }
  if (llvm::is_contained(operands, std::nullopt))
    return std::nullopt;
  if (kind != IntegerOp::None)
    return ::compute(kind, width, operands[0].value(), operands[1].value());
  if (auto apply = dyn_cast<affine::AffineApplyOp>(op)) {
    AffineMap map = apply.getAffineMap();
    return ::compute(map.getResult(0), map.getNumDims(), operands);
  }
  auto compare = dyn_cast<arith::CmpIOp>(op);
  if (!compare || !compare.getLhs().getType().isIntOrIndex())
    return std::nullopt;
  unsigned bits = getBitWidth(compare.getLhs().getType());
  auto toBits = [&](int64_t number) {
    return APInt(bits, number, /*isSigned=*/true, /*implicitTrunc=*/true);
  };
  // As the bit of an i1, that is: -1 for true.
  return -int64_t(arith::applyCmpPredicate(compare.getPredicate(),
                                           toBits(operands[0].value()),
                                           toBits(operands[1].value())));
}

NumberFolder::NumberFolder(Operation *op) : op(op) {
  if (isa_and_nonnull<arith::ArithDialect>(op->getDialect()) &&
      op->getNumOperands() == 2 && op->getNumResults() == 1 &&
      op->getResult(0).getType().isIntOrIndex() &&
      getBitWidth(op->getResult(0).getType()) <= 64) {
    kind = getIntegerOp(op);
    width = getBitWidth(op->getResult(0).getType());
  }
}

/// As its folder does; none for another op, and for extents that are no
/// constants.
static SmallVector<std::optional<int64_t>>
delinearize(Operation *op, ArrayRef<std::optional<int64_t>> operands) {
  auto split = dyn_cast<affine::AffineDelinearizeIndexOp>(op);
  if (!split || operands.size() != 1 || !operands[0])
    return {};
  SmallVector<std::optional<int64_t>> results(split->getNumResults());
  ArrayRef<int64_t> basis = split.getStaticBasis();
  if (split.hasOuterBound())
    basis = basis.drop_front();
  int64_t left = *operands[0];
  for (auto [result, extent] :
       llvm::zip_equal(llvm::reverse(MutableArrayRef(results).drop_front()),
                       llvm::reverse(basis))) {
    if (extent <= 0)
      return {};
    result = llvm::mod(left, extent);
    left = llvm::divideFloorSigned(left, extent);
  }
  results.front() = left;
  return results;
}

/// So often an op may be folded to one of the same kind.
static constexpr unsigned kMaxFolds = 8;

SmallVector<NumberFolder::Number>
NumberFolder::fold(ArrayRef<Number> operands,
                   llvm::function_ref<Number(Value)> getNumber) {
  if (SmallVector<Number> numbers = delinearize(op, operands); !numbers.empty())
    return numbers;
  if (Number number = computeDirectly(operands))
    return {number};
  // Folding may change an op. The copy is a user of the operands, as others see
  // it, and must not be there when they look.
  Operation *clone = op->clone();
  llvm::scope_exit destroy([&] { clone->destroy(); });
  SmallVector<OpFoldResult> folded;
  SmallVector<Number> numbers(operands);
  // A cast of a cast becomes one of what that was of, which is no number yet.
  for (unsigned round = 0; round < kMaxFolds; ++round) {
    SmallVector<Attribute> attributes;
    for (auto [value, number] :
         llvm::zip_equal(clone->getOperands(), numbers)) {
      // A select needs only one of its operands.
      Type type = value.getType();
      attributes.push_back(
          number ? IntegerAttr::get(type, APInt(getBitWidth(type), *number,
                                                /*isSigned=*/true,
                                                /*implicitTrunc=*/true))
                 : Attribute());
    }
    if (failed(clone->fold(attributes, folded)))
      return {};
    if (!folded.empty())
      break;
    SmallVector<Value> changed(clone->getOperands());
    clone->setOperands({});
    numbers = llvm::map_to_vector(changed, getNumber);
    clone->setOperands(changed);
  }
  if (folded.size() != clone->getNumResults())
    return {};
  auto toNumber = [&](OpFoldResult result) -> Number {
    // Of the copy, whose operands are those of the op.
    if (auto value = dyn_cast<Value>(result))
      return value.getDefiningOp() == clone ? std::nullopt : getNumber(value);
    auto attr = dyn_cast<IntegerAttr>(cast<Attribute>(result));
    if (!attr || !attr.getValue().isSignedIntN(64))
      return std::nullopt;
    return attr.getValue().getSExtValue();
  };
  return llvm::map_to_vector(folded, toNumber);
}
