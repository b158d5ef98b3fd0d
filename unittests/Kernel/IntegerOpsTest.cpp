//===- IntegerOpsTest.cpp - the table against execution -------------------===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Kernel/IntegerOps.h"
#include "TestModule.h"
#include "llvm/Support/CheckedArithmetic.h"
#include "gtest/gtest.h"
#include <random>

using namespace mlir;
using namespace mlir::memspace;

namespace {
using Wide = __int128;
using Number = std::optional<int64_t>;

/// What the hardware computes: the last `width` bits, as a signed number; none
/// where the result is undefined.
class Machine {
public:
  explicit Machine(unsigned width) : width(width) {}

  Number run(IntegerOp op, int64_t x, int64_t y) const {
    Wide ux = toUnsigned(x), uy = toUnsigned(y);
    bool isShift = uy < width;
    switch (op) {
    case IntegerOp::Add:
      return wrap(Wide(x) + y);
    case IntegerOp::Sub:
      return wrap(Wide(x) - y);
    case IntegerOp::Mul:
      return wrap(Wide(x) * y);
    case IntegerOp::MinS:
      return std::min(x, y);
    case IntegerOp::MaxS:
      return std::max(x, y);
    case IntegerOp::MinU:
      return ux < uy ? x : y;
    case IntegerOp::MaxU:
      return ux > uy ? x : y;
    case IntegerOp::ShL:
      return isShift ? wrap(ux << int(uy)) : Number();
    case IntegerOp::ShRS:
      return isShift ? wrap(Wide(x) >> int(uy)) : Number();
    case IntegerOp::ShRU:
      return isShift ? wrap(ux >> int(uy)) : Number();
    case IntegerOp::And:
      return x & y;
    case IntegerOp::Or:
      return x | y;
    case IntegerOp::XOr:
      return x ^ y;
    case IntegerOp::DivS:
      return divide(x, y, [](Wide a, Wide b) { return a / b; });
    case IntegerOp::DivU:
      return y ? wrap(ux / uy) : Number();
    case IntegerOp::FloorDivS:
      return divide(x, y, [](Wide a, Wide b) {
        return a / b - (a % b != 0 && (a < 0) != (b < 0));
      });
    case IntegerOp::CeilDivS:
      return divide(x, y, [](Wide a, Wide b) {
        return a / b + (a % b != 0 && (a < 0) == (b < 0));
      });
    case IntegerOp::CeilDivU:
      return y ? wrap((ux + uy - 1) / uy) : Number();
    case IntegerOp::RemS:
      return y ? wrap(Wide(x) % y) : Number();
    case IntegerOp::RemU:
      return y ? wrap(ux % uy) : Number();
    default:
      return std::nullopt;
    }
  }

  int64_t wrap(Wide value) const {
    return llvm::SignExtend64(uint64_t(value), width);
  }
  Wide toUnsigned(int64_t value) const {
    return width == 64 ? Wide(uint64_t(value))
                       : Wide(uint64_t(value) & ((uint64_t(1) << width) - 1));
  }

private:
  /// None for a division by zero, and for the least number by -1.
  template <typename FunctionT>
  Number divide(int64_t x, int64_t y, FunctionT function) const {
    if (y == 0)
      return std::nullopt;
    Wide quotient = function(x, y);
    return wrap(quotient) == quotient ? Number(quotient) : Number();
  }

  unsigned width;
};

/// None beyond 64 bits.
std::optional<Wide> evaluate(AffineExpr expr, ArrayRef<int64_t> symbols) {
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return constant.getValue();
  if (auto symbol = dyn_cast<AffineSymbolExpr>(expr))
    return symbols[symbol.getPosition()];
  auto binary = cast<AffineBinaryOpExpr>(expr);
  std::optional<Wide> x = evaluate(binary.getLHS(), symbols);
  std::optional<Wide> y = evaluate(binary.getRHS(), symbols);
  if (!x || !y)
    return std::nullopt;
  auto floorDiv = [](Wide a, Wide b) { return a / b - (a % b < 0); };
  Wide result = 0;
  switch (expr.getKind()) {
  case AffineExprKind::Add:
    result = *x + *y;
    break;
  case AffineExprKind::Mul:
    result = *x * *y;
    break;
  case AffineExprKind::FloorDiv:
    result = floorDiv(*x, *y);
    break;
  case AffineExprKind::CeilDiv:
    result = -floorDiv(-*x, *y);
    break;
  case AffineExprKind::Mod:
    result = *x - floorDiv(*x, *y) * *y;
    break;
  default:
    return std::nullopt;
  }
  if (result != int64_t(result))
    return std::nullopt;
  return result;
}

struct IntegerOps : public testing::Test {
  /// The op of `line`, with operands %a, %b of `types`.
  Operation *parse(const Twine &line, StringRef first, StringRef second) {
    std::string source = ("func.func @k(%a: " + first + ", %b: " + second +
                          ") {\n" + line + "\nreturn\n}")
                             .str();
    module = std::make_unique<TestModule>(source);
    EXPECT_TRUE(*module) << source;
    Operation *found = nullptr;
    (**module).walk([&](Operation *op) {
      if (op->getNumResults() != 0)
        found = op;
    });
    return found;
  }

  /// Extreme numbers, small ones, and any.
  int64_t getNumber(unsigned width) {
    Machine machine(width);
    int64_t greatest = int64_t(~uint64_t(0) >> (65 - width));
    switch (random() % 6) {
    case 0:
      return std::array<int64_t, 5>{0, 1, -1, greatest,
                                    -greatest - 1}[random() % 5];
    case 1:
      return machine.wrap(int64_t(1) << random() % width);
    case 2:
      return machine.wrap(random());
    default:
      return int64_t(random() % 41) - 12;
    }
  }
  /// Some bounds around `number`.
  Interval getBounds(int64_t number) {
    Interval result;
    int64_t margin = random() % 3 ? random() % 20 : 0;
    if (random() % 4)
      result.lower = llvm::checkedSub(number, margin);
    if (random() % 4)
      result.upper = llvm::checkedAdd(number, margin);
    return result;
  }

  /// Checks all that the table says of `result` where its op gives `expected`
  /// for `numbers`. Beyond 64 bits nothing is said.
  void check(OpResult result, ArrayRef<int64_t> numbers, int64_t expected) {
    Operation *op = result.getOwner();
    bool isConstant = random() % 2;
    auto find = [&](Value value) {
      auto it = llvm::find(op->getOperands(), value);
      return numbers[it - op->operand_begin()];
    };
    // The first operand varies, the others may be constants.
    auto getConstant = [&](Value value) {
      return isConstant && value != op->getOperand(0) ? Number(find(value))
                                                      : Number();
    };
    auto isNonNegative = [&](Value value) { return find(value) >= 0; };
    std::optional<AffineMeaning> meaning =
        getAffineMeaning(result, {getConstant, isNonNegative});
    std::optional<Wide> value;
    if (meaning) {
      value =
          evaluate(meaning->expr, llvm::map_to_vector(meaning->operands, find));
      if (value && meaning->mayWrap &&
          !isInRange({int64_t(*value), int64_t(*value)}, result.getType()))
        value = std::nullopt;
      if (value) {
        EXPECT_EQ(int64_t(*value), expected) << describe(op, numbers);
        ++meanings;
      }
    }
    Interval range =
        getRange(result, [&](Value value) { return getBounds(find(value)); });
    // An index that wraps may be anything.
    bool wraps = meaning && !value && result.getType().isIndex();
    if (wraps ||
        (getIntegerOp(op) == IntegerOp::ShL && result.getType().isIndex()))
      return;
    EXPECT_TRUE(!range.lower || *range.lower <= expected)
        << describe(op, numbers) << " >= " << *range.lower;
    EXPECT_TRUE(!range.upper || expected <= *range.upper)
        << describe(op, numbers) << " <= " << *range.upper;
    ranges += range.lower || range.upper;
  }

  static std::string describe(Operation *op, ArrayRef<int64_t> numbers) {
    std::string text;
    llvm::raw_string_ostream stream(text);
    stream << *op << " of ";
    llvm::interleaveComma(numbers, stream);
    return text;
  }

  SmallVector<Number> fold(Operation *op, ArrayRef<int64_t> numbers) {
    SmallVector<Number> operands(numbers);
    return NumberFolder(op).fold(operands, [&](Value value) {
      auto it = llvm::find(op->getOperands(), value);
      return it == op->operand_end() ? Number()
                                     : operands[it - op->operand_begin()];
    });
  }

  std::unique_ptr<TestModule> module;
  std::mt19937_64 random{1};
  unsigned meanings = 0, ranges = 0;
};
} // namespace

/// Folding is what the machine does; the expression and the bounds agree.
TEST_F(IntegerOps, BinaryOps) {
  const std::pair<const char *, IntegerOp> arith[] = {
      {"addi", IntegerOp::Add},           {"subi", IntegerOp::Sub},
      {"muli", IntegerOp::Mul},           {"minsi", IntegerOp::MinS},
      {"maxsi", IntegerOp::MaxS},         {"minui", IntegerOp::MinU},
      {"maxui", IntegerOp::MaxU},         {"shli", IntegerOp::ShL},
      {"shrsi", IntegerOp::ShRS},         {"shrui", IntegerOp::ShRU},
      {"andi", IntegerOp::And},           {"ori", IntegerOp::Or},
      {"xori", IntegerOp::XOr},           {"divsi", IntegerOp::DivS},
      {"divui", IntegerOp::DivU},         {"floordivsi", IntegerOp::FloorDivS},
      {"ceildivsi", IntegerOp::CeilDivS}, {"ceildivui", IntegerOp::CeilDivU},
      {"remsi", IntegerOp::RemS},         {"remui", IntegerOp::RemU}};
  const std::pair<const char *, IntegerOp> index[] = {
      {"add", IntegerOp::Add},           {"sub", IntegerOp::Sub},
      {"mul", IntegerOp::Mul},           {"mins", IntegerOp::MinS},
      {"maxs", IntegerOp::MaxS},         {"minu", IntegerOp::MinU},
      {"maxu", IntegerOp::MaxU},         {"shl", IntegerOp::ShL},
      {"shrs", IntegerOp::ShRS},         {"shru", IntegerOp::ShRU},
      {"and", IntegerOp::And},           {"or", IntegerOp::Or},
      {"xor", IntegerOp::XOr},           {"divs", IntegerOp::DivS},
      {"divu", IntegerOp::DivU},         {"floordivs", IntegerOp::FloorDivS},
      {"ceildivs", IntegerOp::CeilDivS}, {"ceildivu", IntegerOp::CeilDivU},
      {"rems", IntegerOp::RemS},         {"remu", IntegerOp::RemU}};
  auto checkOp = [&](StringRef name, IntegerOp kind, StringRef type,
                     unsigned width) {
    bool isOfIndexDialect = name.starts_with("index.");
    Operation *op =
        parse("%r = " + name + " %a, %b" +
                  (isOfIndexDialect ? Twine() : " : " + Twine(type)),
              type, type);
    ASSERT_EQ(getIntegerOp(op), kind) << name.str();
    for (unsigned i = 0; i < 300; ++i) {
      int64_t numbers[] = {getNumber(width), getNumber(width)};
      Number expected = Machine(width).run(kind, numbers[0], numbers[1]);
      SmallVector<Number> folded = fold(op, numbers);
      if (!expected)
        continue;
      check(op->getResult(0), numbers, *expected);
      if (!folded.empty() && folded[0])
        EXPECT_EQ(*folded[0], *expected) << describe(op, numbers);
      // The index dialect folds what is the same in 32 bits.
      bool isSmall = llvm::all_of(
          numbers, [](int64_t number) { return number >= 0 && number < 32; });
      if (isSmall && kind != IntegerOp::ShL && kind != IntegerOp::Sub)
        EXPECT_TRUE(!folded.empty() && folded[0]) << describe(op, numbers);
    }
  };
  for (auto [name, kind] : arith)
    for (auto [type, width] :
         {std::make_pair("index", 64u), {"i64", 64u}, {"i32", 32u}, {"i8", 8u}})
      checkOp(("arith." + Twine(name)).str(), kind, type, width);
  for (auto [name, kind] : index)
    checkOp(("index." + Twine(name)).str(), kind, "index", 64);
  EXPECT_GT(meanings, 7000u);
  EXPECT_GT(ranges, 8000u);
}

TEST_F(IntegerOps, Casts) {
  const std::tuple<const char *, const char *, unsigned, const char *, unsigned,
                   bool>
      casts[] = {{"arith.index_cast", "i8", 8, "index", 64, true},
                 {"arith.index_cast", "index", 64, "i32", 32, true},
                 {"arith.index_castui", "i32", 32, "index", 64, false},
                 {"arith.index_castui", "index", 64, "i8", 8, false},
                 {"arith.extsi", "i8", 8, "i32", 32, true},
                 {"arith.extui", "i8", 8, "i32", 32, false},
                 {"arith.trunci", "i32", 32, "i8", 8, true},
                 {"index.casts", "i32", 32, "index", 64, true},
                 {"index.castu", "i32", 32, "index", 64, false}};
  for (auto [name, from, fromWidth, to, toWidth, isSigned] : casts) {
    Operation *op =
        parse(Twine("%r = ") + name + " %a : " + from + " to " + to, from, to);
    ASSERT_EQ(getIntegerOp(op), isSigned ? IntegerOp::CastS : IntegerOp::CastU);
    for (unsigned i = 0; i < 300; ++i) {
      int64_t number = getNumber(fromWidth);
      int64_t expected = Machine(toWidth).wrap(
          isSigned ? Wide(number) : Machine(fromWidth).toUnsigned(number));
      SmallVector<Number> folded = fold(op, number);
      ASSERT_FALSE(folded.empty()) << describe(op, number);
      EXPECT_EQ(*folded[0], expected) << describe(op, number);
      check(op->getResult(0), number, expected);
    }
  }
  EXPECT_GT(meanings, 1000u);
}

/// A bit is 1 or -1: only its extension says which.
TEST_F(IntegerOps, Bits) {
  Operation *op = parse("%r = arith.extui %a : i1 to i32", "i1", "i32");
  EXPECT_EQ(*fold(op, -1)[0], 1);
  check(op->getResult(0), {-1}, 1);
  op = parse("%r = arith.extsi %a : i1 to i32", "i1", "i32");
  EXPECT_EQ(*fold(op, -1)[0], -1);
  check(op->getResult(0), {-1}, -1);
  op = parse("%r = arith.andi %a, %b : i1", "i1", "i1");
  Interval range = getRange(op->getResult(0), [](Value) { return Interval(); });
  EXPECT_FALSE(range.lower || range.upper);
}

/// Comparisons, whose bit is -1 for true, and choices, of which one side may
/// not be known.
TEST_F(IntegerOps, ComparisonsAndChoices) {
  for (auto [type, width] :
       {std::make_pair("index", 64u), {"i64", 64u}, {"i32", 32u}, {"i8", 8u}})
    for (const char *predicate :
         {"eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge"}) {
      Operation *op =
          parse(Twine("%r = arith.cmpi ") + predicate + ", %a, %b : " + type,
                type, type);
      Machine machine(width);
      for (unsigned i = 0; i < 100; ++i) {
        int64_t x = getNumber(width), y = getNumber(width);
        StringRef name(predicate);
        bool isUnsigned = name.consume_front("u");
        if (!isUnsigned)
          name.consume_front("s");
        Wide a = isUnsigned ? machine.toUnsigned(x) : Wide(x);
        Wide b = isUnsigned ? machine.toUnsigned(y) : Wide(y);
        bool holds = name == "eq"   ? a == b
                     : name == "ne" ? a != b
                     : name == "lt" ? a < b
                     : name == "le" ? a <= b
                     : name == "gt" ? a > b
                                    : a >= b;
        EXPECT_EQ(*fold(op, {x, y})[0], holds ? -1 : 0) << describe(op, {x, y});
      }
    }
  Operation *select = parse("%r = arith.select %a, %b, %b : i32", "i1", "i32");
  auto none = [](Value) { return Number(); };
  NumberFolder folder(select);
  EXPECT_EQ(*folder.fold({Number(-1), Number(7), Number()}, none)[0], 7);
  EXPECT_EQ(*folder.fold({Number(0), Number(), Number(-3)}, none)[0], -3);
}

TEST_F(IntegerOps, AffineOps) {
  const char *lines[] = {
      "%r = affine.apply affine_map<(d0)[s0] -> (d0 * 3 - s0 floordiv 4)>"
      "(%a)[%b]",
      "%r = affine.apply affine_map<(d0)[s0] -> ((d0 + s0) mod 7 + d0 ceildiv "
      "5)>(%a)[%b]",
      "%r = affine.linearize_index [%a, %b] by (4, 8) : index",
      "%r = affine.linearize_index [%a, %b, %a] by (3, 5) : index",
      "%r:3 = affine.delinearize_index %a into (2, 3, 5) : index, index, index",
      "%r:2 = affine.delinearize_index %a into (6) : index, index"};
  for (const char *line : lines) {
    Operation *op = parse(line, "index", "index");
    for (unsigned i = 0; i < 200; ++i) {
      SmallVector<int64_t> numbers;
      for (Value operand : op->getOperands()) {
        auto it = llvm::find(op->getOperands(), operand);
        unsigned first = it - op->operand_begin();
        numbers.push_back(first < numbers.size()
                              ? numbers[first]
                              : int64_t(random() % 200) - 60);
      }
      SmallVector<Number> folded = fold(op, numbers);
      ASSERT_FALSE(folded.empty()) << describe(op, numbers);
      for (OpResult result : op->getResults())
        check(result, numbers, *folded[result.getResultNumber()]);
    }
  }
  EXPECT_EQ(meanings, 1800u);
}

/// A product of two numbers that are not constant is no pure expression, and a
/// division by one is none.
TEST_F(IntegerOps, NotAffine) {
  auto unknown = [](Value) { return Number(); };
  auto positive = [](Value) { return true; };
  Operation *op = parse("%r = arith.muli %a, %b : index", "index", "index");
  auto meaning = getAffineMeaning(op->getResult(0), {unknown, positive});
  ASSERT_TRUE(meaning);
  EXPECT_FALSE(meaning->expr.isPureAffine());
  op = parse("%r = arith.divsi %a, %b : index", "index", "index");
  EXPECT_FALSE(getAffineMeaning(op->getResult(0), {unknown, positive}));
  op = parse("%r = arith.ori %a, %b : index", "index", "index");
  EXPECT_FALSE(getAffineMeaning(op->getResult(0), {unknown, positive}));
}

TEST_F(IntegerOps, StaticDimensions) {
  Operation *op = parse("%r = memref.dim %a, %b : memref<4x?xf32>",
                        "memref<4x?xf32>", "index");
  auto none = [](Value) { return Number(); };
  auto no = [](Value) { return false; };
  EXPECT_FALSE(getAffineMeaning(op->getResult(0), {none, no}));
  Interval range = getRange(op->getResult(0), [](Value) { return Interval(); });
  EXPECT_TRUE(range.isNonNegative());
}

/// What folding changes is a copy, which is no user of the op's operands when
/// others look.
TEST_F(IntegerOps, FolderForManyThreads) {
  Operation *op = parse("%r = arith.subi %a, %b : index", "index", "index");
  auto none = [](Value) { return Number(); };
  {
    NumberFolder folder(op);
    for (int64_t thread = 0; thread < 64; ++thread)
      EXPECT_EQ(folder.fold({thread, 5}, none)[0], thread - 5);
  }
  op = parse("%r = arith.addi %a, %b : index", "index", "index");
  NumberFolder commuting(op);
  // The constant goes to the right side of the copy.
  EXPECT_TRUE(commuting.fold({3, std::nullopt}, none).empty());
  EXPECT_EQ(commuting.fold({3, 4}, none)[0], 7);
  EXPECT_TRUE(op->getOperand(0).hasOneUse());
  EXPECT_TRUE(op->getOperand(1).hasOneUse());
}

TEST_F(IntegerOps, Predicates) {
  Operation *op = parse("%r = index.cmp ult(%a, %b)", "index", "index");
  EXPECT_EQ(getPredicate(op), arith::CmpIPredicate::ult);
  op = parse("%r = arith.cmpi sge, %a, %b : i32", "i32", "i32");
  EXPECT_EQ(getPredicate(op), arith::CmpIPredicate::sge);
  op = parse("%r = arith.addi %a, %b : i32", "i32", "i32");
  EXPECT_EQ(getPredicate(op), std::nullopt);
}
