//===- KernelCostTest.cpp - the cost against the emulator -----------------===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MemSpace/Retile/KernelCost.h"
#include "../TestModule.h"
#include "MemSpace/Emulator/Emulator.h"
#include "MemSpace/Transforms/Pipelines.h"
#include "MemSpace/Transforms/TileKernel.h"
#include "UntiledMatmul.h"
#include "mlir/Pass/PassManager.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace mlir::memspace;

namespace {
/// The matmul of a configuration, finished for gfx942.
struct FinishedMatmul {
  TestModule module;
  int64_t sizes[3];
  std::optional<KernelCost> cost;

  FinishedMatmul(int64_t m, int64_t n, int64_t k, StringRef configuration)
      : module(getUntiledMatmul(m, n, k)), sizes{m, n, k} {
    module.getContext()->loadAllAvailableDialects();
    auto kernel = (*module).lookupSymbol<func::FuncOp>("matmul");
    std::optional<TileConfiguration> parsed =
        parseTileConfiguration(configuration);
    if (!parsed || failed(tileKernel(kernel, *parsed)))
      return;
    KernelPipelineOptions options;
    options.chip = "gfx942";
    PassManager pm(module.getContext());
    buildKernelPipeline(pm, options);
    if (failed(pm.run(*module)))
      return;
    FailureOr<KernelContext> context =
        KernelContext::create((*module).lookupSymbol<func::FuncOp>("matmul"),
                              *lookupTarget("gfx942"));
    if (failed(context))
      return;
    FailureOr<KernelCost> computed = KernelCost::compute(*context);
    if (succeeded(computed))
      cost = *computed;
  }

  FailureOr<emulator::Result> run() {
    FailureOr<emulator::Kernel> kernel = emulator::Kernel::compile(*module);
    if (failed(kernel))
      return failure();
    auto [m, n, k] = sizes;
    Type f32 = Builder(module.getContext()).getF32Type();
    return kernel->run({emulator::HostBuffer::iota(f32, {m, k}),
                        emulator::HostBuffer::iota(f32, {k, n}),
                        emulator::HostBuffer::uninitialized(f32, {m, n})});
  }
};

/// The cost is what the emulator counts, where tiles divide the whole and where
/// they do not.
class CostOfMatmul
    : public ::testing::TestWithParam<std::tuple<int, int, int, const char *>> {
};

TEST_P(CostOfMatmul, IsWhatIsExecuted) {
  auto [m, n, k, configuration] = GetParam();
  FinishedMatmul matmul(m, n, k, configuration);
  ASSERT_TRUE(matmul.cost);
  EXPECT_TRUE(matmul.cost->isExact);
  FailureOr<emulator::Result> result = matmul.run();
  ASSERT_TRUE(succeeded(result));
  EXPECT_TRUE(result->isClean()) << result->getSummary();
  EXPECT_EQ(matmul.cost->globalLoads, result->global.reads);
  EXPECT_EQ(matmul.cost->globalStores, result->global.writes);
  EXPECT_EQ(matmul.cost->globalBytes,
            result->global.bytesRead + result->global.bytesWritten);
  EXPECT_EQ(matmul.cost->workgroupBytesMoved,
            result->workgroup.bytesRead + result->workgroup.bytesWritten);
  EXPECT_EQ(matmul.cost->barriers,
            result->executedBarriers * matmul.cost->workgroups);
}

INSTANTIATE_TEST_SUITE_P(
    KernelCost, CostOfMatmul,
    ::testing::Values(
        std::make_tuple(64, 64, 32, "threads=64 block=16x16"),
        std::make_tuple(64, 64, 32, "threads=64 block=16x32 promote"),
        std::make_tuple(64, 64, 64,
                        "threads=64 block=32x32 reduction=16 promote"),
        std::make_tuple(64, 64, 64,
                        "threads=128 block=32x32 thread=2x4 reduction=16 "
                        "promote"),
        std::make_tuple(40, 56, 24,
                        "threads=64 block=16x16 reduction=16 promote"),
        std::make_tuple(33, 17, 20,
                        "threads=64 block=16x16 reduction=16 promote"),
        std::make_tuple(64, 64, 64,
                        "threads=64 block=32x32 reduction=16 promote stages=2"),
        std::make_tuple(64, 32, 128,
                        "threads=64 block=32x32 reduction=16 promote stages=3"),
        std::make_tuple(48, 48, 48, "threads=64 block=0x16")));

TEST(KernelCost, ReadsEachElementOncePerTile) {
  FinishedMatmul matmul(64, 64, 64,
                        "threads=64 block=32x16 reduction=16 promote");
  ASSERT_TRUE(matmul.cost);
  // A for each of four columns of tiles, B for each of two rows.
  EXPECT_EQ(matmul.cost->globalLoads, 64 * 64 * 4 + 64 * 64 * 2);
  EXPECT_EQ(matmul.cost->globalStores, 64 * 64);
  EXPECT_EQ(matmul.cost->workgroups, 8);
}

TEST(KernelCost, ObjectivesPutOneFigureFirst) {
  KernelCost small, fast;
  small.workgroupBytes = 1024;
  small.threadOps = 1'000'000;
  fast.workgroupBytes = 2048;
  fast.threadOps = 10;
  EXPECT_LT(small.getWeight(CostObjective::Bytes),
            fast.getWeight(CostObjective::Bytes));
  EXPECT_GT(small.getWeight(CostObjective::Balanced),
            fast.getWeight(CostObjective::Balanced));
  EXPECT_EQ(parseCostObjective("reuse"), CostObjective::Reuse);
  EXPECT_EQ(parseCostObjective("speed"), std::nullopt);
}
} // namespace
