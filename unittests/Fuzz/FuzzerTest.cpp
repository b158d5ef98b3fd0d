//===- FuzzerTest.cpp - kernels, verdicts, crashes and cuts -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Differential.h"
#include "Generator.h"
#include "SpmdCheck.h"
#include "TestModule.h"
#include "Workers.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "gtest/gtest.h"
#include <csignal>
#include <unistd.h>

using namespace mlir;
using namespace mlir::memspace;
using fuzz::CheckResult;
using fuzz::Verdict;

TEST(Generator, SameSeedSameKernel) {
  EXPECT_EQ(fuzz::generate(5).text, fuzz::generate(5).text);
  EXPECT_NE(fuzz::generate(5).text, fuzz::generate(6).text);
  EXPECT_EQ(fuzz::generate(5, "gfx1100").options.chip, "gfx1100");
}

TEST(Generator, KernelsAreValidAndLegal) {
  for (uint64_t seed = 1; seed <= 80; ++seed) {
    fuzz::Extras extras;
    extras.collectives = seed % 4 == 0;
    fuzz::GeneratedKernel kernel = fuzz::generate(seed, "", extras);
    // What the pipeline makes of it is the business of test/Fuzz.
    fuzz::WorkerOptions worker;
    worker.secondsPerJob = 5;
    CheckResult result = fuzz::runJob(worker, [&]() -> CheckResult {
      TestModule module(kernel.text);
      if (!module)
        return {Verdict::NotJudged, kernel.text, ""};
      return fuzz::check(*module, kernel.options);
    });
    EXPECT_NE(result.verdict, Verdict::NotJudged)
        << "seed " << seed << ": " << result.detail;
  }
}

/// What some kernel of a few hundred must have.
TEST(Generator, Variety) {
  constexpr StringRef words[] = {
      // More than one kernel, unknown arguments, grids and tiles.
      "@kernel1(", "%n0: index", "%n0: i32", "#gpu.block<y>",
      "#gpu.block<linear_dim_0>", ") step (", "affine.min", "memref<?x",
      "#gpu.warp<linear_dim_0>", "#gpu.lane<linear_dim_0>",
      // Control flow and what it carries.
      "scf.while", "scf.index_switch", "arith.select", ", index) {",
      // Indices and parts.
      "arith.minui", "arith.xori", "tensor.dim", "tensor.insert_slice",
      "linalg.index", "linalg.copy", "tensor.pad", "(d0 + d1)",
      // Sorts, in which results go unused.
      "memspace.sort dimension(0) stable ins(", "memspace.sort_indices",
      ":2 = memspace.topk", ":2 = memspace.sort",
      // Scans of rows and pairs, from either end.
      ":2 = memspace.scan", "memspace.scan dimension(1)", " exclusive reverse",
      "arith.maximumf",
      // Elements and rows, by each kind of promise, also of all blocks.
      "memspace.gather gather_dims([0]) ins(", "gather_dims([0, 1]) in_bounds",
      "memspace.gather gather_dims([1])", "memspace.scatter scatter_dims([1])",
      "scatter_dims([0, 1])", "unique_indices in_bounds", " atomic ins(",
      "%tally: memref<"};
  std::string all;
  unsigned deepest = 0;
  for (uint64_t seed = 1; seed <= 400; ++seed) {
    std::string text = fuzz::generate(seed).text;
    all += text;
    TestModule module(text);
    ASSERT_TRUE(module) << text;
    (*module).walk([&](LoopLikeOpInterface loop) {
      unsigned depth = 1;
      for (auto outer = loop->getParentOfType<LoopLikeOpInterface>(); outer;
           outer = outer->getParentOfType<LoopLikeOpInterface>())
        ++depth;
      deepest = std::max(deepest, depth);
    });
  }
  for (StringRef word : words)
    EXPECT_NE(StringRef(all).find(word), StringRef::npos) << word.str();
  // A block, a warp, and loops in loops.
  EXPECT_GE(deepest, 5u);
}

TEST(Generator, KernelsOnMemrefs) {
  EXPECT_EQ(fuzz::generateSpmd(5).text, fuzz::generateSpmd(5).text);
  EXPECT_NE(fuzz::generateSpmd(5).text, fuzz::generateSpmd(6).text);
  unsigned numJudged = 0, numReused = 0;
  for (uint64_t seed = 1; seed <= 40; ++seed) {
    fuzz::GeneratedKernel kernel = fuzz::generateSpmd(seed, "sm_90");
    TestModule module(kernel.text);
    ASSERT_TRUE(module) << kernel.text;
    CheckResult result = fuzz::checkSpmd(*module, kernel.options);
    numJudged += result.verdict == Verdict::Ok;
    numReused += result.isReused;
  }
  // The others are refused, or read what nobody has written.
  EXPECT_GE(numJudged, 35u);
  EXPECT_GE(numReused, 10u);
}

/// What some kernel on memrefs of a few hundred must have.
TEST(Generator, VarietyOnMemrefs) {
  constexpr StringRef words[] = {
      "@kernel1(", "gpu.block_id", "known_grid_size", "gpu.func",
      // Loops that carry up to four buffers.
      ":4 = scf.for", ":2 = scf.for", "scf.while", "scf.index_switch",
      "nvgpu.device_async_copy", "memref.atomic_rmw", "memref.view"};
  std::string all;
  for (uint64_t seed = 1; seed <= 300; ++seed)
    all += fuzz::generateSpmd(seed).text;
  for (StringRef word : words)
    EXPECT_NE(StringRef(all).find(word), StringRef::npos) << word.str();
}

/// Where threads part, each keeps to elements of its own in all branches.
TEST(Generator, KernelsOnMemrefsTouchTheirOwnElements) {
  unsigned numJudged = 0;
  for (uint64_t seed : {
           772004403,
           772007313,
       }) {
    fuzz::GeneratedKernel kernel = fuzz::generateSpmd(seed);
    TestModule module(kernel.text);
    ASSERT_TRUE(module) << kernel.text;
    CheckResult result = fuzz::checkSpmd(*module, kernel.options);
    EXPECT_NE(result.verdict, Verdict::Reports) << result.detail;
    numJudged += result.verdict == Verdict::Ok;
  }
  EXPECT_GE(numJudged, 1u);
  for (uint64_t seed = 773000001; seed <= 773001500; ++seed)
    EXPECT_FALSE(
        fuzz::generateSpmd(seed, "", /*isBarriers=*/true).text.empty());
}

namespace {
constexpr llvm::StringLiteral reversal = R"(
  func.func @kernel(%in: memref<64xf32>, %out: memref<64xf32>)
      attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c63 = arith.constant 63 : index
    %x = bufferization.to_tensor %in restrict : memref<64xf32> to tensor<64xf32>
    %zero = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<64xf32>
    %f = linalg.fill ins(%zero : f32) outs(%e : tensor<64xf32>) -> tensor<64xf32>
    %r = scf.forall (%i) in (64) shared_outs(%o = %f) -> (tensor<64xf32>) {
      %j = arith.subi %c63, %i : index
      %v = tensor.extract %x[%j] : tensor<64xf32>
      %d = tensor.extract_slice %o[%i] [1] [1] : tensor<64xf32> to tensor<1xf32>
      %s = tensor.insert %v into %d[%c0] : tensor<1xf32>
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %s into %o[%i] [1] [1] : tensor<1xf32> into tensor<64xf32>
      }
    } {mapping = [#gpu.thread<x>]}
    bufferization.materialize_in_destination %r in restrict writable %out : (tensor<64xf32>, memref<64xf32>) -> ()
    return
  })";
} // namespace

TEST(Differential, RightKernel) {
  TestModule module(reversal);
  ASSERT_TRUE(module);
  for (uint64_t inputSeed : {1, 2}) {
    fuzz::CheckOptions options;
    options.inputSeed = inputSeed;
    CheckResult result =
        fuzz::check(*module, options, /*askSecondOpinion=*/true);
    EXPECT_EQ(result.verdict, Verdict::Ok) << result.detail;
    EXPECT_EQ(result.secondOpinion, "");
  }
}

TEST(Differential, RefusedKernel) {
  TestModule module(R"(
    func.func @kernel(%in: memref<64xf32>)
        attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
      %x = bufferization.to_tensor %in restrict : memref<64xf32> to tensor<64xf32>
      %c0 = arith.constant 0 : index
      %v = tensor.extract %x[%c0] : tensor<64xf32>
      %e = tensor.empty() : tensor<64xf32>
      %f = linalg.fill ins(%v : f32) outs(%e : tensor<64xf32>) -> tensor<64xf32>
      bufferization.materialize_in_destination %f in restrict writable %in : (tensor<64xf32>, memref<64xf32>) -> ()
      return
    })");
  ASSERT_TRUE(module);
  CheckResult result = fuzz::check(*module, {});
  EXPECT_EQ(result.verdict, Verdict::Refused);
  EXPECT_NE(result.detail.find("restrict"), std::string::npos) << result.detail;
}

TEST(Differential, IllegalProgramIsNotJudged) {
  std::string text = reversal.str();
  std::string from = "arith.constant 63", to = "arith.constant 64";
  text.replace(text.find(from), from.size(), to);
  TestModule module(text);
  ASSERT_TRUE(module);
  CheckResult result = fuzz::check(*module, {});
  EXPECT_EQ(result.verdict, Verdict::NotJudged);
  EXPECT_NE(result.detail.find("out of range"), std::string::npos)
      << result.detail;
}

TEST(Differential, EveryKernelOfTheModule) {
  std::string second = reversal.str();
  second.replace(second.find("@kernel"), 7, "@second");
  TestModule good(reversal.str() + second);
  ASSERT_TRUE(good);
  EXPECT_EQ(fuzz::check(*good, {}).verdict, Verdict::Ok);
  std::string from = "arith.constant 63", to = "arith.constant 64";
  second.replace(second.find(from), from.size(), to);
  TestModule bad(reversal.str() + second);
  ASSERT_TRUE(bad);
  EXPECT_EQ(fuzz::check(*bad, {}).verdict, Verdict::NotJudged);
}

/// Each thread reads what another one has written. `barrier` is between.
static std::string getExchange(StringRef barrier) {
  return ("func.func @kernel(%out: memref<64xf32>)\n"
          "    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {\n"
          "  %b = memref.alloc() : memref<64xf32, "
          "#gpu.address_space<workgroup>>\n"
          "  %last = arith.constant 63 : index\n"
          "  %one = arith.constant 1.0 : f32\n"
          "  %t = gpu.thread_id x\n"
          "  %r = arith.subi %last, %t : index\n"
          "  memref.store %one, %b[%t] : memref<64xf32, "
          "#gpu.address_space<workgroup>>\n" +
          barrier +
          "  %v = memref.load %b[%r] : memref<64xf32, "
          "#gpu.address_space<workgroup>>\n"
          "  memref.store %v, %out[%t] : memref<64xf32>\n"
          "  gpu.barrier {fuzz_sync}\n"
          "  return\n}\n")
      .str();
}

TEST(SpmdCheck, BarriersSayWhatTheKernelMeans) {
  TestModule good(getExchange("  gpu.barrier {fuzz_sync}\n"));
  ASSERT_TRUE(good);
  EXPECT_EQ(fuzz::checkSpmd(*good, {}).verdict, Verdict::Ok);
  // Nothing of the kernel's own remains.
  OwningOpRef<ModuleOp> without = fuzz::withoutSynchronization(*good);
  without->walk([](Operation *op) {
    EXPECT_NE(op->getName().getStringRef(), "gpu.barrier");
  });
  // Then it has no meaning.
  TestModule bad(getExchange(""));
  ASSERT_TRUE(bad);
  CheckResult result = fuzz::checkSpmd(*bad, {});
  EXPECT_EQ(result.verdict, Verdict::Crash);
  EXPECT_NE(result.detail.find("the program itself"), std::string::npos)
      << result.detail;
  // A barrier of its own is no such barrier.
  TestModule own(getExchange("  gpu.barrier\n"));
  ASSERT_TRUE(own);
  EXPECT_EQ(fuzz::checkSpmd(*own, {}).verdict, Verdict::Ok);
}

TEST(Workers, CrashCostsOneJob) {
  fuzz::WorkerOptions options;
  options.processes = 2;
  options.jobsPerProcess = 4;
  options.secondsPerJob = 1;
  std::vector<CheckResult> results(10, CheckResult{Verdict::NotJudged, "", ""});
  fuzz::runJobs(
      10, options,
      [](int64_t job, const fuzz::JobLog &log) -> CheckResult {
        log.enter("first part");
        log.setProgram("a\nb");
        log.enter("second part");
        if (job == 3)
          ::raise(SIGKILL);
        if (job == 5)
          ::sleep(30);
        return {Verdict::Ok, "job\t" + std::to_string(job), ""};
      },
      [&](int64_t job, CheckResult result) { results[job] = result; });
  for (int64_t job = 0; job < 10; ++job) {
    if (job == 3 || job == 5)
      EXPECT_EQ(results[job].verdict, Verdict::Crash) << job;
    else
      EXPECT_EQ(results[job].detail, "job " + std::to_string(job));
  }
  EXPECT_EQ(results[3].detail.find("second part: killed by signal"), 0u)
      << results[3].detail;
  EXPECT_EQ(results[3].program, "a\nb");
  EXPECT_NE(results[5].detail.find("seconds"), std::string::npos);
}
