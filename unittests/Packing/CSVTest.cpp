//===- CSVTest.cpp - files of packing problems
//-----------------------------===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// test/Packing/pack-invalid.test has the refusals.
//
//===----------------------------------------------------------------------===//

#include "MemSpace/Packing/CSV.h"
#include "MemSpace/Packing/Solvers.h"
#include "PackingTest.h"
#include "RandomProblems.h"
#include "gtest/gtest.h"

using namespace mlir::memspace::packing;

namespace {

std::string print(const Problem &problem, const Solution *solution = nullptr) {
  std::string text;
  llvm::raw_string_ostream os(text);
  printCSV(os, problem, solution);
  return text;
}

Problem parse(llvm::StringRef text,
              std::optional<std::vector<int64_t>> *offsets = nullptr) {
  llvm::Expected<Problem> problem = parseCSV(text, offsets);
  EXPECT_TRUE(bool(problem));
  return problem ? std::move(*problem)
                 : (ADD_FAILURE() << messageOf(problem.takeError()), Problem());
}

TEST(CSV, RoundTrip) {
  for (unsigned seed = 0; seed < 200; ++seed) {
    RandomProblems random(seed);
    Problem problem = random.makeKernel(random.pick(0, 20), random.pickStyle());
    for (Buffer &buffer : problem.buffers)
      buffer.live = normalize(buffer.live);
    if (seed % 2 && !problem.buffers.empty()) {
      problem.buffers[0].name = "a \"b\", c ";
      problem.buffers[0].live.clear();
      problem.buffers.push_back({"-", 4, 1, {{-9, -7}, {-5, -3}, {-2, 8}}});
    }
    Solution solution = greedyBySize(problem);
    std::optional<std::vector<int64_t>> offsets;
    Problem again = parse(print(problem, &solution), &offsets);
    ASSERT_EQ(again.buffers.size(), problem.buffers.size());
    for (size_t i = 0; i < again.buffers.size(); ++i) {
      EXPECT_EQ(again.buffers[i].name, problem.buffers[i].name);
      EXPECT_EQ(again.buffers[i].bytes, problem.buffers[i].bytes);
      EXPECT_EQ(again.buffers[i].alignment, problem.buffers[i].alignment);
      EXPECT_EQ(again.buffers[i].live, problem.buffers[i].live);
    }
    EXPECT_EQ(*offsets, solution.offsets);
    EXPECT_EQ(print(again, &solution), print(problem, &solution));
  }
}

// The columns of minimalloc's older files; `end` is the last point in time.
TEST(CSV, OldNames) {
  std::optional<std::vector<int64_t>> offsets;
  Problem problem = parse("buffer_id,start,end,size,gaps,color\r\n"
                          "x,3,9,100,5-6,red\r\n"
                          "\r\n",
                          &offsets);
  ASSERT_EQ(problem.buffers.size(), 1u);
  EXPECT_EQ(problem.buffers[0].live, (LiveRange{{3, 5}, {7, 10}}));
  EXPECT_FALSE(offsets);
}

TEST(CSV, GapsAtTheEnds) {
  Problem problem = parse("id,lower,upper,size,gaps\nx,0,9,1,0-2 4-5 8-9\n");
  EXPECT_EQ(problem.buffers[0].live, (LiveRange{{2, 4}, {5, 8}}));
}

TEST(CSV, Garbage) {
  RandomProblems random(0);
  const llvm::StringRef pieces[] = {"id",  "lower", "upper", "size", "gaps",
                                    ",",   "\n",    "\"",    "-",    "7",
                                    "9-8", " ",     "\r",    "@",    "offset"};
  for (unsigned i = 0; i < 3000; ++i) {
    std::string text = random.pick(0, 1) ? "id,lower,upper,size,gaps\n" : "";
    for (int64_t k = random.pick(0, 20); k; --k)
      text += pieces[random.pick(0, std::size(pieces) - 1)];
    llvm::Expected<Problem> problem = parseCSV(text);
    // Either is fine; nothing aborts.
    messageOf(problem ? problem->check() : problem.takeError());
  }
}

} // namespace
