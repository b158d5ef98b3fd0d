//===- SolversTest.cpp - bounds, heuristics, infeasible subsets
//------------===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MemSpace/Packing/Solvers.h"
#include "PackingTest.h"
#include "gtest/gtest.h"

using namespace mlir::memspace::packing;

namespace {

/// The height that every solver gives, when all agree; all solutions are valid.
int64_t getOptimum(const Problem &problem) {
  EXPECT_EQ(messageOf(problem.check()), "");
  ExactResult result = solveExact(problem);
  EXPECT_TRUE(result.proved);
  EXPECT_TRUE(result.solution);
  for (const Solution &solution : {bump(problem), greedyBySize(problem),
                                   bestFit(problem), *result.solution}) {
    EXPECT_EQ(messageOf(verify(problem, solution)), "");
    EXPECT_LE(result.solution->height, solution.height);
    EXPECT_LE(getLowerBound(problem), solution.height);
    EXPECT_GE(bump(problem).height, solution.height);
  }
  EXPECT_LE(getPeakLiveBytes(problem), getLowerBound(problem));
  EXPECT_EQ(result.lowerBound, result.solution->height);
  return result.solution->height;
}

TEST(Packing, Empty) {
  EXPECT_EQ(getOptimum({}), 0);
  EXPECT_EQ(getPeakTime({}), std::nullopt);
  // Nothing with bytes is live.
  Problem problem = makeProblem({{"a", 0, 4, {{3, 5}}}});
  EXPECT_EQ(getOptimum(problem), 0);
  // Never live, but it has bytes.
  EXPECT_EQ(getOptimum(makeProblem({{"a", 7, 4, {}}, {"b", 9, 4, {}}})), 9);
}

// Case P1: A and C overlap B but not each other; they share bytes.
TEST(Packing, OverlapIsNotTransitive) {
  Problem problem = makeProblem({{"A", 64, 16, {{0, 2}}},
                                 {"B", 32, 16, {{1, 4}}},
                                 {"C", 64, 16, {{3, 5}}}});
  EXPECT_EQ(getOptimum(problem), 96);
  EXPECT_EQ(getPeakLiveBytes(problem), 96);
  EXPECT_EQ(getPeakTime(problem), 1);
  EXPECT_EQ(bump(problem).height, 160);
}

// Case P3, at the level of the problem: exclusive arms, nested ones too, are
// points in time of their own.
TEST(Packing, ExclusiveArmsShareBytes) {
  // 0: before, 1: then, 2: else/then, 3: else/else, 4: after.
  Problem problem = makeProblem({{"then", 100, 4, {{1, 2}}},
                                 {"elseThen", 80, 4, {{2, 3}}},
                                 {"elseElse", 60, 4, {{3, 4}}},
                                 {"else", 20, 4, {{2, 4}}},
                                 {"around", 8, 4, {{0, 5}}}});
  EXPECT_EQ(getOptimum(problem), 108);
}

// Case P5: alignment applies to offsets; 3 bytes followed by 4xf32 need a hole,
// or the other order.
TEST(Packing, AlignmentAppliesToOffsets) {
  Problem problem =
      makeProblem({{"bytes", 3, 1, {{0, 2}}}, {"floats", 16, 16, {{0, 2}}}});
  EXPECT_EQ(bump(problem).offsets, (std::vector<int64_t>{0, 16}));
  EXPECT_EQ(bump(problem).height, 32);
  EXPECT_EQ(getOptimum(problem), 19);
  // One hole is needed when both ask for 16.
  problem.buffers[0].alignment = 16;
  EXPECT_EQ(getOptimum(problem), 19);
  problem.buffers.push_back({"more", 5, 16, {{0, 2}}});
  // 16 + 16 + 3, not the peak of 24.
  EXPECT_EQ(getPeakLiveBytes(problem), 24);
  EXPECT_EQ(getOptimum(problem), 35);
  // Alignments of which none divides the other: 7 at 0, 3 at 9 (not at 7).
  EXPECT_EQ(
      getOptimum(makeProblem({{"a", 7, 8, {{0, 1}}}, {"b", 3, 9, {{0, 1}}}})),
      12);
}

// Case P7, at the level of the problem: a buffer of one iteration shares with
// another one, not with one that is live across iterations.
TEST(Packing, IterationLocal) {
  Problem problem = makeProblem({{"carried", 256, 16, {{0, 10}}},
                                 {"first", 128, 16, {{2, 4}}},
                                 {"second", 64, 16, {{4, 6}}}});
  EXPECT_EQ(getOptimum(problem), 384);
  ExactResult result = solveExact(problem);
  EXPECT_EQ(result.solution->offsets[1] / 128,
            result.solution->offsets[2] / 128);
}

TEST(InfeasibleSubset, Irreducible) {
  // b, c and d do not fit together; a and e are innocent.
  Problem problem = makeProblem({{"a", 90, 1, {{0, 1}}},
                                 {"b", 40, 1, {{1, 4}}},
                                 {"c", 40, 1, {{2, 4}}},
                                 {"d", 40, 1, {{3, 4}}},
                                 {"e", 50, 1, {{4, 6}}}});
  bool proved = false;
  EXPECT_EQ(findInfeasibleSubset(problem, 100, {}, &proved),
            (llvm::SmallVector<unsigned>{1, 2, 3}));
  EXPECT_TRUE(proved);
  EXPECT_TRUE(findInfeasibleSubset(problem, 120, {}, &proved).empty());
  EXPECT_TRUE(proved);
}

} // namespace
