//===- ExactTest.cpp - the exact solver against brute force
//----------------===//
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
#include <algorithm>
#include <limits>

using namespace mlir::memspace::packing;

namespace {

/// The least height, by trying every order in which buffers lie above each
/// other: each goes directly above the earlier ones that it meets. A lowest
/// solution has this form: sort it by offset.
class BruteForce {
public:
  explicit BruteForce(const Problem &problem)
      : problem(problem), offsets(problem.buffers.size(), -1) {
    for (const Buffer &buffer : problem.buffers)
      least += buffer.bytes + buffer.alignment;
    extend(0, 0);
  }

  int64_t least = 0;

private:
  void extend(size_t numPlaced, int64_t height) {
    if (height >= least)
      return;
    if (numPlaced == offsets.size()) {
      least = height;
      return;
    }
    for (size_t i = 0; i < offsets.size(); ++i) {
      if (offsets[i] >= 0)
        continue;
      const Buffer &buffer = problem.buffers[i];
      int64_t offset = 0;
      for (size_t other = 0; other < offsets.size(); ++other)
        if (offsets[other] >= 0 &&
            overlap(buffer.live, problem.buffers[other].live))
          offset =
              std::max(offset, offsets[other] + problem.buffers[other].bytes);
      while (offset % buffer.alignment)
        ++offset;
      offsets[i] = offset;
      extend(numPlaced + 1, std::max(height, offset + buffer.bytes));
      offsets[i] = -1;
    }
  }

  const Problem &problem;
  std::vector<int64_t> offsets;
};

/// Solves, and checks all that a result says of itself.
ExactResult solveAndVerify(const Problem &problem,
                           const ExactOptions &options = {}) {
  ExactResult result = solveExact(problem, options);
  if (!result.solution)
    return result;
  EXPECT_EQ(messageOf(verify(problem, *result.solution, options.capacity)), "");
  EXPECT_LE(result.lowerBound, result.solution->height);
  if (options.minimize)
    EXPECT_EQ(result.proved, result.lowerBound == result.solution->height);
  return result;
}

/// Alignments and sizes that nobody has, to find what the powers of two hide.
Problem makeOdd(RandomProblems &random, unsigned numBuffers) {
  Problem problem = random.makeKernel(numBuffers, random.pickStyle());
  const int64_t alignments[] = {1, 2, 3, 4, 5, 6, 8, 12, 16};
  for (Buffer &buffer : problem.buffers) {
    buffer.alignment = alignments[random.pick(0, 8)];
    buffer.bytes = random.pick(0, 40);
  }
  return problem;
}

TEST(Exact, EqualsBruteForce) {
  for (unsigned seed = 0; seed < 600; ++seed) {
    RandomProblems random(seed);
    unsigned numBuffers = random.pick(1, seed % 10 ? 7 : 8);
    Problem problem = seed % 3
                          ? random.makeKernel(numBuffers, random.pickStyle())
                          : makeOdd(random, numBuffers);
    ASSERT_EQ(messageOf(problem.check()), "");
    ExactResult result = solveAndVerify(problem);
    ASSERT_TRUE(result.proved) << "seed " << seed;
    ASSERT_EQ(result.solution->height, BruteForce(problem).least)
        << "seed " << seed;
    // One byte less is impossible, and said to be.
    ExactOptions options;
    options.capacity = result.solution->height - 1;
    options.minimize = seed % 2;
    ExactResult tooLow = solveAndVerify(problem, options);
    EXPECT_FALSE(tooLow.solution) << "seed " << seed;
    EXPECT_TRUE(tooLow.proved) << "seed " << seed;
    options.capacity = result.solution->height;
    EXPECT_TRUE(solveAndVerify(problem, options).solution) << "seed " << seed;
  }
}

// Kernels of 2 to 40 buffers. The node limit leaves few unproved: many buffers
// live at once, with mixed alignments and sizes that are no multiples of them.
TEST(Exact, Kernels) {
  unsigned proved = 0;
  for (unsigned seed = 0; seed < 300; ++seed) {
    RandomProblems random(seed);
    RandomProblems::Style style = random.pickStyle();
    Problem problem = random.makeKernel(random.pick(2, 40), style);
    ExactResult result = solveAndVerify(problem);
    proved += result.proved;
    EXPECT_LE(getPeakLiveBytes(problem), result.lowerBound);
    EXPECT_LE(result.solution->height, bestFit(problem).height);
    if (style.alignment || style.rounded)
      EXPECT_TRUE(result.proved) << "seed " << seed;
  }
  EXPECT_GE(proved, 298u);
}

/// The least height of buffers that are all live at once: by set, how low its
/// stack can end; the buffer on top is the last.
int64_t getLeastStack(const Problem &problem) {
  size_t numBuffers = problem.buffers.size();
  std::vector<int64_t> least(size_t(1) << numBuffers,
                             std::numeric_limits<int64_t>::max());
  least[0] = 0;
  for (size_t set = 0; set < least.size(); ++set)
    for (size_t i = 0; i < numBuffers; ++i) {
      if (set >> i & 1)
        continue;
      const Buffer &buffer = problem.buffers[i];
      int64_t offset = (least[set] + buffer.alignment - 1) / buffer.alignment *
                       buffer.alignment;
      int64_t &end = least[set | size_t(1) << i];
      end = std::min(end, offset + buffer.bytes);
    }
  return least.back();
}

// Stacks of one section, of more buffers than all orders could be tried of.
TEST(Exact, StacksEqualLeastStack) {
  for (unsigned seed = 0; seed < 400; ++seed) {
    RandomProblems random(seed);
    Problem problem;
    for (unsigned k = random.pick(2, seed % 8 ? 9 : 12); k; --k) {
      int64_t alignment = int64_t(16) << random.pick(0, 3);
      int64_t bytes = random.pick(1, seed % 2 ? 300 : 4000);
      problem.buffers.push_back({"", bytes, alignment, {{0, 1}}});
    }
    ExactResult result = solveAndVerify(problem);
    ASSERT_TRUE(result.proved) << "seed " << seed;
    EXPECT_EQ(result.solution->height, getLeastStack(problem))
        << "seed " << seed;
  }
}

// Sections that are not the tightest do not raise the bound.
TEST(Exact, LooseSections) {
  const std::pair<unsigned, int64_t> expected[] = {
      {695, 35730}, {1851, 91283}, {4772, 28690}};
  for (auto [seed, height] : expected) {
    RandomProblems random(seed);
    RandomProblems::Style style = random.pickStyle();
    Problem problem = random.makeKernel(random.pick(2, 40), style);
    ExactResult result = solveAndVerify(problem);
    EXPECT_TRUE(result.proved) << "seed " << seed;
    EXPECT_EQ(result.solution->height, height) << "seed " << seed;
  }
}

// The nodes may end anywhere, also between two searches of a growing core.
TEST(Exact, EachLimit) {
  for (unsigned seed : {15, 28, 751, 760}) {
    RandomProblems random(seed);
    RandomProblems::Style style = random.pickStyle();
    Problem problem = random.makeKernel(random.pick(2, 40), style);
    ExactOptions options;
    for (options.maxNodes = 0; options.maxNodes < 3000; options.maxNodes += 131)
      solveAndVerify(problem, options);
  }
  RandomProblems random(760);
  RandomProblems::Style style = random.pickStyle();
  solveAndVerify(random.makeKernel(random.pick(2, 40), style));
}

// No technique changes an answer.
TEST(Exact, EachTechniqueCanBeOff) {
  for (unsigned seed = 0; seed < 150; ++seed) {
    RandomProblems random(seed);
    Problem problem = seed % 2 ? random.makeKernel(7, random.pickStyle())
                               : makeOdd(random, 7);
    int64_t least = BruteForce(problem).least;
    for (const ExactTechnique &technique : getExactTechniques())
      for (const ExactTechnique &other : getExactTechniques()) {
        ExactOptions options;
        options.*technique.enabled = false;
        options.*other.enabled = false;
        options.heuristics = false;
        if (seed % 5 == 0)
          options.orderings = {"TAW"};
        ExactResult result = solveAndVerify(problem, options);
        ASSERT_TRUE(result.proved) << "seed " << seed;
        ASSERT_EQ(result.solution->height, least)
            << "seed " << seed << " without " << technique.name.str() << " and "
            << other.name.str();
      }
  }
}

//===----------------------------------------------------------------------===//
// Costs
//===----------------------------------------------------------------------===//

/// The least (bytes, cost) and (cost, bytes), by trying every order and, for
/// each buffer, every offset at which it lies directly above some set of
/// earlier ones.
class CostBruteForce {
public:
  CostBruteForce(const Problem &problem, int64_t capacity)
      : problem(problem), capacity(capacity) {
    solution.offsets.assign(problem.buffers.size(), -1);
    extend(0, 0);
  }

  using Pair = std::pair<int64_t, int64_t>;
  std::optional<Pair> leastBytes, leastCost;

private:
  void extend(size_t numPlaced, int64_t height) {
    if (height > capacity)
      return;
    if (numPlaced == solution.offsets.size()) {
      int64_t cost = getOverlayCost(problem, solution);
      leastBytes =
          std::min(leastBytes.value_or(Pair(height, cost)), Pair(height, cost));
      leastCost =
          std::min(leastCost.value_or(Pair(cost, height)), Pair(cost, height));
      return;
    }
    for (size_t i = 0; i < solution.offsets.size(); ++i) {
      if (solution.offsets[i] >= 0)
        continue;
      const Buffer &buffer = problem.buffers[i];
      int64_t lowest = 0;
      std::vector<int64_t> ends = {0};
      for (size_t other = 0; other < solution.offsets.size(); ++other) {
        if (solution.offsets[other] < 0)
          continue;
        int64_t end = solution.offsets[other] + problem.buffers[other].bytes;
        ends.push_back(end);
        if (overlap(buffer.live, problem.buffers[other].live))
          lowest = std::max(lowest, end);
      }
      for (int64_t offset : ends) {
        if (offset < lowest)
          continue;
        while (offset % buffer.alignment)
          ++offset;
        solution.offsets[i] = offset;
        extend(numPlaced + 1, std::max(height, offset + buffer.bytes));
      }
      solution.offsets[i] = -1;
    }
  }

  const Problem &problem;
  int64_t capacity;
  Solution solution;
};

Problem makeWithCosts(RandomProblems &random, unsigned numBuffers) {
  Problem problem = random.makeKernel(numBuffers, random.pickStyle());
  std::vector<std::pair<unsigned, unsigned>> pairs;
  for (unsigned a = 0; a < numBuffers; ++a)
    for (unsigned b = a + 1; b < numBuffers; ++b)
      if (!overlap(problem.buffers[a].live, problem.buffers[b].live))
        pairs.push_back({a, b});
  for (unsigned k = random.pick(0, 4); k && !pairs.empty(); --k) {
    OverlayCost overlay;
    overlay.cost = random.pick(0, 5);
    for (unsigned j = random.pick(1, 3); j; --j)
      overlay.pairs.push_back(pairs[random.pick(0, pairs.size() - 1)]);
    problem.costs.push_back(std::move(overlay));
  }
  return problem;
}

TEST(ExactCosts, EqualsBruteForce) {
  for (unsigned seed = 0; seed < 300; ++seed) {
    RandomProblems random(seed);
    Problem problem = makeWithCosts(random, random.pick(2, 5));
    ASSERT_EQ(messageOf(problem.check()), "");
    int64_t sum = bump(problem).height;
    int64_t least = solveExact(makeProblem(problem.buffers)).lowerBound;
    for (int64_t capacity : {sum, least, (sum + least) / 2, least - 1}) {
      CostBruteForce expected(problem, capacity);
      for (auto objective :
           {ExactOptions::Objective::Bytes, ExactOptions::Objective::Cost}) {
        ExactOptions options;
        options.capacity = capacity;
        options.objective = objective;
        ExactResult result = solveExact(problem, options);
        ASSERT_TRUE(result.proved) << "seed " << seed;
        ASSERT_EQ(result.solution.has_value(), capacity >= least);
        if (!result.solution)
          continue;
        EXPECT_EQ(messageOf(verify(problem, *result.solution, capacity)), "");
        EXPECT_EQ(result.cost, getOverlayCost(problem, *result.solution));
        if (objective == ExactOptions::Objective::Bytes)
          EXPECT_EQ(std::make_pair(result.solution->height, result.cost),
                    *expected.leastBytes)
              << "seed " << seed << " capacity " << capacity;
        else
          EXPECT_EQ(std::make_pair(result.cost, result.solution->height),
                    *expected.leastCost)
              << "seed " << seed << " capacity " << capacity;
      }
    }
  }
}

// Two buffers of which one may follow the other for a barrier: bytes first, or
// the barrier.
TEST(ExactCosts, Objectives) {
  Problem problem = makeProblem({{"a", 64, 16, {{0, 1}}},
                                 {"b", 64, 16, {{1, 2}}},
                                 {"c", 32, 16, {{0, 2}}}});
  problem.costs = {{3, {{0, 1}}}};
  ExactResult bytes = solveExact(problem);
  EXPECT_TRUE(bytes.proved);
  EXPECT_EQ(bytes.solution->height, 96);
  EXPECT_EQ(bytes.cost, 3);
  ExactOptions options;
  options.objective = ExactOptions::Objective::Cost;
  ExactResult cost = solveExact(problem, options);
  EXPECT_TRUE(cost.proved);
  EXPECT_EQ(cost.solution->height, 160);
  EXPECT_EQ(cost.cost, 0);
  // The budget does not allow it.
  options.capacity = 159;
  EXPECT_EQ(solveExact(problem, options).cost, 3);
  EXPECT_EQ(solveExact(problem, options).solution->height, 96);
}

} // namespace
