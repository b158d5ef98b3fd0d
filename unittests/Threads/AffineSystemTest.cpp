//===- AffineSystemTest.cpp - systems and sums against enumeration --------===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Threads/AffineSystem.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVectorExtras.h"
#include "gtest/gtest.h"
#include <random>

using namespace mlir;
using namespace mlir::memspace;
using llvm::ArrayRef;
using llvm::SmallVector;

namespace {
using Wide = __int128;

/// A random system over variables in small boxes, and the same as data that can
/// be tried out point by point.
struct RandomSystem {
  explicit RandomSystem(std::mt19937_64 &random, unsigned numDisequalities = 0)
      : random(random) {
    unsigned size = 1 + random() % 3;
    for (unsigned i = 0; i < size; ++i) {
      int64_t lower = pick(-4, 3);
      boxes.push_back({lower, lower + pick(0, 6)});
      forms.push_back(system.addColumn({lower, boxes.back().second}));
    }
    // Quotients are columns like the variables.
    for (unsigned i = 0; i < random() % 3; ++i) {
      quotients.push_back({getTerms(), pick(-5, 5), pick(1, 5)});
      auto &[terms, constant, divisor] = quotients.back();
      forms.push_back(system.addFloorDiv(getForm(terms, constant), divisor));
    }
    for (unsigned i = 0; i < 1 + random() % 3; ++i) {
      constraints.push_back({getTerms(), pick(-9, 9), random() % 2 == 0});
      auto &[terms, constant, isEquality] = constraints.back();
      if (isEquality)
        system.addEquality(getForm(terms, constant));
      else
        system.addInequality(getForm(terms, constant));
    }
    for (unsigned i = 0; i < numDisequalities; ++i) {
      disequalities.push_back({getTerms(), pick(-9, 9)});
      auto &[terms, constant] = disequalities.back();
      system.addDisequality(getForm(terms, constant));
    }
  }

  int64_t pick(int64_t least, int64_t greatest) {
    return least + int64_t(random() % uint64_t(greatest - least + 1));
  }
  SmallVector<int64_t> getTerms() {
    return llvm::map_to_vector(forms, [&](const LinearForm &) {
      return random() % 3 ? pick(-6, 6) : 0;
    });
  }
  LinearForm getForm(ArrayRef<int64_t> terms, int64_t constant) {
    LinearForm form(constant);
    for (auto [coefficient, column] : llvm::zip_first(terms, forms))
      form += column * coefficient;
    return form;
  }
  static int64_t evaluate(ArrayRef<int64_t> terms, int64_t constant,
                          ArrayRef<int64_t> numbers) {
    for (auto [coefficient, number] : llvm::zip_first(terms, numbers))
      constant += coefficient * number;
    return constant;
  }

  /// `numbers`, of the variables, with the quotients; none of one that does not
  /// satisfy the constraints.
  std::optional<SmallVector<int64_t>> complete(ArrayRef<int64_t> variables) {
    SmallVector<int64_t> numbers(variables);
    for (auto &[terms, constant, divisor] : quotients)
      numbers.push_back(
          llvm::divideFloorSigned(evaluate(terms, constant, numbers), divisor));
    for (auto &[terms, constant, isEquality] : constraints) {
      int64_t value = evaluate(terms, constant, numbers);
      if (isEquality ? value != 0 : value < 0)
        return std::nullopt;
    }
    for (auto &[terms, constant] : disequalities)
      if (evaluate(terms, constant, numbers) == 0)
        return std::nullopt;
    return numbers;
  }

  /// Every point that satisfies the constraints.
  std::vector<SmallVector<int64_t>> enumerate() {
    std::vector<SmallVector<int64_t>> points = {{}};
    for (auto [lower, upper] : boxes) {
      std::vector<SmallVector<int64_t>> longer;
      for (const auto &point : points)
        for (int64_t number = lower; number <= upper; ++number) {
          longer.push_back(point);
          longer.back().push_back(number);
        }
      points = std::move(longer);
    }
    std::vector<SmallVector<int64_t>> result;
    for (const auto &point : points)
      if (auto numbers = complete(point))
        result.push_back(std::move(*numbers));
    return result;
  }

  std::mt19937_64 &random;
  AffineSystem system;
  std::vector<std::pair<int64_t, int64_t>> boxes;
  std::vector<LinearForm> forms;
  std::vector<std::tuple<SmallVector<int64_t>, int64_t, int64_t>> quotients;
  std::vector<std::tuple<SmallVector<int64_t>, int64_t, bool>> constraints;
  std::vector<std::pair<SmallVector<int64_t>, int64_t>> disequalities;
};
} // namespace

/// Of 4,000 random systems, with up to so many disequalities.
static void compareEmptiness(unsigned seed, unsigned mostDisequalities) {
  std::mt19937_64 random(seed);
  unsigned empty = 0, proved = 0, points = 0;
  for (unsigned i = 0; i < 4000; ++i) {
    RandomSystem system(random, i % (mostDisequalities + 1));
    auto all = system.enumerate();
    bool isProved = system.system.isProvedEmpty();
    EXPECT_FALSE(isProved && !all.empty()) << "system " << i;
    empty += all.empty();
    proved += isProved;
    auto point = system.system.findPoint();
    EXPECT_FALSE(point && all.empty()) << "system " << i;
    if (!point)
      continue;
    ++points;
    // The point gives each variable and each quotient the number that it has.
    auto numbers =
        llvm::map_to_vector(system.forms, [&](const LinearForm &form) {
          return *form.evaluate(
              [&](unsigned column) { return std::optional((*point)[column]); });
        });
    EXPECT_EQ(
        system.complete(ArrayRef(numbers).take_front(system.boxes.size())),
        std::optional(numbers))
        << "system " << i;
  }
  // The search gives up on few systems this small.
  EXPECT_GT(empty, 1000u);
  EXPECT_GT(proved, empty * 95 / 100);
  EXPECT_GT(points, (4000 - empty) * 95 / 100);
}

TEST(AffineSystem, EmptinessIsThatOfAllPoints) {
  compareEmptiness(/*seed=*/2, /*mostDisequalities=*/0);
}

TEST(AffineSystem, DisequalitiesLeaveOutPoints) {
  compareEmptiness(/*seed=*/6, /*mostDisequalities=*/4);
}

TEST(AffineSystem, IntervalsHoldAllPoints) {
  std::mt19937_64 random(3);
  unsigned exact = 0;
  for (unsigned i = 0; i < 3000; ++i) {
    RandomSystem system(random);
    SmallVector<int64_t> terms = system.getTerms();
    Interval interval = system.system.getInterval(system.getForm(terms, 7));
    ASSERT_TRUE(interval.lower && interval.upper);
    int64_t least = INT64_MAX, greatest = INT64_MIN;
    for (const auto &point : system.enumerate()) {
      int64_t value = RandomSystem::evaluate(terms, 7, point);
      EXPECT_LE(*interval.lower, value) << "system " << i;
      EXPECT_GE(*interval.upper, value) << "system " << i;
      least = std::min(least, value);
      greatest = std::max(greatest, value);
    }
    exact += least == *interval.lower && greatest == *interval.upper;
  }
  EXPECT_GT(exact, 100u);
}

TEST(AffineSystem, RemainderOfADivision) {
  AffineSystem system;
  LinearForm x = system.addColumn({0, 255});
  LinearForm quotient = system.addFloorDiv(x, 32);
  Interval remainder = system.getInterval(x - quotient * 32);
  EXPECT_EQ(remainder.lower, 0);
  EXPECT_EQ(remainder.upper, 31);
  // Equal quotients are one column, and multiples go around the division.
  EXPECT_TRUE(system.addFloorDiv(x, 32) == quotient);
  EXPECT_TRUE(system.addFloorDiv(x + LinearForm(64), 32) ==
              quotient + LinearForm(2));
}

TEST(AffineSystem, QuotientsByMultiples) {
  // Of 32 numbers in a row that begin at a multiple of 32 all have quotients by
  // 16 of two kinds, whichever quotient is asked for first.
  for (bool coarseFirst : {true, false}) {
    AffineSystem system;
    LinearForm x = system.addColumn({0, 127}), y = system.addColumn({0, 127});
    LinearForm fine[2], coarse[2];
    for (bool isCoarse : {coarseFirst, !coarseFirst})
      for (unsigned side : {0, 1}) {
        LinearForm &quotient = isCoarse ? coarse[side] : fine[side];
        quotient = system.addFloorDiv(side == 0 ? x : y, isCoarse ? 32 : 16);
      }
    system.addEquality(coarse[0] - coarse[1]);
    AffineSystem near = system;
    near.addEquality(fine[0] - fine[1] - LinearForm(1));
    EXPECT_FALSE(near.isProvedEmpty());
    system.addEquality(fine[0] - fine[1] - LinearForm(2));
    EXPECT_TRUE(system.isProvedEmpty());
  }
}

/// Places in the digits of a number, which two threads of different workgroups
/// compute: equal ones mean equal numbers, though the digits of a thread alone
/// do not tell the tile from the thread in it.
TEST(AffineSystem, PlacesByDigits) {
  AffineSystem system;
  LinearForm group[2], row[2], column[2];
  for (unsigned side : {0, 1}) {
    group[side] = system.addColumn({0, 4439});
    LinearForm thread = system.addColumn({0, 255});
    LinearForm tens = system.addFloorDiv(group[side], 10);
    LinearForm tileRow = tens - system.addFloorDiv(tens, 37) * 37;
    LinearForm subgroup = system.addFloorDiv(thread, 64);
    LinearForm lane = thread - subgroup * 64;
    LinearForm rowInTile = system.addFloorDiv(lane, 16);
    row[side] = tileRow * 16 + rowInTile * 4 + system.addColumn({0, 3});
    column[side] = (group[side] - tens * 10) * 64 +
                   (subgroup - system.addFloorDiv(subgroup, 4) * 4) * 16 +
                   (lane - rowInTile * 16);
    if (side == 1)
      system.addEquality(
          system.addFloorDiv(tens, 37) -
          system.addFloorDiv(system.addFloorDiv(group[0], 10), 37));
  }
  system.addEquality(row[0] - row[1]);
  system.addEquality(column[0] - column[1]);
  AffineSystem same = system;
  same.addEquality(group[0] - group[1]);
  EXPECT_FALSE(same.isProvedEmpty());
  for (int64_t sign : {1, -1}) {
    AffineSystem different = system;
    different.addInequality((group[0] - group[1]) * sign - LinearForm(1));
    EXPECT_TRUE(different.isProvedEmpty());
  }
}

/// What threads add to a multiple of 256, in numbers that wrap modulo 2^32.
TEST(AffineSystem, WrappedPlaces) {
  constexpr int64_t kModulus = int64_t(1) << 32;
  auto addWrapped = [&](AffineSystem &system, const LinearForm &form) {
    LinearForm wrapped = system.addColumn({-kModulus / 2, kModulus / 2 - 1});
    system.addEquality(wrapped - form - system.addColumn({}) * kModulus);
    return wrapped;
  };
  // So many rows of 64 threads each 256 elements.
  for (int64_t rows : {4, 5}) {
    AffineSystem system;
    LinearForm x[2], y[2], place[2];
    for (unsigned side : {0, 1}) {
      x[side] = system.addColumn({0, 63});
      y[side] = system.addColumn({0, rows - 1});
      LinearForm row =
          addWrapped(system, system.addColumn({0, kModulus / 2 - 1}) * 256);
      place[side] =
          addWrapped(system, addWrapped(system, row + y[side] * 64) + x[side]);
    }
    system.addEquality(place[0] - place[1]);
    for (const LinearForm &distance : {x[0] - x[1], y[0] - y[1]}) {
      AffineSystem different = system;
      different.addInequality(distance - LinearForm(1));
      EXPECT_EQ(different.isProvedEmpty(), rows == 4 || distance == x[0] - x[1])
          << rows;
    }
  }
  // One area and the next one, which begins so much farther.
  for (int64_t step : {128, 127}) {
    AffineSystem system;
    LinearForm first = system.addColumn({0, kModulus / 2 - 1});
    LinearForm next = system.addColumn({0, kModulus / 2 - 1});
    LinearForm distance = system.addColumn({-127, 127});
    LinearForm x = system.addColumn({0, 127}),
               other = system.addColumn({0, 127});
    system.addEquality(distance + x - other);
    system.addEquality(next - first - LinearForm(1));
    LinearForm read = addWrapped(system, addWrapped(system, first * step) +
                                             LinearForm(127) - x);
    LinearForm written =
        addWrapped(system, addWrapped(system, next * step) + other);
    system.addEquality(read - written);
    EXPECT_EQ(system.isProvedEmpty(), step == 128) << step;
  }
}

/// A greatest that has to be more than one of its forms can be is the other.
TEST(AffineSystem, TheOnlyFormLeft) {
  AffineSystem system;
  LinearForm x = system.addColumn({-10, 10});
  LinearForm size =
      system.addExtremum({LinearForm(1), system.addExtremum({LinearForm(0), x},
                                                            /*least=*/false)},
                         /*least=*/true);
  system.addInequality(size - LinearForm(1));
  EXPECT_FALSE(system.isProvedEmpty());
  system.addInequality(x * -1);
  EXPECT_TRUE(system.isProvedEmpty());
}

/// Random extrema, some of them of others, against all points.
TEST(AffineSystem, ExtremaHoldAllPoints) {
  std::mt19937_64 random(5);
  auto pick = [&](int64_t least, int64_t greatest) {
    return least + int64_t(random() % uint64_t(greatest - least + 1));
  };
  using Sum = std::pair<SmallVector<int64_t>, int64_t>;
  auto evaluate = [](const Sum &sum, ArrayRef<int64_t> numbers) {
    int64_t value = sum.second;
    for (auto [coefficient, number] : llvm::zip_first(sum.first, numbers))
      value += coefficient * number;
    return value;
  };
  unsigned empty = 0, proved = 0;
  for (unsigned i = 0; i < 4000; ++i) {
    AffineSystem system;
    SmallVector<LinearForm> columns = {system.addColumn({-3, 4}),
                                       system.addColumn({-2, 5})};
    auto getSum = [&] {
      Sum sum{{}, pick(-4, 4)};
      for (unsigned j = 0; j < columns.size(); ++j)
        sum.first.push_back(random() % 3 ? pick(-3, 3) : 0);
      return sum;
    };
    auto getForm = [&](const Sum &sum) {
      LinearForm form(sum.second);
      for (auto [coefficient, column] : llvm::zip_first(sum.first, columns))
        form += column * coefficient;
      return form;
    };
    std::vector<std::tuple<Sum, Sum, bool>> extrema;
    for (unsigned j = 0; j < 1 + random() % 3; ++j) {
      extrema.push_back({getSum(), getSum(), random() % 2 == 0});
      auto &[left, right, least] = extrema.back();
      columns.push_back(
          system.addExtremum({getForm(left), getForm(right)}, least));
    }
    SmallVector<Sum> constraints;
    for (unsigned j = 0; j < 1 + random() % 3; ++j) {
      constraints.push_back(getSum());
      system.addInequality(getForm(constraints.back()));
    }
    bool isEmpty = true;
    for (int64_t x = -3; x <= 4; ++x)
      for (int64_t y = -2; y <= 5; ++y) {
        SmallVector<int64_t> numbers = {x, y};
        for (auto &[left, right, least] : extrema) {
          int64_t a = evaluate(left, numbers), b = evaluate(right, numbers);
          numbers.push_back(least ? std::min(a, b) : std::max(a, b));
        }
        isEmpty &= llvm::any_of(constraints, [&](const Sum &sum) {
          return evaluate(sum, numbers) < 0;
        });
      }
    bool isProved = system.isProvedEmpty();
    EXPECT_FALSE(isProved && !isEmpty) << "system " << i;
    empty += isEmpty;
    proved += isProved;
  }
  EXPECT_GT(empty, 500u);
  EXPECT_GT(proved, empty * 70 / 100);
}

TEST(AffineSystem, InvalidFormsProveNothing) {
  AffineSystem system;
  LinearForm x = system.addColumn({0, 9});
  LinearForm huge = x * (int64_t(1) << 33) * 4;
  EXPECT_TRUE(huge.invalid);
  Interval interval = system.getInterval(huge);
  EXPECT_FALSE(interval.lower || interval.upper);
  system.addEquality(huge - LinearForm(1));
  system.addInequality(LinearForm(-1) - huge);
  EXPECT_FALSE(system.isProvedEmpty());
  LinearForm quotient = system.addFloorDiv(huge, 4);
  system.addEquality(quotient - LinearForm(-5));
  EXPECT_FALSE(system.isProvedEmpty());
}

//===----------------------------------------------------------------------===//
// Sums
//===----------------------------------------------------------------------===//

namespace {
struct SmallSum : LinearSum<SmallSum, unsigned, 100, 1000> {
  using LinearSum::LinearSum;
};
struct FullSum : LinearSum<FullSum, unsigned> {
  using LinearSum::LinearSum;
};
/// Of a variable without an order.
struct SignedSum : LinearSum<SignedSum, int> {
  using LinearSum::LinearSum;
};

/// Random sums, and the same with numbers that cannot overflow.
template <typename SumT> void checkSums(int64_t limit) {
  std::mt19937_64 random(4);
  auto pick = [&] {
    int64_t number = int64_t(random());
    return random() % 4 ? number % 12 : number % limit;
  };
  unsigned invalid = 0;
  for (unsigned i = 0; i < 5000; ++i) {
    SumT sum(pick());
    Wide constant = sum.constant;
    Wide coefficients[3] = {0, 0, 0};
    for (unsigned step = 0; step < 1 + random() % 6 && !sum.invalid; ++step) {
      unsigned variable = random() % 3;
      int64_t factor = pick();
      switch (random() % 4) {
      case 0:
        sum *= factor;
        constant *= factor;
        for (Wide &coefficient : coefficients)
          coefficient *= factor;
        break;
      case 1:
        sum += sum;
        constant *= 2;
        for (Wide &coefficient : coefficients)
          coefficient *= 2;
        break;
      case 2:
        sum = sum - SumT::getVariable(variable) * factor;
        coefficients[variable] -= factor;
        break;
      default:
        sum += SumT::getVariable(variable) * factor;
        coefficients[variable] += factor;
      }
    }
    if (sum.invalid) {
      ++invalid;
      continue;
    }
    EXPECT_TRUE(sum.constant == constant);
    for (auto [variable, coefficient] : sum.terms) {
      EXPECT_NE(coefficient, 0);
      EXPECT_TRUE(coefficients[variable] == coefficient);
      coefficients[variable] = 0;
    }
    for (Wide rest : coefficients)
      EXPECT_TRUE(rest == 0);
    // divisor · q + r is the sum.
    int64_t divisor = 1 + random() % 9;
    auto [whole, rest] = sum.splitMultiples(divisor);
    EXPECT_GE(rest.constant, 0);
    EXPECT_LT(rest.constant, divisor);
    int64_t numbers[3] = {int64_t(random() % 9), -3, 5};
    auto getNumber = [&](unsigned variable) {
      return std::optional(numbers[variable]);
    };
    auto value = sum.evaluate(getNumber), q = whole.evaluate(getNumber),
         r = rest.evaluate(getNumber);
    if (value && q && r)
      EXPECT_TRUE(Wide(*q) * divisor + *r == *value);
  }
  EXPECT_GT(invalid, 100u);
  EXPECT_LT(invalid, 4000u);
}
} // namespace

TEST(LinearSum, NeverWraps) {
  checkSums<SmallSum>(120);
  checkSums<FullSum>(INT64_MAX);
  checkSums<LinearForm>(int64_t(1) << 31);
  checkSums<SignedSum>(INT64_MAX);
}

TEST(LinearSum, UnknownStaysUnknown) {
  FullSum unknown = FullSum::getVariable(1) * INT64_MAX * 2;
  EXPECT_TRUE(unknown.invalid);
  EXPECT_TRUE((unknown - unknown).invalid);
  EXPECT_FALSE(unknown == unknown);
  EXPECT_EQ(unknown.getConstant(), std::nullopt);
  EXPECT_EQ((unknown * 0).getConstant(), 0);
  EXPECT_TRUE(unknown.splitMultiples(2).second.invalid);
}

TEST(LinearSum, EqualSumsHaveEqualTerms) {
  FullSum x = FullSum::getVariable(7), y = FullSum::getVariable(2);
  EXPECT_TRUE(x + y * 3 == y + x + y * 2);
  EXPECT_TRUE((x - x).isConstant());
}
