//===- ProblemTest.cpp - what is valid
//-------------------------------------===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MemSpace/Packing/Problem.h"
#include "PackingTest.h"
#include "gtest/gtest.h"
#include <limits>

using namespace mlir::memspace::packing;

namespace {

constexpr int64_t kMin = std::numeric_limits<int64_t>::min();
constexpr int64_t kMax = std::numeric_limits<int64_t>::max();

TEST(LiveRange, Normalize) {
  EXPECT_EQ(normalize({{5, 7}, {1, 2}, {3, 3}, {2, 4}, {6, 9}}),
            (LiveRange{{1, 4}, {5, 9}}));
  EXPECT_EQ(normalize({{4, 4}, {7, 2}}), LiveRange());
  EXPECT_EQ(normalize({{kMin, 0}, {0, kMax}}), (LiveRange{{kMin, kMax}}));
}

TEST(LiveRange, Overlap) {
  EXPECT_FALSE(overlap({{0, 2}}, {{2, 4}}));
  EXPECT_TRUE(overlap({{0, 3}}, {{2, 4}}));
  EXPECT_FALSE(overlap({{0, 2}, {4, 6}}, {{2, 4}, {6, 9}}));
  EXPECT_TRUE(overlap({{0, 2}, {4, 7}}, {{2, 4}, {6, 9}}));
  EXPECT_FALSE(overlap({}, {{6, 9}}));
}

TEST(ProblemCheck, Valid) {
  EXPECT_EQ(messageOf(Problem().check()), "");
  // Touching intervals, no bytes, never live, alignment that is no power of 2.
  EXPECT_EQ(messageOf(makeProblem({{"a", 8, 3, {{0, 1}, {1, 2}}},
                                   {"b", 0, 1, {{0, 1}}},
                                   {"c", 7, 16, {}},
                                   {"d", 7, 16, {{kMin, kMax}}}})
                          .check()),
            "");
}

TEST(ProblemCheck, Buffers) {
  EXPECT_EQ(messageOf(makeProblem({{"a", -1, 1, {{0, 1}}}}).check()),
            "buffer 'a' has a negative size: -1");
  EXPECT_EQ(messageOf(makeProblem({{"", 1, 0, {{0, 1}}}}).check()),
            "buffer #0 has the alignment 0; it must be positive");
  EXPECT_EQ(messageOf(makeProblem({{"a", 1, kMin, {{0, 1}}}}).check()),
            "buffer 'a' has the alignment -9223372036854775808; it must be "
            "positive");
  EXPECT_EQ(messageOf(makeProblem({{"a", 1, 1, {{3, 3}}}}).check()),
            "buffer 'a' has the empty interval [3, 3)");
  EXPECT_EQ(messageOf(makeProblem({{"a", 1, 1, {{kMax, kMin}}}}).check()),
            "buffer 'a' has the empty interval [9223372036854775807, "
            "-9223372036854775808)");
  EXPECT_EQ(messageOf(makeProblem({{"a", 1, 1, {{5, 6}, {0, 1}}}}).check()),
            "buffer 'a' has the interval [0, 1) that begins before the "
            "previous one ends; 'normalize' sorts and joins intervals");
  EXPECT_EQ(messageOf(makeProblem({{"a", 1, 1, {{0, 3}, {2, 5}}}}).check()),
            "buffer 'a' has the interval [2, 5) that begins before the "
            "previous one ends; 'normalize' sorts and joins intervals");
}

TEST(ProblemCheck, Overflow) {
  const char *message = "buffer 'b' brings the sum of the sizes to 2^62 bytes "
                        "or more";
  int64_t half = int64_t(1) << 61;
  EXPECT_EQ(
      messageOf(makeProblem({{"a", half, 1, {}}, {"b", half, 1, {}}}).check()),
      message);
  EXPECT_EQ(
      messageOf(makeProblem({{"a", half, 1, {}}, {"b", kMax, 1, {}}}).check()),
      message);
  // The hole of an alignment counts.
  EXPECT_EQ(
      messageOf(
          makeProblem({{"a", half + 1, 1, {}}, {"b", 0, half, {}}}).check()),
      message);
  EXPECT_EQ(
      messageOf(makeProblem({{"a", 1, 1, {}}, {"b", 1, kMax, {}}}).check()),
      message);
  EXPECT_EQ(
      messageOf(
          makeProblem({{"a", half, 1, {}}, {"b", half - 1, 1, {}}}).check()),
      "");
}

TEST(ProblemCheck, Costs) {
  Problem problem = makeProblem(
      {{"a", 1, 1, {{0, 1}}}, {"b", 1, 1, {{1, 2}}}, {"c", 1, 1, {{0, 2}}}});
  auto check = [&](std::vector<OverlayCost> costs) {
    problem.costs = std::move(costs);
    return messageOf(problem.check());
  };
  EXPECT_EQ(check({{5, {{0, 1}}}, {0, {}}}), "");
  EXPECT_EQ(check({{-5, {{0, 1}}}}), "overlay cost #0 is negative: -5");
  EXPECT_EQ(check({{1, {{0, 7}}}}), "overlay cost #0 is about buffer #7 of 3");
  EXPECT_EQ(check({{1, {{1, 1}}}}),
            "overlay cost #0 is about buffer 'b' and itself");
  EXPECT_EQ(check({{1, {{0, 1}, {0, 2}}}}),
            "overlay cost #0 is about buffer 'a' and buffer 'c', which are "
            "live at once and never share a byte");
  EXPECT_EQ(check({{1, {}}, {kMax, {}}}),
            "overlay cost #1 brings the sum of the costs to 2^62 or more");
}

TEST(Verify, Refusals) {
  Problem problem = makeProblem({{"a", 10, 1, {{0, 4}}},
                                 {"b", 6, 4, {{2, 6}}},
                                 {"c", 3, 1, {{4, 6}}},
                                 {"z", 0, 8, {{0, 6}}}});
  auto check = [&](std::vector<int64_t> offsets, int64_t height,
                   std::optional<int64_t> capacity = std::nullopt) {
    return messageOf(verify(problem, {std::move(offsets), height}, capacity));
  };
  EXPECT_EQ(check({0, 12, 0, 0}, 18), "");
  EXPECT_EQ(check({0, 12, 9, 8}, 18, 18), "");
  EXPECT_EQ(check({0, 12, 0}, 18), "there are 3 offsets for 4 buffers");
  EXPECT_EQ(check({0, 12, -1, 0}, 18), "buffer 'c' has the negative offset -1");
  EXPECT_EQ(check({0, 10, 0, 0}, 16),
            "buffer 'b' has the offset 10, which is no multiple of 4");
  EXPECT_EQ(check({0, 8, 0, 0}, 14),
            "buffer 'b' at offset 8 shares bytes with buffer 'a' at offset 0; "
            "both are live at time 2");
  EXPECT_EQ(check({4, 0, 6, 0}, 14),
            "buffer 'b' at offset 0 shares bytes with buffer 'a' at offset 4; "
            "both are live at time 2");
  EXPECT_EQ(check({0, 12, 16, 0}, 19),
            "buffer 'c' at offset 16 shares bytes with buffer 'b' at offset "
            "12; both are live at time 4");
  EXPECT_EQ(check({0, 12, 0, 0}, 19),
            "the height is said to be 19, the buffers take 18");
  EXPECT_EQ(check({0, 12, 0, 0}, 18, 17),
            "the height 18 exceeds the capacity 17");
  EXPECT_EQ(check({kMax, 12, 0, 0}, 18),
            "buffer 'a' at offset 9223372036854775807 ends beyond 2^63");
}

// A buffer may be dead in between; others lie there then.
TEST(Verify, SeveralIntervals) {
  Problem problem =
      makeProblem({{"a", 8, 1, {{0, 1}, {2, 3}}}, {"b", 8, 1, {{1, 2}}}});
  EXPECT_EQ(messageOf(verify(problem, {{0, 0}, 8})), "");
  problem.buffers[1].live = {{1, 3}};
  EXPECT_NE(messageOf(verify(problem, {{0, 0}, 8})), "");
}

TEST(OverlayCosts, PaidOncePerGroup) {
  Problem problem = makeProblem(
      {{"a", 8, 1, {{0, 1}}}, {"b", 8, 1, {{1, 2}}}, {"c", 8, 1, {{2, 3}}}});
  problem.costs = {{5, {{0, 1}, {1, 2}}}, {7, {{0, 2}}}};
  EXPECT_EQ(getOverlayCost(problem, {{0, 0, 0}, 8}), 12);
  EXPECT_EQ(getOverlayCost(problem, {{0, 7, 14}, 22}), 5);
  EXPECT_EQ(getOverlayCost(problem, {{0, 8, 0}, 16}), 7);
  EXPECT_EQ(getOverlayCost(problem, {{0, 8, 16}, 24}), 0);
}

} // namespace
