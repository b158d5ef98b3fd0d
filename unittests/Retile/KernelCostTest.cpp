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
#include <map>
#include <set>

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

  FailureOr<emulator::Result> run(emulator::LaunchOptions options = {}) {
    FailureOr<emulator::Kernel> kernel = emulator::Kernel::compile(*module);
    if (failed(kernel))
      return failure();
    auto [m, n, k] = sizes;
    Type f32 = Builder(module.getContext()).getF32Type();
    return kernel->run({emulator::HostBuffer::iota(f32, {m, k}),
                        emulator::HostBuffer::iota(f32, {k, n}),
                        emulator::HostBuffer::uninitialized(f32, {m, n})},
                       options);
  }
};

/// What subgroups of 64 threads touch at once where all threads execute the
/// same ops, so that the n-th accesses of all belong together.
class TracedPatterns {
public:
  void add(const emulator::TracedAccess &access) {
    accesses[{access.workgroup, access.thread}].push_back(access);
  }
  void count() {
    for (auto &[place, own] : accesses) {
      if (place.second % 64 != 0)
        continue;
      for (size_t n = 0; n < own.size(); ++n)
        countOne(place.first, place.second, n);
    }
  }

  int64_t sectors = 0, lines = 0, bankCycles = 0;

private:
  void countOne(int64_t workgroup, int64_t first, size_t n) {
    std::set<int64_t> ofSectors, ofLines;
    std::map<int64_t, std::set<int64_t>> ofBanks;
    bool isArgument = false;
    for (int64_t lane = first; lane < first + 64; ++lane) {
      const emulator::TracedAccess &access = accesses[{workgroup, lane}][n];
      isArgument = isa<UnknownLoc>(access.buffer);
      for (int64_t b = access.begin; b < access.begin + access.size; ++b) {
        ofSectors.insert(b / 32);
        ofLines.insert(b / 128);
        ofBanks[b / 4 % 32].insert(b / 4);
      }
    }
    if (isArgument) {
      sectors += ofSectors.size();
      lines += ofLines.size();
      return;
    }
    size_t most = 0;
    for (auto &[bank, words] : ofBanks)
      most = std::max(most, words.size());
    bankCycles += most;
  }

  std::map<std::pair<int64_t, int64_t>, std::vector<emulator::TracedAccess>>
      accesses;
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
        std::make_tuple(64, 64, 64,
                        "threads=256 block=32x64 subgroup=16x32 reduction=16 "
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

/// How accesses of neighbours fall together, too, where tiles divide the whole.
class PatternsOfMatmul : public ::testing::TestWithParam<const char *> {};

TEST_P(PatternsOfMatmul, AreThoseOfTheTrace) {
  FinishedMatmul matmul(64, 64, 64, GetParam());
  ASSERT_TRUE(matmul.cost);
  TracedPatterns traced;
  emulator::LaunchOptions options;
  options.orders = 1;
  options.onAccess = [&](const emulator::TracedAccess &access) {
    traced.add(access);
  };
  ASSERT_TRUE(succeeded(matmul.run(options)));
  traced.count();
  EXPECT_GT(traced.lines, 0);
  EXPECT_EQ(matmul.cost->globalSectors, traced.sectors);
  EXPECT_EQ(matmul.cost->globalLines, traced.lines);
  EXPECT_EQ(matmul.cost->workgroupBankCycles, traced.bankCycles);
}

INSTANTIATE_TEST_SUITE_P(
    KernelCost, PatternsOfMatmul,
    ::testing::Values("threads=64 block=8x8", "threads=64 block=16x32",
                      "threads=64 block=4x64",
                      "threads=64 block=32x16 reduction=16 promote",
                      "threads=256 block=32x32 reduction=16 promote",
                      "threads=64 block=32x32 thread=2x8 reduction=16 promote",
                      "threads=256 block=64x64 subgroup=32x32 reduction=16 "
                      "promote",
                      "threads=128 block=16x64 reduction=16 promote "
                      "stages=2"));

TEST(KernelCost, NeighboursShareSectorsAndBanks) {
  auto compute = [](StringRef type, StringRef index) {
    TestModule module(("func.func @k(%x: memref<4096x" + type +
                       R"mlir(>, %a: index)
    attributes {gpu.known_block_size = array<i32: 32, 1, 1>,
                gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %t = gpu.thread_id x
  %i = )mlir" + index +
                       R"mlir(
  %v = memref.load %x[%i] : memref<4096x)mlir" +
                       type + R"mlir(>
  %b = memref.alloc() : memref<4096x)mlir" +
                       type + R"mlir(, #gpu.address_space<workgroup>>
  memref.store %v, %b[%i] : memref<4096x)mlir" +
                       type + R"mlir(, #gpu.address_space<workgroup>>
  return
})mlir")
                          .str());
    FailureOr<KernelContext> context = KernelContext::create(
        (*module).lookupSymbol<func::FuncOp>("k"), *lookupTarget("sm_90"));
    EXPECT_TRUE(succeeded(context));
    FailureOr<KernelCost> cost = KernelCost::compute(*context);
    EXPECT_TRUE(succeeded(cost));
    return std::make_tuple(cost->globalSectors, cost->globalLines,
                           cost->workgroupBankCycles);
  };
  StringRef own = "affine.apply affine_map<(d0) -> (d0)>(%t)";
  EXPECT_EQ(compute("f32", own), std::make_tuple(4, 1, 1));
  EXPECT_EQ(compute("f16", own), std::make_tuple(2, 1, 1));
  EXPECT_EQ(compute("f64", own), std::make_tuple(8, 2, 2));
  EXPECT_EQ(compute("f32", "affine.apply affine_map<(d0) -> (d0 * 2)>(%t)"),
            std::make_tuple(8, 2, 2));
  EXPECT_EQ(compute("f32", "affine.apply affine_map<(d0) -> (d0 * 32)>(%t)"),
            std::make_tuple(32, 32, 32));
  EXPECT_EQ(compute("f32", "affine.apply affine_map<(d0) -> (d0 * 33)>(%t)"),
            std::make_tuple(32, 32, 1));
  EXPECT_EQ(compute("f32", "affine.apply affine_map<(d0) -> (d0 mod 8)>(%t)"),
            std::make_tuple(1, 1, 1));
  EXPECT_EQ(compute("f32", "affine.apply affine_map<(d0) -> (d0 * 0 + 9)>(%t)"),
            std::make_tuple(1, 1, 1));
  // From somewhere, as neighbours.
  EXPECT_EQ(compute("f32", "affine.apply affine_map<(d0)[s0] -> (d0 + s0 * "
                           "32)>(%t)[%a]"),
            std::make_tuple(4, 1, 1));
}

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
