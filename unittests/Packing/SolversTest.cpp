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
#include "RandomProblems.h"
#include "gtest/gtest.h"
#include <limits>

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

/// The buffers of `subset`.
Problem restrict(const Problem &problem, llvm::ArrayRef<unsigned> subset) {
  Problem part;
  for (unsigned i : subset)
    part.buffers.push_back(problem.buffers[i]);
  return part;
}

TEST(InfeasibleSubset, EachProperSubsetFits) {
  for (unsigned seed = 0; seed < 150; ++seed) {
    RandomProblems random(seed);
    Problem problem = random.makeKernel(random.pick(1, 14), random.pickStyle());
    ExactResult best = solveExact(problem);
    int64_t capacity = best.solution->height - random.pick(1, 300);
    if (capacity < 0)
      continue;
    bool proved = false;
    llvm::SmallVector<unsigned> subset =
        findInfeasibleSubset(problem, capacity, {}, &proved);
    ASSERT_TRUE(proved) << "seed " << seed;
    ASSERT_FALSE(subset.empty()) << "seed " << seed;
    EXPECT_TRUE(llvm::is_sorted(subset));
    EXPECT_GT(solveExact(restrict(problem, subset)).lowerBound, capacity);
    for (unsigned left : subset) {
      llvm::SmallVector<unsigned> rest = subset;
      llvm::erase(rest, left);
      EXPECT_LE(solveExact(restrict(problem, rest)).solution->height, capacity)
          << "seed " << seed << " without " << left;
    }
  }
}

// Nothing fits into less than nothing.
// Whether it is found by leaving out one or many: the smallest go first.
TEST(InfeasibleSubset, ManyBuffers) {
  Problem problem;
  for (int64_t i = 0; i < 3000; ++i)
    problem.buffers.push_back({"", i == 700 ? 64 : 16, 1, {{0, 10}}});
  bool proved = false;
  llvm::SmallVector<unsigned> subset =
      findInfeasibleSubset(problem, 1600, {}, &proved);
  EXPECT_TRUE(proved);
  // The large one, and as many of the last as are too many beside it.
  llvm::SmallVector<unsigned> expected = {700};
  for (unsigned i = 3000 - 97; i < 3000; ++i)
    expected.push_back(i);
  EXPECT_EQ(subset, expected);
}

TEST(InfeasibleSubset, Degenerate) {
  EXPECT_TRUE(findInfeasibleSubset({}, 0).empty());
  EXPECT_TRUE(findInfeasibleSubset({}, -1).empty());
  Problem problem = makeProblem({{"a", 8, 1, {}}, {"b", 0, 1, {{0, 1}}}});
  EXPECT_EQ(findInfeasibleSubset(problem, 7), (llvm::SmallVector<unsigned>{0}));
}

// Case P2: first-fit by start wastes most, by size less; the exact solver gives
// the least. All lie between the peak and the bump layout, which is the sum
// with its alignment holes.
TEST(Packing, FirstFitByStartBySizeExact) {
  double byStartWaste = 0, bySizeWaste = 0, exactWaste = 0;
  for (unsigned seed = 0; seed < 400; ++seed) {
    RandomProblems random(seed);
    Problem problem = random.makeKernel(
        random.pick(2, 12), {RandomProblems::Style::Code::Straight, 16, true});
    std::vector<unsigned> order(problem.buffers.size());
    for (unsigned i = 0; i < order.size(); ++i)
      order[i] = i;
    llvm::stable_sort(order, [&](unsigned a, unsigned b) {
      return problem.buffers[a].live[0].begin <
             problem.buffers[b].live[0].begin;
    });
    Solution byStart = firstFit(problem, order);
    EXPECT_EQ(messageOf(verify(problem, byStart)), "");
    Solution bySize = greedyBySize(problem);
    int64_t least = getOptimum(problem);
    int64_t peak = getPeakLiveBytes(problem);
    EXPECT_LE(peak, least);
    EXPECT_LE(least, byStart.height);
    EXPECT_LE(least, bySize.height);
    EXPECT_LE(bySize.height, bump(problem).height);
    byStartWaste += double(byStart.height) / peak - 1;
    bySizeWaste += double(bySize.height) / peak - 1;
    exactWaste += double(least) / peak - 1;
  }
  // Mean over the kernels: per cent above the peak.
  EXPECT_GT(byStartWaste / 400, 0.02);
  EXPECT_LT(bySizeWaste / 400, 0.02);
  EXPECT_LT(exactWaste / 400, 0.001);
  EXPECT_LT(bySizeWaste, byStartWaste);
}

// Many buffers do not make the heuristics quadratic, nor the exact solver's
// recursion deep.
TEST(Packing, ManyBuffers) {
  RandomProblems random(7);
  Problem problem;
  for (unsigned i = 0; i < 10000; ++i) {
    int64_t begin = random.pick(0, 100000);
    problem.buffers.push_back({std::to_string(i),
                               random.pick(1, 4096) * 16,
                               16,
                               {{begin, begin + random.pick(1, 300)}}});
  }
  for (const Solution &solution : {greedyBySize(problem), bestFit(problem)})
    EXPECT_EQ(messageOf(verify(problem, solution)), "");
  ExactOptions options;
  options.maxNodes = 30000;
  ExactResult result = solveExact(problem, options);
  EXPECT_EQ(messageOf(verify(problem, *result.solution)), "");
}

/// Solves by local search, and checks all that holds of it.
Solution searchAndVerify(const Problem &problem,
                         const LocalSearchOptions &options = {}) {
  Solution solution = localSearch(problem, options);
  EXPECT_EQ(messageOf(verify(problem, solution)), "");
  EXPECT_LE(getLowerBound(problem), solution.height);
  EXPECT_LE(solution.height, bestFit(problem).height);
  return solution;
}

TEST(LocalSearch, Degenerate) {
  EXPECT_EQ(searchAndVerify({}).height, 0);
  EXPECT_EQ(
      searchAndVerify(makeProblem({{"a", 7, 4, {}}, {"b", 9, 4, {}}})).height,
      9);
  // Nothing is tried.
  RandomProblems random(1);
  Problem problem = random.makeNetwork(8);
  LocalSearchOptions options;
  options.maxSteps = 0;
  EXPECT_EQ(localSearch(problem, options).height, bump(problem).height);
}

// Gaps, mixed alignments, raw sizes: first-fit's chains have holes.
TEST(LocalSearch, Kernels) {
  LocalSearchOptions options;
  options.maxSteps = 100'000;
  double above = 0, bestFitAbove = 0;
  for (unsigned seed = 0; seed < 400; ++seed) {
    RandomProblems random(seed);
    Problem problem = random.makeKernel(random.pick(1, 60), random.pickStyle());
    int64_t bound = getLowerBound(problem);
    above += double(searchAndVerify(problem, options).height) / bound - 1;
    bestFitAbove += double(bestFit(problem).height) / bound - 1;
  }
  // It is worth its time.
  EXPECT_LT(above, 0.75 * bestFitAbove);
}

// More buffers than the exact solver searches: within 0.1 % of the peak, and
// the same each time.
TEST(LocalSearch, Networks) {
  unsigned mended = 0;
  for (unsigned seed : {1, 4, 12, 14, 17}) {
    RandomProblems random(seed);
    Problem problem = random.makeNetwork(200);
    ASSERT_GT(problem.buffers.size(), 4096u);
    int64_t peak = getPeakLiveBytes(problem);
    LocalSearchOptions options;
    options.enough = peak + peak / 1000;
    Solution solution = searchAndVerify(problem, options);
    EXPECT_LE(solution.height, options.enough) << "seed " << seed;
    EXPECT_EQ(localSearch(problem, options).offsets, solution.offsets);
    ExactResult result = solveExact(problem);
    EXPECT_EQ(messageOf(verify(problem, *result.solution)), "");
    EXPECT_LE(result.solution->height, options.enough) << "seed " << seed;
    mended += result.solution->height < bestFit(problem).height;
  }
  EXPECT_EQ(mended, 5u);
}

// Times and sizes at the ends of their ranges.
TEST(Packing, LargeNumbers) {
  int64_t min = std::numeric_limits<int64_t>::min();
  int64_t max = std::numeric_limits<int64_t>::max();
  int64_t half = (int64_t(1) << 61) - 64;
  Problem problem = makeProblem({{"a", half, 16, {{min, max}}},
                                 {"b", half - 7, 64, {{min, 0}}},
                                 {"c", half - 7, 32, {{0, max}}},
                                 {"d", 5, 1, {{-1, 1}}}});
  problem.buffers[0].bytes = 1 << 20;
  problem.buffers[2].bytes = half / 2;
  EXPECT_GE(getOptimum(problem), half);
}

} // namespace
