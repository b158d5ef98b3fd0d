//===- ExclusiveBlocksTest.cpp - conditions that exclude each other -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Hazards/ExclusiveBlocks.h"
#include "TestContext.h"
#include "TestModule.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "gtest/gtest.h"
#include <random>

using namespace mlir;
using namespace mlir::memspace;

namespace {
struct Comparison {
  arith::CmpIPredicate predicate;
  int64_t bound;
  /// It does not hold.
  bool isElse;

  bool holds(int64_t number, unsigned bits) const {
    APInt left(bits, number, /*isSigned=*/true);
    APInt right(bits, bound, /*isSigned=*/true);
    return arith::applyCmpPredicate(predicate, left, right) != isElse;
  }
};
} // namespace

/// Of two branches on one number, and of one in one: what excludes what is what
/// no number says, of all or of those around the bounds.
static void compare(StringRef type, unsigned bits, unsigned seed,
                    ArrayRef<int64_t> bounds, ArrayRef<int64_t> numbers) {
  std::mt19937 random(seed);
  unsigned exclusive = 0, all = 0;
  for (unsigned i = 0; i < 1500; ++i) {
    Comparison comparisons[3];
    std::string text;
    for (auto [index, comparison] : llvm::enumerate(comparisons)) {
      comparison = {*arith::symbolizeCmpIPredicate(random() % 10),
                    bounds[random() % bounds.size()], random() % 2 != 0};
      std::string number = std::to_string(index);
      text += "%k" + number + " = arith.constant " +
              std::to_string(comparison.bound) + " : " + type.str() + "\n%p" +
              number + " = arith.cmpi " +
              arith::stringifyCmpIPredicate(comparison.predicate).str() +
              ", %n, %k" + number + " : " + type.str() + "\n";
    }
    auto begin = [&](unsigned index) {
      return "scf.if %p" + std::to_string(index) +
             (comparisons[index].isElse ? " {\n} else {\n" : " {\n");
    };
    // The second branch is in the third one.
    text += begin(0) + "\"test.op\"() {test.name = \"a\"} : () -> ()\n}\n" +
            begin(2) + begin(1) +
            "\"test.op\"() {test.name = \"b\"} : () -> ()\n}\n}\n";
    TestModule module("func.func @k(%n: " + type.str() +
                      ") attributes {gpu.known_block_size = array<i32: 64, 1, "
                      "1>} {\n" +
                      text + "return\n}");
    ASSERT_TRUE(module) << text;
    KernelContext context =
        getTestContext(getKernels(*module).front(), /*subgroupSize=*/32);
    ThreadRelations relations(context);
    ExclusiveBlocks blocks(relations);
    bool areExclusive = blocks.areExclusive(module.get("a")->getBlock(),
                                            module.get("b")->getBlock());
    bool isAny = llvm::any_of(numbers, [&](int64_t number) {
      return llvm::all_of(comparisons, [&](const Comparison &comparison) {
        return comparison.holds(number, bits);
      });
    });
    EXPECT_FALSE(areExclusive && isAny) << text;
    exclusive += areExclusive;
    all += !isAny;
    if (testing::Test::HasFailure())
      return;
  }
  // Holes in the middle are not known.
  EXPECT_GT(exclusive, all / 2);
}

TEST(ExclusiveBlocks, AllNumbersOfFewBits) {
  auto all = llvm::to_vector(llvm::seq<int64_t>(-8, 8));
  compare("i4", 4, /*seed=*/1, all, all);
}

TEST(ExclusiveBlocks, NumbersAroundTheBounds) {
  constexpr int64_t kLeast = std::numeric_limits<int64_t>::min();
  constexpr int64_t kMost = std::numeric_limits<int64_t>::max();
  SmallVector<int64_t> numbers{kLeast, kLeast + 1, kLeast + 2, -3,   -2,
                               -1,     0,          1,          2,    3,
                               4,      kMost - 2,  kMost - 1,  kMost};
  SmallVector<int64_t> bounds{kLeast, kLeast + 1, -2, -1,        0,
                              1,      2,          3,  kMost - 1, kMost};
  compare("index", 64, /*seed=*/2, bounds, numbers);
  compare("i64", 64, /*seed=*/3, bounds, numbers);
}
