//===- RetileDriverTest.cpp - the best configuration that fits ------------===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MemSpace/Retile/RetileDriver.h"
#include "../TestModule.h"
#include "MemSpace/Transforms/TileKernel.h"
#include "UntiledMatmul.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace mlir::memspace;

namespace {
class RetileTest : public ::testing::Test {
protected:
  RetileTest() : module(getUntiledMatmul(64, 64, 64)) {
    module.getContext()->loadAllAvailableDialects();
  }

  /// Tries `space` with `limit` bytes of workgroup memory.
  FailureOr<RetileRecord> tryAll(const std::vector<std::string> &space,
                                 int64_t limit = 0, ContainsFn contains = {}) {
    KernelPipelineOptions options;
    options.chip = "gfx942";
    options.workgroupLimit = limit;
    return retile((*module).lookupSymbol<func::FuncOp>("matmul"), space,
                  [&](func::FuncOp clone, unsigned number) {
                    return tileKernel(clone,
                                      *parseTileConfiguration(space[number]));
                  },
                  options, CostObjective::Balanced, contains);
  }

  TestModule module;
};

std::vector<std::string> getTiles() {
  return {"threads=64 block=8x8 promote",
          "threads=64 block=16x16 reduction=32 promote",
          "threads=64 block=64x64 promote", "threads=64 block=16x16"};
}

TEST_F(RetileTest, TakesTheCheapestThatFits) {
  FailureOr<RetileRecord> record = tryAll(getTiles());
  ASSERT_TRUE(succeeded(record));
  ASSERT_TRUE(record->best);
  for (const RetileAttempt &attempt : record->attempts) {
    ASSERT_TRUE(attempt.cost) << attempt.refusal;
    EXPECT_GE(attempt.weight, record->attempts[*record->best].weight);
  }
  EXPECT_EQ(record->kernel, "matmul");
  EXPECT_EQ(record->chip, "gfx942");
}

TEST_F(RetileTest, SaysWhyOneDoesNotFit) {
  FailureOr<RetileRecord> record = tryAll(getTiles(), 8192);
  ASSERT_TRUE(succeeded(record));
  ASSERT_TRUE(record->best);
  EXPECT_FALSE(record->attempts[2].cost);
  EXPECT_NE(record->attempts[2].refusal.find("16384 bytes of workgroup memory"),
            std::string::npos)
      << record->attempts[2].refusal;
  EXPECT_LE(record->attempts[*record->best].cost->workgroupBytes, 8192);
}

TEST_F(RetileTest, CostNeverRisesWithTheLimit) {
  double last = std::numeric_limits<double>::infinity();
  for (int64_t limit : {1024, 4096, 8192, 16384, 65536}) {
    FailureOr<RetileRecord> record = tryAll(getTiles(), limit);
    ASSERT_TRUE(succeeded(record));
    ASSERT_TRUE(record->best);
    const RetileAttempt &best = record->attempts[*record->best];
    EXPECT_LE(best.cost->workgroupBytes, limit);
    EXPECT_LE(best.weight, last);
    last = best.weight;
  }
}

TEST_F(RetileTest, DoesNotMakeWhatAnInfeasibleOneExcludes) {
  // Each of the two tiles fits, both together do not.
  std::vector<std::string> space = {
      "threads=64 block=8x8 promote",
      "threads=64 block=64x64 reduction=16 promote",
      "threads=256 block=64x64 reduction=16 promote"};
  auto contains = [&](unsigned smaller, unsigned larger) {
    return parseTileConfiguration(space[smaller])
        ->takesNoMoreThan(*parseTileConfiguration(space[larger]));
  };
  FailureOr<RetileRecord> record = tryAll(space, 6144, contains);
  ASSERT_TRUE(succeeded(record));
  EXPECT_EQ(record->best, 0u);
  EXPECT_FALSE(record->attempts[1].excludedBy);
  EXPECT_TRUE(record->attempts[1].isInfeasible);
  EXPECT_EQ(record->attempts[1].peakBuffers.size(), 2u);
  EXPECT_EQ(record->attempts[2].excludedBy, 1u);
  EXPECT_TRUE(record->attempts[2].peakBuffers.empty());
  EXPECT_NE(record->attempts[2].refusal.find(space[1]), std::string::npos);
  // Each by itself says the same.
  FailureOr<RetileRecord> exhaustive = tryAll(space, 6144);
  ASSERT_TRUE(succeeded(exhaustive));
  EXPECT_EQ(exhaustive->best, record->best);
  EXPECT_FALSE(exhaustive->attempts[2].cost);
}

TEST_F(RetileTest, MakesWhatIsExcludedIfNothingElseFits) {
  FailureOr<RetileRecord> record =
      tryAll({"threads=64 block=64x64 promote", "threads=64 block=8x8 promote"},
             8192, [](unsigned, unsigned) { return true; });
  ASSERT_TRUE(succeeded(record));
  EXPECT_EQ(record->best, 1u);
  EXPECT_FALSE(record->attempts[1].excludedBy);
}

TEST_F(RetileTest, LeavesTheFunctionAlone) {
  std::string before, after;
  llvm::raw_string_ostream(before) << *module;
  ASSERT_TRUE(succeeded(tryAll(getTiles())));
  llvm::raw_string_ostream(after) << *module;
  EXPECT_EQ(before, after);
}

TEST_F(RetileTest, IsTheSameInEachRun) {
  FailureOr<RetileRecord> one = tryAll(getTiles()), two = tryAll(getTiles());
  ASSERT_TRUE(succeeded(one) && succeeded(two));
  EXPECT_EQ(one->toJSON(), two->toJSON());
}

TEST_F(RetileTest, IsTheSameWithoutThreads) {
  FailureOr<RetileRecord> several = tryAll(getTiles(), 8192);
  module.getContext()->disableMultithreading();
  FailureOr<RetileRecord> one = tryAll(getTiles(), 8192);
  ASSERT_TRUE(succeeded(several) && succeeded(one));
  EXPECT_EQ(several->toJSON(), one->toJSON());
}

/// An embedding compiler's tiling.
LogicalResult tileRows(func::FuncOp function, int64_t rows) {
  TileConfiguration configuration;
  configuration.threads = 64;
  configuration.block = {rows, 0};
  return tileKernel(function, configuration);
}

TEST_F(RetileTest, IsDocumented) {
  auto function = (*module).lookupSymbol<func::FuncOp>("matmul");
  KernelPipelineOptions options;
  options.chip = "gfx942";
  // [retile]
  FailureOr<RetileRecord> record = retile(
      function, {"rows=4", "rows=16"},
      [&](func::FuncOp clone, unsigned number) {
        return tileRows(clone, number == 0 ? 4 : 16);
      },
      options, CostObjective::Balanced);
  if (succeeded(record) && record->best)
    (void)tileRows(function, *record->best == 0 ? 4 : 16);
  // [/retile]
  ASSERT_TRUE(succeeded(record));
  EXPECT_EQ(record->attempts.size(), 2u);
  EXPECT_TRUE(isKernel(function));
}

TEST_F(RetileTest, TakesAnybodysKernels) {
  // A caller that makes its kernel by other means, and refuses one.
  KernelPipelineOptions options;
  options.chip = "sm_90";
  FailureOr<RetileRecord> record = retile(
      (*module).lookupSymbol<func::FuncOp>("matmul"), {"first", "second"},
      [&](func::FuncOp clone, unsigned number) -> LogicalResult {
        if (number == 0)
          return clone.emitError("not this one");
        Builder builder(clone.getContext());
        clone->setAttr("gpu.known_block_size",
                       builder.getDenseI32ArrayAttr({128, 1, 1}));
        clone->setAttr("gpu.known_grid_size",
                       builder.getDenseI32ArrayAttr({1, 1, 1}));
        return success();
      },
      options, CostObjective::Balanced);
  ASSERT_TRUE(succeeded(record));
  EXPECT_EQ(record->attempts[0].refusal, "not this one");
  ASSERT_TRUE(record->best);
  EXPECT_EQ(*record->best, 1u);
  EXPECT_EQ(record->attempts[1].cost->threads, 128);
}

TEST(TileConfiguration, TakesNoMoreThan) {
  auto holds = [](StringRef a, StringRef b) {
    return parseTileConfiguration(a)->takesNoMoreThan(
        *parseTileConfiguration(b));
  };
  EXPECT_TRUE(holds("threads=64 block=8x8", "threads=256 block=8x0"));
  EXPECT_FALSE(holds("threads=64 block=8x0", "threads=64 block=8x64"));
  EXPECT_TRUE(holds("threads=64 block=8x8 reduction=16 promote",
                    "threads=64 block=8x8 reduction=64 promote stages=2"));
  // A part of a reduction is less than all of it.
  EXPECT_FALSE(holds("threads=64 block=8x8",
                     "threads=64 block=8x8 reduction=16 promote"));
  EXPECT_TRUE(holds("threads=64 block=8x8", "threads=64 block=8x8 promote"));
  EXPECT_FALSE(holds("threads=64 block=8x8 promote", "threads=64 block=8x8"));
  EXPECT_FALSE(holds("threads=64 block=8", "threads=64 block=8x8"));
}

TEST(TileConfiguration, IsReadAsItIsWritten) {
  TileConfiguration configuration;
  configuration.threads = 128;
  configuration.block = {1, 64, 0};
  configuration.thread = {4, 2};
  configuration.subgroup = {16, 32};
  configuration.reduction = 32;
  configuration.promotes = true;
  EXPECT_EQ(configuration.str(), "threads=128 block=1x64x0 thread=4x2 "
                                 "subgroup=16x32 reduction=32 promote");
  EXPECT_EQ(parseTileConfiguration(configuration.str()), configuration);
  EXPECT_EQ(parseTileConfiguration(""), TileConfiguration());
  for (StringRef wrong : {"tile=3", "threads=0", "threads=-1", "block=4xa",
                          "block", "promote=1", "subgroup=8", "subgroup=0x8"})
    EXPECT_FALSE(parseTileConfiguration(wrong)) << wrong.str();
}
} // namespace
