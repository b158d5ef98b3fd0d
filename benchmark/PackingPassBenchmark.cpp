//===- PackingPassBenchmark.cpp - cost of packing a kernel
//------------------===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The share of memspace-pack-workgroup-memory in the kernel pipeline
// (`pack_share`, of the time of all passes), and the time of the pass over the
// number of workgroup buffers, for each objective.
//
//===----------------------------------------------------------------------===//

#include "MemSpace/Transforms/Passes.h"
#include "MemSpace/Transforms/Pipelines.h"
#include "TestModule.h"
#include "mlir/Pass/PassInstrumentation.h"
#include "mlir/Pass/PassManager.h"
#include <benchmark/benchmark.h>
#include <chrono>
#include <fstream>
#include <sstream>

using namespace mlir;
using namespace mlir::memspace;

namespace {
/// Sums up the time of all passes and of the one for packing.
class PassClock : public PassInstrumentation {
public:
  struct Times {
    double all = 0, packing = 0;
  };
  explicit PassClock(Times &times) : times(times) {}

  void runBeforePass(Pass *, Operation *) override { start = Clock::now(); }
  void runAfterPass(Pass *pass, Operation *) override {
    // Passes of a pass manager inside are inside the time of the adaptor.
    double seconds =
        std::chrono::duration<double>(Clock::now() - start).count();
    times.all += seconds;
    if (pass->getArgument() == "memspace-pack-workgroup-memory")
      times.packing += seconds;
  }

private:
  using Clock = std::chrono::steady_clock;
  Times &times;
  Clock::time_point start;
};
} // namespace

static void runPipeline(benchmark::State &state, StringRef file) {
  std::ifstream stream((MEMSPACE_EXAMPLES_DIR "/" + file).str());
  std::stringstream text;
  text << stream.rdbuf();
  TestModule module(text.str());
  if (!module)
    return state.SkipWithError("the example does not parse");
  PassClock::Times times;
  for (auto _ : state) {
    state.PauseTiming();
    OwningOpRef<ModuleOp> clone((*module).clone());
    PassManager pm(module.getContext());
    KernelPipelineOptions options;
    options.chip = "gfx942";
    buildKernelPipeline(pm, options);
    pm.addInstrumentation(std::make_unique<PassClock>(times));
    state.ResumeTiming();
    if (failed(pm.run(*clone)))
      return state.SkipWithError("the pipeline fails");
  }
  state.counters["pack_share"] = times.packing / times.all;
}
BENCHMARK_CAPTURE(runPipeline, softmax, "softmax.mlir")
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(runPipeline, matmul, "matmul.mlir")
    ->Unit(benchmark::kMillisecond);

/// COUNT buffers of mixed sizes in a row, each read for the last time up to
/// eight buffers later.
static std::string getKernel(int64_t count) {
  static constexpr int64_t sizes[] = {64, 96, 128, 80, 200, 256, 1024};
  auto getSize = [](int64_t i) { return sizes[i * i % 7]; };
  std::ostringstream os;
  os << R"mlir(
#wg = #gpu.address_space<workgroup>
func.func @k(%x: memref<?xf32>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %c0 = arith.constant 0 : index
  %t = gpu.thread_id x
  %v0 = memref.load %x[%t] : memref<?xf32>
)mlir";
  for (int64_t i = 0; i < count; ++i) {
    auto type = [&](int64_t buffer) {
      return "memref<" + std::to_string(getSize(buffer)) + "xf32, #wg>";
    };
    int64_t old = std::max<int64_t>(0, i - i * 5 % 8);
    os << "%b" << i << " = memref.alloc() : " << type(i) << "\n"
       << "memref.store %v" << i << ", %b" << i << "[%t] : " << type(i) << "\n"
       << "%w" << i << " = memref.load %b" << old << "[%c0] : " << type(old)
       << "\n"
       << "%v" << i + 1 << " = memref.load %b" << i << "[%t] : " << type(i)
       << "\n"
       << "memref.store %w" << i << ", %x[%t] : memref<?xf32>\n";
  }
  os << "memref.store %v" << count << ", %x[%t] : memref<?xf32>\nreturn\n}";
  return os.str();
}

static void runPass(benchmark::State &state, StringRef objective) {
  TestModule module(getKernel(state.range(0)));
  if (!module)
    return state.SkipWithError("the kernel does not parse");
  for (auto _ : state) {
    state.PauseTiming();
    OwningOpRef<ModuleOp> clone((*module).clone());
    PassManager pm(module.getContext());
    PackWorkgroupMemoryPassOptions options;
    options.chip = "gfx942";
    options.objective = objective.str();
    pm.addPass(createPackWorkgroupMemoryPass(options));
    state.ResumeTiming();
    if (failed(pm.run(*clone)))
      return state.SkipWithError("the pass fails");
  }
  state.SetComplexityN(state.range(0));
}
static void setRange(benchmark::internal::Benchmark *benchmark) {
  benchmark->RangeMultiplier(4)
      ->Range(4, 1024)
      ->Unit(benchmark::kMillisecond)
      ->Complexity();
}
BENCHMARK_CAPTURE(runPass, bytes, "bytes")->Apply(setRange);
BENCHMARK_CAPTURE(runPass, balanced, "balanced")->Apply(setRange);
BENCHMARK_CAPTURE(runPass, barriers, "barriers")->Apply(setRange);

BENCHMARK_MAIN();
