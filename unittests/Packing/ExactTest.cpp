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

// No technique changes an answer.
TEST(Exact, EachTechniqueCanBeOff) {
  bool ExactOptions::*techniques[] = {
      &ExactOptions::canonical,        &ExactOptions::sectionInference,
      &ExactOptions::decomposition,    &ExactOptions::failFirst,
      &ExactOptions::dynamicOrdering,  &ExactOptions::staticPreordering,
      &ExactOptions::dominance,        &ExactOptions::monotonicFloor,
      &ExactOptions::unallocatedFloor, &ExactOptions::hatless,
      &ExactOptions::skippedFloor,     &ExactOptions::memory,
      &ExactOptions::stacking,         &ExactOptions::core,
      &ExactOptions::heuristics};
  for (unsigned seed = 0; seed < 150; ++seed) {
    RandomProblems random(seed);
    Problem problem = seed % 2 ? random.makeKernel(7, random.pickStyle())
                               : makeOdd(random, 7);
    int64_t least = BruteForce(problem).least;
    for (bool ExactOptions::*&technique : techniques)
      for (bool ExactOptions::*&other : techniques) {
        ExactOptions options;
        options.*technique = false;
        options.*other = false;
        options.heuristics = false;
        if (seed % 5 == 0)
          options.orderings = {"TAW"};
        ExactResult result = solveAndVerify(problem, options);
        ASSERT_TRUE(result.proved) << "seed " << seed;
        ASSERT_EQ(result.solution->height, least)
            << "seed " << seed << ", techniques "
            << &technique - techniques << " and " << &other - techniques;
      }
  }
}

} // namespace
