//===- ProvedCombination.cpp - bodies that may work in parts --------------===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Transforms/Tile/ProvedCombination.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/SetVector.h"
#include <cmath>
#include <limits>

using namespace mlir;
using namespace mlir::memspace;

namespace {
/// What is of one number of a kind, an integer or a float. Floats are told
/// apart by their bits, apart from NaNs.
struct Number {
  double asFloat = 0;
  int64_t asInteger = 0;

  bool operator==(const Number &other) const {
    bool areNaN = std::isnan(asFloat) && std::isnan(other.asFloat);
    return asInteger == other.asInteger &&
           (areNaN || (asFloat == other.asFloat &&
                       std::signbit(asFloat) == std::signbit(other.asFloat)));
  }
};
/// One for each result.
using Element = SmallVector<Number, 3>;

/// What a body does with an element and the results so far.
class ChoosingBody {
public:
  /// None if it does anything but compare and choose.
  static std::optional<ChoosingBody> get(linalg::LinalgOp op);

  Element run(const Element &before, const Element &element);
  /// The ops in `builder`, on other values.
  SmallVector<Value> clone(OpBuilder &builder, ValueRange elements,
                           ValueRange before) const;

  unsigned getNumResults() const { return before.size(); }
  Type getType(unsigned result) const { return before[result].getType(); }
  /// True where the result only goes along with others.
  bool isChosenBlindly(unsigned result) const { return isBlind[result]; }
  bool comparesUnsigned() const { return isUnsigned; }

private:
  bool addOp(Operation *op);
  bool findElements();
  void numberValues();

  /// What the results are so far, and the same of the element.
  SmallVector<Value> before, elements, yielded;
  SmallVector<Operation *> ops;
  SmallVector<bool> isBlind;
  bool isSigned = false, isUnsigned = false;
  /// Of each value in the order of these, and where the operands of each op and
  /// what is yielded are in there.
  SmallVector<Number> numbers;
  SmallVector<SmallVector<unsigned, 3>> operands;
};
} // namespace

/// No op gives what it was told that there would not be.
static bool allowsInfinity(Operation *op) {
  auto floats = dyn_cast<arith::ArithFastMathInterface>(op);
  return !floats ||
         !bitEnumContainsAny(floats.getFastMathFlagsAttr().getValue(),
                             arith::FastMathFlags::ninf);
}

/// False for an op that is not known to compare or choose only.
bool ChoosingBody::addOp(Operation *op) {
  if (auto compare = dyn_cast<arith::CmpIOp>(op)) {
    using Predicate = arith::CmpIPredicate;
    switch (compare.getPredicate()) {
    case Predicate::eq:
    case Predicate::ne:
      break;
    case Predicate::slt:
    case Predicate::sle:
    case Predicate::sgt:
    case Predicate::sge:
      isSigned = true;
      break;
    default:
      isUnsigned = true;
    }
    if (compare.getLhs().getType().isInteger(1))
      return false;
  } else if (isa<arith::MaxSIOp, arith::MinSIOp>(op)) {
    isSigned = true;
  } else if (isa<arith::MaxUIOp, arith::MinUIOp>(op)) {
    isUnsigned = true;
  } else if (isa<arith::AndIOp, arith::OrIOp, arith::XOrIOp>(op)) {
    if (!op->getResult(0).getType().isInteger(1))
      return false;
  } else if (!isa<arith::CmpFOp, arith::SelectOp, arith::MaximumFOp,
                  arith::MinimumFOp>(op)) {
    return false;
  }
  ops.push_back(op);
  return allowsInfinity(op);
}

/// What is read of the element for each result: what the result may be else.
bool ChoosingBody::findElements() {
  llvm::SmallSetVector<Value, 4> read;
  DenseSet<Value> computed(before.begin(), before.end());
  for (Operation *op : ops)
    computed.insert(op->getResult(0));
  for (Operation *op : ops)
    for (Value operand : op->getOperands())
      if (!computed.contains(operand))
        read.insert(operand);
  if (read.size() != before.size())
    return false;
  for (auto [result, value] : llvm::zip_equal(before, yielded)) {
    Operation *op = value.getDefiningOp();
    if (!op || !llvm::is_contained(ops, op) || isa<arith::CmpFOp>(op))
      return false;
    auto operands = op->getOperands().take_back(2);
    bool isFirst = operands[0] == result;
    Value element = operands[isFirst];
    if (operands[!isFirst] != result || !read.contains(element) ||
        llvm::is_contained(elements, element) ||
        element.getType() != result.getType())
      return false;
    elements.push_back(element);
  }
  return true;
}

std::optional<ChoosingBody> ChoosingBody::get(linalg::LinalgOp op) {
  ChoosingBody body;
  llvm::append_range(body.before, op.getRegionOutputArgs());
  Operation *yield = op.getBlock()->getTerminator();
  body.yielded = llvm::to_vector(yield->getOperands());
  DenseSet<Value> depending(body.before.begin(), body.before.end());
  for (Operation &inner : op.getBlock()->without_terminator()) {
    if (llvm::none_of(inner.getOperands(), [&](Value operand) {
          return depending.contains(operand);
        }))
      continue;
    if (inner.getNumResults() != 1 || !body.addOp(&inner))
      return std::nullopt;
    depending.insert(inner.getResult(0));
  }
  if ((body.isSigned && body.isUnsigned) || !body.findElements())
    return std::nullopt;
  for (auto [result, element, value] :
       llvm::zip_equal(body.before, body.elements, body.yielded)) {
    auto isUsedOnce = [&, element = element] {
      unsigned uses = 0;
      for (Operation *inner : body.ops)
        uses += llvm::count(inner->getOperands(), element);
      return uses == 1;
    };
    body.isBlind.push_back(value.getDefiningOp<arith::SelectOp>() &&
                           value.hasOneUse() && result.hasOneUse() &&
                           isUsedOnce());
  }
  body.numberValues();
  return body;
}

void ChoosingBody::numberValues() {
  DenseMap<Value, unsigned> numberOf;
  auto add = [&](Value value) { numberOf.try_emplace(value, numberOf.size()); };
  llvm::for_each(before, add);
  llvm::for_each(elements, add);
  for (Operation *op : ops)
    add(op->getResult(0));
  auto lookup = [&](ValueRange values) {
    operands.push_back(llvm::map_to_vector<3>(
        values, [&](Value value) { return numberOf.lookup(value); }));
  };
  for (Operation *op : ops)
    lookup(op->getOperands());
  lookup(yielded);
  numbers.resize(numberOf.size());
}

static Number compute(Operation *op, ArrayRef<Number> inputs) {
  auto fromBool = [](bool holds) { return Number{0, holds}; };
  if (auto compare = dyn_cast<arith::CmpFOp>(op)) {
    double a = inputs[0].asFloat, b = inputs[1].asFloat;
    // As in LLVM: bits for equal, greater, less, unordered.
    unsigned relation = a == b ? 1 : a > b ? 2 : a < b ? 4 : 8;
    using Predicate = arith::CmpFPredicate;
    auto holds = [&](unsigned relations) {
      return fromBool(relations & relation);
    };
    switch (compare.getPredicate()) {
    case Predicate::AlwaysFalse:
      return holds(0);
    case Predicate::OEQ:
      return holds(1);
    case Predicate::OGT:
      return holds(2);
    case Predicate::OGE:
      return holds(3);
    case Predicate::OLT:
      return holds(4);
    case Predicate::OLE:
      return holds(5);
    case Predicate::ONE:
      return holds(6);
    case Predicate::ORD:
      return holds(7);
    case Predicate::UNO:
      return holds(8);
    case Predicate::UEQ:
      return holds(9);
    case Predicate::UGT:
      return holds(10);
    case Predicate::UGE:
      return holds(11);
    case Predicate::ULT:
      return holds(12);
    case Predicate::ULE:
      return holds(13);
    case Predicate::UNE:
      return holds(14);
    case Predicate::AlwaysTrue:
      return holds(15);
    }
    llvm_unreachable("unknown predicate");
  }
  int64_t a = inputs[0].asInteger, b = inputs[1].asInteger;
  if (auto compare = dyn_cast<arith::CmpIOp>(op))
    return fromBool(arith::applyCmpPredicate(compare.getPredicate(),
                                             APInt(64, a), APInt(64, b)));
  if (isa<arith::SelectOp>(op))
    return inputs[a ? 1 : 2];
  if (isa<arith::AndIOp>(op))
    return fromBool(a & b);
  if (isa<arith::OrIOp>(op))
    return fromBool(a | b);
  if (isa<arith::XOrIOp>(op))
    return fromBool(a ^ b);
  if (isa<arith::MaxSIOp, arith::MaxUIOp>(op))
    return {0, std::max(a, b)};
  if (isa<arith::MinSIOp, arith::MinUIOp>(op))
    return {0, std::min(a, b)};
  double x = inputs[0].asFloat, y = inputs[1].asFloat;
  if (std::isnan(x) || std::isnan(y))
    return {std::numeric_limits<double>::quiet_NaN()};
  bool isGreater = x == y ? std::signbit(x) < std::signbit(y) : x > y;
  return {isGreater == isa<arith::MaximumFOp>(op) ? x : y};
}

Element ChoosingBody::run(const Element &state, const Element &element) {
  llvm::copy(state, numbers.begin());
  llvm::copy(element, numbers.begin() + state.size());
  unsigned next = 2 * state.size();
  SmallVector<Number, 3> inputs;
  for (auto [op, places] : llvm::zip(ops, operands)) {
    inputs.clear();
    for (unsigned place : places)
      inputs.push_back(numbers[place]);
    numbers[next++] = compute(op, inputs);
  }
  return llvm::map_to_vector<3>(operands.back(),
                                [&](unsigned place) { return numbers[place]; });
}

SmallVector<Value> ChoosingBody::clone(OpBuilder &builder, ValueRange parts,
                                       ValueRange results) const {
  IRMapping mapping;
  mapping.map(before, results);
  mapping.map(elements, parts);
  for (Operation *op : ops)
    builder.clone(*op, mapping);
  return llvm::map_to_vector(
      yielded, [&](Value value) { return mapping.lookup(value); });
}

//===----------------------------------------------------------------------===//
// The proof
//===----------------------------------------------------------------------===//

namespace {
/// What parts may begin with, as a constant, and what it is among the numbers
/// that are tried.
struct Start {
  TypedAttr attr;
  Number number;
};
} // namespace

/// Of the integers that are tried: the least one and the greatest. None has a
/// sign, so that both orders are one.
static constexpr int64_t kFirst = 0, kLast = 4;

static SmallVector<Start> getStarts(const ChoosingBody &body, unsigned result) {
  Type type = body.getType(result);
  Builder builder(type.getContext());
  if (body.isChosenBlindly(result))
    return {{cast<TypedAttr>(builder.getZeroAttr(type)), Number()}};
  SmallVector<Start> starts;
  if (auto floats = dyn_cast<FloatType>(type)) {
    const llvm::fltSemantics &semantics = floats.getFloatSemantics();
    if (!APFloat::semanticsHasInf(semantics))
      return {};
    for (bool isNegative : {true, false}) {
      double number = std::numeric_limits<double>::infinity();
      starts.push_back(
          {builder.getFloatAttr(type, APFloat::getInf(semantics, isNegative)),
           {isNegative ? -number : number}});
    }
    return starts;
  }
  unsigned width = type.isIndex() ? 64 : type.getIntOrFloatBitWidth();
  bool isUnsigned = body.comparesUnsigned();
  auto add = [&](const APInt &number, int64_t tried) {
    starts.push_back({builder.getIntegerAttr(type, number), {0, tried}});
  };
  add(isUnsigned ? APInt::getMinValue(width) : APInt::getSignedMinValue(width),
      kFirst);
  add(isUnsigned ? APInt::getMaxValue(width) : APInt::getSignedMaxValue(width),
      kLast);
  return starts;
}

/// Numbers of `type` that compare in each way with each other and with `start`.
static SmallVector<Number> getTried(const ChoosingBody &body, unsigned result,
                                    Number start) {
  if (body.isChosenBlindly(result))
    return {Number{0, 0}, Number{1, 1}};
  if (isa<FloatType>(body.getType(result)))
    return {start, {-1}, {-0.0}, {0}, {1}, {std::nan("")}};
  return {start, Number{0, 1}, Number{0, 2}, Number{0, 3}};
}

/// True where what begins with `start`, by whatever elements it is reached, may
/// be taken as one element behind any others: `(a + r) + y` is `a + (r + y)`,
/// and `a + start` is `a`.
static bool worksInParts(ChoosingBody &body, const Element &start) {
  SmallVector<Element> tried{Element()};
  for (unsigned result = 0; result < body.getNumResults(); ++result) {
    SmallVector<Element> longer;
    for (const Element &element : tried)
      for (Number number : getTried(body, result, start[result])) {
        longer.push_back(element);
        longer.back().push_back(number);
      }
    tried = std::move(longer);
    constexpr size_t kMostTried = 64;
    if (tried.size() > kMostTried)
      return false;
  }
  if (llvm::any_of(tried, [&](const Element &element) {
        return body.run(element, start) != element;
      }))
    return false;
  // What is chosen among these is one of them. The first is `start`.
  unsigned count = tried.size();
  SmallVector<unsigned> sums;
  for (const Element &before : tried)
    for (const Element &element : tried)
      sums.push_back(llvm::find(tried, body.run(before, element)) -
                     tried.begin());
  auto add = [&](unsigned a, unsigned b) { return sums[a * count + b]; };
  llvm::SmallSetVector<unsigned, 8> reached;
  reached.insert(0);
  for (unsigned i = 0; i < reached.size(); ++i)
    for (unsigned y = 0; y < count; ++y)
      reached.insert(add(reached[i], y));
  for (unsigned r : reached)
    for (unsigned y = 0; y < count; ++y)
      for (unsigned a = 0; a < count; ++a)
        if (add(add(a, r), y) != add(a, add(r, y)))
          return false;
  return true;
}

std::optional<ProvedCombination>
memspace::getProvedCombination(linalg::LinalgOp op) {
  std::optional<ChoosingBody> body = ChoosingBody::get(op);
  if (!body)
    return std::nullopt;
  SmallVector<SmallVector<Start>> choices{{}};
  for (unsigned result = 0; result < body->getNumResults(); ++result) {
    if (!body->getType(result).isIntOrIndexOrFloat() ||
        body->getType(result).isInteger(1))
      return std::nullopt;
    SmallVector<SmallVector<Start>> longer;
    for (const SmallVector<Start> &choice : choices)
      for (const Start &start : getStarts(*body, result)) {
        longer.push_back(choice);
        longer.back().push_back(start);
      }
    choices = std::move(longer);
  }
  for (const SmallVector<Start> &choice : choices) {
    ProvedCombination combination;
    Element start;
    for (const Start &one : choice) {
      combination.starts.push_back(one.attr);
      start.push_back(one.number);
    }
    if (!worksInParts(*body, start))
      continue;
    combination.combine = [body = *body](OpBuilder &builder, ValueRange parts,
                                         ValueRange results) {
      return body.clone(builder, parts, results);
    };
    return combination;
  }
  return std::nullopt;
}
