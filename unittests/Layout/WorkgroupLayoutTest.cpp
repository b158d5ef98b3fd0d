//===- WorkgroupLayoutTest.cpp --------------------------------------------===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MemSpace/Layout/WorkgroupLayout.h"
#include "MemSpace/Arena/WorkgroupArena.h"
#include "MemSpace/Barriers/BarrierPlacement.h"
#include "MemSpace/Layout/WorkgroupBudget.h"
#include "TestContext.h"
#include "TestModule.h"
#include "llvm/Support/FormatVariadic.h"
#include "gtest/gtest.h"
#include <random>

using namespace mlir;
using namespace mlir::memspace;
using Bound = WorkgroupLayout::Bound;

namespace {

/// A chain of reversals in 128 threads: each buffer is written by one thread
/// and read by another one. Sharing with the next buffer costs a barrier, with
/// the one after it nothing. `extra` are attributes of the kernel.
std::string getChain(ArrayRef<int64_t> elements, StringRef extra = "") {
  std::string text = llvm::formatv(R"(
#wg = #gpu.address_space<workgroup>
func.func @kernel(%x: memref<128xf32>) attributes {{gpu.known_block_size = array<i32: 128, 1, 1>{0}} {{
  %c127 = arith.constant 127 : index
  %t = gpu.thread_id x
  %u = arith.subi %c127, %t : index
  %v0 = memref.load %x[%t] : memref<128xf32>
)",
                                   extra);
  for (auto [i, count] : llvm::enumerate(elements))
    text += llvm::formatv(R"(
  %b{0} = memref.alloc() : memref<{2}xf32, #wg>
  memref.store %v{0}, %b{0}[%t] : memref<{2}xf32, #wg>
  %v{1} = memref.load %b{0}[%u] : memref<{2}xf32, #wg>
)",
                          i, i + 1, count);
  return text + llvm::formatv(R"(
  memref.store %v{0}, %x[%t] : memref<128xf32>
  return
})",
                              elements.size())
                    .str();
}

class WorkgroupLayoutTest : public ::testing::Test {
protected:
  WorkgroupLayout choose(const std::string &source, PackingObjective objective,
                         std::optional<TargetInfo> target) {
    module.emplace(source);
    if (!*module) {
      ADD_FAILURE() << "does not parse";
      return {};
    }
    kernel = getKernels(**module).front();
    KernelContext context = target
                                ? getTestContext(kernel, *target)
                                : *KernelContext::createWithoutTarget(kernel);
    FailureOr<WorkgroupPacking> packing = WorkgroupPacking::compute(context);
    if (failed(packing)) {
      ADD_FAILURE() << "cannot be packed";
      return {};
    }
    WorkgroupLayout layout = chooseLayout(context, *packing, objective);
    llvm::Error error = packing::verify(packing->getProblem(), layout.solution);
    EXPECT_FALSE(bool(error)) << llvm::toString(std::move(error));
    return layout;
  }

  /// Executed barriers.
  static int64_t getBarriers(const std::optional<BarrierCost> &cost) {
    return cost ? cost->executions.workgroup / BarrierPlacement::kCostUnit : -1;
  }

  TargetInfo gfx942 = *lookupTarget("gfx942");
  std::optional<TestModule> module;
  FunctionOpInterface kernel;
};

TEST_F(WorkgroupLayoutTest, Objectives) {
  std::string source = getChain({128, 128});
  WorkgroupLayout balanced = choose(source, PackingObjective::Balanced, gfx942);
  EXPECT_EQ(balanced.solution.height, 1024);
  EXPECT_EQ(getBarriers(balanced.cost), 2);
  EXPECT_EQ(balanced.fewestBytes, 512);
  EXPECT_EQ(getBarriers(balanced.fewestBytesCost), 3);
  EXPECT_EQ(balanced.explain(),
            "1024 bytes; 512 bytes would cost 1 more executed barrier, and no "
            "limit or occupancy step asks for so few");
  // 16 workgroups of 128 threads fit on a compute unit.
  EXPECT_EQ(balanced.bound, Bound::Occupancy);
  EXPECT_EQ(balanced.workgroups, 16);
  EXPECT_EQ(balanced.capacity, 4096);

  WorkgroupLayout bytes = choose(source, PackingObjective::Bytes, gfx942);
  EXPECT_EQ(bytes.solution.height, 512);
  EXPECT_FALSE(bytes.cost.has_value());
  EXPECT_EQ(bytes.explain(), "512 bytes, the fewest");

  WorkgroupLayout barriers =
      choose(source, PackingObjective::Barriers, std::nullopt);
  EXPECT_EQ(barriers.solution.height, 1024);
  EXPECT_EQ(getBarriers(barriers.cost), 2);
  EXPECT_EQ(barriers.bound, Bound::None);
}

// Whatever the limits are, the fewest bytes fit if anything does.
TEST_F(WorkgroupLayoutTest, BalancedWithoutTarget) {
  WorkgroupLayout layout =
      choose(getChain({128, 128}), PackingObjective::Balanced, std::nullopt);
  EXPECT_EQ(layout.solution.height, 512);
  EXPECT_FALSE(layout.cost.has_value());
}

// A place is shared where a barrier lies in between anyway.
TEST_F(WorkgroupLayoutTest, FreeSharing) {
  WorkgroupLayout layout = choose(getChain({128, 64, 128, 64, 128, 64}),
                                  PackingObjective::Barriers, gfx942);
  EXPECT_EQ(layout.solution.height, 512 + 256);
  EXPECT_EQ(getBarriers(layout.cost), 6);
  EXPECT_EQ(layout.cost, layout.leastCost);
}

// Only one of the places needs to be shared to fit.
TEST_F(WorkgroupLayoutTest, PaysForTheLimit) {
  TargetInfo small = gfx942;
  small.workgroupBytes = small.maxWorkgroupBytes = 1536;
  std::string source = getChain({256, 128});
  WorkgroupLayout layout = choose(source, PackingObjective::Balanced, small);
  EXPECT_EQ(layout.solution.height, 1536);
  EXPECT_EQ(layout.cost, layout.leastCost);
  small.workgroupBytes = small.maxWorkgroupBytes = 1535;
  layout = choose(source, PackingObjective::Balanced, small);
  EXPECT_EQ(layout.solution.height, 1024);
  EXPECT_EQ(layout.bound, Bound::Limit);
  EXPECT_EQ(getBarriers(layout.cost), getBarriers(layout.leastCost) + 1);
  EXPECT_EQ(layout.explain(),
            "1024 bytes, the fewest, at the price of 1 more executed barrier, "
            "since no more than 1535 may be used");
  small.workgroupBytes = small.maxWorkgroupBytes = 1000;
  layout = choose(source, PackingObjective::Balanced, small);
  EXPECT_EQ(layout.bound, Bound::TooMuch);
  EXPECT_EQ(layout.solution.height, 1024);
}

// Above the static limit memory is dynamic, which is taken only if it must.
TEST_F(WorkgroupLayoutTest, StaticBeforeOptIn) {
  TargetInfo sm90 = *lookupTarget("sm_90");
  sm90.unitThreads = 128; // one workgroup, whatever its memory is
  WorkgroupLayout layout =
      choose(getChain({8192, 8192}), PackingObjective::Balanced, sm90);
  EXPECT_EQ(layout.bound, Bound::StaticLimit);
  EXPECT_EQ(layout.solution.height, 32768);
  layout = choose(getChain({16384, 16384}), PackingObjective::Balanced, sm90);
  EXPECT_EQ(layout.bound, Bound::Limit);
  EXPECT_EQ(layout.solution.height, 131072);
}

// Dynamic memory lies behind the arena and counts, too.
TEST_F(WorkgroupLayoutTest, DynamicMemoryCounts) {
  TargetInfo small = gfx942;
  small.workgroupBytes = small.maxWorkgroupBytes = 2048;
  auto getBytes = [&](int64_t dynamicBytes) {
    std::string attribute =
        ", memspace.dynamic_workgroup_bytes = " + std::to_string(dynamicBytes) +
        " : i64";
    return choose(getChain({128, 128}, attribute), PackingObjective::Balanced,
                  small)
        .solution.height;
  };
  EXPECT_EQ(getBytes(1024), 1024);
  EXPECT_EQ(getBytes(1025), 512);
}

// Each thread meets nobody in the place that both of its buffers have.
TEST_F(WorkgroupLayoutTest, SharingIsCountedExactly) {
  WorkgroupLayout layout = choose(R"(
#wg = #gpu.address_space<workgroup>
func.func @kernel(%x: memref<128xf32>) attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
  %t = gpu.thread_id x
  %v = memref.load %x[%t] : memref<128xf32>
  %a = memref.alloc() : memref<128xf32, #wg>
  memref.store %v, %a[%t] : memref<128xf32, #wg>
  %w = memref.load %a[%t] : memref<128xf32, #wg>
  %b = memref.alloc() : memref<128xf32, #wg>
  memref.store %w, %b[%t] : memref<128xf32, #wg>
  %z = memref.load %b[%t] : memref<128xf32, #wg>
  memref.store %z, %x[%t] : memref<128xf32>
  return
})",
                                  PackingObjective::Barriers, gfx942);
  EXPECT_EQ(layout.solution.height, 512);
  EXPECT_EQ(getBarriers(layout.cost), 0);
}

// A barrier in a loop weighs its iterations; in one place the buffers need two
// more: each is overwritten while the other may still be read.
TEST_F(WorkgroupLayoutTest, LoopsWeigh) {
  WorkgroupLayout layout = choose(R"(
#wg = #gpu.address_space<workgroup>
func.func @kernel(%x: memref<128xf32>) attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c127 = arith.constant 127 : index
  %t = gpu.thread_id x
  %u = arith.subi %c127, %t : index
  scf.for %k = %c0 to %c4 step %c1 {
    %v = memref.load %x[%t] : memref<128xf32>
    %a = memref.alloc() : memref<128xf32, #wg>
    memref.store %v, %a[%t] : memref<128xf32, #wg>
    %w = memref.load %a[%u] : memref<128xf32, #wg>
    %b = memref.alloc() : memref<128xf32, #wg>
    memref.store %w, %b[%t] : memref<128xf32, #wg>
    %z = memref.load %b[%u] : memref<128xf32, #wg>
    memref.store %z, %x[%t] : memref<128xf32>
  }
  return
})",
                                  PackingObjective::Balanced, gfx942);
  EXPECT_EQ(layout.solution.height, 1024);
  EXPECT_EQ(getBarriers(layout.cost), 8);
  EXPECT_EQ(getBarriers(layout.fewestBytesCost), 16);
}

/// A random kernel of `numBuffers` buffers, each written once and read once or
/// twice, by the same thread or by another one, perhaps in a loop.
std::string getRandomKernel(std::mt19937 &random, unsigned numBuffers) {
  auto pick = [&](unsigned end) { return unsigned(random() % end); };
  std::vector<std::vector<std::string>> events(numBuffers);
  for (auto [i, own] : llvm::enumerate(events)) {
    std::string type =
        "memref<" + std::to_string(128 << pick(3)) + "xf32, #wg>";
    auto getIndex = [&] { return pick(3) ? "[%u] : " : "[%t] : "; };
    std::string name = "%b" + std::to_string(i);
    own.push_back(name + " = memref.alloc() : " + type + "\nmemref.store %v, " +
                  name + getIndex() + type);
    for (unsigned read = 0, end = 1 + pick(2); read < end; ++read) {
      std::string value = "%r" + std::to_string(i) + std::to_string(read);
      own.push_back(value + " = memref.load " + name + getIndex() + type +
                    "\nmemref.store " + value + ", %y[%t] : memref<128xf32>");
    }
    std::reverse(own.begin(), own.end());
  }
  bool isLoop = pick(2);
  std::string text = R"(
#wg = #gpu.address_space<workgroup>
func.func @kernel(%x: memref<128xf32>, %y: memref<128xf32>) attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c127 = arith.constant 127 : index
  %t = gpu.thread_id x
  %u = arith.subi %c127, %t : index
  %v = memref.load %x[%t] : memref<128xf32>
)";
  if (isLoop)
    text += "scf.for %k = %c0 to %c4 step %c1 {\n";
  for (unsigned first = 0; first < numBuffers;) {
    // Buffers begin in order, and few are alive at once.
    unsigned i = first + pick(std::min(2u, numBuffers - first));
    if (!events[i].empty()) {
      text += events[i].back() + "\n";
      events[i].pop_back();
    }
    while (first < numBuffers && events[first].empty())
      ++first;
  }
  return text + (isLoop ? "}\n" : "") + "return\n}";
}

// Against all layouts that the exact solver gives for some set of pairs kept
// apart, counted on packed kernels.
TEST_F(WorkgroupLayoutTest, BruteForce) {
  std::mt19937 random(1);
  unsigned numKernels = 0, numBest = 0;
  for (unsigned seed = 0; seed < 40; ++seed) {
    std::string source = getRandomKernel(random, 4);
    WorkgroupLayout fewest =
        choose(source, PackingObjective::Bytes, std::nullopt);
    WorkgroupLayout separate =
        choose(source, PackingObjective::Barriers, std::nullopt);
    TargetInfo target = gfx942;
    target.unitThreads = 128;
    target.workgroupBytes = target.maxWorkgroupBytes =
        (fewest.solution.height + separate.solution.height) / 2;
    WorkgroupLayout chosen = choose(source, PackingObjective::Balanced, target);
    if (!chosen.cost)
      continue;
    ++numKernels;

    FailureOr<WorkgroupPacking> packing =
        WorkgroupPacking::compute(getTestContext(kernel, target));
    packing::Problem problem = packing->getProblem();
    std::vector<std::pair<unsigned, unsigned>> pairs;
    for (unsigned j = 0; j < problem.buffers.size(); ++j)
      for (unsigned i = 0; i < j; ++i)
        if (!packing::overlap(problem.buffers[i].live, problem.buffers[j].live))
          pairs.push_back({i, j});
    std::pair<BarrierCost, int64_t> best = {*chosen.cost,
                                            chosen.solution.height};
    for (unsigned apart = 0; apart < 1u << pairs.size(); ++apart) {
      packing::Problem part = problem;
      int64_t time = packing->getLiveness().getNumPoints() + 1;
      for (auto [number, pair] : llvm::enumerate(pairs))
        if (apart >> number & 1) {
          for (unsigned i : {pair.first, pair.second})
            part.buffers[i].live.push_back({time, time + 1});
          ++time;
        }
      packing::Solution solution = *packing::solveExact(part).solution;
      if (solution.height > target.workgroupBytes)
        continue;
      TestModule copy(source);
      KernelContext packed = getTestContext(getKernels(*copy).front(), target);
      moveIntoArena(packed, preparePacking(packed)->getBuffers(), solution);
      BarrierPlacement placement(packed, BarrierPlacement::Mode::Insert);
      BarrierCost cost{unsigned(placement.getUnsynchronizable().size()),
                       placement.getCost()};
      best = std::min(best, {cost, solution.height});
    }
    bool isBest =
        best.second == chosen.solution.height && best.first == *chosen.cost;
    numBest += isBest;
    // At most one barrier of the loop more.
    EXPECT_LE(chosen.cost->executions.workgroup -
                  best.first.executions.workgroup,
              4 * BarrierPlacement::kCostUnit)
        << source;
  }
  EXPECT_GE(numKernels, 30u);
  EXPECT_GE(numBest * 10, numKernels * 9)
      << numBest << " of " << numKernels << " are the best";
}

// Many buffers: the search is bounded, and what it finds is no worse than
// either end.
TEST_F(WorkgroupLayoutTest, ManyBuffers) {
  SmallVector<int64_t> elements;
  for (int64_t i = 0; i < 60; ++i)
    elements.push_back(128 + 32 * (i * i % 7));
  WorkgroupLayout layout =
      choose(getChain(elements), PackingObjective::Barriers, gfx942);
  EXPECT_EQ(layout.cost, layout.leastCost);
  // Two buffers are live between two barriers.
  EXPECT_LE(layout.solution.height, 2 * 4 * (128 + 32 * 4));
}

// The budget of a kernel says before packing what it is afterwards; stores that
// nobody reads and deallocations do not count.
TEST_F(WorkgroupLayoutTest, BudgetPredicts) {
  const std::vector<int64_t> chains[] = {
      {128, 128}, {256, 128, 64}, {8192, 8192}, {9000, 64}};
  for (const std::vector<int64_t> &elements : chains) {
    std::string source = getChain(elements);
    std::string last = "%b" + std::to_string(elements.size() - 1);
    std::string type =
        "memref<" + std::to_string(elements.back()) + "xf32, #wg>\n";
    source.insert(source.rfind("return"),
                  "memref.store %v0, " + last + "[%u] : " + type +
                      "memref.dealloc " + last + " : " + type);
    module.emplace(source);
    ASSERT_TRUE(static_cast<bool>(*module));
    kernel = getKernels(**module).front();
    KernelContext context = getTestContext(kernel, gfx942);
    FailureOr<WorkgroupBudget> before = WorkgroupBudget::compute(context);
    ASSERT_TRUE(succeeded(before));
    FailureOr<WorkgroupPacking> packing = preparePacking(context);
    ASSERT_TRUE(succeeded(packing));
    WorkgroupLayout layout = chooseLayout(context, *packing);
    moveIntoArena(context, packing->getBuffers(), layout.solution);
    FailureOr<WorkgroupBudget> after = WorkgroupBudget::compute(context);
    ASSERT_TRUE(succeeded(after));
    EXPECT_EQ(before->getWorkgroupBytes(), layout.solution.height);
    EXPECT_EQ(after->getWorkgroupBytes(), layout.solution.height);
    // What it said of the barriers is what placement finds now.
    if (layout.cost)
      EXPECT_EQ(
          layout.cost->executions,
          BarrierPlacement(context, BarrierPlacement::Mode::Insert).getCost());
  }
}

TEST_F(WorkgroupLayoutTest, ObjectiveNames) {
  EXPECT_EQ(symbolizePackingObjective("balanced"), PackingObjective::Balanced);
  EXPECT_EQ(symbolizePackingObjective("bytes"), PackingObjective::Bytes);
  EXPECT_EQ(symbolizePackingObjective("barriers"), PackingObjective::Barriers);
  EXPECT_EQ(symbolizePackingObjective("Bytes"), std::nullopt);
}

} // namespace
